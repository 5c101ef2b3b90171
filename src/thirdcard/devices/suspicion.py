"""Looks at the cards that came for signs of a shoe that was not shuffled, or has the wrong cards.

Each look is chosen so that fewer than one fair shoe in ten thousand gives alarm; docs/reliability.md has the
figures.
"""

import math
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from thirdcard.cards import NEW_DECK, Card, Rank, Suit
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.commands import RaiseAlarm
from thirdcard.game.shoe import Shoe
from thirdcard.game.state import Table

SeenFaces = Sequence[Card | None]


class Scale(Struct, frozen=True):
    """How much of something is suspicious; ranks alone repeat by chance more often than whole cards.

    Two neighbours in the order of new decks add ``neighbours`` to a score, others take ``others`` away.
    """

    repeated: int
    neighbours: int
    others: int
    score: int


CARD_SCALE = Scale(repeated=6, neighbours=23, others=2, score=250)
RANK_SCALE = Scale(repeated=9, neighbours=7, others=3, score=120)
IMPROBABLE = 1e-6  # so rarely a fair shoe lacks so many copies of some card at its end
UNSEEN = 255
SUITS_IN_ORDER = tuple(Suit)


class SeenCards(Struct, frozen=True):
    """Cards by place as bytes: each kind of card has a number, and 255 is a card that nobody saw."""

    codes: bytes
    suits: bool

    @property
    def scale(self) -> Scale:
        """Return the scale that says what is suspicious about them."""
        return CARD_SCALE if self.suits else RANK_SCALE


def suspicions(table: Table) -> tuple[RaiseAlarm, ...]:
    """The alarms that the cards of the shoe in use call for and that were not given yet."""
    shoe = table.shoe
    if shoe is None:
        return ()
    over = shoe.rounds_left == 0
    found = judge(shoe.places.faces, last=table.last_shoe, decks=shoe.decks, over=over)
    return tuple(alarm for alarm in found if not _is_given(shoe, alarm))


def judge(faces: SeenFaces, *, last: SeenFaces, decks: int, over: bool) -> tuple[RaiseAlarm, ...]:
    """The alarms that cards call for, after the cards of the shoe before; some only when the shoe is over."""
    suits = all(face is None or face.suit is not None for face in (*faces, *last))
    seen, before = seen_of(faces, suits=suits), seen_of(last, suits=suits)
    found: list[RaiseAlarm] = []
    most = too_many(seen, decks)
    if most is not None:
        card, number = most
        found.append(RaiseAlarm(kind=AlarmKind.TOO_MANY_COPIES, card=card, number=number))
    if is_in_new_deck_order(seen):
        found.append(RaiseAlarm(kind=AlarmKind.NEW_DECK_ORDER))
    run = seen.scale.repeated
    if repeats_itself(seen):
        found.append(RaiseAlarm(kind=AlarmKind.REPEATS_ITSELF, number=run))
    if repeats(seen, before):
        found.append(RaiseAlarm(kind=AlarmKind.REPEATS_LAST_SHOE, number=run))
    missing = too_few(seen, decks) if over else None
    if missing is not None:
        card, number = missing
        found.append(RaiseAlarm(kind=AlarmKind.WRONG_COMPOSITION, card=card, number=number))
    return tuple(found)


def seen_of(faces: SeenFaces, *, suits: bool) -> SeenCards:
    """Cards as bytes, with their suits or by rank alone."""
    return SeenCards(bytes(UNSEEN if face is None else _code(face, suits=suits) for face in faces), suits)


def too_many(seen: SeenCards, decks: int) -> tuple[Card, int] | None:
    """A card that came more often than there are decks, and how often."""
    counts = Counter(seen.codes.replace(bytes((UNSEEN,)), b""))
    for code, number in counts.items():
        if number > _copies(seen, decks):
            return _card(code, suits=seen.suits), number
    return None


def is_in_new_deck_order(seen: SeenCards) -> bool:
    """Whether too many cards stand next to their neighbours of a new deck, one rank up or down in one suit.

    The score never falls below zero, so that a shoe shuffled in part is noticed wherever the other part lies.
    """
    scale, score, before = seen.scale, 0, UNSEEN
    for code in seen.codes:
        if UNSEEN not in (code, before):
            apart = abs(code - before) == 1 and code // len(Rank) == before // len(Rank)
            score = score + scale.neighbours if apart else max(score - scale.others, 0)
        before = code
        if score >= scale.score:
            return True
    return False


def repeats_itself(seen: SeenCards) -> bool:
    """Whether a run of cards came twice in the same order."""
    runs = _runs(seen)
    return len(set(runs)) < len(runs)


def repeats(seen: SeenCards, before: SeenCards) -> bool:
    """Whether a run of cards came as it did in another shoe."""
    return not set(_runs(before)).isdisjoint(_runs(seen))


def too_few(seen: SeenCards, decks: int) -> tuple[Card, int] | None:
    """A card of which so many copies did not come that they can hardly be among the cards nobody saw."""
    cards, copies = decks * len(NEW_DECK), _copies(seen, decks)
    kinds = cards // copies
    counts = Counter(seen.codes)
    unseen = cards - (len(seen.codes) - counts[UNSEEN])
    for code in range(kinds):
        lacking = copies - counts[code]
        if lacking > 0 and kinds * _at_least(lacking, copies, unseen, cards) < IMPROBABLE:
            return _card(code, suits=seen.suits), lacking
    return None


def _at_least(lacking: int, copies: int, unseen: int, cards: int) -> float:
    """How likely at least so many of the copies of one card are among the unseen cards of a fair shoe."""
    ways = sum(
        math.comb(copies, number) * math.comb(cards - copies, unseen - number)
        for number in range(lacking, min(copies, unseen) + 1)
    )
    return ways / math.comb(cards, unseen)


def _runs(seen: SeenCards) -> list[bytes]:
    """Every run of cards that is long enough to be suspicious when it comes again."""
    length, codes = seen.scale.repeated, seen.codes
    runs = (codes[start : start + length] for start in range(len(codes) - length + 1))
    return [run for run in runs if UNSEEN not in run]


def _copies(seen: SeenCards, decks: int) -> int:
    return decks if seen.suits else decks * len(SUITS_IN_ORDER)


def _code(card: Card, *, suits: bool) -> int:
    suit = SUITS_IN_ORDER.index(card.suit) if suits and card.suit else 0
    return suit * len(Rank) + card.rank - 1


def _card(code: int, *, suits: bool) -> Card:
    suit, rank = divmod(code, len(Rank))
    return Card(Rank(rank + 1), SUITS_IN_ORDER[suit] if suits else None)


def _is_given(shoe: Shoe, alarm: RaiseAlarm) -> bool:
    return alarm.kind in shoe.alarms
