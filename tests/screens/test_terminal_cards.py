"""Cards in a patron's own hands, questions to patrons, and a server that is gone and comes back."""

import asyncio
import re
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page
from screens.browser import WIDTHS, Screen
from screens.conftest import Visit
from screens.floors import CARD, GAMES, ONE_BY_ONE, WAITING, demonstration, one_by_one, table
from screens.patrons import Behind, Patron
from server.served import Served, Server

from thirdcard.floor import commands as floor_cmd
from thirdcard.game import commands as cmd
from thirdcard.server.security import set_cookie
from thirdcard.wire.paths import Holder

pytestmark = pytest.mark.timed

WIDE = 'differential = "1000000"\n'
TABLES = "".join(
    (
        table("squeezed", GAMES["tiger"], WAITING, WIDE + 'method = "A"\nface_down = true\n'),
        table("asked", GAMES["hoiana-tiger"], WAITING, WIDE + "face_down = true\n"),
        table(
            "drawn",
            GAMES["tiger"],
            ONE_BY_ONE,
            WIDE + 'method = "C"\narea = "high-limit"\ndevice = "card-reading"\nface_down = true\n',
        ),
        table("electronic", GAMES["tiger"], ONE_BY_ONE, WIDE + 'device = "electronic"\n'),
        table("failing", GAMES["tiger"], ONE_BY_ONE, WIDE),
        table("uneven", GAMES["tiger"], ONE_BY_ONE, 'differential = "100"\n'),
    )
)


@pytest.fixture
def dealer(visit: Visit, house: Server) -> Behind:
    """A dealer, on duty where a test wants it."""
    return Behind(visit, house, "dealer")


def drag(page: Page, card: Locator, part: float) -> None:
    """Lift the lower edge of a card by a part of its height, and hold it there."""
    card.scroll_into_view_if_needed()
    box = card.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 6
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - box["height"] * part, steps=8)


def holding(patron: Patron) -> Locator:
    """The cards that lie with a patron and are not turned over."""
    patron.screen.heading("You hold Player").wait_for()
    return patron.page.get_by_role("slider")


def faces(patron: Patron) -> list[bool]:
    """For each card of the hand that lies with a patron whether its face has been told."""
    return [each.get("card") is not None for each in patron.own()["hands"][0]["cards"]]


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_a_squeeze_by_drag_shows_the_face_only_from_the_first_look_on(
    visit: Visit, house: Server, dealer: Behind, size: str
) -> None:
    place = 1 if size == "phone" else 2
    patron = Patron(visit, house, "squeezed", place, size=WIDTHS[size], room="dim").sit()
    dealer.on_duty("squeezed")
    patron.betting()
    patron.area("Player").click()
    patron.accepted("Player", "50")
    dealer.closes("squeezed")
    cards = holding(patron)
    number = under_way(patron)
    assert faces(patron) == [False, False]
    assert patron.page.get_by_role("region", name="You hold Player").get_by_role("img").count() == 2
    drag(patron.page, cards.first, 0.2)  # a little, to look
    patron.screen.until(lambda: faces(patron) == [True, True])
    region = patron.page.get_by_role("region", name="You hold Player")
    region.get_by_role("img", name=re.compile(" of ")).first.wait_for()
    assert not patron.screen.overflows()
    patron.page.mouse.up()  # the card lies down again
    assert cards.count() == 2
    shown = patron.view()["cards"]["cards"]
    assert [each.get("card") for each in shown if each["hand"] == "player"] == [None, None]
    drag(patron.page, cards.first, 0.9)
    patron.page.mouse.up()
    drag(patron.page, cards.first, 0.9)  # the other one, and the hand is open
    patron.page.mouse.up()
    patron.screen.until(lambda: not any(each["hand"] == "player" for each in _closed(patron)))
    finish(patron, number)


def under_way(patron: Patron) -> int:
    """The number of the round that is dealt."""
    number: int = patron.view()["phase"]["round"]
    return number


def finish(patron: Patron, number: int) -> None:
    """Open what still lies with a patron, also a third card, until a round is over."""

    def over() -> bool:
        button = patron.page.get_by_role("button", name="Open the hand", disabled=False)
        button.evaluate_all("those => those.forEach((each) => each.click())")  # it may go away meanwhile
        last = patron.own()["last"]
        return last is not None and last["round"] == number

    patron.screen.until(over)
    patron.page.get_by_label("Your last result").wait_for()


