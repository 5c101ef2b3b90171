"""The same command id twice has one effect and one answer, whichever way and whenever it comes again."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from server.served import PEOPLE, Served, open_for_many, serving, timers
from server.watching import Onlooker
from streams.openings import face

from thirdcard.client.calls import Client, new_id
from thirdcard.client.errors import WasRefused
from thirdcard.client.line import ClientSocket
from thirdcard.devices.virtual_shoe import contents_of, position_of
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.events import SignInFailed
from thirdcard.game import commands as cmd
from thirdcard.journal.codec import floor_result_of
from thirdcard.journal.keys import open_key_file
from thirdcard.journal.record import Record
from thirdcard.journal.store import records
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post
from thirdcard.streams.clock import Clock
from thirdcard.streams.opening import open_store
from thirdcard.streams.service import TableStream
from thirdcard.streams.stream import Stream
from thirdcard.streams.tables import TableMachine
from thirdcard.views.moments.at_table import StaffCameMoment
from thirdcard.wire.answers import AcceptedAnswer
from thirdcard.wire.forms import Credentials

pytestmark = pytest.mark.timed

DEALT = "Dealt"
BY_ITSELF = [f"Six {number}" for number in (1, 2, 3)]
FELT = [f"Felt {number}" for number in (1, 2)]
TABLES = "".join(
    f"""
[[table]]
name = "{name}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers(betting=1_000_000)}
"""
    for name in BY_ITSELF
) + "".join(
    f"""
[[table]]
name = "{name}"
game = "mbs-tiger-nc-v4"
automatic = ["expose", "call"]
{"training = true" if name == DEALT else ""}
{"virtual_shoe = true" if name == DEALT else ""}
"""
    for name in (*FELT, DEALT)
)
TERMINALS: dict[str, tuple[str, int | None]] = {
    f"E{number}{letter}": (table, None) for number, table in enumerate(BY_ITSELF, start=1) for letter in "ab"
}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor at which every test has tables and terminals of its own."""
    with open_for_many(tmp_path_factory.mktemp("same"), TABLES, TERMINALS) as served:
        yield served


async def sits(served: Served, terminal: str, patron: str = "Ann") -> Onlooker:
    """A patron with credits at a table whose betting is open."""
    client, table = served.terminal(terminal), TERMINALS[terminal][0]
    await client.floor_command(floor_cmd.OpenPatronSession(terminal=terminal, patron=patron))
    here = Onlooker(client)
    await here.watch(table)
    await here.do(table, cmd.ComeToTable(patron=patron))
    await here.do(table, cmd.BuyCredits(terminal=patron, amount=1_000_000))
    await here.pictures[table].until(lambda view: view.phase.phase.value == "betting")
    return here


def stake(here: Onlooker) -> int:
    (picture,) = here.pictures.values()
    own = picture.view.own
    assert own is not None
    return sum(each.stake for each in own.wagers)


async def recorded(served: Served, *command_ids: str) -> list[list[Record]]:
    """The records under each of some ids."""
    store = await open_store(served.place, writing=False)
    try:
        found = [record for stream in await store.streams() async for record in records(store, stream)]
    finally:
        await store.close()
    return [[record for record in found if record.command_id == each] for each in command_ids]


def wager(amount: int = 5_000, patron: str = "Ann") -> cmd.PlaceWager:
    return cmd.PlaceWager(patron=patron, wager="player", amount=amount)


async def test_one_id_in_every_way_is_one_wager(floor: Served) -> None:
    """Over HTTP and over sockets, one after another and all at once: one wager, one answer."""
    six = BY_ITSELF[0]
    async with floor.visited() as served:
        here = await sits(served, "E1a")
        command_id = new_id()
        async with ClientSocket(served.terminal("E1a")) as other:
            ways: list[Callable[[], Awaitable[AcceptedAnswer]]] = [
                lambda: here.client.command(six, wager(), command_id=command_id),
                lambda: here.line.command(six, wager(), command_id=command_id),
                lambda: other.command(six, wager(), command_id=command_id),
            ]
            answers = [await way() for way in ways]
            assert answers == [answers[0]] * 3
            assert answers[0].receipt is not None
            at_once = new_id()
            command_id = at_once
            answers = await asyncio.gather(*(way() for way in ways * 5))
            assert answers == [answers[0]] * 15
        assert [len(found) for found in await recorded(served, at_once)] == [1]
        await here.pictures[six].until(lambda view: stake(here) == 10_000)
        await here.close()


