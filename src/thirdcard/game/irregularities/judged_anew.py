"""Cases that are opened or judged again after a command, because the table has changed under them."""

import operator

from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.case_cards import (
    IN_THE_SHOE,
    cards_of_case,
    is_from_other_cards,
    is_told_anew,
    strays_of_round,
)
from thirdcard.game.causes import Cause
from thirdcard.game.closing import cards_decide
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.card_effects import end_what_is_pointless
from thirdcard.game.irregularities.cases import open_case, run_cases, see
from thirdcard.game.irregularities.rows import governing_row
from thirdcard.game.irregularities.wager_claims import is_exceeded_in_the_deal
from thirdcard.game.laying import came_out, lay_out
from thirdcard.game.limits import gap_of, settles_pro_rata
from thirdcard.game.offers import is_answered
from thirdcard.game.rounds import circumstance_of, takes_none
from thirdcard.game.state import Case, Phase, Wait
from thirdcard.refusals import Refused
from thirdcard.rulebook.irregularity import (
    DetermineCardOrder,
    Irregularity,
    OfferWithdrawal,
    Situation,
    circumstances,
)

# circumstances that change with the course of the round, and with them the clause by which patrons are asked
OF_THE_COURSE = ("decided", "stage")
# commands by which it is established what lay there all the time
ESTABLISHES_WAGERS = (cmd.CorrectWager, cmd.FindWager, cmd.ReportIrregularity)
# what a post decides about only because no hand takes a card: a corrected card may let a clause decide
BEYOND_THE_HANDS = (*IN_THE_SHOE, Situation.CARDS_TOGETHER)


def judge_anew(desk: Desk) -> None:
    """Judge cases anew whose ground has changed: by the clause that holds now, or not at all.

    Whoever has not answered yet is asked no more, unless the clause that holds now says so. An offer ends
    that leaves nothing to withdraw.
    """
    for case in desk.table.open_cases:
        if _was_never_so(desk, case):
            desk.emit(ev.CaseClosed(id=case.id))
            run_cases(desk)
            continue
        found = _other_row(desk, case)
        if found is not None:
            row, told = found
            desk.emit(ev.CaseClosed(id=case.id, superseded_by=desk.table.cases + 1))
            open_case(desk, row, told, desk.table.setup.table, told_by=case)
    if _is_corrected(desk):
        _ask_after_all(desk)
    if desk.table.offer is not None and is_answered(desk):
        run_cases(desk)


def _is_corrected(desk: Desk) -> bool:
    """Whether a card of the round under way was corrected now."""
    return ev.CardCorrected in map(type, desk.events) and desk.round is not None


def _other_row(desk: Desk, case: Case) -> tuple[Irregularity, cmd.ReportIrregularity] | None:
    """The row by which a case is dealt with as things are now, if another one held until now."""
    told = _as_report(case)
    asks = case.offer is not None or case.waits is Wait.PERMISSION
    referred = case.waits is Wait.DECISION and case.clause is None and _is_corrected(desk)
    if case.waits is Wait.RESERVED_CARDS:  # as many may be left no more
        told = replace(told, value_known=False)
        row = governing_row(desk, told)
        return (row, told) if isinstance(row, Irregularity) and row.clause is None else None
    if asks and not _has_ground(desk, case, told):
        row = governing_row(desk, told)
        return None if isinstance(row, Refused) else (row, told)
    if not referred or not _can_be_dealt(desk, case):
        return None
    if case.situation is Situation.NEXT_CARD_KNOWN:  # it comes in this round
        told = replace(told, situation=Situation.FACE_UP_CARD)
    row = governing_row(desk, told)
    return None if isinstance(row, Refused) or row.clause is None else (row, told)


def _can_be_dealt(desk: QueryDesk, case: Case) -> bool:
    """Whether the known cards of a case, beyond the hands until now, can be dealt to one of them."""
    own, dealing = cards_of_case(desk.table, case), desk.table.phase is Phase.DEALING
    dealing = dealing and not is_from_other_cards(desk.table)
    if case.situation not in BEYOND_THE_HANDS or not dealing or takes_none(desk) or not all(case.cards):
        return False
    out = own.pile == "aside" and not is_told_anew(desk.table, case)
    return bool(case.cards) and case.hand is None and (out or own.pile == "shoe")


def _was_never_so(desk: Desk, case: Case) -> bool:
    """Whether wagers were not too much, or too many in an area, by what two people establish now."""
    table = desk.table
    if not isinstance(desk.body, ESTABLISHES_WAGERS) or case.waits is not Wait.DECISION or not desk.round:
        return False
    if case.situation is Situation.DIFFERENTIAL_EXCEEDED:
        return table.phase in (Phase.DEALING, Phase.OUTCOME) and gap_of(table) <= table.setup.differential
    return case.cause is Cause.WAGER_TOO_MANY and not is_area_too_full(desk, case.wager, case.position)


