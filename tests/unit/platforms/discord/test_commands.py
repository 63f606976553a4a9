"""Slash commands, completion and buttons through the adapter, in front of the emulator."""

import asyncio

import pytest

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.command import Answer, Choice, Command, CommandCall, Confirmation, Option, OptionKind, WhoMay
from bot.errors import StoreError
from tests.emulators.discord.clock import ManualClock
from tests.emulators.discord.interactions import CommandUnavailable
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running
from tests.unit.platforms.recording_inbox import RecordingInbox


async def say_options(call: CommandCall) -> Answer:
    return Answer(f"{' '.join(call.path)}: {dict(call.options)}")


async def words(call: CommandCall, typed: str) -> list[Choice]:
    return [Choice(f"the word {word}", word) for word in ("tea", "toast") if word.startswith(typed)]


WORD = Option("word", "What to search for", suggest=words)
COUNT = Option("count", "How many", OptionKind.NUMBER, required=False)
SEARCH = Command(("memory", "search"), "Search my memories", say_options, (WORD, COUNT), private=True)
LIST = Command(("memory", "list"), "List my memories", say_options, private=True)
HELP = Command(("help",), "What I can do", say_options)


async def test_command_with_options_is_answered_privately() -> None:
    inbox = RecordingInbox([SEARCH, LIST, HELP])
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with running(emulator, inbox):
            answer = await emulator.slash(ada, general, "memory search", word="tea", count=3).answer()

    assert (answer.content, answer.ephemeral) == ("memory search: {'word': 'tea', 'count': 3}", True)
    call = inbox.calls[0]
    assert call.conversation == ConversationKey("discord", str(guild.id), str(general.id))
    assert (call.kind, call.asker.id, call.asker_is_admin) == (ConversationKind.GROUP, str(ada.id), False)


async def test_public_command_is_answered_for_all_without_a_ping() -> None:
    async def shout(call: CommandCall) -> Answer:
        return Answer("@everyone look")

    inbox = RecordingInbox([Command(("help",), "Help", shout)])
    async with DiscordEmulator() as emulator:
        guild = emulator.guild(bot_permissions=Permission.ADMINISTRATOR)
        general = emulator.channel(guild)

        async with running(emulator, inbox):
            answer = await emulator.slash(emulator.person("Ada", guild), general, "help").answer()

    assert emulator.said_by_bot(general) == [answer]
    assert answer.pinged == frozenset()


async def test_option_is_completed_while_it_is_typed() -> None:
    inbox = RecordingInbox([SEARCH])
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())

        async with running(emulator, inbox):
            choices = await emulator.autocomplete(ada, emulator.dm(ada), "memory search", "word", "te", count=2)

    assert choices == [{"name": "the word tea", "value": "tea"}]
    assert inbox.calls[0].options == {"count": 2}


async def test_long_answer_comes_in_several_private_parts() -> None:
    async def talk(call: CommandCall) -> Answer:
        return Answer("word " * 900)

    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        inbox = RecordingInbox([Command(("list",), "List", talk, private=True)])

        async with running(emulator, inbox):
            asked = emulator.slash(emulator.person("Ada", guild), emulator.channel(guild), "list")
            await emulator.changes.until(lambda: len(asked.messages) == 3, "three parts")

    assert all(message.ephemeral for message in asked.messages)
    assert " ".join(asked.texts).split() == ["word"] * 900


async def test_command_that_takes_long_unexpectedly_asks_for_more_time() -> None:
    go_on = asyncio.Event()

    async def ponder(call: CommandCall) -> Answer:
        await go_on.wait()
        return Answer("thought it over", private=True)

    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)

        async with running(emulator, RecordingInbox([Command(("ponder",), "Ponder", ponder)])):
            asked = emulator.slash(emulator.person("Ada", guild), general, "ponder")
            await asked.acknowledgement()
            go_on.set()
            answer = await asked.answer()

    assert asked.deferred
    assert (answer.content, answer.ephemeral) == ("thought it over", True)
    assert emulator.said_by_bot(general) == []


async def test_admin_right_is_the_live_right_in_this_channel() -> None:
    inbox = RecordingInbox([HELP])
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        manager = emulator.role(guild, "manager", Permission.MANAGE_GUILD)
        boss = emulator.person("Boss", guild, roles=[manager])

        async with running(emulator, inbox):
            await emulator.slash(boss, general, "help").answer()
            guild.members[boss.id].roles.clear()
            await emulator.slash(boss, general, "help").answer()
            await emulator.slash(boss, emulator.dm(boss), "help").answer()

    assert [call.asker_is_admin for call in inbox.calls] == [True, False, True]


async def test_admin_command_is_shown_to_admins_only() -> None:
    inbox = RecordingInbox([Command(("tune",), "Tune", say_options, who=WhoMay.ADMINS)])
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        boss = emulator.person("Boss", guild, roles=[emulator.role(guild, "manager", Permission.MANAGE_GUILD)])

        async with running(emulator, inbox):
            await emulator.slash(boss, general, "tune").answer()
            with pytest.raises(CommandUnavailable):
                emulator.slash(emulator.person("Ada", guild), general, "tune")


