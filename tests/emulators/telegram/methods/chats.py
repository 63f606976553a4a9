"""Methods that look at chats and their members."""

from tests.emulators.telegram.chats import ChatKind, Standing
from tests.emulators.telegram.errors import bad_request
from tests.emulators.telegram.world import Call, World


async def get_chat(world: World, call: Call) -> object:
    """Return what is known of a chat."""
    return world.chat_for(call.bot, call.params.integer("chat_id")).to_full_json()


async def get_chat_member(world: World, call: Call) -> object:
    """Return what somebody is in a chat at this moment."""
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    user = world.users.get(call.params.integer("user_id"))
    if user is None:
        raise bad_request("user not found")
    if chat.hides_members and not chat.is_admin(call.bot.user.id) and user.id != call.bot.user.id:
        raise bad_request("CHAT_ADMIN_REQUIRED")
    return chat.member_json(user)


async def get_chat_administrators(world: World, call: Call) -> object:
    """Return the owner and the administrators of a chat, other bots left out."""
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    if chat.kind is ChatKind.PRIVATE:
        raise bad_request("there are no administrators in the private chat")
    return [
        chat.member_json(user)
        for user in chat.people.values()
        if chat.is_admin(user.id) and (not user.is_bot or user.id == call.bot.user.id)
    ]


async def get_chat_member_count(world: World, call: Call) -> object:
    """Return how many accounts are in a chat."""
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    return sum(standing not in {Standing.LEFT, Standing.KICKED} for standing in chat.standings.values())


async def leave_chat(world: World, call: Call) -> object:
    """Take the bot out of a chat."""
    chat = world.chat_for(call.bot, call.params.integer("chat_id"))
    if chat.kind is ChatKind.PRIVATE:
        raise bad_request("chat member status can't be changed in private chats")
    chat.admit(call.bot.user, Standing.LEFT)
    return True


METHODS = {
    "getChat": get_chat,
    "getChatMember": get_chat_member,
    "getChatAdministrators": get_chat_administrators,
    "getChatMemberCount": get_chat_member_count,
    "leaveChat": leave_chat,
}
