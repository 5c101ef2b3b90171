"""The PAR sheet of a game: rules, pay rows, exact odds and pictures on one HTML page that prints well."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from xml.sax.saxutils import escape

from thirdcard.messages import message, say
from thirdcard.odds import pictures
from thirdcard.odds.arguments import DECKS
from thirdcard.odds.exact import WagerOdds, full_shoe
from thirdcard.odds.par import ROUNDS_OF_LIMITS, SIGNERS, TWO_SIDED_90, ParFigures, identity
from thirdcard.odds.price import Prices, prices, removal
from thirdcard.rulebook.book import Rulebook, Wager
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.words import conditions_in_words

STYLE = """
@page { size: A4; margin: 16mm 14mm; }
@page { @bottom-right { content: counter(page) " / " counter(pages); font: 9px sans-serif; color: #5b6875; } }
* { box-sizing: border-box; }
body { font: 14px/1.45 system-ui, sans-serif; color: #1d2733; }
body { max-width: 190mm; margin: 24px auto; padding: 0 16px; }
h1 { font-size: 26px; margin: 0 0 2px; }
h2 { font-size: 18px; margin: 28px 0 8px; border-bottom: 2px solid #1d2733; padding-bottom: 3px; }
h3 { font-size: 15px; margin: 20px 0 6px; }
p { margin: 4px 0 8px; } .faint { color: #5b6875; } .small { font-size: 12px; }
table { border-collapse: collapse; width: 100%; margin: 6px 0 12px; }
th, td { text-align: right; padding: 4px 8px; border-bottom: 1px solid #d5dbe1; vertical-align: top; }
.rows { font-size: 11.5px; table-layout: fixed; } .rows th, .rows td { padding: 4px; }
.rows td:nth-child(3) { white-space: nowrap; } .rows tr:last-child td { border-bottom: 0; color: #5b6875; }
.wide { overflow-x: auto; } .wide > table { min-width: 640px; }
th { font-weight: 600; color: #5b6875; border-bottom-color: #1d2733; }
td { font-variant-numeric: tabular-nums; }
th:first-child, td:first-child, .left { text-align: left; }
code { font-size: 11px; overflow-wrap: anywhere; }
svg { display: block; max-width: 100%; height: auto; }
td svg { display: inline-block; margin: -3px 0; }
.numbers td:first-child { white-space: nowrap; }
section, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
@media print {
body { margin: 0; padding: 0; max-width: none; font-size: 11px; } .wide { overflow: visible; }
.rows { font-size: 10.5px; } th, td { padding-top: 3px; padding-bottom: 3px; }
h2 { margin-top: 18px; } h3 { margin-top: 12px; }
}
"""


_DIGESTS = ("sheet.rulebook-digest", "par.software-digest")
# of the columns of a wager's rows, in per cent
_WIDTHS = (22, 10, 24, 12, 9, 10, 13)


def sheet(figures: ParFigures) -> str:
    """The whole page."""
    rulebook, decks, pair_rule = figures.rulebook, figures.decks, figures.pair_rule
    priced = Prices(figures.total, 0, figures.wagers)
    title = _text("sheet.title", game=rulebook.name)
    parts = [
        *_head(figures, title),
        *_summary(rulebook, priced),
        *_rows(rulebook, priced),
        *_limits(figures),
        *_together(figures),
        *_readings(figures),
        *_rules(rulebook, priced),
        *_by_decks(rulebook, pair_rule),
        *_removals(rulebook, decks, pair_rule),
        *_method(priced),
        *_signatures(),
    ]
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{_foot(rulebook)}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _foot(rulebook: Rulebook) -> str:
    """Return the foot of every printed page: the game and the beginning of its rulebook's digest."""
    shown = f"{rulebook.name} ({rulebook.id}), {rulebook.digest[:16]}"
    quoted = "".join(each if each.isalnum() or each in " (),.-/" else f"\\{ord(each):x} " for each in shown)
    return f'@page {{ @bottom-left {{ content: "{quoted}"; font: 9px sans-serif; color: #5b6875; }} }}\n'


def _text(key: str, /, **params: str | int) -> str:
    return say(message(key, **params))


def _table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, kind: str = "numbers", widths: Sequence[int] = ()
) -> str:
    """A table whose cells are HTML already; on a narrow screen it can be moved sideways."""

    def line(tag: str, cells: Sequence[str]) -> str:
        return "".join(f"<{tag}>{cell}</{tag}>" for cell in cells)

    body = "\n".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    columns = "".join(f"<col style='width: {width}%'>" for width in widths)
    head = f"<thead><tr>{line('th', heads)}</tr></thead>"
    table = f"<table class='{kind}'>{columns}{head}\n<tbody>\n{body}\n</tbody></table>"
    return f"<div class='wide'>{table}</div>"


def _heads(*names: str) -> tuple[str, ...]:
    return tuple(escape(_text(name)) for name in names)


def _head(figures: ParFigures, title: str) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    rows = (
        (escape(_text(key)), f"<code>{said}</code>" if key in _DIGESTS else escape(said))
        for key, said in identity(figures)
        if key != "sheet.method"  # which is told at the end
    )
    yield "<table>" + "".join(f"<tr><td>{a}</td><td class='left'>{b}</td></tr>" for a, b in rows) + "</table>"


def _summary(rulebook: Rulebook, priced: Prices) -> Iterator[str]:
    yield f"<section><h2>{escape(_text('sheet.summary'))}</h2>"
    rows = [
        (
            escape(rulebook.wagers[each.wager].name),
            f"{each.won / priced.total:.4%}",
            _one_in(each.won, priced.total),
            f"{float(each.edge):.4%}",
            f"{float(1 - each.edge):.4%}",
            f"{each.deviation:.4f}",
            f"{TWO_SIDED_90 * each.deviation:.4f}",
        )
        for each in priced.wagers
    ]
    heads = ("show.wager", "sheet.hit-rate", "sheet.one-in", "sheet.edge", "sheet.return", "odds.deviation")
    yield _table(_heads(*heads, "par.volatility"), rows)
    lines = [
        (rulebook.wagers[each.wager].name, float(each.edge), f"{float(each.edge):.2%}")
        for each in priced.wagers
    ]
    about = _text("sheet.edges-picture")
    yield f"<p class='small faint'>{escape(about)}:</p>" + pictures.bars(lines, about=about) + "</section>"


def _one_in(count: int, total: int) -> str:
    return f"{total / count:,.2f}" if count else "–"


def _rows(rulebook: Rulebook, priced: Prices) -> Iterator[str]:
    yield f"<h2>{escape(_text('show.wagers'))}</h2>"
    for each in priced.wagers:
        wager = rulebook.wagers[each.wager]
        yield f"<section><h3>{escape(wager.name)}</h3>"
        heads = ("show.when", "show.pays", "odds.count", "odds.probability", "sheet.one-in")
        last = ("sheet.contribution", "show.clause")
        yield _table(_heads(*heads, *last), _results(wager, each, priced.total), kind="rows", widths=_WIDTHS)
        edge, share = f"{each.edge.numerator}/{each.edge.denominator}", f"{float(each.edge):.6%}"
        yield f"<p class='small'>{escape(_text('sheet.exact-edge', edge=edge, share=share))}</p>"
        lines = [
            (row.odds.text, float(_contribution(row.odds.gain, row.odds.stake, row.count, priced.total)))
            for row in each.rows
        ]
        if len(lines) > 1:
            shown = [(name, value, f"{value:.3%}") for name, value in lines]
            about = _text("sheet.contribution-picture", wager=wager.name)
            yield f"<p class='small faint'>{escape(about)}:</p>" + pictures.bars(shown, about=about)
        yield "</section>"


def _contribution(gain: int, stake: int, count: int, total: int) -> Fraction:
    """Return the share of a unit staked that a row gives back, the stake included."""
    return Fraction(gain + stake, stake) * Fraction(count, total)


def _results(wager: Wager, odds: WagerOdds, total: int) -> Iterator[tuple[str, ...]]:
    paid = iter(odds.rows)
    for row in wager.rows:
        when, clauses = escape(conditions_in_words(row.conditions)), escape(", ".join(row.clauses))
        if row.odds is None:
            count, pays, back = odds.stood_off, _text("show.stands-off"), Fraction(odds.stood_off, total)
        else:
            each = next(paid)
            count, pays = each.count, each.odds.text
            back = _contribution(each.odds.gain, each.odds.stake, count, total)
        numbers = f"{count:,}", f"{count / total:.8f}", _one_in(count, total), f"{float(back):.4%}"
        yield (when, escape(pays), *numbers, clauses)
    numbers = f"{odds.lost:,}", f"{odds.lost / total:.8f}", _one_in(odds.lost, total), "–"
    yield (escape(_text("sheet.else")), escape(_text("result.lost")), *numbers, escape(", ".join(wager.lost)))
    yield (escape(_text("sheet.together")), "", f"{total:,}", "1", "", f"{float(1 - odds.edge):.4%}", "")


def _limits(figures: ParFigures) -> Iterator[str]:
    yield f"<section><h2>{escape(_text('par.hold-limits'))}</h2>"
    yield f"<p>{escape(_text('par.hold-explained'))}</p>"
    found = {(each.wager, each.rounds): each for each in figures.limits}
    rows = [
        (
            escape(figures.name(each.wager)),
            *(
                f"{found[each.wager, rounds].low:+.2%} … {found[each.wager, rounds].high:+.2%}"
                for rounds in ROUNDS_OF_LIMITS
            ),
        )
        for each in figures.wagers
    ]
    yield (
        _table((*_heads("show.wager"), *(f"{rounds:,}" for rounds in ROUNDS_OF_LIMITS)), rows) + "</section>"
    )


def _together(figures: ParFigures) -> Iterator[str]:
    yield f"<section><h2>{escape(_text('par.covariances'))}</h2>"
    yield f"<p>{escape(_text('par.covariances-explained'))}</p>"
    names = [each.wager for each in figures.wagers]
    rows = [
        (
            escape(figures.name(one)),
            *(
                f"{float(figures.together.covariances[one, other]):+.4f}"
                f"<br><span class='faint'>{figures.correlation(one, other):+.2f}</span>"
                for other in names
            ),
        )
        for one in names
    ]
    yield _table(("", *(escape(figures.name(name)) for name in names)), rows) + "</section>"


def _readings(figures: ParFigures) -> Iterator[str]:
    """The unclear places whose reading changes an edge; most games have none."""
    for each in figures.readings:
        yield f"<section><h2>{escape(_text('par.readings'))}</h2>"
        yield f"<p>{escape(f'{each.reading.id}: {each.reading.question} {each.reading.answer}')}</p>"
        rows = [
            (escape(figures.name(wager)), f"{float(here):.4%}", f"{float(there):.4%}")
            for wager, (here, there) in each.edges.items()
        ]
        yield _table(_heads("show.wager", "par.as-read", "par.otherwise"), rows) + "</section>"


def _signatures() -> Iterator[str]:
    yield f"<section><h2>{escape(_text('par.signatures'))}</h2>"
    rows = [(escape(_text(key)), "&nbsp;<br>&nbsp;", "", "") for key in SIGNERS]
    yield _table(_heads("par.act", "par.name", "par.signature", "par.date"), rows) + "</section>"


def _rules(rulebook: Rulebook, priced: Prices) -> Iterator[str]:
    yield f"<section><h2>{escape(_text('show.table-of-play'))}</h2>"
    naturals = ", ".join(str(total) for total in sorted(rulebook.drawing.player_naturals))
    draws = [
        str(total) for total, cell in sorted(rulebook.drawing.player.items()) if cell.step.value == "draws"
    ]
    yield f"<p>{escape(_text('sheet.rules', naturals=naturals, draws=', '.join(draws)))}</p>"
    yield pictures.table_of_play(rulebook.drawing, about=_text("sheet.table-of-play-picture"))
    wagers = {each.wager: each for each in priced.wagers}
    if {"player", "banker"} <= wagers.keys():
        player, banker = (Fraction(wagers[name].won, priced.total) for name in ("player", "banker"))
        parts = (
            (_text("hand.player"), player, pictures.PLAYER),
            (_text("hand.banker"), banker, pictures.BANKER),
            (_text("road.tie"), 1 - player - banker, pictures.TIE),
        )
        yield f"<h3>{escape(_text('sheet.outcomes'))}</h3>"
        yield pictures.shares(parts, about=_text("sheet.outcomes"))
    yield "</section>"


def _by_decks(rulebook: Rulebook, pair_rule: PairRule) -> Iterator[str]:
    yield f"<section><h2>{escape(_text('sheet.by-decks'))}</h2>"
    edges: dict[str, list[float]] = {wager: [] for wager in rulebook.wagers}
    for decks in DECKS:
        for each in prices(rulebook, full_shoe(decks), pair_rule).wagers:
            edges[each.wager].append(float(each.edge))
    rows = [
        (
            escape(rulebook.wagers[wager].name),
            *(f"{edge * 100:.4f}" for edge in values),
            pictures.line(values, about=_text("sheet.by-decks-picture", wager=rulebook.wagers[wager].name)),
        )
        for wager, values in edges.items()
    ]
    heads = (*_heads("show.wager"), *(str(decks) for decks in DECKS), *_heads("sheet.trend"))
    yield _table(heads, rows) + "</section>"


def _removals(rulebook: Rulebook, decks: int, pair_rule: PairRule) -> Iterator[str]:
    yield f"<section><h2>{escape(_text('sheet.removal'))}</h2>"
    yield f"<p>{escape(_text('sheet.removal-explained', decks=decks))}</p>"
    names = {wager: form.name for wager, form in rulebook.wagers.items()}
    changes = removal(rulebook, full_shoe(decks), pair_rule)
    yield pictures.removal_map(changes, names, about=_text("sheet.removal")) + "</section>"


def _method(priced: Prices) -> Iterator[str]:
    yield f"<section><h2>{escape(_text('sheet.method'))}</h2>"
    yield f"<p>{escape(_text('sheet.method-explained', total=f'{priced.total:,}'))}</p>"
    yield f"<p>{escape(_text('sheet.meaning'))}</p></section>"
