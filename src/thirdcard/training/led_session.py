"""A training table with a trainer: ordinary rounds that go on, into which a trainer strikes."""

import enum
import random
from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.case_cards import blocking
from thirdcard.game.state import Phase
from thirdcard.messages import FIRST_LANGUAGE, Message, message, say
from thirdcard.refusals import Refused
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.set_up import Player
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.staff import Post
from thirdcard.training.drill import Drill
from thirdcard.training.faults import BY_PATRONS, FACE_DOWN, FAULTS, MOST_TRIES, FaultWriter, NoFault
from thirdcard.training.milestones import PLAYS_ON
from thirdcard.training.rehearsal import Level, Rehearsal, RehearsedStep
from thirdcard.training.session import DrillSession
from thirdcard.training.titles import TRAINER_PACK, TRAINER_TITLE

MOST_TRAINING_ROUNDS = 20  # at one table
MOST_STRIKES = 20  # at one table
LONGEST_WORDS = 300  # of a trainer, with a strike
# the head of every such table: the Dealer calls the result, and the differential can be exceeded
_HEAD = ("automatic expose", "differential 1000", "main 100 20000")
# what is told and not to be taken back: cards that came, and hands that were given away or opened
_TOLD = (cmd.DrawCard, cmd.ExposeCards, cmd.PassCards)


class TableKind(enum.StrEnum):
    """The kinds of table that somebody can open with a trainer: by whom the cards are handled."""

    BY_DEALER = "by-dealer"
    BY_PATRONS = "by-patrons"


class StrikeState(enum.StrEnum):
    """How far a strike is: still to be seen, to be handled, handled, missed, or never come to pass."""

    COMING = "coming"
    OPEN = "open"
    HANDLED = "handled"
    MISSED = "missed"
    DROPPED = "dropped"


class WhyNoStrike(enum.StrEnum):
    """Why a trainer cannot strike now: at all, or with one fault."""

    OVER = "over"
    CASE_OPEN = "case-open"
    STRIKE_OPEN = "strike-open"
    ENOUGH = "enough"
    NOT_HERE = "not-here"
    TOO_LATE = "too-late"


class Strike(Struct):
    """A fault that a trainer struck: by whom, in which words, and its steps from the first gap on."""

    fault: str
    trainer: str
    words: str
    first: int
    last: int
    begins: int  # the step with which what leads to it begins
    dropped: bool = False


class _Plan(Struct, frozen=True):
    """Steps from the present table on; those from ``first`` on are a fault and its right way."""

    steps: tuple[RehearsedStep, ...]
    first: int
    kept: bool
    played_for: frozenset[int]


def kinds_at(rulebook: Rulebook) -> tuple[TableKind, ...]:
    """Return the kinds of table that there are at a game: at terminals nobody handles cards."""
    document = rulebook.document
    by_patrons = document.methods is not None or document.squeezing is not None
    return tuple(TableKind) if by_patrons else (TableKind.BY_DEALER,)


