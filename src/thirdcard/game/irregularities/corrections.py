"""A card that was entered or read wrongly is corrected to the one that lies there, by two people."""

from msgspec.structs import replace

from thirdcard.cards import NEW_DECK, Card
from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarms import count_copies
from thirdcard.game.case_cards import (
    UNAUTHORISED,
    cards_of_case,
    is_noticed,
    is_order_told,
    strays_of_round,
    waiting_by_number,
)
from thirdcard.game.causes import Cause
from thirdcard.game.closing import cards_decide
from thirdcard.game.controls import refuse_two, refuse_without_reason
from thirdcard.game.dealing import advance, current_round, due_hand, out_of_place
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.card_effects import end_what_is_pointless, is_misplaced
from thirdcard.game.irregularities.cases import open_case, run_cases, see
from thirdcard.game.irregularities.effects import DEFINITIONS, finish
from thirdcard.game.irregularities.judged_anew import lay_by_their_case
from thirdcard.game.irregularities.missing_cards import deduce_again, refuse_correction
from thirdcard.game.irregularities.money_effects import reverse_settlement
from thirdcard.game.irregularities.rows import find_row
from thirdcard.game.irregularities.suspicions import judge_held_wagers
from thirdcard.game.laying import came_out, lay_out
from thirdcard.game.outcome import Outcome, next_draw, play_out
from thirdcard.game.rounds import (
    FIRST_FOUR,
    MOST_CARDS,
    OUT_OF_PLACE,
    can_be_completed,
    can_be_put_right,
    hands_of,
    is_begun_in_order,
    is_concluded,
    is_settled_again,
    is_settled_last,
    takes_none,
)
from thirdcard.game.sealed_cards import is_sealed
from thirdcard.game.state import CardState, Case, DealtCard, Hand, Phase, Round, Wait
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.irregularity import GiveCardToBanker, Situation
from thirdcard.rulebook.table_of_play import Draws


def correct_card(desk: Desk, body: cmd.CorrectCard) -> Refused | None:
    """Correct one card; money follows until the next opening, and later it is referred."""
    current, shoe = desk.table.round, desk.table.shoe
    refused = refuse_two(desk, MoneyAct.CORRECTION) or refuse_without_reason(
        desk, MoneyAct.CORRECTION, body.reason
    )
    if refused:
        return refused
    if is_sealed(desk.table):
        return refuse(Refusal.SEALED_CARD)
    number = desk.table.rounds if body.round is None else body.round
    if not 1 <= number <= desk.table.rounds:
        return refuse(Refusal.NO_SUCH_ROUND)
    if current is None or current.number != number:
        return _correct_earlier(desk, body, number)
    out = (
        *(each.card for each in current.cards),
        *desk.table.aside,
        *(face for _, face in waiting_by_number(desk.table)),
        *desk.table.reserved,
    )
    if not 1 <= body.number <= len(out):
        return refuse(Refusal.NO_SUCH_CARD)
    lies = out[body.number - 1]
    if lies is None and not _is_needed_for_sorting(desk, body.number):
        return refuse(Refusal.HANDS_NOT_OPEN)  # a face that nobody has entered is not corrected but opened
    same = refuse(Refusal.NOTHING_TO_PUT_RIGHT) if lies == body.card else None
    refused = same or refuse_correction(desk, body.number, body.card)
    if refused:
        return refused
    at_a_hand = body.number <= len(current.cards)
    lacks_nothing = at_a_hand and _is_complete_from_the_shoe_before(desk, body, current)
    again = lacks_nothing and is_settled_last(desk)
    settled = at_a_hand and (can_be_put_right(desk) or again)
    concluded = settled or is_settled_again(desk)
    gone = at_a_hand and shoe is not None and current.shoe != shoe.number
    if at_a_hand and (current.ended or gone):
        _judge_number_anew(desk)
    if settled:
        reverse_settlement(desk, cards_decide(desk))
    due = _due(desk)
    _record(desk, body, number, lies)
    if (at_a_hand and current.ended and not settled) or (gone and not lacks_nothing):
        counts = is_settled_last(desk) or bool(current.settled) or not current.ended
        return _with_new_cards(desk) if counts else None
    deduce_again(desk)
    refused = _play_on(desk, concluded=concluded)
    referred = any(isinstance(each, ev.IrregularityReported) and _is_referred(each) for each in desk.events)
    if refused is None and not referred and _due(desk) not in (None, due) and _was_burned(desk):
        return _refer(desk, _hand_in_question(desk))
    return refused


