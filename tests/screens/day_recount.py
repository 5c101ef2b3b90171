"""The sums of a gaming day worked out again from exported rounds and wagers, by other arithmetic than ours.

The pays are typed from the documents: Tiger 4.1, Super Six 4.1, and the texts of the two games of the shelf.
"""

import csv
import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from proof_of_odds.dealing import deal

UNIT = 10  # yen: what can be paid least
Row = dict[str, str]
Sums = dict[tuple[str, str, str], Counter[str]]  # by shift, by what, by its name

# what was typed at the three tables with chips, worked out by hand
TYPED = {
    "Tiger 1": {
        "rounds": 2,
        "void_rounds": 1,
        "irregularities": 1,
        "wagers": 4,
        # 20,000 and 10,000, then 10,010 and 5,000: 10,000 are lost, then 9,510 less 5,000
        "turnover": 45_010,
        "win": -14_510,
        "commission": 500,
        "drop": 100_000,
        "opener": 4_190_000,
        "fills": 500_000,
        "chip_returns": 200_000,
        "closer": 4_365_490,
        "win_by_wagers": -14_510,
        "win_by_count": -24_510,
        "difference": -10_000,
    },
    "Jade 1": {
        "rounds": 2,
        "void_rounds": 0,
        "irregularities": 0,
        "wagers": 4,
        # 30 to 1 on 10,000 less 5,000; then 9,500 and a natural at 1 to 1 on 1,000
        "turnover": 26_000,
        "win": -305_500,
        "commission": 500,
        "drop": 49_000,
        "opener": 3_000_000,
        "fills": 0,
        "chip_returns": 0,
        "closer": 2_644_500,
        "win_by_wagers": -305_500,
        "win_by_count": -306_500,
        "difference": -1_000,
    },
    "EZ 1": {
        "rounds": 2,
        "void_rounds": 0,
        "irregularities": 0,
        "wagers": 3,
        # 40 to 1 on 1,000, with 10,000 that stand off; then 20,000 are taken
        "turnover": 31_000,
        "win": -20_000,
        "commission": 0,
        "drop": 30_000,
        "opener": 1_000_000,
        "fills": 5_000_000,
        "chip_returns": 0,
        "closer": 5_950_000,
        "win_by_wagers": -20_000,
        "win_by_count": -20_000,
        "difference": 0,
    },
}


def read(folder: Path, name: str) -> list[Row]:
    """A table that was exported as CSV."""
    with (folder / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def recount(folder: Path) -> Sums:
    """Rounds, turnover and win of the day by shift; by table, pit, dealer and wager, and all together."""
    sums: Sums = {}
    rounds = {(each["stream"], each["round"]): each for each in read(folder, "rounds")}
    for row in rounds.values():
        if row["void"] != "true" and not row["winner"]:
            continue  # it is under way
        of = "void_rounds" if row["void"] == "true" else "rounds"
        for key in _lines(row):
            sums.setdefault(key, Counter())[of] += 1
    for wager in read(folder, "wagers"):
        row = rounds[wager["stream"], wager["round"]]
        if row["void"] == "true":
            continue
        stake = int(Decimal(wager["stake"]))
        win = _win(row, wager["wager"], stake)
        for key in (*_lines(row), (row["shift"], "wager", f"{row['game']} {wager['wager']}")):
            found = sums.setdefault(key, Counter())
            found.update({"wagers": 1, "turnover": stake, "win": win})
    return sums


def _lines(row: Row) -> list[tuple[str, str, str]]:
    dealer = [(row["shift"], "dealer", row["dealer"])] if row["dealer"] else []
    places = (("all", ""), ("table", row["stream"]), ("pit", row["pit"]), ("game", row["game"]))
    return [(row["shift"], of, name) for of, name in places] + dealer


def _values(cards: str) -> list[int]:
    """The points of cards: an ace has one, a ten and a court card have none."""
    ranks = {"A": 1, **{str(points): points for points in range(2, 10)}}
    return [ranks.get(card.rstrip("SHDC"), 0) for card in cards.split()]


def _win(row: Row, wager: str, stake: int) -> int:
    """Return how much the house wins of a wager."""
    player, banker = _values(row["player"]), _values(row["banker"])
    order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
    ended = deal(order)
    assert ended is not None
    odds = _odds(row["game"], wager, *ended)
    if odds is None:
        return stake
    return -UNIT * math.ceil(stake * odds / UNIT)


def _odds(game: str, wager: str, player: int, banker: int, of_player: int, of_banker: int) -> Fraction | None:
    """The odds at which a wager wins; nought where it stands off, nothing where it loses."""
    winner = "tie" if player == banker else "player" if player > banker else "banker"
    dragon = winner == "banker" and of_banker == 3 and banker == 7
    natural = (of_player == 2 and player >= 8) or (of_banker == 2 and banker >= 8)
    if wager in ("player", "banker"):
        if winner == "tie" or (game == "harbour-ez" and wager == "banker" and dragon):
            return Fraction(0)
        if winner != wager:
            return None
        if wager == "player" or game == "harbour-ez":
            return Fraction(1)
        if game == "mbs-super-six-etg-v3":
            return Fraction(1, 2) if banker == 6 else Fraction(1)
        return Fraction(95, 100)
    if wager == "tie":
        return Fraction(8) if winner == "tie" else None
    if wager == "dragon-7":
        return Fraction(40) if dragon else None
    backed = wager.removeprefix("dragon-bonus-")
    if winner == "tie" and natural:
        return Fraction(0)
    if winner != backed:
        return None
    by_margin = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}
    found = 1 if natural else by_margin.get(abs(player - banker))
    return None if found is None else Fraction(found)
