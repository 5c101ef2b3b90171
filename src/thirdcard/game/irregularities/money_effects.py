"""The effects of irregularities on wagers and on money."""

from collections import Counter

from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.closing import give_device_back, set_off
from thirdcard.game.dealing import (
    clear_wagers,
    current_round,
    whole_back,
)
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.reducing import reduced
from thirdcard.game.rounds import can_be_put_right
from thirdcard.game.state import (
    Case,
    PlacedWager,
    SettledWager,
)
from thirdcard.game.terminal_credits import about_credits
from thirdcard.rulebook import irregularity as rule
from thirdcard.rulebook.house import REFERRAL
from thirdcard.staff import Post


def case_of(desk: QueryDesk) -> Case:
    """The case that is dealt with."""
    case = desk.table.case
    assert case is not None
    return case


def not_covered(desk: QueryDesk) -> tuple[Post, Clause | None]:
    """The post that decides what no rule covers, and the clause that says so."""
    grant = desk.document.authority.not_covered
    return (grant.post, grant.clause) if grant else (desk.house.form.not_covered_decided_by, None)


def return_wagers(desk: Desk) -> None:
    """The wager that a case is about goes back; before a round has begun all do, and betting ends.

    Then nothing can be void.
    """
    _, clause = not_covered(desk)
    clauses = (clause,) if clause else ()
    single = single_wager(desk, case_of(desk))
    if single is not None:
        desk.emit(_back(desk, single, clauses))
        return
    clear_wagers(desk, clause)
    desk.emit(ev.BettingCancelled(procedure=None if clause else REFERRAL, clauses=clauses))


def _back(desk: Desk, wager: PlacedWager, clauses: tuple[Clause, ...]) -> ev.WagerReduced:
    """The wager of a case goes back; of one that chips were taken away from late, those chips."""
    case = case_of(desk)
    whole = whole_back(desk, wager, clauses)
    if case.situation is not rule.Situation.LATE_WITHDRAWAL:
        return whole
    amount = min(case.amount, wager.pulled)
    return replace(whole, amount=amount, gone=amount)


def book_claims(
    desk: Desk, settled: tuple[SettledWager, ...], clauses: tuple[Clause, ...], *, stakes_go_back: bool
) -> None:
    """What a reversal takes back and is not there is a claim.

    No terminal falls below zero, and who has left the table has the chips along. What is held was handed to
    nobody.
    """
    owed: dict[str, int] = {}
    for each in (line for line in settled if not line.held):
        due = each.back + each.paid - (each.lying if stakes_go_back else 0)
        owed[each.patron] = owed.get(each.patron, 0) + due
    cited, terminal = (*clauses, *about_credits(desk)), desk.table.setup.terminal
    for patron, amount in owed.items():
        left = not terminal and not is_here(desk, patron)
        short = amount - desk.table.credits_of(patron) if terminal else amount if left else 0
        if short > 0:
            procedure = None if cited else REFERRAL
            booked = ev.ClaimBooked(
                patron=patron, amount=short, left=left, procedure=procedure, clauses=cited
            )
            desk.emit(booked)


def single_wager(desk: QueryDesk, case: Case) -> PlacedWager | None:
    """The wager of a round under way that a case is about which a clause leaves to a post."""
    about = (rule.Situation.NOT_COVERED, rule.Situation.LATE_WITHDRAWAL)
    left = case.situation in about and desk.document.authority.not_covered is not None
    return _find_wager(desk, case) if left and desk.round is not None else None


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
    if can_be_put_right(desk):
        reverse_settlement(desk, (effect.clause,))
    wager = _concerned(desk, case)
    gone, order = min(wager.pulled, case.amount), order_of(wager, wager.stake - case.amount)
    back = reduced(desk, wager, case.amount, (effect.clause,), gone=gone, order=order)
    desk.emit(back)
    if not is_here(desk, wager.patron) and not desk.table.setup.terminal:
        set_off(desk, Counter({wager.patron: back.back}), (effect.clause,))


def order_of(wager: PlacedWager, stake: int) -> int:
    """When a wager had reached a smaller amount: what came late did not move it behind others."""
    return next((order for reached, order in wager.reached if reached >= stake), wager.order)


def keep_in_action(desk: Desk, effect: rule.KeepInAction) -> None:
    """Chips that were taken away late are still won or lost; a settlement that was made is made again."""
    if can_be_put_right(desk):
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
                clauses=tuple(each for each in (not_covered(desk)[1],) if each),
            )
            desk.emit(found)


def correct_settlement(desk: Desk, effect: rule.CorrectSettlement) -> None:
    """A wrong payment is booked and reversed; whatever was called or shown, the cards decide anyway."""
    case = case_of(desk)
    if case.situation is rule.Situation.WRONG_PAYMENT:
        assert case.patron is not None
        found = ev.WrongPaymentFound(patron=case.patron, amount=case.amount, clauses=(effect.clause,))
        desk.emit(found)
        second = desk.envelope.authoriser
        corrected = ev.PaymentCorrected(
            patron=case.patron, amount=case.amount, by=desk.actor, second=second, clauses=(effect.clause,)
        )
        desk.emit(corrected)


def reverse_settlement(desk: Desk, clauses: tuple[Clause, ...]) -> None:
    """Take a settlement back, entry by entry, so that it can be made again."""
    settled = current_round(desk).settled
    book_claims(desk, settled, clauses, stakes_go_back=False)
    procedure = None if clauses else REFERRAL
    desk.emit(ev.SettlementReversed(wagers=settled, procedure=procedure, clauses=clauses))
    give_device_back(desk)
