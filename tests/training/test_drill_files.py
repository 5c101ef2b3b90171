"""Drill files as they are read: what they may say, and what a bad line is told."""

import pytest
from trainees import rehearsal_of, session

from thirdcard.roundfile.values import BadLine
from thirdcard.training.drill import read_drill

HEAD = "title A test\ngame mbs-tiger-v3\npatrons Ann at 1\n"
GAP = "? Dealer: opens betting\n"


def bad(text: str, what: str) -> None:
    with pytest.raises(BadLine, match=what):
        rehearsal_of(read_drill("x", text)[0])


def test_a_drill_needs_a_title_and_a_gap() -> None:
    bad(GAP, "Say what the drill is called")
    bad(f"{HEAD}Dealer: opens betting\n", "Nothing is left to do")


def test_a_key_stands_once() -> None:
    bad(f"{HEAD}title Another\n{GAP}", "Line 4")


def test_seconds_are_whole_and_not_too_many() -> None:
    assert read_drill("x", f"seconds 90\n{HEAD}{GAP}")[0].seconds == 90
    for text in ("0", "many", "3601", "9" * 5_000):
        bad(f"seconds {text}\n{HEAD}{GAP}", f"{text} is no time for a drill")


def test_a_question_mark_stands_before_an_act() -> None:
    bad(f"{HEAD}? check Ann: won 0\n{GAP}", "Line 4: Behind a question mark")


def test_only_posts_have_gaps() -> None:
    bad(f"{HEAD}? Ann: leaves the table\n", "Ann holds no post here")


def test_the_right_way_is_not_refused() -> None:
    bad(f"{HEAD}? Dealer: closes betting\n", "This is refused")


def test_something_comes_of_a_gap() -> None:
    bad(f"{HEAD}? Pit Supervisor: goes off duty\n", "Line 4: Nothing comes of this")


def test_a_file_of_several_games_is_a_drill_of_each() -> None:
    text = HEAD.replace("mbs-tiger-v3", "mbs-tiger-v3, mbs-tiger-nc-v4") + GAP
    assert [each.game for each in read_drill("x", text)] == ["mbs-tiger-v3", "mbs-tiger-nc-v4"]


def test_own_words_are_told_before_a_line_and_at_the_end() -> None:
    text = f"{HEAD}> Somebody coughs.\nAnn: leaves the table\n> Your turn.\n{GAP}> That was all.\n"
    drill = session(rehearsal_of(read_drill("x", text)[0]), "dealer")
    assert [each.said() for each in drill.acts()] == [
        "Somebody coughs.",
        "Ann leaves the table.",
        "Your turn.",
    ]
    due = drill.due
    assert due is not None
    drill.send(due.step.act.bodies[0])
    assert [each.said() for each in drill.acts()] == ["That was all."]
