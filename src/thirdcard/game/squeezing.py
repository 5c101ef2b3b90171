"""The patron who handles the cards of a hand: by wager, by permission, on request, or nobody."""

from thirdcard.clauses import Clause
from thirdcard.game.card_folds import DEALERS_OWN
from thirdcard.game.desk import QueryDesk
from thirdcard.game.limits import is_returned
from thirdcard.game.state import CardState, Case, Hand, Holding, PlacedWager, Round
from thirdcard.game.table_setup import Automatic
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import DeduceMissingCards, Method
from thirdcard.rulebook.procedure import Squeezing

Entitled = tuple[str, tuple[Clause, ...]]


def holder_of(desk: QueryDesk, hand: Hand) -> str | None:
    """The patron with whom a hand lies."""
    current = desk.table.round
    for each in current.holdings if current else ():
        if each.hand is hand:
            return each.patron
    return None


def entitled(desk: QueryDesk, hand: Hand) -> Entitled | Refused | None:
    """The patron to whom a hand goes next, with the clauses; a refusal if a ruling is needed; or nobody."""
    rule = desk.document.squeezing
    if rule is None or desk.table.squeeze_forbidden or is_dealers(desk, hand):
        return None
    if rule.basis == "on-request":
        return _on_request(desk, hand, rule)
    if desk.table.method is Method.B:
        return None
    return _by_wager(desk, hand, rule)


def is_dealers(desk: QueryDesk, hand: Hand) -> bool:
    """Whether the Dealer opens a hand with all its cards because the patron who had it is away."""
    current = desk.table.round
    return current is not None and Holding(hand, DEALERS_OWN) in current.chosen


def is_handled(desk: QueryDesk, hand: Hand) -> bool:
    """Whether a patron has a hand or is to get it, as it may be by a ruling."""
    return holder_of(desk, hand) is not None or entitled(desk, hand) is not None


def opens_at_once(desk: QueryDesk, hand: Hand, *, third: bool) -> bool:
    """Whether the table opens a card of a hand by itself: nobody holds the hand or is to get it."""
    current = desk.table.round
    assert current is not None
    if Automatic.EXPOSE not in desk.table.setup.automatic or holder_of(desk, hand):
        return False
    if current.free or third:
        return True
    return entitled(desk, hand) is None and not opens_after_other(desk, hand)


def opens_after_other(desk: QueryDesk, hand: Hand) -> bool:
    """Whether the table opens a hand by itself only after the other one, which a patron handles.

    Where the Dealer determines which hand is revealed first, a hand that nobody handles waits for that.
    """
    rule, current = desk.document.squeezing, desk.table.round
    assert current is not None
    if rule is None or rule.reveal_order is None or desk.table.method is not Method.A or current.free:
        return False
    if Automatic.EXPOSE not in desk.table.setup.automatic or is_handled(desk, hand):
        return False
    other = Hand.BANKER if hand is Hand.PLAYER else Hand.PLAYER
    lying = [each for each in current.cards if each.hand is other]
    closed = len(current.cards) < 4 or any(each.state is not CardState.EXPOSED for each in lying)
    chosen = current.reveal_first is hand and len(current.cards) >= 4
    return closed and not chosen and is_handled(desk, other)


def right_to(desk: QueryDesk, hand: Hand, patron: str) -> tuple[Clause, ...] | None:
    """The clauses by which a patron may have a hand: by permission, by choice of a post, or by wager."""
    rule = desk.document.squeezing
    permitted = patron in desk.table.squeeze_permitted and not _is_gone(desk, patron)
    if rule and rule.permission and permitted:
        return (rule.permission.clause,)
    right = entitled(desk, hand)
    if isinstance(right, Refused):  # only whoever the post has chosen can have it
        return tuple(map(Clause, right.clauses)) if patron == holder_of(desk, hand) else None
    return right[1] if right and right[0] == patron else None


def hands_held(desk: QueryDesk, current: Round, patron: str) -> set[Hand]:
    """The hands that a patron has: passed there, or drawn there and to be handled by nobody else who is here.

    Whoever controls the dealing device passes on only a hand that another patron is to open.
    """
    held = {each.hand for each in current.holdings if each.patron == patron}
    for hand in Hand if desk.table.method is Method.C else ():
        cards = [each for each in current.cards if each.hand is hand]
        drawn = any(each.drawn_by == patron and each.state is not CardState.EXPOSED for each in cards)
        mine = drawn and holder_of(desk, hand) is None and Holding(hand, patron) not in current.declined
        right = entitled(desk, hand) if mine and patron in stakes_on(desk, hand) else None
        if isinstance(right, Refused) or (right is not None and right[0] == patron):
            held.add(hand)
    return held


