"""A floor as a server writes it down: people who sign in, terminals, and three tables that are played at."""

import random
from collections.abc import Iterable

from access.signing import CHEAP, password_of
from journal.going_on import table_of
from journal.journals import EVENING, Evening, RecordedPlayer, random_evening, told_evening
from moved_clock import NOON, MovedClock
from msgspec.structs import replace

from thirdcard.access.credentials import STEP, CredentialKeeper, code_at
from thirdcard.access.people import Made, People
from thirdcard.access.sign_in import Attempt, OpenedSession, SignInDesk
from thirdcard.access.terminals import Enrolment, TerminalDesk
from thirdcard.devices.virtual_shoe import Label, draw, new_shoe
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import TableDefinition
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.state import Phase
from thirdcard.game.table_setup import Setup
from thirdcard.refusals import Refused
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.set_up import TABLE_NAME, set_up
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.server.commands import receipt_of_record
from thirdcard.staff import Post
from thirdcard.streams import stream as streams
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.opening import OpenedPlace, OpenFloor, open_floor
from thirdcard.streams.service import TableStream
from thirdcard.wire.receipts import Receipt

TOLD, TERMINALS, SEALED = "evening", "terminals", "sealed"
GAMES = {TOLD: "mbs-tiger-v3", TERMINALS: "mbs-super-six-etg-v3", SEALED: "mbs-tiger-v3"}
TERMINAL_ROUNDS = 3
SNAPSHOT_AFTER = 30  # records, so that a small journal has snapshots
STAFF = {"Dana": "dealer", "Sue": "pit-supervisor", "Max": "pit-manager", "Gil": "gaming-shift-manager"}


async def write_floor(place: OpenedPlace) -> list[Receipt]:
    """Serve a floor for an evening, begin again, and stop; returns the receipts that patrons hold."""
    usual, streams.SNAPSHOT_AFTER = streams.SNAPSHOT_AFTER, SNAPSHOT_AFTER
    clock = MovedClock(wall=NOON)
    try:
        async with open_floor(place, clock=clock) as floor:
            evenings = {
                TOLD: told_evening(TOLD, EVENING.read_text("utf-8")),
                TERMINALS: random_evening(TERMINALS, TERMINAL_ROUNDS, 1, GAMES[TERMINALS]),
            }
            await _people(floor, clock, _definitions(evenings.values()))
            receipts = []
            for name, evening in evenings.items():
                receipts += await _play(floor, clock, name, evening)
            receipts += await _sealed(floor, clock)
        later = MovedClock(wall=clock.now().wall_time + 60_000_000)
        async with open_floor(place, clock=later):
            pass  # what was under way is held
    finally:
        streams.SNAPSHOT_AFTER = usual
    return receipts


def _definitions(evenings: Iterable[Evening]) -> tuple[TableDefinition, ...]:
    setups = [
        replace(command.body.setup, table=evening.stream)
        for evening in evenings
        for command, _ in evening.deeds
        if isinstance(command.body, cmd.SetUpTable)
    ]
    return tuple(TableDefinition(setup=setup) for setup in setups)


