"""Amounts that a client sends: whole minor units, at most as large as typed ones, or nothing is read."""

import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from thirdcard.clockwork.floor_file import read_floor_file
from thirdcard.game import commands as cmd
from thirdcard.money import MOST_AMOUNT
from thirdcard.refusals import Refusal, Refused
from thirdcard.server.reading import read
from thirdcard.wire.forms import FloorCommandForm, NewPasswordForm, TableCommandForm

FLOOR = Path(__file__).parent.parent.parent / "examples" / "floor.toml"
NOW = datetime.datetime(2026, 6, 1, 20, tzinfo=datetime.UTC)
AWARD = {"type": "decide-dispute", "id": 1, "decision": "so", "sources": ["law"]}
BUY_IN = {"type": "buy-credits", "terminal": "Ann"}
PAYMENT = {"type": "report-irregularity", "situation": "wrong-payment", "patron": "Ann"}
WAGER = {"type": "place-wager", "patron": "Ann", "wager": "player"}


def sent(**command: Any) -> TableCommandForm | Refused:
    """The server's answer to a command to a table."""
    content = msgspec.json.encode({"command_id": "12345678", "command": command})
    return read(msgspec.json.Decoder(TableCommandForm), content)


@pytest.mark.parametrize(
    "amount", [MOST_AMOUNT + 1, 2**53, -MOST_AMOUNT - 1, 1.5, 100.0, "100", "1,50", True, None]
)
@pytest.mark.parametrize(
    ("command", "key"),
    [(AWARD, "award"), (BUY_IN, "amount"), (PAYMENT, "amount"), (WAGER, "amount")],
    ids=["award", "buy-in", "payment", "wager"],
)
def test_absurd_amount_is_not_read(command: dict[str, Any], key: str, amount: object) -> None:
    refused = sent(**command, **{key: amount})
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.NOT_UNDERSTOOD


@pytest.mark.parametrize(
    ("about", "named"),
    [
        ("\x1b[2J", "U+001B"),
        ("so\x00", "U+0000"),
        ("so\x7f", "U+007F"),
        ("\x9b31m", "U+009B"),
        ("invoice\u202etxt.exe", "U+202E"),
        ("so\u2028", "U+2028"),
        ("\u3164", "U+3164"),
        ("so\u200b", "U+200B"),
        ("so\ue000", "U+E000"),
        ("so\U000e0041", "U+E0041"),
    ],
)
def test_a_text_with_a_character_that_nobody_sees_is_not_read(about: str, named: str) -> None:
    refused = sent(type="open-dispute", patron="Ann", about=about)
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.NOT_UNDERSTOOD
    assert dict(refused.params)["problem"] == f"no text may have the character {named}"


@pytest.mark.parametrize(
    "about",
    [
        "two lines\r\nof mine\t",
        "Bánh mì ở đây",
        "第二局　闲",
        "뱅커",
        "a\u00a0b",
        "ok 👍🏽 ❤\ufe0f 👩\u200d🎤",
    ],
)
def test_a_text_that_people_write_is_read(about: str) -> None:
    form = sent(type="open-dispute", patron="Ann", about=about)
    assert isinstance(form, TableCommandForm)
    assert form.command == cmd.OpenDispute(patron="Ann", about=about)


def test_a_password_may_have_any_character() -> None:
    credentials = {"name": "Ann", "password": "so\x1b\u202e"}
    form = read(
        msgspec.json.Decoder(NewPasswordForm),
        msgspec.json.encode({"credentials": credentials, "new": "so\u200b"}),
    )
    assert isinstance(form, NewPasswordForm)
    assert (form.credentials.password, form.new) == ("so\x1b\u202e", "so\u200b")


@pytest.mark.parametrize(
    "command",
    [
        {"type": "open-dispute", "patron": "Ann", "about": "x" * 2001},
        {"type": "file-complaint", "id": 1, "text": "so", "helper": "x" * 2001},
        {"type": "decide-dispute", "id": 1, "decision": "so", "sources": ["law", "x" * 2001]},
    ],
    ids=["text", "name", "in-a-list"],
)
def test_absurd_text_is_not_read(command: dict[str, Any]) -> None:
    refused = sent(**command)
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.TEXT_TOO_LONG
    assert dict(refused.params)["most"] == 2000


def test_many_short_texts_are_read() -> None:
    sources = [f"source-{number}" for number in range(500)]
    form = sent(type="decide-dispute", id=1, decision="so", sources=sources)
    assert isinstance(form, TableCommandForm)


def test_largest_amount_is_read_whole() -> None:
    form = sent(**BUY_IN, amount=MOST_AMOUNT)
    assert isinstance(form, TableCommandForm)
    assert form.command == cmd.BuyCredits(terminal="Ann", amount=MOST_AMOUNT)


def test_buy_in_needs_its_amount() -> None:
    refused = sent(**BUY_IN)
    assert isinstance(refused, Refused)
    assert str(dict(refused.params)["problem"]).startswith("Object missing required field `amount`")


def test_decision_without_award_awards_nothing() -> None:
    form = sent(**AWARD)
    assert isinstance(form, TableCommandForm)
    assert isinstance(form.command, cmd.DecideDispute)
    assert form.command.award == 0


@pytest.mark.parametrize("key", ["minimum", "maximum", "differential"])
def test_absurd_limit_is_not_read(key: str) -> None:
    for amount, reads in ((MOST_AMOUNT, True), (MOST_AMOUNT + 1, False)):
        definition = msgspec.to_builtins(read_floor_file(FLOOR, NOW).command.tables[0])
        setup = definition["setup"]
        (setup if key == "differential" else setup["limits"][0])[key] = amount
        form = {"command_id": "12345678", "command": {"type": "propose-table", "definition": definition}}
        found = read(msgspec.json.Decoder(FloorCommandForm), msgspec.json.encode(form))
        assert isinstance(found, FloorCommandForm) == reads, (amount, found)


@pytest.mark.parametrize(
    "command",
    [
        b'{"type":"buy-credits","terminal":"Ann","amount":1,"amount":2}',
        b'{"type":"buy-credits","terminal":"Ann","amount" :1,"amount":2}',
        b'{"type":"buy-credits","terminal":"A:n","amount":1,"amount":2}',
    ],
)
def test_key_that_stands_twice_is_not_read(command: bytes) -> None:
    """Readers differ about which of the two counts."""
    content = b'{"command_id":"12345678","command":%b}' % command
    refused = read(msgspec.json.Decoder(TableCommandForm), content)
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.NOT_UNDERSTOOD
    assert refused.params == (("problem", "the key amount stands there twice"),)


def test_colon_in_a_text_makes_no_key() -> None:
    content = b'{"command_id":"12345678","command":{"type":"come-to-table","patron":"Ann: \\":"}}'
    found = read(msgspec.json.Decoder(TableCommandForm), content)
    assert isinstance(found, TableCommandForm)
