"""Cards: who draws, where a card goes, who opens it, and when the outcome is known."""

from thirdcard.cards import Card
from thirdcard.clauses import Clause, each_once
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.betting import begin_round, differential_row, flag_differential
from thirdcard.game.burning import refuse_before_burn
from thirdcard.game.card_sources import RESERVE, STRAY
from thirdcard.game.case_cards import (
    are_cards_out,
    becomes_free,
    blocking,
    came_early,
    is_noticed,
)
from thirdcard.game.causes import Cause
from thirdcard.game.closing import call_outcome, cards_decide
from thirdcard.game.desk import Desk, DueHand, QueryDesk
from thirdcard.game.laying import end_free_hands, lay_what_waits
from thirdcard.game.limits import gap_of, is_returned
from thirdcard.game.methods import find_method
from thirdcard.game.next_cards import expected_cards, other_expected, source_of
from thirdcard.game.outcome import Outcome, next_draw, play_out, point_total
from thirdcard.game.reducing import reduced
from thirdcard.game.rounds import hands_of, in_order, is_begun_in_order
from thirdcard.game.sealed_cards import refuse_misplaced
from thirdcard.game.shoe_clauses import refuse_new_cards_due
from thirdcard.game.shoe_loading import may_begin, not_cut
from thirdcard.game.squeezing import is_handled, opens_after_other, opens_at_once
from thirdcard.game.state import CardState, Hand, Phase, PlacedWager, Round
from thirdcard.game.table_setup import Automatic
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import AskToDecrease, Method, Situation
from thirdcard.rulebook.table_of_play import Draws

# why no hand takes a card; one that was put to a hand has come all the same
CAME_ANYWAY = (Refusal.NO_CARD_DUE, Refusal.HANDS_NOT_OPEN)


def current_round(desk: QueryDesk) -> Round:
    """The round that is under way."""
    assert desk.table.round is not None
    return desk.table.round


def open_faces(current: Round) -> tuple[Card, ...]:
    """The exposed cards in draw order."""
    return tuple([each.card for each in current.cards if each.card and each.state is CardState.EXPOSED])


def due_hand(desk: QueryDesk) -> DueHand:
    """The hand that takes the next card and the clauses by which it does; some ask again and again."""
    current, known = current_round(desk), desk.due
    if known is not None and known[0] is current:
        return known[1]
    desk.due = (current, found := _find_due(desk, current))
    return found


def _find_due(desk: QueryDesk, current: Round) -> DueHand:
    deal = desk.document.deal
    count = len(current.cards)
    if count < 4:
        hand = Hand.PLAYER if count % 2 == 0 else Hand.BANKER
        return hand, (*deal.two_hands, deal.player if hand is Hand.PLAYER else deal.banker)
    faces = open_faces(current)
    if len(faces) < count:
        squeezing = desk.document.squeezing
        clauses = (squeezing.third_cards,) if squeezing and squeezing.third_cards else ()
        return refuse(Refusal.HANDS_NOT_OPEN, *clauses)
    if not is_begun_in_order(current.cards):  # laid again first
        return refuse(Refusal.IRREGULARITY_UNDER_WAY, situation=f"@situation.{Situation.WRONG_ORDER.value}")
    turn = next_draw(desk.rulebook, *hands_of(current.cards))
    if not isinstance(turn, Draws):
        return refuse(Refusal.NO_CARD_DUE, turn.clause)
    return turn.hand, (desk.document.table_of_play.clause, turn.clause)


def may_draw(desk: Desk, body: cmd.DrawCard) -> Refused | None:
    """Why no card may be drawn: something is owed first, the device is somebody else's, no hand takes one.

    A card that was put to a hand by mistake, or came with another, has been drawn all the same.
    """
    refused = refuse_drawer(desk, body)
    if desk.table.phase not in (Phase.DEALING, Phase.OUTCOME):
        over = None if body.instead else _refuse_over_differential(desk)
        refused = refuse_cards_of_round(desk) or over or refused
        return refused or refuse_misplaced(desk, body, Hand.PLAYER) or other_expected(desk.table, body)
    if not are_cards_out(desk.table):  # of a free hand that has begun
        refused = refused or not_cut(desk) or refuse_before_burn(desk)
    due = due_hand(desk)
    nowhere = body.hand is None and not body.together
    if isinstance(due, Refused) and (nowhere or due.reason not in CAME_ANYWAY):
        return refused or due
    hand = None if isinstance(due, Refused) else due[0]
    return refused or refuse_misplaced(desk, body, hand) or other_expected(desk.table, body)


