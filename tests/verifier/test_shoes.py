"""Sealed shoes in a dossier: held against the seal in the records, card by card."""

import hashlib
import hmac
import json
from typing import Any

import pytest
from contracts.stores import draft
from journal.journals import KEYS
from msgspec.structs import replace
from verifier.bundles import PUBLIC, Files

from thirdcard import verifier
from thirdcard.dossier.bundle import line_of_record
from thirdcard.journal.checkpoints import line_of, make_checkpoint
from thirdcard.journal.merkle import Frontier, leaf, path_of
from thirdcard.journal.record import EMPTY, head_of, place
from thirdcard.verifier import Unreadable, verify

# a shoe of one deck that was not shuffled at all, with the secret 00 01 02 ... 1f
ROOT = "d89837e3985a9e2dd5358295120d379d63bfe131dd9757ae46e6da7614fe806d"
SECRET = bytes(range(32))
ORDER = [f"{rank}{suit}" for suit in "SHDC" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")]
SALT = "dca798742f9382235694e3020bed6e8fad4c022d0369e0312366f4faddcee0bb"  # of position 30
PATH = [
    "2cb366ef4932d360da22134edf98f92cf2f956299b1f704672064ad1a58b244a",
    "65ae255ce1e4c3d0f90c3bb8e6bfff454ff4eee8f04c408484728693db46432f",
    "c2440cffc79aac4d9fd492e9bab3769dcdd899b36d7c78ae9af50fc38e328a4e",
    "49c37ccbf966a5ef155295003dd333719e3a03a5c9a65943e1c1713c0c667d58",
    "93b9974577955852e193c7a4960066e1d0d18bf24949b455e58feec52c2f508b",
    "e5ff750958433178abfe95d957d8aec4f114d280f47aff30823e0f1b94b2ae30",
]
PROOF = {"position": 30, "card": "5D", "salt": SALT, "path": PATH}
OPENED = {"order": ORDER, "secret": SECRET.hex()}
SHOE: dict[str, Any] = {
    "format": 1,
    "root": ROOT,
    "cards": 52,
    "cut": 28,
    "opened": OPENED,
    "proofs": [PROOF],
    "dealt": ["3D", "4D", None, "6D"],
}


def bundle(shoe: dict[str, Any], root: str = ROOT) -> Files:
    """A signed bundle of three records, the first of which seals a shoe."""
    events = [
        [{"type": "shoe-loaded", "number": 1, "decks": 1, "cards": 52, "seal": {"root": root}}],
        [{"type": "betting-opened"}, {"type": "round-began", "number": 1}],
        [{"type": "round-ended", "number": 1}],
    ]
    head, tree, made = EMPTY, Frontier(), []
    for number, each in enumerate(events):
        body = json.dumps({"command": {}, "events": each}).encode()
        record = place(replace(draft("t", f"c{number}", body), rulebook="", house=""), head)
        head, tree = head_of(record), tree.grown(leaf(record.digest))
        made.append(record)
    leaves = [leaf(record.digest) for record in made]
    lines = [line_of_record(record, path_of(leaves, at)) for at, record in enumerate(made)]
    signed = make_checkpoint(KEYS, stream="t", head=head, tree=tree, wall_time=1, reason="time")
    files = {
        "records.jsonl": b"".join(lines),
        "checkpoint.json": line_of(signed),
        "keys.json": json.dumps({KEYS.key_id: PUBLIC}).encode(),
        "shoes/1.json": json.dumps(shoe).encode(),
    }
    told = verifier.summary("t", 1, verifier.read_records(files), files)
    files["round.json"] = json.dumps(told).encode()
    named = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    manifest = {"bundle": 1, "stream": "t", "round": 1, "files": named}
    return files | {"manifest.json": json.dumps(manifest).encode()}


def test_a_shoe_that_was_laid_open_is_as_it_was_sealed() -> None:
    report = verify(bundle(SHOE), PUBLIC)
    assert report.wrong == []
    assert report.proven[-1] == (
        "shoes/1.json is as it was sealed before the first wager: "
        "52 cards laid open, 1 proven one by one, 3 compared with the cards that came."
    )


def test_single_cards_are_proven_while_the_rest_is_hidden() -> None:
    shoe = {"format": 1, "root": ROOT, "cards": 52, "cut": 28, "proofs": [PROOF], "dealt": [None, None, "5D"]}
    assert verify(bundle(shoe), PUBLIC).wrong == []


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"dealt": ["3D", "4D", None, "7D"]}, "at place 3 came 7D, and 6D was sealed there"),
        ({"cut": 27}, "at place 0 came 3D, and 2D was sealed there"),
        ({"opened": None}, "at place 0 came 3D, and an unknown card was sealed there"),
        ({"opened": None, "proofs": [], "dealt": []}, "nothing in it can be checked"),
        ({"opened": {**OPENED, "secret": "00" * 32}}, "the cards laid open are not those that were sealed"),
        (
            {"opened": {**OPENED, "order": [ORDER[1], ORDER[0], *ORDER[2:]]}},
            "the cards laid open are not those that were sealed",
        ),
        ({"opened": {**OPENED, "order": ["AS", *ORDER[:-1]]}}, "AS is in it more often than there are decks"),
        ({"opened": {**OPENED, "order": ORDER[:-1]}}, "51 cards are laid open, and 52 were sealed"),
        ({"proofs": [{**PROOF, "card": "6D"}]}, "6D was not sealed at position 30"),
        ({"proofs": [{**PROOF, "position": 31}]}, "5D was not sealed at position 31"),
        ({"proofs": [{**PROOF, "path": PATH[:-1]}]}, "5D was not sealed at position 30"),
        ({"proofs": [{**PROOF, "salt": "00" * 32}]}, "5D was not sealed at position 30"),
    ],
)
def test_another_shoe_than_the_sealed_one_is_found(changes: dict[str, Any], wrong: str) -> None:
    assert verify(bundle(SHOE | changes), PUBLIC).wrong == [f"shoes/1.json: {wrong}."]


def test_a_true_shoe_that_the_records_did_not_seal_is_found() -> None:
    said = "shoes/1.json: it is none of the shoes that the records say were sealed."
    assert verify(bundle(SHOE, root="00" * 32), PUBLIC).wrong == [said]


@pytest.mark.parametrize(
    "changes",
    [
        {"format": 2},
        {"cards": 51},
        {"cards": 52.0},
        {"cut": "28"},
        {"root": ROOT.upper()},
        {"opened": {"order": [1]}},
        {"opened": {"order": ["\ud800", *ORDER[1:]], "secret": SECRET.hex()}},
        {"more": 1},
    ],
)
def test_a_file_that_is_no_shoe_cannot_be_read(changes: dict[str, Any]) -> None:
    with pytest.raises(Unreadable):
        verify(bundle(SHOE | changes), PUBLIC)


def test_the_salts_are_those_of_the_page() -> None:
    assert hmac.new(SECRET, (30).to_bytes(4, "big"), "sha256").hexdigest() == SALT
