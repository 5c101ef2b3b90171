"""Keys are renewed, retired and replaced where they are lost; what they signed is checked as before."""

import json
from base64 import b64encode
from pathlib import Path

import pytest

from thirdcard.cli import run
from thirdcard.journal.keys import KeyFile, KeyFileUnusable, KeyRing, is_signed, new_keys, open_key_file

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "floor.keys"
    open_key_file(path)
    return path


def shown(file: Path, capsys: Printed) -> list[str]:
    capsys.readouterr()
    assert run(["key", "show", "--json", "--key", str(file)]) == 0
    return [each["use"] for each in json.loads(capsys.readouterr().out)]


def test_retired_keys_check_and_open_but_cannot_sign(file: Path, capsys: Printed) -> None:
    first = open_key_file(file)
    signature, sealed = first.sign(b"said"), first.encrypt(b"secret", bound_to=b"x")
    assert run(["key", "renew", "--key", str(file)]) == 0
    assert shown(file, capsys) == ["older", "newest"]
    assert run(["key", "retire", first.key_id, "--key", str(file)]) == 0
    assert shown(file, capsys) == ["retired", "newest"]
    ring = open_key_file(file)
    assert is_signed(ring.public_keys[first.key_id], b"said", signature)
    assert ring.decrypt(sealed, bound_to=b"x") == b"secret"
    assert ring.is_retired(first.key_id)
    assert first.key_id in file.read_text()
    assert file.read_text().count("signing = ") == 1
    assert file.stat().st_mode & 0o777 == 0o600
    assert run(["key", "renew", "--key", str(file)]) == 0
    assert shown(file, capsys) == ["retired", "older", "newest"]


def test_keys_that_sign_are_not_retired(file: Path, capsys: Printed) -> None:
    for key_id in (open_key_file(file).key_id, "ab" * 32):
        assert run(["key", "retire", key_id, "--key", str(file)]) == 2
        assert "has no older keys" in capsys.readouterr().err
    assert shown(file, capsys) == ["newest"]


def test_lost_keys_are_replaced_by_the_published_ones(file: Path, tmp_path: Path, capsys: Printed) -> None:
    lost = open_key_file(file)
    signature, sealed = lost.sign(b"said"), lost.encrypt(b"secret", bound_to=b"x")
    published = tmp_path / "house.keys"
    published.write_text(lost.public_keys[lost.key_id].hex())
    replace = ["key", "replace-lost", "--published", str(published), "--key", str(file)]
    assert run(replace) == 2
    assert "it is not lost" in capsys.readouterr().err
    file.unlink()
    assert run(replace) == 0
    ring = open_key_file(file)
    assert ring.key_id != lost.key_id
    assert ring.has(lost.key_id)
    assert is_signed(ring.public_keys[lost.key_id], b"said", signature)
    assert ring.decrypt(sealed, bound_to=b"x") is None
    assert shown(file, capsys) == ["retired", "newest"]


def test_a_key_file_of_the_first_format_is_read(tmp_path: Path) -> None:
    pair = new_keys()
    path = tmp_path / "old.keys"
    secret = [b64encode(each).decode() for each in (pair.signing, pair.secrecy)]
    path.write_text(f'format = 1\n[[keys]]\nsigning = "{secret[0]}"\nsecrecy = "{secret[1]}"\n')
    path.chmod(0o600)
    assert open_key_file(path).key_id == KeyRing((pair,)).key_id
    path.write_text("format = 3\n")
    with pytest.raises(KeyFileUnusable):
        open_key_file(path)
    assert KeyFile(2, (pair,)).retired == ()
