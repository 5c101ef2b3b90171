"""`thirdcard rules` as people and programs call it."""

import json
from pathlib import Path
from typing import Any

import pytest
from cli.own_files import own_house, own_rulebook
from lengths import sized

from thirdcard.clauses import Clause
from thirdcard.cli import run
from thirdcard.rulebook.pages.coverage import Piece, recorded_evidence
from thirdcard.rulebook.shelf import DOCUMENTS

Printed = pytest.CaptureFixture[str]
ROWS_OF_CLAUSES = {
    "mbs-tiger-nc-v4": 151,
    "mbs-tiger-v3": 158,
    "mbs-dragon-tiger-nc-2023": 153,
    "mbs-super-six-etg-v3": 60,
    "hoiana-tiger-2024": 174,
}


def printed_json(capsys: Printed) -> Any:
    return json.loads(capsys.readouterr().out)


def test_list_names_five_rulebooks_and_six_games(capsys: Printed) -> None:
    assert run(["rules", "list", "--json"]) == 0
    books = printed_json(capsys)
    assert [(book["id"], book["version"], book["in_force"]) for book in books] == [
        ("mbs-tiger-nc-v4", "4", "2020-01-23T00:00:00+08:00"),
        ("mbs-tiger-v3", "3", "2022-03-09T00:00:00+08:00"),
        ("mbs-dragon-tiger-nc-2023", None, "2023-12-07T00:00:00+08:00"),
        ("mbs-super-six-etg-v3", "3", "2017-02-17T00:00:00+08:00"),
        ("hoiana-tiger-2024", "01/01.10.2024", "2024-10-01T00:00:00+07:00"),
    ]
    assert sum(len(book["games"]) for book in books) == 6
    assert run(["rules", "list"]) == 0
    shown = capsys.readouterr().out
    for document in DOCUMENTS:
        assert document in shown


@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_every_rulebook_can_be_shown_whole(rulebook: str, capsys: Printed) -> None:
    assert run(["rules", "show", rulebook]) == 0
    shown = capsys.readouterr().out
    for title in ("Identity", "Round", "Wagers", "Table of play", "Irregularities", "Authority", "Terms"):
        assert title in shown
    assert run(["rules", "show", rulebook, "--json"]) == 0
    tables = printed_json(capsys)["tables"]
    assert all(line["clauses"] for table in tables if table["title"] == "Wagers" for line in table["lines"])


@pytest.mark.sweep
@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_the_effect_of_every_clause_can_be_read(rulebook: str, capsys: Printed) -> None:
    assert run(["rules", "coverage", rulebook, "--json"]) == 0
    clauses = list(printed_json(capsys)["clauses"][rulebook])
    assert len(clauses) == ROWS_OF_CLAUSES[rulebook]
    for clause in clauses[:: sized(5, 1)]:
        assert run(["rules", "show", rulebook, clause, "--json"]) == 0
        shown = printed_json(capsys)
        assert shown["clause"] == clause
        assert len(shown["says"].split()) >= 4


def test_a_clause_is_shown_with_what_rests_on_it_and_how_it_is_read(capsys: Printed) -> None:
    assert run(["rules", "show", "mbs-tiger-v3", "5.8.2.2"]) == 0
    shown = capsys.readouterr().out
    assert "mbs-tiger-v3 5.8.2.2 (irregularity):" in shown
    assert "the order of the cards is determined; patrons may withdraw all remaining wagers" in shown
    assert "Pit Manager" in shown
    assert "AMB-29" in shown


def test_a_term_leads_to_its_clause_in_each_rulebook(capsys: Printed) -> None:
    assert run(["rules", "show", "mbs-tiger-nc-v4", "Table Differential"]) == 0
    ours = capsys.readouterr().out
    assert run(["rules", "show", "hoiana-tiger-2024", "table differential"]) == 0
    theirs = capsys.readouterr().out
    assert ours.startswith("mbs-tiger-nc-v4 1.1.9 ")
    assert theirs.startswith("hoiana-tiger-2024 2.2.17 ")
    assert "Table differential means · gap" in ours
    assert "Table differential means · limit" in theirs


