"""Every option has a variable of the environment, as containers and services need them."""

from pathlib import Path

import pytest

from thirdcard.cli import app, run
from thirdcard.streams.opening import place

Printed = pytest.CaptureFixture[str]
CLI_PAGE = Path(__file__).parent.parent.parent / "docs" / "cli.md"


def test_every_option_of_the_page_names_its_variable() -> None:
    options = [line for line in CLI_PAGE.read_text("utf-8").splitlines() if line.startswith("* `--")]
    assert len(options) > 100
    assert [line for line in options if "`, `THIRDCARD_" not in line] == []
    assert "* `--tls-cert PATH`, `THIRDCARD_SERVE_TLS_CERT`: " in CLI_PAGE.read_text("utf-8")


def test_options_come_from_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THIRDCARD_SERVE_LISTEN", "0.0.0.0:1")
    monkeypatch.setenv("THIRDCARD_SERVE_PROXY", "10.0.0.0/8 192.168.0.0/16")
    monkeypatch.setenv("THIRDCARD_SERVE_TLS_CERT", "/etc/floor.pem")
    monkeypatch.setenv("THIRDCARD_SERVE_LOG_JSON", "true")
    _, bound, _ = app.parse_args(["serve"], exit_on_error=False, print_error=False)
    given = bound.arguments
    assert given["listen"] == "0.0.0.0:1"
    assert given["proxy"] == ("10.0.0.0/8", "192.168.0.0/16")
    assert (given["tls_cert"], given["log_json"]) == (Path("/etc/floor.pem"), True)
    _, bound, _ = app.parse_args(["serve", "--listen", "h:2"], exit_on_error=False, print_error=False)
    assert bound.arguments["listen"] == "h:2"


def test_a_command_with_a_hyphen_has_variables_that_a_shell_can_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BY", "Eve"), ("SECOND", "Gil"), ("REASON", "why")):
        monkeypatch.setenv(f"THIRDCARD_ACCEPT_RESTORE_{name}", value)
    _, bound, _ = app.parse_args(["accept-restore"], exit_on_error=False, print_error=False)
    assert bound.arguments["by"] == "Eve"


def test_a_variable_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Printed) -> None:
    monkeypatch.setenv("THIRDCARD_SERVE_DEMO", "maybe")
    assert run(["serve"]) == 2
    assert "THIRDCARD_SERVE_DEMO takes true or false, and not maybe." in capsys.readouterr().err


def test_the_database_of_the_surroundings_holds_for_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THIRDCARD_POSTGRES", "postgresql://role@host/floor")
    assert place().address == "host/floor"
    assert place(data=Path("here")).postgres is None  # a folder that is named comes first
    assert place(demo=True).postgres is None
