"""A second opinion on every settlement, from the recorded bodies and the document alone."""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import assert_never

import msgspec
from msgspec.structs import replace

from thirdcard.auditor import bodies
from thirdcard.auditor.bodies import KINDS, Body, ReturnedLine, SettledLine
from thirdcard.auditor.expected import Expected, Lying, Terms, expect
from thirdcard.auditor.findings import Finding
from thirdcard.auditor.hands import Hands
from thirdcard.auditor.sheet import Sheet, read_sheet
from thirdcard.messages import Message, message
from thirdcard.money import format_amount
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import HouseForm


def recount(document: Document, house: HouseForm, events: Iterable[dict[str, object]]) -> tuple[Finding, ...]:
    """What is wrong in the decoded events of a table, numbered from one; nothing where all is right."""
    counted = Recount(document, house)
    for sequence, body in enumerate(events, start=1):
        counted.read(sequence, body)
    return tuple(counted.findings)


class Recount:
    """Reads the bodies of a table one after another and notes what it finds."""

    def __init__(self, document: Document, house: HouseForm) -> None:
        self.findings: list[Finding] = []
        self._document = document
        self._house = house
        self._sequence = 0
        self._setup: bodies.Setup | None = None
        self._rules: Sheet | None = None
        self._terms = Terms({}, 0)
        self._here: set[str] = set()
        self._stays: Counter[str] = Counter()
        self._marks: dict[tuple[str, int], int] = {}
        self._let_pass: set[str] = set()
        self._told: set[str] = set()
        self._hands = Hands(0)
        self._over = True
        self._opened_again = False
        self._lying: dict[int, Lying] = {}
        self._before: dict[int, Lying] = {}
        self._settled: tuple[SettledLine, ...] = ()

    def read(self, sequence: int, body: dict[str, object]) -> None:
        """Take in the next body; kinds that move no stake and lay no card are passed over."""
        kind = KINDS.get(body["type"])
        if kind is None:
            return
        known: Body = msgspec.convert(body, kind)
        self._sequence = sequence
        if self._setup is None and not isinstance(known, bodies.TableSetUp):
            self._note(message("finding.not-set-up"))
        else:
            self._take(known)

    @property
    def _sheet(self) -> Sheet:
        if self._rules is None:
            assert self._setup is not None
            variant = self._setup.game.partition("/")[2] or None
            self._rules = read_sheet(self._document, self._house, variant)
        return self._rules

    def _note(self, *found: Message) -> None:
        self.findings += [Finding(self._sequence, what) for what in found]

    def _amount(self, minor: int) -> str:
        return format_amount(minor, self._house.currency)

    def _take(self, body: Body) -> None:  # noqa: C901, PLR0912 - one case a kind
        match body:
            case bodies.TableSetUp():
                self._set_up(body.setup)
            case bodies.PatronCame():
                self._stays[body.patron] += body.patron not in self._here
                self._here.add(body.patron)
            case bodies.PatronLeft():
                self._here.discard(body.patron)
            case bodies.PatronMarked():
                self._mark(body)
            case bodies.BettingOpened():
                self._opened_again = self._over
            case bodies.RoundBegan():
                self._begin(body)
            case bodies.WagerPlaced() | bodies.WagerFound():
                self._place(body)
            case bodies.WagerReduced() | bodies.WagerPulledLate():
                self._take_off(body)
            case bodies.CardDrawn():
                wrong = self._hands.draw(self._sheet, body.hand, body.card.rank if body.card else None)
                self._note(*([wrong] if wrong else []))
            case bodies.CardsExposed():
                self._hands.expose(body)
            case bodies.CardsReconstructed() | bodies.CardsSubstituted():
                self._hands = Hands(self._hands.number, body.cards)
            case bodies.CardsRetrieved():
                self._hands = Hands(self._hands.number)
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
            case _:
                assert_never(body)

    def go_by(self, document: Document, house: HouseForm) -> None:
        """Go on by another document or another form of the house."""
        self._document, self._house = document, house
        self._rules = None

    def _set_up(self, setup: bodies.Setup) -> None:
        """From here on it is another table: nothing may lie on it, and rounds before stay as they are."""
        self._note(*(self._about("finding.still-lying", each) for each in self._lying.values()))
        self._opened_again = True
        self._setup, self._rules = setup, None
        self._terms = Terms({each.wager: each for each in setup.limits}, setup.differential)

    def _begin(self, body: bodies.RoundBegan) -> None:
        self._hands = Hands(body.number)
        self._over = self._opened_again = False
        self._settled, self._before = (), {}
        self._let_pass, self._told = set(), set()

    def _mark(self, body: bodies.PatronMarked) -> None:
        """A patron is marked for the round in which a wager of theirs was let pass."""
        if body.patron not in self._let_pass or body.round != self._hands.number:
            self._note(message("finding.mark-not-due", patron=body.patron, round=body.round))
        self._told.add(body.patron)

    def _place(self, body: bodies.WagerPlaced | bodies.WagerFound) -> None:
        if body.wager not in self._sheet.wagers or body.wager not in self._terms.limits:
            self._note(message("finding.wager-not-offered", patron=body.patron, wager=body.wager))
            return
        new = Lying(body.id, body.patron, body.wager, stake=0, stay=self._stays[body.patron])
        old = self._lying.get(body.id, new)
        self._lying[body.id] = replace(old, stake=old.stake + body.amount)

    def _take_off(self, body: bodies.WagerReduced | bodies.WagerPulledLate) -> None:
        """Chips leave a wager: in time they are no longer staked, too late they stay in action."""
        old = self._lying.get(body.id)
        if old is None or (isinstance(body, bodies.WagerReduced) and body.amount > old.stake):
            self._note(message("finding.not-so-much-there", patron=body.patron, wager=body.wager))
        elif isinstance(body, bodies.WagerPulledLate):
            self._lying[body.id] = replace(old, gone=old.gone + body.amount)
        elif body.amount == old.stake:
            del self._lying[body.id]
        else:
            left = old.stake - body.amount
            self._lying[body.id] = replace(old, stake=left, gone=min(old.gone, left))

    def _is_marked(self, each: Lying) -> bool:
        """Whether the patron of a wager was let pass in an earlier round of the same stay."""
        return self._marks.get((each.patron, each.stay), self._hands.number) < self._hands.number

    def _settle(self, body: bodies.RoundSettled) -> None:
        self._before, self._settled = self._lying, body.wagers
        self._lying = {}
        if self._hands.facts is None:
            self._note(message("finding.no-outcome", round=self._hands.number))
            return
        expected = expect(
            self._sheet, self._terms, self._before.values(), self._hands.facts, is_marked=self._is_marked
        )
        recorded = {each.id: each for each in body.wagers}
        for id_, each in self._before.items():
            if id_ not in recorded:
                self._note(self._about("finding.not-settled", each))
            if expected[id_].acting.let_pass and expected[id_].result != "stood-off":
                self._let_pass.add(each.patron)
                self._marks.setdefault((each.patron, self._stays[each.patron]), self._hands.number)
        for line in body.wagers:
            if line.id in self._before:
                self._note(*self._compare(line, self._before[line.id], expected[line.id]))
            else:
                self._note(self._about("finding.settled-without-wager", line))

    def _about(self, key: str, each: Lying | SettledLine | ReturnedLine) -> Message:
        amount = self._amount(each.stake)
        return message(key, round=self._hands.number, patron=each.patron, wager=each.wager, amount=amount)

    def _compare(self, line: SettledLine, lay: Lying, right: Expected) -> Iterator[Message]:
        """One sentence for everything of a settled wager that differs."""
        amounts = (
            ("finding.stake", line.stake, lay.stake),
            ("finding.in-action", line.in_action, right.acting.amount),
            ("finding.paid", line.paid, right.paid),
            ("finding.taken", line.taken, right.taken),
            ("finding.back", line.back, right.back),
            ("finding.commission", line.commission, right.commission),
        )
        texts = (
            ("finding.owner", f"{line.patron}, {line.wager}", f"{lay.patron}, {lay.wager}"),
            ("finding.result", line.result, right.result),
            ("finding.odds", line.odds or "-", right.odds or "-"),
            ("finding.rounding", str(Fraction(line.rounded_over, line.rounded_of or 1)), str(right.over)),
            ("finding.pulled", str(line.pulled), str(lay.gone)),
            ("finding.clauses", ", ".join(sorted(line.clauses)), ", ".join(sorted(right.clauses))),
        )
        spoken = [(key, self._amount(said), self._amount(counted)) for key, said, counted in amounts]
        for key, recorded, recounted in (*spoken, *texts):
            if recorded != recounted:
                whose = {"patron": lay.patron, "wager": lay.wager}
                yield message(key, recorded=recorded, recounted=recounted, **whose)

    def _reversed(self, lines: tuple[SettledLine, ...]) -> Iterator[Message]:
        """What is taken back must be what was settled, line by line."""
        taken_back = {each.id: each for each in lines}
        for each in self._settled:
            if taken_back.pop(each.id, None) != each:
                yield self._about("finding.not-reversed", each)
        for each in taken_back.values():
            yield self._about("finding.reversed-without-settlement", each)

    def _undo(self) -> None:
        """Without its settlement the round has let nobody pass."""
        self._settled = ()
        self._let_pass.clear()
        self._told.clear()
        self._marks = {who: round_ for who, round_ in self._marks.items() if round_ != self._hands.number}

    def _reverse(self, body: bodies.SettlementReversed) -> None:
        """The round is in play again, and its wagers lie as they did before their settlement."""
        if self._opened_again:
            self._note(message("finding.reversal-of-another-round", round=self._hands.number))
        self._note(*self._reversed(body.wagers))
        self._undo()
        self._over = False
        self._lying = self._before | self._lying

    def _void(self, body: bodies.RoundVoided) -> None:
        too_late = self._opened_again or (self._over and not self._sheet.voids_finished_rounds)
        if too_late or body.number != self._hands.number:
            self._note(message("finding.void-of-another-round", round=body.number))
        self._note(*self._reversed(body.reversed))
        returned = {each.id: each for each in body.returned}
        for id_, lay in self._lying.items():
            back = returned.pop(id_, None)
            if back is None or back.stake != lay.stake:
                self._note(self._about("finding.not-returned", lay))
        self._note(*(self._about("finding.returned-without-wager", each) for each in returned.values()))
        self._undo()
        self._lying = {}

    def _end(self) -> None:
        """At the end of a round nothing lies any more, and whoever was let pass is marked."""
        self._over = True
        self._note(*(self._about("finding.still-lying", each) for each in self._lying.values()))
        for patron in sorted(self._let_pass - self._told):
            self._note(message("finding.not-marked", patron=patron, round=self._hands.number))
