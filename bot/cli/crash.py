"""What nobody caught is printed as Python would, but with no secret in it."""

import sys
import threading
import traceback

from bot.errors import ConfigError


def hide_secrets_in_crashes() -> None:
    """Take the secrets out of every traceback of this process, those of other threads too.

    To be called by a command and not before: Typer puts a hook of its own in place when it starts.
    """
    sys.excepthook = lambda _kind, error, _trace: _print(error)
    sys.unraisablehook = lambda failed: _print(failed.exc_value)
    threading.excepthook = lambda failed: _print(failed.exc_value)


def _print(error: BaseException | None) -> None:
    """Print a traceback; of settings that cannot be read nobody knows what is secret, so that no message is shown then."""
    if error is None or isinstance(error, SystemExit):
        return
    from bot.cli.logs import without_secrets
    from bot.config.loading import load_settings

    try:
        text = without_secrets("".join(traceback.format_exception(error)), load_settings().secrets())
    except ConfigError:
        text = "".join([*traceback.format_tb(error.__traceback__), f"{type(error).__name__}\n"])
    print(text, end="", file=sys.stderr, flush=True)
