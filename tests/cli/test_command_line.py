"""The command line as a whole: exit status, stderr, and what a shell sees."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclopts import App, CycloptsError
from docs.pages import ROOT
from limits import LONG_ENOUGH

from thirdcard import __version__
from thirdcard.cli import app, run
from thirdcard.cli.doctor import LIBRARIES
from thirdcard.cli.usage_errors import in_words
from thirdcard.messages import languages

Printed = pytest.CaptureFixture[str]
THIRDCARD = str(Path(sys.executable).parent / "thirdcard")


def shell(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [THIRDCARD, *arguments], capture_output=True, text=True, check=False, timeout=LONG_ENOUGH
    )


def test_the_installed_command_answers() -> None:
    done = shell("--version")
    assert (done.returncode, done.stdout.strip()) == (0, __version__)
    done = shell("settle", "mbs-tiger-v3", "--cards", "10 A K 2 5 3", "--wager", "banker=333", "--json")
    assert json.loads(done.stdout)["wagers"]["banker"]["paid"] == "316.35"
    done = shell("settle", "nonsense", "--cards", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("thirdcard: There is no game nonsense.")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("settle mbs-tiger-v3 --colour red", "There is no option --colour here."),
        ("table --no-seed", "There is no option --no-seed here. Perhaps --seed is meant."),
        ("fold", "There is no command fold."),
        ("rules fold", "There is no command rules fold."),
        ("rules lst", "There is no command rules lst. Perhaps rules list is meant."),
        ("rulse list", "There is no command rulse. Perhaps rules is meant."),
        ("settle mbs-tiger-v3 --crads 9", "There is no option --crads here. Perhaps --cards is meant."),
        (
            "odds removing mbs-tiger-v3",
            "Nothing here takes mbs-tiger-v3. Perhaps the command odds removal is meant.",
        ),
        ("settle", "GAME is missing."),
        ("rules diff mbs-tiger-v3", "RIGHT is missing."),
        ("round", "FILE is missing."),
        ("settle mbs-tiger-v3 --cards", "--cards needs a value behind it."),
        ("rules list and more", "Nothing here takes and more. Leave it out."),
        (
            "odds xyz mbs-tiger-v3",
            "Nothing here takes mbs-tiger-v3. Leave it out, or begin with one of these commands: "
            "table, removal, sheet, together, hold, ruin.",
        ),
        ("demo --json --json", "--json is given twice. Give it once."),
        ("demo --json=perhaps", "--json takes no value. Write it alone."),
        ("road PB --tail C", "C is no choice for --tail. Choose from: A, B."),
        ("road PB --columns x", "x is no whole number of at most 18 digits, and --columns takes one."),
        (
            "table mbs-tiger-v3 --seed 1.5",
            "1.5 is no whole number of at most 18 digits, and --seed takes one.",
        ),
    ],
)
def test_a_mistyped_command_line_is_exit_2_and_told_in_our_words(
    arguments: str, complaint: str, capsys: Printed
) -> None:
    assert run(arguments.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    help_ = "`thirdcard --help` lists the commands, and `thirdcard COMMAND --help` what one takes."
    assert printed.err == f"thirdcard: {complaint} {help_}\n"


def test_every_command_takes_the_language_of_its_reader(capsys: Printed) -> None:
    for arguments in ("--language zh-Hans road BPT", "road --language=zh-Hans BPT"):
        assert run(arguments.split()) == 0
        assert "共 3 局：庄 1，闲 1，和 1。" in capsys.readouterr().out
    assert run(["road", "BPT"]) == 0
    assert "Rounds 3: Banker 1, Player 1, Tie 1." in capsys.readouterr().out, "it is of one command"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("road B --language", "--language needs a value behind it."),
        (
            "--language de road B",
            f"de is no choice for --language. Choose from: {', '.join(sorted(languages()))}.",
        ),
    ],
)
def test_a_language_that_there_is_not_is_exit_2(arguments: str, complaint: str, capsys: Printed) -> None:
    assert run(arguments.split()) == 2
    assert capsys.readouterr().err == f"thirdcard: {complaint}\n"


def test_what_stands_behind_two_dashes_is_no_option(capsys: Printed) -> None:
    assert run(["road", "--", "--language"]) == 2
    assert "--language" not in capsys.readouterr().out


def test_what_the_library_may_yet_complain_about_is_told_in_our_words_too() -> None:
    assert in_words(CycloptsError(msg="Tokenization went astray")) == "The command line is not understood."


def test_help_names_the_commands(capsys: Printed) -> None:
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    for command in ("rules", "settle", "demo"):
        assert command in shown


def commands(group: App, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command with those below it."""
    yield path
    for name, command in group.resolved_commands().items():
        if not name.startswith("-"):
            yield from commands(command, (*path, name))


