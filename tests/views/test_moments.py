"""Every kind of event, and what each kind of viewer learns of it, typed in by hand."""

import datetime
import typing
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from thirdcard.cards import Card, Rank, Suit
from thirdcard.clauses import Clause
from thirdcard.folds.viewers import AUDITOR, DISPLAY, STAFF_VIEWER, Viewer, ViewerKind, patron_viewer
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.apply import apply, begin
from thirdcard.game.dispute_steps import AwardWay
from thirdcard.game.planned import Stop, TableChange
from thirdcard.game.shoe import Seal
from thirdcard.game.state import (
    CardState,
    Case,
    DealtCard,
    Hand,
    Offer,
    PlacedWager,
    SettledWager,
    Table,
    Wait,
)
from thirdcard.game.table_chips import Pieces
from thirdcard.game.table_setup import Automatic, Device, PostedLimit, Setup
from thirdcard.rulebook.facts import Facts, Pairs, Winner
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.irregularity import Area, Method, Situation, Withdrawable
from thirdcard.staff import Post
from thirdcard.views.moments.in_round import RoundEndedMoment
from thirdcard.views.moments.kinds import Moment
from thirdcard.views.moments.telling import MOMENT_FIELDS, tell_all

ANN, BOB = patron_viewer("Ann"), patron_viewer("Bob")
NOON = datetime.datetime(2025, 6, 3, 12, tzinfo=datetime.UTC)
SEAL = Seal(root="beef", cards=416, behind_cutting_card=16, key_id="k", content="secret")
NINE, KING = Card(Rank.NINE, Suit.HEARTS), Card(Rank.KING, Suit.SPADES)
NINE_SHOWN, KING_SHOWN = {"rank": 9, "suit": "H"}, {"rank": 13, "suit": "S"}
FACTS = Facts(Winner.BANKER, 1, 6, 2, 3, 1, player_pair=False, banker_pair=True, pairs=Pairs.ONE)
FACTS_SHOWN = {
    "winner": "banker",
    "player_total": 1,
    "banker_total": 6,
    "player_cards": 2,
    "banker_cards": 3,
    "third_cards": 1,
    "player_pair": False,
    "banker_pair": True,
    "pairs": "one",
}
SETUP = Setup(
    table="T",
    game="mbs-tiger-v3",
    house="marina-bay-sands",
    layout="A",
    positions=8,
    area=Area.MAIN_FLOOR,
    device=Device.PLAIN,
    decks=8,
    terminal=False,
    face_down=False,
    automatic=(Automatic.EXPOSE,),
    limits=(),
    differential=0,
)
CHANGE = TableChange((PostedLimit("player", 5_000, 500_000),), 1_000_000, 6)
CHANGE_SHOWN = {
    "limits": [{"wager": "player", "minimum": 5_000, "maximum": 500_000}],
    "differential": 1_000_000,
    "decks": 6,
}
SET_UP = ev.TableSetUp(setup=SETUP, method=Method.B, owners_per_area=3)
TABLE = apply(begin(SET_UP), ev.DisputeOpened(id=1, patron="Ann", about="a tie"))
CASE = Case(
    id=4,
    situation=Situation.MISDEAL,
    effects=(),
    clause=None,
    cards=(NINE, KING),
    patron="Ann",
    hand=Hand.PLAYER,
    amount=70,
    missing=(NINE,),
)
DEALT = (
    DealtCard(Hand.PLAYER, NINE, CardState.EXPOSED, "Eve"),
    DealtCard(Hand.BANKER, KING, CardState.FACE_DOWN, "Eve"),
    DealtCard(Hand.PLAYER, KING, CardState.SEEN, "Eve"),
)
DEALT_SHOWN = [
    {"hand": "player", "state": "exposed", "card": NINE_SHOWN},
    {"hand": "banker", "state": "face-down", "card": None},
    {"hand": "player", "state": "seen", "card": None},
]


def placed(number: int, patron: str) -> PlacedWager:
    return PlacedWager(id=number, patron=patron, position=1, wager="tie", stake=50, order=number)


def returned(number: int, patron: str) -> dict[str, Any]:
    return {"id": number, "patron": patron, "position": 1, "wager": "tie", "stake": 50}


