"""Rounds written down as plain text, played by one game."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from thirdcard.computing.bad_input import BadInput
from thirdcard.computing.results import Computed, amount_column, count_column, text_column
from thirdcard.dossier.sheets import Cell, SheetColumn
from thirdcard.messages import message, say
from thirdcard.money import format_amount
from thirdcard.roundfile.games import GAME_KEY, texts_by_game
from thirdcard.roundfile.parse import OF_A_PATRON, RoundRules, parse
from thirdcard.roundfile.play import Played, play
from thirdcard.roundfile.totals import Totals, file_totals, totals_by_round
from thirdcard.roundfile.values import BadLine
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import Shelf


class PlayedRounds(Computed, frozen=True):
    """Rounds as they were played: every line with what came of it, what differs, and what patrons won."""

    game: str
    house: House
    played: Played

    @property
    def told(self) -> tuple[str, ...]:
        """The lines that came, with their clauses."""
        return tuple(line for act in self.played.acts for line in act.came)

    @property
    def differences(self) -> tuple[str, ...]:
        """The sentences about what did not come as it is written, failed checks among them."""
        return self.played.differences

    @property
    def refusals(self) -> tuple[str, ...]:
        """The reasons of lines that were refused."""
        return tuple(refused.reason.value for refused in self.played.refusals)

    @property
    def title(self) -> str:
        """The game with the number of its rounds."""
        return f"{self.game}: {say(message('simulate.rounds'))} {self.played.table.rounds}"

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """A round, a patron, and the totals of both."""
        return _columns()

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each patron in each round."""
        return [
            (each["round"], patron, *(Decimal(of[column.name]) for column in self.columns[2:]))
            for each in totals(self.played, self.house)["rounds"]
            for patron, of in each["patrons"].items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the lines that came, what differs, and the totals of everybody in decimal texts."""
        return {
            "game": self.game,
            "told": list(self.told),
            "differences": list(self.differences),
            "refusals": list(self.refusals),
            **totals(self.played, self.house),
        }


class PlayedFiles(Computed, frozen=True):
    """Round files as they were played, each under the name of its file."""

    files: tuple[tuple[str, PlayedRounds], ...]

    @property
    def title(self) -> str:
        """The heading of the totals."""
        return say(message("computing.of-files"))

    @property
    def columns(self) -> tuple[SheetColumn, ...]:
        """The file and the game before the totals of a round."""
        return (text_column("file", "computing.file"), text_column("game", "computing.game"), *_columns())

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """A row for each patron in each round of each file."""
        return [(file, played.game, *row) for file, played in self.files for row in played.rows]

    def to_dict(self) -> dict[str, Any]:
        """Return what was played, file by file."""
        return {"files": [{"file": file, **played.to_dict()} for file, played in self.files]}


def _columns() -> tuple[SheetColumn, ...]:
    return (
        count_column("round", "computing.round"),
        text_column("patron", "computing.patron"),
        amount_column("won", "computing.won"),
        amount_column("taken", "computing.taken"),
        amount_column("back", "computing.back"),
        amount_column("claim", "computing.claim"),
        amount_column("credits", "computing.credits"),
        amount_column("net", "settle.net"),
    )


def play_text(text: str, rulebook: Rulebook, house: House, shelf: Shelf) -> PlayedRounds:
    """Play rounds as they are written in round files; without a line that names the game, that is line 1."""
    named = any(line.split(" ", 1)[0] == GAME_KEY for line in text.splitlines())
    try:
        own = texts_by_game(text, shelf) if named else {rulebook.id: f"{GAME_KEY} {rulebook.id}\n{text}"}
        if rulebook.id not in own:
            told = {"game": rulebook.id, "named": ", ".join(own)}
            raise BadInput(say(message("computing.other-game", **told)))
        file = parse(own[rulebook.id], RoundRules(shelf, house))
        return PlayedRounds(rulebook.id, house, play(file, rulebook, house))
    except BadLine as error:
        raise BadInput(str(error)) from error


def totals(played: Played, house: House) -> dict[str, Any]:
    """Return the totals of all rounds and of each in decimal texts."""
    rounds = totals_by_round(played.events)
    return {
        **_in_words(file_totals(played.events, played.table), house),
        "rounds": [{"round": each.round, **_in_words(each, house)} for each in rounds],
    }


def _in_words(of: Totals, house: House) -> dict[str, Any]:
    patrons = {
        patron: {name: format_amount(getattr(each, name), house.currency) for name in OF_A_PATRON}
        for patron, each in of.patrons.items()
    }
    return {"patrons": patrons, "house": {"net": format_amount(of.house, house.currency)}}
