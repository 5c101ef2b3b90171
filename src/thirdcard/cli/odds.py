"""``thirdcard odds``: the exact odds of every wager, for whole shoes and for the cards that remain."""

import csv as comma_separated
import sys
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from thirdcard.cards import Rank
from thirdcard.cli.arguments import Flag, OwnShelf, Texts, WholeNumber
from thirdcard.cli.output import BadInput, print_json, print_table
from thirdcard.odds.arguments import DECKS, CannotPrice, asked_game, asked_pair_rule, asked_shoe
from thirdcard.odds.exact import RankCounts, WagerOdds, full_shoe
from thirdcard.odds.price import LEAST_CARDS, Prices, prices, removal
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.shelf import SHIPPED, Shelf
from thirdcard.rulebook.words import text

app = App(name="odds", help="Exact odds of every wager.", help_format="plaintext")


@app.default
def odds(
    game: str,
    *,
    decks: WholeNumber | None = None,
    remaining: str | None = None,
    reading: Texts = (),
    shelf: OwnShelf = SHIPPED,
    json: Flag = False,
    csv: Flag = False,
) -> None:
    """Print for every wager how often each row pays, the house edge and the standard deviation, all exact.

    Parameters
    ----------
    game
        The id of a game, as `thirdcard rules list` prints it.
    decks
        A whole shoe of so many decks, 4 to 10; 8 where nothing is said.
    remaining
        Instead: the cards that are left, such as A=32,2=31,K=30; a rank left out has none.
    reading
        How an unclear place is read, such as AMB-01=a (a ten and a court card are a pair) or AMB-01=b (not).
    json
        Print JSON.
    csv
        Print CSV, one line for each row of each wager.
    """
    if json and csv:
        raise BadInput(text("odds.json-or-csv"))
    rulebook, pair_rule = _game(game, reading, shelf)
    shoe = _shoe(decks, remaining)
    priced = prices(rulebook, shoe, pair_rule)
    about = _about(game, decks, remaining, shoe)
    if json:
        print_json({**about, "total": priced.total, "void": priced.void, "wagers": _wagers(priced)})
    elif csv:
        _print_csv(about, priced)
    else:
        _print_odds(rulebook, shoe, priced)


@app.command(name="table")
def table_(game: str, *, reading: Texts = (), shelf: OwnShelf = SHIPPED, json: Flag = False) -> None:
    """Print the house edge of every wager for 4 to 10 decks side by side, in per cent.

    Parameters
    ----------
    game
        The id of a game.
    reading
        How an unclear place is read, such as AMB-01=a.
    json
        Print JSON.
    """
    rulebook, pair_rule = _game(game, reading, shelf)
    edges: dict[str, dict[int, Fraction]] = {wager: {} for wager in rulebook.wagers}
    for decks in DECKS:
        for each in prices(rulebook, full_shoe(decks), pair_rule).wagers:
            edges[each.wager][decks] = each.edge
    if json:
        shown = {
            wager: {str(decks): _edge(edge) for decks, edge in by_decks.items()}
            for wager, by_decks in edges.items()
        }
        print_json({"game": game, "wagers": shown})
        return
    rows = [(wager, *(_percent(edge) for edge in each.values())) for wager, each in edges.items()]
    columns = (text("show.wager"), *(str(decks) for decks in DECKS))
    print_table(f"{rulebook.name}: {text('cli.check-edges')}", columns, rows)


