"""Floor files: what they leave out comes from rulebook and house, and what is wrong is said in full."""

import datetime
import hashlib
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

import thirdcard
from thirdcard.clockwork.floor_file import parse_floor_file, read_floor_file
from thirdcard.floor.apply import apply_all
from thirdcard.floor.commands import FloorCommand
from thirdcard.floor.decide import decide as decide_floor
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Floor, GamingDay, TableDefinition, Timers
from thirdcard.floor.table_rules import refuse_unfit
from thirdcard.game import commands as cmd
from thirdcard.game.table_setup import Automatic, Device, PostedLimit
from thirdcard.messages import sentences
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.irregularity import Area, Method
from thirdcard.rulebook.read import UnreadableFile
from thirdcard.rulebook.shelf import SHIPPED, open_shelf

HOUSES = Path(thirdcard.__file__).parent / "houses"
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "floor.toml"
NOW = datetime.datetime(2026, 6, 1, 20, tzinfo=datetime.UTC)


def example() -> dict[str, TableDefinition]:
    return {each.setup.table: each for each in read_floor_file(EXAMPLE, NOW).tables}


def test_the_example_is_read_with_its_digest_and_defines_six_tables() -> None:
    file = read_floor_file(EXAMPLE, NOW)
    assert (file.file, file.digest) == ("floor.toml", hashlib.sha256(EXAMPLE.read_bytes()).hexdigest())
    envelope = cmd.Envelope(actor=COMMAND_LINE, received_at=NOW, command_id="c")
    events = decide_floor((), Floor(), FloorCommand(file.command, envelope))
    assert not isinstance(events, Refused)
    floor = apply_all(Floor(), events)
    names = ["Tiger 1", "Tiger 2", "Dragon 1", "Super Six 1", "Hoi An 1", "School"]
    assert [each.setup.table for each in floor.tables] == names


def test_what_a_table_says_holds() -> None:
    tiger = example()["Tiger 2"]
    assert (tiger.setup.area, tiger.setup.device, tiger.setup.face_down) == (
        Area.HIGH_LIMIT,
        Device.CARD_READING,
        True,
    )
    assert (tiger.method, tiger.setup.differential) == (Method.C, 5_000_000)
    assert tiger.setup.limits[0] == PostedLimit("player", 100_000, 5_000_000)
    assert example()["Dragon 1"].setup.automatic == (Automatic.CALL,)
    assert example()["Dragon 1"].setup.decks == 6
    six = example()["Super Six 1"]
    assert (six.virtual_shoe, six.automatic_dealer, six.cutting_card) == (True, True, 20)
    assert example()["Hoi An 1"].next_marks is True
    assert (six.setup.terminal, six.setup.training) == (True, False)
    assert six.timers == Timers(betting=20, warning=5, card=1.5, between=6, offer=30)


def test_what_a_table_leaves_out_comes_from_rulebook_and_house() -> None:
    tables = example()
    tiger = tables["Tiger 1"]
    assert tiger.setup.limits[0] == PostedLimit("player", 5_000, 500_000)
    assert tiger.setup.limits[-1] == PostedLimit("tiger-tie", 1_000, 50_000)
    assert (tiger.setup.differential, tiger.setup.decks) == (1_000_000, 8)
    assert (tiger.setup.house, tiger.setup.device) == ("marina-bay-sands", Device.PLAIN)
    assert (tiger.setup.terminal, tiger.setup.automatic, tiger.cutting_card) == (False, (), 14)
    assert tiger.next_marks is False
    assert (tables["Tiger 2"].setup.layout, tables["Tiger 2"].setup.positions) == ("A", 8)
    assert tables["Tiger 2"].setup.limits[2] == PostedLimit("tie", 1_000, 50_000)
    assert tables["Super Six 1"].setup.terminal
    assert tables["Super Six 1"].setup.automatic == (Automatic.EXPOSE, Automatic.CALL)
    school = tables["School"].setup
    assert (school.layout, school.positions, school.device) == ("1", 4, Device.CARD_READING)
    assert (school.terminal, school.training) == (True, True)
    assert all(refuse_unfit(SHIPPED, each, NOW) is None for each in tables.values())


