"""The decisions of the post that an irregularity waits for."""

from thirdcard.cards import Card
from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.attendance import refuse_stranger
from thirdcard.game.case_cards import (
    IN_THE_SHOE,
    cards_of_case,
    faces_aside,
    is_taken_along_referred,
    refuse_before,
)
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.card_effects import next_to_burn
from thirdcard.game.irregularities.cases import run_cases
from thirdcard.game.irregularities.effects import ABOUT_A_CARD, carry_out
from thirdcard.game.irregularities.facts import cards_with
from thirdcard.game.irregularities.limit_mistakes import refuse_more
from thirdcard.game.irregularities.money_effects import is_payment_told, most_lacking, single_wager
from thirdcard.game.irregularities.nobody_alone import refuse_decision_alone
from thirdcard.game.irregularities.payment_claims import is_of_void_round, refuse_settled, refuse_unpaid
from thirdcard.game.irregularities.rows import decisions
from thirdcard.game.places import fits, seen_at
from thirdcard.game.settlement import refuse_too_fine
from thirdcard.game.state import Case, Phase, Wait
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.deciders import decider_of
from thirdcard.rulebook.irregularity import (
    DetermineCardOrder,
    Effect,
    OfferWithdrawal,
    Preset,
    Refer,
    Situation,
    effect_clauses,
)
from thirdcard.rulebook.procedure import Grant

# what a ruling answers; any other decides what was referred
RULED_ON: dict[str, Wait] = {
    cmd.PlainRuling.ORDER: Wait.CARD_ORDER,
    cmd.PlainRuling.ALLOW: Wait.PERMISSION,
    cmd.PlainRuling.DENY: Wait.PERMISSION,
}
# decisions that exclude each other
PAYMENTS: dict[str, tuple[str, ...]] = {
    Preset.PAY: (Preset.TAKE_BACK,),
    Preset.TAKE_BACK: (Preset.PAY,),
}
ENDS_THE_ROUND: tuple[str, ...] = (Preset.VOID_ROUND, Preset.RETURN_WAGERS)
GOES_ON: tuple[str, ...] = (Preset.CONTINUE, Preset.OFFER_WITHDRAWAL, Preset.PLAY_CARD)


def rule(desk: Desk, body: cmd.Rule) -> Refused | None:
    """The ruling that a case waits for, by the post that its clause names."""
    case = desk.table.case
    if case is None:
        return _refuse_reversal(desk, case, body) or refuse(Refusal.NOT_AWAITED)
    refused = _ruled_later(desk, case, body)
    if refused:
        return refused
    effect = case.effects[case.done]
    by = _may_rule(desk, effect)
    if isinstance(by, Refused):
        return by
    refused = _refuse_reversal(desk, case, body) or _choice(desk, case, body)
    refused = refused or refuse_decision_alone(desk, case, body)
    if refused:
        return refused
    decider, second = desk.decider(_grant(desk, effect), desk.house.form.not_covered_decided_by), None
    if decider == desk.actor:
        second = desk.envelope.authoriser
    made = ev.RulingMade(
        choice=body.choice,
        text=body.text,
        by=decider,
        entered_by=None if decider == desk.actor else desk.actor,
        second=second,
        cards=() if case.waits is Wait.PERMISSION else body.cards,
        also=body.also,
        next_cards=next_to_burn(desk, case) if Preset.BURN_CARD in (body.choice, *body.also) else 0,
        patron=body.patron,
        amount=body.amount,
        clauses=by,
    )
    desk.emit(made)
    carry_out(desk, effect, made)
    run_cases(desk)
    return None


def _refuse_reversal(desk: QueryDesk, case: Case | None, body: cmd.Rule) -> Refused | None:
    """Refuse to void a round, or to claim money back, that a clause lets stand.

    A payment by mistake is no outcome; only one outside the limits stands by a clause of its own.
    """
    table, chosen = desk.table, {body.choice, *body.also}
    over = desk.round is None and (case is None or Preset.VOID_ROUND not in choices_of(desk, case))
    over = over or (desk.round is not None and desk.round.undone is not None)
    paid = case is not None and case.situation is Situation.WRONG_PAYMENT
    reverses = (Preset.VOID_ROUND in chosen and over) or (Preset.TAKE_BACK in chosen and not paid)
    this = case is not None and case.round is None and Preset.VOID_ROUND not in chosen
    void = this and is_of_void_round(desk, body.patron, body.amount)
    if reverses and table.rounds_stand_by is not None and not void:
        return refuse(Refusal.EARLIER_ROUNDS_STAND, table.rounds_stand_by)
    before = case is not None and case.round is not None  # what is paid now is of that round
    paid_out = -body.amount if Preset.PAY in chosen and before else 0
    amount = body.amount if Preset.TAKE_BACK in chosen else paid_out
    return refuse_settled(desk, body.patron, amount) if amount else None


