"""Floors for the tests of the screens: the demonstration with tables that play fast, or wait for somebody."""

from pathlib import Path

from server.process import Asked
from server.served import UNLIMITED, Server

QUICK = "{ betting = 1, warning = 0, card = 0.03, between = 0.1, offer = 2 }"
CALM = "{ betting = 600, warning = 5, card = 0.2, between = 0.3, offer = 600 }"
GAMES = {
    "tiger": "mbs-tiger-v3",
    "tiger-nc": "mbs-tiger-nc-v4",
    "dragon-tiger": "mbs-dragon-tiger-nc-2023",
    "super-six": "mbs-super-six-etg-v3",
    "hoiana-tiger": "hoiana-tiger-2024/commission",
    "hoiana-tiger-nc": "hoiana-tiger-2024/non-commission",
}


def table(name: str, game: str, timers: str, more: str = "") -> str:
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


def demonstration(folder: Path, tables: str) -> Server:
    """The demonstration floor with these tables, started."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "floor.toml"
    file.write_text(f"format = 1\n{tables}", "utf-8")
    asked = Asked(
        data=str(folder / "data"),
        key=str(folder / "floor.keys"),
        floor=str(file),
        demo=True,
        guard=UNLIMITED,
    )
    return Server(asked, folder / "server.log").start()
