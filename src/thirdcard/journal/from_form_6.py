"""From form 6 to form 7: commands name the irregularity, and a drawn card its place in the round.

A field that is new gets the value that held until then: the irregularity that is dealt with first, any place.
"""

from typing import Any

FORM_7_COMMANDS: dict[str, dict[str, Any]] = {
    "draw-card": {"at": None},
    "confirm-facts": {"case": None},
    "disprove-facts": {"case": None},
    "withdraw-report": {"case": None},
    "rule": {"case": None},
    "answer-offer": {"case": None},
    "end-offer": {"case": None},
    "reserve-cards": {"case": None},
    "enter-sorted-cards": {"case": None},
    "substitute-cards": {"case": None},
}
FORM_7_EVENTS: dict[str, dict[str, Any]] = {"facts-confirmed": {"id": None}}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    _add(body["command"], FORM_7_COMMANDS)
    for event in body.get("events", ()):
        _add(event, FORM_7_EVENTS)


def _add(value: dict[str, Any], fields: dict[str, dict[str, Any]]) -> None:
    for name, held in fields.get(value["type"], {}).items():
        value.setdefault(name, held)