def _ruled_later(desk: QueryDesk, case: Case, body: cmd.Rule) -> Refused | None:
    """Refuse a ruling that the case which is dealt with first does not wait for; another one may."""
    wait = RULED_ON.get(body.choice, Wait.DECISION)
    if case.waits is wait:
        return None
    if any(each.waits is wait for each in desk.table.open_cases):
        return refuse_before(case)
    behind = (each for each in desk.table.open_cases if each.id != case.id)
    if case.waits is Wait.CONFIRMATION and any(map(_is_ruled_on, behind)):
        return refuse_before(case)
    ruled = case.waits in (Wait.PERMISSION, Wait.CARD_ORDER, Wait.DECISION)
    return None if ruled else refuse(Refusal.NOT_AWAITED)


def _is_ruled_on(case: Case) -> bool:
    """Whether a post decides something in a case."""
    return any(isinstance(each, Refer | OfferWithdrawal | DetermineCardOrder) for each in case.effects)


def _grant(desk: QueryDesk, effect: Effect) -> Grant | None:
    """The power to rule on an effect; without a clause about it the house names the post."""
    decider = decider_of(effect, desk.document.authority.not_covered)
    return decider.grant if decider else desk.document.authority.not_covered


def _may_rule(desk: Desk, effect: Effect) -> tuple[Clause, ...] | Refused:
    """The clauses by which somebody rules on an effect, or the refusal."""
    grant = _grant(desk, effect)
    return may_decide(desk) if grant is None else desk.authority(grant)


def may_decide(desk: Desk) -> tuple[Clause, ...] | Refused:
    """The clauses by which somebody decides what no rule covers, or the refusal."""
    grant = desk.document.authority.not_covered
    if grant is not None:
        return desk.authority(grant)
    return desk.house_authority(desk.house.form.not_covered_decided_by) or ()


def _choice(desk: QueryDesk, case: Case, body: cmd.Rule) -> Refused | None:
    effect = case.effects[case.done]
    if case.waits is Wait.CARD_ORDER:
        return _order(desk, case, body)
    choices, chosen = choices_of(desk, case), (body.choice, *body.also)
    for number, choice in enumerate(chosen):
        if choice not in choices or choice in chosen[:number]:
            return refuse(Refusal.NO_SUCH_CHOICE, choice=choice, choices=", ".join(choices))
        other = excluded_by(desk, case, choice)
        against = next((each for each in chosen[:number] if each in other), None)
        if against is not None:
            return refuse(Refusal.CHOICES_EXCLUDE_EACH_OTHER, choice=choice, other=against)
    if isinstance(effect, Refer):
        if body.cards and not _names_its_cards(desk, case, body):
            return refuse(Refusal.ORDER_NEEDS_THE_SAME_CARDS, *effect_clauses(effect))
        if _undecided(desk, case, {body.choice, *body.also}):
            about = ", ".join(each for each in choices if each in ABOUT_CARDS)
            return refuse(Refusal.CARD_UNDECIDED, card=_cards_in_question(desk, case), choices=about)
        gone = _taken_along(desk, case) if Preset.VOID_ROUND not in chosen else 0
        if gone:
            return refuse(Refusal.TAKEN_CARDS_UNTOLD, cards=gone, patron=case.patron or "")
        if not body.text:
            return refuse(Refusal.DECISION_NEEDS_TEXT)
        return _payment(desk, case, body)
    return None


def excluded_by(desk: QueryDesk, case: Case, choice: str) -> tuple[str, ...]:
    """The decisions that cannot be made together with one."""
    ends, goes_on = ENDS_THE_ROUND, GOES_ON
    if single_wager(desk, case) is not None:  # it goes back alone, and the round goes on without it
        ends, goes_on = (Preset.VOID_ROUND,), (*GOES_ON, Preset.RETURN_WAGERS)
    cards: tuple[str, ...] = tuple(each for each in ABOUT_A_CARD if each != choice)
    money = PAYMENTS.get(choice, ())
    rounds = ends if choice in goes_on else goes_on if choice in ends else ()
    return (*(cards if choice in ABOUT_A_CARD else ()), *rounds, *money)


def _taken_along(desk: QueryDesk, case: Case) -> int:
    """How many cards somebody took along whose faces nobody has told: without them no round goes on."""
    if not is_taken_along_referred(case) or desk.table.phase is not Phase.DEALING:
        return 0
    cards = cards_with(desk, case.patron or "")
    return len(cards) if None in cards and None in (case.cards or (None,)) else 0