def _closed(patron: Patron) -> list[dict[str, str]]:
    return [each for each in patron.view()["cards"]["cards"][:4] if each.get("card") is None]


def test_a_squeeze_by_keyboard(visit: Visit, house: Server, dealer: Behind) -> None:
    patron = Patron(visit, house, "squeezed", 3).sit()
    dealer.on_duty("squeezed")
    patron.betting()
    patron.wagers("Player", "100")
    dealer.closes("squeezed")
    cards = holding(patron)
    number = under_way(patron)
    cards.first.focus()
    for _ in range(2):
        patron.page.keyboard.press("ArrowUp")
    assert cards.first.get_attribute("aria-valuenow") != "0"
    patron.screen.until(lambda: faces(patron) == [True, True])
    assert patron.screen.grave_findings() == []
    patron.page.keyboard.press("Enter")
    patron.screen.until(lambda: cards.count() == 1)
    cards.first.focus()
    patron.page.keyboard.press("Enter")
    patron.screen.until(lambda: not any(each["hand"] == "player" for each in _closed(patron)))
    finish(patron, number)


def test_a_hand_can_be_left_to_the_dealer(visit: Visit, house: Server, dealer: Behind) -> None:
    patron = Patron(visit, house, "squeezed", 4).sit()
    dealer.on_duty("squeezed")
    patron.betting()
    patron.wagers("Player", "500")
    dealer.closes("squeezed")
    holding(patron)
    patron.page.get_by_role("region", name="You hold Player").get_by_role(
        "button", name="Let the Dealer open"
    ).click()
    patron.screen.until(lambda: not patron.own()["hands"])
    patron.page.get_by_label("Your last result").wait_for()


def test_a_squeeze_on_request(visit: Visit, house: Server, dealer: Behind) -> None:
    patron = Patron(visit, house, "asked", 1).sit()
    dealer.on_duty("asked")
    patron.betting()
    patron.screen.button("Ask to squeeze").click()
    patron.screen.says("These cards do not go to")  # nothing is staked yet
    patron.area("Player").click()
    patron.accepted("Player", "50")
    patron.screen.button("Ask to squeeze").click()
    patron.screen.says("You will get the cards of your hand")
    dealer.closes("asked")
    holding(patron)
    number = under_way(patron)
    finish(patron, number)


def test_a_patron_takes_the_device_draws_and_gives_it_up(visit: Visit, house: Server, dealer: Behind) -> None:
    patron = Patron(visit, house, "drawn", 1).sit()
    dealer.on_duty("drawn")
    patron.betting()
    assert patron.screen.button("Take the dealing device").count() == 0
    patron.area("Player").click()
    patron.accepted("Player", "50")
    patron.screen.button("Take the dealing device").click()
    patron.screen.says("You control the dealing device.")
    dealer.closes("drawn")
    for hand in ("Player", "Banker", "Player", "Banker"):
        patron.screen.button(f"Draw a card for {hand}").click()
    patron.screen.until(lambda: len(patron.view()["cards"]["cards"]) >= 4)
    held = patron.screen.heading("You hold Player")
    patron.screen.until(one_by_one(house, held.is_visible))
    patron.screen.button("Open the hand").click()
    patron.screen.until(lambda: not any(each["hand"] == "player" for each in _closed(patron)))
    records = dealer.screen.ask("/tables/drawn/messages?most=1000", "staff")["moments"]
    drawn = [each["what"] for each in records if each["what"]["kind"] == "card-drawn"]
    assert [each["by"] for each in drawn[:4]] == [patron.name] * 4


