"""Card readers at a floor: they reach the tables that expect one, and no others."""

import asyncio
import datetime

import pytest
from streams.openings import KEYS, serving

from thirdcard.clockwork.floor_file import parse_floor_file
from thirdcard.clockwork.readers import Readers
from thirdcard.clockwork.tables import Clockwork
from thirdcard.devices.reader_lines import ReaderHello, read_line, write_line
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.journal.memory import MemoryStore
from thirdcard.refusals import Refused
from thirdcard.rulebook.read import UnreadableFile
from thirdcard.streams.clock import Clock

NOW = datetime.datetime(2026, 11, 16, tzinfo=datetime.UTC)
FLOOR = b"""
format = 1
[[table]]
name = "Hoi An 1"
game = "hoiana-tiger-2024/commission"
reader = "deals"
[[table]]
name = "Tiger-2"
game = "mbs-tiger-v3"
"""


async def greeted(port: int, table: str) -> str:
    """The word with which a reader is answered."""
    lines, out = await asyncio.open_connection("127.0.0.1", port)
    out.write(write_line(ReaderHello(version=1, table=table, reader="r1", run="a1", first=1)))
    await out.drain()
    answer = await lines.readline()
    out.close()
    assert read_line(answer) is not None
    return answer.decode().split()[0]


async def test_a_reader_reaches_the_table_that_expects_one() -> None:
    async with serving(MemoryStore()) as service:
        file = parse_floor_file("floor.toml", FLOOR, NOW)
        answer = await service.floor.send(file.command, actor=COMMAND_LINE, command_id="define")
        assert not isinstance(answer, Refused)
        clock = Clock()
        clockwork = Clockwork(service, KEYS, clock)
        await clockwork.start()
        readers = Readers(service, clock)
        _, port = await readers.start("127.0.0.1", 0)
        assert await greeted(port, "Hoi-An-1") == "welcome"
        assert await greeted(port, "Tiger-2") == "refuse"
        assert await greeted(port, "Nowhere") == "refuse"
        await readers.stop()
        await clockwork.stop()


def test_a_reader_needs_a_card_reading_device() -> None:
    with pytest.raises(UnreadableFile) as caught:
        parse_floor_file("floor.toml", FLOOR.replace(b'v3"', b'v3"\nreader = "checks"'), NOW)
    (problem,) = caught.value.problems
    assert problem.key == "table[Tiger-2].device"
