"""Training by seed in a real browser: faults by chance, ordinary dealing, and the charts of both."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from screens.browser import WIDTHS
from screens.conftest import Visit
from screens.exercising import RIGHT, SEED, Exercise
from screens.floors import GAMES, demonstration, table
from screens.test_training import Trainee
from server.served import Server


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A demonstration floor with a record of training of its own."""
    folder = tmp_path_factory.mktemp("school")
    server = demonstration(folder / "floor", table("tiger", GAMES["tiger"]))
    yield server
    server.kill()


def record_of(server: Server) -> Path:
    """The file of the record of training, beside the folder of the data."""
    return Path(server.asked.data).resolve().parent / "training-record.jsonl"


def results(server: Server) -> list[dict[str, Any]]:
    """Every result that was kept."""
    return [json.loads(line) for line in record_of(server).read_text("utf-8").splitlines()]


def exercise(visit: Visit, school: Server, **how: Any) -> Exercise:
    screen = visit("/training?part=dealing", at=school, post="dealer", **how)
    screen.field("Rounds").wait_for()
    return Exercise(screen, school)


def test_exercise_is_answered_rightly_by_keyboard_and_kept_once(visit: Visit, school: Server) -> None:
    before = len(results(school)) if record_of(school).exists() else 0
    one = exercise(visit, school).begins()
    for key in RIGHT:
        one.server.move(2)
        one.types(key)
        one.checked(right=True)
        one.goes_on()
    one.screen.heading("Everything right").wait_for()
    one.screen.says("8 of 8 points")
    assert one.skill("Card entry") == ["1", "1", "100%", "2.0", "180"]  # 6 cards in 2 seconds
    assert one.skill("Third cards") == ["2", "2", "100%", "2.0", "–"]
    assert one.skill("Payouts") == ["1", "1", "100%", "2.0", "–"]
    one.page.reload()
    one.screen.heading("Everything right").wait_for()
    (kept,) = results(school)[before:]
    assert (kept["pack"], kept["drill"], kept["points"], kept["most"]) == ("dealing-by-seed", "seed-1", 8, 8)
    one.screen.button("Same seed again").click()
    one.shows("Whose card comes next?")
    one.screen.says("Seed 1")


def test_wrong_answers_are_told_with_the_right_one_and_why(visit: Visit, school: Server) -> None:
    one = exercise(visit, school).begins()
    wrong = [
        ("n", ["Player", "Points: Player 3, Banker 1. Player draws.", "3.15.T2"]),
        ("p", ["Banker", "Banker has 1, and the third card of Player counts 7. Banker draws.", "3.15.T4"]),
        ("3cqhqcah7s7d", ["Your answer"]),
        ("p", ["Take"]),
        ("l", ["Take"]),
        ("t", ["Pay", "Bob wins 128.25 on Banker at 0.95 to 1, 135 back.", "4.1.T1"]),
        ("135.00", ["SGD 128.25", "0.95 to 1"]),
        ("p", ["Take"]),
    ]
    for text, told in wrong:
        one.page.keyboard.type(text)
        if len(text) > 1:
            one.page.keyboard.press("Enter")
        answer = one.checked(right=False).inner_text().replace("\N{NO-BREAK SPACE}", " ")
        for each in told:
            assert each in answer
        one.goes_on()
    one.screen.heading("The exercise is over").wait_for()
    one.screen.says("0 of 8 points")
    assert one.page.get_by_role("region", name="What was not right").get_by_role("listitem").count() == 8
    one.screen.says("Without a natural, the Player hand draws on a point total of 0 to 5.")
    for size, room in (("phone", "dim"), ("desk", "light")):
        assert one.screen.turned(size, room).flaws() == [], size


def test_reload_shows_the_same_question(visit: Visit, school: Server) -> None:
    one = exercise(visit, school).begins()
    one.types("p")
    one.checked(right=True)
    one.goes_on("Enter")
    one.screen.says("Question 2")
    one.page.reload()
    one.shows("Whose card comes next?")
    one.screen.says("Question 2")
    one.screen.button("Leave; nothing is recorded").click()
    one.screen.field("Rounds").wait_for()
    one.page.reload()
    one.screen.field("Rounds").wait_for()


def test_exercise_that_is_forgotten_is_begun_anew(visit: Visit, school: Server) -> None:
    screen = visit("/training?part=dealing&exercise=0f3a5c", at=school, post="dealer")
    screen.expect_error("404")
    screen.field("Rounds").wait_for()
    assert "exercise" not in screen.page.url


