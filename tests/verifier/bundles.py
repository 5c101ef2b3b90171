"""Dossiers to be checked: of a true round, and of one that somebody would have liked."""

import asyncio
import functools

from journal.journals import EVENING, KEYS, told_evening, write

from thirdcard.dossier.make import make_dossier, told_round
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.memory import MemoryStore

STREAM = "table-1"
PUBLIC = KEYS.public_keys[KEYS.key_id].hex()
Files = dict[str, bytes]


@functools.cache
def _made(number: int, text: str, keys: KeyRing, *, signed: bool) -> tuple[tuple[str, bytes], ...]:
    async def make() -> Files:
        store, unsigned = MemoryStore(), MemoryStore()
        made = await write(store, told_evening(STREAM, text), keys)
        if not signed:
            for digest in {made[0].rulebook, made[0].house}:
                await unsigned.keep_content(digest, await store.content(digest) or b"")
            await unsigned.append(made)
        told = await told_round(store if signed else unsigned, STREAM, number)
        assert told is not None
        return (await make_dossier(store if signed else unsigned, told, keys)).files

    return tuple(asyncio.run(make()).items())


def dossier(number: int = 2, *, keys: KeyRing = KEYS, signed: bool = True, bob: str = "333") -> Files:
    """The files of a dossier of the evening, in which Bob has staked so much on Banker."""
    text = EVENING.read_text("utf-8").replace("Bob: 333 on banker", f"Bob: {bob} on banker")
    return dict(_made(number, text, keys, signed=signed))
