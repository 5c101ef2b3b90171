"""Names that look the same, and texts that would steer a terminal."""

import pytest

from thirdcard.spelling import is_plain, look_the_same, visible


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "\u0410nn"),  # the first letter is Cyrillic
        ("Max", "M\u0430x"),
        ("tom", "\u0422\u041e\u041c"),
        ("Zoe", "\u0396oe"),  # Greek
        ("Ian", "lan"),
        ("E1", "EI"),
        ("E10", "E1O"),
        ("Dana", "Dana\ufe0f"),
        ("Dana", "D\u034fana"),
        ("Dana", "Da\u3164na"),
        ("Mary-Ann", "Mary\u2011Ann"),
        ("O'Hara", "O\u2019Hara"),
        ("\u529b", "\u30ab"),  # the power of a name, and ka
    ],
)
def test_names_that_look_the_same(one: str, other: str) -> None:
    assert look_the_same(one, other)
    assert look_the_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ian", "Lan"), ("Lan", "Lân"), ("Ann", "Anna"), ("E1", "E2"), ("Tuấn", "Tuân"), ("李明", "李朋")],
)
def test_names_that_people_tell_apart(one: str, other: str) -> None:
    assert not look_the_same(one, other)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("\x1b[2Jgone", "\\u001b[2Jgone"),  # clears the screen of a terminal
        ("two\nlines\tand", "two\nlines\tand"),
        ("over\rwritten", "over\\u000dwritten"),
        ("\u202egnp.exe", "\\u202egnp.exe"),  # turns what follows around
        ("a\u00a0b\n", "a\u00a0b\n"),  # a space that does not break, in a text of two lines
        ("\u0915\u094d\u200d\u0937\n", "\u0915\u094d\u200d\u0937\n"),  # a joiner in a word of Devanagari
        ("zero\u200bwidth", "zero\\u200bwidth"),
    ],
)
def test_text_is_shown_without_what_steers_a_terminal(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("character", "plain"), [("a", True), (" ", True), ("\u3000", True), ("\x07", False)]
)
def test_plain_characters_are_seen_or_part_words(character: str, *, plain: bool) -> None:
    assert is_plain(character) is plain
