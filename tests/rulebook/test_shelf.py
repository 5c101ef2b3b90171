"""The shelf: six games of five documents, and from which instant each may be played."""

import datetime
import importlib.resources
from pathlib import Path

import pytest
from conftest import Cite

from thirdcard.game.set_up import may_open
from thirdcard.messages import say
from thirdcard.refusals import Refusal
from thirdcard.rulebook.read import read_document
from thirdcard.rulebook.shelf import DOCUMENTS, HOUSES, SHIPPED, UnknownGame

# document, its game, the last second before it is in force, and its first instant
BEGINNINGS = [
    ("mbs-tiger-nc-v4", "tiger-no-commission", "2020-01-22T23:59:59+08:00", "2020-01-23T00:00:00+08:00"),
    ("mbs-tiger-v3", "tiger", "2022-03-08T23:59:59+08:00", "2022-03-09T00:00:00+08:00"),
    (
        "mbs-dragon-tiger-nc-2023",
        "dragon-tiger-no-commission",
        "2023-12-06T23:59:59+08:00",
        "2023-12-07T00:00:00+08:00",
    ),
    ("mbs-super-six-etg-v3", "super-six-etg", "2017-02-16T23:59:59+08:00", "2017-02-17T00:00:00+08:00"),
    ("hoiana-tiger-2024", "hoiana-tiger", "2024-09-30T23:59:59+07:00", "2024-10-01T00:00:00+07:00"),
]
SHELF = tuple(SHIPPED.document(each) for each in DOCUMENTS)


def instant(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text)


@pytest.mark.parametrize(("document", "game", "before", "begins"), BEGINNINGS)
def test_no_table_opens_under_a_document_before_it_is_in_force(
    document: str, game: str, before: str, begins: str, cite: Cite
) -> None:
    refused = may_open(SHIPPED.document(document), instant(before))
    assert refused is not None
    assert refused.reason is Refusal.NOT_YET_IN_FORCE
    assert refused.clauses == ("Front.1",)
    assert say(refused.message) == (
        f"{document} is in force only from {begins}. Choose a later opening time or another rulebook."
    )
    cite(document, refused)


@pytest.mark.parametrize(("document", "game", "before", "begins"), BEGINNINGS)
def test_a_document_is_in_force_from_its_first_instant(
    document: str, game: str, before: str, begins: str
) -> None:
    assert may_open(SHIPPED.document(document), instant(begins)) is None


def test_an_instant_counts_whatever_its_time_zone() -> None:
    midnight_in_singapore = instant("2022-03-08T16:00:00+00:00")
    tiger = SHIPPED.document("mbs-tiger-v3")
    assert may_open(tiger, midnight_in_singapore) is None
    assert may_open(tiger, midnight_in_singapore - datetime.timedelta(seconds=1)) is not None


SIX_GAMES = (
    "mbs-tiger-nc-v4",
    "mbs-tiger-v3",
    "mbs-dragon-tiger-nc-2023",
    "mbs-super-six-etg-v3",
    "hoiana-tiger-2024/commission",
    "hoiana-tiger-2024/non-commission",
)


def test_the_five_documents_are_six_games() -> None:
    assert tuple(book.id for book in SHIPPED.rulebooks) == SIX_GAMES


def test_a_game_is_found_by_its_id() -> None:
    assert SHIPPED.rulebook("hoiana-tiger-2024/commission").id == "hoiana-tiger-2024/commission"


@pytest.mark.parametrize("game", ["hoiana-tiger-2024", "hoiana-tiger-2024/half-commission"])
def test_a_document_with_variants_names_its_games(game: str) -> None:
    with pytest.raises(UnknownGame) as raised:
        SHIPPED.rulebook(game)
    assert raised.value.games == ("hoiana-tiger-2024/commission", "hoiana-tiger-2024/non-commission")


def test_an_unknown_game_gets_the_names_of_all_games() -> None:
    with pytest.raises(
        UnknownGame, match=r"There is no game faro\. Choose one of: mbs-tiger-nc-v4"
    ) as raised:
        SHIPPED.rulebook("faro")
    assert raised.value.games == SIX_GAMES


def test_every_document_names_a_house_that_has_all_its_posts() -> None:
    for document in SHELF:
        assert document.house in HOUSES
        assert set(document.authority.posts) <= set(SHIPPED.house(document.house).form.posts)


def test_a_rulebook_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    shipped = importlib.resources.files("thirdcard").joinpath("rulebooks", "mbs-tiger-v3.toml")
    own = tmp_path / "own.toml"
    own.write_text(shipped.read_text("utf-8").replace('id = "mbs-tiger-v3"', 'id = "own"'), "utf-8")
    document = read_document(own)
    assert document.id == "own"
    assert document.clauses == SHIPPED.document("mbs-tiger-v3").clauses
