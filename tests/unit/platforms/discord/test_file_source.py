"""Fetching files of messages, in front of the emulator."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bot.domain.message import Attachment
from bot.errors import FileUnavailable
from bot.platforms.discord.adapter import DiscordPlatform
from bot.platforms.discord.files import trusted_hosts
from tests.emulators.discord.objects import Attachment as SentFile
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import platform_for, running
from tests.unit.platforms.recording_inbox import RecordingInbox

CAT = b"\x89PNG cat"


@asynccontextmanager
async def sent_cat() -> AsyncIterator[tuple[DiscordEmulator, DiscordPlatform, SentFile, Attachment]]:
    """Yield a picture that somebody has sent, as it is and as the adapter hands it in."""
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        sent = emulator.file("cat.png", CAT, "image/png")
        async with running(emulator, inbox) as platform:
            emulator.member_says(emulator.dm(ada), ada, "look", attachments=[sent])
            message = await inbox.next_message()
            yield emulator, platform, sent, message.attachments[0]


@pytest.mark.parametrize("renewals", [pytest.param(0, id="fresh"), pytest.param(1, id="refused"), pytest.param(2, id="known to be old")])
async def test_file_is_fetched_and_a_link_that_has_expired_is_renewed(renewals: int) -> None:
    async with sent_cat() as (emulator, platform, sent, file):
        if renewals:
            emulator.link_expires(sent)
        known_to_be_old = replace(file, url=file.url.replace(f"ex={sent.expires:x}", "ex=1"))

        assert await platform.fetch(known_to_be_old if renewals == 2 else file, limit=len(CAT)) == CAT
        assert len(emulator.calls_to("POST", "/attachments/refresh-urls")) == min(renewals, 1)


@pytest.mark.parametrize(
    ("size", "moved_to", "limit", "problem"),
    [
        pytest.param(9999, "", 100, "more than 100", id="said to be larger"),
        pytest.param(1, "", 3, "more than 3", id="larger than it says"),
        pytest.param(1, "http://127.0.0.1:1/", 100, "answers 302", id="sent elsewhere"),
    ],
)
async def test_file_that_is_too_large_or_elsewhere_is_refused(size: int, moved_to: str, limit: int, problem: str) -> None:
    async with sent_cat() as (_, platform, sent, file):
        sent.moved_to = moved_to

        with pytest.raises(FileUnavailable, match=problem):
            await platform.fetch(replace(file, size_bytes=size), limit=limit)


async def test_file_that_was_deleted_is_unavailable() -> None:
    async with sent_cat() as (emulator, platform, sent, file):
        del emulator.world.files[sent.id]

        with pytest.raises(FileUnavailable, match="does not have the file"):
            await platform.fetch(file, limit=100)


@pytest.mark.parametrize(
    "url", ["http://cdn.discordapp.com/a", "https://cdn.discordapp.com@evil.example/a", "file:///etc/passwd", "", "http://["]
)
async def test_nothing_is_fetched_from_elsewhere(url: str) -> None:
    async with sent_cat() as (_, platform, _, file):
        with pytest.raises(FileUnavailable):
            await platform.fetch(replace(file, url=url), limit=100)


async def test_file_is_unavailable_before_the_login_and_discords_hosts_are_always_known() -> None:
    async with DiscordEmulator() as emulator:
        with pytest.raises(FileUnavailable, match="out of reach"):
            await platform_for(emulator).fetch(Attachment("a", "", 1, "https://cdn.discordapp.com/a"), limit=1)

    assert trusted_hosts(None) < trusted_hosts("https://discord.proxy.example/api/v10")
