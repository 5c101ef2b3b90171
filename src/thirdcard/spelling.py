"""Names that look the same, and the word that a misspelt one was perhaps meant to be."""

import difflib
import unicodedata
from collections.abc import Iterable

from thirdcard.messages import Message, message

LIKELY, NEARLY_SURE = 0.6, 0.82  # how alike two words must be, from 0 to 1


def folded(name: str) -> str:
    """A name as names are compared: capitals, widths, spaces and composed characters make no difference."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def nearest(word: str, choices: Iterable[str], alike: float = LIKELY) -> str | None:
    """Return the choice that is most like a word, capitals or not; nothing where none is alike enough."""
    by_small = {choice.casefold(): choice for choice in choices}
    found = difflib.get_close_matches(word.casefold(), by_small, 1, alike)
    return by_small[found[0]] if found else None


def no_such(key: str, near_key: str, word: str, choices: Iterable[str], /, **params: str | int) -> Message:
    """Say by ``key`` that a word is no choice, or by ``near_key`` which one was perhaps meant."""
    near = nearest(word, choices)
    return message(key, **params) if near is None else message(near_key, near=near, **params)
