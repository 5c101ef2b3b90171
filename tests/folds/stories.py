"""Tables told in the lines of round files, with all their projections."""

import functools

from msgspec import Struct
from views.watching import Watch, watch_all

from thirdcard.folds.viewers import DISPLAY, STAFF_VIEWER, Viewer, patron_viewer
from thirdcard.game.state import Table
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.views.sections.patron import OwnSection
from thirdcard.views.sections.whole import View
from thirdcard.views.view import ShownViews, show, view_of

TIGER, HOIANA, SUPER_SIX = "mbs-tiger-v3", "hoiana-tiger-2024/commission", "mbs-super-six-etg-v3"


class Story(Struct, frozen=True):
    """A table after some lines, under watch."""

    watch: Watch
    table: Table

    @property
    def showing(self) -> ShownViews:
        """The view of the table."""
        return show(self.watch.sources(self.table))

    def seen_by(self, viewer: Viewer) -> View:
        """The view of a viewer."""
        return view_of(self.showing, viewer)

    @property
    def public(self) -> View:
        """The view of a display."""
        return self.seen_by(DISPLAY)

    @property
    def staff(self) -> View:
        """The view of staff."""
        return self.seen_by(STAFF_VIEWER)

    def own(self, patron: str) -> OwnSection:
        """The section of a patron."""
        section = self.seen_by(patron_viewer(patron)).own
        assert section is not None
        return section


@functools.cache  # many tests begin alike
def tell(lines: str, game: str = TIGER) -> Story:
    """Play some lines at a table of a game; nothing of it may be refused."""
    rulebook = SHIPPED.rulebook(game)
    house = SHIPPED.house(rulebook.document.house)
    played = play(parse(f"game {game}\n{lines}", RoundRules(house=house)), rulebook, house)
    assert not played.refusals, played.refusals
    return Story(*watch_all(rulebook, house, played.events))


def numbers_of(story: Story, kind: type) -> list[int]:
    """Where events of a kind stand among all."""
    return [number for number, event in enumerate(story.watch.events, start=1) if isinstance(event, kind)]