def test_a_defect_of_the_document_is_shown_at_its_clause(capsys: Printed) -> None:
    assert run(["rules", "show", "mbs-tiger-v3", "Front.2"]) == 0
    assert "Note: The approval names another title" in capsys.readouterr().out


def test_an_unknown_rulebook_or_clause_is_exit_2(capsys: Printed) -> None:
    assert run(["rules", "show", "mbs-tiger-v9"]) == 2
    assert "There is no rulebook mbs-tiger-v9. Perhaps mbs-tiger-v3 is meant." in capsys.readouterr().err
    assert run(["rules", "show", "mbs-tiger-v3", "9.9"]) == 2
    assert "mbs-tiger-v3 has no clause and no term 9.9." in capsys.readouterr().err


def test_diff_tells_what_differs_from_what_only_moved(capsys: Printed) -> None:
    assert run(["rules", "diff", "mbs-tiger-nc-v4", "mbs-tiger-v3", "--json"]) == 0
    topics = {topic["title"]: topic for topic in printed_json(capsys)["topics"]}
    assert [each["about"] for each in topics["Layouts"]["differs"]] == [["F"], ["G"], ["H"]]
    assert topics["Table of play"]["differs"] == []
    assert len(topics["Table of play"]["moved"]) == 20
    pays = {tuple(each["about"]): each for each in topics["Wagers"]["differs"]}
    assert pays["Banker", "Banker wins"]["right"] == ["0.95 to 1 (1 to 1 less commission)"]
    assert pays["Banker", "Banker wins, Banker total 6"]["left"] == ["1 to 2"]
    assert run(["rules", "diff", "mbs-tiger-nc-v4", "hoiana-tiger-2024"]) == 0
    shown = capsys.readouterr().out
    assert "Irregularities: differs" in shown
    assert "(silent)" in shown


def test_check_prints_the_exact_edge_for_every_permitted_number_of_decks(capsys: Printed) -> None:
    assert run(["rules", "check", "--json"]) == 0
    checked = printed_json(capsys)
    games = {game["game"]: game["edges"] for each in checked for game in each["games"]}
    assert len(games) == 6
    assert games["mbs-tiger-v3"]["banker"] == {
        "4": 1.0517,
        "5": 1.0542,
        "6": 1.0558,
        "7": 1.057,
        "8": 1.0579,
        "9": 1.0586,
        "10": 1.0591,
    }


def test_a_wager_that_favours_patrons_is_refused(tmp_path: Path, capsys: Printed) -> None:
    file = own_rulebook(tmp_path, '"15 to 1"', '"20 to 1"')
    assert run(["rules", "check", file]) == 1
    complaint = capsys.readouterr().err
    assert (
        "mine.toml: wager[super-six] (clause 4.1.T6): The wager super-six favours the patron with 8 decks: "
        "house edge -13.1138 %. Correct its odds, or say in allow_patron_edge why the house offers it."
        in complaint
    )


def test_a_patron_edge_is_allowed_with_a_reason(tmp_path: Path, capsys: Printed) -> None:
    file = own_rulebook(tmp_path, 'odds = "15 to 1"', 'odds = "20 to 1"')
    text = (
        Path(file)
        .read_text("utf-8")
        .replace(
            'id = "super-six"\n', 'id = "super-six"\nallow_patron_edge = "a promotion for one evening"\n'
        )
    )
    Path(file).write_text(text, "utf-8")
    assert run(["rules", "check", file]) == 0
    assert "-13." in capsys.readouterr().out


