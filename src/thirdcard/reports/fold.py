"""The records of a table, folded into figures by time and by what they are of."""

import copy
import enum
from collections.abc import Callable, Iterable

from msgspec import Struct

from thirdcard.auditor.stored_rules import Rules
from thirdcard.dossier.dealers import Dealers
from thirdcard.dossier.event_rows import IncidentRow, incident_rows
from thirdcard.folds.ledger import AWARDS, HOUSE, entries
from thirdcard.game import events as ev
from thirdcard.game.state import SettledWager
from thirdcard.game.table_setup import Setup
from thirdcard.journal.record import Record
from thirdcard.money import Currency
from thirdcard.reports.figures import Figures, Priced
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import MoneyAct

Settled = tuple[SettledWager, ...]


class LineSubject(enum.StrEnum):
    """The subject of a line of a report."""

    ALL = "all"
    PIT = "pit"
    TABLE = "table"
    GAME = "game"
    DEALER = "dealer"
    WAGER = "wager"


class LineKey(Struct, frozen=True, order=True):
    """The subject of a line, with its currency; tables for training have lines of their own."""

    subject: LineSubject
    game: str
    name: str
    training: bool
    currency: str


class Happening(Struct, frozen=True):
    """Figures that are added from one moment to another, most of them at once, to some lines."""

    lines: tuple[LineKey, ...]
    begins: int
    ends: int
    change: Callable[[Figures, int], None]  # with how much of that time falls into the period


class FoldListener(Struct, frozen=True):
    """The calls that a fold makes: of figures, of incidents, and to learn in which pit the table stands."""

    tell: Callable[[Happening], None] = lambda _: None
    note: Callable[[IncidentRow], None] = lambda _: None
    pit_of: Callable[[int], str] = lambda _: ""


UNHEARD = FoldListener()


class ReportTerms(Struct, frozen=True):
    """The terms on which tables play: their rules, currencies, and houses by name."""

    rulebooks: dict[Priced, Rulebook] = {}
    currencies: dict[str, Currency] = {}
    houses: dict[str, str] = {}

    def take(self, other: "ReportTerms") -> None:
        """Take in the terms of another table."""
        self.rulebooks.update(other.rulebooks)
        self.currencies.update(other.currencies)
        self.houses.update(other.houses)


