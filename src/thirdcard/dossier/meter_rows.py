"""Meters as rows of a table, and as CSV that a spreadsheet opens as text and numbers."""

import csv
import datetime
import io
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import asdict, astuple

from thirdcard.folds.meters import Meter, Meters
from thirdcard.money import Currency

FORMULA = "^[=+\\-@\\t\\r＝＋－＠]"
PERIOD = ("since", "until")
_FORMULA = re.compile(FORMULA)


class MeterRow(Struct, frozen=True, kw_only=True):
    """A meter as a row: times are microseconds since 1970, amounts minor units of the currency.

    ``of`` is table, patron or wager; a terminal counts as its patron.
    """

    stream: str
    of: str
    name: str
    since: int
    until: int
    bought: int
    cashed_out: int
    lying: int
    played: int
    won: int
    lost: int
    house_win: int
    commission: int
    void: int
    claimed: int
    mistaken: int
    awarded: int
    credited: int
    paid_out: int
    held: int
    rounds: int
    void_rounds: int
    currency: str
    exponent: int


def meter_rows(
    stream: str, meters: Meters, currency: Currency, *, since: int, until: int
) -> Iterator[MeterRow]:
    """The rows of a table: its own meter, and those of its patrons and kinds of wager."""

    def row(of: str, name: str, meter: Meter) -> MeterRow:
        return MeterRow(
            stream=stream,
            of=of,
            name=name,
            since=since,
            until=until,
            house_win=meter.house_win,
            currency=currency.code,
            exponent=currency.exponent,
            **asdict(meter),
        )

    yield row("table", stream, meters.table)
    for name, meter in meters.all_patrons.items():
        yield row("patron", name, meter)
    for name, meter in meters.wagers.items():
        yield row("wager", name, meter)


def csv_of(rows: Iterable[MeterRow]) -> bytes:
    """Rows as CSV under the names of their columns, times in UTC.

    No text begins as a formula of a spreadsheet does.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    names = MeterRow.__struct_fields__
    writer.writerow(names)
    writer.writerows([_cell(*each) for each in zip(names, astuple(row), strict=True)] for row in rows)
    return written.getvalue().encode()


def safe_text(value: str) -> str:
    """A text as a spreadsheet takes it for text, whatever it begins with."""
    return f"'{value}" if _FORMULA.match(value) else value


def _cell(name: str, value: int | str) -> int | str:
    if isinstance(value, str):
        return safe_text(value)
    if name in PERIOD:
        moment = datetime.datetime.fromtimestamp(0, datetime.UTC) + datetime.timedelta(microseconds=value)
        return moment.strftime("%Y-%m-%d %H:%M:%S.%f")
    return value
