"""Grades: what somebody noticed, reported, asked for, did and claimed in a drill, each with its clauses."""

import enum
from collections.abc import Iterable, Iterator

from msgspec import Struct

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.messages import Message, message, say_all
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.irregularity import Refer
from thirdcard.rulebook.words import effect_message
from thirdcard.training.event_sentences import ClausedSentence, event_sentences
from thirdcard.training.milestones import CLAIMS, REPORTED, Milestone
from thirdcard.training.rehearsal import Level, Rehearsal, RehearsedStep
from thirdcard.training.staff_names import naming_at, posts_by_name
from thirdcard.training.step_sentences import step_sentences

OF_THE_POST = (Refusal.NOT_AUTHORISED, Refusal.NOT_STAFF, Refusal.DEALER_ONLY, Refusal.NOT_YOURS)
OUT_OF_TURN = (
    *(Refusal.IRREGULARITY_UNDER_WAY, Refusal.NOT_IN_THIS_PHASE, Refusal.NOT_AWAITED),
    *(Refusal.PATRONS_NOT_ANSWERED, Refusal.FREE_HAND_DUE, Refusal.NEW_CARDS_DUE, Refusal.CASE_IS_OVER),
)


class Aspect(enum.StrEnum):
    """The aspects that are graded, in the order in which they are told."""

    NOTICED = "noticed"
    SITUATION = "situation"
    POST = "post"
    ORDER = "order"
    CARRIED_OUT = "carried-out"
    CLAIMS = "claims"
    TIME = "time"


class GradeFinding(Struct, frozen=True):
    """One thing that was right or was not, in words, with the clauses behind it; ``more`` says it in full."""

    aspect: Aspect
    right: bool
    what: Message
    clauses: tuple[str, ...] = ()
    more: tuple[Message, ...] = ()

    def said(self) -> str:
        """The sentences in the language of the reader."""
        return say_all((self.what, *self.more))


class RightStep(Struct, frozen=True):
    """A step of the right way: its line, whose it is, what it brings about, and the clauses behind that.

    ``says`` are the sentences of what is to be done; ``rules`` say in words what the row of a reported case
    lays down.
    """

    text: str
    actor: str
    own: bool
    says: tuple[Message, ...]
    sentences: tuple[ClausedSentence, ...]
    rules: tuple[Message, ...] = ()

    @property
    def typed(self) -> str:
        """The line as its post types it, with the second person in front."""
        people, _, what = self.text.partition(": ")
        _, _, second = people.partition(" with ")
        return f"with {second}: {what}" if second else what


class Grade(Struct, frozen=True):
    """The grade of a drill: its findings, the points of its aspects, the seconds, and the right way."""

    findings: tuple[GradeFinding, ...]
    seconds: float
    right_way: tuple[RightStep, ...]

    @property
    def aspects(self) -> dict[Aspect, bool]:
        """Whether each aspect was right that the drill has."""
        found = dict.fromkeys((each.aspect for each in self.findings), True)
        found |= {each.aspect: False for each in self.findings if not each.right}
        return {aspect: found[aspect] for aspect in Aspect if aspect in found}

    @property
    def points(self) -> int:
        """The aspects that were right."""
        return sum(self.aspects.values())

    @property
    def most(self) -> int:
        """The points that a drill can bring."""
        return len(self.aspects)

    @property
    def passed(self) -> bool:
        """Whether everything was right."""
        return self.points == self.most


class TraineeCommand(Struct, frozen=True):
    """A command of the trainee: with whom, at which step of the drill, and what followed."""

    body: cmd.Body
    authoriser: str | None
    step: int
    result: tuple[ev.Event, ...] | Refused
    milestones: tuple[Milestone, ...] = ()
    ahead: bool = False  # it let play go on while something else was due
    uncalled: bool = False  # it names a second person who was not called


class PostCall(Struct, frozen=True):
    """A post that the trainee called: at which step, and whether it may do what is due.

    An ``early`` one came before anything was due from it, and is judged by everything that was still to come.
    """

    name: str
    step: int
    right: bool
    early: bool = False


class Deeds(Struct, frozen=True, kw_only=True):
    """Everything that a trainee did in a drill, as its session kept it.

    ``own`` are the steps that were to be done, ``done`` those that were, ``called`` those of other posts
    that were called for; ``left`` are milestones that belong to none of them.
    """

    level: Level
    own: frozenset[int]
    done: frozenset[int]
    to_call: tuple[int, ...]
    called: frozenset[int]
    attempts: tuple[TraineeCommand, ...]
    calls: tuple[PostCall, ...]
    left: tuple[Milestone, ...]
    seconds: float
    limit: int | None


