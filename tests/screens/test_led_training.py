"""A trainee and a trainer at one training table, each in a browser: what is seen, handled and missed."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator
from screens.conftest import Visit
from screens.floors import GAMES, demonstration, table
from screens.leading import Trainer, trainee
from server.served import Server

LIGHTS = "The lights go out, and everything that is driven by current stands still."


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A demonstration floor."""
    server = demonstration(tmp_path_factory.mktemp("school") / "floor", table("tiger", GAMES["tiger"]))
    yield server
    server.kill()


def graded_lines(graded: Locator) -> list[str]:
    """How a card to the wrong hand was graded, and then a late chip."""
    lines = [" ".join(each.split()) for each in graded.get_by_role("listitem").all_inner_texts()]
    entered = ("Enter the card that lies on the side of", "Enter that")
    return [each for each in lines if any(words in each for words in entered)]


def test_trainee_handles_one_strike_and_misses_another(visit: Visit, school: Server) -> None:
    one = trainee(visit, school)
    trainer = Trainer(visit, school).leads()
    one.next("Open betting")
    one.next("Close betting")
    trainer.strikes("A card to the wrong hand")
    trainer.sees("Still to come", "A card to the wrong hand")
    one.deals_on()  # the card that was told already
    one.screen.says("It lies on the side of")
    trainer.sees("Not handled yet", "A card to the wrong hand")
    assert trainer.screen.button("A late chip").is_disabled()
    struck = re.search(r"comes (\S+)\. It lies on the side of (\w)", one.told[-1])
    assert struck is not None
    one.lays(f"{struck[1]}{struck[2]}".lower())
    trainer.sees("Handled", "A card to the wrong hand")
    trainer.strikes("A late chip", "The gentleman is quick with his hands.")
    one.sees_late_chip()
    assert one.told[-2:][0] == "The gentleman is quick with his hands."
    one.screen.button("Go on").click()  # and nothing is entered
    trainer.sees("Not handled", "A late chip")
    trainer.screen.button("End the session").click()
    trainer.page.get_by_role("heading", name="Not passed", exact=True).wait_for()
    one.screen.button("See the grade").click()
    one.page.get_by_role("heading", name="Not passed", exact=True).wait_for()
    for page in (one.page, trainer.page):
        graded = page.get_by_role("region", name="How it was graded")
        assert [each.startswith("Not right:") for each in graded_lines(graded)] == [False, True]


def test_strike_comes_while_the_trainee_types(visit: Visit, school: Server) -> None:
    one = trainee(visit, school)
    trainer = Trainer(visit, school).leads()
    one.next("Open betting")
    one.screen.says("on banker.")
    one.cell("Ann", "Player").click()
    one.types("12")
    focused = one.page.evaluate("document.activeElement.outerHTML")
    trainer.strikes("A power failure")
    one.screen.says(LIGHTS)  # nothing was pressed
    assert one.page.evaluate("document.activeElement.outerHTML") == focused
    one.types("3")
    assert one.page.evaluate("document.activeElement.textContent + document.activeElement.value").count("123")
    one.press("Escape")
    one.wrong("Power failure").get_by_role("button", name="Report it").click()
    trainer.sees("Handled", "A power failure")


def test_reload_goes_on_at_the_same_table(visit: Visit, school: Server) -> None:
    one = trainee(visit, school)
    trainer = Trainer(visit, school).leads()
    one.next("Open betting")
    trainer.strikes("A power failure")
    one.screen.says(LIGHTS)
    before = one.told
    one.page.reload()
    one.screen.says(LIGHTS)
    assert one.told == before
    one.wrong("Power failure").get_by_role("button", name="Report it").click()
    trainer.sees("Handled", "A power failure")
    trainer.screen.button("End the session").click()
    one.screen.button("See the grade").wait_for()
    one.page.reload()  # the grade is still to be seen
    one.screen.button("See the grade").click()
    one.page.get_by_role("heading", name="How it was graded").wait_for()
    one.screen.button("Other drills").click()
    one.screen.button("Open a table").wait_for()
    assert "session" not in one.page.url


def test_drill_that_is_forgotten_leads_to_the_choice(visit: Visit, school: Server) -> None:
    screen = visit("/training?part=trainer&session=0f3a5c", at=school, post="dealer")
    screen.expect_error("404")
    screen.button("Open a table").wait_for()
    assert "session" not in screen.page.url


def test_trainer_leads_by_keyboard_and_every_screen_fits(visit: Visit, school: Server) -> None:
    one = trainee(visit, school, "Patrons handle the cards")
    trainer = Trainer(visit, school)
    trainer.screen.button("With a trainer").press("Enter")
    trainer.page.get_by_role("button", name="Lead the table of").first.wait_for()
    for size, room in (("phone", "dim"), ("desk", "light")):
        assert trainer.screen.turned(size, room).flaws() == [], size
    trainer.page.get_by_role("button", name="Lead the table of").press("Enter")
    trainer.page.get_by_role("heading", name="Dealer deals").wait_for()
    one.next("Open betting")
    trainer.screen.button("A patron leaves with cards").press("Space")
    trainer.sees("Still to come", "A patron leaves with cards")
    for size, room in (("phone", "light"), ("tablet", "dim"), ("desk", "dim"), ("wall", "light")):
        assert trainer.screen.turned(size, room).flaws() == [], size
    trainer.screen.button("End the session").press("Enter")
    trainer.page.get_by_role("heading", name="How it was graded").wait_for()
    assert trainer.screen.turned("phone", "dim").flaws() == []
    trainer.screen.button("Back to the tables").click()
    trainer.page.get_by_text("No table is open.").wait_for()


def test_table_with_a_trainer_is_named_in_every_language(visit: Visit, school: Server) -> None:
    for language, begins in (
        ("zh-Hans", "开台"),
        ("zh-Hant", "開台"),
        ("vi", "Mở bàn"),
        ("ko", "테이블 열기"),
    ):
        at = "/training?part=trainer"
        screen = visit(at, at=school, post="gaming-shift-manager", language=language)
        screen.button(begins).wait_for()
        assert screen.turned("phone", "light").flaws() == []


def test_result_names_the_trainer(visit: Visit, school: Server) -> None:
    one = trainee(visit, school)
    trainer = Trainer(visit, school).leads()
    one.next("Open betting")
    trainer.strikes("A power failure")
    one.screen.says(LIGHTS)
    one.screen.button("End the session").click()
    one.page.get_by_role("heading", name="Not passed", exact=True).wait_for()
    one.screen.button("Other drills").click()
    one.screen.button("Record of training").click()
    one.page.get_by_role("rowheader", name="With a trainer · Gaming Shift Manager").first.wait_for()
    trainer.page.get_by_role("heading", name="Not passed", exact=True).wait_for()


def test_trainee_sees_no_list_of_tables(visit: Visit, school: Server) -> None:
    one = trainee(visit, school)
    one.screen.button("End the session").click()
    one.page.get_by_role("heading", name="Not passed", exact=True).wait_for()
    one.screen.button("Other drills").click()
    one.screen.button("With a trainer").click()
    one.screen.button("Open a table").wait_for()
    assert one.page.get_by_role("heading", name="Tables that wait for a trainer").count() == 0
