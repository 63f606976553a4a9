"""Runs a command for somebody: with the rights that they have at this moment, and with the file that they sent."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import structlog
from telegram import Bot
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, TelegramError

from bot.commands.parse import ParsedLine
from bot.domain.chat import ConversationKind
from bot.domain.command import MOST_UPLOADED, Answer, Command, CommandCall, OptionKind, UploadedFile, WhoMay, may_run
from bot.errors import FileUnavailable
from bot.platforms.telegram.asked import Asked
from bot.platforms.telegram.composing import typing
from bot.platforms.telegram.files import fetch
from bot.platforms.telegram.patience import patiently
from bot.platforms.telegram.refusals import described
from bot.platforms.telegram.sending import Sender
from bot.platforms.telegram.tuning import Tuning
from bot.ports.platform import Inbox
from bot.wording.say import later, translated

RIGHTS_UNKNOWN = later("Telegram does not tell me just now whether you are an admin here, so I did nothing. Please try again in a minute.")
_ADMINS = frozenset({ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR})

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs commands over one connection."""

    bot: Bot
    inbox: Inbox
    sender: Sender
    tuning: Tuning

    async def run(self, line: ParsedLine, asked: Asked, *, confirmed: bool = False) -> Answer:
        """Return what a command says. Raises TelegramError when Telegram does not tell whether the asker may run it."""
        call = replace(await self.call(line, asked), confirmed=confirmed)
        try:
            if _takes_file(line.command) and may_run(line.command, call):
                call = replace(call, file=await self._file(asked))
        except FileUnavailable as problem:
            return Answer(str(problem), private=True)
        if not line.command.slow:
            return await self.inbox.run_command(call)
        async with typing(self.bot, self.sender.current(asked.place), self.tuning.typing):
            return await self.inbox.run_command(call)

    async def answer(self, line: ParsedLine, asked: Asked) -> Answer:
        """Return what a typed command says; one for which Telegram does not tell the asker's rights is not run."""
        try:
            return await self.run(line, asked)
        except TelegramError as error:
            log.warning("telegram_rights_unknown", chat=asked.place.chat_id, problem=described(error))
            return Answer(translated(RIGHTS_UNKNOWN))

    async def call(self, line: ParsedLine, asked: Asked) -> CommandCall:
        """Return the use of a command, with the asker's rights at this moment. Raises TelegramError as `run` does."""
        return CommandCall(
            line.path,
            line.options,
            asked.asker,
            asked.conversation,
            asked.kind,
            asker_is_admin=await self._is_admin(line.command, asked),
            language=asked.language,
            about=asked.about,
        )

    async def _file(self, asked: Asked) -> UploadedFile | None:
        """Return the file that a command came with. Raises FileUnavailable."""
        if asked.upload is None:
            return None
        data = await fetch(self.bot, asked.upload, limit=MOST_UPLOADED)
        return UploadedFile(asked.upload.name, asked.upload.media_type, data)

    async def _is_admin(self, command: Command, asked: Asked) -> bool:
        """Return whether the asker manages the chat at this moment. Nobody in particular never does.

        Raises TelegramError when Telegram does not answer about a command for admins: then nothing may be done. What everybody
        may run is run all the same, as by anybody else.
        """
        if asked.kind is ConversationKind.DIRECT:
            return True
        is_for_admins = command.who is WhoMay.ADMINS
        if asked.asker.is_service or not (is_for_admins or command.admins_may_more):
            return False
        try:
            chat_id = self.sender.current(asked.place).chat_id
            member = await patiently(partial(self.bot.get_chat_member, chat_id, int(asked.asker.id)), self.tuning)
        except TelegramError as error:
            if is_for_admins and not isinstance(error, BadRequest):
                raise
            log.warning("telegram_rights_unknown", chat=asked.place.chat_id, problem=described(error))
            return False
        return member.status in _ADMINS


def with_options(line: ParsedLine, options: Mapping[str, str | int]) -> ParsedLine:
    """Return a command with more of its options."""
    return replace(line, options={**line.options, **options})


def _takes_file(command: Command) -> bool:
    return any(option.kind is OptionKind.FILE for option in command.options)
