"""Cards: who draws, where a card goes, who opens it, and when the outcome is known."""

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import RESERVE, STRAY
from thirdcard.game.betting import begin_round, differential_row, flag_differential
from thirdcard.game.closing import call_outcome
from thirdcard.game.desk import Desk
from thirdcard.game.floor import find_method, may_begin
from thirdcard.game.limits import gap_of
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.game.squeezing import entitled, holder_of, stakes_on
from thirdcard.game.state import Automatic, CardState, Hand, Phase, Round, Table
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Method, RequireAlteration
from thirdcard.rulebook.procedure import Grant


def current_round(desk: Desk) -> Round:
    """The round that is under way."""
    assert desk.table.round is not None
    return desk.table.round


def open_faces(current: Round) -> tuple[Card, ...]:
    """The exposed cards in draw order."""
    return tuple(each.card for each in current.cards if each.card and each.state is CardState.EXPOSED)


def due_hand(desk: Desk) -> tuple[Hand, tuple[Clause, ...]] | Refused:
    """The hand that takes the next card and the clauses by which it does."""
    current = current_round(desk)
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
    result = play_out(desk.rulebook, faces, desk.rulebook.pair_rule(desk.house))
    if isinstance(result, Outcome):
        return refuse(Refusal.NO_CARD_DUE, *result.moments[-2].clauses[-1:])
    hand = Hand.PLAYER if dict(result.params).get("hand") == "@hand.player" else Hand.BANKER
    return hand, (desk.document.table_of_play.clause, *(Clause(each) for each in result.clauses))


def may_draw(desk: Desk, body: cmd.DrawCard) -> Refused | None:
    """Why no card may be drawn: the differential, somebody else's device, or no hand takes one."""
    refused = _drawer(desk, body)
    if desk.table.phase is not Phase.DEALING:
        return _first_card(desk, body) or refused
    due = due_hand(desk)
    return refused or (due if isinstance(due, Refused) else None)


def draw_card(desk: Desk, body: cmd.DrawCard) -> None:
    """Draw the next card of the round; the first one closes betting if nobody has."""
    if desk.table.phase is not Phase.DEALING:
        _start(desk)
    due = due_hand(desk)
    assert not isinstance(due, Refused)
    lay_card(desk, due, body.card, source_of(desk.table) or body.by or desk.actor)


def whose(desk: Desk, by: str | None) -> str | Refused:
    """In whose name cards are handled: the actor's, or a patron's at the felt for whom staff enter it."""
    if by is None or by == desk.actor:
        return desk.actor
    entered = desk.is_staff(desk.actor) and not desk.table.setup.terminal
    return by if entered else refuse(Refusal.NOT_YOURS, patron=by)


def is_empty(desk: Desk) -> bool:
    """Whether the next card would come from a dealing device that has none."""
    shoe = desk.table.shoe
    return shoe is not None and shoe.left == 0 and source_of(desk.table) is None


def source_of(table: Table) -> str | None:
    """Where the next card is if not in the shoe: cards drawn in error open a round, reserved ones end it."""
    cards = table.round.cards if table.phase is Phase.DEALING and table.round else ()
    if table.reserved and len(cards) >= 4:
        return RESERVE
    return STRAY if table.strays and (not cards or cards[-1].drawn_by == STRAY) else None


def lay_card(desk: Desk, due: tuple[Hand, tuple[Clause, ...]], card: Card | None, by: str) -> None:
    """Lay a card at a hand, face down or open, and go on from there."""
    hand, clauses = due
    method = find_method(desk.document, desk.table.method) if desk.table.method else None
    own = (method.device_clause, method.drawn_clause) if method else ()
    if by in (RESERVE, STRAY):
        card = (desk.table.reserved if by == RESERVE else desk.table.strays)[0]
    state = CardState.EXPOSED if card is not None and _opens_at_once(desk, hand) else CardState.FACE_DOWN
    squeezing = desk.document.squeezing
    third = len(current_round(desk).cards) >= 4 and squeezing is not None and squeezing.third_cards
    cited = (*clauses, *own, *((third,) if third else ()))
    desk.emit(ev.CardDrawn(hand=hand, card=card, state=state, by=by, clauses=tuple(dict.fromkeys(cited))))
    advance(desk)


def _opens_at_once(desk: Desk, hand: Hand) -> bool:
    """Whether the table opens a card by itself: nobody holds the hand or is to get it."""
    if Automatic.EXPOSE not in desk.table.setup.automatic or holder_of(desk, hand):
        return False
    if current_round(desk).free or len(current_round(desk).cards) >= 4:
        return True
    return entitled(desk, hand) is None


def _first_card(desk: Desk, body: cmd.DrawCard) -> Refused | None:
    limits = desk.document.limits
    if desk.table.free_hand_by is not None and desk.round is None:
        return refuse(Refusal.FREE_HAND_DUE, desk.table.free_hand_by)
    exceeded = gap_of(desk.table) > desk.table.setup.differential
    if limits is None or limits.differential is None or not exceeded:
        return None
    row = differential_row(desk)
    must_alter = row is not None and isinstance(row.effects[0], RequireAlteration)
    if must_alter and body.despite_differential:
        return None
    clauses = [clause for clause in (limits.differential.limit_clause, row.clause if row else None) if clause]
    return refuse(Refusal.DIFFERENTIAL_MUST_BE_MET, *dict.fromkeys(clauses))


