"""The definitions of tables in what is stored of the floor."""

from typing import Any


def definitions(each: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the definitions of tables in a command or an event of the floor."""
    proposal = each.get("proposal")
    proposed = proposal["definition"] if isinstance(proposal, dict) else None
    found = [*each.get("tables", ()), each.get("definition"), each.get("before"), proposed]
    return [definition for definition in found if isinstance(definition, dict)]
