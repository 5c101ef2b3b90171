"""Checks before a floor is opened: its file, keys, folders, journal, archive, disk, port and certificate."""

import asyncio
import datetime
import enum
import os
import shutil
import socket
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.clockwork.floor_file import FloorFile, read_floor_file
from thirdcard.journal.archive.store import ArchivedStore
from thirdcard.journal.archive.volume import frames_file, manifest_file
from thirdcard.journal.keys import KeyFileUnusable, KeyRing, open_key_file
from thirdcard.journal.marks import MarkUnusable, missing_ends
from thirdcard.journal.store import StoreFailed, StoreUnusable
from thirdcard.messages import say
from thirdcard.rulebook.read import UnreadableFile
from thirdcard.rulebook.words import text
from thirdcard.server.exposure import BadCertificate, Listen, Tls
from thirdcard.streams.opening import OpenedPlace, is_superuser, open_store

LEAST_FREE = 2 << 30  # bytes; a large floor writes a fifth of it in a day
OPEN_TO_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class CheckResult(enum.Enum):
    """The outcome of a check."""

    GOOD = "good"
    ODD = "odd"  # the floor opens, and somebody should look
    BAD = "bad"  # the floor does not open, or opens with a danger


class FloorCheck(Struct, frozen=True):
    """One thing that was looked at before opening."""

    about: str
    result: CheckResult
    says: str


class FloorToCheck(Struct, frozen=True):
    """A floor as it is to be served."""

    where: OpenedPlace
    floor: Path
    listen: Listen
    tls: Tls | None = None


def check_floor(wanted: FloorToCheck) -> tuple[FloorCheck, ...]:
    """Look at everything that a server needs; nothing is written."""
    found = [*_check_file(wanted)]
    file = _file(wanted)
    where = replace(wanted.where, shelf=file.shelf) if file else wanted.where
    ring = _ring(where)
    found += [
        *_check_keys(where),
        *_check_folders(where),
        *asyncio.run(_check_journal(where, ring)),
        *_check_disk(where),
        *_check_port(wanted.listen),
        *_check_tls(wanted.tls),
    ]
    return tuple(found)


def _file(wanted: FloorToCheck) -> FloorFile | None:
    try:
        return read_floor_file(wanted.floor, datetime.datetime.now(datetime.UTC), wanted.where.shelf)
    except UnreadableFile:
        return None


def _check_file(wanted: FloorToCheck) -> Iterator[FloorCheck]:
    try:
        file = read_floor_file(wanted.floor, datetime.datetime.now(datetime.UTC), wanted.where.shelf)
    except UnreadableFile as error:
        yield _bad("floor", str(error))
        return
    setups = [each.setup for each in file.tables]
    yield _good("floor", text("check.tables", tables=len(setups), file=str(wanted.floor)))
    games = sorted({setup.game for setup in setups})
    houses = sorted({setup.house for setup in setups})
    yield _good("shelf", text("check.shelf", games=", ".join(games), houses=", ".join(houses)))


def _ring(where: OpenedPlace) -> KeyRing | None:
    try:
        return open_key_file(where.key) if where.key.exists() else None
    except KeyFileUnusable:
        return None


def _check_keys(where: OpenedPlace) -> Iterator[FloorCheck]:
    if not where.key.exists():
        begun = where.postgres is None and where.journal.exists()
        told = text("check.no-keys" if begun else "check.new-keys", file=str(where.key))
        yield _bad("keys", told) if begun else FloorCheck("keys", CheckResult.ODD, told)
        return
    try:
        ring = open_key_file(where.key, apart_from=None if where.postgres else where.data)
    except KeyFileUnusable as error:
        yield _bad("keys", str(error))
        return
    yield _good("keys", text("check.keys", file=str(where.key), id=ring.key_id))


def _check_folders(where: OpenedPlace) -> Iterator[FloorCheck]:
    folders = [where.key.parent, where.mark_file.path.parent, where.archive]
    for folder in (*(() if where.postgres else (where.data,)), *folders):
        there = _nearest(folder)
        if not os.access(there, os.W_OK | os.X_OK):
            yield _bad("folders", text("check.not-writable", folder=str(there)))
    private = [where.data, where.archive, where.journal, where.key]
    open_ones = [str(path) for path in private if path.exists() and path.stat().st_mode & OPEN_TO_OTHERS]
    if open_ones:
        yield _bad("folders", text("check.not-private", files=", ".join(open_ones)))
    elif where.mark_file.path.is_relative_to(where.data) and where.postgres is None:
        yield _bad("folders", text("check.marks-with-data", folder=str(where.mark_file.path.parent)))
    else:
        yield _good("folders", text("check.folders"))


