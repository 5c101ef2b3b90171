"""No message of a card reader is lost or taken twice, whatever the line does in between."""

from collections import deque

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from lengths import sized

from thirdcard.cards import NEW_DECK
from thirdcard.devices.reader_lines import (
    Ack,
    Again,
    Beat,
    CardRead,
    Numbered,
    ReaderHello,
    ReaderLine,
    Refuse,
    Welcome,
    WhyNot,
    read_line,
    write_line,
)
from thirdcard.devices.reader_protocol import Heard, Outbox, ReaderProgress, greet, hear, taken


def card(number: int) -> Numbered:
    return Numbered(number, CardRead("s", NEW_DECK[number % 52]))


def hello(first: int, run: str = "a") -> ReaderHello:
    return ReaderHello("T1", "r", run, first)


# the table


def test_the_message_that_comes_next_is_taken_and_then_acknowledged() -> None:
    progress = ReaderProgress("a", 4)
    heard = hear(progress, card(4))
    assert heard == Heard(progress, message=card(4))
    assert taken(heard.progress) == Heard(ReaderProgress("a", 5), (Ack(4),))


def test_a_message_that_was_taken_is_acknowledged_again_and_not_taken() -> None:
    assert hear(ReaderProgress("a", 4), card(3)) == Heard(ReaderProgress("a", 4), (Ack(3),))


def test_a_gap_is_asked_for_once_and_told() -> None:
    first = hear(ReaderProgress("a", 4), card(6))
    assert first == Heard(ReaderProgress("a", 4, gap=4), (Again(4),), missing=4)
    assert hear(first.progress, card(7)) == Heard(first.progress)
    assert hear(first.progress, card(4)).message == card(4)


def test_a_damaged_line_is_asked_for_without_alarm() -> None:
    assert hear(ReaderProgress("a", 4), None) == Heard(ReaderProgress("a", 4, gap=4), (Again(4),))


def test_a_beat_is_answered_and_shows_what_is_missing() -> None:
    assert hear(ReaderProgress("a", 4), Beat(4)) == Heard(ReaderProgress("a", 4), (Ack(3),))
    assert hear(ReaderProgress("a", 4, gap=4), Beat(6)) == Heard(ReaderProgress("a", 4, gap=4), (Again(4),))


def test_a_reader_that_comes_back_goes_on_where_it_was() -> None:
    assert greet(ReaderProgress(), hello(1)) == Heard(ReaderProgress("a", 1), (Welcome(1),))
    assert greet(ReaderProgress("a", 9), hello(7)) == Heard(ReaderProgress("a", 9), (Welcome(9),))


def test_what_a_reader_no_longer_holds_and_never_sent_is_missing() -> None:
    assert greet(ReaderProgress("a", 9), hello(12)) == Heard(
        ReaderProgress("a", 12), (Welcome(12),), missing=9
    )


def test_a_reader_that_lost_power_may_have_lost_messages() -> None:
    assert greet(ReaderProgress("a", 9), hello(1, "b")) == Heard(
        ReaderProgress("b", 1), (Welcome(1),), missing=9
    )


def test_a_table_that_was_restarted_takes_what_the_reader_still_holds() -> None:
    assert greet(ReaderProgress(), hello(31)) == Heard(ReaderProgress("a", 31), (Welcome(31),))


# the reader


def test_messages_are_held_until_they_are_recorded() -> None:
    outbox, first = Outbox().put(card(0).reading)
    outbox, second = outbox.put(card(1).reading)
    assert (first.number, second.number, outbox.first, outbox.next) == (1, 2, 1, 3)
    assert outbox.answered(Again(2)) == (outbox, (second,))
    assert outbox.answered(Ack(1)) == (Outbox((second,), 3), ())
    assert outbox.answered(Welcome(2)) == (Outbox((second,), 3), (second,))
    assert outbox.answered(Ack(2))[0].first == 3
    assert outbox.answered(None) == (outbox, ())
    assert outbox.answered(Refuse(WhyNot.BUSY)) == (outbox, ())


def test_a_reader_that_forgot_goes_on_with_the_number_the_table_wants() -> None:
    assert Outbox().answered(Welcome(5)) == (Outbox((), 5), ())


# both, over a bad line