def test_exercise_is_answered_by_touch(visit: Visit, school: Server) -> None:
    one = exercise(visit, school, touch=True, size=WIDTHS["phone"]).begins()
    for choice in ("Player", "Banker"):
        one.screen.page.get_by_role("button", name=choice).tap()
        one.checked(right=True)
        one.screen.button("Next question").tap()
    for rank, suit in zip(
        "3QQA76", ("clubs", "hearts", "clubs", "hearts", "spades", "diamonds"), strict=True
    ):
        pad = one.page.get_by_role("group", name="All cards")
        pad.get_by_role("button", name=rank, exact=True).tap()
        pad.get_by_role("button", name=f"of {suit}", exact=True).tap()
    one.screen.page.get_by_role("button", name="Answer").tap()
    one.checked(right=True)


def test_questions_fit_every_screen(visit: Visit, school: Server) -> None:
    one = exercise(visit, school)
    for size, room in (("phone", "dim"), ("desk", "light")):
        assert one.screen.turned(size, room).flaws() == [], size
    one.begins()
    for key in RIGHT[:7]:
        for size, room in (("phone", "light"), ("tablet", "dim")):
            assert one.screen.turned(size, room).flaws() == [], (key, size)
        one.types(key)
        one.checked(right=True)
        assert one.screen.turned("phone", "dim").flaws() == [], key
        one.goes_on()


@pytest.mark.parametrize(
    ("language", "asked", "why"),
    [
        ("zh-Hans", "下一张牌给谁？", "闲 3 点，庄 1 点：闲补牌。"),
        ("zh-Hant", "下一張牌給誰？", "閒 3 點，莊 1 點：閒補牌。"),
        ("vi", "Lá tiếp theo của ai?", "Điểm: Nhà con 3, Nhà cái 1. Nhà con rút."),
        ("ko", "다음 카드는 누구의 것입니까?", "플레이어 3점, 뱅커 1점: 플레이어 드로우."),
    ],
)
def test_questions_are_asked_in_the_language_of_the_reader(
    visit: Visit, school: Server, language: str, asked: str, why: str
) -> None:
    one = exercise(visit, school).begins()
    one.screen.speaks(language)
    one.screen.heading(asked).wait_for()
    one.types("n")
    one.screen.says(why)
    assert one.screen.turned("phone", "light").flaws() == []


@pytest.mark.parametrize(("field", "text"), [("Rounds", "21"), ("Rounds", "0"), (SEED, "-4"), (SEED, "x")])
def test_bad_number_cannot_be_sent(visit: Visit, school: Server, field: str, text: str) -> None:
    one = exercise(visit, school)
    one.screen.field(field).fill(text)
    one.screen.says(re.compile("whole number", re.IGNORECASE))
    assert one.screen.button("Begin").is_disabled()


# faults by chance


def chance(visit: Visit, school: Server) -> Trainee:
    screen = visit("/training?part=chance", at=school, post="dealer")
    screen.field("What goes wrong").wait_for()
    return Trainee(screen, school)


def lets_go_wrong(one: Trainee, what: str, seed: str) -> None:
    """Choose what goes wrong, and begin."""
    one.screen.field("Game").select_option("mbs-tiger-v3")
    one.page.get_by_role("button", name="Level 2 ").click()
    one.screen.field("What goes wrong").select_option(label=what)
    one.screen.field(SEED).fill(seed)
    one.screen.button("Begin").click()
    one.page.get_by_role("log").wait_for()


def test_fault_by_seed_is_passed(visit: Visit, school: Server) -> None:
    one = chance(visit, school)
    lets_go_wrong(one, "A power failure", "3")
    one.screen.heading("By chance, seed 3").wait_for()
    one.reports("Power failure")
    one.graded(passed=True)
    one.screen.says("Seed 3")
    kept = results(school)[-1]
    assert (kept["pack"], kept["points"] == kept["most"]) == ("faults-by-seed", True)


def test_fault_by_seed_is_failed_and_done_again(visit: Visit, school: Server) -> None:
    one = chance(visit, school)
    lets_go_wrong(one, "A power failure", "3")
    told = one.told
    one.ends()
    one.graded(passed=False)
    one.screen.button("Same seed again").click()
    one.page.get_by_role("log").wait_for()
    assert one.told == told
    one.ends()
    one.graded(passed=False)
    one.screen.button("Another seed").click()
    one.page.get_by_role("log").wait_for()
    assert one.page.get_by_role("heading", level=1).inner_text() != "By chance, seed 3"


