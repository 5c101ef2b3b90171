"""Every record is signed: what somebody adds or rewrites without the key is refused, and found."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from journal.going_on import go_on
from journal.journals import KEYS, TRAINING, rechained, records_of, told_evening, write
from journal.kept_journals import FLOORS, copied
from journal.test_tampering import Attacker
from msgspec.structs import replace
from streams.openings import Guide, serving

from thirdcard.auditor.verify import verify
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.game import commands as cmd
from thirdcard.journal.checkpoints import make_checkpoint
from thirdcard.journal.codec import encode, envelope_of, floor_result_of, table_result_of
from thirdcard.journal.groups import GroupSignatures, is_grouped, sign_group
from thirdcard.journal.keys import KeyPair, KeyRing
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.old_records import MARK_ID
from thirdcard.journal.record import Record, head_of, place
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import FLOOR_STREAM, Store, StoreFailed, StoreUnusable
from thirdcard.messages import message, say
from thirdcard.server.commands import receipt_of_record
from thirdcard.staff import Post
from thirdcard.streams.ahead import Accepted
from thirdcard.streams.clock import Clock
from thirdcard.streams.opening import OpenedPlace, open_floor
from thirdcard.streams.service import Service
from thirdcard.wire.receipts import receipt_is_genuine

TABLE = "T1"
THEIRS = KeyRing((KeyPair(bytes(range(64, 96)), bytes(range(96, 128))),))


async def played(store: Store) -> None:
    """Somebody is added to the floor, a table is opened, and a patron places a wager."""
    async with serving(store, KEYS) as service:
        person = floor_cmd.AddPerson(name="Nia", posts=(Post("dealer"),), password="argon2")
        assert isinstance(await service.floor.send(person, actor=COMMAND_LINE, command_id="a"), Accepted)
        guide = Guide(service.table(TABLE))
        await guide.open("mbs-super-six-etg-v3")
        await guide.bet(("Ada", "player", 10_000))


async def copy_of(store: Store, streams: dict[str, tuple[Record, ...]]) -> MemoryStore:
    """A journal with other records in some streams, and the same contents."""
    other = MemoryStore()
    for name in await store.streams():
        made = streams.get(name, await store.read(name))
        if made:
            await other.append(made)
        for record in made:
            for digest in (record.rulebook, record.house):
                content = await store.content(digest)
                if content is not None:
                    await other.keep_content(digest, content)
    await other.keep_content(KEYS.key_id, KEYS.public_keys[KEYS.key_id])
    return other


async def sign_end(store: Store, made: tuple[Record, ...], keys: KeyRing = KEYS) -> None:
    """Keep a checkpoint of the last of some records, as every release signed one at its stop."""
    tree, end = Frontier(), made[-1]
    for record in made:
        tree = tree.grown(leaf(record.digest))
    about = {"stream": end.stream, "reason": "stop"}
    await store.keep_checkpoint(
        make_checkpoint(keys, head=head_of(end), tree=tree, wall_time=end.wall_time, **about)
    )


async def faults(store: Store, stream: str) -> list[str]:
    return [say(each.what) for each in (await verify(store, stream)).findings]


async def refused_at_start(store: Store, stream: str) -> str:
    """Why a server does not load a stream."""
    service = Service(store, KEYS, Clock())
    try:
        await service.start()
        await service.table(stream).load()
    except StoreFailed as error:
        return str(error)
    finally:
        await service.stop()
    return ""


async def test_every_record_of_a_server_is_signed() -> None:
    store = MemoryStore()
    await played(store)
    signatures = GroupSignatures(KEYS.public_keys)
    for stream in (FLOOR_STREAM, TABLE):
        made = await store.read(stream)
        assert all(signatures.is_genuine(record) for record in made)
        report = await verify(store, stream)
        assert (report.findings, report.signed, report.old) == ((), len(made), 0)


# a forged row


def forged_sign_in(made: tuple[Record, ...]) -> Record:
    """A session that somebody gives themselves, as a record that follows the last one."""
    last = made[-1]
    body = {
        "command": {"type": "sign-in", "name": "Nia", "session": "s", "console": "C1"},
        "events": [
            {
                "type": "signed-in",
                "session": {
                    "id": "s",
                    "person": "Nia",
                    "opened_at": "2026-01-01T00:00:00Z",
                    "console": "C1",
                },
                "step": None,
            }
        ],
    }
    envelope = replace(envelope_of(last), actor="Nia", command_id="forged")
    draft = replace(last, kind="sign-in", command_id="forged", envelope=encode(envelope), body=encode(body))
    return place(draft, head_of(last))


@pytest.mark.parametrize("how", ["unsigned", "copied signature", "another key", "an older form"])
async def test_a_forged_sign_in_is_refused_at_start_and_found(how: str) -> None:
    """To insert a row makes nobody a member of staff."""
    store = MemoryStore()
    await played(store)
    made = await store.read(FLOOR_STREAM)
    forged = forged_sign_in(made)
    if how == "copied signature":
        names = ("group_size", "group_index", "group_path", "group_key", "group_signature")
        forged = replace(forged, **{name: getattr(made[-1], name) for name in names})
    elif how == "another key":
        (forged,) = sign_group(THEIRS, (forged,))
    elif how == "an older form":
        forged = place(replace(forged, version=8), head_of(made[-1]))
    other = await copy_of(store, {FLOOR_STREAM: (*made, forged)})
    at = len(made) + 1
    refusal = "is not signed" if how in ("unsigned", "an older form") else "no key of this floor has signed"
    assert refusal in await refused_at_start(other, FLOOR_STREAM)
    said = {
        "copied signature": f"The signature of record {at} is not genuine: "
        "the floor has not signed this record in this place.",
        "another key": say(message("finding.key-not-stored", key=THEIRS.key_id)),
    }.get(how, f"Record {at} is not signed by the floor.")
    assert said in await faults(other, FLOOR_STREAM)


async def test_a_record_forged_while_a_server_runs_stops_the_table() -> None:
    store = MemoryStore()
    async with serving(store, KEYS) as service:
        guide = Guide(service.table(TABLE))
        await guide.open("mbs-super-six-etg-v3")
        last = (await store.read(TABLE))[-1]
        await store.append((place(replace(last, command_id="forged"), head_of(last)),))
        answer = await guide.send(cmd.OpenBetting(), "Dealer")
        assert not isinstance(answer, Accepted)
        assert service.table(TABLE).stopped == f"{TABLE}: record {last.sequence + 1} is not signed"


class ForgedAnswer(MemoryStore):
    """A journal in which somebody has put a row under a command, at no place of its stream."""

    forged: Record | None = None

    async def find(self, command_id: str) -> Record | None:
        forged = self.forged
        return forged if forged and forged.command_id == command_id else await super().find(command_id)


@pytest.mark.parametrize("signed", [False, True])
async def test_a_command_is_not_answered_by_a_forged_row(signed: bool) -> None:
    """Nobody is told that a wager was taken, because a row says so that nobody has signed."""
    store = ForgedAnswer()
    async with serving(store, KEYS) as service:
        guide = Guide(service.table(TABLE))
        await guide.open("mbs-super-six-etg-v3")
        last = (await store.read(TABLE))[-1]
        forged = replace(last, sequence=900, command_id="forged", version=8, group_signature=b"")
        store.forged = sign_group(THEIRS, (forged,))[0] if signed else forged
        body, actor = table_result_of(last).command, envelope_of(last).actor
        with pytest.raises(StoreFailed, match="has signed record 900"):
            await service.table(TABLE).answered(body, actor=actor, command_id="forged")


def test_a_signature_is_of_the_bytes_of_a_record() -> None:
    """Other bytes under the digest that was signed are not what was signed."""
    made = records_of(told_evening(TABLE, TRAINING))
    (signed,) = sign_group(KEYS, made[:1])
    signatures = GroupSignatures(KEYS.public_keys)
    assert signatures.is_genuine(signed)
    assert not signatures.is_genuine(replace(signed, body=b"{}"))
    assert not signatures.is_genuine(replace(signed, kind="accept-restore", command_id=MARK_ID))


# a rewritten stream


def without_signatures(made: tuple[Record, ...], form: int) -> tuple[Record, ...]:
    """The records with another form and no signatures, chained anew."""
    bare = {each.sequence: replace(each, version=form, group_signature=b"") for each in made}
    return rechained(made, bare)


@pytest.mark.parametrize("form", [8, 9])
@pytest.mark.parametrize("stream", [TABLE, FLOOR_STREAM])
async def test_a_stream_downgraded_to_unsigned_records_is_refused_and_found(stream: str, form: int) -> None:
    """Without its checkpoints and its signatures a stream is not taken for an old one."""
    store = MemoryStore()
    await played(store)
    made = await store.read(stream)
    other = await copy_of(store, {stream: without_signatures(made, form)})
    assert f"{stream}: record 1 is not signed" in await refused_at_start(other, stream)
    said = "Record 1 is not" if len(made) == 1 else f"Records 1 to {len(made)} are not"
    assert f"{said} signed by the floor." in await faults(other, stream)


async def test_an_altered_amount_in_a_stream_without_checkpoints_is_found() -> None:
    """The chain is computed anew, and the old signatures stay where they were."""
    store = MemoryStore()
    await played(store)
    made = await store.read(TABLE)
    bet = next(each for each in made if each.kind == "place-wager")
    body = bet.body.replace(b'"amount":10000', b'"amount":20000')
    assert body != bet.body
    chained = rechained(made, {bet.sequence: replace(bet, body=body)})
    names = ("group_size", "group_index", "group_path", "group_key", "group_signature")
    forged = tuple(
        replace(new, **{name: getattr(old, name) for name in names})
        for new, old in zip(chained, made, strict=True)
    )
    other = await copy_of(store, {TABLE: forged})
    assert f"no key of this floor has signed record {bet.sequence}" in await refused_at_start(other, TABLE)
    first, last = bet.sequence, len(made)
    which = f"The signature of record {first} is" if first == last else None
    several = f"The signatures of records {first} to {last} are"
    assert any(each.startswith(which or several) for each in await faults(other, TABLE))
    quick = await verify(other, TABLE, chain_only=True)
    assert [each.what.key for each in quick.findings] == ["finding.signature-not-genuine"]


async def test_a_receipt_leads_to_the_signature_of_its_group() -> None:
    store = MemoryStore()
    await played(store)
    bet = next(each for each in await store.read(TABLE) if each.kind == "place-wager")
    receipt = receipt_of_record(bet)
    assert receipt is not None
    assert (receipt.receipt, receipt.actor, receipt.says) == (2, "Ada", "100.00 placed on player.")
    assert receipt_is_genuine(receipt, KEYS.public_keys)
    for name, value in (
        ("says", "900.00 placed on player."),
        ("actor", "Ben"),
        ("at", 0),
        ("sequence", 1),
        ("digest", "00" * 32),
        ("kind", "cash-out"),
        ("command_id", "x"),
        ("table", "T2"),
        ("group", None),
    ):
        assert not receipt_is_genuine(replace(receipt, **{name: value}), KEYS.public_keys), name


# old streams


@asynccontextmanager
async def adopted(name: str, folder: Path) -> AsyncIterator[OpenedPlace]:
    """A floor that an older build has written, served once by this one."""
    where = copied(name, folder)
    async with open_floor(where) as floor:
        table = floor.service.table("evening")
        await table.load()
        books = floor.service.books("evening")
        assert books is not None
        assert await go_on(table, books, floor.keys)
    yield where


# from form 9 on records are signed
OLD = [name for name in FLOORS if int(name.split("-")[1]) < 9]


@pytest.mark.parametrize("name", OLD)
async def test_a_signed_record_marks_where_old_streams_end(name: str, tmp_path: Path) -> None:
    before: dict[str, int] = {}
    where = copied(name, tmp_path)
    store = SqliteStore(where.journal, writing=False)
    for stream in await store.streams():
        before[stream] = (await store.head(stream)).sequence
        assert not any(is_grouped(record) for record in await store.read(stream))
    await store.close()
    async with open_floor(where) as floor:
        mark = await floor.store.find(MARK_ID)
        assert mark is not None
        assert mark.sequence == before[FLOOR_STREAM] + 1
        command = floor_result_of(mark).command
        assert isinstance(command, floor_cmd.BeginSigning)
        assert {end.stream: end.sequence for end in command.ends} == before
    async with open_floor(where) as floor:  # and is not written again
        for stream, end in before.items():
            made = await floor.store.read(stream)
            assert [record.sequence for record in made if not is_grouped(record)] == [*range(1, end + 1)]
            report = await verify(floor.store, stream)
            assert report.findings == ()
            assert (report.old, report.signed) == (end, len(made) - end)


async def test_an_unsigned_record_after_the_mark_is_refused_and_found(tmp_path: Path) -> None:
    async with adopted("form-8", tmp_path) as where:
        attacker = Attacker(where.journal)
        attacker.do("DELETE FROM snapshot")
        attacker.do(
            "UPDATE record SET group_signature = x'', group_size = 0 WHERE stream = 'evening' AND"
            " sequence = (SELECT max(sequence) FROM record WHERE stream = 'evening')"
        )
        attacker.connection.close()
        async with open_floor(where) as floor:
            (why,) = floor.service.closed
            assert re.search(r"evening: record \d+ is not signed", say(why))


async def test_old_streams_without_their_mark_are_refused_and_found(tmp_path: Path) -> None:
    async with adopted("form-8", tmp_path) as where:
        attacker = Attacker(where.journal)
        attacker.do("DELETE FROM snapshot")
        attacker.do("DELETE FROM record WHERE command_id = ?", MARK_ID)
        attacker.connection.close()
        with pytest.raises(StoreFailed, match="floor: record 1 is not signed"):
            async with open_floor(where):
                pass
        store = SqliteStore(where.journal, writing=False)
        assert any("are not signed by the floor" in each for each in await faults(store, "evening"))
        await store.close()


async def test_an_old_stream_rewritten_before_its_mark_is_refused(tmp_path: Path) -> None:
    """The mark names the digest of the last unsigned record, and so vouches for all before it."""
    store = MemoryStore()
    evening = told_evening(TABLE, TRAINING)
    made = tuple(replace(each, version=8) for each in records_of(evening))
    old = rechained(made, {})
    await write(store, evening)
    before = await copy_of(store, {TABLE: old})
    await sign_end(before, old)
    async with serving(before, KEYS):
        pass
    other = rechained(old, {9: replace(old[8], wall_time=1)})
    signed = (await before.read(TABLE))[len(old) :]
    assert not signed
    after = await copy_of(before, {TABLE: other})
    assert f"{TABLE}: record {len(old)} is not signed" in await refused_at_start(after, TABLE)
    assert f"Record {len(old)} is not signed by the floor." in await faults(after, TABLE)


async def test_an_old_stream_that_ends_before_its_mark_is_refused() -> None:
    """Only its last unsigned record is vouched for: without it the others may be anything."""
    evening = told_evening(TABLE, TRAINING)
    store, before = MemoryStore(), MemoryStore()
    await write(store, evening)
    old = rechained(tuple(replace(each, version=8) for each in records_of(evening)), {})
    before = await copy_of(store, {TABLE: old})
    await sign_end(before, old)
    async with serving(before, KEYS):
        pass
    after = await copy_of(before, {TABLE: old[:-1]})
    end = len(old)
    said = f"{TABLE}: it ends at record {end - 1}, but had {end} unsigned ones"
    assert said in await refused_at_start(after, TABLE)


@pytest.mark.parametrize("signed", ["nothing", "by another key", "other records"])
async def test_an_old_journal_about_which_nobody_signed_anything_is_refused_and_found(signed: str) -> None:
    """Anybody who can write to a journal can write it in a form from before records were signed."""
    evening = told_evening(TABLE, TRAINING)
    store = MemoryStore()
    await write(store, evening)
    old = rechained(tuple(replace(each, version=8) for each in records_of(evening)), {})
    before = await copy_of(store, {TABLE: old})
    if signed == "by another key":
        await sign_end(before, old, THEIRS)
    elif signed == "other records":
        await sign_end(before, rechained(old, {9: replace(old[8], wall_time=1)}))
    with pytest.raises(
        StoreUnusable, match=f"Nobody has signed anything about the records of {TABLE}|last signed"
    ):
        async with serving(before, KEYS):
            pass
    assert await faults(before, TABLE) != []
