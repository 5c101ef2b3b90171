"""Exact odds of random compositions by enumeration, numpy and every kernel, one by one and as a batch."""

import itertools
import os
from collections.abc import Iterator, Sequence
from unittest import mock

import numpy as np
from odds.kernels import KERNELS, random_shoes
from plain_odds import rulebook_odds

from thirdcard.odds.compiled import compile_game
from thirdcard.odds.exact import RankCounts, WagerOdds
from thirdcard.odds.kernel import VARIABLE
from thirdcard.odds.price import batch_counts, prices
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

GROUP = 11  # compositions of a batch: a vector full and some over


def compared(number: int, seed: int, group: int = GROUP) -> Iterator[tuple[int, list[str]]]:
    """Compositions priced every way, group by group over games and pair rules, with what differs."""
    shoes = iter(random_shoes(number, seed))
    for pair_rule, book in itertools.cycle(itertools.product(PairRule, SHIPPED.rulebooks)):
        some = list(itertools.islice(shoes, group))
        if not some:
            return
        yield len(some), list(_differences(book, pair_rule, some))


def _differences(book: Rulebook, pair_rule: PairRule, shoes: Sequence[RankCounts]) -> Iterator[str]:
    counted = [rulebook_odds(book, shoe, pair_rule) for shoe in shoes]
    compiled, left = compile_game(book, pair_rule), np.array([shoe.left for shoe in shoes])
    for kernel in KERNELS:
        with mock.patch.dict(os.environ, {VARIABLE: kernel}):
            batch = batch_counts(compiled, left).tolist()
            for shoe, exact, row in zip(shoes, counted, batch, strict=True):
                if prices(book, shoe, pair_rule).wagers != exact:
                    yield f"{book.id} {pair_rule.value} {kernel}, one shoe: {shoe.left}"
                if row != _by_event(book, exact):
                    yield f"{book.id} {pair_rule.value} {kernel}, in a batch: {shoe.left}"


def _by_event(book: Rulebook, odds: Sequence[WagerOdds]) -> list[int]:
    """The counts of every row of every wager, stand-offs where the rulebook has them."""
    counts: list[int] = []
    for wager, each in zip(book.wagers.values(), odds, strict=True):
        paid = iter(each.rows)
        counts += [next(paid).count if row.odds else each.stood_off for row in wager.rows]
    return counts
