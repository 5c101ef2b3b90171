"""From form 12 to form 13: tables that show which marks come next, and that stop or change after a round.

No table showed the marks that come next until then. Plans for stops and changes are new commands.
"""

from typing import Any

from thirdcard.journal.forms.definitions import definitions


def floor_body(body: dict[str, Any]) -> None:
    """Bring the body of a record of the floor up to date."""
    for each in (body["command"], *body.get("events", ())):
        for definition in definitions(each):
            definition.setdefault("next_marks", False)
