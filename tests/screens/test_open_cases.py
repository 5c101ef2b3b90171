"""Several irregularities at once, and reports that are closed: each is answered where the rules allow it."""

import pytest
from playwright.sync_api import Locator
from screens.browser import Screen
from screens.conftest import Visit
from screens.dealing import Dealer, Table, closed, dealer_at, felt
from screens.floors import GAMES
from server.served import Server

pytestmark = pytest.mark.timed

TABLES = "".join(
    (
        felt("void-behind", GAMES["tiger"]),
        felt("offer-behind", GAMES["tiger"]),
        felt("pit-behind", GAMES["tiger"]),
        felt("not-its-turn", GAMES["tiger"]),
        felt("known-card", GAMES["tiger"]),
        felt("unburned", GAMES["hoiana-tiger"]),
    )
)


def several(screen: Screen) -> Locator:
    """The list of open irregularities."""
    return screen.page.get_by_role("region", name="2 irregularities are open, the gravest first")


def line(screen: Screen, name: str) -> Locator:
    """An irregularity of the list."""
    return several(screen).get_by_role("listitem").filter(has=screen.page.get_by_text(name, exact=True)).first


def unfolded(screen: Screen, name: str) -> Locator:
    """An irregularity of the list, with its answers."""
    found = line(screen, name)
    found.get_by_text("Answer it here").click()
    return found


def reported(dealer: Dealer, situation: str, **facts: object) -> None:
    """The Dealer reports something by a command."""
    dealer.table.do("report-irregularity", situation=situation, **facts)


def test_void_is_confirmed_although_another_one_came_later(visit: Visit, house: Server) -> None:
    """Clause 5.1: either of two reports is confirmed; the other is still open, about the set of cards."""
    dealer = closed(visit, house, "void-behind")
    dealer.lays("9h2d")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 2)
    reported(dealer, "foreign-card")
    reported(dealer, "extra-card")
    several(dealer.screen).wait_for()
    assert "dealt with now" in line(dealer.screen, "Extra card").inner_text()
    assert "dealt with now" not in line(dealer.screen, "Foreign card").inner_text()
    found = unfolded(dealer.screen, "Foreign card")
    found.get_by_text("Reported by Dealer").wait_for()
    assert dealer.screen.flaws() == []
    dealer.screen.turned("phone", "dim")
    assert dealer.screen.flaws() == []
    dealer.screen.turned("desk", "dim")
    found.get_by_role("button", name="Confirm the facts").click()
    dealer.approves("Pit Manager")
    dealer.page.get_by_role("region", name="Round 1 is void: everything goes back").wait_for()
    assert [each["situation"] for each in dealer.table.view["desk"]["cases"]] == ["extra-card"]


def test_patrons_answer_an_offer_behind_a_decision(visit: Visit, house: Server) -> None:
    """Clauses 5.8.1 and 6.1: patrons answer the offer although a decision is dealt with first."""
    dealer = closed(visit, house, "offer-behind")
    dealer.lays("9h>2d")
    dealer.shows("Patrons may withdraw single wagers")
    reported(dealer, "not-covered", note="a drink on the layout")
    dealer.shows("Something else")
    found = unfolded(dealer.screen, "Several cards drawn at once")
    tall = dealer.page.evaluate("document.documentElement.scrollHeight > window.innerHeight")
    assert not tall, "its parts scroll by themselves, the page does not"
    assert found.get_by_role("button", name="End the offer").count() == 0, "its turn has not come"
    ann = found.get_by_role("listitem").filter(has_text="Ann")
    ann.get_by_role("button", name="Stays").click()
    ann.get_by_text("answered").wait_for()
    bob = found.get_by_role("listitem").filter(has_text="Bob")
    bob.get_by_role("button", name="Withdraws").first.click()
    dealer.approves("Pit Supervisor")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 1)
    dealer.step.get_by_label("Reason of the decision").fill("it was wiped away")
    dealer.step.get_by_role("button", name="play goes on", exact=True).click()
    dealer.approves("Gaming Shift Manager")
    dealer.shows("Next card")
    assert [each["patron"] for each in dealer.table.view["wagers"]["lying"]] == ["Ann"]


