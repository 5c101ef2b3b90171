"""Copies a journal from one store to another, whatever keeps them, byte for byte, and compares the two."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from thirdcard.journal.record import Head, Record, head_of
from thirdcard.journal.store import CONTENT_BATCH, READ_BATCH, Appended, Checkpoint, Store, StoreUnusable

COPY_BATCH = READ_BATCH
CopyProgress = Callable[[int], None]
T = TypeVar("T")
ReadPage = Callable[[Store, T | None], Awaitable[tuple[T, ...]]]  # what a store has after something


async def copy_store(source: Store, target: Store, progress: CopyProgress = lambda _: None) -> None:
    """Copy everything of a journal, and go on where an earlier copy was interrupted."""
    async for contents in _pages(source, _contents):
        await asyncio.gather(*(target.keep_content(digest, content) for digest, content in contents))
    for stream in await source.streams():
        await _copy_records(source, target, stream, progress)
        async for checkpoints in _pages(source, _checkpoints_of(stream)):
            await asyncio.gather(*map(target.keep_checkpoint, checkpoints))
        snapshot = await source.snapshot(stream)
        if snapshot is not None:
            await target.keep_snapshot(snapshot)


async def _copy_records(source: Store, target: Store, stream: str, progress: CopyProgress) -> None:
    head = await target.head(stream)
    if head.sequence:
        here = await source.read(stream, after=head.sequence - 1, most=1)
        if not here or head_of(here[0]) != head:
            raise StoreUnusable(
                f"The unfinished copy has another record {head.sequence} of {stream}; remove it, copy anew"
            )
        progress(head.sequence)
    while page := await source.read(stream, after=head.sequence, most=COPY_BATCH):
        if not isinstance(answer := await target.append(page), Appended):
            raise StoreUnusable(
                f"{stream}: a record after {head.sequence} does not follow the one before it, or has the"
                " command of another; see thirdcard audit verify"
            )
        head = answer.head
        progress(len(page))


async def require_same(source: Store, target: Store) -> tuple[int, dict[str, Head]]:
    """Return the number of records of two equal journals and the ends of streams; refuse a difference."""
    names = await source.streams()
    if names != await target.streams():
        raise _differs("the names of the streams")
    records, heads = 0, dict[str, Head]()
    for stream in names:
        records += await _require_same_pages(source, target, _records_of(stream), f"records of {stream}")
        heads[stream] = await source.head(stream)
        if await target.head(stream) != heads[stream]:
            raise _differs(f"the end of {stream}")
        await _require_same_pages(source, target, _checkpoints_of(stream), f"checkpoints of {stream}")
        if await source.snapshot(stream) != await target.snapshot(stream):
            raise _differs(f"the snapshot of {stream}")
    await _require_same_pages(source, target, _contents, "rulebooks, houses and keys")
    return records, heads


async def _require_same_pages(source: Store, target: Store, read: ReadPage[T], what: str) -> int:
    seen, last = 0, None
    while True:
        ours, theirs = await read(source, last), await read(target, last)
        for number, (one, other) in enumerate(zip(ours, theirs, strict=False), start=seen + 1):
            if one != other:
                raise _differs(f"number {number} of the {what}")
        if len(ours) != len(theirs):
            raise _differs(f"how many there are of the {what}")
        if not ours:
            return seen
        seen, last = seen + len(ours), ours[-1]


async def _pages(store: Store, read: ReadPage[T]) -> AsyncIterator[tuple[T, ...]]:
    page = await read(store, None)
    while page:
        yield page
        page = await read(store, page[-1])


async def _contents(store: Store, last: tuple[str, bytes] | None) -> tuple[tuple[str, bytes], ...]:
    return await store.contents(after=last[0] if last else "", most=CONTENT_BATCH)


def _records_of(stream: str) -> ReadPage[Record]:
    return lambda store, last: store.read(stream, after=last.sequence if last else 0, most=COPY_BATCH)


def _checkpoints_of(stream: str) -> ReadPage[Checkpoint]:
    return lambda store, last: store.checkpoints(stream, after=last.sequence if last else 0, most=COPY_BATCH)


def _differs(what: str) -> StoreUnusable:
    return StoreUnusable(
        f"The copy differs from the journal: {what}. Remove the copy and begin anew; where it differs again,"
        " look for what writes to either meanwhile"
    )
