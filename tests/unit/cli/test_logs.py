import io
import json
import logging
import sys

import pytest
import structlog

from bot.cli.logs import configure_logging
from bot.config.core import LogLevel
from bot.ports.trail import on_turn

SECRET = 'pa"ss:猫/word'


class TerminalText(io.StringIO):
    """A terminal's screen."""

    def isatty(self) -> bool:
        return True


def logged(monkeypatch: pytest.MonkeyPatch, level: LogLevel = LogLevel.INFO, *, stream: io.StringIO | None = None) -> io.StringIO:
    output = stream or io.StringIO()
    monkeypatch.setattr(sys, "stderr", output)
    configure_logging(level, [SECRET])
    return output


def test_elsewhere_than_on_a_terminal_each_event_is_a_line_of_json(monkeypatch: pytest.MonkeyPatch) -> None:
    output = logged(monkeypatch)

    structlog.get_logger("bot.test").info("turn_taken", messages=3)

    line = json.loads(output.getvalue())
    assert (line["event"], line["messages"], line["level"], line["logger"]) == ("turn_taken", 3, "info", "bot.test")
    assert "timestamp" in line


def test_each_line_bears_the_turn_that_it_belongs_to_whoever_logs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    output = logged(monkeypatch)

    with on_turn(7):
        structlog.get_logger("bot.test").info("turn_ended")
        logging.getLogger("openai").warning("slow")
    structlog.get_logger("bot.test").info("started")

    assert [json.loads(line).get("turn") for line in output.getvalue().splitlines()] == [7, 7, None]


def test_on_a_terminal_events_are_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    output = logged(monkeypatch, stream=TerminalText())

    structlog.get_logger("bot.test").info("turn_taken", messages=3)

    assert "turn_taken" in output.getvalue()
    assert not output.getvalue().startswith("{")


def test_less_than_the_level_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    output = logged(monkeypatch, LogLevel.WARNING)

    structlog.get_logger("bot.test").info("turn_taken")
    structlog.get_logger("bot.test").warning("turn_failed")

    assert "turn_taken" not in output.getvalue()
    assert "turn_failed" in output.getvalue()


@pytest.mark.parametrize("library", ["httpx", "discord.gateway", "telegram.ext", "openai", "aiosqlite"])
def test_other_libraries_only_warn_however_much_we_say(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    output = logged(monkeypatch, LogLevel.DEBUG)

    logging.getLogger(library).info("HTTP Request: POST https://api.example.org/bot12:ab/getMe")
    logging.getLogger(library).warning("retrying")

    assert [json.loads(line)["event"] for line in output.getvalue().splitlines()] == ["retrying"]


@pytest.mark.parametrize("stream", [io.StringIO, TerminalText], ids=["json", "terminal"])
def test_secrets_are_taken_out_wherever_they_stand(monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO]) -> None:
    output = logged(monkeypatch, stream=stream())

    structlog.get_logger("bot.test").info("asked", url=f"https://host/{SECRET}", form="https://host/pa%22ss%3A%E7%8C%AB%2Fword")
    logging.getLogger("httpx").warning("refused: %s", SECRET)
    try:
        raise RuntimeError(SECRET)
    except RuntimeError:
        structlog.get_logger("bot.test").exception("failed")

    assert "RuntimeError" in output.getvalue()
    assert "word" not in output.getvalue()
    assert output.getvalue().count("***") >= 4


def test_a_crash_is_logged_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    output = logged(monkeypatch)

    try:
        raise RuntimeError(f"https://host/bot{SECRET}/getMe")
    except RuntimeError as crash:
        sys.excepthook(RuntimeError, crash, crash.__traceback__)

    [line] = output.getvalue().splitlines()
    assert json.loads(line)["event"] == "crashed"
    assert "test_a_crash_is_logged_without_secrets" in json.loads(line)["exception"]
    assert "word" not in line


def test_a_traceback_shows_no_local_values(monkeypatch: pytest.MonkeyPatch) -> None:
    output = logged(monkeypatch, stream=TerminalText())
    message = "what somebody wrote"

    try:
        len(message) / 0
    except ZeroDivisionError:
        structlog.get_logger("bot.test").exception("failed")

    assert "ZeroDivisionError" in output.getvalue()
    assert message not in output.getvalue()


def test_the_log_goes_to_what_stderr_is_at_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    logged(monkeypatch)
    prompt = io.StringIO()
    monkeypatch.setattr(sys, "stderr", prompt)

    structlog.get_logger("bot.test").info("turn_taken")

    assert "turn_taken" in prompt.getvalue()


@pytest.mark.parametrize(
    ("event", "details", "line"),
    [
        ("model_unavailable", {"problem": "The endpoint is gone.", "conversation_kind": "direct"}, "warning: The endpoint is gone."),
        ("plugin_failed", {"plugin": "dice", "hook": "configure"}, "warning: plugin failed: dice, configure"),
        ("store_slow", {}, "warning: store slow"),
    ],
)
def test_in_brief_only_what_is_wrong_is_told(event: str, details: dict[str, str], line: str) -> None:
    lines: list[str] = []
    configure_logging(LogLevel.WARNING, write=lines.append, brief=True)

    structlog.get_logger("bot.test").warning(event, **details)

    assert lines == [line]


def test_in_brief_a_traceback_is_its_last_line() -> None:
    lines: list[str] = []
    configure_logging(LogLevel.WARNING, [SECRET], write=lines.append, brief=True)

    try:
        raise ValueError(SECRET)
    except ValueError:
        structlog.get_logger("bot.test").exception("turn_failed")

    assert lines == ["error: turn failed: ValueError: ***"]


def test_that_there_is_no_voice_is_no_news(monkeypatch: pytest.MonkeyPatch) -> None:
    output = logged(monkeypatch)

    logging.getLogger("discord.client").warning("PyNaCl is not installed, voice will NOT be supported")
    logging.getLogger("discord.client").warning("Something else")

    assert [json.loads(line)["event"] for line in output.getvalue().splitlines()] == ["Something else"]
