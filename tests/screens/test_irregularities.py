"""Irregularities at the dealer console and in the pit, each from what happened to the end of it."""

import pytest
from playwright.sync_api import Locator
from screens.browser import WIDTHS
from screens.conftest import Visit
from screens.dealing import A_CODE, Dealer, Table, closed, dealer_at, felt
from screens.floors import GAMES
from server.served import Server

pytestmark = pytest.mark.timed

TABLES = "".join(
    (
        felt("wrong-hand", GAMES["tiger"]),
        felt("wrong-hand-hoiana", GAMES["hoiana-tiger"]),
        felt("together", GAMES["tiger"]),
        felt("unordered", GAMES["hoiana-tiger"]),
        felt("not-so", GAMES["tiger"]),
        felt("taken-back", GAMES["tiger"]),
        felt("two-cases", GAMES["tiger"]),
        felt("no-burn", GAMES["hoiana-tiger"]),
        felt("viewed", GAMES["hoiana-tiger"]),
        felt("words", GAMES["tiger"]),
        felt("told-before", GAMES["tiger"]),
        felt("mistyped-settled", GAMES["tiger"]),
        felt("uneven", GAMES["tiger"], 'differential = "1000"'),
        felt("gone", GAMES["dragon-tiger"], 'method = "A"'),
        felt("mistyped", GAMES["tiger"]),
        felt("mistyped-later", GAMES["tiger"]),
        felt("another", GAMES["tiger"]),
        felt("one-too-many", GAMES["hoiana-tiger"]),
        felt("undecided", GAMES["tiger"]),
        felt("late", GAMES["tiger"]),
        felt("nobody-wagered", GAMES["tiger"]),
        felt("uncalled", GAMES["tiger"]),
    )
)


def owed(dealer: Dealer) -> Locator:
    """The list of what is owed and what was dealt with."""
    return dealer.page.get_by_role("region", name="Still to be done")


def fits(dealer: Dealer) -> None:
    """Nothing of the page is too wide, too small or unreadable."""
    assert dealer.screen.flaws() == []


def faces(dealer: Dealer) -> dict[str, list[int]]:
    """The ranks of the cards of both hands."""
    cards = dealer.table.view["cards"]["cards"]
    return {
        hand: [each["card"]["rank"] for each in cards if each["hand"] == hand]
        for hand in ("player", "banker")
    }


# where cards lie


def presses(dealer: Dealer, button: Locator) -> None:
    """Press a button by the keyboard, once it can be pressed."""
    dealer.screen.until(button.is_enabled)
    button.focus()
    dealer.press("Enter")


def test_card_given_to_the_wrong_hand_is_put_right(visit: Visit, house: Server) -> None:
    """Clause 5.7: the table notices it, the cards are reconstructed, and the round continues."""
    dealer = closed(visit, house, "wrong-hand")
    dealer.types("9hb")
    dealer.page.get_by_text("put to Banker").wait_for()
    fits(dealer)
    dealer.press("Enter")
    dealer.screen.says("The table noticed: Cards dealt in the wrong order")
    over = owed(dealer).get_by_role("listitem")
    over.get_by_text("The cards are reconstructed").wait_for()
    assert "§\u200a5.7" in over.inner_text()
    assert faces(dealer) == {"player": [9], "banker": []}
    fits(dealer)
    dealer.lays("2dks5c")
    dealer.shows("Player wins 9 to 7.")


def test_play_goes_on_without_a_permission(visit: Visit, house: Server) -> None:
    """Clause 7.9: the Shift Manager may let patrons withdraw; nobody waits for a no."""
    dealer = closed(visit, house, "wrong-hand-hoiana")
    dealer.lays("9hb")
    dealer.shows("Noticed by the table")
    dealer.shows("Shift Manager may allow it. Play need not wait.")
    owed(dealer).get_by_text("can wait").wait_for()
    dealer.screen.until(dealer.step.get_by_role("button", name="Go on").is_enabled)
    fits(dealer)
    dealer.next("Go on")
    dealer.shows("Banker")
    assert faces(dealer) == {"player": [9], "banker": []}
    dealer.lays("2dks5c")
    dealer.shows("Player wins 9 to 7.")


