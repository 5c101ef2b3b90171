"""Irregularities: the rulebook's row is found, and its effects are carried out one after another."""

from collections import Counter

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.dealing import advance, current_round, due_hand
from thirdcard.game.desk import Desk
from thirdcard.game.effects import DRAWN_BESIDE, carry_out, close_case
from thirdcard.game.floor import is_here, not_cut
from thirdcard.game.rounds import can_be_put_right, circumstance_of, is_called
from thirdcard.game.state import CardState, Case, Device, Hand, Phase, Wait
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import (
    CorrectSettlement,
    DeduceMissingCards,
    DetermineCardOrder,
    Effect,
    FreeHand,
    GiveCardToBanker,
    Irregularity,
    KeepAsNextCard,
    OfferWithdrawal,
    ReconstructCards,
    Refer,
    ReopenBetting,
    ReserveCards,
    ResetDealingDevice,
    Situation,
    VoidRound,
    circumstances,
    effect_clauses,
)
from thirdcard.rulebook.procedure import Grant

# decisions by which cards leave the shoe
KEPT, BURNED = "keep-as-next-card", "burn-card"
# what is put before the post that decides where a document has no row
NOT_COVERED = Refer(presets=("void-round", "continue"))


def report(desk: Desk, body: cmd.ReportIrregularity) -> Refused | None:
    """Find the row for a situation and begin with its effects."""
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    return notice(desk, body)


def notice(desk: Desk, body: cmd.ReportIrregularity) -> Refused | None:
    """Open a case, whoever noticed, if what its row demands can be done as things are."""
    found = find_row(desk, body)
    if isinstance(found, Refused):
        return found
    if found.device and desk.table.setup.device is Device.PLAIN:
        clauses = (found.clause,) if found.clause else ()
        return refuse(Refusal.DEVICE_NOT_SUITABLE, *clauses, needed=found.device)
    refused = refuse(Refusal.NO_CARDS_LOADED) if desk.table.shoe is None else None
    for effect in found.effects:
        refused = refused or _now(desk, found, effect) or _facts(desk, found, effect, body)
    if refused:
        return refused
    open_case(desk, found, body)
    return None


# what may still be put right after the settlement, until the next round is called
NOTICED_LATER = (Situation.WRONG_ORDER, Situation.MISDEAL, Situation.WRONG_NUMBER_OF_CARDS)


def _now(desk: Desk, row: Irregularity, effect: Effect) -> Refused | None:
    """Why an effect cannot be carried out at this point of the round."""
    phase, dealing = desk.table.phase, desk.table.phase is Phase.DEALING
    match effect:
        case VoidRound():
            later = row.situation is Situation.WRONG_NUMBER_OF_CARDS
            fits = is_called(desk) or (later and can_be_put_right(desk))
        case ReconstructCards() | DetermineCardOrder():
            later = row.situation in NOTICED_LATER
            fits = phase in (Phase.DEALING, Phase.OUTCOME) or (later and can_be_put_right(desk))
        case GiveCardToBanker() | ReserveCards():
            fits = dealing
        case ResetDealingDevice() | ReopenBetting():
            fits = dealing or phase is Phase.CLOSED
        case _:
            fits = True
    clauses = effect_clauses(effect)
    return None if fits else refuse(Refusal.NOT_IN_THIS_PHASE, *clauses, phase=f"@phase.{phase.value}")


def _facts(desk: Desk, row: Irregularity, effect: Effect, body: cmd.ReportIrregularity) -> Refused | None:
    """Why an effect cannot be carried out on what was told."""
    clauses = effect_clauses(effect)
    match effect:
        case ReconstructCards() | DetermineCardOrder() if row.situation not in DRAWN_BESIDE:
            return _order_told(desk, row, effect, body.cards)
        case ReconstructCards() | DetermineCardOrder() | GiveCardToBanker():
            return _drawn_beside(desk, row, effect, body.cards)
        case KeepAsNextCard() | FreeHand(round="next") | Refer():
            presets = effect.presets if isinstance(effect, Refer) else (KEPT,)
            kept = KEPT in presets
            uncut = not_cut(desk) if kept or BURNED in presets else None
            if uncut:
                return uncut
            if kept and row.situation is not Situation.NEXT_CARD_KNOWN and not body.cards:
                return refuse(Refusal.FACTS_NEEDED, *clauses, facts="cards")
            return _left(desk, effect, len(body.cards))
        case ReserveCards():
            return _left(desk, effect, effect.cards)
        case CorrectSettlement() if row.situation is Situation.WRONG_PAYMENT:
            if body.patron is None or body.amount <= 0:
                return refuse(Refusal.FACTS_NEEDED, *clauses, facts="patron, amount")
            if not is_here(desk, body.patron):
                return refuse(Refusal.UNKNOWN_PATRON, *clauses, patron=body.patron)
            return None
        case _:
            return None


