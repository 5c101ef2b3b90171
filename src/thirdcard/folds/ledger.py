"""Money as double entry: every event that moves it has entries that sum to zero."""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from thirdcard.game import events as ev
from thirdcard.game.dispute_steps import AwardWay
from thirdcard.game.state import PlacedWager, SettledWager
from thirdcard.rulebook.house import MoneyAct

FELT, HOUSE, CAGE = "felt", "house", "cage"
# chips and cash that may be counterfeit, what was kept of them, and whoever wanted to buy with them
HELD, SEIZED, OUTSIDE = "held", "seized", "outside"
# at a live table: the chips that slips bring to the tray, beside those that wagers bring to the house; the
# cash in the drop box; and what counts found too little, below zero where it was too much
TRAY, DROP, OVER_SHORT = "tray", "drop", "over-short"
AWARDS = ev.DisputeDecided | ev.ComplaintAnswered | ev.DisputeEscalated | ev.AwardSetOff | ev.AwardPaid
Entries = tuple[tuple[str, int], ...]


class Sums(Struct, frozen=True):
    """The amounts that a patron won, lost and got back, in minor units."""

    won: int = 0
    taken: int = 0
    back: int = 0

    @property
    def net(self) -> int:
        """Return the amount that the patron has more than before."""
        return self.won - self.taken


def entries(event: ev.Event) -> Entries:  # noqa: C901, PLR0911, PLR0912 - one case an event
    """The entries of an event by account; an event that moves no money has none."""
    match event:
        case ev.CreditsBought():
            return ((CAGE, -event.amount), (_patron(event.terminal), event.amount))
        case ev.CreditsCashedOut():
            return ((_patron(event.terminal), -event.amount), (CAGE, event.amount))
        case ev.WagerPlaced() | ev.WagerFound():
            to = HELD if isinstance(event, ev.WagerFound) and event.held else FELT
            return ((_patron(event.patron), -event.amount), (to, event.amount))
        case ev.WagerReduced() | ev.WagerPulledLate():
            chips = event.back if isinstance(event, ev.WagerReduced) else event.amount
            return ((FELT, -chips), (_patron(event.patron), chips))
        case ev.AnswerTakenBack():
            chips = _on_the_felt(event.wagers)
            return ((_patron(event.patron), -chips), (FELT, chips)) if chips else ()
        case ev.RoundSettled():
            return tuple(entry for wager in event.wagers for entry in _settled(wager))
        case ev.SettlementReversed():
            return tuple(_opposite(entry) for wager in event.wagers for entry in _settled(wager))
        case ev.RoundVoided():
            wagers: tuple[PlacedWager | SettledWager, ...] = (*event.returned, *event.reversed)
            undone = [_opposite(entry) for wager in event.reversed for entry in _settled(wager)]
            given = [
                entry
                for wager in wagers
                if not wager.held
                for entry in ((FELT, -wager.lying), (_patron(wager.patron), wager.lying))
            ]
            return (*undone, *given)
        case ev.ClaimBooked():
            return ((f"claim:{event.patron}", -event.amount), (_patron(event.patron), event.amount))
        case ev.WrongPaymentFound():
            return ((HOUSE, -event.amount), (_patron(event.patron), event.amount))
        case ev.PaymentCorrected():
            return ((_patron(event.patron), -event.amount), (HOUSE, event.amount))
        case ev.MoneyHeld() if event.settled:
            entered = _settled(event.settled)
            return tuple((HELD if account == FELT else account, -amount) for account, amount in entered)
        case ev.MoneyHeld():
            return ((FELT if event.wager else OUTSIDE, -event.amount), (HELD, event.amount))
        case ev.HeldMoneyDecided():
            return ((HELD, -event.amount), *_decided(event))
        case ev.PaymentClaimed():
            return ((f"claim:{event.patron}", -event.amount), (HOUSE, event.amount))
        case ev.DisputeDecided() if event.award:
            more = event.award - event.counted
            return ((HOUSE, -more), (_dispute(event.id), more))
        case ev.ComplaintAnswered() if event.award:
            more = event.award - event.counted - event.lapsed
            return ((HOUSE, -more), (_dispute(event.id), more))
        case ev.DisputeEscalated() if event.lapsed:
            return ((_dispute(event.id), -event.lapsed), (HOUSE, event.lapsed))
        case ev.AwardSetOff():
            return ((_dispute(event.id), -event.amount), (HOUSE, event.amount))
        case ev.AwardPaid():
            to = _patron(event.patron) if event.way is AwardWay.CREDITS else CAGE
            return ((_dispute(event.id), -event.amount), (to, event.amount))
        case _ if isinstance(event, ev.ChipsEvent):
            return _chips(event)
        case _:
            return ()


