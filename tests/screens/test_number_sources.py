"""One module of the screens makes numbers of typed text, and nothing stands in for a text that is none."""

import re
from pathlib import Path

SCREENS = Path(__file__).parent.parent.parent / "screens" / "src"
SOURCES = {
    file.relative_to(SCREENS).as_posix(): file.read_text("utf-8")
    for file in sorted(SCREENS.rglob("*"))
    if file.suffix in {".svelte", ".ts"} and file.parent.name != "api"
}
CONVERSION = re.compile(
    r"\bNumber\(|\bparseInt\b|\bparseFloat\b|\bvalueAsNumber\b|\bBigInt\b|\+[\w.]+\.value\b"
    r"|type=.?.?number\b|kind: 'number'|Math\.\w+\((?:typed|text|values)"
)
FALLBACK = re.compile(
    r"(?:parse(?:Amount|Positive|Whole|OnFelt)|numberIn)\((?:[^()]|\([^()]*\))*\)\)?\s*(?:\?\?|\|\|)"
)


def files_with(pattern: re.Pattern[str]) -> set[str]:
    """The sources in which something is written."""
    return {file for file, text in SOURCES.items() if pattern.search(text)}


def test_patterns_find_what_they_are_for() -> None:
    assert all(map(CONVERSION.search, ("Number(typed)", "+event.currentTarget.value", 'type="number"')))
    assert FALLBACK.search("award: parseAmount(values['award'] ?? '0', currency) ?? 0")
    assert not FALLBACK.search("parseWhole(asked.get('round') ?? '', 1, most);")


def test_one_module_makes_numbers_of_text() -> None:
    assert files_with(CONVERSION) == {
        "lib/amount.ts",
        "parts/Card.svelte",  # where its own drawing has the pips
    }


def test_no_number_stands_in_for_a_text_that_is_none() -> None:
    assert files_with(FALLBACK) == set()


def test_every_amount_is_typed_into_the_same_field() -> None:
    assert files_with(re.compile(r'inputmode="decimal"')) == {"parts/AmountField.svelte"}
