"""The role that runs a journal in PostgreSQL: it appends and reads, and cannot alter anything."""

from thirdcard.journal.postgres.link import CONNECT_SECONDS, TROUBLE, Connection, open_link
from thirdcard.journal.postgres.schema import require
from thirdcard.journal.store import StoreUnusable

WRITER = "thirdcard_writer"
TOO_MUCH = """
SELECT CASE
    WHEN role.rolsuper THEN 'is a superuser'
    WHEN pg_has_role(role.oid, record.relowner, 'MEMBER') THEN 'can act as the owner of the journal'
    WHEN has_parameter_privilege(role.oid, 'session_replication_role', 'SET') THEN 'can switch triggers off'
    WHEN has_table_privilege(role.oid, record.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER')
        THEN 'may alter records by a right of another role or of everybody'
END
FROM pg_roles AS role, pg_class AS record
WHERE role.rolname = $1 AND record.oid = 'thirdcard.record'::regclass
"""


def grants(role: str = WRITER) -> tuple[str, ...]:
    """Return the statements by which the owner of a journal lets a role run it and never alter it."""
    name = '"' + role.replace('"', '""') + '"'
    return (
        f"REVOKE ALL ON SCHEMA thirdcard FROM {name}",
        f"REVOKE ALL ON ALL TABLES IN SCHEMA thirdcard FROM {name}",
        f"GRANT USAGE ON SCHEMA thirdcard TO {name}",
        f"GRANT SELECT ON thirdcard.version, thirdcard.archived TO {name}",
        f"GRANT SELECT, INSERT ON thirdcard.record, thirdcard.content, thirdcard.checkpoint TO {name}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON thirdcard.snapshot TO {name}",
    )


def making(role: str = WRITER) -> str:
    """Return the statement that makes the role; pg_hba.conf and ALTER ROLE say how it proves who it is."""
    return 'CREATE ROLE "' + role.replace('"', '""') + '" LOGIN'


async def grant(url: str, role: str = WRITER, password: str | None = None) -> None:
    """Make the role where it is missing, and give it these rights and no others; run by the owner.

    A ``password`` is set, unless it is nothing.
    """
    link = await open_link(url, writing=True)
    try:
        connection = await link.connect()
        try:
            await require(connection, link.place, writing=True)
            await _grant(connection, link.place, role, password)
        finally:
            await connection.close(timeout=CONNECT_SECONDS)
    except TROUBLE as error:
        raise link.unusable(error) from error


async def _grant(connection: Connection, place: str, role: str, password: str | None) -> None:
    async with connection.transaction():
        if not await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", role):
            await connection.execute(making(role))
        if password:
            statement = "SELECT format('ALTER ROLE %I PASSWORD %L', $1::text, $2::text)"
            await connection.execute(await connection.fetchval(statement, role, password))
        for statement in grants(role):
            await connection.execute(statement)
        too_much = await connection.fetchval(TOO_MUCH, role)
        if too_much is not None:
            raise StoreUnusable(f"{place}: the role {role} {too_much}; choose another role")
