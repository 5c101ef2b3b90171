"""From form 2 to form 3: houses no longer have keys that could have one value only."""

from typing import Any

FORMER_SETTINGS = (
    "misdelivery_free_hand",
    "pro_rata_base",
    "pro_rata_exempt",
    "reset_cards",
    "squeeze_scope",
    "under_minimum_memory",
    "unexposed_banker_card",
)


def house(form: dict[str, Any]) -> None:
    """Bring a house up to date; the other settings keep the value that they had."""
    form["format"] = 3
    form["rounding"].pop("pro_rata_stakes", None)
    for name in FORMER_SETTINGS:
        form["settings"].pop(name, None)
