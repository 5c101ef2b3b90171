"""A report is a claim: what contradicts the table is refused, and what it lacks is asked for."""

import pytest
from story import HO, S6, T3, happened, reasons, refused, told

from thirdcard.folds.ledger import balances
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.state import Hand, Wait
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation

OPEN = """
    automatic expose
    patrons Ann at 1, Bob at 2
    Dealer: opens betting
    Ann: 100 on player at 1
    Ann: 100 on tie at 1
    Bob: 100 on banker at 2
"""
CLOSED = OPEN + "Dealer: closes betting\n"
DEALT = CLOSED + "Dealer: draws 9 2 K 5\n"
SQUEEZED = f"""
    method A
    {CLOSED}
    Dealer: draws 3 4 K 2
    Dealer: passes player to Ann
"""


@pytest.mark.parametrize(
    ("before", "report", "reason"),
    [
        # 5.3: a due card is missing, not six cards
        (CLOSED, "too-few-cards", Refusal.CARDS_ARE_LEFT),
        # 5.4, 5.5
        (OPEN, "late-wager of Ann amount 10 on player at 1", Refusal.NOT_IN_THIS_PHASE),
        (CLOSED, "late-wager", Refusal.FACTS_NEEDED),
        (CLOSED, "late-wager of Ann", Refusal.FACTS_NEEDED),
        (CLOSED, "late-wager of Ann amount 10 on tiger at 1", Refusal.NO_SUCH_WAGER),
        (CLOSED, "late-wager of Ann amount 101 on player at 1", Refusal.LESS_ON_THE_WAGER),
        # 5.6, 5.12.1: a card that anybody sees has a face
        (CLOSED + "Dealer: draws 9", "face-up-card", Refusal.FACTS_NEEDED),
        (CLOSED + "Dealer: draws 9", "face-up-card cards ?", Refusal.FACTS_NEEDED),
        # 5.7, 5.7.1
        (SQUEEZED, "wrong-delivery of Zed banker hand", Refusal.UNKNOWN_PATRON),
        (SQUEEZED, "not-delivered player hand", Refusal.WAS_DELIVERED),
        (CLOSED, "not-delivered player hand", Refusal.NOT_IN_THIS_PHASE),
        # 5.8
        ("patrons Ann at 1", "cards-together cards 9 6, order known", Refusal.NOT_IN_THIS_PHASE),
        # 3.16
        ("patrons Ann at 1", "wrong-payment of Ann amount 5", Refusal.NOT_IN_THIS_PHASE),
    ],
)
def test_a_report_that_cannot_be_is_refused(before: str, report: str, reason: Refusal) -> None:
    story = told(T3, f"{before}\nDealer with Pit Manager: reports {report}")
    assert reasons(story) == [reason]
    assert not happened(story, ev.IrregularityReported)


def test_the_hand_that_lies_with_the_wrong_patron_is_not_asked_for() -> None:
    wagers = "Ann: 200 on player at 1\nBob: 150 on player at 2\nDealer: closes betting\n"
    dealt = "Dealer: draws ? ? ? ?\nDealer: passes player to Ann\n"
    late = "Dealer with Pit Manager: reports late-wager of Ann amount 100 on player at 1\n"
    before = "method A\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n" + wagers + dealt + late
    story = told(T3, before + "Dealer: reports wrong-delivery of Ann")
    reported = happened(story, ev.IrregularityReported)[-1]
    assert reported.case.hand is Hand.PLAYER
    assert [each.patron for each in happened(story, ev.CardsTakenBack)] == ["Ann"]
    assert [each.patron for each in happened(story, ev.CardsDelivered)] == ["Ann", "Bob"]  # 5.7


EQUAL = """method A
patrons Ann at 1, Bob at 2, Cid at 3
Dealer: opens betting
Ann: 100 on player at 1
Bob: 100 on player at 2
Dealer: closes betting
Dealer with Pit Manager: finds Ann 100 on player at 1
Dealer with Pit Manager: finds Bob 100 on player at 2
Dealer: draws ? ? ? ?
"""


