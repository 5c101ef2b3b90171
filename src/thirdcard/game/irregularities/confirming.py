"""Facts of an irregularity that somebody confirms, finds not to be so, or takes back."""

from collections.abc import Callable

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.betting import close_betting
from thirdcard.game.booked_mistakes import leaves_a_booking
from thirdcard.game.case_cards import (
    SET_ASIDE,
    aside_without,
    cards_of_case,
    faces_aside,
    is_last_aside,
    is_noticed,
    is_sorted,
    never_came,
    set_aside_for,
)
from thirdcard.game.causes import Cause
from thirdcard.game.dealing import advance, current_round, reopen_betting
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.hands_told import cards_before, hands_in_doubt, tells_of_a_hand
from thirdcard.game.irregularities.card_effects import end_what_is_pointless
from thirdcard.game.irregularities.cases import open_case, run_cases
from thirdcard.game.irregularities.effects import new_cards_by
from thirdcard.game.irregularities.money_effects import mistake_of, record_not_taken_away
from thirdcard.game.irregularities.rows import referral
from thirdcard.game.named_cases import closed_in_doubt, find_case
from thirdcard.game.sealed_cards import is_sealed
from thirdcard.game.shoe_loading import no_free_hand
from thirdcard.game.squeezing import holder_of, right_to
from thirdcard.game.state import Case, Table, Wait
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import DetermineCardOrder, Refer, ReplaceCards, Situation


def confirm(desk: Desk, body: cmd.ConfirmFacts) -> Refused | None:
    """The post named by the house confirms what somebody else reported; what the clause says follows.

    It need not be the irregularity that came to light last: a void goes before whatever others wait for.
    """
    case = desk.table.unconfirmed if body.case is None else find_case(desk.table, body.case)
    if isinstance(case, Refused):
        return case
    if case is None or case.waits is not Wait.CONFIRMATION:
        return refuse(Refusal.NOT_AWAITED)
    refused = desk.house_authority(desk.house.form.facts_confirmed_by)
    if refused is None and case.by == desk.actor:
        refused = desk.two_people()
    if refused:
        return refused
    desk.emit(ev.FactsConfirmed(by=desk.actor, second=desk.envelope.authoriser, id=body.case))
    run_cases(desk)
    return None


def disprove(desk: Desk, body: cmd.DisproveFacts) -> Refused | None:
    """Establish, by another person, that the fact was not so; the round goes on where it stood.

    Where two people stood for the fact, or a patron has answered, two must stand for that. What the table
    noticed is so, but for a card that was entered and never came, and for its count of the cards.
    """
    case = _in_question(desk, can_be_disproved, body.case)
    if isinstance(case, Refused):
        return case
    if _is_counted(case) and desk.table.shoe is not None and desk.table.shoe.seal is not None:
        return refuse(Refusal.SEALED_CARD)
    if not body.found.strip():
        return refuse(Refusal.DECISION_NEEDS_TEXT)
    refused = desk.house_authority(desk.house.form.facts_confirmed_by)
    if refused:
        return refused
    if case.by in (desk.actor, desk.envelope.authoriser):
        return refuse(Refusal.ANOTHER_PERSON_NEEDED, person=case.by)
    by_two = case.second or case.acted or is_told(desk, case)
    refused = (desk.two_people() if by_two else None) or _never_came_alone(desk, case)
    if refused:
        return refused
    for effect in case.effects if is_sorted(case) else ():
        if isinstance(effect, ReplaceCards):
            desk.emit(new_cards_by(effect))
    clauses = (case.clause,) if case.clause else ()
    second = desk.envelope.authoriser
    found = ev.FactsDisproved(id=case.id, by=desk.actor, found=body.found, second=second, clauses=clauses)
    _not_so(desk, case, found)
    return None


def _in_question(
    desk: QueryDesk, can: Callable[[QueryDesk, Case], bool], number: int | None
) -> Case | Refused:
    """The case of a number, or the one that is dealt with first, if it can be taken back.

    Else it is the last report of a known card, or of a limit mistake: such a report is carried out at once,
    so that its case is closed; nobody may have acted on it yet. Not while another report waits, which is the
    one that is meant.
    """
    case = desk.table.case if number is None else find_case(desk.table, number)
    if isinstance(case, Refused):
        return case
    if case is not None and (can(desk, case) or is_told(desk, case)):
        return case
    other = number is not None or (case is not None and not is_noticed(desk.table, case))
    last = None if other else next(reversed(closed_in_doubt(desk.table)), None)
    return last or refuse(Refusal.NOT_AWAITED)


