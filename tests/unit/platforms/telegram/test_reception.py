"""Updates of shapes that nobody expected: one of them must not end the connection, nor come again for ever."""

import pytest

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
