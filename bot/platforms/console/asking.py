"""Asks for what a command lacks, line by line."""

import asyncio
import mimetypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.commands.questions import lacking, offered, question, value_of, ways_out
from bot.domain.command import MOST_UPLOADED, Choice, Command, CommandCall, Option, OptionKind, UploadedFile
from bot.platforms.console.convert import visible
from bot.platforms.console.terminal import Terminal
from bot.ports.platform import Inbox
from bot.wording.say import say

_PROMPT = "> "
_CANCEL, _SKIP = "/cancel", "/skip"


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks the person at a terminal."""

    terminal: Terminal
    inbox: Inbox

    async def completed(self, command: Command, call: CommandCall) -> CommandCall | None:
        """Return the call with what was answered; None when the person stops."""
        for option in lacking(command, call.options):
            choices = await self._show(command, option, call)
            answered = await self._answered(command, option, call, choices)
            if answered is None:
                return None
            call = answered
        return call

    async def _show(self, command: Command, option: Option, call: CommandCall) -> Sequence[Choice]:
        """Show a question, what can be chosen, and what there is now."""
        choices = await offered(self.inbox, call, option)
        lines = [question(command, option), *(f"- `{choice.value}`: {choice.label}" for choice in choices)]
        if option.prefill and (text := await self.inbox.prefill(call, option.name)):
            self.terminal.write(f"{visible(text)}\n")
        self.terminal.write_markdown(visible("\n".join([lines[0], "", *lines[1:]])))
        self.terminal.write_hint(_hint(option))
        return choices

    async def _answered(self, command: Command, option: Option, call: CommandCall, choices: Sequence[Choice]) -> CommandCall | None:
        while True:
            text = await self._read(option)
            if text is None or text == _CANCEL:
                return None
            if text == _SKIP and not option.required:
                return call
            try:
                if option.kind is OptionKind.FILE:
                    return replace(call, file=await asyncio.to_thread(_file, text))
                chosen = next((choice.value for choice in choices if choice.label == text), text)
                return replace(call, options={**call.options, option.name: value_of(command, option, chosen)})
            except ValueError as problem:
                self.terminal.write_markdown(visible(str(problem)))

    async def _read(self, option: Option) -> str | None:
        """Return an answer: one line, or of a long text all lines before an empty one."""
        lines: list[str] = []
        while (line := await self.terminal.read(_PROMPT)) is not None:
            if line.strip() in {_CANCEL, _SKIP}:
                return line.strip()
            if not option.is_long:
                return line.strip()
            if not line.strip() and lines:
                return "\n".join(lines)
            lines += [line] if line.strip() else []
        return "\n".join(lines) or None


def _hint(option: Option) -> str:
    if option.kind is OptionKind.FILE:
        how = say("Type where the file is.")
    elif option.is_long:
        how = say("Type as many lines as you like, and an empty one at the end.")
    else:
        how = ""
    return " ".join(filter(None, [how, ways_out(option)]))


def _file(path: str) -> UploadedFile:
    """Return a file of this machine. Raises ValueError with what to type instead."""
    found = Path(path.strip("'\"")).expanduser()
    try:
        if found.stat().st_size > MOST_UPLOADED:
            raise ValueError(say("That file is too big: {most} megabytes at most.", most=MOST_UPLOADED // 1024**2))
        return UploadedFile(found.name, mimetypes.guess_type(found.name)[0] or "", found.read_bytes())
    except OSError as problem:
        raise ValueError(say("I cannot read `{file}` ({problem}).", file=path, problem=problem.strerror)) from None
