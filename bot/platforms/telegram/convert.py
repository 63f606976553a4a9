"""Between Telegram's messages and domain values; pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from telegram import (
    Chat,
    ExternalReplyInfo,
    Message,
    MessageEntity,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
    Poll,
    TextQuote,
    User,
)
from telegram.constants import ChatType

from bot.domain.chat import TELEGRAM, ConversationKey, ConversationKind
from bot.domain.message import IncomingMessage, MessageEdit, Part, Person, Quote, Span, StyleKind
from bot.domain.text import one_line
from bot.platforms.telegram.attachments import attachments_of
from bot.platforms.telegram.content import content_lines, poll_line

_SERVICE_ACCOUNTS = frozenset({777000, 1087968824, 136817688})
"""Telegram itself, "Group", and "Channel": they write in the name of chats."""
LONGEST_NAME = 100
"""Characters of a name that says whose words are forwarded."""
LONGEST_OPEN_QUOTE = 600
"""UTF-16 units of a quote that is shown whole; a longer one is folded until somebody touches it."""
_KINDS: Mapping[StyleKind, str] = {
    StyleKind.BOLD: MessageEntity.BOLD,
    StyleKind.ITALIC: MessageEntity.ITALIC,
    StyleKind.UNDERLINE: MessageEntity.UNDERLINE,
    StyleKind.STRIKE: MessageEntity.STRIKETHROUGH,
    StyleKind.SPOILER: MessageEntity.SPOILER,
    StyleKind.CODE: MessageEntity.CODE,
    StyleKind.CODE_BLOCK: MessageEntity.PRE,
    StyleKind.QUOTE: MessageEntity.BLOCKQUOTE,
    StyleKind.LINK: MessageEntity.TEXT_LINK,
}


def to_incoming(message: Message, me: User) -> IncomingMessage | None:
    """Return what somebody said, or None for a notice such as "Ada joined"."""
    if is_notice(message, me):
        return None
    return IncomingMessage(
        conversation=conversation_of(message),
        kind=kind_of(message.chat),
        message_id=str(message.message_id),
        author=author_of(message),
        text=text_of(message, me),
        sent_at=message.date,
        addressed_to_bot=is_addressed(message, me),
        quote=quote_of(message),
        attachments=attachments_of(message),
        mentioned=tuple(_mentioned(message, me)),
        is_public=message.chat.type in {ChatType.GROUP, ChatType.SUPERGROUP},
        forwarded_from=_forwarded_from(message),
    )


def to_joined(messages: Sequence[Message], me: User) -> IncomingMessage | None:
    """Return the messages of an album as one, under the id of its first; None when nothing was said."""
    parts = [part for message in messages if (part := to_incoming(message, me)) is not None]
    if not parts:
        return None
    return replace(
        parts[0],
        message_id=str(messages[0].message_id),
        text=_joined(part.text for part in parts),
        addressed_to_bot=any(part.addressed_to_bot for part in parts),
        attachments=tuple(file for part in parts for file in part.attachments),
        mentioned=tuple(dict.fromkeys(someone for part in parts for someone in part.mentioned)),
    )


def to_edit(message: Message, me: User) -> MessageEdit:
    """Return what a message says after its author changed it, or after its poll has ended."""
    said, mentioned = text_of(message, me), tuple(_mentioned(message, me))
    return MessageEdit(
        conversation_of(message),
        str(message.message_id),
        said,
        mentioned,
        _forwarded_from(message),
        attachments_of(message),
        says_the_same=message.poll is not None,
    )


def is_notice(message: Message, me: User) -> bool:
    """Say whether nobody said anything: somebody joined, or what was said is of a kind that nobody knows."""
    return not text_of(message, me) and not attachments_of(message)


def with_end_of_poll(message: Message, poll: Poll, me: User) -> str:
    """Return what a message says that asked a poll, with what came of it."""
    asked = "" if message.poll is None else poll_line(message.poll)
    return text_of(message, me).replace(asked, poll_line(poll))


def to_joined_edit(messages: Sequence[Message], me: User) -> MessageEdit:
    """Return what an album says after one of its messages has changed."""
    parts = [to_edit(message, me) for message in messages]
    return replace(
        parts[0],
        text=_joined(part.text for part in parts),
        mentioned=tuple(dict.fromkeys(someone for part in parts for someone in part.mentioned)),
        attachments=tuple(file for part in parts for file in part.attachments),
    )


def in_new_chat(message: IncomingMessage, new_id: int) -> IncomingMessage:
    """Return a message of a group as the supergroup's that it has become; its id is told apart from those there."""
    old = message.conversation.channel_id
    place = replace(message.conversation, space_id=str(new_id), channel_id=str(new_id))
    quote = message.quote and replace(message.quote, message_id=f"{old}/{message.quote.message_id}" if message.quote.message_id else "")
    return replace(message, conversation=place, message_id=f"{old}/{message.message_id}", quote=quote)


def to_entities(part: Part) -> list[MessageEntity]:
    """Return the spans of a part as Telegram takes them."""
    return [_entity(span) for span in part.spans]


def conversation_of(message: Message) -> ConversationKey:
    """Return where a message stands. Only topics are threads: a plain group's replies carry a thread id that leads nowhere."""
    chat_id = str(message.chat.id)
    topic = str(message.message_thread_id) if message.is_topic_message and message.message_thread_id else ""
    return ConversationKey(TELEGRAM, chat_id, chat_id, topic)


def kind_of(chat: Chat) -> ConversationKind:
    """Return how many may read along in a chat."""
    return ConversationKind.DIRECT if chat.type == ChatType.PRIVATE else ConversationKind.GROUP


