"""The OpenAPI document, made from the routes and their types, and a page to read it without a network."""

import html
import re
from typing import Any, Literal

import msgspec
from msgspec import Struct

from thirdcard import __version__
from thirdcard.server.examples import EXAMPLES
from thirdcard.server.schemas import Schema, schemas_of
from thirdcard.wire.paths import API, OWN_HEADER

OPENAPI = (3, 1, 0)  # the version of the format
SERVERS = [{"url": "/", "description": "The server that gave this description"}]
HttpMethod = Literal["GET", "POST", "DELETE"]
JSON_MEDIA = "application/json"
IN_PATH_EXAMPLES = {
    "table": "fast",
    "stream": "fast",
    "number": 1,
    "session": "0f3a5c",
    "exercise": "7b21e0",
    "name": "Dana",
    "command_id": "come-0001",
    "form": "csv",
}
SECURITY_SCHEMES = {
    "staff": {
        "type": "apiKey",
        "in": "cookie",
        "name": "thirdcard-staff",
        "description": "Signing in sets this cookie; over TLS its name begins with __Host-.",
    },
    "terminal": {
        "type": "apiKey",
        "in": "cookie",
        "name": "thirdcard-terminal",
        "description": "Claiming a terminal sets this cookie; over TLS its name begins with __Host-.",
    },
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The secret of a service account, or the value of either cookie.",
    },
}
OWN_PARAMETER: dict[str, Any] = {
    "name": OWN_HEADER,
    "in": "header",
    "required": True,
    "description": (
        "Shows that no page of another site sends this, which could not add it. Its value is free, but a "
        "browser that has the cookies of both a person and a terminal says here as which it acts. A request "
        "with an Authorization header may leave it out."
    ),
    "schema": {"type": "string", "default": "client"},
    "examples": {each: {"value": each} for each in ("client", "staff", "terminal")},
}
RETRY_HEADER = {"retry-after": {"description": "Seconds to wait", "schema": {"type": "integer"}}}
TOKEN_HEADER = {"set-cookie": {"description": "The cookie of who this is now", "schema": {"type": "string"}}}
_IN_PATH = re.compile(r"{(\w+)(?::(\w+))?}")


class Parameter(Struct, frozen=True):
    """A parameter of a query: a whole number, one of some texts, or any text."""

    name: str
    says: str
    number: bool = False
    example: str | int | None = None
    choices: tuple[str, ...] = ()


class Described(Struct, frozen=True, kw_only=True):
    """The description of one route in the document.

    ``open`` says that nobody need sign in first, ``gives_token`` that the answer sets a cookie.
    """

    endpoint: str
    method: HttpMethod
    path: str
    says: str
    form: Any = None
    answers: dict[int, Any]
    query: tuple[Parameter, ...] = ()
    media: tuple[str, ...] = (JSON_MEDIA,)
    open: bool = False
    gives_token: bool = False


def describe(routes: tuple[Described, ...], refusal: type) -> dict[str, Any]:
    """The whole document."""
    types = [each for route in routes for each in (route.form, *route.answers.values()) if each is not None]
    schema_of, components = schemas_of(list(dict.fromkeys([*types, refusal])))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        plain = _IN_PATH.sub(r"{\1}", route.path)
        paths.setdefault(plain, {})[route.method.lower()] = _operation(route, schema_of, refusal)
    return {
        "openapi": ".".join(map(str, OPENAPI)),
        "info": {
            "title": "thirdcard",
            "version": __version__,
            "summary": "A floor of baccarat tables.",
            "description": (
                "Times are microseconds since 1970, amounts whole minor units of the table's currency. "
                "A newer server may send more fields, kinds and reasons than stand here. "
                f"The socket is described in {API}/asyncapi.json."
            ),
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
        },
        "servers": SERVERS,
        "paths": paths,
        "components": {
            "schemas": components,
            "parameters": {"own-header": OWN_PARAMETER},
            "securitySchemes": SECURITY_SCHEMES,
        },
        "security": [*_security()],
    }


def examples_of(kind: Any) -> dict[str, Any]:
    """The examples of a type, as a description has them under ``examples``."""
    found = EXAMPLES.get(kind, {}) if isinstance(kind, type) else {}
    return {says: {"value": msgspec.to_builtins(value)} for says, value in found.items()}


def _security() -> list[dict[str, list[str]]]:
    return [{name: []} for name in SECURITY_SCHEMES]


