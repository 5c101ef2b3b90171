"""Which cards of a shoe are where, place by place: none is lost, and none comes twice."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game.state import Places, Shoe

Faces = Sequence[Card | None]
Taken = tuple[int, ...]


def next_place(shoe: Shoe) -> int:
    """The place of the card that comes next: one that was put back, or else the first that never left."""
    places = shoe.places
    return places.back[0] if places.back else len(places.faces)


def take(shoe: Shoe, faces: Faces) -> tuple[Shoe, Taken]:
    """The shoe without its next cards, whose faces are these as far as known, and the places they had."""
    old, count = shoe.places, len(faces)
    again = old.back[:count]
    known, fresh = faces[: len(again)], faces[len(again) :]
    places = replace(old, faces=(*old.faces, *fresh), back=old.back[count:])
    shoe = replace(shoe, left=shoe.left - count, places=places)
    taken = (*again, *range(len(old.faces), len(places.faces)))
    return learn(shoe, again, known) if again else shoe, taken


def learn(shoe: Shoe, taken: Iterable[int], faces: Faces) -> Shoe:
    """The shoe when the faces of some cards are known."""
    known = list(shoe.places.faces)
    for place, face in zip(taken, faces, strict=True):
        known[place] = face or known[place]
    return replace(shoe, places=replace(shoe.places, faces=tuple(known)))


def lie(shoe: Shoe, before: int, faces: Faces) -> Shoe:
    """The shoe when these cards lie before the hands, where so many lay before.

    More cards come from the shoe; cards that no hand has any more go back on top in their order.
    """
    lying = shoe.places.lying[:before]
    shoe, more = take(shoe, (None,) * (len(faces) - before))
    lying = (*lying, *more)
    kept, back = lying[: len(faces)], lying[len(faces) :]
    places = replace(shoe.places, lying=kept, back=(*back, *shoe.places.back))
    return learn(replace(shoe, left=shoe.left + len(back), places=places), kept, faces)


def with_places(shoe: Shoe, **changes: Taken) -> Shoe:
    """The shoe with some cards elsewhere."""
    places: Places = replace(shoe.places, **changes)
    return replace(shoe, places=places)