def test_a_hand_goes_astray_only_once_a_post_has_chosen_for_whom_it_is() -> None:
    chosen = "Pit Supervisor: chooses Bob for player\n"
    astray = "Dealer: passes player to Cid instead\n"
    story = told(T3, EQUAL + astray + chosen + astray + "Dealer: reports wrong-delivery player hand")
    assert [(each.reason, each.clauses) for each in story.refusals] == [
        (Refusal.NOT_AUTHORISED, ("3.10.4.1",)),
        (Refusal.RIGHT_PATRON, ("3.10.4.1",)),
        (Refusal.RIGHT_PATRON, ("3.10.4.1",)),
    ]
    assert not happened(story, ev.IrregularityReported)


def test_a_patron_does_not_record_a_wrong_delivery() -> None:
    story = told(T3, "method A\n" + CLOSED + "Dealer: draws ? ? ? ?\nAnn: passes player to Bob instead")
    assert reasons(story) == [Refusal.NOT_STAFF]


def test_no_hand_goes_astray_without_cards() -> None:
    story = told(T3, "method A\n" + CLOSED + "Dealer: draws ?\nDealer: passes banker to Ann instead")
    assert reasons(story) == [Refusal.NOT_AWAITED]


def test_a_hand_does_not_go_to_somebody_who_is_not_here() -> None:
    story = told(T3, "method A\n" + CLOSED + "Dealer: draws ? ? ? ?\nDealer: passes player to Zed instead")
    assert reasons(story) == [Refusal.UNKNOWN_PATRON]


def test_the_patron_with_whom_cards_lie_is_not_asked_for() -> None:
    story = told(T3, SQUEEZED + "Dealer: reports patron-absent")
    assert [each.case.patron for each in happened(story, ev.IrregularityReported)] == ["Ann"]  # 5.10


def test_the_patron_is_asked_for_where_cards_lie_with_two() -> None:
    story = told(T3, SQUEEZED + "Dealer: passes banker to Bob\nDealer: reports patron-absent")
    assert reasons(story) == [Refusal.FACTS_NEEDED]


@pytest.mark.parametrize("report", ["patron-absent", "patron-left-with-cards"])
def test_cards_that_lie_with_a_patron_have_the_faces_that_the_table_knows(report: str) -> None:
    """5.10: the Player has 3 and K."""
    two = "Dealer with Pit Manager: reports"
    story = told(T3, SQUEEZED + f"{two} {report} of Ann cards 5 K\n{two} {report} of Ann cards 3 K\n")
    assert reasons(story) == [Refusal.OTHER_FACE_KNOWN]


def test_a_hand_with_nobody_is_not_with_the_wrong_patron() -> None:
    story = told(T3, CLOSED + "Dealer: draws 3 4 K 2\nDealer: reports wrong-delivery")
    assert reasons(story) == [Refusal.FACTS_NEEDED]


def test_a_withdrawal_after_closing_is_reported_and_stays_in_action() -> None:
    reports = "Dealer with Pit Manager: reports late-withdrawal of Bob amount 40 on banker at 2\n"
    story = told(T3, DEALT + reports + "Dealer: calls player")
    assert [each.clauses for each in happened(story, ev.WagerPulledLate)] == [("5.5",)]
    assert balances(story.events)["claim:Bob"] == -4000


def test_the_only_wager_of_a_patron_is_not_asked_for() -> None:
    reports = "Dealer with Pit Manager: reports late-withdrawal of Bob amount 40\n"
    story = told(T3, DEALT + reports)
    assert [each.case.wager for each in happened(story, ev.IrregularityReported)] == ["banker"]


