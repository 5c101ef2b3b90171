"""Drills over HTTP: what they tell, who sees them, what they leave alone, and how they are graded."""

import tracemalloc
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from moved_clock import MovedClock
from server.in_process import Here, floor_here
from trainees import rehearsal_of

from thirdcard.access.sign_in import Attempt, OpenedSession
from thirdcard.game import commands as cmd
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.server import drills as packs
from thirdcard.server.memory_room import IDLE_MINUTES, MOST_OF_ONE, MOST_TRAININGS
from thirdcard.server.training_room import MOST_COMMANDS, TrainingRoom
from thirdcard.staff import Post
from thirdcard.training.drill import read_drill
from thirdcard.training.rehearsal import Level, Rehearsal
from thirdcard.wire.paths import API, OWN_HEADER

GAME = "mbs-tiger-v3"
FOREIGN = read_drill(
    "cards/another-back",
    """title Another back
game mbs-tiger-v3
patrons Ann at 1
Dealer: opens betting
Ann: 300 on player at 1
Dealer: closes betting
Dealer: draws 2 2
? Dealer: reports foreign-card
? Pit Manager: confirms
""",
)
TOGETHER = read_drill(
    "dealing/two-at-once",
    """title Two third cards
game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 300 on player at 1
Bob: 200 on banker at 2
Dealer: closes betting
Dealer: draws 2 2 2 A
? Dealer: draws 9 6 together, order unknown
? Pit Manager: rules order 9 6
Ann: withdraws
Bob: stays
""",
)
REPORT = {"type": "report-irregularity", "situation": "foreign-card"}


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a server offer two drills."""
    monkeypatch.setattr(packs, "all_drills", lambda *_: FOREIGN + TOGETHER)


async def somebody(here: Here, name: str) -> httpx.AsyncClient:
    """The client of a person of the demonstration who has signed in."""
    assert here.demo is not None
    person = next(each for each in here.demo.people if each.name == name)
    code = person.code_at(here.clock.now().moment, 0)
    opened = await here.desk.sign_in(Attempt(person.name, person.password, "test", "", code))
    assert isinstance(opened, OpenedSession)
    client = here.client()
    client.headers.update({OWN_HEADER: "staff", "authorization": f"Bearer {opened.token}"})
    return client


async def begun(client: httpx.AsyncClient, level: int = 2, **other: str) -> dict[str, Any]:
    """A drill that somebody begins."""
    form = {"drill": "cards/another-back", "game": GAME, "post": "dealer", "level": level, **other}
    return await asked(client, "sessions", form)


async def asked(client: httpx.AsyncClient, path: str, form: object = None, **query: str) -> dict[str, Any]:
    """The answer to something that is sent."""
    response = await client.post(f"{API}/training/{path}", json=form, params=query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def command(
    client: httpx.AsyncClient, drill: dict[str, Any], number: int, **form: Any
) -> dict[str, Any]:
    """The answer to a command."""
    own = {"command_id": f"command-{number}", **form}
    return await asked(client, f"sessions/{drill['session']}/commands", own)


def told(answer: dict[str, Any]) -> list[str]:
    return [each["says"] for each in answer["told"]]


@pytest.mark.usefixtures("two")
async def test_drill_is_passed_over_http(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        drill = await begun(dealer)
        assert told(drill)[-1] == "One card has another back than all the others."
        assert drill["view"]["setup"]["training"] is True
        assert drill["view"]["desk"] is not None  # as staff see a table
        assert drill["person"] == "Dealer"
        reported = await command(dealer, drill, 1, command=REPORT)
        assert reported["refused"] is None
        assert next(each["what"]["kind"] for each in reported["moments"]) == "irregularity-reported"
        called = await asked(dealer, f"sessions/{drill['session']}/calls", {"post": "pit-manager"})
        assert called["over"] is True
        await here.clock.move(3)
        grade = await asked(dealer, f"sessions/{drill['session']}/grade")
        assert (grade["passed"], grade["points"], grade["most"], grade["level"]) == (True, 6, 6, 2)
        assert [each["text"] for each in grade["right_way"]] == [
            "Dealer: reports foreign-card",
            "Pit Manager: confirms",
        ]
        assert [each["actor"] for each in grade["right_way"]] == ["dealer", "pit-manager"]
        known = {each["clause"] for each in grade["clauses"]}
        assert {clause for each in grade["findings"] for clause in each["clauses"]} <= known
        assert await asked(dealer, f"sessions/{drill['session']}/grade") == grade


@pytest.mark.usefixtures("two")
async def test_nothing_of_a_drill_is_recorded(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        streams = await here.floor.store.streams()
        heads = {each: await here.floor.store.head(each) for each in streams}
        dealer = await somebody(here, "dealer")
        signed_in = await here.floor.store.head("floor")
        drill = await begun(dealer)
        await command(dealer, drill, 1, command=REPORT)
        await asked(dealer, f"sessions/{drill['session']}/grade")
        after = {each: await here.floor.store.head(each) for each in await here.floor.store.streams()}
        assert after == {**heads, "floor": signed_in}


@pytest.mark.usefixtures("two")
async def test_refused_command_comes_with_the_drill_as_it_stands(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        drill = await begun(dealer)
        answer = await command(dealer, drill, 1, command={"type": "open-betting"})
        assert answer["refused"]["reason"] == "not-in-this-phase"
        assert answer["sequence"] == drill["sequence"]
        grade = await asked(dealer, f"sessions/{drill['session']}/grade")
        assert grade["passed"] is False
        assert {each["aspect"]: each["right"] for each in grade["aspects"]}["order"] is False


@pytest.mark.usefixtures("two")
async def test_command_sent_again_counts_once(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        drill = await begun(dealer)
        first = await command(dealer, drill, 1, command=REPORT)
        again = await command(dealer, drill, 1, command=REPORT)
        assert (again["sequence"], again["refused"]) == (first["sequence"], None)


@pytest.mark.usefixtures("two")
async def test_second_person_is_a_post_that_was_called(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        drill = await begun(dealer)
        await command(dealer, drill, 1, command=REPORT, authoriser="pit-manager")
        grade = await asked(dealer, f"sessions/{drill['session']}/grade")
        wrong = {each["says"] for each in grade["findings"] if not each["right"]}
        assert "Named, and not called: Pit Manager" in wrong


@pytest.mark.usefixtures("two")
async def test_questions_about_an_irregularity_are_those_of_a_real_table(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        drill = await begun(dealer)
        path = f"sessions/{drill['session']}/irregularity"
        assert (await asked(dealer, path, {"situation": "foreign-card"}))["type"] == "required"
        assert (await asked(dealer, path, {"situation": "cards-together"}))["type"] == "question"


@pytest.mark.usefixtures("two")
async def test_drill_is_told_in_the_language_of_the_reader(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        drill = await begun(dealer, level=1)
        response = await dealer.get(f"{API}/training/sessions/{drill['session']}?language=zh-Hans")
        assert told(response.json())[-1] != told(drill)[-1]
        assert told(response.json())[-1].isascii() is False
        session = f"sessions/{drill['session']}"
        called = await asked(dealer, f"{session}/calls", {"post": "pit-manager"}, language="zh-Hans")
        assert "Pit Manager" not in told(called)[-1]
        grade = await asked(dealer, f"{session}/grade", language="zh-Hans")
        assert not any(each["says"].isascii() for each in grade["aspects"])


@pytest.mark.usefixtures("two")
async def test_nobody_else_sees_a_drill(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        drill = await begun(await somebody(here, "dealer"))
        another = await somebody(here, "pit-manager")
        for method, path in (("GET", ""), ("POST", "/grade"), ("POST", "/go-on")):
            response = await another.request(method, f"{API}/training/sessions/{drill['session']}{path}")
            assert (response.status_code, response.json()["reason"]) == (404, "no-such-session")


@pytest.mark.usefixtures("two")
async def test_going_on_without_acting_ends_a_drill_that_is_not_passed(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        drill = await begun(dealer, drill="dealing/two-at-once")
        for _ in range(9):
            drill = await asked(dealer, f"sessions/{drill['session']}/go-on")
            if drill["over"]:
                break
        assert drill["over"] is True
        grade = await asked(dealer, f"sessions/{drill['session']}/grade")
        assert grade["passed"] is False
        late = await command(dealer, drill, 9, command=REPORT)
        assert late["refused"]["reason"] == "not-awaited"


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"drill": "cards/nothing"}, "not-understood"),
        ({"game": "mbs-tiger-nc-v4"}, "not-understood"),
        ({"drill": "dealing/two-at-once", "post": "pit-supervisor"}, "no-such-post"),
        ({"post": "cook"}, "no-such-post"),
    ],
)
@pytest.mark.usefixtures("two")
async def test_drill_that_is_not_there_is_refused(tmp_path: Path, other: dict[str, str], reason: str) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        form = {"drill": "cards/another-back", "game": GAME, "post": "dealer", **other}
        response = await dealer.post(f"{API}/training/sessions", json=form)
        assert response.json()["reason"] == reason


@pytest.mark.usefixtures("two")
async def test_post_of_no_house_cannot_be_called(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        drill = await begun(dealer)
        path = f"{API}/training/sessions/{drill['session']}"
        called = await dealer.post(f"{path}/calls", json={"post": "cook"})
        named = {"command_id": "command-1", "command": REPORT, "authoriser": "cook"}
        second = await dealer.post(f"{path}/commands", json=named)
        assert [each.json()["reason"] for each in (called, second)] == ["no-such-post"] * 2


async def test_list_names_the_games_and_the_posts_of_each_drill(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as floor:
        dealer = await somebody(floor, "dealer")
        first = (await dealer.get(f"{API}/training/drills")).json()
        found = {
            (each["name"], game["game"]): each["posts"]
            for game in first["games"]
            for each in (await dealer.get(f"{API}/training/drills", params={"game": game["game"]})).json()[
                "drills"
            ]
        }
        unknown = await dealer.get(f"{API}/training/drills?game=whist")
    assert first["game"] == first["games"][0]["game"]
    assert {*found} == {(each.name, each.game) for each in packs.all_drills(None, SHIPPED)}
    assert all(found.values())
    assert unknown.json()["reason"] == "not-understood"


# the record


@pytest.mark.usefixtures("two")
async def test_result_is_kept_once_and_read_by_its_own_person(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        drill = await begun(dealer)
        grade = await asked(dealer, f"sessions/{drill['session']}/grade")
        assert grade["kept"] is True
        await asked(dealer, f"sessions/{drill['session']}/grade")
        (line,) = (tmp_path / "training-record.jsonl").read_text("utf-8").splitlines()
        assert msgspec.json.decode(line)["person"] == "dealer"
        record = (await dealer.get(f"{API}/training/record")).json()
        assert (record["person"], record["people"]) == ("dealer", ["dealer"])
        assert [(each["title"], each["passed"], each["points"]) for each in record["results"]] == [
            ("Another back", False, 1)  # nothing was done, so that nothing was claimed
        ]
        assert [(each["pack"], each["times"], each["passed"]) for each in record["packs"]] == [
            ("cards", 1, 0)
        ]


@pytest.mark.usefixtures("two")
async def test_only_the_highest_posts_see_the_records_of_others(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer, manager = await somebody(here, "dealer"), await somebody(here, "pit-manager")
        senior = await somebody(here, "gaming-shift-manager")
        drill = await begun(dealer)
        await asked(dealer, f"sessions/{drill['session']}/grade")
        for path in ("record", "record/csv"):
            refused = await manager.get(f"{API}/training/{path}?person=dealer")
            assert refused.json()["reason"] == "not-permitted"
        seen = (await senior.get(f"{API}/training/record?person=dealer&language=zh-Hans")).json()
        assert (seen["person"], len(seen["results"])) == ("dealer", 1)
        assert not any(each.isascii() for each in seen["results"][0]["wrong"])
        assert (await senior.get(f"{API}/training/record")).json()["people"] == [
            "dealer",
            "gaming-shift-manager",
        ]


@pytest.mark.usefixtures("two")
async def test_record_is_exported_for_personnel_files(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        drill = await begun(dealer)
        await asked(dealer, f"sessions/{drill['session']}/grade")
        files = {
            form: await dealer.get(f"{API}/training/record/{form}") for form in ("csv", "xlsx", "pdf", "doc")
        }
        assert "Another back" in files["csv"].text
        assert files["xlsx"].content.startswith(b"PK")
        assert files["pdf"].content.startswith(b"%PDF")
        assert files["doc"].json()["reason"] == "not-understood"


@pytest.mark.usefixtures("two")
async def test_record_that_cannot_be_written_or_read_is_said(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        (tmp_path / "training-record.jsonl").write_text("something else\n", "utf-8")
        drill = await begun(dealer)
        assert (await asked(dealer, f"sessions/{drill['session']}/grade"))["kept"] is False
        for path in ("record", "record/csv"):
            refused = await dealer.get(f"{API}/training/{path}")
            assert refused.json()["reason"] == "not-understood"
            assert "line 1" in refused.json()["message"]
        assert (tmp_path / "training-record.jsonl").read_text("utf-8") == "something else\n"


# the room


def rehearsed() -> Rehearsal:
    return rehearsal_of(FOREIGN[0])


def test_one_person_has_few_drills_open() -> None:
    room, rehearsal = TrainingRoom(MovedClock()), rehearsed()
    opened = [room.begin("Ann", rehearsal, Post("dealer"), Level.SHOWN) for _ in range(MOST_OF_ONE + 1)]
    found = [room.find(each.id, "Ann") in opened for each in opened]
    assert found == [False] + [True] * MOST_OF_ONE


def test_longest_untouched_drill_makes_room() -> None:
    room, rehearsal = TrainingRoom(MovedClock()), rehearsed()
    opened = [
        room.begin(f"P{number}", rehearsal, Post("dealer"), Level.SHOWN) for number in range(MOST_TRAININGS)
    ]
    assert room.find(opened[0].id, "P0") is opened[0]
    room.begin("Zoe", rehearsal, Post("dealer"), Level.SHOWN)
    assert len(room) == MOST_TRAININGS
    assert room.find(opened[0].id, "P0") is opened[0]
    assert room.find(opened[1].id, "P1") is not opened[1]


def test_drill_is_forgotten_after_an_hour() -> None:
    clock = MovedClock()
    room = TrainingRoom(clock)
    opened = room.begin("Ann", rehearsed(), Post("dealer"), Level.SHOWN)
    clock.jump(IDLE_MINUTES * 60)
    assert room.find(opened.id, "Ann") is opened
    clock.jump(IDLE_MINUTES * 60 + 1)
    assert room.find(opened.id, "Ann") is not opened


def test_drill_ends_after_very_many_commands() -> None:
    opened = TrainingRoom(MovedClock()).begin("Ann", rehearsed(), Post("dealer"), Level.SHOWN)
    for number in range(MOST_COMMANDS):
        opened.send(cmd.OpenBetting(), f"command-{number}", None)
    assert opened.drill.over


def test_drill_ends_after_very_many_calls() -> None:
    """Everything that is told stays with a drill and is sent with every answer: it grew with every call."""
    opened = TrainingRoom(MovedClock()).begin("Ann", rehearsed(), Post("dealer"), Level.SHOWN)
    for _ in range(MOST_COMMANDS):
        assert opened.call("dealer") is None
    assert opened.drill.over
    told = opened.tell()
    assert opened.call("dealer") is None
    assert opened.tell() == told


def test_drill_that_is_over_remembers_no_more_commands() -> None:
    opened = TrainingRoom(MovedClock()).begin("Ann", rehearsed(), Post("dealer"), Level.SHOWN)
    opened.drill.finish()
    tracemalloc.start()
    for number in range(2_000):
        late = opened.send(cmd.OpenBetting(), f"{number:064}", None)
        assert isinstance(late, Refused)
        assert late.reason is Refusal.NOT_AWAITED
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 50_000  # bytes; the ids alone have 128,000
