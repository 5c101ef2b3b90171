"""From form 8 to form 9: payments by mistake that were collected or mistaken, and awards that were paid.

A hand that is exposed or seen names the report that said so, and a case the round of a corrected card. A
field that is new gets the value that held until then.
"""

from typing import Any

FORM_9_EVENTS: dict[str, dict[str, Any]] = {
    "wrong-payment-found": {"collected": False, "mistaken": False},
    "cards-exposed": {"case": None},
    "cards-seen": {"case": None},
    "dispute-decided": {"counted": 0},
    "complaint-answered": {"counted": 0},
}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    for event in body.get("events", ()):
        for name, held in FORM_9_EVENTS.get(event["type"], {}).items():
            event.setdefault(name, held)
        if event["type"] == "irregularity-reported":
            event["case"].setdefault("corrected", None)
