"""A real table whose approval names another game: it opens once the regulator's confirmation is on record."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Locator
from screens.browser import Screen
from screens.dealing import Dealer, Table
from screens.floors import GAMES
from server.served import Served, password_of

TABLES = "".join(
    f'\n[[table]]\nname = "{name}"\ngame = "{GAMES["tiger"]}"\n' for name in ("dealt", "looked-at")
)
# the document is of 2022; the floor's time is its own
REFERENCE, DAY = "GRA 17/22", "2022-04-01"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor that is no demonstration, with its people."""
    served = Served(tmp_path_factory.mktemp("real"), TABLES)
    # the browser keeps the loop of this thread running
    with ThreadPoolExecutor(1) as other:
        other.submit(asyncio.run, served.prepare()).result()
        served.server()
        yield served
        other.submit(asyncio.run, served.close()).result()


def signed_in(browser: Browser, real: Served, name: str) -> Screen:
    """Somebody with a browser of their own."""
    screen = Screen(browser.new_context(viewport={"width": 1280, "height": 800}), real.addresses[0])
    shown = {"name": name, "password": password_of(name), "code": real.code(name)}
    answer = screen.ask("/sign-in", "staff", {"credentials": shown})
    assert answer.get("kind") == "staff", answer
    return screen


def shows(dialog: Locator, real: Served, name: str) -> None:
    """Somebody shows at a console who they are."""
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Password").fill(password_of(name))
    dialog.get_by_label("Code").fill(real.code(name))


def test_the_dealer_console_asks_for_the_confirmation(browser: Browser, real: Served) -> None:
    screen = signed_in(browser, real, "Dana")
    table = Table(screen, "dealt")
    table.do("come-on-duty", person="Dana", post="dealer")
    for item in table.view["desk"]["missing_equipment"]:
        table.do("tick-equipment", item=item)
    refused = table.send("open-table")
    assert (refused["reason"], refused["clauses"]) == ("approval-not-confirmed", ["Front.2"])
    screen.open("/dealer?table=dealt")
    dealer = Dealer(screen, table, real.servers[0])
    dealer.shows("The approval names Baccarat (Version 8).")
    dealer.step.get_by_label("Reference of the confirmation").fill(REFERENCE)
    dealer.step.get_by_label("Day of the confirmation").fill(DAY)
    assert screen.flaws() == []
    dealer.step.get_by_role("button", name="Record the confirmation").click()
    dialog = screen.page.get_by_role("dialog", name="Gaming Shift Manager: approval")
    shows(dialog, real, "Gil")
    dialog.get_by_role("button", name="Approve").click()
    dialog.wait_for(state="hidden")
    dealer.next("Open the table")
    dealer.shows("New cards")
    recorded = table.view["desk"]["confirmation"]
    assert recorded == {"reference": REFERENCE, "date": DAY, "by": "Dana", "second": "Gil"}
    assert screen.unexpected == []
    screen.context.close()


def test_the_pit_records_the_confirmation_with_a_second_person(browser: Browser, real: Served) -> None:
    screen = signed_in(browser, real, "Gil")
    table = Table(screen, "looked-at")
    table.do("come-on-duty", person="Gil", post="gaming-shift-manager")
    other = signed_in(browser, real, "Max")
    Table(other, "looked-at").do("come-on-duty", person="Max", post="pit-manager")
    other.context.close()
    for item in table.view["desk"]["missing_equipment"]:
        table.do("tick-equipment", item=item)
    screen.open("/pit?table=looked-at")
    running = screen.page.get_by_role("region", name="Running the table")
    running.get_by_text("The approval names Baccarat (Version 8).").wait_for()
    assert running.get_by_role("button", name="Open the table").is_disabled()
    running.get_by_role("button", name="Record the confirmation").click()
    dialog = screen.page.get_by_role("dialog", name="Record the confirmation")
    dialog.get_by_label("Reference of the confirmation").fill(REFERENCE)
    dialog.get_by_label("Day of the confirmation").fill(DAY)
    dialog.get_by_role("button", name="Record the confirmation").click()
    second = screen.page.get_by_role("dialog", name=re.compile("approval|second person"))
    shows(second, real, "Max")
    second.get_by_role("button", name="Approve").click()
    running.get_by_text(
        f"Confirmed by the regulator: {REFERENCE} of {DAY}, recorded by Gil and Max."
    ).wait_for()
    running.get_by_role("button", name="Open the table").click()
    screen.until(lambda: table.view["phase"]["phase"] == "idle")
    assert screen.unexpected == []
    screen.context.close()
