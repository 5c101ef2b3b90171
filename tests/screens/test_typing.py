"""Typing at the dealer console: whole rounds in one burst, however late the server's answers come."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from screens.browser import Screen
from screens.conftest import Visit
from screens.dealing import Answer, Dealer, Table, card, felt
from screens.floors import GAMES
from screens.visits import Sessions
from server.served import Server

pytestmark = pytest.mark.timed

# milliseconds by which answers to commands and news of the table come late; in either order
# the longest is longer than the pause after which the console counts a dealer as having looked
FELT_DELAYS = ((0, 0), (50, 50), (200, 200), (600, 600), (200, 0), (0, 200))
TERMINAL_DELAYS = ((0, 0), (200, 200), (200, 0), (0, 200))
TEN_ANSWERS = 90_000  # milliseconds for a round with every answer as late as that, on a busy machine
LATE = {"answers": 150, "news": 150}
BURSTS = (
    "twice",
    "natural",
    "refused",
    "again",
    "left-over",
    "handed-back",
    "half-typed",
    "case",
    "late-space",
    "after-a-dialog",
    "tabbed",
    "focused",
    "clicked",
    "tapped",
    "reported-meanwhile",
)
TABLES = "".join(
    (
        *(felt(f"felt-{answers}-{news}", GAMES["tiger"]) for answers, news in FELT_DELAYS),
        *(
            felt(f"terminals-{answers}-{news}", GAMES["super-six"], "terminal = true")
            for answers, news in TERMINAL_DELAYS
        ),
        *(felt(name, GAMES["tiger"]) for name in BURSTS),
    )
)

# holds back what the server says, which a page hears through onmessage, and commands beyond so many that
# pass; these are released then, or refused as a server in trouble would
_SLOW = """([answers, news]) => {
  const late = {accepted: answers, refused: answers, news};
  const held = [];
  let said;
  window.held = held;
  window.passing = Infinity;
  window.release = (refused) => {
    window.passing = Infinity;
    for (const [command_id, send] of held.splice(0)) {
      if (refused) said({data: JSON.stringify({...refused, type: 'refused', command_id})});
      else send();
    }
  };
  window.WebSocket = class extends WebSocket {
    send(text) {
      const {type, command_id} = JSON.parse(text);
      if (type !== 'command' || window.passing-- > 0) super.send(text);
      else held.push([command_id, () => super.send(text)]);
    }
    set onmessage(hear) {
      said = hear;
      super.onmessage = (event) => {
        const wait = late[JSON.parse(event.data).type] ?? 0;
        if (wait > 0) setTimeout(() => hear.call(this, event), wait);
        else hear.call(this, event);
      };
    }
  };
}"""

# presses the space bar in the very task in which a text comes up
_SPACE_WHEN = """(text) => new MutationObserver((_, observer) => {
  if (!document.body.innerText.includes(text)) return;
  observer.disconnect();
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true, cancelable: true}));
}).observe(document.body, {subtree: true, childList: true, characterData: true})"""


@pytest.fixture(scope="module")
def auditor(house: Server, browser: Browser, sessions: Sessions) -> Iterator[Screen]:
    """An auditor, who reads what was recorded."""
    screen = Screen(browser.new_context(storage_state=sessions(house, "auditor")), house.address)
    yield screen
    screen.context.close()


def console(visit: Visit, house: Server, name: str, *, answers: int = 0, news: int = 0) -> Dealer:
    """A dealer at a table that is open, with Ann at its first position; the server's words come late."""
    screen = visit(None, at=house, post="dealer")
    table = Table(screen, name).staffed().opened()
    if not table.view["setup"]["terminal"]:
        table.seated("Ann")
    screen.page.add_init_script(f"({_SLOW})([{answers}, {news}])")
    screen.open(f"/dealer?table={name}")
    dealer = Dealer(screen, table, house)
    dealer.shows("Place your bets")
    return dealer


def recorded(auditor: Screen, dealer: Dealer) -> list[str]:
    """The commands of the console that were recorded since its table was made ready, the oldest first."""
    answer = auditor.ask(f"/audit/{dealer.table.name}/records?before=0&most=60", "staff")
    told = [_told(each["command"]) for each in reversed(answer["records"]) if each["actor"] == "dealer"]
    return told[told.index("open-betting") :]


