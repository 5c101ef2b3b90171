"""What is a patron's own: wagers, credits, the hand that lies with them, questions, their last result."""

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.game.state import Balance, Dispute, Hand, Patron, Phase, PlacedWager, Table
from thirdcard.money import Currency
from thirdcard.projections.awaited import Due
from thirdcard.projections.faces import shown_to_holder
from thirdcard.projections.history import History, last_rounds
from thirdcard.projections.sections import (
    OwnDispute,
    OwnHand,
    OwnLine,
    OwnOffer,
    OwnResult,
    OwnSection,
    OwnWager,
)
from thirdcard.projections.why import why
from thirdcard.rulebook.book import Rulebook


class Pointed(Struct, frozen=True):
    """What points to a patron at this instant."""

    hands: tuple[OwnHand, ...] = ()
    squeeze: tuple[Hand, ...] = ()
    offer: OwnOffer | None = None
    withdrawable: tuple[int, ...] = ()
    controls_device: bool = False


class Belongings(Struct, frozen=True):
    """What belongs to whom, by the name of the patron, and whether anybody may ask to squeeze."""

    table: Table
    history: History
    wagers: dict[str, tuple[PlacedWager, ...]]
    credits: dict[str, tuple[Balance, ...]]
    patrons: dict[str, tuple[Patron, ...]]
    disputes: dict[str, tuple[Dispute, ...]]
    pointed: dict[str, Pointed]
    may_request_squeeze: bool


def belongings_of(
    table: Table, history: History, rulebook: Rulebook, due: Due, before: Belongings | None
) -> Belongings:
    """What belongs to whom at a table; what was found before is kept where nothing changed."""
    same = before if before and before.table.wagers is table.wagers else None
    wagers = same.wagers if same else _by_name(table.wagers, lambda each: each.patron)
    same = before if before and before.table.credits is table.credits else None
    credit = same.credits if same else _by_name(table.credits, lambda each: each.terminal)
    same = before if before and before.table.patrons is table.patrons else None
    patrons = same.patrons if same else _by_name(table.patrons, lambda each: each.name)
    same = before if before and before.table.disputes is table.disputes else None
    disputes = same.disputes if same else _by_name(table.disputes, lambda each: each.patron)
    return Belongings(
        table=table,
        history=history,
        wagers=wagers,
        credits=credit,
        patrons=patrons,
        disputes=disputes,
        pointed=_pointed(table, due),
        may_request_squeeze=_may_request(table, rulebook),
    )


def still_own(
    sections: dict[str, OwnSection], before: Belongings, after: Belongings
) -> dict[str, OwnSection]:
    """Of the patrons' sections those that are as they were."""
    if before.may_request_squeeze is not after.may_request_squeeze:
        return {}
    touched: set[str] = set()
    for old, new in (
        (before.wagers, after.wagers),
        (before.credits, after.credits),
        (before.patrons, after.patrons),
        (before.disputes, after.disputes),
        (before.pointed, after.pointed),
        (before.history.recent, after.history.recent),
    ):
        touched |= _differing(old, new)
    return {name: section for name, section in sections.items() if name not in touched}


def _differing(old: dict[str, Any], new: dict[str, Any]) -> set[str]:
    if old is new:
        return set()
    gone = old.keys() - new.keys()
    return gone | {name for name, value in new.items() if name not in old or old[name] != value}


def own_section(name: str, belongings: Belongings, currency: Currency) -> OwnSection:
    """What is a patron's own."""
    table, pointed = belongings.table, belongings.pointed.get(name, Pointed())
    section = OwnSection(
        patron=name,
        here=False,
        credits=_credits(table, belongings.credits.get(name, ())),
        wagers=tuple(_wager(each, pointed.withdrawable) for each in belongings.wagers.get(name, ())),
        hands=pointed.hands,
        squeeze=pointed.squeeze,
        controls_device=pointed.controls_device,
        offer=pointed.offer,
        last=_last(name, belongings.history, currency),
        disputes=tuple(_dispute(each) for each in belongings.disputes.get(name, ())),
    )
    for patron in belongings.patrons.get(name, ()):
        section = replace(
            section,
            here=not patron.gone,
            position=patron.position,
            seated=patron.seated,
            marked=patron.marked,
            may_request_squeeze=belongings.may_request_squeeze,
        )
    return section


Item = TypeVar("Item")


def _by_name(items: tuple[Item, ...], name: Callable[[Item], str]) -> dict[str, tuple[Item, ...]]:
    found: dict[str, tuple[Item, ...]] = {}
    for each in items:
        found[name(each)] = (*found.get(name(each), ()), each)
    return found


def _pointed(table: Table, due: Due) -> dict[str, Pointed]:
    found: dict[str, Pointed] = {}

    def point(name: str, **changes: object) -> None:
        found[name] = replace(found.get(name, Pointed()), **changes)

    current, offer = table.round, table.offer
    for holding in current.holdings if current else ():
        assert current is not None
        looked, hands = holding in current.looked, found.get(holding.patron, Pointed()).hands
        hand = OwnHand(holding.hand, looked, shown_to_holder(current, holding))
        point(holding.patron, hands=(*hands, hand))
    for hand_due, name in due.rights:
        point(name, squeeze=(*found.get(name, Pointed()).squeeze, hand_due))
    for name in offer.asked if offer else ():
        assert offer is not None
        answered = name in offer.answered
        ids = () if answered else due.withdrawable
        point(name, offer=OwnOffer(offer.wagers, offer.clause, answered), withdrawable=ids)
    if table.device_holder is not None:
        point(table.device_holder, controls_device=True)
    return found


def _may_request(table: Table, rulebook: Rulebook) -> bool:
    """Whether a patron may ask to squeeze before the first card; who has the highest wager is seen then."""
    rule = rulebook.document.squeezing
    if rule is None or rule.request is None or not table.setup.face_down or table.squeeze_forbidden:
        return False
    return table.phase in (Phase.BETTING, Phase.CLOSED)


def _credits(table: Table, balances: tuple[Balance, ...]) -> int | None:
    return sum(each.credits for each in balances) if table.setup.terminal else None


def _wager(wager: PlacedWager, withdrawable: tuple[int, ...]) -> OwnWager:
    return OwnWager(
        id=wager.id,
        wager=wager.wager,
        position=wager.position,
        stake=wager.stake,
        pulled=wager.pulled,
        withdrawable=wager.id in withdrawable,
    )


def _last(name: str, history: History, currency: Currency) -> OwnResult | None:
    for told in last_rounds(history, name)[-1:]:
        return OwnResult(
            round=told.number,
            winner=told.facts.winner if told.facts and not told.void else None,
            void=told.void,
            lines=tuple(OwnLine(each, why(each, currency)) for each in told.wagers),
            returned=told.returned,
        )
    return None


def _dispute(dispute: Dispute) -> OwnDispute:
    return OwnDispute(
        id=dispute.id,
        about=dispute.about,
        step=dispute.step,
        time_frame=dispute.time_frame,
        decision=dispute.decision,
        sources=dispute.sources,
        agrees=dispute.agrees,
        right_told=dispute.right_told,
        complaint=dispute.complaint,
    )