@pytest.mark.parametrize(("situation", "stake"), [("under-minimum", 30), ("over-maximum", 9000)])
def test_a_wager_outside_its_limits_is_named_by_its_patron(situation: str, stake: int) -> None:
    found = f"Dealer with Pit Manager: finds Ann {stake} on banker at 1\n"
    reports = f"Dealer: reports {situation} of Ann\nDealer: reports {situation} of Bob\n"
    story = told(T3, CLOSED + found + reports)
    assert reasons(story) == [Refusal.NO_WAGER_CONCERNED]  # 5.14, 5.15
    assert [each.case.patron for each in happened(story, ev.IrregularityReported)] == ["Ann"]


def test_a_burn_is_not_reported_while_patrons_choose() -> None:
    dealt = (
        "burn forgotten\nautomatic expose\npatrons Ann at 1\nDealer: opens betting\nDealer: draws 9 2 K 5\n"
    )
    story = told(HO, dealt + "Dealer: reports burn-forgotten\n")
    assert reasons(story) == [Refusal.PATRONS_CHOOSE_CARDS]  # 7.11.2.1


def test_an_amount_is_not_negative() -> None:
    table = told(T3, DEALT + "Dealer: calls player").table
    body = cmd.ReportIrregularity(situation=Situation.WRONG_PAYMENT, patron="Ann", amount=-1)
    assert refused(T3, table, body, "Dealer", "Pit Manager").reason is Refusal.FACTS_NEEDED


LOOKED = SQUEEZED.replace("draws 3 4 K 2", "draws ? ? ? ?") + "Ann: looks at player\n"
FACE_UP = CLOSED + "Dealer: draws ?\nDealer: reports face-up-card cards 9\n"
ALONE = [
    "late-wager of Ann amount 10 on player at 1",
    "late-withdrawal of Ann amount 10 on player at 1",
    "power-failure",
    "device-reset",
]


@pytest.mark.parametrize("before", [LOOKED, FACE_UP, CLOSED + "Dealer: draws 9\n"])
@pytest.mark.parametrize("report", ALONE)
def test_one_person_moves_no_money_once_a_card_is_known(before: str, report: str) -> None:
    dealt = "device electronic\n" + before
    story = told(T3, f"{dealt}\nDealer: reports {report}")
    assert reasons(story) == [Refusal.SECOND_PERSON_NEEDED]
    assert story.table == told(T3, dealt).table
    assert reasons(told(T3, f"{dealt}\nDealer with Pit Manager: reports {report}")) == []


@pytest.mark.parametrize("report", ALONE)
def test_one_person_is_enough_before_a_card_is_known_unless_chips_are_booked_away(report: str) -> None:
    story = told(T3, f"device electronic\n{CLOSED}\nDealer: reports {report}")
    two = [Refusal.SECOND_PERSON_NEEDED] if "late-withdrawal" in report else []
    assert reasons(story) == two


def test_whoever_reported_confirms_with_another_person() -> None:
    lines = f"{DEALT}\nPit Manager: reports foreign-card\nPit Manager with Dealer: confirms"
    assert happened(told(T3, lines), ev.RoundVoided)


def test_a_patron_with_the_cards_looks_at_them_while_a_case_waits() -> None:
    """Tiger 1.1.9: she squeezes the cards that were passed to her, whatever was told of the shoe."""
    story = told(T3, LOOKED.replace("Ann: looks", "Dealer: reports unshuffled-cards\nAnn: looks"))
    assert [each.waits for each in story.table.open_cases] == [Wait.CONFIRMATION]
    assert (reasons(story), len(happened(story, ev.CardsSeen))) == ([], 1)


def test_a_report_says_all_that_it_must_also_beside_cards_that_lie_aside() -> None:
    """Tiger 5.4: of a late wager the patron, the wager and the amount are told, whatever the cards."""
    table = told(T3, CLOSED + "Dealer: draws 2 3 4\nDealer: draws 5 9 together, order unknown\n").table
    assert table.aside
    body = cmd.ReportIrregularity(situation=Situation.LATE_WAGER, patron="Ann")
    asked_for = refused(T3, table, body, "Dealer", "Pit Manager")
    assert (asked_for.reason, asked_for.params) == (Refusal.FACTS_NEEDED, (("facts", "wager, amount"),))


