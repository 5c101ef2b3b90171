"""docs/writing-a-rulebook.md is run: each state of its file, each command, and its lists against the code."""

import copy
import dataclasses
import enum
import hashlib
import json
import re
import tomllib
import types
import typing
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from docs.pages import (
    ROOT,
    Block,
    Command,
    Table,
    all_blocks,
    anchor,
    blocks,
    commands,
    headings,
    links,
    run,
    tables,
)
from msgspec import Struct

from thirdcard.clauses import Clause
from thirdcard.messages import sentences
from thirdcard.money import Currency
from thirdcard.rulebook import document as forms
from thirdcard.rulebook import house as houses
from thirdcard.rulebook import procedure, table_of_play
from thirdcard.rulebook.citations import citations
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.facts import Facts, When
from thirdcard.rulebook.house import HouseForm
from thirdcard.rulebook.irregularity import Circumstances, Effect, Irregularity, Situation, Stage
from thirdcard.rulebook.read import UnreadableFile, parse_document, read_document
from thirdcard.rulebook.shelf import HOUSES
from thirdcard.staff import Post

PAGE = ROOT / "docs" / "writing-a-rulebook.md"
EXAMPLE = ROOT / "examples" / "shelf" / "rulebooks" / "ez-baccarat.toml"
NAME = "ez-baccarat.toml"
TEXT = "ez-baccarat.txt"


# the page as a sequence of file states


@dataclasses.dataclass(frozen=True)
class State:
    """The files after a block of the page has been carried out, and the commands that the page then runs."""

    line: int
    verb: str
    changed: str
    files: dict[str, str]
    commands: tuple[Command, ...] = ()


def states() -> list[State]:
    """Every state of the page.

    A comment above a block says what is done with it: ``file NAME`` makes the file, ``change NAME`` changes
    it, ``try NAME`` changes it until the next such block, ``play NAME`` serves it. Changes with no command
    between them are one. The commands ``mkdir`` and ``cp`` change what is there and are not run.
    """
    found: list[State] = []
    kept: dict[str, str] = {}
    for block in all_blocks(PAGE):
        if block.language == "console":
            last = found.pop()
            copies = {to: last.files[name] for name, to in copied(block)}
            kept |= copies
            files, told = {**last.files, **copies}, (*last.commands, *commands(block))
            found.append(dataclasses.replace(last, files=files, commands=told))
        elif block.note:
            verb, name = block.note.split(" ")
            if verb == "play":
                found.append(dataclasses.replace(found.pop(), verb=verb))
                continue
            now = {**kept, name: block.text if verb == "file" else changed(kept[name], block)}
            if verb != "try":
                kept = now
            if verb == "change" and not found[-1].commands:
                found.pop()
            found.append(State(block.line, verb, name, now))
    return found


def copied(block: Block) -> list[tuple[str, str]]:
    """The files that a console block copies into folders, with where they are then."""
    lines = [
        line.removeprefix("$ cp ").split() for line in block.text.splitlines() if line.startswith("$ cp ")
    ]
    return [(name, f"{folder}/{name}") for name, folder in lines]


def changed(text: str, block: Block) -> str:
    """A file after a block: lines of a diff, or whole sections."""
    return with_lines(text, block) if block.language == "diff" else with_sections(text, block.text)


def with_lines(text: str, block: Block) -> str:
    """Lines with - give way to lines with +; those with a space only say where."""
    lines = block.text.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] in " -")
    after = "".join(line[1:] for line in lines if line[0] in " +")
    assert text.count(before) == 1, (
        f"line {block.line}: these lines stand {text.count(before)} times in the file"
    )
    return text.replace(before, after)


def with_sections(text: str, change: str) -> str:
    """A section takes the place of the one with its name and id; new ones come after their like, or before
    the list of clauses; clauses are added to their list."""
    sections = split(text)
    for header, body in split(change):
        if header == "[clauses]":
            sections[-1] = (header, sections[-1][1] + body)
            continue
        alike = [place for place, (other, _) in enumerate(sections) if other == header]
        same = [place for place in alike if name_of(sections[place][1]) == name_of(body)]
        if same and header != "[[irregularity]]":
            sections[same[0]] = (header, body)
        else:
            sections.insert(alike[-1] + 1 if alike else len(sections) - 1, (header, body))
    return "\n".join(f"{header}\n{body}" if header else body for header, body in sections)


