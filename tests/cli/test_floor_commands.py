"""``thirdcard people``, ``terminal`` and ``key``: what they do to a floor, and what they say."""

import asyncio
import fcntl
import functools
import io
import json
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from access.signing import CHEAP
from limits import LONG_ENOUGH
from streams.openings import Guide

from thirdcard.access.credentials import STEP, CredentialKeeper, code_at
from thirdcard.access.sign_in import Attempt, OpenedSession, SignInDesk
from thirdcard.access.terminals import Claimed, TerminalDesk
from thirdcard.cli import run
from thirdcard.clockwork.floor_file import read_floor_file
from thirdcard.journal.keys import open_key_file
from thirdcard.journal.sqlite.store import SqliteStore
from thirdcard.journal.store import StoreUnusable
from thirdcard.refusals import Refused
from thirdcard.rulebook.shelf import SHIPPED
from thirdcard.streams.clock import Clock
from thirdcard.streams.opening import OpenFloor, open_floor, place, usual_data, usual_key

T = TypeVar("T")
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "floor.toml"
PASSWORD = "open sesame"


class Floor:
    """A floor in a folder, and the command line upon it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.data = folder / "data"
        self.key = folder / "keys" / "floor.keys"
        self.capsys = capsys
        self.patch = patch

    def __call__(self, *tokens: str, typed: str = "") -> tuple[int, str, str]:
        """Run a command: exit status, output, complaints."""
        self.patch.setattr("sys.stdin", io.StringIO(typed))
        where = ["--key", str(self.key)]
        where += [] if tokens[0] == "key" else ["--data", str(self.data)]
        status = run([*tokens, *where])
        printed = self.capsys.readouterr()
        return status, printed.out, printed.err

    def add(self, name: str, *posts: str) -> str:
        """Add somebody; what was printed."""
        named = [part for post in posts for part in ("--post", post)]
        status, out, err = self("people", "add", name, *named, "--password-stdin", typed=f"{PASSWORD}\n")
        assert (status, err) == (0, "")
        return out

    def inside(self, work: Callable[[OpenFloor], Awaitable[T]]) -> T:
        """Do something as a server would."""

        async def opened() -> T:
            async with open_floor(place(data=self.data, key=self.key)) as floor:
                return await work(floor)

        return asyncio.run(opened())

    def may_sign_in(self, name: str, password: str = PASSWORD, secret: str | None = None) -> bool:
        """Whether somebody is let in."""

        async def trying(floor: OpenFloor) -> bool:
            credentials = CredentialKeeper(floor.keys, CHEAP)
            desk = SignInDesk(floor.service.floor, credentials, SHIPPED.houses, floor.clock)
            step = int(floor.clock.now().moment.timestamp()) // STEP
            code = code_at(secret, step) if secret else ""
            answer = await desk.sign_in(Attempt(name, password, "C1", "here", code))
            credentials.close()
            return not isinstance(answer, Refused)

        return self.inside(trying)

    def define_tables(self) -> None:
        """Give the floor its tables, and open none."""

        async def defining(floor: OpenFloor) -> None:
            file = read_floor_file(EXAMPLE, floor.clock.now().moment)
            await floor.service.floor.send(file.command, actor="command line", command_id="tables")

        self.inside(defining)


@pytest.fixture
def floor(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Floor:
    monkeypatch.setattr(
        "thirdcard.cli.floors.CredentialKeeper", functools.partial(CredentialKeeper, cost=CHEAP)
    )
    return Floor(tmp_path, capsys, monkeypatch)


# people


def test_somebody_who_is_added_can_sign_in(floor: Floor) -> None:
    assert floor.add("Dana", "dealer") == "Dana was added.\n"
    assert floor.may_sign_in("Dana")
    assert not floor.may_sign_in("Dana", "something else")


def test_a_post_that_needs_it_comes_with_a_second_factor_shown_once(floor: Floor) -> None:
    added, once, secret, uri = floor.add("Max", "pit-manager", "attendant").splitlines()
    assert (added, once) == (
        "Max was added.",
        "This is shown once. Enter it into the app that makes the codes:",
    )
    assert re.fullmatch("[A-Z2-7]{32}", secret)
    assert uri == f"otpauth://totp/thirdcard:Max?secret={secret}&issuer=thirdcard"
    assert not floor.may_sign_in("Max")
    assert floor.may_sign_in("Max", secret=secret)
    status, out, _ = floor("people", "second-factor", "Max")
    assert status == 0
    assert out.startswith("Max has a new second factor, and all sessions are ended.\n")
    renewed = out.splitlines()[2]
    assert not floor.may_sign_in("Max", secret=secret)
    assert floor.may_sign_in("Max", secret=renewed)


def test_people_are_listed_with_posts_and_state(floor: Floor) -> None:
    floor.add("Dana", "dealer")
    floor.add("Gil", "gaming-shift-manager")
    assert floor("people", "lock", "Dana", "--reason", "on leave")[:2] == (
        0,
        "Dana is locked, and all sessions are ended.\n",
    )
    status, out, _ = floor("people", "list")
    assert status == 0
    assert re.search(r"Dana +│ dealer +│ no +│ locked: on leave +│ 0", out)
    assert re.search(r"Gil +│ gaming-shift-manager +│ yes +│ may sign in +│ 0", out)
    listed = json.loads(floor("people", "list", "--json")[1])
    assert listed[0] == {
        "name": "Dana",
        "posts": ["dealer"],
        "second_factor": False,
        "locked": "on leave",
        "failures": 0,
        "sessions": 0,
    }
    assert not floor.may_sign_in("Dana")
    assert floor("people", "unlock", "Dana")[:2] == (0, "Dana may sign in again.\n")
    assert floor.may_sign_in("Dana")
    assert json.loads(floor("people", "list", "--json")[1])[0]["sessions"] == 1


def test_passwords_and_posts_are_changed(floor: Floor) -> None:
    floor.add("Dana", "dealer")
    changed = floor("people", "password", "Dana", "--password-stdin", typed="another password\n")
    assert changed == (0, "Dana has a new password, and all sessions are ended.\n", "")
    assert not floor.may_sign_in("Dana")
    assert floor.may_sign_in("Dana", "another password")
    status, out, _ = floor("people", "posts", "Dana", "--post", "pit-supervisor", "--post", "auditor")
    assert (status, out) == (0, "Dana now has the posts: pit-supervisor, auditor.\n")


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        (("lock", "Nobody", "--reason", "x"), "There is nobody of the name Nobody."),
        (("unlock", "Nobody"), "There is nobody of the name Nobody."),
        (("second-factor", "Nobody"), "There is nobody of the name Nobody."),
        (("password", "Nobody", "--password-stdin"), "There is nobody of the name Nobody."),
        (("posts", "Dana", "--post", "king"), "There is no post king. Posts are: assistant-casino-manager,"),
        (("posts", "Dana", "--post", "pit-manager"), "Dana is to void, correct or configure, and needs a"),
        (("add", "Dana", "--post", "dealer", "--password-stdin"), "The name Dana cannot be used."),
        (("add", "server", "--post", "dealer", "--password-stdin"), "The name server cannot be used."),
    ],
)
def test_what_the_floor_refuses_is_exit_1(tokens: tuple[str, ...], told: str, floor: Floor) -> None:
    floor.add("Dana", "dealer")
    status, out, err = floor("people", *tokens, typed=f"{PASSWORD}\n")
    assert (status, out) == (1, "")
    assert err.startswith(f"thirdcard: {told}")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "No password came on standard input. Write it as the first line."),
        ("short\n", "A password has 10 to 128 characters, does not contain the name, and"),
        ("the name is Dana\n", "A password has 10 to 128 characters, does not contain the name, and"),
    ],
)
def test_a_password_that_cannot_be_is_exit_2_and_opens_nothing(typed: str, told: str, floor: Floor) -> None:
    status, out, err = floor("people", "add", "Dana", "--post", "dealer", "--password-stdin", typed=typed)
    assert (status, out) == (2, "")
    assert err.startswith(f"thirdcard: {told}")
    assert not floor.data.exists()


def test_a_password_is_never_an_argument(floor: Floor) -> None:
    for option in ("--password", "--password-stdin=x"):
        status, _, err = floor("people", "add", "Dana", "--post", "dealer", option, "open sesame")
        assert status == 2, option
        assert err.startswith("thirdcard: ")


def test_without_a_terminal_a_password_is_not_asked_for(floor: Floor) -> None:
    status, _, err = floor("people", "add", "Dana", "--post", "dealer")
    assert status == 2
    assert "Give it on standard input with --password-stdin." in err


def test_at_a_terminal_a_password_is_asked_for_twice_without_showing_it(floor: Floor) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    asked: list[str] = []
    answers = [PASSWORD, PASSWORD, PASSWORD, "something else"]

    def getpass(prompt: str) -> str:
        asked.append(prompt)
        return answers[len(asked) - 1]

    floor.patch.setattr("getpass.getpass", getpass)
    floor.patch.setattr("io.StringIO", Terminal)
    assert floor("people", "add", "Dana", "--post", "dealer")[:2] == (0, "Dana was added.\n")
    assert asked == ["Password for Dana: ", "The same again: "]
    status, _, err = floor("people", "password", "Dana")
    assert (status, err) == (2, "thirdcard: The two passwords differ. Type the same one twice.\n")
    floor.patch.undo()
    assert floor.may_sign_in("Dana")


def test_what_is_done_is_recorded_as_done_on_the_command_line(floor: Floor) -> None:
    floor.add("Dana", "dealer")

    async def reading(opened: OpenFloor) -> list[tuple[str, bytes]]:
        return [(each.kind, each.envelope) for each in await opened.store.read("floor")]

    ((kind, envelope),) = floor.inside(reading)
    assert kind == "add-person"
    assert json.loads(envelope)["actor"] == "command line"


# terminals


def test_a_terminal_is_enrolled_claimed_enabled_and_disabled(floor: Floor) -> None:
    floor.add("Dana", "dealer")
    assert floor("terminal", "list")[1] == (
        "There is no terminal yet. `thirdcard terminal enrol` expects one.\n"
    )
    floor.define_tables()
    status, out, _ = floor("terminal", "enrol", "E1", "--table", "School", "--position", "2")
    assert status == 0
    found = re.fullmatch(
        r"Type this code at E1 until [-0-9]+ [:0-9]+\+00:00: (?P<code>[A-Z2-9]{4}-[A-Z2-9]{4})\n"
        r"Then enable it: thirdcard terminal enable E1\n",
        out,
    )
    assert found
    assert re.search(r"E1 +│ School +│ 2 +│ waits for its code +│ ", floor("terminal", "list")[1])

    async def claiming(opened: OpenFloor) -> object:
        desk = TerminalDesk(opened.service.floor, opened.keys, opened.clock)
        return await desk.claim(found["code"], address="here")

    assert isinstance(floor.inside(claiming), Claimed)
    assert re.search(r"│ disabled +│", floor("terminal", "list")[1])
    assert floor("terminal", "enable", "E1")[:2] == (0, "E1 is enabled.\n")
    assert re.search(r"│ enabled +│", floor("terminal", "list")[1])
    assert json.loads(floor("terminal", "list", "--json")[1]) == [
        {
            "terminal": "E1",
            "table": "School",
            "position": 2,
            "enrolled": True,
            "enabled": True,
            "patron": None,
        }
    ]
    assert floor("terminal", "disable", "E1", "--reason", "broken")[:2] == (0, "E1 is disabled.\n")


def test_terminals_that_cannot_be_are_exit_1(floor: Floor) -> None:
    floor.add("Dana", "dealer")
    for tokens, told in (
        (("enrol", "E1", "--table", "none"), "There is no such table."),
        (("enable", "E1"), "There is no terminal E1"),
        (("disable", "E1", "--reason", "x"), "There is no terminal E1"),
    ):
        status, _, err = floor("terminal", *tokens)
        assert status == 1
        assert err.startswith(f"thirdcard: {told}")


# where a floor is


def test_a_floor_in_use_is_not_changed_and_can_be_looked_at(floor: Floor) -> None:
    floor.add("Dana", "dealer")
    with (floor.data / "journal.sqlite.lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        status, _, err = floor("people", "lock", "Dana", "--reason", "x")
        assert (status, err) == (
            2,
            f"thirdcard: {floor.data / 'journal.sqlite'} is in use by a running server."
            " Stop it first, or do this in the server itself.\n",
        )
        status, out, _ = floor("people", "list")
        assert (status, "may sign in" in out) == (0, True)


def test_an_open_table_is_not_held_by_the_command_line(floor: Floor) -> None:
    floor.add("Dana", "dealer")

    async def opening(opened: OpenFloor) -> None:
        guide = Guide(opened.service.table("T1"))
        await guide.open("mbs-tiger-v3")
        await guide.bet(("Ada", "player", 10_000))

    floor.inside(opening)
    floor("people", "lock", "Dana", "--reason", "x")

    async def looking() -> tuple[int, int]:
        store = SqliteStore(floor.data / "journal.sqlite", writing=False)
        kinds = [each.kind for each in await store.read("T1")]
        await store.close()
        return kinds.count("open-table"), kinds.count("pause-table")

    assert asyncio.run(looking()) == (1, 0)

    async def serving(opened: OpenFloor) -> tuple[str, ...]:
        return opened.held

    assert floor.inside(serving) == ("T1",)


def test_a_folder_without_a_floor_has_nobody_to_list(floor: Floor) -> None:
    status, _, err = floor("people", "list")
    assert (status, err) == (
        2,
        f"thirdcard: {floor.data} has no floor; name its folder, or add somebody to begin one\n",
    )
    assert not floor.data.exists()


def test_an_empty_floor_says_so(floor: Floor) -> None:
    floor("terminal", "enrol", "E1", "--table", "none")
    assert floor("people", "list")[1] == "There is nobody yet. `thirdcard people add` adds somebody.\n"


def test_keys_that_lie_with_the_data_are_refused(floor: Floor) -> None:
    floor.key = floor.data / "floor.keys"
    status, _, err = floor("people", "unlock", "Dana")
    assert status == 2
    assert "keep the keys elsewhere" in err


def test_a_floor_is_in_one_place(floor: Floor) -> None:
    status, _, err = floor("people", "unlock", "Dana", "--postgres", "postgresql://here")
    assert (status, err) == (
        2,
        "thirdcard: A folder and a database are both given; a floor is kept in one of them\n",
    )


def test_a_database_needs_its_library(floor: Floor) -> None:
    floor.patch.setitem(sys.modules, "thirdcard.journal.postgres.store", None)
    status = run(["people", "unlock", "D", "--postgres", "postgresql://here", "--key", str(floor.key)])
    assert status == 2
    assert "pip install 'thirdcard[postgres]'" in floor.capsys.readouterr().err


def test_a_floor_in_a_database_is_changed_while_a_server_runs(floor: Floor, postgres_url: str) -> None:
    where = ["--postgres", postgres_url, "--key", str(floor.key)]

    def command(*tokens: str) -> int:
        return run([*tokens, *where])

    async def serving() -> tuple[int, int, bool, bool]:
        loop = asyncio.get_running_loop()
        async with open_floor(place(postgres=postgres_url, key=floor.key)) as opened:
            floor.patch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
            adding = ("people", "add", "Dana", "--post", "dealer", "--password-stdin")
            added = await loop.run_in_executor(None, command, *adding)
            credentials = CredentialKeeper(opened.keys, CHEAP)
            desk = SignInDesk(opened.service.floor, credentials, SHIPPED.houses, opened.clock)
            while desk.directory.person("Dana") is None:  # the news of it come by themselves
                await asyncio.sleep(0.02)
            entered = await desk.sign_in(Attempt("Dana", PASSWORD, "C1", "here"))
            assert isinstance(entered, OpenedSession)
            locking = ("people", "lock", "Dana", "--reason", "on leave")
            locked = await loop.run_in_executor(None, command, *locking)
            while desk.directory.floor.sessions:
                await asyncio.sleep(0.02)
            out = isinstance(desk.who(entered.token), Refused)
            again = isinstance(await desk.sign_in(Attempt("Dana", PASSWORD, "C1", "here")), Refused)
            credentials.close()
            return added, locked, out, again

    assert asyncio.run(asyncio.wait_for(serving(), LONG_ENOUGH)) == (0, 0, True, True)
    floor.capsys.readouterr()
    assert command("people", "list", "--json") == 0
    assert json.loads(floor.capsys.readouterr().out)[0]["locked"] == "on leave"


def test_usual_places_follow_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("THIRDCARD_DATA", "THIRDCARD_KEYS", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert usual_data() == tmp_path / ".local/share/thirdcard/floor"
    assert usual_key() == tmp_path / ".config/thirdcard/floor.keys"
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/srv/config")
    assert usual_data() == Path("/srv/data/thirdcard/floor")
    assert usual_key() == Path("/srv/config/thirdcard/floor.keys")
    monkeypatch.setenv("THIRDCARD_DATA", "/srv/floor")
    monkeypatch.setenv("THIRDCARD_KEYS", "/srv/keys")
    assert (usual_data(), usual_key()) == (Path("/srv/floor"), Path("/srv/keys"))
    with pytest.raises(StoreUnusable, match="both given"):
        place(data=tmp_path, postgres="postgresql://here")


# keys


def test_keys_are_shown_and_renewed(floor: Floor) -> None:
    floor.add("Dana", "dealer")
    (first,) = json.loads(floor("key", "show", "--json")[1])
    assert first["newest"]
    ring = open_key_file(floor.key)
    assert (first["id"], first["public"]) == (ring.key_id, ring.public_keys[ring.key_id].hex())
    status, out, _ = floor("key", "renew")
    assert status == 0
    shown = json.loads(floor("key", "show", "--json")[1])
    assert [each["newest"] for each in shown] == [False, True]
    assert shown[0]["id"] == first["id"]
    assert shown[1]["id"] in out
    assert floor.may_sign_in("Dana")  # what older keys keep can still be read
    table = floor("key", "show")[1]
    assert "for what it signed" in table
    secrets = [line for line in floor.key.read_text("utf-8").splitlines() if " = " in line][1:]
    assert not any(line.partition('"')[2].strip('"') in table for line in secrets)


def test_a_key_file_that_is_not_there_is_not_made_by_looking(floor: Floor) -> None:
    for command in ("show", "renew"):
        status, _, err = floor("key", command)
        assert status == 2
        assert err.startswith(f"thirdcard: There is no key file {floor.key}.")
        assert not floor.key.exists()


def test_a_key_file_that_others_can_read_is_refused(floor: Floor) -> None:
    floor.add("Dana", "dealer")
    floor.key.chmod(0o644)
    for command in ("show", "renew"):
        status, _, err = floor("key", command)
        assert status == 2
        assert "chmod 600" in err


def test_what_only_looks_at_the_rules_loads_neither_journal_nor_cryptography() -> None:
    code = "import sys; from thirdcard.cli import run; run(['--version']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LONG_ENOUGH
    )
    assert not {"argon2", "apsw", "cryptography", "starlette"} & set(done.stdout.split())


def test_the_clock_can_be_another(tmp_path: Path) -> None:
    clock = Clock()

    async def opened() -> bool:
        async with open_floor(place(data=tmp_path / "d", key=tmp_path / "k"), clock=clock) as floor:
            return floor.clock is clock

    assert asyncio.run(opened())


def test_a_wrong_name_of_a_key_file_makes_no_key(floor: Floor) -> None:
    """A floor that has begun has keys; others could neither go on signing nor open what is sealed."""
    floor.add("Dana", "dealer")
    floor.key = floor.key.with_name("flor.keys")
    add = ("people", "add", "Sue", "--post", "dealer", "--password-stdin")
    for command in (add, ("serve", "--listen", "127.0.0.1:0")):
        status, _, err = floor(*command, typed=f"{PASSWORD}\n")
        assert status == 2
        assert f"There is no key file {floor.key}, and this floor has begun" in err
        assert not floor.key.exists()