def _left(desk: Desk, effect: Effect, cards: int) -> Refused | None:
    shoe = desk.table.shoe
    if shoe is None or shoe.left >= cards:
        return None
    return refuse(Refusal.WRONG_NUMBER_OF_CARDS, *effect_clauses(effect), needed=shoe.left)


def _drawn_beside(desk: Desk, row: Irregularity, effect: Effect, cards: tuple[Card, ...]) -> Refused | None:
    """Cards beside those before the hands must be told, and some hand must take the first of them."""
    if not cards:
        return refuse(Refusal.FACTS_NEEDED, *effect_clauses(effect), facts="cards")
    due = due_hand(desk)
    if isinstance(due, Refused):
        return due
    if row.situation is Situation.UNAUTHORISED_PLAYER_CARD and due[0] is Hand.PLAYER:
        return refuse(Refusal.NOT_AWAITED, *effect_clauses(effect))
    return _left(desk, effect, len(cards))


def _order_told(desk: Desk, row: Irregularity, effect: Effect, cards: tuple[Card, ...]) -> Refused | None:
    """An order names the cards that lie there; where their number is wrong it may name others."""
    lying, clauses = current_round(desk).cards, effect_clauses(effect)
    if not cards:
        return None
    if row.situation is Situation.WRONG_NUMBER_OF_CARDS:
        if len(cards) < 4:
            return refuse(Refusal.WRONG_NUMBER_OF_CARDS, *clauses, needed=len(lying))
        return _left(desk, effect, len(cards) - len(lying))
    known = Counter(each.card for each in lying if each.card)
    if len(cards) != len(lying) or known - Counter(cards):
        return refuse(Refusal.ORDER_NEEDS_THE_SAME_CARDS, *clauses)
    return None


def find_row(desk: Desk, body: cmd.ReportIrregularity) -> Irregularity | Refused:
    """The row whose circumstances hold; a missing fact is asked for; without a row the case is referred."""
    rows = [row for row in desk.document.irregularities if row.situation is body.situation]
    unknown: list[str] = []
    for row in rows:
        holds = True
        for name, allowed in circumstances(row).items():
            value = circumstance_of(desk, body, name)
            if value is None:
                unknown.append(name)
            holds = holds and value in allowed
        if holds:
            return row
    if unknown:
        return refuse(Refusal.FACTS_NEEDED, facts=", ".join(dict.fromkeys(unknown)))
    return Irregularity(situation=body.situation, effects=(NOT_COVERED,))


def open_case(desk: Desk, row: Irregularity, body: cmd.ReportIrregularity) -> None:
    """Record the irregularity; a void waits until its facts are confirmed."""
    case = Case(
        id=desk.table.cases + 1,
        situation=row.situation,
        effects=row.effects,
        clause=row.clause,
        cards=body.cards,
        patron=body.patron,
        hand=body.hand,
        amount=body.amount,
    )
    clauses = (row.clause,) if row.clause else ()
    desk.emit(ev.IrregularityReported(case=case, by=desk.actor, note=body.note, clauses=clauses))
    if any(isinstance(effect, VoidRound) for effect in row.effects):
        post = desk.house.form.facts_confirmed_by
        desk.emit(ev.CaseWaits(waits=Wait.CONFIRMATION, post=post, clauses=clauses))
        return
    run_case(desk)


def run_case(desk: Desk) -> None:
    """Carry out effects until one waits for somebody or none is left."""
    while (case := desk.table.case) is not None and case.waits is None and desk.table.offer is None:
        if case.done == len(case.effects):
            close_case(desk)
            return
        carry_out(desk, case.effects[case.done])


def confirm(desk: Desk) -> Refused | None:
    """The post named by the house confirms the facts; what the clause says follows."""
    case = desk.table.case
    if case is None or case.waits is not Wait.CONFIRMATION:
        return refuse(Refusal.NOT_AWAITED)
    refused = desk.house_authority(desk.house.form.facts_confirmed_by)
    if refused:
        return refused
    desk.emit(ev.FactsConfirmed(by=desk.actor))
    run_case(desk)
    return None


def rule(desk: Desk, body: cmd.Rule) -> Refused | None:
    """The ruling that a case waits for, by the post that its clause names."""
    case = desk.table.case
    waiting = (Wait.PERMISSION, Wait.CARD_ORDER, Wait.DECISION)
    if case is None or case.waits not in waiting:
        return refuse(Refusal.NOT_AWAITED)
    effect = case.effects[case.done]
    by = _may_rule(desk, effect)
    if isinstance(by, Refused):
        return by
    refused = _choice(desk, case, body)
    if refused:
        return refused
    order = body.cards if case.waits is Wait.CARD_ORDER else ()
    made = ev.RulingMade(choice=body.choice, text=body.text, by=desk.actor, cards=order, clauses=by)
    desk.emit(made)
    carry_out(desk, effect, ruling=body.choice)
    run_case(desk)
    return None


