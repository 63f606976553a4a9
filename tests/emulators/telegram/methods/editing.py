"""Methods that change what is there: edits, deletions, reactions, answers to buttons."""

from tests.emulators.telegram.bots import BotAccount
from tests.emulators.telegram.chats import Chat
from tests.emulators.telegram.errors import bad_request
from tests.emulators.telegram.messages import Message
from tests.emulators.telegram.methods.content import read_keyboard, read_markup, settled_text
from tests.emulators.telegram.world import Call, World

QUERY_LIFETIME_SECONDS = 60.0
DELETABLE_SECONDS = 48 * 3600
LONGEST_CALLBACK_ANSWER = 200
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


async def edit_message_text(world: World, call: Call) -> object:
    """Put a new text in a message of the bot."""
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    message = _own_message(chat, call, "edit")
    text, entities = settled_text(*read_markup(world, call.params))
    keyboard = read_keyboard(call.params)
    if (text, entities, keyboard) == (message.text, message.entities, message.keyboard):
        raise bad_request(NOT_MODIFIED)
    message.rewrite(text, entities, world.seconds())
    message.keyboard = keyboard
    return message.to_json()


async def edit_message_reply_markup(world: World, call: Call) -> object:
    """Change or take away the buttons of a message of the bot."""
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    message = _own_message(chat, call, "edit")
    keyboard = read_keyboard(call.params)
    if keyboard == message.keyboard:
        raise bad_request(NOT_MODIFIED)
    message.keyboard = keyboard
    return message.to_json()


async def delete_message(world: World, call: Call) -> object:
    """Delete a message: the bot's own, or anybody's where it is an administrator."""
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    message = chat.messages.get(call.params.integer("message_id"))
    if message is None or message.deleted:
        raise bad_request("message to delete not found")
    too_old = world.clock.now() - message.date > DELETABLE_SECONDS
    if not chat.is_admin(call.bot.user.id) and (not _is_own(message, call.bot, chat) or too_old):
        raise bad_request("message can't be deleted")
    message.deleted = True
    return True


async def set_message_reaction(world: World, call: Call) -> object:
    """Set the bot's reactions to a message."""
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    message = chat.messages.get(call.params.integer("message_id"))
    if message is None or message.deleted:
        raise bad_request("message to react not found")
    reactions = [one.text("emoji") for one in call.params.mappings("reaction")]
    if len(reactions) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    message.reactions = reactions
    return True


async def answer_callback_query(world: World, call: Call) -> object:
    """Answer the press of a button while it still spins."""
    press = world.presses.get(call.params.text("callback_query_id"))
    if press is None or press.bot is not call.bot:
        raise bad_request(TOO_OLD)
    if world.clock.now() - press.at > QUERY_LIFETIME_SECONDS:
        raise bad_request(TOO_OLD)
    text = call.params.text("text")
    if len(text) > LONGEST_CALLBACK_ANSWER:
        raise bad_request("MESSAGE_TOO_LONG")
    press.answer, press.alert = text, call.params.boolean("show_alert")
    return True


def _own_message(chat: Chat, call: Call, verb: str) -> Message:
    message = chat.messages.get(call.params.integer("message_id"))
    if message is None or message.deleted:
        raise bad_request(f"message to {verb} not found")
    if not _is_own(message, call.bot, chat):
        raise bad_request("message can't be edited")
    return message


def _is_own(message: Message, bot: BotAccount, chat: Chat) -> bool:
    if message.sender is not None:
        return message.sender.id == bot.user.id
    return message.sender_chat is chat


METHODS = {
    "editMessageText": edit_message_text,
    "editMessageReplyMarkup": edit_message_reply_markup,
    "deleteMessage": delete_message,
    "setMessageReaction": set_message_reaction,
    "answerCallbackQuery": answer_callback_query,
}
