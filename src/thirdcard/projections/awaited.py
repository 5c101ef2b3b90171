"""What a table waits for: the next step, for which hand and by which clauses, and who must take it."""

import datetime
import enum

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.game.betting import differential_row
from thirdcard.game.commands import Envelope
from thirdcard.game.dealing import due_hand
from thirdcard.game.desk import Desk
from thirdcard.game.floor import may_begin
from thirdcard.game.limits import gap_of, heavier_hand
from thirdcard.game.offers import withdrawable
from thirdcard.game.squeezing import Entitled, entitled, holder_of
from thirdcard.game.state import CardState, Case, Hand, Phase, Table, Wait
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import (
    DetermineCardOrder,
    Effect,
    OfferWithdrawal,
    Refer,
    ReserveCards,
    effect_clauses,
)
from thirdcard.staff import Post


class NextStep(enum.Enum):
    """The steps that a table can wait for."""

    CHECK_EQUIPMENT = "check-equipment"
    OPEN_TABLE = "open-table"
    RESUME = "resume"
    SHOE = "shoe"
    OPEN_BETTING = "open-betting"
    CLOSE_BETTING = "close-betting"
    FREE_HAND = "free-hand"
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
    """

    step: NextStep
    hand: Hand | None = None
    winner: Winner | None = None
    post: Post | None = None
    why: str | None = None
    calls: tuple[str, ...] = ()
    clauses: tuple[Clause, ...] = ()


class Gap(Struct, frozen=True):
    """The differential that must be met before cards come."""

    gap: int
    limit: int
    heavier: Hand


class Due(Struct, frozen=True):
    """The next step, the patron whom it is about, hands that go to patrons, and wagers that may go back."""

    awaited: Awaited | None
    patron: str | None = None
    rights: tuple[tuple[Hand, str], ...] = ()
    withdrawable: tuple[int, ...] = ()
    gap: Gap | None = None


_NOBODY = Envelope(actor="", received_at=datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC), command_id="")


def due_at(rulebook: Rulebook, house: House, table: Table) -> Due:
    """What a table waits for."""
    desk = Desk(rulebook, house, table, _NOBODY)
    rights = _rights(desk) if table.phase is Phase.DEALING else {}
    gap = _gap(desk) if table.phase is Phase.CLOSED else None
    awaited, patron = _in_the_way(desk) or _next_step(desk, rights, gap)
    return Due(
        awaited=awaited,
        patron=patron,
        rights=tuple((hand, right[0]) for hand, right in rights.items() if isinstance(right, tuple)),
        withdrawable=tuple(each.id for each in withdrawable(desk, table.offer.wagers)) if table.offer else (),
        gap=gap,
    )


def _in_the_way(desk: Desk) -> tuple[Awaited, None] | None:
    """What must be done before the next step: an offer answered, a case decided, the table resumed."""
    table = desk.table
    if table.offer is not None:
        return Awaited(step=NextStep.ANSWERS, clauses=(table.offer.clause,)), None
    if table.case is not None:
        effect, post = _effect(table.case), deciding_post(desk.rulebook, desk.house, table.case)
        clauses = (effect_clauses(effect) if effect else ()) or _given(table.case.clause)
        return Awaited(step=NextStep.CASE, post=post, clauses=clauses), None
    return (Awaited(step=NextStep.RESUME), None) if table.paused else None


def _gap(desk: Desk) -> Gap | None:
    """The differential where it is exceeded and the document knows one."""
    table, limits = desk.table, desk.document.limits
    if limits is None or limits.differential is None:
        return None
    gap, limit = gap_of(table), table.setup.differential
    return Gap(gap, limit, heavier_hand(table)) if gap > limit else None


def _effect(case: Case) -> Effect | None:
    """The effect that an irregularity is at."""
    return case.effects[case.done] if case.done < len(case.effects) else None


def deciding_post(rulebook: Rulebook, house: House, case: Case) -> Post | None:
    """The post for which an irregularity waits; nobody where any staff will do."""
    if case.waits is None:
        return None
    if case.waits is Wait.CONFIRMATION:
        return house.form.facts_confirmed_by
    match _effect(case):
        case OfferWithdrawal(by=post) | DetermineCardOrder(by=post) | ReserveCards(in_presence_of=post):
            return post
        case Refer():
            grant = rulebook.document.authority.not_covered
            return grant.post if grant else house.form.not_covered_decided_by
        case _:
            return None


def choices_in(case: Case) -> tuple[str, ...]:
    """What may be ruled; an order of cards and a confirmation have no choices."""
    effect = _effect(case)
    if case.waits is Wait.DECISION and isinstance(effect, Refer):
        return effect.presets
    return ("allow", "deny") if case.waits is Wait.PERMISSION else ()


def _given(clause: Clause | None) -> tuple[Clause, ...]:
    return (clause,) if clause else ()


Rights = dict[Hand, Entitled | Refused | None]


def _next_step(desk: Desk, rights: Rights, gap: Gap | None) -> tuple[Awaited | None, str | None]:
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
            return _free_hand(desk) or _first_card(desk, gap), None
        case Phase.DEALING:
            return _while_dealing(desk, rights)
        case _:
            facts = desk.table.round.facts if desk.table.round else None
            winner = facts.winner if facts else None
            return Awaited(step=NextStep.CALL, winner=winner, clauses=desk.document.round.result_call), None


def missing_equipment(rulebook: Rulebook, table: Table) -> tuple[str, ...]:
    """The items of the opening check list that nobody ticked."""
    return tuple(item.id for item in rulebook.document.equipment if item.id not in table.equipment)


def _while_shut(desk: Desk) -> Awaited:
    missing = missing_equipment(desk.rulebook, desk.table)
    clauses = tuple(item.clause for item in desk.document.equipment if item.id in missing)
    return Awaited(step=NextStep.CHECK_EQUIPMENT if missing else NextStep.OPEN_TABLE, clauses=clauses)


def _while_idle(desk: Desk) -> Awaited:
    refused = may_begin(desk)
    if refused:
        clauses = tuple(Clause(clause) for clause in refused.clauses)
        return Awaited(step=NextStep.SHOE, why=refused.reason.value, clauses=clauses)
    opening = desk.document.round.opening
    step = Awaited(step=NextStep.OPEN_BETTING, calls=opening.calls, clauses=(opening.clause,))
    return _free_hand(desk) or step


def _free_hand(desk: Desk) -> Awaited | None:
    """The free hand that is due before anything else, unless it has begun."""
    clause, current = desk.table.free_hand_by, desk.table.round
    if clause is None or (current is not None and not current.ended):
        return None
    return Awaited(step=NextStep.FREE_HAND, clauses=(clause,))


def _first_card(desk: Desk, gap: Gap | None) -> Awaited:
    limits, deal = desk.document.limits, desk.document.deal
    if gap and limits and limits.differential:
        row = differential_row(desk)
        clauses = (limits.differential.limit_clause, *_given(row.clause if row else None))
        return Awaited(step=NextStep.MEET_DIFFERENTIAL, clauses=tuple(dict.fromkeys(clauses)))
    return Awaited(step=NextStep.CARD, hand=Hand.PLAYER, clauses=(*deal.two_hands, deal.player))


def _rights(desk: Desk) -> Rights:
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


def _while_dealing(desk: Desk, rights: Rights) -> tuple[Awaited | None, str | None]:
    current = desk.table.round
    assert current is not None
    closed = {each.hand for each in current.cards if each.state is not CardState.EXPOSED}
    if len(current.cards) >= 4 and closed:
        order = (Hand.BANKER, Hand.PLAYER) if current.reveal_first is Hand.BANKER else tuple(Hand)
        return _opening(desk, next(hand for hand in order if hand in closed), rights)
    due = due_hand(desk)
    if isinstance(due, Refused):
        return None, None
    return Awaited(step=NextStep.CARD, hand=due[0], clauses=due[1]), desk.table.device_holder


def _opening(desk: Desk, hand: Hand, rights: Rights) -> tuple[Awaited, str | None]:
    """Who opens a hand: the patron with whom it lies or to whom it goes, or else the Dealer."""
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
