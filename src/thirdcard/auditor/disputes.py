"""Disputes as a recount has them: every award is decided and paid once, and no step was left out."""

from collections.abc import Callable, Iterator

from thirdcard.auditor import dispute_bodies as bodies
from thirdcard.messages import Message, message
from thirdcard.money import format_amount
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import HouseForm

# from this form on a decision has regard to every source, and an award is paid by a record of its own
PROCEDURE_FORM = 6
# from this form on that holds at the first level too
EVERY_LEVEL_FORM = 7
# from this form on no source is called unavailable that was taken down, nor the rules of the game
SOURCES_FORM = 8
# from this form on what was paid counts towards a later award, and the patron names who is to receive it
ONE_AWARD_FORM = 9
GAME_RULES = "game-rules"
PAYEE = "payee"

DisputeBody = (
    bodies.DisputeOpened
    | bodies.DisputeEscalated
    | bodies.SurveillanceInformed
    | bodies.InformationGathered
    | bodies.DisputeDecided
    | bodies.ComplaintAnswered
    | bodies.AwardPaid
    | bodies.AwardSetOff
    | bodies.PatronAnswered
    | bodies.ReceiptConfirmed
    | bodies.DisputeClosed
)


class Disputes:
    """The disputes of a table: whose they are, how far, and what is owed of their awards.

    Of what was paid of an award, a settlement may have ``taken_back`` some.
    """

    def __init__(self, taken_back: Callable[[int], int]) -> None:
        self._taken_back = taken_back
        self._patrons: dict[int, str] = {}
        self._openers: dict[int, str | None] = {}
        self._escalated: set[int] = set()
        self._informed: set[int] = set()
        self._givers: dict[tuple[int, str | None], set[str]] = {}  # of what was taken down for a source
        self._owed: dict[int, int] = {}
        self._paid: dict[int, int] = {}
        self._payees: dict[int, set[str]] = {}  # whom the patron has named to receive the award
        self._settlers: dict[int, set[str | None]] = {}  # who decided, answered a complaint or paid
        self._answered: set[int] = set()  # by the patron in person

    def take(self, body: DisputeBody, document: Document, house: HouseForm, form: int) -> tuple[Message, ...]:
        """Take in a step of a dispute; says what is wrong with it, where its form has that rule."""
        match body:
            case bodies.DisputeOpened():
                self._patrons[body.id], self._openers[body.id] = body.patron, body.by
                wrong: tuple[Message, ...] = ()
            case bodies.DisputeEscalated():
                self._escalated.add(body.id)
                self._answered.discard(body.id)
                wrong = tuple(self._settle(body.id, body.lapsed, house))
            case bodies.SurveillanceInformed():
                self._informed.add(body.id)
                wrong = ()
            case bodies.InformationGathered():
                self._givers.setdefault((body.id, body.source), set()).add(body.given_by)
                if body.source == PAYEE and body.given_by == self._patrons.get(body.id):
                    self._payees.setdefault(body.id, set()).add(_plain(body.what))
                wrong = ()
            case bodies.DisputeDecided():
                wrong = (*self._decided_by(body), *self._left_out(body, document, house, form))
                wrong = (*wrong, *self._owe(body, house, form))
                self._had_to_do(body.id, body.by, body.second)
            case bodies.ComplaintAnswered():
                lapsed = self._settle(body.id, body.lapsed, house) if body.award else ()
                wrong = (*self._decided_by(body), *lapsed, *self._owe(body, house, form))
                self._had_to_do(body.id, body.by, body.second)
            case bodies.AwardPaid():
                self._had_to_do(body.id, body.by, body.second)
                wrong = (*self._paid_to(body, form), *self._settle(body.id, body.amount, house))
                self._paid[body.id] = self._paid.get(body.id, 0) + body.amount
            case bodies.AwardSetOff():
                self._owed[body.id] = self._owed.get(body.id, 0) - body.amount
                wrong = ()
            case bodies.PatronAnswered():
                wrong = tuple(self._look_at_answer(body))
            case bodies.ReceiptConfirmed():
                wrong = tuple(self._word(body))
            case _:
                wrong = tuple(self._closed(body, house))
        return wrong if form >= PROCEDURE_FORM else ()

    def _owe(
        self, body: bodies.DisputeDecided | bodies.ComplaintAnswered, house: HouseForm, form: int
    ) -> Iterator[Message]:
        """Owe what is awarded; what was paid before and not taken back counts towards it."""
        kept = self._paid.get(body.id, 0) - self._taken_back(body.id)
        paid = min(kept, body.award) if form >= ONE_AWARD_FORM else body.counted
        owed = self._owed.get(body.id, 0) + body.award - paid
        self._owed[body.id] = owed
        if paid != body.counted:
            said = {name: format_amount(each, house.currency) for name, each in _both(body.counted, paid)}
            yield message("finding.award-counted", dispute=body.id, **said)

    def _had_to_do(self, number: int, *people: str | None) -> None:
        self._settlers.setdefault(number, set()).update(people)

    def _look_at_answer(self, body: bodies.PatronAnswered) -> Iterator[Message]:
        """The patron's own answer stands; staff enter one where there is none."""
        if body.by is None:
            self._answered.add(body.id)
            return
        if body.id in self._answered:
            yield message("finding.answered-for-patron", dispute=body.id)
        yield from self._word(body)

    def _word(self, body: bodies.PatronAnswered | bodies.ReceiptConfirmed) -> Iterator[Message]:
        """Require somebody who neither decided nor paid behind what staff enter as the word of a patron."""
        if body.by is not None and {body.by, body.second} - {None} <= self._settlers.get(body.id, set()):
            yield message("finding.word-of-who-settled", dispute=body.id, person=body.by)

    def _closed(self, body: bodies.DisputeClosed, house: HouseForm) -> Iterator[Message]:
        owed = self._owed.get(body.id, 0)
        if owed:
            amount = format_amount(owed, house.currency)
            yield message("finding.closed-unpaid", dispute=body.id, amount=amount)

    def _settle(self, number: int, amount: int, house: HouseForm) -> Iterator[Message]:
        """Pay what was awarded, or let it lapse, once and whole."""
        owed = self._owed.pop(number, 0)
        if amount != owed:
            said = {name: format_amount(each, house.currency) for name, each in _both(amount, owed)}
            yield message("finding.award", dispute=number, **said)

    def _paid_to(self, body: bodies.AwardPaid, form: int) -> Iterator[Message]:
        patron = self._patrons.get(body.id)
        named = {_plain(patron or ""), *self._payees.get(body.id, ())}
        own = {*self._settlers.get(body.id, ()), self._openers.get(body.id)} - {patron, None}
        stranger = form >= ONE_AWARD_FORM and body.to not in own and _plain(body.to) not in named
        if patron is None or body.patron != patron or not body.to.strip() or stranger:
            yield message("finding.award-to-another", dispute=body.id, patron=body.patron)
        if body.to in own:
            yield message("finding.award-to-staff", dispute=body.id, person=body.to)

    def _decided_by(self, body: bodies.DisputeDecided | bodies.ComplaintAnswered) -> Iterator[Message]:
        """Say so where the person who opened a dispute for its patron decides it."""
        opener = self._openers.get(body.id)
        if opener == body.by and opener != self._patrons.get(body.id):
            yield message("finding.decided-own-dispute", dispute=body.id, person=body.by)

    def _left_out(
        self, body: bodies.DisputeDecided, document: Document, house: HouseForm, form: int
    ) -> Iterator[Message]:
        """A decision has regard to every source; what was escalated, with surveillance informed."""
        escalated = body.id in self._escalated
        if not escalated and form < EVERY_LEVEL_FORM:
            return
        rule, own = document.dispute, house.dispute
        informed = body.id in self._informed or not escalated
        if not informed and (rule is not None or own is None or own.surveillance):
            yield message("finding.surveillance-not-informed", dispute=body.id)
        known = {each.id: each.needs for each in (rule.source if rule else own.sources if own else ())}
        lacking = {each.source for each in body.unavailable if each.why.strip()}
        for source, needs in known.items():
            named = f"@dispute.{source}"
            if source not in {*body.sources, *lacking}:
                yield message("finding.source-left-out", dispute=body.id, source=named)
            if form >= SOURCES_FORM and source in lacking and self._is_at_hand(body.id, source, needs):
                yield message("finding.source-was-there", dispute=body.id, source=named)

    def _is_at_hand(self, number: int, source: str, needs: str | None) -> bool:
        """Whether a source was there: the rules of the game are, and so is what was taken down."""
        givers = self._givers.get((number, source), set())
        both = needs != "both-parties" or (self._patrons.get(number) in givers and len(givers) > 1)
        return source == GAME_RULES or (bool(givers) and both)


def _both(recorded: int, recounted: int) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("recorded", recorded), ("recounted", recounted)


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
