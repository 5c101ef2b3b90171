"""Entries of staff beside the next step: corrections, a late call, hands given, calls as they were made."""

import re

import pytest
from playwright.sync_api import Locator
from screens.conftest import Visit
from screens.dealing import Dealer, Table, closed, dealer_at, felt
from screens.floors import GAMES
from server.served import Server

pytestmark = pytest.mark.timed

TABLES = "".join(
    (
        felt("wrong-kind", GAMES["tiger"]),
        felt("nothing-lay", GAMES["tiger"]),
        felt("settled", GAMES["tiger"]),
        felt("entered-so", GAMES["tiger"]),
        felt("no-such-word", GAMES["tiger"]),
        felt("short-name", GAMES["tiger"]),
        felt("any-stage", GAMES["tiger"]),
        felt("uncalled", GAMES["tiger"]),
        felt("nobody-backs", GAMES["dragon-tiger"], 'method = "A"'),
        felt("astray", GAMES["dragon-tiger"], 'method = "A"'),
        felt("named", GAMES["dragon-tiger"], 'method = "A"'),
        felt("miscalled", GAMES["tiger"]),
        felt("misannounced", GAMES["tiger"]),
        felt("reader", GAMES["tiger"], 'device = "card-reading"'),
        felt("no-cards", GAMES["tiger"]),
        felt("not-pulled", GAMES["tiger"]),
        felt("unasked", GAMES["tiger"], 'differential = "1000"'),
        felt("squeezer", GAMES["hoiana-tiger"], "face_down = true"),
    )
)


def fits(dealer: Dealer) -> None:
    """Nothing of the page is too wide, too small or unreadable."""
    assert dealer.screen.flaws() == []


def presses(dealer: Dealer, button: Locator) -> None:
    """Press a button by the keyboard, once it can be pressed."""
    dealer.screen.until(button.is_enabled)
    button.focus()
    dealer.press("Enter")


def lying(table: Table) -> list[tuple[str, str, int]]:
    """Every wager that lies there."""
    return [(each["patron"], each["wager"], each["stake"]) for each in table.view["wagers"]["lying"]]


# wagers that were entered wrongly


def test_wager_on_the_wrong_kind_is_corrected_from_the_felt(visit: Visit, house: Server) -> None:
    """Ann's 200 lie on Player, and 50 of them lay on Tie: two people say so."""
    dealer = closed(visit, house, "wrong-kind")
    dealer.cell("Ann", "Player").click()
    dealer.types("-50")
    dealer.press("Enter")
    dealer.page.get_by_text("Entered by mistake").wait_for()
    fits(dealer)
    dealer.press("m")
    dialog = dealer.page.get_by_role("dialog", name="Something is wrong")
    assert dialog.get_by_label("Amount to correct").input_value() == "50"
    dealer.screen.until(
        lambda: dialog.get_by_label("What really lay there").evaluate(
            "each => each === document.activeElement"
        )
    )
    correct = dialog.get_by_role("button", name="Correct it")
    assert correct.is_disabled(), "nobody has said what lay there"
    dialog.get_by_label("What really lay there").select_option(label="Tie")
    fits(dealer)
    presses(dealer, correct)
    dealer.approves("Pit Supervisor")
    dialog.wait_for(state="hidden")
    assert lying(dealer.table) == [
        ("Ann", "player", 15000),
        ("Bob", "banker", 10000),
        ("Ann", "tie", 5000),
    ]


def test_wager_that_did_not_lie_there_is_taken_out_by_keys(visit: Visit, house: Server) -> None:
    """The search finds the correction by a word for it; a wager is chosen by its number."""
    dealer = closed(visit, house, "nothing-lay")
    dialog = dealer.wrong("wrong amount")
    dialog.get_by_text("Which wager is wrong?").wait_for()
    dealer.press("2")
    dialog.get_by_label("What really lay there").wait_for()
    dealer.types("Noth")
    dealer.press("Tab")
    fits(dealer)
    dealer.press("Enter")
    dealer.approves("Pit Supervisor")
    dialog.wait_for(state="hidden")
    assert lying(dealer.table) == [("Ann", "player", 20000)]


