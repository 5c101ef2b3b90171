"""Hints at the word that a misspelt one was perhaps meant to be."""

import difflib
import re
from collections.abc import Iterable, Iterator

LIKELY, NEARLY_SURE = 0.6, 0.82  # how alike two words must be, from 0 to 1


def with_hyphens(text: str, names: Iterable[str]) -> Iterator[str]:
    """Yield a text with the hyphens of a name, for each name that it has with spaces instead."""
    for name in names:
        spoken = re.compile(rf"\b{re.escape(name.replace('-', ' '))}\b", re.IGNORECASE)
        if "-" in name and spoken.search(text):
            yield spoken.sub(name, text)


def nearest(word: str, choices: Iterable[str], alike: float = LIKELY) -> str | None:
    """Return the choice that is most like a word, capitals or not; nothing where none is alike enough."""
    by_small = {choice.casefold(): choice for choice in choices}
    found = difflib.get_close_matches(word.casefold(), by_small, 1, alike)
    return by_small[found[0]] if found else None
