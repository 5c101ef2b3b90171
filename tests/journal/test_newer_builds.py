"""A journal that a newer build has written to is refused with a sentence, and nothing in it is altered."""

import asyncio
import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import msgspec
import pytest
from journal.kept_journals import copied
from msgspec.structs import replace
from streams.openings import Guide, serving

from thirdcard.auditor.verify import verify
from thirdcard.cli import run
from thirdcard.game import commands as cmd
from thirdcard.journal import record as frames
from thirdcard.journal.codec import FromNewerBuild, digest_of_content, encode
from thirdcard.journal.forms.steps import FORM
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.memory import MemoryStore
from thirdcard.journal.record import Draft, Record, head_of, place
from thirdcard.journal.software import ENGINE, SOFTWARE
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import Appended, Store
from thirdcard.refusals import Refusal, Refused
from thirdcard.streams.clock import Clock
from thirdcard.streams.opening import OpenedPlace
from thirdcard.streams.service import Service

Printed = pytest.CaptureFixture[str]
Words = tuple[str, ...]
AnswerTo = Callable[[Words], tuple[int, str]]
THIRDCARD = str(Path(sys.executable).parent / "thirdcard")
NEWER = f"9.9.9+form{FORM + 1}.engine{ENGINE + 1}"
NEWER_ENGINE = f"9.9.9+form{FORM}.engine{ENGINE + 1}"
KEPT = f"form-{FORM}"
Change = Callable[[Record], Draft]


async def last_of(store: Store, stream: str) -> Record:
    head = await store.head(stream)
    (last,) = await store.read(stream, after=head.sequence - 1)
    return last


async def append(store: Store, stream: str, change: Change) -> None:
    """Append what a newer build might have written."""
    last = await last_of(store, stream)
    draft = change(replace(last, command_id=f"{stream} from the future"))
    assert isinstance(await store.append((place(draft, head_of(last)),)), Appended)


def newer_form(record: Record) -> Draft:
    body = b'{"did":[{"type":"something-new"}]}'
    return replace(record, version=FORM + 1, software=NEWER, kind="something-new", body=body)


def newer_tag(record: Record) -> Draft:
    body = msgspec.json.decode(record.body)
    body["events"] = [{"type": "cards-flew-away", "clauses": []}]
    return replace(record, software=NEWER_ENGINE, body=encode(body))


@pytest.fixture
def floor(tmp_path: Path) -> OpenedPlace:
    return copied(KEPT, tmp_path)


async def written(floor: OpenedPlace, stream: str, change: Change) -> None:
    store = SqliteStore(floor.journal)
    await append(store, stream, change)
    await store.close()


def contents(floor: OpenedPlace) -> str:
    """A digest of every row of a journal."""
    rows, connection = hashlib.sha256(), apsw.Connection(str(floor.journal), flags=apsw.SQLITE_OPEN_READONLY)
    for table in ("record", "content", "checkpoint", "snapshot"):
        rows.update(repr(sorted(connection.execute(f"SELECT * FROM {table}").fetchall(), key=repr)).encode())
    connection.close()
    return rows.hexdigest()


READ_A_TABLE = (
    ("audit", "verify"),
    ("audit", "verify", "--stream", "evening"),
    ("audit", "replay"),
    ("audit", "round", "evening", "1"),
    ("audit", "dossier", "evening", "1", "--output", "OUT"),
    ("audit", "export", "--output", "OUT"),
)
OPEN_THE_FLOOR = (
    ("serve", "--listen", "127.0.0.1:0"),
    ("people", "lock", "Sue", "--reason", "why not"),
    ("terminal", "disable", "S1", "--reason", "why not"),
)