def test_first_two_cards_come_together(visit: Visit, house: Server) -> None:
    """Clause 5.8.1: their order is known, so patrons may withdraw, and the cards are laid in it."""
    dealer = closed(visit, house, "together")
    dealer.types("9h>2d")
    dealer.page.get_by_text("together, in this order").wait_for()
    dealer.press("Enter")
    dealer.shows("Patrons may withdraw single wagers")
    dealer.page.get_by_role("listitem").filter(has_text="Cards set aside").get_by_text("2").wait_for()
    duty = owed(dealer)
    duty.get_by_text("Patrons are asked whether they withdraw").wait_for()
    fits(dealer)
    ann = dealer.step.get_by_role("listitem").filter(has_text="Ann")
    presses(dealer, ann.get_by_role("button", name="Stays"))
    duty.locator("s").filter(has_text="Ann").wait_for()
    fits(dealer)
    bob = dealer.step.get_by_role("listitem").filter(has_text="Bob")
    presses(dealer, bob.get_by_role("button", name="Withdraws").first)
    dealer.approves("Pit Supervisor")
    dealer.shows("Next card")
    assert faces(dealer) == {"player": [9], "banker": [2]}
    assert [each["patron"] for each in dealer.table.view["wagers"]["lying"]] == ["Ann"]
    dealer.lays("ks5c")
    dealer.shows("Player wins 9 to 7.")


def test_order_of_cards_that_came_together_is_ruled(visit: Visit, house: Server) -> None:
    """Clause 7.13: nobody knows the order, and the Pit Manager determines it; then patrons are asked."""
    dealer = closed(visit, house, "unordered")
    dealer.lays("9h+2d")
    dealer.shows("Pit Manager must decide.")
    fits(dealer)
    dealer.lays("2d9h")
    dealer.approves("Pit Manager")
    dealer.screen.says("Approved by Pit Manager.")
    dealer.shows("Patrons may withdraw")
    dealer.step.get_by_role("button", name="End the offer").click()
    dealer.shows("Next card")
    assert faces(dealer) == {"player": [2], "banker": [9]}


def test_face_that_is_not_known_and_another_card_than_the_known_one(visit: Visit, house: Server) -> None:
    """Clauses 5.6, 5.2, 6.1: a card seen in the device is played in its turn; what came instead waits."""
    dealer = closed(visit, house, "another")
    dealer.lays("x2dks")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 3)
    dialog = dealer.wrong("face up")
    dialog.get_by_text("The card", exact=True).wait_for()
    dealer.types("7c")
    dealer.press("Enter")
    dialog.get_by_role("heading", name="How many cards").wait_for()
    dealer.press("0")
    reports(dealer, dialog)
    dealer.lays("5c")
    came = dealer.page.get_by_role("button", name="Another card came: 5♣")
    came.wait_for()
    fits(dealer)
    dealer.screen.until(came.is_enabled)
    presses(dealer, came)
    dealer.page.get_by_text("Order in the dealing device altered").first.wait_for()
    dealer.page.get_by_text("Gaming Shift Manager must decide.").first.wait_for()


def test_card_that_no_hand_takes_is_recorded_where_it_was_put(visit: Visit, house: Server) -> None:
    """Clause 7.6: Player stands on 7; the card opens the next hand, which is free."""
    dealer = closed(visit, house, "one-too-many")
    dealer.lays("khkd7s6c")
    dealer.shows("Player wins 7 to 6.")
    presses(dealer, dealer.page.get_by_role("button", name="Another card came out"))
    dealer.types("5hp")
    dealer.press("Enter")
    owed(dealer).get_by_text("A free hand is dealt; cards that wait to begin it: 1").wait_for()
    dealer.screen.until(dealer.page.get_by_role("button", name="Call the outcome").is_enabled)
    fits(dealer)
    dealer.next("Call the outcome")
    dealer.settles()
    dealer.next("Deal the free hand")
    dealer.shows("Banker")
    assert faces(dealer) == {"player": [5], "banker": []}
    assert owed(dealer).count() == 0


