"""An evening under watch: after every event all views and moments of all viewers are looked at."""

from collections.abc import Iterable

import msgspec
from machines.commands import PATRONS
from machines.evening import Evening
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.cards import Card, Rank, Suit
from thirdcard.game import events as ev
from thirdcard.game.state import CardState, DealtCard, Holding, Table
from thirdcard.projections.alerts import Alerts, alerts_after
from thirdcard.projections.history import History, RoundTold, history_after, last_rounds, told_to
from thirdcard.projections.ledger import CAGE, FELT, HOUSE
from thirdcard.projections.lobby import lobby_line
from thirdcard.projections.meters import Meters, meters_after
from thirdcard.projections.moments import moment_of
from thirdcard.projections.recorded import Recorded
from thirdcard.projections.scoreboard import rounds_of_shoe
from thirdcard.projections.sections import View
from thirdcard.projections.sources import Sources
from thirdcard.projections.view import Showing, Writer, changes, show, view_of
from thirdcard.projections.viewers import AUDITOR, DISPLAY, STAFF, Viewer, patron_viewer

VIEWERS = (DISPLAY, *(patron_viewer(name) for name in PATRONS), STAFF, AUDITOR)
NOT_STAFF = tuple(viewer for viewer in VIEWERS if not viewer.sees_behind)
# what staff type in, and what must not come to others
TYPED_IN = (b'"Somebody"', b'"Host"')
encode = msgspec.json.encode


class Watch(Struct):
    """The folds of a table and what each viewer was sent last."""

    history: History = History()
    meters: Meters = Meters()
    alerts: Alerts = ()
    showing: Showing | None = None
    sent: dict[Viewer, View] = {}
    clients: dict[Viewer, dict[str, object]] = {}
    writer: Writer = msgspec.field(default_factory=Writer)
    rounds: dict[int, tuple[object, ...]] = {}


class WatchedEvening(Evening):
    """An evening whose every event is watched."""

    def _event(self, event: ev.Event) -> None:
        if not hasattr(self, "watch"):
            self.watch = Watch()
        super()._event(event)
        assert self.table is not None
        recorded = Recorded(len(self.commands), 1_000_000 * len(self.commands))
        self._fold(event, self.table, recorded)
        self._shown(event, self.table)

    def _fold(self, event: ev.Event, table: Table, recorded: Recorded) -> None:
        watch, hidden = self.watch, with_other_faces(table)
        history = history_after(watch.history, event, table, self.rulebook, recorded)
        assert history == history_after(watch.history, turned(event), hidden, self.rulebook, recorded)
        watch.history = history
        watch.meters = meters_after(watch.meters, event)
        alerts = alerts_after(watch.alerts, event, table, recorded)
        assert alerts == alerts_after(watch.alerts, turned(event), hidden, recorded)
        watch.alerts = alerts
        if isinstance(event, ev.OutcomeKnown | ev.RoundVoided | ev.ShoeLoaded):
            assert history.board == rounds_of_shoe(self.rulebook, self.events)
        self._metered()

    def _metered(self) -> None:
        """The meters and the ledger say the same."""
        meters, balances = self.watch.meters, self.balances
        table = meters.table
        assert balances[FELT] == table.lying
        assert balances[CAGE] == table.cashed_out - table.bought
        assert balances[HOUSE] == table.lost - table.won - table.mistaken - table.awarded
        for name in self.came:
            meter = meters.patrons.get(name)
            assert balances[f"patron:{name}"] == (meter.balance if meter else 0)
            assert balances[f"claim:{name}"] == -(meter.claimed if meter else 0)
        for field in ("lying", "played", "won", "lost", "void", "commission"):
            for parts in (meters.patrons, meters.wagers):
                assert sum(getattr(part, field) for part in parts.values()) == getattr(table, field)

    def _sources(self, table: Table) -> Sources:
        watch = self.watch
        return Sources(
            table=table, rulebook=self.rulebook, house=self.house, history=watch.history, alerts=watch.alerts
        )

    def _shown(self, event: ev.Event, table: Table) -> None:
        watch = self.watch
        watch.showing = show(self._sources(table), watch.showing)
        fresh, hidden = show(self._sources(table)), show(self._sources(with_other_faces(table)))
        assert lobby_line(fresh) == lobby_line(hidden)
        for viewer in VIEWERS:
            view = view_of(watch.showing, viewer)
            assert view == view_of(fresh, viewer), viewer
            self._sent(viewer, view)
            other = view_of(hidden, viewer)
            if has_looked(table, viewer):
                view, other = replace(view, own=None), replace(other, own=None)
            assert encode(view) == encode(other)
            moment = moment_of(event, table, viewer)
            assert encode(moment) == encode(moment_of(turned(event), with_other_faces(table), viewer))
            if viewer in NOT_STAFF:
                says_nothing_of_others(viewer, encode(view_of(watch.showing, viewer)), encode(moment))

    def _sent(self, viewer: Viewer, view: View) -> None:
        """A client that is sent only what changed has everything, and nothing is sent in vain."""
        watch = self.watch
        changed = changes(watch.sent.get(viewer), view)
        client = watch.clients.setdefault(viewer, {})
        written = msgspec.json.decode(watch.writer.write(changed))
        for name, section in written.items():
            assert client.get(name) != section
        client |= written
        watch.sent[viewer] = view
        whole = {name: value for name, value in client.items() if value is not None}
        assert whole == msgspec.json.decode(encode(view))

    def finish(self) -> None:
        """At the end every patron finds the last rounds as they were settled."""
        super().finish()
        if self.table is None:
            return
        settled = rounds_by_number(self.events)
        for name in PATRONS:
            own = [
                (number, wagers)
                for number, rounds in sorted(settled.items())
                if (wagers := tuple(each for each in rounds if each[0] == name))
            ]
            told = [(each.number, wagers_of(each)) for each in last_rounds(self.watch.history, name)]
            assert told == own[-10:]
        for told_round in self.watch.history.rounds:
            assert 0 < told_round.first.sequence <= told_round.last.sequence
            assert told_to(told_round, STAFF) == told_round
            for viewer in NOT_STAFF:
                says_nothing_of_others(viewer, encode(told_to(told_round, viewer)))


