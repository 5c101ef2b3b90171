"""A gaming day of a floor that is in no document, in browsers and over HTTP, recounted from its wagers.

Served by the sources, with a clock that the test moves; THIRDCARD_PROGRAM names an installed program to be
tried in their place: ``scripts/soak wheel`` does so in an environment that has nothing but the wheel.
"""

import json
import os
import re
import secrets
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from limits import LONG_ENOUGH
from playwright.sync_api import Browser, Locator
from screens.browser import Screen
from screens.day_recount import TYPED, recount
from screens.dealing import Dealer, Table
from screens.own_floor import PASSWORD, PEOPLE, OwnFloor
from screens.test_pit import Pit

pytestmark = pytest.mark.timed
PROGRAM = os.environ.get("THIRDCARD_PROGRAM")
LIVE = ("Tiger 1", "Jade 1", "EZ 1")


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[OwnFloor]:
    """The floor with its people, served."""
    floor = OwnFloor(tmp_path, PROGRAM)
    floor.prepare()
    floor.serve()
    yield floor
    floor.kill()


class Day:
    """Everybody at the floor, each with a browser of their own, for as long as a shift."""

    def __init__(self, browser: Browser, floor: OwnFloor) -> None:
        self.browser = browser
        self.floor = floor
        self.screens: list[Screen] = []
        self.patron = Screen(browser.new_context(), floor.address)  # at a terminal all day
        self.cashed_out = 0

    def screen(self) -> Screen:
        """A browser that nobody has used."""
        screen = Screen(self.browser.new_context(viewport={"width": 1280, "height": 900}), self.floor.address)
        self.screens.append(screen)
        return screen

    def signed_in(self, name: str) -> Screen:
        """Return a page on which somebody has signed in."""
        screen = self.screen().open("/sign-in")
        screen.field("Name").fill(name)
        screen.field("Password").fill(PASSWORD)
        screen.page.get_by_label(re.compile("^Code")).first.fill(self.floor.code(name))
        screen.button("Sign in").click()
        screen.page.wait_for_url(re.compile("/(pit|dealer|records|)$"))
        return screen

    def credentials(self, name: str) -> dict[str, str]:
        """Return the credentials of a second person."""
        return {"name": name, "password": PASSWORD, "code": self.floor.code(name)}

    def approves(self, screen: Screen, name: str) -> None:
        """A second person stands behind what was sent, and comes on duty with it if need be."""
        dialog = screen.page.get_by_role("dialog", name=re.compile("approval|second person"))
        dialog.wait_for()
        dialog.get_by_label("Name", exact=True).fill(name)
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_label(re.compile("^Code")).first.fill(self.floor.code(name))
        dialog.get_by_role("button", name="Approve").click()
        dialog.wait_for(state="hidden")

    def counts(self, pit: Pit, title: str, second: str, pieces: dict[str, int], sums: str) -> None:
        """Count pieces in the pit; a second person stands for it."""
        pit.panel("Chips and cash").get_by_role("button", name=title, exact=True).first.click()
        dialog = pit.page.get_by_role("dialog", name=title, exact=True)
        for value, number in pieces.items():
            dialog.get_by_label(f"{value} each", exact=True).fill(str(number))
        dialog.get_by_text(sums).wait_for()
        dialog.get_by_role("button", name=title, exact=True).click()
        self.approves(pit.screen, second)
        dialog.wait_for(state="hidden")

    def end(self) -> None:
        """Everybody leaves; no browser has complained."""
        for screen in self.screens:
            assert screen.unexpected == []
            screen.context.close()
        self.screens.clear()


