"""Scenes of training: drills to choose from, one that is under way, its grade, and the record."""

from typing import Any

from screens.browser import WIDTHS, Screen
from screens.dealing import Dealer, Table, felt
from screens.exercising import RIGHT, Exercise
from screens.floors import GAMES
from screens.leading import Trainer, trainee

from scenes import Scene, Stage

GAME = "mbs-tiger-v3"
DRILL = "Out of the dealing device 2"  # two cards come out at once, and nobody knows their order
A_WHILE = 41  # seconds that the trainee takes
A_QUESTION = 3  # seconds for each question


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


def by_seed(stage: Stage) -> None:
    """Something goes wrong by chance, and questions about ordinary dealing are answered."""
    chance = stage.visit("/training?part=chance", post="dealer")
    chance.field("What goes wrong").wait_for()
    stage.look(chance, "training-chance")
    dealing = stage.visit("/training?part=dealing", post="dealer")
    dealing.field("Rounds").wait_for()
    stage.look(dealing, "training-dealing")
    one = Exercise(dealing, stage.server).begins()
    for key in RIGHT:
        stage.server.move(A_QUESTION)
        if key == "amount":
            stage.look(dealing, "training-question")
        one.types(key)
        one.checked(right=True)
        if key == "cards":
            stage.take(dealing, "training-checked")
        one.goes_on()
    dealing.heading("Everything right").wait_for()
    stage.look(dealing, "training-result")
    record = stage.visit("/training?part=record", post="dealer")
    record.page.get_by_role("heading", name="Card entry: cards a minute over time").wait_for()
    stage.look(record, "training-charts")


def with_trainer(stage: Stage) -> None:
    """A trainee deals, and a trainer lets a chip come too late."""
    one = trainee(stage.visit, stage.server)
    trainer = Trainer(stage.visit, stage.server)
    trainer.screen.button("With a trainer").click()
    trainer.page.get_by_role("button", name="Lead the table of").wait_for()
    stage.look(trainer.screen, "training-tables")
    trainer.leads()
    one.next("Open betting")
    one.next("Close betting")
    trainer.strikes("A late chip", "The gentleman is quick with his hands.")
    one.sees_late_chip()
    trainer.sees("Not handled yet", "A late chip")
    stage.take(trainer.screen, "training-leading")


TRAINING: tuple[Scene, ...] = (
    Scene("training", felt("tiger", GAMES["tiger"]), training),
    Scene("training-by-seed", felt("tiger", GAMES["tiger"]), by_seed),
    Scene("training-with-trainer", felt("tiger", GAMES["tiger"]), with_trainer),
)
