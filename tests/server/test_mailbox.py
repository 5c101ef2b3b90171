"""Frames for a socket are written at once, or wait for it, and are sent or dropped when the socket ends."""

import asyncio

from thirdcard.server.hub import Mailbox


class Line:
    """A connection that takes frames while its client reads, and the pump that sends what waits."""

    def __init__(self) -> None:
        self.reads = True
        self.came: list[bytes] = []
        self.mailbox = Mailbox(self.write)
        self.reading = asyncio.Event()
        self.pump = asyncio.create_task(self._pump())

    def write(self, frame: bytes) -> bool:
        """Take a frame at once."""
        if self.reads:
            self.came.append(frame)
        return self.reads

    async def _pump(self) -> None:
        while (frame := await self.mailbox.take()) is not None:
            await self.reading.wait()
            self.came.append(frame)


async def test_a_frame_is_written_at_once_to_a_client_that_reads() -> None:
    line = Line()
    await asyncio.sleep(0)  # the pump has nothing to send
    line.mailbox.put(b"first")
    line.mailbox.put(b"second")
    assert line.came == [b"first", b"second"]
    line.pump.cancel()


async def test_nothing_is_written_before_the_pump_begins() -> None:
    line = Line()
    assert line.mailbox.put(b"hello")
    assert not line.came
    line.pump.cancel()


async def test_frames_stay_in_order_when_a_client_reads_again() -> None:
    line = Line()
    await asyncio.sleep(0)
    line.reads = False
    line.mailbox.put(b"first")
    await asyncio.sleep(0)  # the pump has taken it, and waits for the client
    line.reads = True
    line.mailbox.put(b"second")
    line.mailbox.put(b"third")
    assert not line.came
    line.reading.set()
    line.mailbox.close(drop=False)
    await line.pump
    assert line.came == [b"first", b"second", b"third"]


async def test_frames_are_written_at_once_again_when_nothing_waits_any_more() -> None:
    line = Line()
    line.reading.set()
    line.mailbox.put(b"first")
    while not line.came:
        await asyncio.sleep(0)
    line.mailbox.put(b"second")
    assert line.came == [b"first", b"second"]
    line.pump.cancel()


async def test_a_client_still_gets_what_waits_when_the_server_goes() -> None:
    mailbox = Mailbox()
    mailbox.put(b"settled")
    mailbox.put(b"next round")
    mailbox.close(drop=False)
    assert not mailbox.put(b"too late")
    assert [await mailbox.take() for _ in range(3)] == [b"settled", b"next round", None]


async def test_nothing_more_goes_to_a_client_that_must_leave() -> None:
    line = Line()
    await asyncio.sleep(0)
    line.mailbox.close()
    assert not line.mailbox.put(b"news")
    await line.pump
    assert not line.came


async def test_what_waits_for_a_client_that_must_leave_is_dropped() -> None:
    mailbox = Mailbox()
    mailbox.put(b"news")
    mailbox.close()
    assert await mailbox.take() is None


async def test_a_client_that_reads_too_slowly_is_given_up() -> None:
    mailbox = Mailbox(most=1)
    assert mailbox.put(b"first")
    assert not mailbox.put(b"second")
    assert await mailbox.take() is None
