"""The row of a document that governs a report, and what a post can decide where none does."""

from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.game.burning import is_burn_to_come, is_card_viewed
from thirdcard.game.case_cards import (
    AFTER_THE_ROUND,
    IN_THE_SHOE,
    SET_ASIDE,
    UNAUTHORISED,
    cards_of_case,
    has_its_place,
    is_order_doubted,
    opens_seen,
    others_have_the_shoe,
    sets_aside,
    stays_in_shoe,
)
from thirdcard.game.desk import QueryDesk
from thirdcard.game.irregularities.effects import DECISIONS
from thirdcard.game.irregularities.money_effects import is_lost_taken, is_payment_put_right, single_wager
from thirdcard.game.offers import withdrawable
from thirdcard.game.rounds import (
    ABOUT_THE_SET,
    can_be_put_right,
    circumstance_of,
    is_called,
    is_concluded,
    is_of_cards_before,
    is_settled_again,
    is_settled_last,
    is_to_begin,
    may_be_paying,
    takes_none,
    tells_outcome,
)
from thirdcard.game.shoe_loading import not_cut
from thirdcard.game.state import Case, Phase, Table
from thirdcard.game.table_setup import Device
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import (
    BurnNow,
    CardNeed,
    Continue,
    CorrectSettlement,
    DeliverToRightPatron,
    DetermineCardOrder,
    Effect,
    ExposeByDealer,
    FreeHand,
    GiveCardToBanker,
    Irregularity,
    LetPastRoundsStand,
    OfferWithdrawal,
    Preset,
    ReconstructCards,
    Refer,
    ReopenBetting,
    ReplaceCards,
    ReserveCards,
    ResetDealingDevice,
    Situation,
    VoidRound,
    Withdrawable,
    circumstances,
)

# the choice of a post by which the round has no outcome
MOST_OF_A_HAND = 3  # cards
# chips that came or went after the closing call
LATE = (Situation.LATE_WAGER, Situation.LATE_WITHDRAWAL)
# effects on the round under way
OF_THE_ROUND_UNDER_WAY = (VoidRound, OfferWithdrawal, ReconstructCards, ResetDealingDevice)
# what may still be put right after the settlement, until the next round is called
NOTICED_LATER = (Situation.WRONG_NUMBER_OF_CARDS, *UNAUTHORISED)


def _is_possible(desk: QueryDesk, row: Irregularity, effect: Effect, body: cmd.ReportIrregularity) -> bool:
    """Whether an effect can be carried out at this point; where it cannot, no clause covers the case."""
    phase = desk.table.phase
    drawn = phase in (Phase.DEALING, Phase.OUTCOME) or row.situation in SET_ASIDE
    paying = body.paying and can_be_put_right(desk)
    later = paying or (row.situation in NOTICED_LATER and is_settled_last(desk))
    match effect:
        case VoidRound():
            return desk.round is not None or later or (is_called(desk) and row.situation in SET_ASIDE)
        case OfferWithdrawal():  # of a round that is over nothing is withdrawn
            return phase is not Phase.IDLE or later
        case ReconstructCards() | DetermineCardOrder():
            laid = row.situation is not Situation.CARDS_TOGETHER or body.dealt or not takes_none(desk)
            goes_on = any(isinstance(each, Continue) for each in row.effects)  # by its clause, with the call
            asked = goes_on or isinstance(effect, DetermineCardOrder)  # if no hand takes one, too
            return (laid or asked) and ((is_called(desk) and drawn) or later)
        case ReserveCards():
            table, shoe, lying = desk.table, desk.table.shoe, len(desk.round.cards) if desk.round else 0
            out = lying + len(table.aside) + len(table.strays)
            needed = effect.cards + max(4 - out, 0)  # the first four come before possible third cards
            enough = bool(desk.table.reserved) or (shoe is not None and shoe.left >= needed)
            return phase is Phase.DEALING and enough
        case GiveCardToBanker() | DeliverToRightPatron() | ExposeByDealer():
            return phase is Phase.DEALING
        case FreeHand() if row.situation in IN_THE_SHOE:
            waiting = row.situation is Situation.NEXT_CARD_KNOWN and desk.table.strays and not body.ahead
            return bool(waiting) or is_first_of_next_hand(desk.table, body.ahead)
        case ReplaceCards(need=CardNeed.PATRONS_CHOOSE):  # after the hand in play
            out = desk.round is not None and bool(desk.round.cards or desk.table.aside)
            return out or _went_back_viewed(desk)
        case CorrectSettlement() if row.situation is Situation.WRONG_PAYMENT:
            return is_payment_put_right(desk, body.patron or "")
        case ResetDealingDevice() | ReopenBetting():
            return phase in (Phase.DEALING, Phase.CLOSED, Phase.OUTCOME) and not _were_cards_taken_along(desk)
        case _:
            return True


