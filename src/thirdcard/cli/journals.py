"""The journal that a command asks about, the keys that it is held against, and the progress of the work."""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from thirdcard.auditor.stored_rules import Unknown
from thirdcard.cli.output import BadInput
from thirdcard.journal.keys import KeyFileUnusable, id_of, open_key_file
from thirdcard.journal.store import Store, StoreFailed, StoreUnusable
from thirdcard.messages import message, say
from thirdcard.rulebook.words import text
from thirdcard.streams.opening import open_store, place

_PUBLIC = re.compile(r"[0-9a-f]{64}")
T = TypeVar("T")


@dataclass(frozen=True)
class Journal:
    """Where the journal is.

    Parameters
    ----------
    data
        The folder with the floor's journal; without one the usual place for a user's data.
    postgres
        The address of a database with the journal, instead of a folder.
    """

    data: Path | None = None
    postgres: str | None = None


JournalPlace = Annotated[Journal, Parameter(name="*")]
NOWHERE = Journal()


def run(ask: Callable[[Store], Awaitable[T]], journal: Journal) -> T:
    """Ask a journal something; one that cannot be read is bad input."""

    async def asking() -> T:
        store = await open_store(place(data=journal.data, postgres=journal.postgres), writing=False)
        try:
            return await ask(store)
        finally:
            await store.close()

    try:
        return asyncio.run(asking())
    except (StoreUnusable, StoreFailed) as error:
        raise BadInput(str(error)) from error
    except Unknown as error:
        raise BadInput(say(error.what)) from error


def chosen(names: tuple[str, ...], there: tuple[str, ...]) -> tuple[str, ...]:
    """The streams that are asked for, or all; one that is not there is bad input."""
    for name in names:
        if name not in there:
            raise BadInput(text("audit.no-such-stream", stream=name, streams=", ".join(there)))
    return names or there


def public_keys(path: Path) -> dict[str, bytes]:
    """The keys in a file: a floor's key file, or public keys in hexadecimal, one a line."""
    try:
        content = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(say(message("cli.no-file", file=str(path), reason=reason))) from error
    if "[[keys]]" in content:
        try:
            return open_key_file(path).public_keys
        except KeyFileUnusable as error:
            raise BadInput(str(error)) from error
    lines = [line.strip().lower() for line in content.splitlines()]
    found = [line for line in lines if line and not line.startswith("#")]
    if not found or not all(_PUBLIC.fullmatch(line) for line in found):
        raise BadInput(text("audit.no-keys", file=str(path)))
    keys = [bytes.fromhex(line) for line in found]
    return {id_of(key): key for key in keys}


@contextmanager
def bar(title: str) -> Iterator[Callable[[int, int | None], None]]:
    """A progress bar on stderr where a person looks at it: so many more records, of so many."""
    if not sys.stderr.isatty():
        yield _unseen
        return
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=0)

        def advance(records: int, total: int | None = None) -> None:
            progress.update(task, advance=records, total=total)

        yield advance


def _unseen(records: int, total: int | None = None) -> None:
    """Progress that nobody looks at."""
