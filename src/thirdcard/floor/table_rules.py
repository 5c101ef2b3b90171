"""Rules that join the floor and a table: a disabled table begins no round, no patron leaves with credits.

Neither stream can decide them alone, and each journal must be decided again by itself. So they are asked
before a command is decided, and a command that they refuse is not recorded. ``streams.service`` asks them for
every command, whoever sends it.
"""

from thirdcard.floor.state import Floor
from thirdcard.game import commands as cmd
from thirdcard.game.state import Table
from thirdcard.refusals import Refusal, Refused, refuse

BEGINS_A_ROUND = (cmd.OpenBetting, cmd.DealFreeHand)


def refuse_new_round(floor: Floor, table: str, body: cmd.Body) -> Refused | None:
    """Refuse a command by which a disabled table would begin a round; a round under way goes on."""
    if not isinstance(body, BEGINS_A_ROUND):
        return None
    disabled = floor.why_disabled(table)
    return refuse(Refusal.TABLE_DISABLED, reason=disabled.reason) if disabled is not None else None


def refuse_to_end_session(table: Table, patron: str) -> Refused | None:
    """Refuse to end a patron's session while their credits or wagers are at the table."""
    lying = any(each.patron == patron for each in table.wagers)
    return refuse(Refusal.CREDITS_REMAIN) if lying or table.credits_of(patron) else None
