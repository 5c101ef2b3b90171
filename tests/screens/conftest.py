"""A real server and a real browser for every test of the screens; a console error fails the test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from screens.browser import ROOT, Screen, launch
from screens.floors import BY_ITSELF, GAMES, demonstration, table
from screens.visits import Sessions, Visits
from server.served import Server

import screens_output

Visit = Callable[..., Screen]


@pytest.fixture(scope="package", autouse=True)
def packages() -> None:
    """The accessibility check comes with what the screens are built with."""
    screens_output.install(screens_output.find_node(), ROOT / screens_output.SOURCES)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests; everybody in them has a window of their own."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The demonstration floor: a table of each game, and one that plays when the clock is moved."""
    tables = "".join(table(name, game) for name, game in GAMES.items())
    quick = table("quick", GAMES["tiger"], BY_ITSELF)
    server = demonstration(tmp_path_factory.mktemp("floor"), tables + quick)
    yield server
    server.kill()


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A demonstration floor with the tables that a module of tests lists as TABLES."""
    server = demonstration(tmp_path_factory.mktemp("house"), request.module.TABLES)
    yield server
    server.kill()


@pytest.fixture(scope="package")
def sessions(browser: Browser) -> Sessions:
    """The people signed in at a demonstration floor, kept for all tests."""
    return Sessions(browser)


@pytest.fixture
def visit(sessions: Sessions, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Opens a page of the floor, or of another server, for somebody with a browser of their own."""
    visits = Visits(sessions)

    def visit(path: str | None = "/", *, at: Server | None = None, **how: Any) -> Screen:
        return visits.come(at or request.getfixturevalue("floor"), path, **how)

    yield visit
    assert visits.go() == {}, "the browser complained"
