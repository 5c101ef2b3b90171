"""Irregularities: a report is held against the table, and the effects of its row are carried out."""

from collections.abc import Callable
from itertools import takewhile

from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.burning import is_burn_left_out
from thirdcard.game.case_cards import (
    SET_ASIDE,
    UNAUTHORISED,
    becomes_free,
    begins_with_cards,
    blocking,
    faces_aside,
    is_order_doubted,
    refuse_before,
    unclaimed,
)
from thirdcard.game.causes import Cause
from thirdcard.game.closing import call_outcome
from thirdcard.game.dealing import (
    advance,
    begin_deal,
    refuse_first_card,
)
from thirdcard.game.desk import Desk, QueryDesk
from thirdcard.game.irregularities.claims import as_drawn, complete, contradiction
from thirdcard.game.irregularities.dealt_together import take_up
from thirdcard.game.irregularities.delivery_claims import refuse_rightly_passed, takes_a_hand
from thirdcard.game.irregularities.effects import carry_out, close_case, finish, wait_first
from thirdcard.game.irregularities.facts import facts_needed, missing_facts
from thirdcard.game.irregularities.limit_mistakes import is_too_little, round_meant
from thirdcard.game.irregularities.money_effects import record_taken_away
from thirdcard.game.irregularities.nobody_alone import refuse_alone
from thirdcard.game.irregularities.repeated_reports import (
    is_replaced,
    refuse_before_order,
    refuse_repeated,
    refuse_same_card,
)
from thirdcard.game.irregularities.rows import (
    LATE,
    as_case,
    decisions,
    find_row,
    governing_row,
    is_first_of_next_hand,
    is_fourth_card,
    needs_confirmation,
)
from thirdcard.game.irregularities.told_hands import TELLS_OF_A_HAND, know_hand
from thirdcard.game.irregularities.wager_claims import is_exceeded_in_the_deal
from thirdcard.game.next_cards import find_mismatch, other_expected, other_expected_inside, source_of
from thirdcard.game.offers import is_answered
from thirdcard.game.places import before, known_ahead, seen_at
from thirdcard.game.rounds import BETWEEN_ROUNDS, MOST_CARDS, is_settled_last
from thirdcard.game.sealed_cards import refuse_against_seal
from thirdcard.game.shoe import Shoe
from thirdcard.game.state import Case, Phase, Table, Wait
from thirdcard.game.table_setup import Automatic
from thirdcard.game.texts import has_words
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.rulebook.irregularity import (
    DetermineCardOrder,
    Irregularity,
    OfferWithdrawal,
    ReconstructCards,
    Refer,
    ReopenBetting,
    ReserveCards,
    Situation,
)

# commands about the cards: before the result is called by itself it is seen what came
HANDLES_CARDS = (
    cmd.DrawCard,
    cmd.PassCards,
    cmd.DeclineCards,
    cmd.ChooseSqueezer,
    cmd.ChooseRevealOrder,
    cmd.LookAtCards,
    cmd.ExposeCards,
    cmd.AnnounceTotals,
)
# effects that ask somebody: nobody is asked while facts are to be confirmed by which the round is void
ASKS_SOMEBODY = (OfferWithdrawal, Refer, DetermineCardOrder, ReserveCards)
# commands by which play goes on: a permission that nobody has used lapses with them
PLAY = (
    cmd.EndOffer,
    cmd.CloseBetting,
    *HANDLES_CARDS,
    cmd.CallOutcome,
    cmd.OpenBetting,
    cmd.DealFreeHand,
)


def report(desk: Desk, body: cmd.ReportIrregularity) -> Refused | None:
    """Take a report by staff."""
    refused = desk.refuse_other_than_staff()
    if refused:
        return refused
    if body.situation is Situation.NOT_COVERED and not has_words(body.note):
        return refuse(Refusal.TEXT_NEEDED)
    refused = _refuse_as_told(desk, body) or notice(desk, body)
    put_back = body.situation is Situation.ORDER_ALTERED and body.reconstructable and any(body.cards)
    if refused or not put_back:
        return refused
    # whoever names cards that lie in their order again has seen them there
    return notice(desk, replace(body, situation=Situation.FACE_UP_CARD, reconstructable=None, seen=True))


def refuse_report(desk: QueryDesk, body: cmd.ReportIrregularity) -> Refused | None:
    """Refuse a report that the table does not take, whoever of the staff makes it."""
    refused = _refuse_as_told(desk, body)
    row = _row_of_report(desk, complete(desk, body), by_two=True)
    return refused or (row if isinstance(row, Refused) else None)


