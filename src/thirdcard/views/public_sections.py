"""The sections that everybody gets."""

import enum

from msgspec.structs import replace

from thirdcard.floor.state import TableDefinition, Timers
from thirdcard.folds.case_clause import clause_of
from thirdcard.folds.faces import open_face, shown_to_all
from thirdcard.folds.scoreboard import Scoreboard, marks_of, next_marks, scoreboard
from thirdcard.folds.snapshot import Timestamps
from thirdcard.game.limits import limit_of
from thirdcard.game.outcome import point_total
from thirdcard.game.settlement import WagerResult, settle_wager
from thirdcard.game.state import RESTART, STORE_TROUBLE, CardState, Hand, Phase, Round, Table
from thirdcard.rulebook.book import OddsRow, Rulebook, Wager
from thirdcard.rulebook.house import House
from thirdcard.rulebook.table_of_play import NO_THIRD_CARD
from thirdcard.rulebook.table_of_play import DrawStep as TableStep
from thirdcard.views.cases import steps_of
from thirdcard.views.felt import felt_rows
from thirdcard.views.next_actions import Due, NextStep
from thirdcard.views.sections.cases import CaseShown, OfferShown
from thirdcard.views.sections.public import (
    CardsSection,
    DrawingSection,
    Example,
    Fact,
    OutcomeSection,
    Pay,
    PhaseSection,
    SetupSection,
    ShoeSection,
    TotalsSection,
    WagerOffered,
    WagerTotal,
)
from thirdcard.views.sections.whole import BettingClock
from thirdcard.views.sources import Sources

TAKES_WAGERS = (Phase.BETTING, Phase.CLOSED)  # for a round that may not have begun
EXAMPLE = 100  # of the currency's whole units, where the limits allow it


def setup_section(sources: Sources, _: Due) -> SetupSection:
    """Return the section that says what the table is."""
    setup, rulebook, house = sources.table.setup, sources.rulebook, sources.house
    limits, layouts = rulebook.document.limits, rulebook.document.layouts.layout
    return SetupSection(
        table=setup.table,
        game=rulebook.id,
        name=rulebook.name,
        rulebook=rulebook.digest,
        house=house.id,
        layout=setup.layout,
        labels=next((each.labels for each in layouts if each.id == setup.layout), {}),
        felt=felt_rows(rulebook),
        positions=setup.positions,
        area=setup.area,
        decks=setup.decks,
        terminal=setup.terminal,
        face_down=setup.face_down,
        currency=house.currency,
        unit=house.unit,
        owners_per_area=sources.table.owners_per_area,
        differential=setup.differential if limits and limits.differential else None,
        wagers=tuple(_offered(sources.table, house, wager) for wager in rulebook.wagers.values()),
        training=setup.training,
    )


def _offered(table: Table, house: House, wager: Wager) -> WagerOffered:
    limit = limit_of(table, wager.id)
    stake = min(max(limit.minimum, EXAMPLE * 10**house.currency.exponent), limit.maximum)
    pays = tuple(_pay(row, settle_wager(wager, row, stake, house)) for row in wager.rows)
    return WagerOffered(wager.id, wager.name, wager.kind, limit.minimum, limit.maximum, pays, wager.lost)


def _pay(row: OddsRow, worked: WagerResult) -> Pay:
    when = tuple(
        Fact(name, tuple(sorted((_plain(value) for value in values), key=str)))
        for name, values in row.conditions
    )
    example = Example(worked.stake, worked.paid, worked.commission)
    return Pay(row.odds.text if row.odds else None, when, row.clauses, example)


def _plain(value: object) -> str | int | bool:
    """A value of a fact: a number, yes or no, or the name of a member."""
    if isinstance(value, enum.Enum):
        return str(value.value)
    assert isinstance(value, int)
    return value


def phase_section(sources: Sources, due: Due) -> PhaseSection:
    """How far the table is and what it waits for."""
    table, current = sources.table, _under_way(sources.table)
    return PhaseSection(
        phase=table.phase,
        paused=table.paused,
        held=holds_itself(table.pause_reason or ""),
        stopped=sources.stopped is not None,
        disabled=sources.disabled is not None,
        round=current.number if current else None,
        next_round=table.rounds + 1 if current is None and table.phase in TAKES_WAGERS else None,
        free=current is not None and current.free,
        last=current is not None and current.last,
        method=table.method,
        awaited=due.awaited,
        case=_case(sources, due),
        offer=_offer(table),
        gap=due.gap,
    )


def holds_itself(reason: str) -> bool:
    """Whether a table pauses by itself for such a reason: nobody served it, or its store failed."""
    return reason == RESTART or reason.startswith(STORE_TROUBLE)


def _under_way(table: Table) -> Round | None:
    return table.round if table.round and not table.round.ended else None


def _case(sources: Sources, due: Due) -> CaseShown | None:
    case = sources.table.case
    if case is None:
        return None
    return CaseShown(
        case.id,
        case.situation,
        case.cause,
        clause_of(sources.rulebook.document, case),
        steps_of(case),
        case.waits,
        due.post,
    )


def _offer(table: Table) -> OfferShown | None:
    offer = table.offer
    if offer is None:
        return None
    return OfferShown(offer.wagers, offer.clause, len(offer.asked), len(offer.answered))