@pytest.mark.parametrize(
    ("game", "situation"),
    [
        (T3, Situation.WRONG_NUMBER_OF_CARDS),  # 6.1: no clause is about either
        (HO, Situation.MISDEAL),  # 7.3, and no clause is about a number
    ],
)
def test_a_number_of_cards_is_a_misdeal_where_that_alone_has_a_clause(
    game: str, situation: Situation
) -> None:
    story = told(game, DEALT + "Dealer: reports wrong-number-of-cards, not reconstructable\n")
    assert [each.case.situation for each in happened(story, ev.IrregularityReported)] == [situation]


def test_a_patron_with_cards_answers_no_report_but_that_of_missing_cards() -> None:
    """MBS 5.1, 5.11: a foreign card still waits for its confirmation when a patron leaves with a hand."""
    story = told(
        T3,
        f"""
        method A
        {CLOSED}
        Dealer: draws ? ? ? ?
        Dealer: passes player to Ann
        Dealer: reports foreign-card
        Dealer: reports patron-left-with-cards of Ann, value unknown
        """,
    )
    foreign = [each for each in story.table.open_cases if each.situation is Situation.FOREIGN_CARD]
    assert [each.waits for each in foreign] == [Wait.CONFIRMATION]


def test_the_cutting_card_can_be_first_where_a_round_begins_with_its_first_card() -> None:
    """Hoiana 2.2.13, 7.20: no round is under way yet, and no clause covers it, so the post decides."""
    seen = OPEN + "Dealer: sees the cutting card\nDealer: reports cutting-card-first\n"
    story = told(HO, seen)
    assert reasons(story) == []
    assert [(each.situation, each.waits) for each in story.table.open_cases] == [
        (Situation.CUTTING_CARD_FIRST, Wait.DECISION)
    ]


WITHDRAWN_SINCE = """
    automatic expose
    patrons Ann at 1, Bob at 2
    Dealer: opens betting
    Ann: 300 on player at 1
    Bob: 100 on player at 2
    {asks}
    Dealer: closes betting
    Dealer: draws ? ? ? ?
    Dealer: passes player to Ann
    Ann: opens player 3 K
    Dealer: opens banker 2 2
    Dealer: draws 9 6 together, order unknown
    Pit Manager: rules order 9 6
    Ann: withdraws
    Bob: stays
    Dealer: calls banker
    Dealer: reports wrong-delivery player hand
"""


@pytest.mark.parametrize(
    ("game", "head", "asks"), [(HO, "face-down", "Ann: asks to squeeze"), (T3, "method A", "")]
)
def test_a_hand_lay_with_the_right_patron_who_withdrew_her_wager_since(
    game: str, head: str, asks: str
) -> None:
    """Hoiana 4.7, MBS 3.10.2: Ann had the highest wager when the hand was passed to her."""
    story = told(game, head + WITHDRAWN_SINCE.format(asks=asks))
    assert reasons(story) == [Refusal.RIGHT_PATRON]


def test_nobody_says_whether_cards_can_be_laid_again_that_went_away() -> None:
    """Super Six 5.2: a hand lacks a card by a correction, and the set that it would come from is gone."""
    story = told(
        S6,
        """
        patrons T1
        T1: buys 1000 credits
        Dealer: opens betting
        T1: 100 on player
        Dealer: closes betting
        Dealer: draws 9 2 K 5
        Pit Manager: loads 8 decks
        Dealer with Pit Manager: corrects card 1 to 3
        Dealer: reports wrong-number-of-cards
        """,
    )
    (noticed,) = story.table.open_cases
    assert (noticed.situation, noticed.clause) == (Situation.WRONG_NUMBER_OF_CARDS, "5.2")
    (asked,) = story.refusals
    assert (asked.reason, asked.clauses) == (Refusal.FACTS_NEEDED, ("5.2",))
    assert dict(asked.params) == {"facts": "cards"}
