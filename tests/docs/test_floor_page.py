"""docs/floor.md shows the whole example, and lists every key with what holds without it."""

from docs.pages import ROOT, blocks, tables

from thirdcard.clockwork.floor_file import TableForm
from thirdcard.floor.state import Timers

PAGE = ROOT / "docs" / "floor.md"
EXAMPLE = ROOT / "examples" / "floor.toml"
TABLES = tables(PAGE)


def test_the_page_goes_through_the_example_line_by_line() -> None:
    shown = "\n".join(block.text for block in blocks(PAGE, "toml"))
    assert shown == EXAMPLE.read_text("utf-8")


def test_every_key_is_listed_in_order() -> None:
    keys = [row[0].strip("`") for row in TABLES["Every key of a table"]]
    assert tuple(keys) == TableForm.__struct_fields__
    timers = {row[0].strip("`"): float(row[2].strip("`")) for row in TABLES["Timers"]}
    assert timers == {name: getattr(Timers(), name) for name in Timers.__struct_fields__}
