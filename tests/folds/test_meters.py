"""Meters of terminals, tables and kinds of wagers; made-up evenings show that they agree with the ledger."""

from folds.stories import HOIANA, SUPER_SIX, tell

from thirdcard.folds.meters import Meter, meters_after
from thirdcard.game import events as ev

PATRONS = "patrons Ann at 1, Bob at 2\n"
ROUND = (
    "Dealer: opens betting\nAnn: 600 on player at 1\nBob: 500 on banker at 2\nBob: 10 on tie at 2\n"
    "Dealer: closes betting\nDealer: draws 9 2 K 5\n"
)
TERMINALS = "patrons T1\nT1: buys 1000 credits\n"
PLAYED = (
    TERMINALS + "Dealer: opens betting\nT1: 100 on player\nDealer: closes betting\nDealer: draws K 2 7 3 A\n"
)


def test_what_goes_in_and_out_is_played_and_won() -> None:
    meters = tell(PLAYED + "T1: cashes out 200\n", SUPER_SIX).watch.meters
    own = Meter(bought=100000, cashed_out=20000, played=10000, won=10000, rounds=1)
    assert meters.patrons == {"T1": own}
    assert (meters.table, own.balance) == (own, 90000)
    assert meters.wagers == {"player": Meter(played=10000, won=10000, rounds=1)}


def test_a_round_counts_once_for_the_table_each_patron_and_each_kind_of_wager() -> None:
    meters = tell(PATRONS + ROUND * 2).watch.meters
    assert meters.table.rounds == 2
    assert {name: meter.rounds for name, meter in meters.patrons.items()} == {"Ann": 2, "Bob": 2}
    assert meters.patrons["Bob"] == Meter(played=102000, lost=102000, rounds=2)
    assert meters.wagers["tie"] == Meter(played=2000, lost=2000, rounds=2)


def test_commission_is_metered() -> None:
    lines = "Dealer: opens betting\nBob: 500 on banker at 2\nDealer: closes betting\nDealer: draws 2 9 K K\n"
    meters = tell(PATRONS + lines, HOIANA).watch.meters
    assert meters.wagers["banker"] == Meter(played=50000, won=47500, commission=2500, rounds=1)


def test_a_wager_lies_until_it_is_settled_or_taken_off() -> None:
    lines = "Dealer: opens betting\nAnn: 600 on player at 1\nAnn: takes 100 off player at 1\n"
    meters = tell(PATRONS + lines).watch.meters
    assert meters.table == meters.wagers["player"] == meters.patron("Ann") == Meter(lying=50000)


def test_chips_that_were_taken_away_late_lie_no_more() -> None:
    lines = "Dealer: opens betting\nAnn: 600 on player at 1\nDealer: closes betting\n"
    meters = tell(PATRONS + lines + "Ann: takes 100 off player at 1\n").watch.meters
    assert meters.table == meters.wagers["player"] == meters.patron("Ann") == Meter(lying=50000)


def test_what_lies_of_a_patron_who_has_played_before_is_on_the_meter() -> None:
    again = "Dealer: opens betting\nAnn: 600 on player at 1\nAnn: 50 on tie at 1\n"
    meters = tell(PATRONS + ROUND + again).watch.meters
    assert meters.patron("Ann") == Meter(lying=65000, played=60000, won=60000, rounds=1)
    assert meters.patron("Cy") == Meter()


def test_the_felt_agrees_at_table_wagers_and_patrons_also_of_a_first_wager() -> None:
    """B-21: the table and the wager said 100, the patron nothing."""
    meters = tell(
        PATRONS + "Dealer: opens betting\nAnn: 600 on player at 1\nBob: 50 on tie at 2\n"
    ).watch.meters
    assert {name: meter.lying for name, meter in meters.all_patrons.items()} == {"Ann": 60000, "Bob": 5000}
    assert sum(meter.lying for meter in meters.wagers.values()) == meters.table.lying == 65000


