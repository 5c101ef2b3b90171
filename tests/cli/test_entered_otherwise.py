"""Entries at the practice table beside the next step: corrections, calls, methods and alarms."""

import pytest
from cli.test_table_command import FOUR_CARDS, TIGER, Table

DRAGON = "mbs-dragon-tiger-nc-2023"
WAGER = "100 player"


@pytest.fixture
def sit(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(capsys, monkeypatch)


def test_wager_that_was_entered_wrongly_is_corrected_by_two_people(sit: Table) -> None:
    said = sit(TIGER, WAGER, "card", "correct 40 player to tie", "bets")
    assert "[Dealer and Pit Manager] Two people stand for this." in said
    assert (
        "40.00 of Guest on player was entered by mistake and is taken out (Dealer and Pit Manager)." in said
    )
    assert "Guest is found to have 40.00 on tie." in said
    assert "You have 9900.00 SGD." in said


def test_settled_wager_that_did_not_lie_there_is_taken_out(sit: Table) -> None:
    said = sit(TIGER, WAGER, "50 banker", "deal", "correct 50 banker to nothing", "deal", "bets")
    assert "The settlement is taken back." in said
    assert (
        "50.00 of Guest on banker was entered by mistake and is taken out (Dealer and Pit Manager)." in said
    )
    assert said.count("Round 1 is over.") == 2


@pytest.mark.parametrize("typed", ["correct", "correct 50 player", "correct x to nothing"])
def test_correction_that_is_not_understood_says_how(typed: str, sit: Table) -> None:
    assert "correct 50 player to nothing." in sit(TIGER, WAGER, "card", typed)


@pytest.mark.parametrize(
    "typed", ["correct 50 what to tie", "correct 50 player to what", "correct 1,5 player to tie"]
)
def test_correction_of_what_is_not_there_changes_nothing(typed: str, sit: Table) -> None:
    assert "entered by mistake" not in sit(TIGER, WAGER, "card", typed)


def test_closing_call_is_made_after_the_first_card(sit: Table) -> None:
    """Clauses 3.2 and 6.1."""
    said = sit(TIGER, WAGER, "card uncalled", "close", "wrong", "2", "all had wagered", "deal")
    assert "Table reports: First card without a closing call." in said
    assert said.count("The first card came without the closing call. Type close to make it now.") == 1
    assert "No more bets: betting is closed. [3.2]" in said
    assert said.index("First card without") < said.index("No more bets") < said.index("play goes on. [6.1]")
    assert "Round 1 is over." in said


def test_closing_call_is_made_in_time(sit: Table) -> None:
    said = sit(TIGER, WAGER, "close", "close", "deal")
    assert said.count("No more bets") == 1
    assert "Not done: This cannot be done now" in said


def test_wrong_call_is_told_as_it_was_made(sit: Table) -> None:
    """Clause 3.16: the cards decide."""
    said = sit(TIGER, WAGER, *FOUR_CARDS, "card", "call banker 1 2")
    assert "Called: Banker wins. [3.16]" in said
    assert "player of Guest stands off" in said
    assert "Say what was called" in sit(TIGER, WAGER, "call nobody")


def test_totals_are_told_as_they_were_announced(sit: Table) -> None:
    said = sit(TIGER, WAGER, *FOUR_CARDS, "announce 3 5")
    assert "Announced: Player 3, Banker 5." in said
    assert "Say the totals" in sit(TIGER, WAGER, "announce 3")


def test_hand_that_nobody_backs_is_given_to_the_guest(sit: Table) -> None:
    """Clause 3.10.4.1; in method A the guest opens the cards."""
    said = sit(DRAGON, "method a", WAGER, *FOUR_CARDS, "give banker", "deal", "give banker")
    assert "Banker goes face down to Guest. [3.10.4.1" in said
    assert "Player goes face down to Guest. [3.10.2" in said
    assert "Round 1 is over." in said
    assert "Not done:" in said, "no hand lies there any more"
    assert "Say which hand" in sit(DRAGON, "give all")


def test_method_is_one_that_the_dealer_deals_by(sit: Table) -> None:
    assert "this game has: A, B." in sit(DRAGON, "method c")
    assert "this game has: -." in sit("mbs-super-six-etg-v3", "method a")


def test_device_shows_another_result(sit: Table) -> None:
    said = sit(TIGER, WAGER, "deal", "device player", "device tie", "device nothing")
    assert "The device shows player, the cards say tie. [6.3]" in said
    assert "The dealing device and the cards agree." in said
    assert "Say what the dealing device shows" in said
    assert "Not done:" in sit(TIGER, "device player")


def test_alarm_is_given(sit: Table) -> None:
    assert "Alarm: The card reader is silent." in sit(TIGER, "alarm", "1")


def test_decision_says_what_it_does_in_its_case(sit: Table) -> None:
    said = sit(TIGER, WAGER, "card uncalled", "wrong")
    assert "the next card of the dealing device is burned" in said
    assert "the card is burned" not in said
