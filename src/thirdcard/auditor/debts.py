"""Money that an irregularity obliges somebody to book, until it is booked or the case ends otherwise."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.auditor import bodies
from thirdcard.auditor.bodies import NOT_COVERED, ReportedCase, RulingMade
from thirdcard.messages import Message, message
from thirdcard.rulebook.document import Document

# a late stake goes back, chips taken away late stay in action, a payment is made
LATE, PULLED, PAYMENT = "late", "pulled", "payment"
# a post has decided that a payment is claimed back
CLAIM = "claim"
TAKE_BACK, PAY = "take-back", "pay"
# lost chips that their patron took back are owed
LOST = "lost"
LATE_WITHDRAWAL = "late-withdrawal"
# a wrong payment is booked and put right, or booked and left as it is
CORRECTION, STANDS = "correction", "stands"
EFFECTS = {
    "refuse-wager": LATE,
    "keep-in-action": PULLED,
    "correct-settlement": CORRECTION,
    "let-result-stand": STANDS,
}
# the situations in which an effect is about a payment
TOLD_AS = {CORRECTION: "wrong-payment", STANDS: "old-limit-mistake"}
RESERVE_CARDS = "reserve-cards"
# a booking that was not so is taken out again
NOT_SO = "not-so"
# a round that was confirmed or decided to be void
VOID, VOID_ROUND = "void", "void-round"
# how many closed cases are remembered, beside those that booked something
KEPT_CASES = 100
# the sentence about a debt of each kind that was never booked
NOT_BOOKED = {
    LATE: "finding.not-booked-late",
    PULLED: "finding.not-booked-pulled",
    CORRECTION: "finding.not-booked-correction",
    STANDS: "finding.not-booked-mistake",
    PAYMENT: "finding.not-booked-payment",
    CLAIM: "finding.not-booked-claim",
    LOST: "finding.not-booked-claim",
    NOT_SO: "finding.not-taken-out",
    VOID: "finding.not-voided",
}


def kinds_by_two(document: Document) -> tuple[str, ...]:
    """Return the kinds that two people stand for: a claim only where no clause names the post."""
    return (CORRECTION, CLAIM) if document.authority.not_covered is None else (CORRECTION,)


class Debt(Struct, frozen=True):
    """An amount that is to be booked for a patron in one way."""

    case: int
    kind: str
    patron: str
    wager: str | None
    amount: int
    found: bool = False
    due: bool = True


class Debts:
    """The debts of all cases; a ruling belongs to the case that was reported last."""

    def __init__(self) -> None:
        self._open: list[ReportedCase] = []
        self._closed: list[ReportedCase] = []
        self._debts: list[Debt] = []
        self._booked: dict[int, Debt] = {}
        self._taken_back: ReportedCase | None = None
        self._void: set[int] = set()  # cases that were open when their round was void

    def report(self, case: ReportedCase, *, by_two: bool) -> None:
        """Take in a case, told by one or two people, with what its effects say of its wager or payment."""
        if any(effect.get("do") == RESERVE_CARDS for effect in case.effects):
            self._open.insert(0, case)  # nobody rules on it, and others may go before it
        else:
            self._open.append(case)
        for effect in case.effects:
            kind = EFFECTS.get(str(effect.get("do")))
            if kind in (LATE, PULLED):
                self._owe(case, kind if case.wager is not None else None)
            elif kind is not None:
                told = case.situation == TOLD_AS[kind] and case.amount
                # a mistake that stands is booked where two people tell its amount
                self._owe(case, kind if told else None, due=by_two or kind != STANDS)

    def _owe(self, case: ReportedCase, kind: str | None, *, due: bool = True) -> None:
        if kind is not None and case.patron is not None:
            wager = case.wager if kind in (LATE, PULLED) else None
            self._debts.append(Debt(case.id, kind, case.patron, wager, case.amount, due=due))

    def rule(self, body: RulingMade, *, settled: bool, books: bool, held: int | None = None) -> None:
        """A ruling that decides a payment obliges to make it; a wrong payment is booked, whatever is decided.

        Older records, in which it is not ``books``, have it only where the post decides about that payment.
        Once a round is settled, a ruling about chips that were taken away says who has those that were lost.
        Of what was paid too little, the credits ``held`` by the terminal in question can be lacking at most.
        """
        chosen = {body.choice, *body.also}
        for case in self._open[-1:]:
            lost = settled and case.situation == LATE_WITHDRAWAL and not _keeps_in_action(case)
            if lost and VOID_ROUND not in chosen:
                self._decide_lost(case, body)
            if VOID_ROUND in chosen:
                self._owe_void(case)
            if body.patron is not None and PAY in chosen:
                self._debts.append(Debt(case.id, PAYMENT, body.patron, None, -body.amount))
            if body.patron is not None and TAKE_BACK in chosen and not (lost and body.patron == case.patron):
                self._debts.append(Debt(case.id, CLAIM, body.patron, None, body.amount))
            told = case if held is None else replace(case, amount=max(case.amount, -held))
            wrong = case.situation in TOLD_AS.values() or _is_put_right(told, body)
            if wrong and told.amount and VOID_ROUND not in chosen:
                due = case.situation == TOLD_AS[CORRECTION] or case.situation == NOT_COVERED
                self._owe(told, STANDS, due=books and due)

    def _decide_lost(self, case: ReportedCase, body: RulingMade) -> None:
        """Lost chips are owed, but for those that the post leaves to their patron."""
        assert case.patron is not None
        chosen, claims = (body.choice, *body.also), body.patron == case.patron
        kept = case.amount - body.amount if TAKE_BACK in chosen and claims else 0
        kept = case.amount if "return-wagers" in chosen and not kept else kept
        if kept < case.amount:
            self._debts.append(Debt(case.id, LOST, case.patron, None, case.amount - kept))
        if kept:
            self._debts.append(Debt(case.id, PAYMENT, case.patron, None, -kept))

    def meet(
        self, body: bodies.WrongPaymentFound | bodies.PaymentCorrected | bodies.PaymentClaimed
    ) -> str | None:
        """A payment is found wrong, put right or claimed back; which kind of debt it meets."""
        if isinstance(body, bodies.WrongPaymentFound) and body.mistaken:
            return NOT_SO if self.book(NOT_SO, body.patron, None, body.amount) else None
        if isinstance(body, bodies.WrongPaymentFound):
            return self._find(body.patron, body.amount)
        if isinstance(body, bodies.PaymentCorrected):
            return self._pay(body.patron, body.amount)
        return CLAIM if self.book(CLAIM, body.patron, None, body.amount) else None

    def _find(self, patron: str, amount: int) -> str | None:
        """A wrong payment is booked so that it can be put right; which kind of debt says so."""
        for debt in self._debts:
            if (debt.patron, debt.amount) != (patron, amount) or debt.found:
                continue
            if debt.kind == STANDS:
                self._debts.remove(debt)
                self._booked[debt.case] = debt
                return debt.kind
            if debt.kind == CORRECTION:
                self._debts[self._debts.index(debt)] = replace(debt, found=True)
                return debt.kind
        return None

    def _pay(self, patron: str, amount: int) -> str | None:
        """A payment is made or put right; which kind of debt it meets."""
        for debt in self._debts:
            due = debt.found if debt.kind == CORRECTION else debt.kind == PAYMENT
            if due and (debt.patron, debt.amount) == (patron, amount):
                self._debts.remove(debt)
                return debt.kind
        return None

    def book(self, kind: str, patron: str, wager: str | None, amount: int) -> bool:
        """Chips of a wager, or a claim, are booked; whether they meet a debt."""
        for debt in self._debts:
            if (debt.kind, debt.patron, debt.wager, debt.amount) == (kind, patron, wager, amount):
                self._debts.remove(debt)
                return True
        return False

    def void(self) -> bool:
        """A round is void; whether an open case makes it so, or puts that before a post.

        A round lasts until all of it is taken and paid, so that a case may still make it void.
        """
        self._debts = [debt for debt in self._debts if debt.kind != VOID]
        self._void = {case.id for case in self._open}
        effects = [effect for case in self._open for effect in case.effects]
        return any(VOID_ROUND in (effect.get("do"), *_presets(effect)) for effect in effects)

    def _owe_void(self, case: ReportedCase) -> None:
        """From now on the round is to be void, unless it was void when the case was open already."""
        if case.id not in self._void:
            self._debts.append(Debt(case.id, VOID, "", None, 0))

    def confirm(self, number: int | None) -> str | None:
        """The facts of a case, or without its number of the one that is dealt with; return who reported it.

        From then on the round is to be void where its clause says so.
        """
        named = [each for each in self._open if number in (None, each.id)]
        for case in named[-1:]:
            if any(effect.get("do") == VOID_ROUND for effect in case.effects):
                self._owe_void(case)
        return named[-1].by if named else None

    @property
    def case(self) -> ReportedCase | None:
        """The case that is dealt with."""
        return self._open[-1] if self._open else None

    def take_back(self, case: ReportedCase) -> None:
        """Take a closed case back: what it booked is to be taken out at once."""
        booked = self._booked.pop(case.id, None)
        if booked is not None:
            self._debts.append(Debt(0, NOT_SO, booked.patron, None, -booked.amount))
            self._taken_back = case

    def not_taken_out(self) -> tuple[Debt, ...]:
        """Return what was to be taken out when this was asked before, and was not since."""
        if not self._debts:
            return ()
        left = tuple(debt for debt in self._debts if debt.kind == NOT_SO and debt.found)
        kept = [debt for debt in self._debts if debt not in left]
        self._debts = [replace(debt, found=debt.found or debt.kind == NOT_SO) for debt in kept]
        return left

    def about(self, body: bodies.WrongPaymentFound) -> ReportedCase | None:
        """Return the case that a booking is of, or that is taken back with it."""
        return self._taken_back if body.mistaken else self.case

    def close(self, case: int) -> tuple[Debt, ...]:
        """A case ends; what is still to be booked for it."""
        left = tuple(debt for debt in self._debts if debt.case == case and debt.due)
        self._debts = [debt for debt in self._debts if debt.case != case]
        closed = [*self._closed, *(each for each in self._open if each.id == case)]
        older = (each for each in closed[:-KEPT_CASES] if each.id in self._booked)
        self._closed = [*older, *closed[-KEPT_CASES:]]
        self._open = [each for each in self._open if each.id != case]
        return left

    def closed(self, case: int) -> ReportedCase | None:
        """A case that was closed before; only a report of known cards is taken back after that."""
        return next((each for each in self._closed if each.id == case), None)


def not_booked(debts: Iterable[Debt], format_minor: Callable[[int], str]) -> Iterator[Message]:
    """Say what was to be booked and was not."""
    for debt in debts:
        yield message(NOT_BOOKED[debt.kind], patron=debt.patron, amount=format_minor(debt.amount))


def _keeps_in_action(case: ReportedCase) -> bool:
    """Whether a clause says what becomes of chips that were taken away late."""
    return any(EFFECTS.get(str(effect.get("do"))) == PULLED for effect in case.effects)


def _is_put_right(case: ReportedCase, body: RulingMade) -> bool:
    """Whether a post pays or claims what two people told of a patron, where no rule covers it.

    Only then is it booked, so that the books have what the patron got.
    """
    by_two = case.situation == NOT_COVERED and case.second not in (None, case.by)
    puts_right = TAKE_BACK if case.amount > 0 else PAY
    return by_two and case.patron == body.patron and puts_right in (body.choice, *body.also)


def _presets(effect: dict[str, object]) -> tuple[object, ...]:
    """The choices that an effect puts before a post."""
    presets = effect.get("presets")
    return tuple(presets) if isinstance(presets, list | tuple) else ()
