"""The dealer console: everything a dealer does at a table, by keyboard and by touch."""

import pytest
from screens.browser import WIDTHS
from screens.conftest import Visit
from screens.dealing import Dealer, Table, card, dealer_at, felt
from screens.floors import GAMES
from server.served import Server

pytestmark = pytest.mark.timed

HIGH_LIMIT = 'area = "high-limit"\ndevice = "card-reading"\nmethod = "C"\nface_down = true'
FELT = {name: game for name, game in GAMES.items() if name != "super-six"}
TABLES = "".join(
    (
        *(felt(name, game) for name, game in GAMES.items()),
        felt("touched", GAMES["tiger"]),
        felt("fresh", GAMES["hoiana-tiger"]),
        felt("full", GAMES["tiger"]),
        felt("changes", GAMES["tiger"]),
        felt("names", GAMES["tiger"]),
        felt("wrong-third", GAMES["hoiana-tiger"]),
        felt("delivered", GAMES["hoiana-tiger"], "face_down = true"),
        felt("patrons-draw", GAMES["tiger-nc"], HIGH_LIMIT),
        felt("uneven", GAMES["tiger"], 'differential = "1000"'),
        felt("uneven-hoiana", GAMES["hoiana-tiger"], 'differential = "1000"'),
        felt("gone", GAMES["dragon-tiger"], 'method = "A"'),
        felt("squeezed", GAMES["tiger"], 'method = "A"'),
        felt("looks-en", GAMES["tiger"]),
        felt("looks-zh-hans", GAMES["tiger"]),
        felt("voided", GAMES["tiger"]),
        felt("shoes", GAMES["hoiana-tiger"]),
        felt("paused", GAMES["tiger"]),
    )
)


def ready(dealer: Dealer, *patrons: str) -> Dealer:
    """A table that waits for its next opening call, with patrons."""
    dealer.table.opened().seated(*patrons)
    return dealer


# a round of each game


@pytest.mark.parametrize("name", FELT)
def test_a_round_is_dealt_by_keyboard(visit: Visit, house: Server, name: str) -> None:
    dealer = ready(dealer_at(visit, house, name), "Ann", "Bob")
    dealer.next("Open betting")
    dealer.shows("No more bet")
    first, second = ("P", "B") if dealer.table.view["setup"]["wagers"][0]["id"] == "player" else ("B", "P")
    dealer.types("200")
    dealer.press(first.lower())
    dealer.press("ArrowDown")
    dealer.types("100")
    dealer.press(second.lower())
    dealer.types("20t")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 3)
    dealer.next("Close betting")
    dealer.shows("Player")
    dealer.lays("9h2dks5c")
    dealer.shows("Player wins 9 to 7.")
    dealer.next("Call the outcome")
    lines = dealer.settlement()
    taken = "Bob Tie 20" if first == "P" else "Ann Banker 200"
    assert any(taken in line for line in lines), lines
    paid = "Ann Player · 1 to 1 +200" if first == "P" else "Bob Player · 1 to 1 +100"
    assert any(paid in line for line in lines), lines
    assert lines.index(next(line for line in lines if paid in line)) == len(lines) - 1, "pays come last"
    assert not dealer.step.get_by_role("button", name="Open betting").is_visible(), "the next round waits"
    dealer.settles()
    dealer.next("Open betting")
    dealer.shows("No more bet")


