"""The patron terminal: rounds of every game by touch and by keyboard, and all that goes with them."""

import re

import pytest
from screens.browser import WIDTHS
from screens.conftest import Visit
from screens.floors import GAMES, WAITING, WITH_PAUSES, table
from screens.patrons import Behind, Patron
from server.served import Server

CLOCKED = "{ betting = 120, warning = 60, card = 0, between = 0, offer = 600 }"
WIDE = 'differential = "1000000"\n'
TABLES = "".join(
    (
        *(
            table(name, game, WITH_PAUSES, "" if name == "super-six" else WIDE)
            for name, game in GAMES.items()
        ),
        table("clocked", GAMES["tiger"], CLOCKED, WIDE),
        table("alone", GAMES["tiger"], WITH_PAUSES, WIDE),
        table("keyed", GAMES["tiger"], WITH_PAUSES, WIDE),
        table("dealt", GAMES["tiger"], WITH_PAUSES, WIDE),
        table("wagers", GAMES["tiger"], WAITING, WIDE),
        table("states", GAMES["tiger"], WAITING, WIDE),
        table("chinese", GAMES["dragon-tiger"], WAITING, WIDE + 'layout = "K"\npositions = 8\n'),
        table("long", GAMES["tiger"], WAITING, WIDE + 'layout = "E"\npositions = 16\n'),
    )
)
HANDS = {"Player", "Tie", "Banker"}
SIDES = {
    "tiger": {"Tiger", "Small Tiger", "Big Tiger", "Tiger Pair", "Tiger Tie"},
    "tiger-nc": {"Tiger", "Small Tiger", "Big Tiger", "Tiger Pair", "Tiger Tie"},
    "dragon-tiger": {"Dragon Tiger", "Small Dragon", "Big Dragon", "Small Tiger", "Big Tiger"},
    "super-six": {"Super Six", "Player Pair", "Banker Pair"},
    "hoiana-tiger": {"Tiger", "Small Tiger", "Big Tiger", "Player Pair", "Banker Pair"},
    "hoiana-tiger-nc": {"Tiger", "Small Tiger", "Big Tiger", "Player Pair", "Banker Pair"},
}
SIDE = {game: sorted(sides)[0] for game, sides in SIDES.items()}
# where the keyboard comes first on each felt; games without commission have the felt of the others
FIRST = {
    "tiger": "Tiger Pair",
    "dragon-tiger": "Small Dragon",
    "super-six": "Player Pair",
    "hoiana-tiger": "Player Pair",
}


@pytest.fixture
def dealer(visit: Visit, house: Server) -> Behind:
    """A dealer, on duty where a test wants it."""
    return Behind(visit, house, "dealer")


def play_on(patron: Patron, dealer: Behind) -> None:
    """Close betting and wait for the result of the round that lies there."""

    def last() -> int:
        return int((patron.own()["last"] or {"round": 0})["round"])

    before = last()
    dealer.closes(patron.table)
    patron.screen.until(lambda: last() != before)
    patron.page.get_by_label("Your last result").get_by_text(f"Round {last()}").wait_for()


# a round of each game


@pytest.mark.parametrize("game", [*GAMES])
def test_a_round_by_touch(visit: Visit, house: Server, dealer: Behind, game: str) -> None:
    patron = Patron(visit, house, game, 1, size=WIDTHS["phone"], room="dim", touch=True).comes()
    patron.screen.field("Your name at the table").fill(patron.name)
    patron.screen.button("Sit down").tap()
    patron.screen.button("Buy credits to play").tap()
    dialog = patron.page.get_by_role("dialog")
    dialog.get_by_role("button", name="1,000", exact=True).tap()
    dialog.get_by_role("button", name=re.compile("^Buy [A-Z]{3}.1,000$")).tap()
    patron.betting()
    assert {each for each in HANDS | SIDES[game] if patron.area(each).count() != 1} == set()
    patron.area("Banker").tap()
    patron.accepted("Banker", "50")
    patron.chip("SGD 10" if "hoiana" not in game else "USD 10")
    patron.area(SIDE[game]).tap()
    patron.area(SIDE[game]).tap()
    patron.accepted(SIDE[game], "20")
    assert patron.staked() == {"banker": 5000, SIDE[game].lower().replace(" ", "-"): 2000}
    assert "930" in patron.credits
    play_on(patron, dealer.on_duty(game))
    last = patron.own()["last"]
    hands = {hand: patron.page.get_by_role("region", name=hand) for hand in ("Player", "Banker")}
    facts = patron.view()["outcome"]["facts"]
    for hand, region in hands.items():
        assert region.get_by_label(f"Total {facts[hand.lower() + '_total']}").is_visible()
    result = patron.page.get_by_label("Your last result")
    net = sum(each["settled"]["paid"] - each["settled"]["taken"] for each in last["lines"])
    assert f"{abs(net) / 100:g}" in result.inner_text().replace(",", "")
    assert not patron.screen.overflows()
    result.get_by_role("button", name="Why?").tap()
    why = patron.page.get_by_role("dialog")
    why.get_by_role("article").nth(1).wait_for()
    assert "§" in why.inner_text()
    why.get_by_role("button", name="Close").tap()


