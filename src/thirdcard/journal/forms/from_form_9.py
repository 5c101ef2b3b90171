"""From form 9 to form 10: a report says whether cards that came together were entered one by one before."""

from typing import Any


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    command = body.get("command", {})
    if command.get("type") == "report-irregularity":
        command.setdefault("dealt", False)
    for event in body.get("events", ()):
        if event["type"] == "irregularity-reported":
            event["case"].setdefault("dealt", [])
