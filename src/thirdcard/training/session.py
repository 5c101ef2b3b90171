"""A drill under way: a table in memory, a trainee in one post, and the program in all others."""

import functools
from collections.abc import Callable

from msgspec import Struct

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.state import Table
from thirdcard.messages import Message, message, say
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.roundfile.set_up import Player
from thirdcard.rulebook.house import House
from thirdcard.staff import Post, stands_at_or_above
from thirdcard.training.event_sentences import event_sentences
from thirdcard.training.grade import Deeds, Grade, PostCall, TraineeCommand, grade
from thirdcard.training.milestones import PLAYS_ON, Milestone, milestones
from thirdcard.training.plain_acts import plain_acts
from thirdcard.training.rehearsal import Level, Rehearsal, RehearsedStep
from thirdcard.training.shipped_words import telling_message
from thirdcard.training.staff_names import posts_by_name, set_up_for_training, staff_name
from thirdcard.training.training_table import TrainingTable

# at the highest level, where the drill does not say it: for a gap, and for a card or a call of ordinary play
SECONDS_A_GAP, SECONDS_A_CARD = 60, 6


class Told(Struct, frozen=True):
    """Something that the trainee is told: an act at the table, a word of the program, or an entry of others.

    ``text`` is what the writer of the drill put it in, where there is one. An entry is put into words only
    when somebody reads it, since what it decides is said within its sentence.
    """

    kind: str  # act, hint or entry
    what: Message | Callable[[], Message] | None = None
    text: str = ""

    def said(self) -> str:
        """The sentence in the language of the reader."""
        what = self.what() if callable(self.what) else self.what
        return say(what) if what else self.text


class NothingForPost(Exception):
    """A drill has nothing to do for a post."""