def _drawer(desk: Desk, body: cmd.DrawCard) -> Refused | None:
    """In methods A and B the dealing device is the Dealer's, in method C the patron's who controls it."""
    drawer = whose(desk, body.by)
    if isinstance(drawer, Refused):
        return drawer
    method = find_method(desk.document, desk.table.method) if desk.table.method else None
    if method is not None and method.drawn_by == "patron":
        if drawer != desk.table.device_holder:
            return refuse(Refusal.NOT_THE_DRAWER, method.drawn_clause)
        return None
    if desk.is_staff(drawer):
        return None
    clauses = (method.device_clause,) if method else ()
    return refuse(Refusal.NOT_THE_DRAWER, *clauses)


def _start(desk: Desk) -> None:
    """The first card of the round: it closes betting, and at some houses it begins the round.

    Cards that went back to be dealt again belong to the round that is under way.
    """
    rules = desk.document.round
    if desk.table.phase is Phase.BETTING:
        clauses = rules.closes_at_first_card or (rules.closing.clause,)
        desk.emit(ev.BettingClosed(call=None, clauses=clauses))
        flag_differential(desk)
    if rules.begins.at == "first-card" and desk.round is None:
        begin_round(desk, free=False)


def deal_free_hand(desk: Desk) -> Refused | None:
    """Begin the free hand that is due: wagers come off, and cards drawn in error come first."""
    clause, policy = desk.table.free_hand_by, desk.document.free_hand
    if clause is None or policy is None:
        return refuse(Refusal.NOT_AWAITED)
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    if desk.round is not None:
        return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{desk.table.phase.value}")
    refused = may_begin(desk) if desk.table.phase is Phase.IDLE else None
    if refused:
        return refused
    clear_wagers(desk, policy.wagers_removed)
    begin_round(desk, free=True)
    while desk.table.strays and isinstance(due := due_hand(desk), tuple):
        lay_card(desk, (due[0], (policy.meaning, policy.cards)), None, STRAY)
    return None


def clear_wagers(desk: Desk, clause: Clause) -> None:
    """Every stake on the felt goes back to its owner."""
    for wager in desk.table.wagers:
        back = ev.WagerReduced(
            id=wager.id,
            patron=wager.patron,
            wager=wager.wager,
            amount=wager.stake,
            by=desk.actor,
            clauses=(clause,),
        )
        desk.emit(back)


def pass_cards(desk: Desk, body: cmd.PassCards) -> Refused | None:
    """Pass a hand face down to the patron who is to have it."""
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    refused = may_handle(desk, body.hand)
    if refused:
        return refused
    if body.patron in desk.table.squeeze_permitted and desk.document.squeezing:
        grant = desk.document.squeezing.permission
        deliver(desk, body.hand, body.patron, (grant.clause,) if grant else ())
        return None
    right = entitled(desk, body.hand)
    if isinstance(right, Refused):
        return right
    if right is None or right[0] != body.patron:
        clauses = right[1] if right else ()
        return refuse(Refusal.NOT_THE_SQUEEZER, *clauses, patron=body.patron)
    deliver(desk, body.hand, body.patron, right[1])
    return None


def may_handle(desk: Desk, hand: Hand) -> Refused | None:
    """Why nobody may handle a hand: the method forbids it, or its cards do not lie face down."""
    if desk.table.method is Method.B:
        method = find_method(desk.document, Method.B)
        assert method is not None
        return refuse(Refusal.PATRONS_MAY_NOT_HANDLE_CARDS, method.opened_clause)
    cards = [each for each in current_round(desk).cards if each.hand is hand]
    if len(cards) < 2 or any(each.state is CardState.EXPOSED for each in cards[:2]):
        return refuse(Refusal.CARDS_ARE_FACE_UP)
    return None


def deliver(desk: Desk, hand: Hand, patron: str, clauses: tuple[Clause, ...]) -> None:
    """Pass a hand to a patron, through the Dealer where another patron drew it."""
    control = desk.document.methods.control if desk.document.methods else None
    through = (control.passed_through_dealer,) if control and desk.table.method is Method.C else ()
    squeezing = desk.document.squeezing
    meaning = (squeezing.meaning,) if squeezing and squeezing.meaning else ()
    cited = tuple(dict.fromkeys((*clauses, *through, *meaning)))
    desk.emit(ev.CardsDelivered(hand=hand, patron=patron, clauses=cited))


def choose_squeezer(desk: Desk, body: cmd.ChooseSqueezer) -> Refused | None:
    """The post that the document names picks who handles a hand where the order of wagers does not tell."""
    rule = desk.document.squeezing
    steps = [step for step in rule.order if step.rule == "ruling"] if rule else []
    if not steps or not isinstance(entitled(desk, body.hand), Refused):
        return refuse(Refusal.NOT_AWAITED)
    step = steps[0]
    assert step.by is not None
    by = desk.authority(Grant(step.by, step.clause))
    if isinstance(by, Refused):
        return by
    refused = may_handle(desk, body.hand)
    if refused:
        return refused
    if body.patron not in stakes_on(desk, body.hand):
        return refuse(Refusal.NOT_THE_SQUEEZER, step.clause, patron=body.patron)
    deliver(desk, body.hand, body.patron, by)
    return None


