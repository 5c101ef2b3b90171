"""The table after money outside a settlement: credits, mistakes, corrections and claims."""

from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game.dispute_steps import AwardWay, Dispute
from thirdcard.game.earlier_rounds import Mistake, with_stake
from thirdcard.game.handed import given_so_far, wait_for
from thirdcard.game.state import Balance, Case, Table
from thirdcard.game.wager_folds import credit_terminal
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

    A positive amount without a mistake takes back what was decided, because the settlement gives it; nobody
    stands for a payment that is given again, because the settlement gives it no more.
    """
    number, left = round_in_question(table), list(table.mistakes)
    told = (number, event.patron, event.amount)
    same = next((each for each in left if (each.round, each.patron, each.amount) == told), None)
    if same is not None:
        left.remove(same)
        table = replace(table, put_right=(*table.put_right, same))
    if same is None and (event.amount > 0 or not event.by):
        table = _count(table, Mistake(number, event.patron, -event.amount, counted=True))
    elif event.amount < 0:
        given = given_so_far(table, number, event.patron)
        paid = Mistake(number, event.patron, -event.amount, made_good=same is not None, given=given)
        table = replace(table, payments=(*table.payments, paid))
    stakes = with_stake(table.stakes, event.patron, table.settled_round)
    return replace(table, mistakes=tuple(left), stakes=stakes)


def _count(table: Table, counted: Mistake) -> Table:
    """The table when a settlement takes what decisions paid, or gives it back; awards go first."""
    more, disputes = -counted.amount, list[Dispute]()
    for each in table.disputes:
        own = (each.round, each.patron) == (counted.round, counted.patron)
        part = min(max(more, -each.taken_back), each.kept) if own else 0
        disputes.append(replace(each, taken_back=each.taken_back + part) if part else each)
        more -= part
    return replace(table, payments=(*table.payments, counted), disputes=tuple(disputes))


def book_decided_claim(table: Table, event: ev.PaymentClaimed) -> Table:
    """The table with a claim that a post decided; nobody stands for what a settlement changes of it."""
    number = round_in_question(table)
    counted = event.amount < 0 or not event.by
    given = None if counted else given_so_far(table, number, event.patron)
    claim = Mistake(number, event.patron, event.amount, given=given, counted=counted)
    stakes = with_stake(table.stakes, event.patron, number)
    return replace(table, claimed=(*table.claimed, claim), stakes=stakes)


def pay_award(table: Table, event: ev.AwardPaid) -> Table:
    """The table with the award of a dispute paid, of the round that it is about."""
    if event.way is AwardWay.CREDITS:
        table = credit_terminal(table, event.patron, event.amount)
    about = next(each.round for each in table.disputes if each.id == event.id)
    if not about:
        return table
    given = given_so_far(table, about, event.patron)
    paid = Mistake(about, event.patron, event.amount, given=given, dispute=event.id)
    return replace(table, payments=(*table.payments, paid))


def award_anew(table: Table, number: int) -> Table:
    """The table when a dispute is decided anew: what a settlement took of its award stays taken."""
    dispute = next(each for each in table.disputes if each.id == number)
    if not dispute.payments or not dispute.round:
        return table
    final = tuple(replace(each, given=None) if each.dispute == number else each for each in table.payments)
    taken = Mistake(dispute.round, dispute.patron, -dispute.taken_back)
    again = replace(taken, amount=dispute.taken_back, counted=True)
    return replace(table, payments=(*final, taken, again) if dispute.taken_back else final)


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
