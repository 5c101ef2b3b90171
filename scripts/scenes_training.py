"""Scenes of training: drills to choose from, one that is under way, its grade, and the record."""

from typing import Any

from screens.browser import WIDTHS, Screen
from screens.dealing import Dealer, Table, felt
from screens.floors import GAMES

from scenes import Scene, Stage

GAME = "mbs-tiger-v3"
DRILL = "Out of the dealing device 2"  # two cards come out at once, and nobody knows their order
A_WHILE = 41  # seconds that the trainee takes


def begin(stage: Stage, title: str, **how: Any) -> Dealer:
    """A dealer who has begun a drill."""
    screen = stage.visit("/training", post="dealer", **how)
    screen.field("Game").select_option(GAME)
    screen.button(f"Begin: {title}").click()
    at = Dealer(screen, Table(screen, "none"), stage.server)
    at.page.get_by_role("log").get_by_text("Nobody can say which of them lay in front.").wait_for()
    at.page.get_by_role("button", name="Something is wrong").wait_for()  # the console is up
    return at


def grade_of(at: Dealer) -> Screen:
    """The grade of a drill in which the irregularity was reported, and nobody was called."""
    at.screen.button("End the drill").click()
    at.page.get_by_role("heading", name="Not passed", exact=True).wait_for()
    return at.screen


def training(stage: Stage) -> None:
    """A drill is chosen, gone through, graded, and kept."""
    drills = stage.visit("/training", post="dealer")
    drills.button(f"Begin: {DRILL}").wait_for()
    stage.take(drills, "training")
    at = begin(stage, DRILL, room="dim")
    stage.take(at.screen, "training-drill")
    dialog = at.wrong("Several cards")
    dialog.get_by_role("heading", name="Is the order of the cards known?").wait_for()
    at.press("n")
    dialog.get_by_role("heading", name="Which cards is it about?").wait_for()
    at.types("9h6h")
    at.press("Enter")
    dialog.get_by_role("button", name="Report it").click()
    dialog.wait_for(state="hidden")
    stage.server.move(A_WHILE)
    graded = grade_of(at)
    stage.take(graded, "training-grade")
    graded.button("Other drills").click()
    graded.button("Record of training").click()
    graded.page.get_by_role("row", name=DRILL).last.wait_for()
    stage.take(graded, "training-record")
    at = begin(stage, DRILL, size=WIDTHS["phone"])
    stage.take(at.screen, "training-phone")


TRAINING: tuple[Scene, ...] = (Scene("training", felt("tiger", GAMES["tiger"]), training),)
