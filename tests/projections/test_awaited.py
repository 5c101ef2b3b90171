"""What a table waits for, step by step, with its clauses."""

import pytest
from msgspec.structs import replace
from projections.stories import HOIANA, SUPER_SIX, TIGER, tell

from thirdcard.game.state import Hand, Phase
from thirdcard.projections.awaited import Awaited, Gap, NextStep, choices_in, due_at
from thirdcard.rulebook.facts import Winner

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


def test_between_rounds_it_waits_for_cards_and_then_for_the_opening_call() -> None:
    empty = awaited("shoe empty\n")
    assert (empty.step, empty.why) == (NextStep.SHOE, "no-cards-loaded")
    opening = awaited(PATRONS)
    assert (opening.step, opening.calls, opening.clauses) == (
        NextStep.OPEN_BETTING,
        ("call.place-your-bets",),
        ("3.1",),
    )


def test_cards_that_must_be_replaced_come_first_by_their_clause() -> None:
    lines = CLOSED + "Dealer: draws 9 2\nDealer: reports foreign-card\nPit Manager: confirms\n"
    due = awaited(lines, HOIANA)
    assert (due.step, due.why, due.clauses) == (NextStep.SHOE, "new-cards-due", ("7.1.1",))


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
    assert (phase.awaited.step, phase.awaited.clauses) == (NextStep.MEET_DIFFERENTIAL, ("5.18",))


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
        + "Dealer: opens betting\nDealer: closes betting\nDealer: finds Ann 500 on player at 1\n"
        + "Dealer: finds Bob 500 on player at 2\nDealer: draws 9 2 K 5\n"
    )
    assert (found.step, found.hand, found.post) == (NextStep.CHOOSE_SQUEEZER, Hand.PLAYER, "pit-supervisor")
    assert found.clauses == ("3.10.4.1",)


def test_in_method_c_staff_know_who_draws() -> None:
    lines = "area high-limit\ndevice card-reading\nmethod C\n" + BETTING + "Ann: takes the device\n"
    story = tell(lines + "Dealer: closes betting\nAnn: draws 9\n")
    assert story.staff.desk is not None
    assert (story.staff.desk.patron, story.staff.desk.device_holder) == ("Ann", "Ann")


def test_a_pause_waits_to_be_resumed_and_a_case_comes_before_it() -> None:
    assert step(PATRONS + "Dealer: pauses the table because of rain\n")[0] == "resume"
    reported = "Dealer: reports not-covered\nDealer: pauses the table because of rain\n"
    assert step(PATRONS + reported)[0] == "case"


def test_a_case_waits_for_its_post() -> None:
    lost = awaited(CLOSED + "Dealer: draws 9 2\nDealer: reports order-altered, not reconstructable\n")
    assert (lost.step, lost.post, lost.clauses) == (NextStep.CASE, "pit-manager", ("5.2",))


def test_an_offer_waits_for_answers() -> None:
    lines = CLOSED + "Dealer: draws 2 K\nDealer: reports cards-together cards 3 9, order known\n"
    assert step(lines) == ("answers", None, ("5.8.1",))


def test_a_permission_is_allowed_or_denied() -> None:
    story = tell(
        "face-down\nautomatic expose\npatrons Ann at 1\nDealer: opens betting\nAnn: 300 on player at 1\n"
        "Ann: asks to squeeze\nDealer: closes betting\nDealer: draws 9 2 K 5\n"
        "Dealer: passes player to Ann\nAnn: opens player\n"
        "Dealer: reports wrong-delivery of Ann banker hand\n",
        HOIANA,
    )
    assert story.table.case is not None
    assert choices_in(story.table.case) == ("allow", "deny")
    assert story.public.phase.awaited is not None
    assert story.public.phase.awaited.post == "shift-manager"


@pytest.mark.parametrize(
    "lines", ["", "Dealer: opens betting\n", "Dealer: opens betting\nDealer: closes betting\n"]
)
def test_a_free_hand_that_is_due_comes_first(lines: str) -> None:
    story = tell("patrons Ann at 1\n" + lines, HOIANA)
    clause = story.watch.rulebook.document.round.begins.clause
    ended = replace(story.table.round, ended=True) if story.table.round else None
    table = replace(story.table, free_hand_by=clause, round=ended)
    due = due_at(story.watch.rulebook, story.watch.house, table)
    assert due.awaited == Awaited(step=NextStep.FREE_HAND, clauses=(clause,))


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
