"""A later version of a rulebook on the shelf: it takes over between two rounds, from its day on."""

import datetime
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from moved_clock import NOON, MovedClock
from msgspec.structs import replace
from streams.openings import DEALER, KEYS, Guide, Noting, face, second_of

from thirdcard.auditor.verify import verify
from thirdcard.clockwork.floor_file import parse_floor_file
from thirdcard.clockwork.tables import Clockwork
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.table_setup import Automatic, Device
from thirdcard.journal.memory import MemoryStore
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.head import RoundFileHead, Seat
from thirdcard.roundfile.set_up import TABLE_NAME, set_up
from thirdcard.rulebook.document import Document
from thirdcard.rulebook.procedure import EquipmentItem
from thirdcard.rulebook.shelf import SHIPPED, Shelf
from thirdcard.staff import Post
from thirdcard.streams.floors import lacking_versions, shelf_files
from thirdcard.streams.service import Service

TIGER = SHIPPED.document("mbs-tiger-v3")
NOW = datetime.datetime.fromtimestamp(NOON / 1_000_000, datetime.UTC)
DAY, SECOND = datetime.timedelta(days=1), datetime.timedelta(seconds=1)
OLD = replace(TIGER, id="own", in_force=NOW - DAY)
FLOOR = f'format = 1\n[[table]]\nname = "{TABLE_NAME}"\ngame = "own"\n'.encode()
HANDS = "K", "K", "6", "6"  # a tie


def later(odds: str = "9 to 1", *, wagers: int = len(OLD.wagers)) -> Document:
    """Return a version of the next day whose tie pays otherwise, with so many of the wagers."""
    changed = tuple(
        replace(each, pays=tuple(replace(row, odds=odds) for row in each.pays)) if each.id == "tie" else each
        for each in OLD.wagers[:wagers]
    )
    return replace(OLD, in_force=NOW + DAY, wagers=changed)


@asynccontextmanager
async def serving(store: MemoryStore, shelf: Shelf, clock: MovedClock) -> AsyncIterator[Service]:
    """A service by a shelf, stopped at the end."""
    service = Service(store, KEYS, clock, shelf=shelf)
    await service.start()
    yield service
    await service.stop()


async def opened(service: Service) -> Guide:
    """A table of the game that stands open."""
    noting, both = Noting(service.shelf.rulebook("own", NOW)), (Automatic.EXPOSE, Automatic.CALL)
    seats = (Seat("Ada", 1),)
    head = RoundFileHead(game="own", device=Device.CARD_READING, automatic=both, patrons=seats)
    set_up(noting, head)
    guide = Guide(service.table(TABLE_NAME))
    for body, actor in noting.sent:
        await guide.do(body, actor, second_of(body))
    return guide


async def odds_of_a_tie(guide: Guide) -> str | None:
    """Play a tie; the odds at which it is paid."""
    await guide.do(cmd.OpenBetting())
    await guide.place("Ada", "tie", 10_000)
    await guide.do(cmd.CloseBetting())
    events = [event for card in HANDS for event in await guide.do(cmd.DrawCard(card=face(card)))]
    settled = next(each for each in events if isinstance(each, ev.RoundSettled))
    return next(each.odds for each in settled.wagers if each.wager == "tie")


async def test_a_later_version_takes_over_between_rounds_from_its_day_on() -> None:
    clock, store, shelf = MovedClock(wall=NOON), MemoryStore(), Shelf([OLD, later()])
    async with serving(store, shelf, clock) as service:
        guide = await opened(service)
        assert await odds_of_a_tie(guide) == "8 to 1"
        await guide.do(cmd.OpenBetting())
        clock.step_wall(2 * DAY.total_seconds())
        await guide.place("Ada", "tie", 10_000)  # a round ends by the version it began with
        books = service.books(TABLE_NAME)
        assert books is not None
        assert books.rulebook.document == OLD
        await guide.do(cmd.CloseBetting())
        for card in HANDS:
            await guide.do(cmd.DrawCard(card=face(card)))
        assert await odds_of_a_tie(guide) == "9 to 1"
        books = service.books(TABLE_NAME)
        assert books is not None
        assert books.rulebook.document == later()
    assert (await verify(store, TABLE_NAME)).findings == ()
    async with serving(store, Shelf(), clock) as service:  # the journal has what it needs
        await service.table(TABLE_NAME).load()
        assert await odds_of_a_tie(Guide(service.table(TABLE_NAME), "later")) == "9 to 1"