def settled(number: int, patron: str) -> SettledWager:
    return SettledWager(
        id=number,
        patron=patron,
        position=1,
        wager="tie",
        stake=50,
        in_action=50,
        result="lost",
        back=0,
        taken=50,
    )


def settlement(number: int, patron: str) -> dict[str, Any]:
    return {
        "id": number,
        "patron": patron,
        "position": 1,
        "wager": "tie",
        "stake": 50,
        "in_action": 50,
        "result": "lost",
        "back": 0,
        "odds": None,
        "paid": 0,
        "taken": 50,
        "commission": 0,
        "rounded_over": 0,
        "rounded_of": 1,
        "pulled": 0,
        "held": 0,
        "clauses": [],
    }


Fields = dict[str, Any] | None


class Seen(Struct, frozen=True):
    """An event, and what everybody learns of it, Ann whom it concerns, and staff."""

    event: ev.Event
    everybody: Fields
    ann: Fields
    staff: Fields


def public(event: ev.Event, /, staff: dict[str, Any] | None = None, **fields: Any) -> Seen:
    """A message that everybody learns alike; staff learn some more."""
    return Seen(event, fields, fields, fields | (staff or {}))


def personal(
    event: ev.Event, /, staff: dict[str, Any] | None = None, everybody: Fields = None, **fields: Any
) -> Seen:
    """A message that Ann learns, and staff some more; others nothing or a part."""
    return Seen(event, everybody, fields, fields | (staff or {}))


def behind(event: ev.Event, /, **fields: Any) -> Seen:
    """A message for staff alone."""
    return Seen(event, None, None, fields)


