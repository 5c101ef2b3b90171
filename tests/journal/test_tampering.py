"""A journal file in the hands of somebody who may write it: everything they do to it is found."""

import asyncio
import contextlib
import functools
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from journal.journals import KEYS, TRAINING, Evening, rechained, records_of, told_evening, write_file
from lengths import sized
from msgspec.structs import replace

from thirdcard.auditor.exported import Exported, line_of_key
from thirdcard.auditor.verify import AGAINST_NOTHING, Against, StreamReport, verify
from thirdcard.game.events import Event, RoundSettled, RoundVoided, WagerReduced
from thirdcard.journal.checkpoints import line_of, make_checkpoint, make_snapshot
from thirdcard.journal.codec import CommandResult, encode, table_result_of
from thirdcard.journal.groups import sign_group
from thirdcard.journal.keys import KeyPair, KeyRing
from thirdcard.journal.merkle import Frontier, leaf
from thirdcard.journal.record import Record, head_of, place
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import StoreUnusable
from thirdcard.messages import say

TABLE = "table-1"
SNAPSHOT_AT = 30
CHOSEN = 34  # the record whose every byte is flipped: an answer, an outcome and a settlement
UNSIGNED = "Records 1 to 48 are not signed by the floor."
THEIR_KEYS = KeyRing((KeyPair(bytes(range(64, 96)), bytes(range(96, 128))),))


@functools.cache
def evening() -> Evening:
    """Three rounds, a ruling, a void and a dispute; signed at 8, 19, 34, 44 and 48."""
    return told_evening(TABLE, TRAINING)


@functools.cache
def records() -> tuple[Record, ...]:
    """The records as they are stored: one commit group under the key of the floor."""
    return sign_group(KEYS, records_of(evening()))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal that nobody has touched, and its checkpoints kept elsewhere."""
    folder = tmp_path_factory.mktemp("whole")
    asyncio.run(write_file(folder, evening(), snapshot=SNAPSHOT_AT))
    with sqlite3.connect(folder / "journal.sqlite") as connection:
        connection.execute("PRAGMA journal_mode = delete")
    connection.close()
    export(folder / "journal.sqlite", folder / "kept.jsonl")
    return folder


def export(journal: Path, target: Path) -> None:
    async def lines() -> bytes:
        store = SqliteStore(journal, writing=False)
        try:
            keys = [line_of_key(public) for public in KEYS.public_keys.values()]
            return b"".join([*keys, *(line_of(each) for each in await store.checkpoints(TABLE))])
        finally:
            await store.close()

    target.write_bytes(asyncio.run(lines()))


class Attacker:
    """Somebody with a database tool and the file, who knows the schema and no secret."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = memory")
        self.connection.execute("PRAGMA synchronous = off")
        triggers = self.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        assert len(triggers) == 10
        for (name,) in triggers:
            self.do(f"DROP TRIGGER {name}")
        for table in ("record", "content", "checkpoint", "snapshot"):
            # the same rows without keys, checks and types
            self.do(f"CREATE TABLE copy AS SELECT * FROM {table}")
            self.do(f"DROP TABLE {table}")
            self.do(f"ALTER TABLE copy RENAME TO {table}")

    def do(self, sql: str, *values: object) -> None:
        """Do something to the file."""
        self.connection.execute(sql, values)

    def rewrite(self, made: tuple[Record, ...]) -> None:
        """Put other records in the place of all that there are."""
        self.do("DELETE FROM record")
        for record in made:
            columns = record.__struct_fields__
            marks = ", ".join("?" * len(columns))
            self.do(
                f"INSERT INTO record ({', '.join(columns)}) VALUES ({marks})",
                *(getattr(record, each) for each in columns),
            )


@pytest.fixture
def file(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole / "journal.sqlite", tmp_path / "journal.sqlite"))


@pytest.fixture
def attacker(file: Path) -> Iterator[Attacker]:
    made = Attacker(file)
    yield made
    made.connection.close()


def verified(file: Path, against: Against = AGAINST_NOTHING, *, chain_only: bool = False) -> StreamReport:
    with auditor(file) as look:
        return look(against, chain_only=chain_only)


class Look(Protocol):
    """Prove the journal as it is by now."""

    def __call__(self, against: Against = AGAINST_NOTHING, *, chain_only: bool = False) -> StreamReport: ...


