"""Hoiana 4.7: one patron at the table may ask to squeeze, the one with the highest wager on it."""

import pytest

from thirdcard.game import events as ev
from thirdcard.refusals import Refusal
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.shelf import SHIPPED

GAMES = ["hoiana-tiger-2024/commission", "hoiana-tiger-2024/non-commission"]
HEAD = (
    "face-down\nmain 50 9000\nside 10 9000\ndifferential 20000\n"
    "patrons Ann at 1, Bob at 2, Cy at 3 standing\nDealer: opens betting\n"
)
DEALT = "Dealer: closes betting\nDealer: draws ? ? ? ?\n"


def told(game: str, lines: str) -> Played:
    book = SHIPPED.rulebook(game)
    house = SHIPPED.house(book.document.house)
    return play(parse(f"game {game}\n{HEAD}{lines}", RoundRules(house=house)), book, house)


def refused(story: Played) -> list[tuple[Refusal, tuple[str, ...]]]:
    return [(each.reason, (*each.clauses,)) for each in story.refusals]


def passed(story: Played) -> list[tuple[str, str]]:
    return [(each.hand.value, each.patron) for each in story.events if isinstance(each, ev.CardsDelivered)]


@pytest.mark.parametrize("game", GAMES)
def test_patron_with_less_on_the_other_hand_does_not_squeeze(game: str) -> None:
    """100 is the most on Banker, and not the highest Bet on the table."""
    story = told(
        game,
        "Ann: 100 on banker at 1\nBob: 5000 on player at 2\nAnn: asks to squeeze\nBob: asks to squeeze\n"
        f"{DEALT}Dealer: passes banker to Ann\nDealer: passes player to Bob\n",
    )
    assert refused(story) == [(Refusal.NOT_THE_SQUEEZER, ("4.7",)), (Refusal.NOT_THE_SQUEEZER, ())]
    assert passed(story) == [("player", "Bob")]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("more", "squeezes"), [("4999.99", "Bob"), ("5000", "Ann"), ("5000.01", "Ann")])
def test_highest_wager_counts_to_the_cent(game: str, more: str, squeezes: str) -> None:
    """Bob has 5000; Ann asks first, which decides between equal wagers."""
    story = told(
        game,
        f"Ann: {more} on player at 1\nBob: 5000 on player at 2\nAnn: asks to squeeze\nBob: asks to squeeze\n"
        f"{DEALT}Dealer: passes player to {squeezes}\n",
    )
    assert [reason for reason, _ in refused(story)] == [Refusal.NOT_THE_SQUEEZER]
    assert passed(story) == [("player", squeezes)]


@pytest.mark.parametrize("game", GAMES)
def test_of_equal_wagers_the_one_who_asks_squeezes(game: str) -> None:
    story = told(
        game,
        "Ann: 500 on player at 1\nBob: 500 on player at 2\nBob: asks to squeeze\n"
        f"{DEALT}Dealer: passes player to Ann\nDealer: passes player to Bob\n",
    )
    assert refused(story) == [(Refusal.NOT_THE_SQUEEZER, ("4.7",))]
    assert passed(story) == [("player", "Bob")]


@pytest.mark.parametrize("game", GAMES)
def test_request_falls_with_a_higher_wager_of_somebody_else(game: str) -> None:
    story = told(
        game,
        "Ann: 500 on player at 1\nAnn: asks to squeeze\nBob: 600 on banker at 2\nBob: asks to squeeze\n"
        f"{DEALT}Dealer: passes player to Ann\nDealer: passes banker to Bob\n",
    )
    assert refused(story) == [(Refusal.NOT_THE_SQUEEZER, ())]
    assert passed(story) == [("banker", "Bob")]


@pytest.mark.parametrize("game", GAMES)
def test_standing_patron_does_not_squeeze(game: str) -> None:
    """The seated Player: Cy stands."""
    story = told(
        game,
        "Ann: 500 on player at 1\nCy: 900 on player at 3\nCy: asks to squeeze\nAnn: asks to squeeze\n"
        f"{DEALT}Dealer: passes player to Ann\n",
    )
    assert refused(story) == [(Refusal.NOT_THE_SQUEEZER, ("4.7",))]
    assert passed(story) == [("player", "Ann")]


@pytest.mark.parametrize("game", GAMES)
def test_wager_on_neither_hand_gives_the_cards_of_both(game: str) -> None:
    """Bet types of 4.5 are equal; the highest lies on Tie."""
    story = told(
        game,
        "Ann: 900 on tie at 1\nBob: 500 on player at 2\nAnn: asks to squeeze\n"
        f"{DEALT}Dealer: passes player to Ann\nDealer: passes banker to Ann\n",
    )
    assert story.refusals == ()
    assert passed(story) == [("player", "Ann"), ("banker", "Ann")]


@pytest.mark.parametrize("game", GAMES)
def test_two_small_wagers_are_not_one_high_one(game: str) -> None:
    """The highest Bet is one wager: 600 beats 400 at each of two positions."""
    story = told(
        game,
        "Ann: 400 on player at 1\nAnn: 400 on player at 4\nBob: 600 on player at 2\nAnn: asks to squeeze\n"
        "Bob: asks to squeeze\n",
    )
    assert refused(story) == [(Refusal.NOT_THE_SQUEEZER, ("4.7",))]


@pytest.mark.parametrize("game", GAMES)
def test_squeezer_declines_the_cards(game: str) -> None:
    story = told(
        game,
        "Ann: 500 on player at 1\nBob: 400 on player at 2\nAnn: asks to squeeze\n"
        f"{DEALT}Ann: declines player\nDealer: passes player to Ann\nDealer: passes player to Bob\n",
    )
    assert refused(story) == [(Refusal.NOT_THE_SQUEEZER, ())] * 2
    assert passed(story) == []


@pytest.mark.parametrize("game", GAMES)
def test_nobody_squeezes_without_a_wager(game: str) -> None:
    assert refused(told(game, "Ann: asks to squeeze\n")) == [(Refusal.NOT_THE_SQUEEZER, ("4.7",))]