async def test_an_id_that_was_used_is_refused_to_another_command(floor: Served) -> None:
    """With another body, by somebody else, or at another table, an id that was used is refused."""
    six = BY_ITSELF[1]
    async with floor.visited() as served:
        here = await sits(served, "E2a")
        ben = await sits(served, "E2b", "Ben")
        max_ = await served.staff("Max")
        command_id = new_id()
        await here.client.command(six, wager(), command_id=command_id)

        async def refused(asked: Awaitable[AcceptedAnswer]) -> tuple[Refusal | None, int | None]:
            with pytest.raises(WasRefused) as caught:
                await asked
            return caught.value.reason, caught.value.status

        used = Refusal.COMMAND_ID_USED
        assert await refused(here.client.command(six, wager(6_000), command_id=command_id)) == (used, 409)
        assert await refused(here.line.command(six, wager(6_000), command_id=command_id)) == (used, None)
        assert await refused(ben.client.command(six, wager(patron="Ben"), command_id=command_id)) == (
            used,
            409,
        )
        come = cmd.ComeOnDuty(person="Max", post=Post("pit-manager"))
        assert await refused(max_.command(FELT[0], come, command_id=command_id)) == (used, 409)
        disable = floor_cmd.Disable(table=six, reason="a test")
        assert await refused(max_.floor_command(disable, command_id=command_id)) == (used, 409)
        assert (await here.client.command(six, wager(), command_id=command_id)).command_id == command_id
        await here.pictures[six].until(lambda view: stake(here) == 5_000)
        await here.close()
        await ben.close()


def break_off(line: ClientSocket) -> None:
    """Lose the connection of a line, as a network does."""
    if line._socket is not None:
        line._socket.transport.abort()


async def test_answers_that_a_line_lost_come_again(floor: Served) -> None:
    """A connection that breaks while commands are under way comes back by itself, and each is done once."""
    six = BY_ITSELF[2]
    async with floor.visited() as served:
        here = await sits(served, "E3a")
        ids = [new_id() for _ in range(40)]
        under_way = asyncio.Semaphore(8)

        async def send(number: int) -> AcceptedAnswer:
            async with under_way:
                body = wager(100 if number else 5_000)
                answer = await here.line.command(six, body, command_id=ids[number])
                if number % 10 == 5:
                    break_off(here.line)
                return answer

        answers = await asyncio.gather(*(send(number) for number in range(len(ids))))
        assert here.line.opened > 1
        assert [answer.command_id for answer in answers] == ids
        assert [len(found) for found in await recorded(served, *ids)] == [1] * len(ids)
        await here.pictures[six].until(lambda view: stake(here) == 5_000 + 39 * 100)
        await here.agrees(six)
        await here.close()


async def restart(served: Served) -> None:
    """Killed with commands under way and started again: what was answered stands, the rest is done once."""
    here, six = await sits(served, "E1a"), BY_ITSELF[0]
    command_id = new_id()
    first = await here.line.command(six, wager(), command_id=command_id)
    ids = [new_id() for _ in range(100)]
    sending = [asyncio.create_task(here.line.command(six, wager(100), command_id=each)) for each in ids]
    done, _ = await asyncio.wait(sending, return_when=asyncio.FIRST_COMPLETED)
    server = served.servers[0]
    await served.kill_all()
    await asyncio.to_thread(server.start)
    assert six in server.held
    assert await here.client.command(six, wager(), command_id=command_id) == first
    assert await here.line.command(six, wager(), command_id=command_id) == first
    with pytest.raises(WasRefused) as refused:
        await here.client.command(six, wager(7_000), command_id=command_id)
    assert refused.value.reason is Refusal.COMMAND_ID_USED
    answers = await asyncio.gather(*sending, return_exceptions=True)
    accepted = [each for each in answers if isinstance(each, AcceptedAnswer)]
    late = [each.reason for each in answers if isinstance(each, WasRefused)]
    # those that had not been recorded come before a table that waits for a person
    assert set(late) <= {Refusal.TABLE_PAUSED}
    assert len(accepted) + len(late) == len(ids)
    assert len(accepted) >= len(done)
    places = [
        [each.sequence for each in found]
        for found in await recorded(served, *(answer.command_id for answer in accepted))
    ]
    assert places == [[answer.sequence] for answer in accepted]
    await here.pictures[six].until(lambda view: stake(here) == 5_000 + 100 * len(accepted))
    await here.agrees(six)
    await here.close()


