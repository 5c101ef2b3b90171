"""Simulations as answers: shoes by chance beside the exact odds, and what counting cards is worth."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from thirdcard.computing.results import Computed, count_column, number_column, text_column
from thirdcard.dossier.sheets import Cell, SheetColumn
from thirdcard.messages import message, say
from thirdcard.odds.plan import ShoePlan

if TYPE_CHECKING:  # they load numpy
    from thirdcard.odds.counting import CountTask, Worth
    from thirdcard.odds.simulate import Estimate, Simulated
    from thirdcard.odds.spread import SpreadTask, SpreadWorth


FIGURES_OF_SPREAD = {
    "rounds": "spread.rounds",
    "bets": "spread.bets",
    "share": "spread.share",
    "shoes_share": "spread.shoes-share",
    "staked_per_100_rounds": "spread.staked-per-100-rounds",
    "per_100_rounds": "spread.per-100-rounds",
    "deviation_of_100_rounds": "spread.deviation-of-100-rounds",
    "enough_rounds": "spread.enough-rounds",
    "bankroll": "spread.bankroll",
    "kelly_growth": "spread.kelly-growth",
}


class Simulation(Computed, frozen=True):
    """Simulated shoes: every row of every wager, and every edge, beside the exact figure."""

    game: str
    name: str
    plan: ShoePlan
    seed: int
    found: "Simulated"
    blocks: int

    @property
    def shoes(self) -> int:
        """The shoes that were played."""
        return self.found.shoes

    @property
    def rounds(self) -> int:
        """The rounds that were played."""
        return self.found.rounds

    @property
    def edges(self) -> "dict[str, Estimate]":
        """The estimate of the house edge by wager."""
        return {wager.wager: wager.edge for wager in self.found.wagers}

    @property
    def title(self) -> str:
        """The game, the decks and the seed."""
        return say(message("simulate.title", game=self.name, decks=self.plan.decks, seed=self.seed))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A row of a wager, or its edge, with the estimate and the exact figure."""
        return (
            text_column("wager", "show.wager"),
            text_column("figure", "computing.figure"),
            text_column("odds", "settle.odds"),
            count_column("count", "odds.count"),
            number_column("share", "simulate.share", 8),
            number_column("error", "computing.error", 8),
            number_column("low", "computing.low", 8),
            number_column("high", "computing.high", 8),
            number_column("exact", "simulate.exact", 8),
            number_column("z", "simulate.z", 2),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each row of each wager, and one for its edge."""
        rows: list[tuple[Cell, ...]] = []
        for wager in self.found.wagers:
            for row in wager.rows:
                figure = "won" if row.odds else "stood-off"
                numbers = _numbers(row.estimate).values()
                rows.append((wager.wager, figure, row.odds or "", row.count, *numbers))
            rows.append((wager.wager, "edge", "", None, *_numbers(wager.edge).values()))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return how shoes were played, the estimates by wager, and how long shoes and runs were."""
        found = self.found
        return {
            "game": self.game,
            **plan_of(self.plan),
            "seed": self.seed,
            "shoes": found.shoes,
            "rounds": found.rounds,
            "wagers": {
                wager.wager: {
                    "rows": [
                        {"odds": row.odds, "count": row.count, **_numbers(row.estimate)} for row in wager.rows
                    ],
                    "edge": _numbers(wager.edge),
                }
                for wager in found.wagers
            },
            "rounds_of_shoe": {str(number): shoes for number, shoes in found.rounds_of_shoe.items()},
            "longest": {
                side: {str(number): shoes for number, shoes in lengths.items()}
                for side, lengths in found.longest.items()
            },
        }


class CountedShoes(Computed, frozen=True):
    """The worth of counting cards: of all wagers together, and by the tenth of the shoe."""

    name: str
    task: "CountTask"
    tags: str | None
    trigger: str | None
    shoes: int
    all: "Worth"
    depths: "tuple[Worth, ...]"

    @property
    def per_shoe(self) -> float:
        """The units that a shoe is worth by exact edges."""
        return self.all.edge * self.all.bets / self.shoes if self.shoes else 0.0

    @property
    def title(self) -> str:
        """The game, the wager, the decks and the seed."""
        numbers = {"decks": self.task.plan.decks, "seed": self.task.seed}
        return say(message("simulate.count-title", game=self.name, wager=self.task.wager, **numbers))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A depth of the shoe, with wagers, their edge and what they are worth."""
        return (
            text_column("depth", "simulate.depth"),
            count_column("rounds", "simulate.rounds"),
            count_column("bets", "simulate.bets"),
            number_column("share", "simulate.bet-share"),
            number_column("edge", "simulate.patron-edge", 8),
            number_column("error", "computing.error", 8),
            number_column("won", "computing.units-won", 2),
            number_column("per_100_rounds", "simulate.units", 4),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each tenth of the shoe in which rounds began, and one for all."""
        tenths = [(f"{10 * at}–{10 * at + 10} %", each) for at, each in enumerate(self.depths) if each.rounds]
        return [
            (depth, each.rounds, each.bets, each.share, each.edge, each.error, each.won, each.per_100_rounds)
            for depth, each in (*tenths, (say(message("simulate.all")), self.all))
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return how shoes were played, how was counted, and what it is worth."""
        task = self.task
        return {
            "game": task.rulebook.id,
            "wager": task.wager,
            **plan_of(task.plan),
            "seed": task.seed,
            "shoes": self.shoes,
            "tags": self.tags,
            "trigger": self.trigger,
            "perfect": task.count is None,
            "all": msgspec.to_builtins(self.all),
            "per_shoe": self.per_shoe,
            "depths": [msgspec.to_builtins(each) for each in self.depths],
        }


class SpreadShoes(Computed, frozen=True):
    """The worth of a spread of stakes against one wager."""

    name: str
    task: "SpreadTask"
    tags: str | None
    shoes: int
    worth: "SpreadWorth"

    @property
    def title(self) -> str:
        """The game, the wager, the decks and the seed."""
        numbers = {"decks": self.task.plan.decks, "seed": self.task.seed}
        return say(message("spread.title", game=self.name, wager=self.task.wager, **numbers))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A figure and its value."""
        return text_column("figure", "spread.what"), number_column("value", "spread.value")

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each figure."""
        return list(msgspec.structs.asdict(self.worth).items())

    def to_dict(self) -> dict[str, Any]:
        """Return how shoes were played, the steps of the spread, and what it is worth."""
        task = self.task
        return {
            "game": task.rulebook.id,
            "wager": task.wager,
            **plan_of(task.plan),
            "seed": task.seed,
            "shoes": self.shoes,
            "tags": self.tags,
            "steps": [[float(step.trigger), step.stake] for step in task.steps],
            **msgspec.structs.asdict(self.worth),
        }


def plan_of(plan: ShoePlan) -> dict[str, Any]:
    """Return how shoes are played; with a number of rounds there is no cutting card."""
    return {
        "decks": plan.decks,
        "burn": plan.burn,
        "cut": plan.cut if plan.rounds is None else None,
        "rounds_after_cut": plan.after if plan.rounds is None else None,
        "rounds_per_shoe": plan.rounds,
    }


def _numbers(estimate: "Estimate") -> dict[str, float | None]:
    error, (low, high), z = estimate.error, estimate.interval, estimate.z
    if math.isinf(error):
        return {
            "share": estimate.share,
            "error": None,
            "low": None,
            "high": None,
            "exact": estimate.exact,
            "z": None,
        }
    return {
        "share": estimate.share,
        "error": error,
        "low": low,
        "high": high,
        "exact": estimate.exact,
        "z": z,
    }
