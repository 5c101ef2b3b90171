"""The step that a table waits for, for which hand and by which clauses, and who must take it."""

import enum

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.folds.case_clause import clause_of
from thirdcard.game.approvals import refuse_unconfirmed
from thirdcard.game.burning import refuse_before_burn
from thirdcard.game.case_cards import are_cards_out, blocking
from thirdcard.game.chips import is_opener_owed
from thirdcard.game.dealing import (
    due_hand,
    is_empty,
    may_keep_drawing,
    refuse_first_card,
)
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.effects import waiting_for
from thirdcard.game.irregularities.rulings import choices_of
from thirdcard.game.limits import gap_of, heavier_hand
from thirdcard.game.methods import allowing_method
from thirdcard.game.offers import on_offer
from thirdcard.game.set_up import check_list
from thirdcard.game.shoe_loading import may_begin
from thirdcard.game.squeezing import Entitled, entitled, holder_of, opens_after_other
from thirdcard.game.state import CardState, Case, Hand, Phase, Table, Wait
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Effect, effect_clauses
from thirdcard.staff import Post


class NextStep(enum.Enum):
    """The steps that a table can wait for."""

    CHECK_EQUIPMENT = "check-equipment"
    RECORD_CONFIRMATION = "record-confirmation"
    OPEN_TABLE = "open-table"
    RESUME = "resume"
    SHOE = "shoe"
    COUNT_OPENER = "count-opener"
    OPEN_BETTING = "open-betting"
    CLOSE_BETTING = "close-betting"
    FREE_HAND = "free-hand"
    BURN = "burn"
    MEET_DIFFERENTIAL = "meet-differential"
    CARD = "card"
    PASS_CARDS = "pass-cards"
    CHOOSE_SQUEEZER = "choose-squeezer"
    SQUEEZE = "squeeze"
    OPEN_CARDS = "open-cards"
    CALL = "call"
    CASE = "case"
    ANSWERS = "answers"


class Awaited(Struct, frozen=True, kw_only=True):
    """The next step as everybody may know it.

    ``why`` is the refusal that a shoe gives which is not ready, ``calls`` are alternatives of what to call.
    Play need not wait for what is ``optional``: a permission that a post may give.
    """

    step: NextStep
    hand: Hand | None = None
    winner: Winner | None = None
    post: Post | None = None
    why: str | None = None
    optional: bool = False
    calls: tuple[str, ...] = ()
    clauses: tuple[Clause, ...] = ()


class Gap(Struct, frozen=True):
    """The differential that must be met before cards come."""

    gap: int
    limit: int
    heavier: Hand


class Due(Struct, frozen=True):
    """The next step, the patron whom it is about, hands that go to patrons, and wagers that may go back.

    ``post`` decides the irregularity that is dealt with first, among ``choices`` where it makes a ruling.
    """

    awaited: Awaited | None
    patron: str | None = None
    rights: tuple[tuple[Hand, str], ...] = ()
    withdrawable: tuple[int, ...] = ()
    gap: Gap | None = None
    post: Post | None = None
    choices: tuple[str, ...] = ()


def due_at(rulebook: Rulebook, house: House, table: Table) -> Due:
    """Return the step that a table waits for, with whatever belongs to it."""
    desk, case = QueryDesk(rulebook, house, table), table.case
    post, choices = (deciding_post(desk, case), choices_of(desk, case)) if case else (None, ())
    asking = (each for each in table.open_cases if each.offer is not None)
    offered = tuple(wager.id for each in asking for wager in on_offer(desk, each))
    rights = _rights(desk) if table.phase is Phase.DEALING else {}
    gap = _gap(desk) if table.phase is Phase.CLOSED else None
    awaited, patron = _in_the_way(desk) or _next_step(desk, rights, gap)
    return Due(
        awaited=awaited,
        patron=patron,
        rights=tuple((hand, right[0]) for hand, right in rights.items() if isinstance(right, tuple)),
        withdrawable=tuple(dict.fromkeys(offered)),
        gap=gap,
        post=post,
        choices=choices,
    )


