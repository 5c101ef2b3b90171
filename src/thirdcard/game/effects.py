"""The verbs of the irregularities: each effect is carried out by one case, or waits for somebody."""

from typing import assert_never

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game import events as ev
from thirdcard.game.betting import begin_round
from thirdcard.game.closing import call_outcome, end_round
from thirdcard.game.dealing import advance, current_round, open_by_dealer
from thirdcard.game.desk import Desk
from thirdcard.game.floor import about_credits
from thirdcard.game.offers import open_offer
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.game.squeezing import entitled
from thirdcard.game.state import Automatic, CardState, DealtCard, Hand, Phase, SettledWager, Wait
from thirdcard.refusals import Refused
from thirdcard.rulebook import irregularity as rule
from thirdcard.rulebook.house import REFERRAL
from thirdcard.staff import Post


def carry_out(desk: Desk, effect: rule.Effect, ruling: str | None = None) -> None:
    """Carry out one effect; without the ruling or answer that it needs it begins to wait."""
    if _waits(desk, effect, ruling):
        return
    done = ruling != "deny" and not _comes_to_nothing(desk, effect)
    if done:
        _do(desk, effect, ruling)
    if desk.table.offer is None and desk.table.case is not None:
        finish(desk, effect, done=done)


def finish(desk: Desk, effect: rule.Effect, *, done: bool = True) -> None:
    """The effect is done, or over without; the case goes on with the next."""
    tag = str(effect.__struct_config__.tag)
    desk.emit(ev.EffectCarriedOut(effect=tag, done=done, clauses=rule.effect_clauses(effect)))


def _comes_to_nothing(desk: Desk, effect: rule.Effect) -> bool:
    """A round counts as free for those who withdrew from it: without them it does not."""
    case = desk.table.case
    free = isinstance(effect, rule.FreeHand) and effect.round == "this"
    return free and case is not None and not case.withdrew


def _waits(desk: Desk, effect: rule.Effect, ruling: str | None) -> bool:
    """Whether an effect must wait for a post, cards or a decision, and says so."""
    if ruling is not None:
        return False
    match effect:
        case rule.OfferWithdrawal(by=post) if post is not None:
            return _wait(desk, Wait.PERMISSION, post, effect.clause)
        case rule.DetermineCardOrder():
            return _wait(desk, Wait.CARD_ORDER, effect.by, effect.clause)
        case rule.ReserveCards():
            return _wait(desk, Wait.RESERVED_CARDS, effect.in_presence_of, effect.clause)
        case rule.SortCards():
            return _wait(desk, Wait.SORTED_CARDS, None, effect.clause)
        case rule.SubstituteMissingCards():
            return _wait(desk, Wait.SUBSTITUTES, None, effect.clause)
        case rule.Refer():
            grant = desk.document.authority.not_covered
            post = grant.post if grant else desk.house.form.not_covered_decided_by
            return _wait(desk, Wait.DECISION, post, grant.clause if grant else None)
        case _:
            return False


def _wait(desk: Desk, wait: Wait, post: Post | None, clause: Clause | None) -> bool:
    desk.emit(ev.CaseWaits(waits=wait, post=post, clauses=(clause,) if clause else ()))
    return True


def _do(desk: Desk, effect: rule.Effect, ruling: str | None) -> None:  # noqa: C901, PLR0912 - one case an effect
    match effect:
        case rule.VoidRound():
            void_round(desk, effect.clause)
        case rule.OfferWithdrawal():
            open_offer(desk, effect.wagers, effect.clause)
        case rule.ReconstructCards():
            reconstruct(desk, effect.clause)
        case rule.DeliverToRightPatron():
            _deliver(desk, effect.clause)
        case rule.ExposeByDealer():
            _expose(desk, effect.clause)
        case rule.GiveCardToBanker():
            _give_to_banker(desk, effect.clause)
        case rule.FreeHand():
            _free_hand(desk, effect)
        case rule.KeepAsNextCard():
            _keep(desk, effect.clause)
        case rule.ReplaceCards():
            _replace_cards(desk, effect)
        case rule.VoidIfAllWithdraw():
            if _all_withdrew(desk):
                void_round(desk, effect.clause)
        case rule.BurnNow():
            _retrieve(desk, effect.clause)
        case rule.FinishShoe():
            desk.emit(ev.CardReplacementDue(need="keep", clauses=(effect.clause,)))
        case rule.ResetDealingDevice():
            _retrieve(desk, effect.clause)
        case rule.ReopenBetting():
            _reopen(desk, effect.clause)
        case rule.CorrectSettlement():
            _correct(desk, effect.clause)
        case rule.Refer():
            _decided(desk, ruling)
        case (
            rule.Continue()
            | rule.LetPastRoundsStand()
            | rule.RefuseWager()
            | rule.KeepInAction()
            | rule.DetermineCardOrder()
            | rule.PlayCard()
            | rule.ReserveCards()
            | rule.SortCards()
            | rule.DeduceMissingCards()
            | rule.SubstituteMissingCards()
            | rule.LetResultStand()
            | rule.PayOnceThenReturn()
            | rule.PayToMaximum()
            | rule.AskToDecrease()
            | rule.AllowIncrease()
            | rule.RequireAlteration()
            | rule.RemoveWagers()
            | rule.SettleProRata()
        ):
            pass
        case _:
            assert_never(effect)