class Live(Table):
    """A live table that is brought along over HTTP by whoever is signed in at a screen."""

    def __init__(self, screen: Screen, name: str, person: str) -> None:
        super().__init__(screen, name)
        self.person = person

    def staffed(self, *, post: str = "dealer") -> "Live":
        """Come on duty."""
        self.do("come-on-duty", person=self.person, post=post)
        return self

    def by_two(self, kind: str, authoriser: dict[str, str], comes_as: str, **fields: Any) -> Any:
        """Have a command decided behind which a second person stands."""
        form = {"command_id": secrets.token_hex(8), "command": {"type": kind, **fields}}
        form |= {"authoriser": authoriser, "comes_as": comes_as}
        return self.screen.ask(f"/tables/{self.name}/commands", "staff", form)

    def counts(self, kind: str, day: Day, second: str, *pieces: tuple[int, int]) -> None:
        """Count or move chips with a second person."""
        count = [{"value": value, "number": number} for value, number in pieces]
        answer = self.by_two(kind, day.credentials(second), PEOPLE[second], count=count)
        assert answer.get("type") == "accepted", answer

    def stakes(self, patron: str, position: int, **on: int) -> None:
        """The stakes of a patron, in yen."""
        for wager, amount in on.items():
            self.do(
                "place-wager",
                patron=patron,
                wager=wager.replace("_", "-"),
                amount=amount,
                position=position,
            )

    def played(self, patron: str, cards: str, winner: str, **on: int) -> None:
        """A whole round with the wagers of one patron at position 1."""
        self.do("open-betting")
        self.stakes(patron, 1, **on)
        self.do("close-betting")
        self.draws(cards)
        self.do("call-outcome", winner=winner)


def test_a_gaming_day_of_an_own_floor_adds_up(browser: Browser, floor: OwnFloor) -> None:
    day = Day(browser, floor)
    try:
        first_shift(day)
        day.end()
        floor.changes_shift()
        second_shift(day)
        day.end()
        reports(day)
        assert day.patron.unexpected == []
    finally:
        for screen in (*day.screens, day.patron):
            screen.context.close()


# the first shift


def first_shift(day: Day) -> None:
    """The floor opens; two rounds at the felt in the browser, one of them goes wrong; others over HTTP."""
    dan, bo, max_, tom = (day.signed_in(name) for name in ("Dan", "Bo", "Max", "Tom"))
    opens_tables(day, dan, bo)
    terminal_of(day, max_, tom)
    pit = Pit(bo.open("/pit?table=Tiger 1"))
    pit.panel("Chips and cash").get_by_text("The opener of this table is not counted yet.").wait_for()
    day.counts(pit, "Count the opener", "Dan", {"1,000,000": 1, "100,000": 10}, "2,000,000")
    day.counts(pit, "Bring chips", "Dan", {"10,000": 50}, "500,000")
    day.counts(pit, "Send back chips", "Dan", {"100,000": 2}, "200,000")
    pit.panel("Chips and cash").get_by_role("button", name="Sell chips").click()
    pit.asked("Sell chips", Patron="Ann", Amount="100000")
    at_the_felt(day, dan)
    goes_wrong(day, dan)
    jade, harbour = (Live(dan, name, "Dan") for name in LIVE[1:])
    jade.do("buy-chips", patron="Ann", amount=50_000, reason="")
    jade.played("Ann", "2H KD 3S KC 4H KH", "player", dragon_bonus_player=10_000, banker=5_000)
    refused = harbour.by_two(
        "fill-chips", day.credentials("Bo"), "box-host", count=[{"value": 1_000_000, "number": 5}]
    )
    assert refused["reason"] == "not-authorised", "a large fill takes a higher post of this house"
    harbour.counts("fill-chips", day, "Gil", (1_000_000, 5))
    harbour.do("buy-chips", patron="Ann", amount=30_000, reason="")
    harbour.played("Ann", "KH 2D 6S 3C 2H", "banker", dragon_7=1_000, banker=10_000)
    plays_at_terminal(day, "Banker")
    day.counts(pit, "Count the closer", "Dan", {"1,000,000": 2, "100,000": 1, "10,000": 9}, "2,190,000")


def opens_tables(day: Day, dan: Screen, bo: Screen) -> None:
    """Dan and Bo come on duty at the felts, open them, and count what no browser counts."""
    for name in LIVE:
        table = Live(dan, name, "Dan").staffed()
        Live(bo, name, "Bo").staffed(post="box-host")
        if (
            name == "Tiger 1"
        ):  # its approval names another game: somebody with the regulator's word stands for it
            confirmed = {"reference": "JH-2026-7", "date": "2026-11-02"}
            answer = table.by_two("record-confirmation", day.credentials("Mara"), PEOPLE["Mara"], **confirmed)
            assert answer.get("type") == "accepted", answer
        table.opened()
        assert table.view["setup"]["currency"]["code"] == "JPY"
        table.do("come-to-table", patron="Ann", position=1)
        assert table.send("open-betting")["reason"] == "opener-needed", "this house counts the tray first"
    Live(dan, "Tiger 1", "Dan").do("come-to-table", patron="Bob", position=2)
    Live(dan, "Jade 1", "Dan").counts("count-opener", day, "Bo", (1_000_000, 3))
    Live(dan, "EZ 1", "Dan").counts("count-opener", day, "Bo", (100_000, 10))


