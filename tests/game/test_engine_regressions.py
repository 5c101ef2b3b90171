"""Faults that the made-up evenings of tests/machines found once, each as a short story."""

import pytest
from msgspec.structs import replace
from story import ASSISTANT_DIRECTOR, HO, N4, S6, T3, asked, happened, reasons, refused, told

from thirdcard.folds.ledger import balances
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all
from thirdcard.game.dispute_steps import UnavailableSource
from thirdcard.game.state import Hand, Phase, Table, Wait
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.irregularity import ReplaceCards, Situation
from thirdcard.rulebook.shelf import SHIPPED


def cards_everywhere(table: Table) -> int:
    """In the shoe, in the discards, before the hands, waiting and set aside."""
    assert table.shoe is not None
    lying = len(table.round.cards) if table.round and not table.round.ended else 0
    return table.shoe.left + table.shoe.discards + lying + len(table.strays) + len(table.reserved)


BETTING = "patrons Ann at 1, Bob at 2\nDealer: opens betting\n"
CLOSED = BETTING + "Ann: 100 on player at 1\nDealer: closes betting\n"
SETTLED = CLOSED + "Dealer: draws 9 2 K 5\n"
TERMINAL = "patrons T1\nT1: buys 1000 credits\nDealer: opens betting\nT1: 1000 on player\n"
TERMINAL_WON = TERMINAL + "Dealer: closes betting\nDealer: draws 9 2 K 5\n"


# setting up and money outside a round


def test_a_table_that_stands_is_not_set_up_again() -> None:
    table = told(T3, CLOSED).table
    assert refused(T3, table, cmd.SetUpTable(setup=table.setup)).reason is Refusal.NOT_IN_THIS_PHASE


@pytest.mark.parametrize("wrong", ["missing", "upside-down", "differential"])
def test_a_table_opens_only_when_limits_are_posted_for_every_wager(wrong: str) -> None:
    table = told(T3, "table shut\npatrons Ann at 1").table
    limits, differential = table.setup.limits, table.setup.differential
    if wrong == "missing":
        limits = limits[1:]
    elif wrong == "upside-down":
        limits = (replace(limits[0], maximum=limits[0].minimum - 1), *limits[1:])
    else:
        differential = -1
    table = replace(table, setup=replace(table.setup, limits=limits, differential=differential))
    result = refused(T3, table, cmd.OpenTable())
    assert (result.reason, result.clauses) == (Refusal.LIMITS_NOT_POSTED, ("3.5.1",))


def test_where_the_document_is_silent_the_posting_of_limits_cites_nothing() -> None:
    table = told(S6, "table shut\npatrons T1").table
    table = replace(table, setup=replace(table.setup, limits=()))
    assert refused(S6, table, cmd.OpenTable()) == Refused(Refusal.LIMITS_NOT_POSTED)


def test_a_game_at_terminals_has_no_felt_even_for_training() -> None:
    for training in (False, True):
        setup = replace(told(S6, "patrons Ann").table.setup, terminal=False, training=training)
        result = asked(S6, None, cmd.SetUpTable(setup=setup))
        assert isinstance(result, Refused)
        assert (result.reason, result.clauses) == (Refusal.LAYOUT_NOT_OFFERED, ("2.2",))


@pytest.mark.parametrize("game", [each.id for each in SHIPPED.rulebooks if each.id != S6])
def test_a_live_game_has_terminals_for_training_only(game: str) -> None:
    setup = replace(told(game, "patrons Ann").table.setup, terminal=True)
    result = asked(game, None, cmd.SetUpTable(setup=setup))
    assert isinstance(result, Refused)
    assert result.reason is Refusal.TRAINING_ONLY
    result = asked(game, None, cmd.SetUpTable(setup=replace(setup, training=True)))
    assert not isinstance(result, Refused)


def test_nobody_who_is_not_there_buys_credits_or_leaves() -> None:
    table = told(S6, TERMINAL).table
    assert refused(S6, table, cmd.BuyCredits(terminal="T2", amount=1)).reason is Refusal.UNKNOWN_PATRON
    assert refused(S6, table, cmd.LeaveTable(patron="T2")).reason is Refusal.UNKNOWN_PATRON


@pytest.mark.parametrize("posts", [("pit-manager", "dealer"), ("dealer", "pit-manager")])
def test_whoever_holds_two_posts_acts_in_the_one_that_the_clause_names(posts: tuple[str, str]) -> None:
    story = told(
        T3,
        f"""
        patrons Ann at 1
        Eve: comes on duty as {posts[0]}
        Eve: comes on duty as {posts[1]}
        Dealer: opens betting
        Eve: for Ann 100 on player at 1
        Pit Manager: for Ann 100 on banker at 1
        """,
    )
    player, banker = happened(story, ev.WagerPlaced)
    assert player.clauses == ("2.2.2", "3.5", "3.5.1", "3.8")
    assert banker.clauses == ("2.2.1", "3.5", "3.5.1", "3.8", "6.2")


def test_a_patron_stays_marked_after_changing_seats_or_leaving() -> None:
    marked = """
        patrons Ann at 1
        Dealer: opens betting
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 30 on player at 1
        Dealer: draws 9 2 K 5
        Ann: comes to the table at 2
    """
    assert told(T3, marked).table.patrons[0].marked == 1
    again = marked + "Ann: leaves the table\nAnn: comes to the table at 1\n"
    assert told(T3, again).table.patrons[0].marked == 1  # 5.14: all future wagers by the same Player


LACKING = (
    "operating-procedures (none), accounts-of-both-parties (none), "
    "surveillance-evidence (none), other-evidence (none)"
)


