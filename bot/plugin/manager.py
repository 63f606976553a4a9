"""All plugins, built-in ones too: loaded, checked, and called one by one, so that none can stop another or a reply."""

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TypeVar, cast

import pluggy
import structlog

from bot.domain.command import Command
from bot.domain.extension import PromptSection, Tool
from bot.domain.message import StoredMessage
from bot.domain.nearest import nearest
from bot.domain.turn import Turn, TurnReport
from bot.plugin.checks import checked_command, checked_model, checked_platform, checked_section, checked_tool
from bot.plugin.commands import guarded, without_clashes
from bot.plugin.discovery import announced, import_file, plugin_files
from bot.plugin.guard import START_SECONDS, TURN_SECONDS, attempt, attempt_async
from bot.plugin.hooks import PROJECT, Hooks
from bot.ports.model import ChatModel
from bot.ports.platform import Platform

_MOST_THINGS = 1000
"""What one plugin may register of a kind; an endless generator ends here."""

log = structlog.get_logger(__name__)
T = TypeVar("T")


class PluginManager:
    """What plugins add to the bot. Register and load all of them, configure, and only then read the properties."""

    def __init__(self, *, start_seconds: float = START_SECONDS, turn_seconds: float = TURN_SECONDS) -> None:
        self._pluggy = pluggy.PluginManager(PROJECT)
        self._pluggy.add_hookspecs(Hooks)
        self._start_seconds = start_seconds
        self._turn_seconds = turn_seconds

    def register(self, plugin: object, name: str) -> None:
        """Add a module or an object with hooks. What is no plugin, or has a name that is taken, is logged and left out."""
        try:
            if isinstance(plugin, type):
                raise ValueError(f"{plugin.__name__} is a class; register an instance of it.")
            self._pluggy.register(plugin, name)
        except (ValueError, pluggy.PluginValidationError) as problem:
            log.error("plugin_refused", plugin=name, problem=str(problem))
            return
        self._warn_of_unknown_hooks(plugin, name)
        log.debug("plugin_registered", plugin=name)

    def load_folder(self, folder: Path) -> None:
        """Add the plugins of a folder, in alphabetical order. A folder that is not there has none."""
        for name, file in plugin_files(folder):
            module = self._attempt(name, "import", partial(import_file, name, file))
            if module is not None:
                self.register(module, name)

    def load_entry_points(self) -> None:
        """Add the plugins that installed packages announce in the group `baku`."""
        for entry in announced():
            plugin = self._attempt(entry.name, "import", entry.load)
            if plugin is not None:
                self.register(plugin, entry.name)

    def configure(self, settings: Mapping[str, str]) -> None:
        """Give every plugin its own settings: `dice_most_dice` arrives at the plugin `dice` as `most_dice`."""
        own: dict[str, dict[str, str]] = {name: {} for name in self.names}
        for key, value in settings.items():
            owner = max((name for name in own if key.startswith(_prefix(name))), key=len, default=None)
            if owner is None:
                log.warning("plugin_setting_unused", setting=key, plugins=sorted(own))
            else:
                own[owner][key.removeprefix(_prefix(owner))] = value
        for hook in self._hooks("configure"):
            self._attempt(hook.plugin_name, "configure", partial(_call, hook, settings=own[hook.plugin_name]))

    @property
    def names(self) -> Sequence[str]:
        """Return the names of all plugins, in the order in which they were added."""
        return [name for name, _ in self._pluggy.list_name_plugin()]

    @cached_property
    def platforms(self) -> tuple[Platform, ...]:
        """Return the chat platforms."""
        return tuple(platform for _, platform in self._registered("register_platforms", checked_platform, lambda thing: thing.name))

    @cached_property
    def models(self) -> tuple[ChatModel, ...]:
        """Return the models."""
        return tuple(model for _, model in self._registered("register_models", checked_model, lambda thing: thing.name))

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """Return the tools."""
        return tuple(tool for _, tool in self._registered("register_tools", checked_tool, lambda thing: thing.spec.name))

    @cached_property
    def commands(self) -> tuple[Command, ...]:
        """Return the commands, each guarded: it answers whatever happens in it."""
        found = self._registered("register_commands", checked_command, lambda thing: thing.path)
        return tuple(guarded(command, plugin) for plugin, command in without_clashes(found))

    @cached_property
    def sections(self) -> tuple[PromptSection, ...]:
        """Return the prompt sections."""
        return tuple(section for _, section in self._owned_sections)

    async def prompt_sections(self, turn: Turn) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Return names and texts of the sections for a turn: the stable ones, and the others. Those that fail are left out."""
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._rendered(plugin, section, turn)) for plugin, section in self._owned_sections]
        shown = [(section, task.result()) for section, task in zip(self.sections, tasks, strict=True) if task.result()]
        stable = [(section.name, text) for section, text in shown if section.stable]
        return stable, [(section.name, text) for section, text in shown if not section.stable]

    async def message_recorded(self, message: StoredMessage) -> None:
        """Tell every plugin of a stored message."""
        await self._tell("message_recorded", message=message)

    async def reply_committed(self, report: TurnReport) -> None:
        """Tell every plugin of a finished turn."""
        await self._tell("reply_committed", report=report)

    @cached_property
    def _owned_sections(self) -> Sequence[tuple[str, PromptSection]]:
        return self._registered("register_prompt_sections", checked_section, lambda thing: thing.name)

    @cached_property
    def _listeners(self) -> Mapping[str, Sequence[pluggy.HookImpl]]:
        return {name: list(self._hooks(name, are_async=True)) for name in ("message_recorded", "reply_committed")}

    async def _tell(self, name: str, **news: object) -> None:
        for hook in self._listeners[name]:
            call = cast("Callable[[], Awaitable[object]]", partial(_call, hook, **news))
            await attempt_async(call, plugin=hook.plugin_name, doing=name, seconds=self._turn_seconds)

    async def _rendered(self, plugin: str, section: PromptSection, turn: Turn) -> str:
        doing = f"section {section.name}"
        text: object = await attempt_async(lambda: section.render(turn), plugin=plugin, doing=doing, seconds=self._turn_seconds)
        if text is not None and not isinstance(text, str):
            log.error("plugin_nonsense", plugin=plugin, doing=doing, problem=f"returned {type(text).__name__}, not text")
        return text if isinstance(text, str) else ""

    def _registered(self, name: str, checked: Callable[[object], T], identity: Callable[[T], Hashable]) -> list[tuple[str, T]]:
        """Return what plugins register by a hook, with the plugin's name. Nonsense and repeated names are logged and left out."""
        found: dict[Hashable, tuple[str, T]] = {}
        for hook in self._hooks(name):
            for thing, problem in self._attempt(hook.plugin_name, name, partial(_read, hook, checked)) or ():
                if thing is None:
                    log.error("plugin_nonsense", plugin=hook.plugin_name, doing=name, problem=problem)
                elif (known := found.setdefault(identity(thing), (hook.plugin_name, thing)))[1] is not thing:
                    log.error("plugin_repeats_a_name", plugin=hook.plugin_name, doing=name, name=identity(thing), taken_by=known[0])
        return list(found.values())

    def _hooks(self, name: str, *, are_async: bool = False) -> Iterable[pluggy.HookImpl]:
        """Yield the implementations of a hook in the order of registration; those that cannot be called are logged.

        What is marked `tryfirst` comes before, the last registered first: so the built-in parts always win.
        """
        hooks: list[pluggy.HookImpl] = getattr(self._pluggy.hook, name).get_hookimpls()
        first = [hook for hook in reversed(hooks) if hook.tryfirst]
        last = [hook for hook in hooks if hook.trylast]
        for hook in [*first, *(hook for hook in hooks if not (hook.tryfirst or hook.trylast)), *last]:
            wanted = "async def" if are_async else "def"
            if hook.wrapper or hook.hookwrapper or inspect.iscoroutinefunction(hook.function) is not are_async:
                log.error("plugin_nonsense", plugin=hook.plugin_name, doing=name, problem=f"write the hook as a plain `{wanted}`")
            else:
                yield hook

    def _attempt(self, plugin: str, doing: str, call: Callable[[], T]) -> T | None:
        return attempt(call, plugin=plugin, doing=doing, seconds=self._start_seconds)

    def _warn_of_unknown_hooks(self, plugin: object, name: str) -> None:
        known = [hook for hook in vars(Hooks) if not hook.startswith("_")]
        for caller in self._pluggy.get_hookcallers(plugin) or ():
            if not caller.has_spec():
                log.warning("plugin_hook_unknown", plugin=name, hook=caller.name, did_you_mean=nearest(caller.name, known))


def _prefix(plugin: str) -> str:
    return re.sub(r"[^a-z0-9]", "_", plugin.lower()) + "_"


def _call(hook: pluggy.HookImpl, **given: object) -> object:
    return hook.function(*(given[name] for name in hook.argnames))


def _read(hook: pluggy.HookImpl, checked: Callable[[object], T]) -> list[tuple[T | None, str]]:
    """Return each registered thing, or None and what is wrong with it."""
    things = _call(hook)
    if isinstance(things, str | bytes) or not isinstance(things, Iterable):
        return [(None, f"it returned a {type(things).__name__}; return a list")]
    return [_read_one(thing, checked) for thing in islice(things, _MOST_THINGS)]


def _read_one(thing: object, checked: Callable[[object], T]) -> tuple[T | None, str]:
    try:
        return checked(thing), ""
    except ValueError as problem:
        return None, str(problem)
    except (AttributeError, TypeError) as problem:  # a part of it is of another kind than its type says
        return None, f"a {type(thing).__name__} is not made right: {problem}"
