"""docs/first-evening.md, followed step by step at the floor of ``thirdcard serve --demo``.

What the page has in bold is pressed, what it has as code is typed, and what is slanted is read on the screen,
in the order of the page and nothing else: page, product and the tour in the product cannot drift apart. Where
the page has somebody wait, the test moves the clock of the floor.
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
A_MOMENT = 2  # seconds, in which a table of that floor does its next step
STEPS = 10  # of the tour


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

    def opens(self, text: str, line: Locator) -> None:
        """Press a line that has this text among others."""
        self._next("press", text)
        line.get_by_role("button").filter(has_text=text).click()

    def reads(self, text: str, within: Locator | None = None) -> None:
        """Read something on the screen, or in a part of it, once it is there."""
        self._next("read", text)
        there: Locator | Page = within or self.page
        there.get_by_text(text).or_(there.get_by_label(text)).filter(visible=True).first.wait_for()

    def chooses(self, value: str, among: Locator) -> None:
        """Choose one of several that are offered."""
        self._next("type", value)
        among.select_option(value)

    def turns_to(self, step: int) -> None:
        """Go on in the tour."""
        self.presses("Next")
        self.reads(f"Step {step} of {STEPS}")

    def signs_in(self, post: str, *, instead_of: str = "") -> None:
        """Sign in with what a tap fills in; whoever is signed in goes."""
        if instead_of:
            self.presses(instead_of, self.page.get_by_role("banner"))
        self.presses(post)
        self.screen.until(lambda: self.screen.field("Password").input_value() != "")
        self.presses("Sign in", self.page.get_by_role("main"))

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
    stranger.presses("Start the tour")
    stranger.reads(f"Step 1 of {STEPS}")
    plays(stranger, floor)
    deals(stranger)
    breaks(stranger)
    looks_around(stranger)
    finds_and_proves(stranger)
    assert stranger.done
    assert stranger.page.get_by_role("region", name="Tour").count() == 0
    assert screen.unexpected == []
    context.close()


def plays(stranger: Follower, floor: Server) -> None:
    """A round at a terminal."""
    page, screen = stranger.page, stranger.screen

    def view() -> Any:
        return screen.ask("/tables/fast", "terminal")["view"]

    def betting() -> bool:
        if view()["phase"]["phase"] == "betting":
            return True
        floor.move(A_MOMENT)
        return False

    stranger._next("type", "fast")
    stranger.reads("Tiger Baccarat")
    stranger.presses("Sit down", stranger.table("Tiger Baccarat, fast"))
    stranger.reads(f"Step 2 of {STEPS}")
    stranger.presses("Buy credits to play")
    stranger.presses("1,000")
    stranger.presses("Buy SGD 1,000")
    screen.until(betting)
    stranger.reads("Place your bets, please")
    felt = page.get_by_role("group", name="Your playing areas")
    stranger.presses("Banker", felt)
    stranger.presses("Tie", felt)
    screen.until(lambda: len(view()["own"]["wagers"]) == 2)
    stranger.presses("Deal now")
    screen.until(lambda: view()["phase"]["phase"] != "betting")
    screen.until(betting)
    stranger.turns_to(3)
    stranger.presses("Why?")
    page.get_by_role("dialog").get_by_role("article").nth(1).wait_for()
    stranger.presses("Close")
    stranger.presses("History")
    stranger.presses("Wagers and road")
    page.get_by_text("The road as it stood").wait_for()
    stranger.presses("Close")
    stranger.turns_to(4)
    stranger.presses("Leave")
    stranger.presses("Cash out and leave")
    stranger.screen.arrives("/")


def deals(stranger: Follower) -> None:
    """A round at the dealer console."""
    stranger.turns_to(5)
    stranger.presses("Go there")
    stranger._next("type", "felt-tiger")
    stranger.signs_in("Dealer")
    prepared = ("Come on duty as Dealer", "Open the table", "Load 8 new decks", "Open betting without it")
    for button in prepared:
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
    stranger.turns_to(6)
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


def looks_around(stranger: Follower) -> None:
    """The broken round in the pit, and the scoreboard of another table."""
    page = stranger.page
    stranger.signs_in("Pit Manager", instead_of="Dealer")
    stranger.reads(f"Step 7 of {STEPS}")
    stranger.reads("Needs attention")
    stranger.presses("felt-tiger", page.get_by_role("region", name="Tables"))
    stranger.reads("On the table")
    stranger.reads("Void")
    stranger.turns_to(8)
    with page.context.expect_page() as opened:
        stranger.presses("Go there")
    stranger._next("type", "tiger")
    stranger.page = opened.value
    stranger.reads("Big road")
    stranger.reads("Seal of the shoe")
    stranger.page.close()
    stranger.page = page


def finds_and_proves(stranger: Follower) -> None:
    """The broken round in the records, and the proof that nothing was altered."""
    page = stranger.page
    stranger.signs_in("Auditor", instead_of="Pit Manager")
    stranger.reads(f"Step 9 of {STEPS}")
    stranger.presses("Search")
    search = page.get_by_role("region", name="Search")
    stranger.chooses("Order in the dealing device altered", search.get_by_label("Irregularity"))
    stranger.presses("Find", search)
    listed = search.get_by_role("listitem")
    stranger.screen.until(lambda: listed.count() == 1)
    stranger.reads("felt-tiger", listed)
    stranger.opens("Round 2", listed)
    stranger.reads("Round 2")
    stranger.presses("Play")
    steps = page.get_by_role("region", name="Round 2").get_by_role("listitem")
    assert any("pit-manager (Pit Manager)" in each for each in steps.all_inner_texts())
    with page.expect_download() as download:
        stranger.presses("Dossier (zip)")
    assert download.value.suggested_filename == "felt-tiger-round-2.zip"
    stranger.turns_to(10)
    stranger.presses("Proof")
    stranger.presses("Verify everything")
    stranger.reads("The record is whole. Nothing was altered, and all settlements were re-checked.")
    stranger.presses("Finish")
