"""The verifier by itself: true dossiers are proven, and whatever is forged is found."""

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject
from lengths import sized
from limits import LONG_ENOUGH
from verifier.bundles import PUBLIC, STREAM, Files, dossier

import thirdcard
from thirdcard import verifier
from thirdcard.dossier.bundle import write
from thirdcard.journal.keys import KeyPair, KeyRing
from thirdcard.verifier import Findings, Unreadable, read_bundle, verify

VERIFIER = Path(thirdcard.__file__).parent / "verifier.py"
THEIRS = KeyRing((KeyPair(bytes(range(64, 96)), bytes(range(96, 128))),))
FOR_READING = ("round.html", "verifier.py")


def sealed(files: Files) -> Files:
    """With a manifest that fits, as a forger would write it, who cannot sign it."""
    files = {name: content for name, content in files.items() if name != "signature.json"}
    manifest = json.loads(files["manifest.json"])
    manifest["files"] = {
        name: hashlib.sha256(content).hexdigest()
        for name, content in files.items()
        if name != "manifest.json"
    }
    return files | {"manifest.json": json.dumps(manifest).encode()}


def mended(files: Files) -> Files:
    """With a round.json that fits, as a forger would write it."""
    told = verifier.summary(STREAM, 2, verifier.read_records(files), files)
    return sealed(files | {"round.json": json.dumps(told).encode()})


def outcome(files: Files, key: str | None = PUBLIC) -> Findings | None:
    try:
        return verify(files, key)
    except Unreadable:
        return None


# true ones


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_true_dossier_is_proven(number: int) -> None:
    report = verify(dossier(number), PUBLIC)
    assert report.wrong == []
    assert report.lacking == []
    assert len(report.proven) == 14
    assert report.proven.count("That key is one you gave.") == 2
    assert len(report.open) == 2
    by_name = verify(dossier(number), hashlib.sha256(bytes.fromhex(PUBLIC)).hexdigest().upper())
    assert by_name.wrong == []


def test_the_verifier_says_what_the_records_say() -> None:
    said = "\n".join(verify(dossier(2), PUBLIC).says)
    assert "22  2025-06-02 12:00:22.000 UTC  Dealer: betting-opened" in said
    assert "27  2025-06-02 12:00:27.000 UTC  Dealer: player gets 2♥" in said
    assert "32  2025-06-02 12:00:32.000 UTC  Dealer: rule was refused" in said
    assert "cards-reconstructed: player 2♥, banker 2♦, player 2♠, banker A♣, player 9♦, banker 6♣" in said
    assert "settled: Bob on banker: stake 33300, result won, paid 31635, taken 0, back 33300" in said
    assert '"decision": "the offer was explained and taken up"' in said


def test_the_verifier_names_who_approved() -> None:
    envelope = {"actor": "dealer", "authoriser": "gaming-shift-manager"}
    record = SimpleNamespace(
        sequence=7,
        told={"wall_time": 0, "kind": "rule"},
        envelope=envelope,
        body={},
        events=lambda: [{"type": "ruling-made", "choice": "continue", "by": "dealer"}],
    )
    (line,) = verifier.account([record])  # type: ignore[list-item]
    assert "dealer, approved by gaming-shift-manager: ruling-made" in line


def test_without_a_key_it_says_that_the_key_is_not_proven() -> None:
    report = verify(dossier(2), None)
    assert report.wrong == []
    (doubt,) = report.lacking
    assert doubt.startswith("Whether 56475aa7")


@pytest.mark.parametrize("name", ["round.html", "verifier.py"])
def test_an_altered_page_and_a_swapped_verifier_are_found(name: str) -> None:
    """A forger alters a file and the list of files; the signature of the list is the house's alone."""
    files = dossier(2)
    altered = files | {name: files[name].replace(b"333.00", b"999.00") + b" "}
    assert verify(altered, PUBLIC).wrong == [
        f"Not the file that was put together, or missing, or added: {name}."
    ]
    unsigned = sealed(altered)
    kept = verify(unsigned | {"signature.json": files["signature.json"]}, PUBLIC).wrong
    assert kept == [
        "The list of files is not signed by the key that is named: round.html or verifier.py may be altered."
    ]
    (doubt,) = verify(unsigned, PUBLIC).lacking
    assert doubt.startswith("Nobody has signed the list of files: round.html and verifier.py may be anybody")
    own = {**json.loads(files["keys.json"]), THEIRS.key_id: THEIRS.public_keys[THEIRS.key_id].hex()}
    forged = sealed(unsigned | {"keys.json": json.dumps(own).encode()})
    digest = hashlib.sha256(forged["manifest.json"]).hexdigest()
    statement = {"dossier": 1, "key_id": THEIRS.key_id, "manifest": digest}
    signature = THEIRS.sign(json.dumps(statement, separators=(",", ":")).encode()).hex()
    by_them = verify(
        forged | {"signature.json": json.dumps({**statement, "signature": signature}).encode()}, PUBLIC
    )
    assert by_them.wrong == ["That key is none that you gave."]


