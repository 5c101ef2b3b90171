"""Where the cards of a table are: none is lost, none is in two places, and no seen one opens a round."""

from collections import Counter
from collections.abc import Sequence

from thirdcard.cards import Card
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.card_sources import STRAY
from thirdcard.game.places import before as cards_before
from thirdcard.game.places import next_place
from thirdcard.game.shoe import Places, Shoe
from thirdcard.game.state import Table

CARDS_IN_A_DECK = 52
# rulings that give a card its place
ABOUT_A_CARD = {"play-card", "burn-card", "keep-as-next-card", "free-hand"}


def counted(table: Table) -> int:
    """How many cards the shoe has by its count: those that have a place, and those that never came out."""
    shoe = table.shoe
    return shoe.left - len(shoe.places.back) + len(shoe.places.faces) if shoe else 0


def is_beyond_count(before: Table, event: ev.Event) -> bool:
    """Whether more cards come out than the count has left, which is put right by them."""
    return (
        isinstance(event, ev.CardsSetAside)
        and before.shoe is not None
        and len(event.cards) > before.shoe.left
    )


def every_card(table: Table, found: int) -> None:
    """In the shoe, in the discards, before the hands, waiting or set aside: together all that was loaded.

    The cards of a round that has ended lie in the discards. A shoe that had none left by its count may
    have been found to hold some.
    """
    shoe, current = table.shoe, table.round
    if shoe is None:
        return
    own = current is not None and current.shoe == shoe.number  # new cards may come before a correction
    on_the_table = len(current.cards) if current is not None and own and not current.ended else 0
    outside = len(table.aside) + len(table.strays) + len(table.reserved)
    everywhere = shoe.left + shoe.discards + on_the_table + outside
    assert everywhere == shoe.decks * CARDS_IN_A_DECK
    assert shoe.left >= 0
    assert shoe.discards >= 0
    _every_place(table, shoe, found)


def _every_place(table: Table, shoe: Shoe, found: int) -> None:
    """Place by place: a card is in one place at most, and what was put back is in the shoe again."""
    places, current = shoe.places, table.round
    own = current is not None and current.shoe == shoe.number
    dealt = current.cards if current is not None and own and not current.ended else ()
    lying = places.lying if dealt else ()
    somewhere = (*places.back, *lying, *places.aside, *places.strays, *places.reserved)
    assert len(set(somewhere)) == len(somewhere)
    assert all(0 <= place < len(places.faces) for place in somewhere)
    assert shoe.left == shoe.decks * CARDS_IN_A_DECK + found - len(places.faces) + len(places.back)
    # a card that was seen, put back and drawn again may lie face down
    assert all(each.card in (None, places.faces[at]) for at, each in zip(lying, dealt, strict=True))
    _faces_fit(places.aside, table.aside, places)
    _faces_fit(places.strays, table.strays, places)
    _faces_fit(places.reserved, table.reserved, places)
    not_out = (*places.back, *places.aside)  # one that never came goes back from aside with the next event
    came = [place for place, _ in places.ahead if place < len(places.faces) and place not in not_out]
    instead = AlarmKind.OTHER_CARD_CAME in shoe.alarms  # else a known card has its face however it came
    assert instead or all(places.faces[place] for place in came)


def _faces_fit(at: tuple[int, ...], cards: tuple[Card | None, ...], places: Places) -> None:
    assert all(card in (None, places.faces[place]) for place, card in zip(at, cards, strict=True))


def is_face_lost(before: Table, event: ev.Event, after: Table) -> bool:
    """Whether a card that is kept for the next hand takes the place of another one that lies outside."""
    if not isinstance(event, ev.StrayCardsKept):
        return False
    lay, lie = (Counter(each for each in (*table.aside, *table.strays) if each) for table in (before, after))
    return bool(lay - lie)


def seen_card_opens(before: Table, event: ev.Event, *, free_hands: bool) -> bool:
    """Whether a seen card opens a round with wagers and nobody has let it.

    Where a document knows free hands nobody may; elsewhere the post lets it.
    """
    current, shoe = before.round, before.shoe
    if not isinstance(event, ev.CardDrawn) or current is None or shoe is None or shoe.seal is not None:
        return False
    if current.free or current.cards or before.aside:
        return False
    waits = event.by == STRAY
    place = shoe.places.strays[0] if waits else next_place(shoe)
    seen = bool(before.strays[0]) if waits else place in dict(shoe.places.ahead)
    return seen and (free_hands or place not in shoe.places.ruled)


def is_card_forgotten(before: Table, event: ev.Event, earlier: Sequence[ev.Event]) -> bool:
    """Whether a round takes along a card that nobody has judged, or a free hand begins without its card.

    A card stays aside where a post has decided something else about it, or no free hand can follow.
    """
    shoe, current = before.shoe, before.round
    if isinstance(event, ev.RoundBegan) and event.free and before.free_hand and shoe is not None:
        places = before.free_hand.places
        return any(each not in shoe.places.strays and cards_before(shoe, each) is None for each in places)
    if not isinstance(event, ev.RoundEnded) or current is None or current.void or not before.aside:
        return False
    began = max((i for i, each in enumerate(earlier) if isinstance(each, ev.RoundBegan)), default=0)
    rulings = (each for each in earlier[began:] if isinstance(each, ev.RulingMade))
    otherwise = sum(not ABOUT_A_CARD.intersection((each.choice, *each.also)) for each in rulings)
    return len(before.aside) > otherwise and not (current.free and current.last)
