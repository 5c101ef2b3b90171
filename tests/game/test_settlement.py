"""Every pay row of every wager of every game, settled from typed cards; odds from the documents."""

import msgspec
import pytest
from conftest import Cite, Settle

from thirdcard.computing.settling import parse_cards
from thirdcard.game.outcome import Outcome, play_out
from thirdcard.game.settlement import Result, refuse_wager, settle
from thirdcard.money import Rounding, parse_amount
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED

N4, T3, DT = "mbs-tiger-nc-v4", "mbs-tiger-v3", "mbs-dragon-tiger-nc-2023"
S6 = "mbs-super-six-etg-v3"
HC, HN = "hoiana-tiger-2024/commission", "hoiana-tiger-2024/non-commission"

# cards in draw order and what they make
PLAYER_9_TO_7 = "9 2 K 5"
BANKER_9_TO_5 = "2 9 3 K"
BANKER_SIX_TWO_CARDS = "2 K 3 6 K"  # Player 2-3-K 5, Banker K-6
BANKER_SIX_THREE_CARDS = "2 A 2 2 A 3"  # Player 2-2-A 5, Banker A-2-3
TIE_AT_SEVEN = "K K 7 7"
TIE_AT_SIX = "K Q 6 6"
ONE_PAIR = "9 K 9 4"
TWO_PAIRS = "9 K 9 K"
TENS_AND_KINGS = "10 K 10 K 5 3"
TWIN_QUEENS = "Q Q Q Q 4 2"
PLAYER_PAIR = "9 Q 9 J"
BANKER_PAIR = "4 Q 2 Q 5"
SEVEN_OVER_SIX_FOUR_CARDS = "K K 7 6"
SEVEN_OVER_SIX_BANKER_DREW = "K 2 7 3 A"
SEVEN_OVER_SIX_PLAYER_DREW = "2 K 3 6 2"
SEVEN_OVER_SIX_SIX_CARDS = "2 A 3 2 2 3"
THREE_CARD_SEVEN = "2 K 3 3 2 2"  # Player 2-3-2 7, Banker K-3-2 5

