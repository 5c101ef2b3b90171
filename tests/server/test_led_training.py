"""Tables with a trainer over HTTP: who may lead, who may deal, what is bounded, and what is kept."""

from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from moved_clock import MovedClock
from server.in_process import Here, floor_here
from server.test_training import asked, command, somebody, told

from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.server.memory_room import IDLE_MINUTES, MOST_OF_ONE
from thirdcard.server.training_room import MOST_COMMANDS, OpenDrill, TrainingRoom
from thirdcard.training.led_session import LONGEST_WORDS, TableKind
from thirdcard.wire.paths import API, TRAINER_GAMES, TRAINER_TABLES

GAME = "mbs-tiger-v3"
OPEN = {"type": "open-betting"}
FAILURE = {"type": "report-irregularity", "situation": "power-failure"}
LIGHTS = "The lights go out, and everything that is driven by current stands still."


async def opened(client: httpx.AsyncClient, **other: str) -> dict[str, Any]:
    """A table with a trainer that somebody opens, with betting open."""
    drill = await asked(client, "trainer-tables", {"game": GAME, **other})
    return await command(client, drill, 1, command=OPEN)


async def seen(client: httpx.AsyncClient, table: dict[str, Any]) -> dict[str, Any]:
    """A table as its trainer sees it."""
    response = await client.get(f"{TRAINER_TABLES}/{table['session']}")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


async def struck(
    client: httpx.AsyncClient, table: dict[str, Any], fault: str, words: str = ""
) -> dict[str, Any]:
    """A table after a strike."""
    return await asked(client, f"trainer-tables/{table['session']}/strikes", {"fault": fault, "words": words})


async def two(here: Here) -> tuple[httpx.AsyncClient, httpx.AsyncClient]:
    """A trainee and a trainer."""
    return await somebody(here, "dealer"), await somebody(here, "gaming-shift-manager")


