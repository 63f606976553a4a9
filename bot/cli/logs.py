"""The log: to stderr, for people on a terminal and as JSON lines elsewhere, without secrets and without other people's chatter."""

import json
import logging
import sys
from collections.abc import Sequence
from typing import TextIO
from urllib.parse import quote

import structlog
from structlog.typing import Processor
from typing_extensions import override

from bot.config import LogLevel

REDACTED = "***"
OURS = ("bot.", "baku_plugin_")
"""How the loggers of the bot and of the plugins in its folder begin."""


def configure_logging(level: LogLevel, secrets: Sequence[str] = ()) -> None:
    """Send all logs to stderr. Ours from `level` on; other libraries' only from warning on, for they log addresses and messages."""
    added: list[Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *added, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = _StderrHandler()
    handler.setFormatter(_RedactingFormatter(added, secrets, for_people=sys.stderr.isatty()))
    handler.addFilter(_is_ours_or_a_warning)
    logging.basicConfig(handlers=[handler], level=logging.getLevelName(level.upper()), force=True)


def _is_ours_or_a_warning(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING or record.name.startswith(OURS)


class _StderrHandler(logging.StreamHandler[TextIO]):
    """Writes to what is stderr at the time, which a prompt may have replaced."""

    @property
    def stream(self) -> TextIO:
        return sys.stderr

    @stream.setter
    def stream(self, _: TextIO) -> None:
        pass


class _RedactingFormatter(structlog.stdlib.ProcessorFormatter):
    """Takes secrets out of the finished line, wherever in it they stand and however they are written there."""

    def __init__(self, added: Sequence[Processor], secrets: Sequence[str], *, for_people: bool) -> None:
        rendering: list[Processor] = (
            [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
            if for_people
            else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
        )
        super().__init__(foreign_pre_chain=list(added), processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering])
        self._forms = sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)

    @override
    def format(self, record: logging.LogRecord) -> str:
        line = super().format(record)
        for form in self._forms:
            line = line.replace(form, REDACTED)
        return line


def _forms(secret: str) -> tuple[str, ...]:
    """Return how a secret may be written: as it is, in an address, in JSON, in Python."""
    in_json = json.dumps(secret, ensure_ascii=False)[1:-1]
    return secret, quote(secret, safe=""), in_json, json.dumps(secret)[1:-1], repr(secret)[1:-1], json.dumps(repr(secret))[2:-2]
