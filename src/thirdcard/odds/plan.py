"""How shoes are played in a simulation: decks, burn, cutting card, rounds; and what it cannot be."""

import re

from msgspec import Struct

from thirdcard.messages import message, say
from thirdcard.odds.arguments import DECKS
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House

BURN_BY_FIRST_CARD = -1  # the first card and as many as it is worth, ten for a ten or a court card
MOST_BY_FIRST_CARD = 11
CARDS_OF_A_ROUND = 6  # at most
SHOES_OF_A_BLOCK, SHOES_OF_A_LARGE_BLOCK, MANY_SHOES = 64, 512, 65_536


class CannotSimulate(Exception):
    """Why nothing is simulated: where, what, and what to do."""


class ShoePlan(Struct, frozen=True, kw_only=True):
    """How every shoe is played; with a number of rounds the cutting card plays no part.

    The cutting card comes with the last card before it: when no more than ``cut`` cards are left.
    """

    decks: int = 8
    burn: int = 0
    rounds: int | None = None
    cut: int = 14
    after: int = 1

    @property
    def cards(self) -> int:
        """All cards of a shoe."""
        return 52 * self.decks

    @property
    def most_burned(self) -> int:
        """The most cards that the burn can take."""
        return MOST_BY_FIRST_CARD if self.burn == BURN_BY_FIRST_CARD else self.burn


def check_plan(plan: ShoePlan) -> ShoePlan:
    """The plan itself, if every shoe can be played to its end by it."""
    if plan.decks not in DECKS:
        limits = {"least": DECKS[0], "most": DECKS[-1]}
        raise CannotSimulate(say(message("odds.decks-out-of-range", decks=plan.decks, **limits)))
    room = plan.cards - plan.most_burned
    if plan.rounds is not None:
        most = room // CARDS_OF_A_ROUND
        if not 1 <= plan.rounds <= most:
            raise CannotSimulate(say(message("simulate.rounds-out-of-range", rounds=plan.rounds, most=most)))
        return plan
    # a round may begin with one card before the cutting card and need five of those behind it
    least = CARDS_OF_A_ROUND * (1 + plan.after) - 1
    if not 0 <= plan.after < room // CARDS_OF_A_ROUND:
        numbers = {"after": plan.after, "most": room // CARDS_OF_A_ROUND - 1}
        raise CannotSimulate(say(message("simulate.after-out-of-range", **numbers)))
    if not least <= plan.cut < room:
        numbers = {"cut": plan.cut, "after": plan.after, "least": least, "most": room - 1}
        raise CannotSimulate(say(message("simulate.cut-out-of-range", **numbers)))
    return plan


def parse_burn(text: str | None, rulebook: Rulebook, house: House) -> int:
    """A number of cards, ``none`` or ``first-card``; where nothing is said, as document and house have it."""
    if text is None and rulebook.document.burn:
        return BURN_BY_FIRST_CARD if house.burns_by_first_card else house.cards_to_burn(None)
    if text is None:
        return 0
    if text in _BURNS:
        return _BURNS[text]
    if not re.fullmatch("[0-9]{1,2}", text, re.ASCII):
        raise CannotSimulate(say(message("simulate.bad-burn", burn=text)))
    return int(text)


def block_of(shoes: int) -> int:
    """How many shoes are one observation when the variance is estimated: it depends on nothing else."""
    return SHOES_OF_A_BLOCK if shoes < MANY_SHOES else SHOES_OF_A_LARGE_BLOCK


_BURNS = {"none": 0, "first-card": BURN_BY_FIRST_CARD}
