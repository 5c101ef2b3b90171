"""Offers to withdraw wagers: who is asked, what they may take back, and what silence means."""

from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import is_here
from thirdcard.game.causes import Cause
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.reducing import reduced
from thirdcard.game.rounds import is_card_known, takes_none, wager_standings
from thirdcard.game.standing import Standing
from thirdcard.game.state import Case, Offer, PlacedWager
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import Situation, Withdrawable


def open_offer(desk: Desk, wagers: Withdrawable, clause: Clause) -> None:
    """Open an offer to every patron with a wager that may be withdrawn, or to the one who was not asked."""
    case = desk.table.case
    assert case is not None
    patrons = tuple(dict.fromkeys(each.patron for each in withdrawable(desk, wagers, clause)))
    if case.cause is Cause.PATRON_NOT_ASKED:
        patrons = tuple(each for each in patrons if each == case.patron)
    offer = Offer(case=case.id, wagers=wagers, clause=clause, asked=patrons)
    desk.emit(ev.OfferOpened(offer=offer, clauses=(clause,)))


def ask_about_found(desk: Desk, body: cmd.FindWager) -> None:
    """Ask the patron of a wager that is found while others are asked, also one who has answered before."""
    for case in desk.table.open_cases:
        offer = case.offer
        if offer is None or body.was_pulled:
            continue
        own = (each for each in withdrawable(desk, offer.wagers, offer.clause) if each.patron == body.patron)
        if any((each.wager, each.position) == (body.wager, body.position) for each in own):
            others = (each for each in offer.asked if each != body.patron)
            anew = replace(
                offer,
                asked=(*others, body.patron),
                answered=tuple(each for each in offer.answered if each != body.patron),
                entered=tuple(each for each in offer.entered if each != body.patron),
            )
            desk.emit(ev.OfferOpened(offer=anew, clauses=(offer.clause,)))


def withdrawable(desk: QueryDesk, wagers: Withdrawable, clause: Clause) -> list[PlacedWager]:
    """The wagers that an offer by a clause is about.

    Decided wagers stay where the clause speaks of remaining ones, and where it leaves all to a decision.
    """
    misplaced = any(each.situation is Situation.WRONG_ORDER for each in desk.table.open_cases)
    decision = desk.document.authority.not_covered
    remaining = wagers is Withdrawable.ALL_REMAINING or (decision is not None and decision.clause == clause)
    if not remaining or misplaced:  # cards in the wrong place decide nothing
        return list(desk.table.wagers)
    standing = wager_standings(desk)
    return [each for each in desk.table.wagers if standing[each.wager] is Standing.OPEN]


def on_offer(desk: QueryDesk, case: Case) -> list[PlacedWager]:
    """The wagers that can be withdrawn in the offer of a case, as the cards lie now."""
    offer = case.offer
    if offer is None or is_beyond_the_hands(desk, case):
        return []
    return withdrawable(desk, offer.wagers, offer.clause)


def is_beyond_the_hands(desk: QueryDesk, case: Case) -> bool:
    """Whether a case is about cards that came together, and no hand takes one: nobody withdraws by them."""
    return case.situation is Situation.CARDS_TOGETHER and takes_none(desk)


