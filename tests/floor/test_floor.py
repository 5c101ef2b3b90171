"""The floor: who may do what, and what comes of it."""

import datetime
import typing

import msgspec
import pytest
from msgspec.structs import replace

from thirdcard.floor import commands as cmd
from thirdcard.floor import events as ev
from thirdcard.floor.apply import apply_all
from thirdcard.floor.decide import decide
from thirdcard.floor.standing import COMMAND_LINE, SERVER, is_bot, needs_second_factor
from thirdcard.floor.state import (
    CLOCK_STEPS_KEPT,
    FeedPlace,
    Floor,
    GamingDay,
    ReaderRole,
    Scope,
    Secret,
    ShelfFile,
    StreamEnd,
    TableDefinition,
)
from thirdcard.game.commands import Envelope
from thirdcard.game.table_setup import Device, PostedLimit, Setup
from thirdcard.messages import knows, say
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.house import MoneyAct, MoneyControl
from thirdcard.rulebook.irregularity import Area
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

HOUSE_FORMS = SHIPPED.houses
NOW = datetime.datetime(2026, 6, 1, 20, tzinfo=datetime.UTC)
FACTOR = Secret("key", b"secret")
STAFF = {
    "Dana": "dealer",
    "Sue": "pit-supervisor",
    "Max": "pit-manager",
    "Mia": "pit-manager",
    "Gil": "gaming-shift-manager",
    "Dee": "assistant-director",
    "Tom": "attendant",
    "Eve": "surveillance",
    "Amy": "auditor",
}
SETUP = Setup(
    table="T1",
    game="mbs-super-six-etg-v3",
    house="marina-bay-sands",
    layout=None,
    positions=8,
    area=Area.MAIN_FLOOR,
    device=Device.CARD_READING,
    decks=8,
    terminal=True,
    face_down=False,
    automatic=(),
    limits=(PostedLimit("player", 100, 1000),),
    differential=0,
)
TABLE = TableDefinition(setup=SETUP)
OTHER = replace(TABLE, cutting_card=20)
TRAINING = TableDefinition(setup=replace(SETUP, training=True))


class Manager:
    """Sends commands to a floor."""

    def __init__(self) -> None:
        self.floor = Floor()
        self.events: list[ev.FloorEvent] = []
        self.now = NOW

    def do(
        self, body: cmd.FloorBody, actor: str = COMMAND_LINE, second: str | None = None
    ) -> tuple[ev.FloorEvent, ...]:
        result = self.ask(body, actor, second)
        assert not isinstance(result, Refused), result
        self.floor = apply_all(self.floor, result)
        self.events += result
        return result

    def ask(
        self, body: cmd.FloorBody, actor: str = COMMAND_LINE, second: str | None = None
    ) -> tuple[ev.FloorEvent, ...] | Refused:
        envelope = Envelope(actor=actor, received_at=self.now, command_id="c", authoriser=second)
        return decide(HOUSE_FORMS, self.floor, cmd.FloorCommand(body, envelope))

    def sessions(self) -> list[str]:
        return [session.id for session in self.floor.sessions]

    def proposals(self) -> list[int]:
        return [proposal.id for proposal in self.floor.proposals]

    def why(self, body: cmd.FloorBody, actor: str = COMMAND_LINE, second: str | None = None) -> Refusal:
        result = self.ask(body, actor, second)
        assert isinstance(result, Refused), result
        assert say(result.message)
        return result.reason


@pytest.fixture
def manager() -> Manager:
    """A floor with somebody in every kind of post, a table and an enrolled terminal."""
    made = Manager()
    for name, post in STAFF.items():
        made.do(cmd.AddPerson(name=name, posts=(Post(post),), password="hash", second_factor=FACTOR))
    made.do(cmd.DefineTables(file="floor.toml", digest="ab", tables=(TABLE,)))
    made.do(enrolment())
    made.do(cmd.ClaimTerminal(terminal="E1", code="code", token="token"), "E1")
    return made


def enrolment(terminal: str = "E1") -> cmd.EnrolTerminal:
    return cmd.EnrolTerminal(
        terminal=terminal, table="T1", code="code", code_ends=NOW + datetime.timedelta(minutes=10)
    )


def account(name: str = "Cage", *scopes: Scope, days: int = 30) -> cmd.AddAccount:
    return cmd.AddAccount(name=name, scopes=scopes or (Scope.CREDITS,), token=f"t-{name}", days=days)


def webhook(name: str = "Desk", url: str = "https://desk.example/in", *scopes: Scope) -> cmd.AddWebhook:
    after = (FeedPlace("T1", 7),)
    return cmd.AddWebhook(name=name, url=url, scopes=scopes or (Scope.TABLES,), secret=FACTOR, after=after)


def named(name: str) -> TableDefinition:
    return replace(TABLE, setup=replace(SETUP, table=name))


