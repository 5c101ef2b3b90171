"""A second opinion on every settlement, from the recorded bodies and the document alone."""

from collections import Counter
from typing import assert_never

import msgspec

from thirdcard.auditor import bodies
from thirdcard.auditor.absent_patrons import AbsentPatrons
from thirdcard.auditor.answers import EnteredAnswers
from thirdcard.auditor.bodies import KINDS, Body
from thirdcard.auditor.chips import Chips
from thirdcard.auditor.credits import Credits
from thirdcard.auditor.debts import CORRECTION, LATE, LOST, PULLED, TOLD_AS, Debts, kinds_by_two, not_booked
from thirdcard.auditor.decided_payments import DecidedPayments, WrongAmount
from thirdcard.auditor.dispute_bodies import AwardPaid, ComplaintAnswered, DisputeDecided
from thirdcard.auditor.disputes import PROCEDURE_FORM, DisputeBody, Disputes
from thirdcard.auditor.expected_results import Lying, PostedTerms, compare, expect, terms_of
from thirdcard.auditor.findings import Finding
from thirdcard.auditor.hands import OUT_OF_ORDER, Hands
from thirdcard.auditor.held_money import HeldAmounts, HeldBody, takes_two
from thirdcard.auditor.layout import Layout
from thirdcard.auditor.limit_mistakes import LIMITS_FORM, LimitMistakes
from thirdcard.auditor.marks import Marks
from thirdcard.auditor.people import ANSWERS_FORM, NOBODY_ALONE_FORM, TWO_PEOPLE_FORM, SentBy, one_person
from thirdcard.auditor.sheet import RecountSheet, read_sheet
from thirdcard.auditor.wager_bodies import (
    HeldMoneyDecided,
    HeldWagerJudged,
    MoneyHeld,
    ReturnedLine,
    SettledLine,
)
from thirdcard.messages import Message, message
from thirdcard.money import format_amount
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import HouseForm

NEWEST_FORM = LIMITS_FORM