@contextlib.contextmanager
def auditor(file: Path) -> Iterator[Look]:
    """An auditor with the file open, who may look at it again and again."""

    async def opened() -> SqliteStore:
        return SqliteStore(file, writing=False)

    with asyncio.Runner() as runner:
        store = runner.run(opened())

        def look(against: Against = AGAINST_NOTHING, *, chain_only: bool = False) -> StreamReport:
            return runner.run(verify(store, TABLE, against, chain_only=chain_only))

        try:
            yield look
        finally:
            runner.run(store.close())


def told(report: StreamReport) -> list[tuple[int, str]]:
    return [(each.sequence, say(each.what)) for each in report.findings]


def test_an_untouched_journal_is_whole(whole: Path) -> None:
    against = Against(KEYS.public_keys, Exported(whole / "kept.jsonl"))
    report = verified(whole / "journal.sqlite", against)
    assert (told(report), report.first_bad, report.notes) == ([], None, ())
    assert report.records == report.signed_until == report.kept_until == len(records())
    assert report.checkpoints == report.kept == 5
    assert (report.rounds, report.wagers, report.refusals) == (3, 5, 2)


# every byte of a record

TEXTS = ("stream", "kind", "command_id", "run", "rulebook", "house", "software")
BLOBS = ("envelope", "body", "previous", "digest")
NUMBERS = ("sequence", "version", "wall_time", "monotonic")


def flips() -> Iterator[tuple[str, int, bytes | int]]:
    """Every column of the chosen record with one bit flipped in each of its bytes."""
    record = records()[CHOSEN - 1]
    for name in (*TEXTS, *BLOBS):
        value = getattr(record, name)
        raw = value.encode() if isinstance(value, str) else value
        for at in range(len(raw)):
            yield name, at, raw[:at] + bytes([raw[at] ^ 1 << at % 8]) + raw[at + 1 :]
    for name in NUMBERS:
        raw = getattr(record, name).to_bytes(8, "big", signed=True)
        for at in range(8):
            flipped = raw[:at] + bytes([raw[at] ^ 1 << at % 8]) + raw[at + 1 :]
            yield name, at, int.from_bytes(flipped, "big", signed=True)


def test_every_byte_of_a_record_flipped_is_found_and_the_record_named(attacker: Attacker) -> None:
    record = records()[CHOSEN - 1]
    checked = 0
    with auditor(attacker.path) as look:
        for name, at, value in flips():
            cast = "CAST(? AS TEXT)" if name in TEXTS else "?"
            attacker.do(f"UPDATE record SET {name} = {cast} WHERE sequence = ?", value, CHOSEN)
            report = look(chain_only=True)
            assert report.first_bad == CHOSEN, (name, at)
            assert report.records == CHOSEN - 1
            where = "WHERE command_id = ?" if name != "command_id" else "WHERE digest = ?"
            key = record.command_id if name != "command_id" else record.digest
            attacker.do(f"UPDATE record SET {name} = ? {where}", getattr(record, name), key)
            checked += 1
    lengths = {name: len(getattr(record, name)) for name in (*TEXTS, *BLOBS)}
    assert checked == sum(lengths.values()) + 8 * len(NUMBERS)
    assert told(verified(attacker.path)) == []


# records


def test_a_removed_record_is_missed(attacker: Attacker) -> None:
    attacker.do("DELETE FROM record WHERE sequence = 20")
    report = verified(attacker.path)
    assert told(report) == [(20, "Record 20 is missing; the next one is 21.")]
    assert (report.first_bad, report.records, report.signed_until, report.rounds) == (20, 19, 19, 1)


def test_a_removed_record_is_missed_also_when_the_others_close_the_gap(attacker: Attacker) -> None:
    attacker.do("DELETE FROM record WHERE sequence = 20")
    attacker.do("UPDATE record SET sequence = sequence - 1 WHERE sequence > 20")
    assert told(verified(attacker.path)) == [
        (20, "Record 20 was altered: its bytes no longer give its digest.")
    ]


def test_an_inserted_record_is_found(attacker: Attacker) -> None:
    attacker.do("UPDATE record SET sequence = sequence + 1 WHERE sequence >= 20")
    attacker.do("INSERT INTO record SELECT * FROM record WHERE sequence = 12")
    attacker.do("UPDATE record SET sequence = 20 WHERE rowid = (SELECT max(rowid) FROM record)")
    assert told(verified(attacker.path)) == [
        (20, "Record 20 was altered: its bytes no longer give its digest.")
    ]


