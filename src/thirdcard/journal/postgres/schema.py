"""The tables of a journal in PostgreSQL, version by version; forward only."""

from thirdcard.journal.postgres.link import DENIED, Connection
from thirdcard.journal.store import StoreUnusable

LOCK_SPACE = 0x33636172  # "3car": the first half of every advisory lock of ours
MIGRATING, STARTING, SERVING, EXCLUSIVE = 1, 2, 3, 4  # the second half
SCHEMA = "thirdcard"
CHANNEL, TURNS = "thirdcard", "thirdcard_turns"

# Names are compared byte by byte, so that no update of the machine's languages can spoil an index.
# Every name in a function is said in full: a session could put its own table in front of ours.
POSTGRES_TABLES = """
CREATE SCHEMA thirdcard;
CREATE TABLE thirdcard.version (
    version integer PRIMARY KEY,
    since timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE thirdcard.record (
    stream text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL CHECK (sequence > 0),
    kind text NOT NULL,
    version integer NOT NULL,
    command_id text COLLATE "C" NOT NULL UNIQUE,
    envelope bytea NOT NULL,
    body bytea NOT NULL,
    wall_time bigint NOT NULL,
    monotonic bigint NOT NULL,
    run text NOT NULL,
    rulebook text NOT NULL,
    house text NOT NULL,
    software text NOT NULL,
    previous bytea NOT NULL CHECK (octet_length(previous) = 32),
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    PRIMARY KEY (stream, sequence)
);
CREATE TABLE thirdcard.content (digest text COLLATE "C" PRIMARY KEY, content bytea NOT NULL);
CREATE TABLE thirdcard.checkpoint (
    stream text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    digest bytea NOT NULL,
    root bytea NOT NULL,
    wall_time bigint NOT NULL,
    reason text NOT NULL,
    key_id text NOT NULL,
    signature bytea NOT NULL,
    PRIMARY KEY (stream, sequence)
);
CREATE TABLE thirdcard.snapshot (
    stream text COLLATE "C" PRIMARY KEY,
    sequence bigint NOT NULL,
    digest bytea NOT NULL,
    tree bytea NOT NULL,
    state bytea NOT NULL,
    key_id text NOT NULL,
    signature bytea NOT NULL
);
CREATE FUNCTION thirdcard.record_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
    news text;
BEGIN
    IF EXISTS (
        SELECT 1 FROM added WHERE added.previous IS DISTINCT FROM CASE added.sequence
            WHEN 1 THEN decode(repeat('00', 32), 'hex')
            ELSE (
                SELECT before.digest FROM thirdcard.record AS before
                WHERE before.stream = added.stream AND before.sequence = added.sequence - 1
            )
        END
    ) THEN
        RAISE EXCEPTION 'a record follows the one before it' USING ERRCODE = '23000';
    END IF;
    SELECT json_object_agg(ends.stream, ends.sequence)::text INTO news
    FROM (SELECT stream, max(sequence) AS sequence FROM added GROUP BY stream) AS ends;
    IF news IS NOT NULL THEN
        PERFORM pg_notify('thirdcard', CASE WHEN octet_length(news) < 7900 THEN news ELSE '' END);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER record_follows AFTER INSERT ON thirdcard.record
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION thirdcard.record_follows();
ALTER TABLE thirdcard.record ENABLE ALWAYS TRIGGER record_follows;
CREATE FUNCTION thirdcard.never() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the journal is never altered' USING ERRCODE = 'restrict_violation';
END $$;
"""
POSTGRES_TRIGGERS = "".join(
    f"CREATE TRIGGER {table}_never BEFORE UPDATE OR DELETE OR TRUNCATE ON thirdcard.{table}"
    " FOR EACH STATEMENT EXECUTE FUNCTION thirdcard.never();"
    f"ALTER TABLE thirdcard.{table} ENABLE ALWAYS TRIGGER {table}_never;"
    for table in ("version", "record", "content", "checkpoint")
)
POSTGRES_GROUPS = """
ALTER TABLE thirdcard.record
    ADD COLUMN says text NOT NULL DEFAULT '',
    ADD COLUMN group_size integer NOT NULL DEFAULT 0,
    ADD COLUMN group_index integer NOT NULL DEFAULT 0,
    ADD COLUMN group_path bytea NOT NULL DEFAULT '',
    ADD COLUMN group_key text NOT NULL DEFAULT '',
    ADD COLUMN group_signature bytea NOT NULL DEFAULT '';
"""
# what the archive has may be deleted, but for the last record of a range, which the next one follows;
# whoever may read records may read where they are
POSTGRES_ARCHIVE = """
CREATE TABLE thirdcard.archived (
    stream text COLLATE "C" NOT NULL,
    first bigint NOT NULL,
    sequence bigint NOT NULL,
    digest bytea NOT NULL,
    tree bytea NOT NULL,
    volume integer NOT NULL,
    manifest bytea NOT NULL,
    PRIMARY KEY (stream, sequence)
);
CREATE FUNCTION thirdcard.archived_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.first <> 1 + coalesce(
        (SELECT max(before.sequence) FROM thirdcard.archived AS before WHERE before.stream = NEW.stream), 0
    ) OR NOT EXISTS (
        SELECT 1 FROM thirdcard.record AS last
        WHERE last.stream = NEW.stream AND last.sequence = NEW.sequence AND last.digest = NEW.digest
    ) THEN
        RAISE EXCEPTION 'a range follows the one before it, and ends with a record' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER archived_follows BEFORE INSERT ON thirdcard.archived
FOR EACH ROW EXECUTE FUNCTION thirdcard.archived_follows();
ALTER TABLE thirdcard.archived ENABLE ALWAYS TRIGGER archived_follows;
CREATE TRIGGER archived_never BEFORE UPDATE OR DELETE OR TRUNCATE ON thirdcard.archived
FOR EACH STATEMENT EXECUTE FUNCTION thirdcard.never();
ALTER TABLE thirdcard.archived ENABLE ALWAYS TRIGGER archived_never;
CREATE FUNCTION thirdcard.only_archived() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM gone WHERE NOT EXISTS (
            SELECT 1 FROM thirdcard.archived AS kept
            WHERE kept.stream = gone.stream AND kept.sequence > gone.sequence
        )
    ) THEN
        RAISE EXCEPTION 'the journal is never altered' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DO $$
DECLARE
    reader text;
BEGIN
    FOR reader IN SELECT DISTINCT grantee::text FROM information_schema.role_table_grants
    WHERE table_schema = 'thirdcard' AND table_name = 'record' AND privilege_type = 'SELECT'
    LOOP
        EXECUTE 'GRANT SELECT ON thirdcard.archived TO '
            || CASE reader WHEN 'PUBLIC' THEN 'PUBLIC' ELSE quote_ident(reader) END;
    END LOOP;
END $$;
""" + "".join(
    f"DROP TRIGGER {table}_never ON thirdcard.{table};"
    f"CREATE TRIGGER {table}_never BEFORE UPDATE OR TRUNCATE ON thirdcard.{table}"
    " FOR EACH STATEMENT EXECUTE FUNCTION thirdcard.never();"
    f"ALTER TABLE thirdcard.{table} ENABLE ALWAYS TRIGGER {table}_never;"
    f"CREATE TRIGGER {table}_archived AFTER DELETE ON thirdcard.{table} REFERENCING OLD TABLE AS gone"
    " FOR EACH STATEMENT EXECUTE FUNCTION thirdcard.only_archived();"
    f"ALTER TABLE thirdcard.{table} ENABLE ALWAYS TRIGGER {table}_archived;"
    for table in ("record", "checkpoint")
)
POSTGRES_MIGRATIONS = (POSTGRES_TABLES + POSTGRES_TRIGGERS, POSTGRES_GROUPS, POSTGRES_ARCHIVE)


