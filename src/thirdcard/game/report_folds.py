"""The table after a report was made, judged, closed or taken back, and what it told of cards."""

from collections.abc import Iterable

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game.booked_mistakes import leaves_a_booking
from thirdcard.game.case_cards import (
    IN_THE_SHOE,
    SET_ASIDE,
    UNAUTHORISED,
    cards_of_case,
    is_laid_in_order,
    is_noticed,
    is_order_doubted,
    is_sorted,
    leaves_in_error,
    leaves_known_cards,
    never_came,
    places_told,
    set_aside_for,
    sets_aside,
    unclaimed,
)
from thirdcard.game.current_folds import acted_on, in_round, no_longer_noted
from thirdcard.game.hands_told import ABOUT_A_HAND, cards_before, hands_in_doubt, leaves_a_hand
from thirdcard.game.places import (
    before,
    came_from_behind,
    known_ahead,
    known_faces,
    learn,
    passed_over,
    was_misread,
    with_places,
)
from thirdcard.game.shoe import Shoe
from thirdcard.game.shoe_folds import know_ahead, reserve_goes_back
from thirdcard.game.state import CardState, Case, OwedHand, Phase, Table
from thirdcard.rulebook.irregularity import OfferWithdrawal, PlayCard, Preset, Situation

# cases about cards, or about hands or bookings that lie otherwise by the word of a report
REMEMBERED_REPORTS = frozenset(
    (
        *SET_ASIDE,
        *IN_THE_SHOE,
        *ABOUT_A_HAND,
        Situation.ORDER_ALTERED,
        Situation.DEVICE_RESET,
        Situation.BURN_FORGOTTEN,
        Situation.OLD_LIMIT_MISTAKE,
    )
)


def tells_of_cards(table: Table, case: Case) -> bool:
    """Whether the table keeps anything that a case tells: of cards, of a hand or of a booking."""
    shoe, current = table.shoe, table.round
    kept = (*(shoe.places.asked if shoe else ()), *(current.untold if current else ()))
    return (
        bool(case.cards)
        or case.situation in REMEMBERED_REPORTS
        or any(number == case.id for number, _ in kept)
    )


def ask_about(table: Table, case: Case) -> Table:
    """A case about cards of the dealing device has their places, and its report tells their faces.

    Where a clause lets them come in their turn, carrying it out tells the faces.
    """
    told, shoe = places_told(table, case), table.shoe
    if not told or shoe is None:
        return table
    played = any(isinstance(each, PlayCard) for each in case.effects)
    if before(shoe, told[0]) is not None and not played:
        known = known_faces(shoe, told)
        table = know_ahead(table, told, case.cards)
        table = _told_first(table, case, (place for place, face in zip(told, known, strict=True) if not face))
        shoe = table.shoe
        assert shoe is not None
    places = replace(shoe.places, asked=(*shoe.places.asked, (case.id, told)))
    return replace(table, shoe=replace(shoe, places=places))


def lay_aside_for(table: Table, case: Case) -> Table:
    """The table when cards that lie aside have their case: those that it names, or else the first one.

    Nothing about them is left to judge later.
    """
    shoe = table.shoe
    if shoe is None or not sets_aside(table, case):
        return table
    together = case.situation is Situation.CARDS_TOGETHER
    own = unclaimed(table, doubted=together)[: len(case.cards) or 1]
    if is_order_doubted(table, case):  # also those that another case is about
        own = shoe.places.aside
    early = tuple(place for place in shoe.places.early if place not in own)
    returned = tuple(place for place in shoe.places.returned if place not in own)
    asked = (*shoe.places.asked, (case.id, own))
    places = replace(shoe.places, early=early, returned=returned, asked=asked)
    return replace(table, shoe=replace(shoe, places=places)) if own else table


def _told_first(table: Table, case: Case, places: Iterable[int]) -> Table:
    """The table that keeps which faces only the report of a case has told."""
    shoe = table.shoe
    assert shoe is not None
    first = tuple(places)
    others = tuple(each for each in shoe.places.told if each[0] != case.id)
    told = (*others, (case.id, first)) if first else others
    return replace(table, shoe=replace(shoe, places=replace(shoe.places, told=told)))


