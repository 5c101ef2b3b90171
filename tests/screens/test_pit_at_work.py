"""The pit at work: stops after a round, changes that tables take over, what is urgent, and sixty tables."""

import datetime
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from screens.browser import ROOT, WIDTHS, Screen
from screens.conftest import Visit
from screens.dealing import Table, felt
from screens.disputing import approve, asked_for
from screens.floors import BY_ITSELF, GAMES, ROUND, demonstration, table
from screens.patrons import Patron
from screens.test_pit import Pit, dealt, pit_at
from screens.visits import Sessions
from server.served import Server

from thirdcard.access.credentials import STEP
from thirdcard.clockwork.tables import OTHERS_FIRST

FELT = ("stops", "plays-on", "changed", "urgent", "seen", "busy", "found")
MANY = 60
LONG_NAME = "felt-hoiana-01"
EXAMPLES = ROOT / "examples" / "shelf" / "rulebooks"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor with tables to look after, two of which deal by themselves."""
    tables = "".join(felt(name, GAMES["tiger"]) for name in FELT)
    tables += felt("inspected", GAMES["hoiana-tiger"])
    tables += table("by-itself", GAMES["super-six"], BY_ITSELF)
    tables += table("shrunk", GAMES["tiger"], BY_ITSELF)
    tables += felt("coming", "ez-baccarat")
    folder = tmp_path_factory.mktemp("work")
    put_on_shelf(folder / "shelf" / "rulebooks")
    server = demonstration(folder, f'shelf = "shelf"\n{tables}')
    yield server
    server.kill()


def put_on_shelf(folder: Path) -> None:
    """A game of the examples, and its next version, which is in force in a month."""
    folder.mkdir(parents=True)
    now = (EXAMPLES / "ez-baccarat.toml").read_text("utf-8")
    day = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=30)
    later = re.sub("(?m)^in_force = .*$", f"in_force = {day:%Y-%m-%dT00:00:00Z}", now, count=1)
    (folder / "now.toml").write_text(now, "utf-8")
    (folder / "later.toml").write_text(later.replace("usually eight", "eight as a rule"), "utf-8")


@pytest.fixture
def dealing(browser: Browser, sessions: Sessions, house: Server) -> Iterator[Screen]:
    """A dealer without a console, who brings tables to where a test begins."""
    context = browser.new_context(storage_state=sessions(house, "dealer"))
    yield Screen(context, house.address)
    context.close()


def wagered(dealing: Screen, name: str) -> Table:
    """A table with a wager on it, while betting is open."""
    here = dealt(dealing, name, "Ann")
    here.do("open-betting")
    here.wagers(Ann={"player": 300})
    return here


def ends_round(here: Table) -> None:
    here.do("close-betting")
    here.draws("9H 2D KS 5C")
    here.do("call-outcome", winner="player")


# stops


def test_table_closes_after_its_round(visit: Visit, house: Server, dealing: Screen) -> None:
    here = wagered(dealing, "stops")
    pit = pit_at(visit, house, "stops").on_duty()
    running = pit.panel("Running the table")
    running.get_by_role("button", name="Close after this round").click()
    pit.asked("Close after this round", Reason="the night is over")
    running.get_by_text("Closes after this round.").wait_for()
    running.get_by_text("the night is over").wait_for()
    assert pit.screen.grave_findings() == []
    ends_round(here)
    pit.table.get_by_text("Closed", exact=True).wait_for()
    running.get_by_role("button", name="Open the table").wait_for()


def test_planned_pause_is_taken_back(visit: Visit, house: Server, dealing: Screen) -> None:
    here = wagered(dealing, "plays-on")
    pit = pit_at(visit, house, "plays-on").on_duty()
    running = pit.panel("Running the table")
    running.get_by_role("button", name="Pause after this round").click()
    pit.asked("Pause after this round", Reason="dealers change")
    running.get_by_text("Pauses after this round.").wait_for()
    running.get_by_role("button", name="Play on").click()
    running.get_by_text("Pauses after this round.").wait_for(state="detached")
    running.get_by_role("button", name="Pause after this round").click()
    pit.asked("Pause after this round", Reason="dealers change")
    ends_round(here)
    pit.table.get_by_text("Paused: dealers change").wait_for()


def test_automatic_table_lays_its_shoe_open_and_stays_closed(visit: Visit, house: Server) -> None:
    """B-8: the sealed shoe that is laid open first is no business of whoever closes the table."""
    Patron(visit, house, "by-itself", 1).sit()
    pit = pit_at(visit, house, "by-itself").on_duty()
    running = pit.panel("Running the table")
    running.get_by_role("button", name="Close after this round").click()
    pit.asked("Close after this round", Reason="late")
    running.get_by_text("Closes after this round.").wait_for()
    house.move(ROUND)
    pit.table.get_by_text("Closed", exact=True).wait_for()
    assert Table(pit.screen, "by-itself").view["shoe"]["opened"]
    running.get_by_role("button", name="Open the table").click()
    pit.table.get_by_text("Taking wagers").wait_for()


# changes


def proposed(pit: Pit, name: str, **values: str) -> None:
    """Propose a change of the table that is looked at, and have it approved by another person."""
    pit.panel("Running the table").get_by_role("button", name="Propose a change").click()
    pit.asked(f"Change {name}", **values)
    pit.done()
    pit.page.get_by_role("button", name="The floor").click()
    waits = pit.panel("Changes waiting for a second person")
    waits.locator(".line").filter(has_text=name).get_by_role("button", name="Approve").click()
    approve(pit.screen, "Assistant Casino Manager")
    waits.get_by_text("No changes are waiting.").wait_for()
    pit.page.get_by_role("navigation").get_by_role("button", name=name).click()


def test_limits_and_decks_come_by_themselves(visit: Visit, house: Server, dealing: Screen) -> None:
    here = wagered(dealing, "changed")
    pit = pit_at(visit, house, "changed")
    running = pit.panel("Running the table")
    running.get_by_role("button", name="Propose a change").click()
    dialog = pit.page.get_by_role("dialog", name="Change changed", exact=True)
    sends = dialog.locator("footer").get_by_role("button").last
    dialog.get_by_label("Player: minimum", exact=True).fill("6000")
    dialog.get_by_text("Player: the minimum is above the maximum.").wait_for()
    assert sends.is_disabled()
    dialog.get_by_label("Player: minimum", exact=True).fill("50")
    dialog.get_by_label("Decks", exact=True).fill("99")
    assert sends.is_disabled(), "no game has so many"
    dialog.get_by_label("Decks", exact=True).fill("8")
    sends.click()
    pit.screen.expect_error("422")
    pit.screen.says("The table is set up like this already")
    pit.page.keyboard.press("Escape")
    proposed(pit, "changed", **{"Player: minimum": "100", "Decks": "6"})
    house.move(OTHERS_FIRST)
    running.get_by_text("From the next round: Player").wait_for()
    running.get_by_text("With the next shoe: 6 decks").wait_for()
    assert pit.screen.grave_findings() == []
    assert here.view["setup"]["wagers"][0]["minimum"] == 5_000, "the round keeps its limits"
    ends_round(here)
    here.do("open-betting")
    running.get_by_text("From the next round: Player").wait_for(state="detached")
    assert here.view["setup"]["wagers"][0]["minimum"] == 10_000
    assert here.view["setup"]["decks"] == 6


def test_a_change_that_cannot_apply_is_said_in_the_pit(visit: Visit, house: Server) -> None:
    Patron(visit, house, "shrunk", 1).sit()
    pit = pit_at(visit, house, "shrunk").on_duty()
    running = pit.panel("Running the table")
    running.get_by_role("button", name="Propose a change").click()
    dialog = pit.page.get_by_role("dialog", name="Change shrunk", exact=True)
    dialog.get_by_label("Positions", exact=True).fill("30")
    dialog.locator("footer").get_by_role("button").last.click()
    pit.screen.expect_error("422")
    pit.screen.says(re.compile("positions"))
    pit.page.keyboard.press("Escape")
    proposed(pit, "shrunk", Positions="7")
    running.get_by_text("Once the table is closed: 7 positions").wait_for()
    running.get_by_role("button", name="Close after this round").click()
    pit.asked("Close after this round", Reason="late")
    house.move(ROUND)
    running.get_by_text("The approved change cannot take effect: ").wait_for()  # credits are left
    pit.page.get_by_role("navigation").get_by_role("button", name="All tables").click()
    waits = pit.panel("Needs attention").get_by_role("listitem")
    waits.filter(has_text="The approved change cannot take effect").filter(has_text="shrunk").wait_for()


def test_the_next_version_of_a_rulebook_is_seen_coming(visit: Visit, house: Server) -> None:
    pit = pit_at(visit, house, "coming", size=WIDTHS["phone"])
    coming = pit.table.get_by_role("status").filter(has_text="A new version of the rulebook is in force from")
    coming.get_by_text("Six to eight decks of 52 cards, eight as a rule.").wait_for()
    assert "§\u200a1.2" in coming.inner_text()
    assert pit.screen.flaws() == []


# what is urgent


def alarm(dealing: Screen, name: str, number: int = 1) -> None:
    body = {"type": "raise-alarm", "kind": "misread", "number": number}
    sent = {"command_id": f"alarm-{name}-{number}", "command": body}
    assert dealing.ask(f"/tables/{name}/commands", "staff", sent)["type"] == "accepted"


def test_what_is_urgent_comes_first_and_what_is_decided_goes(
    visit: Visit, house: Server, dealing: Screen
) -> None:
    here = wagered(dealing, "urgent")
    alarm(dealing, "urgent")
    house.move(120)
    here.do("report-irregularity", situation="not-covered", note="a drink")
    post = here.view["phase"]["case"]["post"]
    pit = Pit(visit("/pit", at=house, post=post))
    mine = pit.panel("Needs attention").get_by_role("listitem").filter(has_text="urgent")
    mine.filter(has_text="Something else").wait_for()
    pit.screen.until(lambda: mine.count() == 2)
    first, second = (" ".join(each.split()) for each in mine.all_inner_texts())
    assert re.match("Urgent urgent round 1 just now", first, re.I), first
    assert re.match("Soon urgent round 1 2 min", second, re.I), second
    assert pit.screen.grave_findings() == []
    pit.page.get_by_role("navigation").get_by_role("button", name="urgent").click()
    pit.table.get_by_role("button", name="Come on duty").click()
    decision = pit.panel("Irregularity under way")
    decision.get_by_label("Reason of the decision").fill("The cards are dry")
    decision.get_by_role("button", name="play goes on", exact=True).click()
    decision.wait_for(state="detached")
    pit.page.get_by_role("navigation").get_by_role("button", name="All tables").click()
    mine.filter(has_text="could not read").wait_for()
    assert mine.count() == 1, "what was decided is gone"


def test_alerts_are_acknowledged_together(visit: Visit, house: Server, dealing: Screen) -> None:
    for name in ("seen", "busy"):
        dealt(dealing, name, "Ann")
        for number in (1, 2):
            alarm(dealing, name, number)
    pit = Pit(visit("/pit", at=house, post="pit-manager"))
    waits = pit.panel("Needs attention")
    both = waits.get_by_role("listitem").filter(has_text=re.compile("seen|busy"))
    both.first.wait_for()
    all_of_them = waits.get_by_role("button", name=re.compile("Acknowledge all"))
    all_of_them.click()
    dialog = pit.page.get_by_role("dialog", name=re.compile("Acknowledge all"))
    dialog.get_by_text("You come on duty as Pit Manager at:").wait_for()
    dialog.locator("footer").get_by_role("button").last.click()
    pit.screen.says(re.compile("done and recorded"))
    both.first.wait_for(state="detached")


def test_a_post_below_asks_a_second_person_for_each(visit: Visit, house: Server, dealing: Screen) -> None:
    """Where the house lets a higher post acknowledge, that post stands behind it at this console."""
    dealt(dealing, "inspected", "Ann")
    alarm(dealing, "inspected", 1)
    alarm(dealing, "inspected", 2)
    pit = Pit(visit("/pit", at=house, post="dealer-inspector"))
    waits = pit.panel("Needs attention")
    mine = waits.get_by_role("listitem").filter(has_text="inspected").filter(has_text="could not read")
    pit.screen.until(lambda: mine.count() == 2)
    pit.screen.expect_error("422|409|403")
    waits.get_by_role("button", name=re.compile("Acknowledge all")).click()
    pit.page.get_by_role("dialog", name=re.compile("Acknowledge all")).locator("footer").get_by_role(
        "button"
    ).last.click()
    dialog = asked_for(pit.screen)
    dialog.get_by_role("button", name="Pit Supervisor", exact=True).click()
    pit.screen.until(lambda: dialog.get_by_label("Password").input_value() != "")
    dialog.get_by_role("button", name="Approve").click()
    pit.screen.until(lambda: mine.count() == 1)
    house.move(STEP)  # a code is good once
    approve(pit.screen, "Pit Supervisor")
    mine.first.wait_for(state="detached")


def test_all_held_tables_are_resumed_together(visit: Visit, tmp_path: Path) -> None:
    """A server that starts again holds every table with wagers; a tap lets all of them go on."""
    both = ("one", "two")
    server = demonstration(tmp_path, "".join(felt(name, GAMES["tiger"]) for name in both))
    try:
        dealer = visit(None, at=server, post="dealer")
        for name in both:
            here = dealt(dealer, name, "Ann")
            here.do("open-betting")
            here.wagers(Ann={"player": 300})
        server.kill()
        server.start()
        assert server.held == both
        pit = Pit(visit("/pit", at=server, post="pit-manager"))
        waits = pit.panel("Needs attention")
        pit.screen.until(lambda: waits.get_by_role("listitem").filter(has_text="Urgent").count() == len(both))
        waits.get_by_role("button", name="Resume all (2)").click()
        dialog = pit.page.get_by_role("dialog", name="Resume all (2)")
        dialog.get_by_text("You come on duty as Pit Manager at: one and two.").wait_for()
        assert pit.screen.grave_findings() == []
        dialog.locator("footer").get_by_role("button").last.click()
        pit.screen.says("2 of 2 done and recorded.")
        waits.get_by_role("button", name=re.compile("Resume")).wait_for(state="detached")
        for name in both:
            assert not Table(dealer, name).view["phase"]["held"]
    finally:
        server.kill()


def test_marks_that_come_next_are_turned_on_by_two_people(visit: Visit, house: Server) -> None:
    pit = pit_at(visit, house, "found")
    assert "next_marks" not in Table(pit.screen, "found").view["scoreboard"]
    running = pit.panel("Running the table")
    running.get_by_role("button", name="Propose a change").click()
    pit.asked("Change found", **{"Roads: marks that come next": "shown"})
    pit.done()
    pit.page.get_by_role("button", name="The floor").click()
    waits = pit.panel("Changes waiting for a second person")
    waits.get_by_text("Roads: marks that come next: shown").wait_for()
    waits.locator(".line").filter(has_text="found").get_by_role("button", name="Approve").click()
    approve(pit.screen, "Assistant Casino Manager")
    waits.get_by_text("No changes are waiting.").wait_for()
    pit.screen.until(lambda: "next_marks" in Table(pit.screen, "found").view["scoreboard"])


def test_a_patron_is_found_at_any_table(visit: Visit, house: Server, dealing: Screen) -> None:
    dealt(dealing, "found", "Ann", "Wilhelmina")
    pit = Pit(visit("/pit", at=house, post="pit-manager"))
    tiles = pit.page.get_by_role("region", name="Tables").get_by_role("button")
    pit.screen.until(lambda: tiles.count() == len(FELT) + 4)
    pit.page.get_by_label("Find a patron or a table").fill("helm")
    found = pit.page.get_by_role("list", name="Patrons found").get_by_role("button")
    text = " ".join(found.inner_text().split())
    assert re.match("Wilhelmina found position 2 On the felt SGD ?0", text), text
    pit.screen.until(lambda: tiles.count() == 1)
    assert pit.screen.grave_findings() == []
    found.click()
    pit.table.get_by_role("heading", name="found").wait_for()


# sixty tables


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor of sixty tables."""
    names = (LONG_NAME, *(f"T-{number:02}" for number in range(2, MANY + 1)))
    tables = "".join(felt(name, GAMES["tiger"]) for name in names)
    server = demonstration(tmp_path_factory.mktemp("hall"), tables)
    yield server
    server.kill()


def test_sixty_tables_stay_readable(visit: Visit, hall: Server) -> None:
    pit = Pit(visit("/pit", at=hall, post="pit-manager"))
    tiles = pit.page.get_by_role("region", name="Tables").get_by_role("button")
    pit.screen.until(lambda: tiles.count() == MANY)
    high = pit.page.evaluate("document.querySelector('main').scrollHeight / innerHeight")
    assert high < 4, f"the page is {high} screens high"
    assert pit.screen.grave_findings() == []
    assert pit.screen.misfits() == []


def test_names_of_tables_are_not_broken_at_their_hyphens(visit: Visit, hall: Server) -> None:
    """B-34: a long name stood in two lines of the list, with its state beside it."""
    pit = Pit(visit("/pit", at=hall, post="pit-manager"))
    for place in (pit.page.get_by_role("navigation"), pit.page.get_by_role("region", name="Tables")):
        name = place.get_by_role("button").filter(has_text=LONG_NAME).locator("strong")
        name.wait_for()
        lines = name.evaluate("each => each.clientHeight / parseFloat(getComputedStyle(each).lineHeight)")
        assert lines < 1.5, f"{lines} lines"
    assert pit.screen.misfits() == []
