"""A person's record of training on paper, to sign."""

import io
from collections.abc import Iterator
from typing import Any

from reportlab.graphics.shapes import Drawing, Line, PolyLine
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer

from thirdcard.messages import message, say
from thirdcard.reports.paper import INK, LATIN, MARGIN, RULE, STRONG, grid, marked_up, register_fonts
from thirdcard.reports.training_rows import PACK_HEADINGS, RESULT_COLUMNS, cells_of, pack_cells
from thirdcard.training.results import PackProgress, TrainingResult, progress

PAPER_WIDTH = A4[0] - 2 * MARGIN
CHART_WIDTH, CHART_HEIGHT = 120.0, 22.0
SIGNATURE_HEADINGS = ("report.name", "report.signature", "report.date")
SIGNATURE_LINES = ("train-record.trainee", "train-record.trainer")


def training_pdf(person: str, results: tuple[TrainingResult, ...]) -> bytes:
    """Return the record of a person as the bytes of a PDF; the same results have the same bytes."""
    register_fonts()
    written = io.BytesIO()
    title = say(message("train-record.title", person=person))
    margins = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), MARGIN)
    document = SimpleDocTemplate(
        written, pagesize=A4, title=title, author="thirdcard", invariant=1, **margins
    )
    document.build(list(_story(title, results)))
    return written.getvalue()


def _story(title: str, results: tuple[TrainingResult, ...]) -> Iterator[Any]:
    yield _text(title, 16, STRONG)
    yield Spacer(1, 6)
    yield _text(say(message("train-record.no-record-of-play")), 9)
    yield Spacer(1, 8)
    cells = [[_text(say(message(name)), 9, STRONG) for name in PACK_HEADINGS]]
    cells += [[*(_text(cell, 9) for cell in pack_cells(each)), _chart(each)] for each in progress(results)]
    yield grid(cells, [PAPER_WIDTH - 280 - CHART_WIDTH - 10, 60, 70, 70, 80, CHART_WIDTH + 10])
    yield Spacer(1, 12)
    cells = [[_text(say(message(column.title)), 8, STRONG) for column in RESULT_COLUMNS]]
    cells += [[_text(cell, 8) for cell in cells_of(each)] for each in results]
    yield grid(cells, [column.share * PAPER_WIDTH for column in RESULT_COLUMNS])
    yield Spacer(1, 24)
    cells = [[_text(say(message(name)), 9, STRONG) for name in SIGNATURE_HEADINGS]]
    cells += [[_text(say(message(name)), 9), "", ""] for name in SIGNATURE_LINES]
    yield grid(cells, [PAPER_WIDTH / 3] * 3, height=34)


def _text(text: str, size: float, font: str = LATIN) -> Any:
    style = ParagraphStyle("cell", fontName=LATIN, fontSize=size, leading=size * 1.25, textColor=INK)
    return Paragraph(marked_up(text, font), style)


def _chart(each: PackProgress) -> Any:
    """A line from the first time to the last: at the top all points, at the bottom none."""
    drawing = Drawing(CHART_WIDTH, CHART_HEIGHT)
    for height in (1.0, CHART_HEIGHT - 1):
        drawing.add(Line(0, height, CHART_WIDTH, height, strokeColor=HexColor(RULE), strokeWidth=0.4))
    step = CHART_WIDTH / max(len(each.shares) - 1, 1)
    points: list[float] = []
    for at, share in enumerate(each.shares):
        points += [at * step, 1 + share * (CHART_HEIGHT - 2)]
    if len(each.shares) == 1:
        points += [CHART_WIDTH, points[1]]
    drawing.add(PolyLine(points, strokeColor=HexColor(INK), strokeWidth=1.2))
    return drawing
