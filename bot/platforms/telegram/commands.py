"""Runs commands that people type or confirm by a button, and brings the answers to the right eyes."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import structlog
from telegram import Bot, CallbackQuery, InlineKeyboardMarkup, Message, User
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, Forbidden, TelegramError

from bot.commands.escape import shown
from bot.commands.parse import ParseProblem, parse_line
from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.command import Answer, Command, CommandCall, OptionKind, UploadedFile, WhoMay, may_run
from bot.domain.message import Attachment, Part, Person, Quote
from bot.errors import FileUnavailable
from bot.platforms.telegram.attachments import attachments_of
from bot.platforms.telegram.buttons import Pressed, carries, keyboard, read_button
from bot.platforms.telegram.composing import typing
from bot.platforms.telegram.convert import author_of, conversation_of, kind_of, person, quote_of, to_entities
from bot.platforms.telegram.files import fetch
from bot.platforms.telegram.patience import patiently
from bot.platforms.telegram.refusals import described
from bot.platforms.telegram.render import render
from bot.platforms.telegram.sending import Place, Sender, place_in
from bot.platforms.telegram.split import split
from bot.platforms.telegram.tuning import Tuning
from bot.ports.platform import Inbox
from bot.wording.catalogues import ENGLISH
from bot.wording.say import in_language, later, say, translated

SENT_IN_PRIVATE = later("I sent you the answer in our private chat.")
CANCELLED = later("Cancelled. Nothing was changed.")
NOT_YOURS = later("Only the one who asked can press this.")
RIGHTS_UNKNOWN = later("Telegram does not tell me just now whether you are an admin here, so I did nothing. Please try again in a minute.")
TOO_OLD = later("This question is too old. Give the command again.")
_DECIDED_KEPT = 200
MOST_UPLOADED = 16 * 1024**2
"""Bytes of a file that comes with a command."""
_ADMINS = frozenset({ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR})

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """Who gave a command, and where."""

    asker: Person
    conversation: ConversationKey
    kind: ConversationKind
    language: str
    title: str = ""
    """The name of the group."""
    message_id: int | None = None
    about: Quote | None = None
    """The message that the command replies to."""
    upload: Attachment | None = None
    """A file that came with the command, or with what it replies to."""

    @property
    def place(self) -> Place:
        """Return where a public answer goes."""
        return place_in(self.conversation, self.message_id)


@dataclass(frozen=True, slots=True)
class CommandTalk:
    """Commands over one connection."""

    bot: Bot
    me: User
    inbox: Inbox
    sender: Sender
    tuning: Tuning
    decided: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=_DECIDED_KEPT))
    """The last questions whose button was pressed: a second tap is none."""

    async def answer_typed(self, line: str, message: Message) -> None:
        """Run a typed command and answer it; failures to answer are logged."""
        try:
            asked = _asked_by(message)
            with in_language(asked.language):
                await self._give(await self._answer_to(line, asked), asked)
        except TelegramError as error:
            log.warning("telegram_command_unanswered", chat=message.chat.id, problem=described(error))

    async def answer_pressed(self, query: CallbackQuery) -> None:
        """Run or drop the command that a button asked about; failures to answer are logged."""
        try:
            with in_language(_language_of(query.from_user)):
                await self._press(query)
        except TelegramError as error:
            log.warning("telegram_button_unanswered", problem=described(error))

    async def _answer_to(self, line: str, asked: Asked) -> Answer:
        """Return what a typed command says; one for which Telegram does not tell the asker's rights is not run."""
        try:
            return await self._run(line, asked)
        except TelegramError as error:
            log.warning("telegram_rights_unknown", chat=asked.place.chat_id, problem=described(error))
            return Answer(translated(RIGHTS_UNKNOWN))

    async def _press(self, query: CallbackQuery) -> None:
        pressed, message = read_button(query.data or ""), query.message
        if pressed is None or not isinstance(message, Message) or not carries(message, query.data or ""):
            await self._acknowledge(query, translated(TOO_OLD))
            return
        if pressed.asker_id not in {None, query.from_user.id}:
            await self._acknowledge(query, translated(NOT_YOURS))
            return
        await self._acknowledge(query)
        question = (message.chat.id, message.message_id)
        if not pressed.confirms:
            await self._replace(message, await self._decision(pressed, query.from_user, message), pressed)
        elif question not in self.decided:
            self.decided.append(question)
            await self._replace(message, await self._decision(pressed, query.from_user, message), pressed)

    async def _decision(self, pressed: Pressed, user: User, question: Message) -> Answer:
        """Return what comes of a press; one that failed on the way may be repeated."""
        if not pressed.line:
            return Answer(translated(CANCELLED))
        try:
            return await self._run(pressed.line, _asked_by_press(user, question, pressed), confirmed=pressed.confirms)
        except TelegramError:
            if pressed.confirms:
                self.decided.remove((question.chat.id, question.message_id))
            raise

    async def _acknowledge(self, query: CallbackQuery, problem: str = "") -> None:
        """Stop the button's spinning; a press that is too old for that is carried out all the same."""
        try:
            await query.answer(problem or None, show_alert=bool(problem))
        except BadRequest as error:
            log.info("telegram_press_not_acknowledged", problem=error.message)

    async def _run(self, line: str, asked: Asked, *, confirmed: bool = False) -> Answer:
        parsed = parse_line(line, self.inbox.commands)
        if isinstance(parsed, ParseProblem):
            return Answer(parsed.text)
        call = CommandCall(
            parsed.path,
            parsed.options,
            asked.asker,
            asked.conversation,
            asked.kind,
            asker_is_admin=await self._is_admin(parsed.command, asked),
            confirmed=confirmed,
            language=asked.language,
            about=asked.about,
        )
        try:
            if _takes_file(parsed.command) and may_run(parsed.command, call):
                call = replace(call, file=await self._file(asked))
        except FileUnavailable as problem:
            return Answer(str(problem), private=True)
        if not parsed.command.slow:
            return await self.inbox.run_command(call)
        async with typing(self.bot, self.sender.current(asked.place), self.tuning.typing):
            return await self.inbox.run_command(call)

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

    async def _give(self, answer: Answer, asked: Asked) -> None:
        has_eyes_of_its_own = asked.kind is ConversationKind.GROUP and not asked.asker.is_service
        if answer.private and has_eyes_of_its_own:
            hint = translated(SENT_IN_PRIVATE) if await self._give_in_private(answer, asked) else self._how_to_start()
            await self._send(asked.place, split(render(hint)))
            return
        buttons = keyboard(answer, asker_id=int(asked.asker.id))
        await self._send(asked.place, split(render(answer.text)), buttons)
        await self._send_file(asked.place, answer)

    async def _give_in_private(self, answer: Answer, asked: Asked) -> bool:
        """Send an answer to the asker alone; False when Telegram does not let the bot write to them."""
        asker_id = int(asked.asker.id)
        buttons = keyboard(answer, asker_id=asker_id, asked_in=asked.conversation)
        parts = split(render(f"*{shown(asked.title)}*\n\n{answer.text}" if asked.title else answer.text))
        try:
            await self._send(Place(asker_id), parts, buttons)
            await self._send_file(Place(asker_id), answer)
        except (Forbidden, BadRequest) as error:
            log.info("telegram_private_answer_refused", problem=error.message)
            return False
        return True

    async def _replace(self, question: Message, answer: Answer, pressed: Pressed) -> None:
        """Put the answer in place of the question and its buttons; buttons of its own stand below its first part."""
        parts = split(render(answer.text))
        buttons = keyboard(answer, asker_id=pressed.asker_id or question.chat.id, asked_in=pressed.asked_in)
        try:
            for part in parts[:1]:
                edit = partial(question.edit_text, part.text, entities=to_entities(part), reply_markup=buttons)
                await patiently(edit, self.tuning)
            parts = parts[1:]
        except BadRequest as error:
            log.info("telegram_question_not_replaced", chat=question.chat.id, problem=error.message)
        await self._send(place_in(conversation_of(question)), parts)
        await self._send_file(place_in(conversation_of(question)), answer)

    async def _send_file(self, place: Place, answer: Answer) -> None:
        if answer.file is not None:
            await patiently(partial(self.sender.send_file, place, answer.file), self.tuning)

    async def _send(self, place: Place, parts: Sequence[Part], buttons: InlineKeyboardMarkup | None = None) -> None:
        """Send parts in order, the first as a reply, the last with the buttons."""
        for index, part in enumerate(parts):
            here = place if index == 0 else replace(place, reply_to=None)
            with_buttons = buttons if index == len(parts) - 1 else None
            await patiently(partial(self.sender.send, here, part, keyboard=with_buttons), self.tuning)

    def _how_to_start(self) -> str:
        return say(
            "The answer is for you alone. Open {link}, press Start, and give the command again here.",
            link=f"https://t.me/{self.me.username}",
        )


def _asked_by(message: Message) -> Asked:
    return Asked(
        author_of(message),
        conversation_of(message),
        kind_of(message.chat),
        _language_of(message.from_user),
        title=message.chat.title or "",
        message_id=message.message_id,
        about=quote_of(message),
        upload=_upload_of(message),
    )


def _upload_of(message: Message) -> Attachment | None:
    """Return the file of a message, or of the one that it replies to."""
    replied = message.reply_to_message
    return next(iter([*attachments_of(message), *(attachments_of(replied) if replied is not None else ())]), None)


def _takes_file(command: Command) -> bool:
    return any(option.kind is OptionKind.FILE for option in command.options)


def _asked_by_press(user: User, question: Message, pressed: Pressed) -> Asked:
    if pressed.asked_in is not None:
        return Asked(person(user), pressed.asked_in, ConversationKind.GROUP, _language_of(user))
    return Asked(person(user), conversation_of(question), kind_of(question.chat), _language_of(user))


def _language_of(user: User | None) -> str:
    return (user.language_code if user else None) or ENGLISH
