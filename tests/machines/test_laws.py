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
from msgspec.structs import replace

from thirdcard.cards import Card, parse_card
from thirdcard.game import commands as cmd
from thirdcard.game.state import Hand, Wait
from thirdcard.refusals import Refusal
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import all_rulebooks

GAMES = tuple(book.id for book in all_rulebooks())
TERMINALS = "mbs-super-six-etg-v3"
AT_LENGTH = sized(in_every_run=False, at_length=True)
SECONDS = sized(40.0, 7_200.0)  # for pairs of situations
SEED = 13


def head(game: str) -> str:
    """Cards are opened by the table, and patrons sit there; methods and devices as plain as they come."""
    who = "patrons Ann, Bob\n" if game == TERMINALS else "patrons Ann at 1, Bob at 2\n"
    device = "device electronic\n" if game.startswith("mbs-") and game != TERMINALS else ""
    return f"{device}automatic expose\n{who}"


def wagers(game: str) -> str:
    if game == TERMINALS:
        bought = "Ann: buys 1000 credits\nBob: buys 1000 credits\n"
        return f"{bought}Dealer: opens betting\nAnn: 100 on player\nBob: 100 on banker\n"
    return "Dealer: opens betting\nAnn: 100 on player at 1\nBob: 100 on banker at 2\n"


CLOSED = "Dealer: closes betting\n"
STAGES = {
    "before betting": "",
    "betting open": "W",
    "closed": "W" + CLOSED,
    "first two cards together": "W" + CLOSED + "Dealer: draws 9 2 together, order known\n",
    "a card known in the device": "W" + CLOSED + "Dealer: draws ?\nDealer: reports face-up-card cards 9\n",
    "first card": "W" + CLOSED + "Dealer: draws 9\n",
    "initial deal": "W" + CLOSED + "Dealer: draws 9 2\n",
    "third card due": "W" + CLOSED + "Dealer: draws 2 K 3 3\n",
    "Banker's third card due": "W" + CLOSED + "Dealer: draws K 2 7 2\n",
    "outcome known": "W" + CLOSED + "Dealer: draws 9 2 K 5\n",
    "settled": "W" + CLOSED + "Dealer: draws 9 2 K 5\nDealer: calls player\n",
    "next round open": "W" + CLOSED + "Dealer: draws 9 2 K 5\nDealer: calls player\nDealer: opens betting\n",
    "during another case": "W" + CLOSED + "Dealer: draws 9 2\nDealer: reports foreign-card\n",
    "during a referral": "W" + CLOSED + "Dealer: draws 9 2\nDealer: reports not-covered\n",
    "in a free hand": "W"
    + CLOSED
    + "Dealer: draws K K 7 6\nDealer: draws 5 to player\nDealer: calls player\n"
    "Dealer: deals the free hand\nDealer: draws 2\n",
}
ONLY_HOIANA = ("in a free hand",)
NOT_AT_TERMINALS = ("a card known in the device",)


@functools.cache
def at(game: str, stage: str) -> Walk:
    """A table at a stage."""
    return begun(game, head(game), STAGES[stage].replace("W", wagers(game)))


def can_be(game: str, stage: str) -> bool:
    """Whether a game has a stage."""
    hoiana = game.startswith("hoiana") or stage not in ONLY_HOIANA
    return hoiana and not (game == TERMINALS and stage in NOT_AT_TERMINALS)


def cells() -> list[tuple[str, str]]:
    return [each for each in itertools.product(GAMES, STAGES) if can_be(*each)]


def card(text: str) -> Card:
    found = parse_card(text)
    assert found is not None
    return found


def lying(walk: Walk) -> tuple[Card | None, ...]:
    current = walk.table.round
    return tuple(each.card for each in current.cards) if current else ()


def tellings(walk: Walk, situation: Situation) -> Iterator[cmd.ReportIrregularity]:
    """A situation told in every way that matters: facts, cards, patron, hand and amount."""
    cards: tuple[tuple[Card | None, ...], ...] = ((), (card("9H"),), (None,))
    if situation is Situation.CARDS_TOGETHER:
        cards = ((), (card("4"), card("5")), (None, None))
    elif situation in (Situation.WRONG_ORDER, Situation.MISDEAL, Situation.WRONG_NUMBER_OF_CARDS):
        there = lying(walk)
        cards = ((), there, tuple(reversed(there)), (*there, card("4")))
    facts = {
        Situation.CARDS_TOGETHER: "order_known",
        Situation.WRONG_ORDER: "reconstructable",
        Situation.MISDEAL: "reconstructable",
        Situation.ORDER_ALTERED: "reconstructable",
        Situation.WRONG_NUMBER_OF_CARDS: "reconstructable",
        Situation.PATRON_LEFT_WITH_CARDS: "value_known",
    }
    fact = facts.get(situation, "seen")
    position = None if walk.rulebook.id == TERMINALS else 1
    plain = cmd.ReportIrregularity(situation=situation)
    about = (
        plain,
        replace(plain, patron="Ann", hand=Hand.PLAYER),
        replace(plain, patron="Ann", hand=Hand.BANKER, wager="player", position=position, amount=5_000),
    )
    for faces, value, told in itertools.product(cards, (None, True, False), about):
        yield replace(told, cards=faces, **{fact: value})
    yield replace(plain, previous_round=True, **{fact: False})
    for faces, value in itertools.product(cards, (True, False)):
        yield replace(plain, paying=True, cards=faces, **{fact: value})


COVERED: Counter[str] = Counter()


@pytest.mark.sweep
@pytest.mark.parametrize(("game", "stage"), cells(), ids=str)
def test_laws_hold_in_every_cell(game: str, stage: str) -> None:
    begun_at, seen = at(game, stage), set[bytes]()
    for situation in Situation:
        for told in tellings(begun_at, situation):
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
            for told in tellings(before, situation):
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
                    assert declined.reason is Refusal.NOT_AWAITED
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
    dice, until, found = random.Random(SEED), time.monotonic() + SECONDS, Counter[tuple[str, str]]()
    for game, stage, first, second in itertools.islice(pairs(dice), sized(1_500, None)):
        if time.monotonic() > until:
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
    ways = list(tellings(walk, situation))
    dice.shuffle(ways)
    return any(walk.do(told, authoriser="Pit Manager") is None for told in ways[: sized(3, 30)])
