"""The dealer's help at the felt: the wagers of the last round again, cards left in the shoe, and the pace."""

from collections.abc import Iterator

import pytest
from screens.conftest import Visit
from screens.dealing import Dealer, Table, felt
from screens.floors import GAMES, demonstration
from server.served import Server


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor with a table to deal at."""
    server = demonstration(tmp_path_factory.mktemp("again"), felt("again", GAMES["tiger"]))
    yield server
    server.kill()


@pytest.mark.timed
def test_the_same_wagers_as_in_the_last_round(visit: Visit, house: Server) -> None:
    """One key puts down again what lay there, for those who are still at the table."""
    screen = visit(None, at=house, post="dealer")
    table = Table(screen, "again").staffed().opened().seated("Ann", "Bob")
    for number in range(3):
        table.do("open-betting")
        table.wagers(Ann={"player": 300, "tie": 20}, Bob={"banker": 100})
        table.do("close-betting")
        table.draws("9H 2D KS 5C")
        table.do("call-outcome", winner="player")
        house.move(60 + number)
    table.do("leave-table", patron="Bob")
    screen.open("/dealer?table=again")
    dealer = Dealer(screen, table, house)
    screen.page.get_by_text("cards left").wait_for()
    assert "404 cards left" in screen.page.inner_text("main")
    screen.page.get_by_text("rounds per hour").wait_for()
    table.do("open-betting")
    screen.page.get_by_role("button", name="Same wagers as last round").wait_for()
    dealer.press("=")
    screen.says("2 wagers as in the last round.")
    screen.says("Not at the table any more: Bob.")
    lying = {(each["patron"], each["wager"], each["stake"]) for each in table.view["wagers"]["lying"]}
    assert lying == {("Ann", "player", 30_000), ("Ann", "tie", 2_000)}
    screen.page.get_by_role("button", name="Same wagers as last round").wait_for(state="detached")
    dealer.press("=")  # nothing is placed twice
    dealer.types("100")
    dealer.press("Enter")
    screen.until(lambda: any(each["stake"] == 40_000 for each in table.view["wagers"]["lying"]))
    assert screen.grave_findings() == []
