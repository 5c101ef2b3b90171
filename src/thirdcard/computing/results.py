"""Answers with numbers: as a dictionary, as a table for frames and spreadsheets, as a view in a notebook."""

import csv
import importlib
import importlib.util
import io
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import msgspec
from msgspec import Struct

from thirdcard.computing.bad_input import BadInput
from thirdcard.dossier.extras import MissingExtra
from thirdcard.dossier.sheets import Cell, CellKind, Formula, Sheet, SheetColumn, safe_text, write_workbook
from thirdcard.messages import message, say

FRAME_LIBRARIES = ("pandas", "polars")
TEXT_WIDTH, NUMBER_WIDTH = 18, 14


class Computed(Struct, frozen=True):
    """An answer. Its table has a line for each thing that has a number of its own."""

    @property
    def title(self) -> str:
        """The heading of the table."""
        raise NotImplementedError

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """The columns of the table."""
        raise NotImplementedError

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """The rows of the table."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain dictionaries, lists, texts and numbers: the JSON of the command line."""
        raise NotImplementedError

    def to_json(self) -> str:
        """Return the dictionary as JSON on one line."""
        return msgspec.json.encode(self.to_dict()).decode()

    def to_frame(self, library: str | None = None) -> Any:
        """Return the table as a data frame of pandas or polars: of the one that is named, or is installed."""
        found = library or next(filter(importlib.util.find_spec, FRAME_LIBRARIES), None)
        if found not in FRAME_LIBRARIES or importlib.util.find_spec(found) is None:
            libraries = ", ".join(FRAME_LIBRARIES)
            raise BadInput(say(message("computing.no-frames", library=library or "", libraries=libraries)))
        names = [column.name for column in self.columns]
        by_column = zip(*self.rows, strict=True) if self.rows else [()] * len(names)
        frames = importlib.import_module(found)
        return frames.DataFrame(
            {name: [_plain(cell) for cell in cells] for name, cells in zip(names, by_column, strict=True)}
        )

    def to_csv(self) -> str:
        """Return the table as CSV with a line of headings; no text begins as a formula does."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(column.name for column in self.columns)
        writer.writerows([_written(cell) for cell in row] for row in self.rows)
        return out.getvalue()

    def to_xlsx(self, file: str | Path) -> None:
        """Write the table as a workbook for spreadsheets."""
        written = io.BytesIO()
        try:
            write_workbook(written, self.title, self.sheets())
        except MissingExtra as error:
            raise BadInput(say(error.what)) from error
        write_file(Path(file), written.getvalue())

    def sheets(self) -> tuple[Sheet, ...]:
        """Return the sheets of a workbook."""
        return (Sheet(type(self).__name__, ((self.title, ""),), self.columns, self.rows),)

    def _repr_html_(self) -> str:
        """Show the table in a notebook."""
        heads = "".join(f"<th>{escape(column.title)}</th>" for column in self.columns)
        columns = self.columns
        lines = "".join(
            f"<tr>{''.join(_html_cell(*each) for each in zip(row, columns, strict=True))}</tr>"
            for row in self.rows
        )
        body = f"<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody>"
        return f"<table><caption>{escape(self.title)}</caption>{body}</table>"


def write_file(file: Path, content: bytes) -> None:
    """Write a file, or say why it cannot be written."""
    try:
        file.write_bytes(content)
    except OSError as error:
        reason = error.strerror or ""
        raise BadInput(say(message("road.not-written", file=str(file), reason=reason))) from error


def text_column(name: str, key: str) -> SheetColumn:
    """A column of texts, under the sentence of a key."""
    return SheetColumn(name, say(message(key)), width=TEXT_WIDTH)


def count_column(name: str, key: str) -> SheetColumn:
    """A column of whole numbers."""
    return SheetColumn(name, say(message(key)), CellKind.WHOLE, width=TEXT_WIDTH + 4)


def number_column(name: str, key: str, places: int = 6) -> SheetColumn:
    """A column of numbers with so many decimal places."""
    return SheetColumn(name, say(message(key)), CellKind.NUMBER, places, NUMBER_WIDTH)


def amount_column(name: str, key: str) -> SheetColumn:
    """A column of amounts of money."""
    return SheetColumn(name, say(message(key)), CellKind.AMOUNT, width=NUMBER_WIDTH)


def _written(cell: Cell) -> Cell:
    """A cell as CSV has it."""
    return safe_text(cell) if isinstance(cell, str) else "" if cell is None else cell


def _plain(cell: Cell) -> Any:
    value = cell.value if isinstance(cell, Formula) else cell
    return float(value) if isinstance(value, Decimal) else value


def _html_cell(cell: Cell, column: SheetColumn) -> str:
    value = cell.value if isinstance(cell, Formula) else cell
    match value:
        case None:
            shown = ""
        case int() if column.kind is CellKind.WHOLE:
            shown = f"{value:,}"
        case float() | int() if column.kind is CellKind.NUMBER:
            shown = f"{value:,.{column.places}f}"
        case _:
            shown = escape(str(value))
    side = "left" if column.kind is CellKind.TEXT else "right"
    return f'<td style="text-align:{side}">{shown}</td>'
