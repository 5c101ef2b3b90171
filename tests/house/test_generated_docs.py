"""Pages that are generated are compared with what the program would write today."""

from pathlib import Path

import pytest

from generated_pages import pages

DOCS = Path(__file__).parent.parent.parent / "docs"


PAGES = pages()


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_a_generated_page_is_up_to_date(path: Path, request: pytest.FixtureRequest) -> None:
    text, page = PAGES[path], DOCS / path
    if request.config.getoption("--update"):
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, "utf-8")
    assert page.read_text("utf-8") == text, "run scripts/test --update"