def test_a_refused_rulebook_is_exit_1_and_a_missing_one_exit_2(tmp_path: Path, capsys: Printed) -> None:
    assert run(["rules", "check", own_rulebook(tmp_path, 'odds = "15 to 1"', "odds = 15")]) == 1
    assert (
        "mine.toml: wager[super-six].pays[0].odds (clause 4.1.T6): Odds must be text"
        in capsys.readouterr().err
    )
    assert run(["rules", "check", own_rulebook(tmp_path, 'house = "marina', 'house = "x-marina')]) == 2
    assert (
        "There is no house x-marina-bay-sands, neither on the shelf nor as a file. Perhaps marina-"
        in capsys.readouterr().err
    )
    assert run(["rules", "check", str(tmp_path / "none.toml")]) == 2
    assert "none.toml cannot be read: No such file or directory." in capsys.readouterr().err
    assert run(["rules", "check", str(tmp_path)]) == 2
    assert f"{tmp_path} cannot be read: Is a directory." in capsys.readouterr().err


def test_a_file_that_cannot_be_checked_is_a_finding_for_programs(tmp_path: Path, capsys: Printed) -> None:
    (tmp_path / "mine.toml").write_text("name = x\n", "utf-8")
    assert run(["rules", "check", str(tmp_path / "mine.toml"), "--json"]) == 1
    printed = capsys.readouterr()
    (finding,) = json.loads(printed.out)
    problem = (
        "mine.toml: file: This is not TOML at line 1, column 8. "
        "Correct it there; perhaps a quote, a bracket or an equals sign is missing."
    )
    assert finding == {"file": "mine.toml", "id": None, "games": [], "problems": [problem]}
    assert printed.err == f"thirdcard: {problem}\n"
    homeless = own_rulebook(tmp_path, 'house = "marina', 'house = "x-marina')
    for arguments in ([str(tmp_path / "none.toml")], [homeless], ["--house", "nowhere"]):
        assert run(["rules", "check", *arguments, "--json"]) == 2
        printed = capsys.readouterr()
        (finding,) = json.loads(printed.out)
        assert printed.err == f"thirdcard: {finding['problems'][0]}\n"


def test_coverage_accounts_for_every_clause(capsys: Printed) -> None:
    assert run(["rules", "coverage", "--json"]) == 0
    printed = printed_json(capsys)
    assert {book: len(clauses) for book, clauses in printed["clauses"].items()} == ROWS_OF_CLAUSES
    for clauses in printed["clauses"].values():
        for cover in clauses.values():
            unproven = cover["status"] in ("cited", "shown", "not-modelled")
            assert unproven or cover["status"] in ("proven", "heading")
            assert bool(cover["missing"]) == bool(cover["reason"]) == unproven
            assert "tests" not in cover


def test_coverage_counts_by_document_kind_and_subject(capsys: Printed) -> None:
    assert run(["rules", "coverage", "--json"]) == 0
    printed = printed_json(capsys)
    for counted in ("documents", "kinds", "subjects"):
        assert sum(sum(each.values()) for each in printed[counted].values()) == sum(ROWS_OF_CLAUSES.values())
    for subject in ("irregularity", "limit", "authority", "dispute", "dealing"):
        assert printed["subjects"][subject]["cited"] == 0


def test_coverage_for_people(capsys: Printed) -> None:
    assert run(["rules", "coverage"]) == 0
    shown = capsys.readouterr().out
    assert "hoiana-tiger-2024" in shown
    assert "prohibition" in shown
    assert run(["rules", "coverage", "mbs-super-six-etg-v3"]) == 0
    assert "4.1.T6" in capsys.readouterr().out


def test_coverage_names_both_kinds_of_a_clause(capsys: Printed) -> None:
    """8.2: facts shall be gathered, by the Pit Manager or above."""
    assert run(["rules", "coverage", "hoiana-tiger-2024", "--json"]) == 0
    clauses = printed_json(capsys)["clauses"]["hoiana-tiger-2024"]
    assert (clauses["8.2"]["kind"], clauses["8.2"]["also"]) == ("duty", "power")
    assert clauses["8.4"]["also"] is None
    assert run(["rules", "show", "hoiana-tiger-2024", "8.2"]) == 0
    shown = "Proof: duty, power\nEvidence: done, left out, used, lower post refused, higher post\n"
    assert shown in capsys.readouterr().out