async def felt_opens(served: Served, felt: str, *names: str) -> list[Onlooker]:
    """A live table with a Dealer and a Pit Manager on duty, open, with a shoe."""
    people = await opened(served, felt, *names)
    await people[0].do(felt, cmd.LoadShoe(decks=8))
    await people[0].do(felt, cmd.CutCards(depth=200))
    return people


async def failures(served: Served) -> int:
    store = await open_store(served.place, writing=False)
    try:
        found = [
            event async for record in records(store, "floor") for event in floor_result_of(record).events
        ]
        return sum(isinstance(event, SignInFailed) for event in found)
    finally:
        await store.close()


async def test_somebody_who_may_no_more_gets_the_answer_that_they_had(floor: Served) -> None:
    """A permission that ended leaves the answer that was given; a code that approved once does no harm."""
    felt = FELT[0]
    async with floor.visited() as served:
        dana, oli = await felt_opens(served, felt, "Dana", "Oli")
        await dana.do(felt, cmd.OpenBetting())
        await dana.do(felt, cmd.CloseBetting())
        for card in ["2", "K", "3", "3"]:
            await dana.do(felt, cmd.DrawCard(card=face(card)))
        await dana.do(felt, cmd.ReportIrregularity(situation=Situation.EXTRA_CARD))
        approval, opening, leaving, acting = new_id(), new_id(), new_id(), new_id()
        shown = await served.shown("Oli")

        async def approve(client: Client, by: Credentials) -> AcceptedAnswer:
            return await client.command(felt, cmd.ConfirmFacts(), command_id=approval, authoriser=by)

        first = await approve(dana.client, shown)
        for _ in range(4):
            assert await approve(dana.client, shown) == first
        with pytest.raises(WasRefused) as refused:
            await dana.client.command(felt, cmd.ConfirmFacts(), command_id=approval)
        assert refused.value.reason is Refusal.COMMAND_ID_USED
        assert await failures(served) == 0

        await oli.do(felt, cmd.ChooseCards(replace=False))  # the set of cards is whole
        begun = await dana.line.command(felt, cmd.OpenBetting(), command_id=opening)
        left = await dana.line.command(felt, cmd.GoOffDuty(person="Dana"), command_id=leaving)
        assert await dana.line.command(felt, cmd.GoOffDuty(person="Dana"), command_id=leaving) == left
        assert await dana.client.command(felt, cmd.OpenBetting(), command_id=opening) == begun
        assert await approve(dana.client, shown) == first
        with pytest.raises(WasRefused) as refused:
            await dana.client.command(felt, cmd.CloseBetting())
        assert refused.value.reason is Refusal.NOT_STAFF
        assert await failures(served) == 0

        closed = await oli.line.command(felt, cmd.CloseBetting(), command_id=acting)
        gil = await served.staff("Gil")
        posts = floor_cmd.ChangePosts(name="Oli", posts=(Post("dealer"),))
        changed = new_id()
        second = await served.shown("Max")
        answer = await gil.floor_command(posts, command_id=changed, authoriser=second)
        assert await gil.floor_command(posts, command_id=changed, authoriser=second) == answer
        assert await oli.client.command(felt, cmd.CloseBetting(), command_id=acting) == closed
        await dana.close()
        await oli.close()


async def test_whoever_approves_comes_on_duty_with_the_same_code_once(floor: Served) -> None:
    """A person who approves and is not on duty yet comes on duty with the same code, once."""
    felt = FELT[1]
    async with floor.visited() as served:
        dana, max_ = await felt_opens(served, felt, "Dana", "Max")
        await max_.do(felt, cmd.GoOffDuty(person="Max"))
        await dana.do(felt, cmd.OpenBetting())
        await dana.do(felt, cmd.CloseBetting())
        for card in ["2", "K", "3", "3"]:
            await dana.do(felt, cmd.DrawCard(card=face(card)))
        reported = await dana.do(felt, cmd.ReportIrregularity(situation=Situation.EXTRA_CARD))

        async def approve(name: str, post: str | None) -> AcceptedAnswer:
            shown = await served.shown(name)
            return await dana.client.command(
                felt,
                cmd.ConfirmFacts(),
                command_id=f"approval-of-{name}-{post}",
                authoriser=shown,
                comes_as=post,
            )

        for name, post, why in (
            ("Max", None, Refusal.NOT_STAFF),  # not on duty, and does not say as what
            ("Max", "senior-management", Refusal.NOT_PERMITTED),  # a post that he does not hold
        ):
            with pytest.raises(WasRefused) as refused:
                await approve(name, post)
            assert refused.value.reason is why
        answer = await approve("Max", "pit-manager")
        assert answer.sequence == reported.sequence + 2
        assert await approve("Max", "pit-manager") == answer
        page = await max_.client.messages(felt, reported.sequence, 100)
        came = page.moments[0].what
        assert isinstance(came, StaffCameMoment)
        assert came.person == "Max"
        await dana.close()
        await max_.close()


