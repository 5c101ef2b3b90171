"""The history of a floor: gaming days, pits and terminals as they were at each moment."""

import datetime

from access.signing import SETUP

from thirdcard.dossier.floor_history import FloorHistory
from thirdcard.floor import events as ev
from thirdcard.floor.state import DayPlan, GamingDay, TableDefinition, Terminal

NOON = datetime.datetime(2026, 6, 1, 12, tzinfo=datetime.UTC)


def in_pit(pit: str) -> ev.TableDefined:
    return ev.TableDefined(definition=TableDefinition(setup=SETUP, pit=pit), before=None)


def test_a_table_stands_in_a_pit_until_it_is_moved() -> None:
    history, table = FloorHistory(), SETUP.table
    history.follow(in_pit("Pit 1"), 10)
    history.follow(in_pit("Pit 2"), 20)
    history.follow(in_pit(""), 30)
    assert [history.pit_of(table, moment) for moment in (9, 10, 19, 20, 30)] == [
        "",
        "Pit 1",
        "Pit 1",
        "Pit 2",
        "",
    ]
    assert history.pit_of("nowhere", 15) == ""


def test_a_clock_that_is_set_back_turns_no_order_round() -> None:
    history, table = FloorHistory(), SETUP.table
    history.follow(in_pit("Pit 1"), 20)
    history.follow(in_pit("Pit 2"), 10)
    assert [history.pit_of(table, moment) for moment in (19, 20)] == ["", "Pit 2"]


def test_a_patron_has_a_terminal_while_its_session_is_open() -> None:
    history = FloorHistory()
    history.follow(ev.TerminalExpected(terminal=Terminal(id="E1", table="T1")), 1)
    history.follow(ev.PatronSessionOpened(terminal="E1", patron="Ann"), 10)
    history.follow(ev.PatronSessionClosed(terminal="E1", patron="Ann"), 20)
    assert [history.terminal_of("T1", "Ann", moment) for moment in (9, 10, 20)] == ["", "E1", ""]
    assert history.terminal_of("T2", "Ann", 10) == ""


def test_gaming_days_are_those_that_were_set() -> None:
    history = FloorHistory()
    assert history.days.zone_at(NOON.date()) == "UTC"
    history.follow(ev.GamingDaySet(plan=DayPlan(GamingDay("Asia/Singapore"), NOON)), 0)
    assert history.days.zone_at(NOON.date()) == "Asia/Singapore"
