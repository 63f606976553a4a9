"""`/help`: what whoever asks can type, by theme, and each command with an example."""

import re
from collections.abc import Sequence

from bot.commands import texts
from bot.commands.help_themes import LABELS, Theme, examples_of, of_theme, theme_of
from bot.commands.paging import page_of
from bot.domain.command import Answer, Button, Choice, Command, CommandCall, Option, may_run
from bot.domain.nearest import nearest
from bot.wording.say import translated

_THEME = re.compile(r"#?(\w+)\s*(\d*)")
"""A theme, and which page of it."""


def help_command(others: Sequence[Command]) -> Command:
    """Return the command that explains the others and itself."""

    def allowed(call: CommandCall) -> list[Command]:
        return [known for known in (*others, command) if may_run(known, call)]

    async def run(call: CommandCall) -> Answer:
        typed = str(call.options.get("command", "")).strip().lstrip("/").casefold()
        forbidden = [known for known in others if not may_run(known, call)]
        return _explain(typed, allowed(call), forbidden)

    async def suggest(call: CommandCall, typed: str) -> Sequence[Choice]:
        part = typed.strip().lstrip("/").casefold()
        found = [(known.name, translated(known.summary)) for known in allowed(call) if part in known.name]
        return [Choice(f"{name} – {summary}", name) for name, summary in found]

    option = Option("command", "The command to explain; all when left out", required=False, suggest=suggest)
    command = Command(("help",), "See what you can type", run, (option,), admins_may_more=True)
    return command


def _explain(typed: str, commands: Sequence[Command], forbidden: Sequence[Command]) -> Answer:
    """Say what was asked for: all, a command, a group of them, or a theme."""
    if not typed:
        return _overview(commands)
    path = tuple(typed.split())
    for command in commands:
        if command.path == path:
            return Answer(texts.help_on(command, examples_of(command)), buttons=(_button(theme_of(command)),))
    if group := [command for command in commands if command.path[:1] == path]:
        return Answer(texts.help_page(group, group=typed), buttons=(_button(theme_of(group[0])),))
    if (named := _THEME.fullmatch(typed)) and named[1] in set(Theme):
        return _on_theme(Theme(named[1]), commands, int(named[2] or 1))
    if kept := [command for command in forbidden if path in (command.path, command.path[:1])]:
        return Answer(texts.admins_only(kept[0]), private=True)
    names = [name for command in commands for name in (command.name, command.path[0])]
    return Answer(texts.unknown_command(typed, nearest(typed, names)))


def _overview(commands: Sequence[Command]) -> Answer:
    """Name all commands by theme, with a button for each theme."""
    by_theme = {theme: of_theme(theme, commands) for theme in Theme}
    rows = [texts.theme_row(translated(LABELS[theme]), found) for theme, found in by_theme.items() if found]
    return Answer(texts.help_overview(rows), buttons=tuple(_button(theme) for theme, found in by_theme.items() if found))


def _on_theme(theme: Theme, commands: Sequence[Command], number: int) -> Answer:
    page = page_of([texts.help_row(command) for command in of_theme(theme, commands)], number)
    text = texts.help_theme(f"**{translated(LABELS[theme])}**{page.note}", page.lines)
    others = {theme_of(command) for command in commands} - {theme}
    return Answer(text, buttons=(*page.buttons(f"help #{theme} "), *(_button(other) for other in Theme if other in others)))


def _button(theme: Theme) -> Button:
    return Button(translated(LABELS[theme]), f"help #{theme}")
