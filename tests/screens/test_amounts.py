"""Amounts and numbers typed for real wherever a screen takes one: read exactly, or refused and said."""

import re
from typing import Any

from playwright.sync_api import Locator
from screens.browser import WIDTHS, Screen
from screens.conftest import Visit
from screens.dealing import Dealer, Table, dealer_at, felt
from screens.disputing import regard
from screens.floors import GAMES, table
from screens.patrons import Patron
from server.served import Server

NO_AMOUNT = "That is not an amount. Type it like 1500 or 1500.50."
TWO_WAYS = "A comma, a space or a second point can be read in two ways. Type it like 1500 or 1500.50."
REFUSED = {
    "abc": NO_AMOUNT,
    "1e3": NO_AMOUNT,
    "0x10": NO_AMOUNT,
    "１００": NO_AMOUNT,
    "1 000": TWO_WAYS,
    "1,50": TWO_WAYS,
    "1,000": TWO_WAYS,
    "1.000,50": TWO_WAYS,
    "1.000": "{currency} has 2 decimals at most. Type it like 1500 or 1500.50.",
    "050": "A zero in front can be read in two ways. Type it like 1500 or 1500.50.",
    "-5": "An amount has no sign. Type it like 1500 or 1500.50.",
    "5.": "A digit is missing beside the point. Type it like 1500 or 1500.50.",
    "1000000000000": "That is too much. Type at most 999999999999.99.",
}
FELT = {
    "award": GAMES["hoiana-tiger"],
    "felt": GAMES["tiger"],
    "paid": GAMES["tiger"],
    "limits": GAMES["tiger-nc"],
    "cut": GAMES["hoiana-tiger"],
}


TABLES = (
    "".join(felt(name, game) for name, game in FELT.items())
    + felt("uneven", GAMES["tiger"], 'differential = "1000"')
    + table("credits", GAMES["super-six"])
)


def said(field: Locator) -> str:
    """The words under a field: how it was understood, what is wrong, or how to type."""
    found: str = field.evaluate(
        "each => document.getElementById(each.getAttribute('aria-describedby')).innerText"
    )
    return found.replace("\u00a0", " ")


def refuses(field: Locator, *buttons: Locator, currency: str = "SGD") -> None:
    """Type what is no amount, again and again: it is said, and no button sends it."""
    for text, why in REFUSED.items():
        field.fill(text)
        assert said(field) == why.format(currency=currency), text
        assert field.get_attribute("aria-invalid") == "true", text
        assert all(button.is_disabled() for button in buttons), text
        field.press("Enter")
        assert field.input_value() == text, "it stays, to be put right"
    field.fill("")
    assert said(field) == "Type it like 1500 or 1500.50."
    assert all(button.is_disabled() for button in buttons)


def recorded(auditor: Screen, stream: str, kind: str) -> list[Any]:
    """The commands of a kind that were sent to a table, the newest first, as an auditor reads them."""
    found = auditor.ask(f"/audit/{stream}/records?before=0", "staff")["records"]
    return [each["command"] for each in found if each["kind"] == kind]


def sequence(screen: Screen, name: str) -> int:
    """How many records a table has."""
    found: int = screen.ask(f"/tables/{name}", "staff")["sequence"]
    return found


def table_of_dealer(visit: Visit, house: Server, name: str) -> Table:
    """A table with a dealer on duty who has no console."""
    return Table(visit(None, at=house, post="dealer"), name).staffed()


# the pit


def test_award_is_recorded_exactly_or_not_at_all(visit: Visit, house: Server) -> None:
    table_of_dealer(visit, house, "award").opened().seated("Ann").do(
        "open-dispute", patron="Ann", about="slow"
    )
    auditor = visit(None, at=house, post="auditor")
    pit = visit("/pit?table=award", at=house, post="pit-supervisor")
    pit.button("Come on duty").click()
    one = pit.page.get_by_role("region", name="Dispute 1 of Ann")
    one.get_by_role("button", name="Decide").click()
    dialog = pit.page.get_by_role("dialog", name="Decide")
    dialog.get_by_label("Decision").fill("Half of it as a courtesy")
    regard(dialog)
    award, decides = dialog.get_by_label("Award (USD)"), dialog.get_by_role("button", name="Decide")
    assert said(award) == "= USD 0.00", "no award, unless somebody types one"
    before = sequence(auditor, "award")
    refuses(award, decides, currency="USD")
    assert sequence(auditor, "award") == before, "nothing was recorded"
    award.fill("1500.5")
    assert said(award) == "= USD 1,500.50"
    assert award.get_attribute("aria-invalid") is None
    decides.click()
    one.get_by_text("Half of it as a courtesy").wait_for()
    assert [each["award"] for each in recorded(auditor, "award", "decide-dispute")] == [150_050]


