"""Mid-round standing against brute force over all continuations, for every wager of every game."""

import itertools
from collections import defaultdict

import pytest
from lengths import sized

from thirdcard.cards import Rank
from thirdcard.game.standing import KnownCards, Standing, possible, standings
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Facts, PairRule, Pairs, Winner, hold
from thirdcard.rulebook.shelf import SHIPPED

pytestmark = pytest.mark.sweep

# ten and jack stand for all cards worth nothing: two ranks are enough to make and to break pairs
RANKS = [Rank(value) for value in range(1, 12)]
HANDS = list(itertools.combinations_with_replacement(RANKS, 2))
FIRST = sized({Rank.THREE}, set(RANKS))  # the first card of both hands where three or four are known
Cards = tuple[Rank, Rank]
State = tuple[tuple[Rank, ...], tuple[Rank, ...], int | None, int | None]


def value(rank: Rank) -> int:
    return rank.value if rank.value < 10 else 0


def banker_draws(banker: int, third: int | None) -> bool:
    """The table of play once more, in other words than the program's."""
    if third is None:
        return banker <= 5
    if banker <= 2:
        return True
    if banker == 3:
        return third != 8
    return {4: 2, 5: 4, 6: 6}.get(banker, 9) <= third <= 7


def endings(player: Cards, banker: Cards) -> list[tuple[int | None, int | None, Facts]]:
    """Every way a round can end from four cards: third cards by value, and the facts."""
    p, b = (value(player[0]) + value(player[1])) % 10, (value(banker[0]) + value(banker[1])) % 10
    thirds: list[int | None] = [None]
    if p < 8 and b < 8 and p <= 5:
        thirds = list(range(10))
    found: list[tuple[int | None, int | None, Facts]] = []
    for third in thirds:
        drawing = p < 8 and b < 8 and banker_draws(b, third)
        fourths: list[int | None] = list(range(10)) if drawing else [None]
        found += [(third, fourth, facts_of(player, banker, third, fourth)) for fourth in fourths]
    return found


def facts_of(player: Cards, banker: Cards, third: int | None, fourth: int | None) -> Facts:
    p = (value(player[0]) + value(player[1]) + (third or 0)) % 10
    b = (value(banker[0]) + value(banker[1]) + (fourth or 0)) % 10
    player_pair, banker_pair = player[0] == player[1], banker[0] == banker[1]
    pairs = Pairs.ONE if player_pair or banker_pair else Pairs.NONE
    if player_pair and banker_pair:
        pairs = Pairs.TWIN if player[0] == banker[0] else Pairs.BOTH
    return Facts(
        winner=Winner.TIE if p == b else Winner.PLAYER if p > b else Winner.BANKER,
        player_total=p,
        banker_total=b,
        player_cards=2 if third is None else 3,
        banker_cards=2 if fourth is None else 3,
        third_cards=(third is not None) + (fourth is not None),
        player_pair=player_pair,
        banker_pair=banker_pair,
        pairs=pairs,
    )


def states_of(player: Cards, banker: Cards) -> list[State]:
    """The states of knowledge about four cards: cards of one hand or both."""
    known: list[State] = [((), (), None, None), (player, (), None, None), ((), banker, None, None)]
    known += [((card,), (), None, None) for card in set(player)]
    known += [((), (card,), None, None) for card in set(banker)]
    known += [((one,), (other,), None, None) for one in set(player) for other in set(banker)]
    known += [(player, (card,), None, None) for card in set(banker)]
    known += [((card,), banker, None, None) for card in set(player)]
    known.append((player, banker, None, None))
    return known


@pytest.fixture(scope="module")
def reachable_states() -> dict[State, set[Facts]]:
    """Every distinct state of knowledge with all the facts that can still come of it."""
    found: dict[State, set[Facts]] = defaultdict(set)
    for player, banker in itertools.product(HANDS, HANDS):
        ends = endings(player, banker)
        every = {facts for _, _, facts in ends}
        for state in states_of(player, banker):
            found[state] |= every
        for third, fourth, facts in ends:  # then the third cards are known
            if third is not None:
                found[player, banker, third, None].add(facts)
            if fourth is not None:
                found[player, banker, third, fourth].add(facts)
    return found


def known(state: State) -> KnownCards:
    player, banker, third, fourth = state
    first, second = (*player, None, None)[:2]
    other, last = (*banker, None, None)[:2]
    return KnownCards((first, second), (other, last), card(third), card(fourth))


def card(number: int | None) -> Rank | None:
    return None if number is None else Rank.TEN if number == 0 else Rank(number)


def result(facts: Facts, book: Rulebook, wager: str) -> Standing:
    for row in book.wagers[wager].rows:
        if hold(row.conditions, facts):
            return Standing.WON if row.odds else Standing.STOOD_OFF
    return Standing.LOST


def test_what_can_still_come_is_what_brute_force_finds(reachable_states: dict[State, set[Facts]]) -> None:
    drawing = SHIPPED.rulebooks[0].drawing
    assert len(reachable_states) > 30_000
    for state, facts in reachable_states.items():
        # of the last states, where one ending is left, a sample
        if state[3] is None or state[0][0] in FIRST:
            assert possible(drawing, known(state), PairRule.RANK) == facts, state


@pytest.mark.parametrize("book", SHIPPED.rulebooks, ids=lambda book: book.id)
def test_a_wager_is_decided_when_every_ending_agrees(
    book: Rulebook, reachable_states: dict[State, set[Facts]]
) -> None:
    every = set().union(*reachable_states.values())
    by_result = {
        wager: {kind: {each for each in every if result(each, book, wager) is kind} for kind in Standing}
        for wager in book.wagers
    }
    for state, facts in reachable_states.items():
        if len(state[0]) + len(state[1]) >= 3 and not (state[0][0] in FIRST and state[1][0] in FIRST):
            continue  # of three cards and more a sample: few endings are left
        found = standings(book, known(state), PairRule.RANK)
        for wager, standing in found.items():
            results = [kind for kind, those in by_result[wager].items() if not those.isdisjoint(facts)]
            expected = results[0] if len(results) == 1 else Standing.OPEN
            assert standing is expected, (state, wager)
