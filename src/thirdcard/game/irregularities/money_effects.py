"""The effects of irregularities on wagers and on money."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.closing import give_device_back
from thirdcard.game.dealing import (
    clear_wagers,
    current_round,
    whole_back,
)
from thirdcard.game.decided_payments import set_off
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.handed import waiting_for
from thirdcard.game.reducing import reduced
from thirdcard.game.rounds import is_settled_last
from thirdcard.game.state import Case, PlacedWager, SettledWager
from thirdcard.game.terminal_credits import about_credits
from thirdcard.rulebook import irregularity as rule
from thirdcard.rulebook.house import REFERRAL

# cases of a payment that was too large or too small, or of a stake that was collected beside its limit
ABOUT_A_PAYMENT = (rule.Situation.WRONG_PAYMENT, rule.Situation.OLD_LIMIT_MISTAKE)


def case_of(desk: QueryDesk) -> Case:
    """The case that is dealt with."""
    case = desk.table.case
    assert case is not None
    return case


def return_wagers(desk: Desk) -> None:
    """The wager that a case is about goes back; if it is about none of them all do, and betting ends.

    That is before a round has begun, so that nothing can be void.
    """
    _, clause = desk.not_covered()
    clauses = (clause,) if clause else ()
    single = single_wager(desk, case_of(desk))
    if single is not None:  # without a clause about it, it goes to the credits from which it came
        desk.emit(_back(desk, single, clauses or about_credits(desk)))
        return
    clear_wagers(desk, clause)
    desk.emit(ev.BettingCancelled(procedure=None if clause else REFERRAL, clauses=clauses))


def _back(desk: Desk, wager: PlacedWager, clauses: tuple[Clause, ...]) -> ev.WagerReduced:
    """The wager of a case goes back; of one that chips came to or were taken away from late, those chips."""
    case = case_of(desk)
    if case.situation is rule.Situation.LATE_WAGER:
        return _late_part(desk, case, wager, clauses)
    whole = whole_back(desk, wager, clauses)
    if case.situation is not rule.Situation.LATE_WITHDRAWAL:
        return whole
    amount = min(case.amount, wager.pulled)
    return replace(whole, amount=amount, gone=amount)


def told_amount(case: Case) -> int:
    """Return what two people say that somebody got by mistake; what was lacking does not count."""
    about = (*ABOUT_A_PAYMENT, rule.Situation.LATE_WITHDRAWAL, rule.Situation.NOT_COVERED)
    return max(case.amount, 0) if case.situation in about and case.second is not None else 0


def is_lost_taken(desk: QueryDesk, case: Case) -> bool:
    """Whether a case is about lost chips that their patron took back once the round was settled."""
    late = case.situation is rule.Situation.LATE_WITHDRAWAL and case.clause is None
    return late and is_settled_last(desk)


def decide_lost_chips(desk: Desk, ruling: ev.RulingMade) -> tuple[str, ...]:
    """Book lost chips that were taken back: they are owed, but for those that a post leaves to their patron.

    Return what else was decided.
    """
    case, chosen = case_of(desk), (ruling.choice, *ruling.also)
    assert case.patron is not None
    claims = rule.Preset.TAKE_BACK in chosen and ruling.patron == case.patron
    kept = (
        case.amount - ruling.amount if claims else case.amount if rule.Preset.RETURN_WAGERS in chosen else 0
    )
    clauses, procedure = _decided_by(desk)
    if kept < case.amount:
        owed = ev.ClaimBooked(
            patron=case.patron, amount=case.amount - kept, lost=True, procedure=procedure, clauses=clauses
        )
        desk.emit(owed)
    if kept:
        _pay(desk, case.patron, kept)
    return tuple(
        each
        for each in chosen
        if each != rule.Preset.RETURN_WAGERS and not (claims and each == rule.Preset.TAKE_BACK)
    )


def _decided_by(desk: QueryDesk) -> tuple[tuple[Clause, ...], str | None]:
    """The clause by which a post decides what no rule covers, or else the procedure of the house."""
    _, clause = desk.not_covered()
    return ((clause,), None) if clause else ((), REFERRAL)


def _pay(desk: Desk, patron: str, amount: int) -> None:
    clauses, procedure = _decided_by(desk)
    paid = ev.PaymentCorrected(
        patron=patron,
        amount=-amount,
        by=desk.actor,
        second=desk.envelope.authoriser,
        procedure=procedure,
        clauses=clauses,
    )
    desk.emit(paid)


def make_payment(desk: Desk, ruling: ev.RulingMade) -> None:
    """Make a payment that a post has decided."""
    assert ruling.patron is not None
    _pay(desk, ruling.patron, ruling.amount)


def claim_back(desk: Desk, ruling: ev.RulingMade) -> None:
    """Claim what was paid back from a patron."""
    assert ruling.patron is not None
    clauses, procedure = _decided_by(desk)
    claimed = ev.PaymentClaimed(
        patron=ruling.patron,
        amount=ruling.amount,
        by=desk.actor,
        second=desk.envelope.authoriser,
        procedure=procedure,
        clauses=clauses,
    )
    desk.emit(claimed)


def book_what_is_told(desk: Desk, ruling: ev.RulingMade) -> None:
    """Book what was paid by mistake, or too little, whatever else a post decides about it.

    Of what no rule covers, it is booked as two people told it, if the post claims it back or makes it good.
    """
    case, chosen = case_of(desk), (ruling.choice, *ruling.also)
    case = replace(case, amount=max(case.amount, -most_lacking(desk, case)))
    puts_right = rule.Preset.TAKE_BACK if case.amount > 0 else rule.Preset.PAY
    decided = puts_right in chosen and case.patron == ruling.patron and case.amount != 0
    by_two = case.situation is rule.Situation.NOT_COVERED and case.second is not None
    if (by_two and decided) or is_payment_told(case):
        desk.emit(mistake_of(case, *_decided_by(desk)))


def most_lacking(desk: QueryDesk, case: Case) -> int:
    """Return what can be lacking of a payment, as a case tells it: credits that never came are not used.

    A terminal may have staked or cashed them out since that was told.
    """
    told = max(-case.amount, 0)
    return min(told, desk.table.credits_of(case.patron or "")) if desk.table.setup.terminal else told


def is_payment_told(case: Case) -> bool:
    """Whether a case says whose payment was wrong, and by how much; of limits two people must tell it."""
    told = case.patron is not None and case.amount != 0
    by_two = case.situation is rule.Situation.OLD_LIMIT_MISTAKE and case.second is not None
    return told and (case.situation is rule.Situation.WRONG_PAYMENT or by_two)


def is_payment_put_right(desk: QueryDesk, patron: str) -> bool:
    """Whether a wrong payment is put right at once: not with who has left, nor of a void round."""
    current = desk.table.round
    return is_here(desk, patron) and not (current is not None and current.void)


def mistake_of(
    case: Case, clauses: tuple[Clause, ...], procedure: str | None = None, *, mistaken: bool = False
) -> ev.WrongPaymentFound:
    """The booking of what a case says that was paid or collected by mistake, or its opposite."""
    assert case.patron is not None
    return ev.WrongPaymentFound(
        patron=case.patron,
        amount=-case.amount if mistaken else case.amount,
        collected=case.situation is rule.Situation.OLD_LIMIT_MISTAKE and case.amount < 0,
        mistaken=mistaken,
        procedure=procedure,
        clauses=clauses,
    )


def book_claims(
    desk: Desk, settled: tuple[SettledWager, ...], clauses: tuple[Clause, ...], *, stakes_go_back: bool
) -> None:
    """Book a claim for what a reversal takes back and is not there.

    No terminal falls below zero, and who has left the table has the chips along, unless they were given only
    then. What is held was handed to nobody.
    """
    owed: dict[str, int] = {}
    for each in (line for line in settled if not line.held):
        due = each.back + each.paid - (each.lying if stakes_go_back else 0)
        owed[each.patron] = owed.get(each.patron, 0) + due
    cited, terminal = (*clauses, *about_credits(desk)), desk.table.setup.terminal
    for patron, amount in owed.items():
        left = not terminal and not is_here(desk, patron)
        there = desk.table.credits_of(patron) if terminal else waiting_for(desk.table.round, patron)
        short = amount - there if terminal or left else 0
        if short > 0:
            procedure = None if cited else REFERRAL
            booked = ev.ClaimBooked(
                patron=patron, amount=short, left=left, procedure=procedure, clauses=cited
            )
            desk.emit(booked)


def single_wager(desk: QueryDesk, case: Case) -> PlacedWager | None:
    """The wager that lies there which a case is about that is left to a post."""
    about = (rule.Situation.NOT_COVERED, rule.Situation.LATE_WAGER, rule.Situation.LATE_WITHDRAWAL)
    return _find_wager(desk, case) if case.situation in about else None


def _find_wager(desk: QueryDesk, case: Case) -> PlacedWager | None:
    told = (case.patron, case.wager, case.position)
    return next(
        (each for each in desk.table.wagers if (each.patron, each.wager, each.position) == told), None
    )


def _concerned(desk: QueryDesk, case: Case) -> PlacedWager:
    """The wager that a case is about."""
    found = _find_wager(desk, case)
    assert found is not None
    return found


def refuse_wager(desk: Desk, effect: rule.RefuseWager) -> None:
    """The late part of a stake goes back; the part that lay in time stays, and is settled again.

    Chips that were taken away since count as the late ones, which are with their patron already.
    """
    case = case_of(desk)
    if is_settled_last(desk):
        reverse_settlement(desk, (effect.clause,))
    wager = _concerned(desk, case)
    back = _late_part(desk, case, wager, (effect.clause,))
    desk.emit(back)
    if not is_here(desk, wager.patron) and not desk.table.setup.terminal:
        set_off(desk, Counter({wager.patron: back.back}), (effect.clause,))


def _late_part(desk: Desk, case: Case, wager: PlacedWager, clauses: tuple[Clause, ...]) -> ev.WagerReduced:
    """The part of a stake goes back that a case says came late."""
    gone, order = min(wager.pulled, case.amount), order_of(wager, wager.stake - case.amount)
    return reduced(desk, wager, case.amount, clauses, gone=gone, order=order)


def order_of(wager: PlacedWager, stake: int) -> int:
    """When a wager had reached a smaller amount: what came late did not move it behind others."""
    return next((order for reached, order in wager.reached if reached >= stake), wager.order)


def keep_in_action(desk: Desk, effect: rule.KeepInAction) -> None:
    """Chips that were taken away late are still won or lost; a settlement that was made is made again."""
    if is_settled_last(desk):
        reverse_settlement(desk, (effect.clause,))
    record_taken_away(desk, (effect.clause,))


def record_taken_away(desk: Desk, clauses: tuple[Clause, ...]) -> None:
    """Record the chips of a case as taken away late: they are with their patron, and stay in action."""
    case = case_of(desk)
    wager = _concerned(desk, case)
    pulled = ev.WagerPulledLate(
        id=wager.id, patron=wager.patron, wager=wager.wager, amount=case.amount, clauses=clauses
    )
    desk.emit(pulled)


def record_not_taken_away(desk: Desk, case: Case) -> None:
    """Take back that chips of a case were taken away, as far as their wager still lies there."""
    told = (case.patron, case.wager, case.position)
    for wager in desk.table.wagers:
        amount = min(case.amount, wager.pulled)
        if (wager.patron, wager.wager, wager.position) == told and amount:
            found = ev.WagerFound(
                id=wager.id,
                patron=wager.patron,
                position=wager.position,
                wager=wager.wager,
                amount=amount,
                by=desk.actor,
                second=desk.envelope.authoriser,
                was_pulled=True,
                held=wager.held,
                clauses=tuple(each for each in (desk.not_covered()[1],) if each),
            )
            desk.emit(found)


def correct_settlement(desk: Desk, effect: rule.CorrectSettlement) -> None:
    """A wrong payment is booked and reversed; whatever was called or shown, the cards decide anyway."""
    case = case_of(desk)
    if case.situation is rule.Situation.WRONG_PAYMENT:
        assert case.patron is not None
        clauses = tuple(dict.fromkeys((effect.clause, *_limit_clauses(desk, case.patron))))
        found = ev.WrongPaymentFound(patron=case.patron, amount=case.amount, clauses=clauses)
        desk.emit(found)
        second = desk.envelope.authoriser
        corrected = ev.PaymentCorrected(
            patron=case.patron, amount=case.amount, by=desk.actor, second=second, clauses=clauses
        )
        desk.emit(corrected)


def _limit_clauses(desk: QueryDesk, patron: str) -> Iterator[Clause]:
    """The clauses by which a wager of a patron was not in action in full: they decide as the cards do."""
    current = desk.table.round
    for each in current.settled if current else ():
        if each.patron == patron and each.in_action != each.stake:
            kind = desk.rulebook.wagers[each.wager]
            by_cards = {*kind.lost, *(clause for row in kind.rows for clause in row.clauses)}
            yield from (clause for clause in each.clauses if clause not in by_cards)


def reverse_settlement(desk: Desk, clauses: tuple[Clause, ...]) -> None:
    """Take a settlement back, entry by entry, so that it can be made again."""
    settled = current_round(desk).settled
    book_claims(desk, settled, clauses, stakes_go_back=False)
    procedure = None if clauses else REFERRAL
    desk.emit(ev.SettlementReversed(wagers=settled, procedure=procedure, clauses=clauses))
    give_device_back(desk)
