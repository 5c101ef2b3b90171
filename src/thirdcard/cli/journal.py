"""``thirdcard journal``: copies a journal between a file and a database, and readies a database for one."""

import asyncio
from pathlib import Path

from cyclopts import App
from msgspec import Struct

from thirdcard.auditor.verify import Against, streams_of, verify
from thirdcard.cli.arguments import Flag
from thirdcard.cli.journals import bar
from thirdcard.cli.key import open_ring
from thirdcard.cli.output import BadInput, console, print_json, read_bytes
from thirdcard.journal.copying import copy_store, require_same
from thirdcard.journal.keys import KeyRing
from thirdcard.journal.marks import JournalMark, MarkUnusable
from thirdcard.journal.record import Head
from thirdcard.journal.store import Store, StoreFailed, StoreUnusable
from thirdcard.messages import say
from thirdcard.rulebook.words import text
from thirdcard.streams.copies import finish_target, mark_to_copy, open_source, open_target
from thirdcard.streams.opening import OpenedPlace, needs_asyncpg, open_store, place

app = App(name="journal", help="Copy a journal, or ready a database for one.")
ADDRESSES = ("postgresql://", "postgres://")


class MadeCopy(Struct, frozen=True):
    """A copy that was proven: its records, the ends of its streams, and the mark that it took over."""

    records: int
    heads: dict[str, Head]
    mark: JournalMark | None


@app.command
def copy(source: str, target: str, *, key: Path | None = None, json: Flag = False) -> None:
    """Copy a journal to another folder or database, byte for byte, and prove the copy.

    Every record, checkpoint, rulebook, house and key is copied, and the mark of the journal. No server may
    run meanwhile, and the target must have no journal. The copy is then compared with the journal, and every
    stream of it is proven as `thirdcard audit verify` does it; only then it can be opened. A copy that was
    interrupted goes on where it was when the command is given again.

    Parameters
    ----------
    source
        The folder of a floor, or the address of a database: postgresql://...
    target
        A folder, or the address of a database; as its owner.
    key
        The file with the floor's keys; without one $THIRDCARD_KEYS, or the usual place for a user's settings.
    json
        Print JSON.
    """
    here, there = _place(source, key), _place(target, key)
    if here.mark_file.path == there.mark_file.path:
        raise BadInput(text("copy.same-place"))
    if key is not None:
        read_bytes(key)  # a new one would not be that of the floor
    keys = open_ring(here.key) if here.key.exists() else None
    try:
        made = asyncio.run(_copied(here, there, keys))
    except (StoreUnusable, StoreFailed) as error:
        raise BadInput(str(error)) from error
    if json:
        ends = {
            name: {"record": end.sequence, "digest": end.digest.hex()} for name, end in made.heads.items()
        }
        print_json({"records": made.records, "mark": made.mark is not None, "ends": ends})
        return
    out, counts = console(), {"records": made.records, "streams": len(made.heads)}
    out.print(text("copy.made", source=_told(here), target=_told(there), **counts), soft_wrap=True)
    for name, end in made.heads.items():
        out.print(text("copy.end", stream=name, record=end.sequence, digest=end.digest.hex()), soft_wrap=True)
    marked = text("copy.mark") if made.mark else text("copy.no-mark", file=str(here.key))
    out.print(marked, soft_wrap=True)


@app.command(name="grant")
def grant_(database: str, *, role: str = "thirdcard_writer", password: str | None = None) -> None:
    """Make the tables of a journal in a database, and let the role of the servers add and read there.

    The role is made where it is missing; it can alter and delete nothing. Give the command again after an
    update: it brings the tables up to date.

    Parameters
    ----------
    database
        The address of the database as its owner: postgresql://...
    role
        The role of the servers.
    password
        The password by which the role connects; without one that stays as it is.
    """

    async def granted() -> None:
        where = place(postgres=database)
        await (await open_store(where, writing=True)).close()
        with needs_asyncpg():
            from thirdcard.journal.postgres.roles import grant  # noqa: PLC0415 - an extra that may not be there
        await grant(database, role, password)

    if not database.startswith(ADDRESSES):
        raise BadInput(text("copy.no-database", address=database))
    try:
        asyncio.run(granted())
    except (StoreUnusable, StoreFailed) as error:
        raise BadInput(str(error)) from error
    print(text("copy.granted", role=role))


def _place(told: str, key: Path | None) -> OpenedPlace:
    return place(postgres=told, key=key) if told.startswith(ADDRESSES) else place(data=Path(told), key=key)


def _told(where: OpenedPlace) -> str:
    return str(where.data) if where.postgres is None else where.address


async def _copied(here: OpenedPlace, there: OpenedPlace, keys: KeyRing | None) -> MadeCopy:
    async with open_source(here) as journal:
        async with open_target(there) as made:
            with bar(text("copy.copying")) as advance:
                advance(0, sum([(await journal.head(name)).sequence for name in await journal.streams()]))
                await copy_store(journal, made, lambda more: advance(more, None))
            records, heads = await require_same(journal, made)
            mark = await mark_to_copy(here, there, made, keys)
            await _prove(made, there, keys, mark, records)
        if mark is not None:
            try:
                there.mark_file.take_over(mark)
            except MarkUnusable as error:
                raise StoreUnusable(str(error)) from error
        await finish_target(there)
    return MadeCopy(records, heads, mark)


async def _prove(
    made: Store, there: OpenedPlace, keys: KeyRing | None, mark: JournalMark | None, records: int
) -> None:
    """Prove every stream of a copy in full, against the keys and the mark that there are."""
    against = Against(keys.public_keys if keys else None, marked=mark.heads if mark else ())
    with bar(text("copy.proving")) as advance:
        advance(0, records)
        for name in await streams_of(made, against):
            report = await verify(made, name, against, progress=lambda more: advance(more, None))
            if report.findings:
                problem = say(report.findings[0].what)
                raise BadInput(text("copy.not-whole", target=_told(there), stream=name, problem=problem))
