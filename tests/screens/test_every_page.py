"""What every page keeps: it fits, can be touched and read, is quick to load, and from our own files."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Response
from screens.browser import WIDTHS, Screen
from screens.conftest import Visit

STAFF = {"/dealer": "dealer", "/pit": "pit-manager", "/records": "auditor"}
PAGES = ("/", "/sign-in", "/display?table=tiger", "/display", "/terminal", *STAFF)
MOST_BYTES = 100_000  # of the first screen, compressed


def open_page(visit: Visit, page: str, **how: object) -> Screen:
    """A page as somebody sees it whose place it is."""
    screen = visit(page, post=STAFF.get(page), **how)
    screen.page.get_by_role("main").wait_for()
    screen.page.wait_for_timeout(300)
    return screen


def cases() -> Iterator[tuple[str, str, str]]:
    for page in PAGES:
        for at, width in enumerate(WIDTHS):
            yield page, width, ("light", "dim")[at % 2]


@pytest.mark.parametrize(("page", "width", "room"), [*cases()])
def test_a_page_fits_its_screen_and_can_be_touched_and_read(
    visit: Visit, page: str, width: str, room: str
) -> None:
    screen = open_page(visit, page, size=WIDTHS[width], room=room)
    assert not screen.overflows()
    assert screen.too_small() == []
    assert screen.grave_findings() == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_reads_in_chinese_in_the_other_light(visit: Visit, page: str) -> None:
    screen = open_page(visit, page, size=WIDTHS["phone"], room="dim", language="zh-Hans")
    assert not screen.overflows()
    assert screen.grave_findings() == []


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

    screen = visit("/sign-in", post=STAFF.get(page))
    fresh = Screen(screen.context, screen.address)
    fresh.page.on("response", add)
    fresh.open(page)
    fresh.page.get_by_role("main").wait_for()
    assert sum(sizes.values()) < MOST_BYTES, sizes
    assert min(sizes.values()) > 0, "each answer says how large it is"
    assert {*whole.values()} == {"gzip"}, whole
    assert {address.startswith(screen.address) for address in sizes} == {True}