def _refuse_as_told(desk: QueryDesk, body: cmd.ReportIrregularity) -> Refused | None:
    """Refuse a report that the seal, the cards to come or an open case contradicts as it is told."""
    refused = refuse_against_seal(desk, body) or _refuse_to_begin(desk, body)
    refused = refused or refuse_same_card(desk.table, body)
    return refused or _other_cards_expected(desk, body)


def _refuse_to_begin(desk: QueryDesk, body: cmd.ReportIrregularity) -> Refused | None:
    """Refuse cards that came together and would begin a round while another case is under way."""
    begun = desk.table.aside or desk.table.phase in (Phase.DEALING, Phase.OUTCOME)
    case = blocking(desk.table)
    if begun or case is None or body.situation is not Situation.CARDS_TOGETHER:
        return None
    return refuse_before(case)


def _other_cards_expected(desk: QueryDesk, body: cmd.ReportIrregularity) -> Refused | None:
    """Cards that came out are those that were known to come next."""
    lying = body.situation not in SET_ASIDE or desk.table.aside or body.dealt
    if lying or not body.cards or desk.table.shoe is None:
        return None
    if desk.table.phase is Phase.IDLE:
        return other_expected_inside(desk.table.shoe, body.cards)
    return other_expected(desk.table, as_drawn(body))


def see(desk: Desk, body: cmd.ReportIrregularity, cause: Cause | None = None) -> Refused | None:
    """Open a case that the table has noticed by itself."""
    return notice(desk, body, by=desk.table.setup.table, cause=cause)


def notice(
    desk: Desk,
    body: cmd.ReportIrregularity,
    by: str | None = None,
    cause: Cause | None = None,
    *,
    doubts: Callable[[Desk], None] | None = None,
) -> Refused | None:
    """Open a case, whoever noticed, unless the table knows better or lacks a fact.

    ``doubts`` opens the case of cards that came instead of known ones, which is dealt with before this one.
    """
    body = body if doubts else complete(desk, body)
    noticed = by == desk.table.setup.table
    row = _row_of_report(desk, body, by_two=desk.two_people() is None, noticed=noticed)
    if isinstance(row, Refused):
        return row
    refused = refuse_alone(desk, row, body) if by is None else None
    if refused:
        return refused
    for each in desk.table.open_cases:
        if is_replaced(desk, each, body):
            desk.emit(ev.CaseClosed(id=each.id, superseded_by=desk.table.cases + 1))
    if (hand := takes_a_hand(desk, body)) is not None and body.patron:
        desk.emit(ev.CardsDelivered(hand=hand, patron=body.patron))
    comes = body.situation in SET_ASIDE and body.cards and not body.dealt
    wrong_start = wrongs_of_first_card(desk) if comes else ()
    if body.situation in SET_ASIDE and not body.dealt:
        _set_aside(desk, body, others=doubts is not None)
    if comes and is_burn_left_out(desk):
        see(desk, cmd.ReportIrregularity(situation=Situation.BURN_FORGOTTEN))
        if not desk.table.aside:  # they went back, so that nobody is asked about them
            return None
    if is_fourth_card(desk, body.situation):
        _look_at_fourth_card(desk, body)
    else:
        open_case(desk, row, body, by or desk.actor, cause, runs=doubts is None)
    if doubts is not None:
        doubts(desk)
    see_all(desk, wrong_start, Cause.NO_CLOSING_CALL)
    return None


def wrongs_of_first_card(desk: QueryDesk, *, is_allowed: bool = False) -> tuple[Situation, ...]:
    """Return what is wrong with a round whose first card comes now, alone or with others.

    Where betting closes by announcement alone, a first card without one is not covered by any clause; and
    the differential may be exceeded, which is met before the first card. It ``is_allowed`` where that was
    looked at already.
    """
    if desk.table.phase not in (Phase.BETTING, Phase.CLOSED):
        return ()
    uncalled = desk.table.phase is Phase.BETTING and not desk.document.round.closes_at_first_card
    over = not is_allowed and refuse_first_card(desk) is not None
    found = ((uncalled, Situation.NOT_COVERED), (over, Situation.DIFFERENTIAL_EXCEEDED))
    return tuple(situation for is_so, situation in found if is_so)