async def _check_journal(where: OpenedPlace, ring: KeyRing | None) -> list[FloorCheck]:
    if where.postgres is None and not where.journal.exists():
        return [FloorCheck("journal", CheckResult.ODD, text("check.new-journal", file=str(where.journal)))]
    try:
        store = await open_store(where, writing=False)
    except (StoreUnusable, StoreFailed) as error:
        return [_bad("journal", str(error))]
    try:
        return [*await _look_into(store, where, ring)]
    except (StoreUnusable, StoreFailed, MarkUnusable) as error:
        return [_bad("journal", str(error))]
    finally:
        await store.close()


async def _look_into(store: ArchivedStore, where: OpenedPlace, ring: KeyRing | None) -> list[FloorCheck]:
    names = await store.streams()
    records = sum([(await store.head(name)).sequence for name in names])
    found = [
        _good("journal", text("check.journal", place=where.address, records=records, streams=len(names)))
    ]
    if await is_superuser(store):
        found.append(_bad("journal", text("serve.warn-superuser")))
    signers = [each for name in names if (each := await store.last_checkpoint(name))]
    if ring is not None and any(not ring.has(each.key_id) for each in signers):
        found.append(_bad("keys", text("check.other-keys", file=str(where.key))))
    mark = where.mark_file.read(ring.public_keys) if ring is not None else None
    if mark is None:
        found.append(FloorCheck("mark", CheckResult.ODD, text("check.no-mark")))
    else:
        missing = await missing_ends(store, mark.heads, ring.public_keys if ring else {})
        lost = [_bad("mark", say(each.what)) for each in missing]
        found += lost or [_good("mark", text("check.mark"))]
    numbers = {each.volume for each in await store.live.archived()}
    gone = sorted(number for number in numbers if not _is_there(store.folder, number))
    if gone:
        volumes = ", ".join(f"{number:06}" for number in gone)
        found.append(_bad("archive", text("check.no-volumes", folder=str(store.folder), volumes=volumes)))
    elif numbers:
        found.append(_good("archive", text("check.volumes", folder=str(store.folder), volumes=len(numbers))))
    return found


def _is_there(folder: Path, number: int) -> bool:
    return frames_file(folder, number).exists() and manifest_file(folder, number).exists()


def _check_disk(where: OpenedPlace) -> Iterator[FloorCheck]:
    folders = {_nearest(each) for each in (where.archive, where.mark_file.path.parent)}
    folders |= set() if where.postgres else {_nearest(where.data)}
    free = min(shutil.disk_usage(folder).free for folder in folders)
    told = text("check.disk", free=f"{free / (1 << 30):.1f}")
    yield (
        _bad("disk", text("check.disk-full", free=f"{free / (1 << 30):.1f}"))
        if free < LEAST_FREE
        else _good("disk", told)
    )


def _check_port(listen: Listen) -> Iterator[FloorCheck]:
    family = socket.AF_INET6 if ":" in listen.host else socket.AF_INET
    try:
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((listen.host, listen.port))
    except OSError as error:
        address = f"{listen.host}:{listen.port}"
        yield _bad("port", text("check.port-taken", address=address, reason=error.strerror or str(error)))
        return
    yield _good("port", text("check.port", address=f"{listen.host}:{listen.port}"))


def _check_tls(tls: Tls | None) -> Iterator[FloorCheck]:
    if tls is None:
        return
    try:
        tls.context()
    except BadCertificate as error:
        yield _bad("certificate", str(error))
        return
    yield _good("certificate", text("check.certificate", file=str(tls.cert)))


def _nearest(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.is_dir())


def _good(about: str, says: str) -> FloorCheck:
    return FloorCheck(about, CheckResult.GOOD, says)


def _bad(about: str, says: str) -> FloorCheck:
    return FloorCheck(about, CheckResult.BAD, says)


def worst(found: Iterable[FloorCheck]) -> bool:
    """Whether anything is bad."""
    return any(each.result is CheckResult.BAD for each in found)
