"""Tables that people read: rows about something, what is said about it, and the clauses behind it."""

from collections.abc import Iterator

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.rulebook.procedure import Grant
from thirdcard.rulebook.words import grant_in_words, text


class PageLine(Struct, frozen=True):
    """One row: what it is about, what is said about it, and by which clauses."""

    about: tuple[str, ...]
    said: tuple[str, ...]
    clauses: tuple[Clause, ...] = ()


class PageTable(Struct, frozen=True):
    """A titled table; the clause column comes last and is not among the columns."""

    title: str
    about: tuple[str, ...]
    said: tuple[str, ...]
    lines: tuple[PageLine, ...]


def table(title: str, about: tuple[str, ...], said: tuple[str, ...], lines: Iterator[PageLine]) -> PageTable:
    """A table by the keys of its title and of its columns."""

    def heads(keys: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(text(f"show.{key}") for key in keys)

    return PageTable(text(f"show.{title}"), heads(about), heads(said), tuple(lines))


def item(name: str, value: str, *clauses: Clause | None) -> PageLine:
    """A row of one thing and its value."""
    return PageLine((text(f"show.{name}"),), (value,), tuple(clause for clause in clauses if clause))


def ruled(section: str, rules: Struct | None, *names: str) -> Iterator[PageLine]:
    """A row for each of these keys of a section, or for all of them, where the document has its clauses."""
    for name in () if rules is None else names or rules.__struct_fields__:
        value = getattr(rules, name)
        clauses = (Clause(value),) if isinstance(value, str) else value or ()
        if clauses:
            key = f"rule.{section}.{name.replace('_', '-')}"
            yield PageLine((text(f"{key}.name"),), (text(f"{key}.says"),), clauses)


def granted(grant: Grant) -> str:
    """The post of a power in words."""
    return grant_in_words(grant.post, or_above=grant.or_above)
