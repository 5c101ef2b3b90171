"""A trainee who goes through an exercise in ordinary dealing, by keyboard."""

import re

from playwright.sync_api import Locator
from screens.browser import Screen
from server.served import Server

SEED = "Seed, if you want the same again"
# seed 1 of Tiger Baccarat, one round: Player 3♣ Q♣ has 3 and draws 7♠ (3.15.T2), Banker Q♥ A♥ has 1 and draws
# 6♦ (3.15.T4): 0 against 7. Bob has 135.00 on Banker at 0.95 to 1 (4.1.T1), all other wagers lose.
RIGHT = ["p", "b", "cards", "t", "t", "p", "amount", "t"]
CARDS = "3cqhqcah7s6d"
PAYOUT = "128.25"


class Exercise:
    """An exercise that somebody goes through by keyboard."""

    def __init__(self, screen: Screen, server: Server) -> None:
        self.screen, self.server, self.page = screen, server, screen.page

    def begins(self, seed: str = "1", rounds: str = "1") -> "Exercise":
        """Choose the game, the rounds and the seed, and begin."""
        self.screen.field("Game").select_option("mbs-tiger-v3")
        self.screen.field("Rounds").fill(rounds)
        self.screen.field(SEED).fill(seed)
        self.screen.button("Begin").click()
        return self.shows("Whose card comes next?")

    def shows(self, question: str) -> "Exercise":
        """See a question that waits for its answer."""
        self.screen.heading(question).wait_for()
        self.page.get_by_role("heading", name=re.compile("^(Right|Not right)")).wait_for(state="detached")
        return self

    def types(self, *keys: str) -> None:
        """Press keys; an exercise takes none while its answer is on the way."""
        for key in keys:
            if key == "cards":
                self.page.keyboard.type(CARDS)
            elif key == "amount":
                self.page.keyboard.type(PAYOUT)
            else:
                self.page.keyboard.press(key)
            if key in ("cards", "amount"):
                self.page.keyboard.press("Enter")

    def checked(self, *, right: bool) -> Locator:
        """See whether the answer was right, and why."""
        self.page.get_by_role("heading", name=re.compile("^Right" if right else "^Not right")).wait_for()
        return self.page.get_by_role("status").filter(has_text="Right")

    def goes_on(self, key: str = " ") -> None:
        """Go on to the next question by the key of the main step."""
        self.screen.button("Next question").wait_for()
        self.page.keyboard.press(key)
        self.screen.button("Next question").wait_for(state="detached")

    def skill(self, name: str) -> list[str]:
        """The figures of a skill in the result: questions, right ones, accuracy, seconds, cards a minute."""
        table = self.page.get_by_role("region", name="By skill")
        return table.get_by_role("row", name=name).get_by_role("cell").all_inner_texts()
