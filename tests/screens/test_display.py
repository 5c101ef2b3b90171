"""The display on the wall: last outcome, five roads, limits, pays, seal; and it comes back by itself."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from screens.browser import WIDTHS, Screen
from screens.conftest import Visit
from screens.floors import GAMES, ONE_BY_ONE, ROUND, demonstration, one_by_one, table
from screens.visits import Sessions, Visits
from server.served import Server

from thirdcard.messages import languages

WALL, STANDING = (1920, 1080), (1080, 1920)
LEAST_CAPITALS = 0.025  # of the shorter side
LONG = 66  # rounds
# every text whose capitals, or whose characters where they are Chinese, are too low
SMALL_LETTERS = """least => {
  const most = Math.min(innerWidth, innerHeight) * least;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const pen = document.createElement('canvas').getContext('2d');
  const small = [];
  while (texts.nextNode()) {
    const [text, each] = [texts.currentNode.data.trim(), texts.currentNode.parentElement];
    const seen = each.checkVisibility({opacityProperty: true}) && !each.closest('.unseen');
    if (text === '' || !seen) continue;
    const style = getComputedStyle(each);
    pen.font = `${style.fontWeight} 100px ${style.fontFamily}`;
    const box = pen.measureText(/[\\u4e00-\\u9fff]/.test(text) ? '庄' : 'H');
    const scale = each instanceof SVGElement ? each.getScreenCTM().a : 1;
    const height = (box.actualBoundingBoxAscent + box.actualBoundingBoxDescent) / 100;
    const tall = height * scale * parseFloat(style.fontSize);
    if (tall < most) small.push(`${text}: ${tall} of ${most}`);
  }
  return [...new Set(small)];
}"""
OUTSIDE = """signs => signs.map(each => each.getBoundingClientRect())
  .filter(box => box.left < -2 || box.top < -2 || box.right > innerWidth + 2
    || box.bottom > innerHeight + 2)"""
OVERLAPS = """() => {
  const parts = [...document.querySelectorAll('header, .last, .pays tr, figure, .legend, footer')]
    .map(each => [each, each.getBoundingClientRect()]);
  const over = ([one, a], [other, b]) => !one.contains(other) && !other.contains(one)
    && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return parts.flatMap((one, at) => parts.slice(at + 1).filter(other => over(one, other))
    .map(other => `${one[0].outerHTML.slice(0, 60)} and ${other[0].outerHTML.slice(0, 60)}`));
}"""
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
        ["Player", "50–5,000", "1:1"],
        ["Banker", "50–5,000", "0.95:1"],
        ["Tie", "10–500", "8:1"],
    ]
    assert any("4/20/100:1" in row for row in rows)
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


@pytest.mark.parametrize(
    ("language", "letters"),
    [("en", "BPT"), ("zh-Hans", "庄闲和"), ("zh-Hant", "莊閒和"), ("ko", "뱅플타"), ("vi", "BPT")],
)
def test_outcomes_are_told_apart_by_one_letter(visit: Visit, language: str, letters: str) -> None:
    """Nhà cái and Nhà con begin alike, and have the letters of English scoreboards."""
    counts = visit("/display?table=tiger", language=language, size=WIDTHS["wall"]).page.locator(".counts dt")
    counts.nth(2).wait_for()
    assert "".join(text[0] for text in counts.all_inner_texts()) == letters


@pytest.mark.parametrize("language", sorted(languages()))
def test_it_fits_a_desk_in_every_language(visit: Visit, language: str) -> None:
    screen = visit("/display?table=tiger", language=language, size=WIDTHS["desk"])
    screen.page.locator(".legend").first.wait_for()
    assert screen.misfits() == []


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
    screen.heading("There is no such table. Which one does this scoreboard show?").wait_for()
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
        screen.says("No connection")
        server.start()
        assert server.held == ("only",)
        screen.page.get_by_text("No connection").wait_for(state="hidden")
        screen.says(re.compile("Held after a restart: all wagers are safe|is held: all wagers are safe"))
        assert bead.locator("g").count() == 1
    finally:
        server.kill()


def test_without_connection_it_says_so_in_large_words_and_no_clock_runs(visit: Visit, floor: Server) -> None:
    sit(visit, floor, "quick-3")
    screen = visit("/display?table=quick", size=WALL)
    screen.expect_error("WebSocket|ERR_INTERNET_DISCONNECTED")
    screen.page.get_by_role("timer").wait_for()
    screen.says("Place your bets")
    screen.context.set_offline(True)
    alert = screen.page.get_by_role("alert")
    alert.get_by_text("No connection").wait_for()
    assert screen.page.get_by_role("timer").count() == 0
    assert screen.page.get_by_text("Place your bets").count() == 0
    letters = alert.get_by_text("No connection").evaluate(
        "each => parseFloat(getComputedStyle(each).fontSize)"
    )
    assert letters >= 0.09 * WALL[1]
    assert "Nothing can be sent" not in screen.page.inner_text("body")
    assert screen.flaws() == []
    screen.context.set_offline(False)
    alert.wait_for(state="hidden")
    screen.page.get_by_role("timer").wait_for()


def test_on_a_wall_nothing_needs_scrolling(visit: Visit) -> None:
    screen = visit("/display?table=dragon-tiger", size=WIDTHS["wall"], room="dim")
    screen.heading("Dragon Tiger No Commission Baccarat").wait_for()
    assert screen.page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")


# a wall that is read from five metres, lying and standing


@pytest.fixture(scope="module")
def long_shoe(floor: Server, sessions: Sessions) -> Iterator[None]:
    """A table that has played nearly as many rounds as a shoe has."""
    visits = Visits(sessions)
    patron = visits.come(floor, None)
    patron.ask("/demo/seat", "terminal", {"terminal": "quick-4"})
    patron.open("/terminal").button("Sit down").click()
    for _ in range(3 * LONG):  # the shoe that is in use may come to its end before
        if len(plate(patron)) >= LONG:
            break
        before = patron.ask("/tables/quick")["view"]["phase"]["round"]
        floor.move(ROUND)
        patron.until(lambda: patron.ask("/tables/quick")["view"]["phase"]["round"] != before)  # noqa: B023
    assert len(plate(patron)) >= LONG
    yield
    visits.go()


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("size", [WALL, STANDING], ids=["lying", "standing"])
@pytest.mark.usefixtures("long_shoe")
def test_capitals_are_large_and_a_long_shoe_is_whole(
    visit: Visit, size: tuple[int, int], language: str
) -> None:
    screen = visit("/display?table=quick", size=size, room="dim", language=language)
    legend = screen.page.get_by_role("list", name="图例" if language == "zh-Hans" else "Legend")
    legend.wait_for()
    assert legend.get_by_role("listitem").count() == 5
    board = screen.ask("/tables/quick")["view"]["scoreboard"]
    assert len(board["bead_plate"]) >= LONG
    for name, cells in {
        "bead": board["bead_plate"],
        "big": board["big_road"]["cells"],
        "eye": board["big_eye_boy"]["cells"],
        "small": board["small_road"]["cells"],
        "pig": board["cockroach_pig"]["cells"],
    }.items():
        signs = screen.page.locator(f"figure.{name} svg.road > g")
        assert signs.count() == len(cells), name
        assert signs.evaluate_all(OUTSIDE) == [], name
    assert screen.page.evaluate(SMALL_LETTERS, LEAST_CAPITALS) == []
    assert screen.misfits() == []
    assert screen.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_every_game_fits_a_wall_that_lies_or_stands(visit: Visit) -> None:
    for game in GAMES:
        screen = visit(f"/display?table={game}", size=WALL)
        screen.page.get_by_role("row").first.wait_for()
        # everything is measured by the shorter side, so that one game is enough on the largest wall
        for width, height in (WALL, STANDING, *(((3840, 2160),) if game == "dragon-tiger" else ())):
            screen.page.set_viewport_size({"width": width, "height": height})
            screen.until(lambda: screen.page.evaluate("innerHeight") == height)  # noqa: B023
            assert screen.misfits() == [], (game, width)
            assert screen.page.evaluate(SMALL_LETTERS, LEAST_CAPITALS) == [], (game, width)
            assert screen.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), (game, width)
            assert overlaps(screen) == [], (game, width)


def overlaps(screen: Screen) -> list[str]:
    """Parts of the board that lie over each other."""
    found: list[str] = screen.page.evaluate(OVERLAPS)
    return found
