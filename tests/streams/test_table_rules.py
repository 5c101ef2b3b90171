"""Rules that join the floor and a table hold for every command to a stream, without any server."""

import datetime

import pytest
from floor.test_floor import SETUP
from streams.openings import DEALER, Guide, serving

from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import TableDefinition
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.store import StoreFailed
from thirdcard.refusals import Refusal, Refused
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.service import Service

SUPER_SIX = "mbs-super-six-etg-v3"
TOMORROW = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)


async def ask_floor(
    service: Service, body: floor_cmd.FloorBody, actor: str = COMMAND_LINE, command_id: str | None = None
) -> Refusal | None:
    """Send a command to the floor; why it is refused, or nothing."""
    used = command_id or f"floor-{service.floor.head.sequence}"
    answer = await service.floor.send(body, actor=actor, command_id=used)
    return answer.reason if isinstance(answer, Refused) else None


async def open_session(service: Service) -> None:
    """Have Ada use a terminal of a table that is not set up yet."""
    table = TableDefinition(setup=SETUP)
    for body, actor in (
        (floor_cmd.DefineTables(file="f", digest="d", tables=(table,)), COMMAND_LINE),
        (floor_cmd.EnrolTerminal(terminal="E1", table="T1", code="c", code_ends=TOMORROW), COMMAND_LINE),
        (floor_cmd.ClaimTerminal(terminal="E1", code="c", token="t"), "E1"),
        (floor_cmd.EnableTerminal(terminal="E1"), COMMAND_LINE),
        (floor_cmd.OpenPatronSession(terminal="E1", patron="Ada"), COMMAND_LINE),
    ):
        assert await ask_floor(service, body, actor) is None


async def with_patron(service: Service) -> Guide:
    """An open table with Ada at a terminal of it, who has credits."""
    await open_session(service)
    guide = Guide(service.table("T1"))
    await guide.open(SUPER_SIX)
    return guide


CLOSE = floor_cmd.ClosePatronSession(terminal="E1")


@pytest.mark.parametrize("where", ["T1", None])
async def test_a_disabled_table_opens_no_betting(where: str | None) -> None:
    store = MemoryStore()
    async with serving(store) as service:
        guide = Guide(service.table("T1"))
        await guide.open(SUPER_SIX)
        before = await store.read("T1")
        assert await ask_floor(service, floor_cmd.Disable(table=where, reason="damp")) is None
        for body in (cmd.OpenBetting(), cmd.DealFreeHand()):
            for actor in (DEALER, guide.table.setup.table):
                refused = await guide.send(body, actor)
                assert isinstance(refused, Refused)
                assert refused.reason is Refusal.TABLE_DISABLED
        assert await store.read("T1") == before  # the journal of the table could not repeat it
        assert await ask_floor(service, floor_cmd.Enable(table=where)) is None
        await guide.do(cmd.OpenBetting())


async def test_a_round_under_way_goes_on_at_a_disabled_table() -> None:
    async with serving(MemoryStore()) as service:
        guide = Guide(service.table("T1"))
        await guide.open(SUPER_SIX)
        await guide.bet(("Ada", "player", 10_000))
        await ask_floor(service, floor_cmd.Disable(table="T1", reason="damp"))
        await guide.deal("9", "2", "K", "3")
        assert guide.table.rounds == 1
        assert guide.table.phase is Phase.IDLE


async def test_another_table_is_not_disabled() -> None:
    async with serving(MemoryStore()) as service:
        guide = Guide(service.table("T1"))
        await guide.open(SUPER_SIX)
        await ask_floor(service, floor_cmd.Disable(table="T2", reason="damp"))
        await guide.do(cmd.OpenBetting())


