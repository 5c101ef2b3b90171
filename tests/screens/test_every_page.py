"""Promises of every page: it fits, can be touched and read, is quick to load, and from our own files."""

import re

import pytest
from playwright.sync_api import Response
from screens.browser import WIDTHS
from screens.conftest import Visit

STAFF = {"/dealer": "dealer", "/pit": "pit-manager", "/records": "auditor"}
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
}
MOST_BYTES = 100_000  # of the first screen, compressed


@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_its_screen_and_can_be_touched_and_read(visit: Visit, page: str) -> None:
    screen = visit(page, post=STAFF.get(page), size=WIDTHS["phone"])
    screen.says(PAGES[page])
    for at, width in enumerate(WIDTHS):
        assert screen.turned(width, ("light", "dim")[at % 2]).flaws() == [], width
    screen.button("简体中文").click()
    screen.page.locator("html[lang=zh-Hans]").wait_for()
    assert screen.turned("phone", "dim").flaws() == []


def test_the_description_of_the_api_can_be_read(visit: Visit) -> None:
    screen = visit("/api/v1/docs")
    assert screen.heading("GET /api/v1/tables").first.is_visible()
    assert screen.grave_findings() == []


@pytest.mark.parametrize("page", PAGES)
def test_the_first_screen_is_small_and_comes_from_here_alone(visit: Visit, page: str) -> None:
    sizes: dict[str, int] = {}
    whole: dict[str, str] = {}

    def add(response: Response) -> None:
        sizes[response.url] = int(response.headers.get("content-length", "0"))
        if re.search(r"\.(js|css|svg)$", response.url):
            whole[response.url] = response.headers.get("content-encoding", "not compressed")

    screen = visit(None, post=STAFF.get(page))
    screen.page.on("response", add)
    screen.open(page).page.get_by_role("main").wait_for()
    assert sum(sizes.values()) < MOST_BYTES, sizes
    assert min(sizes.values()) > 0, "each answer says how large it is"
    assert {*whole.values()} == {"gzip"}, whole
    assert {address.startswith(screen.address) for address in sizes} == {True}
