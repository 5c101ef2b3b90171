"""Changes to the round, or to the case, that a table is at."""

from msgspec.structs import replace

from thirdcard.game.case_cards import is_deal_completed_first
from thirdcard.game.state import Table
from thirdcard.rulebook.irregularity import Situation


def in_round(table: Table, **changes: object) -> Table:
    """The table with changes to its round."""
    assert table.round is not None
    return replace(table, round=replace(table.round, **changes))


def in_case(table: Table, **changes: object) -> Table:
    """The table with changes to the case that is dealt with first."""
    *others, first = table.open_cases
    return replace(table, open_cases=(*others, replace(first, **changes)))


def no_longer_noted(table: Table, situation: Situation) -> Table:
    """The table whose round is looked at anew for a situation that it has had before."""
    if table.round is None:
        return table
    return in_round(table, noted=tuple(each for each in table.round.noted if each is not situation))


def acted_on(table: Table, places: tuple[int, ...]) -> Table:
    """The table when somebody has acted on what was told of some cards: that is taken back no more."""
    asked = dict(table.shoe.places.asked) if table.shoe else {}
    told = tuple(each for each in table.told if not {*asked.get(each.id, ())}.intersection(places))
    return replace(table, told=told) if len(told) < len(table.told) else table


def wait_for_the_deal(table: Table) -> Table:
    """The table that deals with all others before a case for which the first four cards are to be dealt."""
    *others, first = table.open_cases
    later = is_deal_completed_first(table, first)
    return replace(table, open_cases=(first, *others)) if later else table


def put_first(table: Table, number: int) -> Table:
    """The table that deals first with one of its irregularities."""
    return replace(table, open_cases=tuple(sorted(table.open_cases, key=lambda each: each.id == number)))