def grade(rehearsal: Rehearsal, deeds: Deeds) -> Grade:
    """Return the grade of what a trainee did, beside the right way."""
    findings = (
        *_noticed(rehearsal, deeds),
        *_situations(rehearsal, deeds),
        *_posts(rehearsal, deeds),
        *_order(rehearsal, deeds),
        *_carried_out(rehearsal, deeds),
        *_claims(rehearsal, deeds),
        *_time(deeds),
    )
    right_way = tuple(
        _right_step(rehearsal, each, own=at in deeds.own) for at, each in _gaps(rehearsal, deeds)
    )
    return Grade(findings, deeds.seconds, right_way)


def _gaps(rehearsal: Rehearsal, deeds: Deeds) -> list[tuple[int, RehearsedStep]]:
    return [(at, each) for at, each in enumerate(rehearsal.steps) if each.step.gap or at in deeds.own]


def _reports(rehearsal: Rehearsal, deeds: Deeds) -> list[tuple[int, RehearsedStep]]:
    return [(at, rehearsal.steps[at]) for at in sorted(deeds.own) if rehearsal.steps[at].reports]


def _noticed(rehearsal: Rehearsal, deeds: Deeds) -> Iterator[GradeFinding]:
    """Whether something was noticed: somebody reported at the time, whatever it was, or did what was due."""
    for at, each in _reports(rehearsal, deeds):
        tried = any(isinstance(it.body, cmd.ReportIrregularity) and it.step == at for it in deeds.attempts)
        yield GradeFinding(
            Aspect.NOTICED, tried or at in deeds.done, _about(each, "train-finding.noticed"), _clauses(each)
        )
    if not _reports(rehearsal, deeds):
        gaps = {at for at in deeds.own if rehearsal.steps[at].step.gap}
        acted = bool(deeds.done & (gaps or deeds.own) or deeds.calls)
        yield GradeFinding(Aspect.NOTICED, acted, message("train-finding.acted"))


def _situations(rehearsal: Rehearsal, deeds: Deeds) -> Iterator[GradeFinding]:
    """Whether the situation was the right one, with the facts on which its row turns, and no other one."""
    for at, each in _reports(rehearsal, deeds):
        yield GradeFinding(
            Aspect.SITUATION, at in deeds.done, _about(each, "train-finding.situation"), _clauses(each)
        )
    right = {it.situation for each in rehearsal.steps for it in each.milestones if it.kind == REPORTED}
    for attempt in deeds.attempts:
        body, refused = attempt.body, isinstance(attempt.result, Refused)
        if refused and isinstance(body, cmd.ReportIrregularity) and body.situation not in right:
            name = f"@situation.{body.situation.value}"
            what = message("train-finding.reported-refused", situation=name)
            yield GradeFinding(Aspect.SITUATION, right=False, what=what)
    for milestone in deeds.left:
        if milestone.kind == REPORTED and milestone.situation is not None:
            name = f"@situation.{milestone.situation.value}"
            known = milestone.situation in right
            key = "train-finding.reported-otherwise" if known else "train-finding.reported-wrongly"
            yield GradeFinding(Aspect.SITUATION, right=False, what=message(key, situation=name))


def _posts(rehearsal: Rehearsal, deeds: Deeds) -> Iterator[GradeFinding]:
    """Whether each post was called that had to act, and nobody did what belongs to another."""
    naming = naming_at(rehearsal.house)
    for at in deeds.to_call:
        each = rehearsal.steps[at]
        what = message("train-finding.called", post=naming(each.step.act.actor))
        yield GradeFinding(Aspect.POST, at in deeds.called, what, _clauses(each))
    for call in deeds.calls:
        if not (_is_of_use(rehearsal, deeds, call) if call.early else call.right):
            yield GradeFinding(
                Aspect.POST, right=False, what=message("train-finding.called-other", post=naming(call.name))
            )
    for attempt in deeds.attempts:
        if isinstance(attempt.result, Refused) and attempt.result.reason in OF_THE_POST:
            yield _refused(Aspect.POST, attempt.result)


