"""A floor that is in no document: a house in yen with posts of its own, two shipped games and two of its own.

It is served by the sources with a clock that the test moves, or by a program, where time goes by.
"""

import contextlib
import datetime
import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock
from zoneinfo import ZoneInfo

from limits import LONG_ENOUGH
from server.process import Asked
from server.served import UNLIMITED, Server

from thirdcard import cli
from thirdcard.access.credentials import STEP, code_at

EXAMPLES = Path(__file__).parents[2] / "examples" / "shelf" / "rulebooks"
HOUSE = Path(__file__).with_name("own_house.toml")
ZONES = ("Asia/Tokyo", "Asia/Dubai", "America/New_York")
PASSWORD = "marble-otter-canyon-violin-47"
PEOPLE = {
    "Dan": "dealer",
    "Dora": "dealer",
    "Bo": "box-host",
    "Max": "pit-manager",
    "Hal": "hall-captain",
    "Hana": "hall-captain",
    "Gil": "gaming-shift-manager",
    "Mara": "harbour-master",
    "Tom": "attendant",
    "Una": "auditor",
}
TABLES = """\
[[table]]
name = "Tiger 1"
game = "mbs-tiger-v3"
house = "jade-harbour"
pit = "Harbour"
automatic = ["expose"]

[[table]]
name = "Jade 1"
game = "jade-bonus"
pit = "Harbour"
automatic = ["expose"]

[[table]]
name = "EZ 1"
game = "harbour-ez"
pit = "Harbour"
automatic = ["expose"]

[[table]]
name = "Six 1"
game = "mbs-super-six-etg-v3"
house = "jade-harbour"
pit = "Machines"
virtual_shoe = true
automatic_dealer = true
timers = { betting = 15, warning = 5, card = 0, between = 0 }
"""


def shelf_of(folder: Path) -> Path:
    """Lay a shelf down: two rulebooks after examples that ship, under names and with posts of the house."""
    for name in ("houses", "rulebooks"):
        (folder / name).mkdir(parents=True)
    (folder / "houses" / "jade-harbour.toml").write_text(HOUSE.read_text("utf-8"), "utf-8")
    for source, name in (("dragon-bonus", "jade-bonus"), ("ez-baccarat", "harbour-ez")):
        text = (EXAMPLES / f"{source}.toml").read_text("utf-8")
        for key in ("id", "game"):
            text = text.replace(f'{key} = "{source}"\n', f'{key} = "{name}"\n', 1)
        text = text.replace('house = "marina-bay-sands"', 'house = "jade-harbour"', 1)
        # what the text does not cover is decided by a post that no shipped document knows
        text = text.replace('posts = ["dealer", "pit-supervisor", ', 'posts = ["dealer", "box-host", ', 1)
        text = text.replace('"gaming-shift-manager"]', '"gaming-shift-manager", "harbour-master"]', 1)
        text = text.replace('{ post = "pit-manager", or_above', '{ post = "harbour-master", or_above', 1)
        (folder / "rulebooks" / f"{name}.toml").write_text(text, "utf-8")
    return folder