def _payment(desk: QueryDesk, case: Case, body: cmd.Rule) -> Refused | None:
    """Why a decision about a payment does not say whose it is, or how much, or claims what nobody paid."""
    chosen = (body.choice, *body.also)
    if Preset.PAY not in chosen and Preset.TAKE_BACK not in chosen:
        return None
    if body.patron is None or body.amount <= 0:
        return refuse(Refusal.FACTS_NEEDED, facts="patron, amount")
    refused = None if _had_wager(desk, body.patron) else refuse_stranger(desk, body.patron)
    refused = refused or refuse_too_fine(desk.house, body.amount)
    if refused or Preset.PAY in chosen:
        return refused or _refuse_using_twice(desk, case, body)
    return refuse_unpaid(desk, case, body.patron, body.amount)


def _refuse_using_twice(desk: QueryDesk, case: Case, body: cmd.Rule) -> Refused | None:
    """Refuse to make credits good that a terminal has used since they were told to be lacking."""
    most, told = most_lacking(desk, case), max(-case.amount, 0)
    used = is_payment_told(case) and case.patron == body.patron and most < told
    return refuse_more(desk, body.amount, most) if used else None


def _had_wager(desk: QueryDesk, patron: str) -> bool:
    """Whether a wager of a patron was settled that the table still knows of."""
    table = desk.table
    last = table.round.settled if table.round else ()
    settled = {each.patron for each in (*last, *table.last_settled)}
    return patron in settled or any(patron in each.patrons for each in table.earlier)


def _order(desk: QueryDesk, case: Case, body: cmd.Rule) -> Refused | None:
    """Why a ruling does not tell the order of the cards of its case; what becomes of them follows from it."""
    clauses, shoe = effect_clauses(case.effects[case.done]), desk.table.shoe
    others = [each for each in (body.choice, *body.also) if each != cmd.PlainRuling.ORDER]
    if others:
        return refuse(Refusal.NO_SUCH_CHOICE, *clauses, choice=others[0], choices=cmd.PlainRuling.ORDER)
    if sorted(map(_text, body.cards)) != sorted(map(_text, case.cards)):
        return refuse(Refusal.ORDER_NEEDS_THE_SAME_CARDS, *clauses)
    known = seen_at(shoe, cards_of_case(desk.table, case).places) if shoe else ()
    card = next((face for face in known if face and face in body.cards), None)
    if card is not None and not fits(known, body.cards):
        return refuse(Refusal.OTHER_FACE_KNOWN, *clauses, card=card.text)
    return None


def _names_its_cards(desk: QueryDesk, case: Case, body: cmd.Rule) -> bool:
    """Whether a decision names the cards that lie aside for its case, in the order in which they count.

    Where they did not come together, their order is the one in which they came.
    """
    own = cards_of_case(desk.table, case)
    aside = faces_aside(desk.table, own.places) if own.pile == "aside" else ()
    together = case.situation is Situation.CARDS_TOGETHER
    same = sorted(map(_text, body.cards)) == sorted(map(_text, aside))
    chosen = {body.choice, *body.also}
    played = bool(chosen & {Preset.PLAY_CARD, Preset.KEEP_AS_NEXT_CARD})
    return same and played and (together or body.cards == aside)


# decisions by which a card gets its place; new cards take the place of one that waits for the next hand
ABOUT_CARDS = (
    Preset.FREE_HAND,
    Preset.PLAY_CARD,
    Preset.BURN_CARD,
    Preset.KEEP_AS_NEXT_CARD,
    Preset.REPLACE_CARDS,
)


def _undecided(desk: QueryDesk, case: Case, chosen: set[str]) -> bool:
    """Whether nobody says what becomes of a card of the case, outside or known before its hand."""
    own = cards_of_case(desk.table, case).pile
    if own == "aside":
        return not chosen & {*ABOUT_A_CARD, Preset.VOID_ROUND}  # a void round takes along what lies aside
    playing = desk.table.phase is Phase.DEALING and case.situation is not Situation.NEXT_CARD_KNOWN
    known = case.situation in IN_THE_SHOE and own is not None and not playing
    return known and not chosen & {*ABOUT_CARDS}


def _cards_in_question(desk: QueryDesk, case: Case) -> str:
    """The cards of a case that are still to be decided about, as far as anybody has seen them."""
    own = cards_of_case(desk.table, case)
    if own.pile == "aside":
        return " ".join(map(_text, faces_aside(desk.table, own.places)))
    faces = desk.table.strays if own.pile == "strays" else case.cards
    return " ".join(map(_text, faces[: len(own.places)])) or "?"


def choices_of(desk: QueryDesk, case: Case) -> tuple[str, ...]:
    """Return what may be ruled: of a referral first what is usual, then all else that can be carried out."""
    effect = case.effects[case.done] if case.done < len(case.effects) else None
    if case.waits is Wait.PERMISSION:
        return (cmd.PlainRuling.ALLOW, cmd.PlainRuling.DENY)
    if case.waits is Wait.DECISION and isinstance(effect, Refer):
        able = decisions(desk, case)
        return tuple(dict.fromkeys((*(each for each in effect.presets if each in able), *able)))
    return ()


def _text(card: Card | None) -> str:
    return card.text if card else "?"