def test_help_shows_no_defaults_that_say_nothing(capsys: Printed) -> None:
    pages = list(commands(app))
    assert {("odds", "sheet"), ("people", "add"), ("doctor",)} <= set(pages)
    for path in pages:
        assert run([*path, "--help"]) == 0
        shown = capsys.readouterr().out
        assert "False" not in shown, path
        assert "()" not in shown, path


@pytest.mark.parametrize("arguments", [["--version"], ["odds", "mbs-tiger-v3"], ["rules", "list"]])
def test_a_command_loads_no_library_that_it_does_not_need(arguments: list[str]) -> None:
    """Loading them would take longer than the answer."""
    heavy = "{'numpy', 'cryptography', 'apsw', 'asyncio', 'argon2', 'starlette', 'distributed'}"
    code = f"import sys; from thirdcard.cli import run; run({arguments}); print({heavy} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LONG_ENOUGH
    )
    assert done.stdout.splitlines()[-1] == "set()"


def test_every_line_of_an_error_says_from_which_program_it_comes(tmp_path: Path, capsys: Printed) -> None:
    tables = '[[table]]\nname = "A"\ngame = "nothing"\n[[table]]\nname = "B"\ngame = "nothing"\n'
    file = tmp_path / "floor.toml"
    file.write_text(f"format = 1\n{tables}", "utf-8")
    assert run(["serve", "--floor", str(file), "--data", str(tmp_path / "data")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("thirdcard: floor.toml: table[") for line in lines), lines


def test_doctor_lists_every_library_that_a_floor_may_use() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    extras = project["optional-dependencies"]
    of_extras = (each for name, of in extras.items() if name != "test" for each in of)
    wanted = (*project["dependencies"], *of_extras)
    assert {re.split(r"[><=;]", each)[0] for each in wanted} == set(LIBRARIES)


def test_doctor_finds_the_screens_where_they_are_built(capsys: Printed) -> None:
    assert run(["doctor", "--json"]) == 0
    assert Path(json.loads(capsys.readouterr().out)["screens"]).joinpath("index.html").is_file()


@pytest.mark.parametrize("game", ["mbs-tiger-v3", "hoiana-tiger-2024/commission", "mbs-super-six-etg-v3"])
def test_a_demonstration_round_settles_every_wager(game: str, capsys: Printed) -> None:
    for _ in range(20):
        assert run(["demo", game, "--json"]) == 0
        settled = json.loads(capsys.readouterr().out)
        assert settled["game"] == game
        assert len(settled["wagers"]) in (6, 8)
    assert run(["demo", game]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    wagers = re.search(
        r"Place your bets, please\. Wagers in [A-Z]{3}: (.+?)\. No more bets?(, please)?\.", shown
    )
    assert wagers
    assert set(wagers[1].split(", ")) >= {"player 100.00", "banker 100.00", "tie 10.00"}
    assert len(wagers[1].split(", ")) == len(settled["wagers"])


def test_a_demonstration_of_an_unknown_game_is_exit_2(capsys: Printed) -> None:
    assert run(["demo", "chess"]) == 2
    assert "There is no game chess." in capsys.readouterr().err


def test_a_reader_that_stops_reading_is_no_error() -> None:
    command = f"'{THIRDCARD}' rules show mbs-tiger-v3 --json | head -c 10"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_ENOUGH,
    )
    assert done.stderr == ""