WAGER: dict[str, Any] = {"id": 1, "patron": "Ann", "position": 1, "wager": "tie", "amount": 50}
PIT = Post("pit-manager")
COUNTED: dict[str, Any] = {
    "slip": 4,
    "count": (Pieces(300, 3),),
    "amount": 900,
    "by": "Eve",
    "second": "Max",
    "procedure": "so",
    "clauses": (),
}
COUNT_SHOWN: dict[str, Any] = {"slip": 4, "amount": 900, "by": "Eve", "second": "Max"}
SEEN: tuple[Seen, ...] = (
    public(SET_UP, staff={"method": "B", "owners_per_area": 3}),
    behind(ev.EquipmentTicked(item="scoreboard", needed=True), item="scoreboard", needed=True),
    behind(
        ev.ApprovalConfirmed(reference="R", date=datetime.date(2022, 4, 1), by="Eve", second="Dan"),
        reference="R",
        date="2022-04-01",
        by="Eve",
        second="Dan",
    ),
    public(ev.TableOpened()),
    public(ev.TablePaused(reason="Ann quarrels"), staff={"reason": "Ann quarrels"}),
    public(ev.TableResumed()),
    public(ev.TableClosed(reason="night"), staff={"reason": "night"}),
    public(
        ev.StopPlanned(stop=Stop.CLOSE, reason="night", by="Eve"),
        stop="close",
        staff={"reason": "night", "by": "Eve"},
    ),
    public(ev.StopCancelled(by="Eve"), staff={"by": "Eve"}),
    public(ev.ChangePlanned(change=CHANGE), change=CHANGE_SHOWN),
    public(ev.TableChanged(change=CHANGE), change=CHANGE_SHOWN),
    behind(ev.StaffCame(person="Eve", post=PIT), person="Eve", post="pit-manager"),
    behind(ev.StaffLeft(person="Eve"), person="Eve"),
    behind(
        ev.ActingAppointed(person="Eve", post=PIT, start=NOON, end=NOON),
        person="Eve",
        post="pit-manager",
        start="2025-06-03T12:00:00Z",
        end="2025-06-03T12:00:00Z",
    ),
    personal(
        ev.PatronCame(patron="Ann", position=3, seated=True),
        everybody={"position": 3, "seated": True},
        patron="Ann",
        position=3,
        seated=True,
    ),
    personal(ev.PatronLeft(patron="Ann"), patron="Ann"),
    personal(
        ev.CreditsBought(terminal="Ann", amount=900, procedure="buy-in", clauses=()),
        terminal="Ann",
        amount=900,
        procedure="buy-in",
    ),
    personal(
        ev.CreditsCashedOut(terminal="Ann", amount=900, procedure="cash-out", clauses=()),
        terminal="Ann",
        amount=900,
        procedure="cash-out",
    ),
    personal(
        ev.CreditsAsked(
            id=1,
            act=MoneyAct.CASH_OUT,
            terminal="Ann",
            amount=900,
            by="Eve",
            second=None,
            reason="",
            clauses=(),
        ),
        id=1,
        act="cash-out",
        terminal="Ann",
        amount=900,
        staff={"by": "Eve"},
    ),
    personal(ev.CreditsDeclined(id=1, terminal="Ann"), id=1, terminal="Ann"),
    public(ev.MethodChanged(method=Method.C, by="Eve"), method="C", staff={"by": "Eve"}),
    public(ev.OwnersLimited(most=2, by="Eve"), most=2, staff={"by": "Eve"}),
    public(ev.ShoeLoaded(number=2, decks=8, cards=416), number=2, decks=8),
    public(ev.ShoeLoaded(number=2, decks=8, cards=416, seal=SEAL), number=2, decks=8, seal="beef"),
    behind(ev.CardsCounted(cards=415, expected=416, by="Eve"), count=415, number=416, by="Eve"),
    public(ev.CardsCut(by="Bob", depth=100), depth=100, staff={"by": "Bob"}),
    public(ev.CardsBurned(cards=8, first=NINE), count=8),
    public(ev.LastHandAnnounced()),
    personal(ev.DeviceTaken(patron="Ann"), everybody={}, patron="Ann"),
    personal(ev.DeviceReleased(patron="Ann"), everybody={}, patron="Ann"),
    personal(ev.DrawingPermitted(patron="Ann", by="Eve"), patron="Ann", staff={"by": "Eve"}),
    personal(ev.SqueezePermitted(person="Ann", by="Eve"), person="Ann", staff={"by": "Eve"}),
    public(ev.SqueezeForbidden(by="Eve"), staff={"by": "Eve"}),
    personal(ev.SqueezeRequested(patron="Ann"), patron="Ann"),
    public(ev.BettingOpened(call="call.place-your-bets"), call="call.place-your-bets"),
    public(
        ev.RoundBegan(number=7, method=Method.B, free=False, last=True),
        number=7,
        method="B",
        free=False,
        last=True,
    ),
    personal(
        ev.WagerPlaced(id=1, patron="Ann", position=1, wager="tie", amount=50, placed_by="Eve", clauses=()),
        **WAGER,
        staff={"placed_by": "Eve"},
    ),
    personal(
        ev.WagerReduced(id=1, patron="Ann", wager="tie", amount=50, by="Eve", clauses=()),
        id=1,
        patron="Ann",
        wager="tie",
        amount=50,
        staff={"by": "Eve"},
    ),
    personal(
        ev.MoneyHeld(id=1, patron="Ann", amount=50, round=2, by="Eve", wager=placed(1, "Ann"), clauses=()),
        id=1,
        patron="Ann",
        amount=50,
        wager=placed(1, "Ann").wager,
        staff={"by": "Eve"},
    ),
    personal(
        ev.HeldWagerJudged(id=1, patron="Ann", settled=settled(1, "Ann"), clauses=()),
        id=1,
        patron="Ann",
        settled=[settlement(1, "Ann")],
    ),
    personal(
        ev.HeldMoneyDecided(
            id=1, patron="Ann", amount=50, choice="seize", found="a copy", by="Eve", clauses=()
        ),
        id=1,
        patron="Ann",
        amount=50,
        choice="seize",
        staff={"found": "a copy", "by": "Eve"},
    ),
    personal(
        ev.WagerFound(id=1, patron="Ann", position=1, wager="tie", amount=50, by="Eve", clauses=()),
        **WAGER,
        staff={"by": "Eve"},
    ),
    personal(
        ev.WagerHandedBack(
            patron="Ann",
            position=1,
            wager="tie",
            amount=50,
            why="over-maximum",
            procedure="hand-back",
            clauses=(),
        ),
        patron="Ann",
        position=1,
        wager="tie",
        amount=50,
        why="over-maximum",
        procedure="hand-back",
    ),
    personal(
        ev.WagerPulledLate(id=1, patron="Ann", wager="tie", amount=50, clauses=()),
        id=1,
        patron="Ann",
        wager="tie",
        amount=50,
    ),
    public(ev.BettingClosed(call="call.no-more-bets"), call="call.no-more-bets"),
    public(
        ev.DifferentialExceeded(gap=900, limit=500, heavier=Hand.BANKER),
        gap=900,
        limit=500,
        heavier="banker",
    ),
    personal(ev.DecreaseAnswered(patron="Ann", silent=True), patron="Ann", silent=True),
    personal(ev.CardsChosen(patron="Ann", replace=True), patron="Ann"),
    public(ev.DecreaseAsked(heavier=Hand.BANKER), heavier="banker"),
    public(
        ev.CardDrawn(hand=Hand.PLAYER, card=NINE, state=CardState.EXPOSED, by="Eve"),
        hand="player",
        state="exposed",
        card=NINE_SHOWN,
        staff={"by": "Eve"},
    ),
    public(
        ev.CardDrawn(hand=Hand.PLAYER, card=NINE, state=CardState.FACE_DOWN, by="Eve"),
        hand="player",
        state="face-down",
        staff={"by": "Eve"},
    ),
    public(
        ev.CardsSetAside(cards=(NINE, None), hand=None, by="Eve"),
        count=2,
        staff={"by": "Eve"},
    ),
    public(
        ev.CardsSetAside(cards=(NINE,), hand=Hand.PLAYER, by="Eve"),
        count=1,
        hand="player",
        staff={"by": "Eve"},
    ),
    public(ev.CardSeenInShoe(card=NINE, ahead=2)),
    public(ev.CuttingCardSeen(first=True, rounds_left=1), at_start=True, rounds_left=1),
    personal(
        ev.CardsDelivered(hand=Hand.PLAYER, patron="Ann"),
        everybody={"hand": "player"},
        hand="player",
        patron="Ann",
    ),
    personal(
        ev.CardsTakenBack(hand=Hand.PLAYER, patron="Ann"),
        everybody={"hand": "player"},
        hand="player",
        patron="Ann",
    ),
    personal(
        ev.CardsDeclined(hand=Hand.PLAYER, patron="Ann"),
        everybody={"hand": "player"},
        hand="player",
        patron="Ann",
    ),
    public(ev.RevealOrderChosen(first=Hand.BANKER), hand="banker"),
    personal(
        ev.CardsSeen(hand=Hand.PLAYER, patron="Ann"),
        everybody={"hand": "player"},
        hand="player",
        patron="Ann",
    ),
    public(
        ev.CardsExposed(hand=Hand.PLAYER, cards=(NINE, KING), by="Ann"),
        hand="player",
        faces=[NINE_SHOWN, KING_SHOWN],
        staff={"by": "Ann"},
    ),
    public(ev.OutcomeKnown(facts=FACTS), facts=FACTS_SHOWN),
    public(ev.TotalsAnnounced(player=4, banker=7, by="Eve"), player=4, banker=7, staff={"by": "Eve"}),
    public(ev.OutcomeCalled(winner=Winner.TIE, by="Eve"), winner="tie", staff={"by": "Eve"}),
    public(
        ev.OutcomeCalled(winner=Winner.TIE, player=7, banker=7, by="Eve"),
        winner="tie",
        player=7,
        banker=7,
        staff={"by": "Eve"},
    ),
    behind(ev.DeviceMismatch(device=Winner.TIE, cards=Winner.PLAYER), device="tie", winner="player"),
    Seen(
        ev.RoundSettled(wagers=(settled(1, "Ann"), settled(2, "Bob"), settled(3, "Ann")), clauses=()),
        everybody={},
        ann={"settled": [settlement(1, "Ann"), settlement(3, "Ann")]},
        staff={"settled": [settlement(1, "Ann"), settlement(2, "Bob"), settlement(3, "Ann")]},
    ),
    personal(ev.PatronMarked(patron="Ann", round=7), patron="Ann", round=7),
    Seen(
        ev.RoundVoided(
            number=7,
            returned=(placed(1, "Ann"), placed(2, "Cy")),
            reversed=(settled(3, "Ann"),),
            procedure="referral",
            clauses=(),
        ),
        everybody={"number": 7, "procedure": "referral"},
        ann={
            "number": 7,
            "procedure": "referral",
            "returned": [returned(1, "Ann"), returned(3, "Ann")],
        },
        staff={
            "number": 7,
            "procedure": "referral",
            "returned": [returned(1, "Ann"), returned(2, "Cy"), returned(3, "Ann")],
        },
    ),
    public(ev.RoundEnded(number=7), number=7),
    public(ev.ShoeEnded()),
    public(ev.ShoeOpened(number=2, order=(KING,), secret="ab"), number=2),
    public(
        ev.IrregularityReported(case=CASE, by="Eve", note="Ann saw it"),
        case=4,
        situation="misdeal",
        staff={"by": "Eve", "note": "Ann saw it", "patron": "Ann", "hand": "player", "amount": 70},
    ),
    public(ev.FactsConfirmed(by="Eve", second="Flo"), staff={"by": "Eve", "second": "Flo"}),
    public(
        ev.FactsDisproved(id=4, by="Eve", found="the card is ours"),
        case=4,
        staff={"by": "Eve", "found": "the card is ours"},
    ),
    public(ev.ReportWithdrawn(id=4, by="Eve", second="Flo"), case=4, staff={"by": "Eve", "second": "Flo"}),
    public(
        ev.CardCorrected(round=7, number=3, old=KING, new=NINE, by="Eve", second="Flo"),
        round=7,
        number=3,
        staff={"by": "Eve", "second": "Flo"},
    ),
    public(ev.CaseWaits(waits=Wait.DECISION, post=PIT), waits="decision", post="pit-manager"),
    public(
        ev.RulingMade(choice="void-round", text="Ann saw it", by="Eve", cards=(NINE, KING)),
        choice="void-round",
        also=[],
        staff={"text": "Ann saw it", "by": "Eve", "amount": 0},
    ),
    public(
        ev.RulingMade(choice="9H first", text="", by="Eve", cards=(NINE, KING)),
        choice="order",
        also=[],
        staff={"text": "", "by": "Eve", "amount": 0},
    ),
    public(
        ev.RulingMade(choice="continue", also=("pay",), text="", by="Eve", patron="Ann", amount=50),
        choice="continue",
        also=["pay"],
        staff={"text": "", "by": "Eve", "patron": "Ann", "amount": 50},
    ),
    public(
        ev.EffectCarriedOut(effect="continue", statement=True),
        effect="continue",
        done=True,
        statement=True,
        lapsed=False,
    ),
    Seen(
        ev.OfferOpened(offer=Offer(case=4, wagers=Withdrawable.ALL, clause=Clause("7"), asked=("Ann", "Cy"))),
        everybody={"wagers": "all"},
        ann={"wagers": "all", "asked": ["Ann"]},
        staff={"wagers": "all", "asked": ["Ann", "Cy"]},
    ),
    personal(
        ev.OfferAnswered(patron="Ann", withdrew=True, by="Eve"),
        patron="Ann",
        withdrew=True,
        silent=False,
        staff={"by": "Eve"},
    ),
    personal(
        ev.AnswerTakenBack(patron="Ann", case=1, wagers=(), by="Eve", second="Max", clauses=()),
        patron="Ann",
        staff={"by": "Eve", "second": "Max"},
    ),
    public(ev.OfferClosed()),
    public(ev.CardsReconstructed(cards=DEALT), dealt=DEALT_SHOWN),
    public(ev.CardsRetrieved()),
    public(ev.StrayCardsKept(cards=(NINE, KING)), count=2),
    public(ev.FreeHandDue()),
    public(ev.CardReplacementDue(need="shall"), need="shall"),
    public(ev.BettingReopened()),
    public(ev.BettingCancelled(procedure="referral"), procedure="referral"),
    public(ev.CardsReserved(cards=(NINE, KING)), count=2),
    public(ev.MissingCardsDeduced(cards=(NINE,), lacking=(NINE,)), count=1),
    public(ev.CardsSubstituted(cards=DEALT), dealt=DEALT_SHOWN),
    Seen(
        ev.SettlementReversed(wagers=(settled(1, "Ann"), settled(2, "Bob")), clauses=()),
        everybody={},
        ann={"settled": [settlement(1, "Ann")]},
        staff={"settled": [settlement(1, "Ann"), settlement(2, "Bob")]},
    ),
    personal(
        ev.ClaimBooked(patron="Ann", amount=50, procedure="referral", clauses=()),
        patron="Ann",
        amount=50,
        procedure="referral",
    ),
    personal(ev.WrongPaymentFound(patron="Ann", amount=50, clauses=()), patron="Ann", amount=50),
    personal(
        ev.PaymentCorrected(patron="Ann", amount=50, by="Eve", second="Flo", clauses=()),
        patron="Ann",
        amount=50,
        staff={"by": "Eve", "second": "Flo"},
    ),
    personal(
        ev.PaymentClaimed(patron="Ann", amount=50, by="Eve", second="Flo", procedure="referral", clauses=()),
        patron="Ann",
        amount=50,
        procedure="referral",
        staff={"by": "Eve", "second": "Flo"},
    ),
    public(ev.CaseClosed(id=4), case=4),
    public(ev.CaseClosed(id=4, superseded_by=5), case=4, superseded_by=5),
    behind(ev.AlertAcknowledged(sequence=12, by="Eve"), sequence=12, by="Eve"),
    behind(
        ev.AlarmRaised(alarm=Alarm(kind=AlarmKind.MISREAD, card=KING), by="Eve"),
        about="misread",
        by="Eve",
    ),
    personal(
        ev.DisputeOpened(id=1, patron="Ann", about="a tie", round=3, shoe=2, wager="tie", by="Eve"),
        id=1,
        patron="Ann",
        about="a tie",
        round=3,
        wager="tie",
        staff={"by": "Eve"},
    ),
    personal(ev.DisputeEscalated(id=1, by="Eve", clauses=()), id=1, staff={"by": "Eve"}),
    behind(
        ev.InformationGathered(id=1, what="a tie", given_by="Bob", by="Eve", source="law"),
        id=1,
        about="a tie",
        person="Bob",
        by="Eve",
        source="law",
    ),
    behind(ev.SurveillanceInformed(id=1, by="Eve"), id=1, by="Eve"),
    personal(ev.TimeFrameGiven(id=1, time_frame="by noon"), id=1, time_frame="by noon"),
    personal(
        ev.TimeFrameNotPossible(id=1, why="no pictures", by="Eve"),
        id=1,
        why="no pictures",
        staff={"by": "Eve"},
    ),
    personal(
        ev.DisputeDecided(id=1, decision="no", sources=("law",), award=0, by="Eve", second="Max", clauses=()),
        id=1,
        decision="no",
        sources=["law"],
        award=0,
        staff={"by": "Eve", "second": "Max"},
    ),
    personal(ev.PatronAnswered(id=1, agrees=False), id=1, agrees=False),
    personal(
        ev.PatronAnswered(id=1, agrees=False, by="Eve", second="Flo"),
        id=1,
        agrees=False,
        staff={"by": "Eve", "second": "Flo"},
    ),
    personal(ev.InspectorInformed(id=1, by="Eve"), id=1, staff={"by": "Eve"}),
    personal(
        ev.AwardPaid(
            id=1,
            patron="Ann",
            amount=8000,
            way=AwardWay.PAYOUT,
            to="her son",
            how="in cash",
            by="Eve",
            second="Max",
            procedure="dispute-award",
            clauses=(),
        ),
        id=1,
        patron="Ann",
        amount=8000,
        way="payout",
        staff={
            "person": "her son",
            "how": "in cash",
            "by": "Eve",
            "second": "Max",
            "procedure": "dispute-award",
        },
    ),
    personal(
        ev.AwardSetOff(id=1, patron="Ann", amount=2000, procedure="referral", clauses=()),
        id=1,
        patron="Ann",
        amount=2000,
        staff={"procedure": "referral"},
    ),
    personal(ev.ReceiptConfirmed(id=1, patron="Ann"), id=1, patron="Ann"),
    personal(
        ev.ReceiptConfirmed(id=1, patron="Ann", by="Eve", second="Flo"),
        id=1,
        patron="Ann",
        staff={"by": "Eve", "second": "Flo"},
    ),
    personal(ev.ComplaintRightTold(id=1), id=1),
    personal(ev.ComplaintFiled(id=1, text="no", helper="Eve"), id=1, text="no", staff={"helper": "Eve"}),
    personal(ev.ComplaintReceived(id=1, by="Eve"), id=1, staff={"by": "Eve"}),
    personal(
        ev.ComplaintAnswered(id=1, answer="sorry", award=0, by="Eve", clauses=()),
        id=1,
        answer="sorry",
        award=0,
        staff={"by": "Eve"},
    ),
    personal(ev.DisputeClosed(id=1), id=1),
    behind(ev.OpenerCounted(inventory=2, expected=800, **COUNTED), inventory=2, expected=800, **COUNT_SHOWN),
    behind(ev.ChipsFilled(**COUNTED), **COUNT_SHOWN),
    behind(ev.ChipsReturned(**COUNTED), **COUNT_SHOWN),
    behind(
        ev.ChipsBought(
            slip=4, patron="Ann", amount=900, by="Eve", second=None, reason="", procedure="buy-in", clauses=()
        ),
        slip=4,
        patron="Ann",
        amount=900,
        by="Eve",
        second=None,
    ),
    behind(
        ev.SlipVoided(
            slip=4,
            act=MoneyAct.BUY_IN,
            amount=900,
            patron="Ann",
            reason="so",
            by="Eve",
            second="Max",
            procedure="buy-in",
            clauses=(),
        ),
        slip=4,
        act="buy-in",
        amount=900,
        reason="so",
        by="Eve",
        second="Max",
    ),
    behind(ev.CloserCounted(inventory=2, expected=800, **COUNTED), inventory=2, expected=800, **COUNT_SHOWN),
    behind(ev.DropCounted(inventory=2, expected=800, **COUNTED), inventory=2, expected=800, **COUNT_SHOWN),
)


