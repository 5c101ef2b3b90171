"""Irregularities at the practice table: what is typed when cards, reports and wagers go another way."""

from pathlib import Path

import pytest
from cli.own_files import own_house
from cli.test_table_command import FOUR_CARDS, HOIANA, TIGER, Table, situations

from thirdcard.rulebook.irregularity import Situation

WAGER = "100 player"


@pytest.fixture
def sit(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(capsys, monkeypatch)


def number(game: str, situation: Situation) -> str:
    """The number under which a situation is listed."""
    return str(situations(game).index(situation) + 1)


def test_card_given_to_the_wrong_hand_is_put_right(sit: Table) -> None:
    """Clause 5.7."""
    said = sit(TIGER, WAGER, "card to banker", "deal")
    assert "Table reports: Cards dealt in the wrong order. [5.7]" in said
    assert "The cards are reconstructed. [5.7]" in said
    assert "Round 1 is over." in said


def test_first_two_cards_come_together_in_a_known_order(sit: Table) -> None:
    """Clause 5.8.1: patrons may withdraw single wagers."""
    said = sit(TIGER, WAGER, "together", "wrong", "1", "deal")
    assert "came out together and lie aside." in said
    assert "- Patrons are asked whether they withdraw [5.8.1] (Guest)" in said
    assert "Round 1 is over." in said


def test_order_that_nobody_knows_is_ruled(sit: Table) -> None:
    """Clause 7.13: the Pit Manager determines it."""
    said = sit(HOIANA, WAGER, "together 2 unordered", "owed")
    assert "- The order of the cards is determined [7.13] (Pit Manager)" in said


def test_card_that_stays_face_down_is_opened_later(sit: Table) -> None:
    said = sit(TIGER, WAGER, "card down", "deal")
    assert "Player gets a card face down." in said
    assert "Round 1 is over." in said


def test_other_card_than_the_known_one_waits_for_the_post(sit: Table) -> None:
    """Clauses 5.6, 5.2, 6.1: a card that was seen in the device is played in its turn."""
    said = sit(
        TIGER, WAGER, "card", "wrong", number(TIGER, Situation.FACE_UP_CARD), "0", "yes", "card KS instead"
    )
    assert "The card is played in its turn. [5.6]" in said
    assert "Banker gets KS." not in said
    assert "The order of the cards is in doubt." in said
    assert "Waiting for a decision (Gaming Shift Manager). [6.1]" in said


def test_report_is_found_not_so(sit: Table) -> None:
    """Clause 5.1: somebody else than the reporter says what was found."""
    said = sit(
        TIGER,
        *(WAGER, "card", "wrong", number(TIGER, Situation.FOREIGN_CARD), "yes", "back"),
        *("owed", "disprove the back is ours", "deal"),
    )
    assert "- The facts are confirmed [5.1.1] (Pit Manager)" in said
    assert "It is not so (Pit Manager): the back is ours." in said
    assert "Round 1 is over." in said


def test_report_is_taken_back(sit: Table) -> None:
    said = sit(
        TIGER,
        *(WAGER, "card", "wrong", number(TIGER, Situation.FOREIGN_CARD), "yes", "back", "withdraw", "deal"),
    )
    assert "Dealer takes the report back." in said
    assert "Round 1 is over." in said


def test_one_of_several_reports_is_taken_back_or_found_not_so(sit: Table) -> None:
    """Clauses 5.1 and 6.1: the irregularity that is meant is chosen, also one behind another."""
    foreign, other = number(TIGER, Situation.FOREIGN_CARD), number(TIGER, Situation.NOT_COVERED)
    reported = ("wrong", other, "yes", "a drink", "back", "wrong more", foreign, "yes", "back")
    lines = (WAGER, "card", *reported)
    back = sit(TIGER, *lines, "withdraw", "2", "owed")
    assert "1 Foreign card 2 Something else" in back
    assert "Dealer takes the report back." in back
    assert "The facts are confirmed [5.1.1]" in back.rpartition("takes the report back")[2]
    found = sit(TIGER, *lines, "disprove it is ours", "1", "owed")
    assert "It is not so (Pit Manager): it is ours." in found
    assert "(Gaming Shift Manager)" in found.rpartition("it is ours.")[2]


def test_closed_report_is_taken_back_by_two(sit: Table) -> None:
    """Clause 5.6: a card seen in the device was to be played in its turn; it was not seen after all."""
    seen = number(TIGER, Situation.FACE_UP_CARD)
    said = sit(TIGER, WAGER, "card", "wrong", seen, "0", "yes", "withdraw", "card KS instead")
    assert "The card is played in its turn. [5.6]" in said
    assert "Dealer and Pit Manager take the report back." in said


def test_foreign_card_during_an_offer_goes_first(sit: Table) -> None:
    """Clause 5.1 during 5.8.1."""
    lines = (WAGER, "together", "wrong more", number(TIGER, Situation.FOREIGN_CARD), "yes", "back", "owed")
    said = sit(TIGER, *lines)
    assert "Open and dealt with now: Foreign card [5.1] Open: Several cards drawn at once [5.8]" in said
    void = sit(TIGER, *lines, "wrong", "yes")
    assert "Round 1 is void. [5.1.1]" in void
    assert "- The set is found whole, or new cards come [2.1]" in void


def test_forgotten_burn_is_made_before_the_next_card(sit: Table) -> None:
    """Clause 7.11.1: no card was viewed."""
    burn = number(HOIANA, Situation.BURN_FORGOTTEN)
    said = sit(HOIANA, "new unburned", WAGER, "card down", "wrong", burn, "no", "yes", "card", "burn", "deal")
    assert "- Cards are burned before the next card" in said
    assert "Not done:" in said, "no card comes before the burn"
    assert "Cards burned: " in said
    assert "Round 1 is over." in said


def test_differential_is_met_by_a_raise_and_a_removal(sit: Table, tmp_path: Path) -> None:
    """Clauses 5.18.1 to 5.18.3."""
    house = own_house(tmp_path, 'differential = "10000"', 'differential = "1000"')
    said = sit(
        TIGER,
        *("3000 player", "100 banker", "card", "ask", "100 banker", "off 300 player", "owed"),
        *("remove 500 player", "owed"),
        *("card", "remove x", "remove 5 nothing"),
        house=house,
    )
    assert "- Player is asked to decrease by 1900.00 [5.18, 5.18.1]" in said
    assert "- Wagers change until Player has 1900.00 less [5.18] (Guest)" in said
    assert "Guest wagers 100.00 on banker. [2.2.1, 3.5, 3.5.1, 5.18.2]" in said
    assert "- Wagers on Player are removed: 1500.00 [5.18.3] (Pit Manager)" in said
    assert "- Wagers on Player are removed: 1000.00 [5.18.3] (Pit Manager)" in said
    assert "Say what is removed: remove 500 player." in said


def test_mistyped_card_is_corrected_by_two_people(sit: Table) -> None:
    """Clause 6.3: the card that lies there decides."""
    said = sit(TIGER, WAGER, *FOUR_CARDS, "correct 1 AH", "correct 9 AH", "correct x")
    assert "[Dealer and Pit Manager] Two people stand for this." in said
    assert "Card 1 of round 1 is AH, not" in said
    assert "(Dealer and Pit Manager)" in said
    assert "Say which card, and the one that lies there: correct 3 9h." in said


def test_what_is_typed_otherwise_is_explained(sit: Table) -> None:
    said = sit(TIGER, "card sideways", "together 9", "new at once", "wrong again", "owed", "help")
    assert "Say how it came: card, card to banker" in said
    assert "Say how many came: together" in said
    assert "Type new, or new unburned" in said
    assert "Type wrong, or wrong more" in said
    assert "Nothing is owed." in said
    assert "two people correct a card that was entered wrongly" in said