class LedSession(DrillSession):
    """Ordinary rounds that somebody deals, and into which a trainer strikes.

    Each part of play is written when the part before it is done, from the table as the trainee has left it,
    so that the right way stays in step with the table whatever the trainee did.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        house: House,
        kind: TableKind,
        *,
        seed: int,
        clock: Callable[[], float],
        player: Player | None = None,
    ) -> None:
        self.kind, self.seed = kind, seed
        self.strikes: list[Strike] = []
        self._played_for: frozenset[int] = frozenset()
        self._acted = 0.0
        face_down = BY_PATRONS if rulebook.document.methods is not None else FACE_DOWN
        head = (*_HEAD, *(face_down if kind is TableKind.BY_PATRONS else ()))
        writer = FaultWriter(rulebook, house, random.Random(seed), head)
        before = len(writer.lines) - len(writer.steps)  # the head alone
        writer.bets()
        writer.finish()
        file = parse("\n".join(writer.lines[:before]), RoundRules(house=house))
        title = say(message(TRAINER_TITLE), FIRST_LANGUAGE)
        drill = Drill(name=f"{TRAINER_PACK}/{rulebook.id}", title=title, file=file, steps=())
        rehearsal = Rehearsal(drill, rulebook, house, tuple(writer.steps))
        super().__init__(rehearsal, house.form.posts[0], clock=clock, level=Level.DEALING, player=player)
        self._never = frozenset(fault for fault in FAULTS if self._plan(fault) is None)

    # what the trainee does

    def send(self, body: cmd.Body, authoriser: str | None = None) -> tuple[ev.Event, ...] | Refused:
        """Decide a command of the trainee; where it was another than the due one, play goes on from there."""
        self._acted = self._clock()
        left, at = len(self._left), self._at
        result = super().send(body, authoriser)
        new = self._left[left:]
        if not self.over and new and not blocking(self.table):
            plays_on = any(each.kind in PLAYS_ON for each in new)
            strike = self._open_strike
            if strike is None:
                self._rewrite(self._at + 1 if plays_on and self._at == at else self._at)
            elif plays_on:
                self._rewrite(strike.last)
        return result

    def call(self, post: Post) -> bool:
        """Call a post to the table; whether it can do something there now."""
        self._acted = self._clock()
        return super().call(post)

    def pass_on(self) -> None:
        """Let play go on from the table as it is; others end what is under way."""
        if not self.over:
            self._acted = self._clock()
            strike = self._open_strike
            self._rewrite(strike.last if strike else self._at + 1)

    def finish(self) -> None:
        """End the session: what was struck and seen counts, and nothing that was still to come."""
        if not self.over:
            strike = self._open_strike
            tried = any(each.ahead and each.step == self._at for each in self._attempts)
            self._cut(strike.last if strike else self._at + int(tried))
            super().finish()
            self._ended = max(self._acted, self._began or 0.0)

    # what the trainer does

    def why_not(self, fault: str) -> WhyNoStrike | None:
        """Return why a fault cannot be struck now, or nothing where it can."""
        if self.over:
            return WhyNoStrike.OVER
        if fault in self._never:
            return WhyNoStrike.NOT_HERE
        if self.table.case is not None:
            return WhyNoStrike.CASE_OPEN
        if any(self.state_of(each) in (StrikeState.COMING, StrikeState.OPEN) for each in self.strikes):
            return WhyNoStrike.STRIKE_OPEN
        if len(self.strikes) >= MOST_STRIKES:
            return WhyNoStrike.ENOUGH
        return WhyNoStrike.TOO_LATE if self._plan(fault) is None else None

    def strike(self, fault: str, trainer: str, words: str = "") -> WhyNoStrike | None:
        """Let something go wrong as soon as it can; why it cannot, or nothing."""
        refused = self.why_not(fault)
        if refused is not None:
            return refused
        plan = self._plan(fault)
        assert plan is not None
        self.strikes.append(Strike(fault, trainer, words, 0, 0, 0))
        self._take(plan, self.strikes[-1])
        self._go_on()
        return None

    def state_of(self, strike: Strike) -> StrikeState:
        """Return how far a strike is."""
        if strike.dropped:
            return StrikeState.DROPPED
        if strike.first not in self._shown:
            return StrikeState.DROPPED if self.over else StrikeState.COMING
        steps = range(strike.first, strike.last)
        done = all(at in self._done for at in steps if at in self.own)
        if done and all(at in self._called for at in steps if self._needs_call(at)):
            return StrikeState.HANDLED
        return StrikeState.MISSED if self.over or self._at >= strike.last else StrikeState.OPEN

    @property
    def trainers(self) -> tuple[str, ...]:
        """The names of those whose strikes were seen, each once."""
        seen = (each.trainer for each in self.strikes if self.state_of(each) is not StrikeState.DROPPED)
        return tuple(dict.fromkeys(seen))

    # how play is written

    @property
    def _open_strike(self) -> Strike | None:
        return next((each for each in self.strikes if self.state_of(each) is StrikeState.OPEN), None)

    def _own_steps(self) -> frozenset[int]:
        """Return the steps of the Dealer, but for those in which somebody else takes the Dealer's place."""
        steps = enumerate(self.rehearsal.steps)
        return frozenset(at for at, each in steps if each.step.act.actor == self.name) - self._played_for

    def _write_on(self) -> bool:
        """Write the rest of the round from the table as it is, or another one."""
        enough = self.table.phase is Phase.IDLE and self.table.rounds >= MOST_TRAINING_ROUNDS
        plan = None if enough else self._plan(None)
        if plan is None or not plan.steps:
            return False
        self._here = {self.name, *self._lower_posts()} if self.table.phase is Phase.IDLE else self._here
        self._take(plan)
        return True

    def _rewrite(self, at: int) -> None:
        """Go on with a step of this number from the table as it is, and with a strike that was to come."""
        coming = next((each for each in self.strikes if self.state_of(each) is StrikeState.COMING), None)
        if at > self._at:
            self._cut(at)
            self._at = at
        plan = self._plan(coming.fault) if coming else None
        if coming and plan is None:
            coming.dropped = True
        if plan is None:
            plan = self._plan(None)
        if plan is None:  # nobody can play on at such a table
            self.finish()
            return
        self._take(plan, coming if coming and not coming.dropped else None)
        self._go_on()

    def _cut(self, at: int) -> None:
        """Forget the steps from a number on, and what was noted of them."""
        self.rehearsal = replace(self.rehearsal, steps=self.rehearsal.steps[:at])
        self._played_for = frozenset(each for each in self._played_for if each < at)
        self.own = self._own_steps()
        self._done = _below(at, self._done)
        self._called = _below(at, self._called)
        self._shown = _below(at, self._shown)

    def _take(self, plan: _Plan, strike: Strike | None = None) -> None:
        """Let the steps of a plan follow those that are done."""
        at, again = self._at, self._told_already(plan) if plan.kept or strike else None
        self._cut(at)
        self.rehearsal = replace(self.rehearsal, steps=self.rehearsal.steps + plan.steps)
        self._played_for |= {at + each for each in plan.played_for}
        self.own = self._own_steps()
        if again is not None:
            self._shown.add(at + again)
        if strike is not None:
            strike.begins = at + int(plan.kept)
            strike.first, strike.last = at + plan.first, at + len(plan.steps)

    def _told_already(self, plan: _Plan) -> int | None:
        """Return which step of a plan is the due one, whose telling again would give a strike away."""
        told = self.rehearsal.steps[self._at : self._at + 1] if self._at in self._shown else ()
        acts = ((at, each.step.act) for at, each in enumerate(plan.steps))
        first = next(((at, act.bodies) for at, act in acts if act.actor == self.name), None)
        return first[0] if first and any(each.step.act.bodies == first[1] for each in told) else None

    def _plan(self, fault: str | None) -> _Plan | None:
        """Return how play goes on, with a fault or in the ordinary way; nothing where it cannot."""
        for number in range(MOST_TRIES):
            chance = random.Random(f"{self.seed} {len(self.player.events)} {fault} {number}")
            player = Player(self.rehearsal.rulebook, self.rehearsal.house)
            player.table, player.now = self.table, self.player.now
            writer = FaultWriter(
                self.rehearsal.rulebook, self.rehearsal.house, chance, player=player, at_once=True
            )
            try:
                kept = self._keep_told(writer)
                return self._planned(writer, fault, kept=kept)
            except NoFault:
                continue
        return None

    def _keep_told(self, writer: FaultWriter) -> bool:
        """Write the due step again where the trainee has been told of its cards; whether it is so."""
        if self._at not in self._shown or self._at in self._done or self._at >= len(self.rehearsal.steps):
            return False
        step = self.rehearsal.steps[self._at].step
        if step.gap or not all(isinstance(body, _TOLD) for body in step.act.bodies):
            return False
        writer.write(step.act.actor, step.act.text.partition(": ")[2])
        return True

    def _planned(self, writer: FaultWriter, fault: str | None, *, kept: bool) -> _Plan:
        """Write a fault with its right way, or what is left of a round, or a new round."""
        if fault is None:
            writer.handle(gap=False)
            writer.finish()
            if not writer.steps:
                writer.bets()
                writer.finish()
            return _Plan(tuple(writer.steps), len(writer.steps), kept, frozenset())
        FAULTS[fault][0](writer)
        writer.handle()
        steps = tuple(writer.steps)
        first = next(at for at, each in enumerate(steps) if each.step.gap)
        return _Plan(steps, first, kept, frozenset(writer.played_for))

    # what the trainee is told

    def _act_of(self, each: RehearsedStep, name: str | None = None) -> bool:
        """Let somebody else act; who takes the trainee's place is named before."""
        if any(it.begins == self._at and self._is_relieved(it) for it in self.strikes):
            self._tell("hint", _RELIEVED)
        return super()._act_of(each, name)

    def _is_relieved(self, strike: Strike) -> bool:
        return not strike.dropped and any(strike.begins <= at < strike.first for at in self._played_for)

    def _show(self, at: int) -> None:
        """Tell what there is to see when a step is due, after the words of the trainer."""
        words = next((each.words for each in self.strikes if each.first == at and not each.dropped), "")
        if words and at not in self._shown:
            self._tell("act", text=words)
        super()._show(at)


_RELIEVED: Message = message("train.relieved")


def _below(at: int, steps: Iterable[int]) -> set[int]:
    return {each for each in steps if each < at}
