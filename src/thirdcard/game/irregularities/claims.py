"""A report is a claim: the table adds what it knows, contradicts what is not so, asks for what it lacks."""

from collections import Counter
from collections.abc import Callable
from itertools import zip_longest

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game import commands as cmd
from thirdcard.game.burning import is_burn_owed, refuse_before_burn
from thirdcard.game.card_sources import INITIAL, STRAY
from thirdcard.game.case_cards import (
    IN_THE_SHOE,
    SET_ASIDE,
    TELLS_THE_ORDER,
    UNAUTHORISED,
    aside_together,
    begins_with_cards,
    came_early,
    cards_of_case,
    faces_aside,
    places_told,
    refuse_before,
    seen_after_all,
    strays_of_round,
)
from thirdcard.game.dealing import (
    CAME_ANYWAY,
    due_hand,
    is_empty,
    refuse_cards_of_round,
)
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.dealt_together import refuse_dealt_together
from thirdcard.game.irregularities.delivery_claims import (
    contradict_absent,
    contradict_delivery,
    contradict_exposed,
    contradict_left,
    contradict_not_delivered,
    knows_cards,
    refuse_without_cards,
)
from thirdcard.game.irregularities.facts import names_more_cards, refuse_too_few
from thirdcard.game.irregularities.known_order import refuse_other_order
from thirdcard.game.irregularities.limit_mistakes import (
    as_limit_mistake,
    contradict_old_mistake,
    with_known_direction,
)
from thirdcard.game.irregularities.missing_cards import contradict_missing
from thirdcard.game.irregularities.payment_claims import contradict_payment
from thirdcard.game.irregularities.wager_claims import (
    contradict_differential,
    contradict_late,
    contradict_over_maximum,
    contradict_under_minimum,
    refuse_before_closing,
    refuse_now,
    wagers_concerned,
)
from thirdcard.game.next_cards import expected_cards, faces_inside, source_of, with_known_faces
from thirdcard.game.outcome import next_draw, point_total
from thirdcard.game.places import before, fits, is_disclosed_on_top, known_faces, seen_at
from thirdcard.game.rounds import (
    can_be_put_right,
    circumstance_of,
    hands_of,
    in_order,
    is_called,
    is_just_over,
    may_be_paying,
)
from thirdcard.game.shoe_clauses import shuffled_by
from thirdcard.game.squeezing import right_to
from thirdcard.game.state import CardState, Hand, Phase, Round
from thirdcard.game.texts import has_words
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import (
    Situation,
)
from thirdcard.rulebook.table_of_play import Draws

Report = cmd.ReportIrregularity
ABOUT_A_WAGER = (Situation.LATE_WAGER, Situation.LATE_WITHDRAWAL)
ABOUT_A_HOLDER = (Situation.PATRON_ABSENT, Situation.PATRON_LEFT_WITH_CARDS)
# situations whose clauses are about the round in which they arise: of one that is over nothing follows
OF_ITS_ROUND = (
    *ABOUT_A_WAGER,
    *ABOUT_A_HOLDER,
    *SET_ASIDE,
    Situation.TOO_FEW_CARDS,
    Situation.WRONG_DELIVERY,
    Situation.NOT_DELIVERED,
    Situation.EXPOSED_IN_ERROR,
    Situation.DEVICE_RESET,
    Situation.POWER_FAILURE,
    Situation.CUTTING_CARD_FIRST,
    Situation.UNDER_MINIMUM,
    Situation.OVER_MAXIMUM,
    Situation.DIFFERENTIAL_EXCEEDED,
)
# reports about cards of the deal, of which the table knows whether one was seen
TABLE_KNOWS_SEEN = (Situation.BURN_FORGOTTEN, Situation.DEVICE_RESET, Situation.WRONG_DELIVERY)
FEWEST_CARDS = 4  # of a round that was called


def complete(desk: QueryDesk, body: Report) -> Report:
    """The report with what the table knows: nobody is asked for it, and nothing else is assumed."""
    return _with_known_faces(desk, _with_known_facts(desk, body))


