"""The facts of a finished round: pairs, winner, and the combinations that some cards bring about."""

import pytest

from thirdcard.cards import Rank
from thirdcard.rulebook.facts import (
    Facts,
    PairRule,
    Pairs,
    When,
    Winner,
    conditions,
    hold,
    is_pair,
    pairs_of,
    reachable,
    third_cards_due,
    winner_of,
)
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD, Drawing

ACE, FIVE, NINE = Rank.ACE, Rank.FIVE, Rank.NINE
TEN, JACK, QUEEN, KING = Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING
BY_RANK, BY_POINT_VALUE = PairRule.RANK, PairRule.POINT_VALUE


@pytest.mark.parametrize(
    ("first", "second", "rule", "pair"),
    [
        (NINE, NINE, BY_RANK, True),
        (QUEEN, QUEEN, BY_RANK, True),
        (TEN, KING, BY_RANK, False),
        (KING, QUEEN, BY_RANK, False),
        (ACE, FIVE, BY_RANK, False),
        (NINE, NINE, BY_POINT_VALUE, True),
        (KING, KING, BY_POINT_VALUE, True),
        (TEN, TEN, BY_POINT_VALUE, True),
        (TEN, KING, BY_POINT_VALUE, True),
        (QUEEN, TEN, BY_POINT_VALUE, True),
        (JACK, QUEEN, BY_POINT_VALUE, False),
        (KING, QUEEN, BY_POINT_VALUE, False),
        (TEN, NINE, BY_POINT_VALUE, False),
        (ACE, FIVE, BY_POINT_VALUE, False),
    ],
)
def test_two_cards_are_a_pair_by_rank_or_where_a_house_says_so_by_point_value(
    first: Rank, second: Rank, rule: PairRule, pair: bool
) -> None:
    assert is_pair(first, second, rule) is pair
    assert is_pair(second, first, rule) is pair


@pytest.mark.parametrize(
    ("player", "banker", "rule", "both"),
    [
        ((NINE, FIVE), (KING, QUEEN), BY_RANK, (False, False, Pairs.NONE)),
        ((NINE, NINE), (KING, QUEEN), BY_RANK, (True, False, Pairs.ONE)),
        ((NINE, FIVE), (KING, KING), BY_RANK, (False, True, Pairs.ONE)),
        ((TEN, TEN), (KING, KING), BY_RANK, (True, True, Pairs.BOTH)),
        ((TEN, TEN), (TEN, TEN), BY_RANK, (True, True, Pairs.TWIN)),
        ((NINE, NINE), (NINE, NINE), BY_RANK, (True, True, Pairs.TWIN)),
        ((TEN, KING), (KING, TEN), BY_RANK, (False, False, Pairs.NONE)),
        ((TEN, KING), (NINE, FIVE), BY_POINT_VALUE, (True, False, Pairs.ONE)),
        ((TEN, KING), (QUEEN, TEN), BY_POINT_VALUE, (True, True, Pairs.BOTH)),
        ((TEN, TEN), (KING, KING), BY_POINT_VALUE, (True, True, Pairs.BOTH)),
        ((KING, KING), (KING, KING), BY_POINT_VALUE, (True, True, Pairs.TWIN)),
    ],
)
def test_a_twin_needs_one_rank_in_all_four_cards_and_any_other_two_pairs_are_both(
    player: tuple[Rank, Rank], banker: tuple[Rank, Rank], rule: PairRule, both: tuple[bool, bool, Pairs]
) -> None:
    assert pairs_of(player, banker, rule) == both


@pytest.mark.parametrize(
    ("player", "banker", "winner"),
    [(7, 6, Winner.PLAYER), (0, 9, Winner.BANKER), (6, 6, Winner.TIE), (0, 0, Winner.TIE)],
)
def test_the_higher_total_wins_and_equal_totals_tie(player: int, banker: int, winner: Winner) -> None:
    assert winner_of(player, banker) is winner


def facts(player: tuple[int, int], banker: tuple[int, int], pairs: Pairs = Pairs.NONE) -> Facts:
    """A finished round from the total and the number of cards of each hand; one pair is the Player's."""
    (player_total, player_cards), (banker_total, banker_cards) = player, banker
    winner = Winner.TIE
    if player_total != banker_total:
        winner = Winner.PLAYER if player_total > banker_total else Winner.BANKER
    return Facts(
        winner=winner,
        player_total=player_total,
        banker_total=banker_total,
        player_cards=player_cards,
        banker_cards=banker_cards,
        third_cards=player_cards + banker_cards - 4,
        player_pair=pairs is not Pairs.NONE,
        banker_pair=pairs in (Pairs.BOTH, Pairs.TWIN),
        pairs=pairs,
    )