# reports


def reports(dealer: Dealer, dialog: Locator) -> None:
    """The step that the rulebook requires is there, and Enter reports it."""
    report = dialog.get_by_role("button", name="Report it")
    report.wait_for()
    dealer.screen.until(report.is_enabled)
    dealer.press("Enter")
    dialog.wait_for(state="hidden")


def foreign(dealer: Dealer) -> None:
    """A foreign card is reported."""
    reports(dealer, dealer.wrong("foreign card"))


def test_report_is_found_not_so_by_somebody_else(visit: Visit, house: Server) -> None:
    """Clause 5.1: nobody declines the void; that the fact was not so another person establishes."""
    dealer = closed(visit, house, "not-so")
    dealer.lays("9h2d")
    foreign(dealer)
    dealer.shows("Reported by Dealer")
    dealer.shows("Pit Manager must decide.")
    dealer.step.get_by_text("It is not so").click()
    dealer.shows("not whoever reported it")
    fits(dealer)
    assert not dealer.step.get_by_label("What was found instead").is_visible(), (
        "nobody judges their own report"
    )
    pit = visit(None, at=house, post="pit-manager")
    Table(pit, "not-so").staffed(post="pit-manager")
    pit.open("/pit?table=not-so")
    case = pit.page.get_by_role("region", name="Irregularity under way")
    case.get_by_text("It is not so", exact=True).click()
    assert case.get_by_role("button", name="Record that it is not so").is_disabled(), "it says what was found"
    case.get_by_label("What was found instead").fill("the back is ours, only worn")
    assert pit.flaws() == []
    case.get_by_role("button", name="Record that it is not so").click()
    case.wait_for(state="detached")
    owed(dealer).get_by_text("Not so, Pit Manager found: the back is ours, only worn.").wait_for()
    fits(dealer)
    dealer.lays("ks5c")
    dealer.shows("Player wins 9 to 7.")


def test_report_is_taken_back_by_who_made_it(visit: Visit, house: Server) -> None:
    dealer = closed(visit, house, "taken-back")
    dealer.lays("9h2d")
    foreign(dealer)
    dealer.shows("Reported by Dealer")
    presses(dealer, dealer.step.get_by_text("It is not so"))
    presses(dealer, dealer.step.get_by_role("button", name="Take my report back"))
    dealer.shows("Next card")
    assert dealer.table.view["desk"]["cases"] == []


def test_foreign_card_during_an_offer(visit: Visit, house: Server) -> None:
    """Clause 5.1 during 5.8.1: both are open, the void goes before, and it ends the offer."""
    dealer = closed(visit, house, "two-cases")
    dealer.lays("9h>2d")
    dealer.shows("Patrons may withdraw single wagers")
    foreign(dealer)
    dealer.shows("Foreign card")
    cases = dealer.page.get_by_role("region", name="2 irregularities are open, the gravest first")
    lines = cases.get_by_role("listitem").all_inner_texts()
    assert [line.partition("\n")[0] for line in lines] == ["Foreign card", "Several cards drawn at once"]
    assert "dealt with now" in lines[0]
    assert "play waits" in lines[0]
    fits(dealer)
    dealer.next("Confirm the facts")
    dealer.approves("Pit Manager")
    dealer.page.get_by_role("region", name="Round 1 is void: everything goes back").wait_for()
    assert dealer.page.get_by_role("region", name="The last round").count() == 0, "the cards are gone"
    owed(dealer).get_by_text("The set is found whole, or new cards come").wait_for()
    assert dealer.table.view["wagers"]["lying"] == []
    fits(dealer)