@pytest.mark.parametrize("game", FIRST)
@pytest.mark.timed
def test_a_round_by_keyboard(visit: Visit, house: Server, dealer: Behind, game: str) -> None:
    patron = Patron(visit, house, game, 2).comes()
    press = patron.page.keyboard.press

    def tab_to(label: str) -> None:
        focused = (
            "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || ''"
        )
        for _ in range(60):
            press("Tab")
            if patron.page.evaluate(focused).strip().startswith(label):
                return
        raise AssertionError(f"the keyboard does not reach {label}")

    patron.screen.field("Your name at the table").focus()
    press("Control+A")
    patron.page.keyboard.type(patron.name)
    press("Enter")
    patron.screen.button("Buy credits to play").wait_for()
    tab_to("Buy credits to play")
    press("Enter")
    patron.page.get_by_role("dialog").wait_for()
    tab_to("1,000")
    press("Enter")
    tab_to("Buy ")
    press("Enter")
    patron.screen.until(lambda: "1,000" in patron.credits)
    patron.betting()
    tab_to(FIRST[game])
    patron.area("Player").focus()
    press("4")  # the fourth chip: 100
    press("Enter")
    patron.accepted("Player", "100")
    press("ArrowRight")
    press("ArrowRight")
    press("1")
    for _ in range(5):
        press(" ")
    patron.accepted("Banker", "50")
    press("u")
    patron.accepted("Banker", "")
    press("Delete")
    assert patron.lies("Player") == "100"
    press("d")
    patron.accepted("Player", "200")
    play_on(patron, dealer.on_duty(game))
    assert patron.own()["last"]["lines"][0]["settled"]["stake"] == 20000
    patron.betting()
    patron.area("Tie").focus()
    press("r")
    patron.accepted("Player", "200")
    press("c")
    patron.accepted("Player", "")


# wagers


def test_undo_clear_double_and_rebet(visit: Visit, house: Server, dealer: Behind) -> None:
    patron = Patron(visit, house, "wagers", 1).sit()
    patron.betting()
    for button in ("Undo", "Clear", "Double", "Rebet"):
        assert patron.screen.button(button).is_disabled()
    patron.area("Banker").click()
    patron.accepted("Banker", "50")
    patron.chip("SGD 100")
    patron.area("Banker").click()
    patron.accepted("Banker", "150")
    patron.screen.button("Undo").click()
    patron.accepted("Banker", "50")
    patron.area("Tie").click()
    patron.accepted("Tie", "100")
    patron.screen.button("Double").click()
    patron.accepted("Tie", "200")
    patron.accepted("Banker", "100")
    patron.screen.button("Undo").click()  # takes back everything that was doubled
    patron.accepted("Tie", "100")
    patron.accepted("Banker", "50")
    play_on(patron, dealer.on_duty("wagers"))
    patron.betting()
    patron.screen.button("Rebet").click()
    patron.accepted("Banker", "50")
    patron.accepted("Tie", "100")
    assert patron.screen.button("Rebet").is_disabled()
    patron.screen.button("Clear").click()
    patron.accepted("Banker", "")
    patron.accepted("Tie", "")
    assert patron.staked() == {}


