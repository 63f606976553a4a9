"""What can be typed next in a command."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.domain.command import Command, CommandCall, Option, OptionKind
from bot.platforms.console.convert import visible
from bot.ports.platform import Inbox
from bot.wording.say import translated


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text that may stand in the place of the last `replaces` characters of a line."""

    text: str
    replaces: int
    label: str
    note: str = ""


class Completion:
    """Suggests commands after a slash, and the choices that their options have."""

    def __init__(self, inbox: Inbox, blank_call: CommandCall, own_commands: Sequence[tuple[str, str]]) -> None:
        self._inbox = inbox
        self._blank_call = blank_call
        self._names = sorted([*own_commands, *((command.name, translated(command.summary)) for command in inbox.commands)])

    async def suggestions(self, line: str) -> Sequence[Suggestion]:
        """Return what can complete the line, nothing for a line that is no command."""
        if not line.startswith("/"):
            return ()
        return [*self._commands(line[1:]), *await self._choices(line[1:])]

    def _commands(self, typed: str) -> Sequence[Suggestion]:
        fitting = [(name, summary) for name, summary in self._names if name.startswith(typed) and name != typed]
        return [Suggestion(name, len(typed), f"/{name}", summary) for name, summary in fitting]

    async def _choices(self, typed: str) -> Sequence[Suggestion]:
        command = next((command for command in self._inbox.commands if typed.startswith(f"{command.name} ")), None)
        option, begun = _option_at(command, typed.removeprefix(f"{command.name} ")) if command else (None, "")
        if command is None or option is None or option.suggest is None:
            return ()
        choices = await self._inbox.suggest(replace(self._blank_call, path=command.path), option.name, begun)
        return [Suggestion(choice.value, len(begun), visible(choice.label)) for choice in choices]


def _option_at(command: Command, typed: str) -> tuple[Option | None, str]:
    """Return the option at the end of what is typed behind a command, with its part of the text."""
    *before, last = typed.split(" ")
    if len(before) < len(command.options):
        return command.options[len(before)], last
    final = command.options[-1] if command.options else None
    if final is None or final.kind is not OptionKind.TEXT:
        return None, ""
    return final, " ".join([*before, last][len(command.options) - 1 :])
