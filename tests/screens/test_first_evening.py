"""docs/first-evening.md, followed step by step at the floor of ``thirdcard serve --demo``.

What the page has in bold is pressed, what it has as code is typed, and what is slanted is read on the screen,
in the order of the page and nothing else: page and product cannot drift apart. Where the page has somebody
wait, the test moves the clock of the floor.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page
from screens.browser import ROOT, Screen
from server.process import Asked
from server.served import Server

PAGE = ROOT / "docs" / "first-evening.md"
MARKS = re.compile(r"\*\*(?P<press>[^*]+)\*\*|`(?P<type>[^`]+)`|(?<!\*)\*(?P<read>[^*]+)\*(?!\*)")
BETTING = 20  # seconds, in the file of the demonstration floor
A_MOMENT = 2  # seconds, in which a table of that floor does its next step


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Server]:
    """The demonstration floor as a stranger starts it."""
    asked = Asked(data=str(tmp_path / "data"), key=str(tmp_path / "keys"), demo=True, flow=0.0)
    server = Server(asked, tmp_path / "server.log").start()
    yield server
    server.kill()


class Follower:
    """A newcomer who does as the page says, and nothing that it does not say."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.page: Page = screen.page
        steps = re.findall(r"^\d+\. .*(?:\n {3}.*)*", PAGE.read_text("utf-8"), re.MULTILINE)
        self._marks = [match for step in steps for match in MARKS.finditer(" ".join(step.split()))]

    def _next(self, kind: str, text: str) -> None:
        assert self._marks, f"the page has nothing more to {kind}, but the evening goes on with {text}"
        match = self._marks.pop(0)
        assert (match.lastgroup, match[match.lastgroup or 0]) == (kind, text)

    def presses(self, name: str, within: Locator | None = None) -> None:
        """Press what has this name, alone or within something."""
        self._next("press", name)
        beginning = re.compile(rf"^{re.escape(name)}( |$)")
        there: Locator | Page = within or self.page
        links = there.get_by_role("link").filter(has_text=beginning)
        there.get_by_role("button", name=beginning).or_(links).filter(visible=True).first.click()

    def types(self, text: str, then: str = "") -> None:
        """Type wherever the page has put the focus."""
        self._next("type", text)
        self.page.keyboard.type(text)
        if then:
            self.page.keyboard.press(then)

    def reads(self, text: str) -> None:
        """Read something on the screen, once it is there."""
        self._next("read", text)
        self.page.get_by_text(text).or_(self.page.get_by_label(text)).filter(visible=True).first.wait_for()

    def chooses(self, value: str, among: Locator) -> None:
        """Choose one of several that are offered."""
        self._next("type", value)
        among.select_option(value)

    def table(self, name: str) -> Locator:
        """A table of the lobby."""
        return self.page.get_by_role("article", name=name, exact=True)

    @property
    def done(self) -> bool:
        """Whether the page has nothing more."""
        return not self._marks


def test_a_stranger_plays_deals_breaks_and_proves_a_round(browser: Browser, floor: Server) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-SG")
    screen = Screen(context, floor.address)
    stranger = Follower(screen.open("/"))
    plays(stranger, floor)
    deals(stranger)
    breaks(stranger)
    finds_and_proves(stranger)
    assert stranger.done
    assert screen.unexpected == []
    context.close()


def plays(stranger: Follower, floor: Server) -> None:
    """A round at a terminal."""
    page, screen = stranger.page, stranger.screen

    def view() -> Any:
        return screen.ask("/tables/tiger-nc", "terminal")["view"]

    def betting() -> bool:
        if view()["phase"]["phase"] == "betting":
            return True
        floor.move(A_MOMENT)
        return False

    stranger._next("type", "tiger-nc")
    stranger.reads("Tiger No Commission Baccarat")
    stranger.presses("Sit down", stranger.table("Tiger No Commission Baccarat, tiger-nc"))
    stranger.presses("Buy credits to play")
    stranger.presses("1,000")
    stranger.presses("Buy SGD 1,000")
    screen.until(betting)
    stranger.reads("Place your bets, please")
    felt = page.get_by_role("group", name="Your playing areas")
    stranger.presses("Banker", felt)
    stranger.presses("Tie", felt)
    screen.until(lambda: len(view()["own"]["wagers"]) == 2)
    floor.move(BETTING)
    screen.until(lambda: view()["phase"]["phase"] != "betting")
    screen.until(betting)
    stranger.presses("Why?")
    page.get_by_role("dialog").get_by_role("article").nth(1).wait_for()
    stranger.presses("Close")
    stranger.presses("History")
    stranger.presses("Wagers and road")
    page.get_by_text("The road as it stood").wait_for()
    stranger.presses("Close")
    stranger.presses("Leave")
    stranger.presses("Cash out and leave")
    stranger.screen.arrives("/")


