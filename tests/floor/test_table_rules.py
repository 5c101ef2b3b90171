"""The rules that join the floor and a table, as values."""

import typing

from access.matrices import bodies
from floor.test_floor import SETUP

from thirdcard.floor.state import Disabled, Floor
from thirdcard.floor.table_rules import refuse_new_round, refuse_to_end_session
from thirdcard.game import commands as cmd
from thirdcard.game.state import Balance, PlacedWager, Table
from thirdcard.messages import say
from thirdcard.refusals import Refusal

ALL = Floor(disabled=(Disabled(None, "Max", "fire"),))
ONE = Floor(disabled=(Disabled("T1", "Max", "damp"),))


def test_only_commands_that_begin_a_round_are_refused_at_a_disabled_table() -> None:
    tried = bodies("d", "dealer", "Ann")
    assert {type(body) for body in tried} == {*typing.get_args(cmd.Body)}
    refused = {type(body) for body in tried if refuse_new_round(ALL, "T1", body)}
    assert refused == {cmd.OpenBetting, cmd.DealFreeHand}


def test_the_reason_of_disabling_is_said() -> None:
    refused = refuse_new_round(ONE, "T1", cmd.OpenBetting())
    assert refused is not None
    assert refused.reason is Refusal.TABLE_DISABLED
    assert "damp" in say(refused.message)


def test_a_table_begins_rounds_while_another_one_is_disabled() -> None:
    assert refuse_new_round(ONE, "T2", cmd.OpenBetting()) is None
    assert refuse_new_round(Floor(), "T1", cmd.OpenBetting()) is None


def test_a_session_ends_once_neither_credits_nor_wagers_of_the_patron_are_left() -> None:
    table = Table(setup=SETUP, method=None, owners_per_area=None)
    ann = Table(setup=SETUP, method=None, owners_per_area=None, credits=(Balance("Ann", 1),))
    lying = PlacedWager(id=1, patron="Ben", position=None, wager="player", stake=100, order=1)
    ben = Table(setup=SETUP, method=None, owners_per_area=None, wagers=(lying,), credits=(Balance("Ben", 0),))
    assert refuse_to_end_session(table, "Ann") is None
    for place, patron, other in ((ann, "Ann", "Ben"), (ben, "Ben", "Ann")):
        refused = refuse_to_end_session(place, patron)
        assert refused is not None
        assert refused.reason is Refusal.CREDITS_REMAIN
        assert refuse_to_end_session(place, other) is None
