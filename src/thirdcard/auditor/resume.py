"""How far streams were proven, with all that the proof knew there, so that the next one goes on from there.

Whoever can write such a file can say that something was proven: it belongs where nobody can write who can
write the journal. It is read so that nothing in it can do more than be looked at: only classes of the proof
itself are made.
"""

import io
import os
import pickle
import secrets
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from thirdcard.auditor.chain import ChainStart
from thirdcard.auditor.decided_payments import DecidedPayments
from thirdcard.auditor.expected_parts import ExpectedCheckpoints, ExpectedStreams
from thirdcard.auditor.inspection import Inspection
from thirdcard.journal.merkle import Frontier
from thirdcard.journal.record import Head
from thirdcard.journal.software import SOFTWARE

PACKAGES = (
    "auditor",
    "cards",
    "floor",
    "folds",
    "game",
    "messages",
    "money",
    "refusals",
    "rulebook",
    "staff",
)
OTHERS = {
    "builtins": ("frozenset", "int", "list", "set"),
    "collections": ("Counter", "defaultdict"),
    "datetime": ("date", "datetime", "time", "timedelta", "timezone"),
    "fractions": ("Fraction",),
    "msgspec._utils": ("rebuild",),
    "thirdcard.journal.record": ("Head", "Record"),
}


class BadProof(Exception):
    """A file cannot be used to go on from; the sentence says why."""


class ProofState(Struct):
    """All that the proof of a stream knew after a record."""

    inspection: Inspection
    checkpoints: ExpectedCheckpoints
    streams: ExpectedStreams
    after_signed: bool
    signed: int
    keys: frozenset[str]
    signposts: int


class StreamProof(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Up to where a stream was proven: its last record, the tree over it, and what the proof knew there."""

    stream: str
    sequence: int
    digest: str
    roots: tuple[str, ...]
    state: bytes

    @property
    def start(self) -> ChainStart:
        """Where the next proof begins."""
        tree = Frontier(self.sequence, tuple(map(bytes.fromhex, self.roots)))
        return ChainStart(Head(self.sequence, bytes.fromhex(self.digest)), tree)


class ProofFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The proofs of streams by one build, against the keys that were given, if any were."""

    proven: Literal[1] = 1
    software: str
    keys: tuple[str, ...] | None
    streams: tuple[StreamProof, ...]


_files = msgspec.json.Decoder(ProofFile)


def read_proofs(file: Path, keys: tuple[str, ...] | None) -> dict[str, StreamProof]:
    """Return the proofs in a file by stream; none where there is no file, or another build has made it.

    Another build may decide otherwise, or know its states otherwise.
    """
    try:
        found = _files.decode(file.read_bytes())
        starts = [each.start for each in found.streams]
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadProof(f"{file}: {error.strerror}") from error
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadProof(
            f"{file} does not say what was proven ({error}); remove it to prove everything"
        ) from error
    if found.software != SOFTWARE:
        return {}
    if found.keys != keys:
        raise BadProof(
            f"{file} was made with other keys, or without; give those, or remove it to prove everything"
        )
    assert len(starts) == len(found.streams)
    return {each.stream: each for each in found.streams}


def write_proofs(file: Path, proofs: dict[str, StreamProof], keys: tuple[str, ...] | None) -> None:
    """Keep proofs in a file, whole or not at all, that only its owner reads."""
    content = msgspec.json.encode(
        ProofFile(software=SOFTWARE, keys=keys, streams=tuple(proofs[name] for name in sorted(proofs)))
    )
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(file)
    except OSError as error:
        raise BadProof(f"{file}: {error.strerror}") from error


def freeze(state: ProofState) -> bytes:
    """Return the state of a proof as bytes."""
    return pickle.dumps(state)


def thaw(content: bytes) -> ProofState:
    """Return what a proof knew."""
    try:
        state = _Thawing(io.BytesIO(content)).load()
    except Exception as error:  # a forged file may hold anything
        raise BadProof(f"what the proof knew cannot be read ({error!r})") from error
    if not isinstance(state, ProofState):
        raise BadProof("what the proof knew cannot be read")
    return state


class _Thawing(pickle.Unpickler):
    """Makes objects of the proof and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class that a proof may hold, by the module that defines it and by no other name."""
        if (module, name) == ("builtins", "getattr"):
            return _method
        package = module.removeprefix("thirdcard.").partition(".")[0]
        ours = module.startswith("thirdcard.") and package in PACKAGES
        if not ours and name not in OTHERS.get(module, ()):
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a proof")
        found = super().find_class(module, name)
        if (found.__module__, found.__qualname__) != (module, name):
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a proof")
        if not isinstance(found, type) and module != "msgspec._utils":
            raise pickle.UnpicklingError(f"{module}.{name} is no class")
        return found


def _method(of: object, name: str) -> Any:
    """The one method that an object of the recount knows of another."""
    if not isinstance(of, DecidedPayments) or name != DecidedPayments.taken_back.__name__:
        raise pickle.UnpicklingError(f"{name} is no part of a proof")
    return of.taken_back
