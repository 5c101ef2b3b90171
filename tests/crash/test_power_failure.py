"""The power goes in the middle of a round: the table comes up held, and the round ends by its rules."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from streams.openings import GAMES, KEYS, Guide, face

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.state import Wait
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.words import post_name
from thirdcard.staff import Post
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import Service

pytestmark = pytest.mark.timed

LIVE = ("mbs-tiger-nc-v4", "mbs-tiger-v3", "mbs-dragon-tiger-nc-2023")
HOIANA = ("hoiana-tiger-2024/commission", "hoiana-tiger-2024/non-commission")
SUPER_SIX = "mbs-super-six-etg-v3"
PIT_MANAGER = post_name(Post("pit-manager"))
POWER_FAILURE = cmd.ReportIrregularity(situation=Situation.POWER_FAILURE)


async def play_until(folder: Path, game: str, cards: tuple[str, ...]) -> None:
    """Play the beginning of a round and stop in the middle of it."""
    service = Service(SqliteStore(folder / "journal.sqlite"), KEYS, Clock())
    await service.start()
    guide = Guide(service.table("T1"))
    await guide.open(game)
    await guide.bet(("Ada", "player", 10_000), ("Ben", "banker", 20_000))
    await guide.deal(*cards)


def cut_the_power(folder: Path, game: str, *cards: str) -> None:
    """A process plays, and is gone at once."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        asyncio.run(play_until(folder, game, cards))
        os.write(theirs, b".")
        signal.pause()
    assert os.read(ours, 1) == b"."
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(ours)
    os.close(theirs)


@asynccontextmanager
async def back_up(folder: Path) -> AsyncIterator[Guide]:
    """The table after the restart, held with its wagers."""
    store = SqliteStore(folder / "journal.sqlite")
    service = Service(store, KEYS, Clock())
    assert await service.start() == ("T1",)
    guide = Guide(service.table("T1"), "after")
    assert guide.table.paused
    assert [(each.patron, each.wager, each.stake) for each in guide.table.wagers] == [
        ("Ada", "player", 10_000),
        ("Ben", "banker", 20_000),
    ]
    refused = await guide.send(cmd.DrawCard(card=None))
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.TABLE_PAUSED
    yield guide
    await service.stop()
    await store.close()


def money(events: tuple[ev.Event, ...]) -> dict[str, tuple[int, int]]:
    """The sums that each patron was paid, and that were taken."""
    settled = next(event for event in events if isinstance(event, ev.RoundSettled))
    return {each.patron: (each.paid, each.taken) for each in settled.wagers}


@pytest.mark.parametrize("game", LIVE)
def test_undecided_each_patron_may_withdraw_everything(game: str, tmp_path: Path) -> None:
    """MBS Tiger 5.17.1 and its equals: all or nothing, as long as no wager on offer is decided."""
    cut_the_power(tmp_path, game, "2", "9")

    async def go_on() -> None:
        async with back_up(tmp_path) as guide:
            await guide.do(POWER_FAILURE, authoriser=PIT_MANAGER)
            assert guide.table.offer is not None
            assert guide.table.offer.asked == ("Ada", "Ben")
            await guide.do(cmd.AnswerOffer(patron="Ada", withdraw=True), "Ada")
            await guide.do(cmd.AnswerOffer(patron="Ben", withdraw=False), "Ben")
            assert [each.patron for each in guide.table.wagers] == ["Ben"]
            await guide.do(cmd.ResumeTable())
            await guide.deal("3", "4", "K")
            events = await guide.do(cmd.DrawCard(card=face("K")))
            assert money(events) == {"Ben": (0, 20_000)}

    asyncio.run(go_on())