async def test_strike_is_handled_graded_and_kept_with_the_trainer(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer, trainer = await two(here)
        drill = await opened(dealer)
        (line,) = (await trainer.get(TRAINER_TABLES)).json()["tables"]
        assert (line["session"], line["person"], line["game"], line["post"], line["kind"]) == (
            drill["session"],
            "dealer",
            GAME,
            "dealer",
            "by-dealer",
        )
        after = await struck(trainer, drill, "power-failure", "  Thunder\nrolls. ")
        assert after["refused"] is None
        (strike,) = after["strikes"]
        assert strike == {
            "fault": "power-failure",
            "trainer": "gaming-shift-manager",
            "words": "Thunder rolls.",
            "state": "open",
        }
        now = (await dealer.get(f"{API}/training/sessions/{drill['session']}")).json()
        assert told(now)[-2:] == ["Thunder rolls.", LIGHTS]
        assert told(after) == told(now)
        await command(dealer, drill, 2, command=FAILURE)
        assert (await seen(trainer, drill))["strikes"][0]["state"] == "handled"
        ended = await asked(trainer, f"trainer-tables/{drill['session']}/end")
        assert ended["over"] is True
        assert ended["grade"]["passed"] is True
        assert ended["grade"]["kept"] is True
        grade = await asked(dealer, f"sessions/{drill['session']}/grade")
        assert grade == ended["grade"]
        (kept,) = (tmp_path / "training-record.jsonl").read_text("utf-8").splitlines()
        result = msgspec.json.decode(kept)
        assert (result["form"], result["person"], result["pack"], result["trainer"]) == (
            2,
            "dealer",
            "with-a-trainer",
            "gaming-shift-manager",
        )
        (mine,) = (await dealer.get(f"{API}/training/record?language=ko")).json()["results"]
        assert mine["trainer"] == "gaming-shift-manager"
        assert not mine["title"].isascii()


async def test_trainee_neither_sees_the_list_nor_strikes(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        for name in ("dealer", "pit-manager"):
            client = await somebody(here, name)
            drill = await opened(client)
            path = f"{TRAINER_TABLES}/{drill['session']}"
            answers = [
                await client.get(TRAINER_TABLES),
                await client.get(path),
                await client.post(f"{path}/strikes", json={"fault": "late-chip"}),
                await client.post(f"{path}/end"),
            ]
            assert [(each.status_code, each.json()["reason"]) for each in answers] == [
                (403, "not-permitted")
            ] * 4
            assert (await client.get(TRAINER_GAMES)).json()["trains"] is False


async def test_nobody_is_the_trainer_of_their_own_table(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        trainer = await somebody(here, "gaming-shift-manager")
        drill = await opened(trainer)
        assert (await trainer.get(TRAINER_GAMES)).json()["trains"] is True
        assert (await trainer.get(TRAINER_TABLES)).json()["tables"] == []
        path = f"{TRAINER_TABLES}/{drill['session']}"
        answers = [
            await trainer.get(path),
            await trainer.post(f"{path}/strikes", json={"fault": "late-chip"}),
            await trainer.post(f"{path}/end"),
        ]
        assert [each.json()["reason"] for each in answers] == ["not-permitted"] * 3


async def test_trainer_cannot_deal_for_the_trainee(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer, trainer = await two(here)
        drill = await opened(dealer)
        path = f"{API}/training/sessions/{drill['session']}"
        answers = [
            await trainer.get(path),
            await trainer.post(
                f"{path}/commands", json={"command_id": "command-9", "command": {"type": "close-betting"}}
            ),
            await trainer.post(f"{path}/calls", json={"post": "pit-manager"}),
            await trainer.post(f"{path}/go-on"),
            await trainer.post(f"{path}/grade"),
        ]
        assert [each.json()["reason"] for each in answers] == ["no-such-session"] * 5
        assert (await seen(trainer, drill))["sequence"] == drill["sequence"]


async def test_choices_say_why_something_cannot_go_wrong_now(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer, trainer = await two(here)
        drill = await opened(dealer)
        choices = {each["fault"]: each["why_not"] for each in (await seen(trainer, drill))["choices"]}
        assert choices == {
            **dict.fromkeys(("wrong-hand", "together", "late-chip", "wrong-call", "differential")),
            "power-failure": None,
            "left-with-cards": "not-here",
            "forgotten-burn": "not-here",
        }
        refused = await struck(trainer, drill, "forgotten-burn")
        assert (refused["refused"], refused["strikes"]) == ("not-here", [])
        await command(dealer, drill, 2, command=FAILURE)  # there was none
        false = await struck(trainer, drill, "late-chip")
        assert false["refused"] in ("case-open", None)


async def test_ended_table_takes_no_strike_and_leaves_the_list(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer, trainer = await two(here)
        drill = await opened(dealer)
        await asked(dealer, f"sessions/{drill['session']}/grade")
        assert (await trainer.get(TRAINER_TABLES)).json()["tables"] == []
        late = await struck(trainer, drill, "late-chip")
        assert (late["refused"], late["over"], late["strikes"]) == ("over", True, [])
        assert late["grade"] is not None
        (kept,) = (tmp_path / "training-record.jsonl").read_text("utf-8").splitlines()
        assert msgspec.json.decode(kept)["trainer"] == ""


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"fault": "late-chip", "words": "x" * (LONGEST_WORDS + 1)}, 400),
        ({"fault": "earthquake"}, 400),
        ({}, 400),
    ],
)
async def test_bad_strike_is_refused(tmp_path: Path, form: dict[str, str], status: int) -> None:
    async with floor_here(tmp_path) as here:
        dealer, trainer = await two(here)
        drill = await opened(dealer)
        answer = await trainer.post(f"{TRAINER_TABLES}/{drill['session']}/strikes", json=form)
        assert (answer.status_code, answer.json()["reason"]) == (status, "not-understood")


@pytest.mark.parametrize(
    "form", [{"game": "whist"}, {"game": "mbs-super-six-etg-v3", "kind": "by-patrons"}, {"kind": "by-dealer"}]
)
async def test_table_that_there_is_not_cannot_be_opened(tmp_path: Path, form: dict[str, str]) -> None:
    async with floor_here(tmp_path) as here:
        dealer = await somebody(here, "dealer")
        answer = await dealer.post(TRAINER_TABLES, json=form)
        assert answer.json()["reason"] == "not-understood"


async def test_drill_is_no_table_with_a_trainer(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer, trainer = await two(here)
        form = {"drill": "cards/face-up-on-the-felt-1", "game": GAME, "post": "dealer"}
        drill = await asked(dealer, "sessions", form)
        assert (await trainer.get(TRAINER_TABLES)).json()["tables"] == []
        answer = await trainer.get(f"{TRAINER_TABLES}/{drill['session']}")
        assert (answer.status_code, answer.json()["reason"]) == (404, "no-such-session")


async def test_page_that_follows_a_table_keeps_no_session_from_its_idle_timeout(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer, trainer = await two(here)
        drill = await opened(dealer)
        own = f"{API}/training/sessions/{drill['session']}"
        for _ in range(4):
            await here.clock.move(100)  # a dealer rests for 300 seconds at most
            followed = await dealer.get(own)
        assert followed.json()["reason"] == "session-idle"
        assert (await trainer.get(TRAINER_TABLES)).status_code == 200
        for _ in range(16):
            await here.clock.move(100)
            last = await trainer.get(TRAINER_TABLES)
        assert last.json()["reason"] == "session-idle"


async def test_nothing_of_a_table_with_a_trainer_is_recorded(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer, trainer = await two(here)
        heads = {each: await here.floor.store.head(each) for each in await here.floor.store.streams()}
        drill = await opened(dealer)
        await struck(trainer, drill, "power-failure")
        await command(dealer, drill, 2, command=FAILURE)
        await asked(trainer, f"trainer-tables/{drill['session']}/end")
        after = {each: await here.floor.store.head(each) for each in await here.floor.store.streams()}
        assert after == heads


async def test_table_is_told_in_the_language_of_its_reader(tmp_path: Path) -> None:
    async with floor_here(tmp_path) as here:
        dealer, trainer = await two(here)
        drill = await opened(dealer)
        await struck(trainer, drill, "power-failure")
        path = f"{TRAINER_TABLES}/{drill['session']}?language=vi"
        assert LIGHTS not in told((await trainer.get(path)).json())
        own = (await dealer.get(f"{API}/training/sessions/{drill['session']}?language=zh-Hant")).json()
        assert own["title"] == "與培訓師練習"


# the room


def led_table(room: TrainingRoom, person: str) -> OpenDrill:
    house = SHIPPED.house("marina-bay-sands")
    return room.begin_led(person, SHIPPED.rulebook(GAME), house, TableKind.BY_DEALER)


def test_one_person_deals_at_one_table() -> None:
    room = TrainingRoom(MovedClock())
    ended, left, table, other = (led_table(room, name) for name in ("Ann", "Ann", "Ann", "Bob"))
    assert room.led("Grace") == (table, other)
    assert room.find(left.id, "Ann") is not left
    assert room.find(ended.id, "Ann") is not ended


def test_ended_table_stays_until_others_make_room() -> None:
    room = TrainingRoom(MovedClock())
    ended = led_table(room, "Ann")
    ended.drill.finish()
    for _ in range(MOST_OF_ONE):
        led_table(room, "Ann")
    assert room.find_led(ended.id, "Grace") is ended


def test_table_that_is_only_looked_at_is_forgotten_after_an_hour() -> None:
    clock = MovedClock()
    room = TrainingRoom(clock)
    table = led_table(room, "Ann")
    clock.jump(IDLE_MINUTES * 60)
    assert room.find(table.id, "Ann", touch=False) is table
    assert room.find_led(table.id, "Grace") is table
    clock.jump(1)
    assert room.led("Grace") == ()
    assert room.find_led(table.id, "Grace") is not table


def test_table_ends_after_very_many_turns_without_a_card() -> None:
    table = led_table(TrainingRoom(MovedClock()), "Ann")
    for _ in range(MOST_COMMANDS):
        table.pass_on()
    assert table.drill.over
