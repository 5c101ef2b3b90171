"""The sections that staff and those who watch them get."""

import itertools

from thirdcard.cards import Card
from thirdcard.folds.faces import told_outside
from thirdcard.folds.history import History, Irregular
from thirdcard.game.case_cards import waiting_by_number
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.new_cards import not_chosen
from thirdcard.game.irregularities.suspicions import choices_about, wagers_to_hold
from thirdcard.game.next_cards import source_of
from thirdcard.game.squeezing import holder_of, was_taken_along
from thirdcard.game.state import Case, Hand, HeldMoney, Round, Table, Wait
from thirdcard.rulebook.irregularity import ReserveCards
from thirdcard.staff import Post
from thirdcard.views.cases import doubtful_cases, open_cases
from thirdcard.views.duties import duties
from thirdcard.views.entries import wager_entry
from thirdcard.views.next_actions import Due, missing_equipment
from thirdcard.views.questions import possible
from thirdcard.views.sections.cases import CardOut, CardPlace
from thirdcard.views.sections.staff import (
    AlertsSection,
    BalancesSection,
    DeskSection,
    HeldShown,
    OpensFirst,
    PeopleSection,
    RunningSection,
    WagerEntry,
    WagersSection,
)
from thirdcard.views.sources import Sources

PACE_OF = 20  # rounds
LEAST_FOR_A_PACE = 3  # rounds
HOUR = 3_600_000_000  # microseconds


def desk_section(sources: Sources, due: Due) -> DeskSection:
    """Return the facts that staff need beside what everybody sees."""
    table, case, current = sources.table, sources.table.case, sources.table.round
    desk, notes = QueryDesk(sources.rulebook, sources.house, table), _notes(sources.history)
    return DeskSection(
        last_round=table.rounds,
        pause_reason=table.pause_reason,
        stopped_reason=sources.stopped,
        disabled_reason=sources.disabled.reason if sources.disabled else None,
        patron=due.patron,
        missing_equipment=missing_equipment(sources.rulebook, table),
        reported=table.cases,
        cases=open_cases(desk, notes),
        doubtful=doubtful_cases(desk, notes) if table.told else (),
        duties=duties(desk, due),
        dealt_with=_dealt_with(sources.history),
        cards_out=cards_out(table),
        holdings=current.holdings if current else (),
        declined=current.declined if current else (),
        device_holder=table.device_holder,
        drawing_permitted=table.drawing_permitted,
        squeeze_permitted=table.squeeze_permitted,
        squeeze_requested=table.squeeze_requested,
        squeeze_forbidden=table.squeeze_forbidden,
        squeeze_forbidden_to=table.squeeze_forbidden_to,
        decrease_asked=table.decrease_asked,
        decrease_unanswered=table.decrease_unanswered,
        choosing=not_chosen(desk) if table.shoe and table.shoe.patrons_choose else (),
        strays=len(table.strays),
        set_aside=len(table.aside),
        reserved=len(table.reserved),
        aside=bool(table.strays or table.reserved) and source_of(table) is not None,
        unnamed=_unnamed(current) if current and not current.ended else (),
        cards_needed=_cards_needed(table, case) if case else 0,
        opens_first=_opens_first(desk) if case and case.waits is Wait.SORTED_CARDS else None,
        possible=possible(desk),
        confirmation=table.confirmation,
        held=tuple(_held(desk, each) for each in table.held),
        counted=table.shoe.counted if table.shoe else None,
    )


def running_section(sources: Sources, _: Due) -> RunningSection:
    """Return how the table runs."""
    table = sources.table
    return RunningSection(
        stop=table.stop,
        pending=sources.pending,
        coming=sources.coming,
        since=sources.stands_since,
        cards_left=table.shoe.left if table.shoe and not table.shoe.opened else None,
        per_hour=rounds_per_hour(sources.history),
    )


def rounds_per_hour(history: History) -> int | None:
    """The pace of the last rounds of the shoe, once there are a few."""
    last = history.rounds[-PACE_OF:]
    if len(last) < LEAST_FOR_A_PACE:
        return None
    taken = last[-1].last.wall_time - last[0].first.wall_time
    return round(len(last) * HOUR / taken) if taken > 0 else None


def _held(desk: QueryDesk, held: HeldMoney) -> HeldShown:
    wager = held.wager
    return HeldShown(
        id=held.id,
        patron=held.patron,
        amount=held.amount,
        wager=wager.wager if wager else None,
        position=wager.position if wager else None,
        choices=choices_about(desk, held),
    )


