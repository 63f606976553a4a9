"""What the bot wrote, itself or through webhooks of its own, and what others did."""

from bot.platforms.discord.account import account_of
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.emulators.discord_client import listening


async def test_own_words_are_those_of_the_bot_and_of_its_own_webhooks() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild(bot_permissions=Permission.MANAGE_WEBHOOKS)
        general = emulator.channel(guild)
        own = emulator.world.webhook(general, "Rose (rose)")

        async with listening(emulator) as client:
            channel = client.get_partial_messageable(general.id)
            mine, others = emulator.bot_wrote(general, "me"), emulator.webhook_says(general, "News", "bread")
            said = emulator.member_says(general, guild.owner, "hello")
            signed = emulator.persona_wrote(own, "Arr.")
            account = account_of(client)
            wrote = [account.wrote(await channel.fetch_message(each.id)) for each in (mine, signed, others, said)]

    assert wrote == [True, True, False, False]
