"""Names that look the same, texts as they are shown, and the word that a misspelt one was meant to be."""

import difflib
import re
import unicodedata
from collections.abc import Iterable

from thirdcard.messages import Message, message

LIKELY, NEARLY_SURE = 0.6, 0.82  # how alike two words must be, from 0 to 1

# characters that are shown as nothing
SHOWN_AS_NOTHING = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_JOINS = re.compile("[\u200c\u200d\ufe00-\ufe0f]")  # in words of some scripts, and in pictures of signs
# letters and marks of one script that look like those of another one, by the one they look like
_ALIKE = {
    "a": "аαɑ", "c": "с", "d": "ԁ", "e": "е", "g": "ɡ", "h": "һ", "i": "іιı", "j": "ј", "k": "кκ",
    "l": "ӏ", "m": "м", "n": "η", "o": "оο", "p": "рρ", "q": "ԛ", "s": "ѕ", "t": "т", "u": "υ",
    "v": "ѵν", "w": "ԝ", "x": "хχ", "y": "уγ", "A": "АΑ", "B": "ВΒ", "C": "С", "E": "ЕΕ", "H": "НΗ",
    "I": "ІΙӀ", "J": "Ј", "K": "КΚ", "M": "МΜ", "N": "Ν", "O": "ОΟ", "P": "РΡ", "S": "Ѕ", "T": "ТΤ",
    "X": "ХΧ", "Y": "УΥ", "Z": "Ζ", "-": "‐‑‒–—−", "'": "’‘ʼ′`´", "一": "ー", "口": "ロ",
    "力": "カ", "夕": "タ", "二": "ニ", "八": "ハ", "工": "エ", "卜": "ト",
}  # fmt: skip
_LOOKS = str.maketrans({each: look for look, letters in _ALIKE.items() for each in letters})
_STROKES = str.maketrans("I1|0", "lllO")


def folded(name: str) -> str:
    """A name as names are compared: capitals, widths, spaces and composed characters make no difference."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def look_the_same(one: str, other: str) -> bool:
    """Whether somebody who reads two names may take one for the other."""
    return any(mine == theirs for mine, theirs in zip(_looks(one), _looks(other), strict=True))


def _looks(name: str) -> tuple[str, str]:
    """How a name looks: whatever its capitals are, and with them, where I, l and 1 are one stroke."""
    shown = SHOWN_AS_NOTHING.sub("", unicodedata.normalize("NFKC", name)).translate(_LOOKS)
    shown = " ".join(shown.split())
    return shown.casefold(), shown.translate(_STROKES)


def visible(text: str) -> str:
    """A text as a terminal shows it: what would steer it, or is not seen, is written out."""
    if text.isprintable():
        return text
    shown = (each if each != "\r" and is_plain(each) else f"\\u{ord(each):04x}" for each in text)
    return "".join(shown)


def is_plain(character: str) -> bool:
    """Whether a character is seen, joins others or parts words and lines; one that turns a line is not."""
    if character in "\n\r\t" or _JOINS.match(character):
        return True
    seen = character.isprintable() or unicodedata.category(character) == "Zs"
    return seen and not SHOWN_AS_NOTHING.match(character)


def nearest(word: str, choices: Iterable[str], alike: float = LIKELY) -> str | None:
    """Return the choice that is most like a word, capitals or not; nothing where none is alike enough."""
    by_small = {choice.casefold(): choice for choice in choices}
    found = difflib.get_close_matches(word.casefold(), by_small, 1, alike)
    return by_small[found[0]] if found else None


def no_such(key: str, near_key: str, word: str, choices: Iterable[str], /, **params: str | int) -> Message:
    """Say by ``key`` that a word is no choice, or by ``near_key`` which one was perhaps meant."""
    near = nearest(word, choices)
    return message(key, **params) if near is None else message(near_key, near=near, **params)
