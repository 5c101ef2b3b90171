"""Chips that moved by a settlement which was taken back: the console says first what goes back."""

import pytest
from screens.conftest import Visit
from screens.dealing import Dealer, closed, felt
from screens.floors import GAMES
from server.served import Server

pytestmark = pytest.mark.timed

TABLES = "".join(felt(name, GAMES["tiger-nc"]) for name in ("corrected", "unpaid", "void", "again", "wager"))


def called(visit: Visit, house: Server, name: str) -> Dealer:
    """Player wins 9 to 7: Ann has 200 on Player, Bob 100 on Banker, and the outcome is called."""
    dealer = closed(visit, house, name)
    dealer.table.draws("9H 2D KS 5C").do("call-outcome", winner="player")
    dealer.page.get_by_text("takes and pays").wait_for()
    return dealer


def corrects(dealer: Dealer, number: str, card: str) -> None:
    """Two people correct a card."""
    dialog = dealer.wrong("mistyped")
    dialog.get_by_role("heading", name="Which card is wrong?").wait_for()
    dealer.press(number)
    dialog.get_by_label("The card that lies there").wait_for()
    dealer.types(card)
    dealer.press("Enter")
    dealer.approves("Pit Supervisor")
    dialog.wait_for(state="hidden")


def void(dealer: Dealer) -> None:
    """A foreign card is found while chips are still being paid, and the facts are confirmed."""
    dialog = dealer.wrong("foreign card")
    dialog.get_by_role("heading", name="still being taken and paid").wait_for()
    dealer.press("y")
    report = dialog.get_by_role("button", name="Report it")
    report.wait_for()
    dealer.screen.until(report.is_enabled)
    dealer.press("Enter")
    dialog.wait_for(state="hidden")
    dealer.next("Confirm the facts")
    dealer.approves("Pit Manager")


def test_corrected_round_that_was_paid_is_undone_first(visit: Visit, house: Server) -> None:
    """Clause 6.3: Banker wins 7 to 6 after all; Ann is at -200 and Bob at +100, whoever follows the lines."""
    dealer = called(visit, house, "corrected")
    dealer.settles()
    corrects(dealer, "1", "6h")
    dealer.screen.says("Card 1 is corrected by Dealer and Pit Supervisor.")
    taken_back = dealer.page.get_by_role("region", name="Round 1: its settlement is taken back")
    taken_back.get_by_text("card 1 was corrected").wait_for()
    taken_back.get_by_text("Leave the chips where they are.").wait_for()
    assert dealer.screen.flaws() == []
    dealer.next("Call the outcome")
    dealer.page.get_by_role("heading", name="Take back what was paid").wait_for()
    lines = dealer.settlement()
    assert [line.split(" Clause")[0] for line in lines] == [
        "1 Ann Player 200",
        "2 Bob Banker 100",
        "1 Ann Player 200",
        "2 Bob Banker · 1 to 1 +100",
    ]
    headings = dealer.page.get_by_role("region", name="takes and pays").get_by_role("heading", level=3)
    assert [each.lower() for each in headings.all_inner_texts()] == [
        "take back what was paid",
        "give back what was taken",
        "take",
        "pay",
    ]
    assert dealer.screen.flaws() == []
    dealer.press("Space", "Space")
    dealer.screen.says("2 left")
    dealer.page.reload()
    dealer.screen.says("2 left")
    dealer.settles()
    dealer.step.get_by_role("button", name="Open betting").wait_for()


def test_what_was_not_paid_yet_is_undone_only_if_it_was(visit: Visit, house: Server) -> None:
    """Bob's chips were taken, and Ann was not paid when the card was corrected."""
    dealer = called(visit, house, "unpaid")
    dealer.press("Space")
    dealer.screen.says("1 left")
    corrects(dealer, "1", "6h")
    dealer.next("Call the outcome")
    dealer.page.get_by_role("heading", name="Take back what was paid").wait_for()
    ann, bob, *_ = dealer.settlement()
    assert "only if it was paid" in ann
    assert "only if" not in bob


def test_void_round_that_was_paid_is_undone_first(visit: Visit, house: Server) -> None:
    """Clause 5.1.1: what was paid and taken goes back, and then the stakes do."""
    dealer = called(visit, house, "void")
    dealer.settles()
    void(dealer)
    section = dealer.page.get_by_role("region", name="Round 1 is void: everything goes back")
    section.get_by_text("Foreign card").wait_for()
    assert [line.split(" Clause")[0] for line in dealer.settlement()] == [
        "1 Ann Player 200",
        "2 Bob Banker 100",
        "1 Ann Player 200",
        "2 Bob Banker 100",
    ]
    section.get_by_role("heading", name="Take back what was paid").wait_for()
    section.get_by_role("heading", name="Give back what was taken").wait_for()
    assert dealer.screen.flaws() == []


def test_card_corrected_twice_undoes_both_settlements(visit: Visit, house: Server) -> None:
    dealer = called(visit, house, "again")
    dealer.settles()
    corrects(dealer, "1", "6h")
    dealer.next("Call the outcome")
    dealer.page.get_by_role("heading", name="Take back what was paid").wait_for()
    dealer.settles()
    corrects(dealer, "1", "9h")
    dealer.next("Call the outcome")
    dealer.screen.says("4 left")  # what the first correction undid is done
    dealer.settles()


def test_corrected_wager_says_why_its_settlement_is_taken_back(visit: Visit, house: Server) -> None:
    """Ann's 200 lay on Tie: no chip moves until the call, and then what was paid is taken back first."""
    dealer = called(visit, house, "wager")
    dialog = dealer.wrong("wrong amount")
    dialog.get_by_role("heading", name="Which wager is wrong?").wait_for()
    dealer.press("1")
    dialog.get_by_label("What really lay there").select_option(label="Tie")
    dialog.get_by_role("button", name="Correct it").click()
    dealer.approves("Pit Supervisor")
    reason = dealer.page.get_by_text("a wager was corrected or found")
    reason.wait_for()
    dealer.next("Call the outcome")
    dealer.page.get_by_text("Take back what was paid").first.wait_for()
    assert reason.is_visible()
