"""Every refusal of a house file: a shipped file with one edit, and the complete message a person reads."""

import importlib.resources
from pathlib import Path
from typing import NamedTuple

import pytest

from thirdcard.rulebook.check import check_house_wagers
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.house import setting_exists
from thirdcard.rulebook.read import UnreadableFile, parse_house, read_house
from thirdcard.rulebook.shelf import HOUSES, SHIPPED

FILE = "marina-bay-sands.toml"
LADDER = "dealer, pit-supervisor, pit-manager, assistant-casino-manager, gaming-shift-manager"
LADDERS = "Use one of these, or add the post to the ladder."
AMOUNT = "Give a decimal text above zero, a multiple of the smallest unit."
VALUES = "Use one of the values listed in docs/writing-a-rulebook.md."


class Damage(NamedTuple):
    """One edit of the house file, the problem that it makes and the message about it."""

    problem: str
    before: str
    after: str
    message: str


DAMAGES = {
    "a line that is not TOML": Damage(
        "not-toml",
        "exponent = 2",
        "exponent = two",
        "file: This is not TOML at line 19, column 12. "
        "Correct it there; perhaps a quote, a bracket or an equals sign is missing.",
    ),
    "an unknown key": Damage(
        "unknown-key",
        "[settings]",
        "[settings]\ndress_code = 1",
        "settings: There is no key dress_code here. "
        "Correct its spelling or remove it; docs/writing-a-rulebook.md lists the keys.",
    ),
    "a missing setting": Damage(
        "missing-key",
        'both_hands = "allow"\n',
        "",
        "settings: The key both_hands is missing. Add it.",
    ),
    "an amount as a number": Damage(
        "wrong-type",
        'differential = "10000"',
        "differential = 10000.0",
        "limits.differential: Expected text, got a decimal number. Write a value of the expected kind.",
    ),
    "a limit of a single wager as a number": Damage(
        "wrong-type",
        'differential = "10000"',
        'differential = "10000"\nwager.tie = { minimum = "10", maximum = "20" }\n'
        'wager.tiger = { minimum = 10, maximum = "20" }',
        "limits.wager.tiger.minimum: Expected text, got a whole number. Write a value of the expected kind.",
    ),
    "a setting that is not carried out": Damage(
        "wrong-value",
        'both_hands = "allow"',
        'both_hands = "ask"',
        f"settings.both_hands: The value 'ask' is not one that is carried out. {VALUES}",
    ),
    "a number of last rounds that is not carried out": Damage(
        "wrong-value",
        "rounds_after_cutting_card = 1",
        "rounds_after_cutting_card = 2",
        f"settings.rounds_after_cutting_card: The value 2 is not one that is carried out. {VALUES}",
    ),
    "more burned cards than are carried out": Damage(
        "too-high",
        'burn = "by-first-card"',
        "burn = 21",
        "settings.burn: The number must be at most 20. Write it as docs/writing-a-rulebook.md says.",
    ),
    "a key of former formats in a file of this one": Damage(
        "unknown-key",
        "[settings]",
        '[settings]\nsqueeze_scope = "per-hand"',
        "settings: There is no key squeeze_scope here. "
        "Correct its spelling or remove it; docs/writing-a-rulebook.md lists the keys.",
    ),
    "a supplied layout without positions": Damage(
        "positions-out-of-range",
        "[limits]",
        '[[layout]]\nrulebook = "mbs-tiger-v3"\nid = "H"\nleast = 0\nmost = 9\ndrawing = "3"\n\n[limits]',
        "layout[H]: The numbers of positions are out of range. Give least and most with 1 <= least <= most.",
    ),
    "a supplied layout without a drawing": Damage(
        "no-drawing",
        "[limits]",
        '[[layout]]\nrulebook = "mbs-tiger-v3"\nid = "H"\nleast = 1\nmost = 1\ndrawing = " "\n\n[limits]',
        "layout[H].drawing: The drawing of the layout is not named. Say where the approved drawing is kept.",
    ),
    "a rounding that is not carried out": Damage(
        "wrong-value",
        'payments = "up"',
        'payments = "half-even"',
        f"rounding.payments: The value 'half-even' is not one that is carried out. {VALUES}",
    ),
    "a pair rule that is not carried out": Damage(
        "wrong-value",
        'pair_rule = "rank"',
        'pair_rule = "colour"',
        f"settings.pair_rule: The value 'colour' is not one that is carried out. {VALUES}",
    ),
    "an unknown post for confirming facts": Damage(
        "unknown-post",
        'facts_confirmed_by = "pit-manager"',
        'facts_confirmed_by = "owner"',
        f"facts_confirmed_by: owner is no post of the ladder {LADDER}. {LADDERS}",
    ),
    "an unknown post of a money procedure": Damage(
        "unknown-post",
        'post = "pit-supervisor"',
        'post = "cashier"',
        f"procedure[fill].post: cashier is no post of the ladder {LADDER}. {LADDERS}",
    ),
    "a post that stands twice": Damage(
        "twice",
        'posts = ["dealer", ',
        'posts = ["dealer", "dealer", ',
        "posts[dealer]: dealer stands here 2 times. Keep one.",
    ),
    "a money procedure that stands twice": Damage(
        "twice",
        'id = "credit"\n',
        'id = "credit"\nsays = "x"\npost = "dealer"\n\n[[procedure]]\nid = "credit"\n',
        "procedure[credit]: credit stands here 2 times. Keep one.",
    ),
    "chips without the procedure of a closer": Damage(
        "missing-procedure",
        'id = "closer"',
        'id = "closing"',
        "procedure: The house has no procedure closer; the table cites it when it moves money. "
        "Add a [[procedure]] with this id, what it says, and its post.",
    ),
    "a chip value that is none": Damage(
        "amount-out-of-range",
        'values = ["10000",',
        'values = ["10000", "a crown",',
        f"chips.values: a crown is no positive amount in whole payable units. {AMOUNT}",
    ),
    "a note value that stands twice": Damage(
        "twice",
        'notes = ["1000",',
        'notes = ["1000", "1000",',
        "chips.notes[1000]: 1000 stands here 2 times. Keep one.",
    ),
    "chips that cannot pay the smallest unit": Damage(
        "chips-too-coarse",
        ', "0.05", "0.01"]',
        ', "0.05"]',
        "chips.values: 0.01 can be paid here, and no chips make it up. "
        "Add chips of lower values, or raise the smallest unit.",
    ),
    "a large amount without its post": Damage(
        "large-needs-post",
        'act = "fill"\npost = "pit-supervisor"\nlarge = "100000"\nlarge_post = "pit-manager"',
        'act = "fill"\npost = "pit-supervisor"\nlarge = "100000"',
        "control[fill]: A large amount and the post for it belong together. "
        "Give both large and large_post, or neither.",
    ),
    "a large amount that is none": Damage(
        "amount-out-of-range",
        'act = "fill"\npost = "pit-supervisor"\nlarge = "100000"',
        'act = "fill"\npost = "pit-supervisor"\nlarge = "a lot"',
        f"control[fill].large: a lot is no positive amount in whole payable units. {AMOUNT}",
    ),
    "a post for large amounts that the ladder does not have": Damage(
        "unknown-post",
        'act = "fill"\npost = "pit-supervisor"\nlarge = "100000"\nlarge_post = "pit-manager"',
        'act = "fill"\npost = "pit-supervisor"\nlarge = "100000"\nlarge_post = "pit-boss"',
        f"control[fill].large_post: pit-boss is no post of the ladder {LADDER}. {LADDERS}",
    ),
    "no procedure for what no rule covers": Damage(
        "missing-procedure",
        'id = "referral"',
        'id = "rulings"',
        "procedure: The house has no procedure referral; the table cites it when it moves money. "
        "Add a [[procedure]] with this id, what it says, and its post.",
    ),
    "a control that stands twice": Damage(
        "twice",
        'act = "award-payment"',
        'act = "award"',
        "control[award]: award stands here 2 times. Keep one.",
    ),
    "a control of a post that the ladder does not have": Damage(
        "unknown-post",
        'act = "terminal"\npost = "pit-manager"',
        'act = "terminal"\npost = "pit-boss"',
        f"control[terminal].post: pit-boss is no post of the ladder {LADDER}. {LADDERS}",
    ),
    "a control of rulings": Damage(
        "no-such-control",
        'act = "terminal"',
        'act = "ruling"',
        "control[ruling]: A ruling has no control: where a clause names the post, that post decides alone. "
        "Remove the control; where no clause names the post, two people decide.",
    ),
    "an amount above which nobody corrects an entry alone": Damage(
        "not-of-this-control",
        'act = "correction"\n',
        'act = "correction"\nabove = "100"\n',
        "control[correction].above: This act has no such key; only buy-in, cash-out, award, award-payment "
        "have it. Remove the key.",
    ),
    "an amount of a control that is none": Damage(
        "amount-out-of-range",
        'above = "5000"\n\n# the patron',
        'above = "a lot"\n\n# the patron',
        f"control[buy-in].above: a lot is no positive amount in whole payable units. {AMOUNT}",
    ),
    "a post of disputes that the ladder does not have": Damage(
        "unknown-post",
        'in_charge = "pit-manager"',
        'in_charge = "pit-boss"',
        f"dispute: pit-boss is no post of the ladder {LADDER}. {LADDERS}",
    ),
    "a source of disputes that stands twice": Damage(
        "twice",
        '{ id = "law" }',
        '{ id = "law" }, { id = "law" }',
        "dispute.source[law]: law stands here 2 times. Keep one.",
    ),
    "a source of disputes without a name": Damage(
        "unknown-source",
        '{ id = "law" }',
        '{ id = "coin-toss" }',
        "dispute.source[coin-toss]: No sentence names the source coin-toss of a dispute. "
        "Use one of those under [dispute] in the language files, or add its sentence there.",
    ),
    "a language without file": Damage(
        "unknown-language",
        'languages = ["en"]',
        'languages = ["en", "tlh"]',
        "languages: There is no language file tlh. Use a language that is there, or add its file.",
    ),
    "too many decimal places": Damage(
        "exponent-out-of-range",
        "exponent = 2",
        "exponent = 5",
        "currency.exponent: The number of decimal places is out of range. Give 0 to 4.",
    ),
    "a smallest unit finer than the currency": Damage(
        "amount-out-of-range",
        'smallest_unit = "0.01"',
        'smallest_unit = "0.001"',
        f"rounding.smallest_unit: 0.001 is no positive amount in whole payable units. {AMOUNT}",
    ),
    "a smallest unit of nothing": Damage(
        "amount-out-of-range",
        'smallest_unit = "0.01"',
        'smallest_unit = "0"',
        f"rounding.smallest_unit: 0 is no positive amount in whole payable units. {AMOUNT}",
    ),
    "a limit that is no amount": Damage(
        "amount-out-of-range",
        'main = { minimum = "50", maximum = "5000" }',
        'main = { minimum = "50", maximum = "none" }',
        f"limits.main.maximum: none is no positive amount in whole payable units. {AMOUNT}",
    ),
    "a minimum that is no amount": Damage(
        "amount-out-of-range",
        'main = { minimum = "50", maximum = "5000" }',
        'main = { minimum = "none", maximum = "5000" }',
        f"limits.main.minimum: none is no positive amount in whole payable units. {AMOUNT}",
    ),
    "a limit below zero": Damage(
        "amount-out-of-range",
        'differential = "10000"',
        'differential = "-10000"',
        f"limits.differential: -10000 is no positive amount in whole payable units. {AMOUNT}",
    ),
    "limits that the smallest unit cannot express": Damage(
        "amount-out-of-range",
        'smallest_unit = "0.01"',
        'smallest_unit = "20"',
        f"limits.main.minimum: 50 is no positive amount in whole payable units. {AMOUNT}\n"
        f"{FILE}: limits.side.minimum: 10 is no positive amount in whole payable units. {AMOUNT}",
    ),
    "a minimum above the maximum": Damage(
        "minimum-above-maximum",
        'side = { minimum = "10", maximum = "500" }',
        'side = { minimum = "500", maximum = "10" }',
        "limits.side: The minimum is above the maximum. Swap or correct them.",
    ),
    "a minimum of a single wager above its maximum": Damage(
        "minimum-above-maximum",
        'differential = "10000"',
        'differential = "10000"\nwager.tie = { minimum = "20", maximum = "10" }',
        "limits.wager.tie: The minimum is above the maximum. Swap or correct them.",
    ),
}