def test_settled_wager_is_corrected_in_the_pit(visit: Visit, house: Server) -> None:
    """Bob's 100 on Banker were Ann's: the settlement is taken back, and the result called again."""
    dealer = closed(visit, house, "settled")
    dealer.table.draws("9H 2D KS 5C").do("call-outcome", winner="player")
    pit = visit(None, at=house, post="pit-manager")
    Table(pit, "settled").staffed(post="pit-manager")
    pit.open("/pit?table=settled")
    pit.button("A wager was entered wrongly").click()
    dialog = pit.page.get_by_role("dialog", name="A wager was entered wrongly")
    dialog.get_by_role("button", name=re.compile("Bob")).click()
    dialog.get_by_label("What really lay there").select_option(label="Banker")
    dialog.get_by_label("Patron whose it was").select_option(label="Ann")
    dialog.get_by_label("Position").select_option(label="1")
    assert pit.flaws() == []
    dialog.get_by_role("button", name="Correct it").click()
    approval = pit.page.get_by_role("dialog", name="A second person is needed")
    approval.get_by_text(re.compile(r"Correct Bob · Banker SGD.100\.00 to Ann · Banker")).wait_for()
    approval.get_by_role("button", name="Pit Supervisor", exact=True).click()
    approval.get_by_label("Why it is put right").fill("seen by both")
    pit.until(lambda: approval.get_by_label("Password").input_value() != "")
    approval.get_by_role("button", name="Approve").click()
    approval.wait_for(state="hidden")
    assert sorted(lying(dealer.table)) == [("Ann", "banker", 10000), ("Ann", "player", 20000)]
    dealer.shows("Player wins 9 to 7.")


def test_nobody_is_asked_to_approve_what_is_entered_already(visit: Visit, house: Server) -> None:
    """The same card, the same wager, and more than was entered are no corrections."""
    dealer = closed(visit, house, "entered-so")
    dealer.table.draws("9H 2D KS 5C")
    dealer.shows("Player wins 9 to 7.")
    dialog = dealer.wrong("mistyped")
    dialog.get_by_role("button", name="3. Player").click()
    dealer.types("ks")
    dialog.get_by_text("This card is entered there already.").wait_for()
    correct = dialog.get_by_role("button", name="Correct it")
    assert correct.is_disabled()
    dialog.get_by_label("The card that lies there").fill("kc")
    dealer.screen.until(correct.is_enabled)
    dealer.press("Escape")
    dialog.wait_for(state="hidden")
    dealer.wrong("wrong amount").get_by_role("button", name=re.compile("Ann")).click()
    lay, sum_ = dialog.get_by_label("What really lay there"), dialog.get_by_label("Amount to correct")
    lay.select_option(label="Player")
    dialog.get_by_text("This is what was entered already.").wait_for()
    assert correct.is_disabled()
    fits(dealer)
    lay.select_option(label="Tie")
    dealer.screen.until(correct.is_enabled)
    sum_.fill("300")
    dialog.get_by_text("Only 200 was entered there.").wait_for()
    assert correct.is_disabled()


def test_a_situation_is_found_by_its_short_name(visit: Visit, house: Server) -> None:
    """The list says "Several cards drawn at once"; who thinks of cards together finds it too."""
    dealer = closed(visit, house, "short-name")
    dialog = dealer.wrong("cards together")
    dialog.get_by_text("Several cards drawn at once").wait_for()
    dialog.get_by_role("heading", name="order").wait_for()


def test_a_word_that_the_rulebook_does_not_know_leads_on(visit: Visit, house: Server) -> None:
    """Nothing is like it: the console says so, and something else can be reported."""
    dealer = closed(visit, house, "no-such-word")
    dialog = dealer.wrong("zzzz")
    dialog.get_by_text("Nothing in this rulebook is called that.").wait_for()
    fits(dealer)
    dialog.get_by_role("button", name="Something else").click()
    dialog.get_by_role("button", name="Report it").wait_for()


def test_a_rule_for_every_stage_names_none(visit: Visit, house: Server) -> None:
    """Clause 5.1 holds whenever the card is found."""
    dealer = closed(visit, house, "any-stage")
    dialog = dealer.wrong("foreign card")
    dialog.get_by_role("button", name="Report it").wait_for()
    assert dialog.get_by_text("stage:").count() == 0


def test_chips_booked_as_pulled_lie_there_after_all(visit: Visit, house: Server) -> None:
    dealer = closed(visit, house, "not-pulled")
    dealer.cell("Ann", "Player").click()
    dealer.types("-50")
    dealer.press("Enter")
    dealer.page.get_by_text("Pulled back late").wait_for()
    dealer.press("p")
    dealer.approves("Pit Supervisor")
    dealer.screen.until(lambda: dealer.table.view["wagers"]["lying"][0]["pulled"] == 5000)
    dealer.cell("Ann", "Player").click()
    dealer.types("50")
    dealer.press("Enter")
    dealer.page.get_by_text("Not taken away after all").wait_for()
    fits(dealer)
    dealer.press("n")
    dealer.approves("Pit Supervisor")
    dealer.screen.until(lambda: dealer.table.view["wagers"]["lying"][0]["pulled"] == 0)