def test_chips_are_taken_off_one_by_one(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "wagers", 2).sit()
    patron.betting()
    patron.wagers("Player", "100")
    patron.chip("SGD 50")
    patron.screen.button("Remove chips").click()
    patron.area("Player").click()
    patron.accepted("Player", "50")
    patron.screen.button("Remove chips").click()
    patron.area("Player").click()
    patron.accepted("Player", "100")


def test_what_is_refused_is_said_at_its_place_with_clause_and_more_chips_may_come(
    visit: Visit, house: Server
) -> None:
    patron = Patron(visit, house, "wagers", 3).sit()
    patron.betting()
    patron.chip("SGD 25")
    patron.area("Banker").click()
    reason = patron.reason()
    assert "The minimum for Banker is 50." in reason
    assert "3.5.1" in reason
    assert patron.staked() == {}
    patron.area("Banker").click()  # together they are enough
    patron.accepted("Banker", "50")
    patron.wagers("Tie", "500")
    patron.chip("SGD 50")
    patron.area("Tie").click()
    assert "The maximum for Tie is 500." in patron.reason()
    patron.chip("SGD 1,000")
    patron.area("Player").click()
    patron.screen.until(lambda: "There are not enough credits." in patron.page.inner_text("main"))
    assert patron.staked() == {"banker": 5000, "tie": 50000}
    assert patron.screen.grave_findings() == []


def test_a_late_wager_is_refused_and_said_so(visit: Visit, house: Server, dealer: Behind) -> None:
    patron = Patron(visit, house, "wagers", 4).sit()
    patron.betting()
    dealer.on_duty("wagers").does("wagers", type="pause-table", reason="a question")
    patron.screen.says("The table is paused.")
    patron.area("Banker").click()
    assert "The table is paused." in patron.reason()
    dealer.does("wagers", type="resume-table")
    patron.area("Banker").click()
    patron.accepted("Banker", "50")


@pytest.mark.timed
def test_the_clock_of_the_server_warns_closes_and_what_was_not_taken_goes_back(
    visit: Visit, house: Server
) -> None:
    patron = Patron(visit, house, "clocked", 1).sit()
    patron.betting()
    patron.page.get_by_role("timer", name=re.compile("left for wagers")).wait_for()
    patron.chip("SGD 25")
    patron.area("Banker").click()
    assert "The minimum for Banker is 50." in patron.reason()
    house.move(70)
    patron.screen.says("Last bets, please")
    house.move(50)
    patron.screen.says("Betting is closed. SGD 25 was not placed and is back with you.")
    assert patron.own()["credits"] == 100_000


def test_with_confirm_first_chips_wait_until_they_are_placed(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "long", 1).sit()
    patron.page.get_by_label("Confirm before placing").check()
    patron.betting()
    patron.area("Banker").click()
    patron.area("Player").click()
    place = patron.page.get_by_role("button", name=re.compile("^Place"))
    assert "100" in place.inner_text()
    assert patron.staked() == {}
    place.click()
    patron.accepted("Banker", "50")
    patron.accepted("Player", "50")


def test_a_patron_who_is_alone_has_the_cards_dealt_at_once(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "alone", 1, size=WIDTHS["phone"], touch=True).sit()
    patron.betting()
    deal = patron.screen.button("Deal now")
    assert deal.is_disabled(), "there is no wager"
    patron.wagers("Banker", "50")
    patron.screen.until(deal.is_enabled)
    other = Patron(visit, house, "alone", 2).sit()
    patron.screen.until(deal.is_disabled)
    assert other.screen.button("Deal now").is_disabled()
    other.does(type="leave-table", patron=other.name)
    patron.screen.until(deal.is_enabled)
    assert patron.screen.misfits() == []
    number = patron.view()["phase"]["round"]
    deal.tap()  # the clock of the server stands still
    patron.page.get_by_label("Your last result").get_by_text(f"Round {number}").wait_for()
    records = visit(None, at=house, post="auditor").ask("/audit/alone/records?before=0&most=40", "staff")
    asked = next(each for each in records["records"] if each["kind"] == "deal-now")
    assert asked["actor"] == patron.name