def test_buy_in_of_an_attendant_is_recorded_exactly_or_not_at_all(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "credits", 1).sit(buys=None)
    Table(visit(None, at=house, post="pit-manager"), "credits").staffed(post="pit-manager")
    pit = visit("/pit?floor", at=house, post="pit-manager")
    line = pit.page.get_by_text(patron.name).locator("xpath=ancestor::*[.//button][1]")
    line.get_by_role("button", name="Buy-in").click()
    dialog = pit.page.get_by_role("dialog", name="Buy-in")
    amount, buys = dialog.get_by_label("Amount"), dialog.get_by_role("button", name="Buy-in")
    refuses(amount, buys)
    amount.fill("0")
    assert said(amount) == "Type an amount above zero."
    assert buys.is_disabled()
    assert patron.own()["credits"] in (0, None), "nothing was recorded"
    amount.fill("1500.05")
    assert said(amount) == "= SGD 1,500.05"
    buys.click()
    pit.page.get_by_role("dialog", name="Receipt").wait_for()
    assert patron.own()["credits"] == 150_005


def test_limits_are_proposed_exactly_or_not_at_all(visit: Visit, house: Server) -> None:
    pit = visit("/pit?table=limits", at=house, post="pit-manager")
    before = proposals(pit)
    pit.button("Propose a change").click()
    dialog = pit.page.get_by_role("dialog", name="Change limits")
    most, proposes = (
        dialog.get_by_label("Tie: maximum", exact=True),
        dialog.get_by_role("button", name="Propose a change"),
    )
    assert (most.input_value(), said(most)) == ("500", "= SGD 500.00")
    refuses(most, proposes)
    most.fill("1250.50")
    assert said(most) == "= SGD 1,250.50"
    decks = dialog.get_by_label("Decks")
    for text in ("8.0", "1e1", "０", "08", "21", "-8", "eight"):
        decks.fill(text)
        assert said(decks) == "Type a whole number from 4 to 10.", text
        assert proposes.is_disabled(), text
    assert proposals(pit) == before, "nothing was proposed"
    decks.fill("6")
    proposes.click()
    pit.says("Done and recorded.")
    [proposal] = proposals(pit)
    setup = proposal["definition"]["setup"]
    assert setup["decks"] == 6
    assert {each["wager"]: each["maximum"] for each in setup["limits"]}["tie"] == 125_050


def proposals(screen: Screen) -> Any:
    """The proposals that wait on the floor."""
    return screen.ask("/floor", "staff")["proposals"]


# the terminal


def test_buy_in_at_a_terminal_is_recorded_exactly_or_not_at_all(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "credits", 2).sit(buys=None)
    patron.page.get_by_role("button", name=re.compile("^Credits")).click()
    amount = patron.screen.field("Another amount")
    buys = patron.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Buy"))
    refuses(amount, buys)
    assert patron.own()["credits"] in (0, None), "nothing was recorded"
    amount.fill("1500.50")
    assert said(amount) == "= SGD 1,500.50"
    buys.click()
    patron.screen.says("SGD 1,500.50 added")
    assert patron.own()["credits"] == 150_050
    patron.page.get_by_role("button", name=re.compile("^Credits")).click()
    out = patron.screen.field("Amount to cash out")
    cashes = patron.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Cash out(?! every)"))
    refuses(out, cashes)
    out.fill("2000")
    cashes.click()
    patron.screen.until(lambda: out.get_attribute("aria-invalid") == "true")
    assert "credits" in said(out), "the server says why"
    out.fill("0.50")
    assert said(out) == "= SGD 0.50"
    cashes.click()
    patron.screen.says("SGD 0.50 cashed out")
    assert patron.own()["credits"] == 150_000


# the dealer


def felt_says(dealer: Dealer, text: str) -> None:
    """Wait until the entry below the felt says something of what is typed."""
    dealer.page.get_by_text(text, exact=True).first.wait_for()


def test_wager_on_the_felt_is_recorded_exactly_or_not_at_all(visit: Visit, house: Server) -> None:
    dealer = dealer_at(visit, house, "felt")
    dealer.table.opened().seated("Ann")
    dealer.next("Open betting")
    dealer.shows("No more bets")
    dealer.cell("Ann", "Player").click()
    before = sequence(dealer.screen, "felt")
    # a letter chooses a kind of wager before anything is typed, a minus takes chips off, no key is full-width
    for text, why in REFUSED.items():
        if text in ("abc", "-5", "１００"):
            continue
        dealer.types(text)
        felt_says(dealer, why.format(currency="SGD"))
        assert dealer.screen.button("Place").is_disabled(), text
        assert dealer.screen.button("Take off").is_disabled(), text
        dealer.press("Enter")
        assert text in dealer.cell("Ann", "Player").inner_text(), "it stays, to be put right"
        dealer.press("Escape")
    view = dealer.table.view
    assert (view["wagers"]["lying"], view["phase"]["phase"]) == ([], "betting")
    assert sequence(dealer.screen, "felt") == before, "nothing was recorded"
    dealer.types("150.5")
    felt_says(dealer, "= SGD\u00a0150.50")
    dealer.press("Enter")
    dealer.screen.until(lambda: [each["stake"] for each in dealer.table.view["wagers"]["lying"]] == [15_050])
    dealer.cell("Ann", "Player").click()
    dealer.types("-50.50")
    felt_says(dealer, "= SGD\u00a050.50 · Take off")
    dealer.press("Enter")
    dealer.screen.until(lambda: [each["stake"] for each in dealer.table.view["wagers"]["lying"]] == [10_000])


