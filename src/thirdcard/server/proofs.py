"""The questions that need the whole journal, in a process of their own so that no table waits for them.

Everything here runs in that process: it opens the journal for reading alone, and remembers where rounds are.
"""

import asyncio
import math
import multiprocessing
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from decimal import Decimal
from multiprocessing.sharedctypes import Synchronized
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.auditor.verify import Against, StreamReport, verify
from thirdcard.dossier.bundle import folder_of, zipped
from thirdcard.dossier.index import RoundIndex, RoundLine, Sought
from thirdcard.dossier.make import make_dossier, told_round
from thirdcard.dossier.story import hands_by_step
from thirdcard.journal.keys import open_key_file
from thirdcard.journal.store import Store
from thirdcard.messages import speaking
from thirdcard.money import Currency
from thirdcard.streams.opening import OpenedPlace, open_store
from thirdcard.wire.records import RoundAnswer, TableRound

T = TypeVar("T")
NICENESS = 10  # tables come first
_progress: "Synchronized[int] | None" = None
_indexes: dict[tuple[OpenedPlace, str], RoundIndex] = {}


def begin(progress: "Synchronized[int]") -> None:
    """Ready this process; how far a verification is goes into ``progress``."""
    global _progress  # noqa: PLW0603 - the one of this process
    _progress = progress
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server says when to end
    os.nice(NICENESS)
    threading.Thread(target=_end_with_the_server, daemon=True).start()


def _end_with_the_server() -> None:
    """End this process when the server is gone; one that was killed cannot say so."""
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(1)


def verify_stream(where: OpenedPlace, stream: str, *, chain_only: bool) -> StreamReport:
    """Prove a stream."""
    assert _progress is not None
    before = _progress.value

    def tell(records: int) -> None:
        assert _progress is not None
        _progress.value = before + records

    async def work(store: Store) -> StreamReport:
        return await verify(store, stream, chain_only=chain_only, progress=tell)

    return _reading(where, work)


def check_stream(where: OpenedPlace, stream: str, public_keys: dict[str, bytes]) -> StreamReport:
    """Follow the chain and the signatures of a stream, by the keys of the floor."""

    async def work(store: Store) -> StreamReport:
        return await verify(store, stream, Against(public_keys), chain_only=True)

    return _reading(where, work)


def find_rounds(where: OpenedPlace, stream: str, sought: Sought) -> tuple[RoundLine, ...]:
    """The rounds of a table that are sought."""

    async def work(store: Store) -> tuple[RoundLine, ...]:
        index = _indexes.setdefault((where, stream), RoundIndex(stream))
        await index.renew(store)
        return index.find(sought)

    return _reading(where, work)


class Amounts(Struct, frozen=True):
    """The least and the highest that is sought, in whole units of whatever currency a table has."""

    least: Decimal | None = None
    highest: Decimal | None = None

    def of(self, sought: Sought, currency: Currency | None) -> Sought:
        """The conditions with these amounts in minor units of a currency."""
        unit = 10 ** (currency.exponent if currency else 0)
        return replace(
            sought,
            least=None if self.least is None else math.ceil(self.least * unit),
            highest=None if self.highest is None else math.floor(self.highest * unit),
        )


def search_rounds(
    where: OpenedPlace, streams: tuple[str, ...], sought: Sought, amounts: Amounts
) -> tuple[TableRound, ...]:
    """The rounds of several tables that are sought, the newest first."""

    async def work(store: Store) -> tuple[TableRound, ...]:
        found: list[TableRound] = []
        for stream in streams:
            index = _indexes.setdefault((where, stream), RoundIndex(stream))
            await index.renew(store)
            lines = index.find(amounts.of(sought, index.currency))
            found += [TableRound(stream, index.currency, line) for line in lines]
        found.sort(key=lambda each: (each.round.began, each.table, each.round.number), reverse=True)
        return tuple(found[: sought.most])

    return _reading(where, work)


def tell_story(where: OpenedPlace, stream: str, number: int, language: str) -> RoundAnswer | None:
    """A round card by card, with clause and person, in the language of a reader."""

    async def work(store: Store) -> RoundAnswer | None:
        with speaking(language):
            told = await told_round(store, stream, number)
        return RoundAnswer(told.story, hands_by_step(told.found)) if told else None

    return _reading(where, work)


def bind_dossier(where: OpenedPlace, stream: str, number: int, language: str) -> bytes | None:
    """Everything a dispute needs about a round, as a zip file, in the language of a reader."""

    async def work(store: Store) -> bytes | None:
        with speaking(language):
            told = await told_round(store, stream, number)
            made = await make_dossier(store, told, open_key_file(where.key)) if told else None
        return zipped(made.files, folder_of(stream, number)) if made else None

    return _reading(where, work)


def _reading(where: OpenedPlace, work: Callable[[Store], Awaitable[T]]) -> T:
    async def opened() -> T:
        store = await open_store(where, writing=False)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(opened())
