"""Everything that a table owes, as the next steps of its staff: one list, from the engine's state alone."""

from collections.abc import Iterator

from thirdcard.folds.case_clause import clause_of
from thirdcard.game.attendance import is_here
from thirdcard.game.desk import QueryDesk
from thirdcard.game.dispute_duties import duties_left
from thirdcard.game.dispute_steps import DisputeDuty
from thirdcard.game.disputes import rules_at
from thirdcard.game.irregularities.new_cards import may_choose
from thirdcard.game.limits import settles_pro_rata
from thirdcard.game.shoe import Shoe
from thirdcard.game.shoe_clauses import clauses_of_choice
from thirdcard.game.state import Case, Wait
from thirdcard.rulebook.irregularity import RemoveWagers, Situation, effect_clauses
from thirdcard.views.cases import in_order_of_gravity, is_waited_for
from thirdcard.views.next_actions import Due, deciding_post, effect_at
from thirdcard.views.sections.cases import Answerer, Duty, DutyKind

_WAITS = {
    Wait.CONFIRMATION: DutyKind.CONFIRM_FACTS,
    Wait.PERMISSION: DutyKind.PERMIT,
    Wait.CARD_ORDER: DutyKind.ORDER_CARDS,
    Wait.DECISION: DutyKind.DECIDE,
    Wait.RESERVED_CARDS: DutyKind.RESERVE_CARDS,
    Wait.SORTED_CARDS: DutyKind.SORT_CARDS,
    Wait.SUBSTITUTES: DutyKind.SUBSTITUTE_CARDS,
}


def duties(desk: QueryDesk, due: Due) -> tuple[Duty, ...]:
    """Return the duties of a table, in the order in which they are to be done."""
    of_cases = (duty for case in in_order_of_gravity(desk.table) for duty in _of_case(desk, case))
    shoe = desk.table.shoe
    of_cards = _of_shoe(desk, shoe) if shoe else ()
    of_wagers = _of_wagers(desk, due) if due.gap else ()
    of_disputes = _of_disputes(desk) if desk.table.disputes else ()
    return (*of_cases, *of_wagers, *of_disputes, *of_cards, *_free_hands(desk))


def _of_case(desk: QueryDesk, case: Case) -> Iterator[Duty]:
    """Yield the duty that a case waits for, and the payment that it is about."""
    effect, offer = effect_at(case), case.offer
    own = clause_of(desk.document, case)
    clauses = (effect_clauses(effect) if effect else ()) or ((own,) if own else ())
    if offer is not None:
        patrons = tuple(Answerer(each, each in offer.answered) for each in offer.asked)
        yield Duty(kind=DutyKind.ASK_PATRONS, clauses=(offer.clause,), case=case.id, patrons=patrons)
    elif case.waits is not None:
        yield Duty(
            kind=_WAITS[case.waits],
            clauses=clauses,
            case=case.id,
            post=deciding_post(desk, case),
            optional=not is_waited_for(desk.table, case),
        )
    if case.situation is Situation.WRONG_PAYMENT and case.patron:
        yield Duty(
            kind=DutyKind.CORRECT_PAYMENT,
            clauses=(case.clause,) if case.clause else (),
            case=case.id,
            patrons=(Answerer(case.patron, answered=False),),
            amount=abs(case.amount),
        )


def _of_wagers(desk: QueryDesk, due: Due) -> Iterator[Duty]:
    """The differential is met by those who staked, and where that does not do by a post."""
    table, gap, document = desk.table, due.gap, desk.document
    assert gap is not None
    clauses, excess = due.awaited.clauses if due.awaited else (), gap.gap - gap.limit
    if not table.decrease_asked and not settles_pro_rata(document):
        yield Duty(kind=DutyKind.ASK_TO_DECREASE, clauses=clauses, hand=gap.heavier, amount=excess)
        return
    asked = (*table.decrease_answered, *table.decrease_unanswered)
    patrons = tuple(Answerer(each, each in table.decrease_answered) for each in dict.fromkeys(asked))
    yield Duty(kind=DutyKind.LOWER_WAGERS, clauses=clauses, hand=gap.heavier, amount=excess, patrons=patrons)
    for effect in document.policies_of(RemoveWagers) if not table.decrease_unanswered else ():
        yield Duty(
            kind=DutyKind.REMOVE_WAGERS,
            clauses=(effect.clause,),
            post=effect.by,
            hand=gap.heavier,
            amount=excess,
        )


def _of_disputes(desk: QueryDesk) -> Iterator[Duty]:
    """Surveillance is informed of a dispute once it has gone beyond the first level."""
    rules = rules_at(desk)
    for each in desk.table.disputes:
        if DisputeDuty.SURVEILLANCE in duties_left(each, rules):
            yield Duty(
                kind=DutyKind.INFORM_SURVEILLANCE,
                clauses=rules.surveillance_told,
                patrons=(Answerer(each.patron, answered=False),),
                optional=True,
            )


def _of_shoe(desk: QueryDesk, shoe: Shoe) -> Iterator[Duty]:
    """Yield the duties about the cards: an answer, new ones, a burn, and cards that come in a known order."""
    playing, burn = desk.round is not None, desk.document.burn
    if shoe.patrons_choose and (playing or may_choose(desk)):
        said = dict(shoe.chosen)
        patrons = tuple(Answerer(each, each in said) for each in shoe.choosers if is_here(desk, each))
        yield Duty(
            kind=DutyKind.CHOOSE_CARDS, clauses=clauses_of_choice(desk), patrons=patrons, optional=playing
        )
    if shoe.doubted_by is not None and not shoe.new_cards_due:
        post = desk.house.form.new_cards_decided_by
        yield Duty(kind=DutyKind.FIND_WHOLE, clauses=(shoe.doubted_by,), post=post, optional=playing)
    if shoe.new_cards_due:
        yield Duty(
            kind=DutyKind.NEW_CARDS, clauses=(shoe.replace_by,) if shoe.replace_by else (), optional=playing
        )
    if shoe.burn_owed and burn is not None:
        yield Duty(kind=DutyKind.BURN, clauses=(burn.clause,))
    if shoe.places.back:
        yield Duty(kind=DutyKind.PLAY_KNOWN_CARDS, clauses=(), cards=len(shoe.places.back))


def _free_hands(desk: QueryDesk) -> Iterator[Duty]:
    playing = desk.round is not None
    for each in desk.table.free_hands:
        yield Duty(kind=DutyKind.FREE_HAND, clauses=(each.clause,), cards=len(each.places), optional=playing)
