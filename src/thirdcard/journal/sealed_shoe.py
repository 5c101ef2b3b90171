"""The cards of a virtual shoe bound by one published hash: how it is made, and how anybody checks it."""

import hmac
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from thirdcard.cards import NEW_DECK, Card
from thirdcard.game.events import ShoeOpened
from thirdcard.game.shoe import Shoe
from thirdcard.journal.merkle import leads_to, leaf, path_of, root_of
from thirdcard.messages import Message, message

SECRET = 32  # bytes
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
CardText = Annotated[str, Meta(pattern="^(A|[2-9]|10|J|Q|K)[SHDC]$")]
Position = Annotated[int, Meta(ge=0, lt=1 << 32)]


class Contents(Struct, frozen=True):
    """The contents of a sealed shoe: its cards in the order of the seal, and the secret behind the salts."""

    order: tuple[Card, ...]
    secret: bytes


class CardProof(Struct, frozen=True, forbid_unknown_fields=True):
    """That a card lies at a position of a sealed shoe: its salt, and the path from its leaf to the root."""

    position: Position
    card: CardText
    salt: Hash
    path: tuple[Hash, ...]


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """A shoe laid open."""

    order: tuple[CardText, ...]
    secret: Hash


class ShoeFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The data by which a shoe can be checked; ``dealt`` are its cards in the order in which they came."""

    format: Literal[1]
    root: Hash
    cards: Annotated[int, Meta(ge=52, multiple_of=52)]
    cut: Position = 0
    opened: Opening | None = None
    proofs: tuple[CardProof, ...] = ()
    dealt: tuple[CardText | None, ...] = ()


def salt_of(secret: bytes, position: int) -> bytes:
    """The salt of a position: HMAC-SHA256 under the secret."""
    return hmac.digest(secret, position.to_bytes(4), "sha256")


def leaf_of(salt: bytes, position: int, card: str) -> bytes:
    """The leaf of a card at a position."""
    return leaf(salt + position.to_bytes(4) + card.encode())


def root_of_shoe(contents: Contents) -> str:
    """The root over all cards of a shoe."""
    return root_of(_leaves(contents.secret, _texts(contents.order))).hex()


def prove(contents: Contents, position: int) -> CardProof:
    """The proof of the card at a position."""
    order = _texts(contents.order)
    salt, path = salt_of(contents.secret, position), path_of(_leaves(contents.secret, order), position)
    return CardProof(position, order[position], salt.hex(), tuple(step.hex() for step in path))


def is_proven(proof: CardProof, *, root: str, cards: int) -> bool:
    """Whether a proof leads to the root of a shoe with so many cards."""
    return leads_to(
        leaf_hash=leaf_of(bytes.fromhex(proof.salt), proof.position, proof.card),
        index=proof.position,
        size=cards,
        path=tuple(bytes.fromhex(step) for step in proof.path),
        root=bytes.fromhex(root),
    )


def check(file: ShoeFile) -> tuple[Message, ...]:
    """Everything wrong with a shoe, each by its first bad position; nothing where all is as it was sealed."""
    if file.opened is None and not file.proofs:
        return (message("shoe.nothing-to-check"),)
    found = (*_opening(file), *_proofs(file), *_dealt(file))
    return tuple(dict.fromkeys(found))


def file_of(shoe: Shoe, opened: ShoeOpened) -> ShoeFile:
    """Return the data by which a shoe that is laid open can be checked."""
    assert shoe.seal is not None
    return ShoeFile(
        format=1,
        root=shoe.seal.root,
        cards=shoe.seal.cards,
        cut=shoe.cut_depth or 0,
        opened=Opening(_texts(opened.order), opened.secret),
        dealt=tuple(face.text if face and face.suit else None for face in shoe.places.faces),
    )


def _texts(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(card.text for card in cards)


def _leaves(secret: bytes, order: tuple[str, ...]) -> list[bytes]:
    return [leaf_of(salt_of(secret, position), position, card) for position, card in enumerate(order)]


def _opening(file: ShoeFile) -> Iterator[Message]:
    """The right number of cards, none more often than there are decks, and the root that was published."""
    if file.opened is None:
        return
    order, decks = file.opened.order, file.cards // len(NEW_DECK)
    if len(order) != file.cards:
        yield message("shoe.wrong-number", cards=file.cards, opened=len(order))
        return
    seen: Counter[str] = Counter()
    for position, card in enumerate(order):
        seen[card] += 1
        if seen[card] > decks:
            yield message("shoe.copy-too-many", position=position, card=card, number=seen[card], decks=decks)
            break
    try:
        secret = bytes.fromhex(file.opened.secret)
    except ValueError:
        yield message("shoe.no-secret")
        return
    root = root_of(_leaves(secret, order)).hex()
    if root != file.root:
        yield message("shoe.wrong-root", root=root)


def _proofs(file: ShoeFile) -> Iterator[Message]:
    opened = _opened(file)
    for proof in file.proofs:
        if not is_proven(proof, root=file.root, cards=file.cards):
            yield message("shoe.bad-proof", position=proof.position, card=proof.card)
            return
        other = opened.get(proof.position, proof.card)
        if other != proof.card:
            yield message("shoe.proof-differs", position=proof.position, card=proof.card, other=other)
            return


def _dealt(file: ShoeFile) -> Iterator[Message]:
    """The cards that came, from the cut on, are those that lay there."""
    sealed = {proof.position: proof.card for proof in file.proofs} | _opened(file)
    for place, card in enumerate(file.dealt):
        position = (file.cut + place) % file.cards
        other = sealed.get(position, card)
        if card is not None and other != card:
            yield message("shoe.dealt-differs", place=place, position=position, card=card, other=str(other))
            return


def _opened(file: ShoeFile) -> dict[int, str]:
    return dict(enumerate(file.opened.order)) if file.opened else {}
