"""Every shipped drill, in every post and at every level: solved by an expert, failed by novices."""

import pytest
from drill_rows import all_rows, rows_shown
from trainees import (
    drills,
    expert,
    idle_novice,
    inventing_novice,
    lonely_novice,
    mistaken_novice,
    naming_novice,
    rehearsed,
)

from thirdcard.messages import sentences
from thirdcard.rulebook.irregularity import Situation
from thirdcard.staff import Post
from thirdcard.training.grade import Aspect, Grade
from thirdcard.training.rehearsal import Level, Rehearsal

NAMES = sorted(drills())
pytestmark = pytest.mark.sweep


def wrong(grade: Grade) -> set[Aspect]:
    return {aspect for aspect, right in grade.aspects.items() if not right}


def own_reports(rehearsal: Rehearsal, post: Post) -> bool:
    own = rehearsal.own_steps(post, Level.SHOWN)
    return any(rehearsal.steps[at].reports for at in own)


def test_every_row_of_every_document_is_shown() -> None:
    shown = {row for name in NAMES for row in rows_shown(rehearsed(name))}
    assert [row for row in all_rows() if row not in shown] == []


def test_no_title_names_a_situation_or_is_used_twice() -> None:
    titles = {(each.title, each.game) for each in drills().values()}
    assert len(titles) == len(drills())
    situations = {sentences("en")[f"situation.{each.value}"].casefold() for each in Situation}
    assert not [title for title, _ in titles for name in situations if name in title.casefold()]


@pytest.mark.parametrize("name", NAMES)
def test_expert_has_full_marks(name: str) -> None:
    rehearsal = rehearsed(name)
    assert rehearsal.posts()
    for post in rehearsal.posts():
        for level in Level:
            grade = expert(rehearsal, post, level)
            assert wrong(grade) == set(), (post, level)


@pytest.mark.parametrize("name", NAMES)
def test_who_does_nothing_fails_where_something_was_to_be_done(name: str) -> None:
    rehearsal = rehearsed(name)
    for post in rehearsal.posts():
        expected = {Aspect.NOTICED, Aspect.ORDER, Aspect.CARRIED_OUT, Aspect.TIME}
        expected |= {Aspect.SITUATION} if own_reports(rehearsal, post) else set()
        found = wrong(idle_novice(rehearsal, post, Level.DEALING))
        assert found - {Aspect.POST} == expected


@pytest.mark.parametrize("name", NAMES)
def test_who_reports_another_situation_has_noticed_and_is_wrong(name: str) -> None:
    rehearsal = rehearsed(name)
    for post in rehearsal.posts():
        if own_reports(rehearsal, post):
            grade = mistaken_novice(rehearsal, post)
            first = next(each for each in grade.findings if each.aspect is Aspect.NOTICED)
            assert first.right
            assert not grade.aspects[Aspect.SITUATION]


@pytest.mark.parametrize("name", NAMES)
def test_who_enters_what_did_not_happen_claims_too_much(name: str) -> None:
    rehearsal = rehearsed(name)
    for post in rehearsal.posts():
        assert Aspect.CLAIMS in wrong(inventing_novice(rehearsal, post))
        named = naming_novice(rehearsal, post)
        assert named is None or Aspect.CLAIMS in wrong(named)


@pytest.mark.parametrize("name", NAMES)
def test_who_calls_nobody_misses_the_post(name: str) -> None:
    rehearsal = rehearsed(name)
    for post in rehearsal.posts():
        needed = Aspect.POST in idle_novice(rehearsal, post).aspects
        assert (Aspect.POST in wrong(lonely_novice(rehearsal, post))) == needed


@pytest.mark.parametrize("document", sorted({row.document for row in all_rows()}))
def test_every_post_of_the_pit_has_drills_of_every_document(document: str) -> None:
    own = [rehearsed(name) for name in NAMES if rehearsed(name).rulebook.document.id == document]
    shift = "shift-manager" if document.startswith("hoiana") else "gaming-shift-manager"
    for post in ("dealer", "pit-supervisor", "pit-manager", shift):
        assert sum(post in each.posts() for each in own) >= 10, post
