"""Mid-round standing where the documents' power-failure rule depends on it."""

import itertools

from thirdcard.cards import Rank
from thirdcard.game.standing import KnownCards, Standing, standings
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED


def all_open(game: str, knowledge: KnownCards) -> bool:
    found = standings(SHIPPED.rulebook(game), knowledge, PairRule.RANK)
    return all(standing is Standing.OPEN for standing in found.values())


def test_with_players_two_cards_seen_the_tiger_games_are_decided_by_a_pair_or_six_to_nine() -> None:
    for game in ("mbs-tiger-nc-v4", "mbs-tiger-v3"):
        for first, second in itertools.product(Rank, Rank):
            total = (first.point_value + second.point_value) % 10
            decided = first == second or total >= 6
            assert all_open(game, KnownCards(player=(first, second))) is not decided


def test_with_players_two_cards_seen_dragon_tiger_is_always_decided() -> None:
    for first, second in itertools.product(Rank, Rank):
        assert not all_open("mbs-dragon-tiger-nc-2023", KnownCards(player=(first, second)))


def test_with_bankers_two_cards_seen_only_an_unpaired_six_leaves_the_tiger_games_open() -> None:
    for first, second in itertools.product(Rank, Rank):
        total = (first.point_value + second.point_value) % 10
        still_open = total == 6 and first != second
        assert all_open("mbs-tiger-nc-v4", KnownCards(banker=(first, second))) is still_open


def test_cards_that_contradict_the_table_of_play_leave_everything_open() -> None:
    natural_with_a_third_card = KnownCards((Rank.NINE, Rank.KING), (Rank.TWO, Rank.KING), Rank.FIVE, Rank.SIX)
    assert all_open("mbs-tiger-nc-v4", natural_with_a_third_card)
    standing_with_a_third_card = KnownCards(
        (Rank.TWO, Rank.THREE), (Rank.SEVEN, Rank.KING), Rank.FIVE, Rank.SIX
    )
    assert all_open("mbs-tiger-nc-v4", standing_with_a_third_card)
