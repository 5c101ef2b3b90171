"""Wagers that are established or raised late, as the table folds them."""

from story import HO, happened, told

from thirdcard.game import events as ev
from thirdcard.game.apply import apply

CLOSED = "patrons Ann at 1\nDealer: opens betting\nAnn: 1000 on player at 1\nDealer: closes betting\n"


def test_a_wager_placed_before_the_round_begins_is_no_raise_of_it() -> None:
    """A round of Hoiana begins with its first card (2.2.13)."""
    story = told(HO, CLOSED)
    (placed,) = happened(story, ev.WagerPlaced)
    after = apply(story.table, placed)
    assert [each.stake for each in after.wagers] == [200_000]
    assert after.round is None