def _told(command: Answer) -> str:
    body = command.get("body", command)
    kind = body["type"]
    if kind == "draw-card":
        return f"{kind} {body['card']['rank']}{body['card']['suit']}"
    if kind in ("place-wager", "reduce-wager"):
        return f"{kind} {body['wager']} {body['amount'] // 100}"
    return str(kind)


def refused(dealer: Dealer, keys: str) -> None:
    """Wait until the console says that exactly these keys were not used."""
    dealer.screen.says(f"Not used: {keys}. Look at what the table waits for.")


def dealing(dealer: Dealer) -> Dealer:
    """The console when the first card is due."""
    dealer.table.do("open-betting")
    dealer.table.wagers(Ann={"player": 100})
    dealer.table.do("close-betting")
    dealer.page.locator("[data-entry]").wait_for()
    return dealer


def types_ahead(dealer: Dealer, keys: str) -> None:
    """Type everything before the first command reaches the server."""
    dealer.page.evaluate("window.passing = 0")
    dealer.types(keys)
    dealer.page.evaluate("window.release()")


# whole rounds


@pytest.mark.parametrize(("answers", "news"), FELT_DELAYS)
def test_a_round_at_a_felt_is_typed_in_one_burst(
    visit: Visit, house: Server, auditor: Screen, answers: int, news: int
) -> None:
    dealer = console(visit, house, f"felt-{answers}-{news}", answers=answers, news=news)
    # open, three wagers, close, four cards and both third cards, call, three lines of the settlement
    dealer.types(" 200p100b20t 2h4s3ckh\n4d\n5s\n    ")
    dealer.page.get_by_text("Balanced").wait_for(timeout=TEN_ANSWERS)
    assert recorded(auditor, dealer) == [
        "open-betting",
        "place-wager player 200",
        "place-wager banker 100",
        "place-wager tie 20",
        "close-betting",
        "draw-card 2H",
        "draw-card 4S",
        "draw-card 3C",
        "draw-card 13H",
        "draw-card 4D",
        "draw-card 5S",
        "call-outcome",
    ]
    assert dealer.page.get_by_text("Not used").count() == 0
    # the next round begins at the first cell again
    dealer.next("Open betting")
    dealer.types("300\n")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 1)
    assert dealer.table.view["wagers"]["lying"][0]["wager"] == "player"


@pytest.mark.parametrize(("answers", "news"), TERMINAL_DELAYS)
def test_a_round_at_terminals_is_typed_in_one_burst(
    visit: Visit, house: Server, auditor: Screen, answers: int, news: int
) -> None:
    dealer = console(visit, house, f"terminals-{answers}-{news}", answers=answers, news=news)
    dealer.next("Open betting")
    dealer.shows("Bets are closed")
    # close, three cards and the fourth, a 5 to Player on 2 and a 6 to Banker on 3, call
    for key in ("Space", *"2h9dks", "Enter", *"4c", "Enter", *"5h", "Enter", *"6d", "Enter", "Space"):
        dealer.press(key)
    dealer.screen.until(lambda: dealer.table.view["phase"]["phase"] == "idle", most=TEN_ANSWERS // 1000)
    assert recorded(auditor, dealer) == [
        "open-betting",
        "close-betting",
        "draw-card 2H",
        "draw-card 9D",
        "draw-card 13S",
        "draw-card 4C",
        "draw-card 5H",
        "draw-card 6D",
        "call-outcome",
    ]
    dealer.shows("Place your bets")
    assert dealer.page.get_by_text("Not used").count() == 0


# what was not meant for the step that came


def test_opening_betting_twice_does_not_close_it(visit: Visit, house: Server, auditor: Screen) -> None:
    dealer = console(visit, house, "twice", **LATE)
    types_ahead(dealer, "  ")
    refused(dealer, "Space")
    dealer.shows("No more bets")
    assert recorded(auditor, dealer) == ["open-betting"]


def test_a_third_card_that_is_not_due_is_not_used(visit: Visit, house: Server, auditor: Screen) -> None:
    dealer = console(visit, house, "natural", **LATE)
    types_ahead(dealer, " 100p 9h2dks5c\n4d\n ")
    refused(dealer, "4d Enter Space")
    dealer.shows("Player wins 9 to 7.")
    assert dealer.table.view["phase"]["phase"] == "outcome", "nothing was called"
    dealer.next("Call the outcome")
    dealer.settlement()
    assert [each for each in recorded(auditor, dealer) if each.startswith("draw")] == [
        "draw-card 9H",
        "draw-card 2D",
        "draw-card 13S",
        "draw-card 5C",
    ]


def test_a_card_that_is_refused_drops_what_follows(visit: Visit, house: Server) -> None:
    dealer = dealing(console(visit, house, "refused", **LATE))
    dealer.page.evaluate("window.passing = 2")
    dealer.types("2h4s3ckh\n4d\n ")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 2)
    dealer.table.do("pause-table", reason="a fire alarm")
    dealer.page.evaluate("window.release()")
    dealer.shows("The table is paused")
    refused(dealer, "3ckh4d Enter Space")
    dealer.next("Resume")
    dealer.lays("3ckh")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 4)


