"""Several people around one table, each in a browser of their own."""

import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Locator
from screens.browser import WIDTHS, Screen
from screens.conftest import Visit
from screens.dealing import Dealer, Table, dealer_at, felt
from screens.disputing import approve, decides, takes_down
from screens.floors import GAMES, demonstration
from screens.patrons import Patron
from server.served import Server

pytestmark = pytest.mark.timed

LOST = re.compile("The connection is lost|No connection")
BACK = "The connection is back, with everything that happened meanwhile."


class Around:
    """Everybody at one table that a person deals and patrons play at terminals."""

    def __init__(self, visit: Visit, server: Server, name: str) -> None:
        self.name = name
        self.dealer: Dealer = dealer_at(visit, server, name)
        self.table: Table = self.dealer.table.opened()
        self.currency = self.table.view["setup"]["currency"]["code"]
        self.patron = Patron(visit, server, name, 1, size=WIDTHS["tablet"], room="dim").sit()
        self.pit: Screen = visit("/pit", at=server, post="pit-manager")
        self.display: Screen = visit(f"/display?table={name}", at=server, size=WIDTHS["wall"], room="dim")

    @property
    def screens(self) -> dict[str, Screen]:
        """Every browser, by who looks at it."""
        return {
            "dealer": self.dealer.screen,
            "patron": self.patron.screen,
            "pit": self.pit,
            "display": self.display,
        }

    def bets(self, wager: str, amount: str) -> None:
        """The dealer opens betting, and the patron has an amount accepted."""
        self.dealer.next("Open betting")
        self.patron.betting()
        self.patron.chip(f"{self.currency} {amount}")
        self.patron.area(wager).click()
        self.patron.accepted(wager, amount)

    def panel(self, title: str) -> Locator:
        """A part of the pit console."""
        return self.pit.page.get_by_role("region", name=title, exact=True)

    def pit_comes(self) -> None:
        """The pit manager turns to the table and comes on duty."""
        self.pit.page.get_by_role("navigation").get_by_role("button", name=self.name).click()
        self.pit.button("Come on duty").click()
        self.pit.says("on duty: Pit Manager")

    def plays(self, cards: str, says: str) -> None:
        """The dealer closes betting, lays the cards and calls the outcome."""
        self.dealer.next("Close betting")
        self.dealer.lays(cards)
        self.dealer.shows(says)
        self.dealer.next("Call the outcome")


def at_terminals(name: str, game: str) -> str:
    """A table with a dealer, at which patrons wager at terminals."""
    return felt(name, game, "terminal = true")


def test_what_the_dealer_reports_is_ruled_in_the_pit_and_seen_by_all(visit: Visit, tmp_path: Path) -> None:
    server = demonstration(tmp_path, at_terminals("tiger", GAMES["tiger"]))
    try:
        around = Around(visit, server, "tiger")
        around.bets("Banker", "100")
        around.patron.screen.until(lambda: "900" in around.patron.credits)
        tile = around.panel("Tables").get_by_role("button", name=re.compile("^tiger"))
        tile.get_by_text("100").first.wait_for()
        around.dealer.next("Close betting")
        around.dealer.lays("9h2d")
        around.display.page.get_by_role("img", name="nine of hearts").first.wait_for()
        dialog = around.dealer.wrong("foreign card")
        dialog.get_by_label("Note to the record").fill("a card with a blue back")
        dialog.get_by_role("button", name="Report it").click()
        around.dealer.shows("Pit Manager must decide.")
        waits = around.panel("Needs attention").get_by_role("listitem").filter(has_text="Foreign card")
        waits.get_by_text("§\u200a").first.wait_for()
        around.pit_comes()
        decision = around.panel("Irregularity under way")
        decision.get_by_role("button", name="Confirm the facts").click()
        around.pit.says("Done and recorded.")
        around.patron.screen.says("Round 1 is void. All stakes go back.")
        around.patron.screen.until(lambda: "1,000" in around.patron.credits)
        around.display.says("Round void")
        around.dealer.shows("The set of cards is in doubt")
        around.dealer.step.get_by_role("button", name="The set is whole").click()
        around.dealer.approves("Pit Manager")
        around.dealer.shows("Place your bets, please")
        around.panel("Alerts").wait_for(state="detached")  # the post that confirmed has seen it
        assert around.patron.own()["credits"] == 100_000
    finally:
        server.kill()


