"""Chips and cash that may be counterfeit (Hoiana 3.2.7 with 7.20, Marina Bay Sands 6.1)."""

import functools

import pytest

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.decide import decide
from thirdcard.game.state import Phase
from thirdcard.projections.ledger import FELT, HELD, HOUSE, SEIZED, Sums, balances, sums
from thirdcard.projections.meters import Meter, Meters, meters_after
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import find_rulebook, shelf_house

DIRECTOR = "Assistant Director of Gaming Operations"
HOIANA, TIGER, SUPER_SIX = "hoiana-tiger-2024/commission", "mbs-tiger-v3", "mbs-super-six-etg-v3"
BETS = (
    "patrons Ann at 1, Bob at 2\nDealer: opens betting\n"
    "Ann: 100 on player at 1\nBob: 100 on banker at 2\nDealer: closes betting\n"
)
HOLD = "Dealer: holds player of Ann at 1 as suspected\n"
PLAYER_WINS, BANKER_WINS, TIE = "9 2 K 5", "2 9 5 K", "9 9 K K"


def told(lines: str, game: str = HOIANA) -> Played:
    book = find_rulebook(game)
    assert isinstance(book, Rulebook)
    house = shelf_house(book.document.house)
    return play(parse(f"game {game}\n{lines}", lambda _: house.currency), book, house)


def meters_of(story: Played, patron: str = "Ann") -> Meter:
    return functools.reduce(meters_after, story.events, Meters()).patron(patron)


def decided(choice: str, who: str = DIRECTOR) -> str:
    return f"{who}: decides suspicion 1 as {choice} because it was scanned\n"


def test_a_wager_that_is_held_takes_no_part_in_the_settlement() -> None:
    story = told(f"{BETS}{HOLD}Dealer: draws {PLAYER_WINS}\n")
    (settled,) = [event for event in story.events if isinstance(event, ev.RoundSettled)]
    assert [each.patron for each in settled.wagers] == ["Bob"]
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


def test_a_wager_is_held_while_it_lies_there() -> None:
    story = told(f"{BETS}Dealer: draws {PLAYER_WINS}\n{HOLD}")
    assert [each.reason for each in story.refusals] == [Refusal.NOT_IN_THIS_PHASE]


def test_a_wager_of_which_chips_were_taken_away_late_is_not_held() -> None:
    story = told(f"{BETS}Ann: takes 40 off player at 1\n{HOLD}", TIGER)
    assert [each.reason for each in story.refusals] == [Refusal.LESS_ON_THE_WAGER]


def test_nothing_is_added_to_a_wager_that_is_held() -> None:
    open_bets = BETS.replace("Dealer: closes betting\n", "")
    story = told(f"{open_bets}{HOLD}Ann: 50 on player at 1\n")
    assert [(each.reason, each.clauses) for each in story.refusals] == [
        (Refusal.HELD_AS_SUSPECTED, ("3.2.7", "7.20"))
    ]
    found = f"{BETS}{HOLD}Dealer with Pit Manager: finds Ann 50 on player at 1\n"
    assert [each.reason for each in told(found).refusals] == [Refusal.HELD_AS_SUSPECTED]
    assert told(f"{open_bets}{HOLD}Ann: 50 on tie at 1\n").refusals == ()


def test_a_settlement_that_is_taken_back_lets_the_wager_into_its_round_again() -> None:
    wrong = "automatic expose\n" + BETS
    story = told(
        f"{wrong}{HOLD}Dealer: draws {PLAYER_WINS}\nDealer: calls player\n"
        "Dealer with Pit Manager: corrects card 1 to 8\n"
    )
    assert story.table.phase is Phase.OUTCOME
    (held,) = story.table.held
    assert held.facts is None
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
    book = find_rulebook(HOIANA)
    assert isinstance(book, Rulebook)
    start = parse(f"game {HOIANA}\nDealer: opens betting\n").settings.start
    envelope = cmd.Envelope(actor=actor, received_at=start, command_id="c")
    found = decide(book, shelf_house(book.document.house), story.table, cmd.Command(body, envelope))
    return found.reason if isinstance(found, Refused) else None


def test_a_decision_says_what_was_found() -> None:
    blank = cmd.DecideHeldMoney(id=1, choice="seize", found=" ")
    assert sent(told(f"{BETS}{HOLD}"), blank, DIRECTOR) is Refusal.DECISION_NEEDS_TEXT


def test_a_table_with_held_money_is_not_set_up_anew() -> None:
    story = told(f"{BETS}{HOLD}Dealer: draws {PLAYER_WINS}\nDealer: closes the table because it is late\n")
    assert sent(story, cmd.SetUpTable(setup=story.table.setup), "Table") is Refusal.MONEY_IS_HELD
