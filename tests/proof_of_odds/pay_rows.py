"""The pay rows of every wager, written from the pay tables of the documents and from nothing else."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from proof_of_odds.dealing import deal

from thirdcard.cards import Rank


class Dealt(NamedTuple):
    """A round that was dealt to its end: totals, numbers of cards, pairs."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool
    twin: bool


Holds = Callable[[Dealt], bool]
Rows = dict[str, Holds]
Pair = Callable[[Rank, Rank], bool]


def by_rank(one: Rank, other: Rank) -> bool:
    """A pair by rank."""
    return one == other


def by_letter(one: Rank, other: Rank) -> bool:
    """A pair by the letter of the text: a ten and a court card are one too, two different court cards not."""
    return one == other or (one >= 10 and other >= 10 and 10 in {one, other})


def dealt(order: Sequence[Rank], pair: Pair) -> Dealt | None:
    """The round that cards in this order bring, or nothing where they run out."""
    ended = deal([card.point_value for card in order])
    if ended is None:
        return None
    player_pair, banker_pair = pair(order[0], order[2]), pair(order[1], order[3])
    return Dealt(*ended, player_pair, banker_pair, twin=len(set(order[:4])) == 1)


def banker_six(end: Dealt) -> bool:
    """The Banker wins with a point total of six."""
    return end.banker == 6 and end.player < 6


def dragon_tiger(end: Dealt) -> bool:
    """The Player wins with seven over six."""
    return (end.player, end.banker) == (7, 6)


def player_seven(end: Dealt) -> bool:
    """The Player wins with a point total of seven."""
    return end.player == 7 and end.banker < 7


PLAYER: Rows = {"1 to 1": lambda end: end.player > end.banker}
BANKER: Rows = {"0.95 to 1": lambda end: end.banker > end.player}
BANKER_NO_COMMISSION: Rows = {
    "1 to 2": banker_six,
    "1 to 1": lambda end: end.banker > end.player and end.banker != 6,
}
TIE: Rows = {"8 to 1": lambda end: end.player == end.banker}
TIGER: Rows = {
    "12 to 1": lambda end: banker_six(end) and end.banker_cards == 2,
    "20 to 1": lambda end: banker_six(end) and end.banker_cards == 3,
}
SMALL_TIGER: Rows = {"22 to 1": TIGER["12 to 1"]}
BIG_TIGER: Rows = {"50 to 1": TIGER["20 to 1"]}
TIGER_TIE: Rows = {"35 to 1": lambda end: end.player == end.banker == 6}
TIGER_PAIR: Rows = {
    "4 to 1": lambda end: end.player_pair != end.banker_pair,
    "20 to 1": lambda end: end.player_pair and end.banker_pair and not end.twin,
    "100 to 1": lambda end: end.twin,
}
PLAYER_PAIR: Rows = {"11 to 1": lambda end: end.player_pair}
BANKER_PAIR: Rows = {"11 to 1": lambda end: end.banker_pair}
SUPER_SIX: Rows = {"15 to 1": banker_six}
DRAGON_TIGER: Rows = {
    "30 to 1": lambda end: dragon_tiger(end) and end.player_cards + end.banker_cards == 4,
    "40 to 1": lambda end: dragon_tiger(end) and end.player_cards + end.banker_cards == 5,
    "100 to 1": lambda end: dragon_tiger(end) and end.player_cards + end.banker_cards == 6,
}
SMALL_DRAGON: Rows = {"15 to 1": lambda end: player_seven(end) and end.player_cards == 2}
BIG_DRAGON: Rows = {"30 to 1": lambda end: player_seven(end) and end.player_cards == 3}

_TIGERS = {"tiger": TIGER, "small-tiger": SMALL_TIGER, "big-tiger": BIG_TIGER}
_TIGER_SIDES = {**_TIGERS, "tiger-tie": TIGER_TIE, "tiger-pair": TIGER_PAIR}
_PAIRS = {"player-pair": PLAYER_PAIR, "banker-pair": BANKER_PAIR}
_MAIN = {"player": PLAYER, "tie": TIE}
_COMMISSION = {**_MAIN, "banker": BANKER}
_NO_COMMISSION = {**_MAIN, "banker": BANKER_NO_COMMISSION}

STAND_OFF_ON_A_TIE = {"player", "banker"}
GAMES: dict[str, dict[str, Rows]] = {
    "mbs-tiger-nc-v4": {**_NO_COMMISSION, **_TIGER_SIDES},
    "mbs-tiger-v3": {**_COMMISSION, **_TIGER_SIDES},
    "mbs-dragon-tiger-nc-2023": {
        **_NO_COMMISSION,
        "dragon-tiger": DRAGON_TIGER,
        "small-dragon": SMALL_DRAGON,
        "big-dragon": BIG_DRAGON,
        "small-tiger": SMALL_TIGER,
        "big-tiger": BIG_TIGER,
    },
    "mbs-super-six-etg-v3": {**_NO_COMMISSION, **_PAIRS, "super-six": SUPER_SIX},
    "hoiana-tiger-2024/commission": {**_COMMISSION, **_PAIRS, **_TIGERS},
    "hoiana-tiger-2024/non-commission": {**_NO_COMMISSION, **_PAIRS, **_TIGERS},
}