def test_an_award_names_the_procedure_of_the_house_and_is_made_once() -> None:
    story = told(
        T3,
        f"""
        patrons Ann at 1
        Ann: disputes that she had more
        Pit Supervisor: decides dispute 1 as so citing game-rules, law lacking {LACKING} awarding 50
        Pit Manager with Dealer: decides dispute 1 as so citing game-rules, law lacking {LACKING} awarding 50
        Pit Manager with Dealer: decides dispute 1 as so citing game-rules, law lacking {LACKING} awarding 50
        """,
    )
    assert [(each.award, each.procedure) for each in happened(story, ev.DisputeDecided)] == [
        (5000, "dispute-award")
    ]
    assert reasons(story) == [Refusal.SECOND_PERSON_NEEDED, Refusal.NOT_AWAITED]
    sources = ("game-rules", "operating-procedures", "law")
    lacking = ("accounts-of-both-parties", "surveillance-evidence", "other-evidence")
    unavailable = tuple(UnavailableSource(each, "none") for each in lacking)
    negative = cmd.DecideDispute(id=1, decision="so", sources=sources, unavailable=unavailable, award=-1)
    table = told(T3, "patrons Ann at 1\nAnn: disputes that").table
    assert refused(T3, table, negative, "Pit Manager").reason is Refusal.STAKE_NOT_POSITIVE


def test_a_dispute_that_is_decided_does_not_go_back_a_level() -> None:
    story = told(
        HO,
        f"""
        patrons Ann at 1
        Ann: disputes that
        Pit Supervisor: decides dispute 1 as rejected citing game-rules, law, published-information, \
control-standards lacking {LACKING}
        Pit Supervisor: escalates dispute 1
        Ann: agrees with dispute 1
        Pit Supervisor: escalates dispute 1
        """,
    )
    assert [(each.reason, each.clauses) for each in story.refusals] == [(Refusal.NOT_AWAITED, ("8.1",))] * 2


# wagers


def test_a_terminal_has_no_wagers_to_be_found() -> None:
    table = told(S6, TERMINAL + "Dealer: closes betting").table
    body = cmd.FindWager(reason="seen on the felt", patron="T1", wager="tie", amount=1000)
    assert refused(S6, table, body) == Refused(Refusal.BETTING_CLOSED, ("3.2",))


def test_no_wager_is_found_in_a_free_hand() -> None:
    story = told(
        HO,
        """
        patrons Ann at 1
        Dealer: reports next-card-known cards 9
        Dealer: deals the free hand
        Dealer with Pit Manager: finds Ann 100 on player at 1
        """,
    )
    assert story.refusals[-1] == Refused(Refusal.FREE_HAND_UNDER_WAY, ("7.8",))


def test_chips_found_beside_chips_that_were_taken_away_are_a_wager_of_their_own() -> None:
    story = told(
        T3,
        CLOSED
        + """
        Ann: takes 100 off player at 1
        Ann: takes 100 off player at 1
        Dealer with Pit Manager: finds Ann 200 on player at 1
        Dealer: draws 2 9 K 5
        Dealer: draws K
        """,
    )
    assert reasons(story) == [Refusal.NO_SUCH_WAGER]
    settled = happened(story, ev.RoundSettled)[0].wagers
    assert [(each.stake, each.pulled, each.taken, each.back) for each in settled] == [
        (10000, 10000, 10000, 0),
        (20000, 0, 20000, 0),
    ]
    assert balances(story.events)["claim:Ann"] == -10000


def test_a_raise_on_the_heavier_hand_is_refused_by_a_clause_at_every_house() -> None:
    story = told(
        HO,
        """
        main 50 20000
        patrons Ann at 1
        Dealer: opens betting
        Ann: 9000 on player at 1
        Dealer: closes betting
        Dealer: asks to decrease
        Ann: 100 on player at 1
        """,
    )
    assert story.refusals[-1] == Refused(Refusal.HEAVIER_HAND_MAY_NOT_INCREASE, ("4.3.1",))


@pytest.mark.parametrize(
    ("game", "clauses"),
    [(N4, ("2.2.1", "3.5", "3.5.1")), (HO, ("2.1.2.2", "4.5", "4.4")), (S6, ("2.2", "3.5", "1.1.5"))],
)
def test_chips_taken_off_in_time_come_off_by_the_clauses_that_let_them_be_placed(
    game: str, clauses: tuple[str, ...]
) -> None:
    at = "" if game == S6 else " at 1"
    bought = "Ann: buys 1000 credits\n" if game == S6 else ""
    placed = f"Ann: 200 on player{at}\nAnn: takes 100 off player{at}\nAnn: takes 100 off player{at}\n"
    story = told(game, f"patrons Ann{at}\n{bought}Dealer: opens betting\n{placed}")
    assert [each.clauses for each in happened(story, ev.WagerReduced)] == [clauses] * 2


@pytest.mark.parametrize(("game", "clause"), [(T3, "5.14"), (HO, "7.17")])
def test_a_wager_under_the_minimum_that_stands_off_does_not_mark_its_patron(game: str, clause: str) -> None:
    closed = "Dealer: opens betting\nDealer: closes betting\n"
    found = closed + "Dealer with Pit Manager: finds Ann 30 on player at 1\n"
    story = told(game, f"patrons Ann at 1\n{found}Dealer: draws 9 9 K K\n{found}Dealer: draws 9 2 K 5\n")
    settled = [each.wagers[0] for each in happened(story, ev.RoundSettled)]
    assert [(each.result, each.paid, each.back) for each in settled] == [
        ("stood-off", 0, 3000),
        ("won", 3000, 3000),
    ]
    marks = happened(story, ev.PatronMarked)
    assert [(each.patron, each.round, each.clauses) for each in marks] == [("Ann", 2, (clause,))]


def test_a_side_wager_paid_under_the_minimum_marks_although_the_hands_stand_off() -> None:
    story = told(
        T3,
        """
        patrons Ann at 1
        Dealer: opens betting
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 30 on player at 1
        Dealer with Pit Manager: finds Ann 5 on tie at 1
        Dealer: draws 9 9 K K
        """,
    )
    assert [each.round for each in happened(story, ev.PatronMarked)] == [1]


MARKED = """
    patrons Ann at 1
    Dealer: opens betting
    Dealer: closes betting
    Dealer with Pit Manager: finds Ann 30 on player at 1
    Dealer: draws 9 K 9 K
"""
CORRECTS = "Dealer with Pit Manager: corrects card"  # 3.16: the cards decide, until the next opening


