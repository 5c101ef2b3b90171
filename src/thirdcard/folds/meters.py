"""Meters as a fold of the events of a table: what went in and out, was played, won, lost, and came back."""

from collections import Counter
from collections.abc import Callable, Iterable
from operator import add
from typing import Any, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import astuple, replace

from thirdcard.game import events as ev
from thirdcard.game.dispute_steps import AwardWay
from thirdcard.game.state import PlacedWager, SettledWager


class Meter(Struct, frozen=True):
    """Sums in minor units, and how many rounds were settled; credits or chips were ``bought``.

    ``lying`` is on the felt by now, ``played`` was in action, ``claimed`` is owed by a patron,
    ``mistaken`` was paid wrongly and not taken back, ``awarded`` was decided in disputes; of it ``credited``
    was paid to credits and ``paid_out`` by hand. ``held`` is held as suspected or was kept. Patrons ``won``
    and ``lost`` by settlements.
    """

    bought: int = 0
    cashed_out: int = 0
    lying: int = 0
    played: int = 0
    won: int = 0
    lost: int = 0
    commission: int = 0
    void: int = 0
    claimed: int = 0
    mistaken: int = 0
    awarded: int = 0
    credited: int = 0
    paid_out: int = 0
    held: int = 0
    rounds: int = 0
    void_rounds: int = 0

    @property
    def balance(self) -> int:
        """Return the amount that a patron has more than before anything happened here."""
        bought, won = self.bought - self.cashed_out, self.won - self.lost
        return bought + won - self.lying - self.held + self.claimed + self.mistaken + self.credited

    @property
    def house_win(self) -> int:
        """Return what the house won by settlements: below zero where patrons won more than they lost."""
        return self.lost - self.won


class DisputedBy(Struct, frozen=True):
    """The patron of a dispute, and the kind of wager that it is about, if any."""

    patron: str
    wager: str | None


class Meters(Struct, frozen=True):
    """The meters of a table, of each patron or terminal, and of each kind of wager.

    What lies is kept beside the patrons, so that a wager does not touch everybody who ever played here.
    ``settled`` says that the last round is settled, so that a void takes its settlement back. ``disputes``
    are known by their numbers, so that awards count for their patron and kind of wager.
    """

    table: Meter = Meter()
    patrons: dict[str, Meter] = {}
    wagers: dict[str, Meter] = {}
    lying: dict[str, int] = {}
    settled: bool = False
    disputes: dict[str, DisputedBy] = {}

    def patron(self, name: str) -> Meter:
        """The meter of a patron or terminal, with what lies."""
        return replace(self.patrons.get(name, Meter()), lying=self.lying.get(name, 0))

    @property
    def all_patrons(self) -> dict[str, Meter]:
        """The meters of all patrons and terminals, with what lies."""
        return {name: self.patron(name) for name in dict.fromkeys((*self.patrons, *self.lying))}


def meters_after(meters: Meters, event: ev.Event) -> Meters:
    """The meters after an event."""
    fold = _FOLDS.get(type(event))
    return fold(meters, event) if fold else meters


DISPUTED = (
    ev.DisputeOpened
    | ev.DisputeDecided
    | ev.DisputeEscalated
    | ev.ComplaintAnswered
    | ev.AwardPaid
    | ev.AwardSetOff
)


def _award(meters: Meters, event: DISPUTED) -> Meters:
    """The meters with what a dispute awards or pays, for its patron and for the kind of wager it is about."""
    match event:
        case ev.DisputeOpened():
            about = DisputedBy(event.patron, event.wager)
            return replace(meters, disputes={**meters.disputes, str(event.id): about})
        case ev.AwardPaid(way=AwardWay.CREDITS):
            more = Meter(credited=event.amount)
        case ev.AwardPaid():
            more = Meter(paid_out=event.amount)
        case ev.DisputeEscalated():
            more = Meter(awarded=-event.lapsed)
        case ev.AwardSetOff():
            more = Meter(awarded=-event.amount)
        case ev.ComplaintAnswered():
            more = Meter(awarded=event.award - event.counted - event.lapsed)
        case _:
            more = Meter(awarded=event.award - event.counted)
    if more == Meter():
        return meters
    about = meters.disputes[str(event.id)]
    meters = _book(meters, about.patron, more)
    if about.wager is None:
        return meters
    kind = _plus(meters.wagers.get(about.wager, Meter()), more)
    return replace(meters, wagers={**meters.wagers, about.wager: kind})