def test_the_house_wins_what_patrons_lost_less_what_they_won() -> None:
    meters = tell(PATRONS + ROUND).watch.meters
    assert (meters.table.won, meters.table.lost, meters.table.house_win) == (60000, 51000, -9000)
    assert meters.patrons["Bob"].house_win == 51000


def test_a_wager_does_not_touch_everybody_who_ever_played() -> None:
    meters = tell(PATRONS + ROUND).watch.meters
    placed = ev.WagerPlaced(
        id=9, patron="Ann", position=1, wager="player", amount=60000, placed_by=None, clauses=()
    )
    assert meters_after(meters, placed).patrons is meters.patrons


def test_a_void_round_gives_stakes_back() -> None:
    lost = "Dealer: draws 9 2\nDealer: reports order-altered, not reconstructable\nPit Manager: confirms\n"
    meters = tell(PATRONS + ROUND.partition("Dealer: draws")[0] + lost).watch.meters
    assert meters.table == Meter(void=111000, void_rounds=1)
    assert meters.patrons["Bob"] == Meter(void=51000, void_rounds=1)


def test_a_round_void_after_its_end_counts_no_more() -> None:
    void = "Dealer: reports wrong-number-of-cards, not reconstructable\nPit Manager: confirms\n"
    meters = tell(PLAYED + void, SUPER_SIX).watch.meters
    assert meters.patrons["T1"] == Meter(bought=100000, void=10000, void_rounds=1)
    without = TERMINALS + "Dealer: opens betting\nDealer: closes betting\nDealer: draws K 2 7 3 A\n"
    assert tell(without + void, SUPER_SIX).watch.meters.table == Meter(bought=100000, void_rounds=1)


def test_a_corrected_round_counts_as_corrected() -> None:
    wrong = "Dealer with Pit Manager: corrects card 5 to 4\n"
    meters = tell(PLAYED + wrong, SUPER_SIX).watch.meters
    assert meters.patrons["T1"] == Meter(bought=100000, played=10000, lost=10000, rounds=1)


def test_what_a_terminal_no_longer_has_is_a_claim() -> None:
    wrong = "Dealer with Pit Manager: corrects card 5 to 4\n"
    meter = tell(PLAYED + "T1: cashes out 1050\n" + wrong, SUPER_SIX).watch.meters.patrons["T1"]
    assert (meter.claimed, meter.lost, meter.balance) == (15000, 10000, 0)


def test_a_payment_by_mistake_that_is_taken_back_leaves_nothing() -> None:
    lines = "Dealer with Pit Manager: reports wrong-payment of Ann amount 100\n"
    assert tell(PATRONS + ROUND + lines).watch.meters.patrons["Ann"].mistaken == 0


LACKING = (
    "operating-procedures (none), accounts-of-both-parties (none), surveillance-evidence (none), "
    "other-evidence (none), law (none)"
)
RESOLVED = "Pit Supervisor with Dealer: decides dispute 1 as a tie citing game-rules lacking "
RESOLVED += f"{LACKING} awarding 80\n"


def test_what_a_dispute_awards_counts_for_table_patron_and_kind_of_wager() -> None:
    meters = tell(PATRONS + ROUND + "Ann: disputes round 1 on tie because of a tie\n" + RESOLVED).watch.meters
    awarded = (meters.table.awarded, meters.patrons["Ann"].awarded, meters.wagers["tie"].awarded)
    assert awarded == (8000, 8000, 8000)
    assert meters.table.credited == meters.table.paid_out == 0


def test_an_award_of_a_complaint_takes_the_place_of_one_that_was_not_paid() -> None:
    lines = (
        "Ann: agrees with dispute 1\n"
        "Ann: complains in dispute 1 helped by Dealer because it was late\n"
        "Gaming Shift Manager: receives the complaint of dispute 1\n"
        "Gaming Shift Manager with Pit Manager: answers the complaint of dispute 1 with more awarding 100\n"
    )
    meters = tell(PATRONS + "Ann: disputes a tie\n" + RESOLVED + lines).watch.meters
    assert (meters.table.awarded, meters.patrons["Ann"].awarded) == (10000, 10000)


