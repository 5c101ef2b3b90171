"""Canonical bytes of what happens on the floor, and back."""

import msgspec
from msgspec import Struct

from thirdcard.floor.commands import Body
from thirdcard.floor.events import Event
from thirdcard.floor.state import Floor
from thirdcard.journal.upcast import VERSION, upcast
from thirdcard.refusals import Refused


class FloorDeed(Struct, frozen=True, omit_defaults=True):
    """What a record of the floor holds: the command, and its events or why it was refused."""

    command: Body
    events: tuple[Event, ...] = ()
    refused: Refused | None = None


_deeds = msgspec.json.Decoder(FloorDeed)
_floors = msgspec.json.Decoder(Floor)


def decode_floor_deed(body: bytes, version: int) -> FloorDeed:
    """The deed in a record's body, brought up to date where an older version wrote it."""
    if version == VERSION:
        return _deeds.decode(body)
    return msgspec.convert(upcast(msgspec.json.decode(body), version), FloorDeed)


def decode_floor(state: bytes) -> Floor:
    """A floor from a snapshot."""
    return _floors.decode(state)
