"""Checks a dossier of a round by itself: one file, nothing but Python's standard library.

    python verifier.py BUNDLE --key HEX [--key HEX] [--json]

BUNDLE is the folder or the zip file of a dossier; without it the folder in which this file lies. HEX is a
public key of the house, or its name (the SHA-256 of the key), as the house has published it. The exit status
is 0 where everything is proven, 1 where something is wrong or not proven, 2 where the bundle cannot be read.
Whoever can exchange the page of a dossier can exchange the program in it too: run one from another source.
docs/journal.md of thirdcard describes every byte that is checked here.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import datetime
import hashlib
import hmac
import json
import struct
import sys
import zipfile
from pathlib import Path

RECORD_FORMAT = b"thirdcard record 1"
SIGNATURE = "signature.json"
MANIFEST, RECORDS, CHECKPOINT, KEYS, ROUND = (
    "manifest.json",
    "records.jsonl",
    "checkpoint.json",
    "keys.json",
    "round.json",
)
CONTENTS, SHOES = "contents/", "shoes/"
COLUMNS = (
    ("stream", str),
    ("sequence", int),
    ("kind", str),
    ("version", int),
    ("command_id", str),
    ("envelope", bytes),
    ("body", bytes),
    ("wall_time", int),
    ("monotonic", int),
    ("run", str),
    ("rulebook", str),
    ("house", str),
    ("software", str),
)
BESIDE = ("previous", "digest", "path", "decoded")
STATEMENT = ("checkpoint", "stream", "sequence", "digest", "root", "wall_time", "reason", "key_id")
# which events of the records stand where in round.json
PARTS = {
    "shoe": ("shoe-loaded", "cards-cut", "cards-burned", "shoe-opened"),
    "cards": (
        "card-drawn",
        "cards-exposed",
        "cards-reconstructed",
        "cards-substituted",
        "cards-retrieved",
        "missing-cards-deduced",
    ),
    "outcome": ("outcome-known", "outcome-called", "device-mismatch"),
    "wagers": (
        "wager-placed",
        "wager-reduced",
        "wager-found",
        "wager-handed-back",
        "wager-pulled-late",
    ),
    "settlement": (
        "round-settled",
        "settlement-reversed",
        "round-voided",
        "claim-booked",
        "wrong-payment-found",
        "payment-corrected",
    ),
    "rulings": (
        "irregularity-reported",
        "facts-confirmed",
        "ruling-made",
        "offer-opened",
        "offer-answered",
        "answer-taken-back",
    ),
    "disputes": (
        "dispute-opened",
        "dispute-escalated",
        "information-gathered",
        "surveillance-informed",
        "time-frame-given",
        "time-frame-not-possible",
        "dispute-decided",
        "patron-answered",
        "inspector-informed",
        "award-paid",
        "receipt-confirmed",
        "complaint-right-told",
        "complaint-filed",
        "complaint-received",
        "complaint-answered",
        "dispute-closed",
    ),
}


class Unreadable(Exception):
    """The bundle is none, or a part of it cannot be read."""


class Findings:
    """The findings: what was proven, what is wrong, what is left open, and what the records say.

    ``lacking`` is what is needed for a proof and not there.
    """

    def __init__(self) -> None:
        self.proven: list[str] = []
        self.wrong: list[str] = []
        self.lacking: list[str] = []
        self.open: list[str] = []
        self.says: list[str] = []

    def check(self, good: bool, proven: str, wrong: str) -> bool:  # noqa: FBT001 - it is the question itself
        """Note one of two sentences."""
        (self.proven if good else self.wrong).append(proven if good else wrong)
        return good


# Ed25519 as RFC 8032 has it, with the strict checks: canonical encodings, S below the order, no small points

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of a message is that of a public key."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, commitment = decode_point(public), decode_point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or scalar >= ORDER or is_small(key) or is_small(commitment):
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    return same_point(multiply(scalar, BASE), add(commitment, multiply(challenge, key)))


def decode_point(encoded: bytes) -> Point | None:
    """The point of 32 bytes, or nothing where they are not the one encoding of a point of the curve."""
    y = int.from_bytes(encoded, "little")
    odd, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    x = recover_x(y, odd)
    return None if x is None else (x, y, 1, x * y % P)


def recover_x(y: int, odd: int) -> int | None:
    """The x of a y, odd or even as asked, or nothing where there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT_OF_MINUS_ONE % P
    if x * x % P != square or (x == 0 and odd):
        return None
    return x if x & 1 == odd else P - x