async def _people(floor: OpenFloor, clock: MovedClock, tables: tuple[TableDefinition, ...]) -> None:
    """People are added and sign in, one in vain; a terminal is enrolled; a table is proposed and approved."""
    stream, credentials = floor.service.floor, CredentialKeeper(floor.keys, CHEAP)
    people, secrets = People(stream, credentials, SHIPPED.houses), dict[str, str]()
    try:
        for name, post in STAFF.items():
            made = await people.add(name, (Post(post),), password_of(name), by=COMMAND_LINE)
            assert isinstance(made, Made), made
            if made.factor:
                secrets[name] = made.factor.text
        desk = SignInDesk(stream, credentials, SHIPPED.houses, floor.clock)
        for name in STAFF:
            secret = secrets.get(name)
            code = code_at(secret, int(clock.wall) // STEP) if secret else ""
            attempt = Attempt(name, password_of(name), "C1", "10.0.0.1", code)
            entered = await desk.sign_in(attempt)
            assert isinstance(entered, OpenedSession), entered
        assert isinstance(await desk.sign_in(Attempt("Dana", "not hers", "C1", "10.0.0.1")), Refused)
    finally:
        credentials.close()
    await _floor(floor, floor_cmd.DefineTables(file="floor.toml", digest="d", tables=tables), COMMAND_LINE)
    await _floor(floor, floor_cmd.ProposeTable(definition=_training_table(_sealed_setup())), "Max")
    await _floor(floor, floor_cmd.ApproveProposal(id=1), "Gil")
    terminals = TerminalDesk(stream, floor.keys, floor.clock)
    enrolment = await terminals.enrol("S1", table=TERMINALS, by="Max", second="Gil")
    assert isinstance(enrolment, Enrolment), enrolment
    await terminals.claim(enrolment.code, address="10.0.0.2")
    await _floor(floor, floor_cmd.EnableTerminal(terminal="S1"), COMMAND_LINE)
    await _floor(floor, floor_cmd.OpenPatronSession(terminal="S1", patron="Ann"), "Max")
    await _floor(floor, floor_cmd.ClosePatronSession(terminal="S1"), "Max")
    await _floor(floor, floor_cmd.LockPerson(name="Dana", reason="her shift is over"), "Max")


async def _floor(floor: OpenFloor, body: floor_cmd.FloorBody, actor: str) -> None:
    stream = floor.service.floor
    answer = await stream.send(body, actor=actor, command_id=f"floor-{stream.head.sequence}")
    assert isinstance(answer, Accepted), answer


async def _play(floor: OpenFloor, clock: MovedClock, name: str, evening: Evening) -> list[Receipt]:
    """Send what an evening's people sent; its table is named by its stream."""
    stream, receipts = floor.service.table(name), list[Receipt]()
    for command, came in evening.deeds:
        body, envelope = command.body, command.envelope
        if isinstance(body, cmd.SetUpTable):
            body = replace(body, setup=replace(body.setup, table=name))
        actor = name if envelope.actor == TABLE_NAME else envelope.actor
        clock.step_wall(envelope.received_at.timestamp() - clock.wall)
        answer = await stream.send(
            body, actor=actor, command_id=envelope.command_id, authoriser=envelope.authoriser
        )
        assert isinstance(answer, Refused) == isinstance(came, Refused), answer
        receipts += _receipt(answer)
    return receipts


def _receipt(answer: Accepted[ev.Event] | Refused) -> list[Receipt]:
    if isinstance(answer, Refused) or not any(isinstance(each, ev.WagerPlaced) for each in answer.events):
        return []
    receipt = receipt_of_record(answer.record)
    return [receipt] if receipt else []


def _sealed_player() -> RecordedPlayer:
    """A table without a shoe, and the commands that set it up."""
    head = parse(f"game {GAMES[SEALED]}\nshoe empty\npatrons Ann at 1\nDealer: opens betting\n").settings
    book = SHIPPED.rulebook(head.game)
    player = RecordedPlayer(book, SHIPPED.house(book.document.house), head.start)
    set_up(player, head)
    return player


def _sealed_setup() -> Setup:
    return _sealed_player().standing.setup


def _training_table(setup: Setup) -> TableDefinition:
    """The definition of a training table, which a virtual shoe needs."""
    return TableDefinition(setup=replace(setup, table=SEALED, training=True), virtual_shoe=True)


async def _sealed(floor: OpenFloor, clock: MovedClock) -> list[Receipt]:
    """A round from a sealed shoe, an alarm, and a round that ends before its third card."""
    stream, player = floor.service.table(SEALED), _sealed_player()
    setup = Evening(SEALED, player.rulebook, player.house, tuple(player.deeds))
    await _play(floor, clock, SEALED, setup)
    label = Label(SEALED, 1)
    shoe = new_shoe(
        label, decks=8, behind_cutting_card=14, keys=floor.keys, random_bytes=random.Random(1).randbytes
    )
    await _at(stream, clock, shoe, "Dealer")
    await _at(stream, clock, cmd.CutCards(depth=100), "Ann")
    receipts = await _bet(stream, clock)
    while table_of(stream).phase is not Phase.IDLE:
        await _at(stream, clock, draw(table_of(stream), floor.keys), "Dealer")
    given = await _at(stream, clock, cmd.RaiseAlarm(kind=AlarmKind.MISREAD), SEALED)
    await _at(stream, clock, cmd.AcknowledgeAlert(sequence=given.sequence), "Pit Manager")
    receipts += await _bet(stream, clock)
    await _at(stream, clock, draw(table_of(stream), floor.keys), "Dealer")
    return receipts


async def _bet(stream: TableStream, clock: MovedClock) -> list[Receipt]:
    await _at(stream, clock, cmd.OpenBetting(), "Dealer")
    wager = cmd.PlaceWager(patron="Ann", wager="player", amount=10_000, position=1)
    receipts = _receipt(await _at(stream, clock, wager, "Ann"))
    await _at(stream, clock, cmd.CloseBetting(), "Dealer")
    return receipts


async def _at(stream: TableStream, clock: MovedClock, body: cmd.Body, actor: str) -> Accepted[ev.Event]:
    """Send a command a second later; it must be accepted."""
    clock.jump(1)
    answer = await stream.send(body, actor=actor, command_id=f"{stream.name}-{stream.head.sequence}")
    assert isinstance(answer, Accepted), answer
    return answer
