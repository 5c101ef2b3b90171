"""The demonstration floor: every game and post, terminals ready to play, and only where nothing else is."""

import typing

import pytest
from access.signing import CHEAP
from moved_clock import MovedClock
from streams.openings import KEYS, serving

from thirdcard.access.actors import AtTerminal
from thirdcard.access.credentials import STEP, CredentialKeeper, code_at, weak
from thirdcard.access.sign_in import Attempt, OpenedSession, SignInDesk
from thirdcard.access.terminals import TerminalDesk
from thirdcard.clockwork.demo import FAST, HISTORY_ROUNDS, TERMINALS_PER_TABLE, demo, hurried, make_demo
from thirdcard.clockwork.floor_file import parse_floor_file
from thirdcard.floor import commands as cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Office
from thirdcard.game.state import Patron, Table
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.store import StoreFailed, StoreUnusable
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.shelf import HOUSES, SHIPPED
from thirdcard.staff import Post
from thirdcard.streams.clock import Clock
from thirdcard.streams.service import FloorStream


async def test_everybody_signs_in_and_every_terminal_is_known() -> None:
    clock, credentials = MovedClock(), CredentialKeeper(KEYS, CHEAP)
    async with serving(MemoryStore(), clock=clock) as service:
        made = await make_demo(service.floor, credentials, KEYS, clock)
        by_itself = [table for table in made.file.tables if table.automatic_dealer]
        assert {table.setup.game for table in by_itself} == {book.id for book in SHIPPED.rulebooks}
        assert all(table.setup.training for table in made.file.tables)
        assert all(table.setup.terminal and table.virtual_shoe for table in by_itself)
        felts = [table.setup for table in made.file.tables if not table.automatic_dealer]
        assert [felt.house for felt in felts] == ["marina-bay-sands", "hoiana"]
        assert not any(felt.terminal for felt in felts)
        posts = {post for house in HOUSES for post in SHIPPED.house(house).form.posts}
        assert {each.name for each in made.people} == posts | {each.value for each in Office}
        desk = SignInDesk(service.floor, credentials, SHIPPED.houses, clock)
        for person in made.people:
            assert weak(person.name, person.password) is None
            code = code_at(person.secret, int(clock.wall) // STEP) if person.secret else ""
            attempt = Attempt(person.name, person.password, "C1", "10.0.0.1", code)
            entered = await desk.sign_in(attempt)
            assert isinstance(entered, OpenedSession), person
            assert entered.staff.posts == (person.post,)
        terminals = TerminalDesk(service.floor, KEYS, clock)
        assert len(made.terminals) == TERMINALS_PER_TABLE * 5 + 4 * 2, "Hoiana has four positions"
        for terminal in made.terminals:
            found = terminals.who(terminal.token)
            assert isinstance(found, AtTerminal)
            assert (found.terminal, found.enabled, found.training) == (terminal.id, True, True)
            assert (found.position is None) is (terminal.table == "super-six")
    credentials.close()


def test_no_wagers_at_a_demonstration_table_come_to_its_differential() -> None:
    tables = demo(KEYS, Clock().now().moment).file.tables
    for table in (each for each in tables if each.automatic_dealer):
        rulebook = SHIPPED.rulebook(table.setup.game)
        limits, most = rulebook.document.limits, max(each.maximum for each in table.setup.limits)
        if limits and limits.differential:
            owners = limits.owners_per_area.most if limits.owners_per_area else TERMINALS_PER_TABLE
            assert table.setup.positions * owners * most <= table.setup.differential


def test_after_a_code_that_was_used_comes_the_next() -> None:
    now = Clock().now().moment
    person = next(each for each in demo(KEYS, now).people if each.secret)
    assert person.secret is not None
    step = int(now.timestamp()) // STEP
    assert person.code_at(now) == person.code_at(now, step - 1) == code_at(person.secret, step)
    assert person.code_at(now, step) == person.code_at(now, step + 1) == code_at(person.secret, step + 1)


async def test_made_again_it_stays_as_it_is() -> None:
    store, clock, credentials = MemoryStore(), Clock(), CredentialKeeper(KEYS, CHEAP)
    async with serving(store) as service:
        first = await make_demo(service.floor, credentials, KEYS, clock)
        head = service.floor.head
    async with serving(store) as service:
        assert await make_demo(service.floor, credentials, KEYS, clock) == first
        assert service.floor.head == head
    credentials.close()


async def test_a_floor_with_people_or_tables_of_its_own_is_left_alone() -> None:
    clock, credentials = Clock(), CredentialKeeper(KEYS, CHEAP)
    async with serving(MemoryStore()) as service:
        person = cmd.AddPerson(name="Dana", posts=(Post("dealer"),), password="")
        await service.floor.send(person, actor=COMMAND_LINE, command_id="c1")
        head = service.floor.head
        with pytest.raises(StoreUnusable, match=r"people or tables of its own \(Dana\)"):
            await make_demo(service.floor, credentials, KEYS, clock)
        assert service.floor.head == head
    credentials.close()


TABLE = b'format = 1\n[[table]]\nname = "one"\ngame = "mbs-tiger-v3"\n'


async def test_other_tables_take_the_place_of_the_usual_ones() -> None:
    clock, credentials = Clock(), CredentialKeeper(KEYS, CHEAP)
    file = parse_floor_file("own.toml", TABLE + b"training = true\nterminal = true\n", clock.now().moment)
    async with serving(MemoryStore()) as service:
        made = await make_demo(service.floor, credentials, KEYS, clock, file)
        assert service.floor.state is not None
        assert [each.setup.table for each in service.floor.state.tables] == ["one"]
        assert [each.id for each in made.terminals] == [
            f"one-{number}" for number in range(1, TERMINALS_PER_TABLE + 1)
        ]
    credentials.close()


async def test_a_demonstration_is_for_training_alone() -> None:
    clock, credentials = Clock(), CredentialKeeper(KEYS, CHEAP)
    file = parse_floor_file("own.toml", TABLE, clock.now().moment)
    async with serving(MemoryStore()) as service:
        with pytest.raises(StoreUnusable, match="Not for training: one"):
            await make_demo(service.floor, credentials, KEYS, clock, file)
    credentials.close()


async def test_what_cannot_be_recorded_is_told() -> None:
    class Stopped:
        state = None

        async def send(self, *_: object, **__: object) -> Refused:
            return refuse(Refusal.TABLE_STOPPED)

    credentials = CredentialKeeper(KEYS, CHEAP)
    with pytest.raises(StoreFailed, match="has stopped"):
        await make_demo(typing.cast("FloorStream", Stopped()), credentials, KEYS, Clock())
    credentials.close()


def test_the_tokens_of_terminals_belong_to_the_keys() -> None:
    now = Clock().now().moment
    ours, others = demo(KEYS, now), demo(KeyRing((new_keys(),)), now)
    assert ours == demo(KEYS, now)
    assert not {each.token for each in ours.terminals} & {each.token for each in others.terminals}
    assert {each.secret for each in ours.people} == {each.secret for each in others.people}


def test_a_table_is_fast_only_with_bots_alone_and_without_history() -> None:
    definition = next(each for each in demo(KEYS, Clock().now().moment).file.tables if each.automatic_dealer)
    usual, bot = definition.timers, Patron(name="Bot Heron 1", position=1, seated=True)
    fast, slow = (
        Table(setup=definition.setup, patrons=(bot,)),
        Table(setup=definition.setup, patrons=(bot,), rounds=HISTORY_ROUNDS),
    )
    assert hurried(definition, fast).timers == FAST
    assert hurried(definition, slow).timers == usual
    visited = Table(setup=definition.setup, patrons=(bot, Patron(name="Ann", position=2, seated=True)))
    assert hurried(definition, visited).timers == usual


@pytest.mark.parametrize("name", ["felt-tiger", "felt-hoiana"])
def test_betting_at_a_felt_is_closed_by_its_dealer_alone(name: str) -> None:
    tables = demo(KEYS, Clock().now().moment).file.tables
    definition = next(each for each in tables if each.setup.table == name)
    empty = Table(setup=definition.setup)
    assert hurried(definition, empty).timers.betting == 0  # nought leaves the closing to the Dealer
