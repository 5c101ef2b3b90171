"""``thirdcard simulate``: shoes played by chance, beside the exact odds; and what counting cards is worth."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from thirdcard.cli.arguments import Flag, OwnShelf, Readings, Texts, WholeNumber
from thirdcard.cli.number_forms import FOR_PEOPLE, NumberForm
from thirdcard.cli.output import BadInput, print_table
from thirdcard.computing.game import Game, ShoeOptions
from thirdcard.computing.game import game as open_game
from thirdcard.computing.simulations import FIGURES_OF_SPREAD, CountedShoes, Simulation
from thirdcard.odds.executors import silent
from thirdcard.odds.plan import block_of
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.rulebook.words import text

app = App(name="simulate", help="Play shoes by chance, many millions of rounds.", help_format="plaintext")


@Parameter(name="*")
@dataclass(frozen=True)
class Playing:
    """How shoes are played, by which chance, and who does the work.

    Parameters
    ----------
    decks
        Decks of a shoe, 4 to 10.
    seed
        A whole number from 0 on; without it one is chosen and printed.
    cut
        Cards behind the cutting card.
    rounds_after_cut
        Rounds that follow the one in which the cutting card comes.
    burn
        Cards burned from a new shoe: a number, none, or first-card (it and as many as it is worth); without
        it as the document says.
    workers
        Threads of this machine, or chunks at work on a cluster; without it as many as there are cores.
    cluster
        The address of a Dask scheduler, such as tcp://10.0.0.5:8786.
    """

    decks: WholeNumber = 8
    seed: WholeNumber | None = None
    cut: WholeNumber = 14
    rounds_after_cut: WholeNumber = 1
    burn: str | None = None
    reading: Readings = ()
    shelf: OwnShelf = SHIPPED
    workers: WholeNumber | None = None
    cluster: str | None = None

    def game(self, game: str) -> Game:
        """Return the game that is played."""
        return open_game(game, shelf=self.shelf, readings=self.reading)

    def options(self, tell: Callable[[Any], None]) -> ShoeOptions:
        """Return how shoes are played, and who is told how far it is."""
        return {
            "decks": self.decks,
            "seed": self.seed,
            "burn": self.burn,
            "cut": self.cut,
            "rounds_after_cut": self.rounds_after_cut,
            "workers": self.workers,
            "cluster": self.cluster,
            "progress": tell,
        }


USUAL_SIMULATION = Playing()


@app.default
def simulate(
    game: str,
    *,
    shoes: WholeNumber = 100_000,
    rounds_per_shoe: WholeNumber | None = None,
    playing: Playing = USUAL_SIMULATION,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Play shoes round by round and compare every wager with its exact odds.

    The same seed and number of shoes give the same result whatever the workers, kernels and machines. Ctrl-C
    stops and prints what is done.

    Parameters
    ----------
    game
        The id of a game, as `thirdcard rules list` prints it.
    shoes
        How many shoes.
    rounds_per_shoe
        Play so many rounds of every shoe, without a cutting card.
    """
    form.check()
    begun = time.perf_counter()
    with _progress(shoes) as tell:
        options = playing.options(tell)
        options["rounds_per_shoe"] = rounds_per_shoe
        found = playing.game(game).simulate(shoes, **options)
    took = time.perf_counter() - begun
    form.tell(found, lambda: _print_simulated(found, shoes, took))


