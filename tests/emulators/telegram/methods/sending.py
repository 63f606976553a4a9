"""Methods that write something new into a chat."""

from dataclasses import dataclass

from tests.emulators.telegram.chats import GENERAL_TOPIC_ID, Chat, ChatKind
from tests.emulators.telegram.errors import bad_request
from tests.emulators.telegram.messages import Message
from tests.emulators.telegram.methods.content import (
    LONGEST_CAPTION,
    LONGEST_TEXT,
    read_forced_reply,
    read_keyboard,
    read_markup,
    read_reply,
    read_topic,
    settled,
    settled_text,
)
from tests.emulators.telegram.params import Params
from tests.emulators.telegram.text import units
from tests.emulators.telegram.world import Call, ChatAction, Draft, StoredFile, World

ACTIONS = frozenset(
    {
        "typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice",
        "upload_document", "choose_sticker", "find_location", "record_video_note", "upload_video_note",
    }
)  # fmt: skip
BIGGEST_UPLOAD = 50 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Place:
    chat: Chat
    replied: Message | None
    thread_id: int | None
    in_topic: bool


async def send_message(world: World, call: Call) -> object:
    """Send a text."""
    text, entities = read_markup(world, call.params)
    place = _place(world, call)
    text, entities = settled_text(text, entities)
    world.limits.count(place.chat, world.clock.now())
    message = _new_message(world, call, place)
    message.text, message.entities = text, entities
    return _send(world, message)


async def send_document(world: World, call: Call) -> object:
    """Send a file with a caption."""
    caption, entities = read_markup(world, call.params, field="caption")
    place = _place(world, call)
    caption, entities = settled(caption, entities, limit=LONGEST_CAPTION)
    stored = _stored_document(world, call.params)
    world.limits.count(place.chat, world.clock.now())
    message = _new_message(world, call, place)
    message.text, message.entities = caption, entities
    message.media = {"document": document_json(stored)}
    return _send(world, message)


async def send_chat_action(world: World, call: Call) -> object:
    """Show that the bot is busy; unlike a message, an action may name the General topic."""
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    action = call.params.text("action")
    if action not in ACTIONS:
        raise bad_request("wrong parameter action in request")
    thread_id = call.params.optional_integer("message_thread_id")
    is_general = chat.is_forum and thread_id == GENERAL_TOPIC_ID
    if thread_id is not None and not is_general:
        read_topic(chat, call.params, None)
    world.actions.append(ChatAction(chat.id, thread_id, action, world.clock.now()))
    return True


async def send_message_draft(world: World, call: Call) -> object:
    """Show a text that is still being written; private chats only."""
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    if chat.kind is not ChatKind.PRIVATE:
        raise bad_request("TEXTDRAFT_PEER_INVALID")
    draft_id = call.params.integer("draft_id")
    if draft_id == 0:
        raise bad_request("draft_id must be non-zero")
    text, _ = read_markup(world, call.params)
    if units(text) > LONGEST_TEXT:
        raise bad_request("message is too long")
    world.drafts.append(Draft(chat.id, draft_id, text))
    return True


def document_json(stored: StoredFile) -> dict[str, object]:
    """Return a file as it stands inside a message."""
    return {
        "file_id": stored.id,
        "file_unique_id": f"u{stored.id}",
        "file_name": stored.name,
        "mime_type": stored.mime_type,
        "file_size": len(stored.content),
    }


def _place(world: World, call: Call) -> _Place:
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    if chat.kind is not ChatKind.PRIVATE and "can_send_messages" in chat.denied and not chat.is_admin(call.bot.user.id):
        raise bad_request("not enough rights to send text messages to the chat")
    replied = read_reply(chat, call.params)
    return _Place(chat, replied, *read_topic(chat, call.params, replied))


def _new_message(world: World, call: Call, place: _Place) -> Message:
    is_channel = place.chat.kind is ChatKind.CHANNEL
    forced = read_forced_reply(call.params)
    return Message(
        place.chat,
        place.chat.next_message_id(),
        world.seconds(),
        sender=None if is_channel else call.bot.user,
        sender_chat=place.chat if is_channel else None,
        thread_id=place.thread_id,
        in_topic=place.in_topic,
        reply_to=place.replied,
        keyboard=read_keyboard(call.params),
        forced_reply=forced.placeholder if forced else None,
        forces_only={place.replied.sender.id} if forced and forced.selective and place.replied and place.replied.sender else set(),
    )


def _send(world: World, message: Message) -> object:
    world.post(message, "channel_post" if message.chat.kind is ChatKind.CHANNEL else "message")
    world.sent.append(message)
    return message.to_json()


def _stored_document(world: World, params: Params) -> StoredFile:
    name = params.text("document")
    upload = params.uploads.get(name.removeprefix("attach://")) or params.uploads.get("document")
    if upload is None:
        if name not in world.files:
            raise bad_request("wrong file identifier/HTTP URL specified")
        return world.files[name]
    if not upload.content:
        raise bad_request("file must be non-empty")
    if len(upload.content) > BIGGEST_UPLOAD:
        raise bad_request("file is too big")
    file_id = f"file{world.number('file')}"
    stored = StoredFile(file_id, upload.name, upload.mime_type, upload.content)
    world.files[file_id] = stored
    return stored


METHODS = {
    "sendMessage": send_message,
    "sendDocument": send_document,
    "sendChatAction": send_chat_action,
    "sendMessageDraft": send_message_draft,
}
