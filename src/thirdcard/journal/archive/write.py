"""Writes volumes: closes past days, each stream up to a checkpoint, and reads back what was written."""

import asyncio
import contextlib
import fcntl
import gzip
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from thirdcard.journal.archive.frames import frames_of
from thirdcard.journal.archive.store import ArchivedStore
from thirdcard.journal.archive.volume import (
    BLOCK_RECORDS,
    ArchiveProgress,
    StreamPlace,
    Volume,
    VolumeBlock,
    VolumeManifest,
    VolumePart,
    VolumeUnusable,
    frames_file,
    manifest_file,
    numbers_in,
    place_of,
    sign_manifest,
)
from thirdcard.journal.checkpoints import line_of
from thirdcard.journal.durable_files import put_in_place
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.record import EMPTY, head_of
from thirdcard.journal.store import FLOOR_STREAM, Checkpoint, StoreInUse, StoreUnusable

PRIVATE_FOLDER, PRIVATE_FILE, NEVER_WRITTEN = 0o700, 0o600, 0o400
LOCK = "lock"
DAY_MICROSECONDS = 86_400_000_000  # microseconds
COMPRESSION = 6
CLOSING = ("round-end", "shoe-end", "shift-end", "stop")  # reasons of checkpoints at which a volume may end
STREAM_START = place_of(EMPTY, Frontier())


class Closing(Struct, frozen=True):
    """The part of a stream that goes into a volume: everything after a place, up to a checkpoint."""

    stream: str
    before: StreamPlace
    checkpoint: Checkpoint


async def write_volumes(
    store: ArchivedStore,
    keys: KeyRing,
    *,
    until: int,
    wall_time: int,
    progress: ArchiveProgress = lambda _: None,
) -> tuple[Volume, ...]:
    """Write a volume for each day before a moment, of which every table is closed up to a checkpoint.

    Nothing is deleted. The stream of the floor stays in the journal: a server reads it all at its start.
    """
    made: list[Volume] = []
    with archive_lock(store.folder):
        remove_unfinished(store.folder)
        while closings := await _next_day(store, until):
            made.append(await _write(store, keys, closings, wall_time, progress))
    return tuple(made)


