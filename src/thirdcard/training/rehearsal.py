"""The right way of a drill: every act of it played once, and what each has to bring about."""

import enum

from msgspec import Struct

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.state import Table
from thirdcard.messages import message, say
from thirdcard.refusals import Refused
from thirdcard.roundfile.refusal_text import refusal_sentence
from thirdcard.roundfile.set_up import Player
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.staff import Post
from thirdcard.training.drill import Drill, Step
from thirdcard.training.milestones import REPORTED, Milestone, milestones
from thirdcard.training.staff_names import posts_by_name, set_up_for_training, staff_name


class Level(enum.IntEnum):
    """The levels of a drill: something is said to have happened; it only happens; and all while dealing."""

    NAMED = 1
    SHOWN = 2
    DEALING = 3


class RehearsedStep(Struct, frozen=True):
    """An act of the right way: the table that it meets, its events, and what must come of it."""

    step: Step
    before: Table
    events: tuple[ev.Event, ...]
    milestones: tuple[Milestone, ...]

    @property
    def reports(self) -> bool:
        """Whether an irregularity comes to light by it."""
        return any(each.kind == REPORTED for each in self.milestones)


class Rehearsal(Struct, frozen=True):
    """A drill with its books, and its right way."""

    drill: Drill
    rulebook: Rulebook
    house: House
    steps: tuple[RehearsedStep, ...]

    def own_steps(self, post: Post, level: Level) -> frozenset[int]:
        """Return the steps that somebody in a post has to do; none where there is nothing for that post.

        Whoever has nothing of its own to do notices what went wrong in the place of another.
        """
        name = staff_name(post)
        own = {at for at, each in enumerate(self.steps) if each.step.gap and each.step.act.actor == name}
        if not own:
            return self._noticed_by(name)
        if level is Level.DEALING and name == staff_name(self.house.form.posts[0]):
            own |= {at for at, each in enumerate(self.steps) if each.step.act.actor == name}
        return frozenset(own)

    def posts(self) -> tuple[Post, ...]:
        """Return the posts of the house for which the drill has something to do, the lowest first."""
        return tuple(post for post in self.house.form.posts if self.own_steps(post, Level.SHOWN))

    def _noticed_by(self, name: str) -> frozenset[int]:
        """Return the reports of others that somebody of this name can make as well."""
        return frozenset(at for at, each in enumerate(self.steps) if self._can_report(each, name))

    def _can_report(self, each: RehearsedStep, name: str) -> bool:
        act = each.step.act
        told = all(isinstance(body, cmd.ReportIrregularity) for body in act.bodies)
        if not (each.step.gap and told) or act.authoriser == name:
            return False
        player = Player(self.rulebook, self.house)
        player.table = each.before
        result = player.do_all(act.bodies, name, act.authoriser)
        return not isinstance(result, Refused) and milestones(result) == each.milestones


def rehearse(drill: Drill, rulebook: Rulebook, house: House) -> Rehearsal:
    """Play the right way of a drill; an act that is refused, or of which nothing comes, is a bad line."""
    player = Player(rulebook, house, drill.file.settings.start)
    set_up_for_training(player, drill.settings)
    staff = posts_by_name(house)
    steps: list[RehearsedStep] = []
    for step in drill.steps:
        act, before = step.act, player.standing
        if step.gap and act.actor not in staff:
            raise BadLine(act.number, say(message("train.gap-of-nobody", name=act.actor)))
        result = player.do_all(act.bodies, act.actor, act.authoriser)
        if isinstance(result, Refused):
            reason = refusal_sentence(result, rulebook, before.setup)
            raise BadLine(act.number, say(message("train.refused", reason=reason)))
        found = milestones(result)
        if step.gap and not found:
            raise BadLine(act.number, say(message("train.nothing-to-see")))
        steps.append(RehearsedStep(step, before, result, found))
    return Rehearsal(drill, rulebook, house, tuple(steps))
