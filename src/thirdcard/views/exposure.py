"""The most that the house stands to lose at a table, over every ending that can come."""

import functools
from collections import defaultdict

from thirdcard.game.limits import in_action
from thirdcard.game.settlement import settle_wager
from thirdcard.game.standing import KnownCards, possible
from thirdcard.rulebook.book import Rulebook, Wager
from thirdcard.rulebook.facts import Facts, PairRule, Winner, hold
from thirdcard.rulebook.table_of_play import Drawing
from thirdcard.views.next_actions import Due
from thirdcard.views.sections.exposure import ExposedWager, ExposureLine, ExposureSection
from thirdcard.views.sources import Sources

# the winner of an ending, and for each wager the place of the row that decides it; past the last it loses
Ending = tuple[Winner, tuple[int, ...]]


def exposure_section(sources: Sources, _: Due) -> ExposureSection:
    """Return the worst ending for each winner.

    Before the outcome is known every ending of the game counts, whatever cards lie there.
    """
    table, rulebook = sources.table, sources.rulebook
    if not table.wagers:
        return ExposureSection()
    facts = table.round.facts if table.round and not table.round.ended else None
    endings = (_ending(tuple(rulebook.wagers.values()), facts),) if facts else endings_of(rulebook, sources)
    losses = _losses(sources)
    worst: dict[Winner, tuple[int, tuple[int, ...]]] = {}
    for winner, rows in endings:
        loses = sum(losses[wager][rows[at]] for at, wager in enumerate(rulebook.wagers) if wager in losses)
        if winner not in worst or loses > worst[winner][0]:
            worst[winner] = (loses, rows)
    lines = tuple(
        ExposureLine(winner, *_line(rulebook, losses, *worst[winner])) for winner in Winner if winner in worst
    )
    return ExposureSection(lines, max(lines, key=lambda each: each.loses))


def _line(
    rulebook: Rulebook, losses: dict[str, list[int]], loses: int, rows: tuple[int, ...]
) -> tuple[int, tuple[ExposedWager, ...]]:
    named = (
        ExposedWager(wager, losses[wager][rows[at]])
        for at, wager in enumerate(rulebook.wagers)
        if wager in losses
    )
    return loses, tuple(each for each in named if each.loses)


def endings_of(rulebook: Rulebook, sources: Sources) -> tuple[Ending, ...]:
    """Every ending of a game, those alike for all its wagers once."""
    pair_rule = rulebook.pair_rule(sources.house)
    return _endings(rulebook.drawing, tuple(rulebook.wagers.values()), pair_rule)


@functools.lru_cache(maxsize=64)  # there are as many as games and houses are in use
def _endings(drawing: Drawing, wagers: tuple[Wager, ...], pair_rule: PairRule) -> tuple[Ending, ...]:
    found = possible(drawing, KnownCards(), pair_rule)
    return tuple(dict.fromkeys(_ending(wagers, facts) for facts in found))


def _ending(wagers: tuple[Wager, ...], facts: Facts) -> Ending:
    places = (
        next((at for at, row in enumerate(wager.rows) if hold(row.conditions, facts)), len(wager.rows))
        for wager in wagers
    )
    return facts.winner, tuple(places)


def _losses(sources: Sources) -> dict[str, list[int]]:
    """The loss of the house on all wagers of a kind that lie there, by the row that decides them."""
    table, house, wagers = sources.table, sources.house, sources.rulebook.wagers
    acting = in_action(sources.rulebook.document, house, table)
    losses: defaultdict[str, list[int]] = defaultdict(list)
    for kind, wager in wagers.items():
        amounts = [acting[each.id].amount for each in table.wagers if each.wager == kind]
        for row in (*wager.rows, None) if amounts else ():
            losses[kind].append(sum(settle_wager(wager, row, amount, house).net for amount in amounts))
    return dict(losses)
