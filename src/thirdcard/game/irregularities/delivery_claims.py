"""Reports about hands that are passed to patrons, held against who was to have them and who has them."""

from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game.case_cards import refuse_before
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.facts import cards_with
from thirdcard.game.irregularities.wager_claims import refuse_now
from thirdcard.game.rounds import faces_shown
from thirdcard.game.squeezing import (
    entitled,
    hands_held,
    hands_taken,
    hands_to_open,
    hands_with,
    holder_of,
    is_finished,
    right_to,
    was_taken_along,
)
from thirdcard.game.state import CardState, Hand, Phase, Round
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Situation

Report = cmd.ReportIrregularity


def refuse_without_cards(desk: QueryDesk, _: Report) -> Refused | None:
    """Refuse what is about the cards of a round where none lie."""
    current = desk.table.round
    over = desk.table.phase is Phase.IDLE and (current is None or not current.void)
    lying = current is not None and (current.cards or desk.table.aside) and (over or not current.ended)
    return None if lying else refuse_now(desk)


def contradict_delivery(desk: QueryDesk, body: Report) -> Refused | None:
    """Cards go astray only from the right patron: not those that lie there, nor those the Dealer opened."""
    refused, current = refuse_without_cards(desk, body), desk.table.round
    if refused or body.hand is None or current is None:
        return refused
    refused = refuse_never_passed(desk)
    if refused:
        return refused
    desk = _as_dealt(desk)
    holder, hand = holder_of(desk, body.hand), f"@hand.{body.hand.value}"
    for patron in (each for each in (body.patron, holder) if each):
        clauses = right_to(desk, body.hand, patron)
        if clauses is not None:
            return refuse(Refusal.RIGHT_PATRON, *clauses, patron=patron, hand=hand)
    refused = _refuse_faces(current, body) if body.cards else None
    if refused is None and is_open(current, body.hand) and holder is None and body.hand in current.opened:
        return refuse(Refusal.WAS_NOT_PASSED, *_not_delivered(desk, body.hand), hand=hand)
    return refused


def contradict_exposed(desk: QueryDesk, body: Report) -> Refused | None:
    """Cards that lie open, or that somebody has taken along, are not exposed in error any more."""
    refused, current = refuse_without_cards(desk, body), desk.table.round
    if refused or body.hand is None or current is None:
        return refused
    taken = was_taken_along(desk, current, body.hand) if desk.round is not None else None
    if taken is not None:  # the Dealer exposes only what is there
        return refuse_before(taken)
    opened = is_open(current, body.hand)
    return _refuse_faces(current, body) or (refuse(Refusal.CARDS_ARE_FACE_UP) if opened else None)


def is_open(current: Round, hand: Hand | None) -> bool:
    """Whether every card of a hand lies open; whoever was to open them has."""
    return all(each.state is CardState.EXPOSED for each in current.cards if each.hand is hand)


def _refuse_faces(current: Round, body: Report) -> Refused | None:
    """As many cards are told as the hand has, or as did not lie open, and each has one face."""
    hand = [each for each in current.cards if each.hand is body.hand]
    closed = sum(each.state is not CardState.EXPOSED for each in hand)
    if not hand or len(body.cards) not in (len(hand), *range(closed + 1)):
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, needed=closed)
    shown = {each.card for each in hand if each.state is CardState.EXPOSED}
    if len(body.cards) < len(hand) and body.situation in current.noted and shown.intersection(body.cards):
        return refuse(Refusal.CARD_REPORTED_BEFORE)  # a second equal one is told with the whole hand
    for each, face in zip(hand, faces_shown(current, body), strict=True):
        if each.card and face not in (None, each.card):
            return refuse(Refusal.OTHER_FACE_KNOWN, card=each.card.text)
    return None


def _not_delivered(desk: QueryDesk, hand: Hand) -> tuple[Clause, ...]:
    """The clause about a hand that the Dealer opened, and a patron was to have."""
    if not isinstance(entitled(desk, hand), tuple):
        return ()
    rows = (each for each in desk.document.irregularities if each.situation is Situation.NOT_DELIVERED)
    return tuple(dict.fromkeys(each.clause for each in rows if each.clause))


def refuse_never_passed(desk: QueryDesk) -> Refused | None:
    """Refuse that cards went to a patron where none do: no rule passes them, or they lie face up."""
    rule = desk.document.squeezing
    if rule is None:
        return refuse(Refusal.NOBODY_WAS_TO_HAVE_IT)
    on_request = rule.basis == "on-request" and not desk.table.setup.face_down
    return (
        refuse(Refusal.CARDS_ARE_FACE_UP, *((rule.request,) if rule.request else ())) if on_request else None
    )


def _as_dealt(desk: QueryDesk) -> QueryDesk:
    """The table with the wagers and the holders of hands that the last round had before it was settled."""
    table, current = desk.table, desk.table.round
    if current is None or not current.ended:
        return desk
    dealt = replace(table, wagers=current.lay, round=replace(current, holdings=current.had))
    return QueryDesk(desk.rulebook, desk.house, dealt)


