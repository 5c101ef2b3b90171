"""A client goes on with a server that is newer: what it does not know it leaves out, or tells as text."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from limits import LONG_ENOUGH
from server.newer import FIELD, KIND, newer, newer_server
from server.served import PATIENT, Served, open_for_many, timers
from server.watching import Bots

from thirdcard import client
from thirdcard.client.bot import BotPlan
from thirdcard.client.tolerant import RefusalRead, read, read_frame
from thirdcard.game.state import Phase
from thirdcard.rulebook.facts import Winner
from thirdcard.wire.answers import AcceptedAnswer, Me, MessagesAnswer, MomentAt, OddsAnswer
from thirdcard.wire.frames import Ended, Hello, LobbyFrame, Pong

SIX = "Six"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers()}
"""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with open_for_many(tmp_path_factory.mktemp("newer"), TABLES, {"E1": (SIX, None)}) as served:
        yield served


async def test_a_bot_plays_at_a_newer_server(floor: Served) -> None:
    async with floor.visited() as served, newer_server(served.addresses[0]) as (address, server):
        here, direct = served.terminal("E1", address), served.terminal("E1")
        told: list[MomentAt] = []
        async with client.ClientSocket(here) as socket:
            picture = await socket.watch(SIX, told.append)
            played = await Bots(served).come(here, BotPlan(patron="Bot", rounds=2, within=LONG_ENOUGH)).play()
            assert played.rounds == 2
            now = await direct.table(SIX)
            assert await picture.reaches(now.sequence, LONG_ENOUGH) == now.view
        new = [each.what for each in told if each.what.kind == KIND]
        assert {each.fields["pips"] for each in new if isinstance(each, client.UnknownMoment)} == {6}
        assert {"wager-placed", "round-settled"} <= {each.what.kind for each in told}
        assert await here.messages(SIX, 0) != await direct.messages(SIX, 0)  # moments of a new kind
        manager = served.nobody(address)
        shown = await served.shown("Max")
        await manager.sign_in(shown.name, shown.password, shown.code)
        real = served.nobody()
        real.token = manager.token
        assert (await manager.history(SIX)).rounds
        for ask in ("tables", "accounts"):
            assert await getattr(manager, ask)() == await getattr(real, ask)()
        for ask in ("history", "meters"):
            assert await getattr(manager, ask)(SIX) == await getattr(real, ask)(SIX)
        server.reasons["no-such-table"] = "table-on-the-moon"
        with pytest.raises(client.WasRefused) as refused:
            await manager.table("Nowhere")
        assert (refused.value.code, refused.value.reason) == ("table-on-the-moon", None)
        assert (str(refused.value), refused.value.status) == ("There is no such table. Set it up first.", 404)


async def test_a_refusal_with_a_new_reason_fails_the_command_over_a_socket(floor: Served) -> None:
    async with floor.visited() as served, newer_server(served.addresses[0]) as (address, server):
        server.reasons["not-signed-in"] = server.reasons["not-permitted"] = "no-luck"
        here = client.Client(address, token=served.tokens["E1"], patience=PATIENT)
        async with here, client.ClientSocket(here) as socket:
            with pytest.raises(client.WasRefused) as refused:
                await socket.command(SIX, client.commands.CloseBetting())
            assert refused.value.code == "no-luck"


# what is left out


def test_every_field_that_is_not_known_is_ignored() -> None:
    me = Me(kind="terminal", name="E1", now=5, version="9.0.0")
    assert read(msgspec.json.encode(newer(msgspec.to_builtins(me))), Me) == me


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        (list[Winner], ["player", "both", "tie"], [Winner.PLAYER, Winner.TIE]),
        (dict[str, int], {"A": 32, FIELD: True}, {"A": 32}),
        (dict[Winner, int], {"tie": 1, "both": 2}, {Winner.TIE: 1}),
        (Winner | None, "both", None),
        (tuple[str, int], ["a", 1, "more"], ("a", 1)),
        (list[tuple[str, int]], [["a", 1], ["b"], ["c", 3]], [("a", 1), ("c", 3)]),
    ],
)
def test_a_value_of_a_kind_that_is_not_known_is_left_out(kind: Any, value: Any, found: Any) -> None:
    class Answer(msgspec.Struct):
        told: kind

    assert read(msgspec.json.encode({"told": value}), Answer).told == found


def test_a_receipt_in_a_new_form_is_left_out() -> None:
    answer = {"type": "accepted", "command_id": "12345678", "sequence": 7, "receipt": {"receipt": 9}}
    read_one = read(msgspec.json.encode(answer), AcceptedAnswer)
    assert (read_one.sequence, read_one.receipt) == (7, None)


def test_a_field_that_may_be_absent_may_be_missing() -> None:
    class Answer(msgspec.Struct):
        phase: Phase | None
        round: int = 3

    assert read(b"{}", Answer) == Answer(phase=None, round=3)


def test_a_value_that_cannot_be_left_out_is_named() -> None:
    with pytest.raises(client.NotUnderstood, match=r"Me\.now is missing"):
        read(b'{"kind": "guest", "name": "", "version": "9"}', Me)
    with pytest.raises(client.NotUnderstood, match="'robot', which is not known here"):
        read(b'{"kind": "robot", "name": "", "now": 1, "version": "9"}', Me)
    with pytest.raises(client.NotUnderstood, match="no JSON"):
        read(b"<html>", OddsAnswer)


def test_a_moment_without_its_place_is_left_out() -> None:
    moments = [{"what": {"kind": "dice-rolled"}}, {"sequence": 4, "at": 1, "what": {"kind": "dice-rolled"}}]
    answer = read(msgspec.json.encode({"sequence": 9, "moments": moments}), MessagesAnswer)
    assert [(each.sequence, each.what.kind) for each in answer.moments] == [(4, "dice-rolled")]


# frames


def test_a_message_of_a_kind_that_is_not_known_is_left_out() -> None:
    assert read_frame('{"type": "weather", "sky": "clear"}') is None
    assert read_frame('{"type": "pong", "now": 4, "then": 5}') == Pong(now=4)


def test_a_message_that_can_be_done_without_is_left_out() -> None:
    for kind in (Hello, LobbyFrame):
        assert read_frame(msgspec.json.encode({"type": kind.__struct_config__.tag})) is None
    with pytest.raises(client.NotUnderstood):
        read_frame('{"type": "view", "table": "Six"}')
    with pytest.raises(client.NotUnderstood):
        read_frame('{"sky": "clear"}')


def test_the_last_message_of_a_socket_is_read() -> None:
    assert read_frame('{"type": "ended", "reason": "moved", "again": false, "to": "b"}') == Ended(
        reason="moved", again=False
    )


def test_a_refusal_without_a_sentence_says_its_reason() -> None:
    assert str(read(b'{"reason": "no-luck"}', RefusalRead).error()) == "no-luck"
