"""``thirdcard docs``: the pages of the documentation that sentences name, from the package itself."""

import importlib.resources
from importlib.resources.abc import Traversable
from pathlib import Path

from thirdcard.cli.arguments import Flag
from thirdcard.cli.output import BadInput, print_json, print_table
from thirdcard.messages import say
from thirdcard.rulebook.words import text
from thirdcard.spelling import no_such

INDEX = "README"


def docs(page: str | None = None, *, json: Flag = False) -> None:
    """Print a page of the documentation, such as docs/floor.md; without one list the pages.

    Parameters
    ----------
    page
        The page as sentences name it, docs/floor.md, or its name alone, floor.
    json
        Print JSON.
    """
    pages = _pages()
    if page is None:
        _list(pages, json=json)
        return
    name = page.removeprefix("docs/").removesuffix(".md")
    if name not in pages:
        raise BadInput(say(no_such("docs.no-page", "docs.page-near", name, pages, page=page)))
    content = pages[name].read_text("utf-8")
    if json:
        print_json({"page": f"docs/{name}.md", "content": content})
    else:
        print(content, end="")


def _pages() -> dict[str, Traversable]:
    """The pages by name: those of an installed package, or of the checkout that it is run from."""
    inside = importlib.resources.files("thirdcard").joinpath("docs")
    folder = inside if inside.is_dir() else Path(__file__).parents[3] / "docs"
    found = folder.iterdir() if folder.is_dir() else ()
    pages = {each.name.removesuffix(".md"): each for each in found if each.name.endswith(".md")}
    return dict(sorted(pages.items()))


def _list(pages: dict[str, Traversable], *, json: bool) -> None:
    titles = {name: each.read_text("utf-8").partition("\n")[0].lstrip("# ") for name, each in pages.items()}
    if json:
        print_json([{"page": f"docs/{name}.md", "title": title} for name, title in titles.items()])
        return
    rows = [(name, title) for name, title in titles.items() if name != INDEX]
    print_table(None, (text("docs.page"), text("docs.title")), rows)
