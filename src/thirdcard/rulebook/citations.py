"""Every place of a rule document that cites a clause."""

import functools
import typing
from collections.abc import Iterator

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import Irregularity, row_labels


class Citation(Struct, frozen=True):
    """A clause, the section that cites it, and the key at which it does."""

    section: str
    key: str
    clause: Clause


def citations(document: Document) -> tuple[Citation, ...]:
    """All citations of a document's sections, in the order of the file; its own list of clauses is none."""
    found: list[Citation] = []
    for name, section in zip(Document.__struct_fields__, Document.__struct_encode_fields__, strict=True):
        if name == "clauses":
            continue
        value = getattr(document, name)
        here = _named_fields(Document)[name]
        found += [Citation(section, key, clause) for key, clause in _walk(section, value, is_clause=here)]
    return tuple(found)


def _walk(key: str, value: object, *, is_clause: bool) -> Iterator[tuple[str, Clause]]:
    if isinstance(value, Struct):
        fields = _named_fields(type(value))
        for name in value.__struct_fields__:
            yield from _walk(f"{key}.{name}", getattr(value, name), is_clause=fields[name])
    elif isinstance(value, tuple):
        rows = [item.situation for item in value if isinstance(item, Irregularity)]
        labels = row_labels(rows) or tuple(_label(item, index) for index, item in enumerate(value))
        for label, item in zip(labels, value, strict=True):
            yield from _walk(f"{key}[{label}]", item, is_clause=is_clause)
    elif is_clause and isinstance(value, str):
        yield key, Clause(value)


def _label(item: object, index: int) -> str:
    name = getattr(item, "id", index)
    return str(name.value if hasattr(name, "value") else name)


@functools.cache
def _named_fields(kind: type[Struct]) -> dict[str, bool]:
    """For each field of a struct whether its values are clauses."""
    hints = typing.get_type_hints(kind)
    return {name: _mentions_clause(hints[name]) for name in kind.__struct_fields__}


def _mentions_clause(hint: object) -> bool:
    return hint is Clause or any(_mentions_clause(part) for part in typing.get_args(hint))
