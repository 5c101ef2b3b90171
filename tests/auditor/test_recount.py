"""The recount finds what somebody has tampered with, and says at which event it stands."""

import pytest
from auditor.written import Written, written
from msgspec.structs import replace

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
Dealer: finds Ann 6000 on player at 1
Dealer: draws 9 2 K 5
"""
MARKED = """\
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Dealer: closes betting
Dealer: finds Ann 20 on player at 1
Dealer: draws 9 2 K 5
Dealer: opens betting
Dealer: closes betting
Dealer: finds Ann 20 on player at 1
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
Dealer: finds Ann 5940 on player at 1
Dealer: finds Bob 3000 on player at 2
Dealer: finds Cy 1000 on banker at 3
Dealer: finds Di 60 on player at 4
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
# Player stands on 7, Banker draws on 5; the fifth card was a 4, not an ace
LAID_AGAIN = """\
game mbs-super-six-etg-v3
patrons T1
T1: buys 1000 credits
Dealer: opens betting
T1: 100 on player
Dealer: closes betting
Dealer: draws K 2 7 3 A
Dealer: reports wrong-number-of-cards cards K 2 7 3 4, reconstructable
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
Dealer: finds Ann 30 on player at 1
Dealer: draws 9 9 K K
"""
TAKEN_BACK = """game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Dealer: closes betting
Dealer: finds Ann 30 on player at 1
Dealer: draws 9 K 9 K
Dealer: reports wrong-order cards K 9 K 9
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


def test_a_mark_ends_with_the_stay_and_not_with_a_change_of_place() -> None:
    returned = written(MARKED)
    between = returned.sequence("betting-opened", 2)
    returned.insert(between, type="patron-came", patron="Ann")
    assert returned.findings() == []
    back_again = written(MARKED)
    back_again.insert(between, type="patron-left", patron="Ann")
    back_again.insert(between + 1, type="patron-came", patron="Ann")
    number = back_again.sequence("round-settled", 2)
    sentence = "player of Ann: in action is recorded as 0.00, recounted 20.00."
    assert back_again.findings()[0] == (number, sentence)


def test_a_patron_who_came_back_to_a_wager_left_lying_is_marked_for_the_new_stay() -> None:
    found = "Dealer: finds Ann 20 on player at 1\n"
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
    book.insert(number, type="card-drawn", hand="player", card={"rank": 10, "suit": None})
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


def test_a_void_of_a_finished_round_is_found_where_no_clause_reaches_back() -> None:
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
    assert book.findings()[0] == (book.sequence("patron-came"), sentence)


def test_kinds_that_move_no_stake_are_passed_over() -> None:
    book = written(HALF)
    everything = {body["type"] for body in book.bodies}
    assert {"staff-came", "shoe-loaded", "outcome-called", "betting-closed"} <= everything
    for kind in ("staff-came", "shoe-loaded", "outcome-called", "betting-closed"):
        book.strike(kind)
    assert book.findings() == []


def test_a_fee_nobody_may_take_is_found() -> None:
    book: Written = written(HALF)
    book.line("Ann")["commission"] = 5
    assert book.findings() == [
        (book.sequence("round-settled"), "banker of Ann: commission 0.05, recounted 0.00.")
    ]


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
