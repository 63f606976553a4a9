"""Who gave a command, and where, as the event tells it; pure."""

from dataclasses import dataclass

from telegram import Message, User

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import Attachment, Person, Quote
from bot.platforms.telegram.attachments import attachments_of
from bot.platforms.telegram.buttons import Pressed
from bot.platforms.telegram.convert import author_of, conversation_of, kind_of, person, quote_of
from bot.platforms.telegram.sending import Place, place_in
from bot.wording.catalogues import ENGLISH


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

    @property
    def has_eyes_of_its_own(self) -> bool:
        """Say whether what is for the asker alone can be told to them: in a group, in private."""
        return self.kind is ConversationKind.GROUP and not self.asker.is_service


def asked_by(message: Message) -> Asked:
    """Return who gave a typed command."""
    return Asked(
        author_of(message),
        conversation_of(message),
        kind_of(message.chat),
        language_of(message.from_user),
        title=message.chat.title or "",
        message_id=message.message_id,
        about=quote_of(message),
        upload=_upload_of(message),
    )


def asked_by_press(user: User, question: Message, pressed: Pressed) -> Asked:
    """Return who gave the command of a button."""
    if pressed.asked_in is not None:
        return Asked(person(user), pressed.asked_in, ConversationKind.GROUP, language_of(user))
    return Asked(person(user), conversation_of(question), kind_of(question.chat), language_of(user))


def language_of(user: User | None) -> str:
    """Return the language that somebody reads."""
    return (user.language_code if user else None) or ENGLISH


def _upload_of(message: Message) -> Attachment | None:
    """Return the file of a message, or of the one that it replies to."""
    replied = message.reply_to_message
    return next(iter([*attachments_of(message), *(attachments_of(replied) if replied is not None else ())]), None)
