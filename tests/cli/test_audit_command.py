"""``thirdcard audit``: what it prints, what it writes, and its exit status."""

import asyncio
import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from journal.journals import EVENING, KEYS, PAIR, Result, random_evening, told_evening, write, write_file
from limits import LONG_ENOUGH
from msgspec.structs import replace

from thirdcard.cli import run
from thirdcard.cli.proving import number_of_workers
from thirdcard.game.events import CardDrawn
from thirdcard.journal.keys import KeyFile, open_key_file, write_key_file
from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.software import SOFTWARE
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.refusals import Refused

WHOLE = (
    "The journal is whole: 49 records in 1 streams. 49 are signed; of 0 older ones 0 are covered"
    " by what was signed later and 0 by nothing."
)
Printed = pytest.CaptureFixture[str]
THIRDCARD = str(Path(sys.executable).parent / "thirdcard")
PUBLIC = KEYS.public_keys[KEYS.key_id].hex()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    evenings = (
        told_evening("table-1", EVENING.read_text("utf-8")),
        random_evening("table-2", 4, 4, "mbs-super-six-etg-v3"),
    )
    asyncio.run(write_file(folder, *evenings, snapshot=30))
    return folder


def alter(data: Path, sql: str) -> None:
    connection = sqlite3.connect(data / "journal.sqlite", isolation_level=None)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(sql)
    connection.close()


# whoever wrote it


