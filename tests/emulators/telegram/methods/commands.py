"""The command menu of a bot, by scope and language."""

import re

from tests.emulators.telegram.bots import MenuCommand
from tests.emulators.telegram.errors import bad_request
from tests.emulators.telegram.params import Params
from tests.emulators.telegram.text import units
from tests.emulators.telegram.world import Call, World

COMMAND_NAME = re.compile(r"[a-z0-9_]{1,32}")
LONGEST_DESCRIPTION = 256
MOST_COMMANDS = 100
LANGUAGE = re.compile(r"(?:[a-z]{2})?")
PLAIN_SCOPES = frozenset({"default", "all_private_chats", "all_group_chats", "all_chat_administrators"})
CHAT_SCOPES = frozenset({"chat", "chat_administrators", "chat_member"})


async def set_my_commands(world: World, call: Call) -> object:
    """Set the menu for one scope and language; an empty list takes it away."""
    key = _key(world, call.params)
    commands = [_command(params) for params in call.params.mappings("commands")]
    if len(commands) > MOST_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    if len({one.command for one in commands}) != len(commands):
        raise bad_request("duplicate commands")
    if commands:
        call.bot.menus[key] = commands
    else:
        call.bot.menus.pop(key, None)
    return True


async def get_my_commands(world: World, call: Call) -> object:
    """Return the menu of one scope and language."""
    commands = call.bot.menus.get(_key(world, call.params), [])
    return [{"command": one.command, "description": one.description} for one in commands]


async def delete_my_commands(world: World, call: Call) -> object:
    """Take the menu of one scope and language away."""
    call.bot.menus.pop(_key(world, call.params), None)
    return True


def _command(params: Params) -> MenuCommand:
    name = params.text("command").removeprefix("/")
    description = params.text("description").strip()
    if not COMMAND_NAME.fullmatch(name):
        raise bad_request("BOT_COMMAND_INVALID")
    if not description:
        raise bad_request("command description must be non-empty")
    if units(description) > LONGEST_DESCRIPTION:
        raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    return MenuCommand(name, description)


def _key(world: World, params: Params) -> tuple[str, str]:
    language = params.text("language_code")
    if not LANGUAGE.fullmatch(language):
        raise bad_request("invalid language code specified")
    scope = params.mapping("scope") or Params({"type": "default"})
    kind = scope.text("type")
    if kind in PLAIN_SCOPES:
        return kind, language
    if kind not in CHAT_SCOPES:
        raise bad_request("can't parse BotCommandScope: unsupported type specified")
    chat_id = scope.integer("chat_id")
    if chat_id not in world.chats:
        raise bad_request("chat not found")
    return f"{kind}:{chat_id}:{scope.text('user_id')}", language


METHODS = {
    "setMyCommands": set_my_commands,
    "getMyCommands": get_my_commands,
    "deleteMyCommands": delete_my_commands,
}
