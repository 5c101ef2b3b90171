"""A bot leaves a table with all its credits, after a pause and after its last wager too."""

import random
from pathlib import Path

import pytest
from server.served import Served, serving, timers
from server.watching import Onlooker

from thirdcard.client.bot import Bot, BotPlan, random_stake
from thirdcard.client.calls import Client
from thirdcard.client.picture import Picture
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.rulebook.book import Kind
from thirdcard.staff import Post
from thirdcard.views.sections.public import WagerOffered

SCHOOL = "School"
BETTING = 60  # seconds
TABLES = f"""
[[table]]
name = "{SCHOOL}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers(betting=BETTING)}
"""
TERMINALS: dict[str, tuple[str, int | None]] = {"S1": (SCHOOL, None)}


class Leaver(Bot):
    """A bot that finds the table paused when it wants to leave."""

    def __init__(self, client: Client, plan: BotPlan, dealer: Onlooker) -> None:
        super().__init__(client, plan)
        self.dealer = dealer

    async def _leave(self, picture: Picture, terminal: str) -> None:
        await self.dealer.do(SCHOOL, cmd.PauseTable(reason="a test"))
        await picture.until(lambda view: view.phase.paused)
        await super()._leave(picture, terminal)


class Hasty(Bot):
    """A bot that wants to leave as soon as its last wager is accepted, before it has the news of it."""

    def __init__(self, client: Client, plan: BotPlan, served: Served) -> None:
        super().__init__(client, plan)
        self.served = served

    async def _leave(self, picture: Picture, terminal: str) -> None:
        await picture.until(lambda view: view.phase.phase is Phase.BETTING)
        await self._do(cmd.PlaceWager(patron="Bot", wager="player", amount=10_000))
        await super()._leave(picture, terminal)

    async def _turn(self, picture: Picture, *, wager: bool = True) -> None:
        self.served.move(BETTING)
        await super()._turn(picture, wager=wager)


async def test_a_bot_waits_for_a_wager_that_it_has_just_placed(tmp_path: Path) -> None:
    async with serving(tmp_path, TABLES, TERMINALS) as served:
        bot = Hasty(served.terminal("S1"), BotPlan(patron="Bot", rounds=0), served)
        played = await bot.play()
        assert played.cashed_out in (played.bought - 10_000, played.bought, played.bought + 10_000)


async def test_a_bot_cashes_out_and_leaves_during_a_pause(tmp_path: Path) -> None:
    async with serving(tmp_path, TABLES, TERMINALS) as served:
        dealer = Onlooker(await served.staff("Dana"))
        await dealer.watch(SCHOOL)
        await dealer.do(SCHOOL, cmd.ComeOnDuty(person="Dana", post=Post("dealer")))
        bot = Leaver(served.terminal("S1"), BotPlan(patron="Bot", rounds=0), dealer)
        played = await bot.play()
        assert played.cashed_out == played.bought
        assert dealer.pictures[SCHOOL].view.phase.paused  # credits that are not at stake never wait (1.1.5)
        await dealer.close()


@pytest.mark.parametrize(
    ("maximum", "in_chips", "stakes"),
    [
        (500_000, True, {5_000 * minimums for minimums in range(1, 10)}),
        (12_000, True, {5_000, 10_000}),
        (5_000, True, {5_000}),
        (500_000, False, set(range(5_000, 5_009))),
    ],
)
def test_bots_of_the_demonstration_stake_what_chips_make(
    maximum: int, in_chips: bool, stakes: set[int]
) -> None:
    wager = WagerOffered(
        id="player", name="Player", kind=Kind.MAIN, minimum=5_000, maximum=maximum, pays=(), lost=()
    )
    dice = random.Random(19)
    assert {random_stake(wager, 1, dice, in_chips=in_chips) for _ in range(300)} == stakes