def test_a_round_at_terminals_is_dealt_by_keyboard(visit: Visit, house: Server) -> None:
    dealer = dealer_at(visit, house, "super-six")
    dealer.table.opened()
    patron = visit(None, at=house)
    patron.ask("/demo/seat", "terminal", {"terminal": "super-six-1"})
    session = {"type": "open-patron-session", "terminal": "super-six-1", "patron": "Ann"}
    patron.ask("/floor/commands", "terminal", {"command_id": "session-of-ann", "command": session})

    def does(kind: str, **fields: object) -> None:
        form = {"command_id": f"{kind}-of-ann-1", "command": {"type": kind, **fields}}
        answer = patron.ask("/tables/super-six/commands", "terminal", form)
        assert answer.get("type") == "accepted", answer

    does("come-to-table", patron="Ann")
    does("buy-credits", terminal="Ann", amount=100_000)
    dealer.next("Open betting")
    dealer.shows("Bets are closed")
    does("place-wager", patron="Ann", wager="banker", amount=10_000, money="credits")
    dealer.cell("Ann", "Banker").get_by_text("100").wait_for()
    dealer.next("Close betting")
    dealer.lays("2h9dks")
    dealer.shows("Banker")
    dealer.lays("kc")
    dealer.shows("Banker wins 9 to 2.")
    dealer.next("Call the outcome")
    dealer.next("Open betting")
    balances = dealer.table.view["balances"]["balances"]
    assert balances == [{"terminal": "Ann", "credits": 110_000}]


def test_a_round_is_dealt_by_touch(visit: Visit, house: Server) -> None:
    screen_size = WIDTHS["tablet"]
    dealer = ready(dealer_at(visit, house, "touched", size=screen_size, touch=True), "Ann", "Bob")
    page = dealer.page
    dealer.step.get_by_role("button", name="Open betting").tap()
    page.get_by_role("group", name="Chips").get_by_role("button", name="SGD 100").tap()
    dealer.cell("Ann", "Player").tap()
    dealer.cell("Bob", "Banker").tap()
    dealer.cell("Bob", "Banker").tap()
    page.get_by_role("group", name="Chips").get_by_role("button", name="SGD 100").tap()
    dealer.cell("Bob", "Tie").tap()
    for digit in ("2", "5"):
        page.get_by_role("group", name="Number pad").get_by_role("button", name=digit, exact=True).tap()
    page.get_by_role("button", name="Place").tap()
    dealer.screen.until(
        lambda: [each["stake"] for each in dealer.table.view["wagers"]["lying"]] == [10_000, 20_000, 2_500]
    )
    dealer.step.get_by_role("button", name="Close betting").tap()
    pad = page.get_by_role("group", name="All cards")
    for name in ("two of hearts", "four of spades", "three of clubs", "king of hearts"):
        pad.get_by_role("button", name=name).tap()
    page.get_by_role("button", name="Enter cards", exact=True).tap()
    dealer.shows("Player")
    pad.get_by_role("button", name="ace of diamonds").tap()
    page.get_by_role("button", name="Enter cards", exact=True).tap()
    dealer.shows("Player wins 6 to 4.")
    dealer.step.get_by_role("button", name="Call the outcome").tap()
    page.get_by_role("button", name="All taken").tap()
    page.get_by_role("button", name="All paid").tap()
    page.get_by_text("Balanced").wait_for()
    dealer.step.get_by_role("button", name="Open betting").tap()
    dealer.shows("No more bets")


# before the first round


def test_a_table_is_chosen_opened_and_its_cards_are_prepared(visit: Visit, house: Server) -> None:
    screen = visit("/dealer", at=house, post="dealer")
    screen.page.get_by_role("button", name="fresh").click()
    screen.button("Come on duty as Dealer").click()
    dealer = Dealer(screen, Table(screen, "fresh"), house)
    dealer.shows("Opening check list")
    items = dealer.table.view["rules"]["equipment"]
    boxes = dealer.step.get_by_role("checkbox")
    assert boxes.count() == len(items)
    last = next(item for item in items if item["if_required"])
    dealer.step.get_by_role("listitem").filter(has_text=f"§\u200a{last['clause']}").get_by_role(
        "button", name="Not needed"
    ).first.click()
    ticked = dealer.step.get_by_role("checkbox", checked=True)
    for number in range(1, len(items)):
        dealer.screen.until(lambda: ticked.count() == number)  # noqa: B023
        dealer.press("Space")
    dealer.next("Open the table")
    dealer.shows("New cards")
    dealer.next("Load 8 new decks")
    dealer.screen.field("Where the cards are cut (1 to 415)").wait_for()
    dealer.types("200\n")  # the focus is there already
    dealer.shows("The first card says how many are burned.")
    dealer.lays("7c")
    dealer.screen.says("8 cards are burned.")
    dealer.shows("Place your bets, please")
    shoe = dealer.table.view["shoe"]
    assert (shoe["cut"], shoe["burned"]) == (200, 8)