def as_drawn(body: Report) -> cmd.DrawCard:
    """The cards of a report as they were drawn; those put to a hand in error came in their order."""
    known = body.order_known or body.situation in UNAUTHORISED
    return cmd.DrawCard(card=body.cards[0], together=body.cards[1:], order_known=known)


def _with_known_faces(desk: QueryDesk, body: Report) -> Report:
    """The report of cards that came out, each with the face that was known at its place."""
    shoe = desk.table.shoe
    if shoe is None or not body.cards or body.situation not in SET_ASIDE or desk.table.aside or body.dealt:
        return body
    if desk.table.phase is Phase.IDLE:
        return replace(body, cards=faces_inside(shoe, body.cards))
    drawn = with_known_faces(desk.table, as_drawn(body))
    return replace(body, cards=(drawn.card, *drawn.together))


def _with_known_facts(desk: QueryDesk, body: Report) -> Report:
    body = _as_misdeal(desk, _of_one_hand(desk, as_limit_mistake(desk, body)))
    body = _of_cards_outside(desk, _of_next_hand(desk, body))
    current, situation = desk.round, body.situation
    if situation in ABOUT_A_WAGER and body.patron and body.wager is None:
        own = [each for each in wagers_concerned(desk) if each.patron == body.patron]
        if len(own) == 1:
            return replace(body, wager=own[0].wager, position=own[0].position)
    if situation is Situation.OLD_LIMIT_MISTAKE:
        return with_known_direction(desk, body)
    if situation in ABOUT_A_HOLDER and body.patron is None and current is not None:
        holders = {each.patron for each in current.holdings}
        if len(holders) == 1:
            body = replace(body, patron=holders.pop())
    if situation is Situation.PATRON_LEFT_WITH_CARDS and body.value_known is None and knows_cards(desk, body):
        return replace(body, value_known=True)
    if situation in TELLS_THE_ORDER and _is_past(desk, body):  # nothing of that round can be laid again
        return replace(body, cards=())
    if situation in UNAUTHORISED and body.seen is False and not (body.cards or desk.table.aside):
        return replace(body, cards=(None,))
    if situation is Situation.CARDS_TOGETHER and not body.cards:
        return replace(body, cards=faces_aside(desk.table, aside_together(desk.table)))
    if situation is Situation.WRONG_DELIVERY and body.hand is None and current is not None:
        held = [each for each in current.holdings if body.patron in (None, each.patron)]
        hands = [each.hand for each in held if right_to(desk, each.hand, each.patron) is None]
        if len(hands) == 1:
            return replace(body, hand=hands[0])
    return body


def _of_cards_outside(desk: QueryDesk, body: Report) -> Report:
    """The report of cards that wait, or of one dealt in error that was seen after all, with those cards."""
    if body.situation is Situation.NEXT_CARD_KNOWN and desk.table.strays and not body.ahead:
        return replace(body, cards=_with_faces(desk.table.strays, body.cards))
    unseen = seen_after_all(desk.table, body)
    if unseen is not None:
        lying = faces_aside(desk.table, cards_of_case(desk.table, unseen).places)
        seen = True if any(body.cards) else body.seen
        return replace(body, cards=_with_faces(lying, body.cards), seen=seen)
    return body


def _with_faces(lying: tuple[Card | None, ...], told: tuple[Card | None, ...]) -> tuple[Card | None, ...]:
    """Cards that lie there as they are told, or else as the table knows them."""
    return tuple(face or known for face, known in zip_longest(told, lying))


def _of_one_hand(desk: QueryDesk, body: Report) -> Report:
    """The report of a number of cards that is wrong by cards of one hand, where no clause speaks of a number.

    They came out in error for that hand.
    """
    current = desk.table.round
    if body.hand is None or current is None or not names_more_cards(desk, body):
        return body
    situation = next(each for each, hand in UNAUTHORISED.items() if hand is body.hand)
    return replace(body, situation=situation, cards=body.cards[len(current.cards) :], hand=None)


