"""Webhooks: nothing is lost or out of order, whoever is killed; a receiver that fails is given up."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from limits import LONG_ENOUGH
from server.feeds import opened
from server.receiver import Posted, Receiver
from server.served import Served, serving, timers
from server.test_feeds import last_told
from server.watching import Bots

from thirdcard.client.bot import BotPlan
from thirdcard.client.errors import WasRefused
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Scope
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal
from thirdcard.server.webhooks import LONGEST_DELAY, MOST_ATTEMPTS, Delivery
from thirdcard.staff import Post
from thirdcard.wire.answers import FeedEvent

pytestmark = pytest.mark.timed

SCHOOL, FELT = "School", "Felt"
TABLES = f"""
[[table]]
name = "{SCHOOL}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers()}

[[table]]
name = "{FELT}"
game = "mbs-tiger-nc-v4"
"""
TERMINALS: dict[str, tuple[str, int | None]] = {"N1": (SCHOOL, None)}
ACCOUNTS: dict[str, tuple[Scope, ...]] = {
    "Sign": (Scope.TABLES,),
    "Audit": (Scope.TABLES, Scope.RECORDS),
}
DISPLAY, AUDITOR = (Scope.TABLES,), (Scope.TABLES, Scope.RECORDS)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver that takes everything."""
    made = Receiver().start()
    yield made
    made.kill()


@asynccontextmanager
async def floor(folder: Path) -> AsyncIterator[Served]:
    """A floor with a table that deals by itself and one that does not."""
    async with serving(folder, TABLES, TERMINALS, accounts=ACCOUNTS) as served:
        yield served
        assert "Traceback" not in served.servers[0].log, served.servers[0].log
        assert await served.findings() == {}


async def hooked(served: Served, receiver: Receiver, scopes: tuple[Scope, ...] = DISPLAY) -> str:
    """Set up a webhook by two people; its secret."""
    gil = await served.staff("Gil")
    made = await gil.add_webhook("Desk", receiver.url, scopes, authoriser=await served.shown("Max"))
    assert (made.webhook.by, made.webhook.second) == ("Gil", "Max")
    return made.secret


async def played(served: Served, rounds: int) -> None:
    bots = Bots(served)
    plan = BotPlan(patron="Ann", rounds=rounds, seed=1, buy_in=10**6, wagers=2)
    await bots.come(served.terminal("N1"), plan).play()


async def comes(receiver: Receiver, number: int) -> None:
    """Wait until so much has come."""
    assert await asyncio.to_thread(receiver.count, number, LONG_ENOUGH), receiver.posted


async def told(served: Served, name: str, table: str, upto: int) -> list[FeedEvent]:
    """The events of a feed up to a record of which it tells something."""
    async with opened(served.terminal(name), table, 0) as feed:
        return [each.told for each in await feed.until(upto)]


def first_times(posted: list[Posted], table: str) -> list[FeedEvent]:
    """The events of a table as its receiver learns them: what came before is left out by its sequence.

    Every delivery goes on where the one before it ended, or before that where it comes again.
    """
    reached, found = -1, list[FeedEvent]()
    for each in posted:
        delivery = each.delivery
        if delivery.table != table:
            continue
        assert reached in (-1,) or delivery.after <= reached
        found += [event for event in delivery.events if event.sequence > reached]
        reached = max(reached, delivery.sequence)
    return found


async def last_comes(
    receiver: Receiver, served: Served, table: str, name: str = "Audit", move: float = 0.0
) -> None:
    """Wait until the receiver has taken the last record of a table that tells it something."""
    last = await last_told(served, name, table)
    async with asyncio.timeout(LONG_ENOUGH):
        while all(last > each.sequence for each in deliveries(receiver, table)):
            served.move(move)
            await asyncio.sleep(0.02)


def deliveries(receiver: Receiver, table: str) -> list[Delivery]:
    """The deliveries about a table that were taken."""
    found = (each.delivery for each in receiver.taken)
    return [each for each in found if each.table == table]


def test_nothing_is_lost_or_out_of_order_when_receiver_and_server_are_killed(
    tmp_path: Path, receiver: Receiver
) -> None:
    async def run() -> None:
        async with floor(tmp_path) as served:
            secret = await hooked(served, receiver, AUDITOR)
            first = (await served.terminal("Audit").table(SCHOOL)).sequence
            playing = asyncio.create_task(played(served, 2))
            await comes(receiver, 3)
            await asyncio.to_thread(receiver.kill)
            await playing
            receiver.start()
            await last_comes(receiver, served, SCHOOL, move=1.0)
            server = served.servers[0]
            server.kill()
            server.start()
            await played(served, 1)
            await last_comes(receiver, served, SCHOOL)
            taken = receiver.taken
            assert all(each.is_genuine(secret) for each in taken)
            assert {each.path for each in receiver.posted} == {"/in"}
            events = first_times(taken, SCHOOL)
            wanted = [
                each
                for each in await told(served, "Audit", SCHOOL, events[-1].sequence)
                if each.sequence > first
            ]
            assert events == wanted
            assert server.stop() == 0
            before = len(receiver.posted)
            server.start()
            await played(served, 1)
            await last_comes(receiver, served, SCHOOL)
            # it was recorded how far it was, so that nothing came twice after a server that ended well
            again = [each for each in receiver.posted[before:] if each.delivery.table == SCHOOL]
            assert again[0].delivery.after >= events[-1].sequence

    asyncio.run(asyncio.wait_for(run(), LONG_ENOUGH))


