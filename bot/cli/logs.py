"""The log: for people on a terminal and as JSON lines elsewhere, without secrets and without other people's chatter."""

import json
import logging
import sys
from collections.abc import Callable, Sequence
from types import TracebackType
from urllib.parse import quote

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger
from typing_extensions import override

from bot.config.core import LogLevel

REDACTED = "***"
OURS = ("bot.", "baku_plugin_")
"""How the loggers of the bot and of the plugins in its folder begin."""
_ALWAYS_THERE = {"event", "level", "logger", "timestamp"}


def configure_logging(
    level: LogLevel, secrets: Sequence[str] = (), *, write: Callable[[str], None] | None = None, brief: bool = False
) -> None:
    """Send all logs to stderr, or line by line to `write`; `brief` tells only what is wrong, for people in the middle of something else.

    Ours are told from `level` on; other libraries' only from warning on, for they log addresses and messages.
    """
    added: list[Processor] = [
        structlog.contextvars.merge_contextvars,
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
    handler = _LineHandler(write or _to_stderr)
    handler.setFormatter(_RedactingFormatter(added, secrets, _rendering(brief=brief)))
    handler.addFilter(_is_worth_telling)
    logging.basicConfig(handlers=[handler], level=logging.getLevelName(level.upper()), force=True)
    if not brief:
        sys.excepthook = _log_crash


def without_secrets(text: str, secrets: Sequence[str]) -> str:
    """Return the text with no secret in it, however it is written there."""
    return _without(_all_forms(secrets), text)


def _log_crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Log what nobody caught, for it goes through the same hands as all else: Python itself would print a token in it."""
    logging.getLogger(__name__).critical("crashed", exc_info=(kind, error, trace))


def _rendering(*, brief: bool) -> Sequence[Processor]:
    if brief:
        return [structlog.processors.format_exc_info, _in_brief]
    if sys.stderr.isatty():
        return [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]


def _in_brief(_logger: WrappedLogger, _method: str, event: EventDict) -> str:
    """Return `error: The model endpoint … cannot be reached.`, or what happened where no problem is named."""
    what = {name: str(value) for name, value in event.items() if name not in _ALWAYS_THERE}
    what["exception"] = what.get("exception", "").strip().rpartition("\n")[2]
    told = what.get("problem") or ": ".join(filter(None, [str(event["event"]).replace("_", " "), ", ".join(filter(None, what.values()))]))
    return f"{event['level']}: {told}"


def _to_stderr(line: str) -> None:
    """Write to what is stderr at the time, which a prompt may have replaced."""
    print(line, file=sys.stderr, flush=True)


def _is_worth_telling(record: logging.LogRecord) -> bool:
    if record.name == "discord.client" and "voice will NOT be supported" in str(record.msg):
        return False
    return record.levelno >= logging.WARNING or record.name.startswith(OURS)


class _LineHandler(logging.Handler):
    """Hands each line to a function."""

    def __init__(self, write: Callable[[str], None]) -> None:
        super().__init__()
        self._write = write

    @override
    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._write(self.format(record))
        except (OSError, ValueError):  # nobody reads any more
            self.handleError(record)


class _RedactingFormatter(structlog.stdlib.ProcessorFormatter):
    """Takes secrets out of the finished line, wherever in it they stand and however they are written there."""

    def __init__(self, added: Sequence[Processor], secrets: Sequence[str], rendering: Sequence[Processor]) -> None:
        super().__init__(foreign_pre_chain=list(added), processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering])
        self._forms = _all_forms(secrets)

    @override
    def format(self, record: logging.LogRecord) -> str:
        return _without(self._forms, super().format(record))


def _without(forms: Sequence[str], text: str) -> str:
    for form in forms:
        text = text.replace(form, REDACTED)
    return text


def _all_forms(secrets: Sequence[str]) -> Sequence[str]:
    return sorted({form for secret in secrets for form in _forms(secret)}, key=len, reverse=True)


def _forms(secret: str) -> tuple[str, ...]:
    """Return how a secret may be written: as it is, in an address, in JSON, in Python."""
    in_json = json.dumps(secret, ensure_ascii=False)[1:-1]
    return secret, quote(secret, safe=""), in_json, json.dumps(secret)[1:-1], repr(secret)[1:-1], json.dumps(repr(secret))[2:-2]