# game, cards, wager, stake, odds, paid, clause of the pay row
PAY_ROWS = [
    (N4, PLAYER_9_TO_7, "player", "100", "1 to 1", "100.00", "4.1.T1"),
    (N4, BANKER_SIX_TWO_CARDS, "banker", "100", "1 to 2", "50.00", "4.1.T2"),
    (N4, BANKER_SIX_THREE_CARDS, "banker", "100", "1 to 2", "50.00", "4.1.T2"),
    (N4, BANKER_9_TO_5, "banker", "100", "1 to 1", "100.00", "4.1.T3"),
    (N4, TIE_AT_SEVEN, "tie", "10", "8 to 1", "80.00", "4.1.T4"),
    (N4, ONE_PAIR, "tiger-pair", "10", "4 to 1", "40.00", "4.2.T1"),
    (N4, TWO_PAIRS, "tiger-pair", "10", "20 to 1", "200.00", "4.2.T2"),
    (N4, TENS_AND_KINGS, "tiger-pair", "10", "20 to 1", "200.00", "4.2.T2"),
    (N4, TWIN_QUEENS, "tiger-pair", "10", "100 to 1", "1000.00", "4.2.T3"),
    (N4, BANKER_SIX_TWO_CARDS, "tiger", "10", "12 to 1", "120.00", "4.3.T1"),
    (N4, BANKER_SIX_THREE_CARDS, "tiger", "10", "20 to 1", "200.00", "4.3.T2"),
    (N4, BANKER_SIX_TWO_CARDS, "small-tiger", "10", "22 to 1", "220.00", "4.3.T3"),
    (N4, BANKER_SIX_THREE_CARDS, "big-tiger", "10", "50 to 1", "500.00", "4.3.T4"),
    (N4, TIE_AT_SIX, "tiger-tie", "10", "35 to 1", "350.00", "4.3.T5"),
    (T3, BANKER_9_TO_5, "banker", "100", "0.95 to 1", "95.00", "4.1.T1"),
    (T3, BANKER_SIX_TWO_CARDS, "banker", "25", "0.95 to 1", "23.75", "4.1.T1"),
    (T3, PLAYER_9_TO_7, "player", "100", "1 to 1", "100.00", "4.1.T2"),
    (T3, TIE_AT_SEVEN, "tie", "10", "8 to 1", "80.00", "4.1.T3"),
    (T3, ONE_PAIR, "tiger-pair", "10", "4 to 1", "40.00", "4.2.T1"),
    (T3, TWO_PAIRS, "tiger-pair", "10", "20 to 1", "200.00", "4.2.T2"),
    (T3, TENS_AND_KINGS, "tiger-pair", "10", "20 to 1", "200.00", "4.2.T2"),
    (T3, TWIN_QUEENS, "tiger-pair", "10", "100 to 1", "1000.00", "4.2.T3"),
    (T3, BANKER_SIX_TWO_CARDS, "tiger", "10", "12 to 1", "120.00", "4.3.T1"),
    (T3, BANKER_SIX_THREE_CARDS, "tiger", "10", "20 to 1", "200.00", "4.3.T2"),
    (T3, BANKER_SIX_TWO_CARDS, "small-tiger", "10", "22 to 1", "220.00", "4.3.T3"),
    (T3, BANKER_SIX_THREE_CARDS, "big-tiger", "10", "50 to 1", "500.00", "4.3.T4"),
    (T3, TIE_AT_SIX, "tiger-tie", "10", "35 to 1", "350.00", "4.3.T5"),
    (DT, PLAYER_9_TO_7, "player", "100", "1 to 1", "100.00", "4.1.T1"),
    (DT, BANKER_SIX_TWO_CARDS, "banker", "100", "1 to 2", "50.00", "4.1.T2"),
    (DT, BANKER_9_TO_5, "banker", "100", "1 to 1", "100.00", "4.1.T3"),
    (DT, TIE_AT_SEVEN, "tie", "10", "8 to 1", "80.00", "4.1.T4"),
    (DT, SEVEN_OVER_SIX_SIX_CARDS, "dragon-tiger", "10", "100 to 1", "1000.00", "4.2.T1"),
    (DT, SEVEN_OVER_SIX_BANKER_DREW, "dragon-tiger", "10", "40 to 1", "400.00", "4.2.T2"),
    (DT, SEVEN_OVER_SIX_PLAYER_DREW, "dragon-tiger", "10", "40 to 1", "400.00", "4.2.T2"),
    (DT, SEVEN_OVER_SIX_FOUR_CARDS, "dragon-tiger", "10", "30 to 1", "300.00", "4.2.T3"),
    (DT, THREE_CARD_SEVEN, "big-dragon", "10", "30 to 1", "300.00", "4.3.T1"),
    (DT, SEVEN_OVER_SIX_BANKER_DREW, "small-dragon", "10", "15 to 1", "150.00", "4.3.T2"),
    (DT, BANKER_SIX_THREE_CARDS, "big-tiger", "10", "50 to 1", "500.00", "4.3.T3"),
    (DT, BANKER_SIX_TWO_CARDS, "small-tiger", "10", "22 to 1", "220.00", "4.3.T4"),
    (S6, BANKER_SIX_TWO_CARDS, "banker", "100", "1 to 2", "50.00", "4.1.T1"),
    (S6, BANKER_9_TO_5, "banker", "100", "1 to 1", "100.00", "4.1.T2"),
    (S6, PLAYER_9_TO_7, "player", "100", "1 to 1", "100.00", "4.1.T3"),
    (S6, TIE_AT_SEVEN, "tie", "10", "8 to 1", "80.00", "4.1.T4"),
    (S6, PLAYER_PAIR, "player-pair", "10", "11 to 1", "110.00", "4.1.T5"),
    (S6, BANKER_PAIR, "banker-pair", "10", "11 to 1", "110.00", "4.1.T5"),
    (S6, BANKER_SIX_TWO_CARDS, "super-six", "10", "15 to 1", "150.00", "4.1.T6"),
    (S6, BANKER_SIX_THREE_CARDS, "super-six", "10", "15 to 1", "150.00", "4.1.T6"),
    (HC, BANKER_SIX_TWO_CARDS, "banker", "200", "0.95 to 1", "190.00", "5.1.1.T1"),
    (HC, PLAYER_9_TO_7, "player", "200", "1 to 1", "200.00", "5.1.1.T2"),
    (HN, BANKER_SIX_TWO_CARDS, "banker", "200", "1 to 2", "100.00", "5.1.2.T1"),
    (HN, BANKER_9_TO_5, "banker", "200", "1 to 1", "200.00", "5.1.2.T2"),
    (HN, PLAYER_9_TO_7, "player", "200", "1 to 1", "200.00", "5.1.2.T3"),
    *(
        (game, *row)
        for game in (HC, HN)
        for row in (
            (TIE_AT_SEVEN, "tie", "10", "8 to 1", "80.00", "5.1.3.T1"),
            (BANKER_PAIR, "banker-pair", "10", "11 to 1", "110.00", "5.1.3.T2"),
            (PLAYER_PAIR, "player-pair", "10", "11 to 1", "110.00", "5.1.3.T3"),
            (BANKER_SIX_TWO_CARDS, "tiger", "10", "12 to 1", "120.00", "5.1.3.T4"),
            (BANKER_SIX_THREE_CARDS, "tiger", "10", "20 to 1", "200.00", "5.1.3.T5"),
            (BANKER_SIX_TWO_CARDS, "small-tiger", "10", "22 to 1", "220.00", "5.1.3.T6"),
            (BANKER_SIX_THREE_CARDS, "big-tiger", "10", "50 to 1", "500.00", "5.1.3.T7"),
        )
    ),
]