def test_conditions_are_the_facts_that_a_row_names() -> None:
    when = When(winner=Winner.BANKER, banker_total=(6, 7), player_pair=False)
    assert conditions(when) == (
        ("winner", frozenset({Winner.BANKER})),
        ("banker_total", frozenset({6, 7})),
        ("player_pair", frozenset({False})),
    )


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        (When(), True),
        (When(winner=Winner.BANKER), True),
        (When(winner=Winner.BANKER, banker_total=6, banker_cards=2), True),
        (When(winner=Winner.BANKER, banker_total=6, banker_cards=3), False),
        (When(winner=(Winner.PLAYER, Winner.TIE)), False),
        (When(banker_total=(1, 2, 3, 4, 5, 7, 8, 9)), False),
        (When(third_cards=(1, 2)), True),
        (When(player_pair=True, pairs=Pairs.ONE), True),
        (When(winner=()), False),
        (When(margin=1), True),
        (When(margin=(0, 2, 3)), False),
        (When(natural=False), True),
        (When(natural=True), False),
    ],
)
def test_a_row_holds_where_every_fact_that_it_names_has_one_of_its_values(when: When, holds: bool) -> None:
    banker_six = facts(player=(5, 3), banker=(6, 2), pairs=Pairs.ONE)
    assert hold(conditions(when), banker_six) is holds


@pytest.mark.parametrize(
    ("player", "banker", "margin", "natural"),
    [
        ((9, 2), (8, 2), 1, True),
        ((8, 2), (8, 2), 0, True),
        ((3, 2), (9, 2), 6, True),
        ((9, 3), (0, 3), 9, False),
        ((9, 3), (8, 3), 1, False),
        ((7, 2), (6, 2), 1, False),
        ((0, 3), (8, 3), 8, False),
    ],
)
def test_the_margin_is_between_the_totals_and_a_natural_has_two_cards(
    player: tuple[int, int], banker: tuple[int, int], margin: int, natural: bool
) -> None:
    found = facts(player, banker)
    assert (found.margin, found.natural) == (margin, natural)


def drawing_of(game: str) -> Drawing:
    rulebook = SHIPPED.rulebook(game)
    return rulebook.drawing


@pytest.mark.parametrize(
    ("player", "banker", "due"),
    [
        (8, 3, [(NO_THIRD_CARD, False)]),
        (2, 9, [(NO_THIRD_CARD, False)]),
        (6, 5, [(NO_THIRD_CARD, True)]),
        (7, 6, [(NO_THIRD_CARD, False)]),
        (
            5,
            6,
            [
                *((third, False) for third in (0, 1, 2, 3, 4, 5)),
                (6, True),
                (7, True),
                (8, False),
                (9, False),
            ],
        ),
        (0, 7, [(third, False) for third in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)]),
    ],
)
def test_third_cards_follow_the_table_of_play_unless_there_is_a_natural(
    player: int, banker: int, due: list[tuple[int, bool]]
) -> None:
    assert third_cards_due(drawing_of("mbs-tiger-v3"), player, banker) == due


CAN_HAPPEN = {
    "two-card seven over three-card six": facts((7, 2), (6, 3)),
    "two-card six under two-card seven": facts((6, 2), (7, 2)),
    "three-card six under two-card six": facts((6, 3), (6, 2)),
    "natural nine over a two-card nothing": facts((9, 2), (0, 2)),
    "natural eight over a two-card five": facts((8, 2), (5, 2)),
    "three cards each": facts((7, 3), (6, 3)),
    "a pair of fours against a king and nine": facts((8, 2), (9, 2), Pairs.ONE),
    "twin nines": facts((8, 2), (8, 2), Pairs.TWIN),
    "three-card nine after which a Banker three stands": facts((9, 3), (3, 2)),
    "kings against tens, then two third cards": facts((5, 3), (3, 3), Pairs.BOTH),
}
CANNOT_HAPPEN = {
    "a third card to Player against a natural": facts((7, 3), (8, 2)),
    "a third card to Banker against a natural": facts((9, 2), (6, 3)),
    "a two-card five that stood without a natural": facts((5, 2), (6, 2)),
    "a two-card Banker five after the Player stood": facts((6, 2), (5, 2)),
    "a two-card Banker two after a third card to Player": facts((4, 3), (2, 2)),
    "three-card four after which a Banker three stands": facts((4, 3), (3, 2)),
    "a pair with an odd two-card total": facts((7, 2), (6, 2), Pairs.ONE),
    "twins with different two-card totals": facts((8, 2), (6, 2), Pairs.TWIN),
}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_some_order_of_cards_brings_about_is_reachable(document: str) -> None:
    found = reachable(SHIPPED.rulebooks_of(document)[0].drawing)
    assert [name for name, ending in CAN_HAPPEN.items() if ending not in found] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_the_table_of_play_rules_out_is_not_reachable(document: str) -> None:
    found = reachable(SHIPPED.rulebooks_of(document)[0].drawing)
    assert [name for name, ending in CANNOT_HAPPEN.items() if ending in found] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_totals_are_single_digits(document: str) -> None:
    found = reachable(SHIPPED.rulebooks_of(document)[0].drawing)
    assert {ending.player_total for ending in found} == {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
    assert {ending.banker_total for ending in found} == {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
