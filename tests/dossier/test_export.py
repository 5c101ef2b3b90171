"""Rounds and wagers as tables: what the columns hold, and that nothing is fetched for it."""

import csv
import datetime
import io
import sys
from decimal import Decimal
from pathlib import Path

import duckdb
import msgspec
import openpyxl
import pandas as pd
import pytest
from golden import TEXTS
from journal.journals import EVENING, random_evening, rechained, told_evening, write
from msgspec.structs import replace

from thirdcard.dossier.export import EXPORTED_ROWS, export
from thirdcard.dossier.extras import MissingExtra
from thirdcard.dossier.floor_history import FloorHistory
from thirdcard.dossier.meter_rows import MeterRow, columns_of, csv_of, meter_rows
from thirdcard.floor.events import GamingDaySet
from thirdcard.floor.gaming_day import EPOCH
from thirdcard.floor.state import DayPlan, GamingDay
from thirdcard.folds.ledger import HOUSE, balances
from thirdcard.folds.meters import Meter, Meters
from thirdcard.game import events as ev
from thirdcard.journal.codec import table_result_of
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.store import Store, records
from thirdcard.money import Currency

# the second round of the evening: Bob has 333 on Banker and pays 5 per cent commission (4.1)
WON_BY_BANKER, KEPT_BACK = Decimal("356.35"), Decimal("16.65")


async def exported(folder: Path) -> dict[str, int]:
    store, seen = MemoryStore(), list[int]()
    await write(store, told_evening("table-1", EVENING.read_text("utf-8")))
    played = random_evening("table-2", 30, 4, "mbs-super-six-etg-v3")
    await write(store, played)
    counts = await export(store, ("table-1", "table-2"), folder, progress=seen.append)
    ends = [(await store.head(table)).sequence for table in ("table-1", "table-2")]
    assert (counts["rounds"], sum(seen)) == (3 + len(played.rounds), sum(ends))
    return counts


