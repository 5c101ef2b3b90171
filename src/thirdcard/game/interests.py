"""Money of one's own in the matter of a command: nobody decides, or is a witness, for themselves."""

import functools
from collections.abc import Iterator

from thirdcard.game import commands as cmd
from thirdcard.game.earlier_rounds import has_stake, was_patron
from thirdcard.game.state import Case, Phase, Table

# commands that say something about the round under way, or about the last one
ABOUT_THE_LAST_ROUNDS = (cmd.ReportIrregularity, cmd.CorrectWager, cmd.HoldMoney, cmd.ReportDeviceResult)
# commands that act on an irregularity
ABOUT_A_CASE = (cmd.ConfirmFacts, cmd.DisproveFacts, cmd.WithdrawReport, cmd.Rule)
# fields in which a command names whom it is about
PATRON_FIELDS = ("patron", "terminal", "to_patron")


def round_at_hand(table: Table) -> int:
    """The round that is under way or is being paid, or that betting is open for."""
    current = table.round
    if current is not None and not current.ended:
        return current.number
    return table.rounds + (table.phase is not Phase.IDLE)


def is_at_stake(table: Table, person: str) -> bool:
    """Whether somebody is a patron at the table, or has had a wager in the round that is under way there."""
    here = any(each.name == person for each in table.patrons)
    under_way = table.phase not in (Phase.IDLE, Phase.SHUT)
    return here or (under_way and has_stake(table.stakes, person, round_at_hand(table)))


def is_concerned(table: Table, body: cmd.Body, person: str) -> bool:
    """Whether somebody has, or has had, money or a dispute of their own in what a command is about."""
    if not _is_known(table, person):  # as nearly everybody on duty
        for name in _patron_fields(type(body)):  # noqa: SIM110 - asked by every command
            if getattr(body, name) == person:
                return True
        return False
    if is_at_stake(table, person) or person in _patrons_of(table, body):
        return True
    rounds = {*_rounds_of(table, body)}
    staked = any(has_stake(table.stakes, person, number) for number in rounds)
    return staked or any(each.patron == person and each.round in rounds for each in table.disputes)


def _is_known(table: Table, person: str) -> bool:
    """Whether somebody is or was a patron of the table, or a case, a dispute or held money is theirs."""
    if table.patron(person) is not None or was_patron(table.stakes, person):
        return True
    if not (table.open_cases or table.held or table.disputes):
        return False
    return person in [each.patron for pile in (table.open_cases, table.held, table.disputes) for each in pile]


@functools.cache
def _patron_fields(kind: type[cmd.Body]) -> tuple[str, ...]:
    return tuple(name for name in PATRON_FIELDS if name in kind.__struct_fields__)


def _patrons_of(table: Table, body: cmd.Body) -> Iterator[str | None]:
    """The patrons, perhaps gone, whom a command names, or whose case, dispute or money it is about."""
    yield from (getattr(body, name) for name in _patron_fields(type(body)))
    if isinstance(body, cmd.DecideHeldMoney):
        yield from (each.patron for each in table.held if each.id == body.id)
    elif isinstance(body, (*ABOUT_THE_LAST_ROUNDS, *ABOUT_A_CASE, cmd.CorrectCard)):
        yield from (each.patron for each in table.open_cases if each.patron)
    elif isinstance(body, cmd.DisputeCommand) and not isinstance(body, cmd.OpenDispute):
        yield from (each.patron for each in table.disputes if each.id == body.id)


def _rounds_of(table: Table, body: cmd.Body) -> Iterator[int]:
    """The rounds whose wagers a command is about; zero stands for none."""
    if isinstance(body, ABOUT_A_CASE):
        case = _case_of(table, body)
        told = case and (case.corrected or case.round)
        yield from (told,) if told else _last_rounds(table)
    elif isinstance(body, ABOUT_THE_LAST_ROUNDS):
        yield from _last_rounds(table)
    elif isinstance(body, cmd.FindWager):  # between rounds it is one that the settlement overlooked
        yield from (table.settled_round,) if table.phase in (Phase.IDLE, Phase.SHUT) else ()
    elif isinstance(body, cmd.CorrectCard):
        yield table.rounds if body.round is None else body.round
    elif isinstance(body, cmd.DecideHeldMoney):
        yield from (each.round for each in table.held if each.id == body.id and each.round)
    elif isinstance(body, cmd.OpenDispute):
        yield from (body.round,) if body.round else ()
    elif isinstance(body, cmd.DisputeCommand):
        yield from (each.round for each in table.disputes if each.id == body.id and each.round)


def _last_rounds(table: Table) -> Iterator[int]:
    """The round at hand, and the one that was settled last."""
    yield from (round_at_hand(table), table.settled_round)


def _case_of(
    table: Table, body: cmd.ConfirmFacts | cmd.DisproveFacts | cmd.WithdrawReport | cmd.Rule
) -> Case | None:
    """The irregularity that a command acts on; without a number it is the one that is dealt with first."""
    if body.case is not None:
        cases = (*table.open_cases, *table.told)
        return next((each for each in cases if each.id == body.case), None)
    first = table.unconfirmed if isinstance(body, cmd.ConfirmFacts) else table.case
    return first or next(reversed(table.told), None)
