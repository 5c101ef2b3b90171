"""A dealer at a felt table in a real browser, and the table brought to where a test begins by commands."""

import re
import secrets
from typing import Any

from playwright.sync_api import Locator, Page
from screens.browser import Screen
from screens.conftest import Visit
from server.served import Server

RANKS = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}
A_CODE = 30  # seconds until a second factor has the next code; each is good once
Answer = dict[str, Any]


def felt(name: str, game: str, more: str = "", timers: str = "{ offer = 600 }") -> str:
    """A training table with a felt and a dealer, as a floor file has it; cards that are named lie open."""
    return f"""
[[table]]
name = "{name}"
game = "{game}"
training = true
automatic = ["expose"]
timers = {timers}
{more}
"""


def card(text: str) -> Answer | None:
    """A card such as 9H or TS, or nothing for one that stays face down."""
    if text == "?":
        return None
    return {"rank": RANKS.get(text[0]) or int(text[0]), "suit": text[1]}


class Table:
    """A table that is brought along by commands of whoever is signed in at a screen."""

    def __init__(self, screen: Screen, name: str) -> None:
        self.screen = screen
        self.name = name

    def send(self, kind: str, **fields: Any) -> Answer:
        """Have a command decided; the answer."""
        form = {"command_id": secrets.token_hex(8), "command": {"type": kind, **fields}}
        answer: Answer = self.screen.ask(f"/tables/{self.name}/commands", "staff", form)
        return answer

    def do(self, kind: str, **fields: Any) -> None:
        """Have a command carried out."""
        answer = self.send(kind, **fields)
        assert answer.get("type") == "accepted", (kind, fields, answer)

    @property
    def view(self) -> Answer:
        """The table as staff see it."""
        view: Answer = self.screen.ask(f"/tables/{self.name}", "staff")["view"]
        return view

    def staffed(self, *, post: str = "dealer") -> "Table":
        """Come on duty."""
        self.do("come-on-duty", person=post, post=post)
        return self

    def opened(self, *, cut: bool = True, burn: bool = True) -> "Table":
        """Everything ticked, the table open, its cards loaded, cut and burned where the game burns."""
        rules = self.view["rules"]
        for item in self.view["desk"]["missing_equipment"]:
            self.do("tick-equipment", item=item)
        self.do("open-table")
        self.do("load-shoe", decks=self.view["setup"]["decks"])
        if cut:
            self.do("cut-cards", depth=100)
        if burn and rules["burn"]:
            self.do("burn-cards", first=card("5H"))
        return self

    def seated(self, *names: str) -> "Table":
        """Patrons at the positions from the first on."""
        for number, name in enumerate(names, start=1):
            self.do("come-to-table", patron=name, position=number)
        return self

    def wagers(self, **stakes: dict[str, int]) -> "Table":
        """The stakes of patrons on each wager, in whole units."""
        places = {each["name"]: each["position"] for each in self.view["people"]["patrons"]}
        for patron, on in stakes.items():
            for wager, amount in on.items():
                self.do(
                    "place-wager",
                    patron=patron,
                    wager=wager.replace("_", "-"),
                    amount=amount * 100,
                    position=places[patron],
                )
        return self

    def draws(self, cards: str, **more: Any) -> "Table":
        """Cards one after another."""
        for each in cards.split():
            self.do("draw-card", card=card(each), **more)
        return self

    def round(self, cards: str = "9H 2D KS 5C", winner: str = "player") -> "Table":
        """A whole round without wagers."""
        self.do("open-betting")
        self.do("close-betting")
        self.draws(cards)
        self.do("call-outcome", winner=winner)
        return self


class Dealer:
    """The dealer console of a table."""

    def __init__(self, screen: Screen, table: Table, server: Server) -> None:
        self.screen = screen
        self.page: Page = screen.page
        self.table = table
        self.server = server

    @property
    def step(self) -> Locator:
        """The next step."""
        return self.page.get_by_role("region", name="The next step")

    def shows(self, text: str | re.Pattern[str]) -> Locator:
        """Something in the next step, once it is there."""
        found = self.step.get_by_text(text).first
        found.wait_for()
        return found

    def press(self, *keys: str) -> None:
        """Keys one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def types(self, text: str) -> None:
        """Type wherever the focus is."""
        self.page.keyboard.type(text)

    def next(self, expected: str) -> None:
        """The main button by its key, once it says what is expected; it waits for the answer."""
        button = self.step.get_by_role("button", name=expected, exact=True)
        button.wait_for()
        self.screen.until(button.is_enabled)
        self.page.locator("dialog[open]").wait_for(state="hidden")
        self.press("Space")
        self.page.locator("[data-main][aria-busy]").wait_for(state="detached")

    def lays(self, cards: str) -> None:
        """Cards typed one after another and laid, once the console takes keys again after an interruption."""
        entry = self.page.locator("[data-entry]:not([aria-disabled])")
        entry.wait_for()
        entry.focus()
        self.types(cards)
        self.press("Enter")

    def settles(self) -> None:
        """Everything is taken and paid, line by line."""
        balanced = self.page.get_by_text("Balanced")
        self.page.get_by_text("takes and pays").wait_for()
        while not balanced.is_visible():
            self.press("Space")

    def settlement(self) -> list[str]:
        """The lines of the settlement as they are read."""
        section = self.page.get_by_role("region", name=re.compile("takes and pays|is void"))
        section.wait_for()
        return [" ".join(each.split()) for each in section.get_by_role("listitem").all_inner_texts()]

    def cell(self, patron: str, wager: str) -> Locator:
        """A cell of the felt."""
        return self.page.get_by_role("gridcell", name=re.compile(rf"{patron}, {wager}:"))

    # something is wrong

    def wrong(self, situation: str) -> Locator:
        """Something is wrong: the situation is found by its name and chosen; the dialog that asks."""
        self.page.get_by_role("button", name="Something is wrong").wait_for()  # the console is up
        self.press("F1")
        dialog = self.page.get_by_role("dialog", name="Something is wrong")
        dialog.get_by_role("searchbox").fill(situation)
        self.press("Enter")
        return dialog

    def approves(self, post: str) -> None:
        """Somebody in a post approves at this console, and comes on duty first where that is needed."""
        dialog = self.page.get_by_role("dialog", name=re.compile("approval|second person"))
        dialog.wait_for()
        self.server.move(A_CODE)
        dialog.get_by_role("button", name=post, exact=True).click()
        reason = dialog.get_by_label("Why it is put right")
        if reason.count():
            reason.fill("seen by both")
        self.screen.until(lambda: dialog.get_by_label("Password").input_value() != "")
        dialog.get_by_role("button", name="Approve").click()
        dialog.wait_for(state="hidden")


def dealer_at(visit: Visit, server: Server, name: str, **how: Any) -> Dealer:
    """A dealer signed in at the console of a table, on duty there."""
    screen = visit(None, at=server, post="dealer", **how)
    table = Table(screen, name).staffed()
    screen.open(f"/dealer?table={name}")
    return Dealer(screen, table, server)


def closed(visit: Visit, server: Server, name: str, *, burn: bool = True) -> Dealer:
    """A table of which betting is closed: Ann has 200 on Player, Bob 100 on Banker."""
    dealer = dealer_at(visit, server, name)
    dealer.table.opened(burn=burn).seated("Ann", "Bob").do("open-betting")
    dealer.table.wagers(Ann={"player": 200}, Bob={"banker": 100})
    dealer.table.do("close-betting")
    dealer.page.locator("[data-entry]").wait_for()
    return dealer
