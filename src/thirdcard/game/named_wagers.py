"""Wagers that a command names by patron, kind and position."""

from collections.abc import Iterable

from thirdcard.game import commands as cmd
from thirdcard.game.desk import QueryDesk
from thirdcard.game.state import PlacedWager
from thirdcard.refusals import Refusal, Refused, refuse

NamesWager = cmd.ReduceWager | cmd.RemoveWager | cmd.HoldMoney | cmd.ReportIrregularity | cmd.CorrectWager


def refuse_no_wager(desk: QueryDesk, lying: Iterable[PlacedWager], body: NamesWager) -> Refused:
    """Refuse what is about a wager that does not lie there, or whose position nobody has said."""
    named = (body.patron, body.wager)
    if body.position is None and any((each.patron, each.wager) == named for each in lying):
        return refuse(Refusal.POSITION_NEEDED, most=desk.table.setup.positions)
    return refuse(Refusal.NO_SUCH_WAGER, patron=body.patron or "", wager=body.wager or "")
