"""From Python: the page and the notebook are run, and what they show is compared.

The cells of the notebook are run here as plain Python, one after the other in one namespace, and the value of
the last expression is shown as a notebook shows it. A notebook client would bring a kernel process and a
dozen packages to do the same.
"""

import ast
import contextlib
import doctest
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from docs.pages import ROOT, Block, blocks
from limits import LONG_ENOUGH

import thirdcard as tc

PAGE = ROOT / "docs" / "python.md"
NOTEBOOK = ROOT / "examples" / "baccarat.ipynb"
MOST_LINES = 3
FLAGS = doctest.ELLIPSIS


@pytest.mark.parametrize("block", blocks(PAGE, "pycon"), ids=lambda block: f"line {block.line}")
def test_a_task_of_the_page_takes_three_lines_after_the_import(block: Block) -> None:
    """Each block knows the import alone."""
    session = doctest.DocTestParser().get_doctest(block.text, {"tc": tc}, PAGE.name, str(PAGE), block.line)
    assert len(session.examples) <= MOST_LINES
    told = io.StringIO()
    found = doctest.DocTestRunner(optionflags=FLAGS).run(session, out=told.write)
    assert found.failed == 0, told.getvalue()


def test_the_page_shows_every_name_of_the_import() -> None:
    page = PAGE.read_text("utf-8")
    tasks = ("settle", "odds", "edges", "simulate", "count", "play", "edges_by_decks", "removals")
    for name in ("tc.game(", "tc.games(", "tc.roads(", "tc.BadInput", *(f"{task}(" for task in tasks)):
        assert name in page


def test_the_import_alone_loads_nothing_else() -> None:
    code = (
        "import sys; before = set(sys.modules); import thirdcard; new = set(sys.modules) - before;"
        "print([name for name in new if name.partition('.')[0] not in sys.stdlib_module_names])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LONG_ENOUGH
    )
    assert done.stdout.strip() == "['thirdcard']"


def test_a_command_about_odds_loads_no_table() -> None:
    """Starting would take three times as long."""
    code = (
        "import sys; from thirdcard.cli import run; run(['odds', 'mbs-tiger-v3', '--json']);"
        "print([name for name in sys.modules if name.startswith(('thirdcard.game', 'thirdcard.roundfile'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LONG_ENOUGH
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_cells_of_the_notebook_show_what_they_showed(request: pytest.FixtureRequest) -> None:
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    written = [cell["outputs"] for cell in cells]
    known: dict[str, Any] = {}
    for number, cell in enumerate(cells, start=1):
        cell["outputs"] = _shown("".join(cell["source"]), known, number)
        cell["execution_count"] = number
    if request.config.getoption("--update"):
        NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
        return
    assert [cell["outputs"] for cell in cells] == written
    assert all(written)


def _shown(source: str, known: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell; the outputs of a notebook with the value of its last expression."""
    tree = ast.parse(source)
    assert isinstance(tree.body[-1], ast.Expr)
    last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(tree, str(NOTEBOOK), "exec"), known)
        value = eval(compile(last, str(NOTEBOOK), "eval"), known)
    as_html = getattr(value, "_repr_html_", None)
    data = {"text/html": as_html().splitlines(keepends=True)} if as_html else {}
    text = type(value).__name__ if as_html else repr(value)
    data["text/plain"] = [text]
    return [{"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}]


def test_the_notebook_is_an_example_that_is_shipped() -> None:
    assert Path(NOTEBOOK).is_file()
    assert "examples" in (ROOT / "pyproject.toml").read_text("utf-8")
