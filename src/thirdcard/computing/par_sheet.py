"""The PAR sheet of a game, as a page, on paper, and as a workbook."""

from collections.abc import Sequence
from typing import Any

from thirdcard.computing.bad_input import BadInput
from thirdcard.computing.par_workbook import par_sheets
from thirdcard.computing.results import Computed, count_column, number_column, text_column
from thirdcard.dossier.extras import MissingExtra, needs_extra
from thirdcard.dossier.sheets import Cell, Sheet, SheetColumn
from thirdcard.messages import message, say
from thirdcard.odds.par import ParFigures, identity
from thirdcard.odds.sheet import sheet


class ParSheet(Computed, frozen=True):
    """Everything that a laboratory signs about the numbers of a game."""

    figures: ParFigures

    @property
    def title(self) -> str:
        """The name of the game."""
        return say(message("sheet.title", game=self.figures.rulebook.name))

    @property
    def about(self) -> list[tuple[str, str]]:
        """The identity: game, operator, revision, date, digests, method."""
        return [(say(message(key)), said) for key, said in identity(self.figures)]

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A result of a wager with its draws."""
        return (
            text_column("wager", "show.wager"),
            text_column("when", "show.when"),
            text_column("pays", "show.pays"),
            number_column("gain", "par.gain", 4),
            count_column("count", "odds.count"),
            number_column("probability", "odds.probability", 8),
            number_column("edge", "par.edge-share", 8),
            text_column("clauses", "show.clause"),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each result of each wager."""
        total = self.figures.total
        return [
            (
                row.wager,
                row.when,
                row.pays,
                float(row.gain),
                row.count,
                row.count / total,
                float(-row.gain) * row.count / total,
                ", ".join(row.clauses),
            )
            for row in self.figures.rows
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return identity, results, wagers, limits, covariances and readings."""
        figures = self.figures
        return {
            "about": dict(self.about),
            "total": figures.total,
            "rows": [dict(zip((each.name for each in self.columns), row, strict=True)) for row in self.rows],
            "wagers": {
                each.wager: {
                    "edge": f"{each.edge.numerator}/{each.edge.denominator}",
                    "hit": each.won / each.total,
                    "sd": each.deviation,
                }
                for each in figures.wagers
            },
            "limits": [
                {"wager": each.wager, "rounds": each.rounds, "low": each.low, "high": each.high}
                for each in figures.limits
            ],
            "covariances": {
                one.wager: {
                    other.wager: float(figures.together.covariances[one.wager, other.wager])
                    for other in figures.wagers
                }
                for one in figures.wagers
            },
            "readings": {
                each.reading.id: {
                    wager: {"edge": float(here), "otherwise": float(there)}
                    for wager, (here, there) in each.edges.items()
                }
                for each in figures.readings
            },
        }

    def sheets(self) -> tuple[Sheet, ...]:
        """Return sheets whose formulas recompute every figure from the counts."""
        return par_sheets(self.figures, self.about)

    def to_html(self) -> str:
        """Return a page that prints well."""
        return sheet(self.figures)

    def to_pdf(self) -> bytes:
        """Return the bytes of a PDF to sign."""
        try:
            with needs_extra("PDF", "reportlab", "reports"):
                from thirdcard.computing.par_paper import par_pdf  # noqa: PLC0415 - an extra that may not be there
        except MissingExtra as error:
            raise BadInput(say(error.what)) from error
        return par_pdf(self.figures, self.about, self.title)
