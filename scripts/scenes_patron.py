"""Scenes at terminals: wagers, cards, results, questions, and what happens when something fails."""

import re

from screens.browser import WIDTHS
from screens.dealing import Table, card, felt
from screens.floors import GAMES, table
from screens.patrons import Patron

from scenes import PATIENT, TIMES, Scene, Stage

WIDE = 'differential = "1000000"\n'
AT_TERMINALS = "terminal = true\n" + WIDE
NEXT_MARKS = "next_marks = true\n"
LAYOUT_K = 'layout = "K"\npositions = 8\n'
WAITING = "{ betting = 600, warning = 5, card = 0.02, between = 0.3, offer = 45 }"
SQUEEZED = WIDE + 'method = "A"\nface_down = true\n'
GOES_DOWN = "WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource"


def stakes(patron: Patron, chip: str, *wagers: str) -> None:
    """Put one chip on each of these wagers, and wait until they are taken."""
    patron.chip(chip)
    for wager in wagers:
        before = patron.staked()
        patron.area(wager).click()
        patron.screen.until(lambda: patron.staked() != before)  # noqa: B023


def a_round(stage: Stage) -> None:
    """A round at a terminal from the first chip to why it paid what it paid."""
    shoe = stage.dealt("tiger").rounds(42, seed=11)
    patron = stage.patron("tiger", 3, "Mei", room="dim")
    patron.screen.field("Your name at the table").fill("Mei")
    stage.take(patron.screen, "terminal-sit")
    patron.sit(buys="5,000")
    others = [stage.patron("tiger", place, name) for place, name in ((1, "Arun"), (4, "Sofia"))]
    for other in others:
        other.sit(buys=None)
    shoe.table.do("open-betting")
    patron.betting()
    stakes(patron, "SGD 500", "Banker", "Banker")
    stakes(patron, "SGD 100", "Tiger", "Tiger Pair")
    stakes(patron, "SGD 50", "Tie")
    stage.take(patron.screen, "terminal-betting", all_colours=True)
    patron.chip("SGD 500")
    patron.area("Tiger").click()
    patron.reason()
    stage.take(patron.screen, "terminal-refused")
    shoe.table.do("close-betting")
    shoe.table.draws("KS AC 5H 2H")
    stage.take(patron.screen, "terminal-dealing")
    shoe.table.draws("TD 3S")
    shoe.table.do("call-outcome", winner="banker")
    patron.page.get_by_label("Your last result").wait_for()
    stage.take(patron.screen, "terminal-result", all_colours=True)
    patron.screen.button("Why?").click()
    patron.page.get_by_role("dialog").get_by_role("article").first.wait_for()
    stage.take(patron.screen, "terminal-why")
    patron.page.keyboard.press("Escape")
    patron.screen.button("History").click()
    dialog = patron.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Wagers and road").first.click()
    dialog.get_by_text("The road as it stood").first.wait_for()
    stage.take(patron.screen, "terminal-history")
    patron.page.keyboard.press("Escape")
    patron.screen.button("Pays").click()
    patron.page.get_by_role("dialog").get_by_text("wins").first.wait_for()
    stage.take(patron.screen, "terminal-pays")
    patron.page.keyboard.press("Escape")
    patron.screen.button("Receipts").click()
    dialog.get_by_text("placed on Tie").first.click()
    stage.take(patron.screen, "terminal-receipts")
    patron.page.keyboard.press("Escape")
    patron.screen.button("Enlarge: Big road").click()
    dialog.get_by_text("If Banker").wait_for()
    stage.take(patron.screen, "terminal-road")


def sizes(stage: Stage) -> None:
    """Other games, a phone, a tablet, the light room, and layouts with Chinese labels."""
    for name, place, how, chips, wagers in (
        ("super-six", 1, {}, "SGD 100", ("Player", "Super Six", "Player Pair")),
        ("hoiana-tiger", 2, {"size": WIDTHS["tablet"]}, "USD 100", ("Banker", "Big Tiger", "Banker Pair")),
        ("tiger-nc", 4, {"size": WIDTHS["phone"], "room": "dim"}, "SGD 100", ("Banker", "Tiger", "Tie")),
    ):
        shoe = stage.dealt(name).rounds(24, seed=place)
        patron = stage.patron(name, place, "Sofia", **how).sit(buys="1,000")
        shoe.table.do("open-betting")
        patron.betting()
        stakes(patron, chips, *wagers)
        stage.take(patron.screen, f"terminal-{name}")
    shoe = stage.dealt("chinese-j").rounds(24, seed=5)
    patron = stage.patron("chinese-j", 4, "丽华", language="zh-Hans")
    patron.screen.field("您在桌上的称呼").fill("丽华")
    patron.screen.button("入座").click()
    patron.page.get_by_role("button", name=re.compile("^余额")).first.click()
    dialog = patron.page.get_by_role("dialog")
    dialog.get_by_role("button", name="5,000", exact=True).click()
    dialog.get_by_role("button", name=re.compile("^购买")).click()
    shoe.table.do("open-betting")
    stakes(patron, "SGD 100", "庄", "龙虎", "大虎")
    stage.take(patron.screen, "terminal-chinese-j")
    # the post that confirms facts has compared the misprinted pay panel
    pit = Table(stage.visit("/sign-in", post="pit-manager"), "chinese-k").staffed(post="pit-manager")
    pit.do("tick-equipment", item="pay-panel")
    shoe = stage.dealt("chinese-k").rounds(24, seed=6)
    patron = stage.patron("chinese-k", 4, "Mei", room="dim").sit(buys="5,000")
    shoe.table.do("open-betting")
    stakes(patron, "SGD 100", "Player", "Small Dragon", "Dragon Tiger")
    stage.take(patron.screen, "terminal-chinese-k")