def cents(amount: str) -> int:
    whole, _, places = amount.partition(".")
    return int(whole) * 100 + int(places or "0")


@pytest.mark.parametrize(("game", "cards", "wager", "stake", "odds", "paid", "clause"), PAY_ROWS)
def test_every_pay_row(
    game: str, cards: str, wager: str, stake: str, odds: str, paid: str, clause: str, settle_hand: Settle
) -> None:
    (result,) = settle_hand(game, cards, **{wager: stake}).wagers
    assert result.result is Result.WON
    assert result.odds is not None
    assert (result.odds.text, result.paid, result.clauses[0]) == (odds, cents(paid), clause)
    assert result.net == result.paid


def test_the_pay_rows_above_are_all_there_are() -> None:
    settled = {(game, wager, odds, clause) for game, _, wager, _, odds, _, clause in PAY_ROWS}
    offered = {
        (book.id, wager.id, row.odds.text, row.clauses[0])
        for book in SHIPPED.rulebooks
        for wager in book.wagers.values()
        for row in wager.rows
        if row.odds
    }
    assert settled == offered


# cards on which a wager loses although all but one of the facts of its pay row hold
TIE_AT_SIX_THREE_CARDS = "2 A 3 2 A 3"  # Player 2-3-A 6, Banker A-2-3 6
BANKER_SEVEN_THREE_CARDS = "2 A 2 2 A 4"  # Player 2-2-A 5, Banker A-2-4 7
EIGHT_OVER_SIX_PLAYER_DREW = "2 K 3 6 3"  # Player 2-3-3 8, Banker K-6
EIGHT_OVER_SIX_SIX_CARDS = "2 A 3 2 3 3"  # Player 2-3-3 8, Banker A-2-3 6
SEVEN_OVER_FOUR_BANKER_DREW = "K 2 7 3 9"  # Player K-7, Banker 2-3-9 4
EIGHT_OVER_FIVE_THREE_CARDS = "2 K 3 3 3 2"  # Player 2-3-3 8, Banker K-3-2 5
SEVEN_OVER_PLAYER_SIX = "K K 6 7"
TIE_AT_SEVEN_PLAYER_DREW = "2 K 3 7 2"  # Player 2-3-2 7, Banker K-7
NEAR_MISSES = [
    *((game, cards, "tiger") for game in (N4, T3, HC, HN) for cards in (TIE_AT_SIX, TIE_AT_SIX_THREE_CARDS)),
    *(
        (game, cards, "tiger")
        for game in (N4, T3, HC, HN)
        for cards in (BANKER_9_TO_5, BANKER_SEVEN_THREE_CARDS)
    ),
    *((game, BANKER_SIX_THREE_CARDS, "small-tiger") for game in (N4, T3, DT, HC, HN)),
    *((game, TIE_AT_SIX, "small-tiger") for game in (N4, T3, DT, HC, HN)),
    *((game, BANKER_9_TO_5, "small-tiger") for game in (N4, T3, DT, HC, HN)),
    *((game, BANKER_SIX_TWO_CARDS, "big-tiger") for game in (N4, T3, DT, HC, HN)),
    *((game, TIE_AT_SIX_THREE_CARDS, "big-tiger") for game in (N4, T3, DT, HC, HN)),
    *((game, BANKER_SEVEN_THREE_CARDS, "big-tiger") for game in (N4, T3, DT, HC, HN)),
    *((game, cards, "tiger-tie") for game in (N4, T3) for cards in (TIE_AT_SEVEN, BANKER_SIX_TWO_CARDS)),
    *((game, SEVEN_OVER_PLAYER_SIX, "tiger-tie") for game in (N4, T3)),
    *((DT, cards, "dragon-tiger") for cards in (EIGHT_OVER_SIX_PLAYER_DREW, EIGHT_OVER_SIX_SIX_CARDS)),
    *((DT, cards, "dragon-tiger") for cards in (SEVEN_OVER_FOUR_BANKER_DREW, THREE_CARD_SEVEN)),
    *((DT, cards, "big-dragon") for cards in (EIGHT_OVER_FIVE_THREE_CARDS, TIE_AT_SEVEN_PLAYER_DREW)),
    (DT, SEVEN_OVER_SIX_FOUR_CARDS, "big-dragon"),
    *((DT, cards, "small-dragon") for cards in (TIE_AT_SEVEN, PLAYER_9_TO_7, THREE_CARD_SEVEN)),
    *((S6, cards, "super-six") for cards in (TIE_AT_SIX, BANKER_9_TO_5)),
]