async def test_a_proposal_is_approved_once(floor: Served) -> None:
    """A proposal that a second person approves at the same console is approved once."""
    async with floor.visited() as served:
        max_ = await served.staff("Max")
        definition = replace((await max_.floor()).tables[0], cutting_card=20)
        await max_.floor_command(floor_cmd.ProposeTable(definition=definition))
        shown, command_id = await served.shown("Gil"), new_id()
        approve = floor_cmd.ApproveProposal(id=1)
        first = await max_.floor_command(approve, command_id=command_id, approver=shown)
        for _ in range(4):
            assert await max_.floor_command(approve, command_id=command_id, approver=shown) == first
        assert await failures(served) == 0
        with pytest.raises(WasRefused) as refused:
            await max_.floor_command(floor_cmd.ApproveProposal(id=2), command_id=command_id, approver=shown)
        assert refused.value.reason is Refusal.COMMAND_ID_USED


async def opened(served: Served, table: str, *names: str) -> list[Onlooker]:
    """A table with some dealers on duty, open."""
    dealers = [Onlooker(await served.staff(name)) for name in names]
    for name, dealer in zip(names, dealers, strict=True):
        await dealer.watch(table)
        await dealer.do(table, cmd.ComeOnDuty(person=name, post=Post(PEOPLE[name])))
    desk = dealers[0].pictures[table].view.desk
    assert desk is not None
    for item in desk.missing_equipment:
        await dealers[0].do(table, cmd.TickEquipment(item=item))
    await dealers[0].do(table, cmd.OpenTable())
    return dealers


async def test_a_card_that_is_drawn_twice_under_one_id_is_one_card(floor: Served) -> None:
    """A card that is drawn twice under one id is one card; drawn by two people at once it is two."""
    async with floor.visited() as served:
        dana, sue = await opened(served, DEALT, "Dana", "Sue")
        await dana.pictures[DEALT].until(lambda view: view.shoe.cut is not None)
        for _ in range(3):
            await dana.do(DEALT, cmd.OpenBetting())
            await dana.do(DEALT, cmd.CloseBetting())
            command_id = new_id()
            card = cmd.DrawCard(card=None)
            first = await dana.client.command(DEALT, card, command_id=command_id)
            assert await dana.line.command(DEALT, card, command_id=command_id) == first
            while dana.pictures[DEALT].view.phase.phase.value in ("closed", "dealing"):
                both = (dana.line.command(DEALT, card), sue.line.command(DEALT, card))
                answers = await asyncio.gather(*both, return_exceptions=True)
                reasons = [each.reason for each in answers if isinstance(each, WasRefused)]
                assert set(reasons) <= {Refusal.NOT_IN_THIS_PHASE, Refusal.NO_CARD_DUE}
                await dana.client.table(DEALT)
                await dana.agrees(DEALT)
        assert await dealt_as_sealed(served)
        server = served.servers[0]
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        assert await dana.client.command(DEALT, card, command_id=command_id) == first
        await dana.close()
        await sue.close()


async def dealt_as_sealed(served: Served) -> bool:
    """Whether every card that left the shoe is the one that was sealed at its place."""
    store = await open_store(served.place, writing=False)
    try:
        stream: TableStream = Stream(DEALT, TableMachine(store, SHIPPED), store, None, Clock())
        await stream.load()
    finally:
        await store.close()
    assert stream.state is not None
    table = stream.state.table
    assert table.shoe is not None
    order = contents_of(table, open_key_file(served.place.key, apart_from=served.place.data)).order
    faces = table.shoe.places.faces
    assert len(faces) >= 12
    return list(faces) == [order[position_of(table.shoe, place)] for place in range(len(faces))]


async def across_a_restart(folder: Path, postgres: str | None) -> None:
    async with serving(folder, TABLES, TERMINALS, postgres=postgres) as served:
        await restart(served)
        assert "Traceback" not in served.servers[0].log, served.servers[0].log
        assert await served.findings() == {}


async def test_across_a_restart_on_sqlite(tmp_path: Path) -> None:
    await across_a_restart(tmp_path, None)


async def test_across_a_restart_on_postgresql(tmp_path: Path, postgres_url: str) -> None:
    await across_a_restart(tmp_path, postgres_url)