class Recount:
    """Reads the bodies of a table one after another and notes what it finds."""

    def __init__(self, document: Document, house: HouseForm, *, whole_limit: bool = True) -> None:
        self.findings: list[Finding] = []
        self._document, self._house = document, house
        self._whole_limit = whole_limit
        self._sequence = 0
        self._setup: bodies.Setup | None = None
        self._rules: RecountSheet | None = None
        self._terms = PostedTerms({}, 0)
        self._here: set[str] = set()
        self._stays: Counter[str] = Counter()
        self._marks, self._hands = Marks(), Hands(0)
        self._kept: dict[int, Hands] = {}  # rounds of which the table still knows the cards
        self._credits = Credits()
        self._absent = AbsentPatrons()
        self._people: SentBy | None = None
        self._over, self._opened_again, self._betting = True, False, False
        self._layout = Layout()
        self._misplaced: Finding | None = None
        self._debts = Debts()
        self._decided = DecidedPayments()
        self._limits = LimitMistakes()
        self._held = HeldAmounts()
        self._answers = EnteredAnswers()
        self._old, self._form = False, NEWEST_FORM
        self._chips = Chips()
        self._disputes = Disputes(self._decided.taken_back)

    def read(
        self,
        sequence: int,
        body: dict[str, object],
        *,
        form: int = NEWEST_FORM,
        people: SentBy | None = None,
    ) -> None:
        """Take in the next body; kinds that move no stake and lay no card are passed over.

        The form of its record says by which rules it was written. Where the ``people`` of the record are
        given, two of them must stand for what no clause gives to anybody.
        """
        kind = KINDS.get(body["type"])
        if kind is None:
            return
        known: Body = msgspec.convert(body, kind)
        self._sequence, self._old, self._form = sequence, form < TWO_PEOPLE_FORM, form
        self._people = people if form >= NOBODY_ALONE_FORM else None
        self._look_at_misplaced(known)
        if self._setup is None and not isinstance(known, bodies.TableSetUp):
            self._note(message("finding.not-set-up"))
        else:
            self._take(known)
            self._recount_claims(known)

    def _recount_claims(self, body: Body) -> None:
        """Hold claims against the credits of the terminals, who has left the felt, and what was settled."""
        assert self._setup is not None
        self._note(*self._chips.take(body, self._house, self._amount))
        if isinstance(body, bodies.ClaimBooked) and self._debts.book(LOST, body.patron, None, body.amount):
            self._absent.owe(body)
            return
        felt, form = not self._setup.terminal, self._form
        wrong = self._absent.take(body, self._here, form) if felt else self._credits.take(body)
        judged = form >= (PROCEDURE_FORM if felt else NOBODY_ALONE_FORM)
        decided = (*self._decided.take(body, self._debts.case), *self._recount_limits(body))
        claims = (*((each.key, *each[:3]) for each in wrong), *decided)
        for key, patron, recorded, recounted in claims if judged else ():
            said = {"recorded": self._amount(recorded), "recounted": self._amount(recounted)}
            self._note(message(key, patron=patron, **said))

    def _recount_limits(self, body: Body) -> tuple[WrongAmount, ...]:
        """Hold what is booked beside the limits of a previous round against what can have been."""
        if not isinstance(body, bodies.WrongPaymentFound):
            self._note(*not_booked(self._debts.not_taken_out(), self._amount))
            return ()
        number = self._hands.number + (1 if self._opened_again else 0)
        wrong = self._limits.book(body, self._debts.about(body), before=number)
        return wrong if self._form >= LIMITS_FORM else ()

    @property
    def _sheet(self) -> RecountSheet:
        if self._rules is None:
            assert self._setup is not None
            variant = self._setup.game.partition("/")[2] or None
            self._rules = read_sheet(self._document, self._house, variant, whole_limit=self._whole_limit)
        return self._rules

    def _note(self, *found: Message) -> None:
        self.findings += [Finding(self._sequence, what) for what in found]

    def _amount(self, minor: int) -> str:
        return format_amount(minor, self._house.currency)

    def _take(self, body: Body) -> None:  # noqa: C901, PLR0912, PLR0915 - one case a kind
        match body:
            case (
                bodies.CardDrawn() | bodies.CardsSetAside() | bodies.CardsReserved() | bodies.CardCorrected()
            ):
                self._lay(body)
            case bodies.WagerPlaced() | bodies.WagerFound():
                self._place(body)
            case bodies.TableSetUp():
                self._set_up(body.setup)
            case bodies.TableChanged():
                self._terms = terms_of(body.change)
            case bodies.PatronCame():
                self._come(body)
            case bodies.PatronLeft():
                self._here.discard(body.patron)
            case bodies.PatronMarked():
                self._note(*self._marks.tell(body, self._hands.number))
            case bodies.BettingOpened() | bodies.BettingReopened():
                self._betting = True
                self._opened_again = self._over
            case bodies.BettingClosed():
                self._betting = False
            case bodies.RoundBegan():
                self._begin(body)
            case bodies.WagerReduced() | bodies.WagerPulledLate():
                self._take_off(body)
            case bodies.OfferAnswered():
                self._answers.answer(body)
            case bodies.AnswerTakenBack():
                self._take_back(body)
            case MoneyHeld() | HeldWagerJudged() | HeldMoneyDecided():
                self._look_at_held(body)
            case bodies.ShoeLoaded():
                self._load()
            case bodies.StrayCardsKept():
                self._hands.keep(body.cards)
            case bodies.CardsBurned():
                self._hands.burn(body, self._debts.case)
            case bodies.CardsExposed():
                self._hands.expose(body)
            case bodies.CardsReconstructed():
                self._hands.lay_again(body.cards, body.aside)
            case bodies.CardsSubstituted():
                self._hands.lay_again(body.cards)
            case bodies.CardsRetrieved():
                self._deal(self._hands.number)
            case bodies.MissingCardsDeduced() | bodies.FactsConfirmed():
                self._look_at_people(body)
            case _ if isinstance(body, bodies.OtherBody):
                pass
            case bodies.OutcomeKnown():
                self._note(*self._hands.judge(self._sheet, body.facts))
            case bodies.RoundSettled():
                self._settle(body)
            case bodies.SettlementReversed():
                self._reverse(body)
            case bodies.RoundVoided():
                self._void(body)
            case bodies.RoundEnded():
                self._end()
            case bodies.BettingCancelled():
                self._cancel()
            case _ if isinstance(body, DisputeBody):
                self._look_at_dispute(body)
            case _:
                self._look_at_case(body)

    def go_by(self, document: Document, house: HouseForm, *, whole_limit: bool = True) -> None:
        """Go on by another document, another form of the house, or another way to scale stakes."""
        self._document, self._house, self._whole_limit = document, house, whole_limit
        self._rules = None

    def _set_up(self, setup: bodies.Setup) -> None:
        """From here on it is another table: nothing may lie on it, and of rounds before it knows no cards."""
        self._note(*(self._about("finding.still-lying", each) for each in self._layout.lying.values()))
        self._opened_again = True
        self._kept.clear()
        self._setup, self._rules, self._terms = setup, None, terms_of(setup)

    def _begin(self, body: bodies.RoundBegan) -> None:
        self._deal(body.number)
        self._over = self._opened_again = False
        self._layout.clear()
        self._marks.begin_round()

    def _load(self) -> None:
        """Load new cards: no old one waits any more, and only those of the last round are known."""
        last = self._hands.number
        self._kept = {number: hands for number, hands in self._kept.items() if number == last}
        self._hands.waiting.clear()

    def _deal(self, number: int) -> None:
        """Begin with the first card of a round."""
        self._hands = self._kept[number] = Hands(number, self._hands.waiting, self._hands.disclosed)

    def _come(self, body: bodies.PatronCame) -> None:
        """Note that a patron comes, or comes back: a mark outlasts the stay."""
        patron = body.patron
        if patron in self._here:
            return
        self._here.add(patron)
        before = None if self._old else self._marks.round_of(patron, self._stays[patron])
        self._stays[patron] += 1
        if before is not None:
            self._marks.carry_over(patron, self._stays[patron], before)
        if body.marked != before:
            self._note(message("finding.mark-forgotten", patron=patron))

    def _place(self, body: bodies.WagerPlaced | bodies.WagerFound) -> None:
        if body.wager not in self._sheet.wagers or body.wager not in self._terms.limits:
            self._note(message("finding.wager-not-offered", patron=body.patron, wager=body.wager))
            return
        if isinstance(body, bodies.WagerFound):
            self._stand_for(body.by, body.second)
            self._note(*(self._held.find(body) if body.held else ()))
        wrong = self._layout.place(body, self._stays[body.patron])
        self._note(*((wrong,) if wrong else ()))

    def _take_off(self, body: bodies.WagerReduced | bodies.WagerPulledLate) -> None:
        """Chips leave a wager: in time they are no longer staked, too late they stay in action."""
        late = LATE if isinstance(body, bodies.WagerReduced) else PULLED
        if isinstance(body, bodies.WagerReduced) and self._answers.withdraw(body):
            by_two = self._form >= ANSWERS_FORM and self._is_card_known
            self._note(*(one_person(body.by, body.second) if by_two else ()))
        if isinstance(body, bodies.WagerReduced) and body.mistaken:
            self._stand_for(body.by, body.second)
        else:
            self._debts.book(late, body.patron, body.wager, body.amount)
        wrong = self._layout.take_off(body)
        self._note(*((wrong,) if wrong else ()))

    def _take_back(self, body: bodies.AnswerTakenBack) -> None:
        """Take back what staff entered for a patron: by two of them, or by the patron's own word."""
        if body.by != body.patron:
            self._stand_for(body.by, body.second)
        self._note(*self._answers.take_back(body))
        for each in body.wagers:
            self._layout.put_back(each, self._stays[each.patron])

    def _look_at_held(self, body: HeldBody) -> None:
        """Money is held or decided, or its wager is settled anew by corrected cards."""
        known = self._is_card_known and not self._over
        if not isinstance(body, HeldWagerJudged) and takes_two(body, self._document, known=known):
            self._stand_for(body.by, body.second)
        match body:
            case MoneyHeld():
                self._note(*self._held.hold(body, self._layout))
            case HeldWagerJudged():
                hands = self._kept.get(self._held.round_of(body.id))
                facts = hands.count(self._sheet) if hands else None
                self._note(*self._held.judge(body, self._sheet, facts))
            case _:
                wager = self._held.out_of_play(body)
                if wager is not None:
                    self._marks.take_out(body.patron, self._held.round_of(body.id), wager)
                self._note(*self._held.decide(body, self._layout))

    def _lay(
        self, body: bodies.CardDrawn | bodies.CardsSetAside | bodies.CardsReserved | bodies.CardCorrected
    ) -> None:
        """A card comes to a hand, lies aside, is reserved, or turns out to be another one."""
        match body:
            case bodies.CardDrawn():
                self._doubt(self._hands.draw(self._sheet, body))
            case bodies.CardsSetAside():
                self._doubt(self._hands.set_aside(self._sheet, body))
            case bodies.CardsReserved():
                self._hands.reserved += [each.rank for each in body.cards]
            case bodies.CardCorrected():
                self._stand_for(body.by, body.second)
                hands = self._kept.get(body.round)
                wrong = hands.correct(body) if hands else None
                self._note(*([wrong] if wrong else []))
            case _:
                assert_never(body)

    def _doubt(self, wrong: Message | None) -> None:
        self._misplaced = Finding(self._sequence, wrong) if wrong else None
        self.findings += [self._misplaced] if self._misplaced else []

    def _look_at_misplaced(self, body: Body) -> None:
        """A misplaced card is a finding, unless it is reported at once as out of order, or as another one.

        Another case may come before that report and be closed at once, or let the card go back.
        """
        other = isinstance(body, bodies.IrregularityReported) and body.case.situation not in OUT_OF_ORDER
        if other or isinstance(body, bodies.CaseClosed):
            return
        excused = isinstance(body, bodies.IrregularityReported | bodies.CardsRetrieved)
        if self._misplaced is not None and excused:
            self.findings.remove(self._misplaced)
            self._hands.trust()
        self._misplaced = None

    def _stand_for(self, by: str, second: str | None) -> None:
        """Two people stand for what no clause gives to anybody."""
        self._note(*(() if self._old else one_person(by, second)))

    def _look_at_people(
        self,
        body: bodies.MissingCardsDeduced | bodies.FactsConfirmed | bodies.IrregularityReported,
    ) -> None:
        """Two people stand for a record by which money moves, where the record says who they are."""
        match body:
            case bodies.FactsConfirmed():
                needed = body.by == self._debts.confirm(body.id)
            case bodies.IrregularityReported():
                needed = self._takes_two(body.case)
            case _:
                needed = True
        if needed:
            self._stand_for_record()

    def _stand_for_record(self) -> None:
        """Two people stand for a record, where it says who they are."""
        if self._people is not None:
            self._stand_for(self._people.actor, self._people.authoriser)

    def _look_at_dispute(self, body: DisputeBody) -> None:
        """Hold a dispute against its procedure; two people stand for money where no clause names the post."""
        self._note(*self._disputes.take(body, self._document, self._house, self._form))
        awards = isinstance(body, DisputeDecided | ComplaintAnswered) and body.award != 0
        if isinstance(body, AwardPaid) or (awards and self._document.dispute is None):
            self._stand_for_record()

    def _cancel(self) -> None:
        """Before a round has begun stakes go back one by one, and then betting ends."""
        self._betting = False
        if not self._over:
            self._note(message("finding.cancelled-in-a-round", round=self._hands.number))
        self._note(
            *(self._about("finding.not-returned-before", each) for each in self._layout.lying.values())
        )

    def _look_at_case(
        self,
        body: bodies.IrregularityReported
        | bodies.RulingMade
        | bodies.CaseClosed
        | bodies.FactsDisproved
        | bodies.ReportWithdrawn
        | bodies.WrongPaymentFound
        | bodies.PaymentCorrected
        | bodies.PaymentClaimed,
    ) -> None:
        match body:
            case bodies.IrregularityReported():
                self._debts.report(body.case, by_two=bool(self._people and self._people.authoriser))
                self._hands.learn(body.case)
                self._look_at_people(body)
            case bodies.RulingMade():
                over, held = self._over and not self._opened_again, self._credits.held_by(self._debts.case)
                self._debts.rule(body, settled=over, books=self._form >= LIMITS_FORM, held=held)
            case bodies.CaseClosed():
                left = self._debts.close(body.id)
                self._hands.release(body.id)
                pointless = body.superseded_by is not None or self._old
                self._note(*not_booked(() if pointless else left, self._amount))
            case bodies.FactsDisproved() | bodies.ReportWithdrawn():
                if told := self._debts.closed(body.id):
                    self._hands.untell(told)
                    self._debts.take_back(told)
                    self._stand_for_record()
                self._debts.close(body.id)
                self._hands.release(body.id)
            case bodies.WrongPaymentFound() | bodies.PaymentCorrected() | bodies.PaymentClaimed():
                self._look_at_payment(body)
            case _:
                assert_never(body)

    def _look_at_payment(
        self, body: bodies.WrongPaymentFound | bodies.PaymentCorrected | bodies.PaymentClaimed
    ) -> None:
        """A payment that is put right has its ground in a case, or in a settlement that was made again."""
        if self._decided.is_lapse(body):
            return
        kind = self._debts.meet(body)
        if kind in kinds_by_two(self._document) and not isinstance(body, bodies.WrongPaymentFound):
            self._stand_for(body.by, body.second)
        if kind is None and not self._old:
            amount = self._amount(body.amount)
            self._note(message("finding.payment-without-ground", patron=body.patron, amount=amount))

    @property
    def _is_card_known(self) -> bool:
        """Whether a card of the round is known, and no more wagers are taken."""
        return self._hands.is_card_known and not (self._opened_again or self._betting)

    def _takes_two(self, case: bodies.ReportedCase) -> bool:
        """Whether the word of one person moves money; what the table notices by itself needs nobody."""
        assert self._setup is not None
        if case.by == self._setup.table:
            return False
        effects = {effect.get("do") for effect in case.effects}
        late = "refuse-wager" in effects and self._is_card_known
        return late or "keep-in-action" in effects or case.situation == TOLD_AS[CORRECTION]

    def _is_marked(self, each: Lying) -> bool:
        """Whether the patron of a wager was let pass in an earlier round of the same stay."""
        marked = self._marks.round_of(each.patron, each.stay)
        return marked is not None and marked < self._hands.number

    def _settle(self, body: bodies.RoundSettled) -> None:
        layout = self._layout
        layout.before, layout.settled, layout.lying = layout.lying, body.wagers, {}
        if self._hands.facts is None:
            self._note(message("finding.no-outcome", round=self._hands.number))
            return
        placed = (*layout.before.values(), *layout.apart.values())
        expected = expect(self._sheet, self._terms, placed, self._hands.facts, is_marked=self._is_marked)
        layout.acting = {id_: each.acting for id_, each in expected.items()}
        self._held.settle(layout)
        self._limits.settle(self._hands.number, self._sheet, layout, expected, self._hands.facts)
        recorded = {each.id: each for each in body.wagers}
        for id_, each in self._layout.before.items():
            if id_ not in recorded:
                self._note(self._about("finding.not-settled", each))
            if expected[id_].acting.let_pass and expected[id_].result != "stood-off":
                self._marks.let_pass(each.patron, self._stays[each.patron], self._hands.number, id_)
        for line in body.wagers:
            if line.id in self._layout.before:
                self._note(*compare(line, self._layout.before[line.id], expected[line.id], self._amount))
            else:
                self._note(self._about("finding.settled-without-wager", line))

    def _about(self, key: str, each: Lying | SettledLine | ReturnedLine) -> Message:
        amount = self._amount(each.stake)
        return message(key, round=self._hands.number, patron=each.patron, wager=each.wager, amount=amount)

    def _undo(self) -> None:
        """Without its settlement the round has let nobody pass."""
        self._layout.settled = ()
        self._marks.undo(self._hands.number)
        self._limits.undo(self._hands.number)

    def _reverse(self, body: bodies.SettlementReversed) -> None:
        """The round is in play again, and its wagers lie as they did before their settlement."""
        if self._opened_again:
            self._note(message("finding.reversal-of-another-round", round=self._hands.number))
        self._note(*(self._about(*each) for each in self._layout.reverse(body.wagers)))
        self._undo()
        self._held.undo(body.wagers)
        self._over = False
        self._layout.lying = self._layout.before | self._layout.lying

    def _void(self, body: bodies.RoundVoided) -> None:
        voids = self._debts.void()
        too_late = self._opened_again or (self._over and not voids)
        if too_late or body.number != self._hands.number:
            self._note(message("finding.void-of-another-round", round=body.number))
        self._note(*(self._about(*each) for each in self._layout.reverse(body.reversed)))
        self._note(*(self._about(*each) for each in self._layout.give_back(body.returned)))
        self._undo()
        self._held.undo(body.reversed)
        self._layout.lying, self._layout.apart = {}, {}

    def _end(self) -> None:
        """At the end of a round nothing lies any more, and whoever was let pass is marked."""
        self._over, self._betting = True, False
        self._hands.end()
        self._note(*(self._about("finding.still-lying", each) for each in self._layout.lying.values()))
        for patron in self._marks.untold():
            self._note(message("finding.not-marked", patron=patron, round=self._hands.number))