class TableFold:
    """One table by its records: its set-up, who deals, since when it is open; and its figures."""

    def __init__(self, stream: str, listener: FoldListener) -> None:
        self.terms = ReportTerms()
        self._stream = stream
        self._listener = listener
        self._setup: Setup | None = None
        self._game: Priced | None = None
        self._dealers = Dealers()
        self._open_since: int | None = None
        self._is_settled = False
        self._brought = 0  # to the tray of the open inventory by slips, from its opener on
        self._round: int | None = None
        self._last = 0
        self._currency = ""

    def resumed(self, listener: FoldListener) -> "TableFold":
        """Return a fold that goes on from here with another listener; this one stays as it is."""
        other = copy.copy(self)
        other.terms = ReportTerms()
        other.terms.take(self.terms)
        other._dealers = self._dealers.copy()
        other._listener = listener
        return other

    def take(self, record: Record, rules: Rules, events: Iterable[ev.Event]) -> None:
        """Fold the events of a record."""
        self._last = record.wall_time
        for event in events:
            if isinstance(event, ev.TableSetUp):
                self._setup = event.setup
            if self._setup is not None:
                self._price(record, rules, self._setup)
                self._take(event, record, self._setup)

    def finish(self) -> None:
        """Count a table that is still open as open until its last record."""
        self._count_time(self._last)

    def _price(self, record: Record, rules: Rules, setup: Setup) -> None:
        rulebook, house = rules.games[setup.game], rules.house
        self._game = Priced(record.rulebook, setup.game, setup.decks, rulebook.pair_rule(house))
        self._currency = house.currency.code
        self.terms.rulebooks[self._game] = rulebook
        self.terms.currencies[self._currency] = house.currency
        self.terms.houses[house.id] = house.form.name

    def _take(self, event: ev.Event, record: Record, setup: Setup) -> None:
        self._dealers.follow(event)
        self._follow_opening(event, record.wall_time)
        counted = self._count_rounds(event) or _counts(event)
        self._count_chips(event, record)
        wagers, sign = _settled(event)
        if wagers:
            self._settle(record, wagers, sign)
        moved = sum(amount for account, amount in entries(event) if account == HOUSE)
        if isinstance(event, AWARDS) and moved:
            counted["awarded"] = -moved
        besides = moved - sign * sum(each.taken - each.paid for each in wagers)
        if besides:
            counted["besides"] = besides
        if counted:
            self._add(record, counted)
        for incident in incident_rows(self._stream, record, event, setup, self._round):
            self._listener.note(incident)

    def _count_rounds(self, event: ev.Event) -> dict[str, int]:
        """Count rounds that are settled, and void ones; a settlement that is taken back counts no more."""
        before = self._is_settled
        match event:
            case ev.RoundBegan():
                self._is_settled = False
                self._round = event.number
            case ev.RoundSettled():
                self._is_settled = True
                return {"rounds": 1}
            case ev.SettlementReversed():
                self._is_settled = False
                return {"rounds": -1}
            case ev.RoundVoided():
                self._is_settled = False
                return {"void_rounds": 1, "rounds": -1 if before else 0}
            case _:
                pass
        return {}

    def _count_chips(self, event: ev.Event, record: Record) -> None:
        """Count what was counted and moved at the table; it is nobody's who deals there.

        The win of an inventory is known with its closer, and with the count of its drop.
        """
        match event:
            case ev.OpenerCounted():
                self._brought = event.amount
                counted = {"opener": event.amount}
            case ev.ChipsFilled():
                self._brought += event.amount
                counted = {"fills": event.amount}
            case ev.ChipsReturned():
                self._brought -= event.amount
                counted = {"chip_returns": event.amount}
            case ev.ChipsBought():
                self._brought -= event.amount
                return
            case ev.SlipVoided():
                counted = self._void(event)
            case ev.CloserCounted():
                won = {
                    "win_by_count": event.amount - self._brought,
                    "win_by_wagers": event.expected - self._brought,
                }
                counted = {"closer": event.amount, **won}
            case ev.DropCounted():
                counted = {"win_by_count": event.amount - event.expected}
            case _:
                return
        self._tell_at(record, self._places(record.wall_time), _adding(counted))

    def _void(self, event: ev.SlipVoided) -> dict[str, int]:
        """Take a slip out again; cash for chips counts where it was taken."""
        fills = event.act is MoneyAct.FILL
        self._brought -= event.amount if fills else -event.amount
        name = {MoneyAct.FILL: "fills", MoneyAct.CREDIT: "chip_returns"}.get(event.act)
        return {name: -event.amount} if name else {}

    def _follow_opening(self, event: ev.Event, at: int) -> None:
        """Count the time in which the table is open, and not paused."""
        match event:
            case ev.TableOpened() | ev.TableResumed():
                self._open_since = at
            case ev.TableClosed() | ev.TablePaused():
                self._count_time(at)
            case _:
                pass

    def _settle(self, record: Record, wagers: Settled, sign: int) -> None:
        assert self._game is not None
        game = self._game

        def add(figures: Figures, some: Settled) -> None:
            figures.wagers += sign * len(some)
            figures.turnover += sign * sum(each.in_action for each in some)
            figures.win += sign * sum(each.taken - each.paid for each in some)
            figures.commission += sign * sum(each.commission for each in some)
            figures.stake(game, ((each.wager, each.in_action) for each in some), sign)

        self._tell_at(record, self._lines(record), lambda figures, _: add(figures, wagers))
        for kind in dict.fromkeys(each.wager for each in wagers):
            same = tuple(each for each in wagers if each.wager == kind)
            self._tell_at(record, (self._line(LineSubject.WAGER, kind),), _with(add, same))

    def _add(self, record: Record, counted: dict[str, int]) -> None:
        self._tell_at(record, self._lines(record), _adding(counted))

    def _tell_at(
        self, record: Record, lines: tuple[LineKey, ...], change: Callable[[Figures, int], None]
    ) -> None:
        self._listener.tell(Happening(lines, record.wall_time, record.wall_time, change))

    def _count_time(self, until: int) -> None:
        """Count the time since the table was opened, or went on; of its dealers nobody knows it."""
        if self._open_since is None:
            return

        def add(figures: Figures, time: int) -> None:
            figures.open += time

        self._listener.tell(Happening(self._places(self._open_since), self._open_since, until, add))
        self._open_since = None

    def _lines(self, record: Record) -> tuple[LineKey, ...]:
        """The lines of whatever happens in a record: of pit, table and game, and of whoever deals there."""
        dealer = self._dealers.dealer_of(record)
        return (
            *self._places(record.wall_time),
            *((self._line(LineSubject.DEALER, dealer),) if dealer else ()),
        )

    def _places(self, moment: int) -> tuple[LineKey, ...]:
        """The lines of the table, of its game, and of the pit in which it stands."""
        pit = self._listener.pit_of(moment)
        return (
            self._line(LineSubject.TABLE, self._stream),
            self._line(LineSubject.GAME, ""),
            *((self._line(LineSubject.PIT, pit),) if pit else ()),
        )

    def _line(self, subject: LineSubject, name: str) -> LineKey:
        assert self._setup is not None
        of_game = subject in (LineSubject.GAME, LineSubject.WAGER)
        game = self._setup.game if of_game else ""
        return LineKey(subject, game, name, self._setup.training, self._currency)