def _is_of_use(rehearsal: Rehearsal, deeds: Deeds, call: PostCall) -> bool:
    """Whether a post that was called early stands as high as one that had to act, if any had to."""
    ladder = tuple(posts_by_name(rehearsal.house))
    steps = rehearsal.steps
    wanted = {steps[at].step.act.actor for at in deeds.to_call}
    wanted |= {steps[at].step.act.authoriser or "" for at in deeds.own}
    heights = [ladder.index(name) for name in wanted if name in ladder]
    return not heights or ladder.index(call.name) >= min(heights)


def _order(rehearsal: Rehearsal, deeds: Deeds) -> Iterator[GradeFinding]:
    """Whether nothing was done before its turn."""
    wrong = False
    for attempt in deeds.attempts:
        if isinstance(attempt.result, Refused) and attempt.result.reason in OUT_OF_TURN:
            wrong = True
            yield _refused(Aspect.ORDER, attempt.result)
        elif attempt.ahead:
            wrong = True
            what, clauses = message("train-finding.went-on"), _clauses(rehearsal.steps[attempt.step])
            yield GradeFinding(Aspect.ORDER, right=False, what=what, clauses=clauses)
    if not wrong:
        yield GradeFinding(Aspect.ORDER, right=bool(deeds.done), what=message("train-finding.in-order"))


def _carried_out(rehearsal: Rehearsal, deeds: Deeds) -> Iterator[GradeFinding]:
    """Whether everything was done that the post had to do."""
    for at in sorted(deeds.own):
        each = rehearsal.steps[at]
        what, *more = step_sentences(rehearsal, each)
        yield GradeFinding(Aspect.CARRIED_OUT, at in deeds.done, what, _clauses(each), tuple(more))


def _claims(rehearsal: Rehearsal, deeds: Deeds) -> Iterator[GradeFinding]:
    """Whether nothing was entered that did not happen, and nobody was named who was not there."""
    naming = naming_at(rehearsal.house)
    true = [milestone for each in rehearsal.steps for milestone in each.milestones]
    wrong = False
    for attempt in deeds.attempts:
        untrue = [it for it in attempt.milestones if it.kind in CLAIMS and not _is_among(it, true)]
        if attempt.uncalled:
            wrong = True
            what = message("train-finding.named-uncalled", person=naming(attempt.authoriser or ""))
            yield GradeFinding(Aspect.CLAIMS, right=False, what=what)
        for milestone in untrue:
            wrong = True
            what = message("train-finding.claimed", what=f"@train-claim.{milestone.kind}")
            yield GradeFinding(Aspect.CLAIMS, right=False, what=what)
    if not wrong:
        yield GradeFinding(Aspect.CLAIMS, right=True, what=message("train-finding.nothing-claimed"))


def _is_among(milestone: Milestone, others: Iterable[Milestone]) -> bool:
    return any(milestone.is_like(other) for other in others)


def _time(deeds: Deeds) -> Iterator[GradeFinding]:
    if deeds.limit is not None:
        what = message("train-finding.time", seconds=round(deeds.seconds), limit=deeds.limit)
        yield GradeFinding(Aspect.TIME, deeds.own == deeds.done and deeds.seconds <= deeds.limit, what)


def _refused(aspect: Aspect, refused: Refused) -> GradeFinding:
    """A finding about something that the table did not let happen."""
    return GradeFinding(aspect, right=False, what=refused.message, clauses=refused.clauses)


def _about(each: RehearsedStep, key: str) -> Message:
    """A finding about the irregularity that comes to light by a step."""
    case = next(event.case for event in each.events if isinstance(event, ev.IrregularityReported))
    return message(key, situation=case.about)


def _clauses(each: RehearsedStep) -> tuple[str, ...]:
    """The clauses behind what comes of a step, each once."""
    return tuple(dict.fromkeys(clause for event in each.events for clause in event.clauses))


def _right_step(rehearsal: Rehearsal, each: RehearsedStep, *, own: bool) -> RightStep:
    act, house = each.step.act, rehearsal.house
    sentences = tuple(sentence for event in each.events for sentence in event_sentences(event, house))
    cases = (event.case for event in each.events if isinstance(event, ev.IrregularityReported))
    effects = (effect for case in cases for effect in case.effects if not isinstance(effect, Refer))
    rules = tuple(effect_message(effect) for effect in effects)
    return RightStep(act.text, act.actor, own, step_sentences(rehearsal, each), sentences, rules)