@pytest.mark.timed
def test_the_cards_are_asked_for_by_a_key_once_all_chips_are_taken(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "keyed", 1).sit()
    patron.betting()
    patron.wagers("Player", "100")
    patron.page.get_by_label("Confirm before placing").check()
    patron.area("Player").focus()
    for key in ("Enter", "n"):
        patron.page.keyboard.press(key)
    patron.page.get_by_role("button", name=re.compile("^Place")).wait_for()
    assert patron.screen.button("Deal now").is_disabled(), "a chip waits"
    patron.screen.button("Undo").click()
    patron.screen.until(patron.screen.button("Deal now").is_enabled)
    number = patron.view()["phase"]["round"]
    patron.area("Player").focus()
    patron.page.keyboard.press("n")
    patron.page.get_by_label("Your last result").get_by_text(f"Round {number}").wait_for()


def test_nobody_asks_for_cards_where_a_dealer_deals(visit: Visit, house: Server, dealer: Behind) -> None:
    patron = Patron(visit, house, "dealt", 1).sit()
    patron.screen.button("Deal now").wait_for()
    dealer.on_duty("dealt")
    patron.screen.button("Deal now").wait_for(state="detached")


def test_every_accepted_wager_has_a_receipt_that_the_server_stands_by(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "long", 2).sit()
    patron.betting()
    patron.area("Banker").click()
    patron.accepted("Banker", "50")
    patron.screen.button("Receipts").click()
    dialog = patron.page.get_by_role("dialog")
    dialog.get_by_text("50 placed on Banker.").click()
    opened = dialog.locator("details[open]")
    receipt = patron.screen.ask(f"/receipts/{opened.locator('dd').last.inner_text()}", "terminal")
    assert receipt["says"] == "50.00 placed on banker."
    for part in ("says", "digest", "signature", "key_id"):
        assert opened.get_by_text(receipt[part], exact=True).is_visible()
    assert dialog.get_by_text(f"Record {receipt['sequence']}").is_visible()
    patron.page.reload()
    patron.screen.button("Receipts").click()
    dialog.get_by_text("50 placed on Banker.").wait_for()


# results, history, credits


def test_history_shows_cards_wagers_and_the_road_as_it_stood(
    visit: Visit, house: Server, dealer: Behind
) -> None:
    patron = Patron(visit, house, "long", 3).sit()
    dealer.on_duty("long")
    for _ in range(2):
        patron.betting()
        patron.area("Player").click()
        patron.accepted("Player", "50")
        play_on(patron, dealer)
    patron.screen.button("History").click()
    dialog = patron.page.get_by_role("dialog")
    rounds = dialog.get_by_role("heading", level=3)
    rounds.first.wait_for()
    assert rounds.count() == 2
    history = patron.screen.ask("/tables/long/history", "terminal")["rounds"]
    heading = patron.page.get_by_role("heading", name=f"Round {history[0]['number']}")
    oldest = dialog.get_by_role("listitem").filter(has=heading)
    oldest.get_by_role("button", name="Wagers and road").click()
    dialog.get_by_text("The road as it stood").wait_for()
    stood = patron.screen.ask(f"/tables/long/history/{history[0]['number']}/roads", "terminal")
    assert len(stood["scoreboard"]["bead_plate"]) == history[0]["bead"] + 1
    cards = [each for each in history[0]["cards"] if each.get("card")]
    assert oldest.get_by_role("img", name=re.compile("of (spades|hearts|diamonds|clubs)")).count() == len(
        cards
    )
    assert oldest.get_by_role("img", name="Big road").is_visible()
    assert patron.screen.grave_findings() == []


def test_why_says_the_row_the_arithmetic_and_the_clauses_in_plain_words(
    visit: Visit, house: Server, dealer: Behind
) -> None:
    patron = Patron(visit, house, "hoiana-tiger", 3).sit()
    patron.betting()
    for wager in ("Banker", "Player"):
        patron.area(wager).click()
        patron.accepted(wager, "50")
    play_on(patron, dealer.on_duty("hoiana-tiger"))
    patron.screen.button("Why?").click()
    dialog = patron.page.get_by_role("dialog")
    clauses = {each["clause"]: each["says"] for each in _clauses(patron)}
    for line in patron.own()["last"]["lines"]:
        for clause in line["settled"]["clauses"]:
            dialog.get_by_text(clauses[clause]).first.wait_for()
    text = dialog.inner_text()
    assert re.search(r"50 at .+ wins \d|You lost 50\.|50 goes back\.", text)
    assert patron.name not in text, "nobody is told of oneself by name"


