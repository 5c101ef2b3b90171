"""From form 4 to form 5: chips that were taken away late, when a wager reached an amount, half-paid rounds,
free hands that wait for their cards, the second of two people who report, hands passed by mistake, and
what sorted decks lack.

A field that is new gets the value that held until then.
"""

from typing import Any

FORM_5_FIELDS: dict[str, dict[str, Any]] = {
    "report-irregularity": {"paying": False},
    "answer-decision": {"confirmed_by": None},
    "pass-cards": {"instead": False},
    "find-wager": {"was_pulled": False},
    "choose-cards": {"patron": None},
}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    command = body["command"]
    for name, value in FORM_5_FIELDS.get(command["type"], {}).items():
        command.setdefault(name, value)
    for event in body.get("events", ()):
        event.setdefault("clauses", [])  # where money moves they are stated, also that there are none
        if event["type"] == "wager-reduced":
            event.setdefault("gone", 0)
            event.setdefault("order", None)
        if event["type"] == "wager-found":
            event.setdefault("was_pulled", False)
        if event["type"] == "offer-opened":
            event["offer"].setdefault("entered", [])
            event["offer"].setdefault("withdrawn", [])
        if event["type"] == "offer-answered":
            event.setdefault("by", None)
        if event["type"] == "missing-cards-deduced":
            event.setdefault("lacking", [])
        if event["type"] == "free-hand-due":
            event.setdefault("places", [])
        if event["type"] == "irregularity-reported":
            event["case"].setdefault("second", None)
        if event["type"] == "round-voided":
            for wager in event["returned"]:
                wager.setdefault("reached", [])
