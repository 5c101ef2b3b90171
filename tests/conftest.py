"""Records which clauses the tests really see cited, and compares them with what the package ships."""

import asyncio
import inspect
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import hypothesis
import msgspec
import pytest
from contracts.servers import PostgresServer
from default_signals import start_programs_with_default_signals
from limits import LONG_ENOUGH

from thirdcard.game.events import Event, RoundSettled
from thirdcard.game.outcome import play_out
from thirdcard.game.settlement import Settlement, settle
from thirdcard.money import parse_amount
from thirdcard.refusals import Refused
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import find_rulebook, shelf_house
from thirdcard.settle import parse_cards

# the same examples on every run: a failure is a failure for everybody
hypothesis.settings.register_profile("thirdcard", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("thirdcard")

CITED = Path(__file__).parent.parent / "src" / "thirdcard" / "rulebook" / "cited.json"
Settle = Callable[..., Settlement]
Cited = Settlement | Refused | Event
Cite = Callable[[str, Cited], None]
MEMORY = Path("/dev/shm")
ROOM = 2 * 1024**3  # bytes
MOST_TESTS = 6  # so many tests are named for a clause; more would say no more


class Recorder:
    """The clauses of each document that tests have seen cited, with the tests."""

    def __init__(self) -> None:
        self.seen: dict[str, dict[str, set[str]]] = {}

    def record(self, document: str, cited: Cited, test: str) -> None:
        """Note every clause of a settlement, an event or a refusal that a test produced."""
        clauses = clauses_of(cited) if isinstance(cited, Settlement) else set(cited.clauses)
        if isinstance(cited, RoundSettled):
            clauses |= {clause for wager in cited.wagers for clause in wager.clauses}
        for clause in clauses:
            self.seen.setdefault(document, {}).setdefault(clause, set()).add(test)

    def encode(self) -> bytes:
        """The record as the package ships it: sorted, one clause a line."""
        tidy = {
            document: {clause: sorted(tests)[:MOST_TESTS] for clause, tests in sorted(clauses.items())}
            for document, clauses in sorted(self.seen.items())
        }
        return msgspec.json.format(msgspec.json.encode(tidy), indent=1) + b"\n"


def clauses_of(settlement: Settlement) -> set[str]:
    """Every clause that a settlement cites: of its wagers and of the steps to its outcome."""
    cited = {clause for wager in settlement.wagers for clause in wager.clauses}
    return cited | {clause for moment in settlement.outcome.moments for clause in moment.clauses}


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs in an event loop of its own, for at most some minutes."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), timeout=LONG_ENOUGH))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a sweep without the tracing of coverage, which would take most of the time."""
    if item.get_closest_marker("sweep") is None:
        return (yield)
    tracing = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracing)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--citations", choices=["ignore", "compare", "update"], default="ignore")
    parser.addoption("--update", action="store_true", help="renew generated docs instead of comparing them")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[RECORDER] = Recorder()
    start_programs_with_default_signals()
    _keep_temporary_files_in_memory()


def _keep_temporary_files_in_memory() -> None:
    """Have journals and databases in memory, where a sync costs nothing, if there is room.

    No test pulls the real plug: tests/crash has a disk of its own that forgets what was not synced.
    """
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    mode = session.config.getoption("--citations")
    recorded = session.config.stash[RECORDER].encode()
    if mode == "update" and exitstatus == 0:
        CITED.write_bytes(recorded)
    if mode == "compare" and exitstatus == 0 and CITED.read_bytes() != recorded:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        session.config.stash[DIFFERENCE] = _difference(CITED.read_bytes(), recorded)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    difference = config.stash.get(DIFFERENCE, None)
    if difference is not None:
        terminalreporter.section("citations differ from src/thirdcard/rulebook/cited.json")
        terminalreporter.write_line(difference)
        terminalreporter.write_line("If the change is meant, run scripts/test --update and commit the file.")


def _difference(shipped: bytes, recorded: bytes) -> str:
    lines: list[str] = []
    before, after = (
        msgspec.json.decode(each, type=dict[str, dict[str, list[str]]]) for each in (shipped, recorded)
    )
    for document in sorted(before.keys() | after.keys()):
        ours, theirs = before.get(document, {}), after.get(document, {})
        lines += [
            f"{document} {clause}: shipped {ours.get(clause)}, seen {theirs.get(clause)}"
            for clause in sorted(ours.keys() | theirs.keys())
            if ours.get(clause) != theirs.get(clause)
        ]
    return "\n".join(lines[:40])


RECORDER = pytest.StashKey[Recorder]()
DIFFERENCE = pytest.StashKey[str]()


@pytest.fixture
def cite(request: pytest.FixtureRequest) -> Cite:
    """Records the citations of something that the test has produced."""
    recorder = request.config.stash[RECORDER]
    name, _, parameter = request.node.nodeid.partition("[")
    test = f"tests/rounds/{parameter[:-1]}" if parameter.endswith(".round]") else name
    return lambda document, cited: recorder.record(document, cited, test)


@pytest.fixture
def settle_hand(cite: Cite) -> Settle:
    """Settles typed cards under a game and records what was cited."""

    def settle_typed(game: str, cards: str, house: House | None = None, **stakes: str) -> Settlement:
        rulebook = find_rulebook(game)
        assert isinstance(rulebook, Rulebook)
        house = house or shelf_house(rulebook.document.house)
        outcome = play_out(rulebook, parse_cards(cards), rulebook.pair_rule(house))
        assert not isinstance(outcome, Refused), outcome
        wagers = {
            name.replace("_", "-"): parse_amount(stake, house.currency) for name, stake in stakes.items()
        }
        settlement = settle(
            rulebook, house, outcome, tuple((name, stake or 0) for name, stake in wagers.items())
        )
        assert isinstance(settlement, Settlement), settlement
        cite(rulebook.document.id, settlement)
        return settlement

    return settle_typed


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A real PostgreSQL, started once; where it cannot be started, tests fail."""
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """An empty database, and its owner."""
    url = postgres_server.fresh_database()
    yield url
    postgres_server.give_back(url)
