"""From form 6 to form 7: a wager whose chips are held as suspected stays in its round.

Until then it left the round when it was held, and came back or was settled by itself.
"""

from collections.abc import Iterator
from typing import Any

FORM_7_EVENTS: dict[str, dict[str, Any]] = {
    "money-held": {"in_play": False, "settled": None},
    "held-money-decided": {"apart": False},
    "wager-reduced": {"held": 0, "second": None},
    "case-waits": {"case": None},
    "wager-found": {"held": 0},
}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    for event in body.get("events", ()):
        for name, was in FORM_7_EVENTS.get(event["type"], {}).items():
            event.setdefault(name, was)
        for wager in _wagers(event):
            wager.setdefault("held", 0)


def _wagers(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every wager that an event has in it."""
    match event["type"]:
        case "round-settled" | "settlement-reversed" | "answer-taken-back":
            yield from event["wagers"]
        case "round-voided":
            yield from (*event["returned"], *event["reversed"])
        case "money-held" | "held-money-decided":
            yield from (event[name] for name in ("wager", "settled") if event.get(name))
        case "offer-opened":
            yield from (each["wager"] for each in event["offer"].get("withdrawn", ()))
        case "irregularity-reported" if event["case"].get("offer"):
            yield from (each["wager"] for each in event["case"]["offer"].get("withdrawn", ()))
        case _:
            pass
