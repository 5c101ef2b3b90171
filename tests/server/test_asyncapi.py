"""The description of the socket is valid, and every message of a played round follows it."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import jsonschema_rs
import msgspec
import pytest
from limits import LONG_ENOUGH
from server.served import Served, open_for_many, timers
from websockets.asyncio.client import ClientConnection, connect

from thirdcard.client.calls import Client
from thirdcard.floor import commands as floor_cmd
from thirdcard.server.asyncapi import describe_socket
from thirdcard.wire.frames import Incoming, Outgoing
from thirdcard.wire.paths import SOCKET

ROOT = Path(__file__).parents[2]
OFFICIAL = ROOT / "screens" / "node_modules" / "@asyncapi" / "specs" / "schemas" / "3.0.0-without-$id.json"
DOCUMENT: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(describe_socket()))
SIX = "Six"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers(betting=600)}
"""


def official() -> jsonschema_rs.Draft7Validator:
    """The schema of AsyncAPI documents, which names its draft in a way that not every reader knows."""
    schema = json.loads(OFFICIAL.read_text("utf-8"))
    return jsonschema_rs.Draft7Validator(schema | {"$schema": "http://json-schema.org/draft-07/schema#"})


def strict(schema: Any) -> Any:
    """A schema that takes no field which it does not name."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: strict(each) for key, each in schema.items()}
    named = isinstance(schema.get("properties"), dict) and schema.get("type") == "object"
    return {"additionalProperties": False, **found} if named else found


MESSAGES = DOCUMENT["components"]["messages"]
SCHEMAS = strict(DOCUMENT["components"]["schemas"])
VALIDATORS = {
    tag: jsonschema_rs.Draft7Validator({**message["payload"], "components": {"schemas": SCHEMAS}})
    for tag, message in MESSAGES.items()
}


def test_the_document_is_valid() -> None:
    official().validate(DOCUMENT)


def test_a_document_that_breaks_the_format_is_noticed() -> None:
    operations = DOCUMENT["operations"] | {"tell-who": {"action": "whisper"}}
    assert not official().is_valid(DOCUMENT | {"operations": operations})


def test_every_message_of_the_socket_is_described() -> None:
    tags = {each.__struct_config__.tag for each in (*get_args(Incoming), *get_args(Outgoing))}
    assert set(MESSAGES) == set(DOCUMENT["channels"]["socket"]["messages"]) == tags
    told = json.dumps(DOCUMENT["operations"])
    assert [tag for tag in tags if f'"#/channels/socket/messages/{tag}"' not in told] == []


def test_every_reference_leads_somewhere() -> None:
    for ref in _refs(DOCUMENT):
        found: Any = DOCUMENT
        for part in ref.removeprefix("#/").split("/"):
            found = found[part]
        assert found


def test_commands_that_nobody_may_send_are_not_listed() -> None:
    assert "PlaceWager" in SCHEMAS
    assert not {"SetUpTable", "ChangeTable", "OpenShoe"} & set(SCHEMAS)


def test_an_example_follows_its_schema() -> None:
    examples = [(tag, each) for tag, message in MESSAGES.items() for each in message.get("examples", ())]
    assert {"command", "watch"} <= {tag for tag, _ in examples}
    for tag, example in examples:
        VALIDATORS[tag].validate(example["payload"])


def _refs(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from _refs(each)
    elif isinstance(value, list):
        for each in value:
            yield from _refs(each)


# a played round


class Recorded:
    """A socket whose messages are all held against the document, in both directions."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []

    async def send(self, **message: Any) -> None:
        VALIDATORS[message["type"]].validate(message)
        await self.socket.send(json.dumps(message))

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return the next message of a kind with these fields; every one is held against the document."""
        async with asyncio.timeout(LONG_ENOUGH):
            while True:
                message: dict[str, Any] = json.loads(await self.socket.recv())
                VALIDATORS[message["type"]].validate(message)
                self.heard.append(message)
                if message["type"] == kind and all(message[name] == each for name, each in fields.items()):
                    return message

    async def does(self, number: int, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a command; the answer that accepts it."""
        command_id = f"command-{number}"
        await self.send(type="command", table=SIX, command_id=command_id, command={"type": kind, **fields})
        return await self.until("accepted", command_id=command_id)

    async def hears(self, moment: str) -> None:
        """Take messages until a moment is told."""
        while moment not in self.moments:
            await self.until("news")

    @property
    def moments(self) -> list[str]:
        return [each["what"]["kind"] for message in self.heard for each in message.get("moments", ())]


def opened(client: Client) -> connect:
    address = f"ws{client.address.removeprefix('http')}{SOCKET}"
    return connect(address, additional_headers=client.headers, compression=None, proxy=None)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with open_for_many(tmp_path_factory.mktemp("asyncapi"), TABLES, {"E1": (SIX, None)}) as served:
        yield served


async def test_every_message_of_a_played_round_follows_the_document(floor: Served) -> None:
    async with floor.visited() as served:
        terminal, manager = served.terminal("E1"), await served.staff("Max")
        async with opened(terminal) as of_terminal, opened(manager) as of_manager:
            ann, max_ = Recorded(of_terminal), Recorded(of_manager)
            for each in (ann, max_):
                assert (await each.until("hello"))["me"]["kind"] in ("terminal", "staff")
                await each.send(type="watch-lobby")
                await each.send(type="watch", table=SIX, after=0)
                await each.until("lobby")
                assert (await each.until("view"))["sections"]["setup"]
            await terminal.floor_command(floor_cmd.OpenPatronSession(terminal="E1", patron="Ann"))
            await ann.does(1, "come-to-table", patron="Ann")
            await ann.does(2, "buy-credits", terminal="Ann", amount=100_000)
            await ann.hears("betting-opened")
            placed = await ann.does(3, "place-wager", patron="Ann", wager="player", amount=10_000)
            assert placed["receipt"]["kind"] == "place-wager"
            await ann.send(type="watch", table="Nowhere")
            await ann.until("refused", reason="no-such-table")
            await ann.does(4, "deal-now", patron="Ann")
            for each in (ann, max_):
                await each.hears("round-settled")
                await each.send(type="ping")
                await each.until("pong")
            await ann.send(type="unwatch", table=SIX)
            async with httpx.AsyncClient(trust_env=False) as http:
                await http.post(f"{manager.address}/api/v1/sign-out", headers=manager.headers)
            assert (await max_.until("ended"))["again"] is False
        kinds = {message["type"] for each in (ann, max_) for message in each.heard}
        assert kinds == {each.__struct_config__.tag for each in get_args(Outgoing)}
        assert {"wager-placed", "card-drawn", "round-settled"} <= set(ann.moments)


def test_a_message_with_a_field_that_is_not_described_is_noticed() -> None:
    VALIDATORS["pong"].validate({"type": "pong", "now": 1})
    with pytest.raises(jsonschema_rs.ValidationError):
        VALIDATORS["pong"].validate({"type": "pong", "now": 1, "then": 2})
