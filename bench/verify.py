"""How fast a journal is proven: the chain alone and everything, against a bare loop over the same rows.

    .venv/bin/python bench/verify.py [ROUNDS]

The bare loop reads the rows of the same file, decodes each body and takes one SHA-256 over what a record
holds. The chain does that for every column, compares digests and places, grows the tree and compares every
checkpoint. Two evenings are proven: one in which chance plays every part, with an irregularity in most
rounds, and a plain one of seven patrons with two wagers each. All run in turns, in one process, and seconds
are those of the processor, so that a rate is one of a core.
"""

import asyncio
import hashlib
import random
import sys
import tempfile
import time
from pathlib import Path

import apsw
import msgspec
from figures import record_cost

from thirdcard.auditor.verify import verify
from thirdcard.cards import Card, Rank
from thirdcard.game import commands as cmd
from thirdcard.game.state import Phase
from thirdcard.journal.sqlite.store import SELECT_FROM_SQLITE, SqliteStore

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from journal.journals import Evening, player_evening, random_evening, seated_player, write_file

STREAM, GAME = "table-1", "mbs-tiger-v3"
PATRONS = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus")
ROUNDS = 2000
TURNS = 5  # the best of so many counts


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    measure("by chance", random_evening(STREAM, rounds, 1, GAME))
    measure("plain", plain_evening(rounds))


def measure(name: str, evening: Evening) -> None:
    """Print what an evening takes, in turns with the bare loop."""
    with tempfile.TemporaryDirectory() as folder:
        path = asyncio.run(write_file(Path(folder), evening))
        turns = [
            (bare(path), *(asyncio.run(proven(path, chain_only=only)) for only in (True, False)))
            for _ in range(TURNS)
        ]
    loop, chain, whole = (max(rates) for rates in zip(*turns, strict=True))
    record_cost(f"verify --chain, a record, {name}", 1 / chain)
    record_cost(f"verify, a record, {name}", 1 / whole)
    print(f"{GAME}, {name}: {len(evening.rounds)} rounds, {len(evening.deeds)} records")
    print(f"bare decode and SHA-256  {loop:12,.0f} records/s")
    print(f"verify --chain           {chain:12,.0f} records/s   {chain / loop:.0%} of the loop (goal: 33%)")
    print(f"verify                   {whole:12,.0f} records/s   {whole / loop:.1%} of the loop (goal: 10%)")


def plain_evening(rounds: int) -> Evening:
    """So many rounds in which nothing goes wrong, from shuffled shoes."""
    seats = ", ".join(f"{name} at {position}" for position, name in enumerate(PATRONS, start=1))
    player = seated_player(f"game {GAME}\npatrons {seats}\nDealer: opens betting\n")
    chance, cards = random.Random(1), list[Card]()
    for _ in range(rounds):
        if len(cards) < 80:
            player.do(cmd.LoadShoe(decks=8), "Pit Manager")
            cards = [Card(rank) for rank in Rank] * 32
            chance.shuffle(cards)
        player.do(cmd.OpenBetting(), "Dealer")
        for position, name in enumerate(PATRONS, start=1):
            for wager in ("player", "tie"):
                wagered = cmd.PlaceWager(patron=name, wager=wager, amount=10_000, position=position)
                player.do(wagered, name)
        player.do(cmd.CloseBetting(), "Dealer")
        while player.standing.phase is not Phase.IDLE:
            player.do(cmd.DrawCard(card=cards.pop()), "Dealer")
    assert not player.refusals
    return player_evening(STREAM, player)


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
