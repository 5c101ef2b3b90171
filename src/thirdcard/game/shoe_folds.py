"""The table after something happened to the shoe, and to cards that lie beside it."""

import operator

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import Alarm, AlarmKind
from thirdcard.game.case_cards import are_cards_out, cards_of_case, faces_aside, unclaimed
from thirdcard.game.current_folds import in_case, in_round
from thirdcard.game.places import coming, known_faces, still_wait, take, tell, with_places
from thirdcard.game.shoe import NewCards, Shoe
from thirdcard.game.state import Phase, Table


def fold_shoe(
    table: Table,
    event: ev.CardsCut
    | ev.CardsBurned
    | ev.CardsCounted
    | ev.CuttingCardSeen
    | ev.CardReplacementDue
    | ev.CardsChosen
    | ev.ShoeEnded
    | ev.ShoeOpened,
) -> Table:
    """The table after something happened to the shoe."""
    shoe = table.shoe
    assert shoe is not None
    match event:
        case ev.CardsCut():
            shoe = replace(shoe, cut_by=event.by, cut_depth=event.depth)
        case ev.CardsCounted():
            shoe = replace(shoe, counted=event.cards)
        case ev.CardsBurned():
            return _burn(table, shoe, event)
        case ev.CuttingCardSeen():
            shoe = replace(shoe, rounds_left=event.rounds_left)
        case ev.CardReplacementDue():
            if event.need == NewCards.SHALL and table.round is not None and not table.round.ended:
                table = in_round(table, same_cards=False)  # also for a round whose cards went back
            shoe = _replacement(table, shoe, event)
        case ev.CardsChosen():
            others = tuple(each for each in shoe.chosen if each[0] != event.patron)
            shoe = replace(shoe, chosen=(*others, (event.patron, event.replace)))
        case ev.ShoeOpened():
            shoe = replace(shoe, opened=True, rounds_left=0)
        case _:
            shoe = replace(shoe, rounds_left=0)
    return replace(table, shoe=shoe)


def _replacement(table: Table, shoe: Shoe, event: ev.CardReplacementDue) -> Shoe:
    match event.need:
        case NewCards.SHALL:
            return replace(shoe, new_cards_due=True, replace_by=next(iter(event.clauses), None))
        case NewCards.PATRONS_CHOOSE:
            here = tuple(each.name for each in table.patrons if not each.gone)
            return replace(shoe, patrons_choose=True, choosers=here, chosen=(), burn_owed=False)
        case NewCards.WHOLE_OR_NEW | NewCards.WHOLE:
            return replace(shoe, doubted_by=event.clauses[0] if event.need == NewCards.WHOLE_OR_NEW else None)
        case NewCards.KEEP:
            return replace(shoe, keep_by=event.clauses[0], patrons_choose=False, burn_owed=False)
        case _:
            return shoe


def _burn(table: Table, shoe: Shoe, event: ev.CardsBurned) -> Table:
    """Cards that wait outside are burned for the case that decides about them, others come from the shoe."""
    shoe, count = replace(shoe, discards=shoe.discards + event.cards), event.cards
    own = cards_of_case(table, table.case)
    if table.aside and event.waiting and own.pile != "strays":
        return _with_nothing_out(_without_aside(replace(table, shoe=shoe), _taken_aside(table, count)))
    if table.strays and event.waiting:
        burned = {*(own.places if own.pile == "strays" else shoe.places.strays)[:count]}
        left = [each for each in _waiting(table, shoe) if each[0] not in burned]
        shoe = still_wait(shoe, tuple(place for place, _ in left))
        return replace(table, strays=tuple(face for _, face in left), shoe=shoe)
    known, went_back = known_faces(shoe, coming(shoe, count)), shoe.places.back
    shoe, _ = take(shoe, (event.first or known[0], *known[1:]) if known else ())
    if went_back and not shoe.places.back and table.round is not None and not table.round.cards:
        table = in_round(table, seen_before=False)  # none of the cards that went back can come any more
    owed = shoe.burn_owed and table.case is not None  # a card that a post lets burn is not the burn
    return replace(table, shoe=replace(shoe, burned=(shoe.burned or 0) + count, burn_owed=owed))


def _waiting(table: Table, shoe: Shoe) -> list[tuple[int, Card | None]]:
    """The cards that wait for the next round, with their places."""
    return [*zip(shoe.places.strays, table.strays, strict=True)]


def _taken_aside(table: Table, count: int) -> tuple[int, ...]:
    """The places of so many cards aside that a case gives their place, as a rule its own.

    Besides it are those that no case has, and at last those of others.
    """
    case, shoe = table.case, table.shoe
    assert shoe is not None
    waits = case is not None and (case.waits is not None or case.offer is not None)
    cards = cards_of_case(table, None if waits else case)
    own = cards.places if cards.pile == "aside" else ()
    left = unclaimed(table)
    more = sorted({*own, *left} - {*shoe.places.early}) if count > len(own) else own
    return tuple(dict.fromkeys((*more, *left, *shoe.places.aside)))[:count]


def _without_aside(table: Table, gone: tuple[int, ...]) -> Table:
    """The table when some cards do not lie aside any more."""
    shoe = table.shoe
    assert shoe is not None
    lying = [each for each in zip(shoe.places.aside, table.aside, strict=True) if each[0] not in gone]
    shoe = with_places(shoe, aside=tuple(place for place, _ in lying))
    return replace(table, aside=tuple(face for _, face in lying), shoe=shoe)


