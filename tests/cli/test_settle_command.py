"""`thirdcard settle` as people and programs call it."""

import json
from pathlib import Path

import pytest

from thirdcard.cli import run

Printed = pytest.CaptureFixture[str]
HAND = ["--cards", "10 A K 2 5 3"]


def outcome_of(printed: Printed) -> dict[str, object]:
    value = json.loads(printed.readouterr().out)
    assert isinstance(value, dict)
    return value


def test_json_has_the_shape_that_programs_rely_on(capsys: Printed) -> None:
    assert (
        run(["settle", "mbs-tiger-v3", *HAND, "--wager", "banker=333", "--wager", "tiger=15", "--json"]) == 0
    )
    assert outcome_of(capsys) == {
        "game": "mbs-tiger-v3",
        "player": {"cards": ["10", "K", "5"], "total": 5},
        "banker": {"cards": ["A", "2", "3"], "total": 6},
        "outcome": "banker",
        "natural": False,
        "wagers": {
            "banker": {
                "stake": "333.00",
                "result": "won",
                "odds": "0.95 to 1",
                "paid": "316.35",
                "commission": "16.65",
                "net": "316.35",
                "clauses": ["4.1.T1", "3.16", "1.1.2"],
            },
            "tiger": {
                "stake": "15.00",
                "result": "won",
                "odds": "20 to 1",
                "paid": "300.00",
                "commission": "0.00",
                "net": "300.00",
                "clauses": ["4.3.T2", "1.1.13", "3.17"],
            },
        },
    }


def test_lost_and_stood_off_wagers_have_no_odds_and_a_net(capsys: Printed) -> None:
    wagers = ["--wager", "player=100", "--wager", "tiger=10", "--wager", "tie=10"]
    assert run(["settle", "mbs-tiger-nc-v4", "--cards", "K K 7 7", *wagers, "--json"]) == 0
    settled = outcome_of(capsys)
    assert settled["outcome"] == "tie"
    shown = settled["wagers"]
    assert isinstance(shown, dict)
    assert {
        name: (each["result"], each["odds"], each["paid"], each["net"]) for name, each in shown.items()
    } == {
        "player": ("stood-off", None, "0.00", "0.00"),
        "tiger": ("lost", None, "0.00", "-10.00"),
        "tie": ("won", "8 to 1", "80.00", "80.00"),
    }


@pytest.mark.parametrize("cards", ["10H Th K♠ 9d", "10h,th,ks,9D", " 10♥  T♥ K♠ 9♦ "])
def test_cards_are_read_in_many_spellings_and_printed_in_one(cards: str, capsys: Printed) -> None:
    assert run(["settle", "mbs-tiger-v3", "--cards", cards, "--json"]) == 0
    settled = outcome_of(capsys)
    assert settled["player"] == {"cards": ["10H", "KS"], "total": 0}
    assert settled["banker"] == {"cards": ["10H", "9D"], "total": 9}
    assert settled["natural"] is True


def test_people_see_each_step_and_each_wager_with_its_clause(capsys: Printed) -> None:
    assert run(["settle", "mbs-tiger-v3", *HAND, "--wager", "banker=333"]) == 0
    shown = capsys.readouterr().out
    assert "Banker draws on 3 after a third card of 5: 3. [3.15.T5]" in shown
    assert "Banker wins 6 to 5. [3.16]" in shown
    assert "316.35" in shown
    assert "16.65" in shown  # the commission
    assert "4.1.T1, 3.16, 1.1.2" in shown