def test_a_payment_that_is_claimed_back_moves_no_credits() -> None:
    lines = (
        "patrons T1\nT1: buys 1000 credits\nDealer: opens betting\nT1: 100 on player\n"
        "Dealer: closes betting\nDealer: draws 9 2 K 5\nDealer: reports not-covered because so\n"
        "Gaming Shift Manager with Dealer: rules take-back from T1 50 because it was paid twice\n"
    )
    own = tell(lines, SUPER_SIX).watch.meters.patrons["T1"]
    assert (own.mistaken, own.claimed, own.balance) == (-5000, 5000, 110000)


def test_an_award_about_no_wager_counts_for_no_kind() -> None:
    meters = tell(PATRONS + "Ann: disputes a tie\n" + RESOLVED).watch.meters
    assert (meters.table.awarded, meters.patrons["Ann"].awarded, meters.wagers) == (8000, 8000, {})


def test_an_award_that_is_handed_over_is_paid_out() -> None:
    paid = "Pit Manager with Dealer: pays the award of dispute 1 to Ann, in chips\n"
    meters = tell(PATRONS + "Ann: disputes a tie\n" + RESOLVED + paid).watch.meters
    assert meters.patrons["Ann"] == meters.table == Meter(awarded=8000, paid_out=8000)


def test_an_award_that_goes_to_the_credits_is_part_of_the_balance() -> None:
    lines = (
        "patrons T1\nT1: buys 1000 credits\nT1: disputes a tie\n"
        + RESOLVED
        + "Pit Manager with Dealer: pays the award of dispute 1 to the credits\n"
    )
    own = tell(lines, SUPER_SIX).watch.meters.patrons["T1"]
    assert (own.awarded, own.credited, own.balance) == (8000, 8000, 108000)


def test_an_award_lapses_when_its_decision_is_not_accepted() -> None:
    lines = "Ann: disagrees with dispute 1\nPit Supervisor: escalates dispute 1\n"
    assert tell(PATRONS + "Ann: disputes a tie\n" + RESOLVED + lines).watch.meters.table == Meter()


def test_a_wager_lies_again_when_an_answer_is_taken_back() -> None:
    lines = (
        "Dealer: opens betting\nAnn: 600 on player at 1\nBob: 500 on banker at 2\nDealer: closes betting\n"
        "Dealer: draws 2\nDealer with Pit Manager: draws 9 3 together, order known\n"
    )
    withdrawn = tell(PATRONS + lines + "Dealer with Pit Supervisor: for Ann withdraws\n").watch.meters
    assert (withdrawn.patron("Ann"), withdrawn.table) == (Meter(), Meter(lying=50000))
    corrected = (
        lines + "Dealer with Pit Supervisor: for Ann withdraws\nDealer with Pit Manager: for Ann stays\n"
    )
    meters = tell(PATRONS + corrected).watch.meters
    assert (meters.patron("Ann"), meters.table) == (Meter(lying=60000), Meter(lying=110000))


def test_an_award_that_is_set_off_was_not_awarded() -> None:
    """5.1.1: what a void round hands back was awarded for it before, and is not paid twice."""
    lines = (
        "Dealer: opens betting\nAnn: 100 on player at 1\nDealer: closes betting\nDealer: draws 2 9 K K\n"
        "Ann: disputes round 1 on player because it was a tie\n" + RESOLVED + "Ann: agrees with dispute 1\n"
        "Dealer: reports unshuffled-cards, still paying\nPit Manager: confirms\n"
    )
    assert tell(PATRONS + lines).watch.meters.patrons["Ann"].awarded == 0
    unpaid = lines.removesuffix("Dealer: reports unshuffled-cards, still paying\nPit Manager: confirms\n")
    assert tell(PATRONS + unpaid).watch.meters.patrons["Ann"].awarded == 8000