def refuse_rightly_passed(desk: QueryDesk, body: Report) -> Refused | None:
    """Refuse a wrong delivery of a hand that lies with somebody: it was passed to the right patron.

    A wager that was withdrawn since lay there then.
    """
    hand = body.hand if body.situation is Situation.WRONG_DELIVERY else None
    desk = _as_dealt(desk) if hand else desk
    holder = holder_of(desk, hand) if hand else None
    if hand is None or holder is None or _is_right_in_doubt(desk, hand, holder):
        return None
    return refuse(Refusal.RIGHT_PATRON, patron=holder, hand=f"@hand.{hand.value}")


def _is_right_in_doubt(desk: QueryDesk, hand: Hand, holder: str) -> bool:
    """Whether it came to light in the round that a hand went astray, or that a wager was late or not seen.

    So it is where a wager was entered by mistake that decides who has the hand.
    """
    current, rule = desk.table.round, desk.document.squeezing
    noted, mistaken = (current.noted, current.mistaken) if current else ((), ())
    if hand.value in mistaken or (mistaken and rule is not None and rule.basis == "on-request"):
        return True
    found = (each for each in desk.table.wagers if each.wager == hand.value and not each.order)
    others = any(each.patron != holder for each in found)
    return others or bool({Situation.LATE_WAGER, Situation.WRONG_DELIVERY} & {*noted})


def contradict_not_delivered(desk: QueryDesk, body: Report) -> Refused | None:
    """Cards are not delivered only where a patron was to have them, and has not got them."""
    refused, current = refuse_without_cards(desk, body), desk.table.round
    if refused or current is None:
        return refused
    desk, hand = _as_dealt(desk), body.hand
    holder = holder_of(desk, hand) if hand else None
    if hand and holder:
        return refuse(Refusal.WAS_DELIVERED, patron=holder, hand=f"@hand.{hand.value}")
    told = current.ended and not current.lay  # of a void round no wager is left that says who was right
    rights = [entitled(desk, each) for each in ((hand,) if hand else Hand)]
    due = [each for each in rights if isinstance(each, Refused) or (each and body.patron in (None, each[0]))]
    if told or due:
        return None
    rule = desk.document.squeezing
    return refuse(Refusal.NOBODY_WAS_TO_HAVE_IT, *(step.clause for step in (rule.order[:1] if rule else ())))


def _holder(desk: QueryDesk, body: Report) -> Refused | None:
    """Only somebody with whom cards lie can be away from them, or have taken them along."""
    current = desk.round
    if current is None or desk.table.phase is not Phase.DEALING:
        return refuse_now(desk)
    if body.patron is None or hands_held(desk, current, body.patron):
        return None
    return refuse(Refusal.HOLDS_NO_CARDS, patron=body.patron)


def contradict_absent(desk: QueryDesk, body: Report) -> Refused | None:
    """Tell whether a patron who is away has a hand to open, or to which a card can still come."""
    current = desk.round
    hands = hands_to_open(desk, current, body.patron) if current is not None and body.patron else set()
    refused = None if hands and desk.table.phase is Phase.DEALING else _holder(desk, body)
    if refused or body.patron is None or current is None:
        return refused
    if all(is_finished(current, hand) for hand in hands):
        return refuse(Refusal.CARDS_ARE_FACE_UP)
    return _refuse_other_face(current, body, hands)


def contradict_left(desk: QueryDesk, body: Report) -> Refused | None:
    """Cards whose faces the table knows are not of unknown value; nobody leaves with a hand without cards."""
    current = desk.round
    lie_there = hands_taken(desk, current, body.patron, body.hand) if current and body.patron else set()
    gone = was_taken_along(desk, current, body.hand) if current and body.hand else None
    if gone is not None and gone.patron != body.patron:
        return refuse_before(gone)
    lying = {each.hand for each in current.cards} if current is not None else set[Hand]()
    if body.hand is not None and body.hand not in lying:
        return refuse(Refusal.HOLDS_NO_CARDS, patron=body.patron or "")
    refused = None if lie_there and desk.table.phase is Phase.DEALING else _holder(desk, body)
    if refused or body.value_known is not False or not knows_cards(desk, body):
        return refused or (_refuse_other_face(current, body, lie_there) if current and lie_there else None)
    return refuse(Refusal.VALUE_IS_KNOWN, patron=body.patron or "")


def takes_a_hand(desk: QueryDesk, body: Report) -> Hand | None:
    """Return the hand with which a patron has left though it lay elsewhere."""
    left, current = body.situation is Situation.PATRON_LEFT_WITH_CARDS, desk.round
    if not left or current is None or body.patron is None or body.hand is None:
        return None
    return None if body.hand in hands_with(desk, current, body.patron) else body.hand


def _refuse_other_face(current: Round, body: Report, hands: set[Hand]) -> Refused | None:
    """Refuse another face than the table knows of a card that lies with a patron, hand by hand."""
    known = (each.card for hand in Hand for each in current.cards if each.hand is hand and hand in hands)
    for card, told in zip(known, body.cards, strict=False):
        if card is not None and told not in (None, card):
            return refuse(Refusal.OTHER_FACE_KNOWN, card=card.text)
    return None


def knows_cards(desk: QueryDesk, body: Report) -> bool:
    """Whether the table knows the face of every card that lies with a patron."""
    cards = cards_with(desk, body.patron, body.hand) if body.patron else []
    return bool(cards) and None not in cards
