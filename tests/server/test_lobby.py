"""The lobby over sockets: whoever watches it has the lines as they are."""

import asyncio
from pathlib import Path

import msgspec
from server.in_process import TABLE, Here, floor_here

from thirdcard.game import commands as cmd
from thirdcard.refusals import Refused
from thirdcard.server.hub import Mailbox
from thirdcard.server.security import Guard
from thirdcard.wire.frames import LobbyFrame

LONGEST = 10  # seconds until a frame has come
_frames = msgspec.json.Decoder(LobbyFrame)


async def told(mailbox: Mailbox) -> bool:
    """Return whether somebody can sit at the first position, by the next frame that comes."""
    frame = await asyncio.wait_for(mailbox.take(), LONGEST) or b""
    lines = _frames.decode(frame[frame.index(b"{") :]).tables
    return next(1 in line.free_positions for line in lines if line.table == TABLE)


async def do(here: Here, body: cmd.Body) -> None:
    """Have the dealer do something."""
    stream = here.floor.service.table(TABLE)
    answer = await stream.send(body, actor="Dee", command_id=f"lobby-{stream.head.sequence}")
    assert not isinstance(answer, Refused), answer


async def test_line_that_changes_back_is_told_to_whoever_came_between(tmp_path: Path) -> None:
    """Between two looks at all lines a patron sits down, somebody opens the lobby, and the patron leaves."""
    early, late = Mailbox(), Mailbox()
    async with floor_here(tmp_path, Guard(per_second=0)) as here:
        await here.record(1)
        here.hub.watch_lobby(early)
        assert await told(early)
        await do(here, cmd.ComeToTable(patron="Ann", position=1))
        here.hub.watch_lobby(late)
        assert not await told(late)
        await do(here, cmd.LeaveTable(patron="Ann"))
        assert await told(late)
        assert not await told(early)
        assert await told(early)
