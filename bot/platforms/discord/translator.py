"""Commands' names and descriptions in the languages that Discord's members use."""

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.wording.names import command_word
from bot.wording.say import translated

_WORDS = frozenset({Location.command_name, Location.group_name})
_TEXTS = frozenset({Location.command_description, Location.parameter_description})


class Translator(app_commands.Translator):
    """Translates by the catalogues. What has no translation there is left out, and Discord shows it in English."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Return a text in a language, None where English will do."""
        tag = str(locale)
        if isinstance(context.data, app_commands.ContextMenu) or context.location in _TEXTS:
            found = translated(string.message, tag)
        elif context.location in _WORDS:
            found = command_word(string.message, tag)
        else:
            return None
        return None if found == string.message else found
