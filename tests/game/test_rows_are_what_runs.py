"""The rulebook's rows are what runs: take any irregularity row away and some round goes otherwise."""

import pytest
from golden import NAMES, Golden, golden
from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.book import rulebooks
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import Irregularity, Preset, Refer, circumstances
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED

ROWS = [(name, index) for name in DOCUMENTS for index in range(len(SHIPPED.document(name).irregularities))]


@pytest.fixture(scope="module")
def baseline() -> dict[str, list[Golden]]:
    """Every round of every document, played under the shipped rulebook."""
    found: dict[str, list[Golden]] = {name: [] for name in DOCUMENTS}
    for told in map(golden, NAMES):
        found[told.rulebook.document.id].append(told)
    return found


def altered(document: Document, index: int) -> list[Document]:
    """The document without the row, and with another effect in it: silence refers too."""
    rows = document.irregularities
    other = replace(rows[index], effects=(Refer(presets=(Preset.BURN_CARD,)),))
    changes = ((*rows[:index], *rows[index + 1 :]), (*rows[:index], other, *rows[index + 1 :]))
    return [replace(document, irregularities=changed) for changed in changes]


def situations(played: Played) -> set[str]:
    return {
        event.case.situation.value for event in played.events if isinstance(event, ev.IrregularityReported)
    }


def goes_otherwise(before: Played, after: Played, row: Irregularity) -> bool:
    """A row that only refers says what is put before the post first, which stands in the case."""
    refers = all(isinstance(effect, Refer) for effect in row.effects)
    return before.events != after.events if refers else before.lines != after.lines


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "index"), ROWS, ids=str)
def test_a_row_altered_makes_a_round_go_otherwise(
    name: str, index: int, baseline: dict[str, list[Golden]]
) -> None:
    document = SHIPPED.document(name)
    row = document.irregularities[index]
    house = SHIPPED.house(document.house)
    likely = sorted(baseline[name], key=lambda told: row.situation.value not in situations(told.played))
    for changed in altered(document, index):
        books = {book.id: book for book in rulebooks(changed)}
        for told in likely:
            if goes_otherwise(told.played, play(told.file, books[told.rulebook.id], house), row):
                return
    pytest.fail(f"no round needs {row.situation.value} when {circumstances(row)}")