TIGER = 'format = 1\n[[table]]\nname = "T1"\ngame = "mbs-tiger-v3"\n'
PAYABLE = (
    "is no positive amount in whole payable units."
    " Give a decimal text above zero, a multiple of the smallest unit."
)
TRAINING = (
    "T1 is a live game: terminals, a virtual shoe and an automatic dealer are for training tables."
    " Add training = true, or take chips and deal from a shoe on the table."
)
PROBLEMS: dict[str, tuple[str, str]] = {
    "not-toml": (
        "format = ",
        "file: This is not TOML at the end of the file. "
        "Correct it there; perhaps a quote, a bracket or an equals sign is missing.",
    ),
    "pit-name": (
        TIGER + 'pit = "-"',
        'table[T1].pit: "-" is no name for a pit. Use up to 64 letters, digits, spaces, dots and hyphens.',
    ),
    "day-refused": (
        TIGER.replace("[[table]]", '[day]\nzone = "Asia/Atlantis"\n[[table]]'),
        "day: There is no time zone Asia/Atlantis. Name one such as Asia/Singapore or UTC. "
        "Give zone such as Asia/Singapore, and in shifts the times of day such as 06:00 at which they begin.",
    ),
    "missing-key": (
        'format = 1\n[[table]]\nname = "T1"\n',
        "table[T1]: The key game is missing. Add it.",
    ),
    "unknown-language": (
        TIGER.replace("[[table]]", 'languages = ["en", "tlh"]\n[[table]]'),
        "languages: There is no language file tlh. Use a language that is there, or add its file.",
    ),
    "unknown-key": (
        TIGER + "colour = 1",
        "table[T1]: There is no key colour here."
        " Correct its spelling or remove it; docs/floor.md lists the keys.",
    ),
    "wrong-value": (
        TIGER + 'area = "garden"',
        "table[T1].area: The value 'garden' is not one that is carried out."
        " Use one of the values listed in docs/floor.md.",
    ),
    "wrong-type": (
        TIGER + 'decks = "8"',
        "table[T1].decks: Expected a whole number or nothing, got text. Write a value of the expected kind.",
    ),
    "twice": (
        TIGER + '[[table]]\nname = "t1"\ngame = "mbs-tiger-v3"',
        "table[T1]: T1 stands here 2 times. Keep one.\n"
        "floor.toml: table[t1]: t1 stands here 2 times. Keep one.",
    ),
    "table-name": (
        TIGER.replace("T1", "server"),
        'table[server].name: "server" is no name for a table.'
        " Use up to 64 letters, digits, spaces, dots and hyphens; server, floor and command line are taken.",
    ),
    "unknown-game": (
        TIGER.replace("mbs-tiger-v3", "hoiana-tiger-2024"),
        "table[T1].game: There is no game hoiana-tiger-2024."
        " Choose one of: hoiana-tiger-2024/commission, hoiana-tiger-2024/non-commission.",
    ),
    "unknown-house": (
        TIGER + 'house = "ours"',
        "table[T1].house: There is no house ours on the shelf. Choose one of: marina-bay-sands, hoiana.",
    ),
    "unknown-wager": (
        TIGER + 'limits = { lion = { minimum = "1", maximum = "2" } }',
        "table[T1].limits.lion: mbs-tiger-v3 has no wager lion."
        " Choose one of: player, banker, tie, tiger, big-tiger, small-tiger, tiger-pair, tiger-tie.",
    ),
    "missing-post": (
        TIGER + 'house = "hoiana"',
        "table[T1].house: The rulebook mbs-tiger-v3 gives powers to gaming-shift-manager, a post that the"
        " house hoiana lacks. Add the post to the ladder of the house, or choose another house.\n"
        "floor.toml: table[T1].house: The rulebook mbs-tiger-v3 gives powers to"
        " assistant-casino-manager, a post that the house hoiana lacks."
        " Add the post to the ladder of the house, or choose another house.",
    ),
    "amount-out-of-range": (
        TIGER + 'differential = "0"\nlimits = { tie = { minimum = "0.001", maximum = "-5" } }',
        f"table[T1].differential: 0 {PAYABLE}\n"
        f"floor.toml: table[T1].limits.tie.minimum: 0.001 {PAYABLE}\n"
        f"floor.toml: table[T1].limits.tie.maximum: -5 {PAYABLE}",
    ),
    "minimum-above-maximum": (
        TIGER + 'limits = { tie = { minimum = "6", maximum = "5" } }',
        "table[T1].limits.tie: The minimum is above the maximum. Swap or correct them.",
    ),
    "table-refused": (
        TIGER + 'layout = "Z"',
        "table[T1].layout (clause 2.2): There is no layout Z here. Choose one of: A, B, C, D, E, F, G, H."
        " Write what the rulebook offers; `thirdcard rules show mbs-tiger-v3` prints it.",
    ),
    "training-only": (
        TIGER + "virtual_shoe = true",
        f"table[T1].training: {TRAINING}",
    ),
    "training-only at terminals": (
        TIGER + "terminal = true",
        f"table[T1].training (clause 2.2): {TRAINING}",
    ),
    "time-out-of-range": (
        TIGER + "timers = { betting = 5, warning = 5 }",
        "table[T1].timers: A time is below zero, or the warning comes before betting opens."
        " Give times of at least 0, and a warning shorter than the time for wagers.",
    ),
    "no-betting-time": (
        TIGER + "training = true\nvirtual_shoe = true\nautomatic_dealer = true",
        "table[T1].timers: The dealer is automatic, and nothing says when betting closes."
        " Give timers.betting in seconds.",
    ),
    "no-pause": (
        TIGER + "training = true\nautomatic_dealer = true\ntimers = { betting = 20 }",
        "table[T1].timers: The dealer is automatic, and nobody has time to notice an error between a round"
        " and the next opening call. Give timers.between in seconds.",
    ),
    "cutting-card-out-of-range": (
        TIGER + "cutting_card = 11",
        "table[T1].cutting_card: 11 cards behind the cutting card are too few or too many."
        " Give 12 to 208: the round in which it comes and the one after it take up to 12 cards.",
    ),
}
ABOUT_FLOORS = {
    "unknown-game",
    "unknown-house",
    "unknown-wager",
    "table-name",
    "table-refused",
    "training-only",
    "time-out-of-range",
    "no-betting-time",
    "no-pause",
    "cutting-card-out-of-range",
}


