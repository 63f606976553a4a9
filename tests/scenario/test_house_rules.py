"""Lists, limits and admins' rights on the platforms: real clients, real sockets, and who lost a right a moment ago."""

import pytest

from bot.domain.limits import HouseRules, Limits
from bot.platforms.telegram.running import RIGHTS_UNKNOWN
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.objects import Channel, Guild, User
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.telegram.chats import Standing
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.telegram.errors import forbidden
from tests.emulators.telegram.faults import DroppedConnection, OutagePage, Trouble
from tests.scenario.house_stage import discord_house, telegram_house

SET = "/limits set person 3"


def talkative() -> ScriptedModel:
    return ScriptedModel(*["Yes."] * 50)


def boss_of(discord: DiscordEmulator, guild: Guild) -> User:
    return discord.person("Boss", guild, roles=[discord.role(guild, "manager", Permission.MANAGE_GUILD)])


def texts(discord: DiscordEmulator, channel: Channel) -> list[str]:
    return [message.content for message in discord.said_by_bot(channel)]


class TestDiscordLists:
    async def test_a_role_that_is_denied_is_told_once_and_the_others_are_answered(self) -> None:
        async with DiscordEmulator() as discord:
            guild = discord.guild()
            general, boss = discord.channel(guild), boss_of(discord, guild)
            muted = discord.role(guild, "muted")
            ada, bo = discord.person("Ada", guild, roles=[muted]), discord.person("Bo", guild)

            async with discord_house(discord, talkative()):
                set_to = await discord.slash(boss, general, "access deny", whom=f"<@&{muted.id}>").answer()
                for _ in range(2):
                    discord.member_says(general, ada, f"{discord.bot.mention} hello")
                discord.member_says(general, bo, f"{discord.bot.mention} hello")
                await discord.bot_says(general, 2)

        assert set_to.ephemeral
        assert f"<@&{muted.id}> is denied" in set_to.content
        assert ["not to talk with you" in text for text in texts(discord, general)] == [True, False]

    async def test_a_role_given_a_moment_ago_lets_in_and_one_taken_keeps_out(self) -> None:
        async with DiscordEmulator() as discord:
            guild = discord.guild()
            general, boss = discord.channel(guild), boss_of(discord, guild)
            friends = discord.role(guild, "friends")
            ada, bo = discord.person("Ada", guild), discord.person("Bo", guild, roles=[friends])

            async with discord_house(discord, talkative()):
                await discord.slash(boss, general, "access allow", whom=f"<@&{friends.id}>").answer()
                guild.members[ada.id].roles.append(friends)
                guild.members[bo.id].roles.clear()
                asked = discord.member_says(general, ada, f"{discord.bot.mention} hello")
                answer = await discord.bot_says(general)
                discord.member_says(general, bo, f"{discord.bot.mention} hello")
                refusal = await discord.bot_says(general, 2)

        assert (answer.content, answer.reply_to) == ("Yes.", asked)
        assert "certain people" in refusal.content

    async def test_roles_are_asked_for_where_a_message_was_missed(self, database_url: str) -> None:
        async with DiscordEmulator() as discord:
            guild = discord.guild()
            general, boss = discord.channel(guild), boss_of(discord, guild)
            friends = discord.role(guild, "friends")
            ada, bo = discord.person("Ada", guild, roles=[friends]), discord.person("Bo", guild)
            async with discord_house(discord, talkative(), database=database_url):
                await discord.slash(boss, general, "access allow", whom=f"<@&{friends.id}>").answer()
                discord.member_says(general, ada, f"{discord.bot.mention} one")
                await discord.bot_says(general)
            discord.member_says(general, bo, f"{discord.bot.mention} let me in")
            missed = discord.member_says(general, ada, f"{discord.bot.mention} two")

            async with discord_house(discord, talkative(), database=database_url):
                await discord.bot_says(general, 3)

        refusal, answer = discord.said_by_bot(general)[1:]
        assert "certain people" in refusal.content
        assert (answer.content, answer.reply_to) == ("Yes.", missed)

    async def test_without_an_answer_about_roles_nobody_is_let_in_by_one(self, database_url: str) -> None:
        async with DiscordEmulator() as discord:
            guild = discord.guild()
            general, boss = discord.channel(guild), boss_of(discord, guild)
            friends = discord.role(guild, "friends")
            ada = discord.person("Ada", guild, roles=[friends])
            async with discord_house(discord, talkative(), database=database_url):
                await discord.slash(boss, general, "access allow", whom=f"<@&{friends.id}>").answer()
                discord.member_says(general, ada, f"{discord.bot.mention} one")
                await discord.bot_says(general)
            discord.member_says(general, ada, f"{discord.bot.mention} two")
            discord.fail_next(403, path="/members/", times=9)

            async with discord_house(discord, talkative(), database=database_url):
                refusal = await discord.bot_says(general, 2)

        assert "certain people" in refusal.content

    async def test_a_channel_of_its_own_holds_the_threads_in_it(self) -> None:
        async with DiscordEmulator() as discord:
            guild = discord.guild()
            general, tea = discord.channel(guild), discord.channel(guild, "tea")
            boss, ada = boss_of(discord, guild), discord.person("Ada", guild)

            async with discord_house(discord, talkative()):
                await discord.slash(boss, general, "access allow", whom=f"<#{tea.id}>").answer()
                thread = discord.thread(tea, "green", ada)
                discord.member_says(thread, ada, f"{discord.bot.mention} hello")
                answer = await discord.bot_says(thread)
                discord.member_says(general, ada, f"{discord.bot.mention} hello")
                refusal = await discord.bot_says(general)

        assert answer.content == "Yes."
        assert "in this channel" in refusal.content

    async def test_a_command_of_who_is_kept_out_is_refused_for_their_eyes_only(self) -> None:
        async with DiscordEmulator() as discord:
            guild = discord.guild()
            general, boss = discord.channel(guild), boss_of(discord, guild)
            muted = discord.role(guild, "muted")
            ada = discord.person("Ada", guild, roles=[muted])

            async with discord_house(discord, talkative()):
                await discord.slash(boss, general, "access deny", whom=f"<@&{muted.id}>").answer()
                refused = await discord.slash(ada, general, "persona list").answer()
                listed = await discord.slash(ada, general, "memory list").answer()

        assert (refused.ephemeral, "set up not to talk with you" in refused.content) == (True, True)
        assert "set up not to talk" not in listed.content