def answer(desk: Desk, body: cmd.AnswerOffer) -> Refused | None:
    """A patron stays, withdraws everything on offer, or, where single wagers may go, one of them.

    Until the offer is closed the patron's own answer goes before one that staff entered, and two people
    correct what staff entered.
    """
    own, cases = desk.actor == body.patron, tuple(reversed(desk.table.open_cases))
    if own and not is_here(desk, body.patron):
        return refuse(Refusal.UNKNOWN_PATRON, patron=body.patron)
    if body.case is not None:
        cases = tuple(each for each in cases if each.id == body.case)
        if not cases:
            return refuse(Refusal.CASE_IS_OVER)
    cases = tuple(each for each in cases if not is_beyond_the_hands(desk, each))
    case = next((each for each in cases if _asks(each, body.patron)), None)
    if case is None and body.patron in desk.table.decrease_unanswered and not body.withdraw:
        if not own and not desk.is_staff(desk.actor):
            return refuse(Refusal.NOT_YOURS, patron=body.patron)
        desk.emit(ev.DecreaseAnswered(patron=body.patron))
        return None
    case = case or next((each for each in cases if _is_entered(each, body.patron)), None)
    if case is None or case.offer is None:
        return refuse(Refusal.NOT_AWAITED)
    if not own and not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_YOURS, patron=body.patron)
    refused = None if own or not body.withdraw else _refuse_entered(desk, body.patron)
    if refused:
        return refused
    answered, by_two = _is_entered(case, body.patron), desk.two_people() is None
    if answered or (by_two and _entered_stakes(case.offer, body.patron)):
        refused = None if own else desk.two_people()
        if refused:
            return refused
        _take_back(desk, case, case.offer, body.patron)
        case = next(each for each in desk.table.open_cases if each.id == case.id)
    assert case.offer is not None
    return _take_answer(desk, case, case.offer, body, by=None if own else desk.actor)


def _refuse_entered(desk: Desk, patron: str) -> Refused | None:
    """Refuse that one person enters a withdrawal once a card is known, or of somebody who has left.

    Whoever says nothing stays.
    """
    return desk.two_people() if is_card_known(desk) or not is_here(desk, patron) else None


def _is_entered(case: Case, patron: str) -> bool:
    """Whether staff entered the answer of a patron to the offer of a case."""
    return case.offer is not None and patron in case.offer.entered


def _entered_stakes(offer: Offer, patron: str) -> tuple[PlacedWager, ...]:
    """Return what staff entered as withdrawn for a patron."""
    entered = (each for each in offer.withdrawn if each.by != patron)
    return tuple(each.wager for each in entered if each.wager.patron == patron)


def _take_back(desk: Desk, case: Case, offer: Offer, patron: str) -> None:
    """Take back what staff entered for a patron: it was not her answer, and the wagers lie there again."""
    undone = ev.AnswerTakenBack(
        patron=patron,
        case=case.id,
        wagers=_entered_stakes(offer, patron),
        by=desk.actor,
        second=desk.envelope.authoriser,
        clauses=(offer.clause,),
    )
    desk.emit(undone)


def _take_answer(
    desk: Desk, case: Case, offer: Offer, body: cmd.AnswerOffer, by: str | None = None
) -> Refused | None:
    own = [each for each in withdrawable(desk, offer.wagers, offer.clause) if each.patron == body.patron]
    if body.wager is not None:
        body = _with_position(own, body)
        refused = _single(desk, offer, own, body)
        if refused:
            return refused
        own = [each for each in own if (each.wager, each.position) == (body.wager, body.position)]
    if body.withdraw:
        _withdraw(desk, own, offer.clause, case.id)
    left = [each for each in withdrawable(desk, offer.wagers, offer.clause) if each.patron == body.patron]
    if body.wager is None or not left:
        withdrew = body.withdraw or body.patron in case.withdrawn
        answered = ev.OfferAnswered(
            patron=body.patron,
            withdrew=withdrew,
            case=case.id,
            by=by,
            clauses=(offer.clause,),
        )
        desk.emit(answered)
    return None


def _with_position(own: list[PlacedWager], body: cmd.AnswerOffer) -> cmd.AnswerOffer:
    """The answer with the position of the wager that it names, where the patron has only one of that kind."""
    places = {each.position for each in own if each.wager == body.wager}
    return replace(body, position=places.pop()) if body.position is None and len(places) == 1 else body


def case_asking(desk: QueryDesk, patron: str, wager: PlacedWager) -> Case | None:
    """The case whose offer asks a patron, who has not answered, whether to withdraw a wager."""
    for case in reversed(desk.table.open_cases):
        if _asks(case, patron) and wager in on_offer(desk, case):
            return case
    return None