def cards_section(sources: Sources, _: Due) -> CardsSection:
    """The cards of the round under way or of the last one, with faces as far as they lie open."""
    current = sources.table.round
    if current is None:
        return CardsSection()
    return CardsSection(
        cards=shown_to_all(current.cards),
        player=_total(current, Hand.PLAYER),
        banker=_total(current, Hand.BANKER),
        held=tuple(each.hand for each in current.holdings),
        first=current.reveal_first,
        drawing=_drawing(sources.rulebook, current),
        announced=current.announced is not None,
    )


def _drawing(rulebook: Rulebook, current: Round) -> tuple[DrawingSection, ...]:
    """Return each hand's step once four cards lie open; the Banker's waits for the Player's third card."""
    first = [each.card for each in current.cards[:4] if each.state is CardState.EXPOSED and each.card]
    if len(first) < 4:
        return ()
    player, banker = point_total((first[0], first[2])), point_total((first[1], first[3]))
    naturals = _naturals(rulebook, player, banker)
    if naturals:
        return naturals
    cell = rulebook.drawing.player[player]
    steps = (DrawingSection(Hand.PLAYER, cell.step.value, player, (cell.clause,)),)
    third = next((each for each in current.cards[4:] if each.hand is Hand.PLAYER), None)
    if cell.step is TableStep.STANDS:
        value: int | None = NO_THIRD_CARD
    else:
        face = open_face(third.card, third.state) if third else None
        value = face.rank.point_value if face else None
    if value is None:
        return steps
    answer = rulebook.drawing.banker[banker, value]
    return (*steps, DrawingSection(Hand.BANKER, answer.step.value, banker, (answer.clause,)))


def _naturals(rulebook: Rulebook, player: int, banker: int) -> tuple[DrawingSection, ...]:
    """With a natural neither hand draws."""
    found = {
        Hand.PLAYER: (player, rulebook.drawing.player_naturals.get(player)),
        Hand.BANKER: (banker, rulebook.drawing.banker_naturals.get(banker)),
    }
    cited = tuple(clause for _, clause in found.values() if clause)
    if not cited:
        return ()
    return tuple(
        DrawingSection(hand, "natural" if clause else "stands", total, (clause,) if clause else cited)
        for hand, (total, clause) in found.items()
    )


def _total(current: Round, hand: Hand) -> int | None:
    """The point total of a hand all of whose cards lie open."""
    cards = [each for each in current.cards if each.hand is hand]
    faces = tuple(each.card for each in cards if each.card and each.state is CardState.EXPOSED)
    return point_total(faces) if faces and len(faces) == len(cards) else None


def totals_section(sources: Sources, _: Due) -> TotalsSection:
    """Return the totals on the felt by kind of wager, in the order in which the rulebook offers them."""
    stakes: dict[str, int] = {}
    numbers: dict[str, int] = {}
    for each in sources.table.wagers:
        stakes[each.wager] = stakes.get(each.wager, 0) + each.stake
        numbers[each.wager] = numbers.get(each.wager, 0) + 1
    return TotalsSection(
        tuple(
            WagerTotal(wager, stakes[wager], numbers[wager])
            for wager in sources.rulebook.wagers
            if wager in stakes
        )
    )


def outcome_section(sources: Sources, _: Due) -> OutcomeSection:
    """The outcome once all cards lie open; a void round has none."""
    current = sources.table.round
    if current is None:
        return OutcomeSection()
    facts = None if current.void else current.facts
    return OutcomeSection(
        round=current.number,
        facts=facts,
        called=current.called,
        marks=marks_of(sources.rulebook, facts) if facts else (),
        void=current.void,
        ended=current.ended,
    )


def shoe_section(sources: Sources, _: Due) -> ShoeSection:
    """The cards in use: never how many are left, or which."""
    table, shoe = sources.table, sources.table.shoe
    if shoe is None:
        return ShoeSection()
    return ShoeSection(
        number=shoe.number,
        decks=shoe.decks,
        seal=shoe.seal.root if shoe.seal else None,
        opened=shoe.opened,
        cut=shoe.cut_depth,
        burned=shoe.burned,
        rounds=shoe.rounds,
        rounds_left=shoe.rounds_left,
        last_announced=table.last_announced,
        replace_by=shoe.replace_by,
        doubted_by=shoe.doubted_by,
        patrons_choose=shoe.patrons_choose,
        keep_by=shoe.keep_by,
        free_hand_by=table.free_hand_by,
    )


def scoreboard_section(sources: Sources, _: Due) -> Scoreboard:
    """The roads and statistics of the shoe, and the marks that come next where the floor has them shown."""
    board = sources.history.board
    shown = scoreboard(board)
    return replace(shown, next_marks=next_marks(board)) if sources.next_marks else shown


# clocks

MICROSECONDS_PER_SECOND = 1_000_000


def betting_clock(table: Table, timers: Timers, opened: int) -> BettingClock | None:
    """The clock of the betting that is open; nothing where people close it, or while the table waits."""
    if table.phase is not Phase.BETTING or table.paused or table.open_cases or not timers.betting:
        return None
    closes = opened + timers.betting * MICROSECONDS_PER_SECOND
    return BettingClock(opened, max(opened, closes - timers.warning * MICROSECONDS_PER_SECOND), closes)


def waits_until(definition: TableDefinition, due: Due, since: Timestamps) -> int | None:
    """When a table no longer waits for patrons: to answer an offer, or to open a hand."""
    offer, step = definition.timers.offer, due.awaited.step if due.awaited else None
    if step is NextStep.ANSWERS and offer:
        return since.phase + round(offer * MICROSECONDS_PER_SECOND)
    if step is NextStep.SQUEEZE and definition.automatic_dealer:
        return since.record + round(offer * MICROSECONDS_PER_SECOND)
    return None
