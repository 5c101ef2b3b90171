"""From form 6 to form 7: time frames as instants, who told a patron something, and causes of referrals.

A field that is new gets the value that held until then.
"""

from typing import Any

FORM_7_EVENTS: dict[str, dict[str, Any]] = {
    "time-frame-given": {"until": None, "by": None},
    "complaint-right-told": {"by": None},
}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    if body["command"]["type"] == "give-time-frame":
        body["command"].setdefault("minutes", 0)
    for event in body.get("events", ()):
        for name, value in FORM_7_EVENTS.get(event["type"], {}).items():
            event.setdefault(name, value)
        if event["type"] == "irregularity-reported":
            event["case"].setdefault("cause", None)
