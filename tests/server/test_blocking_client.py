"""The client without async has every call of the one with it, and plays a round."""

import asyncio
import inspect
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from limits import LONG_ENOUGH
from server.served import PATIENT, Served, open_for_many, timers

from thirdcard import client
from thirdcard.game.state import Phase
from thirdcard.rulebook.facts import Winner

SIX = "Six"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers(betting=600)}
"""
STAKE, BOUGHT = 10_000, 100_000
BACK = {
    Winner.PLAYER: 2 * STAKE,
    Winner.TIE: STAKE,
    Winner.BANKER: 0,
}  # of a Player wager: 1 to 1, and a push
OWN = {"close", "watch", "unwatch"}  # ends the thread too; and the socket is opened with the first table
ASYNC = {"try_another", "headers"}  # for the socket of the same client


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with open_for_many(tmp_path_factory.mktemp("blocking"), TABLES, {"E1": (SIX, None)}) as served:
        yield served


def public(kind: type) -> dict[str, Any]:
    return {name: value for name, value in vars(kind).items() if not name.startswith("_")}


def test_every_call_is_there_with_and_without_async() -> None:
    blocking, waiting = public(client.BlockingClient), public(client.Client)
    assert blocking.keys() - OWN - {"address", "token"} == waiting.keys() - ASYNC - {"close", "address"}
    for name in blocking.keys() - OWN - {"address", "token"}:
        assert inspect.signature(blocking[name]) == inspect.signature(waiting[name]), name
        assert inspect.getdoc(blocking[name]) == inspect.getdoc(waiting[name]), name


def test_a_round_is_played_without_async(floor: Served) -> None:
    with client.BlockingClient(*floor.addresses, token=floor.tokens["E1"], patience=PATIENT) as ann:
        ann.floor_command(client.floor_commands.OpenPatronSession(terminal="E1", patron="Ann"))
        table = ann.watch(SIX)
        ann.command(SIX, client.commands.ComeToTable(patron="Ann"))
        bought = ann.command(SIX, client.commands.BuyCredits(terminal="Ann", amount=BOUGHT))
        view = table.reaches(bought.sequence, LONG_ENOUGH)
        assert view.own is not None
        assert view.own.credits == BOUGHT
        table.until(lambda view: view.phase.phase is Phase.BETTING, LONG_ENOUGH)
        placed = ann.command(SIX, client.commands.PlaceWager(patron="Ann", wager="player", amount=STAKE))
        dealt = ann.command(SIX, client.commands.DealNow(patron="Ann"))
        assert dealt.sequence > placed.sequence
        while table.next_moment(LONG_ENOUGH).what.kind != "round-settled":
            pass
        (told,) = ann.history(SIX).rounds
        assert told.facts is not None
        credits_left = table.until(lambda view: view.own is not None and not view.own.wagers).own
        assert credits_left is not None
        assert credits_left.credits == BOUGHT - STAKE + BACK[told.facts.winner]
        assert table.sequence >= dealt.sequence
        assert ann.receipt(placed.command_id) == placed.receipt
        with pytest.raises(client.WasRefused) as refused:
            ann.command(SIX, client.commands.PlaceWager(patron="Ben", wager="player", amount=STAKE))
        assert refused.value.reason is client.Refusal.NOT_YOURS
        with pytest.raises(TimeoutError):
            table.until(lambda view: view.phase.paused, within=0.01)
        ann.unwatch(SIX)
        ann.close()  # as ``with`` does once more
    assert "thirdcard client" not in [thread.name for thread in threading.enumerate()]


async def test_it_works_where_an_event_loop_runs_already(floor: Served) -> None:
    assert asyncio.get_running_loop().is_running()
    with client.BlockingClient(*floor.addresses, patience=PATIENT) as nobody:
        assert nobody.me().kind == "guest"
        assert nobody.token is None
        assert nobody.address in [address.rstrip("/") for address in floor.addresses]


def test_what_is_missing_is_named() -> None:
    code = "import sys; sys.modules['httpx'] = None; from thirdcard import client"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=LONG_ENOUGH
    )
    assert "pip install 'thirdcard[client]'" in done.stderr.splitlines()[-1]
