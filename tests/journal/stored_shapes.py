"""Everything that is stored, described in lines: names, tags, fields, types and defaults.

Whatever decides which bytes are written or understood stands in a line; the order of fields, of members of
unions and of values of enumerations does not, and is left out.
"""

import difflib
import hashlib
import typing
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import inspect

from thirdcard.auditor.exported import KeyLine
from thirdcard.devices import virtual_shoe
from thirdcard.floor.state import Floor
from thirdcard.folds.snapshot import TableSnapshot
from thirdcard.game.commands import Envelope
from thirdcard.journal.archive.volume import VolumeManifest
from thirdcard.journal.checkpoints import CheckpointLine, checkpoint_statement
from thirdcard.journal.codec import FloorResult, HouseList, TableResult, encode
from thirdcard.journal.forms.steps import FORM
from thirdcard.journal.keys import KeyFile
from thirdcard.journal.postgres import schema as postgres_schema
from thirdcard.journal.record import Draft, Head, Record, place
from thirdcard.journal.sealed_shoe import ShoeFile
from thirdcard.journal.sqlite import schema as sqlite_schema
from thirdcard.journal.store import Checkpoint, Snapshot
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import HouseForm
from thirdcard.wire.receipts import Receipt

LIMITS = ("gt", "ge", "lt", "le", "multiple_of", "pattern", "min_length", "max_length")
HOW = 'CONTRIBUTING.md, "How to change what is stored", says how.'
RAISE_FORM = f"Add a step to RECORD_STEPS in journal/forms/steps.py. {HOW}"
RAISE_NUMBER = f"Raise its own number and add a step for it. {HOW}"
RUN_SCRIPT = f"Run scripts/write_journal.py. {HOW}"
FEW = 16  # values in one line
SAMPLE = Draft(
    stream="table",
    kind="kind",
    version=FORM,
    command_id="id",
    envelope=b"envelope",
    body=b"body",
    wall_time=1,
    monotonic=2,
    run="run",
    rulebook="rulebook",
    house="house",
    software="software",
)
SIGNED = Checkpoint(
    stream="table",
    sequence=1,
    digest=bytes(32),
    root=bytes(32),
    wall_time=1,
    reason="stop",
    key_id="key",
    signature=b"",
)


def described() -> dict[str, list[str]]:
    """Every stored shape by its name and number, each in sorted lines."""
    return {
        f"record, form {FORM}": [*lines_of(Record), f"digest of a sample {_digest()}"],
        f"envelope, form {FORM}": lines_of(Envelope),
        f"body of a table, form {FORM}": lines_of(TableResult),
        f"body of the floor, form {FORM}": lines_of(FloorResult),
        f"snapshot, form {FORM}": lines_of(Snapshot),
        f"state of a table, form {FORM}": lines_of(TableSnapshot),
        f"state of the floor, form {FORM}": lines_of(Floor),
        f"rulebook, format {_number(Document, 'format')}": lines_of(Document),
        f"house, format {_number(HouseForm, 'format')}": lines_of(HouseForm),
        f"houses of the floor, form {FORM}": lines_of(HouseList),
        f"receipt {_number(Receipt, 'receipt')}": lines_of(Receipt),
        f"checkpoint {_checkpoint()['checkpoint']}": [
            *lines_of(Checkpoint),
            *(f"statement {name}" for name in sorted(_checkpoint())),
        ],
        f"exported checkpoint {_checkpoint()['checkpoint']}": [
            *lines_of(CheckpointLine),
            *lines_of(KeyLine),
        ],
        f"volume {_number(VolumeManifest, 'volume')}": lines_of(VolumeManifest),
        f"sealed order, {virtual_shoe.FORMAT}": [f"{code} {each}" for each, code in _codes()],
        f"shoe file, format {_number(ShoeFile, 'format')}": lines_of(ShoeFile),
        f"key file, format {_number(KeyFile, 'format')}": lines_of(KeyFile),
        **_tables("SQLite", sqlite_schema.SQLITE_MIGRATIONS),
        **_tables("PostgreSQL", postgres_schema.POSTGRES_MIGRATIONS),
    }


def text_of(shapes: dict[str, list[str]]) -> str:
    """The description as the text of a file."""
    return "\n".join(f"[{name}]\n" + "".join(f"{line}\n" for line in lines) for name, lines in shapes.items())


def digests_of(shapes: dict[str, list[str]]) -> dict[str, str]:
    """The digest of each shape by its name and number."""
    return {name: hashlib.sha256("\n".join(lines).encode()).hexdigest() for name, lines in shapes.items()}