def test_pit_finds_a_report_not_so_that_is_not_dealt_with_first(visit: Visit, house: Server) -> None:
    """Clauses 6.1 and 5.1: the list has both, the void first, and each can be found not to be so."""
    dealer = closed(visit, house, "pit-behind")
    dealer.lays("9h2d")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 2)
    reported(dealer, "not-covered", note="a chip is broken")
    reported(dealer, "foreign-card")
    pit = visit(None, at=house, post="pit-manager")
    Table(pit, "pit-behind").staffed(post="pit-manager")
    pit.open("/pit?table=pit-behind")
    found = unfolded(pit, "Something else")
    names = [text.partition("\n")[0] for text in several(pit).locator("> ol > li").all_inner_texts()]
    assert names == ["Foreign card", "Something else"]
    found.get_by_text("It is not so", exact=True).click()
    found.get_by_label("What was found instead").fill("it has a scratch")
    assert pit.flaws() == []
    found.get_by_role("button", name="Record that it is not so").click()
    several(pit).wait_for(state="detached")
    pit.page.get_by_text("Not so, Pit Manager found: it has a scratch.").first.wait_for()
    assert [each["situation"] for each in dealer.table.view["desk"]["cases"]] == ["foreign-card"]


def test_decision_waits_for_its_turn(visit: Visit, house: Server) -> None:
    """Clauses 6.1 and 5.1: nothing is decided before the facts of a void, and the list says so."""
    dealer = closed(visit, house, "not-its-turn")
    dealer.lays("9h2d")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 2)
    reported(dealer, "not-covered", note="a chip is broken")
    dealer.shows("Something else")
    reported(dealer, "foreign-card")
    dealer.shows("Foreign card")
    found = unfolded(dealer.screen, "Something else")
    found.get_by_text(
        "Its turn comes once the irregularity before it is dealt with: Foreign card."
    ).wait_for()
    assert found.get_by_label("Reason of the decision").count() == 0


def test_closed_report_is_taken_back_by_two(visit: Visit, house: Server) -> None:
    """Clause 5.6: a card seen in the device was to be played in its turn; it was not seen after all."""
    dealer = closed(visit, house, "known-card")
    dealer.lays("9h2d")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 2)
    reported(dealer, "face-up-card", cards=[{"rank": 7, "suit": "C"}])
    owed = dealer.page.get_by_role("region", name="Still to be done")
    over = owed.get_by_role("listitem").filter(has_text="Card face up in the dealing device")
    over.get_by_text("It is not so", exact=True).click()
    assert dealer.screen.flaws() == []
    over.get_by_role("button", name="Take my report back", exact=False).first.click()
    dealer.approves("Pit Supervisor")
    over.get_by_text("took the report back").wait_for()
    dealer.lays("ks5c")
    dealer.shows("Player wins 9 to 7.")


def test_space_does_not_open_betting_before_the_burn(visit: Visit, house: Server) -> None:
    """Clause 2.2.2: new cards are cut and burned first; a key does not pass that by."""
    dealer = dealer_at(visit, house, "unburned")
    dealer.table.opened(cut=False, burn=False)
    cut = dealer.step.get_by_label("Where the cards are cut")
    cut.wait_for()
    dealer.screen.until(lambda: cut.evaluate("each => each === document.activeElement"))
    cut.blur()  # in the field a space is typed
    dealer.press("Space")
    dealer.screen.says("Not used: Space. Look at what the table waits for.")
    cut.fill("100")
    dealer.press("Enter")
    dealer.shows("The first card says how many are burned.")
    dealer.press("Space")
    dealer.screen.says("Not used: Space. Look at what the table waits for.")
    assert dealer.table.view["phase"]["phase"] == "idle"
    assert dealer.screen.flaws() == []
    dealer.lays("5h")
    dealer.next("Open betting")
    dealer.next("Close betting")
    assert dealer.table.view["shoe"]["burned"] == 6