def test_a_mark_of_a_round_that_is_settled_again_stands_only_if_it_is_earned_again() -> None:
    assert told(T3, MARKED).table.patrons[0].marked == 1
    tie = told(T3, MARKED + f"{CORRECTS} 2 to 8")
    assert [each.wagers[0].result for each in happened(tie, ev.RoundSettled)] == ["won", "stood-off"]
    assert tie.table.patrons[0].marked is None
    lost = told(T3, MARKED + f"{CORRECTS} 2 to 9")
    assert [each.wagers[0].result for each in happened(lost, ev.RoundSettled)] == ["won", "lost"]
    assert lost.table.patrons[0].marked == 1


def test_a_void_round_marks_nobody_and_leaves_earlier_marks_alone() -> None:
    table = told(T3, MARKED).table
    assert table.round is not None
    voided = ev.RoundVoided(number=1, returned=(), reversed=table.round.settled, clauses=())
    assert apply_all(table, (voided,)).patrons[0].marked is None
    later = told(T3, MARKED + "Dealer: opens betting").table
    voided = ev.RoundVoided(number=2, returned=(), reversed=(), clauses=())
    assert apply_all(later, (voided,)).patrons[0].marked == 1


def test_a_removal_leaves_a_wager_that_meets_the_minimum_or_none() -> None:
    story = told(
        T3,
        """
        main 50 20000
        differential 100
        patrons Ann at 1
        Dealer: opens betting
        Ann: 1000 on player at 1
        Dealer: asks to decrease
        Ann: stays
        Pit Manager: removes 970 of Ann on player at 1
        Pit Manager: removes 1000 of Ann on player at 1
        """,
    )
    assert [(each.reason, each.clauses) for each in story.refusals] == [(Refusal.UNDER_MINIMUM, ("3.5.1",))]
    assert story.table.wagers == ()


def test_a_round_settled_again_lets_the_same_wagers_pass_again() -> None:
    story = told(
        T3,
        f"""
        patrons Ann at 1
        Dealer: opens betting
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 30 on player at 1
        Dealer: draws 8 2 K 5
        {CORRECTS} 2 to 4
        """,
    )
    won, lost = (each.wagers[0] for each in happened(story, ev.RoundSettled))
    assert (won.result, won.paid) == ("won", 3000)
    assert (lost.result, lost.taken) == ("lost", 3000)


def test_a_patron_who_left_wagers_lying_places_no_more_and_does_not_leave_again() -> None:
    story = told(
        T3,
        BETTING
        + """
        Ann: 100 on player at 1
        Ann: leaves the table
        Ann: 100 on player at 1
        Ann: leaves the table
        """,
    )
    assert reasons(story) == [Refusal.UNKNOWN_PATRON] * 2


def test_a_patron_who_left_wagers_lying_stays_marked_when_another_leaves() -> None:
    story = told(
        T3,
        """
        patrons Ann at 1, Bob at 2
        Dealer: opens betting
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 30 on player at 1
        Dealer: draws 9 2 K 5
        Dealer: opens betting
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 30 on player at 1
        Ann: leaves the table
        Bob: leaves the table
        Dealer: draws 9 2 K 5
        """,
    )
    assert [each.wagers[0].result for each in happened(story, ev.RoundSettled)] == ["won", "returned"]


def found_twice(game: str, then: str) -> list[tuple[str, int, tuple[str, ...]]]:
    """A wager of 30 is found in two rounds and wins; what follows has the second settled again."""
    story = told(
        game,
        """
        patrons Ann at 1, Bob at 2
        Dealer: opens betting
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 30 on player at 1
        Dealer: draws 8 2 K 5
        Dealer: opens betting
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 30 on player at 1
        Dealer: draws 8 2 K 5
        """
        + then,
    )
    settled = [each.wagers[0] for each in happened(story, ev.RoundSettled)]
    return [(each.result, each.back, each.clauses) for each in settled]


@pytest.mark.parametrize(("game", "clause"), [(T3, "5.14"), (N4, "5.14"), (HO, "7.17")])
@pytest.mark.parametrize("back", ["", "Ann: comes to the table at 1\n"], ids=["gone", "back again"])
def test_a_marked_patron_who_left_is_not_let_pass_when_the_round_is_settled_again(
    game: str, clause: str, back: str
) -> None:
    first, second, again = found_twice(game, f"Ann: leaves the table\n{back}{CORRECTS} 2 to 4\n")
    assert (first[0], first[2][0]) == ("won", clause)
    assert second == again == ("returned", 3000, (clause,))


def test_a_marked_patron_who_comes_back_is_not_let_pass_once_more() -> None:
    story = told(
        T3,
        """
        patrons Ann at 1
        Dealer: opens betting
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 30 on player at 1
        Dealer: draws 9 2 K 5
        Dealer: opens betting
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 30 on player at 1
        Ann: leaves the table
        Ann: comes to the table at 2
        Dealer with Pit Manager: finds Ann 5 on tie at 2
        Dealer with Pit Manager: finds Ann 10 on player at 1
        Dealer: draws 9 2 K 5
        """,
    )
    again = happened(story, ev.RoundSettled)[1].wagers
    assert [(each.stake, each.result, each.clauses[0]) for each in again] == [
        (4000, "returned", "5.14"),
        (500, "returned", "5.14"),
    ]
    assert [each.round for each in happened(story, ev.PatronMarked)] == [1]
    assert story.table.patrons[0].marked == 1


def test_wagers_that_lie_again_lie_as_they_did() -> None:
    closed = (
        BETTING
        + """
        Ann: 100 on player at 1
        Bob: 100 on player at 2
        Ann: 50 on player at 1
        Bob: 50 on player at 2
        Dealer: closes betting
        Dealer with Pit Manager: finds Ann 10 on tie at 1
        Bob: takes 20 off player at 2
        """
    )
    before = told(T3, closed).table
    settled = told(T3, closed + "Dealer: draws 9 2 K 5").table
    assert settled.round is not None
    assert settled.wagers == ()
    turned = ev.SettlementReversed(wagers=settled.round.settled, clauses=())
    assert apply_all(settled, (turned,)).wagers == before.wagers


