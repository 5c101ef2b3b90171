"""Promises of every page: it fits, can be touched and read, is quick to load, and from our own files."""

import re

import pytest
from playwright.sync_api import Response
from screens.browser import WIDTHS, Screen
from screens.conftest import Visit
from screens.patrons import Patron
from server.served import Server

from thirdcard.messages import languages

STAFF = {"/dealer": "dealer", "/pit": "pit-manager", "/records": "auditor", "/training": "dealer"}
# every page, with something on it that only the server knows
PAGES = {
    "/": "Tiger Baccarat",
    "/sign-in": "Shift Manager",
    "/display?table=tiger": "Seal of the shoe",
    "/display": "Tiger Baccarat · tiger",
    "/terminal": "This browser is not a terminal",
    "/dealer": "Tiger Baccarat",
    "/pit": "Nothing needs attention.",
    "/records": "No round matches.",
    "/training": "Cards and dealing device",
    "/training?part=chance": "What goes wrong",
    "/training?part=dealing": "Rounds",
    "/training?part=record": "Record of training: Dealer",
}
MOST_BYTES = 100_000  # of the first screen, compressed


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_small_fits_its_screen_and_can_be_touched_and_read(visit: Visit, page: str) -> None:
    screen = visit(None, post=STAFF.get(page.partition("?")[0]), size=WIDTHS["phone"])
    loaded = Loaded(screen)
    screen.open(page).says(PAGES[page])
    loaded.is_small()
    for at, width in enumerate(WIDTHS):
        assert screen.turned(width, ("light", "dim")[at % 2]).flaws() == [], width
    screen.speaks("zh-Hans")
    assert screen.turned("phone", "dim").flaws() == []


@pytest.mark.parametrize("language", sorted(languages() - {"en"}))
@pytest.mark.parametrize("page", PAGES)
def test_page_is_small_in_every_language(visit: Visit, page: str, language: str) -> None:
    screen = visit(None, post=STAFF.get(page.partition("?")[0]), language=language)
    loaded = Loaded(screen)
    screen.open(page).page.locator(".languages select").wait_for(state="attached")
    screen.page.wait_for_load_state("networkidle")
    loaded.is_small()


def test_the_felt_of_a_patron_is_small(visit: Visit, floor: Server) -> None:
    patron = Patron(visit, floor, "hoiana-tiger", 1)
    loaded = Loaded(patron.screen)
    patron.sit()  # opens the page when somebody sits there
    loaded.is_small()


class Loaded:
    """The files that a page has loaded, with their sizes as they came."""

    def __init__(self, screen: Screen) -> None:
        self._address = screen.address
        self._sizes: dict[str, int] = {}
        self._whole: dict[str, str] = {}
        screen.page.on("response", self._add)

    def _add(self, response: Response) -> None:
        self._sizes[response.url] = int(response.headers.get("content-length", "0"))
        if re.search(r"\.(js|css|svg)$", response.url):
            self._whole[response.url] = response.headers.get("content-encoding", "not compressed")

    def is_small(self) -> None:
        """Everything together is small, compressed, and comes from here alone."""
        assert sum(self._sizes.values()) < MOST_BYTES, self._sizes
        assert min(self._sizes.values()) > 0, "each answer says how large it is"
        assert {*self._whole.values()} == {"gzip"}, self._whole
        assert {address.startswith(self._address) for address in self._sizes} == {True}


def test_the_description_of_the_api_can_be_read(visit: Visit) -> None:
    screen = visit("/api/v1/docs")
    assert screen.heading("GET /api/v1/tables").first.is_visible()
    assert screen.grave_findings() == []