@pytest.mark.parametrize(("game", "cards", "wager"), NEAR_MISSES)
def test_a_wager_loses_where_one_fact_of_its_pay_row_fails(
    game: str, cards: str, wager: str, settle_hand: Settle
) -> None:
    (settled,) = settle_hand(game, cards, **{wager.replace("-", "_"): "10"}).wagers
    assert (settled.result, settled.paid) == (Result.LOST, 0)


# game, wager, clauses cited when it loses; cards on which it does
LOSSES = [
    (N4, "player", BANKER_9_TO_5, ("3.15",)),
    (N4, "banker", PLAYER_9_TO_7, ("3.15",)),
    (N4, "tie", PLAYER_9_TO_7, ("1.1.11",)),
    (N4, "tiger", PLAYER_9_TO_7, ("1.1.12",)),
    (N4, "big-tiger", BANKER_SIX_TWO_CARDS, ("1.1.1",)),
    (N4, "small-tiger", BANKER_SIX_THREE_CARDS, ("1.1.7",)),
    (N4, "tiger-pair", PLAYER_9_TO_7, ("1.1.13", "3.13")),
    (N4, "tiger-tie", TIE_AT_SEVEN, ("1.1.14",)),
    (T3, "player", BANKER_9_TO_5, ("3.16",)),
    (T3, "banker", PLAYER_9_TO_7, ("3.16",)),
    (T3, "tie", PLAYER_9_TO_7, ("1.1.12",)),
    (T3, "tiger", PLAYER_9_TO_7, ("1.1.13",)),
    (T3, "big-tiger", BANKER_SIX_TWO_CARDS, ("1.1.1",)),
    (T3, "small-tiger", BANKER_SIX_THREE_CARDS, ("1.1.8",)),
    (T3, "tiger-pair", PLAYER_9_TO_7, ("1.1.14", "3.14")),
    (T3, "tiger-tie", TIE_AT_SEVEN, ("1.1.15",)),
    (DT, "player", BANKER_9_TO_5, ("3.15",)),
    (DT, "banker", PLAYER_9_TO_7, ("3.15",)),
    (DT, "tie", PLAYER_9_TO_7, ("1.1.14",)),
    (DT, "dragon-tiger", THREE_CARD_SEVEN, ("1.1.3",)),
    (DT, "big-dragon", SEVEN_OVER_SIX_FOUR_CARDS, ("1.1.1",)),
    (DT, "small-dragon", THREE_CARD_SEVEN, ("1.1.9",)),
    (DT, "big-tiger", BANKER_SIX_TWO_CARDS, ("1.1.2",)),
    (DT, "small-tiger", BANKER_SIX_THREE_CARDS, ("1.1.10",)),
    (S6, "player", BANKER_9_TO_5, ("3.10",)),
    (S6, "banker", PLAYER_9_TO_7, ("3.10",)),
    (S6, "tie", PLAYER_9_TO_7, ("1.1.9",)),
    (S6, "player-pair", BANKER_PAIR, ("3.8", "3.8.1")),
    (S6, "banker-pair", PLAYER_PAIR, ("3.8", "3.8.2")),
    (S6, "super-six", SEVEN_OVER_SIX_FOUR_CARDS, ("1.1.8",)),
    (HC, "player", BANKER_9_TO_5, ("6.1.1.2",)),
    (HC, "banker", PLAYER_9_TO_7, ("6.1.2.2",)),
    (HC, "tie", PLAYER_9_TO_7, ("6.1.3",)),
    (HC, "banker-pair", PLAYER_PAIR, ("4.9.1.3", "4.11.2.1", "6.2.1.2")),
    (HC, "player-pair", BANKER_PAIR, ("4.9.1.3", "4.11.2.1", "6.2.1.2")),
    (HC, "tiger", PLAYER_9_TO_7, ("2.2.19", "6.3.1.1")),
    (HC, "small-tiger", BANKER_SIX_THREE_CARDS, ("2.2.14", "6.4.1.1")),
    (HC, "big-tiger", BANKER_SIX_TWO_CARDS, ("2.2.3", "6.5.1.1")),
]


