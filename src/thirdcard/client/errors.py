"""The errors that can arise between a client and its server."""

from thirdcard.refusals import Refusal

_KNOWN = {each.value: each for each in Refusal}


class Trouble(Exception):
    """Something is wrong between a client and its server."""


class WasRefused(Trouble):
    """The server did not do what was asked: a stable reason, the clauses behind it, and a sentence.

    ``code`` is the reason as text. ``reason`` is nothing where a newer server has one that is not known here.
    """

    def __init__(
        self, code: str, sentence: str, clauses: tuple[str, ...] = (), status: int | None = None
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.reason: Refusal | None = _KNOWN.get(code)
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
