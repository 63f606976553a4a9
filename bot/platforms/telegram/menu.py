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
from bot.wording.catalogues import ENGLISH, languages
from bot.wording.say import translated

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
        for language in ("", *languages()):
            for scope, offered in menus:
                await _offer(bot, _menu_in(offered, language), scope, language, tuning=tuning)
    except TelegramError as error:
        log.warning("telegram_menu_failed", problem=described(error))


async def _offer(bot: Bot, wanted: Sequence[BotCommand], scope: BotCommandScope, language: str, *, tuning: Tuning) -> None:
    code = language or None
    if tuple(wanted) != tuple(await patiently(partial(bot.get_my_commands, scope, code), tuning)):
        change = partial(bot.set_my_commands, wanted, scope, code) if wanted else partial(bot.delete_my_commands, scope, code)
        await patiently(change, tuning)
        log.info("telegram_menu_set", scope=scope.type, language=language, commands=len(wanted))


def _menu_in(offered: Sequence[Command], language: str) -> Sequence[BotCommand]:
    """Return the menu for people of a language; empty where it says no more than the one for everybody."""
    menu = menu_of(offered, language)
    return [] if language and menu == menu_of(offered) else menu


def menu_of(commands: Sequence[Command], language: str = "") -> list[BotCommand]:
    """Return the lines of a menu in a language: `memory list` stands there as memory_list, for Telegram takes English letters only.

    Names that it does not take are left out.
    """
    menu: dict[str, BotCommand] = {}
    for command in commands:
        summary = one_line(translated(command.summary, language or ENGLISH), _LONGEST_SUMMARY) or command.name
        if command.alone:
            menu.setdefault(command.path[0], BotCommand(command.path[0], summary))
        name = "_".join(command.path).lower().replace("-", "_")
        if _NAME.fullmatch(name):
            menu.setdefault(name, BotCommand(name, summary))
    return list(menu.values())[:_MOST]