def damaged(before: str, after: str) -> bytes:
    """The shipped file with one edit."""
    text = importlib.resources.files("thirdcard").joinpath("houses", FILE).read_text("utf-8")
    assert before in text
    return text.replace(before, after, 1).encode()


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_house_file_is_refused_with_file_key_and_remedy(damage: Damage) -> None:
    with pytest.raises(UnreadableFile) as refusal:
        parse_house(FILE, damaged(damage.before, damage.after))
    assert str(refusal.value) == f"{FILE}: {damage.message}"
    assert {each.what.key for each in refusal.value.problems} == {f"problem.{damage.problem}.what"}


OFFERED = ("player", "banker", "tie", "tiger-tie")


@pytest.mark.parametrize(
    ("wager", "remedy"),
    [
        ("tigertie", "Perhaps tiger-tie is meant."),
        ("roulette", "Choose one of: player, banker, tie, tiger-tie."),
    ],
)
def test_a_limit_for_a_wager_of_no_game_is_a_problem(wager: str, remedy: str) -> None:
    limits = f'tie = {{ minimum = "10", maximum = "500" }}\n{wager} = {{ minimum = "10", maximum = "200" }}'
    house = parse_house(FILE, damaged("[settings]", f"[limits.wager]\n{limits}\n[settings]"))
    (found,) = check_house_wagers(FILE, house.form, OFFERED)
    assert str(found) == f"{FILE}: limits.wager.{wager}: No game has a wager {wager}. {remedy}"
    assert found.what.key == "problem.wager-of-no-game.what"


