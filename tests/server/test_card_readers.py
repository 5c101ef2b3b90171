"""Card readers at a served floor: they speak their lines over the network, and staff see the alerts."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from server.served import Served, serving
from server.watching import Onlooker
from streams.openings import face

from thirdcard.cards import NEW_DECK
from thirdcard.devices.reader_lines import (
    Ack,
    CardRead,
    Numbered,
    ReaderHello,
    ReaderReading,
    ResultShown,
    Welcome,
    read_line,
    write_line,
)
from thirdcard.devices.reader_simulator import SimulatedFaults, Simulator, readings_of
from thirdcard.game import commands as cmd
from thirdcard.game.state import Hand
from thirdcard.messages import say
from thirdcard.rulebook.facts import Winner
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

pytestmark = pytest.mark.timed

GAME, DEALS, CHECKS, SHUT = "mbs-tiger-nc-v4", "Tiger 1", "Tiger 2", "Tiger 3"
TABLES = "".join(
    f"""
[[table]]
name = "{name}"
game = "{GAME}"
device = "card-reading"
reader = "{reader}"
"""
    for name, reader in ((DEALS, "deals"), (CHECKS, "checks"), (SHUT, "deals"))
)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port


class Reader:
    """A card reader by hand: it sends each reading as soon as the one before is acknowledged."""

    def __init__(self, lines: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        self.lines = lines
        self.out = out
        self.number = 0

    async def reads(self, cards: str) -> None:
        """Read some cards."""
        for text in cards.split():
            await self.send(CardRead("shoe-1", face(text)))

    async def shows(self, winner: Winner) -> None:
        """Show the result that the reader worked out."""
        await self.send(ResultShown("shoe-1", winner))

    async def send(self, reading: ReaderReading) -> None:
        """Send one reading; it is recorded."""
        self.number += 1
        self.out.write(write_line(Numbered(self.number, reading)))
        assert read_line(await self.lines.readline()) == Ack(self.number)


@asynccontextmanager
async def reader(port: int, table: str) -> AsyncIterator[Reader]:
    lines, out = await asyncio.open_connection("127.0.0.1", port)
    out.write(write_line(ReaderHello(table.replace(" ", "-"), "r1", "run", 1)))
    assert read_line(await lines.readline()) == Welcome(1)
    try:
        yield Reader(lines, out)
    finally:
        out.close()
        with contextlib.suppress(ConnectionError):
            await out.wait_closed()


async def dealer(served: Served, table: str) -> Onlooker:
    """A Dealer on duty at a table that is open, with a shoe."""
    dana = Onlooker(await served.staff("Dana"))
    await dana.watch(table)
    await dana.do(table, cmd.ComeOnDuty(person="Dana", post=Post("dealer")))
    desk = dana.pictures[table].view.desk
    assert desk is not None
    for item in desk.missing_equipment:
        await dana.do(table, cmd.TickEquipment(item=item))
    await dana.do(table, cmd.OpenTable())
    await dana.do(table, cmd.LoadShoe(decks=8))
    await dana.do(table, cmd.CutCards(depth=100))
    return dana


async def closes_betting(dana: Onlooker, table: str) -> None:
    await dana.do(table, cmd.OpenBetting())
    await dana.do(table, cmd.CloseBetting())


async def opens(dana: Onlooker, table: str) -> None:
    for hand in (Hand.PLAYER, Hand.BANKER):
        await dana.do(table, cmd.ExposeCards(hand=hand))


def alerts(dana: Onlooker, table: str) -> list[str]:
    """The alerts as the Dealer reads them."""
    section = dana.pictures[table].view.alerts
    assert section is not None
    return [say(each.what) for each in section.alerts]


async def test_a_result_sent_at_once_is_judged_when_the_dealer_has_opened_the_cards(tmp_path: Path) -> None:
    port = free_port()
    async with serving(tmp_path, TABLES, readers=port) as served, reader(port, DEALS) as device:
        dana = await dealer(served, DEALS)
        await closes_betting(dana, DEALS)
        await device.reads("9H 2D KS 5C")
        await device.shows(Winner.PLAYER)  # the cards still lie face down
        await opens(dana, DEALS)
        await dana.do(DEALS, cmd.CallOutcome(winner=Winner.PLAYER))

        await closes_betting(dana, DEALS)
        await device.reads("2H 4D 3S 2C")  # 5 against 6
        await opens(dana, DEALS)
        await device.reads("6H")  # a third card of 6: the Banker draws on 6
        await dana.do(DEALS, cmd.ExposeCards(hand=Hand.PLAYER))
        await device.reads("AD")
        await device.shows(Winner.BANKER)  # 1 against 7
        await dana.do(DEALS, cmd.ExposeCards(hand=Hand.BANKER))
        await dana.do(DEALS, cmd.CallOutcome(winner=Winner.BANKER))
        assert alerts(dana, DEALS) == []

        await closes_betting(dana, DEALS)
        await device.reads("9C 2S KD 5H")
        await device.shows(Winner.TIE)
        assert alerts(dana, DEALS) == []
        await opens(dana, DEALS)
        (wrong,) = await alerts_come(dana, DEALS, 1)
        assert wrong == "The dealing device shows: tie. The cards say: Player wins. The cards decide."
        await dana.close()


async def alerts_come(dana: Onlooker, table: str, count: int) -> list[str]:
    """Wait until there are so many alerts."""
    while len(alerts(dana, table)) < count:
        await dana.pictures[table].changes()
    return alerts(dana, table)


async def test_an_alarm_names_the_card_once_the_dealer_has_opened_the_hands(tmp_path: Path) -> None:
    port = free_port()
    async with serving(tmp_path, TABLES, readers=port) as served, reader(port, CHECKS) as device:
        dana = await dealer(served, CHECKS)
        await closes_betting(dana, CHECKS)
        for read, entered in (("9H", "9H"), ("2C", "2D"), ("KS", "KS"), ("5C", "5C")):
            await device.reads(read)
            await dana.do(CHECKS, cmd.DrawCard(card=face(entered)))
        (unnamed,) = await alerts_come(dana, CHECKS, 1)
        assert "2C" not in unnamed
        assert "2D" not in unnamed
        await opens(dana, CHECKS)
        (named,) = alerts(dana, CHECKS)
        assert named == "The card reader read 2C, but 2D was entered. Look at the card on the felt."
        await dana.close()


async def test_a_shoe_that_is_dealt_at_a_shut_table_gives_one_alert(tmp_path: Path) -> None:
    port = free_port()
    book = SHIPPED.rulebook(GAME)
    async with serving(tmp_path, TABLES, readers=port) as served:
        dana = Onlooker(await served.staff("Dana"))
        await dana.watch(SHUT)
        readings = readings_of(
            book,
            SHIPPED.house(book.document.house),
            NEW_DECK * 8,
            shoe="1",
            behind_cutting_card=16,
            trouble=SimulatedFaults(misread=frozenset({3, 4})),
        )
        simulator = Simulator("127.0.0.1", port, table="Tiger-3", reader="r1", trouble=SimulatedFaults())
        await simulator.run(readings)
        assert simulator.sent > 400
        (told,) = await alerts_come(dana, SHUT, 1)
        assert told == "The card reader saw a card, and nobody is on duty at the table."
        await dana.do(SHUT, cmd.ComeOnDuty(person="Dana", post=Post("dealer")))
        assert alerts(dana, SHUT) == [told]
        await dana.close()
