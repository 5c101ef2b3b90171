"""Meters as a fold of the events of a table: what went in and out, was played, won, lost, and came back."""

from operator import add

from msgspec import Struct
from msgspec.structs import astuple, replace

from thirdcard.game import events as ev
from thirdcard.game.state import PlacedWager, SettledWager


class Meter(Struct, frozen=True):
    """Sums in minor units, and how many rounds were settled.

    ``lying`` is on the felt by now, ``played`` was in action, ``claimed`` is owed by a patron,
    ``mistaken`` was paid wrongly and not taken back, ``awarded`` went to disputes.
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
    rounds: int = 0
    void_rounds: int = 0

    @property
    def balance(self) -> int:
        """What a patron has more than before anything happened here."""
        bought, won = self.bought - self.cashed_out, self.won - self.lost
        return bought + won - self.lying + self.claimed + self.mistaken


class Meters(Struct, frozen=True):
    """The meters of a table, of each patron or terminal, and of each kind of wager.

    ``settled`` says that the last round is settled, so that a void takes its settlement back.
    """

    table: Meter = Meter()
    patrons: dict[str, Meter] = {}
    wagers: dict[str, Meter] = {}
    settled: bool = False


def meters_after(meters: Meters, event: ev.Event) -> Meters:
    """The meters after an event."""
    match event:
        case ev.WagerPlaced() | ev.WagerFound():
            return _book(meters, event.patron, event.wager, Meter(lying=event.amount))
        case ev.WagerReduced():
            return _book(meters, event.patron, event.wager, Meter(lying=-event.amount))
        case ev.RoundBegan():
            return replace(meters, settled=False)
        case ev.RoundSettled():
            return replace(_settle(meters, event.wagers, 1), settled=True)
        case ev.SettlementReversed():
            return replace(_settle(meters, event.wagers, -1), settled=False)
        case ev.RoundVoided():
            return _void(meters, event)
        case ev.DisputeDecided():
            return replace(meters, table=_plus(meters.table, Meter(awarded=event.award)))
        case _:
            patron, more = _outside_a_round(event)
            return _book(meters, patron, None, more) if patron else meters


def _outside_a_round(event: ev.Event) -> tuple[str | None, Meter]:
    """What an event moves for a patron that is no wager."""
    match event:
        case ev.CreditsBought():
            return event.terminal, Meter(bought=event.amount)
        case ev.CreditsCashedOut():
            return event.terminal, Meter(cashed_out=event.amount)
        case ev.ClaimBooked():
            return event.patron, Meter(claimed=event.amount)
        case ev.WrongPaymentFound():
            return event.patron, Meter(mistaken=event.amount)
        case ev.PaymentCorrected():
            return event.patron, Meter(mistaken=-event.amount)
        case _:
            return None, Meter()


def _plus(meter: Meter, more: Meter) -> Meter:
    return Meter(*map(add, astuple(meter), astuple(more)))


def _book(meters: Meters, patron: str, wager: str | None, more: Meter) -> Meters:
    """The meters with more for a patron, for the table, and for a kind of wager where it is about one."""
    patrons, wagers = dict(meters.patrons), meters.wagers
    _add(patrons, patron, more)
    if wager is not None:
        wagers = dict(wagers)
        _add(wagers, wager, more)
    return replace(meters, table=_plus(meters.table, more), patrons=patrons, wagers=wagers)


def _add(meters: dict[str, Meter], name: str, more: Meter) -> None:
    meters[name] = _plus(meters.get(name, Meter()), more)


Moved = list[tuple[PlacedWager | SettledWager, Meter]]


def _book_round(meters: Meters, moved: Moved, count: Meter) -> Meters:
    """The meters with what each wager of a round moves; the round counts once for all whom it is about."""
    table, patrons, wagers = _plus(meters.table, count), dict(meters.patrons), dict(meters.wagers)
    for wager, more in moved:
        table = _plus(table, more)
        _add(patrons, wager.patron, more)
        _add(wagers, wager.wager, more)
    for name in {wager.patron for wager, _ in moved}:
        _add(patrons, name, count)
    for name in {wager.wager for wager, _ in moved}:
        _add(wagers, name, count)
    return replace(meters, table=table, patrons=patrons, wagers=wagers)


def _settle(meters: Meters, wagers: tuple[SettledWager, ...], times: int) -> Meters:
    moved: Moved = [(each, _settled(each, times)) for each in wagers]
    return _book_round(meters, moved, Meter(rounds=times))


def _settled(wager: SettledWager, times: int) -> Meter:
    """What one settled wager moves, or with minus one what taking it back moves."""
    return Meter(
        lying=-wager.stake * times,
        played=wager.in_action * times,
        won=wager.paid * times,
        lost=wager.taken * times,
        commission=wager.commission * times,
        claimed=(wager.pulled + wager.back + wager.taken - wager.stake) * times,
    )


def _void(meters: Meters, event: ev.RoundVoided) -> Meters:
    if meters.settled:
        meters = replace(_settle(meters, event.reversed, -1), settled=False)
    wagers: tuple[PlacedWager | SettledWager, ...] = (*event.returned, *event.reversed)
    moved: Moved = [(each, Meter(lying=-each.stake, void=each.stake)) for each in wagers]
    return _book_round(meters, moved, Meter(void_rounds=1))