def is_area_too_full(desk: QueryDesk, wager: str | None, position: int | None) -> bool:
    """Whether more patrons have a wager in a playing area than are allowed."""
    table = desk.table
    owners = {each.patron for each in table.wagers if (each.wager, each.position) == (wager, position)}
    return table.owners_per_area is not None and len(owners) > table.owners_per_area


def _ask_after_all(desk: Desk) -> None:
    """Open a case again by which nobody was asked, where the clause that holds now asks patrons."""
    for case in desk.round.judged if desk.round else ():
        told = _as_report(case)
        row = governing_row(desk, told) if case.situation is not Situation.CARDS_TOGETHER else None
        asks = isinstance(row, Irregularity) and any(isinstance(e, OfferWithdrawal) for e in row.effects)
        if asks and isinstance(row, Irregularity) and not _is_open(desk, case):
            open_case(desk, row, told, desk.table.setup.table, told_by=case)


def lay_by_their_case(desk: Desk, *, over: bool) -> None:
    """Open cases again whose cards came together and wait, if a hand takes one after a correction.

    Patrons are asked first: nobody was while no hand took a card. Cards that came before those are none of
    them, and lie at their hands then. About a round that is ``over`` nobody is asked.
    """
    for case in desk.round.judged if desk.round and not over else ():
        before, current, shoe = desk.table, desk.round, desk.table.shoe
        assert current is not None
        assert shoe is not None
        places, waiting = dict(shoe.places.asked).get(case.id, ()), strays_of_round(desk.table)
        own = [(place, face) for place, face in waiting if place in places]
        first, last = (own[0][0], own[-1][0]) if own else (0, -1)
        lying = [*zip(shoe.places.aside, desk.table.aside, strict=True)]
        lying = sorted((*lying, *(each for each in waiting if each[0] <= last)), key=operator.itemgetter(0))
        out = came_out(desk, current.cards)
        earlier = out.hands + sum(place < first for place, _ in lying)
        laid = lay_out(desk, out.laid_by(desk.actor)).laid
        if not own or len(laid) <= earlier or _is_open(desk, case):
            continue
        aside = tuple(face for place, face in lying if place >= first)
        hands = laid[:earlier]  # as they are now, before one of these
        desk.emit(ev.CardsReconstructed(cards=hands, aside=aside, clauses=cards_decide(desk)))
        end_what_is_pointless(desk, before)
        done = sum(isinstance(each, DetermineCardOrder) for each in case.effects[: case.done])
        row = Irregularity(situation=case.situation, effects=case.effects, clause=case.clause)
        told = replace(_as_report(case), cards=tuple(face for _, face in own))
        open_case(desk, row, told, desk.table.setup.table, told_by=replace(case, done=done))


def _is_open(desk: QueryDesk, case: Case) -> bool:
    return any(each.id == case.id for each in desk.table.open_cases)


def _as_report(case: Case) -> cmd.ReportIrregularity:
    """The report that a case would be opened by; cards that came together have their order by now."""
    together = case.situation is Situation.CARDS_TOGETHER
    return cmd.ReportIrregularity(
        situation=case.situation,
        cards=case.cards,
        ahead=case.ahead,
        patron=case.patron,
        hand=case.hand,
        wager=case.wager,
        position=case.position,
        amount=case.amount,
        order_known=True if together else None,
    )


def _has_ground(desk: QueryDesk, case: Case, told: cmd.ReportIrregularity) -> bool:
    """Whether the circumstances of the row of a case still hold that change with the course of the round."""
    rows = (each for each in desk.document.irregularities if each.situation is case.situation)
    later = case.cause is Cause.PATRON_NOT_ASKED  # of the row the offer alone
    row = next(
        (e for e in rows if e.effects == case.effects or (later and case.effects[0] in e.effects)), None
    )
    asked = circumstances(row) if row else {}
    return all(circumstance_of(desk, told, name) in asked[name] for name in OF_THE_COURSE if name in asked)


def look_at_found(desk: Desk, body: cmd.FindWager, gap: int) -> Refused | None:
    """A wager that is found may be one too many in its area, or exceed the differential too late."""
    if is_area_too_full(desk, body.wager, body.position):
        fourth = cmd.ReportIrregularity(
            situation=Situation.NOT_COVERED, patron=body.patron, wager=body.wager, position=body.position
        )
        return see(desk, fourth, Cause.WAGER_TOO_MANY)
    over, more = Situation.DIFFERENTIAL_EXCEEDED, gap_of(desk.table) > gap
    asked = any(each.situation is over for each in desk.table.open_cases)
    scaled = settles_pro_rata(desk.document) and gap > desk.table.setup.differential  # it was said before
    if more and not (asked or scaled) and is_exceeded_in_the_deal(desk):
        return see(desk, cmd.ReportIrregularity(situation=over))
    return None
