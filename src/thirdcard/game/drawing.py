"""Cards that leave the dealing device: drawn, several at once, instead of a known one, or burned."""

from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import alarms, dealing
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.burning import is_burn_left_out, is_burn_owed
from thirdcard.game.card_sources import RESERVE
from thirdcard.game.case_cards import (
    TELLS_THE_ORDER,
    UNAUTHORISED,
    are_cards_out,
    begins_free_hand,
    blocking,
    unclaimed,
    was_seen_aside,
)
from thirdcard.game.causes import Cause
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities import cases as irregularities
from thirdcard.game.irregularities.cases import open_case
from thirdcard.game.irregularities.rows import as_case, decisions, find_row
from thirdcard.game.next_cards import (
    faces_inside,
    find_mismatch,
    other_expected_inside,
    source_of,
    with_known_faces,
)
from thirdcard.game.places import coming, is_disclosed_on_top, known_ahead, known_faces, seen_at
from thirdcard.game.rounds import OUT_OF_PLACE, is_just_over, takes_none
from thirdcard.game.sealed_cards import is_sealed, refuse_misplaced
from thirdcard.game.shoe import NewCards, Shoe
from thirdcard.game.shoe_loading import not_cut
from thirdcard.game.state import Phase
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Continue, Irregularity, Refer, ReserveCards, Situation


def can_have_come(desk: QueryDesk) -> bool:
    """Whether a card can have come while a case is open: not where the case is about cards still to be laid.

    Those that lie aside, were told in their order or are sorted have their places first.
    """
    told = any(each.situation in TELLS_THE_ORDER and each.cards for each in desk.table.open_cases)
    sorts = any(each.situation is Situation.PATRON_LEFT_WITH_CARDS for each in desk.table.open_cases)
    return not (desk.table.aside or told or sorts or is_sealed(desk.table))


def draw(desk: Desk, body: cmd.DrawCard) -> Refused | None:
    """Draw a card; one that does not come, or lies where it should not, is an irregularity of its own."""
    if is_after_the_round(desk, body):
        return _draw_after_the_round(desk, body)
    refused = dealing.may_draw(desk, body)
    if refused:
        return refused
    meanwhile = blocking(desk.table) is not None
    another = dealing.is_drawn_by_another(desk, body, body.by or desk.actor)
    other = body.instead and _other_card_came(desk, body)
    body = body if other else with_known_faces(desk.table, body)
    if body.together:
        return _draw_together(desk, body, other=other)
    if dealing.is_empty(desk):
        return irregularities.see(desk, cmd.ReportIrregularity(situation=Situation.TOO_FEW_CARDS))
    wrong_start = irregularities.wrongs_of_first_card(desk, is_allowed=not body.instead)
    wrong = dealing.draw_card(desk, body, other=other)
    alarms.count_copies(desk, body.card)
    if other:
        _doubt_order(desk)
    irregularities.see_all(desk, wrong_start, Cause.NO_CLOSING_CALL)
    if other:
        return None
    if wrong is None and meanwhile:  # no clause says what becomes of it
        irregularities.see_all(desk, (Situation.NOT_COVERED,), Cause.CARD_DURING_A_CASE)
    elif wrong is None and another:
        irregularities.see_all(desk, (Situation.NOT_COVERED,), Cause.DRAWN_BY_ANOTHER)
    if wrong is None:
        alarms.look_for_totals(desk)
        return None
    if is_burn_left_out(desk):  # if the card goes back, nobody is asked where it lay
        irregularities.see(desk, cmd.ReportIrregularity(situation=Situation.BURN_FORGOTTEN))
        if not are_cards_out(desk.table):
            return None
    seen = None if wrong in OUT_OF_PLACE else was_seen_aside(desk.table, unclaimed(desk.table)[0])
    return irregularities.see(desk, cmd.ReportIrregularity(situation=wrong, seen=seen))


def _draw_together(desk: Desk, body: cmd.DrawCard, *, other: bool) -> Refused | None:
    """Draw several cards at once; whether others than the known ones count is for the post to say first."""
    people = (desk.actor, desk.envelope.authoriser)
    teller = next((each for each in people if each and desk.is_staff(each)), None)
    if teller is None:  # whether the order is known is for staff to say
        return refuse(Refusal.NOT_STAFF)
    if desk.table.aside:  # these have their places once the hands are open, and further ones after them
        return refuse(Refusal.HANDS_NOT_OPEN)
    told = _came_together(desk, body)
    if other and told.situation is not Situation.CARDS_TOGETHER:
        desk.emit(ev.CardsSetAside(cards=told.cards, hand=body.hand, by=desk.actor))
        _doubt_order(desk)
        return None
    return irregularities.notice(desk, told, by=teller, doubts=_doubt_order if other else None)


def is_after_the_round(desk: QueryDesk, body: cmd.DrawCard) -> bool:
    """Whether a card came out for a hand of the round that is over."""
    shoe = desk.table.shoe
    if body.hand is None or shoe is None or shoe.left <= len(body.together) or shoe.new_cards_due:
        return False
    return is_just_over(desk) and not is_disclosed_on_top(shoe)


def _draw_after_the_round(desk: Desk, body: cmd.DrawCard) -> Refused | None:
    """Record a card in error of the round that is over: it has come out, whatever was called and paid."""
    shoe, told = desk.table.shoe, (body.card, *body.together)
    assert shoe is not None
    refused = dealing.refuse_drawer(desk, body) or refuse_misplaced(desk, body, None)
    refused = refused or other_expected_inside(shoe, told)
    if refused:
        return refused
    cards = faces_inside(shoe, told)
    situation = next(each for each, hand in UNAUTHORISED.items() if hand is body.hand)
    report = cmd.ReportIrregularity(situation=situation, cards=cards, seen=any(cards))
    refused = irregularities.see(desk, report)
    for card in cards if refused is None else ():
        alarms.count_copies(desk, card)
    return refused