def _clauses(patron: Patron) -> list[dict[str, str]]:
    answer: dict[str, list[dict[str, str]]] = patron.screen.ask(f"/tables/{patron.table}/clauses", "terminal")
    return answer["clauses"]


def test_pays_and_limits_have_an_example_for_every_row(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "hoiana-tiger", 4).sit()
    patron.screen.button("Pays").click()
    dialog = patron.page.get_by_role("dialog")
    banker = dialog.get_by_role("region", name="Banker", exact=True)
    assert "100 wins 95 after 5 commission" in banker.inner_text()
    assert "Limits USD 50 to USD 5,000" in banker.inner_text().replace("\xa0", " ")
    tiger = dialog.get_by_role("region", name="Tiger", exact=True)
    assert "100 wins 1,200" in tiger.inner_text()
    assert "100 wins 2,000" in tiger.inner_text()


def test_layout_k_has_its_chinese_labels_and_its_pay_panel(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "chinese", 1).sit()
    for label in ("庄", "闲", "和", "小龙", "大龙", "小虎", "大虎", "龙虎"):
        assert patron.page.get_by_text(label, exact=True).first.is_visible()
    panel = patron.page.get_by_role("definition").filter(has_text="100/40/30:1")
    assert panel.is_visible()


def test_a_long_table_shows_all_its_positions(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "long", 4).sit(buys=None)
    assert patron.page.locator("svg .seat").count() == 16
    assert patron.own()["position"] == 4


def test_credits_are_cashed_out_and_the_place_is_given_up(
    visit: Visit, house: Server, dealer: Behind
) -> None:
    patron = Patron(visit, house, "dragon-tiger", 3).sit()
    patron.betting()
    patron.area("Player").click()
    patron.accepted("Player", "50")
    patron.screen.button("Leave").click()
    patron.screen.says("Your wagers are still on the felt.")
    assert patron.page.get_by_role("button", name="Cash out and leave").is_disabled()
    patron.screen.button("Stay").click()
    play_on(patron, dealer.on_duty("dragon-tiger"))
    patron.page.get_by_role("button", name=re.compile("^Credits")).click()
    patron.screen.field("Amount to cash out").fill("100")
    patron.page.get_by_role("button", name=re.compile("^Cash out SGD.100$")).click()
    patron.screen.says("SGD 100 cashed out")
    patron.screen.button("Leave").click()
    patron.page.get_by_role("button", name="Cash out and leave").click()
    patron.screen.arrives("/")
    me = patron.screen.ask("/me", "terminal")
    assert me["patron"] is None
    left = patron.page.get_by_role("article", name="dragon-tiger")
    left.get_by_role("button", name="Sit down").wait_for()
    assert patron.screen.link("Your terminal").count() == 0, "nobody's any more"
    table_now = dealer.screen.ask("/tables/dragon-tiger", "staff")["view"]
    assert patron.name not in [each["name"] for each in table_now["people"]["patrons"]]
    assert all(
        each["credits"] == 0 for each in table_now["balances"]["balances"] if each["terminal"] == patron.name
    )