MANAGERS = {"Max", "Mia", "Gil", "Dee"}
SENIORS = {"Gil", "Dee"}
AT_THE_TABLE = {"Dana", "Sue", *MANAGERS}
# every command, and who of the staff may give it about others and things
MAY: dict[type[cmd.FloorBody], tuple[cmd.FloorBody, set[str]]] = {
    cmd.AddPerson: (cmd.AddPerson(name="New", posts=(Post("dealer"),), password="hash"), SENIORS),
    cmd.ChangePosts: (cmd.ChangePosts(name="Dana", posts=(Post("pit-supervisor"),)), SENIORS),
    cmd.ChangePassword: (cmd.ChangePassword(name="Tom", password="new"), SENIORS),
    cmd.SetSecondFactor: (cmd.SetSecondFactor(name="Tom", second_factor=FACTOR), SENIORS),
    cmd.LockPerson: (cmd.LockPerson(name="Tom", reason="left"), MANAGERS),
    cmd.UnlockPerson: (cmd.UnlockPerson(name="Tom"), SENIORS),
    cmd.SignIn: (cmd.SignIn(name="Dana", session="s2", console="C1"), {"Dana"}),
    cmd.ShowIdentity: (cmd.ShowIdentity(name="Dana", console="C1"), {"Dana"}),
    cmd.FailSignIn: (cmd.FailSignIn(name="Dana", console="C1"), set(STAFF)),
    cmd.EndSession: (cmd.EndSession(session="s1", reason="left"), {*MANAGERS, "Sue"}),
    cmd.EnrolTerminal: (enrolment("E2"), MANAGERS),
    cmd.ClaimTerminal: (cmd.ClaimTerminal(terminal="E3", code="code", token="t"), set(STAFF)),
    cmd.EnableTerminal: (cmd.EnableTerminal(terminal="E1"), MANAGERS),
    cmd.DisableTerminal: (cmd.DisableTerminal(terminal="E1", reason="broken"), MANAGERS),
    cmd.OpenPatronSession: (cmd.OpenPatronSession(terminal="E1", patron="Ann"), {*AT_THE_TABLE, "Tom"}),
    cmd.ClosePatronSession: (cmd.ClosePatronSession(terminal="E4"), {*AT_THE_TABLE, "Tom"}),
    cmd.ProposeTable: (cmd.ProposeTable(definition=OTHER), MANAGERS),
    cmd.ApproveProposal: (cmd.ApproveProposal(id=1), MANAGERS - {"Mia"}),
    cmd.RejectProposal: (cmd.RejectProposal(id=1), MANAGERS),
    cmd.DefineTables: (cmd.DefineTables(file="f", digest="d", tables=()), set()),
    cmd.BeginSigning: (cmd.BeginSigning(ends=()), set()),
    cmd.AcceptRestore: (cmd.AcceptRestore(reason="disk", lost=(), kept=()), SENIORS),
    cmd.AcceptShelf: (cmd.AcceptShelf(files=()), SENIORS),
    cmd.NoteClockStep: (cmd.NoteClockStep(microseconds=1, run="r"), set()),
    cmd.AcknowledgeClockStep: (cmd.AcknowledgeClockStep(at=NOW, run="r"), MANAGERS),
    cmd.Disable: (cmd.Disable(reason="fire", table="T1"), MANAGERS),
    cmd.Enable: (cmd.Enable(), MANAGERS),
    cmd.AddAccount: (account("Cage 2"), SENIORS),
    cmd.RevokeAccount: (cmd.RevokeAccount(name="Cage", reason="lost"), MANAGERS),
    cmd.AddWebhook: (webhook("Desk 2"), SENIORS),
    cmd.RemoveWebhook: (cmd.RemoveWebhook(name="Desk", reason="gone"), MANAGERS),
    cmd.StopWebhook: (cmd.StopWebhook(name="Going", reason="HTTP 500", after=()), set()),
    cmd.ResumeWebhook: (cmd.ResumeWebhook(name="Desk"), MANAGERS),
    cmd.NoteDelivered: (cmd.NoteDelivered(name="Going", after=()), set()),
}


def test_two_people_open_a_terminal_where_money_is_real(manager: Manager) -> None:
    for body in (cmd.EnableTerminal(terminal="E1"), enrolment("E2"), enrolment("E1")):
        for alone in MANAGERS:
            assert manager.why(body, alone) is Refusal.SECOND_PERSON_NEEDED
        assert manager.why(body, "Max", "Max") is Refusal.SECOND_PERSON_NEEDED
        assert manager.why(body, "Max", "Nobody") is Refusal.SECOND_PERSON_NEEDED
        assert not isinstance(manager.ask(body, "Max", "Dana"), Refused)
    manager.do(cmd.LockPerson(name="Dana", reason="left"))
    assert manager.why(cmd.EnableTerminal(terminal="E1"), "Max", "Dana") is Refusal.SECOND_PERSON_NEEDED


