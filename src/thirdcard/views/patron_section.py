"""The section of one patron: wagers, credits, the hand that lies with them, questions, their last result."""

from operator import attrgetter, is_
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.folds.faces import shown_to_holder
from thirdcard.folds.history import History, RoundTold
from thirdcard.game.betting import concerned, has_dealer
from thirdcard.game.dispute_duties import can_be_complained_about
from thirdcard.game.dispute_steps import Dispute, DisputeStep
from thirdcard.game.state import Balance, Hand, Offer, Patron, Phase, PlacedWager, Table
from thirdcard.money import Currency
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.irregularity import Method
from thirdcard.views.dispute_page import page_of
from thirdcard.views.next_actions import Due
from thirdcard.views.sections.patron import (
    OwnDispute,
    OwnHand,
    OwnLine,
    OwnOffer,
    OwnRequest,
    OwnResult,
    OwnSection,
    OwnWager,
)
from thirdcard.views.sources import Sources
from thirdcard.views.why import why


class PatronPrompts(Struct, frozen=True):
    """The prompts for a patron at this instant."""

    hands: tuple[OwnHand, ...] = ()
    squeeze: tuple[Hand, ...] = ()
    offer: OwnOffer | None = None
    request: OwnRequest | None = None
    withdrawable: tuple[int, ...] = ()
    may_take_device: bool = False
    controls_device: bool = False


NO_PROMPTS = PatronPrompts()


class PatronState(Struct, frozen=True):
    """The belongings of each patron, by name, and whether anybody may ask to squeeze.

    ``prompted_by`` is what the prompts come from. Whoever is ``alone`` may have the cards dealt at once; that
    comes from ``alone_by`` and from who wagers. ``results`` fills as patrons look: what is said about a
    settled wager is put into words once.
    """

    table: Table
    history: History
    wagers: dict[str, tuple[PlacedWager, ...]]
    credits: dict[str, Balance]
    patrons: dict[str, Patron]
    disputes: dict[str, tuple[Dispute, ...]]
    prompted_by: tuple[object, ...]
    pointed: dict[str, PatronPrompts]
    may_request_squeeze: bool
    alone_by: tuple[object, ...]
    dealt_by_itself: bool
    alone: str | None
    results: dict[str, tuple[RoundTold, OwnResult]]


def belongings_of(sources: Sources, due: Due, before: PatronState | None) -> PatronState:
    """Return the belongings of each patron at a table; parts found before are kept where nothing changed."""
    table = sources.table
    # wagers prompt nobody where they do not say who may draw
    prompted_by = (*PROMPTED_BY(table), due, table.wagers if table.method is Method.C else None)
    alike = before if before and all(map(is_, before.prompted_by, prompted_by)) else None
    wagers = before.wagers if before and before.table.wagers is table.wagers else _wagers(table)
    alone_by = sources.dealt_by_itself, table.phase, table.paused, table.staff, table.patrons
    same = before if before and all(map(is_, before.alone_by, alone_by)) else None
    nobody_new = same if same and same.wagers.keys() == wagers.keys() else None
    dealt_by_itself = same.dealt_by_itself if same else sources.dealt_by_itself and not has_dealer(table)
    return PatronState(
        table=table,
        history=sources.history,
        wagers=wagers,
        credits=before.credits
        if before and before.table.credits is table.credits
        else {each.terminal: each for each in table.credits},
        patrons=before.patrons if before and before.table.patrons is table.patrons else _patrons(table),
        disputes=before.disputes if before and before.table.disputes is table.disputes else _disputes(table),
        prompted_by=prompted_by,
        pointed=alike.pointed if alike else prompts_of(table, due),
        may_request_squeeze=alike.may_request_squeeze if alike else _may_request(table, sources.rulebook),
        alone_by=alone_by,
        dealt_by_itself=dealt_by_itself,
        alone=nobody_new.alone if nobody_new else _who_is_alone(table) if dealt_by_itself else None,
        results=before.results if before else {},
    )


