"""The tags of commands, events and effects, derived from the names of their classes."""

import re

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def tag_of(name: str) -> str:
    """Return the tag of a class: ``PlaceWager`` is ``place-wager``."""
    return _CAPITAL.sub("-", name).lower()
