"""Reports on paper, to sign; the only door to reportlab."""

import io
import unicodedata
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from reportlab.graphics.shapes import Circle, Drawing, Line, Rect, String
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Frame,
    KeepTogether,
    PageTemplate,
    Paragraph,
    Table,
    TableStyle,
)

from thirdcard.dossier.event_rows import IncidentRow
from thirdcard.messages import knows, message, say, spoken_language
from thirdcard.reports.report import Block
from thirdcard.reports.rows import (
    REPORT_COLUMNS,
    REPORT_PARTS,
    ColumnKind,
    ReportPart,
    ReportRow,
    ToldReport,
    lines_of,
    name_of_line,
    title_of,
    told_cell,
)

LATIN, STRONG, CODE = "Helvetica", "Helvetica-Bold", "Courier"  # fonts of every reader
# fonts that readers have for Chinese and Korean, each with the letters that it has
EASTERN = {"STSong-Light": "gb2312", "MSung-Light": "big5", "HYSMyeongJo-Medium": "euc_kr"}
FONT_OF_LANGUAGE = {"zh-Hant": "MSung-Light", "ko": "HYSMyeongJo-Medium"}
# what stands for letters that no font of every reader has; Unicode does not take a stroke off
INSTEAD = {"−": "–", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L"}
INK, FAINT, RULE, HEAD = "#1c211e", "#5d655f", "#a8a08c", "#efebe0"
BAND, MIDDLE, GOOD, FAR, VERY_FAR = "#e9e5da", "#d6d0c1", "#1c211e", "#7d5200", "#a3231b"
MARGIN = 36.0
PAGE_WIDTH = landscape(A4)[0] - 2 * MARGIN
MOST_DEVIATIONS = 4.0  # that the picture of a line shows
PICTURE_WIDTH, PICTURE_HEIGHT = 78.0, 9.0
LEAST_LEFT = 90.0  # on a page, for a heading with what it is of
WIDTHS = {
    ColumnKind.COUNT: 42.0,
    ColumnKind.NUMBER: 52.0,
    ColumnKind.SHARE: 60.0,
    ColumnKind.AMOUNT: 74.0,
}
WIDER = {"irregularities": 60.0}  # whose heading is longer
BLANK_SIGNERS = 3
INCIDENT_NAMES = {
    "irregularity-reported": "report.irregularity",
    "ruling-made": "report.ruling",
    "round-voided": "report.round-void",
    "dispute-opened": "report.dispute",
    "dispute-decided": "report.dispute-decided",
}


def report_pdf(told: ToldReport) -> bytes:
    """Return a report as the bytes of a PDF; the same report has the same bytes."""
    paper = _Paper(told)
    pages = paper.build(0)[1]
    return paper.build(pages)[0]


class _Paper:
    """Lays a report out on pages."""

    def __init__(self, told: ToldReport) -> None:
        register_fonts()
        self._told = told
        self._digest = told.report.origin.digest

        def style(name: str, size: float, **more: Any) -> Any:
            return ParagraphStyle(
                name, fontName=LATIN, fontSize=size, leading=size * 1.25, textColor=INK, **more
            )

        self._styles = {
            "title": style("title", 18, spaceAfter=4),
            "heading": style("heading", 13, spaceBefore=10, spaceAfter=3),
            "part": style("part", 10, spaceBefore=7, spaceAfter=3),
            "text": style("text", 8.5),
            "cell": style("cell", 8),
            "figure": style("figure", 8, alignment=2),
            "training": style("training", 10, spaceBefore=8, backColor=HEAD, borderPadding=3),
        }

    def build(self, pages: int) -> tuple[bytes, int]:
        """Return the bytes, with the number of all pages on each, and that number."""

        written = io.BytesIO()
        title = say(message("report.title"))
        document = BaseDocTemplate(
            written,
            pagesize=landscape(A4),
            leftMargin=MARGIN,
            rightMargin=MARGIN,
            topMargin=36,
            bottomMargin=42,
            title=title,
            author="thirdcard",
            invariant=1,
        )
        frame = Frame(document.leftMargin, document.bottomMargin, document.width, document.height, 0, 0, 0, 0)

        def foot(canvas: Any, _: Any) -> None:
            self._foot(canvas, document, pages)

        document.addPageTemplates(PageTemplate(frames=[frame], onPage=foot))
        document.build(list(self._story(title)))
        return written.getvalue(), document.page

    # the pages, from the top down

    def _story(self, title: str) -> Iterator[Any]:
        yield self._text(title, "title")
        yield self._about()
        for block in self._told.report.blocks:
            yield from self._block(block)
        yield from self._made_from()
        yield self._signatures()

    def _about(self) -> Any:
        """The identity of the floor, the time and its zone."""
        told, report = self._told, self._told.report
        blocks = report.blocks
        lines = [
            ("report.floor", ", ".join(sorted(report.terms.houses.values()))),
            ("report.journal", report.origin.floor),
            ("report.time", told.title_of(blocks[0].period)),
            ("report.zone", ", ".join(told.zones)),
            ("report.made-from", self._digest),
        ]
        if len(blocks) > 1:
            lines.insert(3, ("report.until", told.title_of(blocks[-1].period)))
        lines = [line for line in lines if line[1]]
        cells = [
            [self._text(say(message(key)), "text", STRONG), self._text(said, "text")] for key, said in lines
        ]
        return grid(cells, [110, PAGE_WIDTH - 110], lined=False)

    def _block(self, block: Block) -> Iterator[Any]:
        """The figures of a period: real ones first, those of training apart, each currency by itself."""
        rows = tuple(self._told.rows_of(block))
        yield self._text(self._told.title_of(block.period), "heading", STRONG)
        if not rows:
            yield self._text(say(message("report.nothing")), "text")
        for training in (False, True):
            same = [row for row in rows if row.training is training]
            incidents = [
                each for each in block.incidents if each.training is training and each.what in INCIDENT_NAMES
            ]
            if training and (same or incidents):
                yield self._text(say(message("report.training-only")), "training", STRONG)
            for currency in dict.fromkeys(row.currency for row in same):
                yield from self._parts([row for row in same if row.currency == currency], currency)
            if incidents:
                yield from self._incidents(incidents)

    def _parts(self, rows: list[ReportRow], currency: str) -> Iterator[Any]:
        for part in REPORT_PARTS:
            lines = lines_of(part, rows)
            if lines:
                yield CondPageBreak(LEAST_LEFT)
                yield self._text(f"{say(message(part.title))} ({currency})", "part", STRONG)
                yield self._figures(part, lines)

    def _figures(self, part: ReportPart, lines: list[ReportRow]) -> Any:
        """A table of lines, with a picture of how far each win lies off what is expected."""
        has_picture = "deviations" in part.columns
        heads = [self._text(title_of(name), "figure", STRONG) for name in part.columns]
        cells = [[self._text(say(message("report.line")), "cell", STRONG), *heads]]
        names = self._told.report.names
        for row in lines:
            figures = [self._text(told_cell(row, name), "figure") for name in part.columns]
            cells.append([self._text(name_of_line(row, names), "cell"), *figures])
        if has_picture:
            cells[0].append(_scale())
            for row, line in zip(lines, cells[1:], strict=True):
                line.append(_picture(row.deviations))
        widths = [WIDER.get(name, WIDTHS[REPORT_COLUMNS[name].kind]) for name in part.columns]
        widths += [PICTURE_WIDTH + 6] if has_picture else []
        return grid(cells, [PAGE_WIDTH - sum(widths), *widths])

    def _incidents(self, incidents: list[IncidentRow]) -> Iterator[Any]:
        heads = (
            "report.moment",
            "report.table",
            "report.round",
            "report.incident",
            "report.people",
            "report.clauses",
        )
        cells = [[self._text(say(message(key)), "cell", STRONG) for key in heads]]
        for each in sorted(incidents, key=lambda found: (found.moment, found.stream, found.record)):
            said = (
                f"{self._told.days.local(each.moment):%Y-%m-%d %H:%M:%S}",
                each.stream,
                "" if each.round is None else str(each.round),
                _told_incident(each),
                ", ".join(_person(name) for name in (each.person, each.second) if name),
                ", ".join(each.clauses),
            )
            cells.append([self._text(one, "cell") for one in said])
        yield CondPageBreak(LEAST_LEFT)
        yield self._text(say(message("report.incidents")), "part", STRONG)
        yield grid(cells, [100, 90, 40, 260, 160, PAGE_WIDTH - 650])

    def _made_from(self) -> Iterator[Any]:
        """The last record of each table that the report was made from."""
        yield CondPageBreak(LEAST_LEFT)
        yield self._text(say(message("report.made-from")), "heading", STRONG)
        yield self._text(say(message("report.made-from-why")), "text")
        heads = ("report.table", "report.record", "report.digest")
        cells = [[self._text(say(message(key)), "cell", STRONG) for key in heads]]
        for stream, head in self._told.report.origin.heads.items():
            said = (stream, str(head.sequence))
            digest = self._text(head.digest.hex(), "cell", CODE)
            cells.append([*(self._text(one, "cell") for one in said), digest])
        yield grid(cells, [150, 80, PAGE_WIDTH - 230])

    def _signatures(self) -> Any:
        """Lines for signatures, with the names and posts of those who are known."""
        heads = ("report.name", "report.post", "report.signature", "report.date")
        cells = [[self._text(say(message(key)), "cell", STRONG) for key in heads]]
        signers = (*self._told.signers, *[("", "")] * (BLANK_SIGNERS - len(self._told.signers)))
        cells += [
            [self._text(_person(name), "cell"), self._text(post, "cell"), "", ""] for name, post in signers
        ]
        signed = grid(cells, [190, 190, 260, PAGE_WIDTH - 640], height=30)
        return KeepTogether([self._text(say(message("report.signatures")), "heading", STRONG), signed])

    # pieces

    def _text(self, text: str, style: str, font: str = LATIN) -> Any:
        return Paragraph(marked_up(text, font), self._styles[style])

    def _foot(self, canvas: Any, document: Any, pages: int) -> None:
        """The line below each page: what the report was made from, and which page it is."""
        canvas.saveState()
        canvas.setFillColor(FAINT)
        canvas.setFont(CODE, 7)
        canvas.drawString(document.leftMargin, 24, self._digest)
        canvas.setFont(LATIN, 8)
        canvas.drawRightString(
            document.leftMargin + document.width, 24, f"{canvas.getPageNumber()} / {pages}"
        )
        canvas.restoreState()


def grid(
    cells: list[list[Any]], widths: list[float], *, lined: bool = True, height: float | None = None
) -> Any:
    """A table of paragraphs and pictures; with lines below its heading and its rows, or with none."""
    heights = None if height is None else [None, *[height] * (len(cells) - 1)]
    look: list[tuple[Any, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE" if height is None else "BOTTOM"),
        ("LEFTPADDING", (0, 0), (-1, -1), 3),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
    ]
    if lined:
        look += [
            ("BACKGROUND", (0, 0), (-1, 0), HEAD),
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, INK),
            ("LINEBELOW", (0, 1), (-1, -1), 0.3, RULE),
        ]
    return Table(cells, widths, heights, repeatRows=1 if lined else 0, hAlign="LEFT", style=TableStyle(look))


def _told_incident(each: IncidentRow) -> str:
    told = say(message(INCIDENT_NAMES[each.what]))
    return f"{told}: {say(message(f'situation.{each.situation}'))}" if each.situation else told


def _person(name: str) -> str:
    key = f"post.{name}"
    return say(message(key)) if knows(key) else name


def _picture(deviations: float | None) -> Any:
    """How far a win lies off what is expected: bands of one and of two standard deviations, and a mark."""

    drawing, middle = Drawing(PICTURE_WIDTH, PICTURE_HEIGHT), PICTURE_WIDTH / 2
    unit, half = middle / MOST_DEVIATIONS, PICTURE_HEIGHT / 2

    def band(width: float, colour: str) -> Any:
        return Rect(
            middle - width * unit,
            0.5,
            2 * width * unit,
            PICTURE_HEIGHT - 1,
            fillColor=HexColor(colour),
            strokeColor=None,
        )

    drawing.add(band(2, BAND))
    drawing.add(band(1, MIDDLE))
    drawing.add(Line(middle, 0, middle, PICTURE_HEIGHT, strokeColor=HexColor(RULE), strokeWidth=0.6))
    if deviations is not None:
        colour = VERY_FAR if abs(deviations) > 3 else FAR if abs(deviations) > 2 else GOOD
        at = middle + max(-MOST_DEVIATIONS, min(MOST_DEVIATIONS, deviations)) * unit * 0.96
        drawing.add(Circle(at, half, 2.4, fillColor=HexColor(colour), strokeColor=None))
    return drawing


def _scale() -> Any:
    """The scale above the pictures, in standard deviations."""
    drawing, middle = Drawing(PICTURE_WIDTH, PICTURE_HEIGHT), PICTURE_WIDTH / 2
    for at in (-2, 0, 2):
        place = middle + at * middle / MOST_DEVIATIONS
        told = f"{at:+d}" if at else "0"
        drawing.add(String(place, 1, told, fontName=STRONG, fontSize=7, textAnchor="middle"))
    return drawing


def register_fonts() -> None:
    """Make the fonts known that a page may use beside those of every reader."""
    for name in EASTERN:
        pdfmetrics.registerFont(UnicodeCIDFont(name))


def marked_up(text: str, font: str = LATIN) -> str:
    """A text as markup, each run of letters in a font that has them."""
    return "".join(f'<font name="{name}">{escape(run)}</font>' for name, run in _runs(text, font))


def _runs(text: str, font: str) -> Iterator[tuple[str, str]]:
    """The runs of a text by the font that has their letters."""
    first = FONT_OF_LANGUAGE.get(spoken_language(), "")
    encodings = [(font, "cp1252"), *sorted(EASTERN.items(), key=lambda each: each[0] != first)]
    run, last = "", font
    for name, letter in (_lettered(letter, encodings) for letter in text):
        if name != last and run:
            yield last, run
            run = ""
        run, last = run + letter, name
    if run:
        yield last, run


def _lettered(letter: str, encodings: list[tuple[str, str]]) -> tuple[str, str]:
    """The font of a letter; one that no font has is written without its marks, or as a question mark."""
    letter = INSTEAD.get(letter, letter)
    for name, encoding in encodings:
        if _can_be(letter, encoding):
            return name, letter
    plain = unicodedata.normalize("NFKD", letter)[0]
    font, encoding = encodings[0]
    return font, plain if _can_be(plain, encoding) else "?"


def _can_be(letter: str, encoding: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