def test_a_floor_file_sets_the_gaming_day_and_names_pits() -> None:
    file = read_floor_file(EXAMPLE, NOW)
    assert file.day == GamingDay("Asia/Singapore", ("06:00", "14:00", "22:00"))
    assert {each.setup.table: each.pit for each in file.tables if each.pit} == {
        "Tiger 1": "Pit 1",
        "Dragon 1": "Pit 1",
    }
    assert parse_floor_file("floor.toml", TIGER.encode(), NOW).day is None


def test_a_floor_file_names_the_languages_of_its_screens_the_usual_one_first() -> None:
    text = TIGER.replace("[[table]]", 'languages = ["zh-Hans", "en"]\n[[table]]')
    file = parse_floor_file("floor.toml", text.encode(), NOW)
    assert (file.languages, file.language) == (("zh-Hans", "en"), "zh-Hans")


def test_without_languages_screens_offer_all_and_the_house_says_which_is_usual(tmp_path: Path) -> None:
    """The house Marina Bay Sands lists English; a house of one's own lists Chinese first."""
    file = read_floor_file(EXAMPLE, NOW)
    assert (file.languages, file.language) == ((), "en")
    shelf = own_shelf(tmp_path)
    house_of_ones_own(shelf)
    file = parse_floor_file("floor.toml", f'{TIGER}house = "ours"\n'.encode(), NOW, open_shelf(shelf))
    assert (file.languages, file.language) == ((), "zh-Hans")


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_floor_file_that_is_wrong_is_refused_with_key_reason_and_remedy(name: str) -> None:
    text, told = PROBLEMS[name]
    with pytest.raises(UnreadableFile) as refused:
        parse_floor_file("floor.toml", text.encode(), NOW)
    assert str(refused.value) == f"floor.toml: {told}"
    assert refused.value.problems[0].what.key == f"problem.{name.partition(' ')[0]}.what"