def _chips(event: ev.ChipsEvent) -> Entries:
    """Chips come from the cage and go back there, cash into the drop box and from there to the cage."""
    match event:
        case ev.OpenerCounted() | ev.ChipsFilled():
            return ((CAGE, -event.amount), (TRAY, event.amount))
        case ev.ChipsReturned():
            return ((TRAY, -event.amount), (CAGE, event.amount))
        case ev.ChipsBought():
            return _bought(event.patron, event.amount)
        case ev.SlipVoided():
            if event.patron is not None:
                return _bought(event.patron, -event.amount)
            back = event.amount if event.act is MoneyAct.FILL else -event.amount
            return ((TRAY, -back), (CAGE, back))
        case ev.CloserCounted():
            return _counted(TRAY, event.amount, event.expected)
        case _:
            return _counted(DROP, event.amount, event.expected)


def _bought(patron: str, amount: int) -> Entries:
    """A patron gives cash, which goes into the drop box, and gets as many chips of the tray."""
    return ((OUTSIDE, -amount), (DROP, amount), (TRAY, -amount), (_patron(patron), amount))


def _counted(account: str, amount: int, expected: int) -> Entries:
    """A count goes to the cage; the account loses what must have been there."""
    return ((account, -expected), (CAGE, amount), (OVER_SHORT, expected - amount))


def _dispute(number: int) -> str:
    """The account of an award that was decided and is not paid yet."""
    return f"dispute:{number}"


def _patron(name: str) -> str:
    return f"patron:{name}"


def _opposite(entry: tuple[str, int]) -> tuple[str, int]:
    return entry[0], -entry[1]


def _settled(wager: SettledWager) -> Entries:
    """The chips leave the felt, what is lost goes to the house, what is won comes from it.

    A patron who took chips away owes what the rest does not cover: it is a claim until it is paid. Of a wager
    that is held nothing moves until somebody decides.
    """
    if wager.held:
        return ()
    patron = _patron(wager.patron)
    return (
        (FELT, -wager.lying),
        (patron, wager.back + wager.paid),
        (HOUSE, wager.taken - wager.paid),
        (f"claim:{wager.patron}", -wager.owed),
    )


def _decided(event: ev.HeldMoneyDecided) -> Entries:
    """Where money goes that was held: on the felt again, to its patron and the house, back, or away."""
    wager = event.settled or event.wager
    if wager is not None:  # chips that left the wager go back with it
        rest = (_patron(event.patron), event.amount - wager.lying)
        again = (FELT, wager.lying)
        return (rest, again, *(_settled(event.settled) if event.settled else ()))
    if event.choice == "seize":
        return ((SEIZED, event.amount),)
    return ((OUTSIDE if event.bought else _patron(event.patron), event.amount),)


def _on_the_felt(wagers: Iterable[PlacedWager]) -> int:
    """The chips of wagers that lie on the felt, and not with the staff."""
    return sum(each.lying for each in wagers if not each.held)


