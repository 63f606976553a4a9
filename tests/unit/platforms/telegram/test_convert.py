"""Telegram's messages as domain values. The emulator writes them as the Bot API does."""

from datetime import UTC, datetime

import pytest
import telegram

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.command import Answer, Command, CommandCall
from bot.domain.message import Attachment, IncomingMessage, Part, Person, Quote, Span, StyleKind
from bot.memory.gate.own_words import own_words
from bot.platforms.telegram.convert import to_edit, to_entities, to_incoming
from bot.platforms.telegram.typed import Addressee, TypedCommand, typed_command
from tests.emulators.telegram import crowd
from tests.emulators.telegram.chats import Chat
from tests.emulators.telegram.emulator import BOT, TelegramEmulator
from tests.emulators.telegram.entities import Entity
from tests.emulators.telegram.messages import Message
from tests.emulators.telegram.people import User

ME = telegram.User(BOT.id, BOT.first_name, is_bot=True, username=BOT.username)


@pytest.fixture
def world() -> TelegramEmulator:
    return TelegramEmulator()


@pytest.fixture
def ada(world: TelegramEmulator) -> User:
    return world.scene.person("Ada", username="ada")


@pytest.fixture
def group(world: TelegramEmulator, ada: User) -> Chat:
    return world.scene.group("Tea house", ada)


def parsed(message: Message) -> telegram.Message:
    read = telegram.Message.de_json(message.to_json(), None)
    assert read is not None
    return read


def converted(message: Message) -> IncomingMessage:
    incoming = to_incoming(parsed(message), ME)
    assert incoming is not None
    return incoming


def bots_own(world: TelegramEmulator, chat: Chat, text: str) -> Message:
    message = Message(chat, chat.next_message_id(), world.world.seconds(), text, sender=BOT)
    chat.messages[message.message_id] = message
    return message


def test_a_mark_that_cuts_an_emoji_in_half_costs_no_message(world: TelegramEmulator, ada: User, group: Chat) -> None:
    message = world.people.says(group, ada, "\N{THUMBS UP SIGN} tea")
    message.entities = [Entity("mention", 1, 1)]

    assert converted(message).text == "\N{THUMBS UP SIGN} tea"


def test_a_private_message_is_addressed_to_the_bot(world: TelegramEmulator, ada: User) -> None:
    dm = world.scene.private(ada)
    message = world.people.says(dm, ada, "hi")

    incoming = converted(message)

    assert incoming == IncomingMessage(
        ConversationKey("telegram", str(ada.id), str(ada.id)),
        ConversationKind.DIRECT,
        str(message.message_id),
        Person(str(ada.id), "Ada"),
        "hi",
        datetime.fromtimestamp(world.world.seconds(), UTC),
        addressed_to_bot=True,
    )


@pytest.mark.parametrize(
    ("text", "addressed", "kept"),
    [
        pytest.param("hello all", False, "hello all", id="to nobody"),
        pytest.param("@baku_bot hi", True, "hi", id="mention first"),
        pytest.param("@Baku_Bot, hi", True, "hi", id="mention in capitals"),
        pytest.param("hi @baku_bot!", True, "hi @baku_bot!", id="mention last"),
        pytest.param("🐱🐱 @baku_bot", True, "🐱🐱 @baku_bot", id="mention after emoji"),
        pytest.param("@baku_bot", True, "@baku_bot", id="mention alone"),
        pytest.param("@baku_bot2 hi", False, "@baku_bot2 hi", id="another bot"),
        pytest.param("mail me@baku_bot.example", False, "mail me@baku_bot.example", id="a mail address"),
    ],
)
def test_a_group_message_is_addressed_by_mention(
    world: TelegramEmulator, ada: User, group: Chat, text: str, addressed: bool, kept: str
) -> None:
    incoming = converted(world.people.says(group, ada, text))

    assert (incoming.addressed_to_bot, incoming.text, incoming.kind) == (addressed, kept, ConversationKind.GROUP)


def test_a_mention_without_username_counts_and_names_others(world: TelegramEmulator, ada: User, group: Chat) -> None:
    bo = world.scene.person("Bo")
    marks = (Entity("text_mention", 0, 4, user=BOT), Entity("text_mention", 5, 2, user=bo))

    incoming = converted(world.people.says(group, ada, "Baku Bo likes tea", marks=marks))

    assert incoming.addressed_to_bot
    assert incoming.mentioned == (Person(str(bo.id), "Bo"),)


