"""The terminal on every size of screen, what many taps do, and what a refusal covers: nothing."""

import re
from typing import Any

import pytest
from screens.browser import Held
from screens.conftest import Visit
from screens.floors import BY_ITSELF, GAMES, PAUSE, ROUND, WAITING, table
from screens.patrons import Behind, Patron
from server.served import Server

WIDE = 'differential = "1000000"\n'
PAUSES = f"{{ betting = 600, warning = 5, card = 0, between = {PAUSE}, offer = 600 }}"
TABLES = (
    table("sizes", GAMES["tiger"], WAITING, WIDE)
    + table("chinese", GAMES["dragon-tiger"], WAITING, WIDE + 'layout = "K"\npositions = 8\n')
    + table("hoiana", GAMES["hoiana-tiger"], PAUSES, WIDE)
    + table("roads", GAMES["tiger"], BY_ITSELF, WIDE + "next_marks = true\n")
)
# in pixels of the page, and how many of the screen's each of them has
SIZES = {
    "small phone": (360, 640, 3),
    "phone on its side": (640, 360, 3),
    "tablet": (768, 1024, 2),
    "laptop with the browser's bars": (1366, 640, 1),
    "desk": (1280, 800, 1),
    "desktop": (1920, 1080, 1),
    "4K": (3840, 2160, 1),
    "laptop at 200 %": (683, 400, 2),
}
# what is not wholly on the screen, or lies under something else
_HIDDEN = """elements => elements.filter(each => {
  const box = each.getBoundingClientRect();
  const whole = box.top >= 0 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const own = (each.closest('label') ?? each);
  return !whole || box.width === 0 || !(own.contains(top) || top?.contains(own));
}).map(each => each.getAttribute('aria-label') ?? each.innerText)"""
# which parts of these a tap reaches
_REACHED = """elements => elements.flatMap(each => {
  const box = each.getBoundingClientRect();
  const parts = [0.2, 0.35, 0.5, 0.65, 0.8];
  return parts.flatMap(x => parts.map(y => {
    const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
    return `${each.innerText || each.getAttribute('aria-label')} ${x} ${y}: ${each.contains(top)}`;
  }));
})"""
_PLACES = """() => JSON.stringify(
  [innerWidth, ...[...document.querySelectorAll('button')].map(each => each.getBoundingClientRect())]
)"""


def shown_at(patron: Patron, size: tuple[int, int, int]) -> None:
    """Look at the terminal on a screen of a size."""
    width, height, scale = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
    session = patron.screen.context.new_cdp_session(patron.page)
    session.send("Emulation.setDeviceMetricsOverride", metrics)
    seen: list[str] = []

    def settled() -> bool:
        seen.append(patron.page.evaluate(_PLACES))
        return seen[-1].startswith(f"[{width},") and seen[-3:].count(seen[-1]) == 3

    patron.screen.until(settled)


def found(patron: Patron, script: str, *, chips: str, areas: str) -> list[str]:
    """Ask about the clock, the hands, their playing areas, and the chips."""
    page = patron.page
    there = [
        page.get_by_role("timer"),
        page.get_by_role("region", name=re.compile(r"^(Player|Banker|闲|庄)$")),
    ]
    felt = page.get_by_role("group", name=areas)
    rack = page.get_by_role("radiogroup", name=chips).get_by_role("radio")
    told: list[str] = []
    for each in (*there, felt.locator("[data-wager=player], [data-wager=tie], [data-wager=banker]"), rack):
        assert each.count() > 0
        told += each.evaluate_all(script)
    return told


def test_everything_to_play_with_is_on_one_screen_of_any_size(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "sizes", 1).sit()
    patron.betting()
    for name, size in SIZES.items():
        shown_at(patron, size)
        assert found(patron, _HIDDEN, chips="Chips", areas="Your playing areas") == [], name
        assert patron.screen.flaws() == [], name


