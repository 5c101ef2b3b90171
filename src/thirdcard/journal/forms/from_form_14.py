"""From form 14 to form 15: houses list the chips of live tables, and posts for large amounts."""

from typing import Any


def house(form: dict[str, Any]) -> None:
    """Bring a house up to date: it listed no chips, and no amount was large."""
    form["format"] = 6
    form.setdefault("chips", None)
    for control in form["control"]:
        control.setdefault("large", None)
        control.setdefault("large_post", None)
