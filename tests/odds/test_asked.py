"""Questions that people type about odds: shoes, ranks and readings."""

import pytest

from thirdcard.odds.arguments import CannotPrice, asked_game, asked_pair_rule, asked_shoe, remaining_shoe
from thirdcard.odds.exact import RankCounts, full_shoe
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED


def test_a_shoe_is_eight_decks_or_so_many_or_what_remains() -> None:
    assert asked_shoe(None, None) == full_shoe(8)
    assert asked_shoe(10, None) == full_shoe(10)
    assert asked_shoe(None, "A=32, 10=3 k=1") == RankCounts((32, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1))
    assert remaining_shoe("").cards == 0


@pytest.mark.parametrize(
    ("decks", "remaining", "sentence"),
    [
        (8, "A=1", "Give one of the two"),
        (3, None, "3 decks are not dealt here. Give a number from 4 to 10."),
        (None, "1=3", r"1=3 does not say .* with the ranks A, 2 … 10, J, Q and K\."),
        (None, "A", "A does not say"),
        (None, "A=-1", "A=-1 does not say"),
        (None, "A=1,A=2", "The rank A is given twice"),
        (None, "A=41", "41 cards of rank A are more than ten decks hold"),
    ],
)
def test_a_shoe_that_is_none_is_refused(decks: int | None, remaining: str | None, sentence: str) -> None:
    with pytest.raises(CannotPrice, match=sentence):
        asked_shoe(decks, remaining)


def test_a_game_that_is_not_on_the_shelf_is_refused_with_those_that_are() -> None:
    assert asked_game("mbs-tiger-v3", SHIPPED).id == "mbs-tiger-v3"
    with pytest.raises(CannotPrice, match=r"There is no game chess\. Choose one of: mbs-tiger-nc-v4"):
        asked_game("chess", SHIPPED)


def pair_rule(game: str, *readings: str) -> PairRule:
    rulebook = SHIPPED.rulebook(game)
    return asked_pair_rule(rulebook, SHIPPED.house(rulebook.document.house), readings)


def test_a_reading_chooses_the_pair_rule() -> None:
    assert pair_rule("mbs-tiger-v3") is PairRule.RANK
    assert pair_rule("mbs-tiger-v3", "AMB-01=a") is PairRule.POINT_VALUE
    assert pair_rule("mbs-tiger-v3", "AMB-01=b") is PairRule.RANK
    assert pair_rule("mbs-tiger-v3", "AMB-01=point-value") is PairRule.POINT_VALUE


@pytest.mark.parametrize(
    ("game", "reading", "sentence"),
    [
        ("mbs-tiger-v3", "AMB-99=a", "mbs-tiger-v3 has no reading AMB-99"),
        ("mbs-tiger-v3", "AMB-05=a", "AMB-05 is fixed here or changes no odds"),
        ("hoiana-tiger-2024/commission", "AMB-01=a", "AMB-01 is fixed here"),
        ("mbs-tiger-v3", "AMB-01", "AMB-01 says nothing about how it is read. Write it like AMB-01=a"),
        ("mbs-tiger-v3", "AMB-01=z", "AMB-01 has no answer z. Choose one of: a, b, rank, point-value."),
    ],
)
def test_a_reading_that_cannot_be_chosen_is_refused(game: str, reading: str, sentence: str) -> None:
    with pytest.raises(CannotPrice, match=sentence):
        pair_rule(game, reading)
