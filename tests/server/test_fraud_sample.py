"""A sample of the matrix of fraud over real HTTP: one person alone gets no money out of a real terminal."""

import asyncio
from collections.abc import Iterator

import pytest
from lengths import sized
from machines.commands import KINDS
from machines.dice import SeededDice
from machines.fraud import NEXT_HAND, made_up, stage
from server.served import PEOPLE, Served, open_for_many
from story import S6

from thirdcard.client.calls import Client
from thirdcard.client.errors import WasRefused
from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal
from thirdcard.staff import Post

pytestmark = pytest.mark.sweep
SIX, OTHERS = "Six", ("Seven", "Eight")
TABLES = "".join(
    f"""
[[table]]
name = "{name}"
game = "mbs-super-six-etg-v3"
"""
    for name in (SIX, *OTHERS)
)
TERMINALS: dict[str, tuple[str, int | None]] = {
    "E1": (SIX, None),
    **{f"{name} 1": (name, None) for name in OTHERS},
}
ALONE = 500_000
MADE_UP = sized(1, 10)  # commands of each kind


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor with one terminal, where money is real."""
    with open_for_many(tmp_path_factory.mktemp("fraud"), TABLES, TERMINALS) as served:
        yield served


async def why(client: Client, body: cmd.Body, table: str = SIX) -> Refusal | None:
    """Return why a command to a table is refused, if it is."""
    try:
        await client.command(table, body)
    except WasRefused as refused:
        return refused.reason
    return None


async def why_on_floor(client: Client, body: floor_cmd.FloorBody) -> Refusal | None:
    """Return why a command to the floor is refused, if it is."""
    try:
        await client.floor_command(body)
    except WasRefused as refused:
        return refused.reason
    return None


async def test_fraud_over_http_by_one_person_is_refused(floor: Served) -> None:
    """Enrol, enable, fill and empty a terminal; lock those who watch."""
    async with floor.visited() as served:
        boss, tom = await served.staff("Max"), await served.staff("Tom")
        with pytest.raises(WasRefused) as refused:
            await boss.enrol("E2", SIX)
        assert refused.value.reason is Refusal.SECOND_PERSON_NEEDED
        await boss.floor_command(floor_cmd.DisableTerminal(terminal="E1", reason="so"))
        enable = floor_cmd.EnableTerminal(terminal="E1")
        assert await why_on_floor(boss, enable) is Refusal.SECOND_PERSON_NEEDED
        await boss.floor_command(enable, authoriser=await served.shown("Gil"))
        for name in (each for each, post in PEOPLE.items() if post in ("auditor", "surveillance")):
            locks = floor_cmd.LockPerson(name=name, reason="so")
            assert await why_on_floor(boss, locks) is Refusal.NOT_PERMITTED
        await tom.floor_command(floor_cmd.OpenPatronSession(terminal="E1", patron="Confed"))
        terminal = served.terminal("E1")
        await terminal.command(SIX, cmd.ComeToTable(patron="Confed"))
        sale = cmd.BuyCredits(terminal="Confed", amount=ALONE)
        assert (
            await why(tom, cmd.BuyCredits(terminal="Confed", amount=ALONE + 1))
            is Refusal.SECOND_PERSON_NEEDED
        )
        assert await why(tom, sale) is None
        assert await why(tom, cmd.BuyCredits(terminal="Confed", amount=1)) is Refusal.SECOND_PERSON_NEEDED
        assert (
            await why(tom, cmd.CashOut(terminal="Confed", amount=ALONE)) is None
        )  # which only asks the patron
        assert await why(tom, cmd.ConfirmCredits(id=1, agrees=True)) is Refusal.NOT_PERMITTED
        view = (await terminal.table(SIX)).view
        assert view.own is not None
        assert view.own.credits == ALONE
        assert view.own.request is not None
        assert await why(terminal, cmd.ConfirmCredits(id=view.own.request.id, agrees=True)) is None
        view = (await terminal.table(SIX)).view
        assert view.own is not None
        assert view.own.credits == 0


async def test_fraud_over_http_at_several_tables_at_once_is_refused(floor: Served) -> None:
    """Credits that one person sells alone count at all tables together, however quickly they are sent."""
    async with floor.visited() as served:
        tom, dana = await served.staff("Tom"), await served.staff("Dana")
        for table in OTHERS:
            patron, terminal = f"Confed of {table}", f"{table} 1"
            await dana.command(table, cmd.ComeOnDuty(person="Dana", post=Post("dealer")))
            await tom.floor_command(floor_cmd.OpenPatronSession(terminal=terminal, patron=patron))
            await served.terminal(terminal).command(table, cmd.ComeToTable(patron=patron))
        sales = [(table, cmd.BuyCredits(terminal=f"Confed of {table}", amount=ALONE)) for table in OTHERS]
        answers = await asyncio.gather(*(why(dana, body, table) for table, body in sales))
        assert sorted(map(str, answers)) == ["None", str(Refusal.SECOND_PERSON_NEEDED)]


async def test_fraud_over_http_by_made_up_commands_moves_nothing(floor: Served) -> None:
    """Commands of every kind by a pit manager on duty: the patron at the terminal gets no credits."""
    async with floor.visited() as served:
        boss = await served.staff("Max")
        await boss.command(SIX, cmd.ComeOnDuty(person="Max", post=Post("pit-manager")))
        at = stage(S6, "idle")
        kinds = [each for each in KINDS if each not in (*NEXT_HAND, cmd.BuyCredits, cmd.GoOffDuty)]
        for place, kind in enumerate(kinds * MADE_UP):
            refused = await why(boss, made_up(at, SeededDice(place), kind))
            assert refused is not Refusal.TOO_MANY_REQUESTS
        view = (await served.terminal("E1").table(SIX)).view
        assert view.own is not None
        assert view.own.credits in (None, 0)