def test_a_card_that_is_refused_stays_typed(visit: Visit, house: Server) -> None:
    dealer = dealing(console(visit, house, "again", **LATE))
    dealer.page.evaluate("window.passing = 2")
    dealer.types("2h4s3ckh\n4d\n ")
    dealer.screen.until(lambda: bool(dealer.page.evaluate("window.held.length === 1")))
    refusal = {"reason": "too-many-requests", "clauses": [], "message": "", "params": []}
    dealer.page.evaluate("(refusal) => window.release(refusal)", refusal)
    refused(dealer, "4d Enter Space")
    entry = dealer.page.locator("[data-entry]")
    assert entry.input_value() == "3ckh"
    dealer.screen.until(dealer.screen.button("Enter cards").is_enabled)
    dealer.press("Enter")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 4)


def test_cards_that_are_no_longer_due_are_named(visit: Visit, house: Server) -> None:
    dealer = dealing(console(visit, house, "left-over", **LATE))
    dealer.page.evaluate("window.passing = 2")
    dealer.types("2h4s3ckh\n4d\n ")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 2)
    dealer.table.draws("7C 5H")  # at another console
    dealer.page.evaluate("window.release()")
    dealer.shows("Tie at 9.")
    refused(dealer, "3ckh4d Enter Space")
    view = dealer.table.view
    assert [each["card"] for each in view["cards"]["cards"]] == [
        card(each) for each in ("2H", "4S", "7C", "5H")
    ]
    assert view["phase"]["phase"] == "outcome", "nothing was called"


def test_chips_that_go_back_keep_betting_open(visit: Visit, house: Server, auditor: Screen) -> None:
    dealer = console(visit, house, "handed-back", **LATE)
    types_ahead(dealer, " 5p 2h")
    dealer.screen.says("5 on Player goes back to Ann: it is under the minimum.")
    refused(dealer, "Space 2h")
    assert dealer.table.view["phase"]["phase"] == "betting"
    assert "close-betting" not in recorded(auditor, dealer)


def test_an_amount_that_is_not_placed_keeps_betting_open(visit: Visit, house: Server) -> None:
    dealer = console(visit, house, "half-typed", **LATE)
    types_ahead(dealer, " 300 2h")
    dealer.screen.says("300 is not placed yet.")
    refused(dealer, "2h")
    assert dealer.table.view["phase"]["phase"] == "betting"
    dealer.screen.until(dealer.step.get_by_role("button", name="Close betting").is_enabled)
    dealer.press("Enter")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 1)


# an irregularity that somebody else opens


def manager_at(visit: Visit, house: Server, name: str) -> Table:
    """A pit manager on duty at a table, at another screen."""
    return Table(visit(None, at=house, post="pit-manager"), name).staffed(post="pit-manager")


def test_a_case_in_the_middle_of_a_burst_drops_what_follows(visit: Visit, house: Server) -> None:
    dealer = dealing(console(visit, house, "case", **LATE))
    manager = manager_at(visit, house, "case")
    dealer.page.evaluate("window.passing = 2")
    dealer.types("2h4s3ckh\n4d\n  ")
    manager.screen.until(lambda: len(manager.view["cards"]["cards"]) == 2)
    manager.do("report-irregularity", situation="foreign-card")
    dealer.page.evaluate("window.release()")
    dealer.shows("Pit Manager must decide.")
    refused(dealer, "3ckh4d Enter Space Space")
    view = manager.view
    assert view["phase"]["case"]["waits"] == "confirmation", "no space has confirmed anything"
    assert len(view["cards"]["cards"]) == 2