def author_of(message: Message) -> Person:
    """Return who wrote. Who writes in the name of a chat is known by that chat and stands for nobody in particular."""
    if message.sender_chat is not None:
        return _chat_as_author(message.sender_chat, message.author_signature)
    if message.from_user is None:
        return _chat_as_author(message.chat, message.author_signature)
    return person(message.from_user)


def person(user: User) -> Person:
    """Return an account as a person."""
    if user.id in _SERVICE_ACCOUNTS:
        return Person(str(user.id), user.full_name, is_service=True)
    return Person(str(user.id), user.full_name, is_bot=user.is_bot)


def is_addressed(message: Message, me: User) -> bool:
    """Return whether a message is for the bot: in a private chat, by mention, or in reply to it."""
    if kind_of(message.chat) is ConversationKind.DIRECT:
        return True
    replied = _replied(message)
    if replied is not None and replied.from_user is not None and replied.from_user.id == me.id:
        return True
    return any(_names(entity, words, me) for entity, words in _entities(message))


def words_of(text: str, entity: MessageEntity) -> str:
    """Return the words that an entity marks, also where it cuts an emoji in half."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le", "replace")


def text_of(message: Message, me: User) -> str:
    """Return what a message says and shows, without the mention of the bot that it opens with; a forward tells whose words they are."""
    text = (message.text or message.caption or "").strip()
    calling = re.match(rf"@{re.escape(me.username or '')}\b[\s,:;!.、。，]*(?=\S)", text, re.IGNORECASE) if me.username else None
    if calling is not None:
        text = text[calling.end() :]
    text = "\n".join(filter(None, [text, *content_lines(message)]))
    origin = _origin(message)
    return f"[Forwarded from {origin}]\n{text}" if origin and text else text


def _joined(texts: Iterator[str]) -> str:
    return "\n".join(dict.fromkeys(filter(None, texts)))


def quote_of(message: Message) -> Quote | None:
    """Return what a message answers, or quotes from elsewhere."""
    replied = _replied(message)
    if replied is None:
        return _quote_from_elsewhere(message.external_reply, message.quote)
    whole = "\n".join(filter(None, [replied.text or replied.caption, *content_lines(replied)]))
    text = message.quote.text if message.quote else whole
    return Quote(str(replied.message_id), author_of(replied), text, _forwarded_from(replied))


def _quote_from_elsewhere(reply: ExternalReplyInfo | None, quote: TextQuote | None) -> Quote | None:
    """Return the words that somebody quotes from another chat, without an id: it would be one of that chat."""
    if reply is None or quote is None:
        return None
    match reply.origin:
        case MessageOriginUser(sender_user=user):
            author = person(user)
        case MessageOriginChat(sender_chat=chat) | MessageOriginChannel(chat=chat):
            author = _chat_as_author(chat, None)
        case MessageOriginHiddenUser(sender_user_name=name):
            author = Person("", one_line(name, LONGEST_NAME), is_service=True)
        case _:
            return None
    return Quote("", author, quote.text)


def _replied(message: Message) -> Message | None:
    """Return the message that this one answers. In a topic, every message "answers" the one that opened it: that is none."""
    replied = message.reply_to_message
    if replied is None or replied.forum_topic_created is not None:
        return None
    if message.is_topic_message and replied.message_id == message.message_thread_id:
        return None
    return replied


def _entities(message: Message) -> Iterator[tuple[MessageEntity, str]]:
    yield from ((entity, words_of(message.text or "", entity)) for entity in message.entities)
    yield from ((entity, words_of(message.caption or "", entity)) for entity in message.caption_entities)


def _names(entity: MessageEntity, words: str, me: User) -> bool:
    if entity.type == MessageEntity.MENTION:
        return words.casefold() == f"@{me.username}".casefold()
    return entity.type == MessageEntity.TEXT_MENTION and entity.user is not None and entity.user.id == me.id


def _mentioned(message: Message, me: User) -> Iterator[Person]:
    for entity, _words in _entities(message):
        if entity.type == MessageEntity.TEXT_MENTION and entity.user is not None and entity.user.id != me.id:
            yield person(entity.user)


def _chat_as_author(chat: Chat, signature: str | None) -> Person:
    title = chat.title or chat.full_name or ""
    return Person(str(chat.id), f"{title} ({signature})" if signature else title, is_service=True)


def _forwarded_from(message: Message) -> Person | None:
    """Return the account whose words somebody passes on; None for a chat's, and for those who hide theirs."""
    origin = message.forward_origin
    return person(origin.sender_user) if isinstance(origin, MessageOriginUser) else None


def _origin(message: Message) -> str:
    """Return the name of whoever is forwarded, on one line; empty where nobody is, and for a channel's posts in its own group."""
    if message.is_automatic_forward:
        return ""
    match message.forward_origin:
        case None:
            return ""
        case MessageOriginUser(sender_user=user):
            name = user.full_name
        case MessageOriginHiddenUser(sender_user_name=shown):
            name = shown
        case MessageOriginChat(sender_chat=chat) | MessageOriginChannel(chat=chat):
            name = chat.title or ""
        case _:
            name = ""
    return one_line(name, LONGEST_NAME) or "somebody"


def _entity(span: Span) -> MessageEntity:
    url = span.detail if span.kind is StyleKind.LINK else None
    language = (span.detail or None) if span.kind is StyleKind.CODE_BLOCK else None
    is_long_quote = span.kind is StyleKind.QUOTE and span.length > LONGEST_OPEN_QUOTE
    kind = MessageEntity.EXPANDABLE_BLOCKQUOTE if is_long_quote else _KINDS[span.kind]
    return MessageEntity(kind, span.offset, span.length, url=url, language=language)
