"""The pit console: everything a pit manager does, at all tables and behind them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator
from screens.browser import WIDTHS, Held, Screen
from screens.conftest import Visit
from screens.dealing import A_CODE, Table, card, felt
from screens.disputing import approve, asked_for
from screens.floors import GAMES, demonstration, table
from screens.patrons import Patron
from screens.visits import Sessions
from server.served import Server

from thirdcard.clockwork.tables import OTHERS_FIRST

FELT = {
    "glance": GAMES["tiger"],
    "alerts": GAMES["tiger"],
    "ruled": GAMES["tiger"],
    "uncovered": GAMES["hoiana-tiger"],
    "permitted": GAMES["hoiana-tiger"],
    "opened": GAMES["hoiana-tiger"],
    "run": GAMES["tiger"],
    "staffed": GAMES["tiger"],
    "limited": GAMES["tiger-nc"],
    "chips": GAMES["tiger"],
}
# what the console shows, with something in it that only the server knows
STATES = {
    "/pit": "Needs attention",
    "/pit?table=glance": "Running the table",
    "/pit?floor": "terminals-1",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor with tables to look after."""
    tables = "".join(felt(name, game) for name, game in FELT.items())
    uneven = felt("uneven", GAMES["tiger"], 'differential = "1000"')
    server = demonstration(
        tmp_path_factory.mktemp("pit"), tables + uneven + table("terminals", GAMES["super-six"])
    )
    yield server
    server.kill()


