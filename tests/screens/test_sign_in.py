"""Signing in: staff by name, password and code; a screen by its own code."""

import uuid

import pytest
from screens.browser import Screen
from screens.conftest import Visit

PASSWORD = "one more card"


def sign_in(screen: Screen, name: str) -> None:
    """Type what somebody signs in with."""
    people = screen.ask("/demo")["people"]
    code = next(each["code"] for each in people if each["name"] == name)
    screen.field("Name").fill(name)
    screen.field("Password").fill(PASSWORD)
    screen.field("Code").fill(code)
    screen.field("Code").press("Enter")


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("dealer", "/dealer"),
        ("assistant-director", "/pit"),
        ("pit-supervisor", "/pit"),
        ("auditor", "/records"),
    ],
)
def test_somebody_who_signs_in_comes_to_the_console_of_their_post(visit: Visit, name: str, page: str) -> None:
    screen = visit("/sign-in")
    sign_in(screen, name)
    screen.arrives(page)
    assert screen.ask("/me", "staff")["name"] == name


def test_somebody_who_was_sent_here_goes_back_where_they_came_from(visit: Visit) -> None:
    screen = visit("/sign-in?next=/records")
    sign_in(screen, "shift-manager")
    screen.arrives("/records")


def test_nobody_is_sent_to_another_site(visit: Visit) -> None:
    screen = visit("/sign-in?next=//elsewhere.example/")
    sign_in(screen, "dealer")
    screen.arrives("/dealer")


def test_a_mistake_is_told_in_the_language_of_the_page(visit: Visit) -> None:
    """B-19: what the browser says of an empty field was in the browser's language."""
    screen = visit("/sign-in")
    screen.button("Sign in").click()
    missing = "each => each.validationMessage"
    assert screen.field("Name").evaluate(missing) == "Fill this in."
    screen.speaks("zh-Hans")
    screen.button("登录").click()
    assert screen.field("姓名").evaluate(missing) == "请填写此项。"
    screen.button("荷官").click()  # filled in without a key
    screen.until(lambda: screen.field("密码").input_value() != "")
    screen.expect_error("401")
    screen.field("密码").fill("not this one")
    screen.button("登录").click()
    screen.says("姓名、密码或验证码有误，或该姓名已被锁定。请重试或询问经理。")
    assert screen.field("密码").input_value() == ""


def test_at_the_demonstration_one_tap_fills_in_what_somebody_signs_in_with(visit: Visit) -> None:
    screen = visit("/sign-in")
    screen.button("Shift Manager").click()
    screen.until(lambda: screen.field("Name").input_value() == "shift-manager")
    assert len(screen.field("Code").input_value()) == 6
    screen.button("Sign in").click()
    screen.arrives("/pit")


def test_who_is_signed_in_sees_posts_and_consoles_and_can_sign_out(visit: Visit) -> None:
    screen = visit("/sign-in")
    screen.button("Surveillance").click()
    screen.button("Sign in").click()
    screen.arrives("/records")
    screen.open("/sign-in")
    screen.says("Signed in as surveillance")
    assert screen.link("Dealer").is_visible()
    assert screen.link("Records").is_visible()
    screen.button("Sign out").click()
    screen.field("Password").wait_for()
    assert screen.ask("/me")["kind"] == "guest"


def test_a_screen_gives_its_code_and_is_a_terminal_from_then_on(visit: Visit) -> None:
    manager = visit("/", post="gaming-shift-manager")
    terminal = f"wall-{uuid.uuid4().hex[:6]}"
    made = manager.ask("/terminals", "staff", {"terminal": terminal, "table": "tiger"})
    screen = visit("/sign-in")
    screen.expect_error("422|401")
    screen.field("Code of this screen").fill("WRONG")
    screen.button("Register this screen").click()
    screen.says("This code is wrong or too old. Ask for a new one.")
    screen.field("Code of this screen").fill(made["code"])
    screen.button("Register this screen").click()
    screen.arrives("/terminal")
    assert screen.ask("/me", "terminal")["name"] == terminal


def test_a_console_asks_who_it_is_and_comes_back(visit: Visit) -> None:
    """B-28: the pit was a page with links and nothing else."""
    screen = visit("/dealer?table=tiger")
    screen.arrives("/sign-in")
    for path, post in (("/pit?table=tiger", "Pit Manager"), ("/records?part=search", "Auditor")):
        screen.open(path)
        screen.arrives("/sign-in")
        screen.button(post).click()
        screen.button("Sign in").click()
        screen.arrives(path.partition("?")[0])
        assert path in screen.page.url
        screen.open("/sign-in").button("Sign out").click()
        screen.field("Password").wait_for()
