"""Which roles an author has, as the adapter tells."""

from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running
from tests.unit.platforms.recording_inbox import RecordingInbox


async def test_roles_of_the_author_come_with_the_event_and_webhooks_and_direct_chats_have_none() -> None:
    inbox = RecordingInbox()
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        cook = emulator.role(guild, "cook")
        ada = emulator.person("Ada", guild, roles=[cook])

        async with running(emulator, inbox):
            emulator.member_says(general, ada, "soup")
            in_server = await inbox.next_message()
            emulator.member_says(emulator.dm(ada), ada, "soup")
            in_private = await inbox.next_message()
            emulator.webhook_says(general, "News", "soup")
            from_webhook = await inbox.next_message()

    assert in_server.author.roles == frozenset({str(guild.id), str(cook.id)})
    assert (in_private.author.roles, from_webhook.author.roles) == (None, None)
