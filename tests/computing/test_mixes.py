"""Mixes of wagers from Python and at the command line: together, hold, ruin, and the cost of other rules."""

import csv
import io
import json
from fractions import Fraction

import pytest

import thirdcard as tc
from thirdcard.cli import run

Printed = pytest.CaptureFixture[str]
MIX = ("--wager", "banker=100", "--wager", "tiger=10")


def answer(capsys: Printed, *words: str) -> str:
    assert run(list(words)) == 0
    return capsys.readouterr().out


def test_wagers_together() -> None:
    found = tc.game("mbs-tiger-v3").together()
    assert found.found.covariances["banker", "player"] < 0
    assert found.correlation("banker", "player") == pytest.approx(-1.0, abs=0.01)
    assert found.correlation("tiger", "tiger") == pytest.approx(1)
    assert len(found.to_frame()) == 64


def test_hold_and_ruin_of_a_mix() -> None:
    """1.0579 per cent of 100 and 16.6836 per cent of 10 are 2.7263 a round."""
    game = tc.game("mbs-tiger-v3")
    held = game.hold({"banker": 100, "tiger": 10}, [70, 5000])
    assert held.holds[0].mean == pytest.approx(70 * 2.72626, rel=1e-4)
    assert held.holds[0].loses > held.holds[1].loses > 0
    assert game.hold({"banker": 1}, 1).holds[0].loses == pytest.approx(0.45859742)
    ended = game.ruin({"banker": 100}, 100, 1)
    assert ended.ruin.ruined == pytest.approx(0.44624661), "the first round is lost"
    assert ended._repr_html_().count("<tr>") == 2


def test_the_cost_of_other_rules_and_of_another_reading() -> None:
    tiger = tc.game("mbs-tiger-v3").compare(tc.game("mbs-tiger-nc-v4"))
    one, other = tiger.edges["banker"]
    assert one is not None
    assert other is not None
    assert round(float(100 * (other - one)), 4) == 0.4002
    game = "mbs-super-six-etg-v3"
    read = tc.game(game).compare(tc.game(game, readings=["AMB-01=a"])).to_dict()
    assert read["wagers"]["player-pair"]["change"]["edge_percent"] == pytest.approx(-42.706, abs=0.001)
    assert read["wagers"]["tie"]["change"]["edge"] == "0/1"


def test_a_wager_that_one_game_lacks_has_no_edge_there() -> None:
    found = tc.game("mbs-tiger-v3").compare(tc.game("mbs-super-six-etg-v3"))
    assert found.edges["super-six"][0] is None
    assert found.to_dict()["wagers"]["super-six"]["left"] is None


def test_the_commands_tell_people_and_programs(capsys: Printed) -> None:
    game = "mbs-tiger-v3"
    assert "House loses" in answer(capsys, "odds", "hold", game, *MIX, "--rounds", "70")
    told = json.loads(answer(capsys, "odds", "hold", game, *MIX, "--rounds", "70", "--json"))
    assert told["stakes"] == {"banker": 100, "tiger": 10}
    ruin = ("odds", "ruin", game, *MIX, "--bankroll", "5000", "--rounds", "50", "--goal", "10000")
    assert "Goal reached" in answer(capsys, *ruin)
    (line,) = csv.DictReader(io.StringIO(answer(capsys, *ruin, "--csv")))
    assert sum(Fraction(line[name]) for name in ("ruined", "reached", "still")) == pytest.approx(1)
    assert "+0.8600" in answer(capsys, "odds", "together", game)
    diff = ("rules", "diff", game, "mbs-tiger-nc-v4", "--edge")
    assert "0.4002" in answer(capsys, *diff)
    assert len(answer(capsys, *diff, "--csv").splitlines()) == 9


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("odds", "hold", "mbs-tiger-v3", "--wager", "banker"), "banker"),
        (("odds", "hold", "mbs-tiger-v3", "--wager", "banker=x"), "x is no amount."),
        (("odds", "hold", "mbs-tiger-v3", "--wager", "tie=1", "--wager", "tie=2"), "tie"),
        (("odds", "hold", "mbs-tiger-v3", "--wager", "tie=1", "--rounds", "0"), "0 is no number of rounds."),
        (("odds", "ruin", "mbs-tiger-v3", "--wager", "tie=5", "--bankroll", "1", "--rounds", "9"), "pay one"),
        (("rules", "diff", "mbs-tiger-v3", "mbs-tiger-nc-v4", "--csv"), "Add --edge."),
    ],
)
def test_a_command_says_what_to_change(words: tuple[str, ...], sentence: str, capsys: Printed) -> None:
    assert run(list(words)) == 2
    assert sentence in capsys.readouterr().err
