"""The section of one patron, which nobody else gets."""

import datetime

from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.folds.faces import CardShown
from thirdcard.folds.history import Returned
from thirdcard.game.dispute_steps import DisputeStep
from thirdcard.game.state import Hand, OnDuty, SettledWager
from thirdcard.messages import Message
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.irregularity import Withdrawable


class OwnWager(Struct, frozen=True):
    """A wager of the patron; ``withdrawable`` where the patron is asked whether it goes."""

    id: int
    wager: str
    position: int | None
    stake: int
    pulled: int
    withdrawable: bool


class OwnHand(Struct, frozen=True):
    """A hand that lies with the patron; faces come once the patron looks."""

    hand: Hand
    looked: bool
    cards: tuple[CardShown, ...]


class OwnOffer(Struct, frozen=True):
    """A question to the patron, by an irregularity: withdraw or stay."""

    wagers: Withdrawable
    clause: Clause
    answered: bool
    case: int


class OwnRequest(Struct, frozen=True):
    """Credits that staff want to sell to the patron or to cash out, which the patron is to confirm."""

    id: int
    act: MoneyAct
    amount: int


class OwnLine(Struct, frozen=True):
    """A settled wager of the patron, and why it got what it got."""

    settled: SettledWager
    why: Message


class OwnResult(Struct, frozen=True):
    """The result of the patron's wagers in the last round that had some."""

    round: int
    winner: Winner | None
    void: bool
    lines: tuple[OwnLine, ...]
    returned: tuple[Returned, ...]


class OwnDispute(Struct, frozen=True):
    """A dispute of the patron as far as the patron is told.

    ``unpaid`` of the award is still to be paid; ``to_confirm`` was paid, and the patron has not said so yet.
    Staff ``entered`` the answer, so that the patron can still give it in person; ``may_answer`` and
    ``may_complain`` say what the patron can do now.
    """

    id: int
    about: str
    round: int | None
    wager: str | None
    step: DisputeStep
    escalated: bool
    time_frame: str | None
    answer_by: datetime.datetime | None
    no_time_frame: str | None
    decision: str | None
    sources: tuple[str, ...]
    award: int
    unpaid: int
    to_confirm: int
    agrees: bool | None
    entered: bool
    may_answer: bool
    may_complain: bool
    right_told: bool
    complain_until: datetime.datetime | None
    complaint: str | None
    complaint_received: bool
    complaint_answer: str | None


class OwnSection(Struct, frozen=True, kw_only=True):
    """The section of one patron; ``squeeze`` are the hands that go to the patron next.

    ``may_deal_now`` where nobody else is waited for while betting is open; nothing where a person deals.
    ``may_take_device`` where the patron may take control of the dealing device. While a complaint may be
    filed, ``helpers`` are those on duty who can help with it. The patron is to confirm a ``request`` of staff
    to sell credits or to cash them out.
    """

    patron: str
    here: bool
    position: int | None = None
    seated: bool = False
    marked: int | None = None
    credits: int | None = None
    wagers: tuple[OwnWager, ...] = ()
    hands: tuple[OwnHand, ...] = ()
    squeeze: tuple[Hand, ...] = ()
    may_request_squeeze: bool = False
    may_deal_now: bool | None = None
    may_take_device: bool = False
    controls_device: bool = False
    offer: OwnOffer | None = None
    request: OwnRequest | None = None
    last: OwnResult | None = None
    disputes: tuple[OwnDispute, ...] = ()
    helpers: tuple[OnDuty, ...] = ()
