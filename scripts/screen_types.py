"""Writes the TypeScript types of the screens from the forms that the server itself reads and writes.

`python scripts/screen_types.py` renews screens/src/api/types.ts; a test sees that it is up to date.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec

from thirdcard.floor.commands import FloorBody
from thirdcard.game.commands import Body as TableBody
from thirdcard.server.routes import ROUTES
from thirdcard.views.moments.kinds import Moment
from thirdcard.wire import frames
from thirdcard.wire.refusals import RefusedMessage

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "screens" / "src" / "api" / "types.ts"
HEAD = """\
// Made by scripts/screen_types.py from the forms of the server; change those, and run it again.
// Times are microseconds since 1970, amounts whole minor units of the table's currency.
"""
TAIL = """
/** The sections of a view by name; in news only those that changed, and null for one that is gone. */
export type Sections = { [Name in keyof View]?: View[Name] | null };

/** Everything that a socket may be sent. */
export type Incoming = Watch | Unwatch | WatchLobby | SendCommand | Ping;

/** Everything that comes from a socket. */
export type Outgoing = Hello | Pong | Ended | AcceptedAnswer | RefusedMessage | Frame | LobbyFrame;

/** The news of a table: everything, or what is new. */
export type Frame = ViewFrame | NewsFrame;
"""
SENT = (frames.Watch, frames.Unwatch, frames.WatchLobby, frames.SendCommand, frames.Ping)
RECEIVED = (
    frames.Hello,
    frames.Pong,
    frames.Ended,
    RefusedMessage,
    frames.ViewFrame,
    frames.NewsFrame,
    frames.LobbyFrame,
)
# sections are raw JSON in the frames, encoded once for all viewers
BY_HAND = {("ViewFrame", "sections"): "Sections", ("NewsFrame", "sections"): "Sections"}
# unions that screens know by a name
UNIONS = {
    "TableCommand": (TableBody, "A command to a table."),
    "FloorCommand": (FloorBody, "A command to the floor."),
    "Moment": (Moment, "Something that happened at a table, told apart by its kind."),
}
NAMES = {frozenset(each.__name__ for each in get_args(union)): name for name, (union, _) in UNIONS.items()}
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
Schema = dict[str, Any]


def types() -> str:
    """The whole file."""
    forms = [route.described.form for route in ROUTES if route.described.form is not None]
    answers = [each for route in ROUTES for each in route.described.answers.values() if each is not None]
    sent, received = [*forms, *SENT], [*answers, *RECEIVED]
    wanted = list(dict.fromkeys([*sent, *received]))
    schemas, components = msgspec.json.schema_components(wanted, ref_template="{name}")
    of_type = dict(zip(wanted, schemas, strict=True))
    into_server = _reached([of_type[each] for each in sent], components)
    short = _short_ones(received)
    told = [
        _component(name, schema, optional=name in into_server or name in short)
        for name, schema in components.items()
    ]
    unions = [
        f"/** {says} */\nexport type {name} = {' | '.join(each.__name__ for each in get_args(union))};\n"
        for name, (union, says) in UNIONS.items()
    ]
    return "\n".join((HEAD, *told, *unions)) + TAIL


def _reached(schemas: list[Schema], components: dict[str, Schema]) -> set[str]:
    """The names of all components that can be part of something."""
    found: set[str] = set()
    waiting = [name for schema in schemas for name in _refs(schema)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _refs(components[name])
    return found


def _refs(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"]
        for name, each in schema.items():
            if name not in ("discriminator", "default"):
                yield from _refs(each)
    if isinstance(schema, list):
        for each in schema:
            yield from _refs(each)


def _short_ones(answers: list[Any]) -> set[str]:
    """The names of structs that leave out what has its usual value; all others write every field."""
    found: set[str] = set()
    seen: set[Any] = set()
    waiting: list[Any] = list(answers)
    while waiting:
        kind = waiting.pop()
        if kind in seen:
            continue
        seen.add(kind)
        if inspect.isclass(kind) and issubclass(kind, msgspec.Struct):
            if kind.__struct_config__.omit_defaults:
                found.add(kind.__name__)
            waiting += [field.type for field in msgspec.structs.fields(kind)]
        waiting += [each for each in getattr(kind, "__args__", ()) if not isinstance(each, str | int)]
    return found


def _component(name: str, schema: Schema, *, optional: bool) -> str:
    says = " ".join(schema.get("description", "").split())
    lines = [f"/** {says} */"] if says else []
    if schema.get("type") != "object" or "properties" not in schema:
        return "\n".join((*lines, f"export type {_name(name)} = {_type(schema)};\n"))
    lines.append(f"export interface {_name(name)} {{")
    required = set(schema.get("required", ()))
    for field, form in schema["properties"].items():
        mark = "?" if optional and field not in required else ""
        lines.append(f"  {field}{mark}: {BY_HAND.get((name, field)) or _type(form)};")
    return "\n".join((*lines, "}\n"))


def _name(name: str) -> str:
    """The name of a component; of two with the same name each has the name of its module before it."""
    *modules, own = name.split(".")
    module = modules[-1].replace("_", " ").title().replace(" ", "") if modules else ""
    return module + own.replace("_", "")


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"])
    if "enum" in schema:
        return " | ".join(_literal(each) for each in schema["enum"])
    if "anyOf" in schema:
        members = frozenset(each.get("$ref", "").rpartition(".")[2] for each in schema["anyOf"])
        if members in NAMES:
            return NAMES[members]
        return " | ".join(_type(each) for each in schema["anyOf"])
    if schema.get("type") == "array":
        return _array(schema)
    if schema.get("type") == "object":
        return f"Record<string, {_type(schema.get('additionalProperties') or {})}>"
    return PLAIN.get(schema.get("type", ""), "unknown")


def _literal(value: str | int) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(each) for each in schema['prefixItems'])}]"
    item = _type(schema["items"])
    return f"({item})[]" if " " in item else f"{item}[]"


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(types(), "utf-8")
    sys.exit(0)
