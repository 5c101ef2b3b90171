"""Drills in a real browser: gone through at the console of a real table, graded, and a trainer's own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator
from screens.browser import Screen
from screens.conftest import Visit
from screens.dealing import Dealer, Table
from screens.fitting import speak
from screens.floors import GAMES, demonstration, table
from server.served import Server

from thirdcard.cli import run

ANOTHER_BACK = """title Another back
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 300 on player at 1
Dealer: closes betting
Dealer: draws 2 2
? Dealer: reports foreign-card
? Pit Manager: confirms
"""
QUICK_HAND = """title A quick hand of our own
game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 100 on player at 1
Bob: 100 on banker at 2
Dealer: closes betting
> The lady in the first seat has taken half of her chips back, and the Pit Manager saw it as well.
? Dealer with Pit Manager: for Ann takes 50 off player at 1
"""
TOO_SLOW = 290  # seconds, of 4 steps of 60 and 5 entries of 6; at once they would end the session


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A demonstration floor with the packs of a trainer."""
    folder = tmp_path_factory.mktemp("school")
    packs = folder / "packs"
    (packs / "our-evening").mkdir(parents=True)
    (packs / "another-back.drill").write_text(ANOTHER_BACK, "utf-8")
    (packs / "our-evening" / "a-quick-hand.drill").write_text(QUICK_HAND, "utf-8")
    server = demonstration(folder / "floor", table("tiger", GAMES["tiger"]), packs=packs)
    yield server
    server.kill()


class Trainee(Dealer):
    """A person who trains at the console of a training table."""

    def __init__(self, screen: Screen, server: Server) -> None:
        super().__init__(screen, Table(screen, "none"), server)

    def begins(self, title: str, level: int, post: str = "Dealer") -> "Trainee":
        """Choose a drill of a post at a level, and begin it."""
        self.screen.field("Train as").select_option(label=post)
        self.screen.field("Game").select_option("mbs-tiger-v3")
        self.page.get_by_role("button", name=f"Level {level} ").click()
        self.screen.button(f"Begin: {title}").click()
        self.page.get_by_role("log").wait_for()
        return self

    @property
    def told(self) -> list[str]:
        """Everything that was told, from the beginning."""
        return self.page.get_by_role("log").get_by_role("listitem").all_inner_texts()

    def reports(self, situation: str) -> None:
        """Report an irregularity about which nothing more is asked."""
        dialog = self.wrong(situation)
        dialog.get_by_role("button", name="Report it").click()
        dialog.wait_for(state="hidden")

    def calls(self, post: str) -> None:
        """Call a post to the table."""
        self.page.get_by_label("Call a post to the table").select_option(label=post)
        self.screen.button("Call").click()

    def ends(self) -> None:
        """End the drill before its end."""
        self.screen.button("End the drill").click()

    def graded(self, *, passed: bool) -> "Trainee":
        """See the grade."""
        grade = self.screen.heading("Passed" if passed else "Not passed")
        more = self.screen.button("See the grade")
        self.screen.until(lambda: grade.is_visible() or more.is_visible())
        if more.is_visible():
            more.click()
        self.page.get_by_role("heading", name="Passed" if passed else "Not passed", exact=True).wait_for()
        return self

    @property
    def wrongs(self) -> list[str]:
        """The aspects in which something was wrong."""
        heads = self.page.get_by_role("region", name="How it was graded").get_by_role("heading", level=3)
        return [
            each.removeprefix("Not right:").strip()
            for each in heads.all_inner_texts()
            if each.startswith("Not right:")
        ]


def trainee(visit: Visit, school: Server, post: str = "dealer") -> Trainee:
    screen = visit("/training", at=school, post=post)
    screen.page.get_by_role("heading", name="Own drills").wait_for()
    return Trainee(screen, school)


def banner(screen: Screen) -> Locator:
    return screen.page.get_by_text("Training: no money is at stake here")


