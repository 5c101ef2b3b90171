"""The folds of a table together."""

from projections.stories import tell

from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all, begin
from thirdcard.projections.folds import Folds, follow
from thirdcard.projections.recorded import Recorded

ROUND = "Dealer: opens betting\nAnn: 600 on player at 1\nDealer: closes betting\nDealer: draws 9 2 K 5\n"


def test_the_events_of_a_record_are_followed_one_by_one() -> None:
    story = tell("patrons Ann at 1\n" + ROUND + "Ann: disputes the tie\n")
    first, *rest = story.watch.events
    assert isinstance(first, ev.TableSetUp)
    followed = follow(Folds(), begin(first), tuple(rest), story.watch.rulebook, Recorded(7, 9))
    assert followed.tables == tuple(
        apply_all(begin(first), rest[: number + 1]) for number in range(len(rest))
    )
    assert followed.tables[-1] == story.table
    folds = followed.folds
    assert folds.meters == story.watch.meters
    assert folds.history.board == story.watch.history.board
    assert [told.first for told in folds.history.rounds] == [Recorded(7, 9)]
    assert [alert.recorded for alert in folds.alerts] == [Recorded(7, 9)]
