"""A matrix of fraud: one person alone gives a confederate nothing, changes no outcome and locks no senior."""

import datetime
import typing
from pathlib import Path

import pytest
from floor.test_floor import FACTOR, STAFF, TABLE, Manager, enrolment
from lengths import sized
from machines.commands import KINDS
from machines.controls_page import BODIES, EXCEPTIONS, cells, controls_page
from machines.dice import SeededDice, pick
from machines.fraud import (
    CASHIER,
    GAMES,
    PHASES,
    Gain,
    everybody,
    judged,
    one_does,
    people,
    sequence,
    stage,
    tag,
)
from msgspec.structs import replace
from story import HO, S6, T3

from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.apply import apply_all
from thirdcard.floor.standing import COMMAND_LINE, SERVER, standing_of
from thirdcard.floor.state import Floor, Scope, Secret
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refused
from thirdcard.rulebook.irregularity import Preset, Situation
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.staff import Post

pytestmark = pytest.mark.sweep
MADE_UP = sized(BODIES, 40)  # commands of each kind, by each post in each phase
SEQUENCES = sized(1_500, 400_000)
FLOOR_SEQUENCES = sized(300, 20_000)
WITHOUT_A_CLAUSE = 10
WATCHING = {"surveillance", "auditor"}
PAGE = Path(__file__).parent.parent.parent / "docs" / "controls.md"


def unexplained(gains: list[Gain]) -> list[Gain]:
    """The gains that are no exception with its clause or procedure."""
    return [
        each
        for each in gains
        if not any(
            each.command == known.command and set(known.grounds) & set(each.grounds) for known in EXCEPTIONS
        )
    ]


@pytest.mark.parametrize("game", GAMES)
def test_fraud_by_any_command_of_any_post_in_any_phase_brings_nothing(game: str) -> None:
    assert unexplained([*cells(game, MADE_UP).gains]) == []


def test_fraud_by_random_sequences_of_one_person_brings_nothing() -> None:
    gains: list[Gain] = []
    for seed in range(SEQUENCES):
        dice = SeededDice(seed)
        game = pick(dice, GAMES)
        at, actor = stage(game, pick(dice, tuple(PHASES))), pick(dice, everybody(game))
        gains += judged(at, actor, sequence(at, actor, dice, dice.number(1, 8)))
    assert unexplained(gains) == []


@pytest.mark.parametrize("game", GAMES)
def test_fraud_sends_no_senior_off_duty(game: str) -> None:
    at = stage(game, "idle")
    on_duty = [each for each in people(game) if any(one.person == each.name for one in at.table.staff)]
    for place, actor in enumerate(on_duty):
        for senior in on_duty[place + 1 :]:
            assert one_does(at, actor, [cmd.GoOffDuty(person=senior.name)]) == []
    highest = on_duty[-1]
    assert one_does(at, highest, [cmd.GoOffDuty(person=on_duty[0].name)])


@pytest.mark.parametrize("first", [(), (cmd.CloseTable(reason="late"),)])
def test_fraud_by_a_late_report_after_the_outcome_brings_nothing(first: tuple[cmd.Body, ...]) -> None:
    """Nobody alone takes a part of a lost wager back, also not at a table that was closed since (4.6)."""
    at = stage(HO, "settled")
    actor = next(each for each in people(HO) if each.posts[0] == "assistant-director")
    late = cmd.ReportIrregularity(
        situation=Situation.LATE_WAGER, patron="Ann", position=1, amount=5_000, wager="banker"
    )
    done = one_does(at, actor, [*first, late])
    assert [type(body) for body, _ in done] == [type(body) for body in first]


def test_fraud_has_few_exceptions_without_a_clause() -> None:
    assert all(each.grounds for each in EXCEPTIONS)
    without = [each for each in EXCEPTIONS if all(ground.startswith("house: ") for ground in each.grounds)]
    assert len(without) <= WITHOUT_A_CLAUSE


