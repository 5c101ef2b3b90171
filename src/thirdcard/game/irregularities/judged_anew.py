"""Cases that are opened or judged again after a command, because the table has changed under them."""

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.causes import Cause
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.cases import is_exceeded_in_the_deal, open_case, run_cases, see
from thirdcard.game.irregularities.rows import governing_row
from thirdcard.game.offers import is_answered
from thirdcard.game.rounds import circumstance_of
from thirdcard.game.state import Case, Wait
from thirdcard.refusals import Refused
from thirdcard.rulebook.irregularity import Situation, circumstances

# circumstances that change with the course of the round, and with them the clause by which patrons are asked
OF_THE_COURSE = ("decided", "stage")


def judge_anew(desk: Desk) -> None:
    """Judge a case anew whose offer has lost its ground: its clause holds at another stage of the round.

    Whoever has not answered yet is asked no more, unless the clause that holds now says so. An offer ends
    that leaves nothing to withdraw.
    """
    for case in desk.table.open_cases:
        asks = case.offer is not None or case.waits is Wait.PERMISSION
        told = _as_report(case)
        row = governing_row(desk, told) if asks and not _has_ground(desk, case, told) else None
        if row is not None and not isinstance(row, Refused):
            desk.emit(ev.CaseClosed(id=case.id, superseded_by=desk.table.cases + 1))
            open_case(desk, row, told, desk.table.setup.table)
    if desk.table.offer is not None and is_answered(desk):
        run_cases(desk)


def _has_ground(desk: QueryDesk, case: Case, told: cmd.ReportIrregularity) -> bool:
    """Whether the circumstances of the row of a case still hold that change with the course of the round."""
    rows = (each for each in desk.document.irregularities if each.situation is case.situation)
    row = next((each for each in rows if each.effects == case.effects), None)
    asked = circumstances(row) if row else {}
    return all(circumstance_of(desk, told, name) in asked[name] for name in OF_THE_COURSE if name in asked)


def _as_report(case: Case) -> cmd.ReportIrregularity:
    """The report that a case would be opened by."""
    return cmd.ReportIrregularity(
        situation=case.situation,
        cards=case.cards,
        ahead=case.ahead,
        patron=case.patron,
        hand=case.hand,
        wager=case.wager,
        position=case.position,
        amount=case.amount,
    )


def look_at_found(desk: Desk, body: cmd.FindWager, gap: int) -> Refused | None:
    """A wager that is found may be one too many in its area, or exceed the differential too late."""
    table = desk.table
    owners = {e.patron for e in table.wagers if (e.wager, e.position) == (body.wager, body.position)}
    if table.owners_per_area is not None and len(owners) > table.owners_per_area:
        fourth = cmd.ReportIrregularity(
            situation=Situation.NOT_COVERED, patron=body.patron, wager=body.wager, position=body.position
        )
        return see(desk, fourth, Cause.WAGER_TOO_MANY)
    if gap <= table.setup.differential and is_exceeded_in_the_deal(desk):
        return see(desk, cmd.ReportIrregularity(situation=Situation.DIFFERENTIAL_EXCEEDED))
    return None
