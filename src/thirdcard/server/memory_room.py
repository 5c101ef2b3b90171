"""Training that is under way at a server, in its memory alone: so many of it, and each for so long."""

from typing import Generic, Protocol, TypeVar

from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.streams.clock import Clock

MOST_TRAININGS = 200
MOST_OF_ONE = 3
IDLE_MINUTES = 60
NANOSECONDS = 1_000_000_000


class InMemory(Protocol):
    """A drill or an exercise of a person; ``touched`` is when somebody used it last."""

    id: str
    person: str
    touched: int


Kept = TypeVar("Kept", bound=InMemory)


class MemoryRoom(Generic[Kept]):
    """Keeps what is open by its id; the longest untouched ones make room."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._open: dict[str, Kept] = {}

    def __len__(self) -> int:
        return len(self._open)

    def keep(self, new: Kept) -> Kept:
        """Keep something that begins."""
        self._tidy()
        own = [each for each in self._open.values() if each.person == new.person]
        over = max(len(own) - MOST_OF_ONE + 1, 0)
        for each in own[:over] or list(self._open.values())[: max(len(self._open) - MOST_TRAININGS + 1, 0)]:
            del self._open[each.id]
        self._open[new.id] = new
        return new

    def open(self) -> tuple[Kept, ...]:
        """Return everything that is open, the longest untouched first."""
        self._tidy()
        return tuple(self._open.values())

    def forget(self, old: Kept) -> None:
        """Let go of something."""
        del self._open[old.id]

    def find(self, id_: str, person: str, *, touch: bool = True) -> Kept | Refused:
        """Return what a person has begun, by its id; to look at it alone does not ``touch`` it."""
        self._tidy()
        found = self._open.get(id_)
        if found is None or found.person != person:
            return refuse(Refusal.NO_SUCH_SESSION)
        if not touch:
            return found
        found.touched = self.clock.now().monotonic
        self._open[id_] = self._open.pop(id_)
        return found

    def _tidy(self) -> None:
        """Forget what nobody has touched for long."""
        before = self.clock.now().monotonic - IDLE_MINUTES * 60 * NANOSECONDS
        self._open = {id_: each for id_, each in self._open.items() if each.touched >= before}