def test_a_power_failure_is_said_at_once_and_play_goes_on_when_a_person_says_so(
    visit: Visit, tmp_path: Path
) -> None:
    server = demonstration(tmp_path, at_terminals("tiger", GAMES["tiger"]))
    try:
        around = Around(visit, server, "tiger")
        for screen in around.screens.values():
            screen.expect_error("WebSocket|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET")
        around.bets("Player", "100")
        around.pit_comes()
        around.dealer.next("Close betting")
        around.dealer.lays("9h2d")
        around.dealer.screen.until(lambda: len(around.table.view["cards"]["cards"]) == 2)
        server.kill()
        for screen in around.screens.values():
            screen.says(LOST)
        assert around.patron.area("Player").is_disabled()
        server.start()
        assert server.held == ("tiger",)
        for screen in around.screens.values():
            if screen is not around.display:  # a wall shows the board again, and says no more
                screen.says(BACK)
            screen.page.get_by_text(LOST).wait_for(state="detached")
        around.patron.screen.says("Round 1 was interrupted. Your wagers are safe; staff will resume it.")
        around.display.says("Round 1 is held: all wagers are safe")
        assert around.patron.lies("Player") == "100"
        cards = around.display.page.get_by_role("img", name="nine of hearts")
        assert cards.first.is_visible(), "the cards lie as they lay"
        around.pit.says("Held after a restart.")
        around.dealer.page.get_by_text("Paused", exact=True).wait_for()
        around.pit.button("Resume the table").click()
        around.pit.page.get_by_text("Held after a restart.").wait_for(state="detached")
        around.patron.page.get_by_text("Round 1 is held").wait_for(state="detached")
        around.dealer.page.get_by_text("Paused", exact=True).wait_for(state="detached")
        around.dealer.lays("ks5c")
        around.dealer.shows("Player wins 9 to 7.")
        around.dealer.next("Call the outcome")
        around.patron.screen.until(lambda: "1,100" in around.patron.credits)
        around.display.says("Player wins")
    finally:
        server.kill()


def test_a_dispute_goes_from_the_terminal_to_its_dossier_and_the_patron_is_cashed_out(
    visit: Visit, tmp_path: Path
) -> None:
    server = demonstration(tmp_path, at_terminals("hoiana", GAMES["hoiana-tiger"]))
    try:
        around = Around(visit, server, "hoiana")
        around.bets("Banker", "100")
        around.plays("9h2dks5c", "Player wins 9 to 7.")
        around.patron.screen.until(lambda: "900" in around.patron.credits)
        patron = around.patron
        patron.screen.button("Disputes").click()
        dialog = patron.page.get_by_role("dialog")
        assert dialog.get_by_label("Which round?").input_value() == "1", "the last round is the likely one"
        dialog.get_by_label("Which wager?").select_option("banker")
        dialog.get_by_label("What do you disagree with?").fill("I wanted Player")
        dialog.get_by_role("button", name="Open a dispute").click()
        dialog.get_by_role("heading", name="Dispute 1").wait_for()
        waits = around.panel("Needs attention").get_by_role("listitem")
        waits.filter(has_text=f"Dispute 1 of {patron.name}").first.wait_for()
        around.pit_comes()
        one = around.panel(f"Dispute 1 of {patron.name}")
        one.get_by_text("I wanted Player").wait_for()
        one.get_by_role("button", name="Send to the next level").click()
        one.get_by_role("button", name="Inform surveillance").click()
        takes_down(around.pit, one, "the hand went to Banker", "Surveillance", "surveillance evidence")
        decides(around.pit, one, "Banker was touched; half of it as a courtesy", award="50")
        dialog.get_by_text("Banker was touched; half of it as a courtesy").wait_for()
        dialog.get_by_text("You are awarded").wait_for()
        dialog.get_by_text("It is not paid yet.").wait_for()
        Table(visit(None, at=server, post="shift-manager"), "hoiana").staffed(post="shift-manager")
        one.get_by_role("button", name="Pay to the credits").click()
        approve(around.pit, "Shift Manager")
        dialog.get_by_role("button", name="I have received USD 50.00").click()
        dialog.get_by_text("You have received it.").wait_for()
        dialog.get_by_role("button", name="I agree").click()
        one.get_by_text("Patron agrees").wait_for()
        one.get_by_role("button", name="Close the dispute").click()
        one.get_by_text("closed").wait_for()
        around.patron.screen.until(lambda: "950" in around.patron.credits)
        dossier_of(visit, server, tmp_path, patron.name)
        patron.page.keyboard.press("Escape")
        patron.screen.button("Leave").click()
        patron.page.get_by_role("button", name="Cash out and leave").click()
        patron.screen.arrives("/")
        people = around.panel("People")
        people.get_by_text(patron.name).wait_for(state="detached")
        balances = around.table.view["balances"]["balances"]
        assert [each["credits"] for each in balances] in ([], [0])
    finally:
        server.kill()


def dossier_of(visit: Visit, server: Server, folder: Path, patron: str) -> None:
    """An auditor finds the disputed round and takes its dossier, in which the whole dispute stands."""
    records = visit("/records", at=server, post="auditor")
    records.page.get_by_role("navigation").get_by_role("button", name="Incidents").click()
    incidents = records.page.get_by_role("region", name="Incidents")
    incidents.get_by_role("button").filter(has_text="Disputed").click()
    records.heading("Round 1").wait_for()
    with records.page.expect_download() as download:
        records.link("Dossier").click()
    taken = folder / "dossier.zip"
    download.value.save_as(taken)
    with zipfile.ZipFile(taken) as dossier:
        page = dossier.read("hoiana-round-1/round.html").decode()
    for said in (patron, "I wanted Player", "Banker was touched", "surveillance evidence"):
        assert said in page, said
