"""Where commands are handed in: rights, options and failures are dealt with once, for all commands and platforms."""

from collections.abc import Sequence
from dataclasses import replace

import structlog

from bot.commands import texts
from bot.commands.options import checked_options
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, may_run
from bot.domain.nearest import nearest
from bot.domain.text import one_line
from bot.errors import BotError, StoreError
from bot.wording.say import in_language

MOST_CHOICES = 25
_LONGEST_LABEL = 100

log = structlog.get_logger(__name__)


class CommandDesk:
    """Runs commands. Of two with the same name the first one counts."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self._by_path = {command.path: command for command in reversed(commands)}
        self.commands: Sequence[Command] = tuple(command for command in commands if self._by_path[command.path] is command)

    async def run(self, call: CommandCall) -> Answer:
        """Return what the command says in the asker's language, or what they can do about a problem. Raises nothing of our own errors."""
        with in_language(call.language):
            return await self._run(call)

    async def _run(self, call: CommandCall) -> Answer:
        command = self._by_path.get(call.path)
        if command is None:
            typed = " ".join(call.path)
            return Answer(texts.unknown_command(typed, nearest(typed, (known.name for known in self.commands))), private=True)
        if not may_run(command, call):
            return Answer(texts.service_is_no_admin() if call.asker.is_service else texts.admins_only(command), private=True)
        try:
            return await self._answer(command, call)
        except StoreError as problem:
            log.exception("command_without_store", command=command.name, platform=call.conversation.platform, problem=str(problem))
            return Answer(texts.store_trouble(), private=True)
        except BotError as problem:
            log.exception("command_failed", command=command.name, platform=call.conversation.platform)
            return Answer(str(problem), private=True)

    async def suggest(self, call: CommandCall, option: str, typed: str) -> Sequence[Choice]:
        """Return at most 25 choices for an option that is being typed; none when there is trouble."""
        known = self._option(call, option)
        if known is None or known.suggest is None:
            return ()
        try:
            with in_language(call.language):
                choices = await known.suggest(call, typed)
        except BotError:
            log.exception("suggestions_failed", command=" ".join(call.path), option=option)
            return ()
        return [replace(choice, label=one_line(choice.label, _LONGEST_LABEL)) for choice in choices[:MOST_CHOICES]]

    async def prefill(self, call: CommandCall, option: str) -> str:
        """Return what stands in the form of an option before anybody has written there; nothing when there is trouble."""
        known = self._option(call, option)
        if known is None or known.prefill is None:
            return ""
        try:
            with in_language(call.language):
                return await known.prefill(call)
        except BotError:
            log.exception("prefill_failed", command=" ".join(call.path), option=option)
            return ""

    def _option(self, call: CommandCall, name: str) -> Option | None:
        """Return an option of the command, if that is for whoever calls."""
        command = self._by_path.get(call.path)
        if command is None or not may_run(command, call):
            return None
        return next((option for option in command.options if option.name == name), None)

    async def _answer(self, command: Command, call: CommandCall) -> Answer:
        try:
            options = checked_options(command, call.options)
        except ValueError as problem:
            return Answer(str(problem), private=True)
        answer = await command.run(replace(call, options=options))
        log.info("command_answered", command=command.name, platform=call.conversation.platform, confirmed=call.confirmed)
        return replace(answer, private=True) if command.private else answer
