"""Chips and cash that may be counterfeit (Hoiana 3.2.7 with 7.20, Marina Bay Sands 6.1)."""

import functools

import pytest

from thirdcard.folds.ledger import FELT, HELD, HOUSE, SEIZED, Sums, balances, sums
from thirdcard.folds.meters import Meter, Meters, meters_after
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply
from thirdcard.game.decide import decide
from thirdcard.game.state import Phase
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.head import START
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.shelf import SHIPPED

DIRECTOR = "Assistant Director of Gaming Operations"
HOIANA, TIGER, SUPER_SIX = "hoiana-tiger-2024/commission", "mbs-tiger-v3", "mbs-super-six-etg-v3"
BETS = (
    "patrons Ann at 1, Bob at 2\nDealer: opens betting\n"
    "Ann: 100 on player at 1\nBob: 100 on banker at 2\nDealer: closes betting\n"
)
HOLD = "Dealer: holds player of Ann at 1 as suspected\n"
TWO_HOLD = HOLD.replace("Dealer:", "Dealer with Pit Manager:")
PLAYER_WINS, BANKER_WINS, TIE = "9 2 K 5", "2 9 5 K", "9 9 K K"


def told(lines: str, game: str = HOIANA) -> Played:
    book = SHIPPED.rulebook(game)
    house = SHIPPED.house(book.document.house)
    return play(parse(f"game {game}\n{lines}", RoundRules(house=house)), book, house)


def meters_of(story: Played, patron: str = "Ann") -> Meter:
    return functools.reduce(meters_after, story.events, Meters()).patron(patron)


def decided(choice: str, who: str = DIRECTOR) -> str:
    return f"{who}: decides suspicion 1 as {choice} because it was scanned\n"


def test_a_wager_that_is_held_is_settled_and_nothing_of_it_is_handed_over() -> None:
    story = told(f"{BETS}{HOLD}Dealer: draws {PLAYER_WINS}\n")
    (settled,) = [event for event in story.events if isinstance(event, ev.RoundSettled)]
    assert [(each.patron, each.paid, each.held) for each in settled.wagers] == [
        ("Ann", 10_000, 1),
        ("Bob", 0, 0),
    ]
    money = balances(story.events)
    assert (money[FELT], money[HELD], money[HOUSE]) == (0, 10_000, 10_000)
    assert money["patron:Ann"] == -10_000


@pytest.mark.parametrize(
    ("choice", "cards", "ann", "house", "seized"),
    [
        ("settle", PLAYER_WINS, 10_000, 0, 0),  # 5.1.1.T2: 1 to 1, and Bob has lost 100
        ("settle", BANKER_WINS, -10_000, 500, 0),  # 5.1.1.T1: 0.95 to 1 for Bob
        ("settle", TIE, 0, 0, 0),  # 6.1.1.3: stands off
        ("hand-back", PLAYER_WINS, 0, 10_000, 0),
        ("seize", PLAYER_WINS, -10_000, 10_000, 10_000),
    ],
)
def test_what_was_held_goes_where_the_post_decides(
    choice: str, cards: str, ann: int, house: int, seized: int
) -> None:
    story = told(f"{BETS}{HOLD}Dealer: draws {cards}\n{decided(choice)}")
    money = balances(story.events)
    assert (money["patron:Ann"], money[HOUSE], money[SEIZED]) == (ann, house, seized)
    assert money[FELT] == money[HELD] == sum(money.values()) == 0
    assert money["patron:Ann"] == meters_of(story).balance
    assert sums(story.events).get("Ann", Sums()).net == (0 if seized else ann)  # a copy is worth nothing


def test_meters_follow_a_wager_that_is_held() -> None:
    held = meters_of(told(f"{BETS}{HOLD}"))
    assert (held.lying, held.held, held.balance) == (0, 10_000, -10_000)
    again = meters_of(told(f"{BETS}{HOLD}{decided('release')}"))
    assert (again.lying, again.held, again.balance) == (10_000, 0, -10_000)
    cash = f"{BETS}Dealer: holds 500 from Ann as suspected\n{decided('hand-back')}"
    assert meters_of(told(cash)).balance == balances(told(cash).events)["patron:Ann"] == -10_000