def _came_together(desk: QueryDesk, body: cmd.DrawCard) -> cmd.ReportIrregularity:
    """The report of cards that came out at once; a hand that takes none may have got them, in their order."""
    cards, known = (body.card, *body.together), body.order_known
    if body.hand is not None and known and takes_none(desk):
        situation = next(each for each, hand in UNAUTHORISED.items() if hand is body.hand)
        return cmd.ReportIrregularity(situation=situation, cards=cards, seen=any(cards))
    return cmd.ReportIrregularity(situation=Situation.CARDS_TOGETHER, cards=cards, order_known=known)


def _other_card_came(desk: Desk, body: cmd.DrawCard) -> bool:
    """Give alarm where another card came than one that was known to come."""
    found = find_mismatch(desk.table, body)
    if found is None:
        return False
    alarm = Alarm(AlarmKind.OTHER_CARD_CAME, card=found.came, other=found.known, number=found.behind)
    desk.emit(ev.AlarmRaised(alarm=alarm, by=desk.actor))
    return True


def _doubt_order(desk: Desk) -> None:
    """Leave it to the post whether a card counts that came where another was known to come.

    Only people can tell whether the order was altered, so that its clause makes the round void, or what was
    seen or entered is not so.
    """
    told, table = cmd.ReportIrregularity(situation=Situation.ORDER_ALTERED), desk.table.setup.table
    presets = decisions(desk, replace(as_case(told), by=table))
    clause = _clause_of_order(desk, told)
    found = Irregularity(situation=told.situation, effects=(Refer(presets=presets),), clause=clause)
    open_case(desk, found, told, table)


def _clause_of_order(desk: QueryDesk, told: cmd.ReportIrregularity) -> Clause | None:
    """The clause by which certain cards come next: that of the reserved ones, or of an altered order."""
    if source_of(desk.table) == RESERVE:
        rows = (row.effects for row in desk.document.irregularities)
        reserves = (row for row in rows if any(isinstance(each, ReserveCards) for each in row))
        return next(each.clause for row in reserves for each in row if isinstance(each, Continue))
    row = find_row(desk, replace(told, reconstructable=False))
    return None if isinstance(row, Refused) else row.clause


def _refuse_burn(desk: QueryDesk) -> Refused | None:
    """Refuse a burn that no clause asks for while a card is known in the dealing device.

    It would give that card to another hand, or burn it, and the post decides about it.
    """
    shoe, decides = desk.table.shoe, desk.document.authority.not_covered
    known = seen_at(shoe, known_ahead(shoe)) if shoe is not None else ()
    if shoe is not None and is_disclosed_on_top(shoe):  # let to open the round
        known = (desk.table.strays[0], *known)
    if desk.document.burn is not None or not known:
        return None
    face = known[0].text if known[0] else "?"
    return refuse(Refusal.OTHER_FACE_KNOWN, *((decides.clause,) if decides else ()), card=face)


def burn_cards(desk: Desk, body: cmd.BurnCards) -> Refused | None:
    """Burn cards before the first round of a shoe, as many as the house has it."""
    shoe = desk.table.shoe
    if shoe is None:
        return refuse(Refusal.NO_CARDS_LOADED)
    if shoe.patrons_choose and shoe.burned is None:
        return _enter_burn(desk, body, shoe)
    dealing = desk.table.phase is Phase.DEALING  # a free hand may have begun without a card yet
    over = shoe.burned is not None or shoe.rounds or dealing
    if (over and not is_burn_owed(desk.table)) or (dealing and are_cards_out(desk.table)):
        return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{desk.table.phase.value}")
    refused, due = not_cut(desk), desk.table.free_hand_by
    refused = refused or _refuse_burn(desk)
    if refused is None and due is not None and begins_free_hand(desk.table, shoe):
        refused = refuse(Refusal.FREE_HAND_DUE, due)  # that card is not burned
    if refused:
        return refused
    known = known_faces(shoe, coming(shoe, 1))
    if body.first is not None and known and known[0] not in (None, body.first):
        alarm = Alarm(AlarmKind.OTHER_CARD_CAME, card=body.first, other=known[0])
        desk.emit(ev.AlarmRaised(alarm=alarm, by=desk.actor))
    _record_burn(desk, body)
    return None


def _enter_burn(desk: Desk, body: cmd.BurnCards, shoe: Shoe) -> Refused | None:
    """Let two people enter a burn that was made before the first card: nobody forgot it, nobody chooses."""
    seen = next(iter(seen_at(shoe, known_ahead(shoe))), None)
    refused = desk.two_people() or (refuse(Refusal.SEALED_CARD) if is_sealed(desk.table) else None)
    if refused is None and seen is not None:  # how deep it lies was told without the burn
        refused = refuse(Refusal.OTHER_FACE_KNOWN, card=seen.text)
    if refused:
        return refused
    clauses = _record_burn(desk, body)
    desk.emit(ev.CardReplacementDue(need=NewCards.KEEP, clauses=clauses))
    return None


def _record_burn(desk: Desk, body: cmd.BurnCards) -> tuple[Clause, ...]:
    number = desk.house.cards_to_burn(body.first)
    clauses = (desk.document.burn.clause,) if desk.document.burn else ()
    desk.emit(ev.CardsBurned(cards=number, first=body.first, clauses=clauses))
    return clauses
