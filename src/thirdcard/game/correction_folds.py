"""The table after a card was corrected, wherever it lies."""

import itertools

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game.case_cards import TELLS_THE_ORDER, cards_of_case, waiting_by_number
from thirdcard.game.current_folds import in_round
from thirdcard.game.places import learn
from thirdcard.game.shoe import Shoe
from thirdcard.game.state import Case, Phase, Table


def correct_card(table: Table, event: ev.CardCorrected) -> Table:
    """The table with another face on a card of its last round, or of one before that it still knows.

    Cards count in the order in which they came out: those at the hands, those aside, those that wait, and
    possible third cards.
    """
    current, shoe, index = table.round, table.shoe, event.number - 1
    if current is None or shoe is None or current.number != event.round:
        return _correct_earlier(table, event)
    if index >= len(current.cards):
        return _correct_outside(table, index - len(current.cards), event)
    cards = tuple(
        replace(each, card=event.new) if place == index else each for place, each in enumerate(current.cards)
    )
    equal = sum(each.card == event.old for each in current.cards[:index])
    cases = (
        _told_otherwise(each, event, equal) if each.situation in TELLS_THE_ORDER else each
        for each in table.open_cases
    )
    table = replace(in_round(table, cards=cards), open_cases=tuple(cases))
    if index in current.substituted:
        table = in_round(table, lacking=tuple(filter(None, _exchange(current.lacking, event))))
    if current.shoe == shoe.number:
        table = replace(table, shoe=_other_face(shoe, shoe.places.lying[index : index + 1], event))
    if table.phase is not Phase.OUTCOME:
        return table
    return replace(in_round(table, facts=None), phase=Phase.DEALING)


def _correct_outside(table: Table, index: int, event: ev.CardCorrected) -> Table:
    """The table with another face on a card that lies aside, waits for the next round, or is reserved."""
    shoe = table.shoe
    assert shoe is not None
    is_aside, waiting = index < len(table.aside), waiting_by_number(table)
    if index >= len(table.aside) + len(waiting):
        return _correct_reserved(table, shoe, index - len(table.aside) - len(waiting), event)
    if not is_aside:
        index = shoe.places.strays.index(waiting[index - len(table.aside)][0])
    pile, piled = (table.aside, shoe.places.aside) if is_aside else (table.strays, shoe.places.strays)
    places = piled[index : index + 1]
    changed = (*pile[:index], event.new, *pile[index + 1 :])
    cases = (
        _told_otherwise(each, event, _equal_before(table, shoe, each, places, event))
        if _is_about(table, each, places)
        else each
        for each in table.open_cases
    )
    table = replace(table, open_cases=tuple(cases), shoe=_other_face(shoe, places, event))
    return replace(table, aside=changed) if is_aside else replace(table, strays=changed)


def _correct_reserved(table: Table, shoe: Shoe, index: int, event: ev.CardCorrected) -> Table:
    """The table with another face on a possible third card."""
    shoe = _other_face(shoe, shoe.places.reserved[index : index + 1], event)
    reserved = (*table.reserved[:index], event.new, *table.reserved[index + 1 :])
    return replace(table, reserved=reserved, shoe=shoe)


def _other_face(shoe: Shoe, places: tuple[int, ...], event: ev.CardCorrected) -> Shoe:
    """The shoe when a card that left it has another face."""
    drawn = list(shoe.drawn)
    if event.old in drawn:
        drawn.remove(event.old)
    ahead = ((each, event.new if each in places else face) for each, face in shoe.places.ahead)
    shoe = replace(shoe, places=replace(shoe.places, ahead=tuple(ahead)))
    return replace(learn(shoe, places, (event.new,) * len(places)), drawn=(*drawn, event.new))


def _is_about(table: Table, case: Case, places: tuple[int, ...]) -> bool:
    return {*places} <= {*cards_of_case(table, case).places}


def _equal_before(
    table: Table, shoe: Shoe, case: Case, places: tuple[int, ...], event: ev.CardCorrected
) -> int:
    """How many cards of a case with the old face of a correction come before the one that is corrected."""
    aside = zip(shoe.places.aside, table.aside, strict=True)
    faces = {**dict(aside), **dict(zip(shoe.places.strays, table.strays, strict=True))}
    earlier = itertools.takewhile(lambda place: place not in places, cards_of_case(table, case).places)
    return sum(faces.get(place) == event.old for place in earlier)


def _told_otherwise(case: Case, event: ev.CardCorrected, equal: int) -> Case:
    """The case with another face on one of its cards; so many equal ones come before it."""
    return replace(case, cards=_exchange(case.cards, event, equal))


def _exchange(
    cards: tuple[Card | None, ...], event: ev.CardCorrected, equal: int = 0
) -> tuple[Card | None, ...]:
    """Cards with the new face of a correction in the place of its old one, if that is among them.

    Of several equal ones it is that behind so many others.
    """
    same = [place for place, each in enumerate(cards) if each == event.old]
    if not same:
        return cards
    index = same[min(equal, len(same) - 1)]
    return (*cards[:index], event.new, *cards[index + 1 :])


def _correct_earlier(table: Table, event: ev.CardCorrected) -> Table:
    """The table with another face on a card of a round before the last one, if it still has that round."""
    index, shoe = event.number - 1, table.shoe
    earlier = list(table.earlier)
    for place, each in enumerate(earlier):
        if each.number == event.round and index < len(each.cards):
            cards = (*each.cards[:index], event.new, *each.cards[index + 1 :])
            earlier[place] = replace(each, cards=cards)
            if shoe is not None and each.places:
                shoe = _other_face(shoe, each.places[index : index + 1], event)
    return replace(table, shoe=shoe, earlier=tuple(earlier))
