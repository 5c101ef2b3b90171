"""Every language says everything: no key, plural form or parameter is missing, nothing is in English."""

import functools
import json
import re
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from thirdcard.messages import FORMS, languages, plural_forms, sentences
from thirdcard.rulebook.shelf import SHIPPED

ROOT = Path(__file__).parent.parent.parent
WORDS = ROOT / "screens" / "src" / "languages"
SENTENCES = ROOT / "src" / "thirdcard" / "languages"
PAGE = (ROOT / "docs" / "translating.md").read_text("utf-8")
LANGUAGES = sorted(languages())
OTHERS = [each for each in LANGUAGES if each != "en"]
NAMED_BY_DOCUMENTS = ("game.", "wager.")  # in English as the documents print them
UNREVIEWED = "language.unreviewed"
# what is written alike in English and in another language: in all of them, or in one
SAME = {
    "": {"report.file_csv", "training.file_csv"},
    "vi": {"post.dealer"},  # dealers in Vietnam are called so
}
Sentence = str | dict[str, str]
Said = dict[str, Sentence]


@functools.cache
def words(language: str) -> Said:
    """The words of the screens by section and name."""
    return dict(_flat("", json.loads((WORDS / f"{language}.json").read_text("utf-8"))))


@functools.cache
def said(language: str) -> Said:
    """The sentences of the server's own file of a language."""
    return dict(_flat("", tomllib.loads((SENTENCES / f"{language}.toml").read_text("utf-8"))))


def _flat(prefix: str, table: dict[str, Any]) -> Iterator[tuple[str, Sentence]]:
    for name, value in table.items():
        if isinstance(value, dict) and not ("other" in value and value.keys() <= FORMS | {"by"}):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield prefix + name, value


def forms(sentence: Sentence) -> dict[str, str]:
    """The plural forms of a sentence; one that has none is its usual form."""
    if isinstance(sentence, str):
        return {"other": sentence}
    return {name: form for name, form in sentence.items() if name != "by"}


def parameters(text: str) -> set[str]:
    """The parameters that a text names."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def counted(sentence: Sentence) -> str:
    """The parameter by which a form is chosen, if any is."""
    return "" if isinstance(sentence, str) else sentence.get("by", "count")


def missing_forms(language: str, other: Said, english: Said) -> list[str]:
    """The keys whose plural forms are not those of a language."""
    needed = {*plural_forms(language)}
    plain = {"other"} if needed == {"other"} else set[str]()  # with one form, text without forms does as well
    return [
        key
        for key, sentence in english.items()
        if not isinstance(sentence, str)
        and key in other
        and not (
            forms(other[key]).keys() in (needed, plain) and counted(other[key]) in ("", counted(sentence))
        )
    ]


def lost_parameters(other: Said, english: Said) -> list[str]:
    """The keys of which a form has other parameters than in English; it may leave out what it counts."""
    lost = []
    for key, sentence in other.items():
        if key not in english:
            continue
        needed = parameters(forms(english[key])["other"])
        for name, form in forms(sentence).items():
            own = parameters(form)
            spared = set[str]() if name == "other" else {counted(sentence)}
            if not (needed - spared <= own <= needed):
                lost.append(key)
    return lost


def left_in_english(language: str, other: Said, english: Said) -> set[str]:
    """The keys of sentences that are those of the English file, where these have letters."""

    def letters(text: str) -> bool:
        return re.search("[A-Za-z]", re.sub(r"\{\w+\}", "", text)) is not None

    same = {
        key
        for key, sentence in other.items()
        if key in english and forms(sentence)["other"] == forms(english[key])["other"]
    }
    listed = SAME[""] | SAME.get(language, set())
    return {key for key in same - listed if letters(forms(other[key])["other"])}


def test_words_and_sentences_are_there_in_the_same_languages() -> None:
    assert sorted(file.stem for file in WORDS.glob("*.json")) == LANGUAGES


@pytest.mark.parametrize("language", OTHERS)
def test_language_has_every_word_of_the_screens_and_no_other(language: str) -> None:
    assert words(language).keys() ^ words("en").keys() == set()


@pytest.mark.parametrize("language", OTHERS)
def test_language_has_the_sentences_that_the_first_translation_has(language: str) -> None:
    """Sentences that only the command line says may be in English."""
    assert (said(language).keys() ^ said("zh-Hans").keys()) - {UNREVIEWED} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_sentence_that_english_does_not_have_is_a_name(language: str) -> None:
    own = {key for key in said(language).keys() - said("en").keys() if key.startswith(NAMED_BY_DOCUMENTS)}
    assert said(language).keys() - said("en").keys() - own - {UNREVIEWED} == set()
    games = {f"game.{book.id.replace('/', '-')}" for book in SHIPPED.rulebooks}
    wagers = {f"wager.{wager}" for book in SHIPPED.rulebooks for wager in book.wagers}
    assert own == games | wagers


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_empty(language: str) -> None:
    for own in (words(language), said(language)):
        assert [
            key for key, each in own.items() if not all(form.strip() for form in forms(each).values())
        ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_counted_sentence_has_the_plural_forms_of_its_language(language: str) -> None:
    assert missing_forms(language, words(language), words("en")) == []
    assert missing_forms(language, said(language), said("en")) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_form_of_a_sentence_has_lost_a_parameter(language: str) -> None:
    assert lost_parameters(words(language), words("en")) == []
    assert lost_parameters(said(language), said("en")) == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_left_in_english(language: str) -> None:
    assert left_in_english(language, words(language), words("en")) == set()
    assert left_in_english(language, said(language), said("en")) == set()


def test_checks_find_what_they_look_for() -> None:
    english: Said = {
        "cards": {"by": "left", "one": "{left} card", "other": "{left} cards"},
        "hand": "{hand} wins",
        "file": "CSV file",
    }
    assert missing_forms("en", {"cards": {"by": "left", "other": "{left} cards"}}, english) == ["cards"]
    assert missing_forms("en", {"cards": "{left} cards"}, english) == ["cards"]
    assert missing_forms(
        "ko", {"cards": {"by": "left", "one": "{left}장", "other": "{left}장"}}, english
    ) == ["cards"]
    assert missing_forms("ko", {"cards": {"by": "right", "other": "{left}장"}}, english) == ["cards"]
    assert missing_forms("ko", {"cards": "{left}장"}, english) == []
    assert lost_parameters({"hand": "승리", "cards": "카드"}, english) == ["hand", "cards"]
    assert lost_parameters({"hand": "{hand} {total} 승리"}, english) == ["hand"]
    assert (
        lost_parameters({"cards": {"by": "left", "one": "one card", "other": "{left} cards"}}, english) == []
    )
    assert left_in_english("ko", {"file": "CSV file", "hand": "{hand} 승리"}, english) == {"file"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_about_translating_says_who_has_reviewed_a_language(language: str) -> None:
    """The page and the language file say the same; English is the language that everything is written in."""
    name = re.escape(sentences(language)["language.name"])
    row = re.search(rf"^\| `{language}` \| {name} \| ([^|]+) \|$", PAGE, re.MULTILINE)
    assert row, f"docs/translating.md lacks a row for {language}"
    assert (row[1] == "nobody yet") == (UNREVIEWED in said(language))