def test_a_webhook_for_a_scoreboard_is_told_what_its_feed_tells(tmp_path: Path, receiver: Receiver) -> None:
    async def run() -> None:
        async with floor(tmp_path) as served:
            await hooked(served, receiver)
            await played(served, 1)
            await last_comes(receiver, served, SCHOOL, "Sign")
            events = first_times(receiver.taken, SCHOOL)
            wanted = await told(served, "Sign", SCHOOL, events[-1].sequence)
            assert events == [each for each in wanted if each.sequence >= events[0].sequence]
            assert b"Ann" not in b"".join(each.body for each in receiver.posted)

    asyncio.run(asyncio.wait_for(run(), LONG_ENOUGH))


def test_a_receiver_that_fails_is_given_up_and_resumed_where_it_was(
    tmp_path: Path, receiver: Receiver
) -> None:
    async def run() -> None:
        async with floor(tmp_path) as served:
            await hooked(served, receiver, AUDITOR)
            receiver.status = 302  # a redirect is no answer, and is not followed
            dana = await served.staff("Dana")
            await dana.command(FELT, cmd.ComeOnDuty(person="Dana", post=Post("dealer")))
            async with asyncio.timeout(LONG_ENOUGH):
                while len(receiver.posted) < MOST_ATTEMPTS:
                    served.move(LONGEST_DELAY)
                    await asyncio.sleep(0.02)
                gil = await served.staff("Gil")
                while (await gil.webhooks())[0].stopped is None:
                    await asyncio.sleep(0.02)
            (line,) = await gil.webhooks()
            assert line.stopped == "HTTP 302"
            assert {each.path for each in receiver.posted} == {"/in"}
            assert len({each.body for each in receiver.posted}) == 1
            with pytest.raises(WasRefused) as low:
                await (await served.staff("Sue")).floor_command(floor_cmd.ResumeWebhook(name="Desk"))
            assert low.value.reason is Refusal.NOT_PERMITTED
            receiver.status = 200
            await gil.floor_command(floor_cmd.ResumeWebhook(name="Desk"))
            await last_comes(receiver, served, FELT)
            refused, taken = receiver.posted[0].delivery, deliveries(receiver, FELT)[0]
            assert (taken.after, taken.events[0]) == (refused.after, refused.events[0])
            assert [each.stopped for each in await gil.webhooks()] == [None]
            await gil.floor_command(floor_cmd.RemoveWebhook(name="Desk", reason="moved"))
            assert await gil.webhooks() == ()

    asyncio.run(asyncio.wait_for(run(), LONG_ENOUGH))


def test_a_receiver_that_says_nothing_slows_no_table(tmp_path: Path, receiver: Receiver) -> None:
    async def run() -> None:
        async with floor(tmp_path) as served:
            await hooked(served, receiver)
            receiver.answers.clear()
            await played(served, 2)  # while a delivery waits for its answer
            assert receiver.posted
            assert len({each.body for each in receiver.posted}) == 1
            receiver.answers.set()
            await last_comes(receiver, served, SCHOOL, "Sign", move=1.0)

    asyncio.run(asyncio.wait_for(run(), LONG_ENOUGH))


def test_one_person_sets_up_no_webhook_and_a_server_takes_no_other_address(
    tmp_path: Path, receiver: Receiver
) -> None:
    async def run() -> None:
        async with floor(tmp_path) as served:
            gil = await served.staff("Gil")
            for name, url, scopes, why in (
                ("Gil", receiver.url, DISPLAY, Refusal.SECOND_PERSON_NEEDED),
                ("Max", "file:///etc/passwd", DISPLAY, Refusal.WEBHOOK_NOT_POSSIBLE),
                ("Max", receiver.url, (Scope.CREDITS,), Refusal.WEBHOOK_NOT_POSSIBLE),
            ):
                with pytest.raises(WasRefused) as refused:
                    await gil.add_webhook("Desk", url, scopes, authoriser=await served.shown(name))
                assert refused.value.reason is why
            assert await gil.webhooks() == ()

    asyncio.run(asyncio.wait_for(run(), LONG_ENOUGH))
