"""Reads rulebook and house files, and refuses what is wrong with them; other files in the same way."""

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from thirdcard.money import parse_amount
from thirdcard.rulebook.check import Problem, check_document, problem
from thirdcard.rulebook.check_house import check_house
from thirdcard.rulebook.complaints import about_form, about_toml
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import FORMER_FORMATS, FORMER_KEYS, HOUSE_FORMAT, LAST_FORMATS, House, HouseForm
from thirdcard.rulebook.irregularity import row_labels

FileForm = TypeVar("FileForm", bound=msgspec.Struct)
RULEBOOK_PAGE = "docs/writing-a-rulebook.md"


class UnreadableFile(Exception):
    """A file that cannot be used, with everything that is wrong with it."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(each) for each in problems))
        self.problems = problems


def read_document(path: Path) -> Document:
    """The rule document in a file."""
    return parse_document(path.name, bytes_of(path))


def parse_document(file: str, data: bytes) -> Document:
    """The rule document in the bytes of a file."""
    raw = toml_of(file, data)
    document = form_of(file, _with_rows_apart(raw), Document, RULEBOOK_PAGE)
    _refuse(check_document(file, document))
    return document


def _with_rows_apart(raw: dict[str, Any]) -> dict[str, Any]:
    """Give each situation a row of its own where one row is written for several."""
    rows = raw.get("irregularity")
    if not isinstance(rows, list):
        return raw
    return {**raw, "irregularity": [each for row in rows for each in _rows_of(row)]}


def _rows_of(row: Any) -> list[Any]:
    several = row.get("situation") if isinstance(row, dict) else None
    if not isinstance(several, list) or not several:
        return [row]
    return [{**row, "situation": situation} for situation in several]


def read_house(path: Path) -> House:
    """The house in a file."""
    return parse_house(path.name, bytes_of(path))


def parse_house(file: str, data: bytes) -> House:
    """The house in the bytes of a file."""
    raw = toml_of(file, data)
    _refuse(_former_keys(file, raw))
    form = form_of(file, raw, HouseForm, RULEBOOK_PAGE)
    _refuse(check_house(file, form))
    return house_of(form)


def _former_keys(file: str, raw: dict[str, Any]) -> tuple[Problem, ...]:
    """Bring a house of a former format up to date: keys with the one value that they could have mean nothing.

    Another value was never carried out, and is refused.
    """
    former = raw.get("format")
    if former in (*FORMER_FORMATS, *LAST_FORMATS):
        raw["format"] = HOUSE_FORMAT
    if former not in FORMER_FORMATS:
        return ()
    found: list[Problem] = []
    for key, only in FORMER_KEYS.items():
        section, _, name = key.partition(".")
        keys = raw.get(section)
        value = keys.pop(name, only) if isinstance(keys, dict) else only
        if value != only:
            found.append(problem("former-key", file, key, value=str(value), only=only))
    return tuple(found)


def house_of(form: HouseForm) -> House:
    """The house of a form that has been checked."""
    unit = parse_amount(form.rounding.smallest_unit, form.currency)
    assert unit is not None
    return House(form, unit)


def bytes_of(path: Path) -> bytes:
    """The bytes of a file that must be there."""
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UnreadableFile((problem("no-file", path.name, str(path), reason=reason),)) from error


def _refuse(problems: tuple[Problem, ...]) -> None:
    if problems:
        raise UnreadableFile(problems)


def toml_of(file: str, data: bytes) -> dict[str, Any]:
    """The keys and values in the bytes of a file."""
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise UnreadableFile((problem("not-utf-8", file, "file"),)) from error
    except RecursionError as error:
        raise UnreadableFile((problem("too-deep", file, "file"),)) from error
    except tomllib.TOMLDecodeError as error:
        name, params = about_toml(str(error))
        raise UnreadableFile((problem(name, file, "file", **params),)) from error


def form_of(file: str, raw: dict[str, Any], form: type[FileForm], page: str) -> FileForm:
    """The form in a file's values; a page of the documentation lists what may stand in it."""
    try:
        return msgspec.convert(raw, form)
    except msgspec.ValidationError as error:
        raise UnreadableFile((_translate(file, str(error), raw, form, page),)) from error


def _translate(file: str, error: str, raw: dict[str, Any], form: type[FileForm], page: str) -> Problem:
    """The reader library's complaint in our words, with the row's name and clause."""
    complaint, _, path = error.partition(" - at `$")
    steps = re.findall(r"\.{3}|\w+", path)
    for place, step in enumerate(steps):
        if step == "...":
            steps[place] = _wrong_entry(raw, _follow(raw, steps[:place]), form, error)
    key, clause = _locate(raw, steps)
    name, params = about_form(complaint)
    own = clause if issubclass(form, Document) else None
    return problem(_refine(name, steps), file, key, own, **params, page=page)


def _wrong_entry(raw: dict[str, Any], table: dict[str, Any], form: type[FileForm], error: str) -> str:
    """The entry of a table with which the complaint begins: the library writes ``...`` for its name."""
    entries = dict(table)
    table.clear()

    def complains_with(name: str) -> bool:
        table[name] = entries[name]
        try:
            msgspec.convert(raw, form)
        except msgspec.ValidationError as again:
            return str(again) == error
        return False

    return next(name for name in entries if complains_with(name))


def _refine(name: str, steps: list[str]) -> str:
    """A complaint about a key inside ``when`` is one about facts; about ``do``, one about effects."""
    if name == "unknown-key" and steps[-1:] == ["when"]:
        return "unknown-circumstance" if steps[0] == "irregularity" else "unknown-fact"
    if name == "wrong-value" and steps[-1:] == ["do"]:
        return "unknown-effect"
    if name == "wrong-type" and steps[-1:] == ["odds"]:
        return "odds-no-text"
    return name


def _locate(raw: dict[str, Any], steps: list[str]) -> tuple[str, str | None]:
    """The key as a person would name it, and the innermost clause around it."""
    key, clause = "", None
    for place, step in enumerate(steps, start=1):
        inside, value = _follow(raw, steps[: place - 1]), _follow(raw, steps[:place])
        if isinstance(inside, list):
            key += f"[{_label_of_row(inside, step)}]"
        else:
            key += f".{step}" if key else step
        if isinstance(value, dict):
            clause = _clause_of(value) or clause
    return key or "file", clause


def _label_of_row(rows: list[Any], step: str) -> str:
    row = rows[int(step)]
    if not isinstance(row, dict):
        return step
    if "situation" in row:
        return row_labels([each.get("situation") for each in rows if isinstance(each, dict)])[int(step)]
    return str(row.get("id", row.get("name", step)))


def _follow(raw: Any, steps: list[str]) -> Any:
    for step in steps:
        raw = raw[int(step)] if isinstance(raw, list) else raw[step]
    return raw


def _clause_of(table: dict[str, Any]) -> str | None:
    for name in ("clause", "area"):
        if isinstance(table.get(name), str):
            return str(table[name])
    return None
