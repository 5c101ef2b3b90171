"""Posted limits, the table differential, and what of each wager is in action when the outcome is known."""

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.game.state import Hand, PlacedWager, Table
from thirdcard.game.table_setup import PostedLimit
from thirdcard.money import divide
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import (
    PayOnceThenReturn,
    PayToMaximum,
    Policy,
    SettleProRata,
)

ON_PLAYER, ON_BANKER = Hand.PLAYER.value, Hand.BANKER.value  # the wagers on the two hands


def limit_of(table: Table, wager: str) -> PostedLimit:
    """The posted limits of a wager."""
    return table.setup.limit_by_wager[wager]


def total_on(table: Table, hand: Hand) -> int:
    """All stakes on a hand that count: a marked patron's wagers under the minimum do not."""
    name = ON_PLAYER if hand is Hand.PLAYER else ON_BANKER
    on_hand = [each for each in _placed(table) if each.wager == name]
    return sum([each.stake for each in on_hand if not (each.marked and is_under(table, each))])


def gap_of(table: Table) -> int:
    """The measured difference between the stakes on the two hands."""
    return abs(total_on(table, Hand.PLAYER) - total_on(table, Hand.BANKER))


def heavier_hand(table: Table) -> Hand:
    """The hand with more staked on it."""
    return Hand.PLAYER if total_on(table, Hand.PLAYER) >= total_on(table, Hand.BANKER) else Hand.BANKER


def is_under(table: Table, wager: PlacedWager) -> bool:
    """Whether a wager is below the posted minimum."""
    return wager.stake < limit_of(table, wager.wager).minimum


def is_returned(table: Table, wager: PlacedWager) -> bool:
    """Whether a wager goes back whatever the outcome: under the minimum by a patron already marked."""
    return wager.marked and is_under(table, wager)


class InAction(Struct, frozen=True):
    """The part of a wager that acts, the clauses that cut it down, and whether its patron is marked."""

    amount: int
    clauses: tuple[Clause, ...] = ()
    marks: bool = False


def in_action(document: Document, house: House, table: Table) -> dict[int, InAction]:
    """Return the part of every wager in action: marked ones out, the maximum, then the differential."""
    acting, rule = _by_limits(document, table), _pro_rata(document)
    scaled = _scaled(house, table, acting, rule) if rule is not None else {}
    return acting | scaled if scaled else acting


def _placed(table: Table) -> tuple[PlacedWager, ...]:
    """The wagers that were placed for the round; also those set apart since, so that nobody else is cut."""
    current = table.round
    if current is None or current.ended or not current.set_apart:
        return table.wagers
    return (*table.wagers, *current.set_apart)


def settles_pro_rata(document: Document) -> bool:
    """Whether a differential that was exceeded is settled pro rata."""
    return _pro_rata(document) is not None


def is_scaled(document: Document, house: House, table: Table) -> bool:
    """Whether some wagers act for a share alone because the differential is exceeded."""
    rule = _pro_rata(document)
    return rule is not None and bool(_scaled(house, table, _by_limits(document, table), rule))


def _by_limits(document: Document, table: Table) -> dict[int, InAction]:
    """Return what the posted limits let act of every wager."""
    acting, limits = dict[int, InAction](), table.setup.limit_by_wager
    for wager in _placed(table):
        limit, stake = limits[wager.wager], wager.stake
        within = limit.minimum <= stake <= limit.maximum
        acting[wager.id] = InAction(stake) if within else _limited(document, limit, wager)
    return acting


def _limited(document: Document, limit: PostedLimit, wager: PlacedWager) -> InAction:
    """A wager outside the limits, as far as the document says what becomes of it; else it acts in full."""
    if wager.stake < limit.minimum:
        once = _clauses(document, PayOnceThenReturn)
        return InAction(0 if wager.marked else wager.stake, once, marks=bool(once) and not wager.marked)
    capped = _clauses(document, PayToMaximum)
    return InAction(limit.maximum if capped else wager.stake, capped)


def _clauses(document: Document, kind: type[Policy]) -> tuple[Clause, ...]:
    return tuple(each.clause for each in document.policies_of(kind))


def _pro_rata(document: Document) -> SettleProRata | None:
    return next(iter(document.policies_of(SettleProRata)), None)


def _scaled(
    house: House, table: Table, acting: dict[int, InAction], rule: SettleProRata
) -> dict[int, InAction]:
    """The heavier hand acts for the lighter hand's total plus the limit; wagers under the minimum in full.

    The others divide the room that is left, which they fill to the last unit.
    """
    placed = _placed(table)
    named = ((Hand.PLAYER, ON_PLAYER), (Hand.BANKER, ON_BANKER))
    sums = {hand: sum([acting[each.id].amount for each in placed if each.wager == on]) for hand, on in named}
    heavier = max(Hand, key=lambda hand: sums[hand])
    allowed = min(sums.values()) + table.setup.differential
    if sums[heavier] <= allowed:
        return {}
    heavy = [each for each in placed if each.wager == heavier.value and acting[each.id].amount]
    exempt = [acting[each.id] for each in heavy if is_under(table, each)]
    room = max(allowed - sum(each.amount for each in exempt), 0)
    shared = sorted(each.id for each in heavy if not is_under(table, each))
    shares = divide(room, [acting[wager].amount for wager in shared], house.unit)
    share = dict(zip(shared, shares, strict=True))
    scaled: dict[int, InAction] = {}
    for wager in heavy:
        old = acting[wager.id]
        clause = rule.clause if wager.id in share else rule.exempt_under_minimum
        scaled[wager.id] = InAction(share.get(wager.id, old.amount), (*old.clauses, clause), old.marks)
    return scaled
