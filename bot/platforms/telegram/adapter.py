"""Baku on Telegram."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

import structlog
from telegram import Bot
from telegram.error import InvalidToken, TelegramError

from bot.domain.chat import TELEGRAM, ConversationKey, ConversationKind
from bot.domain.command import AnswerFile
from bot.domain.message import Attachment, Part, ReplyTarget
from bot.errors import DeliveryDelayed, DeliveryRefused, FileUnavailable, LoginRefused
from bot.platforms.alongside import alongside
from bot.platforms.growing import GrowingMessage, NoDraft
from bot.platforms.operator import tell_terminal
from bot.platforms.telegram.commands import CommandTalk
from bot.platforms.telegram.composing import Preview, typing
from bot.platforms.telegram.examine import API_BASE
from bot.platforms.telegram.files import fetch
from bot.platforms.telegram.giving import Giver
from bot.platforms.telegram.menu import publish_menu
from bot.platforms.telegram.polling import Poll
from bot.platforms.telegram.questions import Questions
from bot.platforms.telegram.reception import KINDS, Reception
from bot.platforms.telegram.refusals import NOT_LOGGED_IN, delivery_error, described
from bot.platforms.telegram.render import render
from bot.platforms.telegram.request import Calls, UpdateCalls
from bot.platforms.telegram.rights import introduction, missing_rights
from bot.platforms.telegram.running import Runner
from bot.platforms.telegram.sending import Sender, pass_on_moves, place_in, place_of
from bot.platforms.telegram.split import split
from bot.platforms.telegram.tappable import tappable_names
from bot.platforms.telegram.tuning import Tuning
from bot.platforms.telegram.webhook import Webhook, webhook_open
from bot.ports.platform import Draft, Inbox, NotePosted
from bot.ports.throttle import Throttle

_CHATTY_LOGGERS = ("httpx", "httpcore", "telegram", "tornado")
"""They log addresses that hold the token, and what people write."""

log = structlog.get_logger(__name__)


class TelegramPlatform:
    """The Platform that speaks Telegram. It polls for updates, or has them delivered where a webhook is given."""

    def __init__(
        self,
        token: str,
        *,
        api_base: str | None = None,
        webhook: Webhook | None = None,
        tuning: Tuning | None = None,
        throttle: Throttle | None = None,
        tell_operator: Callable[[str], None] = tell_terminal,
    ) -> None:
        """Take the bot's token, and another address of Telegram if there is one. `tell_operator` gets what a person should read."""
        self._token = token
        self._api_base = (api_base or API_BASE).rstrip("/")
        self._webhook = webhook
        self._tuning = tuning or Tuning()
        self._sender: Sender | None = None
        self._connected = asyncio.Event()
        self._moved: dict[int, int] = {}
        self._questions = Questions()
        self._throttle = throttle
        self._tell_operator = tell_operator

    @property
    def name(self) -> str:
        """Return the platform of its conversations."""
        return TELEGRAM

    @property
    def is_connected(self) -> bool:
        """Say whether the bot is logged in."""
        return self._connected.is_set()

    @property
    def listens_alone(self) -> bool:
        """Say whether it is asked for updates: Telegram answers one who asks. A webhook may lead to many."""
        return self._webhook is None

    async def run(self, inbox: Inbox) -> None:
        """Stay connected until cancelled. Raises LoginRefused when Telegram does not know the token."""
        async with self._logged_in() as sender:
            problem = await self._serve(sender.bot, sender, inbox)
        raise LoginRefused(problem)

    async def run_sending(self, inbox: Inbox) -> None:
        """Be able to send until cancelled, without asking for updates: another process does that."""
        async with self._logged_in() as sender:
            await pass_on_moves(sender, inbox, self._tuning)

    @asynccontextmanager
    async def _logged_in(self) -> AsyncIterator[Sender]:
        for name in _CHATTY_LOGGERS:
            logging.getLogger(name).setLevel(logging.WARNING)
        bot = self._make_bot()
        try:
            await self._log_in(bot)
            self._sender = Sender(bot, self._moved)
            self._connected.set()
            yield self._sender
        finally:
            self._connected.clear()
            self._sender = None
            await bot.shutdown()

    async def is_public(self, conversation: ConversationKey) -> bool:
        """Say whether everybody in the group can read along there: a group is its own space, and all its members read all topics."""
        return conversation.channel_id.startswith("-") and conversation.space_id == conversation.channel_id

    async def missing_rights(self, conversation: ConversationKey) -> Sequence[str]:
        """Return what the bot may not do there just now; what it can do without comes last, so marked."""
        if self._sender is None:
            return ()
        place = self._sender.current(place_in(conversation))
        return await missing_rights(self._sender.bot, place.chat_id, in_topic=place.topic_id is not None)

    async def fetch(self, attachment: Attachment, *, limit: int) -> bytes:
        """Return the bytes of a file that came with a message, at most `limit`. Raises FileUnavailable."""
        if self._sender is None:
            raise FileUnavailable("Telegram is out of reach just now.")
        return await fetch(self._sender.bot, attachment, limit=limit)

    def parts(self, text: str) -> Sequence[Part]:
        """Return Markdown as messages of at most 4,096 UTF-16 units, each with its own spans."""
        return split(render(text))

    async def send(self, target: ReplyTarget, part: Part, *, nonce: str, draft_id: str = "") -> str:  # noqa: ARG002 - Telegram has no key that stops doubles
        """Send one part and return its id; waits a moment for the bot to be logged in. Raises DeliveryDelayed or DeliveryRefused."""
        sender, place = await self._reached(), place_of(target)
        try:
            if draft_id and await sender.rewrite(place, part, int(draft_id)):
                return draft_id
            message = await sender.send(place, part)
        except TelegramError as error:
            raise delivery_error(error, self._tuning) from None
        # A group may have moved meanwhile: ids there begin anew.
        return str(message.message_id) if message.chat.id not in self._moved else f"{message.chat.id}/{message.message_id}"

    async def send_file(self, target: ReplyTarget, file: AnswerFile, text: str, *, nonce: str = "") -> str:  # noqa: ARG002 - Telegram has no key that stops doubles
        """Send a file with some Markdown and return the message's id. Raises DeliveryDelayed or DeliveryRefused."""
        try:
            message = await (await self._reached()).send_file(place_of(target), file, next(iter(self.parts(text)), None))
        except TelegramError as error:
            raise delivery_error(error, self._tuning) from None
        return str(message.message_id)

    async def react(self, target: ReplyTarget, emoji: str) -> None:
        """Put a reaction to the message that is replied to; not all emoji are allowed there."""
        try:
            await (await self._ready()).react(place_of(target), emoji)
        except TelegramError as error:
            log.info("telegram_reaction_not_put", problem=described(error))

    @asynccontextmanager
    async def composing(self, target: ReplyTarget, *, draft_id: str = "", posted: NotePosted | None = None) -> AsyncIterator[Draft]:
        """Show that the bot is typing, as long as the context is open, and what it has written so far."""
        if self._sender is None:
            yield NoDraft(draft_id)
            return
        bot, place = self._sender.bot, self._sender.current(place_of(target))
        async with typing(bot, place, self._tuning.typing), self._growing(target, draft_id, posted) as growing:
            is_private = target.kind is ConversationKind.DIRECT and not draft_id
            yield Preview(bot, place, self._tuning.draft, growing) if is_private else growing

    async def withdraw(self, target: ReplyTarget, draft_id: str) -> None:
        """Delete the message that showed a draft."""
        sender = await self._ready()
        try:
            await sender.bot.delete_message(sender.current(place_of(target)).chat_id, int(draft_id))
        except TelegramError as error:
            log.warning("telegram_draft_left", problem=described(error))

    @asynccontextmanager
    async def _growing(self, target: ReplyTarget, draft_id: str, posted: NotePosted | None) -> AsyncIterator[Draft]:
        if posted is None:
            yield NoDraft(draft_id)
            return
        post, edit = partial(self._post, target), partial(self._edit, target)
        draft = GrowingMessage(self.parts, post, edit, posted, self._tuning.growing, draft_id)
        async with draft.growing():
            yield draft

    async def _post(self, target: ReplyTarget, part: Part) -> str:
        return await self.send(target, part, nonce="")

    async def _edit(self, target: ReplyTarget, message_id: str, part: Part) -> None:
        try:
            is_there = await (await self._reached()).rewrite(place_of(target), part, int(message_id))
        except TelegramError as error:
            raise delivery_error(error, self._tuning) from None
        if not is_there:
            raise DeliveryRefused("The message that showed the answer is gone.")

    async def _reached(self) -> Sender:
        """Return what sends, where the bot is logged in or will be in a moment. Raises DeliveryDelayed."""
        try:
            async with asyncio.timeout(self._tuning.connect_seconds):
                return await self._ready()
        except TimeoutError:
            raise DeliveryDelayed("Telegram is out of reach.", retry_after=self._tuning.connect_seconds, everywhere=True) from None

    async def _ready(self) -> Sender:
        while self._sender is None:
            await self._connected.wait()
        return self._sender

    async def _log_in(self, bot: Bot) -> None:
        failures = 0
        while True:
            try:
                await bot.initialize()
            except InvalidToken:
                # The library's text holds the token.
                raise LoginRefused(NOT_LOGGED_IN) from None
            except TelegramError as error:
                failures += 1
                wait = self._tuning.wait_after(failures, error)
                log.warning("telegram_out_of_reach", problem=described(error), retry_in=round(wait, 1))
                await asyncio.sleep(wait)
            else:
                known = introduction(bot.bot)
                log.info(
                    "telegram_connected", bot=known.name, hears_all_in_groups=bool(bot.can_read_all_group_messages), group_link=known.link
                )
                self._tell_operator(str(known))
                return

    async def _serve(self, bot: Bot, sender: Sender, inbox: Inbox) -> str:
        """Take updates; return only when no new try can help, and why."""
        async with alongside(pass_on_moves(sender, inbox, self._tuning)), asyncio.TaskGroup() as tasks:
            tasks.create_task(publish_menu(bot, inbox.commands, self._tuning))
            runner = Runner(bot, inbox, sender, self._tuning)
            giver = Giver(bot, bot.bot, sender, self._tuning, tappable_names(inbox.commands))
            talk = CommandTalk(runner, giver, self._questions)
            reception = Reception(bot, bot.bot, inbox, sender, talk, tasks, self._tuning)
            if self._webhook is None:
                await Poll(bot, KINDS, reception.take, reception.caught_up, self._tuning).until_refused()
                return NOT_LOGGED_IN
            return await self._listen(bot, self._webhook, reception)

    async def _listen(self, bot: Bot, webhook: Webhook, reception: Reception) -> str:
        try:
            async with webhook_open(bot, webhook, reception.take_one, KINDS):
                await asyncio.Event().wait()
        except OSError as error:
            return f"Port {webhook.port} cannot be listened on ({error.strerror}). Set TELEGRAM_WEBHOOK_PORT to a free one."
        except InvalidToken:
            pass
        return NOT_LOGGED_IN

    def _make_bot(self) -> Bot:
        return Bot(
            self._token,
            base_url=f"{self._api_base}/bot",
            base_file_url=f"{self._api_base}/file/bot",
            request=Calls(self._throttle),
            get_updates_request=UpdateCalls(),
        )
