"""Trainees by script: an expert who does everything right, and novices who each do one thing wrong."""

import functools

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post
from thirdcard.training.drill import Drill
from thirdcard.training.grade import Grade
from thirdcard.training.packs import shipped_drills
from thirdcard.training.rehearsal import Level, Rehearsal, rehearse
from thirdcard.training.session import DrillSession
from thirdcard.training.staff_names import staff_name

MOST_STEPS = 200


@functools.cache
def drills() -> dict[str, Drill]:
    """Return the shipped drills by name, and by game where several have the name."""
    return {f"{each.name}, {each.game}": each for each in shipped_drills()}


@functools.cache
def rehearsed(name: str) -> Rehearsal:
    """Return the right way of a shipped drill."""
    return rehearsal_of(drills()[name])


def rehearsal_of(drill: Drill) -> Rehearsal:
    """Return the right way of a drill at its house."""
    rulebook = SHIPPED.rulebook(drill.game)
    return rehearse(drill, rulebook, SHIPPED.house(drill.file.settings.house or rulebook.document.house))


def session(rehearsal: Rehearsal, post: str, level: Level = Level.SHOWN) -> DrillSession:
    """Begin a drill in a post, on a clock that stands still."""
    return DrillSession(rehearsal, Post(post), clock=lambda: 0.0, level=level)


def call_if_due(drill: DrillSession) -> bool:
    """PostCall the post that has to act now; whether there was one."""
    posts = drill.rehearsal.house.form.posts
    due = [post for post in posts if staff_name(post) == drill.waits_for]
    for post in due:
        drill.call(post)
    return bool(due)


def do_step(drill: DrillSession) -> None:
    """Do what is due in the right way."""
    due = drill.due
    assert due is not None
    act = due.step.act
    if act.authoriser:
        for post in drill.rehearsal.house.form.posts:
            if staff_name(post) == act.authoriser and drill.rehearsal.own_steps(drill.post, drill.level):
                drill.call(post)
    for body in act.bodies:
        drill.send(body, act.authoriser)


def expert(rehearsal: Rehearsal, post: str, level: Level = Level.SHOWN) -> Grade:
    """Do everything right."""
    drill = session(rehearsal, post, level)
    for _ in range(MOST_STEPS):
        if drill.over:
            break
        if not call_if_due(drill):
            if drill.due is None:
                break
            do_step(drill)
    return drill.grade()


def idle_novice(rehearsal: Rehearsal, post: str, level: Level = Level.SHOWN) -> Grade:
    """Do nothing at all."""
    return session(rehearsal, post, level).grade()


def mistaken_novice(rehearsal: Rehearsal, post: str) -> Grade:
    """Report another situation than the one that is there, and then nothing."""
    drill = session(rehearsal, post)
    while (due := drill.due) is not None and not due.reports:
        do_step(drill)
    right = (
        {each.case.situation for each in due.events if isinstance(each, ev.IrregularityReported)}
        if due
        else set()
    )
    for wrong in (Situation.NOT_COVERED, Situation.POWER_FAILURE):
        if wrong not in right:
            drill.send(cmd.ReportIrregularity(situation=wrong, note="something is odd"))
            break
    return drill.grade()


def naming_novice(rehearsal: Rehearsal, post: str) -> Grade | None:
    """Name the highest post as a second person, which was not called; nothing where it is there."""
    drill = session(rehearsal, post)
    due, highest = drill.due, staff_name(rehearsal.house.form.posts[-1])
    if due is None or highest in drill.here:
        return None
    drill.send(due.step.act.bodies[0], highest)
    return drill.grade()


def inventing_novice(rehearsal: Rehearsal, post: str) -> Grade:
    """Enter somebody who never came to the table."""
    drill = session(rehearsal, post)
    drill.send(cmd.ComeToTable(patron="Nobody", seated=False))
    return drill.grade()


def lonely_novice(rehearsal: Rehearsal, post: str) -> Grade:
    """Do everything that is one's own, and call nobody."""
    drill = session(rehearsal, post)
    for _ in range(MOST_STEPS):
        due = drill.due
        for body in due.step.act.bodies if due else ():
            drill.send(body)
        if drill.over:
            break
        if drill.due is due:
            drill.pass_on()
    return drill.grade()
