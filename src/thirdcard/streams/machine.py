"""What a stream is about: how its commands are decided, its events folded, and both written down."""

from typing import Protocol, TypeVar

from thirdcard.game.commands import Envelope
from thirdcard.journal.record import Record
from thirdcard.refusals import Refused

S = TypeVar("S")
B = TypeVar("B")
E = TypeVar("E")
B_co = TypeVar("B_co", covariant=True)
E_co = TypeVar("E_co", covariant=True)


class Done(Protocol[B_co, E_co]):
    """What a record holds, whatever its stream is about."""

    @property
    def command(self) -> B_co:
        """What was asked."""

    @property
    def events(self) -> tuple[E_co, ...]:
        """What came of it."""

    @property
    def refused(self) -> Refused | None:
        """Why nothing came of it."""


class Machine(Protocol[S, B, E]):
    """Decides and folds the commands of one stream."""

    @property
    def rules(self) -> tuple[str, str]:
        """The digests of the rulebook and the house by which the last command was decided, or empty."""

    async def prepare(self, state: S | None, body: B) -> None:
        """Fetch what deciding a command needs."""

    async def take_up(self, state: S | None, record: Record, events: tuple[E, ...]) -> None:
        """Take up the rules by which a record was decided, before it is folded."""

    def complete(self, state: S | None, body: B) -> B:
        """A command with what only the stream itself can put into it; it is decided and recorded so."""

    def is_same(self, sent: B, recorded: B) -> bool:
        """Whether a command that is sent again is the one that was recorded."""

    def decide(self, state: S | None, body: B, envelope: Envelope) -> tuple[E, ...] | Refused:
        """What follows from a command."""

    def fold(self, state: S | None, record: Record, events: tuple[E, ...]) -> S | None:
        """The state after the events of a record."""

    def kind(self, body: B) -> str:
        """The stable name of a command."""

    def write(self, body: B, result: tuple[E, ...] | Refused) -> bytes:
        """A command and what came of it, canonically."""

    def read(self, record: Record) -> Done[B, E]:
        """What a record holds."""

    def write_state(self, state: S) -> bytes:
        """Return the bytes of a state for a snapshot."""

    def read_state(self, content: bytes) -> S | None:
        """Return the state in a snapshot; nothing where another build made it."""

    def keeps_refusals_of(self, state: S | None, actor: str) -> bool:
        """Whether what is refused to somebody is recorded too."""

    def occasion(self, events: tuple[E, ...]) -> str | None:
        """Why a checkpoint is due after events, or nothing."""

    def holding(self, state: S | None, reason: str) -> tuple[B, str] | None:
        """The command that makes an open stream wait for a person, and its actor; or nothing."""