# the felt


def test_sixty_four_wagers_are_entered_without_a_pause(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "full"))
    dealer.next("Open betting")
    dealer.shows("No more bets")
    for position in range(1, 9):
        for kind in range(8):
            dealer.types(str((100 if kind < 2 else 20) + position))
            dealer.press("Enter")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 64)
    lying = dealer.table.view["wagers"]["lying"]
    assert {each["position"] for each in lying} == set(range(1, 9))
    assert (
        sum(each["stake"] for each in lying)
        == sum(8 * place + 2 * 100 + 6 * 20 for place in range(1, 9)) * 100
    )


def test_a_wager_that_is_not_there_is_named_as_the_felt_names_it(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "names"), "Ann")
    dealer.next("Open betting")
    dealer.cell("Ann", "Big Tiger").click()
    dealer.types("-100")
    dealer.press("Enter")
    dealer.screen.says("Ann has no wager on Big Tiger there.")


def test_chips_are_added_late_found_and_pulled_back(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "changes"), "Ann")
    dealer.next("Open betting")
    dealer.shows("No more bets")
    dealer.types("300")
    dealer.press("Enter")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 1)
    dealer.press("ArrowLeft")
    dealer.types("-100")
    dealer.press("Enter")
    dealer.screen.until(lambda: dealer.table.view["wagers"]["lying"][0]["stake"] == 20_000)
    dealer.cell("Ann", "Banker").click()
    dealer.types("5")
    dealer.press("Enter")
    dealer.screen.says("5 on Banker goes back to Ann: it is under the minimum.")
    # somebody stands behind the first position and has a wager there too
    dealer.press("Home", "ArrowLeft", "+")
    dealer.screen.field("Name").fill("Zoe")
    dealer.screen.button("standing").click()
    dealer.screen.button("Comes to the table").click()
    dealer.page.get_by_role("rowheader").filter(has_text="Zoe").get_by_text("standing").wait_for()
    dealer.cell("Zoe", "Player").click()
    dealer.types("150")
    dealer.press("Enter")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 2)
    dealer.next("Close betting")
    dealer.shows("Player")
    dealer.cell("Ann", "Banker").click()
    dealer.types("100")
    dealer.press("Enter", "l")
    dealer.screen.says("100 on Banker goes back to Ann: betting is closed.")
    dealer.cell("Ann", "Tie").click()
    dealer.types("50")
    dealer.press("Enter", "f")
    dealer.approves("Pit Manager")
    dealer.screen.says("50 of Ann on Tie was found and counts.")
    dealer.cell("Ann", "Player").click()
    dealer.types("-50")
    dealer.press("Enter", "p")
    dealer.approves("Pit Manager")
    dealer.screen.says("Ann pulled 50 off Player: it stays in action.")
    lying = {(each["patron"], each["wager"]): each for each in dealer.table.view["wagers"]["lying"]}
    assert lying["Ann", "tie"]["stake"] == 5_000
    assert (lying["Ann", "player"]["stake"], lying["Ann", "player"]["pulled"]) == (20_000, 5_000)
    dealer.lays("2h9dks")
    dealer.lays("kc")
    dealer.next("Call the outcome")
    lines = dealer.settlement()
    assert any("Ann Player 200 owed 50" in line for line in lines), lines


# irregularities