def test_a_hand_without_wagers_is_shown_too(capsys: Printed) -> None:
    assert run(["settle", "mbs-tiger-v3", *HAND]) == 0
    assert capsys.readouterr().out.endswith("Banker wins 6 to 5. [3.16]\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ["hoiana-tiger-2024", *HAND],
            "There is no game hoiana-tiger-2024. Choose one of: hoiana-tiger-2024/commission, "
            "hoiana-tiger-2024/non-commission.",
        ),
        (
            ["mbs-tiger", *HAND],
            "There is no game mbs-tiger. Perhaps mbs-tiger-v3 is meant.",
        ),
        (
            ["chess", *HAND],
            "There is no game chess. Choose one of: mbs-tiger-nc-v4, mbs-tiger-v3, "
            "mbs-dragon-tiger-nc-2023, mbs-super-six-etg-v3, hoiana-tiger-2024/commission, "
            "hoiana-tiger-2024/non-commission.",
        ),
        (["mbs-tiger-v3"], "No cards are given. Give --cards with the cards in draw order, or --file."),
        (
            ["mbs-tiger-v3", "--cards", "10 A K 2 5"],
            "Cards given: 5, but the Banker hand must take another. Add it. (3.15.T5)",
        ),
        (
            ["mbs-tiger-v3", "--cards", "10 A K"],
            "Cards given: 3, but the Banker hand must take another. Add it. (3.13)",
        ),
        (
            ["mbs-tiger-v3", "--cards", ""],
            "Cards given: 0, but the Player hand must take another. Add it. (3.13)",
        ),
        (
            ["mbs-tiger-v3", "--cards", "10 A K 2 5 3 4"],
            "Cards given: 7, but the round ends after 6. Leave out the rest. (3.15.T5)",
        ),
        (
            ["mbs-tiger-v3", "--cards", "10 A K 1 5 3"],
            "Card 4 is not a card: 1. Write it like 10, 10H, Th or K♠.",
        ),
        (
            ["mbs-tiger-v3", *HAND, "--wager", "super-six=10"],
            "mbs-tiger-v3 does not offer the wager super-six. It offers: player, banker, tie, tiger, "
            "big-tiger, small-tiger, tiger-pair, tiger-tie. (3.5)",
        ),
        (
            ["mbs-tiger-v3", *HAND, "--wager", "banker=0"],
            "The stake 0.00 on banker is not above zero. Give a positive amount.",
        ),
        (
            ["mbs-tiger-v3", *HAND, "--wager", "banker=-5"],
            "The stake -5.00 on banker is not above zero. Give a positive amount.",
        ),
        (
            ["mbs-tiger-v3", *HAND, "--wager", "banker=0.005"],
            "The stake 0.005 on banker is not an exact amount. Give a plain number in steps of 0.01.",
        ),
        (
            ["mbs-tiger-v3", *HAND, "--wager", "banker=1e3"],
            "The stake 1e3 on banker is not an exact amount. Give a plain number in steps of 0.01.",
        ),
        (
            ["mbs-tiger-v3", *HAND, "--wager", "banker=99999999999999999999"],
            "The stake 99999999999999999999 on banker is not an exact amount. "
            "Give a plain number in steps of 0.01.",
        ),
        (
            ["mbs-tiger-v3", *HAND, "--wager", "banker"],
            "banker is no wager with a stake. Write it as WAGER=STAKE, for example banker=100.",
        ),
        (
            ["mbs-tiger-v3", *HAND, "--wager", "banker=1", "--wager", "banker=2"],
            "The wager banker is given twice. Add the stakes up.",
        ),
        (
            ["mbs-tiger-v3", *HAND, "--file", "hands.jsonl"],
            "Both --file and --cards or --wager are given. Give one of the two.",
        ),
    ],
)
def test_bad_input_is_exit_2_and_says_what_to_do(
    arguments: list[str], complaint: str, capsys: Printed
) -> None:
    assert run(["settle", *arguments, "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"thirdcard: {complaint}\n"


def write(folder: Path, *lines: str) -> str:
    file = folder / "hands.jsonl"
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def test_a_file_is_settled_line_by_line_in_order(tmp_path: Path, capsys: Printed) -> None:
    file = write(
        tmp_path,
        '{"cards": ["9", "2", "K", "5"], "wagers": {"player": "100"}}',
        "",
        '{"cards": ["2", "K", "3", "6", "K"], "wagers": {"banker": "25", "tiger": 10}}',
    )
    assert run(["settle", "mbs-tiger-nc-v4", "--file", file, "--json"]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["wagers"]["player"]["net"] == "100.00"
    assert {name: each["paid"] for name, each in second["wagers"].items()} == {
        "banker": "12.50",
        "tiger": "120.00",
    }


def test_a_file_for_people_is_one_line_a_hand(tmp_path: Path, capsys: Printed) -> None:
    file = write(tmp_path, '{"cards": ["9", "2", "K", "5"], "wagers": {"player": "100", "tie": "5"}}')
    assert run(["settle", "mbs-tiger-nc-v4", "--file", file]) == 0
    assert capsys.readouterr().out == "player 9-7 player 100.00, tie -5.00\n"


def test_bad_lines_are_named_and_nothing_is_printed(tmp_path: Path, capsys: Printed) -> None:
    file = write(
        tmp_path,
        '{"cards": ["9", "2", "K", "5"], "wagers": {"player": "100"}}',
        '{"cards": ["9", "2", "K"], "wagers": {}}',
        "nonsense",
        '{"cards": ["9", "2", "K", "5"], "wagers": {"player": 1.5}}',
        '{"cards": ["9", "2", "K", "5"], "wagers": {}, "seat": 3}',
        "[" * 20_000,
        '{"wagers": {}}',
        '{"cards":',
    )
    assert run(["settle", "mbs-tiger-nc-v4", "--file", file, "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    complaints = printed.err.splitlines()
    assert complaints[0] == (
        "thirdcard: hands.jsonl, line 2: "
        "Cards given: 3, but the Banker hand must take another. Add it. (3.12)"
    )
    form = 'Write a hand like {"cards": ["9", "2", "K", "5"], "wagers": {"player": "100"}}.'
    assert complaints[1:] == [
        f"thirdcard: hands.jsonl, line 3: This is not JSON. {form}",
        f"thirdcard: hands.jsonl, line 4: Expected a whole number or text, got a decimal number. {form}",
        f"thirdcard: hands.jsonl, line 5: There is no key seat here. {form}",
        f"thirdcard: hands.jsonl, line 6: Expected a table, got a list. {form}",
        f"thirdcard: hands.jsonl, line 7: The key cards is missing. {form}",
        f"thirdcard: hands.jsonl, line 8: This is not JSON. {form}",
    ]


def test_a_file_without_hands_says_so_to_people_only(tmp_path: Path, capsys: Printed) -> None:
    file = write(tmp_path, "", " ")
    assert run(["settle", "mbs-tiger-nc-v4", "--file", file]) == 0
    assert capsys.readouterr().out == "hands.jsonl holds no hands.\n"
    assert run(["settle", "mbs-tiger-nc-v4", "--file", file, "--json"]) == 0
    assert capsys.readouterr().out == ""


def test_a_missing_file_is_named(tmp_path: Path, capsys: Printed) -> None:
    missing = tmp_path / "none.jsonl"
    assert run(["settle", "mbs-tiger-nc-v4", "--file", str(missing)]) == 2
    assert (
        capsys.readouterr().err
        == f"thirdcard: {missing} cannot be read: No such file or directory. Check the path.\n"
    )
