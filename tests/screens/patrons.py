"""Patrons at terminals and the staff behind them, as tests of the terminal need them."""

import re
import secrets
from typing import Any

from playwright.sync_api import Locator, Page
from screens.browser import Screen
from screens.conftest import Visit
from screens.floors import PAUSE
from server.served import Server


class Patron:
    """Somebody at a terminal of a table, in a browser of their own."""

    def __init__(self, visit: Visit, server: Server, table: str, number: int, **how: Any) -> None:
        self.table = table
        self.server = server
        self.screen: Screen = visit(None, at=server, **how)
        self.name = f"Pat {secrets.token_hex(3)}"
        self._terminal = self.screen.ask("/demo/seat", "terminal", {"terminal": f"{table}-{number}"})
        assert self._terminal.get("kind") == "terminal", self._terminal

    @property
    def page(self) -> Page:
        """The page of the terminal."""
        return self.screen.page

    def comes(self) -> "Patron":
        """Come to the terminal, where nobody sits yet."""
        self.screen.open("/terminal")
        return self

    def sit(self, buys: str | None = "1,000") -> "Patron":
        """Sit down under a name with credits, by commands, and look at the felt."""
        terminal, position = self._terminal["name"], self._terminal["position"]
        self._does("/floor", type="open-patron-session", terminal=terminal, patron=self.name)
        self.does(type="come-to-table", patron=self.name, position=position)
        if buys:
            self.does(type="buy-credits", terminal=self.name, amount=int(buys.replace(",", "")) * 100)
        self.comes().page.get_by_role("group", name="Your playing areas").wait_for()
        return self

    def does(self, **command: Any) -> None:
        """Something that the table must take from the terminal."""
        self._does(f"/tables/{self.table}", **command)

    def _does(self, where: str, **command: Any) -> None:
        form = {"command_id": secrets.token_hex(16), "command": command}
        answer = self.screen.ask(f"{where}/commands", "terminal", form)
        assert answer.get("type") == "accepted", answer

    @property
    def credits(self) -> str:
        """The credits that the terminal shows."""
        return self.page.get_by_role("button", name=re.compile("^Credits")).inner_text()

    def area(self, wager: str) -> Locator:
        """The playing area of a wager."""
        return self.page.get_by_role("button", name=re.compile(rf"^{wager} (?:[^\x00-\x7f]+ )?\d"))

    def chip(self, value: str) -> None:
        """Take a chip into the hand."""
        self.page.get_by_role("radio", name=value, exact=True).check(force=True)

    def wagers(self, wager: str, amount: str) -> None:
        """Put one chip of the table's currency on a wager."""
        self.chip(f"SGD {amount}")
        self.area(wager).click()
        self.accepted(wager, amount)

    def accepted(self, wager: str, amount: str) -> None:
        """Wait until the server has taken so much on a wager."""
        self.screen.until(lambda: self.lies(wager) == amount)

    def lies(self, wager: str) -> str:
        """The stake that is shown as accepted on a wager."""
        found = re.search(r"([\d,.]+) accepted", self.area(wager).text_content() or "")
        return found[1] if found else ""

    def own(self) -> Any:
        """The section of this patron, by the server."""
        return self.view()["own"]

    def staked(self) -> dict[str, int]:
        """The stake by the server's account, in minor units."""
        return {each["wager"]: each["stake"] for each in self.own()["wagers"]}

    def betting(self) -> None:
        """Wait until bets are open; a pause between rounds goes by at once."""
        called = self.page.get_by_role("status").get_by_text("Place your bets, please")

        def opened() -> bool:
            if self.view()["phase"]["phase"] == "idle":
                self.server.move(PAUSE)
            return called.is_visible()

        self.screen.until(opened)

    def view(self) -> Any:
        """The table as this patron sees it."""
        return self.screen.ask(f"/tables/{self.table}", "terminal")["view"]

    def reason(self) -> str:
        """Why something was refused, as it is shown above the felt."""
        alert = self.page.get_by_role("main").locator("p[role=alert]").last
        alert.wait_for()
        return alert.inner_text()


class Behind:
    """A member of staff who acts without a console of their own."""

    def __init__(self, visit: Visit, server: Server, post: str) -> None:
        self.post = post
        self.screen: Screen = visit(None, at=server, post=post)

    def on_duty(self, table: str) -> "Behind":
        """Come on duty at a table."""
        self.does(table, type="come-on-duty", person=self.post, post=self.post)
        return self

    def does(self, table: str, **command: Any) -> None:
        """Something that the table must take."""
        form = {"command_id": secrets.token_hex(16), "command": command}
        answer = self.screen.ask(f"/tables/{table}/commands", "staff", form)
        assert answer.get("type") == "accepted", answer

    def floor(self, **command: Any) -> None:
        """Something that the floor must take."""
        form = {"command_id": secrets.token_hex(16), "command": command}
        answer = self.screen.ask("/floor/commands", "staff", form)
        assert answer.get("type") == "accepted", answer

    def phase(self, table: str) -> Any:
        """How far a table is."""
        return self.screen.ask(f"/tables/{table}", "staff")["view"]["phase"]

    def closes(self, table: str) -> None:
        """Close the betting."""
        self.does(table, type="close-betting")
