"""Rules that join the floor and its tables: a disabled table begins no round, no patron leaves with credits.

Neither stream can decide them alone, and each journal must be decided again by itself. So they are asked
before a command is decided, and a command that they refuse is not recorded. ``streams.service`` and
``streams.alone`` have them asked, whoever sends the command.
"""

from collections.abc import Iterable

from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.state import Floor
from thirdcard.game import commands as cmd
from thirdcard.game.controls import moved_alone
from thirdcard.game.state import Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import House, MoneyAct

BEGINS_A_ROUND = (cmd.OpenBetting, cmd.DealFreeHand)
SessionEnd = floor_cmd.ClosePatronSession | floor_cmd.EnrolTerminal
ENDS_A_SESSION = (floor_cmd.ClosePatronSession, floor_cmd.EnrolTerminal)


def refuse_new_round(floor: Floor, table: str, body: cmd.Body) -> Refused | None:
    """Refuse a command by which a disabled table would begin a round; a round under way goes on."""
    if not isinstance(body, BEGINS_A_ROUND):
        return None
    disabled = floor.why_disabled(table)
    return refuse(Refusal.TABLE_DISABLED, reason=disabled.reason) if disabled is not None else None


def refuse_to_end_session(table: Table, patron: str, body: SessionEnd) -> Refused | None:
    """Refuse to end a patron's session while their credits or wagers are at the table.

    A terminal that is enrolled anew loses its session: somebody else could get one under the same name.
    """
    if isinstance(body, floor_cmd.EnrolTerminal) and table.setup.training:
        return None
    lying = any(each.patron == patron for each in table.wagers)
    return refuse(Refusal.CREDITS_REMAIN) if lying or table.credits_of(patron) else None


def refuse_alone_elsewhere(
    house: House, here: Table, others: Iterable[Table], body: cmd.BuyCredits | cmd.CashOut, person: str
) -> Refused | None:
    """Refuse credits that one person moves alone, where too many are counted with those at other tables.

    A table counts its own by itself, and at a table for training there is no money.
    """
    if here.setup.training or person == body.terminal:
        return None
    act = MoneyAct.BUY_IN if isinstance(body, cmd.BuyCredits) else MoneyAct.CASH_OUT
    same = (each for each in others if each.setup.house == here.setup.house and not each.setup.training)
    elsewhere = sum(moved_alone(each, act, person) for each in same)
    alone = elsewhere + moved_alone(here, act, person) + body.amount
    too_many = elsewhere and alone > house.most_alone(house.control(act))
    return refuse(Refusal.SECOND_PERSON_NEEDED) if too_many else None
