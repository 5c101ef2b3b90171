"""The end of docs/writing-a-rulebook.md over the network: a game and a house of one's own."""

import asyncio
import itertools
import re
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from docs.pages import Command, all_blocks, start
from docs.test_writing_a_rulebook import PAGE, STATES, lay_down
from limits import LONG_ENOUGH

from thirdcard.client.calls import Client

pytestmark = pytest.mark.timed
PROGRAM = str(Path(sys.executable).with_name("thirdcard"))
[PLAYED] = [block.text.splitlines() for block in all_blocks(PAGE) if block.note.startswith("play ")]
SERVE, BOT, VERIFY = PLAYED
GAME = "ez-baccarat"


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, str]]:
    """Serve as the page says, at a free port, until the end; the address, and what is printed."""
    arguments = [*shlex.split(SERVE)[1:], "--listen", "127.0.0.1:0"]
    with (folder / "serve.log").open("w") as log:
        process = subprocess.Popen(
            [PROGRAM, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=log, text=True
        )
    assert process.stdout is not None
    try:
        ready, _, _ = select.select([process.stdout], [], [], LONG_ENOUGH)
        told = "".join(
            itertools.takewhile(lambda line: "Ctrl-C" not in line, process.stdout if ready else ())
        )
        found = re.search(r"http://\S+", told)
        assert found is not None, (folder / "serve.log").read_text("utf-8")
        yield found[0], told
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONG_ENOUGH) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


async def asked(address: str, told: str, path: str) -> dict[str, Any]:
    """Ask the server for something as the Pit Manager of the demonstration."""
    signed = re.search(r"pit-manager +│ (.+?) +│ (\d{6})", told)
    assert signed is not None, told
    async with Client(address) as client:
        await client.sign_in("pit-manager", signed[1], signed[2])
        answer = httpx.get(f"{address}api/v1/{path}", headers=client.headers)
    found: dict[str, Any] = answer.json()
    return found


def done(line: str, folder: Path) -> str:
    """Carry out a line of the page as a program; what it prints."""
    answer = start(Command(0, line, "", 0), folder)
    assert answer.status == 0, answer.output
    return answer.output


async def test_a_game_and_a_house_of_ones_own_are_served_and_proven(tmp_path: Path) -> None:
    lay_down(STATES[-1].files, tmp_path)
    with served(tmp_path) as (address, told):
        assert "casino-director" in told
        odds = await asked(address, told, f"odds?game={GAME}")
        assert round(odds["wagers"]["dragon-7"]["edge_percent"], 4) == 7.6113
        play = f"{BOT} --url {address}"
        assert "Bot played 1 rounds at EZ 1" in await asyncio.to_thread(done, play, tmp_path)
        (table,) = httpx.get(f"{address}api/v1/tables").json()["tables"]
        assert (table["game"], table["currency"]["code"]) == (GAME, "EUR")
    for file in (tmp_path / "shelf").rglob("*.toml"):
        file.unlink()  # the proof never looks at the shelf
    assert "The journal is whole" in done(VERIFY, tmp_path)