async def test_no_table_is_set_up_by_a_version_that_the_shelf_lacks() -> None:
    """A shut table that has not met the later version yet is not set up by the one that it knows."""
    clock, store = MovedClock(wall=NOON), MemoryStore()
    async with serving(store, Shelf([OLD]), clock) as service:
        guide = await opened(service)
        await guide.do(cmd.CloseTable(reason="the evening is over"))
        setup = guide.table.setup
    async with serving(store, Shelf(), clock) as service:
        await service.table(TABLE_NAME).load()
        guide = Guide(service.table(TABLE_NAME), "later")
        refused = await guide.send(cmd.SetUpTable(setup=setup), TABLE_NAME)
        assert isinstance(refused, Refused)
        assert refused.reason is Refusal.NO_RULEBOOK_IN_FORCE
        await guide.do(cmd.OpenTable())  # as it stands, by the version that its records name
        assert await odds_of_a_tie(guide) == "8 to 1"


@pytest.mark.parametrize(
    ("gone", "days", "lacks"),
    [
        ((0,), 0, (0,)),  # the version in force, when the next one rules tomorrow
        ((0,), 1, ()),  # a version that was replaced
        ((1,), 0, (1,)),
        ((1,), 1, (1,)),
        ((0, 1), 1, (1,)),
        ((), 1, ()),
    ],
)
def test_a_shelf_lacks_the_version_in_force_and_later_ones(
    gone: tuple[int, ...], days: int, lacks: tuple[int, ...]
) -> None:
    versions = (OLD, later())
    house = SHIPPED.house(TIGER.house)
    other = replace(house, form=replace(house.form, id="other"))
    accepted = shelf_files(Shelf(versions, [other]))
    left = Shelf([each for place, each in enumerate(versions) if place not in gone])
    names = tuple(f"own@{versions[place].in_force.isoformat()}" for place in lacks)
    assert lacking_versions(accepted, left, NOW + days * DAY) == names


def test_a_document_of_one_version_is_not_missed_for_an_older_one() -> None:
    assert lacking_versions(shelf_files(Shelf([OLD])), Shelf(), NOW) == ()
    ahead = shelf_files(Shelf([later(), replace(later(), in_force=NOW + 2 * DAY)]))
    first = f"own@{(NOW + DAY).isoformat()}"
    assert lacking_versions(ahead, Shelf([replace(later(), in_force=NOW + 2 * DAY)]), NOW) == (first,)


@pytest.mark.parametrize(
    "other",
    [
        later(wagers=len(OLD.wagers) - 1),  # limits are posted for a wager that it does not have
        replace(later(), equipment=(EquipmentItem("cut-card", OLD.clause),)),  # another check list
        replace(later(), in_force=OLD.in_force - DAY),
    ],
    ids=["other wagers", "another check list", "an older version"],
)
async def test_a_version_that_does_not_fit_an_open_table_waits(other: Document) -> None:
    clock, store = MovedClock(wall=NOON), MemoryStore()
    async with serving(store, Shelf([OLD, other]), clock) as service:
        guide = await opened(service)
        clock.step_wall(2 * DAY.total_seconds())
        assert await odds_of_a_tie(guide) == "8 to 1"


async def test_a_closed_table_is_set_up_anew_by_a_later_version() -> None:
    other = replace(later(), equipment=(EquipmentItem("cut-card", OLD.clause),))
    clock, shelf = MovedClock(wall=NOON), Shelf([OLD, other])
    async with serving(MemoryStore(), shelf, clock) as service:
        file = parse_floor_file("floor.toml", FLOOR, NOW, shelf)
        defined = await service.floor.send(file.command, actor=COMMAND_LINE, command_id="define")
        assert not isinstance(defined, Refused)
        clockwork = Clockwork(service, KEYS, clock)
        await clockwork.start()
        await until(clock, service, OLD)
        clock.step_wall(2 * DAY.total_seconds())
        guide = Guide(service.table(TABLE_NAME))
        await guide.do(cmd.ComeOnDuty(person=DEALER, post=Post("dealer")))
        await until(clock, service, other)
        await clockwork.stop()


async def until(clock: MovedClock, service: Service, document: Document) -> None:
    """Let the table go on by itself until it plays by a version."""
    for _ in range(400):
        books = service.books(TABLE_NAME)
        if books is not None and books.rulebook.document == document:
            return
        await clock.move(0)
    raise AssertionError(document.in_force)


def test_the_shelf_gives_the_version_that_is_in_force() -> None:
    shelf = Shelf([later(), OLD])
    assert shelf.versions_of("own") == (OLD, later())
    assert shelf.rulebook("own", NOW - 2 * DAY).document == OLD
    assert shelf.rulebook("own", NOW).document == OLD
    assert shelf.rulebook("own", NOW + DAY - SECOND).document == OLD
    assert shelf.rulebook("own", NOW + DAY).document == later()
    assert shelf.versions[-2:] == (OLD, later())