def void_round(desk: Desk, clause: Clause | None) -> None:
    """The round has no outcome: every stake goes back, and payments already made are reversed.

    Without a clause it is void because the post of the house for what no rule covers said so.
    """
    if desk.table.phase in (Phase.BETTING, Phase.CLOSED) and desk.round is None:
        begin_round(desk, free=False)  # where a round begins with its first card, its wagers lie before it
    current, meaning = current_round(desk), desk.document.round.void
    clauses = tuple(each for each in (clause, meaning) if each)
    _book_claims(desk, current.settled, clauses, stakes_go_back=True)
    voided = ev.RoundVoided(
        number=current.number,
        returned=desk.table.wagers,
        reversed=current.settled,
        procedure=None if clause else REFERRAL,
        clauses=clauses,
    )
    already_over = current.ended
    desk.emit(voided)
    if not already_over:
        end_round(desk)


def _all_withdrew(desk: Desk) -> bool:
    """Whether patrons took up the offer of the case and nobody stayed; somebody must have wagered for it."""
    case = desk.table.case
    return case is not None and case.withdrew and not desk.table.wagers


def _book_claims(
    desk: Desk, settled: tuple[SettledWager, ...], clauses: tuple[Clause, ...], *, stakes_go_back: bool
) -> None:
    """What a reversal takes back and a terminal no longer has is a claim; no terminal falls below zero."""
    owed: dict[str, int] = {}
    for each in settled if desk.table.setup.terminal else ():
        due = each.back + each.paid - (each.stake if stakes_go_back else 0)
        owed[each.patron] = owed.get(each.patron, 0) + due
    cited = (*clauses, *about_credits(desk))
    for patron, amount in owed.items():
        short = amount - desk.table.credits_of(patron)
        if short > 0:
            procedure = None if cited else REFERRAL
            desk.emit(ev.ClaimBooked(patron=patron, amount=short, procedure=procedure, clauses=cited))


# situations whose cards were drawn beside those that lie before the hands; elsewhere all cards are told
DRAWN_BESIDE = (rule.Situation.CARDS_TOGETHER, rule.Situation.UNAUTHORISED_PLAYER_CARD)


def reconstruct(desk: Desk, clause: Clause) -> None:
    """Lay the cards in the true order of drawing: as told where an order was told, else as drawn."""
    case, current = desk.table.case, current_round(desk)
    assert case is not None
    faces: list[Card | None] = [each.card for each in current.cards]
    if case.situation in DRAWN_BESIDE:
        faces += case.cards
    elif case.cards:
        faces = list(case.cards)
    if current.ended:
        _book_claims(desk, current.settled, (clause,), stakes_go_back=False)
        desk.emit(ev.SettlementReversed(wagers=current.settled, clauses=(clause,)))
    cards, left = lay_out(desk, faces)
    desk.emit(ev.CardsReconstructed(cards=cards, clauses=(clause,)))
    if left:
        desk.emit(ev.StrayCardsKept(cards=left, clauses=(clause,)))
    advance(desk)


def lay_out(desk: Desk, faces: list[Card | None]) -> tuple[tuple[DealtCard, ...], tuple[Card, ...]]:
    """Cards in draw order to their hands by the rules, and those that no hand takes."""
    opens = Automatic.EXPOSE in desk.table.setup.automatic
    old = {index: each.state for index, each in enumerate(current_round(desk).cards)}
    dealt: list[DealtCard] = []
    for index, face in enumerate(faces):
        hand = _takes(desk, dealt, faces, index)
        if hand is None:
            return tuple(dealt), tuple(each for each in faces[index:] if each)
        was_open = old.get(index) is CardState.EXPOSED or opens
        state = CardState.EXPOSED if was_open and face else CardState.FACE_DOWN
        dealt.append(DealtCard(hand, face, state, desk.actor))
    return tuple(dealt), ()


def _takes(desk: Desk, dealt: list[DealtCard], faces: list[Card | None], index: int) -> Hand | None:
    if index < 4:
        return Hand.PLAYER if index % 2 == 0 else Hand.BANKER
    known = tuple(face for face in faces[:index] if face)
    result = play_out(desk.rulebook, known, desk.rulebook.pair_rule(desk.house))
    if isinstance(result, Outcome) or len(known) < len(dealt):
        return None
    return Hand.PLAYER if dict(result.params).get("hand") == "@hand.player" else Hand.BANKER


