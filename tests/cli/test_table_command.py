"""``thirdcard table``: whole sessions at the practice table, typed line by line."""

import io
import itertools
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from cli.own_files import own_house
from lengths import sized
from limits import LONG_ENOUGH

from thirdcard.cli import run
from thirdcard.rulebook.irregularity import Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.rulebook.words import text

Printed = pytest.CaptureFixture[str]
THIRDCARD = Path(sys.executable).with_name("thirdcard")
GAMES = [book.id for book in SHIPPED.rulebooks]
HOIANA = "hoiana-tiger-2024/commission"
SUPER_SIX = "mbs-super-six-etg-v3"
TIGER = "mbs-tiger-v3"
FOUR_CARDS = ("card", "card", "card", "card")


class Table:
    """Plays a session and gives what was printed, white space made plain."""

    def __init__(self, capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch

    def __call__(self, game: str, *lines: str, seed: int | None = 3, house: str | None = None) -> str:
        self.monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        options = [
            *(["--seed", str(seed)] if seed is not None else []),
            *(["--house", house] if house else []),
        ]
        assert run(["table", game, *options]) == 0
        printed = self.capsys.readouterr()
        assert printed.err == ""
        return " ".join(printed.out.split())


@pytest.fixture
def sit(capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(capsys, monkeypatch)


def situations(game: str) -> list[Situation]:
    """The situations that a game lists when something goes wrong, in its order."""
    book = next(book for book in SHIPPED.rulebooks if book.id == game)
    named = {row.situation for row in book.document.irregularities} | {Situation.NOT_COVERED}
    return [each for each in Situation if each in named]


def number_of(game: str, situation: Situation) -> str:
    return str(situations(game).index(situation) + 1)


def balances(shown: str) -> list[str]:
    return re.findall(r"You have ([0-9.]+) [A-Z]{3}\.", shown)


# a round


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_wagered_dealt_and_settled_with_clauses_at_every_game(game: str, sit: Table) -> None:
    shown = sit(game, "100 player", "20 tie", "off 10 tie", "bets", "deal", "road", "rules", "help", "quit")
    assert shown.startswith("Practice table: ")
    assert "Nothing here is real" in shown
    assert re.search(r"Guest wagers 100\.00 on player\. \[[\d., ]+\]", shown)
    assert re.search(r"Player gets \S+\. \[.+?\] Banker gets \S+\. \[.+?\] Player gets", shown)
    assert re.search(r"Player \S+-\S+: point total \d\. \[", shown)
    assert re.search(r"(wins \d to \d|Tie at \d)\. \[", shown)
    assert re.search(r"(Guest (wins|loses) [\d.]+ on tie|tie of Guest).*? back\. \[", shown)
    assert "Rounds 1:" in shown
    assert "Big road" in shown
    assert "8 to 1" in shown
    assert "go through an irregularity" in shown
    assert shown.endswith("The practice table is closed.")
    before, after = (float(balances(shown)[at]) for at in (0, -1))
    paid = sum(float(each) for each in re.findall(r"Guest wins ([\d.]+)", shown))
    taken = sum(float(each) for each in re.findall(r"Guest loses ([\d.]+)", shown))
    assert (before, after) == (10000, 10000 + paid - taken)


def test_a_terminal_buys_credits_at_the_start_and_a_felt_does_not(sit: Table) -> None:
    assert "Guest has 10000.00 credits more. [1.1.5, house: buy-in]" in sit(SUPER_SIX)
    assert "credits" not in sit(TIGER)


def test_the_check_list_and_the_burn_are_done_at_the_start(sit: Table) -> None:
    shown = sit(HOIANA)
    assert "The opening check list is ticked: Card-reading shoe with result lights, Scoreboard," in shown
    assert re.search(r"The first card of the shoe is \S+\. Cards burned: \d+\. \[2\.2\.2\]", shown)


def test_a_seed_is_a_shoe_that_comes_again_and_says_so(sit: Table) -> None:
    lines = ("100 banker", "deal", "deal", "deal")
    first = sit(TIGER, *lines, seed=8)
    assert "Practice shoe 8: the same cards come every time. They are shuffled by a formula" in first
    assert sit(TIGER, *lines, seed=8) == first
    assert sit(TIGER, *lines, seed=9) != first
    unseeded = sit(TIGER, *lines, seed=None)
    assert "Practice shoe" not in unseeded
    assert sit(TIGER, *lines, seed=None) != unseeded


def test_cards_come_one_at_a_time_if_wanted(sit: Table) -> None:
    shown = sit(TIGER, "100 player", "card", "card", "deal")
    assert "> card No more bets: betting is closed. [3.2] Player gets 5C." in shown
    assert (
        "Player 5C, Banker -. > card Banker gets 10H. [3.13, 3.13.2, 3.9.1, 3.11.1] Player 5C, Banker 10H."
        in shown
    )
    assert shown.count("Called: tie.") == 1
    one_by_one = sit(TIGER, "100 player", *FOUR_CARDS, "card", "card")
    assert "player of Guest stands off, 100.00 back." in one_by_one


def test_wagers_are_named_by_id_by_name_or_by_their_beginning(sit: Table) -> None:
    shown = sit(
        TIGER, "100 on Player", "10 tiger  PAIR", "10 small", "10 ti", "10 chess", "off small", "bets"
    )
    assert "Guest wagers 100.00 on player." in shown
    assert "Guest wagers 10.00 on tiger-pair." in shown
    assert "10.00 of small-tiger goes back to Guest." in shown
    assert '"ti" is not clear. The wagers are: tie, tiger, tiger-pair, tiger-tie.' in shown
    assert '"chess" is not clear. The wagers are: player, banker, tie, tiger,' in shown
    assert balances(shown)[-1] == "9890.00"


def test_wagers_outside_the_limits_or_the_purse_are_not_taken(sit: Table) -> None:
    shown = sit(TIGER, "5 player", "6000 player", "10001 tie", "deal", "buy 500", "bets")
    assert "5.00 on player is handed back to Guest: it is under the minimum. [3.5.1]" in shown
    assert "The limits for player are 50.00 SGD to 5000.00 SGD." in shown
    assert "You have only 10000.00 SGD. Type buy and an amount for more." in shown
    assert balances(shown)[-1] == "10500.00"
    terminal = sit(SUPER_SIX, "5 player", "20000 player", "buy 500")
    assert "Not done: The minimum for player is 50.00." in terminal
    assert "You have only 10000.00 SGD." in terminal
    assert balances(terminal)[-1] == "10500.00"


def test_the_wagers_of_the_last_round_can_be_placed_again(sit: Table) -> None:
    assert "There are no wagers of an earlier round." in sit(TIGER, "again")
    shown = sit(TIGER, "100 banker", "10 tie", "deal", "again", "bets")
    assert shown.count("Guest wagers 100.00 on banker.") == 2
    assert shown.count("Guest wagers 10.00 on tie.") == 2


def test_a_shoe_is_played_to_its_end_and_a_new_one_comes(sit: Table) -> None:
    for game in (TIGER, HOIANA, SUPER_SIX):
        shown = sit(game, *["deal"] * 95, "new", "deal", "road")
        assert ("The cutting card comes." in shown) == (game != SUPER_SIX)
        assert ("The next hand is the last of the shoe." in shown) == (game == SUPER_SIX)
        assert "Not done: The shoe is played out. Load new cards." in shown
        assert "New cards must come: type new." in shown
        assert "Shoe 2 with 8 decks, 416 cards." in shown
        assert "Rounds 1:" in shown


# nonsense


NONSENSE = (
    "",
    "hello",
    "player",
    "100",
    "-5 player",
    "100 player please",
    "1e3 player",
    "1,000 player",
    "100.001 player",
    "deal now",
    "off",
    "off 5",
    "off player",
    "off x player",
    "buy",
    "buy lots",
    "buy 1.2.3",
    "keep",
    "yes",
    "wrong 3",
    "💥",
)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_not_understood_gets_a_hint_and_changes_nothing(game: str, sit: Table) -> None:
    shown = sit(game, *NONSENSE, "bets")
    assert (
        '"hello" is not understood; nothing has changed. Type a wager such as 100 player, or help.' in shown
    )
    assert '"deal now" is not understood' in shown
    assert '"player please" is not clear.' in shown
    assert "1,000 is not an amount. Write it like 1000 or 316.35, without a comma." in shown
    assert "Say what to take off: off 50 player, or off player for all of it." in shown
    assert "Say how much: buy 1000." in shown
    assert "There are no wagers." in shown
    assert set(balances(shown)) == {"10000.00"}


def test_quit_and_its_short_forms_end_the_session(sit: Table) -> None:
    for word in ("quit", "exit", "q", "QUIT"):
        shown = sit(TIGER, word, "100 player")
        assert shown.endswith("The practice table is closed.")
        assert "100 player" not in shown.partition(f"> {word}")[2]


def test_a_house_of_ones_own_sets_limits_and_currency(tmp_path: Path, sit: Table) -> None:
    house = own_house(
        tmp_path,
        'differential = "10000"',
        'differential = "10000"\nwager.tie = { minimum = "25", maximum = "75" }',
    )
    shown = sit(TIGER, "20 tie", "30 tie", "20 tiger", house=house)
    assert "20.00 on tie is handed back to Guest" in shown
    assert "The limits for tie are 25.00 SGD to 75.00 SGD." in shown
    assert "Guest wagers 30.00 on tie." in shown
    assert "Guest wagers 20.00 on tiger." in shown
    assert "You have 10000.00 XYZ." in sit(TIGER, house=own_house(tmp_path, 'code = "SGD"', 'code = "XYZ"'))


def test_a_house_that_does_not_exist_or_lacks_a_post_is_exit_2(capsys: Printed) -> None:
    assert run(["table", TIGER, "--house", "nowhere"]) == 2
    assert "There is no house nowhere" in capsys.readouterr().err
    assert run(["table", TIGER, "--house", "hoiana"]) == 2
    assert (
        "gives powers to assistant-casino-manager, a post that the house hoiana lacks"
        in capsys.readouterr().err
    )


def test_an_unknown_game_is_exit_2(capsys: Printed) -> None:
    assert run(["table", "chess"]) == 2
    assert "There is no game chess. Choose one of:" in capsys.readouterr().err


# something goes wrong


def test_a_void_waits_for_its_confirmation_and_gives_everything_back(sit: Table) -> None:
    number = number_of(TIGER, Situation.FOREIGN_CARD)
    lines = ("100 player", "10 tie", "card", "wrong", number, "yes", "no", "", "deal", "50 tie")
    shown = sit(TIGER, *lines, "wrong", "yes", "road")
    assert 'The rulebook on "Foreign card" (stage: before the first card or initial deal or after' in shown
    assert "the round is void │ by rule │ 5.1.1" in shown
    asked = "Do you confirm the facts? (yes/no) no [Pit Manager] What was found instead?"
    owed = "Still to be done: - The facts are confirmed [5.1.1] (Pit Manager)"
    assert f"[Pit Manager] {asked} (nothing leaves it open) {owed} An irregularity is under way." in shown
    assert "> deal An irregularity is under way. Type wrong to go on with it. > 50 tie An irreg" in shown
    assert "Pit Manager confirms the facts. Round 1 is void. [5.1.1]" in shown
    assert balances(shown)[-1] == "10000.00"
    assert "Rounds 0:" in shown


def test_facts_that_are_not_so_leave_the_round_as_it_was(sit: Table) -> None:
    number = number_of(TIGER, Situation.FOREIGN_CARD)
    shown = sit(TIGER, "100 player", "card", "wrong", number, "yes", "no", "the card is ours", "deal")
    assert "It is not so (Pit Manager): the card is ours. [5.1]" in shown
    assert "Round 1 is over." in shown


def test_a_set_in_doubt_is_found_whole_or_replaced(sit: Table) -> None:
    number = number_of(TIGER, Situation.FOREIGN_CARD)
    void = ("100 player", "card", "wrong", number, "yes", "yes")
    kept = sit(TIGER, *void, "deal", "keep", "deal")
    assert "The set of cards is in doubt: type new for new cards, or keep if it was found whole." in kept
    assert "The set of cards is whole" in kept
    assert "Round 2 is over." in kept
    new = sit(TIGER, *void, "new", "deal")
    assert "Shoe 2 with 8 decks, 416 cards." in new


def test_a_ruling_on_the_order_and_a_withdrawal(sit: Table) -> None:
    number = number_of(TIGER, Situation.CARDS_TOGETHER)
    lines = ("100 player", "10 tiger-pair", *FOUR_CARDS, "wrong", number, "no", "many", "2", "yes")
    shown = sit(TIGER, *lines, "7 8", "oops", "4H 3D", "2", "2", "it was seen", "deal")
    assert "Type a number from 2 to 6, or back." in shown
    assert "From the shoe: 3D 4H." in shown
    assert "the order of the cards is determined │ Pit Manager │ 5.8.2.2" in shown
    assert "Name exactly the cards that came. One that lies at its place stays there." in shown
    assert "oops is not a card. Write it like 10, 10H, Th or K♠." in shown
    assert "Pit Manager rules: the cards count in the order 4H 3D. [5.8.2.2]" in shown
    assert "1 stay in the round 2 withdraw all remaining wagers 3 say nothing" in shown
    assert "100.00 of player goes back to Guest. [5.8.2.2]" in shown
    assert "The hands are: Player 5C-8H-4H, Banker 10H-6C" in shown
    assert "go on with deal or card." in shown
    assert balances(shown)[-1] == "9990.00"


def test_a_permission_is_asked_of_the_post_that_has_it(sit: Table) -> None:
    number = number_of(HOIANA, Situation.CARDS_TOGETHER)
    start = ("100 player", "10 tie", "card", "card", "wrong", number, "yes", "2", "yes")
    denied = sit(HOIANA, *start, "no", "deal")
    assert "[Shift Manager] Do you allow it? (yes/no) no Shift Manager rules: not allowed. [7.12]" in denied
    assert "Guest wins 100.00 on player" in denied
    allowed = sit(HOIANA, *start, "yes", "3", "1", "deal")
    assert "Shift Manager rules: allowed. [7.12]" in allowed
    assert "3 withdraw player only 4 withdraw tie only 5 say nothing" in allowed
    assert "100.00 of player goes back to Guest. [7.12]" in allowed
    assert "Guest loses 10.00 on tie" in allowed
    assert balances(allowed)[-1] == "9990.00"


def test_a_guest_may_say_nothing_and_stays(sit: Table) -> None:
    number = number_of(TIGER, Situation.POWER_FAILURE)
    shown = sit(TIGER, "100 player", "card", "wrong", number, "yes", "3", "deal")
    assert "The offer is closed." in shown
    assert "player of Guest stands off, 100.00 back." in shown


def test_what_no_rule_covers_is_decided_with_a_reason(sit: Table) -> None:
    number = number_of(HOIANA, Situation.POWER_FAILURE)
    shown = sit(HOIANA, "100 player", "card", "wrong", number, "yes", "9", "1", "", "the lights failed")
    assert "[Assistant Director of Gaming Operations] No rule covers this. What do you decide?" in shown
    assert "1 the round is void 2 play goes on" in shown
    assert "Type a number from 1 to 8, or back." in shown
    assert "Assistant Director of Gaming Operations rules: the round is void. [7.20]" in shown
    assert balances(shown)[-1] == "10000.00"


def test_something_else_is_reported_in_words(sit: Table) -> None:
    number = number_of(TIGER, Situation.NOT_COVERED)
    shown = sit(TIGER, "100 player", "card", "wrong", number, "yes", "", "a drink on the layout", "1", "so")
    assert shown.count("What happened, in words?") == 2
    assert "Dealer reports: Something else." in shown


def test_a_burn_that_cannot_be_made_shows_no_card(sit: Table) -> None:
    shown = sit(HOIANA, "100 player", "card", "burn", "deal", seed=7)
    assert shown.count("The first card of the shoe is") == 1
    assert "Not done: This cannot be done now" in shown


@pytest.mark.parametrize("game", ["hoiana-tiger-2024/commission", "hoiana-tiger-2024/non-commission"])
def test_a_free_hand_is_dealt_with_the_stray_card_first_and_without_wagers(game: str, sit: Table) -> None:
    number = number_of(game, Situation.UNAUTHORISED_PLAYER_CARD)
    shown = sit(game, "100 player", *FOUR_CARDS, "wrong", number, "yes", "deal", "100 tie", "deal", seed=7)
    card = re.search(r"From the shoe: (\S+)\. The rulebook", shown)
    assert card
    assert "free hand (next round)" in shown
    assert "A free hand comes next, without wagers: type deal. > 100 tie Not done: A free hand comes" in shown
    assert f"Round 2 begins. [2.2.13] Player gets {card.group(1)}. [2.2.6, 7.8]" in shown
    assert balances(shown)[-2:] == ["9900.00", "9900.00"]


def test_a_burn_that_was_made_was_not_forgotten(sit: Table) -> None:
    number = number_of(HOIANA, Situation.BURN_FORGOTTEN)
    shown = sit(HOIANA, "100 player", "card", "wrong", number, "deal")
    assert f"{text('situation.burn-forgotten')} (not now)" in shown
    assert "Dealer reports" not in shown


def test_a_wager_under_the_minimum_is_found_and_paid_once(sit: Table) -> None:
    number = number_of(TIGER, Situation.UNDER_MINIMUM)
    shown = sit(TIGER, "card", "wrong", number, "1", "much", "20", "yes", "deal", seed=5)
    assert "much is not an amount." in shown
    assert "Guest is found to have 20.00 on player." in shown
    assert "paid or collected once, later ones returned │ by rule │ 5.14" in shown
    assert "Guest is marked for a wager under the minimum. [5.14]" in shown


def test_an_order_that_the_dealing_device_has_read_is_not_told_otherwise(sit: Table) -> None:
    """3.12.1, 5.7: the table of practice has a device that reads cards, so that their order is known."""
    number = number_of(TIGER, Situation.WRONG_ORDER)
    lines = ("100 player", "card", "card", "card", "wrong", number, "yes", "5C 8H 10H", "yes", "deal")
    shown = sit(TIGER, *lines)
    assert "The cards are: 5C 10H 8H." in shown
    assert "Card 2 of the round is 10H" in shown
    assert "Dealer reports" not in shown


def test_nobody_leaves_with_cards_that_lie_open(sit: Table) -> None:
    number = number_of(TIGER, Situation.PATRON_LEFT_WITH_CARDS)
    shown = sit(TIGER, "100 player", "card", "card", "wrong", number, "no", "deal")
    assert "No cards lie with Guest." in shown
    assert "Dealer reports" not in shown


def test_a_question_can_be_left_and_a_situation_of_another_moment_is_not_taken(sit: Table) -> None:
    order = number_of(TIGER, Situation.WRONG_ORDER)
    shown = sit(TIGER, "wrong", "back", "wrong", "0", "99", "x", order, "wrong", "1", "maybe", "b", "bets")
    assert "Back at the table." in shown
    assert "Type a number from 1 to 31, or back." in shown
    assert "Cards dealt in the wrong order (not now)" in shown
    assert "That can go wrong only while cards are dealt, or just after." in shown
    assert "Type yes or no, or back." in shown
    assert "Dealer reports" not in shown


def test_a_refused_report_is_told_and_nothing_is_under_way(sit: Table) -> None:
    number = number_of(TIGER, Situation.FOREIGN_CARD)
    shown = sit(TIGER, "100 player", "wrong", number, "no", "deal")
    assert "Dealer reports" not in shown
    assert "Round 1 is over." in shown


ANYTHING = ("1", "yes", "2", "20", "", "yes", "because it was so", "1", "no", "yes", "3", "2", "1") * 3


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("game", "dealt"),
    sized([*zip(GAMES, (0, 1, 4, 0, 1, 4), strict=True)], [*itertools.product(GAMES, (0, 1, 4))]),
)
def test_every_situation_can_be_gone_through_whatever_is_answered(game: str, dealt: int, sit: Table) -> None:
    for number in range(1, len(situations(game)) + 1):
        shown = sit(game, "100 player", "10 tie", *["card"] * dealt, "wrong", str(number), *ANYTHING, "quit")
        assert shown.endswith("The practice table is closed.")


def test_every_situation_of_a_rulebook_is_listed_in_words(sit: Table) -> None:
    shown = sit(HOIANA, "wrong", "back")
    for situation in situations(HOIANA):
        assert text(f"situation.{situation.value}") in shown


# a real pipe, and how a session ends


def piped(*lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [THIRDCARD, "table", TIGER, "--seed", "3"],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=LONG_ENOUGH,
    )


def test_a_pipe_that_ends_closes_the_table(sit: Table) -> None:
    done = piped("100 player", "deal")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\nThe practice table is closed.\n")
    assert " ".join(done.stdout.split()) == sit(TIGER, "100 player", "deal")
    in_a_question = piped("100 player", "card", "wrong", "1")
    assert (in_a_question.returncode, in_a_question.stderr) == (0, "")
    assert in_a_question.stdout.endswith("\nThe practice table is closed.\n")


def test_bytes_that_are_no_text_are_not_understood() -> None:
    done = subprocess.run(
        [THIRDCARD, "table", TIGER],
        input=b"\xff\xfe\n",
        capture_output=True,
        check=False,
        timeout=LONG_ENOUGH,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is not understood" in done.stdout


@pytest.mark.timed
def test_an_interrupt_closes_the_table() -> None:
    with subprocess.Popen(
        [THIRDCARD, "table", TIGER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        bufsize=1,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        guard = threading.Timer(LONG_ENOUGH, process.kill)
        guard.start()
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("Type a wager"):
                    break
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=LONG_ENOUGH)
        finally:
            guard.cancel()
            process.kill()
    assert (process.returncode, err) == (0, "")
    assert out.endswith("The practice table is closed.\n")