def test_so_it_is_in_chinese_with_a_wager_to_confirm(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "chinese", 1, language="zh-Hans", room="dim")
    patron.comes().page.get_by_label("您在桌上的称呼").fill(patron.name)
    patron.page.get_by_role("button", name="入座").click()
    patron.page.get_by_role("group", name="您的投注区").wait_for()
    patron.does(type="buy-credits", terminal=patron.name, amount=100_000)
    patron.page.get_by_label("投注前先确认").check()
    patron.screen.until(lambda: patron.view()["phase"]["phase"] == "betting")
    patron.page.locator("[data-wager=banker]").click()
    patron.page.get_by_role("button", name=re.compile("^投注")).wait_for()
    for name, size in SIZES.items():
        shown_at(patron, size)
        assert found(patron, _HIDDEN, chips="筹码", areas="您的投注区") == [], name
        assert patron.screen.misfits() == [], name


def test_on_a_screen_of_4k_everything_is_twice_as_large(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "sizes", 2).sit()
    patron.betting()
    shown_at(patron, SIZES["4K"])
    letters = patron.page.get_by_role("status").get_by_text("Place your bets, please")
    assert letters.evaluate("each => getComputedStyle(each).fontSize") == "32px"
    area = patron.area("Banker").bounding_box()
    assert area is not None
    assert area["y"] > 1080, "the lower half of the screen is used"
    grown = patron.page.evaluate(_PLACES)
    patron.page.reload()
    patron.betting()
    patron.screen.until(lambda: patron.page.evaluate(_PLACES) == grown)  # as if it had been so from the start


# many taps


def tap(patron: Patron, wager: str, times: int) -> None:
    """Tap an area as fast as fingers can, all taps before the first answer."""
    patron.area(wager).evaluate("(each, times) => { while (times-- > 0) each.click(); }", times)


def test_of_many_taps_those_are_placed_that_credits_last_for(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "sizes", 3).sit(buys="900")
    patron.betting()
    patron.chip("SGD 50")
    tap(patron, "Player", 20)
    patron.accepted("Player", "900")
    assert "There are not enough credits." in patron.reason()
    assert (patron.staked(), patron.own()["credits"]) == ({"player": 90_000}, 0)
    patron.screen.button("Clear").click()
    patron.accepted("Player", "")
    tap(patron, "Player", 10)
    tap(patron, "Tie", 9)
    patron.accepted("Player", "500")
    patron.accepted("Tie", "400")
    assert patron.own()["credits"] == 0
    patron.screen.button("Clear").click()


def test_of_two_taps_the_one_is_placed_that_the_maximum_has_room_for(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "sizes", 4).sit(buys="20,000")
    patron.betting()
    patron.chip("SGD 5,000")
    tap(patron, "Player", 2)
    patron.accepted("Player", "5,000")
    assert "The maximum for Player is 5,000." in patron.reason()
    # a chip that waits for others does not go with the one that is too much
    patron.chip("SGD 10")
    patron.area("Banker").click()
    patron.screen.says("The minimum for Banker is 50.")
    patron.chip("SGD 5,000")
    patron.area("Banker").click()
    patron.accepted("Banker", "5,000")
    patron.screen.says("The maximum for Banker is 5,000.")
    assert patron.staked() == {"player": 500_000, "banker": 500_000}
    assert patron.own()["credits"] == 1_000_000


def test_with_confirm_first_what_fits_is_placed_too(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "chinese", 2).sit(buys="900")
    patron.betting()
    patron.page.get_by_label("Confirm before placing").check()
    patron.chip("SGD 500")
    tap(patron, "Player", 3)
    patron.page.get_by_role("button", name=re.compile("^Place")).click()
    patron.accepted("Player", "500")
    assert "There are not enough credits." in patron.reason()
    assert patron.own()["credits"] == 40_000


