"""The journal in PostgreSQL: what the database refuses, who may do what, and what cannot be opened."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
from contracts.servers import PostgresServer
from contracts.stores import chain, draft, first_up
from msgspec.structs import replace

from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.merkle import Frontier
from thirdcard.journal.postgres import link as postgres_link
from thirdcard.journal.postgres.roles import grant, grants, making
from thirdcard.journal.postgres.store import PostgresStore
from thirdcard.journal.record import EMPTY, Head, Record, head_of, place
from thirdcard.journal.store import Appended, Checkpoint, Snapshot, StoreFailed, StoreUnusable
from thirdcard.streams.opening import is_superuser

CHECKPOINT = Checkpoint(
    stream="table-1",
    sequence=1,
    digest=b"d" * 32,
    root=b"r" * 32,
    wall_time=5,
    reason="round-end",
    key_id="key",
    signature=b"s" * 64,
)
SNAPSHOT = Snapshot(
    stream="table-1",
    head=Head(1, b"d" * 32),
    tree=Frontier().grown(b"1" * 32),
    state=b"{}",
    key_id="key",
    signature=b"s" * 64,
)
TABLES = ("record", "content", "checkpoint", "version")


@asynccontextmanager
async def opened(url: str, *, writing: bool = True) -> AsyncIterator[PostgresStore]:
    store = await PostgresStore.open(url, writing=writing)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def filled(url: str) -> tuple[Record, ...]:
    """A journal with something in every table."""
    async with opened(url) as store:
        made = chain(2)
        await store.append(made)
        await store.keep_content("ab", b"content")
        await store.keep_checkpoint(CHECKPOINT)
        await store.keep_snapshot(SNAPSHOT)
    return made


def as_role(url: str, role: str) -> str:
    return url.replace("postgresql://postgres@", f"postgresql://{role}@")


async def unusable(url: str, *, writing: bool = True) -> str:
    """Why a journal cannot be opened."""
    with pytest.raises(StoreUnusable) as found:
        await PostgresStore.open(url, writing=writing)
    return str(found.value)


def insert(record: Record) -> tuple[str, list[object]]:
    names = record.__struct_fields__
    places = ", ".join(f"${at}" for at in range(1, len(names) + 1))
    sql = f"INSERT INTO thirdcard.record ({', '.join(names)}) VALUES ({places})"
    return sql, [getattr(record, name) for name in names]


# what nobody can do


async def test_the_journal_is_never_altered_not_even_by_its_owner(postgres_url: str) -> None:
    await filled(postgres_url)
    async with connected(postgres_url) as owner:
        for table in TABLES:
            column = {"version": "since", "content": "digest"}.get(table, "stream")
            for alteration in ("UPDATE {0} SET {1} = {1}", "DELETE FROM {0}", "TRUNCATE {0}"):
                for replication_role in ("origin", "replica"):
                    await owner.execute(f"SET session_replication_role = {replication_role}")
                    with pytest.raises(asyncpg.RestrictViolationError, match="the journal is never altered"):
                        await owner.execute(alteration.format(f"thirdcard.{table}", column))
            assert await owner.fetchval(f"SELECT count(*) FROM thirdcard.{table}") > 0


async def test_a_record_follows_the_one_before_it_whoever_inserts_it(postgres_url: str) -> None:
    first, second = await filled(postgres_url)
    strays = {
        "a gap": place(draft(command_id="x"), Head(3, second.digest)),
        "another digest before it": place(draft(command_id="x"), Head(2, first.digest)),
        "a first one that follows something": place(draft("table-2", "x"), Head(0, first.digest)),
    }
    async with connected(postgres_url) as owner:
        await owner.execute("SET session_replication_role = replica")
        for stray in strays.values():
            sql, values = insert(stray)
            with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="follows the one before it"):
                await owner.execute(sql, *values)
        sql, values = insert(replace(place(draft(command_id="x"), head_of(second)), digest=b"short"))
        with pytest.raises(asyncpg.CheckViolationError):
            await owner.execute(sql, *values)
        sql, values = insert(place(draft(command_id=first.command_id), head_of(second)))
        with pytest.raises(asyncpg.UniqueViolationError):
            await owner.execute(sql, *values)


async def test_a_table_of_a_sessions_own_cannot_stand_in_for_the_records(postgres_url: str) -> None:
    _, second = await filled(postgres_url)
    await grant(postgres_url)
    stray = place(draft(command_id="x"), Head(9, second.digest))
    async with connected(as_role(postgres_url, "thirdcard_writer")) as writer:
        for name in ("record", "added"):
            await writer.execute(f"CREATE TEMP TABLE {name} AS SELECT * FROM thirdcard.record")
        await writer.execute("SET search_path = pg_temp, thirdcard")
        sql, values = insert(stray)
        with pytest.raises(asyncpg.IntegrityConstraintViolationError):
            await writer.execute(sql, *values)


# the role that runs a journal


def test_the_page_shows_what_the_role_is_granted() -> None:
    page = (Path(__file__).parents[2] / "docs" / "postgres.md").read_text("utf-8")
    assert "".join(f"{statement};\n" for statement in (making(), *grants())) in page


async def test_the_owner_of_a_database_need_not_be_a_superuser(postgres_url: str) -> None:
    name = postgres_url.partition("@/")[2].partition("?")[0]
    owner = as_role(postgres_url, "floor_owner")
    async with connected(postgres_url) as superuser:
        await superuser.execute("CREATE ROLE floor_owner LOGIN")
        await superuser.execute(f"ALTER DATABASE {name} OWNER TO floor_owner")
        try:
            made = await filled(owner)
            await grant(postgres_url)
            await grant(owner)
            async with opened(as_role(postgres_url, "thirdcard_writer")) as store:
                assert await store.read("table-1") == made
        finally:
            await superuser.execute(f"ALTER DATABASE {name} OWNER TO postgres")
            await superuser.execute("DROP OWNED BY floor_owner CASCADE; DROP ROLE floor_owner")


async def test_a_server_that_may_do_anything_knows_it(postgres_url: str) -> None:
    async with opened(postgres_url) as store:
        assert await is_superuser(store)
    await grant(postgres_url, "thirdcard_writer")
    async with opened(as_role(postgres_url, "thirdcard_writer")) as store:
        assert not await is_superuser(store)
    assert not await is_superuser(MemoryStore())


async def test_the_writer_can_run_a_journal(postgres_url: str) -> None:
    made = await filled(postgres_url)
    await grant(postgres_url)
    await grant(postgres_url)
    async with opened(as_role(postgres_url, "thirdcard_writer")) as store:
        news = store.news()
        assert await first_up(store)
        more = chain(2, after=head_of(made[-1]))
        assert await store.append(more) == Appended(more)
        assert (await anext(news)).sequence == 4
        assert await store.read("table-1") == made + more
        await store.keep_content("cd", b"more")
        await store.keep_checkpoint(replace(CHECKPOINT, sequence=2))
        await store.keep_snapshot(SNAPSHOT)
        assert await store.snapshot("table-1") == SNAPSHOT
        await store.drop_snapshots()
        assert await store.snapshot("table-1") is None
        assert len(await store.checkpoints("table-1")) == 2


ATTACKS = [
    *(
        verb.format(f"thirdcard.{table}")
        for table in TABLES
        for verb in (
            "DELETE FROM {}",
            "TRUNCATE {}",
            "DROP TABLE {}",
            "ALTER TABLE {} DISABLE TRIGGER ALL",
            "ALTER TABLE {} DISABLE TRIGGER USER",
            "ALTER TABLE {} RENAME TO other",
        )
    ),
    *(f"DROP TRIGGER {table}_never ON thirdcard.{table}" for table in TABLES),
    "UPDATE thirdcard.record SET body = ''",
    "UPDATE thirdcard.content SET content = ''",
    "UPDATE thirdcard.checkpoint SET signature = ''",
    "UPDATE thirdcard.version SET version = 9",
    "INSERT INTO thirdcard.version VALUES (9)",
    "INSERT INTO thirdcard.content VALUES ('ab', '') ON CONFLICT (digest) DO UPDATE SET content = ''",
    "MERGE INTO thirdcard.content USING (VALUES ('ab')) AS v (d) ON digest = d WHEN MATCHED THEN DELETE",
    "SELECT 1 FROM thirdcard.record FOR UPDATE",
    "DROP TRIGGER record_follows ON thirdcard.record",
    "ALTER TABLE thirdcard.record DISABLE TRIGGER record_follows",
    "ALTER TABLE thirdcard.record ALTER COLUMN body DROP NOT NULL",
    "SET session_replication_role = replica",
    "SELECT set_config('session_replication_role', 'replica', false)",
    "CREATE RULE quiet AS ON INSERT TO thirdcard.record DO INSTEAD NOTHING",
    "CREATE TRIGGER mine BEFORE INSERT ON thirdcard.record FOR EACH ROW EXECUTE FUNCTION thirdcard.never()",
    "CREATE OR REPLACE FUNCTION thirdcard.never() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
    "DROP FUNCTION thirdcard.never() CASCADE",
    "CREATE TABLE thirdcard.mine ()",
    "DROP SCHEMA thirdcard CASCADE",
    "GRANT ALL ON thirdcard.record TO thirdcard_writer",
    "SET ROLE postgres",
    "ALTER ROLE thirdcard_writer SUPERUSER",
]


async def test_the_writer_cannot_alter_anything(postgres_url: str) -> None:
    made = await filled(postgres_url)
    await grant(postgres_url)
    async with connected(as_role(postgres_url, "thirdcard_writer")) as writer:
        for attack in ATTACKS:
            try:
                said = await writer.execute(attack)
            except asyncpg.InsufficientPrivilegeError:
                continue
            assert attack.startswith("GRANT"), f"{attack}: {said}"  # grants nothing, with a warning
    async with opened(postgres_url) as store:
        assert await store.read("table-1") == made
        assert await store.content("ab") == b"content"
        assert await store.checkpoints("table-1") == (CHECKPOINT,)


async def test_the_writer_cannot_set_a_journal_up(postgres_url: str, postgres_server: PostgresServer) -> None:
    await filled(postgres_server.url())
    await grant(postgres_server.url())
    why = await unusable(as_role(postgres_url, "thirdcard_writer"))
    assert "open it once as the owner of the database" in why


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("ALTER ROLE strong SUPERUSER", "is a superuser"),
        ("GRANT postgres TO strong", "can act as the owner"),
        ("GRANT SET ON PARAMETER session_replication_role TO strong", "can switch triggers off"),
        ("GRANT pg_write_all_data TO strong", "may alter records"),
        ("GRANT TRUNCATE ON thirdcard.record TO PUBLIC", "may alter records"),
    ],
)
async def test_a_role_that_could_alter_records_is_not_taken(
    postgres_url: str, postgres_server: PostgresServer, statement: str, why: str
) -> None:
    await filled(postgres_url)
    async with connected(postgres_url) as owner:
        await owner.execute("CREATE ROLE strong LOGIN")
        try:
            await owner.execute(statement)
            with pytest.raises(StoreUnusable, match=why):
                await grant(postgres_url, "strong")
        finally:
            await owner.execute("REVOKE ALL ON PARAMETER session_replication_role FROM strong")
            await owner.execute("DROP OWNED BY strong; DROP ROLE strong")


async def test_a_role_may_have_any_name(postgres_url: str) -> None:
    await filled(postgres_url)
    await grant(postgres_url, 'the "pit"')
    async with connected(postgres_url) as owner:
        assert await owner.fetchval(
            "SELECT has_table_privilege($1, 'thirdcard.record', 'INSERT')", 'the "pit"'
        )
        await owner.execute('DROP OWNED BY "the ""pit"""; DROP ROLE "the ""pit"""')


