"""Money that is held because it may be counterfeit, as the recount follows it."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.auditor.bodies import WagerFound
from thirdcard.auditor.expected_results import ActingPart, Lying, compare, expect_again
from thirdcard.auditor.layout import Layout
from thirdcard.auditor.sheet import Facts, RecountSheet
from thirdcard.auditor.wager_bodies import HeldMoneyDecided, HeldWagerJudged, MoneyHeld, SettledLine
from thirdcard.messages import Message, message
from thirdcard.rulebook.document import Document

HeldBody = MoneyHeld | HeldWagerJudged | HeldMoneyDecided


class HeldAmount(Struct, frozen=True):
    """Money that is held, the wager that it is, and how that was settled; ``old`` left its round.

    One that is ``unjudged`` was settled before corrected cards left its round without an outcome.
    """

    patron: str
    amount: int
    round: int = 0
    lay: Lying | None = None
    acting: ActingPart | None = None
    line: SettledLine | None = None
    old: bool = False
    unjudged: bool = False


class HeldAmounts:
    """All money that is held at a table, by the number of its suspicion."""

    def __init__(self) -> None:
        self._held: dict[int, HeldAmount] = {}

    def hold(self, body: MoneyHeld, layout: Layout) -> Iterator[Message]:
        """Take money in; a wager must lie there just so, or have been settled just so."""
        told = body.wager
        if body.id in self._held:
            yield message("finding.held-twice", patron=body.patron, number=body.id)
        if told is None:
            self._held[body.id] = HeldAmount(body.patron, body.amount)
            return
        lines = {each.id: each for each in layout.settled}
        lay = (layout.before if body.settled else layout.lying).get(told.id)
        there = lay is not None and not lay.held and lay.stake - lay.gone == body.amount
        if not there or (body.settled is not None and lines.get(told.id) != body.settled):
            yield message("finding.not-so-much-there", patron=body.patron, wager=told.wager)
        lay = replace(lay, held=body.id) if lay and body.in_play else lay
        acting = layout.acting.get(told.id)
        line = replace(body.settled, held=body.id) if body.settled else None
        self._held[body.id] = HeldAmount(
            body.patron, body.amount, body.round, lay, acting, line, old=not body.in_play
        )
        if body.in_play:
            layout.hold(told.id, body.id)
        else:
            layout.lying.pop(told.id, None)

    def find(self, body: WagerFound) -> Iterator[Message]:
        """Take in chips that were found of a wager which is held."""
        held = self._held.get(body.held)
        if held is None:
            yield message("finding.not-held", patron=body.patron, number=body.held)
        else:
            self._held[body.held] = replace(held, amount=held.amount + body.amount)

    def settle(self, layout: Layout) -> None:
        """Note how wagers that are held were settled."""
        for line in layout.settled:
            held = self._held.get(line.held)
            if held is not None and line.id in layout.before:
                lay, acting = layout.before[line.id], layout.acting[line.id]
                self._held[line.held] = replace(held, lay=lay, acting=acting, line=line, unjudged=False)

    def undo(self, lines: Iterable[SettledLine]) -> None:
        """Forget how wagers that are held were settled."""
        for each in lines:
            if each.held in self._held:
                self._held[each.held] = replace(self._held[each.held], line=None, unjudged=False)

    def round_of(self, number: int) -> int:
        """Return the round of the wager that is held under a number; nought where none is."""
        held = self._held.get(number)
        return held.round if held else 0

    def out_of_play(self, body: HeldMoneyDecided) -> int | None:
        """Return the wager that is neither paid nor collected because its money is handed back or kept."""
        held = self._held.get(body.id)
        stands = body.settled is not None or body.wager is not None
        return None if stands or held is None or held.lay is None or held.old else held.lay.id

    def judge(self, body: HeldWagerJudged, sheet: RecountSheet, facts: Facts | None) -> Iterator[Message]:
        """Hold a wager that is settled anew against the corrected cards of its round."""
        held = self._held.get(body.id)
        if held is None or held.patron != body.patron or not (held.line or held.unjudged):
            yield message("finding.not-held", patron=body.patron, number=body.id)
            return
        right = (
            expect_again(sheet, held.lay, held.acting, facts) if held.lay and held.acting and facts else None
        )
        agrees = right is None and body.settled is None
        if right is not None and body.settled is not None and held.lay is not None:
            agrees = not any(compare(body.settled, held.lay, right, str))
        if not agrees:
            yield message("finding.held-settled", patron=body.patron)
        self._held[body.id] = replace(held, line=body.settled, unjudged=body.settled is None)

    def decide(self, body: HeldMoneyDecided, layout: Layout) -> Iterator[Message]:
        """Let money go: with its wager, as that was settled, back to its patron, or not at all."""
        held = self._held.pop(body.id, None)
        if held is None or (held.patron, held.amount) != (body.patron, body.amount):
            yield message("finding.not-held", patron=body.patron, number=body.id)
            return
        wager = held.lay.id if held.lay else 0
        if body.settled is not None:
            right = replace(held.line, held=0) if held.line else None
            if body.settled != right and not held.old:
                yield message("finding.held-settled", patron=body.patron)
            layout.hold(wager, 0)
        elif body.wager is not None:
            lies = layout.lying.get(body.wager.id)
            if held.old and held.lay is not None:
                layout.lying[wager] = held.lay
            elif lies is None or (lies.held, lies.stake, lies.gone) != _told(body):
                yield message("finding.held-released", patron=body.patron)
            layout.hold(body.wager.id, 0)
        elif not held.old:
            layout.take_out(wager, apart=body.apart)


def _told(body: HeldMoneyDecided) -> tuple[int, int, int]:
    """The suspicion, stake and chips taken away of a wager that lies there again."""
    assert body.wager is not None
    return body.id, body.wager.stake, body.wager.pulled


def takes_two(body: MoneyHeld | HeldMoneyDecided, document: Document, *, known: bool) -> bool:
    """Whether two people stand for it: holding a wager once a card is known, or deciding without a clause."""
    if isinstance(body, MoneyHeld):
        return body.wager is not None and (known or body.settled is not None)
    return document.authority.not_covered is None
