"""A table that stops after its round, and other limits and decks that it takes over by itself."""

import datetime

import pytest
from msgspec.structs import replace

from thirdcard.cards import NEW_DECK
from thirdcard.clauses import Clause
from thirdcard.game import commands as cmd
from thirdcard.game import events as ev
from thirdcard.game.apply import apply_all
from thirdcard.game.decide import decide
from thirdcard.game.planned import Stop, TableChange, change_of, changes_while_open
from thirdcard.game.shoe import Seal
from thirdcard.game.state import Phase, Table
from thirdcard.game.table_setup import PostedLimit
from thirdcard.refusals import Refusal, Refused
from thirdcard.roundfile.parse import parse
from thirdcard.roundfile.play import play
from thirdcard.rulebook.shelf import SHIPPED

NOW = datetime.datetime(2025, 6, 2, 22, tzinfo=datetime.UTC)
TIGER = "mbs-tiger-v3"
BETTING = """
    patrons Ann at 1
    Dealer: opens betting
    Ann: 100 on player at 1
"""
REST = """
    Dealer: closes betting
    Dealer: draws 9 2 K 5
"""
ROUND = BETTING + REST
PLAN_PAUSE = "Dealer: pauses after the round because dealers change\n"
PLAN_CLOSE = "Dealer: closes after the round because it is late\n"


def told(text: str, game: str = TIGER) -> Table:
    book = SHIPPED.rulebook(game)
    lines = [line.strip() for line in text.strip().splitlines()]
    return play(parse("\n".join([f"game {game}", *lines])), book, SHIPPED.house(book.document.house)).table


def asked(
    table: Table, body: cmd.Body, actor: str = "Dealer", game: str = TIGER
) -> tuple[ev.Event, ...] | Refused:
    book = SHIPPED.rulebook(game)
    envelope = cmd.Envelope(actor=actor, received_at=NOW, command_id="c")
    return decide(book, SHIPPED.house(table.setup.house), table, cmd.Command(body, envelope))


def done(table: Table, body: cmd.Body, actor: str = "Dealer") -> Table:
    events = asked(table, body, actor)
    assert not isinstance(events, Refused), events
    return apply_all(table, events)


def why(table: Table, body: cmd.Body, actor: str = "Dealer") -> Refusal:
    refused = asked(table, body, actor)
    assert isinstance(refused, Refused), refused
    return refused.reason


# stops


def test_a_planned_pause_comes_with_the_end_of_the_round() -> None:
    before = told(BETTING + PLAN_PAUSE)
    assert before.stop is not None
    assert (before.stop.stop, before.stop.by, before.stop.reason) == (Stop.PAUSE, "Dealer", "dealers change")
    assert not before.paused
    after = told(BETTING + PLAN_PAUSE + REST)
    assert (after.phase, after.paused, after.pause_reason) == (Phase.IDLE, True, "dealers change")
    assert after.stop is None


def test_a_planned_close_comes_with_the_end_of_the_round() -> None:
    after = told(BETTING + PLAN_CLOSE + REST)
    assert (after.phase, after.stop, after.closed) == (Phase.SHUT, None, True)


@pytest.mark.parametrize(("stop", "phase"), [(Stop.PAUSE, Phase.IDLE), (Stop.CLOSE, Phase.SHUT)])
def test_between_rounds_a_table_stops_at_once(stop: Stop, phase: Phase) -> None:
    after = done(told(ROUND), cmd.StopAfterRound(stop=stop, reason="it is late"))
    assert (after.phase, after.paused) == (phase, stop is Stop.PAUSE)


def test_a_table_plays_on_where_the_stop_is_cancelled() -> None:
    after = told(BETTING + PLAN_CLOSE + "Dealer: plays on after the round\n" + REST)
    assert (after.phase, after.stop) == (Phase.IDLE, None)


