"""The exposure of the house against brute force: every hand that the table of play lets come, one by one."""

import functools
import itertools
import random
from fractions import Fraction

import pytest
from lengths import sized
from story import HO, N4, S6, T3, told

from thirdcard.auditor.bodies import Fact
from thirdcard.auditor.sheet import Facts, RecountSheet, facts_of, next_hand, read_sheet, to_unit
from thirdcard.folds.history import History
from thirdcard.game.state import Table
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.views.exposure import exposure_section
from thirdcard.views.next_actions import Due
from thirdcard.views.sections.exposure import ExposureSection
from thirdcard.views.sources import Sources

# court cards count as tens do, and a pair of them is as good as one of tens
RANKS = range(1, 11)
STAKES = (5_000, 10_000, 33_300, 1_000, 2_500)
OTHERS = (N4, "mbs-dragon-tiger-nc-2023", "hoiana-tiger-2024/non-commission")
GAMES = sized((T3, HO, S6), (T3, HO, S6, *OTHERS))
TRIES = sized(12, 400)  # sets of wagers at each game


@functools.cache
def sheet(game: str) -> RecountSheet:
    book = SHIPPED.rulebook(game)
    house = SHIPPED.house(book.document.house)
    return read_sheet(book.document, house.form, game.partition("/")[2] or None)


@functools.cache
def every_ending(game: str) -> tuple[Facts, ...]:
    """The facts of every hand: all first four ranks, and all third cards that the table of play asks for.

    Which of its two cards came first is no matter of a hand.
    """
    found: dict[tuple[tuple[str, Fact], ...], Facts] = {}
    pairs = tuple(itertools.combinations_with_replacement(RANKS, 2))
    for first in itertools.product(pairs, pairs):
        hands: list[tuple[tuple[int, ...], tuple[int, ...]]] = [first]
        for _ in range(2):
            hands = [after for player, banker in hands for after in _drawn(sheet(game), player, banker)]
        for player, banker in hands:
            facts = facts_of(sheet(game), player, banker)
            found[tuple(sorted(facts.items()))] = facts
    return tuple(found.values())


def _drawn(
    rules: RecountSheet, player: tuple[int, ...], banker: tuple[int, ...]
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    due = next_hand(rules, player, banker)
    if due is None:
        return [(player, banker)]
    if due == "player":
        return [((*player, rank), banker) for rank in RANKS]
    return [(player, (*banker, rank)) for rank in RANKS]


def loses(rules: RecountSheet, facts: Facts, wager: str, stake: int) -> int:
    """The loss of the house on one wager."""
    for line in rules.wagers[wager].lines:
        if all(facts[name] in wanted for name, wanted in line.when.items()):
            return to_unit(Fraction(stake) * line.gain, rules.unit, rules.payments) if line.odds else 0
    return -stake


def section(game: str, table: Table) -> ExposureSection:
    book = SHIPPED.rulebook(game)
    house = SHIPPED.house(book.document.house)
    return exposure_section(Sources(table=table, rulebook=book, house=house, history=History()), Due(None))


def with_wagers(game: str, wagers: list[tuple[str, int]]) -> Table:
    at = "" if game == S6 else " at 1"
    buys = "Ann: buys 9000 credits\n" if game == S6 else ""
    lines = [f"Ann: {stake / 100} on {wager}{at}\n" for wager, stake in wagers]
    story = told(game, f"patrons Ann{at}\n{buys}Dealer: opens betting\n{''.join(lines)}")
    assert story.refusals == ()
    return story.table


@pytest.mark.sweep
@pytest.mark.parametrize("game", GAMES)
def test_exposure_is_the_worst_of_all_hands_for_every_winner(game: str) -> None:
    dice, rules = random.Random(20), sheet(game)
    house_rule = SHIPPED.rulebook(game).wagers
    for _ in range(TRIES):
        kinds = dice.sample(sorted(house_rule), dice.randint(1, 4))
        wagers = [
            (kind, dice.choice(STAKES[:3] if house_rule[kind].kind.value == "main" else STAKES[3:]))
            for kind in kinds
            if not ({"player", "banker"} <= {*kinds} and kind == "banker")
        ]
        shown = section(game, with_wagers(game, wagers))
        by_hand: dict[Winner, int] = {}
        for facts in every_ending(game):
            winner = Winner(facts["winner"])
            lost = sum(loses(rules, facts, wager, stake) for wager, stake in wagers)
            by_hand[winner] = max(lost, by_hand.get(winner, lost))
        assert {line.winner: line.loses for line in shown.lines} == by_hand, wagers
        assert shown.worst is not None
        assert shown.worst.loses == max(by_hand.values())
        for line in shown.lines:
            assert sum(each.loses for each in line.wagers) == line.loses


def test_exposure_of_two_wagers_is_typed_out() -> None:
    """200 on Player pay 200, 100 on Tie pay 800; Ann loses the other one, and a Tie stands Player off."""
    shown = section(T3, with_wagers(T3, [("player", 20_000), ("tie", 10_000)]))
    assert [(line.winner, line.loses) for line in shown.lines] == [
        (Winner.PLAYER, 10_000),
        (Winner.BANKER, -30_000),
        (Winner.TIE, 80_000),
    ]
    assert shown.worst is not None
    assert [(each.wager, each.loses) for each in shown.worst.wagers] == [("tie", 80_000)]


def test_exposure_of_a_known_outcome_is_what_comes_of_it() -> None:
    text = "automatic expose\npatrons Ann at 1\nDealer: opens betting\nAnn: 200 on player at 1\n"
    story = told(T3, f"{text}Dealer: closes betting\nDealer: draws 9 2 K 5\n")
    shown = section(T3, story.table)
    assert [(line.winner, line.loses) for line in shown.lines] == [(Winner.PLAYER, 20_000)]
    over = told(T3, f"{text}Dealer: closes betting\nDealer: draws 9 2 K 5\nDealer: calls player\n")
    assert section(T3, over.table) == ExposureSection()


def test_exposure_counts_no_more_of_a_wager_than_is_in_action() -> None:
    """4.6 of Hoiana: a wager over the maximum is paid up to it."""
    text = "main 50 1000\npatrons Ann at 1\nDealer: opens betting\nDealer: closes betting\n"
    story = told(T3, f"{text}Dealer with Pit Manager: finds Ann 2000 on player at 1\n")
    (player, banker, _) = section(T3, story.table).lines
    assert (player.loses, banker.loses) == (100_000, -100_000)


def test_exposure_of_a_wager_after_a_round_is_open_again() -> None:
    text = "automatic expose\npatrons Ann at 1\nDealer: opens betting\nDealer: closes betting\n"
    more = "Dealer: draws 9 2 K 5\nDealer: calls player\nDealer: opens betting\nAnn: 200 on player at 1\n"
    assert len(section(T3, told(T3, text + more).table).lines) == 3