def see_all(desk: Desk, situations: tuple[Situation, ...], cause: Cause) -> None:
    """Open the cases of what the table has noticed by itself, unless it did already or the round is over.

    The cause is that of what no rule covers.
    """
    if not situations:  # as nearly always
        return
    opened = (each.case for each in desk.events if isinstance(each, ev.IrregularityReported))
    said = {each.situation for each in opened if each.by == desk.table.setup.table}
    for each in situations:
        if desk.round is not None and each not in said:
            not_covered = each is Situation.NOT_COVERED
            see(desk, cmd.ReportIrregularity(situation=each), cause if not_covered else None)


def _look_at_fourth_card(desk: Desk, body: cmd.ReportIrregularity) -> None:
    """Open the case of a card for a hand that has three: seen, it is the first of the next hand, disclosed.

    Where no clause speaks of that either, the post decides about it.
    """
    cards = faces_aside(desk.table, unclaimed(desk.table)[: len(body.cards) or 1])
    seen = cmd.ReportIrregularity(situation=Situation.NEXT_CARD_KNOWN, cards=cards, seen=True)
    row = find_row(desk, seen) if desk.document.free_hand and (any(cards) or body.seen) else None
    if row is None or isinstance(row, Refused):
        told, table = (
            cmd.ReportIrregularity(situation=Situation.NOT_COVERED, cards=cards),
            desk.table.setup.table,
        )
        presets = decisions(desk, replace(as_case(told), by=table))
        found = Irregularity(situation=told.situation, effects=(Refer(presets=presets),))
        open_case(desk, found, told, table, Cause.FOURTH_CARD)
        return
    desk.emit(ev.StrayCardsKept(cards=cards, clauses=(row.clause,) if row.clause else ()))
    if not begins_with_cards(desk.table):
        see(desk, replace(seen, cards=desk.table.strays))


def _row_of_report(
    desk: QueryDesk, body: cmd.ReportIrregularity, *, by_two: bool = False, noticed: bool = False
) -> Irregularity | Refused:
    """The row by which a completed report opens a case, or why the table does not take the report."""
    refused = refuse(Refusal.NO_CARDS_LOADED) if desk.table.shoe is None else None
    refused = refused or refuse_repeated(desk, body, noticed=noticed)
    refused = refused or _contradicted(desk, body, by_two=by_two, noticed=noticed)
    refused = refused or missing_facts(desk, body)
    row = refused or governing_row(desk, body)
    if isinstance(row, Refused):
        return row
    return facts_needed(desk, row, body, by_two=by_two) or refuse_before_order(desk, row) or row


def _contradicted(
    desk: QueryDesk, body: cmd.ReportIrregularity, *, by_two: bool, noticed: bool
) -> Refused | None:
    """Refuse what cannot be so; two people correct the entry that the Dealer opened a hand somebody had.

    The table itself notices a hand that goes astray as it is passed.
    """
    refused = contradiction(desk, body)
    if is_entry_to_correct(refused) and by_two:
        return None
    return refused or (None if noticed else refuse_rightly_passed(desk, body))


def is_entry_to_correct(refused: Refused | None) -> bool:
    """Whether all that contradicts a report is an entry which two people can correct with it."""
    return refused is not None and refused.reason is Refusal.WAS_NOT_PASSED


def _set_aside(desk: Desk, body: cmd.ReportIrregularity, *, others: bool) -> None:
    """Cards that are told with a report have left the dealing device; some lie aside already.

    ``others`` are none of those that were known to come.
    """
    if desk.table.aside or not body.cards:
        return
    over = desk.table.phase is Phase.IDLE  # a card in error of the round that is over
    if not over:
        begin_deal(desk)
    waited = None if over or others or find_mismatch(desk.table, as_drawn(body)) else source_of(desk.table)
    hand = UNAUTHORISED.get(body.situation)
    desk.emit(ev.CardsSetAside(cards=body.cards, hand=hand, by=waited or desk.actor))


def look_at_known(desk: Desk) -> None:
    """Ask about a card that was seen in the shoe and begins the hand to come, or can come in it."""
    table, shoe = desk.table, desk.table.shoe
    under_way, same = desk.round is not None, desk.round is not None and desk.round.same_cards
    if shoe is None or (shoe.new_cards_due and not same) or (begins_with_cards(table) and not under_way):
        return
    went_back, reach = _went_back_seen(table, shoe), MOST_CARDS - len(table.strays)
    for place in dict.fromkeys((*went_back[:1], *known_ahead(shoe))):
        ahead = before(shoe, place) or 0
        first = is_first_of_next_hand(table, ahead)
        never = first and desk.document.free_hand is not None  # a free hand in any case
        owed = becomes_free(table) if under_way else bool(table.free_hands)
        later = owed and (ahead or table.strays)  # not the first card of the one that is owed
        if later or (place in shoe.places.ruled and not never) or (under_way and ahead >= reach):
            continue
        begins_next = first and not under_way
        situation = Situation.NEXT_CARD_KNOWN if begins_next else Situation.FACE_UP_CARD
        cards = seen_at(shoe, went_back if first and place in went_back else (place,))
        see(desk, cmd.ReportIrregularity(situation=situation, cards=cards, ahead=ahead, seen=True))
        return


