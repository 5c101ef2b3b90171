"""docs/api.md is followed with curl and with Python, from the first call to a wager that is settled."""

import importlib.resources
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.test_serve_command import Floor
from docs.pages import ROOT, Block, anchor, blocks, commands, headings, links, tables
from limits import LONG_ENOUGH
from server.test_generated_client import SETTINGS

from thirdcard import client

pytestmark = pytest.mark.timed
PAGE = ROOT / "docs" / "api.md"
TEXT = PAGE.read_text("utf-8")
ADDRESS = "http://127.0.0.1:8333"
SERVE, *CALLED = [command for block in blocks(PAGE, "console") for command in commands(block)]
PROGRAMS = list(zip(blocks(PAGE, "python"), blocks(PAGE, "text"), strict=True))
MARK = "==> command"


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """The demonstration floor as the page serves it, where wagers are waited for and cards come at once."""
    folder = tmp_path_factory.mktemp("api")
    usual = importlib.resources.files("thirdcard").joinpath("floors", "demo.toml").read_text("utf-8")
    timers = "timers = { betting = 600, warning = 5, card = 0, between = 0, offer = 600 }"
    (folder / "floor.toml").write_text(re.sub("^timers = .*$", timers, usual, flags=re.MULTILINE), "utf-8")
    assert SERVE.text == "thirdcard serve --demo --empty"
    floor = Floor(folder, *SERVE.text.split()[2:], "--floor", str(folder / "floor.toml"))
    yield floor
    floor.end()


def agrees(printed: str, shown: str) -> bool:
    """Whether something was printed as the page shows it; three dots stand for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("..."))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


def test_a_wager_is_placed_with_curl_as_the_page_shows(floor: Floor, tmp_path: Path) -> None:
    lines = [line for command in CALLED for line in (f"echo '{MARK}'", command.text)]
    script = "\n".join(lines).replace(ADDRESS, floor.address.rstrip("/"))
    done = subprocess.run(
        ["bash", "-eu", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_ENOUGH,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    printed = done.stdout.split(f"{MARK}\n")[1:]
    assert len(printed) == len(CALLED)
    for command, answer in zip(CALLED, printed, strict=True):
        assert agrees(answer, command.output), (command, answer)


@pytest.mark.parametrize(("program", "shown"), PROGRAMS, ids=lambda block: f"line {block.line}")
def test_a_wager_is_placed_from_python_as_the_page_shows(
    floor: Floor, program: Block, shown: Block, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program.text.replace(ADDRESS, floor.address.rstrip("/"))],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_ENOUGH,
    )
    assert done.returncode == 0, done.stderr
    assert agrees(done.stdout, shown.text), done.stdout


def test_names_on_the_page_are_those_of_the_import() -> None:
    named = set(re.findall(r"client\.(\w+)", TEXT)) - {"Client", "commands", "floor_commands"}
    assert named <= set(client.__all__)
    errors = {"Trouble", "WasRefused", "Unreachable", "NotUnderstood", "LineEnded"}
    assert errors <= named


def test_every_call_of_the_client_is_on_the_page() -> None:
    named = {name for row in tables(PAGE)["The same from Python"] for name in re.findall(r"`(\w+)`", row[0])}
    assert named == {name for name in vars(client.BlockingClient) if not name.startswith("_")}


def test_the_generator_is_set_up_as_its_test_does_it() -> None:
    (settings,) = blocks(PAGE, "yaml")
    assert settings.text in SETTINGS


def test_headings_differ_and_links_lead_somewhere() -> None:
    anchors = [anchor(heading) for heading in headings(PAGE)]
    assert len(anchors) == len(set(anchors))
    for link in links(PAGE):
        file, _, place = link.partition("#")
        assert not place or place in [anchor(each) for each in headings(PAGE.parent / file)], link
        assert (PAGE.parent / file).exists(), link
