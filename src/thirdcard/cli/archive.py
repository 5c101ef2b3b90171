"""``thirdcard archive``: closes past days into volumes, and lets the journal forget what they have."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from cyclopts import App
from msgspec import Struct

from thirdcard.cli.arguments import Flag, WholeNumber
from thirdcard.cli.journals import NOWHERE, Journal, JournalPlace, bar
from thirdcard.cli.key import open_ring
from thirdcard.cli.output import NEGATIVE_ANSWER, BadInput, console, print_json, print_table
from thirdcard.journal.archive.forget import forget_volumes
from thirdcard.journal.archive.store import ArchivedStore
from thirdcard.journal.archive.volume import Volume, frames_file, manifest_file, numbers_in
from thirdcard.journal.archive.write import DAY_MICROSECONDS, write_volumes
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.store import StoreFailed, StoreUnusable
from thirdcard.rulebook.words import text
from thirdcard.streams.archives import open_to_forget
from thirdcard.streams.opening import OpenedPlace, open_store, place

app = App(name="archive", help="Close past days of a journal into signed volumes.", help_format="plaintext")
KEPT_DAYS = 7
T = TypeVar("T")


class ArchiveLine(Struct, frozen=True):
    """A volume in the list."""

    volume: int
    tables: int
    records: int
    bytes: int
    state: str


@app.command
def write(
    *,
    journal: JournalPlace = NOWHERE,
    key: Path | None = None,
    keep_days: WholeNumber = KEPT_DAYS,
    json: Flag = False,
) -> None:
    """Write past days into volumes of the archive, each table up to the last checkpoint of a day.

    A server may run meanwhile. Every volume is read back and checked before it gets its name, and the
    journal keeps everything until `thirdcard archive forget`. The same command goes on after an interruption.

    Parameters
    ----------
    journal
        The journal.
    key
        The file with the floor's keys; without one $THIRDCARD_KEYS, or the usual place for a user's settings.
    keep_days
        How many days stay in the journal; at least 1, so that a command that is sent again is known.
    json
        Print JSON.
    """
    if keep_days < 1:
        raise BadInput(text("simulate.too-small", option="--keep-days", number=keep_days, least=1))
    where = _place(journal, key)
    keys, now = _ring(where), time.time_ns() // 1000

    async def work() -> tuple[Volume, ...]:
        store = await open_store(where, writing=False)
        try:
            with bar(text("archive.writing")) as advance:
                advance(0, sum([(await store.head(name)).sequence for name in await store.streams()]))
                until = now - keep_days * DAY_MICROSECONDS
                return await write_volumes(
                    store, keys, until=until, wall_time=now, progress=lambda more: advance(more, None)
                )
        finally:
            await store.close()

    made = _run(work)
    lines = [_line(volume, volume.manifest.size, "waiting") for volume in made]
    if json:
        print_json({"folder": str(where.archive), "volumes": lines})
        return
    if not made:
        console().print(text("archive.nothing", days=keep_days), soft_wrap=True)
        return
    _print(lines)
    console().print(text("archive.written", folder=str(where.archive)), soft_wrap=True)


@app.command
def forget(*, journal: JournalPlace = NOWHERE, key: Path | None = None, json: Flag = False) -> None:
    """Delete from the journal what the volumes have, once each is checked and compared with it.

    Stop the server first. In PostgreSQL it is done as the owner of the database: the role of the server may
    delete nothing. The same command goes on after an interruption.

    Parameters
    ----------
    journal
        The journal.
    key
        The file with the floor's keys; without one $THIRDCARD_KEYS, or the usual place for a user's settings.
    json
        Print JSON.
    """
    where = _place(journal, key)
    keys = _ring(where)

    async def work() -> int:
        async with open_to_forget(where, keys) as store:
            with bar(text("archive.forgetting")) as advance:
                return await forget_volumes(store, keys, progress=lambda more: advance(more, None))

    records = _run(work)
    if json:
        print_json({"folder": str(where.archive), "records": records})
        return
    told = "archive.forgotten" if records else "archive.nothing-waits"
    console().print(text(told, records=records, folder=str(where.archive)), soft_wrap=True)


@app.command(name="list")
def list_(*, journal: JournalPlace = NOWHERE, json: Flag = False) -> int:
    """List the volumes of an archive: those that the journal relies on, and those that wait.

    Exit status 1 if one that the journal relies on is missing. `thirdcard audit verify` proves them.

    Parameters
    ----------
    journal
        The journal.
    json
        Print JSON.
    """
    where = _place(journal, None)

    async def work() -> list[ArchiveLine]:
        store = await open_store(where, writing=False)
        try:
            return await _lines(store)
        finally:
            await store.close()

    lines = _run(work)
    if json:
        print_json({"folder": str(where.archive), "volumes": lines})
    else:
        _print(lines)
    return NEGATIVE_ANSWER if any(each.state == "missing" for each in lines) else 0


async def _lines(store: ArchivedStore) -> list[ArchiveLine]:
    noted: defaultdict[int, list[int]] = defaultdict(list)
    for each in await store.live.archived():
        noted[each.volume].append(each.head.sequence - each.first + 1)
    there = set(numbers_in(store.folder))
    found = []
    for number in sorted(there | noted.keys()):
        frames = frames_file(store.folder, number)
        if manifest_file(store.folder, number).exists() and frames.exists():
            volume = Volume(store.folder, number)
            whole = len(volume.manifest.parts) == len(noted.get(number, ()))
            found.append(_line(volume, frames.stat().st_size, "archived" if whole else "waiting"))
        else:
            parts = noted.get(number, [])
            found.append(ArchiveLine(number, len(parts), sum(parts), 0, "missing"))
    return found


def _line(volume: Volume, size: int, state: str) -> ArchiveLine:
    parts = volume.manifest.parts
    records = sum(part.after.sequence - part.before.sequence for part in parts)
    return ArchiveLine(volume.number, len(parts), records, size, state)


def _print(lines: list[ArchiveLine]) -> None:
    columns = tuple(text(f"archive.{name}") for name in ArchiveLine.__struct_fields__)
    rows = [
        (
            f"{each.volume:06}",
            str(each.tables),
            str(each.records),
            str(each.bytes),
            text(f"archive.state-{each.state}"),
        )
        for each in lines
    ]
    print_table(None, columns, rows)


def _place(journal: Journal, key: Path | None) -> OpenedPlace:
    try:
        return place(data=journal.data, postgres=journal.postgres, key=key)
    except StoreUnusable as error:
        raise BadInput(str(error)) from error


def _ring(where: OpenedPlace) -> KeyRing:
    if not where.key.exists():
        raise BadInput(text("cli.no-key-file", file=str(where.key)))
    return open_ring(where.key)


def _run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    try:
        return asyncio.run(work())
    except (StoreUnusable, StoreFailed) as error:
        raise BadInput(str(error)) from error
