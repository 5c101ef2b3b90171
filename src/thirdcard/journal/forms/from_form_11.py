"""From form 11 to form 12: the address from which somebody signed in or showed who they are.

No address was recorded until then, so nobody is known at any. No table showed the marks that come next.
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
        for definition in _definitions(each):
            definition.setdefault("next_marks", False)


def _definitions(each: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the definitions of tables in a command or an event of the floor."""
    proposal = each.get("proposal")
    proposed = proposal["definition"] if isinstance(proposal, dict) else None
    found = [*each.get("tables", ()), each.get("definition"), each.get("before"), proposed]
    return [definition for definition in found if isinstance(definition, dict)]
