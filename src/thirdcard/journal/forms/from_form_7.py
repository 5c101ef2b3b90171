"""From form 7 to form 8: records of the floor name their houses, and a rulebook the rows of its felt.

A field that is new gets the value that held until then.
"""

from typing import Any

FORM_8_EVENTS: dict[str, dict[str, Any]] = {
    "wager-reduced": {"mistaken": False},
    "cards-delivered": {"chosen": False},
    "ruling-made": {"next_cards": 0},
    "claim-booked": {"lost": False},
    "dispute-escalated": {"unanswered": False},
    "dispute-closed": {"unanswered": False},
}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date; nobody said that chips were placed, it was assumed."""
    command = body["command"]
    if command["type"] == "place-wager" and command.get("money") == "chips":
        command["money"] = None
    for event in body.get("events", ()):
        for name, held in FORM_8_EVENTS.get(event["type"], {}).items():
            event.setdefault(name, held)


def rulebook(document: dict[str, Any]) -> None:
    """Bring a rulebook up to date: it named no rows of the felt."""
    document["format"] = 4
