"""Canonical bytes of what happens at a table, and back: sorted JSON, whole numbers, stable names."""

import hashlib

import msgspec
from msgspec import Struct

from thirdcard.game.commands import Body, Envelope
from thirdcard.game.events import Event
from thirdcard.journal.upcast import VERSION, upcast
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook, rulebooks
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House, HouseForm
from thirdcard.rulebook.read import house_of


class Deed(Struct, frozen=True, omit_defaults=True):
    """What a record holds: the command, and its events or why it was refused."""

    command: Body
    events: tuple[Event, ...] = ()
    refused: Refused | None = None


_encoder = msgspec.json.Encoder(order="sorted")
_deeds = msgspec.json.Decoder(Deed)
_envelopes = msgspec.json.Decoder(Envelope)


def encode(value: object) -> bytes:
    """Canonical bytes of a value."""
    return _encoder.encode(value)


def digest_of_content(content: bytes) -> str:
    """The name under which a content is kept."""
    return hashlib.sha256(content).hexdigest()


def kind_of(body: Body) -> str:
    """The stable name of a command."""
    return str(body.__struct_config__.tag)


def decode_deed(body: bytes, version: int) -> Deed:
    """The deed in a record's body, brought up to date where an older version wrote it."""
    if version == VERSION:
        return _deeds.decode(body)
    return msgspec.convert(upcast(msgspec.json.decode(body), version), Deed)


def decode_envelope(envelope: bytes) -> Envelope:
    """The envelope of a record."""
    return _envelopes.decode(envelope)


def content_of_rulebook(rulebook: Rulebook) -> bytes:
    """The document of a rulebook, canonically; its digest is the rulebook's."""
    return encode(rulebook.document)


def content_of_house(house: House) -> bytes:
    """The form of a house, canonically."""
    return encode(house.form)


def rulebook_from(content: bytes, game: str) -> Rulebook:
    """The rulebook of a game as it was when its document was stored."""
    document = msgspec.json.decode(content, type=Document)
    return next(book for book in rulebooks(document) if book.id == game)


def house_from(content: bytes) -> House:
    """The house as it was when its form was stored."""
    return house_of(msgspec.json.decode(content, type=HouseForm))
