"""The rulebook's rows are what runs: take any irregularity row away and some round goes otherwise."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from thirdcard.game import events as ev
from thirdcard.money import Currency
from thirdcard.roundfile.parse import RoundFile, parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.book import Rulebook, rulebooks
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.irregularity import Refer, circumstances
from thirdcard.rulebook.shelf import DOCUMENTS, find_rulebook, shelf_document, shelf_house

ROUNDS = Path(__file__).parent.parent / "rounds"
ROWS = [(name, index) for name in DOCUMENTS for index in range(len(shelf_document(name).irregularities))]


def currency(game: str) -> Currency:
    found = find_rulebook(game)
    assert isinstance(found, Rulebook)
    return shelf_house(found.document.house).currency


@pytest.fixture(scope="module")
def baseline() -> dict[str, list[tuple[RoundFile, Played]]]:
    """Every round of every document, played under the shipped rulebook."""
    found: dict[str, list[tuple[RoundFile, Played]]] = {name: [] for name in DOCUMENTS}
    for path in sorted(ROUNDS.rglob("*.round")):
        file = parse(path.read_text("utf-8"), currency)
        book = find_rulebook(file.head["game"])
        assert isinstance(book, Rulebook)
        result = play(file, book, shelf_house(book.document.house))
        found[book.document.id].append((file, result))
    return found


def altered(document: Document, index: int) -> list[Document]:
    """The document without the row, and with another effect in it: silence refers too."""
    rows = document.irregularities
    other = replace(rows[index], effects=(Refer(presets=("burn-card",)),))
    changes = ((*rows[:index], *rows[index + 1 :]), (*rows[:index], other, *rows[index + 1 :]))
    return [replace(document, irregularities=changed) for changed in changes]


def situations(played: Played) -> set[str]:
    return {
        event.case.situation.value for event in played.events if isinstance(event, ev.IrregularityReported)
    }


@pytest.mark.parametrize(("name", "index"), ROWS, ids=str)
def test_a_row_altered_makes_a_round_go_otherwise(
    name: str, index: int, baseline: dict[str, list[tuple[RoundFile, Played]]]
) -> None:
    document = shelf_document(name)
    row = document.irregularities[index]
    house = shelf_house(document.house)
    likely = sorted(baseline[name], key=lambda pair: row.situation.value not in situations(pair[1]))
    for changed in altered(document, index):
        books = {book.id: book for book in rulebooks(changed)}
        for file, result in likely:
            if play(file, books[file.head["game"]], house).lines != result.lines:
                return
    pytest.fail(f"no round needs {row.situation.value} when {circumstances(row)}")