def at_the_felt(day: Day, dan: Screen) -> None:
    """A round at the dealer console by keyboard: Ann has 20,000 on Player, Bob 10,000 on Banker."""
    dealer = Dealer(dan.open("/dealer?table=Tiger 1"), Live(dan, "Tiger 1", "Dan"), day.floor.server)  # type: ignore[arg-type]
    dealer.next("Open betting")
    dealer.shows("No more bet")
    dealer.types("20000")
    dealer.press("p", "ArrowDown")
    dealer.types("10000")
    dealer.press("b")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 2)
    dealer.next("Close betting")
    dealer.shows("Player")
    dealer.lays("9h2dks5c")
    dealer.shows("Player wins 9 to 7.")
    dealer.next("Call the outcome")
    dealer.settles()


def goes_wrong(day: Day, dan: Screen) -> None:
    """The dealing device is knocked over with two cards out; the Pit Manager confirms it: a void round."""
    dealer = Dealer(dan, Live(dan, "Tiger 1", "Dan"), day.floor.server)  # type: ignore[arg-type]
    dealer.next("Open betting")
    dealer.shows("No more bet")
    dealer.types("20000")
    dealer.press("p")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 1)
    dealer.next("Close betting")
    dealer.lays("8s6h")
    dialog = dealer.wrong("altered")
    dialog.get_by_text("Can the right order be reconstructed?").wait_for()
    dialog.get_by_role("button", name="no", exact=True).click()
    dialog.get_by_role("button", name="Report it").click()
    dealer.next("Confirm the facts")
    day.approves(dan, "Max")
    dan.says("The irregularity is dealt with.")
    dan.button("All returned").click()


# the terminal


def terminal_of(day: Day, max_: Screen, tom: Screen) -> None:
    """A terminal is registered and enabled by two, and a patron is seated there with credits."""
    bo = day.credentials("Bo")
    form: dict[str, Any] = {"terminal": "E1", "table": "Six 1", "position": None, "authoriser": bo}
    enrolled = max_.ask("/terminals", "staff", form)
    screen = day.patron.open("/sign-in")
    screen.field("Code of this screen").fill(enrolled["code"])
    screen.button("Register this screen").click()
    screen.arrives("/terminal")
    on_the_floor(max_, {"type": "enable-terminal", "terminal": "E1"}, bo)
    on_the_floor(tom, {"type": "open-patron-session", "terminal": "E1", "patron": "Kim"})
    Table(tom, "Six 1").do("come-to-table", patron="Kim")
    Table(tom, "Six 1").do("buy-credits", terminal="Kim", amount=100_000)


def on_the_floor(screen: Screen, command: dict[str, Any], authoriser: dict[str, str] | None = None) -> None:
    """Have a command to the floor carried out."""
    form = {"command_id": secrets.token_hex(8), "command": command, "authoriser": authoriser}
    answer = screen.ask("/floor/commands", "staff", form)
    assert answer.get("type") == "accepted", (command, answer)


def plays_at_terminal(day: Day, wager: str) -> None:
    """Kim puts a chip down, and the table deals."""
    screen = day.patron

    def view() -> Any:
        return screen.ask("/tables/Six 1", "terminal")["view"]

    called = screen.page.get_by_role("status").get_by_text("Place your bets, please")

    def goes_on() -> bool:
        if not called.is_visible():  # between rounds, or too late in this one
            day.floor.passes(0.5)
        return called.is_visible()

    screen.until(goes_on)
    screen.page.get_by_role("radio", name="JPY 5,000", exact=True).check(force=True)
    area: Locator = screen.page.get_by_role("button", name=re.compile(rf"^{wager} (?:[^\x00-\x7f]+ )?\d"))
    area.click()
    screen.until(lambda: "5,000 accepted" in (area.text_content() or ""))
    number = view()["phase"]["round"]

    def over() -> bool:
        now = view()["phase"]
        if (now["round"], now["phase"]) != (number, "idle") and now["round"] == number:
            day.floor.passes(1)
        return bool(now["round"] != number or now["phase"] == "idle")

    screen.until(over)


