"""Offers to withdraw wagers: who is asked, what they may take back, and what silence means."""

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.desk import Desk
from thirdcard.game.rounds import wager_standings
from thirdcard.game.standing import Standing
from thirdcard.game.state import Offer, PlacedWager
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Situation, Withdrawable


def open_offer(desk: Desk, wagers: Withdrawable, clause: Clause) -> bool:
    """Open an offer to every patron with a wager that may be withdrawn; whether there was anybody to ask."""
    patrons = tuple(dict.fromkeys(each.patron for each in withdrawable(desk, wagers)))
    if not patrons:
        return False
    assert desk.table.case is not None
    offer = Offer(case=desk.table.case.id, wagers=wagers, clause=clause, asked=patrons)
    desk.emit(ev.OfferOpened(offer=offer, clauses=(clause,)))
    return True


def withdrawable(desk: Desk, wagers: Withdrawable) -> list[PlacedWager]:
    """The wagers that an offer is about: a wager that is decided can no longer be withdrawn."""
    case = desk.table.case
    misplaced = case is not None and case.situation is Situation.WRONG_ORDER
    if wagers is Withdrawable.ALL or misplaced:  # cards that lie in the wrong place decide nothing
        return list(desk.table.wagers)
    standing = wager_standings(desk)
    return [each for each in desk.table.wagers if standing[each.wager] is Standing.OPEN]


def answer(desk: Desk, body: cmd.AnswerOffer) -> Refused | None:
    """A patron stays, withdraws everything on offer, or, where single wagers may go, one of them."""
    offer = desk.table.offer
    if offer is None or body.patron not in offer.asked or body.patron in offer.answered:
        return refuse(Refusal.NOT_AWAITED)
    if desk.actor != body.patron and not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_YOURS, patron=body.patron)
    own = [each for each in withdrawable(desk, offer.wagers) if each.patron == body.patron]
    if body.wager is not None:
        refused = _single(desk, offer, own, body)
        if refused:
            return refused
        own = [each for each in own if (each.wager, each.position) == (body.wager, body.position)]
    if body.withdraw:
        _withdraw(desk, own, offer.clause)
    left = [each for each in withdrawable(desk, offer.wagers) if each.patron == body.patron]
    if body.wager is None or not left:
        answered = ev.OfferAnswered(patron=body.patron, withdrew=body.withdraw, clauses=(offer.clause,))
        desk.emit(answered)
    return None


def _single(desk: Desk, offer: Offer, own: list[PlacedWager], body: cmd.AnswerOffer) -> Refused | None:
    if offer.wagers is not Withdrawable.SINGLE:
        return refuse(Refusal.ALL_OR_NOTHING, offer.clause)
    if any((each.wager, each.position) == (body.wager, body.position) for each in own):
        return None
    mine = [each for each in desk.table.wagers if each.patron == body.patron and each.wager == body.wager]
    reason = Refusal.WAGER_ALREADY_DECIDED if mine else Refusal.NO_SUCH_WAGER
    return refuse(reason, offer.clause, patron=body.patron, wager=body.wager or "")


def _withdraw(desk: Desk, wagers: list[PlacedWager], clause: Clause) -> None:
    for each in wagers:
        back = ev.WagerReduced(
            id=each.id,
            patron=each.patron,
            wager=each.wager,
            amount=each.stake,
            by=desk.actor,
            clauses=(clause,),
        )
        desk.emit(back)


def is_answered(desk: Desk) -> bool:
    """Whether everybody who was asked has answered."""
    offer = desk.table.offer
    return offer is not None and set(offer.asked) <= set(offer.answered)


def end_offer(desk: Desk) -> Refused | None:
    """The time is up: whoever has not answered stays in action."""
    if desk.table.offer is None:
        return refuse(Refusal.NOT_AWAITED)
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    return None
