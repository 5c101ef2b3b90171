"""A round dealt by hand, written from the table of play and from nothing else: a yardstick for counts."""

from collections.abc import Sequence

DRAWS_AGAINST = {
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
}


def deal(values: Sequence[int]) -> tuple[int, int, int, int] | None:
    """Totals and numbers of cards of both hands, or nothing where the cards run out."""
    if len(values) < 4:
        return None
    player, banker, used = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10, 4
    if player >= 8 or banker >= 8:
        return player, banker, 2, 2
    third = None
    if player <= 5:
        if len(values) == used:
            return None
        third, used = values[used], used + 1
        player = (player + third) % 10
    stays = banker == 7 or (banker == 6 and third is None)
    draws = not stays if third is None else banker <= 2 or third in DRAWS_AGAINST.get(banker, ())
    if not draws:
        return player, banker, 2 if third is None else 3, 2
    if len(values) == used:
        return None
    return player, (banker + values[used]) % 10, 2 if third is None else 3, 3
