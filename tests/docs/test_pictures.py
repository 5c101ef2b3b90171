"""Pictures and pages: whatever a page shows is there, and no picture lies around that no page shows."""

from pathlib import Path

import pytest
from docs.pages import ROOT, links

PICTURES = ROOT / "docs" / "pictures"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
MOST_BYTES = 4_000_000  # of all pictures together, so that a clone stays quick


def pictures(page: Path) -> list[Path]:
    """The pictures that a page shows."""
    return [(page.parent / link).resolve() for link in links(page) if link.endswith((".png", ".svg"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_that_a_page_shows_is_there(page: Path) -> None:
    assert [each.name for each in pictures(page) if not each.is_file()] == []


def test_every_picture_is_shown_by_a_page() -> None:
    shown = {each for page in PAGES for each in pictures(page)}
    assert {each.name for each in PICTURES.iterdir() if each not in shown} == set()


def test_the_readme_begins_with_a_picture() -> None:
    assert pictures(PAGES[0])[0].is_relative_to(PICTURES)
    lines = [line for line in PAGES[0].read_text("utf-8").splitlines() if line]
    assert lines[1].startswith("![")


def test_all_pictures_together_are_small() -> None:
    assert sum(each.stat().st_size for each in PICTURES.iterdir()) < MOST_BYTES
