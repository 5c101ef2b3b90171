"""Cards in error, decisions about them and corrections in any order: no card is passed by."""

import random

import pytest
from lengths import sized
from machines.laws import Walk, begun

from irregularity_stages import head, wagers
from thirdcard.cards import parse_card
from thirdcard.game import commands as cmd
from thirdcard.game.state import Hand, Phase
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED

GAMES = tuple(book.id for book in SHIPPED.rulebooks)
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "K")
EVENINGS = sized(150, 4_000)
SEED = 5


def come(walk: Walk, dice: random.Random) -> None:
    """Let a card come by mistake, or two together, and sometimes be decided about at once."""
    face = parse_card(dice.choice(RANKS)) if dice.random() < 0.6 else None
    if dice.random() < 0.75:
        walk.do(cmd.DrawCard(card=face, hand=dice.choice(tuple(Hand))), authoriser="Pit Manager")
    else:
        cards = (face, parse_card(dice.choice(RANKS)))
        told = cmd.ReportIrregularity(
            situation=Situation.CARDS_TOGETHER, cards=cards, reconstructable=dice.random() < 0.7
        )
        walk.do(told, authoriser="Pit Manager")
    if dice.random() < 0.6:
        answer(walk, dice)


def answer(walk: Walk, dice: random.Random) -> None:
    """Answer the case that is dealt with first, in one of the ways in which somebody can."""
    if walk.table.case is None:
        return
    ways = walk.answers()
    dice.shuffle(ways)
    for steps in ways:
        other = walk.copy()
        if all(other.by_people(body, actor) is None for body, actor in steps):
            walk.__dict__.update(other.__dict__)
            return


def correct(walk: Walk, dice: random.Random) -> None:
    """Find that a card of the round is another one, and as often that it was the one it had been."""
    cards = walk.table.round.cards if walk.table.round else ()
    number = dice.randint(1, 7) if dice.random() < 0.2 else dice.randint(1, 4)
    was = cards[number - 1].card if number <= len(cards) else None
    for card in (parse_card(dice.choice(RANKS)), was if dice.random() < 0.5 else None):
        if card is not None:
            walk.do(
                cmd.CorrectCard(reason="seen on the felt", number=number, card=card), authoriser="Pit Manager"
            )


@pytest.mark.sweep
@pytest.mark.parametrize("game", GAMES)
def test_no_card_is_passed_by_after_corrections(game: str) -> None:
    dice = random.Random(f"{SEED} {game}")
    for _ in range(EVENINGS):
        faces = " ".join(dice.choices(RANKS, k=4))
        walk = begun(game, head(game), f"{wagers(game)}Dealer: closes betting\nDealer: draws {faces}\n")
        for step in dice.choices((come, correct, answer), weights=(4, 3, 1), k=dice.randint(2, 7)):
            step(walk, dice)
        if walk.table.phase in (Phase.DEALING, Phase.OUTCOME, Phase.IDLE):
            walk.play_to_the_end()
