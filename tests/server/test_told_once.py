"""A client that comes back hears every moment once, whatever is recorded while it is told what it missed."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from server.in_process import TABLE, floor_here

from thirdcard.client.picture import Picture
from thirdcard.folds.viewers import STAFF_VIEWER
from thirdcard.journal.record import Record
from thirdcard.server.hub import KEPT, Mailbox, Watcher
from thirdcard.server.security import Guard
from thirdcard.wire.answers import MomentAt
from thirdcard.wire.frames import NewsFrame, ViewFrame

_frames = msgspec.json.Decoder(ViewFrame | NewsFrame)


async def test_a_record_that_is_stored_and_not_taken_yet_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store shows a record to readers before the stream that appends it has its answer."""
    mailbox, told = Mailbox(), list[MomentAt]()
    picture = Picture(TABLE, told.append)
    async with floor_here(tmp_path, Guard(per_second=0)) as here:
        await here.record(2 * KEPT)
        channel, store = here.hub.channel(TABLE), here.floor.store
        assert channel is not None
        head = channel.stream.head.sequence
        stored, answered = asyncio.Event(), asyncio.Event()
        real_append, real_read = store.append, store.read

        async def append(*args: object, **named: object) -> object:
            done = await real_append(*args, **named)  # type: ignore[arg-type]
            stored.set()
            await answered.wait()
            return done

        sending: list[asyncio.Task[None]] = []

        async def read(stream: str, *, after: int, most: int = 1000) -> tuple[Record, ...]:
            if stream == TABLE and after < head and not sending:
                monkeypatch.setattr(store, "append", append)
                sending.append(asyncio.create_task(here.record(1)))
                await stored.wait()
            return tuple(await real_read(stream, after=after, most=most))

        monkeypatch.setattr(store, "read", read)
        picture.sequence = 0
        assert await channel.watch(Watcher(STAFF_VIEWER, mailbox), 0)
        answered.set()
        await asyncio.gather(*sending)
        channel.flush()
        assert channel.stream.head.sequence == head + 1
        for _ in range(2):
            frame = await mailbox.take() or b""
            picture.take(_frames.decode(frame[frame.index(b"{") :]))
    assert picture.sequence == head + 1
    sequences = [each.sequence for each in told]
    assert sequences == sorted(set(sequences))
    assert sequences[-1] == head + 1