def _is_needed_for_sorting(desk: QueryDesk, number: int) -> bool:
    """Whether a card lies aside while sorted cards are awaited: it is in play, and no hand opens it."""
    table, current = desk.table, desk.table.round
    before = len(current.cards) if current else 0
    awaited = any(each.waits is Wait.SORTED_CARDS for each in table.open_cases)
    return awaited and before < number <= before + len(table.aside)


def _is_referred(reported: ev.IrregularityReported) -> bool:
    return reported.case.cause is Cause.CARD_CORRECTED


def _due(desk: QueryDesk) -> Hand | None:
    """The hand that takes the next card of the round under way."""
    playing = desk.round is not None and desk.table.phase in (Phase.DEALING, Phase.OUTCOME)
    due = due_hand(desk) if playing else None
    return due[0] if isinstance(due, tuple) else None


def _was_burned(desk: QueryDesk) -> bool:
    """Whether a card that came out after those of the hands was burned: it may be the one that is due now."""
    shoe, current = desk.table.shoe, desk.round
    assert shoe is not None
    assert current is not None
    places = shoe.places
    last = max(places.lying[: len(current.cards)], default=len(places.faces))
    here = {*places.aside, *places.strays, *places.reserved, *places.back}
    return any(place not in here for place in range(last + 1, len(places.faces)))


def _correct_earlier(desk: Desk, body: cmd.CorrectCard, number: int) -> Refused | None:
    """Correct a card of a round before the last one; of rounds from older shoes no face is known."""
    kept = next((each for each in desk.table.earlier if each.number == number), None)
    if not 1 <= body.number <= (len(kept.cards) if kept else MOST_CARDS):
        return refuse(Refusal.NO_SUCH_CARD)
    old = kept.cards[body.number - 1] if kept else None
    if old == body.card:
        return refuse(Refusal.NOTHING_TO_PUT_RIGHT)
    _record(desk, body, number, old)
    return _refer(desk, past=True) if kept is None or kept.settled else None


def _is_complete_from_the_shoe_before(desk: QueryDesk, body: cmd.CorrectCard, current: Round) -> bool:
    """Whether new cards were loaded after the settlement, and the corrected hands need none of them.

    A third card that no hand takes went away with its shoe; where a clause is about the number of cards, it
    says what follows.
    """
    same = desk.table.shoe is None or current.shoe == desk.table.shoe.number
    if same or current.substituted:  # other substitutes may have to lie there
        return False
    index = body.number - 1
    card = replace(current.cards[index], card=body.card)
    cards = (*current.cards[:index], card, *current.cards[index + 1 :])
    laid = lay_out(desk, cards).laid
    faces = tuple(each.card for each in laid if each.card)
    told = isinstance(play_out(desk.rulebook, faces, desk.rulebook.pair_rule(desk.house)), Outcome)
    return told and (laid == cards or not _is_number_covered(desk))


def _is_number_covered(desk: QueryDesk) -> bool:
    """Whether a clause of the document is about a wrong number of cards."""
    about = Situation.WRONG_NUMBER_OF_CARDS
    return any(row.situation is about and row.clause for row in desk.document.irregularities)


def _record(desk: Desk, body: cmd.CorrectCard, number: int, old: Card | None) -> None:
    second = desk.envelope.authoriser
    assert second is not None
    corrected = ev.CardCorrected(
        round=number,
        number=body.number,
        old=old,
        new=body.card,
        by=desk.actor,
        second=second,
        reason=body.reason,
        clauses=cards_decide(desk),
    )
    desk.emit(corrected)
    judge_held_wagers(desk, number)
    count_copies(desk, body.card)