def test_one_of_the_two_has_the_post_that_the_house_names_for_terminals(manager: Manager) -> None:
    house = HOUSE_FORMS[0]
    form = replace(house.form, controls=(MoneyControl(MoneyAct.TERMINAL, house.form.posts[-1]),))
    strict = tuple(replace(each, form=form) if each is house else each for each in HOUSE_FORMS)
    named = replace(TABLE, setup=replace(SETUP, house=house.id))
    floor = replace(manager.floor, tables=(named,))
    envelope = Envelope(actor="Max", received_at=NOW, command_id="c", authoriser="Dana")
    refused = decide(strict, floor, cmd.FloorCommand(cmd.EnableTerminal(terminal="E1"), envelope))
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.NOT_AUTHORISED


def test_one_person_opens_a_terminal_of_a_table_for_training(manager: Manager) -> None:
    manager.do(cmd.DefineTables(file="f", digest="e", tables=(TRAINING,)))
    manager.do(cmd.EnableTerminal(terminal="E1"), "Max")


def test_every_command_is_in_the_table() -> None:
    assert set(MAY) == set(typing.get_args(cmd.FloorBody))


@pytest.mark.parametrize("kind", typing.get_args(cmd.FloorBody), ids=lambda kind: kind.__name__)
def test_every_command_by_every_post(kind: type[cmd.FloorBody], manager: Manager) -> None:
    manager.do(cmd.EnableTerminal(terminal="E1"))
    manager.do(enrolment("E3"))
    manager.do(enrolment("E4"))
    manager.do(cmd.ClaimTerminal(terminal="E4", code="code", token="t4"), "E4")
    manager.do(cmd.EnableTerminal(terminal="E4"))
    manager.do(cmd.OpenPatronSession(terminal="E4", patron="Bob"))
    manager.do(cmd.SignIn(name="Sue", session="s1", console="C1"), "Sue")
    manager.do(cmd.ProposeTable(definition=OTHER), "Mia")
    manager.do(cmd.Disable(reason="night"))
    manager.do(cmd.NoteClockStep(microseconds=1, run="r"), SERVER)
    manager.do(account())
    manager.do(webhook())
    manager.do(webhook("Going"))
    manager.do(cmd.StopWebhook(name="Desk", reason="HTTP 500", after=()), SERVER)
    body, allowed = MAY[kind]
    for name in STAFF:
        may = not isinstance(manager.ask(body, name, "Mia" if name != "Mia" else "Max"), Refused)
        assert may is (name in allowed), (name, kind)
    stranger = manager.ask(body, "Stranger")
    assert isinstance(stranger, Refused) is (kind not in (cmd.FailSignIn, cmd.ClaimTerminal))


def test_failures_are_counted_and_lock_nobody(manager: Manager) -> None:
    manager.do(cmd.SignIn(name="Dana", session="s1", console="C1"), "Dana")
    for _ in range(5):
        manager.do(cmd.FailSignIn(name="Dana", console="C9"), "Dana")
    person = manager.floor.person("Dana")
    assert person is not None
    assert (person.failures, person.locked) == (5, None)
    assert manager.sessions() == ["s1"]
    manager.do(cmd.SignIn(name="Dana", session="s2", console="C1"), "Dana")  # the count begins again
    person = manager.floor.person("Dana")
    assert person is not None
    assert person.failures == 0


# one alone locks those who stand below, and nobody else
UNSEATS = [
    ("Max", "Dana", None, None),
    ("Max", "Tom", None, None),
    ("Gil", "Max", None, None),
    ("Dana", "Tom", "Max", Refusal.NOT_PERMITTED),
    ("Max", "Mia", None, Refusal.SECOND_PERSON_NEEDED),
    ("Max", "Mia", "Dana", Refusal.SECOND_PERSON_NEEDED),
    ("Max", "Mia", "Max", Refusal.SECOND_PERSON_NEEDED),
    ("Max", "Mia", "Mia", Refusal.SECOND_PERSON_NEEDED),
    ("Max", "Mia", "Gil", None),
    ("Max", "Gil", "Mia", Refusal.NOT_PERMITTED),
    ("Max", "Gil", "Dee", Refusal.NOT_PERMITTED),
    ("Max", "Amy", "Mia", Refusal.NOT_PERMITTED),
    ("Max", "Eve", "Mia", Refusal.NOT_PERMITTED),
    ("Gil", "Dee", None, Refusal.SECOND_PERSON_NEEDED),
    ("Gil", "Amy", None, Refusal.SECOND_PERSON_NEEDED),
    ("Gil", "Eve", "Max", Refusal.SECOND_PERSON_NEEDED),
    ("Gil", "Eve", "Dee", None),
    (COMMAND_LINE, "Dee", None, None),
]


@pytest.mark.parametrize(("actor", "name", "second", "refused"), UNSEATS)
@pytest.mark.parametrize("lock", [True, False])
def test_nobody_unseats_a_senior_or_who_watches(
    manager: Manager, actor: str, name: str, second: str | None, refused: Refusal | None, lock: bool
) -> None:
    manager.do(cmd.SignIn(name=name, session="s1", console="C1"), name)
    body: cmd.FloorBody = cmd.EndSession(session="s1", reason="x")
    if lock:
        body = cmd.LockPerson(name=name, reason="x")
    if refused is not None:
        assert manager.why(body, actor, second) is refused
    else:
        manager.do(body, actor, second)
        assert manager.sessions() == []


