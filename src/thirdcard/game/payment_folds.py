"""The table after money outside a settlement: credits, mistakes, corrections and claims."""

from collections.abc import Iterable

from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game.earlier_rounds import Mistake, with_stake
from thirdcard.game.handed import wait_for
from thirdcard.game.state import Balance, Case, Table
from thirdcard.rulebook.irregularity import Situation


def book_mistake(table: Table, event: ev.WrongPaymentFound) -> Table:
    """The table with a payment by mistake, of the round that its case is about; or without one again."""
    if event.mistaken:
        told = (event.patron, -event.amount)
        booked = next(each for each in reversed(table.mistakes) if (each.patron, each.amount) == told)
        return replace(table, mistakes=tuple(each for each in table.mistakes if each is not booked))
    case, clause = _about_limits(table), next(iter(event.clauses), None)
    found = Mistake(round_in_question(table), event.patron, event.amount, clause)
    if case is not None:
        found = replace(found, wager=case.wager, position=case.position)
    stakes = with_stake(table.stakes, event.patron, found.round)
    return replace(table, mistakes=(*table.mistakes, found), stakes=stakes)


def _about_limits(table: Table) -> Case | None:
    """The case that is dealt with, if it is about a limit mistake of a previous round."""
    case = table.case
    return case if case is not None and case.situation is Situation.OLD_LIMIT_MISTAKE else None


def round_in_question(table: Table) -> int:
    """The round that a payment beside its settlement is of: the last one, or that of a limit mistake."""
    case = _about_limits(table)
    return (case.round if case is not None else None) or table.settled_round


def put_right(table: Table, event: ev.PaymentCorrected) -> Table:
    """The table when a mistake stands no more, if one of that amount did, or when a decided payment is made.

    A positive amount without a mistake takes back a payment that was decided.
    """
    number, left = round_in_question(table), list(table.mistakes)
    told = (number, event.patron, event.amount)
    same = next((each for each in left if (each.round, each.patron, each.amount) == told), None)
    if same is not None:
        left.remove(same)
        table = replace(table, put_right=(*table.put_right, same))
    if event.amount < 0 or same is None:
        good = same is not None
        paid = Mistake(number, event.patron, -event.amount, made_good=good)
        table = replace(table, payments=(*table.payments, paid))
    stakes = with_stake(table.stakes, event.patron, table.settled_round)
    return replace(table, mistakes=tuple(left), stakes=stakes)


def credit_terminal(table: Table, terminal: str, amount: int) -> Table:
    """The table with more credits at one terminal; the others are not looked at."""
    place = table.place_of(terminal)
    before, after = table.credits[:place], table.credits[place:]
    if after and after[0].terminal == terminal:
        amount, after = after[0].credits + amount, after[1:]
    return replace(table, credits=(*before, Balance(terminal, amount), *after))


def credit_terminals(table: Table, amounts: Iterable[tuple[str, int]]) -> Table:
    """The table with more credits at several terminals."""
    held = {each.terminal: each.credits for each in table.credits}
    for terminal, amount in amounts:
        held[terminal] = held.get(terminal, 0) + amount
    return replace(table, credits=tuple(Balance(name, credit) for name, credit in sorted(held.items())))


def book_claim(table: Table, event: ev.ClaimBooked) -> Table:
    """A patron owes more, or less, because the settlement of the last round was taken back."""
    if table.setup.terminal:
        table = credit_terminal(table, event.patron, event.amount)
    assert table.round is not None
    claims = {each.terminal: each.credits for each in table.round.claims}
    claims[event.patron] = claims.get(event.patron, 0) + event.amount
    current = wait_for(table.round, event.patron, event.amount) if event.amount < 0 else table.round
    owed = tuple(Balance(name, amount) for name, amount in claims.items() if amount)
    return replace(table, round=replace(current, claims=owed))