def _is_of_concluded_round(desk: QueryDesk, row: Irregularity, body: cmd.ReportIrregularity) -> bool:
    """Whether a row speaks of the round under way, and this one was over and is only settled again."""
    comes_later = row.situation in (*NOTICED_LATER, *SET_ASIDE) and not body.dealt
    over = is_settled_again(desk) if body.situation in ABOUT_THE_SET else is_concluded(desk)
    if body.paying or comes_later or not over:
        return False
    return any(isinstance(effect, OF_THE_ROUND_UNDER_WAY) for effect in row.effects)


def _were_cards_taken_along(desk: QueryDesk) -> bool:
    """Whether somebody took cards of the round along, which is dealt with: they cannot go back in order."""
    taken = Situation.PATRON_LEFT_WITH_CARDS
    under_way = any(each.situation is taken for each in desk.table.open_cases)
    return desk.round is not None and taken in desk.round.noted and not under_way


def _went_back_viewed(desk: QueryDesk) -> bool:
    """Whether cards of the first hand lie there that the table had go back: one of them had been viewed."""
    shoe = desk.table.shoe
    return desk.round is not None and shoe is not None and shoe.burn_owed and not is_card_viewed(desk.table)


def is_first_of_next_hand(table: Table, ahead: int) -> bool:
    """Whether a card of the shoe behind so many others opens the next hand, or belongs to a free hand."""
    return not ahead and (not table.strays or table.free_hand_by is not None)


def is_fourth_card(desk: QueryDesk, situation: Situation) -> bool:
    """Whether a card in error was put to a hand that has three; a clause may speak of any number of cards."""
    hand, current = UNAUTHORISED.get(situation), desk.table.round
    if hand is None or current is None:
        return False
    known = any(row.situation is Situation.WRONG_NUMBER_OF_CARDS for row in desk.document.irregularities)
    return not known and sum(each.hand is hand for each in current.cards) >= MOST_OF_A_HAND


def referral(desk: QueryDesk, body: cmd.ReportIrregularity) -> Irregularity:
    """Leave what no clause covers to a post, which can decide anything that can be carried out here."""
    presets = decisions(desk, as_case(body))
    return Irregularity(situation=body.situation, effects=(Refer(presets=presets),))


def as_case(body: cmd.ReportIrregularity) -> Case:
    """The case that a report would open, before its row is known."""
    effects = (Refer(presets=(Preset.VOID_ROUND,)),) if body.paying else ()
    return Case(
        id=0,
        situation=body.situation,
        effects=effects,
        clause=None,
        cards=body.cards,
        ahead=body.ahead,
        patron=body.patron,
        wager=body.wager,
        position=body.position,
    )


def _while_it_lasts(desk: QueryDesk, row: Irregularity, body: cmd.ReportIrregularity) -> Irregularity:
    """The row with the void among the choices of a post only while the round lasts.

    It lasts while chips are taken and paid, so that the choices of its case say whether it did.
    """
    lasts = desk.round is not None and not is_settled_again(desk)
    if lasts or not any(isinstance(effect, Refer) for effect in row.effects):
        return row

    def lasting(effect: Refer) -> Refer:
        others = (each for each in effect.presets if each != Preset.VOID_ROUND)
        presets = (*effect.presets, Preset.VOID_ROUND) if body.paying else others
        return replace(effect, presets=tuple(dict.fromkeys(presets)))

    effects = (lasting(each) if isinstance(each, Refer) else each for each in row.effects)
    return replace(row, effects=tuple(effects))


def _was_being_paid(desk: QueryDesk, case: Case) -> bool:
    """Whether chips of the last round were still taken and paid when a case came to light."""
    if case.situation in AFTER_THE_ROUND or not may_be_paying(desk):
        return False
    return any(isinstance(effect, Refer) and Preset.VOID_ROUND in effect.presets for effect in case.effects)


def _beyond(desk: QueryDesk, row: Irregularity, body: cmd.ReportIrregularity) -> Irregularity:
    """A row that cannot be carried out is referred; cards that somebody took along are replaced anyway."""
    taken_along = any(isinstance(effect, ReserveCards) for effect in row.effects)
    new_cards = tuple(each for each in row.effects if isinstance(each, ReplaceCards) and taken_along)
    found = referral(desk, body)
    return replace(found, effects=(*found.effects, *new_cards))