def test_no_more_is_removed_for_the_differential_than_is_in_action() -> None:
    story = told(
        T3,
        """
        main 50 20000
        patrons Ann at 1
        Dealer: opens betting
        Ann: 12000 on player at 1
        Dealer: closes betting
        Ann: takes 5000 off player at 1
        Dealer: asks to decrease
        Ann: stays
        Pit Manager: removes 12001 of Ann on player at 1
        Pit Manager: removes 8000 of Ann on player at 1
        Pit Manager: removes 100 of Ann on player at 1
        """,
    )
    assert reasons(story) == [Refusal.LESS_ON_THE_WAGER, Refusal.DIFFERENTIAL_IS_MET]  # 5.18.3
    assert [(each.stake, each.pulled) for each in story.table.wagers] == [(400000, 400000)]


# voids


def test_what_is_noticed_between_rounds_voids_no_round_that_is_over() -> None:
    story = told(
        T3,
        SETTLED
        + """
        Dealer: reports too-few-cards
        Dealer: reports order-altered, not reconstructable
        Gaming Shift Manager: rules void-round because of something
        Gaming Shift Manager: rules replace-cards because of something
        Dealer: reports not-covered because so
        Gaming Shift Manager: rules void-round because of something
        """,
    )
    assert reasons(story) == [Refusal.NOT_IN_THIS_PHASE, Refusal.NO_SUCH_CHOICE, Refusal.NO_SUCH_CHOICE]
    assert not happened(story, ev.RoundVoided)
    assert balances(story.events)["patron:Ann"] == 10000


@pytest.mark.parametrize("done", ["", "Dealer: closes betting\n"])
def test_before_the_first_card_no_round_is_void_where_that_card_begins_it(done: str) -> None:
    story = told(
        HO,
        BETTING
        + f"""
        Ann: 100 on player at 1
        {done}
        Dealer: reports missing-card
        {ASSISTANT_DIRECTOR}: rules void-round because a card is missing
        {ASSISTANT_DIRECTOR}: rules return-wagers and replace-cards because a card is missing
        """,
    )
    assert reasons(story) == [Refusal.NO_SUCH_CHOICE]  # 2.2.13, 7.20
    assert balances(story.events)["patron:Ann"] == 0
    assert (story.table.phase, story.table.wagers, story.table.rounds) == (Phase.IDLE, (), 0)


def test_wagers_that_go_back_before_the_first_card_leave_the_round_before_it_alone() -> None:
    story = told(
        HO,
        SETTLED
        + f"""
        Dealer: opens betting
        Bob: 100 on banker at 2
        Dealer: reports misdeal, not reconstructable
        Dealer: reports not-covered because so
        {ASSISTANT_DIRECTOR}: rules return-wagers because the lamp fell
        """,
    )
    assert reasons(story) == [Refusal.NOT_IN_THIS_PHASE]
    assert not happened(story, ev.RoundVoided)
    assert [balances(story.events)[f"patron:{each}"] for each in ("Ann", "Bob")] == [10000, 0]


def test_a_patron_who_draws_from_an_empty_device_brings_it_to_light() -> None:
    story = told(
        T3,
        """
        area high-limit
        device card-reading
        method C
        left 1
        patrons Ann at 1
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Ann: takes the device
        Ann: draws 9 2
        """,
    )
    assert [each.case.situation for each in happened(story, ev.IrregularityReported)] == [
        Situation.TOO_FEW_CARDS
    ]


def test_a_terminal_without_the_credits_that_a_void_takes_back_gets_a_claim() -> None:
    story = told(
        S6,
        TERMINAL_WON
        + """
        T1: cashes out 1500
        Dealer: reports wrong-number-of-cards, not reconstructable
        Pit Manager: confirms
        check T1: credits 0, claim 500
        """,
    )
    claims = happened(story, ev.ClaimBooked)
    assert [(each.patron, each.amount, each.clauses) for each in claims] == [("T1", 50000, ("5.2", "1.1.5"))]


def test_a_terminal_without_the_credits_that_a_correction_takes_back_gets_a_claim() -> None:
    story = told(
        S6,
        TERMINAL_WON.replace("9 2 K 5", "K 2 7 3 A")
        + """
        T1: cashes out 2000
        Dealer: reports wrong-number-of-cards cards K 2 7 3 4 A, reconstructable
        Pit Manager: confirms
        check T1: credits 0, claim 2000
        """,
    )
    assert [each.amount for each in happened(story, ev.ClaimBooked)] == [200000]
    assert happened(story, ev.RoundSettled)[-1].wagers[0].taken == 100000


def test_a_correction_leaves_cards_that_wait_apart_from_those_of_a_case() -> None:
    """7.6, 7.12, 7.16: the Player draws after all, and what came behind that card waits until it is open."""
    story = told(
        HO,
        """
        automatic expose
        patrons Ann at 1
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Dealer: draws 8 3 9 A
        Dealer: draws ? 6 2 together, order unknown
        Pit Manager: finds that it is not so because the shoe had jammed
        Assistant Director of Gaming Operations: rules free-hand because the cards lay open
        Dealer: draws 9 2 together, order known
        Dealer with Pit Manager: corrects card 3 to 3
        """,
    )
    assert [each.text for each in story.table.aside if each] == ["9", "2"]
    assert [each.text for each in story.table.strays if each] == ["6", "2"]
    assert story.table.free_hands


