"""Exact odds by plain enumeration, to compare faster ways with."""

from thirdcard.odds.exact import RankCounts, WagerOdds, endings, wager_odds
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule


def rulebook_odds(rulebook: Rulebook, shoe: RankCounts, pair_rule: PairRule) -> tuple[WagerOdds, ...]:
    """The exact odds of every wager of a game."""
    ends = endings(rulebook.drawing, shoe, pair_rule)
    return tuple(wager_odds(wager, ends) for wager in rulebook.wagers.values())
