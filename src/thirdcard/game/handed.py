"""Money that patrons were handed, counted so that no more is claimed back, whatever the round."""

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from thirdcard.game.earlier_rounds import Mistake
from thirdcard.game.state import Balance, PlacedWager, Round, SettledWager, Table


def given_by(lines: Iterable[SettledWager]) -> Counter[str]:
    """Return what a settlement hands to each patron; of a wager that is held, nothing."""
    given: Counter[str] = Counter()
    _add_given(given, lines)
    return given


def _add_given(amounts: dict[str, int], lines: Iterable[SettledWager]) -> None:
    """Add what a settlement hands to each patron, nothing too: patrons stand in the order of their wagers."""
    for each in lines:
        patron = each.patron
        amounts[patron] = amounts.get(patron, 0) + (0 if each.held else each.back + each.paid)


def refunded_by(wagers: Iterable[PlacedWager | SettledWager]) -> Counter[str]:
    """Return what a void round hands back to each patron: the chips that lay there and are not held."""
    given: Counter[str] = Counter()
    for each in wagers:
        given[each.patron] += 0 if each.held else each.lying
    return given


def left_waiting(table: Table, lines: Iterable[SettledWager]) -> tuple[Balance, ...]:
    """Return what a settlement gives to patrons who have left before it: nobody took it along."""
    if table.setup.terminal:
        return ()
    here = {each.name for each in table.patrons if not each.gone}
    absent = [each for each in lines if each.patron not in here]
    return as_balances(given_by(absent)) if absent else ()


def waiting_for(current: Round | None, patron: str) -> int:
    """Return what a round has given to a patron who had left before, and that is still there."""
    return sum(each.credits for each in current.waiting if each.terminal == patron) if current else 0


def wait_for(current: Round, patron: str, amount: int) -> Round:
    """The round of which more is waiting for a patron, or less."""
    waiting = Counter({each.terminal: each.credits for each in current.waiting})
    waiting[patron] = max(waiting[patron] + amount, 0)
    return replace(current, waiting=as_balances(waiting))


def as_balances(amounts: Mapping[str, int]) -> tuple[Balance, ...]:
    """Amounts of patrons as a table keeps them; of whom there is nothing, it keeps none."""
    return tuple([Balance(patron, amount) for patron, amount in amounts.items() if amount])


def hand(table: Table, amounts: Mapping[str, int]) -> Table:
    """The table that remembers what patrons were handed in rounds before the last two."""
    held = Counter({each.terminal: each.credits for each in table.handed})
    held.update(amounts)
    return replace(table, handed=as_balances(held))


def handed_before(table: Table, kept: int | None) -> tuple[Balance, ...]:
    """Add up what a table is to forget: of the round before the last, and beside those before.

    The round ``kept`` is the one whose settlement and payments it still knows one by one.
    """
    current = table.round
    amounts = {each.terminal: each.credits for each in table.handed}
    _add_given(amounts, table.last_settled)
    for refund in current.refunded if current else ():
        amounts[refund.terminal] = amounts.get(refund.terminal, 0) + refund.credits
    if table.mistakes or table.payments or table.claimed:
        _add_beside(amounts, table, kept)
    if kept is None and current is not None:
        _add_given(amounts, current.settled)
    return as_balances(amounts)


def _add_beside(amounts: dict[str, int], table: Table, kept: int | None) -> None:
    """Add what was paid to patrons beside settlements, without what was claimed back."""
    paid: tuple[Mistake, ...] = (*(each for each in table.mistakes if each.amount > 0), *table.payments)
    for each in (one for one in paid if one.round != kept):
        amounts[each.patron] = amounts.get(each.patron, 0) + each.amount
    for each in (one for one in table.claimed if one.round != kept):
        amounts[each.patron] = amounts.get(each.patron, 0) - each.amount


def handed_to(table: Table, patron: str) -> int:
    """Return what a patron was handed in rounds before the last two, and nobody has claimed back."""
    return sum(each.credits for each in table.handed if each.terminal == patron)


def given_so_far(table: Table, number: int | None, patron: str) -> int | None:
    """Return what a round has given a patron by its settlement, also one that is taken back for another.

    Before its first settlement, of a void round and of one before the last there is none to compare with.
    """
    current = table.round
    if current is None or current.number != number or current.void:
        return None
    lines = current.settled or current.undone or ()
    return given_by(lines)[patron] if lines or current.ended else None


def refund_of(table: Table, patron: str) -> int:
    """Return what the last round handed back to a patron because it is void."""
    current = table.round
    return sum(each.credits for each in current.refunded if each.terminal == patron) if current else 0
