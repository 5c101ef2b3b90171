"""Service accounts: two people make one, one person ends it, and its name is nobody else's."""

import datetime

import pytest
from floor.test_floor import NOW, Manager, account, enrolment, manager, named  # noqa: F401 - a fixture

from thirdcard.floor import commands as cmd
from thirdcard.floor import events as ev
from thirdcard.floor.standing import COMMAND_LINE, SERVER
from thirdcard.floor.state import Scope, ServiceAccount
from thirdcard.refusals import Refusal
from thirdcard.staff import Post

DAY = datetime.timedelta(days=1)


def test_two_people_make_a_service_account(manager: Manager) -> None:  # noqa: F811
    body = account("Cage", Scope.METRICS, Scope.TABLES, Scope.METRICS, days=30)
    for second in (None, "Gil", "Dana", "Sue", "Tom", "Amy", "Stranger", COMMAND_LINE):
        assert manager.why(body, "Gil", second) is Refusal.SECOND_PERSON_NEEDED, second
    assert manager.why(body, "Max", "Gil") is Refusal.NOT_PERMITTED
    made = ServiceAccount(
        name="Cage",
        scopes=(Scope.TABLES, Scope.METRICS),
        token="t-Cage",
        since=NOW,
        ends=NOW + 30 * DAY,
        by="Gil",
        second="Max",
    )
    assert manager.do(body, "Gil", "Max") == (ev.AccountAdded(account=made),)
    assert manager.floor.account("Cage") == made
    assert made.makers == ("Gil", "Max")


def test_the_machine_itself_makes_a_service_account(manager: Manager) -> None:  # noqa: F811
    manager.do(account())
    made = manager.floor.account("Cage")
    assert made is not None
    assert made.makers == (COMMAND_LINE,)
    assert manager.why(account("Other"), SERVER) is Refusal.SECOND_PERSON_NEEDED


def test_a_service_account_is_never_a_second_person(manager: Manager) -> None:  # noqa: F811
    manager.do(account())
    new = cmd.AddPerson(name="New", posts=(Post("dealer"),), password="hash")
    for body in (new, account("Other"), enrolment("E2")):
        assert manager.why(body, "Gil", "Cage") is Refusal.SECOND_PERSON_NEEDED
        assert manager.why(body, "Cage", "Gil") is Refusal.NOT_PERMITTED


@pytest.mark.parametrize("days", [0, -1, 367])
def test_a_service_account_lasts_a_day_to_a_year(manager: Manager, days: int) -> None:  # noqa: F811
    assert manager.why(account(days=days)) is Refusal.ACCOUNT_INCOMPLETE
    manager.do(account("Short", days=1))
    manager.do(account("Long", days=366))


def test_a_service_account_has_a_scope(manager: Manager) -> None:  # noqa: F811
    bare = cmd.AddAccount(name="Cage", scopes=(), token="t", days=1)
    assert manager.why(bare) is Refusal.ACCOUNT_INCOMPLETE


def test_nobody_else_has_the_name_of_a_service_account(manager: Manager) -> None:  # noqa: F811
    for taken in ("Dana", "T1", "E1", "server", " ", "cage"):
        manager.do(account("CAGE")) if taken == "cage" else None
        assert manager.why(account(taken)) is Refusal.NAME_TAKEN, taken
    person = cmd.AddPerson(name="Cage", posts=(Post("dealer"),), password="hash")
    manager.do(cmd.EnableTerminal(terminal="E1"))
    sits = cmd.OpenPatronSession(terminal="E1", patron="Cage")
    tables = cmd.DefineTables(file="f", digest="e", tables=(named("Cage"),))
    for body in (person, enrolment("Cage"), sits, tables):
        assert manager.why(body) is Refusal.NAME_TAKEN
    manager.do(cmd.OpenPatronSession(terminal="E1", patron="Ann"))
    assert manager.why(account("Ann")) is Refusal.NAME_TAKEN


def test_one_person_in_charge_revokes_a_service_account(manager: Manager) -> None:  # noqa: F811
    manager.do(account())
    manager.do(account("Other"))
    ends = cmd.RevokeAccount(name="Cage", reason="lost")
    assert manager.why(ends, "Dana") is Refusal.NOT_PERMITTED
    assert manager.do(ends, "Max") == (ev.AccountRevoked(name="Cage", reason="lost", by="Max"),)
    assert [each.ended for each in manager.floor.accounts] == ["lost", None]
    assert manager.why(ends, "Max") is Refusal.NO_SUCH_ACCOUNT
    assert manager.why(cmd.RevokeAccount(name="Nobody", reason="x"), "Max") is Refusal.NO_SUCH_ACCOUNT


def test_the_name_of_a_service_account_that_is_over_is_free_for_another_one(manager: Manager) -> None:  # noqa: F811
    manager.do(account())
    assert manager.why(account()) is Refusal.NAME_TAKEN
    manager.do(cmd.RevokeAccount(name="Cage", reason="lost"), "Max")
    person = cmd.AddPerson(name="Cage", posts=(Post("dealer"),), password="hash")
    assert manager.why(person) is Refusal.NAME_TAKEN
    again = cmd.AddAccount(name="Cage", scopes=(Scope.RECORDS,), token="new", days=1)
    manager.do(again, "Gil", "Max")
    assert [(each.token, each.ended) for each in manager.floor.newest_accounts] == [("new", None)]
    manager.do(cmd.RevokeAccount(name="Cage", reason="moved"), "Max")
    assert [(each.token, each.ended) for each in manager.floor.accounts] == [
        ("t-Cage", "lost"),
        ("new", "moved"),
    ]


def test_whoever_saw_a_secret_of_a_name_stays_its_maker(manager: Manager) -> None:  # noqa: F811
    manager.do(account(), "Gil", "Max")
    assert manager.floor.makers_of("Cage") == ("Gil", "Max")
    manager.do(cmd.RevokeAccount(name="Cage", reason="lost"), "Max")
    assert manager.floor.makers_of("Cage") == ("Gil", "Max")
    again = cmd.AddAccount(name="Cage", scopes=(Scope.CREDITS,), token="new", days=1)
    manager.do(again)
    assert manager.floor.makers_of("Cage") == ("Gil", "Max", COMMAND_LINE)
    assert manager.floor.makers_of("Dana") == ()