def still_own(
    sections: dict[str, OwnSection], before: PatronState, after: PatronState
) -> dict[str, OwnSection]:
    """Of the patrons' sections those that are as they were."""
    if before.may_request_squeeze is not after.may_request_squeeze:
        return {}
    if before.dealt_by_itself is not after.dealt_by_itself:
        return {}
    if before.table.squeeze_forbidden_to != after.table.squeeze_forbidden_to:
        return {}
    touched: set[str] = set()
    if before.alone != after.alone:
        touched |= {each for each in (before.alone, after.alone) if each is not None}
    compared: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
        (before.wagers, after.wagers),
        (before.credits, after.credits),
        (before.patrons, after.patrons),
        (before.disputes, after.disputes),
        (before.pointed, after.pointed),
        (before.history.recent, after.history.recent),
    )
    for old, new in compared:
        if old is not new:
            touched |= old.keys() - new.keys()
            touched |= {name for name, value in new.items() if name not in old or old[name] != value}
    if before.table.staff is not after.table.staff:
        touched |= {name for name, own in after.disputes.items() if any(map(_can_complain, own))}
    return {name: section for name, section in sections.items() if name not in touched}


def own_section(name: str, belongings: PatronState, currency: Currency) -> OwnSection:
    """Return the section of one patron."""
    pointed, patron = belongings.pointed.get(name, NO_PROMPTS), belongings.patrons.get(name)
    told = belongings.history.recent.get(name)
    table, balance = belongings.table, belongings.credits.get(name)
    disputes = belongings.disputes.get(name, ())
    return OwnSection(
        patron=name,
        here=patron is not None and not patron.gone,
        position=patron.position if patron else None,
        seated=patron is not None and patron.seated,
        marked=patron.marked if patron else None,
        credits=(balance.credits if balance else 0) if table.setup.terminal else None,
        wagers=tuple(
            OwnWager(
                id=each.id,
                wager=each.wager,
                position=each.position,
                stake=each.stake,
                pulled=each.pulled,
                withdrawable=each.id in pointed.withdrawable,
            )
            for each in belongings.wagers.get(name, ())
        ),
        hands=pointed.hands,
        squeeze=pointed.squeeze,
        may_request_squeeze=(
            patron is not None and belongings.may_request_squeeze and name not in table.squeeze_forbidden_to
        ),
        may_deal_now=belongings.alone == name if belongings.dealt_by_itself else None,
        may_take_device=pointed.may_take_device,
        controls_device=pointed.controls_device,
        offer=pointed.offer,
        request=pointed.request,
        last=_result(name, told[-1], belongings, currency) if told else None,
        disputes=tuple(map(_dispute, disputes)),
        helpers=table.staff if any(map(_can_complain, disputes)) else (),
    )


def _can_complain(dispute: Dispute) -> bool:
    """Whether a patron was told of the right to complain, and can use it."""
    return dispute.right_told and can_be_complained_about(dispute)


def _wagers(table: Table) -> dict[str, tuple[PlacedWager, ...]]:
    found: dict[str, list[PlacedWager]] = {}
    for each in table.wagers:
        found.setdefault(each.patron, []).append(each)
    return {name: tuple(wagers) for name, wagers in found.items()}


def _patrons(table: Table) -> dict[str, Patron]:
    return {each.name: each for each in table.patrons}


def _disputes(table: Table) -> dict[str, tuple[Dispute, ...]]:
    found: dict[str, tuple[Dispute, ...]] = {}
    for each in table.disputes:
        found[each.patron] = (*found.get(each.patron, ()), each)
    return {name: page_of(own, _is_over) for name, own in found.items()}


def _is_over(dispute: Dispute) -> bool:
    """Whether a patron has nothing more to expect or to do about a dispute."""
    owed = dispute.unpaid or dispute.unconfirmed
    return dispute.step is DisputeStep.CLOSED and not owed and not _can_complain(dispute)


PROMPTED_BY = attrgetter(
    *("setup", "round", "open_cases", "phase", "paused", "method", "device_holder", "drawing_permitted"),
    "squeeze_forbidden",
    "credit_requests",
)


