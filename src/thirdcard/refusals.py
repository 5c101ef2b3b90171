"""Why something asked for is not done: a reason, the clause behind it, and what to say."""

import enum

from msgspec import Struct

from thirdcard.messages import Message, Params


class Refusal(enum.Enum):
    """The reasons, in order of precedence: where several hold, the first one is given."""

    NOT_YET_IN_FORCE = "not-yet-in-force"
    NO_RULEBOOK_IN_FORCE = "no-rulebook-in-force"
    TOO_FEW_CARDS = "too-few-cards"
    TOO_MANY_CARDS = "too-many-cards"
    WAGER_NOT_OFFERED = "wager-not-offered"
    STAKE_NOT_POSITIVE = "stake-not-positive"
    STAKE_TOO_FINE = "stake-too-fine"


class Refused(Struct, frozen=True):
    """One refusal as a value; ``clauses`` is empty only where no document speaks."""

    reason: Refusal
    clauses: tuple[str, ...] = ()
    params: Params = ()

    @property
    def message(self) -> Message:
        """What to say about it."""
        return Message(f"refusal.{self.reason.value}", self.params)


def refuse(reason: Refusal, /, *clauses: str, **params: str | int) -> Refused:
    """A refusal with its clauses and the parameters of its sentence."""
    return Refused(reason, clauses, tuple(sorted(params.items())))