class DrillSession:
    """A drill that somebody in a post goes through.

    ``clock`` gives seconds, from any beginning. ``player`` is the table to play at, where it is not one of
    the session's own: it must not be set up yet.
    """

    def __init__(
        self,
        rehearsal: Rehearsal,
        post: Post,
        *,
        clock: Callable[[], float],
        level: Level = Level.SHOWN,
        player: Player | None = None,
    ) -> None:
        self.rehearsal, self.post, self.level = rehearsal, post, level
        self.name = staff_name(post)
        self.own = self._own_steps()
        if not self.own:
            raise NothingForPost(self.name)
        settings = rehearsal.drill.settings
        self.player = player or TrainingTable(rehearsal.rulebook, rehearsal.house, settings.start)
        set_up_for_training(self.player, settings)
        self.over = False
        self._clock = clock
        self._told: list[Told] = []
        self._read = 0
        self._at = 0
        self._shown: set[int] = set()
        self._done: set[int] = set()
        self._called: set[int] = set()
        self._left: list[Milestone] = []
        self._attempts: list[TraineeCommand] = []
        self._calls: list[PostCall] = []
        self._here = {self.name, *self._lower_posts()}
        self._began: float | None = None
        self._ended: float | None = None
        self._go_on()

    @property
    def table(self) -> Table:
        """The training table as it is now."""
        return self.player.standing

    @property
    def due(self) -> RehearsedStep | None:
        """The step that is due from the trainee now; nothing where it is over, or a post has to be called."""
        own = not self.over and self._at in self.own
        return self._awaited() if own else None

    @property
    def here(self) -> frozenset[str]:
        """The staff at the table: the trainee, all lower posts, and whoever was called or has acted."""
        return frozenset(self._here & posts_by_name(self.rehearsal.house).keys())

    @property
    def waits_for(self) -> str | None:
        """The post that has to be called now; the trainee is not told."""
        return self._awaited().step.act.actor if self._is_call_due() else None

    def acts(self) -> tuple[Told, ...]:
        """Return what has been told since somebody asked before."""
        new = tuple(self._told[self._read :])
        self._read = len(self._told)
        return new

    def send(self, body: cmd.Body, authoriser: str | None = None) -> tuple[ev.Event, ...] | Refused:
        """Decide a command of the trainee, and let the others act on it."""
        if self.over:
            return refuse(Refusal.NOT_AWAITED)
        result = self.player.do(body, self.name, authoriser)
        uncalled = authoriser is not None and authoriser not in self._here
        if isinstance(result, Refused):
            self._attempts.append(TraineeCommand(body, authoriser, self._at, result, uncalled=uncalled))
            return result
        found = milestones(result)
        ahead = self._is_ahead(found)
        self._attempts.append(TraineeCommand(body, authoriser, self._at, result, found, ahead, uncalled))
        self._left += found
        self._match()
        self._go_on()
        return result

    def call(self, post: Post) -> bool:
        """PostCall a post to the table; whether it can do something there now."""
        name = staff_name(post)
        due = self._is_call_due()
        self._here.add(name)
        if not due:
            above = name not in {self.name, *self._lower_posts()}
            self._calls.append(PostCall(name, self._at, right=True, early=above))
            self._tell("hint", message("train.comes", post=f"@post.{post}"))
            return False
        own = name == self._awaited().step.act.actor
        right = self._act_of(self._awaited(), name)
        self._calls.append(PostCall(name, self._at, right or own))
        if right or own:
            self._called.add(self._at)
            self._at += 1
            self._go_on()
        else:
            self._tell("hint", message("train.not-for-post", post=f"@post.{post}"))
        return right

    def pass_on(self) -> None:
        """Let the drill go on although the trainee does nothing more about what was told last."""
        if not self.over:
            self._at += 1
            self._go_on()

    def finish(self) -> None:
        """End the drill where it is."""
        if not self.over:
            self.over = True
            self._ended = self._clock()

    def grade(self) -> Grade:
        """End the drill and grade it."""
        self.finish()
        end, began = self._ended or 0.0, self._began
        deeds = Deeds(
            level=self.level,
            own=self.own,
            done=frozenset(self._done & self.own),
            to_call=tuple(at for at in range(len(self.rehearsal.steps)) if self._needs_call(at)),
            called=frozenset(self._called),
            attempts=tuple(self._attempts),
            calls=tuple(self._calls),
            left=tuple(self._left),
            seconds=end - (end if began is None else began),
            limit=self.limit,
        )
        return grade(self.rehearsal, deeds)

    # the way of the drill

    def _own_steps(self) -> frozenset[int]:
        """Return the steps that the trainee has to do."""
        return self.rehearsal.own_steps(self.post, self.level)

    def _write_on(self) -> bool:
        """Write further steps behind the last one; whether there are any, and a drill has none."""
        return False

    def _go_on(self) -> None:
        """Let the others act until something is due from the trainee."""
        while not self.over and (self._at < len(self.rehearsal.steps) or self._write_on()):
            if self._at in self._done:
                self._at += 1
            elif self._at in self.own:
                self._show(self._at)
                self._match()
                if self._at not in self._done:
                    return
            elif self._is_call_due():
                return
            else:
                self._act_of(self._awaited())
                self._called.add(self._at)  # by somebody who was called before, and is there
                self._at += 1
        for text in self.rehearsal.drill.ending if not self.over else ():
            self._tell_in_words(text)
        self.finish()

    def _awaited(self) -> RehearsedStep:
        return self.rehearsal.steps[self._at]

    def _is_call_due(self) -> bool:
        """Whether a post has to act that was not called."""
        at_hand = self._at < len(self.rehearsal.steps) and self._needs_call(self._at)
        return at_hand and not self.over and self._awaited().step.act.actor not in self._here

    def _needs_call(self, at: int) -> bool:
        """Whether a step belongs to a post that comes only if the trainee, who began, calls for it."""
        step = self.rehearsal.steps[at].step
        staff = posts_by_name(self.rehearsal.house)
        above = step.act.actor in staff and step.act.actor not in {self.name, *self._lower_posts()}
        return step.gap and at not in self.own and above and at > min(self.own)

    def _lower_posts(self) -> set[str]:
        """The names of the posts that stand below the trainee, and are at the table anyway."""
        posts = self.rehearsal.house.form.posts
        return {
            staff_name(each) for each in posts if not stands_at_or_above(posts, post=each, required=self.post)
        }

    def _act_of(self, each: RehearsedStep, name: str | None = None) -> bool:
        """Let somebody else act; whether the table took it. Whoever acted is there from then on."""
        act, house = each.step.act, self.rehearsal.house
        for text in each.step.tellings:
            self._tell_in_words(text)
        result = self.player.do_all(act.bodies, name or act.actor, act.authoriser)
        if isinstance(result, Refused):
            return False
        self._here |= {act.actor, act.authoriser or act.actor}
        for event in result:
            for at in range(len(event_sentences(event, house))):
                self._tell("entry", functools.partial(_sentence_at, event, house, at))
        return True

    def _show(self, at: int) -> None:
        """Tell what there is to see when a step of the trainee is due."""
        if at in self._shown:
            return
        self._shown.add(at)
        self._began = self._clock() if self._began is None else self._began
        each = self.rehearsal.steps[at]
        if self.level is Level.NAMED and each.reports:
            self._tell("hint", message("train.something-happened"))
        above = self.post != self.rehearsal.house.form.posts[0]
        if at == min(self.own) and above and not each.reports:
            self._tell("hint", message("train.your-turn", post=f"@post.{self.post}"))
        for text in each.step.tellings:
            self._tell_in_words(text)
        if not each.step.tellings:
            for body in each.step.act.bodies:
                for said in plain_acts(body, self.table, self.rehearsal.house.currency):
                    self._tell("act", said)

    def _tell_in_words(self, text: str) -> None:
        """Tell what the writer of the drill has written, a shipped drill in the language of the reader."""
        self._tell("act", telling_message(self.rehearsal.drill.name, text), text)

    def _tell(self, kind: str, what: Message | Callable[[], Message] | None = None, text: str = "") -> None:
        self._told.append(Told(kind, what, text))

    def _match(self) -> None:
        """Find which steps are done by what the trainee entered; play goes on only in its turn."""
        for at in range(self._at, len(self.rehearsal.steps)):
            each = self.rehearsal.steps[at]
            early = at > self._at and any(it.kind in PLAYS_ON for it in each.milestones)
            if at in self._done or early or not (each.step.gap or at in self.own):
                continue
            left = _without(self._left, each.milestones)
            if left is not None:
                self._left = left
                self._done.add(at)
                self._called.add(at)

    def _is_ahead(self, found: tuple[Milestone, ...]) -> bool:
        """Whether play went on by something that was not due, while something else was."""
        if self._at not in self.own:  # while a case is open the table itself refuses to play on
            return False
        due = self._awaited().milestones
        return any(each.kind in PLAYS_ON and not any(each.is_like(it) for it in due) for each in found)

    @property
    def limit(self) -> int | None:
        """The seconds that the drill may take; only the highest level is under time."""
        if self.level is not Level.DEALING:
            return None
        steps = [self.rehearsal.steps[at].step for at in self.own]
        usual = sum(SECONDS_A_GAP if each.gap else SECONDS_A_CARD * len(each.act.bodies) for each in steps)
        return self.rehearsal.drill.seconds or usual


def _sentence_at(event: ev.Event, house: House, at: int) -> Message:
    """One of the sentences about an event, as its reader says it."""
    return event_sentences(event, house)[at][0]


def _without(left: list[Milestone], wanted: tuple[Milestone, ...]) -> list[Milestone] | None:
    """Return what is left when each wanted milestone is taken out once; nothing where one is not there."""
    rest = list(left)
    for each in wanted:
        at = next((at for at, it in enumerate(rest) if it.is_like(each)), None)
        if at is None:
            return None
        del rest[at]
    return rest
