"""The folds of suspected money: it is with the staff, and its wager stays in the round."""

from collections.abc import Iterable
from typing import TypeVar

from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.game.handed import hand, left_waiting, wait_for
from thirdcard.game.state import Case, Hand, HeldMoney, PlacedWager, SettledWager, Table

HeldWagerType = TypeVar("HeldWagerType", bound=PlacedWager | SettledWager)


def hold(table: Table, event: ev.MoneyHeld) -> Table:
    """Hold money; the wager that it is stays in its round, settled or not."""
    wager, settled, current = event.wager, event.settled, table.round
    line = replace(settled, held=event.id) if settled else None
    counts = _counts(table) if line else (0, 0)
    held = HeldMoney(event.id, event.patron, event.amount, event.round, wager, line, counts=counts)
    table = replace(table, suspicions=event.id, held=(*table.held, held))
    if wager is None:
        return table
    if not event.in_play:
        return replace(table, wagers=tuple(each for each in table.wagers if each.id != wager.id))
    if line is None or current is None:
        return replace(table, wagers=_with_suspicion(table.wagers, wager.id, event.id))
    lay = _with_suspicion(current.lay, wager.id, event.id)
    lines = _with_suspicion(current.settled, wager.id, event.id)
    current = wait_for(current, line.patron, -line.back - line.paid)
    return replace(table, round=replace(current, lay=lay, settled=lines))


def _counts(table: Table) -> tuple[int, int]:
    """How many cards the Player and the Banker have."""
    hands = [each.hand for each in table.round.cards] if table.round else []
    return hands.count(Hand.PLAYER), hands.count(Hand.BANKER)


def _with_suspicion(
    wagers: tuple[HeldWagerType, ...], wager: int, suspicion: int
) -> tuple[HeldWagerType, ...]:
    return tuple(replace(each, held=suspicion) if each.id == wager else each for each in wagers)


def _without_suspicion(wagers: Iterable[HeldWagerType], suspicion: int) -> tuple[HeldWagerType, ...]:
    return tuple(replace(each, held=0) if each.held == suspicion else each for each in wagers)


def _without(wagers: Iterable[HeldWagerType], suspicion: int) -> tuple[HeldWagerType, ...]:
    return tuple(each for each in wagers if each.held != suspicion)


def join(table: Table, event: ev.WagerFound) -> Table:
    """Hold chips that are found of a wager which is held."""
    held = tuple(
        replace(each, amount=each.amount + event.amount) if each.id == event.held else each
        for each in table.held
    )
    return replace(table, held=held)


def settle(table: Table, lines: tuple[SettledWager, ...]) -> Table:
    """Note how wagers that are held were settled."""
    settled = {each.held: each for each in lines if each.held}
    held = tuple(
        replace(each, settled=settled[each.id], unjudged=None, counts=_counts(table))
        if each.id in settled
        else each
        for each in table.held
    )
    return replace(table, held=held)


def undo(table: Table, lines: tuple[SettledWager, ...]) -> Table:
    """Forget how wagers that are held were settled."""
    undone = {each.held for each in lines}
    held = tuple(
        replace(each, settled=None, unjudged=None) if each.id in undone else each for each in table.held
    )
    return replace(table, held=held)


def judge(table: Table, event: ev.HeldWagerJudged) -> Table:
    """Note how a wager that is held is settled by a record that was corrected, if that tells an outcome."""
    held = tuple(_judged(each, event.settled) if each.id == event.id else each for each in table.held)
    return replace(table, held=held)


def _judged(held: HeldMoney, settled: SettledWager | None) -> HeldMoney:
    unjudged = (held.settled or held.unjudged) if settled is None else None
    return replace(held, settled=settled, unjudged=unjudged)


def decide(table: Table, event: ev.HeldMoneyDecided) -> Table:
    """Let a wager lie there again or stand as it was settled, or set it apart."""
    held = next(each for each in table.held if each.id == event.id)
    left = tuple(each for each in table.held if each.id != event.id)
    cases = tuple(_handed_over(each, event.id) for each in table.open_cases)
    table = replace(table, held=left, open_cases=cases)
    if event.wager is not None:
        others = (each for each in table.wagers if each.id != event.wager.id)
        return replace(table, wagers=tuple(sorted((*others, event.wager), key=lambda each: each.id)))
    if event.settled is not None:
        return _stand(table, event.id, event.settled)
    table = table if held.wager is None else _take_mark(table, held.patron, held.round, held.wager.id)
    return _take_out(table, event.id, apart=event.apart)


def _take_mark(table: Table, patron: str, number: int, wager: int) -> Table:
    """Take a mark back with the last wager that made it: nothing of it was paid or collected."""
    mark = next((each for each in table.marks if (each.patron, each.round) == (patron, number)), None)
    if mark is None or wager not in mark.wagers:
        return table
    others = tuple(each for each in table.marks if each is not mark)
    wagers = tuple(each for each in mark.wagers if each != wager)
    if wagers:
        return replace(table, marks=(*others, replace(mark, wagers=wagers)))
    patrons = tuple(replace(each, marked=None) if each.name == patron else each for each in table.patrons)
    lying = tuple(replace(each, marked=False) if each.patron == patron else each for each in table.wagers)
    return replace(table, marks=others, patrons=patrons, wagers=lying)


def _handed_over(case: Case, suspicion: int) -> Case:
    """The case with what was withdrawn in its offer and held, once it is with its patron."""
    offer = case.offer
    if offer is None:
        return case
    withdrawn = tuple(
        replace(each, wager=replace(each.wager, held=0)) if each.wager.held == suspicion else each
        for each in offer.withdrawn
    )
    return replace(case, offer=replace(offer, withdrawn=withdrawn))


def _stand(table: Table, suspicion: int, settled: SettledWager) -> Table:
    """The wager is settled like any other, and its settlement can be put right like any other.

    Of one of an earlier round the table remembers what was handed over.
    """
    current = table.round
    assert current is not None
    if not any(each.held == suspicion for each in (*current.settled, *table.last_settled)):
        return hand(table, {settled.patron: settled.back + settled.paid})
    if any(each.held == suspicion for each in current.settled):
        waiting = left_waiting(table, (settled,))
        current = wait_for(current, settled.patron, sum(each.credits for each in waiting))
    stands = replace(
        current,
        lay=_without_suspicion(current.lay, suspicion),
        settled=_without_suspicion(current.settled, suspicion),
    )
    return replace(table, round=stands, last_settled=_without_suspicion(table.last_settled, suspicion))


def _take_out(table: Table, suspicion: int, *, apart: bool) -> Table:
    """The wager brings nothing; where it is set apart, others are settled as if it lay there."""
    current = table.round
    if current is not None:
        mine = (each for each in (*table.wagers, *current.lay) if each.held == suspicion and apart)
        set_apart = (*current.set_apart, *(replace(each, held=0) for each in mine))
        lay, lines = _without(current.lay, suspicion), _without(current.settled, suspicion)
        table = replace(table, round=replace(current, lay=lay, settled=lines, set_apart=set_apart))
    return replace(
        table,
        wagers=_without(table.wagers, suspicion),
        last_settled=_without(table.last_settled, suspicion),
    )