@app.command
def count(
    game: str,
    *,
    wager: str,
    tags: str | None = None,
    trigger: str | None = None,
    perfect: Flag = False,
    shoes: WholeNumber = 20_000,
    playing: Playing = USUAL_SIMULATION,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Say how often a wager favours a patron who counts cards, at what edge, and what that is worth.

    Parameters
    ----------
    game
        The id of a game.
    wager
        The id of the wager.
    tags
        Ten tags for A, 2 … 9 and 10 (court cards too), such as 0,0,-1,-1,-1,-2,1,2,2,0.
    trigger
        The true count (running count × 52 ÷ cards left, unrounded) from which the wager is made.
    perfect
        Instead of a count: make the wager whenever the exact edge of the shoe favours the patron.
    shoes
        How many shoes.
    """
    form.check()
    if any((part is None) is not perfect for part in (tags, trigger)):
        raise BadInput(text("simulate.count-or-perfect"))
    with _progress(shoes) as tell:
        found = playing.game(game).count(wager, tags, trigger, shoes=shoes, **playing.options(tell))
    form.tell(found, lambda: _print_counted(found, shoes))


@app.command
def spread(
    game: str,
    *,
    wager: str,
    step: Texts,
    tags: str | None = None,
    shoes: WholeNumber = 20_000,
    playing: Playing = USUAL_SIMULATION,
    form: NumberForm = FOR_PEOPLE,
) -> None:
    """Say what a spread of stakes against one wager is worth, and how often a shoe calls for a stake.

    Parameters
    ----------
    game
        The id of a game.
    wager
        The id of the wager.
    step
        A true count and the units staked from it on, such as 8=1; once for each step. Without tags it is an
        edge of the patron in per cent, as perfect knowledge has it: 0=1.
    tags
        Ten tags for A, 2 … 9 and 10 (court cards too), such as 0,0,-1,-1,-1,-2,1,2,2,0.
    shoes
        How many shoes.
    """
    form.check()
    steps = dict(_step(typed) for typed in step)
    with _progress(shoes) as tell:
        found = playing.game(game).spread(wager, steps, tags, shoes=shoes, **playing.options(tell))
    rows = [(text(FIGURES_OF_SPREAD[str(name)]), _figure(value)) for name, value in found.rows]
    heads = tuple(column.title for column in found.columns)
    form.tell(found, lambda: print_table(found.title, heads, rows))


def _figure(value: object) -> str:
    return "" if value is None else f"{value:,.4f}" if isinstance(value, float) else f"{value:,}"


def _step(typed: str) -> tuple[float, int]:
    at, _, units = typed.partition("=")
    try:
        return float(at), int(units)
    except ValueError as error:
        raise BadInput(text("spread.bad-steps")) from error


def _print_counted(counted: CountedShoes, shoes: int) -> None:
    every = counted.all
    _print_worth(counted.title, every, counted.depths)
    units = {
        "rounds": f"{every.per_100_rounds:.4f}",
        "each": f"{counted.per_shoe:.4f}",
        "won": f"{every.won:,.1f}",
    }
    print(text("simulate.units-won", shoes=f"{counted.shoes:,}", **units))
    if counted.shoes < shoes:
        print(text("simulate.interrupted", shoes=f"{shoes:,}"))


def _print_simulated(simulation: Simulation, shoes: int, took: float) -> None:
    found = simulation.found
    rows: list[tuple[str, ...]] = []
    for wager in found.wagers:
        for place, row in enumerate(wager.rows):
            about = wager.wager if place == 0 else ""
            odds = row.odds or text("result.stood-off")
            rows.append((about, odds, f"{row.count:,}", *_estimate(row.estimate)))
        rows.append(("", text("odds.edge"), "", *_estimate(wager.edge)))
    heads = ("show.wager", "settle.odds", "odds.count", "simulate.share", "simulate.interval")
    print_table(
        simulation.title, tuple(text(head) for head in (*heads, "simulate.exact", "simulate.z")), rows
    )
    each = found.rounds / found.shoes if found.shoes else 0.0
    print(text("simulate.done", shoes=f"{found.shoes:,}", rounds=f"{found.rounds:,}", each=f"{each:.2f}"))
    longest = {side: max(lengths, default=0) for side, lengths in found.longest.items()}
    print(text("simulate.longest", **longest))
    print(text("simulate.speed", seconds=f"{took:.1f}", speed=f"{found.rounds / took:,.0f}"))
    if simulation.blocks < 2:
        print(text("simulate.no-errors", block=block_of(shoes)))
    if found.shoes < shoes:
        print(text("simulate.interrupted", shoes=f"{shoes:,}"))


def _print_worth(title: str, every: Any, depths: Sequence[Any]) -> None:
    rows = [(f"{10 * at}–{10 * at + 10} %", *_worth(each)) for at, each in enumerate(depths) if each.rounds]
    rows.append((text("simulate.all"), *_worth(every)))
    heads = ("simulate.depth", "simulate.rounds", "simulate.bets", "simulate.bet-share")
    last = ("simulate.patron-edge", "simulate.units")
    print_table(title, tuple(text(head) for head in (*heads, *last)), rows)


def _worth(each: Any) -> tuple[str, ...]:
    edge = f"{each.edge:.4%} ± {each.error:.4%}" if each.bets else ""
    numbers = f"{each.rounds:,}", f"{each.bets:,}", f"{each.share:.3%}"
    return (*numbers, edge, f"{each.per_100_rounds:.4f}")


@contextlib.contextmanager
def _progress(shoes: int) -> Iterator[Callable[[Any], None]]:
    """A bar with rate and time left on the error output, where that is a terminal."""
    out = Console(stderr=True)
    if not out.is_terminal:
        yield silent
        return
    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    begun = time.perf_counter()
    with Progress(*columns, console=out, transient=True) as bar:
        task = bar.add_task("", total=shoes)

        def tell(tally: Any) -> None:
            rate = f"{tally.rounds / (time.perf_counter() - begun):,.0f}"
            bar.update(task, completed=tally.shoes, description=text("simulate.rate", rate=rate))

        yield tell


def _estimate(estimate: Any) -> tuple[str, str, str, str]:
    share, exact = f"{estimate.share:.6%}", f"{estimate.exact:.6%}"
    if math.isinf(estimate.error):
        return share, "", exact, ""
    low, high = estimate.interval
    return share, f"{low:.6%} … {high:.6%}", exact, f"{estimate.z:+.2f}"
