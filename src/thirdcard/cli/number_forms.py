"""Forms in which a command gives numbers: for people, as JSON, as CSV, as a workbook."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from thirdcard.cli.arguments import Flag
from thirdcard.cli.output import BadInput
from thirdcard.computing.results import Computed
from thirdcard.rulebook.words import text


@Parameter(name="*")
@dataclass(frozen=True)
class NumberForm:
    """The form of the numbers.

    Parameters
    ----------
    json
        Print JSON.
    csv
        Print CSV.
    xlsx
        Write a workbook for spreadsheets to this file.
    """

    json: Flag = False
    csv: Flag = False
    xlsx: Annotated[Path | None, Parameter(show_default=False)] = None

    def tell(self, answer: Computed, for_people: Callable[[], None]) -> None:
        """Give an answer in this form; for people where none is asked for."""
        if self.xlsx is not None:
            answer.to_xlsx(self.xlsx)
        if self.json:
            if encoded := answer.to_json():  # no hands are no lines
                print(encoded)
        elif self.csv:
            print(answer.to_csv(), end="")
        elif self.xlsx is not None:
            print(text("odds.written", file=str(self.xlsx)))
        else:
            for_people()

    def check(self) -> None:
        """Refuse two forms for one output, before anything is computed."""
        if self.json and self.csv:
            raise BadInput(text("odds.json-or-csv"))


FOR_PEOPLE = NumberForm()
