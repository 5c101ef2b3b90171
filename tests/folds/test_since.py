"""Since when a table stands as it does, by the times of its records."""

import msgspec
import pytest

from thirdcard.folds.record_place import Recorded
from thirdcard.folds.snapshot import TableSnapshot, Timestamps, whole_after
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.set_up import Player, set_up
from thirdcard.rulebook.shelf import SHIPPED

RULES = ("book", "house")
HEAD = "game mbs-tiger-v3\nautomatic expose\npatrons Ann at 1, Bob at 2\n"
BETTING = ["Dealer: opens betting", "Ann: 100 on player at 1"]
CLOSED = [*BETTING, "Dealer: closes betting"]
BOTH = [BETTING[0], "Ann: 100 on player at 1", "Bob: 100 on banker at 2", "Dealer: closes betting"]
TOGETHER = [*BOTH, "Dealer: draws 2 K", "Dealer: reports cards-together cards 3 9, order known"]


def since(lines: list[str], *, kept_at: int | None = None) -> Timestamps:
    """The times after some lines: the table is set up at 0 µs, and each line is recorded 10 µs later.

    With ``kept_at`` what is folded goes through a snapshot after so many lines.
    """
    file = parse(HEAD + "\n".join(lines))
    rulebook = SHIPPED.rulebook(file.settings.game)
    player = Player(rulebook, SHIPPED.house(rulebook.document.house))
    set_up(player, file.settings)
    whole = whole_after(None, tuple(player.events), rulebook, Recorded(1, 0), RULES)
    for number, (act, _) in enumerate(file.acts, start=1):
        for body in act.bodies:
            result = player.do(body, act.actor)
            assert isinstance(result, tuple), result
            whole = whole_after(whole, result, rulebook, Recorded(number + 1, 10 * number), RULES)
        if number == kept_at:
            whole = msgspec.json.decode(msgspec.json.encode(whole), type=TableSnapshot)
    assert whole is not None
    return whole.since


@pytest.mark.parametrize(
    ("lines", "phase", "record"),
    [
        ([], 0, 0),
        (BETTING[:1], 10, 10),
        (BETTING, 10, 20),
        ([*BETTING, "Ann: 100 on player at 1", "Ann: takes 100 off player at 1"], 10, 40),
        (CLOSED, 30, 30),
        ([*CLOSED, "Dealer: draws 9"], 40, 40),
        ([*CLOSED, "Dealer: draws 9", "Dealer: draws 2"], 40, 50),
        ([*CLOSED, "Dealer: draws 9 2 K 5"], 40, 40),
        ([*CLOSED, "Dealer: draws 9 2 K 5", "Dealer: calls player"], 50, 50),
    ],
)
def test_a_phase_begins_with_the_record_that_brings_it_and_goes_on_after_others(
    lines: list[str], phase: int, record: int
) -> None:
    assert since(lines) == Timestamps(phase, record)


def test_the_next_round_begins_anew() -> None:
    whole = [*CLOSED, "Dealer: draws 9 2 K 5", "Dealer: calls player"]
    assert since([*whole, "Dealer: opens betting"]) == Timestamps(60, 60)


def test_a_pause_stops_the_clock_and_what_comes_after_it_begins_anew() -> None:
    paused = [*BETTING, "Dealer: pauses the table because of smoke"]
    assert since(paused) == Timestamps(30, 30)
    assert since([*paused, "Dealer: resumes the table"]) == Timestamps(40, 40)


def test_an_irregularity_with_its_offer_stands_until_all_have_answered() -> None:
    assert since(TOGETHER) == Timestamps(60, 60)
    assert since([*TOGETHER, "Ann: stays"]) == Timestamps(60, 70)
    assert since([*TOGETHER, "Ann: stays", "Bob: stays"]) == Timestamps(80, 80)


def test_what_begins_and_ends_in_one_record_leaves_the_clock_as_it_is() -> None:
    late = "Dealer: reports late-wager of Ann amount 100"
    assert since([*CLOSED, late]) == Timestamps(30, 40)


def test_it_is_the_same_after_a_snapshot() -> None:
    for number in range(1, len(CLOSED) + 1):
        assert since([*CLOSED, "Dealer: draws 9"], kept_at=number) == Timestamps(40, 40)
        assert since(CLOSED, kept_at=number) == Timestamps(30, 30)
    assert since(BETTING, kept_at=1) == Timestamps(10, 20)
