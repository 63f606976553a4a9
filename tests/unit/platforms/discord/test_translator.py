"""Commands' names and descriptions in other languages."""

from typing import Any

import discord
import pytest
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.platforms.discord.translator import Translator


async def find(asked: discord.Interaction[discord.Client]) -> None: ...


COMMAND: app_commands.Command[Any, ..., Any] = app_commands.Command(name="memory", description="See what you can type", callback=find)


@pytest.mark.parametrize(
    ("text", "locale", "location", "said"),
    [
        pytest.param("memory", discord.Locale.japanese, Location.command_name, "記憶", id="a name"),
        pytest.param("memory", discord.Locale.german, Location.group_name, "erinnerung", id="a group"),
        pytest.param(
            "See what you can type", discord.Locale.german, Location.command_description, "Zeigt, was du eingeben kannst", id="a text"
        ),
        pytest.param("memory", discord.Locale.british_english, Location.command_name, None, id="English"),
        pytest.param("memory", discord.Locale.finnish, Location.command_name, None, id="a language without translations"),
        pytest.param("Look", discord.Locale.german, Location.command_description, None, id="a text without a translation"),
        pytest.param("memory", discord.Locale.german, Location.parameter_name, None, id="an option's name, which stays"),
    ],
)
async def test_what_is_in_the_catalogues_is_translated(text: str, locale: discord.Locale, location: Location, said: str | None) -> None:
    made: Any = app_commands.TranslationContext
    context = made(location=location, data=COMMAND)

    assert await Translator().translate(app_commands.locale_str(text), locale, context) == said