BY_TWO: list[cmd.FloorBody] = [
    cmd.AddPerson(name="New", posts=(Post("dealer"),), password="hash"),
    cmd.ChangePosts(name="Dana", posts=(Post("pit-supervisor"),)),
    cmd.ChangePassword(name="Dana", password="new"),
    cmd.SetSecondFactor(name="Dana", second_factor=FACTOR),
    cmd.UnlockPerson(name="Dana"),
]


@pytest.mark.parametrize("body", BY_TWO, ids=lambda body: type(body).__name__)
def test_people_are_let_in_and_changed_by_two(manager: Manager, body: cmd.FloorBody) -> None:
    for second in (None, "Gil", "Dana", "Sue", "Tom", "Amy", "Stranger", COMMAND_LINE.upper()):
        assert manager.why(body, "Gil", second) is Refusal.SECOND_PERSON_NEEDED, second
    manager.do(body, "Gil", "Max")


@pytest.mark.parametrize(
    "body",
    [
        cmd.ChangePosts(name="Gil", posts=(Post("dealer"),)),
        cmd.ChangePassword(name="Gil", password="new"),
        cmd.SetSecondFactor(name="Gil", second_factor=FACTOR),
        cmd.UnlockPerson(name="Gil"),
    ],
    ids=lambda body: type(body).__name__,
)
def test_nobody_is_changed_by_two_at_their_own_console(manager: Manager, body: cmd.FloorBody) -> None:
    for second in ("Dana", "Max", "Dee"):
        assert manager.why(body, "Gil", second) is Refusal.SECOND_PERSON_NEEDED, second
    manager.do(body, "Dee", "Max")


def test_a_server_says_where_old_streams_end(manager: Manager) -> None:
    assert manager.do(cmd.BeginSigning(ends=()), SERVER) == (ev.SigningBegan(ends=()),)


def test_a_clock_that_was_set_is_kept_for_staff_to_see(manager: Manager) -> None:
    for number in range(1, CLOCK_STEPS_KEPT + 3):
        manager.do(cmd.NoteClockStep(microseconds=-number, run="r"), SERVER)
    assert [each.microseconds for each in manager.floor.clock_steps][:2] == [-3, -4]
    assert len(manager.floor.clock_steps) == CLOCK_STEPS_KEPT
    assert {each.run for each in manager.floor.clock_steps} == {"r"}


def test_a_clock_that_was_set_is_acknowledged_once(manager: Manager) -> None:
    for run in ("one", "two"):
        manager.do(cmd.NoteClockStep(microseconds=5, run=run), SERVER)
    step = manager.floor.clock_steps[0]
    seen = cmd.AcknowledgeClockStep(at=step.at, run=step.run)
    assert manager.do(seen, "Max") == (ev.ClockStepAcknowledged(at=step.at, run="one", by="Max"),)
    assert [each.run for each in manager.floor.clock_steps] == ["two"]
    assert manager.why(seen, "Max") is Refusal.NOT_AWAITED


def test_lost_records_are_given_up_by_two(manager: Manager) -> None:
    lost, kept = (StreamEnd("T1", 9, "ab"),), (StreamEnd("T1", 7, "cd"),)
    body = cmd.AcceptRestore(reason="the disk broke", lost=lost, kept=kept)
    for second in (None, "Gil", "Dana", "Tom", "Stranger"):
        assert manager.why(body, "Gil", second) is Refusal.SECOND_PERSON_NEEDED, second
    assert manager.why(body, COMMAND_LINE, "Max") is Refusal.SECOND_PERSON_NEEDED
    assert manager.why(body, "Max", "Gil") is Refusal.NOT_PERMITTED
    accepted = ev.RestoreAccepted(by="Gil", second="Max", reason="the disk broke", lost=lost, kept=kept)
    assert manager.do(body, "Gil", "Max") == (accepted,)


def test_a_shelf_is_accepted_by_two(manager: Manager) -> None:
    changed = cmd.AcceptShelf(files=(ShelfFile("own", "cd"),))
    for second in (None, "Gil", "Dana", "Tom", "Stranger"):
        assert manager.why(changed, "Gil", second) is Refusal.SECOND_PERSON_NEEDED, second
    for machine in (SERVER, COMMAND_LINE):
        assert manager.why(changed, machine) is Refusal.SECOND_PERSON_NEEDED
        assert manager.why(changed, machine, "Max") is Refusal.SECOND_PERSON_NEEDED
    assert manager.why(changed, "Max", "Gil") is Refusal.NOT_PERMITTED
    accepted = ev.ShelfAccepted(files=changed.files, by="Gil", second="Max")
    assert manager.do(changed, "Gil", "Max") == (accepted,)
    assert manager.floor.shelf == changed.files