@app.command(name="removal")
def removal_(
    game: str,
    *,
    decks: WholeNumber | None = None,
    reading: Texts = (),
    shelf: OwnShelf = SHIPPED,
    json: Flag = False,
) -> None:
    """Print by how much the house edge of every wager changes when one card of a rank leaves the shoe.

    Parameters
    ----------
    game
        The id of a game.
    decks
        A whole shoe of so many decks, 4 to 10; 8 where nothing is said.
    reading
        How an unclear place is read, such as AMB-01=a.
    json
        Print JSON.
    """
    rulebook, pair_rule = _game(game, reading, shelf)
    shoe = _shoe(decks)
    changes = removal(rulebook, shoe, pair_rule)
    ranks = [rank.text for rank in Rank]
    if json:
        shown = {
            wager: {rank: _edge(change) for rank, change in zip(ranks, each, strict=True)}
            for wager, each in changes.items()
        }
        print_json({"game": game, "decks": shoe.cards // 52, "wagers": shown})
        return
    rows = [
        (rank, *(f"{float(each[place] * 100):+.4f}" for each in changes.values()))
        for place, rank in enumerate(ranks)
    ]
    title = text("odds.removal", game=rulebook.name, decks=shoe.cards // 52)
    print_table(title, (text("odds.removed"), *changes), rows)


@app.command(name="sheet")
def sheet_(
    game: str,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"))],
    decks: WholeNumber | None = None,
    reading: Texts = (),
    shelf: OwnShelf = SHIPPED,
) -> None:
    """Write the PAR sheet of a game: rules, pay rows, exact odds, and pictures, as a page that prints well.

    Parameters
    ----------
    game
        The id of a game.
    output
        The HTML file to write.
    decks
        A whole shoe of so many decks, 4 to 10; 8 where nothing is said.
    reading
        How an unclear place is read, such as AMB-01=a.
    """
    from thirdcard.odds.sheet import sheet  # noqa: PLC0415 - only this command draws

    rulebook, pair_rule = _game(game, reading, shelf)
    page = sheet(rulebook, _shoe(decks).cards // 52, pair_rule)
    try:
        output.write_text(page, "utf-8")
    except OSError as error:
        reason = error.strerror or ""
        raise BadInput(text("road.not-written", file=str(output), reason=reason)) from error
    print(text("odds.written", file=str(output)))


def _game(game: str, readings: tuple[str, ...], shelf: Shelf) -> tuple[Rulebook, PairRule]:
    try:
        rulebook = asked_game(game, shelf)
        return rulebook, asked_pair_rule(rulebook, shelf.house_of(rulebook), readings)
    except CannotPrice as error:
        raise BadInput(str(error)) from error


def _shoe(decks: int | None, remaining: str | None = None) -> RankCounts:
    try:
        return asked_shoe(decks, remaining)
    except CannotPrice as error:
        raise BadInput(str(error)) from error


def _about(game: str, decks: int | None, remaining: str | None, shoe: RankCounts) -> dict[str, Any]:
    if remaining is None:
        return {"game": game, "decks": decks or shoe.cards // 52}
    return {"game": game, "remaining": {rank.text: shoe.left[rank - 1] for rank in Rank}}


def _edge(edge: Fraction) -> dict[str, str | float]:
    return {"edge": f"{edge.numerator}/{edge.denominator}", "edge_percent": float(edge * 100)}


def _percent(edge: Fraction) -> str:
    return f"{float(edge * 100):.4f}"


def _wagers(priced: Prices) -> dict[str, dict[str, Any]]:
    return {
        each.wager: {
            "rows": [
                {"odds": row.odds.text, "count": row.count, "probability": row.count / priced.total}
                for row in each.rows
            ],
            "stood_off": each.stood_off,
            "lost": each.lost,
            **_edge(each.edge),
            "sd": each.deviation,
        }
        for each in priced.wagers
    }


def _lines(each: WagerOdds) -> list[tuple[str, str, int]]:
    """Every result of a wager: in a word, its odds, and its ordered draws."""
    rows = [("won", row.odds.text, row.count) for row in each.rows]
    stood_off = [("stood-off", "", each.stood_off)] if each.stood_off else []
    return [*rows, *stood_off, ("lost", "", each.lost)]


def _print_csv(about: dict[str, Any], priced: Prices) -> None:
    out = comma_separated.writer(sys.stdout, lineterminator="\n")
    heads = ("wager", "result", "odds", "count", "probability", "edge", "edge_percent", "sd")
    out.writerow(("game", "decks", "total", "void", *heads))
    for each in priced.wagers:
        edge = _edge(each.edge)
        for result, odds_text, count in _lines(each):
            known = (about["game"], about.get("decks", ""), priced.total, priced.void)
            numbers = (count, count / priced.total, edge["edge"], edge["edge_percent"], each.deviation)
            out.writerow((*known, each.wager, result, odds_text, *numbers))


def _print_odds(rulebook: Rulebook, shoe: RankCounts, priced: Prices) -> None:
    rows: list[tuple[str, ...]] = []
    for each in priced.wagers:
        for place, (result, odds_text, count) in enumerate(_lines(each)):
            rows.append(
                (
                    each.wager if place == 0 else "",
                    odds_text or text(f"result.{result}"),
                    f"{count:,}",
                    f"{count / priced.total:.8f}",
                    _percent(each.edge) if place == 0 else "",
                    f"{each.deviation:.4f}" if place == 0 else "",
                )
            )
    heads = ("show.wager", "settle.odds", "odds.count", "odds.probability", "odds.edge", "odds.deviation")
    which = "odds.title" if shoe.cards >= LEAST_CARDS else "odds.title-of-few"
    title = text(which, game=rulebook.name, cards=shoe.cards, total=f"{priced.total:,}")
    if priced.void == priced.total:
        print(title)
        print(text("odds.all-void"))
        return
    print_table(title, tuple(text(head) for head in heads), rows)
    if priced.void:
        share = f"{priced.void / priced.total:.6%}"
        print(text("odds.void", void=f"{priced.void:,}", share=share))
