"""`thirdcard serve` as an operator starts it: what it prints, answers and logs, its end and its backup."""

import json
import os
import re
import signal
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from limits import LONG_ENOUGH
from server.test_exposure import self_signed

from thirdcard.cli import run

pytestmark = pytest.mark.timed

THIRDCARD = str(Path(sys.executable).with_name("thirdcard"))
GAMES = 6
PASSWORD = "one more card"
Printed = pytest.CaptureFixture[str]


class Floor:
    """A server in a folder, and what it printed and logged."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.data = folder / "data"
        self.log = folder / "log"
        places = ("--data", str(self.data), "--key", str(folder / "keys" / "floor.keys"))
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [THIRDCARD, "serve", *places, "--listen", "127.0.0.1:0", *options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()
        found = re.search(r"https?://127\.0\.0\.1:\d+/", self.first)
        assert found, (self.first, self.log.read_text())
        self.address = found[0]

    def ask(
        self,
        path: str,
        form: object = None,
        more: dict[str, str] | None = None,
        trusts: ssl.SSLContext | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        """Ask for something; the status, the headers and the content of the answer."""
        body = None if form is None else json.dumps(form).encode()
        headers = {"x-thirdcard": "any", "content-type": "application/json", **(more or {})}
        request = urllib.request.Request(self.address + path, data=body, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=LONG_ENOUGH, context=trusts) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, dict(error.headers), error.read()

    def json(self, path: str) -> Any:
        """The answer of a path."""
        status, _, content = self.ask(path)
        assert status == 200, content
        return json.loads(content)

    def end(self) -> str:
        """Ask it to stop; what else it had printed."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.stdout is not None
        rest = self.process.stdout.read()
        assert self.process.wait(LONG_ENOUGH) == 0
        self.process.stdout.close()
        return rest


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A demonstration that runs on."""
    yield from demonstration(tmp_path_factory.mktemp("running"))


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    """A demonstration that may be ended."""
    yield from demonstration(tmp_path)


def demonstration(folder: Path, *options: str) -> Iterator[Floor]:
    floor = Floor(folder, "--demo", "--log-json", *options)
    yield floor
    if floor.process.poll() is None:
        floor.process.kill()
        floor.process.communicate()


def thirdcard(capsys: Printed, *tokens: str) -> tuple[int, str]:
    status = run(list(tokens))
    printed = capsys.readouterr()
    return status, printed.out + printed.err


def test_a_demonstration_is_open_says_who_can_sign_in_and_keeps_secrets_out_of_its_log(floor: Floor) -> None:
    assert floor.json("ready")["stopped"] == []
    assert floor.json("health")["version"]
    tables = floor.json("api/v1/tables")["tables"]
    automatic = [each for each in tables if not each["table"].startswith("felt-")]
    assert len({each["game"] for each in automatic}) == GAMES == len(automatic) - 1  # and a fast one
    status, headers, page = floor.ask("")
    assert status == 200
    assert b"<script" in page
    assert "'unsafe" not in headers["content-security-policy"]

    for name in ("dealer", "hunter2hunter2"):  # a password, typed into the field of the name
        wrong = {"credentials": {"name": name, "password": "not that one"}}
        assert floor.ask("api/v1/sign-in", wrong)[0] == 401
    status, headers, _ = floor.ask(
        "api/v1/sign-in", {"credentials": {"name": "dealer", "password": PASSWORD}}
    )
    assert status == 200
    token = headers["set-cookie"].partition("=")[2].partition(";")[0]
    assert {"HttpOnly", "SameSite=Strict"} <= {each.strip() for each in headers["set-cookie"].split(";")}

    printed = floor.end()
    assert all(name in printed for name in ("dealer", "pit-manager", "auditor", PASSWORD))
    log = floor.log.read_text()
    lines = [json.loads(line) for line in log.splitlines()]
    assert {"at", "level", "logger", "message"} <= set.intersection(*map(set, lines))
    told = [each["message"] for each in lines if each["message"] != "the record was checked"]  # at any time
    assert [told[0], *told[-2:]] == ["up", "asked to stop", "stopped"]
    assert lines[0]["address"] == floor.address
    refused = [each for each in lines if each["message"] == "sign-in refused"]
    assert [each.get("name") for each in refused] == ["dealer", None]
    assert {each["address"] for each in refused} == {"127.0.0.1"}
    assert not any(secret in log for secret in (token, PASSWORD, "not that one", "hunter2hunter2"))


def test_its_api_is_described_and_can_be_read_without_a_network(running: Floor) -> None:
    document = running.json("api/v1/openapi.json")
    assert document["openapi"].startswith("3.1.")
    assert "/api/v1/tables/{table}/commands" in document["paths"]
    status, _, page = running.ask("api/v1/docs")
    assert status == 200
    links = re.findall(rb'(?:src|href)="([^"#]+)"', page)
    assert links
    for link in links:
        assert link.startswith(b"/"), link
        assert running.ask(link.decode().lstrip("/"))[0] == 200, link
    status, _, metrics = running.ask("metrics")
    assert status == 200
    assert b"thirdcard_commands_total" in metrics


def test_its_metrics_tell_of_every_table(running: Floor) -> None:
    lines = running.ask("metrics")[2].decode().splitlines()
    for name in ("records_total", "rounds_total", "watchers", "alerts", "disputes", "stopped"):
        told = [line for line in lines if line.startswith(f'thirdcard_table_{name}{{table="super-six"}}')]
        assert len(told) == 1, name
    records = float(next(line for line in lines if "table_records_total{" in line).split()[-1])
    assert records > 0


def test_a_monitor_elsewhere_reads_the_metrics_with_its_token(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("0123456789abcdef\n")
    for floor in demonstration(tmp_path, "--metrics-token", str(token)):
        elsewhere = {"x-forwarded-for": "203.0.113.9"}  # not from this machine itself
        assert floor.ask("metrics", more=elsewhere)[0] == 401
        shown = {**elsewhere, "authorization": "Bearer 0123456789abcdef"}
        assert floor.ask("metrics", more=shown)[0] == 200
        assert floor.ask("api/v1/audit/floor/records", more=shown)[0] == 401
        wrong = {**elsewhere, "authorization": "Bearer 0123456789abcdeg"}
        assert floor.ask("metrics", more=wrong)[0] == 401


def test_it_serves_over_tls_with_a_certificate(tmp_path: Path) -> None:
    tls = self_signed(tmp_path)
    options = ("--tls-cert", str(tls.cert), "--tls-key", str(tls.key))
    for floor in demonstration(tmp_path, *options):
        assert floor.address.startswith("https://")
        trusts = ssl.create_default_context(cafile=tls.cert)
        trusts.check_hostname = False
        form = {"credentials": {"name": "dealer", "password": PASSWORD}}
        status, headers, _ = floor.ask("api/v1/sign-in", form, trusts=trusts)
        assert status == 200
        assert headers["set-cookie"].startswith("__Host-thirdcard-staff=")
        assert "Secure" in headers["set-cookie"]
        assert "strict-transport-security" in headers


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is warned")
def test_root_is_warned_on_the_screen_and_in_the_log(floor: Floor) -> None:
    assert "runs as root" in floor.end()
    assert "runs as root" in floor.log.read_text()


def test_it_is_backed_up_while_it_runs_and_restored_elsewhere(
    running: Floor, tmp_path: Path, capsys: Printed
) -> None:
    backup, elsewhere = tmp_path / "backup.sqlite", tmp_path / "elsewhere"
    status, said = thirdcard(capsys, "backup", str(backup), "--data", str(running.data))
    assert status == 0, said
    another = [THIRDCARD, "serve", "--data", str(running.data), "--listen", "127.0.0.1:0"]
    done = subprocess.run(another, check=False, capture_output=True, text=True, timeout=LONG_ENOUGH)
    assert done.returncode == 2
    assert "in use by a running server" in done.stderr
    status, said = thirdcard(capsys, "restore", str(backup), "--data", str(elsewhere))
    assert status == 0, said
    status, said = thirdcard(capsys, "restore", str(backup), "--data", str(elsewhere))
    assert status == 2, said
    status, said = thirdcard(capsys, "audit", "verify", "--data", str(elsewhere))
    assert status == 0, said


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--listen", "nonsense"], "--listen wants HOST:PORT"),
        (["--listen", "127.0.0.1:99999"], "--listen"),
        (
            ["--data", "here", "--postgres", "postgresql://x@localhost/x"],
            "A folder and a database are both given",
        ),
        (["--floor", "nowhere.toml"], "nowhere.toml"),
        (["--tls-cert", "cert.pem"], "--tls-cert and --tls-key belong together"),
        (["--tls-cert", "cert.pem", "--tls-key", "key.pem"], "The certificate cannot be used: cert.pem"),
        (["--metrics-token", "nowhere.token"], "nowhere.token"),
        (["--metrics-token", "short.token"], "short.token has no token for the metrics"),
    ],
    ids=["listen", "port", "two-stores", "floor", "half-tls", "tls", "no-token", "short-token"],
)
def test_bad_input_says_what_to_do(
    options: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("short.token").write_text("guess")
    status, said = thirdcard(capsys, "serve", *options)
    assert status == 2
    assert sentence in said
    assert "Traceback" not in said
