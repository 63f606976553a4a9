"""`/help`: what can be typed."""

from collections.abc import Sequence

from bot.commands import texts
from bot.domain.command import Answer, Choice, Command, CommandCall, Option
from bot.domain.nearest import nearest
from bot.wording.say import translated


def help_command(others: Sequence[Command]) -> Command:
    """Return the command that explains the others and itself."""

    def everything() -> list[Command]:
        return [*others, command]

    async def run(call: CommandCall) -> Answer:
        typed = str(call.options.get("command", "")).strip().lstrip("/").casefold()
        return Answer(_explain(typed, everything()))

    async def suggest(_call: CommandCall, typed: str) -> Sequence[Choice]:
        part = typed.strip().lstrip("/").casefold()
        found = [(known.name, translated(known.summary)) for known in everything() if part in known.name]
        return [Choice(f"{name} – {summary}", name) for name, summary in found]

    option = Option("command", "The command to explain; all when left out", required=False, suggest=suggest)
    command = Command(("help",), "See what you can type", run, (option,))
    return command


def _explain(typed: str, commands: Sequence[Command]) -> str:
    if not typed:
        return texts.help_page(commands)
    path = tuple(typed.split())
    for command in commands:
        if command.path == path:
            return texts.help_on(command)
    group = [command for command in commands if command.path[:1] == path]
    if group:
        return texts.help_page(group, group=typed)
    names = [name for command in commands for name in (command.name, command.path[0])]
    return texts.unknown_command(typed, nearest(typed, names))