def _went_back_seen(table: Table, shoe: Shoe) -> tuple[int, ...]:
    """The places of the cards that went back after some of them were seen, if nobody has ruled about them.

    A patron may have looked at cards whose faces the table does not know.
    """
    current, places = table.round, shoe.places
    looked = current is not None and current.seen_before and current.shoe == shoe.number
    known = dict(places.ahead)
    return tuple(takewhile(lambda each: each not in places.ruled and (looked or each in known), places.back))


def look_at_differential(desk: Desk) -> None:
    """Notice that wagers which went back in the deal leave the differential exceeded."""
    current, over = desk.round, Situation.DIFFERENTIAL_EXCEEDED
    noted = current is None or over in (*current.noted, *(each.situation for each in desk.table.open_cases))
    if not noted and is_exceeded_in_the_deal(desk):
        see(desk, cmd.ReportIrregularity(situation=Situation.DIFFERENTIAL_EXCEEDED))


def open_case(
    desk: Desk,
    row: Irregularity,
    body: cmd.ReportIrregularity,
    by: str,
    cause: Cause | None = None,
    *,
    runs: bool = True,
    told_by: Case | None = None,
) -> None:
    """Record the irregularity; a void waits until its facts are confirmed.

    Whether cards count that came instead of known ones is decided before anything else about them. Where a
    case is judged anew, it is ``told_by`` the one before, with what is done of that.
    """
    command, dealt = desk.body, take_up(desk, body, row.clause)
    before_the_call = body.situation in LATE and desk.table.uncalled  # it is still to come
    case = Case(
        id=desk.table.cases + 1,
        situation=row.situation,
        effects=row.effects,
        clause=row.clause,
        cards=body.cards,
        ahead=body.ahead,
        patron=body.patron,
        hand=body.hand,
        wager=body.wager,
        position=body.position,
        amount=-body.amount if is_too_little(body) else body.amount,
        by=told_by.by if told_by else by,
        second=told_by.second if told_by else desk.envelope.authoriser if by == desk.actor else None,
        done=told_by.done if told_by and told_by.effects == row.effects else 0,
        round=_round_before(desk, body),
        cause=cause or (Cause.CHIPS_BEFORE_THE_CALL if before_the_call else None),
        corrected=(command.round or desk.table.rounds) if isinstance(command, cmd.CorrectCard) else None,
        dealt=told_by.dealt if told_by else dealt,
    )
    clauses = (row.clause,) if row.clause else ()
    desk.emit(ev.IrregularityReported(case=case, by=by, note=body.note, clauses=clauses))
    if body.situation in TELLS_OF_A_HAND:
        know_hand(desk, body, case)
    if body.situation is Situation.LATE_WITHDRAWAL and row.clause is None and not is_settled_last(desk):
        _, clause = desk.not_covered()  # the chips are gone, whatever the post decides
        record_taken_away(desk, (clause,) if clause else ())
    unconfirmed = case if needs_confirmation(desk, row) else desk.table.unconfirmed
    if unconfirmed is not None and (_asks_somebody(case) or unconfirmed is case):
        _wait_for_facts(desk, unconfirmed)
    elif row.situation in SET_ASIDE and (doubted := _order_in_doubt(desk.table)) is not None:
        post, clause = desk.not_covered()
        clauses = (clause,) if clause else ()
        desk.emit(ev.CaseWaits(waits=Wait.DECISION, post=post, case=doubted.id, clauses=clauses))
    elif runs:
        run_cases(desk)
    if desk.round is not None and body.situation in TELLS_OF_A_HAND:
        advance(desk)


def _asks_somebody(case: Case) -> bool:
    """Whether anything that a case is still to do asks somebody."""
    return any(isinstance(each, ASKS_SOMEBODY) for each in case.effects[case.done :])


def _order_in_doubt(table: Table) -> Case | None:
    """The open case about cards that came instead of those that were known to come."""
    return next((each for each in table.open_cases if is_order_doubted(table, each)), None)


