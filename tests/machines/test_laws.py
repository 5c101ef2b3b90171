"""Every cell of game, situation, stage and told facts has an answer, and the laws hold on every way out."""

import functools
import itertools
import random
import time
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from lengths import sized
from machines.laws import Walk, bare, begun

from irregularity_stages import STAGES, can_be, head, tellings, wagers
from thirdcard.game import commands as cmd
from thirdcard.game.state import Wait
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED

GAMES = tuple(book.id for book in SHIPPED.rulebooks)
AT_LENGTH = sized(in_every_run=False, at_length=True)
SECONDS = sized(40.0, 7_200.0)  # for pairs of situations
SEED = 13


@functools.cache
def at(game: str, stage: str) -> Walk:
    """A table at a stage."""
    return begun(game, head(game), STAGES[stage].replace("W", wagers(game)))


def cells() -> list[tuple[str, str]]:
    return [each for each in itertools.product(GAMES, STAGES) if can_be(*each)]


COVERED: Counter[str] = Counter()


@pytest.mark.sweep
@pytest.mark.parametrize(("game", "stage"), cells(), ids=str)
def test_laws_hold_in_every_cell(game: str, stage: str) -> None:
    begun_at, seen = at(game, stage), set[bytes]()
    for situation in Situation:
        for told in tellings(begun_at.table, situation):
            walk = begun_at.copy()
            COVERED["told by one"] += begun_at.copy().do(told) is None
            refused = walk.do(told, authoriser="Pit Manager")
            COVERED["refused" if refused else "accepted"] += 1
            key = msgspec.json.encode(walk.table)
            if refused is not None or key in seen:
                continue
            seen.add(key)
            outs = walk.settle_cases()
            COVERED["ways out"] += len(outs)
            for out in outs[: sized(3, 200)]:
                out.play_to_the_end()


@pytest.mark.sweep
@pytest.mark.parametrize("game", GAMES)
def test_a_fact_that_is_not_so_leaves_the_table_as_it_was(game: str) -> None:
    """Where a clause voids, the fact can be disproved by others, and no ruling declines it.

    Two people reported it, so that two must stand for that.
    """
    found = 0
    for stage in STAGES:
        if not can_be(game, stage):
            continue
        before = at(game, stage)
        for situation in Situation:
            for told in tellings(before.table, situation):
                walk = before.copy()
                if walk.do(told, authoriser="Pit Manager") is not None:
                    continue
                case = walk.table.case
                if case is None or case.situation is not situation or walk.table.aside:
                    continue
                if case.waits is not Wait.CONFIRMATION:
                    continue
                found += 1
                third = next(e.person for e in walk.table.staff if e.person not in ("Dealer", "Pit Manager"))
                for choice in ("deny", "continue", "void-round"):
                    declined = walk.do(cmd.Rule(choice=choice, text="no"), "Gaming Shift Manager")
                    assert declined is not None
                    assert declined.reason in (Refusal.NOT_AWAITED, Refusal.IRREGULARITY_UNDER_WAY)
                assert walk.do(cmd.DisproveFacts(found="it is ours"), "Dealer") is not None
                assert walk.do(cmd.DisproveFacts(found="it is ours"), "Pit Manager") is not None
                assert walk.do(cmd.DisproveFacts(found="it is ours"), "Pit Manager", third) is None
                assert bare(walk.table) == bare(before.table)
    assert found > 10


Pair = tuple[str, str, Situation, Situation]


def pairs(dice: random.Random) -> Iterator[Pair]:
    """Two irregularities at a stage of a game: a sample, or at length every pair there is."""
    if AT_LENGTH:
        for (game, stage), first, second in itertools.product(cells(), Situation, Situation):
            yield game, stage, first, second
        return
    where = cells()
    while True:
        game, stage = dice.choice(where)
        first, second = dice.choices(list(Situation), k=2)
        yield game, stage, first, second


@pytest.mark.sweep
def test_laws_hold_for_pairs_of_situations() -> None:
    """Two irregularities one upon the other; it prints what it covered."""
    dice, until, found = random.Random(SEED), time.process_time() + SECONDS, Counter[tuple[str, str]]()
    for game, stage, first, second in itertools.islice(pairs(dice), sized(1_500, None)):
        if time.process_time() > until:
            break
        walk = at(game, stage).copy()
        if not all(reported(walk, situation, dice) for situation in (first, second)):
            continue
        found[first.value, second.value] += 1
        for out in dice.sample(outs := walk.settle_cases(), k=min(2, len(outs))):
            out.play_to_the_end()
    print(f"{sum(found.values())} pairs, {len(found)} of {len(Situation) ** 2} kinds")
    assert len(found) > 40


def reported(walk: Walk, situation: Situation, dice: random.Random) -> bool:
    """Whether a situation can be reported in one of the ways in which it can be told."""
    ways = list(tellings(walk.table, situation))
    dice.shuffle(ways)
    return any(walk.do(told, authoriser="Pit Manager") is None for told in ways[: sized(3, 30)])