def test_an_inserted_record_with_a_digest_of_its_own_is_found(attacker: Attacker) -> None:
    forged = place(records()[11], head_of(records()[18]))
    shifted = (replace(each, sequence=each.sequence + 1) for each in records()[19:])
    attacker.rewrite((*records()[:19], forged, *shifted))
    report = verified(attacker.path)
    assert report.first_bad == 20
    assert told(report)[0] == (
        20,
        "Record 20 (place-wager) is decided otherwise: "
        "recorded wager-placed; decided again refused: not-in-this-phase 3.1.",
    )
    assert told(report)[-2:] == [
        (21, "Record 21 was altered: its bytes no longer give its digest."),
        (20, "Record 20 is not signed by the floor."),
    ]


def test_a_record_that_stands_there_twice_is_found(attacker: Attacker) -> None:
    attacker.do("INSERT INTO record SELECT * FROM record WHERE sequence = 20")
    assert told(verified(attacker.path)) == [(21, "There is another record 20 where the next one should be.")]


def test_swapped_records_are_found(attacker: Attacker) -> None:
    attacker.do("UPDATE record SET sequence = 12 + 13 - sequence WHERE sequence IN (12, 13)")
    assert told(verified(attacker.path)) == [
        (12, "Record 12 was altered: its bytes no longer give its digest.")
    ]


def test_a_record_rewritten_with_its_own_digest_does_not_carry_the_next_one(attacker: Attacker) -> None:
    forged = place(replace(records()[11], wall_time=1), head_of(records()[10]))
    attacker.rewrite((*records()[:11], forged, *records()[12:]))
    said = "Record 13 does not follow record 12: one of the two was put in the place of another."
    assert told(verified(attacker.path)) == [(13, said), (12, "Record 12 is not signed by the floor.")]


def test_a_column_of_another_type_is_found(attacker: Attacker) -> None:
    for column, value in (("wall_time", 0.5), ("body", "text"), ("kind", b"draw-card"), ("run", None)):
        kept = attacker.connection.execute(f"SELECT {column} FROM record WHERE sequence = 9").fetchone()[0]
        attacker.do(f"UPDATE record SET {column} = ? WHERE sequence = 9", value)
        assert told(verified(attacker.path)) == [(9, "Record 9 is damaged: a column is not of its type.")], (
            column
        )
        attacker.do(f"UPDATE record SET {column} = ? WHERE sequence = 9", kept)
    assert told(verified(attacker.path)) == []


# the end


def test_a_cut_tail_is_found_through_the_checkpoints_that_are_left(attacker: Attacker) -> None:
    attacker.do("DELETE FROM record WHERE sequence > 40")
    report = verified(attacker.path)
    said = "The stream ends at record 40, but was signed when it had 44: its end was cut off."
    assert told(report) == [(41, said)]
    assert (report.records, report.signed_until, report.rounds) == (40, 34, 3)


def test_a_cut_tail_is_found_through_the_snapshot(attacker: Attacker) -> None:
    attacker.do("DELETE FROM record WHERE sequence > 25")
    attacker.do("DELETE FROM checkpoint WHERE sequence > 25")
    said = "The stream ends at record 25, but there is a snapshot of it at record 30."
    assert told(verified(attacker.path)) == [(26, said)]


@pytest.mark.parametrize("left", [40, 44, 19, 0])
def test_a_cut_tail_is_found_through_the_checkpoints_kept_elsewhere(
    attacker: Attacker, whole: Path, left: int
) -> None:
    for table in ("record", "checkpoint"):
        attacker.do(f"DELETE FROM {table} WHERE sequence > ?", left)
    attacker.do("DELETE FROM snapshot")
    assert told(verified(attacker.path)) == []
    report = verified(attacker.path, Against(kept=Exported(whole / "kept.jsonl")))
    signed = next(at for at in (8, 19, 34, 44, 48) if at > left)
    said = (
        f"The stream ends at record {left}, but a checkpoint kept elsewhere was signed when it had {signed}: "
        "its end was cut off."
    )
    assert told(report) == [(left + 1, said)]


# another history


def forked() -> Evening:
    """The evening as somebody would have liked it: nothing in it contradicts the rules."""
    text = TRAINING.replace("Bob: 333 on banker", "Bob: 900 on banker")
    return told_evening(TABLE, text)


