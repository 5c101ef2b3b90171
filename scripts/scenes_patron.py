"""Scenes at terminals: wagers, cards, results, questions, and what happens when something fails."""

import re

from screens.browser import WIDTHS
from screens.dealing import felt
from screens.floors import GAMES, table
from screens.patrons import Patron

from scenes import PATIENT, TIMES, Scene, Stage

WIDE = 'differential = "1000000"\n'
AT_TERMINALS = "terminal = true\n" + WIDE
WAITING = "{ betting = 600, warning = 5, card = 0.1, between = 2, offer = 45 }"
SQUEEZED = WIDE + 'method = "A"\nface_down = true\n'


def stakes(patron: Patron, chip: str, *wagers: str) -> None:
    """Put one chip on each of these wagers, and wait until they are taken."""
    patron.chip(chip)
    for wager in wagers:
        before = patron.staked()
        patron.area(wager).click()
        patron.screen.until(lambda: patron.staked() != before)  # noqa: B023


def a_round(stage: Stage) -> None:
    """A round at a terminal from the first chip to why it paid what it paid."""
    shoe = stage.dealt("tiger").rounds(38, seed=11)
    patron = stage.patron("tiger", 3, "Mei", room="dim")
    shoe.table.do("open-betting")
    patron.screen.field("Your name at the table").fill("Mei")
    stage.take(patron.screen, "terminal-sit")
    patron.sit(buys="5,000")
    patron.betting()
    stakes(patron, "SGD 500", "Banker", "Banker")
    stakes(patron, "SGD 100", "Tiger", "Tiger Pair")
    stakes(patron, "SGD 25", "Tie")
    stage.take(patron.screen, "terminal-betting")
    shoe.table.do("close-betting")
    shoe.table.draws("7S TH KS 2C")
    stage.take(patron.screen, "terminal-dealing")
    shoe.table.draws("4C")
    shoe.table.do("call-outcome", winner="player")


PATRON: tuple[Scene, ...] = (
    Scene("terminal-round", felt("tiger", GAMES["tiger"], AT_TERMINALS, TIMES), a_round),
)
