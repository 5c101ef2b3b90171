"""The next steps of a table, step by step, with their clauses."""

import pytest
from folds.stories import HOIANA, SUPER_SIX, TIGER, tell
from msgspec.structs import replace

from thirdcard.game.state import Hand, OwedHand, Phase
from thirdcard.rulebook.facts import Winner
from thirdcard.views.next_actions import Awaited, Gap, NextStep, due_at

PATRONS = "patrons Ann at 1, Bob at 2\n"
BETTING = PATRONS + "Dealer: opens betting\nAnn: 600 on player at 1\nBob: 500 on player at 2\n"
CLOSED = BETTING + "Dealer: closes betting\n"
BY_HAND = "method A\nautomatic none\n"


def awaited(lines: str, game: str = TIGER) -> Awaited:
    found = tell(lines, game).public.phase.awaited
    assert found is not None
    return found


def step(lines: str, game: str = TIGER) -> tuple[str, Hand | None, tuple[str, ...]]:
    found = awaited(lines, game)
    return found.step.value, found.hand, found.clauses


def test_a_table_that_is_shut_waits_for_its_check_list_and_then_to_be_opened() -> None:
    assert step("equipment by hand\ntable shut\n", HOIANA)[0] == "check-equipment"
    assert step("table shut\n", HOIANA) == ("open-table", None, ())


def test_a_table_of_method_c_waits_for_the_post_that_allows_it() -> None:
    opening = awaited("area high-limit\ndevice card-reading\nmethod C\ntable shut\n")
    assert (opening.step, opening.post, opening.clauses) == (
        NextStep.OPEN_TABLE,
        "assistant-casino-manager",
        ("3.9.2",),
    )


def test_a_hand_that_opens_after_the_other_is_not_asked_for() -> None:
    """Bob has the Banker hand to squeeze; nobody is asked to open the Player hand before it."""
    dealt = (
        "method A\nautomatic expose\n" + PATRONS + "Dealer: opens betting\nBob: 100 on banker at 2\n"
        "Dealer: closes betting\nDealer: draws 9 2 K 5\n"
    )
    opening = awaited(dealt)
    assert (opening.step, opening.hand) == (NextStep.PASS_CARDS, Hand.BANKER)


def test_between_rounds_it_waits_for_cards_and_then_for_the_opening_call() -> None:
    empty = awaited("shoe empty\n")
    assert (empty.step, empty.why) == (NextStep.SHOE, "no-cards-loaded")
    opening = awaited(PATRONS)
    assert (opening.step, opening.calls, opening.clauses) == (
        NextStep.OPEN_BETTING,
        ("call.place-your-bets",),
        ("3.1",),
    )


def test_cards_in_doubt_are_found_whole_or_replaced_first() -> None:
    lines = CLOSED + "Dealer: draws 9 2\nDealer: reports foreign-card\nPit Manager: confirms\n"
    due = awaited(lines, HOIANA)
    assert (due.step, due.why, due.clauses) == (NextStep.SHOE, "cards-in-doubt", ("7.1",))


def test_cards_that_must_be_replaced_come_first_by_their_clause() -> None:
    """Clause 5.12.2: where a patron draws and the order is lost, all cards are replaced."""
    patron_draws = "area high-limit\ndevice card-reading\nmethod C\n" + BETTING + "Ann: takes the device\n"
    lost = "Dealer: reports order-altered, not reconstructable\nPit Manager: confirms\n"
    due = awaited(patron_draws + "Dealer: closes betting\nAnn: draws 9 2\n" + lost)
    assert (due.step, due.why, due.clauses) == (NextStep.SHOE, "new-cards-due", ("5.12.2",))


def test_open_betting_waits_for_the_closing_call() -> None:
    assert step(BETTING) == ("close-betting", None, ("3.2",))


def test_the_first_cards_go_by_turns() -> None:
    assert step(CLOSED) == ("card", Hand.PLAYER, ("3.13", "3.13.1"))
    assert step(CLOSED + "Dealer: draws 9\n") == ("card", Hand.BANKER, ("3.13", "3.13.2"))
    assert step(CLOSED + "Dealer: draws 9 2 K\n") == ("card", Hand.BANKER, ("3.13", "3.13.2"))


def test_a_third_card_comes_by_the_table_of_play() -> None:
    assert step(CLOSED + "Dealer: draws 2 K 3 6\n") == ("card", Hand.PLAYER, ("3.15", "3.15.T2"))
    assert step(CLOSED + "Dealer: draws 3 K 4 2\n") == ("card", Hand.BANKER, ("3.15", "3.15.T10"))