def test_chips_taken_off_before_anybody_was_asked_are_pulled_late(visit: Visit, house: Server) -> None:
    """Clause 5.18.1: until the Dealer has asked, nobody lowers a wager after the closing call."""
    dealer = dealer_at(visit, house, "unasked")
    dealer.table.opened().seated("Ann", "Bob").do("open-betting")
    dealer.table.wagers(Ann={"player": 3000}, Bob={"banker": 100})
    dealer.table.do("close-betting")
    dealer.shows(re.compile("differential", re.I))
    dealer.cell("Ann", "Player").click()
    dealer.types("-500")
    dealer.press("Enter")
    dealer.page.get_by_role("dialog", name="After the closing call").wait_for()
    dealer.press("Escape")
    dealer.next("Ask Player to decrease")
    dealer.screen.until(lambda: dealer.table.view["entries"]["lowered"] == ["player"])
    dealer.cell("Ann", "Player").click()
    dealer.types("-500")
    dealer.press("Enter")
    dealer.screen.until(lambda: lying(dealer.table)[0] == ("Ann", "player", 250000))


# calls


def test_closing_call_is_made_after_the_first_card(visit: Visit, house: Server) -> None:
    """Clauses 3.2 and 6.1: it can be made while the Gaming Shift Manager decides."""
    dealer = dealer_at(visit, house, "uncalled")
    dealer.table.opened().seated("Ann").do("open-betting")
    dealer.table.wagers(Ann={"player": 150}).draws("9H")
    dealer.shows("First card without a closing call")
    call = dealer.step.get_by_role("group", name="Closing call")
    assert "§\u200a3.2" in call.inner_text()
    fits(dealer)
    presses(dealer, call.get_by_role("button", name="Called now: No more bets"))
    call.wait_for(state="hidden")
    assert dealer.table.view["entries"]["late_call"] is None
    dealer.shows("Gaming Shift Manager must decide.")


def test_wrong_call_is_entered_as_it_was_made(visit: Visit, house: Server) -> None:
    """Clause 3.16: whatever was called, the cards decide."""
    dealer = closed(visit, house, "miscalled")
    dealer.table.draws("9H 2D KS 5C")
    dealer.shows("Player wins 9 to 7.")
    presses(dealer, dealer.step.get_by_text("Something else was called"))
    dealer.step.get_by_label("Player, as said").fill("7")
    dealer.step.get_by_label("Banker, as said").fill("9")
    fits(dealer)
    presses(dealer, dealer.step.get_by_role("button", name="Called: Banker wins"))
    dealer.page.get_by_text("takes and pays").wait_for()
    assert [line for line in dealer.settlement() if "Ann" in line and "200" in line]
    history = dealer.screen.ask("/tables/miscalled/history", "staff")
    assert history["rounds"][-1]["facts"]["winner"] == "player"


def test_totals_are_entered_as_they_were_announced(visit: Visit, house: Server) -> None:
    dealer = closed(visit, house, "misannounced")
    dealer.table.draws("2H 2D 3S 3C")
    dealer.shows("Announced: Player 5, Banker 5")
    presses(dealer, dealer.step.get_by_text("Other totals were announced"))
    dealer.step.get_by_label("Player, as said").fill("5")
    dealer.step.get_by_label("Banker, as said").fill("6")
    fits(dealer)
    presses(dealer, dealer.step.get_by_role("button", name="Record what was said"))
    dealer.step.get_by_text("Other totals were announced").wait_for(state="hidden")
    assert dealer.table.view["entries"]["totals"] is None


# hands


def test_hand_that_nobody_backs_is_given_to_a_patron(visit: Visit, house: Server) -> None:
    """Clause 3.10.4.1: the Pit Supervisor can choose who handles it."""
    dealer = dealer_at(visit, house, "nobody-backs")
    dealer.table.opened().seated("Ann", "Bob").do("open-betting")
    dealer.table.wagers(Ann={"player": 200}, Bob={"tie": 100}).do("close-betting")
    dealer.lays("xxxx")
    dealer.shows("Pass Player to Ann")
    presses(dealer, dealer.step.get_by_text("Give Banker to a patron"))
    dealer.shows("Pit Supervisor may choose a patron")
    fits(dealer)
    presses(dealer, dealer.step.get_by_role("button", name="Bob", exact=True))
    dealer.approves("Pit Supervisor")
    dealer.screen.until(
        lambda: dealer.table.view["desk"]["holdings"] == [{"hand": "banker", "patron": "Bob"}]
    )
    dealer.step.get_by_text("Give Banker to a patron").wait_for(state="hidden")


