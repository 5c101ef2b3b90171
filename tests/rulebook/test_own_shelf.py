"""A shelf of one's own: rulebooks and houses of a folder beside the shipped ones, checked together."""

import datetime
from pathlib import Path

import pytest

from thirdcard.rulebook.read import UnreadableFile
from thirdcard.rulebook.shelf import DOCUMENTS, HOUSES, SHIPPED, Shelf, UnknownGame, UnknownHouse, open_shelf

ROOT = Path(__file__).parents[2]
EZ = (ROOT / "examples" / "shelf" / "rulebooks" / "ez-baccarat.toml").read_text("utf-8")
HOIANA = (ROOT / "src" / "thirdcard" / "houses" / "hoiana.toml").read_text("utf-8")
OURS = HOIANA.replace('id = "hoiana"', 'id = "ours"')


def shelf_of(folder: Path, rulebooks: dict[str, str], houses: dict[str, str] | None = None) -> Shelf:
    """Open a folder with these files."""
    for name, files in (("rulebooks", rulebooks), ("houses", houses or {})):
        (folder / name).mkdir()
        for file, text in files.items():
            (folder / name / file).write_text(text, "utf-8")
    return open_shelf(folder)


def test_own_games_stand_beside_the_shipped_ones(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, {"any-name.toml": EZ}, {"ours.toml": OURS})
    assert shelf.document_ids == (*DOCUMENTS, "ez-baccarat")
    assert shelf.house_ids == (*HOUSES, "ours")
    assert shelf.games == (*SHIPPED.games, "ez-baccarat")
    assert [book.id for book in shelf.rulebooks] == list(shelf.games)
    assert shelf.rulebook("ez-baccarat").document is shelf.document("ez-baccarat")
    assert shelf.rulebook("ez-baccarat") is shelf.rulebook("ez-baccarat")
    assert shelf.house("ours").id == "ours"
    assert [each.id for each in shelf.houses] == [*HOUSES, "ours"]
    assert shelf.house_of(shelf.rulebook("ez-baccarat")) is SHIPPED.house("marina-bay-sands")
    assert shelf.folder == tmp_path
    assert shelf.own_documents == (shelf.document("ez-baccarat"),)
    assert shelf.own_houses == (shelf.house("ours"),)
    assert shelf.is_own("ez-baccarat")
    assert not shelf.is_own("mbs-tiger-v3")
    assert shelf.rulebook("mbs-tiger-v3") is SHIPPED.rulebook("mbs-tiger-v3")


def test_a_shelf_may_have_houses_alone(tmp_path: Path) -> None:
    (tmp_path / "houses").mkdir()
    assert open_shelf(tmp_path).house_ids == HOUSES


def test_a_folder_of_another_kind_is_no_shelf(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile) as refused:
        open_shelf(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path}: folder: This is no shelf: it has neither a folder rulebooks nor a folder houses. "
        "Name a folder with rulebooks/*.toml, houses/*.toml or both."
    )


MISTYPED = 'new_cards_decided_by = "pit-manger"'
LIMITS = '[limits.wager]\ndragon7 = { minimum = "5", maximum = "9" }'


def with_layout(rulebook: str, layout: str) -> str:
    """Return a house that supplies a layout of a rulebook."""
    supplied = f'rulebook = "{rulebook}"\nid = "{layout}"\nleast = 7\nmost = 7\ndrawing = "here"'
    return f"{OURS}\n[[layout]]\n{supplied}\n"


def test_a_house_need_not_count_chips(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, {}, {"a.toml": OURS.partition("\n[chips]")[0]})
    assert shelf.house("ours").form.chips is None


def test_a_house_supplies_a_layout_that_a_rulebook_lists_without_its_drawing(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, {"a.toml": EZ}, {"a.toml": with_layout("mbs-tiger-v3", "H")})
    assert [each.id for each in shelf.house("ours").form.layouts] == ["H"]