def test_where_the_differential_is_exceeded_it_must_be_met_first() -> None:
    lines = "differential 1000\n" + BETTING + "Ann: 500 on player at 1\nDealer: closes betting\n"
    phase = tell(lines).public.phase
    assert phase.gap == Gap(160000, 100000, Hand.PLAYER)
    assert phase.awaited is not None
    assert (phase.awaited.step, phase.awaited.clauses) == (NextStep.MEET_DIFFERENTIAL, ("5.18", "5.18.1"))
    asked = tell(lines + "Dealer: asks to decrease\n").public.phase.awaited
    assert asked is not None
    assert (asked.step, asked.clauses) == (NextStep.MEET_DIFFERENTIAL, ("5.18",))


def test_a_hand_is_passed_to_its_patron_who_squeezes_it() -> None:
    lines = BY_HAND + CLOSED + "Dealer: draws 9 2 K 5\n"
    story = tell(lines)
    assert step(lines) == ("pass-cards", Hand.PLAYER, ("3.10.2",))
    assert story.staff.desk is not None
    assert story.staff.desk.patron == "Ann"
    passed = lines + "Dealer: passes player to Ann\n"
    assert step(passed) == ("squeeze", Hand.PLAYER, ())
    assert step(passed + "Ann: opens player\n") == ("open-cards", Hand.BANKER, ())
    called = awaited(passed + "Ann: opens player\nDealer: opens banker\n")
    assert (called.step, called.winner) == (NextStep.CALL, Winner.PLAYER)


def test_the_dealer_may_have_chosen_to_open_banker_first() -> None:
    lines = BY_HAND + CLOSED + "Dealer: draws 9 2 K 5\nDealer: opens banker first\n"
    assert step(lines) == ("open-cards", Hand.BANKER, ())


def test_where_the_order_of_wagers_does_not_tell_a_post_chooses() -> None:
    found = awaited(
        BY_HAND
        + PATRONS
        + "Dealer: opens betting\nDealer: closes betting\n"
        + "Dealer with Pit Manager: finds Ann 500 on player at 1\n"
        + "Dealer with Pit Manager: finds Bob 500 on player at 2\nDealer: draws 9 2 K 5\n"
    )
    assert (found.step, found.hand, found.post) == (NextStep.CHOOSE_SQUEEZER, Hand.PLAYER, "pit-supervisor")
    assert found.clauses == ("3.10.4.1",)


def test_in_method_c_staff_know_who_draws() -> None:
    lines = "area high-limit\ndevice card-reading\nmethod C\n" + BETTING + "Ann: takes the device\n"
    story = tell(lines + "Dealer: closes betting\nAnn: draws 9\n")
    assert story.staff.desk is not None
    assert (story.staff.desk.patron, story.staff.desk.device_holder) == ("Ann", "Ann")


def test_in_method_c_nobody_draws_who_has_no_wager_left() -> None:
    lines = "area high-limit\ndevice card-reading\nmethod C\n" + BETTING + "Ann: takes the device\n"
    lines += "Dealer: closes betting\nAnn: draws 9 2\n"
    offered = lines + "Dealer with Pit Manager: reports power-failure\nBob: stays\n"
    story = tell(offered + "Ann: withdraws\n")
    assert story.staff.phase.awaited is not None
    assert story.staff.phase.awaited.step is NextStep.CARD
    assert story.staff.desk is not None
    assert story.staff.desk.patron is None
    taken = tell(offered + "Ann: withdraws\nBob: takes the device\n").staff.desk
    assert taken is not None
    assert taken.patron == "Bob"


def test_a_pause_waits_to_be_resumed_and_a_case_comes_before_it() -> None:
    assert step(PATRONS + "Dealer: pauses the table because of rain\n")[0] == "resume"
    reported = "Dealer: reports not-covered because so\nDealer: pauses the table because of rain\n"
    assert step(PATRONS + reported)[0] == "case"


def test_a_case_waits_for_its_post() -> None:
    lost = awaited(CLOSED + "Dealer: draws 9 2\nDealer: reports order-altered, not reconstructable\n")
    assert (lost.step, lost.post, lost.clauses) == (NextStep.CASE, "pit-manager", ("5.2",))


def test_an_offer_waits_for_answers() -> None:
    lines = CLOSED + "Dealer: draws 2 K\nDealer: reports cards-together cards 3 9, order known\n"
    assert step(lines) == ("answers", None, ("5.8.1",))


