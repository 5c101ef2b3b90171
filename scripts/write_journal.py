"""Writes the journal that stands for this release in tests/journals: run it when a release is made.

    .venv/bin/python scripts/write_journal.py

Every later release must open and prove it. One that is there already is kept, unless --again is given, which
is right only as long as its release has not been made.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

import apsw

from environment import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from journal.journals import EVENING, random_evening, told_evening, write_file

from thirdcard import __version__
from thirdcard.auditor.exported import line_of, line_of_key
from thirdcard.journal.keys import KeyRing, new_keys
from thirdcard.journal.sqlite import SqliteStore

FOLDER = ROOT / "tests" / "journals"
SNAPSHOT_AT = 40


async def written(folder: Path) -> tuple[bytes, bytes]:
    """A journal of two tables as bytes, and its checkpoints as kept elsewhere; the key is forgotten."""
    keys = KeyRing((new_keys(),))
    evenings = (
        told_evening("evening", EVENING.read_text("utf-8")),
        random_evening("terminals", 4, 1, "mbs-super-six-etg-v3"),
    )
    path = await write_file(folder, *evenings, keys=keys, snapshot=SNAPSHOT_AT)
    store = SqliteStore(path, writing=False)
    lines = [line_of_key(public) for public in keys.public_keys.values()]
    for evening in evenings:
        lines += [line_of(each) for each in await store.checkpoints(evening.stream)]
    await store.close()
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "delete")
    connection.execute("VACUUM")
    connection.close()
    return path.read_bytes(), b"".join(lines)


def main() -> int:
    target = FOLDER / f"{__version__}.sqlite"
    if target.exists() and "--again" not in sys.argv[1:]:
        print(f"{target.relative_to(ROOT)} is there already")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        journal, checkpoints = asyncio.run(written(Path(folder)))
    FOLDER.mkdir(exist_ok=True)
    target.write_bytes(journal)
    target.with_suffix(".jsonl").write_bytes(checkpoints)
    print(f"{target.relative_to(ROOT)}: {len(journal)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
