"""From form 1 to form 2: builds that called themselves 0.1.0 left out what later ones wrote.

Form 1 had no guard, so fields came and went under one number. A field that is missing gets the value that
held before there was a choice.
"""

from typing import Any

COMMAND_FIELDS: dict[str, dict[str, object]] = {
    "draw-card": {"by": None},
    "expose-cards": {"by": None},
    "load-shoe": {"seal": None},
}
EVENT_FIELDS: dict[str, dict[str, object]] = {
    "cards-burned": {"first": None},
    "claim-booked": {"procedure": None},
    "effect-carried-out": {"done": True},
    "round-voided": {"procedure": None},
    "shoe-loaded": {"seal": None},
    "wager-handed-back": {"procedure": None},
}
FLOOR_FIELDS: dict[str, dict[str, object]] = {
    "sign-in": {"step": None},
    "signed-in": {"step": None},
}
CARDS_BEHIND_CUTTING_CARD = 16  # as every house has set it since
ALARMS_ACKNOWLEDGED_BY = "pit-supervisor"  # as every house has set it since
# alarms had numbers of their own; an alert is named by its record, and no record has this number
UNTOLD = 0


def table_body(body: dict[str, Any]) -> None:
    """Bring the body of a table's record up to date."""
    command = body["command"]
    _add(command, COMMAND_FIELDS.get(command["type"], {}))
    if command["type"] == "set-up-table":
        _add(command["setup"], {"training": False})
    if command["type"] == "acknowledge-alarm":
        command["type"] = "acknowledge-alert"
        _number_alert(command)
    for event in body.get("events", ()):
        _bring_event(event)
    refused = body.get("refused")
    if refused and refused["reason"] == "no-such-alarm":
        refused["reason"] = "not-awaited"


def _bring_event(event: dict[str, Any]) -> None:
    _add(event, EVENT_FIELDS.get(event["type"], {}))
    match event["type"]:
        case "table-set-up":
            _add(event["setup"], {"training": False})
        case "round-voided":
            for wager in event["returned"]:
                _add(wager, {"marked": False})
                wager.pop("placed_by", None)
        case "irregularity-reported":
            _add(event["case"], {"withdrew": False})
        case "offer-opened":
            event["offer"].pop("withdrew", None)
        case "alarm-raised":
            event["alarm"].pop("id", None)
        case "alarm-acknowledged":
            event["type"] = "alert-acknowledged"
            _number_alert(event)


def _number_alert(value: dict[str, Any]) -> None:
    del value["id"]
    value["sequence"] = UNTOLD


def floor_body(body: dict[str, Any]) -> None:
    """Bring the body of a floor's record up to date."""
    for each in (body["command"], *body.get("events", ())):
        _add(each, FLOOR_FIELDS.get(each["type"], {}))
        match each["type"]:
            case "person-added":
                _add(each["person"], {"step": 0})
            case "define-tables":
                for definition in each["tables"]:
                    _bring_definition(definition)
            case "propose-table":
                _bring_definition(each["definition"])
            case "table-proposed":
                _bring_definition(each["proposal"]["definition"])
            case "table-defined":
                _bring_definition(each["definition"])
                if each["before"] is not None:
                    _bring_definition(each["before"])


def _bring_definition(definition: dict[str, Any]) -> None:
    """Whether a table is for training stood beside its set-up."""
    _add(definition, {"reader": None})
    _add(definition["setup"], {"training": definition.pop("training", False)})


def house(form: dict[str, Any]) -> None:
    """Bring a house up to date."""
    form["format"] = 2
    _add(form, {"alarms_acknowledged_by": ALARMS_ACKNOWLEDGED_BY})
    _add(form["settings"], {"cards_behind_cutting_card": CARDS_BEHIND_CUTTING_CARD})


def _add(value: dict[str, Any], fields: dict[str, object]) -> None:
    for name, held in fields.items():
        value.setdefault(name, held)