@pytest.mark.parametrize(
    ("decks", "cards", "refused"),
    [
        *((8, cards, False) for cards in (12, 13, 207, 208)),
        *((8, cards, True) for cards in (11, 209)),
        (4, 104, False),
        (4, 105, True),
    ],
)
def test_cutting_card_lies_before_12_cards_to_half_the_shoe(decks: int, cards: int, refused: bool) -> None:
    text = f"{TIGER}decks = {decks}\ncutting_card = {cards}".encode()
    if refused:
        with pytest.raises(UnreadableFile, match="cards behind the cutting card are too few or too many"):
            parse_floor_file("floor.toml", text, NOW)
    else:
        (table,) = parse_floor_file("floor.toml", text, NOW).tables
        assert table.cutting_card == cards


def test_automatic_dealer_leaves_time_between_rounds_where_cards_are_on_the_table() -> None:
    """Super Six 5.2: a wrong number of cards counts until the next opening call; a sealed shoe has none."""
    text = TIGER + "training = true\nautomatic_dealer = true\ntimers = { betting = 20, between = 0.5 }"
    (table,) = parse_floor_file("floor.toml", text.encode(), NOW).tables
    assert table.timers.between == 0.5
    text = TIGER + "training = true\nvirtual_shoe = true\nautomatic_dealer = true\ntimers = { betting = 20 }"
    (table,) = parse_floor_file("floor.toml", text.encode(), NOW).tables
    assert table.timers.between == 0


def test_every_problem_about_floors_is_tried() -> None:
    assert set(PROBLEMS) >= ABOUT_FLOORS
    assert all(f"problem.{name}.what" in sentences("en") for name in ABOUT_FLOORS)


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("decks = 99", "decks"),
        ("positions = 99", "positions"),
        ('method = "C"', "method"),
        ('area = "high-limit"\nmethod = "C"', "device"),
    ],
)
def test_what_the_engine_refuses_is_told_at_its_key(line: str, key: str) -> None:
    with pytest.raises(UnreadableFile) as refused:
        parse_floor_file("floor.toml", (TIGER + line).encode(), NOW)
    (problem,) = refused.value.problems
    assert problem.key == f"table[T1].{key}"


def test_a_table_cannot_be_opened_before_its_rulebook_is_in_force() -> None:
    with pytest.raises(UnreadableFile) as refused:
        read_floor_file(EXAMPLE, datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC))
    keys = [problem.key for problem in refused.value.problems]
    assert keys == ["table[Hoi An 1].game", "table[School].game"]


@pytest.mark.parametrize("name", ["", " T1", "T/1", "x" * 65, "Ünit", "floor", "Command Line", "a\nb"])
def test_names_that_no_table_can_have(name: str) -> None:
    text = TIGER.replace('"T1"', f"'''{name}'''")
    with pytest.raises(UnreadableFile, match="is no name for a table"):
        parse_floor_file("floor.toml", text.encode(), NOW)


