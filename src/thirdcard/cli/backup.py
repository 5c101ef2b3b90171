"""``thirdcard backup`` and ``thirdcard restore``: copies of a journal, also while it is in use."""

import asyncio
from pathlib import Path

from thirdcard.auditor.chain import BEGINNING, ChainStart
from thirdcard.auditor.verify import AGAINST_NOTHING, StreamReport, streams_of, verify
from thirdcard.cli.arguments import Flag
from thirdcard.cli.output import BadInput, print_json
from thirdcard.journal.sqlite.backup import copy_journal, note_backup
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import StoreFailed, StoreUnusable
from thirdcard.rulebook.words import text
from thirdcard.streams.opening import JOURNAL, usual_data


def backup(to: Path, *, data: Path | None = None, json: Flag = False) -> None:
    """Copy the journal of a floor to a file, also while a server runs; its keys are never in it.

    A journal in PostgreSQL is backed up with the tools of that server: see docs/postgres.md.

    Parameters
    ----------
    to
        The file to make; it must not exist.
    data
        The folder with the floor's journal; without one the usual place for a user's data.
    json
        Print JSON.
    """
    source = (data or usual_data()) / JOURNAL
    try:
        records = copy_journal(source, to)
    except StoreUnusable as error:
        raise BadInput(str(error)) from error
    _prove(to)
    note_backup(source.parent)
    if json:
        print_json({"file": str(to), "records": records})
    else:
        print(text("backup.made", file=str(to), records=records))


def restore(backup_file: Path, *, data: Path | None = None, json: Flag = False) -> None:
    """Make the journal of a floor from a backup, where there is none; a backup that is not whole is refused.

    Parameters
    ----------
    backup_file
        The file that `thirdcard backup` made.
    data
        The folder for the floor's journal; without one the usual place for a user's data.
    json
        Print JSON.
    """
    target = (data or usual_data()) / JOURNAL
    if not backup_file.exists():
        raise BadInput(text("backup.no-file", file=str(backup_file)))
    _prove(backup_file)
    try:
        records = copy_journal(backup_file, target)
    except StoreUnusable as error:
        raise BadInput(str(error)) from error
    if json:
        print_json({"folder": str(target.parent), "records": records})
    else:
        print(text("backup.restored", folder=str(target.parent), records=records))


def _prove(journal: Path) -> None:
    """Every stream of a copy is whole and signed from where the archive ends, or the copy is not good."""

    async def proving() -> list[StreamReport]:
        store = SqliteStore(journal, writing=False)
        try:
            starts = {each.stream: ChainStart(each.head, each.tree) for each in await store.archived()}
            return [
                await verify(store, each, chain_only=True, start=starts.get(each, BEGINNING))
                for each in await streams_of(store, AGAINST_NOTHING)
            ]
        finally:
            await store.close()

    try:
        reports = asyncio.run(proving())
    except (StoreUnusable, StoreFailed) as error:
        raise BadInput(str(error)) from error
    for report in reports:
        if report.findings:
            raise BadInput(text("backup.not-whole", file=str(journal), stream=report.stream))