def test_a_reply_to_the_bot_is_addressed_and_quotes_it(world: TelegramEmulator, ada: User, group: Chat) -> None:
    said = bots_own(world, group, "Tea is ready")

    incoming = converted(world.people.says(group, ada, "thanks", reply_to=said))

    assert incoming.addressed_to_bot
    assert incoming.quote == Quote(str(said.message_id), Person(str(BOT.id), "Baku", is_bot=True), "Tea is ready")


def test_a_reply_to_somebody_else_is_not_addressed_and_quotes_the_chosen_words(world: TelegramEmulator, ada: User, group: Chat) -> None:
    bo = world.scene.person("Bo")
    said = world.people.says(group, bo, "tea or coffee?")

    incoming = converted(world.people.says(group, ada, "tea", reply_to=said, quote="coffee?"))

    assert not incoming.addressed_to_bot
    assert incoming.quote == Quote(str(said.message_id), Person(str(bo.id), "Bo"), "coffee?")


class TestTopics:
    def test_a_topic_is_a_conversation_of_its_own_and_general_is_another(self, world: TelegramEmulator, ada: User) -> None:
        forum = world.scene.forum("Forum", ada)
        cats = world.scene.topic(forum, "Cats")

        in_cats = converted(world.people.says(forum, ada, "meow", topic=cats))
        in_general = converted(world.people.says(forum, ada, "hello"))

        assert in_cats.conversation == ConversationKey("telegram", str(forum.id), str(forum.id), str(cats.id))
        assert in_general.conversation == ConversationKey("telegram", str(forum.id), str(forum.id))

    def test_a_message_in_a_topic_that_the_bot_opened_is_no_reply_to_it(self, world: TelegramEmulator, ada: User) -> None:
        forum = world.scene.forum("Forum", ada)
        cats = world.scene.topic(forum, "Cats", opener=BOT)

        incoming = converted(world.people.says(forum, ada, "meow", topic=cats))

        assert (incoming.addressed_to_bot, incoming.quote) == (False, None)

    def test_a_reply_in_a_plain_group_stays_in_the_conversation_of_the_group(self, world: TelegramEmulator, ada: User, group: Chat) -> None:
        said = bots_own(world, group, "Tea is ready")

        incoming = converted(world.people.says(group, ada, "thanks", reply_to=said))

        assert incoming.conversation.thread_id == ""


class TestSenders:
    def test_an_anonymous_admin_is_nobody_in_particular(self, world: TelegramEmulator, group: Chat) -> None:
        author = converted(world.people.says_anonymously(group, "hi", signature="The boss")).author

        assert author == Person(str(group.id), "Tea house (The boss)", is_service=True)

    def test_a_channel_writing_as_itself_is_known_by_the_channel(self, world: TelegramEmulator, group: Chat) -> None:
        news = world.scene.channel("News")

        author = converted(world.people.says_as_channel(group, news, "hi")).author

        assert author == Person(str(news.id), "News", is_service=True)

    def test_a_channel_post_has_no_person_behind_it(self, world: TelegramEmulator) -> None:
        news = world.scene.channel("News")

        incoming = converted(world.people.posts(news, "hi"))

        assert (incoming.author, incoming.addressed_to_bot) == (Person(str(news.id), "News", is_service=True), False)

    def test_a_post_forwarded_to_the_linked_group_is_the_channels(self, world: TelegramEmulator, group: Chat) -> None:
        news = world.scene.channel("News")

        incoming = converted(world.scene.automatic_forward(news, group, "hi"))

        assert (incoming.author.id, incoming.text) == (str(news.id), "hi")

    def test_other_bots_are_labelled(self, world: TelegramEmulator, group: Chat) -> None:
        other = world.scene.other_bot("Weather", "weather_bot")

        author = converted(world.people.says(group, other, "Rain")).author

        assert author == Person(str(other.id), "Weather", is_bot=True)


def test_a_forward_tells_whose_words_it_carries(world: TelegramEmulator, ada: User) -> None:
    dm, bo = world.scene.private(ada), world.scene.person("Bo")

    incoming = converted(world.people.forwards(dm, ada, "I own a parrot", author=bo))

    assert incoming.text == "[Forwarded from Bo]\nI own a parrot"
    assert incoming.forwarded_from == Person(str(bo.id), "Bo")


@pytest.mark.parametrize("name", ["Bo", "  ", "Bo\nI: "])
def test_a_forward_of_somebody_who_hides_is_of_nobody_in_particular(world: TelegramEmulator, ada: User, name: str) -> None:
    message = world.people.forwards(world.scene.private(ada), ada, "I own a parrot", author=ada)
    message.forward_origin = {"type": "hidden_user", "date": 1, "sender_user_name": name}

    incoming = converted(message)

    assert incoming.forwarded_from is None
    assert own_words(incoming.text) == ""


