"""The sources of the screens: types of the server, words in every language, and the rules of the design."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import screen_types
from thirdcard.access.permissions import MAY_SEND, Sender

ROOT = Path(__file__).parent.parent.parent
SCREENS = ROOT / "screens" / "src"
LANGUAGES = ROOT / "src" / "thirdcard" / "languages"
OTHERS = sorted(file.stem for file in (SCREENS / "languages").glob("*.json") if file.stem != "en")
SOURCES = {
    file.relative_to(SCREENS).as_posix(): file.read_text("utf-8")
    for file in sorted(SCREENS.rglob("*"))
    if file.suffix in {".svelte", ".ts"} and file.parent.name != "api"
}
SECTIONS = re.findall(r"^  '([\w-]+)',$", SOURCES["languages/sections.ts"], re.MULTILINE)
Words = dict[str, Any]


def words(language: str) -> Words:
    """The words of the screens, by section and name."""
    found = json.loads((SCREENS / "languages" / f"{language}.json").read_text("utf-8"))
    return {f"{section}.{name}": word for section, own in found.items() for name, word in own.items()}


def sentences(language: str) -> dict[str, str]:
    """The server's sentences that screens say, by section and name."""
    found = tomllib.loads((LANGUAGES / f"{language}.toml").read_text("utf-8"))
    return {
        f"{section}.{name}": text for section in SECTIONS for name, text in found.get(section, {}).items()
    }


def keys_in(call: str) -> Iterator[re.Pattern[str]]:
    """Every key that a call is given, written out or put together."""
    for text in SOURCES.values():
        for key in re.findall(rf"\b{call}\(\s*'([\w.-]+)'", text):
            yield re.compile(re.escape(key))
        for template in re.findall(rf"\b{call}\(\s*`([^`]+)`", text):
            yield re.compile(re.sub(r"\\\$\\\{.+?\\\}", r"[\\w-]+", re.escape(template)))
    if call == "t":  # lists of keys that are looked up later
        for key in re.findall(r"'([a-zA-Z]+\.[a-zA-Z-]+)'", "\n".join(SOURCES.values())):
            yield re.compile(re.escape(key))


def test_the_types_are_those_of_the_server() -> None:
    assert screen_types.FILE.read_text("utf-8") == screen_types.types(), "run scripts/screen_types.py"


@pytest.mark.parametrize("language", ["en", *OTHERS])
def test_the_tour_names_everything_as_it_is_named_where_it_stands(language: str) -> None:
    named = words(language) | sentences(language)
    quoted = {
        "tour.sit": ("terminal.sit",),
        "tour.wager": ("terminal.buyFirst", "hand.banker", "terminal.dealNow"),
        "tour.why": ("terminal.why",),
        "tour.leave": ("terminal.leave",),
        "tour.deal": ("tour.go", "post.dealer", "signIn.title"),
        "tour.wrong": ("dealer.wrong",),
        "tour.pit": ("post.pit-manager",),
        "tour.find": ("office.auditor",),
        "tour.prove": ("records.verifyAll",),
        "start.terminal": ("terminal.title",),
        "start.dealer": ("dealer.title",),
        "start.pit": ("pit.title",),
        "start.wall": ("display.title",),
        "start.records": ("records.title",),
    }
    lacking = [
        (key, name) for key, names in quoted.items() for name in names if named[name] not in named[key]
    ]
    assert lacking == []


def test_every_word_is_used() -> None:
    used = [*keys_in("t")]
    assert [key for key in words("en") if not any(each.fullmatch(key) for each in used)] == []


def test_every_sentence_that_a_screen_says_is_there() -> None:
    english = sentences("en")
    for pattern in keys_in("say"):
        assert any(pattern.fullmatch(key) for key in english), pattern.pattern


@pytest.mark.parametrize("language", OTHERS)
def test_the_server_says_in_every_language_what_screens_say(language: str) -> None:
    assert sentences("en").keys() - sentences(language).keys() == set()


# the design


@pytest.mark.parametrize("file", [name for name in SOURCES if name.endswith(".svelte")])
def test_components_have_no_style_that_the_policy_forbids(file: str) -> None:
    template = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", SOURCES[file], flags=re.DOTALL)
    assert not re.search(r"\sstyle=", template), "use style:property, or a class"
    assert "{@html" not in template
    assert "data:" not in template


