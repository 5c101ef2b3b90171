"""Money that is held as suspected, recounted: nothing is held, put back or settled otherwise than it lay."""

import pytest
from auditor.written import written

# Hoiana 3.2.7, 7.20: Ann's wager is held, the others are settled, and hers is settled by the same cards later
SETTLED_LATER = """\
game hoiana-tiger-2024/non-commission
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Bob: 100 on banker at 2
Dealer: closes betting
Dealer: holds player of Ann at 1 as suspected
Dealer: draws 9 2 K 5
Assistant Director of Gaming Operations: decides suspicion 1 as settle because they are genuine
"""
RELEASED = """\
game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Bob: 100 on banker at 2
Dealer: closes betting
Dealer: draws 9
Dealer with Pit Manager: holds player of Ann at 1 as suspected
Gaming Shift Manager: decides suspicion 1 as release because they are genuine
Dealer: draws 2 K 5
"""
SEIZED = """\
game mbs-super-six-etg-v3
patrons T1
Dealer: holds 500 from T1 as suspected
Gaming Shift Manager with Pit Manager: decides suspicion 1 as seize because they are copies
"""
VOID = """\
game hoiana-tiger-2024/commission
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Bob: 100 on banker at 2
Dealer: holds player of Ann at 1 as suspected
Dealer: closes betting
Dealer: draws 9 2
Dealer: reports foreign-card
Shift Manager: confirms
Assistant Director of Gaming Operations: decides suspicion 1 as hand-back because they are genuine
"""
# 6.1: a card that everybody saw opens the next round; while wagers are taken Ann may place others
IN_TIME = """\
game mbs-tiger-v3
automatic expose
patrons Ann at 1
Dealer: opens betting
Dealer: closes betting
Dealer: draws Q K K 3 5
Dealer: draws 6 10 together, order known
Gaming Shift Manager: rules keep-as-next-card because it is known
Dealer: calls banker
Dealer: opens betting
Ann: 100 on player at 1
Dealer: holds player of Ann at 1 as suspected
"""


@pytest.mark.parametrize("text", [SETTLED_LATER, RELEASED, SEIZED, VOID, IN_TIME])
def test_what_was_held_and_decided_recounts(text: str) -> None:
    assert written(text).found_keys() == []


def test_a_wager_that_did_not_lie_there_so_is_found() -> None:
    of = written(SETTLED_LATER)
    of.body("money-held")["amount"] = 9000
    assert (of.sequence("money-held"), "finding.not-so-much-there") in of.found_keys()


def test_one_person_alone_who_holds_a_wager_once_a_card_is_known_is_found() -> None:
    of = written(RELEASED)
    of.body("money-held")["second"] = None
    assert of.found_keys() == [(of.sequence("money-held"), "finding.one-person")]


def test_one_person_alone_who_holds_a_wager_after_closing_while_a_known_card_waits_is_found() -> None:
    of = written(IN_TIME)
    of.insert(of.sequence("money-held"), type="betting-closed", call=None)
    assert of.found_keys() == [(of.sequence("money-held"), "finding.one-person")]


def test_one_person_alone_who_decides_where_no_clause_names_a_post_is_found() -> None:
    of = written(SEIZED)
    of.body("held-money-decided")["second"] = None
    assert of.found_keys() == [(of.sequence("held-money-decided"), "finding.one-person")]


def test_a_decision_about_money_that_is_not_held_is_found() -> None:
    of = written(SEIZED)
    of.body("held-money-decided")["id"] = 2
    assert of.found_keys() == [(of.sequence("held-money-decided"), "finding.not-held")]


@pytest.mark.parametrize(("field", "value"), [("paid", 9999), ("result", "lost"), ("clauses", [])])
def test_a_later_settlement_that_the_cards_do_not_give_is_found(field: str, value: object) -> None:
    of = written(SETTLED_LATER)
    of.body("held-money-decided")["settled"][field] = value
    assert of.found_keys() == [(of.sequence("held-money-decided"), "finding.held-settled")]


def test_a_later_settlement_of_a_void_round_is_found() -> None:
    of = written(VOID)
    line = written(SETTLED_LATER).body("held-money-decided")["settled"]
    of.body("held-money-decided")["settled"] = line
    assert of.found_keys() == [(of.sequence("held-money-decided"), "finding.held-settled")]


def test_a_wager_that_is_put_back_after_its_round_is_found() -> None:
    of = written(SETTLED_LATER)
    decided = of.body("held-money-decided")
    decided["wager"], decided["settled"] = of.body("money-held")["wager"], None
    assert (of.sequence("held-money-decided"), "finding.held-released") in of.found_keys()


