"""Drills by chance: which faults can happen at a game, and a seed that has something to do for a post."""

from collections.abc import Callable

from msgspec import Struct

from thirdcard.roundfile.parse import RoundRules
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.staff import Post
from thirdcard.training.faults import FAULTS, NoFault, drill_by_seed
from thirdcard.training.rehearsal import Rehearsal, rehearse

MOST_SEEDS = 10**6  # that are drawn from
MOST_LOOKS = 60  # seeds that are looked at for one that has something to do for a post
_TRIED_SEEDS = range(3)  # a fault that none of these brings cannot happen


class FaultSeed(Struct, frozen=True):
    """The seed of a drill by chance, and the fault that was asked for; without one it brings any."""

    seed: int
    what: str | None = None


class NothingToDo(Exception):
    """No seed that was looked at has something to do for a post; ``posts`` are those for which some had."""

    def __init__(self, post: Post, posts: tuple[Post, ...]) -> None:
        super().__init__(post)
        self.posts = posts


def possible_faults(rulebook: Rulebook, house: House, rules: RoundRules) -> tuple[str, ...]:
    """Return the faults that can happen at a game."""
    return tuple(name for name in FAULTS if _can_happen(rulebook, house, rules, name))


def _can_happen(rulebook: Rulebook, house: House, rules: RoundRules, name: str) -> bool:
    for seed in _TRIED_SEEDS:
        try:
            drill_by_seed(rulebook, house, seed, rules, name)
        except NoFault:
            continue
        return True
    return False


def rehearsal_by_seed(rulebook: Rulebook, house: House, rules: RoundRules, fault: FaultSeed) -> Rehearsal:
    """Return the drill that a seed stands for, with its right way."""
    return rehearse(drill_by_seed(rulebook, house, fault.seed, rules, fault.what), rulebook, house)


def rehearsal_by_chance(
    rulebook: Rulebook,
    house: House,
    rules: RoundRules,
    post: Post,
    draw: Callable[[], int],
    what: str | None = None,
) -> tuple[FaultSeed, Rehearsal]:
    """Draw seeds until one has something to do for a post."""
    able: set[Post] = set()
    for _ in range(MOST_LOOKS):
        fault = FaultSeed(draw(), what)
        rehearsal = rehearsal_by_seed(rulebook, house, rules, fault)
        if post in rehearsal.posts():
            return fault, rehearsal
        able |= set(rehearsal.posts())
    raise NothingToDo(post, tuple(each for each in house.form.posts if each in able))
