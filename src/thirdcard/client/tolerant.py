"""Reading the answers of a server that may be newer than this client.

A field that is not known here is ignored. A value of a kind that is not known is left out: where it may be
absent or null it is, and else the item of a list that has it is left out. A moment of an unknown kind is told
with its kind and its fields, a refusal with its code and its sentence. Only where something cannot be left
out the answer is not understood.
"""

import functools
import logging
from collections.abc import Hashable
from typing import Any, TypeVar, cast, get_args

import msgspec
from msgspec import Struct, inspect

from thirdcard.client.errors import NotUnderstood, WasRefused
from thirdcard.views.moments.kinds import Moment
from thirdcard.views.moments.moment import AnyMoment
from thirdcard.wire.answers import AcceptedAnswer, MomentAt
from thirdcard.wire.frames import Ended, Hello, LobbyFrame, NewsFrame, Pong, ViewFrame

T = TypeVar("T")
LISTS = inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType
PLAIN: dict[type[inspect.Type], tuple[type, ...]] = {
    inspect.StrType: (str,),
    inspect.BoolType: (bool,),
    inspect.IntType: (int,),
    inspect.FloatType: (int, float),
    inspect.NoneType: (type(None),),
}
log = logging.getLogger("thirdcard.client")


class UnknownMoment(AnyMoment, frozen=True, kw_only=True, tag="unknown"):
    """A moment of a kind that this client does not know: the kind, and the fields as they came."""

    told_kind: str
    fields: dict[str, Any]

    @property
    def kind(self) -> str:
        """The kind, which is the name of the event."""
        return self.told_kind


class RefusalRead(Struct, frozen=True, kw_only=True, tag_field="type", tag="refused"):
    """A refusal as far as a client needs it; its reason may be one that is not known here."""

    reason: str
    message: str = ""
    clauses: tuple[str, ...] = ()
    command_id: str | None = None
    table: str | None = None

    def error(self, status: int | None = None) -> WasRefused:
        """The refusal as it is raised."""
        return WasRefused(self.reason, self.message or self.reason, self.clauses, status)


class Unfit(Exception):
    """A value has no place in a type of this client."""


Heard = Hello | ViewFrame | NewsFrame | LobbyFrame | AcceptedAnswer | RefusalRead | Pong | Ended
NEVER_LEFT_OUT = (ViewFrame, NewsFrame, AcceptedAnswer, RefusalRead, Ended)
_KINDS: dict[str, Any] = {str(each.__struct_config__.tag): each for each in get_args(Heard)}
_heard: msgspec.json.Decoder[Heard] = msgspec.json.Decoder(Heard)


class _Kind(Struct):
    """The kind of a message."""

    type: str


def read_frame(text: str | bytes) -> Heard | None:
    """Return a message of a socket; nothing where its kind is not known, or where it can be done without."""
    try:
        return _heard.decode(text)
    except msgspec.ValidationError:
        kind = _KINDS.get(read(text, _Kind).type)
    except msgspec.DecodeError as error:
        raise NotUnderstood(f"a message is no JSON: {error}") from error
    try:
        found: Heard | None = None if kind is None else read(text, kind)
    except NotUnderstood as problem:
        if kind in NEVER_LEFT_OUT:
            raise
        log.info("left out: %s", problem)
        return None
    if kind is None:
        log.info("left out: a message of a kind that is not known here")
    return found


def read(content: bytes | str, kind: type[T]) -> T:
    """Return the answer that some JSON is."""
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError as error:
        return _read_plain(msgspec.json.decode(content), kind, error)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NotUnderstood(f"this is no JSON: {error}") from error


def _read_plain(plain: Any, kind: type[T], problem: Exception) -> T:
    """Return an answer without what is not known here; moments are kept, each as far as it is known."""
    told = plain.pop("moments", []) if isinstance(plain, dict) and "moments" in _fields(kind) else None
    if told is not None:
        plain["moments"] = []
    try:
        found = _decoded(_fitted(plain, _type_of(cast("Hashable", kind)), _name_of(kind)), kind)
    except (Unfit, msgspec.ValidationError) as error:
        raise NotUnderstood(f"{_name_of(kind)} is not understood: {problem}; {error}") from error
    if told is None:
        return found
    moments = [moment for each in told if (moment := read_moment(each)) is not None]
    return cast("T", msgspec.structs.replace(cast("Struct", found), moments=moments))