def test_what_is_on_its_way_is_taken_back_too(visit: Visit, house: Server) -> None:
    """A tap is sent at once; those that follow before its answer go together, unless they are taken back."""
    patron = Patron(visit, house, "chinese", 4)
    held = Held(patron.screen, "accepted")
    held.holds = False
    patron.sit()
    patron.betting()
    patron.wagers("Tie", "50")
    held.holds = True
    tap(patron, "Player", 1)
    patron.screen.until(lambda: len(held.frames) == 1)
    patron.screen.button("Undo").click()
    held.release()
    patron.screen.until(lambda: patron.staked() == {"tie": 5_000})
    patron.accepted("Player", "")
    held.holds = True
    tap(patron, "Player", 3)
    patron.screen.until(lambda: len(held.frames) == 1)
    assert patron.staked() == {"tie": 5_000, "player": 5_000}, "two chips wait for the answer"
    patron.screen.button("Clear").click()
    held.release()
    patron.screen.until(lambda: patron.staked() == {})
    for wager in ("Player", "Tie"):
        patron.accepted(wager, "")
    assert patron.own()["credits"] == 100_000


# refusals


@pytest.mark.timed
def test_a_refusal_covers_nothing_and_goes_by_itself(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "chinese", 3).sit(buys="100")
    patron.betting()
    patron.chip("SGD 500")
    patron.page.clock.install()
    patron.page.clock.pause_at(patron.page.evaluate("Date.now() + 1000"))
    areas = patron.page.get_by_role("group", name="Your playing areas").get_by_role("button")
    reason = patron.page.get_by_text("There are not enough credits.")
    for name in ("small phone", "phone on its side", "laptop with the browser's bars", "laptop at 200 %"):
        shown_at(patron, SIZES[name])
        reached = areas.evaluate_all(_REACHED)
        assert sum(each.endswith("true") for each in reached) > len(reached) / 2
        tap(patron, "Player", 1)
        tap(patron, "Banker", 2)
        tap(patron, "Small Tiger", 1)
        reason.wait_for()  # the clock of the page stands still: no tap waits
        patron.screen.until(lambda: patron.page.get_by_text("on the way").count() == 0)
        patron.page.clock.run_for(300)
        assert found(patron, _HIDDEN, chips="Chips", areas="Your playing areas") == [], name
        assert areas.evaluate_all(_REACHED) == reached, name
        assert reason.evaluate("each => getComputedStyle(each).pointerEvents") == "none"
        patron.page.clock.run_for(3_000)
        assert reason.is_visible(), name
        patron.page.clock.run_for(1_500)
        reason.wait_for(state="hidden")


@pytest.mark.timed
def test_a_note_covers_nothing_to_play_with(visit: Visit, house: Server) -> None:
    """B-7: what is said for a moment lies over the head of the page, or beside the felt."""
    patron = Patron(visit, house, "sizes", 5).sit(buys=None)
    patron.page.clock.install()
    patron.page.clock.pause_at(patron.page.evaluate("Date.now() + 1000"))
    rack = patron.page.get_by_role("button", name=re.compile("^(Undo|Clear|Double|Rebet|Deal now)$"))
    assert rack.count() == 5
    for name, size in SIZES.items():
        shown_at(patron, size)
        patron.page.get_by_role("button", name=re.compile("^(Buy credits|Credits)")).first.click()
        dialog = patron.page.get_by_role("dialog")
        dialog.get_by_role("button", name="500", exact=True).click()
        dialog.get_by_role("button", name="Buy SGD 500").click()
        patron.page.get_by_text("SGD 500 added").wait_for()
        patron.page.clock.run_for(300)
        covered = patron.page.locator(".status").evaluate_all(_REACHED) + rack.evaluate_all(_REACHED)
        assert [each for each in covered if each.endswith("false")] == [], name
        patron.page.clock.run_for(5_000)
        patron.page.get_by_text("SGD 500 added").wait_for(state="hidden")


# between rounds


