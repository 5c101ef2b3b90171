"""A table with everything that is folded beside it."""

import msgspec
from folds.stories import tell

from thirdcard.folds.alerts import alerts_after
from thirdcard.folds.history import history_after
from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import QUIET_EVENTS, TableSnapshot, whole_after

ROUND = "Dealer: opens betting\nAnn: 600 on player at 1\nDealer: closes betting\nDealer: draws 9 2 K 5\n"


def test_the_events_of_a_record_are_folded_one_by_one() -> None:
    story = tell("patrons Ann at 1\n" + ROUND + "Ann: disputes the tie\n")
    events, rules = tuple(story.watch.events), ("book", "house")
    whole = whole_after(None, events, story.watch.rulebook, Recorded(7, 9), rules)
    assert whole is not None
    assert whole.rules == rules
    assert (whole.table, whole.meters) == (story.table, story.watch.meters)
    assert whole.history.board == story.watch.history.board
    assert [told.first for told in whole.history.rounds] == [Recorded(7, 9)]
    assert [alert.recorded for alert in whole.alerts] == [Recorded(7, 9)]
    assert msgspec.json.decode(msgspec.json.encode(whole), type=TableSnapshot) == whole


def test_an_alarm_waits_beside_the_table_until_its_cards_may_be_named() -> None:
    dealt = "automatic call\ndevice card-reading\npatrons Ann at 1\n" + ROUND.replace(
        "9 2 K 5", "9H 2C KS 5C"
    )
    alarm = "Dealer: raises the alarm card-mismatch cards 9H 6H\n"
    opened = "Dealer: opens player 9H KS\nDealer: opens banker 2C 5C\n"
    for lines, waiting in ((dealt + alarm, 1), (dealt + alarm + opened, 0)):
        story = tell(lines)
        events, book = tuple(story.watch.events), story.watch.rulebook
        whole = whole_after(None, events, book, Recorded(7, 9), ("book", "house"))
        assert whole is not None
        assert len(whole.unnamed) == waiting


def test_neither_the_history_nor_an_alert_tells_of_wagers_and_cards() -> None:
    story = tell("patrons Ann at 1\n" + ROUND + "Ann: disputes the tie\n")
    for event in story.watch.events:
        if isinstance(event, QUIET_EVENTS):
            watch = story.watch
            args = (event, story.table, watch.rulebook, Recorded(7, 9))
            assert history_after(watch.history, *args) == watch.history
            assert alerts_after(watch.alerts, event, story.table, Recorded(7, 9)) == watch.alerts


def test_where_nothing_happened_nothing_is_there() -> None:
    story = tell("")
    assert whole_after(None, (), story.watch.rulebook, Recorded(1, 1), ("", "")) is None