@pytest.mark.parametrize("game", GAMES)
def test_where_the_table_had_power_a_person_lets_it_go_on(game: str, tmp_path: Path) -> None:
    """A process that is gone is no power failure at the table: whoever looks says so, and play goes on."""
    cut_the_power(tmp_path, game, "2", "9", "3")

    async def go_on() -> None:
        async with back_up(tmp_path) as guide:
            await guide.do(cmd.ResumeTable())
            assert guide.table.offer is None
            await guide.deal("4", "K")
            events = await guide.do(cmd.DrawCard(card=face("K")))
            assert money(events) == {"Ada": (10_000, 0), "Ben": (0, 20_000)}

    asyncio.run(go_on())


@pytest.mark.parametrize("game", LIVE)
def test_a_wager_that_the_open_cards_decide_stays(game: str, tmp_path: Path) -> None:
    """5.17.2: with four cards open the pair wagers are decided, so that the round is played on."""
    cut_the_power(tmp_path, game, "2", "9", "3", "4")

    async def go_on() -> None:
        async with back_up(tmp_path) as guide:
            events = await guide.do(POWER_FAILURE)
            assert guide.table.case is None
            assert guide.table.offer is None
            assert any(isinstance(event, ev.CaseClosed) for event in events)
            await guide.do(cmd.ResumeTable())
            await guide.do(cmd.DrawCard(card=face("K")))
            events = await guide.do(cmd.DrawCard(card=face("K")))
            assert money(events) == {"Ada": (10_000, 0), "Ben": (0, 20_000)}

    asyncio.run(go_on())


@pytest.mark.parametrize("game", HOIANA)
@pytest.mark.parametrize("choice", ["continue", "void-round"])
def test_at_hoiana_it_is_referred(game: str, choice: str, tmp_path: Path) -> None:
    """7.20: not covered, so the Assistant Director of Gaming Operations decides."""
    cut_the_power(tmp_path, game, "2", "9", "3", "4")

    async def go_on() -> None:
        async with back_up(tmp_path) as guide:
            await guide.do(POWER_FAILURE)
            assert guide.table.case is not None
            assert guide.table.case.waits is Wait.DECISION
            director = post_name(Post("assistant-director"))
            await guide.do(cmd.Rule(choice=choice, text="nothing was lost"), director)
            await _conclude(guide, choice)

    asyncio.run(go_on())


@pytest.mark.parametrize("choice", ["continue", "void-round"])
def test_at_the_electronic_table_the_house_decides(choice: str, tmp_path: Path) -> None:
    """AMB-21: where the break affects the outcome the round is void, else it is resumed where it stopped."""
    cut_the_power(tmp_path, SUPER_SIX, "2", "9", "3", "4")

    async def go_on() -> None:
        async with back_up(tmp_path) as guide:
            await guide.do(POWER_FAILURE)
            assert guide.table.case is not None
            decider = next(each for each in guide.table.staff if each.post == "gaming-shift-manager")
            await guide.do(
                cmd.Rule(choice=choice, text="the reader lost a card"), decider.person, PIT_MANAGER
            )
            await _conclude(guide, choice)
            held = {each.terminal: each.credits for each in guide.table.credits}
            if choice == "void-round":
                assert held == {"Ada": 1_000_000, "Ben": 1_000_000}

    asyncio.run(go_on())


async def _conclude(guide: Guide, choice: str) -> None:
    if choice == "void-round":
        manager = next(each for each in guide.table.staff if each.post == "pit-manager")
        if guide.table.case is not None and guide.table.case.waits is Wait.CONFIRMATION:
            await guide.do(cmd.ConfirmFacts(), manager.person)
        assert guide.table.round is not None
        assert guide.table.round.void
        await guide.do(cmd.ResumeTable())
        assert guide.table.wagers == ()
        return
    await guide.do(cmd.ResumeTable())
    await guide.do(cmd.DrawCard(card=face("K")))
    events = await guide.do(cmd.DrawCard(card=face("K")))
    assert money(events) == {"Ada": (10_000, 0), "Ben": (0, 20_000)}


def test_all_six_games_are_here() -> None:
    assert set(GAMES) == {*LIVE, *HOIANA, SUPER_SIX}
