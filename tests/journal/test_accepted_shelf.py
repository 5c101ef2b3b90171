"""Rulebooks and houses of one's own count as two people accepted them; writing there raises nobody."""

import asyncio
import datetime
import shutil
from pathlib import Path

import pytest
from journal.floors_to_tamper import TABLE, TamperedFloor
from journal.test_marks import Typed, credentials, verified
from msgspec.structs import replace

from thirdcard.cli import run
from thirdcard.clockwork.floor_file import parse_floor_file
from thirdcard.floor import commands as floor_cmd
from thirdcard.floor.standing import COMMAND_LINE
from thirdcard.floor.state import Secret
from thirdcard.game import commands as cmd
from thirdcard.journal.store import FLOOR_STREAM
from thirdcard.messages import say
from thirdcard.refusals import Refusal, Refused
from thirdcard.rulebook.shelf import SHIPPED, open_shelf
from thirdcard.staff import Post
from thirdcard.streams.opening import OpenedPlace, OpenFloor, open_floor

EXAMPLES = Path(__file__).parents[2] / "examples" / "shelf"
HOUSE, GAME = "example-casino", "ez-baccarat"
NEW = "On the shelf are rulebooks or houses that nobody has accepted: {}. Put back what was there, or let two"
OWN_TABLE = "Own 1"
GAME_BEFORE_NOW = f"{GAME}@2026-01-01T00:00:00+08:00"
LACKS = "The shelf lacks rulebooks or houses that were accepted: {}."
NOW = datetime.datetime(2026, 11, 1, tzinfo=datetime.UTC)
Printed = pytest.CaptureFixture[str]


class ShelvedFloor:
    """A floor with a shelf of its own that has one house."""

    def __init__(self, folder: Path) -> None:
        self.shelf = folder / "shelf"
        self.house = self.shelf / "houses" / f"{HOUSE}.toml"
        self.house.parent.mkdir(parents=True)
        shutil.copy(EXAMPLES / "houses" / self.house.name, self.house)
        self.floor = TamperedFloor(OpenedPlace(folder / "data", folder / "keys" / "floor.keys"))

    @property
    def place(self) -> OpenedPlace:
        """The floor with the shelf as it is by now."""
        return replace(self.floor.place, shelf=open_shelf(self.shelf))

    async def begin(self, *, training: bool = False, shelved: bool = True, own: bool = False) -> None:
        """People are added, and a table is defined and opened, with or without the shelf."""
        place = self.floor.place = self.place if shelved else self.floor.place
        await self.floor.begin(rounds=1)
        more = "training = true" if training else ""
        text = f'format = 1\n[[table]]\nname = "{TABLE}"\ngame = "mbs-tiger-v3"\n{more}\n'
        if own:
            text += f'[[table]]\nname = "{OWN_TABLE}"\ngame = "{GAME}"\n'
        async with open_floor(place) as served:
            file = parse_floor_file("floor.toml", text.encode(), served.clock.now().moment, place.shelf)
            answer = await served.service.floor.send(file.command, actor=COMMAND_LINE, command_id="define")
            assert not isinstance(answer, Refused)

    def add_rulebook(self) -> Path:
        """Put a rulebook beside the house."""
        (self.shelf / "rulebooks").mkdir()
        return Path(shutil.copy(EXAMPLES / "rulebooks" / f"{GAME}.toml", self.shelf / "rulebooks"))

    def raise_dealers(self) -> None:
        """Write a house in which every dealer may do everything."""
        text = self.house.read_text("utf-8")
        for key in ("facts_confirmed_by", "not_covered_decided_by"):
            text = text.replace(f'{key} = "', f'{key} = "dealer" # "')
        self.house.write_text(text, "utf-8")

    async def closed(self) -> list[str]:
        """Why the tables of a server stay closed."""
        async with open_floor(self.place) as served:
            return [say(each) for each in served.service.closed]


@pytest.fixture
def floor(tmp_path: Path) -> ShelvedFloor:
    return ShelvedFloor(tmp_path)


async def why(served: OpenFloor, body: floor_cmd.FloorBody, actor: str, second: str) -> Refusal | None:
    answer = await served.service.floor.send(
        body, actor=actor, authoriser=second, command_id=f"{body.__class__.__name__}-{actor}"
    )
    return answer.reason if isinstance(answer, Refused) else None


