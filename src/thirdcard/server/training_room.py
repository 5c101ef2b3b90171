"""The drills that are under way at a server."""

import secrets
from pathlib import Path

from msgspec import Struct

from thirdcard.folds.viewers import STAFF_VIEWER
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.memory_room import NANOSECONDS, MemoryRoom
from thirdcard.staff import Post
from thirdcard.streams.clock import Clock
from thirdcard.training.by_chance import FaultSeed
from thirdcard.training.rehearsal import Level, Rehearsal
from thirdcard.training.session import DrillSession, Told
from thirdcard.training.staff_names import staff_name
from thirdcard.training.training_table import TrainingTable
from thirdcard.views.moments.telling import tell_all
from thirdcard.views.view import ShownViews, show
from thirdcard.wire.answers import MomentAt

MOST_COMMANDS = 500  # in one drill, and as many calls; the right way of the longest has some thirty


class TrainingFiles(Struct, frozen=True):
    """The folder of a trainer's own drills, and the file of the record; without one beside the data."""

    packs: Path | None = None
    record: Path | None = None


class OpenDrill:
    """A drill that somebody goes through at a server."""

    def __init__(
        self,
        person: str,
        rehearsal: Rehearsal,
        post: Post,
        level: Level,
        clock: Clock,
        fault: FaultSeed | None = None,
    ) -> None:
        self.id = secrets.token_hex(12)
        self.person, self.fault = person, fault
        self.clock = clock
        self.table = TrainingTable(rehearsal.rulebook, rehearsal.house, rehearsal.drill.settings.start)
        self.drill = DrillSession(rehearsal, post, clock=self._seconds, level=level, player=self.table)
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
        return self.keep(OpenDrill(person, rehearsal, post, level, self.clock, fault))