def test_a_wrong_third_card_at_hoiana_leads_to_a_free_hand(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "wrong-third"), "Ann")
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 100})
    dealer.table.do("close-betting")
    dealer.table.draws("7H 6D KS KC")
    dealer.shows("Player wins 7 to 6.")
    dialog = dealer.wrong("Third card to Player")
    dialog.get_by_role("heading", name="Which cards is it about?").wait_for()
    dealer.types("5d")
    dealer.press("Enter")
    dialog.get_by_text("free hand (next round)").wait_for()
    assert "§\u200a7.6" in dialog.inner_text()
    dealer.press("Enter")
    dealer.screen.says("The irregularity is dealt with.")
    dealer.next("Call the outcome")
    dealer.settles()
    dealer.shows("A free hand is due")
    assert dealer.step.get_by_text("§\u200a7.6").is_visible()
    dealer.next("Deal the free hand")
    dealer.page.get_by_text("Free hand", exact=True).wait_for()
    cards = dealer.table.view["cards"]["cards"]
    assert [each["card"] for each in cards] == [card("5D")], "the card drawn in error comes first"
    dealer.lays("2dks5c")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 4)
    dealer.shows("Player")
    dealer.lays("4s")
    dealer.next("Call the outcome")
    dealer.next("Open betting")


def test_patrons_draw_the_cards_in_the_high_limit_area(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "patrons-draw"), "Ann", "Bob")
    dealer.next("Open betting")
    dealer.shows("No more bets")
    dealer.types("1000p")
    dealer.press("ArrowDown")
    dealer.types("800b")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 2)
    dealer.next("Close betting")
    dealer.step.get_by_role("button", name="Ann", exact=True).click()
    dealer.shows("Ann draws the cards")
    dealer.lays("xxxx")
    dealer.next("Pass Player to Ann")
    dealer.lays("2h3s")
    dealer.next("Pass Banker to Bob")
    dealer.lays("kd3c")
    dealer.shows("Ann draws the cards")
    dealer.lays("x")
    dealer.shows("Player is squeezed by")
    dealer.lays("6c")
    dealer.page.get_by_label("Card to Banker").wait_for()
    dealer.lays("x")
    dealer.shows("Banker is squeezed by")
    dealer.lays("9d")
    dealer.shows("Banker wins 2 to 1.")
    dealer.next("Call the outcome")
    view = dealer.table.view
    assert view["desk"]["device_holder"] is None, "who loses gives the device up"
    assert any("Bob Banker · 1 to 1 +800" in line for line in dealer.settlement())


def test_a_differential_is_met_at_marina_bay_sands(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "uneven"), "Ann", "Bob")
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 3000}, Bob={"banker": 500})
    dealer.next("Close betting")
    dealer.shows("Differential exceeded")
    dealer.next("Ask Player to decrease")
    dealer.shows("Not answered yet: Ann.")
    dealer.cell("Ann", "Player").click()
    dealer.types("-500")
    dealer.press("Enter")
    dealer.shows("Player is 1,000 over the differential.")
    dealer.shows("Pit Manager takes wagers off")
    dealer.cell("Bob", "Banker").click()
    dealer.types("400")
    dealer.press("Enter")
    dealer.shows("Player is 600 over the differential.")
    dealer.step.get_by_label("1 Ann").fill("600")
    dealer.step.get_by_role("button", name="Take off").click()
    dealer.approves("Pit Manager")
    dealer.page.get_by_label("Card to Player").wait_for()
    totals = {each["wager"]: each["stake"] for each in dealer.table.view["totals"]["totals"]}
    assert totals == {"player": 190_000, "banker": 90_000}


def test_a_differential_must_be_met_at_hoiana_before_the_cards(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "uneven-hoiana"), "Ann", "Bob")
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 3000}, Bob={"banker": 500})
    dealer.next("Close betting")
    dealer.shows("Differential exceeded")
    assert dealer.step.get_by_text("§\u200a4.3.1").is_visible()
    dealer.cell("Ann", "Player").click()
    dealer.types("-500")
    dealer.press("Enter")
    dealer.shows("Player is 1,000 over the differential.")
    dealer.cell("Ann", "Player").click()
    dealer.types("-1000")
    dealer.press("Enter")
    dealer.lays("9h2dks5c")
    dealer.shows("Player wins 9 to 7.")
    dealer.next("Call the outcome")
    lines = dealer.settlement()
    assert any("Ann Player · 1 to 1 +1,500" in line for line in lines), "all that lies there is in action"


