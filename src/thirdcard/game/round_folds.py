"""The table as a round begins, is settled or void, and ends."""

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game import held_folds
from thirdcard.game.booked_mistakes import outside_of
from thirdcard.game.case_cards import cards_of_case, free_hands_without_cards
from thirdcard.game.current_folds import acted_on, in_round
from thirdcard.game.earlier_rounds import KEPT_OUTSIDE, KEPT_SHOE_STARTS, EarlierRound, Mistake, ShoeStart
from thirdcard.game.handed import as_balances, handed_before, left_waiting, refunded_by
from thirdcard.game.hands_told import ABOUT_A_HAND
from thirdcard.game.places import before, with_places
from thirdcard.game.shoe import Shoe
from thirdcard.game.state import OutsideWager, OwedHand, Phase, Round, Table
from thirdcard.game.wager_folds import credit_terminals, unmarked


def open_betting(table: Table, event: ev.BettingOpened) -> Table:  # noqa: ARG001 - as all steps
    """The table as betting opens."""
    before_it = table.round
    return replace(
        table,
        round=replace(before_it, passed=before_it.ended) if before_it else None,
        phase=Phase.BETTING,
        uncalled=False,
        closed_by_card=False,
        free_hands=(),
        squeeze_requested=(),
        decrease_asked=False,
        decrease_unanswered=(),
    )


def begin_round(table: Table, event: ev.RoundBegan) -> Table:
    """The table with a new round; of the one before, its cards are kept for as long as the shoe is in use."""
    last, shoe, earlier = table.round, table.shoe, table.earlier
    assert shoe is not None
    anew = last is not None and last.number == event.number  # it had begun, and no card of it is out
    if last is not None and not anew:
        places = shoe.places.lying if last.shoe == shoe.number and last.cards else ()
        cards = tuple([each.card for each in last.cards])
        mistaken = [each.patron for each in table.mistakes if each.round == last.number]
        patrons = dict.fromkeys([*[each.patron for each in last.settled], *mistaken])
        earlier = (*earlier, EarlierRound(last.number, cards, places, bool(last.settled), tuple(patrons)))
    begun = Round(
        number=event.number,
        method=event.method,
        free=event.free,
        last=event.last,
        shoe=shoe.number,
        to_come=shoe.places.strays,
    )
    owed = table.free_hand if event.free else None
    handed = table.handed if last is None or anew else handed_before(table, last.number)
    table = acted_on(table, owed.places) if owed else table
    if owed is not None and not {*shoe.places.strays}.intersection(owed.places):
        begun = replace(begun, serves=owed)
        others = (each for each in table.free_hands if each is not owed)
        same = {*owed.places}  # of a card that two reports were about, one free hand comes
        left = tuple(each for each in others if not each.places or not same.issuperset(each.places))
        table = replace(table, free_hands=left)
    if not table.shoe_starts or table.shoe_starts[-1].shoe != shoe.number:
        table = from_this_shoe(table, event.number)
    outside = () if anew or last is None else outside_of(last)
    outside = (*table.outside, *outside)[-KEPT_OUTSIDE:] if outside else table.outside
    return replace(
        table,
        rounds_stand_by=None,
        handed=handed,
        outside=outside,
        round=begun,
        rounds=event.number,
        phase=Phase.DEALING if event.free else table.phase,
        earlier=earlier,
        last_settled=table.last_settled if anew else last.settled if last else (),
        mistakes=_still_known(table.mistakes, last, outside),
        put_right=_still_known(table.put_right, last, outside),
        payments=_of_round(table.payments, last),
        claimed=_of_round(table.claimed, last),
    )


def _still_known(
    found: tuple[Mistake, ...], last: Round | None, outside: tuple[OutsideWager, ...]
) -> tuple[Mistake, ...]:
    """Return what is remembered of the last round, and of those who had wagers outside the limits before."""
    if not found:  # as nearly always
        return ()
    kept = {(each.round, each.wager.patron) for each in outside}
    number = last.number if last is not None else 0
    return tuple(each for each in found if each.round == number or (each.round, each.patron) in kept)


def _of_round(found: tuple[Mistake, ...], last: Round | None) -> tuple[Mistake, ...]:
    """Return what is remembered of one round."""
    return tuple(each for each in found if last and each.round == last.number) if found else ()


def from_this_shoe(table: Table, number: int) -> Table:
    """The table with a round as the first one of the shoe in use."""
    assert table.shoe is not None
    before = tuple(each for each in table.shoe_starts if each.round != number)
    return replace(table, shoe_starts=(*before, ShoeStart(number, table.shoe.number))[-KEPT_SHOE_STARTS:])


def close_betting(table: Table, event: ev.BettingClosed) -> Table:
    """Betting is closed; a call that comes after the first card leaves the deal as it is.

    A first card stops betting also where no clause closes it: then the call is still to come.
    """
    phase = Phase.CLOSED if table.phase is Phase.BETTING else table.phase
    by_card = event.call is None
    return replace(table, phase=phase, uncalled=by_card and not event.clauses, closed_by_card=by_card)