def test_a_void_round_is_over_as_well() -> None:
    after = told(
        BETTING
        + "Dealer: reports not-covered because the lamp fell\n"
        + PLAN_CLOSE
        + "Gaming Shift Manager: rules void-round because of rain\n"
    )
    assert after.phase is Phase.SHUT


def test_only_staff_plan_a_stop_and_only_once_it_makes_sense() -> None:
    table = told(BETTING)
    plan = cmd.StopAfterRound(stop=Stop.PAUSE, reason="x")
    assert why(table, plan, "Ann") is Refusal.NOT_STAFF
    assert why(table, cmd.CancelStop(), "Ann") is Refusal.NOT_STAFF
    assert why(table, cmd.CancelStop()) is Refusal.NOT_AWAITED
    paused = done(table, cmd.PauseTable(reason="a drink"))
    assert why(paused, plan) is Refusal.TABLE_PAUSED
    assert why(told(ROUND + "Dealer: closes the table because late\n"), plan) is Refusal.NOT_IN_THIS_PHASE


def test_a_planned_pause_is_over_once_the_table_is_paused_otherwise() -> None:
    after = done(told(BETTING + PLAN_PAUSE), cmd.PauseTable(reason="a drink"))
    assert (after.stop, after.pause_reason) == (None, "a drink")


def test_a_planned_close_outlasts_a_pause() -> None:
    after = done(told(BETTING + PLAN_CLOSE), cmd.PauseTable(reason="a drink"))
    assert after.stop is not None


def test_a_free_hand_is_dealt_before_the_table_closes() -> None:
    hoiana = "hoiana-tiger-2024/commission"
    owed = told(ROUND + "Dealer: reports exposed-in-movement\n", hoiana)
    assert owed.free_hand_by is not None
    events = asked(owed, cmd.StopAfterRound(stop=Stop.CLOSE, reason="late"), game=hoiana)
    assert not isinstance(events, Refused)
    after = apply_all(owed, events)
    assert (after.phase, after.stop is not None) == (Phase.IDLE, True)


def sealed(table: Table) -> Table:
    """The table with a sealed shoe in use."""
    assert table.shoe is not None
    return replace(table, shoe=replace(table.shoe, seal=SEAL))


SEAL = Seal(root="0" * 64, cards=416, behind_cutting_card=14, key_id="k", content="")
PLAN = cmd.StopAfterRound(stop=Stop.CLOSE, reason="late")
OPEN = cmd.OpenShoe(order=NEW_DECK * 8, secret="00" * 32)


def test_the_post_for_new_cards_plans_to_close_over_a_sealed_shoe() -> None:
    table = sealed(told(BETTING))
    refused = asked(table, PLAN)
    assert isinstance(refused, Refused)
    assert (refused.reason, dict(refused.params)) == (Refusal.NOT_AUTHORISED, {"post": "@post.pit-manager"})
    assert done(table, PLAN, "Pit Manager").stop is not None


def test_a_table_lays_its_sealed_shoe_open_and_closes() -> None:
    table = done(sealed(told(ROUND)), PLAN, "Pit Manager")
    assert table.phase is Phase.IDLE
    assert why(table, cmd.OpenBetting()) is Refusal.TABLE_CLOSES
    assert why(table, cmd.CloseTable(reason="x")) is Refusal.SHOE_NOT_OPENED
    assert why(table, cmd.LoadShoe(decks=8)) is Refusal.NOT_AUTHORISED
    events = asked(table, OPEN, "Table")
    assert not isinstance(events, Refused)
    assert [type(each) for each in events] == [ev.ShoeOpened, ev.TableClosed]
    assert why(table, OPEN, "Ann") is Refusal.NOT_STAFF


def test_a_table_does_not_close_over_a_sealed_shoe_that_a_clause_keeps() -> None:
    table = sealed(told(BETTING))
    assert table.shoe is not None
    kept = replace(table, shoe=replace(table.shoe, keep_by=Clause("7.1")))
    assert why(kept, PLAN, "Pit Manager") is Refusal.SHOE_IS_KEPT


