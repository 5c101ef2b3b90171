"""The head of a round file: what each key takes, and what it refuses."""

from datetime import UTC, datetime

import pytest

from thirdcard.game.table_setup import Automatic, Device
from thirdcard.roundfile.head import HEAD, KEYS, RoundFileHead, Seat, full_key
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.irregularity import Area, Method
from thirdcard.rulebook.shelf import SHIPPED


def head_of(*lines: str) -> RoundFileHead:
    return parse("\n".join(("game mbs-tiger-v3", *lines))).settings


def test_a_head_of_the_game_alone_leaves_everything_as_usual() -> None:
    assert head_of() == RoundFileHead(game="mbs-tiger-v3", lines={"game": 1})
    usual = head_of()
    assert (usual.start, usual.area, usual.patrons) == (None, Area.MAIN_FLOOR, ())
    assert usual.automatic == (Automatic.EXPOSE, Automatic.CALL)


VALUES: dict[str, object] = {
    "scenario S001 and more": "S001 and more",
    "house marina-bay-sands": "marina-bay-sands",
    "start 2026-01-01T00:00:00+00:00": datetime(2026, 1, 1, tzinfo=UTC),
    "layout E": "E",
    "positions 16": 16,
    "area high-limit": Area.HIGH_LIMIT,
    "device card-reading": Device.CARD_READING,
    "method C": Method.C,
    "decks 4": 4,
    "automatic call": (Automatic.CALL,),
    "automatic expose call": (Automatic.EXPOSE, Automatic.CALL),
    "automatic none": (),
    "face-down": True,
    "terminal": True,
    "training": True,
    "main 50 20000": (5000, 2000000),
    "side 1 1": (100, 100),
    "limit tie 10 200.50": {"tie": (1000, 20050)},
    "differential 300.50": 30050,
    "equipment by hand": True,
    "confirmation by hand": True,
    "table shut": True,
    "shoe empty": True,
    "burn forgotten": True,
    "left 4": 4,
    "patrons Ann at 1, Bob B. at 12 standing, T1": (
        Seat("Ann", 1),
        Seat("Bob B.", 12, seated=False),
        Seat("T1"),
    ),
    "marked Ann, Bob B.": ("Ann", "Bob B."),
}


@pytest.mark.parametrize("line", VALUES)
def test_a_key_is_read(line: str) -> None:
    key, _, value = line.partition(" ")
    assert getattr(head_of(line), KEYS[key].field) == VALUES[line]
    assert head_of(line).line(full_key(key, value)) == 2


def test_a_limit_stands_once_for_each_wager() -> None:
    head = head_of("limit tie 10 200", "limit player 100 1000")
    assert head.limit == {"tie": (1000, 20000), "player": (10000, 100000)}
    assert head.line("limit player") == 3
    with pytest.raises(BadLine) as raised:
        head_of("limit tie 10 200", "limit tie 10 300")
    assert str(raised.value) == ("Line 3: The key limit tie stands in line 2 already. Keep one of the two.")


def test_an_unknown_house_is_named_with_those_that_exist() -> None:
    with pytest.raises(BadLine) as raised:
        parse("house nowhere\ngame mbs-tiger-v3\nside 1 2")
    assert str(raised.value) == (
        "Line 1: There is no house nowhere on the shelf. Choose one of: marina-bay-sands, hoiana."
    )


def test_a_file_is_read_in_the_currency_of_the_house_that_is_found_for_its_name() -> None:
    hoiana = SHIPPED.house("hoiana")
    rules = RoundRules(find_house={"mine.toml": hoiana}.__getitem__)
    assert rules.named_house("mine.toml") is hoiana
    assert RoundRules(house=SHIPPED.house("marina-bay-sands")).named_house("mine.toml").currency.code == "SGD"
    text = "house mine.toml\ngame mbs-tiger-v3\ndifferential 1000000"
    assert parse(text, rules).settings.differential == 1_000_000 * 10**hoiana.currency.exponent


def test_every_key_is_tested_and_is_a_field() -> None:
    assert {"game", *(line.partition(" ")[0] for line in VALUES)} == set(KEYS)
    assert {key.field for key in HEAD} == set(RoundFileHead.__struct_fields__) - {"lines"}


def test_a_key_that_is_not_there_is_blamed_on_the_game() -> None:
    assert head_of("layout A").line("method") == 1
    assert RoundFileHead(game="mbs-tiger-v3").line("method") is None


BAD = {
    "start yesterday": "yesterday is not an instant. Write it with its offset, like 2025-06-02",
    "start 2025-06-02T20:00:00": "2025-06-02T20:00:00 is not an instant. Write it with its offset,",
    "positions many": "many is not a whole number. Write it like 8.",
    "area roof": "roof is no choice here. Choose from: main-floor, high-limit.",
    "device bucket": "bucket is no choice here. Choose from: plain, electronic, card-reading.",
    "method D": "D is no choice here. Choose from: A, B, C.",
    "decks": " is not a whole number. Write it like 8.",
    "automatic": '"" is no choice here. Choose from: expose, call, none.',
    "automatic expose shuffle": "shuffle is no choice here. Choose from: expose, call.",
    "face-down please": "Nothing can stand behind this key, and please does. Take it away.",
    "main 50": '"50" is not a minimum and a maximum. Write two amounts, the smaller one first, like 50 5000.',
    "main 100 50": '"100 50" is not a minimum and a maximum.',
    "side 1 x": "x is not an amount. Write it like 1000 or 316.35, without a comma.",
    "limit": '"" is not a wager with a minimum and a maximum. Write it like: limit tie 10 200.',
    "limit tie 10": '"tie 10" is not a wager with a minimum and a maximum.',
    "limit tie 200 10": '"200 10" is not a minimum and a maximum. Write two amounts, the smaller one first,',
    "limit tie 10 x": "x is not an amount. Write it like 1000 or 316.35, without a comma.",
    "differential -5": "-5 is not an amount. Write it like 1000 or 316.35, without a comma.",
    "confirmation later": "later is no choice here. Write by hand, or leave the line out.",
    "equipment later": "later is no choice here. Write by hand, or leave the line out.",
    "table": '"" is no choice here. Write shut, or leave the line out.',
    "patrons Ann at 1,": '"" is no patron. Write a name and a position, like Ann at 1 or Bob at 2 standing,',
    "marked Ann,": '"Ann," is no list of patrons. Write names with commas between them, like Ann, Bob.',
    "patrons Ann at one": "one is not a whole number. Write it like 8.",
    "patrons Ann at 1, Ann at 2": "A patron is named twice. Give each patron a name of their own.",
}


@pytest.mark.parametrize("line", BAD)
def test_a_bad_value_is_a_bad_line_with_its_number(line: str) -> None:
    with pytest.raises(BadLine) as raised:
        head_of("scenario S001", line)
    assert raised.value.number == 3
    assert raised.value.what.startswith(BAD[line])
    assert str(raised.value) == f"Line 3: {raised.value.what}"
