"""The keys of a floor: one signs checkpoints and receipts, one keeps virtual shoes secret.

They stand in a file of their own, shared by the floor's servers, apart from the journal and its backups.
"""

import base64
import contextlib
import hashlib
import os
import secrets
import stat
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Meta, Struct

NONCE = 12
Key = Annotated[bytes, Meta(min_length=32, max_length=32)]


class KeyFileUnusable(Exception):
    """A key file cannot be used; the sentence says why and what to do."""


class Sealed(Struct, frozen=True):
    """Something encrypted, and the key that opens it."""

    key_id: str
    content: bytes


class KeyPair(Struct, frozen=True, forbid_unknown_fields=True):
    """One generation of keys: a seed to sign with, and a key to encrypt with."""

    signing: Key
    secrecy: Key

    @property
    def public(self) -> bytes:
        """The public key of the signing seed."""
        return Ed25519PrivateKey.from_private_bytes(self.signing).public_key().public_bytes_raw()

    @property
    def id(self) -> str:
        """The name of this generation: the digest of its public key."""
        return id_of(self.public)


class KeyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A key file, newest keys last."""

    format: Literal[1]
    keys: Annotated[tuple[KeyPair, ...], Meta(min_length=1)]


class KeyRing:
    """All generations of a floor's keys; the newest one signs and encrypts."""

    def __init__(self, keys: tuple[KeyPair, ...]) -> None:
        self._pairs = {pair.id: pair for pair in keys}
        self._newest = keys[-1]
        self._key_id = self._newest.id
        self._signer = Ed25519PrivateKey.from_private_bytes(self._newest.signing)

    @property
    def key_id(self) -> str:
        """The name of the newest keys."""
        return self._key_id

    @property
    def public_keys(self) -> dict[str, bytes]:
        """Every public key by its name."""
        return {key_id: pair.public for key_id, pair in self._pairs.items()}

    def has(self, key_id: str) -> bool:
        """Whether these keys are in the ring."""
        return key_id in self._pairs

    def sign(self, message: bytes) -> bytes:
        """A signature by the newest key."""
        return self._signer.sign(message)

    def encrypt(self, content: bytes, *, bound_to: bytes) -> Sealed:
        """Encrypt something so that it opens only with what it is bound to."""
        nonce = secrets.token_bytes(NONCE)
        hidden = AESGCM(self._newest.secrecy).encrypt(nonce, content, bound_to)
        return Sealed(self.key_id, nonce + hidden)

    def decrypt(self, sealed: Sealed, *, bound_to: bytes) -> bytes | None:
        """Return the decrypted content, or nothing where the key, the content or the binding is another."""
        pair = self._pairs.get(sealed.key_id)
        if pair is None:
            return None
        nonce, hidden = sealed.content[:NONCE], sealed.content[NONCE:]
        with contextlib.suppress(InvalidTag, ValueError):
            return AESGCM(pair.secrecy).decrypt(nonce, hidden, bound_to)
        return None


def id_of(public: bytes) -> str:
    """The name of a public key: its digest."""
    return hashlib.sha256(public).hexdigest()


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is that of a key."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def new_keys() -> KeyPair:
    """Keys that nobody has had before."""
    return KeyPair(secrets.token_bytes(32), AESGCM.generate_key(256))


def open_key_file(path: Path, *, apart_from: Path | None = None) -> KeyRing:
    """The keys in a file, made at first use; the file must be private and apart from the journal's folder."""
    if apart_from is not None and path.resolve().is_relative_to(apart_from.resolve()):
        raise KeyFileUnusable(
            f"{path} lies in {apart_from}, and would be copied with the journal; keep the keys elsewhere"
        )
    if not path.exists():
        _write(path, KeyFile(1, (new_keys(),)))
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise KeyFileUnusable(f"{path} can be read by others (mode {mode:o}); run: chmod 600 {path}")
    try:
        file = msgspec.toml.decode(path.read_bytes(), type=KeyFile)
    except (OSError, ValueError) as error:
        raise KeyFileUnusable(f"{path} is not a key file ({error}); restore it from its own copy") from error
    return KeyRing(file.keys)


def renew_key_file(path: Path) -> KeyRing:
    """Add new keys to a file; the old ones stay for what they signed and sealed."""
    old = msgspec.toml.decode(path.read_bytes(), type=KeyFile)
    _write(path, KeyFile(1, (*old.keys, new_keys())))
    return open_key_file(path)


def _write(path: Path, file: KeyFile) -> None:
    """Write a key file so that it is whole or not there, and private from the start."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lines = [f"format = {file.format}"]
    for pair in file.keys:
        encoded = {
            name: base64.b64encode(value).decode() for name, value in msgspec.structs.asdict(pair).items()
        }
        lines += ["", f"# {pair.id}", "[[keys]]", *(f'{name} = "{value}"' for name, value in encoded.items())]
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as out:
        out.write("\n".join(lines) + "\n")
        out.flush()
        os.fsync(descriptor)
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
