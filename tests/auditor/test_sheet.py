"""The recount's own reading of the documents: cards, pairs, odds, rounding, limits and the differential."""

import ast
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

import thirdcard.auditor
from thirdcard.auditor.bodies import Limit
from thirdcard.auditor.expected_results import Expected, Lying, PostedTerms, expect
from thirdcard.auditor.sheet import (
    Ranks,
    RecountSheet,
    facts_of,
    next_hand,
    odds_of,
    point_total,
    read_sheet,
    to_unit,
)
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED

JACK, QUEEN, KING = 11, 12, 13


def sheet_of(document_id: str, variant: str | None = None, pairs: PairRule = PairRule.RANK) -> RecountSheet:
    document = SHIPPED.document(document_id)
    house = SHIPPED.house(document.house).form
    return read_sheet(document, replace(house, settings=replace(house.settings, pair_rule=pairs)), variant)


HOIANA = sheet_of("hoiana-tiger-2024", "commission")
RECOUNT = (
    "recount",
    "answers",
    "chips",
    "claims",
    "credits",
    "debts",
    "decided_payments",
    "held_money",
    "limit_mistakes",
    "marks",
)
MBS = sheet_of("mbs-tiger-v3")


@pytest.mark.parametrize(
    ("ranks", "total"),
    [((1, 2), 3), ((9, 9), 8), ((10, JACK), 0), ((QUEEN, KING), 0), ((5, 5), 0), ((7, 6, 8), 1)],
)
def test_the_point_total_is_the_right_digit_of_the_sum(ranks: Ranks, total: int) -> None:
    assert point_total(ranks) == total


# the Banker's row of the table of play: on which third cards of the Player it draws
BANKER_DRAWS = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_third_cards_go_by_the_table_of_play(document: str) -> None:
    sheet = sheet_of(document)
    for banker_total, thirds in BANKER_DRAWS.items():
        banker = (10, banker_total or 10)
        assert next_hand(sheet, (10, 5), banker) == "player"
        for third in range(10):
            due = next_hand(sheet, (10, 5, third or KING), banker)
            assert due == ("banker" if str(third) in thirds else None)
        assert next_hand(sheet, (10, 6), banker) == ("banker" if banker_total <= 5 else None)
    for natural in (8, 9):
        assert next_hand(sheet, (10, natural), (10, 2)) is None
        assert next_hand(sheet, (10, 2), (10, natural)) is None


def test_the_first_four_cards_go_to_player_and_banker_in_turn() -> None:
    hands = [((), ()), ((2,), ()), ((2,), (3,)), ((2, 4), (3,))]
    assert [next_hand(MBS, player, banker) for player, banker in hands] == [
        "player",
        "banker",
        "player",
        "banker",
    ]


@pytest.mark.parametrize(
    ("player", "banker", "by_rank", "by_the_letter"),
    [
        ((9, 9), (2, 3), "one", "one"),
        ((9, 9), (3, 3), "both", "both"),
        ((9, 9), (9, 9), "twin", "twin"),
        ((KING, KING), (QUEEN, QUEEN), "both", "both"),
        ((10, KING), (2, 3), "none", "one"),  # a ten and a king have one point value
        ((QUEEN, KING), (2, 3), "none", "none"),  # two court cards that differ are no pair either way
        ((10, KING), (JACK, 10), "none", "both"),
    ],
)
def test_pairs_go_by_rank_unless_the_house_takes_the_text_by_the_letter(
    player: Ranks, banker: Ranks, by_rank: str, by_the_letter: str
) -> None:
    assert facts_of(MBS, player, banker)["pairs"] == by_rank
    literal = sheet_of("mbs-tiger-v3", pairs=PairRule.POINT_VALUE)
    assert facts_of(literal, player, banker)["pairs"] == by_the_letter


def test_a_document_that_says_what_a_pair_is_leaves_the_house_no_choice() -> None:
    hoiana = sheet_of("hoiana-tiger-2024", "commission", pairs=PairRule.POINT_VALUE)
    assert facts_of(hoiana, (10, KING), (2, 3))["player_pair"] is False
    dragon = sheet_of("mbs-dragon-tiger-nc-2023", pairs=PairRule.POINT_VALUE)  # no pair wagers, no rule
    assert facts_of(dragon, (10, KING), (2, 3))["player_pair"] is False


def test_odds_are_exact() -> None:
    assert odds_of("0.95 to 1") == Fraction(19, 20)
    assert odds_of("1 to 2") == Fraction(1, 2)
    assert odds_of("100 to 1") == 100


