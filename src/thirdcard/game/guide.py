"""What comes next at a table, by its rules: for the dealer's screen, and for a table that deals by itself."""

import enum

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.game.betting import differential_row
from thirdcard.game.commands import Envelope
from thirdcard.game.dealing import due_hand
from thirdcard.game.desk import Desk
from thirdcard.game.limits import gap_of
from thirdcard.game.squeezing import entitled, holder_of
from thirdcard.game.state import CardState, Hand, Phase, Table
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Method
from thirdcard.staff import Post


class Step(enum.Enum):
    """The next thing to do, whoever does it."""

    OPEN_TABLE = "open-table"
    LET_GO_ON = "let-go-on"
    SETTLE_CASE = "settle-case"
    HEAR_PATRONS = "hear-patrons"
    NEW_CARDS = "new-cards"
    ASK_ABOUT_CARDS = "ask-about-cards"
    FREE_HAND = "free-hand"
    BURN = "burn"
    OPEN_BETTING = "open-betting"
    CLOSE_BETTING = "close-betting"
    MEET_DIFFERENTIAL = "meet-differential"
    TAKE_DEVICE = "take-device"
    DRAW = "draw"
    CHOOSE_SQUEEZER = "choose-squeezer"
    PASS_CARDS = "pass-cards"
    AWAIT_PATRON = "await-patron"
    EXPOSE = "expose"
    CALL = "call"


class Advice(Struct, frozen=True, kw_only=True):
    """The next step: for which hand, by whom or to whom, and the clauses that say so."""

    step: Step
    hand: Hand | None = None
    patron: str | None = None
    post: Post | None = None
    winner: Winner | None = None
    items: tuple[str, ...] = ()
    clauses: tuple[Clause, ...] = ()


def advise(rulebook: Rulebook, house: House, table: Table, envelope: Envelope) -> Advice:
    """What comes next at a table; the envelope says who asks and when."""
    desk = Desk(rulebook, house, table, envelope)
    if table.case is not None:
        step = Step.HEAR_PATRONS if table.offer is not None else Step.SETTLE_CASE
        return Advice(step=step, clauses=(table.case.clause,) if table.case.clause else ())
    if table.paused:
        return Advice(step=Step.LET_GO_ON)
    match table.phase:
        case Phase.SHUT:
            items = tuple(each.id for each in rulebook.document.equipment if each.id not in table.equipment)
            return Advice(step=Step.OPEN_TABLE, items=items)
        case Phase.IDLE:
            return _between_rounds(desk)
        case Phase.BETTING:
            return _betting(desk)
        case Phase.CLOSED:
            return _first_card(desk)
        case Phase.DEALING:
            return _dealing(desk)
        case Phase.OUTCOME:
            assert table.round is not None
            assert table.round.facts is not None
            return Advice(step=Step.CALL, winner=table.round.facts.winner)


def _between_rounds(desk: Desk) -> Advice:
    shoe = desk.table.shoe
    if shoe is None or shoe.replace_by is not None or shoe.rounds_left == 0 or shoe.left == 0:
        clause = shoe.replace_by if shoe else None
        return Advice(step=Step.NEW_CARDS, clauses=(clause,) if clause else ())
    if shoe.patrons_choose:
        return Advice(step=Step.ASK_ABOUT_CARDS)
    if desk.table.free_hand_by is not None:
        return Advice(step=Step.FREE_HAND, clauses=(desk.table.free_hand_by,))
    burn = desk.document.burn
    if burn is not None and shoe.burned is None and not shoe.rounds:
        return Advice(step=Step.BURN, clauses=(burn.clause,))
    return Advice(step=Step.OPEN_BETTING)


def _betting(desk: Desk) -> Advice:
    if desk.table.free_hand_by is not None:
        return Advice(step=Step.FREE_HAND, clauses=(desk.table.free_hand_by,))
    return Advice(step=Step.CLOSE_BETTING, clauses=(desk.document.round.opening.clause,))


def _first_card(desk: Desk) -> Advice:
    if desk.table.free_hand_by is not None:
        return Advice(step=Step.FREE_HAND, clauses=(desk.table.free_hand_by,))
    if gap_of(desk.table) > desk.table.setup.differential and differential_row(desk) is not None:
        limits = desk.document.limits
        clause = limits.differential.limit_clause if limits and limits.differential else None
        return Advice(step=Step.MEET_DIFFERENTIAL, clauses=(clause,) if clause else ())
    return _draw(desk, Hand.PLAYER, (desk.document.deal.player,))


def _draw(desk: Desk, hand: Hand, clauses: tuple[Clause, ...]) -> Advice:
    if desk.table.method is Method.C and desk.table.device_holder is None:
        return Advice(step=Step.TAKE_DEVICE)
    return Advice(step=Step.DRAW, hand=hand, patron=desk.table.device_holder, clauses=clauses)


def _dealing(desk: Desk) -> Advice:
    current = desk.table.round
    assert current is not None
    due = due_hand(desk)
    if not isinstance(due, Refused):
        return _draw(desk, *due)
    order = (Hand.BANKER, Hand.PLAYER) if current.reveal_first is Hand.BANKER else (Hand.PLAYER, Hand.BANKER)
    hidden = [
        hand
        for hand in order
        if any(each.hand is hand and each.state is not CardState.EXPOSED for each in current.cards)
    ]
    return _open(desk, hidden[0])


def _open(desk: Desk, hand: Hand) -> Advice:
    """Whose a hidden hand is to open: its holder's, the next patron's who has the right, or the Dealer's."""
    holder = holder_of(desk, hand)
    if holder is not None:
        return Advice(step=Step.AWAIT_PATRON, hand=hand, patron=holder)
    current = desk.table.round
    assert current is not None
    first_two = [each for each in current.cards if each.hand is hand][:2]
    if any(each.state is CardState.EXPOSED for each in first_two):
        return Advice(step=Step.EXPOSE, hand=hand)
    right = entitled(desk, hand)
    if isinstance(right, Refused):
        return Advice(
            step=Step.CHOOSE_SQUEEZER, hand=hand, clauses=tuple(Clause(each) for each in right.clauses)
        )
    if right is not None:
        return Advice(step=Step.PASS_CARDS, hand=hand, patron=right[0], clauses=right[1])
    return Advice(step=Step.EXPOSE, hand=hand)