class Pit:
    """The pit console of somebody."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.page = screen.page

    @property
    def table(self) -> Locator:
        """The table that is looked at."""
        return self.page.get_by_role("article")

    def panel(self, title: str) -> Locator:
        """A part of the console by its title."""
        return self.page.get_by_role("region", name=title, exact=True)

    def on_duty(self, post: str = "Pit Manager") -> "Pit":
        """Come on duty at the table that is looked at."""
        self.table.get_by_role("button", name="Come on duty").click()
        self.table.get_by_text(f"on duty: {post}").wait_for()
        return self

    def asked(self, title: str, **values: str) -> None:
        """Answer the question that is up: fields by their label, and send it."""
        dialog = self.page.get_by_role("dialog", name=title, exact=True)
        for label, value in values.items():
            field = dialog.get_by_label(label.replace("_", " "), exact=True)
            if field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        dialog.get_by_role("contentinfo").or_(dialog.locator("footer")).get_by_role("button").last.click()
        dialog.wait_for(state="hidden")

    def done(self) -> None:
        """Wait until the server has taken it."""
        self.screen.says("Done and recorded.")


def pit_at(visit: Visit, server: Server, name: str, *, post: str = "pit-manager", **how: object) -> Pit:
    """A pit manager who looks at a table."""
    return Pit(visit(f"/pit?table={name}", at=server, post=post, **how))


@pytest.fixture
def dealing(browser: Browser, sessions: Sessions, house: Server) -> Iterator[Screen]:
    """A dealer without a console, who brings tables to where a test begins."""
    context = browser.new_context(storage_state=sessions(house, "dealer"))
    yield Screen(context, house.address)
    context.close()


def dealt(screen: Screen, name: str, *patrons: str) -> Table:
    """A table with a dealer that waits for its next opening call."""
    return Table(screen, name).staffed().opened().seated(*patrons)


# all tables at a glance


def test_all_tables_are_seen_at_a_glance(visit: Visit, house: Server, dealing: Screen) -> None:
    pit = Pit(visit("/pit", at=house, post="pit-manager"))
    tiles = pit.page.get_by_role("region", name="Tables").get_by_role("button")
    pit.screen.until(lambda: tiles.count() == len(FELT) + 2)
    tile = tiles.filter(has_text=re.compile(r"^\s*glance"))
    tile.get_by_text("Closed").wait_for()
    here = dealt(dealing, "glance", "Ann", "Bob")
    here.do("open-betting")
    here.wagers(Ann={"player": 300}, Bob={"tie": 20})
    tile.get_by_text("Taking wagers").wait_for()
    tile.get_by_text("320").wait_for()
    text = " ".join(tile.inner_text().split()).lower()
    assert "round 1" in text, text
    assert re.search("patrons 2 ?/ 8", text), text
    assert "dealer" in text, text
    tile.click()
    pit.table.get_by_role("heading", name="glance").wait_for()
    assert pit.page.url.endswith("?table=glance")
    on_table = pit.panel("On the table")
    on_table.get_by_text("Bob").wait_for()
    assert "Tie 20" in " ".join(on_table.get_by_role("listitem").all_inner_texts()).replace("\n", " ")
    here.do("close-betting")
    here.draws("9H 2D")
    on_table.get_by_role("img", name="nine of hearts").wait_for()
    on_table.get_by_role("img", name="two of diamonds").wait_for()


def test_an_alert_is_acknowledged_where_everything_is_seen(
    visit: Visit, house: Server, dealing: Screen
) -> None:
    here = dealt(dealing, "alerts", "Ann")
    pit_at(visit, house, "alerts").on_duty()
    pit = Pit(visit("/pit", at=house, post="pit-manager"))
    waits = pit.panel("Needs attention")
    waits.wait_for()
    alarm = {"command_id": "alarm-of-alerts", "command": {"type": "raise-alarm", "kind": "misread"}}
    assert dealing.ask("/tables/alerts/commands", "staff", alarm)["type"] == "accepted"
    line = waits.get_by_role("listitem").filter(has_text="alerts")
    line.get_by_text("The card reader could not read a card.").wait_for()
    line.get_by_role("button", name="Acknowledge").click()
    line.wait_for(state="detached")
    assert here.view["alerts"]["alerts"] == []


# decisions


def test_facts_are_confirmed_and_the_round_is_void(visit: Visit, house: Server, dealing: Screen) -> None:
    here = dealt(dealing, "ruled", "Ann")
    here.do("open-betting")
    here.wagers(Ann={"player": 100})
    here.do("close-betting")
    here.draws("9H 2D")
    glance = Pit(visit("/pit", at=house, post="pit-manager"))
    here.do("report-irregularity", situation="foreign-card", note="a blue back")
    line = glance.panel("Needs attention").get_by_role("listitem").filter(has_text="Foreign card")
    line.get_by_text("Pit Manager").wait_for()
    line.get_by_role("button", name="Open ruled").click()
    decision = glance.panel("Irregularity under way")
    assert "§\u200a5.1" in decision.inner_text(), "the clause that it follows from"
    decision.get_by_text("a blue back").wait_for()  # what the Dealer noted
    assert decision.get_by_role("button", name="Confirm the facts").is_disabled(), "nobody is on duty yet"
    glance.on_duty()
    decision.get_by_role("button", name="Confirm the facts").click()
    glance.done()
    decision.wait_for(state="detached")
    glance.panel("On the table").get_by_text("Void").wait_for()
    assert here.view["outcome"]["void"] is True


def test_what_no_rule_covers_is_decided_in_words(visit: Visit, house: Server, dealing: Screen) -> None:
    here = dealt(dealing, "uncovered", "Ann")
    here.do("open-betting")
    here.wagers(Ann={"player": 100})
    here.do("close-betting")
    here.draws("9H 2D")
    here.do("report-irregularity", situation="not-covered", note="a drink on the layout")
    post = here.view["phase"]["case"]["post"]
    pit = pit_at(visit, house, "uncovered", post=post)
    pit.table.get_by_role("button", name="Come on duty").click()
    decision = pit.panel("Irregularity under way")
    goes_on = decision.get_by_role("button", name="play goes on", exact=True)
    goes_on.wait_for()
    assert goes_on.is_disabled(), "a ruling has its reason"
    decision.get_by_label("Reason of the decision").fill("The cards are dry and can be read")
    goes_on.click()
    decision.wait_for(state="detached")
    assert here.view["phase"]["case"] is None
    assert here.view["outcome"]["void"] is False


def test_a_second_person_gives_a_permission_at_the_same_console(
    visit: Visit, house: Server, dealing: Screen
) -> None:
    here = dealt(dealing, "permitted", "Ann", "Bob")
    here.do("open-betting")
    here.wagers(Ann={"player": 900}, Bob={"banker": 700})
    here.do("close-betting")
    cards = [card("9H"), card("2D")]
    here.do("report-irregularity", situation="cards-together", cards=cards, order_known=True)
    assert here.view["phase"]["case"]["waits"] == "permission"
    shift = visit(None, at=house, post="shift-manager")
    Table(shift, "permitted").staffed(post="shift-manager")
    pit = pit_at(visit, house, "permitted").on_duty()
    decision = pit.panel("Irregularity under way")
    decision.get_by_role("button", name="Allow", exact=True).click()
    dialog = pit.page.get_by_role("dialog", name="Shift Manager: approval")
    dialog.wait_for()
    assert here.view["phase"]["case"]["waits"] == "permission", "a pit manager alone cannot"
    approve(pit.screen, "Shift Manager")
    case = pit.panel("Irregularity under way")
    case.get_by_role("heading", name="Patrons may withdraw single wagers").wait_for()
    case.get_by_role("button", name="End the offer").click()
    case.wait_for(state="detached")


# running a table


def test_a_table_is_opened_paused_and_closed(visit: Visit, house: Server) -> None:
    pit = pit_at(visit, house, "opened").on_duty()
    running = pit.panel("Running the table")
    opens = running.get_by_role("button", name="Open the table")
    assert opens.is_disabled(), "the equipment is checked first"
    items = running.locator(".equipment").get_by_role("button")
    for name in items.all_inner_texts():
        item = items.filter(has_text=re.compile(f"^{re.escape(name)}$"))
        item.click()
        item.wait_for(state="detached")
    opens.click()
    running.get_by_role("button", name="Pause").click()
    pit.asked("Pause", Reason="a spilled drink")
    pit.table.get_by_text("Paused: a spilled drink").wait_for()
    running.get_by_role("button", name="Resume").click()
    running.get_by_role("button", name="Pause").wait_for()
    running.get_by_role("button", name="Close the table").click()
    pit.asked("Close the table", Reason="end of the shift")
    opens.wait_for()


def test_method_wagers_per_area_and_squeezing_are_changed_by_clause(
    visit: Visit, house: Server, dealing: Screen
) -> None:
    here = dealt(dealing, "run", "Ann")
    pit = pit_at(visit, house, "run").on_duty()
    running = pit.panel("Running the table")
    method = running.get_by_role("group", name="Method")
    assert method.get_by_role("button", pressed=True).inner_text().startswith("B")
    method.get_by_role("button", name=re.compile("^A")).click()
    pit.screen.until(lambda: method.get_by_role("button", pressed=True).inner_text().startswith("A"))
    owners = running.get_by_role("group", name="Patrons per area")
    owners.get_by_role("button", name="2", exact=True).click()
    pit.screen.until(lambda: owners.get_by_role("button", pressed=True).inner_text() == "2")
    assert running.get_by_text("Pit Manager").count() >= 3, "who may"
    assert running.get_by_text("§\u200a3.9").first.is_visible(), "and by which clause"
    running.get_by_role("button", name="Permit squeezing").click()
    pit.asked("Permit squeezing", Patron="Ann")
    pit.screen.until(lambda: here.view["desk"]["squeeze_permitted"] == ["Ann"])
    view = here.view
    assert (view["phase"]["method"], view["setup"]["owners_per_area"]) == ("A", 2)
    here.do("open-betting")
    owners.get_by_role("button", name="1", exact=True).click()
    pit.screen.until(lambda: owners.get_by_role("button", pressed=True).inner_text() == "1")
    here.wagers(Ann={"player": 100})
    here.do("close-betting")
    owners.get_by_role("button", name="2", exact=True).click()
    pit.screen.page.get_by_role("alert").first.wait_for()
    assert here.view["setup"]["owners_per_area"] == 1, "not once wagers are closed"


def test_a_differential_is_met_in_the_pit(visit: Visit, house: Server, dealing: Screen) -> None:
    here = dealt(dealing, "uneven", "Ann", "Bob")
    here.do("open-betting")
    here.wagers(Ann={"player": 3000}, Bob={"banker": 500})
    here.do("close-betting")
    pit = pit_at(visit, house, "uneven").on_duty()
    on_table = pit.panel("On the table")
    gap = on_table.get_by_role("alert")
    assert "heavier: Player" in gap.inner_text()
    assert "2,500 / 1,000" in " ".join(gap.inner_text().split())
    gap.get_by_role("button", name="Ask to decrease").click()
    pit.done()
    gap.get_by_text("Not answered yet: Ann.").wait_for()
    gap.get_by_role("button", name="Time is up").click()
    gap.get_by_text("Not answered yet").wait_for(state="detached")
    gap.get_by_role("button", name="Remove a wager").click()
    pit.asked("Remove a wager", Amount="1500")
    gap.wait_for(state="detached")
    totals = {each["wager"]: each["stake"] for each in here.view["totals"]["totals"]}
    assert totals == {"player": 150_000, "banker": 50_000}


def test_people_come_go_and_act_in_a_post(visit: Visit, house: Server, dealing: Screen) -> None:
    here = dealt(dealing, "staffed", "Ann")
    pit = pit_at(visit, house, "staffed").on_duty()
    people = pit.panel("People")
    people.get_by_role("button", name="Appoint somebody to act").click()
    pit.asked("Appoint somebody to act", Person="Dealer", Post="Pit Supervisor")
    acting = people.get_by_role("listitem").filter(has_text="acting as Pit Supervisor")
    acting.get_by_text("Dealer").wait_for()
    assert [each["person"] for each in here.view["people"]["acting"]] == ["dealer"]
    dealer = people.get_by_role("listitem").filter(has_text="Dealer").first
    dealer.get_by_role("button", name="Take off duty").click()
    pit.screen.until(lambda: [each["person"] for each in here.view["people"]["staff"]] == ["pit-manager"])
    people.get_by_role("button", name="Go off duty").click()
    people.get_by_text("Nobody is on duty.").wait_for()
    pit.table.get_by_text("You are not on duty at this table.").wait_for()


def test_limits_are_proposed_by_one_and_approved_by_another(visit: Visit, house: Server) -> None:
    pit = pit_at(visit, house, "limited")
    limits = pit.panel("Running the table")
    limits.get_by_role("listitem").filter(has_text="Tie").get_by_text("500").first.wait_for()
    limits.get_by_role("button", name="Propose a change").click()
    pit.asked("Change limited", **{"Tie: maximum": "800"})
    pit.done()
    assert "800" not in limits.inner_text(), "a second person is needed"
    behind = pit.page.get_by_role("button", name="The floor")
    behind.get_by_text("1 waiting").wait_for()
    behind.click()
    waits = pit.panel("Changes waiting for a second person")
    waits.get_by_text("Tie: 10–500 → 10–800").wait_for()
    waits.get_by_role("button", name="Approve").click()
    approve(pit.screen, "Assistant Casino Manager")
    waits.get_by_text("No changes are waiting.").wait_for()
    house.move(OTHERS_FIRST)  # then the table sets itself up anew
    pit.page.get_by_role("navigation").get_by_role("button", name="limited").click()
    pit.panel("Running the table").get_by_text("800").first.wait_for()


# the floor behind the tables


def test_a_person_is_added_locked_and_unlocked_by_two(visit: Visit, house: Server) -> None:
    pit = Pit(visit("/pit?floor", at=house, post="gaming-shift-manager"))
    staff = pit.panel("Staff")
    staff.get_by_role("button", name="Add a person").click()
    dialog = pit.page.get_by_role("dialog", name="Add a person", exact=True)
    dialog.get_by_label("Person", exact=True).fill("Kim")
    send = dialog.locator("footer").get_by_role("button").last
    dialog.get_by_label("First password").fill("short")
    assert send.is_disabled(), "nobody is added without a post"
    dialog.get_by_label("Pit Manager", exact=True).check()
    send.click()
    pit.screen.expect_error("422")  # the password
    asked_for(pit.screen).get_by_text("Add a person: Kim (Pit Manager)").wait_for()
    approve(pit.screen, "Pit Manager")
    pit.screen.says("A password has 10 to 128 characters")
    dialog.get_by_label("First password").fill("correct horse battery staple")  # all else is still there
    house.move(A_CODE)
    send.click()
    approve(pit.screen, "Pit Manager")
    dialog.wait_for(state="hidden")
    factor = pit.page.get_by_role("dialog", name="Second factor of Kim", exact=True)
    factor.get_by_role("img", name="QR code of the second factor").wait_for()
    secret = factor.locator(".secret").inner_text()
    assert re.fullmatch("[A-Z2-7]{32}", secret), secret
    factor.get_by_role("button", name="Close").first.click()
    kim = staff.locator(".line").filter(has_text="Kim")
    kim.get_by_role("button", name="Lock", exact=True).click()
    pit.asked("Lock Kim", Reason="left the house")
    kim.get_by_text("locked: left the house").wait_for()
    kim.get_by_role("button", name="Unlock").click()
    approve(pit.screen, "Assistant Casino Manager")
    kim.get_by_role("button", name="Lock", exact=True).wait_for()


def test_only_somebody_in_a_highest_post_is_offered_to_change_who_can_sign_in(
    visit: Visit, house: Server
) -> None:
    """A Pit Manager reads who changes it, and can lock somebody."""
    staff = Pit(visit("/pit?floor", at=house, post="pit-manager")).panel("Staff")
    staff.get_by_text("by somebody in a highest post and a second person").wait_for()
    staff.get_by_role("button", name="Lock").first.wait_for()
    assert set(staff.get_by_role("button").all_inner_texts()) == {"Lock"}


@pytest.mark.timed
def test_a_patron_at_a_terminal_buys_in_and_is_cashed_out(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "terminals", 1).sit(buys=None)
    pit_at(visit, house, "terminals").on_duty()
    pit = Pit(visit("/pit?floor", at=house, post="pit-manager"))
    line = pit.panel("Terminals").get_by_text(patron.name).locator("xpath=ancestor::*[.//button][1]")
    line.get_by_role("button", name="Buy-in").click()
    pit.asked("Buy-in", Amount="500")
    receipt = pit.page.get_by_role("dialog", name="Receipt")
    receipt.get_by_text("500").first.wait_for()
    pit.page.keyboard.press("Escape")
    patron.screen.until(lambda: "500" in patron.credits)
    line.get_by_role("button", name="Cash-out").click()
    pit.asked("Cash-out", Amount="500")
    asked = patron.page.get_by_role("dialog", name="Staff cash out your credits")
    asked.get_by_text("500").first.wait_for()
    assert "500" in patron.credits
    asked.get_by_role("button", name="Confirm").click()
    patron.screen.until(lambda: "500" not in patron.credits)


def test_money_waits_for_the_currency_of_its_table(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "terminals", 2).sit(buys=None)
    screen = visit(None, at=house, post="pit-manager")
    held = Held(screen, "lobby")
    pit = Pit(screen.open("/pit?floor"))
    line = pit.panel("Terminals").get_by_text(patron.name).locator("xpath=ancestor::*[.//button][1]")
    buy_in = line.get_by_role("button", name="Buy-in")
    buy_in.wait_for()
    screen.until(lambda: bool(held.frames))
    assert buy_in.is_disabled()
    held.release()
    screen.until(buy_in.is_enabled)


def test_a_table_is_disabled_and_enabled_again(visit: Visit, house: Server) -> None:
    display = visit("/display?table=terminals", at=house)
    pit = Pit(visit("/pit?floor", at=house, post="pit-manager"))
    disabled = pit.panel("Disabled")
    disabled.get_by_role("button", name="Disable a table").click()
    pit.asked("Disable a table", Table="terminals", Reason="the printer is open")
    disabled.get_by_text("the printer is open").wait_for()
    pit.page.get_by_role("button", name="terminals").click()
    pit.table.get_by_text("No new round begins: the printer is open").wait_for()
    assert display.page.get_by_text("the printer is open").count() == 0, "the reason is for staff"
    pit.page.get_by_role("button", name="The floor").click()
    disabled.get_by_role("button", name="Enable").click()
    disabled.get_by_text("Nothing is disabled.").wait_for()


# how it is


@pytest.mark.parametrize(("path", "shown"), STATES.items())
def test_every_state_fits_and_can_be_touched_and_read(
    visit: Visit, house: Server, path: str, shown: str
) -> None:
    screen = visit(path, at=house, post="pit-manager", size=WIDTHS["phone"])
    screen.says(shown)
    for size, room in (("phone", "light"), ("tablet", "dim"), ("wall", "light")):
        assert screen.turned(size, room).flaws() == [], size


def test_on_a_phone_a_table_has_the_screen_and_leads_back(visit: Visit, house: Server) -> None:
    pit = Pit(visit("/pit", at=house, post="pit-manager", size=WIDTHS["phone"], language="zh-Hans"))
    tiles = pit.page.get_by_role("region", name="赌桌").get_by_role("button")
    tiles.filter(has_text="glance").click()
    pit.table.get_by_role("heading", name="glance").wait_for()
    assert not pit.screen.overflows()
    pit.page.get_by_role("button", name="所有赌桌").click()
    tiles.first.wait_for()


# chips and cash


def counted(pit: Pit, title: str, second: str, pieces: dict[str, str], sums: str) -> None:
    """Count pieces by their values, see what they come to, and have a second person stand for it."""
    pit.panel("Chips and cash").get_by_role("button", name=title, exact=True).click()
    dialog = pit.page.get_by_role("dialog", name=title, exact=True)
    for value, number in pieces.items():
        dialog.get_by_label(f"{value} each", exact=True).fill(number)
    dialog.get_by_text(sums).wait_for()
    dialog.get_by_role("button", name=title, exact=True).click()
    approve(pit.screen, second)
    dialog.wait_for(state="hidden")


def test_chips_and_cash_of_a_day_are_counted_by_two(visit: Visit, house: Server, dealing: Screen) -> None:
    here = dealt(dealing, "chips", "Ann")
    pit = pit_at(visit, house, "chips").on_duty()
    chips = pit.panel("Chips and cash")
    chips.get_by_text("The opener of this table is not counted yet.").wait_for()
    counted(pit, "Count the opener", "Dealer", {"100": "50", "25": "200"}, "10,000.00")
    counted(pit, "Bring chips", "Dealer", {"500": "20"}, "10,000.00")
    chips.get_by_role("button", name="Sell chips").click()
    pit.asked("Sell chips", Patron="Ann", Amount="1000")
    here.do("open-betting")
    here.wagers(Ann={"player": 200})
    exposure = pit.panel("The house stands to lose")
    exposure.get_by_text("200").first.wait_for()
    here.do("close-betting")
    here.draws("9H 2D KS 5C")
    here.do("call-outcome", winner="player")
    exposure.wait_for(state="detached")
    counted(pit, "Count the closer", "Dealer", {"1,000": "18", "100": "7"}, "18,700.00")
    day = chips.get_by_role("region", name="Inventory 1")
    day.get_by_text("Difference").wait_for()
    told = " ".join(day.inner_text().split())
    assert "Must lie in the tray 18,800" in told, told
    assert "Difference −100" in told, told
    pit.table.get_by_text("The closer on slip 4 is not what must lie in the tray.").wait_for()

    # the slip prints, and nothing else does
    slips = chips.get_by_role("list", name="Slips").get_by_role("listitem")
    assert slips.count() == 4
    slips.first.get_by_role("button", name="Print").click()
    dialog = pit.page.get_by_role("dialog", name="Closer")
    dialog.get_by_text("18,700").first.wait_for()
    pit.page.emulate_media(media="print")
    assert "chips · Slip 4 · Closer" in pit.page.locator(".slip").inner_text()
    assert pit.page.locator(".slip table").is_visible()
    assert not pit.page.locator("dialog footer button").first.is_visible()
    assert not pit.page.locator("article h2").first.is_visible()
    pit.page.emulate_media(media="screen")
    pit.page.evaluate("window.print = () => { window.printed = true }")
    dialog.get_by_role("button", name="Print").click()
    pit.screen.until(lambda: pit.page.evaluate("window.printed === true"))

    # the cash is counted by two who were not on duty there
    other = pit_at(visit, house, "chips", post="gaming-shift-manager")
    counted(other, "Count the drop box", "Assistant Casino Manager", {"100": "10"}, "1,000.00")
    other.panel("Chips and cash").get_by_text("waits to be counted").wait_for(state="detached")
    (day_of,) = here.view["chips"]["inventories"]
    assert (day_of["drop"], day_of["win"], day_of["difference"]) == (100_000, -30_000, -10_000)
    assert "gaming-shift-manager" not in here.view["people"]["on_duty"]