async def test_betting_opened_before_the_table_was_disabled_has_its_answer() -> None:
    store = MemoryStore()
    async with serving(store) as service:
        guide = Guide(service.table("T1"))
        await guide.open(SUPER_SIX)
        first = await guide.stream.send(cmd.OpenBetting(), actor=DEALER, command_id="open")
        await ask_floor(service, floor_cmd.Disable(reason="night"))
        assert await guide.stream.send(cmd.OpenBetting(), actor=DEALER, command_id="open") == first
    async with serving(store) as service:  # answers are no longer in memory
        again = await service.table("T1").send(cmd.OpenBetting(), actor=DEALER, command_id="open")
        assert isinstance(again, Accepted)
        assert again == first


async def test_a_session_does_not_end_while_credits_remain() -> None:
    store = MemoryStore()
    async with serving(store) as service:
        guide = await with_patron(service)
        before = await store.read("floor")
        for actor in (COMMAND_LINE, "E1"):
            assert await ask_floor(service, CLOSE, actor, f"by-{actor}") is Refusal.CREDITS_REMAIN
        assert await store.read("floor") == before
        await guide.do(cmd.CashOut(terminal="Ada", amount=guide.table.credits_of("Ada")), "Ada")
        assert await ask_floor(service, CLOSE, command_id="close") is None
        assert await ask_floor(service, CLOSE, command_id="close") is None  # its answer, once more


async def test_a_terminal_is_not_enrolled_anew_while_credits_remain() -> None:
    """Its session would be gone, and an attendant could open one under the same name for somebody else."""
    async with serving(MemoryStore()) as service:
        guide = await with_patron(service)
        assert not guide.table.setup.training
        anew = floor_cmd.EnrolTerminal(terminal="E1", table="T1", code="d", code_ends=TOMORROW)
        assert await ask_floor(service, anew) is Refusal.CREDITS_REMAIN
        await guide.do(cmd.CashOut(terminal="Ada", amount=guide.table.credits_of("Ada")), "Ada")
        assert await ask_floor(service, anew) is None


async def test_credits_that_were_sold_while_a_session_ended_are_nobodys_else() -> None:
    """Both were judged before either was recorded; an attendant could let a confederate in under the name."""
    async with serving(MemoryStore()) as service:
        guide = await with_patron(service)
        await guide.do(cmd.CashOut(terminal="Ada", amount=guide.table.credits_of("Ada")), "Ada")
        assert await ask_floor(service, CLOSE) is None
        await guide.do(cmd.BuyCredits(terminal="Ada", amount=10_000), "Ada")
        again = floor_cmd.OpenPatronSession(terminal="E1", patron="Ada")
        assert await ask_floor(service, again) is Refusal.CREDITS_REMAIN
        await guide.do(cmd.CashOut(terminal="Ada", amount=10_000), "Ada")
        assert await ask_floor(service, again) is None


async def test_a_session_does_not_end_while_a_wager_lies() -> None:
    async with serving(MemoryStore()) as service:
        guide = await with_patron(service)
        await guide.do(cmd.CashOut(terminal="Ada", amount=guide.table.credits_of("Ada") - 10_000), "Ada")
        await guide.bet(("Ada", "player", 10_000))
        assert guide.table.credits_of("Ada") == 0
        assert await ask_floor(service, CLOSE) is Refusal.CREDITS_REMAIN


async def test_a_session_ends_at_a_table_that_was_never_set_up() -> None:
    async with serving(MemoryStore()) as service:
        await open_session(service)
        assert await ask_floor(service, CLOSE) is None


async def test_a_table_that_cannot_be_read_does_not_stop_the_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(MemoryStore()) as service:
        await with_patron(service)

        async def fail() -> None:
            raise StoreFailed("record 3 was altered")

        monkeypatch.setattr(service.table("T1"), "load", fail)
        assert await ask_floor(service, CLOSE) is Refusal.TABLE_STOPPED
        assert service.floor.stopped is None
        assert await ask_floor(service, floor_cmd.Disable(reason="night")) is None


async def test_closing_a_session_that_is_not_open_is_refused_by_the_floor() -> None:
    async with serving(MemoryStore()) as service:
        assert await ask_floor(service, CLOSE) is Refusal.NO_SUCH_TERMINAL
