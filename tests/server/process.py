"""A server in a process of its own: as ``thirdcard serve``, with cheap passwords and what else a test wants.

It says in one line of JSON where it can be reached and which tables wait for a person. From then on each line
on its standard input moves its clock, and is answered by a line with the time once everybody who was due has
been called. When standard input ends, the test is gone, and so is the server.
"""

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path

import msgspec
import uvloop
from moved_clock import MovedClock
from msgspec import Struct

from thirdcard.access.credentials import Cost
from thirdcard.access.sign_in import SessionLimits
from thirdcard.clockwork.floor_file import read_floor_file
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.server.exposure import Listen
from thirdcard.server.logs import set_up_logs
from thirdcard.server.security import Guard
from thirdcard.server.serve import Serving, Wanted, serve
from thirdcard.server.training_room import TrainingFiles
from thirdcard.streams.opening import OpenedPlace

CHEAP = Cost(passes=1, memory=8, lanes=1)


class Asked(Struct, kw_only=True):
    """A server as a test wants it.

    ``flow`` is how many seconds go by on its clock in a real one: nought stands still until a test moves it.
    ``wall`` is the time at which its clock begins, in microseconds since 1970; without it, the real one.
    """

    data: str
    key: str
    postgres: str | None = None
    floor: str | None = None
    demo: bool = False
    living: bool = False
    port: int = 0
    guard: Guard = Guard()
    patience: SessionLimits = SessionLimits()
    flow: float = 1.0
    wall: int | None = None
    witness: str | None = None
    check: bool = False
    packs: str | None = None
    readers: int | None = None  # the port for card readers


class Up(Struct):
    """The message of the process once people can come in."""

    address: str
    held: tuple[str, ...]


class Moves(Struct, omit_defaults=True):
    """The moves of the clock: both clocks jump, the wall clock is set, time flows at another rate."""

    jump: float = 0.0
    step_wall: float = 0.0
    flow: float | None = None


class Moved(Struct):
    """The time after a move, in microseconds since 1970."""

    wall: int


def main(asked: Asked) -> None:
    """Serve until a signal comes."""
    set_up_logs(as_json=False)
    clock = MovedClock(flow=asked.flow, wall=asked.wall)
    file = read_floor_file(Path(asked.floor), clock.now().moment) if asked.floor else None
    wanted = Wanted(
        where=OpenedPlace(
            Path(asked.data), Path(asked.key), asked.postgres, shelf=file.shelf if file else SHIPPED
        ),
        listen=Listen(port=asked.port),
        demo=asked.demo,
        living=asked.living,
        file=file,
        guard=asked.guard,
        cost=CHEAP,
        patience=asked.patience,
        witness=asked.witness,
        check=asked.check,
        training=TrainingFiles(Path(asked.packs) if asked.packs else None),
        readers=Listen(port=asked.readers) if asked.readers is not None else None,
    )

    def told(serving: Serving) -> None:
        _say(Up(serving.address, serving.held))
        threading.Thread(target=_obey, args=(clock, asyncio.get_running_loop()), daemon=True).start()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(wanted, told, clock))


def _say(line: Struct) -> None:
    print(msgspec.json.encode(line).decode(), flush=True)


def _obey(clock: MovedClock, loop: asyncio.AbstractEventLoop) -> None:
    """Move the clock as the test says, until the test is gone."""
    for line in sys.stdin:
        moves = msgspec.json.decode(line, type=Moves)
        asyncio.run_coroutine_threadsafe(_move(clock, moves), loop).result()
        _say(Moved(clock.now().wall_time))
    os.kill(os.getpid(), signal.SIGKILL)


async def _move(clock: MovedClock, moves: Moves) -> None:
    if moves.flow is not None:
        clock.flow(moves.flow)
    clock.step_wall(moves.step_wall)
    await clock.move(moves.jump)


if __name__ == "__main__":
    main(msgspec.json.decode(sys.argv[1], type=Asked))