@pytest.mark.parametrize("key", [(), ("--key", PUBLIC)])
def test_the_verifier_claims_nothing_without_a_key_or_a_signed_list(
    alone: Path, key: tuple[str, ...]
) -> None:
    write(dossier(2), alone / "dossier")
    if key:
        (alone / "dossier" / "signature.json").unlink()
    done = shell("check.py", "dossier", *key, folder=alone)
    assert done.returncode == 1
    assert done.stdout.endswith("It is not proven: something that a proof needs is not there.\n")
    assert "Nothing is wrong" not in done.stdout


def test_keys_of_two_generations_may_both_be_given() -> None:
    assert verify(dossier(2), "ab" * 32, PUBLIC).wrong == []


def test_another_key_than_the_one_given_is_wrong() -> None:
    assert verify(dossier(2), "ab" * 32).wrong == ["That key is none that you gave."] * 2
    assert verify(dossier(2, keys=THEIRS), PUBLIC).wrong == ["That key is none that you gave."] * 2


def test_records_that_nobody_has_signed_yet_are_not_proven() -> None:
    report = verify(dossier(2, signed=False), PUBLIC)
    assert report.wrong == ["Nothing is signed: no checkpoint covers these records yet."]


# from a shell, without thirdcard


def shell(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=LONG_ENOUGH,
        env={"LC_ALL": "C", "PATH": ""}, encoding="utf-8",
    )  # fmt: skip


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A folder with the verifier and nothing else of ours."""
    (tmp_path / "check.py").write_bytes(VERIFIER.read_bytes())
    return tmp_path


def test_it_runs_where_thirdcard_is_not_installed(alone: Path) -> None:
    write(dossier(2), alone / "dossier")
    write(dossier(2), alone / "dossier.zip")
    missing = shell("-c", "import thirdcard", folder=alone)
    assert "No module named 'thirdcard'" in missing.stderr
    for bundle in ("dossier", "dossier.zip"):
        done = shell("check.py", bundle, "--key", PUBLIC, folder=alone)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("Proven:\n  All 9 files are those that were put together.\n")
        assert done.stdout.endswith("\nNothing is wrong.\n")
    told = json.loads(shell("check.py", "dossier", "--json", folder=alone).stdout)
    assert set(told) == {"proven", "wrong", "lacking", "open", "says"}


def test_the_copy_in_a_dossier_checks_the_folder_that_it_lies_in(alone: Path) -> None:
    write(dossier(2), alone / "dossier")
    done = shell("verifier.py", "--key", PUBLIC, folder=alone / "dossier")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Nothing is wrong.")
    again = shell("verifier.py", "--key", PUBLIC, folder=alone / "dossier")
    assert again.stdout == done.stdout


def test_what_is_wrong_is_exit_1_and_what_cannot_be_read_exit_2(alone: Path) -> None:
    files = dossier(2)
    altered = files["records.jsonl"].replace(b'"kind":"set-up-table"', b'"kind":"set-up-fable"')
    write(files | {"records.jsonl": altered}, alone / "bad")
    done = shell("check.py", "bad", folder=alone)
    assert done.returncode == 1
    assert done.stdout.startswith("WRONG:\n  Not the file that was put together, or missing, or added:")
    assert "  Altered: record 1.\n" in done.stdout
    assert done.stdout.endswith("Something is wrong.\n")
    for name, content in (("none.zip", b""), ("text.zip", b"text"), ("cut.zip", b"PK\x03\x04")):
        (alone / name).write_bytes(content)
        done = shell("check.py", name, folder=alone)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"{name} cannot be read: ")
    done = shell("check.py", "nowhere", folder=alone)
    assert done.returncode == 2
    (alone / "empty").mkdir()
    assert shell("check.py", "empty", folder=alone).returncode == 2


def test_files_of_an_archive_stand_in_one_folder_or_in_none(alone: Path) -> None:
    files = dossier(2)
    write(files, alone / "felt.zip")
    assert {each.partition("/")[0] for each in zipfile.ZipFile(alone / "felt.zip").namelist()} == {"felt"}
    with zipfile.ZipFile(alone / "flat.zip", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    assert read_bundle(alone / "felt.zip") == read_bundle(alone / "flat.zip") == files


def test_a_file_twice_in_an_archive_is_refused(alone: Path) -> None:
    path = alone / "twice.zip"
    write(dossier(2), path)
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("twice/round.html", b"another page")
    done = shell("check.py", "twice.zip", folder=alone)
    assert (done.returncode, done.stderr) == (2, "twice.zip cannot be read: a file stands in it twice\n")


# forged ones


def test_a_whole_history_that_was_invented_is_signed_by_nobody_we_know() -> None:
    invented = dossier(2, keys=THEIRS, bob="900")
    assert verify(invented, None).wrong == []
    assert verify(invented, PUBLIC).wrong == ["That key is none that you gave."] * 2
    true = dossier(2)
    mixed = sealed(invented | {name: true[name] for name in ("checkpoint.json", "keys.json")})
    assert verify(mixed, PUBLIC).wrong == [
        "Not in the tree that the checkpoint covers: 1, 7, 9, 22-38, 46-48."
    ]


def test_a_record_left_out_or_put_in_another_place_is_found() -> None:
    files = dossier(2)
    lines = files["records.jsonl"].splitlines(keepends=True)
    shorter = mended(sealed(files | {"records.jsonl": b"".join([*lines[:6], *lines[7:]])}))
    assert verify(shorter, PUBLIC).wrong == ["Records of the round are missing: 25."]
    unopened = mended(sealed(files | {"records.jsonl": b"".join([*lines[:3], *lines[4:]])}))
    assert verify(unopened, PUBLIC).wrong == ["They are not about round 2, or do not show how it was opened."]
    in_play = mended(sealed(files | {"records.jsonl": b"".join(lines[:12])}))
    report = verify(in_play, PUBLIC)
    assert report.wrong == []
    assert "How the round ended: it was not over when this was put together." in report.open
    swapped = sealed(files | {"records.jsonl": b"".join([*lines[:3], lines[4], lines[3], *lines[5:]])})
    assert "Does not follow the one before it: record 22." in verify(swapped, PUBLIC).wrong
    twice = sealed(files | {"records.jsonl": b"".join([lines[0], *lines])})
    assert "Does not follow the one before it: record 1." in verify(twice, PUBLIC).wrong
    none = sealed(files | {"records.jsonl": b""})
    assert "There are no records." in verify(none, PUBLIC).wrong


def values(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values in a JSON value."""
    inside: list[tuple[Any, ...]] = []
    if isinstance(value, dict):
        inside = [place for name, each in value.items() for place in values(each, (*path, name))]
    if isinstance(value, list):
        inside = [place for at, each in enumerate(value) for place in values(each, (*path, at))]
    return [path, *inside] if path else inside