async def test_only_who_may_create_roles_can_grant(postgres_url: str) -> None:
    await filled(postgres_url)
    await grant(postgres_url)
    with pytest.raises(StoreUnusable, match=r"a right is missing .*docs/postgres.md"):
        await grant(as_role(postgres_url, "thirdcard_writer"), "another")


async def test_a_role_without_rights_is_told_so(postgres_url: str) -> None:
    await filled(postgres_url)
    async with connected(postgres_url) as owner:
        await owner.execute("CREATE ROLE nobody LOGIN")
        try:
            for writing in (True, False):
                why = await unusable(as_role(postgres_url, "nobody"), writing=writing)
                assert "this role may not read the journal; grant it as docs/postgres.md says" in why
            await owner.execute("GRANT USAGE ON SCHEMA thirdcard TO nobody")
            await owner.execute("GRANT SELECT ON ALL TABLES IN SCHEMA thirdcard TO nobody")
            assert "may not write the journal" in await unusable(as_role(postgres_url, "nobody"))
            async with opened(as_role(postgres_url, "nobody"), writing=False) as store:
                assert len(await store.read("table-1")) == 2
        finally:
            await owner.execute("DROP OWNED BY nobody; DROP ROLE nobody")


async def test_what_is_open_for_reading_cannot_be_written_to(postgres_url: str) -> None:
    made = await filled(postgres_url)
    async with opened(postgres_url, writing=False) as store:
        assert await store.read("table-1") == made
        with pytest.raises(StoreFailed, match="opened for reading only"):
            await store.append(chain(1, after=head_of(made[-1])))
        with pytest.raises(StoreFailed, match="accepts no writing"):
            await store.drop_snapshots()


