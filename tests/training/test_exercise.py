"""An exercise in ordinary dealing: each question is answered once, and takes its time."""

import pytest

from thirdcard.messages import say, speaking
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.training.dealing import DealingQuestion, Skill, exercise_by_seed
from thirdcard.training.exercise import DealingExercise, SkillResult, skill_results

GAME = "mbs-tiger-v3"
RULEBOOK = SHIPPED.rulebook(GAME)
HOUSE = SHIPPED.house_of(RULEBOOK)


class SteppedClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def exercise(seed: int = 1, rounds: int = 1) -> tuple[DealingExercise, SteppedClock]:
    clock = SteppedClock()
    return DealingExercise(exercise_by_seed(RULEBOOK, HOUSE, seed, rounds), HOUSE.currency, clock), clock


def test_time_runs_from_when_a_question_is_first_asked() -> None:
    one, clock = exercise()
    clock.seconds += 50  # nobody has asked yet
    assert one.ask() is one.questions[0]
    clock.seconds += 4
    assert one.ask() is one.questions[0]
    clock.seconds += 3
    one.answer(1, "player")
    assert one.answers[0].seconds == 7
    clock.seconds += 30  # to look at the right answer
    one.go_on(1)
    assert one.ask() is one.questions[1]
    clock.seconds += 1
    one.answer(2, "nobody")
    assert one.answers[1].seconds == 1


def test_first_answer_counts() -> None:
    one, _ = exercise()
    one.answer(1, "nobody")
    one.answer(1, "player")
    assert [each.answer for each in one.answers] == ["nobody"]
    one.go_on(1)
    one.answer(1, "player")
    assert [each.answer for each in one.answers] == ["nobody"]
    assert one.number == 2


def test_nothing_goes_on_without_an_answer() -> None:
    one, _ = exercise()
    one.go_on(1)
    one.go_on(2)
    assert one.number == 1
    assert one.checked is None


def test_exercise_is_over_when_the_last_answer_was_looked_at() -> None:
    one, _ = exercise()
    for number, question in enumerate(one.questions, start=1):
        one.answer(number, question.right)
        assert one.checked is one.answers[-1]
        assert one.ask() is None
        assert not one.over
        one.go_on(number)
    assert one.over
    assert one.checked is None
    assert one.ask() is None
    one.answer(len(one.questions) + 1, "player")
    assert len(one.answers) == len(one.questions)
    assert not one.takes(len(one.questions) + 1, "player")


@pytest.mark.parametrize(
    ("skill", "good", "bad"),
    [
        (Skill.ENTRY, ("AS", "10h td", "9♥"), ("", "x", "1S", "AS ZZ")),
        (Skill.THIRD_CARD, ("player", "b", "Nobody"), ("", "both", "tie")),
        (Skill.TAKES_AND_PAYS, ("pay", "T", "leave"), ("", "give")),
        (Skill.PAYOUT, ("128.25", "0"), ("", "1,50", "-1", "much")),
    ],
)
def test_only_what_reads_as_an_answer_is_taken(
    skill: Skill, good: tuple[str, ...], bad: tuple[str, ...]
) -> None:
    one, _ = exercise()
    number = next(at for at, each in enumerate(one.questions, start=1) if each.skill is skill)
    assert not one.takes(number, good[0]) or number == 1  # it was not put yet
    one.number = number
    assert all(one.takes(number, each) for each in good)
    assert not any(one.takes(number, each) for each in bad)
    assert not one.takes(0, good[0])


def test_skills_are_counted_with_their_seconds_and_cards() -> None:
    """Seed 1 has two third cards, an entry of six cards, four wagers, and one payout."""
    one, clock = exercise()
    for number, question in enumerate(one.questions, start=1):
        one.ask()
        clock.seconds += 2.5
        wrong = question.skill is Skill.TAKES_AND_PAYS
        one.answer(number, "leave" if wrong else question.right)
        one.go_on(number)
    assert skill_results(one.answers) == (
        SkillResult("entry", 1, 1, 2.5, 6),
        SkillResult("third-card", 2, 2, 5.0),
        SkillResult("takes-and-pays", 4, 0, 10.0),
        SkillResult("payout", 1, 1, 2.5),
    )
    assert skill_results(one.answers[:1]) == (SkillResult("third-card", 1, 1, 2.5),)


def test_questions_know_their_round() -> None:
    one, _ = exercise(rounds=3)
    assert sorted({each.round_number for each in one.questions}) == [1, 2, 3]


def third_cards() -> list[DealingQuestion]:
    found = exercise_by_seed(RULEBOOK, HOUSE, 7, 60)
    return [each for each in found if each.skill is Skill.THIRD_CARD]


@pytest.mark.parametrize(
    ("beginning", "end"),
    [
        ("Points: Player", "With a natural nobody draws."),
        ("Points: Player", "Both stand."),
        ("Points: Player", "Player draws."),
        ("Points: Player", "Banker draws."),
        ("Banker has", "Banker draws."),
        ("Banker has", "Banker stands."),
        ("Banker has its third card.", "No more cards come."),
    ],
)
def test_each_third_card_is_explained_with_its_clause(beginning: str, end: str) -> None:
    told = [each for each in third_cards() if each.why and say(each.why).endswith(end)]
    told = [each for each in told if each.why and say(each.why).startswith(beginning)]
    assert told
    hand = {"Player draws.": "player", "Banker draws.": "banker"}.get(end, "nobody")
    assert {each.right for each in told} == {hand}
    assert all(each.clauses for each in told)
    for language in ("zh-Hans", "zh-Hant", "vi", "ko"):
        with speaking(language):
            assert told[0].why
            assert not say(told[0].why).isascii()