def test_new_cards_that_are_decided_after_a_round_leave_it_as_it_was() -> None:
    lines = """
        device electronic
        automatic expose call
        patrons Ann at 1
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: closes betting
        Dealer: draws ? ?
        Dealer: reports not-covered because so
        Gaming Shift Manager: rules continue and replace-cards because coffee on the cards
        Dealer: reports device-reset
        Ann: stays
        Dealer: closes betting
        Dealer: draws 9 2 K 5
        """
    decided = "Dealer: reports not-covered because so\nGaming Shift Manager: rules replace-cards because so\n"
    before, after = told(T3, lines).table.round, told(T3, lines + decided).table.round
    assert before is not None
    assert before.ended
    assert before.same_cards
    assert after == before


WRONG_DELIVERY = "Dealer: reports wrong-delivery of Ann player hand\nShift Manager: rules allow\n"


@pytest.mark.parametrize(
    "before",
    [
        "Dealer: closes betting\nDealer: draws 9 2\n",
        "Dealer: closes betting\nDealer: draws 9 2\nDealer: reports misdeal, not reconstructable\n"
        "Pit Manager: confirms\nDealer: opens betting\nBob: 100 on banker at 2\nDealer: draws 9 2\n",
    ],
    ids=["nobody wagers", "nobody withdraws after a void round"],
)
def test_a_hand_is_void_and_the_shoe_replaced_only_if_patrons_withdrew_and_nobody_stayed(before: str) -> None:
    story = told(HO, "face-down\n" + BETTING + before + WRONG_DELIVERY + "Bob: stays")
    reported = [
        number for number, event in enumerate(story.events) if isinstance(event, ev.IrregularityReported)
    ]
    after = {type(event) for event in story.events[reported[-1] :]}
    assert not {ev.RoundVoided, ev.CardReplacementDue} & after
    assert story.table.case is None


@pytest.mark.parametrize(
    ("game", "clauses", "procedure"),
    [(S6, (), "referral"), (T3, ("6.1",), None), (HO, ("7.20", "2.2.20"), None)],
)
def test_a_void_by_ruling_names_the_clause_or_where_there_is_none_the_procedure_of_the_house(
    game: str, clauses: tuple[str, ...], procedure: str | None
) -> None:
    post = "Assistant Director of Gaming Operations" if game == HO else "Gaming Shift Manager"
    story = told(
        game,
        f"""
        patrons Ann
        Dealer: opens betting
        Dealer: draws 9
        Dealer: reports not-covered because so
        {post} with Pit Manager: rules void-round because the lamp fell
        """,
    )
    voids = happened(story, ev.RoundVoided)
    assert [(each.clauses, each.procedure) for each in voids] == [(clauses, procedure)]


# cards


def test_irregularities_of_the_cards_need_cards() -> None:
    story = told(T3, "shoe empty\npatrons Ann at 1\nDealer: reports foreign-card")
    assert reasons(story) == [Refusal.NO_CARDS_LOADED]


def test_the_cutting_card_comes_once_in_a_shoe() -> None:
    story = told(T3, CLOSED + "Dealer: draws 9\nDealer: sees the cutting card\nDealer: sees the cutting card")
    assert reasons(story) == [Refusal.NOT_AWAITED]


def test_a_card_drawn_in_error_opens_the_next_round_and_leaves_the_shoe_once() -> None:
    story = told(
        T3,
        "automatic expose\n"
        + SETTLED
        + """
        Dealer: reports unauthorised-banker-card cards 6, seen
        Gaming Shift Manager: rules keep-as-next-card because it waits
        Dealer: calls player
        Dealer: opens betting
        Dealer: closes betting
        Dealer: draws 2
        Dealer: draws 6 3
        """,
    )
    assert reasons(story) == [Refusal.OTHER_CARD_EXPECTED]
    table = story.table
    assert table.round is not None
    assert [each.card.text for each in table.round.cards if each.card] == ["6", "3"]
    assert table.strays == ()
    assert cards_everywhere(table) == 416


def test_a_card_drawn_in_error_is_named_unless_nobody_saw_it() -> None:
    story = told(
        T3,
        "left 5\nautomatic expose\n"
        + SETTLED
        + """
        Dealer: reports unauthorised-banker-card, seen
        Dealer: reports unauthorised-banker-card cards 6, unseen
        Dealer: reports unauthorised-banker-card cards ? ?, unseen
        Dealer: reports unauthorised-banker-card, unseen
        """,
    )
    assert reasons(story) == [
        Refusal.FACTS_NEEDED,
        Refusal.OTHER_FACE_KNOWN,
        Refusal.WRONG_NUMBER_OF_CARDS,
    ]
    assert story.table.aside == (None,)


def test_a_card_that_the_player_takes_by_right_is_not_unauthorised() -> None:
    dealt = CLOSED + "Dealer: draws 2 K 3 2\n"
    story = told(T3, dealt + "Dealer: reports unauthorised-player-card cards 5")
    assert [(each.reason, each.clauses) for each in story.refusals] == [
        (Refusal.CARD_IS_AUTHORISED, ("3.15.T2",))
    ]
    covered = "method A\nautomatic none\n" + CLOSED + "Dealer: draws K K 7 2\n"
    story = told(T3, covered + "Dealer: reports unauthorised-player-card cards 5")
    assert reasons(story) == [Refusal.HANDS_NOT_OPEN]


@pytest.mark.parametrize(("left", "refused"), [(4, [Refusal.WRONG_NUMBER_OF_CARDS]), (5, [])])
def test_the_next_card_of_a_shoe_is_known_and_burned_only_if_there_is_one(
    left: int, refused: list[Refusal]
) -> None:
    story = told(T3, f"left {left}\n" + SETTLED + "\nDealer: reports next-card-known")
    assert reasons(story) == refused
    burned = f"{SETTLED}\nDealer: reports next-card-known\nGaming Shift Manager: rules burn-card because seen"
    story = told(T3, f"left {left}\n{burned}")
    assert story.table.case is None
    assert story.table.shoe is not None
    assert story.table.shoe.left == 0
    assert cards_everywhere(story.table) == 416


