"""The PAR sheet as a workbook whose formulas recompute every figure from the counts."""

from collections.abc import Iterator
from fractions import Fraction

from thirdcard.dossier.sheets import Cell, CellKind, Formula, Sheet, SheetColumn
from thirdcard.messages import message, say
from thirdcard.odds.mix import TWO_SIDED_95
from thirdcard.odds.par import TWO_SIDED_90, ParFigures

HOLD_FIGURES = ("edge", "deviation")


def par_sheets(figures: ParFigures, about: list[tuple[str, str]]) -> tuple[Sheet, ...]:
    """Return the sheets: identity, pay rows, hold, and all wagers together."""
    return (_about(about), _pay_rows(figures), _hold(figures), _together(figures))


def _text(key: str, /, **params: str | int) -> str:
    return say(message(key, **params))


def _about(about: list[tuple[str, str]]) -> Sheet:
    columns = (
        SheetColumn("what", _text("par.what"), width=30),
        SheetColumn("said", _text("par.said"), width=110),
    )
    return Sheet(_text("par.about"), (), columns, about)


def _pay_rows(figures: ParFigures) -> Sheet:
    """Every result with its count; below them each wager, worked out of its results."""
    columns = (
        SheetColumn("wager", _text("show.wager"), width=16),
        SheetColumn("when", _text("show.when"), width=44),
        SheetColumn("pays", _text("show.pays"), width=16),
        SheetColumn("gain", _text("par.gain"), CellKind.NUMBER, 4),
        SheetColumn("count", _text("odds.count"), CellKind.WHOLE, width=24),
        SheetColumn("probability", _text("odds.probability"), CellKind.NUMBER, 10, 14),
        SheetColumn("edge", _text("par.edge-share"), CellKind.NUMBER, 10, 14),
        SheetColumn("deviation", _text("odds.deviation"), CellKind.NUMBER, 6, 12),
        SheetColumn("volatility", _text("par.volatility"), CellKind.NUMBER, 6, 12),
        SheetColumn("clauses", _text("show.clause"), width=22),
    )
    sums = _rows_of_sums(figures)
    rows = [
        (
            row.wager,
            row.when or _text("sheet.else"),
            row.pays or _text("show.stands-off" if row.gain == 0 else "result.lost"),
            float(row.gain),
            row.count,
            Formula(f"={{own_count}}/$E${sums[row.wager]}", row.count / figures.total),
            Formula("=-{own_gain}*{own_probability}", float(-row.gain * Fraction(row.count, figures.total))),
            None,
            None,
            ", ".join(row.clauses),
        )
        for row in figures.rows
    ]
    return Sheet(_text("par.pay-rows"), (), columns, rows, tuple(_totals(figures)))


def _totals(figures: ParFigures) -> Iterator[tuple[Cell, ...]]:
    for each in figures.wagers:
        own = f'({{wager}}="{each.wager}")'
        own_paid = f'{{wager}},"{each.wager}",{{gain}},">0"'
        yield (
            each.wager,
            _text("par.together"),
            "",
            None,
            Formula(f'=SUMIFS({{count}},{{wager}},"{each.wager}")', each.total),
            Formula(f"=SUMIFS({{count}},{own_paid})/{{own_count}}", each.won / each.total),
            Formula(f"=-SUMPRODUCT({own}*{{gain}}*{{count}})/{{own_count}}", float(each.edge)),
            Formula(
                f"=SQRT(SUMPRODUCT({own}*{{gain}}^2*{{count}})/{{own_count}}-{{own_edge}}^2)", each.deviation
            ),
            Formula(f"={TWO_SIDED_90}*{{own_deviation}}", TWO_SIDED_90 * each.deviation),
            "",
        )


def _rows_of_sums(figures: ParFigures) -> dict[str, int]:
    """The row of the sheet of pay rows in which each wager is added up: below the headings and the rows."""
    first = len(figures.rows) + 2
    return {each.wager: first + place for place, each in enumerate(figures.wagers)}


def _hold(figures: ParFigures) -> Sheet:
    """The limits of the hold, worked out of the totals of the pay rows."""
    columns = (
        SheetColumn("wager", _text("show.wager"), width=16),
        SheetColumn("rounds", _text("par.rounds"), CellKind.WHOLE),
        SheetColumn("edge", _text("sheet.edge"), CellKind.NUMBER, 8),
        SheetColumn("deviation", _text("odds.deviation"), CellKind.NUMBER, 6),
        SheetColumn("low", _text("par.low"), CellKind.NUMBER, 8),
        SheetColumn("high", _text("par.high"), CellKind.NUMBER, 8),
    )
    found = {each.wager: each for each in figures.wagers}
    sums = _rows_of_sums(figures)
    pay_rows = _text("par.pay-rows")
    far = f"{TWO_SIDED_95}*{{own_deviation}}/SQRT({{own_rounds}})"
    rows = [
        (
            each.wager,
            each.rounds,
            Formula(f"='{pay_rows}'!$G${sums[each.wager]}", float(found[each.wager].edge)),
            Formula(f"='{pay_rows}'!$H${sums[each.wager]}", found[each.wager].deviation),
            Formula(f"={{own_edge}}-{far}", each.low),
            Formula(f"={{own_edge}}+{far}", each.high),
        )
        for each in figures.limits
    ]
    return Sheet(_text("par.hold"), (), columns, rows)


def _together(figures: ParFigures) -> Sheet:
    """The ends of rounds for all wagers together; below them each mean and each covariance."""
    wagers = [each.wager for each in figures.wagers]
    columns = (
        SheetColumn("count", _text("odds.count"), CellKind.WHOLE, width=26),
        *(SheetColumn(f"w{place}", wager, CellKind.NUMBER, 8) for place, wager in enumerate(wagers)),
    )
    rows = [
        (count, *map(float, gains))
        for gains, count in sorted(figures.joint.items(), key=lambda each: (-each[1], each[0]))
    ]
    edges, of = figures.together.edges, figures.together.covariances
    mean = "SUMPRODUCT({{count}}*{{w{place}}})/SUM({{count}})"
    totals: list[tuple[Cell, ...]] = [
        (
            _text("par.mean"),
            *(Formula("=" + mean.format(place=at), float(edges[wager])) for at, wager in enumerate(wagers)),
        )
    ]
    for one, wager in enumerate(wagers):
        products = (
            Formula(
                f"=SUMPRODUCT({{count}}*{{w{one}}}*{{w{at}}})/SUM({{count}})"
                f"-{mean.format(place=one)}*{mean.format(place=at)}",
                float(of[wager, other]),
            )
            for at, other in enumerate(wagers)
        )
        totals.append((_text("par.covariance-with", wager=wager), *products))
    return Sheet(_text("par.joint"), (), columns, rows, tuple(totals))