async def test_a_house_that_nobody_accepted_raises_nobody(floor: ShelvedFloor) -> None:
    await floor.begin()
    assert await floor.closed() == []
    kept = floor.house.read_text("utf-8")
    floor.raise_dealers()
    async with open_floor(floor.place) as served:
        (reason,) = map(say, served.service.closed)
        assert reason.startswith(NEW.format(HOUSE))
        pause = cmd.PauseTable(reason="x")
        answer = await served.service.table(TABLE).send(pause, actor="Dealer", command_id="pause-it")
        assert isinstance(answer, Refused)
        assert answer.reason is Refusal.RECORDS_NOT_WHOLE
        lock = floor_cmd.LockPerson(name="Gil", reason="x")
        assert await why(served, lock, "Dana", "Dana") is Refusal.RECORDS_NOT_WHOLE
        accept = floor_cmd.AcceptShelf(files=())
        assert await why(served, accept, "Dana", "Eve") is Refusal.NOT_PERMITTED
    floor.house.write_text(kept, "utf-8")
    assert await floor.closed() == []


async def test_a_floor_with_money_gets_no_first_shelf_by_itself(floor: ShelvedFloor) -> None:
    """The floor file names the shelf: whoever can write there could name another."""
    await floor.begin(shelved=False)
    (reason,) = await floor.closed()
    assert reason.startswith(NEW.format(HOUSE))


async def test_a_version_that_is_in_force_already_waits_until_it_is_accepted(floor: ShelvedFloor) -> None:
    await floor.begin()
    floor.add_rulebook()
    (reason,) = await floor.closed()
    assert reason.startswith(NEW.format(GAME_BEFORE_NOW))
    shutil.rmtree(floor.shelf / "rulebooks")
    assert await floor.closed() == []
    floor.house.unlink()
    assert await floor.closed() == []


async def test_a_version_that_was_altered_waits_until_it_is_accepted(floor: ShelvedFloor) -> None:
    file = floor.add_rulebook()
    await floor.begin(own=True)
    assert await floor.closed() == []
    text = file.read_text("utf-8")
    altered = text.replace('odds = "40 to 1"', 'odds = "41 to 1"')
    assert altered != text
    file.write_text(altered, "utf-8")
    (reason,) = await floor.closed()
    assert reason.startswith(NEW.format(GAME_BEFORE_NOW))