@pytest.mark.parametrize("report", ["patron-absent of Ann", "wrong-delivery of Bob player hand"])
@pytest.mark.parametrize(
    "before", ["", "Dealer: opens betting\nDealer: closes betting\nDealer: draws 9 2 K 5\n"]
)
def test_nobody_is_given_cards_and_none_are_opened_between_rounds(report: str, before: str) -> None:
    story = told(T3, f"method A\npatrons Ann at 1, Bob at 2\n{before}Dealer: reports {report}")
    assert not happened(story, ev.CardsDelivered)
    referred = before and report.startswith("wrong-delivery")  # the outcome stands; the rest is for 6.1
    assert reasons(story) == ([] if referred else [Refusal.NOT_IN_THIS_PHASE])


def test_a_device_is_reset_for_a_round_and_not_between_rounds() -> None:
    story = told(T3, "device electronic\n" + SETTLED + "Dealer: reports device-reset")
    assert reasons(story) == [Refusal.NOT_IN_THIS_PHASE]
    assert story.table.phase is Phase.IDLE


def test_a_forgotten_burn_noticed_before_the_first_card_retrieves_nothing() -> None:
    story = told(HO, "burn forgotten\npatrons Ann at 1\nDealer: reports burn-forgotten\nDealer: burns")
    assert not happened(story, ev.CardsRetrieved)
    assert not story.refusals
    assert cards_everywhere(story.table) == 416


def test_cards_that_lie_open_were_seen_whatever_is_said_of_a_forgotten_burn() -> None:
    dealt = "burn forgotten\nautomatic expose\n" + CLOSED + "Dealer: draws 9 2 K 5\n"
    story = told(HO, dealt + "Dealer: reports burn-forgotten, unseen")
    assert not happened(story, ev.CardsRetrieved)
    assert story.table.phase is Phase.OUTCOME


def test_an_order_names_the_cards_that_lie_there() -> None:
    story = told(
        T3,
        CLOSED
        + """
        Dealer: draws 2 K
        Dealer: reports wrong-order cards 2
        Dealer: reports wrong-order cards 3 K
        Dealer: reports cards-together, order known
        """,
    )
    assert reasons(story) == [
        Refusal.ORDER_NEEDS_THE_SAME_CARDS,
        Refusal.ORDER_NEEDS_THE_SAME_CARDS,
        Refusal.FACTS_NEEDED,
    ]


def test_cards_that_the_true_order_leaves_over_wait_and_are_counted_once() -> None:
    dealt = (
        "automatic expose\n" + CLOSED + "Dealer: draws 2 5 K 2 3\nDealer: reports wrong-order cards 9 5 K 2 3"
    )
    assert reasons(told(T3, dealt)) == [Refusal.ORDER_NEEDS_THE_SAME_CARDS]
    story = told(
        T3,
        "automatic expose\n"
        + CLOSED
        + "Dealer: draws 4 5 K 2\nDealer: draws 5\n"
        + "Dealer with Pit Manager: reports wrong-order cards 4 2 5 K 5",
    )
    assert [[card.text for card in each.cards if card] for each in happened(story, ev.StrayCardsKept)] == [
        ["5"]
    ]
    assert cards_everywhere(story.table) == 416
    assert story.table.shoe is not None
    assert len(story.table.shoe.drawn) == 5


def test_a_wrong_number_of_cards_is_put_right_with_at_least_four() -> None:
    wrong = "Dealer: reports wrong-number-of-cards cards 9 2, reconstructable"
    assert reasons(told(S6, TERMINAL_WON + wrong)) == [Refusal.ORDER_NEEDS_THE_SAME_CARDS]
    right = "Dealer: reports wrong-number-of-cards cards 9 2 K 5 3, reconstructable\nPit Manager: confirms"
    story = told(S6, TERMINAL_WON + right)
    assert story.table.strays != ()
    assert cards_everywhere(story.table) == 416


def test_a_round_put_right_is_one_round_and_its_cards_are_discarded_once() -> None:
    story = told(T3, "left 20\n" + SETTLED + f"{CORRECTS} 2 to 3")
    assert len(happened(story, ev.RoundSettled)) == 2
    shoe = story.table.shoe
    assert shoe is not None
    assert (shoe.rounds, shoe.left) == (1, 16)
    assert cards_everywhere(story.table) == 416
    seen = CLOSED + "Dealer: draws 9\nDealer: sees the cutting card\nDealer: draws 2 K 5\n"
    shoe = told(T3, seen + f"{CORRECTS} 2 to 3").table.shoe
    assert shoe is not None
    assert shoe.rounds_left == 1


def test_a_card_of_a_new_shoe_goes_back_into_it_when_the_device_is_reset() -> None:
    """5.9: the hands on the table were dealt before that shoe: only the card that lies aside is its.

    The round lasts, since its chips are still being taken and paid (1.1.7).
    """
    story = told(
        T3,
        "automatic expose\ndevice electronic\n"
        + SETTLED
        + f"""
        Dealer: calls player
        Pit Manager: loads 8 decks
        {CORRECTS} 1 to 8
        Dealer: draws 6 to player
        Dealer with Pit Manager: reports device-reset, still paying
        Ann: stays
        """,
    )
    shoe = story.table.shoe
    assert shoe is not None
    assert (shoe.left, shoe.drawn, story.table.aside) == (416, (), ())
    assert [face.text for _, face in shoe.places.ahead] == ["6"]


def test_a_void_round_is_not_laid_again() -> None:
    void = "Dealer: reports foreign-card\nPit Manager: confirms\nPit Manager: keeps the cards\n"
    dealt = "automatic expose\n" + TERMINAL_WON + void
    story = told(S6, dealt + "Dealer: reports wrong-number-of-cards cards 9 2 K 5 3, reconstructable")
    assert reasons(story) == [Refusal.NOT_IN_THIS_PHASE]
    assert not happened(story, ev.CardsReconstructed)


def test_a_card_drawn_after_the_round_is_the_next_card_of_the_shoe() -> None:
    story = told(T3, SETTLED + "Dealer: reports unauthorised-player-card cards 6\n")
    assert reasons(story) == []
    assert story.table.shoe is not None
    assert [card.text for card in story.table.aside if card] == ["6"]
    assert (story.table.shoe.left, story.table.phase) == (411, Phase.IDLE)
    assert [(each.post, each.clauses) for each in happened(story, ev.CaseWaits)] == [
        ("gaming-shift-manager", ("6.1",))
    ]