def _in_the_way(desk: QueryDesk) -> tuple[Awaited, None] | None:
    """Return the step that must come first: an offer answered, a case decided, the table resumed."""
    table = desk.table
    case = table.case if blocking(table) else None
    if case is not None and case.offer is not None:
        return Awaited(step=NextStep.ANSWERS, clauses=(case.offer.clause,)), None
    if case is not None:
        effect, post, own = effect_at(case), deciding_post(desk, case), clause_of(desk.document, case)
        clauses = (effect_clauses(effect) if effect else ()) or ((own,) if own else ())
        optional = case.waits is Wait.PERMISSION
        return Awaited(step=NextStep.CASE, post=post, optional=optional, clauses=clauses), None
    return (Awaited(step=NextStep.RESUME), None) if table.paused else None


def _gap(desk: QueryDesk) -> Gap | None:
    """The differential where it is exceeded and the document knows one."""
    table, limits = desk.table, desk.document.limits
    if limits is None or limits.differential is None:
        return None
    gap, limit = gap_of(table), table.setup.differential
    return Gap(gap, limit, heavier_hand(table)) if gap > limit else None


def effect_at(case: Case) -> Effect | None:
    """The effect that an irregularity is at."""
    return case.effects[case.done] if case.done < len(case.effects) else None


def deciding_post(desk: QueryDesk, case: Case) -> Post | None:
    """The post for which an irregularity waits; nobody where any staff will do."""
    effect = effect_at(case)
    if case.waits is Wait.CONFIRMATION:
        return desk.house.form.facts_confirmed_by
    if case.waits is None or effect is None:
        return None
    waiting = waiting_for(desk, effect)
    return waiting.post if waiting else None


Rights = dict[Hand, Entitled | Refused | None]


def _next_step(desk: QueryDesk, rights: Rights, gap: Gap | None) -> tuple[Awaited | None, str | None]:
    """The next step where nothing is wrong, and the patron whom it is about."""
    match desk.table.phase:
        case Phase.SHUT:
            return _while_shut(desk), None
        case Phase.IDLE:
            return _while_idle(desk), None
        case Phase.BETTING:
            closing = desk.document.round.closing
            step = Awaited(step=NextStep.CLOSE_BETTING, calls=closing.calls, clauses=(closing.clause,))
            return _free_hand(desk) or step, None
        case Phase.CLOSED:
            return _free_hand(desk) or _before_first_card(desk, gap), None
        case Phase.DEALING:
            return _while_dealing(desk, rights)
        case _:
            facts = desk.table.round.facts if desk.table.round else None
            winner = facts.winner if facts else None
            return Awaited(step=NextStep.CALL, winner=winner, clauses=desk.document.round.result_call), None


def missing_equipment(rulebook: Rulebook, table: Table) -> tuple[str, ...]:
    """The items of the opening check list that nobody ticked."""
    items = check_list(rulebook.document, table.setup)
    return tuple(item.id for item in items if item.id not in table.equipment)


def _while_shut(desk: QueryDesk) -> Awaited:
    missing = missing_equipment(desk.rulebook, desk.table)
    items = [item for item in desk.document.equipment if item.id in missing]
    if missing:
        by_a_post = items[0].confirmed and not desk.table.setup.training
        post = desk.house.form.facts_confirmed_by if by_a_post else None
        clauses = tuple(item.clause for item in items)
        return Awaited(step=NextStep.CHECK_EQUIPMENT, post=post, clauses=clauses)
    unconfirmed = refuse_unconfirmed(desk)
    if unconfirmed:
        post = desk.house.form.not_covered_decided_by
        clauses = tuple(Clause(clause) for clause in unconfirmed.clauses)
        return Awaited(step=NextStep.RECORD_CONFIRMATION, post=post, clauses=clauses)
    grant = allowing_method(desk.document, desk.table)
    return Awaited(
        step=NextStep.OPEN_TABLE,
        post=grant.post if grant else None,
        clauses=(grant.clause,) if grant else (),
    )


def _while_idle(desk: QueryDesk) -> Awaited:
    refused, owed = may_begin(desk), _free_hand(desk)
    before_new_cards = owed and not is_empty(desk)
    if refused and not (before_new_cards and refused.reason is Refusal.SHOE_PLAYED_OUT):
        clauses = tuple(Clause(clause) for clause in refused.clauses)
        return Awaited(step=NextStep.SHOE, why=refused.reason.value, clauses=clauses)
    opening = desk.document.round.opening
    step = Awaited(step=NextStep.OPEN_BETTING, calls=opening.calls, clauses=(opening.clause,))
    opener = Awaited(step=NextStep.COUNT_OPENER) if is_opener_owed(desk) else None
    return owed or _burn(desk) or opener or step


