"""The recount finds what somebody has tampered with, and says at which event it stands."""

import pytest
from auditor.written import Written, written
from msgspec.structs import replace

from thirdcard.auditor.people import SentBy
from thirdcard.auditor.recount import Recount
from thirdcard.messages import say

# Banker wins with a six of two cards: 1 to 2 on an odd stake, Tiger 12 to 1
HALF = """\
game mbs-tiger-nc-v4
patrons Ann at 1, Bob at 2, Cy at 3
Dealer: opens betting
Ann: 333.33 on banker at 1
Bob: 100 on player at 2
Cy: 20 on tiger at 3
Dealer: closes betting
Dealer: draws 2 2 3 4 10
"""
# Banker wins with a natural: 0.95 to 1
COMMISSION = """\
game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 333.33 on banker at 1
Bob: 100 on player at 2
Dealer: closes betting
Dealer: draws 2 9 5 K
"""
TIE = """\
game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 50 on tie at 1
Bob: 100 on player at 2
Dealer: closes betting
Dealer: draws 9 9 K K
"""
OVER_MAXIMUM = """\
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Dealer: closes betting
Dealer with Pit Manager: finds Ann 6000 on player at 1
Dealer: draws 9 2 K 5
"""
MARKED = """\
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Dealer: closes betting
Dealer with Pit Manager: finds Ann 20 on player at 1
Dealer: draws 9 2 K 5
Dealer: opens betting
Dealer: closes betting
Dealer with Pit Manager: finds Ann 20 on player at 1
Dealer: draws 9 2 K 5
"""
# heavier hand 9000, lighter 1000, limit 5000; 60 of the 9000 is under the minimum and acts in full
PRO_RATA = """\
game hoiana-tiger-2024/commission
main 100 20000
patrons Ann at 1, Bob at 2, Cy at 3, Di at 4
Dealer: opens betting
Dealer: closes betting
Dealer: draws 9
Dealer with Pit Manager: finds Ann 5940 on player at 1
Dealer with Pit Manager: finds Bob 3000 on player at 2
Dealer with Pit Manager: finds Cy 1000 on banker at 3
Dealer with Pit Manager: finds Di 60 on player at 4
Dealer: draws 2 K 5
"""
VOID = """\
game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Bob: 200 on banker at 2
Dealer: closes betting
Dealer: draws 9 2
Dealer: reports foreign-card
Pit Manager: confirms
"""
PULLED = """\
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Ann: takes 100 off player at 1
Dealer: draws 9 2 K 5
"""
# Player stands on 7, Banker draws on 5; a sixth card lay there that no hand takes
LAID_AGAIN = """\
game mbs-super-six-etg-v3
patrons T1
T1: buys 1000 credits
Dealer: opens betting
T1: 100 on player
Dealer: closes betting
Dealer: draws K 2 7 3 A
Dealer: reports wrong-number-of-cards cards K 2 7 3 9 A, reconstructable
Pit Manager: confirms
"""
VOID_AFTER_SETTLEMENT = """\
game mbs-super-six-etg-v3
patrons T1
T1: buys 1000 credits
Dealer: opens betting
T1: 100 on player
Dealer: closes betting
Dealer: draws K 2 7 3 A
Dealer: reports wrong-number-of-cards, not reconstructable
Pit Manager: confirms
"""
BY_HAND = """\
game mbs-tiger-v3
automatic none
patrons Ann at 1
Dealer: opens betting
Ann: 100 on banker at 1
Dealer: closes betting
Dealer: draws ? ? ? ?
Dealer: opens player 2 3
Dealer: opens banker 2 4
Dealer: draws ?
Dealer: opens player 2 3 7
Dealer: draws ?
Dealer: opens banker 2 4 3
Dealer: calls banker
"""
RESET = """\
game mbs-tiger-v3
device electronic
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws ?
Dealer: reports device-reset
Ann: stays
Ann: 50 on player at 1
Ann: takes 20 off player at 1
Dealer: closes betting
Dealer: draws 5 9 K K
"""
ALL = (
    HALF,
    COMMISSION,
    TIE,
    OVER_MAXIMUM,
    MARKED,
    PRO_RATA,
    VOID,
    PULLED,
    LAID_AGAIN,
    VOID_AFTER_SETTLEMENT,
    BY_HAND,
    RESET,
)


@pytest.mark.parametrize("text", ALL, ids=lambda text: text.splitlines()[-1])
def test_what_nobody_has_tampered_with_has_no_findings(text: str) -> None:
    assert written(text).findings() == []


def test_a_payment_one_cent_short_is_found() -> None:
    book = written(HALF)
    assert book.line("Ann")["paid"] == 16667  # half of 333.33 is 166.665, made up to the cent
    book.line("Ann")["paid"] = 16666
    assert book.findings() == [
        (book.sequence("round-settled"), "banker of Ann: paid 166.66, recounted 166.67.")
    ]


def test_a_payment_one_cent_over_is_found() -> None:
    book = written(COMMISSION)
    assert book.line("Ann")["paid"] == 31667  # 0.95 of 333.33 is 316.6635
    book.line("Ann")["paid"] = 31668
    assert book.findings() == [
        (book.sequence("round-settled"), "banker of Ann: paid 316.68, recounted 316.67.")
    ]


def test_a_commission_one_cent_off_is_found() -> None:
    book = written(COMMISSION)
    book.line("Ann")["commission"] -= 1
    assert book.findings() == [
        (book.sequence("round-settled"), "banker of Ann: commission 16.65, recounted 16.66.")
    ]


def test_rounding_that_does_not_belong_to_the_payment_is_found() -> None:
    book = written(COMMISSION)
    assert (book.line("Ann")["rounded_over"], book.line("Ann")["rounded_of"]) == (13, 20)
    book.line("Ann")["rounded_over"] = 0
    assert book.findings() == [
        (
            book.sequence("round-settled"),
            "banker of Ann: rounding is recorded as 0 of a minor unit, recounted 13/20.",
        )
    ]


def test_wrong_odds_are_found() -> None:
    book = written(TIE)
    book.line("Ann")["odds"] = "9 to 1"
    assert book.findings() == [
        (book.sequence("round-settled"), "tie of Ann: the odds are recorded as 9 to 1, recounted 8 to 1.")
    ]


