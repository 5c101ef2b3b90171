"""A table under watch: after every event all views and moments of all viewers are looked at."""

import itertools
from collections import Counter
from collections.abc import Iterable, Set

import msgspec
from machines.evening import Evening
from msgspec.structs import replace

from thirdcard.cards import Card, Rank, Suit
from thirdcard.folds.alarm_faces import UnnamedAlarm, name_cards, unnamed_after
from thirdcard.folds.alerts import Alerts, alerts_after
from thirdcard.folds.history import History, RoundTold, history_after, last_rounds, told_to
from thirdcard.folds.ledger import CAGE, FELT, HOUSE, OUTSIDE, entries
from thirdcard.folds.meters import Meters, meters_after
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.scoreboard import rounds_of_shoe
from thirdcard.folds.slips import Slips, slips_after
from thirdcard.folds.viewers import AUDITOR, DISPLAY, STAFF_VIEWER, Viewer, patron_viewer
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import Alarm
from thirdcard.game.apply import apply, begin
from thirdcard.game.shoe import Places, Shoe
from thirdcard.game.state import CardState, DealtCard, Hand, PlacedWager, SettledWager, Table
from thirdcard.game.table_setup import Device
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.views.lobby import lobby_line
from thirdcard.views.moments.telling import tell_all
from thirdcard.views.sections.whole import View
from thirdcard.views.sources import Sources
from thirdcard.views.view import SectionEncoder, ShownViews, changes, show, view_of

encode = msgspec.json.encode
NINE = Card(Rank.NINE)
SETTING_UP = (ev.StaffCame, ev.EquipmentTicked, ev.TableOpened, ev.ShoeLoaded, ev.CardsBurned, ev.PatronCame)


