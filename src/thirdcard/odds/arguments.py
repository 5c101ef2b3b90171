"""The arguments of a question about odds, as people type them: a shoe, and how an unclear place is read."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from thirdcard.cards import Rank
from thirdcard.messages import message, say
from thirdcard.odds.exact import RankCounts, full_shoe
from thirdcard.odds.price import LEAST_CARDS, MOST_OF_A_RANK
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import Shelf, UnknownGame

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    ShoeArray = npt.ArrayLike
    EdgeArray = npt.NDArray[np.float64]

DECKS = range(4, 11)
PAIR_RULE = "settings.pair_rule"
# of the readings only this one changes odds: (a) by the letter of the text, (b) by rank
_PAIR_READINGS = {"a": PairRule.POINT_VALUE, "b": PairRule.RANK} | {rule.value: rule for rule in PairRule}
_RANKS = {rank.text: rank for rank in Rank}


class CannotPrice(Exception):
    """Why there are no odds: where, what, and what to do."""


def asked_game(game: str, shelf: Shelf) -> Rulebook:
    """The rulebook of a game on the shelf."""
    try:
        return shelf.rulebook(game)
    except UnknownGame as error:
        raise CannotPrice(str(error)) from error


def asked_shoe(decks: int | None, remaining: str | None) -> RankCounts:
    """The shoe of a number of decks, or of the cards that remain; eight decks where nothing is said."""
    if remaining is not None:
        if decks is not None:
            raise CannotPrice(say(message("odds.decks-or-remaining")))
        return remaining_shoe(remaining)
    number = 8 if decks is None else decks
    if number not in DECKS:
        limits = {"least": DECKS[0], "most": DECKS[-1]}
        raise CannotPrice(say(message("odds.decks-out-of-range", decks=number, **limits)))
    return full_shoe(number)


def remaining_shoe(text: str) -> RankCounts:
    """The shoe that ``A=32,2=31,K=30`` means; a rank left out has no cards left."""
    left: dict[Rank, int] = {}
    for part in filter(None, re.split(r"[\s,]+", text.strip())):
        name, _, number = part.partition("=")
        rank = _RANKS.get(name.upper())
        if rank is None or not re.fullmatch("[0-9]{1,4}", number, re.ASCII):
            raise CannotPrice(say(message("odds.bad-remaining", part=part)))
        if rank in left:
            raise CannotPrice(say(message("odds.rank-twice", rank=rank.text)))
        if int(number) > MOST_OF_A_RANK:
            limits = {"number": int(number), "most": MOST_OF_A_RANK}
            raise CannotPrice(say(message("odds.too-many-cards", rank=rank.text, **limits)))
        left[rank] = int(number)
    return RankCounts(tuple(left.get(rank, 0) for rank in Rank))


def asked_shoes(shoes: "ShoeArray") -> "npt.NDArray[np.int64]":
    """The shoes of an array: a row each, thirteen counts, ace first; a single shoe may come by itself."""
    import numpy as np  # noqa: PLC0415 - loading it takes longer than the odds of one shoe

    left = np.atleast_2d(np.asarray(shoes))
    fits = left.ndim == 2 and left.shape[1] == len(Rank) and left.dtype.kind in "iu"
    if not fits or (left < 0).any() or (left > MOST_OF_A_RANK).any():
        raise CannotPrice(say(message("computing.no-shoes", most=MOST_OF_A_RANK)))
    if len(left) and left.sum(axis=1).min() < LEAST_CARDS:
        raise CannotPrice(say(message("computing.few-cards", least=LEAST_CARDS)))
    return left.astype(np.int64)


def asked_pair_rule(rulebook: Rulebook, house: House, readings: Sequence[str]) -> PairRule:
    """The pair rule of the house, or the one that a reading such as ``AMB-01=a`` chooses."""
    chosen = rulebook.pair_rule(house)
    known = {each.id: each for each in rulebook.document.readings}
    for text in readings:
        name, _, answer = text.partition("=")
        if name not in known:
            raise CannotPrice(
                say(message("odds.no-such-reading", reading=name, rulebook=rulebook.document.id))
            )
        if known[name].setting != PAIR_RULE:
            raise CannotPrice(say(message("odds.reading-without-effect", reading=name)))
        if answer not in _PAIR_READINGS:
            answers = ", ".join(_PAIR_READINGS)
            which = "odds.no-such-answer" if answer else "odds.no-answer"
            raise CannotPrice(say(message(which, reading=name, answer=answer, answers=answers)))
        chosen = _PAIR_READINGS[answer]
    return chosen