def squeeze(stage: Stage) -> None:
    """A hand that lies with a patron, the edges of its cards lifted."""
    patron = stage.patron("squeezed", 4, "Mei", room="dim").sit(buys="1,000")
    dealer = stage.behind("dealer").on_duty("squeezed")
    for _ in range(16):
        patron.betting()
        dealer.closes("squeezed")
        patron.screen.until(lambda: dealer.phase("squeezed")["phase"] != "closed")
        patron.screen.until(lambda: dealer.phase("squeezed")["phase"] == "betting")
    patron.betting()
    stakes(patron, "SGD 500", "Player")
    dealer.closes("squeezed")
    patron.screen.heading("You hold Player").wait_for()
    cards = patron.page.get_by_role("slider")
    for at, steps in ((0, 5), (1, 3)):
        cards.nth(at).focus()
        for _ in range(steps):
            patron.page.keyboard.press("ArrowUp")
    patron.page.get_by_role("img", name=re.compile(" of ")).first.wait_for()
    stage.take(patron.screen, "terminal-squeeze")


def offer(stage: Stage) -> None:
    """Two cards came out together, and patrons may take their wagers back."""
    shoe = stage.dealt("electronic").rounds(20, seed=8)
    patron = stage.patron("electronic", 4, "Arun", room="dim").sit(buys="1,000")
    shoe.table.do("open-betting")
    patron.betting()
    stakes(patron, "SGD 100", "Player", "Tie", "Small Tiger")
    shoe.table.do("close-betting")
    shoe.table.draws("9H", together=[card("2D")], order_known=True)
    patron.page.get_by_role("dialog", name="Withdraw or stay?").get_by_role("timer").wait_for()
    stage.take(patron.screen, "terminal-offer")


def power(stage: Stage) -> None:
    """The server is gone, and is back."""
    shoe = stage.dealt("held").rounds(20, seed=9)
    patron = stage.patron("held", 2, "Sofia", room="dim").sit(buys="1,000")
    patron.screen.expect_error(GOES_DOWN)
    shoe.table.do("open-betting")
    patron.betting()
    stakes(patron, "SGD 100", "Banker", "Tiger")
    shoe.table.do("close-betting")
    shoe.table.draws("9H 4D")
    stage.server.kill()
    patron.screen.says("The connection is lost.")
    stage.take(patron.screen, "terminal-connection-lost")
    stage.server.start()
    patron.screen.says(re.compile("was interrupted. Your wagers are safe"))
    patron.screen.says("The connection is back, with everything that happened meanwhile.")
    stage.take(patron.screen, "terminal-held")


PATRON: tuple[Scene, ...] = (
    Scene("terminal-round", felt("tiger", GAMES["tiger"], AT_TERMINALS + NEXT_MARKS, TIMES), a_round),
    Scene(
        "terminal-sizes",
        "".join(
            (
                felt("super-six", GAMES["super-six"], timers=TIMES),
                felt("hoiana-tiger", GAMES["hoiana-tiger"], AT_TERMINALS, TIMES),
                felt("tiger-nc", GAMES["tiger-nc"], AT_TERMINALS, TIMES),
                felt("chinese-j", GAMES["dragon-tiger"], AT_TERMINALS + 'layout = "J"\n', TIMES),
                felt("chinese-k", GAMES["dragon-tiger"], AT_TERMINALS + LAYOUT_K, TIMES),
            )
        ),
        sizes,
    ),
    Scene("terminal-squeeze", table("squeezed", GAMES["tiger"], WAITING, SQUEEZED), squeeze),
    Scene(
        "terminal-offer",
        felt("electronic", GAMES["tiger"], AT_TERMINALS + 'device = "electronic"\n', PATIENT),
        offer,
    ),
    Scene("terminal-power", felt("held", GAMES["tiger"], AT_TERMINALS, PATIENT), power),
)