def test_a_wager_that_proves_genuine_in_time_is_settled_with_the_others() -> None:
    story = told(f"{BETS}{HOLD}{decided('release')}Dealer: draws {PLAYER_WINS}\n")
    (settled,) = [event for event in story.events if isinstance(event, ev.RoundSettled)]
    assert [(each.patron, each.paid, each.taken) for each in settled.wagers] == [
        ("Ann", 10_000, 0),
        ("Bob", 0, 10_000),
    ]
    assert story.table.held == ()


@pytest.mark.parametrize(
    ("game", "post", "clause"), [(HOIANA, DIRECTOR, "7.20"), (TIGER, "Gaming Shift Manager", "6.1")]
)
def test_the_post_for_what_no_rule_covers_decides_alone(game: str, post: str, clause: str) -> None:
    story = told(f"{BETS}{HOLD}{decided('release', 'Dealer')}{decided('release', post)}", game)
    assert [(each.reason, each.clauses) for each in story.refusals] == [(Refusal.NOT_AUTHORISED, (clause,))]
    (made,) = [event for event in story.events if isinstance(event, ev.HeldMoneyDecided)]
    assert made.clauses == (clause,)


def test_where_no_clause_names_a_post_two_people_decide() -> None:
    cash = "patrons T1\nDealer: holds 500 from T1 as suspected\n"
    story = told(f"{cash}{decided('seize', 'Gaming Shift Manager')}", SUPER_SIX)
    assert [each.reason for each in story.refusals] == [Refusal.SECOND_PERSON_NEEDED]


def test_once_a_card_is_known_two_people_hold_a_wager() -> None:
    story = told(f"{BETS}Dealer: draws 9\n{HOLD}")
    assert [each.reason for each in story.refusals] == [Refusal.SECOND_PERSON_NEEDED]
    two = HOLD.replace("Dealer:", "Dealer with Pit Manager:")
    assert told(f"{BETS}Dealer: draws 9\n{two}").refusals == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Ann: holds player of Ann at 1 as suspected", Refusal.NOT_STAFF),
        ("Dealer: holds tie of Ann at 1 as suspected", Refusal.NO_SUCH_WAGER),
        ("Dealer: holds 0 from Ann as suspected", Refusal.STAKE_NOT_POSITIVE),
        ("Dealer: holds 5 from Eve as suspected", Refusal.UNKNOWN_PATRON),
        (f"{DIRECTOR}: decides suspicion 1 as seize because it glows", Refusal.NOTHING_IS_HELD),
    ],
)
def test_what_cannot_be_held_or_decided_is_refused(line: str, reason: Refusal) -> None:
    assert [each.reason for each in told(f"{BETS}{line}\n").refusals] == [reason]


def test_a_wager_is_held_until_the_next_opening() -> None:
    paying = f"{BETS}Dealer: draws {PLAYER_WINS}\n"
    held = told(f"{paying}{TWO_HOLD}")
    assert held.refusals == ()
    assert balances(held.events)["patron:Ann"] == meters_of(held).balance == -10_000
    assert balances(held.events)[HELD] == 10_000
    handed_over = told(f"{paying}{TWO_HOLD}{decided('settle')}")
    assert balances(handed_over.events)["patron:Ann"] == meters_of(handed_over).balance == 10_000
    later = told(f"{paying}Dealer: opens betting\n{TWO_HOLD}")
    assert [each.reason for each in later.refusals] == [Refusal.NO_SUCH_WAGER]
    shut = told("patrons Ann at 1\n" + HOLD)
    assert [each.reason for each in shut.refusals] == [Refusal.NOT_IN_THIS_PHASE]


