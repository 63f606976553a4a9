"""All that plugin authors import: the hook marker and the values that hooks take and return."""

from bot.domain.command import Answer, Command, CommandCall, Option, OptionKind, WhoMay
from bot.domain.extension import PromptSection, Tool, ToolContext
from bot.domain.tool import JsonValue, ToolSpec
from bot.domain.turn import Turn, TurnReport
from bot.errors import ToolFailed, ToolRetry
from bot.plugin.hooks import hookimpl

__all__ = [
    "Answer",
    "Command",
    "CommandCall",
    "JsonValue",
    "Option",
    "OptionKind",
    "PromptSection",
    "Tool",
    "ToolContext",
    "ToolFailed",
    "ToolRetry",
    "ToolSpec",
    "Turn",
    "TurnReport",
    "WhoMay",
    "hookimpl",
]