@pytest.mark.parametrize(
    ("way", "cents", "unit", "rounded"),
    [
        ("up", "31.01", 1, 32),
        ("down", "31.99", 1, 31),
        ("half-up", "31.5", 1, 32),
        ("half-up", "31.49", 1, 31),
        ("up", "101", 50, 150),
        ("up", "100", 50, 100),
        ("down", "149", 50, 100),
        ("half-up", "125", 50, 150),
    ],
)
def test_amounts_go_to_the_unit_as_the_house_says(way: str, cents: str, unit: int, rounded: int) -> None:
    assert to_unit(Fraction(cents), unit, way) == rounded


@pytest.mark.parametrize(
    ("player", "banker", "margin", "natural"),
    [
        ((4, 5), (KING, 8), 1, True),
        ((KING, 4), (8, 4), 2, False),
        ((KING, 8), (4, 4), 0, True),
        ((2, 3, 4), (KING, KING, KING), 9, False),
        ((2, KING, 6), (3, KING, 5), 0, False),
        ((KING, 3), (KING, 9), 6, True),
    ],
)
def test_margin_and_natural_are_read_off_the_cards(
    player: tuple[int, ...], banker: tuple[int, ...], margin: int, natural: bool
) -> None:
    found = facts_of(MBS, player, banker)
    assert (found["margin"], found["natural"]) == (margin, natural)


PLAYER_WINS = facts_of(MBS, (9, KING), (2, 5))
TERMS = PostedTerms(
    {wager: Limit(wager, minimum=10_000, maximum=2_000_000) for wager in ("player", "banker", "tie")},
    differential=500_000,
)


def settle(sheet: RecountSheet, *lying: Lying, marked: frozenset[str] = frozenset()) -> list[Expected]:
    expected = expect(sheet, TERMS, lying, PLAYER_WINS, lambda each: each.patron in marked)
    return [expected[each.id] for each in lying]


def lying(number: int, wager: str, stake: int, patron: str = "Ann") -> Lying:
    return Lying(number, patron, wager, stake, stay=1)


def in_action(sheet: RecountSheet, *wagers: Lying, marked: frozenset[str] = frozenset()) -> list[int]:
    return [each.acting.amount for each in settle(sheet, *wagers, marked=marked)]


def test_the_heavier_hand_acts_for_the_lighter_one_and_the_limit() -> None:
    heavy = lying(1, "player", 600_000), lying(2, "player", 300_000)
    assert in_action(HOIANA, *heavy, lying(3, "banker", 100_000)) == [400_000, 200_000, 100_000]
    assert in_action(HOIANA, lying(1, "banker", 900_000), lying(2, "player", 100_000)) == [600_000, 100_000]


def test_within_the_limit_every_wager_acts_in_full() -> None:
    assert in_action(HOIANA, lying(1, "player", 600_000), lying(2, "banker", 100_000)) == [600_000, 100_000]


def test_side_wagers_do_not_count_in_the_differential() -> None:
    assert in_action(HOIANA, lying(1, "tie", 900_000), lying(2, "player", 500_000)) == [900_000, 500_000]


def test_the_maximum_comes_before_the_differential() -> None:
    # 25,000 counts as 20,000; against nothing 5,000 of it act
    assert in_action(HOIANA, lying(1, "player", 2_500_000)) == [500_000]


# 1,000,001 each of 2,000,002 share 500,001 on the other side and the limit
HALVES = lying(1, "player", 1_000_001), lying(2, "player", 1_000_001), lying(3, "banker", 500_001)


def test_scaled_stakes_come_to_the_limit() -> None:
    """Hoiana 7.19: half of 1,000,001 is cut off alike from both, so the first wager has the unit."""
    assert in_action(HOIANA, *HALVES) == [500_001, 500_000, 500_001]
    second, first, other = HALVES
    later = replace(first, id=7), replace(second, id=4), other
    assert in_action(HOIANA, *later) == [500_000, 500_001, 500_001]


def test_unit_left_over_goes_to_the_largest_remainder() -> None:
    """Of 500,000 the three get 83,333.3, 166,666.6 and 250,000."""
    wagers = lying(1, "player", 300_000), lying(2, "player", 600_000), lying(3, "player", 900_000)
    assert in_action(HOIANA, *wagers) == [83_333, 166_667, 250_000]