def test_void_round_without_wagers_says_so_and_clears(visit: Visit, house: Server) -> None:
    """Clause 5.1.1: nothing goes back, and the console says that the round is void all the same."""
    dealer = dealer_at(visit, house, "nobody-wagered")
    dealer.table.opened().do("open-betting")
    dealer.table.do("close-betting")
    dealer.lays("9h2d")
    foreign(dealer)
    dealer.next("Confirm the facts")
    dealer.approves("Pit Manager")
    dealer.page.get_by_role("status").get_by_text("Round 1 is void").first.wait_for()
    assert dealer.page.get_by_role("region", name="The last round").count() == 0, "the cards are gone"
    fits(dealer)


def test_decision_is_told_as_alternatives(visit: Visit, house: Server) -> None:
    """Clause 6.1: void or continue, never both; the reason is asked for before the second person is."""
    dealer = closed(visit, house, "undecided")
    dealer.lays("9h2d")
    dialog = dealer.wrong("something else")
    dialog.get_by_text("Gaming Shift Manager decides: the round is void, play goes on").wait_for()
    fits(dealer)
    dealer.types("a drink on the layout")  # what is typed goes into the field that is needed
    reports(dealer, dialog)
    dealer.shows("Gaming Shift Manager decides: the round is void, play goes on")
    goes_on = dealer.step.get_by_role("button", name="play goes on", exact=True)
    assert goes_on.is_disabled()
    dealer.step.get_by_label("Reason of the decision").fill("the lamp is steady")
    goes_on.click()
    dealer.approves("Gaming Shift Manager")
    dealer.screen.says("Approved by Gaming Shift Manager.")
    dealer.shows("Next card")


def test_late_wager_asks_whose_it_is(visit: Visit, house: Server) -> None:
    """Clause 5.4: no report without patron, wager and amount; a wager within its limits is not over them."""
    dealer = closed(visit, house, "late")
    dialog = dealer.wrong("over the maximum")
    assert not dialog.get_by_role("button", name="Report it").is_visible()
    dealer.press("Escape")
    dialog = dealer.wrong("too late")
    dialog.get_by_role("heading", name="patron").wait_for()
    dealer.press("1")
    dialog.get_by_role("heading", name="amount").wait_for()  # the table knows Ann's only wager
    dealer.types("50")
    dealer.press("Enter")
    reports(dealer, dialog)
    dealer.screen.until(lambda: dealer.table.view["wagers"]["lying"][0]["stake"] == 15_000)


# obligations


def test_forgotten_burn_is_made_up_for(visit: Visit, house: Server) -> None:
    """Clause 7.11.1: no card was viewed, so the card goes back and the burn comes before the next one."""
    dealer = closed(visit, house, "no-burn", burn=False)
    dealer.lays("x")
    dealer.screen.says("The table noticed: Burn forgotten")
    dealer.shows("The burn is still to be made")
    owed(dealer).get_by_text("Cards are burned before the next card").wait_for()
    fits(dealer)
    dealer.lays("5h")
    dealer.shows("Next card")
    assert dealer.table.view["shoe"]["burned"] == 6
    assert owed(dealer).get_by_text("Cards are burned").count() == 0
    dealer.lays("9h2dks5c")
    dealer.shows("Player wins 9 to 7.")


