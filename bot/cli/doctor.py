"""Saying what is set up, what is missing and how to mend it."""

import asyncio
from collections.abc import Sequence

from rich.text import Text

from bot.cli.called import as_called
from bot.cli.checks import (
    check_database,
    check_discord,
    check_embedder,
    check_model,
    check_names,
    check_persona_files,
    check_python,
    check_settings,
    check_telegram,
    check_web,
)
from bot.cli.health import Check, Health
from bot.cli.logs import without_secrets
from bot.cli.output import show, table
from bot.cli.plugin_checks import check_plugins
from bot.config.loading import load_settings
from bot.config.settings import Settings
from bot.errors import ConfigError

_STYLES = {Health.GOOD: "green", Health.UNUSED: "dim", Health.OFF: "yellow", Health.BROKEN: "bold red"}


def examine(*, db: str | None) -> bool:
    """Print what was found; False when something is broken."""
    try:
        settings = load_settings(db=db)
    except ConfigError as problem:
        _show([check_python(), *(Check(Health.BROKEN, "settings", line) for line in str(problem).splitlines())])
        return False
    checks = asyncio.run(_checks(settings))
    _show(checks, settings.secrets())
    return all(check.health is not Health.BROKEN for check in checks)


async def _checks(settings: Settings) -> Sequence[Check]:
    return [
        check_python(),
        *check_settings(),
        await check_database(settings),
        check_persona_files(settings),
        await check_model(settings),
        check_names(settings),
        await check_embedder(settings),
        await check_discord(settings),
        await check_telegram(settings),
        check_web(settings),
        *check_plugins(settings),
    ]


def _show(checks: Sequence[Check], secrets: Sequence[str] = ()) -> None:
    shown = table("", "", "")
    shown.show_header = False
    for check in checks:
        finding = Text(_told(check.finding, secrets))
        if check.remedy:
            finding.append(f"\n→ {_told(check.remedy, secrets)}", style="dim")
        shown.add_row(Text(check.health, style=_STYLES[check.health]), Text(check.subject, style="bold"), finding)
    show(shown)


def _told(text: str, secrets: Sequence[str]) -> str:
    return as_called(without_secrets(text, secrets))