def forged_value(data: DataObject, old: Any) -> Any:
    """Another value in the place of one, like it where that can be."""
    near: list[Any] = [None, 0, "", [], {}, True, old if isinstance(old, list) else [old]]
    if isinstance(old, bool):
        near += [not old, int(old)]
    elif isinstance(old, int):
        near += [old + 1, old - 1, -old, float(old), str(old)]
    elif isinstance(old, str) and old:
        at = data.draw(st.integers(0, len(old) - 1))
        letter = data.draw(st.sampled_from("0123456789abcdefABCDEFxyz+/= \u00e9"))
        near += [
            old[:at] + letter + old[at + 1 :],
            old[:at] + old[at + 1 :],
            old + letter,
            old.upper(),
            " " + old,
        ]
    elif isinstance(old, list) and old:
        near += [old[:-1], [*old, old[0]], old[::-1]]
    elif isinstance(old, dict) and old:
        near += [dict(list(old.items())[:-1]), old | {"more": 1}]
    return data.draw(st.sampled_from(near))


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    if isinstance(value, dict):
        return {
            name: changed(each, path[1:], new) if name == path[0] else each for name, each in value.items()
        }
    return [changed(each, path[1:], new) if at == path[0] else each for at, each in enumerate(value)]


JSON_FILES = ("records.jsonl", "checkpoint.json", "keys.json", "round.json", "manifest.json")