def tokens(room: str) -> dict[str, str]:
    """The colours of a room."""
    text = (SCREENS / "styles" / "tokens.css").read_text("utf-8")
    light, _, rest = text.partition(":root[data-room='dim']")
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light))
    return found if room == "light" else found | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", rest))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as the accessibility guidelines count it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


SURFACES = ("ground", "surface", "raised")
PAIRS = [
    *((ink, on) for ink in ("ink", "ink-soft", "ink-faint", "accent") for on in (*SURFACES, "sunken")),
    *((hand, on) for hand in ("banker", "player", "tie", "special") for on in SURFACES),
    *((tone, on) for tone in ("good", "warn", "bad") for on in (*SURFACES, f"{tone}-wash")),
    *(("on-hand", hand) for hand in ("banker", "player", "tie")),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("accent-strong", "accent-wash"),
    ("accent", "accent-wash"),
    ("on-felt", "felt"),
    ("on-felt", "felt-deep"),
    ("card-red", "card"),
    ("card-black", "card"),
]


@pytest.mark.parametrize("room", ["light", "dim"])
@pytest.mark.parametrize(("ink", "on"), PAIRS)
def test_what_is_written_can_be_read_in_both_lights(room: str, ink: str, on: str) -> None:
    colours = tokens(room)
    assert contrast(colours[ink], colours[on]) >= 4.5


def test_parts_take_their_colours_from_the_tokens() -> None:
    own = {
        file
        for file, text in SOURCES.items()
        if file.endswith(".svelte") and re.search(r"(fill|color|background|stroke|border-color): #", text)
    }
    assert own == {"parts/Chip.svelte"}, "only chips have colours of their own"


def test_every_command_of_staff_can_be_given_at_a_console() -> None:
    """A command that a post may give has an entry at the dealer console or in the pit."""
    consoles = [
        text
        for name, text in SOURCES.items()
        if name.startswith(("pages/dealer/", "pages/pit/", "parts/", "lib/"))
    ]
    of_staff = {
        str(body.__struct_config__.tag)
        for body, senders in MAY_SEND.items()
        if {Sender.STAFF, Sender.ON_DUTY, Sender.IN_CHARGE} & {*senders}
    }
    lacking = {tag for tag in of_staff if not any(f"'{tag}'" in text for text in consoles)}
    assert lacking == set()


PARTS = {
    name: set(re.findall(r"'(\w+)'", own))
    for name, own in re.findall(r"^  (\w+): \[(.*)\],", SOURCES["languages/sections.ts"], re.MULTILINE)
}
STAFF_SENTENCES = {"alarm", "alert", "circumstance", "duty", "equipment", "question", "record-check"}


@pytest.mark.parametrize("page", sorted(name.split("/")[1] for name in SOURCES if name.endswith("/main.ts")))
def test_page_says_no_words_of_a_part_that_it_does_not_load(page: str) -> None:
    """A terminal is not sent the words that only staff read, nor the pit what only a terminal says."""
    assert {"terminal", "staff", "cases", "records", "reports", "deeds"} <= PARTS.keys()
    assert f"({'|'.join(sorted(STAFF_SENTENCES))})" in SOURCES["languages/sections.ts"]
    loaded = re.findall(r"'(\w+)'", SOURCES[f"pages/{page}/main.ts"].partition("start(")[2])
    loaded += [
        part
        for name, text in SOURCES.items()
        if name.startswith(f"pages/{page}/")
        for part in re.findall(r"readAlso\('(\w+)'\)", text)
    ]
    loaded.append("tour")  # comes with every page that somebody sees on the tour
    left, shown = {f"pages/{page}/main.ts"}, set[str]()
    while left:
        name = left.pop()
        shown.add(name)
        folder = SCREENS / Path(name).parent
        files = (folder / found for found in re.findall(r"(?:from |import\()'(\.[^']+)'", SOURCES[name]))
        names = {
            file.resolve().relative_to(SCREENS.resolve()).as_posix()
            for file in files
            if "api" not in file.parts
        }
        left |= {each for each in names if each in SOURCES} - shown
    sections = set[str]().union(*(own for part, own in PARTS.items() if part not in loaded))
    sections -= set[str]().union(*(PARTS[part] for part in loaded if part in PARTS))
    if "cases" not in loaded:
        sections |= STAFF_SENTENCES
    said = re.compile(rf"\b(?:t|say|named)\([^)]*['`](?:{'|'.join(sections)})['.]")
    assert [name for name in sorted(shown) if name.endswith(".svelte") and said.search(SOURCES[name])] == []
