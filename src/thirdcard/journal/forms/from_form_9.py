"""From form 9 to form 10: who moved money outside a round, with whom and why, and controls of the house.

A report says whether cards that came together were entered one by one before.
A person has the steps of several codes instead of the last one.
A field that is new gets the value that held until then. Nobody was named for credits, so no act is unseen.
"""

from typing import Any

FORM_10_COMMANDS: dict[str, dict[str, Any]] = {
    "buy-credits": {"reason": ""},
    "cash-out": {"reason": ""},
    "find-wager": {"reason": ""},
    "correct-wager": {"reason": ""},
    "correct-card": {"reason": ""},
    "acknowledge-alert": {"act": 0},
    "report-irregularity": {"dealt": False},
}
FORM_10_EVENTS: dict[str, dict[str, Any]] = {
    "credits-bought": {"by": None, "second": None, "reason": ""},
    "credits-cashed-out": {"by": None, "second": None, "reason": ""},
    "wager-found": {"reason": ""},
    "wager-reduced": {"reason": ""},
    "card-corrected": {"reason": ""},
    "alert-acknowledged": {"act": 0},
}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    command = body["command"]
    for name, held in FORM_10_COMMANDS.get(command["type"], {}).items():
        command.setdefault(name, held)
    for event in body.get("events", ()):
        for name, held in FORM_10_EVENTS.get(event["type"], {}).items():
            event.setdefault(name, held)
        if event["type"] == "irregularity-reported":
            event["case"].setdefault("dealt", [])


def floor_body(body: dict[str, Any]) -> None:
    """Bring the body of a record of the floor up to date: somebody who is added has used no code."""
    for event in body.get("events", ()):
        if event["type"] == "person-added":
            step = event["person"].pop("step", 0)
            event["person"]["used_steps"] = [step] if step else []


def house(form: dict[str, Any]) -> None:
    """Bring a house up to date: it named no controls, so the strictest hold."""
    form["format"] = 5
    form.setdefault("control", [])