def _refer(desk: Desk, hand: Hand | None = None, *, past: bool = False) -> Refused | None:
    """The record is right; whether money follows is for the post that decides what no rule covers.

    Until the next opening the case names the hand that lacks a card or has one too many: a further correction
    may end it. Of a round before, one case is about all its corrections.
    """
    if past and _is_referred_already(desk):
        return None
    told = cmd.ReportIrregularity(situation=Situation.NOT_COVERED, hand=hand, previous_round=past)
    return see(desk, told, Cause.CARD_CORRECTED)


def _is_referred_already(desk: Desk, hand: Hand | None = None) -> bool:
    """Whether the post is asked already what follows from corrections of the round, or of a hand of it."""
    body = desk.body
    assert isinstance(body, cmd.CorrectCard)
    number = body.round or desk.table.rounds
    return any(
        each.cause is Cause.CARD_CORRECTED and each.corrected == number and hand in (None, each.hand)
        for each in desk.table.open_cases
    )


def _hand_in_question(desk: QueryDesk) -> Hand | None:
    """The hand of the last round that lacks a card by the table of play, or has one too many."""
    current = desk.table.round
    assert current is not None
    over = lay_out(desk, current.cards).left
    turn = next_draw(desk.rulebook, *hands_of(current.cards))
    return over[0].hand if over else turn.hand if isinstance(turn, Draws) else None


def _play_on(desk: Desk, *, concluded: bool) -> Refused | None:
    """The table of play is run again: a third card too many, or one too few, is what the cards show now."""
    current = desk.round
    if current is None or len(current.cards) < 4 or desk.table.phase not in (Phase.DEALING, Phase.OUTCOME):
        return None
    if not is_begun_in_order(current.cards):  # a case about it is open
        return None
    if is_order_told(desk.table) and lay_out(desk, came_out(desk, current.cards).cards).laid != current.cards:
        return None  # that case lays them, in the order that was told
    over = concluded or is_concluded(desk)
    lay_by_their_case(desk, over=over)
    _lay_as_dealt(desk)
    current = current_round(desk)
    before, out = desk.table, came_out(desk, current.cards)
    layout = lay_out(desk, out.laid_by(desk.actor))
    laid = layout.laid
    if _is_put_right_by_a_case(desk, laid):
        run_cases(desk)
        return None
    out_of_order = bool(desk.table.wagers) and _was_dealt_to_the_wrong_hand(desk, laid)
    if out_of_order and not (over and _is_number_covered(desk)):
        return _out_of_order(desk, over=over)
    here = desk.table.shoe is not None and desk.table.shoe.number == current.shoe
    extra = [
        (each, _put_to(desk, number))
        for number, each in enumerate(current.cards)
        if number >= len(laid) and here
    ]
    if laid != current.cards:
        aside = out.aside(layout) if here else ()  # what is left over went away with its shoe
        clauses = (*cards_decide(desk), *_given_to_the_banker(desk, laid))
        desk.emit(ev.CardsReconstructed(cards=laid, aside=aside, clauses=clauses))
        end_what_is_pointless(desk, before)
    if layout.waiting:
        _judge_later(desk)
    refused = _notice_extra(desk, extra)
    if refused or desk.round is None:
        return refused
    advance(desk)
    if concluded and _lacks_a_card(desk):
        return _third_card_left_out(desk)
    for case in desk.table.open_cases:
        if _is_groundless(desk, case):
            desk.emit(ev.CaseClosed(id=case.id))
    run_cases(desk)
    _let_lapse(desk)
    return None


