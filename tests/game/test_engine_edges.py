"""Edges of the engine that no round file reaches."""

import datetime

import msgspec
import pytest
from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply, apply_all, begin
from thirdcard.game.decide import decide
from thirdcard.game.state import Automatic, Device, PostedLimit, Setup, Table
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.book import Rulebook
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Area
from thirdcard.rulebook.shelf import find_rulebook, shelf_house
from thirdcard.staff import Post

GAME = "mbs-tiger-v3"
NOW = datetime.datetime(2025, 6, 2, 20, tzinfo=datetime.UTC)


def rulebook(game: str = GAME) -> Rulebook:
    found = find_rulebook(game)
    assert isinstance(found, Rulebook)
    return found


def told(lines: str, game: str = GAME, house: House | None = None) -> Played:
    book = rulebook(game)
    place = house or shelf_house(book.document.house)
    return play(parse(f"game {game}\n{lines}", lambda _: place.currency), book, place)


def do(table: Table | None, body: cmd.Body, actor: str = "Pit Manager") -> tuple[ev.Event, ...] | Refused:
    envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="1")
    return decide(rulebook(), shelf_house("marina-bay-sands"), table, cmd.Command(body, envelope))


def setup(game: str = GAME) -> Setup:
    return Setup(
        table="T",
        game=game,
        house="marina-bay-sands",
        layout="A",
        positions=8,
        area=Area.MAIN_FLOOR,
        device=Device.PLAIN,
        decks=8,
        terminal=False,
        face_down=False,
        automatic=(Automatic.EXPOSE,),
        limits=tuple(PostedLimit(wager, 1000, 100000) for wager in rulebook().wagers),
        differential=1000000,
    )


def test_a_table_is_set_up_by_its_own_rulebook_and_before_anything_else() -> None:
    refused = do(None, cmd.SetUpTable(setup=setup("mbs-tiger-nc-v4")))
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.WRONG_RULEBOOK
    early = do(None, cmd.OpenBetting())
    assert isinstance(early, Refused)
    assert early.reason is Refusal.NOT_IN_THIS_PHASE


def test_setting_up_is_where_a_table_begins() -> None:
    events = do(None, cmd.SetUpTable(setup=setup()))
    assert not isinstance(events, Refused)
    (first,) = events
    assert isinstance(first, ev.TableSetUp)
    assert apply(begin(first), first) == begin(first)
    assert apply_all(begin(first), ()) == begin(first)


def in_steps_of(unit: str, minor: int) -> House:
    house = shelf_house("marina-bay-sands")
    rounding = replace(house.form.rounding, smallest_unit=unit)
    return msgspec.structs.replace(house, form=replace(house.form, rounding=rounding), unit=minor)


def test_chips_come_off_in_whole_units_only() -> None:
    story = told(
        "main 50 90000\npatrons Ann at 1\n"
        "Dealer: opens betting\nAnn: 20000 on player at 1\nAnn: takes 100.50 off player at 1\n"
        "Dealer: asks to decrease\nPit Manager: removes 100.50 of Ann on player at 1\n",
        house=in_steps_of("1", 100),
    )
    assert [refused.reason for refused in story.refusals] == [Refusal.STAKE_TOO_FINE] * 2
    assert [each.stake for each in story.table.wagers] == [2000000]


@pytest.mark.parametrize(
    ("game", "lines", "reason"),
    [
        (
            "hoiana-tiger-2024/commission",
            "patrons Ann at 1\nDealer: reports next-card-known cards 9\nDealer: reports foreign-card\n"
            "Dealer: deals the free hand\n",
            Refusal.NEW_CARDS_DUE,
        ),
        (
            GAME,
            "method A\nautomatic none\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
            "Dealer: closes betting\nDealer: finds Ann 500 on player at 1\n"
            "Dealer: finds Bob 500 on player at 2\nDealer: draws 9\n"
            "Pit Supervisor: chooses Ann for player\n",
            Refusal.CARDS_ARE_FACE_UP,
        ),
        (
            GAME,
            "patrons Ann at 1\nAnn: disputes a payment\nDealer: decides dispute 1 as rejected citing law\n",
            Refusal.NOT_AUTHORISED,
        ),
        (
            GAME,
            "method A\nautomatic none\nDealer: opens betting\nDealer: closes betting\n"
            "Dealer: draws 9 2 K 5\nDealer: opens player\nDealer: opens banker\nDealer: shows player\n"
            "Dealer: keeps the cards\n",
            Refusal.NOT_AWAITED,
        ),
    ],
)
def test_what_is_asked_at_the_wrong_moment_is_refused(game: str, lines: str, reason: Refusal) -> None:
    story = told(lines, game)
    assert [refused.reason for refused in story.refusals] == [reason]


NAIVE = datetime.datetime(2025, 6, 2, 20)  # noqa: DTZ001 - this is what is refused


@pytest.mark.parametrize(("start", "end"), [(NAIVE, NOW), (NOW, NAIVE)])
def test_nobody_acts_from_or_until_a_time_without_offset(
    start: datetime.datetime, end: datetime.datetime
) -> None:
    table = told("patrons Ann at 1").table
    body = cmd.AppointActing(person="Eve", post=Post("pit-manager"), start=start, end=end)
    refused = do(table, body)
    assert isinstance(refused, Refused)
    assert (refused.reason, refused.params) == (
        Refusal.TIME_WITHOUT_OFFSET,
        (("time", "2025-06-02T20:00:00"),),
    )


@pytest.mark.parametrize("body", [cmd.SetUpTable(setup=setup()), cmd.OpenBetting()])
def test_a_command_received_at_a_time_without_offset_is_refused(body: cmd.Body) -> None:
    envelope = cmd.Envelope(actor="Dealer", received_at=NAIVE, command_id="1")
    for table in (None, told("patrons Ann at 1").table):
        refused = decide(rulebook(), shelf_house("marina-bay-sands"), table, cmd.Command(body, envelope))
        assert isinstance(refused, Refused)
        assert refused.reason is Refusal.TIME_WITHOUT_OFFSET


@pytest.mark.parametrize(
    "body",
    [
        cmd.ComeOnDuty(person="Eve", post=Post("shift-manager")),
        cmd.AppointActing(person="Eve", post=Post("shift-manager"), start=NOW, end=NOW),
    ],
)
def test_nobody_holds_a_post_that_the_house_does_not_have(body: cmd.Body) -> None:
    refused = do(told("patrons Ann at 1").table, body)
    assert isinstance(refused, Refused)
    posts = "dealer, pit-supervisor, pit-manager, assistant-casino-manager, gaming-shift-manager"
    assert (refused.reason, refused.params) == (
        Refusal.NO_SUCH_CHOICE,
        (("choice", "shift-manager"), ("choices", posts)),
    )