def test_drill_that_is_named_is_passed(visit: Visit, school: Server) -> None:
    one = trainee(visit, school).begins("Another back", 1)
    assert one.told[-2:] == [
        "Something is wrong here. What is it, and what do you do?",
        "One card has another back than all the others.",
    ]
    one.reports("Foreign card")
    one.calls("Pit Manager")
    one.graded(passed=True)
    one.screen.says("6 of 6 points")
    assert one.wrongs == []
    one.screen.says("The round in progress becomes void and has no result.")  # 5.1.1 in plain words


def test_drill_that_is_named_is_failed_by_doing_nothing(visit: Visit, school: Server) -> None:
    one = trainee(visit, school).begins("Another back", 1)
    one.ends()
    one.graded(passed=False)
    assert one.wrongs == ["Noticed", "Situation", "Post", "Order", "Carried out"]


def test_drill_that_is_only_shown_is_passed(visit: Visit, school: Server) -> None:
    one = trainee(visit, school).begins("Another back", 2)
    assert "Something is wrong here. What is it, and what do you do?" not in one.told
    one.reports("Foreign card")
    one.calls("Pit Manager")
    one.graded(passed=True)


def test_drill_that_is_only_shown_is_failed_by_another_situation(visit: Visit, school: Server) -> None:
    one = trainee(visit, school).begins("Another back", 2)
    one.reports("Extra card")
    one.ends()
    one.graded(passed=False)
    assert "Noticed" not in one.wrongs  # something was reported in time
    assert "Situation" in one.wrongs


def deals_until_it_happens(one: Trainee) -> None:
    """Deal the round up to the card with another back."""
    one.next("Open betting")
    one.screen.says("Ann wagers 300.00 on Player.")  # the program plays the patrons
    one.next("Close betting")
    one.lays("2h")
    one.lays("2d")  # a drill names no suits, so that any will do
    one.screen.says("One card has another back than all the others.")


def test_drill_while_dealing_is_passed_in_time(visit: Visit, school: Server) -> None:
    one = trainee(visit, school).begins("Another back", 3)
    deals_until_it_happens(one)
    one.reports("Foreign card")
    one.calls("Pit Manager")
    one.graded(passed=True)
    one.screen.says("7 of 7 points")


def test_drill_while_dealing_is_failed_by_taking_too_long(visit: Visit, school: Server) -> None:
    one = trainee(visit, school).begins("Another back", 3)
    school.move(TOO_SLOW / 2)
    deals_until_it_happens(one)
    school.move(TOO_SLOW / 2)
    one.reports("Foreign card")
    one.calls("Pit Manager")
    one.graded(passed=False)
    assert one.wrongs == ["Time"]


def test_second_person_is_a_post_that_was_called(visit: Visit, school: Server) -> None:
    one = trainee(visit, school).begins("A quick hand of our own", 2)
    assert one.told[-1].startswith("The lady in the first seat")  # in the words of the trainer
    one.calls("Pit Manager")
    one.screen.says("The Pit Manager is at the table.")
    one.cell("Ann", "Player").click()
    one.types("-50")
    one.press("Enter")
    one.screen.button("Pulled back late").click()
    dialog = one.page.get_by_role("dialog", name=re.compile("approval|second person", re.IGNORECASE))
    assert dialog.get_by_label("Password").count() == 0
    dialog.get_by_label("Post").select_option(label="Pit Manager")
    dialog.get_by_role("button", name="Approve").click()
    one.graded(passed=True)


def test_training_fits_every_screen_and_looks_like_training(visit: Visit, school: Server) -> None:
    one = trainee(visit, school)
    for size, room in (("phone", "dim"), ("desk", "light")):
        assert one.screen.turned(size, room).flaws() == [], size
        assert banner(one.screen).is_visible()
    one.begins("Another back", 2)
    for size, room in (("phone", "dim"), ("tablet", "light"), ("desk", "dim"), ("wall", "light")):
        assert one.screen.turned(size, room).flaws() == [], size
        assert banner(one.screen).is_visible()
    one.ends()
    one.graded(passed=False)
    for size, room in (("phone", "light"), ("desk", "dim")):
        assert one.screen.turned(size, room).flaws() == [], size
        assert banner(one.screen).is_visible()


