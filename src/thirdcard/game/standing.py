"""Where every wager stands in mid-round: won, lost or still open, whatever cards may come."""

import enum
import functools
import itertools
from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from thirdcard.cards import Rank
from thirdcard.rulebook.book import Rulebook, Wager
from thirdcard.rulebook.facts import (
    Facts,
    PairRule,
    Pairs,
    hold,
    is_pair,
    pairs_of,
    third_cards_due,
    winner_of,
)
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD, Drawing


class Standing(enum.Enum):
    """The result that every ending that can still come has in common for a wager."""

    WON = "won"
    LOST = "lost"
    STOOD_OFF = "stood-off"
    OPEN = "open"


class KnownCards(Struct, frozen=True):
    """The cards that are known, place by place; a place without a card may still become anything."""

    player: tuple[Rank | None, Rank | None] = (None, None)
    banker: tuple[Rank | None, Rank | None] = (None, None)
    player_third: Rank | None = None
    banker_third: Rank | None = None


def standings(rulebook: Rulebook, known: KnownCards, pair_rule: PairRule) -> dict[str, Standing]:
    """The standing of every wager on offer."""
    wagers = tuple(rulebook.wagers.values())
    return dict(zip(rulebook.wagers, _standings(rulebook.drawing, wagers, known, pair_rule), strict=True))


@functools.lru_cache(maxsize=4096)  # asked again and again while the same cards lie there
def _standings(
    drawing: Drawing, wagers: tuple[Wager, ...], known: KnownCards, pair_rule: PairRule
) -> tuple[Standing, ...]:
    facts = possible(drawing, known, pair_rule)
    return tuple(_standing(wager, facts) for wager in wagers)


def possible(drawing: Drawing, known: KnownCards, pair_rule: PairRule) -> frozenset[Facts]:
    """Every combination of facts that can still come, given what is known."""
    return frozenset(_endings(drawing, known, pair_rule))


def _standing(wager: Wager, endings: frozenset[Facts]) -> Standing:
    found: set[Standing] = set()
    for facts in endings:
        found.add(_result(wager, facts))
        if len(found) > 1:
            return Standing.OPEN
    return found.pop() if found else Standing.OPEN


def _result(wager: Wager, facts: Facts) -> Standing:
    for row in wager.rows:
        if hold(row.conditions, facts):
            return Standing.WON if row.odds else Standing.STOOD_OFF
    return Standing.LOST


ThreeCardHand = tuple[int, Rank, Rank]


def _endings(drawing: Drawing, known: KnownCards, pair_rule: PairRule) -> Iterator[Facts]:
    players, bankers = _hands(known.player, pair_rule), _hands(known.banker, pair_rule)
    openings: defaultdict[tuple[bool, bool, Pairs], set[tuple[int, int]]] = defaultdict(set)
    for (player, p1, p2), (banker, b1, b2) in itertools.product(players, bankers):
        openings[pairs_of((p1, p2), (b1, b2), pair_rule)].add((player, banker))
    finals = {totals: tuple(_finals(drawing, known, *totals)) for totals in set().union(*openings.values())}
    for (player_pair, banker_pair, pairs), opened in openings.items():
        # many openings lead to the same finals, so that each is built once
        for final in {final for totals in opened for final in finals[totals]}:
            player_total, banker_total, player_cards, banker_cards = final
            yield Facts(
                winner=winner_of(player_total, banker_total),
                player_total=player_total,
                banker_total=banker_total,
                player_cards=player_cards,
                banker_cards=banker_cards,
                third_cards=player_cards + banker_cards - 4,
                player_pair=player_pair,
                banker_pair=banker_pair,
                pairs=pairs,
            )


def _hands(cards: tuple[Rank | None, Rank | None], pair_rule: PairRule) -> list[ThreeCardHand]:
    """The two-card hands that the known cards allow: every pair, and one of each total that is no pair."""
    first, second = ([card] if card else list(Rank) for card in cards)
    found: dict[tuple[int, tuple[Rank, Rank] | None], ThreeCardHand] = {}
    for a, b in itertools.product(first, second):
        total = (a.point_value + b.point_value) % 10
        found.setdefault((total, (a, b) if is_pair(a, b, pair_rule) else None), (total, a, b))
    return list(found.values())


def _finals(
    drawing: Drawing, known: KnownCards, player: int, banker: int
) -> Iterator[tuple[int, int, int, int]]:
    """Every pair of final totals with card counts that two two-card totals can lead to."""
    thirds = _values(known.player_third)
    fourths = _values(known.banker_third)
    for third, banker_draws in third_cards_due(drawing, player, banker):
        if third == NO_THIRD_CARD:
            if known.player_third is not None:
                continue
            player_total, player_cards = player, 2
        elif third in thirds:
            player_total, player_cards = (player + third) % 10, 3
        else:
            continue
        if banker_draws:
            for value in fourths:
                yield player_total, (banker + value) % 10, player_cards, 3
        elif known.banker_third is None:
            yield player_total, banker, player_cards, 2


def _values(card: Rank | None) -> range | tuple[int]:
    return range(10) if card is None else (card.point_value,)
