"""When Discord is told the commands again."""

from typing import Any

import discord
import pytest
from discord import app_commands

from bot.platforms.discord.sync import offer_commands, payloads_differ
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.emulators.discord_client import Listener, listening

OPTION = {"type": 3, "name": "word", "description": "A word", "required": True}
HERE: dict[str, Any] = {"type": 1, "name": "find", "description": "Find", "options": [OPTION], "nsfw": False, "contexts": None}
THERE = HERE | {"id": "1", "version": "2", "integration_types": [0, 1], "name_localizations": None, "contexts": [0]}
MENU: dict[str, Any] = {"type": 3, "name": "Remember this", "nsfw": False}


@pytest.mark.parametrize(
    ("here", "differs"),
    [
        pytest.param([HERE], False, id="same"),
        pytest.param([], True, id="gone"),
        pytest.param([HERE, MENU], True, id="a menu more"),
        pytest.param([HERE | {"type": 2, "description": ""}], True, id="another kind"),
        pytest.param([HERE | {"description": "Look"}], True, id="text"),
        pytest.param([HERE | {"name_localizations": {}}], False, id="no translations"),
        pytest.param([HERE | {"name_localizations": {"de": "finde"}}], True, id="name translated"),
        pytest.param([HERE | {"description_localizations": {"de": "Finden"}}], True, id="text translated"),
        pytest.param([HERE | {"options": [OPTION | {"name_localizations": {"de": "wort"}}]}], True, id="option translated"),
        pytest.param([HERE | {"options": [OPTION | {"choices": [{"name": "a", "value": "a"}]}]}], True, id="choices"),
        pytest.param([HERE | {"contexts": [0]}], False, id="contexts as they are"),
        pytest.param([HERE | {"contexts": [0, 1]}], True, id="contexts"),
        pytest.param([HERE | {"integration_types": [1, 0]}], False, id="integration types in another order"),
        pytest.param([HERE | {"integration_types": [0]}], True, id="integration types"),
        pytest.param([HERE | {"default_member_permissions": 32}], True, id="rights"),
    ],
)
def test_commands_differ_in_what_people_see_and_may_alone(here: list[dict[str, Any]], differs: bool) -> None:
    assert payloads_differ(here, [THERE]) is differs


class German(app_commands.Translator):
    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        return f"{string.message.lower()}-de" if locale is discord.Locale.german else None


async def test_translated_commands_and_menus_are_told_once() -> None:
    async def find(asked: discord.Interaction[Listener], word: str) -> None: ...
    async def remember(asked: discord.Interaction[Listener], message: discord.Message) -> None: ...

    async with DiscordEmulator() as emulator, listening(emulator) as client:
        tree: Any = client.tree
        await tree.set_translator(German())
        tree.add_command(app_commands.Command(name="find", description="Find", callback=find))
        tree.add_command(app_commands.ContextMenu(name="Remember this", callback=remember))
        for _ in range(2):
            await offer_commands(tree)

    told = emulator.world.commands[None]
    assert len(emulator.calls_to("PUT", "/commands")) == 1
    assert [(command["type"], command["name_localizations"]) for command in told] == [
        (1, {"de": "find-de"}),
        (3, {"de": "remember this-de"}),
    ]
