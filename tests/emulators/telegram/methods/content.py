"""What a call wants to write: its text, its entities, its buttons, its place."""

from dataclasses import dataclass

from tests.emulators.telegram.chats import GENERAL_TOPIC_ID, Chat, ChatKind
from tests.emulators.telegram.entities import Entity, check_entities, find_entities, settle
from tests.emulators.telegram.errors import bad_request
from tests.emulators.telegram.markup_html import parse_html
from tests.emulators.telegram.markup_markdown import parse_markdown_v2
from tests.emulators.telegram.messages import Button, Message
from tests.emulators.telegram.params import Params
from tests.emulators.telegram.people import User
from tests.emulators.telegram.text import units
from tests.emulators.telegram.world import World

LONGEST_TEXT = 4096
LONGEST_PLACEHOLDER = 64
LONGEST_CAPTION = 1024
LONGEST_BUTTON_DATA = 64


def read_markup(world: World, params: Params, *, field: str = "text") -> tuple[str, list[Entity]]:
    """Return text and entities as given, by parse mode or as a list; wrong markup is refused."""
    source = params.text(field)
    match params.text("parse_mode").lower():
        case "html":
            return parse_html(source)
        case "markdownv2":
            return parse_markdown_v2(source)
        case "":
            name = "entities" if field == "text" else "caption_entities"
            return source, [_entity(world, one) for one in params.mappings(name)]
        case _:
            raise bad_request("unsupported parse_mode")


def settled(text: str, entities: list[Entity], *, limit: int) -> tuple[str, list[Entity]]:
    """Return text and entities as Telegram keeps them, with what it finds by itself; too long is refused."""
    text, kept = settle(text, check_entities(text, entities))
    if units(text) > limit:
        raise bad_request("message is too long" if limit == LONGEST_TEXT else "message caption is too long")
    found = [
        one
        for one in find_entities(text)
        if not any(one.offset < other.end and other.offset < one.end and _is_solid(other) for other in kept)
    ]
    return text, sorted([*kept, *found], key=lambda one: (one.offset, -one.length))


def settled_text(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Return the text of a message as Telegram keeps it; an empty one is refused."""
    text, entities = settled(text, entities, limit=LONGEST_TEXT)
    if not text:
        raise bad_request("message text is empty")
    return text, entities


def read_keyboard(params: Params) -> list[list[Button]]:
    """Return the rows of inline buttons; a button that Telegram would refuse is refused."""
    markup = params.mapping("reply_markup")
    if markup is None:
        return []
    rows = []
    for row in markup.array("inline_keyboard"):
        if not isinstance(row, list):
            raise bad_request("can't parse inline keyboard: expected an Array of Array of InlineKeyboardButton")
        rows.append([_button(Params(button)) for button in row])
    return rows


@dataclass(frozen=True, slots=True)
class ForcedReply:
    """What opens the input line for an answer."""

    placeholder: str
    selective: bool


def read_forced_reply(params: Params) -> ForcedReply | None:
    """Return what a message opens the input line with; a placeholder that Telegram would refuse is refused."""
    markup = params.mapping("reply_markup")
    if markup is None or not markup.boolean("force_reply"):
        return None
    placeholder = markup.text("input_field_placeholder")
    if len(placeholder) > LONGEST_PLACEHOLDER:
        raise bad_request("input field placeholder is too long")
    return ForcedReply(placeholder, markup.boolean("selective"))


def read_topic(chat: Chat, params: Params, replied: Message | None) -> tuple[int | None, bool]:
    """Return (thread id, is a topic message) of the place a call names."""
    thread_id = params.optional_integer("message_thread_id")
    if thread_id is None:
        if replied is not None and replied.in_topic:
            return replied.thread_id, True
        return thread_by_reply(chat, replied), False
    topic = chat.topics.get(thread_id) if chat.is_forum else None
    if topic is None or thread_id == GENERAL_TOPIC_ID:
        raise bad_request("message thread not found")
    if topic.closed:
        raise bad_request("TOPIC_CLOSED")
    return thread_id, True


def thread_by_reply(chat: Chat, replied: Message | None) -> int | None:
    """Return the thread that a reply opens in a supergroup without topics; other messages have none."""
    if chat.kind is not ChatKind.SUPERGROUP or chat.is_forum or replied is None:
        return None
    return replied.thread_id or replied.message_id


def read_reply(chat: Chat, params: Params) -> Message | None:
    """Return the message that is replied to, if one is named and still there."""
    wanted = params.mapping("reply_parameters")
    if wanted is None:
        return None
    message = chat.messages.get(wanted.integer("message_id"))
    if message is None or message.deleted:
        if wanted.boolean("allow_sending_without_reply"):
            return None
        raise bad_request("message to be replied not found")
    return message


def _button(params: Params) -> Button:
    button = Button(params.text("text"), params.text("callback_data"), params.text("url"))
    if not button.text or not (button.data or button.url):
        raise bad_request("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    if len(button.data.encode()) > LONGEST_BUTTON_DATA:
        raise bad_request("BUTTON_DATA_INVALID")
    return button


def _entity(world: World, params: Params) -> Entity:
    kind, url = params.text("type"), params.text("url")
    if kind == "text_link" and not url.startswith(("http://", "https://", "tg://")):
        raise bad_request(f"entity URL '{url}' is invalid: Wrong HTTP URL")
    user = params.mapping("user")
    person = world.users.get(user.integer("id")) if user is not None else None
    offset, length = params.integer("offset"), params.integer("length")
    return Entity(kind, offset, length, url, params.text("language"), person or _stranger(user))


def _stranger(user: Params | None) -> User | None:
    return None if user is None else User(user.integer("id"), user.text("first_name"))


def _is_solid(entity: Entity) -> bool:
    return entity.type in {"code", "pre", "text_link", "text_mention"}
