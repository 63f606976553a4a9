"""Makes people do things: write, edit, press buttons, block the bot."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from tests.emulators.telegram.bots import BotAccount
from tests.emulators.telegram.chats import Chat, ChatKind, Topic
from tests.emulators.telegram.entities import Entity, find_entities
from tests.emulators.telegram.messages import Button, Message
from tests.emulators.telegram.methods.content import thread_by_reply
from tests.emulators.telegram.methods.sending import document_json
from tests.emulators.telegram.people import ANONYMOUS_ADMIN, CHANNEL_BOT, User
from tests.emulators.telegram.world import PressedButton, StoredFile, World


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that somebody sends; a photo has no name."""

    content: bytes
    name: str = ""
    mime_type: str = "image/jpeg"


class Crowd:
    """Plays the people of one world."""

    def __init__(self, world: World, bot: BotAccount) -> None:
        self.world = world
        self.bot = bot

    def says(
        self,
        chat: Chat,
        user: User,
        text: str,
        *,
        reply_to: Message | None = None,
        topic: Topic | None = None,
        marks: tuple[Entity, ...] = (),
        attachment: Attachment | None = None,
        album: str = "",
        quote: str = "",
    ) -> Message:
        """Let a person write; mentions, commands and links are found as Telegram finds them."""
        message = self._written(chat, text, reply_to, topic)
        message.sender, message.quote, message.media_group_id = user, quote, album
        message.entities = sorted([*message.entities, *marks], key=lambda entity: entity.offset)
        if attachment is not None:
            message.media = self._media(attachment)
        if chat.kind is ChatKind.PRIVATE:
            chat.admit(self.bot.user)
        self.world.post(message)
        return message

    def shows(self, chat: Chat, user: User, shown: dict[str, object], text: str = "", *, topic: Topic | None = None) -> Message:
        """Let a person send what is no text, as the Bot API writes it: `{"poll": {...}}`, `{"voice": {...}}`."""
        message = self._written(chat, text, None, topic)
        message.sender, message.media = user, shown
        self.world.post(message)
        return message

    def sends_album(self, chat: Chat, user: User, captions: Sequence[str]) -> list[Message]:
        """Let a person send photos together, each with its caption; the app sends them one by one, with one number."""
        album = str(self.world.number("album", 13_000_001))
        return [self.says(chat, user, caption, attachment=Attachment(b"jpg"), album=album) for caption in captions]

    def closes_poll(self, message: Message, counts: Sequence[int]) -> None:
        """Let the author of a poll end it."""
        poll = cast("dict[str, Any]", message.media["poll"])
        options = [{**option, "voter_count": count} for option, count in zip(poll["options"], counts, strict=True)]
        message.media = {"poll": {**poll, "is_closed": True, "options": options, "total_voter_count": sum(counts)}}
        self.bot.feed.push("poll", cast("dict[str, object]", message.media["poll"]))

    def says_anonymously(self, chat: Chat, text: str, *, reply_to: Message | None = None, signature: str = "") -> Message:
        """Let an administrator who hides behind the group write."""
        message = self._written(chat, text, reply_to, None)
        message.sender, message.sender_chat, message.signature = ANONYMOUS_ADMIN, chat, signature
        self.world.post(message)
        return message

    def says_as_channel(self, chat: Chat, channel: Chat, text: str) -> Message:
        """Let somebody write in a group in the name of a channel."""
        message = self._written(chat, text, None, None)
        message.sender, message.sender_chat = CHANNEL_BOT, channel
        self.world.post(message)
        return message

    def posts(self, channel: Chat, text: str) -> Message:
        """Publish a post in a channel."""
        message = self._written(channel, text, None, None)
        message.sender_chat = channel
        self.world.post(message, "channel_post")
        return message

    def forwards(self, chat: Chat, user: User, text: str, *, author: User) -> Message:
        """Let a person forward what somebody else wrote elsewhere."""
        message = self._written(chat, text, None, None)
        message.sender = user
        date = self.world.seconds()
        message.forward_origin = {"type": "user", "date": date, "sender_user": author.to_json()}
        self.world.post(message)
        return message

    def edits(self, message: Message, text: str) -> None:
        """Let the writer of a message change it."""
        message.rewrite(text, find_entities(text), self.world.seconds())
        is_post = message.chat.kind is ChatKind.CHANNEL
        self.world.announce(message, "edited_channel_post" if is_post else "edited_message")

    def repeats(self, message: Message) -> None:
        """Deliver a message a second time, as Telegram does when an acknowledgement got lost."""
        self.world.announce(message, "message")

    def presses(self, message: Message, user: User, button_text: str, *, shown: list[list[Button]] | None = None) -> PressedButton:
        """Let a person press the button with these words; `shown` are those the message has in truth, where a program lies about it."""
        found = [one for row in message.keyboard for one in row if one.text == button_text]
        if not found:
            raise LookupError(f"No button {button_text!r}; there are {message.button_texts}")
        press_id = str(self.world.number("press", 700_001))
        press = PressedButton(press_id, self.bot, message, user, self.world.clock.now())
        self.world.presses[press_id] = press
        body: dict[str, object] = {
            "id": press_id,
            "from": user.to_json(),
            "message": message.to_json() if shown is None else replace(message, keyboard=shown).to_json(),
            "chat_instance": str(message.chat.id),
            "data": found[0].data,
        }
        self.bot.feed.push("callback_query", body)
        return press

    def blocks(self, chat: Chat) -> None:
        """Let the person of a private chat block our bot."""
        chat.blocked_bots.add(self.bot.user.id)
        self._my_membership(chat, chat.person, "member", "kicked")

    def throws_out(self, chat: Chat, by: User) -> None:
        """Let a member take our bot out of a group."""
        self._my_membership(chat, by, "member", "left")

    def takes_in(self, chat: Chat, by: User) -> None:
        """Let a member take our bot into a group."""
        self._my_membership(chat, by, "left", "member")

    def _written(self, chat: Chat, text: str, reply_to: Message | None, topic: Topic | None) -> Message:
        message = Message(chat, chat.next_message_id(), self.world.seconds(), text)
        message.entities = find_entities(text)
        message.reply_to = reply_to
        if topic is not None and chat.is_forum:
            message.thread_id, message.in_topic = topic.id, True
            message.reply_to = reply_to or chat.messages.get(topic.id)
        else:
            message.thread_id = thread_by_reply(chat, reply_to)
        return message

    def _media(self, attachment: Attachment) -> dict[str, object]:
        file_id = f"file{self.world.number('file')}"
        stored = StoredFile(file_id, attachment.name, attachment.mime_type, attachment.content)
        self.world.files[file_id] = stored
        if attachment.name:
            return {"document": document_json(stored)}
        size = {"file_id": file_id, "file_unique_id": f"u{file_id}", "width": 640, "height": 480}
        return {"photo": [{**size, "file_size": len(attachment.content)}]}

    def _my_membership(self, chat: Chat, by: User | None, old: str, new: str) -> None:
        me = self.bot.user.to_json()
        body: dict[str, object] = {
            "chat": chat.to_json(),
            "from": by.to_json() if by is not None else me,
            "date": self.world.seconds(),
            "old_chat_member": {"user": me, "status": old},
            "new_chat_member": {"user": me, "status": new, "until_date": 0},
        }
        self.bot.feed.push("my_chat_member", body)