def _round_before(desk: QueryDesk, body: cmd.ReportIrregularity) -> int | None:
    """Return the round that a report is about, if another one was called since."""
    if body.situation is Situation.OLD_LIMIT_MISTAKE:
        return round_meant(desk, body)
    current, phase = desk.table.round, desk.table.phase
    payment = body.situation is Situation.WRONG_PAYMENT  # of the last round, which may have given stakes back
    before = body.previous_round and not payment and phase is Phase.IDLE
    if before and current is not None and current.void:
        return current.number - 1 or None  # the round that is void was called since
    past = (body.previous_round or payment) and phase not in BETWEEN_ROUNDS
    return desk.table.settled_round or None if past else None


def _wait_for_facts(desk: Desk, case: Case) -> None:
    """Wait until facts are confirmed by which a round is void: nothing else is dealt with before that."""
    clauses, post = (case.clause,) if case.clause else (), desk.house.form.facts_confirmed_by
    desk.emit(ev.CaseWaits(waits=Wait.CONFIRMATION, post=post, case=case.id, clauses=clauses))


def run_cases(desk: Desk, *, calls: bool = True) -> None:
    """Carry out effects until one waits for somebody, or no case is left; then a table may call by itself.

    Facts that are to be confirmed go before whatever asks somebody.
    """
    while (case := desk.table.case) is not None and case.waits is None:
        first = desk.table.unconfirmed
        if first is not None and _asks_somebody(case):
            _wait_for_facts(desk, first)
        elif case.offer is not None:
            if not is_answered(desk):
                return
            effect = case.effects[case.done]
            desk.emit(ev.OfferClosed())
            finish(desk, effect)
            look_at_differential(desk)
        elif case.done == len(case.effects):
            close_case(desk)
            if any(isinstance(each, ReconstructCards | DetermineCardOrder) for each in case.effects):
                look_at_strays(desk)  # a card that was seen and is left over is known before the next hand
        else:
            effect, current = case.effects[case.done], desk.round
            if isinstance(effect, ReopenBetting) and current is not None and not current.cards:
                look_at_known(desk)  # whatever was known before
            if desk.table.case is case:
                carry_out(desk, effect)
    look_at_differential(desk)
    if calls:
        call_by_itself(desk)


def look_at_strays(desk: Desk) -> None:
    """Ask about cards that wait for the next hand, if any was seen and nobody was asked about as many."""
    table, shoe = desk.table, desk.table.shoe
    if shoe is None or begins_with_cards(table) or shoe.new_cards_due:
        return
    if desk.round is not None and table.phase is Phase.DEALING and desk.round.to_come:
        return  # they come in this hand
    if any(is_order_doubted(table, each) for each in table.open_cases):  # they may open this hand after all
        return
    places = shoe.places
    waiting = zip(places.strays, table.strays, strict=True)
    never = desk.document.free_hand is not None and any(table.strays[:1])  # a free hand in any case
    if not never and not any(face and place not in places.ruled for place, face in waiting):
        return
    for each in table.open_cases:
        if each.situation is Situation.NEXT_CARD_KNOWN and len(each.cards) < len(table.strays):
            desk.emit(ev.CaseClosed(id=each.id, superseded_by=table.cases + 1))
    seen = table.strays[0] is not None
    see(desk, cmd.ReportIrregularity(situation=Situation.NEXT_CARD_KNOWN, cards=table.strays, seen=seen))


def call_by_itself(desk: Desk) -> None:
    """A table that calls by itself does so once nothing keeps it."""
    current = desk.round
    calls = Automatic.CALL in desk.table.setup.automatic and desk.table.phase is Phase.OUTCOME
    if calls and blocking(desk.table) is None and current and current.facts:
        call_outcome(desk, current.facts.winner)


def let_lapse(desk: Desk, body: cmd.Body) -> bool:
    """Go on without a permission that nobody has given; a clause that says may holds nobody up.

    Who plays on may be a patron with cards; whether that is so is decided as without the case.
    """
    lapsed = False
    plays = isinstance(body, PLAY) and (desk.is_staff(desk.actor) or not isinstance(body, cmd.EndOffer))
    while plays and (case := blocking(desk.table)) and case.waits is Wait.PERMISSION:
        if isinstance(body, cmd.CloseBetting) and case.situation is Situation.CUTTING_CARD_FIRST:
            break  # no card has come
        if desk.table.case is not case:  # one about the next hand came to light after it
            wait_first(desk, case)
        finish(desk, case.effects[case.done], done=False, lapsed=True)
        run_cases(desk, calls=not isinstance(body, HANDLES_CARDS))
        lapsed = True
    return lapsed
