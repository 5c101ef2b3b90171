"""Two documents side by side: what differs, and what only moved its number."""

import pytest

from thirdcard.rulebook.pages.diff import Difference, Topic, diff
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED


def topics(left: str, right: str) -> dict[str, Topic]:
    return {topic.title: topic for topic in diff(SHIPPED.document(left), SHIPPED.document(right))}


def between(left: str, right: str, topic: str) -> tuple[dict[str, Difference], dict[str, Difference]]:
    """The differences and moves in one topic, by what they are about."""
    found = topics(left, right)[topic]
    differs, moved = (
        {" · ".join(each.about): each for each in part} for part in (found.differs, found.moved)
    )
    return differs, moved


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_differs_in_nothing_from_itself(document: str) -> None:
    for topic in diff(SHIPPED.document(document), SHIPPED.document(document)):
        assert (topic.differs, topic.moved) == ((), ())
        assert topic.same > 0


def test_layouts_f_and_g_grew_from_six_positions_to_eight_and_h_came_along() -> None:
    differs, moved = between("mbs-tiger-nc-v4", "mbs-tiger-v3", "Layouts")
    assert {layout: (each.left, each.right) for layout, each in differs.items()} == {
        "F": (("1 to 6",), ("1 to 8",)),
        "G": (("1 to 6",), ("1 to 8",)),
        "H": (None, ("1 to 9 (assumed)",)),
    }
    assert (differs["H"].left_clauses, differs["H"].right_clauses) == ((), ("App.H",))
    assert moved == {}
    assert (
        topics("mbs-tiger-nc-v4", "mbs-tiger-v3")["Layouts"].same == 8
    )  # five layouts, what holds for all, and the rows of areas


def test_the_banker_pays_half_on_six_in_one_and_95_per_cent_in_the_other() -> None:
    differs, _ = between("mbs-tiger-nc-v4", "mbs-tiger-v3", "Wagers")
    assert {about: (each.left, each.right) for about, each in differs.items()} == {
        "Banker · Banker wins, Banker total 6": (("1 to 2",), None),
        "Banker · Banker wins, Banker total 1 or 2 or 3 or 4 or 5 or 7 or 8 or 9": (("1 to 1",), None),
        "Banker · Banker wins": (None, ("0.95 to 1 (1 to 1 less commission)",)),
    }
    assert differs["Banker · Banker wins, Banker total 6"].left_clauses == ("4.1.T2", "3.15")
    assert differs["Banker · Banker wins"].right_clauses == ("4.1.T1", "3.16", "1.1.2")


def test_the_player_row_only_moved_its_number() -> None:
    _, moved = between("mbs-tiger-nc-v4", "mbs-tiger-v3", "Wagers")
    player = moved["Player · Player wins"]
    assert (player.left, player.right) == (("1 to 1",), ("1 to 1",))
    assert (player.left_clauses, player.right_clauses) == (("4.1.T1", "3.15"), ("4.1.T2", "3.16"))


def test_the_table_of_play_is_the_same_in_both_under_other_numbers() -> None:
    differs, moved = between("mbs-tiger-nc-v4", "mbs-tiger-v3", "Table of play")
    assert differs == {}
    assert len(moved) == 20
    assert moved["Banker · 6"].left_clauses == ("3.14.T8", "3.14.T10")
    assert moved["Banker · 6"].right_clauses == ("3.15.T8", "3.15.T10")


def test_a_topic_of_one_document_only_differs_in_all_its_rows() -> None:
    here = topics("hoiana-tiger-2024", "mbs-tiger-v3")["Disputes"]
    there = topics("mbs-tiger-v3", "hoiana-tiger-2024")["Disputes"]
    assert (len(here.differs), here.moved, here.same) == (9, (), 0)
    assert all(each.right is None and each.right_clauses == () for each in here.differs)
    assert all(each.left is None and each.left_clauses == () for each in there.differs)


def test_the_meaning_of_the_table_differential_differs_between_the_houses() -> None:
    differs, _ = between("mbs-tiger-v3", "hoiana-tiger-2024", "Limits")
    differential = differs["Table differential means"]
    assert (differential.left, differential.right) == (("gap",), ("limit",))