def test_engines_before_the_second_rounded_each_stake() -> None:
    assert in_action(replace(HOIANA, whole_limit=False), *HALVES) == [500_001, 500_001, 500_001]


def test_scaled_stakes_stay_within_a_limit_that_is_no_multiple_of_the_unit() -> None:
    """500,000 in units of 300 are 499,800."""
    coarse = replace(HOIANA, unit=300)
    wagers = lying(1, "player", 600_000), lying(2, "player", 600_000), lying(3, "player", 600_000)
    assert in_action(coarse, *wagers) == [166_800, 166_500, 166_500]


def test_a_wager_under_the_minimum_acts_in_full_and_the_others_share_the_rest() -> None:
    wagers = lying(1, "player", 594_000), lying(2, "player", 300_000), lying(3, "player", 6000)
    expected = settle(HOIANA, *wagers, lying(4, "banker", 100_000))
    assert [each.acting.amount for each in expected] == [394_671, 199_329, 6000, 100_000]
    assert expected[2].clauses == {"7.17", "7.19.1", "5.1.1.T2", "5.1.1", "6.1.1.1"}
    assert expected[2].acting.let_pass


def test_where_wagers_under_the_minimum_take_all_the_room_the_others_go_back() -> None:
    many = [lying(number, "player", 9_999, f"P{number}") for number in range(1, 61)]
    *spared, other = settle(HOIANA, *many, lying(99, "player", 50_000))
    assert {each.acting.amount for each in spared} == {9_999}
    assert (other.acting.amount, other.result, other.back, other.taken) == (0, "returned", 50_000, 0)


def test_where_all_are_under_the_minimum_nothing_is_scaled() -> None:
    many = [lying(number, "player", 9_999, f"P{number}") for number in range(1, 61)]
    assert in_action(HOIANA, *many) == [9_999] * 60


def test_a_marked_wager_goes_back_and_counts_nowhere() -> None:
    wagers = lying(1, "player", 9_999, "Bob"), lying(2, "player", 500_000)
    assert in_action(HOIANA, *wagers, marked=frozenset({"Bob"})) == [0, 500_000]


def test_a_house_that_does_not_scale_lets_every_wager_act() -> None:
    assert in_action(MBS, lying(1, "player", 900_000)) == [900_000]


def test_without_a_clause_no_limit_cuts_a_wager_down() -> None:
    super_six = sheet_of("mbs-super-six-etg-v3")
    assert in_action(super_six, lying(1, "player", 1), lying(2, "banker", 3_000_000)) == [1, 3_000_000]


def test_chips_that_are_gone_do_not_come_back_and_are_owed() -> None:
    pulled = replace(lying(1, "banker", 2_500_000), gone=2_500_000)
    (owed,) = settle(MBS, pulled)
    assert (owed.result, owed.taken, owed.back) == ("lost", 2_000_000, 0)


def test_the_recount_takes_nothing_from_those_whom_it_checks() -> None:
    allowed = {
        "thirdcard.auditor",
        "thirdcard.auditor.absent_patrons",
        "thirdcard.auditor.answers",
        "thirdcard.auditor.bodies",
        "thirdcard.auditor.claims",
        "thirdcard.auditor.credits",
        "thirdcard.auditor.debts",
        "thirdcard.auditor.decided_payments",
        "thirdcard.auditor.dispute_bodies",
        "thirdcard.auditor.disputes",
        "thirdcard.auditor.expected_results",
        "thirdcard.auditor.findings",
        "thirdcard.auditor.hands",
        "thirdcard.auditor.chip_bodies",
        "thirdcard.auditor.chips",
        "thirdcard.auditor.held_money",
        "thirdcard.auditor.layout",
        "thirdcard.auditor.limit_mistakes",
        "thirdcard.auditor.marks",
        "thirdcard.auditor.people",
        "thirdcard.auditor.sheet",
        "thirdcard.auditor.wager_bodies",
        "thirdcard.messages",
        "thirdcard.money",
        "thirdcard.rulebook.document",
        "thirdcard.rulebook.house",
    }
    folder = Path(thirdcard.auditor.__file__).parent
    imports = [
        node
        for name in (*RECOUNT, "expected_results", "hands", "sheet", "bodies", "findings")
        for node in ast.walk(ast.parse((folder / f"{name}.py").read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("thirdcard")
    ]
    assert {node.module for node in imports} <= allowed
    of_money = {alias.name for node in imports if node.module == "thirdcard.money" for alias in node.names}
    assert of_money == {"format_amount"}