def test_hand_that_went_to_somebody_else_is_noticed(visit: Visit, house: Server) -> None:
    """Clause 5.7.1."""
    dealer = dealer_at(visit, house, "astray")
    dealer.table.opened().seated("Ann", "Bob").do("open-betting")
    dealer.table.wagers(Ann={"player": 200}, Bob={"banker": 100}).do("close-betting")
    dealer.lays("xxxx")
    dealer.shows("Pass Player to Ann")
    presses(dealer, dealer.step.get_by_text("Player went to somebody else"))
    fits(dealer)
    presses(dealer, dealer.step.get_by_role("button", name="Bob", exact=True))
    dealer.screen.says("The table noticed: Cards delivered to the wrong patron")


def test_one_patron_may_not_squeeze(visit: Visit, house: Server) -> None:
    dealer = dealer_at(visit, house, "squeezer")
    dealer.table.opened().seated("Ann", "Bob").do("open-betting")
    dealer.table.wagers(Ann={"player": 200})
    dealer.page.get_by_role("button", name=re.compile("Ann")).click()
    sheet = dealer.page.get_by_role("dialog", name="Ann")
    presses(dealer, sheet.get_by_role("button", name="May not squeeze in this round"))
    dealer.approves("Pit Manager")
    dealer.screen.until(lambda: dealer.table.view["desk"]["squeeze_forbidden_to"] == ["Ann"])


def test_somebody_whom_a_patron_names_may_squeeze(visit: Visit, house: Server) -> None:
    """Clause 3.16: the Pit Manager may let others squeeze."""
    dealer = dealer_at(visit, house, "named")
    dealer.table.opened().seated("Ann").do("open-betting")
    dealer.page.get_by_role("button", name=re.compile("Ann")).click()
    sheet = dealer.page.get_by_role("dialog", name="Ann")
    sheet.get_by_label("Somebody else whom Ann names").fill("Zoe")
    fits(dealer)
    presses(dealer, sheet.get_by_role("button", name="Let them squeeze"))
    dealer.approves("Pit Manager")
    dealer.screen.until(lambda: dealer.table.view["desk"]["squeeze_permitted"] == ["Zoe"])


# the card reader


def test_result_of_the_device_and_an_alarm_are_entered(visit: Visit, house: Server) -> None:
    """Clause 6.3: the cards prevail, and somebody looks at the device."""
    dealer = closed(visit, house, "reader")
    dealer.table.draws("9H 2D KS 5C")
    dealer.shows("Player wins 9 to 7.")
    dealer.page.get_by_role("button", name="More").click()
    more = dealer.page.get_by_role("dialog", name="More")
    shows = more.get_by_role("group", name="The dealing device shows as its result:")
    fits(dealer)
    presses(dealer, shows.get_by_role("button", name="Banker wins"))
    more.wait_for(state="hidden")
    dealer.page.get_by_role("button", name="More").click()
    presses(dealer, more.get_by_role("button", name=re.compile("Give alarm: The card reader is silent")))
    more.wait_for(state="hidden")
    dealer.page.get_by_role("button", name=re.compile("2 alerts")).click()
    alerts = dealer.page.get_by_role("dialog")
    alerts.get_by_text("The card reader is silent").wait_for()


# what can be decided


def test_decision_says_what_it_does_in_its_case(visit: Visit, house: Server) -> None:
    """A case without cards burns the next one of the dealing device, and no card is played in its turn."""
    dealer = closed(visit, house, "no-cards")
    dealer.table.draws("2H 3D")
    dialog = dealer.wrong("something else")
    step = dialog.get_by_role("listitem").filter(has_text="Gaming Shift Manager")
    step.get_by_text("the next card of the dealing device is burned").wait_for()
    assert "the card is" not in step.inner_text()
    dialog.get_by_label("What happened").fill("a guest fainted")
    dealer.press("Enter")
    button = dealer.step.get_by_role("button", name="the next card of the dealing device is burned")
    button.wait_for()
    fits(dealer)
    assert "the card is" not in dealer.step.inner_text()