class TestDiscordLimits:
    async def test_a_flood_gets_one_notice_and_a_table_shows_the_limits(self) -> None:
        async with DiscordEmulator() as discord:
            guild = discord.guild()
            general, boss = discord.channel(guild), boss_of(discord, guild)
            ada = discord.person("Ada", guild)

            async with discord_house(discord, talkative(), HouseRules(Limits(person=2))):
                for number in range(6):
                    discord.member_says(general, ada, f"{discord.bot.mention} {number}")
                await discord.bot_says(general, 2)
                discord.member_says(general, boss, f"{discord.bot.mention} all well?")
                await discord.changes.until(lambda: "Yes." in texts(discord, general)[-1:], "an answer to the boss")
                page = await discord.slash(boss, general, "limits show").answer()

        assert sum("only read along" in text for text in texts(discord, general)) == 1
        assert "person                   2" in page.content


class TestDiscordRights:
    async def test_who_lost_the_right_a_moment_ago_is_refused(self) -> None:
        async with DiscordEmulator() as discord:
            guild = discord.guild()
            general, boss = discord.channel(guild), boss_of(discord, guild)

            async with discord_house(discord, talkative()):
                set_to = await discord.slash(boss, general, "persona use", persona="iris").answer()
                guild.members[boss.id].roles.clear()
                refused = await discord.slash(boss, general, "persona use", persona="iris").answer()

        assert "Only admins" not in set_to.content
        assert (refused.ephemeral, "Only admins" in refused.content) == (True, True)

    async def test_a_hidden_command_that_is_sent_all_the_same_is_refused(self) -> None:
        async with DiscordEmulator() as discord:
            guild = discord.guild()
            general, ada = discord.channel(guild), discord.person("Ada", guild)

            async with discord_house(discord, talkative()):
                for command in discord.world.commands[None]:
                    command["default_member_permissions"] = None
                answers = [
                    await discord.slash(ada, general, "limits set", name="person", value="1").answer(),
                    await discord.slash(ada, general, "access deny", whom="here").answer(),
                ]
                choices = await discord.autocomplete(ada, general, "limits set", "name", "")

        assert all(answer.ephemeral and "Only admins" in answer.content for answer in answers)
        assert choices == []

    async def test_in_a_group_chat_nobody_is_an_admin(self) -> None:
        async with DiscordEmulator() as discord:
            ada = discord.person("Ada", discord.guild())
            chat = discord.group_dm(ada, discord.person("Bo"))

            async with discord_house(discord, talkative()):
                refused = await discord.slash(ada, chat, "persona use", persona="iris").answer()

        assert "Only admins" in refused.content