@pytest.mark.parametrize(("game", "wager", "cards", "clauses"), LOSSES)
def test_every_wager_loses_by_its_clause(
    game: str, wager: str, cards: str, clauses: tuple[str, ...], settle_hand: Settle
) -> None:
    (result,) = settle_hand(game, cards, **{wager: "10"}).wagers
    assert (result.result, result.odds, result.paid, result.net) == (Result.LOST, None, 0, -1000)
    assert result.clauses == clauses


# wagers that win although the round is a tie at seven, a tie at six
ALSO_AT_SEVEN = {"tie"}
ALSO_AT_SIX = {"tie", "tiger-tie"}


@pytest.mark.parametrize(
    ("game", "stands_off"),
    [(N4, "3.15.1"), (T3, "3.16.1"), (DT, "3.15.1"), (S6, "3.10.1"), (HC, "6.1.1.3"), (HN, "6.1.1.3")],
)
@pytest.mark.parametrize(
    ("cards", "winning"), [(TIE_AT_SEVEN, ALSO_AT_SEVEN), (TIE_AT_SIX, ALSO_AT_SIX)], ids=["seven", "six"]
)
def test_on_a_tie_player_and_banker_stand_off_and_side_wagers_lose(
    game: str, stands_off: str, cards: str, winning: set[str], settle_hand: Settle
) -> None:
    book = SHIPPED.rulebook(game)
    results = settle_hand(game, cards, **dict.fromkeys(book.wagers, "20")).wagers
    for result in results:
        if result.wager in ("player", "banker"):
            assert (result.result, result.paid, result.net) == (Result.STOOD_OFF, 0, 0)
            assert result.clauses[0] in (stands_off, "6.1.2.3")
        else:
            assert result.result is (Result.WON if result.wager in winning else Result.LOST), result.wager


def test_on_six_six_tie_and_tiger_tie_are_both_paid(settle_hand: Settle) -> None:
    for game in (N4, T3):
        tie, tiger_tie, tiger, player = settle_hand(
            game, TIE_AT_SIX, tie="10", tiger_tie="10", tiger="10", player="100"
        ).wagers
        assert (tie.paid, tiger_tie.paid) == (8000, 35000)
        assert tiger.result is Result.LOST
        assert player.result is Result.STOOD_OFF


def test_pair_wagers_do_not_depend_on_a_tie(settle_hand: Settle) -> None:
    tie_with_pairs = "4 9 4 9"  # 8 to 8
    assert settle_hand(N4, tie_with_pairs, tiger_pair="10").wagers[0].paid == 20000
    for game in (S6, HN):
        pairs = settle_hand(game, tie_with_pairs, player_pair="10", banker_pair="10").wagers
        assert [pair.paid for pair in pairs] == [11000, 11000]


