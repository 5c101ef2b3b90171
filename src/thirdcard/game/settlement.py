"""The settlement of every wager on the outcome of a round, with the clauses that say so."""

import enum

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.game.outcome import Outcome
from thirdcard.money import Odds, format_amount, take_share
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.book import OddsRow, Rulebook, Wager
from thirdcard.rulebook.facts import Facts, hold
from thirdcard.rulebook.house import House


class Result(enum.Enum):
    """The result of a wager."""

    WON = "won"
    LOST = "lost"
    STOOD_OFF = "stood-off"


class WagerResult(Struct, frozen=True):
    """One wager settled: ``paid`` is the winnings without the stake, in minor units.

    ``commission`` is what the house kept of the gross payment, and ``rounded_over`` ÷ ``rounded_of`` of a
    minor unit is what rounding added to the exact payment (below zero: what it took away).
    """

    wager: str
    stake: int
    result: Result
    clauses: tuple[Clause, ...]
    odds: Odds | None = None
    paid: int = 0
    commission: int = 0
    rounded_over: int = 0
    rounded_of: int = 1

    @property
    def net(self) -> int:
        """Return what the patron has more than before: the winnings, or minus the stake."""
        return -self.stake if self.result is Result.LOST else self.paid


class Settlement(Struct, frozen=True):
    """A round's wagers settled on its outcome."""

    rulebook: str
    outcome: Outcome
    wagers: tuple[WagerResult, ...]


def settle(
    rulebook: Rulebook, house: House, outcome: Outcome, stakes: tuple[tuple[str, int], ...]
) -> Settlement | Refused:
    """Every wager settled, or the first that cannot be."""
    results: list[WagerResult] = []
    for wager_id, stake in stakes:
        refused = refuse_wager(rulebook, house, wager_id, stake)
        if refused:
            return refused
        wager = rulebook.wagers[wager_id]
        results.append(settle_wager(wager, deciding_row(wager, outcome.facts), stake, house))
    return Settlement(rulebook.id, outcome, tuple(results))


def refuse_wager(rulebook: Rulebook, house: House, wager_id: str, stake: int) -> Refused | None:
    """Why a wager cannot be taken at all, whatever the limits; nothing where it can."""
    if wager_id not in rulebook.wagers:
        offered = ", ".join(rulebook.wagers)
        params = {"game": rulebook.id, "wager": wager_id, "offered": offered}
        return refuse(Refusal.WAGER_NOT_OFFERED, *rulebook.menu, **params)
    if stake <= 0:
        return refuse(Refusal.STAKE_NOT_POSITIVE, stake=format_amount(stake, house.currency), wager=wager_id)
    if stake % house.unit:
        amount, unit = (format_amount(each, house.currency) for each in (stake, house.unit))
        return refuse(Refusal.STAKE_TOO_FINE, stake=amount, wager=wager_id, unit=unit)
    return None


def refuse_too_fine(house: House, amount: int) -> Refused | None:
    """Refuse an amount that no chip or credit is as small as."""
    if amount % house.unit == 0:
        return None
    said, unit = (format_amount(each, house.currency) for each in (amount, house.unit))
    return refuse(Refusal.AMOUNT_TOO_FINE, amount=said, unit=unit)


def deciding_row(wager: Wager, facts: Facts) -> OddsRow | None:
    """The first row of a wager that holds on the facts of a finished round; without one it loses."""
    for row in wager.rows:
        if hold(row.conditions, facts):
            return row
    return None


def settle_wager(wager: Wager, row: OddsRow | None, stake: int, house: House) -> WagerResult:
    """Return what becomes of a stake by the row that decides its wager."""
    if row is None:
        return WagerResult(wager.id, stake, Result.LOST, wager.lost)
    if row.odds is None:
        return WagerResult(wager.id, stake, Result.STOOD_OFF, row.clauses)
    rounding = house.form.rounding.payments
    gain, per = row.odds.gain, row.odds.stake
    share = take_share(stake, gain=gain, stake=per, unit=house.unit, rounding=rounding)
    gross = stake * row.gross.gain // row.gross.stake if row.gross else share.amount
    return WagerResult(
        wager=wager.id,
        stake=stake,
        result=Result.WON,
        clauses=row.clauses,
        odds=row.odds,
        paid=share.amount,
        commission=gross - share.amount,
        rounded_over=share.over,
        rounded_of=share.of,
    )
