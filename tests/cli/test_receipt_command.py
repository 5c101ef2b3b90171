"""``thirdcard receipt verify``: a patron finds out whether the house has signed a receipt."""

import io
import json
import sys
from pathlib import Path

import msgspec
import pytest

from thirdcard.cli import run
from thirdcard.journal.groups import sign_group
from thirdcard.journal.keys import KeyRing, new_keys, open_key_file
from thirdcard.journal.record import Record
from thirdcard.server.commands import receipt_of_record
from thirdcard.wire.receipts import NotAReceipt, Receipt, read_receipt

KEYS = KeyRing((new_keys(),))
RECORD = Record(
    stream="Six",
    kind="place-wager",
    version=7,
    command_id="0123456789abcdef",
    envelope=b'{"actor":"Ann"}',
    body=b"{}",
    wall_time=1_748_865_613_000_000,
    monotonic=0,
    run="",
    rulebook="",
    house="",
    software="",
    sequence=13,
    previous=bytes(32),
    digest=bytes(range(32)),
)
Printed = pytest.CaptureFixture[str]


def old_receipt(keys: KeyRing, says: str) -> Receipt:
    """A receipt of form 1, as older builds have signed them."""
    receipt = Receipt(
        table=RECORD.stream,
        sequence=RECORD.sequence,
        command_id=RECORD.command_id,
        actor="Ann",
        kind=RECORD.kind,
        says=says,
        at=RECORD.wall_time,
        digest=RECORD.digest.hex(),
        key_id=keys.key_id,
    )
    told = msgspec.structs.asdict(receipt)
    del told["group"]
    signature = keys.sign(msgspec.json.encode(told, order="sorted"))
    return msgspec.structs.replace(receipt, signature=signature.hex())


def written(
    folder: Path, keys: KeyRing = KEYS, *, altered: dict[str, object] | None = None, form: int = 2
) -> Path:
    """A receipt as a patron keeps it, with some values altered."""
    says = "SGD 100.00 placed on player."
    if form == 1:
        receipt = old_receipt(keys, says)
    else:
        others = tuple(msgspec.structs.replace(RECORD, sequence=number) for number in range(1, 6))
        group = (*others, msgspec.structs.replace(RECORD, says=says))
        found = receipt_of_record(sign_group(keys, group)[-1])
        assert found is not None
        receipt = found
    file = folder / "receipt.json"
    file.write_text(json.dumps(msgspec.to_builtins(receipt) | (altered or {}), indent=2), "utf-8")
    return file


@pytest.fixture
def published(tmp_path: Path) -> str:
    """The public keys of the house, as it publishes them."""
    file = tmp_path / "house.keys"
    file.write_text("# keys of the house\n" + "\n".join(each.hex() for each in KEYS.public_keys.values()))
    return str(file)


def verify(file: Path | str, *more: str) -> int:
    return run(["receipt", "verify", str(file), *more])


@pytest.mark.parametrize("form", [1, 2])
def test_a_receipt_of_the_house_is_genuine(
    form: int, tmp_path: Path, published: str, capsys: Printed
) -> None:
    assert verify(written(tmp_path, form=form), "--key", published) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Genuine: the key {KEYS.key_id} has signed this receipt, and nothing in it was altered." in shown
    for part in ("SGD 100.00 placed on player.", "2025-06-02 12:00:13 UTC", "Ann", "13 of table Six"):
        assert part in shown


@pytest.mark.parametrize(
    "altered",
    [
        {"says": "SGD 900.00 placed on player."},
        {"sequence": 14},
        {"actor": "Bob"},
        {"digest": "00" * 32},
        {"signature": "00" * 64},
        {"signature": ""},
        {"signature": "not hexadecimal"},
        {"receipt": 2, "group": None},
        {"receipt": 2, "group": {"size": 6, "index": 5, "path": ["not hexadecimal"]}},
        {"receipt": 2, "group": {"size": 1, "index": 0, "path": []}},
        {"receipt": 2, "group": {"size": 6, "index": 9, "path": []}},
    ],
    ids=str,
)
@pytest.mark.parametrize("form", [1, 2])
def test_an_altered_receipt_is_not_genuine(
    form: int, altered: dict[str, object], tmp_path: Path, published: str, capsys: Printed
) -> None:
    assert verify(written(tmp_path, altered=altered, form=form), "--key", published) == 1
    assert capsys.readouterr().out == (
        f"Not genuine: the receipt names the key {KEYS.key_id}, which has not signed what it says.\n"
    )


def test_a_receipt_is_not_genuine_under_the_number_of_another_form(tmp_path: Path, published: str) -> None:
    assert verify(written(tmp_path, altered={"receipt": 1}, form=2), "--key", published) == 1


def test_a_receipt_of_another_key_is_not_proven(tmp_path: Path, published: str, capsys: Printed) -> None:
    other = KeyRing((new_keys(),))
    assert verify(written(tmp_path, other), "--key", published) == 1
    shown = capsys.readouterr().out
    assert shown.startswith(f"Not proven: the receipt names the key {other.key_id}, which is not among")


def test_a_receipt_is_read_from_standard_input(
    tmp_path: Path, published: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = written(tmp_path).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert verify("-", "--key", published) == 0
    assert capsys.readouterr().out.startswith("Genuine")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello")))
    assert verify("-", "--key", published) == 2
    assert "Standard input is not a receipt" in capsys.readouterr().err


def test_programs_get_json(tmp_path: Path, published: str, capsys: Printed) -> None:
    assert verify(written(tmp_path), "--key", published, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["genuine"], told["receipt"]["sequence"]) == (True, 13)
    assert verify(written(tmp_path, altered={"sequence": 14}), "--key", published, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["genuine"], told["receipt"]["sequence"]) == (False, 14)
    assert told["says"].startswith("Not genuine")


def test_the_house_checks_with_its_own_key_file(
    tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "keys" / "floor.keys"
    monkeypatch.setenv("THIRDCARD_KEYS", str(own))
    receipt = written(tmp_path)
    assert verify(receipt) == 2
    assert f"There is no key file {own}" in capsys.readouterr().err
    ring = open_key_file(own)
    assert verify(written(tmp_path, ring)) == 0
    assert verify(written(tmp_path, ring), "--key", str(own)) == 0


@pytest.mark.parametrize("content", [b"", b"hello", b"[]", b"{}", b'{"receipt": 3}', b"\xff", b"[" * 10_000])
def test_a_file_that_is_no_receipt_cannot_be_checked(
    content: bytes, tmp_path: Path, published: str, capsys: Printed
) -> None:
    file = tmp_path / "receipt.json"
    file.write_bytes(content)
    assert verify(file, "--key", published) == 2
    assert f"{file} is not a receipt" in capsys.readouterr().err
    with pytest.raises(NotAReceipt):
        read_receipt(content)


def test_a_receipt_has_no_field_that_is_not_signed(tmp_path: Path, published: str, capsys: Printed) -> None:
    assert verify(written(tmp_path, altered={"amount": 900}), "--key", published) == 2
    assert "no receipt has a field amount" in capsys.readouterr().err


def test_a_receipt_without_its_number_has_form_1(tmp_path: Path, published: str) -> None:
    file = written(tmp_path, form=1)
    kept = json.loads(file.read_text("utf-8"))
    del kept["receipt"]
    file.write_text(json.dumps(kept), "utf-8")
    assert verify(file, "--key", published) == 0
