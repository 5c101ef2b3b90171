"""A server in a process of its own: as ``thirdcard serve``, with cheap passwords and what else a test wants.

It says in one line of JSON where it can be reached and which tables wait for a person.
"""

import asyncio
import datetime
import sys
from pathlib import Path

import msgspec
import uvloop
from msgspec import Struct

from thirdcard.server.logs import set_up_logs
from thirdcard.server.security import Guard
from thirdcard.server.serve import Listen, Serving, Wanted, serve
from thirdcard.table.credentials import Cost
from thirdcard.table.floor_file import read_floor_file
from thirdcard.table.opening import Place
from thirdcard.table.sign_in import Patience

CHEAP = Cost(passes=1, memory=8, lanes=1)


class Asked(Struct, kw_only=True):
    """What a test wants."""

    data: str
    key: str
    postgres: str | None = None
    floor: str | None = None
    demo: bool = False
    port: int = 0
    guard: Guard = Guard()
    patience: Patience = Patience()


class Up(Struct):
    """What the process says once people can come in."""

    address: str
    held: tuple[str, ...]


def main(asked: Asked) -> None:
    """Serve until a signal comes."""
    set_up_logs(as_json=False)
    file = read_floor_file(Path(asked.floor), datetime.datetime.now(datetime.UTC)) if asked.floor else None
    wanted = Wanted(
        where=Place(Path(asked.data), Path(asked.key), asked.postgres),
        listen=Listen(port=asked.port),
        demo=asked.demo,
        file=file,
        guard=asked.guard,
        cost=CHEAP,
        patience=asked.patience,
    )
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(wanted, _tell))


def _tell(serving: Serving) -> None:
    print(msgspec.json.encode(Up(serving.address, serving.held)).decode(), flush=True)


if __name__ == "__main__":
    main(msgspec.json.decode(sys.argv[1], type=Asked))