def test_a_server_accepts_any_shelf_until_money_is_real() -> None:
    floor = Manager()
    for digest in ("ab", "cd"):
        body = cmd.AcceptShelf(files=(ShelfFile("own", digest),))
        floor.do(body, SERVER)
        floor.do(cmd.DefineTables(file="f", digest=digest, tables=(TRAINING,)))
    floor.do(cmd.DefineTables(file="f", digest="ef", tables=(TABLE,)))
    floor.do(cmd.DefineTables(file="f", digest="gh", tables=(TRAINING,)))  # for training again
    assert floor.why(body, SERVER) is Refusal.SECOND_PERSON_NEEDED


def test_who_is_locked_seconds_nothing(manager: Manager) -> None:
    manager.do(cmd.LockPerson(name="Max", reason="left"))
    body = cmd.UnlockPerson(name="Dana")
    assert manager.why(body, "Gil", "Max") is Refusal.SECOND_PERSON_NEEDED
    assert manager.why(body, "Gil", COMMAND_LINE) is Refusal.SECOND_PERSON_NEEDED


def test_nobody_is_raised_above_who_raises_them(manager: Manager) -> None:
    manager.do(cmd.AddPerson(name="Low", posts=(Post("dealer"),), password="hash", second_factor=FACTOR))
    manager.do(cmd.ChangePosts(name="Low", posts=(Post("gaming-shift-manager"),)), "Gil", "Max")
    assert (
        manager.why(cmd.ChangePosts(name="Tom", posts=(Post("auditor"),)), "Max", "Gil")
        is Refusal.NOT_PERMITTED
    )


def test_a_failure_under_a_name_that_is_not_there_is_recorded(manager: Manager) -> None:
    (failed,) = manager.do(cmd.FailSignIn(name="Nobody", console="C9"), "Nobody")
    assert isinstance(failed, ev.SignInFailed)


def test_somebody_locked_may_do_nothing(manager: Manager) -> None:
    manager.do(cmd.LockPerson(name="Max", reason="left the house"), "Gil")
    assert manager.why(cmd.Disable(reason="revenge"), "Max") is Refusal.NOT_PERMITTED


def test_nobody_signs_in_as_somebody_else(manager: Manager) -> None:
    assert manager.why(cmd.SignIn(name="Gil", session="s", console="C"), "Dana") is Refusal.NO_SUCH_PERSON


def test_nobody_changes_their_own_posts(manager: Manager) -> None:
    body = cmd.ChangePosts(name="Gil", posts=(Post("assistant-director"),))
    assert manager.why(body, "Gil") is Refusal.SECOND_PERSON_NEEDED
    manager.do(body, "Dee", "Max")
    person = manager.floor.person("Gil")
    assert person is not None
    assert person.posts == ("assistant-director",)


def test_nobody_approves_their_own_proposal(manager: Manager) -> None:
    other = replace(TABLE, setup=replace(SETUP, differential=5))
    manager.do(cmd.ProposeTable(definition=other), "Max")
    assert manager.why(cmd.ApproveProposal(id=1), "Max") is Refusal.SECOND_PERSON_NEEDED
    (defined,) = manager.do(cmd.ApproveProposal(id=1), "Mia")
    assert defined == ev.TableDefined(definition=other, before=TABLE, proposal=1)
    assert manager.floor.table("T1") == other
    assert manager.proposals() == []
    assert manager.why(cmd.ApproveProposal(id=1), "Mia") is Refusal.NO_SUCH_PROPOSAL


def test_a_proposal_can_be_turned_down(manager: Manager) -> None:
    manager.do(cmd.ProposeTable(definition=TRAINING), "Max")
    manager.do(cmd.RejectProposal(id=1), "Max")
    assert manager.proposals() == []
    manager.do(cmd.ProposeTable(definition=OTHER), "Max")
    assert manager.proposals() == [2]


def test_a_new_table_can_be_proposed(manager: Manager) -> None:
    new = replace(TABLE, setup=replace(SETUP, table="T2"))
    manager.do(cmd.ProposeTable(definition=new), "Max")
    manager.do(cmd.ApproveProposal(id=1), "Mia")
    assert [each.setup.table for each in manager.floor.tables] == ["T1", "T2"]


def test_a_table_does_not_get_a_name_that_was_given_since_it_was_proposed(manager: Manager) -> None:
    """Nobody is called like a table: what a table does by itself is nobody's act."""
    new = replace(TABLE, setup=replace(SETUP, table="T2"))
    manager.do(cmd.ProposeTable(definition=new), "Max")
    manager.do(cmd.AddPerson(name="T2", posts=(Post("dealer"),), password="x"))
    assert manager.why(cmd.ApproveProposal(id=1), "Mia") is Refusal.NAME_TAKEN


