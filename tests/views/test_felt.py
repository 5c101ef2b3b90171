"""The rows of playing areas that a screen draws, by the document or in the order of its rules."""

from msgspec.structs import replace

from thirdcard.rulebook.book import Rulebook, rulebooks
from thirdcard.rulebook.document import Layouts
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.views.felt import felt_rows

HANDS = ("player", "tie", "banker")


def tiger(**rows: tuple[tuple[str, ...], ...]) -> Rulebook:
    """Return Tiger with other rows of playing areas, or with none."""
    found = SHIPPED.rulebook("mbs-tiger-v3")
    layouts = found.document.layouts
    (book,) = rulebooks(replace(found.document, layouts=Layouts(layouts.clauses, layouts.layout, **rows)))
    return book


def test_rows_are_those_of_the_document() -> None:
    found = SHIPPED.rulebook("mbs-tiger-v3")
    felt = felt_rows(found)
    assert felt.wide == (("tiger-pair", "small-tiger", "tiger", "big-tiger", "tiger-tie"), HANDS)
    assert felt.narrow == (("small-tiger", "tiger", "big-tiger"), ("tiger-pair", "tiger-tie"), HANDS)


def test_document_without_rows_has_its_side_wagers_in_order() -> None:
    felt = felt_rows(tiger())
    assert felt.wide == (("tiger", "big-tiger", "small-tiger", "tiger-pair", "tiger-tie"), HANDS)
    assert felt.narrow == (("tiger", "big-tiger", "small-tiger"), ("tiger-pair", "tiger-tie"), HANDS)


def test_wager_in_no_row_is_drawn_all_the_same() -> None:
    felt = felt_rows(tiger(rows=(("tiger", "tie"), ("banker", "player"))))
    assert felt.wide == (
        ("big-tiger", "small-tiger", "tiger-pair", "tiger-tie"),
        ("tiger", "tie"),
        ("banker", "player"),
    )


def test_every_game_shows_every_wager_once() -> None:
    for book in SHIPPED.rulebooks:
        for rows in (felt_rows(book).wide, felt_rows(book).narrow):
            assert sorted(each for row in rows for each in row) == sorted(book.wagers)