def _forget_told(table: Table, number: int) -> Table:
    """The table when nobody knows the faces that only a report told which was not so."""
    shoe = table.shoe
    assert shoe is not None
    first = dict(shoe.places.told).get(number, ())
    waiting = dict(zip(shoe.places.strays, table.strays, strict=True))
    drawn, faces = list(shoe.drawn), list(shoe.places.faces)
    for place in first:
        face = waiting.get(place)
        if face:
            drawn.remove(face)
            faces[place] = waiting[place] = None
    shoe = replace(shoe, drawn=tuple(drawn), places=replace(shoe.places, faces=tuple(faces)))
    table = replace(table, shoe=shoe, strays=tuple(waiting.values()))
    return know_ahead(table, first, ())


def know_outside(table: Table, case: Case) -> Table:
    """The table that knows the faces which a report tells of cards outside: dealt in error, or waiting."""
    shoe, own = table.shoe, cards_of_case(table, case)
    if shoe is None or case.situation not in (*UNAUTHORISED, Situation.NEXT_CARD_KNOWN):
        return table
    places = shoe.places
    outside = dict(zip((*places.aside, *places.strays), (*table.aside, *table.strays), strict=True))
    told = {
        place: face
        for place, face in zip(own.places, case.cards, strict=False)
        if face and place in outside and outside[place] is None
    }
    outside |= told
    table = _told_first(table, case, told) if told else table
    shoe = table.shoe
    assert shoe is not None
    return replace(
        table,
        shoe=replace(learn(shoe, told, [*told.values()]), drawn=(*shoe.drawn, *told.values())),
        aside=tuple(outside[place] for place in places.aside),
        strays=tuple(outside[place] for place in places.strays),
    )


def undo_report(table: Table, number: int) -> Table:
    """The table when an irregularity is found not to be so: its round does not note it.

    Cards that never came have no faces. Possible third cards that were set aside come next again.
    """
    case = next((each for each in table.open_cases if each.id == number), None)
    situation = case.situation if case else None
    again = any(each.situation is situation and each.id != number for each in table.open_cases)
    if case is None or table.round is None:
        return table
    if never_came(table, case):
        table = _forget_aside(table, cards_of_case(table, case).places)
    table = _unexposed(table, case)
    if again:
        return table
    if situation is Situation.PATRON_LEFT_WITH_CARDS and not is_sorted(case):
        table = reserve_goes_back(table)
    if situation is Situation.WRONG_DELIVERY and is_noticed(table, case):
        return _hand_lies_as_before(table, case)
    assert situation is not None
    return no_longer_noted(table, situation)


def told_no_more(table: Table, number: int) -> Table:
    """The table that does not keep how the cards lay before a report any more."""
    current = table.round
    if current is None or not any(case == number for case, _ in current.untold):
        return table
    return in_round(table, untold=tuple(each for each in current.untold if each[0] != number))