def _as_misdeal(desk: QueryDesk, body: Report) -> Report:
    """The report of a number of cards without the cards: a misdeal, where that alone has a clause."""
    number = body.situation is Situation.WRONG_NUMBER_OF_CARDS
    if not number or body.cards or body.reconstructable or _is_past(desk, body):
        return body
    known = {row.situation for row in desk.document.irregularities}
    alone = Situation.MISDEAL in known and Situation.WRONG_NUMBER_OF_CARDS not in known
    return replace(body, situation=Situation.MISDEAL) if alone else body


def _of_next_hand(desk: QueryDesk, body: Report) -> Report:
    """The report of a card that was disclosed while no card of a hand is to come: the next hand has it.

    Where cards wait to open that hand, it is the one of them that nobody had seen, or comes behind them.
    """
    told = body.cards or body.seen  # the face need not be known
    disclosed = body.situation is Situation.EXPOSED_IN_ERROR and body.hand is None and told
    if not disclosed or desk.table.phase is Phase.DEALING:
        return body
    behind = desk.table.strays and (body.ahead or None not in desk.table.strays)
    situation = Situation.FACE_UP_CARD if behind else Situation.NEXT_CARD_KNOWN
    return replace(body, situation=situation, seen=True)


def _is_past(desk: QueryDesk, body: Report) -> bool:
    """Whether a report is about a round before the one that lies there."""
    return body.previous_round and desk.table.phase is not Phase.IDLE


def contradiction(desk: QueryDesk, body: Report) -> Refused | None:
    """Why a report cannot be so, as the table knows it; only cards that came together are told as dealt."""
    if body.dealt and body.situation is not Situation.CARDS_TOGETHER:
        return refuse_now(desk)
    if (body.paying and not may_be_paying(desk)) or (_is_past(desk, body) and body.situation in OF_ITS_ROUND):
        return refuse_now(desk)
    check = CHECKS.get(body.situation)
    refused = check(desk, body) if check else None
    return refused or _was_seen(body) or _is_known_as_seen(desk, body) or _other_face(desk, body)


def _was_seen(body: Report) -> Refused | None:
    """A card whose face is named was seen; of cards that open the next hand the first one counts."""
    if body.seen is not False:
        return None
    named = body.cards[:1] if body.situation is Situation.NEXT_CARD_KNOWN else body.cards
    face = next((each for each in named if each), None)
    return refuse(Refusal.OTHER_FACE_KNOWN, card=face.text) if face else None


def _is_known_as_seen(desk: QueryDesk, body: Report) -> Refused | None:
    """Refuse to have told as unseen what the table knows to have been seen."""
    known = body.situation in TABLE_KNOWS_SEEN and body.seen is False
    seen = known and circumstance_of(desk, body, "seen")
    return refuse(Refusal.CARD_WAS_SEEN) if seen else None


def _other_face(desk: QueryDesk, body: Report) -> Refused | None:
    """A card of the dealing device is at a place that it has, and a card has one face wherever it lies."""
    shoe = desk.table.shoe
    if not (body.cards or body.ahead):  # nothing is told of any card
        return None
    lying = _told_again(desk, body)
    if lying and len(body.cards) > len(lying):
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, needed=len(lying))
    for known, face in zip(lying, body.cards, strict=False):
        if known is not None and face not in (None, known):
            return refuse(Refusal.OTHER_FACE_KNOWN, card=known.text)
    if shoe is None or body.situation not in IN_THE_SHOE or body.ahead < 0:
        return None
    if body.ahead >= shoe.left > 0 and body.ahead:
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, needed=shoe.left)
    told = places_told(desk.table, body)
    inside = [place for place in told if before(shoe, place) is not None]
    for known, face in zip(known_faces(shoe, inside), body.cards, strict=False):
        if known is not None and face not in (None, known):
            return refuse(Refusal.OTHER_FACE_KNOWN, card=known.text)
    return None


