"""Rounds, wagers, money, incidents and meters as tables for analysts: Parquet, CSV and a workbook."""

import contextlib
import datetime
import tempfile
import typing
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.auditor.stored_rules import Rules, StoredRules
from thirdcard.dossier.dealers import Dealers
from thirdcard.dossier.event_rows import IncidentRow, MoneyRow, incident_rows, money_rows
from thirdcard.dossier.extras import needs_extra
from thirdcard.dossier.find import Segment, StoredEntry, segments, setup_of
from thirdcard.dossier.floor_history import FloorHistory, floor_history
from thirdcard.dossier.meter_rows import (
    AMOUNTS,
    TIMES,
    MeterRow,
    columns_of,
    meter_rows,
    told_row,
)
from thirdcard.dossier.sheets import (
    FORMULA,
    MOST_ROWS,
    Cell,
    CellKind,
    Sheet,
    SheetColumn,
    safe_text,
    write_workbook,
)
from thirdcard.dossier.story import Laid, Stake
from thirdcard.folds.meters import Meters, meters_after
from thirdcard.game import events as ev
from thirdcard.game.state import Hand
from thirdcard.game.table_setup import Setup
from thirdcard.journal.record import Record
from thirdcard.journal.store import Store
from thirdcard.messages import message, say
from thirdcard.money import Currency

COLUMN_TYPES = {str: "VARCHAR", int: "BIGINT", bool: "BOOLEAN", tuple[str, ...]: "VARCHAR[]"}
AMOUNT_TYPE, MOMENT_TYPE = "DECIMAL(24, 4)", "TIMESTAMP WITH TIME ZONE"  # no currency has more places
EVER = (0, 2**62)
WORKBOOK = "tables.xlsx"
ABOVE_ROWS = 10  # rows of a sheet that its head takes, at most
ExportProgress = Callable[[int], None]


class RoundRow(Struct, frozen=True, kw_only=True):
    """A round as a row: times are microseconds since 1970, amounts minor units of the currency.

    ``date`` and ``shift`` are those of the gaming day in which the last thing was done about it.
    """

    stream: str
    round: int
    game: str
    house: str
    rulebook: str
    shoe: int | None
    began: int
    ended: int
    date: str
    shift: int | None
    pit: str
    first_record: int
    last_record: int
    dealer: str
    training: bool
    method: str | None
    free: bool
    void: bool
    player: str
    banker: str
    player_total: int | None
    banker_total: int | None
    winner: str | None
    pairs: str | None
    wagers: int
    staked: int
    paid: int
    taken: int
    back: int
    commission: int
    currency: str
    exponent: int


class WagerRow(Struct, frozen=True, kw_only=True):
    """The result of a wager as a row: amounts are minor units of the currency."""

    stream: str
    round: int
    began: int
    date: str
    shift: int | None
    patron: str
    position: int | None
    terminal: str
    wager: str
    stake: int
    result: str
    odds: str | None
    paid: int
    taken: int
    back: int
    commission: int
    clauses: tuple[str, ...]
    dealer: str
    training: bool
    currency: str
    exponent: int


class TableRows(Struct, frozen=True):
    """The rows of a time between two calls for wagers."""

    round: RoundRow | None
    wagers: tuple[WagerRow, ...]
    money: tuple[MoneyRow, ...]
    incidents: tuple[IncidentRow, ...]
    records: int


async def rows(
    store: Store, stream: str, within: tuple[int, int] = EVER, history: FloorHistory | None = None
) -> AsyncIterator[TableRows]:
    """The rows of a stream, each round as it stood when the next one was opened.

    A round belongs to the time when the last thing was done about it; everything else, to its own.
    """
    rules, reader = StoredRules(store), _TableReader(stream, history or FloorHistory())
    async for segment in segments(store, stream):
        found = await rules.of(segment.entries[0].record)
        if isinstance(found, Rules):
            yield reader.read(segment, found.house.currency, within)


