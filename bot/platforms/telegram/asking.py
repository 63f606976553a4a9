"""Asks for what a command lacks, one thing after the other, and runs it when all is there."""

import time
from dataclasses import dataclass, replace
from functools import partial

import structlog
from telegram import ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, Message, User
from telegram.error import BadRequest, Forbidden, TelegramError

from bot.commands.escape import shown
from bot.commands.parse import ParsedLine
from bot.commands.questions import how_to_answer, lacking, offered, question, value_of
from bot.domain.chat import ConversationKind
from bot.domain.command import AnswerFile, CommandCall, OptionKind, may_run
from bot.domain.message import Part, Span, StyleKind
from bot.domain.text import one_line, utf16_length
from bot.platforms.telegram.asked import Asked, asked_by
from bot.platforms.telegram.attachments import attachments_of, with_text
from bot.platforms.telegram.buttons import CANCEL_LABEL, Pressed, answering
from bot.platforms.telegram.convert import to_entities
from bot.platforms.telegram.giving import Giver
from bot.platforms.telegram.patience import patiently
from bot.platforms.telegram.questions import BEING_SENT, CANCEL, MARK, SKIP, Meaning, Question, Questions, Step
from bot.platforms.telegram.refusals import described
from bot.platforms.telegram.render import render
from bot.platforms.telegram.running import RIGHTS_UNKNOWN, Runner, with_options
from bot.platforms.telegram.sending import Place
from bot.platforms.telegram.split import split
from bot.wording.say import later, say, translated

CANCELLED = later("Cancelled. Nothing was changed.")
NOTHING_OPEN = later("There is nothing to cancel.")
ASKED_IN_PRIVATE = later("I have a question about that, and asked it in our private chat.")
OF_ANOTHER = later("Somebody else was asked that. Give the command yourself.")
LEFT_OUT = later("Left out.")
_SKIP_LABEL = later("Leave out")
_LONGEST_HINT = 64
_LONGEST_LABEL = 60
_SHORT_LABEL = 18
"""Of these two fit beside one another."""
_LONGEST_COPY = 4000
"""UTF-16 units of a text to be copied in one message; a longer one comes as a file."""
_IN_A_ROW = 2

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks questions over one connection."""

    runner: Runner
    giver: Giver
    questions: Questions

    async def begin(self, line: ParsedLine, asked: Asked) -> bool:
        """Ask for what a command lacks, or say that it is not the asker's; False when it lacks nothing. Raises TelegramError."""
        options = () if asked.asker.is_service else lacking(line.command, line.options, has_file=asked.upload is not None)
        if not options:
            return False
        call = await self.runner.call(line, asked)
        if not may_run(line.command, call):
            await self.giver.give(await self.runner.inbox.run_command(call), asked)
        elif line.command.private and asked.kind is ConversationKind.GROUP:
            await self._begin_in_private(call, Question(asked, line, options, Place(int(asked.asker.id)), is_elsewhere=True))
        else:
            await self._ask(call, Question(asked, line, options, asked.place))
        return True

    async def take(self, step: Step, message: Message) -> None:
        """Go on with what a message is to a question. Raises TelegramError."""
        here = asked_by(message).place
        if step.question is None:
            await self.giver.say(_without_question(step), here)
            return
        asked = replace(step.question, place=here)
        await self._take_buttons_away(step.question)
        match step.meaning:
            case Meaning.CANCEL:
                await self.giver.say(translated(CANCELLED), here)
            case Meaning.SKIP if asked.option.required:
                await self._ask_again(asked, say("This cannot be left out."))
            case Meaning.SKIP:
                await self._go_on(asked, asked.line)
            case _ if asked.option.kind is OptionKind.FILE:
                await self._take_file(asked, message)
            case _:
                await self._take_text(asked, message)

    async def take_press(self, user: User, message: Message, pressed: Pressed) -> bool:
        """Take a pressed button for the answer to its question; False when that is not open any more. Raises TelegramError."""
        asked = self.questions.pressed(message, user.id)
        if asked is None:
            return False
        if pressed.line in {CANCEL, SKIP}:
            await self._show_answer(message, asked, translated(CANCELLED if pressed.line == CANCEL else LEFT_OUT))
            if pressed.line == SKIP:
                await self._go_on(asked, asked.line)
        else:
            choice = asked.choices[int(pressed.line)]
            await self._show_answer(message, asked, shown(choice.label))
            await self._go_on(asked, with_options(asked.line, {asked.option.name: choice.value}))
        return True

    async def _begin_in_private(self, call: CommandCall, asked: Question) -> None:
        """Ask where the answer will be given, and tell so in the group."""
        try:
            await self._ask(call, asked)
            hint = translated(ASKED_IN_PRIVATE)
        except (Forbidden, BadRequest) as error:
            log.info("telegram_private_answer_refused", problem=error.message)
            hint = self.giver.how_to_start()
        await self.giver.say(hint, asked.asked.place)

    async def _take_file(self, asked: Question, message: Message) -> None:
        upload = next(iter(attachments_of(message)), None)
        if upload is None:
            await self._ask_again(asked, say("I need a file for that."))
        else:
            await self._go_on(replace(asked, asked=replace(asked.asked, upload=upload)), asked.line)

    async def _take_text(self, asked: Question, message: Message) -> None:
        """Take what an answer says; a long text may come as a file."""
        text = message.text or message.caption or ""
        if not text and asked.option.is_long:
            text = "".join([(await with_text(self.runner.bot, file)).text for file in attachments_of(message)])
        try:
            value = value_of(asked.line.command, asked.option, text)
        except ValueError as problem:
            await self._ask_again(asked, str(problem))
        else:
            await self._go_on(asked, with_options(asked.line, {asked.option.name: value}))

    async def _go_on(self, asked: Question, line: ParsedLine) -> None:
        """Ask the next question, or run the command: with the rights that its asker has by now."""
        if asked.options[1:]:
            try:
                call = await self.runner.call(line, asked.asked)
            except TelegramError as error:
                log.warning("telegram_rights_unknown", chat=asked.place.chat_id, problem=described(error))
                await self._ask_again(asked, translated(RIGHTS_UNKNOWN))
                return
            if may_run(line.command, call):
                await self._ask(call, replace(asked, line=line, options=asked.options[1:]))
                return
        answer = await self.runner.answer(line, asked.asked)
        if not asked.is_elsewhere:
            await self.giver.give(answer, replace(asked.asked, message_id=asked.place.reply_to))
        elif not await self.giver.give_in_private(answer, asked.asked):
            log.warning("telegram_command_unanswered", chat=asked.place.chat_id)

    async def _ask_again(self, asked: Question, problem: str) -> None:
        """Ask the same once more, and say why. Nobody's rights are looked at for that, so only what is known already is shown."""
        await self._send(asked, how_to_answer(asked.option, by_reply=not asked.is_private, choices=asked.choices), problem)

    async def _ask(self, call: CommandCall, asked: Question) -> None:
        """Ask a question, with what can be chosen and what can be copied."""
        option, inbox = asked.option, self.runner.inbox
        asked = replace(asked, choices=await offered(inbox, call, option))
        prefill = await inbox.prefill(call, option.name) if option.prefill else ""
        if prefill:
            await self._show_prefill(asked, prefill)
        hint = how_to_answer(option, by_reply=not asked.is_private, choices=asked.choices, prefilled=bool(prefill))
        await self._send(asked, hint)

    async def _send(self, asked: Question, *below: str) -> None:
        """Send a question with lines below it, and open it."""
        heading = f"{MARK}{question(asked.line.command, asked.option)}"
        group = f"*{shown(asked.asked.title)}*" if asked.is_elsewhere and asked.asked.title else ""
        text = "\n".join(filter(None, [heading, group, *reversed(below)]))
        until = time.monotonic() + self.giver.tuning.answer_seconds
        # Opened before it is sent: an answer may be here before Telegram says that the question is.
        opened = replace(asked, place=replace(asked.place, reply_to=None), message_id=BEING_SENT, until=until)
        self.questions.put(opened)
        try:
            message = await self.giver.send(asked.place, split(render(text)), _markup(asked))
        except TelegramError:
            self.questions.drop(opened)
            raise
        if message is not None and self.questions.drop(opened):
            self.questions.put(replace(opened, message_id=message.message_id))

    async def _show_prefill(self, asked: Question, text: str) -> None:
        """Show a text so that a tap copies it; a long one comes as a file."""
        if utf16_length(text) > _LONGEST_COPY:
            await self.giver.send_file(asked.place, AnswerFile(f"{asked.option.name}.md", text.encode()))
        else:
            await self.giver.send(asked.place, [Part(text, (Span(StyleKind.CODE_BLOCK, 0, utf16_length(text)),))])

    async def _show_answer(self, message: Message, asked: Question, answer: str) -> None:
        """Put what was chosen below the question, in place of its buttons."""
        (part, *_) = split(render(f"{MARK}{question(asked.line.command, asked.option)}\n{answer}"))
        try:
            await patiently(partial(message.edit_text, part.text, entities=to_entities(part)), self.giver.tuning)
        except BadRequest as error:
            log.info("telegram_question_not_replaced", chat=message.chat.id, problem=error.message)

    async def _take_buttons_away(self, asked: Question) -> None:
        if asked.message_id == BEING_SENT or not isinstance(_markup(asked), InlineKeyboardMarkup):
            return
        try:
            await self.runner.bot.edit_message_reply_markup(asked.place.chat_id, asked.message_id)
        except TelegramError as error:
            log.info("telegram_buttons_left", chat=asked.place.chat_id, problem=described(error))


