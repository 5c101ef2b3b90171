"""The money that patrons won and lost comes out to the cent, also after a correction or an award."""

from typing import get_args

import pytest
from journal.made_up_values import made_up
from msgspec.structs import fields, replace

from thirdcard.folds.ledger import FELT, HOUSE, Sums, balances, entries, sums
from thirdcard.game import events as ev
from thirdcard.game.state import PlacedWager, SettledWager

OPENED = ev.DisputeOpened(id=1, patron="Ann", about="a tie")
PAID_WRONGLY = ev.WrongPaymentFound(patron="Ann", amount=10000, clauses=())
TAKEN_BACK = ev.PaymentCorrected(patron="Ann", amount=10000, clauses=())
PAID_SHORT = ev.WrongPaymentFound(patron="Ann", amount=-2500, clauses=())
MADE_UP_FOR = ev.PaymentCorrected(patron="Ann", amount=-2500, by="Dealer", second="Pit Manager", clauses=())
DECIDED_PAYMENT = ev.PaymentCorrected(patron="Ann", amount=-2500, by="Gaming Shift Manager", clauses=())


def decided(award: int) -> ev.DisputeDecided:
    return ev.DisputeDecided(
        id=1, decision="upheld", sources=("law",), award=award, by="Pit Manager", clauses=()
    )


@pytest.mark.parametrize(
    ("events", "won"),
    [
        ((OPENED, decided(5000)), 5000),
        ((OPENED, decided(0)), 0),
        ((PAID_WRONGLY,), 10000),
        ((TAKEN_BACK,), -10000),
        ((PAID_WRONGLY, TAKEN_BACK), 0),
        ((PAID_WRONGLY, TAKEN_BACK, OPENED, decided(2500)), 2500),
        ((PAID_SHORT,), -2500),
        ((PAID_SHORT, MADE_UP_FOR), 0),
        ((DECIDED_PAYMENT,), 2500),
        ((PAID_WRONGLY, DECIDED_PAYMENT), 12500),
    ],
)
def test_wrong_payments_corrections_and_awards_count_as_won(events: tuple[ev.Event, ...], won: int) -> None:
    assert sums(events) == {"Ann": Sums(won=won)}
    assert balances(events)[HOUSE] == -won


PLACED = ev.WagerPlaced(
    id=1, patron="Ann", position=1, wager="player", amount=10000, placed_by=None, clauses=()
)
FOUND = ev.WagerFound(
    id=1,
    patron="Ann",
    position=1,
    wager="player",
    amount=5000,
    by="Dealer",
    second="Pit Manager",
    clauses=(),
)
LATE_PART = ev.WagerReduced(id=1, patron="Ann", wager="player", amount=4000, by="Dealer", clauses=())
THE_REST = ev.WagerReduced(id=1, patron="Ann", wager="player", amount=6000, by="Dealer", clauses=())
LATE_AWAY = ev.WagerPulledLate(id=1, patron="Ann", wager="player", amount=4000, clauses=())


LOSS = SettledWager(
    id=1,
    patron="Ann",
    position=1,
    wager="player",
    stake=10000,
    in_action=10000,
    result="lost",
    back=0,
    taken=10000,
)
LOST = ev.RoundSettled(wagers=(LOSS,), clauses=())
UNDONE = ev.SettlementReversed(wagers=LOST.wagers, clauses=())
WON = ev.RoundSettled(wagers=(replace(LOSS, result="won", paid=10000, taken=0, back=10000),), clauses=())
# 40 of 100 taken away late: 60 lie there, and no more can go back
PULLED = ["pulled and lost", "pulled and reversed", "pulled and void", "pulled and withdrawn"]
SHORT = replace(LOSS, pulled=4000)
OWED = ev.RoundSettled(wagers=(SHORT,), clauses=())
OWED_UNDONE = ev.SettlementReversed(wagers=OWED.wagers, clauses=())
LYING = PlacedWager(id=1, patron="Ann", position=1, wager="player", stake=10000, order=1, pulled=4000)
VOID = ev.RoundVoided(number=1, returned=(LYING,), reversed=(), clauses=())
WITHDRAWN = replace(THE_REST, amount=10000, gone=4000)


@pytest.mark.parametrize(
    ("events", "felt", "ann"),
    [
        ((PLACED,), 10000, -10000),
        ((PLACED, FOUND), 15000, -15000),
        ((PLACED, LATE_PART), 6000, -6000),
        ((PLACED, LATE_PART, THE_REST, ev.BettingCancelled()), 0, 0),
        ((PLACED, LATE_AWAY), 6000, -6000),
        ((PLACED, LATE_AWAY, OWED), 0, -6000),
        ((PLACED, LATE_AWAY, OWED, OWED_UNDONE), 6000, -6000),
        ((PLACED, LATE_AWAY, VOID), 0, 0),
        ((PLACED, LATE_AWAY, WITHDRAWN), 0, 0),
        ((PLACED, LOST), 0, -10000),
        ((PLACED, LOST, UNDONE), 10000, -10000),
        ((PLACED, LOST, UNDONE, WON), 0, 10000),
    ],
    ids=["placed", "found", "late part", "returned", "pulled", *PULLED, "lost", "reversed", "settled again"],
)
def test_every_way_in_which_chips_move_balances(events: tuple[ev.Event, ...], felt: int, ann: int) -> None:
    held = balances(events)
    assert (held[FELT], held["patron:Ann"]) == (felt, ann)
    assert sum(held.values()) == 0


@pytest.mark.parametrize(
    ("events", "back"),
    [
        ((PLACED, LATE_AWAY, WITHDRAWN), 6000),
        ((PLACED, LATE_AWAY, VOID), 6000),
        (
            (PLACED, LATE_AWAY, OWED, ev.RoundVoided(number=1, returned=(), reversed=(SHORT,), clauses=())),
            6000,
        ),
    ],
    ids=["withdrawn", "void", "void after its settlement"],
)
def test_what_was_taken_away_late_does_not_come_back_again(events: tuple[ev.Event, ...], back: int) -> None:
    assert sums(events) == {"Ann": Sums(back=back)}


def test_events_that_move_money_have_no_default_for_their_clauses() -> None:
    moving = {kind for kind in get_args(ev.Event) if any(entries(each) for each in made_up(kind, 20))}
    assert {ev.MoneyHeld, ev.WagerReduced, ev.DisputeDecided} <= moving
    settling = (ev.RoundSettled, ev.SettlementReversed, ev.HeldWagerJudged)
    assert [
        kind.__name__
        for kind in (*moving, *settling, ev.WagerHandedBack)
        for field in fields(kind)
        if field.name == "clauses" and not field.required
    ] == []
