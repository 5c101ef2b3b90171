"""From form 3 to form 4: several irregularities at once, cards put where they really lie, acts by two people.

A field that is new gets the value that held until then.
"""

from typing import Any

COMMAND_FIELDS: dict[str, dict[str, object]] = {
    "call-outcome": {"player": None, "banker": None},
    "draw-card": {"hand": None, "together": [], "order_known": None, "instead": False},
    "forbid-squeeze": {"patron": None},
    "report-irregularity": {"ahead": 0, "wager": None, "position": None, "underpaid": False},
    "rule": {"also": [], "patron": None, "amount": 0},
}
EVENT_FIELDS: dict[str, dict[str, object]] = {
    "cards-burned": {"waiting": False},
    "cards-reconstructed": {"aside": []},
    "case-closed": {"superseded_by": None},
    "effect-carried-out": {"statement": False, "lapsed": False},
    "offer-answered": {"case": None},
    "outcome-called": {"player": None, "banker": None},
    "patron-came": {"marked": None},
    "payment-corrected": {"by": "", "second": None, "procedure": None},
    "ruling-made": {"also": [], "patron": None, "amount": 0},
    "settlement-reversed": {"procedure": None},
    "squeeze-forbidden": {"patron": None},
    "wager-found": {"second": None},
    "wager-reduced": {"case": None},
}
CASE_FIELDS: dict[str, object] = {
    "ahead": 0,
    "wager": None,
    "position": None,
    "by": "",
    "acted": False,
    "withdrawn": [],
    "offer": None,
}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    command = body["command"]
    _add(command, COMMAND_FIELDS.get(command["type"], {}))
    if command["type"] == "draw-card":  # no card is dealt any more while the differential is exceeded
        command.pop("despite_differential", None)
    for event in body.get("events", ()):
        _add(event, EVENT_FIELDS.get(event["type"], {}))
        if event["type"] == "irregularity-reported":
            _add(event["case"], CASE_FIELDS)


def rulebook(document: dict[str, Any]) -> None:
    """Bring a rulebook up to date: the hand that is offered as a free hand is a further one."""
    document["format"] = 2
    for row in document["irregularity"]:
        for effect in row["effects"]:
            if effect["do"] == "free-hand":
                effect["round"] = "next"


def _add(value: dict[str, Any], fields: dict[str, object]) -> None:
    for name, held in fields.items():
        value.setdefault(name, held)
