"""Steps that an automatic table takes by itself, and those that it leaves to people."""

from streams.openings import KEYS

from thirdcard.clockwork.next_step import next_step
from thirdcard.floor.state import TableDefinition, Timers
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import whole_after
from thirdcard.game import commands as cmd
from thirdcard.game.state import Hand, Phase
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.shelf import shelf_house, shelf_rulebook
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
    rulebook = shelf_rulebook(file.settings.game)
    player = Player(rulebook, shelf_house(rulebook.document.house))
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
    rulebook = shelf_rulebook(file.settings.game)
    house = shelf_house(rulebook.document.house)
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
