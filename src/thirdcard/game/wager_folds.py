"""The table after a wager was placed, found, reduced or pulled, and after a request to decrease."""

from collections.abc import Iterable

from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game.current_folds import in_round, no_longer_noted
from thirdcard.game.earlier_rounds import Mark, with_stake
from thirdcard.game.interests import round_at_hand
from thirdcard.game.limits import gap_of, heavier_hand, limit_of
from thirdcard.game.state import Balance, Case, Patron, Phase, PlacedWager, Table, WithdrawnStake
from thirdcard.rulebook.irregularity import Situation


def end_request(table: Table) -> Table:
    """End the request to decrease for everybody once it is met; another excess needs a request of its own."""
    if gap_of(table) > table.setup.differential and heavier_hand(table) is table.decrease_hand:
        return table
    return replace(table, decrease_asked=False, decrease_unanswered=(), decrease_answered=())


def fold_placed(table: Table, event: ev.WagerPlaced) -> Table:
    """The table with a wager, which may be a raise after closing."""
    table = _raise(table, event) if table.phase is Phase.CLOSED else table
    return place_wager(table, event, table.next_wager)


def place_wager(table: Table, event: ev.WagerPlaced | ev.WagerFound, reached: int) -> Table:
    """The table with a wager, or with more on one that lies there."""
    order, name, patron = table.next_wager, event.patron, table.patron(event.patron)
    marked = patron is not None and patron.marked is not None
    new = PlacedWager(event.id, name, event.position, event.wager, event.amount, reached, 0, marked)
    if event.id == order:  # ids are given in order, so this is a new wager
        wagers = (*table.wagers, new)
    else:
        wagers = tuple(
            replace(
                new,
                stake=each.stake + event.amount,
                pulled=each.pulled,
                marked=each.marked,
                held=each.held,
                reached=(*each.reached, (each.stake, each.order)),
            )
            if each.id == event.id
            else each
            for each in table.wagers
        )
    again = table.wagers and table.wagers[-1].patron == name  # so that it is known already
    stakes = table.stakes if again else with_stake(table.stakes, name, round_at_hand(table))
    table = replace(table, wagers=wagers, next_wager=order + 1, stakes=stakes)
    return credit_terminal(table, event.patron, -event.amount) if table.setup.terminal else table


def _raise(table: Table, event: ev.WagerPlaced) -> Table:
    """The table whose round remembers that a wager was raised after the closing call, as a clause allows."""
    current = table.round
    if current is None or current.ended:
        return table
    raised = dict(current.raised)
    raised[event.id] = raised.get(event.id, 0) + event.amount
    return in_round(table, raised=tuple(raised.items()))


def with_owner(table: Table, event: ev.WagerFound) -> Table:
    """The table with the patron of a wager that is found: one who left before has left it lying."""
    if table.patron(event.patron) is not None:
        return table
    marked = {each.patron: each.round for each in table.marks}.get(event.patron)
    left = Patron(event.patron, event.position, seated=False, marked=marked, gone=True)
    return replace(table, patrons=(*table.patrons, left))


def reduce_wager(table: Table, event: ev.WagerReduced) -> Table:
    """The table with less on a wager, or without it."""

    def less(each: PlacedWager) -> PlacedWager:
        left = each.stake - event.amount
        pulled = min(each.pulled - event.gone, left)
        order = table.next_wager if event.order is None else event.order
        reached = tuple(step for step in each.reached if step[1] < order) if event.order else ()
        return replace(each, stake=left, order=order, pulled=pulled, reached=reached)

    noted = table.phase in (Phase.DEALING, Phase.OUTCOME)
    gap = gap_of(table) if noted else 0
    wagers = (less(each) if each.id == event.id else each for each in table.wagers)
    if event.case is not None:
        cases = (
            _withdrawn(each, table, event) if each.id == event.case else each for each in table.open_cases
        )
        table = replace(table, open_cases=tuple(cases))
    table = replace(
        table, wagers=tuple(each for each in wagers if each.stake), next_wager=table.next_wager + 1
    )
    if event.mistaken and table.round is not None and not table.round.ended:
        table = in_round(table, mistaken=tuple(dict.fromkeys((*table.round.mistaken, event.wager))))
    if noted and gap_of(table) > gap:  # more than was dealt with
        table = no_longer_noted(table, Situation.DIFFERENTIAL_EXCEEDED)
    return credit_terminal(table, event.patron, event.back) if table.setup.terminal else table


def _withdrawn(case: Case, table: Table, event: ev.WagerReduced) -> Case:
    """The case when a wager, or a part of one, was withdrawn in its offer."""
    offer, lay = case.offer, next(each for each in table.wagers if each.id == event.id)
    assert offer is not None
    stake = WithdrawnStake(replace(lay, stake=event.amount, pulled=event.gone), event.by)
    return replace(
        case,
        withdrawn=(*case.withdrawn, event.patron),
        offer=replace(offer, withdrawn=(*offer.withdrawn, stake)),
    )


def pull_wager(table: Table, wager: int, amount: int) -> Table:
    """The table with a part of a wager pulled back late."""
    wagers = tuple(
        replace(each, pulled=each.pulled + amount) if each.id == wager else each for each in table.wagers
    )
    return replace(table, wagers=wagers)


def mark_patron(table: Table, event: ev.PatronMarked) -> Table:
    """Mark a patron by the wagers under the minimum that were paid or collected."""
    lines = (each for each in table.round.settled if each.patron == event.patron) if table.round else ()
    moved = (each for each in lines if each.paid or each.taken)
    wagers = tuple(each.id for each in moved if each.stake < limit_of(table, each.wager).minimum)
    patrons = tuple(
        replace(each, marked=event.round) if each.name == event.patron else each for each in table.patrons
    )
    marks = tuple(each for each in table.marks if each.patron != event.patron)
    return replace(table, patrons=patrons, marks=(*marks, Mark(event.patron, event.round, wagers)))


def unmarked(table: Table, number: int) -> Table:
    """Without its settlement a round has paid and collected nothing, so it has marked nobody."""
    patrons = tuple(replace(each, marked=None) if each.marked == number else each for each in table.patrons)
    return replace(table, patrons=patrons, marks=tuple(each for each in table.marks if each.round != number))


def credit_terminal(table: Table, terminal: str, amount: int) -> Table:
    """The table with more credits at one terminal; the others are not looked at."""
    place = table.place_of(terminal)
    before, after = table.credits[:place], table.credits[place:]
    if after and after[0].terminal == terminal:
        amount, after = after[0].credits + amount, after[1:]
    return replace(table, credits=(*before, Balance(terminal, amount), *after))


def credit_terminals(table: Table, amounts: Iterable[tuple[str, int]]) -> Table:
    """The table with more credits at several terminals."""
    held = {each.terminal: each.credits for each in table.credits}
    for terminal, amount in amounts:
        held[terminal] = held.get(terminal, 0) + amount
    return replace(table, credits=tuple(Balance(name, credit) for name, credit in sorted(held.items())))
