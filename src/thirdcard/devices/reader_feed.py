"""The meaning of a card reader's readings at a table: commands, and alarms where something does not fit."""

import datetime
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from thirdcard.cards import Card
from thirdcard.devices.reader_lines import (
    CardBurned,
    CardMisread,
    CardRead,
    CuttingCardCame,
    Fault,
    ReaderReading,
    ResultShown,
)
from thirdcard.floor.state import ReaderRole
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.card_sources import RESERVE, STRAY
from thirdcard.game.state import Phase, Table
from thirdcard.rulebook.facts import Winner

MOST_APART = 6  # cards that the reader and the dealer may be apart: a round


class Feed(Struct, frozen=True):
    """The cards read and not entered yet, those entered and not read yet, and which shoe is which.

    ``result`` is one that the reader showed while cards still lay face down or were dealt. Where a card was
    not ``taken`` the reader's next result is of no round of the table.
    """

    role: ReaderRole = ReaderRole.DEALS
    read: tuple[Card | None, ...] = ()
    entered: tuple[Card | None, ...] = ()
    shoe: tuple[str, int] | None = None
    result: Winner | None = None
    taken: bool = True


class Fed(Struct, frozen=True):
    """The consequences of a reading; ``instead`` is the alarm that follows if the command is refused."""

    feed: Feed
    command: cmd.Body | None = None
    instead: cmd.RaiseAlarm | None = None
    alarms: tuple[cmd.RaiseAlarm, ...] = ()


def take(feed: Feed, reading: ReaderReading, table: Table, now: datetime.datetime) -> Fed:
    """Return the consequences of a reading at a table as it is."""
    feed, strange = _same_shoe(feed, reading.shoe, table)
    feed, early = _after_result(feed, reading)
    fed = _mean(feed, reading, table)
    return replace(fed, alarms=(*strange, *early, *_unattended(reading, table, now), *fed.alarms))


def _after_result(feed: Feed, reading: ReaderReading) -> tuple[Feed, tuple[cmd.RaiseAlarm, ...]]:
    """Where a card comes after the result of its round, that was not the result of all cards."""
    if feed.result is None or not isinstance(reading, CardRead | CardMisread):
        return feed, ()
    return replace(feed, result=None), (cmd.RaiseAlarm(kind=AlarmKind.RESULT_MISMATCH),)


def _unattended(reading: ReaderReading, table: Table, now: datetime.datetime) -> tuple[cmd.RaiseAlarm, ...]:
    """The alarm due where a card leaves a real shoe while nobody is on duty, once a shoe."""
    given = table.shoe.alarms if table.shoe else ()
    moved = isinstance(reading, CardRead | CardMisread | CardBurned)
    if not moved or table.setup.training or table.is_attended_at(now) or AlarmKind.NOBODY_ON_DUTY in given:
        return ()
    return (cmd.RaiseAlarm(kind=AlarmKind.NOBODY_ON_DUTY),)


def not_taken(feed: Feed, fed: Fed) -> tuple[Feed, tuple[cmd.RaiseAlarm, ...]]:
    """Return the feed and the alarms where the table refused the command of a reading.

    A card that was not taken need not be opened and entered.
    """
    alarms = tuple(each for each in fed.alarms if each.kind is not AlarmKind.MISREAD)
    if fed.instead is None:
        return feed, alarms
    card = isinstance(fed.command, cmd.DrawCard)
    return replace(feed, taken=feed.taken and not card), (*alarms, fed.instead)


def see(feed: Feed, events: tuple[ev.Event, ...]) -> Fed:
    """Return what follows from events: a result that waited, and what a checking reader makes of entries.

    Cards that were drawn before were read before.
    """
    if any(isinstance(event, ev.RoundBegan) for event in events):
        feed = replace(feed, taken=True)
    judged = _judge_result(feed, events)
    if feed.role is ReaderRole.DEALS:
        return judged
    feed = judged.feed
    drawn = tuple(card for event in events for card in _left_the_shoe(event))
    fresh = any(isinstance(event, ev.ShoeLoaded) for event in events)
    paired = _paired(
        replace(feed, read=(), entered=()) if fresh else replace(feed, entered=feed.entered + drawn)
    )
    return replace(paired, command=judged.command)


def _judge_result(feed: Feed, events: tuple[ev.Event, ...]) -> Fed:
    """Have a result that waited compared once the outcome is known; it says nothing of another round."""
    if feed.result is None:
        return Fed(feed)
    without = replace(feed, result=None)
    if any(isinstance(event, ev.OutcomeKnown) for event in events):
        return Fed(without, cmd.ReportDeviceResult(winner=feed.result))
    over = any(isinstance(event, ev.RoundVoided | ev.RoundEnded | ev.ShoeLoaded) for event in events)
    return Fed(without if over else feed)


