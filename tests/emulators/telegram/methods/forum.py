"""Forum topics."""

from tests.emulators.telegram.chats import Chat, Topic
from tests.emulators.telegram.errors import bad_request
from tests.emulators.telegram.messages import Message
from tests.emulators.telegram.people import User
from tests.emulators.telegram.world import Call, World

LONGEST_TOPIC_NAME = 128
TOPIC_COLOR = 0x6FB9F0


async def create_forum_topic(world: World, call: Call) -> object:
    """Open a topic in a forum where the bot is an administrator."""
    chat = _managed_forum(world, call)
    name = call.params.text("name")
    if not 1 <= len(name) <= LONGEST_TOPIC_NAME:
        raise bad_request("TOPIC_TITLE_EMPTY")
    topic = open_topic(world, chat, name, call.bot.user)
    return {"message_thread_id": topic.id, "name": topic.name, "icon_color": TOPIC_COLOR}


async def close_forum_topic(world: World, call: Call) -> object:
    """Close a topic: nobody but administrators can write there."""
    _topic(_managed_forum(world, call), call).closed = True
    return True


async def reopen_forum_topic(world: World, call: Call) -> object:
    """Open a closed topic again."""
    _topic(_managed_forum(world, call), call).closed = False
    return True


async def delete_forum_topic(world: World, call: Call) -> object:
    """Delete a topic."""
    chat = _managed_forum(world, call)
    del chat.topics[_topic(chat, call).id]
    return True


def open_topic(world: World, chat: Chat, name: str, opener: User) -> Topic:
    """Open a topic with the service message that its id comes from."""
    message_id = chat.next_message_id()
    topic = Topic(message_id, name)
    chat.topics[topic.id] = topic
    service: dict[str, object] = {"forum_topic_created": {"name": name, "icon_color": TOPIC_COLOR}}
    world.post(Message(chat, message_id, world.seconds(), sender=opener, thread_id=topic.id, in_topic=True, service=service))
    return topic


def _managed_forum(world: World, call: Call) -> Chat:
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    if not chat.is_forum:
        raise bad_request("the chat is not a forum")
    if not chat.is_admin(call.bot.user.id):
        raise bad_request("not enough rights to create a topic")
    return chat


def _topic(chat: Chat, call: Call) -> Topic:
    topic = chat.topics.get(call.params.integer("message_thread_id"))
    if topic is None:
        raise bad_request("message thread not found")
    return topic


METHODS = {
    "createForumTopic": create_forum_topic,
    "closeForumTopic": close_forum_topic,
    "reopenForumTopic": reopen_forum_topic,
    "deleteForumTopic": delete_forum_topic,
}
