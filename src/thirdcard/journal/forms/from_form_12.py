"""From form 12 to form 13: tables that show which marks come next, and that stop or change after a round.

No table showed the marks that come next until then. Plans for stops and changes are new commands.
"""

from typing import Any


def floor_body(body: dict[str, Any]) -> None:
    """Bring the body of a record of the floor up to date."""
    for each in (body["command"], *body.get("events", ())):
        for definition in _definitions(each):
            definition.setdefault("next_marks", False)


def _definitions(each: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the definitions of tables in a command or an event of the floor."""
    proposal = each.get("proposal")
    proposed = proposal["definition"] if isinstance(proposal, dict) else None
    found = [*each.get("tables", ()), each.get("definition"), each.get("before"), proposed]
    return [definition for definition in found if isinstance(definition, dict)]
