"""A real server and a real browser for every test of the screens; a console error fails the test."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, StorageState, sync_playwright
from screens.browser import ROOT, WIDTHS, Screen, launch
from screens.floors import CALM, GAMES, QUICK, demonstration, table
from server.served import Server

import screens_output

Visit = Callable[..., Screen]
Sessions = Callable[[Server, str], StorageState]


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


@pytest.fixture(scope="package")
def sessions(browser: Browser) -> Sessions:
    """Signs somebody of a demonstration floor in, once: a code is good for one sign-in only."""
    kept: dict[tuple[str, str], StorageState] = {}

    def session(server: Server, name: str) -> StorageState:
        if (server.address, name) not in kept:
            screen = Screen(browser.new_context(), server.address).open("/sign-in")
            person = next(each for each in screen.ask("/demo")["people"] if each["name"] == name)
            credentials = {field: person[field] for field in ("name", "password", "code")}
            answer = screen.ask("/sign-in", "staff", {"credentials": credentials})
            assert answer.get("kind") == "staff", answer
            kept[server.address, name] = screen.context.storage_state()
            screen.context.close()
        return kept[server.address, name]

    return session


@pytest.fixture
def visit(browser: Browser, sessions: Sessions, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Opens a page of the floor, or of another server, for somebody with a browser of their own.

    ``post`` is the post that they are signed in as, if any.
    """
    screens: list[Screen] = []

    def visit(
        path: str = "/",
        *,
        size: tuple[int, int] = WIDTHS["desk"],
        at: Server | None = None,
        language: str = "en",
        room: str = "light",
        touch: bool = False,
        post: str | None = None,
    ) -> Screen:
        server: Server = at or request.getfixturevalue("floor")
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale="zh-CN" if language == "zh-Hans" else "en-SG",
            color_scheme="dark" if room == "dim" else "light",
            reduced_motion="reduce",
            has_touch=touch,
            storage_state=sessions(server, post) if post else None,
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