def _deliver(desk: Desk, clause: Clause) -> None:
    case = desk.table.case
    assert case is not None
    hand = case.hand or Hand.PLAYER
    right = entitled(desk, hand)
    dealing = desk.table.phase is Phase.DEALING
    if dealing and right is not None and not isinstance(right, Refused):
        desk.emit(ev.CardsDelivered(hand=hand, patron=right[0], clauses=(clause, *right[1])))


def _expose(desk: Desk, clause: Clause) -> None:
    """The Dealer opens the hand of a patron who is away, and later cards of that hand too."""
    case, current = desk.table.case, desk.table.round
    assert case is not None
    for each in current.holdings if current and desk.table.phase is Phase.DEALING else ():
        if case.patron in (None, each.patron):
            desk.emit(ev.CardsDeclined(hand=each.hand, patron=each.patron, clauses=(clause,)))
            open_by_dealer(desk, each.hand, (clause,))


def _give_to_banker(desk: Desk, clause: Clause) -> None:
    case = desk.table.case
    assert case is not None
    first, *rest = case.cards
    drawn = ev.CardDrawn(
        hand=Hand.BANKER, card=first, state=CardState.EXPOSED, by=desk.actor, clauses=(clause,)
    )
    desk.emit(drawn)
    if rest:
        desk.emit(ev.StrayCardsKept(cards=tuple(rest), clauses=(clause,)))
        desk.emit(ev.FreeHandDue(clauses=(clause,)))
    advance(desk)


def _free_hand(desk: Desk, effect: rule.FreeHand) -> None:
    """Stray cards wait for a free hand; those for whom this round is free have their wagers back already."""
    case = desk.table.case
    assert case is not None
    if effect.round == "this":
        return
    if case.cards:
        desk.emit(ev.StrayCardsKept(cards=case.cards, clauses=(effect.clause,)))
    desk.emit(ev.FreeHandDue(clauses=(effect.clause,)))


def _keep(desk: Desk, clause: Clause | None) -> None:
    case = desk.table.case
    assert case is not None
    desk.emit(ev.StrayCardsKept(cards=case.cards, clauses=(clause,) if clause else ()))


def _replace_cards(desk: Desk, effect: rule.ReplaceCards) -> None:
    if effect.on == "all-withdrew" and not _all_withdrew(desk):
        return
    desk.emit(ev.CardReplacementDue(need=effect.need, clauses=(effect.clause,)))


def _retrieve(desk: Desk, clause: Clause) -> None:
    """Cards that are out go back in order, and the deal can begin again."""
    if desk.round is not None and desk.round.cards:
        desk.emit(ev.CardsRetrieved(clauses=(clause,)))


def _reopen(desk: Desk, clause: Clause) -> None:
    """Betting opens again, unless patrons would wager on cards that they have seen."""
    if not current_round(desk).seen_before:
        desk.emit(ev.BettingReopened(clauses=(clause,)))


def _correct(desk: Desk, clause: Clause) -> None:
    case = desk.table.case
    assert case is not None
    if case.situation is rule.Situation.WRONG_PAYMENT and case.patron:
        desk.emit(ev.WrongPaymentFound(patron=case.patron, amount=case.amount, clauses=(clause,)))
        desk.emit(ev.PaymentCorrected(patron=case.patron, amount=case.amount, clauses=(clause,)))
    if desk.table.phase is Phase.OUTCOME and desk.table.round and desk.table.round.facts:
        call_outcome(desk, desk.table.round.facts.winner)


def _decided(desk: Desk, ruling: str | None) -> None:
    grant = desk.document.authority.not_covered
    clause = grant.clause if grant else None
    match ruling:
        case "void-round":
            void_round(desk, clause)
        case "keep-as-next-card":
            _keep(desk, clause)
        case "burn-card":
            case, shoe = desk.table.case, desk.table.shoe
            assert case is not None
            assert shoe is not None
            cards = min(len(case.cards) or 1, shoe.left)
            desk.emit(ev.CardsBurned(cards=cards, clauses=(clause,) if clause else ()))
        case _:
            pass


def close_case(desk: Desk) -> None:
    """The irregularity is dealt with; cards that came together are laid in the order that was found."""
    case = desk.table.case
    assert case is not None
    playing = desk.table.phase is Phase.DEALING and desk.round is not None
    ordered = any(isinstance(effect, rule.DetermineCardOrder) for effect in case.effects)
    if case.situation is rule.Situation.CARDS_TOGETHER and ordered and playing:
        clause = next(each.clause for each in case.effects if isinstance(each, rule.DetermineCardOrder))
        reconstruct(desk, clause)
    desk.emit(ev.CaseClosed(id=case.id))
