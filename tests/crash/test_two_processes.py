"""Several processes serve the same tables over PostgreSQL; one is killed in mid-round, the others go on."""

import asyncio
import os
import random
import signal
from pathlib import Path

import pytest
from crash.loop import Loop, Process, say_accepted
from streams.openings import DEALER, GAMES, KEYS, PATRONS, Guide, face, serving

from thirdcard.auditor.verify import Against, verify
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.state import Phase, Table
from thirdcard.journal.codec import digest_of_content, encode, table_result_of
from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.store import Store, records
from thirdcard.messages import say
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import Service
from thirdcard.streams.tables import TableMachine

pytestmark = pytest.mark.timed

TABLES = {f"T{number}": game for number, game in enumerate(GAMES)}
AT_ONCE = 2  # commands of each process in flight at each table
LINES = 100  # that are heard before the next thing happens
FINISH, DIE = signal.SIGUSR1, signal.SIGUSR2
DECIDING = ("gaming-shift-manager", "assistant-director")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def next_step(table: Table, dice: random.Random) -> tuple[cmd.Body, str]:
    """The next step of somebody at the table."""
    if table.paused:
        return cmd.ResumeTable(), DEALER
    if table.case is not None:  # two dealers at one table: a card of one came before the call of the other
        decides = next(each.person for each in table.staff if each.post in DECIDING)
        return cmd.Rule(choice="continue", text="the card is good"), decides
    if table.phase is Phase.IDLE:
        assert table.shoe is not None
        if table.shoe.left < 50 or table.shoe.new_cards_due or table.shoe.patrons_choose:
            return cmd.LoadShoe(decks=table.setup.decks), "Pit Manager"
        return cmd.OpenBetting(), DEALER
    if table.phase is Phase.BETTING and (not table.wagers or dice.random() < 0.7):
        patron, wager = dice.choice(PATRONS), dice.choice(("player", "banker", "tie"))
        position = next(each.position for each in table.patrons if each.name == patron)
        if position is None and table.credits_of(patron) < 10_000:
            return cmd.BuyCredits(terminal=patron, amount=1_000_000), patron
        return cmd.PlaceWager(patron=patron, wager=wager, amount=10_000, position=position), patron
    if table.phase is Phase.BETTING:
        return cmd.CloseBetting(), DEALER
    return cmd.DrawCard(card=face(dice.choice(RANKS))), DEALER


class Player:
    """One process: plays at every table until it is told to finish, then ends its rounds and goes.

    Told to die, it kills itself as soon as wagers lie at a table after a command of its own.
    """

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.name = name
        self.finishing = False
        self.dying = False

    async def serve(self, pipe: int) -> None:
        """Serve all tables; say the run at first, then everything that is acknowledged."""
        asyncio.get_running_loop().add_signal_handler(FINISH, self._finish)
        asyncio.get_running_loop().add_signal_handler(DIE, self._die)
        clock, store = Clock(), await PostgresStore.open(self.url)
        service = Service(store, KEYS, clock)
        await service.start()
        os.write(pipe, f"{clock.run}\n".encode())
        hands = [(table, hand) for table in TABLES for hand in range(AT_ONCE)]
        await asyncio.gather(*(self._play(service, table, hand, pipe) for table, hand in hands))
        await service.stop()
        await store.close()

    def _finish(self) -> None:
        self.finishing = True

    def _die(self) -> None:
        self.dying = True

    async def _play(self, service: Service, name: str, hand: int, pipe: int) -> None:
        stream, number = service.table(name), 0
        dice = random.Random(f"{self.name} {name} {hand}")
        await stream.load()
        while True:
            assert stream.state is not None
            if self.finishing:
                await stream.load()
                if stream.state.table.phase is Phase.IDLE:
                    return
            number += 1
            body, actor = next_step(stream.state.table, dice)
            command_id = f"{name}-{self.name}-{hand}-{number}"
            answer = await stream.send(body, actor=actor, command_id=command_id)
            seen = digest_of_content(encode(stream.state)) if number % 5 == 0 else ""
            alone = getattr(answer, "sequence", None) == stream.head.sequence
            say_accepted(pipe, name, command_id, answer, seen if alone else "")
            if self.dying and alone and stream.state.table.wagers:
                os.kill(os.getpid(), signal.SIGKILL)