def rows(sql: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = duckdb.connect().execute(sql).fetchall()
    return found


async def test_rounds_and_wagers_are_written_twice_and_alike(tmp_path: Path) -> None:
    counts = await exported(tmp_path / "out's")
    folder = str(tmp_path / "out's").replace("'", "''")
    assert sorted(each.name for each in (tmp_path / "out's").iterdir()) == [
        "incidents.csv",
        "incidents.parquet",
        "meters.csv",
        "meters.parquet",
        "money.csv",
        "money.parquet",
        "rounds.csv",
        "rounds.parquet",
        "tables.xlsx",
        "wagers.csv",
        "wagers.parquet",
    ]
    for name, kind in EXPORTED_ROWS.items():
        assert rows(f"SELECT count(*) FROM '{folder}/{name}.parquet'") == [(counts[name],)]
        columns = rows(f"DESCRIBE SELECT * FROM '{folder}/{name}.parquet'")
        assert [column[0] for column in columns] == list(columns_of(kind))
        head = (tmp_path / "out's" / f"{name}.csv").read_text("utf-8").splitlines()
        assert head[0] == ",".join(columns_of(kind))
        assert len(head) == counts[name] + 1


async def test_csv_has_no_formulas(tmp_path: Path) -> None:
    """A patron's name is written as text, whatever a spreadsheet would make of it."""
    names = {name: f"'{name}" for name in ("=HYPERLINK(1)", "+1", "-1", "@A1", "＝1")}
    names["Zoe;=HYPERLINK(1)"] = "Zoe;'=HYPERLINK(1)"  # where a semicolon parts columns
    store = MemoryStore()
    text = EVENING.read_text("utf-8").replace("Ann", "Zoe")
    evening = told_evening("table-1", text)
    await write(store, evening)
    for name, safe in names.items():
        forged = MemoryStore()
        made = tuple(
            replace(each, body=each.body.replace(b'"Zoe"', msgspec.json.encode(name)))
            for each in await store.read("table-1")
        )
        for digest in {digest for each in made for digest in (each.rulebook, each.house)}:
            await forged.keep_content(digest, await store.content(digest) or b"")
        await forged.append(rechained(made, {}))
        await export(forged, ("table-1",), tmp_path)
        told = rows(f"SELECT DISTINCT patron FROM read_csv('{tmp_path}/wagers.csv', header = true)")
        assert (safe,) in told
        kept = rows(f"SELECT DISTINCT patron FROM '{tmp_path}/wagers.parquet'")
        assert (name,) in kept


async def test_the_rows_say_what_happened(tmp_path: Path) -> None:
    await exported(tmp_path)
    found = rows(
        "SELECT round, player, banker, winner, void, wagers, staked, paid, taken, back, commission, shoe,"
        f" strftime(began, '%H:%M:%S') FROM '{tmp_path}/rounds.parquet' WHERE stream = 'table-1'"
    )
    assert found == [
        (1, "9H KD", "2S 5C", "player", False, 3, 310, 200, 110, 200, 0, 1, "12:00:12"),
        (2, "2H 2S 9D", "2D AC 6C", "banker", False, 3, 643, WON_BY_BANKER, 0, 643, KEPT_BACK, 1, "12:00:22"),
        (3, "KS", "4D", None, True, 1, 100, 0, 0, 100, 0, 1, "12:00:39"),
    ]
    wagers = rows(
        "SELECT patron, wager, stake, result, odds, paid, clauses, currency"
        f" FROM '{tmp_path}/wagers.parquet' WHERE stream = 'table-1' AND round = 2"
    )
    assert wagers[2] == (
        *("Bob", "banker", 333, "won", "0.95 to 1", Decimal("316.35")),
        ["4.1.T1", "3.16", "1.1.2"],
        "SGD",
    )


async def test_rows_have_the_shift_and_the_position(tmp_path: Path) -> None:
    await exported(tmp_path)
    assert rows(
        f"SELECT DISTINCT date, shift, pit FROM '{tmp_path}/rounds.parquet' WHERE stream = 'table-1'"
    ) == [("2025-06-02", 1, "")]
    found = rows(
        f"SELECT DISTINCT patron, position, terminal, shift FROM '{tmp_path}/wagers.parquet'"
        " WHERE stream = 'table-1' ORDER BY patron"
    )
    assert found == [("Ann", 1, "", 1), ("Bob", 2, "", 1)]


async def test_money_of_the_rows_sums_up(tmp_path: Path) -> None:
    """Every patron has more by as much as the house has less: stakes are back, or taken, or pulled."""
    await exported(tmp_path)
    assert rows(
        f"SELECT count(*) FROM '{tmp_path}/rounds.parquet' WHERE stream = 'table-2'"
        " AND (staked != taken + back OR (void AND paid != 0))"
    ) == [(0,)]
    per_round = f"SELECT stream, round, sum(paid) AS paid FROM '{tmp_path}/wagers.parquet' GROUP BY ALL"
    assert rows(
        f"SELECT count(*) FROM ({per_round}) AS t JOIN '{tmp_path}/rounds.parquet' AS r USING (stream, round)"
        " WHERE r.paid != t.paid"
    ) == [(0,)]


async def test_money_beside_wagers_and_that_of_wagers_is_all_that_the_house_has(tmp_path: Path) -> None:
    store = MemoryStore()
    await write(store, random_evening("table-2", 40, 9, "mbs-super-six-etg-v3"))
    events = [e async for r in records(store, "table-2") for e in table_result_of(r).events]
    await export(store, ("table-2",), tmp_path)
    ((of_wagers,),) = rows(f"SELECT sum(taken - paid) FROM '{tmp_path}/wagers.parquet'")
    ((beside,),) = rows(f"SELECT sum(house) FROM '{tmp_path}/money.parquet'")
    assert (of_wagers or 0) + (beside or 0) == Decimal(balances(events)[HOUSE]) / 100  # type: ignore[operator]
    bought = [e.amount for e in events if isinstance(e, ev.CreditsBought)]
    assert rows(f"SELECT sum(patron_gets) FROM '{tmp_path}/money.parquet' WHERE what = 'credits-bought'") == [
        (Decimal(sum(bought)) / 100,)
    ]


async def test_incidents_name_their_situation_and_who_reported_it(tmp_path: Path) -> None:
    await exported(tmp_path)
    found = rows(
        f"SELECT what, situation, round, person, training FROM '{tmp_path}/incidents.parquet'"
        " WHERE stream = 'table-1' ORDER BY record LIMIT 1"
    )
    assert found == [("irregularity-reported", "cards-together", 2, "Dealer", False)]


async def test_rows_name_the_dealer_and_whether_it_was_training(tmp_path: Path) -> None:
    await exported(tmp_path)
    told = rows(f"SELECT DISTINCT dealer, training FROM '{tmp_path}/rounds.parquet' WHERE stream = 'table-1'")
    assert told == [("Dealer", False)]
    assert rows(f"SELECT DISTINCT dealer FROM '{tmp_path}/wagers.parquet' WHERE stream = 'table-1'") == [
        ("Dealer",)
    ]


async def test_parts_of_a_time_are_all_of_it(tmp_path: Path) -> None:
    store = MemoryStore()
    await write(store, random_evening("table-2", 30, 4, "mbs-super-six-etg-v3"))
    times = [record.wall_time async for record in records(store, "table-2")]
    cut = times[len(times) // 2]
    whole = await export(store, ("table-2",), tmp_path / "whole")
    first = await export(store, ("table-2",), tmp_path / "first", within=(0, cut))
    second = await export(store, ("table-2",), tmp_path / "second", within=(cut, 2**62))
    for name in ("rounds", "wagers", "money", "incidents"):
        assert first[name] + second[name] == whole[name], name
    assert 0 < first["rounds"] < whole["rounds"]


async def test_meters_say_the_period_and_agree_with_the_wagers(tmp_path: Path) -> None:
    await exported(tmp_path)
    found = rows(
        "SELECT name, rounds, void_rounds, won, lost, house_win, since < until"
        f" FROM '{tmp_path}/meters.parquet' WHERE stream = 'table-1' AND of = 'table'"
    )
    assert found == [("table-1", 2, 1, Decimal("556.35"), 110, Decimal("-446.35"), True)]
    for of in ("patron", "wager"):
        sums = f"SELECT stream, sum(won), sum(lost), sum(played) FROM '{tmp_path}/meters.parquet' WHERE of = "
        assert rows(f"{sums}'{of}' GROUP BY ALL ORDER BY ALL") == rows(
            f"{sums}'table' GROUP BY ALL ORDER BY ALL"
        )


def test_meters_as_csv_have_times_in_utc_and_no_formulas() -> None:
    found = Meters(
        table=Meter(won=500, rounds=1),
        patrons={"=1+1": Meter(won=500, rounds=1), "a;@b": Meter(won=500, rounds=1)},
    )
    told = csv_of(meter_rows("table-1", found, Currency("SGD", 2), since=0, until=1_500_000))
    lines = csv.DictReader(io.StringIO(told.decode()))
    assert tuple(lines.fieldnames or ()) == columns_of(MeterRow)
    table, patron, other = lines
    assert (table["of"], table["name"], table["house_win"]) == ("table", "table-1", "-5.00")
    assert (table["since"], table["until"]) == (
        "1970-01-01T00:00:00.000000+00:00",
        "1970-01-01T00:00:01.500000+00:00",
    )
    assert (patron["of"], patron["name"]) == ("patron", "'=1+1")
    assert other["name"] == "a;'@b"


# for those who read them: amounts are decimals with their currency, times have their zone


class InTokyo(FloorHistory):
    """A floor on the clock of Tokyo."""

    def __init__(self) -> None:
        super().__init__()
        self.follow(GamingDaySet(plan=DayPlan(GamingDay("Asia/Tokyo", ("06:00",)), EPOCH)), 0)


async def in_tokyo(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Export a day of chips and cash, and an evening at terminals, of a floor in Tokyo."""

    async def history(_: Store) -> FloorHistory:
        return InTokyo()

    monkeypatch.setattr("thirdcard.dossier.export.floor_history", history)
    store = MemoryStore()
    await write(store, told_evening("table-1", TEXTS["examined/a-day-of-chips-and-cash.round"]))
    await write(store, random_evening("table-2", 40, 4, "hoiana-tiger-2024/commission"))
    await export(store, ("table-1", "table-2"), folder)


async def test_pandas_reads_decimals_and_zones_from_parquet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await in_tokyo(tmp_path, monkeypatch)
    read = pd.read_parquet(tmp_path / "wagers.parquet")
    assert set(read["currency"]) == {"SGD", "USD"}
    assert all(isinstance(each, Decimal) for each in read["stake"])
    assert str(read["began"].dt.tz) == "UTC"
    money = pd.read_parquet(tmp_path / "money.parquet").query("stream == 'table-1'")
    # the cage gave 20,000 in chips, and has 12,800 in chips and 7,000 in cash back
    assert money["cage"].sum() == -200
    assert money.query("what == 'opener-counted'")["tray"].tolist() == [10_000]
    assert money.query("what == 'chips-bought'")["drop"].tolist() == [1_000, 6_000, 500]
    assert set(money["dealer"]) == {"Dealer"}
    assert set(money["shift"]) == {1}


async def test_csv_has_the_clock_of_the_floor_and_places_of_the_currency(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await in_tokyo(tmp_path, monkeypatch)
    with (tmp_path / "wagers.csv").open(newline="") as file:
        told = next(csv.DictReader(file))
    assert datetime.datetime.fromisoformat(told["began"]).utcoffset() == datetime.timedelta(hours=9)
    assert (told["stake"], told["currency"]) == ("200.00", "SGD")
    ((read,),) = rows(f"SELECT min(stake) FROM read_csv('{tmp_path}/wagers.csv') WHERE stream = 'table-1'")
    assert float(read) == 100  # type: ignore[arg-type]


async def test_workbook_has_every_table_with_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await in_tokyo(tmp_path, monkeypatch)
    book = openpyxl.load_workbook(tmp_path / "tables.xlsx", data_only=True)
    assert book.sheetnames == list(EXPORTED_ROWS)
    zone, _, heads, *lines = book["wagers"].iter_rows(values_only=True)
    assert zone[:2] == ("Time zone", "Asia/Tokyo")
    assert heads == columns_of(EXPORTED_ROWS["wagers"])
    told = dict(zip(heads, lines[0], strict=True))
    assert (told["stake"], told["currency"], told["training"]) == (200, "SGD", "false")
    ((utc,),) = rows(
        f"SELECT epoch_us(began) FROM '{tmp_path}/wagers.parquet' WHERE stream = 'table-1' LIMIT 1"
    )
    on_the_floor = EPOCH + datetime.timedelta(microseconds=utc, hours=9)  # type: ignore[arg-type]
    assert abs(told["began"] - on_the_floor.replace(tzinfo=None)) < datetime.timedelta(seconds=1)


async def test_without_duckdb_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtra):
        await export(MemoryStore(), (), tmp_path)
