"""Questions for what a command lacks, while they are open: whose answer a message is. In this process's memory alone."""

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from telegram import Message, MessageEntity, User

from bot.commands.parse import ParsedLine
from bot.domain.chat import ConversationKind
from bot.domain.command import Choice, Command, Option
from bot.platforms.telegram.asked import Asked
from bot.platforms.telegram.convert import author_of, conversation_of, kind_of, words_of
from bot.platforms.telegram.sending import Place
from bot.platforms.telegram.typed import Addressee, typed_command

MARK = "✏️ "
"""What a question begins with; a command in code letters follows. So one is known again when nothing else of it is."""
CANCEL, SKIP = "cancel", "skip"
BEING_SENT = 0
"""The id of a message of which Telegram has not told it yet."""
MOST_OPEN = 200
"""With one more, the oldest is let go of."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question for an option. The answer is a reply to it by whoever gave the command, or in a direct chat what they say next."""

    asked: Asked
    line: ParsedLine
    """The command with what is known of its options."""
    options: tuple[Option, ...]
    """What is to be asked for; the first is asked for now."""
    place: Place
    message_id: int = BEING_SENT
    choices: Sequence[Choice] = ()
    """What is offered as buttons."""
    until: float = 0.0
    """On the clock of `time.monotonic`."""
    is_elsewhere: bool = False
    """A group's command, asked about in the asker's direct chat."""
    awaits_next: bool = True
    """In a direct chat: what the asker says next is the answer."""

    @property
    def is_private(self) -> bool:
        """Say whether it is asked in a direct chat."""
        return self.is_elsewhere or self.asked.kind is ConversationKind.DIRECT

    @property
    def key(self) -> tuple[int, int, str]:
        """Return who is asked, and where."""
        return self.place.chat_id, self.place.topic_id or 0, self.asked.asker.id

    def stands_in(self, message: Message) -> bool:
        """Say whether a message of ours shows it."""
        is_ours = self.message_id == BEING_SENT and command_asked_about(message) == f"/{self.line.command.name}"
        return is_ours or message.message_id == self.message_id

    @property
    def option(self) -> Option:
        """Return what is asked for."""
        return self.options[0]


class Meaning(StrEnum):
    """What a message is to an open question, or to one that is not open any more."""

    ANSWER = "answer"
    CANCEL = "cancel"
    SKIP = "skip"
    GONE = "gone"
    """An answer to a question that is not open."""
    OF_ANOTHER = "of_another"
    """An answer to a question that somebody else was asked."""
    NOTHING_OPEN = "nothing_open"
    """A wish to stop what nobody has begun."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a message is to a question."""

    meaning: Meaning
    question: Question | None = None
    command: str = ""
    """The command of a question that is gone."""


@dataclass(slots=True)
class Questions:
    """The open questions, at most one a person and place."""

    open: OrderedDict[tuple[int, int, str], Question] = field(default_factory=OrderedDict)

    def put(self, question: Question) -> None:
        """Open a question in place of the last one to that person there."""
        self.open.pop(question.key, None)
        self.open[question.key] = question
        while len(self.open) > MOST_OPEN:
            self.open.popitem(last=False)

    def drop(self, question: Question) -> bool:
        """Close a question; False when it is answered by now, or another one stands in its place."""
        is_there = self.open.get(question.key) is question
        if is_there:
            del self.open[question.key]
        return is_there

    def step(self, message: Message, me: User, commands: Sequence[Command]) -> Step | None:
        """Return what a message is to a question, which is then not open any more; None for any other message."""
        question, replied = self._of(message), _reply_to(message, me)
        word, typed = _control_word(message, me), typed_command(message, me, commands)
        is_reply = question is not None and replied is not None and question.stands_in(replied)
        if question is not None and word:
            return self._close(question, Meaning(word))
        elsewhere = self._asked_elsewhere(message) if word == CANCEL else None
        if elsewhere is not None:
            return self._close(elsewhere, Meaning.CANCEL)
        if word == CANCEL and replied is None and kind_of(message.chat) is ConversationKind.DIRECT:
            return Step(Meaning.NOTHING_OPEN)
        if typed is not None and typed.addressee is not Addressee.ANYBODY and not word:
            self._stop_awaiting(question)
            return None
        if question is not None and (is_reply or (question.is_private and question.awaits_next and message.reply_to_message is None)):
            return self._close(question, Meaning.ANSWER)
        return self._to_another(message, replied)

    def pressed(self, message: Message, asker_id: int) -> Question | None:
        """Return the open question whose button somebody presses, which is then not open any more."""
        key = (message.chat.id, _topic_of(message), str(asker_id))
        question = self.open.get(key)
        if question is None or not question.stands_in(message) or question.until < time.monotonic():
            return None
        return self.open.pop(key)

    def _of(self, message: Message) -> Question | None:
        key = (message.chat.id, _topic_of(message), author_of(message).id)
        question = self.open.get(key)
        if question is not None and question.until < time.monotonic():
            del self.open[key]
            return None
        return question

    def _asked_elsewhere(self, message: Message) -> Question | None:
        """Return what the author of a message in a group was asked in private about a command that they gave there."""
        asker, place = author_of(message).id, conversation_of(message)
        known = (one for one in self.open.values() if one.is_elsewhere and one.until >= time.monotonic())
        return next((one for one in known if (one.asked.asker.id, one.asked.conversation) == (asker, place)), None)

    def _close(self, question: Question, meaning: Meaning) -> Step:
        self.drop(question)
        return Step(meaning, question)

    def _stop_awaiting(self, question: Question | None) -> None:
        """Take no next message for an answer: whoever gives another command has turned to something else. Replies still are."""
        if question is not None:
            self.put(replace(question, awaits_next=False))

    def _to_another(self, message: Message, replied: Message | None) -> Step | None:
        command = command_asked_about(replied) if replied is not None else ""
        if replied is None or not command:
            return None
        here = (one for one in self.open.values() if one.place.chat_id == message.chat.id)
        is_open = any(one.message_id == replied.message_id and one.until >= time.monotonic() for one in here)
        return Step(Meaning.OF_ANOTHER if is_open else Meaning.GONE, command=command)


def command_asked_about(message: Message) -> str:
    """Return the command that a message of ours asks about, such as `/persona create`; empty where it is no question."""
    text = message.text or ""
    first = next((entity for entity in message.entities if entity.type == MessageEntity.CODE), None)
    is_question = text.startswith(MARK) and first is not None and first.offset == len(MARK.encode("utf-16-le")) // 2
    command = words_of(text, first) if is_question and first is not None else ""
    return command if command.startswith("/") else ""


def _reply_to(message: Message, me: User) -> Message | None:
    replied = message.reply_to_message
    return replied if replied is not None and replied.from_user is not None and replied.from_user.id == me.id else None


def _control_word(message: Message, me: User) -> str:
    """Return `cancel` or `skip` where somebody types that."""
    word, _, bot = (message.text or "").strip().casefold().partition("@")
    is_ours = not bot or bot == (me.username or "").casefold()
    return word[1:] if is_ours and word in {f"/{CANCEL}", f"/{SKIP}"} and message.forward_origin is None else ""


def _topic_of(message: Message) -> int:
    return int(conversation_of(message).thread_id or 0)
