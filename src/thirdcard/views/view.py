"""The views of a table: made section by section when something changes, then divided among viewers.

Views are states: whoever sends them may leave some out and send what differs from the last one that was sent.
"""

from collections.abc import Callable
from operator import attrgetter, is_
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from thirdcard.folds.viewers import Viewer
from thirdcard.game.state import Phase, PlacedWager
from thirdcard.rulebook.irregularity import Method
from thirdcard.views import (
    chip_section,
    disputes,
    entries,
    exposure,
    powers,
    public_sections,
    staff_sections,
    takes_and_pays,
)
from thirdcard.views.next_actions import Due, due_at
from thirdcard.views.patron_section import PatronState, belongings_of, own_section, still_own
from thirdcard.views.sections.patron import OwnSection
from thirdcard.views.sections.whole import Section, View
from thirdcard.views.sources import Sources


class ViewInputs(Struct, frozen=True):
    """The inputs of sections: the sources, and what follows from them for the next step.

    While betting is open, when wagers change most, nothing but totals and lists of them depends on them,
    unless they say who may draw, or money is held: ``deciding_wagers`` are none then.
    """

    sources: Sources
    due: Due
    deciding_wagers: tuple[PlacedWager, ...] | None


class MadeSection(Struct, frozen=True):
    """A section, and what it was made of."""

    made_of: tuple[object, ...]
    section: Section


class ShownViews(Struct):
    """Everything that a table shows to somebody, made once for all viewers.

    ``own`` fills as patrons look, and what is for staff is made when the first of them looks. ``made`` has
    every section that was made by then.
    """

    ground: ViewInputs
    made: dict[str, MadeSection]
    public: View
    belongings: PatronState
    own: dict[str, OwnSection]
    behind: View | None = None

    @property
    def staff(self) -> View:
        """The view of staff."""
        if self.behind is None:
            self.behind = replace(self.public, **_sections(STAFF_PARTS, self.ground, self.made))
        return self.behind


class Part(Struct, frozen=True):
    """How a section is made, and of what: while all that is the same, so is the section."""

    build: Callable[[Sources, Due], Section]
    made_of: Callable[[ViewInputs], tuple[object, ...]]


def _made_of(*names: str) -> Callable[[ViewInputs], tuple[object, ...]]:
    """Return a getter of the values under some names; those of the table are named without the way to it."""
    beside = tuple(name for name in names if name.startswith(("due", "sources.", "deciding_wagers")))
    of_table, others = _values(*(name for name in names if name not in beside)), _values(*beside)
    return lambda ground: of_table(ground.sources.table) + others(ground)


def _values(*names: str) -> Callable[[Any], tuple[object, ...]]:
    """Return a getter of the values under no, one or several names."""
    if not names:
        return lambda _: ()
    found = attrgetter(*names)
    return found if len(names) > 1 else lambda owner: (found(owner),)


DUE_OF = attrgetter(
    *("phase", "paused", "round", "open_cases", "shoe", "method", "equipment", "patrons", "free_hands"),
    *("device_holder", "squeeze_forbidden", "squeeze_forbidden_to", "squeeze_requested", "aside", "strays"),
    *("decrease_asked", "confirmation", "setup", "stop", "chips", "told", "reserved", "rounds_stand_by"),
    "drawing_permitted",
)
PUBLIC_PARTS: dict[str, Part] = {
    "setup": Part(
        public_sections.setup_section,
        _made_of("setup", "owners_per_area"),
    ),
    "phase": Part(
        public_sections.phase_section,
        _made_of(
            *("due", "phase", "paused", "pause_reason", "round", "rounds", "open_cases", "method"),
            *("sources.disabled", "sources.stopped"),
        ),
    ),
    "cards": Part(public_sections.cards_section, _made_of("round")),
    "totals": Part(public_sections.totals_section, _made_of("wagers")),
    "outcome": Part(public_sections.outcome_section, _made_of("round")),
    "shoe": Part(public_sections.shoe_section, _made_of("shoe", "last_announced", "free_hands")),
    "scoreboard": Part(
        public_sections.scoreboard_section, _made_of("sources.history.board", "sources.next_marks")
    ),
}
STAFF_PARTS: dict[str, Part] = {
    "rules": Part(powers.rules_section, _made_of("setup")),
    "desk": Part(
        staff_sections.desk_section,
        _made_of(
            *("due", "phase", "shoe", "pause_reason", "round", "open_cases", "equipment", "device_holder"),
            *("patrons", "drawing_permitted", "squeeze_permitted", "squeeze_requested", "squeeze_forbidden"),
            *("squeeze_forbidden_to", "decrease_asked", "decrease_unanswered", "decrease_answered"),
            *("disputes", "free_hands", "aside", "strays", "reserved", "confirmation", "held"),
            *(
                "cases",
                "earlier",
                "method",
                "mistakes",
                "rounds",
                "rounds_stand_by",
                "setup",
                "told",
                "uncalled",
            ),
            *("deciding_wagers", "sources.disabled", "sources.stopped"),
            *("sources.history.now", "sources.history.rounds"),
        ),
    ),
    "running": Part(
        staff_sections.running_section,
        _made_of(
            *("shoe", "stop", "sources.pending", "sources.coming"),
            *("sources.stands_since", "sources.history.rounds"),
        ),
    ),
    "entries": Part(
        entries.entries_section,
        _made_of(
            *("phase", "paused", "round", "open_cases", "shoe", "method", "setup", "patrons", "uncalled"),
            *("device_holder", "drawing_permitted", "decrease_asked", "free_hands", "aside", "strays"),
            *("squeeze_forbidden", "squeeze_forbidden_to", "squeeze_requested", "squeeze_permitted"),
            "deciding_wagers",
        ),
    ),
    "settlement": Part(
        takes_and_pays.settlement_section,
        _made_of(
            *("due", "phase", "round", "setup", "held"),
            *("sources.history.rounds", "sources.history.reversals"),
        ),
    ),
    "wagers": Part(
        staff_sections.wagers_section,
        _made_of("wagers", "round", "phase", "open_cases", "shoe", "setup", "sources.history.rounds"),
    ),
    "exposure": Part(
        exposure.exposure_section,
        _made_of("wagers", "round", "setup"),
    ),
    "chips": Part(
        chip_section.chips_section,
        _made_of("chips", "setup", "sources.slips", "sources.overdue"),
    ),
    "people": Part(staff_sections.people_section, _made_of("staff", "acting", "patrons", "sources.acting")),
    "disputes": Part(
        disputes.disputes_section,
        _made_of("disputes", "patrons", "setup"),
    ),
    "balances": Part(staff_sections.balances_section, _made_of("credits")),
    "alerts": Part(staff_sections.alerts_section, _made_of("sources.alerts")),
}


