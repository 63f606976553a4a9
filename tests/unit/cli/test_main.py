import pytest

import bot
from bot.cli.main import our_errors
from bot.errors import ConfigError
from tests.unit.cli.conftest import Baku


def test_help_names_every_command(baku: Baku) -> None:
    shown = baku("--help")

    assert shown.code == 0
    assert {"chat", "run", "doctor", "migrate", "persona", "memory"} <= set(shown.out.split())


def test_the_version_is_the_packages(baku: Baku) -> None:
    assert baku("--version").out == f"baku {bot.__version__}\n"


def test_our_own_errors_are_a_line_without_a_traceback(baku: Baku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_WEB_PORT", "web")
    monkeypatch.setenv("BAKU_BURST_SECONDS", "soon")

    failed = baku("persona", "list")

    assert failed.code == 1
    assert [line.split(" is ")[0] for line in failed.err.splitlines()] == ["error: BAKU_BURST_SECONDS", "error: BAKU_WEB_PORT"]
    assert not failed.out


def test_an_error_never_shows_a_secret(baku: Baku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_DB", "postgresql://127.0.0.1:1/baku?connect_timeout=1&password=sesame9")

    failed = baku("migrate")

    assert (failed.code, failed.out) == (1, "")
    assert "127.0.0.1:1/baku" in failed.err
    assert "sesame9" not in failed.err


def test_errors_of_tasks_that_ran_together_are_all_found() -> None:
    one, two = ConfigError("one"), ConfigError("two")

    assert our_errors(ExceptionGroup("both", [one, ExceptionGroup("inner", [two])])) == [one, two]


def test_a_group_with_an_error_that_is_not_ours_keeps_its_traceback() -> None:
    assert our_errors(ExceptionGroup("both", [ConfigError("one"), RuntimeError("a bug")])) == []


def test_serving_nothing_says_which_settings_are_needed(baku: Baku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKU_SPACY_MODEL", "none")

    failed = baku("run")

    assert failed.code == 1
    assert "DISCORD_TOKEN" in failed.err
    assert "TELEGRAM_TOKEN" in failed.err


@pytest.mark.parametrize("name", ["", " ", "\udcff", "a\0b"])
def test_a_conversation_without_a_name_that_can_be_kept_is_refused(baku: Baku, name: str) -> None:
    refused = baku("chat", "--session", name)

    assert refused.code == 1
    assert refused.err == "error: A conversation needs a name that can be written down, such as --session work.\n"


def test_memories_of_a_person_that_cannot_be_written_down_are_none(baku: Baku) -> None:
    assert baku("memory", "list", "--person", "\udcff").out == "baku remembers nothing there.\n"


def test_a_role_that_there_is_not_is_told_with_those_that_there_are(baku: Baku) -> None:
    refused = baku("run", "--role", "nonsense")

    assert refused.code == 2
    assert "Invalid value for '--role': 'nonsense' is not one of gateway, worker, scheduler, web." in refused.err
