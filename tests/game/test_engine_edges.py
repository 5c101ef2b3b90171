"""Edges of the engine that no round file reaches."""

import datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.alarm_kinds import AlarmKind
from thirdcard.game.apply import apply_all, begin
from thirdcard.game.decide import decide
from thirdcard.game.shoe import Seal
from thirdcard.game.state import Hand, Holding, Table
from thirdcard.game.table_setup import Automatic, Device, PostedLimit, Setup
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.parse import RoundRules, parse
from thirdcard.roundfile.play import Played, play
from thirdcard.rulebook.book import Rulebook, rulebooks
from thirdcard.rulebook.house import House
from thirdcard.rulebook.irregularity import Area
from thirdcard.rulebook.read import read_document
from thirdcard.rulebook.shelf import SHIPPED, Shelf
from thirdcard.staff import Post

ROOT = Path(__file__).parent.parent.parent
GAME = "mbs-tiger-v3"
NOW = datetime.datetime(2025, 6, 2, 20, tzinfo=datetime.UTC)


def rulebook(game: str = GAME) -> Rulebook:
    return SHIPPED.rulebook(game)


def told(lines: str, game: str = GAME, house: House | None = None) -> Played:
    book = rulebook(game)
    place = house or SHIPPED.house(book.document.house)
    return play(parse(f"game {game}\n{lines}", RoundRules(house=place)), book, place)


def do(table: Table | None, body: cmd.Body, actor: str = "Pit Manager") -> tuple[ev.Event, ...] | Refused:
    envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="1")
    return decide(rulebook(), SHIPPED.house("marina-bay-sands"), table, cmd.Command(body, envelope))


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
    assert apply_all(begin(first), ()) == begin(first)


def in_steps_of(unit: str, minor: int) -> House:
    house = SHIPPED.house("marina-bay-sands")
    rounding = replace(house.form.rounding, smallest_unit=unit)
    return msgspec.structs.replace(house, form=replace(house.form, rounding=rounding), unit=minor)


def test_payments_and_awards_are_in_whole_units_only() -> None:
    sources = "citing game-rules lacking operating-procedures (none), accounts-of-both-parties (none), "
    sources += "surveillance-evidence (none), other-evidence (none), law (none)"
    story = told(
        "patrons Ann at 1\nDealer: opens betting\nAnn: 100 on player at 1\nDealer: closes betting\n"
        "Dealer: draws 9 2 K 5\nDealer with Pit Manager: reports wrong-payment of Ann amount 10.50\n"
        "Ann: disputes that\n"
        f"Pit Supervisor with Dealer: decides dispute 1 as so {sources} awarding 10.50\n"
        "Dealer: reports not-covered because of a lamp\n"
        "Gaming Shift Manager: rules pay paying Ann 0.50 because of the lamp\n",
        house=in_steps_of("1", 100),
    )
    assert [refused.reason for refused in story.refusals] == [Refusal.AMOUNT_TOO_FINE] * 3


def test_chips_come_off_in_whole_units_only() -> None:
    story = told(
        "main 50 90000\npatrons Ann at 1\n"
        "Dealer: opens betting\nAnn: 20000 on player at 1\nAnn: takes 100.50 off player at 1\n"
        "Dealer: asks to decrease\nAnn: stays\nPit Manager: removes 100.50 of Ann on player at 1\n",
        house=in_steps_of("1", 100),
    )
    assert [refused.reason for refused in story.refusals] == [Refusal.STAKE_TOO_FINE] * 2
    assert [each.stake for each in story.table.wagers] == [2000000]


@pytest.mark.parametrize("situation", ["late-wager", "late-withdrawal"])
@pytest.mark.parametrize(
    ("amount", "refused"), [("100.50", [Refusal.STAKE_TOO_FINE]), ("100", []), ("101", [])]
)
def test_a_late_part_of_a_stake_is_whole_units(situation: str, amount: str, refused: list[Refusal]) -> None:
    """5.4, 5.5: a part that no chips can be is a slip of whoever reports it."""
    story = told(
        "patrons Ann at 1\nDealer: opens betting\nAnn: 500 on player at 1\nDealer: closes betting\n"
        f"Dealer with Pit Manager: reports {situation} of Ann amount {amount} on player at 1\n",
        house=in_steps_of("1", 100),
    )
    assert [each.reason for each in story.refusals] == refused
    assert all(each.params for each in story.refusals)
    (wager,) = story.table.wagers
    if refused:
        assert (wager.stake, wager.pulled) == (50000, 0)