def signed_anew(attacker: Attacker, made: tuple[Record, ...], keys: KeyRing) -> None:
    """Checkpoints over other records in the places of the old ones, by a key of their own."""
    tree = Frontier()
    for record in made:
        tree = tree.grown(leaf(record.digest))
        if record.sequence in (8, 19, 34, 44, 48):
            new = make_checkpoint(
                keys, stream=TABLE, head=head_of(record), tree=tree, wall_time=record.wall_time, reason="time"
            )
            attacker.do(
                "UPDATE checkpoint SET digest = ?, root = ?, wall_time = ?, reason = ?, key_id = ?,"
                " signature = ? WHERE sequence = ?",
                *(new.digest, new.root, new.wall_time, new.reason, new.key_id, new.signature, new.sequence),
            )
    for key_id, public in keys.public_keys.items():
        attacker.do("INSERT INTO content VALUES (?, ?)", key_id, public)


def test_a_fork_differs_from_the_next_signed_checkpoint(attacker: Attacker) -> None:
    attacker.rewrite(records_of(forked()))
    attacker.do("DELETE FROM snapshot")
    report = verified(attacker.path)
    said = (
        "The history is not the one that was signed at record 34: "
        "it was rewritten somewhere from record 20 on."
    )
    assert told(report) == [(20, said), (1, UNSIGNED)]
    assert (report.first_bad, report.signed_until, report.records) == (1, 19, 48)
    assert told(verified(attacker.path, chain_only=True)) == [(20, said), (1, UNSIGNED)]


def test_a_fork_signed_anew_is_found_by_the_keys_of_the_floor(attacker: Attacker) -> None:
    made = sign_group(THEIR_KEYS, records_of(forked()))
    attacker.rewrite(made)
    attacker.do("DELETE FROM snapshot")
    signed_anew(attacker, made, THEIR_KEYS)
    # nothing inside the journal can tell it from a true one
    assert told(verified(attacker.path)) == []
    for chain_only in (False, True):
        report = verified(attacker.path, Against(KEYS.public_keys), chain_only=chain_only)
        said = f"The key {THEIR_KEYS.key_id} has signed, which is none of the keys given."
        assert (48 if chain_only else 8, said) in told(report)
        assert told(report)[-1] == (48 if chain_only else 1, said)


def test_a_fork_signed_anew_is_found_by_the_checkpoints_kept_elsewhere(
    attacker: Attacker, whole: Path
) -> None:
    made = sign_group(THEIR_KEYS, records_of(forked()))
    attacker.rewrite(made)
    attacker.do("DELETE FROM snapshot")
    signed_anew(attacker, made, THEIR_KEYS)
    said = (
        "The history is not the one of which a checkpoint at record 34 was kept elsewhere: "
        "it was rewritten somewhere from record 20 on."
    )
    for chain_only in (False, True):
        report = verified(attacker.path, Against(kept=Exported(whole / "kept.jsonl")), chain_only=chain_only)
        assert told(report) == [(20, said)]
        assert report.kept_until == 19


def test_a_payment_rewritten_with_the_whole_chain_is_found_by_deciding_and_by_recounting(
    attacker: Attacker,
) -> None:
    result = table_result_of(records()[33])
    settled = next(event for event in result.events if isinstance(event, RoundSettled))
    bob = replace(settled.wagers[-1], paid=settled.wagers[-1].paid + 100)
    forged = replace(settled, wagers=(*settled.wagers[:-1], bob))
    events = tuple(forged if event is settled else event for event in result.events)
    made = rechained(
        records(), {34: replace(records()[33], body=encode(CommandResult(result.command, events)))}
    )
    attacker.rewrite(sign_group(KEYS, made))  # somebody who has the key
    attacker.do("DELETE FROM checkpoint")
    attacker.do("DELETE FROM snapshot")
    report = verified(attacker.path)
    sequences, said = zip(*told(report), strict=True)
    assert set(sequences) == {34}
    assert said[0].startswith(
        "Record 34 (answer-offer) is decided otherwise: recorded round-settled with wagers"
    )
    assert said[1:] == ("banker of Bob: paid 317.35, recounted 316.35.",)


def chips_for_another(event: Event) -> tuple[Event, ...]:
    return (replace(event, patron="Bob"),) if isinstance(event, WagerReduced) else (event,)


def no_void(event: Event) -> tuple[Event, ...]:
    return () if isinstance(event, RoundVoided) else (event,)