def split(text: str) -> list[tuple[str, str]]:
    """The sections of a TOML file as header and body; the keys before the first header have none."""
    parts = re.split(r"^(\[.+\])\n", text, flags=re.MULTILINE)
    bodies = [part.strip("\n") + "\n" for part in parts[::2]]
    found = list(zip(["", *parts[1::2]], bodies, strict=True))
    return found if parts[0].strip() else found[1:]


def name_of(body: str) -> str | None:
    found = re.search(r'^id = "(.+)"$', body, flags=re.MULTILINE)
    return found.group(1) if found else None


STATES = states()
RUNS = [
    (state, command)
    for state in STATES
    for command in state.commands
    if command.text.split()[0] not in ("mkdir", "cp")
]


def lay_down(files: dict[str, str], folder: Path) -> None:
    """Write files into a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


@pytest.mark.parametrize(("state", "command"), RUNS, ids=[f"line {each.line}" for _, each in RUNS])
def test_the_page_shows_what_the_command_prints(state: State, command: Command, tmp_path: Path) -> None:
    lay_down(state.files, tmp_path)
    answer = run(command, tmp_path)
    assert (answer.output, answer.status) == (command.output, command.status)


def test_every_block_is_a_file_state_or_a_command() -> None:
    loose = [block.line for block in all_blocks(PAGE) if not block.note and block.language != "console"]
    assert loose == []


@pytest.mark.parametrize("state", STATES, ids=[f"line {each.line}" for each in STATES])
def test_every_state_is_checked_by_a_command(state: State) -> None:
    named = "--shelf shelf" if state.changed.startswith("shelf/rulebooks/") else state.changed
    if state.changed != TEXT and state.verb != "play":
        assert any(named in command.text for command in state.commands)


# the example


def whole_files() -> list[Block]:
    """The page's three whole files: the start, the smallest file and the complete one."""
    found = [block for block in blocks(PAGE, "toml") if block.note == f"file {NAME}"]
    assert len(found) == 3
    return found


def test_the_complete_file_is_the_example() -> None:
    assert whole_files()[-1].text == EXAMPLE.read_text("utf-8")


def test_the_steps_lead_to_the_complete_file() -> None:
    complete = whole_files()[-1]
    grown = [state for state in STATES if state.verb != "try" and state.line < complete.line]
    assert tomllib.loads(grown[-1].files[NAME]) == tomllib.loads(complete.text)


def test_the_example_has_the_edges_that_are_known_for_the_game(tmp_path: Path) -> None:
    command = Command(0, f"thirdcard rules check {EXAMPLE} --json", "", 0)
    answer = run(command, tmp_path)
    [checked] = json.loads(answer.output)
    [game] = checked["games"]
    with_eight_decks = {wager: edges["8"] for wager, edges in game["edges"].items()}
    assert with_eight_decks == {
        "player": 1.2351,
        "banker": 1.0183,
        "tie": 14.3596,
        "dragon-7": 7.6113,
        "panda-8": 10.1876,
    }
    assert answer.status == 0


def test_the_example_cites_the_text_on_the_page() -> None:
    [text] = [block.text for block in blocks(PAGE, "text") if block.note == f"file {TEXT}"]
    example = read_document(EXAMPLE)
    assert example.text.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert list(example.clauses) == re.findall(r"^(\d[\d.]*) ", text, flags=re.MULTILINE)


def test_the_example_accounts_for_every_clause() -> None:
    example = read_document(EXAMPLE)
    cited = {citation.clause for citation in citations(example)}
    explained = {clause for clause, line in example.clauses.items() if line.shown or line.not_modelled}
    assert cited | explained == set(example.clauses)


def test_nothing_can_be_left_out_of_the_smallest_file() -> None:
    smallest = tomllib.loads(whole_files()[1].text)
    parse_document(NAME, whole_files()[1].text.encode())
    for path in key_paths(smallest):
        if "when" in path[:-1]:  # fewer facts make another rule, not a bad file
            continue
        shorter = copy.deepcopy(smallest)
        inside: Any = shorter
        for step in path[:-1]:
            inside = inside[step]
        del inside[path[-1]]
        with pytest.raises(UnreadableFile):
            parse_document(NAME, to_toml(shorter).encode())


