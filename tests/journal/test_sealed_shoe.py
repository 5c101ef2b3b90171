"""A sealed shoe: the bytes that docs/shoe.md fixes, and everything that does not fit is named."""

import hashlib
import hmac
from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace
from sealed_shoes import opened_shoes

from thirdcard.cards import NEW_DECK
from thirdcard.journal.sealed_shoe import (
    CardProof,
    Contents,
    Opening,
    ShoeFile,
    check,
    is_proven,
    prove,
    root_of_shoe,
)
from thirdcard.messages import say
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.shelf import SHIPPED

SECRET = bytes(range(32))
CONTENTS = Contents(NEW_DECK, SECRET)
# the root of one deck in the order of new decks under the secret 00 01 02 … 1f, as docs/shoe.md prints it
ROOT = "d89837e3985a9e2dd5358295120d379d63bfe131dd9757ae46e6da7614fe806d"


def by_the_page(order: list[str], secret: bytes) -> bytes:
    """The root as the page describes it: written down a second time, without thirdcard."""

    def tree(hashes: list[bytes]) -> bytes:
        if len(hashes) == 1:
            return hashes[0]
        half = 1
        while half * 2 < len(hashes):
            half *= 2
        return hashlib.sha256(b"\x01" + tree(hashes[:half]) + tree(hashes[half:])).digest()

    leaves = []
    for position, card in enumerate(order):
        where = position.to_bytes(4, "big")
        salt = hmac.new(secret, where, hashlib.sha256).digest()
        leaves.append(hashlib.sha256(b"\x00" + salt + where + card.encode("ascii")).digest())
    return tree(leaves)


def test_the_root_is_the_one_that_the_page_prints() -> None:
    assert [card.text for card in NEW_DECK[:11]] == [
        "AS",
        "2S",
        "3S",
        "4S",
        "5S",
        "6S",
        "7S",
        "8S",
        "9S",
        "10S",
        "JS",
    ]
    assert [card.text for card in NEW_DECK[12::13]] == ["KS", "KH", "KD", "KC"]
    assert root_of_shoe(CONTENTS) == ROOT
    assert by_the_page([card.text for card in NEW_DECK], SECRET).hex() == ROOT


@pytest.mark.parametrize("decks", [2, 6, 8, 10])
def test_the_root_of_any_shoe_is_made_as_the_page_says(decks: int) -> None:
    order = tuple(reversed(NEW_DECK * decks))
    assert root_of_shoe(Contents(order, SECRET)) == by_the_page([c.text for c in order], SECRET).hex()


@pytest.mark.parametrize("decks", [1, 8])
def test_every_card_can_be_proven_alone(decks: int) -> None:
    contents = Contents(NEW_DECK * decks, SECRET)
    root, cards = root_of_shoe(contents), 52 * decks
    for position in range(0, cards, decks * 2 - 1):
        proof = prove(contents, position)
        assert proof.card == contents.order[position].text
        assert is_proven(proof, root=root, cards=cards)


PROOF = prove(CONTENTS, 30)
OTHER = "00" * 32


@pytest.mark.parametrize(
    "forged",
    [
        replace(PROOF, position=31),
        replace(PROOF, position=52),
        replace(PROOF, card="KD"),
        replace(PROOF, salt=OTHER),
        replace(PROOF, path=(OTHER, *PROOF.path[1:])),
        replace(PROOF, path=PROOF.path[:-1]),
        replace(PROOF, path=(*PROOF.path, OTHER)),
        replace(PROOF, path=()),
        replace(prove(CONTENTS, 31), position=30),
    ],
    ids=["next", "beyond", "card", "salt", "path", "short path", "long path", "no path", "moved"],
)
def test_a_forged_proof_is_none(forged: CardProof) -> None:
    assert is_proven(PROOF, root=root_of_shoe(CONTENTS), cards=52)
    assert not is_proven(forged, root=root_of_shoe(CONTENTS), cards=52)


def test_a_proof_holds_for_its_own_root_only() -> None:
    other = root_of_shoe(Contents(NEW_DECK, bytes(32)))
    assert not is_proven(PROOF, root=other, cards=52)


def shoe_file(**changes: object) -> ShoeFile:
    order = tuple(card.text for card in NEW_DECK)
    file = ShoeFile(
        format=1,
        root=root_of_shoe(CONTENTS),
        cards=52,
        cut=50,
        opened=Opening(order, SECRET.hex()),
        proofs=(prove(CONTENTS, 7), PROOF),
        dealt=("QC", "KC", "AS", None, "3S"),
    )
    return replace(file, **changes)


def test_a_shoe_that_is_as_it_was_sealed_has_no_fault() -> None:
    assert check(shoe_file()) == ()
    assert check(shoe_file(proofs=(), dealt=())) == ()
    assert check(shoe_file(opened=None)) == ()


