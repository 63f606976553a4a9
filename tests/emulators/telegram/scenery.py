"""Makes the places and people of a test: chats, topics, members, rights."""

from tests.emulators.telegram.bots import BotAccount
from tests.emulators.telegram.chats import Chat, ChatKind, Standing, Topic
from tests.emulators.telegram.messages import Message
from tests.emulators.telegram.methods.forum import open_topic
from tests.emulators.telegram.people import TELEGRAM, User
from tests.emulators.telegram.world import World

FIRST_USER_ID = 5_000_001
FIRST_GROUP_NUMBER = 4_000_001
FIRST_CHANNEL_NUMBER = 1_002_000_000_001


class Scenery:
    """Makes chats and people in one world, each with ids as Telegram forms them."""

    def __init__(self, world: World, bot: BotAccount) -> None:
        self.world = world
        self.bot = bot

    def person(self, name: str, *, username: str = "", language: str = "") -> User:
        """Return a new person."""
        user_id = self.world.number("user", FIRST_USER_ID)
        user = User(user_id, name, username=username, language_code=language)
        self.world.users[user.id] = user
        return user

    def other_bot(self, name: str, username: str) -> User:
        """Return the account of a bot that is not ours and has no program behind it."""
        user = User(self.world.number("user", FIRST_USER_ID), name, username=username, is_bot=True)
        self.world.users[user.id] = user
        return user

    def private(self, person: User, *, started: bool = True) -> Chat:
        """Return the private chat of a person with our bot; `started` if the person pressed Start."""
        chat = self.world.chats.get(person.id)
        if chat is None:
            chat = Chat(person.id, ChatKind.PRIVATE, person=person, username=person.username)
            chat.admit(person)
            self.world.chats[chat.id] = chat
        if started:
            chat.admit(self.bot.user)
        return chat

    def group(self, title: str, *members: User, kind: ChatKind = ChatKind.SUPERGROUP) -> Chat:
        """Return a group with our bot in it; the first member owns it."""
        chat = Chat(self._chat_id(kind), kind, title)
        for index, member in enumerate(members):
            chat.admit(member, Standing.MEMBER if index else Standing.CREATOR)
        chat.admit(self.bot.user)
        self.world.chats[chat.id] = chat
        return chat

    def forum(self, title: str, *members: User) -> Chat:
        """Return a supergroup with topics turned on."""
        chat = self.group(title, *members)
        chat.is_forum = True
        return chat

    def topic(self, forum: Chat, name: str, *, opener: User | None = None) -> Topic:
        """Open a topic in a forum."""
        return open_topic(self.world, forum, name, opener or next(iter(forum.people.values())))

    def channel(self, title: str) -> Chat:
        """Return a channel where our bot is an administrator."""
        chat = Chat(self._chat_id(ChatKind.CHANNEL), ChatKind.CHANNEL, title)
        chat.admit(self.bot.user, Standing.ADMINISTRATOR)
        self.world.chats[chat.id] = chat
        return chat

    def promote(self, chat: Chat, user: User, standing: Standing = Standing.ADMINISTRATOR) -> None:
        """Change what somebody is in a chat, from now on."""
        chat.admit(user, standing)

    def turn_topics_off(self, forum: Chat) -> None:
        """Make a forum an ordinary supergroup; its topics can no longer be written to."""
        forum.is_forum = False

    def migrate(self, group: Chat, *, new_tells_first: bool = False) -> Chat:
        """Upgrade a basic group to a supergroup and return it; both get their service message. Messages there are numbered anew."""
        members = [group.people[user_id] for user_id in group.standings if user_id != self.bot.user.id]
        supergroup = self.group(group.title, *members)
        supergroup.standings |= group.standings
        first = next(iter(group.people.values()))
        news: list[tuple[Chat, dict[str, object]]] = [
            (group, {"migrate_to_chat_id": supergroup.id}),
            (supergroup, {"migrate_from_chat_id": group.id}),
        ]
        for chat, service in reversed(news) if new_tells_first else news:
            self._service(chat, first, service)
        group.migrated_to = supergroup.id
        return supergroup

    def automatic_forward(self, channel: Chat, group: Chat, text: str) -> Message:
        """Return a channel's post as it appears in the group linked with it."""
        message = Message(group, group.next_message_id(), self.world.seconds(), text, sender=TELEGRAM)
        message.sender_chat, message.is_automatic_forward = channel, True
        message.forward_origin = {"type": "channel", "date": message.date, "chat": channel.to_json(), "message_id": 1}
        self.world.post(message)
        return message

    def _service(self, chat: Chat, sender: User, service: dict[str, object]) -> None:
        message_id = chat.next_message_id()
        self.world.post(Message(chat, message_id, self.world.seconds(), sender=sender, service=service))

    def _chat_id(self, kind: ChatKind) -> int:
        if kind is ChatKind.GROUP:
            return -self.world.number("group", FIRST_GROUP_NUMBER)
        return -self.world.number("channel", FIRST_CHANNEL_NUMBER)
