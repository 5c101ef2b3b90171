"""Mixes of wagers as answers: together, the hold after many rounds, ruin, and two games compared."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from thirdcard.computing.prices import edge_of
from thirdcard.computing.results import Computed, count_column, number_column, text_column
from thirdcard.dossier.sheets import Cell, SheetColumn
from thirdcard.messages import message, say
from thirdcard.odds.covariance import Covariances
from thirdcard.odds.mix import Hold, Mix, Ruin


class WagersTogether(Computed, frozen=True):
    """How the gains of the house by a unit on two wagers of one round go together, exactly."""

    game: str
    name: str
    decks: int
    found: Covariances

    @property
    def title(self) -> str:
        """The game, and how many decks there are."""
        return say(message("mix.together-title", game=self.name, decks=self.decks))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """Two wagers with covariance and correlation."""
        return (
            text_column("wager", "show.wager"),
            text_column("other", "mix.other"),
            text_column("exact", "mix.exact-covariance"),
            number_column("covariance", "mix.covariance"),
            number_column("correlation", "mix.correlation"),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each two wagers."""
        return [
            (one, other, str(value), float(value), self.correlation(one, other))
            for (one, other), value in self.found.covariances.items()
        ]

    def correlation(self, one: str, other: str) -> float:
        """Return how far two wagers go together: from -1 to 1."""
        of = self.found.covariances
        return float(of[one, other]) / math.sqrt(of[one, one] * of[other, other])

    def to_dict(self) -> dict[str, Any]:
        """Return edges and covariances by wager."""
        covariances: dict[str, dict[str, float]] = {}
        for (one, other), value in self.found.covariances.items():
            covariances.setdefault(one, {})[other] = float(value)
        edges = {wager: edge_of(edge) for wager, edge in self.found.edges.items()}
        return {"game": self.game, "decks": self.decks, "edges": edges, "covariances": covariances}


class HeldMix(Computed, frozen=True):
    """The hold of a mix of wagers after numbers of rounds."""

    game: str
    name: str
    mix: Mix
    holds: tuple[Hold, ...]

    @property
    def title(self) -> str:
        """The game and the stakes of a round."""
        return say(message("mix.hold-title", game=self.name, stakes=stakes_in_words(self.mix)))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A number of rounds, what is staked and won in them, and the chance that the house loses."""
        return (
            count_column("rounds", "par.rounds"),
            number_column("staked", "mix.staked", 2),
            number_column("mean", "mix.mean", 2),
            number_column("deviation", "odds.deviation", 2),
            number_column("low", "par.low", 2),
            number_column("high", "par.high", 2),
            number_column("loses", "mix.loses"),
            text_column("exact", "mix.counted"),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each number of rounds."""
        return [
            (
                each.rounds,
                each.staked,
                each.mean,
                each.deviation,
                each.low,
                each.high,
                each.loses,
                say(message("report.yes" if each.exact else "report.no")),
            )
            for each in self.holds
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the stakes, the gain of a round, and the hold by rounds."""
        return {
            "game": self.game,
            "stakes": {wager: float(stake) for wager, stake in self.mix.stakes.items()},
            "mean": float(self.mix.mean),
            "variance": float(self.mix.variance),
            "holds": [msgspec.to_builtins(each) for each in self.holds],
        }


class RuinedMix(Computed, frozen=True):
    """The chances of a bankroll that makes a mix of wagers again and again."""

    game: str
    name: str
    mix: Mix
    ruin: Ruin

    @property
    def title(self) -> str:
        """The game and the stakes of a round."""
        return say(message("mix.ruin-title", game=self.name, stakes=stakes_in_words(self.mix)))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """The bankroll, its goal, and how it may end."""
        return (
            count_column("rounds", "par.rounds"),
            number_column("bankroll", "mix.bankroll-name", 2),
            number_column("goal", "mix.goal", 2),
            number_column("ruined", "mix.ruined"),
            number_column("reached", "mix.reached"),
            number_column("still", "mix.still"),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """One row."""
        ruin = self.ruin
        return [(ruin.rounds, ruin.bankroll, ruin.goal, ruin.ruined, ruin.reached, ruin.still)]

    def to_dict(self) -> dict[str, Any]:
        """Return the stakes and the chances."""
        stakes = {wager: float(stake) for wager, stake in self.mix.stakes.items()}
        ruin: dict[str, Any] = msgspec.to_builtins(self.ruin)
        return {"game": self.game, "stakes": stakes, **ruin}


class ComparedEdges(Computed, frozen=True):
    """The house edges of two games beside each other: what other rules, or another reading, cost."""

    left: str
    right: str
    decks: int
    edges: dict[str, tuple[Fraction | None, Fraction | None]]

    @property
    def title(self) -> str:
        """Both games, and how many decks there are."""
        return say(message("mix.compared-title", left=self.left, right=self.right, decks=self.decks))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A wager with its edge in both games in per cent, and the difference."""
        return (
            text_column("wager", "show.wager"),
            number_column("left", "mix.left", 4),
            number_column("right", "mix.right", 4),
            number_column("change", "mix.change", 4),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each wager of either game."""
        return [
            (
                wager,
                None if left is None else float(left * 100),
                None if right is None else float(right * 100),
                None if left is None or right is None else float((right - left) * 100),
            )
            for wager, (left, right) in self.edges.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the edges by wager; nothing where a game does not have it."""
        return {
            "left": self.left,
            "right": self.right,
            "decks": self.decks,
            "wagers": {
                wager: {
                    "left": None if left is None else edge_of(left),
                    "right": None if right is None else edge_of(right),
                    "change": None if left is None or right is None else edge_of(right - left),
                }
                for wager, (left, right) in self.edges.items()
            },
        }


def stakes_in_words(mix: Mix) -> str:
    """Return the stakes of a mix: ``banker 100, tiger 10``."""
    return ", ".join(f"{wager} {float(stake):g}" for wager, stake in mix.stakes.items())
