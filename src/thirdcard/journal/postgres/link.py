"""The way to a PostgreSQL server: how connections are made, and what their errors mean."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

from thirdcard.journal.store import StoreFailed, StoreUnusable

try:
    import asyncpg  # type: ignore[import-untyped]
except ModuleNotFoundError as error:
    raise StoreUnusable(
        "a journal in PostgreSQL needs asyncpg, which is missing; run: pip install 'thirdcard[postgres]'"
    ) from error

OLDEST_POSTGRES = 15  # the oldest server that is looked after
CONNECT_SECONDS = 10.0  # seconds until a server that does not answer counts as out of reach
CONNECTIONS = 4  # for reading and writing; listening and presence have one each
SETTINGS = {
    "application_name": "thirdcard",
    "default_transaction_isolation": "read committed",
    "idle_in_transaction_session_timeout": "10s",
    # a machine that lost its power lets go of its locks within seconds
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}
Connection = Any
Pool = Any

LOST_CONNECTION = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
)
TROUBLE = (asyncpg.PostgresError, *LOST_CONNECTION)
DENIED = asyncpg.InsufficientPrivilegeError
READ_ONLY = asyncpg.ReadOnlySQLTransactionError
# somebody else was quicker, or two transactions stood in each other's way
RIVALRY = (
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)
# a value that the database cannot hold
UNFIT = (
    asyncpg.DataError,
    asyncpg.CheckViolationError,
    asyncpg.NotNullViolationError,
    asyncpg.ProgramLimitExceededError,
    ValueError,
    TypeError,
    OverflowError,
)
SENTENCES: tuple[tuple[Any, str], ...] = (
    (asyncpg.DiskFullError, "the server's disk is full; make room, then release the table"),
    (asyncpg.ReadOnlySQLTransactionError, "the server accepts no writing; connect to the primary server"),
    (asyncpg.InsufficientPrivilegeError, "a right is missing ({error}); grant it as docs/postgres.md says"),
    (asyncpg.TooManyConnectionsError, "the server has no connection left; raise its max_connections"),
    (
        asyncpg.InvalidAuthorizationSpecificationError,
        "the server does not let us in ({error}); check role, password and pg_hba.conf",
    ),
    (asyncpg.InvalidCatalogNameError, "there is no such database; create it, or correct its name"),
    (
        asyncpg.ClientConfigurationError,
        "the address cannot be read ({error}); write postgresql://role@host/database",
    ),
    (asyncpg.CannotConnectNowError, "the server is starting or stopping; wait, then release the table"),
    (
        TimeoutError,
        f"no answer within {CONNECT_SECONDS:g} seconds; check that the server runs, then release the table",
    ),
    (UNFIT, "a value cannot be stored ({error}); this is a mistake of the program"),
    (LOST_CONNECTION, "the server is out of reach ({error}); check that it runs, then release the table"),
    (BaseException, "the server failed ({error})"),
)


class Link:
    """Makes every connection of a store alike."""

    def __init__(self, url: str, settings: dict[str, str]) -> None:
        self.place = place_of(url)
        self._url = url
        self._settings = settings

    async def connect(self) -> Connection:
        """A connection that belongs to the caller."""
        return await asyncpg.connect(
            self._url,
            timeout=CONNECT_SECONDS,
            command_timeout=CONNECT_SECONDS,
            server_settings=self._settings,
        )

    def pool(self) -> Pool:
        """A few connections for short work; each is made when it is needed, and again when it was lost."""
        return asyncpg.create_pool(
            self._url,
            min_size=0,
            max_size=CONNECTIONS,
            reset=_as_it_is,
            timeout=CONNECT_SECONDS,
            command_timeout=CONNECT_SECONDS,
            server_settings=self._settings,
        )

    def failed(self, error: BaseException) -> StoreFailed:
        """An error as the store tells it."""
        return StoreFailed(f"{self.place}: {reason(error)}")

    def unusable(self, error: BaseException) -> StoreUnusable:
        """An error as the store tells it when it is opened."""
        return StoreUnusable(f"{self.place}: {reason(error)}")


async def open_link(url: str, *, writing: bool) -> Link:
    """The way to a server that answers and that keeps what it has acknowledged."""
    link = Link(url, SETTINGS)
    try:
        connection = await link.connect()
        try:
            commit = await connection.fetchval("SHOW synchronous_commit")
            await _require_server(connection, link.place, writing=writing)
        finally:
            await connection.close(timeout=CONNECT_SECONDS)
    except TROUBLE as error:
        raise link.unusable(error) from error
    if not writing:
        return Link(url, SETTINGS | {"default_transaction_read_only": "on"})
    # stricter than «on» stays; anything weaker would acknowledge what a power failure can take away
    return Link(url, SETTINGS | {"synchronous_commit": commit if commit == "remote_apply" else "on"})


async def _require_server(connection: Connection, place: str, *, writing: bool) -> None:
    """Refuse a server that could lose or garble records."""
    version = connection.get_server_version()
    if version.major < OLDEST_POSTGRES:
        raise StoreUnusable(f"{place} is PostgreSQL {version.major}; install {OLDEST_POSTGRES} or later")
    encoding = await connection.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise StoreUnusable(f"{place} keeps text as {encoding}; create the database with ENCODING 'UTF8'")
    if not writing:
        return
    if await connection.fetchval("SHOW fsync") != "on":
        raise StoreUnusable(
            f"{place} runs with fsync = off and would lose records in a power failure;"
            " set fsync = on in its postgresql.conf and reload it"
        )
    if await connection.fetchval("SELECT pg_is_in_recovery()"):
        raise StoreUnusable(f"{place} is a standby and cannot be written to; connect to the primary server")


def place_of(url: str) -> str:
    """Return the name and the host of a database, without its password."""
    parts = urlsplit(url)
    asked = parse_qs(parts.query)
    host = parts.netloc.rpartition("@")[2] or asked.get("host", ["this machine"])[0]
    database = parts.path.strip("/") or asked.get("dbname", ["of the user's name"])[0]
    return f"database {database} at {host}"


def reason(error: BaseException) -> str:
    """Return the reason that the server gives, and what to do."""
    sentence = next(sentence for kind, sentence in SENTENCES if isinstance(error, kind))
    return sentence.format(error=(str(error) or repr(error)).splitlines()[0])


async def _as_it_is(connection: Connection) -> None:
    """Nothing of a session is ever changed, so that nothing needs to be put back."""