def test_virtual_cards_at_a_live_game_are_for_training(manager: Manager) -> None:
    live = replace(TABLE, setup=replace(SETUP, terminal=False), virtual_shoe=True)
    assert manager.why(cmd.ProposeTable(definition=live), "Max") is Refusal.TRAINING_ONLY
    file = cmd.DefineTables(file="f", digest="d", tables=(live,))
    assert manager.why(file) is Refusal.TRAINING_ONLY
    training = replace(live, setup=replace(live.setup, training=True))
    manager.do(cmd.ProposeTable(definition=training), "Max")


def test_a_floor_file_that_changes_nothing_is_recorded_and_does_nothing(manager: Manager) -> None:
    events = manager.do(cmd.DefineTables(file="floor.toml", digest="ab", tables=(TABLE,)))
    assert events == (ev.FloorFileRead(file="floor.toml", digest="ab"),)


def test_posts_that_void_correct_or_configure_need_a_second_factor(manager: Manager) -> None:
    assert needs_second_factor(HOUSE_FORMS, (Post("pit-manager"),))
    assert not needs_second_factor(HOUSE_FORMS, (Post("pit-supervisor"), Post("auditor")))
    body = cmd.AddPerson(name="New", posts=(Post("pit-manager"),), password="hash")
    assert manager.why(body) is Refusal.SECOND_FACTOR_NEEDED
    manager.do(cmd.AddPerson(name="New", posts=(Post("dealer"),), password="hash"))
    raised = cmd.ChangePosts(name="New", posts=(Post("pit-manager"),))
    assert manager.why(raised) is Refusal.SECOND_FACTOR_NEEDED
    manager.do(cmd.SetSecondFactor(name="New", second_factor=FACTOR))
    manager.do(raised)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (cmd.AddPerson(name="Dana", posts=(Post("dealer"),), password="h"), Refusal.NAME_TAKEN),
        (cmd.AddPerson(name=COMMAND_LINE, posts=(Post("dealer"),), password="h"), Refusal.NAME_TAKEN),
        (cmd.AddPerson(name="SERVER", posts=(Post("dealer"),), password="h"), Refusal.NAME_TAKEN),
        (cmd.AddPerson(name="dana", posts=(Post("dealer"),), password="h"), Refusal.NAME_TAKEN),
        (cmd.AddPerson(name="T1", posts=(Post("dealer"),), password="h"), Refusal.NAME_TAKEN),
        (cmd.AddPerson(name="E1", posts=(Post("dealer"),), password="h"), Refusal.NAME_TAKEN),
        (cmd.AddPerson(name="Da\u200bna", posts=(Post("dealer"),), password="h"), Refusal.NAME_TAKEN),
        (cmd.AddPerson(name="D" * 65, posts=(Post("dealer"),), password="h"), Refusal.NAME_TAKEN),
        (cmd.AddPerson(name=" ", posts=(Post("dealer"),), password="h"), Refusal.NAME_TAKEN),
        (cmd.AddPerson(name="New", posts=(Post("king"),), password="h"), Refusal.NO_SUCH_POST),
        (cmd.AddPerson(name="New", posts=(), password="h"), Refusal.NO_SUCH_POST),
        (cmd.ChangePosts(name="New", posts=(Post("dealer"),)), Refusal.NO_SUCH_PERSON),
        (cmd.ChangePosts(name="Dana", posts=(Post("king"),)), Refusal.NO_SUCH_POST),
        (cmd.ChangePassword(name="New", password="h"), Refusal.NO_SUCH_PERSON),
        (cmd.SetSecondFactor(name="New", second_factor=FACTOR), Refusal.NO_SUCH_PERSON),
        (cmd.LockPerson(name="New", reason="x"), Refusal.NO_SUCH_PERSON),
        (cmd.UnlockPerson(name="New"), Refusal.NO_SUCH_PERSON),
        (cmd.EndSession(session="none", reason="x"), Refusal.NO_SUCH_SESSION),
        (replace(enrolment("E9"), table="T9"), Refusal.NO_SUCH_TABLE),
        (enrolment("Dana"), Refusal.NAME_TAKEN),
        (enrolment("T1"), Refusal.NAME_TAKEN),
        (cmd.DefineTables(file="f", digest="d", tables=(named("floor"),)), Refusal.NAME_TAKEN),
        (cmd.ProposeTable(definition=named("Dana")), Refusal.NAME_TAKEN),
        (cmd.ProposeTable(definition=named("E1")), Refusal.NAME_TAKEN),
        (cmd.ClaimTerminal(terminal="E9", code="code", token="t"), Refusal.WRONG_CODE),
        (cmd.ClaimTerminal(terminal="E1", code="code", token="t"), Refusal.WRONG_CODE),
        (cmd.EnableTerminal(terminal="E9"), Refusal.NO_SUCH_TERMINAL),
        (cmd.OpenPatronSession(terminal="E9", patron="Ann"), Refusal.NO_SUCH_TERMINAL),
        (cmd.OpenPatronSession(terminal="E1", patron="Ann"), Refusal.TERMINAL_DISABLED),
        (cmd.ClosePatronSession(terminal="E1"), Refusal.NOT_AWAITED),
        (cmd.RejectProposal(id=9), Refusal.NO_SUCH_PROPOSAL),
        (cmd.Enable(table="T1"), Refusal.NOT_AWAITED),
    ],
)
def test_what_cannot_be(body: cmd.FloorBody, reason: Refusal, manager: Manager) -> None:
    assert manager.why(body) is reason
    assert knows(f"refusal.{reason.value}")