# asked of the catalog's tables: functions that look names up may answer from before a lock was waited for
SCHEMA_IS_THERE = f"SELECT 1 FROM pg_namespace WHERE nspname = '{SCHEMA}'"
VERSION_IS_THERE = f"SELECT 1 FROM pg_tables WHERE schemaname = '{SCHEMA}' AND tablename = 'version'"

COPY_IS_UNFINISHED = (
    f"SELECT 1 FROM pg_tables WHERE schemaname = '{SCHEMA}' AND tablename = 'unfinished_copy'"
)


async def migrate(connection: Connection, place: str) -> None:
    """Bring a database up to date, in one transaction; one that is up to date is left alone."""
    if await _version(connection, place) >= len(POSTGRES_MIGRATIONS):
        return
    try:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1, $2)", LOCK_SPACE, MIGRATING)
            version = await _version(connection, place)
            if version == 0 and await connection.fetchval(SCHEMA_IS_THERE):
                raise StoreUnusable(
                    f"{place} has a schema {SCHEMA} of something else; choose another database"
                )
            for number, script in enumerate(POSTGRES_MIGRATIONS[version:], start=version + 1):
                await connection.execute(script)
                await connection.execute("INSERT INTO thirdcard.version VALUES ($1)", number)
    except DENIED as error:
        raise StoreUnusable(
            f"{place} is not set up for this release, and this role may not do it;"
            " open it once as the owner of the database"
        ) from error


async def require(connection: Connection, place: str, *, writing: bool, unfinished: bool = False) -> None:
    """Refuse what is no journal or half a copy, what another release wrote, and a role without the rights."""
    version = await _version(connection, place)
    if version == 0:
        raise StoreUnusable(f"{place} is not a journal; open it once for writing, as its owner")
    if version > len(POSTGRES_MIGRATIONS):
        raise StoreUnusable(f"{place} was written by a newer release; install that release to open it")
    if version < len(POSTGRES_MIGRATIONS):
        raise StoreUnusable(
            f"{place} was written by an older release; open it once for writing, as its owner"
        )
    if not unfinished and await connection.fetchval(COPY_IS_UNFINISHED):
        raise StoreUnusable(
            f"{place} has a copy that is not finished; thirdcard journal copy goes on with it"
        )
    right, doing = ("INSERT", "write") if writing else ("SELECT", "read")
    if not await connection.fetchval("SELECT has_table_privilege('thirdcard.record', $1)", right):
        raise StoreUnusable(_lacking(place, doing))


async def _version(connection: Connection, place: str) -> int:
    if not await connection.fetchval(VERSION_IS_THERE):
        return 0
    try:
        version: int = await connection.fetchval("SELECT coalesce(max(version), 0) FROM thirdcard.version")
    except DENIED as error:
        raise StoreUnusable(_lacking(place, "read")) from error
    return version


def _lacking(place: str, doing: str) -> str:
    return f"{place}: this role may not {doing} the journal; grant it as docs/postgres.md says"
