"""Answers of patrons that staff entered, as the recount follows them."""

from collections import defaultdict
from collections.abc import Iterator

from thirdcard.auditor.bodies import AnswerTakenBack, OfferAnswered, WagerReduced
from thirdcard.messages import Message, message


class EnteredAnswers:
    """The answers that staff entered for patrons, by case and patron, with the wagers withdrawn by them."""

    def __init__(self) -> None:
        self._withdrawn: defaultdict[tuple[int, str], list[tuple[int, int, int]]] = defaultdict(list)
        self._answered: set[tuple[int, str]] = set()

    def withdraw(self, body: WagerReduced) -> bool:
        """Note what staff took off for a patron in an offer; whether they did."""
        if body.case is None or body.by == body.patron:
            return False
        self._withdrawn[body.case, body.patron].append((body.id, body.amount, body.gone))
        return True

    def answer(self, body: OfferAnswered) -> None:
        """Note an answer that staff entered."""
        if body.by is not None:
            self._answered.add((body.case or 0, body.patron))

    def take_back(self, body: AnswerTakenBack) -> Iterator[Message]:
        """Take an answer back; says so where staff entered no such answer."""
        whose = (body.case, body.patron)
        if body.by == body.patron and whose not in self._answered:
            yield message("finding.answer-not-entered", patron=body.patron)
        self._answered.discard(whose)
        if [(each.id, each.stake, each.pulled) for each in body.wagers] != self._withdrawn.pop(whose, []):
            yield message("finding.answer-not-entered", patron=body.patron)
