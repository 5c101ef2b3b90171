"""The facts of a finished round that pay rows may ask about, and every combination that can happen."""

import enum
import functools
import itertools
from typing import Literal

from msgspec import Struct

from thirdcard.cards import Rank
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD, Drawing, Draws, Hand, Points

TWO_CARDS, NATURALS = 2, (8, 9)


class Winner(enum.Enum):
    """How a round ends."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Pairs(enum.Enum):
    """How many hands hold a pair in their first two cards; ``twin`` is the same pair in both."""

    NONE = "none"
    ONE = "one"
    BOTH = "both"
    TWIN = "twin"


class PairRule(enum.Enum):
    """When two cards are a pair: by rank, or by the letter of the text that speaks of point values."""

    RANK = "rank"
    POINT_VALUE = "point-value"


class Facts(Struct, frozen=True):
    """The facts of a finished round that a pay row can ask for."""

    winner: Winner
    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    third_cards: int
    player_pair: bool
    banker_pair: bool
    pairs: Pairs

    # what follows from the others is worked out and never stored

    @property
    def margin(self) -> int:
        """By how many points the winning hand wins; none in a tie."""
        return abs(self.player_total - self.banker_total)

    @property
    def natural(self) -> bool:
        """Whether a hand has eight or nine with two cards; in a round with a winner the winning hand has."""
        hands = ((self.player_total, self.player_cards), (self.banker_total, self.banker_cards))
        return any(cards == TWO_CARDS and total in NATURALS for total, cards in hands)


TotalFact = Points | tuple[Points, ...]


class When(Struct, frozen=True, forbid_unknown_fields=True):
    """A conjunction of facts: every fact that is named must have (one of) the values given."""

    winner: Winner | tuple[Winner, ...] | None = None
    player_total: TotalFact | None = None
    banker_total: TotalFact | None = None
    player_cards: Literal[2, 3] | None = None
    banker_cards: Literal[2, 3] | None = None
    third_cards: Literal[0, 1, 2] | tuple[Literal[0, 1, 2], ...] | None = None
    player_pair: bool | None = None
    banker_pair: bool | None = None
    pairs: Pairs | tuple[Pairs, ...] | None = None
    margin: TotalFact | None = None
    natural: bool | None = None


Conditions = tuple[tuple[str, frozenset[object]], ...]


def conditions(when: When) -> Conditions:
    """The named facts of a conjunction with the values that each may have."""
    named = ((name, getattr(when, name)) for name in When.__struct_fields__)
    return tuple(
        (name, frozenset(value if isinstance(value, tuple) else (value,)))
        for name, value in named
        if value is not None
    )


def hold(conditions: Conditions, facts: Facts) -> bool:
    """Whether every condition holds."""
    for name, allowed in conditions:  # noqa: SIM110 - half the time of all() over a generator
        if getattr(facts, name) not in allowed:
            return False
    return True


def is_pair(first: Rank, second: Rank, rule: PairRule) -> bool:
    """Whether two cards are a pair; by point value two court cards that differ are still none."""
    if first == second:
        return True
    if rule is PairRule.RANK or first.point_value != second.point_value:
        return False
    return Rank.TEN in (first, second)


def pairs_of(
    player: tuple[Rank, Rank], banker: tuple[Rank, Rank], rule: PairRule
) -> tuple[bool, bool, Pairs]:
    """The Player's pair, the Banker's pair, and both together; a twin is one rank in all four cards."""
    player_pair, banker_pair = is_pair(*player, rule), is_pair(*banker, rule)
    if not (player_pair and banker_pair):
        return player_pair, banker_pair, Pairs.ONE if player_pair or banker_pair else Pairs.NONE
    return True, True, Pairs.TWIN if len({*player, *banker}) == 1 else Pairs.BOTH


def winner_of(player_total: int, banker_total: int) -> Winner:
    """The hand with the higher point total, or a tie."""
    if player_total == banker_total:
        return Winner.TIE
    return Winner.PLAYER if player_total > banker_total else Winner.BANKER


def third_cards_due(drawing: Drawing, player_total: int, banker_total: int) -> list[tuple[int, bool]]:
    """Every way the drawing can go: the Player's third card or none, and whether the Banker draws."""
    first = drawing.next_draw(player_total, banker_total)
    if not isinstance(first, Draws):
        return [(NO_THIRD_CARD, False)]
    if first.hand is Hand.BANKER:
        return [(NO_THIRD_CARD, True)]
    turns = ((third, drawing.next_draw(player_total, banker_total, third)) for third in range(10))
    return [(third, isinstance(turn, Draws)) for third, turn in turns]


def reachable(drawing: Drawing) -> frozenset[Facts]:
    """Every combination of facts that some order of cards brings about."""
    found: set[Facts] = set()
    for (player_total, banker_total), pair_states in _opening_classes().items():
        for third, banker_draws in third_cards_due(drawing, player_total, banker_total):
            player_cards = 2 if third == NO_THIRD_CARD else 3
            player_final = player_total if third == NO_THIRD_CARD else (player_total + third) % 10
            for banker_final in range(10) if banker_draws else (banker_total,):
                for player_pair, banker_pair, pairs in pair_states:
                    found.add(
                        Facts(
                            winner=winner_of(player_final, banker_final),
                            player_total=player_final,
                            banker_total=banker_final,
                            player_cards=player_cards,
                            banker_cards=3 if banker_draws else 2,
                            third_cards=player_cards + banker_draws - 2,
                            player_pair=player_pair,
                            banker_pair=banker_pair,
                            pairs=pairs,
                        )
                    )
    return frozenset(found)


@functools.cache
def _opening_classes() -> dict[tuple[int, int], set[tuple[bool, bool, Pairs]]]:
    """The pair states that go with each two totals of the first four cards."""
    hands = [
        (first, second, (first.point_value + second.point_value) % 10)
        for first, second in itertools.combinations_with_replacement(Rank, 2)
    ]
    classes: dict[tuple[int, int], set[tuple[bool, bool, Pairs]]] = {}
    for (p1, p2, player_total), (b1, b2, banker_total) in itertools.product(hands, hands):
        state = pairs_of((p1, p2), (b1, b2), PairRule.RANK)
        classes.setdefault((player_total, banker_total), set()).add(state)
    return classes
