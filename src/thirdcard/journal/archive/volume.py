"""A volume of the archive: records and checkpoints of past days in a file, and a signed manifest beside it.

The file is a series of gzip members, so that any program can unpack it. The manifest says where each of them
lies, and for each stream where it stood before the volume and where it stands after it.
"""

import gzip
import hashlib
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from thirdcard.journal.archive.frames import records_in
from thirdcard.journal.checkpoints import checkpoint_is_genuine, read_line
from thirdcard.journal.groups import SIGNED_FORM, GroupSignatures, is_grouped
from thirdcard.journal.keys import KeyRing, is_signed
from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.record import Head, Record, digest_of, head_of
from thirdcard.journal.store import ArchivedRange, Checkpoint, StoreFailed

BLOCK_RECORDS = 500  # records, or checkpoints, that are compressed together
HASHED_AT_ONCE = 1 << 20
_MANIFEST = re.compile(r"([0-9]{6,})\.json")
ArchiveProgress = Callable[[int], None]


class VolumeUnusable(StoreFailed):
    """A volume is missing, was altered, or is not of this journal; the sentence names it."""


class VolumeBlock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Records, or checkpoints, from a sequence to another, that lie compressed at a place in the file."""

    first: int
    last: int
    at: int
    length: int
    digest: str


class StreamPlace(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place in a stream: its last record up to there, the digest, and the roots of the tree over all."""

    sequence: int
    digest: str
    roots: tuple[str, ...]

    @property
    def head(self) -> Head:
        """The last record up to there."""
        return Head(self.sequence, bytes.fromhex(self.digest))

    @property
    def tree(self) -> Frontier:
        """The tree over the records up to there."""
        return Frontier(self.sequence, tuple(map(bytes.fromhex, self.roots)))


class VolumePart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part of a stream in a volume: everything after a place, up to one that a checkpoint has signed."""

    stream: str
    before: StreamPlace
    after: StreamPlace
    records: tuple[VolumeBlock, ...]
    checkpoints: tuple[VolumeBlock, ...]

    @property
    def first(self) -> int:
        """Its first record."""
        return self.before.sequence + 1


class VolumeManifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The signed statement about a volume: what is in it, and the size and the digest of its file."""

    volume: Literal[1] = 1
    number: int
    wall_time: int
    size: int
    digest: str
    parts: tuple[VolumePart, ...]
    key_id: str
    signature: str = ""


_encoder = msgspec.json.Encoder(order="sorted")
_manifests = msgspec.json.Decoder(VolumeManifest)


def place_of(head: Head, tree: Frontier) -> StreamPlace:
    """Return a place by the last record up to there and the tree."""
    roots = tuple(root.hex() for root in tree.roots)
    return StreamPlace(sequence=head.sequence, digest=head.digest.hex(), roots=roots)


def frames_file(folder: Path, number: int) -> Path:
    """The file of a volume."""
    return folder / f"{number:06}.frames.gz"


def manifest_file(folder: Path, number: int) -> Path:
    """The manifest of a volume; a volume is complete once it is there."""
    return folder / f"{number:06}.json"


def numbers_in(folder: Path) -> tuple[int, ...]:
    """The numbers of all volumes in a folder."""
    names = (_MANIFEST.fullmatch(path.name) for path in folder.iterdir()) if folder.is_dir() else ()
    return tuple(sorted(int(name[1]) for name in names if name))


def manifest_statement(manifest: VolumeManifest) -> bytes:
    """Return the bytes that are signed: everything that a manifest says but its signature."""
    told = msgspec.to_builtins(manifest)
    del told["signature"]
    return _encoder.encode(told)


def sign_manifest(keys: KeyRing, unsigned: VolumeManifest) -> bytes:
    """Return a manifest, signed, as it is stored."""
    return _encoder.encode(replace(unsigned, signature=keys.sign(manifest_statement(unsigned)).hex())) + b"\n"


