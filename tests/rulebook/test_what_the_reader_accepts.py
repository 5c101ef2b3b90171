"""The edges of what is accepted: one step further and the reader refuses."""

import importlib.resources

import pytest
from msgspec.structs import replace

from thirdcard.rulebook.check import check_fit
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.house import House
from thirdcard.rulebook.read import UnreadableFile, parse_document, parse_house
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

FILES = importlib.resources.files("thirdcard")


def document(before: str, after: str) -> Document:
    """The document in a shipped file with one edit."""
    text = FILES.joinpath("rulebooks", "mbs-tiger-v3.toml").read_text("utf-8")
    assert before in text
    return parse_document("own.toml", text.replace(before, after, 1).encode())


def house(*edits: tuple[str, str]) -> House:
    """The house in a shipped file with some edits."""
    text = FILES.joinpath("houses", "marina-bay-sands.toml").read_text("utf-8")
    for before, after in edits:
        assert before in text
        text = text.replace(before, after, 1)
    return parse_house("own.toml", text.encode())


DECKS = "least = 4\nmost = 10\nusual = 8"


@pytest.mark.parametrize(("least", "usual", "most"), [(1, 1, 1), (1, 8, 20), (8, 8, 8), (20, 20, 20)])
def test_a_shoe_holds_one_to_twenty_decks(least: int, usual: int, most: int) -> None:
    decks = document(DECKS, f"least = {least}\nmost = {most}\nusual = {usual}").decks
    assert (decks.least, decks.usual, decks.most) == (least, usual, most)


@pytest.mark.parametrize(("least", "usual", "most"), [(0, 8, 8), (9, 8, 10), (4, 11, 10), (4, 8, 21)])
def test_no_other_numbers_of_decks_make_a_shoe(least: int, usual: int, most: int) -> None:
    with pytest.raises(UnreadableFile, match="The numbers of decks are out of range"):
        document(DECKS, f"least = {least}\nmost = {most}\nusual = {usual}")


LAYOUT_E = 'id = "E"\nleast = 8\nmost = 16'


def test_a_layout_may_have_a_single_position() -> None:
    layouts = document(LAYOUT_E, 'id = "E"\nleast = 1\nmost = 1').layouts.layout
    assert [(layout.least, layout.most) for layout in layouts if layout.id == "E"] == [(1, 1)]


def test_a_layout_has_one_position_at_least() -> None:
    with pytest.raises(UnreadableFile, match="The numbers of positions are out of range"):
        document(LAYOUT_E, 'id = "E"\nleast = 0\nmost = 16')


@pytest.mark.parametrize(("exponent", "smallest", "unit"), [(0, "5", 5), (4, "0.0001", 1), (3, "0.25", 250)])
def test_a_currency_has_up_to_four_decimal_places(exponent: int, smallest: str, unit: int) -> None:
    edits = ("exponent = 2", f"exponent = {exponent}"), ('unit = "0.01"', f'unit = "{smallest}"')
    chips = ('"5", "1", "0.50", "0.05", "0.01"]', f'"1", "{smallest}"]')
    assert house(*edits, chips).unit == unit


def test_a_currency_has_no_fewer_places_than_none() -> None:
    with pytest.raises(UnreadableFile, match="The number of decimal places is out of range"):
        house(("exponent = 2", "exponent = -1"))


def test_a_limit_of_nothing_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="0 is no positive amount in whole payable units"):
        house(('side = { minimum = "10"', 'side = { minimum = "0"'))


def test_a_limit_of_the_smallest_unit_is_accepted() -> None:
    assert house(('differential = "10000"', 'differential = "0.01"')).form.limits.differential == "0.01"


def test_a_minimum_may_equal_its_maximum() -> None:
    limits = house(('side = { minimum = "10"', 'side = { minimum = "500"')).form.limits
    assert (limits.side.minimum, limits.side.maximum) == ("500", "500")


def test_a_minimum_is_not_above_its_maximum() -> None:
    with pytest.raises(UnreadableFile, match="The minimum is above the maximum"):
        house(('side = { minimum = "10"', 'side = { minimum = "500.01"'))


@pytest.mark.parametrize("cards", [12, 13, 103, 104])
def test_cutting_card_lies_before_12_to_104_cards(cards: int) -> None:
    behind = house(("cutting_card = 16", f"cutting_card = {cards}")).form.settings.cards_behind_cutting_card
    assert behind == cards


@pytest.mark.parametrize("cards", [11, 105])
def test_cutting_card_lies_nowhere_else(cards: int) -> None:
    with pytest.raises(UnreadableFile, match="cards_behind_cutting_card"):
        house(("cutting_card = 16", f"cutting_card = {cards}"))


TIGER_TIE = 'when = { winner = "tie", player_total = 6 }'


