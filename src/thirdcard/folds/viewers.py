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
    """A viewer of a table; only a patron has a name, since only a patron sees what is their own.

    Staff and auditors see behind: what everybody has at the table, and who does what.
    """

    kind: ViewerKind
    patron: str | None = None
    sees_behind: bool = False


DISPLAY = Viewer(ViewerKind.DISPLAY)
STAFF_VIEWER = Viewer(ViewerKind.STAFF, sees_behind=True)
AUDITOR = Viewer(ViewerKind.AUDITOR, sees_behind=True)


def patron_viewer(name: str) -> Viewer:
    """A patron by name."""
    return Viewer(ViewerKind.PATRON, name)
