"""The cards that come next as far as they are known, and which faces the cards of a draw have."""

from collections import Counter
from typing import NamedTuple

from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.game import commands as cmd
from thirdcard.game.card_sources import RESERVE, STRAY
from thirdcard.game.places import coming, known_faces
from thirdcard.game.shoe import Shoe
from thirdcard.game.state import DealtCard, Phase, Table
from thirdcard.refusals import Refusal, Refused, refuse

Faces = tuple[Card | None, ...]


class Mismatch(NamedTuple):
    """A card that was known to come where another one did, behind so many others of the same draw."""

    known: Card | None
    came: Card | None
    behind: int = 0


def source_of(table: Table) -> str | None:
    """Where the next card is if not in the shoe: cards drawn in error open a round, reserved ones end it.

    A card that is to begin a free hand waits for it while another round is under way, unless it is still on
    top of the shoe: then it comes next, whatever it was kept for.
    """
    if table.reserved and len(_under_way(table)) >= 4:
        return RESERVE
    return STRAY if stray_to_come(table) is not None else None


def stray_to_come(table: Table) -> int | None:
    """Return which of the cards that wait comes next, by its number; none where the next one is in the shoe.

    While another round is under way, or the hands of theirs are complete, those that are out wait on, and
    one seen on top of the shoe comes.
    """
    shoe, complete = table.shoe, table.phase is Phase.OUTCOME
    if not table.strays or shoe is None:
        return None
    if not complete and _goes_on_with_strays(table) and not _waits_for_free_hand(table):
        return 0
    inside = (number for number, each in enumerate(shoe.places.strays) if each in shoe.places.disclosed)
    return next(inside, None) if table.phase in (Phase.DEALING, Phase.OUTCOME) else None


def stray_taken(table: Table, face: Card | None) -> int:
    """Return the number of the waiting card that comes: a free hand begins with all of them in order."""
    begins = table.round is not None and table.round.free and _goes_on_with_strays(table)
    return 0 if begins and table.strays[0] == face else stray_to_come(table) or 0


def _goes_on_with_strays(table: Table) -> bool:
    """Whether the round has no card yet, or one that waited when it began is still to come in it."""
    current, shoe = table.round, table.shoe
    if not _under_way(table):
        return True
    return current is not None and shoe is not None and shoe.places.strays[0] in current.to_come


def _under_way(table: Table) -> tuple[DealtCard, ...]:
    """The cards at the hands of the round under way."""
    playing = table.phase in (Phase.DEALING, Phase.OUTCOME)
    return table.round.cards if playing and table.round else ()


def _waits_for_free_hand(table: Table) -> bool:
    """Whether a round is under way that is not the free hand which the next waiting card is to begin.

    A free hand takes all cards that waited when it began; one whose cards came out since is still to come.
    """
    current, shoe = table.round, table.shoe
    if current is None or current.ended or shoe is None or (current.free and not current.cards):
        return False
    first, lying = shoe.places.strays[0], {*shoe.places.lying} if current.free else set[int]()
    if first in current.to_come:
        return False
    return any(first in each.places and lying.isdisjoint(each.places) for each in table.free_hands)


def expected_cards(table: Table, count: int) -> Faces:
    """The next cards as far as they are known: first those that wait outside, then those of the shoe.

    Of the shoe those are known that went back, or were seen there.
    """
    source, shoe = source_of(table), table.shoe
    assert shoe is not None
    strays = table.strays[stray_to_come(table) or 0 :]
    outside = {RESERVE: table.reserved, STRAY: strays}.get(source or "", ())[:count]
    inside = known_faces(shoe, coming(shoe, count - len(outside)))
    return (*outside, *inside, *(None,) * count)[:count]


def find_mismatch(table: Table, body: cmd.DrawCard) -> Mismatch | None:
    """The card that should have come where others did; what waits outside never comes out with others.

    A card that was disclosed still lies on top of the shoe, and can come out with those behind it. One that
    came face down is the known one, unless it is said to have come instead of it.
    """
    came, expected = (body.card, *body.together), expected_cards(table, 1 + len(body.together))
    inside = source_of(table) == STRAY and _is_inside(table)
    if body.together and source_of(table) is not None and not inside:
        return Mismatch(expected[0], came[0])
    if body.together and not body.order_known:
        lacking = _lacking(expected, came)
        if lacking.total() <= (0 if body.instead else came.count(None)):
            return None
        known = next(iter(lacking))
        other = next((face for face in came if face not in expected), None)
        return Mismatch(known, other, expected.index(known))
    for behind, (known_face, face) in enumerate(zip(expected, came, strict=True)):
        if known_face and face != known_face and (face or body.instead):
            return Mismatch(known_face, face, behind)
    return None


def _is_inside(table: Table) -> bool:
    """Whether the waiting card that comes next is still on top of the shoe."""
    first, shoe = stray_to_come(table), table.shoe
    return first is not None and shoe is not None and shoe.places.strays[first] in shoe.places.disclosed


def _lacking(expected: Faces, came: Faces) -> Counter[Card]:
    """The cards that were known to come and are not named among those that came."""
    return Counter(each for each in expected if each) - Counter(each for each in came if each)


def with_known_faces(table: Table, body: cmd.DrawCard) -> cmd.DrawCard:
    """The draw with every face that is known: a card that came face down has the one known at its place.

    Of cards that came in no known order the known ones stand where they were known to come. Where another
    card came instead of a known one, nothing is known of those that came.
    """
    if body.card is not None and not body.together:  # as nearly always
        return body
    came, ordered = (body.card, *body.together), not body.together or body.order_known
    if table.shoe is None or (ordered and None not in came) or find_mismatch(table, body):
        return body
    expected = expected_cards(table, len(came))
    if ordered:
        faces = tuple(face or known for face, known in zip(came, expected, strict=True))
    else:
        faces = _in_known_places(expected, came)
    return replace(body, card=faces[0], together=faces[1:])


def _in_known_places(expected: Faces, came: Faces) -> Faces:
    """The cards that came in no known order, the known ones at their places and the others around them.

    A known one that nobody named is one of those without a face.
    """
    others = list(came)
    for known in filter(None, expected):
        others.remove(known if known in others else None)
    return tuple(known or others.pop(0) for known in expected)


def faces_inside(shoe: Shoe, came: Faces) -> Faces:
    """The cards that came out of the dealing device, each with the face known at its place."""
    known = (*known_faces(shoe, coming(shoe, len(came))), *(None,) * len(came))
    return tuple(face or at_place for face, at_place in zip(came, known, strict=False))


def other_expected(table: Table, body: cmd.DrawCard) -> Refused | None:
    """A card that is known to come next, or waits, is not replaced by what somebody types.

    Another one can have come instead of it only while the dealing device has one.
    """
    shoe = table.shoe
    known = shoe is not None and (table.strays or table.reserved or shoe.places.back or shoe.places.ahead)
    came = body.instead and shoe is not None and shoe.left > 0
    found = find_mismatch(table, body) if known and not came else None
    if found is None:
        return None
    return refuse(Refusal.OTHER_CARD_EXPECTED, card=found.known.text if found.known else "?")


def other_expected_inside(shoe: Shoe, came: Faces) -> Refused | None:
    """Refuse other cards than those that are known to come next in the dealing device."""
    for known, face in zip(known_faces(shoe, coming(shoe, len(came))), came, strict=False):
        if known and face not in (None, known):
            return refuse(Refusal.OTHER_CARD_EXPECTED, card=known.text)
    return None