class Watch:
    """The folds of a table, and what each viewer was sent last."""

    def __init__(self, rulebook: Rulebook, house: House) -> None:
        self.rulebook = rulebook
        self.house = house
        self.events: list[ev.Event] = []
        self.history = History()
        self.meters = Meters()
        self.alerts: Alerts = ()
        self.unnamed: tuple[UnnamedAlarm, ...] = ()
        self.showing: ShownViews | None = None
        self.patrons: set[str] = set()
        self.staff: set[str] = set()
        self.balances: Counter[str] = Counter()
        self.of_slips: Counter[str] = Counter()
        self.slips: Slips = ()
        self.sent: dict[Viewer, View] = {}
        self.clients: dict[Viewer, dict[str, object]] = {}
        self.encoder = SectionEncoder()

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Everybody who looks."""
        return (DISPLAY, *(patron_viewer(name) for name in sorted(self.patrons)), STAFF_VIEWER, AUDITOR)

    def see(self, event: ev.Event, table: Table, sequence: int, *, looks: bool = True) -> None:
        """Fold an event that made the table what it is, and look at everything after it."""
        self.events.append(event)
        match event:
            case ev.PatronCame():
                self.patrons.add(event.patron)
            case ev.StaffCame() | ev.ActingAppointed() if event.person not in self.house.form.posts:
                self.staff.add(event.person)
            case _:
                pass
        self._fold(event, table, Recorded(sequence, 1_000_000 * sequence))
        self._meter(event)
        if looks:
            self._show(event, table)

    def _fold(self, event: ev.Event, table: Table, recorded: Recorded) -> None:
        hidden, turned = with_other_faces(table), event if self._lay_open(event) else with_faces_turned(event)
        history = history_after(self.history, event, table, self.rulebook, recorded)
        assert history == history_after(self.history, turned, hidden, self.rulebook, recorded)
        alerts = alerts_after(self.alerts, event, table, recorded)
        assert alerts == alerts_after(self.alerts, turned, hidden, recorded)
        self.history, self.alerts = history, alerts
        self.unnamed = unnamed_after(self.unnamed, event, table, recorded)
        self._name(table, hidden)
        if isinstance(event, ev.ChipsEvent):
            self.slips = slips_after(self.slips, event, table, recorded)
        if isinstance(event, ev.OutcomeKnown | ev.RoundVoided | ev.ShoeLoaded):
            assert history.board == rounds_of_shoe(self.rulebook, self.events)

    def _name(self, table: Table, hidden: Table) -> None:
        """Name the cards of alarms: when that may be does not depend on any face."""
        alerts, left = name_cards(self.alerts, self.unnamed, table)
        turned = tuple(replace(each, alarm=with_other_card(each.alarm)) for each in self.unnamed)
        _, left_otherwise = name_cards(self.alerts, turned, hidden)
        assert [each.sequence for each in left] == [each.sequence for each in left_otherwise]
        self.alerts, self.unnamed = alerts, left

    def _lay_open(self, event: ev.Event) -> bool:
        """Whether a card is corrected that everybody saw in a round that is over."""
        if not isinstance(event, ev.CardCorrected):
            return False
        kept = itertools.chain(self.history.rounds, *self.history.recent.values())
        over = (told for told in kept if told.number == event.round)
        shown = [each for told in over for each in told.cards[event.number - 1 : event.number]]
        return any(each.state is CardState.EXPOSED for each in shown)

    def _meter(self, event: ev.Event) -> None:
        """The meters and the ledger say the same."""
        self.meters = meters_after(self.meters, event)
        for account, amount in entries(event):
            self.balances[account] += amount
            if isinstance(event, ev.ChipsEvent) and account in (CAGE, OUTSIDE):
                self.of_slips[account] += amount
        meters, balances, table = self.meters, self.balances, self.meters.table
        assert balances[FELT] == table.lying
        at_cage = table.bought + self.of_slips[OUTSIDE]  # without what went into the drop box
        assert balances[CAGE] - self.of_slips[CAGE] == table.cashed_out + table.paid_out - at_cage
        assert balances[HOUSE] == table.lost - table.won - table.mistaken - table.awarded
        open_awards = sum(amount for account, amount in balances.items() if account.startswith("dispute:"))
        assert open_awards == table.awarded - table.credited - table.paid_out
        for account, balance in balances.items():
            kind, _, name = account.partition(":")
            if kind == "patron":
                assert balance == meters.patron(name).balance
            if kind == "claim":
                assert balance == -meters.patron(name).claimed
        patrons = {name: meters.patron(name) for name in (*meters.patrons, *meters.lying)}
        for field in ("lying", "played", "won", "lost", "void", "commission"):
            for parts in (patrons, meters.wagers):
                assert sum(getattr(part, field) for part in parts.values()) == getattr(table, field)
        for field in ("awarded", "credited", "paid_out"):
            assert sum(getattr(part, field) for part in patrons.values()) == getattr(table, field)

    def sources(self, table: Table) -> Sources:
        """The sources of views."""
        return Sources(
            table=table,
            rulebook=self.rulebook,
            house=self.house,
            history=self.history,
            alerts=self.alerts,
            slips=self.slips,
        )

    def _show(self, event: ev.Event, table: Table) -> None:
        self.showing = show(self.sources(table), self.showing)
        other_table, turned = with_other_faces(table), with_faces_turned(event)
        fresh, hidden = show(self.sources(table)), show(self.sources(other_table))
        assert lobby_line(fresh) == lobby_line(hidden)
        told = tell_all(event, table)
        for viewer in self.viewers:
            view, other = view_of(self.showing, viewer), view_of(hidden, viewer)
            assert encode(view) == encode(view_of(fresh, viewer)), viewer
            self._send(viewer, view)
            moment = encode(told.moment_for(viewer))
            assert moment == encode(tell_all(turned, other_table).moment_for(viewer))
            if not viewer.sees_behind:
                helpers = {each.person for each in view.own.helpers} if view.own else set()
                self.says_nothing_of_others(viewer, encode(view), moment, besides=helpers)
            if viewer.sees_behind:
                told_outside = table.setup.device is not Device.CARD_READING
                behind = with_told_outside(table, other_table) if told_outside else other_table
                other = view_of(show(self.sources(with_number_left(table, behind))), viewer)
            if seen := seen_hands(table, viewer):
                hidden_but_seen = show(self.sources(with_other_faces(table, seen)))
                other = view_of(hidden_but_seen, viewer)
            assert encode(view) == encode(other)

    def _send(self, viewer: Viewer, view: View) -> None:
        """A client that is sent only what changed has everything, and nothing is sent in vain."""
        changed = changes(self.sent.get(viewer), view)
        client = self.clients.setdefault(viewer, {})
        written = msgspec.json.decode(msgspec.json.encode(self.encoder.encode(changed)))
        for name, section in written.items():
            assert client.get(name) != section
        client |= written
        self.sent[viewer] = view
        assert client == msgspec.json.decode(encode(view))

    def says_nothing_of_others(
        self, viewer: Viewer, *messages: bytes, besides: Set[str] = frozenset()
    ) -> None:
        """No name of another patron, and nobody of the staff but helpers, stands in what was sent."""
        others = (self.patrons | self.staff) - {viewer.patron} - besides
        names = [f'"{name}"'.encode() for name in others]
        for message in messages:
            assert not any(name in message for name in names), (viewer, message)

    def finish(self) -> None:
        """At the end every patron finds the last rounds as they were settled."""
        settled = rounds_by_number(self.events)
        for name in self.patrons:
            own = [
                (number, wagers)
                for number, lines in sorted(settled.items())
                if (wagers := tuple(each for each in lines if each[0] == name))
            ]
            told = [(each.number, lines_of(each)) for each in last_rounds(self.history, name)]
            assert told == own[-10:]
        for told_round in self.history.rounds:
            assert 0 < told_round.first.sequence <= told_round.last.sequence
            for viewer in self.viewers:
                seen = told_to(told_round, viewer)
                assert seen == told_round or not viewer.sees_behind
                if not viewer.sees_behind:
                    self.says_nothing_of_others(viewer, encode(seen))


def watch_all(
    rulebook: Rulebook, house: House, events: Iterable[ev.Event], kind: type[Watch] = Watch
) -> tuple[Watch, Table]:
    """A table that is watched from its set-up on, and the table in the end.

    Evenings are watched while they are set up; written rounds are all set up alike.
    """
    watch, (first, *rest) = kind(rulebook, house), tuple(events)
    assert isinstance(first, ev.TableSetUp)
    table = begin(first)
    set_up = len(list(itertools.takewhile(lambda event: isinstance(event, SETTING_UP), rest)))
    watch.see(first, table, 1, looks=not rest)
    for sequence, event in enumerate(rest, start=2):
        table = apply(table, event)
        watch.see(event, table, sequence, looks=sequence > set_up)
    watch.finish()
    return watch, table


class WatchedEvening(Evening):
    """An evening whose every event is watched."""

    watch: Watch | None = None

    def _event(self, event: ev.Event) -> None:
        super()._event(event)
        assert self.table is not None
        self.watch = self.watch or Watch(self.rulebook, self.house)
        self.watch.see(event, self.table, len(self.commands))

    def finish(self) -> None:
        """The evening can be replayed, and patrons find their rounds."""
        super().finish()
        if self.watch is not None:
            self.watch.finish()


Line = tuple[str, str, int, str]


def lines_of(told: RoundTold) -> tuple[Line, ...]:
    """The results of the wagers of a round."""
    settled = tuple((each.patron, each.wager, each.stake, each.result) for each in told.wagers)
    return (*settled, *((each.patron, each.wager, each.stake, "void") for each in told.returned))


def rounds_by_number(events: Iterable[ev.Event]) -> dict[int, tuple[Line, ...]]:
    """The results of the wagers of every round that has ended, read off the events in another way."""
    found: dict[int, tuple[Line, ...]] = {}
    number, under_way = 0, set()
    for event in events:
        match event:
            case ev.RoundBegan():
                number = event.number
                under_way.add(number)
            case ev.RoundSettled():
                lines = ((each.patron, each.wager, each.stake, each.result) for each in event.wagers)
                found[number] = tuple(lines)
            case ev.RoundVoided():
                wagers: tuple[PlacedWager | SettledWager, ...] = (*event.returned, *event.reversed)
                found[event.number] = tuple((each.patron, each.wager, each.lying, "void") for each in wagers)
            case ev.SettlementReversed():
                under_way.add(number)
            case ev.RoundEnded():
                under_way.discard(event.number)
            case _:
                pass
    return {at: lines for at, lines in found.items() if lines and at not in under_way}


def seen_hands(table: Table, viewer: Viewer) -> tuple[Hand, ...]:
    """The hands that a viewer holds and has looked at."""
    current = table.round
    if current is None:
        return ()
    looked = (each for each in current.holdings if each in current.looked)
    return tuple(each.hand for each in looked if each.patron == viewer.patron)


def other(card: Card) -> Card:
    """Another card: of another rank and another suit, if it has one."""
    suits = tuple(Suit)
    suit = suits[(suits.index(card.suit) + 1) % 4] if card.suit else None
    return Card(Rank(card.rank % 13 + 1), suit)


def others(cards: Iterable[Card | None]) -> tuple[Card | None, ...]:
    """Other cards; one that nobody knows stays unknown."""
    return tuple(card if card is None else other(card) for card in cards)


def with_others(cards: Iterable[DealtCard], seen: tuple[Hand, ...] = ()) -> tuple[DealtCard, ...]:
    """The cards before the hands, with other faces where they do not lie open and their holder saw none."""

    def is_known(each: DealtCard) -> bool:
        return each.state is CardState.EXPOSED or (each.state is CardState.SEEN and each.hand in seen)

    return tuple(
        replace(each, card=other(each.card)) if each.card and not is_known(each) else each for each in cards
    )


def with_other_faces(table: Table, seen: tuple[Hand, ...] = ()) -> Table:
    """The table with other faces on every card that does not lie open, and another number in the shoe.

    What the holder of some hands has seen in them stays as it is.
    """
    if table.round is not None:
        current = table.round
        other = replace(current, cards=with_others(current.cards, seen), to_come=later(current.to_come))
        table = replace(table, round=other)
    cases, told = (
        tuple(replace(case, cards=others(case.cards), missing=others(case.missing)) for case in each)
        for each in (table.open_cases, table.told)
    )
    table = replace(table, open_cases=cases, told=told, aside=others(table.aside))
    if table.shoe is not None:
        lying = (*(each.card for each in table.round.cards), *table.aside) if table.round else ()
        shoe = with_other_cards(table.shoe)
        known = tuple(card for card in lying if card)
        table = replace(table, shoe=replace(shoe, drawn=(*shoe.drawn, *known)))
    owed = tuple(replace(each, places=later(each.places)) for each in table.free_hands)
    table = replace(table, free_hands=owed)
    return replace(table, strays=others(table.strays), reserved=others(table.reserved), last_shoe=())


def with_number_left(table: Table, hidden: Table) -> Table:
    """The table with other faces and as many cards left in its shoe, which staff are told."""
    if table.shoe is None or hidden.shoe is None:
        return hidden
    return replace(hidden, shoe=replace(hidden.shoe, left=table.shoe.left))


def with_told_outside(table: Table, hidden: Table) -> Table:
    """The table with other faces where nobody told any: what people entered outside the hands stays."""
    sealed = table.shoe is not None and table.shoe.seal is not None
    return hidden if sealed else replace(hidden, aside=table.aside, strays=table.strays)


def with_other_cards(shoe: Shoe) -> Shoe:
    """A shoe of which everything is different that is not announced."""
    seal = replace(shoe.seal, content="other", key_id="other") if shoe.seal else None
    places = with_other_places(shoe.places)
    left = min(shoe.left, 7)  # an empty shoe is seen by all
    drawn = others(shoe.drawn)
    return replace(shoe, drawn=drawn, left=left, discards=7, places=places, seal=seal, alarms=())


def later(taken: tuple[int, ...]) -> tuple[int, ...]:
    """Other places for some cards."""
    return tuple(place + 7 for place in taken)


def with_other_places(places: Places) -> Places:
    """Other places for every card that is out or asked about: that it is was announced, not where it lay."""
    return Places(
        faces=(None,) * (len(places.faces) + 7),
        back=later(places.back),
        lying=later(places.lying),
        aside=later(places.aside),
        strays=later(places.strays),
        disclosed=later(places.disclosed),
        reserved=later(places.reserved),
        asked=tuple((case, later(taken)) for case, taken in places.asked),
        early=later(places.early),
        returned=later(places.returned),
        ahead=tuple((place + 7, other(face)) for place, face in places.ahead),
    )


def with_other_card(alarm: Alarm) -> Alarm:
    """An alarm about another card."""
    return replace(alarm, card=other(alarm.card or NINE), other=other(alarm.other or NINE))


def with_faces_turned(event: ev.Event) -> ev.Event:  # noqa: PLR0911 - one case an event
    """The event with other faces on every card that does not lie open."""
    match event:
        case ev.CardDrawn() if event.card and event.state is not CardState.EXPOSED:
            return replace(event, card=other(event.card))
        case ev.CardsReconstructed():
            return replace(event, cards=with_others(event.cards), aside=others(event.aside))
        case ev.CardsSubstituted():
            return replace(event, cards=with_others(event.cards))
        case ev.CardSeenInShoe():
            return replace(event, card=other(event.card))
        case ev.CardCorrected():
            return replace(event, old=other(event.old or NINE), new=other(event.new))
        case (
            ev.CardsSetAside()
            | ev.StrayCardsKept()
            | ev.CardsReserved()
            | ev.MissingCardsDeduced()
            | ev.RulingMade()
        ):
            return replace(event, cards=others(event.cards))
        case ev.CardsBurned():
            return replace(event, first=other(event.first or NINE))
        case ev.AlarmRaised():
            return replace(event, alarm=with_other_card(event.alarm))
        case ev.ShoeLoaded() if event.seal:
            return replace(event, seal=replace(event.seal, content="other", key_id="other"))
        case ev.ShoeOpened():
            return replace(event, order=others(event.order), secret="other")
        case ev.IrregularityReported():
            return replace(event, case=replace(event.case, cards=others(event.case.cards)))
        case _:
            return event