def swapped(one: int, other: int) -> Opening:
    order = [card.text for card in NEW_DECK]
    order[one], order[other] = order[other], order[one]
    return Opening(tuple(order), SECRET.hex())


ORDER = tuple(card.text for card in NEW_DECK)
FAULTS: dict[str, tuple[dict[str, object], str]] = {
    "nothing to check": ({"opened": None, "proofs": ()}, "There is nothing to check"),
    "a card too few": (
        {"opened": Opening(ORDER[:-1], SECRET.hex()), "proofs": (), "dealt": ()},
        "52 cards were sealed, but 51 are laid open.",
    ),
    "two cards exchanged": (
        {"opened": swapped(20, 21), "proofs": (), "dealt": ()},
        "The cards laid open are not those that were sealed: they give the root",
    ),
    "a card twice": (
        {"opened": Opening((*ORDER[:9], "AS", *ORDER[10:]), SECRET.hex()), "proofs": (), "dealt": ()},
        "Position 9: AS lies there as copy 2, but the shoe has 1 of each card. "
        "The cards laid open are not those that were sealed",
    ),
    "another secret": (
        {"opened": Opening(ORDER, OTHER), "proofs": (), "dealt": ()},
        "The cards laid open are not those that were sealed",
    ),
    "no secret": (
        {"opened": Opening(ORDER, "secret"), "proofs": (), "dealt": ()},
        "The secret of the shoe is not hexadecimal.",
    ),
    "a forged proof": (
        {"proofs": (prove(CONTENTS, 7), replace(PROOF, card="KD"))},
        "Position 30: the proof of KD does not lead to the root.",
    ),
    "a proof that the opening denies": (
        {"opened": swapped(30, 31), "dealt": ()},
        "The cards laid open are not those that were sealed: they give the root *"
        "Position 30: 5D is proven there, but 6D was laid open.",
    ),
    "another card dealt": (
        {"dealt": ("QC", "KC", "2S")},
        "Place 2 (position 0): 2S came, but AS was sealed there.",
    ),
    "another card dealt than was proven": (
        {"opened": None, "cut": 7, "dealt": ("9S", "AS")},
        "Place 0 (position 7): 9S came, but 8S was sealed there.",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_does_not_fit_is_named_by_its_position(fault: str) -> None:
    changes, expected = FAULTS[fault]
    told = " ".join(say(each) for each in check(shoe_file(**changes)))
    first, _, second = expected.partition("*")
    assert told.startswith(first)
    assert told.endswith(second)


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: {**file, "root": "zz"},
        lambda file: {**file, "cards": 51},
        lambda file: {**file, "cards": 0},
        lambda file: {**file, "format": 2},
        lambda file: {**file, "cut": -1},
        lambda file: {**file, "colour": "red"},
        lambda file: {**file, "dealt": ["1S"]},
        lambda file: {**file, "dealt": ["10"]},
        lambda file: {**file, "opened": {"order": ["AS"], "secret": "00"}},
        lambda file: {**file, "proofs": [{"position": 1 << 32, "card": "AS", "salt": OTHER, "path": []}]},
    ],
)
def test_a_file_of_another_form_is_not_read(damage: Callable[[dict[str, object]], object]) -> None:
    whole = msgspec.json.decode(msgspec.json.encode(shoe_file()))
    assert msgspec.convert(whole, ShoeFile) == shoe_file()
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(damage(whole), ShoeFile)


def test_the_shoes_of_a_table_are_found_with_the_cards_that_were_seen() -> None:
    rulebook = SHIPPED.rulebook("mbs-tiger-v3")
    text = (
        "game mbs-tiger-v3\nautomatic none\nmethod A\n"
        "Pit Manager: loads 8 decks, sealed\nDealer: cuts at 414\n"
        "Dealer: opens betting\nDealer: closes betting\nDealer: draws QC ? AS 2S\n"
        "Dealer: opens player\nDealer: opens banker 3 2S\n"
        "Dealer: draws 9S\nDealer: opens player\nDealer: calls banker\n"
        "Pit Manager: lays the shoe open as 8 decks\n"
        "Dealer: loads 8 decks, sealed\nPit Manager: lays the shoe open as 8 decks\n"
    )
    house = SHIPPED.house(rulebook.document.house)
    events = play(parse(text, RoundRules(house=house)), rulebook, house).events
    first, second = opened_shoes(events)
    assert first.dealt == ("QC", None, "AS", "2S", "9S")
    assert (first.cut, second.cut, second.dealt) == (414, 0, ())
    assert first.opened is not None
    assert first.opened.order[:3] == ("AS", "2S", "3S")
    told = [say(each) for each in check(first)]
    assert told[0].startswith("The cards laid open are not those that were sealed")
    assert told[1:] == ["Place 4 (position 2): 9S came, but 3S was sealed there."]


def test_what_was_never_laid_open_is_no_shoe_to_check() -> None:
    assert list(opened_shoes(())) == []
