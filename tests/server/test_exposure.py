"""Warnings of a server that is easier to reach or to misuse than it should be, and its certificate."""

import datetime
import os
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from msgspec.structs import replace

from thirdcard.messages import say
from thirdcard.server.exposure import BadCertificate, Exposure, Listen, Tls
from thirdcard.server.security import Guard

SAFE = Exposure(listen=Listen(), guard=Guard(), tls=False, demo=True, superuser=False)
OPEN = replace(SAFE, listen=Listen("0.0.0.0"), demo=False, guard=Guard(hosts=("floor.example",)))
OF_NO_USE = b"-----BEGIN NOTHING-----\n-----END NOTHING-----\n"


@pytest.fixture(autouse=True)
def user(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Run as a user of its own."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    return monkeypatch


def self_signed(folder: Path, password: bytes | None = None) -> Tls:
    """A certificate for this machine, in files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    tls = Tls(folder / "cert.pem", folder / "key.pem")
    tls.cert.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    kept = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    tls.key.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, kept))
    return tls


def keys(exposure: Exposure) -> list[str]:
    return [each.key for each in exposure.warnings]


def test_a_server_of_this_machine_alone_is_no_danger() -> None:
    assert keys(SAFE) == []
    assert keys(replace(SAFE, listen=Listen("::1"))) == []
    assert keys(replace(SAFE, listen=Listen("localhost"))) == []


def test_an_open_address_needs_tls() -> None:
    assert keys(OPEN) == ["serve.warn-no-tls"]
    assert "--tls-cert" in say(OPEN.warnings[0])
    assert keys(replace(OPEN, tls=True)) == []
    assert keys(replace(OPEN, guard=Guard(proxies=("10.0.0.4/32",), hosts=("floor.example",)))) == []


def test_an_open_address_needs_a_name() -> None:
    assert keys(replace(OPEN, tls=True, guard=Guard())) == ["serve.warn-any-host"]


def test_the_demonstration_is_not_for_a_network() -> None:
    assert keys(replace(OPEN, tls=True, demo=True)) == ["serve.warn-open-demo"]


def test_root_is_warned_of(user: pytest.MonkeyPatch) -> None:
    user.setattr(os, "geteuid", lambda: 0)
    assert keys(SAFE) == ["serve.warn-root"]


def test_all_rights_in_the_database_are_warned_of() -> None:
    assert keys(replace(SAFE, superuser=True)) == ["serve.warn-superuser"]


def test_a_certificate_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    good = self_signed(tmp_path)
    good.context()
    for bad in (Tls(tmp_path / "nowhere.pem", good.key), Tls(good.cert, good.cert)):
        with pytest.raises(BadCertificate, match=r"\.pem"):
            bad.context()
    good.key.write_bytes(OF_NO_USE)
    with pytest.raises(BadCertificate):
        good.context()


def test_nobody_is_asked_for_the_password_of_a_key(tmp_path: Path) -> None:
    with pytest.raises(BadCertificate, match="encrypted with a password"):
        self_signed(tmp_path, b"secret").context()