def test_only_faults_that_can_happen_are_offered(visit: Visit, school: Server) -> None:
    one = chance(visit, school)
    one.screen.field("Game").select_option("mbs-super-six-etg-v3")
    offered = one.screen.field("What goes wrong").get_by_role("option").all_inner_texts()
    assert offered == [
        *("Anything that can happen here", "A card to the wrong hand", "Two cards at once"),
        *("A wrong call", "A power failure"),
    ]


def test_post_with_nothing_to_do_is_told(visit: Visit, school: Server) -> None:
    one = chance(visit, school)
    one.screen.expect_error("422")
    one.screen.field("Game").select_option("mbs-tiger-v3")
    one.screen.field("Train as").select_option(label="Pit Manager")
    one.screen.field("What goes wrong").select_option(label="A late chip")
    one.screen.button("Begin").click()
    one.screen.says(re.compile("This has nothing for the Pit Manager to do"))


def test_every_part_has_its_address(visit: Visit, school: Server) -> None:
    screen = visit("/training?part=record", at=school, post="dealer")
    for part, sign in (
        ("drills", "Cards and dealing device"),
        ("chance", "What goes wrong"),
        ("dealing", "Rounds"),
        ("record", "Record of training: Dealer"),
    ):
        screen.open(f"/training?part={part}").says(sign)
    screen.open("/training?record").says("Record of training: Dealer")
    screen.button("Ordinary dealing").click()
    screen.says("Rounds")
    assert "part=dealing" in screen.page.url
    assert "record" not in screen.page.url


# the charts


def line(day: int, **other: Any) -> str:
    """A result of the dealer, as the record keeps it."""
    common = {"time": f"2026-11-{day:02}T10:00:00+00:00", "person": "dealer", "game": "mbs-tiger-v3"}
    return json.dumps({**common, "post": "dealer", "level": 3, "wrong": [], **other}) + "\n"


def dealt(day: int, right: int, seconds: float) -> str:
    """An exercise with ten questions about third cards, and twenty cards that were entered."""
    skills = [
        {"skill": "entry", "asked": 4, "right": 4, "seconds": 40.0, "cards": 20},
        {"skill": "third-card", "asked": 10, "right": right, "seconds": seconds, "cards": 0},
    ]
    own = {"form": 2, "pack": "dealing-by-seed", "drill": "seed-5", "title": "Ordinary dealing, seed 5"}
    return line(day, **own, points=right + 4, most=14, seconds=seconds + 40, skills=skills)


def test_charts_show_accuracy_and_speed_over_time(visit: Visit, school: Server) -> None:
    drill = {"form": 1, "pack": "cards", "drill": "cards/x", "title": "A card", "most": 6}
    record_of(school).write_text(
        line(2, **drill, points=3, seconds=90.0)
        + dealt(3, 5, 50.0)
        + line(4, **drill, points=6, seconds=45.0)
        + dealt(5, 10, 25.0),
        "utf-8",
    )
    screen = visit("/training?part=record", at=school, post="dealer")
    screen.says("Points: first 50%, last 100%.")
    screen.says("Seconds: first 90, last 45.")
    screen.says("Third cards: first 5.0, last 2.5.")
    for title, rows in {
        "Drills: points over time": ["50%", "100%"],
        "Drills: seconds over time": ["90", "45"],
        "Ordinary dealing: accuracy over time": ["100% 50% – –", "100% 100% – –"],
        "Ordinary dealing: seconds a question over time": ["5.0 – –", "2.5 – –"],
        "Card entry: cards a minute over time": ["30", "30"],
    }.items():
        assert screen.page.get_by_role("img", name=title).is_visible()
        cells = screen.page.get_by_role("table", name=title).get_by_role("row").all()[1:]
        assert [" ".join(each.get_by_role("cell").all_inner_texts()) for each in cells] == rows, title
    screen.page.emulate_media(media="print")
    assert screen.page.get_by_role("img", name="Drills: points over time").is_visible()
    screen.page.emulate_media(media="screen")
    for language in ("zh-Hans", "zh-Hant", "vi", "ko"):
        screen.speaks(language)
        assert screen.turned("phone", "light").flaws() == [], language
        assert not (
            screen.page.locator("figure svg[role=img]").nth(1).get_attribute("aria-label") or ""
        ).isascii()
    assert screen.turned("desk", "dim").flaws() == []
