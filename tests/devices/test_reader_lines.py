"""The lines of a card reader, letter by letter as docs/card-reader.md has them."""

import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thirdcard.cards import NEW_DECK, Card, Rank, Suit
from thirdcard.devices.reader_lines import (
    Ack,
    Again,
    Beat,
    CardBurned,
    CardMisread,
    CardRead,
    CuttingCardCame,
    Fault,
    Numbered,
    ReaderHello,
    ReaderLine,
    Refuse,
    ResultShown,
    Welcome,
    WhyNot,
    read_line,
    write_line,
)
from thirdcard.rulebook.facts import Winner

TEN = Card(Rank.TEN, Suit.HEARTS)
LINES: dict[bytes, ReaderLine] = {
    b"hello 1 T1 reader-7 4fd2 1": ReaderHello("T1", "reader-7", "4fd2", 1),
    b"hello 2 T1 reader-7 4fd2 90": ReaderHello("T1", "reader-7", "4fd2", 90, version=2),
    b"1 card 20261115-3 10H": Numbered(1, CardRead("20261115-3", TEN)),
    b"2 misread 20261115-3": Numbered(2, CardMisread("20261115-3")),
    b"3 burn 20261115-3 10H": Numbered(3, CardBurned("20261115-3", TEN)),
    b"4 cutting-card 20261115-3": Numbered(4, CuttingCardCame("20261115-3")),
    b"5 result 20261115-3 tie": Numbered(5, ResultShown("20261115-3", Winner.TIE)),
    b"6 fault 20261115-3": Numbered(6, Fault("20261115-3")),
    b"beat 7": Beat(7),
    b"welcome 1 4": Welcome(4),
    b"ack 0": Ack(0),
    b"again 12": Again(12),
    b"refuse version": Refuse(WhyNot.VERSION),
    b"refuse table": Refuse(WhyNot.TABLE),
    b"refuse busy": Refuse(WhyNot.BUSY),
}


def summed(body: bytes) -> bytes:
    return body + b" *" + format(zlib.crc32(body), "08x").encode() + b"\n"


@pytest.mark.parametrize("body", LINES, ids=lambda body: body.decode())
def test_a_line_is_written_and_read_with_its_checksum(body: bytes) -> None:
    assert write_line(LINES[body]) == summed(body)
    assert read_line(summed(body)) == LINES[body]
    assert read_line(summed(body).replace(b"\n", b"\r\n")) == LINES[body]


def test_the_checksum_is_the_usual_one() -> None:
    """The check value of CRC-32 is that of the digits 1 to 9."""
    assert zlib.crc32(b"123456789") == 0xCBF43926
    assert write_line(ReaderHello("T1", "reader-7", "4fd2", 1)) == b"hello 1 T1 reader-7 4fd2 1 *664ac5ba\n"


@pytest.mark.parametrize("card", NEW_DECK, ids=lambda card: card.text)
def test_every_card_can_be_read(card: Card) -> None:
    assert read_line(write_line(Numbered(1, CardRead("s", card)))) == Numbered(1, CardRead("s", card))


@pytest.mark.parametrize(
    "body",
    [
        b"1 card s 10",
        b"1 card s 10h",
        b"1 card s TH",
        b"1 card s 1H",
        b"1 card s",
        b"1 card s 10H now",
        b"1 card  10H",
        b"1 burn s 10",
        b"1 result s draw",
        b"1 result s",
        b"1 misread",
        b"1 shuffle s",
        b"1",
        b"01 card s 10H",
        b"-1 card s 10H",
        b"1234567890123456 card s 10H",
        b"hello 1 T1 reader-7 4fd2",
        b"hello 1 T1 reader-7 4fd2 0",
        b"hello one T1 reader-7 4fd2 1",
        b"hello 1 " + b"T" * 65 + b" reader-7 4fd2 1",
        b"welcome 1",
        b"welcome one 1",
        b"beat",
        b"beat on",
        b"ack x",
        b"again",
        b"refuse",
        b"refuse me",
        b"bye",
    ],
)
def test_what_means_nothing_is_not_read(body: bytes) -> None:
    assert read_line(summed(body)) is None


@pytest.mark.parametrize("body", LINES, ids=lambda body: body.decode())
def test_every_single_damaged_byte_is_noticed(body: bytes) -> None:
    whole = write_line(LINES[body])
    for at in range(len(whole) - 1):
        for flipped in (1, 2, 4, 8, 16, 32, 64, 128):
            damaged = bytearray(whole)
            damaged[at] ^= flipped
            assert read_line(bytes(damaged)) is None


@given(st.binary(max_size=80))
@example(b"")
@example(b"\n")
@example(b" *00000000\n")
@example(b"ack 1 *\n")
def test_no_bytes_upset_the_reader_of_lines(data: bytes) -> None:
    read_line(data)
    read_line(summed(data))
