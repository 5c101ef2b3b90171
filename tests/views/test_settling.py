"""The takes, returns and payments of a dealer, also after a settlement was taken back."""

from folds.stories import SUPER_SIX, TIGER, tell

from thirdcard.clauses import Clause
from thirdcard.rulebook.irregularity import Situation
from thirdcard.views.sections.settlement import SettlementSection

# Player 9 wins against Banker 7: Ann is paid 200, Bob's 100 are taken, and so are Cleo's 50 on the tie
SETTLED = """automatic expose
patrons Ann at 1, Bob at 2, Cleo at 3
Dealer: opens betting
Ann: 200 on player at 1
Bob: 100 on banker at 2
Cleo: 50 on tie at 3
Dealer: closes betting
Dealer: draws 9 2 K 5
Dealer: calls player
"""
CORRECTED = SETTLED + "Dealer with Pit Manager: corrects card 1 to 6\n"
CALLED = CORRECTED + "Dealer: calls banker\n"
VOID = SETTLED + "Dealer: reports foreign-card, still paying\nPit Manager: confirms\n"


def section(text: str, game: str = TIGER) -> SettlementSection:
    found = tell(text, game).staff.settlement
    assert found is not None
    return found


def lines(text: str) -> list[tuple[str, str, int, int]]:
    """Return what is done about whose wager, how much, and by which settlement of the round."""
    moves = ("take-back", "pay")
    return [
        (
            each.does,
            each.patron,
            each.paid if each.does in moves else each.taken or each.back,
            each.settlement,
        )
        for each in section(text).lines
    ]


def test_settlement_that_stands_undoes_nothing() -> None:
    assert lines(SETTLED) == [("take", "Bob", 10000, 0), ("take", "Cleo", 5000, 0), ("pay", "Ann", 20000, 0)]
    assert section(SETTLED).reversals == ()


def test_lines_are_due_before_the_next_round_and_not_while_one_is_under_way() -> None:
    assert section(SETTLED).due
    assert not section(CORRECTED).due
    assert not section(SETTLED + "Dealer: opens betting\n").due


def test_lines_at_terminals_are_not_due() -> None:
    played = "patrons T1\nT1: buys 1000 credits\nDealer: opens betting\nT1: 100 on player\n"
    assert not section(played + "Dealer: closes betting\nDealer: draws 9 2 K 5\n", SUPER_SIX).due


def test_line_that_undoes_another_names_it() -> None:
    settled = {each.key: each for each in section(SETTLED).lines}
    undone = [each for each in section(CALLED).lines if each.reversal is not None]
    assert [settled[each.undoes or ""].patron for each in undone] == [each.patron for each in undone]
    keys = [each.key for each in section(CALLED).lines]
    assert len({*keys}) == len(keys)


def test_while_a_corrected_round_goes_on_only_the_reason_is_told() -> None:
    shown = section(CORRECTED)
    assert (shown.round, shown.lines) == (1, ())
    assert [(each.card, each.situation, each.void) for each in shown.reversals] == [(1, None, False)]


def test_corrected_settlement_undoes_what_was_paid_and_taken_first() -> None:
    """Banker wins 7 to 6: Ann loses 200, Bob wins 100 less 5 %, and Cleo lost either way."""
    assert lines(CALLED) == [
        ("take-back", "Ann", 20000, 0),
        ("give-back", "Bob", 10000, 0),
        ("take", "Ann", 20000, 1),
        ("take", "Cleo", 5000, 0),
        ("pay", "Bob", 9500, 1),
    ]
    shown = section(CALLED)
    assert (shown.undone, shown.taken - shown.paid, shown.balances) == (10000, 15500, True)
    assert shown.lines[0].clauses == shown.reversals[0].clauses == (Clause("3.16"),)


def test_card_corrected_twice_undoes_each_settlement() -> None:
    """Player 9, then 6, then 9 again: Ann and Bob are settled three times."""
    again = (
        CORRECTED
        + "Dealer: calls banker\nDealer with Pit Manager: corrects card 1 to 9\nDealer: calls player\n"
    )
    assert lines(again) == [
        ("take-back", "Ann", 20000, 0),
        ("give-back", "Bob", 10000, 0),
        ("take-back", "Bob", 9500, 1),
        ("give-back", "Ann", 20000, 1),
        ("take", "Bob", 10000, 2),
        ("take", "Cleo", 5000, 0),
        ("pay", "Ann", 20000, 2),
    ]


def test_void_after_the_settlement_undoes_it_and_returns_the_stakes() -> None:
    """Clause 5.1.1: half paid is still the current round."""
    assert lines(VOID) == [
        ("take-back", "Ann", 20000, 0),
        ("give-back", "Bob", 10000, 0),
        ("give-back", "Cleo", 5000, 0),
        ("leave", "Ann", 20000, 1),
        ("leave", "Bob", 10000, 1),
        ("leave", "Cleo", 5000, 1),
    ]
    shown = section(VOID)
    assert (shown.void, shown.undone, shown.taken, shown.balances) == (True, 5000, 0, True)
    assert [each.situation for each in shown.reversals] == [Situation.FOREIGN_CARD]


def test_patron_who_left_has_the_chips_along() -> None:
    """A payment to somebody who left is claimed, and not taken back."""
    left = (
        SETTLED
        + "Ann: leaves the table\nDealer with Pit Manager: corrects card 1 to 6\nDealer: calls banker\n"
    )
    shown = section(left).lines
    assert [(each.does, each.patron) for each in shown if each.gone] == [("take-back", "Ann")]


def test_next_round_forgets_what_was_undone() -> None:
    later = (
        CORRECTED + "Dealer: calls banker\nDealer: opens betting\nDealer: closes betting\nDealer: draws 9\n"
    )
    assert section(later) == SettlementSection()


def test_void_round_of_the_shoe_before_is_undone_as_well() -> None:
    """Super Six 5.2: the round cannot be reconstructed, and new cards lie in the device already."""
    played = (
        "patrons T1\nT1: buys 1000 credits\nDealer: opens betting\nT1: 100 on player\n"
        "Dealer: closes betting\nDealer: draws 9 2 K 5\n"
    )
    void = "Pit Manager: loads 8 decks\n" * 2 + "Dealer: reports wrong-number-of-cards, not reconstructable\n"
    shown = tell(played + void + "Pit Manager: confirms\n", SUPER_SIX).staff.settlement
    assert shown is not None
    assert [(each.does, each.paid, each.back) for each in shown.lines] == [
        ("take-back", 10000, 10000),
        ("leave", 0, 10000),
    ]
