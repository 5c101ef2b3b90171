"""From form 13 to form 14: rows of rulebooks may ask for the winning margin and for naturals."""

from typing import Any


def rulebook(document: dict[str, Any]) -> None:
    """Bring a rulebook up to date: no row asked for the margin or for a natural."""
    document["format"] = 5