@pytest.mark.parametrize(
    ("forge", "recounted"),
    [
        (chips_for_another, "Chips on player of Ann were moved for Bob."),
        (no_void, "A round that was confirmed or decided to be void was not voided."),
    ],
)
def test_money_moved_otherwise_in_a_recomputed_chain_is_found_by_deciding_and_by_recounting(
    attacker: Attacker, forge: Callable[[Event], tuple[Event, ...]], recounted: str
) -> None:
    """5.8.2.2, 5.1.1: a stake that went to somebody else, and a void that was left out."""
    forged = {}
    for record in records():
        result = table_result_of(record)
        events = tuple(made for event in result.events for made in forge(event))
        if events != tuple(result.events):
            forged[record.sequence] = replace(record, body=encode(CommandResult(result.command, events)))
    (sequence,) = forged
    attacker.rewrite(rechained(records(), forged))
    attacker.do("DELETE FROM checkpoint")
    attacker.do("DELETE FROM snapshot")
    said = [text for at, text in told(verified(attacker.path)) if at == sequence]
    assert recounted in said
    assert any("is decided otherwise" in text for text in said)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"nonsense", "Record 12 cannot be understood: JSON is malformed: invalid character (byte 4)"),
        (
            b'{"command":{"type":"fold"}}',
            "Record 12 cannot be understood: Invalid value 'fold' - at `$.command.type`",
        ),
        (b"[" * 100_000, "Record 12 cannot be understood: "),
    ],
)
def test_nonsense_in_a_recomputed_chain_is_found(attacker: Attacker, body: bytes, said: str) -> None:
    made = rechained(records(), {12: replace(records()[11], body=body)})
    attacker.rewrite(sign_group(KEYS, made))
    attacker.do("DELETE FROM checkpoint")
    attacker.do("DELETE FROM snapshot")
    report = verified(attacker.path)
    ((sequence, found),) = told(report)
    assert sequence == 12
    assert found.startswith(said)
    assert report.records == 48


# what is signed


def flipped_cells(attacker: Attacker, table: str, where: str) -> Iterator[tuple[str, int]]:
    """A row with one bit flipped in each byte of each column, one after another."""
    names = [row[1] for row in attacker.connection.execute(f"PRAGMA table_info({table})")]
    (rowid, *row) = attacker.connection.execute(f"SELECT rowid, * FROM {table} WHERE {where}").fetchone()
    for name, value in zip(names, row, strict=True):
        raw = value.to_bytes(8, "big", signed=True) if isinstance(value, int) else value
        raw = raw.encode() if isinstance(raw, str) else raw
        for at in range(len(raw)):
            new = raw[:at] + bytes([raw[at] ^ 1 << at % 8]) + raw[at + 1 :]
            told_as = int.from_bytes(new, "big", signed=True) if isinstance(value, int) else new
            cast = "CAST(? AS TEXT)" if isinstance(value, str) else "?"
            attacker.do(f"UPDATE {table} SET {name} = {cast} WHERE rowid = ?", told_as, rowid)
            yield name, at
            attacker.do(f"UPDATE {table} SET {name} = ? WHERE rowid = ?", value, rowid)


@pytest.mark.sweep
def test_a_byte_of_a_checkpoint_flipped_is_found(attacker: Attacker) -> None:
    seen = set()
    with auditor(attacker.path) as look:
        for name, at in flipped_cells(attacker, "checkpoint", "sequence = 34"):
            if name == "stream" or at % sized(4, 1):
                continue  # of another stream it would be the only checkpoint there; some bytes stand for all
            report = look()
            assert report.findings, (name, at)
            assert report.first_bad is not None
            seen.add(name)
    assert seen == {"sequence", "digest", "root", "wall_time", "reason", "key_id", "signature"}
    assert told(verified(attacker.path)) == []


def test_a_checkpoint_moved_to_another_stream_is_found_there(attacker: Attacker) -> None:
    async def of(stream: str) -> tuple[tuple[str, ...], StreamReport]:
        store = SqliteStore(attacker.path, writing=False)
        try:
            return await store.streams(), await verify(store, stream)
        finally:
            await store.close()

    attacker.do("UPDATE checkpoint SET stream = 'table-2' WHERE sequence = 34")
    streams, report = asyncio.run(of("table-2"))
    assert streams == (TABLE, "table-2")
    said = "The checkpoint at record 34 was forged: its signature is not that of its key."
    assert told(report) == [(34, said)]


