"""What happened, as each viewer may learn of it, with what a screen needs to tell and to animate it.

Every kind of event has a row that says which of its fields reach whom. A kind without a row reaches staff
by its name alone, and nobody else.
"""

import datetime
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.folds.faces import CardShown, open_face, shown_to_all
from thirdcard.folds.history import Returned, choice_shown, returned_by
from thirdcard.folds.viewers import DISPLAY, STAFF, Viewer, ViewerKind
from thirdcard.game import events as ev
from thirdcard.game.causes import Cause
from thirdcard.game.state import CardState, Hand, SettledWager, Table, Wait
from thirdcard.rulebook.facts import Facts, Winner
from thirdcard.rulebook.irregularity import Method, Situation, Withdrawable
from thirdcard.staff import Post


class Moment(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that happened, by the name of its event; a field that is absent is not for this viewer.

    ``count`` is a number of cards, ``faces`` are cards opened now, ``dealt`` all cards before the hands,
    ``settled`` and ``returned`` wagers, ``at_start`` says that the cutting card came before the first card.
    """

    kind: str
    clauses: tuple[Clause, ...] = ()
    about: str | None = None
    agrees: bool | None = None
    also: tuple[str, ...] | None = None
    answer: str | None = None
    amount: int | None = None
    asked: tuple[str, ...] | None = None
    at_start: bool | None = None
    award: int | None = None
    banker: int | None = None
    by: str | None = None
    call: str | None = None
    card: Card | None = None
    case: int | None = None
    cause: Cause | None = None
    choice: str | None = None
    count: int | None = None
    dealt: tuple[CardShown, ...] | None = None
    decision: str | None = None
    date: datetime.date | None = None
    decks: int | None = None
    depth: int | None = None
    device: Winner | None = None
    done: bool | None = None
    effect: str | None = None
    end: datetime.datetime | None = None
    faces: tuple[Card | None, ...] | None = None
    facts: Facts | None = None
    found: str | None = None
    free: bool | None = None
    gap: int | None = None
    hand: Hand | None = None
    how: str | None = None
    heavier: Hand | None = None
    helper: str | None = None
    id: int | None = None
    item: str | None = None
    lapsed: bool | None = None
    last: bool | None = None
    limit: int | None = None
    method: Method | None = None
    most: int | None = None
    need: str | None = None
    needed: bool | None = None
    note: str | None = None
    number: int | None = None
    owners_per_area: int | None = None
    patron: str | None = None
    person: str | None = None
    placed_by: str | None = None
    player: int | None = None
    position: int | None = None
    post: Post | None = None
    procedure: str | None = None
    reason: str | None = None
    reference: str | None = None
    returned: tuple[Returned, ...] | None = None
    round: int | None = None
    rounds_left: int | None = None
    seal: str | None = None
    seated: bool | None = None
    second: str | None = None
    sequence: int | None = None
    settled: tuple[SettledWager, ...] | None = None
    situation: Situation | None = None
    source: str | None = None
    sources: tuple[str, ...] | None = None
    start: datetime.datetime | None = None
    state: CardState | None = None
    statement: bool | None = None
    superseded_by: int | None = None
    terminal: str | None = None
    text: str | None = None
    time_frame: str | None = None
    until: datetime.datetime | None = None
    wager: str | None = None
    wagers: Withdrawable | None = None
    waits: Wait | None = None
    way: str | None = None
    why: str | None = None
    winner: Winner | None = None
    withdrew: bool | None = None
    silent: bool | None = None


Fields = tuple[str, ...]


class Row(Struct, frozen=True):
    """Which fields reach everybody, the patrons whom it concerns, and staff; nothing: not even the name."""

    everybody: Fields | None
    concerned: Fields | None
    staff: Fields


def _public(*fields: str, staff: Fields = ()) -> Row:
    """For everybody; staff learn some more."""
    return Row(fields, fields, (*fields, *staff))


def _behind(*fields: str) -> Row:
    """For staff alone."""
    return Row(None, None, fields)


def _personal(*fields: str, staff: Fields = (), everybody: Fields | None = None) -> Row:
    """For the patrons whom it concerns and for staff; everybody may learn a part."""
    return Row(everybody, fields, (*fields, *staff))


_WAGER = ("id", "patron", "position", "wager", "amount")

ROWS: dict[type[ev.Event], Row] = {
    ev.TableSetUp: _public(staff=("method", "owners_per_area")),
    ev.EquipmentTicked: _behind("item", "needed"),
    ev.ApprovalConfirmed: _behind("reference", "date", "by", "second"),
    ev.TableOpened: _public(),
    ev.TablePaused: _public(staff=("reason",)),
    ev.TableResumed: _public(),
    ev.TableClosed: _public(staff=("reason",)),
    ev.StaffCame: _behind("person", "post"),
    ev.StaffLeft: _behind("person"),
    ev.ActingAppointed: _behind("person", "post", "start", "end"),
    ev.PatronCame: _personal("patron", "position", "seated", everybody=("position", "seated")),
    ev.PatronLeft: _personal("patron"),
    ev.CreditsBought: _personal("terminal", "amount", "procedure"),
    ev.CreditsCashedOut: _personal("terminal", "amount", "procedure"),
    ev.MethodChanged: _public("method", staff=("by",)),
    ev.OwnersLimited: _public("most", staff=("by",)),
    ev.ShoeLoaded: _public("number", "decks", "seal"),
    ev.CardsCounted: _behind("count", "number", "by"),
    ev.CardsCut: _public("depth", staff=("by",)),
    ev.CardsBurned: _public("count"),
    ev.LastHandAnnounced: _public(),
    ev.DeviceTaken: _personal("patron", everybody=()),
    ev.DeviceReleased: _personal("patron", everybody=()),
    ev.DrawingPermitted: _personal("patron", staff=("by",)),
    ev.SqueezePermitted: _personal("person", staff=("by",)),
    ev.SqueezeForbidden: _personal("patron", staff=("by",), everybody=()),
    ev.SqueezeRequested: _personal("patron"),
    ev.BettingOpened: _public("call"),
    ev.RoundBegan: _public("number", "method", "free", "last"),
    ev.WagerPlaced: _personal(*_WAGER, staff=("placed_by",)),
    ev.WagerReduced: _personal("id", "patron", "wager", "amount", staff=("by",)),
    ev.MoneyHeld: _personal("id", "patron", "amount", "wager", staff=("by", "second")),
    ev.HeldWagerJudged: _personal("id", "patron", "settled"),
    ev.HeldMoneyDecided: _personal(
        "id", "patron", "amount", "choice", "settled", staff=("found", "by", "second")
    ),
    ev.WagerFound: _personal(*_WAGER, staff=("by", "second")),
    ev.WagerHandedBack: _personal("patron", "position", "wager", "amount", "why", "procedure"),
    ev.WagerPulledLate: _personal("id", "patron", "wager", "amount"),
    ev.BettingClosed: _public("call"),
    ev.DifferentialExceeded: _public("gap", "limit", "heavier"),
    ev.DecreaseAsked: _public("heavier"),
    ev.DecreaseAnswered: _personal("patron", "silent"),
    ev.CardsChosen: _personal("patron"),
    ev.CardDrawn: _public("hand", "state", "card", staff=("by",)),
    ev.CardsSetAside: _public("count", "hand", staff=("by",)),
    ev.CardSeenInShoe: _public(),
    ev.CuttingCardSeen: _public("at_start", "rounds_left"),
    ev.CardsDelivered: _personal("hand", "patron", everybody=("hand",)),
    ev.CardsTakenBack: _personal("hand", "patron", everybody=("hand",)),
    ev.CardsDeclined: _personal("hand", "patron", everybody=("hand",)),
    ev.RevealOrderChosen: _public("hand"),
    ev.CardsSeen: _personal("hand", "patron", everybody=("hand",)),
    ev.CardsExposed: _public("hand", "faces", staff=("by",)),
    ev.OutcomeKnown: _public("facts"),
    ev.TotalsAnnounced: _public("player", "banker", staff=("by",)),
    ev.OutcomeCalled: _public("winner", "player", "banker", staff=("by",)),
    ev.DeviceMismatch: _behind("device", "winner"),
    ev.RoundSettled: _personal("settled", everybody=()),
    ev.PatronMarked: _personal("patron", "round"),
    ev.RoundVoided: _personal("number", "procedure", "returned", everybody=("number", "procedure")),
    ev.RoundEnded: _public("number"),
    ev.ShoeEnded: _public(),
    ev.ShoeOpened: _public("number"),
    ev.IrregularityReported: _public(
        "case", "situation", "cause", staff=("by", "second", "note", "patron", "hand", "amount")
    ),
    ev.FactsConfirmed: _public(staff=("by", "second")),
    ev.FactsDisproved: _public("case", staff=("by", "second", "found")),
    ev.ReportWithdrawn: _public("case", staff=("by", "second")),
    ev.CardCorrected: _public("round", "number", staff=("by", "second")),
    ev.CaseWaits: _public("waits", "post"),
    ev.RulingMade: _public("choice", "also", staff=("text", "by", "person", "second", "patron", "amount")),
    ev.EffectCarriedOut: _public("effect", "done", "statement", "lapsed"),
    ev.OfferOpened: Row(("wagers",), ("wagers", "asked"), ("wagers", "asked")),
    ev.OfferAnswered: _personal("patron", "withdrew", "silent", staff=("by",)),
    ev.AnswerTakenBack: _personal("patron", staff=("by", "second")),
    ev.OfferClosed: _public(),
    ev.CardsReconstructed: _public("dealt"),
    ev.CardsRetrieved: _public(),
    ev.StrayCardsKept: _public("count"),
    ev.FreeHandDue: _public(),
    ev.CardReplacementDue: _public("need"),
    ev.BettingReopened: _public(),
    ev.BettingCancelled: _public("procedure"),
    ev.CardsReserved: _public("count"),
    ev.MissingCardsDeduced: _public("count"),
    ev.CardsSubstituted: _public("dealt"),
    ev.SettlementReversed: _personal("settled", everybody=()),
    ev.ClaimBooked: _personal("patron", "amount", "procedure"),
    ev.WrongPaymentFound: _personal("patron", "amount"),
    ev.PaymentCorrected: _personal("patron", "amount", "procedure", staff=("by", "second")),
    ev.PaymentClaimed: _personal("patron", "amount", "procedure", staff=("by", "second")),
    ev.CaseClosed: _public("case", "superseded_by"),
    ev.AlertAcknowledged: _behind("sequence", "by"),
    ev.AlarmRaised: _behind("about", "by"),
    ev.DisputeOpened: _personal("id", "patron", "about", "round", "wager", staff=("by",)),
    ev.DisputeEscalated: _personal("id", staff=("by", "second")),
    ev.InformationGathered: _behind("id", "about", "person", "by", "second", "source"),
    ev.SurveillanceInformed: _behind("id", "by", "second"),
    ev.TimeFrameGiven: _personal("id", "time_frame", "until", staff=("by",)),
    ev.TimeFrameNotPossible: _personal("id", "why", staff=("by",)),
    ev.DisputeDecided: _personal("id", "decision", "sources", "award", staff=("by", "second", "procedure")),
    ev.PatronAnswered: _personal("id", "agrees", staff=("by", "second")),
    ev.InspectorInformed: _personal("id", staff=("by", "second")),
    ev.AwardPaid: _personal(
        "id", "patron", "amount", "way", staff=("person", "how", "by", "second", "procedure")
    ),
    ev.ReceiptConfirmed: _personal("id", "patron", staff=("by", "second")),
    ev.ComplaintRightTold: _personal("id", "until", staff=("by",)),
    ev.ComplaintFiled: _personal("id", "text", staff=("helper", "by")),
    ev.ComplaintReceived: _personal("id", staff=("by", "second")),
    ev.ComplaintAnswered: _personal("id", "answer", "award", staff=("by", "second", "procedure")),
    ev.DisputeClosed: _personal("id"),
}

Picked = Callable[[Any, str | None], object]

# what is not copied as it stands in the event; the name says for whom alone, or for nobody in particular
_PICKED: dict[tuple[type[ev.Event], str], Picked] = {
    (ev.ShoeLoaded, "seal"): lambda event, _: event.seal.root if event.seal else None,
    (ev.WagerReduced, "amount"): lambda event, _: event.back,
    (ev.CardsCounted, "count"): lambda event, _: event.cards,
    (ev.CardsCounted, "number"): lambda event, _: event.expected,
    (ev.MoneyHeld, "wager"): lambda event, _: event.wager.wager if event.wager else None,
    (ev.HeldWagerJudged, "settled"): lambda event, _: (event.settled,) if event.settled else None,
    (ev.HeldMoneyDecided, "settled"): lambda event, _: (event.settled,) if event.settled else None,
    (ev.CardsBurned, "count"): lambda event, _: event.cards,
    (ev.CardsSetAside, "count"): lambda event, _: len(event.cards),
    (ev.StrayCardsKept, "count"): lambda event, _: len(event.cards),
    (ev.CardsReserved, "count"): lambda event, _: len(event.cards),
    (ev.MissingCardsDeduced, "count"): lambda event, _: len(event.cards),
    (ev.CardDrawn, "card"): lambda event, _: open_face(event.card, event.state),
    (ev.CardsExposed, "faces"): lambda event, _: event.cards,
    (ev.CardsReconstructed, "dealt"): lambda event, _: shown_to_all(event.cards),
    (ev.CardsSubstituted, "dealt"): lambda event, _: shown_to_all(event.cards),
    (ev.CuttingCardSeen, "at_start"): lambda event, _: event.first,
    (ev.RevealOrderChosen, "hand"): lambda event, _: event.first,
    (ev.DeviceMismatch, "winner"): lambda event, _: event.cards,
    (ev.InformationGathered, "about"): lambda event, _: event.what,
    (ev.InformationGathered, "person"): lambda event, _: event.given_by,
    (ev.AwardPaid, "way"): lambda event, _: event.way.value,
    (ev.AwardPaid, "person"): lambda event, _: event.to,
    (ev.AlarmRaised, "about"): lambda event, _: event.alarm.kind.value,
    (ev.RoundSettled, "settled"): lambda event, name: _own(event.wagers, name),
    (ev.SettlementReversed, "settled"): lambda event, name: _own(event.wagers, name),
    (ev.RoundVoided, "returned"): lambda event, name: _own(returned_by(_handed_back(event)), name),
    (ev.OfferOpened, "wagers"): lambda event, _: event.offer.wagers,
    (ev.OfferOpened, "asked"): lambda event, name: (name,) if name else asked_by(event),
    (ev.RulingMade, "person"): lambda event, _: event.entered_by,
    (ev.RulingMade, "choice"): lambda event, _: choice_shown(event.choice),
    (ev.RulingMade, "also"): lambda event, _: tuple(map(choice_shown, event.also)),
    (ev.IrregularityReported, "case"): lambda event, _: event.case.id,
    (ev.IrregularityReported, "second"): lambda event, _: event.case.second,
    (ev.IrregularityReported, "situation"): lambda event, _: event.case.situation,
    (ev.IrregularityReported, "cause"): lambda event, _: event.case.cause,
    (ev.IrregularityReported, "patron"): lambda event, _: event.case.patron,
    (ev.IrregularityReported, "hand"): lambda event, _: event.case.hand,
    (ev.IrregularityReported, "amount"): lambda event, _: event.case.amount,
    (ev.FactsDisproved, "case"): lambda event, _: event.id,
    (ev.ReportWithdrawn, "case"): lambda event, _: event.id,
    (ev.CaseClosed, "case"): lambda event, _: event.id,
}


def moment_of(event: ev.Event, table: Table, viewer: Viewer) -> Moment | None:
    """What a viewer learns of an event that made the table what it is; nothing where it is not for them."""
    kind, row = str(event.__struct_config__.tag), ROWS.get(type(event))
    if row is None:
        return Moment(kind=kind) if viewer.kind is ViewerKind.STAFF else None
    if viewer.sees_behind:
        return _moment(kind, event, row.staff, None)
    name = viewer.patron
    if name and row.concerned and row.concerned is not row.everybody and name in concerned(event, table):
        return _moment(kind, event, row.concerned, name)
    return None if row.everybody is None else _moment(kind, event, row.everybody, None)


class Told(Struct, frozen=True):
    """What everybody learns of an event, what staff do, and what each patron does whom it concerns."""

    everybody: Moment | None
    staff: Moment | None
    concerned: dict[str, Moment]


def tell_all(event: ev.Event, table: Table) -> Told:
    """What all viewers learn of an event, made once: who is not named learns what everybody does."""
    own: dict[str, Moment] = {}
    row = ROWS.get(type(event))
    if row is not None and row.concerned and row.concerned is not row.everybody:
        kind = str(event.__struct_config__.tag)
        for name, share in _shares(event, table).items():
            own[name] = _moment(kind, share, row.concerned, name)
    return Told(moment_of(event, table, DISPLAY), moment_of(event, table, STAFF), own)


def _shares(event: ev.Event, table: Table) -> dict[str, ev.Event]:
    """The event for each patron whom it concerns; a settlement without the wagers of others."""
    if not isinstance(event, ev.RoundSettled | ev.SettlementReversed):
        shares: dict[str, ev.Event] = {}
        for name in concerned(event, table):
            shares[name] = event
        return shares
    wagers: dict[str, list[SettledWager]] = {}
    for each in event.wagers:
        wagers.setdefault(each.patron, []).append(each)
    return {name: replace(event, wagers=tuple(own)) for name, own in wagers.items()}


def asked_by(event: ev.OfferOpened) -> tuple[str, ...]:
    """The patrons who are asked by an event: others may have answered by the time that a wager is found."""
    return tuple(each for each in event.offer.asked if each not in event.offer.answered)


def concerned(event: ev.Event, table: Table) -> tuple[str, ...]:
    """The patrons whom an event is about: they may learn more of it than everybody does."""
    match event:
        case ev.RoundSettled() | ev.SettlementReversed():
            return tuple(dict.fromkeys(each.patron for each in event.wagers))
        case ev.RoundVoided():
            return tuple(dict.fromkeys(each.patron for each in returned_by(event)))
        case ev.OfferOpened():
            return asked_by(event)
        case ev.SqueezePermitted():
            return (event.person,)
        case ev.CreditsBought() | ev.CreditsCashedOut():
            return (event.terminal,)
        case _ if isinstance(event, ev.DisputeEvent) and not isinstance(event, ev.DisputeOpened):
            return tuple(each.patron for each in table.disputes if each.id == event.id)
        case _:
            patron = getattr(event, "patron", None)
            return (patron,) if patron else ()


def _moment(kind: str, event: ev.Event, fields: Fields, name: str | None) -> Moment:
    about: dict[str, Any] = {}
    for field in fields:
        picked = _PICKED.get((type(event), field))
        about[field] = picked(event, name) if picked else getattr(event, field)
    return Moment(kind=kind, clauses=event.clauses, **about)


def _handed_back(event: ev.RoundVoided) -> ev.RoundVoided:
    """A void round without the wagers that stay held."""
    returned = tuple(each for each in event.returned if not each.held)
    return replace(event, returned=returned, reversed=tuple(each for each in event.reversed if not each.held))


def _own(wagers: tuple[Any, ...], name: str | None) -> tuple[Any, ...]:
    """Of some wagers those of one patron, or all."""
    return tuple(each for each in wagers if name in (None, each.patron))
