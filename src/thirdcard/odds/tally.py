"""Tallies of simulated shoes: whole numbers that add up to the same whichever way the work is shared out."""

import array
import ctypes

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from thirdcard.odds.compiled import CLASSES, Compiled
from thirdcard.odds.kernel import kernel
from thirdcard.odds.plan import ShoePlan
from thirdcard.odds.script import MOST_ROUNDS, kernel_plan, write_shoes

Counts = npt.NDArray[np.uint64]
SHOES_AT_ONCE = 4096  # shoes that numpy plays side by side


class TallyTask(Struct, frozen=True):
    """A worker's task of playing shoes: small enough to send to another machine."""

    rules: bytes
    kinds: int
    kind_of: bytes
    events: int
    event_of: bytes
    products: bytes  # pairs of events, 32 bits each: what is multiplied block by block
    plan: ShoePlan
    seed: int
    block: int


class Tally(Struct, frozen=True):
    """Shoes counted: rounds by class, products of events by block, shoes by rounds and by longest runs."""

    shoes: int
    blocks: int
    classes: Counts
    sums: Counts
    course: Counts  # rounds, then longest runs of Player, Banker and ties: 4 × 160

    @property
    def rounds(self) -> int:
        """All rounds."""
        return int(self.classes.sum())

    def __add__(self, other: "Tally") -> "Tally":
        """Both together."""
        return Tally(
            shoes=self.shoes + other.shoes,
            blocks=self.blocks + other.blocks,
            classes=self.classes + other.classes,
            sums=self.sums + other.sums,
            course=self.course + other.course,
        )


def task_of(compiled: Compiled, plan: ShoePlan, *, seed: int, block: int) -> TallyTask:
    """The task of a game."""
    pairs = product_pairs(compiled)
    return TallyTask(
        rules=compiled.rules,
        kinds=compiled.kinds,
        kind_of=compiled.kind_of,
        events=len(compiled.events),
        event_of=compiled.event_of,
        products=array.array("i", [event for pair in pairs for event in pair]).tobytes(),
        plan=plan,
        seed=seed,
        block=block,
    )


def product_pairs(compiled: Compiled) -> list[tuple[int, int]]:
    """The pairs of events whose products the variances need; the last event is a round itself."""
    rounds = len(compiled.events)
    pairs = [(rounds, rounds), *((event, rounds) for event in range(rounds))]
    for wager in compiled.rulebook.wagers:
        numbers = compiled.events_of(wager)
        pairs += [(one, other) for one in numbers for other in numbers if one <= other]
    return pairs


def empty(task: TallyTask) -> Tally:
    """No shoes."""
    return Tally(
        shoes=0,
        blocks=0,
        classes=np.zeros(CLASSES, np.uint64),
        sums=np.zeros(len(task.products) // 8, np.uint64),
        course=np.zeros((4, MOST_ROUNDS), np.uint64),
    )


def play_shoes(task: TallyTask, first: int, number: int) -> Tally:
    """Play shoes from a first one on, which begins a block."""
    tally = msgspec.structs.replace(empty(task), shoes=number, blocks=-(-number // task.block))
    found = kernel()
    if found is None:
        for begin in range(first, first + number, SHOES_AT_ONCE):
            _tally_with_numpy(task, begin, min(SHOES_AT_ONCE, first + number - begin), tally)
        return tally
    found.play(
        task.rules,
        ctypes.byref(kernel_plan(task.plan, task.seed)),
        first,
        number,
        task.block,
        task.kind_of,
        task.kinds,
        task.event_of,
        task.events,
        task.products,
        len(tally.sums),
        tally.classes.ctypes.data,
        tally.sums.ctypes.data,
        tally.course.ctypes.data,
    )
    return tally


def _tally_with_numpy(task: TallyTask, first: int, number: int, tally: Tally) -> None:
    classes = write_shoes(task.rules, task.plan, task.seed, first, number).classes
    played = classes >= 0
    tally.classes[:] += np.bincount(classes[played], minlength=CLASSES).astype(np.uint64)
    holds = np.frombuffer(task.event_of, np.uint8).reshape(task.events, task.kinds)
    pairs = np.frombuffer(task.products, np.int32).reshape(-1, 2)
    kind_of = np.frombuffer(task.kind_of, np.uint16)
    for begin in range(0, number, task.block):
        part = classes[begin : begin + task.block]
        kinds = np.bincount(kind_of[part[part >= 0]], minlength=task.kinds)
        events = np.append(holds @ kinds, kinds.sum()).astype(np.uint64)
        tally.sums[:] += events[pairs[:, 0]] * events[pairs[:, 1]]
    for place, longest in enumerate((played.sum(axis=1), *_longest_runs(classes))):
        tally.course[place] += np.bincount(longest, minlength=MOST_ROUNDS).astype(np.uint64)


def _longest_runs(classes: npt.NDArray[np.int16]) -> list[npt.NDArray[np.int64]]:
    """The longest run of each side in every shoe; ties do not end a run of Player or Banker."""
    totals = np.where(classes >= 0, classes // 20, -1)
    player, banker = totals // 10, totals % 10
    won = [(player > banker) & (totals >= 0), (banker > player) & (totals >= 0), (player == banker)]
    won[2] &= totals >= 0
    ends = (won[1], won[0], ~won[2])
    found = []
    for wins, ended in zip(won, ends, strict=True):
        run = np.zeros(len(classes), np.int64)
        longest = run.copy()
        for number in range(classes.shape[1]):
            run = np.where(ended[:, number], 0, run + wins[:, number])
            longest = np.maximum(longest, run)
        found.append(longest)
    return found
