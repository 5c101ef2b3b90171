"""The cost of showing a table after a record: folds, sections, views of everybody, moments, and their JSON.

    .venv/bin/python bench/views.py

A terminal table of some patrons, each with a view of their own, beside a display and staff. Measured is
process time after a wager, after a card in mid-round, and after the card that settles the round. The
reference is deciding and applying the same command.
"""

import datetime
import statistics
import time
from collections.abc import Callable

import msgspec
from figures import record_cost

from thirdcard.cards import Card, Rank
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import TableSnapshot, whole_after
from thirdcard.folds.viewers import DISPLAY, STAFF_VIEWER, Viewer, patron_viewer
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all
from thirdcard.game.decide import decide
from thirdcard.game.state import Table
from thirdcard.game.table_setup import Automatic, Device, PostedLimit, Setup
from thirdcard.refusals import Refused
from thirdcard.rulebook.irregularity import Area
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post
from thirdcard.views.moments.telling import tell_all
from thirdcard.views.sections.whole import View
from thirdcard.views.sources import Sources
from thirdcard.views.view import SectionEncoder, ShownViews, changes, show, view_of

GAME = "mbs-super-six-etg-v3"
NOW = datetime.datetime(2025, 6, 2, 20, tzinfo=datetime.UTC)
CARDS = tuple(Card(rank) for rank in (Rank.TWO, Rank.KING, Rank.THREE, Rank.SIX, Rank.KING))
ROUNDS = 40
PARTS = ("decide and apply", "apply and folds", "sections", "views", "changes", "moments", "all")


class Room:
    """A table with everybody who looks at it."""

    def __init__(self, patrons: int) -> None:
        rulebook = SHIPPED.rulebook(GAME)
        self.rulebook, self.house = rulebook, SHIPPED.house(rulebook.document.house)
        self.names = [f"T{number}" for number in range(patrons)]
        self.viewers: list[Viewer] = [DISPLAY, STAFF_VIEWER, *(patron_viewer(name) for name in self.names)]
        self.sequence, self.bytes = 0, 0
        self.showing: ShownViews | None = None
        self.sent: dict[Viewer, View] = {}
        self.sections, self.encoder = SectionEncoder(), msgspec.json.Encoder()
        self.whole = self._set_up()

    def _set_up(self) -> TableSnapshot:
        setup = Setup(
            table="T",
            game=GAME,
            house=self.house.id,
            layout=None,
            positions=8,
            area=Area.MAIN_FLOOR,
            device=Device.ELECTRONIC,
            decks=8,
            terminal=True,
            face_down=False,
            automatic=(Automatic.EXPOSE, Automatic.CALL),
            limits=tuple(PostedLimit(wager, 1, 10**9) for wager in self.rulebook.wagers),
            differential=10**9,
        )
        bodies: list[cmd.Body] = [cmd.SetUpTable(setup=setup)]
        bodies += [cmd.ComeOnDuty(person="D", post=Post(post)) for post in ("pit-manager", "dealer")]
        bodies += [cmd.OpenTable()]
        bodies += [cmd.ComeToTable(patron=name) for name in self.names]
        bodies += [cmd.BuyCredits(terminal=name, amount=10**9) for name in self.names]
        whole: TableSnapshot | None = None
        for body in bodies:
            events = self._decide(whole.table if whole else None, body)
            whole = whole_after(whole, events, self.rulebook, Recorded(0, 0), ("", ""))
        assert whole is not None
        return whole

    def _decide(self, table: Table | None, body: cmd.Body) -> tuple[ev.Event, ...]:
        actor = body.patron if isinstance(body, cmd.PlaceWager) else "D"
        actor = body.terminal if isinstance(body, cmd.BuyCredits) else actor
        envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="1")
        result = decide(self.rulebook, self.house, table, cmd.Command(body, envelope))
        assert not isinstance(result, Refused), result
        return result

    def do(self, body: cmd.Body) -> list[float]:
        """Do something and show it to everybody; the microseconds of each part."""
        parts: list[Callable[[], None]] = [self._fold, self._show, self._view, self._send, self._tell]
        begun = time.process_time_ns()
        self.events = self._decide(self.whole.table, body)
        apply_all(self.whole.table, self.events)
        times = [time.process_time_ns() - begun]
        for part in parts:
            start = time.process_time_ns()
            part()
            times.append(time.process_time_ns() - start)
        return [each / 1000 for each in (*times, sum(times[1:]))]

    def _fold(self) -> None:
        self.sequence += 1
        recorded = Recorded(self.sequence, self.sequence)
        whole = whole_after(self.whole, self.events, self.rulebook, recorded, ("", ""))
        assert whole is not None
        self.whole = whole

    def _show(self) -> None:
        sources = Sources(
            table=self.whole.table,
            rulebook=self.rulebook,
            house=self.house,
            history=self.whole.history,
            alerts=self.whole.alerts,
        )
        self.showing = show(sources, self.showing)

    def _view(self) -> None:
        assert self.showing is not None
        self.views = {viewer: view_of(self.showing, viewer) for viewer in self.viewers}

    def _send(self) -> None:
        for viewer, view in self.views.items():
            changed = changes(self.sent.get(viewer), view)
            if changed:
                self.bytes += len(self.encoder.encode(self.sections.encode(changed)))
            self.sent[viewer] = view

    def _tell(self) -> None:
        """One moment for everybody, one for staff, and one for each patron whom it concerns."""
        for event in self.events:
            told = tell_all(event, self.whole.table)
            for moment in (told.everybody, told.staff, *told.concerned.values()):
                self.bytes += len(self.encoder.encode(moment))


def main() -> None:
    for patrons in (1, 14, 100, 500):
        wagers, cards, ends = measure(patrons)
        print(f"{patrons} patrons, microseconds (median)")
        print(f"{'':18}{'a wager':>10}{'a card':>10}{'the last card':>15}")
        for what, costs in (("a wager", wagers), ("a card", cards), ("the last card", ends)):
            record_cost(f"{what} shown, {patrons} patrons", costs[-1] / 1e6)
        for part, wager, card, end in zip(PARTS, wagers, cards, ends, strict=True):
            print(f"{part:18}{wager:10,.0f}{card:10,.0f}{end:15,.0f}")


def measure(patrons: int) -> tuple[list[float], list[float], list[float]]:
    """The parts after a wager, after a card, and after the last card of a round."""
    room = Room(patrons)
    wagers: list[list[float]] = []
    cards: list[list[float]] = []
    ends: list[list[float]] = []
    for number in range(ROUNDS if patrons < 500 else 8):
        if number % 40 == 0:
            room.do(cmd.LoadShoe(decks=8))
        room.do(cmd.OpenBetting())
        bodies = [cmd.PlaceWager(patron=name, wager="player", amount=10_000) for name in room.names]
        wagers += [room.do(body) for body in bodies]
        room.do(cmd.CloseBetting())
        *most, last = (room.do(cmd.DrawCard(card=card)) for card in CARDS)
        cards += most
        ends.append(last)
    return middle(wagers), middle(cards), middle(ends)


def middle(times: list[list[float]]) -> list[float]:
    """The median of each part."""
    return [statistics.median(part) for part in zip(*times, strict=True)]


if __name__ == "__main__":
    main()
