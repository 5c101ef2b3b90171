"""Fair shoes as tables deal them, to measure how often they give alarm."""

import random
from collections.abc import Iterator

from msgspec import Struct

from thirdcard.cards import NEW_DECK, Card
from thirdcard.devices.suspicion import judge

DECKS = 8


class Judged(Struct, frozen=True):
    """A shoe and the alarms it gave, by kind."""

    faces: tuple[Card | None, ...]
    alarms: tuple[str, ...]


def fair_shoes(number: int, seed: int, *, suits: bool) -> Iterator[Judged]:
    """Shoes one after another, each shuffled, burned, dealt to the cutting card, and judged at its end."""
    chance = random.Random(seed)
    deck = NEW_DECK if suits else tuple(Card(card.rank) for card in NEW_DECK)
    last: tuple[Card | None, ...] = ()
    for _ in range(number):
        faces = dealt(chance, deck * DECKS)
        alarms = judge(faces, last=last, decks=DECKS, over=True)
        yield Judged(faces, tuple(alarm.kind.value for alarm in alarms))
        last = faces


def dealt(chance: random.Random, cards: tuple[Card, ...]) -> tuple[Card | None, ...]:
    """The cards of a shuffled shoe as they are seen: the first is burned with as many others as it says."""
    order: list[Card | None] = list(cards)
    chance.shuffle(order)
    first = order[0]
    assert first is not None
    burned = (first.rank.point_value or 10) + 1
    order[1:burned] = [None] * (burned - 1)
    return tuple(order[: len(order) - chance.randint(4, 16)])