def test_a_forged_checkpoint_is_named(attacker: Attacker) -> None:
    attacker.do("UPDATE checkpoint SET reason = 'time' WHERE sequence = 19")
    said = "The checkpoint at record 19 was forged: its signature is not that of its key."
    assert told(verified(attacker.path)) == [(19, said)]


@pytest.mark.sweep
def test_a_byte_of_a_snapshot_flipped_is_found(attacker: Attacker) -> None:
    checked = 0
    with auditor(attacker.path) as look:
        for name, at in flipped_cells(attacker, "snapshot", "1"):
            checked += 1
            if name == "stream" or at % (sized(200, 10) if name == "state" else sized(8, 1)):
                continue  # a snapshot of no stream is nobody's; of the others some bytes stand for all
            assert look().findings, (name, at)
    assert checked > 1000


def test_a_snapshot_signed_by_somebody_else_is_found_by_the_fold(attacker: Attacker) -> None:
    state = attacker.connection.execute("SELECT state FROM snapshot").fetchone()[0]
    forged = state.replace(b'"credits":[]', b'"credits":[{"credits":100,"terminal":"Ann"}]')
    assert forged != state
    head, tree = head_of(records()[SNAPSHOT_AT - 1]), Frontier()
    for record in records()[:SNAPSHOT_AT]:
        tree = tree.grown(leaf(record.digest))
    made = make_snapshot(THEIR_KEYS, stream=TABLE, head=head, tree=tree, state=forged)
    attacker.do(
        "UPDATE snapshot SET state = ?, key_id = ?, signature = ?", forged, made.key_id, made.signature
    )
    for key_id, public in THEIR_KEYS.public_keys.items():
        attacker.do("INSERT INTO content VALUES (?, ?)", key_id, public)
    assert told(verified(attacker.path)) == [
        (SNAPSHOT_AT, "The snapshot at record 30 is not what the records come to.")
    ]


# contents


def test_an_altered_rulebook_is_found_and_the_chain_is_still_reported(attacker: Attacker) -> None:
    digest = records()[0].rulebook
    attacker.do("UPDATE content SET content = replace(content, '19', '91') WHERE digest = ?", digest)
    attacker.do("UPDATE content SET content = CAST(content AS BLOB) WHERE digest = ?", digest)
    report = verified(attacker.path)
    said = (
        f"The content {digest} was altered: it no longer has its digest. "
        "Nothing from here on can be decided again."
    )
    assert told(report)[0] == (1, said)
    assert (report.records, report.signed_until) == (48, 48)


def test_a_missing_house_is_found(attacker: Attacker) -> None:
    digest = records()[0].house
    attacker.do("DELETE FROM content WHERE digest = ?", digest)
    said = f"The content {digest} is not stored, so that nothing from here on can be decided again."
    assert told(verified(attacker.path))[0] == (1, said)


@pytest.mark.parametrize(
    "how", ["DELETE FROM content WHERE digest = ?", "UPDATE content SET content = x'00' WHERE digest = ?"]
)
def test_a_public_key_that_is_gone_or_altered_is_found(attacker: Attacker, how: str) -> None:
    attacker.do(how, KEYS.key_id)
    said = f"The key {KEYS.key_id} has signed, and it is not stored in the journal, or not as it was."
    assert told(verified(attacker.path))[0] == (8, said)


# the bytes of the file


def rows(file: Path) -> list[list[tuple[object, ...]]]:
    """Everything that the file holds for whoever reads it."""
    connection = sqlite3.connect(file)
    connection.text_factory = bytes
    try:
        tables = ("record", "content", "checkpoint", "snapshot")
        return [connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables]
    finally:
        connection.close()


@pytest.mark.sweep
def test_a_byte_of_the_file_that_is_altered_is_found_or_of_no_account(file: Path) -> None:
    altered, chance = sized(100, 2000), random.Random(4)
    whole, true = file.read_bytes(), rows(file)
    outcomes = {"found": 0, "unreadable": 0, "of no account": 0}
    for _ in range(altered):
        at = chance.randrange(100, len(whole))
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :])
        try:
            report = verified(file)
        except StoreUnusable:
            outcomes["unreadable"] += 1
            continue
        if report.findings:
            outcomes["found"] += 1
            continue
        outcomes["of no account"] += 1
        assert rows(file) == true, at
    assert outcomes["found"] > altered / 3, outcomes