def test_a_lost_wager_that_was_paid_is_found() -> None:
    book = written(HALF)
    book.line("Bob").update(result="won", odds="1 to 1", paid=10000, taken=0, back=10000)
    number = book.sequence("round-settled")
    assert book.findings() == [
        (number, "player of Bob: paid 100.00, recounted 0.00."),
        (number, "player of Bob: taken 0.00, recounted 100.00."),
        (number, "player of Bob: handed back 100.00, recounted 0.00."),
        (number, "player of Bob: the result is recorded as won, recounted lost."),
        (number, "player of Bob: the odds are recorded as 1 to 1, recounted -."),
    ]


def test_a_wager_on_a_hand_that_lost_on_a_tie_is_found() -> None:
    book = written(TIE)
    book.line("Bob").update(result="lost", taken=10000, back=0)
    number = book.sequence("round-settled")
    assert book.findings() == [
        (number, "player of Bob: taken 100.00, recounted 0.00."),
        (number, "player of Bob: handed back 0.00, recounted 100.00."),
        (number, "player of Bob: the result is recorded as lost, recounted stood-off."),
    ]


def test_a_maximum_that_was_ignored_is_found() -> None:
    book = written(OVER_MAXIMUM)
    book.line("Ann").update(in_action=600000, paid=600000)
    number = book.sequence("round-settled")
    assert book.findings() == [
        (number, "player of Ann: in action is recorded as 6000.00, recounted 5000.00."),
        (number, "player of Ann: paid 6000.00, recounted 5000.00."),
    ]


def test_a_share_of_the_differential_one_unit_off_is_found() -> None:
    book = written(PRO_RATA)
    # 5940 of 8940 that share 1000 + 5000 - 60: 3946.711..., and 3000 of 8940: 1993.288...
    assert [book.line(patron)["in_action"] for patron in ("Ann", "Bob", "Cy", "Di")] == [
        394671,
        199329,
        100000,
        6000,
    ]
    book.line("Bob").update(in_action=199328, paid=199328)
    number = book.sequence("round-settled")
    assert book.findings() == [
        (number, "player of Bob: in action is recorded as 1993.28, recounted 1993.29."),
        (number, "player of Bob: paid 1993.28, recounted 1993.29."),
    ]


def test_a_differential_that_was_ignored_is_found() -> None:
    book = written(PRO_RATA)
    book.body("table-set-up")["setup"]["differential"] = 900000
    found = book.findings()
    number = book.sequence("round-settled")
    assert (number, "player of Ann: in action is recorded as 3946.71, recounted 5940.00.") in found


def test_a_marked_patron_who_was_paid_is_found() -> None:
    book = written(MARKED)
    assert book.line("Ann", 2)["result"] == "returned"
    book.line("Ann", 2).update(result="won", in_action=2000, odds="1 to 1", paid=2000)
    number = book.sequence("round-settled", 2)
    assert book.findings() == [
        (number, "player of Ann: in action is recorded as 20.00, recounted 0.00."),
        (number, "player of Ann: paid 20.00, recounted 0.00."),
        (number, "player of Ann: the result is recorded as won, recounted returned."),
        (number, "player of Ann: the odds are recorded as 1 to 1, recounted -."),
    ]


def test_a_patron_who_was_not_marked_is_found() -> None:
    book = written(MARKED)
    book.strike("patron-marked")
    assert book.findings() == [
        (
            book.sequence("round-ended"),
            "Ann was let pass with a wager under the minimum in round 1 and not marked.",
        )
    ]


def test_a_mark_that_nobody_earned_is_found() -> None:
    book = written(HALF)
    number = book.sequence("round-ended")
    book.insert(number, type="patron-marked", patron="Bob", round=1)
    assert book.findings() == [
        (number, "Bob was marked in round 1 without a wager under the minimum that was let pass.")
    ]


STOOD_OFF = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Dealer: closes betting
Dealer with Pit Manager: finds Ann 30 on player at 1
Dealer: draws 9 9 K K
"""
TAKEN_BACK = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Dealer: closes betting
Dealer with Pit Manager: finds Ann 30 on player at 1
Dealer: draws 9 K 9 K
Dealer with Pit Manager: corrects card 3 to K
"""


def test_a_mark_for_a_wager_that_stood_off_is_found() -> None:
    book = written(STOOD_OFF)
    assert book.findings() == []
    number = book.sequence("round-ended")
    book.insert(number, type="patron-marked", patron="Ann", round=1)
    assert book.findings() == [
        (number, "Ann was marked in round 1 without a wager under the minimum that was let pass.")
    ]


def test_a_round_settled_again_marks_again() -> None:
    book = written(TAKEN_BACK)
    assert book.findings() == []
    book.strike("patron-marked", 2)
    assert book.findings() == [
        (
            book.sequence("round-ended", 2),
            "Ann was let pass with a wager under the minimum in round 1 and not marked.",
        )
    ]


def test_a_mark_for_another_round_is_found() -> None:
    book = written(MARKED)
    book.body("patron-marked")["round"] = 7
    assert book.findings() == [
        (
            book.sequence("patron-marked"),
            "Ann was marked in round 7 without a wager under the minimum that was let pass.",
        )
    ]


def test_a_mark_outlasts_the_stay() -> None:
    book = written(MARKED)
    between = book.sequence("betting-opened", 2)
    book.insert(between, type="patron-came", patron="Ann", marked=None)  # another place, the same stay
    assert book.findings() == []
    back_again = written(MARKED)
    back_again.insert(between, type="patron-left", patron="Ann")
    back_again.insert(between + 1, type="patron-came", patron="Ann", marked=1)
    assert back_again.findings() == []


def test_a_mark_that_is_forgotten_with_the_stay_is_found() -> None:
    book = written(MARKED)
    between = book.sequence("betting-opened", 2)
    book.insert(between, type="patron-left", patron="Ann")
    book.insert(between + 1, type="patron-came", patron="Ann", marked=None)
    assert book.found_keys() == [(between + 1, "finding.mark-forgotten")]


def test_a_mark_from_nowhere_is_found() -> None:
    book = written(HALF)
    book.body("patron-came")["marked"] = 7
    assert book.found_keys() == [(book.sequence("patron-came"), "finding.mark-forgotten")]


def test_before_form_3_a_mark_ended_with_the_stay() -> None:
    book = written(MARKED)
    between = book.sequence("betting-opened", 2)
    book.insert(between, type="patron-left", patron="Ann")
    book.insert(between + 1, type="patron-came", patron="Ann", marked=None)
    number = book.sequence("round-settled", 2)
    assert book.found_keys(form=3)[0] == (number, "finding.in-action")