def prompts_of(table: Table, due: Due) -> dict[str, PatronPrompts]:
    """Return the prompts of each patron who has any, by name."""
    found: dict[str, PatronPrompts] = {}

    def point(name: str, **changes: object) -> None:
        found[name] = replace(found.get(name, NO_PROMPTS), **changes)

    current = table.round
    for holding in current.holdings if current else ():
        assert current is not None
        looked, hands = holding in current.looked, found.get(holding.patron, NO_PROMPTS).hands
        hand = OwnHand(holding.hand, looked, shown_to_holder(current, holding))
        point(holding.patron, hands=(*hands, hand))
    for request in table.credit_requests:
        point(request.terminal, request=OwnRequest(request.id, request.act, request.amount))
    for hand_due, name in due.rights:
        point(name, squeeze=(*found.get(name, NO_PROMPTS).squeeze, hand_due))
    for name, offer in _offers(table).items():
        answered = name in offer.answered and name not in offer.entered  # the own answer goes before
        ids = () if answered else due.withdrawable
        point(name, offer=OwnOffer(offer.wagers, offer.clause, answered, offer.case), withdrawable=ids)
    if table.device_holder is not None:
        point(table.device_holder, controls_device=True)
    for name in _may_take(table):
        point(name, may_take_device=True)
    return found


def _offers(table: Table) -> dict[str, Offer]:
    """The offer that each patron answers next: the one that came last, of those without an answer."""
    found: dict[str, Offer] = {}
    for case in table.open_cases:
        for name in case.offer.asked if case.offer else ():
            assert case.offer is not None
            if name not in case.offer.answered or name not in found:
                found[name] = case.offer
    return found


def _may_take(table: Table) -> set[str]:
    """Return the patrons who may take the device that nobody controls: by a wager on a hand, or permitted."""
    if table.method is not Method.C or table.device_holder is not None or table.case or table.paused:
        return set()
    if table.phase not in (Phase.IDLE, Phase.BETTING, Phase.CLOSED):
        return set()
    hands = {hand.value for hand in Hand}
    return {each.patron for each in table.wagers if each.wager in hands} | set(table.drawing_permitted)


def _may_request(table: Table, rulebook: Rulebook) -> bool:
    """Whether a patron may ask to squeeze before the first card; who has the highest wager is seen then."""
    rule = rulebook.document.squeezing
    if rule is None or rule.request is None or not table.setup.face_down or table.squeeze_forbidden:
        return False
    return table.phase in (Phase.BETTING, Phase.CLOSED)


def _who_is_alone(table: Table) -> str | None:
    """Return the patron who need not wait for others while betting is open: the only one, with a wager.

    No Dealer is there.
    """
    if table.phase is not Phase.BETTING or not table.wagers or table.paused:
        return None
    names = concerned(table)
    return names.pop() if len(names) == 1 else None


def _result(name: str, told: RoundTold, belongings: PatronState, currency: Currency) -> OwnResult:
    known = belongings.results.get(name)
    if known is None or known[0] != told:
        known = belongings.results[name] = (told, _put_into_words(told, currency))
    return known[1]


def _put_into_words(told: RoundTold, currency: Currency) -> OwnResult:
    return OwnResult(
        round=told.number,
        winner=told.facts.winner if told.facts and not told.void else None,
        void=told.void,
        lines=tuple(OwnLine(each, why(each, currency)) for each in told.wagers),
        returned=told.returned,
    )


def _dispute(dispute: Dispute) -> OwnDispute:
    complaint = dispute.complaint
    return OwnDispute(
        id=dispute.id,
        about=dispute.about,
        round=dispute.round,
        wager=dispute.wager,
        step=dispute.step,
        escalated=dispute.escalated,
        time_frame=dispute.time_frame,
        answer_by=dispute.answer_by,
        no_time_frame=dispute.no_time_frame,
        decision=dispute.decision,
        sources=dispute.sources,
        award=dispute.award,
        unpaid=dispute.unpaid,
        to_confirm=dispute.unconfirmed,
        agrees=dispute.agrees,
        entered=bool(dispute.answer_entered_by),
        may_answer=dispute.step is DisputeStep.DECIDED and not dispute.is_answered_by_patron,
        may_complain=_can_complain(dispute),
        right_told=dispute.right_told,
        complain_until=dispute.complain_until,
        complaint=complaint.text if complaint else None,
        complaint_received=complaint is not None and complaint.received_by is not None,
        complaint_answer=complaint.answer if complaint else None,
    )
