"""Steps that a server takes when their time has come; its clock stands still until the test moves it."""

import datetime
from collections.abc import Iterator

import pytest
from server.served import Served, open_for_many, timers
from server.watching import Onlooker

from thirdcard.client.errors import WasRefused
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.refusals import Refusal
from thirdcard.staff import Post

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
