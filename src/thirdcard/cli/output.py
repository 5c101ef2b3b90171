"""The output of the commands: tables for people, JSON for programs, errors on stderr."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from thirdcard.computing.bad_input import BadInput
from thirdcard.messages import message, say
from thirdcard.rulebook.pages.lines import PageTable
from thirdcard.spelling import visible

__all__ = [
    "BAD_INPUT",
    "NEGATIVE_ANSWER",
    "BadInput",
    "complain",
    "console",
    "print_json",
    "print_rulebook_table",
    "print_table",
    "read_bytes",
]
NEGATIVE_ANSWER, BAD_INPUT = 1, 2
WIDTH_WITHOUT_TERMINAL = 110
_WHOLE_NAME = 32  # ids up to this length are never broken, so that they can be copied


class SafeConsole(Console):
    """A console on which nothing that somebody has written steers the terminal."""

    def render_str(self, text: str, **options: Any) -> Text:
        """Return a text as it is shown."""
        return super().render_str(visible(text), **options)


def console() -> Console:
    """Standard output; a fixed width where no terminal says otherwise, so that output can be compared."""
    out = SafeConsole(highlight=False, emoji=False, markup=False)
    if not out.is_terminal:
        out.width = WIDTH_WITHOUT_TERMINAL
    return out


def read_bytes(file: Path) -> bytes:
    """Return the content of a file; one that cannot be read is bad input."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadInput(say(message("cli.no-file", file=str(file), reason=error.strerror or ""))) from error


def complain(text: str, *more: str) -> None:
    """An error on stderr, with further sentences by key; every line says from which program it comes."""
    sentences = (text, *(say(message(key)) for key in more))
    for line in filter(str.strip, " ".join(sentences).splitlines()):
        print("thirdcard:", visible(line), file=sys.stderr)


def print_json(value: Any) -> None:
    """One JSON value on one line, keys in the order in which they were written."""
    print(msgspec.json.encode(value).decode())


def print_table(title: str | None, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """A table for people."""
    table = RichTable(title=title, title_justify="left", title_style="bold", header_style="bold")
    widest = max((len(line) for row in rows for line in row[0].splitlines()), default=0)
    for number, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=number == 0 and widest <= _WHOLE_NAME)
    for row in rows:
        table.add_row(*row)
    console().print(table)


def print_rulebook_table(table: PageTable) -> None:
    """One topic of a rulebook, its clauses in the last column."""
    rows = [(*line.about, *line.said, ", ".join(line.clauses)) for line in table.lines]
    print_table(table.title, (*table.about, *table.said, say(message("show.clause"))), rows)