def is_told(desk: QueryDesk, case: Case) -> bool:
    """Whether a case is closed, and only what its report told is left of it."""
    return any(each.id == case.id for each in desk.table.told)


def can_be_disproved(desk: QueryDesk, case: Case) -> bool:
    """Whether somebody can still establish that a case is not so.

    What the table saw was so, but for a card that never came, its count of the cards, and a closing call
    that was made and not entered.
    """
    acted = case.acted and not _are_patrons_asked(case)
    open_to_doubt = _is_entry(desk, case) or _is_counted(case)
    in_between = _others_came_after(desk, case) or _is_laid_otherwise(desk, case)
    return not acted and not in_between and (not is_noticed(desk.table, case) or open_to_doubt)


def is_disproved_by_two(desk: QueryDesk, case: Case) -> bool:
    """Whether two people must stand for it that a case is not so."""
    return bool(case.second) or case.acted or _is_entry(desk, case)


def can_be_withdrawn(desk: QueryDesk, case: Case) -> bool:
    """Whether a report can still be taken back; of what the table noticed, the card that it is about."""
    untouched = not case.acted and (not case.done or _lies_with_the_dealer(desk, case))
    entered = not is_noticed(desk.table, case) or never_came(desk.table, case)
    entered = entered and not (_others_came_after(desk, case) or _is_laid_otherwise(desk, case))
    return (untouched and entered) or (not case.acted and _is_passed(desk, case))


def is_withdrawn_by_two(desk: QueryDesk, case: Case) -> bool:
    """Whether two people must take a report back."""
    return bool(case.second) or _is_entry(desk, case)


def _is_entry(desk: QueryDesk, case: Case) -> bool:
    """Whether a case says what was entered: a card that came, a hand passed or opened, a call left out."""
    table = desk.table
    entered = never_came(table, case) or _is_passed(desk, case) or tells_of_a_hand(table, case)
    return entered or case.cause is Cause.NO_CLOSING_CALL


def reporters_of(table: Table, case: Case) -> tuple[str, ...]:
    """Return those who reported it, and may take it back; nobody where the table noticed it by itself."""
    return () if is_noticed(table, case) else tuple(each for each in (case.by, case.second) if each)


def _others_came_after(desk: QueryDesk, case: Case) -> bool:
    """Whether cards lie aside that came after those of a case, which came for that reason.

    Those that were taken up with them lay at the hands before, and go back there.
    """
    if case.dealt:
        return False
    out = cards_of_case(desk.table, case).pile == "aside"
    return out and not is_last_aside(desk.table, case)


def _is_laid_otherwise(desk: QueryDesk, case: Case) -> bool:
    """Whether the cards do not lie any more as a report told of a hand: other cards came or moved since."""
    return tells_of_a_hand(desk.table, case) and cards_before(desk.table, case) is None


def _are_patrons_asked(case: Case) -> bool:
    """Whether patrons are asked because of a fact that was reported, and not of what a post decided."""
    decided = any(isinstance(each, DetermineCardOrder | Refer) for each in case.effects[: case.done + 1])
    return case.offer is not None and not decided


def _lies_with_the_dealer(desk: QueryDesk, case: Case) -> bool:
    """Whether the hand of a reported delivery lies unseen with the Dealer while a permission waits."""
    current, waits = desk.round, case.waits is Wait.PERMISSION
    held = current is not None and any(each.hand is case.hand for each in current.holdings)
    return waits and not held and bool(hands_in_doubt(desk.table, case))


def withdraw_report(desk: Desk, body: cmd.WithdrawReport) -> Refused | None:
    """Take a report back by who made it, of two people neither alone, until somebody has acted on it."""
    case = _in_question(desk, can_be_withdrawn, body.case)
    if isinstance(case, Refused):
        return case
    reporters = reporters_of(desk.table, case)
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF if reporters else Refusal.NOT_AWAITED)
    if reporters and desk.actor not in reporters:
        return refuse(Refusal.NOT_YOUR_REPORT, person=case.by)
    by_two = case.second or is_told(desk, case)
    refused = (desk.two_people() if by_two else None) or _never_came_alone(desk, case)
    if refused:
        return refused
    _not_so(desk, case, ev.ReportWithdrawn(id=case.id, by=desk.actor, second=desk.envelope.authoriser))
    return None


def _ask_no_more(desk: Desk, told: Case) -> None:
    """Close what the table asked about cards that were not known after all."""
    places = {*cards_of_case(desk.table, told).places}
    for each in desk.table.open_cases:
        if is_noticed(desk.table, each) and places.intersection(cards_of_case(desk.table, each).places):
            desk.emit(ev.CaseClosed(id=each.id, superseded_by=told.id))