def test_play_goes_on_while_a_permission_is_not_given() -> None:
    """Clause 7.10.1: the Shift Manager may allow wagers to be withdrawn; nobody waits for a no."""
    lines = (
        "face-down\nautomatic expose\npatrons Ann at 1\nDealer: opens betting\nAnn: 300 on player at 1\n"
        "Ann: asks to squeeze\nDealer: closes betting\nDealer: draws 9 2 K 5\n"
        "Dealer: passes player to Ann\nAnn: opens player\n"
        "Dealer: reports wrong-delivery of Ann banker hand\n"
    )
    story = tell(lines, HOIANA)
    assert story.public.phase.case is not None
    assert story.public.phase.case.post == "shift-manager"
    assert story.staff.desk is not None
    assert [each.choices for each in story.staff.desk.cases] == [("allow", "deny")]
    assert story.public.phase.awaited is not None
    assert story.public.phase.awaited.optional
    went_on = tell(lines + "Dealer: ends the offer\n", HOIANA).public.phase
    assert went_on.case is None
    assert went_on.awaited is not None
    assert went_on.awaited.step is NextStep.CALL


@pytest.mark.parametrize(
    "lines", ["", "Dealer: opens betting\n", "Dealer: opens betting\nDealer: closes betting\n"]
)
def test_a_free_hand_that_is_due_comes_first(lines: str) -> None:
    story = tell("patrons Ann at 1\n" + lines, HOIANA)
    clause = story.watch.rulebook.document.round.begins.clause
    ended = replace(story.table.round, ended=True) if story.table.round else None
    table = replace(story.table, free_hands=(OwedHand(clause),), round=ended)
    due = due_at(story.watch.rulebook, story.watch.house, table)
    assert due.awaited == Awaited(step=NextStep.FREE_HAND, clauses=(clause,))


UNBURNED = "burn forgotten\nface-down\npatrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\n"
NOT_BURNED = "Dealer: reports burn-forgotten\n"
RULED = "Dealer: reports not-covered because so\nAssistant Director of Gaming Operations: rules "


@pytest.mark.parametrize("closing", ["", "Dealer: closes betting\n"])
def test_a_burn_that_is_owed_comes_before_a_free_hand(closing: str) -> None:
    owed = UNBURNED + NOT_BURNED + RULED + "free-hand because it was promised\n" + closing
    assert step(owed, HOIANA) == ("burn", None, ("2.2.2", "7.11.1"))
    assert step(owed + "Dealer: burns by 7\n", HOIANA) == ("free-hand", None, ("7.20",))


def test_a_burn_that_is_owed_comes_before_the_next_opening() -> None:
    """Clause 7.11.1: the wagers went back, and the burn is made before patrons wager again."""
    void = UNBURNED + NOT_BURNED + "Dealer: closes betting\n" + RULED + "return-wagers because so\n"
    assert step(void, HOIANA) == ("burn", None, ("2.2.2", "7.11.1"))
    assert step(void + "Dealer: burns by 7\n", HOIANA)[0] == "open-betting"


def test_a_burn_that_is_owed_comes_before_the_first_card() -> None:
    owed = UNBURNED + NOT_BURNED + "Dealer: closes betting\n"
    assert step(owed, HOIANA) == ("burn", None, ("2.2.2", "7.11.1"))
    assert step(owed + "Dealer: burns by 7\n", HOIANA)[:2] == ("card", Hand.PLAYER)


def test_a_burn_that_is_owed_comes_before_the_first_card_of_a_free_hand() -> None:
    begun = UNBURNED + RULED + "free-hand because it was promised\nDealer: deals the free hand\n"
    assert step(begun, HOIANA)[:2] == ("card", Hand.PLAYER)
    assert step(begun + NOT_BURNED, HOIANA) == ("burn", None, ("2.2.2", "7.11.1"))
    assert step(begun + NOT_BURNED + "Dealer: burns by 7\n", HOIANA)[:2] == ("card", Hand.PLAYER)


def test_new_cards_that_are_due_come_before_the_first_card() -> None:
    due = awaited(CLOSED + RULED + "replace-cards because a card is bent\n", HOIANA)
    assert (due.step, due.why, due.clauses) == (NextStep.SHOE, "new-cards-due", ("7.20",))


def test_a_terminal_calls_no_differential() -> None:
    assert (
        tell("patrons T1\nDealer: opens betting\nDealer: closes betting\n", SUPER_SIX).public.phase.gap
        is None
    )


def test_where_no_card_is_due_nothing_is_awaited() -> None:
    story = tell("automatic expose\n" + CLOSED + "Dealer: draws 9 2 K 5\n")
    assert story.table.phase is Phase.OUTCOME
    undecided = replace(story.table, phase=Phase.DEALING)
    assert due_at(story.watch.rulebook, story.watch.house, undecided).awaited is None
    unknown = replace(story.table, round=None)
    assert due_at(story.watch.rulebook, story.watch.house, unknown).awaited == Awaited(step=NextStep.CALL)
