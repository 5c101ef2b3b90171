"""Cards in the hands of patrons: who gets them, looks at them and opens them."""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.dealing import advance, current_round, open_by_dealer, whose
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.methods import find_method
from thirdcard.game.squeezing import entitled, holder_of, is_dealers, request_squeeze, right_to
from thirdcard.game.state import CardState, Hand
from thirdcard.game.table_setup import Automatic
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import ExposeByDealer, Method
from thirdcard.rulebook.procedure import Grant


def pass_cards(desk: Desk, body: cmd.PassCards) -> Refused | None:
    """Pass a hand face down to the patron who is to have it."""
    refused = desk.refuse_other_than_staff(*_through_dealer(desk)) or may_handle(desk, body.hand)
    if refused:
        return refused
    clauses = right_to(desk, body.hand, body.patron)
    if clauses is None:
        right = entitled(desk, body.hand)
        if isinstance(right, Refused):
            return right
        by = _opened_by_dealer(desk) if is_dealers(desk, body.hand) else ()
        return refuse(Refusal.NOT_THE_SQUEEZER, *(right[1] if right else by), patron=body.patron)
    if holder_of(desk, body.hand) == body.patron:  # with all its cards, also one that came since
        return refuse(Refusal.WAS_DELIVERED, *clauses, patron=body.patron, hand=f"@hand.{body.hand.value}")
    deliver(desk, body.hand, body.patron, clauses)
    return None


