"""``thirdcard report``: gaming days, shifts and tables of a journal, for people and for programs."""

import asyncio
import csv
import io
import json
from pathlib import Path

import pytest
from journal.journals import EVENING, random_evening, told_evening, write

from thirdcard.cli import run
from thirdcard.journal.sqlite.store import SqliteStore

Printed = pytest.CaptureFixture[str]


async def _write(file: Path) -> None:
    store = SqliteStore(file)
    await write(store, told_evening("table-1", EVENING.read_text("utf-8")))
    await write(store, random_evening("table-2", 30, 6, "mbs-super-six-etg-v3"))
    await store.close()


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report") / "floor"
    folder.mkdir()
    asyncio.run(_write(folder / "journal.sqlite"))
    return str(folder)


DATES = ("--from", "2025-06-01", "--to", "2025-06-03")


def rows(capsys: Printed, *words: str) -> list[dict[str, str]]:
    assert run(["report", *words, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_day_has_lines_for_all_tables_and_for_each_part(floor: str, capsys: Printed) -> None:
    found = rows(capsys, "day", "--data", floor, *DATES)
    assert {row["of"] for row in found} == {"all", "table", "game", "dealer", "wager"}
    (whole,) = [row for row in found if row["of"] == "all"]
    tables = [row for row in found if row["of"] == "table"]
    assert {row["name"] for row in tables} == {"table-1", "table-2"}
    for column in ("turnover", "win", "besides"):
        assert float(whole[column]) == pytest.approx(sum(float(row[column]) for row in tables))


def test_shifts_add_up_to_the_day(floor: str, capsys: Printed) -> None:
    shifts = ("--shift", "06:00", "--shift", "14:00", "--shift", "22:00", "--zone", "Asia/Singapore")
    day = [row for row in rows(capsys, "day", "--data", floor, *DATES, *shifts) if row["of"] == "all"]
    parts = [row for row in rows(capsys, "shift", "--data", floor, *DATES, *shifts) if row["of"] == "all"]
    assert sum(float(row["turnover"]) for row in parts) == sum(float(row["turnover"]) for row in day)
    assert {row["begins"][-6:] for row in parts} == {"+08:00"}


def test_a_table_is_reported_alone(floor: str, capsys: Printed) -> None:
    found = rows(capsys, "table", "table-1", "--data", floor, *DATES)
    assert {row["name"] for row in found if row["of"] == "table"} == {"table-1"}
    assert {row["begins"] for row in found} == {"2025-06-01T06:00+00:00"}
    assert {row["ends"] for row in found} == {"2025-06-04T06:00+00:00"}


def test_csv_has_numbers_and_the_same_rows(floor: str, capsys: Printed) -> None:
    told = rows(capsys, "day", "--data", floor, *DATES)
    assert run(["report", "day", "--data", floor, *DATES, "--csv"]) == 0
    read = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["win"] for row in read] == [row["win"] for row in told]
    assert list(read[0]) == list(told[0])


def test_people_read_tables_and_what_they_mean(floor: str, capsys: Printed) -> None:
    assert run(["report", "shift", "--data", floor, *DATES]) == 0
    out = capsys.readouterr().out
    for said in ("shift 1", "Tables", "Games", "Dealers", "Wagers", "All tables", "Expected win is what"):
        assert said in out


def test_a_time_without_records_says_so(floor: str, capsys: Printed) -> None:
    assert run(["report", "day", "--data", floor, "--from", "1999-01-01"]) == 0
    assert "Nothing happened at these tables" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("day", "--from", "yesterday"), "yesterday is no date"),
        (("day", "--from", "2025-06-02", "--to", "2025-06-01"), "The last day is before the first"),
        (("shift", "--from", "2020-01-01", "--to", "2025-06-01"), "Ask for 366 at most"),
        (("day", "--from", "2025-06-01", "--zone", "Mars"), "There is no time zone Mars"),
        (("day", "--from", "2025-06-01", "--shift", "25:00"), "25:00 is no time of day"),
        (("table", "table-9", "--from", "2025-06-01"), "table-9"),
    ],
)
def test_what_cannot_be_reported_is_named(
    floor: str, capsys: Printed, words: tuple[str, ...], says: str
) -> None:
    assert run(["report", *words, "--data", floor]) == 2
    assert says in capsys.readouterr().err