def hands_with(desk: QueryDesk, current: Round, patron: str) -> set[Hand]:
    """The hands that lie with a patron: had there, or face down and to be handled by nobody else."""
    held = hands_held(desk, current, patron)
    for hand in Hand:
        closed = any(each.hand is hand and each.state is not CardState.EXPOSED for each in current.cards)
        right = entitled(desk, hand) if closed and holder_of(desk, hand) is None else None
        if isinstance(right, tuple) and right[0] == patron:
            held.add(hand)
    return held


def hands_taken(desk: QueryDesk, current: Round, patron: str, named: Hand | None) -> set[Hand]:
    """The hands with which a patron has left: those that lay there, and one that is named and lies closed.

    Nobody need have passed it.
    """
    there = hands_with(desk, current, patron)
    closed = {each.hand for each in current.cards if each.state is not CardState.EXPOSED}
    passed = desk.document.squeezing is not None
    return there | {named} if named is not None and named in closed and passed else there


def hands_to_open(desk: QueryDesk, current: Round, patron: str) -> set[Hand]:
    """The hands that a patron is to open: had by the patron, or to be passed to whoever asked for them."""
    rule = desk.document.squeezing
    asked = rule is not None and rule.basis == "on-request"
    return hands_with(desk, current, patron) if asked else hands_held(desk, current, patron)


def lies_with_patron(desk: QueryDesk, current: Round, hand: Hand) -> bool:
    """Whether a hand was passed to a patron, or drawn by one who is to open it: the Dealer does not have it.

    Its third card is the Dealer's to deal, until the patron has looked at it.
    """
    lying = [each for each in current.cards if each.hand is hand]
    closed = any(each.state is CardState.FACE_DOWN for each in lying[:2])
    if not closed and not any(each.state is CardState.SEEN for each in lying):
        return False
    drawers = {each.drawn_by for each in current.cards} if desk.table.method is Method.C else set()
    drawn = any(hand in hands_held(desk, current, each) for each in drawers)
    return holder_of(desk, hand) is not None or drawn


def was_taken_along(desk: QueryDesk, current: Round, hand: Hand) -> Case | None:
    """The open case of a patron who left with cards of a hand that nobody knows."""
    unknown = any(each.hand is hand and each.card is None for each in current.cards)
    for case in desk.table.open_cases if unknown else ():
        found = any(isinstance(each, DeduceMissingCards) for each in case.effects)
        if found and hand in hands_with(desk, current, case.patron or ""):
            return case
    return None


def is_finished(current: Round, hand: Hand) -> bool:
    """Whether nobody handles a card of a hand any more: all three lie open."""
    states = [each.state for each in current.cards if each.hand is hand]
    return states == [CardState.EXPOSED] * 3


def stakes_on(desk: QueryDesk, hand: Hand) -> dict[str, int]:
    """Return what each patron has on a hand over all positions; wagers that go back anyway do not count."""
    sums: dict[str, int] = {}
    name = hand.value
    for each in desk.table.wagers:
        if each.wager == name and not is_returned(desk.table, each):
            sums[each.patron] = sums.get(each.patron, 0) + each.stake
    return sums


def _by_wager(desk: QueryDesk, hand: Hand, rule: Squeezing) -> Entitled | Refused | None:
    """Highest wager first; of equal ones the first placed, then counter-clockwise; then the next highest.

    Where nobody is left who backs the hand, it is whoever the post has chosen.
    """
    clause = {step.rule: step.clause for step in rule.order}
    current = desk.table.round
    declined = {each.patron for each in current.declined if each.hand is hand} if current else set()
    stakes, wagers = stakes_on(desk, hand), _wagers_on(desk, hand)
    for rank, amount in enumerate(sorted(set(stakes.values()), reverse=True)):
        equals = {patron: wagers[patron] for patron, staked in stakes.items() if staked == amount}
        first = _first_placed(equals)
        if first is None:
            ruling = next(step for step in rule.order if step.rule == "ruling")
            return refuse(Refusal.NOT_AUTHORISED, ruling.clause, post=f"@post.{ruling.by}")
        ordered = _counter_clockwise(desk, equals, first)
        left = [patron for patron in ordered if patron not in declined]
        if left and _is_gone(desk, left[0]):
            ruling = next(step for step in rule.order if step.rule == "ruling")
            return refuse(Refusal.NOT_AUTHORISED, ruling.clause, post=f"@post.{ruling.by}")
        if left:
            cited = [clause["highest-wager"]] if rank == 0 else [clause["next-highest"]]
            if len(equals) > 1:
                cited.append(clause["first-placed"] if left[0] == first else clause["counter-clockwise"])
            return left[0], tuple(cited)
    chosen = (each for each in current.chosen if each.hand is hand) if current else ()
    return next(((each.patron, (clause["ruling"],)) for each in chosen), None)


