"""Entries that staff can make beside the next step, as the engine would take them now."""

from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.betting import is_call_owed, may_decrease, may_increase
from thirdcard.game.case_cards import blocking
from thirdcard.game.dealing import may_keep_drawing
from thirdcard.game.decreasing import removal_clause
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.corrected_wagers import correctable_wagers, wagers_established
from thirdcard.game.irregularities.found_wagers import may_establish
from thirdcard.game.irregularities.handling import choice_of_squeezer, may_handle
from thirdcard.game.outcome import point_total
from thirdcard.game.squeezing import stakes_on
from thirdcard.game.state import CardState, Hand, Phase, PlacedWager
from thirdcard.game.table_setup import Device
from thirdcard.rulebook.irregularity import Method
from thirdcard.views.next_actions import Due
from thirdcard.views.sections.staff import (
    EntriesSection,
    HandToGive,
    LateCall,
    SaidTotals,
    SqueezingEntry,
    WagerEntry,
)
from thirdcard.views.sources import Sources

PHASES_AFTER_CLOSING = (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
# alarms that somebody gives who looks at the card reader, and at the cards
OF_READER = (AlarmKind.READER_SILENT, AlarmKind.READER_FAULT, AlarmKind.MISREAD, AlarmKind.WRONG_SHOE)
CARD_ENTRIES = (AlarmKind.NEW_DECK_ORDER,)


def entries_section(sources: Sources, _: Due) -> EntriesSection:
    """Return the entries that staff can make beside the next step, as the table stands."""
    table = sources.table
    desk = QueryDesk(sources.rulebook, sources.house, table)
    goes_on = not table.paused and blocking(table) is None
    establish = may_establish(desk)
    pulled = (each for each in wagers_established(desk) if each.pulled) if establish else ()
    return EntriesSection(
        late_call=_late_call(desk),
        correctable=tuple(map(wager_entry, correctable_wagers(desk))) if establish else (),
        pulled=tuple(map(wager_entry, pulled)),
        overlooked=establish,
        lowered=_lowered(desk),
        raised=_raised(desk) if table.phase is Phase.CLOSED else {},
        hands=_hands(desk) if goes_on and table.phase is Phase.DEALING else (),
        drawers=_drawers(desk) if table.method is Method.C and table.phase is not Phase.SHUT else (),
        squeezing=_squeezing(desk) if goes_on else (),
        totals=_totals(desk) if goes_on else None,
        cutting_card=_cutting_card(desk),
        device_result=goes_on and _shows_result(desk),
        alarms=alarms_at(desk),
    )


def _late_call(desk: QueryDesk) -> LateCall | None:
    if desk.table.paused or not is_call_owed(desk.table):
        return None
    closing = desk.document.round.closing
    return LateCall(calls=closing.calls, clause=closing.clause)


def wager_entry(wager: PlacedWager) -> WagerEntry:
    """A wager as it is named at a console."""
    return WagerEntry(
        patron=wager.patron,
        wager=wager.wager,
        position=wager.position,
        amount=wager.lying,
        pulled=wager.pulled,
    )


def _lowered(desk: QueryDesk) -> tuple[str, ...]:
    """The kinds of wager that patrons may lower: all while betting is open and before a free hand."""
    kinds = tuple(desk.rulebook.wagers)
    if desk.table.phase is Phase.BETTING or removal_clause(desk) is not None:
        return kinds
    return tuple(kind for kind in kinds if may_decrease(desk, kind))


def _raised(desk: QueryDesk) -> dict[str, tuple[str, ...]]:
    """The kinds of wager that each patron may raise after closing, to meet the differential."""
    lying: dict[str, list[str]] = {}
    for each in desk.table.wagers:
        if may_increase(desk, each.patron, each.wager, each.position):
            lying.setdefault(each.patron, []).append(each.wager)
    return {patron: tuple(dict.fromkeys(kinds)) for patron, kinds in lying.items()}


def _hands(desk: QueryDesk) -> tuple[HandToGive, ...]:
    """The hands that a post may give to somebody; where patrons back one, those of them who are here."""
    found = []
    here = tuple(each.name for each in desk.table.patrons if not each.gone)
    for hand in Hand:
        grant = choice_of_squeezer(desk, hand)
        if grant is None or may_handle(desk, hand) is not None:
            continue
        backing = tuple(name for name in stakes_on(desk, hand) if name in here)
        patrons = backing or here
        found.append(HandToGive(hand=hand, post=grant.post, clause=grant.clause, patrons=patrons))
    return tuple(found)


def _drawers(desk: QueryDesk) -> tuple[str, ...]:
    """Those who may take the dealing device, by a wager or a permission, while nobody who may has it."""
    table = desk.table
    if table.device_holder is not None and may_keep_drawing(desk, table.device_holder) is None:
        return ()
    return tuple(each.name for each in table.patrons if may_keep_drawing(desk, each.name) is None)


def _squeezing(desk: QueryDesk) -> tuple[SqueezingEntry, ...]:
    """Whether a patron can ask to squeeze, be permitted to, or be forbidden to."""
    rule, table = desk.document.squeezing, desk.table
    if rule is None or table.phase in (Phase.SHUT, Phase.IDLE, Phase.OUTCOME):
        return ()
    drawn = desk.round is not None and bool(desk.round.cards)
    asks = rule.request is not None and table.setup.face_down and not table.squeeze_forbidden and not drawn
    permits = rule.permission is not None and table.method is not Method.B
    forbids = rule.prohibition is not None and not table.squeeze_forbidden
    found: tuple[tuple[bool, SqueezingEntry], ...] = (
        (asks, "request"),
        (permits, "permit"),
        (forbids, "forbid"),
    )
    return tuple(entry for fits, entry in found if fits)


def _totals(desk: QueryDesk) -> SaidTotals | None:
    """The totals that can be announced: four cards lie open, and nobody has announced any."""
    current = desk.round
    if current is None or len(current.cards) != 4 or current.announced is not None:
        return None
    if any(each.state is not CardState.EXPOSED for each in current.cards):
        return None
    hands = [[each.card for each in current.cards if each.hand is hand and each.card] for hand in Hand]
    player, banker = (point_total(tuple(hand)) for hand in hands)
    return SaidTotals(player=player, banker=banker)


def _cutting_card(desk: QueryDesk) -> bool:
    """Whether the cutting card can come: once in a shoe, from its opening on; a sealed shoe has it inside."""
    shoe, playing = desk.table.shoe, (Phase.BETTING, *PHASES_AFTER_CLOSING)
    if shoe is None or shoe.rounds_left is not None or shoe.seal is not None or desk.table.paused:
        return False
    return desk.table.phase in playing


def _shows_result(desk: QueryDesk) -> bool:
    """Whether a dealing device that reads cards can have shown its own result of the last cards."""
    current = desk.table.round
    known = current is not None and current.facts is not None
    over = desk.table.phase in (Phase.IDLE, Phase.OUTCOME)
    return known and over and desk.table.setup.device is Device.CARD_READING


def alarms_at(desk: QueryDesk) -> tuple[AlarmKind, ...]:
    """The alarms that somebody at the table can give about its cards and what reads them."""
    if desk.table.shoe is None:
        return ()
    reads = desk.table.setup.device is Device.CARD_READING
    return (*(OF_READER if reads else ()), *CARD_ENTRIES)
