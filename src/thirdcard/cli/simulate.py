"""``thirdcard simulate``: shoes played by chance, beside the exact odds; and what counting cards is worth."""

import contextlib
import math
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from thirdcard.cli.arguments import Flag, OwnShelf, Texts, WholeNumber
from thirdcard.cli.output import BadInput, print_json, print_table
from thirdcard.odds.arguments import CannotPrice, asked_game, asked_pair_rule
from thirdcard.odds.compiled import Compiled, compile_game
from thirdcard.odds.executors import open_executor, silent
from thirdcard.odds.plan import CannotSimulate, ShoePlan, block_of, check_plan, parse_burn
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
    reading
        How an unclear place is read, such as AMB-01=a.
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
    reading: Texts = ()
    shelf: OwnShelf = SHIPPED
    workers: WholeNumber | None = None
    cluster: str | None = None


USUAL_SIMULATION = Playing()


@app.default
def simulate(
    game: str,
    *,
    shoes: WholeNumber = 100_000,
    rounds_per_shoe: WholeNumber | None = None,
    playing: Playing = USUAL_SIMULATION,
    json: Flag = False,
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
    json
        Print JSON.
    """
    from thirdcard.odds import simulate as simulating  # noqa: PLC0415 - numpy takes a while to load

    with _bad_input():
        compiled, plan, seed = _asked(game, shoes, playing, rounds_per_shoe)
        begun = time.perf_counter()
        with open_executor(playing.workers, playing.cluster) as (executor, number), _progress(shoes) as tell:
            tally = simulating.run(
                compiled, plan, seed=seed, shoes=shoes, executor=executor, workers=number, progress=tell
            )
    took = time.perf_counter() - begun
    found = simulating.simulated(compiled, plan, tally)
    if json:
        print_json({"game": game, **_plan(plan), "seed": seed, **_described(found)})
        return
    _print_simulated(text("simulate.title", game=compiled.rulebook.name, decks=plan.decks, seed=seed), found)
    print(text("simulate.speed", seconds=f"{took:.1f}", speed=f"{found.rounds / took:,.0f}"))
    if tally.blocks < 2:
        print(text("simulate.no-errors", block=block_of(shoes)))
    if found.shoes < shoes:
        print(text("simulate.interrupted", shoes=f"{shoes:,}"))


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
    json: Flag = False,
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
    json
        Print JSON.
    """
    from thirdcard.odds import counting  # noqa: PLC0415 - numpy takes a while to load

    with _bad_input():
        compiled, plan, seed = _asked(game, shoes, playing)
        _check_count(compiled, wager, (tags, trigger), perfect=perfect)
        system = counting.parse_count(tags, trigger) if tags is not None and trigger is not None else None
        task = counting.CountTask(compiled.rulebook, compiled.pair_rule, wager, plan, seed, system)
        with open_executor(playing.workers, playing.cluster) as (executor, number), _progress(shoes) as tell:
            tally = counting.run_count(task, shoes=shoes, executor=executor, workers=number, progress=tell)
    about = {"tags": tags, "trigger": trigger, "perfect": perfect}
    _tell_count(compiled, task, tally, about, shoes=shoes, json=json)


def _asked(
    game: str, shoes: int, playing: Playing, rounds: int | None = None
) -> tuple[Compiled, ShoePlan, int]:
    """The game, how its shoes are played, and the seed, from what was typed."""
    rulebook = asked_game(game, playing.shelf)
    house = playing.shelf.house_of(rulebook)
    pair_rule = asked_pair_rule(rulebook, house, playing.reading)
    _from(1, shoes=shoes, workers=playing.workers)
    _from(0, seed=playing.seed, rounds_after_cut=playing.rounds_after_cut)
    plan = ShoePlan(
        decks=playing.decks,
        burn=parse_burn(playing.burn, rulebook, house),
        rounds=rounds,
        cut=playing.cut,
        after=playing.rounds_after_cut,
    )
    seed = secrets.randbits(32) if playing.seed is None else playing.seed
    return compile_game(rulebook, pair_rule), check_plan(plan), seed


def _tell_count(
    compiled: Compiled, task: Any, tally: Any, about: dict[str, Any], *, shoes: int, json: bool
) -> None:
    from thirdcard.odds.counting import worth  # noqa: PLC0415 - numpy takes a while to load

    every = worth(compiled, task.wager, tally.all)
    depths = [worth(compiled, task.wager, depth) for depth in tally.depths]
    per_shoe = every.edge * every.bets / tally.shoes if tally.shoes else 0.0
    if json:
        played = {"game": compiled.rulebook.id, "wager": task.wager, **_plan(task.plan), "seed": task.seed}
        found = {"all": every, "per_shoe": per_shoe, "depths": depths}
        print_json({**played, "shoes": tally.shoes, **about, **found})
        return
    names = {"game": compiled.rulebook.name, "wager": task.wager}
    title = text("simulate.count-title", decks=task.plan.decks, seed=task.seed, **names)
    _print_worth(title, every, depths)
    units = {"rounds": f"{every.per_100_rounds:.4f}", "each": f"{per_shoe:.4f}", "won": f"{every.won:,.1f}"}
    print(text("simulate.units-won", shoes=f"{tally.shoes:,}", **units))
    if tally.shoes < shoes:
        print(text("simulate.interrupted", shoes=f"{shoes:,}"))


def _print_simulated(title: str, found: Any) -> None:
    rows: list[tuple[str, ...]] = []
    for wager in found.wagers:
        for place, row in enumerate(wager.rows):
            about = wager.wager if place == 0 else ""
            odds = row.odds or text("result.stood-off")
            rows.append((about, odds, f"{row.count:,}", *_estimate(row.estimate)))
        rows.append(("", text("odds.edge"), "", *_estimate(wager.edge)))
    heads = ("show.wager", "settle.odds", "odds.count", "simulate.share", "simulate.interval")
    print_table(title, tuple(text(head) for head in (*heads, "simulate.exact", "simulate.z")), rows)
    each = found.rounds / found.shoes if found.shoes else 0.0
    print(text("simulate.done", shoes=f"{found.shoes:,}", rounds=f"{found.rounds:,}", each=f"{each:.2f}"))
    longest = {side: max(lengths, default=0) for side, lengths in found.longest.items()}
    print(text("simulate.longest", **longest))


def _print_worth(title: str, every: Any, depths: list[Any]) -> None:
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
def _bad_input() -> Iterator[None]:
    try:
        yield
    except (CannotPrice, CannotSimulate) as error:
        raise BadInput(str(error)) from error


def _from(least: int, **numbers: int | None) -> None:
    for name, number in numbers.items():
        if number is not None and number < least:
            option = f"--{name.replace('_', '-')}"
            raise CannotSimulate(text("simulate.too-small", option=option, number=number, least=least))


def _check_count(
    compiled: Compiled, wager: str, count: tuple[str | None, str | None], *, perfect: bool
) -> None:
    if wager not in compiled.rulebook.wagers:
        known, game = ", ".join(compiled.rulebook.wagers), compiled.rulebook.id
        raise CannotSimulate(text("simulate.no-such-wager", game=game, wager=wager, wagers=known))
    if any((part is None) is not perfect for part in count):
        raise CannotSimulate(text("simulate.count-or-perfect"))


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


def _plan(plan: ShoePlan) -> dict[str, Any]:
    return {
        "decks": plan.decks,
        "burn": plan.burn,
        "cut": plan.cut if plan.rounds is None else None,
        "rounds_after_cut": plan.after if plan.rounds is None else None,
        "rounds_per_shoe": plan.rounds,
    }


def _estimate(estimate: Any) -> tuple[str, str, str, str]:
    share, exact = f"{estimate.share:.6%}", f"{estimate.exact:.6%}"
    if math.isinf(estimate.error):
        return share, "", exact, ""
    low, high = estimate.interval
    return share, f"{low:.6%} … {high:.6%}", exact, f"{estimate.z:+.2f}"


def _described(found: Any) -> dict[str, Any]:
    def numbers(estimate: Any) -> dict[str, Any]:
        error, (low, high), z = estimate.error, estimate.interval, estimate.z
        if math.isinf(error):
            error = low = high = z = None
        return {
            "share": estimate.share,
            "error": error,
            "low": low,
            "high": high,
            "exact": estimate.exact,
            "z": z,
        }

    return {
        "shoes": found.shoes,
        "rounds": found.rounds,
        "wagers": {
            wager.wager: {
                "rows": [
                    {"odds": row.odds, "count": row.count, **numbers(row.estimate)} for row in wager.rows
                ],
                "edge": numbers(wager.edge),
            }
            for wager in found.wagers
        },
        "rounds_of_shoe": {str(number): shoes for number, shoes in found.rounds_of_shoe.items()},
        "longest": {
            side: {str(number): shoes for number, shoes in lengths.items()}
            for side, lengths in found.longest.items()
        },
    }
