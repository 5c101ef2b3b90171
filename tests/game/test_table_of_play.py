"""The table of play of all five documents, every case, expected values typed in from the documents."""

import pytest
from conftest import Settle

from thirdcard.cards import Card, Rank
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.refusals import Refused
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED

GAMES = (
    "mbs-tiger-nc-v4",
    "mbs-tiger-v3",
    "mbs-dragon-tiger-nc-2023",
    "mbs-super-six-etg-v3",
    "hoiana-tiger-2024/commission",
    "hoiana-tiger-2024/non-commission",
)

# N4 3.14, T3 3.15, DT 3.14, S6 3.9.2 and 3.9.4, HO 4.14 to 4.16
PLAYER_DRAWS_ON = {0, 1, 2, 3, 4, 5}
BANKER_DRAWS_ON_THIRD_CARD = {
    0: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    1: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    2: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
    7: set(),
}
BANKER_DRAWS_WHEN_PLAYER_STANDS = {0, 1, 2, 3, 4, 5}

# the clause of the row for each Banker total once the Player has drawn: draws, stands
BANKER_ROWS = {
    "mbs-tiger-nc-v4": {0: "3.14.T4", 3: "3.14.T5", 4: "3.14.T6", 5: "3.14.T7", 6: "3.14.T8", 7: "3.14.T9"},
    "mbs-tiger-v3": {0: "3.15.T4", 3: "3.15.T5", 4: "3.15.T6", 5: "3.15.T7", 6: "3.15.T8", 7: "3.15.T9"},
    "mbs-dragon-tiger-nc-2023": {
        0: "3.14.T4",
        3: "3.14.T5",
        4: "3.14.T6",
        5: "3.14.T7",
        6: "3.14.T8",
        7: "3.14.T9",
    },
    "mbs-super-six-etg-v3": {
        0: "3.9.4.T1",
        3: "3.9.4.T2",
        4: "3.9.4.T3",
        5: "3.9.4.T4",
        6: "3.9.4.T5",
        7: "3.9.4.T6",
    },
    "hoiana-tiger-2024/commission": {
        0: "4.15.T1",
        3: "4.15.T2",
        4: "4.15.T3",
        5: "4.15.T4",
        6: "4.15.T5",
        7: "4.15.T6",
    },
}
SUPER_SIX_STANDS = "3.9.4.T6"


def card(value: int) -> Card:
    return Card(Rank.TEN if value == 0 else Rank(value))


def hands(player: int, banker: int, *thirds: int) -> tuple[Card, ...]:
    """Cards in draw order for two-card totals: a ten and the total itself in each hand."""
    return (card(0), card(0), card(player), card(banker), *(card(value) for value in thirds))


def played(game: str, cards: tuple[Card, ...]) -> Outcome | Refused:
    return play_out(SHIPPED.rulebook(game), cards, PairRule.RANK)


def expected_cards(player: int, banker: int, third: int) -> tuple[int, int]:
    """How many cards each hand ends with, by the tables typed in above."""
    if player >= 8 or banker >= 8:
        return 2, 2
    if player not in PLAYER_DRAWS_ON:
        return 2, 3 if banker in BANKER_DRAWS_WHEN_PLAYER_STANDS else 2
    return 3, 3 if third in BANKER_DRAWS_ON_THIRD_CARD[banker] else 2


@pytest.mark.parametrize("game", GAMES)
def test_every_case_of_player_banker_and_third_card(game: str) -> None:
    for player in range(10):
        for banker in range(10):
            for third in range(10):
                cards = expected_cards(player, banker, third)
                needed = sum(cards)
                dealt = hands(player, banker, third, 1)[:needed]
                outcome = played(game, dealt)
                assert isinstance(outcome, Outcome), (player, banker, third)
                assert (len(outcome.player), len(outcome.banker)) == cards, (player, banker, third)
                one_less = played(game, dealt[:-1])
                assert isinstance(one_less, Refused), (player, banker, third)
                one_more = played(game, (*dealt, card(1)))
                assert isinstance(one_more, Refused), (player, banker, third)


def test_51_draws_and_29_stands_of_the_80_banker_cases() -> None:
    draws = sum(len(values) for values in BANKER_DRAWS_ON_THIRD_CARD.values())
    assert (draws, 80 - draws) == (51, 29)


