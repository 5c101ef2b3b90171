"""Wagers outside the limits that were paid or collected in previous rounds (5.16, 7.20)."""

import pytest
from story import HO, N4, T3, happened, reasons, told

from thirdcard.folds.ledger import HOUSE, balances, sums
from thirdcard.game import events as ev
from thirdcard.refusals import Refusal

DT = "mbs-dragon-tiger-nc-2023"
TWO = "Dealer with Pit Manager:"
HEAD = """
    main 50 1000
    differential 5000
    patrons Ann at 1, Bob at 2
    Dealer: opens betting
    Dealer: closes betting
"""
OPENS = "Dealer: opens betting\n"
PLAYER_WINS, BANKER_WINS = "Dealer: draws 9 2 K 5\n", "Dealer: draws 2 9 5 K\n"
WON = f"{HEAD}{TWO} finds Ann 1500 on player at 1\n{PLAYER_WINS}"
LOST = f"{HEAD}{TWO} finds Bob 1500 on banker at 2\n{PLAYER_WINS}"
BOTH = f"{HEAD}{TWO} finds Ann 1500 on player at 1\n{TWO} finds Ann 1500 on banker at 1\n{PLAYER_WINS}"


def booked(text: str, game: str = T3) -> list[tuple[str, int, bool]]:
    found = happened(told(game, text), ev.WrongPaymentFound)
    return [(each.patron, each.amount, each.collected) for each in found]


@pytest.mark.parametrize("game", [T3, N4, DT])
@pytest.mark.parametrize("direction", ["", ", underpaid"])
def test_a_lost_stake_was_collected_whether_or_not_that_is_told(game: str, direction: str) -> None:
    text = f"{LOST}{OPENS}{TWO} reports old-limit-mistake of Bob amount 500{direction}\n"
    assert booked(text, game) == [("Bob", -50_000, True)]  # 5.16: paid or collected
    moved = sums(told(game, text).events)["Bob"]
    assert (moved.won, moved.taken, moved.back) == (0, 150_000, 0)
    assert balances(told(game, text).events)[HOUSE] == 150_000


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        ("of Ann amount 500, underpaid", Refusal.NO_WAGER_CONCERNED),
        ("of Ann amount 500 on banker at 1", Refusal.NO_WAGER_CONCERNED),
        ("of Ann amount 500 on player at 2", Refusal.NO_WAGER_CONCERNED),
        ("of Bob amount 500", Refusal.NO_WAGER_CONCERNED),
        ("of Ann amount 501", Refusal.MORE_THAN_CAN_BE_WRONG),
    ],
)
def test_what_the_settlement_contradicts_is_refused(report: str, reason: Refusal) -> None:
    story = told(T3, f"{WON}{OPENS}{TWO} reports old-limit-mistake {report}")
    assert reasons(story) == [reason]
    assert not happened(story, ev.WrongPaymentFound)


def test_a_banker_win_at_nineteen_to_twenty_can_have_cost_as_much() -> None:
    won = f"{HEAD}{TWO} finds Ann 2000 on banker at 1\n{BANKER_WINS}{OPENS}"
    over = told(T3, f"{won}{TWO} reports old-limit-mistake of Ann amount 951")  # 4.1.T1
    assert reasons(over) == [Refusal.MORE_THAN_CAN_BE_WRONG]
    assert booked(f"{won}{TWO} reports old-limit-mistake of Ann amount 950") == [("Ann", 95_000, False)]


@pytest.mark.parametrize("flag", ["", ", still paying", ", previous round"])
@pytest.mark.parametrize(("game", "clause"), [(T3, "5.15"), (HO, "7.18")])
def test_the_last_round_is_no_previous_one(game: str, clause: str, flag: str) -> None:
    story = told(game, f"{WON}{TWO} reports old-limit-mistake of Ann amount 500{flag}")
    assert reasons(story) == [Refusal.LAST_ROUND_IS_PUT_RIGHT]
    assert [each.clauses for each in story.refusals] == [(clause,)]  # 1.1.7, 2.2.13