# the second shift


def second_shift(day: Day) -> None:
    """Dora takes over from Dan; the day is closed, and boxes are counted by others."""
    dora, dan, bo, tom = (day.signed_in(name) for name in ("Dora", "Dan", "Bo", "Tom"))
    for name in LIVE:
        Live(dora, name, "Dora").staffed()
        Live(dan, name, "Dan").do("go-off-duty", person="Dan")
    pit = Pit(bo.open("/pit?table=Tiger 1"))
    tray = {"1,000,000": 2, "100,000": 1, "10,000": 9}
    day.counts(pit, "Count the opener", "Dora", tray, "2,190,000")
    tiger = Live(dora, "Tiger 1", "Dora")
    tiger.do("open-betting")
    tiger.stakes("Bob", 2, banker=10_010)
    tiger.stakes("Ann", 1, tie=5_000)
    tiger.do("close-betting")
    tiger.draws("2H 9D 4S KC").do("call-outcome", winner="banker")
    for name, wagers in (
        ("Jade 1", {"banker": 10_000, "dragon_bonus_banker": 1_000}),
        ("EZ 1", {"player": 20_000}),
    ):
        Live(dora, name, "Dora").played("Ann", "2H 9D 4S KC", "banker", **wagers)
    # the tray of Tiger 1 is short of 10,000
    short = {"1,000,000": 2, "100,000": 1, "10,000": 7, "5,000": 1, "100": 4, "10": 9}
    day.counts(pit, "Count the closer", "Dora", short, "2,175,490")
    told = pit.panel("Chips and cash").get_by_role("region", name="Inventory 2")
    told.get_by_text("Difference").wait_for()
    assert "Difference −10,000" in " ".join(told.inner_text().split())
    jade, harbour = (Live(dora, name, "Dora") for name in LIVE[1:])
    jade.counts("count-closer", day, "Bo", (1_000_000, 2), (100_000, 6), (10_000, 4), (1_000, 4), (500, 1))
    harbour.counts("count-closer", day, "Bo", (1_000_000, 5), (100_000, 9), (10_000, 5))
    plays_at_terminal(day, "Player")
    kim_goes(day, tom)
    boxes_are_counted(day)


def kim_goes(day: Day, tom: Screen) -> None:
    """Two of the house cash the patron out, who confirms it at the terminal."""
    table = Live(tom, "Six 1", "Tom")
    left = table.view["balances"]["balances"][0]["credits"]
    form: dict[str, Any] = {"command": {"type": "cash-out", "terminal": "Kim", "amount": left}}
    form |= {"command_id": secrets.token_hex(8), "authoriser": day.credentials("Bo"), "comes_as": "box-host"}
    answer = tom.ask("/tables/Six 1/commands", "staff", form)
    assert answer.get("type") == "accepted", answer
    asked = day.patron.page.get_by_role("dialog", name="Staff cash out your credits")
    asked.get_by_text(f"{left:,}").first.wait_for()
    asked.get_by_role("button", name="Confirm").click()
    day.patron.until(lambda: table.view["balances"]["balances"] in ([], [{"terminal": "Kim", "credits": 0}]))
    day.cashed_out = left


def boxes_are_counted(day: Day) -> None:
    """Two who were at none of the tables count the drop boxes, one of them in the pit; one lacks 1,000."""
    hal = day.signed_in("Hal")
    pit = Pit(hal.open("/pit?table=Tiger 1"))
    day.counts(pit, "Count the drop box", "Hana", {"10,000": 10}, "100,000")
    for name, second, notes in (
        ("Jade 1", "Max", ((10_000, 4), (5_000, 1), (1_000, 4))),
        ("EZ 1", "Mara", ((10_000, 3),)),
    ):
        count = [{"value": value, "number": number} for value, number in notes]
        form: dict[str, Any] = {"command": {"type": "count-drop", "inventory": 1, "count": count}}
        form |= {"command_id": secrets.token_hex(8), "authoriser": day.credentials(second)}
        answer = hal.ask(f"/tables/{name}/commands", "staff", form)
        assert answer.get("type") == "accepted", answer


# what is reported