@pytest.fixture
def answer_to(floor: OpenedPlace, capsys: Printed) -> AnswerTo:
    """Asks for the exit status of a command and what it says on stderr; a server has its own process."""

    def ask(words: Words) -> tuple[int, str]:
        given = [str(floor.data.parent / "out") if word == "OUT" else word for word in words]
        where = ["--data", str(floor.data), *(["--key", str(floor.key)] if words[0] != "audit" else [])]
        if words[0] != "serve":
            return run([*given, *where]), capsys.readouterr().err
        done = subprocess.run([THIRDCARD, *given, *where], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    return ask


@pytest.mark.parametrize(
    "words", [*READ_A_TABLE, ("audit", "verify", "--chain"), *OPEN_THE_FLOOR], ids=" ".join
)
def test_a_newer_form_is_refused(words: Words, floor: OpenedPlace, answer_to: AnswerTo) -> None:
    asyncio.run(written(floor, "evening", newer_form))
    before = contents(floor)
    said = (
        f"thirdcard: evening, record 50: it has form {FORM + 1} and was written by thirdcard {NEWER};"
        f" this is thirdcard {SOFTWARE}, which reads forms up to {FORM}. Use thirdcard {NEWER} or later\n"
    )
    assert answer_to(words) == (2, said)
    assert contents(floor) == before


@pytest.mark.parametrize("words", READ_A_TABLE, ids=" ".join)
def test_an_unknown_event_of_a_newer_engine_is_refused(
    words: Words, floor: OpenedPlace, answer_to: AnswerTo
) -> None:
    asyncio.run(written(floor, "evening", newer_tag))
    status, said = answer_to(words)
    assert status == 2
    assert said.startswith("thirdcard: evening, record 50: it holds more (Invalid value 'cards-flew-away'")
    assert said.endswith(f"Use thirdcard {NEWER_ENGINE} or later\n")


@pytest.mark.parametrize("words", [("people", "list"), *OPEN_THE_FLOOR], ids=" ".join)
def test_a_newer_record_of_the_floor_is_refused(
    words: Words, floor: OpenedPlace, answer_to: AnswerTo
) -> None:
    asyncio.run(written(floor, "floor", newer_form))
    before = contents(floor)
    status, said = answer_to(words)
    assert status == 2
    assert said.startswith(
        f"thirdcard: floor, record 19: it has form {FORM + 1} and was written by thirdcard {NEWER}"
    )
    assert contents(floor) == before


def test_a_newer_frame_is_refused(
    floor: OpenedPlace, answer_to: AnswerTo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record whose digest is taken otherwise is not called altered."""
    with monkeypatch.context() as newer:
        newer.setattr(frames, "FRAMES", ((FORM + 1, _other_frame), *frames.FRAMES))
        asyncio.run(written(floor, "evening", newer_form))
    for words in (("audit", "verify"), ("audit", "verify", "--chain"), ("serve", "--listen", "127.0.0.1:0")):
        status, said = answer_to(words)
        assert status == 2
        assert f"evening, record 50: it has form {FORM + 1}" in said


def _other_frame(draft: Draft, sequence: int, previous: bytes) -> bytes:
    return hashlib.sha256(b"thirdcard record 2" + previous + b"%d" % sequence + draft.body).digest()


@pytest.mark.parametrize("what", ["rulebook", "house"])
def test_newer_rules_are_refused(what: str, floor: OpenedPlace, answer_to: AnswerTo) -> None:
    """A table that was set up under rules of a newer format is named by what it needs."""

    async def set_up() -> tuple[str, int]:
        store = SqliteStore(floor.journal)
        last = await last_of(store, "evening")
        rules = msgspec.json.decode(await store.content(getattr(last, what)) or b"")
        content = encode({"format": rules["format"] + 1, "everything": "otherwise"})
        digest = digest_of_content(content)
        await store.keep_content(digest, content)
        await append(store, "evening", lambda record: replace(record, **{what: digest}))
        await store.close()
        return digest, rules["format"]

    digest, newest = asyncio.run(set_up())
    status, said = answer_to(("audit", "verify"))
    assert status == 2
    assert said == (
        f"thirdcard: the {what} {digest} has format {newest + 1}; this is thirdcard {SOFTWARE},"
        f" which reads up to {newest}. Use the build that stored it, or a later one\n"
    )


async def test_a_version_that_was_altered_is_a_finding() -> None:
    """To alter the form of a record does not help against a build that cannot read it."""
    store = MemoryStore()
    async with serving(store) as service:
        await Guide(service.table("T1")).open("mbs-tiger-v3")
    made = await store.read("T1")
    forged = MemoryStore()
    await forged.append((*made[:4], replace(made[4], version=FORM + 1), *made[5:]))
    report = await verify(forged, "T1", chain_only=True)
    assert report.findings[0].what.key == "finding.record-altered"


async def test_a_served_table_stops_when_a_newer_build_writes_to_it() -> None:
    """Two servers share a journal, and one of them is newer: the other one stops at its first record."""
    store = MemoryStore()
    async with serving(store) as service:
        served, other = service.table("T1"), service.table("T2")
        await Guide(served).open("mbs-tiger-v3")
        await Guide(other).open("mbs-tiger-v3")
        await append(store, "T1", newer_form)
        head = await store.head("T1")
        answer = await served.send(cmd.OpenBetting(), actor="Dealer", command_id="too old")
        assert isinstance(answer, Refused)
        assert answer.reason is Refusal.TABLE_STOPPED
        assert served.stopped is not None
        assert f"it has form {FORM + 1} and was written by thirdcard {NEWER}" in served.stopped
        assert await store.head("T1") == head
        await Guide(other, "on").do(cmd.OpenBetting())


async def test_nothing_is_written_before_forms_are_looked_at() -> None:
    """Not even a public key, and no table is held."""
    store = MemoryStore()
    async with serving(store) as service:
        await Guide(service.table("T1")).open("mbs-tiger-v3")
        under_way = Guide(service.table("T2"))
        await under_way.open("mbs-tiger-v3")
        await under_way.bet(("Ada", "player", 10_000))
    head = await store.head("T2")
    await append(store, "T1", newer_form)
    keys = KeyRing((new_keys(),))
    with pytest.raises(FromNewerBuild):
        await Service(store, keys, Clock()).start()
    assert await store.content(keys.key_id) is None
    assert await store.head("T2") == head
