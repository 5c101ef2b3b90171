"""How fast a journal is proven: the chain alone against a bare loop over the same rows, and everything.

    .venv/bin/python bench/verify.py [ROUNDS]

The bare loop reads the rows of the same file, decodes each body and takes one SHA-256 over what a record
holds. The chain does that for every column, compares digests and places, grows the tree and compares every
checkpoint. Seconds are those of the processor: the machines are shared.
"""

import asyncio
import hashlib
import sys
import tempfile
import time
from pathlib import Path

import apsw
import msgspec
from figures import record_cost

from thirdcard.auditor.verify import verify
from thirdcard.journal.sqlite.store import SELECT_FROM_SQLITE, SqliteStore

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from journal.journals import random_evening, write_file

STREAM, GAME = "table-1", "mbs-tiger-v3"
ROUNDS = 2000
TURNS = 5  # the best of so many counts


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        path = asyncio.run(write_file(Path(folder), random_evening(STREAM, rounds, 1, GAME)))
        turns = [(bare(path), asyncio.run(proven(path, chain_only=True))) for _ in range(TURNS)]
        loop, chain = (max(rates) for rates in zip(*turns, strict=True))
        whole = asyncio.run(proven(path, chain_only=False))
    record_cost("verify --chain, a record", 1 / chain)
    record_cost("verify, a record", 1 / whole)
    print(f"{GAME}, {rounds} rounds")
    print(f"bare decode and SHA-256  {loop:12,.0f} records/s")
    print(f"verify --chain           {chain:12,.0f} records/s   {chain / loop:.0%} of the loop (goal: 33%)")
    print(f"verify                   {whole:12,.0f} records/s   1 : {loop / whole:,.0f} of the loop")


def bare(path: Path) -> float:
    """Records a second in a loop that only decodes and hashes."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    decode = msgspec.json.Decoder().decode
    count, begun = 0, time.process_time()
    for row in connection.execute(f"{SELECT_FROM_SQLITE} WHERE stream = ? ORDER BY sequence", (STREAM,)):
        decode(row[6])
        hashlib.sha256(row[5] + row[6] + row[13]).digest()
        count += 1
    rate = count / (time.process_time() - begun)
    connection.close()
    return rate


async def proven(path: Path, *, chain_only: bool) -> float:
    """Records a second when a stream is proven."""
    store = SqliteStore(path, writing=False)
    begun = time.process_time()
    report = await verify(store, STREAM, chain_only=chain_only)
    rate = report.records / (time.process_time() - begun)
    await store.close()
    assert report.whole
    return rate


if __name__ == "__main__":
    main()