def in_tray(event: ev.Event, moved: Entries) -> int:
    """Return the chips that an event with these entries brings to the tray, by slips, wagers and payments.

    What a patron owes is not there. Awards are paid by the cage.
    """
    if isinstance(event, AWARDS):
        return 0
    there = [amount for account, amount in moved if account in (TRAY, HOUSE) or account.startswith("claim:")]
    return sum(there)


def balances(events: Iterable[ev.Event]) -> Counter[str]:
    """The balance of every account after some events."""
    total: Counter[str] = Counter()
    for event in events:
        for account, amount in entries(event):
            total[account] += amount
    return total


def sums(events: Iterable[ev.Event]) -> dict[str, Sums]:
    """Return what each patron won, lost and got back; awards and payments by mistake count as won."""
    found: dict[str, Sums] = {}
    disputants: dict[int, str] = {}
    for event in events:
        if isinstance(event, ev.DisputeOpened):
            disputants[event.id] = event.patron
        elif isinstance(event, ev.DisputeDecided):
            _add(found, disputants[event.id], Sums(won=event.award - event.counted))
        elif isinstance(event, ev.DisputeEscalated):
            _add(found, disputants[event.id], Sums(won=-event.lapsed))
        elif isinstance(event, ev.AwardSetOff):
            _add(found, event.patron, Sums(won=-event.amount))
        elif isinstance(event, ev.ComplaintAnswered):
            _add(found, disputants[event.id], Sums(won=event.award - event.counted - event.lapsed))
        for patron, more in _moved(event):
            _add(found, patron, more)
    return found


def _handed_over(wagers: Iterable[SettledWager]) -> Iterator[SettledWager]:
    """The settled wagers of which something was handed over."""
    return (each for each in wagers if not each.held)


def _add(found: dict[str, Sums], patron: str, more: Sums) -> None:
    old = found.get(patron, Sums())
    found[patron] = Sums(old.won + more.won, old.taken + more.taken, old.back + more.back)


def _moved(event: ev.Event) -> Iterator[tuple[str, Sums]]:  # noqa: C901, PLR0912 - one case an event
    """Yield the change of each patron by an event; a reversal and a correction take from what was won."""
    match event:
        case ev.WagerReduced() if not event.mistaken:
            yield event.patron, Sums(back=event.back)
        case ev.AnswerTakenBack():
            yield event.patron, Sums(back=-_on_the_felt(event.wagers))
        case ev.RoundSettled():
            for wager in _handed_over(event.wagers):
                yield wager.patron, Sums(wager.paid, wager.taken, wager.back)
        case ev.SettlementReversed():
            for wager in _handed_over(event.wagers):
                yield wager.patron, Sums(-wager.paid, -wager.taken, -wager.back)
        case ev.RoundVoided():
            for placed in event.returned:
                yield placed.patron, Sums(back=_on_the_felt((placed,)))
            for wager in _handed_over(event.reversed):
                yield wager.patron, Sums(-wager.paid, -wager.taken, wager.lying - wager.back)
        case ev.MoneyHeld() if event.settled is not None:
            wager = event.settled
            yield event.patron, Sums(-wager.paid, -wager.taken, -wager.back)
        case ev.HeldMoneyDecided() if event.settled is not None:
            wager, rest = event.settled, event.amount - event.settled.lying
            yield event.patron, Sums(wager.paid, wager.taken, wager.back + rest)
        case ev.HeldMoneyDecided() if event.wager is not None:
            yield event.patron, Sums(back=event.amount - event.wager.lying)
        case ev.HeldMoneyDecided() if event.choice == "hand-back" and not event.bought:
            yield event.patron, Sums(back=event.amount)
        case ev.WrongPaymentFound(collected=True):
            yield event.patron, Sums(taken=-event.amount, back=event.amount)
        case ev.WrongPaymentFound():
            yield event.patron, Sums(won=event.amount)
        case ev.PaymentCorrected() | ev.PaymentClaimed():
            yield event.patron, Sums(won=-event.amount)
        case _:
            pass
