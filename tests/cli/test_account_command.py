"""``thirdcard account``: a service account made on the machine, listed, and revoked."""

import json
from pathlib import Path

import pytest
from cli.test_floor_commands import Floor

LINE = "thirdcard-"


@pytest.fixture
def floor(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Floor:
    """A floor in an empty folder."""
    return Floor(tmp_path, capsys, monkeypatch)


def test_an_account_is_made_shown_once_listed_and_revoked(floor: Floor) -> None:
    made = ("account", "add", "Prometheus", "--scope", "metrics", "--scope", "tables", "--days", "90")
    status, out, err = floor(*made)
    assert (status, err) == (0, "")
    said, secret = out.splitlines()
    assert said.startswith("The service account Prometheus is made, and lasts until ")
    assert secret.startswith(LINE)
    listed = floor("account", "list")[1]
    assert "tables, metrics" in listed
    assert "command line" in listed
    assert secret not in listed
    assert secret.encode() not in b"".join(
        each.read_bytes() for each in floor.data.iterdir() if each.is_file()
    )
    again = floor(*made)
    assert again[0] == 1
    assert "The name Prometheus cannot be used" in again[2]
    revoke = ("account", "revoke", "Prometheus", "--reason", "moved")
    assert floor(*revoke) == (0, "The service account Prometheus is over.\n", "")
    assert "over: moved" in floor("account", "list")[1]
    assert floor(*revoke)[0] == 1


def test_a_floor_without_accounts_says_so(floor: Floor) -> None:
    floor.add("Dana", "dealer")
    assert floor("account", "list")[1].startswith("There is no service account yet.")


def test_an_account_can_be_made_for_a_script(floor: Floor) -> None:
    status, out, _ = floor("account", "add", "Cage", "--scope", "credits", "--days", "7", "--json")
    made = json.loads(out)
    assert status == 0
    assert made["secret"].startswith(LINE)
    (listed,) = json.loads(floor("account", "list", "--json")[1])
    assert listed == {name: value for name, value in made.items() if name != "secret"}
    assert (listed["scopes"], listed["by"], listed["second"]) == (["credits"], "command line", None)


def test_a_scope_that_there_is_not_and_too_many_days_are_refused(floor: Floor) -> None:
    status, _, err = floor("account", "add", "Cage", "--scope", "money", "--days", "7")
    assert status == 2
    assert "Choose from: TABLES, RECORDS, CREDITS, CARDS, METRICS." in err
    status, _, err = floor("account", "add", "Cage", "--scope", "credits", "--days", "367")
    assert status == 1
    assert err == (
        "thirdcard: A service account has at least one scope of tables, records, credits, cards, metrics, "
        "and lasts 1 to 366 days.\n"
    )
