"""The lobby: one line for each table."""

import pytest
from folds.stories import SUPER_SIX, Story, tell
from msgspec.structs import replace

from thirdcard.floor.state import Disabled
from thirdcard.rulebook.book import Kind
from thirdcard.rulebook.facts import Winner
from thirdcard.views.lobby import LobbyLimits, LobbyLine, MiniMark, TableState, lobby_line
from thirdcard.views.view import show

PATRONS = "patrons Ann at 1, Bob at 3, Cy at 4 standing\n"
OPEN = "Dealer: opens betting\n"
CLOSED = OPEN + "Dealer: closes betting\n"
PLAYER = CLOSED + "Dealer: draws 9 2 K 5\n"
BANKER = CLOSED + "Dealer: draws 2 9 K K\n"
TIE = CLOSED + "Dealer: draws 9 9 K K\n"


def line(story: Story) -> LobbyLine:
    return lobby_line(story.showing)


def test_a_line_tells_game_limits_and_free_positions() -> None:
    found = line(tell("main 100 2000\nside 20 300\n" + PATRONS))
    assert (found.game, found.name, found.currency.code) == ("mbs-tiger-v3", "Tiger Baccarat", "SGD")
    assert found.limits == (
        LobbyLimits(Kind.MAIN, 10000, 200000),
        LobbyLimits(Kind.SIDE, 2000, 30000),
    )
    assert (found.positions, found.free_positions) == (8, (2, 4, 5, 6, 7, 8))
    assert (found.training, found.terminal, found.shoe) == (False, False, 1)
    assert line(tell("patrons T1\n", SUPER_SIX)).terminal


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        ("table shut\n", TableState.SHUT),
        (PATRONS, TableState.BETWEEN_ROUNDS),
        (PATRONS + OPEN, TableState.BETTING),
        (PATRONS + OPEN + "Dealer: closes betting\n", TableState.DEALING),
        (PATRONS + OPEN + "Dealer: pauses the table because of rain\n", TableState.PAUSED),
    ],
)
def test_how_a_table_stands(lines: str, state: TableState) -> None:
    assert line(tell(lines)).state is state


def test_a_table_that_takes_no_new_round_concludes_the_one_under_way() -> None:
    for lines, state in ((PATRONS, TableState.DISABLED), (PATRONS + OPEN, TableState.BETTING)):
        story = tell(lines)
        sources = replace(story.watch.sources(story.table), disabled=Disabled(None, "Eve", "fire"))
        assert lobby_line(show(sources)).state is state
        assert lobby_line(show(replace(sources, stopped="disk full"))).state is TableState.STOPPED


def test_the_mini_road_is_the_end_of_the_big_road() -> None:
    assert line(tell(PATRONS)).road == ()
    found = line(tell(PATRONS + PLAYER + PLAYER + TIE + BANKER))
    assert found.road == (
        MiniMark(0, 0, Winner.PLAYER, 0),
        MiniMark(1, 0, Winner.PLAYER, 1),
        MiniMark(0, 1, Winner.BANKER, 0),
    )
    assert (found.statistics.player, found.statistics.banker, found.statistics.tie) == (2, 1, 1)


def test_the_mini_road_has_room_for_twelve_columns() -> None:
    road = line(tell(PATRONS + (PLAYER + BANKER) * 7)).road
    assert [mark.column for mark in road] == list(range(12))
    assert road[-1] == MiniMark(0, 11, Winner.BANKER, 0)
