"""Entries typed before an irregularity opened, for another one, or for a card that was laid elsewhere."""

import re

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
        felt("run-on", GAMES["tiger"]),
        felt("permission", GAMES["hoiana-tiger"]),
        felt("in-order", GAMES["hoiana-tiger"]),
        felt("two-consoles", GAMES["tiger"]),
        felt("race", GAMES["tiger"]),
        felt("ruling", GAMES["tiger"]),
        felt("emptied", GAMES["tiger"]),
        felt("combined", GAMES["tiger"]),
        felt("reported-again", GAMES["tiger"]),
        felt("two-people", GAMES["tiger"]),
        felt("aside", GAMES["tiger"]),
        felt("narrow", GAMES["tiger"]),
        felt("low", GAMES["tiger"]),
    )
)


def lying(dealer: Dealer) -> int:
    """How many cards lie at the hands."""
    return len(dealer.table.view["cards"]["cards"])


def at_pit(visit: Visit, house: Server, name: str, post: str = "pit-manager") -> Screen:
    """Somebody in the pit who is on duty at a table."""
    pit = visit(None, at=house, post=post)
    Table(pit, name).staffed(post=post)
    return pit.open(f"/pit?table={name}")


def case_at(pit: Screen) -> Locator:
    """The irregularity that is dealt with, as the pit shows it."""
    return pit.page.get_by_role("region", name="Irregularity under way")


# keys and cards


def test_rest_of_a_typed_line_stops_where_an_irregularity_opens(visit: Visit, house: Server) -> None:
    """Clause 5.7: the second card went to the Player; what was typed after it is named and not laid."""
    dealer = closed(visit, house, "run-on")
    dealer.types("9h2dpks5c")
    dealer.press("Enter", "Space")
    dealer.screen.says(re.compile(r"Not used: ks5c( Space)?\."))
    dealer.page.locator("[data-entry]:not([aria-disabled])").wait_for()
    assert lying(dealer) == 2
    assert dealer.page.locator("[data-entry]").input_value() == ""
    dealer.lays("ks5c")
    dealer.shows("Player wins 9 to 7.")


@pytest.mark.parametrize(("name", "typed"), [("permission", "9hb2dks5c"), ("in-order", "9h2d>ks5c")])
def test_permission_is_not_passed_by_in_a_typed_line(
    visit: Visit, house: Server, name: str, typed: str
) -> None:
    """Clauses 7.9 and 7.12: the post may let patrons withdraw before the next card."""
    dealer = closed(visit, house, name)
    dealer.types(typed)
    dealer.press("Enter", "Space")
    dealer.screen.says(re.compile("Not used: "))
    assert [each["waits"] for each in dealer.table.view["desk"]["cases"]] != []


def test_cards_that_another_console_laid_are_not_laid_again(visit: Visit, house: Server) -> None:
    dealer = closed(visit, house, "two-consoles")
    dealer.types("9h2d")
    dealer.page.get_by_text("2 / 4").wait_for()
    dealer.table.draws("9H 2D")
    dealer.screen.says("Not used: 9h2d.")
    dealer.page.locator("[data-entry]:not([aria-disabled])").wait_for()
    dealer.press("Enter")
    assert lying(dealer) == 2
    dealer.lays("ks5c")
    dealer.shows("Player wins 9 to 7.")


def test_card_for_another_place_is_refused(visit: Visit, house: Server) -> None:
    """The answer of the table is quicker than what the console shows."""
    dealer = closed(visit, house, "race")
    dealer.table.draws("9H 2D")
    late = dealer.table.send("draw-card", card={"rank": 9, "suit": "H"}, at=1)
    assert (late["type"], late["reason"]) == ("refused", "other-place")
    assert lying(dealer) == 2


# irregularities


def reports(table: Table, situation: str, **facts: object) -> int:
    """Report something, and the number of its case."""
    table.do("report-irregularity", situation=situation, **facts)
    return int(table.view["desk"]["reported"])


def test_ruling_is_not_made_on_an_irregularity_that_came_meanwhile(visit: Visit, house: Server) -> None:
    dealer = closed(visit, house, "ruling")
    dealer.table.draws("9H")
    first = reports(dealer.table, "not-covered", note="a lamp fell")
    second = reports(dealer.table, "not-covered", patron="Ann", note="a lamp fell")
    manager = Table(visit(None, at=house, post="gaming-shift-manager"), "ruling")
    manager.staffed(post="gaming-shift-manager")
    early = manager.send("rule", choice="void-round", text="both agree", case=first)
    assert early["reason"] == "irregularity-under-way"
    manager.do("rule", choice="continue", text="nothing was lost", case=second)
    late = manager.send("rule", choice="void-round", text="both agree", case=second)
    assert late["reason"] == "case-is-over"


def test_typed_reason_is_emptied_when_another_irregularity_comes(visit: Visit, house: Server) -> None:
    dealer = closed(visit, house, "emptied")
    dealer.table.draws("9H")
    reports(dealer.table, "not-covered", note="a lamp fell")
    pit = at_pit(visit, house, "emptied", "gaming-shift-manager")
    case_at(pit).get_by_label("Reason of the decision").fill("the first one was nothing")
    case_at(pit).get_by_label("Payment", exact=True).fill("50")
    dealer.step.get_by_label("Reason of the decision").fill("typed at the console")
    reports(dealer.table, "not-covered", patron="Ann", note="a lamp fell")
    for label in (case_at(pit), dealer.step):
        label.get_by_text("Ann", exact=True).first.wait_for()
        assert label.get_by_label("Reason of the decision").input_value() == ""
    assert case_at(pit).get_by_label("Payment", exact=True).input_value() == ""