def test_cards_of_the_last_round_are_gone_while_wagers_are_taken(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "hoiana", 1).sit()
    dealer = Behind(visit, house, "dealer").on_duty("hoiana")
    patron.betting()
    patron.screen.says("Round 1")
    patron.chip("USD 50")
    patron.area("Banker").click()
    patron.accepted("Banker", "50")
    heard = patron.page.get_by_text("USD 50 on Banker accepted")
    assert heard.count() == 1
    dealer.closes("hoiana")
    hands = patron.page.get_by_role("region", name=re.compile("^(Player|Banker)$"))
    cards = hands.get_by_role("img", name=re.compile(" of "))
    patron.screen.until(lambda: cards.count() >= 4)
    called: Any = patron.page.get_by_text(re.compile("^(Banker wins|Player wins|Tie)$"))
    patron.screen.until(lambda: called.count() > 0)
    assert heard.count() == 0, "what was said of the last wager is not said for ever"
    patron.betting()
    patron.screen.says("Round 2")
    patron.screen.until(lambda: cards.count() == 0)
    assert patron.page.get_by_label(re.compile(r"^Total \d")).count() == 0
    patron.page.get_by_label("Your last result").get_by_text("Round 1").wait_for()


# roads


def test_a_tap_enlarges_a_road_with_the_whole_shoe(visit: Visit, house: Server) -> None:
    patron = _after_rounds(visit, house, 14)
    small = patron.page.get_by_role("img", name="Big road", exact=True).bounding_box()
    patron.screen.button("Enlarge: Big road").click()
    dialog = patron.page.get_by_role("dialog", name="Big road")
    large = dialog.get_by_role("img", name="Big road", exact=True)
    cells = patron.view()["scoreboard"]["big_road"]["cells"]
    assert large.locator("> g").count() == len(cells)
    box = large.bounding_box()
    assert small is not None
    assert box is not None
    assert box["height"] > 1.5 * small["height"]
    assert dialog.get_by_role("list", name="Legend").get_by_role("listitem").count() == 10
    assert patron.screen.flaws() == []
    shown_at(patron, SIZES["small phone"])
    assert patron.screen.flaws() == []
    patron.page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")


def test_the_marks_that_come_next_are_told_where_the_floor_wants_them(visit: Visit, house: Server) -> None:
    patron = _after_rounds(visit, house, 14)
    told = patron.view()["scoreboard"]["next_marks"]
    roads = {"Big eye boy": "big_eye_boy", "Small road": "small_road", "Cockroach pig": "cockroach_pig"}
    for hand in ("Banker", "Player"):
        signs = [f"{name} {told[hand.lower()][key] or 'no mark'}" for name, key in roads.items()]
        patron.page.get_by_role("img", name=f"If {hand}: {', '.join(signs)}").wait_for()
    patron.screen.speaks("zh-Hans")
    patron.page.get_by_text("庄问路").wait_for()
    patron.page.get_by_text("闲问路").wait_for()
    patron.screen.speaks("en")
    other = Patron(visit, house, "hoiana", 2).sit(buys=None)
    assert other.page.get_by_text("If Banker").count() == 0, "off, unless the floor says otherwise"
    assert "next_marks" not in other.view()["scoreboard"]


def _after_rounds(visit: Visit, house: Server, number: int) -> Patron:
    """Somebody at a table that has played so many rounds, and takes wagers again."""
    taken = {each["id"] for each in visit(None, at=house).ask("/demo")["terminals"] if each["patron"]}
    place = next(at for at in range(1, 5) if f"roads-{at}" not in taken)
    patron = Patron(visit, house, "roads", place).sit(buys=None)

    def played() -> bool:
        view = patron.view()
        if len(view["scoreboard"]["bead_plate"]) >= number:
            return bool(view["phase"]["phase"] == "betting")
        house.move(ROUND)
        return False

    patron.screen.until(played)
    return patron
