"""Nobody alone: what one person tells or decides moves no money where no clause names the post."""

from thirdcard.game import commands as cmd
from thirdcard.game.case_cards import TELLS_THE_ORDER
from thirdcard.game.controls import refuse_two
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.card_effects import is_laid_by_continuing, lie_otherwise
from thirdcard.game.irregularities.rows import needs_confirmation
from thirdcard.game.rounds import is_card_known
from thirdcard.game.squeezing import lies_with_patron
from thirdcard.game.state import Case, Phase, Table
from thirdcard.refusals import Refused
from thirdcard.rulebook.house import MoneyAct
from thirdcard.rulebook.irregularity import (
    ExposeByDealer,
    Irregularity,
    OfferWithdrawal,
    Preset,
    ReconstructCards,
    Refer,
    RefuseWager,
    ReopenBetting,
    ResetDealingDevice,
    Situation,
)

# reports by which cards are drawn: whoever deals enters them like any other card
DRAWN = (
    Situation.CARDS_TOGETHER,
    Situation.UNAUTHORISED_PLAYER_CARD,
    Situation.UNAUTHORISED_BANKER_CARD,
)
# reports that a post decides about, by which cards lie as they are told
TELLS_FACES = (*TELLS_THE_ORDER, Situation.PATRON_LEFT_WITH_CARDS)
# decisions that leave the outcome and the wagers as they are, if the cards lie as they were drawn
LEAVES_MONEY = (Preset.CONTINUE, Preset.REPLACE_CARDS)


def needs_two_people(desk: QueryDesk, row: Irregularity, body: cmd.ReportIrregularity) -> bool:
    """Whether a report moves money by the word of those who tell it: no post decides or confirms it.

    Before a card is known nobody gains by chips that go back; chips that are booked away cost their patron.
    """
    if needs_confirmation(desk, row, under_way=body.dealt):
        return False
    known = desk.table.phase is not Phase.BETTING and is_card_known(desk)
    alone = body.situation in (Situation.WRONG_PAYMENT, Situation.LATE_WITHDRAWAL)
    alone = alone or _exposes_what_a_patron_has(desk, body)
    # the record has it that the cards went back
    owed = desk.table.shoe is not None and desk.table.shoe.burn_owed
    alone = alone or (body.situation is Situation.BURN_FORGOTTEN and owed and bool(body.seen))
    # the order of cards that lie there with their faces known was told before, and is told otherwise now
    alone = alone or (body.situation is Situation.CARDS_TOGETHER and any(desk.table.aside))
    alone = alone or (body.dealt and known)
    for effect in row.effects if body.situation not in DRAWN else ():
        match effect:
            case ReconstructCards() | ExposeByDealer():
                alone = alone or any(body.cards)
            case Refer() if body.situation in TELLS_FACES and desk.round is not None:
                alone = alone or any(body.cards)
            case OfferWithdrawal():
                alone = alone or (known and effect.by is None)
            case RefuseWager() | ResetDealingDevice() | ReopenBetting():
                alone = alone or known
            case _:
                pass
    return alone


def refuse_alone(desk: Desk, row: Irregularity, body: cmd.ReportIrregularity) -> Refused | None:
    """Refuse the report of one person that takes two, or that only who deals makes alone."""
    others = tells_for_the_dealer(desk.table, body) and desk.refuse_other_than_dealer(()) is not None
    if not others and not needs_two_people(desk, row, body):
        return None
    paid = body.situation is Situation.WRONG_PAYMENT
    return refuse_two(desk, MoneyAct.PAYMENT) if paid else desk.two_people()


def tells_for_the_dealer(table: Table, body: cmd.ReportIrregularity) -> bool:
    """Whether a report enters what the Dealer deals: cards that came out, or the faces of a hand.

    Whoever does not deal tells it with a second person. Cards that lie aside have come already.
    """
    came = body.situation in DRAWN and not table.aside
    return came or (body.situation is Situation.EXPOSED_IN_ERROR and any(body.cards))


def _exposes_what_a_patron_has(desk: QueryDesk, body: cmd.ReportIrregularity) -> bool:
    """Whether a report tells of cards as open that the Dealer does not have, or that went to a patron."""
    if body.situation is Situation.WRONG_DELIVERY:
        return any(body.cards)
    exposed = body.situation is Situation.EXPOSED_IN_ERROR and body.hand is not None
    current = desk.round if exposed else None
    return current is not None and body.hand is not None and lies_with_patron(desk, current, body.hand)


def refuse_decision_alone(desk: Desk, case: Case, body: cmd.Rule) -> Refused | None:
    """Refuse the decision of one person that moves money, where no clause names the post."""
    return desk.two_people() if is_decided_by_two(desk, case, {body.choice, *body.also}) else None


def is_decided_by_two(desk: QueryDesk, case: Case, chosen: set[str]) -> bool:
    """Whether two people must stand for what is decided."""
    effect = case.effects[case.done] if case.done < len(case.effects) else None
    if not isinstance(effect, Refer) or desk.document.authority.not_covered is not None:
        return False
    wagered = desk.table.phase in (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
    # a card at the wrong hand goes by its turn when its case ends, whatever was decided
    wrong_order = case.situation is Situation.WRONG_ORDER and desk.round is not None
    lays = wrong_order and lie_otherwise(desk)
    lays = lays or (Preset.CONTINUE in chosen and is_laid_by_continuing(desk, case))
    moves = wagered and (lays or not chosen <= {*LEAVES_MONEY})
    paid = bool({Preset.PAY, Preset.TAKE_BACK} & chosen) or case.situation is Situation.WRONG_PAYMENT
    return moves or paid
