"""A copy of a journal that is in use: taken while it is written to, whole up to some moment, and durable."""

import contextlib
from pathlib import Path

import apsw

from thirdcard.journal.durable_files import put_in_place
from thirdcard.journal.sqlite.private_files import PRIVATE_FILE, PRIVATE_FOLDER, make_private
from thirdcard.journal.sqlite.writer import reason
from thirdcard.journal.store import StoreUnusable

BACKUP_BATCH_PAGES = 4096  # copied before the writer has its turn again


LAST_BACKUP = "last-backup"  # beside the journal; the time of this file is that of its last backup


def note_backup(folder: Path) -> None:
    """Note that the journal in a folder was backed up now; whoever may only read there notes nothing."""
    with contextlib.suppress(OSError):
        (folder / LAST_BACKUP).touch(PRIVATE_FILE)


def backed_up_at(folder: Path) -> float | None:
    """When the journal in a folder was last backed up, in seconds since 1970; nothing if it never was."""
    try:
        return (folder / LAST_BACKUP).stat().st_mtime
    except OSError:
        return None


def copy_journal(source: Path, target: Path) -> int:
    """Copy a journal to a file that does not exist yet; how many records the copy has.

    It comes under its name only when it is complete and on the disk, so that half of one is never there.
    """
    if target.exists():
        raise StoreUnusable(f"{target} exists already; name a file that does not")
    if not source.exists():
        raise StoreUnusable(f"{source} has no journal; name the folder of a floor")
    target.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
    unfinished = target.with_name(target.name + ".unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        make_private(unfinished)
        records = _copy(source, unfinished)
        put_in_place(unfinished, target)
    except (apsw.Error, OSError) as error:
        why = reason(error) if isinstance(error, apsw.Error) else error.strerror or str(error)
        raise StoreUnusable(f"{source} could not be copied to {target}: {why}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return records


def _copy(source: Path, target: Path) -> int:
    there = apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READONLY)
    here = apsw.Connection(str(target))
    try:
        there.set_busy_timeout(10_000)
        with here.backup("main", there, "main") as backup:
            while not backup.done:
                backup.step(BACKUP_BATCH_PAGES)
        here.pragma("journal_mode", "delete")  # one file, that needs no other beside it
        found = here.pragma("integrity_check")
        if found != "ok":
            raise StoreUnusable(f"{source} is damaged: {found}")
        return int(here.execute("SELECT count(*) FROM record").fetchone()[0])  # type: ignore[index]
    finally:
        here.close()
        there.close()