DIRECTOR = "Assistant Director of Gaming Operations"
# 4.6, 7.16: a part came late, more was found, and the settlement is made again
MOVED = f"""\
game hoiana-tiger-2024/commission
automatic expose
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 1000 on player at 1
Bob: 100 on banker at 2
Dealer: closes betting
Dealer: holds player of Ann at 1 as suspected
Dealer with Pit Manager: finds Ann 500 on player at 1
Dealer with Pit Manager: reports late-wager of Ann amount 900 on player at 1
Dealer: draws 9 2 K 5
Dealer: calls player
Dealer with Pit Manager: corrects card 1 to 6
Dealer: calls banker
{DIRECTOR}: decides suspicion 1 as settle because they are genuine
Dealer with Pit Manager: corrects card 1 to 9
Dealer: calls player
"""
# 7.16: the record is corrected after the next opening
CORRECTED_LATER = f"""\
game hoiana-tiger-2024/commission
automatic expose
differential 1000
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 1000 on player at 1
Bob: 100 on banker at 2
Dealer: closes betting
Dealer: draws 9
Dealer with Pit Manager: finds Bob 3000 on banker at 2
Dealer with Pit Manager: holds player of Ann at 1 as suspected
Dealer: draws 2 K 5
Dealer: calls player
Dealer with Pit Manager: holds banker of Bob at 2 as suspected
Dealer: opens betting
Dealer with Pit Manager: corrects card 1 of round 1 to 6
{DIRECTOR}: rules continue because they are held
{DIRECTOR}: decides suspicion 1 as settle because they are genuine
{DIRECTOR}: decides suspicion 2 as settle because they are genuine
"""
# no card decides once a third card was due that never came
UNDECIDED = CORRECTED_LATER.replace("to 6", "to 4").replace("as settle", "as hand-back")
# 7.19: Bob's false chips count for the differential, and for nothing else
SET_APART = f"""\
game hoiana-tiger-2024/commission
automatic expose
differential 1000
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 2000 on player at 1
Bob: 1000 on banker at 2
Dealer: closes betting
Dealer: draws 9 2
Dealer with Pit Manager: holds banker of Bob at 2 as suspected
{DIRECTOR}: decides suspicion 1 as seize because they are copies
Dealer: draws K 5
Dealer: calls player
"""
# 7.13.1: what staff withdrew for Ann by mistake is in the round again
TAKEN_BACK = """\
game hoiana-tiger-2024/commission
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 1000 on player at 1
Bob: 100 on player at 2
Dealer: closes betting
Dealer: holds player of Ann at 1 as suspected
Dealer: draws 9 2 together, order unknown
Pit Manager: rules order 2 9
Dealer: for Ann withdraws
Ann: stays
Bob: stays
"""


@pytest.mark.parametrize("text", [MOVED, CORRECTED_LATER, UNDECIDED, SET_APART, TAKEN_BACK])
def test_a_wager_that_is_held_recounts_like_any_other(text: str) -> None:
    assert written(text).found_keys() == []


def test_a_wager_that_is_settled_as_if_it_were_not_held_is_found() -> None:
    of = written(SETTLED_LATER)
    of.body("round-settled")["wagers"][0]["held"] = 0
    assert (of.sequence("round-settled"), "finding.suspicion") in of.found_keys()


def test_a_held_part_that_goes_back_before_it_is_decided_is_found() -> None:
    of = written(MOVED)
    of.body("wager-reduced")["held"] = 0
    assert (of.sequence("wager-reduced"), "finding.not-so-much-there") in of.found_keys()


def test_chips_found_of_a_held_wager_that_are_not_held_are_found() -> None:
    of = written(MOVED)
    of.body("wager-found")["held"] = 0
    assert (of.sequence("wager-found"), "finding.not-held") in of.found_keys()
    of.body("wager-found")["held"] = 7
    assert (of.sequence("wager-found"), "finding.not-held") in of.found_keys()


def test_chips_that_are_taken_away_while_they_are_held_are_found() -> None:
    of = written(MOVED)
    wager = of.body("wager-reduced")["id"]
    of.insert(
        of.sequence("wager-reduced"),
        type="wager-pulled-late",
        id=wager,
        patron="Ann",
        wager="player",
        amount=1,
    )
    assert (of.sequence("wager-pulled-late"), "finding.not-so-much-there") in of.found_keys()


def test_a_settlement_that_was_not_made_so_is_not_held() -> None:
    of = written(CORRECTED_LATER)
    second = [each for each in of.bodies if each["type"] == "money-held"][1]
    second["settled"]["taken"] += 1
    assert "finding.not-so-much-there" in {key for _, key in of.found_keys()}


@pytest.mark.parametrize(("field", "value"), [("paid", 1), ("result", "won")])
def test_a_held_wager_that_the_corrected_cards_settle_otherwise_is_found(field: str, value: object) -> None:
    of = written(CORRECTED_LATER)
    of.body("held-wager-judged")["settled"][field] = value
    assert (of.sequence("held-wager-judged"), "finding.held-settled") in of.found_keys()


def test_a_held_wager_that_corrected_cards_decide_after_all_is_found() -> None:
    of = written(CORRECTED_LATER)
    of.body("held-wager-judged")["settled"] = None
    assert (of.sequence("held-wager-judged"), "finding.held-settled") in of.found_keys()
    of = written(UNDECIDED)
    of.body("held-wager-judged")["settled"] = written(CORRECTED_LATER).body("held-wager-judged")["settled"]
    assert (of.sequence("held-wager-judged"), "finding.held-settled") in of.found_keys()


def test_a_judgement_about_money_that_is_not_held_is_found() -> None:
    of = written(CORRECTED_LATER)
    of.body("held-wager-judged")["id"] = 9
    assert (of.sequence("held-wager-judged"), "finding.not-held") in of.found_keys()


def test_a_wager_set_apart_that_does_not_count_for_the_others_is_found() -> None:
    of = written(SET_APART)
    of.body("held-money-decided")["apart"] = False
    assert (of.sequence("round-settled"), "finding.in-action") in of.found_keys()


def test_a_wager_that_lies_there_again_with_another_stake_is_found() -> None:
    of = written(RELEASED)
    of.body("held-money-decided")["wager"]["stake"] += 100
    assert (of.sequence("held-money-decided"), "finding.held-released") in of.found_keys()


def test_before_form_7_a_wager_left_its_round_when_it_was_held() -> None:
    of = written(SETTLED_LATER)
    of.body("money-held")["in_play"] = False
    of.body("round-settled")["wagers"].pop(0)
    assert of.found_keys() == []
    of = written(RELEASED)
    of.body("money-held")["in_play"] = False
    assert of.found_keys() == []
    of = written(VOID)
    of.body("money-held")["in_play"] = False
    of.body("round-voided")["returned"].pop(0)
    assert of.found_keys() == []
