"""Who handles the cards of a hand: by wager, by permission, on request, or nobody."""

from thirdcard.clauses import Clause
from thirdcard.game.desk import Desk
from thirdcard.game.limits import is_returned
from thirdcard.game.state import Hand, Holding, PlacedWager
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Method
from thirdcard.rulebook.procedure import Squeezing

Entitled = tuple[str, tuple[Clause, ...]]


def holder_of(desk: Desk, hand: Hand) -> str | None:
    """The patron with whom a hand lies."""
    current = desk.table.round
    holdings = current.holdings if current else ()
    return next((each.patron for each in holdings if each.hand is hand), None)


def entitled(desk: Desk, hand: Hand) -> Entitled | Refused | None:
    """The patron to whom a hand goes next, with the clauses; a refusal if a ruling is needed; or nobody."""
    rule = desk.document.squeezing
    if rule is None or desk.table.squeeze_forbidden:
        return None
    if rule.basis == "on-request":
        return _on_request(desk, hand, rule)
    if desk.table.method is Method.B:
        return None
    return _by_wager(desk, hand, rule)


def stakes_on(desk: Desk, hand: Hand) -> dict[str, int]:
    """What each patron has on a hand over all positions; wagers that go back anyway do not count."""
    sums: dict[str, int] = {}
    name = hand.value
    for each in desk.table.wagers:
        if each.wager == name and not is_returned(desk.table, each):
            sums[each.patron] = sums.get(each.patron, 0) + each.stake
    return sums


def _by_wager(desk: Desk, hand: Hand, rule: Squeezing) -> Entitled | Refused | None:
    """Highest wager first; of equal ones the first placed, then counter-clockwise; then the next highest."""
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
        ordered = _counter_clockwise(equals, first)
        left = [patron for patron in ordered if patron not in declined]
        if left:
            cited = [clause["highest-wager"]] if rank == 0 else [clause["next-highest"]]
            if len(equals) > 1:
                cited.append(clause["first-placed"] if left[0] == first else clause["counter-clockwise"])
            return left[0], tuple(cited)
    return None


Wagers = dict[str, list[PlacedWager]]


def _wagers_on(desk: Desk, hand: Hand) -> Wagers:
    """The wagers on a hand by their patrons."""
    found: Wagers = {}
    name = hand.value
    for each in desk.table.wagers:
        if each.wager == name:
            found.setdefault(each.patron, []).append(each)
    return found


def _first_placed(equals: Wagers) -> str | None:
    """Who reached the amount first; nobody where the order of equal wagers is not known."""
    orders = {patron: max(each.order for each in wagers) for patron, wagers in equals.items()}
    if len(orders) > 1 and 0 in orders.values():
        return None
    return min(orders, key=lambda patron: orders[patron])


def _counter_clockwise(equals: Wagers, first: str) -> list[str]:
    """Beginning with one patron, by ascending position around the table."""
    places = {patron: min(each.position or 0 for each in wagers) for patron, wagers in equals.items()}
    start = places[first]
    return sorted(places, key=lambda patron: (places[patron] < start, places[patron]))


def _on_request(desk: Desk, hand: Hand, rule: Squeezing) -> Entitled | None:
    """The seated patron with the highest wager on the hand, if that patron has asked."""
    seated = {each.name for each in desk.table.patrons if each.seated or not rule.seated_only}
    stakes = {patron: amount for patron, amount in stakes_on(desk, hand).items() if patron in seated}
    if not stakes or not desk.table.setup.face_down:
        return None
    top = max(stakes, key=lambda patron: stakes[patron])
    current = desk.table.round
    declined = current is not None and Holding(hand, top) in current.declined
    if top not in desk.table.squeeze_requested or declined:
        return None
    return top, tuple(step.clause for step in rule.order)


def request_squeeze(desk: Desk, patron: str) -> tuple[Clause, ...] | Refused:
    """Whether a patron's request to squeeze is granted."""
    rule = desk.document.squeezing
    if rule is None or rule.request is None:
        return refuse(Refusal.NOT_AWAITED)
    if not desk.table.setup.face_down:
        return refuse(Refusal.CARDS_ARE_FACE_UP, rule.request)
    if desk.table.squeeze_forbidden and rule.prohibition:
        return refuse(Refusal.SQUEEZE_FORBIDDEN, rule.prohibition.clause)
    if desk.round is not None and desk.round.cards:
        return refuse(Refusal.SQUEEZE_TOO_LATE, rule.request)
    seated = {each.name for each in desk.table.patrons if each.seated}
    for hand in Hand:
        stakes = {name: amount for name, amount in stakes_on(desk, hand).items() if name in seated}
        if stakes and max(stakes.values()) == stakes.get(patron):
            return (rule.request,)
    return refuse(Refusal.NOT_THE_SQUEEZER, rule.request, patron=patron)