# versions


async def test_a_journal_of_a_newer_release_is_refused(postgres_url: str) -> None:
    await filled(postgres_url)
    async with connected(postgres_url) as owner:
        await owner.execute("INSERT INTO thirdcard.version VALUES (999)")
    for writing in (True, False):
        assert "written by a newer release; install that release" in await unusable(
            postgres_url, writing=writing
        )


async def test_a_journal_of_an_older_release_is_brought_up_to_date(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await filled(postgres_url)
    await grant(postgres_url)
    first = "thirdcard.journal.postgres.schema.POSTGRES_MIGRATIONS"
    from thirdcard.journal.postgres.schema import POSTGRES_MIGRATIONS

    monkeypatch.setattr(first, (*POSTGRES_MIGRATIONS, "ALTER TABLE thirdcard.content ADD COLUMN note text"))
    assert "written by an older release" in await unusable(postgres_url, writing=False)
    writer = as_role(postgres_url, "thirdcard_writer")
    assert "open it once as the owner of the database" in await unusable(writer)
    async with opened(postgres_url) as store:
        assert await store.read("table-1") == made
    async with opened(writer) as store:
        assert await store.read("table-1") == made
    async with connected(postgres_url) as owner:
        found = await owner.fetch("SELECT version FROM thirdcard.version ORDER BY version")
        assert [version for (version,) in found] == [1, 2, 3, 4]


async def test_a_migration_that_fails_leaves_everything_as_it_was(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from thirdcard.journal.postgres.schema import POSTGRES_MIGRATIONS

    made = await filled(postgres_url)
    broken = "ALTER TABLE thirdcard.content ADD COLUMN note text; SELECT 1 / 0"
    with monkeypatch.context() as patch:
        patch.setattr("thirdcard.journal.postgres.schema.POSTGRES_MIGRATIONS", (*POSTGRES_MIGRATIONS, broken))
        await unusable(postgres_url)
    async with opened(postgres_url) as store:
        assert await store.read("table-1") == made


async def test_many_that_open_an_empty_database_at_once_make_one_journal(postgres_url: str) -> None:
    stores = await asyncio.gather(*(PostgresStore.open(postgres_url) for _ in range(6)))
    await stores[0].append(chain(1))
    for store in stores:
        assert await store.streams() == ("table-1",)
        await store.close()


async def test_a_database_that_is_no_journal_is_refused(postgres_url: str) -> None:
    assert "is not a journal" in await unusable(postgres_url, writing=False)
    async with connected(postgres_url) as owner:
        await owner.execute("CREATE SCHEMA thirdcard")
    assert "has a schema thirdcard of something else; choose another database" in await unusable(postgres_url)


# what is refused at opening


async def test_what_a_commit_means_cannot_be_weakened(postgres_url: str) -> None:
    name = postgres_url.partition("@/")[2].partition("?")[0]
    for given, taken in {"off": "on", "local": "on", "remote_apply": "remote_apply"}.items():
        async with connected(postgres_url) as owner:
            await owner.execute(f"ALTER DATABASE {name} SET synchronous_commit = {given}")
        async with opened(postgres_url) as store:
            assert [row[0] for row in await store._rows("SHOW synchronous_commit")] == [taken]


async def test_a_server_that_can_lose_records_is_refused(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    try:
        await postgres_server.do("ALTER SYSTEM SET fsync = off")
        await postgres_server.do("SELECT pg_reload_conf()")
        while (await postgres_server.do("SHOW fsync"))[0][0] == "on":
            await asyncio.sleep(0.02)
        assert "fsync = off and would lose records" in await unusable(postgres_url)
    finally:
        await postgres_server.do("ALTER SYSTEM RESET fsync")
        await postgres_server.do("SELECT pg_reload_conf()")
    while (await postgres_server.do("SHOW fsync"))[0][0] == "off":
        await asyncio.sleep(0.02)
    await filled(postgres_url)


async def test_an_old_server_is_refused(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_link, "OLDEST_POSTGRES", 99)
    assert "install 99 or later" in await unusable(postgres_url)


async def test_a_database_that_cannot_hold_every_name_is_refused(postgres_server: PostgresServer) -> None:
    await postgres_server.do("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    assert "keeps text as LATIN1" in await unusable(postgres_server.url("latin"))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("/floor_", "/missing_"), "there is no such database; create it"),
        (("postgres@", "stranger:secret@"), r"does not let us in .*stranger.* check role, password"),
        (("host=", "host=/nowhere"), "out of reach"),
        (("postgresql:", "mysql:"), "the address cannot be read"),
    ],
)
async def test_an_address_that_leads_nowhere_is_told(
    postgres_url: str, change: tuple[str, str], why: str
) -> None:
    with pytest.raises(StoreUnusable, match=why) as found:
        await PostgresStore.open(postgres_url.replace(*change))
    assert "secret" not in str(found.value)
    assert str(found.value).startswith("database ")


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("postgresql://me:se@cret@db.example:5433/floor", "database floor at db.example:5433"),
        ("postgresql://me@a:1,b:2/floor?target_session_attrs=read-write", "database floor at a:1,b:2"),
        ("postgresql://me@/floor?host=/run/sockets&password=secret", "database floor at /run/sockets"),
        ("postgresql://", "database of the user's name at this machine"),
    ],
)
def test_a_place_is_named_without_its_password(url: str, place: str) -> None:
    assert postgres_link.place_of(url) == place


