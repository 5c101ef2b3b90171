"""Floors for the tests of the screens: the demonstration with tables whose time a test moves.

A table that deals itself does so at once when betting ends, and betting ends when a test moves the clock of
its server, or when a dealer closes it.
"""

import json
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from limits import LONG_ENOUGH
from server.process import Asked
from server.served import UNLIMITED, Server

# betting waits for a dealer, and everything else comes at once
WAITING = "{ betting = 600, warning = 5, card = 0, between = 0, offer = 600 }"
# the same, but each card comes when the clock is moved by so many seconds
CARD = 3
ONE_BY_ONE = f"{{ betting = 600, warning = 5, card = {CARD}, between = 0, offer = 600 }}"
# the same, but the last round lies there for so many seconds
PAUSE = 10
WITH_PAUSES = f"{{ betting = 600, warning = 5, card = 0, between = {PAUSE}, offer = 600 }}"
# a round is played whenever the clock is moved by so many seconds
ROUND = 60
BY_ITSELF = f"{{ betting = {ROUND}, warning = 0, card = 0, between = 0, offer = 600 }}"
GAMES = {
    "tiger": "mbs-tiger-v3",
    "tiger-nc": "mbs-tiger-nc-v4",
    "dragon-tiger": "mbs-dragon-tiger-nc-2023",
    "super-six": "mbs-super-six-etg-v3",
    "hoiana-tiger": "hoiana-tiger-2024/commission",
    "hoiana-tiger-nc": "hoiana-tiger-2024/non-commission",
}


def table(name: str, game: str, timers: str = WAITING, more: str = "") -> str:
    """A training table that deals by itself from a virtual shoe, as a floor file has it."""
    return f"""
[[table]]
name = "{name}"
game = "{game}"
training = true
terminal = true
virtual_shoe = true
automatic_dealer = true
timers = {timers}
{more}
"""


def demonstration(folder: Path, tables: str, *, flow: float = 0.0, packs: Path | None = None) -> Server:
    """Start the demonstration floor with these tables; its time stands still unless it is told to flow."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "floor.toml"
    file.write_text(f"format = 1\n{tables}", "utf-8")
    asked = Asked(
        data=str(folder / "data"),
        key=str(folder / "floor.keys"),
        floor=str(file),
        demo=True,
        guard=UNLIMITED,
        flow=flow,
        packs=str(packs) if packs else None,
    )
    server = Server(asked, folder / "server.log").start()
    if not flow:
        _let_tables_open(server, tables.count("automatic_dealer = true"))
    return server


def one_by_one(server: Server, there: Callable[[], bool]) -> Callable[[], bool]:
    """Say whether something is so, and move the clock by a card as long as it is not."""

    def reached() -> bool:
        if there():
            return True
        server.move(CARD)
        return False

    return reached


def _let_tables_open(server: Server, number: int) -> None:
    """Move the clock until so many tables have opened themselves."""
    lobby = urllib.request.Request(f"{server.address}api/v1/tables", headers={"x-thirdcard": "any"})
    limit = time.monotonic() + LONG_ENOUGH
    while True:
        with urllib.request.urlopen(lobby) as answer:
            states = [each["state"] for each in json.load(answer)["tables"]]
        if states.count("between-rounds") >= number:
            return
        assert time.monotonic() < limit, states
        server.move(CARD)