def test_a_dispute_is_opened_decided_and_answered(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "super-six", 3).sit()
    patron.screen.button("Disputes").click()
    dialog = patron.page.get_by_role("dialog")
    dialog.get_by_label("What do you disagree with?").fill("The last card was not for Banker")
    dialog.get_by_role("button", name="Open a dispute").click()
    dialog.get_by_role("heading", name="Dispute 1").wait_for()
    manager = Behind(visit, house, "pit-manager").on_duty("super-six")
    manager.does("super-six", type="escalate-dispute", id=1)
    manager.does("super-six", type="inform-surveillance", id=1)
    manager.does("super-six", type="gather-information", id=1, what="the card", given_by=patron.name)
    manager.does("super-six", type="give-time-frame", id=1, minutes=60)
    dialog.get_by_text(re.compile("You get an answer by .+")).wait_for()
    manager.does(
        "super-six",
        type="decide-dispute",
        id=1,
        decision="The card was due by the rules",
        sources=["game-rules", "law"],
        unavailable=[
            {"source": each, "why": "nothing found"}
            for each in (
                "operating-procedures",
                "accounts-of-both-parties",
                "surveillance-evidence",
                "other-evidence",
            )
        ],
    )
    dialog.get_by_text("The card was due by the rules").wait_for()
    dialog.get_by_role("button", name="I do not agree").click()
    dialog.get_by_text("You did not agree.").wait_for()
    assert patron.own()["disputes"][0]["agrees"] is False
    manager.does("super-six", type="inform-inspector", id=1)
    manager.does("super-six", type="tell-complaint-right", id=1)
    manager.does("super-six", type="close-dispute", id=1)
    dialog.get_by_text("You may file a formal complaint until").wait_for()
    dialog.get_by_label("Complaint", exact=True).fill("I want it looked at")
    helps = dialog.get_by_label("Who helps you")
    assert {"Pit Manager"} <= {*helps.locator("option").all_inner_texts()}  # by name, not by a sign-in
    helps.select_option(label="Pit Manager")
    dialog.get_by_role("button", name="File the complaint").click()
    dialog.get_by_text("Complaint filed: I want it looked at").wait_for()


# how things stand


def test_a_table_that_is_paused_or_takes_no_rounds_says_so(visit: Visit, house: Server) -> None:
    patron = Patron(visit, house, "states", 1).sit()
    patron.betting()
    patron.area("Banker").click()
    patron.accepted("Banker", "50")
    manager = Behind(visit, house, "pit-manager").on_duty("states")
    round_ = manager.phase("states")["round"]
    manager.does("states", type="pause-table", reason="a fire alarm")
    patron.screen.says(f"The table is paused. Round {round_} waits, your wagers are safe.")
    assert patron.lies("Banker") == "50"
    assert patron.screen.grave_findings() == []
    manager.does("states", type="resume-table")
    manager.floor(type="disable", table="states", reason="a leak")
    patron.screen.says("No new round begins here for now.")
    assert "leak" not in patron.page.inner_text("body")
    manager.floor(type="enable", table="states")


def test_somebody_without_a_terminal_is_shown_the_way_to_the_lobby(visit: Visit, house: Server) -> None:
    screen = visit("/terminal", at=house)
    screen.heading("This browser is not a terminal").wait_for()
    screen.link("To the lobby").last.click()
    screen.arrives("/")


# each language on screens of two sizes, in both lights
LOOKS = {
    "en": (("phone", "light"), ("wall", "dim")),
    "zh-Hans": (("tablet", "dim"), ("desk", "light")),
}


@pytest.mark.parametrize("language", LOOKS)
def test_the_terminal_fits_and_can_be_touched_and_read(visit: Visit, house: Server, language: str) -> None:
    chinese = language == "zh-Hans"
    number = 4 if chinese else 3
    patron = Patron(visit, house, "chinese", number, size=WIDTHS["phone"], language=language).comes()
    page = patron.page

    def keeps(what: str) -> None:
        """Look at it on two screens; colours are the same on both, in the light of the first."""
        (first, room), (second, other) = LOOKS[language]
        assert patron.screen.turned(first, room).flaws() == [], (what, first)
        assert patron.screen.turned(second, other).misfits() == [], (what, second)

    page.get_by_label("您在桌上的称呼" if chinese else "Your name at the table").wait_for()
    keeps("before sitting down")
    page.get_by_role("button", name="入座" if chinese else "Sit down").click()
    page.get_by_role("group", name="您的投注区" if chinese else "Your playing areas").wait_for()
    keeps("at the table")  # on every size: tests/screens/test_terminal_screen.py
    for name in (
        ("赔率", "历史", "收据", "争议", "离开")
        if chinese
        else ("Pays", "History", "Receipts", "Disputes", "Leave")
    ):
        patron.screen.button(name).click()
        page.get_by_role("dialog").wait_for()
        keeps(name)
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="hidden")
