"""The verbs of the irregularities: one definition for each effect."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeGuard, get_args

from msgspec.structs import replace

from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.case_cards import (
    AFTER_THE_ROUND,
    IN_THE_SHOE,
    cards_of_case,
    is_laid_in_order,
    is_order_lost,
    is_sorted,
)
from thirdcard.game.closing import end_round, give_device_back
from thirdcard.game.dealing import current_round
from thirdcard.game.decided_payments import count_decided, set_off
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.handed import given_by, refunded_by
from thirdcard.game.irregularities.card_effects import (
    are_laid,
    are_more_open,
    burn_cards,
    can_be_fetched,
    can_be_laid,
    comes_in_this_round,
    deliver,
    expose,
    give_free_hand,
    give_to_banker,
    has_case_of_its_own,
    is_laid_by_continuing,
    is_somebody_right,
    keep_strays,
    lay_at_the_end,
    open_known_cards,
    play_card,
    reconstruct,
    retrieve,
    wait_again,
)
from thirdcard.game.irregularities.missing_cards import substituted_by
from thirdcard.game.irregularities.money_effects import (
    book_claims,
    book_what_is_told,
    case_of,
    claim_back,
    correct_settlement,
    decide_lost_chips,
    is_lost_taken,
    keep_in_action,
    make_payment,
    mistake_of,
    refuse_wager,
    return_wagers,
    reverse_settlement,
)
from thirdcard.game.laying import end_free_hands
from thirdcard.game.limits import heavier_hand, is_scaled
from thirdcard.game.offers import is_beyond_the_hands, open_offer, withdrawable
from thirdcard.game.reducing import reduced
from thirdcard.game.rounds import can_be_put_right
from thirdcard.game.shoe import NewCards
from thirdcard.game.state import Case, Table, Wait
from thirdcard.rulebook import irregularity as rule
from thirdcard.rulebook.deciders import decider_of
from thirdcard.rulebook.house import REFERRAL
from thirdcard.staff import Post


class Waiting(NamedTuple):
    """The thing that an effect waits for, and the post whose word it is; nobody where any staff will do."""

    wait: Wait
    post: Post | None = None
    clause: Clause | None = None


class Definition(NamedTuple):
    """An effect: what it does, whether it can be done now, and what it waits for first.

    A statement says how things stand; it is left out where that is not so. An effect may be carried out in
    part, so that what it is named for was not ``reached``, given the table before it.
    """

    do: Callable[[Desk, Any], None]
    possible: Callable[[QueryDesk, Any], bool] = lambda _desk, _effect: True
    waits: Callable[[QueryDesk, Any], Wait | None] = lambda _desk, _effect: None
    statement: bool = False
    reached: Callable[[QueryDesk, Table], bool] = lambda _desk, _before: True


def carry_out(
    desk: Desk, effect: rule.Effect, ruling: ev.RulingMade | None = None, *, met: bool = False
) -> None:
    """Carry out one effect; without the ruling, answer or cards that it needs it begins to wait."""
    definition = DEFINITIONS[type(effect)]
    if isinstance(effect, rule.OfferWithdrawal) and can_be_put_right(desk):
        reverse_settlement(desk, (effect.clause,))  # half paid, so that the wagers still are the patrons'
    waiting = None if ruling or met else waiting_for(desk, effect)
    if waiting is not None:
        clauses = (waiting.clause,) if waiting.clause else ()
        # others may go before this one, so that it is named
        later = waiting.wait is Wait.RESERVED_CARDS and len(desk.table.open_cases) > 1
        number = case_of(desk).id if later else None
        desk.emit(ev.CaseWaits(waits=waiting.wait, post=waiting.post, case=number, clauses=clauses))
        return
    if isinstance(effect, rule.Refer):
        assert ruling is not None
        _decided(desk, ruling)
        if desk.table.offer is None:
            finish(desk, effect)
        return
    done = (ruling is None or ruling.choice != cmd.PlainRuling.DENY) and definition.possible(desk, effect)
    before = desk.table
    if done:
        definition.do(desk, effect)
    if desk.table.offer is None:
        by_hand = ruling is not None or met
        unchanged = replace(desk.table, open_cases=()) == replace(before, open_cases=())
        reached = done and definition.reached(desk, before)
        finish(desk, effect, done=reached, statement=reached and unchanged and not by_hand)


def wait_first(desk: Desk, case: Case) -> None:
    """Let a case that waits go before those that came to light after it."""
    waiting = waiting_for(desk, case.effects[case.done])
    assert waiting is not None
    clauses = (waiting.clause,) if waiting.clause else ()
    desk.emit(ev.CaseWaits(waits=waiting.wait, post=waiting.post, case=case.id, clauses=clauses))


def waiting_for(desk: QueryDesk, effect: rule.Effect) -> Waiting | None:
    """Return what an effect waits for as things are, and whose word that is."""
    wait = DEFINITIONS[type(effect)].waits(desk, effect)
    if wait is None:
        return None
    if isinstance(effect, rule.SubstituteMissingCards):
        return Waiting(wait, substituted_by(desk), effect.clause)
    decider = decider_of(effect, desk.document.authority.not_covered)
    if decider is None:
        return Waiting(wait, None, next(iter(rule.effect_clauses(effect)), None))
    return Waiting(wait, decider.post_at(desk.house.form), decider.grant.clause if decider.grant else None)


def finish(
    desk: Desk, effect: rule.Effect, *, done: bool = True, lapsed: bool = False, statement: bool = False
) -> None:
    """The effect is done, or over without; the case goes on with the next."""
    tag = str(effect.__struct_config__.tag)
    statement = statement or DEFINITIONS[type(effect)].statement
    carried = ev.EffectCarriedOut(
        effect=tag, done=done, statement=statement, lapsed=lapsed, clauses=rule.effect_clauses(effect)
    )
    desk.emit(carried)


# what the post for what no rule covers can decide, alone or together
DECISIONS = tuple(rule.Preset)
# those of them that give a card its place
ABOUT_A_CARD = (
    rule.Preset.PLAY_CARD,
    rule.Preset.BURN_CARD,
    rule.Preset.KEEP_AS_NEXT_CARD,
    rule.Preset.FREE_HAND,
)


# the round


def _void(desk: Desk, effect: rule.VoidRound) -> None:
    void_round(desk, effect.clause)


def void_round(desk: Desk, clause: Clause | None) -> None:
    """The round has no outcome: every stake goes back, payments are reversed, other cases are pointless.

    Without a clause it is void because the post of the house for what no rule covers said so.
    """
    current, meaning = current_round(desk), desk.document.round.void
    clauses = tuple(each for each in (clause, meaning) if each)
    wait_again(desk)
    book_claims(desk, current.settled, clauses, stakes_go_back=True)
    voided = ev.RoundVoided(
        number=current.number,
        returned=desk.table.wagers,
        reversed=current.settled,
        procedure=None if clause else REFERRAL,
        clauses=clauses,
    )
    already_over = current.ended
    desk.emit(voided)
    give_device_back(desk)
    stakes = refunded_by((*voided.returned, *voided.reversed))
    more = stakes.copy()
    more.subtract(given_by(voided.reversed))
    more.subtract(count_decided(desk, stakes, clauses, void=True))
    set_off(desk, more, clauses)
    _supersede(desk, case_of(desk).id)
    if not already_over:
        end_round(desk)
        end_free_hands(desk)  # of cards that went away with the round


def _supersede(desk: Desk, this: int) -> None:
    """End the other cases of a void round, but for what they say about the cards, and those of rounds before.

    New cards that a case brings must come all the same. Facts about the cards that nobody has confirmed are
    still to be confirmed or disproved.
    """
    for each in desk.table.open_cases:
        if each.id == this or each.round is not None or each.situation in AFTER_THE_ROUND:
            continue
        left = [effect for effect in each.effects[each.done :] if _survives_a_void(effect)]
        if left and each.waits is Wait.CONFIRMATION:
            continue
        for effect in left:
            desk.emit(new_cards_by(effect))
        desk.emit(ev.CaseClosed(id=each.id, superseded_by=this))


def _survives_a_void(effect: rule.Effect) -> TypeGuard[rule.ReplaceCards]:
    """Whether an effect is about the cards, whatever becomes of the round."""
    return (
        isinstance(effect, rule.ReplaceCards)
        and effect.need is not rule.CardNeed.MAY
        and effect.on != "all-withdrew"
    )


def _all_withdrew(desk: QueryDesk, _: object = None) -> bool:
    """Whether patrons took up the offer of the case and nobody stayed; somebody must have wagered for it."""
    return case_of(desk).withdrew and not desk.table.wagers


def _void_if_all_withdrew(desk: Desk, effect: rule.VoidIfAllWithdraw) -> None:
    void_round(desk, effect.clause)


# wagers


def _offer(desk: Desk, effect: rule.OfferWithdrawal) -> None:
    open_offer(desk, effect.wagers, effect.clause)


def _somebody_to_ask(desk: QueryDesk, effect: rule.OfferWithdrawal) -> bool:
    """Whether a wager can be withdrawn: none by cards that came together and belong to no hand any more."""
    return not is_beyond_the_hands(desk, case_of(desk)) and bool(
        withdrawable(desk, effect.wagers, effect.clause)
    )


def _ask_to_decrease(desk: Desk, effect: rule.AskToDecrease) -> None:
    if not desk.table.decrease_asked:
        desk.emit(ev.DecreaseAsked(heavier=heavier_hand(desk.table), clauses=(effect.clause,)))


# cards


def _reconstruct(desk: Desk, effect: rule.ReconstructCards) -> None:
    reconstruct(desk, effect.clause)


def _not_void(desk: QueryDesk, _: object = None) -> bool:
    return not current_round(desk).void


def _free_hand(desk: Desk, effect: rule.FreeHand) -> None:
    give_free_hand(desk, (effect.clause,))


def _can_be_given(desk: QueryDesk, _: object = None) -> bool:
    """Whether a free hand can be given: not after one that was announced as the last hand of the shoe.

    One that is free for those who withdraw is given only if somebody did.
    """
    current = desk.round
    if current is not None and current.free and current.last:
        return False
    case = case_of(desk)
    offered = any(isinstance(effect, rule.OfferWithdrawal) for effect in case.effects)
    return case.withdrew or not offered


def _keep_as_next(desk: Desk, effect: rule.KeepAsNextCard) -> None:
    keep_strays(desk, effect.clause)


def _determined(desk: QueryDesk, effect: rule.DetermineCardOrder) -> None:
    """The order was ruled; the cards are laid once everybody has answered."""


def _reopen(desk: Desk, effect: rule.ReopenBetting) -> None:
    """Betting is open again, so that a wager is what lies there: chips that were taken away are off."""
    for each in desk.table.wagers:
        if each.pulled:
            desk.emit(reduced(desk, each, each.pulled, (effect.clause,), gone=each.pulled))
    desk.emit(ev.BettingReopened(clauses=(effect.clause,)))


def _done_by_hand(desk: QueryDesk, effect: object) -> None:
    """Do nothing: a command of its own has done it."""


def _result_stands(desk: Desk, effect: rule.LetResultStand) -> None:
    """A mistake of an earlier round that stands is booked where two people tell its amount."""
    case = case_of(desk)
    told = case.situation is rule.Situation.OLD_LIMIT_MISTAKE and case.patron is not None and case.amount
    if told and desk.two_people() is None:
        desk.emit(mistake_of(case, (effect.clause,)))


def _states(desk: QueryDesk, effect: object) -> None:
    """It is as the sentence says."""


# the shoe


def _replace_cards(desk: Desk, effect: rule.ReplaceCards) -> None:
    shoe = desk.table.shoe
    must = shoe is not None and shoe.new_cards_due  # then there is nothing left to choose
    if not (must and effect.need is rule.CardNeed.MAY) and (
        effect.on != "all-withdrew" or _all_withdrew(desk)
    ):
        desk.emit(new_cards_by(effect))


def new_cards_by(effect: rule.ReplaceCards) -> ev.CardReplacementDue:
    """New cards must or may come by an effect: by its clause, or by the procedure of the house."""
    clauses = rule.effect_clauses(effect)
    return ev.CardReplacementDue(need=effect.need, procedure=effect.procedure, clauses=clauses)


def _finish_shoe(desk: Desk, effect: rule.FinishShoe) -> None:
    desk.emit(ev.CardReplacementDue(need=NewCards.KEEP, clauses=(effect.clause,)))


# referrals


def _decided(desk: Desk, ruling: ev.RulingMade) -> None:
    """Carry out what the post for what no rule covers has decided, in the order of ``DECISIONS``.

    A card that lies aside gets its place first: a void round takes along what is left there.
    """
    _, clause = desk.not_covered()
    outside = cards_of_case(desk.table, case_of(desk)).pile == "aside"

    def rank(decision: str) -> tuple[bool, int]:
        return not (outside and decision in ABOUT_A_CARD), DECISIONS.index(rule.Preset(decision))

    chosen = (ruling.choice, *ruling.also)
    if is_lost_taken(desk, case_of(desk)) and rule.Preset.VOID_ROUND not in chosen:
        chosen = decide_lost_chips(desk, ruling)
    if rule.Preset.VOID_ROUND not in chosen:
        book_what_is_told(desk, ruling)
    for decision in sorted(chosen, key=rank):
        _carry_out_decision(desk, decision, ruling, clause)


def _carry_out_decision(desk: Desk, decision: str, ruling: ev.RulingMade, clause: Clause | None) -> None:
    clauses, procedure = (clause,) if clause else (), None if clause else REFERRAL
    case = case_of(desk)
    match decision:
        case rule.Preset.VOID_ROUND:
            void_round(desk, clause)
        case rule.Preset.RETURN_WAGERS:
            return_wagers(desk)
        case rule.Preset.OFFER_WITHDRAWAL:
            assert clause is not None
            open_offer(desk, rule.Withdrawable.SINGLE, clause)
        case rule.Preset.REPLACE_CARDS:
            desk.emit(ev.CardReplacementDue(need=NewCards.SHALL, procedure=procedure, clauses=clauses))
        case rule.Preset.FREE_HAND:
            give_free_hand(desk, clauses)
        case rule.Preset.PLAY_CARD if comes_in_this_round(desk, case) or has_case_of_its_own(desk, case):
            pass  # it stays where it is until its turn
        case rule.Preset.PLAY_CARD if is_laid_in_order(desk.table, case):
            reconstruct(desk, clause)
        case rule.Preset.PLAY_CARD | rule.Preset.KEEP_AS_NEXT_CARD:
            keep_strays(desk, clause)
        case rule.Preset.BURN_CARD:
            burn_cards(desk, case, clauses)
        case rule.Preset.CONTINUE:
            _continue(desk, clause)
        case rule.Preset.TAKE_BACK:
            claim_back(desk, ruling)
        case _:
            make_payment(desk, ruling)


def _continue(desk: Desk, clause: Clause | None) -> None:
    """Let things stand: the cards lie in the order that was told.

    Where the case is about the order, a card at the wrong hand goes by its turn.
    Where patrons disagree about new cards, the shoe goes on.
    """
    case, shoe = case_of(desk), desk.table.shoe
    disagree = shoe is not None and shoe.patrons_choose and len({new for _, new in shoe.chosen}) > 1
    if disagree and desk.round is None and case.situation is rule.Situation.NOT_COVERED:
        desk.emit(ev.CardReplacementDue(need=NewCards.KEEP, clauses=(clause,) if clause else ()))
    elif is_laid_by_continuing(desk, case):
        reconstruct(desk, clause)


def _permission(desk: QueryDesk, effect: rule.OfferWithdrawal) -> Wait | None:
    """Wait for the post that may allow it; not where nobody withdraws because the hands are complete."""
    return Wait.PERMISSION if effect.by and not is_beyond_the_hands(desk, case_of(desk)) else None


def _reserve(desk: QueryDesk, _: rule.ReserveCards) -> Wait | None:
    """Wait until possible third cards are set aside; for another patron who left that may have been done."""
    return None if desk.table.reserved else Wait.RESERVED_CARDS


def _substitutes(desk: QueryDesk, _: rule.SubstituteMissingCards) -> Wait | None:
    """Wait for equal cards, unless the cards turned out to be known meanwhile so that none is missing."""
    case = desk.table.case
    known = case is not None and is_sorted(case) and not case.missing
    return None if known else Wait.SUBSTITUTES


def _is_scaled(desk: QueryDesk, _: object = None) -> bool:
    return is_scaled(desk.document, desk.house, desk.table)


def _in_a_round(desk: QueryDesk, _: object = None) -> bool:
    return desk.round is not None


def _goes_on(desk: QueryDesk, _: object = None) -> bool:
    """Whether the round continues: not by cards that came together when no hand takes one any more."""
    return desk.round is not None and not (desk.table.aside and is_beyond_the_hands(desk, case_of(desk)))


DEFINITIONS: dict[type, Definition] = {
    rule.VoidRound: Definition(_void, possible=_not_void),
    rule.VoidIfAllWithdraw: Definition(_void_if_all_withdrew, possible=_all_withdrew),
    rule.OfferWithdrawal: Definition(_offer, possible=_somebody_to_ask, waits=_permission),
    rule.AskToDecrease: Definition(_ask_to_decrease),
    rule.CorrectSettlement: Definition(correct_settlement),
    rule.ReconstructCards: Definition(_reconstruct, possible=can_be_laid, reached=are_laid),
    rule.DetermineCardOrder: Definition(_determined, waits=lambda *_: Wait.CARD_ORDER),
    rule.DeliverToRightPatron: Definition(deliver, possible=can_be_fetched, reached=is_somebody_right),
    rule.ExposeByDealer: Definition(expose, reached=are_more_open),
    rule.PlayCard: Definition(play_card),
    rule.GiveCardToBanker: Definition(give_to_banker),
    rule.FreeHand: Definition(_free_hand, possible=_can_be_given),
    rule.KeepAsNextCard: Definition(_keep_as_next),
    rule.ReplaceCards: Definition(_replace_cards, statement=True),
    rule.BurnNow: Definition(retrieve),
    rule.ResetDealingDevice: Definition(retrieve),
    rule.ReopenBetting: Definition(_reopen, possible=_in_a_round),
    rule.FinishShoe: Definition(_finish_shoe),
    rule.ReserveCards: Definition(
        _done_by_hand,
        waits=_reserve,
    ),
    rule.SortCards: Definition(_done_by_hand, waits=lambda *_: Wait.SORTED_CARDS),
    rule.DeduceMissingCards: Definition(_done_by_hand),
    rule.SubstituteMissingCards: Definition(
        open_known_cards, waits=_substitutes, reached=lambda desk, _: bool(case_of(desk).missing)
    ),
    rule.Refer: Definition(_states, waits=lambda *_: Wait.DECISION),
    rule.Continue: Definition(_states, possible=_goes_on, statement=True),
    rule.LetPastRoundsStand: Definition(_states, statement=True),
    rule.LetResultStand: Definition(_result_stands, statement=True),
    # policies hold anyway: a report of one says so, or tells the part of a stake that it is about
    **dict.fromkeys(get_args(rule.Policy), Definition(_states, statement=True)),
    rule.SettleProRata: Definition(_states, possible=_is_scaled, statement=True),
    rule.RefuseWager: Definition(refuse_wager),
    rule.KeepInAction: Definition(keep_in_action),
}


def close_case(desk: Desk) -> None:
    """The irregularity is dealt with, and its cards lie where they belong."""
    lay_at_the_end(desk)
    case = case_of(desk)
    desk.emit(ev.CaseClosed(id=case.id))
    for each in desk.table.open_cases if is_order_lost(case) else ():  # of cards that nobody knows any more
        known = each.situation in IN_THE_SHOE and each.hand is None
        if known and cards_of_case(desk.table, each).pile != "strays":
            desk.emit(ev.CaseClosed(id=each.id, superseded_by=case.id))
