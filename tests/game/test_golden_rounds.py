"""Every round file plays as written, balances, and can be replayed."""

from pathlib import Path

import msgspec
import pytest
from collected import Collected
from golden import FOLDER, NAMES, golden
from grounds import is_founded

from thirdcard.folds.ledger import HOUSE, balances, entries
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all, begin
from thirdcard.roundfile.games import line_together, texts_by_game
from thirdcard.roundfile.parse import is_expected
from thirdcard.roundfile.play import Played
from thirdcard.rulebook.shelf import DOCUMENTS, SHIPPED

# folders whose files have titles without a clause
WITH_TITLES = ("examined/", "manners/", "several/")


@pytest.mark.parametrize("name", NAMES)
def test_a_round_file_plays_as_written(name: str, collected: Collected) -> None:
    told = golden(name)
    document, result = told.rulebook.document, told.played
    assert result.differences == ()
    assert "\n".join((*result.lines, "")) == told.text
    assert balances(result.events)[HOUSE] == -sum(each.net for each in result.patrons.values())
    for event in result.events:
        assert sum(amount for _, amount in entries(event)) == 0
        assert is_founded(event, document, told.house), event
    for refused in result.refusals:
        assert all(clause in document.clauses for clause in refused.clauses)
    collected.add_round(told)
    assert sum(balances(result.events).values()) == 0


def test_clauses_of_several_games_are_listed_as_an_update_writes_them() -> None:
    for path in FOLDER.rglob("*.round"):
        text = path.read_text("utf-8")
        texts = texts_by_game(text)
        for number, line in enumerate(text.splitlines()):
            if is_expected(line):
                own = {game: each.split("\n")[number] for game, each in texts.items()}
                assert line_together(own) == line, f"{path}, line {number + 1}"


@pytest.mark.parametrize("name", NAMES[::7])
def test_the_same_events_give_the_same_table(name: str) -> None:
    result = golden(name).played
    first, *rest = result.events
    assert isinstance(first, ev.TableSetUp)
    assert apply_all(begin(first), rest) == result.table
    written = msgspec.json.encode(result.events)
    read = msgspec.json.decode(written, type=tuple[ev.Event, ...])
    assert read == result.events


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(WITH_TITLES)])
def test_a_round_file_is_named_after_a_clause_that_it_cites_or_was_referred(name: str) -> None:
    result = golden(name).played
    clause = Path(name).name.split("-")[0]
    cited = cited_in(result)
    referred = clause == "referred" and any(isinstance(event, ev.RulingMade) for event in result.events)
    assert referred or any(each == clause or each.startswith(f"{clause}.") for each in cited)


def cited_in(result: Played) -> set[str]:
    """Every clause that a round cites in its events, its settled wagers and its refusals."""
    cited: set[str] = {each for event in result.events for each in event.clauses}
    cited |= {each for refused in result.refusals for each in refused.clauses}
    for event in result.events:
        if isinstance(event, ev.RoundSettled):
            cited |= {each for wager in event.wagers for each in wager.clauses}
    return cited


PLAYS = {"dealing", "wager", "limit", "settlement", "third-card", "irregularity", "authority"}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_clause_that_plays_is_cited_in_some_round(document: str) -> None:
    rounds = [golden(name) for name in NAMES]
    cited = {
        each for told in rounds if told.rulebook.document.id == document for each in cited_in(told.played)
    }
    missing = [
        clause
        for clause, line in SHIPPED.document(document).clauses.items()
        if line.kind in PLAYS and not line.shown and not line.not_modelled and clause not in cited
    ]
    assert missing == []