def show(sources: Sources, before: ShownViews | None = None) -> ShownViews:
    """Return the views of a table by now; what cannot have changed since the last ones is kept as it is."""
    table, last = sources.table, before.ground.sources if before else None
    if last and (last.rulebook is not sources.rulebook or last.house is not sources.house):
        before = None
    listed = table.phase is Phase.BETTING and table.method is not Method.C and not table.held
    ground = ViewInputs(sources, _due(sources, before), None if listed else table.wagers)
    made = dict(before.made) if before else {}
    public = View(**_sections(PUBLIC_PARTS, ground, made))
    earlier = before.belongings if before else None
    belongings = belongings_of(sources, ground.due, earlier)
    own = still_own(before.own, before.belongings, belongings) if before else {}
    return ShownViews(ground, made, public, belongings, own)


def _sections(parts: dict[str, Part], ground: ViewInputs, made: dict[str, MadeSection]) -> dict[str, Any]:
    """Return sections by name; those that were made of the same before are kept as they are."""
    found: dict[str, Section] = {}
    for name, part in parts.items():
        made_of, old = part.made_of(ground), made.get(name)
        if old is not None and all(map(is_, old.made_of, made_of)):
            found[name] = old.section
            continue
        new = part.build(ground.sources, ground.due)
        found[name] = old.section if old is not None and old.section == new else new
        made[name] = MadeSection(made_of, found[name])
    return found


def _due(sources: Sources, before: ShownViews | None) -> Due:
    """The next step; while betting is open it does not depend on the wagers."""
    table, old = sources.table, before.ground.sources.table if before else None
    if before is not None and old is not None and all(map(is_, DUE_OF(old), DUE_OF(table))):
        settled = table.phase not in (Phase.CLOSED, Phase.DEALING) and not table.open_cases
        if settled or old.wagers is table.wagers:
            return before.ground.due
    return due_at(sources.rulebook, sources.house, table)


def view_of(showing: ShownViews, viewer: Viewer) -> View:
    """Return the view of one viewer."""
    if viewer.sees_behind:
        return showing.staff
    if viewer.patron is None:
        return showing.public
    own = showing.own.get(viewer.patron)
    if own is None:
        currency = showing.ground.sources.house.form.currency
        own = showing.own[viewer.patron] = own_section(viewer.patron, showing.belongings, currency)
    return replace(showing.public, own=own)


SECTIONS = View.__struct_fields__
Changes = dict[str, Section | None]
_NULL = msgspec.Raw(b"null")


def changes(before: View | None, after: View) -> Changes:
    """The sections that differ, by name; one that is gone is nothing."""
    old = astuple(before) if before else (None,) * len(SECTIONS)
    compared = zip(SECTIONS, old, astuple(after), strict=True)
    return {name: new for name, old, new in compared if new is not old and new != old}


class SectionEncoder:
    """Encodes changed sections as JSON, a section that many viewers get once."""

    def __init__(self) -> None:
        self._encoder = msgspec.json.Encoder()
        self._encoded: dict[str, tuple[Section, msgspec.Raw]] = {}

    def encode(self, changed: Changes) -> dict[str, msgspec.Raw]:
        """Return the changed sections as JSON by their names, null for one that is gone."""
        written: dict[str, msgspec.Raw] = {}
        for name, section in changed.items():
            known = self._encoded.get(name)
            if section is not None and (known is None or known[0] is not section):
                known = self._encoded[name] = (section, msgspec.Raw(self._encoder.encode(section)))
            written[name] = known[1] if section is not None and known is not None else _NULL
        return written
