"""From form 6 to form 7: commands name the irregularity, and a drawn card its place in the round.

Time frames are instants, referrals have causes, and whoever told a patron something is named.

A wager whose chips are held as suspected stays in its round; until then it left the round when it was held,
and came back or was settled by itself. A field that is new gets the value that held until then.
"""

from collections.abc import Iterator
from typing import Any

FORM_7_COMMANDS: dict[str, dict[str, Any]] = {
    "draw-card": {"at": None},
    "give-time-frame": {"minutes": 0},
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
FORM_7_EVENTS: dict[str, dict[str, Any]] = {
    "facts-confirmed": {"id": None},
    "money-held": {"in_play": False, "settled": None},
    "held-money-decided": {"apart": False},
    "wager-reduced": {"held": 0, "second": None},
    "case-waits": {"case": None},
    "wager-found": {"held": 0},
    "time-frame-given": {"until": None, "by": None},
    "complaint-right-told": {"by": None},
}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    _add(body["command"], FORM_7_COMMANDS)
    for event in body.get("events", ()):
        _add(event, FORM_7_EVENTS)
        for wager in _wagers(event):
            wager.setdefault("held", 0)
        if event["type"] == "irregularity-reported":
            event["case"].setdefault("cause", None)
            event["case"].setdefault("round", None)


def _add(value: dict[str, Any], fields: dict[str, dict[str, Any]]) -> None:
    for name, held in fields.get(value["type"], {}).items():
        value.setdefault(name, held)


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