def test_patrons_choose_after_a_hand_without_a_burn(visit: Visit, house: Server) -> None:
    """Clauses 7.11.2 and 7.11.2.1: a card was viewed; patrons who disagree leave it to the post of 7.20."""
    dealer = dealer_at(visit, house, "viewed")
    dealer.table.opened(burn=False).seated("Ann", "Bob")
    dealer.table.do("open-betting")
    dealer.table.do("close-betting")
    dealer.lays("9h")  # the table notices that no card was burned, which ends what is typed
    dealer.page.get_by_text("Burn forgotten").first.wait_for()
    dealer.lays("2dks5c")
    dealer.shows("Player wins 9 to 7.")
    dealer.table.do("call-outcome", winner="player")
    dealer.table.do("choose-cards", patron="Ann", replace=True)
    dealer.table.do("choose-cards", patron="Bob", replace=False)
    dealer.shows("Patrons disagree about new cards")
    dealer.page.get_by_text("7.20").first.wait_for()
    (duty,) = (each for each in dealer.table.view["desk"]["duties"] if each["kind"] == "decide")
    assert duty["clauses"] == ["7.20"]
    fits(dealer)


def test_something_else_is_reported_in_words(visit: Visit, house: Server) -> None:
    dealer = closed(visit, house, "words")
    dialog = dealer.wrong("something else")
    report = dialog.get_by_role("button", name="Report")
    dialog.get_by_label("What happened, in words").fill("  ")
    assert report.is_disabled()
    dialog.get_by_label("What happened, in words").fill("a drink on the layout")
    reports(dealer, dialog)
    dealer.shows("a drink on the layout")


def test_a_payment_of_an_earlier_round_is_told_by_keys_and_read_before_it_is_approved(
    visit: Visit, house: Server
) -> None:
    dealer = closed(visit, house, "told-before")
    for _ in range(2):
        dealer.table.draws("9H 2D KS 5C")
        dealer.table.do("call-outcome", winner="player")
        dealer.table.do("open-betting")
        dealer.table.wagers(Ann={"player": 200})
        dealer.table.do("close-betting")
    dealer.page.locator("[data-entry]").wait_for()
    dialog = dealer.wrong("something else")
    dialog.get_by_role("heading", name="Which patron is it about?").wait_for()
    dealer.press("l")  # left out
    dialog.get_by_label("What happened, in words").wait_for()
    dialog.get_by_role("button", name="Back").click()
    dialog.get_by_role("heading", name="Which patron is it about?").wait_for()
    dealer.press("1")
    dialog.get_by_label("SGD").fill("50")
    dealer.press("Enter")
    dialog.get_by_role("heading", name="Was it too little?").wait_for()
    dealer.press("y")
    dialog.get_by_text("Ann · SGD 50.00 too little").wait_for()
    dialog.get_by_text("Two people must agree to this.").wait_for()
    fits(dealer)
    dialog.get_by_label("What happened, in words").fill("paid 150")
    dealer.press("Enter")
    asked = dealer.page.get_by_role("dialog", name="A second person is needed")
    asked.get_by_text("Report: Something else. Ann · SGD 50.00 too little. paid 150").wait_for()


def test_differential_is_met_by_raises_and_removal(visit: Visit, house: Server) -> None:
    """Clauses 5.18.1 to 5.18.3: one decreases, one increases, and the Pit Manager removes the rest."""
    dealer = dealer_at(visit, house, "uneven")
    dealer.table.opened().seated("Ann", "Bob")
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 3000}, Bob={"banker": 500})
    dealer.table.do("close-betting")
    owed(dealer).get_by_text("Player is asked to decrease by 1,500").wait_for()
    fits(dealer)
    dealer.next("Ask Player to decrease")
    owed(dealer).get_by_text("Wagers change until Player has 1,500 less").wait_for()
    dealer.cell("Bob", "Banker").click()
    dealer.types("300")
    dealer.press("Enter")
    owed(dealer).get_by_text("Wagers change until Player has 1,200 less").wait_for()
    dealer.cell("Ann", "Player").click()
    dealer.types("-200")
    dealer.press("Enter")
    owed(dealer).locator("s").filter(has_text="Ann").wait_for()
    owed(dealer).get_by_text("Wagers on Player are removed: 1,000").wait_for()
    fits(dealer)
    dealer.step.get_by_role("textbox").fill("1000")
    dealer.step.get_by_role("button", name="Take off").click()
    dealer.approves("Pit Manager")
    dealer.shows("Next card")
    assert owed(dealer).count() == 0
    stakes = {each["patron"]: each["stake"] for each in dealer.table.view["wagers"]["lying"]}
    assert stakes == {"Ann": 180_000, "Bob": 80_000}


