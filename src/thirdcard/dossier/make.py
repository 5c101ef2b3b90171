"""Puts a dossier together from a journal."""

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.auditor.stored_rules import Rules, StoredRules
from thirdcard.dossier.bundle import Proof, files_of, prove
from thirdcard.dossier.find import FoundRound, find_round
from thirdcard.dossier.page import Subject, page_of
from thirdcard.dossier.shoes import opened_shoe
from thirdcard.dossier.story import Story, tell_round, terms_of
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.sealed_shoe import ShoeFile
from thirdcard.journal.store import Store


class ToldRound(Struct, frozen=True):
    """A round with its story and the rules that it was played by."""

    found: FoundRound
    story: Story
    rules: Rules


class Dossier(Struct, frozen=True):
    """The files of a dossier by name, and the proof that is in them."""

    files: dict[str, bytes]
    proof: Proof


async def told_round(store: Store, stream: str, number: int) -> ToldRound | None:
    """A round of a stream, told in the language of the reader; nothing where there is none of this number."""
    found = await find_round(store, stream, number)
    if found is None:
        return None
    rules = await StoredRules(store).of(found.entries[0].record)
    assert isinstance(rules, Rules)  # a round is at a table
    return ToldRound(found, tell_round(found, terms_of(rules.games[found.setup.game], rules.house)), rules)


async def make_dossier(store: Store, told: ToldRound, signer: KeyRing | None = None) -> Dossier:
    """Return the dossier of a round, with its shoe, where that was sealed and is laid open by now.

    A signer binds its page and its verifier; without one they prove nothing.
    """
    found, shoes = told.found, dict[int, ShoeFile]()
    sealed = found.sealed_shoe
    opened = await opened_shoe(store, found.stream, sealed) if sealed is not None else None
    if sealed is not None and opened is not None:
        entry, shoes[sealed] = opened
        found = replace(found, shoe=(*found.shoe, entry))
    proof = await prove(store, found)
    rulebook = told.rules.games[found.setup.game]
    page = page_of(Subject(found, told.story, rulebook, told.rules.house, proof.checkpoint))
    return Dossier(await files_of(store, found, proof, page, shoes, signer), proof)