def _notes(history: History) -> dict[int, str]:
    """The notes of reports about the round under way and the last ones, by their cases."""
    told = (*history.rounds[-2:], *((history.now,) if history.now else ()))
    return {each.case: each.note for round_told in told for each in round_told.irregularities}


def _dealt_with(history: History) -> tuple[Irregular, ...]:
    """The closed irregularities of the round under way, or else of the last one."""
    last = history.now or next(iter(history.rounds[-1:]), None)
    return tuple(each for each in last.irregularities if each.closed) if last else ()


def cards_out(table: Table) -> tuple[CardOut, ...]:
    """The cards of the round under way or the last one, by the numbers under which they are corrected.

    A card whose face nobody has entered has a number as well, and is opened instead. Nobody corrects a card
    of a sealed shoe.
    """
    current = table.round
    if current is None or table.shoe is None or table.shoe.seal is not None:
        return ()
    numbers = itertools.count(1)
    lying = [(next(numbers), each) for each in current.cards]
    out = [CardOut(number, "hand", each.hand) for number, each in lying if each.card]
    waiting = tuple(face for _, face in waiting_by_number(table))
    piles: tuple[tuple[CardPlace, tuple[Card | None, ...], tuple[Card | None, ...]], ...] = (
        ("aside", table.aside, told_outside(table, table.aside)),
        ("waiting", waiting, told_outside(table, waiting)),
        ("reserved", table.reserved, (None,) * len(table.reserved)),  # patrons must not see them
    )
    counted = [
        (next(numbers), place, card, face)
        for place, cards, faces in piles
        for card, face in zip(cards, faces, strict=True)
    ]
    return (*out, *(CardOut(number, place, card=face) for number, place, card, face in counted if card))


def _unnamed(current: Round) -> tuple[Hand, ...]:
    """The hands of cards whose faces nobody has told."""
    return tuple(each.hand for each in current.cards if each.card is None)


def _cards_needed(table: Table, case: Case) -> int:
    """How many cards somebody must name before an irregularity goes on."""
    effect, lying = case.effects[case.done] if case.waits else None, table.round.cards if table.round else ()
    match case.waits:
        case Wait.CARD_ORDER:
            return len(case.cards)
        case Wait.RESERVED_CARDS if isinstance(effect, ReserveCards):
            return effect.cards
        case Wait.SORTED_CARDS:
            return len(lying) + len(table.reserved)
        case Wait.SUBSTITUTES:
            return len(case.missing)
        case _:
            return 0


def _opens_first(desk: QueryDesk) -> OpensFirst | None:
    """The hand that is opened before cards are sorted, and by whom where it lies with a patron."""
    current = desk.table.round
    assert current is not None  # cards are sorted for a round under way
    for hand in _unnamed(current):
        if was_taken_along(desk, current, hand) is None:
            count = sum(each.hand is hand for each in current.cards)
            return OpensFirst(hand, holder_of(desk, hand), count)
    return None


def wagers_section(sources: Sources, _: Due) -> WagersSection:
    """Every wager, lying or settled."""
    table, current = sources.table, sources.table.round
    settled = current.settled if current else ()
    if table.setup.terminal:  # no chips lie there that could be held
        return WagersSection(table.wagers, settled, ())
    held = wagers_to_hold(QueryDesk(sources.rulebook, sources.house, table))
    return WagersSection(table.wagers, settled, tuple(map(wager_entry, held)), _last(sources.history))


def _last(history: History) -> tuple[WagerEntry, ...]:
    """The wagers of the last round of the shoe, as they lay."""
    wagers = history.rounds[-1].wagers if history.rounds else ()
    return tuple(
        WagerEntry(patron=each.patron, wager=each.wager, position=each.position, amount=each.lying)
        for each in wagers
    )


def people_section(sources: Sources, _: Due) -> PeopleSection:
    """Return the people at the table."""
    on_duty: dict[str, tuple[Post, ...]] = {}
    own = ((each.person, each.post) for each in sources.table.staff)
    acting = ((each.person, each.post) for each in sources.acting)
    for person, post in (*own, *acting):
        on_duty[person] = (*on_duty.get(person, ()), post)
    return PeopleSection(sources.table.staff, sources.table.acting, sources.table.patrons, on_duty)


def balances_section(sources: Sources, _: Due) -> BalancesSection:
    """The credits of all terminals."""
    return BalancesSection(sources.table.credits)


def alerts_section(sources: Sources, _: Due) -> AlertsSection:
    """Return the alerts that somebody must see to."""
    return AlertsSection(sources.alerts, sources.house.form.alarms_acknowledged_by)
