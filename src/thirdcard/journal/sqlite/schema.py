"""The tables of a journal file, version by version; forward only."""

from pathlib import Path

import apsw

from thirdcard.journal.store import StoreUnusable

APPLICATION_ID = 0x33636172  # "3car", so that a file can be told from any other

SQLITE_TABLES = """
CREATE TABLE record (
    stream TEXT NOT NULL,
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    command_id TEXT NOT NULL UNIQUE,
    envelope BLOB NOT NULL,
    body BLOB NOT NULL,
    wall_time INTEGER NOT NULL,
    monotonic INTEGER NOT NULL,
    run TEXT NOT NULL,
    rulebook TEXT NOT NULL,
    house TEXT NOT NULL,
    software TEXT NOT NULL,
    previous BLOB NOT NULL CHECK (length(previous) = 32),
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (stream, sequence)
) STRICT;
CREATE TABLE content (digest TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
CREATE TABLE checkpoint (
    stream TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    digest BLOB NOT NULL,
    root BLOB NOT NULL,
    wall_time INTEGER NOT NULL,
    reason TEXT NOT NULL,
    key_id TEXT NOT NULL,
    signature BLOB NOT NULL,
    PRIMARY KEY (stream, sequence)
) STRICT;
CREATE TABLE snapshot (
    stream TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL,
    digest BLOB NOT NULL,
    tree BLOB NOT NULL,
    state BLOB NOT NULL,
    key_id TEXT NOT NULL,
    signature BLOB NOT NULL
) STRICT;
CREATE TRIGGER record_follows BEFORE INSERT ON record
WHEN NOT CASE NEW.sequence WHEN 1 THEN NEW.previous = zeroblob(32) ELSE EXISTS (
    SELECT 1 FROM record WHERE stream = NEW.stream AND sequence = NEW.sequence - 1 AND digest = NEW.previous
) END BEGIN SELECT RAISE(ABORT, 'a record follows the one before it'); END;
"""
SQLITE_TRIGGERS = "".join(
    f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table}"
    f" BEGIN SELECT RAISE(ABORT, 'the journal is never altered'); END;"
    for table in ("record", "content", "checkpoint")
    for verb in ("UPDATE", "DELETE")
)
SQLITE_GROUPS = """
ALTER TABLE record ADD COLUMN says TEXT NOT NULL DEFAULT '';
ALTER TABLE record ADD COLUMN group_size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE record ADD COLUMN group_index INTEGER NOT NULL DEFAULT 0;
ALTER TABLE record ADD COLUMN group_path BLOB NOT NULL DEFAULT x'';
ALTER TABLE record ADD COLUMN group_key TEXT NOT NULL DEFAULT '';
ALTER TABLE record ADD COLUMN group_signature BLOB NOT NULL DEFAULT x'';
"""
# what the archive has may be deleted, but for the last record of a range, which the next one follows
SQLITE_ARCHIVE = (
    """
CREATE TABLE archived (
    stream TEXT NOT NULL,
    first INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    digest BLOB NOT NULL,
    tree BLOB NOT NULL,
    volume INTEGER NOT NULL,
    manifest BLOB NOT NULL,
    PRIMARY KEY (stream, sequence)
) STRICT;
CREATE TRIGGER archived_follows BEFORE INSERT ON archived
WHEN NEW.first <> 1 + coalesce((SELECT max(sequence) FROM archived WHERE stream = NEW.stream), 0)
OR NOT EXISTS (
    SELECT 1 FROM record WHERE stream = NEW.stream AND sequence = NEW.sequence AND digest = NEW.digest
) BEGIN SELECT RAISE(ABORT, 'a range follows the one before it, and ends with a record'); END;
"""
    + "".join(
        f"CREATE TRIGGER archived_{verb.lower()} BEFORE {verb} ON archived"
        " BEGIN SELECT RAISE(ABORT, 'the journal is never altered'); END;"
        for verb in ("UPDATE", "DELETE")
    )
    + "".join(
        f"DROP TRIGGER {table}_delete;"
        f"CREATE TRIGGER {table}_delete BEFORE DELETE ON {table} WHEN NOT EXISTS ("
        " SELECT 1 FROM archived WHERE stream = OLD.stream AND sequence > OLD.sequence"
        ") BEGIN SELECT RAISE(ABORT, 'the journal is never altered'); END;"
        for table in ("record", "checkpoint")
    )
)
SQLITE_MIGRATIONS = (SQLITE_TABLES + SQLITE_TRIGGERS, SQLITE_GROUPS, SQLITE_ARCHIVE)


def migrate(connection: apsw.Connection, path: Path) -> None:
    """Bring a file up to date, in one transaction; an empty one becomes a journal."""
    version = connection.pragma("user_version")
    if version >= len(SQLITE_MIGRATIONS):
        return
    if version == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").get:
        raise StoreUnusable(f"{path} is a database of something else; choose another folder")
    with connection:
        for script in SQLITE_MIGRATIONS[version:]:
            connection.execute(script)
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", len(SQLITE_MIGRATIONS))


def require(connection: apsw.Connection, path: Path) -> int:
    """Return the version of the tables; refuse what is no journal, and what a newer release has written."""
    if connection.pragma("application_id") != APPLICATION_ID:
        raise StoreUnusable(f"{path} is not a journal")
    version = connection.pragma("user_version")
    if version > len(SQLITE_MIGRATIONS):
        raise StoreUnusable(f"{path} was written by a newer release; install that release to open it")
    return int(version)
