"""Scenes at the consoles of staff: the felt, cards, takes and pays, irregularities; the pit; the records."""

import re

from screens.browser import WIDTHS
from screens.dealing import Dealer, dealer_at, felt
from screens.floors import GAMES

from scenes import TIMES, Scene, Shoe, Stage

EIGHT = 'layout = "A"\npositions = 8\n'
NAMES = ("Mei", "Arun", "Sofia", "Kenji", "Lara", "Omar", "Ines", "Tomás")
WAGERS = {
    "Mei": {"banker": 1000, "tiger": 100},
    "Arun": {"player": 500, "tiger_pair": 50},
    "Sofia": {"banker": 300, "tie": 50, "big_tiger": 25},
    "Kenji": {"player": 2000},
    "Lara": {"banker": 150, "small_tiger": 50, "tiger_tie": 25},
    "Omar": {"player": 400, "tie": 100},
    "Ines": {"banker": 800, "tiger": 50, "tiger_pair": 25},
    "Tomás": {"player": 250, "tiger": 25},
}


def dealer(stage: Stage, name: str, rounds: int, **how: object) -> Dealer:
    """A dealer at the console of a table where some rounds were dealt."""
    at = dealer_at(stage.visit, stage.server, name, **how)
    at.table.opened()
    Shoe(at.table, stage.server).rounds(rounds, seed=21)
    at.page.reload()  # the clock of the floor was moved
    return at


def a_round(stage: Stage) -> None:
    """A round of many wagers at the console, from the felt to takes and pays."""
    at = dealer(stage, "tiger", 30, room="dim")
    at.table.seated(*NAMES)
    at.table.do("come-to-table", patron="Ravi", position=4, seated=False)
    at.table.do("open-betting")
    at.table.wagers(**WAGERS, Ravi={"banker": 200})
    at.page.get_by_role("gridcell").filter(has_text="2,000").first.click()
    at.types("500")
    stage.take(at.screen, "dealer-felt")
    at.press("Escape")
    at.table.do("close-betting")
    at.lays("5hackd2h")
    at.screen.until(lambda: len(at.table.view["cards"]["cards"]) == 4)
    at.page.locator("[data-entry]").focus()
    at.types("td")
    stage.take(at.screen, "dealer-cards")
    at.page.locator("[data-entry]").focus()
    at.press("Enter")
    at.screen.until(lambda: len(at.table.view["cards"]["cards"]) == 5)
    at.lays("3s")
    at.shows("Banker wins 6 to 5.")
    stage.take(at.screen, "dealer-call")
    at.next("Call the outcome")
    at.settlement()
    for _ in range(12):
        at.press("Space")
    stage.take(at.screen, "dealer-takes-and-pays")


def wrong(stage: Stage) -> None:
    """Two cards came out together: questions, what the rules require, and who approves."""
    at = dealer(stage, "hoiana", 18, room="dim")
    at.table.seated("Mei", "Arun")
    at.table.do("open-betting")
    at.table.wagers(Mei={"player": 900}, Arun={"banker": 700})
    at.table.do("close-betting")
    at.page.locator("[data-entry]").wait_for()
    at.press("F1")
    dialog = at.page.get_by_role("dialog", name="Something is wrong")
    dialog.get_by_role("searchbox").wait_for()
    stage.take(at.screen, "dealer-wrong")
    dialog.get_by_role("searchbox").fill("several cards")
    at.press("Enter")
    dialog.get_by_role("heading", name="Is the order of the cards known?").wait_for()
    stage.take(at.screen, "dealer-question")
    at.press("y")
    dialog.get_by_role("heading", name="Which cards is it about?").wait_for()
    at.page.keyboard.type("9h2d")
    at.press("Enter")
    dialog.get_by_text("Shift Manager or above").first.wait_for()
    stage.take(at.screen, "dealer-required")
    at.press("Enter")
    at.shows("Shift Manager may allow it.")
    stage.take(at.screen, "dealer-decides")
    at.step.get_by_role("button", name="Allow", exact=True).click()
    approval = at.page.get_by_role("dialog", name=re.compile("approval"))
    approval.get_by_role("button", name="Shift Manager", exact=True).click()
    at.screen.until(lambda: approval.get_by_label("Password").input_value() != "")
    stage.take(at.screen, "dealer-approval")
    approval.get_by_role("button", name="Not now").click()
    at.table.do("report-irregularity", situation="foreign-card")
    at.shows("Foreign card")
    at.page.get_by_text("Answer it here").click()
    stage.take(at.screen, "dealer-cases")


def sizes(stage: Stage) -> None:
    """A console before its first round, on a tablet, on a phone, and in Chinese."""
    fresh = dealer_at(stage.visit, stage.server, "hoiana", size=WIDTHS["tablet"])
    fresh.shows("Opening check list")
    for _ in range(3):
        fresh.press("Space")
    stage.take(fresh.screen, "dealer-opening")
    at = dealer(stage, "tiger", 8, size=WIDTHS["phone"], room="dim")
    at.table.seated(*NAMES[:4]).do("open-betting")
    at.table.wagers(**{name: WAGERS[name] for name in NAMES[:4]})
    at.cell("Kenji", "Player").get_by_text("2,000").wait_for()
    stage.take(at.screen, "dealer-phone")
    chinese = stage.visit("/dealer?table=tiger", post="dealer", language="zh-Hans")
    chinese.page.get_by_role("gridcell").filter(has_text="2,000").wait_for()
    stage.take(chinese, "dealer-chinese")


STAFF: tuple[Scene, ...] = (
    Scene("dealer-round", felt("tiger", GAMES["tiger"], EIGHT, TIMES), a_round),
    Scene("dealer-wrong", felt("hoiana", GAMES["hoiana-tiger"]), wrong),
    Scene(
        "dealer-sizes",
        felt("hoiana", GAMES["hoiana-tiger"]) + felt("tiger", GAMES["tiger"], EIGHT, TIMES),
        sizes,
    ),
)