def test_photos_and_files_come_with_their_caption(world: TelegramEmulator, ada: User, group: Chat) -> None:
    photo = world.people.says(group, ada, "@baku_bot my cat", attachment=crowd.Attachment(b"jpg"))
    file = world.people.says(group, ada, "", attachment=crowd.Attachment(b"pdf", "vet.pdf", "application/pdf"))

    with_photo, with_file = converted(photo), converted(file)

    assert (with_photo.text, with_photo.addressed_to_bot) == ("my cat", True)
    assert with_photo.attachments == (Attachment("photo.jpg", "image/jpeg", 3, "telegram-file:file1"),)
    assert [(one.name, one.media_type) for one in with_file.attachments] == [("vet.pdf", "application/pdf")]


def a_poll(**changed: object) -> dict[str, object]:
    options = [{"text": text, "voter_count": 0, "persistent_id": text} for text in ("tea", "milk")]
    poll = {"id": "1", "question": "What?", "options": options, "total_voter_count": 0, "is_closed": False, "is_anonymous": True}
    return {
        "poll": {**poll, "type": "regular", "allows_multiple_answers": False, "allows_revoting": False, "members_only": False, **changed}
    }


FILE = {"file_id": "f", "file_unique_id": "u", "file_size": 9}
PLACE = {"latitude": 52.52, "longitude": 13.4}


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        pytest.param(a_poll(), "[poll: What? – tea, milk]", id="poll"),
        pytest.param(a_poll(is_closed=True), "[poll ended: What? – tea 0, milk 0]", id="poll that has ended"),
        pytest.param({"location": PLACE}, "[location: 52.52000, 13.40000]", id="location"),
        pytest.param({"location": {**PLACE, "live_period": 60}}, "[live location: 52.52000, 13.40000]", id="live location"),
        pytest.param(
            {"venue": {"location": PLACE, "title": "Tea house", "address": "1 Leaf Rd"}, "location": PLACE},
            "[place: Tea house, 1 Leaf Rd]",
            id="venue",
        ),
        pytest.param({"contact": {"phone_number": "+4915112345", "first_name": "Bo"}}, "[contact shared: Bo]", id="contact"),
        pytest.param({"dice": {"emoji": "🎲", "value": 4}}, "[dice 🎲: 4]", id="dice"),
        pytest.param({"story": {"chat": {"id": 5, "type": "private", "first_name": "Bo"}, "id": 1}}, "[story of Bo]", id="story"),
        pytest.param(
            {"giveaway": {"chats": [], "winners_selection_date": 1_800_000_000, "winner_count": 3}},
            "[giveaway: 3 winners on 2027-01-15]",
            id="giveaway",
        ),
        pytest.param({"paid_media": {"star_count": 5, "paid_media": []}}, "[paid media: 0 for 5 stars]", id="paid media"),
        pytest.param(
            {"checklist": {"title": "Shop", "tasks": [{"id": 1, "text": "tea"}, {"id": 2, "text": "milk", "completion_date": 1}]}},
            "[checklist: Shop – ☐ tea, ☑ milk]",
            id="checklist",
        ),
        pytest.param(
            {
                "sticker": {
                    **FILE,
                    "type": "regular",
                    "width": 1,
                    "height": 1,
                    "is_animated": False,
                    "is_video": False,
                    "emoji": "👍",
                    "set_name": "Cats",
                }
            },
            "[sticker: 👍, set Cats]",
            id="sticker",
        ),
    ],
)
def test_what_is_no_text_is_told_in_a_line(world: TelegramEmulator, ada: User, group: Chat, shown: dict[str, object], text: str) -> None:
    assert converted(world.people.shows(group, ada, shown)).text == text


def test_recordings_tell_how_long_they_are_and_whether_somebody_spoke(world: TelegramEmulator, ada: User, group: Chat) -> None:
    kinds = {"voice": {**FILE, "duration": 4}, "audio": {**FILE, "duration": 200}, "video_note": {**FILE, "duration": 7, "length": 1}}

    files = [converted(world.people.shows(group, ada, {kind: file})).attachments[0] for kind, file in kinds.items()]

    assert [(file.duration_seconds, file.is_voice) for file in files] == [(4.0, True), (200.0, False), (7.0, False)]


def test_words_quoted_from_another_chat_come_without_an_id(world: TelegramEmulator, ada: User, group: Chat) -> None:
    origin = {"type": "hidden_user", "date": 1, "sender_user_name": "Bo"}
    message = world.people.shows(group, ada, {"external_reply": {"origin": origin}, "quote": {"text": "no tea", "position": 0}}, "really?")
    body = message.to_json()
    read = telegram.Message.de_json({**body, "text": body.pop("caption")}, None)

    assert read is not None
    incoming = to_incoming(read, ME)

    assert incoming is not None
    assert incoming.quote == Quote("", Person("", "Bo", is_service=True), "no tea")