class BadLine(RuleBasedStateMachine):
    """A reader and a table over a line that loses, doubles, damages and disorders, and that breaks.

    The journal stands for the table's store: what it has under an id is not taken a second time.
    """

    def __init__(self) -> None:
        super().__init__()
        self.outbox = Outbox()
        self.progress = ReaderProgress()
        self.sent: list[Numbered] = []
        self.journal: dict[int, Numbered] = {}
        self.order: list[int] = []
        self.to_table: deque[bytes] = deque()
        self.to_reader: deque[bytes] = deque()
        self.connected = False

    # what the reader does

    @rule()
    def read_a_card(self) -> None:
        self.outbox, message = self.outbox.put(CardRead("s", NEW_DECK[len(self.sent) % 52]))
        self.sent.append(message)
        if self.connected:
            self.to_table.append(write_line(message))

    @precondition(lambda self: self.connected)
    @rule()
    def beat(self) -> None:
        self.to_table.append(write_line(Beat(self.outbox.next)))

    @rule()
    def connect(self) -> None:
        """A new connection: nothing of the old one arrives any more."""
        self.to_table.clear()
        self.to_reader.clear()
        self.connected = True
        heard = greet(self.progress, ReaderHello("T", "r", "run", self.outbox.first))
        assert heard.missing is None
        self.progress = heard.progress
        self._reply(heard)

    @precondition(lambda self: self.to_reader)
    @rule()
    def hear_the_table(self) -> None:
        self._reader_hears(self.to_reader.popleft())

    # what the table does

    @precondition(lambda self: self.to_table)
    @rule(recorded=st.booleans())
    def hear_the_reader(self, recorded: bool) -> None:
        self._table_hears(self.to_table.popleft(), recorded=recorded)

    @rule()
    def restart_the_table(self) -> None:
        """The process ends; its journal stays."""
        self.progress = ReaderProgress()
        self.connected = False
        self.to_table.clear()
        self.to_reader.clear()

    # what the line does

    @precondition(lambda self: self.to_table)
    @rule(at=st.integers(0, 200), what=st.sampled_from(["lose", "double", "damage", "disorder"]))
    def spoil(self, at: int, what: str) -> None:
        place = at % len(self.to_table)
        line = self.to_table[place]
        if what == "damage":
            self.to_table[place] = b"?" + line[1:]
            return
        if what != "double":
            del self.to_table[place]
        if what != "lose":
            self.to_table.insert(0 if what == "disorder" else place, line)

    @precondition(lambda self: self.to_reader)
    @rule()
    def lose_an_answer(self) -> None:
        self.to_reader.pop()

    # what holds

    @invariant()
    def nothing_is_lost_doubled_or_out_of_order(self) -> None:
        assert self.order == sorted(set(self.order)) == list(range(1, len(self.order) + 1))
        assert all(self.sent[number - 1] == message for number, message in self.journal.items())

    @invariant()
    def what_is_not_recorded_is_still_held(self) -> None:
        held = {message.number for message in self.outbox.held}
        assert {message.number for message in self.sent} - self.journal.keys() <= held

    def teardown(self) -> None:
        """On a good line everything arrives in the end."""
        self.connect()
        for _ in range(4 * len(self.sent) + 8):
            while self.to_reader:
                self._reader_hears(self.to_reader.popleft())
            while self.to_table:
                self._table_hears(self.to_table.popleft(), recorded=True)
            if self.connected:
                self.beat()
            else:
                self.connect()
        assert list(self.journal.values()) == self.sent
        while self.to_reader:
            self._reader_hears(self.to_reader.popleft())
        assert self.outbox.held == ()

    def _reader_hears(self, data: bytes) -> None:
        self.outbox, again = self.outbox.answered(read_line(data))
        self.to_table.extend(write_line(message) for message in again)

    def _table_hears(self, data: bytes, *, recorded: bool) -> None:
        heard = hear(self.progress, read_line(data))
        if heard.message is not None:
            if not recorded:  # the store is in trouble: the table hangs up and has not taken the message
                self.restart_the_table()
                return
            if heard.message.number not in self.journal:
                self.journal[heard.message.number] = heard.message
                self.order.append(heard.message.number)
            heard = taken(heard.progress)
        self.progress = heard.progress
        self._reply(heard)

    def _reply(self, heard: Heard) -> None:
        lines: tuple[ReaderLine, ...] = heard.replies
        self.to_reader.extend(write_line(line) for line in lines)


BadLine.TestCase.settings = settings(max_examples=sized(80, 2000), stateful_step_count=60)
TestBadLine = pytest.mark.sweep(BadLine.TestCase)