def test_fraud_exceptions_are_all_real() -> None:
    """A post rules alone that stakes go back, by its clause; staff sell credits up to the house's amount."""
    at = stage(T3, "referred")
    actor = next(each for each in people(T3) if each.posts[0] == "gaming-shift-manager")
    ruling = cmd.Rule(choice=Preset.VOID_ROUND, text="so")
    (ruled,) = judged(at, actor, one_does(at, actor, [ruling]))
    assert (ruled.command, ruled.amount, set(ruled.grounds) >= {"6.1"}) == ("rule", 20_000, True)
    at, actor = stage(S6, "idle"), people(S6)[-1]
    (sold,) = judged(at, actor, one_does(at, actor, [cmd.BuyCredits(terminal="Ann", amount=500_000)]))
    assert (sold.command, sold.amount) == ("buy-credits", 500_000)
    for alone in (actor, CASHIER):
        assert one_does(at, alone, [cmd.BuyCredits(terminal="Ann", amount=500_000)])
        assert not one_does(at, alone, [cmd.BuyCredits(terminal="Ann", amount=500_001)])
    assert unexplained([ruled, sold]) == []


# the floor


def bodies_of(dice: SeededDice) -> floor_cmd.FloorBody:
    """A made-up command to the floor, in favour of whoever sends it or against anybody."""
    name, post = (
        pick(dice, (*STAFF, "Kim")),
        Post(pick(dice, ("dealer", "pit-manager", "gaming-shift-manager"))),
    )
    terminal = pick(dice, ("E1", "E2"))
    bodies: tuple[floor_cmd.FloorBody, ...] = (
        floor_cmd.AddPerson(name="Kim", posts=(post,), password="x", second_factor=FACTOR),
        floor_cmd.ChangePosts(name=name, posts=(post,)),
        floor_cmd.ChangePassword(name=name, password="x"),
        floor_cmd.SetSecondFactor(name=name, second_factor=Secret("key", b"mine")),
        floor_cmd.LockPerson(name=name, reason="so"),
        floor_cmd.UnlockPerson(name=name),
        floor_cmd.EndSession(session=f"s-{name}", reason="so"),
        enrolment(terminal),
        floor_cmd.ClaimTerminal(terminal=terminal, code="code", token="mine"),
        floor_cmd.EnableTerminal(terminal=terminal),
        floor_cmd.DisableTerminal(terminal=terminal, reason="so"),
        floor_cmd.OpenPatronSession(terminal=terminal, patron="Confed"),
        floor_cmd.ProposeTable(definition=replace(TABLE, cutting_card=20)),
        floor_cmd.ApproveProposal(id=1),
        floor_cmd.RejectProposal(id=1),
        floor_cmd.Disable(reason="so"),
        floor_cmd.Enable(),
        floor_cmd.ClosePatronSession(terminal=terminal),
        floor_cmd.DefineTables(file="f", digest="e", tables=(replace(TABLE, cutting_card=20),)),
        floor_cmd.AcceptRestore(reason="so", lost=(), kept=()),
        floor_cmd.AcceptShelf(files=()),
        floor_cmd.BeginSigning(ends=()),
        floor_cmd.NoteClockStep(microseconds=1, run="r"),
        floor_cmd.AcknowledgeClockStep(at=datetime.datetime.now(datetime.UTC), run="r"),
        floor_cmd.SignIn(name=name, session="mine", console="C"),
        floor_cmd.ShowIdentity(name=name, console="C"),
        floor_cmd.FailSignIn(name=name, console="C"),
        floor_cmd.AddAccount(name=pick(dice, ("Mine", "Over")), scopes=tuple(Scope), token="mine", days=1),
        floor_cmd.RevokeAccount(name="Mine", reason="so"),
        floor_cmd.AddWebhook(
            name="Mine", url="https://mine.example", scopes=(Scope.TABLES,), secret=FACTOR, after=()
        ),
        floor_cmd.RemoveWebhook(name="Mine", reason="so"),
        floor_cmd.StopWebhook(name="Mine", reason="so", after=()),
        floor_cmd.ResumeWebhook(name="Mine"),
        floor_cmd.NoteDelivered(name="Mine", after=()),
    )
    return pick(dice, bodies)


def seconds_of(dice: SeededDice, actor: str) -> str | None:
    """A second person whom somebody alone can name: nobody, oneself, or no person at all."""
    return pick(dice, (None, None, None, actor, "Kim", COMMAND_LINE, SERVER))


