"""Updates of shapes that nobody expected: one of them must not end the connection, nor come again for ever."""

import pytest

from bot.domain.chat import ConversationKey
from tests.emulators.telegram.chats import ChatKind
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import running

COMMAND = {"type": "bot_command", "offset": 0, "length": 5}


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param({"text": 5}, id="text that is none"),
        pytest.param({"text": "hi", "date": 10**20}, id="date after the end of time"),
        pytest.param({"document": {"file_id": "x", "file_unique_id": "y", "file_size": "big", "mime_type": "text/plain"}}, id="file"),
        pytest.param({"text": "/help", "is_topic_message": True, "message_thread_id": "x", "entities": [COMMAND]}, id="topic of a command"),
    ],
)
async def test_an_update_of_an_odd_shape_ends_nothing(odd: dict[str, object]) -> None:
    inbox = RecordingInbox()
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        dm = telegram.scene.private(ada)
        telegram.bot.feed.push("message", {"message_id": 9000, "date": 1, "chat": dm.to_json(), "from": ada.to_json(), **odd})
        telegram.people.says(dm, ada, "hi")

        async with running(telegram, inbox):
            assert (await inbox.next_message()).text == "hi"
            await telegram.all_acknowledged()


async def test_half_a_character_costs_only_itself() -> None:
    inbox = RecordingInbox()
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        body = {"message_id": 9000, "date": 1, "chat": telegram.scene.private(ada).to_json(), "from": ada.to_json()}
        telegram.bot.feed.push("message", {**body, "text": "hi\ud83d there", "entities": [{"type": "mention", "offset": 0, "length": 2}]})

        async with running(telegram, inbox):
            assert (await inbox.next_message()).text == "hi? there"


async def test_leaving_a_group_and_coming_back_is_handed_in_and_a_block_is_not() -> None:
    inbox = RecordingInbox()
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", ada)
        telegram.people.blocks(telegram.scene.private(ada))
        telegram.people.throws_out(group, ada)
        telegram.people.takes_in(group, ada)

        async with running(telegram, inbox):
            assert await inbox.next_space() == ("left", "telegram", str(group.id))
            assert await inbox.next_space() == ("joined", "telegram", str(group.id))


async def test_the_end_of_a_poll_is_told_where_it_was_asked() -> None:
    inbox = RecordingInbox()
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        options = [{"text": text, "voter_count": 0, "persistent_id": text} for text in ("tea", "milk")]
        flags = dict.fromkeys(("is_closed", "allows_multiple_answers", "allows_revoting", "members_only"), False)
        poll = {"id": "1", "question": "What?", "options": options, "total_voter_count": 0, "is_anonymous": True, "type": "regular"}

        async with running(telegram, inbox):
            asked = telegram.people.shows(telegram.scene.private(ada), ada, {"poll": {**poll, **flags}})
            await inbox.next_message()
            telegram.people.closes_poll(asked, [2, 1])
            edit = await inbox.next_edit()

    assert (edit.message_id, edit.text) == (str(asked.message_id), "[poll ended: What? – tea 2, milk 1]")
    assert edit.says_the_same


async def test_a_group_that_becomes_a_supergroup_is_handed_in_and_late_words_follow_it() -> None:
    inbox = RecordingInbox()
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        group = telegram.scene.group("Tea house", ada, kind=ChatKind.GROUP)

        async with running(telegram, inbox):
            supergroup = telegram.scene.migrate(group)
            late = telegram.people.says(group, ada, "@baku_bot is anybody here?")
            message = await inbox.next_message()

    assert inbox.moves == [("telegram", str(group.id), str(supergroup.id))] * 2
    assert message.conversation == ConversationKey("telegram", str(supergroup.id), str(supergroup.id))
    assert message.message_id == f"{group.id}/{late.message_id}"