def named(seen: Seen) -> str:
    return str(seen.event.__struct_config__.tag)


def learned(event: ev.Event, viewer: Viewer, table: Table = TABLE) -> Fields:
    """The fields that a viewer learns beside the name of the event."""
    moment = tell_all(event, table).moment_for(viewer)
    if moment is None:
        return None
    told = msgspec.json.decode(msgspec.json.encode(moment))
    assert told.pop("kind") == event.__struct_config__.tag
    return dict(told)


@pytest.mark.parametrize("seen", SEEN, ids=named)
def test_what_each_viewer_learns_of_an_event(seen: Seen) -> None:
    assert learned(seen.event, DISPLAY) == seen.everybody
    assert learned(seen.event, Viewer(ViewerKind.PATRON)) == seen.everybody
    assert learned(seen.event, ANN) == seen.ann
    assert learned(seen.event, STAFF_VIEWER) == seen.staff
    assert learned(seen.event, AUDITOR) == seen.staff
    stranger = patron_viewer("Di")
    assert learned(seen.event, stranger) == seen.everybody
    assert stranger.patron not in tell_all(seen.event, TABLE).concerned


def test_another_patron_learns_their_own_part_and_no_more() -> None:
    event = ev.RoundSettled(wagers=(settled(1, "Ann"), settled(2, "Bob")), clauses=())
    assert learned(event, BOB) == {"settled": [settlement(2, "Bob")]}
    assert set(tell_all(event, TABLE).concerned) == {"Ann", "Bob"}


