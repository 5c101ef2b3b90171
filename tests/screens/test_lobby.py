"""The lobby: every table with game, limits, state, mini road and free positions, and one tap to sit."""

import re
from pathlib import Path

from screens.conftest import Visit
from screens.floors import GAMES, ROUND, table
from server.process import Asked
from server.served import Server


def test_a_guest_sees_every_table_with_game_limits_state_and_room(visit: Visit) -> None:
    screen = visit("/")
    screen.says("7 tables")
    tiger = screen.page.get_by_role("article", name="Tiger Baccarat, tiger", exact=True)
    assert "50 – 5,000 SGD" in tiger.inner_text()
    assert "10 – 500 SGD" in tiger.inner_text()
    assert re.search(r"[78] of 8", tiger.inner_text())
    hoiana = screen.page.get_by_role("article", name="Hoiana Tiger Baccarat, commission, hoiana-tiger")
    assert "USD" in hoiana.inner_text()
    screen.says("Training: no money is at stake here")


def test_tables_are_found_by_name_and_by_what_is_free(visit: Visit) -> None:
    screen = visit("/")
    screen.says("7 tables")
    screen.page.get_by_role("searchbox").fill("dragon")
    screen.says("1 table")
    assert screen.heading("Dragon Tiger No Commission Baccarat").is_visible()
    screen.page.get_by_role("searchbox").fill("no such")
    screen.says("No table matches. Change the filter.")
    screen.page.get_by_role("searchbox").fill("")
    screen.button("Free positions").click()
    assert screen.button("Free positions").get_attribute("aria-pressed") == "true"
    screen.says("7 tables")


def test_one_tap_sits_down_and_the_browser_is_a_terminal_with_its_patron(visit: Visit) -> None:
    screen = visit("/", touch=True)
    quick = screen.page.get_by_role("article", name="quick")
    quick.get_by_role("button", name="Sit down").tap()
    screen.arrives("/terminal")
    me = screen.ask("/me", "terminal")
    assert me["table"] == "quick"
    assert me["patron"]
    assert screen.ask("/tables/quick", "terminal")["view"]["own"]["here"] is True


def test_the_mini_road_and_the_counts_follow_what_is_played(visit: Visit, floor: Server) -> None:
    screen = visit("/")
    quick = screen.page.get_by_role("article", name="quick")
    quick.get_by_role("button", name="Sit down").click()
    screen.arrives("/terminal")
    screen.open("/")
    road = quick.get_by_role("img", name=re.compile("Big road of"))
    road.wait_for()

    def rounds() -> int:
        return int(re.findall(r"\d+", road.get_attribute("aria-label") or "0")[0])

    before = rounds()
    floor.move(ROUND)
    screen.until(lambda: rounds() == before + 1)
    line = next(each for each in screen.ask("/tables")["tables"] if each["table"] == "quick")
    assert line["statistics"]["rounds"] == before + 1


def test_a_terminal_is_shown_the_way_back_to_its_table(visit: Visit) -> None:
    screen = visit("/")
    screen.page.get_by_role("article", name="super-six").get_by_role("button", name="Sit down").click()
    screen.arrives("/terminal")
    screen.open("/")
    own = screen.page.get_by_role("article", name="super-six")
    own.get_by_role("link", name="Your terminal").click()
    screen.arrives("/terminal")


def test_in_chinese_games_states_and_amounts_are_chinese(visit: Visit) -> None:
    screen = visit("/", language="zh-Hans")
    screen.says("7 张赌桌")
    for name in ("老虎百家乐", "免佣龙虎百家乐", "免佣超级六百家乐（电子桌面游戏）"):
        assert screen.heading(name).first.is_visible()
    screen.says("培训模式：此处不涉及真实金钱")
    assert screen.page.locator("html").get_attribute("lang") == "zh-Hans"


def test_the_language_changes_at_once_and_stays(visit: Visit) -> None:
    screen = visit("/")
    screen.says("7 tables")
    screen.speaks("zh-Hans")
    screen.says("7 张赌桌")
    assert len(GAMES) == 6
    assert screen.page.evaluate("localStorage.getItem('thirdcard-language')") == "zh-Hans"


def test_at_a_real_floor_a_stranger_is_asked_to_sign_in_and_sees_no_table(
    visit: Visit, tmp_path: Path
) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(f"format = 1\n{table('one', GAMES['tiger'])}", "utf-8")
    asked = Asked(data=str(tmp_path / "data"), key=str(tmp_path / "keys"), floor=str(file))
    server = Server(asked, tmp_path / "server.log").start()
    try:
        screen = visit("/", at=server)
        screen.says("Nobody is signed in here. Sign in first.")
        screen.says("Sign in, or enter this screen's code, to see the tables.")
        assert screen.page.get_by_role("article").count() == 0
        assert not screen.page.get_by_text("Training").is_visible()
    finally:
        server.kill()
