"""Proofs that go on from where an earlier one ended give the same verdict; nothing else is made of a file."""

import asyncio
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from journal.journals import TRAINING, told_evening, write_file
from journal.test_archive import archive, command, play_days, rewrite

from thirdcard.auditor.resume import BadProof, ProofFile, read_proofs, thaw
from thirdcard.cli import run
from thirdcard.journal.software import SOFTWARE
from thirdcard.streams.opening import OpenedPlace, place

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def floor(tmp_path: Path) -> OpenedPlace:
    """A floor with two tables, three days old."""
    where = place(data=tmp_path / "here", key=tmp_path / "keys" / "floor.keys")
    asyncio.run(play_days(where, 3, ago=10))
    return where


def proof(where: OpenedPlace, capsys: Printed, *words: str) -> tuple[int, list[dict[str, Any]]]:
    capsys.readouterr()
    status = run([*command(where, "audit", "verify"), "--json", *words])
    return status, json.loads(capsys.readouterr().out)["streams"]


def without(streams: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{name: each[name] for name in each if name not in names} for each in streams]


def test_a_proof_that_goes_on_says_what_a_whole_one_says(floor: OpenedPlace, capsys: Printed) -> None:
    file = floor.data.with_name("proven.json")
    assert proof(floor, capsys, "--proven", str(file))[0] == 0
    assert file.stat().st_mode & 0o777 == 0o600
    archive(floor)
    asyncio.run(play_days(floor, 1, ago=3))
    status, went_on = proof(floor, capsys, "--proven", str(file))
    assert status == 0
    since = {each["stream"]: each["since"] for each in went_on}
    assert since["six"] > 0
    assert since["six"] < next(each["records"] for each in went_on if each["stream"] == "six")
    _, whole = proof(floor, capsys)
    # the volumes are not read again: the record at the place of the proof leads to all before it
    assert without(went_on, "since") == without(whole, "since")
    floor.archive.rename(floor.archive.with_name("elsewhere"))
    assert proof(floor, capsys, "--proven", str(file))[0] == 0


def test_a_proof_that_goes_on_finds_what_is_wrong_since(tmp_path: Path, capsys: Printed) -> None:
    where = place(data=tmp_path, key=tmp_path.with_name("keys"))
    asyncio.run(write_file(tmp_path, told_evening("evening", TRAINING)))
    file = tmp_path.with_name(f"{tmp_path.name}.json")
    data = ["audit", "verify", "--data", str(where.data), "--proven", str(file)]
    assert run(data) == 0
    kept = json.loads(file.read_bytes())
    kept["streams"][0]["digest"] = "ab" * 32
    rewrite(file, json.dumps(kept).encode())
    capsys.readouterr()
    assert run(data) == 1
    assert "is not the one up to which the stream was proven before" in capsys.readouterr().out


def test_another_build_proves_everything(floor: OpenedPlace, capsys: Printed) -> None:
    file = floor.data.with_name("proven.json")
    assert proof(floor, capsys, "--proven", str(file))[0] == 0
    rewrite(file, file.read_bytes().replace(SOFTWARE.encode(), b"0.0.1"))
    status, streams = proof(floor, capsys, "--proven", str(file))
    assert (status, {each["since"] for each in streams}) == (0, {0})


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "does not say what was proven"),
        (b"[]", "does not say what was proven"),
        (msgspec.json.encode(ProofFile(software=SOFTWARE, keys=("ab",), streams=())), "with other keys"),
    ],
)
def test_a_file_that_is_no_proof_is_refused(content: bytes, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "proven.json"
    file.write_bytes(content)
    with pytest.raises(BadProof, match=problem):
        read_proofs(file, None)


class Calls:
    """An object that calls something when it is read."""

    def __init__(self, what: Callable[..., object], *given: object) -> None:
        self.made = what, given

    def __reduce__(self) -> Any:
        return self.made


@pytest.mark.parametrize(
    "forged",
    [
        Calls(Path, "x"),
        Calls(exec, "raise SystemExit"),
        Calls(getattr, "x", "upper"),
        Calls(run, ["doctor"]),
        Calls(thaw, b""),
        {"a": 1},
    ],
)
def test_nothing_but_a_proof_is_made_of_a_state(forged: object) -> None:
    with pytest.raises(BadProof, match="cannot be read"):
        thaw(pickle.dumps(forged))


@pytest.mark.parametrize("name", ["io.FileIO", "Path", "StreamProof.__class__"])
def test_a_state_reaches_nothing_through_a_module_of_ours(name: str, tmp_path: Path) -> None:
    """A module of ours has the modules that it imports as names: one of theirs would empty any file."""
    kept = tmp_path / "kept"
    kept.write_text("all of it", "utf-8")
    module = b"thirdcard.auditor.resume"
    called = b"".join(
        (
            b"\x80\x04",
            *(b"\x8c" + bytes([len(each)]) + each for each in (module, name.encode())),
            b"\x93",  # the name of the module
            *(b"\x8c" + bytes([len(each)]) + each for each in (str(kept).encode(), b"w")),
            b"\x86R.",  # called with two texts
        )
    )
    with pytest.raises(BadProof, match="is no part of a proof"):
        thaw(called)
    assert kept.read_text("utf-8") == "all of it"


def test_a_proof_of_the_chain_alone_is_no_proof_to_go_on_from(floor: OpenedPlace, capsys: Printed) -> None:
    assert run([*command(floor, "audit", "verify"), "--chain", "--proven", "x"]) == 2
    assert "leave --chain away" in capsys.readouterr().err