def _lay_as_dealt(desk: Desk) -> None:
    """Lay a card at the Banker again, where it was dealt in error, that is the Player's third one by now."""
    current, shoe, before = current_round(desk), desk.table.shoe, desk.table
    out, count = came_out(desk, current.cards), len(FIRST_FOUR)
    layout = lay_out(desk, out.laid_by(desk.actor))
    third = layout.laid[count] if len(layout.laid) > len(current.cards) == count else None
    known = third is not None and third.card is not None and third.hand is Hand.PLAYER
    if shoe is None or third is None or not known or not before.wagers:
        return
    place = min((*shoe.places.aside, *(place for place, _ in strays_of_round(before))))
    if _was_error_for(desk, place) is not Hand.BANKER or _is_number_covered(desk):
        return
    cards = (*layout.laid[:count], replace(third, hand=Hand.BANKER))
    aside = out.aside(layout._replace(laid=cards))
    desk.emit(ev.CardsReconstructed(cards=cards, aside=aside, clauses=cards_decide(desk)))
    end_what_is_pointless(desk, before)


def _was_error_for(desk: QueryDesk, place: int) -> Hand | None:
    """The hand that a card outside the hands was put to in error, as it was told or seen."""
    shoe = desk.table.shoe
    assert shoe is not None
    asked = dict(shoe.places.asked)
    cases = (each for each in (*desk.table.told, *desk.table.open_cases) if place in asked.get(each.id, ()))
    hands = (UNAUTHORISED[each.situation] for each in cases if each.situation in UNAUTHORISED)
    return dict(shoe.places.put).get(place) or next(hands, None)


def _out_of_order(desk: Desk, *, over: bool) -> Refused | None:
    """Open the case of a third card at the wrong hand; once the round is over the post decides.

    The cards lie as they were dealt until then.
    """
    if not over:
        return see(desk, cmd.ReportIrregularity(situation=out_of_place(desk)))
    return None if _is_referred_already(desk, Hand.PLAYER) else _refer(desk, Hand.PLAYER)


def _lacks_a_card(desk: QueryDesk) -> bool:
    """Whether a hand takes one more card, or may once a card is open that waited and that nobody has seen.

    Cards that lie aside have a case of their own.
    """
    cards = desk.round.cards if desk.round and not desk.table.aside else ()
    closed = [each for each in cards if each.state is not CardState.EXPOSED]
    if [each.hand for each in closed] != [Hand.PLAYER]:
        return bool(cards) and _due(desk) is not None
    player, banker = hands_of([each for each in cards if each is not closed[0]])
    faces = (closed[0].card,) if closed[0].card else NEW_DECK
    return any(isinstance(next_draw(desk.rulebook, (*player, face), banker), Draws) for face in faces)


def _notice_extra(desk: Desk, extra: list[tuple[DealtCard, Hand]]) -> Refused | None:
    """Open the case of each card that no hand takes; the case of one may lay all of them out again."""
    for card, put_to in extra:
        situation = next(each for each, hand in UNAUTHORISED.items() if hand is put_to)
        seen = card.state is CardState.EXPOSED
        refused = see(desk, cmd.ReportIrregularity(situation=situation, seen=seen))
        if refused or desk.round is None or not desk.table.aside:
            return refused
    return None


def _given_to_the_banker(desk: QueryDesk, laid: tuple[DealtCard, ...]) -> tuple[Clause, ...]:
    """The clause by which a third card that the Player had without authority is the Banker's."""
    hands = [(lies.hand, due.hand) for lies, due in zip(current_round(desk).cards, laid, strict=False)]
    if (Hand.PLAYER, Hand.BANKER) not in hands:
        return ()
    rows = (each.effects for each in desk.document.irregularities)
    return tuple(each.clause for row in rows for each in row if isinstance(each, GiveCardToBanker))


def _judge_later(desk: Desk) -> None:
    """Ask nobody about a card in error which a hand may take, once a third card before it is opened."""
    for case in desk.table.open_cases:
        asked = case.situation in UNAUTHORISED and case.waits is Wait.DECISION
        if asked and cards_of_case(desk.table, case).pile == "aside":
            desk.emit(ev.CaseClosed(id=case.id))


def _is_groundless(desk: QueryDesk, case: Case) -> bool:
    """Whether the cards of the round, as they lie now, do not show what the table said of them."""
    if case.situation is Situation.TOO_FEW_CARDS:
        return takes_none(desk)
    shown = (*OUT_OF_PLACE, Situation.NOT_COVERED) if case.hand else OUT_OF_PLACE
    if desk.round is None or case.situation not in shown or not is_noticed(desk.table, case):
        return False
    return not is_misplaced(desk) and (case.hand is None or takes_none(desk))


