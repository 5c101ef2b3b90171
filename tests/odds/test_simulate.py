"""Simulated shoes: the same for every kernel, chunk and worker, and in agreement with the exact odds."""

import concurrent.futures
import contextlib
import math
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from odds.kernels import KERNELS

from thirdcard.odds import executors
from thirdcard.odds.compiled import Compiled, compile_game
from thirdcard.odds.exact import full_shoe
from thirdcard.odds.executors import chunk_of, open_executor, share_out, silent
from thirdcard.odds.kernel import VARIABLE
from thirdcard.odds.plan import (
    BURN_BY_FIRST_CARD,
    CannotSimulate,
    ShoePlan,
    block_of,
    check_plan,
    parse_burn,
)
from thirdcard.odds.price import event_counts, prices
from thirdcard.odds.script import write_shoes
from thirdcard.odds.simulate import Simulated, run, simulated
from thirdcard.odds.tally import Tally, empty, play_shoes, task_of
from thirdcard.rulebook.facts import PairRule
from thirdcard.rulebook.read import house_of
from thirdcard.rulebook.shelf import SHIPPED, open_shelf

PLANS = (
    ShoePlan(rounds=40),
    ShoePlan(decks=4, cut=11),
    ShoePlan(decks=6, burn=BURN_BY_FIRST_CARD, cut=60, after=0),
    ShoePlan(decks=10, burn=5, cut=23, after=3),
)


def compiled(game: str = "mbs-tiger-nc-v4", pair_rule: PairRule = PairRule.RANK) -> Compiled:
    rulebook = SHIPPED.rulebook(game)
    return compile_game(rulebook, pair_rule)


def same(one: Tally, other: Tally) -> bool:
    return (one.shoes, one.blocks) == (other.shoes, other.blocks) and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("classes", "sums", "course")
    )


