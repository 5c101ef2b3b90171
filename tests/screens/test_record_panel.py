"""The record in the pit: whether it is whole, why tables are closed; and terminals that two people let in."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from screens.browser import Screen
from screens.disputing import asked_for
from screens.floors import GAMES
from screens.test_confirmation import shows, signed_in
from screens.test_pit import Pit
from server.served import Served, Server

TABLES = f"""
[[table]]
name = "real"
game = "{GAMES["super-six"]}"
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor where money is real, whose server has checked its record."""
    with real_floor(tmp_path_factory.mktemp("whole")) as served:
        served.server()
        stopped(served).start()
        yield served


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[Served]:
    """A floor where money is real, and something happens to its record while its server is down."""
    with real_floor(tmp_path) as served:
        served.server()
        stopped(served)
        yield served


@contextlib.contextmanager
def real_floor(folder: Path) -> Iterator[Served]:
    """A floor whose servers are told by the test when to come up."""
    served = Served(folder, TABLES)
    with ThreadPoolExecutor(1) as other:  # the browser keeps the loop of this thread running
        other.submit(asyncio.run, served.prepare()).result()
        yield served
        other.submit(asyncio.run, served.close()).result()


def stopped(served: Served) -> Server:
    """Stop the server, which checks its record when it is started again."""
    (server,) = served.servers
    server.stop()
    server.asked.check = True
    return server


@contextlib.contextmanager
def manager(browser: Browser, served: Served) -> Iterator[Pit]:
    """A Pit Manager who has signed in."""
    screen = signed_in(browser, served, "Max")
    yield Pit(screen)
    assert screen.unexpected == []
    screen.context.close()


@pytest.fixture
def boss(browser: Browser, whole: Served) -> Iterator[Pit]:
    """A Pit Manager of the floor whose record is whole."""
    with manager(browser, whole) as pit:
        yield pit


def test_the_pit_says_when_a_whole_record_was_checked(boss: Pit) -> None:
    boss.screen.until(lambda: looked_again(boss.screen, "nothing is wrong with them"))
    assert boss.panel("Record").locator(".closed").count() == 0


def looked_again(screen: Screen, text: str) -> bool:
    """Whether the record panel has a text, after looking once more."""
    screen.open("/pit?floor")
    panel = screen.page.get_by_role("region", name="Record", exact=True)
    panel.locator("p").first.wait_for()
    return text in panel.inner_text()


def test_the_pit_says_that_a_mark_was_taken_away(browser: Browser, broken: Served) -> None:
    broken.place.mark_file.path.unlink()
    broken.servers[0].start()
    with manager(browser, broken) as boss:
        assert looked_again(boss.screen, "there was no mark to compare the record with")


def test_a_clock_that_was_set_is_acknowledged_in_the_pit(boss: Pit, whole: Served) -> None:
    (server,) = whole.servers
    server.step_wall(-600)
    server.move(2)
    boss.screen.until(lambda: looked_again(boss.screen, "was set back by 600 seconds"))
    boss.panel("Record").get_by_role("button", name="Acknowledge").click()
    boss.panel("Record").get_by_text("was set back").wait_for(state="detached")
    assert not looked_again(boss.screen, "was set back")
    assert boss.screen.flaws() == []


def test_the_pit_says_why_tables_are_closed(browser: Browser, broken: Served) -> None:
    """A stream was taken away: the panel says how much is missing, and who can accept it."""
    connection = sqlite3.connect(broken.place.journal, isolation_level=None)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    for kept in ("record", "checkpoint", "snapshot"):
        connection.execute(f"DELETE FROM {kept} WHERE stream = 'real'")
    connection.close()
    broken.servers[0].start()
    with manager(browser, broken) as boss:
        boss.screen.until(lambda: looked_again(boss.screen, "No table takes anything"))
        panel = boss.panel("Record")
        panel.get_by_text("real ends at record 0, but record").wait_for()
        panel.get_by_text("two people accept it: thirdcard accept-restore").wait_for()
        assert boss.screen.flaws() == []


def test_a_terminal_is_enrolled_and_enabled_by_two(boss: Pit, whole: Served) -> None:
    boss.screen.open("/pit?floor")
    terminals = boss.panel("Terminals")
    boss.screen.expect_error("40[39]|422")  # one alone
    terminals.get_by_role("button", name="Enrol a terminal").click()
    boss.asked("Enrol a terminal", Name_of_the_terminal="E77", Table="real")
    approved(boss, whole, "Enrol a terminal: E77")
    told = boss.page.get_by_role("dialog", name="Receipt")
    code = told.get_by_text("Type ").first.inner_text().split()[1]
    boss.page.keyboard.press("Escape")
    line = terminals.locator(".line").filter(has_text="E77")
    line.wait_for()
    assert line.get_by_role("button").count() == 0, "a terminal that was not claimed cannot be enabled"
    claimed = boss.screen.ask("/terminals/claim", "any", {"code": code})
    assert claimed.get("kind") == "terminal", claimed
    boss.screen.open("/pit?floor")
    line.get_by_role("button", name="Enable").click()
    approved(boss, whole, "Enable: E77")
    line.get_by_role("button", name="Seat a patron").wait_for()


def approved(pit: Pit, served: Served, about: str) -> None:
    """A second person reads what it is about, and shows who they are."""
    dialog = asked_for(pit.screen)
    dialog.get_by_text(about).wait_for()
    shows(dialog, served, "Gil")
    dialog.get_by_role("button", name="Approve").click()
    dialog.wait_for(state="hidden")
