"""Lets a journal forget what volumes have, after each was read, checked and compared with the journal."""

import asyncio
from typing import TypeVar

from thirdcard.journal.archive.store import ArchivedStore
from thirdcard.journal.archive.volume import (
    BLOCK_RECORDS,
    ArchiveProgress,
    Volume,
    VolumePart,
    VolumeUnusable,
)
from thirdcard.journal.archive.write import archive_lock, places, waiting_volumes
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.record import Record
from thirdcard.journal.store import Checkpoint

T = TypeVar("T", Record, Checkpoint)


async def forget_volumes(
    store: ArchivedStore, keys: KeyRing, progress: ArchiveProgress = lambda _: None
) -> int:
    """Delete from the journal what the volumes of its archive have; how many records it has no more.

    Each stream of a volume is noted and deleted in one transaction, so that an interrupted work goes on with
    the next stream when it is begun again. The last record of a range stays.
    """
    with archive_lock(store.folder):
        await places(store)  # refuses volumes that do not belong here
        return await _forget(store, keys, progress)


async def _forget(store: ArchivedStore, keys: KeyRing, progress: ArchiveProgress) -> int:
    forgotten = 0
    for volume in await waiting_volumes(store):
        await asyncio.to_thread(volume.check, keys.public_keys)
        noted = {each.stream for each in await store.live.archived() if each.volume == volume.number}
        for part in volume.manifest.parts:
            if part.stream in noted:
                continue
            await _require_same(store, volume, part)
            await store.live.forget(volume.range_of(part))
            forgotten += part.after.sequence - part.before.sequence
            progress(part.after.sequence - part.before.sequence)
    return forgotten


async def _require_same(store: ArchivedStore, volume: Volume, part: VolumePart) -> None:
    """Compare a part with what the journal itself has, byte by byte."""
    after, last = part.before.sequence, part.after.sequence
    while after < last:
        here = await store.live.read(part.stream, after=after, most=min(BLOCK_RECORDS, last - after))
        there = await asyncio.to_thread(volume.read, part.stream, after=after, most=len(here) or 1)
        _require_equal(volume, part.stream, here, there)
        after = here[-1].sequence
    signed = await store.live.checkpoints(part.stream, after=part.before.sequence)
    kept = await asyncio.to_thread(volume.checkpoints, part.stream, after=0, most=None)
    mine = tuple(each for each in signed if each.sequence <= last)
    _require_equal(volume, part.stream, mine, kept)


def _require_equal(volume: Volume, stream: str, here: tuple[T, ...], there: tuple[T, ...]) -> None:
    if here == there:
        return
    pairs = zip(here, there, strict=False)
    first = next((each.sequence for each, other in pairs if each != other), None)
    where = f"at record {first}" if first else "in how much there is"
    raise VolumeUnusable(
        f"{volume.name} differs from the journal in {stream}, {where}; nothing of it was deleted."
        " Prove the journal with thirdcard audit verify, and move the volume out of the folder"
    )