def _unexposed(table: Table, case: Case) -> Table:
    """The table when a hand lies as it did before a report, which was not so: nobody knows what that told."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    cards = cards_before(table, case)
    if cards is None or cards == current.cards:
        return table
    drawn, faces = list(shoe.drawn), list(shoe.places.faces)
    changed = zip(shoe.places.lying, current.cards, cards, strict=False)
    for place, face in ((place, old.card) for place, old, new in changed if old.card and not new.card):
        faces[place] = None
        drawn.remove(face)
    shoe = replace(shoe, drawn=tuple(drawn), places=replace(shoe.places, faces=tuple(faces)))
    touched = {each.hand for each in cards if each.state is not CardState.FACE_DOWN}
    opened = tuple(each for each in current.opened if each in touched)
    looked = tuple(each for each in current.looked if each.hand in touched)
    table = in_round(table, cards=cards, opened=opened, looked=looked, facts=None)
    phase = Phase.DEALING if table.phase is Phase.OUTCOME else table.phase
    return replace(table, shoe=shoe, phase=phase)


def _hand_lies_as_before(table: Table, case: Case) -> Table:
    """The table when a patron was there after all, or a hand was never passed to a wrong one.

    Who was not away has the hand again; one that was not passed lies with the Dealer.
    """
    current, hands = table.round, hands_in_doubt(table, case)
    assert current is not None
    noted = tuple(each for each in current.noted if each is not case.situation)
    if case.situation is Situation.WRONG_DELIVERY:
        held = tuple(each for each in current.holdings if each.hand not in hands)
        return in_round(table, holdings=held, noted=noted)
    drawn = {each.hand for each in current.cards if each.drawn_by == case.patron}
    again = tuple(each for each in current.declined if each.hand in hands and each.patron == case.patron)
    passed = tuple(each for each in again if each.hand not in drawn)  # who drew a hand has it without that
    left = tuple(each for each in current.declined if each not in again)
    chosen = tuple(each for each in current.chosen if each.hand not in hands)
    holdings = (*current.holdings, *passed)
    return in_round(table, holdings=holdings, declined=left, chosen=chosen, noted=noted)


def count_again(table: Table, number: int) -> Table:
    """The table when a card is found in a dealing device that had none left by the count."""
    shoe = table.shoe
    too_few = any(e.id == number and e.situation is Situation.TOO_FEW_CARDS for e in table.open_cases)
    if shoe is None or not too_few:
        return table
    return replace(table, shoe=replace(shoe, left=shoe.left + 1, discards=shoe.discards - 1))


def _forget_aside(table: Table, never_out: tuple[int, ...]) -> Table:
    """The table when nobody knows some of the cards that lie aside."""
    shoe = table.shoe
    assert shoe is not None
    drawn, faces = list(shoe.drawn), list(shoe.places.faces)
    aside = dict(zip(shoe.places.aside, table.aside, strict=True))
    for place in never_out:
        face = aside[place]
        faces[place] = aside[place] = None
        if face:
            drawn.remove(face)
    shoe = replace(shoe, drawn=tuple(drawn), places=replace(shoe.places, faces=tuple(faces)))
    return replace(table, aside=tuple(aside.values()), shoe=shoe)


def asked_no_more(table: Table, number: int, *, forget: bool) -> Table:
    """A case is over; what a report told is forgotten where the report was not so."""
    shoe = table.shoe
    told = dict(shoe.places.asked).get(number, ()) if shoe else ()
    if shoe is None or not told:
        return table
    if forget:
        table = _forget_told(table, number)
        shoe = table.shoe
        assert shoe is not None
    asked = tuple(each for each in shoe.places.asked if each[0] != number)
    first = tuple(each for each in shoe.places.told if each[0] != number)
    return replace(table, shoe=replace(shoe, places=replace(shoe.places, asked=asked, told=first)))


def to_be_judged(table: Table, event: ev.CaseClosed) -> Table:
    """The table when a case is over before anything was decided: its cards aside are judged again."""
    case, shoe = next((each for each in table.open_cases if each.id == event.id), None), table.shoe
    if case is None or shoe is None or case.done or case.situation not in UNAUTHORISED:
        return table
    returned = (*shoe.places.returned, *set_aside_for(table, case))
    return replace(table, shoe=with_places(shoe, returned=tuple(dict.fromkeys(returned))))


def judge_case(table: Table, event: ev.CaseClosed | ev.FactsDisproved | ev.ReportWithdrawn) -> Table:
    """The table when a case is over: one that is not so is judged no more.

    One by which play goes on, as a wager was decided, is judged by that alone.
    """
    if not isinstance(event, ev.CaseClosed):
        left = tuple(each for each in table.round.judged if each.id != event.id) if table.round else ()
        return in_round(table, judged=left) if table.round else table
    case = next((each for each in table.open_cases if each.id == event.id), None)
    by_course = case is not None and case.situation is Situation.POWER_FAILURE and not event.superseded_by
    asks = case is not None and any(isinstance(each, OfferWithdrawal) for each in case.effects)
    return with_judged(table, case) if by_course and not asks else table


def judge_others(table: Table, case: Case) -> Table:
    """The table when another case of its round is about the same as some that have asked nobody."""
    current, shoe = table.round, table.shoe
    assert current is not None
    assert shoe is not None
    asked = dict(shoe.places.asked)
    own = {*asked.get(case.id, ())}
    again = [
        each.id
        for each in current.judged
        if each.situation is case.situation and (not own or own.intersection(asked.get(each.id, ())))
    ]
    for number in again:
        table = asked_no_more(table, number, forget=False)
    return in_round(table, judged=tuple(each for each in current.judged if each.id not in again))


def with_judged(table: Table, case: Case | None) -> Table:
    """The table when a case asks nobody as the cards lie: corrected cards may let it ask after all."""
    current = table.round
    assert case is not None
    return in_round(table, judged=(*current.judged, case)) if current and not current.ended else table


def comes_after_all(table: Table, number: int) -> Table:
    """The table when a case is over in which another card came than was to come: that one comes next.

    A case about the cards that came keeps their places. Somebody can still say that the one which comes next
    was misread.
    """
    shoe = table.shoe
    doubted = [e for e in table.open_cases if e.id == number and is_order_doubted(table, e)]
    if shoe is None or not doubted:
        return table
    came = {each.id for each in table.open_cases if sets_aside(table, each)}
    own = {case: told for case, told in shoe.places.asked if case in came}
    first = len(shoe.places.faces)
    for place in reversed(passed_over(shoe)):  # of several the first one comes first
        shoe = came_from_behind(shoe, place)
    still_there = tuple(reversed(range(first, len(shoe.places.faces))))
    asked = tuple((case, own.get(case, told)) for case, told in shoe.places.asked if case != number)
    asked = (*asked, (number, still_there)) if still_there else asked
    told = (*table.told, *doubted) if still_there else table.told
    return replace(table, told=told, shoe=replace(shoe, places=replace(shoe.places, asked=asked)))


def leaves_known(table: Table, number: int) -> tuple[Case, ...]:
    """The case that is closed, if somebody can still say that its report was not so."""
    own = (each for each in table.open_cases if each.id == number)
    left = (leaves_known_cards, leaves_a_hand, leaves_in_error, leaves_a_booking)
    return tuple(each for each in own if any(leaves(table, each) for leaves in left))


def take_back_told(table: Table, number: int) -> Table:
    """The table when cards that a report told are not known: no free hand begins with them.

    Those that were kept on top of the dealing device come next, and of those outside nobody has seen the
    first one.
    """
    case, shoe = next(each for each in table.told if each.id == number), table.shoe
    assert shoe is not None
    if case.situation in (*ABOUT_A_HAND, Situation.OLD_LIMIT_MISTAKE):
        left = tuple(each for each in table.told if each.id != number)
        about_a_hand = case.situation in ABOUT_A_HAND
        return replace(_hand_lies_as_before(table, case) if about_a_hand else table, told=left)
    misread = _misread(table, number)
    if misread:
        table = _without_misread(table, misread)
        return take_back_told(table, number) if any(each.id == number for each in table.told) else table
    told, others = cards_of_case(table, case).places, _told_besides(table, number)
    went_back = told if case.situation in SET_ASIDE else shoe.places.disclosed  # they never came out
    inside = tuple(place for place in went_back if place in told and place not in others)
    waiting = dict(zip(shoe.places.strays, table.strays, strict=True))
    unseen = {*inside, *(place for place in told[:1] if place in waiting)}
    drawn, faces = list(shoe.drawn), list(shoe.places.faces)
    for place in unseen - {place for place, face in others.items() if face}:
        face = waiting[place]
        if face:
            drawn.remove(face)
        faces[place] = waiting[place] = None
    shoe = replace(shoe, drawn=tuple(drawn), left=shoe.left + len(inside))
    places = replace(
        shoe.places,
        faces=tuple(faces),
        back=(*inside, *shoe.places.back),
        strays=tuple(place for place in shoe.places.strays if place not in inside),
        disclosed=tuple(place for place in shoe.places.disclosed if place not in inside),
        put=tuple(each for each in shoe.places.put if each[0] not in inside),
    )
    owed = [each for each in table.free_hands if {*each.places}.intersection(told)]
    owed = owed[-1:] if others.keys() & {*told} else owed  # the others rest on what the others told
    table = replace(
        table,
        shoe=replace(shoe, places=places),
        strays=tuple(waiting[place] for place in places.strays),
        free_hands=_without_last(table.free_hands, owed),
        told=tuple(each for each in table.told if each.id != number),
    )
    if table.round is not None:
        noted = tuple(each for each in table.round.noted if each is not case.situation)
        table = in_round(table, noted=noted)
    table = asked_no_more(know_ahead(table, told, ()), number, forget=False)
    again = tuple(place for place in told if others.get(place) and before(shoe, place) is not None)
    return know_ahead(table, again, tuple(others[place] for place in again)) if again else table


def _misread(table: Table, number: int) -> tuple[int, ...]:
    """The places of cards that were to come next after others came, if a report about them is not so."""
    asked = dict(table.shoe.places.asked) if table.shoe else {}
    doubted = (each.id for each in table.told if is_order_doubted(table, each))
    still_there = {place for each in doubted for place in asked.get(each, ())}
    return tuple(place for place in asked.get(number, ()) if place in still_there)


def _without_misread(table: Table, places: tuple[int, ...]) -> Table:
    """The table when cards that were to come next were misread: nobody knows any of them."""
    shoe = table.shoe
    assert shoe is not None
    for place in sorted(places, reverse=True):
        shoe = was_misread(shoe, place)
    over = {case for case, left in shoe.places.asked if not left}
    asked = tuple(each for each in shoe.places.asked if each[0] not in over)
    told = tuple(each for each in table.told if each.id not in over)
    return replace(table, told=told, shoe=replace(shoe, places=replace(shoe.places, asked=asked)))


def _told_besides(table: Table, number: int) -> dict[int, Card | None]:
    """The cards that other reports tell of, which are as much in doubt, by their places."""
    asked = dict(table.shoe.places.asked) if table.shoe else {}
    found: dict[int, Card | None] = {}
    for each in (other for other in table.told if other.id != number):
        places = asked.get(each.id, ())
        for place, face in zip(places, (*each.cards, *(None,) * len(places)), strict=False):
            found[place] = face or found.get(place)
    return found


def _without_last(hands: tuple[OwedHand, ...], gone: list[OwedHand]) -> tuple[OwedHand, ...]:
    """Free hands without some of them, each the last one of its kind."""
    left = list(reversed(hands))
    for each in gone:
        left.remove(each)
    return tuple(reversed(left))


def drawn_since(table: Table, before_it: Shoe) -> Table:
    """The table when cards have come out that a report told of: whoever drew them has acted on it.

    Where another card came than the one that was told, nobody has.
    """
    shoe = table.shoe
    assert shoe is not None
    others = passed_over(shoe)
    places = (place for _, told in shoe.places.asked for place in told)
    out = (place for place in places if place not in others and _waits(before_it, place))
    return acted_on(table, tuple(place for place in out if not _waits(shoe, place)))


def _waits(shoe: Shoe, place: int) -> bool:
    """Whether a card is still to be drawn: it is in the dealing device, or waits for the next round."""
    return place in shoe.places.strays or before(shoe, place) is not None


def ruled_order(table: Table, event: ev.RulingMade) -> Table:
    """The table when a post has said in which order the cards of its case came."""
    shoe, own = table.shoe, cards_of_case(table, table.case)
    if shoe is None or own.pile != "aside" or not event.cards:
        return table
    ordered = tuple(dict.fromkeys((*shoe.places.ordered, *own.places)))
    return replace(table, shoe=with_places(shoe, ordered=ordered))


def _for_this_round(table: Table, places: tuple[int, ...]) -> Table:
    """The table when a post lets cards come in the round under way; that they open the next is not said."""
    current = table.round
    assert current is not None
    return in_round(table, in_turn=tuple(dict.fromkeys((*current.in_turn, *places))))


def let_come(table: Table, event: ev.RulingMade) -> Table:
    """A post lets known cards come in their turn; cards that it lets be laid by the table of play have none.

    Where it burns a card that came instead of one that waits or was seen, that one comes. What it decides
    about a burn that was left out ends what was owed.
    """
    shoe, case, chosen = table.shoe, table.case, (event.choice, *event.also)
    own = cards_of_case(table, case)
    if not is_order_doubted(
        table, case
    ):  # else the post decides about another card than the one that was told
        table = acted_on(table, own.places)
    if shoe is None or case is None or (Preset.PLAY_CARD in chosen and is_laid_in_order(table, case)):
        return table
    places = own.places if {Preset.PLAY_CARD, Preset.KEEP_AS_NEXT_CARD}.intersection(chosen) else ()
    inside = (*shoe.places.back, *known_ahead(shoe))
    if Preset.BURN_CARD in chosen and is_order_doubted(table, case):
        places = (*shoe.places.strays, *shoe.places.aside, *inside)
    under_way = table.round is not None and not table.round.ended
    if case.situation is Situation.DEVICE_RESET and under_way and Preset.VOID_ROUND not in chosen:
        places = inside  # the round is dealt again with them
    if case.situation is Situation.BURN_FORGOTTEN:
        shoe = replace(shoe, burn_owed=False)
    if under_way and table.phase is not Phase.OUTCOME:
        table = _for_this_round(table, tuple(each for each in places if before(shoe, each) is not None))
    ruled = (*shoe.places.ruled, *places)
    return replace(table, shoe=replace(shoe, places=replace(shoe.places, ruled=ruled)))
