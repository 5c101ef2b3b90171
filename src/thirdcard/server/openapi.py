"""The OpenAPI document, made from the routes and their types, and a page to read it without a network."""

import html
import re
from typing import Any, Literal

import msgspec
from msgspec import Struct

from thirdcard import __version__

REF = "#/components/schemas/{name}"
OPENAPI = (3, 1, 0)  # the version of the format
HttpMethod = Literal["GET", "POST", "DELETE"]
_IN_PATH = re.compile(r"{(\w+)(?::(\w+))?}")


class Parameter(Struct, frozen=True):
    """A parameter of a query: whole numbers not below a least, or texts."""

    name: str
    says: str
    number: bool = False


class Described(Struct, frozen=True, kw_only=True):
    """The description of one route in the document."""

    endpoint: str
    method: HttpMethod
    path: str
    says: str
    form: Any = None
    answers: dict[int, Any]
    query: tuple[Parameter, ...] = ()
    media: str = "application/json"


def describe(routes: tuple[Described, ...], refusal: type) -> dict[str, Any]:
    """The whole document."""
    types = [each for route in routes for each in (route.form, *route.answers.values()) if each is not None]
    unique = list(dict.fromkeys([*types, refusal]))
    schemas, components = msgspec.json.schema_components(unique, ref_template=REF)
    schema_of = dict(zip(unique, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        plain = _IN_PATH.sub(r"{\1}", route.path)
        paths.setdefault(plain, {})[route.method.lower()] = _operation(route, schema_of, refusal)
    return {
        "openapi": ".".join(map(str, OPENAPI)),
        "info": {"title": "thirdcard", "version": __version__, "summary": "A floor of baccarat tables."},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "staff": {"type": "apiKey", "in": "cookie", "name": "thirdcard-staff"},
                "terminal": {"type": "apiKey", "in": "cookie", "name": "thirdcard-terminal"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
        "security": [{"staff": []}, {"terminal": []}, {"token": []}, {}],
    }


def _operation(route: Described, schema_of: dict[Any, Any], refusal: type) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.endpoint,
        "summary": route.says,
        "parameters": _parameters(route),
        "responses": {},
    }
    if route.form is not None:
        content = {"application/json": {"schema": schema_of[route.form]}}
        operation["requestBody"] = {"required": True, "content": content}
    for status, answer in route.answers.items():
        described: dict[str, Any] = {"description": "done" if status < 400 else "refused"}
        kind = refusal if status >= 400 else answer
        if kind is not None:
            media = "application/json" if status >= 400 else route.media
            described["content"] = {media: {"schema": schema_of[kind]}}
        operation["responses"][str(status)] = described
    return operation


def _parameters(route: Described) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name, kind in _IN_PATH.findall(route.path):
        schema = (
            {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}
            if kind == "number"
            else {"type": "string", "minLength": 1}
        )
        found.append({"name": name, "in": "path", "required": True, "schema": schema})
    for parameter in route.query:
        schema = {"type": "integer", "minimum": 0} if parameter.number else {"type": "string"}
        described = {"description": parameter.says, "schema": schema}
        found.append({"name": parameter.name, "in": "query", "required": False, **described})
    return found


def page(document: dict[str, Any]) -> str:
    """The document as one page, for reading; it loads nothing else but the style of the screens."""
    parts = [
        f"<h1>{html.escape(document['info']['title'])} API {html.escape(document['info']['version'])}</h1>"
    ]
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
        f"<li>{parameter['in']} <code>{html.escape(parameter['name'])}</code></li>"
        for parameter in operation["parameters"]
    ]
    if "requestBody" in operation:
        lines.append(
            f"<li>body {_link(operation['requestBody']['content']['application/json']['schema'])}</li>"
        )
    for status, answer in operation["responses"].items():
        schemas = [each["schema"] for each in answer.get("content", {}).values()]
        lines.append(f"<li>{status} {' '.join(map(_link, schemas))}</li>")
    return "".join([*lines, "</ul></section>"])


def _link(schema: dict[str, Any]) -> str:
    name = schema.get("$ref", "").rpartition("/")[2]
    return f'<a href="#{name}"><code>{name}</code></a>' if name else "<code>text</code>"
