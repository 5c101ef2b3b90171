"""Rules that join the floor, its tables and the books on the shelf.

A disabled table begins no round, no patron leaves with credits, and no table is defined against its game.

No stream can decide them alone, and each journal must be decided again by itself. So they are asked
before a command is decided, and a command that they refuse is not recorded. ``streams.service`` and
``streams.alone`` have them asked, whoever sends the command.
"""

import datetime
from collections.abc import Iterable

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Floor, TableDefinition
from thirdcard.game import commands as cmd
from thirdcard.game.controls import moved_alone
from thirdcard.game.desk import QueryDesk
from thirdcard.game.planned import changes_while_open
from thirdcard.game.set_up import refuse_anew, refuse_change, refuse_set_up
from thirdcard.game.state import Phase, Table
from thirdcard.game.table_setup import PostedLimit
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House, MoneyAct
from thirdcard.rulebook.shelf import Shelf, UnknownGame, UnknownHouse

BEGINS_A_ROUND = (cmd.OpenBetting, cmd.DealFreeHand)
SessionChange = floor_cmd.OpenPatronSession | floor_cmd.ClosePatronSession | floor_cmd.EnrolTerminal
CHANGES_A_SESSION = (floor_cmd.OpenPatronSession, floor_cmd.ClosePatronSession, floor_cmd.EnrolTerminal)
Definition = floor_cmd.ProposeTable | floor_cmd.ApproveProposal
MovesAlone = cmd.BuyCredits | cmd.CashOut | cmd.BuyChips
DEFINES_A_TABLE = (floor_cmd.ProposeTable, floor_cmd.ApproveProposal)


def refuse_new_round(floor: Floor, table: str, body: cmd.Body) -> Refused | None:
    """Refuse a command by which a disabled table would begin a round; a round under way goes on."""
    if not isinstance(body, BEGINS_A_ROUND):
        return None
    disabled = floor.why_disabled(table)
    return refuse(Refusal.TABLE_DISABLED, reason=disabled.reason) if disabled is not None else None


def refuse_session(table: Table, patron: str, body: SessionChange) -> Refused | None:
    """Refuse to end or to begin a patron's session while credits or wagers of that name are at the table.

    A terminal that is enrolled anew loses its session. What was left without one, as by credits that were
    sold while it ended, is for two people to cash out: somebody else could come under the same name.
    """
    if table.setup.training and not isinstance(body, floor_cmd.ClosePatronSession):
        return None
    lying = any(each.patron == patron for each in table.wagers)
    return refuse(Refusal.CREDITS_REMAIN) if lying or table.credits_of(patron) else None


def refuse_proposal(shelf: Shelf, floor: Floor, body: Definition, at: datetime.datetime) -> Refused | None:
    """Refuse to propose or to approve a table that its game does not allow."""
    if isinstance(body, floor_cmd.ProposeTable):
        return refuse_unfit(shelf, body.definition, at)
    found = next((each.definition for each in floor.proposals if each.id == body.id), None)
    return refuse_unfit(shelf, found, at) if found else None


def refuse_unfit(shelf: Shelf, definition: TableDefinition, at: datetime.datetime) -> Refused | None:
    """Refuse a table that could not be set up as it is defined, by the books on the shelf."""
    setup = definition.setup
    try:
        rulebook, house = shelf.rulebook(setup.game, at), shelf.house(setup.house)
    except (UnknownGame, UnknownHouse):
        return refuse(Refusal.NO_RULEBOOK_IN_FORCE, game=setup.game)
    body = cmd.SetUpTable(setup=setup, method=definition.method)
    return refuse_set_up(rulebook, house, body, at) or refuse_change(rulebook, house, setup)


class PendingChange(Struct, frozen=True, kw_only=True):
    """The definition that a table is to have and has not yet, as far as it differs.

    It takes effect at the next opening of betting, or ``anew`` once the table is closed. ``why_not`` is what
    keeps it from that.
    """

    anew: bool
    limits: tuple[PostedLimit, ...]
    differential: int | None
    decks: int | None
    positions: int | None
    why_not: Refused | None


def pending_change(
    shelf: Shelf, definition: TableDefinition, desk: QueryDesk, at: datetime.datetime
) -> PendingChange:
    """Return the change of a table that is defined otherwise than it is set up, or has one planned."""
    table, setup = desk.table, definition.setup
    before = table.setup
    anew = not changes_while_open(before, setup)
    unfit = refuse_unfit(shelf, definition, at)
    if anew:
        refused = unfit or (refuse_anew(desk) if table.phase is Phase.SHUT else None)
    else:
        refused = None if table.change else unfit or refuse_change(desk.rulebook, desk.house, setup)
    return PendingChange(
        anew=anew,
        limits=tuple(each for each in setup.limits if each not in before.limits),
        differential=setup.differential if setup.differential != before.differential else None,
        decks=setup.decks if setup.decks != before.decks else None,
        positions=setup.positions if setup.positions != before.positions else None,
        why_not=refused,
    )


class ChangedClause(Struct, frozen=True):
    """A clause that is new in a version of a document, or says something else there."""

    clause: Clause
    says: str


class ComingRulebook(Struct, frozen=True, kw_only=True):
    """A later version of a table's rulebook: from when it is in force, in microseconds, and what changes."""

    in_force: int
    clauses: tuple[ChangedClause, ...]


def coming_rulebook(shelf: Shelf, document: Document) -> ComingRulebook | None:
    """Return the next version of a document on the shelf, if there is one, on its day or ahead of it."""
    versions = shelf.versions_of(document.id) if document.id in shelf.document_ids else ()
    later = next((each for each in versions if each.in_force > document.in_force), None)
    if later is None:
        return None
    return ComingRulebook(
        in_force=round(later.in_force.timestamp() * 1_000_000),
        clauses=tuple(
            ChangedClause(clause, line.says)
            for clause, line in later.clauses.items()
            if document.clauses.get(clause) != line
        ),
    )


def refuse_alone_elsewhere(
    house: House, here: Table, others: Iterable[Table], body: MovesAlone, person: str
) -> Refused | None:
    """Refuse money that one person moves alone, where too much is counted with that at other tables.

    A table counts its own by itself, and at a table for training there is no money.
    """
    patron = body.patron if isinstance(body, cmd.BuyChips) else body.terminal
    if here.setup.training or person == patron:
        return None
    act = MoneyAct.CASH_OUT if isinstance(body, cmd.CashOut) else MoneyAct.BUY_IN
    same = (each for each in others if each.setup.house == here.setup.house and not each.setup.training)
    elsewhere = sum(moved_alone(each, act, person) for each in same)
    alone = elsewhere + moved_alone(here, act, person) + body.amount
    too_many = elsewhere and alone > house.most_alone(house.control(act))
    return refuse(Refusal.SECOND_PERSON_NEEDED) if too_many else None