class Volume:
    """A volume that is read: its manifest, and of its file the blocks that are asked for."""

    def __init__(self, folder: Path, number: int, *, manifest: Path | None = None) -> None:
        """Open a volume; its manifest is elsewhere while it is not finished."""
        self.number = number
        self.name = f"Volume {number:06} of the archive"
        self._frames = frames_file(folder, number)
        path = manifest or manifest_file(folder, number)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise self._missing(path, error) from error
        self.manifest_digest = hashlib.sha256(content).digest()  # under which a journal notes it
        try:
            self.manifest = _manifests.decode(content)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise self._altered(f"its manifest cannot be read ({error})") from error
        self._parts = {part.stream: part for part in self.manifest.parts}
        self._last: tuple[VolumeBlock, tuple[Record, ...]] | None = None  # most are read one after another

    def part(self, stream: str) -> VolumePart:
        """Return the part of a stream."""
        if stream not in self._parts:
            raise self._altered(f"it has nothing of {stream}")
        return self._parts[stream]

    def range_of(self, part: VolumePart) -> ArchivedRange:
        """Return a part as a journal notes it."""
        return ArchivedRange(
            stream=part.stream,
            first=part.first,
            head=part.after.head,
            tree=part.after.tree,
            volume=self.number,
            manifest=self.manifest_digest,
        )

    def require(self, known: ArchivedRange) -> None:
        """Refuse a volume that is not the one that a journal has noted."""
        if self.manifest_digest != known.manifest or self.range_of(self.part(known.stream)) != known:
            raise self._altered("its manifest is not the one that the journal knows")

    def read(self, stream: str, *, after: int, most: int) -> tuple[Record, ...]:
        """Records of a stream after a sequence, in order."""
        found: list[Record] = []
        for block in self.part(stream).records:
            if block.last > after and len(found) < most:
                found += [each for each in self._records(block) if each.sequence > after]
        return tuple(found[:most])

    def checkpoints(self, stream: str, *, after: int, most: int | None) -> tuple[Checkpoint, ...]:
        """Checkpoints of a stream after a sequence, in order."""
        found: list[Checkpoint] = []
        for block in self.part(stream).checkpoints:
            if block.last > after and (most is None or len(found) < most):
                found += [each for each in self._checkpoints(block) if each.sequence > after]
        return tuple(found[:most])

    def _records(self, block: VolumeBlock) -> tuple[Record, ...]:
        last = self._last
        if last is not None and last[0] is block:
            return last[1]
        try:
            found = records_in(self._content(block))
        except ValueError as error:
            raise self._altered(f"its records cannot be read ({error})") from error
        self._last = block, found
        return found

    def _checkpoints(self, block: VolumeBlock) -> tuple[Checkpoint, ...]:
        try:
            return tuple(read_line(line) for line in self._content(block).splitlines())
        except (msgspec.MsgspecError, ValueError) as error:
            raise self._altered(f"its checkpoints cannot be read ({error})") from error

    def _content(self, block: VolumeBlock) -> bytes:
        try:
            with self._frames.open("rb") as file:
                file.seek(block.at)
                packed = file.read(block.length)
        except OSError as error:
            raise self._missing(self._frames, error) from error
        if hashlib.sha256(packed).hexdigest() != block.digest:
            raise self._altered(f"{self._frames} is not what its manifest says")
        try:
            return gzip.decompress(packed)
        except (OSError, EOFError, zlib.error) as error:
            raise self._altered(f"{self._frames} cannot be unpacked ({error})") from error

    def _missing(self, path: Path, error: OSError) -> VolumeUnusable:
        return VolumeUnusable(
            f"{self.name} cannot be read: {path}: {error.strerror}; put it back from a copy"
        )

    def _altered(self, what: str) -> VolumeUnusable:
        return VolumeUnusable(f"{self.name} was altered: {what}; put it back from a copy")

    # checking

    def check_signature(self, public_keys: dict[str, bytes]) -> None:
        """Refuse a manifest that no key of the floor has signed."""
        public = public_keys.get(self.manifest.key_id)
        try:
            signature = bytes.fromhex(self.manifest.signature)
        except ValueError:
            signature = b""
        if public is None or not is_signed(public, manifest_statement(self.manifest), signature):
            raise self._altered("no key of this floor has signed its manifest")

    def check(self, public_keys: dict[str, bytes], progress: ArchiveProgress = lambda _: None) -> None:
        """Refuse a volume unless all of it is what was signed: manifest, file, chain, groups and tree."""
        self.check_signature(public_keys)
        self._check_file()
        for part in self.manifest.parts:
            try:
                for count in _follow(part, self, public_keys):
                    progress(count)
            except _Wrong as wrong:
                raise self._altered(f"{part.stream}: {wrong}") from None

    def _check_file(self) -> None:
        digest, size = hashlib.sha256(), 0
        try:
            with self._frames.open("rb") as file:
                while content := file.read(HASHED_AT_ONCE):
                    digest.update(content)
                    size += len(content)
        except OSError as error:
            raise self._missing(self._frames, error) from error
        if (size, digest.hexdigest()) != (self.manifest.size, self.manifest.digest):
            raise self._altered(f"{self._frames} is not what its manifest says")


class _Wrong(Exception):
    """Something in a part is not as it was signed."""


def _follow(part: VolumePart, volume: Volume, public_keys: dict[str, bytes]) -> Iterator[int]:
    """Follow the records and checkpoints of a part from its beginning to its end, block by block."""
    head, tree = part.before.head, part.before.tree
    signatures = GroupSignatures(public_keys)
    signed = {each.sequence: each for each in volume.checkpoints(part.stream, after=0, most=None)}
    after = part.before.sequence
    while page := volume.read(part.stream, after=after, most=BLOCK_RECORDS):
        for record in page:
            _require_next(record, head, signatures)
            head, tree = head_of(record), tree.grown(leaf(record.digest))
            checkpoint = signed.pop(record.sequence, None)
            if checkpoint is not None:
                _require_signed(checkpoint, head, tree, public_keys)
        after = head.sequence
        yield len(page)
    if place_of(head, tree) != part.after or signed:
        raise _Wrong("it does not end where its manifest says")


def _require_next(record: Record, head: Head, signatures: GroupSignatures) -> None:
    if Head(record.sequence - 1, record.previous) != head or digest_of(record) != record.digest:
        raise _Wrong(f"record {record.sequence} is not the one that follows {head.sequence}")
    # older records are not signed; the digests of later ones vouch for them
    signed = is_grouped(record) or record.version >= SIGNED_FORM
    if signed and not signatures.is_genuine(record, digest_checked=True):
        raise _Wrong(f"no key of this floor has signed record {record.sequence}")


def _require_signed(
    checkpoint: Checkpoint, head: Head, tree: Frontier, public_keys: dict[str, bytes]
) -> None:
    same = (checkpoint.digest, checkpoint.root) == (head.digest, tree.root)
    if not same or not checkpoint_is_genuine(checkpoint, public_keys):
        raise _Wrong(f"the checkpoint of record {head.sequence} is not genuine")