def _opened_by_dealer(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clause by which the Dealer opens a hand whose patron is away."""
    effects = (effect for row in desk.document.irregularities for effect in row.effects)
    return tuple(dict.fromkeys(each.clause for each in effects if isinstance(each, ExposeByDealer)))


def _through_dealer(desk: QueryDesk) -> tuple[Clause, ...]:
    """The clause by which a hand goes through a Dealer, where a patron draws the cards."""
    methods = desk.document.methods
    return (methods.control.passed_through_dealer,) if methods and desk.table.method is Method.C else ()


def pass_astray(desk: Desk, body: cmd.PassCards) -> Refused | None:
    """Record that a hand went to a patron who is not to have it; it may lie open by now."""
    refused = desk.refuse_other_than_staff()
    if refused:
        return refused
    cards = [each for each in current_round(desk).cards if each.hand is body.hand]
    if desk.document.squeezing is None or not cards:
        return refuse(Refusal.NOT_AWAITED)
    if not is_here(desk, body.patron):
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.patron)
    closed = sum(each.state is not CardState.EXPOSED for each in cards)
    third = closed and closed < len(cards)  # a hand may lie where it should while its third card does not
    passed = closed and (third or holder_of(desk, body.hand) is None)
    right = entitled(desk, body.hand)
    if passed and isinstance(right, Refused):  # the post says first who is to have it
        return right
    if passed:
        desk.emit(ev.CardsDelivered(hand=body.hand, patron=body.patron))
    return None


def may_handle(desk: QueryDesk, hand: Hand) -> Refused | None:
    """Why nobody may handle a hand: the method forbids it, it is not dealt yet, or its cards lie open."""
    if desk.table.method is Method.B:
        method = find_method(desk.document, Method.B)
        assert method is not None
        return refuse(Refusal.PATRONS_MAY_NOT_HANDLE_CARDS, method.opened_clause)
    if sum(each.hand is hand for each in current_round(desk).cards) < 2:  # its second card is still to come
        return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{desk.table.phase.value}")
    return _lies_open(desk, hand)


def deliver(
    desk: Desk, hand: Hand, patron: str, clauses: tuple[Clause, ...], *, chosen: bool = False
) -> None:
    """Pass a hand to a patron, through the Dealer where another patron drew it."""
    control = desk.document.methods.control if desk.document.methods else None
    through = (control.passed_through_dealer,) if control and desk.table.method is Method.C else ()
    squeezing = desk.document.squeezing
    meaning = (squeezing.meaning,) if squeezing and squeezing.meaning else ()
    cited = tuple(dict.fromkeys((*clauses, *through, *meaning)))
    desk.emit(ev.CardsDelivered(hand=hand, patron=patron, chosen=chosen, clauses=cited))


def choose_squeezer(desk: Desk, body: cmd.ChooseSqueezer) -> Refused | None:
    """The post that the document names picks who handles a hand where the order of wagers does not tell.

    It does not where nobody backs the hand, or everybody who does has declined it. A hand whose patron is
    away is the Dealer's.
    """
    grant = choice_of_squeezer(desk, body.hand)
    if grant is None:
        return refuse(Refusal.NOT_AWAITED)
    by = desk.authority(grant)
    if isinstance(by, Refused):
        return by
    refused = may_handle(desk, body.hand)
    if refused:
        return refused
    if not is_here(desk, body.patron):
        return refuse(Refusal.UNKNOWN_PATRON, grant.clause, patron=body.patron)
    deliver(desk, body.hand, body.patron, by, chosen=True)
    return None


def choice_of_squeezer(desk: QueryDesk, hand: Hand) -> Grant | None:
    """Return the power to pick who handles a hand; nothing where the order of wagers names somebody."""
    rule = desk.document.squeezing
    steps = [step for step in rule.order if step.rule == "ruling"] if rule else []
    right, lies_free = entitled(desk, hand), holder_of(desk, hand) is None
    nobody = right is None and lies_free and not desk.table.squeeze_forbidden and not is_dealers(desk, hand)
    if not steps or not (nobody or isinstance(right, Refused)):
        return None
    step = steps[0]
    assert step.by is not None
    return Grant(step.by, step.clause)


def _lies_open(desk: QueryDesk, hand: Hand) -> Refused | None:
    """Why there is nothing left to open, to look at or to decline: every card of a hand lies open."""
    states = {each.state for each in current_round(desk).cards if each.hand is hand}
    return refuse(Refusal.CARDS_ARE_FACE_UP) if states == {CardState.EXPOSED} else None


def _refuse_away(desk: QueryDesk, patron: str) -> Refused | None:
    """Refuse whoever has left the table and has a hand lying there: the Dealer opens it."""
    return None if is_here(desk, patron) else refuse(Refusal.UNKNOWN_PATRON, patron=patron)


def decline_cards(desk: Desk, body: cmd.DeclineCards) -> Refused | None:
    """A patron does not want the cards; they go to the next, or the Dealer opens them."""
    right = entitled(desk, body.hand)
    holds = holder_of(desk, body.hand) == body.patron
    if not holds and (right is None or isinstance(right, Refused) or right[0] != body.patron):
        return refuse(Refusal.NOT_THE_SQUEEZER, patron=body.patron)
    refused = _refuse_away(desk, body.patron) or _lies_open(desk, body.hand)
    if refused:
        return refused
    clauses = right[1] if isinstance(right, tuple) else ()
    desk.emit(ev.CardsDeclined(hand=body.hand, patron=body.patron, clauses=clauses))
    if entitled(desk, body.hand) is None and Automatic.EXPOSE in desk.table.setup.automatic:
        open_by_dealer(desk, body.hand, ())
    return None


def look_at_cards(desk: Desk, body: cmd.LookAtCards) -> Refused | None:
    """The holder of a hand begins to look."""
    if holder_of(desk, body.hand) != body.patron or desk.actor != body.patron:
        return refuse(Refusal.NOT_THE_SQUEEZER, patron=body.patron)
    refused = _refuse_away(desk, body.patron) or _lies_open(desk, body.hand)
    if refused:
        return refused
    squeezing = desk.document.squeezing
    meaning = (squeezing.meaning,) if squeezing and squeezing.meaning else ()
    desk.emit(ev.CardsSeen(hand=body.hand, patron=body.patron, clauses=meaning))
    return None


def choose_reveal_order(desk: Desk, body: cmd.ChooseRevealOrder) -> Refused | None:
    """The Dealer decides which hand is opened first."""
    squeezing = desk.document.squeezing
    if squeezing is None or squeezing.reveal_order is None:
        return refuse(Refusal.NOT_AWAITED)
    refused = desk.refuse_other_than_staff(squeezing.reveal_order)
    if refused:
        return refused
    desk.emit(ev.RevealOrderChosen(first=body.first, clauses=(squeezing.reveal_order,)))
    advance(desk)
    return None


def expose_cards(desk: Desk, body: cmd.ExposeCards) -> Refused | None:
    """Open the cards of a hand: its holder does, or the Dealer where nobody holds them."""
    current = current_round(desk)
    held = [each for each in current.cards if each.hand is body.hand]
    holder, opener = holder_of(desk, body.hand), whose(desk, body.by)
    if isinstance(opener, Refused):
        return opener
    squeezing = desk.document.squeezing
    if holder is not None and opener != holder:
        third = (squeezing.third_cards,) if squeezing and squeezing.third_cards and len(held) > 2 else ()
        return refuse(Refusal.NOT_THE_SQUEEZER, *third, patron=opener)
    refused = _refuse_opener(desk, body.hand, opener) or (_refuse_away(desk, opener) if holder else None)
    if refused:
        return refused
    faces = body.cards or tuple(each.card for each in held if each.card)
    if not held or len(faces) != len(held):
        return refuse(Refusal.CARD_FACES_NEEDED, cards=len(held))
    for known, face in zip((each.card for each in held), faces, strict=True):
        if known not in (None, face):
            return refuse(Refusal.OTHER_FACE_KNOWN, card=known.text)
    refused = _lies_open(desk, body.hand)
    if refused:
        return refused
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


def _refuse_opener(desk: Desk, hand: Hand, opener: str) -> Refused | None:
    """Refuse who neither holds the hand, nor draws, nor deals; what a patron opens the Dealer enters.

    Who draws does not open the hand of a patron who is away.
    """
    holder = holder_of(desk, hand)
    draws = desk.table.method is Method.C and opener == desk.table.device_holder
    if draws and is_dealers(desk, hand):
        return refuse(Refusal.NOT_THE_SQUEEZER, *_opened_by_dealer(desk), patron=opener)
    if desk.actor == opener and (draws or opener == holder):
        return None
    if holder is None and not desk.is_staff(opener) and not draws:
        return refuse(Refusal.NOT_STAFF)
    return desk.refuse_other_than_dealer(())


def _opening_clauses(desk: QueryDesk) -> tuple[Clause, ...]:
    methods = desk.document.methods
    if methods is None or desk.table.method is not Method.C:
        return ()
    control = methods.control
    third = len(current_round(desk).cards) > 4
    return (control.third_cards, control.opened_cards_placed) if third else (control.opened_hands_placed,)


def control_squeezing(
    desk: Desk, body: cmd.PermitSqueeze | cmd.ForbidSqueeze | cmd.RequestSqueeze
) -> Refused | None:
    """Permit squeezing, forbid it, or note who asks for it."""
    rule = desk.document.squeezing
    if isinstance(body, cmd.RequestSqueeze):
        granted = request_squeeze(desk, body.patron)
        if isinstance(granted, Refused):
            return granted
        desk.emit(ev.SqueezeRequested(patron=body.patron, clauses=granted))
        return None
    permit = isinstance(body, cmd.PermitSqueeze)
    grant = (rule.permission if permit else rule.prohibition) if rule else None
    if grant is None:
        return refuse(Refusal.NOT_AWAITED)
    by = desk.authority(grant)
    if isinstance(by, Refused):
        return by
    if isinstance(body, cmd.PermitSqueeze):
        if desk.table.method is Method.B:
            method = find_method(desk.document, Method.B)
            clauses = (method.opened_clause,) if method else ()
            return refuse(Refusal.PATRONS_MAY_NOT_HANDLE_CARDS, *clauses)
        desk.emit(ev.SqueezePermitted(person=body.person, by=desk.actor, clauses=by))
    else:
        desk.emit(ev.SqueezeForbidden(patron=body.patron, by=desk.actor, clauses=by))
        for holding in desk.round.holdings if desk.round else ():
            if body.patron in (None, holding.patron):  # the cards go back to the Dealer, who opens them
                desk.emit(ev.CardsDeclined(hand=holding.hand, patron=holding.patron, clauses=by))
    return None