def test_of_a_second_round_the_first_one_is_a_previous_one() -> None:
    second = f"{OPENS}Dealer: closes betting\n{TWO} finds Bob 1500 on player at 2\n{PLAYER_WINS}"
    reports = [f"{TWO} reports old-limit-mistake of {name} amount 500\n" for name in ("Bob", "Ann")]
    story = told(T3, WON + second + "".join(reports))
    assert reasons(story) == [Refusal.LAST_ROUND_IS_PUT_RIGHT]
    assert [each.case.round for each in happened(story, ev.IrregularityReported)] == [1]


def test_a_round_that_was_void_is_not_put_right() -> None:
    void = f"{HEAD}Dealer: draws 9\nDealer: reports foreign-card\nPit Manager: confirms\n"
    story = told(T3, f"{void}{TWO} reports old-limit-mistake of Ann amount 500")
    assert reasons(story) == [Refusal.NOT_IN_THIS_PHASE]


def test_which_of_two_wagers_is_meant_must_be_told() -> None:
    story = told(T3, f"{BOTH}{OPENS}{TWO} reports old-limit-mistake of Ann amount 500")
    assert reasons(story) == [Refusal.FACTS_NEEDED]
    text = f"{BOTH}{OPENS}{TWO} reports old-limit-mistake of Ann amount 500"
    assert booked(f"{text}, underpaid") == [("Ann", -50_000, True)]
    assert booked(f"{text} on player at 1") == [("Ann", 50_000, False)]


def test_each_wager_is_booked_once() -> None:
    areas = "".join(f"{TWO} finds Ann 1500 on player at {position}\n" for position in (1, 2))
    reports = [f"{TWO} reports old-limit-mistake of Ann amount 500 on player at {at}\n" for at in (1, 1, 2)]
    story = told(T3, HEAD + areas + PLAYER_WINS + OPENS + "".join(reports))
    assert reasons(story) == [Refusal.MORE_THAN_CAN_BE_WRONG]
    assert [each.case.position for each in happened(story, ev.IrregularityReported)] == [1, 2]


def test_what_was_put_right_is_not_told_again() -> None:
    right = f"{TWO} reports wrong-payment of Ann amount 500\n"
    story = told(T3, f"{WON}{right}{OPENS}{TWO} reports old-limit-mistake of Ann amount 500")
    assert reasons(story) == [Refusal.MORE_THAN_CAN_BE_WRONG]


@pytest.mark.parametrize(
    ("before", "report", "amount"),
    [
        (LOST, "of Bob amount 500, underpaid", -50_000),
        (LOST, "of Bob amount 200, underpaid", -20_000),  # nothing else was due to Bob
        (WON, "of Ann amount 500", 50_000),
        (WON, "of Ann amount 200 on player at 1", 20_000),
    ],
)
def test_a_wrong_payment_by_a_limit_is_settled(before: str, report: str, amount: int) -> None:
    story = told(T3, f"{before}{OPENS}{TWO} reports wrong-payment {report}, previous round")
    assert [each.amount for each in happened(story, ev.WrongPaymentFound)] == [amount]
    assert [each.case.clause for each in happened(story, ev.IrregularityReported)] == ["5.16"]
    assert story.table.case is None


@pytest.mark.parametrize("report", ["of Ann amount 200", "of Ann amount 500, underpaid", "of Bob amount 500"])
def test_a_wrong_payment_by_something_else_is_referred(report: str) -> None:
    story = told(T3, f"{WON}{OPENS}{TWO} reports wrong-payment {report}, previous round")
    assert not reasons(story)
    assert story.table.case is not None  # 6.1


def test_what_was_booked_in_part_is_not_claimed_as_a_whole() -> None:
    part = f"{TWO} reports old-limit-mistake of Ann amount 300\n"
    story = told(T3, f"{WON}{OPENS}{part}{TWO} reports wrong-payment of Ann amount 500, previous round")
    assert reasons(story) == [Refusal.EARLIER_ROUNDS_STAND]


