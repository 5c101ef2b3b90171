"""The floor as a stream: people, sessions, terminals and definitions of tables."""

import msgspec

from thirdcard.floor.apply import apply_all
from thirdcard.floor.commands import Body, Command
from thirdcard.floor.decide import decide
from thirdcard.floor.events import Event
from thirdcard.floor.state import Floor
from thirdcard.game.commands import Envelope
from thirdcard.journal.codec import decode_state, encode, encode_state
from thirdcard.journal.floor_codec import FloorDeed, floor_deed_of
from thirdcard.journal.record import Record
from thirdcard.refusals import Refused
from thirdcard.rulebook.shelf import HOUSES, shelf_house

FLOOR = "floor"
_floors = msgspec.json.Decoder(Floor)


class FloorMachine:
    """Decides and folds what is asked of the floor."""

    rules = ("", "")

    def __init__(self) -> None:
        self._houses = tuple(shelf_house(house) for house in HOUSES)

    async def prepare(self, state: Floor | None, body: Body) -> None:
        """Nothing has to be fetched."""

    async def take_up(self, state: Floor | None, record: Record, events: tuple[Event, ...]) -> None:
        """The floor is under no rulebook."""

    def complete(self, state: Floor | None, body: Body) -> Body:  # noqa: ARG002
        """A command as it is: nothing is put into one."""
        return body

    def is_same(self, sent: Body, recorded: Body) -> bool:
        """Whether a command that is sent again is the one that was recorded."""
        return sent == recorded

    def decide(self, state: Floor | None, body: Body, envelope: Envelope) -> tuple[Event, ...] | Refused:
        """What follows from a command."""
        return decide(self._houses, state or Floor(), Command(body, envelope))

    def fold(self, state: Floor | None, record: Record, events: tuple[Event, ...]) -> Floor:  # noqa: ARG002
        """The floor after events."""
        return apply_all(state or Floor(), events)

    def kind(self, body: Body) -> str:
        """The stable name of a command."""
        return str(body.__struct_config__.tag)

    def write(self, body: Body, result: tuple[Event, ...] | Refused) -> bytes:
        """A command and what came of it, canonically."""
        deed = FloorDeed(body, (), result) if isinstance(result, Refused) else FloorDeed(body, result)
        return encode(deed)

    def read(self, record: Record) -> FloorDeed:
        """What a record holds."""
        return floor_deed_of(record)

    def write_state(self, state: Floor) -> bytes:
        """Return the bytes of a floor for a snapshot."""
        return encode_state(state)

    def read_state(self, content: bytes) -> Floor | None:
        """Return the floor in a snapshot; nothing where another build made it."""
        return decode_state(content, _floors)

    def keeps_refusals_of(self, state: Floor | None, actor: str) -> bool:
        """What is refused to a person is recorded; what is refused to a stranger is not."""
        return state is not None and state.person(actor) is not None

    def occasion(self, events: tuple[Event, ...]) -> str | None:  # noqa: ARG002
        """Nothing ends on a floor; it is signed in time."""
        return None

    def holding(self, state: Floor | None, reason: str) -> tuple[Body, str] | None:  # noqa: ARG002
        """A floor is never held; its tables are."""
        return None