def _adding(counted: dict[str, int]) -> Callable[[Figures, int], None]:
    """Return a change that adds some numbers to the figures of their names."""

    def add(figures: Figures, _: int) -> None:
        for name, number in counted.items():
            setattr(figures, name, getattr(figures, name) + number)

    return add


def _with(add: Callable[[Figures, Settled], None], wagers: Settled) -> Callable[[Figures, int], None]:
    return lambda figures, _: add(figures, wagers)


def _settled(event: ev.Event) -> tuple[Settled, int]:
    """Return the wagers that an event settles, or with minus one those whose settlement it takes back.

    Of a wager that is held nothing moves until somebody decides.
    """
    match event:
        case ev.RoundSettled():
            wagers, sign = event.wagers, 1
        case ev.SettlementReversed():
            wagers, sign = event.wagers, -1
        case ev.RoundVoided():
            wagers, sign = event.reversed, -1
        case ev.MoneyHeld() if event.settled:
            wagers, sign = (event.settled,), -1
        case ev.HeldMoneyDecided() if event.settled:
            wagers, sign = (event.settled,), 1
        case _:
            wagers, sign = (), 0
    return tuple(each for each in wagers if not each.held), sign


def _counts(event: ev.Event) -> dict[str, int]:
    """Return what an event adds to the figures of its table, but for rounds, wagers and money beside them."""
    match event:
        case ev.CreditsBought():
            return {"bought": event.amount}
        case ev.CreditsCashedOut():
            return {"cashed_out": event.amount}
        case ev.ChipsBought():
            return {"drop": event.amount}
        case ev.SlipVoided(act=MoneyAct.BUY_IN):
            return {"drop": -event.amount}
        case ev.DropCounted():
            return {"drop": event.amount - event.expected}
        case ev.IrregularityReported():
            return {"irregularities": 1}
        case ev.RulingMade():
            return {"rulings": 1}
        case ev.DisputeOpened():
            return {"disputes": 1}
        case _:
            return {}