def _left_the_shoe(event: ev.Event) -> tuple[Card | None, ...]:
    """The cards that the reader read when this happened."""
    if isinstance(event, ev.CardsSetAside):
        return event.cards
    return (event.card,) if isinstance(event, ev.CardDrawn) and event.by not in (STRAY, RESERVE) else ()


def named_otherwise(table: Table, body: cmd.ExposeCards) -> cmd.RaiseAlarm | None:
    """The alarm due where a hand is opened with other cards than the reader read."""
    cards = table.round.cards if table.round else ()
    known = [each.card for each in cards if each.hand is body.hand]
    for read, entered in zip(known, body.cards, strict=False):
        if read is not None and read != entered:
            return cmd.RaiseAlarm(kind=AlarmKind.CARD_MISMATCH, card=read, other=entered)
    return None


def _same_shoe(feed: Feed, shoe: str, table: Table) -> tuple[Feed, tuple[cmd.RaiseAlarm, ...]]:
    """Reader and table change their shoes together, or one of them has the wrong one."""
    number = table.shoe.number if table.shoe else 0
    now = (shoe, number)
    if feed.shoe is None or feed.shoe == now:
        return replace(feed, shoe=now), ()
    both = feed.shoe[0] != shoe and feed.shoe[1] != number
    alarms = () if both else (cmd.RaiseAlarm(kind=AlarmKind.WRONG_SHOE),)
    return replace(feed, shoe=now), alarms


def _mean(feed: Feed, reading: ReaderReading, table: Table) -> Fed:
    if isinstance(reading, ResultShown):
        return _result(feed, reading, table)
    if isinstance(reading, Fault):
        return Fed(feed, alarms=(cmd.RaiseAlarm(kind=AlarmKind.READER_FAULT),))
    return _deal(feed, reading) if feed.role is ReaderRole.DEALS else _compare(feed, reading)


ReadCard = CardRead | CardMisread | CardBurned | CuttingCardCame


def _deal(feed: Feed, reading: ReadCard) -> Fed:
    match reading:
        case CardRead():
            return Fed(feed, cmd.DrawCard(card=reading.card), _unexpected(reading.card))
        case CardMisread():
            alarms = (cmd.RaiseAlarm(kind=AlarmKind.MISREAD),)
            return Fed(feed, cmd.DrawCard(card=None), _unexpected(None), alarms)
        case CardBurned():
            return Fed(feed, cmd.BurnCards(first=reading.card), _unexpected(reading.card))
        case CuttingCardCame():
            return Fed(feed, cmd.SeeCuttingCard(), _unexpected(None))
        case _:
            assert_never(reading)


def _compare(feed: Feed, reading: ReadCard) -> Fed:
    match reading:
        case CardRead():
            return _paired(replace(feed, read=(*feed.read, reading.card)))
        case CardMisread():
            fed = _paired(replace(feed, read=(*feed.read, None)))
            return replace(fed, alarms=(*fed.alarms, cmd.RaiseAlarm(kind=AlarmKind.MISREAD)))
        case CardBurned() | CuttingCardCame():
            return Fed(feed)
        case _:
            assert_never(reading)


def _result(feed: Feed, reading: ResultShown, table: Table) -> Fed:
    """The engine compares; a result waits while cards are dealt, opened or entered: all may be there.

    A result of cards that the table has not taken is compared with nothing.
    """
    entered_nowhere = feed.read and table.phase in (Phase.SHUT, Phase.IDLE)
    if entered_nowhere or not feed.taken:
        return Fed(replace(feed, taken=True))
    if table.phase is Phase.DEALING or feed.read:
        return Fed(replace(feed, result=reading.winner))
    return Fed(feed, cmd.ReportDeviceResult(winner=reading.winner))


def _unexpected(card: Card | None) -> cmd.RaiseAlarm:
    return cmd.RaiseAlarm(kind=AlarmKind.UNEXPECTED_CARD, card=card)


def _paired(feed: Feed) -> Fed:
    """Cards read and entered go in pairs; what is too far apart does not belong together any more."""
    count = min(len(feed.read), len(feed.entered))
    alarms = tuple(
        cmd.RaiseAlarm(kind=AlarmKind.CARD_MISMATCH, card=read, other=entered)
        for read, entered in zip(feed.read, feed.entered, strict=False)
        if not _agree(read, entered)
    )
    left = replace(feed, read=feed.read[count:], entered=feed.entered[count:])
    if max(len(left.read), len(left.entered)) <= MOST_APART:
        return Fed(left, alarms=alarms)
    apart = cmd.RaiseAlarm(kind=AlarmKind.UNEXPECTED_CARD, card=(*left.read, *left.entered)[0])
    return Fed(replace(left, read=(), entered=()), alarms=(*alarms, apart))


def _agree(read: Card | None, entered: Card | None) -> bool:
    """Return whether cards agree: one that nobody knows agrees with any, a rank with every card of it."""
    if read is None or entered is None:
        return True
    return read.rank is entered.rank and entered.suit in (None, read.suit)
