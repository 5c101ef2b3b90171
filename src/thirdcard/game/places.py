"""The places of the cards of a shoe: none is lost, and none comes twice."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game.shoe import Places, Shoe

FacesInOrder = Sequence[Card | None]
Taken = tuple[int, ...]


def next_place(shoe: Shoe) -> int:
    """The place of the card that comes next: one that was put back, or else the first that never left."""
    places = shoe.places
    return places.back[0] if places.back else len(places.faces)


def coming(shoe: Shoe, count: int) -> Taken:
    """The places of the next cards, as many as are left."""
    back, fresh = shoe.places.back, len(shoe.places.faces)
    count = min(count, shoe.left)
    return (*back[:count], *range(fresh, fresh + count - len(back)))


def before(shoe: Shoe, place: int) -> int | None:
    """How many cards lie in the shoe before the one of a place; nothing where it has left the shoe."""
    back, fresh = shoe.places.back, len(shoe.places.faces)
    if place in back:
        return back.index(place)
    return len(back) + place - fresh if place >= fresh else None


def known_faces(shoe: Shoe, places: Iterable[int]) -> tuple[Card | None, ...]:
    """The faces of cards in the shoe, where they were seen there or before they went back."""
    ahead, faces = dict(shoe.places.ahead), shoe.places.faces
    return tuple(ahead.get(each) or (faces[each] if each < len(faces) else None) for each in places)


def seen_at(shoe: Shoe, places: Iterable[int]) -> tuple[Card | None, ...]:
    """The faces that were seen at some places while the cards lay in the shoe."""
    ahead = dict(shoe.places.ahead)
    return tuple(ahead.get(each) for each in places)


def fits(known: FacesInOrder, told: FacesInOrder) -> bool:
    """Whether cards are told at the places where they were known, as far as they are among them."""
    return all(face in (None, card) or face not in told for face, card in zip(known, told, strict=False))


def known_ahead(shoe: Shoe) -> Taken:
    """The places of the cards that were seen in the shoe and are still there, in the order they come."""
    seen = {place: before(shoe, place) for place, _ in shoe.places.ahead}
    return tuple(sorted((each for each in seen if seen[each] is not None), key=lambda each: seen[each] or 0))


def is_disclosed_on_top(shoe: Shoe) -> bool:
    """Whether a card that waits for the next hand was seen on top of the shoe and never came out."""
    return bool(shoe.places.disclosed)


def take(shoe: Shoe, faces: FacesInOrder) -> tuple[Shoe, Taken]:
    """The shoe without its next cards, whose faces are these as far as known, and the places they had."""
    old, count = shoe.places, len(faces)
    again = old.back[:count]
    known, fresh = faces[: len(again)], faces[len(again) :]
    places = replace(old, faces=(*old.faces, *fresh), back=old.back[count:])
    shoe = replace(shoe, left=shoe.left - count, places=places)
    taken = (*again, *range(len(old.faces), len(places.faces)))
    return learn(shoe, again, known) if again else shoe, taken


def draw_to_hand(shoe: Shoe, card: Card | None, lying: Taken) -> Shoe:
    """The shoe when its next card lies before a hand, behind those that lie there already."""
    old = shoe.places
    drawn = (*shoe.drawn, card) if card else shoe.drawn
    if old.back:
        shoe, taken = take(shoe, (card,))
        return replace(shoe, drawn=drawn, places=replace(shoe.places, lying=(*lying, *taken)))
    places = replace(old, faces=(*old.faces, card), lying=(*lying, len(old.faces)))
    return replace(shoe, left=shoe.left - 1, places=places, drawn=drawn)


def came_from_behind(shoe: Shoe, place: int) -> Shoe:
    """The shoe when a card that had the place of a known one came from farther behind: that one comes next.

    Nothing changes where no other card was known at its place, or none is left behind those that went back.
    """
    old, known = shoe.places, dict(shoe.places.ahead).get(place)
    if known in (None, old.faces[place]) or shoe.seal is not None or shoe.left <= len(old.back):
        return shoe
    first = len(old.faces)

    def later(each: int) -> int:
        return first if each == place else each + (each >= first)

    places = replace(
        old,
        faces=(*old.faces, None),  # it never came out
        back=(first, *old.back),
        ahead=tuple((later(each), face) for each, face in old.ahead),
        ruled=tuple(map(later, old.ruled)),
        asked=tuple((case, tuple(map(later, each))) for case, each in old.asked),
        told=tuple((case, tuple(map(later, each))) for case, each in old.told),
    )
    return replace(shoe, places=places)


def was_misread(shoe: Shoe, place: int) -> Shoe:
    """The shoe when a card that was to come next after another one came has never been there.

    What lay behind it moves up, unless cards came out since.
    """
    old = shoe.places
    ahead = tuple(each for each in old.ahead if each[0] != place)
    moves_up = place in old.back and place == len(old.faces) - 1

    def earlier(places: Iterable[int]) -> Taken:
        return tuple(each - (moves_up and each > place) for each in places if each != place)

    places = replace(
        old,
        faces=old.faces[:place] if moves_up else old.faces,
        back=earlier(old.back) if moves_up else old.back,
        ahead=tuple((each - (moves_up and each > place), face) for each, face in ahead),
        ruled=earlier(old.ruled),
        asked=tuple((case, earlier(each)) for case, each in old.asked),
        told=tuple((case, earlier(each)) for case, each in old.told),
    )
    return replace(shoe, places=places)


def passed_over(shoe: Shoe) -> Taken:
    """The places from which another card came than the one that was seen there, which has not come since."""
    faces, out = shoe.places.faces, {*range(len(shoe.places.faces))} - {*shoe.places.back}
    others = ((place, known) for place, known in shoe.places.ahead if place in out)
    return tuple(
        place
        for place, known in others
        if faces[place] != known and known not in (faces[each] for each in out if each > place)
    )


def learn(shoe: Shoe, taken: Iterable[int], faces: FacesInOrder) -> Shoe:
    """The shoe when the faces of some cards are known."""
    known = list(shoe.places.faces)
    for place, face in zip(taken, faces, strict=True):
        known[place] = face or known[place]
    return replace(shoe, places=replace(shoe.places, faces=tuple(known)))


def tell(shoe: Shoe, taken: Sequence[int], faces: FacesInOrder) -> Shoe:
    """The shoe when some cards came out in an order that was told: a face moves with its card.

    A card whose face is not told keeps the one that was known, unless that one belongs to another of them.
    """
    moved = Counter(faces)
    own = Counter(shoe.places.faces[place] for place in taken)
    known = list(shoe.places.faces)
    for place, face in zip(taken, faces, strict=True):
        stays = own[known[place]] > moved[known[place]]
        known[place] = face or (known[place] if stays else None)
    return replace(shoe, places=replace(shoe.places, faces=tuple(known)))


def lie(shoe: Shoe, before: int, faces: FacesInOrder) -> Shoe:
    """The shoe when these cards lie before the hands, where so many lay before.

    More cards come from the shoe; cards that no hand has any more go back on top in their order.
    """
    lying = shoe.places.lying[:before]
    shoe, more = take(shoe, (None,) * (len(faces) - before))
    lying = (*lying, *more)
    kept, back = lying[: len(faces)], lying[len(faces) :]
    places = replace(shoe.places, lying=kept, back=(*back, *shoe.places.back))
    return tell(replace(shoe, left=shoe.left + len(back), places=places), kept, faces)


def still_wait(shoe: Shoe, waiting: Taken) -> Shoe:
    """The shoe when only these cards still wait for the next round; none of the others waits on top of it."""
    disclosed = tuple(place for place in shoe.places.disclosed if place in waiting)
    return with_places(shoe, strays=waiting, disclosed=disclosed)


def with_places(shoe: Shoe, **changes: Taken) -> Shoe:
    """The shoe with some cards elsewhere."""
    places: Places = replace(shoe.places, **changes)
    return replace(shoe, places=places)
