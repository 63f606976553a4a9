"""Fetching the files of messages, through the adapter, in front of the emulator."""

import pytest

from bot.domain.message import Attachment
from bot.errors import FileUnavailable
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.errors import bad_request
from tests.emulators.telegram.world import StoredFile
from tests.unit.platforms.recording_inbox import RecordingInbox
from tests.unit.platforms.telegram.recording import platform_for, running


def keep(telegram: TelegramEmulator, *contents: bytes) -> Attachment:
    """Let Telegram keep the sizes of a photo, the largest first."""
    ids = [f"photo{number}" for number, _ in enumerate(contents)]
    telegram.world.files |= {one: StoredFile(one, "", "image/jpeg", content) for one, content in zip(ids, contents, strict=True)}
    return Attachment("photo.jpg", "image/jpeg", len(contents[0]), f"telegram-file:{','.join(ids)}")


async def test_the_largest_size_within_the_limit_is_fetched() -> None:
    async with TelegramEmulator() as telegram:
        photo = keep(telegram, b"large" * 10, b"middle", b"small")
        async with running(telegram, RecordingInbox()) as platform:
            assert await platform.fetch(photo, limit=100) == b"large" * 10
            assert await platform.fetch(photo, limit=10) == b"middle"
            with pytest.raises(FileUnavailable, match="more than 3"):
                await platform.fetch(photo, limit=3)


@pytest.mark.parametrize(
    "url", ["https://somewhere.example/x", "telegram-file:", "telegram-file:../../etc", "telegram-file:a,http://x", "/etc/passwd"]
)
async def test_nothing_but_ids_of_telegrams_files_is_fetched(url: str) -> None:
    async with TelegramEmulator() as telegram:
        async with running(telegram, RecordingInbox()) as platform:
            with pytest.raises(FileUnavailable, match="not one of Telegram's"):
                await platform.fetch(Attachment("x", "", 1, url), limit=100)
        assert telegram.count("getFile") == 0


async def test_what_telegram_does_not_give_is_unavailable_and_no_error_tells_the_token() -> None:
    async with TelegramEmulator() as telegram:
        file = keep(telegram, b"here")
        async with running(telegram, RecordingInbox()) as platform:
            telegram.fail("getFile", bad_request("file is too big"))
            with pytest.raises(FileUnavailable, match="20 megabytes"):
                await platform.fetch(file, limit=100)
            telegram.fail("download", bad_request("gone"))
            with pytest.raises(FileUnavailable, match="404") as gone:
                await platform.fetch(file, limit=100)
            await telegram.go_down()
            with pytest.raises(FileUnavailable, match="does not give") as out:
                await platform.fetch(file, limit=100)
    with pytest.raises(FileUnavailable, match="out of reach"):
        await platform_for(telegram).fetch(file, limit=100)
    assert telegram.token not in f"{gone.value} {out.value} {out.value.__cause__}"