def test_coverage_is_a_negative_answer_if_a_clause_about_play_is_not_proven(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = dict(recorded_evidence())
    evidence["mbs-tiger-v3"] = {**evidence["mbs-tiger-v3"], Clause("5.3"): (Piece.DONE,)}
    monkeypatch.setattr("thirdcard.rulebook.pages.coverage.recorded_evidence", lambda: evidence)
    assert run(["rules", "coverage"]) == 1
    assert "1 clauses should be proven and are not, first: mbs-tiger-v3 5.3." in capsys.readouterr().err
    assert run(["rules", "show", "mbs-tiger-v3", "5.3"]) == 0
    shown = capsys.readouterr().out
    assert "Status: cited\nProof: duty\nEvidence: done\nMissing: left out\n" in shown


def test_a_piece_that_cannot_be_had_is_shown_with_its_reason(capsys: Printed) -> None:
    assert run(["rules", "show", "mbs-tiger-v3", "6.1"]) == 0
    assert (
        "higher post cannot be had: no post stands above the Gaming Shift Manager" in capsys.readouterr().out
    )


def test_readings_say_how_the_unclear_is_read(capsys: Printed) -> None:
    assert run(["rules", "readings", "--json"]) == 0
    readings = printed_json(capsys)
    all_ids = {reading["id"] for book in readings.values() for reading in book}
    assert {f"AMB-{number:02}" for number in range(1, 81)} <= all_ids
    assert run(["rules", "readings", "mbs-tiger-v3"]) == 0
    shown = capsys.readouterr().out
    assert "AMB-01" in shown
    assert "settings.pair_rule" in shown


def test_a_house_of_ones_own_can_be_used_and_is_read_as_strictly(tmp_path: Path, capsys: Printed) -> None:
    chips = own_house(tmp_path, 'smallest_unit = "0.01"', 'smallest_unit = "1"')
    hand = ["settle", "mbs-tiger-v3", "--cards", "10 A K 2 5 3", "--wager", "banker=333", "--json"]
    assert run([*hand, "--house", chips]) == 0
    assert printed_json(capsys)["wagers"]["banker"]["paid"] == "317.00"
    rulebook = own_rulebook(tmp_path, '"super-six"', '"lucky-six"', times=2)
    limit = 'differential = "10000"\nwager.lucky-six = { minimum = "10", maximum = "200" }'
    lucky = own_house(tmp_path, 'differential = "10000"', limit)
    assert run(["rules", "check", rulebook, "--house", lucky]) == 0
    broken = own_house(tmp_path, 'payments = "up"', 'payments = "sideways"')
    assert run([*hand, "--house", broken]) == 2
    assert "house.toml: rounding.payments: The value" in capsys.readouterr().err
    assert run([*hand, "--house", "nowhere"]) == 2
    assert "There is no house nowhere" in capsys.readouterr().err


def test_a_house_that_lacks_a_post_cannot_play_the_rulebook(capsys: Printed) -> None:
    assert run(["rules", "check", "--house", "hoiana"]) == 1
    refusal = (
        "mbs-tiger-v3.toml: authority.posts: The rulebook mbs-tiger-v3 gives powers to "
        "assistant-casino-manager, a post that the house hoiana lacks."
    )
    assert refusal in capsys.readouterr().err


def test_a_rulebook_is_also_known_by_its_games(capsys: Printed) -> None:
    for command in ("show", "coverage", "readings"):
        assert run(["rules", command, "hoiana-tiger-2024"]) == 0
        by_rulebook = capsys.readouterr().out
        assert run(["rules", command, "hoiana-tiger-2024/commission"]) == 0
        assert capsys.readouterr().out == by_rulebook
    assert run(["rules", "show", "hoiana-tiger-2024/half"]) == 2
    assert "There is no rulebook hoiana-tiger-2024/half." in capsys.readouterr().err