def decline_cards(desk: Desk, body: cmd.DeclineCards) -> Refused | None:
    """A patron does not want the cards; they go to the next, or the Dealer opens them."""
    right = entitled(desk, body.hand)
    holds = holder_of(desk, body.hand) == body.patron
    if not holds and (right is None or isinstance(right, Refused) or right[0] != body.patron):
        return refuse(Refusal.NOT_THE_SQUEEZER, patron=body.patron)
    clauses = right[1] if isinstance(right, tuple) else ()
    desk.emit(ev.CardsDeclined(hand=body.hand, patron=body.patron, clauses=clauses))
    if entitled(desk, body.hand) is None and Automatic.EXPOSE in desk.table.setup.automatic:
        open_by_dealer(desk, body.hand, ())
    return None


def open_by_dealer(desk: Desk, hand: Hand, clauses: tuple[Clause, ...]) -> None:
    """Open the cards of a hand whose faces the table knows, on behalf of the Dealer."""
    faces = tuple(each.card for each in current_round(desk).cards if each.hand is hand and each.card)
    count = sum(each.hand is hand for each in current_round(desk).cards)
    if count and len(faces) == count:
        desk.emit(ev.CardsExposed(hand=hand, cards=faces, by=desk.actor, clauses=clauses))
        advance(desk)


def look_at_cards(desk: Desk, body: cmd.LookAtCards) -> Refused | None:
    """The holder of a hand begins to look."""
    if holder_of(desk, body.hand) != body.patron or desk.actor != body.patron:
        return refuse(Refusal.NOT_THE_SQUEEZER, patron=body.patron)
    squeezing = desk.document.squeezing
    meaning = (squeezing.meaning,) if squeezing and squeezing.meaning else ()
    desk.emit(ev.CardsSeen(hand=body.hand, patron=body.patron, clauses=meaning))
    return None


def choose_reveal_order(desk: Desk, body: cmd.ChooseRevealOrder) -> Refused | None:
    """The Dealer decides which hand is opened first."""
    squeezing = desk.document.squeezing
    if squeezing is None or squeezing.reveal_order is None:
        return refuse(Refusal.NOT_AWAITED)
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF, squeezing.reveal_order)
    desk.emit(ev.RevealOrderChosen(first=body.first, clauses=(squeezing.reveal_order,)))
    return None


def expose_cards(desk: Desk, body: cmd.ExposeCards) -> Refused | None:
    """Open the cards of a hand: its holder does, or the Dealer where nobody holds them."""
    current = current_round(desk)
    held = [each for each in current.cards if each.hand is body.hand]
    holder, opener = holder_of(desk, body.hand), whose(desk, body.by)
    if isinstance(opener, Refused):
        return opener
    if holder is not None and opener != holder:
        return refuse(Refusal.NOT_THE_SQUEEZER, patron=opener)
    if holder is None and not desk.is_staff(opener):
        return refuse(Refusal.NOT_STAFF)
    faces = body.cards or tuple(each.card for each in held if each.card)
    known_right = all(each.card in (None, face) for each, face in zip(held, faces, strict=False))
    if not held or len(faces) != len(held) or not known_right:
        return refuse(Refusal.CARD_FACES_NEEDED, cards=len(held))
    squeezing = desk.document.squeezing
    first = current.reveal_first
    if first is not None and first is not body.hand and squeezing and squeezing.reveal_order:
        waiting = [
            each for each in current.cards if each.hand is first and each.state is not CardState.EXPOSED
        ]
        if waiting:
            return refuse(Refusal.HANDS_NOT_OPEN, squeezing.reveal_order)
    desk.emit(ev.CardsExposed(hand=body.hand, cards=faces, by=opener, clauses=_opening_clauses(desk)))
    advance(desk)
    return None


def _opening_clauses(desk: Desk) -> tuple[Clause, ...]:
    methods = desk.document.methods
    if methods is None or desk.table.method is not Method.C:
        return ()
    control = methods.control
    third = len(current_round(desk).cards) > 4
    return (control.third_cards, control.opened_cards_placed) if third else (control.opened_hands_placed,)


def advance(desk: Desk) -> None:
    """When the last card lies open the outcome is known, and a table that calls by itself goes on."""
    current = current_round(desk)
    faces = open_faces(current)
    if len(faces) < len(current.cards) or len(faces) < 4:
        return
    result = play_out(desk.rulebook, faces, desk.rulebook.pair_rule(desk.house))
    if not isinstance(result, Outcome):
        return
    clauses = tuple(dict.fromkeys(clause for moment in result.moments for clause in moment.clauses))
    desk.emit(ev.OutcomeKnown(facts=result.facts, clauses=clauses))
    if Automatic.CALL in desk.table.setup.automatic:
        call_outcome(desk, result.facts.winner)
