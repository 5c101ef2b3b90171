"""Short stories for tests of the engine: lines of a round file, and what became of them."""

import datetime
from typing import Any, TypeVar

from thirdcard.game import commands as cmd
from thirdcard.game.decide import decide
from thirdcard.game.state import Table
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.shelf import SHIPPED

N4, T3, S6, HO = "mbs-tiger-nc-v4", "mbs-tiger-v3", "mbs-super-six-etg-v3", "hoiana-tiger-2024/commission"
ASSISTANT_DIRECTOR = "Assistant Director of Gaming Operations"
NOW = datetime.datetime(2025, 6, 2, 22, tzinfo=datetime.UTC)
E = TypeVar("E")


def told(game: str, text: str, book: Rulebook | None = None) -> Played:
    """Play a story: lines of the head, then lines of what is done."""
    book = book or SHIPPED.rulebook(game)
    lines = [line.strip() for line in text.strip().splitlines()]
    file = parse("\n".join([f"game {game}", *lines]))
    return play(file, book, SHIPPED.house(book.document.house))


def happened(story: Played, kind: type[E]) -> list[E]:
    """Return the events of one kind."""
    return [event for event in story.events if isinstance(event, kind)]


def reasons(story: Played) -> list[Refusal]:
    """Return why lines were refused."""
    return [refused.reason for refused in story.refusals]


def asked(
    game: str, table: Table | None, body: cmd.Body, actor: str = "Dealer", second: str | None = None
) -> Any:
    """Return what follows from one command: events, or the refusal."""
    book = SHIPPED.rulebook(game)
    envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="c", authoriser=second)
    return decide(book, SHIPPED.house(book.document.house), table, cmd.Command(body, envelope))


def refused(
    game: str, table: Table, body: cmd.Body, actor: str = "Dealer", second: str | None = None
) -> Refused:
    """Return why a command is refused."""
    result = asked(game, table, body, actor, second)
    assert isinstance(result, Refused)
    return result
