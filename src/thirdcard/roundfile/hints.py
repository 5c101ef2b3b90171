"""Hints at the wager that a text with spaces was perhaps meant to name."""

import re
from collections.abc import Iterable, Iterator


def with_hyphens(text: str, names: Iterable[str]) -> Iterator[str]:
    """Yield a text with the hyphens of a name, for each name that it has with spaces instead."""
    for name in names:
        spoken = re.compile(rf"\b{re.escape(name.replace('-', ' '))}\b", re.IGNORECASE)
        if "-" in name and spoken.search(text):
            yield spoken.sub(name, text)