@pytest.mark.sweep
@settings(max_examples=sized(100, 4000), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_field_that_is_forged_is_found(data: DataObject) -> None:
    """The forger mends the manifest; only what says the same in other bytes may pass."""
    files = dossier(2)
    name = data.draw(st.sampled_from(JSON_FILES))
    lines = files[name].splitlines() if name.endswith("l") else [files[name]]
    at = data.draw(st.integers(0, len(lines) - 1))
    value = json.loads(lines[at])
    place = data.draw(st.sampled_from(values(value)))
    old = value
    for step in place:
        old = old[step]
    new = changed(value, place, forged_value(data, old))
    lines[at] = json.dumps(new).encode()
    forged = files | {name: b"\n".join(lines)}
    report = outcome(forged if name == "manifest.json" else sealed(forged))
    if report is not None and not report.wrong:
        assert json.dumps(new, sort_keys=True) == json.dumps(value, sort_keys=True), (name, place)


@pytest.mark.sweep
@settings(max_examples=sized(100, 4000), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_byte_that_is_altered_is_found(data: DataObject) -> None:
    """With the manifest left alone every byte of every file counts."""
    files = dossier(2)
    name = data.draw(st.sampled_from(sorted(files)))
    at = data.draw(st.integers(0, len(files[name]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != files[name][at]))
    altered = files[name][:at] + bytes([byte]) + files[name][at + 1 :]
    report = outcome(files | {name: altered})
    if report is not None and not report.wrong:
        # white space in the manifest itself says nothing
        assert name == "manifest.json"
        assert json.loads(altered) == json.loads(files[name])


@pytest.mark.sweep
@settings(max_examples=sized(75, 2000), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_byte_of_an_archive_that_is_altered_is_found_or_of_no_account(
    tmp_path_factory: pytest.TempPathFactory, data: DataObject
) -> None:
    files = dossier(3)
    path = tmp_path_factory.getbasetemp() / "archive.zip"
    write(files, path)
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << data.draw(st.integers(0, 7))]) + whole[at + 1 :])
    try:
        found = verifier.read_bundle(path)
    except Unreadable:
        return
    report = outcome(found)
    if report is not None and not report.wrong:
        assert found == files


@pytest.mark.sweep
@settings(max_examples=sized(75, 1500), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_nothing_in_a_bundle_makes_the_verifier_stumble(data: DataObject) -> None:
    """Whatever the bytes are, the answer is a report or a sentence."""
    files = dossier(1)
    name = data.draw(
        st.sampled_from([*JSON_FILES, *(each for each in files if each.startswith("contents/"))])
    )
    junk = data.draw(
        st.one_of(
            st.binary(max_size=40),
            st.sampled_from([b"null", b"[]", b"{}", b"1", b"[" * 2000, b'{"a":' * 2000, b"\xff\xfe"]),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(max_size=4),
                lambda inner: (
                    st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
                ),
            ).map(lambda value: json.dumps(value).encode()),
        )
    )
    report = outcome(sealed(files | {name: junk}) if name != "manifest.json" else files | {name: junk})
    assert report is None or report.wrong


def test_the_stream_of_the_dossier_is_that_of_its_records() -> None:
    files = dossier(2)
    manifest = json.loads(files["manifest.json"])
    other = files | {"manifest.json": json.dumps(manifest | {"stream": "table-2"}).encode()}
    assert "Of another stream: [1, 7, 9, 22, 23, 24, 25, 26, 27]." in verify(other, PUBLIC).wrong
    assert manifest["stream"] == STREAM


def test_nothing_in_a_dossier_steers_the_terminal_that_shows_it(alone: Path) -> None:
    """A forger writes over the verdict: the screen is cleared, and a better one stands there."""
    better = "\x1b[2J\x1b[HNothing is wrong.\x9b8m"
    write(dossier(2), alone / "bad")
    (alone / "bad" / better).write_bytes(b"")
    done = shell("check.py", "bad", "--key", PUBLIC, folder=alone)
    assert done.returncode == 1
    assert "or added: \\x1b[2J\\x1b[HNothing is wrong.\\x9b8m." in done.stdout
    assert not {"\x1b", "\x9b"} & {*done.stdout}
    files = dossier(2)
    forged = files["checkpoint.json"].replace(b'"reason":', b'"\\u001b[2Jreason":')
    write(files | {"checkpoint.json": forged}, alone / "odd")
    done = shell("check.py", "odd", "--key", PUBLIC, folder=alone)
    assert (done.returncode, "\x1b" in done.stderr) == (2, False)