class OwnFloor:
    """The floor, its people, and the program that serves it; without one it is served by the sources."""

    def __init__(self, folder: Path, program: str | None = None) -> None:
        self.folder = folder
        self.program = program
        self.server: Server | None = None
        self.address = ""
        self._process: subprocess.Popen[str] | None = None
        self._secrets: dict[str, str] = {}
        self._steps: dict[str, int] = {}
        shelf_of(folder / "shelf")
        self.zone = self.date = ""
        self.change = datetime.datetime.now(datetime.UTC)

    def _write_floor_file(self) -> None:
        """Write the floor file: the second shift begins soon, the first one began an hour ago."""
        now = datetime.datetime.now(datetime.UTC)
        self.zone = next(each for each in ZONES if 2 <= now.astimezone(ZoneInfo(each)).hour < 22)
        begins = now - datetime.timedelta(hours=1)
        self.change = _next_minute(now, 5 if self.program else 60)
        self.date = begins.astimezone(ZoneInfo(self.zone)).date().isoformat()
        shifts = [f"{each.astimezone(ZoneInfo(self.zone)):%H:%M}" for each in (begins, self.change)]
        day = f'[day]\nzone = "{self.zone}"\nshifts = {shifts}\n'.replace("'", '"')
        (self.folder / "floor.toml").write_text(f'format = 1\nshelf = "shelf"\n{day}\n{TABLES}', "utf-8")

    # the command line

    @property
    def surroundings(self) -> dict[str, str]:
        """The variables that docs/operating.md names, and nothing of a compiler or node on the path."""
        place = {
            "DATA": "data",
            "KEYS": "keys/floor.keys",
            "MARKS": "marks",
            "ARCHIVE": "archive",
            "SHELF": "shelf",
        }
        path = {"PATH": str(Path(self.program).parent)} if self.program else {}
        return path | {f"THIRDCARD_{name}": str(self.folder / where) for name, where in place.items()}

    def run(self, *words: str, typed: str = "") -> str:
        """Run a command; what it prints."""
        if self.program is not None:
            done = subprocess.run(
                [self.program, *words],
                cwd=self.folder,
                env=self.surroundings,
                input=typed,
                capture_output=True,
                text=True,
                check=False,
                timeout=LONG_ENOUGH * 5,
            )
            assert done.returncode == 0, (words, done.stdout, done.stderr)
            return done.stdout
        with ThreadPoolExecutor(1) as other:  # the browser keeps the loop of this thread running
            return other.submit(self._run_here, words, typed).result()

    def _run_here(self, words: tuple[str, ...], typed: str) -> str:
        printed = io.StringIO()
        with (
            mock.patch.dict(os.environ, self.surroundings),
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(printed),
            mock.patch.object(sys, "stdin", io.StringIO(typed)),
        ):
            assert cli.run(list(words)) == 0, (words, printed.getvalue())
        return printed.getvalue()

    # serving

    def prepare(self) -> None:
        """Add the people, and look whether the floor can be opened."""
        for name, post in PEOPLE.items():
            told = self.run("people", "add", name, "--post", post, "--password-stdin", typed=f"{PASSWORD}\n")
            secret = re.search(r"secret=([A-Z2-7]+)", told)
            if secret:
                self._secrets[name] = secret[1]
        self._write_floor_file()
        looked = self.run("doctor", "--floor", "floor.toml", "--listen", "127.0.0.1:0")
        assert "4 tables in floor.toml" in looked

    def serve(self) -> None:
        """Serve until it is stopped."""
        if self.program is None:
            asked = Asked(
                data=str(self.folder / "data"),
                key=str(self.folder / "keys" / "floor.keys"),
                floor=str(self.folder / "floor.toml"),
                guard=UNLIMITED,
                flow=0.0,
            )
            self.server = Server(asked, self.folder / "server.log")
            with mock.patch.dict(os.environ, self.surroundings):
                self.address = self.server.start().address
            return
        words = ["serve", "--floor", "floor.toml", "--listen", "127.0.0.1:0"]
        with (self.folder / "server.log").open("a") as log:
            self._process = subprocess.Popen(
                [self.program, *words],
                cwd=self.folder,
                env=self.surroundings,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], LONG_ENOUGH)
        line = self._process.stdout.readline() if ready else ""
        found = re.search(r"http://\S+", line)
        assert found is not None, (line, (self.folder / "server.log").read_text("utf-8"))
        self.address = found[0]

    def stop(self) -> None:
        """Ask the server to end, and wait until it has."""
        if self.server is not None and self.server.process is not None:
            assert self.server.stop() == 0
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            assert self._process.wait(LONG_ENOUGH) == 0
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def kill(self) -> None:
        """End whatever still runs."""
        if self.server is not None:
            self.server.kill()
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    # time

    @property
    def now(self) -> float:
        """Seconds since 1970 on the clock of the server."""
        return self.server.clock.wall if self.server else time.time()

    def passes(self, seconds: float) -> None:
        """Let time go by: at once where the clock is moved."""
        if self.server is not None:
            self.server.move(seconds)
        else:
            time.sleep(seconds)  # a program goes by the clock of the machine

    def changes_shift(self) -> None:
        """Wait until the second shift has begun."""
        self.passes(max(self.change.timestamp() + 1 - self.now, 0))

    def code(self, name: str) -> str:
        """A code of somebody's second factor that was not used yet; nothing for one who has none."""
        secret = self._secrets.get(name)
        if secret is None:
            return ""
        if int(self.now) // STEP <= self._steps.get(name, 0):
            self.passes(STEP - self.now % STEP + 0.1)
        self._steps[name] = int(self.now) // STEP
        return code_at(secret, self._steps[name])


def _next_minute(now: datetime.datetime, minutes: int) -> datetime.datetime:
    """A whole minute, so many minutes later at least."""
    return now.replace(second=0, microsecond=0) + datetime.timedelta(minutes=minutes + 1)