def test_before_the_first_round_there_is_nothing_to_put_right() -> None:
    assert reasons(told(T3, "patrons Ann at 1\nDealer: reports wrong-order")) == [Refusal.NOT_IN_THIS_PHASE]


# free hands


def test_while_a_free_hand_is_due_no_card_is_drawn_for_another() -> None:
    story = told(HO, BETTING + "Dealer: reports next-card-known cards 9\nDealer: draws 9")
    assert story.refusals[-1] == Refused(Refusal.FREE_HAND_DUE, ("7.5",))


def test_a_free_hand_called_while_betting_is_open_ends_betting() -> None:
    story = told(
        HO,
        BETTING
        + """
        Dealer: reports next-card-known
        Dealer: deals the free hand
        Ann: 100 on player at 1
        Dealer: draws 9 2 K 5
        """,
    )
    assert [(each.why, each.clauses) for each in happened(story, ev.WagerHandedBack)] == [
        ("free-hand-under-way", ("7.8",))
    ]
    assert [each.number for each in happened(story, ev.RoundEnded)] == [1]


def test_cards_that_a_free_hand_leaves_over_begin_another() -> None:
    story = told(
        HO,
        "automatic expose\n"
        + SETTLED
        + """
        Dealer: reports unauthorised-banker-card cards 9 2 K 5 3, seen
        Dealer: calls player
        Dealer: deals the free hand
        Dealer: calls player
        Dealer: opens betting
        """,
    )
    assert [card.text for card in story.table.strays if card] == ["3"]
    assert reasons(story) == [Refusal.FREE_HAND_DUE]


def test_a_free_hand_dealt_again_after_a_forgotten_burn_is_still_free() -> None:
    story = told(
        HO,
        """
        burn forgotten
        face-down
        automatic none
        patrons Ann at 1
        Dealer: reports not-covered because so
        Assistant Director of Gaming Operations: rules free-hand because of the wait
        Dealer: deals the free hand
        Dealer: draws ?
        Dealer: deals the free hand
        Dealer: burns
        Dealer: draws 9
        """,
    )
    assert reasons(story) == [Refusal.NOT_IN_THIS_PHASE]
    assert [(each.number, each.free) for each in happened(story, ev.RoundBegan)] == [(1, True)]
    assert story.table.round is not None
    assert [each.card.text for each in story.table.round.cards if each.card] == ["9"]


def test_a_free_hand_called_between_rounds_without_its_card_is_dealt_from_the_shoe() -> None:
    story = told(
        HO,
        """
        patrons Ann at 1
        Dealer: reports next-card-known
        Dealer: deals the free hand
        Dealer: opens betting
        Ann: 100 on player at 1
        Dealer: draws 9 4 K 2
        Dealer: opens betting
        """,
    )
    assert reasons(story) == [Refusal.NOT_IN_THIS_PHASE]
    assert [each.why for each in happened(story, ev.WagerHandedBack)] == ["free-hand-under-way"]
    assert [each.facts.player_total for each in happened(story, ev.OutcomeKnown)] == [9]
    assert story.table.phase is Phase.BETTING


def test_no_wager_is_taken_for_a_free_hand_that_is_due() -> None:
    story = told(
        HO,
        BETTING
        + """
        Ann: 500 on player at 1
        Dealer: reports next-card-known cards 9
        Ann: 100 on banker at 1
        Dealer: closes betting
        Dealer with Pit Manager: finds Bob 100 on player at 2
        Dealer: deals the free hand
        """,
    )
    back = happened(story, ev.WagerHandedBack)
    assert [(each.wager, each.amount, each.why, each.clauses) for each in back] == [
        ("banker", 10000, "free-hand-due", ("7.8",))
    ]
    assert story.refusals == (Refused(Refusal.FREE_HAND_DUE, ("7.8",)),)
    assert [(each.patron, each.amount) for each in happened(story, ev.WagerReduced)] == [("Ann", 50000)]
    assert balances(story.events)["felt"] == 0


def test_chips_put_down_while_the_last_hand_before_a_free_one_is_dealt_are_late_as_ever() -> None:
    story = told(
        HO,
        "automatic expose\n" + CLOSED + "Dealer: draws K K 7 6\n"
        "Dealer: reports unauthorised-player-card cards 5\nAnn: 100 on tie at 1",
    )
    back = happened(story, ev.WagerHandedBack)
    assert [(each.why, each.clauses) for each in back] == [("betting-closed", ("4.6",))]


def test_cards_dealt_again_after_a_forgotten_burn_belong_to_the_same_round() -> None:
    story = told(
        HO,
        "burn forgotten\nface-down\nautomatic expose call\n"
        + CLOSED
        + """
        Dealer: draws ? ?
        Dealer: reports burn-forgotten, unseen
        Dealer: burns
        Dealer: draws 9 2 K 5
        """,
    )
    assert [each.number for each in happened(story, ev.RoundBegan)] == [1]
    assert [each.number for each in happened(story, ev.RoundEnded)] == [1]
    assert balances(story.events)["patron:Ann"] == 10000
    assert cards_everywhere(story.table) == 416


# cards that a patron took away

TAKEN = """
    method A
    decks 4
    patrons Ann at 1, Bob at 2
    Dealer: opens betting
    Ann: 100 on player at 1
    Dealer: closes betting
"""
RECOVERED = """
    Dealer: reports patron-left-with-cards of Ann, value unknown
    Gaming Shift Manager: reserves 9D 6C
"""


def test_cards_can_be_taken_away_only_while_they_are_dealt() -> None:
    story = told(T3, TAKEN + "Dealer: reports patron-left-with-cards of Ann, value unknown")
    assert reasons(story) == [Refusal.NOT_IN_THIS_PHASE]


