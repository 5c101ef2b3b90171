"""The description of the API is valid, says what a caller must send, and lists what somebody may send."""

import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from thirdcard.access.endpoints import Endpoint
from thirdcard.server.examples import EXAMPLES
from thirdcard.server.openapi import describe, page
from thirdcard.server.routes import ROUTES
from thirdcard.server.schemas import plain_name, schemas_of
from thirdcard.wire.refusals import RefusedMessage

DOCUMENT: dict[str, Any] = msgspec.json.decode(
    msgspec.json.encode(describe(tuple(route.described for route in ROUTES), RefusedMessage))
)
SCHEMAS = DOCUMENT["components"]["schemas"]
OPERATIONS = {
    (method, path): operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}


def nodes(value: Any) -> Iterator[Any]:
    """Everything within a document."""
    yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from nodes(each)


def commands_of(form: str) -> set[str]:
    """The tags of the commands that a form takes."""
    return set(SCHEMAS[form]["properties"]["command"]["discriminator"]["mapping"])


def test_the_document_is_valid() -> None:
    OPENAPI_31_VALIDATOR.validate(DOCUMENT)
    assert DOCUMENT["servers"] == [{"url": "/", "description": "The server that gave this description"}]


def test_names_are_plain_and_every_reference_leads_somewhere() -> None:
    assert [name for name in SCHEMAS if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name)] == []
    refs = {each["$ref"] for each in nodes(DOCUMENT) if isinstance(each, dict) and "$ref" in each}
    assert refs == {
        "#/components/parameters/own-header",
        *(f"#/components/schemas/{name}" for name in SCHEMAS),
    }


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Step", "Step"),
        ("thirdcard.dossier.story.Step", "StoryStep"),
        ("RoadCell_BigRoadMark_", "RoadCellBigRoadMark"),
    ],
)
def test_a_name_has_no_path_and_no_brackets(name: str, plain: str) -> None:
    assert plain_name(name) == plain


def test_no_schema_is_false_since_generators_refuse_it() -> None:
    assert [each for each in nodes(DOCUMENT) if isinstance(each, dict) and each.get("items") is False] == []


def test_whatever_changes_something_names_the_header_that_it_needs() -> None:
    (header,) = DOCUMENT["components"]["parameters"].values()
    assert (header["name"], header["in"], header["required"]) == ("x-thirdcard", "header", True)
    for (method, path), operation in OPERATIONS.items():
        named = {"$ref": "#/components/parameters/own-header"} in operation["parameters"]
        assert named == (method != "get"), path


def test_commands_that_nobody_may_send_are_not_listed() -> None:
    at_floor, at_table = commands_of("FloorCommandForm"), commands_of("TableCommandForm")
    assert not at_floor & {"add-person", "fail-sign-in", "sign-in", "claim-terminal", "define-tables"}
    assert {"lock-person", "open-patron-session", "enable-terminal"} <= at_floor
    assert not at_table & {"set-up-table", "change-table", "open-shoe"}
    assert {"place-wager", "come-to-table", "deal-now", "buy-credits", "rule"} <= at_table
    assert not {"AddPerson", "FailSignIn", "SetUpTable"} & set(SCHEMAS)


def test_who_need_not_sign_in_is_told() -> None:
    asks = {operation["operationId"]: operation["security"] for operation in OPERATIONS.values()}
    assert {} in asks[Endpoint.SIGN_IN.value]
    assert {} in asks[Endpoint.TABLES.value]  # at the demonstration floor
    assert {} not in asks[Endpoint.TABLE_COMMANDS.value]
    assert {"token": []} in asks[Endpoint.TABLE_COMMANDS.value]


def test_a_query_says_what_it_takes() -> None:
    searched = OPERATIONS["get", "/api/v1/rounds"]["parameters"]
    takes = {each["name"]: each["schema"].get("enum") for each in searched}
    assert takes["winner"] == ["player", "banker", "tie"]
    assert takes["void"] == ["yes"]
    assert "misdeal" in takes["situation"]
    assert takes["patron"] is None


def test_the_page_shows_the_header_and_the_values_of_a_query() -> None:
    shown = page(DOCUMENT)
    assert "<li>header <code>x-thirdcard</code> </li>" in shown
    assert "<li>query <code>winner</code> player, banker, tie</li>" in shown


def test_a_file_is_described_as_what_it_is() -> None:
    content = OPERATIONS["get", "/api/v1/reports/{form}"]["responses"]["200"]["content"]
    workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert set(content) == {"text/csv; charset=utf-8", workbook, "application/pdf"}


def test_every_form_has_an_example() -> None:
    """A new form gets one in server/examples.py."""
    forms = {route.described.form for route in ROUTES if route.described.form is not None}
    assert forms - EXAMPLES.keys() == set()
    for operation in OPERATIONS.values():
        body = operation.get("requestBody", {"content": {}})["content"]
        assert all(media["examples"] for media in body.values()), operation["operationId"]


@pytest.mark.parametrize("kind", EXAMPLES, ids=lambda kind: kind.__name__)
def test_an_example_is_read_and_follows_its_schema(kind: type) -> None:
    schemas, components = schemas_of([kind])
    document = {**schemas[kind], "components": {"schemas": components}}
    for value in EXAMPLES[kind].values():
        content = msgspec.json.encode(value)
        assert msgspec.json.decode(content, type=kind) == value
        jsonschema_rs.Draft202012Validator(document).validate(msgspec.json.decode(content))