def key_paths(value: object, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """The path of every key in nested tables and lists."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key)
            yield from key_paths(item, *path, key)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from key_paths(item, *path, place)


def to_toml(table: dict[str, Any]) -> str:
    """A table as TOML, everything inside it inline."""
    return "".join(f"{json.dumps(key)} = {inline(value)}\n" for key, value in table.items())


def inline(value: object) -> str:
    match value:
        case dict():
            return (
                "{ " + ", ".join(f"{json.dumps(key)} = {inline(item)}" for key, item in value.items()) + " }"
            )
        case list():
            return "[" + ", ".join(inline(item) for item in value) + "]"
        case datetime():
            return value.isoformat()
        case _:
            return json.dumps(value)


# the reference lists

TITLES: dict[type[Struct], str] = {
    Document: "The whole file",
    forms.Text: "document",
    forms.Note: "note",
    forms.Regulator: "regulator",
    forms.Variant: "variant",
    forms.Decks: "decks",
    forms.Layouts: "layouts",
    forms.Layout: "layout",
    procedure.EquipmentItem: "equipment",
    procedure.RoundProcedure: "round",
    procedure.ClauseMoment: "moment",
    procedure.Announcement: "announcement",
    forms.Counting: "counting",
    forms.Deal: "deal",
    table_of_play.TableOfPlay: "table_of_play",
    table_of_play.NaturalRow: "natural row",
    table_of_play.PlayerRow: "player row",
    table_of_play.BankerRow: "banker row",
    forms.OutcomeRule: "outcome",
    forms.PairsRule: "pairs",
    forms.WagerForm: "wager",
    forms.PayRow: "pay row",
    forms.StandOffRow: "stand-off row",
    forms.Commission: "commission",
    When: "The facts",
    procedure.Methods: "methods",
    procedure.MethodOfDealing: "method",
    procedure.DeviceControl: "control",
    procedure.Squeezing: "squeezing",
    procedure.SqueezeRule: "squeeze rule",
    procedure.CuttingCard: "cutting_card",
    procedure.Burn: "burn",
    procedure.Limits: "limits",
    procedure.OwnersPerArea: "owners",
    procedure.Differential: "differential",
    procedure.Grant: "power",
    Irregularity: "irregularity",
    Circumstances: "Circumstances",
    procedure.FreeHandPolicy: "free_hand",
    procedure.Authority: "authority",
    procedure.HighLimitArea: "high-limit area",
    procedure.Display: "display",
    procedure.DisputeProcedure: "dispute",
    procedure.DisputeSource: "source",
    forms.RecordedReading: "reading",
    forms.ClauseLine: "clause",
    HouseForm: "The house file",
    Currency: "currency",
    houses.RoundingForm: "rounding",
    houses.HouseLimits: "house limits",
    houses.WagerLimits: "minimum and maximum",
    houses.Settings: "Settings",
    houses.MoneyProcedure: "procedure",
    houses.MoneyControl: "money control",
    houses.HouseChips: "chips",
    houses.SuppliedLayout: "supplied layout",
    houses.HouseDispute: "disputes of the house",
    houses.HouseSource: "source of the house",
}
PLAIN = (Clause, Post, str)
WORDS: dict[object, str] = {
    Clause: "clause",
    Post: "post",
    str: "text",
    int: "whole number",
    bool: "`true`, `false`",
    datetime: "date, time and offset",
    Situation: "[situations](#situations)",
    Stage: "[stages](#stages)",
}
EFFECTS: tuple[type[Struct], ...] = typing.get_args(Effect)


def value_in_words(hint: Any) -> str:
    """The values of a key, as the page's column says them."""
    if hint in WORDS:
        return WORDS[hint]
    if typing.get_origin(hint) is not None:
        return composed(typing.get_origin(hint), typing.get_args(hint))
    if issubclass(hint, enum.Enum):
        return listed([member.value for member in hint])
    return f"[{TITLES[hint]}](#{anchor(TITLES[hint])})"


def composed(origin: object, parts: tuple[Any, ...]) -> str:
    if origin is Literal:
        return listed(parts)
    if origin is typing.Annotated:
        return bounded(parts[0], parts[1])
    if origin is tuple:
        return f"list of {WORDS[parts[0]]}s" if parts[0] in PLAIN else f"list: {value_in_words(parts[0])}"
    if origin is dict:
        return f"table: {value_in_words(parts[1])}"
    assert origin in (typing.Union, types.UnionType), origin
    return one_of([part for part in parts if part is not types.NoneType])


def bounded(hint: Any, meta: msgspec.Meta) -> str:
    if hint is int:
        assert meta == msgspec.Meta(ge=meta.ge, le=meta.le), meta
        return f"`{meta.ge}` or more" if meta.le is None else f"`{meta.ge}` to `{meta.le}`"
    assert meta == msgspec.Meta(min_length=1), meta
    return f"{value_in_words(hint)}, at least one"


def listed(values: Iterable[object]) -> str:
    return ", ".join(f"`{value}`" for value in values)


def one_of(hints: list[Any]) -> str:
    if set(hints) == set(EFFECTS):
        return "[effects](#effects)"
    words = [value_in_words(hint) for hint in hints]
    if len(words) == 2 and words[1] == f"list: {words[0]}":
        return f"{words[0]}, or a list of these"
    return ", or ".join(words)


def need_in_words(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "yes"
    if isinstance(field.default, bool):
        return f"no, else `{json.dumps(field.default)}`"
    return f"no, else `{field.default}`" if isinstance(field.default, str) else "no"


def rows_of(kind: type[Struct]) -> Table:
    """The columns of a section's table that the code determines: key, whether it is needed, its value."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return [
        [f"`{field.encode_name}`", need_in_words(field), value_in_words(hints[field.name])]
        for field in msgspec.structs.fields(kind)
    ]


def keys_of_effect(kind: type[Struct]) -> str:
    """The keys of an effect as the page's column lists them; a clause needs no description."""
    keys: list[str] = []
    for key, need, value in rows_of(kind):
        optional = "" if need == "yes" else f" ({need.replace('no', 'optional', 1)})"
        keys.append(key + optional + ("" if value == "clause" else f": {value}"))
    return "; ".join(keys)


def structs_in(hint: Any) -> Iterator[type[Struct]]:
    """Every struct that a type mentions, and those inside it; effects have a table of their own."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        if hint not in EFFECTS:
            yield hint
            for inner in typing.get_type_hints(hint, include_extras=True).values():
                yield from structs_in(inner)
        return
    for part in typing.get_args(hint):
        yield from structs_in(part)


TABLES = tables(PAGE)


def first_column(heading: str) -> list[str]:
    return [row[0] for row in TABLES[heading]]


def test_every_section_has_a_table() -> None:
    assert {*structs_in(Document), *structs_in(HouseForm)} == set(TITLES)


@pytest.mark.parametrize("kind", TITLES, ids=lambda kind: TITLES[kind])
def test_the_keys_of_a_section_are_those_of_the_code(kind: type[Struct]) -> None:
    assert [row[:3] for row in TABLES[TITLES[kind]]] == rows_of(kind)


def test_facts_that_can_be_asked_are_those_that_rounds_have() -> None:
    derived = ("margin", "natural")  # from the totals and the numbers of cards
    assert When.__struct_fields__ == (*Facts.__struct_fields__, *derived)
    assert all(isinstance(getattr(Facts, name), property) for name in derived)


def test_effects_and_their_keys_are_those_of_the_code() -> None:
    shown = [row[:2] for row in TABLES["Effects"]]
    assert shown == [[f"`{kind.__struct_config__.tag}`", keys_of_effect(kind)] for kind in EFFECTS]


@pytest.mark.parametrize(("heading", "kind"), [("Situations", Situation), ("Stages", Stage)])
def test_situations_and_stages_are_those_of_the_code(heading: str, kind: type[enum.Enum]) -> None:
    assert first_column(heading) == [f"`{member.value}`" for member in kind]


@pytest.mark.parametrize(
    ("heading", "prefix"),
    [
        ("Calls", "call"),
        ("Items of equipment", "equipment"),
        ("Sources of a decision", "dispute"),
        ("Posts", "post"),
    ],
)
def test_names_are_those_of_the_language_file(heading: str, prefix: str) -> None:
    keys = [key for key in sentences("en") if key.startswith(f"{prefix}.")]
    keys = [key for key in keys if key not in ("equipment.if-required", "equipment.required")]
    names = keys if prefix == "call" else [key.removeprefix(f"{prefix}.") for key in keys]
    said = [sentences("en")[key] for key in keys]
    assert TABLES[heading] == [[f"`{name}`", text] for name, text in zip(names, said, strict=True)]


def test_houses_are_those_on_the_shelf() -> None:
    assert first_column("Houses") == [f"`{house}`" for house in HOUSES]


def test_headings_differ_and_links_lead_somewhere() -> None:
    anchors = [anchor(heading) for heading in headings(PAGE)]
    assert len(anchors) == len(set(anchors))
    for link in links(PAGE):
        file, _, place = link.partition("#")
        assert (PAGE.parent / file).exists()
        if not file:
            assert place in anchors, link