async def test_a_version_that_was_taken_away_lets_no_older_one_rule(
    floor: ShelvedFloor, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    """Deleting the newer of two files would bring the older rules back, at the next set-up of a table."""
    newer = floor.add_rulebook()
    older = newer.with_stem("older")
    since = "in_force = 2026-01-01T00:00:00+08:00"
    older.write_text(newer.read_text("utf-8").replace(since, "in_force = 2001-01-01T00:00:00+08:00"), "utf-8")
    newer.write_text(newer.read_text("utf-8").replace(since, "in_force = 2002-01-01T00:00:00+08:00"), "utf-8")
    await floor.begin(own=True)
    assert await floor.closed() == []
    kept = newer.read_bytes()
    newer.unlink()
    (reason,) = await floor.closed()
    assert reason.startswith(f"The shelf lacks versions of rulebooks that were accepted: {GAME}@2002-01-01")
    newer.write_bytes(kept)
    assert await floor.closed() == []
    older.unlink()  # which the newer one has replaced
    assert await floor.closed() == []
    newer.unlink()
    older.write_bytes(kept)  # another name says nothing
    assert await floor.closed() == []
    older.unlink()
    assert len(await floor.closed()) == 1
    assert await asyncio.to_thread(accept, floor, monkeypatch, "Eve", "Gil", "Eve", "Gil") == 0
    assert "older one" in capsys.readouterr().out
    assert await floor.closed() == []


async def test_a_house_that_was_taken_away_still_has_its_posts_and_controls(floor: ShelvedFloor) -> None:
    """Without it nobody would guard its seniors, or ask for two people at the terminals of its tables."""
    floor.add_rulebook()
    await floor.begin(own=True)
    add = floor_cmd.AddPerson(
        name="Cas", posts=(Post("casino-director"),), password="x", second_factor=Secret("k", b"x")
    )
    lock = floor_cmd.LockPerson(name="Cas", reason="x")
    enrol = floor_cmd.EnrolTerminal(terminal="E1", table=OWN_TABLE, code="code", code_ends=NOW)
    async with open_floor(floor.place) as served:
        assert not isinstance(
            await served.service.floor.send(add, actor=COMMAND_LINE, command_id="add"), Refused
        )
    kept = floor.place
    floor.house.unlink()
    (floor.shelf / "rulebooks" / f"{GAME}.toml").unlink()
    for place in (floor.place, replace(floor.place, shelf=SHIPPED)):  # or started without any shelf
        async with open_floor(place) as served:
            assert served.service.closed == ()
            (lacks,) = map(say, served.service.unaccepted)
            assert lacks.startswith(LACKS.format(f"{HOUSE}, {GAME_BEFORE_NOW}"))
            assert await why(served, lock, "Gil", "Gil") is Refusal.SECOND_PERSON_NEEDED
            assert await why(served, enrol, "Gil", "Gil") is Refusal.SECOND_PERSON_NEEDED
    async with open_floor(kept) as served:
        assert (served.service.closed, served.service.unaccepted) == ((), ())


async def test_two_people_accept_that_a_house_is_gone(
    floor: ShelvedFloor, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    await floor.begin()
    floor.house.unlink()
    assert await asyncio.to_thread(accept, floor, monkeypatch, "Eve", "Gil", "Eve", "Gil") == 0
    assert LACKS.format(HOUSE) in capsys.readouterr().out
    async with open_floor(floor.place) as served:
        assert served.service.unaccepted == ()
        assert served.service.houses == SHIPPED.houses
        state = served.service.floor.state
        assert state is not None
        assert state.shelf == ()


def accept(floor: ShelvedFloor, monkeypatch: pytest.MonkeyPatch, by: str, second: str, *shown: str) -> int:
    """Accept the shelf on the command line, by two who show who they are; the exit status."""
    monkeypatch.setattr("sys.stdin", Typed(credentials(floor.floor, *shown)))
    where = ["--data", str(floor.place.data), "--key", str(floor.place.key), "--shelf", str(floor.shelf)]
    return run(["accept-shelf", *where, "--by", by, "--second", second, "--credentials-stdin"])


async def test_two_people_accept_a_shelf(
    floor: ShelvedFloor, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    await floor.begin()
    floor.raise_dealers()
    assert await asyncio.to_thread(accept, floor, monkeypatch, "Eve", "Gil", "Eve", "Gil") == 0
    assert NEW.format(HOUSE) in capsys.readouterr().out
    assert await floor.closed() == []
    async with open_floor(floor.place) as served:
        assert served.service.houses == floor.place.shelf.houses
    assert await asyncio.to_thread(accept, floor, monkeypatch, "Eve", "Gil") == 2
    assert "there is nothing to accept" in capsys.readouterr().err
    assert (await asyncio.to_thread(verified, floor.place, capsys))[0] == 0


@pytest.mark.parametrize(
    ("by", "second", "shown"),
    [
        ("Dana", "Eve", ("Dana", "Eve")),  # by the houses of before she is a dealer
        ("Eve", "Dana", ("Eve", "Dana")),
        ("Eve", "Gil", ("Eve", "Dana")),  # Gil does not show who they are
    ],
)
async def test_nobody_accepts_a_shelf_alone(
    floor: ShelvedFloor, monkeypatch: pytest.MonkeyPatch, by: str, second: str, shown: tuple[str, ...]
) -> None:
    await floor.begin()
    floor.raise_dealers()
    assert await asyncio.to_thread(accept, floor, monkeypatch, by, second, *shown) == 1
    assert len(await floor.closed()) == 1


async def test_a_journal_that_lacks_its_end_accepts_nothing_by_itself(floor: ShelvedFloor) -> None:
    """In an old backup no shelf was accepted yet."""
    await floor.floor.begin(rounds=1)  # without its shelf
    assert await floor.closed() == []
    (accepted,) = [each for each in await floor.floor.records(FLOOR_STREAM) if each.kind == "accept-shelf"]
    await floor.floor.forget_beyond(accepted.sequence - 1, (FLOOR_STREAM,))
    floor.raise_dealers()
    async with open_floor(floor.place) as served:
        assert len(served.service.closed) == 1
        assert served.service.houses == SHIPPED.houses
        state = served.service.floor.state
        assert state is not None
        assert state.shelf is None


async def test_a_shelf_is_accepted_by_itself_where_no_money_is_real(floor: ShelvedFloor) -> None:
    await floor.begin(training=True)
    floor.raise_dealers()
    async with open_floor(floor.place) as served:
        assert served.service.closed == ()
        state = served.service.floor.state
        assert state is not None
        assert [each.id for each in state.shelf or ()] == [HOUSE]
