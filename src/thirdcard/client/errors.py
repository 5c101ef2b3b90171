"""The errors that can arise between a client and its server."""

from thirdcard.refusals import Refusal


class Trouble(Exception):
    """Something is wrong between a client and its server."""


class WasRefused(Trouble):
    """The server did not do what was asked: a stable reason, the clauses behind it, and a sentence."""

    def __init__(
        self, reason: Refusal, sentence: str, clauses: tuple[str, ...] = (), status: int | None = None
    ) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence
        self.clauses = clauses
        self.status = status


class Unreachable(Trouble):
    """No server answered, however often it was tried."""


class NotUnderstood(Trouble):
    """An answer at the address that does not follow this client's protocol."""


class LineEnded(Trouble):
    """The server ended a line for good, and said why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
