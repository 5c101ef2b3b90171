"""The AsyncAPI document of the socket, made from the types of its messages."""

import inspect
from typing import Any, get_args

import msgspec

from thirdcard import __version__
from thirdcard.server.openapi import SECURITY_SCHEMES, examples_of
from thirdcard.server.schemas import Schema, references, schemas_of
from thirdcard.views.sections.whole import View
from thirdcard.wire.answers import AcceptedAnswer
from thirdcard.wire.frames import (
    Ended,
    Hello,
    Incoming,
    LobbyFrame,
    NewsFrame,
    Outgoing,
    Ping,
    Pong,
    SendCommand,
    Unwatch,
    ViewFrame,
    Watch,
    WatchLobby,
)
from thirdcard.wire.paths import SOCKET
from thirdcard.wire.refusals import RefusedMessage

ASYNCAPI, WS_BINDING = (3, 0, 0), (0, 1, 0)  # the versions of the format, and of what it says of sockets
SOCKET_CHANNEL = "socket"
CHANGED = "ChangedSections"
# what a client may send, and what answers it
ANSWERS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "watch-table": (Watch, (ViewFrame, RefusedMessage)),
    "unwatch-table": (Unwatch, ()),
    "watch-lobby": (WatchLobby, (LobbyFrame,)),
    "send-command": (SendCommand, (AcceptedAnswer, RefusedMessage)),
    "ask-time": (Ping, (Pong,)),
}
# what the server sends by itself
NEWS: dict[str, tuple[Any, ...]] = {
    "tell-who": (Hello,),
    "tell-table": (ViewFrame, NewsFrame),
    "tell-lobby": (LobbyFrame,),
    "end": (Ended,),
}
WITH_COMMAND_ID = (SendCommand, AcceptedAnswer, RefusedMessage)
SECTIONS_OF: dict[Any, str] = {ViewFrame: View.__name__, NewsFrame: CHANGED}


def describe_socket() -> dict[str, Any]:
    """The whole document."""
    messages = (*get_args(Incoming), *get_args(Outgoing))
    _, schemas = schemas_of([*messages, View])
    schemas[CHANGED] = _changed_sections(schemas[View.__name__])
    for frame, sections in SECTIONS_OF.items():
        schemas[frame.__name__]["properties"]["sections"] = {"$ref": f"#/components/schemas/{sections}"}
    return {
        "asyncapi": ".".join(map(str, ASYNCAPI)),
        "info": {
            "title": "thirdcard",
            "version": __version__,
            "description": (
                "The socket of a floor of baccarat tables. Times are microseconds since 1970, amounts whole "
                "minor units of the table's currency. A newer server may send more fields, kinds of messages "
                "and moments, and reasons than stand here."
            ),
            "license": {"name": "Apache 2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {"plain": _server("ws"), "tls": _server("wss")},
        "channels": {SOCKET_CHANNEL: _channel(messages)},
        "operations": {
            **{name: _asked(*exchange) for name, exchange in ANSWERS.items()},
            **{name: {"action": "send", **_messages(sent)} for name, sent in NEWS.items()},
        },
        "components": {
            "schemas": {name: _as_draft_7(schema) for name, schema in schemas.items()},
            "messages": {_tag(each): _message(each) for each in messages},
            "securitySchemes": {name: _scheme(scheme) for name, scheme in SECURITY_SCHEMES.items()},
        },
    }


def _server(protocol: str) -> dict[str, Any]:
    host = {"default": "127.0.0.1:8333", "description": "Where the server listens"}
    names = (f"#/components/securitySchemes/{name}" for name in SECURITY_SCHEMES)
    return {
        "host": "{host}",
        "protocol": protocol,
        "variables": {"host": host},
        "security": [{"$ref": name} for name in names],
    }


def _scheme(scheme: dict[str, str]) -> dict[str, str]:
    """Return a way to show who one is; AsyncAPI has a name of its own for keys over HTTP."""
    return {**scheme, "type": "httpApiKey"} if scheme["type"] == "apiKey" else scheme


def _channel(messages: tuple[Any, ...]) -> dict[str, Any]:
    acts_as = {
        "type": "string",
        "enum": ["staff", "terminal"],
        "description": "As whom a page acts that has the cookies of both",
    }
    query = {"type": "object", "properties": {"as": acts_as}}
    version = ".".join(map(str, WS_BINDING))
    return {
        "address": SOCKET,
        "description": (
            "A WebSocket. The server says hello first; commands are answered in order. Lost, it is opened "
            "again, tables are watched after their last sequence, and commands sent again under their ids."
        ),
        "messages": {_tag(each): {"$ref": f"#/components/messages/{_tag(each)}"} for each in messages},
        "bindings": {"ws": {"method": "GET", "query": query, "bindingVersion": version}},
    }


def _asked(message: Any, answers: tuple[Any, ...]) -> dict[str, Any]:
    """Return what a client may send, and what answers it."""
    asked = {"action": "receive", **_messages((message,))}
    return {**asked, "reply": _messages(answers)} if answers else asked


def _messages(messages: tuple[Any, ...]) -> dict[str, Any]:
    channel = f"#/channels/{SOCKET_CHANNEL}"
    sent = [{"$ref": f"{channel}/messages/{_tag(each)}"} for each in messages]
    return {"channel": {"$ref": channel}, "messages": sent}


def _message(message: Any) -> dict[str, Any]:
    name = message.__name__
    found: dict[str, Any] = {
        "name": _tag(message),
        "title": name,
        "summary": inspect.getdoc(message),
        "payload": {"$ref": f"#/components/schemas/{name}"},
    }
    if message in WITH_COMMAND_ID:
        found["correlationId"] = {"location": "$message.payload#/command_id"}
    if examples := examples_of(message):
        found["examples"] = [{"name": says, "payload": each["value"]} for says, each in examples.items()]
    return found


def _tag(message: type[msgspec.Struct]) -> str:
    """Return the type of a message as it stands in the message."""
    return str(message.__struct_config__.tag)


def _changed_sections(view: Schema) -> Schema:
    """Return the schema of sections of which any may be missing, and be nothing where it is gone."""
    found: dict[str, Any] = {}
    for name, schema in view["properties"].items():
        (section,) = references(schema)
        found[name] = {"anyOf": [{"$ref": f"#/components/schemas/{section}"}, {"type": "null"}]}
    says = "The sections that changed, by name; null for one that is gone."
    return {"title": CHANGED, "description": says, "type": "object", "properties": found}


def _as_draft_7(schema: Any) -> Any:
    """Return a schema in the draft that AsyncAPI has for its own: items one by one, and no discriminators."""
    if isinstance(schema, list):
        return [_as_draft_7(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _as_draft_7(each) for key, each in schema.items() if key != "discriminator"}
    if isinstance(found.get("prefixItems"), list):
        found["items"] = found.pop("prefixItems")
        found["additionalItems"] = False
    return found
