"""Ways through the engine that are rare, each shown once."""

from story import HO, T3, happened, reasons, told

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.interests import is_concerned
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation

AN_EARLIER_PATRON = """
patrons Ann at 1, Eve at 2
Dealer: opens betting
Eve: 100 on banker at 2
Dealer: closes betting
Dealer: draws K 2 7 6
Eve: leaves the table
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: holds player of Ann at 1 as suspected
Dealer: draws K 9 8 K
Dealer: reports not-covered because a lamp fell on the layout
"""


def test_who_played_in_another_round_decides_about_held_money() -> None:
    table = told(T3, AN_EARLIER_PATRON).table
    (held,) = table.held
    body = cmd.DecideHeldMoney(id=held.id, choice="release", found="genuine")
    assert not is_concerned(table, body, "Eve")
    assert is_concerned(table, body, "Ann")


def test_who_played_in_another_round_acts_in_a_case_by_its_number() -> None:
    table = told(T3, AN_EARLIER_PATRON).table
    assert table.case is not None
    body = cmd.Rule(choice="continue", text="so", case=table.case.id)
    assert not is_concerned(table, body, "Eve")


def test_nothing_is_found_before_the_first_round() -> None:
    story = told(T3, "patrons Ann at 1\nDealer with Pit Manager: finds Ann 100 on player at 1\n")
    assert reasons(story) == [Refusal.NOT_IN_THIS_PHASE]


def test_a_card_that_waits_is_known_although_the_order_in_the_device_is_lost() -> None:
    story = told(
        T3,
        """
        automatic expose
        patrons Ann at 1
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Dealer: draws 2 3 2 4
        Dealer: draws 5H 9H together, order known
        Ann: stays
        Dealer: reports order-altered, not reconstructable
        Pit Manager: confirms
        """,
    )

    assert Situation.NEXT_CARD_KNOWN in [each.situation for each in story.table.open_cases]


def test_no_post_removes_wagers_at_hoiana() -> None:
    # 4.3.1 requires patrons to alter their wagers, and gives nobody else the power
    story = told(
        HO,
        """
        patrons Ann at 1
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Pit Manager: removes 100 of Ann on player at 1
        """,
    )
    assert reasons(story) == [Refusal.NOT_AWAITED]


def test_a_burn_is_not_entered_over_a_card_that_was_seen_in_the_shoe() -> None:
    story = told(
        HO,
        """
        burn forgotten
        automatic expose
        patrons Ann at 1
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Dealer: draws 9 2
        Dealer: reports face-up-card cards 4H behind 3
        Dealer with Pit Manager: burns by 3
        """,
    )
    assert reasons(story) == [Refusal.OTHER_FACE_KNOWN]


def test_a_hand_stays_with_its_patron_who_was_told_to_have_left() -> None:
    story = told(
        T3,
        """
        method A
        patrons Ann at 1
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Dealer: draws ? ? ? ?
        Dealer: passes player to Ann
        Dealer: reports patron-left-with-cards of Ann player hand, value unknown
        Pit Manager: finds that it is not so because Ann stands at the bar
        """,
    )
    assert not happened(story, ev.CardsTakenBack)
    assert not story.table.open_cases


def test_as_many_suits_are_asked_for_as_open_cards_lack_one() -> None:
    """MBS 5.11.2.1: of 2C and 7 at the Banker only the 7 may be one of two cards that the decks lack."""
    story = told(
        T3,
        """
        method A
        patrons Ann at 1, Bob at 2
        Dealer: opens betting
        Ann: 300 on player at 1
        Bob: 100 on banker at 2
        Dealer: closes betting
        Dealer: draws ? ? ? ?
        Dealer: passes player to Ann
        Dealer: opens banker 2 7
        Dealer: reports patron-left-with-cards of Ann, value unknown
        Gaming Shift Manager: reserves 9D 6C
        Dealer with Pit Manager: corrects card 2 to 2C
        Dealer with Pit Manager: enters lacking 9D 6C 7H KD 2C 7C
        """,
    )
    (asked,) = story.refusals
    assert (asked.reason, dict(asked.params)) == (Refusal.CARD_FACES_NEEDED, {"cards": 1})