def test_cards_of_a_patron_who_has_gone_are_made_up_for(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "gone"), "Ann", "Bob")
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 200}, Bob={"banker": 100})
    dealer.table.do("close-betting")
    dealer.lays("xxxx")
    dealer.next("Pass Player to Ann")
    dealer.shows("Player is squeezed by")
    dialog = dealer.wrong("left with cards")
    dialog.get_by_role("heading", name="Is the value of the cards known?").wait_for()
    dealer.press("n")  # that it is Ann the table knows: the cards lie with her
    dialog.get_by_text("in the presence of Gaming Shift Manager").wait_for()
    assert "§\u200a5.11.1" in dialog.inner_text()
    dealer.press("Enter")
    dealer.page.get_by_label("The 2 cards set aside, in order").wait_for()
    entry = dealer.page.locator("[data-entry]")
    assert entry.get_attribute("type") == "password", "nobody reads the faces"
    dealer.types("4h6d")
    backs = dealer.step.get_by_role("img", name="Card face down")
    dealer.screen.until(lambda: backs.count() == 2)
    assert dealer.step.get_by_role("img", name="four of hearts").count() == 0
    dealer.press("Enter")
    dealer.approves("Gaming Shift Manager")
    dealer.shows("Open Banker first: nobody took these cards along.")
    dealer.lays("kcqd")
    dealer.shows("All other cards are sorted and shown.")
    # Banker lies open: both cards of Player and the two set aside are lacking besides
    dealer.lays("4h6d2s9h")
    dealer.approves("Pit Manager")
    dealer.shows("Equal cards from a complete deck")
    assert dealer.table.view["phase"]["case"]["waits"] == "substitutes"
    dealer.lays("2s9h")
    dealer.screen.until(lambda: dealer.table.view["phase"]["case"] is None)
    # the hands lie open now, Player with 1 and Banker with 0; third cards are those that were set aside
    for lying in (5, 6):
        dealer.next("Deal the card that was set aside")
        dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == lying)  # noqa: B023
    dealer.shows("Banker wins 6 to 5.")
    dealer.next("Call the outcome")
    dealer.settles()
    dealer.shows("New cards")


def test_a_hand_is_delivered_to_be_squeezed(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "squeezed"), "Ann", "Bob", "Cy")
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 300}, Bob={"player": 500}, Cy={"banker": 100})
    dealer.table.do("close-betting")
    dealer.lays("xxxx")
    dealer.shows("Player goes to")
    dealer.shows("Bob")
    dealer.step.get_by_role("button", name="Bob declines").click()
    dealer.next("Pass Player to Ann")
    dealer.page.get_by_text("with Ann").wait_for()
    dealer.lays("4h4d")
    dealer.next("Pass Banker to Cy")
    dealer.lays("2s3c")
    dealer.shows("Player wins 8 to 5.")
    dealer.next("Call the outcome")


def test_a_void_waits_for_the_pit_manager_and_everything_goes_back(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "voided"), "Ann")
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 100, "tie": 20})
    dealer.table.do("close-betting")
    dealer.lays("9h2d")
    dialog = dealer.wrong("foreign card")
    dialog.get_by_text("the round is void").wait_for()
    dialog.get_by_label("Note to the record").fill("a card with a blue back")
    dialog.get_by_role("button", name="Report it").click()
    dealer.shows("Pit Manager must decide.")
    alerts = dealer.page.get_by_role("button", name="alert")
    alerts.click()
    dealer.page.get_by_role("dialog", name="Alerts to acknowledge").get_by_text("Foreign card").wait_for()
    dealer.press("Escape")
    dealer.next("Confirm the facts")
    dealer.approves("Pit Manager")
    lines = dealer.settlement()
    assert any("Ann Player 100" in line for line in lines), lines
    assert any("Ann Tie 20" in line for line in lines), lines
    alerts.wait_for(state="detached")  # the post that confirmed has seen it


