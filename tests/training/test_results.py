"""The record of training: lines that are read again, and the progress of a person."""

import datetime
from pathlib import Path

import pytest
from trainees import rehearsal_of, rehearsed, session

from thirdcard.messages import speaking
from thirdcard.roundfile.parse import SHIPPED_RULES
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.training.dealing import ExerciseAnswer, Skill, exercise_by_seed
from thirdcard.training.faults import drill_by_seed
from thirdcard.training.results import (
    BadResult,
    append_result,
    aspect_in_words,
    progress,
    read_results,
    result_line,
    result_of_drill,
    result_of_exercise,
    results_in,
)

NOON = datetime.datetime(2026, 11, 19, 12, tzinfo=datetime.UTC)
NAME = "cards/face-up-on-the-felt-1, mbs-tiger-v3"


def test_a_result_is_read_again() -> None:
    drill = session(rehearsed(NAME), "dealer")
    result = result_of_drill(drill, drill.grade(), "Eve", NOON)
    assert (result.pack, result.post, result.level, result.passed) == ("cards", "dealer", 2, False)
    assert read_results(f"\n{result_line(result)}") == (result,)


def test_a_drill_by_seed_is_of_a_pack_of_its_own() -> None:
    rulebook, house = SHIPPED.rulebook("mbs-tiger-v3"), SHIPPED.house("marina-bay-sands")
    drill = session(rehearsal_of(drill_by_seed(rulebook, house, 2, SHIPPED_RULES)), "dealer")
    assert result_of_drill(drill, drill.grade(), "Eve", NOON).pack == "faults-by-seed"


def test_a_result_is_appended_on_a_line_of_its_own(tmp_path: Path) -> None:
    drill, record = session(rehearsed(NAME), "dealer"), tmp_path / "record.jsonl"
    result = result_of_drill(drill, drill.grade(), "Eve", NOON)
    assert results_in(record) == ()
    append_result(record, result)
    record.write_bytes(record.read_bytes().rstrip(b"\n"))  # as an editor may leave it
    append_result(record, result)
    append_result(record, result)
    assert results_in(record) == (result, result, result)
    assert record.read_bytes().count(b"\n") == 3


def test_an_aspect_of_another_release_is_told_as_it_is_written() -> None:
    assert aspect_in_words("entry") != "entry"
    assert aspect_in_words("poise") == "poise"


def test_progress_is_by_pack_and_in_the_order_of_time() -> None:
    drill = session(rehearsed(NAME), "dealer")
    failed = result_of_drill(drill, drill.grade(), "Eve", NOON)
    rulebook, house = SHIPPED.rulebook("mbs-tiger-v3"), SHIPPED.house("marina-bay-sands")
    answers = [
        ExerciseAnswer(each, "", each.skill is not Skill.ENTRY, 2.5)
        for each in exercise_by_seed(rulebook, house, 1, 1)
    ]
    later = NOON + datetime.timedelta(hours=1)
    dealt = result_of_exercise(answers, game="mbs-tiger-v3", seed=1, person="Eve", time=later)
    assert dealt.wrong == ("entry",)
    assert dealt.seconds == 2.5 * len(answers)
    with speaking("zh-Hant"):
        assert dealt.title_in_words == "日常發牌，種子 1"
    assert [each.skill for each in dealt.skills] == ["entry", "third-card", "takes-and-pays", "payout"]
    assert (dealt.skills[0].asked, dealt.skills[0].right, dealt.skills[0].seconds) == (1, 0, 2.5)
    assert read_results(result_line(dealt)) == (dealt,)
    found = progress((dealt, failed))
    assert [(each.pack, each.times, each.passed) for each in found] == [
        ("cards", 1, 0),
        ("dealing-by-seed", 1, 0),
    ]
    assert found[1].shares == ((len(answers) - 1) / len(answers),)


def test_a_line_that_is_no_result_is_named() -> None:
    with pytest.raises(BadResult, match="line 1: "):
        read_results("Dear Eve\n")


def test_what_was_wrong_is_said_in_words() -> None:
    assert aspect_in_words("claims") == "Nothing claimed"
    assert aspect_in_words("third-card") == "Third cards"


def test_a_line_of_the_first_form_has_no_skills() -> None:
    drill = session(rehearsed(NAME), "dealer")
    result = result_of_drill(drill, drill.grade(), "Eve", NOON)
    line = result_line(result)
    old = line.replace('"form":2', '"form":1').replace(',"skills":[]', "")
    assert old != line
    (read,) = read_results(old)
    assert (read.form, read.skills, read.points) == (1, (), result.points)
    skill = '"skills":[{"skill":"entry","asked":1,"right":1,"seconds":2.0,"cards":4}]'
    with pytest.raises(BadResult, match="line 1: form 1 has no skills and no trainer"):
        read_results(line.replace('"form":2', '"form":1').replace('"skills":[]', skill))
    (newer,) = read_results(line.replace('"skills":[]', skill))
    assert newer.skills[0].cards == 4


def test_a_result_of_form_1_has_no_trainer() -> None:
    line = (
        '{"form":1,"time":"2026-11-19T12:00:00Z","person":"Eve","pack":"cards","drill":"cards/another-back",'
        '"title":"Another back","game":"mbs-tiger-v3","post":"dealer","level":2,"points":6,"most":6,'
        '"seconds":3.0,"wrong":[]}'
    )
    (result,) = read_results(line)
    assert (result.form, result.trainer, result.passed) == (1, "", True)


def test_a_result_of_a_later_form_is_named() -> None:
    drill = session(rehearsed(NAME), "dealer")
    line = result_line(result_of_drill(drill, drill.grade(), "Eve", NOON)).replace('"form":2', '"form":3')
    with pytest.raises(BadResult, match="line 1: "):
        read_results(line)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('"points":6', '"points":7', "line 1: 7 points of 6"),
        ('"right":1', '"right":2', "line 1: 2 right ones of 1"),
    ],
)
def test_more_right_than_there_was_is_no_result(before: str, after: str, told: str) -> None:
    line = (
        '{"form":2,"time":"2026-11-19T12:00:00Z","person":"Eve","pack":"own","drill":"a","title":"A",'
        '"game":"mbs-tiger-v3","post":"dealer","level":2,"points":6,"most":6,"seconds":3.0,'
        '"skills":[{"skill":"entry","asked":1,"right":1,"seconds":2.0,"cards":4}]}'
    )
    assert read_results(line)
    with pytest.raises(BadResult, match=told):
        read_results(line.replace(before, after))