MISTYPED = {
    "a mistyped game": (
        TIGER.replace("mbs-tiger-v3", "mbs-tigre-v3"),
        "table[T1].game: There is no game mbs-tigre-v3. Perhaps mbs-tiger-v3 is meant.",
    ),
    "a mistyped house": (
        TIGER + 'house = "hoyana"',
        "table[T1].house: There is no house hoyana on the shelf. Perhaps hoiana is meant.",
    ),
    "a mistyped wager": (
        TIGER + 'limits = { tigertie = { minimum = "1", maximum = "2" } }',
        "table[T1].limits.tigertie: mbs-tiger-v3 has no wager tigertie. Perhaps tiger-tie is meant.",
    ),
}


@pytest.mark.parametrize("name", MISTYPED)
def test_a_mistyped_word_comes_with_the_one_that_was_perhaps_meant(name: str) -> None:
    text, told = MISTYPED[name]
    with pytest.raises(UnreadableFile) as refused:
        parse_floor_file("floor.toml", text.encode(), NOW)
    assert str(refused.value) == f"floor.toml: {told}"


def house_of_ones_own(shelf: Path) -> None:
    """Add a house to a shelf: the shipped one under another id, whose displays are in Chinese and English."""
    text = (HOUSES / "marina-bay-sands.toml").read_text("utf-8")
    text = text.replace('id = "marina-bay-sands"', 'id = "ours"')
    (shelf / "houses").mkdir()
    (shelf / "houses" / "ours.toml").write_text(
        text.replace('languages = ["en"]', 'languages = ["zh-Hans", "en"]'), "utf-8"
    )


def own_shelf(folder: Path) -> Path:
    """Make a shelf with one game of its own."""
    rulebooks = folder / "shelf" / "rulebooks"
    rulebooks.mkdir(parents=True)
    shutil.copy(EXAMPLE.parent / "shelf" / "rulebooks" / "ez-baccarat.toml", rulebooks)
    return folder / "shelf"


EZ = '[[table]]\nname = "EZ 1"\ngame = "ez-baccarat"\n'


def test_a_file_names_its_shelf_from_its_own_folder(tmp_path: Path) -> None:
    shelf, file = own_shelf(tmp_path), tmp_path / "floor.toml"
    file.write_text(f'format = 1\nshelf = "shelf"\n{EZ}', "utf-8")
    floor = read_floor_file(file, NOW)
    assert [each.setup.game for each in floor.tables] == ["ez-baccarat"]
    assert floor.shelf.folder == shelf
    given = open_shelf(tmp_path / "." / "shelf")
    assert read_floor_file(file, NOW, given).shelf is given


def test_a_file_without_a_shelf_goes_by_the_one_that_is_given(tmp_path: Path) -> None:
    shelf = open_shelf(own_shelf(tmp_path))
    floor = parse_floor_file("floor.toml", f"format = 1\n{EZ}".encode(), NOW, shelf)
    assert floor.shelf is shelf
    with pytest.raises(UnreadableFile, match="There is no game ez-baccarat"):
        parse_floor_file("floor.toml", f"format = 1\n{EZ}".encode(), NOW)


def test_two_shelves_are_one_too_many(tmp_path: Path) -> None:
    here, file = own_shelf(tmp_path), tmp_path / "floor.toml"
    other = own_shelf(tmp_path / "other")
    file.write_text(f'format = 1\nshelf = "shelf"\n{EZ}', "utf-8")
    with pytest.raises(UnreadableFile) as refused:
        read_floor_file(file, NOW, open_shelf(other))
    assert str(refused.value) == (
        f"floor.toml: shelf: The floor file names the shelf {here}, and the option --shelf or "
        f"THIRDCARD_SHELF names {other}. Name one of the two."
    )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="The file cannot be read"):
        read_floor_file(tmp_path / "none.toml", NOW)


def test_a_definition_with_a_game_that_is_not_there_would_not_be_set_up() -> None:
    tiger = example()["Tiger 1"]
    for setup in (replace(tiger.setup, game="faro"), replace(tiger.setup, house="ours")):
        refused = refuse_unfit(SHIPPED, TableDefinition(setup=setup), NOW)
        assert refused is not None
        assert refused.reason is Refusal.NO_RULEBOOK_IN_FORCE