def _free_hand(desk: QueryDesk) -> Awaited | None:
    """The free hand that is due before anything else but a burn, unless it has begun."""
    clause = desk.table.free_hand_by
    if clause is None or desk.round is not None:
        return None
    return _burn(desk) or Awaited(step=NextStep.FREE_HAND, clauses=(clause,))


def _burn(desk: QueryDesk) -> Awaited | None:
    """The burn, where it is owed."""
    refused = refuse_before_burn(desk)
    clauses = tuple(Clause(clause) for clause in refused.clauses) if refused else ()
    return Awaited(step=NextStep.BURN, clauses=clauses) if refused else None


def _before_first_card(desk: QueryDesk, gap: Gap | None) -> Awaited:
    """Return the step owed before the first card of a round, as the engine refuses it, or else that card."""
    refused, deal = refuse_first_card(desk), desk.document.deal
    clauses = tuple(Clause(clause) for clause in refused.clauses) if refused else ()
    match refused.reason if refused else None:
        case Refusal.NEW_CARDS_DUE | Refusal.CARDS_IN_DOUBT as why:
            return Awaited(step=NextStep.SHOE, why=why.value, clauses=clauses)
        case Refusal.BURN_OWED:
            return Awaited(step=NextStep.BURN, clauses=clauses)
        case Refusal.DIFFERENTIAL_MUST_BE_MET if gap:
            return Awaited(step=NextStep.MEET_DIFFERENTIAL, clauses=clauses)
        case _:
            return Awaited(step=NextStep.CARD, hand=Hand.PLAYER, clauses=(*deal.two_hands, deal.player))


def _rights(desk: QueryDesk) -> Rights:
    """To whom each hand goes whose first two cards lie face down with nobody; a refusal asks for a ruling."""
    current = desk.table.round
    assert current is not None
    states = {hand: [each.state for each in current.cards if each.hand is hand] for hand in Hand}
    return {
        hand: entitled(desk, hand)
        for hand in Hand
        if len(states[hand]) > 1
        and CardState.EXPOSED not in states[hand][:2]
        and holder_of(desk, hand) is None
    }


def _while_dealing(desk: QueryDesk, rights: Rights) -> tuple[Awaited | None, str | None]:
    current = desk.table.round
    assert current is not None
    closed = {each.hand for each in current.cards if each.state is not CardState.EXPOSED}
    if len(current.cards) >= 4 and closed:
        order = (Hand.BANKER, Hand.PLAYER) if current.reveal_first is Hand.BANKER else tuple(Hand)
        hands = [hand for hand in order if hand in closed]
        by_hand = [hand for hand in hands if not opens_after_other(desk, hand)]
        return _opening(desk, (by_hand or hands)[0], rights)
    burn = None if are_cards_out(desk.table) else _burn(desk)
    if burn is not None:
        return burn, None
    due = due_hand(desk)
    if isinstance(due, Refused):
        return None, None
    return Awaited(step=NextStep.CARD, hand=due[0], clauses=due[1]), _drawing_patron(desk)


def _drawing_patron(desk: QueryDesk) -> str | None:
    """The patron who draws: nobody where whoever controls the device may not, until another one takes it."""
    holder = desk.table.device_holder
    return holder if holder is not None and may_keep_drawing(desk, holder) is None else None


def _opening(desk: QueryDesk, hand: Hand, rights: Rights) -> tuple[Awaited, str | None]:
    """Return who opens a hand: the patron with whom it lies or to whom it goes, or else the Dealer."""
    holder, right, squeezing = holder_of(desk, hand), rights.get(hand), desk.document.squeezing
    if holder is not None:
        return Awaited(step=NextStep.SQUEEZE, hand=hand), holder
    if isinstance(right, Refused):
        assert squeezing is not None
        clauses = tuple(Clause(clause) for clause in right.clauses)
        post = next(each.by for each in squeezing.order if each.rule == "ruling")
        return Awaited(step=NextStep.CHOOSE_SQUEEZER, hand=hand, post=post, clauses=clauses), None
    if right is not None:
        return Awaited(step=NextStep.PASS_CARDS, hand=hand, clauses=right[1]), right[0]
    return Awaited(step=NextStep.OPEN_CARDS, hand=hand), None
