"""``thirdcard odds``: the exact odds of every wager, for whole shoes and for the cards that remain."""

import datetime
import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from thirdcard.cards import Rank
from thirdcard.cli.arguments import (
    Flag,
    GameOrFile,
    OwnShelf,
    Readings,
    Several,
    Texts,
    WholeNumber,
    WholeShoe,
)
from thirdcard.cli.number_forms import FOR_PEOPLE, NumberForm
from thirdcard.cli.output import BadInput, print_table
from thirdcard.computing.game import game as open_game
from thirdcard.computing.prices import PricedShoe, results_of
from thirdcard.computing.results import write_file
from thirdcard.odds.arguments import DECKS
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.rulebook.words import text

if TYPE_CHECKING:
    from thirdcard.computing.par_sheet import ParSheet

MixOfWagers = Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)]
_AMOUNT = re.compile("[0-9]{1,12}(\\.[0-9]{1,4})?", re.ASCII)
app = App(name="odds", help="Exact odds of every wager.", help_format="plaintext")


@app.default
def odds(
    game: str,
    *,
    decks: WholeShoe = None,
    remaining: str | None = None,
    reading: Texts = (),
    shelf: OwnShelf = SHIPPED,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Print for every wager how often each row pays, the house edge and the standard deviation, all exact.

    Parameters
    ----------
    game
        The id of a game, as `thirdcard rules list` prints it, or a rulebook file.
    remaining
        Instead: the cards that are left, such as A=32,2=31,K=30; a rank left out has none.
    reading
        How an unclear place is read, such as AMB-01=a (a ten and a court card are a pair) or AMB-01=b (not).
    """
    form.check()
    priced = open_game(game, shelf=shelf, readings=reading).odds(decks=decks, shoe=remaining)
    form.tell(priced, lambda: _print_odds(priced))


@app.command(name="table")
def table_(
    game: GameOrFile, *, reading: Readings = (), shelf: OwnShelf = SHIPPED, form: NumberForm = FOR_PEOPLE
) -> None:
    """Print the house edge of every wager for 4 to 10 decks side by side, in per cent."""
    form.check()
    table = open_game(game, shelf=shelf, readings=reading).edges_by_decks()
    rows = [(wager, *(_percent(edge) for edge in each.values())) for wager, each in table.edges.items()]
    columns = (text("show.wager"), *(str(decks) for decks in DECKS))
    form.tell(table, lambda: print_table(table.title, columns, rows))


@app.command(name="removal")
def removal_(
    game: GameOrFile,
    *,
    decks: WholeShoe = None,
    reading: Readings = (),
    shelf: OwnShelf = SHIPPED,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Print by how much the house edge of every wager changes when one card of a rank leaves the shoe."""
    form.check()
    removed = open_game(game, shelf=shelf, readings=reading).removals(decks=decks)
    rows = [
        (rank.text, *(f"{float(each[place] * 100):+.4f}" for each in removed.changes.values()))
        for place, rank in enumerate(Rank)
    ]
    columns = (text("odds.removed"), *removed.changes)
    form.tell(removed, lambda: print_table(removed.title, columns, rows))


@app.command(name="sheet")
def sheet_(
    game: GameOrFile,
    *,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    decks: WholeShoe = None,
    made: str | None = None,
    reading: Readings = (),
    json: Flag = False,
    shelf: OwnShelf = SHIPPED,
) -> None:
    """Write the PAR sheet of a game, to sign: as a page, a PDF, or a workbook that recomputes the edges.

    Parameters
    ----------
    output
        The file to write: its name ends in .html, .pdf, .xlsx, .csv or .json.
    made
        The date of the sheet, such as 2026-11-19; today where nothing is said.
    json
        Print the sheet as JSON; a file is then only written where one is named.
    """
    if output is None and not json:
        raise BadInput(text("par.no-file"))
    day = None if made is None else _day(made)
    sheet = open_game(game, shelf=shelf, readings=reading).par_sheet(decks=decks, made=day)
    if output is not None:
        _write_sheet(sheet, output)
    if json:
        print(sheet.to_json())
    else:
        print(text("odds.written", file=str(output)))


def _write_sheet(sheet: "ParSheet", output: Path) -> None:
    """Write a sheet in the form that the name of the file asks for."""
    match output.suffix:
        case ".html":
            write_file(output, sheet.to_html().encode())
        case ".pdf":
            write_file(output, sheet.to_pdf())
        case ".xlsx":
            sheet.to_xlsx(output)
        case ".csv":
            write_file(output, sheet.to_csv().encode())
        case ".json":
            write_file(output, sheet.to_json().encode())
        case _:
            raise BadInput(text("par.no-such-form", file=str(output)))


@app.command
def together(
    game: GameOrFile,
    *,
    decks: WholeShoe = None,
    reading: Readings = (),
    shelf: OwnShelf = SHIPPED,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Print how the results of two wagers of one round go together: the covariance by unit staked, exact."""
    form.check()
    asked = open_game(game, shelf=shelf, readings=reading)
    found = asked.together(decks=decks)
    of = found.found.covariances
    rows = [(one, *(f"{float(of[one, other]):+.4f}" for other in asked.wagers)) for one in asked.wagers]
    form.tell(found, lambda: print_table(found.title, (text("show.wager"), *asked.wagers), rows))


@app.command
def hold(
    game: GameOrFile,
    *,
    wager: MixOfWagers,
    rounds: Annotated[tuple[WholeNumber, ...], Several] = (1_000, 10_000, 100_000),
    decks: WholeShoe = None,
    reading: Readings = (),
    shelf: OwnShelf = SHIPPED,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Print what the house holds of wagers made in every round, its limits, and the chance that it loses.

    Parameters
    ----------
    wager
        A wager and its stake in every round, such as banker=100; once for each wager.
    rounds
        After so many rounds, such as those of an hour, a day and a month; may be given several times.
    """
    form.check()
    held = open_game(game, shelf=shelf, readings=reading).hold(_stakes(wager), rounds, decks=decks)
    rows = [
        (
            f"{each.rounds:,}",
            *(f"{value:,.0f}" for value in (each.staked, each.mean, each.deviation, each.low, each.high)),
            f"{each.loses:.4%}",
        )
        for each in held.holds
    ]
    heads = tuple(column.title for column in held.columns[:-1])

    def show() -> None:
        print_table(held.title, heads, rows)
        print(text("mix.explained"))

    form.tell(held, show)


@app.command
def ruin(
    game: GameOrFile,
    *,
    wager: MixOfWagers,
    bankroll: str,
    rounds: WholeNumber,
    goal: str | None = None,
    decks: WholeShoe = None,
    reading: Readings = (),
    shelf: OwnShelf = SHIPPED,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Print the chance that a patron's bankroll is gone after so many rounds, counted from every result.

    Parameters
    ----------
    wager
        A wager and its stake in every round, such as banker=100; once for each wager.
    bankroll
        The bankroll to begin with.
    rounds
        The rounds that are played, unless the next one cannot be paid.
    goal
        The bankroll at which the patron stops.
    """
    form.check()
    asked = open_game(game, shelf=shelf, readings=reading)
    ended = asked.ruin(
        _stakes(wager), _amount(bankroll), rounds, goal=None if goal is None else _amount(goal), decks=decks
    )
    found = ended.ruin
    row = (
        f"{rounds:,}",
        bankroll,
        goal or "",
        *(f"{chance:.4%}" for chance in (found.ruined, found.reached, found.still)),
    )
    form.tell(ended, lambda: print_table(ended.title, tuple(each.title for each in ended.columns), [row]))


def _stakes(wagers: tuple[str, ...]) -> dict[str, Fraction]:
    stakes: dict[str, Fraction] = {}
    for typed in wagers:
        name, sign, stake = typed.partition("=")
        if not sign or not name:
            raise BadInput(text("cli.no-stake", wager=typed))
        if name in stakes:
            raise BadInput(text("cli.wager-twice", wager=name))
        stakes[name] = _amount(stake)
    return stakes


def _amount(typed: str) -> Fraction:
    if not _AMOUNT.fullmatch(typed):
        raise BadInput(text("mix.no-amount", amount=typed))
    return Fraction(typed)


def _day(made: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(made)
    except ValueError as error:
        raise BadInput(text("par.no-date", date=made)) from error


def _percent(edge: Fraction) -> str:
    return f"{float(edge * 100):.4f}"


def _print_odds(priced: PricedShoe) -> None:
    rows: list[tuple[str, ...]] = []
    found = priced.prices
    for each in found.wagers:
        for place, (result, odds_text, count) in enumerate(results_of(each)):
            rows.append(
                (
                    each.wager if place == 0 else "",
                    odds_text or text(f"result.{result}"),
                    f"{count:,}",
                    f"{count / found.total:.8f}",
                    _percent(each.edge) if place == 0 else "",
                    f"{each.deviation:.4f}" if place == 0 else "",
                )
            )
    heads = ("show.wager", "settle.odds", "odds.count", "odds.probability", "odds.edge", "odds.deviation")
    if found.void == found.total:
        print(priced.title)
        print(text("odds.all-void"))
        return
    print_table(priced.title, tuple(text(head) for head in heads), rows)
    if found.void:
        share = f"{found.void / found.total:.6%}"
        print(text("odds.void", void=f"{found.void:,}", share=share))
