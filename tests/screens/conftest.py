"""A real server and a real browser for every test of the screens; a console error fails the test."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from screens.browser import ROOT, WIDTHS, Screen, launch
from screens.floors import CALM, GAMES, QUICK, demonstration, table
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
    """The demonstration floor: a table of each game that waits long, and one that plays fast."""
    tables = "".join(table(name, game, CALM) for name, game in GAMES.items())
    server = demonstration(tmp_path_factory.mktemp("floor"), tables + table("quick", GAMES["tiger"], QUICK))
    yield server
    server.kill()


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Opens a page of the floor, or of another server, for somebody with a browser of their own."""
    screens: list[Screen] = []

    def visit(
        path: str = "/",
        *,
        size: tuple[int, int] = WIDTHS["desk"],
        at: Server | None = None,
        language: str = "en",
        room: str = "light",
        touch: bool = False,
    ) -> Screen:
        server: Server = at or request.getfixturevalue("floor")
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale="zh-CN" if language == "zh-Hans" else "en-SG",
            color_scheme="dark" if room == "dim" else "light",
            reduced_motion="reduce",
            has_touch=touch,
        )
        context.add_init_script(
            f"try {{ localStorage.setItem('thirdcard-language', '{language}');"
            f" localStorage.setItem('thirdcard-room', '{room}') }} catch {{}}"
        )
        screens.append(Screen(context, server.address))
        return screens[-1].open(path)

    yield visit
    complaints = {screen.page.url: screen.unexpected for screen in screens if screen.unexpected}
    for screen in screens:
        screen.context.close()
    assert complaints == {}, "the browser complained"
