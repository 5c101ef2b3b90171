"""A game compiled into tables of whole numbers, for arrays and for the C kernel.

A class of endings is what pay rows can tell apart: both totals, both numbers of cards, and the pairs. Classes
between which no wager of a game makes a difference are one kind; an event is one row of one wager.
"""

import array
import functools
from collections.abc import Sequence

from msgspec import Struct

from thirdcard.money import Odds
from thirdcard.rulebook.book import Rulebook, Wager
from thirdcard.rulebook.facts import Facts, PairRule, Pairs, hold, winner_of
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD, Drawing, DrawStep

PAIR_STATES = (
    (False, False, Pairs.NONE),
    (True, False, Pairs.ONE),
    (False, True, Pairs.ONE),
    (True, True, Pairs.BOTH),
    (True, True, Pairs.TWIN),
)
FINALS = 400  # ten totals of each hand, each hand with or without a third card
CLASSES = FINALS * len(PAIR_STATES)
NOT_PAID = 255


class PaidEvent(Struct, frozen=True):
    """A row of a wager: paid at odds, or without odds standing off."""

    wager: str
    odds: Odds | None


class Compiled(Struct, frozen=True):
    """A game as the kernel knows it."""

    rulebook: Rulebook
    pair_rule: PairRule
    rules: bytes
    events: tuple[PaidEvent, ...]
    kinds: int
    kind_of: bytes  # by class, 16 bits each
    event_of: bytes  # events × kinds, 1 where the event holds
    by_final: bytes | None  # wagers that are not on pairs × finals, the event; none where a row needs both
    by_pairs: bytes  # wagers on pairs × pair states, the event

    def events_of(self, wager: str) -> tuple[int, ...]:
        """The numbers of a wager's events, in the order of its rows."""
        return tuple(number for number, event in enumerate(self.events) if event.wager == wager)


def compile_game(rulebook: Rulebook, pair_rule: PairRule) -> Compiled:
    """The tables of a game; compiled once for each game and pair rule."""
    key = (rulebook.digest, rulebook.id, pair_rule)
    if key not in _COMPILED:
        _COMPILED[key] = _compile(rulebook, pair_rule)
    return _COMPILED[key]


@functools.cache
def facts_by_class() -> tuple[Facts, ...]:
    """The facts of every class, by its number."""
    return tuple(_facts(number) for number in range(CLASSES))


def rules_of(drawing: Drawing, pair_rule: PairRule) -> bytes:
    """The table of play as the kernel reads it."""
    naturals = [
        *(total in drawing.player_naturals for total in range(10)),
        *(total in drawing.banker_naturals for total in range(10)),
    ]
    player = [
        total in drawing.player and drawing.player[total].step is DrawStep.DRAWS and not naturals[total]
        for total in range(10)
    ]
    banker = [
        (total, third) in drawing.banker and drawing.banker[total, third].step is DrawStep.DRAWS
        for total in range(10)
        for third in (NO_THIRD_CARD, *range(10))
    ]
    return bytes([*naturals, *player, *banker, pair_rule is PairRule.POINT_VALUE, 0, 0, 0])


def is_pair_wager(wager: Wager) -> bool:
    """Whether the rows of a wager ask about pairs and nothing else."""
    return all(name in _PAIR_FACTS for row in wager.rows for name, _ in row.conditions)


def row_of(wager: Wager, facts: Facts) -> int | None:
    """The first row that holds, or none where the wager is lost."""
    return next((number for number, row in enumerate(wager.rows) if hold(row.conditions, facts)), None)


_PAIR_FACTS = {"player_pair", "banker_pair", "pairs"}
_COMPILED: dict[tuple[str, str, PairRule], Compiled] = {}


def _compile(rulebook: Rulebook, pair_rule: PairRule) -> Compiled:
    events = tuple(PaidEvent(wager.id, row.odds) for wager in rulebook.wagers.values() for row in wager.rows)
    kinds: dict[tuple[int | None, ...], int] = {}
    by_wager = [_rows_by_class(wager) for wager in rulebook.wagers.values()]
    kind_of = [kinds.setdefault(rows, len(kinds)) for rows in zip(*by_wager, strict=True)]
    holds = [
        rows[place] == row
        for place, wager in enumerate(rulebook.wagers.values())
        for row in range(len(wager.rows))
        for rows in kinds
    ]
    by_final, by_pairs = _apart(rulebook, by_wager)
    return Compiled(
        rulebook=rulebook,
        pair_rule=pair_rule,
        rules=rules_of(rulebook.drawing, pair_rule),
        events=events,
        kinds=len(kinds),
        kind_of=array.array("H", kind_of).tobytes(),
        event_of=bytes(holds),
        by_final=by_final,
        by_pairs=by_pairs,
    )


Rows = list[int | None]  # by class


def _rows_by_class(wager: Wager) -> Rows:
    """The row that holds for every class, looked at only where the wager can tell classes apart."""
    states = len(PAIR_STATES)
    if is_pair_wager(wager):
        return [row_of(wager, facts) for facts in facts_by_class()[:states]] * FINALS
    if _asks_about_pairs(wager):
        return [row_of(wager, facts) for facts in facts_by_class()]
    rows = (row_of(wager, facts) for facts in facts_by_class()[::states])
    return [row for row in rows for _ in range(states)]


def _asks_about_pairs(wager: Wager) -> bool:
    return any(name in _PAIR_FACTS for row in wager.rows for name, _ in row.conditions)


def _apart(rulebook: Rulebook, by_wager: Sequence[Rows]) -> tuple[bytes | None, bytes]:
    """The events of every wager by final or by pair state; no finals where a row asks about both."""
    by_final, by_pairs, first, mixed = bytearray(), bytearray(), 0, False
    for wager, rows in zip(rulebook.wagers.values(), by_wager, strict=True):
        on_pairs = is_pair_wager(wager)
        mixed = mixed or (not on_pairs and _asks_about_pairs(wager))
        apart = rows[: len(PAIR_STATES)] if on_pairs else rows[:: len(PAIR_STATES)]
        table = by_pairs if on_pairs else by_final
        table += bytes(NOT_PAID if row is None else first + row for row in apart)
        first += len(wager.rows)
    return None if mixed else bytes(by_final), bytes(by_pairs)


def _facts(number: int) -> Facts:
    final, state = divmod(number, len(PAIR_STATES))
    totals, thirds = divmod(final, 4)
    player_total, banker_total = divmod(totals, 10)
    player_third, banker_third = divmod(thirds, 2)
    player_pair, banker_pair, pairs = PAIR_STATES[state]
    return Facts(
        winner=winner_of(player_total, banker_total),
        player_total=player_total,
        banker_total=banker_total,
        player_cards=2 + player_third,
        banker_cards=2 + banker_third,
        third_cards=player_third + banker_third,
        player_pair=player_pair,
        banker_pair=banker_pair,
        pairs=pairs,
    )
