"""The pages about odds and about several machines: what they show in Python is run."""

import pytest
from docs.pages import ROOT, blocks


@pytest.mark.parametrize("page", ["odds.md", "scale.md"])
def test_what_a_page_shows_in_python_holds(page: str) -> None:
    found = blocks(ROOT / "docs" / page, "python")
    assert found
    for block in found:
        exec(compile(block.text, f"{page}, line {block.line}", "exec"), {})
