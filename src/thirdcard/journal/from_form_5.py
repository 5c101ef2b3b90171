"""From form 5 to form 6: patrons who did not answer.

A field that is new gets the value that held until then.
"""

from typing import Any


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    for event in body.get("events", ()):
        if event["type"] in ("offer-answered", "decrease-answered"):
            event.setdefault("silent", False)