def _told_again(desk: QueryDesk, body: Report) -> tuple[Card | None, ...]:
    """The cards outside the dealing device that a report is about: those that wait, or lie aside."""
    if body.situation is Situation.NEXT_CARD_KNOWN and not body.ahead:
        return desk.table.strays
    unseen = seen_after_all(desk.table, body)
    if unseen is not None:
        return faces_aside(desk.table, cards_of_case(desk.table, unseen).places)
    return desk.table.aside if body.situation in UNAUTHORISED else ()


def _unshuffled(desk: QueryDesk, body: Report) -> Refused | None:
    """Cards with a record of their shuffle are unshuffled only if somebody says what was found."""
    record = desk.table.shoe.shuffle if desk.table.shoe else None
    if record is None or body.note.strip():
        return None
    clauses = shuffled_by(desk.document)
    return refuse(Refusal.SHUFFLE_ON_RECORD, *clauses, shuffler=record.shuffler, batch=record.batch)


def _too_few(desk: QueryDesk, _: Report) -> Refused | None:
    """A card that is due is missing only once those that came out have their places."""
    table, shoe = desk.table, desk.table.shoe
    assert shoe is not None
    if desk.round is None:
        return refuse_now(desk)
    if not is_empty(desk):
        return refuse(Refusal.CARDS_ARE_LEFT, left=shoe.left + len(table.strays) + len(table.reserved))
    due = due_hand(desk) if table.phase in (Phase.DEALING, Phase.OUTCOME) else None
    if isinstance(due, Refused) or len(desk.round.cards) + len(table.aside) < INITIAL:
        return due if isinstance(due, Refused) else None
    for each in table.open_cases:
        if each.situation in TELLS_THE_ORDER or cards_of_case(table, each).pile == "aside":
            return refuse_before(each)
    return None


def _next_card(desk: QueryDesk, body: Report) -> Refused | None:
    """While cards of a round are still to come, the next one is not the first of the next hand.

    Of cards that wait to begin a free hand nothing is to be said any more.
    """
    table, shoe = desk.table, desk.table.shoe
    assert shoe is not None
    playing = table.phase is Phase.DEALING and (not table.strays or source_of(table) == STRAY)
    if playing or table.phase is Phase.SHUT:
        return refuse_now(desk)
    if not table.strays or body.ahead:
        return refuse_too_few(desk, (), 1)
    due = (table.free_hand_by,) if table.free_hand_by and begins_with_cards(table) else ()
    return refuse(Refusal.FREE_HAND_DUE, *due) if due else None


def _order(desk: QueryDesk, body: Report) -> Refused | None:
    """An order is wrong where cards do not lie right; cards that came together have rules of their own."""
    if _is_past(desk, body):
        return refuse_now(desk)
    refused = None if can_be_put_right(desk) else refuse_without_cards(desk, body)
    current = desk.table.round
    if refused or current is None:
        return refused
    told = list(body.cards)
    lying = [each.card for each in current.cards]
    unseen = told.count(None) > 1  # cards whose faces nobody knows may have changed places
    if told and told == lying and in_order(desk, current) and not unseen:
        return refuse(Refusal.NOTHING_TO_PUT_RIGHT)
    together = (each for each in desk.table.open_cases if each.situation is Situation.CARDS_TOGETHER)
    case = next(together, None)
    refused = refuse_before(case) if case and not told and in_order(desk, current) else None
    return refused or refuse_other_order(desk, current, body.cards)