def test_a_patron_who_came_back_to_a_wager_left_lying_is_marked_for_the_new_stay() -> None:
    found = "Dealer with Pit Manager: finds Ann 20 on player at 1\n"
    book = written(MARKED.replace(found, found + "Ann: leaves the table\nAnn: comes to the table at 1\n", 1))
    assert book.line("Ann", 2)["result"] == "returned"
    assert book.findings() == []


def test_a_stake_that_did_not_come_back_from_a_void_round_is_found() -> None:
    book = written(VOID)
    del book.body("round-voided")["returned"][1]
    assert book.findings() == [
        (
            book.sequence("round-voided"),
            "Round 1 is void, but 200.00 on banker of Bob did not come back whole.",
        )
    ]


def test_a_stake_that_came_back_short_is_found() -> None:
    book = written(VOID)
    book.body("round-voided")["returned"][0]["stake"] = 9999
    assert book.findings() == [
        (
            book.sequence("round-voided"),
            "Round 1 is void, but 100.00 on player of Ann did not come back whole.",
        )
    ]


def test_a_stake_that_came_back_from_nowhere_is_found() -> None:
    book = written(VOID)
    returned = book.body("round-voided")["returned"]
    returned.append({**returned[0], "id": 99})
    sentence = "Round 1 is void, and 100.00 on player came back to Ann that did not lie there."
    assert book.findings() == [(book.sequence("round-voided"), sentence)]


def test_cards_that_do_not_give_the_recorded_outcome_are_found() -> None:
    book = written(HALF)
    drawn = book.body("card-drawn", 5)
    assert (drawn["hand"], drawn["card"]["rank"]) == ("player", 10)
    drawn["card"]["rank"] = 3  # five and three are eight: now Player would win
    found = book.findings()
    known, settled = book.sequence("outcome-known"), book.sequence("round-settled")
    assert found[:2] == [
        (known, "Round 1: winner is recorded as banker, but the cards give player."),
        (known, "Round 1: player total is recorded as 5, but the cards give 8."),
    ]
    assert (settled, "player of Bob: the result is recorded as lost, recounted won.") in found


def test_an_outcome_that_its_cards_do_not_give_is_found_even_if_the_money_is_right() -> None:
    book = written(HALF)
    book.body("outcome-known")["facts"]["pairs"] = "twin"
    assert book.findings() == [
        (book.sequence("outcome-known"), "Round 1: pairs is recorded as twin, but the cards give none.")
    ]


def test_a_third_card_that_the_table_of_play_does_not_allow_is_found() -> None:
    book = written(TIE)
    number = book.sequence("card-drawn", 4) + 1
    ten = {"rank": 10, "suit": None}
    book.insert(number, type="card-drawn", hand="player", card=ten, state="exposed", by="Dealer")
    found = book.findings()
    sentence = "Card 5 of round 1 went to Player, but by the table of play no further card was due."
    assert found[0] == (number, sentence)
    assert [place for place, _ in found[1:]] == [number + 1, number + 1]  # three cards, one third card


def test_a_third_card_at_the_wrong_hand_is_found() -> None:
    book = written(HALF)
    book.body("card-drawn", 5)["hand"] = "banker"
    number = book.sequence("card-drawn", 5)
    assert book.findings()[0] == (number, "Card 5 of round 1 went to Banker, but Player was next.")


def test_a_card_that_should_still_have_come_is_found() -> None:
    book = written(HALF)
    book.strike("card-drawn", 5)
    sentence = "Round 1 has an outcome, but by the table of play Player still takes a card."
    assert book.findings()[0] == (book.sequence("outcome-known"), sentence)


def test_hands_laid_again_against_the_table_of_play_are_found() -> None:
    book = written(LAID_AGAIN)
    cards = book.body("cards-reconstructed")["cards"]
    assert cards[4]["hand"] == "banker"
    cards[4]["hand"] = "player"
    found = book.findings()
    number = book.sequence("outcome-known", 2)
    assert found[0] == (number, "Card 5 of round 1 went to Player, but Banker was next.")


def test_an_outcome_without_hands_is_found() -> None:
    book = written(TIE)
    for _ in range(3):
        book.strike("card-drawn")
    known, settled = book.sequence("outcome-known"), book.sequence("round-settled")
    assert book.findings() == [
        (book.sequence("card-drawn"), "Card 1 of round 1 went to Banker, but Player was next."),
        (settled, "Round 1 was settled without an outcome."),
    ]
    assert known < settled


def test_an_outcome_with_a_card_that_was_never_opened_is_found() -> None:
    book = written(BY_HAND)
    book.strike("cards-exposed", 4)
    book.strike("cards-exposed", 2)
    found = book.findings()
    number = book.sequence("outcome-known")
    assert found[0] == (number, "Round 1 has an outcome although card 2 was never opened.")
    assert found[1] == (number + 2, "Round 1 was settled without an outcome.")


def test_a_settlement_without_an_outcome_is_found() -> None:
    book = written(HALF)
    book.strike("outcome-known")
    assert book.findings() == [(book.sequence("round-settled"), "Round 1 was settled without an outcome.")]


def test_a_wager_that_was_not_settled_is_found() -> None:
    book = written(HALF)
    del book.body("round-settled")["wagers"][1]
    sentence = "Round 1: 100.00 on player of Bob lay there and was not settled."
    assert book.findings() == [(book.sequence("round-settled"), sentence)]


def test_a_settlement_of_a_wager_that_nobody_placed_is_found() -> None:
    book = written(HALF)
    book.strike("wager-placed", 2)
    sentence = "Round 1: 100.00 on player of Bob was settled and did not lie there."
    assert book.findings() == [(book.sequence("round-settled"), sentence)]


def test_a_stake_that_grew_is_found() -> None:
    book = written(HALF)
    book.line("Cy").update(stake=3000, back=3000)
    number = book.sequence("round-settled")
    assert book.findings() == [
        (number, "tiger of Cy: the stake is recorded as 30.00, but 20.00 lay there."),
        (number, "tiger of Cy: handed back 30.00, recounted 20.00."),
    ]


def test_a_wager_settled_for_somebody_else_is_found() -> None:
    book = written(HALF)
    book.line("Cy")["patron"] = "Bob"
    sentence = "tiger of Cy was settled as that of Bob, tiger, recounted Cy, tiger."
    assert book.findings() == [(book.sequence("round-settled"), sentence)]