@pytest.mark.parametrize("third_cards", ["0", "1", "2", "[0, 1, 2]"])
def test_a_row_may_ask_for_none_to_two_third_cards(third_cards: str) -> None:
    own = document(TIGER_TIE, TIGER_TIE.replace("6", f"6, third_cards = {third_cards}"))
    assert own.wagers[-1].pays[0].when.third_cards in (0, 1, 2, (0, 1, 2))


@pytest.mark.parametrize("third_cards", ["3", "-1", "[0, 3]"])
def test_no_row_may_ask_for_another_number_of_third_cards(third_cards: str) -> None:
    with pytest.raises(UnreadableFile, match="is not one that is carried out"):
        document(TIGER_TIE, TIGER_TIE.replace("6", f"6, third_cards = {third_cards}"))


def test_rows_for_different_circumstances_do_not_overlap() -> None:
    rows = document(
        'when = { decided = true }\nclause = "5.17"', "when = { decided = true, seen = true }"
    ).irregularities
    assert len(rows) == 47


def test_a_house_post_of_ones_own_is_accepted() -> None:
    own = house(('posts = ["dealer", ', 'posts = ["trainee", "dealer", '))
    assert own.form.posts[0] == "trainee"


def test_rows_for_different_devices_do_not_overlap() -> None:
    text = FILES.joinpath("rulebooks", "mbs-tiger-v3.toml").read_text("utf-8")
    row = text[text.index('[[irregularity]]\nsituation = "device-reset"') :]
    row = row[: row.index("[[irregularity]]", 5)]
    other = row.replace('device = "electronic"', 'device = "card-reading"')
    assert parse_document("own.toml", text.replace(row, row + other).encode()).id == "mbs-tiger-v3"


def test_a_house_without_a_post_that_the_document_empowers_does_not_fit() -> None:
    super_six = SHIPPED.document("mbs-super-six-etg-v3")
    assert check_fit("own.toml", super_six, SHIPPED.house("marina-bay-sands").form) == ()
    (first, *_) = check_fit("own.toml", SHIPPED.document("mbs-tiger-v3"), SHIPPED.house("hoiana").form)
    assert str(first) == (
        "own.toml: authority.posts: The rulebook mbs-tiger-v3 gives powers to gaming-shift-manager, "
        "a post that the house hoiana lacks. "
        "Add the post to the ladder of the house, or choose another house."
    )


@pytest.mark.parametrize("document", ["mbs-tiger-v3", "mbs-super-six-etg-v3", "hoiana-tiger-2024"])
def test_a_house_with_another_order_of_posts_does_not_fit(document: str) -> None:
    book = SHIPPED.document(document)
    house = SHIPPED.house(book.house).form
    dealer, *others = house.posts
    assert check_fit("own.toml", book, replace(house, posts=(*others[:-1], dealer, others[-1])))
    (found,) = check_fit("own.toml", book, replace(house, posts=(*others, dealer)))
    assert str(found) == (
        f"own.toml: authority.posts: The house {house.id} has {others[-1]} below dealer, and the rulebook "
        f"{document} has it above. "
        "Put the posts into the order of the rulebook, from the lowest up, or choose another house."
    )


def test_a_house_has_posts_of_its_own_anywhere_on_the_ladder() -> None:
    book = SHIPPED.document("mbs-tiger-v3")
    house = SHIPPED.house(book.house).form
    for place in range(len(house.posts) + 1):
        posts = (*house.posts[:place], Post("floor-person"), *house.posts[place:])
        assert check_fit("own.toml", book, replace(house, posts=posts)) == ()


SEVERAL = 'situation = ["foreign-card", "extra-card", "missing-card"]'


def test_one_row_is_written_for_several_situations() -> None:
    """Clause 5.1 speaks of foreign, extra and missing cards alike."""
    found = document(SEVERAL, SEVERAL).irregularities[:3]
    assert [row.situation.value for row in found] == ["foreign-card", "extra-card", "missing-card"]
    assert {(row.clause, row.when, row.effects) for row in found} == {
        ("5.1", found[0].when, found[0].effects)
    }


def test_one_situation_can_be_a_list() -> None:
    single = 'situation = "too-few-cards"'
    assert document(single, 'situation = ["too-few-cards"]') == SHIPPED.document("mbs-tiger-v3")


@pytest.mark.parametrize("written", ["[]", "[3]", '[["foreign-card"]]'])
def test_a_list_of_situations_names_situations(written: str) -> None:
    with pytest.raises(UnreadableFile, match=r"irregularity\[.*\]\.situation \(clause 5\.1\)"):
        document(SEVERAL, f"situation = {written}")


@pytest.mark.parametrize("written", ["3", "[3]"])
def test_irregularities_are_a_list_of_rows(written: str) -> None:
    with pytest.raises(UnreadableFile, match=r"own\.toml: irregularity"):
        parse_document("own.toml", f"irregularity = {written}".encode())
