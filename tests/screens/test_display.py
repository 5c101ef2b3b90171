"""The display on the wall: last outcome, five roads, limits, pays, seal; and it comes back by itself."""

import re
from pathlib import Path
from typing import Any

import pytest
from screens.browser import WIDTHS, Screen
from screens.conftest import Visit
from screens.floors import GAMES, ONE_BY_ONE, ROUND, demonstration, one_by_one, table
from server.served import Server

ROADS = ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig")


def sit(visit: Visit, at: Server, terminal: str) -> Screen:
    """Somebody comes to a terminal, so that its table plays."""
    screen = visit(None, at=at)
    screen.ask("/demo/seat", "terminal", {"terminal": terminal})
    screen.open("/terminal").button("Sit down").click()
    screen.page.get_by_role("group", name="Your playing areas").wait_for()
    return screen


def test_it_shows_game_limits_pays_roads_and_the_seal_of_the_shoe(visit: Visit) -> None:
    screen = visit("/display?table=tiger", size=WIDTHS["wall"], room="dim")
    screen.heading("Tiger Baccarat").wait_for()
    for road in ROADS:
        assert screen.page.get_by_role("img", name=road, exact=True).is_visible()
    rows = screen.page.get_by_role("row").all_inner_texts()
    assert [re.split(r"\s{2,}|\t", row) for row in rows[1:4]] == [
        ["Player", "50–5,000", "1 to 1"],
        ["Banker", "50–5,000", "0.95 to 1"],
        ["Tie", "10–500", "8 to 1"],
    ]
    assert any("4 / 20 / 100 to 1" in row for row in rows)
    screen.says("Seal of the shoe")
    seal = screen.ask("/tables/tiger")["view"]["shoe"]["seal"]
    assert screen.says(seal).is_visible()


def test_every_round_has_its_sign_in_the_roads(visit: Visit, floor: Server) -> None:
    sit(visit, floor, "quick-1")
    screen = visit("/display?table=quick", size=WIDTHS["wall"])
    bead = screen.page.get_by_role("img", name="Bead plate", exact=True)
    bead.wait_for()
    for _ in range(3):
        before = len(plate(screen))
        floor.move(ROUND)
        screen.until(lambda: len(plate(screen)) > before)  # noqa: B023
    played = plate(screen)
    screen.until(lambda: bead.locator("g").count() == len(played))
    winners = [each["content"]["winner"][0].upper() for each in played]
    assert bead.locator("text").all_text_contents() == winners


def plate(screen: Screen) -> list[Any]:
    """The bead plate of the table, by the server."""
    signs: list[Any] = screen.ask("/tables/quick")["view"]["scoreboard"]["bead_plate"]
    return signs


def test_the_last_outcome_stays_until_the_next_card(visit: Visit, floor: Server) -> None:
    sit(visit, floor, "quick-2")
    screen = visit("/display?table=quick", size=WIDTHS["wall"])
    screen.says("Place your bets")
    number = screen.ask("/tables/quick")["view"]["phase"]["round"]
    floor.move(ROUND)
    screen.until(lambda: screen.ask("/tables/quick")["view"]["phase"]["round"] == number + 1)
    screen.says("Place your bets")
    screen.says(re.compile("(Banker|Player) wins|^Tie$"))


def test_a_display_without_table_asks_which_one(visit: Visit) -> None:
    screen = visit("/display?table=nothing-here")
    screen.heading("There is no such table. Which one does this display show?").wait_for()
    screen.page.get_by_role("link", name="Tiger Baccarat · tiger", exact=True).click()
    screen.heading("Tiger Baccarat").wait_for()


@pytest.mark.timed
def test_it_says_at_once_that_the_server_is_gone_and_comes_back_by_itself(
    visit: Visit, tmp_path: Path
) -> None:
    server = demonstration(tmp_path, table("only", GAMES["tiger-nc"], ONE_BY_ONE))
    try:
        patron = sit(visit, server, "only-1")
        patron.expect_error("WebSocket|ERR_CONNECTION_REFUSED")
        screen = visit("/display?table=only", at=server, size=WIDTHS["wall"])
        screen.expect_error("WebSocket|ERR_CONNECTION_REFUSED")
        bead = screen.page.get_by_role("img", name="Bead plate", exact=True)
        bead.wait_for()

        def phase() -> tuple[int, str]:
            now = screen.ask("/tables/only")["view"]["phase"]
            return now["round"], now["phase"]

        screen.until(one_by_one(server, lambda: phase() == (1, "betting")))
        server.move(600)
        screen.until(one_by_one(server, lambda: phase() == (2, "betting")))
        server.move(600)
        screen.until(one_by_one(server, lambda: phase() == (2, "dealing")))
        server.kill()
        screen.says(re.compile("The connection is lost"))
        server.start()
        assert server.held == ("only",)
        screen.page.get_by_text(re.compile("The connection is lost")).wait_for(state="hidden")
        screen.says("The connection is back, with everything that happened meanwhile.")
        screen.says(re.compile("Held after a restart: all wagers are safe|is held: all wagers are safe"))
        assert bead.locator("g").count() == 1
        assert not screen.page.get_by_text(re.compile("The connection is lost")).is_visible()
    finally:
        server.kill()


def test_on_a_wall_nothing_needs_scrolling(visit: Visit) -> None:
    screen = visit("/display?table=dragon-tiger", size=WIDTHS["wall"], room="dim")
    screen.heading("Dragon Tiger No Commission Baccarat").wait_for()
    assert screen.page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")


def test_from_five_metres_the_outcome_and_the_signs_are_large(visit: Visit) -> None:
    screen = visit("/display?table=quick", size=WIDTHS["wall"], room="dim")
    screen.heading("Tiger Baccarat").wait_for()
    said = screen.page.get_by_label("The round on the table").locator("p").first
    assert said.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") >= 48
    sign = screen.page.get_by_role("img", name="Big road", exact=True).bounding_box()
    assert sign is not None
    assert sign["height"] / 6 >= 48
