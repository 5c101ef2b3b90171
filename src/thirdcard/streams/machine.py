"""A machine: how the commands of one stream are decided, folded, and kept in snapshots."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from msgspec import Struct

from thirdcard.folds.record_place import Recorded
from thirdcard.game.commands import Envelope
from thirdcard.journal.codec import B, CommandResult, E
from thirdcard.journal.record import Record

S = TypeVar("S")


class Decided(Struct, Generic[S, B, E], frozen=True):
    """A decided command: the body of its record, the state after it, and what decided it.

    ``rules`` are the digests of the rulebook and the house, each empty where there is none; ``says`` is the
    sentence of the receipt, empty where nobody gets one.
    """

    result: CommandResult[B, E]
    state: S | None
    rules: tuple[str, str] = ("", "")
    says: str = ""


class Machine(ABC, Generic[S, B, E]):
    """Decides and folds the commands of one stream; it remembers nothing between two calls but a cache.

    ``checkpoint_events`` are the types of events after which a checkpoint is due.
    """

    checkpoint_events: frozenset[type] = frozenset()

    @abstractmethod
    async def decide(
        self, state: S | None, body: B, envelope: Envelope, recorded: Recorded
    ) -> Decided[S, B, E]:
        """Decide a command that will be recorded at a place and a time.

        The command in the result is the one that was decided: the stream may put into it what nobody else
        can, as a card from a sealed shoe.
        """

    @abstractmethod
    async def fold(self, state: S | None, record: Record, events: tuple[E, ...]) -> S | None:
        """Return the state after the events of a stored record."""

    @abstractmethod
    def read(self, record: Record) -> CommandResult[B, E]:
        """Return the command of a record and its result."""

    @abstractmethod
    def write_state(self, state: S) -> bytes:
        """Return the bytes of a state for a snapshot."""

    @abstractmethod
    async def read_state(self, content: bytes) -> S | None:
        """Return the state in a snapshot; nothing where another build made it."""

    @abstractmethod
    def keeps_refusals_of(self, state: S | None, actor: str) -> bool:
        """Return whether a command of this actor is recorded even if it is refused."""

    def is_same(self, sent: B, recorded: B) -> bool:
        """Return whether a command that is sent again is the one that was recorded."""
        return sent == recorded

    def checkpoint_reason(self, events: tuple[E, ...]) -> str:
        """Return why a checkpoint is due after events of which one is among its ``checkpoint_events``."""
        raise NotImplementedError

    def pause_command(self, state: S | None, reason: str) -> tuple[B, str] | None:  # noqa: ARG002
        """Return the command that pauses an open stream, and its actor; or nothing."""
        return None