@pytest.mark.parametrize("game", BANKER_ROWS)
def test_every_banker_row_is_cited_when_it_decides(game: str, settle_hand: Settle) -> None:
    for banker in range(8):
        for third in range(10):
            draws = third in BANKER_DRAWS_ON_THIRD_CARD[banker]
            thirds = (third, 1) if draws else (third,)
            typed = " ".join(each.text for each in hands(5, banker, *thirds))
            outcome = settle_hand(game, typed).outcome
            row = BANKER_ROWS[game][0 if banker < 3 else banker]
            if game == "mbs-super-six-etg-v3" and not draws:
                row = SUPER_SIX_STANDS
            decision = outcome.moments[4]
            assert decision.what.key == ("step.draws-against" if draws else "step.stands-against")
            assert decision.clauses[-1] == row, (banker, third)


@pytest.mark.parametrize(
    ("game", "stands", "draws", "when_player_stands"),
    [
        ("mbs-tiger-nc-v4", "3.14.T3", "3.14.T2", "3.14.T10"),
        ("mbs-tiger-v3", "3.15.T3", "3.15.T2", "3.15.T10"),
        ("mbs-dragon-tiger-nc-2023", "3.14.T3", "3.14.T2", "3.14.T10"),
        ("mbs-super-six-etg-v3", "3.9.2.T2", "3.9.2.T1", "3.9.3"),
        ("hoiana-tiger-2024/commission", "4.14.T2", "4.14.T1", "4.16"),
    ],
)
def test_player_rows_and_the_banker_when_player_stands(
    game: str, stands: str, draws: str, when_player_stands: str, settle_hand: Settle
) -> None:
    for player in range(8):
        thirds: tuple[int, ...] = (0, 1) if player < 6 else (1,)
        typed = " ".join(each.text for each in hands(player, 0, *thirds))
        outcome = settle_hand(game, typed).outcome
        assert outcome.moments[3].clauses[-1] == (draws if player < 6 else stands)
    for banker in range(8):
        thirds = (1,) if banker < 6 else ()
        typed = " ".join(each.text for each in hands(6, banker, *thirds))
        outcome = settle_hand(game, typed).outcome
        assert outcome.moments[4].clauses == (when_player_stands,)
        assert len(outcome.banker) == (3 if banker < 6 else 2)


@pytest.mark.parametrize(
    ("game", "player_natural", "banker_natural"),
    [
        ("mbs-tiger-nc-v4", ("1.1.5", "3.14.T1"), ("1.1.5", "3.14.T1")),
        ("mbs-tiger-v3", ("1.1.6", "3.15.T1"), ("1.1.6", "3.15.T1")),
        ("mbs-dragon-tiger-nc-2023", ("1.1.7", "3.14.T1"), ("1.1.7", "3.14.T1")),
        ("mbs-super-six-etg-v3", ("1.1.3", "3.9.1", "3.9.2.T3"), ("1.1.3", "3.9.1", "3.9.1")),
        ("hoiana-tiger-2024/commission", ("2.2.9", "4.13", "4.14.T3"), ("2.2.9", "4.13", "4.15.T7")),
    ],
)
def test_a_natural_in_either_hand_stops_both(
    game: str, player_natural: tuple[str, ...], banker_natural: tuple[str, ...], settle_hand: Settle
) -> None:
    player_eight = settle_hand(game, "K 2 8 K").outcome
    assert player_eight.natural
    assert player_eight.moments[3].clauses == player_natural
    assert (player_eight.facts.winner.value, player_eight.facts.third_cards) == ("player", 0)
    banker_nine = settle_hand(game, "K 9 K K").outcome
    assert banker_nine.natural
    assert banker_nine.moments[3].clauses == banker_natural
    assert (banker_nine.facts.winner.value, banker_nine.facts.third_cards) == ("banker", 0)
    nine_beats_eight = settle_hand(game, "9 8 K K").outcome
    assert nine_beats_eight.facts.winner.value == "player"


@pytest.mark.parametrize("game", GAMES)
def test_eight_on_three_cards_is_no_natural(game: str, settle_hand: Settle) -> None:
    outcome = settle_hand(game, "2 K 3 7 3").outcome
    assert outcome.facts.player_total == 8
    assert not outcome.natural
