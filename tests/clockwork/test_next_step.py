"""Steps that an automatic table takes by itself, and those that it leaves to people."""

from msgspec.structs import replace
from streams.openings import KEYS

from thirdcard.clockwork.next_step import next_step
from thirdcard.clockwork.next_step import set_up as set_up_step
from thirdcard.devices.virtual_shoe import Label, new_shoe
from thirdcard.floor.state import TableDefinition, Timers
from thirdcard.folds.history import History
from thirdcard.folds.meters import Meters
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import TableSnapshot, Timestamps, whole_after
from thirdcard.game import commands as cmd
from thirdcard.game.planned import PlannedStop, Stop, change_of
from thirdcard.game.shoe import Shoe
from thirdcard.game.state import Hand, Phase, Table
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.tables import Books

STORY = """\
game mbs-tiger-v3
method A
terminal
training
patrons Ann at 1, Bob at 2
Ann: buys 1000 credits
Bob: buys 1000 credits
Table: opens betting
Ann: 200 on player at 1
Bob: 100 on player at 2
Table: closes betting
Table: draws 4 2 2 5
"""


def planned_while_shut(head: str) -> cmd.Body | None:
    file = parse(f"game mbs-tiger-v3\n{head}table shut\n")
    rulebook = SHIPPED.rulebook(file.settings.game)
    player = Player(rulebook, SHIPPED.house(rulebook.document.house))
    set_up(player, file.settings)
    definition = TableDefinition(setup=player.standing.setup, automatic_dealer=True, timers=Timers())
    whole = whole_after(None, tuple(player.events), rulebook, Recorded(1, 0), ("", ""))
    assert whole is not None
    planned = next_step(Books(rulebook, player.house, ("", "")), whole.table, definition, KEYS, whole.since)
    return planned.body if planned else None


def test_a_table_opens_by_itself_unless_its_method_needs_a_post() -> None:
    assert planned_while_shut("") == cmd.OpenTable()
    assert planned_while_shut("area high-limit\ndevice card-reading\nmethod C\n") is None  # 3.9.2


def test_cards_go_from_one_patron_to_the_next_and_then_the_table_opens_them() -> None:
    file = parse(STORY)
    rulebook = SHIPPED.rulebook(file.settings.game)
    house = SHIPPED.house(rulebook.document.house)
    player = Player(rulebook, house)
    set_up(player, file.settings)
    for act, _ in file.acts:
        for body in act.bodies:
            assert isinstance(player.do(body, act.actor), tuple), body
    timers = Timers(betting=20, card=1, between=6.5, offer=15)
    definition = TableDefinition(setup=player.standing.setup, automatic_dealer=True, timers=timers)
    done = []
    while player.standing.phase is Phase.DEALING:
        whole = whole_after(None, tuple(player.events), rulebook, Recorded(1, 0), ("", ""))
        assert whole is not None
        planned = next_step(Books(rulebook, house, ("", "")), whole.table, definition, KEYS, whole.since)
        assert planned is not None
        assert isinstance(player.do(planned.body, planned.actor), tuple), planned
        done.append((planned.at, planned.body))
    assert done == [
        (1_000_000, cmd.PassCards(hand=Hand.PLAYER, patron="Ann")),
        (15_000_000, cmd.DeclineCards(hand=Hand.PLAYER, patron="Ann")),
        (1_000_000, cmd.PassCards(hand=Hand.PLAYER, patron="Bob")),
        (15_000_000, cmd.DeclineCards(hand=Hand.PLAYER, patron="Bob")),
    ]
    assert player.standing.phase is Phase.IDLE
    # Super Six 5.2 and others: what came wrongly is noticed until the next opening call, which waits
    whole = whole_after(None, tuple(player.events), rulebook, Recorded(1, 0), ("", ""))
    assert whole is not None
    planned = next_step(Books(rulebook, house, ("", "")), whole.table, definition, KEYS, whole.since)
    assert planned is not None
    assert (planned.at, planned.body) == (6_500_000, cmd.OpenBetting())


def standing(table: Table) -> TableSnapshot:
    """A table that stands so, with nothing folded beside it."""
    return TableSnapshot(table, History(), Meters(), (), Timestamps(0, 0), ("", ""))


def planned_for(table: Table, definition: TableDefinition) -> cmd.Body | None:
    planned = set_up_step(definition, standing(table))
    return planned.body if planned else None


def shut_table() -> Table:
    file = parse("game mbs-tiger-v3\ntable shut\n")
    rulebook = SHIPPED.rulebook(file.settings.game)
    player = Player(rulebook, SHIPPED.house(rulebook.document.house))
    set_up(player, file.settings)
    return player.standing


def test_other_limits_are_planned_at_once_and_other_positions_when_the_table_is_shut() -> None:
    table = shut_table()
    playing = replace(table, phase=Phase.BETTING)
    other = TableDefinition(setup=replace(table.setup, differential=table.setup.differential * 2))
    change = cmd.ChangeTable(change=change_of(other.setup))
    assert planned_for(playing, other) == planned_for(table, other) == change
    assert planned_for(replace(playing, change=change.change), other) is None
    assert planned_for(replace(playing, change=change.change), TableDefinition(setup=table.setup)) is not None
    fewer = TableDefinition(setup=replace(table.setup, positions=table.setup.positions - 1))
    assert planned_for(playing, fewer) is None
    assert planned_for(table, fewer) == cmd.SetUpTable(setup=fewer.setup)


def test_people_open_a_table_that_people_closed() -> None:
    table, rulebook = shut_table(), SHIPPED.rulebook("mbs-tiger-v3")
    definition = TableDefinition(setup=table.setup, automatic_dealer=True)
    books = Books(rulebook, SHIPPED.house(rulebook.document.house), ("", ""))
    steps = [
        next_step(books, each, definition, KEYS, Timestamps(0, 0))
        for each in (table, replace(table, closed=True))
    ]
    assert [each.body if each else None for each in steps] == [cmd.OpenTable(), None]


def test_a_table_that_is_to_close_lays_its_sealed_shoe_open() -> None:
    table, rulebook = shut_table(), SHIPPED.rulebook("mbs-tiger-v3")
    house = SHIPPED.house(rulebook.document.house)
    loaded = new_shoe(Label("Table", 1), decks=8, behind_cutting_card=14, keys=KEYS)
    sealed = Shoe(number=1, decks=8, left=416, seal=loaded.seal, cut_depth=5, burned=1)
    idle = replace(table, phase=Phase.IDLE, shoe=sealed, stop=PlannedStop(Stop.CLOSE, "Eve", "late"))
    definition = TableDefinition(setup=table.setup, virtual_shoe=True)
    planned = next_step(Books(rulebook, house, ("", "")), idle, definition, KEYS, Timestamps(0, 0))
    assert planned is not None
    assert isinstance(planned.body, cmd.OpenShoe)