def begin_deal(desk: Desk) -> None:
    """The first card closes betting if nobody has, and at some houses begins the round."""
    if desk.table.phase not in (Phase.DEALING, Phase.OUTCOME):
        _start(desk)


def draw_card(desk: Desk, body: cmd.DrawCard, *, other: bool = False) -> Situation | None:
    """Draw the next card of the round and put it where it went; what is wrong with that, if anything is.

    One that came where another was known to come lies aside: a hand has it only if the post lets it count.
    """
    begin_deal(desk)
    due = due_hand(desk)
    if other:
        hand = body.hand or (None if isinstance(due, Refused) else due[0])
        desk.emit(ev.CardsSetAside(cards=(body.card,), hand=hand, by=body.by or desk.actor))
        return Situation.ORDER_ALTERED
    by = source_of(desk.table) or body.by or desk.actor
    if isinstance(due, Refused) or (body.hand is not None and is_unauthorised(desk, due[0], body.hand)):
        assert body.hand is not None
        card = body.card or expected_cards(desk.table, 1)[0]
        desk.emit(ev.CardsSetAside(cards=(card,), hand=body.hand, by=by))
        if isinstance(due, Refused) and due.reason is Refusal.HANDS_NOT_OPEN:  # judged once they are
            return None
        player = body.hand is Hand.PLAYER
        return Situation.UNAUTHORISED_PLAYER_CARD if player else Situation.UNAUTHORISED_BANKER_CARD
    if body.hand in (None, due[0]):
        lay_card(desk, due, body.card, by)
        return None
    lay_card(desk, (body.hand, ()), body.card, by, misplaced=True)
    return out_of_place(desk)


def out_of_place(desk: QueryDesk) -> Situation:
    """A card at the wrong hand is out of order; a document may know third cards by their number alone."""
    known = {row.situation for row in desk.document.irregularities}
    third = len(current_round(desk).cards) > 4
    by_number = Situation.WRONG_NUMBER_OF_CARDS in known and Situation.WRONG_ORDER not in known
    return Situation.WRONG_NUMBER_OF_CARDS if third and by_number else Situation.WRONG_ORDER


def is_unauthorised(desk: QueryDesk, due: Hand, hand: Hand) -> bool:
    """A third card for a Player who stands while the Banker draws; any other card is out of order."""
    return hand is Hand.PLAYER and due is Hand.BANKER and len(current_round(desk).cards) == 4


def whose(desk: Desk, by: str | None) -> str | Refused:
    """In whose name cards are handled: the actor's, or a patron's at the felt for whom staff enter it."""
    if by is None or by == desk.actor:
        return desk.actor
    entered = desk.is_staff(desk.actor) and not desk.table.setup.terminal
    return by if entered else refuse(Refusal.NOT_YOURS, patron=by)


def is_empty(desk: QueryDesk) -> bool:
    """Whether the next card would come from a dealing device that has none."""
    shoe = desk.table.shoe
    return shoe is not None and shoe.left == 0 and source_of(desk.table) is None


def lay_card(
    desk: Desk,
    due: tuple[Hand, tuple[Clause, ...]],
    card: Card | None,
    by: str,
    *,
    misplaced: bool = False,
) -> None:
    """Lay a card at a hand, face down or open, and go on from there."""
    hand, clauses = due
    method = find_method(desk.document, desk.table.method) if desk.table.method else None
    own: tuple[Clause, ...] = (method.device_clause, method.drawn_clause) if method else ()
    decides = desk.document.authority.not_covered
    if method and decides and method.drawn_by == "patron" and _is_dealt_on(desk):
        own = (decides.clause,)
    elif method and method.drawn_by == "patron" and by not in (desk.table.device_holder, STRAY, RESERVE):
        own = ()  # somebody else drew it
    is_third = len(current_round(desk).cards) >= 4
    opens = card is not None and opens_at_once(desk, hand, third=is_third)
    state = CardState.EXPOSED if opens else CardState.FACE_DOWN
    squeezing = desk.document.squeezing
    third = is_third and squeezing is not None and squeezing.third_cards
    cited = (*clauses, *own, *((third,) if third else ()))
    desk.emit(ev.CardDrawn(hand=hand, card=card, state=state, by=by, clauses=each_once(cited)))
    if desk.table.free_hands:
        end_free_hands(desk)
    if not misplaced:
        advance(desk)


