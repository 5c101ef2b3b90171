"""Rulebooks as they were checked: what is wrong with them, and their exact house edges."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from thirdcard.computing.results import Computed, count_column, number_column, text_column
from thirdcard.dossier.sheets import Cell, SheetColumn
from thirdcard.messages import message, say


class GameEdges(Struct, frozen=True):
    """The edges of one game in per cent, by wager and number of decks."""

    game: str
    edges: dict[str, dict[int, float]]


class Checked(Struct, frozen=True):
    """The result of checking one file; a file that cannot be read has no id."""

    file: str | None
    id: str | None
    games: tuple[GameEdges, ...]
    problems: tuple[str, ...]


class CheckedRulebooks(Computed, frozen=True):
    """Rulebooks as they were checked, file by file."""

    files: tuple[Checked, ...]

    @property
    def title(self) -> str:
        """The heading of the edges."""
        return say(message("computing.of-rulebooks"))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """The file, the game and the wager before the edge with so many decks."""
        return (
            text_column("file", "computing.file"),
            text_column("game", "computing.game"),
            text_column("wager", "settle.wager"),
            count_column("decks", "computing.decks"),
            number_column("edge_percent", "computing.edge-percent", 4),
        )

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each number of decks of each wager."""
        return [
            (checked.file, game.game, wager, decks, edge)
            for checked in self.files
            for game in checked.games
            for wager, by_decks in game.edges.items()
            for decks, edge in by_decks.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the files in order."""
        return {"files": msgspec.to_builtins(self.files, str_keys=True)}

    def to_json(self) -> str:
        """Return JSON, a list of the files."""
        return msgspec.json.encode(self.files).decode()