def test_a_mistake_of_an_earlier_round_does_not_hold_up_another_one() -> None:
    second = f"{OPENS}{TWO} reports old-limit-mistake of Ann amount 500\nDealer: closes betting\n"
    chips = f"{TWO} finds Ann 100 on player at 1\n{PLAYER_WINS}"
    story = told(T3, f"{WON}{second}{chips}{TWO} reports wrong-payment of Ann amount 50")
    assert not reasons(story)
    assert [each.amount for each in happened(story, ev.PaymentCorrected)] == [5_000]


def test_the_post_does_not_claim_what_is_settled() -> None:
    asks = "Dealer: reports not-covered, previous round because of the limit\n"
    rules = "Gaming Shift Manager with Pit Manager: rules take-back from Ann 500 because it was too much"
    assert reasons(told(T3, WON + OPENS + asks + rules)) == [Refusal.EARLIER_ROUNDS_STAND]


def test_the_post_pays_for_something_else_in_the_round_under_way() -> None:
    books = f"{OPENS}{TWO} reports old-limit-mistake of Bob amount 500\n"
    asks = "Dealer: reports not-covered because a drink was spilled\n"
    story = told(T3, LOST + books + asks + "Gaming Shift Manager: rules pay paying Bob 100 because of it")
    assert not reasons(story)


@pytest.mark.parametrize("shoe", ["", "Pit Manager: loads 8 decks\n"])
def test_a_slip_is_taken_out_again(shoe: str) -> None:
    second = f"Dealer: closes betting\n{PLAYER_WINS}{shoe}{OPENS}"
    text = f"{LOST}{OPENS}{TWO} reports old-limit-mistake of Bob amount 500\n{second}"
    story = told(T3, f"{text}{TWO} withdraws the report\n")
    assert [(each.amount, each.mistaken) for each in happened(story, ev.WrongPaymentFound)] == [
        (-50_000, False),
        (50_000, True),
    ]
    assert balances(story.events)[HOUSE] == 100_000
    assert story.table.mistakes == ()


def test_a_report_by_one_person_leaves_nothing_to_take_out() -> None:
    alone = f"{LOST}{OPENS}Dealer: reports old-limit-mistake of Bob amount 500\n"
    story = told(T3, f"{alone}{TWO} withdraws the report\n")
    assert reasons(story) == [Refusal.NOT_AWAITED]
    assert not happened(story, ev.WrongPaymentFound)


def test_what_a_post_has_decided_is_not_taken_back() -> None:
    decided = f"{LOST}{OPENS}{TWO} reports old-limit-mistake of Bob amount 500\n"
    rules = "Assistant Director of Gaming Operations: rules continue because it is long ago\n"
    story = told(HO, f"{decided}{rules}{TWO} withdraws the report\n")
    assert reasons(story) == [Refusal.NOT_AWAITED]


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_hoiana_pays_back_once(rounds: int) -> None:
    later = f"{OPENS}Dealer: closes betting\n{PLAYER_WINS}" * rounds
    report = f"{TWO} reports old-limit-mistake of Bob amount 500\n"
    rules = "Assistant Director of Gaming Operations: rules pay paying Bob 500 because of 7.18\n"
    again = f"Dealer: closes betting\n{PLAYER_WINS}{OPENS}{report}"
    story = told(HO, f"{LOST}{later}{OPENS}{report}{rules}{report}{again}")
    assert reasons(story) == [Refusal.MORE_THAN_CAN_BE_WRONG] * 2
    assert balances(story.events)[HOUSE] == 100_000


def test_only_wagers_outside_the_limits_are_remembered() -> None:
    """MBS 5.15, 5.16: Ann's 2000 over the maximum of 1000 can come up in later rounds, Bob's 100 not."""
    table = told(
        T3,
        """
        main 50 1000
        patrons Ann at 1, Bob at 2
        Dealer: opens betting
        Bob: 100 on banker at 2
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 2000 on player at 1
        Dealer: draws 9 2 K 5
        Dealer: opens betting
        """,
    ).table
    assert [each.wager.patron for each in table.outside] == ["Ann"]
