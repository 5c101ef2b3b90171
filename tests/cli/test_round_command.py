"""``thirdcard round``: round files are played, compared, rewritten, and printed for programs."""

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cli.own_files import house_in_whole_units, own_house

from thirdcard.cli import run
from thirdcard.game import events as ev

Printed = pytest.CaptureFixture[str]
ROUNDS = Path(__file__).parent.parent / "rounds"
NATURAL = """# a natural
game mbs-tiger-v3
patrons Ann at 1, Bob at 2
Dealer: opens betting
  = Place your bets, please. [3.1]
  = Round 1 begins. [1.1.7, 3.9]
Ann: 100 on player at 1
  = Ann wagers 100.00 on player. [2.2.2, 3.5, 3.5.1]
Cy: 100 on player at 3
  ! unknown-patron: Cy is not at this table.
Dealer: closes betting
  = No more bets: betting is closed. [3.2]
Dealer: draws 9 2 K 5
  = Player gets 9. [3.13, 3.13.1, 3.9.1, 3.11.1]
  = Banker gets 2. [3.13, 3.13.2, 3.9.1, 3.11.1]
  = Player gets K. [3.13, 3.13.1, 3.9.1, 3.11.1]
  = Banker gets 5. [3.13, 3.13.2, 3.9.1, 3.11.1]
  = Player 9, Banker 7: Player wins. [3.13, 3.13.1, 3.13.2, 1.1.3, 1.1.5, 3.3.1, 3.3.2, 3.4.1, 1.1.6, \
3.15.T1, 3.16]
  = Called: Player wins.
  = Ann wins 100.00 on player at 1 to 1, 100.00 back. [4.1.T2, 3.16]
  = Round 1 is over. [1.1.7]
check Ann: won 100, net 100
check house: net -100
"""
WRONG = NATURAL.replace("Banker gets 2", "Banker gets 3")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "natural.round"
    path.write_text(NATURAL, "utf-8")
    return path


def test_a_round_that_plays_as_written_is_exit_0(file: Path, capsys: Printed) -> None:
    assert run(["round", str(file)]) == 0
    assert capsys.readouterr().out == f"{file} plays as written.\n"


