"""``thirdcard audit export``: the tables of a journal for analysts, as files."""

import datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from thirdcard.cli.journals import NOWHERE, JournalPlace, bar, chosen, run
from thirdcard.cli.output import BadInput, console
from thirdcard.dossier.export import EVER
from thirdcard.dossier.export import export as export_rows
from thirdcard.dossier.extras import MissingExtra
from thirdcard.floor.gaming_day import EPOCH, MICROSECOND
from thirdcard.journal.store import Store
from thirdcard.messages import say
from thirdcard.rulebook.words import text

Streams = Annotated[
    tuple[str, ...], Parameter(name="--stream", negative=(), consume_multiple=False, show_default=False)
]
Output = Annotated[Path, Parameter(name=("--output", "-o"))]


def export(
    *,
    output: Output,
    journal: JournalPlace = NOWHERE,
    stream: Streams = (),
    since: Annotated[str | None, Parameter(name="--from")] = None,
    until: Annotated[str | None, Parameter(name="--to")] = None,
) -> None:
    """Write rounds, wagers, money, incidents and meters as Parquet and CSV files and as a workbook.

    Needs DuckDB and XlsxWriter: `pip install "thirdcard[export]"`. docs/audit.md lists the columns.

    Parameters
    ----------
    journal
        The journal.
    output
        The folder to write to.
    stream
        Only this stream; may be given several times.
    since
        Only what happened from this moment on, such as 2026-11-18T06:00+08:00; meters are of all time.
    until
        Only what happened before this moment.
    """
    within = (_moment(since, EVER[0]), _moment(until, EVER[1]))

    async def ask(store: Store) -> dict[str, int]:
        names = chosen(stream, await store.streams())
        total = sum([(await store.head(name)).sequence for name in names])
        with bar(text("audit.exporting")) as advance:
            advance(0, total)
            return await export_rows(
                store, names, output, within=within, progress=lambda more: advance(more, None)
            )

    try:
        counts = run(ask, journal)
    except MissingExtra as error:
        raise BadInput(say(error.what)) from error
    except OSError as error:
        raise BadInput(text("road.not-written", file=str(output), reason=error.strerror or "")) from error
    console().print(text("audit.exported", folder=str(output), **counts), soft_wrap=True)


def _moment(told: str | None, otherwise: int) -> int:
    """Microseconds since 1970 at a moment; one without a time zone is bad input."""
    if told is None:
        return otherwise
    try:
        moment = datetime.datetime.fromisoformat(told)
    except ValueError:
        raise BadInput(text("audit.no-such-moment", moment=told)) from None
    if moment.tzinfo is None:
        raise BadInput(text("audit.no-such-moment", moment=told))
    return (moment - EPOCH) // MICROSECOND