def test_clauses_of_another_row_are_found() -> None:
    book = written(HALF)
    assert book.line("Cy")["clauses"] == ["4.3.T1", "1.1.12"]
    book.line("Cy")["clauses"][0] = "4.3.T2"
    sentence = "tiger of Cy: settled by 1.1.12, 4.3.T2, recounted by 1.1.12, 4.3.T1."
    assert book.findings() == [(book.sequence("round-settled"), sentence)]


def test_chips_that_were_pulled_do_not_come_back_from_the_felt() -> None:
    book = written(PULLED)
    book.line("Ann").update(pulled=0, back=10000)
    number = book.sequence("round-settled")
    assert book.findings() == [
        (number, "player of Ann: handed back 100.00, recounted 0.00."),
        (number, "player of Ann: taken away too late is recorded as 0, recounted 10000."),
    ]


def test_a_wager_that_is_not_offered_is_found() -> None:
    book = written(HALF)
    book.body("wager-placed", 3)["wager"] = "dragon"
    assert book.findings() == [
        (book.sequence("wager-placed", 3), "Cy has a wager that is not offered: dragon."),
        (
            book.sequence("round-settled"),
            "Round 1: 20.00 on tiger of Cy was settled and did not lie there.",
        ),
    ]


@pytest.mark.parametrize("change", [{"id": 99}, {"amount": 15001}], ids=["no such wager", "too much"])
def test_more_taken_off_than_lay_there_is_found(change: dict[str, int]) -> None:
    book = written(RESET)
    book.body("wager-reduced").update(change)
    found = book.findings()
    assert found[0] == (
        book.sequence("wager-reduced"),
        "More was taken off player of Ann than lay there.",
    )


def test_a_wager_that_was_taken_off_whole_is_gone() -> None:
    book = written(RESET)
    book.body("wager-reduced")["amount"] = 15000
    sentence = "Round 1: 130.00 on player of Ann was settled and did not lie there."
    assert book.findings() == [(book.sequence("round-settled"), sentence)]


def test_a_settlement_that_was_not_taken_back_as_made_is_found() -> None:
    book = written(LAID_AGAIN)
    book.body("settlement-reversed")["wagers"][0]["paid"] = 0
    sentence = "Round 1: the settlement of 100.00 on player of T1 was not taken back as it was made."
    assert book.findings() == [(book.sequence("settlement-reversed"), sentence)]


def test_a_payment_that_stays_with_the_patron_after_a_void_is_found() -> None:
    book = written(VOID_AFTER_SETTLEMENT)
    book.body("round-voided")["reversed"] = []
    sentence = "Round 1: the settlement of 100.00 on player of T1 was not taken back as it was made."
    assert book.findings() == [(book.sequence("round-voided"), sentence)]


def test_a_settlement_taken_back_that_was_never_made_is_found() -> None:
    book = written(VOID_AFTER_SETTLEMENT)
    lines = book.body("round-voided")["reversed"]
    lines.append({**lines[0], "id": 99})
    sentence = "Round 1: a settlement of 100.00 on player of T1 was taken back that was not made."
    assert book.findings() == [(book.sequence("round-voided"), sentence)]


def test_a_void_of_another_round_is_found() -> None:
    book = written(VOID)
    book.body("round-voided")["number"] = 2
    sentence = "Round 2 was voided when it was no longer the round in play."
    assert book.findings() == [(book.sequence("round-voided"), sentence)]


def test_a_void_that_reaches_back_behind_the_next_opening_is_found() -> None:
    book = written(VOID_AFTER_SETTLEMENT)
    number = book.sequence("irregularity-reported")
    book.insert(number, type="betting-opened")
    sentence = "Round 1 was voided when it was no longer the round in play."
    assert book.findings() == [(book.sequence("round-voided"), sentence)]


def test_a_void_of_a_finished_round_without_a_case_is_found() -> None:
    book = written(HALF)
    settled = book.body("round-settled")["wagers"]
    number = book.sequence("round-ended") + 1
    book.insert(number, type="round-voided", number=1, returned=[], reversed=settled)
    assert book.findings() == [(number, "Round 1 was voided when it was no longer the round in play.")]


def test_a_settlement_taken_back_behind_the_next_opening_is_found() -> None:
    book = written(LAID_AGAIN)
    number = book.sequence("irregularity-reported")
    book.insert(number, type="betting-opened")
    book.insert(number + 1, type="wager-placed", id=99, patron="T1", wager="banker", amount=20000)
    assert book.findings() == [
        (
            book.sequence("settlement-reversed"),
            "The settlement of round 1 was taken back when it was no longer the round in play.",
        ),
        (
            book.sequence("round-settled", 2),
            "Round 1: 200.00 on banker of T1 lay there and was not settled.",
        ),
    ]


def test_a_stake_that_nobody_settled_or_returned_is_found() -> None:
    book = written(VOID)
    book.strike("round-voided")
    number = book.sequence("round-ended")
    assert book.findings() == [
        (number, "Round 1 is over, but 100.00 on player of Ann still lies there."),
        (number, "Round 1 is over, but 200.00 on banker of Bob still lies there."),
        (book.sequence("case-closed"), "A round that was confirmed or decided to be void was not voided."),
    ]


def test_substituted_cards_are_counted_like_any_others() -> None:
    book = written(TIE)
    cards = [
        {"hand": hand, "card": {"rank": rank, "suit": None}, "state": "exposed", "drawn_by": "Dealer"}
        for hand, rank in (("player", 9), ("banker", 8), ("player", 13), ("banker", 13))
    ]
    number = book.sequence("outcome-known")
    book.insert(number, type="cards-substituted", cards=cards)
    sentence = "Round 1: winner is recorded as tie, but the cards give player."
    assert book.findings()[0] == (number + 1, sentence)


def test_a_third_card_after_cards_that_are_not_open_is_judged_when_they_are() -> None:
    book = written(BY_HAND)
    fifth = book.body("card-drawn", 5)
    book.insert(book.sequence("card-drawn", 4) + 1, **fifth)
    assert fifth["hand"] == "player"
    book.strike("card-drawn", 6)
    assert book.findings() == []


def test_what_is_recorded_before_the_set_up_is_found() -> None:
    book = written(HALF)
    assert book.strike("table-set-up") == 1
    sentence = "Something is recorded before the table was set up."
    assert {text for _, text in book.findings()} == {sentence}
    assert book.findings()[0] == (book.sequence("staff-came"), sentence)


