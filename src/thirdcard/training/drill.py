"""Reads a drill: a round file with gaps, which somebody in a post has to fill."""

import re

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.messages import message, say
from thirdcard.roundfile.games import texts_by_game
from thirdcard.roundfile.head import RoundFileHead
from thirdcard.roundfile.parse import SHIPPED_RULES, RoundFile, RoundRules, WrittenAct, parse
from thirdcard.roundfile.values import BadLine

TITLE, SECONDS = "title", "seconds"
GAP, TELLING = "? ", "> "
MOST_SECONDS = 3600
_KEY = re.compile(rf"({TITLE}|{SECONDS}) +(\S.*)")


class Step(Struct, frozen=True):
    """One act of a drill; a gap is an act that the post itself has to think of.

    ``tellings`` are told before it, in place of the words that the program has for it.
    """

    act: WrittenAct
    gap: bool
    tellings: tuple[str, ...] = ()


class Drill(Struct, frozen=True, kw_only=True):
    """A drill under one game; ``seconds`` is the time that its gaps may take at the highest level."""

    name: str
    title: str
    file: RoundFile
    steps: tuple[Step, ...]
    ending: tuple[str, ...] = ()
    seconds: int | None = None

    @property
    def game(self) -> str:
        """The game that it is played at."""
        return self.file.settings.game

    @property
    def pack(self) -> str:
        """The folder that it lies in; nothing where it lies in none."""
        return self.name.rpartition("/")[0]

    @property
    def settings(self) -> RoundFileHead:
        """The head of its file, at a table for training whatever that says."""
        return replace(self.file.settings, training=True)


class _Lines(Struct):
    """The lines of a drill apart: what a round file has, and what only a drill has."""

    plain: list[str]
    gaps: set[int]
    tellings: dict[int, str]
    keys: dict[str, tuple[int, str]]


def read_drill(
    name: str, text: str, rules: RoundRules = SHIPPED_RULES, *, title: str | None = None
) -> tuple[Drill, ...]:
    """Return a drill under each game that it names; a line that cannot be read is a bad line.

    ``title`` is that of a drill whose text has none.
    """
    lines = _sorted_lines(text)
    title = lines.keys[TITLE][1] if TITLE in lines.keys else title
    if title is None:
        raise BadLine(None, say(message("train.no-title")))
    seconds = _seconds(*lines.keys[SECONDS]) if SECONDS in lines.keys else None
    plain = "\n".join(lines.plain)
    drills = []
    for own in texts_by_game(plain, rules.shelf).values():
        file = parse(own, rules)
        steps, ending = _steps(file, lines)
        if not any(step.gap for step in steps):
            raise BadLine(None, say(message("train.no-gap")))
        drills.append(Drill(name=name, title=title, file=file, steps=steps, ending=ending, seconds=seconds))
    return tuple(drills)


def _sorted_lines(text: str) -> _Lines:
    """Take out of the lines what no round file has; every line keeps its number."""
    lines = _Lines([], set(), {}, {})
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        key = _KEY.fullmatch(line.rstrip())
        if key is not None:
            if key[1] in lines.keys:
                before = lines.keys[key[1]][0]
                raise BadLine(number, say(message("round.key-twice", key=key[1], line=before)))
            lines.keys[key[1]] = (number, key[2])
            lines.plain.append("")
        elif line.startswith(TELLING):
            lines.tellings[number] = line.removeprefix(TELLING).strip()
            lines.plain.append("")
        elif line.startswith(GAP):
            lines.gaps.add(number)
            lines.plain.append(line.removeprefix(GAP))
        else:
            lines.plain.append(line)
    return lines


def _seconds(number: int, text: str) -> int:
    """Return the seconds that a drill may take."""
    short = text.isdecimal() and len(text) <= len(str(MOST_SECONDS))
    if not short or not 1 <= int(text) <= MOST_SECONDS:
        raise BadLine(number, say(message("train.bad-seconds", text=text, most=MOST_SECONDS)))
    return int(text)


def _steps(file: RoundFile, lines: _Lines) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """Return the steps of a drill, each with what is told before it, and what is told at the end."""
    steps: list[Step] = []
    told = sorted(lines.tellings.items())
    for act, _ in file.acts:
        own = tuple(text for number, text in told if number < act.number)
        told = told[len(own) :]
        steps.append(Step(act, act.number in lines.gaps, own))
    unread = lines.gaps - {act.number for act, _ in file.acts}
    if unread:
        raise BadLine(min(unread), say(message("train.no-act")))
    return tuple(steps), tuple(text for _, text in told)
