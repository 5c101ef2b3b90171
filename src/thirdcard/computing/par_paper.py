"""The PAR sheet on paper, to sign."""

import io
from collections.abc import Callable, Iterator
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import CondPageBreak, KeepTogether, Paragraph, SimpleDocTemplate

from thirdcard.messages import message, say
from thirdcard.odds.par import ROUNDS_OF_LIMITS, SIGNERS, TWO_SIDED_90, ParFigures
from thirdcard.reports.paper import CODE, FAINT, INK, LATIN, STRONG, grid, marked_up, register_fonts

WIDTH = A4[0] - 2 * 40.0
PADDING, MOST_LETTERS = 7.0, 120
_STYLES = {
    name: ParagraphStyle(name, fontName=LATIN, fontSize=size, leading=size * 1.25, textColor=INK, **more)
    for name, size, more in (
        ("title", 17, {"spaceAfter": 6}),
        ("heading", 12, {"spaceBefore": 12, "spaceAfter": 4}),
        ("text", 8.5, {"spaceAfter": 3}),
        ("cell", 7.5, {}),
        ("figure", 7.5, {"alignment": 2}),
    )
}


def par_pdf(figures: ParFigures, about: list[tuple[str, str]], title: str) -> bytes:
    """Return a PAR sheet as the bytes of a PDF; the same figures have the same bytes."""
    register_fonts()
    pages = _build(figures, about, title, 0)[1]
    return _build(figures, about, title, pages)[0]


def _build(figures: ParFigures, about: list[tuple[str, str]], title: str, pages: int) -> tuple[bytes, int]:
    """Return the bytes, with the number of all pages on each, and that number."""
    written = io.BytesIO()
    document = SimpleDocTemplate(
        written,
        pagesize=A4,
        leftMargin=40,
        rightMargin=40,
        topMargin=40,
        bottomMargin=46,
        title=title,
        author="thirdcard",
        invariant=1,
    )

    def foot(canvas: Any, _: Any) -> None:
        canvas.saveState()
        canvas.setFillColor(FAINT)
        canvas.setFont(CODE, 7)
        canvas.drawString(40, 26, f"{figures.rulebook.id} {figures.rulebook.digest[:32]}")
        canvas.setFont(LATIN, 8)
        canvas.drawRightString(A4[0] - 40, 26, f"{canvas.getPageNumber()} / {pages}")
        canvas.restoreState()

    document.build(list(_story(figures, about, title)), onFirstPage=foot, onLaterPages=foot)
    return written.getvalue(), document.page


def _story(figures: ParFigures, about: list[tuple[str, str]], title: str) -> Iterator[Any]:
    yield _text(title, "title")
    cells = [[_text(name, "cell", STRONG), _text(said, "cell")] for name, said in about]
    yield grid(cells, [120, WIDTH - 120], lined=False)
    for name, part in _PARTS.items():
        cells = part(figures)
        if len(cells) > 1:
            yield CondPageBreak(90)
            yield _text(_say(name), "heading", STRONG)
            yield grid(cells, _widths(cells))
    yield _text(_say("sheet.meaning"), "text")
    heads = [_text(_say(key), "cell", STRONG) for key in ("par.act", "par.name", "par.signature", "par.date")]
    signed = [heads, *([_text(_say(key), "cell"), "", "", ""] for key in SIGNERS)]
    widths = [110.0, 140.0, 160.0, WIDTH - 410]
    yield KeepTogether([_text(_say("par.signatures"), "heading", STRONG), grid(signed, widths, height=30)])


def _summary(figures: ParFigures) -> list[list[Any]]:
    heads = ("show.wager", "sheet.hit-rate", "sheet.edge", "sheet.return", "odds.deviation", "par.volatility")
    rows = (
        (
            figures.name(each.wager),
            f"{each.won / each.total:.4%}",
            f"{float(each.edge):.4%}",
            f"{float(1 - each.edge):.4%}",
            f"{each.deviation:.4f}",
            f"{TWO_SIDED_90 * each.deviation:.4f}",
        )
        for each in figures.wagers
    )
    return _cells(map(_say, heads), rows)


def _results(figures: ParFigures) -> list[list[Any]]:
    heads = (
        "show.wager",
        "show.when",
        "show.pays",
        "odds.count",
        "odds.probability",
        "par.edge-share",
        "show.clause",
    )
    rows = (
        (
            figures.name(row.wager),
            row.when or _say("sheet.else"),
            row.pays or _say("show.stands-off" if row.gain == 0 else "result.lost"),
            f"{row.count:,}",
            f"{row.count / figures.total:.8f}",
            f"{float(-row.gain) * row.count / figures.total:+.6f}",
            ", ".join(row.clauses),
        )
        for row in figures.rows
    )
    return _cells(map(_say, heads), rows, texts=(0, 1, 2, 6))


def _limits(figures: ParFigures) -> list[list[Any]]:
    found = {(each.wager, each.rounds): each for each in figures.limits}
    rows = (
        (
            figures.name(each.wager),
            *(
                f"{found[each.wager, rounds].low:+.2%} … {found[each.wager, rounds].high:+.2%}"
                for rounds in ROUNDS_OF_LIMITS
            ),
        )
        for each in figures.wagers
    )
    return _cells([_say("show.wager"), *(f"{rounds:,}" for rounds in ROUNDS_OF_LIMITS)], rows)


def _covariances(figures: ParFigures) -> list[list[Any]]:
    names = [each.wager for each in figures.wagers]
    rows = (
        (
            figures.name(one),
            *(f"{float(figures.together.covariances[one, other]):+.4f}" for other in names),
        )
        for one in names
    )
    return _cells(["", *map(figures.name, names)], rows)


def _readings(figures: ParFigures) -> list[list[Any]]:
    rows = (
        (
            f"{each.reading.id}: {each.reading.question} {each.reading.answer}",
            figures.name(wager),
            f"{float(here):.4%}",
            f"{float(there):.4%}",
        )
        for each in figures.readings
        for wager, (here, there) in each.edges.items()
    )
    heads = ("par.reading", "show.wager", "par.as-read", "par.otherwise")
    return _cells(map(_say, heads), rows, texts=(0, 1))


_PARTS: dict[str, Callable[[ParFigures], list[list[Any]]]] = {
    "sheet.summary": _summary,
    "par.pay-rows": _results,
    "par.hold-limits": _limits,
    "par.covariances": _covariances,
    "par.readings": _readings,
}


def _cells(heads: Any, rows: Any, texts: tuple[int, ...] = (0,)) -> list[list[Any]]:
    """Cells as paragraphs: texts to the left, figures to the right."""

    def style(place: int) -> str:
        return "cell" if place in texts else "figure"

    return [
        [_text(head, style(place), STRONG) for place, head in enumerate(heads)],
        *([_text(cell, style(place)) for place, cell in enumerate(row)] for row in rows),
    ]


def _widths(cells: list[list[Any]]) -> list[float]:
    """The widths of columns: room for the longest word in each, and the rest by the length of their texts."""
    places = range(len(cells[0]))
    words = [max(row[place].minWidth() for row in cells) + PADDING for place in places]
    texts = [min(max(len(row[place].getPlainText()) for row in cells), MOST_LETTERS) for place in places]
    rest = WIDTH - sum(words)
    return [word + rest * text / sum(texts) for word, text in zip(words, texts, strict=True)]


def _text(text: str, style: str, font: str = LATIN) -> Any:
    return Paragraph(marked_up(text, font), _STYLES[style])


def _say(key: str) -> str:
    return say(message(key))