def test_single_wagers_are_withdrawn_or_stay(visit: Visit, house: Server, dealer: Behind) -> None:
    patron = Patron(visit, house, "electronic", 1).sit()
    dealer.on_duty("electronic")
    patron.betting()
    for wager in ("Player", "Tie", "Banker"):
        patron.area(wager).click()
        patron.accepted(wager, "50")
    dealer.closes("electronic")
    dealer.does("electronic", type="report-irregularity", situation="device-reset")
    dialog = patron.page.get_by_role("dialog", name="Withdraw or stay?")
    dialog.get_by_text("You may take back any of these wagers").wait_for()
    dialog.get_by_role("timer").get_by_text(re.compile(r"\d+ seconds left")).wait_for()
    assert "Dealing device must be reset" in dialog.inner_text()
    assert "5.9" in dialog.inner_text()
    assert patron.screen.grave_findings() == []
    patron.page.keyboard.press("Escape")  # it must be answered
    assert dialog.is_visible()
    row = dialog.get_by_role("listitem").filter(has_text="Tie")
    row.get_by_role("button", name="Withdraw", exact=True).click()
    patron.screen.until(lambda: patron.staked() == {"player": 5000, "banker": 5000})
    dialog.get_by_role("button", name="Stay in action").click()
    dialog.wait_for(state="hidden")
    assert patron.staked() == {"player": 5000, "banker": 5000}
    assert patron.own()["credits"] == 90_000


def test_all_wagers_together_are_withdrawn(visit: Visit, house: Server, dealer: Behind) -> None:
    patron = Patron(visit, house, "failing", 1, size=WIDTHS["phone"], room="dim", touch=True).sit()
    dealer.on_duty("failing")
    patron.betting()
    for wager in ("Player", "Tie"):
        patron.area(wager).tap()
        patron.accepted(wager, "50")
    dealer.does("failing", type="report-irregularity", situation="power-failure")
    dialog = patron.page.get_by_role("dialog", name="Withdraw or stay?")
    dialog.get_by_text("You may take back all of these wagers together").wait_for()
    assert dialog.get_by_role("button", name="Withdraw", exact=True).count() == 0
    assert not patron.screen.overflows()
    dialog.get_by_role("button", name="Withdraw all").tap()
    dialog.wait_for(state="hidden")
    assert patron.staked() == {}
    assert patron.own()["credits"] == 100_000


def test_an_exceeded_differential_is_said_and_met(visit: Visit, house: Server, dealer: Behind) -> None:
    patron = Patron(visit, house, "uneven", 1).sit()
    dealer.on_duty("uneven")
    patron.betting()
    patron.chip("SGD 100")
    for amount in ("100", "200"):
        patron.area("Banker").click()
        patron.accepted("Banker", amount)
    dealer.closes("uneven")
    patron.screen.says("Wagers on Banker exceed those on the other hand by SGD 200; SGD 100 is the most.")
    patron.screen.button("Remove chips").click()
    house.move(CARD)
    patron.screen.until(
        lambda: dealer.screen.ask("/tables/uneven", "staff")["view"]["desk"]["decrease_asked"]
    )
    patron.area("Banker").click()
    patron.accepted("Banker", "100")
    patron.screen.until(one_by_one(house, patron.page.get_by_label("Your last result").is_visible))


# the connection


def test_a_lost_connection_is_said_at_once_and_a_held_round_goes_on(visit: Visit, tmp_path: Path) -> None:
    server = demonstration(tmp_path / "power", table("held", GAMES["tiger"], WAITING, WIDE))
    try:
        patron = Patron(visit, server, "held", 1).sit()
        patron.screen.expect_error("WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource")
        patron.betting()
        patron.area("Banker").click()
        patron.accepted("Banker", "50")
        number = patron.view()["phase"]["round"]
        server.kill()  # as a power failure would
        patron.screen.says("The connection is lost.")
        assert patron.area("Banker").is_disabled()
        assert patron.screen.button("Clear").is_disabled()
        assert patron.lies("Banker") == "50"
        assert patron.screen.grave_findings() == []
        server.start()
        patron.screen.says(f"Round {number} was interrupted. Your wagers are safe; staff will resume it.")
        patron.screen.says("The connection is back, with everything that happened meanwhile.")
        assert patron.lies("Banker") == "50"
        assert patron.staked() == {"banker": 5000}
        manager = Behind(visit, server, "pit-manager").on_duty("held")
        manager.does("held", type="resume-table")
        patron.betting()
        manager.closes("held")
        patron.page.get_by_label("Your last result").wait_for()
        assert patron.own()["last"]["round"] == number
    finally:
        server.kill()


