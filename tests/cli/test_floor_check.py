"""``thirdcard doctor --floor``: it names what is in the way of a floor before it is opened."""

import asyncio
import json
import shutil
import socket
from pathlib import Path

import pytest
from journal.test_archive import archive, play_days

from thirdcard.cli import run
from thirdcard.streams.opening import OpenedPlace, place

Printed = pytest.CaptureFixture[str]
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "floor.toml"


@pytest.fixture
def floor(tmp_path: Path) -> OpenedPlace:
    """A floor that was played at, with an archive."""
    where = place(data=tmp_path / "here", key=tmp_path / "keys" / "floor.keys")
    asyncio.run(play_days(where, 2, ago=10))
    archive(where)
    shutil.copy(EXAMPLE, tmp_path / "floor.toml")
    return where


def checked(
    where: OpenedPlace, capsys: Printed, *words: str, listen: str = "127.0.0.1:0"
) -> tuple[int, dict[str, tuple[str, str]]]:
    """The exit status, and by what was looked at the result and the sentence."""
    capsys.readouterr()
    here = ["--data", str(where.data), "--key", str(where.key)]
    file = where.data.with_name("floor.toml")
    status = run(["doctor", "--floor", str(file), *here, "--listen", listen, *words, "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["ready"] is (status == 0)
    found: dict[str, tuple[str, str]] = {}
    for each in told["checks"]:
        if found.get(each["about"], ("", ""))[0] != "bad":
            found[each["about"]] = each["result"], each["says"]
    return status, found


def test_a_floor_that_is_ready_has_nothing_in_its_way(floor: OpenedPlace, capsys: Printed) -> None:
    status, found = checked(floor, capsys)
    assert status == 0
    assert {about: result for about, (result, _) in found.items()} == dict.fromkeys(
        ("floor", "shelf", "keys", "folders", "journal", "mark", "archive", "disk", "port"), "good"
    )
    assert found["shelf"][1].startswith("Games: hoiana-tiger-2024/commission, ")
    assert found["archive"][1].startswith("All 2 volumes are in ")


def test_a_new_floor_has_only_what_the_first_start_makes(tmp_path: Path, capsys: Printed) -> None:
    shutil.copy(EXAMPLE, tmp_path / "floor.toml")
    new = OpenedPlace(tmp_path / "here", tmp_path / "keys" / "floor.keys")
    status, found = checked(new, capsys)
    assert (status, found["keys"][0], found["journal"][0]) == (0, "odd", "odd")
    assert not new.data.exists()
    assert not new.key.exists()


def test_each_thing_in_the_way_is_named(floor: OpenedPlace, capsys: Printed) -> None:
    key = floor.key.read_bytes()

    def bad(about: str, says: str, *words: str, listen: str = "127.0.0.1:0") -> None:
        status, found = checked(floor, capsys, *words, listen=listen)
        assert (status, found[about][0]) == (1, "bad")
        assert says in found[about][1]

    file = floor.data.with_name("floor.toml")
    file.write_text(file.read_text("utf-8").replace("mbs-tiger-v3", "mbs-tigre-v3"), "utf-8")
    bad("floor", "mbs-tiger-v3")  # the one that was perhaps meant
    shutil.copy(EXAMPLE, file)
    floor.journal.chmod(0o644)
    bad("folders", f"Others can read {floor.journal}")
    floor.journal.chmod(0o600)
    floor.key.chmod(0o640)
    bad("keys", "can be read by others")
    floor.key.unlink()
    bad("keys", "but the floor has begun")
    assert run(["key", "replace-lost", "--published", "x", "--key", str(floor.key)]) == 2
    floor.key.write_bytes(key)
    floor.key.chmod(0o600)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        bad("port", "Nobody can listen at", listen=f"127.0.0.1:{taken.getsockname()[1]}")
    bad("certificate", "nowhere", "--tls-cert", "nowhere", "--tls-key", "nowhere")
    (floor.archive / "000002.frames.gz").unlink()
    bad("archive", "lacks the volumes 000002")
    floor.journal.write_bytes(b"x" * 4096)
    bad("journal", "damaged")


def test_a_database_out_of_reach_is_in_the_way(floor: OpenedPlace, capsys: Printed) -> None:
    file = floor.data.with_name("floor.toml")
    words = ["--postgres", "postgresql://nobody@127.0.0.1:1/floor", "--listen", "127.0.0.1:0"]
    assert run(["doctor", "--floor", str(file), "--key", str(floor.key), *words]) == 1
    assert "out of reach" in capsys.readouterr().out.replace("\n", " ")