def test_too_few_cards_to_set_aside_are_referred() -> None:
    story = told(T3, "left 3\n" + TAKEN + "Dealer: draws ? KD\n" + RECOVERED)
    assert reasons(story) == [Refusal.NOT_AWAITED]  # 5.11.1 cannot be done with one card
    assert [each.post for each in happened(story, ev.CaseWaits)] == ["gaming-shift-manager"]  # 6.1
    assert isinstance(story.table.open_cases[0].effects[-1], ReplaceCards)  # 5.11.5


def test_a_substitute_that_completes_the_round_ends_it_and_reserved_cards_are_discarded() -> None:
    story = told(
        T3,
        TAKEN
        + "Dealer: draws 3S KD ? 2H\n"
        + RECOVERED
        + "Dealer with Pit Manager: enters lacking 9D 6C 3S KD 2H 6H\nDealer: substitutes 6H\n",
    )
    assert [each.facts.player_total for each in happened(story, ev.OutcomeKnown)] == [9]
    table = story.table
    assert (table.phase, table.reserved) == (Phase.IDLE, ())
    assert table.shoe is not None
    assert table.shoe.discards == 6
    assert cards_everywhere(table) == 208


def test_cards_that_were_taken_along_are_not_opened_as_those_of_somebody_absent() -> None:
    dealt = TAKEN + "Dealer: draws ? KD ? 2H\n"
    story = told(T3, dealt + RECOVERED + "Dealer: reports patron-absent of Ann\n")
    assert reasons(story) == [Refusal.IRREGULARITY_UNDER_WAY]  # 5.10, 5.11


def test_nobody_opens_cards_that_were_taken_along() -> None:
    dealt = TAKEN + "Dealer: draws ? KD ? 2H\nDealer: passes player to Ann\n"
    story = told(T3, dealt + RECOVERED + "Ann: opens player 2S 8S\nDealer: opens banker KD 2H\n")
    assert reasons(story) == [Refusal.IRREGULARITY_UNDER_WAY]  # 5.11
    assert [each.hand for each in happened(story, ev.CardsExposed)] == [Hand.BANKER]


def test_possible_third_cards_are_set_aside_once() -> None:
    story = told(
        T3,
        TAKEN.replace("Dealer: closes", "Bob: 100 on banker at 2\nDealer: closes")
        + "Dealer: draws ? ? ? ?\n"
        + RECOVERED
        + """
        Dealer: reports patron-left-with-cards of Bob, value unknown
        Gaming Shift Manager: reserves 7D 7C
        """,
    )
    assert reasons(story) == [Refusal.NOT_AWAITED]
    assert [card.text for card in story.table.reserved] == ["9D", "6C"]  # 5.11.1: two cards
    assert [each.waits for each in story.table.open_cases] == [Wait.SORTED_CARDS, Wait.SORTED_CARDS]
    assert cards_everywhere(story.table) == 208


def test_cards_that_the_table_knows_are_not_of_unknown_value() -> None:
    reports = "Dealer: reports patron-left-with-cards of Ann"
    story = told(T3, TAKEN + f"Dealer: draws 3S KD 6H 2H\n{reports}, value unknown\n{reports}")
    assert reasons(story) == [Refusal.VALUE_IS_KNOWN]  # 5.11
    assert [(each.hand, each.clauses) for each in happened(story, ev.CardsExposed)] == [
        (Hand.PLAYER, ("5.10",)),
        (Hand.BANKER, ("3.10.6",)),
    ]


def test_the_dealer_opens_every_hand_that_a_patron_took() -> None:
    story = told(
        T3,
        TAKEN
        + """
        Pit Manager: permits Ann to squeeze
        Dealer: draws ? ? ? ?
        Dealer: passes player to Ann
        Dealer: passes banker to Ann
        Dealer: reports patron-left-with-cards of Ann, value known
        Dealer with Pit Manager: reports patron-left-with-cards of Ann cards 3S 6H KD 2H, value known
        """,
    )
    assert reasons(story) == [Refusal.FACTS_NEEDED]
    opened = happened(story, ev.CardsExposed)
    assert [" ".join(card.text for card in each.cards if card) for each in opened] == ["3S 6H", "KD 2H"]


def test_a_wrong_payment_is_one_of_somebody_at_the_table() -> None:
    story = told(
        T3,
        SETTLED
        + """
        Dealer: reports wrong-payment
        Dealer: reports wrong-payment of Cy amount 100
        """,
    )
    assert reasons(story) == [Refusal.FACTS_NEEDED, Refusal.UNKNOWN_PATRON]


@pytest.mark.parametrize(("game", "clause"), [(T3, "5.7"), (HO, "7.9"), (S6, "5.2")])
def test_a_card_of_the_banker_that_was_put_to_the_player_is_the_bankers(game: str, clause: str) -> None:
    dealt = "Dealer: draws 2 3 K K\nDealer: draws 5\n"
    report = "Dealer: reports unauthorised-player-card cards 9, seen\n"
    closed = "automatic expose\n" + (TERMINAL + "Dealer: closes betting\n" if game == S6 else CLOSED)
    story = told(game, closed + dealt + report + "Dealer: draws 9 to player\nDealer: calls player\n")
    assert reasons(story) == [Refusal.CARD_IS_THE_OTHER_HANDS]
    (rebuilt,) = happened(story, ev.CardsReconstructed)
    assert ([each.hand for each in rebuilt.cards[4:]], rebuilt.clauses) == (
        [Hand.PLAYER, Hand.BANKER],
        (clause,),
    )
    assert not story.table.strays


def test_a_first_card_at_the_banker_is_the_players_once_the_post_lets_the_round_go_on() -> None:
    decides = "Gaming Shift Manager with Dealer: rules continue because it was the first\n"
    decided = "Dealer: draws 2 to banker\n" + decides
    story = told(S6, TERMINAL + "Dealer: closes betting\n" + decided + "Dealer: draws 3\n")
    assert story.table.round is not None
    assert [each.hand for each in story.table.round.cards] == [Hand.PLAYER, Hand.BANKER]