def test_who_has_left_with_the_chips_has_them_along() -> None:
    gone = f"{BETS}Dealer: draws {PLAYER_WINS}\nAnn: leaves the table\nBob: leaves the table\n"
    assert [each.reason for each in told(f"{gone}{TWO_HOLD}").refusals] == [Refusal.UNKNOWN_PATRON]
    taken = TWO_HOLD.replace("player of Ann at 1", "banker of Bob at 2")  # they are with the house
    assert told(f"{gone}{taken}").refusals == ()


def test_chips_that_lie_there_are_held_where_others_were_taken_away_late() -> None:
    # 5.5: what was taken away stays in action
    story = told(f"{BETS}Ann: takes 40 off player at 1\n{HOLD}", TIGER)
    assert [(each.amount, each.wager and each.wager.stake) for each in story.table.held] == [(6_000, 10_000)]
    again = told(
        f"{BETS}Ann: takes 40 off player at 1\n{HOLD}"
        "Dealer with Pit Manager: finds Ann 40 on player at 1, not taken away\n",
        TIGER,
    )
    assert [each.amount for each in again.table.held] == [10_000]


def test_nothing_is_added_to_a_wager_that_is_held() -> None:
    open_bets = BETS.replace("Dealer: closes betting\n", "")
    story = told(f"{open_bets}{HOLD}Ann: 50 on player at 1\n")
    assert [(each.reason, each.clauses) for each in story.refusals] == [
        (Refusal.HELD_AS_SUSPECTED, ("3.2.7", "7.20"))
    ]
    assert told(f"{open_bets}{HOLD}Ann: 50 on tie at 1\n").refusals == ()


def test_chips_that_are_found_of_a_wager_are_held_with_it() -> None:
    story = told(f"{BETS}{HOLD}Dealer with Pit Manager: finds Ann 50 on player at 1\n")
    assert [each.amount for each in story.table.held] == [15_000]
    assert balances(story.events)[HELD] == meters_of(story).held == 15_000


def test_what_leaves_a_wager_stays_held() -> None:
    open_bets = BETS.replace("Dealer: closes betting\n", "")
    story = told(f"{open_bets}{HOLD}Ann: takes 50 off player at 1\n")
    money = balances(story.events)
    assert (money[HELD], money["patron:Ann"], meters_of(story).balance) == (10_000, -10_000, -10_000)
    assert [(each.stake, each.held) for each in story.table.wagers if each.patron == "Ann"] == [(5_000, 1)]
    again = told(f"{open_bets}{HOLD}Ann: takes 50 off player at 1\n{decided('release')}")
    money = balances(again.events)
    assert (money[HELD], money["patron:Ann"], meters_of(again).balance) == (0, -5_000, -5_000)
    assert sums(again.events)["Ann"] == Sums(back=5_000)


@pytest.mark.parametrize("choice", ["hand-back", "seize"])
def test_before_the_first_card_a_wager_leaves_the_round(choice: str) -> None:
    # Hoiana 4.3.1: the differential is judged without it, and is to be met again
    wide = f"differential 1000\n{BETS.replace('Bob: 100', 'Bob: 1050')}"
    story = told(f"{wide}{HOLD}{decided(choice)}Dealer: draws 9\n")
    assert [each.reason for each in story.refusals] == [Refusal.DIFFERENTIAL_MUST_BE_MET]
    assert any(isinstance(event, ev.DifferentialExceeded) for event in story.events)
    assert [each.patron for each in story.table.wagers] == ["Bob"]


@pytest.mark.parametrize("choice", ["hand-back", "seize"])
@pytest.mark.parametrize("late", [False, True])
def test_after_the_first_card_nobody_else_is_cut(choice: str, late: bool) -> None:
    # Hoiana 7.19: 2000 against 1000 is within the limit of 1000, whenever the 1000 prove false
    bets = "differential 1000\nautomatic expose\n" + BETS.replace("Bob: 100", "Bob: 2000").replace(
        "Ann: 100", "Ann: 1000"
    )
    play_on = "Dealer: draws K 5\nDealer: calls player\n"
    held = f"{bets}Dealer: draws 2 9\n{TWO_HOLD}"
    ended = f"{held}{play_on}{decided(choice)}" if late else f"{held}{decided(choice)}{play_on}"
    again = "Dealer with Pit Manager: corrects card 2 to 8\nDealer: calls banker\n"
    for story in (told(ended.replace("K 5", "K K")), told(ended.replace("K 5", "K K") + again)):
        assert (sums(story.events)["Bob"].won, story.refusals) == (190_000, ())