def add(one: Point, other: Point) -> Point:
    """The sum of two points, which may be the same."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar: int, point: Point) -> Point:
    """A point added to itself so many times."""
    total = NEUTRAL
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def same_point(one: Point, other: Point) -> bool:
    """Whether two points are one."""
    x, y = one[0] * other[2] - other[0] * one[2], one[1] * other[2] - other[1] * one[2]
    return x % P == 0 and y % P == 0


def is_small(point: Point) -> bool:
    """Whether a point is one of the eight that prove nothing."""
    return same_point(multiply(8, point), NEUTRAL)


NEUTRAL = (0, 1, 1, 0)
BASE = decode_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")) or NEUTRAL


# Merkle trees as RFC 6962 has them


def leads_to(leaf_hash: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    """Whether a leaf at an index of a tree of a size has this root, by its path."""
    if not 0 <= index < size:
        return False
    here, last, top = index, size - 1, leaf_hash
    for each in path:
        if last == 0:
            return False
        if here & 1 or here == last:
            top = hashlib.sha256(b"\x01" + each + top).digest()
            while not here & 1 and here:
                here, last = here >> 1, last >> 1
        else:
            top = hashlib.sha256(b"\x01" + top + each).digest()
        here, last = here >> 1, last >> 1
    return last == 0 and top == root


# the bundle


def read_bundle(path: Path) -> dict[str, bytes]:
    """The files of a bundle by name, from a folder or a zip file."""
    try:
        if path.is_dir():
            inside = sorted(each for each in path.rglob("*") if each.is_file() and not _is_cache(each))
            return {each.relative_to(path).as_posix(): each.read_bytes() for each in inside}
        with zipfile.ZipFile(path) as archive:
            names = [each for each in archive.namelist() if not each.endswith("/")]
            files = {name: archive.read(name) for name in names}
    except Exception as error:  # a damaged archive fails in many ways
        raise Unreadable(f"{path} cannot be read: {error}") from error
    if len(files) < len(names):
        raise Unreadable(f"{path} cannot be read: a file stands in it twice")
    return _without_folder(files)


def _without_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """Files that all stand in one folder, by their names in it."""
    folders = {name.partition("/")[0] for name in files}
    inside = {name.partition("/")[2]: content for name, content in files.items()}
    return inside if len(folders) == 1 and MANIFEST in inside else files


def _is_cache(path: Path) -> bool:
    return "__pycache__" in path.parts


def parse(name: str, text: bytes) -> object:
    """A JSON value in which no key stands twice."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError("a key stands twice")
        return found

    try:
        value: object = json.loads(text.decode(), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{name} is not as it should be: {error}") from error
    return value


def parse_object(name: str, text: bytes) -> dict[str, object]:
    """A JSON object."""
    value = parse(name, text)
    if not isinstance(value, dict):
        raise Unreadable(f"{name} is not as it should be: an object was expected")
    return value


class Record:
    """A record of the bundle, its columns as they are stored."""

    def __init__(self, name: str, told: dict[str, object]) -> None:
        self.columns: list[bytes] = [RECORD_FORMAT]
        self.told = told
        _only(name, told, *(column for column, _ in COLUMNS), *BESIDE)
        for column, kind in COLUMNS:
            value = _of_kind(name, told, column, str if kind is bytes else kind)
            self.columns.append(_raw(name, value, kind))
        self.stream = str(told["stream"])
        self.sequence = int(str(told["sequence"]))
        self.envelope = parse_object(name, self.columns[6])
        self.body = parse_object(name, self.columns[7])
        self.previous = _hex(name, told, "previous")
        self.digest = _hex(name, told, "digest")
        path = _of_kind(name, told, "path", list)
        self.path = [_from_hex(name, each) for each in path] if isinstance(path, list) else []

    def recomputed(self) -> bytes:
        """The digest that follows from the stored bytes."""
        columns = [*self.columns, self.previous]
        lengths = struct.pack(f">{len(columns)}I", *map(len, columns))
        return hashlib.sha256(lengths + b"".join(columns)).digest()

    def events(self) -> list[dict[str, object]]:
        """Return the events of the record."""
        return _objects(self.body.get("events"))


def _objects(value: object) -> list[dict[str, object]]:
    """The objects in a list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _only(name: str, told: dict[str, object], *keys: str) -> None:
    odd = sorted(told.keys() - {*keys})
    if odd:
        raise Unreadable(f"{name} is not as it should be: there is no place for {odd[0]}")


def _of_kind(name: str, told: dict[str, object], key: str, kind: type) -> object:
    if type(told.get(key)) is not kind:
        raise Unreadable(f"{name} is not as it should be: {key} is missing or of another kind")
    return told[key]


def _raw(name: str, value: object, kind: type) -> bytes:
    try:
        if kind is not bytes:
            return str(value).encode()
        raw = base64.b64decode(str(value), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Unreadable(f"{name} is not as it should be: {error}") from error
    if base64.b64encode(raw).decode() != value:
        raise Unreadable(f"{name} is not as it should be: there are two ways to read {value}")
    return raw


def _hex(name: str, told: dict[str, object], key: str) -> bytes:
    return _from_hex(name, _of_kind(name, told, key, str))


def _from_hex(name: str, value: object) -> bytes:
    try:
        raw = bytes.fromhex(str(value))
    except ValueError as error:
        raise Unreadable(f"{name} is not as it should be: {error}") from error
    if raw.hex() != value:
        raise Unreadable(f"{name} is not as it should be: {value} is not plain hexadecimal")
    return raw


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are one, 1 and 1.0 and true told apart."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def read_records(files: dict[str, bytes]) -> list[Record]:
    """The records of a bundle in the order of the file."""
    found = []
    for number, line in enumerate(files.get(RECORDS, b"").split(b"\n"), start=1):
        if line:
            name = f"{RECORDS}, line {number}"
            found.append(Record(name, parse_object(name, line)))
    return found


# the checks


def verify(files: dict[str, bytes], *keys: str | None) -> Findings:
    """Check everything in a bundle that can be checked, with the keys that the house has published."""
    try:
        return _verify(files, [key.strip().lower() for key in keys if key is not None])
    except (RecursionError, UnicodeError) as error:
        raise Unreadable(f"the bundle is not as it should be: {error}") from error


def _verify(files: dict[str, bytes], keys: list[str]) -> Findings:
    findings = Findings()
    manifest = parse_object(MANIFEST, files.get(MANIFEST, b""))
    check_files(files, manifest, findings)
    check_manifest(files, keys, findings)
    records = read_records(files)
    check_records(records, manifest, findings)
    check_checkpoint(files, records, manifest, keys, findings)
    check_contents(files, records, findings)
    check_round(records, manifest.get("round"), findings)
    check_summary(files, records, manifest, findings)
    check_shoes(files, records, findings)
    findings.open.append("Whether more was recorded about the round after its end, such as another dispute.")
    findings.open.append(
        "Whether the rules were applied rightly is another question: `thirdcard audit verify` answers it."
    )
    return findings


def check_files(files: dict[str, bytes], manifest: dict[str, object], findings: Findings) -> None:
    """Every file is the one that the manifest names, and there is no other."""
    if manifest.get("bundle") != 1:
        raise Unreadable(f"{MANIFEST}: this is no bundle that this program knows")
    _only(MANIFEST, manifest, "bundle", "stream", "round", "files")
    for key, kind in (("bundle", int), ("stream", str), ("round", int), ("files", dict)):
        _of_kind(MANIFEST, manifest, key, kind)
    named = manifest["files"]
    named = named if isinstance(named, dict) else {}
    odd = sorted(
        name
        for name in (named.keys() | files.keys()) - {MANIFEST, SIGNATURE}
        if name not in files or named.get(name) != hashlib.sha256(files[name]).hexdigest()
    )
    findings.check(
        not odd,
        f"All {len(named)} files are those that were put together.",
        f"Not the file that was put together, or missing, or added: {', '.join(odd)}.",
    )


def check_manifest(files: dict[str, bytes], keys: list[str], findings: Findings) -> None:
    """The house has signed the list of files, and so the page and the program in it."""
    if SIGNATURE not in files:
        findings.lacking.append(
            "Nobody has signed the list of files: round.html and verifier.py may be anybody's. Hold the page "
            "against what the records say, below."
        )
        return
    told = parse_object(SIGNATURE, files[SIGNATURE])
    for name, kind in (("dossier", int), ("key_id", str), ("manifest", str), ("signature", str)):
        _of_kind(SIGNATURE, told, name, kind)
    _only(SIGNATURE, told, "dossier", "key_id", "manifest", "signature")
    statement = {name: told[name] for name in ("dossier", "key_id", "manifest")}
    signed = json.dumps(statement, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    public = _public_key(files, str(told["key_id"]))
    same = told["manifest"] == hashlib.sha256(files.get(MANIFEST, b"")).hexdigest()
    genuine = public is not None and is_signed(public, signed, _hex(SIGNATURE, told, "signature"))
    findings.check(
        same and genuine and told["dossier"] == 1,
        f"The list of files, with round.html and verifier.py, is signed by the key {told['key_id']}.",
        "The list of files is not signed by the key that is named: round.html or verifier.py may be altered.",
    )
    _check_key(public, str(told["key_id"]), keys, findings)


def check_records(records: list[Record], manifest: dict[str, object], findings: Findings) -> None:
    """Every record has its digest, belongs to the stream and follows the one before it."""
    altered = [each.sequence for each in records if each.recomputed() != each.digest]
    findings.check(
        bool(records) and not altered,
        f"Each of the {len(records)} records has the digest that follows from its bytes.",
        f"Altered: record {altered[0]}." if altered else "There are no records.",
    )
    wrong = [
        each.sequence
        for each in records
        if not _same(each.told.get("decoded"), {"envelope": each.envelope, "body": each.body})
    ]
    findings.check(
        not wrong,
        "What is shown decoded is what the stored bytes say.",
        f"Shown otherwise than stored: {wrong[:9]}.",
    )
    strangers = [each.sequence for each in records if each.stream != manifest.get("stream")]
    findings.check(
        not strangers,
        f"All are of the stream {manifest.get('stream')}.",
        f"Of another stream: {strangers[:9]}.",
    )
    broken = [after.sequence for at, after in enumerate(records[1:]) if not _follows(records[at], after)]
    findings.check(
        not broken,
        f"They follow one another: {_ranges([each.sequence for each in records])}.",
        f"Does not follow the one before it: record {broken[0] if broken else 0}.",
    )


def _follows(before: Record, after: Record) -> bool:
    """Whether a record comes after another, and right after it by its digest."""
    if after.sequence == before.sequence + 1:
        return after.previous == before.digest
    return after.sequence > before.sequence


def _ranges(numbers: list[int]) -> str:
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ", ".join("-".join(map(str, part)) for part in parts)


def check_checkpoint(
    files: dict[str, bytes],
    records: list[Record],
    manifest: dict[str, object],
    keys: list[str],
    findings: Findings,
) -> None:
    """A signed checkpoint covers every record."""
    if CHECKPOINT not in files:
        findings.wrong.append("Nothing is signed: no checkpoint covers these records yet.")
        return
    told = parse_object(CHECKPOINT, files[CHECKPOINT])
    for name in STATEMENT:
        _of_kind(CHECKPOINT, told, name, int if name in ("checkpoint", "sequence", "wall_time") else str)
    _only(CHECKPOINT, told, *STATEMENT, "signature")
    size, root = int(str(told["sequence"])), _hex(CHECKPOINT, told, "root")
    outside = [
        each.sequence
        for each in records
        if not leads_to(_leaf(each), each.sequence - 1, size, each.path, root)
    ]
    last = [each for each in records if each.sequence == size]
    good = not outside and all(each.digest == _hex(CHECKPOINT, told, "digest") for each in last)
    findings.check(
        good and told["stream"] == manifest.get("stream"),
        f"Each is in the tree of the {size} records that the checkpoint covers.",
        f"Not in the tree that the checkpoint covers: {_ranges(outside) or told['stream']}.",
    )
    statement = {name: told[name] for name in STATEMENT}
    signed = json.dumps(statement, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    public = _public_key(files, str(told["key_id"]))
    genuine = public is not None and is_signed(public, signed, _hex(CHECKPOINT, told, "signature"))
    findings.check(
        genuine and told["checkpoint"] == 1,
        f"The checkpoint of {_moment(told['wall_time'])} is signed by the key {told['key_id']}.",
        "The checkpoint is not signed by the key that it names.",
    )
    _check_key(public, str(told["key_id"]), keys, findings)


def _leaf(record: Record) -> bytes:
    return hashlib.sha256(b"\x00" + record.digest).digest()


def _public_key(files: dict[str, bytes], key_id: str) -> bytes | None:
    """The public key of a name; every key must be the one that its name stands for."""
    keys = {
        name: _from_hex(KEYS, public) for name, public in parse_object(KEYS, files.get(KEYS, b"{}")).items()
    }
    right = all(hashlib.sha256(public).hexdigest() == name for name, public in keys.items())
    return keys.get(key_id) if right else None


def _check_key(public: bytes | None, key_id: str, given: list[str], findings: Findings) -> None:
    if not given:
        doubt = f"Whether {key_id} is a key of the house: give --key with what the house has published."
        findings.lacking += [] if doubt in findings.lacking else [doubt]
        return
    same = any(each in (key_id, public.hex() if public else key_id) for each in given)
    findings.check(same, "That key is one you gave.", "That key is none that you gave.")


def check_contents(files: dict[str, bytes], records: list[Record], findings: Findings) -> None:
    """The rulebook and the house that the records name are there, and are what their digests say."""
    named = sorted({str(each.told[which]) for each in records for which in ("rulebook", "house")} - {""})
    contents = {
        name[len(CONTENTS) :]: content for name, content in files.items() if name.startswith(CONTENTS)
    }
    odd = [
        digest
        for digest in sorted({*named, *(name[: -len(".json")] for name in contents)})
        if hashlib.sha256(contents.get(f"{digest}.json", b"")).hexdigest() != digest
    ]
    findings.check(
        not odd,
        "The rulebook and the house are those that the records name.",
        f"Missing, or not what the digest says: {', '.join(odd)}.",
    )


def check_round(records: list[Record], number: object, findings: Findings) -> None:
    """The records are about the round, and none is missing between its opening and its end."""
    called = start = end = None
    for record in records:
        for event in record.events():
            kind, mine = event.get("type"), event.get("number") == number
            if kind == "betting-opened" and start is None:
                called = record.sequence
            if kind == "round-began" and mine:
                start = record.sequence if event.get("free") else called
            if kind == "round-ended" and mine:
                end = record.sequence
    if not findings.check(
        start is not None,
        f"They are about round {number}.",
        f"They are not about round {number}, or do not show how it was opened.",
    ):
        return
    if end is None:
        findings.open.append("How the round ended: it was not over when this was put together.")
        return
    missing = set(range(start or 0, end + 1)) - {record.sequence for record in records}
    findings.check(
        not missing,
        f"No record of the round is missing: {start}-{end}.",
        f"Records of the round are missing: {_ranges(sorted(missing))}.",
    )


def check_summary(
    files: dict[str, bytes], records: list[Record], manifest: dict[str, object], findings: Findings
) -> None:
    """round.json says what the records say."""
    number = manifest.get("round")
    made = summary(str(manifest.get("stream")), number, records, files)
    told = parse(ROUND, files.get(ROUND, b"null"))
    findings.check(
        _same(told, made),
        "round.json says what the records and the rulebook say.",
        "round.json does not say what the records and the rulebook say.",
    )
    findings.says += account(records)


def summary(stream: str, number: object, records: list[Record], files: dict[str, bytes]) -> dict[str, object]:
    """Return what matters in a round, word for word from its records, and its clauses from the rulebook."""
    entries = [{"record": each.sequence, **event} for each in records for event in each.events()]
    parts = {
        part: [entry for entry in entries if entry.get("type") in kinds] for part, kinds in PARTS.items()
    }
    return {"stream": stream, "round": number, **parts, "clauses": clauses_of(records, files)}


def clauses_of(records: list[Record], files: dict[str, bytes]) -> dict[str, object]:
    """Return the clauses that the records cite, in the words of their rulebook."""
    books: dict[str, object] = {}
    found: dict[str, object] = {}
    for record in records:
        digest = str(record.told["rulebook"])
        if digest not in books:
            content = files.get(f"{CONTENTS}{digest}.json", b"{}")
            books[digest] = parse_object(CONTENTS, content).get("clauses")
        lines = books[digest]
        for clause in _cited(record.body):
            line = lines.get(clause) if isinstance(lines, dict) else None
            found[clause] = line.get("says") if isinstance(line, dict) else None
    return found


def _cited(value: object) -> list[str]:
    """Every clause in a value, however deep."""
    if isinstance(value, list):
        return [clause for each in value for clause in _cited(each)]
    if not isinstance(value, dict):
        return []
    own = value.get("clauses", [])
    cited = [each for each in own if isinstance(each, str)] if isinstance(own, list) else []
    return cited + [clause for each in value.values() for clause in _cited(each)]


# sealed shoes: docs/shoe.md of thirdcard describes the file and every byte of it


def check_shoes(files: dict[str, bytes], records: list[Record], findings: Findings) -> None:
    """Shoes that were laid open, and single cards, against the seals in the records."""
    seals = {
        seal.get("root"): event.get("number")
        for record in records
        for event in record.events()
        if event.get("type") == "shoe-loaded" and isinstance(seal := event.get("seal"), dict)
    }
    for name in sorted(each for each in files if each.startswith(SHOES)):
        shoe = parse_object(name, files[name])
        wrong = shoe_is_wrong(name, shoe)
        if wrong is None and shoe.get("root") not in seals:
            wrong = "it is none of the shoes that the records say were sealed"
        findings.check(
            wrong is None,
            f"{name} is as it was sealed before the first wager: {_shoe_told(shoe)}.",
            f"{name}: {wrong}.",
        )


def _shoe_told(shoe: dict[str, object]) -> str:
    opened, proofs, dealt = (shoe.get(part) or [] for part in ("opened", "proofs", "dealt"))
    laid = shoe.get("cards") if opened else 0
    came = [card for card in dealt if card is not None] if isinstance(dealt, list) else []
    proven = len(proofs) if isinstance(proofs, list) else 0
    return (
        f"{laid} cards laid open, {proven} proven one by one, {len(came)} compared with the cards that came"
    )


def shoe_is_wrong(name: str, shoe: dict[str, object]) -> str | None:
    """Why a shoe is not the one that was sealed, or nothing where it is."""
    _only(name, shoe, "format", "root", "cards", "cut", "opened", "proofs", "dealt")
    root, cards, cut = _hex(name, shoe, "root"), shoe.get("cards"), shoe.get("cut", 0)
    if shoe.get("format") != 1 or type(cards) is not int or type(cut) is not int or cards < 1 or cards % 52:
        raise Unreadable(f"{name} is not as it should be: format, cards or cut")
    known: dict[int, str] = {}
    opened = shoe.get("opened")
    if opened is not None:
        known = _laid_open(name, opened)
        if len(known) != cards:
            return f"{len(known)} cards are laid open, and {cards} were sealed"
        many = [card for card in set(known.values()) if list(known.values()).count(card) > cards // 52]
        if many:
            return f"{sorted(many)[0]} is in it more often than there are decks"
        if _shoe_root(name, opened, known) != root:
            return "the cards laid open are not those that were sealed"
    for proof in _objects(shoe.get("proofs")):
        position = _of_kind(name, proof, "position", int)
        card, salt = str(proof.get("card")), _hex(name, proof, "salt")
        path = proof.get("path")
        steps = [_from_hex(name, each) for each in path] if isinstance(path, list) else []
        at = int(str(position))
        if not leads_to(_card_leaf(salt, at, card), at, cards, steps, root) or known.get(at, card) != card:
            return f"{card} was not sealed at position {at}"
        known[at] = card
    return _not_dealt_from(shoe.get("dealt"), known, cards, cut) or (
        None if known else "nothing in it can be checked"
    )


def _laid_open(name: str, opened: object) -> dict[int, str]:
    order = opened.get("order") if isinstance(opened, dict) else None
    if not isinstance(order, list) or not all(isinstance(card, str) for card in order):
        raise Unreadable(f"{name} is not as it should be: the order of the cards")
    return dict(enumerate(order))


def _shoe_root(name: str, opened: object, order: dict[int, str]) -> bytes:
    """The root over the cards and their salts."""
    secret = _hex(name, opened, "secret") if isinstance(opened, dict) else b""
    level = []
    for position, card in order.items():
        salt = hmac.new(secret, _four_bytes(position), hashlib.sha256).digest()
        level.append(_card_leaf(salt, position, card))
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [
            hashlib.sha256(b"\x01" + pair[0] + pair[1]).digest() if len(pair) == 2 else pair[0]
            for pair in pairs
        ]
    return level[0]


def _card_leaf(salt: bytes, position: int, card: str) -> bytes:
    return hashlib.sha256(b"\x00" + salt + _four_bytes(position) + card.encode()).digest()


def _four_bytes(position: int) -> bytes:
    return (position % 2**32).to_bytes(4, "big")


def _not_dealt_from(dealt: object, known: dict[int, str], cards: int, cut: int) -> str | None:
    """The first card that came and is not the one at its place."""
    for place, card in enumerate(dealt if isinstance(dealt, list) else []):
        position = (cut + place) % cards
        if card is not None and known.get(position) != card:
            return (
                f"at place {place} came {card}, and {known.get(position, 'an unknown card')} was sealed there"
            )
    return None


# what the records say, for people

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"}


def account(records: list[Record]) -> list[str]:
    """The cards, the outcome and the wagers, record by record."""
    lines: list[str] = []
    for record in records:
        when, who = _moment(record.told["wall_time"]), _who(record.envelope)
        lines += [
            f"{record.sequence:>6}  {when}  {who}: {line}"
            for event in record.events()
            for line in _told(event)
        ]
        if record.body.get("refused"):
            lines.append(f"{record.sequence:>6}  {when}  {who}: {record.told['kind']} was refused")
    return lines


def _who(envelope: dict[str, object]) -> str:
    """Return the person who gave the command, and the one who approved it."""
    actor, approver = envelope.get("actor"), envelope.get("authoriser")
    return f"{actor}, approved by {approver}" if approver else f"{actor}"


def _told(event: dict[str, object]) -> list[str]:
    kind = event.get("type")
    if kind == "card-drawn":
        return [f"{event.get('hand')} gets {_card(event.get('card'))}"]
    if kind in ("cards-exposed", "cards-reconstructed", "cards-substituted"):
        return [f"{kind}: {_cards(event)}"]
    if kind == "outcome-known":
        facts = event.get("facts")
        return [f"outcome: {json.dumps(facts, sort_keys=True, ensure_ascii=False)}"]
    if kind == "round-settled":
        wagers = event.get("wagers")
        return (
            [_settled(each) for each in wagers if isinstance(each, dict)] if isinstance(wagers, list) else []
        )
    plain = {
        name: value
        for name, value in event.items()
        if name not in ("type", "clauses") and isinstance(value, (str, int))
    }
    return [f"{kind} {json.dumps(plain, ensure_ascii=False) if plain else ''}".strip()]


def _settled(wager: dict[str, object]) -> str:
    said = ", ".join(f"{name} {wager.get(name)}" for name in ("stake", "result", "paid", "taken", "back"))
    return f"settled: {wager.get('patron')} on {wager.get('wager')}: {said} (in the smallest coin)"


def _cards(event: dict[str, object]) -> str:
    """The cards of an event, with their hand where one is named."""
    shown = [str(event["hand"])] if "hand" in event else []
    shown += [
        f"{each['hand']} {_card(each.get('card'))}" if "hand" in each else _card(each)
        for each in _objects(event.get("cards"))
    ]
    return ", ".join(shown)


def _card(card: object) -> str:
    if not isinstance(card, dict):
        return "a card face down"
    rank, suit = card.get("rank"), card.get("suit")
    letter = RANKS.get(rank, str(rank)) if isinstance(rank, int) else "?"
    return letter + (SUITS.get(suit, "") if isinstance(suit, str) else "")


def _moment(microseconds: object) -> str:
    try:
        since = datetime.timedelta(microseconds=int(str(microseconds)))
        moment = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + since
    except (ValueError, OverflowError):
        return "an unknown time"
    return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03} UTC"


# the command


def visible(line: str) -> str:
    """A line of a terminal in which nothing steers it: whatever is not plain text is written out."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in line)


def main(arguments: list[str]) -> int:
    """Check a bundle, say what came of it, and give the exit status."""
    options = argparse.ArgumentParser(description="Checks a dossier of a round.")
    options.add_argument("bundle", nargs="?", type=Path, default=Path(__file__).parent)
    options.add_argument(
        "--key", metavar="HEX", action="append", help="a public key of the house, or its name"
    )
    options.add_argument("--json", action="store_true", help="print JSON")
    chosen = options.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        findings = verify(read_bundle(chosen.bundle), *(chosen.key or ()))
    except Unreadable as error:
        print(visible(str(error)), file=sys.stderr)
        return 2
    if chosen.json:
        print(json.dumps(vars(findings), ensure_ascii=False))
        return 1 if findings.wrong or findings.lacking else 0
    for title, lines in (
        ("WRONG", findings.wrong),
        ("NOT PROVEN", findings.lacking),
        ("Proven", findings.proven),
        ("Left open", findings.open),
        ("What the records say", findings.says),
    ):
        if lines:
            print(f"{title}:", *(f"  {visible(line)}" for line in lines), "", sep="\n")
    doubts = "It is not proven: something that a proof needs is not there."
    print("Something is wrong." if findings.wrong else doubts if findings.lacking else "Nothing is wrong.")
    return 1 if findings.wrong or findings.lacking else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
