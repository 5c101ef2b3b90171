"""Tells events to viewers: every event has a row with its kind of moment and the fields that reach whom."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.folds.faces import open_face, shown_to_all
from thirdcard.folds.history import choice_shown, returned_by
from thirdcard.folds.viewers import Viewer
from thirdcard.game import events as ev
from thirdcard.game.state import SettledWager, Table
from thirdcard.views.moments import at_table, in_cases, in_disputes, in_round, of_chips
from thirdcard.views.moments.kinds import Moment
from thirdcard.views.moments.moment import AnyMoment

Fields = tuple[str, ...]


class MomentFields(Struct, frozen=True):
    """A kind of moment, and its fields for everybody, for the patrons whom it concerns, and for staff.

    Without fields (nothing, not an empty tuple) they learn not even that it happened.
    """

    kind: type[Moment]
    everybody: Fields | None
    concerned: Fields | None
    staff: Fields


def _fields_of(kind: type[AnyMoment], *, without: Fields = ()) -> Fields:
    return tuple(name for name in kind.__struct_fields__ if name not in ("clauses", *without))


def _public(kind: type[Moment], *, staff: Fields = ()) -> MomentFields:
    """Give everybody all fields but those for staff."""
    fields = _fields_of(kind, without=staff)
    return MomentFields(kind, fields, fields, _fields_of(kind))


def _behind(kind: type[Moment]) -> MomentFields:
    """Give the moment to staff alone."""
    return MomentFields(kind, None, None, _fields_of(kind))


def _personal(kind: type[Moment], *, staff: Fields = (), everybody: Fields | None = None) -> MomentFields:
    """Give the patrons whom it concerns all fields but those for staff; everybody may learn a part."""
    return MomentFields(kind, everybody, _fields_of(kind, without=staff), _fields_of(kind))


MOMENT_FIELDS: dict[type[ev.Event], MomentFields] = {
    ev.TableSetUp: _public(at_table.TableSetUpMoment, staff=("method", "owners_per_area")),
    ev.EquipmentTicked: _behind(at_table.EquipmentTickedMoment),
    ev.ApprovalConfirmed: _behind(at_table.ApprovalConfirmedMoment),
    ev.TableOpened: _public(at_table.TableOpenedMoment),
    ev.TablePaused: _public(at_table.TablePausedMoment, staff=("reason",)),
    ev.TableResumed: _public(at_table.TableResumedMoment),
    ev.TableClosed: _public(at_table.TableClosedMoment, staff=("reason",)),
    ev.StopPlanned: _public(at_table.StopPlannedMoment, staff=("reason", "by")),
    ev.StopCancelled: _public(at_table.StopCancelledMoment, staff=("by",)),
    ev.ChangePlanned: _public(at_table.ChangePlannedMoment),
    ev.TableChanged: _public(at_table.TableChangedMoment),
    ev.StaffCame: _behind(at_table.StaffCameMoment),
    ev.StaffLeft: _behind(at_table.StaffLeftMoment),
    ev.ActingAppointed: _behind(at_table.ActingAppointedMoment),
    ev.PatronCame: _personal(at_table.PatronCameMoment, everybody=("position", "seated")),
    ev.PatronLeft: _personal(at_table.PatronLeftMoment),
    ev.CreditsBought: _personal(at_table.CreditsBoughtMoment),
    ev.CreditsCashedOut: _personal(at_table.CreditsCashedOutMoment),
    ev.CreditsAsked: _personal(at_table.CreditsAskedMoment, staff=("by",)),
    ev.CreditsDeclined: _personal(at_table.CreditsDeclinedMoment),
    ev.MethodChanged: _public(at_table.MethodChangedMoment, staff=("by",)),
    ev.OwnersLimited: _public(at_table.OwnersLimitedMoment, staff=("by",)),
    ev.ShoeLoaded: _public(at_table.ShoeLoadedMoment),
    ev.CardsCounted: _behind(at_table.CardsCountedMoment),
    ev.CardsCut: _public(at_table.CardsCutMoment, staff=("by",)),
    ev.CardsBurned: _public(at_table.CardsBurnedMoment),
    ev.LastHandAnnounced: _public(at_table.LastHandAnnouncedMoment),
    ev.DeviceTaken: _personal(at_table.DeviceTakenMoment, everybody=()),
    ev.DeviceReleased: _personal(at_table.DeviceReleasedMoment, everybody=()),
    ev.DrawingPermitted: _personal(at_table.DrawingPermittedMoment, staff=("by",)),
    ev.SqueezePermitted: _personal(at_table.SqueezePermittedMoment, staff=("by",)),
    ev.SqueezeForbidden: _personal(at_table.SqueezeForbiddenMoment, everybody=(), staff=("by",)),
    ev.SqueezeRequested: _personal(at_table.SqueezeRequestedMoment),
    ev.BettingOpened: _public(in_round.BettingOpenedMoment),
    ev.RoundBegan: _public(in_round.RoundBeganMoment),
    ev.WagerPlaced: _personal(in_round.WagerPlacedMoment, staff=("placed_by",)),
    ev.WagerReduced: _personal(in_round.WagerReducedMoment, staff=("by",)),
    ev.MoneyHeld: _personal(in_round.MoneyHeldMoment, staff=("by", "second")),
    ev.HeldWagerJudged: _personal(in_round.HeldWagerJudgedMoment),
    ev.HeldMoneyDecided: _personal(in_round.HeldMoneyDecidedMoment, staff=("found", "by", "second")),
    ev.WagerFound: _personal(in_round.WagerFoundMoment, staff=("by", "second")),
    ev.WagerHandedBack: _personal(in_round.WagerHandedBackMoment),
    ev.WagerPulledLate: _personal(in_round.WagerPulledLateMoment),
    ev.BettingClosed: _public(in_round.BettingClosedMoment),
    ev.DifferentialExceeded: _public(in_round.DifferentialExceededMoment),
    ev.DecreaseAsked: _public(in_round.DecreaseAskedMoment),
    ev.DecreaseAnswered: _personal(in_round.DecreaseAnsweredMoment),
    ev.CardsChosen: _personal(in_round.CardsChosenMoment),
    ev.CardDrawn: _public(in_round.CardDrawnMoment, staff=("by",)),
    ev.CardsSetAside: _public(in_round.CardsSetAsideMoment, staff=("by",)),
    ev.CardSeenInShoe: _public(in_round.CardSeenInShoeMoment),
    ev.CuttingCardSeen: _public(in_round.CuttingCardSeenMoment),
    ev.CardsDelivered: _personal(in_round.CardsDeliveredMoment, everybody=("hand",)),
    ev.CardsTakenBack: _personal(in_round.CardsTakenBackMoment, everybody=("hand",)),
    ev.CardsDeclined: _personal(in_round.CardsDeclinedMoment, everybody=("hand",)),
    ev.RevealOrderChosen: _public(in_round.RevealOrderChosenMoment),
    ev.CardsSeen: _personal(in_round.CardsSeenMoment, everybody=("hand",)),
    ev.CardsExposed: _public(in_round.CardsExposedMoment, staff=("by",)),
    ev.OutcomeKnown: _public(in_round.OutcomeKnownMoment),
    ev.TotalsAnnounced: _public(in_round.TotalsAnnouncedMoment, staff=("by",)),
    ev.OutcomeCalled: _public(in_round.OutcomeCalledMoment, staff=("by",)),
    ev.DeviceMismatch: _behind(in_round.DeviceMismatchMoment),
    ev.RoundSettled: _personal(in_round.RoundSettledMoment, everybody=()),
    ev.PatronMarked: _personal(in_round.PatronMarkedMoment),
    ev.RoundVoided: _personal(in_round.RoundVoidedMoment, everybody=("number", "procedure")),
    ev.RoundEnded: _public(in_round.RoundEndedMoment),
    ev.ShoeEnded: _public(in_round.ShoeEndedMoment),
    ev.ShoeOpened: _public(in_round.ShoeOpenedMoment),
    ev.IrregularityReported: _public(
        in_cases.IrregularityReportedMoment, staff=("by", "second", "note", "patron", "hand", "amount")
    ),
    ev.FactsConfirmed: _public(in_cases.FactsConfirmedMoment, staff=("by", "second")),
    ev.FactsDisproved: _public(in_cases.FactsDisprovedMoment, staff=("by", "second", "found")),
    ev.ReportWithdrawn: _public(in_cases.ReportWithdrawnMoment, staff=("by", "second")),
    ev.CardCorrected: _public(in_cases.CardCorrectedMoment, staff=("by", "second")),
    ev.CaseWaits: _public(in_cases.CaseWaitsMoment),
    ev.RulingMade: _public(
        in_cases.RulingMadeMoment, staff=("text", "by", "person", "second", "patron", "amount")
    ),
    ev.EffectCarriedOut: _public(in_cases.EffectCarriedOutMoment),
    ev.OfferOpened: _personal(in_cases.OfferOpenedMoment, everybody=("wagers",)),
    ev.OfferAnswered: _personal(in_cases.OfferAnsweredMoment, staff=("by",)),
    ev.AnswerTakenBack: _personal(in_cases.AnswerTakenBackMoment, staff=("by", "second")),
    ev.OfferClosed: _public(in_cases.OfferClosedMoment),
    ev.CardsReconstructed: _public(in_cases.CardsReconstructedMoment),
    ev.CardsRetrieved: _public(in_cases.CardsRetrievedMoment),
    ev.StrayCardsKept: _public(in_cases.StrayCardsKeptMoment),
    ev.FreeHandDue: _public(in_cases.FreeHandDueMoment),
    ev.CardReplacementDue: _public(in_cases.CardReplacementDueMoment),
    ev.BettingReopened: _public(in_cases.BettingReopenedMoment),
    ev.BettingCancelled: _public(in_cases.BettingCancelledMoment),
    ev.CardsReserved: _public(in_cases.CardsReservedMoment),
    ev.MissingCardsDeduced: _public(in_cases.MissingCardsDeducedMoment),
    ev.CardsSubstituted: _public(in_cases.CardsSubstitutedMoment),
    ev.SettlementReversed: _personal(in_cases.SettlementReversedMoment, everybody=()),
    ev.ClaimBooked: _personal(in_cases.ClaimBookedMoment),
    ev.WrongPaymentFound: _personal(in_cases.WrongPaymentFoundMoment),
    ev.PaymentCorrected: _personal(in_cases.PaymentCorrectedMoment, staff=("by", "second")),
    ev.PaymentClaimed: _personal(in_cases.PaymentClaimedMoment, staff=("by", "second")),
    ev.CaseClosed: _public(in_cases.CaseClosedMoment),
    ev.AlertAcknowledged: _behind(in_cases.AlertAcknowledgedMoment),
    ev.AlarmRaised: _behind(in_cases.AlarmRaisedMoment),
    ev.DisputeOpened: _personal(in_disputes.DisputeOpenedMoment, staff=("by",)),
    ev.DisputeEscalated: _personal(in_disputes.DisputeEscalatedMoment, staff=("by", "second")),
    ev.InformationGathered: _behind(in_disputes.InformationGatheredMoment),
    ev.SurveillanceInformed: _behind(in_disputes.SurveillanceInformedMoment),
    ev.TimeFrameGiven: _personal(in_disputes.TimeFrameGivenMoment, staff=("by",)),
    ev.TimeFrameNotPossible: _personal(in_disputes.TimeFrameNotPossibleMoment, staff=("by",)),
    ev.DisputeDecided: _personal(in_disputes.DisputeDecidedMoment, staff=("by", "second", "procedure")),
    ev.PatronAnswered: _personal(in_disputes.PatronAnsweredMoment, staff=("by", "second")),
    ev.InspectorInformed: _personal(in_disputes.InspectorInformedMoment, staff=("by", "second")),
    ev.AwardPaid: _personal(
        in_disputes.AwardPaidMoment, staff=("person", "how", "by", "second", "procedure")
    ),
    ev.AwardSetOff: _personal(in_disputes.AwardSetOffMoment, staff=("procedure",)),
    ev.ReceiptConfirmed: _personal(in_disputes.ReceiptConfirmedMoment, staff=("by", "second")),
    ev.ComplaintRightTold: _personal(in_disputes.ComplaintRightToldMoment, staff=("by",)),
    ev.ComplaintFiled: _personal(in_disputes.ComplaintFiledMoment, staff=("helper", "by")),
    ev.ComplaintReceived: _personal(in_disputes.ComplaintReceivedMoment, staff=("by", "second")),
    ev.ComplaintAnswered: _personal(in_disputes.ComplaintAnsweredMoment, staff=("by", "second", "procedure")),
    ev.DisputeClosed: _personal(in_disputes.DisputeClosedMoment),
    ev.OpenerCounted: _behind(of_chips.OpenerCountedMoment),
    ev.ChipsFilled: _behind(of_chips.ChipsFilledMoment),
    ev.ChipsReturned: _behind(of_chips.ChipsReturnedMoment),
    ev.ChipsBought: _behind(of_chips.ChipsBoughtMoment),
    ev.SlipVoided: _behind(of_chips.SlipVoidedMoment),
    ev.CloserCounted: _behind(of_chips.CloserCountedMoment),
    ev.DropCounted: _behind(of_chips.DropCountedMoment),
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
    (ev.IrregularityReported, "second"): lambda event, _: (
        event.case.second if event.by == event.case.by else None
    ),
    (ev.IrregularityReported, "situation"): lambda event, _: event.case.situation,
    (ev.IrregularityReported, "cause"): lambda event, _: event.case.cause,
    (ev.IrregularityReported, "patron"): lambda event, _: event.case.patron,
    (ev.IrregularityReported, "hand"): lambda event, _: event.case.hand,
    (ev.IrregularityReported, "amount"): lambda event, _: event.case.amount,
    (ev.FactsDisproved, "case"): lambda event, _: event.id,
    (ev.ReportWithdrawn, "case"): lambda event, _: event.id,
    (ev.CaseClosed, "case"): lambda event, _: event.id,
}


class MomentAudience(Struct, frozen=True):
    """The moments of an event: for everybody, for staff, and for each patron whom it concerns."""

    everybody: Moment | None
    staff: Moment
    concerned: dict[str, Moment]

    def moment_for(self, viewer: Viewer) -> Moment | None:
        """Return the moment of one viewer; nothing if it is not for them."""
        return self.staff if viewer.sees_behind else self.concerned.get(viewer.patron or "", self.everybody)


def tell_all(event: ev.Event, table: Table) -> MomentAudience:
    """Return an event's moments for all viewers, made once: whoever is not named gets that of everybody."""
    own: dict[str, Moment] = {}
    row = MOMENT_FIELDS[type(event)]
    if row.concerned and row.concerned is not row.everybody:
        shares = (
            _shares(event) if isinstance(event, _SETTLED) else dict.fromkeys(_concerned(event, table), event)
        )
        for name, share in shares.items():
            own[name] = _moment(row.kind, share, row.concerned, name)
    everybody = None if row.everybody is None else _moment(row.kind, event, row.everybody, None)
    return MomentAudience(everybody, _moment(row.kind, event, row.staff, None), own)


