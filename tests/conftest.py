"""Collects the evidence that tests give for clauses, and compares it with what the package ships."""

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
from collected import Collected
from contracts.servers import PostgresServer
from default_signals import start_programs_with_default_signals
from limits import LONG_ENOUGH

from thirdcard.computing.settling import parse_cards
from thirdcard.game.events import Event
from thirdcard.game.outcome import play_out
from thirdcard.game.settlement import Settlement, settle
from thirdcard.money import parse_amount
from thirdcard.refusals import Refused
from thirdcard.rulebook.house import House
from thirdcard.rulebook.shelf import SHIPPED

# the same examples on every run: a failure is a failure for everybody
hypothesis.settings.register_profile("thirdcard", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("thirdcard")

EVIDENCE = Path(__file__).parent.parent / "src" / "thirdcard" / "rulebook" / "evidence.json"
Settle = Callable[..., Settlement]
Cited = Settlement | Refused | Event
Cite = Callable[[str, Cited], None]
MEMORY = Path("/dev/shm")
ROOM = 2 * 1024**3  # bytes


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
    parser.addoption("--evidence", choices=["ignore", "compare", "update"], default="ignore")
    parser.addoption("--update", action="store_true", help="renew generated docs instead of comparing them")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COLLECTED] = Collected()
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
    mode = session.config.getoption("--evidence")
    if mode == "ignore" or exitstatus != 0:
        return
    recorded = session.config.stash[COLLECTED].encode()
    if mode == "update":
        EVIDENCE.write_bytes(recorded)
    if mode == "compare" and EVIDENCE.read_bytes() != recorded:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        session.config.stash[DIFFERENCE] = _difference(EVIDENCE.read_bytes(), recorded)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    difference = config.stash.get(DIFFERENCE, None)
    if difference is not None:
        terminalreporter.section("the evidence differs from src/thirdcard/rulebook/evidence.json")
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


COLLECTED = pytest.StashKey[Collected]()
DIFFERENCE = pytest.StashKey[str]()


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> Collected:
    """The evidence of the test run, to which a test adds what it has seen."""
    return request.config.stash[COLLECTED]


@pytest.fixture
def cite(collected: Collected) -> Cite:
    """Adds something that the test has produced to the evidence for the clauses that it cites."""

    def add(document: str, cited: Cited) -> None:
        if isinstance(cited, Settlement):
            collected.add_settlement(document, cited)
        else:
            collected.add_result(document, cited)

    return add


@pytest.fixture
def settle_hand(cite: Cite) -> Settle:
    """Settles typed cards under a game and records what was cited."""

    def settle_typed(game: str, cards: str, house: House | None = None, **stakes: str) -> Settlement:
        rulebook = SHIPPED.rulebook(game)
        house = house or SHIPPED.house(rulebook.document.house)
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