def test_kinds_that_move_no_stake_are_passed_over() -> None:
    book = written(HALF)
    everything = {body["type"] for body in book.bodies}
    assert {"staff-came", "outcome-called", "betting-closed"} <= everything
    for kind in ("staff-came", "outcome-called", "betting-closed"):
        book.strike(kind)
    assert book.findings() == []


def test_a_fee_nobody_may_take_is_found() -> None:
    book: Written = written(HALF)
    book.line("Ann")["commission"] = 5
    assert book.findings() == [
        (book.sequence("round-settled"), "banker of Ann: commission 0.05, recounted 0.00.")
    ]


# cards where they lie


# the second card comes to the Player; the hands are laid again in the order of drawing
MISPLACED = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9
Dealer: draws 2 to player
Dealer: draws K 5
"""
# Player stands on 7 and Banker on 7; a third card comes to the Player all the same
SET_ASIDE = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws K K 7 7
"""
# a 5 comes where a 9 was seen, and the post lets it count
INSTEAD = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 2 3 2 4
Dealer: reports face-up-card cards 9
Dealer: draws 5 instead
Gaming Shift Manager: rules play-card because it was on top
"""
# a natural nine against 2 + 5; the card was a 7, so that both have nine
CORRECTED = """game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Bob: 200 on banker at 2
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer with Pit Manager: corrects card 4 to 7
"""


def test_a_card_at_the_wrong_hand_is_no_finding_where_it_was_reported() -> None:
    book = written(MISPLACED)
    assert book.body("card-drawn", 2)["hand"] == "player"
    assert book.findings() == []


def test_a_card_at_the_wrong_hand_that_nobody_reported_is_found() -> None:
    book = written(MISPLACED)
    book.strike("irregularity-reported")
    assert book.found_keys()[0] == (book.sequence("card-drawn", 2), "finding.card-misplaced")


def test_a_card_that_stays_at_the_wrong_hand_is_found() -> None:
    book = written(MISPLACED)
    for _ in range(book.count("cards-reconstructed")):
        book.strike("cards-reconstructed")
    assert (book.sequence("outcome-known"), "finding.card-misplaced") in book.found_keys()


def test_a_card_that_a_hand_had_by_right_and_that_was_set_aside_is_found() -> None:
    book = written(HALF)
    fifth = book.sequence("card-drawn", 5)
    book.insert(fifth, type="cards-set-aside", cards=[None], hand="player", by="Dealer")
    assert book.found_keys() == [(fifth, "finding.due-card-set-aside")]


def test_a_card_set_aside_before_the_faces_that_are_known_lie_open_is_not_judged() -> None:
    book = written(HALF)
    book.body("card-drawn", 4)["state"] = "face-down"
    fifth = book.sequence("card-drawn", 5)
    book.insert(fifth, type="cards-set-aside", cards=[None], hand="player", by="Dealer")
    assert (fifth, "finding.due-card-set-aside") not in book.found_keys()


def test_a_due_card_that_is_set_aside_for_another_reason_is_found() -> None:
    book = written(INSTEAD)
    book.bodies[book.sequence("irregularity-reported", 2) - 1]["case"]["situation"] = "not-covered"
    assert (book.sequence("cards-set-aside"), "finding.due-card-set-aside") in book.found_keys()


def test_a_card_that_came_instead_of_another_may_be_set_aside() -> None:
    assert written(INSTEAD).findings() == []


def test_a_card_that_no_hand_takes_may_be_set_aside() -> None:
    book = written(SET_ASIDE)
    number = book.sequence("outcome-known")
    book.insert(number, type="cards-set-aside", cards=[None], hand="player", by="Dealer")
    assert book.findings() == []


def test_a_card_set_aside_after_cards_that_are_not_open_is_not_judged() -> None:
    book = written(BY_HAND)
    number = book.sequence("card-drawn", 4) + 1
    book.insert(number, type="cards-set-aside", cards=[None], hand="banker", by="Dealer")
    assert book.findings() == []


# corrections


def test_a_corrected_card_is_settled_again() -> None:
    book = written(CORRECTED)
    assert book.count("settlement-reversed") == 1
    assert book.line("Ann")["result"] == "won"
    assert book.line("Ann", 2)["result"] == "stood-off"
    assert book.findings() == []


def test_a_settlement_by_the_card_before_its_correction_is_found() -> None:
    book = written(CORRECTED)
    first = book.body("round-settled")["wagers"]
    book.body("round-settled", 2)["wagers"] = first
    number = book.sequence("round-settled", 2)
    assert {key for _, key in book.found_keys()} >= {"finding.result", "finding.paid"}
    assert {at for at, _ in book.found_keys()} == {number}


def test_a_settlement_after_a_correction_without_another_outcome_is_found() -> None:
    book = written(CORRECTED)
    book.strike("outcome-known", 2)
    assert book.found_keys() == [(book.sequence("round-settled", 2), "finding.no-outcome")]


def test_an_outcome_of_the_card_before_its_correction_is_found() -> None:
    book = written(CORRECTED)
    book.body("outcome-known", 2)["facts"] = book.body("outcome-known")["facts"]
    assert book.found_keys()[0] == (book.sequence("outcome-known", 2), "finding.outcome")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"number": 7}, "finding.no-such-card"),
        ({"number": 0}, "finding.no-such-card"),
        ({"old": {"rank": 3, "suit": None}}, "finding.another-card-corrected"),
        ({"second": "Dealer"}, "finding.one-person"),
    ],
    ids=["no card", "no place", "another card", "alone"],
)
def test_a_correction_that_does_not_fit_is_found(change: dict[str, object], key: str) -> None:
    book = written(CORRECTED)
    book.body("card-corrected").update(change)
    assert book.found_keys()[0] == (book.sequence("card-corrected"), key)


def test_a_correction_of_an_earlier_round_changes_no_hand() -> None:
    book = written(CORRECTED)
    number = book.sequence("betting-opened")
    corrected = {**book.body("card-corrected"), "round": 7, "number": 99}
    book.insert(number, **corrected)
    assert book.findings() == []


def test_a_settlement_that_stays_after_a_correction_is_found() -> None:
    book = written(CORRECTED)
    book.strike("settlement-reversed")
    settled = book.sequence("round-settled", 2)
    assert [(at, key) for at, key in book.found_keys() if at == settled] == [
        (settled, "finding.settled-without-wager"),
        (settled, "finding.settled-without-wager"),
    ]


# 6 and 9 came together, and the corrected hands need neither: they wait, and the second was an 8
WAITING = """game hoiana-tiger-2024/commission
automatic expose
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 2 2 2 A
Dealer: draws 9 6 together, order unknown
Pit Manager: rules order 6 9
Dealer with Pit Manager: corrects card 1 to 7
Ann: stays
Dealer with Pit Manager: corrects card 6 to 8
Dealer: calls player
"""


def test_a_card_that_waits_for_the_next_round_can_be_corrected() -> None:
    book = written(WAITING)
    assert book.body("card-corrected", 2)["old"]["rank"] == 9
    assert book.findings() == []


# a 5 lies aside that no hand takes, and a 9 of the shoe waits for the next round; the 5 was a 4
WAITING_AND_ASIDE = """game mbs-tiger-v3
automatic expose
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws K K 7 7
Dealer: draws 5 to player
Dealer: reports face-up-card cards 9
Gaming Shift Manager: rules keep-as-next-card because it was seen
Dealer with Pit Manager: corrects card 5 to 4
"""


def test_a_card_of_the_shoe_that_waits_takes_no_place_of_those_aside() -> None:
    book = written(WAITING_AND_ASIDE)
    assert book.body("stray-cards-kept")["cards"][0]["rank"] == 9
    assert book.findings() == []
    book.body("card-corrected")["old"]["rank"] = 9
    corrected = book.sequence("card-corrected")
    assert book.found_keys() == [(corrected, "finding.another-card-corrected")]


def test_another_waiting_card_than_was_corrected_is_found() -> None:
    book = written(WAITING)
    book.body("card-corrected", 2)["old"]["rank"] = 5
    corrected = book.sequence("card-corrected", 2)
    assert book.found_keys() == [(corrected, "finding.another-card-corrected")]


# late chips and wagers found


LATE = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: reports late-wager of Ann amount 40 on player at 1
Dealer: draws 9 2 K 5
"""
LATE_AWAY = LATE.replace("Dealer: reports late-wager", "Dealer with Pit Manager: reports late-withdrawal")
FOUND = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Dealer: closes betting
Dealer with Pit Manager: finds Ann 100 on player at 1
Dealer: draws 9 2 K 5
"""


def test_a_late_part_of_a_stake_that_was_not_refused_is_found() -> None:
    book = written(LATE)
    assert (book.line("Ann")["stake"], book.findings()) == (6000, [])
    book.strike("wager-reduced")
    assert book.found_keys()[0] == (book.sequence("case-closed"), "finding.not-booked-late")
    assert (book.sequence("round-settled"), "finding.stake") in book.found_keys()


def test_a_late_part_that_was_refused_short_is_found() -> None:
    book = written(LATE)
    book.body("wager-reduced")["amount"] = 1000
    assert book.found_keys()[0] == (book.sequence("case-closed"), "finding.not-booked-late")


def test_chips_taken_away_late_that_were_not_booked_are_found() -> None:
    book = written(LATE_AWAY)
    assert (book.line("Ann")["pulled"], book.findings()) == (4000, [])
    book.strike("wager-pulled-late")
    assert book.found_keys()[0] == (book.sequence("case-closed"), "finding.not-booked-pulled")


NOT_TAKEN_AWAY = LATE_AWAY.replace(
    "Dealer: draws", "Dealer with Pit Manager: finds Ann 40 on player at 1, not taken away\nDealer: draws"
)


def test_more_chips_found_than_were_taken_away_is_found() -> None:
    book = written(NOT_TAKEN_AWAY)
    assert (book.line("Ann")["pulled"], book.findings()) == (0, [])
    book.body("wager-found")["amount"] = 4001
    assert book.found_keys()[0] == (book.sequence("wager-found"), "finding.not-so-much-there")


def test_late_chips_booked_as_a_wrong_payment_are_found() -> None:
    book = written(LATE)
    number = book.strike("wager-reduced")
    book.insert(number, type="wrong-payment-found", patron="Ann", amount=4000)
    assert book.found_keys()[:2] == [
        (number, "finding.payment-without-ground"),
        (book.sequence("case-closed"), "finding.not-booked-late"),
    ]


def test_a_case_that_another_one_made_pointless_owes_nothing() -> None:
    book = written(LATE)
    book.strike("wager-reduced")
    book.body("case-closed")["superseded_by"] = 2
    assert "finding.not-booked-late" not in {key for _, key in book.found_keys()}


@pytest.mark.parametrize("kind", ["facts-disproved", "report-withdrawn"])
def test_a_report_that_is_not_so_owes_nothing(kind: str) -> None:
    book = written(LATE)
    book.strike("wager-reduced")
    number = book.strike("case-closed")
    book.insert(number, type=kind, id=1)
    assert {key for _, key in book.found_keys()} == {
        "finding.stake",
        "finding.in-action",
        "finding.back",
        "finding.paid",
    }


@pytest.mark.parametrize("second", [None, "Dealer"])
def test_a_wager_found_by_one_person_is_found(second: str | None) -> None:
    book = written(FOUND)
    assert book.findings() == []
    assert book.body("wager-found")["by"] == "Dealer"
    book.body("wager-found")["second"] = second
    assert book.found_keys() == [(book.sequence("wager-found"), "finding.one-person")]
    assert book.found_keys(form=3) == []


# answers that staff entered for a patron


ANSWERED = """game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 200 on player at 1
Bob: 100 on banker at 2
Dealer: closes betting
Dealer: draws 2
Dealer with Pit Manager: draws 9 3 together, order known
Dealer with Pit Supervisor: for Ann withdraws
ANSWER
Bob: stays
Dealer: draws K
"""
BY_TWO = ANSWERED.replace("ANSWER", "Dealer with Pit Manager: for Ann stays")


def test_an_answer_that_is_corrected_is_settled_with_its_wager() -> None:
    book = written(BY_TWO)
    assert (book.line("Ann")["taken"], book.findings()) == (20000, [])


def test_a_withdrawal_that_one_person_entered_is_found() -> None:
    book = written(BY_TWO)
    book.body("wager-reduced")["second"] = None
    assert book.found_keys(form=6) == []
    assert book.found_keys(form=7) == [(book.sequence("wager-reduced"), "finding.one-person")]


@pytest.mark.parametrize("second", [None, "Dealer"])
def test_an_answer_that_one_person_corrects_is_found(second: str | None) -> None:
    book = written(BY_TWO)
    book.body("answer-taken-back")["second"] = second
    assert book.found_keys() == [(book.sequence("answer-taken-back"), "finding.one-person")]


def test_more_given_back_to_the_felt_than_was_entered_is_found() -> None:
    book = written(BY_TWO)
    book.body("answer-taken-back")["wagers"][0]["stake"] = 30000
    assert book.found_keys()[0] == (book.sequence("answer-taken-back"), "finding.answer-not-entered")


def test_a_patron_who_takes_back_an_own_answer_is_found() -> None:
    book = written(ANSWERED.replace("ANSWER", "Ann: stays"))
    assert book.findings() == []
    book.body("offer-answered")["by"] = None
    assert book.found_keys() == [(book.sequence("answer-taken-back"), "finding.answer-not-entered")]


# wagers that go back before a round


RETURNED = """game hoiana-tiger-2024/commission
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Bob: 200 on banker at 2
Dealer: closes betting
Dealer: reports foreign-card
Assistant Director of Gaming Operations: rules return-wagers because nothing has begun
"""


def test_wagers_that_go_back_before_a_round_leave_nothing() -> None:
    book = written(RETURNED)
    assert book.count("wager-reduced") == 2
    assert book.findings() == []


def test_a_wager_that_stays_when_betting_is_cancelled_is_found() -> None:
    book = written(RETURNED)
    book.strike("wager-reduced")
    assert book.found_keys() == [(book.sequence("betting-cancelled"), "finding.not-returned-before")]


def test_a_wager_that_goes_back_short_when_betting_is_cancelled_is_found() -> None:
    book = written(RETURNED)
    book.body("wager-reduced", 2)["amount"] = 19999
    assert book.found_keys() == [(book.sequence("betting-cancelled"), "finding.not-returned-before")]


def test_betting_cancelled_in_a_round_is_found() -> None:
    book = written(HALF)
    number = book.sequence("card-drawn", 3)
    book.insert(number, type="betting-cancelled")
    assert book.found_keys()[0] == (number, "finding.cancelled-in-a-round")


# payments


WRONG_PAYMENT = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer with Pit Manager: reports wrong-payment of Ann amount 25
"""
TOO_SMALL = WRONG_PAYMENT.replace("amount 25", "amount 25, underpaid")
PAID_LATER = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 100 on player at 1
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer: opens betting
Dealer with Pit Manager: reports wrong-payment of Ann amount 25, underpaid
Gaming Shift Manager: rules pay paying Ann 25 because it was promised
"""


@pytest.mark.parametrize(("text", "amount"), [(WRONG_PAYMENT, 2500), (TOO_SMALL, -2500)])
def test_a_wrong_payment_is_booked_and_put_right(text: str, amount: int) -> None:
    book = written(text)
    booked = [book.body(kind)["amount"] for kind in ("wrong-payment-found", "payment-corrected")]
    assert booked == [amount, amount]
    assert book.findings() == []


@pytest.mark.parametrize("text", [WRONG_PAYMENT, TOO_SMALL])
def test_a_wrong_payment_that_was_not_put_right_is_found(text: str) -> None:
    book = written(text)
    book.strike("payment-corrected")
    assert book.found_keys() == [(book.sequence("case-closed"), "finding.not-booked-correction")]


@pytest.mark.parametrize("change", [{"amount": 2501}, {"patron": "Bob"}], ids=["amount", "patron"])
def test_another_correction_than_was_reported_is_found(change: dict[str, object]) -> None:
    book = written(WRONG_PAYMENT)
    book.body("payment-corrected").update(change)
    assert book.found_keys() == [
        (book.sequence("payment-corrected"), "finding.payment-without-ground"),
        (book.sequence("case-closed"), "finding.not-booked-correction"),
    ]


@pytest.mark.parametrize("change", [{"amount": 2501}, {"patron": "Bob"}], ids=["amount", "patron"])
def test_another_wrong_payment_than_was_reported_is_found(change: dict[str, object]) -> None:
    book = written(WRONG_PAYMENT)
    book.body("wrong-payment-found").update(change)
    assert book.found_keys()[0] == (book.sequence("wrong-payment-found"), "finding.payment-without-ground")


@pytest.mark.parametrize("people", [SentBy("Dealer"), SentBy("Dealer", "Dealer")], ids=["alone", "twice"])
def test_a_report_that_moves_money_by_one_person_is_found(people: SentBy) -> None:
    book = written(WRONG_PAYMENT)
    assert book.found_keys(people=SentBy("Dealer", "Pit Manager")) == []
    assert book.found_keys(people=people) == [(book.sequence("irregularity-reported"), "finding.one-person")]
    assert book.found_keys(form=4, people=people) == []


def test_a_report_that_moves_no_money_takes_one_person() -> None:
    assert written(LATE).found_keys(people=SentBy("Dealer")) == []


def test_a_confirmation_by_who_reported_is_found() -> None:
    book = written(VOID)
    assert book.found_keys(people=SentBy("Pit Manager")) == []
    book.body("facts-confirmed")["by"] = "Dealer"
    assert book.found_keys(people=SentBy("Dealer")) == [
        (book.sequence("facts-confirmed"), "finding.one-person")
    ]


def test_a_wrong_payment_by_one_person_is_found() -> None:
    book = written(WRONG_PAYMENT)
    book.body("payment-corrected")["second"] = None
    assert book.found_keys() == [(book.sequence("payment-corrected"), "finding.one-person")]


def test_a_correction_of_a_payment_that_was_not_booked_is_found() -> None:
    book = written(WRONG_PAYMENT)
    book.strike("wrong-payment-found")
    assert book.found_keys()[0] == (book.sequence("payment-corrected"), "finding.payment-without-ground")


def test_a_wrong_payment_that_nobody_reported_is_found() -> None:
    book = written(WRONG_PAYMENT)
    book.strike("irregularity-reported")
    assert book.found_keys() == [
        (book.sequence("wrong-payment-found"), "finding.payment-without-ground"),
        (book.sequence("payment-corrected"), "finding.payment-without-ground"),
    ]


def test_a_payment_that_a_post_decides_is_made() -> None:
    book = written(PAID_LATER)
    paid = book.body("payment-corrected")
    assert (paid["patron"], paid["amount"]) == ("Ann", -2500)
    assert book.findings() == []


def test_a_decided_payment_that_was_not_made_is_found() -> None:
    book = written(PAID_LATER)
    book.strike("payment-corrected")
    assert book.found_keys() == [(book.sequence("case-closed"), "finding.not-booked-payment")]


def test_a_payment_that_nobody_decided_is_found() -> None:
    book = written(PAID_LATER)
    book.body("ruling-made")["choice"] = "replace-cards"
    assert book.found_keys() == [(book.sequence("payment-corrected"), "finding.payment-without-ground")]


def test_a_wrong_payment_that_stands_is_booked() -> None:
    book = written(PAID_LATER.replace("rules pay paying Ann 25", "rules continue"))
    assert (book.count("wrong-payment-found"), book.count("payment-corrected")) == (1, 0)
    assert book.findings() == []


# rounds that are void while several things went wrong


SEVERAL = """game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Bob: 200 on banker at 2
Dealer: closes betting
Dealer: draws 9 2
Dealer with Pit Manager: reports power-failure
Dealer: reports foreign-card
Pit Manager: confirms
"""


def test_a_round_void_while_several_cases_are_open_returns_everything() -> None:
    book = written(SEVERAL)
    assert book.count("irregularity-reported") == 2
    assert len(book.body("round-voided")["returned"]) == 2
    assert book.findings() == []


def test_a_stake_kept_when_several_cases_were_open_is_found() -> None:
    book = written(SEVERAL)
    del book.body("round-voided")["returned"][0]
    assert book.found_keys() == [(book.sequence("round-voided"), "finding.not-returned")]


# rules that change


def test_from_some_event_on_other_rules_count() -> None:
    """The house rounds to whole dollars from now on: what was paid to the cent is then wrong."""
    round_ = written(COMMISSION)
    coarse = replace(round_.house, rounding=replace(round_.house.rounding, smallest_unit="1"))
    counted = Recount(round_.document, round_.house)
    counted.go_by(round_.document, round_.house)
    settled = round_.sequence("round-settled")
    for sequence, body in enumerate(round_.bodies, start=1):
        if sequence == settled:
            counted.go_by(round_.document, coarse)
        counted.read(sequence, body)
    said = [(each.sequence, say(each.what)) for each in counted.findings]
    assert said[0] == (settled, "banker of Ann: paid 316.67, recounted 317.00.")


def test_nothing_may_lie_on_a_table_that_is_set_up_anew() -> None:
    book = written(HALF)
    anew = dict(next(body for body in book.bodies if body["type"] == "table-set-up"))
    at = book.sequence("round-settled")
    book.bodies.insert(at - 1, anew)
    said = book.findings()
    assert [sequence for sequence, _ in said[:3]] == [at] * 3
    assert all(what.endswith("still lies there.") for _, what in said[:3])


def test_a_round_before_a_table_was_set_up_anew_stays_as_it_is() -> None:
    book = written(VOID_AFTER_SETTLEMENT)
    anew = dict(next(body for body in book.bodies if body["type"] == "table-set-up"))
    assert book.findings() == []
    at = book.sequence("round-voided")
    book.bodies.insert(at - 1, anew)
    assert [sequence for sequence, _ in book.findings()] == [at + 1]


def test_of_a_round_before_a_table_was_set_up_anew_no_card_is_known() -> None:
    book = written(CORRECTED)
    first, loaded = (book.body(kind) for kind in ("table-set-up", "shoe-loaded"))
    corrected = {**book.body("card-corrected"), "old": None}
    book.bodies += [first, {**loaded, "number": 2}, corrected]
    assert book.findings() == []
    del book.bodies[-3]
    assert book.found_keys() == [(len(book.bodies), "finding.another-card-corrected")]


def test_a_table_set_up_anew_is_settled_by_its_new_rules() -> None:
    """The same hands, first by one document and then by another: 0.95 to 1 where 1 to 2 is due is found."""
    first, second = written(COMMISSION), written(HALF)
    counted = Recount(first.document, first.house)
    for sequence, body in enumerate(first.bodies, start=1):
        counted.read(sequence, body)
    counted.go_by(second.document, second.house)
    for sequence, body in enumerate(second.bodies, start=101):
        counted.read(sequence, body)
    assert counted.findings == []
    second.line("Ann")["paid"] = 1
    for sequence, body in enumerate(second.bodies, start=201):
        counted.read(sequence, body)
    assert [each.sequence for each in counted.findings] == [200 + second.sequence("round-settled")]


# claims on terminals


# Ann cashes out what she won; the corrected card makes a tie, so that 200 goes back and 100 comes again
OWED = """\
game mbs-super-six-etg-v3
patrons Ann
Ann: buys 100 credits
Dealer: opens betting
Ann: 100 on player
Dealer: closes betting
Dealer: draws K K 7 6
Ann: cashes out 200
Dealer with Pit Manager: corrects card 3 to 6
"""


def test_a_claim_is_what_the_terminal_no_longer_has() -> None:
    book = written(OWED)
    assert [book.body("claim-booked", nth)["amount"] for nth in (1, 2)] == [20000, -10000]
    assert book.findings() == []


@pytest.mark.parametrize(("amount", "said"), [(19999, "199.99"), (20001, "200.01")])
def test_a_claim_of_another_amount_is_found(amount: int, said: str) -> None:
    book = written(OWED)
    book.body("claim-booked")["amount"] = amount
    sentence = f"Ann: a claim of {said} was booked, recounted 200.00."
    assert book.findings() == [(book.sequence("settlement-reversed"), sentence)]


def test_a_claim_that_was_not_set_off_as_given_is_found() -> None:
    book = written(OWED)
    book.body("claim-booked", 2)["amount"] = -9999
    assert book.found_keys() == [(book.sequence("claim-booked", 2), "finding.claim")]


# 25 that was paid too much stands, and is cashed out with the rest
MISTAKE_CASHED_OUT = OWED.replace(
    "Ann: cashes out 200",
    """\
Dealer: opens betting
Dealer with Pit Manager: reports wrong-payment of Ann amount 25
Gaming Shift Manager with Pit Manager: rules continue because the round is long over
Ann: 100 on player
Dealer: closes betting
Dealer: draws K K 7 6
Ann: cashes out 325""",
)


def test_a_wrong_payment_that_stands_is_among_the_credits_of_a_terminal() -> None:
    book = written(MISTAKE_CASHED_OUT)
    assert (book.body("claim-booked")["amount"], book.findings()) == (20000, [])
    book.strike("wrong-payment-found")
    assert (book.sequence("settlement-reversed"), "finding.claim") in book.found_keys()