@pytest.mark.parametrize("pair_rule", PairRule)
@pytest.mark.parametrize("plan", PLANS)
def test_every_kernel_deals_the_same_cards_and_counts_the_same(
    plan: ShoePlan, pair_rule: PairRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = task_of(compiled(pair_rule=pair_rule), plan, seed=11, block=64)
    tallies, scripts = [], []
    for kernel in KERNELS:
        monkeypatch.setenv(VARIABLE, kernel)
        tallies.append(play_shoes(task, 0, 333))
        scripts.append(write_shoes(task.rules, plan, 11, 5, 45))
    for tally, script in zip(tallies, scripts, strict=True):
        assert same(tally, tallies[0])
        for name in ("cards", "classes", "starts"):
            assert np.array_equal(getattr(script, name), getattr(scripts[0], name))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("plan", PLANS)
def test_a_tally_counts_what_the_script_says(
    plan: ShoePlan, kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, kernel)
    task = task_of(compiled(), plan, seed=2, block=16)
    script, tally = write_shoes(task.rules, plan, 2, 0, 40), play_shoes(task, 0, 40)
    classes = script.classes[script.classes >= 0]
    assert np.array_equal(np.bincount(classes, minlength=2000), tally.classes)
    rounds = (script.classes >= 0).sum(axis=1)
    assert np.array_equal(np.bincount(rounds, minlength=160), tally.course[0])
    for shoe in range(40):
        player, banker, tie = _longest(script.classes[shoe][: rounds[shoe]].tolist())
        assert tally.course[1][player]
        assert tally.course[2][banker]
        assert tally.course[3][tie]


def _longest(classes: list[int]) -> tuple[int, int, int]:
    longest, run_of, ties = {"P": 0, "B": 0, "T": 0}, ("", 0), 0
    for each in classes:
        player, banker = divmod(each // 20, 10)
        winner = "P" if player > banker else "B" if banker > player else "T"
        ties = ties + 1 if winner == "T" else 0
        longest["T"] = max(longest["T"], ties)
        if winner != "T":
            run_of = (winner, run_of[1] + 1 if run_of[0] == winner else 1)
            longest[winner] = max(longest[winner], run_of[1])
    return longest["P"], longest["B"], longest["T"]


def test_the_cutting_card_ends_a_shoe_after_the_rounds_that_follow_it() -> None:
    plan = ShoePlan(decks=4, cut=40, after=2)
    script = write_shoes(compiled().rules, plan, 1, 0, 200)
    for starts in script.starts:
        left = [208 - start for start in starts.tolist() if start >= 0]
        assert [cards > 40 for cards in left[-3:]] == [True, False, False]


def test_the_first_card_says_how_many_are_burned() -> None:
    script = write_shoes(compiled().rules, ShoePlan(burn=BURN_BY_FIRST_CARD), 1, 0, 200)
    for cards, starts in zip(script.cards, script.starts, strict=True):
        value = max(int(cards[0]) - 3, 0)
        assert starts[0] == 1 + (value or 10)


def estimate(game: str, *, shoes: int = 40_000, seed: int = 20) -> tuple[Compiled, Tally, Simulated]:
    plan, book = ShoePlan(rounds=60), compiled(game)
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        tally = run(book, plan, seed=seed, shoes=shoes, executor=threads, workers=2)
    return book, tally, simulated(book, plan, tally)


@pytest.mark.parametrize("game", [book.id for book in SHIPPED.rulebooks])
def test_every_row_of_every_wager_agrees_with_the_exact_odds(game: str) -> None:
    _, _, found = estimate(game)
    assert found.rounds == 2_400_000
    for wager in found.wagers:
        assert abs(wager.edge.z) < 4.5, wager
        for row in wager.rows:
            assert 0 < row.estimate.error < 0.002
            low, high = row.estimate.interval
            assert low < row.estimate.share < high
            assert abs(row.estimate.z) < 4.5, (wager.wager, row)


def test_one_chi_square_over_all_rows() -> None:
    """Rounds by kind, the finest that any row tells apart; rounds of one shoe are nearly independent."""
    square, freedom = 0.0, 0
    for place, book in enumerate(SHIPPED.rulebooks):
        game, tally, _ = estimate(book.id, seed=77 + place)
        kinds = np.frombuffer(game.kind_of, np.uint16)
        exact = _kinds_exact(game)
        for kind in range(game.kinds):
            expected = exact[kind] * 2_400_000
            seen = int(tally.classes[kinds == kind].sum())
            if not expected:
                assert seen == 0
                continue
            square += (seen - expected) ** 2 / expected
            freedom += 1
        freedom -= 1
    assert abs(square - freedom) < 4.5 * math.sqrt(2 * freedom)


def _kinds_exact(game: Compiled) -> list[float]:
    """Every kind as a wager of its own: its exact probability with 8 decks."""
    alone = bytes(int(event == kind) for event in range(game.kinds) for kind in range(game.kinds))
    event = game.events[0]
    by_kind = msgspec.structs.replace(game, events=(event,) * game.kinds, event_of=alone, by_final=None)
    total = prices(game.rulebook, full_shoe(8), PairRule.RANK).total
    return [count / total for count in event_counts(by_kind, full_shoe(8))]


def test_workers_and_chunks_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, book, found = ShoePlan(burn=BURN_BY_FIRST_CARD), compiled(), []
    for workers, chunk in ((1, 64), (2, 640), (3, 65_536)):
        monkeypatch.setattr(executors, "CHUNK", chunk)
        with concurrent.futures.ThreadPoolExecutor(workers) as threads:
            found.append(run(book, plan, seed=5, shoes=2_000, executor=threads, workers=workers))
    assert all(same(each, found[0]) for each in found)
    assert found[0].shoes == 2_000


def test_another_seed_gives_other_shoes() -> None:
    task = task_of(compiled(), ShoePlan(), seed=1, block=64)
    other = msgspec.structs.replace(task, seed=2)
    assert not same(play_shoes(task, 0, 64), play_shoes(other, 0, 64))


def test_one_block_or_no_round_gives_no_error_bars() -> None:
    plan, book = ShoePlan(), compiled()
    task = task_of(book, plan, seed=1, block=64)
    one = simulated(book, plan, play_shoes(task, 0, 10)).wagers[0].edge
    assert one.error == math.inf
    none = simulated(book, plan, empty(task)).wagers[0].edge
    assert (none.error, none.z) == (0.0, 0.0)


def test_an_interrupt_ends_with_what_is_done() -> None:
    task = task_of(compiled(), ShoePlan(), seed=1, block=64)
    told: list[int] = []

    def interrupt(tally: Tally) -> None:
        told.append(tally.shoes)
        if len(told) == 2:
            raise KeyboardInterrupt

    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        done = share_out(
            lambda first, number: play_shoes(task, first, number),
            empty(task),
            shoes=64_000,
            chunk=64,
            executor=threads,
            workers=1,
            progress=interrupt,
        )
    assert told[-1] <= done.shoes < 1_000
    assert done.rounds == int(done.course[0] @ np.arange(160, dtype=np.uint64))


class Held(concurrent.futures.Executor):
    """Does the first chunk, and leaves the others waiting."""

    def __init__(self) -> None:
        self.waiting: list[concurrent.futures.Future[Tally]] = []

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: concurrent.futures.Future[Tally] = concurrent.futures.Future()
        if args[0] == 0:
            future.set_result(fn(*args))
        else:
            self.waiting.append(future)
        return future


@pytest.mark.parametrize("ended", [0, 1])
def test_of_the_chunks_that_an_interrupt_finds_only_those_that_were_done_count(ended: int) -> None:
    task, held = task_of(compiled(), ShoePlan(), seed=1, block=64), Held()

    def interrupt(tally: Tally) -> None:
        for future in held.waiting[:ended]:
            future.set_result(play_shoes(task, 64, 64))
        raise KeyboardInterrupt

    done = share_out(
        lambda first, number: play_shoes(task, first, number),
        empty(task),
        shoes=640,
        chunk=64,
        executor=held,
        workers=2,
        progress=interrupt,
    )
    assert len(held.waiting) == 3
    assert same(done, play_shoes(task, 0, 64 + 64 * ended))


def test_chunks_are_whole_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (block_of(1_000), block_of(10**6)) == (64, 512)
    assert chunk_of(1_000, 64, 2) == 64
    assert chunk_of(10**8, 512, 2) == 65_536
    monkeypatch.setenv(VARIABLE, "numpy")
    assert chunk_of(10**8, 512, 2) == 4_096


def test_threads_are_as_many_as_the_machine_has_cores_unless_somebody_says() -> None:
    with open_executor(None, None) as (_, workers):
        assert workers >= 1
    with open_executor(3, None) as (_, workers):
        assert workers == 3
    silent(None)


def test_a_cluster_is_connected_by_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def connect(address: str) -> Iterator[tuple[concurrent.futures.Executor, int]]:
        with concurrent.futures.ThreadPoolExecutor(1) as threads:
            yield threads, len(address)

    monkeypatch.setattr(executors, "connect", connect)
    with open_executor(None, "tcp://there") as (_, workers):
        assert workers == 11


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (ShoePlan(decks=3), "3 decks are not dealt here"),
        (ShoePlan(rounds=70), "70 rounds cannot be dealt from every shoe. Give 1 to 69."),
        (ShoePlan(rounds=0), "0 rounds cannot"),
        (ShoePlan(cut=10), "cannot be played to the end. Give --cut 11 to 415."),
        (ShoePlan(cut=416), "Give --cut 11 to 415."),
        (ShoePlan(after=-1), "Give --rounds-after-cut 0 to 68."),
        (ShoePlan(after=69), "69 rounds after the cutting card cannot be dealt from every shoe."),
        (ShoePlan(after=68), "Give --cut 413 to 415."),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(plan: ShoePlan, sentence: str) -> None:
    with pytest.raises(CannotSimulate, match=sentence):
        check_plan(plan)


def test_the_burn_is_a_number_a_word_or_what_the_document_does() -> None:
    tiger, hoiana = compiled().rulebook, compiled("hoiana-tiger-2024/commission").rulebook
    house = SHIPPED.house("hoiana")
    assert parse_burn(None, tiger, house) == 0
    assert parse_burn(None, hoiana, house) == BURN_BY_FIRST_CARD
    fixed = house_of(replace(house.form, settings=replace(house.form.settings, burn=5)))
    assert [parse_burn(None, game, fixed) for game in (tiger, hoiana)] == [0, 5]
    assert [parse_burn(text, tiger, house) for text in ("none", "first-card", "7")] == [
        0,
        BURN_BY_FIRST_CARD,
        7,
    ]
    with pytest.raises(CannotSimulate, match="some does not say how many cards are burned"):
        parse_burn("some", tiger, house)


def test_stand_offs_of_two_rows_are_one_row() -> None:
    """EZ Baccarat: a tie and Banker's three cards of 7 both leave the wager on Banker where it is."""
    shelf = open_shelf(Path(__file__).parents[2] / "examples" / "shelf")
    game, plan = compile_game(shelf.rulebook("ez-baccarat"), PairRule.RANK), ShoePlan(rounds=60)
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        found = simulated(game, plan, run(game, plan, seed=5, shoes=2_000, executor=threads, workers=1))
    banker = next(each for each in found.wagers if each.wager == "banker")
    stood_off = [each for each in banker.rows if each.odds is None]
    assert [abs(each.estimate.z) < 4.5 for each in stood_off] == [True]