def _with_nothing_out(table: Table) -> Table:
    """The table whose round is still to get its first card, if all that came out for it is elsewhere."""
    current = table.round
    playing = current is not None and not (current.ended or current.free) and table.phase is Phase.DEALING
    return replace(table, phase=Phase.CLOSED) if playing and not are_cards_out(table) else table


SeenPlaces = tuple[tuple[int, Card], ...]


def went_back_seen(shoe: Shoe, seen: SeenPlaces) -> Shoe:
    """The shoe when cards that were seen went back into it: known there, and nothing ruled yet."""
    back = {place: face for place, face in seen if place in shoe.places.back}
    if not back:
        return shoe
    ahead = (*(each for each in shoe.places.ahead if each[0] not in back), *back.items())
    ruled = tuple(place for place in shoe.places.ruled if place not in back)
    return replace(shoe, places=replace(shoe.places, ahead=ahead, ruled=ruled))


def first_stray(shoe: Shoe, waiting: tuple[tuple[int, Card | None], ...]) -> int:
    """The index among the strays of the first of these, or behind the last one."""
    return shoe.places.strays.index(waiting[0][0]) if waiting else len(shoe.places.strays)


def see_ahead(table: Table, event: ev.CardSeenInShoe) -> Table:
    """The face of a card that is still in the dealing device is known, by its place."""
    shoe = table.shoe
    assert shoe is not None
    return know_ahead(table, coming(shoe, event.ahead + 1)[event.ahead :], (event.card,))


def know_ahead(table: Table, told: tuple[int, ...], faces: tuple[Card | None, ...]) -> Table:
    """The table that knows the faces of some cards in the dealing device."""
    shoe = table.shoe
    assert shoe is not None
    places = shoe.places
    others = (each for each in places.ahead if each[0] not in told)
    known = ((place, face) for place, face in zip(told, faces, strict=False) if face)
    return replace(table, shoe=replace(shoe, places=replace(places, ahead=(*others, *known))))


def reserve_goes_back(table: Table) -> Table:
    """The table when possible third cards lie in the dealing device again, on top in drawn order and seen."""
    shoe, reserved = table.shoe, table.reserved
    assert shoe is not None
    drawn, places = list(shoe.drawn), shoe.places.reserved
    for face in reserved:
        drawn.remove(face)
    shoe = with_places(shoe, reserved=(), back=(*places, *shoe.places.back))
    shoe = replace(shoe, left=shoe.left + len(places), drawn=tuple(drawn))
    return replace(table, reserved=(), shoe=went_back_seen(shoe, tuple(zip(places, reserved, strict=True))))


def keep_strays(table: Table, event: ev.StrayCardsKept) -> Table:
    """Cards that lay aside wait for the next round; those of a case about the shoe come from there.

    Such a case takes none while it waits for somebody. Whatever was kept first, cards wait in the order in
    which they came out.
    """
    shoe, case, count = table.shoe, table.case, len(event.cards)
    assert shoe is not None
    lying = shoe.places.aside
    waits = case is not None and (case.waits is not None or case.offer is not None)
    if lying and (waits or cards_of_case(table, case).pile != "shoe"):
        taken, first = _taken_aside(table, count), unclaimed(table)[:count]
        other = faces_aside(table, taken) != event.cards
        taken = first if other and faces_aside(table, first) == event.cards else taken
        table = _without_aside(table, taken)
        assert table.shoe is not None
        shoe = tell(table.shoe, taken, event.cards)
    else:
        known = tuple(card for card in event.cards if card)
        shoe, taken = take(replace(shoe, drawn=(*shoe.drawn, *known)), event.cards)
        shoe = with_places(shoe, disclosed=(*shoe.places.disclosed, *taken))
    waiting = [*_waiting(table, shoe), *zip(taken, event.cards, strict=True)]
    waiting.sort(key=operator.itemgetter(0))
    shoe = with_places(shoe, strays=tuple(place for place, _ in waiting))
    table = replace(table, strays=tuple(face for _, face in waiting), shoe=shoe)
    return _with_nothing_out(table)


def reserve_cards(table: Table, event: ev.CardsReserved) -> Table:
    """The table with possible third cards set aside."""
    shoe = table.shoe
    assert shoe is not None
    shoe, taken = take(replace(shoe, drawn=(*shoe.drawn, *event.cards)), event.cards)
    shoe = with_places(shoe, reserved=(*shoe.places.reserved, *taken))
    return replace(in_case(table, waits=None), shoe=shoe, reserved=(*table.reserved, *event.cards))


def raise_alarm(table: Table, alarm: Alarm) -> Table:
    """The shoe in use remembers of what there was alarm.

    Where another card came than was to come, nothing is ruled any more about cards that are still to come,
    and one that had gone back stays known at its place; a burn that is owed takes it.
    """
    shoe = table.shoe
    if shoe is None:
        return table
    if alarm.kind is AlarmKind.OTHER_CARD_CAME:
        shoe = with_places(shoe, ruled=())
        back, other = shoe.places.back[alarm.number : alarm.number + 1], alarm.other
        if other is not None and not shoe.burn_owed and known_faces(shoe, back) == (other,):
            table = know_ahead(replace(table, shoe=shoe), back, (other,))
            assert table.shoe is not None
            shoe = table.shoe
    return replace(table, shoe=replace(shoe, alarms=tuple(dict.fromkeys((*shoe.alarms, alarm.kind)))))
