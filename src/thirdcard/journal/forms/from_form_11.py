"""From form 11 to form 12: the address from which somebody signed in or showed who they are.

No address was recorded until then, so nobody is known at any.
"""

from typing import Any

FORM_12 = ("sign-in", "show-identity", "signed-in", "identity-shown")


def floor_body(body: dict[str, Any]) -> None:
    """Bring the body of a record of the floor up to date."""
    for each in (body["command"], *body.get("events", ())):
        if each["type"] in FORM_12:
            each.setdefault("address", "")
        if each["type"] == "person-added":
            each["person"].setdefault("addresses", [])