@pytest.mark.parametrize(
    ("game", "lines", "reason"),
    [
        (
            "hoiana-tiger-2024/commission",
            "patrons Ann at 1\nDealer: reports next-card-known cards 9\nDealer: reports foreign-card\n"
            "Pit Manager: confirms\nDealer: deals the free hand\n",
            Refusal.CARDS_IN_DOUBT,
        ),
        (
            GAME,
            "method A\nautomatic none\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
            "Dealer: closes betting\nDealer with Pit Manager: finds Ann 500 on player at 1\n"
            "Dealer with Pit Manager: finds Bob 500 on player at 2\nDealer: draws 9\n"
            "Pit Supervisor: chooses Ann for player\n",
            Refusal.NOT_IN_THIS_PHASE,
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


def test_an_alert_is_acknowledged_by_the_post_of_the_house_or_a_higher_one() -> None:
    lines = "".join(
        f"{person}: acknowledges the alert of record 7\n"
        for person in ("Dealer", "Pit Supervisor", "Gaming Shift Manager")
    )
    story = told(lines)
    assert [(refused.reason, dict(refused.params)) for refused in story.refusals] == [
        (Refusal.NOT_AUTHORISED, {"post": "@post.pit-supervisor"})
    ]
    seen = [(each.sequence, each.by) for each in story.events if isinstance(each, ev.AlertAcknowledged)]
    assert seen == [(7, "Pit Supervisor"), (7, "Gaming Shift Manager")]


def test_a_pause_tells_why_until_the_table_goes_on() -> None:
    paused = told("Dealer: pauses the table because the lights fail\n").table
    assert (paused.paused, paused.pause_reason) == (True, "the lights fail")
    resumed = told("Dealer: pauses the table because the lights fail\nDealer: resumes the table\n").table
    assert (resumed.paused, resumed.pause_reason) == (False, None)


SQUEEZED = (
    "method A\nautomatic none\npatrons Ann at 1, Bob at 2\nDealer: opens betting\n"
    "Ann: 600 on player at 1\nBob: 500 on player at 2\nDealer: closes betting\nDealer: draws 9 2 K 5\n"
    "Dealer: passes player to Ann\nAnn: looks at player\nAnn: looks at player\n"
)


def test_who_looked_at_a_hand_is_known_while_it_lies_with_them() -> None:
    ann = Holding(Hand.PLAYER, "Ann")
    current = told(SQUEEZED).table.round
    assert current is not None
    assert (current.looked, current.holdings) == ((ann,), (ann,))
    passed_on = told(SQUEEZED + "Ann: declines player\nDealer: passes player to Bob\n").table.round
    assert passed_on is not None
    assert (passed_on.looked, passed_on.holdings) == ((), (Holding(Hand.PLAYER, "Bob"),))


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
        refused = decide(rulebook(), SHIPPED.house("marina-bay-sands"), table, cmd.Command(body, envelope))
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


def own(lines: str) -> Played:
    """A story by a document of one's own, which says nothing about limits or late wagers."""
    document = read_document(ROOT / "examples" / "shelf" / "rulebooks" / "ez-baccarat.toml")
    shelf = Shelf([replace(document, in_force=NOW - datetime.timedelta(days=1))])
    book = shelf.rulebook(document.id)
    return play(parse(f"game {book.id}\n{lines}", RoundRules(shelf)), book, shelf.house_of(book))


def test_what_a_document_leaves_to_the_house_is_handed_back_by_a_procedure_of_the_house() -> None:
    story = own(
        "patrons Ann at 1\nDealer: opens betting\nAnn: 20 on player at 1\nAnn: 6000 on player at 1\n"
        "Dealer: closes betting\nAnn: 100 on player at 1\n"
    )
    back = [event for event in story.events if isinstance(event, ev.WagerHandedBack)]
    assert [(each.why, each.procedure, each.clauses) for each in back] == [
        ("under-minimum", "hand-back", ()),
        ("over-maximum", "hand-back", ()),
        ("betting-closed", "hand-back", ()),
    ]


def test_where_no_clause_caps_a_wager_over_the_maximum_it_acts_in_full() -> None:
    story = own(
        "patrons Ann at 1\nDealer: opens betting\nDealer: closes betting\n"
        "Dealer with Pit Manager: finds Ann 6000 on player at 1\nDealer: draws 9 2 K 5\n"
    )
    found = [event for event in story.events if isinstance(event, ev.WagerFound)]
    assert [each.clauses for each in found] == [("1.3", "2.1")]
    settled = [event.wagers[0] for event in story.events if isinstance(event, ev.RoundSettled)]
    assert [(each.in_action, each.paid) for each in settled] == [(600000, 600000)]


def test_without_a_row_about_the_differential_nobody_is_asked_to_decrease() -> None:
    document = rulebook().document
    rows = tuple(row for row in document.irregularities if row.clause != "5.18")
    (book,) = rulebooks(replace(document, irregularities=rows))
    text = (
        f"game {GAME}\nmain 50 20000\npatrons Ann at 1\n"
        "Dealer: opens betting\nAnn: 13000 on player at 1\nDealer: asks to decrease\n"
    )
    house = SHIPPED.house(document.house)
    assert not play(parse(text), rulebook(), house).refusals
    (refused,) = play(parse(text), book, house).refusals
    assert (refused.reason, refused.clauses) == (Refusal.NOT_AWAITED, ())


def test_a_seal_is_about_as_many_cards_as_the_decks_have() -> None:
    events = do(None, cmd.SetUpTable(setup=setup()), "T")
    assert not isinstance(events, Refused)
    (first,) = events
    assert isinstance(first, ev.TableSetUp)
    seal = Seal(root="00" * 32, cards=415, behind_cutting_card=16, key_id="k", content="")
    refused = do(begin(first), cmd.LoadShoe(decks=8, seal=seal), "T")
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.WRONG_NUMBER_OF_CARDS
    assert dict(refused.params) == {"needed": 416}


def test_an_alarm_at_a_table_without_cards_is_recorded_as_well() -> None:
    story = told("shoe empty\nDealer: raises the alarm reader-silent\n")
    given = [each.alarm.kind for each in story.events if isinstance(each, ev.AlarmRaised)]
    assert given == [AlarmKind.READER_SILENT]
    assert story.table.shoe is None


def test_point_totals_are_announced_when_four_cards_lie_open() -> None:
    closed = "patrons Ann at 1\nDealer: opens betting\nDealer: closes betting\n"
    covered = "method A\nautomatic none\n" + closed + "Dealer: draws 2 K 3 7\nDealer: announces 5 to 7\n"
    early = closed + "Dealer: draws 2 K\nDealer: announces 2 to 0\n"
    found = [[(each.reason, each.clauses) for each in told(lines).refusals] for lines in (covered, early)]
    assert found == [[(Refusal.HANDS_NOT_OPEN, ("3.15",))], [(Refusal.NOT_IN_THIS_PHASE, ("3.15",))]]