def _together(desk: QueryDesk, body: Report) -> Refused | None:
    """Several cards came out at once, whether one of them was due or not; or lie at the hands already."""
    if body.dealt:
        return refuse_dealt_together(desk, body)
    if not is_called(desk):
        return refuse_now(desk)
    if came_early(desk.table):
        return refuse(Refusal.HANDS_NOT_OPEN)
    # they came, and no others can be told in their place
    aside = faces_aside(desk.table, aside_together(desk.table))
    if aside and Counter(body.cards) != Counter(aside):
        return refuse(Refusal.ORDER_NEEDS_THE_SAME_CARDS)
    known = _known_place(desk, body)
    if known is not None:
        return known
    if desk.table.phase not in (Phase.DEALING, Phase.OUTCOME):
        return None if aside else refuse_cards_of_round(desk)
    due = due_hand(desk)
    return due if isinstance(due, Refused) and due.reason not in CAME_ANYWAY else None


def _known_place(desk: QueryDesk, body: Report) -> Refused | None:
    """A card that was known in the dealing device came at its place; with it the other one has its own."""
    table, count = desk.table, len(body.cards)
    if table.shoe is None or not count:
        return None
    lying = aside_together(table)
    expected = seen_at(table.shoe, lying) if lying else expected_cards(table, count)
    known = [face for face in expected if face and face in body.cards]
    decided = body.order_known is False and known and count - len(known) <= 1
    if decided or (lying and body.order_known and not fits(expected, body.cards)):
        return refuse(Refusal.OTHER_FACE_KNOWN, card=next(iter(known)).text)
    return None


def _unauthorised(desk: QueryDesk, body: Report) -> Refused | None:
    """A third card is unauthorised only if the table of play gives that hand none."""
    current = desk.table.round
    shoe = desk.table.shoe
    over = is_just_over(desk) and shoe is not None and not is_disclosed_on_top(shoe)
    dealt = desk.table.phase in (Phase.DEALING, Phase.OUTCOME) or over
    if current is None or not dealt or len(current.cards) < 4:
        return refuse_now(desk)
    if any(each.state is not CardState.EXPOSED for each in current.cards):
        return refuse(Refusal.HANDS_NOT_OPEN)
    if not in_order(desk, current):
        return refuse_now(desk)
    player, banker = hands_of(current.cards)
    turn, hand = next_draw(desk.rulebook, player, banker), UNAUTHORISED[body.situation]
    if not isinstance(turn, Draws):
        return None
    total = point_total(player if turn.hand is Hand.PLAYER else banker)
    drawing = f"@hand.{turn.hand.value}"
    if turn.hand is hand:
        return refuse(Refusal.CARD_IS_AUTHORISED, turn.clause, hand=drawing, total=total)
    if turn.hand is Hand.PLAYER or len(current.cards) > 4:
        return refuse(Refusal.CARD_IS_THE_OTHER_HANDS, turn.clause, hand=drawing, total=total)
    return None


def _number(desk: QueryDesk, body: Report) -> Refused | None:
    if _is_past(desk, body):
        return None if desk.table.rounds > 1 or desk.round is None else refuse_now(desk)
    refused = _order(desk, body)
    current = desk.table.round
    if refused or current is None or not body.cards:
        return refused
    lying = Counter[Card | None](each.card for each in current.cards if each.card)
    if lying - Counter(body.cards) or not 4 <= len(body.cards) <= 6:
        return refuse(Refusal.ORDER_NEEDS_THE_SAME_CARDS)
    if len(body.cards) > len(current.cards) and (desk.table.aside or strays_of_round(desk.table)):
        return _belongs_to_its_case(desk)
    if len(body.cards) == len(current.cards) and in_order(desk, current):
        return refuse(Refusal.NOTHING_TO_PUT_RIGHT)
    return None if _keeps_places(current, body.cards) else refuse(Refusal.ORDER_NEEDS_THE_SAME_CARDS)


def _keeps_places(current: Round, told: tuple[Card | None, ...]) -> bool:
    """Whether cards are told as they lie: the first four at their places, third cards in their order.

    A number that is wrong says nothing about which card went to which hand first.
    """
    lying = [each.card for each in current.cards]
    first = all(face in (None, other) for face, other in zip(lying[:4], told, strict=False))
    rest = iter(told[4:])  # a card that nobody entered may have come between them
    return first and all(any(face in (None, other) for other in rest) for face in lying[4:])


