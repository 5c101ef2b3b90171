"""Training over HTTP: drills, the training table of one that is under way, and its grade.

What a drill tells is said by the server, in the language that the request names.
"""

from msgspec import Struct

from thirdcard.game.commands import Body as TableBody
from thirdcard.training.by_chance import FaultSeed
from thirdcard.training.exercise import SkillResult
from thirdcard.training.grade import Aspect
from thirdcard.training.rehearsal import Level
from thirdcard.views.sections.whole import View
from thirdcard.wire.answers import ClauseSaid, MomentAt
from thirdcard.wire.forms import CommandId, Form, Name
from thirdcard.wire.refusals import RefusedMessage

# to the server


class BeginDrillForm(Form, frozen=True, kw_only=True):
    """A drill is begun under a game, in a post, at a level."""

    drill: Name
    game: Name
    post: Name
    level: Level = Level.SHOWN


class DrillCommandForm(Form, frozen=True, kw_only=True):
    """A command to the training table of a drill; a second person is named by the post alone."""

    command_id: CommandId
    command: TableBody
    authoriser: Name | None = None


class CallPostForm(Form, frozen=True, kw_only=True):
    """A post is called to the training table."""

    post: Name


# to the client


class DrillLine(Struct, frozen=True):
    """A drill under the game that was asked for, and the posts that have something to do in it."""

    name: str
    title: str
    posts: tuple[str, ...]


class DrilledGame(Struct, frozen=True):
    """A game for which there are drills, and the posts that have something to do in them."""

    game: str
    name: str
    posts: tuple[str, ...]


class DrillsAnswer(Struct, frozen=True):
    """The drills of one game, and all games for which there are drills."""

    game: str
    games: tuple[DrilledGame, ...]
    drills: tuple[DrillLine, ...]


class DrillTelling(Struct, frozen=True):
    """Something that is told in a drill: an act at the table, a hint, or an entry of somebody else."""

    kind: str
    says: str


class DrillAnswer(Struct, frozen=True, kw_only=True):
    """A drill under way, and its training table as staff see it; ``refused`` is why a command was not done.

    ``person`` is how whoever trains is called at that table, and ``posts`` are those that can be called.
    ``moments`` are those since the answer before, and ``now`` is the time at the table. A drill by chance has
    the ``fault`` that it came of.
    """

    session: str
    drill: str
    title: str
    game: str
    post: str
    person: str
    posts: tuple[str, ...]
    level: Level
    over: bool
    told: tuple[DrillTelling, ...]
    sequence: int
    now: int
    view: View
    moments: tuple[MomentAt, ...] = ()
    fault: FaultSeed | None = None
    refused: RefusedMessage | None = None


class AspectGraded(Struct, frozen=True):
    """Whether everything was right in one respect."""

    aspect: Aspect
    says: str
    right: bool


class FindingLine(Struct, frozen=True):
    """One thing that was right or was not, with its clauses."""

    aspect: Aspect
    right: bool
    says: str
    clauses: tuple[str, ...]


class SentenceLine(Struct, frozen=True):
    """A sentence about what a step brings about, with its clauses."""

    says: str
    clauses: tuple[str, ...]


class RightStepLine(Struct, frozen=True, kw_only=True):
    """A step of the right way: whose it is, what it brings about, and what the rules lay down for it.

    ``says`` are the sentences of what is to be done, ``text`` is its line in a round file.
    """

    text: str
    actor: str
    own: bool
    says: tuple[str, ...]
    sentences: tuple[SentenceLine, ...]
    rules: tuple[str, ...]


class GradeAnswer(Struct, frozen=True, kw_only=True):
    """The grade of a drill, the right way, and the clauses of both in plain words.

    ``kept`` says whether it is in the record of training, ``fault`` of which seed it came.
    """

    session: str
    drill: str
    title: str
    game: str
    post: str
    level: Level
    passed: bool
    kept: bool
    points: int
    most: int
    seconds: float
    aspects: tuple[AspectGraded, ...]
    findings: tuple[FindingLine, ...]
    right_way: tuple[RightStepLine, ...]
    clauses: tuple[ClauseSaid, ...]
    fault: FaultSeed | None = None


class ResultLine(Struct, frozen=True, kw_only=True):
    """The result of a drill or an exercise in a record of training.

    ``wrong`` says in which respects something was wrong, ``skills`` how an exercise went, and ``trainer`` who
    let it go wrong.
    """

    time: str
    pack: str
    title: str
    game: str
    post: str
    level: int
    points: int
    most: int
    passed: bool
    seconds: float
    wrong: tuple[str, ...]
    skills: tuple[SkillResult, ...] = ()
    trainer: str = ""


class PackLine(Struct, frozen=True, kw_only=True):
    """The progress in a pack: times, times passed, and the share of the points of each, in order."""

    pack: str
    times: int
    passed: int
    shares: tuple[float, ...]
    seconds: float


class TrainingRecordAnswer(Struct, frozen=True, kw_only=True):
    """The record of training of a person; ``people`` are all whose records the asker may see."""

    person: str
    people: tuple[str, ...]
    packs: tuple[PackLine, ...]
    results: tuple[ResultLine, ...]
