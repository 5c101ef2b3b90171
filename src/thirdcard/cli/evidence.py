"""``thirdcard evidence``: one folder for an examiner."""

import datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from thirdcard.cli.arguments import WholeNumber
from thirdcard.cli.output import BadInput
from thirdcard.computing.evidence_pack import write_pack
from thirdcard.rulebook.words import text


def evidence(
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))],
    checkout: Path | None = None,
    shoes: WholeNumber = 1000,
    made: str | None = None,
) -> None:
    """Write one folder for an examiner: clauses with their proofs, odds, the shuffle, figures, and digests.

    Parameters
    ----------
    output
        The folder to write; it must be empty, or not there yet.
    checkout
        The sources of this version: their round files and measured figures are added.
    shoes
        How many shoes of the real shuffler are looked at.
    made
        The date of the pack, such as 2026-11-19; today where nothing is said.
    """
    if shoes < 1:
        raise BadInput(text("simulate.too-small", option="--shoes", number=shoes, least=1))
    try:
        day = datetime.date.fromisoformat(made) if made else datetime.datetime.now(datetime.UTC).date()
    except ValueError as error:
        raise BadInput(text("par.no-date", date=made or "")) from error
    files = write_pack(output, made=day, shoes=shoes, checkout=checkout)
    print(text("evidence-pack.written", folder=str(output), files=len(files)))
