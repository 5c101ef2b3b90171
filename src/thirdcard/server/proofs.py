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
from thirdcard.dossier.floor_history import floor_history
from thirdcard.dossier.index import RoundIndex, RoundLine, Sought
from thirdcard.dossier.make import make_dossier, told_round
from thirdcard.dossier.story import hands_by_step
from thirdcard.floor.gaming_day import BadPeriod, parse_date
from thirdcard.journal.keys import open_key_file
from thirdcard.journal.store import Store
from thirdcard.messages import say, speaking
from thirdcard.money import Currency
from thirdcard.refusals import Refusal, Refused, refuse
from thirdcard.reports.files import ReportForm, report_file
from thirdcard.reports.report import Marks, ReportKind, make_report, periods
from thirdcard.reports.rows import ToldReport
from thirdcard.rulebook.words import post_name
from thirdcard.streams.opening import OpenedPlace, open_store
from thirdcard.wire.records import RoundAnswer, TableRound
from thirdcard.wire.reports import ReportAnswer, ReportPeriod

T = TypeVar("T")
NICENESS = 10  # tables come first
_progress: "Synchronized[int] | None" = None
_indexes: dict[tuple[OpenedPlace, str], RoundIndex] = {}
_marks: dict[OpenedPlace, Marks] = {}


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


class AskedReport(Struct, frozen=True, kw_only=True):
    """A report that somebody asks for, in a language; without a date that of the gaming day of now.

    Its ``signer`` is who asks, with the posts.
    """

    kind: ReportKind
    first: str
    last: str
    tables: tuple[str, ...]
    now: int
    language: str
    signer: tuple[str, tuple[str, ...]]


def tell_report(where: OpenedPlace, asked: AskedReport) -> ReportAnswer | Refused:
    """A report for a screen."""

    def tell(told: ToldReport, today: str) -> ReportAnswer:
        periods = (block.period for block in told.report.blocks)
        return ReportAnswer(
            kind=asked.kind,
            first=asked.first or today,
            last=asked.last or asked.first or today,
            today=today,
            zones=told.zones,
            houses=tuple(sorted(told.report.terms.houses.values())),
            periods=tuple(
                ReportPeriod(each.date.isoformat(), each.shift, *told.ends_of(each)) for each in periods
            ),
            rows=told.rows,
            names=told.report.names,
            digest=told.report.origin.digest,
            files=tuple(form for form in ReportForm if form.is_there),
        )

    return _reported(where, asked, tell)


def write_report(where: OpenedPlace, asked: AskedReport, form: ReportForm) -> bytes | Refused:
    """A report as a file, in the language of a reader."""
    return _reported(where, asked, lambda told, _: report_file(told, form))


def _reported(where: OpenedPlace, asked: AskedReport, tell: Callable[[ToldReport, str], T]) -> T | Refused:
    async def work(store: Store) -> T | Refused:
        history = await floor_history(store)
        days = history.days
        today = days.date_of(asked.now).isoformat()
        try:
            first, last = (
                parse_date(each) for each in (asked.first or today, asked.last or asked.first or today)
            )
            of = periods(days, asked.kind, first, last)
        except BadPeriod as error:
            return refuse(Refusal.NOT_UNDERSTOOD, problem=say(error.what))
        there = await store.streams()
        names = tuple(name for name in there if name in asked.tables)
        report = await make_report(store, names, of, history=history, marks=_marks.setdefault(where, {}))
        name, posts = asked.signer
        with speaking(asked.language):
            signer = name, ", ".join(map(post_name, posts))
            return tell(ToldReport(report, days, (signer,)), today)

    return _reading(where, work)


def _reading(where: OpenedPlace, work: Callable[[Store], Awaitable[T]]) -> T:
    async def opened() -> T:
        store = await open_store(where, writing=False)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(opened())
