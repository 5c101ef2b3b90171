"""The demonstration floor for newcomers: a start page, a tour, and coming back with one tap."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator
from screens.browser import WIDTHS, Screen
from screens.conftest import Visit
from screens.dealing import felt
from screens.floors import GAMES, WAITING, demonstration, table
from screens.patrons import Behind
from server.served import Server

TABLES = "".join(table(name, GAMES["tiger"], WAITING) for name in ("fast", "held", "tiger"))
TABLES += felt("felt-tiger", GAMES["tiger"])
IDLE = 3_600  # seconds after which a console asks again
PLACES = {
    "Terminal": "#tables",
    "Dealer console": "/dealer?table=felt-tiger",
    "Pit": "/pit",
    "Scoreboard": "/display?table=fast",
    "Records": "/records",
    "Training": "/training",
}


def test_the_start_page_names_six_screens_and_what_to_try(visit: Visit, house: Server) -> None:
    screen = visit("/", at=house)
    start = screen.page.get_by_role("region", name="Six screens, one floor")
    start.wait_for()
    for name, path in PLACES.items():
        link = start.get_by_role("link", name=re.compile(f"^{name}"))
        assert link.get_attribute("href") == path
        assert len(link.inner_text().splitlines()) >= 2, "what to try stands there"
    screen.button("Start the tour").wait_for()
    assert screen.flaws() == []
    assert screen.turned("phone", "dim").flaws() == []


def test_a_floor_of_other_tables_has_no_tour_and_leads_to_its_own(visit: Visit) -> None:
    screen = visit("/")
    start = screen.page.get_by_role("region", name="Six screens, one floor")
    board = start.get_by_role("link", name=re.compile("^Scoreboard"))
    screen.until(lambda: board.get_attribute("href") == "/display?table=tiger")
    assert start.get_by_role("link", name=re.compile("^Dealer")).get_attribute("href") == "/dealer"
    assert screen.button("Start the tour").count() == 0


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_a_tour_goes_along_from_page_to_page(visit: Visit, house: Server, language: str) -> None:
    screen = visit("/", at=house, language=language, size=WIDTHS["phone"])
    english = language == "en"
    screen.button("Start the tour" if english else "开始导览").click()
    tour = screen.page.get_by_role("region", name="Tour" if english else "导览", exact=True)
    step = "Step {} of 10" if english else "第 {} 步，共 10 步"

    def told(number: int) -> Locator:
        return tour.get_by_role("button", name=step.format(number))

    told(1).wait_for()
    on = tour.get_by_role("button", name="Next" if english else "下一步")
    on.click()
    tour.get_by_role("link", name="Go there" if english else "前往").click()
    screen.arrives("/terminal")
    told(2).wait_for()
    screen.page.get_by_role("main").click(position={"x": 5, "y": 400})
    on.wait_for(state="hidden")  # it lies over the page of a phone until something is done there
    told(2).click()
    for number in range(3, 11):
        on.click()
        told(number).wait_for()
    assert screen.flaws() == []
    tour.get_by_role("button", name="Finish" if english else "完成").click()
    tour.wait_for(state="detached")


def test_a_held_table_goes_on_with_one_tap_in_the_lobby_or_at_a_terminal(
    visit: Visit, tmp_path: Path
) -> None:
    server = demonstration(tmp_path, TABLES)
    try:
        screen = visit("/", at=server)
        sit(screen, "held")
        screen.until(lambda: phase(screen, "held")["phase"] == "betting")
        screen.expect_error("WebSocket|ERR_CONNECTION")
        server.kill()
        server.start()
        screen.says("Your wagers are safe; staff will resume it.")
        screen.button("Resume the table").click()
        screen.until(lambda: not phase(screen, "held")["paused"])
        manager = Behind(visit, server, "pit-manager").on_duty("held")
        manager.does("held", type="pause-table", reason="a question")
        lobby = visit("/", at=server)
        line = lobby.page.get_by_role("article", name=re.compile(", held$"))
        line.get_by_text("Paused").wait_for()
        assert line.get_by_role("button", name="Sit down").is_disabled()
        line.get_by_role("button", name="Resume the table").click()
        line.get_by_text("Taking wagers").wait_for()
        assert line.get_by_role("button", name="Resume the table").count() == 0
    finally:
        server.kill()


def sit(screen: Screen, name: str) -> None:
    """Sit down at a table."""
    line = screen.page.get_by_role("article", name=re.compile(f", {name}$"))
    line.get_by_role("button", name="Sit down").click()
    screen.arrives("/terminal")


def phase(screen: Screen, name: str) -> dict[str, object]:
    """How a table stands."""
    found: dict[str, object] = screen.ask(f"/tables/{name}")["view"]["phase"]
    return found


def test_a_console_that_rested_is_taken_up_again_with_one_tap(visit: Visit, house: Server) -> None:
    screen = visit("/pit", at=house, post="shift-manager")
    screen.page.get_by_role("region", name="Tables").or_(screen.heading("All tables")).first.wait_for()
    house.move(IDLE)
    screen.expect_error("401")
    again = screen.page.get_by_role("dialog", name="Still there?")
    again.get_by_role("button", name="Continue as Shift Manager").click()
    again.wait_for(state="hidden")
