"""Posts the feeds of all tables to web addresses: in order, and again until they are taken.

How far an address has taken them is recorded from time to time and at the end. After a crash it gets again
what came since, under the same sequences.
"""

import asyncio
import contextlib
import logging
from concurrent.futures import ThreadPoolExecutor

import msgspec
from msgspec import Struct

from thirdcard.access.attempts import SECOND
from thirdcard.access.directory import Directory
from thirdcard.access.webhooks import WebhookDesk
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import SERVER
from thirdcard.floor.state import MOST_WEBHOOKS, FeedPlace, Scope, Webhook
from thirdcard.folds.viewers import AUDITOR, DISPLAY
from thirdcard.journal.store import StoreFailed
from thirdcard.server.feed_pages import FeedPage, page_of
from thirdcard.server.hub import Channel, Hub
from thirdcard.server.webhook_calls import NotTaken, post
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import FloorStream
from thirdcard.wire.answers import FeedEvent

MOST_ATTEMPTS = 12  # of one delivery, then somebody has to resume it
LONGEST_DELAY = 300.0  # seconds between two attempts
NOTE_SECONDS = 60.0  # after which it is recorded how far an address is
STORE_SECONDS = 5.0  # until a store in trouble is read again
LONGEST_REASON = 200
_encoder = msgspec.json.Encoder()
log = logging.getLogger("thirdcard.webhooks")


class Delivery(Struct, frozen=True):
    """The body of a post: events of one table after a sequence, whole up to another one."""

    webhook: str
    table: str
    after: int
    sequence: int
    events: tuple[FeedEvent, ...]


class Deliveries:
    """The deliveries to all webhooks of a floor, each by itself."""

    def __init__(self, floor: FloorStream, hub: Hub, desk: WebhookDesk, clock: Clock) -> None:
        self.hub = hub
        self.desk = desk
        self.clock = clock
        self.directory = Directory(floor)
        self.threads = ThreadPoolExecutor(MOST_WEBHOOKS, thread_name_prefix="webhooks")
        self._floor = floor
        self._running: dict[str, _Delivering] = {}

    def start(self) -> None:
        """Begin to deliver, and follow what the floor says about webhooks."""
        self._floor.listeners.add(self._follow)
        self._match()

    async def stop(self) -> None:
        """Deliver no more, and record how far every address is."""
        self._floor.listeners.discard(self._follow)
        for each in self._running.values():
            await each.stop()
        self.threads.shutdown(wait=False, cancel_futures=True)

    def _follow(self, change: object) -> None:  # noqa: ARG002
        self._match()

    def _match(self) -> None:
        """Deliver to every webhook that is not stopped, and to no other."""
        wanted = {each.name: each for each in self.directory.floor.webhooks if each.stopped is None}
        for name, each in tuple(self._running.items()):
            if name not in wanted or wanted[name].secret != each.webhook.secret or each.is_over:
                each.cancel()
                del self._running[name]
            else:
                each.wake()
        for name, webhook in wanted.items():
            if name not in self._running:
                self._running[name] = _Delivering(self, webhook)


