"""From form 5 to form 6: the round that a dispute is about, sources that were not available, awards paid,
patrons who did not answer, and who stood for a step or entered the word of a patron.

A field that is new gets the value that held until then.
"""

from typing import Any

FORM_6_COMMANDS: dict[str, dict[str, Any]] = {
    "open-dispute": {"round": 0, "wager": None},
    "decide-dispute": {"unavailable": []},
}
FORM_6_EVENTS: dict[str, dict[str, Any]] = {
    "dispute-opened": {"round": None, "shoe": None, "wager": None, "by": None},
    "dispute-escalated": {"lapsed": 0, "second": None, "procedure": None},
    "surveillance-informed": {"second": None},
    "dispute-decided": {"second": None, "unavailable": []},
    "patron-answered": {"by": None, "second": None},
    "complaint-right-told": {"until": None},
    "complaint-filed": {"late": False, "by": None},
    "facts-confirmed": {"second": None},
    "facts-disproved": {"second": None},
    "report-withdrawn": {"second": None},
    "ruling-made": {"entered_by": None, "second": None},
    "claim-booked": {"left": False},
    "offer-answered": {"silent": False},
    "decrease-answered": {"silent": False},
}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    _add(body["command"], FORM_6_COMMANDS)
    for event in body.get("events", ()):
        _add(event, FORM_6_EVENTS)


def house(form: dict[str, Any]) -> None:
    """Bring a house up to date: it did not say how disputes are handled."""
    form["format"] = 4


def rulebook(document: dict[str, Any]) -> None:
    """Bring a rulebook up to date: it did not say what must be gathered, nor who answers a complaint."""
    document["format"] = 3


def _add(value: dict[str, Any], fields: dict[str, dict[str, Any]]) -> None:
    for name, held in fields.get(value["type"], {}).items():
        value.setdefault(name, held)