Line = tuple[str, str, int, str]


def wagers_of(told: RoundTold) -> tuple[Line, ...]:
    settled = tuple((each.patron, each.wager, each.stake, each.result) for each in told.wagers)
    return (*settled, *((each.patron, each.wager, each.stake, "void") for each in told.returned))


def rounds_by_number(events: Iterable[ev.Event]) -> dict[int, tuple[Line, ...]]:
    """What became of the wagers of every round that has ended, read off the events in another way."""
    found: dict[int, tuple[Line, ...]] = {}
    number, open_rounds = 0, set()
    for event in events:
        match event:
            case ev.RoundBegan():
                number = event.number
                open_rounds.add(number)
            case ev.RoundSettled():
                lines = ((each.patron, each.wager, each.stake, each.result) for each in event.wagers)
                found[number] = tuple(lines)
            case ev.RoundVoided():
                back = (*((w.patron, w.wager, w.stake, "void") for w in event.returned),)
                undone = (*((w.patron, w.wager, w.stake, "void") for w in event.reversed),)
                found[event.number] = (*back, *undone)
            case ev.SettlementReversed():
                open_rounds.add(number)
            case ev.RoundEnded():
                open_rounds.discard(event.number)
            case _:
                pass
    return {at: lines for at, lines in found.items() if lines and at not in open_rounds}


def says_nothing_of_others(viewer: Viewer, *messages: bytes) -> None:
    """No name of another patron, and nobody of the staff, stands in what was sent."""
    names = [f'"{name}"'.encode() for name in PATRONS if name != viewer.patron]
    for message in messages:
        assert not any(name in message for name in (*names, *TYPED_IN)), (viewer, message)


def has_looked(table: Table, viewer: Viewer) -> bool:
    """Whether a viewer holds a hand and has looked at it."""
    current = table.round
    return current is not None and any(
        Holding(each.hand, viewer.patron or "") == each and each in current.looked
        for each in current.holdings
    )


def other(card: Card) -> Card:
    """Another card: of another rank and another suit, if it has one."""
    suits = tuple(Suit)
    suit = suits[(suits.index(card.suit) + 1) % 4] if card.suit else None
    return Card(Rank(card.rank % 13 + 1), suit)


def others(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(other(card) for card in cards)


def with_others(cards: Iterable[DealtCard]) -> tuple[DealtCard, ...]:
    return tuple(
        each if each.card is None or each.state is CardState.EXPOSED else replace(each, card=other(each.card))
        for each in cards
    )


def with_other_faces(table: Table) -> Table:
    """The table with other faces on every card that does not lie open."""
    if table.round is not None:
        table = replace(table, round=replace(table.round, cards=with_others(table.round.cards)))
    if table.case is not None:
        case = replace(table.case, cards=others(table.case.cards), missing=others(table.case.missing))
        table = replace(table, case=case)
    if table.shoe is not None:
        table = replace(table, shoe=replace(table.shoe, drawn=others(table.shoe.drawn), left=0, discards=0))
    return replace(table, strays=others(table.strays), reserved=others(table.reserved))


def turned(event: ev.Event) -> ev.Event:
    """The event with other faces on every card that does not lie open."""
    match event:
        case ev.CardDrawn() if event.card and event.state is not CardState.EXPOSED:
            return replace(event, card=other(event.card))
        case ev.CardsReconstructed() | ev.CardsSubstituted():
            return replace(event, cards=with_others(event.cards))
        case ev.StrayCardsKept() | ev.CardsReserved() | ev.MissingCardsDeduced() | ev.RulingMade():
            return replace(event, cards=others(event.cards))
        case ev.IrregularityReported():
            return replace(event, case=replace(event.case, cards=others(event.case.cards)))
        case _:
            return event
