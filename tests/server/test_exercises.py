"""Training by seed over HTTP: drills by chance, and exercises that are asked, checked and kept."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from moved_clock import MovedClock
from server.in_process import floor_here
from server.test_training import asked, command, somebody

from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.server.exercise_room import ExerciseRoom, OpenExercise
from thirdcard.server.memory_room import IDLE_MINUTES, MOST_OF_ONE, MOST_TRAININGS
from thirdcard.wire.paths import API

GAME = "mbs-tiger-v3"
TERMINALS = "mbs-super-six-etg-v3"
EVERYTHING = {
    *("wrong-hand", "together", "late-chip", "wrong-call"),
    *("left-with-cards", "forgotten-burn", "differential", "power-failure"),
}
SEED = 7


async def begun(client: Any, **other: Any) -> dict[str, Any]:
    """An exercise that somebody begins."""
    return await asked(client, "exercises", {"game": GAME, "rounds": 1, "seed": SEED, **other})


async def answered(client: Any, standing: dict[str, Any], answer: str) -> dict[str, Any]:
    """The answer to an answer."""
    form = {"question": standing["question"]["number"], "answer": answer}
    return await asked(client, f"exercises/{standing['exercise']}/answers", form)


async def gone_on(client: Any, standing: dict[str, Any]) -> dict[str, Any]:
    """The next question, or the result."""
    form = {"question": standing["checked"]["question"]["number"]}
    return await asked(client, f"exercises/{standing['exercise']}/next", form)


def faces(question: dict[str, Any]) -> str:
    ranks = {1: "A", 10: "10", 11: "J", 12: "Q", 13: "K"}
    cards = [each["card"] for each in question["dealt"]]
    return " ".join(f"{ranks.get(each['rank'], each['rank'])}{each['suit']}" for each in cards)


def hand(question: dict[str, Any], name: str) -> list[int]:
    """The values of the cards of a hand."""
    values = [each["card"]["rank"] for each in question["dealt"] if each["hand"] == name]
    return [each if each < 10 else 0 for each in values]


def third(question: dict[str, Any]) -> str:
    """The hand that takes the next card, by the table of play as it is known everywhere (3.15, 3.16)."""
    player, banker = hand(question, "player"), hand(question, "banker")
    own, other = sum(player[:2]) % 10, sum(banker[:2]) % 10
    if max(own, other) >= 8 or len(banker) == 3:
        return "nobody"
    if len(player) == 2:
        return "player" if own <= 5 else "banker" if other <= 5 else "nobody"
    draws = {
        0: "0123456789",
        1: "0123456789",
        2: "0123456789",
        3: "012345679",
        4: "234567",
        5: "4567",
        6: "67",
    }
    return "banker" if str(player[2]) in draws.get(other, "") else "nobody"


async def test_questions_are_checked_one_after_another(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        standing = await begun(dealer)
        seen = set()
        while standing["result"] is None:
            question = standing["question"]
            seen.add(question["skill"])
            await here.clock.move(2)
            match question["skill"]:
                case "third-card":
                    checked = await answered(dealer, standing, third(question))
                    assert checked["checked"]["right"] is True
                    assert checked["checked"]["why"]["key"].startswith("train-why.")
                    assert checked["checked"]["clauses"]
                case "entry":
                    checked = await answered(dealer, standing, faces(question).lower().replace("10", "t"))
                    assert checked["checked"]["right"] is True
                case "takes-and-pays":
                    checked = await answered(dealer, standing, "leave")
                    right = checked["checked"]["right_answer"]
                    assert right in {"pay", "take", "leave"}
                    assert checked["checked"]["right"] is (right == "leave")
                case _:
                    checked = await answered(dealer, standing, "0.01")
                    assert checked["checked"]["right"] is False
            assert checked["question"] is None
            assert checked["checked"]["seconds"] == 2
            await here.clock.move(60)  # to look at the answer takes no time of the next one
            standing = await gone_on(dealer, checked)
        assert {"third-card", "entry", "takes-and-pays"} <= seen
        result = standing["result"]
        skills = {each["skill"]: each for each in result["skills"]}
        assert skills["third-card"]["right"] == skills["third-card"]["asked"]
        assert skills["entry"]["seconds"] == 2
        assert skills["entry"]["cards"] in {4, 5, 6}
        assert result["most"] - result["points"] == len(result["wrong"])
        cited = {clause for each in result["wrong"] for clause in each["clauses"]}
        assert cited >= {each["clause"] for each in result["clauses"]} > set()


async def test_right_answer_does_not_go_out_before_the_answer(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        standing = await begun(await somebody(here, "dealer"))
        assert standing["checked"] is None
        assert standing["result"] is None
        assert set(standing["question"]) == {"number", "round", "skill", "dealt", "stake"}


async def test_second_answer_changes_nothing(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        standing = await begun(dealer)
        right = third(standing["question"])
        wrong = "player" if right != "player" else "banker"
        first = await answered(dealer, standing, wrong)
        assert await answered(dealer, standing, right) == first
        after = await gone_on(dealer, first)
        assert await gone_on(dealer, first) == after
        assert await answered(dealer, standing, right) == after
        assert after["question"]["number"] == 2


async def test_reload_shows_the_same_question_and_keeps_its_time(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        standing = await begun(dealer)
        await here.clock.move(5)
        again = (await dealer.get(f"{API}/training/exercises/{standing['exercise']}")).json()
        assert again == standing
        await here.clock.move(3)
        checked = await answered(dealer, standing, "nobody")
        assert checked["checked"]["seconds"] == 8
        shown = (await dealer.get(f"{API}/training/exercises/{standing['exercise']}")).json()
        assert shown == checked


@pytest.mark.parametrize(
    "form",
    [
        {"question": 1, "answer": "both"},
        {"question": 1, "answer": " "},
        {"question": 2, "answer": "nobody"},
        {"question": 0, "answer": "nobody"},
        {"question": -1, "answer": "nobody"},
    ],
)
async def test_what_answers_nothing_is_refused_and_counts_for_nothing(
    tmp_path: Path, form: dict[str, Any]
) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        standing = await begun(dealer)
        path = f"{API}/training/exercises/{standing['exercise']}"
        refused = await dealer.post(f"{path}/answers", json=form)
        assert refused.json()["reason"] == "not-understood"
        assert (await dealer.get(path)).json() == standing


async def test_going_on_without_an_answer_changes_nothing(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        standing = await begun(dealer)
        assert await asked(dealer, f"exercises/{standing['exercise']}/next", {"question": 1}) == standing


@pytest.mark.parametrize(
    "form", [{"game": "whist"}, {"rounds": 0}, {"rounds": 21}, {"seed": -1}, {"seed": 10**9}, {"other": 1}]
)
async def test_bad_exercise_is_refused(tmp_path: Path, form: dict[str, Any]) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        refused = await dealer.post(f"{API}/training/exercises", json={"game": GAME, **form})
        assert refused.status_code in {400, 422}
        assert refused.json()["reason"] == "not-understood"
        assert len(here.exercises) == 0


async def test_nobody_else_sees_an_exercise(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        standing = await begun(await somebody(here, "dealer"))
        another = await somebody(here, "pit-manager")
        path = f"{API}/training/exercises/{standing['exercise']}"
        answers = [
            await another.get(path),
            await another.post(f"{path}/answers", json={"question": 1, "answer": "nobody"}),
            await another.post(f"{path}/next", json={"question": 1}),
        ]
        assert [each.json()["reason"] for each in answers] == ["no-such-session"] * 3


async def test_exercise_is_kept_once_with_its_skills(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        standing = await begun(dealer)
        while standing["result"] is None:
            skill = standing["question"]["skill"]
            text = {"entry": "AS", "payout": "1", "third-card": "nobody"}.get(skill, "take")
            standing = await gone_on(dealer, await answered(dealer, standing, text))
        path = f"{API}/training/exercises/{standing['exercise']}"
        assert standing["result"]["kept"] is True
        assert (await dealer.get(path)).json() == standing
        (line,) = (tmp_path / "training-record.jsonl").read_text("utf-8").splitlines()
        kept = msgspec.json.decode(line)
        assert (kept["form"], kept["pack"], kept["drill"]) == (2, "dealing-by-seed", "seed-7")
        assert kept["skills"] == standing["result"]["skills"]
        record = (await dealer.get(f"{API}/training/record?language=zh-Hans")).json()
        assert [each["title"] for each in record["results"]] == ["日常发牌，种子 7"]
        assert record["results"][0]["skills"] == kept["skills"]


def opened(person: str, clock: MovedClock) -> OpenExercise:
    rulebook = SHIPPED.rulebook(GAME)
    return OpenExercise(person, rulebook, SHIPPED.house_of(rulebook), SEED, 1, clock)


def test_one_person_has_few_exercises_open() -> None:
    clock = MovedClock()
    room = ExerciseRoom(clock)
    own = [room.keep(opened("Ann", clock)) for _ in range(MOST_OF_ONE + 1)]
    assert [room.find(each.id, "Ann") is each for each in own] == [False] + [True] * MOST_OF_ONE


def test_longest_untouched_exercise_makes_room() -> None:
    clock = MovedClock()
    room = ExerciseRoom(clock)
    first, *_ = [room.keep(opened(f"P{number}", clock)) for number in range(MOST_TRAININGS + 1)]
    assert len(room) == MOST_TRAININGS
    assert room.find(first.id, "P0") is not first


def test_exercise_is_forgotten_after_an_hour() -> None:
    clock = MovedClock()
    room = ExerciseRoom(clock)
    own = room.keep(opened("Ann", clock))
    clock.jump(IDLE_MINUTES * 60 + 1)
    assert room.find(own.id, "Ann") is not own


# faults by chance


async def test_games_offer_only_what_can_happen_there(tmp_path: Path) -> None:
    """A terminal has no chips and no cards in the hands of patrons; only Hoiana burns."""
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        found = (await dealer.get(f"{API}/training/games")).json()["games"]
        faults = {each["game"]: set(each["faults"]) for each in found}
        assert faults["hoiana-tiger-2024/commission"] == EVERYTHING
        assert faults[GAME] == EVERYTHING - {"forgotten-burn"}
        assert faults[TERMINALS] == {"wrong-hand", "together", "wrong-call", "power-failure"}
        assert found[0]["posts"][0] == "dealer"


async def test_seed_is_told_and_brings_the_same_again(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        form = {"game": GAME, "post": "dealer", "level": 2, "what": "power-failure"}
        drill = await asked(dealer, "faults", form)
        assert drill["fault"]["what"] == "power-failure"
        again = await asked(dealer, "faults", {**form, "seed": drill["fault"]["seed"]})
        assert (again["fault"], again["told"]) == (drill["fault"], drill["told"])
        assert again["title"] == f"By chance, seed {drill['fault']['seed']}"


async def test_fault_by_seed_is_graded_and_kept_in_a_pack_of_its_own(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        form = {"game": GAME, "post": "dealer", "level": 2, "what": "power-failure", "seed": 17}
        drill = await asked(dealer, "faults", form, language="vi")
        assert drill["title"] == "Ngẫu nhiên, hạt giống 17"
        report = {"type": "report-irregularity", "situation": "power-failure"}
        assert (await command(dealer, drill, 1, command=report))["refused"] is None
        grade = await asked(dealer, f"sessions/{drill['session']}/grade")
        assert grade["fault"] == {"seed": 17, "what": "power-failure"}
        record = (await dealer.get(f"{API}/training/record")).json()
        assert [(each["pack"], each["title"]) for each in record["results"]] == [
            ("faults-by-seed", "By chance, seed 17")
        ]


@pytest.mark.parametrize("post", ["pit-supervisor", "pit-manager", "gaming-shift-manager"])
async def test_seeds_are_looked_at_until_a_post_has_something_to_do(tmp_path: Path, post: str) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        for _ in range(5):
            drill = await asked(dealer, "faults", {"game": TERMINALS, "post": post})
            assert (drill["post"], drill["over"]) == (post, False)


@pytest.mark.parametrize(
    ("other", "reason", "told"),
    [
        ({"game": "whist"}, "not-understood", "no game whist"),
        ({"what": "earthquake"}, "not-understood", "no fault earthquake"),
        ({"what": "forgotten-burn"}, "not-understood", "forgotten-burn cannot happen at mbs-tiger-v3"),
        ({"post": "cook"}, "no-such-post", "There is no post cook"),
        ({"post": "pit-manager", "what": "late-chip", "seed": 1}, "no-such-post", "Posts are: dealer"),
        ({"post": "pit-manager", "what": "late-chip"}, "no-such-post", "Posts are: dealer"),
        ({"seed": -1}, "not-understood", "seed"),
    ],
)
async def test_fault_that_is_not_there_is_refused(
    tmp_path: Path, other: dict[str, Any], reason: str, told: str
) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        response = await dealer.post(f"{API}/training/faults", json={"game": GAME, "post": "dealer", **other})
        assert response.json()["reason"] == reason
        assert told in response.json()["message"]
        assert len(here.training) == 0
