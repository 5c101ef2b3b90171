"""Training by seed over HTTP: faults by chance, and exercises in ordinary dealing."""

from typing import Annotated

from msgspec import Meta, Struct

from thirdcard.messages import Message
from thirdcard.money import Currency
from thirdcard.training.dealing import MOST_ROUNDS, USUAL_ROUNDS, DealtFace, Skill
from thirdcard.training.exercise import SkillResult
from thirdcard.training.rehearsal import Level
from thirdcard.wire.answers import ClauseSaid
from thirdcard.wire.forms import Form, Name

MOST_SEED = 999_999_999
Seed = Annotated[int, Meta(ge=0, le=MOST_SEED)]

# to the server


class BeginFaultForm(Form, frozen=True, kw_only=True):
    """Something goes wrong by chance at a game: any fault or one of them, by a new seed or by this one."""

    game: Name
    post: Name
    level: Level = Level.SHOWN
    what: Name | None = None
    seed: Seed | None = None


class BeginExerciseForm(Form, frozen=True, kw_only=True):
    """An exercise in ordinary dealing is begun, of new rounds or of those that a seed stands for."""

    game: Name
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = USUAL_ROUNDS
    seed: Seed | None = None


class AnswerForm(Form, frozen=True, kw_only=True):
    """A question of an exercise is answered: by cards, by one of the choices, or by an amount."""

    question: int
    answer: Annotated[str, Meta(min_length=1, max_length=80)]


class GoOnForm(Form, frozen=True, kw_only=True):
    """An exercise goes on from a question that is answered."""

    question: int


# to the client


class TrainedGame(Struct, frozen=True):
    """A game with the posts of its house, the lowest first, and what can go wrong at it by chance."""

    game: str
    name: str
    posts: tuple[str, ...]
    faults: tuple[str, ...]


class TrainedGamesAnswer(Struct, frozen=True):
    """The games at which one can train by seed."""

    games: tuple[TrainedGame, ...]


class AskedStake(Struct, frozen=True):
    """The wager that a question is about, by its id and its printed name, and its stake in minor units."""

    patron: str
    wager: str
    name: str
    amount: int


class ExerciseQuestion(Struct, frozen=True, kw_only=True):
    """A question of an exercise, and the cards that lie there, in the order in which they came out."""

    number: int
    round: int
    skill: Skill
    dealt: tuple[DealtFace, ...]
    stake: AskedStake | None = None


class CheckedAnswer(Struct, frozen=True, kw_only=True):
    """An answer to a question: whether it is right, the right one, why that is so, and by which clauses."""

    question: ExerciseQuestion
    answer: str
    right: bool
    right_answer: str
    seconds: float
    clauses: tuple[str, ...]
    why: Message | None = None


class ExerciseResult(Struct, frozen=True, kw_only=True):
    """The result of an exercise: points, seconds, each skill, and what was wrong.

    ``kept`` says whether it is in the record of training.
    """

    points: int
    most: int
    seconds: float
    kept: bool
    skills: tuple[SkillResult, ...]
    wrong: tuple[CheckedAnswer, ...]
    clauses: tuple[ClauseSaid, ...]


class ExerciseStanding(Struct, frozen=True, kw_only=True):
    """An exercise as it stands: a question that waits for its answer, a checked answer, or the result."""

    exercise: str
    game: str
    name: str
    seed: int
    rounds: int
    currency: Currency
    question: ExerciseQuestion | None = None
    checked: CheckedAnswer | None = None
    result: ExerciseResult | None = None
