"""The sources of a table: its floor and the shelf, and when they are asked."""

from types import SimpleNamespace
from typing import cast

from floor.test_table_rules import NOW, raised, tiger
from msgspec.structs import replace

from thirdcard.access.directory import Directory
from thirdcard.floor.state import Floor, TableDefinition
from thirdcard.folds.history import History
from thirdcard.folds.meters import Meters
from thirdcard.folds.snapshot import TableSnapshot, Timestamps
from thirdcard.game.planned import change_of
from thirdcard.game.state import Table
from thirdcard.rulebook.shelf import SHIPPED, Shelf
from thirdcard.server.sources import sources_of
from thirdcard.streams.service import FloorStream
from thirdcard.streams.tables import Books
from thirdcard.views.sources import Sources

GAME = "mbs-tiger-v3"
NO_RULES = ("", "")


def books(game: str = GAME) -> Books:
    rulebook = SHIPPED.rulebook(game)
    return Books(rulebook, SHIPPED.house_of(rulebook), NO_RULES)


def sources(
    table: Table,
    definition: TableDefinition | None,
    shelf: Shelf = SHIPPED,
    before: Sources | None = None,
    by: Books | None = None,
) -> Sources:
    whole = TableSnapshot(table, History(), Meters(), (), Timestamps(0, 0), NO_RULES)
    by = by or books()
    tables = () if definition is None else (definition,)
    directory = Directory(cast("FloorStream", SimpleNamespace(state=Floor(tables=tables))))
    return sources_of(shelf, whole, by, directory, NOW, stopped=None, before=before)


def test_only_another_definition_or_a_planned_change_is_pending() -> None:
    table = tiger()
    assert sources(table, None).pending is None
    assert sources(table, TableDefinition(setup=table.setup)).pending is None
    other = TableDefinition(setup=raised(table.setup))
    assert sources(table, other).pending is not None
    planned = replace(table, change=change_of(other.setup))
    assert sources(planned, TableDefinition(setup=table.setup)).pending is not None


def test_the_next_version_is_looked_for_again_when_a_table_gets_another_rulebook() -> None:
    table, document = tiger(), SHIPPED.document(GAME)
    shelf = Shelf([replace(document, id="own"), replace(document, id="own", in_force=NOW)])
    first, later = (shelf.rulebooks_of("own", at)[0] for at in (document.in_force, NOW))
    house = SHIPPED.house_of(first)
    shown = sources(table, None, shelf, by=Books(first, house, NO_RULES))
    assert shown.coming is not None
    assert sources(table, None, shelf, shown, by=Books(first, house, NO_RULES)).coming is shown.coming
    assert sources(table, None, shelf, shown, by=Books(later, house, NO_RULES)).coming is None
