"""Who has money of their own in what a command is about: nobody decides, or is a witness, for themselves."""

from collections.abc import Iterator

from thirdcard.game import commands as cmd
from thirdcard.game.state import Table

# commands by which money of a round is put right, also after it was settled
ABOUT_A_ROUND = (
    cmd.ReportIrregularity,
    cmd.ConfirmFacts,
    cmd.DisproveFacts,
    cmd.WithdrawReport,
    cmd.CorrectCard,
    cmd.CorrectWager,
    cmd.Rule,
)
# fields in which a command names whom it is about
PATRON_FIELDS = ("patron", "terminal", "to_patron")


def is_at_stake(table: Table, person: str) -> bool:
    """Whether somebody is a patron at the table, or has left wagers lying there."""
    return any(each.name == person for each in table.patrons)


def is_concerned(table: Table, body: cmd.Body, person: str) -> bool:
    """Whether somebody has a wager, a claim or a dispute of their own in what a command is about."""
    return is_at_stake(table, person) or person in _patrons_of(table, body)


def _patrons_of(table: Table, body: cmd.Body) -> Iterator[str]:
    """The patrons, perhaps gone, whom a command is about."""
    yield from (named for name in PATRON_FIELDS if (named := getattr(body, name, None)))
    if isinstance(body, cmd.DecideHeldMoney):
        yield from (each.patron for each in table.held if each.id == body.id)
    elif isinstance(body, ABOUT_A_ROUND):
        lines = (*(table.round.settled if table.round else ()), *table.last_settled)
        yield from (each.patron for each in lines)
        yield from (each.patron for each in table.open_cases if each.patron)
        if isinstance(body, cmd.CorrectCard):
            yield from (name for each in table.earlier if each.number == body.round for name in each.patrons)
    elif isinstance(body, cmd.DisputeCommand) and not isinstance(body, cmd.OpenDispute):
        yield from (each.patron for each in table.disputes if each.id == body.id)
