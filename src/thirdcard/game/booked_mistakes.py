"""Wagers outside the limits that a table remembers, and bookings about them that can be taken out again."""

from thirdcard.game.state import Case, OutsideWager, Round, Table
from thirdcard.rulebook.irregularity import Situation


def outside_of(current: Round) -> tuple[OutsideWager, ...]:
    """Return the wagers of a round that were settled for a part of their stake alone, or returned."""
    facts = current.facts
    lines = [each for each in current.settled if each.stake != each.in_action and not each.held]
    return tuple(OutsideWager(current.number, each, facts) for each in lines) if facts else ()


def leaves_a_booking(table: Table, case: Case) -> bool:
    """Whether a report of a limit mistake has booked it by a clause, and nobody has decided about it."""
    limits = case.situation is Situation.OLD_LIMIT_MISTAKE and case.clause is not None and not case.acted
    told = (case.round, case.patron, case.amount, case.wager, case.position)
    booked = ((each.round, each.patron, each.amount, each.wager, each.position) for each in table.mistakes)
    return limits and any(each == told for each in booked)


def bookings_in_doubt(table: Table) -> tuple[Case, ...]:
    """Return the closed reports of limit mistakes that can still be taken back."""
    return tuple(each for each in table.told if leaves_a_booking(table, each))
