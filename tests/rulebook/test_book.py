"""A rulebook: one for each game of a document, with its wagers ready to be settled."""

import msgspec
import pytest

from thirdcard.clauses import Clause
from thirdcard.money import Odds
from thirdcard.rulebook.book import Kind, OddsRow, Rulebook, game_ids, rulebooks
from thirdcard.rulebook.facts import Conditions, PairRule, Winner
from thirdcard.rulebook.house import BY_FIRST_CARD, House
from thirdcard.rulebook.shelf import SHIPPED


def book(game: str) -> Rulebook:
    return SHIPPED.rulebook(game)


def row(when: Conditions, *clauses: str, odds: Odds | None = None, gross: Odds | None = None) -> OddsRow:
    return OddsRow(when, tuple(Clause(clause) for clause in clauses), odds, gross)


def house_by_point_value() -> House:
    form = SHIPPED.house("marina-bay-sands").form
    settings = msgspec.structs.replace(form.settings, pair_rule=PairRule.POINT_VALUE)
    return House(msgspec.structs.replace(form, settings=settings), 1)


def test_a_document_without_variants_is_one_game() -> None:
    assert game_ids(SHIPPED.document("mbs-tiger-v3")) == ("mbs-tiger-v3",)
    (only,) = rulebooks(SHIPPED.document("mbs-tiger-v3"))
    assert (only.id, only.name) == ("mbs-tiger-v3", "Tiger Baccarat")


def test_each_variant_of_a_document_is_a_game() -> None:
    document = SHIPPED.document("hoiana-tiger-2024")
    ids = ("hoiana-tiger-2024/commission", "hoiana-tiger-2024/non-commission")
    assert game_ids(document) == ids
    assert tuple(each.id for each in rulebooks(document)) == ids
    assert [each.name for each in rulebooks(document)] == [
        "Hoiana Tiger Baccarat, commission",
        "Hoiana Tiger Baccarat, non-commission",
    ]


def test_a_pay_row_cites_its_own_clause_then_those_of_winning_and_commission() -> None:
    banker = book("mbs-tiger-v3").wagers["banker"]
    assert banker.kind is Kind.MAIN
    assert banker.lost == ("3.16",)
    assert banker.rows == (
        row((("winner", frozenset({Winner.TIE})),), "3.16.1"),
        row(
            (("winner", frozenset({Winner.BANKER})),),
            *("4.1.T1", "3.16", "1.1.2"),
            odds=Odds("0.95 to 1", 19, 20),
            gross=Odds("1 to 1", 1, 1),
        ),
    )


def test_a_side_wager_has_no_stand_off_and_no_commission() -> None:
    tie = book("mbs-tiger-v3").wagers["tie"]
    assert tie.kind is Kind.SIDE
    assert tie.rows == (
        row(
            (("winner", frozenset({Winner.TIE})),),
            *("4.1.T3", "1.1.12", "3.16.1"),
            odds=Odds("8 to 1", 8, 1),
        ),
    )


@pytest.mark.parametrize(
    ("game", "banker_odds"),
    [
        ("hoiana-tiger-2024/commission", ["0.95 to 1"]),
        ("hoiana-tiger-2024/non-commission", ["1 to 2", "1 to 1"]),
    ],
)
def test_a_variant_has_its_own_pay_rows(game: str, banker_odds: list[str]) -> None:
    assert [row.odds.text for row in book(game).wagers["banker"].rows if row.odds] == banker_odds
    assert [row.odds.text for row in book(game).wagers["tie"].rows if row.odds] == ["8 to 1"]


@pytest.mark.parametrize(
    ("game", "rule"),
    [
        ("mbs-tiger-nc-v4", PairRule.POINT_VALUE),
        ("mbs-tiger-v3", PairRule.POINT_VALUE),
        ("mbs-super-six-etg-v3", PairRule.POINT_VALUE),
        ("mbs-dragon-tiger-nc-2023", PairRule.RANK),
        ("hoiana-tiger-2024/commission", PairRule.RANK),
    ],
)
def test_the_house_reads_what_a_pair_is_only_where_the_document_leaves_it_open(
    game: str, rule: PairRule
) -> None:
    assert book(game).pair_rule(house_by_point_value()) is rule


def test_the_shipped_houses_read_pairs_by_rank() -> None:
    assert book("mbs-tiger-v3").pair_rule(SHIPPED.house("marina-bay-sands")) is PairRule.RANK


@pytest.mark.parametrize(
    ("game", "clause"), [("mbs-tiger-v3", "3.5"), ("hoiana-tiger-2024/commission", "4.5")]
)
def test_the_menu_is_the_clause_that_lists_the_wagers(game: str, clause: str) -> None:
    assert book(game).menu == (clause,)


def test_the_digest_stays_with_the_text_and_changes_with_it() -> None:
    document = SHIPPED.document("mbs-tiger-v3")
    again = msgspec.convert(msgspec.to_builtins(document), type(document))
    renamed = msgspec.structs.replace(document, name="Lion Baccarat")
    digest = rulebooks(document)[0].digest
    assert len(digest) == 64
    assert rulebooks(again)[0].digest == digest
    assert rulebooks(renamed)[0].digest != digest


@pytest.mark.parametrize(("burn", "first_says"), [(BY_FIRST_CARD, True), (1, False), (10, False)])
def test_a_house_burns_a_number_of_cards_or_as_many_as_the_first_one_says(
    burn: int | str, first_says: bool
) -> None:
    """Hoiana 2.2.2 leaves the number of burned cards to the house."""
    form = SHIPPED.house("hoiana").form
    settings = msgspec.structs.replace(form.settings, burn=burn)
    assert House(msgspec.structs.replace(form, settings=settings), 1).burns_by_first_card is first_says