def test_wrong_payment_is_reported_exactly_or_not_at_all(visit: Visit, house: Server) -> None:
    dealer = dealer_at(visit, house, "paid")
    dealer.table.opened().seated("Ann")
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 100})
    dealer.table.do("close-betting")
    dealer.table.draws("9H 2D KS 5C").do("call-outcome", winner="player")
    dealer.settlement()  # the console is up and shows it
    dialog = dealer.wrong("wrong payment")
    dialog.get_by_text("Are chips of this round still being taken and paid?").wait_for()
    dealer.press("n")
    dialog.get_by_role("button", name="Ann").click()
    amount, on = dialog.get_by_role("textbox", name="SGD"), dialog.get_by_role("button", name="Go on")
    before = sequence(dealer.screen, "paid")
    refuses(amount, on)
    assert sequence(dealer.screen, "paid") == before, "nothing was recorded"
    amount.fill("12.5")
    assert said(amount) == "= SGD 12.50"
    on.click()
    dialog.get_by_role("button", name="no").click()
    dialog.get_by_role("button", name="Report").click()
    dealer.approves("Pit Supervisor")
    dialog.wait_for(state="hidden")
    auditor = visit(None, at=house, post="auditor")
    # the second person is asked for before anything is sent
    assert [each["amount"] for each in recorded(auditor, "paid", "report-irregularity")] == [1_250]


def test_wager_is_taken_off_exactly_or_not_at_all(visit: Visit, house: Server) -> None:
    dealer = dealer_at(visit, house, "uneven")
    dealer.table.opened().seated("Ann", "Bob")
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 3000}, Bob={"banker": 500})
    dealer.next("Close betting")
    dealer.next("Ask Player to decrease")
    dealer.step.get_by_role("button", name="Time is up").click()
    off = dealer.step.get_by_label("1 Ann")
    takes = dealer.step.get_by_role("button", name="Take off")
    off.wait_for()
    assert (off.input_value(), said(off)) == ("3000", "= SGD 3,000.00"), (
        "the whole wager, unless somebody types"
    )
    before = sequence(dealer.screen, "uneven")
    refuses(off, takes)
    assert sequence(dealer.screen, "uneven") == before, "nothing was recorded"
    off.fill("1500.50")
    assert said(off) == "= SGD 1,500.50"
    takes.click()
    dealer.approves("Pit Manager")
    dealer.page.get_by_label("Card to Player").wait_for()
    totals = {each["wager"]: each["stake"] for each in dealer.table.view["totals"]["totals"]}
    assert totals == {"player": 149_950, "banker": 50_000}


def test_cut_is_recorded_exactly_or_not_at_all(visit: Visit, house: Server) -> None:
    dealer = dealer_at(visit, house, "cut")
    dealer.table.opened(cut=False, burn=False)
    depth, cuts = dealer.screen.field("Where the cards are cut (1 to 415)"), dealer.screen.button("Cut")
    before = sequence(dealer.screen, "cut")
    for text in ("abc", "0", "416", "1e2", "1.0", "1,0", "1 0", "020", "-1", "１"):
        depth.fill(text)
        assert said(depth) == "Type a whole number from 1 to 415.", text
        assert cuts.is_disabled(), text
        depth.press("Enter")
    assert sequence(dealer.screen, "cut") == before, "nothing was recorded"
    depth.fill("200")
    cuts.click()
    dealer.screen.until(lambda: dealer.table.view["shoe"]["cut"] == 200)


# how it is


def test_it_is_said_in_chinese_and_fits_a_phone(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "credits", 3, size=WIDTHS["phone"], language="zh-Hans", touch=True).comes()
    patron.screen.button("入座").click()
    patron.page.get_by_role("button", name=re.compile("^余额")).click()
    amount = patron.screen.field("其他金额")
    buys = patron.page.get_by_role("dialog").get_by_role("button", name=re.compile("^购买"))
    for text, expected in {
        "1,50": "逗号、空格或第二个小数点可能有两种含义。请按 1500 或 1500.50 的格式输入。",
        "1.000": "SGD 最多 2 位小数。请按 1500 或 1500.50 的格式输入。",
        "1500": "= SGD 1,500.00",
    }.items():
        amount.fill(text)
        assert said(amount) == expected
        assert buys.is_enabled() == (text == "1500")
        assert not patron.screen.overflows(), text
        assert patron.screen.too_small() == [], text
        assert patron.screen.grave_findings() == [], text
