"""The records: an auditor finds rounds, replays them, proves the journal, and takes a dossier away."""

import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from limits import LONG_ENOUGH
from playwright.sync_api import Browser, Locator
from screens.browser import WIDTHS, Screen
from screens.conftest import Visit
from screens.dealing import Table, felt
from screens.floors import GAMES, demonstration
from screens.visits import Sessions
from server.served import Server

# each part, with something in it that only the server knows
PARTS = {
    "Rounds": "Player wins 9 to 7.",
    "Search": "Ann, Bob",
    "Incidents": "Dispute 1 of Bob",
    "People": "Choose a person",
    "Journal": "Opened a dispute",
    "Proof": "Verify everything",
    "Meters": "Patrons and terminals",
    "Reports": "First gaming day",
}
VOID = "a card with a blue back"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, browser: Browser, sessions: Sessions) -> Iterator[Server]:
    """A floor after four rounds: Player, a tie, one void for a foreign card, and a disputed Banker."""
    tables = felt("felt", GAMES["tiger"]) + felt("under-way", GAMES["hoiana-tiger"])
    server = demonstration(tmp_path_factory.mktemp("records"), tables)
    dealer = Screen(browser.new_context(storage_state=sessions(server, "dealer")), server.address)
    manager = Screen(browser.new_context(storage_state=sessions(server, "pit-manager")), server.address)
    server.move(1)  # so that signing in came before everything else
    evening(Table(dealer, "felt"), Table(manager, "felt"))
    began = Table(dealer, "under-way").staffed().opened().seated("Cy")
    began.do("open-betting")
    began.wagers(Cy={"player": 200})
    began.do("close-betting")
    began.draws("9H 2D")
    for screen in (dealer, manager):
        screen.context.close()
    yield server
    server.kill()


def evening(table: Table, pit: Table) -> None:
    """Four rounds at a felt table."""
    table.staffed().opened().seated("Ann", "Bob")
    pit.staffed(post="pit-manager")
    table.do("open-betting")
    table.wagers(Ann={"player": 200}, Bob={"banker": 100, "tie": 20})
    table.do("close-betting")
    table.draws("9H 2D KS 5C")
    table.do("call-outcome", winner="player")
    table.do("open-betting")
    table.wagers(Ann={"banker": 50})
    table.do("close-betting")
    table.draws("8H 8D KS KC")
    table.do("call-outcome", winner="tie")
    table.do("open-betting")
    table.wagers(Bob={"player": 300})
    table.do("close-betting")
    table.draws("9H 2D")
    table.do("report-irregularity", situation="foreign-card", note=VOID)
    assert table.send("confirm-facts")["type"] == "refused", "a dealer cannot"
    pit.do("confirm-facts")
    pit.do("choose-cards", replace=False)
    table.do("open-betting")
    table.wagers(Bob={"banker": 100})
    table.do("close-betting")
    table.draws("2H 9D KS KC")
    table.do("call-outcome", winner="banker")
    pit.do("open-dispute", patron="Bob", about="I said Player", round=4)


def auditor(visit: Visit, house: Server, query: str = "table=felt", **how: object) -> Screen:
    """An auditor at the records."""
    return visit(f"/records?{query}", at=house, post="auditor", **how)


def found(screen: Screen) -> Locator:
    """The rounds in the list."""
    return screen.page.get_by_role("region", name="Rounds").get_by_role("listitem")


def numbers(screen: Screen) -> list[int]:
    """The numbers of the rounds in the list."""
    return [int(text.split()[0]) for text in found(screen).all_inner_texts()]


def part(screen: Screen, name: str) -> Locator:
    """Turn to a part of the records."""
    screen.page.get_by_role("navigation", name="Records").get_by_role("button", name=name).click()
    return screen.page.get_by_role("region", name=name, exact=True)


# rounds


