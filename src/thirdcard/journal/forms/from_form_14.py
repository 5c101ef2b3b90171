"""From form 14 to form 15: chips of live tables and posts for large amounts, gaming days and pits.

No house listed chips, and no amount was large. No table stood in a pit, and no floor had a gaming day of its
own.
"""

from typing import Any

from thirdcard.journal.forms.definitions import definitions


def house(form: dict[str, Any]) -> None:
    """Bring a house up to date."""
    form["format"] = 6
    form.setdefault("chips", None)
    for control in form["control"]:
        control.setdefault("large", None)
        control.setdefault("large_post", None)


def floor_body(body: dict[str, Any]) -> None:
    """Bring the body of a record of the floor up to date."""
    if "tables" in body["command"]:
        body["command"].setdefault("day", None)
    for each in (body["command"], *body.get("events", ())):
        for definition in definitions(each):
            definition.setdefault("pit", "")
