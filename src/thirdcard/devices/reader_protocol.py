"""How no message of a card reader is lost or taken twice: both sides of the exchange, without a network."""

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.devices.reader_lines import (
    Ack,
    Again,
    Beat,
    Numbered,
    ReaderHello,
    ReaderLine,
    ReaderReading,
    Welcome,
)


class ReaderProgress(Struct, frozen=True):
    """How far a table is with a reader: its run, the number that comes next, and the gap last asked about."""

    run: str = ""
    next: int = 1
    gap: int = 0


class Heard(Struct, frozen=True):
    """The consequences of a line: what to reply, what to take and then acknowledge, what is missing."""

    progress: ReaderProgress
    replies: tuple[ReaderLine, ...] = ()
    message: Numbered | None = None
    missing: int | None = None


def greet(progress: ReaderProgress, hello: ReaderHello) -> Heard:
    """A reader connects again, or for the first time.

    What it no longer holds and never sent is missing; a reader that lost power may have lost something too.
    """
    same = hello.run == progress.run
    lost = hello.first > progress.next if same else progress.run != ""
    next_ = max(hello.first, progress.next) if same else hello.first
    missing = progress.next if lost else None
    return Heard(ReaderProgress(hello.run, next_), (Welcome(next_),), missing=missing)


def hear(progress: ReaderProgress, line: ReaderLine | None) -> Heard:
    """A line of a connected reader, or one that was damaged."""
    match line:
        case Numbered(number=number) if number == progress.next:
            return Heard(progress, message=line)
        case Numbered(number=number) if number < progress.next:
            return Heard(progress, (Ack(progress.next - 1),))
        case Numbered() if progress.gap == progress.next:
            return Heard(progress)  # it was asked for, and these lines were on their way
        case Numbered():
            asked = replace(progress, gap=progress.next)
            return Heard(asked, (Again(progress.next),), missing=progress.next)
        case Beat(number=number) if number <= progress.next:
            return Heard(progress, (Ack(progress.next - 1),))
        case _:
            return Heard(replace(progress, gap=progress.next), (Again(progress.next),))


def taken(progress: ReaderProgress) -> Heard:
    """The message that came next is recorded."""
    return Heard(replace(progress, next=progress.next + 1), (Ack(progress.next),))


class Outbox(Struct, frozen=True):
    """The messages that a reader has sent and not heard to be recorded, oldest first, and the next number."""

    held: tuple[Numbered, ...] = ()
    next: int = 1

    @property
    def first(self) -> int:
        """The number of the oldest message that can still be sent."""
        return self.held[0].number if self.held else self.next

    def put(self, reading: ReaderReading) -> tuple["Outbox", Numbered]:
        """A reading under the next number, to be sent and held."""
        message = Numbered(self.next, reading)
        return Outbox((*self.held, message), self.next + 1), message

    def answered(self, line: ReaderLine | None) -> tuple["Outbox", tuple[Numbered, ...]]:
        """Return the outbox after an answer of the table, and the messages that must be sent again."""
        match line:
            case Welcome(number=number):
                kept = replace(self, held=self._from(number), next=max(self.next, number))
                return kept, kept.held
            case Ack(number=number):
                return replace(self, held=self._from(number + 1)), ()
            case Again(number=number):
                return self, self._from(number)
            case _:
                return self, ()

    def _from(self, number: int) -> tuple[Numbered, ...]:
        return tuple(each for each in self.held if each.number >= number)
