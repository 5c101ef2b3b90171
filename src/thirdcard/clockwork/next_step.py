"""The timed steps of a table: the end of betting and of offers, and at an automatic table every step.

Everything follows from the table, its definition, and how long ago the table became what it is. A process
measures that by its own clock, which nobody sets, from the moment it saw a record: a wall clock that is set
right neither ends betting early nor opens it again.
"""

from msgspec import Struct

from thirdcard.devices.virtual_shoe import drawer, next_command
from thirdcard.floor.state import TableDefinition, Timers
from thirdcard.folds.snapshot import TableSnapshot, Timestamps
from thirdcard.game import commands as cmd
from thirdcard.game.planned import change_of, changes_while_open
from thirdcard.game.state import Phase, Table
from thirdcard.journal.keys import KeyRing
from thirdcard.streams.tables import Books
from thirdcard.views.next_actions import Due, NextStep, due_at, missing_equipment
from thirdcard.views.public_sections import MICROSECONDS_PER_SECOND, betting_clock, waits_until


class Planned(Struct, frozen=True):
    """A command of the table itself, and when it is due, in microseconds by the clock of this run."""

    at: int
    body: cmd.Body
    actor: str

    def is_same_step(self, other: "Planned") -> bool:
        """Whether both are the same step; a shoe is shuffled anew whenever it is planned."""
        if isinstance(self.body, cmd.LoadShoe):
            return isinstance(other.body, cmd.LoadShoe) and self.actor == other.actor
        return self.body == other.body and self.actor == other.actor


def set_up(
    definition: TableDefinition, whole: TableSnapshot | None, *, later: bool = False
) -> Planned | None:
    """The set-up of a table that is new or defined otherwise since, or that a ``later`` rulebook governs.

    Other limits and decks are planned at any time, and all else waits until the table is shut.
    """
    setup, table = definition.setup, whole.table if whole else None
    same = table is not None and table.setup == setup and table.change is None
    if table is not None and not same and changes_while_open(table.setup, setup):
        change = change_of(setup)
        if (table.change or change_of(table.setup)) != change:
            return Planned(0, cmd.ChangeTable(change=change), setup.table)
        same = True
    if table is not None and ((same and not later) or table.phase is not Phase.SHUT):
        return None
    return Planned(0, cmd.SetUpTable(setup=setup, method=definition.method), setup.table)


def next_step(
    books: Books,
    table: Table,
    definition: TableDefinition,
    keys: KeyRing,
    since: Timestamps,
    *,
    resting: bool = False,
) -> Planned | None:
    """Return the table's next step and its time if nothing happens first; a resting table begins no round.

    ``since`` is when its phase and its last record were seen, by the clock of this run.
    """
    timers = definition.timers
    due = due_at(books.rulebook, books.house, table)
    if due.awaited is None:
        return None
    clock = betting_clock(table, timers, since.phase)
    if due.awaited.step is NextStep.CLOSE_BETTING and clock is not None:
        return Planned(clock.closes, cmd.CloseBetting(), table.setup.table)
    until = waits_until(definition, due, since)
    if due.awaited.step is NextStep.ANSWERS and until is not None:
        return Planned(until, _end_offer(table), table.setup.table)
    if due.awaited.optional and definition.automatic_dealer:  # nobody has given the permission
        return Planned(_after(since.phase, timers.offer), _end_offer(table), table.setup.table)
    if table.paused or due.awaited.step in (NextStep.CASE, NextStep.ANSWERS):
        return None
    cards = _new_cards(books, table, definition, keys, due.awaited.step)
    if cards is not None:
        return Planned(_after(since.record, timers.card), cards, table.setup.table)
    if not definition.automatic_dealer:
        return None
    return _by_itself(books, table, timers, due, since, resting=resting)


def _end_offer(table: Table) -> cmd.EndOffer:
    """End the offer of the irregularity that is dealt with, not of one that comes to light meanwhile."""
    return cmd.EndOffer(case=table.case.id if table.case else None)


def _after(moment: int, seconds: float) -> int:
    return moment + round(seconds * MICROSECONDS_PER_SECOND)


def _opening(table: Table, timers: Timers, since: Timestamps) -> Planned | None:
    """The call for wagers while somebody is there."""
    if not table.wagers and all(each.gone for each in table.patrons):
        return None
    return Planned(_after(since.phase, timers.between), cmd.OpenBetting(), table.setup.table)


def _new_cards(
    books: Books, table: Table, definition: TableDefinition, keys: KeyRing, step: NextStep
) -> cmd.Body | None:
    """Return the virtual shoe's command before a round, whoever deals; other cards come from people."""
    if not definition.virtual_shoe or not (table.phase is Phase.IDLE or step is NextStep.BURN):
        return None
    return next_command(books.rulebook, books.house, table, keys, behind_cutting_card=definition.cutting_card)


def _by_itself(  # noqa: PLR0911 - one case a step
    books: Books, table: Table, timers: Timers, due: Due, since: Timestamps, *, resting: bool
) -> Planned | None:
    """Return the step that a dealer would take next; what a clause gives to a post waits for that post."""
    awaited = due.awaited
    own = table.setup.table
    assert awaited is not None
    soon = _after(since.record, timers.card)
    match awaited.step:
        case NextStep.CHECK_EQUIPMENT if awaited.post is None:
            return Planned(soon, cmd.TickEquipment(item=missing_equipment(books.rulebook, table)[0]), own)
        case NextStep.OPEN_TABLE if awaited.post is None and not table.closed:  # people open what they closed
            return Planned(soon, cmd.OpenTable(), own)
        case NextStep.FREE_HAND:
            return Planned(soon, cmd.DealFreeHand(), own)
        case NextStep.OPEN_BETTING:
            return None if resting else _opening(table, timers, since)
        case NextStep.MEET_DIFFERENTIAL if not table.decrease_asked:
            return Planned(soon, cmd.AskToDecreaseWagers(), own)
        case NextStep.MEET_DIFFERENTIAL if table.decrease_unanswered:
            return Planned(_after(since.record, timers.offer), cmd.EndOffer(), own)
        case NextStep.CARD if table.shoe is not None and table.shoe.seal is not None:
            return Planned(soon, cmd.DrawCard(card=None), drawer(table))
        case NextStep.PASS_CARDS if awaited.hand is not None and due.patron is not None:
            return Planned(soon, cmd.PassCards(hand=awaited.hand, patron=due.patron), own)
        case NextStep.SQUEEZE if awaited.hand is not None and due.patron is not None:
            body = cmd.DeclineCards(hand=awaited.hand, patron=due.patron)
            return Planned(_after(since.record, timers.offer), body, own)
        case NextStep.OPEN_CARDS if awaited.hand is not None:
            return Planned(soon, cmd.ExposeCards(hand=awaited.hand), own)
        case NextStep.CALL if awaited.winner is not None:
            return Planned(soon, cmd.CallOutcome(winner=awaited.winner), own)
        case _:
            return None