def _belongs_to_its_case(desk: QueryDesk) -> Refused:
    """Refuse to count cards that lie aside or wait, once more: the case about them gives them their place."""
    for each in reversed(desk.table.open_cases):
        if cards_of_case(desk.table, each).pile in ("aside", "strays"):
            return refuse_before(each)
    return refuse(Refusal.NOTHING_TO_PUT_RIGHT)


def _burn(desk: QueryDesk, body: Report) -> Refused | None:
    shoe = desk.table.shoe
    assert shoe is not None
    if shoe.burned is not None:
        return refuse(Refusal.BURN_WAS_DONE, cards=shoe.burned)
    if shoe.patrons_choose:
        return refuse(Refusal.PATRONS_CHOOSE_CARDS)
    seen = is_burn_owed(desk.table) and circumstance_of(desk, body, "seen")
    return None if seen else refuse_before_burn(desk)


def _cutting_card(desk: QueryDesk, _: Report) -> Refused | None:
    shoe, current = desk.table.shoe, desk.round
    assert shoe is not None
    seen = shoe.rounds_left is not None
    first = desk.table.phase in (Phase.BETTING, Phase.CLOSED) or (current is not None and not current.cards)
    return None if seen and first else refuse(Refusal.NOT_AWAITED)


def _call(desk: QueryDesk, body: Report) -> Refused | None:
    """The call of this round can be compared with its cards; of the round before only the cards are kept."""
    current, earlier = desk.table.round, desk.table.earlier[-1:]
    if _is_past(desk, body) and desk.round is not None:
        none = desk.table.rounds == 1 or any(len(each.cards) < FEWEST_CARDS for each in earlier)
        return refuse(Refusal.NOT_CALLED) if none else None
    if current is None or current.facts is None or current.called is None:
        return refuse(Refusal.NOT_CALLED)
    right = current.called is current.facts.winner and not current.totals_called_wrongly
    told = None in current.called_totals and has_words(body.note)  # points were said, and nobody entered them
    refused = refuse(Refusal.CALL_WAS_RIGHT, winner=f"@winner.{current.called.value}")
    return refused if right and not told else None


CHECKS: dict[Situation, Callable[[QueryDesk, Report], Refused | None]] = {
    Situation.MISSING_CARD: contradict_missing,
    Situation.UNSHUFFLED_CARDS: _unshuffled,
    Situation.TOO_FEW_CARDS: _too_few,
    Situation.LATE_WAGER: contradict_late,
    Situation.LATE_WITHDRAWAL: contradict_late,
    Situation.NEXT_CARD_KNOWN: _next_card,
    Situation.WRONG_ORDER: _order,
    Situation.MISDEAL: _order,
    Situation.WRONG_DELIVERY: contradict_delivery,
    Situation.NOT_DELIVERED: contradict_not_delivered,
    Situation.EXPOSED_IN_ERROR: contradict_exposed,
    Situation.CARDS_TOGETHER: _together,
    Situation.DEVICE_RESET: refuse_before_closing,
    Situation.PATRON_ABSENT: contradict_absent,
    Situation.PATRON_LEFT_WITH_CARDS: contradict_left,
    Situation.UNAUTHORISED_PLAYER_CARD: _unauthorised,
    Situation.UNAUTHORISED_BANKER_CARD: _unauthorised,
    Situation.WRONG_NUMBER_OF_CARDS: _number,
    Situation.BURN_FORGOTTEN: _burn,
    Situation.CUTTING_CARD_FIRST: _cutting_card,
    Situation.WRONG_CALL: _call,
    Situation.WRONG_PAYMENT: contradict_payment,
    Situation.UNDER_MINIMUM: contradict_under_minimum,
    Situation.OVER_MAXIMUM: contradict_over_maximum,
    Situation.OLD_LIMIT_MISTAKE: contradict_old_mistake,
    Situation.DIFFERENTIAL_EXCEEDED: contradict_differential,
}
