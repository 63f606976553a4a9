import sys
import threading

import pytest

from bot.cli.crash import hide_secrets_in_crashes
from tests.unit.cli.conftest import Baku

SECRET = "hush-hush-very-secret"


@pytest.fixture(autouse=True)
def hooks_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((sys, "excepthook"), (sys, "unraisablehook"), (threading, "excepthook")):
        monkeypatch.setattr(module, name, getattr(module, name))


def crash() -> None:
    raise RuntimeError(f"no {SECRET}")


@pytest.mark.usefixtures("folder")
class TestCrash:
    def test_a_thread_that_fails_shows_where_and_no_secret(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        hide_secrets_in_crashes()

        thread = threading.Thread(target=crash)
        thread.start()
        thread.join()

        shown = capsys.readouterr().err
        assert "RuntimeError: no ***" in shown
        assert "in crash" in shown

    def test_without_readable_settings_only_the_place_and_the_kind_are_shown(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("BAKU_WEB_PORT", "no port")
        hide_secrets_in_crashes()

        try:
            crash()
        except RuntimeError as error:
            sys.excepthook(RuntimeError, error, error.__traceback__)

        shown = capsys.readouterr().err
        assert shown.endswith("RuntimeError\n")
        assert "in crash" in shown
        assert SECRET not in shown


def test_the_command_line_hides_them_from_the_start(baku: Baku) -> None:
    before = sys.excepthook

    baku("persona", "list")

    assert sys.excepthook is not before
