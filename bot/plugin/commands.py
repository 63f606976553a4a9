"""Commands of plugins, wrapped so that whatever they do, the asker gets an answer."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import structlog

from bot.domain.command import (
    LONGEST_LINE,
    MOST_BUTTONS,
    Answer,
    Button,
    Choice,
    Command,
    CommandCall,
    Confirmation,
    Option,
    PrefillText,
    RunCommand,
    SuggestChoices,
)
from bot.errors import BotError
from bot.plugin.guard import attempt_async
from bot.wording.say import say

COMMAND_SECONDS = 10.0
SLOW_COMMAND_SECONDS = 120.0
"""For commands that say of themselves that they are slow."""
SUGGEST_SECONDS = 2.0
PREFILL_SECONDS = 1.0
"""A form has to be there before Discord gives up."""

log = structlog.get_logger(__name__)


def guarded(command: Command, plugin: str, *, prefill_seconds: float = PREFILL_SECONDS) -> Command:
    """Return the command with limits: what fails, hangs or answers nonsense is logged and gives a friendly line."""
    options = tuple(_guarded_option(option, command, plugin, prefill_seconds) for option in command.options)
    return replace(command, run=_guarded_run(command, plugin), options=options)


def without_clashes(found: Iterable[tuple[str, Command]]) -> Iterator[tuple[str, Command]]:
    """Yield commands with their plugins, without those that would be a command and a group at once: the first one wins."""
    words: dict[str, int] = {}
    for plugin, command in found:
        if words.setdefault(command.path[0], len(command.path)) == len(command.path):
            yield plugin, command
        else:
            log.error("plugin_repeats_a_name", plugin=plugin, doing="register_commands", name=command.path[0])


def _guarded_run(command: Command, plugin: str) -> RunCommand:
    seconds = SLOW_COMMAND_SECONDS if command.slow else COMMAND_SECONDS

    async def run(call: CommandCall) -> Answer:
        outcome = await attempt_async(lambda: _outcome(command, call), plugin=plugin, doing=f"/{command.name}", seconds=seconds)
        if isinstance(outcome, BotError):
            raise outcome
        apology = say("`/{name}` did not work just now. Whoever runs me can see why in my log.", name=command.name)
        if outcome is None:
            return Answer(apology, private=True)
        if problem := _nonsense(outcome):
            log.error("plugin_nonsense", plugin=plugin, doing=f"/{command.name}", problem=problem)
        return outcome if isinstance(outcome, Answer) and not problem else Answer(apology, private=True)

    return run


def _nonsense(outcome: object) -> str:
    """Return why no platform could show this as an answer, empty when each can."""
    match outcome:
        case Answer(text=str(), confirmation=Confirmation(label=label, line=line)) if not _fits_a_button(label, line):
            return f"its confirmation needs a label, and a line of 1 to {LONGEST_LINE} bytes"
        case Answer(text=str(), confirmation=None | Confirmation(), buttons=tuple() as buttons):
            fit = [button for button in buttons if isinstance(button, Button) and _fits_a_button(button.label, button.line)]
            is_well = len(fit) == len(buttons) <= MOST_BUTTONS
            return "" if is_well else f"each of its buttons, {MOST_BUTTONS} at most, needs a label, and a line of 1 to {LONGEST_LINE} bytes"
        case Answer():
            return "its text, confirmation or buttons are none"
        case _:
            return f"returned {type(outcome).__name__}, no Answer"


def _fits_a_button(label: object, line: object) -> bool:
    if not (isinstance(label, str) and isinstance(line, str)):
        return False
    return bool(label.strip()) and 0 < len(line.encode("utf-8", "replace")) <= LONGEST_LINE


async def _outcome(command: Command, call: CommandCall) -> object:
    """Return the answer, or an error of our own: those say what to do, and are for whoever asked to deal with."""
    try:
        return await command.run(call)
    except BotError as error:
        return error


def _guarded_option(option: Option, command: Command, plugin: str, prefill_seconds: float) -> Option:
    doing = f"/{command.name} {option.name}"
    suggest = None if option.suggest is None else _guarded_suggest(option.suggest, doing, plugin)
    prefill = None if option.prefill is None else _guarded_prefill(option.prefill, doing, plugin, prefill_seconds)
    return replace(option, suggest=suggest, prefill=prefill)


def _guarded_prefill(prefill: PrefillText, doing: str, plugin: str, seconds: float) -> PrefillText:
    async def prefill_safely(call: CommandCall) -> str:
        found: object = await attempt_async(lambda: prefill(call), plugin=plugin, doing=doing, seconds=seconds)
        if found is not None and not isinstance(found, str):
            log.error("plugin_nonsense", plugin=plugin, doing=doing, problem="return a text to begin with")
        return found if isinstance(found, str) else ""

    return prefill_safely


def _guarded_suggest(suggest: SuggestChoices, doing: str, plugin: str) -> SuggestChoices:
    async def suggest_safely(call: CommandCall, typed: str) -> Sequence[Choice]:
        found: object = await attempt_async(lambda: suggest(call, typed), plugin=plugin, doing=doing, seconds=SUGGEST_SECONDS) or ()
        choices = [choice for choice in found if isinstance(choice, Choice)] if isinstance(found, list | tuple) else []
        if not isinstance(found, list | tuple) or len(choices) < len(found):
            log.error("plugin_nonsense", plugin=plugin, doing=doing, problem="return a list of Choices")
        return choices

    return suggest_safely