def _without_question(step: Step) -> str:
    """Return what somebody is told whose message answers no open question of theirs."""
    match step.meaning:
        case Meaning.OF_ANOTHER:
            return translated(OF_ANOTHER)
        case Meaning.NOTHING_OPEN:
            return translated(NOTHING_OPEN)
        case _:
            return say("That question is no longer open, and your answer was not taken. Give `{command}` again.", command=step.command)


def _markup(asked: Question) -> InlineKeyboardMarkup | ForceReply:
    """Return buttons where there are some to offer; else, in a group, what opens the answer for the asker alone."""
    option = asked.option
    if not asked.is_private and not asked.choices:
        return ForceReply(selective=True, input_field_placeholder=one_line(translated(option.question or option.summary), _LONGEST_HINT))
    ways_out = [(translated(_SKIP_LABEL), SKIP)] if not option.required else []
    ways_out.append((translated(CANCEL_LABEL), CANCEL))
    offered = [(one_line(choice.label, _LONGEST_LABEL), str(index)) for index, choice in enumerate(asked.choices)]
    in_a_row = _IN_A_ROW if all(len(label) <= _SHORT_LABEL for label, _ in offered) else 1
    rows = [offered[start : start + in_a_row] for start in range(0, len(offered), in_a_row)]
    asker_id = int(asked.asked.asker.id)
    return InlineKeyboardMarkup(
        [[InlineKeyboardButton(label, callback_data=answering(asker_id, says)) for label, says in row] for row in [*rows, ways_out]]
    )