def deals(stranger: Follower) -> None:
    """A round at the dealer console."""
    table = stranger.table("Tiger Baccarat, felt-tiger")
    stranger._next("type", "felt-tiger")
    stranger.presses("Deal here", table)
    stranger.presses("Dealer")
    stranger.screen.until(lambda: stranger.screen.field("Password").input_value() != "")
    stranger.presses("Sign in")
    for button in ("Come on duty as Dealer", "Open the table", "Load 8 new decks", "Open betting"):
        stranger.presses(button)
    stranger.page.get_by_text("No more bets").wait_for()
    stranger.types("200", then="Enter")
    stranger.types("100", then="Enter")
    felt = stranger.page.get_by_role("grid")
    felt.get_by_role("gridcell", name=re.compile("Banker: .*100")).wait_for()
    stranger.presses("Close betting")
    stranger.page.get_by_label("Card to Player").wait_for()
    stranger.types("9h2dks5c")
    stranger.presses("Enter cards")
    stranger.reads("Player wins 9 to 7.")
    for button in ("Call the outcome", "All taken", "All paid"):
        stranger.presses(button)
    stranger.reads("Balanced")


def breaks(stranger: Follower) -> None:
    """A round that goes wrong, by the questions, with the approval of a post."""
    page = stranger.page
    stranger.presses("Open betting")
    page.get_by_text("No more bets").wait_for()
    stranger.types("300", then="Enter")
    stranger.presses("Close betting")
    page.get_by_label("Card to Player").wait_for()
    stranger.types("8s6h")
    stranger.presses("Enter cards")
    stranger.presses("Something is wrong")
    page.get_by_role("searchbox").wait_for()
    stranger.types("altered")
    stranger.presses("Order in the dealing device altered")
    stranger.reads("Can the right order be reconstructed?")
    stranger.presses("no")
    stranger.presses("Report it")
    stranger.reads("Pit Manager must decide.")
    stranger.presses("Confirm the facts")
    dialog = page.get_by_role("dialog", name="Pit Manager: approval")
    code = dialog.get_by_label("Code")
    stranger.presses("Pit Manager", dialog)
    stranger.screen.until(lambda: code.input_value() != "")
    stranger.presses("Approve", dialog)
    stranger.reads("The irregularity is dealt with.")
    stranger.presses("All returned")


def finds_and_proves(stranger: Follower) -> None:
    """The broken round in the records, and the proof that nothing was altered."""
    page = stranger.page
    stranger.presses("Dealer")
    stranger.presses("Sign out")
    stranger.presses("Auditor")
    stranger.screen.until(lambda: stranger.screen.field("Password").input_value() != "")
    stranger.presses("Sign in")
    rounds = page.get_by_role("region", name="Rounds")
    rounds.wait_for()
    stranger.chooses("felt-tiger", stranger.screen.field("Table"))
    listed = rounds.get_by_role("listitem")
    stranger.screen.until(lambda: listed.count() == 2)
    stranger.presses("Something went wrong")
    stranger.screen.until(lambda: listed.count() == 1)
    stranger.presses("2", rounds)
    stranger.reads("Round 2")
    stranger.presses("Play")
    steps = page.get_by_role("region", name="Round 2").get_by_role("listitem")
    assert any("pit-manager (Pit Manager)" in each for each in steps.all_inner_texts())
    with page.expect_download() as download:
        stranger.presses("Dossier (zip)")
    assert download.value.suggested_filename == "felt-tiger-round-2.zip"
    stranger.presses("Proof")
    stranger.presses("Verify everything")
    stranger.reads("The record is whole. Nothing was altered, and all settlements were re-checked.")
