"""Wagers as records have them, and the records about chips and cash that are held."""

from msgspec import Struct


class SettledLine(Struct, frozen=True, kw_only=True):
    """A wager as its settlement was written down."""

    id: int
    patron: str
    wager: str
    stake: int
    in_action: int
    result: str
    back: int
    odds: str | None
    paid: int
    taken: int
    commission: int
    rounded_over: int
    rounded_of: int
    pulled: int
    held: int = 0
    clauses: tuple[str, ...]


class ReturnedLine(Struct, frozen=True):
    """A wager as it lay when it was held, or went back, or came back; ``pulled`` was taken away before."""

    id: int
    patron: str
    wager: str
    stake: int
    pulled: int
    held: int = 0


class MoneyHeld(Struct, frozen=True, tag="money-held"):
    """Chips or cash are held because they may be counterfeit; before form 7 a wager left its round by it."""

    id: int
    patron: str
    amount: int
    round: int
    wager: ReturnedLine | None
    by: str
    second: str | None
    in_play: bool = False
    settled: SettledLine | None = None


class HeldWagerJudged(Struct, frozen=True, tag="held-wager-judged"):
    """A wager that is held is settled by a corrected record, or cannot be."""

    id: int
    patron: str
    settled: SettledLine | None


class HeldMoneyDecided(Struct, frozen=True, tag="held-money-decided"):
    """Money that was held lies there again, is handed over as settled, goes back, or is kept."""

    id: int
    patron: str
    amount: int
    wager: ReturnedLine | None
    settled: SettledLine | None
    by: str
    second: str | None
    apart: bool = False
