"""A section is kept while the fields in its list stay the same; it reads no others."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from golden import NAMES, golden
from lengths import sized
from msgspec import Struct
from views.watching import Watch, watch_all

from thirdcard.folds.history import History
from thirdcard.game import events as ev
from thirdcard.game.state import Table
from thirdcard.rulebook.irregularity import Method
from thirdcard.views.next_actions import due_at
from thirdcard.views.patron_section import PROMPTED_BY, prompts_of
from thirdcard.views.sources import Sources
from thirdcard.views.view import DUE_OF, PUBLIC_PARTS, STAFF_PARTS, ViewInputs

ROUNDS = sized(NAMES[::12], NAMES)
READ: set[str] = set()

pytestmark = pytest.mark.sweep


class _ReadTable(Table, frozen=True):
    """A table that notes which of its fields are read."""

    def __getattribute__(self, name: str) -> Any:
        _note(Table, "", name)
        return super().__getattribute__(name)


class _ReadHistory(History, frozen=True):
    """A history that notes which of its fields are read."""

    def __getattribute__(self, name: str) -> Any:
        _note(History, "sources.history.", name)
        return super().__getattribute__(name)


class _ReadSources(Sources, frozen=True, kw_only=True):
    """Sources that note which of their fields are read."""

    def __getattribute__(self, name: str) -> Any:
        if name not in ("table", "history", "rulebook", "house"):  # under other rules nothing is kept
            _note(Sources, "sources.", name)
        return super().__getattribute__(name)


def _note(kind: type[Struct], prefix: str, name: str) -> None:
    if name in kind.__struct_fields__:
        READ.add(prefix + name)


class PartsWatch(Watch):
    """Builds every section after every event, and looks at what it reads."""

    def _show(self, event: ev.Event, table: Table) -> None:
        shown = self.sources(table)
        traced, history = _ReadTable(*values(table)), _ReadHistory(*values(self.history))
        sources = _ReadSources(**named(shown) | {"table": traced, "history": history})
        due = due_at(self.rulebook, self.house, table)
        compared = reads(lambda: DUE_OF(traced)) | {"wagers"}
        assert reads(lambda: due_at(self.rulebook, self.house, traced)) <= compared
        compared = reads(lambda: PROMPTED_BY(traced)) | ({"wagers"} if table.method is Method.C else set())
        assert reads(lambda: prompts_of(traced, due)) <= compared
        deciding: Any = object()  # builders read the wagers of the table; this stands for them in lists
        ground = ViewInputs(sources, due, deciding)
        for name, part in (PUBLIC_PARTS | STAFF_PARTS).items():
            compared = reads(partial(part.made_of, ground))
            if any(each is deciding for each in part.made_of(ground)):
                compared.add("wagers")
            missing = reads(partial(part.build, sources, due)) - compared
            assert not missing, f"{name} reads {sorted(missing)} after {type(event).__name__}"


def reads(act: Callable[[], object]) -> set[str]:
    READ.clear()
    act()
    return set(READ)


def values(struct: Struct) -> tuple[Any, ...]:
    return tuple(getattr(struct, name) for name in struct.__struct_fields__)


def named(struct: Struct) -> dict[str, Any]:
    return dict(zip(struct.__struct_fields__, values(struct), strict=True))


@pytest.mark.parametrize("name", ROUNDS)
def test_a_section_reads_no_field_that_is_not_in_its_list(name: str) -> None:
    told = golden(name)
    watch_all(told.rulebook, told.house, told.played.events, PartsWatch)