def test_what_a_patron_wrote_steers_no_terminal(tmp_path: Path, capsys: Printed) -> None:
    """Clear the screen, turn the line, and say something else: the auditor reads all of it."""
    wrote = "\x1b[2J\x9b31m\u202e.doog si llA"
    text = EVENING.read_text("utf-8").replace("her wager on Player was gone", f"her wager {wrote} was gone")
    asyncio.run(write_file(tmp_path, told_evening("table-1", text)))
    assert run(["audit", "round", "table-1", "2", "--data", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert not {"\x1b", "\x9b", "\u202e"} & {*shown}
    assert "\\u001b[2J\\u009b31m\\u202e.doog si llA" in re.sub(r"[│\s]+", " ", shown)


# verify


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize(
    "damage", ["", "UPDATE record SET body = x'00' WHERE stream = 'table-2' AND sequence = 9"]
)
def test_the_verdict_is_the_same_bytes_whatever_the_workers(
    data: Path, capsys: Printed, form: list[str], damage: str
) -> None:
    alter(data, damage)
    printed = set()
    for workers in ("1", "2", "5"):
        status = run(["audit", "verify", "--data", str(data), "--workers", workers, *form])
        printed.add((status, capsys.readouterr().out))
    ((status, out),) = printed
    assert status == bool(damage)
    assert "table-1" in out
    assert "table-2" in out


def test_workers_find_a_record_of_a_newer_build_as_one_does(data: Path, capsys: Printed) -> None:
    alter(data, "UPDATE record SET version = 99, software = '9.0.0+form99.engine99' WHERE sequence = 7")
    printed = set()
    for workers in ("1", "2"):
        assert run(["audit", "verify", "--data", str(data), "--workers", workers]) == 2
        printed.add(capsys.readouterr().err)
    (err,) = printed
    assert "table-1, record 7: it has form 99" in err


def test_no_worker_is_too_few(data: Path, capsys: Printed) -> None:
    assert run(["audit", "verify", "--data", str(data), "--workers", "0"]) == 2
    assert "--workers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("records", "cores", "workers"), [(0, 4, 1), (9_999, 4, 1), (25_000, 4, 2), (10**6, 4, 4)]
)
def test_a_short_journal_has_fewer_workers(
    monkeypatch: pytest.MonkeyPatch, records: int, cores: int, workers: int
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    assert number_of_workers(None, records) == workers


def test_a_whole_journal_is_exit_0(data: Path, tmp_path: Path, capsys: Printed) -> None:
    assert run(["audit", "verify", "--data", str(data)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "table-1: 49 records, 49 signed, 3 rounds, 5 wagers settled, 5 checkpoints,"
        " signed up to record 49. Whole."
    )
    assert lines[2] == (
        f"Signed by {KEYS.key_id}: compare this with what the house has published, or give --key."
    )
    assert lines[3].startswith("The journal is whole: ")
    keys = tmp_path / "public"
    keys.write_text(f"# our key\n{PUBLIC}\n", "utf-8")
    assert run(["audit", "verify", "--data", str(data), "--key", str(keys), "--stream", "table-1"]) == 0
    verdict, covered, about_its_end = capsys.readouterr().out.splitlines()[1:]
    assert covered == "Checkpoints cover 49 of them, checkpoints kept elsewhere 0, marks kept elsewhere 0."
    assert verdict == WHOLE
    assert about_its_end.startswith("Whether the end of the journal was cut off")


def test_a_bad_record_is_exit_1_and_named(data: Path, capsys: Printed) -> None:
    alter(data, "DELETE FROM record WHERE stream = 'table-1' AND sequence = 21")
    assert run(["audit", "verify", "--data", str(data)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "table-1: 20 records, 20 signed, 1 rounds, 3 wagers settled, 2 checkpoints, signed up to record 20. "
        "The first bad record is 21.",
        "       21  Record 21 is missing; the next one is 22.",
    ]
    assert lines[2].endswith("Whole.")
    assert lines[-1] == "The journal is not whole: 1 findings in 1 of 2 streams."


def test_findings_come_as_json_too(data: Path, capsys: Printed) -> None:
    alter(data, "UPDATE record SET run = 'other' WHERE stream = 'table-1' AND sequence = 7")
    assert run(["audit", "verify", "--data", str(data), "--chain", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["whole"] is False
    first = told["streams"][0]
    assert (first["stream"], first["first_bad"], first["records"], first["rounds"]) == ("table-1", 7, 6, None)
    assert first["findings"] == [
        {
            "record": 7,
            "what": "record-altered",
            "says": "Record 7 was altered: its bytes no longer give its digest.",
        }
    ]


@pytest.mark.parametrize(("software", "status"), [("0.0.1", 0), (SOFTWARE, 1)])
def test_what_is_decided_otherwise_is_a_note_or_a_finding_and_the_rest_is_counted(
    tmp_path: Path, capsys: Printed, software: str, status: int
) -> None:
    played = random_evening("table-1", 40, 4, "mbs-tiger-v3")
    deeds = tuple((command, _by_somebody(result)) for command, result in played.deeds)
    drawn = sum(result != before for (_, result), (_, before) in zip(deeds, played.deeds, strict=True))
    assert drawn > 150

    async def written() -> None:
        store = SqliteStore(tmp_path / "journal.sqlite")
        await write(store, replace(played, deeds=deeds), software=software)
        await store.close()

    asyncio.run(written())
    assert run(["audit", "verify", "--data", str(tmp_path)]) == status
    lines = capsys.readouterr().out.splitlines()
    (first,) = [line for line in lines if "is decided otherwise" in line][:1]
    said = 'recorded card-drawn with by "Somebody"; decided again card-drawn with by "Table".'
    assert first.endswith(said)
    assert ("(note) " in first) is (status == 0)
    (more,) = [line.split() for line in lines if line.strip().startswith("and ")]
    assert (more[0], more[2:]) == ("and", ["more", "notes" if status == 0 else "findings"])
    assert int(more[1]) >= drawn - 100


def _by_somebody(result: Result) -> Result:
    if isinstance(result, Refused):
        return result
    return tuple(replace(event, by="Somebody") if isinstance(event, CardDrawn) else event for event in result)


def test_checkpoints_kept_elsewhere_find_a_cut_tail(data: Path, tmp_path: Path, capsys: Printed) -> None:
    kept = tmp_path / "kept.jsonl"
    assert run(["audit", "checkpoints", "--data", str(data), "-o", str(kept)]) == 0
    assert run(["audit", "checkpoints", "--data", str(data)]) == 0
    assert capsys.readouterr().out == kept.read_text("utf-8")
    assert run(["audit", "verify", "--data", str(data), "--checkpoints", str(kept)]) == 0
    assert "5 checkpoints kept elsewhere, in agreement up to record 49. Whole." in capsys.readouterr().out
    for table in ("record", "checkpoint"):
        alter(data, f"DELETE FROM {table} WHERE stream = 'table-1'")
    alter(data, "DELETE FROM snapshot")
    assert run(["audit", "verify", "--data", str(data)]) == 0
    assert run(["audit", "verify", "--data", str(data), "--checkpoints", str(kept)]) == 1
    assert "The stream ends at record 0, but a checkpoint kept elsewhere" in capsys.readouterr().out
    kept.write_text("nonsense\n", "utf-8")
    assert run(["audit", "verify", "--data", str(data), "--checkpoints", str(kept)]) == 2
    assert f"{kept}, line 1: JSON is malformed" in capsys.readouterr().err


def test_a_key_file_of_a_floor_is_taken_too(data: Path, tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "keys.toml"
    ring = open_key_file(file)
    assert run(["audit", "verify", "--data", str(data), "--key", str(file), "--stream", "table-1"]) == 1
    assert f"The key {KEYS.key_id} has signed, which is none of the keys given." in capsys.readouterr().out
    file.chmod(0o644)
    assert run(["audit", "verify", "--data", str(data), "--key", str(file)]) == 2
    assert "can be read by others" in capsys.readouterr().err
    assert ring.key_id != KEYS.key_id


def test_a_file_without_keys_is_exit_2(data: Path, tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "keys"
    for content in (b"", b"# nothing\n", b"abc\n", b"\xff"):
        file.write_bytes(content)
        assert run(["audit", "verify", "--data", str(data), "--key", str(file)]) == 2
    assert run(["audit", "verify", "--data", str(data), "--key", str(tmp_path / "none")]) == 2
    assert "No such file or directory" in capsys.readouterr().err


def test_a_journal_that_is_not_there_or_none_is_exit_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.setenv("THIRDCARD_DATA", str(tmp_path / "usual"))
    assert run(["audit", "verify"]) == 2
    assert f"{tmp_path / 'usual' / 'journal.sqlite'}: the file cannot be opened" in capsys.readouterr().err
    assert run(["audit", "verify", "--data", str(tmp_path), "--postgres", "postgresql:///"]) == 2
    assert "A folder and a database are both given" in capsys.readouterr().err
    assert run(["audit", "verify", "--data", str(tmp_path)]) == 2
    assert "the file cannot be opened" in capsys.readouterr().err
    (tmp_path / "journal.sqlite").write_bytes(b"not a database" * 1000)
    assert run(["audit", "verify", "--data", str(tmp_path)]) == 2
    assert "the file is damaged" in capsys.readouterr().err


def test_an_unknown_stream_is_exit_2(data: Path, capsys: Printed) -> None:
    for command in (["verify"], ["replay"], ["checkpoints"]):
        assert run(["audit", *command, "--data", str(data), "--stream", "table-9"]) == 2
        expected = "thirdcard: There is no stream table-9. Choose from: table-1, table-2.\n"
        assert capsys.readouterr().err == expected


def test_a_journal_in_postgres_is_proven_by_its_address(postgres_url: str, capsys: Printed) -> None:
    async def written() -> None:
        store = await PostgresStore.open(postgres_url)
        try:
            await write(store, told_evening("table-1", EVENING.read_text("utf-8")), snapshot=30)
        finally:
            await store.close()

    asyncio.run(written())
    assert run(["audit", "verify", "--postgres", postgres_url]) == 0
    assert WHOLE in capsys.readouterr().out
    assert run(["audit", "round", "table-1", "1", "--postgres", postgres_url]) == 0


def test_a_journal_in_postgres_needs_asyncpg_and_a_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Printed
) -> None:
    assert run(["audit", "verify", "--postgres", f"postgresql:///floor?host={tmp_path}"]) == 2
    assert "thirdcard: " in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "thirdcard.journal.postgres.store", None)
    assert run(["audit", "verify", "--postgres", "postgresql:///floor"]) == 2
    assert "pip install 'thirdcard[postgres]'" in capsys.readouterr().err


def test_a_journal_can_be_proven_while_a_server_writes_it(tmp_path: Path) -> None:
    async def serve() -> tuple[int, str]:
        store = SqliteStore(tmp_path / "journal.sqlite")
        await write(store, told_evening("table-1", EVENING.read_text("utf-8")))
        proving = await asyncio.create_subprocess_exec(
            THIRDCARD, "audit", "verify", "--data", str(tmp_path), stdout=asyncio.subprocess.PIPE
        )
        for number in range(2, 12):
            await write(store, random_evening(f"table-{number}", 3, number, "mbs-tiger-v3"))
        out, _ = await proving.communicate()
        await store.close()
        return proving.returncode or 0, out.decode()

    status, out = asyncio.run(serve())
    assert status == 0, out
    assert "table-1: 49 records" in out


def test_a_person_at_a_terminal_sees_a_bar(data: Path) -> None:
    theirs, ours = pty.openpty()
    with subprocess.Popen(
        [THIRDCARD, "audit", "verify", "--data", str(data)], stdout=subprocess.PIPE, stderr=ours
    ) as process:
        out, _ = process.communicate(timeout=LONG_ENOUGH)
    os.close(ours)
    shown = os.read(theirs, 100_000).decode()
    os.close(theirs)
    assert "Verifying" in shown
    assert b"Verifying" not in out


# replay


def test_a_replay_shows_the_state_after_a_record(data: Path, capsys: Printed) -> None:
    command = ["audit", "replay", "--data", str(data), "--stream", "table-1", "--until", "33"]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("table-1 after record 33\n")
    for text in ("P:2H B:2D P:2S B:AC", "Bob banker 33300", "Several cards drawn at once", "dealing"):
        assert text in shown
    assert run([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["records"], told["state"]["table"]["round"]["number"]) == (33, 2)


def test_a_replay_that_differs_is_exit_1(data: Path, capsys: Printed) -> None:
    alter(data, "UPDATE record SET body = x'7b7d' WHERE stream = 'table-1' AND sequence = 20")
    assert run(["audit", "replay", "--data", str(data), "--stream", "table-1"]) == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("table-1 after record 19\n")
    assert shown.err.startswith("thirdcard: table-1: Record 20 cannot be understood: ")


def test_a_record_that_cannot_be_understood_ends_other_questions(data: Path, capsys: Printed) -> None:
    alter(data, "UPDATE record SET body = x'7b7d' WHERE stream = 'table-1' AND sequence = 20")
    assert run(["audit", "round", "table-1", "1", "--data", str(data)]) == 2
    said = "thirdcard: table-1, record 20 cannot be read: Object missing required field `command`\n"
    assert capsys.readouterr().err == said


# round, dossier, export


def test_a_round_is_told_with_clause_and_person(data: Path, capsys: Printed) -> None:
    assert run(["audit", "round", "table-1", "2", "--data", str(data)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Round 2 at table-1\n")
    for text in ("Pit Manager", "5.8.2.2", "Player gets 2♥.", "20:00:35", "316.35", "Dispute 1 is closed."):
        assert text in shown
    assert run(["audit", "round", "table-1", "3", "--data", str(data)]) == 0
    assert "Disputes" not in capsys.readouterr().out
    assert run(["audit", "round", "table-1", "2", "--data", str(data), "--json"]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [step["record"] for step in steps] == [*range(22, 39), 46, 47, 48]


def test_a_round_that_is_not_there_is_exit_2(data: Path, capsys: Printed) -> None:
    assert run(["audit", "round", "table-1", "9", "--data", str(data)]) == 2
    assert "table-1 has no round 9." in capsys.readouterr().err
    assert run(["audit", "dossier", "table-3", "1", "--data", str(data), "-o", "x"]) == 2


def test_a_dossier_is_a_folder_or_a_zip_and_checks_itself(
    data: Path, tmp_path: Path, capsys: Printed
) -> None:
    write_key_file(tmp_path / "floor.keys", KeyFile(2, (PAIR,)))
    key = ["--key", str(tmp_path / "floor.keys")]
    for target in (tmp_path / "dossier", tmp_path / "dossier.zip"):
        assert run(["audit", "dossier", "table-1", "2", "--data", str(data), "-o", str(target), *key]) == 0
        assert capsys.readouterr().out == f"The dossier is in {target}; verifier.py in it checks it.\n"
    inside = {
        each.relative_to(tmp_path / "dossier").as_posix() for each in (tmp_path / "dossier").rglob("*.*")
    }
    assert {f"dossier/{each}" for each in inside} == set(zipfile.ZipFile(tmp_path / "dossier.zip").namelist())
    done = subprocess.run(
        [sys.executable, "-I", "-S", "verifier.py", "--key", PUBLIC],
        cwd=tmp_path / "dossier",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Nothing is wrong.")
    blocked = data / "journal.sqlite" / "dossier"
    assert run(["audit", "dossier", "table-1", "2", "--data", str(data), "-o", str(blocked)]) == 2


def test_a_round_and_the_verdict_are_told_in_chinese(data: Path, capsys: Printed) -> None:
    assert run(["--language", "zh-Hans", "audit", "round", "table-1", "2", "--data", str(data)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "闲得 2♥。" in told
    assert "庄" in told
    assert "Banker" not in told
    assert run(["audit", "verify", "--data", str(data), "--language", "zh-Hans"]) == 0
    assert "记录完整：2 个流共" in capsys.readouterr().out


def test_a_dossier_of_records_that_nobody_signed_is_exit_1(
    data: Path, tmp_path: Path, capsys: Printed
) -> None:
    alter(data, "DELETE FROM checkpoint")
    target = tmp_path / "dossier"
    assert run(["audit", "dossier", "table-1", "2", "--data", str(data), "-o", str(target)]) == 1
    assert "No checkpoint covers all of these records yet" in capsys.readouterr().err


def test_an_export_needs_duckdb_and_a_folder(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    target = tmp_path / "tables"
    assert run(["audit", "export", "--data", str(data), "-o", str(target)]) == 0
    assert re.fullmatch(
        rf"\d+ rounds, \d+ wagers, \d+ movements of money, \d+ incidents and \d+ meters are in {target}\.\n",
        capsys.readouterr().out,
    )
    assert run(["audit", "export", "--data", str(data), "-o", str(data / "journal.sqlite")]) == 2
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert run(["audit", "export", "--data", str(data), "-o", str(target)]) == 2
    assert 'pip install "thirdcard[export]"' in capsys.readouterr().err


def test_checkpoints_cannot_be_written_where_nothing_can(data: Path, capsys: Printed) -> None:
    target = data / "journal.sqlite" / "kept"
    assert run(["audit", "checkpoints", "--data", str(data), "-o", str(target)]) == 2
    assert "cannot be written" in capsys.readouterr().err
