"""Meters as rows of a table, and as CSV that a spreadsheet opens as text and numbers."""

import csv
import datetime
import io
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import asdict

from thirdcard.dossier.sheets import safe_text
from thirdcard.floor.gaming_day import EPOCH, MICROSECOND
from thirdcard.folds.meters import Meter, Meters
from thirdcard.money import Currency, format_amount

TIMES = ("began", "ended", "moment", "since", "until")
# every column of an amount, in all tables for analysts
AMOUNTS = frozenset(
    (
        *("staked", "stake", "paid", "taken", "back", "commission"),
        *("patron_gets", "house", "cage", "tray", "drop"),
        *("bought", "cashed_out", "lying", "played", "won", "lost", "house_win", "void", "claimed"),
        *("mistaken", "awarded", "credited", "paid_out", "held"),
    )
)
Clock = Callable[[int], datetime.datetime]


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


def columns_of(kind: type[Struct]) -> tuple[str, ...]:
    """The columns of a table for analysts: amounts are decimals of their currency, so its places are none."""
    return tuple(name for name in kind.__struct_fields__ if name != "exponent")


def told_row(row: Struct, clock: Clock) -> dict[str, object]:
    """A row with decimal amounts, and with times on a clock, whose distance from UTC stands beside them."""
    told: dict[str, object] = asdict(row)
    places = told.pop("exponent", None)
    for name, value in told.items():
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        if isinstance(places, int) and name in AMOUNTS:
            told[name] = format_amount(value, Currency("", places))
        elif name in TIMES:
            told[name] = clock(value).isoformat(timespec="microseconds")
    return told


def in_utc(moment: int) -> datetime.datetime:
    """A moment on the clock of UTC."""
    return EPOCH + MICROSECOND * moment


def csv_of(rows: Iterable[MeterRow], clock: Clock = in_utc) -> bytes:
    """Rows as CSV under the names of their columns.

    No text begins as a formula of a spreadsheet does.
    """
    written = io.StringIO()
    writer = csv.DictWriter(written, columns_of(MeterRow), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        told = told_row(row, clock)
        writer.writerow(told | {name: safe_text(str(told[name])) for name in ("stream", "of", "name")})
    return written.getvalue().encode()
