"""The feed of a table: what happened there for a viewer, record by record, resumable by sequence.

Records are read as fast as the client takes what was sent before: nothing waits in memory for a slow one.
"""

import asyncio
import logging
from collections.abc import Callable

import msgspec
from starlette.types import Receive, Scope, Send

from thirdcard.access.endpoints import Endpoint
from thirdcard.folds.viewers import Viewer
from thirdcard.journal.store import StoreFailed
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.server.context import ServerContext, viewer_of
from thirdcard.server.feed_pages import page_of
from thirdcard.server.http import Call, Streamed, whole_number
from thirdcard.server.hub import Channel
from thirdcard.server.security import first_header, shown_tokens
from thirdcard.wire.answers import FeedEvent

MOST_FEEDS = 1_000  # open at a time
MOST_FEEDS_OF_ONE = 200  # of one service account
ALIVE_SECONDS = 15.0  # after which a comment says that the feed is still there
TAKES_SECONDS = 20.0  # for which a client may take nothing
RETRY = b"retry: 2000\n\n"  # milliseconds after which a client comes again
ALIVE = b": alive\n\n"
EVENT_STREAM = "text/event-stream"
GONE = "gone"
NO_SEQUENCE = -1
_encoder = msgspec.json.Encoder()
log = logging.getLogger("thirdcard.feeds")


def written(event: FeedEvent) -> bytes:
    """Return the bytes of an event, which are the same whenever it is told."""
    return _encoder.encode(event)


async def feed(context: ServerContext, call: Call) -> Streamed | Refused:
    """Stream the events of a table after a sequence, as they happen."""
    name = call.path["table"]
    channel = context.hub.channel(name)
    if channel is None:
        return refuse(Refusal.NO_SUCH_TABLE)
    own = context.calls.of(shown_tokens(call.scope).bearer)
    if len(context.calls) >= MOST_FEEDS or own >= MOST_FEEDS_OF_ONE:
        return refuse(Refusal.TOO_MANY_REQUESTS, seconds=5)
    await channel.stream.load()
    head = channel.stream.head.sequence
    said = first_header(call.scope, b"last-event-id").decode("latin-1") or call.query.get("after", "")
    after = whole_number(said, NO_SEQUENCE) if said else head
    if after == NO_SEQUENCE:
        # to begin from now on instead would lose without a word what happened meanwhile
        return refuse(Refusal.NOT_UNDERSTOOD, problem="after is the last sequence that you have, 0 or more")
    if after > head:
        # a journal that was restored from a backup is behind its readers
        return refuse(Refusal.NOT_UNDERSTOOD, problem=f"the records of this table end at {head}")
    return Streamed(_Feed(context, channel, viewer_of(call.actor, name), after).serve)


class _Feed:
    """One client of the feed of a table."""

    def __init__(self, context: ServerContext, channel: Channel, viewer: Viewer, after: int) -> None:
        self._context = context
        self._channel = channel
        self._viewer = viewer
        self._after = after
        self._news = asyncio.Event()
        self._ended: str | None = None

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the client goes, or may not read them any more."""
        headers = [(b"content-type", EVENT_STREAM.encode()), (b"x-accel-buffering", b"no")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        listeners, follow = self._channel.stream.listeners, self._follow
        left = asyncio.create_task(_leaves(receive, self._end))
        listeners.add(follow)
        try:
            with self._context.calls.watched(shown_tokens(scope), Endpoint.FEED, self._end):
                await self._send_all(send)
        except (TimeoutError, OSError, RuntimeError):
            self._context.metrics.dropped.inc()
        except StoreFailed as error:  # the client comes again
            log.warning("its store failed", extra={"fields": {"reason": str(error)}})
        finally:
            listeners.discard(follow)
            left.cancel()
            await asyncio.gather(left, return_exceptions=True)

    async def _send_all(self, send: Send) -> None:
        await _put(send, RETRY)
        while self._ended is None:
            self._news.clear()
            page = await page_of(self._channel, self._viewer, self._after)
            self._after = page.sequence
            if page.events and self._ended is None:
                await _put(send, b"".join(map(_block, page.events)))
            if not page.more:
                await self._wait(send)
        ended = _encoder.encode({"reason": self._ended})
        await _put(send, b"event: ended\ndata: " + ended + b"\n\n", more=False)

    async def _wait(self, send: Send) -> None:
        """Wait for news; say from time to time that the feed is still there."""
        while not self._news.is_set():
            try:
                async with asyncio.timeout(ALIVE_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                await _put(send, ALIVE)

    def _follow(self, change: object) -> None:  # noqa: ARG002
        self._news.set()

    def _end(self, reason: str) -> None:
        self._ended = self._ended or reason
        self._news.set()


async def _leaves(receive: Receive, end: Callable[[str], None]) -> None:
    """End a feed when its client goes."""
    while (await receive())["type"] != "http.disconnect":
        pass
    end(GONE)


async def _put(send: Send, content: bytes, *, more: bool = True) -> None:
    """Send a part of a feed; a client that takes nothing is not waited for."""
    async with asyncio.timeout(TAKES_SECONDS):
        await send({"type": "http.response.body", "body": content, "more_body": more})


def _block(event: FeedEvent) -> bytes:
    return b"id: %d\nevent: record\ndata: %b\n\n" % (event.sequence, written(event))
