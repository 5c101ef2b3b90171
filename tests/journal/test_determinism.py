"""One journal comes to one state: whatever the hash seed, the time zone, the language or the store."""

import asyncio
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from journal.journals import EVENING, random_evening, told_evening, write, write_file
from limits import LONG_ENOUGH

from thirdcard.auditor.verify import verify
from thirdcard.journal.memory import MemoryStore
from thirdcard.rulebook.shelf import SHIPPED

THIRDCARD = str(Path(sys.executable).parent / "thirdcard")
SURROUNDINGS = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Ho_Chi_Minh", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    {"PYTHONHASHSEED": "random", "TZ": "Pacific/Kiritimati", "LC_ALL": "de_DE@euro", "PYTHONUTF8": "0"},
)


def test_the_state_is_the_same_in_all_surroundings(tmp_path: Path) -> None:
    evenings = [
        random_evening(f"table-{number}", 10, number, book.id)
        for number, book in enumerate(SHIPPED.rulebooks, start=1)
    ]
    asyncio.run(write_file(tmp_path, told_evening("evening", EVENING.read_text("utf-8")), *evenings))
    said = set()
    for surroundings in SURROUNDINGS:
        done = subprocess.run(
            [THIRDCARD, "audit", "replay", "--digest", "--data", str(tmp_path)],
            env={**os.environ, **surroundings},
            capture_output=True,
            text=True,
            check=True,
            timeout=LONG_ENOUGH,
        )
        said.add(done.stdout)
    (lines,) = said
    assert len(lines.splitlines()) == len(evenings) + 1


async def test_the_digest_is_that_of_the_table_as_it_was_played() -> None:
    """Deciding and folding live, and folding what was stored, give the same bytes."""
    played = random_evening("table-1", 25, 9, "mbs-tiger-nc-v4")
    store = MemoryStore()
    await write(store, played, snapshot=len(played.deeds))
    snapshot = await store.snapshot("table-1")
    assert snapshot is not None
    report = await verify(store, "table-1")
    state = snapshot.state.partition(b',"state":')[2].removesuffix(b"}")
    assert report.state == hashlib.sha256(state).hexdigest()
