"""What stands in deploy/ is right: files that parse, commands and settings that there are, alarms that are explained."""

import re
import shlex
from configparser import ConfigParser
from typing import Any

import pytest
import typer
import yaml

from bot.cli.main import app
from bot.config.settings import Settings
from tests.docs.pages import ROOT, Page
from tests.unit.telemetry.test_prometheus import counted

DEPLOY = ROOT / "deploy"
PAGE = Page("docs/operations.md")
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
SETTINGS = {str(field.validation_alias) for field in Settings.model_fields.values() if field.validation_alias}
SETTINGS |= {f"{name}_FILE" for name in SETTINGS}
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
BOTS = {name: service for name, service in COMPOSE["services"].items() if name != "database"}
ALARMS = [rule for group in yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"] for rule in group["rules"]]
METRICS = set(re.findall(r"^# TYPE (baku_\w+) ", counted().page(None, 0).decode(), re.MULTILINE))


class Unit(ConfigParser):
    """A systemd unit; what may stand there several times comes as lines."""

    def __init__(self, text: str) -> None:
        super().__init__(interpolation=None, strict=False)
        self.optionxform = str  # type: ignore[assignment,method-assign] # so the library says to keep capitals
        self.read_string(text)
        self.environment = dict(re.findall(r"^Environment=(\w+)=(.*)$", text, re.MULTILINE))


def check(words: list[str]) -> None:
    """Take a command line as `baku` does, without doing what it says. Raises for what it would refuse."""
    assert words[0].endswith("baku")
    command, rest = typer.main.get_command(app), words[1:]
    while rest and not rest[0].startswith("-"):
        command, rest = command.commands[rest[0]], rest[1:]  # type: ignore[attr-defined] # a group of commands has them
    command.make_context("baku", rest)


@pytest.mark.parametrize("name", BOTS)
def test_a_service_of_the_compose_file_runs_a_command_with_settings_that_there_are(name: str) -> None:
    service = BOTS[name]

    check(service["command"])
    assert {key for key in service["environment"] if key not in SETTINGS} == set()
    assert set(service["secrets"]) <= COMPOSE["secrets"].keys()
    assert set(service["depends_on"]) <= COMPOSE["services"].keys()


def test_the_compose_file_has_every_part_of_a_bot_and_keeps_the_database() -> None:
    roles = {service["command"][-1] for service in BOTS.values()}

    assert {"gateway", "worker", "scheduler", "migrate"} == roles
    assert {volume.partition(":")[0] for volume in COMPOSE["services"]["database"]["volumes"]} == COMPOSE["volumes"].keys()


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_runs_a_command_with_settings_that_there_are(path: Any) -> None:
    unit = Unit(path.read_text())

    assert unit.sections() == ["Unit", "Service", "Install"]
    check(shlex.split(unit["Service"]["ExecStart"]))
    assert {name for name in unit.environment if name not in SETTINGS} == set()
    assert int(unit["Service"]["TimeoutStopSec"]) > 20


def test_an_alarm_asks_for_metrics_that_there_are_and_is_explained() -> None:
    asked = {name for rule in ALARMS for name in re.findall(r"baku_\w+", rule["expr"])}
    families = {re.sub(r"_(bucket|count|sum|total)$", "", name) for name in METRICS}

    assert {name for name in asked if re.sub(r"_(bucket|count|sum|total)$", "", name) not in families} == set()
    assert [rule["alert"] for rule in ALARMS] == re.findall(r"^\| `(Baku\w+)` ", PAGE.text, re.MULTILINE)


def test_the_page_tells_what_each_metric_means() -> None:
    assert set(re.findall(r"^\| `(baku_\w+)`", PAGE.text, re.MULTILINE)) == METRICS
