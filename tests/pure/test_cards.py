"""Cards: the many ways people write them, and the one way in which they are printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thirdcard.cards import Card, Rank, Suit, parse_card

WRITTEN = {
    "A": Card(Rank.ACE),
    "a": Card(Rank.ACE),
    "2": Card(Rank.TWO),
    "9": Card(Rank.NINE),
    "10": Card(Rank.TEN),
    "T": Card(Rank.TEN),
    "j": Card(Rank.JACK),
    "Q": Card(Rank.QUEEN),
    "K": Card(Rank.KING),
    "10H": Card(Rank.TEN, Suit.HEARTS),
    "Th": Card(Rank.TEN, Suit.HEARTS),
    "ts": Card(Rank.TEN, Suit.SPADES),
    "5c": Card(Rank.FIVE, Suit.CLUBS),
    "qd": Card(Rank.QUEEN, Suit.DIAMONDS),
    "K♠": Card(Rank.KING, Suit.SPADES),
    "3♥": Card(Rank.THREE, Suit.HEARTS),
    "7♦": Card(Rank.SEVEN, Suit.DIAMONDS),
    "A♣": Card(Rank.ACE, Suit.CLUBS),
    "A♥\ufe0f": Card(Rank.ACE, Suit.HEARTS),
    "  8s\n": Card(Rank.EIGHT, Suit.SPADES),
}

NO_CARDS = (
    "",
    " ",
    "0",
    "1",
    "11",
    "1H",
    "100",
    "B",
    "H",
    "10X",
    "HA",
    "♠",
    "♠K",
    "TT",
    "10 H",
    "A♥♥",
    "٣",
    "-2",
)

PRINTED = {
    Card(Rank.ACE): "A",
    Card(Rank.TWO): "2",
    Card(Rank.NINE): "9",
    Card(Rank.TEN): "10",
    Card(Rank.JACK): "J",
    Card(Rank.QUEEN): "Q",
    Card(Rank.KING): "K",
    Card(Rank.TEN, Suit.HEARTS): "10H",
    Card(Rank.KING, Suit.SPADES): "KS",
    Card(Rank.ACE, Suit.DIAMONDS): "AD",
    Card(Rank.THREE, Suit.CLUBS): "3C",
}

POINT_VALUES = {
    Rank.ACE: 1,
    Rank.TWO: 2,
    Rank.THREE: 3,
    Rank.FOUR: 4,
    Rank.FIVE: 5,
    Rank.SIX: 6,
    Rank.SEVEN: 7,
    Rank.EIGHT: 8,
    Rank.NINE: 9,
    Rank.TEN: 0,
    Rank.JACK: 0,
    Rank.QUEEN: 0,
    Rank.KING: 0,
}

ALL_CARDS = [Card(rank, suit) for rank in Rank for suit in (None, *Suit)]


@pytest.mark.parametrize(("text", "card"), WRITTEN.items())
def test_a_card_is_understood_in_every_usual_spelling(text: str, card: Card) -> None:
    assert parse_card(text) == card


@pytest.mark.parametrize("text", NO_CARDS)
def test_what_is_no_card_is_not_taken_for_one(text: str) -> None:
    assert parse_card(text) is None


@pytest.mark.parametrize(("card", "text"), PRINTED.items())
def test_a_card_is_printed_by_its_rank_and_the_letter_of_its_suit(card: Card, text: str) -> None:
    assert card.text == text


def test_there_are_thirteen_ranks_and_ten_to_king_count_nothing() -> None:
    assert [rank.value for rank in Rank] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert {rank: rank.point_value for rank in Rank} == POINT_VALUES


@given(card=st.sampled_from(ALL_CARDS), before=st.text(" \t", max_size=2), lower=st.booleans())
def test_a_printed_card_is_understood_again(card: Card, before: str, lower: bool) -> None:
    printed = card.text.lower() if lower else card.text
    assert parse_card(before + printed) == card