class TestTelegramRights:
    async def test_who_lost_the_right_a_moment_ago_is_refused(self) -> None:
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            dm, group = telegram.scene.private(ada), telegram.scene.group("Tea", ada)
            telegram.scene.promote(group, ada, Standing.ADMINISTRATOR)
            async with telegram_house(telegram, talkative()):
                telegram.people.says(group, ada, SET)
                set_to = await telegram.next_reply(dm)
                telegram.scene.promote(group, ada, Standing.MEMBER)
                telegram.people.says(group, ada, SET)
                refused = await telegram.next_reply(dm)

        assert "is 3 here from now on" in set_to.text
        assert "Only admins" in refused.text

    @pytest.mark.parametrize("standing", [Standing.LEFT, Standing.KICKED])
    async def test_who_is_gone_is_refused(self, standing: Standing) -> None:
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            dm, group = telegram.scene.private(ada), telegram.scene.group("Tea", ada)
            async with telegram_house(telegram, talkative()):
                telegram.people.says(group, ada, SET)
                telegram.scene.promote(group, ada, standing)
                refused = await telegram.next_reply(dm)

        assert "Only admins" in refused.text

    @pytest.mark.parametrize(
        "trouble",
        [
            pytest.param(OutagePage(), id="outage"),
            pytest.param(DroppedConnection(), id="cut"),
            pytest.param(forbidden("bot was kicked from the supergroup chat"), id="forbidden"),
        ],
    )
    async def test_when_telegram_does_not_tell_the_rights_nothing_is_done(self, trouble: Trouble) -> None:
        async with TelegramEmulator() as telegram:
            ada = telegram.scene.person("Ada")
            group = telegram.scene.group("Tea", ada)
            telegram.scene.promote(group, ada, Standing.ADMINISTRATOR)
            async with telegram_house(telegram, talkative()) as app:
                telegram.fail("getChatMember", trouble, times=9)
                telegram.people.says(group, ada, SET)
                refused = await telegram.next_reply(group)
                async with app.store.read() as tx:
                    kept = await tx.settings.all("telegram", str(group.id))

        assert refused.text == RIGHTS_UNKNOWN
        assert kept == {}

    async def test_an_anonymous_admin_is_told_to_write_as_themselves(self) -> None:
        async with TelegramEmulator() as telegram:
            group = telegram.scene.group("Tea", telegram.scene.person("Ada"))
            async with telegram_house(telegram, talkative()):
                telegram.people.says_anonymously(group, SET)
                refused = await telegram.next_reply(group)

        assert "Write as yourself" in refused.text
