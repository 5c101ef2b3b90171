"""The wagers of a round, as the recount follows them."""

from collections.abc import Iterator

from msgspec.structs import replace

from thirdcard.auditor.bodies import WagerFound, WagerPlaced, WagerPulledLate, WagerReduced
from thirdcard.auditor.expected_results import ActingPart, Lying, lies_there
from thirdcard.auditor.wager_bodies import ReturnedLine, SettledLine
from thirdcard.messages import Message, message


class Layout:
    """The wagers of a round: those that lie, those that lay before their settlement, and those set apart.

    ``acting`` has what of each was in action in the settlement.
    """

    def __init__(self) -> None:
        self.lying: dict[int, Lying] = {}
        self.before: dict[int, Lying] = {}
        self.settled: tuple[SettledLine, ...] = ()
        self.apart: dict[int, Lying] = {}
        self.acting: dict[int, ActingPart] = {}

    def clear(self) -> None:
        """Begin another round; what lies there is for it."""
        self.settled, self.before, self.apart = (), {}, {}

    def place(self, body: WagerPlaced | WagerFound, stay: int) -> Message | None:
        """Put chips on a wager; says so where it is another one, or nobody had taken away what is found."""
        found = body if isinstance(body, WagerFound) else None
        new = Lying(body.id, body.patron, body.wager, stake=0, stay=stay)
        old = self.lying.get(body.id, new)
        if (other := _of_another(body, old)) is not None:
            return other
        if found is not None and found.held != old.held:
            return message("finding.not-held", patron=body.patron, number=found.held)
        if found is None or not found.was_pulled:
            self.lying[body.id] = replace(old, stake=old.stake + body.amount)
            return None
        self.lying[body.id] = replace(old, gone=old.gone - body.amount)
        if body.amount <= old.gone:
            return None
        return message("finding.not-so-much-there", patron=body.patron, wager=body.wager)

    def take_off(self, body: WagerReduced | WagerPulledLate) -> Message | None:
        """Take chips off a wager: in time they are no longer staked, too late they stay in action."""
        old = self.lying.get(body.id)
        if isinstance(body, WagerPulledLate):
            there = old is not None and not old.held
        else:
            there = old is not None and lies_there(body, old)
        if old is None or not there:
            return message("finding.not-so-much-there", patron=body.patron, wager=body.wager)
        if (other := _of_another(body, old)) is not None:
            return other
        if isinstance(body, WagerPulledLate):
            self.lying[body.id] = replace(old, gone=old.gone + body.amount)
        elif body.amount == old.stake:
            del self.lying[body.id]
        else:
            left = old.stake - body.amount
            self.lying[body.id] = replace(old, stake=left, gone=old.gone - body.gone)
        return None

    def put_back(self, each: ReturnedLine, stay: int) -> None:
        """Put back a wager, or a part of one, that was withdrawn by mistake."""
        new = Lying(each.id, each.patron, each.wager, stake=0, stay=stay, held=each.held)
        old = self.lying.get(each.id, new)
        self.lying[each.id] = replace(old, stake=old.stake + each.stake, gone=old.gone + each.pulled)

    def hold(self, wager: int, suspicion: int) -> None:
        """Note that the chips of a wager are held, or with nought that they are not."""
        for wagers in (self.lying, self.before):
            if wager in wagers:
                wagers[wager] = replace(wagers[wager], held=suspicion)
        self.settled = tuple(
            replace(each, held=suspicion) if each.id == wager else each for each in self.settled
        )

    def take_out(self, wager: int, *, apart: bool) -> None:
        """Take a wager out of the round; set apart, it still counts for the others."""
        lay = self.lying.pop(wager, None) or self.before.pop(wager, None)
        self.settled = tuple(each for each in self.settled if each.id != wager)
        if lay is not None and apart:
            self.apart[wager] = lay

    def reverse(self, lines: tuple[SettledLine, ...]) -> Iterator[tuple[str, SettledLine]]:
        """Hold what is taken back against what was settled, line by line; says what differs."""
        taken_back = {each.id: each for each in lines}
        for each in self.settled:
            if taken_back.pop(each.id, None) != each:
                yield "finding.not-reversed", each
        for each in taken_back.values():
            yield "finding.reversed-without-settlement", each

    def give_back(self, lines: tuple[ReturnedLine, ...]) -> Iterator[tuple[str, Lying | ReturnedLine]]:
        """Hold what goes back against what lies there; says what differs."""
        returned = {each.id: each for each in lines}
        for id_, lay in self.lying.items():
            back = returned.pop(id_, None)
            if back is None or _returned(back) != (lay.patron, lay.wager, lay.stake, lay.gone, lay.held):
                yield "finding.not-returned", lay
        for each in returned.values():
            yield "finding.returned-without-wager", each


def _of_another(
    body: WagerPlaced | WagerFound | WagerReduced | WagerPulledLate, lay: Lying
) -> Message | None:
    """Say so where chips of a wager are moved for somebody else, or as another wager."""
    if (body.patron, body.wager) == (lay.patron, lay.wager):
        return None
    return message("finding.of-another", patron=lay.patron, wager=lay.wager, recorded=body.patron)


def _returned(back: ReturnedLine) -> tuple[str, str, int, int, int]:
    return back.patron, back.wager, back.stake, back.pulled, back.held