def test_a_code_is_good_for_its_time_and_once(manager: Manager) -> None:
    manager.do(enrolment("E2"))
    manager.now += datetime.timedelta(minutes=11)
    claim = cmd.ClaimTerminal(terminal="E2", code="code", token="t")
    assert manager.why(claim, "E2") is Refusal.WRONG_CODE
    manager.now = NOW
    manager.do(claim, "E2")
    assert manager.why(claim, "E2") is Refusal.WRONG_CODE
    terminal = manager.floor.terminal("E2")
    assert terminal is not None
    assert (terminal.token, terminal.enabled) == ("t", False)


def test_one_patron_at_a_terminal_and_one_terminal_for_a_patron(manager: Manager) -> None:
    manager.do(enrolment("E2"))
    manager.do(cmd.ClaimTerminal(terminal="E2", code="code", token="t"), "E2")
    for terminal in ("E1", "E2"):
        manager.do(cmd.EnableTerminal(terminal=terminal))
    manager.do(cmd.OpenPatronSession(terminal="E1", patron="Ann"), "Tom")
    assert manager.why(cmd.OpenPatronSession(terminal="E1", patron="Bob"), "Tom") is Refusal.NAME_TAKEN
    assert manager.why(cmd.OpenPatronSession(terminal="E2", patron="Ann"), "Tom") is Refusal.NAME_TAKEN
    assert manager.why(cmd.OpenPatronSession(terminal="E2", patron=" "), "Tom") is Refusal.NAME_TAKEN
    for name in ("ann", "Ａnn", "Dana", "T1", "E1", "server"):
        assert manager.why(cmd.OpenPatronSession(terminal="E2", patron=name), "Tom") is Refusal.NAME_TAKEN
    person = cmd.AddPerson(name="Ann", posts=(Post("dealer"),), password="hash")
    for body in (person, enrolment("Ann"), cmd.ProposeTable(definition=named("Ann"))):
        assert manager.why(body) is Refusal.NAME_TAKEN
    manager.do(cmd.ClosePatronSession(terminal="E1"), "Tom")
    manager.do(cmd.OpenPatronSession(terminal="E2", patron="Ann"), "Tom")
    manager.do(cmd.DisableTerminal(terminal="E2", reason="broken"), "Max")


def test_at_a_training_table_a_terminal_lets_patrons_in_by_name(manager: Manager) -> None:
    manager.do(cmd.EnableTerminal(terminal="E1"))
    body = cmd.OpenPatronSession(terminal="E1", patron="Ann")
    assert manager.why(body, "E1") is Refusal.NOT_PERMITTED
    manager.do(cmd.DefineTables(file="f", digest="d", tables=(TRAINING,)))
    manager.do(body, "E1")
    assert manager.why(cmd.ClosePatronSession(terminal="E1"), "E2") is Refusal.NOT_PERMITTED
    manager.do(cmd.ClosePatronSession(terminal="E1"), "E1")


def test_disabling_is_for_a_table_or_for_all(manager: Manager) -> None:
    assert manager.floor.why_disabled("T1") is None
    manager.do(cmd.Disable(table="T2", reason="damp"), "Max")
    assert manager.floor.why_disabled("T1") is None
    manager.do(cmd.Disable(reason="fire"), "Max")
    found = manager.floor.why_disabled("T1")
    assert found is not None
    assert (found.reason, found.by) == ("fire", "Max")
    manager.do(cmd.Enable(), "Mia")
    assert manager.floor.why_disabled("T1") is None
    assert manager.floor.why_disabled("T2") is not None
    assert manager.floor.table("T9") is None
    assert manager.floor.session("none") is None


def test_a_password_is_changed_by_its_owner(manager: Manager) -> None:
    manager.do(cmd.ChangePassword(name="Tom", password="new"), "Tom")
    person = manager.floor.person("Tom")
    assert person is not None
    assert person.password == "new"


def test_another_password_or_second_factor_ends_sessions(manager: Manager) -> None:
    changes = (
        cmd.ChangePassword(name="Tom", password="new"),
        cmd.SetSecondFactor(name="Tom", second_factor=FACTOR),
    )
    for change in changes:
        manager.do(cmd.SignIn(name="Tom", session="s1", console="C1"), "Tom")
        manager.do(cmd.SignIn(name="Dana", session="s2", console="C1"), "Dana")
        manager.do(change)
        assert manager.sessions() == ["s2"]
        manager.do(cmd.EndSession(session="s2", reason="left"))


