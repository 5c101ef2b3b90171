"""``thirdcard train``: drills at a terminal, exercises, and the record of training."""

import csv
import io
import json
import re
from pathlib import Path
from unittest import mock

import pytest

from thirdcard.cli import run

Printed = pytest.CaptureFixture[str]
DRILL = """title A quick pull
game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
Ann: 300 on player at 1
Dealer: closes betting
Dealer: draws 2 2
? Dealer with Pit Manager: reports misdeal, not reconstructable
? Pit Manager: confirms
"""


@pytest.fixture
def packs(tmp_path: Path) -> str:
    folder = tmp_path / "packs"
    folder.mkdir()
    (folder / "mine.drill").write_text(DRILL.replace("misdeal, not reconstructable", "foreign-card"), "utf-8")
    return str(folder)


def typed(words: list[str], *lines: str) -> int:
    with mock.patch("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines))):
        return run(["train", *words])


def test_list_names_drills_of_a_game(capsys: Printed) -> None:
    assert run(["train", "list", "--game", "mbs-super-six-etg-v3", "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {each["game"] for each in found} == {"mbs-super-six-etg-v3"}
    assert len(found) > 20


def test_a_drill_is_passed_with_somebody_who_was_called(packs: str, tmp_path: Path, capsys: Printed) -> None:
    record = str(tmp_path / "record.jsonl")
    words = ["drill", "mine", "--packs", packs, "--person", "Eve", "--record", record]
    lines = ("", "help", "call nobody", "call pit manager", "what", "reports x")
    assert typed(words, *lines, "with Pit Manager: reports foreign-card") == 0
    told = capsys.readouterr().out
    assert "6 of 6 points" in told
    assert "One card has another back than all the others." in told
    assert "Call one of these: Dealer, Pit Supervisor" in told
    (kept,) = [json.loads(line) for line in Path(record).read_text("utf-8").splitlines()]
    assert (kept["person"], kept["post"], kept["level"], kept["wrong"]) == ("Eve", "dealer", 2, [])


def test_a_drill_is_failed_and_says_what_was_wrong(packs: str, tmp_path: Path, capsys: Printed) -> None:
    record = str(tmp_path / "record.jsonl")
    words = ["drill", "mine", "--packs", packs, "--person", "Eve", "--record", record, "--level", "1"]
    assert typed(words, "confirms", "reports power-failure", "next", "done") == 0
    told = capsys.readouterr().out
    assert "Something is wrong here." in told
    assert "- Situation" in told
    assert "Power failure" in told
    assert json.loads(Path(record).read_text("utf-8"))["points"] < 6


def test_who_leaves_has_no_result(packs: str, tmp_path: Path, capsys: Printed) -> None:
    record = tmp_path / "record.jsonl"
    assert typed(["drill", "mine", "--packs", packs, "--person", "Eve", "--record", str(record)]) == 0
    assert "it does not count" in capsys.readouterr().out
    assert not record.exists()


def test_nothing_is_kept_without_a_name(packs: str, tmp_path: Path, capsys: Printed) -> None:
    record = tmp_path / "record.jsonl"
    assert typed(["drill", "mine", "--packs", packs, "--record", str(record)], "done") == 0
    assert "Without --person nothing is kept." in capsys.readouterr().out
    assert not record.exists()


def test_a_seed_brings_a_fault_under_time(capsys: Printed) -> None:
    words = ["fault", "mbs-tiger-v3", "--seed", "3", "--what", "wrong-call", "--post", "dealer"]
    assert typed(words, "done") == 0
    told = capsys.readouterr().out
    assert re.search(r"You have \d+ seconds\.", told)
    assert "1 of 5 points" in told


def test_dealing_is_asked_about_and_recorded(tmp_path: Path, capsys: Printed) -> None:
    record = str(tmp_path / "record.jsonl")
    words = ["deal", "mbs-tiger-v3", "--seed", "3", "--rounds", "1", "--person", "Eve", "--record", record]
    assert typed(words, *["2", "pay", "b"] * 40) == 0  # a line that is no answer is asked for again
    kept = json.loads(Path(record).read_text("utf-8"))
    assert (kept["pack"], kept["drill"]) == ("dealing-by-seed", "seed-3")
    assert 0 < kept["most"] <= 40
    assert typed(words, "pay") == 0
    assert len(Path(record).read_text("utf-8").splitlines()) == 1
    capsys.readouterr()


def test_a_line_that_is_no_answer_is_asked_for_again(capsys: Printed) -> None:
    words = ["deal", "mbs-tiger-v3", "--seed", "5", "--rounds", "1"]
    third = ("", "plyer", "p", "b")  # Player 0 draws, and Banker 3 draws on a third card of 3
    entry = ("JS 8S JH 5D 3H 1H", "js 8♠ jh 5d 3h qh")
    stakes = ("1.00", "t", "t", "t", "pay", "1,044.00", "44")
    typed(words, *third, *entry, *stakes)
    told = capsys.readouterr().out.splitlines()
    assert "– is none of these: player, banker, nobody." in told
    assert "plyer is none of these: player, banker, nobody." in told
    assert "1H is not a card. Write it like 10, 10H, Th or K♠." in told
    assert "1.00 is none of these: pay, take, leave." in told
    assert [each for each in told if each.startswith("Not right")] == []
    assert any("has 21.00 on Big Tiger. Do you pay" in each for each in told)
    assert any("loses 21.00 on Big Tiger" in each for each in told)


@pytest.fixture
def record(packs: str, tmp_path: Path, capsys: Printed) -> str:
    file = str(tmp_path / "record.jsonl")
    for person, lines in (
        ("Eve", ("done",)),
        ("Eve", ("reports foreign-card", "call pit manager")),
        ("Kim", ("done",)),
    ):
        typed(["drill", "mine", "--packs", packs, "--person", person, "--record", file], *lines)
    capsys.readouterr()
    return file


def test_record_shows_progress(record: str, capsys: Printed) -> None:
    assert run(["train", "record", "--person", "Eve", "--record", record]) == 0
    told = capsys.readouterr().out
    assert "Record of training: Eve" in told
    assert "▂█" in told


def test_record_is_exported(record: str, tmp_path: Path, capsys: Printed) -> None:
    assert run(["train", "record", "--person", "Eve", "--record", record, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["person"], row["points"]) for row in rows] == [("Eve", "1"), ("Eve", "6")]
    assert run(["train", "record", "--person", "Eve", "--record", record, "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    files = [tmp_path / "eve.pdf", tmp_path / "eve.xlsx"]
    assert (
        run(
            [
                "train",
                "record",
                "--person",
                "Eve",
                "--record",
                record,
                "--pdf",
                str(files[0]),
                "--xlsx",
                str(files[1]),
            ]
        )
        == 0
    )
    assert files[0].read_bytes().startswith(b"%PDF")
    assert files[1].read_bytes().startswith(b"PK")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["drill", "no-such-drill"], "There is no drill no-such-drill."),
        (["drill", "cards/a-fresh-shoe-1", "--post", "cook"], "This drill has nothing to do for cook."),
        (["drill", "cards/a-fresh-shoe-1", "--level", "4"], "There is no level 4."),
        (["deal", "mbs-tiger-v3", "--rounds", "100"], "Take 1 to 20 rounds."),
        (["deal", "mbs-tiger-v3", "--rounds", "0"], "Take 1 to 20 rounds."),
        (["fault", "mbs-tiger-v3", "--what", "rain"], "rain is none of these: wrong-hand,"),
        (
            ["fault", "mbs-tiger-v3", "--what", "forgotten-burn"],
            "forgotten-burn cannot happen at",
        ),
        (["record", "--person", "Eve", "--record", "no-such-file"], "has nothing about Eve."),
    ],
)
def test_bad_input_is_named(words: list[str], told: str, capsys: Printed) -> None:
    assert run(["train", *words]) == 2
    assert told in capsys.readouterr().err


def test_check_names_what_a_post_has_to_do(packs: str, capsys: Printed) -> None:
    assert run(["train", "check", f"{packs}/mine.drill"]) == 0
    assert "mine (mbs-tiger-v3) is good. Something to do for: Dealer," in capsys.readouterr().out


def test_check_names_a_line_that_is_refused(packs: str, capsys: Printed) -> None:
    file = Path(packs) / "mine.drill"
    file.write_text(file.read_text("utf-8") + "? Pit Manager: confirms\n", "utf-8")
    assert run(["train", "check", packs]) == 2
    assert "Line 10: This is refused" in capsys.readouterr().err
    file.write_text("game mbs-tiger-v3\n", "utf-8")
    assert run(["train", "check", packs]) == 2
    assert "Say what the drill is called" in capsys.readouterr().err


def test_a_file_that_is_no_record_is_left_alone(packs: str, tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Eve\n", "utf-8")
    words = ["drill", "mine", "--packs", packs, "--person", "Eve", "--record", str(file)]
    assert typed(words, "done") == 2
    assert "is no record of training: line 1" in capsys.readouterr().err
    assert file.read_text("utf-8") == "Dear Eve\n"


def test_a_record_with_half_a_line_is_named_before_any_work_is_done(
    packs: str, record: str, capsys: Printed
) -> None:
    file = Path(record)
    broken = file.read_text("utf-8") + '{"form":1,"time":"2026-1'
    file.write_text(broken, "utf-8")
    for words in (["drill", "mine", "--packs", packs], ["deal", "mbs-tiger-v3", "--rounds", "1"]):
        assert typed([*words, "--person", "Eve", "--record", record], *["1"] * 40) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert "is no record of training: line 4" in printed.err
    assert file.read_text("utf-8") == broken


def test_a_record_whose_last_line_does_not_end_goes_on_in_a_new_line(
    packs: str, record: str, capsys: Printed
) -> None:
    file = Path(record)
    file.write_text(file.read_text("utf-8").removesuffix("\n"), "utf-8")
    assert typed(["drill", "mine", "--packs", packs, "--person", "Eve", "--record", record], "done") == 0
    assert len(file.read_text("utf-8").split("\n")) == 5
    assert run(["train", "record", "--person", "Eve", "--record", record]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("between", ["\u2028", "\u0085", "\n"])
def test_no_name_divides_a_line_of_a_record(packs: str, record: str, between: str, capsys: Printed) -> None:
    name = f"Li{between}Lu"
    assert typed(["drill", "mine", "--packs", packs, "--person", name, "--record", record], "done") == 0
    for person in (name, "Eve"):
        assert run(["train", "record", "--person", person, "--record", record]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("form", 3),
        ("time", "2026-11-19T18:49:17"),
        ("points", -1),
        ("most", 0),
        ("seconds", -1.0),
        ("seconds", 1e300),
    ],
)
def test_a_line_that_no_training_writes_is_named(
    record: str, field: str, value: object, capsys: Printed
) -> None:
    file = Path(record)
    line = json.loads(file.read_text("utf-8").split("\n")[0])
    file.write_text(file.read_text("utf-8") + json.dumps({**line, field: value}) + "\n", "utf-8")
    assert run(["train", "record", "--person", "Eve", "--record", record]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "is no record of training: line 4" in told
    assert f"$.{field}" in told


def test_what_is_graded_by_a_newer_version_is_shown_as_it_is_written(record: str, capsys: Printed) -> None:
    file = Path(record)
    line = json.loads(file.read_text("utf-8").split("\n")[0])
    new = {**line, "wrong": ["grace"]}
    file.write_text(json.dumps(new) + "\n", "utf-8")
    assert run(["train", "record", "--person", "Eve", "--record", record]) == 0
    assert "grace" in capsys.readouterr().out


def test_shipped_drill_is_gone_through_in_one_language(tmp_path: Path, capsys: Printed) -> None:
    record = str(tmp_path / "record.jsonl")
    assert run(["--language", "vi", "train", "list", "--game", "mbs-super-six-etg-v3", "--json"]) == 0
    listed = {each["drill"]: each["title"] for each in map(json.loads, capsys.readouterr().out.splitlines())}
    assert listed["wagers/a-finger-on-the-screen"] == "Ngón tay trên màn hình"
    words = ["drill", "wagers/a-finger-on-the-screen", "--person", "Eve", "--record", record]
    with mock.patch("sys.stdin", io.StringIO("opens nothing\nnext\ndone\n")):
        assert run(["--language", "vi", "train", *words]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Ngón tay trên màn hình, mbs-super-six-etg-v3. Bạn là Dealer.")
    assert "» Đã hết giờ cược. T2 giơ ngón tay trên màn hình và còn nghĩ." in told
    assert 'Không hiểu "opens nothing"; không có gì thay đổi.' in told
    assert "Cách làm đúng:\nDealer: Đóng cược.\n    > closes betting\n" in told
    assert json.loads(Path(record).read_text("utf-8"))["title"] == "A finger on the screen"
    assert run(["--language", "ko", "train", "record", "--person", "Eve", "--record", record]) == 0
    assert "화면 위의 손가락" in capsys.readouterr().out
