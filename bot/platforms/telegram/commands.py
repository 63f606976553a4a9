"""Runs commands that people type or confirm by a button, and brings the answers to the right eyes."""

from collections import deque
from dataclasses import dataclass, field

import structlog
from telegram import CallbackQuery, Message, User
from telegram.error import BadRequest, TelegramError

from bot.commands.parse import ParseProblem, parse_line
from bot.domain.command import Answer
from bot.platforms.telegram.asked import Asked, asked_by, asked_by_press, language_of
from bot.platforms.telegram.asking import CANCELLED, Asking
from bot.platforms.telegram.buttons import Pressed, carries, read_button
from bot.platforms.telegram.giving import Giver
from bot.platforms.telegram.questions import Questions, Step
from bot.platforms.telegram.refusals import described
from bot.platforms.telegram.running import RIGHTS_UNKNOWN, Runner
from bot.wording.say import in_language, later, translated

NOT_YOURS = later("Only the one who asked can press this.")
TOO_OLD = later("This question is too old. Give the command again.")
_DECIDED_KEPT = 200

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class CommandTalk:
    """Commands over one connection."""

    runner: Runner
    giver: Giver
    questions: Questions
    decided: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=_DECIDED_KEPT))
    """The last questions whose button was pressed: a second tap is none."""

    @property
    def asking(self) -> Asking:
        """Return what asks for what a command lacks."""
        return Asking(self.runner, self.giver, self.questions)

    async def answer_typed(self, line: str, message: Message) -> None:
        """Run a typed command and answer it, or ask for what it lacks; failures to answer are logged."""
        try:
            asked = asked_by(message)
            with in_language(asked.language):
                await self._answer(line, asked)
        except TelegramError as error:
            log.warning("telegram_command_unanswered", chat=message.chat.id, problem=described(error))

    async def answer_step(self, step: Step, message: Message) -> None:
        """Go on with a command for which somebody was asked something; failures to answer are logged."""
        try:
            with in_language(language_of(message.from_user)):
                await self.asking.take(step, message)
        except TelegramError as error:
            log.warning("telegram_command_unanswered", chat=message.chat.id, problem=described(error))

    async def answer_pressed(self, query: CallbackQuery) -> None:
        """Run or drop the command that a button asked about; failures to answer are logged."""
        try:
            with in_language(language_of(query.from_user)):
                await self._press(query)
        except TelegramError as error:
            log.warning("telegram_button_unanswered", problem=described(error))

    async def _answer(self, line: str, asked: Asked) -> None:
        parsed = parse_line(line, self.runner.inbox.commands)
        begun = parsed.begun if isinstance(parsed, ParseProblem) else parsed
        try:
            if begun is not None and await self.asking.begin(begun, asked):
                return
        except TelegramError as error:
            log.warning("telegram_rights_unknown", chat=asked.place.chat_id, problem=described(error))
            await self.giver.give(Answer(translated(RIGHTS_UNKNOWN)), asked)
            return
        answer = Answer(parsed.text) if isinstance(parsed, ParseProblem) else await self.runner.answer(parsed, asked)
        await self.giver.give(answer, asked)

    async def _press(self, query: CallbackQuery) -> None:
        pressed, message = read_button(query.data or ""), query.message
        if pressed is None or not isinstance(message, Message) or not carries(message, query.data or ""):
            await self._acknowledge(query, translated(TOO_OLD))
            return
        if pressed.asker_id not in {None, query.from_user.id}:
            await self._acknowledge(query, translated(NOT_YOURS))
            return
        if pressed.answers:
            if await self.asking.take_press(query.from_user, message, pressed):
                await self._acknowledge(query)
            else:
                await self._acknowledge(query, translated(TOO_OLD))
            return
        await self._acknowledge(query)
        question = (message.chat.id, message.message_id)
        if not pressed.confirms:
            self._reopen(question)  # what it shows from here on is another question
            await self.giver.replace(message, await self._decision(pressed, query.from_user, message), pressed)
        elif question not in self.decided:
            self.decided.append(question)
            await self.giver.replace(message, await self._decision(pressed, query.from_user, message), pressed)

    async def _decision(self, pressed: Pressed, user: User, question: Message) -> Answer:
        """Return what comes of a press; one that failed on the way may be repeated."""
        if not pressed.line:
            return Answer(translated(CANCELLED))
        try:
            parsed = parse_line(pressed.line, self.runner.inbox.commands)
            if isinstance(parsed, ParseProblem):
                return Answer(parsed.text)
            return await self.runner.run(parsed, asked_by_press(user, question, pressed), confirmed=pressed.confirms)
        except TelegramError:
            if pressed.confirms:
                self._reopen((question.chat.id, question.message_id))
            raise

    def _reopen(self, question: tuple[int, int]) -> None:
        """Let a question be decided once more."""
        if question in self.decided:
            self.decided.remove(question)

    async def _acknowledge(self, query: CallbackQuery, problem: str = "") -> None:
        """Stop the button's spinning; a press that is too old for that is carried out all the same."""
        try:
            await query.answer(problem or None, show_alert=bool(problem))
        except BadRequest as error:
            log.info("telegram_press_not_acknowledged", problem=error.message)