def test_drill_is_told_and_graded_in_chinese(visit: Visit, school: Server) -> None:
    screen = visit("/training", at=school, post="dealer", language="zh-Hans")
    screen.button("开始：Another back").click()
    log = screen.page.get_by_role("log")
    log.wait_for()
    assert not log.get_by_role("listitem").last.inner_text().isascii()
    assert screen.turned("phone", "light").flaws() == []
    screen.button("结束练习").click()
    screen.says("不合格")
    assert screen.flaws() == []


def test_shipped_drill_follows_the_language_that_is_chosen(visit: Visit, school: Server) -> None:
    one = trainee(visit, school)
    page, screen = one.page, one.screen
    screen.field("Game").select_option("mbs-tiger-v3")
    screen.button("Begin: Out of the dealing device 2").wait_for()
    speak(page, "zh-Hans")
    assert screen.button("开始：Another back").is_visible()  # a trainer's own
    screen.button("开始：从发牌器出来 2").click()
    log = page.get_by_role("log")
    log.get_by_text("从发牌器同时出来：9 6。").wait_for()
    assert log.get_by_text("Ann 在闲加注 100.00。").is_visible()
    speak(page, "ko")
    assert log.get_by_text("딜링 기기에서 한꺼번에 나온 카드: 9 6.").is_visible()
    assert page.get_by_role("heading", name="딜링 기기에서 나온 것 2").is_visible()
    screen.button("연습 종료").click()
    page.get_by_role("heading", name="불합격", exact=True).wait_for()
    speak(page, "vi")
    way = page.get_by_role("region", name="Cách làm đúng")
    assert way.get_by_text("Nhập các lá ra cùng lúc: 9 6.").is_visible()
    assert way.get_by_text("Quản lý pit phán quyết: các lá tính theo thứ tự 9 6.").is_visible()
    assert page.get_by_text("Các câu này chỉ có bằng tiếng Anh.").is_visible()
    speak(page, "en")
    assert page.get_by_text("Rule in which order the cards count: 9 6.").is_visible()
    assert page.get_by_text("They exist in English only.").count() == 0
    screen.button("Other drills").click()
    screen.button("Record of training").click()
    page.get_by_role("row", name="Out of the dealing device 2").last.wait_for()
    speak(page, "zh-Hant")
    assert page.get_by_role("row", name="從發牌器出來 2").last.is_visible()


def test_bad_pack_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.drill").write_text("title Nothing\ngame mbs-tiger-v3\nDealer: opens betting\n", "utf-8")
    assert run(["serve", "--packs", str(tmp_path)]) == 2
    assert "put a question mark before a line" in capsys.readouterr().err
    assert run(["serve", "--packs", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


def test_record_of_training_is_shown_printed_and_exported(visit: Visit, school: Server) -> None:
    one = trainee(visit, school).begins("Another back", 2)
    one.ends()
    one.graded(passed=False)
    one.screen.button("Other drills").click()
    one.screen.button("Record of training").click()
    one.screen.heading("Record of training: Dealer").wait_for()
    row = one.page.get_by_role("row", name="Another back").last
    assert "Not passed · 1 of 6 points" in row.inner_text()
    for size, room in (("phone", "dim"), ("desk", "light")):
        assert one.screen.turned(size, room).flaws() == [], size
    one.page.emulate_media(media="print")
    assert banner(one.screen).is_visible()
    assert one.page.get_by_text("Trainer", exact=True).is_visible()
    assert not one.screen.button("Print").is_visible()
    assert one.page.pdf().startswith(b"%PDF")
    one.page.emulate_media(media="screen")
    for form, begins in (("CSV", b"form,time"), ("To sign (PDF)", b"%PDF")):
        with one.page.expect_download() as file:
            one.screen.link(form).click()
        assert Path(file.value.path()).read_bytes().startswith(begins)