REFUSED = {
    "a rulebook with the id of a shipped one": (
        {"a.toml": EZ.replace('id = "ez-baccarat"', 'id = "mbs-tiger-v3"', 1)},
        {},
        "rulebooks/a.toml: id: The id mbs-tiger-v3 is that of a rulebook or house of the package, "
        "which cannot be replaced. Give your own another id.",
    ),
    "a house with the id of a shipped one": (
        {},
        {"a.toml": HOIANA},
        "houses/a.toml: id: The id hoiana is that of a rulebook or house of the package, "
        "which cannot be replaced. Give your own another id.",
    ),
    "two rulebooks with one id": (
        {"a.toml": EZ, "b.toml": EZ},
        {},
        "rulebooks/b.toml: id: The id ez-baccarat is also that of rulebooks/a.toml. "
        "Give one of the two another id.",
    ),
    "two houses with one id": (
        {},
        {"a.toml": OURS, "b.toml": OURS},
        "houses/b.toml: id: The id ours is also that of houses/a.toml. Give one of the two another id.",
    ),
    "a rulebook that is wrong by itself": (
        {"a.toml": EZ.replace('odds = "40 to 1"', "odds = 40.5")},
        {},
        'rulebooks/a.toml: wager[dragon-7].pays[0].odds (clause 5.7): Odds must be text such as "0.95 to 1", '
        "not a decimal number, which is not exact. Put them in quotes, as printed.",
    ),
    "a mistyped house": (
        {"a.toml": EZ.replace('house = "marina-bay-sands"', 'house = "marina-bay-sand"')},
        {},
        "rulebooks/a.toml: house: There is no house marina-bay-sand on the shelf. "
        "Perhaps marina-bay-sands is meant.",
    ),
    "a house like no other": (
        {"a.toml": EZ.replace('house = "marina-bay-sands"', 'house = "xyz"')},
        {},
        "rulebooks/a.toml: house: There is no house xyz on the shelf. "
        "Choose one of: marina-bay-sands, hoiana.",
    ),
    "a house that lacks a post to which a clause gives a power": (
        {"a.toml": EZ.replace('house = "marina-bay-sands"', 'house = "ours"')},
        {"a.toml": OURS.replace('"pit-manager"', '"pit-manger"')},
        "rulebooks/a.toml: authority.posts: The rulebook ez-baccarat gives powers to pit-manager, "
        "a post that the house ours lacks. Perhaps pit-manger is meant.",
    ),
    "a mistyped wager": (
        {"a.toml": EZ},
        {"a.toml": OURS.replace("[settings]", f"{LIMITS}\n\n[settings]")},
        "houses/a.toml: limits.wager.dragon7: No game has a wager dragon7. Perhaps dragon-7 is meant.",
    ),
    "a mistyped post": (
        {},
        {"a.toml": OURS.replace('new_cards_decided_by = "pit-manager"', MISTYPED)},
        "houses/a.toml: new_cards_decided_by: pit-manger is no post of the ladder dealer, dealer-inspector, "
        "pit-supervisor, pit-manager, shift-manager, assistant-director, senior-management. "
        "Perhaps pit-manager is meant.",
    ),
    "a layout of a mistyped rulebook": (
        {},
        {"a.toml": with_layout("mbs-tiger-3", "H")},
        "houses/a.toml: layout[H].rulebook: There is no rulebook mbs-tiger-3 on the shelf. "
        "Perhaps mbs-tiger-v3 is meant.",
    ),
    "a layout that a rulebook does not list": (
        {},
        {"a.toml": with_layout("mbs-tiger-v3", "Z")},
        "houses/a.toml: layout[Z].id: mbs-tiger-v3 lists no layout Z. Choose one of: A, B, C, D, E, F, G, H.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_shelf_that_is_wrong_is_refused_with_file_key_and_remedy(name: str, tmp_path: Path) -> None:
    rulebooks, houses, told = REFUSED[name]
    with pytest.raises(UnreadableFile) as refused:
        shelf_of(tmp_path, rulebooks, houses)
    assert str(refused.value) == told


LATER = EZ.replace("in_force = 2026", "in_force = 2027").replace('"40 to 1"', '"45 to 1"')


def test_a_rulebook_may_be_there_in_versions_of_different_days(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, {"a-2027.toml": LATER, "a.toml": EZ})
    assert shelf.document_ids == (*DOCUMENTS, "ez-baccarat")
    assert [each.in_force.year for each in shelf.versions_of("ez-baccarat")] == [2026, 2027]
    for day, odds in (("2026-12-31", "40 to 1"), ("2027-01-01", "45 to 1")):
        at = datetime.datetime.fromisoformat(f"{day}T00:00:00+08:00")
        assert shelf.rulebook("ez-baccarat", at).document.wagers[3].pays[0].odds == odds


def test_every_version_is_checked(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile) as refused:
        shelf_of(tmp_path, {"a.toml": EZ, "b.toml": LATER.replace('"marina-bay-sands"', '"hoyana"')})
    assert str(refused.value) == (
        "rulebooks/b.toml: house: There is no house hoyana on the shelf. Perhaps hoiana is meant."
    )


def test_all_files_of_a_shelf_are_told_of_at_once(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile) as refused:
        shelf_of(tmp_path, {"a.toml": "format = 4", "b.toml": "="}, {"c.toml": HOIANA})
    assert [each.file for each in refused.value.problems] == [
        "rulebooks/a.toml",
        "rulebooks/b.toml",
        "houses/c.toml",
    ]


def test_a_house_may_have_posts_of_its_own_between_those_of_a_rulebook(tmp_path: Path) -> None:
    ladder = OURS.replace('  "pit-manager",\n', '  "pit-host",\n  "pit-manager",\n  "box-manager",\n')
    shelf = shelf_of(tmp_path, {"a.toml": EZ.replace('"marina-bay-sands"', '"ours"')}, {"a.toml": ladder})
    posts = shelf.house("ours").form.posts
    assert posts.index("pit-host") < posts.index("pit-manager") < posts.index("box-manager")


def test_a_house_cannot_lower_a_post_that_a_clause_names(tmp_path: Path) -> None:
    turned = OURS.replace(
        '  "pit-supervisor",\n  "pit-manager",\n', '  "pit-manager",\n  "pit-supervisor",\n'
    )
    with pytest.raises(UnreadableFile) as refused:
        shelf_of(tmp_path, {"a.toml": EZ.replace('"marina-bay-sands"', '"ours"')}, {"a.toml": turned})
    assert str(refused.value) == (
        "rulebooks/a.toml: authority.posts: The house ours has pit-manager below pit-supervisor, and the "
        "rulebook ez-baccarat has it above. Put the posts into the order of the rulebook, "
        "from the lowest up, or choose another house."
    )


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("ez-bacarat", "There is no game ez-bacarat. Perhaps ez-baccarat is meant."),
        (
            "hoiana-tiger-2024",
            "There is no game hoiana-tiger-2024. "
            "Choose one of: hoiana-tiger-2024/commission, hoiana-tiger-2024/non-commission.",
        ),
        (
            "hoiana-tiger-2024/comission",
            "There is no game hoiana-tiger-2024/comission. Perhaps hoiana-tiger-2024/commission is meant.",
        ),
    ],
)
def test_a_mistyped_game_comes_with_what_was_perhaps_meant(game: str, told: str, tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, {"a.toml": EZ})
    with pytest.raises(UnknownGame) as unknown:
        shelf.rulebook(game)
    assert str(unknown.value) == told


def test_a_mistyped_house_comes_with_what_was_perhaps_meant() -> None:
    with pytest.raises(UnknownHouse) as unknown:
        SHIPPED.house("hoianna")
    assert str(unknown.value) == "There is no house hoianna on the shelf. Perhaps hoiana is meant."
