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