class _Delivering:
    """The delivery to one webhook."""

    def __init__(self, all_: Deliveries, webhook: Webhook) -> None:
        self.webhook = webhook
        self._all = all_
        self._viewer = AUDITOR if Scope.RECORDS in webhook.scopes else DISPLAY
        self._taken = {each.table: each.sequence for each in webhook.after}  # the last that was taken
        self._read = dict(self._taken)  # beyond that, records that tell it nothing
        self._noted = dict(self._taken)
        self._noted_at = all_.clock.now().monotonic
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name=f"webhook {webhook.name}")

    @property
    def is_over(self) -> bool:
        """Whether it ended though nobody recorded that."""
        return self._task.done()

    def wake(self) -> None:
        """Look again: something happened at a table or on the floor."""
        self._news.set()

    def cancel(self) -> None:
        """Deliver no more."""
        self._task.cancel()
        for channel in self._all.hub.channels():
            channel.stream.listeners.discard(self._follow)

    async def stop(self) -> None:
        """Deliver no more, and record how far the address is."""
        self.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._note()

    def _follow(self, change: object) -> None:  # noqa: ARG002
        self._news.set()

    async def _run(self) -> None:
        try:
            while True:
                self._news.clear()
                self._skip()
                try:
                    if not await self._deliver_all():
                        await self._news.wait()
                except StoreFailed:
                    await self._all.clock.sleep(STORE_SECONDS)
                if self._all.clock.now().monotonic - self._noted_at >= NOTE_SECONDS * SECOND:
                    await self._note()
        except NotTaken as error:
            await self._give_up(str(error))
        except Exception:
            log.exception("a webhook failed", extra={"fields": {"webhook": self.webhook.name}})
            await self._give_up("an error of this server; its log has more")

    def _skip(self) -> None:
        """Go on where another server has come further."""
        known = self._all.directory.floor.webhook(self.webhook.name)
        for each in known.after if known else ():
            taken = max(each.sequence, self._taken.get(each.table, 0))
            self._taken[each.table] = taken
            self._read[each.table] = max(taken, self._read.get(each.table, 0))

    async def _deliver_all(self) -> bool:
        """Deliver one page of every table; whether there may be more."""
        more = False
        for channel in tuple(self._all.hub.channels()):
            channel.stream.listeners.add(self._follow)
            after = self._read.get(channel.name, 0)
            if channel.stream.head.sequence > after:
                page = await page_of(channel, self._viewer, after)
                if page.events:
                    await self._deliver(channel, page)
                    self._taken[channel.name] = page.sequence
                self._read[channel.name] = page.sequence
                more = more or page.more
        return more

    async def _deliver(self, channel: Channel, page: FeedPage) -> None:
        """Post a page until it is taken; it goes on where the one before it ended."""
        after = self._taken.get(channel.name, 0)
        body = _encoder.encode(Delivery(self.webhook.name, channel.name, after, page.sequence, page.events))
        for attempt in range(MOST_ATTEMPTS):
            try:
                await self._post(body)
            except NotTaken as error:
                fields = {"webhook": self.webhook.name, "why": str(error)}
                log.warning("a webhook was not taken", extra={"fields": fields})
                if attempt == MOST_ATTEMPTS - 1:
                    raise
                await self._all.clock.sleep(min(LONGEST_DELAY, 2.0**attempt))
            else:
                return

    async def _post(self, body: bytes) -> None:
        seconds = self._all.clock.now().wall_time // 1_000_000
        signature = self._all.desk.signature(self.webhook, body, seconds)
        if signature is None:
            raise NotTaken("the key is missing with which its secret was kept")
        headers = {
            "content-type": "application/json",
            "user-agent": "thirdcard",
            "thirdcard-webhook": self.webhook.name.encode().decode("latin-1"),
            "thirdcard-signature": signature,
        }
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._all.threads, post, self.webhook.url, headers, body)

    # what is recorded

    def _after(self) -> tuple[FeedPlace, ...]:
        return tuple(FeedPlace(table, sequence) for table, sequence in sorted(self._taken.items()))

    async def _note(self) -> None:
        self._noted_at = self._all.clock.now().monotonic
        if self._taken == self._noted:
            return
        body = cmd.NoteDelivered(name=self.webhook.name, after=self._after())
        with contextlib.suppress(StoreFailed):
            await self._all.desk.send(body, SERVER)
            self._noted = dict(self._taken)

    async def _give_up(self, reason: str) -> None:
        reason = reason[:LONGEST_REASON]
        log.error("a webhook is stopped", extra={"fields": {"webhook": self.webhook.name, "why": reason}})
        body = cmd.StopWebhook(name=self.webhook.name, reason=reason, after=self._after())
        with contextlib.suppress(StoreFailed):
            await self._all.desk.send(body, SERVER)
