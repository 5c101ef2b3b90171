"""The complaints of the libraries that read files, as problems in our own words."""

import re

from thirdcard.messages import knows, message, say

Found = tuple[str, dict[str, str]]  # the name of a problem, and its parameters
_TWICE = ("Cannot declare", "Cannot overwrite", "Duplicate", "Cannot mutate", "Cannot redefine")
_PLACE = re.compile(r"\(at line (?P<line>\d+), column (?P<column>\d+)\)")
_COMPLAINTS = (
    (r"Object contains unknown field `(?P<field>.+)`", "unknown-key"),
    (r"Object missing required field `(?P<field>.+)`", "missing-key"),
    (r"Expected `(?P<expected>.+)`, got `(?P<got>.+)`", "wrong-type"),
    (r"Invalid (?:enum )?value (?P<value>.+)", "wrong-value"),
    (r"Expected `int` <= (?P<most>-?\d+)", "too-high"),
    (r"Expected `int` >= (?P<least>-?\d+)", "too-low"),
    (r"Expected `array` of length >= (?P<least>\d+)", "too-few"),
    (r"Invalid RFC3339 encoded datetime", "no-instant"),
    (r"", "does-not-fit"),
)


def about_form(complaint: str) -> Found:
    """Return the problem that a complaint about the form of a value comes to."""
    matches = ((name, re.match(pattern, complaint)) for pattern, name in _COMPLAINTS)
    name, params = next((name, found.groupdict()) for name, found in matches if found)
    return name, {key: _kinds(value) if name == "wrong-type" else value for key, value in params.items()}


def _kinds(value: str) -> str:
    """Kinds of values as people say them: text, a list, a whole number."""
    keys = [(each, f"kind.{each}") for each in value.split(" | ")]
    words = [say(message(key)) if knows(key) else each for each, key in keys]
    return say(message("fact.or")).join(words)


def about_toml(complaint: str) -> Found:
    """Return the problem that a complaint about a text that is not TOML comes to."""
    found = _PLACE.search(complaint)
    place = say(message("place.line", **found.groupdict())) if found else say(message("place.end"))
    return "toml-twice" if complaint.startswith(_TWICE) else "not-toml", {"place": place}
