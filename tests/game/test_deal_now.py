"""A patron who is alone at a table without a Dealer has the cards dealt before the time is over."""

import pytest
from story import HO, N4, S6, T3, happened, reasons, refused, told

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.state import Phase
from thirdcard.refusals import Refusal

ALONE = (
    "terminal\ntraining\npatrons Ann at 1\nDealer: goes off duty\n"
    "Ann: buys 1000 credits\nTable: opens betting\n"
)
WAGER = "Ann: 100 on player at 1\n"
# the closing call, and its clause in each document
CLOSING = {T3: "3.2", N4: "3.2", S6: "3.2", HO: "4.6"}


@pytest.mark.parametrize("game", CLOSING)
def test_betting_ends_at_once_with_the_call_of_the_document(game: str) -> None:
    story = told(game, ALONE + (WAGER if game != S6 else "Ann: 100 on player\n") + "Ann: asks to deal now\n")
    assert reasons(story) == []
    (closed,) = happened(story, ev.BettingClosed)
    assert closed.call is not None
    assert closed.clauses == (CLOSING[game],)
    assert story.table.phase is Phase.CLOSED


def test_the_round_is_dealt_and_settled_like_any_other() -> None:
    story = told(T3, ALONE + WAGER + "Ann: asks to deal now\nTable: draws 9 2 K 5\n")
    assert reasons(story) == []
    assert len(happened(story, ev.RoundSettled)) == 1
    assert story.table.phase is Phase.IDLE
    assert story.table.credits_of("Ann") == 110_000


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("Ann: asks to deal now\n", Refusal.HAS_NO_WAGER),
        ("Bob: comes to the table at 2\n" + WAGER + "Ann: asks to deal now\n", Refusal.NOT_ALONE),
        (WAGER + "Eve: comes on duty as dealer\nAnn: asks to deal now\n", Refusal.DEALER_ONLY),
        (WAGER + "Bob: asks to deal now\n", Refusal.UNKNOWN_PATRON),
        (WAGER + "Table: closes betting\nAnn: asks to deal now\n", Refusal.NOT_IN_THIS_PHASE),
        (
            WAGER + "Pit Manager: pauses the table because of an alarm\nAnn: asks to deal now\n",
            Refusal.TABLE_PAUSED,
        ),
    ],
)
def test_nobody_is_hurried_by_somebody_else(lines: str, reason: Refusal) -> None:
    assert reasons(told(T3, ALONE + lines)) == [reason]


def test_one_patron_does_not_ask_for_another() -> None:
    table = told(T3, ALONE + WAGER).table
    assert refused(T3, table, cmd.DealNow(patron="Ann"), actor="Bob").reason is Refusal.NOT_YOURS


def test_a_patron_who_has_left_wagers_lying_is_waited_for() -> None:
    lines = (
        "Bob: comes to the table at 2\nBob: buys 1000 credits\nBob: 100 on banker at 2\n"
        "Bob: leaves the table\n"
    )
    story = told(T3, ALONE + lines + WAGER + "Ann: asks to deal now\n")
    assert reasons(story)[-1] is Refusal.NOT_ALONE
