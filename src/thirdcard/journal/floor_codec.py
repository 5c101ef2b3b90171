"""Canonical bytes of what happens on the floor, and back."""

import msgspec
from msgspec import Struct

from thirdcard.floor.commands import Body
from thirdcard.floor.events import Event
from thirdcard.journal.codec import unreadable
from thirdcard.journal.forms.steps import upcast_floor_body
from thirdcard.journal.record import Record
from thirdcard.refusals import Refused


class FloorDeed(Struct, frozen=True, omit_defaults=True):
    """What a record of the floor holds: the command, and its events or why it was refused."""

    command: Body
    events: tuple[Event, ...] = ()
    refused: Refused | None = None


_deeds = msgspec.json.Decoder(FloorDeed)


def floor_deed_of(record: Record) -> FloorDeed:
    """Return the deed in a record of the floor, brought up to date where an older form holds it."""
    try:
        return _deeds.decode(upcast_floor_body(record.body, record.version))
    except Exception as error:  # a forged record may hold anything
        raise unreadable(record, error) from error
