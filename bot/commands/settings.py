"""`/settings`: all that is set in one page, and from there to each theme."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bot.commands import settings_texts as texts
from bot.commands.paging import page_of
from bot.commands.settings_rows import Survey
from bot.domain.chat import ConversationKind
from bot.domain.command import Answer, Button, Choice, Command, CommandCall, Option, WhoMay
from bot.ports.platform import CommandRunner
from bot.wording.say import translated

THEMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "persona": ("persona", "list"),
        "model": ("model", "show"),
        "speak": ("speak", "show"),
        "memory": ("memory", "policy"),
        "dreams": ("dream", "schedule"),
        "limits": ("limits", "show"),
        "access": ("access", "show"),
        "privacy": ("privacy", "show"),
    }
)
"""What each theme shows: a command that there is by itself."""
_OF_GROUPS = frozenset({"speak", "access"})


def settings_commands(survey: Survey, desk: CommandRunner) -> tuple[Command, ...]:
    """Return the command; `desk` runs those that the themes show."""
    pages = _Settings(survey, desk)
    theme = Option("theme", "What to see more of; all in short when left out", required=False, suggest=pages.suggest)
    return (
        Command(("settings",), "See all that is set here, and how to change it", pages.show, (theme,), who=WhoMay.ADMINS, private=True),
    )


@dataclass(frozen=True, slots=True)
class _Settings:
    survey: Survey
    desk: CommandRunner

    async def show(self, call: CommandCall) -> Answer:
        """Show all in short, a page of it, or one theme with a button that leads back."""
        theme = str(call.options.get("theme", "")).strip().casefold()
        if theme in _themes(call):
            answer = await self.desk.run(replace(call, path=THEMES[theme], options={}, confirmed=False))
            return replace(answer, buttons=(*answer.buttons, Button(texts.back_label(), "settings", turns=True)))
        async with self.survey.cast.store.read() as tx:
            rows = await self.survey.rows(tx, call)
        page = page_of([str(row) for row in rows], int(theme) if theme.isdecimal() and len(theme) < 4 else 1)
        text = texts.page(page.lines, page.note, is_direct=call.kind is ConversationKind.DIRECT)
        return Answer(text, buttons=(*page.buttons("settings "), *_theme_buttons(call)))

    async def suggest(self, call: CommandCall, typed: str) -> Sequence[Choice]:
        """Return the themes."""
        part = typed.strip().casefold()
        return [Choice(translated(texts.LABELS[theme]), theme) for theme in _themes(call) if part in theme]


def _themes(call: CommandCall) -> list[str]:
    return [theme for theme in THEMES if call.kind is ConversationKind.GROUP or theme not in _OF_GROUPS]


def _theme_buttons(call: CommandCall) -> tuple[Button, ...]:
    return tuple(Button(translated(texts.LABELS[theme]), f"settings {theme}") for theme in _themes(call))
