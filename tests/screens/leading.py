"""A trainee who deals at a table with a trainer, and the trainer who lets things go wrong there."""

import re
from collections.abc import Callable

from screens.browser import Screen
from screens.dealing import Dealer, Table
from server.served import Server

Visit = Callable[..., Screen]


class LedTrainee(Dealer):
    """A person who deals at a table with a trainer."""

    @property
    def told(self) -> list[str]:
        """Everything that was told, from the beginning."""
        return self.page.get_by_role("log").get_by_role("listitem").all_inner_texts()

    def deals_on(self) -> None:
        """Enter the card that was told last, or take the next step."""
        found = re.search(r"comes: (.+)\.$", self.told[-1])
        assert found is not None, self.told[-3:]
        before = len(self.told)
        self.lays(found[1].lower())
        self.screen.until(lambda: len(self.told) > before)

    def sees_late_chip(self) -> None:
        """Deal until somebody puts a chip down that is too late."""
        for _ in range(6):
            if "puts down" in self.told[-1]:
                return
            self.deals_on()


class Trainer:
    """A person who lets things go wrong."""

    def __init__(self, visit: Visit, school: Server) -> None:
        self.screen = visit("/training", at=school, post="gaming-shift-manager")
        self.page = self.screen.page

    def leads(self) -> "Trainer":
        """Choose the table that is open."""
        self.screen.button("With a trainer").click()
        self.page.get_by_role("button", name="Lead the table of").last.click()
        self.page.get_by_role("heading", name="Let something go wrong").wait_for()
        return self

    def strikes(self, name: str, words: str = "") -> None:
        """Let something go wrong."""
        if words:
            self.screen.field("Your own words").fill(words)
        self.screen.button(name).click()

    def sees(self, state: str, name: str) -> None:
        """See how far something is."""
        row = self.page.get_by_role("region", name="What has gone wrong so far").get_by_role("listitem")
        row.filter(has_text=name).filter(has_text=re.compile(f"^{state}")).wait_for()


def trainee(visit: Visit, school: Server, cards: str = "The Dealer opens the cards") -> LedTrainee:
    screen = visit("/training", at=school, post="dealer")
    screen.button("With a trainer").click()
    screen.field("Game").select_option("mbs-tiger-v3")
    screen.field("Who handles the cards").select_option(label=cards)
    screen.button("Open a table").click()
    screen.page.get_by_role("log").wait_for()
    return LedTrainee(screen, Table(screen, "none"), school)
