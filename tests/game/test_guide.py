"""The guide says what comes next, and what it says can always be done."""

import datetime
from collections import Counter

import pytest
from machines.commands import TABLE, make_command, make_temper
from machines.dice import SeededDice
from machines.evening import Evening

from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game.decide import decide
from thirdcard.game.guide import Advice, Step, advise
from thirdcard.game.state import Table
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import all_rulebooks, shelf_house

KING = Card(Rank.KING)
ENVELOPE = cmd.Envelope(
    actor=TABLE, received_at=datetime.datetime(2025, 6, 2, 23, tzinfo=datetime.UTC), command_id="advice"
)
BOOKS = {book.id: book for book in all_rulebooks()}


def advised(table: Table, advice: Advice) -> cmd.Body | None:  # noqa: PLR0911 - one case a step
    """The command that carries an advice out, where the table alone can do that."""
    match advice.step:
        case Step.OPEN_TABLE:
            return cmd.TickEquipment(item=advice.items[0]) if advice.items else None
        case Step.LET_GO_ON:
            return cmd.ResumeTable()
        case Step.NEW_CARDS:
            return cmd.LoadShoe(decks=table.setup.decks)
        case Step.FREE_HAND:
            return cmd.DealFreeHand()
        case Step.BURN:
            return cmd.BurnCards(first=KING)
        case Step.OPEN_BETTING:
            return cmd.OpenBetting()
        case Step.CLOSE_BETTING:
            return cmd.CloseBetting()
        case Step.DRAW:
            return cmd.DrawCard(card=KING)
        case Step.PASS_CARDS:
            assert advice.hand
            assert advice.patron
            return cmd.PassCards(hand=advice.hand, patron=advice.patron)
        case Step.EXPOSE:
            assert advice.hand
            assert table.round
            faces = tuple(each.card or KING for each in table.round.cards if each.hand is advice.hand)
            return cmd.ExposeCards(hand=advice.hand, cards=faces)
        case Step.CALL:
            assert advice.winner
            return cmd.CallOutcome(winner=advice.winner)
        case _:
            return None


@pytest.mark.parametrize("game", BOOKS)
def test_what_the_guide_says_is_never_refused(game: str) -> None:
    book, said = BOOKS[game], Counter[Step]()
    for seed in range(12):
        dice = SeededDice(seed)
        evening = Evening(book, shelf_house(book.document.house), make_temper(dice))
        for step in range(220):
            if step == 1 and evening.table is not None:
                evening.get_ready()
            evening.do(make_command(dice, evening.scene))
            if evening.table is not None:
                said[look(evening, book)] += 1
    assert said[Step.DRAW] > 50
    assert said[Step.OPEN_BETTING] > 20


def look(evening: Evening, book: Rulebook) -> Step:
    """Ask the guide, and see whether its advice could be carried out now."""
    table = evening.table
    assert table is not None
    advice = advise(book, evening.house, table, ENVELOPE)
    body = advised(table, advice)
    if body is not None:
        actor = advice.patron if advice.step is Step.DRAW and advice.patron else TABLE
        envelope = cmd.Envelope(actor=actor, received_at=ENVELOPE.received_at, command_id="advice")
        result = decide(book, evening.house, table, cmd.Command(body, envelope))
        assert not isinstance(result, Refused), (advice, result)
    assert set(advice.clauses) <= set(book.document.clauses)
    return advice.step
