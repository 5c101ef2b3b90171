"""The files of a dossier: records with their proofs, what was signed, the rules, and two ways to read it."""

import base64
import hashlib
import importlib.resources
import io
import json
import zipfile
from pathlib import Path

import msgspec
from msgspec import Struct

from thirdcard import verifier
from thirdcard.auditor.stored_rules import content_of
from thirdcard.dossier.find import FoundRound
from thirdcard.journal.checkpoints import line_of
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.merkle import Paths, leaf
from thirdcard.journal.record import Record
from thirdcard.journal.sealed_shoe import ShoeFile
from thirdcard.journal.store import Checkpoint, Store, records
from thirdcard.rulebook.words import text

ROUND_PAGE = "round.html"
README = "README.txt"
READ_ME = (
    "dossier.readme-page",
    "dossier.readme-check",
    "dossier.readme-records",
    "dossier.readme-rules",
    "dossier.readme-signed",
)
OLD = (1980, 1, 1, 0, 0, 0)  # the time of all files in an archive, so that the same dossier is the same file
_encoder = msgspec.json.Encoder(order="sorted")


class Proof(Struct, frozen=True):
    """The first checkpoint that covers the records, and the paths of the records by sequence."""

    checkpoint: Checkpoint | None
    paths: dict[int, tuple[bytes, ...]]


async def prove(store: Store, found: FoundRound) -> Proof:
    """Prove the records of a round against the next signed checkpoint, where there is one."""
    wanted = [each.record.sequence for each in found.all_entries]
    after = await store.checkpoints(found.stream, after=wanted[-1] - 1, most=1)
    if not after:
        return Proof(None, dict.fromkeys(wanted, ()))
    paths = Paths(sequence - 1 for sequence in wanted)
    async for record in records(store, found.stream):
        if record.sequence > after[0].sequence:
            break
        paths.add(leaf(record.digest))
    return Proof(after[0], {index + 1: path for index, path in paths.finish().items()})


async def files_of(
    store: Store,
    found: FoundRound,
    proof: Proof,
    page: str,
    shoes: dict[int, ShoeFile],
    signer: KeyRing | None,
) -> dict[str, bytes]:
    """Return the files of a dossier by name; with a signer the list of them is signed."""
    lines = [line_of_record(each.record, proof.paths[each.record.sequence]) for each in found.all_entries]
    files = {verifier.RECORDS: b"".join(lines)}
    for digest in sorted(
        {d for each in found.all_entries for d in (each.record.rulebook, each.record.house)}
    ):
        files[f"{verifier.CONTENTS}{digest}.json"] = await content_of(store, digest)
    keys: dict[str, str] = {}
    if proof.checkpoint is not None:
        files[verifier.CHECKPOINT] = line_of(proof.checkpoint)
        public = await store.content(proof.checkpoint.key_id)
        keys = {proof.checkpoint.key_id: public.hex()} if public else {}
    if signer is not None:
        keys[signer.key_id] = signer.public_keys[signer.key_id].hex()
    files[verifier.KEYS] = _encoder.encode(keys) + b"\n"
    for number, shoe in shoes.items():
        files[f"{verifier.SHOES}{number}.json"] = _encoder.encode(shoe) + b"\n"
    files[ROUND_PAGE] = page.encode()
    files[README] = "\n".join(text(key) for key in READ_ME).encode() + b"\n"
    files["verifier.py"] = importlib.resources.files("thirdcard").joinpath("verifier.py").read_bytes()
    told = verifier.summary(found.stream, found.number, verifier.read_records(files), files)
    files[verifier.ROUND] = _pretty(told)
    named = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    manifest = _pretty({"bundle": 1, "stream": found.stream, "round": found.number, "files": named})
    signature = {verifier.SIGNATURE: _signed(manifest, signer)} if signer else {}
    return {verifier.MANIFEST: manifest, **signature, **files}


def _signed(manifest: bytes, signer: KeyRing) -> bytes:
    """Return the signature of the list of files, which binds the page and the verifier too."""
    statement = {"dossier": 1, "key_id": signer.key_id, "manifest": hashlib.sha256(manifest).hexdigest()}
    return _pretty({**statement, "signature": signer.sign(_encoder.encode(statement)).hex()})


def _pretty(value: object) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False).encode() + b"\n"


def line_of_record(record: Record, path: tuple[bytes, ...]) -> bytes:
    """A record as a line: its columns, its stored bytes, what they say, and its path in the tree."""
    columns = {name: getattr(record, name) for name, _ in verifier.COLUMNS}
    told = columns | {
        "envelope": base64.b64encode(record.envelope).decode(),
        "body": base64.b64encode(record.body).decode(),
        "previous": record.previous.hex(),
        "digest": record.digest.hex(),
        "path": [each.hex() for each in path],
        "decoded": {"envelope": msgspec.Raw(record.envelope), "body": msgspec.Raw(record.body)},
    }
    return _encoder.encode(told) + b"\n"


def folder_of(stream: str, number: int) -> str:
    """The name of a dossier: of its folder, and of its zip file."""
    safe = "".join(each if each.isascii() and each.isalnum() else "-" for each in stream)
    return f"{safe}-round-{number}"


def zipped(files: dict[str, bytes], folder: str) -> bytes:
    """A dossier as the bytes of a zip file with all of it in one folder, the same ones every time."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(f"{folder}/{name}", OLD), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def write(files: dict[str, bytes], target: Path) -> None:
    """Write a dossier as a zip file where the name ends so, else as a folder."""
    if target.suffix == ".zip":
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(zipped(files, target.stem))
        return
    for name, content in files.items():
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
