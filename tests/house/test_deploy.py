"""The files in deploy/ name only options, variables, metrics and files that there are."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from thirdcard.cli import app
from thirdcard.server.metrics import Metrics

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text("utf-8")
UNIT = DEPLOY / "thirdcard.service"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
OPENING = (ROOT / "src" / "thirdcard" / "streams" / "opening.py").read_text("utf-8")
KNOWN = {
    *re.findall(r"THIRDCARD_[A-Z_]+", (ROOT / "docs" / "cli.md").read_text("utf-8")),
    *re.findall(r"THIRDCARD_[A-Z]+", OPENING),
}
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_variable_of_ours_is_one_that_is_read(path: Path) -> None:
    named = set(re.findall(r"THIRDCARD_[A-Z_]+", path.read_text("utf-8")))
    assert named - KNOWN == set()


def understood(words: list[str]) -> None:
    """A command line that is taken as it stands."""
    _, _, ignored = app.parse_args(words, exit_on_error=False, print_error=False)
    assert not ignored


def test_every_command_is_understood() -> None:
    understood(json.loads(re.findall(r"^CMD (\[.+\])$", CONTAINERFILE, re.MULTILINE)[-1]))
    understood(
        re.findall(r"^ExecStart=\S+/thirdcard (.+)$", UNIT.read_text("utf-8"), re.MULTILINE)[0].split()
    )
    for service in COMPOSE["services"].values():
        if service.get("image") == "thirdcard" and "command" in service:
            understood(service["command"])


def test_the_container_file_copies_what_is_there_and_installs_what_is_offered() -> None:
    instructions = re.findall(r"^([A-Z]+) ", CONTAINERFILE, re.MULTILINE)
    assert set(instructions) <= {
        *("FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK"),
        *("ENTRYPOINT", "CMD"),
    }
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = re.findall(r"(?:\.|thirdcard)\[([\w,]+)\]", CONTAINERFILE)
    built, installed = (set(each.split(",")) for each in named)
    assert built == installed <= set(extras)
    assert {"reports", "export"} <= installed  # or nobody there has a workbook or a PDF
    kept = json.loads(re.findall(r"^VOLUME (\[.+\])$", CONTAINERFILE, re.MULTILINE)[0])
    for name in ("DATA", "ARCHIVE", "MARKS"):
        assert re.findall(rf"THIRDCARD_{name}=(\S+)", CONTAINERFILE)[0] in kept
    key = Path(re.findall(r"THIRDCARD_KEYS=(\S+)", CONTAINERFILE)[0])
    assert str(key.parent) in kept
    assert "USER thirdcard" in CONTAINERFILE  # never as root


def test_the_compose_file_hangs_together() -> None:
    services, volumes = COMPOSE["services"], COMPOSE["volumes"]
    for service in services.values():
        for name in service.get("depends_on", {}):
            assert name in services
        for secret in service.get("secrets", []):
            assert secret in COMPOSE["secrets"]
        for volume in service.get("volumes", []):
            source = re.sub(r"\$\{\w+:-(.+?)\}", r"\1", volume).split(":")[0]
            assert source in volumes or (DEPLOY / source).exists(), volume
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:")  # nobody else reaches it before somebody says so
    inside = {
        volume.split(":")[1] for volume in services["floor"]["volumes"] if volume.split(":")[0] in volumes
    }
    kept = set(json.loads(re.findall(r"^VOLUME (\[.+\])$", CONTAINERFILE, re.MULTILINE)[0]))
    assert inside == kept - {"/var/lib/thirdcard/floor"}  # the journal is in the database


def metrics_in(expression: str) -> set[str]:
    return set(re.findall(r"\bthirdcard_\w+", expression))


def test_every_metric_that_is_asked_for_is_counted() -> None:
    told = Metrics(list).text().decode()
    counted = set(re.findall(r"^# TYPE (\w+) ", told, re.MULTILINE))
    counted |= {f"{name}_bucket" for name in counted}
    dashboard: dict[str, Any] = json.loads(
        (DEPLOY / "grafana" / "dashboards" / "floor.json").read_text("utf-8")
    )
    alerts = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked += [rule["expr"] for group in alerts["groups"] for rule in group["rules"]]
    assert len(asked) > 10
    for expression in asked:
        assert metrics_in(expression) <= counted, expression
        assert expression.count("(") == expression.count(")")


def test_prometheus_asks_the_server_of_the_compose_file() -> None:
    asked = yaml.safe_load((DEPLOY / "prometheus.yaml").read_text("utf-8"))["scrape_configs"][0]
    host, _, port = asked["static_configs"][0]["targets"][0].partition(":")
    assert host in COMPOSE["services"]
    assert f"EXPOSE {port}" in CONTAINERFILE
    source = (DEPLOY / "grafana" / "provisioning" / "datasources" / "prometheus.yaml").read_text("utf-8")
    assert yaml.safe_load(source)["datasources"][0]["uid"] == "prometheus"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    text = UNIT.read_text("utf-8").replace("/opt/thirdcard/bin/thirdcard", sys.executable)
    unit.write_text(text, "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