async def forget(call: CommandCall) -> Answer:
    if call.confirmed:
        return Answer(f"Forgot {call.options['number']}.")
    return Answer("Forget it?", confirmation=Confirmation("Forget memory 3", "memory forget 3"))


async def test_a_button_is_pressed_with_the_right_of_that_moment() -> None:
    inbox = RecordingInbox([FORGET])
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        boss = emulator.person("Boss", guild, roles=[emulator.role(guild, "manager", Permission.MANAGE_GUILD)])

        async with running(emulator, inbox):
            question = await emulator.slash(boss, emulator.channel(guild), "memory forget", number=3).answer()
            guild.members[boss.id].roles.clear()
            await emulator.click(boss, question, "Forget memory 3").acknowledgement()

    assert [(call.confirmed, call.asker_is_admin) for call in inbox.calls] == [(False, True), (True, False)]


FORGET = Command(("memory", "forget"), "Forget", forget, (Option("number", "Which", OptionKind.NUMBER),), private=True)


async def test_confirmation_button_runs_the_command_also_after_a_restart() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        ada = emulator.person("Ada", guild)
        async with running(emulator, RecordingInbox([FORGET])):
            asked = emulator.slash(ada, emulator.channel(guild), "memory forget", number=3)
            question = await asked.answer()

        inbox = RecordingInbox([FORGET])
        async with running(emulator, inbox):
            await emulator.click(ada, question, "Forget memory 3").acknowledgement()

    assert (question.content, question.components) == ("Forgot 3.", [])
    assert [(call.confirmed, call.asker.id) for call in inbox.calls] == [(True, str(ada.id))]


async def test_button_of_somebody_else_does_nothing() -> None:
    inbox = RecordingInbox([Command(("memory", "forget"), "Forget", forget, FORGET.options)])
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        bo = emulator.person("Bo", guild)

        async with running(emulator, inbox):
            question = await emulator.slash(emulator.person("Ada", guild), emulator.channel(guild), "memory forget", number=3).answer()
            answer = await emulator.click(bo, question, "Forget memory 3").answer()

    assert (answer.content, answer.ephemeral) == ("This button was shown to somebody else.", True)
    assert not any(call.confirmed for call in inbox.calls)


async def test_command_that_fails_says_so() -> None:
    async def fail(call: CommandCall) -> Answer:
        raise StoreError("disk full")

    async def crash(call: CommandCall) -> Answer:
        raise ZeroDivisionError

    inbox = RecordingInbox([Command(("fail",), "Fail", fail), Command(("crash",), "Crash", crash)])
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, ada = emulator.channel(guild), emulator.person("Ada", guild)

        async with running(emulator, inbox):
            answers = [await emulator.slash(ada, general, name).answer() for name in ("fail", "crash")]

    assert all("went wrong" in answer.content and answer.ephemeral for answer in answers)


async def test_commands_are_sent_to_discord_only_when_they_changed() -> None:
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        async with running(emulator, RecordingInbox([SEARCH, HELP])):
            pass

        async with running(emulator, RecordingInbox([HELP, SEARCH])):
            await emulator.changes.until(lambda: len(emulator.calls_to("GET", "/commands")) == 2, "a second look")
            await emulator.slash(ada, emulator.dm(ada), "help").answer()
        unchanged = len(emulator.calls_to("PUT", "/commands"))
        async with running(emulator, RecordingInbox([HELP])):
            await emulator.changes.until(lambda: len(emulator.world.commands[None]) == 1, "the new commands")

    assert unchanged == 1
    assert len(emulator.calls_to("PUT", "/commands")) == 2


async def test_command_that_discord_would_refuse_takes_no_other_with_it() -> None:
    inbox = RecordingInbox([HELP, Command(("Not Allowed",), "Bad name", say_options)])
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())

        async with running(emulator, inbox):
            answer = await emulator.slash(ada, emulator.dm(ada), "help").answer()

    assert answer.content == "help: {}"


async def test_outdated_command_says_what_to_do() -> None:
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        old = {"id": "1", "name": "old", "description": "x", "type": 1, "options": []}

        async with running(emulator, RecordingInbox([HELP])):
            emulator.world.commands[None].append(old)
            answer = await emulator.slash(ada, emulator.dm(ada), "old").answer()

    assert "reload Discord" in answer.content


async def test_answer_after_the_token_expired_is_logged_without_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    clock = ManualClock()

    async def sleep_over(call: CommandCall) -> Answer:
        clock.advance(16 * 60)
        return Answer("good morning")

    inbox = RecordingInbox([Command(("dream",), "Dream", sleep_over, slow=True), HELP])
    async with DiscordEmulator(clock) as emulator:
        ada = emulator.person("Ada", emulator.guild())
        chat = emulator.dm(ada)

        async with running(emulator, inbox):
            emulator.slash(ada, chat, "dream")
            await emulator.changes.until(lambda: [c for c in emulator.calls if c.status == 401], "a refused answer")
            answer = await emulator.slash(ada, chat, "help").answer()

    assert answer.content == "help: {}"
    logged = capsys.readouterr().out
    assert "discord_answer_lost" in logged
    assert "Traceback" not in logged