def test_the_houses_on_the_shelf_have_limits_for_wagers_on_the_shelf_only() -> None:
    wagers = {wager for rulebook in SHIPPED.rulebooks for wager in rulebook.wagers}
    for house in HOUSES:
        assert check_house_wagers(f"{house}.toml", SHIPPED.house(house).form, wagers) == ()


def test_the_problems_that_only_house_files_have_are_all_here() -> None:
    about_houses = {
        "unknown-language",
        "missing-procedure",
        "exponent-out-of-range",
        "amount-out-of-range",
        "minimum-above-maximum",
        "no-drawing",
        "unknown-source",
        "no-such-control",
        "not-of-this-control",
    }
    assert about_houses <= {damage.problem for damage in DAMAGES.values()}


def test_a_house_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile) as refusal:
        read_house(tmp_path)
    assert str(refusal.value) == (
        f"{tmp_path.name}: {tmp_path}: The file cannot be read: Is a directory. "
        "Check the path and its permissions."
    )


def test_a_house_read_from_its_file_has_its_amounts_in_minor_units(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(damaged('smallest_unit = "0.01"', 'smallest_unit = "2.50"'))
    house = read_house(file)
    assert (house.id, house.currency.code, house.unit) == ("marina-bay-sands", "SGD", 250)


def test_a_house_may_read_pairs_by_point_value() -> None:
    house = parse_house(FILE, damaged('pair_rule = "rank"', 'pair_rule = "point-value"'))
    assert house.form.settings.pair_rule is PairRule.POINT_VALUE


@pytest.mark.parametrize("key", ["posts", "rounding.payments", "limits.differential", "settings.pair_rule"])
def test_a_setting_is_known_by_its_dotted_key(key: str) -> None:
    assert setting_exists(key)


@pytest.mark.parametrize("key", ["dealers", "pair_rule", "settings.dress_code", "tables.main", "settings."])
def test_a_key_that_no_house_file_has_is_no_setting(key: str) -> None:
    assert not setting_exists(key)
