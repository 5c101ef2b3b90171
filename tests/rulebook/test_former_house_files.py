"""House files and stored houses of former formats are read, and say no more than their format could."""

import importlib.resources
import re
import typing
from typing import Any, Literal

import msgspec
import pytest

from thirdcard.journal.codec import encode, house_from
from thirdcard.rulebook.house import FORMER_KEYS, HouseForm, MoneyAct, RoundingForm, Settings
from thirdcard.rulebook.read import UnreadableFile, parse_house
from thirdcard.rulebook.shelf import HOUSES, SHIPPED

# the keys of formats 1 and 2 that are gone, with the one value that each could have
FORMER_SETTINGS = {
    "under_minimum_memory": "table-stay",
    "pro_rata_base": "light-plus-limit",
    "pro_rata_exempt": "off-the-top",
    "reset_cards": "keep-order",
    "unexposed_banker_card": "next-first-card",
    "misdelivery_free_hand": "this",
    "squeeze_scope": "per-hand",
}


def former_file(house: str, number: int, **others: str) -> bytes:
    """A shipped house file as a former format had it, some former keys with other values."""
    text = importlib.resources.files("thirdcard").joinpath("houses", f"{house}.toml").read_text("utf-8")
    settings = "".join(f'{name} = "{value}"\n' for name, value in (FORMER_SETTINGS | others).items())
    for before, after in (
        ("format = 6\n", f"format = {number}\n"),
        ('payments = "up"\n', 'payments = "up"\npro_rata_stakes = "half-up"\n'),
        ("[settings]\n", f"[settings]\n{settings}"),
    ):
        assert before in text
        text = text.replace(before, after, 1)
    return text.encode()


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("number", [1, 2])
def test_file_of_a_former_format_is_read_as_one_of_today(house: str, number: int) -> None:
    assert parse_house("own.toml", former_file(house, number)) == SHIPPED.house(house)


@pytest.mark.parametrize("house", HOUSES)
def test_file_of_format_4_names_no_controls_and_gets_the_strictest(house: str) -> None:
    text = importlib.resources.files("thirdcard").joinpath("houses", f"{house}.toml").read_text("utf-8")
    older = "".join(part for part in re.split(r"(?m)^(?=\[\[?)", text) if not part.startswith("[[control]]"))
    read = parse_house("own.toml", older.replace("format = 6\n", "format = 4\n").encode())
    assert read.form == msgspec.structs.replace(SHIPPED.house(house).form, controls=())
    assert read.most_alone(read.control(MoneyAct.BUY_IN)) == 0


@pytest.mark.parametrize("house", HOUSES)
def test_stored_house_of_format_5_lists_no_chips_and_no_large_amounts(house: str) -> None:
    form = msgspec.structs.replace(SHIPPED.house(house).form, chips=None)
    small = tuple(msgspec.structs.replace(each, large=None, large_post=None) for each in form.controls)
    stored: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(form, controls=small)) | {
        "format": 5
    }
    del stored["chips"]
    for control in stored["control"]:
        del control["large"], control["large_post"]
    read = house_from(encode(stored))
    assert read.form == msgspec.structs.replace(form, controls=small)
    assert read.chip_values == ()


@pytest.mark.parametrize("house", HOUSES)
def test_file_of_format_3_is_read_as_one_that_demands_no_shuffle_record(house: str) -> None:
    text = importlib.resources.files("thirdcard").joinpath("houses", f"{house}.toml").read_text("utf-8")
    older = text.replace("format = 6\n", "format = 3\n").replace('shuffle_record = "optional"\n', "")
    assert older.count("\n") == text.count("\n") - 1
    assert parse_house("own.toml", older.encode()) == SHIPPED.house(house)


@pytest.mark.parametrize("name", FORMER_SETTINGS)
def test_former_key_with_another_value_is_refused(name: str) -> None:
    with pytest.raises(UnreadableFile) as refusal:
        parse_house("own.toml", former_file("hoiana", 2, **{name: "other"}))
    assert str(refusal.value) == (
        f"own.toml: settings.{name}: The value other was never carried out; "
        f"the one value that this key could have was {FORMER_SETTINGS[name]}. "
        "Remove the key and write format = 6; the readings of the rulebooks say what holds instead."
    )


def test_former_rounding_of_scaled_stakes_with_another_value_is_refused() -> None:
    text = former_file("hoiana", 2).replace(b'pro_rata_stakes = "half-up"', b'pro_rata_stakes = "down"')
    with pytest.raises(
        UnreadableFile, match=r"rounding\.pro_rata_stakes: The value down was never carried out"
    ):
        parse_house("own.toml", text)


def test_former_keys_are_those_that_went() -> None:
    went = {f"settings.{name}": only for name, only in FORMER_SETTINGS.items()}
    assert went | {"rounding.pro_rata_stakes": "half-up"} == FORMER_KEYS


def test_file_of_a_former_format_without_a_section_is_refused() -> None:
    text = former_file("hoiana", 2).replace(b"[rounding]", b"[rounded]")
    with pytest.raises(UnreadableFile, match="rounded"):
        parse_house("own.toml", text)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("number", [1, 2])
def test_stored_house_of_a_former_format_is_brought_up_to_date(house: str, number: int) -> None:
    stored: dict[str, Any] = msgspec.to_builtins(SHIPPED.house(house).form)
    stored["format"] = number
    stored["rounding"]["pro_rata_stakes"] = "half-up"
    stored["settings"] |= FORMER_SETTINGS
    if number == 1:
        del stored["alarms_acknowledged_by"], stored["settings"]["cards_behind_cutting_card"]
    assert house_from(encode(stored)) == SHIPPED.house(house)


def test_every_setting_has_more_than_one_value() -> None:
    """A setting that can have one value only is a reading of a rulebook."""
    for form in (RoundingForm, Settings, HouseForm):
        for field in msgspec.structs.fields(form):
            if typing.get_origin(field.type) is Literal and field.name != "format":
                assert len(typing.get_args(field.type)) > 1, field.name