def wrongs(before: Floor, after: Floor, actor: str) -> list[str]:
    """Say what of one person's deeds takes two people, or is against somebody who stands as high."""
    houses, found = SHIPPED.houses, []
    own = standing_of(houses, before, actor)
    for person in before.people:
        now = after.person(person.name)
        assert now is not None
        guarded = standing_of(houses, before, person.name) >= own or set(person.posts) & {
            "surveillance",
            "auditor",
        }
        kept_out = now.locked is not None and person.locked is None
        if person.name != actor and ((guarded and kept_out) or now.password != person.password):
            found.append(f"{person.name} cannot sign in")
        if person.locked is not None and now.locked is None:
            found.append(f"{person.name} can sign in again")
        if (now.posts, now.second_factor) != (person.posts, person.second_factor):
            found.append(f"{person.name} is somebody else")
    held = {each.id for each in after.sessions}
    lost = [each for each in before.sessions if each.id not in held and each.person != actor]
    high = [each.person for each in lost if standing_of(houses, before, each.person) >= own]
    found += [f"the session of {name} ended" for name in high]
    found += [
        f"{each.person} is signed in" for each in after.sessions if each.id == "mine" and each.person != actor
    ]
    found += ["somebody new"] if len(after.people) > len(before.people) else []
    agreed = [*before.tables, *(each.definition for each in before.proposals if each.by != actor)]
    found += ["another table" for each in after.tables if each not in agreed]
    known = {each.token for each in before.accounts}
    found += [f"{each.name} is another system" for each in after.accounts if each.token not in known]
    addresses = {each.url for each in before.webhooks}
    found += [f"{each.url} is told" for each in after.webhooks if each.url not in addresses]
    enabled = {each.id for each in before.terminals if each.enabled}
    found += [f"{each.id} is enabled" for each in after.terminals if each.enabled and each.id not in enabled]
    return found


@pytest.fixture
def floors() -> tuple[Floor, ...]:
    """A floor with a terminal that is expected; enabled and in use; and with people locked."""
    manager = Manager()
    for name, post in STAFF.items():
        manager.do(floor_cmd.AddPerson(name=name, posts=(Post(post),), password="h", second_factor=FACTOR))
        manager.do(floor_cmd.SignIn(name=name, session=f"s-{name}", console="C"), name)
    manager.do(floor_cmd.DefineTables(file="f", digest="d", tables=(TABLE,)))
    manager.do(enrolment())
    expected = manager.floor
    manager.do(floor_cmd.ClaimTerminal(terminal="E1", code="code", token="token"), "E1")
    manager.do(floor_cmd.EnableTerminal(terminal="E1"))
    manager.do(floor_cmd.OpenPatronSession(terminal="E1", patron="Ann"))
    manager.do(floor_cmd.ProposeTable(definition=replace(TABLE, cutting_card=30)), "Max")
    in_use = manager.floor
    manager.do(floor_cmd.AddAccount(name="Over", scopes=(Scope.CREDITS,), token="over", days=1))
    manager.do(floor_cmd.RevokeAccount(name="Over", reason="so"))
    for name in ("Dana", "Mia", "Eve"):
        manager.do(floor_cmd.LockPerson(name=name, reason="so"))
    return expected, in_use, manager.floor


def test_fraud_on_the_floor_by_one_person_changes_nobody_and_opens_nothing(floors: tuple[Floor, ...]) -> None:
    tried: set[type] = set()
    for seed in range(FLOOR_SEQUENCES):
        for actor in STAFF:
            dice, manager = SeededDice(seed), Manager()
            floor = manager.floor = pick(dice, floors)
            for step in range(dice.number(1, 8)):
                body = bodies_of(dice)
                tried.add(type(body))
                manager.now += datetime.timedelta(seconds=step)
                result = manager.ask(body, actor, seconds_of(dice, actor))
                if not isinstance(result, Refused):
                    manager.floor = apply_all(manager.floor, result)
            assert wrongs(floor, manager.floor, actor) == [], (actor, seed)
    assert tried == {*typing.get_args(floor_cmd.FloorBody)}


def test_fraud_page_is_up_to_date(request: pytest.FixtureRequest) -> None:
    text = controls_page()
    if request.config.getoption("--update"):
        PAGE.write_text(text, "utf-8")
    assert PAGE.read_text("utf-8") == text, "run scripts/test --update"
    assert all(f"`{tag(kind)}`" in text for kind in KINDS)
