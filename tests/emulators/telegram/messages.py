"""One message, and how the Bot API writes it."""

from dataclasses import dataclass, field

from tests.emulators.telegram.chats import Chat
from tests.emulators.telegram.entities import Entity, spans
from tests.emulators.telegram.people import User


@dataclass(frozen=True, slots=True)
class Button:
    """One button under a message."""

    text: str
    data: str = ""
    url: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the button as the Bot API writes it."""
        action = {"callback_data": self.data} if self.data else {"url": self.url}
        return {"text": self.text, **action}


@dataclass(frozen=True, slots=True)
class Version:
    """What a message said at one time."""

    text: str
    entities: tuple[Entity, ...]


@dataclass(slots=True)
class Message:
    """One message of a chat; edits change it in place and keep the older versions."""

    chat: Chat
    message_id: int
    date: int
    text: str = ""
    entities: list[Entity] = field(default_factory=list)
    sender: User | None = None
    sender_chat: Chat | None = None
    signature: str = ""
    thread_id: int | None = None
    in_topic: bool = False
    reply_to: "Message | None" = None
    quote: str = ""
    keyboard: list[list[Button]] = field(default_factory=list)
    forced_reply: str | None = None
    """The words in the input line of an answer that the message opens at once; None where it opens none."""
    forces_only: set[int] = field(default_factory=set)
    """For whom alone it opens one; for all where empty."""
    media: dict[str, object] = field(default_factory=dict)
    service: dict[str, object] = field(default_factory=dict)
    forward_origin: dict[str, object] | None = None
    is_automatic_forward: bool = False
    media_group_id: str = ""
    edit_date: int | None = None
    deleted: bool = False
    versions: list[Version] = field(default_factory=list)
    reactions: list[str] = field(default_factory=list)

    @property
    def spans(self) -> list[tuple[str, str]]:
        """Each marked stretch as (kind, text), as a person sees it."""
        return spans(self.text, self.entities)

    @property
    def button_texts(self) -> list[str]:
        """The words on all buttons, row by row."""
        return [button.text for row in self.keyboard for button in row]

    def rewrite(self, text: str, entities: list[Entity], now: int) -> None:
        """Put a new text in place of the old one, which is kept among the versions."""
        self.versions.append(Version(self.text, tuple(self.entities)))
        self.text, self.entities, self.edit_date = text, entities, now

    def to_json(self, *, with_reply: bool = True) -> dict[str, object]:
        """Return the message as the Bot API writes it."""
        body: dict[str, object] = {
            "message_id": self.message_id,
            "date": self.date,
            "chat": self.chat.to_json(),
            **self._origin_json(),
            **self._place_json(),
            **self._content_json(),
        }
        if with_reply and self.reply_to is not None:
            body["reply_to_message"] = self.reply_to.to_json(with_reply=False)
            if self.quote:
                body["quote"] = {"text": self.quote, "position": 0, "is_manual": True}
        if self.edit_date is not None:
            body["edit_date"] = self.edit_date
        return body

    def _origin_json(self) -> dict[str, object]:
        body: dict[str, object] = {}
        if self.sender is not None:
            body["from"] = self.sender.to_json()
        if self.sender_chat is not None:
            body["sender_chat"] = self.sender_chat.to_json()
        if self.signature:
            body["author_signature"] = self.signature
        if self.forward_origin is not None:
            body["forward_origin"] = self.forward_origin
        if self.is_automatic_forward:
            body["is_automatic_forward"] = True
        return body

    def _place_json(self) -> dict[str, object]:
        body: dict[str, object] = {}
        if self.thread_id is not None:
            body["message_thread_id"] = self.thread_id
        if self.in_topic:
            body["is_topic_message"] = True
        if self.media_group_id:
            body["media_group_id"] = self.media_group_id
        return body

    def _content_json(self) -> dict[str, object]:
        body: dict[str, object] = {**self.media, **self.service}
        entities = [entity.to_json() for entity in self.entities]
        if self.text:
            body["caption" if self.media else "text"] = self.text
        if entities:
            body["caption_entities" if self.media else "entities"] = entities
        if self.keyboard:
            rows = [[button.to_json() for button in row] for row in self.keyboard]
            body["reply_markup"] = {"inline_keyboard": rows}
        return body