def test_a_case_about_the_round_lets_a_wager_be_released_and_nothing_else() -> None:
    asked = "Dealer: draws 9 2 together, order unknown\nPit Manager: rules order 2 9\n"
    story = told(f"{BETS}{HOLD}{asked}{decided('seize')}{decided('release')}")
    assert [each.reason for each in story.refusals] == [Refusal.IRREGULARITY_UNDER_WAY]
    assert story.table.held == ()
    withdrawn = told(f"{BETS}{HOLD}{asked}Ann: withdraws\n{decided('release')}{decided('hand-back')}")
    assert {each.reason for each in withdrawn.refusals} == {Refusal.IRREGULARITY_UNDER_WAY}


def test_what_staff_withdrew_by_mistake_is_in_the_round_again_and_held() -> None:
    asked = "Dealer: draws 9 2 together, order unknown\nPit Manager: rules order 2 9\n"
    entered = f"{BETS}{HOLD}{asked}Dealer with Pit Manager: for Ann withdraws\n"
    assert [each.patron for each in told(entered).table.wagers] == ["Bob"]
    story = told(f"{entered}Ann: stays\n")
    assert [(each.patron, each.held) for each in story.table.wagers] == [("Ann", 1), ("Bob", 0)]
    money = balances(story.events)
    assert (money[HELD], money[FELT], meters_of(story).balance) == (10_000, 10_000, -10_000)


def test_a_part_that_was_withdrawn_goes_back_when_the_rest_is_released() -> None:
    asked = "Dealer: draws 9 2 together, order known\nShift Manager: rules allow\n"
    part = f"{BETS}{HOLD}{asked}Dealer with Pit Manager: for Ann takes 50 off player at 1\n"
    story = told(f"{part}{decided('release')}")
    offer = story.table.offer
    assert offer is not None
    assert [(each.wager.stake, each.wager.held) for each in offer.withdrawn] == [(5_000, 0)]
    assert balances(story.events)["patron:Ann"] == -5_000
    again = told(f"{part}{decided('release')}Dealer with Pit Manager: for Ann stays\n")
    assert balances(again.events)["patron:Ann"] == -10_000


def test_a_settlement_that_is_taken_back_lets_the_wager_into_its_round_again() -> None:
    wrong = "automatic expose\n" + BETS
    story = told(
        f"{wrong}{HOLD}Dealer: draws {PLAYER_WINS}\nDealer: calls player\n"
        "Dealer with Pit Manager: corrects card 1 to 8\n"
    )
    assert story.table.phase is Phase.OUTCOME
    (held,) = story.table.held
    assert held.settled is None
    again = told(
        f"{wrong}{HOLD}Dealer: draws {PLAYER_WINS}\nDealer: calls player\n"
        f"Dealer with Pit Manager: corrects card 1 to 8\n{decided('release')}Dealer: calls player\n"
    )
    assert balances(again.events)["patron:Ann"] == 10_000


def test_betting_that_is_cancelled_leaves_the_wager_to_be_handed_back_or_kept() -> None:
    # Hoiana 2.2.13, 7.20: before the first card there is no round, and the wagers go back
    ruled = f"Dealer: reports foreign-card\n{DIRECTOR}: rules return-wagers because of the card\n"
    story = told(f"{BETS}{HOLD}{ruled}{decided('release')}{decided('hand-back')}")
    assert [each.reason for each in story.refusals] == [Refusal.NO_SUCH_CHOICE]
    assert balances(story.events)["patron:Ann"] == 0


