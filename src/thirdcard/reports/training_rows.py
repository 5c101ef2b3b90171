"""The rows of a record of training, as a terminal, a spreadsheet, a program and paper show them."""

import csv
import io
from collections.abc import Callable

from msgspec import Struct

from thirdcard.dossier.sheets import Cell, CellKind, Sheet, SheetColumn, safe_text, write_workbook
from thirdcard.messages import message, say
from thirdcard.rulebook.words import post_name
from thirdcard.training.exercise import SkillResult
from thirdcard.training.results import PackProgress, TrainingResult, aspect_in_words, progress
from thirdcard.training.shipped_words import pack_in_words


class ResultColumn(Struct, frozen=True):
    """A column about a result: its name for programs, its heading, its text, and its share of a page."""

    name: str
    title: str
    text: Callable[[TrainingResult], str]
    share: float


def _title(result: TrainingResult) -> str:
    """Return the title of a drill, with the trainer who let things go wrong."""
    return " · ".join(filter(None, (result.title_in_words, result.trainer)))


RESULT_COLUMNS = (
    ResultColumn("time", "train-record.when", lambda it: f"{it.time:%Y-%m-%d %H:%M}", 0.13),
    ResultColumn("drill", "train-record.drill", _title, 0.2),
    ResultColumn("game", "train-record.game", lambda it: it.game, 0.2),
    ResultColumn("post", "train-record.post", lambda it: post_name(it.post), 0.12),
    ResultColumn("level", "train-record.level", lambda it: str(it.level), 0.06),
    ResultColumn("points", "train-record.points", lambda it: f"{it.points}/{it.most}", 0.07),
    ResultColumn("seconds", "train-record.seconds", lambda it: f"{it.seconds:.0f}", 0.08),
    ResultColumn("wrong", "train-record.wrong", lambda it: ", ".join(map(aspect_in_words, it.wrong)), 0.14),
)


# the headings of the progress in a pack; the last one is of a picture
PACK_HEADINGS = (
    "train-record.pack",
    "train-record.times",
    "train-record.passed",
    "train-record.points",
    "train-record.time",
    "train-record.over-time",
)


def cells_of(result: TrainingResult) -> tuple[str, ...]:
    """Return a result as texts, one for each column."""
    return tuple(column.text(result) for column in RESULT_COLUMNS)


def pack_cells(each: PackProgress) -> tuple[str, ...]:
    """Return the progress in a pack as texts."""
    minutes, seconds = divmod(round(each.seconds), 60)
    mean = sum(each.shares) / each.times
    return (
        pack_in_words(each.pack),
        str(each.times),
        f"{each.passed}",
        f"{mean:.0%}",
        f"{minutes}:{seconds:02}",
    )


def training_csv(results: tuple[TrainingResult, ...]) -> bytes:
    """Return results as CSV, with plain values for programs; the title alone is for people."""
    written = io.StringIO()
    fields = TrainingResult.__struct_fields__
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(fields)
    for each in results:
        values = {name: getattr(each, name) for name in fields}
        values |= {"time": each.time.isoformat(), "wrong": " ".join(each.wrong)}
        values["title"] = each.title_in_words
        values["skills"] = " ".join(map(_skill_cell, each.skills))
        rows.writerow(safe_text(str(value)) for value in values.values())
    return written.getvalue().encode()


def _skill_cell(each: SkillResult) -> str:
    """A skill in one word: ``entry=5/6/31.5/29`` is right of asked, seconds, and cards that were entered."""
    return f"{each.skill}={each.right}/{each.asked}/{each.seconds}/{each.cards}"


def training_workbook(person: str, results: tuple[TrainingResult, ...]) -> bytes:
    """Return the record of a person as the bytes of a workbook."""
    written = io.BytesIO()
    title = say(message("train-record.title", person=person))
    head = ((title, ""), (say(message("train-record.no-record-of-play")), ""))
    columns = tuple(
        SheetColumn(column.name, say(message(column.title)), width=round(10 + 60 * column.share))
        for column in RESULT_COLUMNS
    )
    packs: tuple[SheetColumn, ...] = (
        SheetColumn("pack", say(message("train-record.pack")), width=24),
        SheetColumn("times", say(message("train-record.times")), CellKind.WHOLE),
        SheetColumn("passed", say(message("train-record.passed")), CellKind.WHOLE),
        SheetColumn("rate", say(message("train-record.points")), CellKind.SHARE),
    )
    rows: list[tuple[Cell, ...]] = [
        (pack_in_words(each.pack), each.times, each.passed, sum(each.shares) / each.times)
        for each in progress(results)
    ]
    name = say(message("train-record.packs"))
    all_name = say(message("train-record.drills"))
    sheets = (
        Sheet(name=name, head=head, columns=packs, rows=rows),
        Sheet(name=all_name, head=head, columns=columns, rows=[cells_of(each) for each in results]),
    )
    write_workbook(written, title, sheets)
    return written.getvalue()
