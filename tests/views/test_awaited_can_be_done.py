"""A step that a table says it waits for can always be done, whatever happened before."""

import datetime
from collections import Counter

import pytest
from machines.commands import TABLE, make_command, make_temper
from machines.dice import SeededDice
from machines.evening import Evening
from msgspec.structs import replace

from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game.decide import decide
from thirdcard.game.desk import DEALER
from thirdcard.game.next_cards import expected_cards
from thirdcard.game.state import OnDuty, Table
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.irregularity import Method
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.views.next_actions import Due, NextStep, due_at, missing_equipment

KING = Card(Rank.KING)
NOW = datetime.datetime(2025, 6, 2, 23, tzinfo=datetime.UTC)
BOOKS = {book.id: book for book in SHIPPED.rulebooks}


def step_of(book: Rulebook, table: Table, due: Due) -> cmd.Body | None:  # noqa: C901, PLR0911, PLR0912 - one case a step
    """The command that does what is awaited, where the table or one patron alone can do it."""
    awaited = due.awaited
    assert awaited is not None
    match awaited.step:
        case NextStep.CHECK_EQUIPMENT:
            return cmd.TickEquipment(item=missing_equipment(book, table)[0])
        case NextStep.RECORD_CONFIRMATION:
            return cmd.RecordConfirmation(reference="R", date=NOW.date())
        case NextStep.RESUME:
            return cmd.ResumeTable()
        case NextStep.SHOE if awaited.why == Refusal.CARDS_NOT_CUT.value:
            return cmd.CutCards(depth=1)
        case NextStep.SHOE if awaited.why == Refusal.CARDS_IN_DOUBT.value:
            return None  # the post that decides on new cards says that the set is whole
        case NextStep.SHOE if table.shoe is None or not (table.shoe.patrons_choose or table.shoe.seal):
            return cmd.LoadShoe(decks=table.setup.decks)
        case NextStep.BURN:
            return cmd.BurnCards()
        case NextStep.FREE_HAND:
            return cmd.DealFreeHand()
        case NextStep.OPEN_BETTING:
            return cmd.OpenBetting()
        case NextStep.CLOSE_BETTING:
            return cmd.CloseBetting()
        case NextStep.CARD if table.method is not Method.C or due.patron:
            return cmd.DrawCard(card=expected_cards(table, 1)[0] or KING)
        case NextStep.PASS_CARDS:
            assert awaited.hand
            assert due.patron
            return cmd.PassCards(hand=awaited.hand, patron=due.patron)
        case NextStep.OPEN_CARDS:
            assert awaited.hand
            assert table.round
            faces = tuple(each.card or KING for each in table.round.cards if each.hand is awaited.hand)
            return cmd.ExposeCards(hand=awaited.hand, cards=faces)
        case NextStep.CALL:
            assert awaited.winner
            return cmd.CallOutcome(winner=awaited.winner)
        case _:
            return None


def look(evening: Evening, book: Rulebook) -> NextStep | None:
    """Ask what is awaited, and see whether it could be done now."""
    table = evening.table
    assert table is not None
    due = due_at(book, evening.house, table)
    if due.awaited is None:
        return None
    assert set(due.awaited.clauses) <= set(book.document.clauses)
    body = step_of(book, table, due)
    if body is not None:
        actor = due.patron if isinstance(body, cmd.DrawCard) and due.patron else TABLE
        second = due.awaited.post if not isinstance(body, cmd.DrawCard) else None
        if second:  # the table itself is none of two people
            actor = "helper"
        envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="awaited", authoriser=second)
        posted = (*table.staff, *((OnDuty(second, second), OnDuty("helper", DEALER)) if second else ()))
        table = replace(table, staff=posted)
        result = decide(book, evening.house, table, cmd.Command(body, envelope))
        assert not isinstance(result, Refused), (due, result)
    return due.awaited.step


@pytest.mark.sweep
@pytest.mark.parametrize("game", BOOKS)
def test_what_is_awaited_is_never_refused(game: str) -> None:
    book, said = BOOKS[game], Counter[NextStep | None]()
    for seed in range(10):
        dice = SeededDice(seed)
        evening = Evening(book, SHIPPED.house(book.document.house), make_temper(dice))
        for step in range(200):
            if step == 1 and evening.table is not None:
                evening.get_ready()
            evening.do(make_command(dice, evening.scene))
            if evening.table is not None:
                said[look(evening, book)] += 1
    assert said[NextStep.CARD] > 50
    assert said[NextStep.OPEN_BETTING] > 20