def _operation(route: Described, schema_of: dict[Any, Schema], refusal: type) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.endpoint,
        "tags": [_tag(route.path)],
        "summary": route.says,
        "parameters": _parameters(route),
        "responses": {},
        "security": [*_security(), *([{}] if route.open else [])],
    }
    if route.form is not None:
        operation["requestBody"] = {
            "required": True,
            "content": _content((JSON_MEDIA,), route.form, schema_of),
        }
    for status, answer in route.answers.items():
        described: dict[str, Any] = {"description": "done" if status < 400 else "refused"}
        kind = refusal if status >= 400 else answer
        if kind is not None:
            media = (JSON_MEDIA,) if status >= 400 else route.media
            described["content"] = _content(media, kind, schema_of)
        if status == 429 or (route.gives_token and status < 400):
            described["headers"] = RETRY_HEADER if status == 429 else TOKEN_HEADER
        operation["responses"][str(status)] = described
    return operation


def _tag(path: str) -> str:
    """Return the group of a path: its first part after those of the API."""
    return path.removeprefix(API).split("/")[1] if path.startswith(API) else "server"


def _content(media: tuple[str, ...], kind: Any, schema_of: dict[Any, Schema]) -> dict[str, Any]:
    """Return a body: JSON by its schema with examples, other files as what they are."""
    if media != (JSON_MEDIA,):
        return {each: {"schema": _file(each)} for each in media}
    examples = examples_of(kind)
    return {JSON_MEDIA: {"schema": schema_of[kind], **({"examples": examples} if examples else {})}}


def _file(media: str) -> Schema:
    return {"type": "string"} if media.startswith("text/") else {"type": "string", "format": "binary"}


def _parameters(route: Described) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name, kind in _IN_PATH.findall(route.path):
        schema = (
            {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
            if kind == "number"
            else {"type": "string", "minLength": 1}
        )
        example = IN_PATH_EXAMPLES[name]
        found.append({"name": name, "in": "path", "required": True, "schema": schema, "example": example})
    for parameter in route.query:
        described: dict[str, Any] = {"description": parameter.says, "schema": _value_of(parameter)}
        if parameter.example is not None:
            described["example"] = parameter.example
        found.append({"name": parameter.name, "in": "query", "required": False, **described})
    if route.method != "GET":
        found.append({"$ref": "#/components/parameters/own-header"})
    return found


def _value_of(parameter: Parameter) -> Schema:
    if parameter.number:
        return {"type": "integer", "minimum": 0}
    return {"type": "string", **({"enum": [*parameter.choices]} if parameter.choices else {})}


def page(document: dict[str, Any]) -> str:
    """The document as one page, for reading; it loads nothing else but the style of the screens."""
    parts = [
        f"<h1>{html.escape(document['info']['title'])} API {html.escape(document['info']['version'])}</h1>"
    ]
    parts.append(f"<p>{html.escape(document['info']['description'])}</p>")
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            parts.append(_section(path, method, operation))
    parts.append("<h2>Forms</h2>")
    for name, schema in sorted(document["components"]["schemas"].items()):
        body = html.escape(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode())
        says = html.escape(schema.get("description", ""))
        parts.append(
            f'<details id="{name}"><summary><code>{name}</code> {says}</summary><pre>{body}</pre></details>'
        )
    style = '<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/docs.css">'
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API</title>{style}</head>'
    return f"{head}<body><main>{''.join(parts)}</main></body></html>"


def _section(path: str, method: str, operation: dict[str, Any]) -> str:
    says = html.escape(operation["summary"])
    lines = [f"<section><h3><code>{method.upper()} {html.escape(path)}</code></h3><p>{says}</p><ul>"]
    lines += [
        f"<li>{parameter['in']} <code>{html.escape(parameter['name'])}</code> {_values(parameter)}</li>"
        for parameter in (OWN_PARAMETER if "$ref" in each else each for each in operation["parameters"])
    ]
    if "requestBody" in operation:
        lines.append(
            f"<li>body {_link(operation['requestBody']['content']['application/json']['schema'])}</li>"
        )
    for status, answer in operation["responses"].items():
        schemas = [each["schema"] for each in answer.get("content", {}).values()]
        lines.append(f"<li>{status} {' '.join(map(_link, schemas))}</li>")
    return "".join([*lines, "</ul></section>"])


def _values(parameter: dict[str, Any]) -> str:
    """Return the values that a parameter takes, where these are few."""
    return html.escape(", ".join(parameter["schema"].get("enum", ())))


def _link(schema: dict[str, Any]) -> str:
    name = schema.get("$ref", "").rpartition("/")[2]
    return f'<a href="#{name}"><code>{name}</code></a>' if name else "<code>text</code>"
