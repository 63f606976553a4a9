"""The menu of commands that Telegram shows beside the input line."""

import re
from collections.abc import Sequence
from functools import partial

import structlog
from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeDefault,
)
from telegram.error import TelegramError

from bot.domain.command import Command, WhoMay
from bot.domain.text import one_line
from bot.platforms.telegram.patience import patiently
from bot.platforms.telegram.refusals import described
from bot.platforms.telegram.tuning import Tuning

_NAME = re.compile(r"[a-z0-9_]{1,32}")
_LONGEST_SUMMARY = 100
_MOST = 100

log = structlog.get_logger(__name__)


async def publish_menu(bot: Bot, commands: Sequence[Command], tuning: Tuning) -> None:
    """Offer the commands, those for admins to admins and in private chats only. What is there already is not sent again."""
    for_all = [command for command in commands if command.who is WhoMay.EVERYONE]
    menus: list[tuple[BotCommandScope, Sequence[Command]]] = [
        (BotCommandScopeDefault(), for_all),
        (BotCommandScopeAllPrivateChats(), commands),
        (BotCommandScopeAllChatAdministrators(), commands),
    ]
    try:
        for scope, offered in menus:
            wanted = menu_of(offered)
            if tuple(wanted) != tuple(await patiently(partial(bot.get_my_commands, scope), tuning)):
                await patiently(partial(bot.set_my_commands, wanted, scope), tuning)
                log.info("telegram_menu_set", scope=scope.type, commands=len(wanted))
    except TelegramError as error:
        log.warning("telegram_menu_failed", problem=described(error))


def menu_of(commands: Sequence[Command]) -> list[BotCommand]:
    """Return the lines of a menu: `memory list` stands there as memory_list. Names that Telegram does not take are left out."""
    menu: dict[str, BotCommand] = {}
    for command in commands:
        if command.alone:
            menu.setdefault(command.path[0], BotCommand(command.path[0], one_line(command.summary, _LONGEST_SUMMARY) or command.name))
        name = "_".join(command.path).lower().replace("-", "_")
        if _NAME.fullmatch(name):
            menu.setdefault(name, BotCommand(name, one_line(command.summary, _LONGEST_SUMMARY) or command.name))
    return list(menu.values())[:_MOST]
