"""Commands that wait, what was decided of them, and the appends of a stream that are under way."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic

from msgspec import Struct, field

from thirdcard.game.commands import Envelope
from thirdcard.journal.codec import B, E
from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.record import Head, Record
from thirdcard.journal.store import Appended, Conflict, KnownCommand
from thirdcard.refusals import Refused
from thirdcard.streams.machine import Decided, S


class Accepted(Struct, Generic[E], frozen=True):
    """A command was recorded, with these events."""

    record: Record
    events: tuple[E, ...]

    @property
    def sequence(self) -> int:
        """Where in its stream it was recorded."""
        return self.record.sequence


class Change(Struct, Generic[S, E], frozen=True):
    """The change that a record made to a stream."""

    record: Record
    events: tuple[E, ...]
    state: S


class WaitingCommand(Struct, Generic[S, B, E]):
    """A command that waits for its answer."""

    body: B
    envelope: Envelope
    answer: "asyncio.Future[Accepted[E] | Refused]"
    is_due: Callable[[S | None], bool] | None = None

    def give(self, answer: "Accepted[E] | Refused") -> None:
        """Answer, unless there is an answer or nobody waits any more."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Tell whoever waits what went wrong, unless they have an answer."""
        if not self.answer.done():
            self.answer.set_exception(error)


class BeforeRule(Struct, Generic[S, B], frozen=True):
    """Refuses some types of commands by what other streams say, and any command while the stream is closed.

    That is no decision of the stream, since its journal alone could not repeat it, and is not recorded.
    """

    about: tuple[type, ...]
    refuse: Callable[[S | None, B], Awaitable[Refused | None]]


class DecidedBatch(Struct, Generic[S, B, E]):
    """Records that are ready to be appended, and what the stream will be after them.

    The commands that come ``later`` cannot be judged before those before them are durable.
    """

    state: S | None
    head: Head
    tree: Frontier
    ids: set[str] = field(default_factory=set)
    steps: list[tuple[Record, WaitingCommand[S, B, E], Decided[S, B, E]]] = field(default_factory=list)
    later: list[WaitingCommand[S, B, E]] = field(default_factory=list)
    fresh: bool = False

    def add(self, record: Record, waiting: WaitingCommand[S, B, E], decided: Decided[S, B, E]) -> None:
        """Take a record in; the next command is decided upon the state after it."""
        self.state, self.head = decided.state, Head(record.sequence, record.digest)
        self.tree = self.tree.grown(leaf(record.digest))
        self.ids.add(record.command_id)
        self.steps.append((record, waiting, decided))


class _Appending(Struct, Generic[S, B, E]):
    """Records on their way to the disk."""

    made: DecidedBatch[S, B, E]
    append: "asyncio.Future[Appended | Conflict | KnownCommand]"


class Ahead(deque[_Appending[S, B, E]], Generic[S, B, E]):
    """The appends of one stream that are under way, in their order: each follows the one before it.

    ``ids`` are those of their commands.
    """

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self._wake: asyncio.Future[None] | None = None

    @property
    def last(self) -> DecidedBatch[S, B, E] | None:
        """The stream as it will be when everything is durable; nothing where nothing is under way."""
        return self[-1].made if self else None

    def begin(
        self, made: DecidedBatch[S, B, E], append: Awaitable[Appended | Conflict | KnownCommand]
    ) -> None:
        """Begin to append records after all others."""
        self.ids |= made.ids
        under_way = asyncio.ensure_future(append)
        under_way.add_done_callback(self.go_on)
        self.append(_Appending(made, under_way))

    async def first(self) -> Appended | Conflict | KnownCommand | None:
        """Wait until the first append has ended, or until somebody has it ``go_on``.

        Tells how it has ended, if it has; raises what the store raised.
        """
        append = self[0].append
        if not append.done():
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        return append.result() if append.done() else None

    def go_on(self, _: object = None) -> None:
        """Wait no more for the first append."""
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def done(self) -> DecidedBatch[S, B, E]:
        """Let go of the first append, which is durable."""
        made = self.popleft().made
        self.ids -= made.ids
        return made

    @property
    def durable(self) -> Appended | None:
        """The records of the first append, if it has ended well."""
        append = self[0].append if self else None
        if append is None or not append.done() or append.cancelled() or append.exception() is not None:
            return None
        answer = append.result()
        return answer if isinstance(answer, Appended) else None

    async def ended(self) -> None:
        """Wait until no append is under way, however each of them ends."""
        await asyncio.gather(*(each.append for each in self), return_exceptions=True)

    def take_back(self) -> list[WaitingCommand[S, B, E]]:
        """Let go of every append; the commands that have no answer."""
        waiting = [waiting for each in self for _, waiting, _ in each.made.steps]
        self.clear()
        self.ids.clear()
        return [each for each in waiting if not each.answer.done()]