@pytest.mark.parametrize(
    ("first_two", "is_pair"),
    [
        ("J Q", False),
        ("Q K", False),
        ("10 K", False),
        ("10 J", False),
        ("10 10", True),
        ("K K", True),
        ("A A", True),
    ],
)
def test_a_pair_is_two_cards_of_one_rank(first_two: str, is_pair: bool, settle_hand: Settle) -> None:
    one, two = first_two.split()
    cards = f"{one} 9 {two} K"  # the Banker's natural nine ends the round
    wagers = [
        settle_hand(N4, cards, tiger_pair="10").wagers[0],
        settle_hand(T3, cards, tiger_pair="10").wagers[0],
        settle_hand(S6, cards, player_pair="10").wagers[0],
        settle_hand(HC, cards, player_pair="10").wagers[0],
    ]
    expected = Result.WON if is_pair else Result.LOST
    assert [wager.result for wager in wagers] == [expected] * 4


def test_ten_king_is_a_pair_where_the_house_reads_point_value_literally(settle_hand: Settle) -> None:
    house = with_setting("pair_rule", PairRule.POINT_VALUE)
    assert settle_hand(N4, "10 9 K K", house, tiger_pair="10").wagers[0].paid == 4000
    assert settle_hand(S6, "10 9 K K", house, player_pair="10").wagers[0].paid == 11000
    at_hoiana = settle_hand(HC, "10 9 K K", house, player_pair="10").wagers[0]
    assert at_hoiana.result is Result.LOST  # 4.11.2.1 leaves the house no choice


def test_three_card_hands_keep_their_pairs_and_a_third_card_makes_none(settle_hand: Settle) -> None:
    kept = settle_hand(S6, "2 K 2 3 9 5", player_pair="10").wagers[0]  # Player 2-2-9
    assert kept.paid == 11000
    made = settle_hand(N4, "3 5 2 6 3 9", tiger_pair="10").wagers[0]  # Player 3-2-3
    assert made.result is Result.LOST


def test_tiger_pair_pays_only_its_highest_tier(settle_hand: Settle) -> None:
    (double,) = settle_hand(T3, TWO_PAIRS, tiger_pair="10").wagers
    assert (double.paid, double.clauses) == (20000, ("4.2.T2", "1.1.14.2", "1.1.14", "3.14"))


def with_rounding(unit: str, payments: str) -> House:
    house = SHIPPED.house("marina-bay-sands")
    rounding = msgspec.structs.replace(house.form.rounding, smallest_unit=unit, payments=Rounding(payments))
    minor = parse_amount(unit, house.currency)
    assert minor
    return msgspec.structs.replace(
        house, form=msgspec.structs.replace(house.form, rounding=rounding), unit=minor
    )


def with_setting(name: str, value: object) -> House:
    house = SHIPPED.house("marina-bay-sands")
    settings = msgspec.structs.replace(house.form.settings, **{name: value})
    return msgspec.structs.replace(house, form=msgspec.structs.replace(house.form, settings=settings))


# unit, rounding, game, stake in that unit, paid in cents, rounded over and of
ODD_STAKES = [
    # half pay of an odd cent: 0.005 more is paid, or 0.005 less
    ("0.01", "up", N4, "0.01", 1, 1, 2),
    ("0.01", "down", N4, "0.01", 0, -1, 2),
    ("0.01", "half-up", N4, "0.01", 1, 1, 2),
    ("0.01", "up", N4, "333.33", 16667, 1, 2),
    # 0.95 of 0.01 is 0.0095
    ("0.01", "up", T3, "0.01", 1, 1, 20),
    ("0.01", "down", T3, "0.01", 0, -19, 20),
    # chips of one dollar: half of 333 is 166.50
    ("1", "up", N4, "333", 16700, 100, 2),
    ("1", "down", N4, "333", 16600, -100, 2),
    ("1", "half-up", N4, "333", 16700, 100, 2),
    # chips of one dollar: 0.95 of 333 is 316.35
    ("1", "up", T3, "333", 31700, 1300, 20),
    ("1", "down", T3, "333", 31600, -700, 20),
    ("1", "half-up", T3, "333", 31600, -700, 20),
    # nothing to round
    ("1", "up", T3, "20", 1900, 0, 20),
    ("2.50", "up", N4, "10", 500, 0, 2),
]