def _open_waiting(desk: Desk) -> None:
    """Open the hands that waited for the Dealer's order, as far as it is their turn."""
    current, rule = current_round(desk), desk.document.squeezing
    if len(current.cards) < 4 or Automatic.EXPOSE not in desk.table.setup.automatic:
        return
    if rule is None or rule.reveal_order is None or desk.table.method is not Method.A:
        return
    for hand in Hand:
        cards = [each for each in current_round(desk).cards if each.hand is hand]
        closed = any(each.state is not CardState.EXPOSED for each in cards)
        known = all(each.card for each in cards)
        if closed and known and not is_handled(desk, hand) and not opens_after_other(desk, hand):
            faces = tuple(each.card for each in cards if each.card)
            clauses = (rule.reveal_order,)
            desk.emit(ev.CardsExposed(hand=hand, cards=faces, by=desk.actor, clauses=clauses))


def refuse_first_card(desk: QueryDesk) -> Refused | None:
    """Refuse the first card of a round, whoever draws it, while something is owed before it."""
    return refuse_cards_of_round(desk) or _refuse_over_differential(desk)


def refuse_cards_of_round(desk: QueryDesk) -> Refused | None:
    """Refuse cards that would begin a round while a free hand, new cards or a burn are owed before it."""
    shoe = desk.table.shoe
    if desk.table.free_hand_by is not None and (desk.round is None or becomes_free(desk.table)):
        return refuse(Refusal.FREE_HAND_DUE, desk.table.free_hand_by)
    dealt_again = desk.round is not None and desk.round.same_cards
    if shoe is not None and shoe.new_cards_due and not dealt_again:
        return refuse_new_cards_due(shoe)
    if shoe is not None and shoe.doubted_by is not None:
        return refuse(Refusal.CARDS_IN_DOUBT, shoe.doubted_by)
    return not_cut(desk) or refuse_before_burn(desk)


def _refuse_over_differential(desk: QueryDesk) -> Refused | None:
    """Refuse the first card while the differential is exceeded; one that really came is recorded."""
    limits = desk.document.limits
    if limits is None or limits.differential is None or gap_of(desk.table) <= desk.table.setup.differential:
        return None
    row = differential_row(desk)
    clauses = [clause for clause in (limits.differential.limit_clause, row.clause if row else None) if clause]
    asks = [each.clause for each in row.effects if isinstance(each, AskToDecrease)] if row else []
    unasked = [] if desk.table.decrease_asked else asks
    return refuse(Refusal.DIFFERENTIAL_MUST_BE_MET, *dict.fromkeys((*clauses, *unasked)))


def refuse_drawer(desk: Desk, body: cmd.DrawCard) -> Refused | None:
    """Refuse whoever may not draw: in methods A and B the device is the Dealer's, in method C a patron's."""
    drawer = whose(desk, body.by)
    if isinstance(drawer, Refused):
        return drawer
    method = find_method(desk.document, desk.table.method) if desk.table.method else None
    if method is not None and method.drawn_by == "patron":
        if desk.is_staff(drawer) and _is_dealt_on(desk):
            return desk.refuse_other_than_dealer(_clauses_of_dealer(desk))
        if is_drawn_by_another(desk, body, drawer):
            return refuse_unwatched(desk)
        if drawer != desk.table.device_holder:
            assert desk.document.methods is not None
            third = desk.round is not None and len(desk.round.cards) >= 4
            further = (desk.document.methods.control.third_cards,) if third else ()
            return refuse(Refusal.NOT_THE_DRAWER, method.drawn_clause, *further)
        return refuse_unwatched(desk) or may_keep_drawing(desk, drawer)
    if desk.is_staff(drawer):
        return desk.refuse_other_than_dealer(_clauses_of_dealer(desk))
    clauses = (method.device_clause, method.drawn_clause) if method else ()
    return refuse(Refusal.NOT_THE_DRAWER, *clauses)


