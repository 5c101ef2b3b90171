"""Titles, packs and tellings of drills in the language of the reader; a trainer's own stay as written."""

import functools
import re

from msgspec import Struct

from thirdcard.messages import Message, knows, message, say
from thirdcard.training.drill import Drill
from thirdcard.training.packs import shipped_drills
from thirdcard.training.titles import made_title

_NUMBERED = re.compile(r"(?P<title>.*\S) (?P<number>[0-9]+)")


class ShippedWords(Struct, frozen=True):
    """The words of a shipped drill as its file has them: its title, and its tellings in their order."""

    title: str
    tellings: tuple[str, ...]


@functools.cache
def shipped_words() -> dict[str, ShippedWords]:
    """Return the words of each shipped drill by its name."""
    return {each.name: ShippedWords(each.title, tellings_of(each)) for each in shipped_drills()}


def tellings_of(drill: Drill) -> tuple[str, ...]:
    """Return everything that a drill tells in words of its own, in its order."""
    return (*(text for step in drill.steps for text in step.tellings), *drill.ending)


def title_key(title: str) -> str:
    """Return the key of a title: the same for all that differ by a number alone.

    >>> title_key("The next round, please 2")
    'drill-title.the-next-round-please'
    """
    return f"drill-title.{_slug(_apart(title)[0])}"


def telling_key(name: str, place: int) -> str:
    """Return the key of a telling of a shipped drill, the first of which has the place 1."""
    return f"drill-telling.{name.rpartition('/')[2]}-{place}"


def title_of(drill: Drill) -> str:
    """Return the title of a drill in the language of the reader, where it is not the writer's own."""
    return title_in_words(drill.name, drill.title)


def title_in_words(name: str, title: str, pack: str | None = None) -> str:
    """Return a title in the language of the reader: of what the program made, or of a shipped drill.

    A pack that is not named is the folder of the drill.
    """
    made = made_title(name.rpartition("/")[0] if pack is None else pack, name)
    if made is not None:
        return say(made)
    shipped = shipped_words().get(name)
    if shipped is None or shipped.title != title:
        return title
    said, number = say(message(title_key(title))), _apart(title)[1]
    return f"{said} {number}" if number else said


def pack_in_words(pack: str) -> str:
    """Return the name of a pack in the language of the reader; a trainer's own as its folder is called."""
    key = f"drill-pack.{pack}"
    return say(message(key)) if knows(key) else pack


def telling_message(name: str, text: str) -> Message | None:
    """Return the message of a telling of a shipped drill; nothing where these are the words of a trainer."""
    shipped = shipped_words().get(name)
    if shipped is None or text not in shipped.tellings:
        return None
    return message(telling_key(name, shipped.tellings.index(text) + 1))


def _apart(title: str) -> tuple[str, str]:
    """A title without its number, and the number."""
    found = _NUMBERED.fullmatch(title)
    return (found["title"], found["number"]) if found else (title, "")


def _slug(title: str) -> str:
    return re.sub("[^a-z0-9]+", "-", title.lower()).strip("-")
