"""Steps that a server takes when their time has come; its clock stands still until the test moves it."""

import datetime
from collections.abc import Iterator

import httpx
import msgspec
import pytest
from limits import LONG_ENOUGH
from server.served import Served, open_for_many, timers
from server.watching import Onlooker

from thirdcard.client.calls import Client
from thirdcard.client.errors import WasRefused
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.gaming_day import gaming_days
from thirdcard.folds.slips import OverdueBox
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.refusals import Refusal
from thirdcard.staff import Post
from thirdcard.wire.answers import AlertsAnswer
from thirdcard.wire.paths import API

pytestmark = pytest.mark.timed

SIX, FELT = "Six", "Felt"
BETTING, DEALERS_IDLE_TIME, ACTING = 30, 300, 60  # seconds
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers(betting=BETTING)}

[[table]]
name = "{FELT}"
game = "mbs-tiger-v3"
"""
TERMINALS: dict[str, tuple[str, int | None]] = {"E1": (SIX, None)}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor whose clock the tests move."""
    with open_for_many(tmp_path_factory.mktemp("clock"), TABLES, TERMINALS) as served:
        yield served


async def test_betting_closes_at_its_time_and_the_next_round_opens(floor: Served) -> None:
    async with floor.visited() as served:
        terminal = served.terminal("E1")
        await terminal.floor_command(floor_cmd.OpenPatronSession(terminal="E1", patron="Ann"))
        ann = Onlooker(terminal)
        await ann.watch(SIX)
        await ann.do(SIX, cmd.ComeToTable(patron="Ann"))
        await ann.do(SIX, cmd.BuyCredits(terminal="Ann", amount=100_000))
        picture = ann.pictures[SIX]
        await picture.until(lambda view: view.phase.phase is Phase.BETTING)
        served.move(BETTING - 0.001)
        await ann.do(SIX, cmd.PlaceWager(patron="Ann", wager="player", amount=10_000))
        served.move(0.001)
        await picture.until(lambda view: view.phase.round == 2 and view.phase.phase is Phase.BETTING)
        await ann.close()


async def test_a_dealer_who_does_nothing_is_asked_to_sign_in_again(floor: Served) -> None:
    async with floor.visited() as served:
        dana = await served.staff("Dana")
        served.move(DEALERS_IDLE_TIME - 1)
        await dana.command(SIX, cmd.ComeOnDuty(person="Dana", post=Post("dealer")))
        served.move(DEALERS_IDLE_TIME)
        with pytest.raises(WasRefused) as refused:
            await dana.command(SIX, cmd.GoOffDuty(person="Dana"))
        assert refused.value.reason is Refusal.SESSION_IDLE


async def test_a_code_is_good_once_and_the_next_one_needs_no_waiting(floor: Served) -> None:
    async with floor.visited() as served:
        for _ in range(5):
            await served.staff("Max")


async def test_staff_are_told_when_an_appointment_ends(floor: Served) -> None:
    async with floor.visited() as served:
        max_ = Onlooker(await served.staff("Max"))
        await max_.watch(FELT)
        await max_.do(FELT, cmd.ComeOnDuty(person="Max", post=Post("pit-manager")))
        start = served.clock.now().moment
        end = start + datetime.timedelta(seconds=ACTING)
        await max_.do(FELT, cmd.AppointActing(person="Gil", post=Post("pit-manager"), start=start, end=end))
        picture = max_.pictures[FELT]
        await picture.until(lambda view: view.people is not None and "Gil" in view.people.on_duty)
        served.move(ACTING)
        await picture.until(lambda view: view.people is not None and "Gil" not in view.people.on_duty)
        await max_.close()


async def test_a_drop_box_that_nobody_counts_is_an_alert_when_the_gaming_day_ends(floor: Served) -> None:
    """From six in the morning on, without any other news, until two others have counted it."""
    async with floor.visited() as served:
        days, now = gaming_days(()), served.clock.now().wall_time
        ends = days.day(days.date_of(now)).ends
        served.move(max(0, (ends - now) / 1_000_000 - BETTING))
        dana, una = Onlooker(await served.staff("Dana")), await served.staff("Una")
        await dana.watch(FELT)
        await dana.do(FELT, cmd.ComeOnDuty(person="Dana", post=Post("dealer")))
        sue = await served.staff("Sue")
        await sue.command(FELT, cmd.ComeOnDuty(person="Sue", post=Post("pit-supervisor")))
        for body in (cmd.CountOpener(count=()), cmd.CountCloser(count=())):
            await sue.command(FELT, body, authoriser=await served.shown("Dana"))
        assert await open_alerts(served, una) == ([], 0)
        served.move(BETTING)
        box, picture = OverdueBox(1, ends), dana.pictures[FELT]
        await picture.until(lambda view: view.chips is not None and view.chips.overdue == (box,))
        assert await open_alerts(served, una) == ([(FELT, box)], 1)
        gil = await served.staff("Gil")
        count = cmd.CountDrop(inventory=1, count=())
        await gil.command(FELT, count, authoriser=await served.shown("Amy"))
        assert await open_alerts(served, una) == ([], 0)
        await dana.close()


async def open_alerts(served: Served, client: Client) -> tuple[list[tuple[str, OverdueBox]], int]:
    """The boxes that the records list as overdue, with their tables; how many alerts the metrics count."""
    address = served.servers[0].address
    async with httpx.AsyncClient(timeout=LONG_ENOUGH, trust_env=False) as http:
        answer = await http.get(f"{address.rstrip('/')}{API}/alerts", headers=client.headers)
        lines = (await http.get(f"{address}metrics")).text.splitlines()
    listed = msgspec.json.decode(answer.content, type=AlertsAnswer)
    boxes = [(each.table, box) for each in listed.tables for box in each.overdue]
    (line,) = [each for each in lines if each.startswith(f'thirdcard_table_alerts{{table="{FELT}"}}')]
    return boxes, round(float(line.rpartition(" ")[2]))
