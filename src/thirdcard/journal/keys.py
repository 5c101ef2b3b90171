"""The keys of a floor: one signs checkpoints and receipts, one keeps virtual shoes secret.

They stand in a file of their own, shared by the floor's servers, apart from the journal and its backups.
"""

import base64
import contextlib
import functools
import hashlib
import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Meta, Struct
from msgspec.structs import replace

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


class RetiredKeys(Struct, frozen=True, forbid_unknown_fields=True):
    """Keys that sign no more: the public one, and the one that opens what they encrypted, unless lost."""

    public: Key
    secrecy: Key | None = None

    @property
    def id(self) -> str:
        """The name of this generation: the digest of its public key."""
        return id_of(self.public)


class FirstKeyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A key file of the first format, which had no retired keys."""

    format: Literal[1]
    keys: Annotated[tuple[KeyPair, ...], Meta(min_length=1)]


class KeyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A key file, newest keys last."""

    format: Literal[2]
    keys: Annotated[tuple[KeyPair, ...], Meta(min_length=1)]
    retired: tuple[RetiredKeys, ...] = ()


class KeyRing:
    """All generations of a floor's keys; the newest one signs and encrypts."""

    def __init__(self, keys: tuple[KeyPair, ...], retired: tuple[RetiredKeys, ...] = ()) -> None:
        self._pairs: dict[str, KeyPair | RetiredKeys] = {pair.id: pair for pair in retired}
        self._pairs |= {pair.id: pair for pair in keys}
        self._newest = keys[-1]
        self.key_id = self._newest.id  # the name of the newest keys
        signer = Ed25519PrivateKey.from_private_bytes(self._newest.signing)
        self.sign: Callable[[bytes], bytes] = signer.sign  # returns a signature by the newest key

    @property
    def public_keys(self) -> dict[str, bytes]:
        """Every public key by its name."""
        return {key_id: pair.public for key_id, pair in self._pairs.items()}

    @property
    def keys_in_use(self) -> dict[str, bytes]:
        """Every public key by its name, but for the retired ones."""
        return {key_id: public for key_id, public in self.public_keys.items() if not self.is_retired(key_id)}

    def is_retired(self, key_id: str) -> bool:
        """Whether these keys sign no more, and can sign no more."""
        return isinstance(self._pairs.get(key_id), RetiredKeys)

    def has(self, key_id: str) -> bool:
        """Whether these keys are in the ring."""
        return key_id in self._pairs

    def encrypt(self, content: bytes, *, bound_to: bytes) -> Sealed:
        """Encrypt something so that it opens only with what it is bound to."""
        nonce = secrets.token_bytes(NONCE)
        hidden = AESGCM(self._newest.secrecy).encrypt(nonce, content, bound_to)
        return Sealed(self.key_id, nonce + hidden)

    def decrypt(self, sealed: Sealed, *, bound_to: bytes) -> bytes | None:
        """Return the decrypted content, or nothing where the key, the content or the binding is another."""
        pair = self._pairs.get(sealed.key_id)
        if pair is None or pair.secrecy is None:
            return None
        nonce, hidden = sealed.content[:NONCE], sealed.content[NONCE:]
        with contextlib.suppress(InvalidTag, ValueError):
            return AESGCM(pair.secrecy).decrypt(nonce, hidden, bound_to)
        return None


def id_of(public: bytes) -> str:
    """The name of a public key: its digest."""
    return hashlib.sha256(public).hexdigest()


@functools.lru_cache(maxsize=64)  # few keys sign, again and again
def _public_key(public: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public)


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is that of a key."""
    try:
        _public_key(public).verify(signature, message)
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
        write_key_file(path, KeyFile(2, (new_keys(),)))
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise KeyFileUnusable(f"{path} can be read by others (mode {mode:o}); run: chmod 600 {path}")
    try:
        file = _read(path)
    except (OSError, ValueError) as error:
        raise KeyFileUnusable(f"{path} is not a key file ({error}); restore it from its own copy") from error
    return KeyRing(file.keys, file.retired)


def renew_key_file(path: Path) -> KeyRing:
    """Add new keys to a file; the old ones stay for what they signed and sealed."""
    old = _read(path)
    write_key_file(path, replace(old, keys=(*old.keys, new_keys())))
    return open_key_file(path)


def retire_keys(path: Path, key_id: str) -> KeyRing:
    """Forget how to sign with old keys; what they signed is still checked, and what they sealed opened."""
    old = _read(path)
    found = [pair for pair in old.keys if pair.id == key_id]
    if not found or found[0] is old.keys[-1]:
        raise KeyFileUnusable(f"{path} has no older keys {key_id} that could be retired; run: key renew")
    left = tuple(pair for pair in old.keys if pair.id != key_id)
    gone = RetiredKeys(found[0].public, found[0].secrecy)
    write_key_file(path, KeyFile(2, left, (*old.retired, gone)))
    return open_key_file(path)


def replace_lost_keys(path: Path, public_keys: tuple[bytes, ...]) -> KeyRing:
    """Make new keys for a floor whose key file is lost; by the public ones what was signed can be checked."""
    if path.exists():
        raise KeyFileUnusable(f"{path} is there; it is not lost")
    write_key_file(path, KeyFile(2, (new_keys(),), tuple(map(RetiredKeys, public_keys))))
    return open_key_file(path)


def _read(path: Path) -> KeyFile:
    told = msgspec.toml.decode(path.read_bytes())
    if told.get("format") == 1:
        return KeyFile(2, msgspec.toml.decode(path.read_bytes(), type=FirstKeyFile).keys)
    return msgspec.toml.decode(path.read_bytes(), type=KeyFile)


def write_key_file(path: Path, file: KeyFile) -> None:
    """Write a key file so that it is whole or not there, and private from the start."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lines = [f"format = {file.format}"]
    for title, pairs in (("keys", file.keys), ("retired", file.retired)):
        for pair in pairs:
            told = {name: value for name, value in msgspec.structs.asdict(pair).items() if value is not None}
            encoded = {name: base64.b64encode(value).decode() for name, value in told.items()}
            lines += ["", f"# {pair.id}", f"[[{title}]]"]
            lines += [f'{name} = "{value}"' for name, value in encoded.items()]
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