def read_moment(plain: Any) -> MomentAt | None:
    """Return a moment; one of an unknown kind as such, and nothing where it does not even say its place."""
    try:
        return _decoded(_fitted(plain, _type_of(MomentAt), "moment"), MomentAt)
    except (Unfit, msgspec.ValidationError):
        pass
    match plain:
        case {"sequence": int(sequence), "at": int(at), "what": {"kind": str(kind)}}:
            told = UnknownMoment(told_kind=kind, fields=plain["what"])
            return MomentAt(sequence=sequence, at=at, what=cast("Moment", told))
        case _:
            return None


def _name_of(kind: Any) -> str:
    return getattr(kind, "__name__", str(kind))


def _fields(kind: Any) -> tuple[str, ...]:
    return getattr(kind, "__struct_fields__", ())


def _decoded(fitted: Any, kind: type[T]) -> T:
    return msgspec.json.decode(msgspec.json.encode(fitted), type=kind)


@functools.cache
def _type_of(kind: Hashable) -> inspect.Type:
    return inspect.type_info(kind)


def _fitted(value: Any, kind: inspect.Type, where: str) -> Any:
    """Return as much of a value as has a place in a type."""
    match kind:
        case inspect.Metadata():
            return _fitted(value, kind.type, where)
        case inspect.StructType():
            return _fitted_struct(value, kind, where)
        case inspect.UnionType():
            return _fitted_union(value, kind, where)
        case inspect.EnumType():
            return _one_of(value, [each.value for each in kind.cls], where)
        case inspect.LiteralType():
            return _one_of(value, kind.values, where)
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return _fitted_items(value, kind, where)
        case inspect.TupleType():
            if not isinstance(value, list) or len(value) < len(kind.item_types):
                raise Unfit(f"{where} lacks items")
            pairs = enumerate(zip(value, kind.item_types, strict=False))
            return [_fitted(each, item, f"{where}[{place}]") for place, (each, item) in pairs]
        case inspect.DictType():
            return _fitted_dict(value, kind, where)
        case _:
            wanted = PLAIN.get(type(kind), (object,))
            if not isinstance(value, wanted) or (isinstance(value, bool) and int in wanted):
                raise Unfit(f"{where} is {value!r}")
            return value


def _one_of(value: Any, known: Any, where: str) -> Any:
    if value not in known:
        raise Unfit(f"{where} is {value!r}, which is not known here")
    return value


def _fitted_struct(value: Any, kind: inspect.StructType, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unfit(f"{where} is {value!r}")
    found: dict[str, Any] = {}
    if kind.tag_field is not None:
        found[kind.tag_field] = _one_of(value.get(kind.tag_field, kind.tag), (kind.tag,), where)
    for field in kind.fields:
        place = f"{where}.{field.encode_name}"
        try:
            found[field.encode_name] = _fitted_field(value, field, place)
        except Unfit as problem:
            if field.required and not _may_be_null(field.type):
                raise
            if field.encode_name in value:
                log.info("left out: %s", problem)
            if field.required:
                found[field.encode_name] = None
    return found


def _fitted_field(value: dict[str, Any], field: inspect.Field, place: str) -> Any:
    if field.encode_name not in value:
        raise Unfit(f"{place} is missing")
    return _fitted(value[field.encode_name], field.type, place)


def _may_be_null(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.UnionType) and kind.includes_none


def _fitted_union(value: Any, kind: inspect.UnionType, where: str) -> Any:
    problems: list[str] = []
    for each in kind.types:
        try:
            return _fitted(value, each, where)
        except Unfit as problem:
            problems.append(str(problem))
    raise Unfit(problems[0] if len(problems) == 1 else f"{where} is of a kind that is not known here")


def _fitted_items(value: Any, kind: LISTS, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Unfit(f"{where} is {value!r}")
    found: list[Any] = []
    for place, each in enumerate(value):
        try:
            found.append(_fitted(each, kind.item_type, f"{where}[{place}]"))
        except Unfit as problem:
            log.info("left out: %s", problem)
    return found


def _fitted_dict(value: Any, kind: inspect.DictType, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unfit(f"{where} is {value!r}")
    found: dict[str, Any] = {}
    for name, each in value.items():
        try:
            if isinstance(kind.key_type, inspect.EnumType):
                _one_of(name, [str(known.value) for known in kind.key_type.cls], where)
            found[name] = _fitted(each, kind.value_type, f"{where}.{name}")
        except Unfit as problem:
            log.info("left out: %s", problem)
    return found