def test_a_round_that_plays_otherwise_is_exit_1_with_the_lines(file: Path, capsys: Printed) -> None:
    file.write_text(WRONG, "utf-8")
    assert run(["round", str(file)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{file} plays differently (- expected, + came):",
        "line 13: Dealer: draws 9 2 K 5",
        "      14  = Player gets 9. [3.13, 3.13.1, 3.9.1, 3.11.1]",
        "  -   15  = Banker gets 3. [3.13, 3.13.2, 3.9.1, 3.11.1]",
        "  +       = Banker gets 2. [3.13, 3.13.2, 3.9.1, 3.11.1]",
        "      16  = Player gets K. [3.13, 3.13.1, 3.9.1, 3.11.1]",
    ]
    assert file.read_text("utf-8") == WRONG


def test_long_lines_are_not_broken(file: Path, capsys: Printed) -> None:
    file.write_text(NATURAL.replace("Player 9, Banker 7", "Player 8, Banker 7"), "utf-8")
    assert run(["round", str(file)]) == 1
    assert "1.1.6, 3.15.T1, 3.16]\n" in capsys.readouterr().out


def test_a_failed_check_is_exit_1(file: Path, capsys: Printed) -> None:
    file.write_text(NATURAL.replace("won 100, net 100", "won 90, net 100"), "utf-8")
    assert run(["round", str(file)]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == ["line 22: Ann won is 100.00, expected 90.00."]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (NATURAL.replace("mbs-tiger-v3", "chess"), ", line 2: There is no game chess. Choose one of: mbs-"),
        (NATURAL.replace("game mbs", "gme mbs"), ", line 2: The head has no key gme. Perhaps game is meant."),
        (
            NATURAL.replace("game mbs-tiger-v3\n", ""),
            ": No line says which game it is. Add one such as: game",
        ),
        (
            NATURAL.replace("draws 9", "draws 1"),
            ", line 13: 1 is not a card. Write it like 10, 10H, Th or K♠.",
        ),
        (NATURAL.replace("Dealer: draws", "Dealer draws"), ", line 13: "),
        (f"area roof\n{NATURAL}", ", line 1: roof is no choice here. Choose from: main-floor, high-limit."),
        (f"device hat\n{NATURAL}", ", line 1: hat is no choice here. Choose from: plain, electronic, card-"),
        (f"method Z\n{NATURAL}", ", line 1: Z is no choice here. Choose from: A, B, C."),
        (
            f"layout Z\n{NATURAL}",
            ", line 1: The table cannot be set up. There is no layout Z here. Choose one",
        ),
        (
            f"{NATURAL}check Cy: won 1",
            ", line 24: Cy never comes to the table. Check one of: Ann, Bob, house,",
        ),
    ],
)
@pytest.mark.parametrize("options", [[], ["--update"], ["--json"]])
def test_a_line_that_cannot_be_played_is_exit_2_and_the_file_stays(
    text: str, complaint: str, options: list[str], file: Path, capsys: Printed
) -> None:
    file.write_text(text, "utf-8")
    assert run(["round", str(file), *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"thirdcard: {file}{complaint}")
    assert file.read_text("utf-8") == text


def test_a_file_that_cannot_be_read_is_exit_2(tmp_path: Path, capsys: Printed) -> None:
    assert run(["round", str(tmp_path / "none.round")]) == 2
    assert "none.round cannot be read: No such file or directory. Check the path." in capsys.readouterr().err
    (tmp_path / "latin.round").write_bytes(b"game mbs-tiger-v3\n# caf\xe9\n")
    assert run(["round", str(tmp_path / "latin.round")]) == 2
    assert "latin.round is not text in UTF-8. Save it as such." in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert run(["round", str(tmp_path / "empty")]) == 2
    assert "empty holds no file whose name ends in .round. Check the path." in capsys.readouterr().err
    assert run(["round"]) == 2
    assert capsys.readouterr().err.startswith("thirdcard: ")


BARE = "".join(line for line in NATURAL.splitlines(keepends=True) if not line.startswith(" "))
REFUSED = "line 6: Cy: 100 on player at 3\n  +       ! unknown-patron: Cy is not at this table.\n"


def test_a_file_with_checks_only_is_exit_0_when_they_hold(file: Path, capsys: Printed) -> None:
    file.write_text(BARE, "utf-8")
    assert run(["round", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: every check holds.\n{REFUSED}"
    assert run(["round", str(file), str(file)]) == 0
    assert capsys.readouterr().out == "Rounds 2: 2 play as written, 0 differently, 0 cannot be played.\n"


def test_a_file_with_checks_only_is_exit_1_when_one_fails(file: Path, capsys: Printed) -> None:
    file.write_text(BARE.replace("net -100", "net 0"), "utf-8")
    assert run(["round", str(file)]) == 1
    failed = "line 10: house net is -100.00, expected 0.00."
    assert capsys.readouterr().out == f"{file} plays differently (- expected, + came):\n{failed}\n{REFUSED}"


def test_a_file_that_expects_nothing_is_exit_0_and_shows_what_came(file: Path, capsys: Printed) -> None:
    file.write_text(BARE[: BARE.index("check")], "utf-8")
    assert run(["round", str(file)]) == 0
    came = NATURAL[: NATURAL.index("check")]
    assert capsys.readouterr().out == f"{file} expects nothing. This is what came:\n{came}"
    assert run(["round", str(file), "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_a_refusal_may_be_expected_without_its_sentence(file: Path) -> None:
    short = NATURAL.replace("unknown-patron: Cy is not at this table.", "unknown-patron")
    file.write_text(short, "utf-8")
    assert run(["round", str(file), "--update"]) == 0
    assert file.read_text("utf-8") == short


# folders and several files


def test_a_folder_means_all_rounds_below_it_with_a_summary(capsys: Printed) -> None:
    folder = ROUNDS / "mbs-super-six-etg-v3"
    count = len(list(folder.glob("*.round")))
    assert run(["round", str(folder)]) == 0
    expected = f"Rounds {count}: {count} play as written, 0 differently, 0 cannot be played.\n"
    assert capsys.readouterr().out == expected


def test_of_several_files_every_one_is_played_and_the_worst_counts(tmp_path: Path, capsys: Printed) -> None:
    deep = tmp_path / "deep" / "deeper"
    deep.mkdir(parents=True)
    for name, text in (("a", NATURAL), ("b", WRONG), ("c", "game chess"), ("d", WRONG)):
        (deep / f"{name}.round").write_text(text, "utf-8")
    (deep / "notes.txt").write_text("no round", "utf-8")
    assert run(["round", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert printed.out.splitlines()[-1] == "Rounds 4: 1 play as written, 2 differently, 1 cannot be played."
    assert [line for line in printed.out.splitlines() if "plays" in line] == [
        f"{deep / 'b.round'} plays differently (- expected, + came):",
        f"{deep / 'd.round'} plays differently (- expected, + came):",
    ]
    assert "c.round, line 1: There is no game chess." in printed.err
    assert run(["round", str(deep / "a.round"), str(deep / "b.round")]) == 1
    out = capsys.readouterr().out
    assert out.endswith("Rounds 2: 1 play as written, 1 differently, 0 cannot be played.\n")


# --update


def test_update_writes_down_what_came(file: Path, capsys: Printed) -> None:
    file.write_text(BARE, "utf-8")
    assert run(["round", str(file), "--update"]) == 0
    assert file.read_text("utf-8") == NATURAL
    shown = capsys.readouterr().out
    assert "  +       = Place your bets, please. [3.1]" in shown
    assert shown.endswith(f"{file} is rewritten.\n")
    assert run(["round", str(file), "--update"]) == 0
    assert capsys.readouterr().out == f"{file} plays as written.\n"


def test_update_never_touches_checks_and_a_failed_one_is_still_exit_1(file: Path, capsys: Printed) -> None:
    changed = WRONG.replace("net -100", "net -1")
    file.write_text(changed, "utf-8")
    assert run(["round", str(file), "--update"]) == 1
    assert file.read_text("utf-8") == NATURAL.replace("net -100", "net -1")
    assert "line 23: house net is -100.00, expected -1.00." in capsys.readouterr().out
    assert run(["round", str(file), "--update"]) == 1
    assert "rewritten" not in capsys.readouterr().out


def test_update_keeps_remarks_blank_lines_line_ends_and_permissions(file: Path) -> None:
    text = WRONG.replace("Dealer: draws", "\n# third cards\nDealer: draws").replace("\n", "\r\n")
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    file.chmod(0o640)
    assert run(["round", str(file), "--update"]) == 0
    right = NATURAL.replace("Dealer: draws", "\n# third cards\nDealer: draws").replace("\n", "\r\n")
    assert file.read_bytes() == right.encode()
    assert file.stat().st_mode & 0o777 == 0o640


def test_update_follows_a_link_and_leaves_nothing_behind(file: Path, tmp_path: Path) -> None:
    file.write_text(WRONG, "utf-8")
    link = tmp_path / "link.round"
    link.symlink_to(file)
    assert run(["round", str(link), "--update"]) == 0
    assert link.is_symlink()
    assert file.read_text("utf-8") == NATURAL
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.round", "natural.round"]


def test_a_file_that_cannot_be_replaced_is_exit_2_and_stays_whole(
    file: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    file.write_text(WRONG, "utf-8")
    monkeypatch.setattr("shutil.copymode", full)
    assert run(["round", str(file), "--update"]) == 2
    assert "natural.round cannot be written: No space left on device." in capsys.readouterr().err
    assert file.read_text("utf-8") == WRONG
    assert list(file.parent.iterdir()) == [file]


# --json
NOTHING = {"taken": "0.00", "claim": "0.00", "credits": "0.00"}


def objects(capsys: Printed) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_json_has_every_event_in_order_and_ends_with_the_totals(file: Path, capsys: Printed) -> None:
    assert run(["round", str(file), "--json"]) == 0
    *happened, totals = objects(capsys)
    assert happened[0]["type"] == "table-set-up"
    refused = [each for each in happened if each["type"] == "refused"]
    assert refused == [
        {
            "type": "refused",
            "reason": "unknown-patron",
            "clauses": [],
            "message": "Cy is not at this table.",
        }
    ]
    place = happened.index(refused[0])
    assert [happened[place - 1]["type"], happened[place + 1]["type"]] == ["wager-placed", "betting-closed"]
    events = [each for each in happened if each["type"] != "refused"]
    read = msgspec.convert(events, type=list[ev.Event])
    assert isinstance(read[-1], ev.RoundEnded)
    whole = {
        "patrons": {
            "Ann": {"won": "100.00", "back": "100.00", "net": "100.00", **NOTHING},
            "Bob": {"won": "0.00", "back": "0.00", "net": "0.00", **NOTHING},
        },
        "house": {"net": "-100.00"},
    }
    assert totals == {**whole, "rounds": [{"round": 1, **whole}]}


def test_the_totals_have_every_round_with_claims_and_credits(file: Path, capsys: Printed) -> None:
    file.write_text(
        "game mbs-super-six-etg-v3\npatrons T1\nT1: buys 1000 credits\n"
        "Dealer: opens betting\nT1: 100 on player\nDealer: closes betting\nDealer: draws 9 2 K 5\n"
        "Dealer: opens betting\nT1: 300 on player\n",
        "utf-8",
    )
    assert run(["round", str(file), "--json"]) == 0
    totals = objects(capsys)[-1]
    assert [each["round"] for each in totals["rounds"]] == [1, 2]
    first, second = (each["patrons"]["T1"] for each in totals["rounds"])
    assert (first["won"], first["claim"], first["credits"]) == ("100.00", "0.00", "1100.00")
    assert (second["won"], second["claim"], second["credits"]) == ("0.00", "0.00", "800.00")
    assert totals["patrons"]["T1"]["credits"] == "800.00"


def test_json_of_several_files_says_where_each_begins(file: Path, capsys: Printed) -> None:
    assert run(["round", str(file), str(file), "--json"]) == 0
    begins = [each for each in objects(capsys) if each.get("type") == "file"]
    assert begins == [{"type": "file", "file": str(file)}] * 2


def test_differences_among_json_go_to_stderr(file: Path, capsys: Printed) -> None:
    file.write_text(WRONG, "utf-8")
    assert run(["round", str(file), "--json"]) == 1
    printed = capsys.readouterr()
    assert [json.loads(line) for line in printed.out.splitlines()]
    assert "line 13: Dealer: draws 9 2 K 5" in printed.err


def test_the_totals_of_rounds_without_awards_and_corrections_balance(capsys: Printed) -> None:
    """Patrons have more by as much as the house has less; money outside rounds is left out of both."""
    assert run(["round", str(ROUNDS / "hoiana-tiger-2024-commission"), "--json"]) == 0
    types: set[str] = set()
    for each in objects(capsys):
        if "patrons" in each:
            nets = [float(sums["net"]) for sums in each["patrons"].values()]
            if not types & {"payment-corrected", "dispute-decided"}:
                assert round(sum(nets) + float(each["house"]["net"]), 2) == 0
            types = set()
        else:
            types.add(each["type"])


def test_a_house_of_ones_own_plays_by_its_limits_and_its_money(
    file: Path, tmp_path: Path, capsys: Printed
) -> None:
    house = own_house(tmp_path, 'minimum = "50"', 'minimum = "500"')
    assert run(["round", str(file), "--house", house]) == 1
    assert "  +       = 100.00 on player is handed back to Ann" in capsys.readouterr().out
    yen = house_in_whole_units(tmp_path)
    assert run(["round", str(file), "--house", str(yen), "--json"]) == 1
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["patrons"]["Ann"]["won"] == "100"
    assert run(["round", str(file), "--house", "marina-bay-sands"]) == 0


def test_a_house_that_does_not_exist_or_does_not_fit_is_exit_2(file: Path, capsys: Printed) -> None:
    assert run(["round", str(file), "--house", "nowhere"]) == 2
    assert capsys.readouterr().err.startswith("thirdcard: There is no house nowhere")
    assert run(["round", str(file), "--house", "hoiana"]) == 2
    assert "a post that the house hoiana lacks" in capsys.readouterr().err


NARROW = 'minimum = "50"', 'minimum = "500"'
HANDED_BACK = "100.00 on player is handed back to Ann"


def test_a_file_names_its_house_by_a_path_from_its_own_folder(
    tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "houses").mkdir()
    own_house(tmp_path / "houses", *NARROW)
    file = tmp_path / "own.round"
    file.write_text(f"house houses/house.toml\n{NATURAL}", "utf-8")
    monkeypatch.chdir("/")
    assert run(["round", str(file)]) == 1
    assert HANDED_BACK in capsys.readouterr().out
    file.write_text(f"house marina-bay-sands\n{NATURAL}", "utf-8")
    assert run(["round", str(file)]) == 0


def test_the_house_of_the_command_line_goes_before_that_of_the_file(
    file: Path, tmp_path: Path, capsys: Printed
) -> None:
    house = own_house(tmp_path, *NARROW)
    file.write_text(f"house marina-bay-sands\n{NATURAL}", "utf-8")
    assert run(["round", str(file), "--house", house]) == 1
    assert HANDED_BACK in capsys.readouterr().out
    file.write_text(f"house nowhere\n{NATURAL}", "utf-8")
    assert run(["round", str(file), "--house", "marina-bay-sands"]) == 0


def test_amounts_are_read_in_the_currency_of_the_house_that_the_file_names(
    file: Path, tmp_path: Path, capsys: Printed
) -> None:
    house_in_whole_units(tmp_path)
    file.write_text(f"house house.toml\n{BARE}", "utf-8")
    assert run(["round", str(file), "--json"]) == 0
    assert objects(capsys)[-1]["patrons"]["Ann"]["won"] == "100"
    file.write_text(f"house house.toml\n{BARE.replace('100', '100.50')}", "utf-8")
    assert run(["round", str(file)]) == 2
    assert "line 6: 100.50 is not an amount." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("house", "complaint"),
    [
        ("nowhere", "There is no house nowhere: neither one on the shelf (marina-bay-sands, hoiana) nor a"),
        ("hoiana", "mbs-tiger-v3.toml: authority.posts: "),
        ("broken.toml", "broken.toml: file: This is not TOML at line 1"),
    ],
)
def test_a_house_of_a_file_that_cannot_be_used_is_a_bad_line(
    house: str, complaint: str, file: Path, tmp_path: Path, capsys: Printed
) -> None:
    (tmp_path / "broken.toml").write_text("a house", "utf-8")
    file.write_text(f"{NATURAL.replace('game', f'house {house}{chr(10)}game', 1)}", "utf-8")
    assert run(["round", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"thirdcard: {file}, line 2: {complaint}")


def test_a_house_with_a_limit_for_a_wager_of_no_game_is_exit_2(
    file: Path, tmp_path: Path, capsys: Printed
) -> None:
    house = own_house(
        tmp_path,
        'differential = "10000"',
        'differential = "10000"\nwager.super-six = { minimum = "10", maximum = "200" }\n'
        'wager.tigertie = { minimum = "10", maximum = "200" }',
    )
    complaint = "house.toml: limits.wager.tigertie: No game has a wager tigertie. Perhaps tiger-tie is meant."
    assert run(["round", str(file), "--house", house]) == 2
    assert capsys.readouterr().err == f"thirdcard: {complaint}\n"
    file.write_text(f"house house.toml\n{NATURAL}", "utf-8")
    assert run(["round", str(file)]) == 2
    assert capsys.readouterr().err == f"thirdcard: {file}, line 1: {complaint}\n"
    for command in (
        ["settle", "mbs-tiger-v3", "--cards", "9 2 K 5", "--wager", "tie=10"],
        ["rules", "check"],
    ):
        assert run([*command, "--house", house]) == 2
        assert complaint in capsys.readouterr().err


def test_an_award_is_in_the_totals(capsys: Printed) -> None:
    assert run(["round", str(ROUNDS / "manners" / "dispute-at-marina-bay-sands.round"), "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last == {
        "patrons": {"Ann": {"won": "50.00", "back": "0.00", "net": "50.00", **NOTHING}},
        "house": {"net": "-50.00"},
        "rounds": [],
    }


# several games in a file

TIGERS = """game mbs-tiger-v3, mbs-tiger-nc-v4
patrons Ann at 1
Dealer: opens betting
  = Place your bets, please. [3.1]
  = Round 1 begins. [mbs-tiger-v3: 1.1.7, 3.9; mbs-tiger-nc-v4: 1.1.6, 3.8]
check Ann: won 0
"""


def test_a_file_is_played_under_each_of_its_games(file: Path, capsys: Printed) -> None:
    file.write_text(TIGERS, "utf-8")
    assert run(["round", str(file)]) == 0
    assert capsys.readouterr().out == f"{file} plays as written.\n"


def test_clauses_are_rewritten_by_game(file: Path, capsys: Printed) -> None:
    file.write_text(TIGERS.replace("[3.1]", "[3.1.1]").replace("1.1.6, 3.8", "3.8"), "utf-8")
    assert run(["round", str(file), "--update"]) == 0
    assert file.read_text("utf-8") == TIGERS
    printed = capsys.readouterr().out
    assert "  -    5  = Round 1 begins. [mbs-tiger-v3: 1.1.7, 3.9; mbs-tiger-nc-v4: 3.8]" in printed
    assert printed.endswith(f"{file} is rewritten.\n")


def test_games_that_differ_leave_the_file_alone(file: Path, capsys: Printed) -> None:
    differs = TIGERS.replace("mbs-tiger-nc-v4\n", "mbs-tiger-nc-v4, hoiana-tiger-2024/commission\n")
    file.write_text(differs, "utf-8")
    for arguments in ([], ["--update"], ["--json"]):
        assert run(["round", str(file), *arguments]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        wrong = "comes out differently under hoiana-tiger-2024/commission (nothing)"
        assert printed.err.startswith(f'thirdcard: {file}, line 3: "Dealer: opens betting" {wrong}')
    assert file.read_text("utf-8") == differs


def test_a_check_that_fails_under_one_game_names_it(file: Path, capsys: Printed) -> None:
    bare = "game mbs-tiger-v3, mbs-tiger-nc-v4\npatrons Ann at 1\nDealer: opens betting\n"
    six = "Ann: 100 on banker at 1\nDealer: closes betting\nDealer: draws 2 3 2 3 K\ncheck Ann: won 95\n"
    file.write_text(bare + six, "utf-8")
    assert run(["round", str(file)]) == 2
    told = (
        f"thirdcard: {file}: line 7: Ann won is 50.00, expected 95.00. It is so under mbs-tiger-nc-v4 alone"
    )
    assert capsys.readouterr().err.startswith(told)


def test_a_line_that_cannot_be_played_under_one_game_names_it(file: Path, capsys: Printed) -> None:
    other = "mbs-dragon-tiger-nc-2023"
    file.write_text(f"game mbs-tiger-v3, {other}\nlimit tiger 10 200\npatrons Ann at 1\n", "utf-8")
    assert run(["round", str(file)]) == 2
    told = f"thirdcard: {file}, line 2: Under {other}: {other} has no wager tiger."
    assert capsys.readouterr().err.startswith(told)


def test_a_line_that_no_game_can_play_names_none(file: Path, capsys: Printed) -> None:
    file.write_text(TIGERS + "Dealer: draws 15\n", "utf-8")
    assert run(["round", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"thirdcard: {file}, line 7: 15 is not a card.")


def test_each_game_of_a_file_begins_with_its_name_in_json(file: Path, capsys: Printed) -> None:
    file.write_text(TIGERS, "utf-8")
    assert run(["round", str(file), "--json"]) == 0
    found = objects(capsys)
    begun = [at for at, each in enumerate(found) if each.get("type") == "game"]
    assert [found[at]["game"] for at in begun] == ["mbs-tiger-v3", "mbs-tiger-nc-v4"]
    assert begun[0] == 0
    assert "patrons" in found[begun[1] - 1]
    assert "patrons" in found[-1]
