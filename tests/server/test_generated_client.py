"""A client that a common generator makes from the description plays a round."""

import asyncio
import importlib
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from limits import LONG_ENOUGH
from server.served import Served, open_for_many, timers

from thirdcard.server.routes import ROUTES

GENERATOR = str(Path(sys.executable).with_name("openapi-python-client"))
PACKAGE = "generated_thirdcard"
# files of other kinds are content for this generator, and nobody need tidy what nobody reads
SETTINGS = "post_hooks: []\ncontent_type_overrides:\n  application/zip: application/octet-stream\n"
SIX = "Six"
TABLES = f"""
[[table]]
name = "{SIX}"
game = "mbs-super-six-etg-v3"
training = true
virtual_shoe = true
automatic_dealer = true
{timers(betting=600)}
"""
STAKE, BOUGHT = 10_000, 100_000
PAYS = {
    "player": 2 * STAKE,
    "tie": STAKE,
    "banker": 0,
}  # back of a Player wager, by the winner: 1 to 1, and a push


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with open_for_many(tmp_path_factory.mktemp("generated"), TABLES) as served:
        yield served


@pytest.fixture(scope="module")
def generated(floor: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the package that was generated from what a real server says of itself."""
    folder = tmp_path_factory.mktemp("client")
    with urllib.request.urlopen(f"{floor.addresses[0]}api/v1/openapi.json") as answer:
        (folder / "openapi.json").write_bytes(answer.read())
    (folder / "settings.yaml").write_text(SETTINGS, "utf-8")
    files = ["--path", "openapi.json", "--config", "settings.yaml", "--output-path", PACKAGE]
    done = subprocess.run(
        [GENERATOR, "generate", *files, "--meta", "none", "--fail-on-warning"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_ENOUGH,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield folder / PACKAGE
    sys.path.remove(str(folder))
    for name in [each for each in sys.modules if each.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def test_every_operation_is_generated(generated: Path) -> None:
    made = {path.stem.rstrip("_") for path in generated.glob("api/*/*.py") if path.stem != "__init__"}
    assert made == {route.described.endpoint.replace("-", "_") for route in ROUTES}


class Caller:
    """A caller by the generated functions, who keeps the cookie that signing in sets."""

    commands = 0

    def __init__(self, client: Any) -> None:
        self.client = client

    def call(self, group: str, operation: str, *args: Any, **values: Any) -> Any:
        """The parsed answer of an operation, which is no refusal."""
        function = module(f"api.{group}.{operation}").sync_detailed
        answer = function(*args, client=self.client, **values)
        assert answer.status_code < 400, answer.content
        return answer.parsed

    def send(self, operation: str, form: str, command: Any, *args: str, **more: Any) -> Any:
        """The answer to a command; its id is its number."""
        models = module("models")
        Caller.commands += 1
        body = getattr(models, form)(command_id=f"command-{Caller.commands}", command=command, **more)
        return self.call(*operation.split("."), *args, body=body)

    def at_table(self, command: str, **fields: Any) -> Any:
        """The answer to a command to the table."""
        made = getattr(module("models"), command)(**fields)
        return self.send("tables.table_commands", "TableCommandForm", made, SIX)

    def at_floor(self, command: str, **fields: Any) -> Any:
        """The answer to a command to the floor."""
        made = getattr(module("models"), command)(**fields)
        return self.send("floor.floor_commands", "FloorCommandForm", made)


def module(name: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.{name}")


def credentials(served: Served, name: str) -> Any:
    shown = asyncio.run(served.shown(name))
    return module("models").Credentials(name=shown.name, password=shown.password, code=shown.code)


def test_a_generated_client_plays_a_round(floor: Served, generated: Path) -> None:
    client, address = module("client").Client, floor.addresses[0].rstrip("/")
    with client(base_url=address) as of_manager, client(base_url=address) as of_terminal:
        manager, terminal = Caller(of_manager), Caller(of_terminal)
        enrol_terminal(floor, manager, terminal)
        play_round(terminal)


def enrol_terminal(floor: Served, manager: Caller, terminal: Caller) -> None:
    """Sign in, have the terminal enrolled by two people, claim it by its code, enable it, and sign out."""
    models = module("models")
    form = models.SignInForm(credentials=credentials(floor, "Max"))
    assert manager.call("sign_in", "sign_in", body=form).posts == ["pit-manager"]
    form = models.EnrolForm(terminal="G1", table=SIX, authoriser=credentials(floor, "Gil"))
    enrolled = manager.call("terminals", "enrol_terminal", body=form)
    me = terminal.call("terminals", "claim_terminal", body=models.ClaimForm(code=enrolled.code))
    assert (me.kind.value, me.name, me.table) == ("terminal", "G1", SIX)
    manager.at_floor("EnableTerminal", terminal="G1")
    manager.call("sign_out", "sign_out")


def play_round(terminal: Caller) -> None:
    """Sit down, buy credits, place a wager, have the cards dealt, and be paid what the cards say."""
    terminal.at_floor("OpenPatronSession", terminal="G1", patron="Ann")
    terminal.at_table("ComeToTable", patron="Ann")
    terminal.at_table("BuyCredits", terminal="Ann", amount=BOUGHT)
    view = until(terminal, lambda view: view.phase.phase.value == "betting")
    assert "player" in [wager.id for wager in view.setup.wagers]
    placed = terminal.at_table("PlaceWager", patron="Ann", wager="player", amount=STAKE)
    assert placed.receipt.kind == "place-wager"
    terminal.at_table("DealNow", patron="Ann")
    view = until(terminal, lambda view: view.own.last is not None and not view.own.wagers)

    (told,) = terminal.call("tables", "history", SIX).rounds
    assert len(told.cards) in (4, 5, 6)
    assert view.own.credits_ == BOUGHT - STAKE + PAYS[told.facts.winner.value]
    receipt = terminal.call("receipts", "receipts", placed.command_id)
    assert receipt.digest == placed.receipt.digest


def until(caller: Caller, holds: Any) -> Any:
    """The view of the table once something holds of it."""
    ends = time.monotonic() + LONG_ENOUGH
    while not holds(view := caller.call("tables", "table", SIX).view):
        assert time.monotonic() < ends
    return view
