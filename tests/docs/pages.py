"""Markdown pages as tests read them: fenced blocks, console sessions, and tables under their headings."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from limits import LONG_ENOUGH

from thirdcard import cli

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Block:
    """A fenced block: its text, the line of its opening fence, and the HTML comment right above it."""

    language: str
    text: str
    line: int
    note: str = ""


@dataclass(frozen=True)
class Command:
    """A command of a console block with the output and the exit status that the page shows."""

    line: int
    text: str
    output: str
    status: int


@dataclass(frozen=True)
class Answer:
    """The result of a command that was run."""

    output: str
    status: int


Table = list[list[str]]


def blocks(path: Path, language: str) -> list[Block]:
    """The fenced blocks of one language, in order."""
    return [block for block in all_blocks(path) if block.language == language]


def all_blocks(path: Path) -> list[Block]:
    """Every fenced block of a page, in order."""
    found: list[Block] = []
    lines = path.read_text("utf-8").splitlines()
    opened = None
    for number, line in enumerate(lines, start=1):
        if not line.startswith("```"):
            continue
        if opened is None:
            opened = number
            continue
        comment = _COMMENT.fullmatch(lines[opened - 2]) if opened > 1 else None
        text = "".join(f"{each}\n" for each in lines[opened : number - 1])
        language = lines[opened - 1].removeprefix("```").strip()
        found.append(Block(language, text, opened, comment.group(1) if comment else ""))
        opened = None
    assert opened is None, f"{path.name}, line {opened}: this fenced block is never closed"
    return found


def commands(block: Block) -> list[Command]:
    """The commands of a console block; ``$ echo $?`` shows the status of the one before, which else is 0."""
    found: list[Command] = []
    for number, line in enumerate(block.text.splitlines(), start=block.line + 1):
        if line.startswith("$ "):
            found.append(Command(number, line.removeprefix("$ "), "", 0))
        else:
            last = found.pop()
            found.append(Command(last.line, last.text, f"{last.output}{line}\n", last.status))
    told: list[Command] = []
    for command in found:
        if command.text == "echo $?":
            last = told.pop()
            told.append(Command(last.line, last.text, last.output, int(command.output)))
        else:
            told.append(command)
    return told


def run(command: Command, folder: Path) -> Answer:
    """Run a command of a page in a folder: ``thirdcard`` and ``python`` are those of this environment.

    Most of the time of a short command goes into its start, so ``thirdcard`` runs in this process.
    """
    program, *arguments = shlex.split(command.text)
    if program != "thirdcard":
        return start(command, folder)
    printed = io.StringIO()
    with (
        mock.patch.dict(os.environ, _surroundings(), clear=True),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        status = cli.run(arguments)
    return Answer(without_trailing_spaces(printed.getvalue()), status)


def start(command: Command, folder: Path) -> Answer:
    """Run a command of a page as a program."""
    program, *arguments = shlex.split(command.text)
    programs = {"thirdcard": Path(sys.executable).with_name("thirdcard"), "python": Path(sys.executable)}
    done = subprocess.run(
        [str(programs[program]), *arguments],
        cwd=folder,
        env={**_surroundings(), "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        timeout=LONG_ENOUGH,
    )
    return Answer(without_trailing_spaces(done.stdout), done.returncode)


def _surroundings() -> dict[str, str]:
    """Neither a terminal's width nor its colours, so that every machine prints the same."""
    return {name: value for name, value in os.environ.items() if name not in _TERMINAL}


def without_trailing_spaces(text: str) -> str:
    """Text as pages keep it: editors take away spaces at the ends of lines."""
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def headings(path: Path) -> list[str]:
    """The headings of a page without their number signs."""
    return [heading for heading, _ in _sections(path)]


def tables(path: Path) -> dict[str, Table]:
    """The first table under each heading: its rows without the head, cell by cell."""
    found: dict[str, Table] = {}
    for heading, lines in _sections(path):
        rows = [line for line in lines if line.startswith("|")]
        if rows:
            found[heading] = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]
    return found


def links(path: Path) -> list[str]:
    """The targets of all links of a page."""
    return _LINK.findall(_without_blocks(path))


def anchor(heading: str) -> str:
    """The anchor that a heading gets on the web."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _sections(path: Path) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for line in _without_blocks(path).splitlines():
        heading = _HEADING.fullmatch(line)
        if heading:
            found.append((heading.group(1), []))
        elif found:
            found[-1][1].append(line)
    return found


def _without_blocks(path: Path) -> str:
    return re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


_COMMENT = re.compile(r"<!-- (.+) -->")
_HEADING = re.compile(r"#+ (.+)")
_LINK = re.compile(r"\]\(([^)]+)\)")
_TERMINAL = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