def test_a_space_in_the_moment_a_case_opens_confirms_nothing(visit: Visit, house: Server) -> None:
    dealer = console(visit, house, "late-space")
    manager = manager_at(visit, house, "late-space")
    dealing(dealer).table.draws("9H 2D KS 5C")
    dealer.shows("Player wins 9 to 7.")
    dealer.page.evaluate(_SPACE_WHEN, "Confirm the facts")
    manager.do("report-irregularity", situation="foreign-card")
    refused(dealer, "Space")
    assert manager.view["phase"]["case"]["waits"] == "confirmation"
    assert dealer.page.get_by_role("dialog").count() == 0, "nobody was asked to approve it"
    dealer.next("Confirm the facts")
    dealer.page.get_by_role("dialog", name=re.compile("approval")).wait_for()


# the focus


def test_amounts_reach_the_felt_after_a_dialog(visit: Visit, house: Server) -> None:
    dealer = console(visit, house, "after-a-dialog")
    dealer.next("Open betting")
    dealer.shows("No more bets")
    dealer.screen.button("More").click()
    dealer.press("Escape")
    dealer.types("300\n")
    dealer.screen.until(lambda: len(dealer.table.view["wagers"]["lying"]) == 1)


def test_a_button_reached_with_the_tab_key_is_pressed_with_enter(visit: Visit, house: Server) -> None:
    dealer = console(visit, house, "tabbed")
    dealer.table.do("open-betting")
    dealer.table.do("close-betting")
    dealer.page.locator("[data-entry]").wait_for()
    button = dealer.step.get_by_role("button", name="Cutting card is out")
    for _ in range(40):
        dealer.press("Shift+Tab")
        if button.evaluate("each => each === document.activeElement"):
            break
    dealer.press("Enter")
    dealer.screen.says("The cutting card is put aside.")
    assert dealer.table.view["phase"]["awaited"]["step"] == "card"


def test_keys_are_kept_when_the_focused_button_changes(visit: Visit, house: Server, auditor: Screen) -> None:
    dealer = console(visit, house, "focused", **LATE)
    dealer.step.get_by_role("button", name="Open betting").focus()
    dealer.types(" 100p 9h2dks5c\n ")
    dealer.settlement()
    assert recorded(auditor, dealer)[-1] == "call-outcome"


def test_a_click_drops_keys_that_wait(visit: Visit, house: Server, auditor: Screen) -> None:
    dealer = console(visit, house, "clicked", **LATE)
    dealer.page.evaluate("window.passing = 0")
    dealer.types(" 100p ")
    dealer.screen.button("People").click()
    refused(dealer, "100p Space")
    dealer.page.evaluate("window.release()")
    dealer.press("Escape")
    dealer.shows("No more bets")
    assert "close-betting" not in recorded(auditor, dealer)


def test_cards_tapped_while_others_are_on_their_way_are_kept(
    visit: Visit, house: Server, auditor: Screen
) -> None:
    dealer = dealing(console(visit, house, "tapped", **LATE))
    pad = dealer.page.get_by_role("group", name="All cards")
    lay = dealer.page.get_by_role("button", name="Enter cards", exact=True)
    for name in ("two of hearts", "four of spades", "three of clubs", "king of hearts"):
        pad.get_by_role("button", name=name).click()
    dealer.page.evaluate("window.passing = 0")
    lay.click()
    pad.get_by_role("button", name="ace of diamonds").click()
    dealer.page.evaluate("window.release()")
    lay.click()  # once the first four lie, for the third card of Player
    dealer.shows("Player wins 6 to 4.")
    cards = [each for each in recorded(auditor, dealer) if each.startswith("draw-card")]
    assert cards == [f"draw-card {each}" for each in ("2H", "4S", "3C", "13H", "1D")]


def test_something_wrong_is_chosen_while_typed_cards_are_still_laid(visit: Visit, house: Server) -> None:
    """Clause 5.1: the second card of the line is on its way when the report is begun by keys."""
    dealer = dealing(console(visit, house, "reported-meanwhile"))
    dealer.page.evaluate("window.passing = 0")
    dealer.types("9h2d")
    dealer.press("Enter", "F1")
    dialog = dealer.page.get_by_role("dialog", name="Something is wrong")
    dialog.get_by_role("searchbox").fill("foreign card")
    dealer.page.evaluate("window.release(); window.passing = 0")  # the second card leaves, and is held
    dealer.screen.until(lambda: dealer.page.evaluate("window.held.length") == 1)
    dealer.press("Enter")
    dialog.get_by_text("the round is void").wait_for()
    dealer.page.evaluate("window.release()")
    dealer.screen.until(lambda: len(dealer.table.view["cards"]["cards"]) == 2)
