"""Serving the chat platforms."""

from collections.abc import Collection

import structlog

from bot import __version__
from bot.app.build import serving_app
from bot.cli.logs import configure_logging
from bot.cli.loop import run_until_stopped
from bot.config.core import LogLevel
from bot.config.loading import load_settings, settings_warnings
from bot.domain.role import ALL_ROLES, Role
from bot.errors import LoginRefused

log = structlog.get_logger(__name__)


def serve(*, db: str | None, roles: Collection[Role] = ALL_ROLES, shards: str = "") -> None:
    """Do the roles' part for every platform that has a token, until the process is asked to stop."""
    settings = load_settings(db=db)
    configure_logging(settings.log_level or LogLevel.INFO, settings.secrets())
    for warning in settings_warnings():
        log.warning("settings_doubtful", problem=warning)
    app, services = serving_app(settings, roles=roles, shards=shards)

    async def run() -> None:
        async with app:
            log.info(
                "started",
                version=__version__,
                platforms=sorted(app.platforms),
                plugins=app.plugins.names,
                personas=len(app.personas.by_id),
                roles=sorted(role.value for role in roles),
            )
            await app.run(*services)
        raise LoginRefused("No platform took its token; the lines above say why. Put valid ones into .env and start again.")

    run_until_stopped(run())
    log.info("stopped")
