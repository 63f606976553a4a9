"""What `baku doctor` looks at in plugins: it loads them as a start does, and reads what the log would say."""

from collections.abc import Mapping, Sequence

from structlog.processors import format_exc_info
from structlog.testing import capture_logs

from bot.cli.health import Check, Health, listed
from bot.config.settings import Settings
from bot.plugin.manager import PluginManager

_LEFT_OUT = {"event", "log_level", "exception"}


def check_plugins(settings: Settings) -> Sequence[Check]:
    """Return which plugins load, and what is wrong with any."""
    with capture_logs(processors=[format_exc_info]) as events:
        plugins = PluginManager()
        plugins.load_folder(settings.plugins)
        plugins.load_entry_points()
        plugins.configure(settings.plugin_settings)
        _ = plugins.platforms, plugins.models, plugins.tools, plugins.commands, plugins.sections
    loaded = [str(event["plugin"]) for event in events if event["event"] == "plugin_registered"]
    broken = [Check(Health.BROKEN, "", trouble(event)) for event in events if event["log_level"] == "error"]
    doubtful = [Check(Health.OFF, "", trouble(event)) for event in events if event["log_level"] == "warning"]
    return [Check(Health.GOOD, "plugins", listed(loaded) if loaded else f"none in {settings.plugins}"), *broken, *doubtful]


def trouble(event: Mapping[str, object]) -> str:
    """Return an event of the log as a line: `plugin failed: dice, import, NameError: name 'roll' is not defined`."""
    details = [str(value) for name, value in event.items() if name not in _LEFT_OUT and value]
    error = str(event.get("exception", "")).strip().rpartition("\n")[2]
    return f"{str(event['event']).replace('_', ' ')}: {', '.join([*details, error] if error else details)}"