def test_without_asyncpg_the_sentence_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['asyncpg'] = None\n"
        "import thirdcard.journal.sqlite.store\n"
        "from thirdcard.journal.store import StoreUnusable\n"
        "try:\n    import thirdcard.journal.postgres.store\n"
        "except StoreUnusable as error:\n    print(error)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install 'thirdcard[postgres]'" in said.stdout


# values


async def test_a_value_that_cannot_be_stored_fails_alone(postgres_url: str) -> None:
    async with opened(postgres_url) as store:
        good = [chain(2, stream=f"table-{number}") for number in range(9)]
        spoilt = (place(draft("table-x", "with a \0 in it"), EMPTY),)
        large = (replace(chain(1, stream="table-y")[0], version=2**40),)
        short = (replace(chain(1, stream="table-z")[0], digest=b"short"),)
        answers = await asyncio.gather(
            *(store.append(each) for each in (*good, spoilt, large, short)), return_exceptions=True
        )
        assert [type(answer) for answer in answers] == [Appended] * 9 + [StoreFailed] * 3
        assert "a value cannot be stored" in str(answers[-1])
        assert len(await store.streams()) == 9


async def test_a_closed_journal_says_so(postgres_url: str) -> None:
    store = await PostgresStore.open(postgres_url)
    pending = asyncio.gather(*(store.append(chain(1, stream=f"table-{number}")) for number in range(9)))
    await asyncio.sleep(0)
    await store.close()
    assert all(isinstance(answer, Appended) for answer in await pending)
    with pytest.raises(StoreFailed, match="the journal was closed"):
        await store.append(chain(1))
    with pytest.raises(StoreFailed):
        await store.read("table-1")
