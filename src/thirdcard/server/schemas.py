"""The schemas of the wire types for descriptions: plain names, and only what somebody may send."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from thirdcard.access.permissions import DEVICE, MAY_SEND, MAY_SEND_TO_FLOOR, TABLE

REF = "#/components/schemas/{name}"
_PREFIX = REF.format(name="")
COMMAND_FORMS = ("TableCommandForm", "FloorCommandForm", "SendCommand", "DrillCommandForm")
NOBODY_SENDS = frozenset(
    {
        *(body.__name__ for body, senders in MAY_SEND.items() if not {*senders} - {TABLE, DEVICE}),
        *(body.__name__ for body, senders in MAY_SEND_TO_FLOOR.items() if not senders),
    }
)
Schema = dict[str, Any]


def schemas_of(types: Sequence[Any]) -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """Return the schema of each type, and the components that they refer to."""
    schemas, components = msgspec.json.schema_components(types, ref_template=REF)
    names = {name: plain_name(name) for name in components}
    assert len({*names.values()}) == len(names), "two components have one plain name"
    for name in COMMAND_FORMS:
        if name in components:
            _leave_out_unsent(components[name])
    renamed = {names[name]: _tidied(schema, names) for name, schema in components.items()}
    for name, schema in renamed.items():
        schema["title"] = name
    roots = [_tidied(schema, names) for schema in schemas]
    reached = _reached(roots, renamed)
    kept = {name: schema for name, schema in renamed.items() if name in reached}
    return dict(zip(types, roots, strict=True)), kept


def plain_name(name: str) -> str:
    """Return a name of letters and digits: of a path of modules its last two parts, without brackets."""
    parts = re.split(r"[^A-Za-z0-9.]+", name)
    short = [part for each in parts for part in each.split(".")[-2:]]
    return "".join(word[:1].upper() + word[1:] for part in short for word in part.split("_"))


def references(schema: Any) -> Iterator[str]:
    """Return the name of every component that a schema refers to."""
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for each in schema.values():
            yield from references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from references(each)


def _leave_out_unsent(form: Schema) -> None:
    """Take the commands that nobody may send out of a form."""
    command = form["properties"]["command"]
    unsent = {REF.format(name=name) for name in NOBODY_SENDS}
    command["anyOf"] = [each for each in command["anyOf"] if each["$ref"] not in unsent]
    mapping = command["discriminator"]["mapping"]
    command["discriminator"]["mapping"] = {tag: ref for tag, ref in mapping.items() if ref not in unsent}


def _tidied(schema: Any, names: dict[str, str]) -> Any:
    """Return a schema with plain names, without indented descriptions and without schemas that are false.

    A list of items that are each described, with a greatest length, needs no ``items: false``, which
    generators of clients refuse.
    """
    if isinstance(schema, list):
        return [_tidied(each, names) for each in schema]
    if isinstance(schema, str) and schema.startswith(_PREFIX):
        return REF.format(name=names[schema.removeprefix(_PREFIX)])
    if not isinstance(schema, dict):
        return schema
    found = {key: _tidied(each, names) for key, each in schema.items()}
    if len(found) == 1 and len(found.get("enum", ())) == 1:  # the tag of a struct
        (only,) = found["enum"]
        return {"type": "string", "const": only, "default": only}
    if found.get("items") is False:
        assert found["maxItems"] == len(found.get("prefixItems", ()))
        del found["items"]
    if isinstance(found.get("description"), str):
        found["description"] = re.sub(r"\n +", "\n", found["description"])
    return found


def _reached(roots: Sequence[Schema], components: dict[str, Schema]) -> set[str]:
    """Return the names of all components that the roots lead to."""
    found: set[str] = set()
    waiting = [name for schema in roots for name in references(schema)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += references(components[name])
    return found
