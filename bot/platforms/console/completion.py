"""Completing commands while they are typed."""

from collections.abc import AsyncGenerator, Iterable, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from typing_extensions import override

from bot.domain.command import Choice, Command, CommandCall, Option, OptionKind
from bot.platforms.console.convert import visible
from bot.ports.platform import Inbox


class CommandCompleter(Completer):
    """Offers commands after a slash, and the choices that their options have."""

    def __init__(self, inbox: Inbox, blank_call: CommandCall, own_commands: Sequence[tuple[str, str]]) -> None:
        self._inbox = inbox
        self._blank_call = blank_call
        self._names = sorted([*own_commands, *((command.name, command.summary) for command in inbox.commands)])

    @override
    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Return the commands that begin as typed."""
        line = document.text_before_cursor
        if not line.startswith("/"):
            return
        typed = line[1:]
        for name, summary in self._names:
            if name.startswith(typed) and name != typed:
                yield Completion(name, start_position=-len(typed), display=f"/{name}", display_meta=summary)

    @override
    async def get_completions_async(self, document: Document, complete_event: CompleteEvent) -> AsyncGenerator[Completion, None]:
        """Return the commands that begin as typed, or choices for the option that is being typed."""
        for completion in self.get_completions(document, complete_event):
            yield completion
        for choice, typed in await self._choices(document.text_before_cursor):
            yield Completion(choice.value, start_position=-len(typed), display=visible(choice.label))

    async def _choices(self, line: str) -> Sequence[tuple[Choice, str]]:
        command = next((command for command in self._inbox.commands if line.startswith(f"/{command.name} ")), None)
        if command is None:
            return ()
        option, typed = _option_at(command, line.removeprefix(f"/{command.name} "))
        if option is None or option.suggest is None:
            return ()
        call = CommandCall(
            command.path, {}, self._blank_call.asker, self._blank_call.conversation, self._blank_call.kind, asker_is_admin=True
        )
        return [(choice, typed) for choice in await self._inbox.suggest(call, option.name, typed)]


def _option_at(command: Command, typed: str) -> tuple[Option | None, str]:
    """Return the option at the end of what is typed behind a command, with its part of the text."""
    *before, last = typed.split(" ")
    if len(before) < len(command.options):
        return command.options[len(before)], last
    final = command.options[-1] if command.options else None
    if final is None or final.kind is not OptionKind.TEXT:
        return None, ""
    return final, " ".join([*before, last][len(command.options) - 1 :])