def _plus(meter: Meter, more: Meter) -> Meter:
    return Meter(*map(add, astuple(meter), astuple(more)))


def _book(meters: Meters, patron: str, more: Meter) -> Meters:
    """The meters with more for a patron and for the table."""
    own = _plus(meters.patrons.get(patron, Meter()), more)
    return replace(meters, table=_plus(meters.table, more), patrons={**meters.patrons, patron: own})


def _lay(meters: Meters, patron: str, wager: str, amount: int) -> Meters:
    """The meters with more chips on the felt, or fewer."""
    table, kind = meters.table, meters.wagers.get(wager, Meter())
    return replace(
        meters,
        table=replace(table, lying=table.lying + amount),
        wagers={**meters.wagers, wager: replace(kind, lying=kind.lying + amount)},
        lying={**meters.lying, patron: meters.lying.get(patron, 0) + amount},
    )


def _hold(meters: Meters, event: ev.MoneyHeld | ev.HeldMoneyDecided) -> Meters:
    """The meters with a wager that is held, or decided; what is kept from its patron stays held."""
    wager, amount = event.wager, event.amount
    if isinstance(event, ev.MoneyHeld):
        if wager is None:
            return meters
        if event.settled is not None:
            meters = _settle_one(meters, event.settled, -1)
            return _book(meters, event.patron, Meter(held=amount))
        return _book(_lay(meters, event.patron, wager.wager, -amount), event.patron, Meter(held=amount))
    if event.bought or event.choice == "seize":
        return meters
    if wager is not None:
        meters = _lay(meters, event.patron, wager.wager, wager.lying)
    if event.settled is not None:
        meters = _settle_one(meters, event.settled, 1)
    return _book(meters, event.patron, Meter(held=-amount))


def _settle_one(meters: Meters, wager: SettledWager, times: int) -> Meters:
    """The meters with one wager settled apart from its round, or with minus one with that taken back."""
    moved = replace(_settled((wager,), times), lying=0, rounds=0)
    kind = _plus(meters.wagers.get(wager.wager, Meter()), moved)
    return _book(replace(meters, wagers={**meters.wagers, wager.wager: kind}), wager.patron, moved)


MeteredWager = TypeVar("MeteredWager", bound=PlacedWager | SettledWager)


def _book_round(
    meters: Meters, wagers: tuple[MeteredWager, ...], moved: Callable[[Iterable[MeteredWager]], Meter]
) -> Meters:
    """The meters with what a round moves, for the table and for all whom it is about."""
    patrons, kinds = dict(meters.patrons), dict(meters.wagers)
    by_patron: dict[str, list[MeteredWager]] = {}
    by_kind: dict[str, list[MeteredWager]] = {}
    for each in wagers:
        by_patron.setdefault(each.patron, []).append(each)
        by_kind.setdefault(each.wager, []).append(each)
    for name, own in by_patron.items():
        patrons[name] = replace(_plus(patrons.get(name, Meter()), moved(own)), lying=0)
    for name, same in by_kind.items():
        kinds[name] = _plus(kinds.get(name, Meter()), moved(same))
    return replace(meters, table=_plus(meters.table, moved(wagers)), patrons=patrons, wagers=kinds)


def _settle(meters: Meters, wagers: tuple[SettledWager, ...]) -> Meters:
    meters = _book_round(meters, wagers, lambda some: _settled(some, 1))
    return replace(meters, lying={}, settled=True)


def _take_back(meters: Meters, wagers: tuple[SettledWager, ...]) -> Meters:
    """The meters with a settlement taken back: its wagers lie again."""
    meters = _book_round(meters, wagers, lambda some: _settled(some, -1))
    lying: Counter[str] = Counter()
    for each in wagers:
        lying[each.patron] += 0 if each.held else each.lying
    return replace(meters, lying=dict(lying), settled=False)