def is_drawn_by_another(desk: Desk, body: cmd.DrawCard, drawer: str) -> bool:
    """Whether staff record that a card came which somebody drew who does not control the dealing device."""
    if not body.instead or drawer == desk.table.device_holder:
        return False
    method = find_method(desk.document, desk.table.method) if desk.table.method else None
    others = method is not None and method.drawn_by == "patron"
    here = desk.is_staff(drawer) or is_here(desk, drawer)
    return others and desk.is_staff(desk.actor) and here and not _is_dealt_on(desk)


def _clauses_of_dealer(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clauses by which the Dealer deals: of the first card, of the four, or of a third one."""
    begins, lying = desk.document.round.begins, len(desk.round.cards) if desk.round else 0
    if lying >= 4:
        return (desk.document.table_of_play.clause,)
    return (begins.clause,) if begins.at == "first-card" else desk.document.deal.two_hands


def _is_dealt_on(desk: QueryDesk) -> bool:
    """Whether the Dealer draws where patrons do: nobody controls the device, and the post lets play go on.

    What becomes of the round was referred after the device was given up; otherwise another patron takes it.
    """
    ruled = desk.round is not None and Situation.NOT_COVERED in desk.round.noted
    return ruled and desk.table.device_holder is None


def refuse_unwatched(desk: Desk) -> Refused | None:
    """A patron draws in full view of the staff, so that somebody must be on duty; at training nobody is."""
    control = desk.document.methods.control if desk.document.methods else None
    if control is None or control.in_view is None or desk.table.setup.training:
        return None
    present = desk.table.is_attended_at(desk.envelope.received_at)
    return None if present else refuse(Refusal.NO_STAFF_PRESENT, control.in_view)


def may_keep_drawing(desk: QueryDesk, drawer: str) -> Refused | None:
    """Tell whether the patron who draws is at the table with a valid wager, or a post permits it without."""
    assert desk.document.methods is not None
    control = desk.document.methods.control
    if not is_here(desk, drawer):
        return refuse(Refusal.UNKNOWN_PATRON, control.kept, patron=drawer)
    return refuse_without_wager(desk, drawer)


def refuse_without_wager(desk: QueryDesk, drawer: str) -> Refused | None:
    """Refuse a patron who draws without a valid wager or permission; a wager that goes back is none."""
    assert desk.document.methods is not None
    own = (each for each in desk.table.wagers if each.patron == drawer)
    if drawer in desk.table.drawing_permitted or any(not is_returned(desk.table, each) for each in own):
        return None
    return refuse(Refusal.WAGER_NEEDED_TO_DRAW, desk.document.methods.control.without_wager.clause)


def _start(desk: Desk) -> None:
    """The first card of the round: it closes betting, and at some houses it begins the round.

    Cards that went back to be dealt again belong to the round that is under way.
    """
    rules = desk.document.round
    if desk.table.phase is Phase.BETTING:
        desk.emit(ev.BettingClosed(call=None, clauses=rules.closes_at_first_card))
        flag_differential(desk)
    if rules.begins.at == "first-card" and desk.round is None:
        begin_round(desk, free=False)


def reopen_betting(desk: Desk) -> None:
    """Open betting again where a first card has closed it that never came: nobody has called.

    What the table said of that card is not so either.
    """
    if not desk.table.closed_by_card or desk.table.phase is not Phase.CLOSED:
        return
    over = Situation.DIFFERENTIAL_EXCEEDED
    noticed = [each for each in desk.table.open_cases if is_noticed(desk.table, each)]
    for each in [each for each in noticed if each.situation is over or each.cause is Cause.NO_CLOSING_CALL]:
        desk.emit(ev.CaseClosed(id=each.id))
    desk.emit(ev.BettingReopened(clauses=(desk.document.round.closing.clause,)))


def deal_free_hand(desk: Desk) -> Refused | None:
    """Begin the free hand that is due: wagers come off, and cards drawn in error come first."""
    policy = desk.document.free_hand
    under_way = desk.round is not None and desk.round.free
    if policy is None or not (desk.table.free_hands or under_way):
        return refuse(Refusal.NOT_AWAITED)
    refused = desk.refuse_other_than_staff() or desk.refuse_other_than_dealer((policy.meaning,))
    if refused:
        return refused
    if desk.round is not None and not becomes_free(desk.table):
        return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{desk.table.phase.value}")
    refused = not_cut(desk) or refuse_before_burn(desk)
    if refused:
        return refused
    refused = may_begin(desk) if desk.table.phase is Phase.IDLE else None
    if refused and (refused.reason is not Refusal.SHOE_PLAYED_OUT or is_empty(desk)):
        return refused  # it is owed before new cards, unless no card is left for it
    clear_wagers(desk, policy.wagers_removed)
    begin_round(desk, free=True)
    while desk.table.strays and isinstance(due := due_hand(desk), tuple):
        lay_card(desk, (due[0], (policy.meaning, policy.cards)), desk.table.strays[0], STRAY)
    return None


def clear_wagers(desk: Desk, clause: Clause | None) -> None:
    """Every stake on the felt goes back to its owner."""
    for wager in desk.table.wagers:
        desk.emit(whole_back(desk, wager, (clause,) if clause else ()))


def whole_back(desk: Desk, wager: PlacedWager, clauses: tuple[Clause, ...]) -> ev.WagerReduced:
    """A whole wager goes back; chips that were taken away late are with its patron already."""
    return reduced(desk, wager, wager.stake, clauses, gone=wager.pulled)


def open_by_dealer(desk: Desk, hand: Hand, clauses: tuple[Clause, ...], told: tuple[Card, ...] = ()) -> None:
    """Open the cards of a hand whose faces the table knows or is told, on behalf of the Dealer.

    What lies open already stays as it is.
    """
    cards = [each for each in current_round(desk).cards if each.hand is hand]
    faces = told or tuple(each.card for each in cards if each.card)
    closed = any(each.state is not CardState.EXPOSED for each in cards)
    if closed and len(faces) == len(cards):
        desk.emit(ev.CardsExposed(hand=hand, cards=faces, by=desk.actor, clauses=clauses))
        advance(desk)


def advance(desk: Desk) -> None:
    """When the last card lies open the outcome is known, and a table that calls by itself goes on."""
    _open_waiting(desk)
    if desk.table.aside:
        lay_what_waits(desk)
    current = current_round(desk)
    if len(current.cards) < 4 or came_early(desk.table):
        return
    faces = open_faces(current)
    known = desk.table.phase is Phase.OUTCOME and current.facts is not None
    if known or len(faces) < len(current.cards):
        return
    if len(faces) == 4 and isinstance(next_draw(desk.rulebook, faces[::2], faces[1::2]), Draws):
        return
    result = play_out(desk.rulebook, faces, desk.rulebook.pair_rule(desk.house))
    if not isinstance(result, Outcome) or not in_order(desk, current):  # laid again first
        return
    clauses = each_once(tuple([clause for moment in result.moments for clause in moment.clauses]))
    desk.emit(ev.OutcomeKnown(facts=result.facts, clauses=clauses))
    if Automatic.CALL in desk.table.setup.automatic and blocking(desk.table) is None:
        call_outcome(desk, result.facts.winner)


def announce_totals(desk: Desk, body: cmd.AnnounceTotals) -> Refused | None:
    """Record the point totals that are announced before a third card; whatever is said, the cards decide."""
    current = desk.round
    cards = current.cards if current else ()
    clause = desk.document.table_of_play.clause
    if len(cards) > 4 or (current is not None and current.announced is not None):
        return refuse(Refusal.NOT_AWAITED)
    if current is None or len(cards) < 4:
        return refuse(Refusal.NOT_IN_THIS_PHASE, clause, phase=f"@phase.{desk.table.phase.value}")
    if any(each.state is not CardState.EXPOSED for each in cards):
        return refuse(Refusal.HANDS_NOT_OPEN, clause)
    right = tuple(point_total(hand) for hand in hands_of(current.cards))
    wrong = () if (body.player, body.banker) == right else cards_decide(desk)
    said = ev.TotalsAnnounced(player=body.player, banker=body.banker, by=desk.actor, clauses=(clause, *wrong))
    desk.emit(said)
    return None