# changes

PLAYER = PostedLimit("player", 10_000, 900_000)


def change(table: Table, *limits: PostedLimit, decks: int = 8) -> TableChange:
    own = {each.wager: each for each in limits}
    posted = tuple(own.get(each.wager, each) for each in table.setup.limits)
    return replace(change_of(table.setup), limits=posted, decks=decks)


def test_limits_change_with_the_next_opening_of_betting() -> None:
    table = told(BETTING)
    planned = done(table, cmd.ChangeTable(change=change(table, PLAYER, decks=6)), "Table")
    assert planned.setup == table.setup
    assert planned.decks_to_load == 6
    ended = replace(planned, phase=Phase.IDLE, wagers=())
    events = asked(ended, cmd.OpenBetting())
    assert not isinstance(events, Refused)
    assert [type(each) for each in events][:2] == [ev.TableChanged, ev.BettingOpened]
    assert events[0].clauses == ("3.5.1",)
    after = apply_all(ended, events)
    assert after.setup.limit_by_wager["player"] == PLAYER
    assert (after.setup.decks, after.change, after.decks_to_load) == (6, None, 6)


def test_a_change_back_to_what_holds_takes_the_plan_away() -> None:
    table = told(ROUND)
    planned = done(table, cmd.ChangeTable(change=change(table, PLAYER)), "Table")
    assert done(planned, cmd.ChangeTable(change=change_of(table.setup)), "Table").change is None


def test_a_closed_table_takes_a_change_as_well() -> None:
    closed = told(ROUND + "Dealer: closes the table because late\n")
    assert done(closed, cmd.ChangeTable(change=change(closed, PLAYER)), "Table").change is not None


@pytest.mark.parametrize(
    ("limits", "decks", "reason"),
    [
        ((PostedLimit("player", 600, 500),), 8, Refusal.LIMITS_CROSSED),
        ((PostedLimit("player", 0, 500),), 8, Refusal.LIMIT_NOT_POSSIBLE),
        ((PostedLimit("player", 101, 500),), 8, Refusal.LIMIT_NOT_POSSIBLE),
        ((PostedLimit("player", 100, 501),), 8, Refusal.LIMIT_NOT_POSSIBLE),
        ((), 99, Refusal.DECKS_NOT_PERMITTED),
    ],
)
def test_a_change_that_no_table_can_have_is_refused(
    limits: tuple[PostedLimit, ...], decks: int, reason: Refusal
) -> None:
    table = told(ROUND)
    body = cmd.ChangeTable(change=change(table, *limits, decks=decks))
    book, house = SHIPPED.rulebook(TIGER), SHIPPED.house(table.setup.house)
    whole_units = replace(house, unit=100)
    envelope = cmd.Envelope(actor="Table", received_at=NOW, command_id="c")
    refused = decide(book, whole_units, table, cmd.Command(body, envelope))
    assert isinstance(refused, Refused)
    assert refused.reason is reason


def test_every_wager_has_one_limit_and_the_differential_is_none_below_zero() -> None:
    table = told(ROUND)
    whole = change_of(table.setup)
    for wrong in (
        replace(whole, limits=whole.limits[1:]),
        replace(whole, limits=(*whole.limits, whole.limits[0])),
        replace(whole, differential=-1),
    ):
        assert why(table, cmd.ChangeTable(change=wrong), "Table") is Refusal.LIMITS_NOT_POSTED


def test_nobody_but_the_table_changes_itself() -> None:
    table = told(ROUND)
    assert why(table, cmd.ChangeTable(change=change(table, PLAYER)), "Pit Manager") is Refusal.NOT_PERMITTED


def test_other_positions_are_no_change_of_an_open_table() -> None:
    setup = told(ROUND).setup
    assert changes_while_open(setup, replace(setup, decks=6, differential=1))
    assert not changes_while_open(setup, replace(setup, positions=3))