def _settled(wagers: Iterable[SettledWager], times: int) -> Meter:
    """Return the amounts that the settlement of some wagers moves, or with minus one those of taking it back.

    Of a wager that is held nothing is played until somebody decides.
    """
    lying = in_action = paid = taken = commission = owed = 0
    for each in (wager for wager in wagers if not wager.held):
        lying += each.lying
        in_action += each.in_action
        paid += each.paid
        taken += each.taken
        commission += each.commission
        owed += each.owed
    return Meter(
        lying=-lying * times,
        played=in_action * times,
        won=paid * times,
        lost=taken * times,
        commission=commission * times,
        claimed=owed * times,
        rounds=times,
    )


def _void(meters: Meters, event: ev.RoundVoided) -> Meters:
    if meters.settled:
        meters = _take_back(meters, event.reversed)
    wagers: tuple[PlacedWager | SettledWager, ...] = (*event.returned, *event.reversed)
    return replace(_book_round(meters, wagers, _voided), lying={})


def _voided(wagers: Iterable[PlacedWager | SettledWager]) -> Meter:
    """Return the amounts that go back of some wagers in a void round."""
    lying = sum(each.lying for each in wagers if not each.held)
    return Meter(lying=-lying, void=lying, void_rounds=1)


def _find(meters: Meters, event: ev.WagerFound) -> Meters:
    """The meters with chips that were found to lie there; of a wager that is held they are held."""
    if event.held:
        return _book(meters, event.patron, Meter(held=event.amount))
    return _lay(meters, event.patron, event.wager, event.amount)


def _lay_again(meters: Meters, event: ev.AnswerTakenBack) -> Meters:
    for each in event.wagers:
        meters = _lay(meters, each.patron, each.wager, 0 if each.held else each.lying)
    return meters


def _void_slip(meters: Meters, event: ev.SlipVoided) -> Meters:
    """The meters without chips that a patron bought by a slip that was voided; others were no patron's."""
    return meters if event.patron is None else _book(meters, event.patron, Meter(bought=-event.amount))


# the events that move money or end a round; meters know of no other
_FOLDS: dict[type[ev.Event], Callable[[Meters, Any], Meters]] = {
    ev.WagerPlaced: lambda meters, event: _lay(meters, event.patron, event.wager, event.amount),
    ev.WagerReduced: lambda meters, event: _lay(meters, event.patron, event.wager, -event.back),
    ev.WagerPulledLate: lambda meters, event: _lay(meters, event.patron, event.wager, -event.amount),
    ev.WagerFound: _find,
    ev.AnswerTakenBack: _lay_again,
    ev.MoneyHeld: _hold,
    ev.HeldMoneyDecided: _hold,
    ev.RoundBegan: lambda meters, _: replace(meters, settled=False),
    ev.RoundSettled: lambda meters, event: _settle(meters, event.wagers),
    ev.SettlementReversed: lambda meters, event: _take_back(meters, event.wagers),
    ev.RoundVoided: _void,
    ev.CreditsBought: lambda meters, event: _book(meters, event.terminal, Meter(bought=event.amount)),
    ev.CreditsCashedOut: lambda meters, event: _book(meters, event.terminal, Meter(cashed_out=event.amount)),
    ev.ChipsBought: lambda meters, event: _book(meters, event.patron, Meter(bought=event.amount)),
    ev.SlipVoided: _void_slip,
    ev.ClaimBooked: lambda meters, event: _book(meters, event.patron, Meter(claimed=event.amount)),
    ev.WrongPaymentFound: lambda meters, event: _book(meters, event.patron, Meter(mistaken=event.amount)),
    ev.PaymentCorrected: lambda meters, event: _book(meters, event.patron, Meter(mistaken=-event.amount)),
    ev.PaymentClaimed: lambda meters, event: _book(
        meters, event.patron, Meter(mistaken=-event.amount, claimed=event.amount)
    ),
    **dict.fromkeys(get_args(DISPUTED), _award),
}