def _is_put_right_by_a_case(desk: QueryDesk, laid: tuple[DealtCard, ...]) -> bool:
    """Whether a card still lies at the wrong hand, and the case about that lays it where it belongs."""
    current = desk.round
    assert current is not None
    about = (each for each in desk.table.open_cases if each.situation in OUT_OF_PLACE and not each.hand)
    count = len(current.cards)
    moves = [each.hand for each in laid[:count]] != [each.hand for each in current.cards]
    return moves and len(laid) >= count and any(is_noticed(desk.table, each) for each in about)


def _was_dealt_to_the_wrong_hand(desk: QueryDesk, laid: tuple[DealtCard, ...]) -> bool:
    """Whether a card lies with the Banker, where it was dealt, and is the Player's: it came out of order.

    A card of the Player that belongs to the Banker was not authorised, by a clause of its own.
    """
    current = desk.round
    assert current is not None
    if len(laid) < len(current.cards):
        return False
    cards = enumerate(zip(current.cards, laid, strict=False))
    moved = (number for number, (lies, due) in cards if (lies.hand, due.hand) == (Hand.BANKER, Hand.PLAYER))
    return any(_put_to(desk, number) is Hand.BANKER for number in moved)


def _let_lapse(desk: Desk) -> None:
    """Go on without a permission to ask patrons where nobody is to be asked: no hand takes the cards."""
    while (case := desk.table.case) is not None and case.waits is Wait.PERMISSION:
        effect = case.effects[case.done]
        if DEFINITIONS[type(effect)].possible(desk, effect):
            return
        finish(desk, effect, done=False, lapsed=True)
        run_cases(desk)


def _put_to(desk: QueryDesk, number: int) -> Hand:
    """The hand that a card of the round was put to: a clause may have given it to the other one.

    Of a shoe that is gone nobody knows more than where the card lies.
    """
    current, shoe = current_round(desk), desk.table.shoe
    assert shoe is not None
    lies = current.cards[number].hand
    if current.shoe != shoe.number:
        return lies
    return dict(shoe.places.put).get(shoe.places.lying[number], lies)


def _with_new_cards(desk: Desk) -> Refused | None:
    """Go by the clause on a wrong number of cards where there is one and no round was opened meanwhile.

    The cards that would have followed were in the dealing device before these, so that none of them comes.
    """
    current = desk.table.round
    assert current is not None
    if current.ended and not is_settled_last(desk):
        return _refer(desk, past=True)
    for each in desk.table.open_cases:
        if each.situation is Situation.WRONG_NUMBER_OF_CARDS:
            return None
    complete = can_be_completed(desk, tuple(each.card for each in current.cards))
    return _wrong_number(desk, reconstructable=complete)


def _judge_number_anew(desk: Desk) -> None:
    """Close what the table noticed about the number of cards: by another correction it is judged again."""
    for each in desk.table.open_cases:
        if each.situation is Situation.WRONG_NUMBER_OF_CARDS and is_noticed(desk.table, each):
            desk.emit(ev.CaseClosed(id=each.id))


def _third_card_left_out(desk: Desk) -> Refused | None:
    """Go by the clause on a wrong number of cards where there is one: the card that was due still comes next.

    Elsewhere a concluded round does not continue by itself.
    """
    return _wrong_number(desk, reconstructable=True)


def _wrong_number(desk: Desk, *, reconstructable: bool) -> Refused | None:
    """Open the case of a wrong number of cards by its clause, or refer it."""
    hand = _hand_in_question(desk)
    found = cmd.ReportIrregularity(
        situation=Situation.WRONG_NUMBER_OF_CARDS, hand=hand, reconstructable=reconstructable
    )
    row = find_row(desk, found)
    if isinstance(row, Refused) or row.clause is None:
        return _refer(desk, hand)
    open_case(desk, row, found, desk.table.setup.table)
    return None