def test_several_decisions_are_made_together(visit: Visit, house: Server) -> None:
    """Clause 6.1: play goes on and new cards must come; what excludes that cannot be chosen with it."""
    dealer = closed(visit, house, "combined")
    dealer.table.draws("9H 2D")
    reports(dealer.table, "not-covered", note="a lamp fell")
    pit = at_pit(visit, house, "combined", "gaming-shift-manager")
    case = case_at(pit)
    case.get_by_label("Reason of the decision").fill("a card is bent")
    case.get_by_role("button", name="Several decisions together").click()
    case.get_by_role("button", name="play goes on", exact=True).click()
    assert case.get_by_role("button", name="the round is void", exact=True).is_disabled()
    case.get_by_role("button", name="new cards must come", exact=True).click()
    assert pit.flaws() == []
    case.get_by_role("button", name="Decide: play goes on and new cards must come").click()
    case.wait_for(state="detached")
    over = dealer.page.get_by_role("region", name="Still to be done")
    over.get_by_text(
        "Gaming Shift Manager decided: play goes on and new cards must come (a card is bent)."
    ).wait_for()
    assert dealer.screen.flaws() == []


def test_report_is_taken_back_and_made_again(visit: Visit, house: Server) -> None:
    dealer = closed(visit, house, "reported-again")
    dealer.table.draws("9H 2D")
    reports(dealer.table, "not-covered", patron="Ann", note="she says so")
    dealer.shows("Reported by Dealer")
    dealer.step.get_by_text("It is not so").click()
    dealer.step.get_by_role("button", name="Take it back and report it again").click()
    dialog = dealer.page.get_by_role("dialog", name="Something is wrong")
    dialog.get_by_role("button", name="Report it").wait_for()
    assert dialog.get_by_label("What happened, in words").input_value() == "she says so"
    dealer.screen.until(dialog.get_by_role("button", name="Report it").is_enabled)
    dialog.get_by_role("button", name="Report it").click()
    dialog.wait_for(state="hidden")
    (case,) = dealer.table.view["desk"]["cases"]
    assert (case["id"], case["patron"], case["note"]) == (2, "Ann", "she says so")
    over = dealer.page.get_by_role("region", name="Still to be done")
    over.get_by_text("Reported by Dealer. Dealer took the report back.").wait_for()


def test_everybody_who_approved_is_named(visit: Visit, house: Server) -> None:
    """Clause 6.1: the Dealer enters what the Gaming Shift Manager decides at this console."""
    dealer = closed(visit, house, "two-people")
    dealer.table.draws("9H 2D")
    reports(dealer.table, "not-covered", note="a lamp fell")
    dealer.step.get_by_label("Reason of the decision").fill("nothing was lost")
    dealer.step.get_by_role("button", name="play goes on", exact=True).click()
    dealer.approves("Gaming Shift Manager")
    over = dealer.page.get_by_role("region", name="Still to be done")
    over.get_by_text(
        "Gaming Shift Manager decided: play goes on (nothing was lost). Entered by Dealer."
    ).wait_for()


def test_card_that_lies_aside_is_corrected_by_its_face(visit: Visit, house: Server) -> None:
    """Clause 5.8.1: two cards lie aside, and the one that was mistyped is told from the other."""
    dealer = closed(visit, house, "aside")
    dealer.lays("9h>2d")
    dealer.shows("Patrons may withdraw single wagers")
    dialog = dealer.wrong("mistyped")
    second = dialog.get_by_role("button", name="2. aside")
    second.wait_for()
    second.get_by_role("img", name=re.compile("two of diamonds", re.IGNORECASE)).wait_for()
    second.click()
    dialog.get_by_label("The card that lies there").fill("zz!!9h")
    dialog.get_by_text("is not a card").wait_for()
    assert dialog.get_by_role("button", name="Correct it").is_disabled()
    dialog.get_by_label("The card that lies there").fill("9h3d")
    dialog.get_by_text("Type one card, such as 9h.").wait_for()
    assert dealer.screen.flaws() == []


# narrow screens


@pytest.mark.parametrize("size", [(360, 640), (1280, 800), (1366, 640)])
def test_decision_is_whole_on_small_screens(visit: Visit, house: Server, size: tuple[int, int]) -> None:
    name = "narrow"
    dealer = dealer_at(visit, house, name, size=size)
    if not dealer.table.view["desk"]["cases"]:
        dealer.table.opened().seated("Ann", "Bob").do("open-betting")
        dealer.table.wagers(Ann={"player": 200})
        dealer.table.do("close-betting")
        dealer.table.draws("9H 2D")
        reports(dealer.table, "not-covered", patron="Ann", note="a lamp fell")
        reports(dealer.table, "not-covered", note="a lamp fell")
    dealer.step.get_by_label("Reason of the decision").wait_for()
    assert dealer.screen.misfits() == []
    pit = at_pit(visit, house, name)
    pit.page.set_viewport_size({"width": size[0], "height": size[1]})
    case_at(pit).get_by_label("Payment", exact=True).wait_for()
    assert pit.misfits() == []


def test_facts_are_confirmed_without_scrolling(visit: Visit, house: Server) -> None:
    """Clause 5.1.1: two irregularities are open on a low screen, and the button of the step is in sight."""
    dealer = dealer_at(visit, house, "low", size=(1366, 640))
    dealer.table.opened().seated("Ann").do("open-betting")
    dealer.table.wagers(Ann={"player": 200})
    dealer.table.do("close-betting")
    dealer.table.draws("9H 2D")
    reports(dealer.table, "not-covered", patron="Ann", note="a lamp fell")
    reports(dealer.table, "foreign-card")
    confirm = dealer.step.get_by_role("button", name="Confirm the facts")
    confirm.wait_for()
    box = confirm.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 640
    assert dealer.screen.misfits() == []
