"""From form 5 to form 6: the round that a dispute is about, sources that were not available, awards paid,
patrons who did not answer, who stood for a step or entered the word of a patron, and new cards that come by
a procedure of the house; the regulator's confirmation, records of shuffles, counted cards, and held money.

A field that is new gets the value that held until then.
"""

from typing import Any

FORM_6_COMMANDS: dict[str, dict[str, Any]] = {
    "open-dispute": {"round": 0, "wager": None},
    "decide-dispute": {"unavailable": []},
    "load-shoe": {"shuffle": None},
}
FORM_6_EVENTS: dict[str, dict[str, Any]] = {
    "dispute-opened": {"round": None, "shoe": None, "wager": None, "by": None},
    "dispute-escalated": {"lapsed": 0, "second": None, "procedure": None},
    "surveillance-informed": {"second": None},
    "dispute-decided": {"second": None, "unavailable": []},
    "patron-answered": {"by": None, "second": None},
    "complaint-right-told": {"until": None},
    "complaint-filed": {"late": False, "by": None},
    "facts-confirmed": {"second": None},
    "facts-disproved": {"second": None},
    "report-withdrawn": {"second": None},
    "ruling-made": {"entered_by": None, "second": None},
    "claim-booked": {"left": False},
    "offer-answered": {"silent": False},
    "decrease-answered": {"silent": False},
    "card-replacement-due": {"procedure": None},
    "shoe-loaded": {"shuffle": None},
}


REPORTED = "irregularity-reported"
NEW_CARDS = {
    "id": "new-cards",
    "says": "Cards that turn out not to have been shuffled are replaced before the next round.",
}


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    _add(body["command"], FORM_6_COMMANDS)
    for event in body.get("events", ()):
        _add(event, FORM_6_EVENTS)
        for effect in event["case"]["effects"] if event["type"] == REPORTED else ():
            if effect["do"] == "replace-cards":  # by a clause, and never by a procedure of the house
                effect.setdefault("procedure", None)


def house(form: dict[str, Any]) -> None:
    """Bring a house up to date: it did not say how disputes are handled, nor that new cards come.

    Nor did it demand a record of a shuffle.
    """
    form["format"] = 4
    form.setdefault("settings", {}).setdefault("shuffle_record", "optional")
    if all(each["id"] != NEW_CARDS["id"] for each in form["procedure"]):
        form["procedure"].append({**NEW_CARDS, "post": form["new_cards_decided_by"]})


def rulebook(document: dict[str, Any]) -> None:
    """Bring a rulebook up to date: it did not say what must be gathered, nor who answers a complaint.

    No approval was known to name another game.
    """
    document["format"] = 3


def _add(value: dict[str, Any], fields: dict[str, dict[str, Any]]) -> None:
    for name, held in fields.get(value["type"], {}).items():
        value.setdefault(name, held)