def test_patron_is_gone_while_another_holds_the_other_hand(visit: Visit, house: Server) -> None:
    """Clause 5.11: the cards of the one are replaced, and the other squeezes and opens in peace."""
    dealer = dealer_at(visit, house, "gone")
    dealer.table.opened().seated("Ann", "Bob")
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 200}, Bob={"banker": 100})
    dealer.table.do("close-betting")
    dealer.lays("xxxx")
    dealer.next("Pass Player to Ann")
    dealer.screen.until(lambda: len(dealer.table.view["desk"]["holdings"]) == 1)
    dealer.table.do("pass-cards", hand="banker", patron="Bob")
    dialog = dealer.wrong("left with cards")
    dialog.get_by_role("heading", name="patron").wait_for()
    dealer.press("1")
    dialog.get_by_role("heading", name="Is the value of the cards known?").wait_for()
    dealer.press("n")
    reports(dealer, dialog)
    dealer.shows("Ann")
    owed(dealer).get_by_text("The possible third cards are set aside").wait_for()
    fits(dealer)
    dealer.lays("4h6d")
    dealer.approves("Gaming Shift Manager")
    dealer.shows("Bob opens Banker first.")
    dealer.lays("kcqd")
    dealer.shows("All other cards are sorted and shown.")
    fits(dealer)
    dealer.lays("9sks4h6d")
    dealer.approves("Pit Manager")
    dealer.shows("Equal cards from a complete deck")
    owed(dealer).get_by_text("Equal cards take the place of the missing ones").wait_for()
    dealer.lays("9sks")
    dealer.shows("Player wins 9 to 0.")


def test_result_is_shown_nowhere_before_it_is_called(visit: Visit, house: Server) -> None:
    """Clause 3.10.1: the Dealer announces; wall, console and lobby get the result with the call."""
    dealer = closed(visit, house, "uncalled")
    wall = visit("/display?table=uncalled", at=house, size=WIDTHS["wall"])
    lobby = visit("/", at=house)
    own = lobby.page.get_by_role("listitem").filter(has_text="uncalled")
    own.wait_for()
    dealer.lays("9h2dks5c")
    dealer.shows("Player wins 9 to 7.")
    said = wall.page.get_by_label("The round on the table")
    wall.until(lambda: said.get_by_role("img").count() == 4)
    assert said.get_by_text("wins").count() == 0
    bead = wall.page.get_by_role("img", name="Bead plate", exact=True)
    boards = [dealer.page.locator(".board"), own]
    assert bead.locator("g").count() == 0
    assert [each.locator("svg g").count() for each in boards] == [0, 0]
    dealer.next("Call the outcome")
    said.get_by_text("Player wins").wait_for()
    wall.until(lambda: bead.locator("g").count() == 1)
    for board in boards:
        board.locator("svg g").first.wait_for()


# a card entered wrongly


def test_mistyped_card_is_corrected_by_two_people(visit: Visit, house: Server) -> None:
    """Clause 6.3: the card that lies there decides; two people correct the entry before the call."""
    dealer = closed(visit, house, "mistyped")
    dealer.lays("9h2dks5c")
    dealer.shows("Player wins 9 to 7.")
    dialog = dealer.wrong("mistyped")
    dialog.get_by_role("heading", name="Which card is wrong?").wait_for()
    fits(dealer)
    dealer.press("1")
    dialog.get_by_label("The card that lies there").wait_for()
    dealer.types("4h")
    fits(dealer)
    dealer.press("Enter")
    dealer.page.get_by_role("dialog").get_by_text("Correct card 1 to 4♥").wait_for()
    dealer.approves("Pit Supervisor")
    dealer.screen.says("Card 1 is corrected by Dealer and Pit Supervisor.")
    dealer.shows("Next card")
    dealer.shows("Player")
    assert faces(dealer) == {"player": [4, 13], "banker": [2, 5]}
    dealer.lays("3s")
    dealer.shows("Tie at 7.")


