"""Card values, point totals and the order of the first four cards."""

import pytest
from conftest import Settle

from thirdcard.cards import parse_card
from thirdcard.computing.settling import parse_cards
from thirdcard.game.outcome import point_total

VALUES = {
    "A": 1,
    "2": 2,
    "3": 3,
    "4": 4,
    "5": 5,
    "6": 6,
    "7": 7,
    "8": 8,
    "9": 9,
    "10": 0,
    "J": 0,
    "Q": 0,
    "K": 0,
}


@pytest.mark.parametrize(("text", "value"), VALUES.items())
def test_ace_counts_one_two_to_nine_their_pips_and_ten_to_king_nothing(text: str, value: int) -> None:
    card = parse_card(text)
    assert card is not None
    assert card.rank.point_value == value


@pytest.mark.parametrize(("cards", "total"), [("4 5", 9), ("7 8", 5), ("9 9 9", 7), ("10 K", 0), ("A 9", 0)])
def test_only_the_right_digit_of_the_sum_counts(cards: str, total: int) -> None:
    assert point_total(parse_cards(cards)) == total


@pytest.mark.parametrize(
    ("game", "pips", "tens", "below_ten", "ten_and_over"),
    [
        ("mbs-tiger-nc-v4", "3.3.1", "3.3.2", "3.4.1", "3.4.2"),
        ("mbs-tiger-v3", "3.3.1", "3.3.2", "3.4.1", "3.4.2"),
        ("mbs-dragon-tiger-nc-2023", "3.3.1", "3.3.2", "3.4.1", "3.4.2"),
        ("mbs-super-six-etg-v3", "3.3.1", "3.3.2", "3.4.1", "3.4.2"),
        ("hoiana-tiger-2024/commission", "4.11.1", "4.11.2", "4.12.1", "4.12.2"),
    ],
)
def test_a_count_cites_the_values_and_the_digit_rule(
    game: str, pips: str, tens: str, below_ten: str, ten_and_over: str, settle_hand: Settle
) -> None:
    moments = settle_hand(game, "K 9 9 9").outcome.moments
    assert moments[1].clauses[:3] == (pips, tens, below_ten)  # Player K-9 counts 9
    assert moments[2].clauses[:2] == (pips, ten_and_over)  # Banker 9-9 counts 8 of 18


def test_point_total_is_the_digit_also_where_the_definition_says_total_value(settle_hand: Settle) -> None:
    super_six = settle_hand("mbs-super-six-etg-v3", "K 9 9 9").outcome
    assert "1.1.6" in super_six.moments[2].clauses
    hoiana = settle_hand("hoiana-tiger-2024/commission", "K 9 9 9").outcome
    assert "2.2.12" in hoiana.moments[2].clauses


def test_hoiana_calls_a_hand_worth_nothing_baccarat(settle_hand: Settle) -> None:
    moments = settle_hand("hoiana-tiger-2024/commission", "10 9 K K").outcome.moments
    assert "2.2.1" in moments[1].clauses
    assert "2.2.1" not in moments[2].clauses


@pytest.mark.parametrize(
    ("game", "clauses"),
    [
        ("mbs-tiger-nc-v4", ("3.12", "3.12.1", "3.12.2", "1.1.2", "1.1.4")),
        ("mbs-tiger-v3", ("3.13", "3.13.1", "3.13.2", "1.1.3", "1.1.5")),
        ("mbs-dragon-tiger-nc-2023", ("3.13", "3.13.1", "3.13.2", "1.1.4", "1.1.6")),
        ("mbs-super-six-etg-v3", ("3.6", "3.7", "3.7.1", "3.7.2", "1.1.1", "1.1.2")),
        ("hoiana-tiger-2024/commission", ("4.9", "4.9.1", "4.9.1.1", "4.9.1.2", "2.2.7", "2.2.8")),
    ],
)
def test_cards_one_and_three_are_the_players_two_and_four_the_bankers(
    game: str, clauses: tuple[str, ...], settle_hand: Settle
) -> None:
    outcome = settle_hand(game, "3♠ 7♥ 4♦ 9♣").outcome
    assert [card.text for card in outcome.player] == ["3S", "4D"]
    assert [card.text for card in outcome.banker] == ["7H", "9C"]
    assert (outcome.facts.player_total, outcome.facts.banker_total) == (7, 6)
    assert outcome.moments[0].clauses == clauses


def test_hoiana_turns_to_the_subsequent_deal_with_the_first_third_card(settle_hand: Settle) -> None:
    outcome = settle_hand("hoiana-tiger-2024/commission", "5 2 K 2 4 9").outcome
    assert (outcome.facts.player_total, outcome.facts.banker_total) == (9, 3)
    assert outcome.moments[3].clauses == ("4.10", "4.14", "2.2.15", "4.14.T1")
    assert outcome.moments[4].clauses == ("4.15", "4.15.T3")


@pytest.mark.parametrize(
    ("game", "higher", "tie"),
    [
        ("mbs-tiger-nc-v4", ("3.15",), ("1.1.10", "3.15.1")),
        ("mbs-tiger-v3", ("3.16",), ("1.1.11", "3.16.1")),
        ("mbs-dragon-tiger-nc-2023", ("3.15",), ("1.1.13", "3.15.1")),
        ("mbs-super-six-etg-v3", ("3.10",), ("1.1.9", "3.10.1")),
        ("hoiana-tiger-2024/non-commission", ("6.1",), ("2.2.18",)),
    ],
)
def test_the_higher_total_wins_and_equal_totals_tie(
    game: str, higher: tuple[str, ...], tie: tuple[str, ...], settle_hand: Settle
) -> None:
    assert settle_hand(game, "K K 7 6").outcome.moments[-1].clauses == higher
    equal = settle_hand(game, "K K 7 7").outcome
    assert equal.moments[-1].clauses == tie
    assert equal.facts.winner.value == "tie"
