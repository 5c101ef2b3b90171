"""The chips and the cash of a live table as a recount has them: tray, drop boxes, slips, and who counts."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from thirdcard.auditor import bodies
from thirdcard.auditor.chip_bodies import (
    ChipsBought,
    ChipsFilled,
    ChipsReturned,
    CloserCounted,
    DropCounted,
    DutyBody,
    OpenerCounted,
    SlipBody,
    SlipVoided,
    StaffCame,
    StaffLeft,
)
from thirdcard.auditor.people import one_person
from thirdcard.auditor.wager_bodies import HeldMoneyDecided, MoneyHeld, SettledLine
from thirdcard.messages import Message, message
from thirdcard.rulebook.house import HouseForm

Say = Callable[[int], str]
MadeSlip = tuple[str, int, str | None]  # its act, its amount, and the patron who bought chips


class Chips:
    """Takes in what moves chips or cash, and says what does not go with it."""

    def __init__(self) -> None:
        self._slips = 0
        self._open: int | None = None
        self._last = 0
        self._closer: int | None = None
        self._tray = self._cash = 0
        self._made: dict[int, MadeSlip] = {}
        self._staff: set[str] = set()
        self._people: set[str] = set()  # on duty while the inventory was open
        self._boxes: dict[int, tuple[int, frozenset[str]]] = {}

    def take(self, body: bodies.Body, house: HouseForm, say: Say) -> Iterator[Message]:
        """Take in a body; says what is wrong about a slip."""
        if isinstance(body, SlipBody):
            yield from self._look_at_slip(body, house, say)
            self._book(body)
        elif isinstance(body, SlipVoided):
            yield from one_person(body.by, body.second)
            yield from self._void(body)
        elif isinstance(body, DutyBody):
            self._on_duty(body)
        else:
            self._tray += _to_tray(body)

    def _on_duty(self, body: DutyBody) -> None:
        if isinstance(body, StaffLeft):
            self._staff.discard(body.person)
            return
        self._people.add(body.person)
        if isinstance(body, StaffCame):
            self._staff.add(body.person)

    def _look_at_slip(self, body: SlipBody, house: HouseForm, say: Say) -> Iterator[Message]:
        """Hold a slip against its number, its pieces, its people, and what must be there."""
        if body.slip != self._slips + 1:
            yield message("finding.wrong-slip", slip=body.slip, expected=self._slips + 1)
        if not isinstance(body, ChipsBought):
            recounted = sum(each.value * each.number for each in body.count)
            if recounted != body.amount:
                params = {"recorded": say(body.amount), "recounted": say(recounted)}
                yield message("finding.wrong-sum", slip=body.slip, **params)
        if not isinstance(body, ChipsBought) or body.second is not None or body.amount > _alone(house):
            yield from one_person(body.by, body.second)
        yield from self._look_at_inventory(body, say)

    def _look_at_inventory(self, body: SlipBody, say: Say) -> Iterator[Message]:
        """Hold a slip against the inventory that is open, and a count against what must be there."""
        due: int | None = None
        match body:
            case OpenerCounted():
                fits, due = self._open is None and body.inventory == self._last + 1, self._closer
            case CloserCounted():
                fits, due = body.inventory == self._open, self._tray
            case DropCounted():
                fits = body.inventory in self._boxes
                due, people = self._boxes.get(body.inventory, (0, frozenset()))
                for person in sorted({body.by, body.second} & people):
                    yield message("finding.counted-by-the-table", person=person)
            case _:
                fits = self._open is not None
        if not fits:
            yield message("finding.no-inventory", slip=body.slip)
        elif isinstance(body, OpenerCounted | CloserCounted | DropCounted) and body.expected != due:
            recorded, recounted = (_said(each, say) for each in (body.expected, due))
            yield message("finding.wrong-tray", slip=body.slip, recorded=recorded, recounted=recounted)

    def _book(self, body: SlipBody) -> None:
        self._slips = body.slip
        match body:
            case OpenerCounted():
                self._open = self._last = body.inventory
                self._tray, self._cash = body.amount, 0
                self._made, self._people = {}, set(self._staff)
            case ChipsFilled():
                self._move("fill", body.slip, body.amount)
            case ChipsReturned():
                self._move("credit", body.slip, body.amount)
            case ChipsBought():
                self._move("buy-in", body.slip, body.amount, body.patron)
            case CloserCounted():
                self._boxes[body.inventory] = (self._cash, frozenset(self._people))
                self._open, self._closer = None, body.amount
            case _:
                self._boxes.pop(body.inventory, None)

    def _move(self, act: str, slip: int, amount: int, patron: str | None = None) -> None:
        self._made[slip] = (act, amount, patron)
        self._tray += amount if act == "fill" else -amount
        self._cash += amount if act == "buy-in" else 0

    def _void(self, body: SlipVoided) -> Iterator[Message]:
        """Take back a slip of the open inventory, as it was made."""
        made = self._made.pop(body.slip, None)
        if self._open is None or made != (body.act, body.amount, body.patron):
            yield message("finding.wrong-void", slip=body.slip)
        self._tray -= body.amount if body.act == "fill" else -body.amount
        self._cash -= body.amount if body.act == "buy-in" else 0


def _said(amount: int | None, say: Say) -> str:
    return "@said.no-amount" if amount is None else say(amount)


def _alone(house: HouseForm) -> int:
    """Return how much one person may sell alone; nothing where the house has no control of it."""
    above = next((each.above for each in house.controls if each.act.value == "buy-in"), "0")
    return int(Fraction(above) * 10**house.currency.exponent)


def _to_tray(body: bodies.Body) -> int:
    """Return the chips that wagers and payments bring to the tray."""
    match body:
        case bodies.RoundSettled():
            return _kept(body.wagers)
        case bodies.SettlementReversed():
            return -_kept(body.wagers)
        case bodies.RoundVoided():
            return -_kept(body.reversed)
        case MoneyHeld() if body.settled is not None:
            return -_kept((body.settled,))
        case HeldMoneyDecided() if body.settled is not None:
            return _kept((body.settled,))
        case bodies.WrongPaymentFound() | bodies.ClaimBooked():
            return -body.amount
        case bodies.PaymentCorrected():
            return body.amount
        case _:
            return 0


def _kept(wagers: Iterable[SettledLine]) -> int:
    """The chips that lay there, without those that went to patrons with their winnings."""
    return sum(each.stake - each.pulled - each.back - each.paid for each in wagers if not each.held)