def complaints(
    shapes: dict[str, list[str]], kept: str, digests: dict[str, dict[str, str]], journals: set[int]
) -> list[str]:
    """The steps to be done before these shapes may be stored; none where they are those of this form.

    ``kept`` is the description that is checked in, ``digests`` those of all forms so far, and ``journals``
    has the forms of which a journal is kept.
    """
    if digests.get(str(FORM)) == digests_of(shapes):
        return [] if FORM in journals else [f"No journal of form {FORM} is kept. {RUN_SCRIPT}"]
    if str(FORM) in digests:
        differences = difflib.unified_diff(kept.splitlines(), text_of(shapes).splitlines(), lineterm="", n=0)
        return [f"Stored shapes changed, and the form is still {FORM}. {RAISE_FORM}", *differences]
    return [f"Form {FORM} is not written down yet. {RUN_SCRIPT}", *same_number(shapes, digests)]


def same_number(shapes: dict[str, list[str]], digests: dict[str, dict[str, str]]) -> list[str]:
    """The shapes that changed although their own number did not."""
    now = digests_of(shapes)
    return [
        f"[{name}] is not what it was in form {form}. {RAISE_NUMBER}"
        for form, before in digests.items()
        for name in sorted(now.keys() & before.keys())
        if now[name] != before[name]
    ]


def _digest() -> str:
    """The digest of one record, which shows any change of the frame."""
    return place(SAMPLE, Head(1, bytes(32))).digest.hex()


def _checkpoint() -> dict[str, object]:
    statement: dict[str, object] = msgspec.json.decode(checkpoint_statement(SIGNED))
    return statement


def _codes() -> list[tuple[str, int]]:
    return sorted((card.text, code) for card, code in virtual_shoe.CODES.items())


def _tables(store: str, scripts: tuple[str, ...]) -> dict[str, list[str]]:
    """Every step of a database's tables; one that was taken somewhere is never altered."""
    digests = [hashlib.sha256(script.encode()).hexdigest() for script in scripts]
    return {f"{store} tables, step {number}": [each] for number, each in enumerate(digests, start=1)}


def _number(shape: type[msgspec.Struct], field: str) -> int:
    """The number that a shape carries in one of its fields: the newest of the permitted ones."""
    return int(max(typing.get_args(typing.get_type_hints(shape)[field])))


def lines_of(shape: type) -> list[str]:
    """The lines of a type, sorted."""
    return sorted(set(_parts("", inspect.type_info(shape))))


def _parts(path: str, info: inspect.Type) -> Iterator[str]:
    """The lines of a value at a path; classes have no name in what is stored, and none here."""
    match info:
        case inspect.StructType():
            at = f"{path}<{info.tag}>" if info.tag is not None else path
            yield from _struct(at, info)
        case inspect.UnionType():
            for each in info.types:
                yield from _parts(path, each)
        case inspect.EnumType():
            yield from _choice(path, (each.value for each in info.cls))
        case inspect.LiteralType():
            yield from _choice(path, info.values)
        case inspect.VarTupleType() | inspect.ListType():
            yield f"{path} may be a list{_limits(info)}"
            yield from _parts(f"{path}[]", info.item_type)
        case inspect.TupleType():
            for place, each in enumerate(info.item_types):
                yield from _parts(f"{path}[{place}]", each)
        case inspect.DictType():
            yield f"{path} may be an object by {_kind(info.key_type)}{_limits(info)}"
            yield from _parts(f"{path}{{}}", info.value_type)
        case inspect.Metadata():
            yield from _parts(path, info.type)
        case _:
            yield f"{path} may be {_kind(info)}"


def _choice(path: str, values: Iterable[object]) -> Iterator[str]:
    """The values that something may have: in one line, or in many where they are many."""
    shown = sorted(map(repr, values))
    groups = [", ".join(shown)] if len(shown) <= FEW else shown
    yield from (f"{path} may be {group}" for group in groups)


def _struct(path: str, info: inspect.StructType) -> Iterator[str]:
    if info.tag is not None:
        yield f"{path} says so in {info.tag_field}"
    if info.forbid_unknown_fields:
        yield f"{path} has nothing else"
    if (typing.get_origin(info.cls) or info.cls).__struct_config__.omit_defaults:
        yield f"{path} leaves defaults out"
    for field in info.fields:
        at = f"{path}.{field.encode_name}"
        if not field.required:
            yield f"{at} defaults to {_default(field)}"
        yield from _parts(at, field.type)


def _default(field: inspect.Field) -> str:
    made = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    return encode(made).decode()


def _kind(info: inspect.Type) -> str:
    """A plain type in a word, with its limits."""
    return type(info).__name__.removesuffix("Type").lower() + _limits(info)


def _limits(info: inspect.Type) -> str:
    given = [(name, getattr(info, name, None)) for name in LIMITS]
    return "".join(f", {name} {value!r}" for name, value in given if value is not None)