class _TableReader:
    """Reads a table segment by segment: its set-up, its shoe and its dealers go on."""

    def __init__(self, stream: str, history: FloorHistory) -> None:
        self._stream = stream
        self._history = history
        self._days = history.days
        self._setup: Setup | None = None
        self._shoe: int | None = None
        self._dealers = Dealers()

    def read(self, segment: Segment, currency: Currency, within: tuple[int, int]) -> TableRows:
        """The rows of a segment that fall into a time."""
        self._setup = self._setup or setup_of(segment.entries[0])
        setup, shoe = self._setup, self._shoe
        ended = segment.of_the_round[-1].record
        money: list[MoneyRow] = []
        incidents: list[IncidentRow] = []
        dealer = ""
        for entry in segment.entries:
            for event in entry.result.events:
                self._shoe = event.number if isinstance(event, ev.ShoeLoaded) else self._shoe
                self._setup = event.setup if isinstance(event, ev.TableSetUp) else self._setup
                self._dealers.follow(event)
                if self._setup is not None and _is_within(entry.record, within):
                    about = self._stream, entry.record, event, self._setup
                    place = self._place(entry.record)
                    money += [replace(each, **place) for each in money_rows(*about, currency)]
                    incidents += [replace(each, **place) for each in incident_rows(*about, segment.number)]
            if entry.record is ended:
                dealer = self._dealers.dealer_of(ended)
        made, wagers = None, tuple[WagerRow, ...]()
        if segment.number is not None and setup is not None and _is_within(ended, within):
            made, stakes = _round(segment, self._stream, setup, currency)
            period = self._days.shift_of(made.ended)
            made = replace(
                made,
                shoe=shoe,
                dealer=dealer,
                date=period.date.isoformat(),
                shift=period.shift,
                pit=self._history.pit_of(self._stream, made.ended),
            )
            wagers = tuple(self._wager(each, made) for each in stakes)
        return TableRows(made, wagers, tuple(money), tuple(incidents), len(segment.entries))

    def _place(self, record: Record) -> dict[str, Any]:
        """The gaming day, the shift, the pit and the dealer of a record."""
        period = self._days.shift_of(record.wall_time)
        return {
            "date": period.date.isoformat(),
            "shift": period.shift,
            "pit": self._history.pit_of(self._stream, record.wall_time),
            "dealer": self._dealers.dealer_of(record),
        }

    def _wager(self, stake: Stake, row: RoundRow) -> WagerRow:
        return WagerRow(
            stream=row.stream,
            round=row.round,
            began=row.began,
            date=row.date,
            shift=row.shift,
            patron=stake.patron,
            position=stake.position,
            terminal=self._history.terminal_of(row.stream, stake.patron, row.began),
            wager=stake.wager,
            stake=stake.stake,
            result=stake.result,
            odds=stake.odds,
            paid=stake.paid,
            taken=stake.taken,
            back=stake.back,
            commission=stake.commission,
            clauses=stake.clauses,
            dealer=row.dealer,
            training=row.training,
            currency=row.currency,
            exponent=row.exponent,
        )


def _is_within(record: Record, within: tuple[int, int]) -> bool:
    return within[0] <= record.wall_time < within[1]


def _round(
    segment: Segment, stream: str, setup: Setup, currency: Currency
) -> tuple[RoundRow, tuple[Stake, ...]]:
    """The row of a round, without what is known besides it, and the results of its wagers."""
    entries = segment.of_the_round
    laid, began = Laid(entries), _began(entries)
    stakes, facts = laid.stakes(), laid.facts
    assert segment.number is not None
    first, last = entries[0].record, entries[-1].record

    def total(name: str) -> int:
        return sum(getattr(each, name) for each in stakes)

    row = RoundRow(
        stream=stream,
        round=segment.number,
        game=setup.game,
        house=setup.house,
        rulebook=first.rulebook,
        shoe=None,
        began=first.wall_time,
        ended=last.wall_time,
        date="",
        shift=None,
        pit="",
        first_record=first.sequence,
        last_record=last.sequence,
        dealer="",
        training=setup.training,
        method=began.method.value if began.method else None,
        free=began.free,
        void=laid.void,
        player=_cards(laid, Hand.PLAYER),
        banker=_cards(laid, Hand.BANKER),
        player_total=facts.player_total if facts else None,
        banker_total=facts.banker_total if facts else None,
        winner=facts.winner.value if facts else None,
        pairs=facts.pairs.value if facts else None,
        wagers=len(stakes),
        staked=total("stake"),
        paid=total("paid"),
        taken=total("taken"),
        back=total("back"),
        commission=total("commission"),
        currency=currency.code,
        exponent=currency.exponent,
    )
    return row, stakes


def _began(entries: tuple[StoredEntry, ...]) -> ev.RoundBegan:
    return next(
        event for entry in entries for event in entry.result.events if isinstance(event, ev.RoundBegan)
    )


def _cards(laid: Laid, hand: Hand) -> str:
    return " ".join(card.text if card else "?" for card in laid.hand(hand))


EXPORTED_ROWS: dict[str, type[Struct]] = {
    "rounds": RoundRow,
    "wagers": WagerRow,
    "money": MoneyRow,
    "incidents": IncidentRow,
    "meters": MeterRow,
}


async def export(
    store: Store,
    streams: tuple[str, ...],
    folder: Path,
    *,
    within: tuple[int, int] = EVER,
    progress: ExportProgress = lambda _: None,
) -> dict[str, int]:
    """Write the tables of streams into a folder; how many rows each has. Meters are those of all time."""
    with needs_extra("Parquet", "DuckDB", "export"):
        import duckdb  # noqa: PLC0415 - an extra that only this needs
    folder.mkdir(parents=True, exist_ok=True)
    counts = dict.fromkeys(EXPORTED_ROWS, 0)
    with tempfile.TemporaryDirectory() as between, contextlib.ExitStack() as files:
        paths = {name: Path(between) / f"{name}.jsonl" for name in EXPORTED_ROWS}
        out = {name: files.enter_context(path.open("wb")) for name, path in paths.items()}

        def write(name: str, made: Iterable[Struct]) -> None:
            for each in made:
                out[name].write(msgspec.json.encode(told_row(each, history.days.local)) + b"\n")
                counts[name] += 1

        history = await floor_history(store)
        for stream in streams:
            async for found in rows(store, stream, within, history):
                write("rounds", (found.round,) if found.round else ())
                write("wagers", found.wagers)
                write("money", found.money)
                write("incidents", found.incidents)
                progress(found.records)
            write("meters", await _meters(store, stream))
        for file in out.values():
            file.flush()
        # nothing is fetched from the network: what is needed comes with the wheel
        with duckdb.connect(
            config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
        ) as connection:
            for name, kind in EXPORTED_ROWS.items():
                _write(connection, kind, paths[name], folder / name)
        if max(counts.values(), default=0) < MOST_ROWS - ABOVE_ROWS:
            zones = ", ".join(dict.fromkeys(day.zone.key for _, day in history.days.days))
            sheets = (_sheet(name, kind, paths[name], zones) for name, kind in EXPORTED_ROWS.items())
            write_workbook(folder / WORKBOOK, "thirdcard", sheets)
    return counts