def decisions(desk: QueryDesk, case: Case) -> tuple[Preset, ...]:
    """Return the decisions that the post for what no rule covers has in a case; of cards, about its own."""
    table = desk.table
    cards = cards_of_case(table, case)
    own = cards.pile
    next_card = table.shoe is not None and table.shoe.left > 0 and not others_have_the_shoe(table, case)
    doubted = any(is_order_doubted(table, each) and each.id != case.id for each in table.open_cases)
    gone = own is None and sets_aside(table, case)  # its cards have their place, and no other takes theirs
    next_card = next_card and not (doubted or gone) and (own == "shoe" or not has_its_place(table))
    kept = not (own == "aside" and is_order_doubted(table, case))  # else the one that was to come follows
    together = case.situation is Situation.CARDS_TOGETHER
    opens_free_hand = desk.document.free_hand is not None and opens_seen(table, case)
    decides, over = desk.document.authority.not_covered, is_settled_again(desk)
    lasts = (desk.round is not None and not over) or _was_being_paid(desk, case)
    fits = {
        Preset.VOID_ROUND: case.round is None and lasts,
        Preset.RETURN_WAGERS: single_wager(desk, case) is not None
        or is_lost_taken(desk, case)
        or (case.round is None and desk.round is None and table.phase in (Phase.BETTING, Phase.CLOSED)),
        Preset.OFFER_WITHDRAWAL: decides is not None
        and case.round is None
        and not over
        and bool(withdrawable(desk, Withdrawable.SINGLE, decides.clause)),
        Preset.FREE_HAND: desk.document.free_hand is not None and kept,
        Preset.PLAY_CARD: own is not None and (together or not kept or not opens_free_hand),
        Preset.KEEP_AS_NEXT_CARD: own is not None
        and kept
        and not (stays_in_shoe(table, cards) or opens_free_hand or (own == "shoe" and is_to_begin(desk))),
        Preset.BURN_CARD: not_cut(desk) is None and (own in ("aside", "strays") or next_card),
        Preset.CONTINUE: own != "aside",
        Preset.TAKE_BACK: table.rounds_stand_by is None
        or case.situation is Situation.WRONG_PAYMENT
        or bool(case.round is None and table.round and table.round.refunded),
    }
    return tuple(each for each in DECISIONS if fits.get(each, True))


def governing_row(desk: QueryDesk, body: cmd.ReportIrregularity) -> Irregularity | Refused:
    """The row by which a report is dealt with as things are: the document's, or a referral."""
    row = _burned_with_others(desk, body) or find_row(desk, body)
    if isinstance(row, Refused):
        return row
    if is_of_cards_before(desk, body):  # nothing is wrong with the cards in use
        kept = (each for each in row.effects if not isinstance(each, ReplaceCards))
        row = replace(row, effects=tuple(kept))
    if row.device and desk.table.setup.device is Device.PLAIN:  # its clause speaks of other devices
        row = referral(desk, body)
    possible = all(_is_possible(desk, row, effect, body) for effect in row.effects)
    if not possible or _is_of_concluded_round(desk, row, body):
        row = _beyond(desk, row, body)
    return _while_it_lasts(desk, row, body)


def _burned_with_others(desk: QueryDesk, body: cmd.ReportIrregularity) -> Irregularity | None:
    """The row of a card that is seen before the burn: only then it is known which one opens a hand."""
    burn, known = desk.document.burn, all(body.cards) and (body.cards or not body.ahead)
    if burn is None or body.situation not in IN_THE_SHOE or not known or not is_burn_to_come(desk):
        return None
    return Irregularity(situation=body.situation, effects=(BurnNow(clause=burn.clause),), clause=burn.clause)


def find_row(desk: QueryDesk, body: cmd.ReportIrregularity) -> Irregularity | Refused:
    """The row whose circumstances hold; a missing fact is asked for; without a row the case is referred.

    Nothing is late by a clause until the closing call, and no round is settled again without an outcome.
    """
    settled_so = is_settled_last(desk) and not tells_outcome(desk)
    if body.situation in LATE and (desk.table.uncalled or settled_so):
        return referral(desk, body)
    rows = [row for row in desk.document.irregularities if row.situation is body.situation]
    unknown: list[str] = []
    for row in rows:
        holds, asked = True, []
        for name, allowed in circumstances(row).items():
            value = circumstance_of(desk, body, name)
            if value is None:
                asked.append(name)
            holds = holds and value in (*allowed, None)
        if holds and not asked:
            return row
        unknown += asked if holds else []
    if unknown:
        return refuse(Refusal.FACTS_NEEDED, facts=", ".join(dict.fromkeys(unknown)))
    return referral(desk, body)


def needs_confirmation(desk: QueryDesk, row: Irregularity, *, under_way: bool = False) -> bool:
    """Facts are confirmed that void a round; later those that change one, let it stand, or bring cards.

    A report of cards that begin the next round, or are taken up again, is about a round ``under_way``.
    """
    about_rounds = (ReconstructCards, LetPastRoundsStand)
    changes = any(isinstance(effect, about_rounds) or _brings_new_cards(effect) for effect in row.effects)
    referred = any(isinstance(effect, Refer) for effect in row.effects)
    over = desk.round is None or (is_settled_again(desk) and row.situation not in SET_ASIDE)
    later = over and not under_way and changes and not referred
    return later or any(isinstance(effect, VoidRound) for effect in row.effects)


def _brings_new_cards(effect: Effect) -> bool:
    return isinstance(effect, ReplaceCards) and effect.need is CardNeed.SHALL and effect.on == "always"
