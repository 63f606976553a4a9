"""The hooks that a plugin may implement; each docstring is its contract."""

from collections.abc import Iterable, Mapping
from typing import Protocol

import pluggy

from bot.domain.command import Command
from bot.domain.extension import PromptSection, Tool
from bot.domain.message import StoredMessage
from bot.domain.turn import TurnReport
from bot.ports.model import ChatModel
from bot.ports.platform import Platform

PROJECT = "baku"
"""The name of the hooks, and of the entry point group that plugins are found by."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class Hooks(Protocol):
    """Hooks that register are called once at start-up; hooks in a turn are async, run in order, and may fail without harm."""

    @hookspec
    def configure(self, settings: Mapping[str, str]) -> None:
        """Take the plugin's own settings before any other hook: BAKU_PLUGIN_<NAME>_<KEY> arrives as `key`."""

    @hookspec
    def register_platforms(self) -> Iterable[Platform]:
        """Return chat platforms to connect to."""

    @hookspec
    def register_models(self) -> Iterable[ChatModel]:
        """Return models; personas choose one by its name."""

    @hookspec
    def register_tools(self) -> Iterable[Tool]:
        """Return tools; a persona may use those that it names."""

    @hookspec
    def register_commands(self) -> Iterable[Command]:
        """Return commands, offered on every platform."""

    @hookspec
    def register_prompt_sections(self) -> Iterable[PromptSection]:
        """Return sections to add to every prompt."""

    @hookspec
    async def message_recorded(self, message: StoredMessage) -> None:
        """Learn of a message that was just stored. The turn does not wait for long: two seconds, then the call is given up."""

    @hookspec
    async def reply_committed(self, report: TurnReport) -> None:
        """Learn of a finished turn, before its reply is sent."""