def test_the_code_of_a_second_factor_is_good_once_wherever_it_is_given(manager: Manager) -> None:
    manager.do(cmd.SignIn(name="Max", session="s1", console="C1", step=7), "Max")
    for step in (6, 7):
        signing = cmd.SignIn(name="Max", session="s2", console="C1", step=step)
        showing = cmd.ShowIdentity(name="Max", console="C1", step=step)
        assert manager.why(signing, "Max") is Refusal.WRONG_CODE
        assert manager.why(showing, "Max") is Refusal.WRONG_CODE
    manager.do(cmd.ShowIdentity(name="Max", console="C1", step=8), "Max")
    assert manager.why(cmd.ShowIdentity(name="Max", console="C1", step=8), "Max") is Refusal.WRONG_CODE
    manager.do(cmd.SetSecondFactor(name="Max", second_factor=FACTOR))  # another secret has codes of its own
    manager.do(cmd.ShowIdentity(name="Max", console="C1", step=8), "Max")


def test_codes_taken_by_a_clock_that_was_ahead_use_up_none_of_today(manager: Manager) -> None:
    tomorrow = 7 + 24 * 60 * 2
    manager.do(cmd.SignIn(name="Max", session="s1", console="C1", step=tomorrow), "Max")
    manager.do(cmd.ShowIdentity(name="Max", console="C1", step=7), "Max")  # the clock was put right
    for used in (6, 7, tomorrow - 2, tomorrow):
        again = cmd.ShowIdentity(name="Max", console="C1", step=used)
        assert manager.why(again, "Max") is Refusal.WRONG_CODE
    manager.do(cmd.ShowIdentity(name="Max", console="C1", step=8), "Max")


def test_who_shows_who_they_are_has_no_failures_any_more(manager: Manager) -> None:
    for _ in range(2):
        manager.do(cmd.FailSignIn(name="Max", console="C9"))
        manager.do(cmd.FailSignIn(name="Max", console="C9"))
        manager.do(cmd.ShowIdentity(name="Max", console="C9"), "Max")
    manager.do(cmd.LockPerson(name="Max", reason="left"))
    assert manager.why(cmd.ShowIdentity(name="Max", console="C9"), "Max") is Refusal.PERSON_LOCKED
    assert manager.why(cmd.ShowIdentity(name="Mia", console="C9"), "Max") is Refusal.NO_SUCH_PERSON
    assert manager.sessions() == []


def test_the_floor_comes_back_from_its_events(manager: Manager) -> None:
    written = msgspec.json.encode(manager.events)
    again = msgspec.json.decode(written, type=list[ev.FloorEvent])
    assert apply_all(Floor(), again) == manager.floor


def test_a_card_reader_needs_a_device_that_reads(manager: Manager) -> None:
    read = replace(TABLE, setup=replace(SETUP, device=Device.PLAIN), reader=ReaderRole.CHECKS)
    assert manager.why(cmd.ProposeTable(definition=read), "Max") is Refusal.DEVICE_NOT_SUITABLE
    reading = replace(read, setup=replace(SETUP, device=Device.CARD_READING))
    manager.do(cmd.ProposeTable(definition=reading), "Max")


@pytest.mark.parametrize(
    ("minimum", "maximum", "reason"),
    [(6_000, 5_000, Refusal.LIMITS_CROSSED), (0, 5_000, Refusal.LIMIT_NOT_POSSIBLE)],
)
def test_limits_that_no_wager_can_keep_are_refused_when_proposed(
    manager: Manager, minimum: int, maximum: int, reason: Refusal
) -> None:
    limits = (PostedLimit("player", minimum, maximum),)
    changed = replace(TABLE, setup=replace(SETUP, limits=limits))
    assert manager.why(cmd.ProposeTable(definition=changed), "Max") is reason


def test_a_proposal_that_changes_nothing_is_refused(manager: Manager) -> None:
    assert manager.why(cmd.ProposeTable(definition=TABLE), "Max") is Refusal.NOTHING_CHANGES


def test_a_bot_is_known_by_its_name() -> None:
    assert is_bot("Bot Ivy")
    assert not is_bot("Botho")


def test_a_gaming_day_is_set_once_and_holds_until_there_is_another() -> None:
    manager = Manager()
    singapore = GamingDay("Asia/Singapore", ("06:00", "18:00"))

    def read(day: GamingDay | None) -> list[GamingDay]:
        events = manager.do(cmd.DefineTables(file="f", digest="d", tables=(TABLE,), day=day))
        return [event.plan.day for event in events if isinstance(event, ev.GamingDaySet)]

    assert read(singapore) == [singapore]
    assert read(singapore) == []
    assert read(None) == []
    assert read(GamingDay("UTC")) == [GamingDay("UTC", ("06:00",))]
    assert [plan.day for plan in manager.floor.day_plans] == [singapore, GamingDay("UTC")]
    assert {plan.since for plan in manager.floor.day_plans} == {NOW}