# the shoe, pauses


def test_the_last_hands_of_a_shoe(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "shoes"))
    dealer.next("Open betting")
    dealer.next("Close betting")
    dealer.lays("9h2d")
    dealer.step.get_by_role("button", name="Cutting card is out").click()
    dealer.screen.says("The cutting card is put aside.")
    dealer.lays("ks5c")
    dealer.next("Call the outcome")
    dealer.page.get_by_text("Last hand").wait_for()
    dealer.next("Open betting")
    dealer.next("Close betting")
    dealer.lays("9h2dks5c")
    dealer.next("Call the outcome")
    dealer.next("Load 8 new decks")
    dealer.shows("A new shoe")


def test_a_table_is_paused_resumed_and_closed(visit: Visit, house: Server) -> None:
    dealer = ready(dealer_at(visit, house, "paused"))
    dealer.shows("Place your bets, please")
    dealer.screen.button("More").click()
    dialog = dealer.page.get_by_role("dialog", name="More")
    dealer.press("Escape")
    dialog.wait_for(state="hidden")
    assert dealer.page.evaluate("document.activeElement.tagName") == "BODY", "space is for the next step"
    dealer.screen.button("More").click()
    dialog.get_by_label("Reason").fill("a spilled drink!")
    dialog.get_by_role("button", name="Pause").click()
    dealer.shows("The table is paused")
    dealer.shows("a spilled drink!")
    dealer.next("Resume")
    dealer.shows("Place your bets, please")
    dealer.screen.button("More").click()
    dialog.get_by_label("Reason").fill("end of the shift")
    dialog.get_by_role("button", name="Close the table").click()
    dealer.shows("Everything is ready")


# what every screen must keep


# each language on screens of two sizes, in both lights
LOOKS = {
    "en": (("phone", "light"), ("tablet", "dim")),
    "zh-Hans": (("phone", "dim"), ("desk", "light")),
}


@pytest.mark.parametrize("language", LOOKS)
def test_the_console_fits_its_screen_and_can_be_touched_and_read(
    visit: Visit, house: Server, language: str
) -> None:
    dealer = dealer_at(visit, house, f"looks-{language.lower()}", size=WIDTHS["phone"], language=language)
    table = ready(dealer, "Ann", "Bob").table
    dialog = dealer.page.get_by_role("dialog")

    def keeps(state: str) -> None:
        for size, room in LOOKS[language]:
            assert dealer.screen.turned(size, room).flaws() == [], (state, size)

    dealer.page.get_by_role("grid").wait_for()
    table.do("open-betting")
    table.wagers(Ann={"player": 100}, Bob={"banker": 200, "tie": 20})
    for amount in ("100", "200", "20"):
        dealer.page.get_by_role("gridcell").filter(has_text=amount).first.wait_for()
    keeps("betting")
    dealer.press("+")
    dialog.wait_for()
    keeps("somebody comes")
    dealer.press("Escape")
    dialog.wait_for(state="hidden")
    table.do("close-betting")
    dealer.page.locator("[data-entry]").wait_for()
    table.draws("7H 2D KS 3C")
    dealer.screen.until(lambda: dealer.page.locator("main [role=img][aria-label]").count() >= 4)
    keeps("dealing")
    dealer.press("F1")
    dialog.get_by_role("searchbox").wait_for()
    keeps("something is wrong")
    dealer.press("Escape")
    dialog.wait_for(state="hidden")
    table.draws("9S")
    table.do("call-outcome", winner=table.view["phase"]["awaited"]["winner"])
    dealer.page.get_by_role("listitem").filter(has_text="Bob").first.wait_for()
    keeps("taking and paying")