def begin(url: str, name: str) -> tuple[Process, str]:
    """A process that serves by now, and the name of its run."""
    process = Process(Player(url, name).serve)
    process.await_lines()
    run, _, process.heard = process.heard.partition(b"\n")
    return process, run.decode()


async def open_tables(store: Store) -> None:
    async with serving(store) as service:
        for name, game in TABLES.items():
            await Guide(service.table(name)).open(game)


class History:
    """A table by its records: who wrote them, where somebody's last one left it, and how it ended."""

    def __init__(self) -> None:
        self.runs: list[str] = []
        self.kinds: list[str] = []
        self.left: dict[str, Table] = {}
        self.rounds = 0
        self.ended = 0

    @classmethod
    async def read(cls, store: Store, name: str) -> "History":
        """Fold a table record by record."""
        history, machine, whole = cls(), TableMachine(store, SHIPPED), None
        async for record in records(store, name):
            events = table_result_of(record).events
            whole = await machine.fold(whole, record, events)
            assert whole is not None
            history.runs.append(record.run)
            history.kinds.append(record.kind)
            history.left[record.run] = whole.table
            history.rounds += sum(isinstance(event, ev.BettingOpened) for event in events)
            history.ended += sum(isinstance(event, ev.RoundEnded) for event in events)
        return history


async def histories(url: str) -> dict[str, History]:
    """Every table, after it was proven whole."""
    store = await PostgresStore.open(url, writing=False)
    for name in TABLES:
        report = await verify(store, name, Against(KEYS.public_keys))
        assert [(each.sequence, say(each.what)) for each in (*report.findings, *report.notes)] == []
    found = {name: await History.read(store, name) for name in TABLES}
    await store.close()
    return found


@pytest.mark.parametrize("victim", [0, 1])
def test_when_one_process_is_killed_in_mid_round_the_other_ends_its_rounds(
    victim: int, postgres_url: str, tmp_path: Path
) -> None:
    async def opening() -> Store:
        return await PostgresStore.open(postgres_url)

    async def prepare() -> None:
        store = await opening()
        await open_tables(store)
        await store.close()

    asyncio.run(prepare())
    processes, runs = zip(*(begin(postgres_url, name) for name in ("first", "second")), strict=True)
    for process, name in zip(processes, ("first", "second"), strict=True):
        process.listen_for(*(f"{table}-{name}" for table in TABLES), beside=processes)
        process.await_lines(LINES, beside=processes)
    processes[victim].signal(DIE)
    assert processes[victim].wait() == -signal.SIGKILL
    survivor = processes[1 - victim]
    survivor.await_lines(LINES)
    newcomer, newest = begin(postgres_url, "third")
    newcomer.listen_for(*(f"{table}-third" for table in TABLES), beside=(survivor,))
    for process in (survivor, newcomer):
        process.signal(FINISH)
        assert process.wait() == 0

    loop = Loop(opening, KEYS, seed=0, folder=tmp_path)
    for process in (*processes, newcomer):
        loop.take(process.heard)
    asyncio.run(loop.check())  # what either has acknowledged is there once, and makes the state that it saw
    assert loop.tally.acknowledged > 200
    assert loop.tally.states > 20

    found = asyncio.run(histories(postgres_url))
    assert any(each.left[runs[victim]].wagers for each in found.values())  # there was a round to end
    for each in found.values():
        assert {*runs, newest} <= set(each.runs)
        last = each.left[each.runs[-1]]
        assert last.phase is Phase.IDLE
        assert not last.wagers
        assert each.rounds == each.ended > 0
        assert "pause-table" not in each.kinds  # nobody had to wait for a kill