def test_card_of_an_earlier_round_is_corrected_in_the_pit(visit: Visit, house: Server) -> None:
    """Clauses 6.3 and 6.1: after the next opening the record is put right and the money referred."""
    dealer = closed(visit, house, "mistyped-later")
    dealer.table.draws("9H 2D KS 5C").do("call-outcome", winner="player")
    dealer.table.round()
    pit = visit(None, at=house, post="pit-manager")
    Table(pit, "mistyped-later").staffed(post="pit-manager")
    pit.open("/pit?table=mistyped-later")
    pit.button("A card was entered wrongly").click()
    dialog = pit.page.get_by_role("dialog", name="A card was entered wrongly")
    dialog.get_by_label("Round").fill("1")
    dialog.get_by_role("button", name="3.").click()
    dialog.get_by_label("The card that lies there").fill("qs")
    assert pit.flaws() == []
    dialog.get_by_role("button", name="Correct it").click()
    approval = pit.page.get_by_role("dialog", name="A second person is needed")
    approval.wait_for()
    house.move(A_CODE)  # a code is good once
    approval.get_by_label("Why it is put right").fill("misread at the table")
    approval.get_by_role("button", name="Pit Supervisor", exact=True).click()
    pit.until(lambda: approval.get_by_label("Password").input_value() != "")
    approval.get_by_role("button", name="Approve").click()
    approval.wait_for(state="hidden")
    case = pit.page.get_by_role("region", name="Irregularity under way")
    case.get_by_text("Gaming Shift Manager must decide.").wait_for()
    assert "Noticed by the table" in case.inner_text()
    assert "Card corrected, and no rule says what follows" in case.inner_text()


def test_corrected_round_is_found_and_is_under_way_until_it_is_called_again(
    visit: Visit, house: Server
) -> None:
    """Clause 6.3: a card is corrected after the settlement, which is taken back, and called anew."""
    dealer = closed(visit, house, "mistyped-settled")
    dealer.table.draws("9H 2D KS 5C").do("call-outcome", winner="player")
    dialog = dealer.wrong("mistyped")
    dialog.get_by_role("heading", name="Which card is wrong?").wait_for()
    dealer.press("1")
    dialog.get_by_label("The card that lies there").wait_for()
    dealer.types("7h")
    dealer.press("Enter")
    dealer.approves("Pit Supervisor")
    dealer.screen.says("Card 1 is corrected by Dealer and Pit Supervisor.")
    dealer.shows("Tie at 7.")
    (alert,) = dealer.table.view["alerts"]["alerts"]
    assert (alert["kind"], alert["acknowledged_by"]) == ("card-corrected", None)
    records = visit("/records?part=rounds&table=mistyped-settled", at=house, post="auditor")
    records.expect_error("rounds/1")
    line = records.page.get_by_role("region", name="Rounds").get_by_role("listitem").first
    line.get_by_text("Card corrected").wait_for()
    line.get_by_text("Under way").wait_for()
    line.get_by_role("button").first.click()
    records.page.get_by_text("Round 1 is not over").first.wait_for()
    dealer.table.do("call-outcome", winner="tie")
    incidents = visit("/records?part=incidents", at=house, post="auditor")
    rounds = incidents.page.get_by_role("region", name="Incidents").get_by_role("listitem")
    rounds.filter(has_text="mistyped-settled").filter(has_text="Tie").get_by_text("Card corrected").wait_for()
    found = incidents.ask("/tables/mistyped-settled/rounds?irregular=1", "staff")["rounds"]
    assert [(each["number"], each["winner"], each["corrected"]) for each in found] == [(1, "tie", True)]