def fold_outcome(table: Table, event: ev.OutcomeKnown) -> Table:
    """The table with the outcome of its round; what was ruled about cards to come in it says no more."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    if current.in_turn:
        ruled = tuple(each for each in shoe.places.ruled if each not in current.in_turn)
        table = replace(table, shoe=with_places(shoe, ruled=ruled))
    return replace(in_round(table, facts=event.facts, in_turn=()), phase=Phase.OUTCOME)


def fold_call(table: Table, event: ev.OutcomeCalled) -> Table:
    """The table with the call of its outcome."""
    return in_round(table, called=event.winner, called_totals=(event.player, event.banker))


def settle_round(table: Table, event: ev.RoundSettled) -> Table:
    """The table after its round was settled."""
    waiting = left_waiting(table, event.wagers)
    settled = in_round(table, lay=table.wagers, settled=event.wagers, undone=None, waiting=waiting)
    table = replace(settled, wagers=())
    if table.setup.terminal:
        table = credit_terminals(table, ((each.patron, each.back + each.paid) for each in event.wagers))
    return held_folds.settle(table, event.wagers) if table.held else table


def reverse_settlement(table: Table, event: ev.SettlementReversed) -> Table:
    """The wagers lie on the layout again as they did before the settlement, the cards before the hands."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    if current.shoe == shoe.number:
        rounds_left = None if shoe.rounds_left is None else shoe.rounds_left + 1
        discards = shoe.discards - len(current.cards)
        shoe = replace(shoe, rounds=shoe.rounds - 1, discards=discards, rounds_left=rounds_left)
    if table.setup.terminal:
        table = credit_terminals(table, ((each.patron, -each.back - each.paid) for each in event.wagers))
    shut = table.phase is Phase.SHUT
    undone = replace(current, lay=(), settled=(), undone=event.wagers, waiting=())
    undone = replace(undone, called=None, ended=False, shut=shut)
    table = unmarked(table, current.number)
    table = held_folds.undo(table, event.wagers) if table.held else table
    return replace(table, round=undone, wagers=current.lay, phase=Phase.OUTCOME, shoe=shoe)


def void_round(table: Table, event: ev.RoundVoided) -> Table:
    """The table after its round was void."""
    if table.setup.terminal:
        back = ((each.patron, each.lying) for each in event.returned)
        undone = ((each.patron, each.lying - each.back - each.paid) for each in event.reversed)
        table = credit_terminals(table, (*back, *undone))
    current = table.round
    assert current is not None
    table = nothing_ruled(unmarked(table, current.number))
    table = held_folds.undo(table, event.reversed) if table.held else table
    if current.ended and table.aside and table.shoe:  # a round takes along what lies aside
        shoe = with_places(table.shoe, aside=())
        table = replace(table, aside=(), shoe=replace(shoe, discards=shoe.discards + len(table.aside)))
    return replace(
        table,
        round=replace(
            current,
            void=True,
            lay=(),
            settled=(),
            undone=None,
            waiting=(),
            set_apart=(),
            refunded=as_balances(refunded_by((*event.returned, *event.reversed))),
        ),
        wagers=(),
        free_hands=_still_owed(table, current) if table.free_hands or current.serves else (),
    )


def _still_owed(table: Table, current: Round) -> tuple[OwedHand, ...]:
    """The free hands after a void round: the one it was and the others, unless their cards came out in it."""
    served, shoe = current.serves, table.shoe
    assert shoe is not None
    gone = free_hands_without_cards(table)
    others = tuple(each for each in table.free_hands if each not in gone)
    if served is None or current.void:
        return others
    places = served.places if current.shoe == shoe.number else ()
    inside = tuple(each for each in places if before(shoe, each) is not None)
    return (replace(served, places=inside), *others) if inside or not served.places else others


def nothing_ruled(table: Table) -> Table:
    """The table when the wagers go back: what was ruled about known cards was ruled for them.

    Whoever decides that may decide about cards of the next round as well.
    """
    shoe = table.shoe
    assert shoe is not None
    if not shoe.places.ruled:
        return table
    own = cards_of_case(table, table.case).places
    own = (*own, *dict(shoe.places.asked).get(table.case.id if table.case else 0, ()))
    return replace(
        table, shoe=with_places(shoe, ruled=tuple(each for each in shoe.places.ruled if each in own))
    )


def end_round(table: Table, event: ev.RoundEnded) -> Table:  # noqa: ARG001 - as all steps
    """The table after its round ended."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    outside = len(table.reserved) + len(table.aside)  # these came out of the cards in use in any case
    if current.shoe == shoe.number:
        rounds_left = None if shoe.rounds_left is None else max(shoe.rounds_left - 1, 0)
        discards = shoe.discards + len(current.cards)
        shoe = replace(shoe, rounds=shoe.rounds + 1, discards=discards, rounds_left=rounds_left)
    shoe = with_places(replace(shoe, discards=shoe.discards + outside), reserved=(), aside=())
    reserved, lacking = list(table.reserved), list[Card]()
    for card in current.lacking:  # what was reserved and not needed lies among the discards by now
        (reserved.remove if card in reserved else lacking.append)(card)
    return replace(
        table,
        told=tuple(each for each in table.told if each.situation not in ABOUT_A_HAND),
        round=replace(current, ended=True, holdings=(), had=current.holdings, lacking=tuple(lacking)),
        shoe=shoe,
        phase=Phase.SHUT if current.shut else Phase.IDLE,
        decrease_asked=False,
        decrease_unanswered=(),
        squeeze_permitted=(),
        squeeze_forbidden=False,
        squeeze_forbidden_to=(),
        reserved=(),
        aside=(),
        patrons=tuple(each for each in table.patrons if not each.gone),
        free_hands=tuple(_with_cards_left(each, shoe) for each in table.free_hands),
    )


def _with_cards_left(owed: OwedHand, shoe: Shoe) -> OwedHand:
    """The free hand with the cards that are left to begin it, where a round took some of them along."""
    left = tuple(
        place for place in owed.places if place in shoe.places.strays or before(shoe, place) is not None
    )
    return replace(owed, places=left) if left else owed