def test_every_kind_of_event_is_in_the_table_and_typed_in_here() -> None:
    kinds = set(typing.get_args(ev.Event))
    assert set(MOMENT_FIELDS) == kinds
    assert {type(seen.event) for seen in SEEN} == kinds


def test_clauses_reach_whoever_learns_of_an_event() -> None:
    event = ev.RoundEnded(number=7, clauses=(Clause("3.1"),))
    assert tell_all(event, TABLE).everybody == RoundEndedMoment(clauses=(Clause("3.1"),), number=7)


def test_a_kind_of_moment_is_named_as_its_event() -> None:
    for event, row in MOMENT_FIELDS.items():
        assert row.kind.__struct_config__.tag == event.__struct_config__.tag
    assert {row.kind for row in MOMENT_FIELDS.values()} == set(typing.get_args(Moment))


def test_only_a_field_that_every_viewer_of_a_moment_gets_has_no_default() -> None:
    for row in MOMENT_FIELDS.values():
        audiences = [each for each in (row.everybody, row.concerned, row.staff) if each is not None]
        for field in msgspec.structs.fields(row.kind):
            if field.required:
                assert all(field.name in audience for audience in audiences), (row.kind, field.name)


def test_a_moment_is_read_again_as_it_was_written() -> None:
    for seen in SEEN:
        for viewer in (DISPLAY, ANN, STAFF_VIEWER):
            moment = tell_all(seen.event, TABLE).moment_for(viewer)
            if moment is not None:
                assert msgspec.json.decode(msgspec.json.encode(moment), type=Moment) == moment
                assert moment.kind == named(seen)