_SETTLED = (ev.RoundSettled, ev.SettlementReversed)


def _shares(event: ev.RoundSettled | ev.SettlementReversed) -> dict[str, ev.Event]:
    """The settlement for each patron whom it concerns, without the wagers of others."""
    wagers: dict[str, list[SettledWager]] = {}
    for each in event.wagers:
        wagers.setdefault(each.patron, []).append(each)
    return {name: replace(event, wagers=tuple(own)) for name, own in wagers.items()}


def asked_by(event: ev.OfferOpened) -> tuple[str, ...]:
    """The patrons who are asked by an event: others may have answered by the time that a wager is found."""
    return tuple(each for each in event.offer.asked if each not in event.offer.answered)


def _concerned(event: ev.Event, table: Table) -> tuple[str, ...]:
    """The patrons whom an event is about: they may learn more of it than everybody does."""
    match event:
        case ev.RoundVoided():
            return tuple(dict.fromkeys(each.patron for each in returned_by(event)))
        case ev.OfferOpened():
            return asked_by(event)
        case ev.SqueezePermitted():
            return (event.person,)
        case ev.CreditsBought() | ev.CreditsCashedOut() | ev.CreditsAsked() | ev.CreditsDeclined():
            return (event.terminal,)
        case _ if isinstance(event, ev.DisputeEvent) and not isinstance(event, ev.DisputeOpened):
            return tuple(each.patron for each in table.disputes if each.id == event.id)
        case _:
            patron = getattr(event, "patron", None)
            return (patron,) if patron else ()


def _moment(kind: type[Moment], event: ev.Event, fields: Fields, name: str | None) -> Moment:
    about: dict[str, Any] = {}
    for field in fields:
        picked = _PICKED.get((type(event), field))
        about[field] = picked(event, name) if picked else getattr(event, field)
    return kind(clauses=event.clauses, **about)


def _handed_back(event: ev.RoundVoided) -> ev.RoundVoided:
    """A void round without the wagers that stay held."""
    returned = tuple(each for each in event.returned if not each.held)
    return replace(event, returned=returned, reversed=tuple(each for each in event.reversed if not each.held))


def _own(wagers: tuple[Any, ...], name: str | None) -> tuple[Any, ...]:
    """Of some wagers those of one patron, or all."""
    return tuple(each for each in wagers if name in (None, each.patron))