def test_rounds_are_found_by_what_happened_in_them(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    screen.until(lambda: numbers(screen) == [4, 3, 2, 1])
    screen.field("Outcome").select_option("Tie")
    screen.until(lambda: numbers(screen) == [2])
    screen.field("Outcome").select_option("Banker wins")
    screen.until(lambda: numbers(screen) == [4])
    screen.field("Outcome").select_option("Any outcome")
    screen.button("Something went wrong").click()
    screen.until(lambda: numbers(screen) == [3])
    assert "Foreign card" in found(screen).inner_text()
    assert "Void" in found(screen).inner_text()
    screen.button("Something went wrong").click()
    screen.button("Void").click()
    screen.until(lambda: numbers(screen) == [3])
    screen.button("Void").click()
    screen.button("Disputed").click()
    screen.until(lambda: numbers(screen) == [4])
    screen.button("Disputed").click()
    screen.field("Patron").fill("Ann")
    screen.button("Find").click()
    screen.until(lambda: numbers(screen) == [2, 1])
    screen.field("Patron").fill("")
    screen.page.keyboard.press("Enter")
    screen.until(lambda: numbers(screen) == [4, 3, 2, 1])
    screen.field("Irregularity").select_option("Foreign card")
    screen.until(lambda: numbers(screen) == [3])
    screen.field("Irregularity").select_option("Wrong result called")
    screen.says("No round matches. Try fewer conditions.")


def test_another_table_has_other_rounds(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    screen.until(lambda: numbers(screen) == [4, 3, 2, 1])
    screen.field("Table").select_option("under-way")
    screen.until(lambda: numbers(screen) == [1])
    screen.says("Under way")
    screen.expect_error("409")
    found(screen).get_by_role("button").click()
    screen.says("Round 1 is not over")


def test_a_round_is_replayed_card_by_card_with_clause_and_person(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house, "table=felt&part=rounds&round=1")
    screen.heading("Round 1").wait_for()
    screen.says("Player wins 9 to 7.")
    replay = screen.page.get_by_role("group", name="Replay")
    replay.get_by_role("button", name="To the first step").click()
    cards = screen.page.get_by_role("region", name="Round 1").get_by_role("img")
    assert cards.count() == 0
    seen = [[*cards.evaluate_all("all => all.map(each => each.getAttribute('aria-label'))")]]
    on = replay.get_by_role("button", name="One step on")
    while on.is_enabled():
        on.click()
        now = cards.evaluate_all("all => all.map(each => each.getAttribute('aria-label'))")
        if now != seen[-1]:
            seen.append(now)
    assert [len(each) for each in seen] == [0, 1, 2, 3, 4], "a card at a time"
    assert seen[-1] == ["nine of hearts", "king of spades", "two of diamonds", "five of clubs"]
    steps = screen.page.get_by_role("region", name="Round 1").get_by_role("listitem")
    last = steps.last.inner_text()
    assert "dealer (Dealer)" in last, last
    assert "Ann wins 200.00 on Player" in last, last
    assert "§\u200a" in last, "no money without a clause"
    row = screen.page.get_by_role("row").filter(has_text="Bob").filter(has_text="Tie")
    assert "20" in row.inner_text()
    assert "lost" in row.inner_text().lower()


def test_a_round_plays_by_itself_and_stops_at_its_end(visit: Visit, house: Server) -> None:
    screen = visit(None, at=house, post="auditor")
    screen.page.clock.install()
    screen.open("/records?table=felt&part=rounds&round=3").button("Play").click()
    screen.button("Stop").wait_for()
    slider = screen.field("Step")

    def at_the_end() -> bool:
        screen.page.clock.run_for(1_000)
        return slider.input_value() == slider.get_attribute("max")

    assert not at_the_end()
    screen.until(at_the_end)
    screen.button("Play").wait_for()
    screen.says("Void")


def test_a_round_tells_who_ruled_and_what_was_refused(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house, "table=felt&part=rounds&round=3")
    steps = screen.page.get_by_role("region", name="Round 3").get_by_role("listitem")
    steps.first.wait_for()
    told = steps.all_inner_texts()
    assert any("pit-manager (Pit Manager)" in each for each in told), told
    assert any(VOID in each for each in told), told
    refused = [each for each in told if "Refused" in each]
    assert len(refused) == 1, told
    assert "dealer (Dealer)" in refused[0]


def test_a_dossier_is_taken_away_and_proves_itself(visit: Visit, house: Server, tmp_path: Path) -> None:
    screen = auditor(visit, house, "table=felt&part=rounds&round=4")
    screen.says("I said Player")
    with screen.page.expect_download() as download:
        screen.link("Dossier").click()
    assert download.value.suggested_filename == "felt-round-4.zip"
    taken = tmp_path / "dossier.zip"
    download.value.save_as(taken)
    with zipfile.ZipFile(taken) as dossier:
        files = ("README.txt", "round.html", "round.json", "records.jsonl", "verifier.py")
        assert {f"felt-round-4/{name}" for name in files} <= {*dossier.namelist()}
        page = dossier.read("felt-round-4/round.html").decode()
        dossier.extractall(tmp_path)
    assert "I said Player" in page
    assert "Banker" in page
    asked = verified(tmp_path / "felt-round-4")
    key = re.search("Whether ([0-9a-f]{64}) is a key of the house", asked.stdout)
    assert asked.returncode == 1, asked.stdout
    assert key is not None, asked.stdout
    checked = verified(tmp_path / "felt-round-4", "--key", key[1])
    assert checked.returncode == 0, checked.stdout + checked.stderr


def verified(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Have the verifier of a dossier look at it."""
    program = [sys.executable, "-I", str(folder / "verifier.py"), str(folder), *options]
    return subprocess.run(program, capture_output=True, text=True, timeout=LONG_ENOUGH, check=False)


# incidents and people


def test_incidents_of_all_tables_lead_to_their_rounds(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    incidents = part(screen, "Incidents")
    incidents.get_by_text("Dispute 1 of Bob: I said Player.").wait_for()
    # the post that decided about the irregularity has seen it: its round tells
    rounds = incidents.get_by_role("button")
    screen.until(lambda: rounds.count() == 2)
    assert "Disputed" in rounds.first.inner_text(), "the newest first"
    assert "Foreign card" in rounds.last.inner_text()
    rounds.last.click()
    screen.heading("Round 3").wait_for()
    assert "round=3" in screen.page.url, "the address can be given to somebody"


def test_what_somebody_did_is_found_everywhere(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    people = part(screen, "People")
    screen.says("Choose a person to see everything they did.")
    people.get_by_role("combobox", name="Person").fill("pit-manager")
    people.get_by_role("button", name="Find").click()
    rows = people.get_by_role("listitem")
    rows.filter(has_text="Confirmed the facts").wait_for()
    told = [" ".join(each.split()) for each in rows.all_inner_texts()]
    assert all("Pit Manager" in each for each in told), told
    deeds = ("Opened a dispute", "Confirmed the facts", "Came on duty", "Signed in")
    at = [next(n for n, each in enumerate(told) if deed in each) for deed in deeds]
    assert at == sorted(at), "the newest first, of the table and of the floor"
    people.get_by_role("combobox", name="Person").fill("dealer")
    people.get_by_role("button", name="Find").click()
    refused = rows.filter(has_text="Refused")
    refused.first.wait_for()
    assert "Confirmed the facts" in refused.first.inner_text()
    people.get_by_role("combobox", name="Person").fill("nobody at all")
    people.get_by_role("button", name="Find").click()
    screen.says("Nothing is recorded about this person.")


# the journal and its proof


def test_records_are_linked_and_open_to_what_was_asked_and_came_of_it(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    journal = part(screen, "Journal")
    rows = journal.get_by_role("group")
    rows.first.wait_for()
    assert "Opened a dispute" in rows.first.inner_text(), "the newest first"
    digests = []
    for row in (rows.nth(0), rows.nth(1)):
        row.locator("summary").click()
        text = row.inner_text()
        digests.append(re.findall(r"\b[0-9a-f]{64}\b", text))
    assert digests[0][1] == digests[1][0], "a record names the digest of the one before"
    assert '"about": "I said Player"' in rows.nth(0).inner_text()
    assert "dispute-opened" in rows.nth(0).inner_text()


def test_the_oldest_record_is_reached_page_by_page(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    journal = part(screen, "Journal")
    older = journal.get_by_role("button", name="Older records")
    older.click()
    journal.get_by_text("Set the table up").wait_for()
    older.wait_for(state="detached")
    first = journal.get_by_role("listitem").last
    assert first.inner_text().split()[0] == "1"
    assert "Set the table up" in first.inner_text()
    count = screen.ask("/audit/felt/records?before=0&most=1", "staff")["records"][0]["sequence"]
    assert journal.get_by_role("listitem").count() == count


def test_records_of_a_round_under_way_are_not_shown_before_its_cards_are(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house, "table=under-way&part=journal")
    screen.says("A round is under way. Its records are shown when all its cards lie open.")
    journal = screen.page.get_by_role("region", name="Journal")
    journal.get_by_text("Set the table up").wait_for()
    assert journal.get_by_text("Drew a card").count() == 0
    assert journal.get_by_text("Burned cards").count() == 1


def test_the_journal_of_the_floor_keeps_secrets(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house, "table=felt&part=journal")
    screen.field("Table").select_option("The floor: people, sessions, terminals")
    row = screen.page.get_by_role("region", name="Journal").get_by_role("group").filter(has_text="Signed in")
    row.first.locator("summary").click()
    text = row.first.inner_text()
    assert '"session": "withheld"' in text, text


def test_the_proof_shows_how_far_it_is_and_finds_nothing(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    part(screen, "Proof")
    screen.button("Verify everything").click()
    progress = screen.page.get_by_role("progressbar", name="Progress")
    progress.wait_for()
    screen.says(re.compile(r"\d+ of \d+ records"))
    screen.says("The record is whole. Nothing was altered, and all settlements were re-checked.")
    assert float(progress.get_attribute("value") or "0") == 1
    streams = screen.page.get_by_role("listitem")
    told = streams.all_inner_texts()
    assert [each.split()[0] for each in told] == ["felt", "floor", "under-way"]
    assert all("Whole" in each for each in told)
    assert "4 rounds" in told[0]
    screen.button("Links and signatures only").click()
    screen.says("The record is whole.")


def test_meters_count_what_was_played(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    meters = part(screen, "Meters")
    wagers = meters.get_by_role("table", name="Wagers")
    wagers.wait_for()
    heads = [each.strip() for each in wagers.get_by_role("columnheader").all_inner_texts()]
    banker = wagers.get_by_role("row").filter(has=screen.page.get_by_role("rowheader", name="Banker"))
    sums = dict(
        zip(heads[1:], (each.strip() for each in banker.get_by_role("cell").all_inner_texts()), strict=True)
    )
    # Bob lost 100 and won 95 of 100, commission taken; Ann's 50 were a push in a tie
    assert sums["Won by patrons"] == "95"
    assert sums["Lost by patrons"] == "100"
    assert sums["House's win"] == "+5"
    assert sums["Hold"] == "2.00%", "5 of 250"
    assert sums["Commission"] == "5"
    ann = meters.get_by_role("table", name="Patrons and terminals").get_by_role("row").filter(has_text="Ann")
    assert "200" in ann.inner_text()


def test_meters_agree_about_the_felt_and_sum_up_all_tables(
    visit: Visit, house: Server, tmp_path: Path
) -> None:
    """B-21: chips lay on the meter of the table and not on the patron's; nothing was summed or exported."""
    screen = auditor(visit, house, "table=under-way&part=meters")
    meters = screen.page.get_by_role("region", name="Meters", exact=True)

    def told(table: str, row: str, column: str) -> str:
        found = meters.get_by_role("table", name=table)
        found.wait_for()
        heads = [each.strip() for each in found.get_by_role("columnheader").all_inner_texts()]
        cells = found.get_by_role("row").filter(
            has=screen.page.get_by_role("rowheader", name=row, exact=True)
        )
        return cells.get_by_role("cell").nth(heads.index(column) - 1).inner_text().strip()

    for table, row in (("This table", "under-way"), ("Patrons and terminals", "Cy"), ("Wagers", "Player")):
        assert told(table, row, "On the felt") == "200"
        assert told(table, row, "Hold" if row != "Cy" else "Patron's win") == ("–" if row != "Cy" else "0")
    screen.says("From the first record of this table, ")
    # Ann wins 200 and Bob loses 120; Bob wins 95
    assert told("All tables", "felt", "House's win") == "−175"
    assert told("All tables", "Total SGD", "House's win") == "−175"
    assert told("All tables", "Total USD", "On the felt") == "200"
    assert screen.grave_findings() == []
    with screen.page.expect_download() as download:
        screen.link("Download all meters (CSV)").click()
    assert download.value.suggested_filename == "meters.csv"
    download.value.save_as(tmp_path / "meters.csv")
    lines = (tmp_path / "meters.csv").read_text("utf-8").splitlines()
    assert lines[0].startswith("stream,of,name,since,until,")
    assert {line.split(",")[0] for line in lines[1:]} == {"felt", "under-way"}


# reports


def test_reports_have_charts_with_tables_and_are_taken_along(
    visit: Visit, house: Server, tmp_path: Path
) -> None:
    screen = auditor(visit, house, "part=reports")
    reports = screen.page.get_by_role("region", name="Reports", exact=True)
    reports.get_by_role("button", name="Show").wait_for()
    against = reports.get_by_role("table", name="Win against expectation")
    against.wait_for(timeout=LONG_ENOUGH * 1000)  # a process begins for it
    # Ann wins 200, Bob loses 120 and wins 95: the house loses 175
    felt_line = against.get_by_role("row").filter(has_text="felt")
    assert felt_line.get_by_role("cell").first.inner_text() == "−175"
    for chart in ("Win against expectation", "Turnover and win by wager"):
        assert reports.get_by_role("img", name=chart, exact=True).is_visible(), chart
    happened = reports.get_by_role("table", name="Void rounds, irregularities, rulings and disputes")
    assert "1" in happened.get_by_role("row").filter(has_text="felt").inner_text()
    reports.get_by_role("button", name="Wagers").click()
    against.get_by_role("rowheader", name="Banker").wait_for()
    endings = {"CSV": b"date,shift", "Spreadsheet (XLSX)": b"PK", "To sign (PDF)": b"%PDF-"}
    for ending, begins in endings.items():
        with screen.page.expect_download(timeout=LONG_ENOUGH * 1000) as download:
            screen.link(ending).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        assert file.read_bytes().startswith(begins), ending
    screen.field("Periods").select_option("Shifts")
    screen.field("First gaming day").fill("2000-01-01")
    screen.field("Last gaming day").fill("2000-01-02")
    reports.get_by_role("button", name="Show").click()
    screen.says("Nothing happened at these tables in this time.")


# how it is


def test_who_may_not_read_the_records_is_told_so(visit: Visit, house: Server) -> None:
    screen = visit("/records?table=felt", at=house, post="dealer")
    screen.expect_error("403")
    screen.says("Your post may not do this. Ask somebody whose post may.")


@pytest.mark.parametrize("name", PARTS)
def test_every_part_fits_and_can_be_touched_and_read(visit: Visit, house: Server, name: str) -> None:
    screen = auditor(visit, house, size=WIDTHS["phone"], room="dim")
    part(screen, name)
    if name == "Rounds":
        found(screen).last.get_by_role("button").click()
        screen.heading("Round 1").wait_for()
    screen.says(PARTS[name])
    assert screen.flaws() == []
    assert screen.turned("tablet", "light").flaws() == []


def test_on_a_phone_a_round_has_the_screen_and_leads_back(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house, size=WIDTHS["phone"])
    found(screen).last.get_by_role("button").click()
    screen.heading("Round 1").wait_for()
    assert not found(screen).first.is_visible()
    screen.button("All rounds").click()
    screen.until(lambda: numbers(screen) == [4, 3, 2, 1])


def test_it_reads_in_chinese(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house, "table=felt&part=rounds&round=3", language="zh-Hans")
    screen.heading("第 3 局").wait_for()
    rounds = screen.page.get_by_role("region", name="牌局").get_by_role("listitem")
    rounds.filter(has_text="外来牌").wait_for()


def english_left(text: str, *, known: tuple[str, ...]) -> list[str]:
    """English words in a text, without names that people and tables have."""
    for each in known:
        text = text.replace(each, "")
    return re.findall(r"[A-Za-z]{2,}", text)


def test_a_round_is_told_in_chinese(visit: Visit, house: Server, tmp_path: Path) -> None:
    names = (VOID, "Ann", "Bob", "pit-manager", "dealer", "GMT", "UTC", "zip")
    screen = auditor(visit, house, "table=felt&part=rounds&round=3", language="zh-Hans")
    told = screen.page.get_by_role("region", name="第 3 局")
    steps = told.get_by_role("listitem")
    steps.first.wait_for()
    assert "dealer (荷官)" in steps.first.inner_text()
    assert "闲得 9♥。" in told.inner_text()
    assert "已拒绝 – 确认事实：" in told.inner_text(), "also what was refused"
    assert english_left(told.inner_text(), known=names) == []
    with screen.page.expect_download() as download:
        screen.link("案卷").click()
    download.value.save_as(tmp_path / "dossier.zip")
    with zipfile.ZipFile(tmp_path / "dossier.zip") as dossier:
        page = dossier.read("felt-round-3/round.html").decode()
        readme = dossier.read("felt-round-3/README.txt").decode()
    assert '<html lang="zh-Hans">' in page
    assert "逐步经过" in page
    assert "请从可信之处取得" in readme


def test_a_story_follows_the_language_of_the_screen(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house, "table=felt&part=rounds&round=1")
    screen.says("Ann wins 200.00 on Player at 1 to 1, 200.00 back.")
    screen.speaks("zh-Hans")
    screen.says("Ann 的闲以 1 赔 1 赢得 200.00，退回 200.00。")


# search


def search(screen: Screen) -> tuple[Locator, Locator]:
    """The part that searches all tables, and what it found."""
    where = part(screen, "Search")
    return where, where.get_by_role("listitem")


def test_conditions_that_leave_nothing_are_said(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    where, _ = search(screen)
    where.get_by_label("Largest wager, at least").fill("500")
    where.get_by_label("Largest wager, at most").fill("100")
    where.get_by_text("The least amount is above the most: no wager lies between them.").wait_for()
    find = where.get_by_role("button", name="Find")
    assert find.is_disabled()
    where.get_by_label("Largest wager, at most").fill("900")
    where.get_by_label("From").fill("2026-11-20T10:00:00")
    where.get_by_label("Until").fill("2026-11-19T10:00:00")
    where.get_by_text("From is later than Until: no round lies between them.").wait_for()
    assert find.is_disabled()
    assert screen.grave_findings() == []
    where.get_by_role("button", name="Clear").click()
    where.get_by_label("Person").fill("bob")
    find.click()
    screen.until(lambda: len(where.get_by_role("listitem").all()) == 3)


@pytest.mark.parametrize(
    "condition",
    ["situation=nonsense", "winner=nobody", "shoe=x", "since=yesterday", "until=-1", "least=1,50"],
)
def test_a_condition_that_cannot_be_read_finds_nothing(visit: Visit, house: Server, condition: str) -> None:
    """It was left out, and so all rounds were found."""
    screen = auditor(visit, house)
    screen.expect_error("400")
    answer = screen.ask(f"/rounds?{condition}", "staff")
    assert (answer["reason"], answer["params"]) == (
        "not-understood",
        [["problem", condition.partition("=")[0]]],
    )


def searched(screen: Screen, found: Locator, *rounds: str) -> None:
    """Press the button, and wait for these rounds of these tables, the newest first."""
    screen.button("Find").click()
    screen.until(lambda: places(found) == [*rounds])


def places(found: Locator) -> list[str]:
    """The table and the number of each round that was found; a line that goes just now has no text."""
    told = [[*filter(None, map(str.strip, each.splitlines()))] for each in found.all_inner_texts()]
    return [f"{each[1]} {each[2].removeprefix('Round ')}" if each[2:] else "" for each in told]


def test_rounds_of_all_tables_are_searched_by_their_facts(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    where, found = search(screen)
    screen.until(lambda: found.count() == 5)
    screen.field("Person").fill("Cy")
    searched(screen, found, "under-way 1")
    screen.field("Person").fill("pit-manager")
    searched(screen, found, "felt 3")
    screen.button("Clear").click()
    screen.until(lambda: found.count() == 5)
    where.get_by_label("Wager", exact=True).select_option("Tie")
    searched(screen, found, "felt 1")
    screen.button("Clear").click()
    screen.field("Largest wager, at least").fill("100")
    screen.field("Largest wager, at most").fill("200")
    screen.says("= SGD")
    searched(screen, found, "under-way 1", "felt 4", "felt 1")
    screen.field("Largest wager, at most").fill("1,50")
    assert screen.button("Find").is_disabled()
    screen.button("Clear").click()
    where.get_by_label("Irregularity").select_option("Foreign card")
    searched(screen, found, "felt 3")
    assert "Void" in found.first.inner_text()
    found.first.get_by_role("button").click()
    screen.heading("Round 3").wait_for()
    assert "table=felt" in screen.page.url


def test_rounds_are_searched_by_time_and_by_shoe(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house)
    where, found = search(screen)
    screen.until(lambda: found.count() == 5)
    began = screen.ask("/rounds?most=1", "staff")["rounds"][0]["round"]["began"]
    local = screen.page.evaluate(
        "at => { const d = new Date(at / 1000 - new Date(at / 1000).getTimezoneOffset() * 60000);"
        " return d.toISOString().slice(0, 19) }",
        began + 1_000_000,
    )
    where.get_by_label("From").fill(local)
    screen.button("Find").click()
    screen.says("No round matches. Try fewer conditions.")
    where.get_by_label("From").fill("")
    where.get_by_label("Until").fill(local)
    screen.button("Find").click()
    screen.until(lambda: found.count() == 5)
    screen.field("Shoe").fill("2")
    screen.button("Find").click()
    screen.says("No round matches. Try fewer conditions.")
    screen.field("Shoe").fill("1")
    screen.button("Find").click()
    screen.until(lambda: found.count() == 5)


def test_times_have_milliseconds_and_a_zone(visit: Visit, house: Server) -> None:
    screen = auditor(visit, house, "table=felt&part=rounds&round=1")
    screen.heading("Round 1").wait_for()
    exact = re.compile(r"\d\d:\d\d:\d\d\.\d{3} (UTC|GMT|[A-Z]{3,4})")
    told = screen.page.get_by_role("region", name="Round 1")
    assert exact.search(told.inner_text())
    assert re.search(r"\d\d:\d\d:\d\d\.\d{3}", told.get_by_role("listitem").first.inner_text())
    assert exact.search(found(screen).first.inner_text())
    journal = part(screen, "Journal").get_by_role("listitem")
    journal.first.wait_for()
    assert exact.search(journal.first.inner_text())