@pytest.mark.parametrize(("unit", "payments", "game", "stake", "paid", "over", "of"), ODD_STAKES)
def test_half_pay_and_commission_on_odd_stakes_account_for_the_remainder(
    unit: str, payments: str, game: str, stake: str, paid: int, over: int, of: int, settle_hand: Settle
) -> None:
    house = with_rounding(unit, payments)
    (banker,) = settle_hand(game, BANKER_SIX_TWO_CARDS, house, banker=stake).wagers
    assert (banker.paid, banker.rounded_over, banker.rounded_of) == (paid, over, of)


def test_commission_is_shown_beside_the_net_payment(settle_hand: Settle) -> None:
    for game, clauses in ((T3, {"1.1.2"}), (HC, {"2.2.4", "2.2.5"})):
        (banker,) = settle_hand(game, BANKER_9_TO_5, banker="100").wagers
        assert (banker.paid, banker.commission) == (9500, 500)
        assert clauses <= set(banker.clauses)
    (without,) = settle_hand(HN, BANKER_9_TO_5, banker="100").wagers
    assert (without.commission, without.clauses) == (0, ("5.1.2.T2", "2.2.10", "5.1.2", "6.1.2.1"))


@pytest.mark.parametrize(
    ("game", "wager", "menu"),
    [
        (N4, "player-pair", "3.5"),
        (T3, "super-six", "3.5"),
        (DT, "tiger", "3.5"),
        (S6, "tiger", "3.5"),
        (HC, "tiger-pair", "4.5"),
        (HN, "tiger-tie", "4.5"),
    ],
)
def test_a_wager_that_is_not_on_the_menu_is_refused_by_the_clause_of_the_menu(
    game: str, wager: str, menu: str, cite: Cite
) -> None:
    book = SHIPPED.rulebook(game)
    house = SHIPPED.house(book.document.house)
    outcome = play_out(book, parse_cards(TIE_AT_SIX), PairRule.RANK)
    assert isinstance(outcome, Outcome)
    refused = settle(book, house, outcome, ((wager, 1000),))
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.clauses) == (Refusal.WAGER_NOT_OFFERED, (menu,))
    cite(book.document.id, refused)


@pytest.mark.parametrize(
    ("stake", "reason"), [(0, Refusal.STAKE_NOT_POSITIVE), (-5, Refusal.STAKE_NOT_POSITIVE)]
)
def test_a_stake_must_be_above_zero(stake: int, reason: Refusal) -> None:
    refused = refuse_wager(SHIPPED.rulebook(N4), SHIPPED.house("marina-bay-sands"), "player", stake)
    assert refused is not None
    assert refused.reason is reason


def test_a_stake_finer_than_the_smallest_unit_is_refused() -> None:
    house = with_rounding("0.05", "up")
    assert refuse_wager(SHIPPED.rulebook(N4), house, "player", 10) is None
    refused = refuse_wager(SHIPPED.rulebook(N4), house, "player", 12)
    assert refused is not None
    assert refused.reason is Refusal.STAKE_TOO_FINE


@pytest.mark.parametrize(
    ("cards", "reason", "clauses"),
    [
        ("K", Refusal.TOO_FEW_CARDS, ("3.12",)),
        ("K K", Refusal.TOO_FEW_CARDS, ("3.12",)),
        ("2 K 3 6", Refusal.TOO_FEW_CARDS, ("3.14.T2",)),
        ("K 2 7 3", Refusal.TOO_FEW_CARDS, ("3.14.T10",)),
        ("2 A 2 2 A", Refusal.TOO_FEW_CARDS, ("3.14.T5",)),
        ("9 2 K 5 A", Refusal.TOO_MANY_CARDS, ("3.14.T1",)),
        ("2 K 3 6 K K", Refusal.TOO_MANY_CARDS, ("3.14.T8",)),
    ],
)
def test_too_few_and_too_many_cards_are_refused_by_the_row_that_says_so(
    cards: str, reason: Refusal, clauses: tuple[str, ...]
) -> None:
    refused = play_out(SHIPPED.rulebook(N4), parse_cards(cards), PairRule.RANK)
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.clauses) == (reason, clauses)
