"""Wagers outside the limits that were paid or collected in previous rounds, and what becomes of them."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game.booked_mistakes import outside_of
from thirdcard.game.closing import RETURNED
from thirdcard.game.desk import QueryDesk
from thirdcard.game.handed import given_by
from thirdcard.game.irregularities.wager_claims import refuse_now
from thirdcard.game.rounds import is_settled_last
from thirdcard.game.settlement import Result, deciding_row, settle_wager
from thirdcard.game.state import OutsideWager, Phase, SettledWager
from thirdcard.money import format_amount
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import PayToMaximum, Situation

Report = cmd.ReportIrregularity


class LimitMistake(Struct, frozen=True):
    """The most that can have been paid, or collected, of a wager of a previous round beside its limit.

    What was collected is negative.
    """

    round: int
    wager: SettledWager
    most: int


def last_settled(desk: QueryDesk) -> tuple[SettledWager, ...]:
    """The wagers of the last round that was settled, except those of which nothing was handed over yet."""
    current = desk.table.round
    lines = current.settled if current is not None and current.ended else desk.table.last_settled
    return tuple(each for each in lines if not each.held)


def refuse_more(desk: QueryDesk, amount: int, most: int) -> Refused | None:
    """Refuse an amount that is more than can be wrong."""
    if amount <= most:
        return None
    return refuse(Refusal.MORE_THAN_CAN_BE_WRONG, most=format_amount(most, desk.house.currency))


def as_limit_mistake(desk: QueryDesk, body: Report) -> Report:
    """The report of a payment in a previous round that was wrong by the limit of its wager, as what it is.

    The clause about limits goes before the post that decides about payments.
    """
    if body.situation is not Situation.WRONG_PAYMENT or not body.amount:
        return body
    told, number = replace(body, situation=Situation.OLD_LIMIT_MISTAKE), desk.table.settled_round
    found = [each for each in _mistakes_told(desk, told) if (each.most < 0) is body.underpaid]
    left = _left_of(desk, found, number) if number in _rounds_of(found) else 0
    due = given_by(last_settled(desk))[body.patron or ""]
    amount = -body.amount if body.underpaid else body.amount
    settled = refuse_as_settled(desk, body.patron, amount, wager=body.wager, due=due)
    return told if settled and left >= body.amount else body


def with_known_direction(desk: QueryDesk, body: Report) -> Report:
    """The report with the wager that it is about, and whether that one was collected: the table knows it."""
    found = _mistakes_told(desk, body) if body.amount else ()
    if not found:
        return body
    wagers = {(each.wager.wager, each.wager.position) for each in found}
    wager, position = wagers.pop() if len(wagers) == 1 else (body.wager, body.position)
    collected = all(each.most < 0 for each in found)
    return replace(body, wager=wager, position=position, underpaid=body.underpaid or collected)


def contradict_old_mistake(desk: QueryDesk, body: Report) -> Refused | None:
    """A limit was disregarded in a previous round: only what was not in action can be paid or collected.

    The last round is put right until the next one is called.
    """
    last, idle = desk.table.round, desk.table.phase is Phase.IDLE
    if desk.table.rounds - (1 if idle or desk.round is not None else 0) < 1:
        return _refuse_last_round(desk) if is_settled_last(desk) else refuse_now(desk)
    if not body.amount:
        return None
    found = _mistakes_told(desk, body)
    if not found:
        own = [each for each in last.settled if each.patron == body.patron] if idle and last else []
        outside = any(each.stake != each.in_action for each in own)
        return _refuse_last_round(desk) if outside else refuse(Refusal.NO_WAGER_CONCERNED)
    if is_wager_needed(desk, body):
        return None
    return refuse_more(desk, body.amount, max(_left_of(desk, found, number) for number in _rounds_of(found)))


def is_wager_needed(desk: QueryDesk, body: Report) -> bool:
    """Whether a limit mistake may have been paid or collected: a patron had wagers of both kinds."""
    limits = body.situation is Situation.OLD_LIMIT_MISTAKE and body.amount
    return bool(limits) and len({each.most > 0 for each in _mistakes_told(desk, body)}) > 1


def wagers_outside(desk: QueryDesk, body: Report) -> tuple[SettledWager, ...]:
    """Return the wagers of previous rounds that a limit mistake can be about, the last ones first."""
    return tuple(each.wager for each in _mistakes_told(desk, body))


def _refuse_last_round(desk: QueryDesk) -> Refused:
    """Refuse a limit mistake of the last round before the next one is called: it is put right."""
    clauses = (each.clause for each in desk.document.policies_of(PayToMaximum))
    return refuse(Refusal.LAST_ROUND_IS_PUT_RIGHT, *clauses)


def is_too_little(body: Report) -> bool:
    """Only a payment can have been too small, in whichever round, or a stake collected beside its limit."""
    about = (Situation.WRONG_PAYMENT, Situation.OLD_LIMIT_MISTAKE, Situation.NOT_COVERED)
    return body.underpaid and body.situation in about


def round_meant(desk: QueryDesk, body: Report) -> int:
    """The previous round that a limit mistake is of: the last one in which it can have been."""
    table = desk.table
    found = _mistakes_told(desk, body) if body.amount else ()
    possible = (number for number in _rounds_of(found) if _left_of(desk, found, number) >= body.amount)
    return next(possible, table.settled_round - (1 if table.phase is Phase.IDLE else 0))


def settles(desk: QueryDesk) -> Clause | None:
    """The clause by which mistakes about limits in previous rounds are settled, if the document has one."""
    rows = (each for each in desk.document.irregularities if each.situation is Situation.OLD_LIMIT_MISTAKE)
    return next((each.clause for each in rows if each.clause), None)


def refuse_as_settled(
    desk: QueryDesk, patron: str | None, amount: int, *, wager: str | None = None, due: int | None = None
) -> Refused | None:
    """Refuse to put right what was paid or collected outside the limits in the round before the next one.

    A negative amount was paid too little. Where the wager is not told, it is so if the amount is just what
    the limit leaves out, or if nothing else of what was ``due`` can have been lacking.
    """
    clause = settles(desk) if desk.table.phase is not Phase.IDLE else None
    before = [each for each in _mistakes_of(desk, patron, wager) if each.round == desk.table.settled_round]
    found = [each.most for each in before if (each.most > 0) is (amount > 0)]
    if clause is None or not found or abs(amount) > abs(sum(found)):
        return None
    just = wager is not None or amount in (sum(found), *found)
    nothing_else = due is not None and amount < 0 and -amount > due + sum(found)
    return refuse(Refusal.EARLIER_ROUNDS_STAND, clause) if just or nothing_else else None


def _mistakes_told(desk: QueryDesk, body: Report) -> tuple[LimitMistake, ...]:
    """The mistakes that a report can be about: of its patron and wager, and collected ones if it says so."""
    found = _mistakes_of(desk, body.patron, body.wager)
    if body.position is not None:
        found = [each for each in found if each.wager.position == body.position]
    return tuple(each for each in found if each.most < 0 or not body.underpaid)


def _mistakes_of(desk: QueryDesk, patron: str | None, wager: str | None) -> list[LimitMistake]:
    """Return what can have been paid or collected beside limits in previous rounds, the last one first."""
    found: list[LimitMistake] = []
    for each in _outside_before(desk):
        own = each.wager.patron == patron and wager in (None, each.wager.wager)
        most = _most_of(desk, each) if own else 0
        found += [LimitMistake(each.round, each.wager, most)] if most else []
    return found


def _outside_before(desk: QueryDesk) -> Iterator[OutsideWager]:
    """The wagers of previous rounds that were not in action in full, those of the last round first."""
    current = desk.table.round
    if current is not None and current.ended and desk.table.phase is not Phase.IDLE:
        yield from outside_of(current)
    yield from reversed(desk.table.outside)


def _most_of(desk: QueryDesk, each: OutsideWager) -> int:
    """Return what can have been paid or collected of a wager beside what was due; a tie moves none of it."""
    line, wager = each.wager, desk.rulebook.wagers[each.wager.wager]
    if line.result == Result.LOST.value:
        return -min(line.stake - line.in_action, line.back)
    row = deciding_row(wager, each.facts)
    if line.result == RETURNED and row is None:
        return -line.back
    if line.result == Result.WON.value:
        row = next(row for row in wager.rows if row.odds and row.odds.text == line.odds)
    return settle_wager(wager, row, line.stake, desk.house).paid - line.paid


def _rounds_of(found: Iterable[LimitMistake]) -> tuple[int, ...]:
    """The rounds of mistakes, the last one first."""
    return tuple(dict.fromkeys(each.round for each in found))


def _left_of(desk: QueryDesk, found: Iterable[LimitMistake], number: int) -> int:
    """How much of the mistakes of a round can still be booked: of these wagers, and of all of a patron."""
    own = [each for each in found if each.round == number]
    patron, paid = own[0].wager.patron, own[0].most > 0
    every = [
        each for each in _mistakes_of(desk, patron, None) if (each.round, each.most > 0) == (number, paid)
    ]
    known = (*desk.table.mistakes, *desk.table.put_right)
    told = (each for each in known if (each.round, each.patron) == (number, patron))
    booked = [each for each in told if (each.amount > 0) is paid]
    wagers = {(each.wager.wager, each.wager.position) for each in own}
    of_these = sum(abs(each.amount) for each in booked if (each.wager, each.position) in wagers)
    left = sum(abs(each.most) for each in every) - sum(abs(each.amount) for each in booked)
    return max(min(sum(abs(each.most) for each in own) - of_these, left), 0)
