"""The drills that are under way at a server."""

import secrets
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from thirdcard.folds.viewers import STAFF_VIEWER
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.server.memory_room import NANOSECONDS, MemoryRoom
from thirdcard.staff import Post
from thirdcard.streams.clock import Clock
from thirdcard.training.by_chance import FaultSeed
from thirdcard.training.led_session import LedSession, TableKind
from thirdcard.training.rehearsal import Level, Rehearsal
from thirdcard.training.session import DrillSession, Told
from thirdcard.training.staff_names import staff_name
from thirdcard.training.training_table import TrainingTable
from thirdcard.views.moments.telling import tell_all
from thirdcard.views.view import ShownViews, show
from thirdcard.wire.answers import MomentAt

MOST_COMMANDS = 500  # in one drill, and as many calls; the right way of the longest has some thirty
MOST_LED_SEEDS = 10**9

TableSession = Callable[[TrainingTable, Callable[[], float]], DrillSession]


class TrainingFiles(Struct, frozen=True):
    """The folder of a trainer's own drills, and the file of the record; without one beside the data."""

    packs: Path | None = None
    record: Path | None = None


class OpenDrill:
    """A drill that somebody goes through at a server; ``begin`` begins it at its table, on a clock."""

    def __init__(
        self,
        person: str,
        table: TrainingTable,
        begin: TableSession,
        clock: Clock,
        fault: FaultSeed | None = None,
    ) -> None:
        self.id = secrets.token_hex(12)
        self.person, self.fault = person, fault
        self.clock = clock
        self.table = table
        self.drill = begin(table, self._seconds)
        self.since = clock.now().wall_time
        self.told: list[Told] = list(self.drill.acts())
        self.touched = clock.now().monotonic
        self._shown: ShownViews | None = None
        self._heard = len(self.table.events)
        self.kept = False  # in the record of training
        self._answers: dict[str, Refused | None] = {}
        self._calls = 0

    def _seconds(self) -> float:
        return self.clock.now().monotonic / NANOSECONDS

    @property
    def led(self) -> LedSession | None:
        """The session, where a trainer can strike in it."""
        return self.drill if isinstance(self.drill, LedSession) else None

    @property
    def posts(self) -> tuple[Post, ...]:
        """The posts that can be called to the table."""
        return self.drill.rehearsal.house.form.posts

    @property
    def now(self) -> int:
        """The time at the training table, in microseconds since 1970."""
        return round(self.table.now.timestamp() * 1_000_000)

    def send(self, body: cmd.Body, command_id: str, authoriser: str | None) -> Refused | None:
        """Have a command decided, once under its id; why it was refused. After the end none is remembered."""
        if command_id not in self._answers:
            if self.drill.over:
                return refuse(Refusal.NOT_AWAITED)
            second = staff_name(Post(authoriser)) if authoriser is not None else None
            result = self.drill.send(body, second)
            self._answers[command_id] = result if isinstance(result, Refused) else None
            if len(self._answers) >= MOST_COMMANDS:
                self.drill.finish()
        return self._answers[command_id]

    def call(self, post: str) -> Refused | None:
        """Call a post to the table."""
        if post not in self.posts:
            return self.no_such_post(post)
        if not self.drill.over:
            self.drill.call(Post(post))
            self._calls += 1
            if self._calls >= MOST_COMMANDS:
                self.drill.finish()
        return None

    def pass_on(self) -> None:
        """Let the drill go on although nothing more is done about what was told last."""
        if not self.drill.over:
            self.drill.pass_on()
            self._calls += 1
            if self._calls >= MOST_COMMANDS:
                self.drill.finish()

    def no_such_post(self, post: str) -> Refused:
        """Refuse a post that the house of the table does not have."""
        return refuse(Refusal.NO_SUCH_POST, post=post, posts=", ".join(self.posts))

    def tell(self) -> tuple[Told, ...]:
        """Return everything that was told, from the beginning."""
        self.told += self.drill.acts()
        return tuple(self.told)

    def show(self) -> ShownViews:
        """Return the views of the training table."""
        self._shown = show(self.table.sources, self._shown)
        return self._shown

    def moments(self) -> tuple[MomentAt, ...]:
        """Return the moments since somebody asked before."""
        events, at = self.table.events, self.now
        first, self._heard = min(self._heard, len(events)), len(events)
        found = (
            (first + place, tell_all(event, self.table.standing).moment_for(STAFF_VIEWER))
            for place, event in enumerate(events[first:], start=1)
        )
        return tuple(MomentAt(sequence, at, what) for sequence, what in found if what is not None)


class TrainingRoom(MemoryRoom[OpenDrill]):
    """Keeps the open drills."""

    def begin(
        self, person: str, rehearsal: Rehearsal, post: Post, level: Level, fault: FaultSeed | None = None
    ) -> OpenDrill:
        """Begin a drill; ``fault`` says which seed it came of."""

        def begin(table: TrainingTable, clock: Callable[[], float]) -> DrillSession:
            return DrillSession(rehearsal, post, clock=clock, level=level, player=table)

        start = rehearsal.drill.settings.start
        table = TrainingTable(rehearsal.rulebook, rehearsal.house, start)
        return self.keep(OpenDrill(person, table, begin, self.clock, fault))

    def begin_led(self, person: str, rulebook: Rulebook, house: House, kind: TableKind) -> OpenDrill:
        """Open a table at which a trainer can strike, in the place of another one of the same person."""
        for each in self.open():
            if each.person == person and each.led and not each.drill.over:
                self.forget(each)
        seed = secrets.randbelow(MOST_LED_SEEDS)

        def begin(table: TrainingTable, clock: Callable[[], float]) -> DrillSession:
            return LedSession(rulebook, house, kind, seed=seed, clock=clock, player=table)

        return self.keep(OpenDrill(person, TrainingTable(rulebook, house), begin, self.clock))

    def led(self, trainer: str) -> tuple[OpenDrill, ...]:
        """Return the tables at which a trainer can strike now, the oldest first, and none of their own."""
        found = (each for each in self.open() if each.led and not each.drill.over)
        return tuple(sorted((each for each in found if each.person != trainer), key=lambda it: it.since))

    def find_led(self, session: str, trainer: str) -> OpenDrill | Refused:
        """Return a table with a trainer by its id; nobody is the trainer of their own."""
        found = next((each for each in self.open() if each.id == session), None)
        if found is None or not found.led:
            return refuse(Refusal.NO_SUCH_SESSION)
        return refuse(Refusal.NOT_PERMITTED) if found.person == trainer else found