@contextlib.contextmanager
def archive_lock(folder: Path) -> Iterator[None]:
    """Let nobody else write or forget volumes meanwhile."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        lock = os.fdopen(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
    except OSError as error:
        raise StoreUnusable(f"{folder}: {error.strerror}. Choose a folder that can be written to") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise StoreInUse(f"{folder} is in use by another process; wait until it has ended") from error
        yield


def remove_unfinished(folder: Path) -> None:
    """Remove what an interrupted writing has left: files without a manifest."""
    known = {frames_file(folder, number) for number in numbers_in(folder)}
    for path in folder.iterdir():
        if path.suffix == ".unfinished" or (path.name.endswith(".frames.gz") and path not in known):
            path.unlink()


async def places(store: ArchivedStore) -> dict[str, StreamPlace]:
    """Return where each stream is in the archive, also by volumes that the journal has not noted yet.

    Those must be of this journal, and go on from where the archive ends.
    """
    found: dict[str, StreamPlace] = {}
    for each in await store.live.archived():
        found[each.stream] = place_of(each.head, each.tree)
    for volume in await waiting_volumes(store):
        for part in volume.manifest.parts:
            known, after = found.get(part.stream, STREAM_START), part.after
            here = await store.live.read(part.stream, after=after.sequence - 1, most=1)
            is_ours = bool(here) and head_of(here[0]) == after.head
            if not is_ours or known not in (part.before, after):
                raise VolumeUnusable(
                    f"{volume.name} does not go on from where the archive of {part.stream} ends, which is"
                    f" record {known.sequence}: it belongs to another journal, or the journal was restored"
                    " from before it was written. Move it out of the folder"
                )
            found[part.stream] = after
    return found


async def waiting_volumes(store: ArchivedStore) -> tuple[Volume, ...]:
    """Return the volumes in the folder of which the journal still has all records of some stream."""
    noted = {(each.volume, each.stream) for each in await store.live.archived()}
    volumes = (Volume(store.folder, number) for number in numbers_in(store.folder))
    return tuple(
        volume
        for volume in volumes
        if any((volume.number, part.stream) not in noted for part in volume.manifest.parts)
    )


async def _next_day(store: ArchivedStore, until: int) -> tuple[Closing, ...]:
    """Return the parts of the next volume: the oldest day before a moment that is not in the archive."""
    known = await places(store)
    streams = [name for name in await store.streams() if name != FLOOR_STREAM]
    first: dict[str, int] = {}
    for name in streams:
        for record in await store.read(name, after=known.get(name, STREAM_START).sequence, most=1):
            first[name] = record.wall_time
    oldest = min(first.values(), default=until)
    while oldest < until:
        day = min(until, oldest - oldest % DAY_MICROSECONDS + DAY_MICROSECONDS)
        found = [await _closing(store, name, known.get(name, STREAM_START), day) for name in first]
        closings = tuple(each for each in found if each is not None)
        if closings:
            return closings
        oldest = day
    return ()


async def _closing(store: ArchivedStore, stream: str, before: StreamPlace, until: int) -> Closing | None:
    """Up to which checkpoint a stream can be closed before a moment, if any."""
    found: Checkpoint | None = None
    after = before.sequence
    while page := await store.checkpoints(stream, after=after, most=BLOCK_RECORDS):
        for each in page:
            if each.wall_time >= until:
                return Closing(stream, before, found) if found else None
            found = each if each.reason in CLOSING else found
        after = page[-1].sequence
    return Closing(stream, before, found) if found else None


async def _write(
    store: ArchivedStore,
    keys: KeyRing,
    closings: Iterable[Closing],
    wall_time: int,
    progress: ArchiveProgress,
) -> Volume:
    """Write one volume, read all of it back and check it, and only then give it its name."""
    noted = (each.volume for each in await store.live.archived())
    number = max((*noted, *numbers_in(store.folder)), default=0) + 1
    frames, manifest = frames_file(store.folder, number), manifest_file(store.folder, number)
    try:
        unfinished = frames.with_name(frames.name + ".unfinished")
        with _made(unfinished) as file:
            out = _Frames(file)
            parts = [await _write_part(store, out, each, progress) for each in closings]
        told = VolumeManifest(
            number=number,
            wall_time=wall_time,
            size=out.size,
            digest=out.digest.hexdigest(),
            parts=tuple(parts),
            key_id=keys.key_id,
        )
        put_in_place(unfinished, frames)
        unfinished = manifest.with_name(manifest.name + ".unfinished")
        with _made(unfinished) as file:
            file.write(sign_manifest(keys, told))
        volume = Volume(store.folder, number, manifest=unfinished)
        await asyncio.to_thread(volume.check, keys.public_keys)
        put_in_place(unfinished, manifest)
    except OSError as error:
        raise StoreUnusable(f"{store.folder}: {error.strerror}; nothing was archived") from error
    return volume


def _made(path: Path) -> BinaryIO:
    """Open a new file that only its owner reads, and that nobody alters once it is closed."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, NEVER_WRITTEN), "wb")


class _Frames:
    """The file of a volume while it is written."""

    def __init__(self, file: BinaryIO) -> None:
        self.size = 0
        self.digest = hashlib.sha256()
        self._file = file

    async def add(self, content: bytes, *, first: int, last: int) -> VolumeBlock:
        """Write a block."""
        packed = await asyncio.to_thread(gzip.compress, content, COMPRESSION, mtime=0)
        block = VolumeBlock(
            first=first,
            last=last,
            at=self.size,
            length=len(packed),
            digest=hashlib.sha256(packed).hexdigest(),
        )
        self._file.write(packed)
        self.digest.update(packed)
        self.size += len(packed)
        return block


async def _write_part(
    store: ArchivedStore, out: _Frames, closing: Closing, progress: ArchiveProgress
) -> VolumePart:
    stream, last = closing.stream, closing.checkpoint.sequence
    head, tree = closing.before.head, closing.before.tree
    records: list[VolumeBlock] = []
    checkpoints: list[VolumeBlock] = []
    while left := min(BLOCK_RECORDS, last - head.sequence):
        page = await store.read(stream, after=head.sequence, most=left)
        if not page:
            raise StoreUnusable(
                f"{stream} ends before its checkpoint of record {last}; see thirdcard audit verify"
            )
        records.append(await out.add(frames_of(page), first=page[0].sequence, last=page[-1].sequence))
        for record in page:
            tree = tree.grown(leaf(record.digest))
        head = head_of(page[-1])
        progress(len(page))
    after = closing.before.sequence
    while signed := await store.checkpoints(stream, after=after, most=BLOCK_RECORDS):
        mine = [each for each in signed if each.sequence <= last]
        if mine:
            lines = b"".join(map(line_of, mine))
            checkpoints.append(await out.add(lines, first=mine[0].sequence, last=mine[-1].sequence))
        if len(mine) < len(signed):
            break
        after = signed[-1].sequence
    return VolumePart(
        stream=stream,
        before=closing.before,
        after=place_of(head, tree),
        records=tuple(records),
        checkpoints=tuple(checkpoints),
    )