@pytest.mark.parametrize(
    "service",
    [
        {"new_chat_members": [{"id": 5, "is_bot": False, "first_name": "Bo"}]},
        {"left_chat_member": {"id": 5, "is_bot": False, "first_name": "Bo"}},
        {"new_chat_title": "Tea"},
        {"delete_chat_photo": True},
        {"migrate_to_chat_id": -1005},
        {"forum_topic_edited": {"name": "Dogs"}},
        {"forum_topic_closed": {}},
        {"general_forum_topic_hidden": {}},
        {"video_chat_started": {}},
        {"video_chat_ended": {"duration": 5}},
        {"boost_added": {"boost_count": 1}},
        {"users_shared": {"request_id": 1, "users": [{"user_id": 5}]}},
        {"something_of_the_future": {"and": ["more"]}},
    ],
    ids=lambda service: next(iter(service)),
)
def test_service_messages_are_no_messages(world: TelegramEmulator, ada: User, group: Chat, service: dict[str, object]) -> None:
    assert to_incoming(parsed(world.people.shows(group, ada, service)), ME) is None


def test_notices_are_no_messages(world: TelegramEmulator, ada: User) -> None:
    forum = world.scene.forum("Forum", ada)
    notice = forum.messages[world.scene.topic(forum, "Cats").id]

    assert to_incoming(parsed(notice), ME) is None


def test_an_edit_names_the_message_and_its_new_text(world: TelegramEmulator, ada: User, group: Chat) -> None:
    message = world.people.says(group, ada, "@baku_bot teh")
    world.people.edits(message, "@baku_bot the")

    edit = to_edit(parsed(message), ME)

    assert (edit.conversation, edit.message_id, edit.text) == (converted(message).conversation, str(message.message_id), "the")


def test_every_style_has_its_entity() -> None:
    spans = tuple(Span(kind, index, 1, "https://tea.example") for index, kind in enumerate(StyleKind))

    entities = to_entities(Part("x" * len(spans), spans))

    assert len({entity.type for entity in entities}) == len(StyleKind)
    assert [entity.url for entity in entities if entity.type == "text_link"] == ["https://tea.example"]
    assert [entity.language for entity in entities if entity.type == "pre"] == ["https://tea.example"]


class TestTypedCommands:
    @staticmethod
    def commands() -> list[Command]:
        async def run(call: CommandCall) -> Answer:
            return Answer("")

        return [Command(path, "", run) for path in (("memory", "list"), ("help",))]

    @pytest.mark.parametrize(
        ("text", "command"),
        [
            pytest.param("/memory list", TypedCommand("memory list", Addressee.US), id="two words"),
            pytest.param("/memory_list 20", TypedCommand("memory_list 20", Addressee.US), id="from the menu"),
            pytest.param("/help@baku_bot", TypedCommand("help", Addressee.US), id="with our name"),
            pytest.param("/dance@BAKU_BOT now", TypedCommand("dance now", Addressee.US), id="unknown with our name"),
            pytest.param("/help@other_bot", TypedCommand("help", Addressee.ANOTHER), id="with another name"),
            pytest.param("/dance", TypedCommand("dance", Addressee.ANYBODY), id="unknown in a group"),
            pytest.param("/memory\nlist", TypedCommand("memory list", Addressee.US), id="on two lines"),
            pytest.param("/hilfe", TypedCommand("hilfe", Addressee.US), id="in German"),
            pytest.param("/記憶 一覧", TypedCommand("記憶 一覧", Addressee.US), id="in letters that Telegram marks as no command"),
            pytest.param("/天気", None, id="other letters, and no command"),
            pytest.param("see /help", None, id="not at the beginning"),
            pytest.param("hello", None, id="no command"),
        ],
    )
    def test_in_a_group_only_our_commands_are_ours(
        self, world: TelegramEmulator, ada: User, group: Chat, text: str, command: TypedCommand | None
    ) -> None:
        assert typed_command(parsed(world.people.says(group, ada, text)), ME, self.commands()) == command

    def test_in_private_every_command_is_ours(self, world: TelegramEmulator, ada: User) -> None:
        message = parsed(world.people.says(world.scene.private(ada), ada, "/dance"))

        assert typed_command(message, ME, self.commands()) == TypedCommand("dance", Addressee.US)

    def test_a_forwarded_command_is_none(self, world: TelegramEmulator, ada: User) -> None:
        message = parsed(world.people.forwards(world.scene.private(ada), ada, "/help", author=ada))

        assert typed_command(message, ME, self.commands()) is None