def _may_rule(desk: Desk, effect: Effect) -> tuple[Clause, ...] | Refused:
    if isinstance(effect, OfferWithdrawal | DetermineCardOrder) and effect.by:
        return desk.authority(Grant(effect.by, effect.clause, effect.or_above))
    grant = desk.document.authority.not_covered
    if grant is not None:
        return desk.authority(grant)
    return desk.house_authority(desk.house.form.not_covered_decided_by) or ()


def _choice(desk: Desk, case: Case, body: cmd.Rule) -> Refused | None:
    effect = case.effects[case.done]
    if case.waits is Wait.CARD_ORDER:
        if sorted(card.text for card in body.cards) != sorted(card.text for card in case.cards):
            return refuse(Refusal.ORDER_NEEDS_THE_SAME_CARDS, *effect_clauses(effect))
        return None
    choices = effect.presets if isinstance(effect, Refer) else ("allow", "deny")
    if body.choice not in choices:
        return refuse(Refusal.NO_SUCH_CHOICE, choice=body.choice, choices=", ".join(choices))
    if isinstance(effect, Refer) and not body.text:
        return refuse(Refusal.DECISION_NEEDS_TEXT)
    if body.choice == "void-round" and not is_called(desk):
        return refuse(Refusal.NOT_IN_THIS_PHASE, phase=f"@phase.{desk.table.phase.value}")
    return None


def reserve_cards(desk: Desk, body: cmd.ReserveCards) -> Refused | None:
    """Two cards are set aside in the presence of the post that the clause names."""
    effect = _awaited(desk, Wait.RESERVED_CARDS)
    if not isinstance(effect, ReserveCards):
        return refuse(Refusal.NOT_AWAITED)
    by = desk.authority(Grant(effect.in_presence_of, effect.clause))
    if isinstance(by, Refused):
        return by
    if len(body.cards) != effect.cards:
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, effect.clause, needed=effect.cards)
    desk.emit(ev.CardsReserved(cards=body.cards, clauses=by))
    carry_out(desk, effect, ruling="done")
    run_case(desk)
    return None


def enter_sorted(desk: Desk, body: cmd.EnterSortedCards) -> Refused | None:
    """The full decks less everything accounted for leave exactly the missing cards."""
    effect = _awaited(desk, Wait.SORTED_CARDS)
    case, current = desk.table.case, desk.table.round
    if effect is None or case is None or current is None:
        return refuse(Refusal.NOT_AWAITED)
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    left = list(body.lacking)
    accounted = [each.card for each in current.cards if each.card] + list(desk.table.reserved)
    for card in accounted:
        if card in left:
            left.remove(card)
    unknown = sum(each.card is None for each in current.cards)
    if len(left) != unknown or len(body.lacking) != len(accounted) + unknown:
        return refuse(Refusal.WRONG_NUMBER_OF_CARDS, *effect_clauses(effect), needed=unknown)
    rules = [each for each in case.effects if isinstance(each, DeduceMissingCards)]
    clauses = tuple(each.clause for each in rules)
    desk.emit(ev.MissingCardsDeduced(cards=tuple(left), clauses=clauses))
    carry_out(desk, effect, ruling="done")
    run_case(desk)
    return None


def substitute(desk: Desk, body: cmd.SubstituteCards) -> Refused | None:
    """Cards of the same rank and suit take the place of the missing ones."""
    effect = _awaited(desk, Wait.SUBSTITUTES)
    case, current = desk.table.case, desk.table.round
    if effect is None or case is None or current is None:
        return refuse(Refusal.NOT_AWAITED)
    if not desk.is_staff(desk.actor):
        return refuse(Refusal.NOT_STAFF)
    clauses = effect_clauses(effect)
    if sorted(card.text for card in body.cards) != sorted(card.text for card in case.missing):
        return refuse(Refusal.WRONG_SUBSTITUTE, *clauses)
    new = list(body.cards)
    cards = tuple(replace(each, card=new.pop(0)) if each.card is None else each for each in current.cards)
    opened = tuple(replace(each, state=CardState.EXPOSED) for each in cards)
    desk.emit(ev.CardsSubstituted(cards=opened, clauses=clauses))
    for each in current.holdings:  # whoever took cards along handles no later ones either
        if case.patron in (None, each.patron):
            desk.emit(ev.CardsDeclined(hand=each.hand, patron=each.patron, clauses=clauses))
    advance(desk)
    carry_out(desk, effect, ruling="done")
    run_case(desk)
    return None


def _awaited(desk: Desk, wait: Wait) -> Effect | None:
    case = desk.table.case
    if case is None or case.waits is not wait:
        return None
    return case.effects[case.done]
