"""Canonical bytes of what happens at a table, and back: sorted JSON, whole numbers, stable names."""

import hashlib
from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from thirdcard.floor import commands as floor_commands
from thirdcard.floor import events as floor_events
from thirdcard.game.commands import Body, Envelope
from thirdcard.game.events import Event
from thirdcard.journal.forms.steps import (
    FORM,
    UnknownForm,
    Upcaster,
    upcast_envelope,
    upcast_floor_body,
    upcast_house,
    upcast_rulebook,
    upcast_table_body,
)
from thirdcard.journal.record import Record
from thirdcard.journal.software import ENGINE, SOFTWARE, build_of
from thirdcard.journal.store import StoreFailed
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook, rulebooks
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House, HouseForm
from thirdcard.rulebook.read import house_of

T = TypeVar("T")
B = TypeVar("B", bound=Struct)
E = TypeVar("E", bound=Struct)


class CommandResult(Struct, Generic[B, E], frozen=True, omit_defaults=True):
    """The body of a record: a command, and its events or why it was refused."""

    command: B
    events: tuple[E, ...] = ()
    refused: Refused | None = None


class Newest(Struct, frozen=True):
    """The body and the envelope of a record in the newest form: its own bytes where it has that form."""

    body: bytes
    envelope: bytes


HouseList = tuple[str, ...]  # the digests of the houses that decide on a floor
TableResult = CommandResult[Body, Event]
FloorResult = CommandResult[floor_commands.FloorBody, floor_events.FloorEvent]


class Unreadable(StoreFailed):
    """A record cannot be read; the sentence says which one and why."""


class FromNewerBuild(Unreadable):
    """A record or a content was written by a newer build; the sentence says which build reads it."""


_encoder = msgspec.json.Encoder(order="sorted")
encode: Callable[[object], bytes] = _encoder.encode  # the canonical bytes of a value
_table_results = msgspec.json.Decoder(TableResult)
_floor_results = msgspec.json.Decoder(FloorResult)
_envelopes = msgspec.json.Decoder(Envelope)
_documents = msgspec.json.Decoder(Document)
_houses = msgspec.json.Decoder(HouseForm)
_house_lists = msgspec.json.Decoder(HouseList)
_STATE_OF_THIS_BUILD = b'{"software":"%s","state":' % SOFTWARE.encode()


def digest_of_content(content: bytes) -> str:
    """The name under which a content is kept."""
    return hashlib.sha256(content).hexdigest()


def kind_of(body: Struct) -> str:
    """Return the stable name of a command or an event."""
    return str(body.__struct_config__.tag)


def table_result_of(record: Record) -> TableResult:
    """Return the command result in a record of a table, brought up to date where an older form holds it."""
    return _decode(record, record.body, upcast_table_body, _table_results)


def floor_result_of(record: Record) -> FloorResult:
    """Return the command result in a record of the floor, brought up to date where an older form holds it."""
    return _decode(record, record.body, upcast_floor_body, _floor_results)


def envelope_of(record: Record) -> Envelope:
    """Return the envelope of a record, brought up to date where an older form holds it."""
    return _decode(record, record.envelope, upcast_envelope, _envelopes)


def read_table_record(record: Record) -> tuple[Newest, TableResult, Envelope]:
    """Return the bytes of a record of a table, brought up to date, with what they say."""
    return _read(record, upcast_table_body, _table_results)


def read_floor_record(record: Record) -> tuple[Newest, FloorResult, Envelope]:
    """Return the bytes of a record of the floor, brought up to date, with what they say."""
    return _read(record, upcast_floor_body, _floor_results)


def _read(record: Record, upcast: Upcaster, decoder: "msgspec.json.Decoder[T]") -> tuple[Newest, T, Envelope]:
    try:
        newest = Newest(upcast(record.body, record.version), upcast_envelope(record.envelope, record.version))
        return newest, decoder.decode(newest.body), _envelopes.decode(newest.envelope)
    except Exception as error:  # a forged record may hold anything
        raise _unreadable(record, error) from error


def _decode(record: Record, content: bytes, upcast: Upcaster, decoder: "msgspec.json.Decoder[T]") -> T:
    try:
        return decoder.decode(upcast(content, record.version))
    except Exception as error:  # a forged record may hold anything
        raise _unreadable(record, error) from error


def require_known_form(record: Record) -> None:
    """Refuse a record of a form that is newer than this build."""
    if record.version > FORM:
        raise _unreadable(record, UnknownForm(record.version, FORM))


def _unreadable(record: Record, error: Exception) -> Unreadable:
    """Say which record cannot be read and why, and which build reads it where a newer one wrote it."""
    where = f"{record.stream}, record {record.sequence}"
    build = build_of(record.software)
    if record.version > FORM or build.engine > ENGINE:
        what = f"it has form {record.version}" if record.version > FORM else f"it holds more ({error})"
        return FromNewerBuild(
            f"{where}: {what} and was written by thirdcard {record.software}; this is thirdcard {SOFTWARE},"
            f" which reads forms up to {FORM}. Use thirdcard {record.software} or later"
        )
    return Unreadable(f"{where} cannot be read: {error}")


def encode_state(state: object) -> bytes:
    """Canonical bytes of the state of a stream for a snapshot, under the name of this build."""
    return _STATE_OF_THIS_BUILD + _encoder.encode(state) + b"}"


def decode_state(content: bytes, decoder: "msgspec.json.Decoder[T]") -> T | None:
    """Return the state in a snapshot; nothing where another build made it, which may fold otherwise."""
    if not is_of_this_build(content):
        return None
    return decoder.decode(content[len(_STATE_OF_THIS_BUILD) : -1])


def is_of_this_build(state: bytes) -> bool:
    """Whether a snapshot was made by a build that folds as this one does."""
    return state.startswith(_STATE_OF_THIS_BUILD)


def content_of_rulebook(rulebook: Rulebook) -> bytes:
    """The document of a rulebook, canonically; its digest is the rulebook's."""
    return content_of_document(rulebook.document)


def content_of_document(document: Document) -> bytes:
    """A document, canonically."""
    return encode(document)


def content_of_house(house: House) -> bytes:
    """The form of a house, canonically."""
    return encode(house.form)


def content_of_house_list(digests: HouseList) -> bytes:
    """The list of the houses that decide on a floor, by the digests of their contents, canonically."""
    return encode(digests)


def house_list_from(content: bytes) -> HouseList:
    """Return the digests of the houses in a stored list."""
    return _house_lists.decode(content)


def document_from(content: bytes) -> Document:
    """Return the document as it was when it was stored, brought up to date."""
    try:
        return _documents.decode(upcast_rulebook.bring(content))
    except UnknownForm as error:
        raise _newer_format("rulebook", content, error) from error


def rulebook_from(content: bytes, game: str) -> Rulebook:
    """The rulebook of a game as it was when its document was stored."""
    return next(book for book in rulebooks(document_from(content)) if book.id == game)


def house_from(content: bytes) -> House:
    """The house as it was when its form was stored, brought up to date."""
    try:
        return house_of(_houses.decode(upcast_house.bring(content)))
    except UnknownForm as error:
        raise _newer_format("house", content, error) from error


def _newer_format(what: str, content: bytes, error: UnknownForm) -> Unreadable:
    name = digest_of_content(content)
    sentence = f"the {what} {name} has format {error.form}; this is thirdcard {SOFTWARE}, which reads up to"
    return FromNewerBuild(f"{sentence} {error.newest}. Use the build that stored it, or a later one")