def reports(day: Day) -> None:
    """The reports of the day and of its shifts, beside the recount and what was typed."""
    floor, folder = day.floor, day.floor.folder
    reported_on_screen(day)
    floor.stop()  # the terminals' table goes on with rounds by itself, and each is in what is read later
    floor.run("audit", "export", "--output", "tables")
    of_day, of_shifts = (
        [json.loads(line) for line in floor.run("report", kind, "--from", floor.date, "--json").splitlines()]
        for kind in ("day", "shift")
    )
    for name, typed in TYPED.items():
        (line,) = [each for each in of_day if (each["of"], each["name"]) == ("table", name)]
        assert {column: int(line[column]) for column in typed} == typed, name
    recounted = recount(folder / "tables")
    assert {shift for shift, _, _ in recounted} == {"1", "2"}
    seen = set()
    for line in of_shifts:
        name = f"{line['game']} {line['name']}".strip() if line["of"] in ("game", "wager") else line["name"]
        key = str(line["shift"]), line["of"], name
        found = recounted.get(key, Counter())
        seen.add(key)
        for column in ("rounds", "void_rounds", "wagers", "turnover", "win"):
            if column in found or line["of"] != "wager":
                assert int(line[column]) == found[column], (key, column)
    assert set(recounted) <= seen
    for column in ("turnover", "win", "drop", "bought", "cashed_out"):
        parts = sum(int(line[column]) for line in of_shifts if line["of"] == "table")
        (whole,) = [int(line[column]) for line in of_day if line["of"] == "all"]
        assert parts == whole, column
    (six,) = [line for line in of_day if (line["of"], line["name"]) == ("table", "Six 1")]
    assert (int(six["bought"]), int(six["cashed_out"])) == (100_000, day.cashed_out)
    assert int(six["win"]) == 100_000 - day.cashed_out, "what Kim lost is what the house won"
    files_are_written(day)
    assert "The journal is whole" in floor.run("audit", "verify")


def reported_on_screen(day: Day) -> None:
    """The auditor reads the day in the records, and takes it along."""
    una = day.signed_in("Una").open("/records?part=reports")
    una.field("First gaming day").fill(day.floor.date)
    una.field("Last gaming day").fill(day.floor.date)
    shown = una.page.get_by_role("region", name="Reports", exact=True)
    # it reports the day of today first, for which a process begins
    shown.get_by_role("button", name="Show").click(timeout=LONG_ENOUGH * 1000)
    against = shown.get_by_role("table", name="Win against expectation")
    for name, typed in TYPED.items():
        line = against.get_by_role("row").filter(has_text=name)
        line.wait_for(timeout=LONG_ENOUGH * 1000)  # a process begins for it
        assert line.get_by_role("cell").first.inner_text() == f"−{-typed['win']:,}"
    with una.page.expect_download(timeout=LONG_ENOUGH * 1000) as download:
        una.link("CSV").click()
    download.value.save_as(day.floor.folder / "taken.csv")
    told = day.floor.run("report", "day", "--from", day.floor.date, "--csv")
    # meters of an open table go on until its last record: only the time that it was open differs
    assert [line.split(",")[:5] for line in told.splitlines()] == [
        line.split(",")[:5] for line in (day.floor.folder / "taken.csv").read_text("utf-8").splitlines()
    ]


def files_are_written(day: Day) -> None:
    """The workbook has the typed figures as numbers; the PDF is there to sign."""
    floor, folder = day.floor, day.floor.folder
    words = ("report", "day", "--from", floor.date, "--xlsx", "day.xlsx", "--pdf", "day.pdf")
    floor.run(*words, "--signer", "Mara=Harbour Master")
    sheet = openpyxl.load_workbook(folder / "day.xlsx", data_only=True)["Tables"]
    lines = [list(row) for row in sheet.iter_rows(values_only=True)]
    heads = next(row for row in lines if "Win" in row)
    for name, typed in TYPED.items():
        line = dict(zip(heads, next(row for row in lines if row[0] == name), strict=True))
        told = {title: line[title] for title in ("Rounds", "Turnover", "Win", "Drop", "Closer")}
        columns = ("rounds", "turnover", "win", "drop", "closer")
        assert list(told.values()) == [typed[column] for column in columns]
        assert line["Currency"] == "JPY"
    assert (folder / "day.pdf").read_bytes().startswith(b"%PDF-")
