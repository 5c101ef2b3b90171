"""Rounds, wagers and meters as tables for analysts: Parquet and CSV, written by DuckDB."""

import tempfile
import typing
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from thirdcard.auditor.stored_rules import Rules, StoredRules
from thirdcard.dossier.find import Segment, StoredEntry, segments, setup_of
from thirdcard.dossier.meter_rows import FORMULA, PERIOD, MeterRow, meter_rows
from thirdcard.dossier.story import Laid, Stake
from thirdcard.folds.meters import Meters, meters_after
from thirdcard.game import events as ev
from thirdcard.game.state import Hand
from thirdcard.game.table_setup import Setup
from thirdcard.journal.store import Store
from thirdcard.money import Currency

COLUMN_TYPES = {str: "VARCHAR", int: "BIGINT", bool: "BOOLEAN", tuple[str, ...]: "VARCHAR[]"}
TIMES = ("began", "ended", *PERIOD)
ExportProgress = Callable[[int], None]


class RoundRow(Struct, frozen=True, kw_only=True):
    """A round as a row: times are microseconds since 1970, amounts minor units of the currency."""

    stream: str
    round: int
    game: str
    house: str
    rulebook: str
    shoe: int | None
    began: int
    ended: int
    first_record: int
    last_record: int
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
    patron: str
    wager: str
    stake: int
    result: str
    odds: str | None
    paid: int
    taken: int
    back: int
    commission: int
    clauses: tuple[str, ...]
    currency: str
    exponent: int


class NoDuckDB(Exception):
    """DuckDB is not installed."""


async def rows(store: Store, stream: str) -> AsyncIterator[tuple[RoundRow, tuple[WagerRow, ...]]]:
    """The rounds of a stream with their wagers, as they stood when the next one was opened."""
    rules, setup, shoe = StoredRules(store), None, None
    async for segment in segments(store, stream):
        setup = setup or setup_of(segment.entries[0])
        found = await rules.of(segment.entries[0].record)
        if segment.number is not None and setup is not None and isinstance(found, Rules):
            yield _rows(segment, stream, setup, found.house.currency, shoe)
        for entry in segment.entries:
            for event in entry.result.events:
                shoe = event.number if isinstance(event, ev.ShoeLoaded) else shoe
                setup = event.setup if isinstance(event, ev.TableSetUp) else setup


def _rows(
    segment: Segment, stream: str, setup: Setup, currency: Currency, shoe: int | None
) -> tuple[RoundRow, tuple[WagerRow, ...]]:
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
        shoe=shoe,
        began=first.wall_time,
        ended=last.wall_time,
        first_record=first.sequence,
        last_record=last.sequence,
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
    return row, tuple(_wager(each, row) for each in stakes)


def _began(entries: tuple[StoredEntry, ...]) -> ev.RoundBegan:
    return next(
        event for entry in entries for event in entry.result.events if isinstance(event, ev.RoundBegan)
    )


def _cards(laid: Laid, hand: Hand) -> str:
    return " ".join(card.text if card else "?" for card in laid.hand(hand))


def _wager(stake: Stake, row: RoundRow) -> WagerRow:
    return WagerRow(
        stream=row.stream,
        round=row.round,
        began=row.began,
        patron=stake.patron,
        wager=stake.wager,
        stake=stake.stake,
        result=stake.result,
        odds=stake.odds,
        paid=stake.paid,
        taken=stake.taken,
        back=stake.back,
        commission=stake.commission,
        clauses=stake.clauses,
        currency=row.currency,
        exponent=row.exponent,
    )


async def export(
    store: Store, streams: tuple[str, ...], folder: Path, *, progress: ExportProgress = lambda _: None
) -> dict[str, int]:
    """Write the rounds, wagers and meters of streams into a folder; how many rows each file has."""
    try:
        import duckdb  # noqa: PLC0415 - an extra that only this needs
    except ImportError as error:
        raise NoDuckDB from error
    folder.mkdir(parents=True, exist_ok=True)
    counts = {"rounds": 0, "wagers": 0, "meters": 0}
    with tempfile.TemporaryDirectory() as between:
        paths = {name: Path(between) / f"{name}.jsonl" for name in counts}
        with paths["rounds"].open("wb") as rounds, paths["wagers"].open("wb") as wagers:
            for stream in streams:
                async for row, stakes in rows(store, stream):
                    rounds.write(msgspec.json.encode(row) + b"\n")
                    wagers.write(b"".join(msgspec.json.encode(stake) + b"\n" for stake in stakes))
                    counts["rounds"] += 1
                    counts["wagers"] += len(stakes)
                    progress(1 + row.last_record - row.first_record)
        with paths["meters"].open("wb") as written:
            for stream in streams:
                for meter in await _meters(store, stream):
                    written.write(msgspec.json.encode(meter) + b"\n")
                    counts["meters"] += 1
        # nothing is fetched from the network: what is needed comes with the wheel
        with duckdb.connect(
            config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
        ) as connection:
            for name, kind in (("rounds", RoundRow), ("wagers", WagerRow), ("meters", MeterRow)):
                _write(connection, kind, paths[name], folder / name)
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


def _write(connection: Any, kind: type[Struct], source: Path, target: Path) -> None:
    """One table as Parquet and as CSV, in the order in which it came."""
    types = typing.get_type_hints(kind)
    columns = {name: COLUMN_TYPES[_plain(hint)] for name, hint in types.items()}
    listed = ", ".join(f"{name}: '{column}'" for name, column in columns.items())
    relation = f"read_json(?, format = 'newline_delimited', columns = {{{listed}}})"
    for form, options in (("parquet", ""), ("csv", ", HEADER")):
        shown = ", ".join(_shown(name, column, safe=form == "csv") for name, column in columns.items())
        path = str(target.with_suffix(f".{form}")).replace("'", "''")
        connection.execute(
            f"COPY (SELECT {shown} FROM {relation}) TO '{path}' (FORMAT {form}{options})", [str(source)]
        )


def _shown(name: str, column: str, *, safe: bool) -> str:
    """A column as it is written; in CSV no text begins as a formula of a spreadsheet does."""
    if name in TIMES:
        return f"make_timestamp({name}) AS {name}"
    if not safe or column != "VARCHAR":
        return name
    quoted = f"concat(chr(39), {name})"
    return f"CASE WHEN regexp_matches({name}, '{FORMULA}') THEN {quoted} ELSE {name} END AS {name}"


def _plain(hint: Any) -> Any:
    """The type of a column without the nothing that may stand in it."""
    kinds = [each for each in typing.get_args(hint) if each is not type(None)]
    return kinds[0] if kinds and typing.get_origin(hint) is not tuple else hint