async def _meters(store: Store, stream: str) -> tuple[MeterRow, ...]:
    """The meters of a table, from its first record to its last."""
    meters, currency, since, until = Meters(), None, 0, 0
    rules = StoredRules(store)
    async for segment in segments(store, stream):
        first, last = segment.entries[0].record, segment.entries[-1].record
        since, until = since or first.wall_time, last.wall_time
        if currency is None:
            found = await rules.of(first)
            currency = found.house.currency if isinstance(found, Rules) else None
        for entry in segment.entries:
            for event in entry.result.events:
                meters = meters_after(meters, event)
    return tuple(meter_rows(stream, meters, currency, since=since, until=until)) if currency else ()


def _types(kind: type[Struct]) -> dict[str, str]:
    """The columns of a table, with the type that each has in Parquet."""
    hints = typing.get_type_hints(kind)
    types = {name: COLUMN_TYPES[_plain(hints[name])] for name in columns_of(kind)}
    types |= {name: AMOUNT_TYPE for name, one in types.items() if _is_amount(name, one)}
    return types | {name: MOMENT_TYPE for name in types if name in TIMES}


def _is_amount(name: str, column: str) -> bool:
    """Whether a column has amounts; some tables have a flag or a text of the same name."""
    return name in AMOUNTS and column == "BIGINT"


def _write(connection: Any, kind: type[Struct], source: Path, target: Path) -> None:
    """One table as Parquet and as CSV, in the order in which it came."""
    types = _types(kind)
    told = (AMOUNT_TYPE, MOMENT_TYPE)  # which stand in the source as they are told
    listed = ", ".join(
        f"{name}: '{'VARCHAR' if column in told else column}'" for name, column in types.items()
    )
    relation = f"read_json(?, format = 'newline_delimited', columns = {{{listed}}})"
    shown = {
        "parquet": ", ".join(f"CAST({name} AS {column}) AS {name}" for name, column in types.items()),
        "csv": ", ".join(_safe(name, column) for name, column in types.items()),
    }
    for form, options in (("parquet", ""), ("csv", ", HEADER")):
        path = str(target.with_suffix(f".{form}")).replace("'", "''")
        connection.execute(
            f"COPY (SELECT {shown[form]} FROM {relation}) TO '{path}' (FORMAT {form}{options})", [str(source)]
        )


def _safe(name: str, column: str) -> str:
    """A column as CSV has it: no text begins as a formula of a spreadsheet does."""
    if column != "VARCHAR":
        return name
    return f"regexp_replace({name}, '{FORMULA}', concat('\\1', chr(39), '\\2'), 'g') AS {name}"


def _sheet(name: str, kind: type[Struct], source: Path, zones: str) -> Sheet:
    """One table as a sheet of the workbook; its times are on the clock of the floor."""
    types = _types(kind)
    columns = tuple(
        SheetColumn(each, each, _CELLS.get(column, CellKind.TEXT), width=19 if column == MOMENT_TYPE else 13)
        for each, column in types.items()
    )

    def rows() -> Iterator[tuple[Cell, ...]]:
        with source.open("rb") as lines:
            for line in lines:
                told = msgspec.json.decode(line)
                yield tuple(_cell(told[each], column) for each, column in types.items())

    return Sheet(name, ((say(message("report.zone")), zones),), columns, rows())


_CELLS = {"BIGINT": CellKind.WHOLE, AMOUNT_TYPE: CellKind.AMOUNT, MOMENT_TYPE: CellKind.MOMENT}


def _cell(value: Any, column: str) -> Cell:
    if value is None:
        return None
    if column == AMOUNT_TYPE:
        return Decimal(value)
    if column == MOMENT_TYPE:
        return datetime.datetime.fromisoformat(value)
    if isinstance(value, bool):
        return str(value).lower()
    return (
        value if isinstance(value, int) else safe_text(" ".join(value) if isinstance(value, list) else value)
    )


def _plain(hint: Any) -> Any:
    """The type of a column without the nothing that may stand in it."""
    kinds = [each for each in typing.get_args(hint) if each is not type(None)]
    return kinds[0] if kinds and typing.get_origin(hint) is not tuple else hint
