"""Odds over HTTP: the same as on the command line, with counts that no reader of JSON can round."""

from types import SimpleNamespace

import msgspec
import pytest
from msgspec import Struct

from thirdcard.access.actors import Stranger
from thirdcard.cli import run
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.server.http import Call
from thirdcard.server.pricing import odds
from thirdcard.wire.answers import OddsAnswer


class Counted(Struct):
    """The prices of a wager on the command line."""

    lost: int
    edge: str


class Said(Struct):
    """The answer of the command line."""

    total: int
    wagers: dict[str, Counted]


async def ask(**query: str) -> OddsAnswer | Refused:
    call = Call(Stranger(), {}, {}, query, None, {})
    context = SimpleNamespace(where=SimpleNamespace(shelf=SHIPPED))  # odds are of no floor
    return await odds(context, call)  # type: ignore[arg-type]


@pytest.mark.parametrize("decks", ["8", "10"])
async def test_the_same_numbers_as_on_the_command_line(
    decks: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = await ask(game="mbs-tiger-v3", decks=decks)
    assert isinstance(answer, OddsAnswer)
    assert run(["odds", "mbs-tiger-v3", "--decks", decks, "--json"]) == 0
    said = msgspec.json.decode(capsys.readouterr().out, type=Said)
    assert int(answer.total) == said.total
    assert {name: (int(each.lost), each.edge) for name, each in answer.wagers.items()} == {
        name: (each.lost, each.edge) for name, each in said.wagers.items()
    }


async def test_counts_above_what_a_double_holds_come_whole() -> None:
    answer = await ask(game="mbs-tiger-v3", decks="10")
    assert isinstance(answer, OddsAnswer)
    total = 520 * 519 * 518 * 517 * 516 * 515  # ordered draws of six cards
    assert total > 2**53
    assert msgspec.json.decode(msgspec.json.encode(answer))["total"] == str(total)


@pytest.mark.parametrize(
    "query",
    [
        {"game": "no-such-game"},
        {"game": "mbs-tiger-v3", "decks": "3"},
        {"game": "mbs-tiger-v3", "remaining": "x"},
    ],
)
async def test_what_cannot_be_priced_is_said(query: dict[str, str]) -> None:
    answer = await ask(**query)
    assert isinstance(answer, Refused)
    assert answer.reason is Refusal.CANNOT_PRICE