def test_rounds_that_ended_meanwhile_are_told_when_the_connection_is_back(
    visit: Visit, house: Server, dealer: Behind
) -> None:
    patron = Patron(visit, house, "electronic", 2).sit()
    dealer.on_duty("electronic")
    patron.betting()
    patron.area("Player").click()
    patron.accepted("Player", "50")
    patron.screen.expect_error("WebSocket")
    patron.screen.context.set_offline(True)
    patron.screen.says("The connection is lost.")
    assert patron.area("Player").is_disabled()
    number = dealer.phase("electronic")["round"]
    dealer.closes("electronic")
    patron.screen.until(one_by_one(house, lambda: dealer.phase("electronic")["round"] not in (number, None)))
    patron.screen.context.set_offline(False)
    patron.screen.says("A round ended meanwhile. The history has it.")
    patron.page.get_by_label("Your last result").get_by_text(f"Round {number}").wait_for()


# a floor that is no demonstration


def test_at_a_real_floor_an_attendant_opens_the_terminal_and_sells_credits(
    visit: Visit, tmp_path: Path
) -> None:
    served = Served(tmp_path, table("six", GAMES["super-six"], WAITING).replace("training = true", ""))
    in_a_thread(served.prepare({"T1": ("six", None)}, ("Tom", "Dana")))
    server = served.server()
    try:
        screen = visit(None, at=server)
        _becomes(screen, served.tokens["T1"])
        screen.open("/terminal").says("This terminal is free. Ask an attendant to open it for you.")
        assert screen.page.get_by_text("Training").count() == 0
        in_a_thread(_opened(served, "Ann"))
        screen.button("Sit down").click()
        screen.page.get_by_role("button", name=re.compile("^Credits")).click()
        screen.says("Credits are bought and cashed out with an attendant.")
        screen.page.keyboard.press("Escape")
        in_a_thread(_sold(served, "Ann", 50_000))
        screen.page.get_by_role("button", name=re.compile("^Credits.*500")).wait_for()
        assert screen.grave_findings() == []
    finally:
        server.kill()


def test_a_terminal_without_a_place_of_its_own_offers_the_free_ones(visit: Visit, tmp_path: Path) -> None:
    served = Served(tmp_path, table("school", GAMES["hoiana-tiger"], WAITING, WIDE))
    in_a_thread(served.prepare({"T1": ("school", None), "T2": ("school", None)}, ()))
    server = served.server()
    try:
        places = [
            _takes_a_place(visit, server, served.tokens[terminal], taken=taken)
            for taken, terminal in enumerate(("T1", "T2"))
        ]
        assert len(set(places)) == 2
    finally:
        server.kill()


def _takes_a_place(visit: Visit, house: Server, token: str, *, taken: int) -> int:
    """Sit down at the first place that is offered as free; the place."""
    screen = visit(None, at=house)
    _becomes(screen, token)
    screen.open("/terminal").field("Your name at the table").fill(f"Patron {taken + 1}")
    choices = screen.page.get_by_role("group", name="Position").get_by_role("radio")
    screen.until(lambda: choices.count() == 4)
    screen.until(lambda: [each.is_disabled() for each in choices.all()].count(True) == taken)
    next(each for each in choices.all() if not each.is_disabled()).check(force=True)
    screen.button("Sit down").click()
    screen.page.get_by_role("group", name="Your playing areas").wait_for()
    return int(screen.ask("/tables/school", "terminal")["view"]["own"]["position"])


def in_a_thread(work: Coroutine[Any, Any, None]) -> None:
    """Do something that waits; the browser has the loop of this thread."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


def _becomes(screen: Screen, token: str) -> None:
    """A browser is a terminal from now on."""
    name = set_cookie(Holder.TERMINAL, token, secure=False).partition("=")[0]
    screen.context.add_cookies([{"name": name, "value": token, "url": screen.address}])


async def _opened(served: Served, patron: str) -> None:
    attendant = await served.staff("Tom")
    await attendant.floor_command(floor_cmd.OpenPatronSession(terminal="T1", patron=patron))
    await attendant.close()


async def _sold(served: Served, patron: str, amount: int) -> None:
    attendant = await served.staff("Tom")
    await attendant.command("six", cmd.BuyCredits(terminal=patron, amount=amount))
    await attendant.close()
