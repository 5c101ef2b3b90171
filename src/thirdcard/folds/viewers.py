"""The viewers of a table: whatever leaves the server is made for one of these."""

import enum

from msgspec import Struct


class ViewerKind(enum.Enum):
    """A display with nobody signed in, a patron, staff at the table, and those who only watch."""

    DISPLAY = "display"
    PATRON = "patron"
    STAFF = "staff"
    AUDITOR = "auditor"


class Viewer(Struct, frozen=True):
    """A viewer of a table; only a patron has a name, since only a patron sees what is their own."""

    kind: ViewerKind
    patron: str | None = None

    @property
    def sees_behind(self) -> bool:
        """Whether the viewer sees what everybody has at the table, and who does what."""
        return self.kind in (ViewerKind.STAFF, ViewerKind.AUDITOR)


DISPLAY = Viewer(ViewerKind.DISPLAY)
STAFF_VIEWER = Viewer(ViewerKind.STAFF)
AUDITOR = Viewer(ViewerKind.AUDITOR)


def patron_viewer(name: str) -> Viewer:
    """A patron by name."""
    return Viewer(ViewerKind.PATRON, name)