def _is_gone(desk: QueryDesk, patron: str) -> bool:
    """Whether a patron has left wagers lying and cannot take cards: who handles them then is for a ruling."""
    found = desk.table.patron(patron)
    return found is not None and found.gone


Wagers = dict[str, list[PlacedWager]]


def _wagers_on(desk: QueryDesk, hand: Hand) -> Wagers:
    """The wagers on a hand by their patrons."""
    found: Wagers = {}
    name = hand.value
    for each in desk.table.wagers:
        if each.wager == name:
            found.setdefault(each.patron, []).append(each)
    return found


def _first_placed(equals: Wagers) -> str | None:
    """Return who reached the amount first; nobody where the order of equal wagers is not known."""
    orders = {patron: max(each.order for each in wagers) for patron, wagers in equals.items()}
    if len(orders) > 1 and 0 in orders.values():
        return None
    return min(orders, key=lambda patron: orders[patron])


def _counter_clockwise(desk: QueryDesk, equals: Wagers, first: str) -> list[str]:
    """Beginning with one patron, around the table as the house numbers its positions."""
    way = 1 if desk.house.form.settings.counter_clockwise == "ascending" else -1
    places = {patron: min(each.position or 0 for each in wagers) * way for patron, wagers in equals.items()}
    start = places[first]
    return sorted(places, key=lambda patron: (places[patron] < start, places[patron]))


def _on_request(desk: QueryDesk, hand: Hand, rule: Squeezing) -> Entitled | None:
    """The one patron who squeezes, for the hand of the highest wager; for both if it lies on neither."""
    patron = _squeezer(desk, rule)
    if patron is None or not desk.table.setup.face_down:
        return None
    backed = {Hand(wager) for wager in _highest_wagers(desk, rule)[patron] if wager in _HANDS}
    current = desk.table.round
    declined = current is not None and Holding(hand, patron) in current.declined
    if declined or (backed and hand not in backed):
        return None
    return patron, tuple(step.clause for step in rule.order)


_HANDS = frozenset(hand.value for hand in Hand)


def _highest_wagers(desk: QueryDesk, rule: Squeezing) -> dict[str, list[str]]:
    """The patrons with the highest wager on the table, and on what they have it."""
    here = [each for each in desk.table.patrons if not each.gone]
    names = {each.name for each in (desk.table.seated if rule.seated_only else here)}
    counted = [
        each for each in desk.table.wagers if each.patron in names and not is_returned(desk.table, each)
    ]
    most = max((each.stake for each in counted), default=0)
    highest: dict[str, list[str]] = {}
    for each in counted:
        if each.stake == most:
            highest.setdefault(each.patron, []).append(each.wager)
    return highest


def _squeezer(desk: QueryDesk, rule: Squeezing) -> str | None:
    """The patron with the highest wager who has asked; of equal ones the first to ask."""
    highest, forbidden = _highest_wagers(desk, rule), desk.table.squeeze_forbidden_to
    asked = (patron for patron in desk.table.squeeze_requested if patron not in forbidden)
    return next((patron for patron in asked if patron in highest), None)


def request_squeeze(desk: QueryDesk, patron: str) -> tuple[Clause, ...] | Refused:
    """Whether a patron's request to squeeze is granted."""
    rule = desk.document.squeezing
    if rule is None or rule.request is None:
        return refuse(Refusal.NOT_AWAITED)
    if not desk.table.setup.face_down:
        return refuse(Refusal.CARDS_ARE_FACE_UP, rule.request)
    forbidden = desk.table.squeeze_forbidden or patron in desk.table.squeeze_forbidden_to
    if forbidden and rule.prohibition:
        return refuse(Refusal.SQUEEZE_FORBIDDEN, rule.prohibition.clause)
    if desk.round is not None and desk.round.cards:
        return refuse(Refusal.SQUEEZE_TOO_LATE, rule.request)
    if patron in _highest_wagers(desk, rule) and _squeezer(desk, rule) in (None, patron):
        return (rule.request,)
    return refuse(Refusal.NOT_THE_SQUEEZER, rule.request, patron=patron)