def withdraw_wager(desk: Desk, case: Case, wager: PlacedWager) -> Refused | None:
    """A patron takes a wager off: that withdraws it, where it is the only one or single wagers may go."""
    offer = case.offer
    assert offer is not None
    own = [e for e in withdrawable(desk, offer.wagers, offer.clause) if e.patron == wager.patron]
    if offer.wagers is not Withdrawable.SINGLE and len(own) == 1:
        return _take_answer(desk, case, offer, cmd.AnswerOffer(patron=wager.patron, withdraw=True))
    told = cmd.AnswerOffer(patron=wager.patron, withdraw=True, wager=wager.wager, position=wager.position)
    return _take_answer(desk, case, offer, told)


def refuse_part(case: Case) -> Refused | None:
    """Why a part of a wager cannot be withdrawn: the clause speaks of all wagers."""
    offer = case.offer
    assert offer is not None
    return None if offer.wagers is Withdrawable.SINGLE else refuse(Refusal.ALL_OR_NOTHING, offer.clause)


def withdraw_part(desk: Desk, case: Case, wager: PlacedWager, amount: int) -> None:
    """A patron takes a part of a wager back; what is left still can be withdrawn or stay."""
    assert case.offer is not None
    desk.emit(reduced(desk, wager, amount, (case.offer.clause,), case=case.id))


def _asks(case: Case, patron: str) -> bool:
    offer = case.offer
    return offer is not None and patron in offer.asked and patron not in offer.answered


def _single(desk: QueryDesk, offer: Offer, own: list[PlacedWager], body: cmd.AnswerOffer) -> Refused | None:
    if offer.wagers is not Withdrawable.SINGLE:
        return refuse(Refusal.ALL_OR_NOTHING, offer.clause)
    if any((each.wager, each.position) == (body.wager, body.position) for each in own):
        return None
    mine = [each for each in desk.table.wagers if each.patron == body.patron and each.wager == body.wager]
    if body.position is None and len(mine) > 1:
        return refuse(Refusal.POSITION_NEEDED, offer.clause, most=desk.table.setup.positions)
    there = any(each.position == body.position for each in mine) or body.position is None
    reason = Refusal.WAGER_ALREADY_DECIDED if mine and there else Refusal.NO_SUCH_WAGER
    return refuse(reason, offer.clause, patron=body.patron, wager=body.wager or "")


def _withdraw(desk: Desk, wagers: list[PlacedWager], clause: Clause, case: int) -> None:
    for each in wagers:
        desk.emit(reduced(desk, each, each.stake, (clause,), gone=each.pulled, case=case))


def is_answered(desk: QueryDesk) -> bool:
    """Whether everybody has answered who was asked and still can withdraw a wager."""
    case, offer = desk.table.case, desk.table.offer
    assert case is not None
    assert offer is not None
    lying = {each.patron for each in on_offer(desk, case)}
    return lying.intersection(offer.asked) <= set(offer.answered)


def end_offer(desk: Desk) -> Refused | None:
    """The time is up: what lies there of whoever has not answered, or withdrew a part alone, stays."""
    case, offer = desk.table.case, desk.table.offer
    refused = desk.refuse_other_than_staff()
    if refused:
        return refused
    if offer is None:
        asked = desk.table.decrease_unanswered
        for patron in asked:
            desk.emit(ev.DecreaseAnswered(patron=patron, silent=True))
        return None if asked else refuse(Refusal.NOT_AWAITED)
    for patron in offer.asked:
        if patron not in offer.answered:
            withdrew = case is not None and patron in case.withdrawn
            answered = ev.OfferAnswered(
                patron=patron,
                withdrew=withdrew,
                silent=not withdrew,
                case=offer.case,
                clauses=(offer.clause,),
            )
            desk.emit(answered)
    return None