def _is_counted(case: Case) -> bool:
    """Whether a case says that no card is left, as the table counts them: only a look can tell otherwise."""
    return case.situation is Situation.TOO_FEW_CARDS


def _is_passed(desk: QueryDesk, case: Case) -> bool:
    """Whether the table noticed a wrong delivery because it was entered, which can have been a slip."""
    return is_noticed(desk.table, case) and bool(hands_in_doubt(desk.table, case))


def _never_came_alone(desk: Desk, case: Case) -> Refused | None:
    """Two people stand for it that a card was entered which never came; in a sealed shoe none can be.

    So they do for a hand that was entered as passed, or that a report told to be open, and for a call that
    was not entered.
    """
    came = never_came(desk.table, case) or (is_told(desk, case) and case.situation in SET_ASIDE)
    if came and is_sealed(desk.table):
        return refuse(Refusal.SEALED_CARD)
    return desk.two_people() if _is_entry(desk, case) else None


def _not_so(desk: Desk, case: Case, event: ev.FactsDisproved | ev.ReportWithdrawn) -> None:
    """End a case that is not so; cards that came together stay out, and wait for what is so."""
    if leaves_a_booking(desk.table, case):
        desk.emit(event)
        desk.emit(mistake_of(case, (case.clause,) if case.clause else (), mistaken=True))
        return
    missing, together = never_came(desk.table, case), case.situation is Situation.CARDS_TOGETHER
    own, hand_told = cards_of_case(desk.table, case), tells_of_a_hand(desk.table, case)
    aside = faces_aside(desk.table, set_aside_for(desk.table, case))
    if case.situation is Situation.LATE_WITHDRAWAL:
        record_not_taken_away(desk, case)
    if is_told(desk, case):
        _ask_no_more(desk, case)
    owed, before = desk.table.free_hands, desk.table
    desk.emit(event)
    if case.cause is Cause.NO_CLOSING_CALL and desk.table.uncalled:
        close_betting(desk)
    _fetch_back(desk, case, event.clauses)
    for hand in owed:
        if hand not in desk.table.free_hands:
            desk.emit(no_free_hand(hand.clause))
    current = desk.table.round
    if hand_told and desk.round is not None:
        laid, lying = desk.round.cards, desk.table.aside
        desk.emit(ev.CardsReconstructed(cards=laid, aside=lying, clauses=event.clauses))
        advance(desk)
    elif missing and current is not None and current.cards:
        others = aside_without(desk.table, own.places)
        desk.emit(ev.CardsReconstructed(cards=current.cards, aside=others, clauses=event.clauses))
        if desk.round is not None:
            advance(desk)
    elif missing:
        desk.emit(ev.CardsRetrieved(clauses=event.clauses))
        reopen_betting(desk)
    elif together and aside:
        _wait_for_what_is_so(desk, case, aside, event.clauses)
    end_what_is_pointless(desk, before)
    run_cases(desk)


def _wait_for_what_is_so(
    desk: Desk, case: Case, aside: tuple[Card | None, ...], clauses: tuple[Clause, ...]
) -> None:
    """Ask how cards came that did not come together as was told; those of the hands lie there as before."""
    if not case.dealt:
        body = cmd.ReportIrregularity(situation=case.situation, cards=aside)
        open_case(desk, referral(desk, body), body, desk.table.setup.table)
        return
    lay, waited = zip(case.dealt, desk.table.aside, strict=False), desk.table.aside[len(case.dealt) :]
    cards = (*current_round(desk).cards, *(replace(each, card=face) for each, face in lay))
    desk.emit(ev.CardsReconstructed(cards=cards, aside=waited, clauses=clauses))
    if waited:  # they came after those of the hands, and wait again
        desk.emit(ev.StrayCardsKept(cards=waited, clauses=clauses))
    advance(desk)


def _fetch_back(desk: Desk, case: Case, clauses: tuple[Clause, ...]) -> None:
    """A patron who has not left with cards gives those back that somebody else was to have."""
    hand, patron = case.hand, case.patron
    if case.situation is not Situation.PATRON_LEFT_WITH_CARDS or hand is None or patron is None:
        return
    if desk.round is not None and holder_of(desk, hand) == patron and right_to(desk, hand, patron) is None:
        desk.emit(ev.CardsTakenBack(hand=hand, patron=patron, clauses=clauses))