def sent(story: Played, body: cmd.Body, actor: str) -> object:
    book = SHIPPED.rulebook(HOIANA)
    envelope = cmd.Envelope(actor=actor, received_at=START, command_id="c")
    found = decide(book, SHIPPED.house(book.document.house), story.table, cmd.Command(body, envelope))
    return found.reason if isinstance(found, Refused) else None


def test_a_decision_says_what_was_found() -> None:
    blank = cmd.DecideHeldMoney(id=1, choice="seize", found=" ")
    assert sent(told(f"{BETS}{HOLD}"), blank, DIRECTOR) is Refusal.DECISION_NEEDS_TEXT


def test_a_table_with_held_money_is_not_set_up_anew() -> None:
    story = told(f"{BETS}{HOLD}Dealer: draws {PLAYER_WINS}\nDealer: closes the table because it is late\n")
    assert sent(story, cmd.SetUpTable(setup=story.table.setup), "Table") is Refusal.MONEY_IS_HELD


def test_a_corrected_record_that_decides_nothing_otherwise_changes_nothing() -> None:
    later = f"{BETS}{HOLD}Dealer: draws {PLAYER_WINS}\nDealer: opens betting\n"
    story = told(f"{later}Dealer with Pit Manager: corrects card 1 of round 1 to 8\n")
    assert not any(isinstance(event, ev.HeldWagerJudged) for event in story.events)
    other = told(f"{later}Dealer with Pit Manager: corrects card 1 of round 1 to 6\n")
    assert [each.settled and each.settled.result for each in other.table.held] == ["lost"]


def test_a_wager_is_released_while_another_case_waits() -> None:
    waits = "Dealer: draws 9\nBob: takes 50 off banker at 2\n"
    story = told(f"{BETS}{HOLD}{waits}{decided('release')}")
    assert story.table.case is not None
    assert (story.table.held, story.refusals) == ((), ())


def test_a_record_of_an_old_form_takes_the_wager_out_of_its_round() -> None:
    table = told(f"{BETS}").table
    (ann, _) = table.wagers
    held = ev.MoneyHeld(id=1, patron="Ann", amount=10_000, round=1, by="Dealer", wager=ann, clauses=())
    old = apply(table, held)
    assert [each.patron for each in old.wagers] == ["Bob"]
    again = ev.HeldMoneyDecided(
        id=1, patron="Ann", amount=10_000, choice="release", found="so", by="Dealer", wager=ann, clauses=()
    )
    assert apply(old, again).wagers == table.wagers


EVIDENCE = (
    "citing game-rules, operating-procedures lacking law (silent), accounts-of-both-parties (none), "
    "surveillance-evidence (none), other-evidence (none)"
)
AWARDED = (
    "Ann: disputes round 1 on player because it was a tie\n"
    f"Pit Supervisor with Dealer: decides dispute 1 as paid {EVIDENCE} awarding 80\n"
    "Ann: agrees with dispute 1\n"
    "Pit Manager with Pit Supervisor: pays the award of dispute 1 to Ann, chips\n"
)
VOID = "Dealer: reports unshuffled-cards{}\nPit Manager: confirms\n"


@pytest.mark.parametrize(
    "lines",
    [
        f"{HOLD}Dealer: draws {BANKER_WINS}\n{AWARDED}{VOID.format(', still paying')}",
        f"{HOLD}Dealer: draws 2 9\n{AWARDED}{VOID.format('')}",
    ],
)
def test_an_award_is_not_set_off_against_chips_that_stay_held(lines: str) -> None:
    """Tiger 5.1.1: the stake of a void round goes back, but of chips that are held nothing is handed over."""
    story = told(BETS + lines, TIGER)
    assert story.refusals == ()
    assert [event for event in story.events if isinstance(event, ev.RoundVoided)]
    assert [each for each in story.events if isinstance(each, ev.PaymentCorrected | ev.AwardSetOff)] == []
    assert balances(story.events)[HELD] == 10_000
