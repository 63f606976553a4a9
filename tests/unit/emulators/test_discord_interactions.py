"""The emulator's slash commands, buttons and forms, answered by the real client."""

import asyncio
from collections.abc import Awaitable, Callable

import discord
import pytest
from discord import app_commands

from tests.emulators.discord.clock import ManualClock
from tests.emulators.discord.interactions import CommandUnavailable
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.emulators.discord_client import Listener, listening

Asked = discord.Interaction[discord.Client]
Attempt = Callable[[DiscordEmulator, ManualClock, Asked], Awaitable[None]]


def with_commands(client: Listener) -> Listener:
    """Give the client "/echo", "/note add" with completion, and "/admin"."""

    @client.tree.command(name="echo", description="Say it again")
    async def echo(asked: Asked, text: str) -> None:
        await asked.response.send_message(text, ephemeral=True)

    @client.tree.command(name="slow", description="Think first")
    async def slow(asked: Asked) -> None:
        await asked.response.defer(ephemeral=True, thinking=True)
        await asked.followup.send("thought")
        await asked.followup.send("more")

    note = app_commands.Group(name="note", description="Notes")

    @note.command(name="add", description="Add a note")
    async def add(asked: Asked, word: str) -> None:
        await asked.response.send_message(f"noted {word}")

    @add.autocomplete("word")
    async def words(asked: Asked, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=w, value=w) for w in ("tea", "toast") if w.startswith(typed)]

    @client.tree.command(name="admin", description="For managers")
    @app_commands.default_permissions(manage_guild=True)
    async def admin(asked: Asked) -> None:
        await asked.response.send_message(f"you may: {asked.permissions.manage_guild}")

    client.tree.add_command(note)
    return client


async def test_slash_command_is_answered_to_the_asker_only() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with listening(emulator, with_commands(Listener())) as client:
            await client.tree.sync()
            answer = await emulator.slash(ada, general, "echo", text="hi").answer()

    assert (answer.content, answer.ephemeral) == ("hi", True)
    assert emulator.said_by_bot(general) == []


async def test_deferred_answer_stays_hidden_and_further_ones_follow() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)

        async with listening(emulator, with_commands(Listener())) as client:
            await client.tree.sync()
            asked = emulator.slash(ada, general, "slow")
            await emulator.changes.until(lambda: len(asked.messages) == 2, "two answers")

    assert asked.deferred
    assert asked.texts == ["thought", "more"]
    assert asked.messages[0].ephemeral


async def test_subcommand_completes_its_option() -> None:
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        chat = emulator.dm(ada)

        async with listening(emulator, with_commands(Listener())) as client:
            await client.tree.sync()
            choices = await emulator.autocomplete(ada, chat, "note add", "word", "te")
            answer = await emulator.slash(ada, chat, "note add", word=choices[0]["value"]).answer()

    assert answer.content == "noted tea"
    assert emulator.said_by_bot(chat) == [answer]


async def test_command_for_managers_is_offered_to_managers_only() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        boss = emulator.person("Boss", guild, roles=[emulator.role(guild, "boss", Permission.MANAGE_GUILD)])
        ada = emulator.person("Ada", guild)

        async with listening(emulator, with_commands(Listener())) as client:
            await client.tree.sync()
            answer = await emulator.slash(boss, general, "admin").answer()
            with pytest.raises(CommandUnavailable):
                emulator.slash(ada, general, "admin")

    assert answer.content == "you may: True"


async def answer_late(emulator: DiscordEmulator, clock: ManualClock, asked: Asked) -> None:
    clock.advance(3.5)
    await asked.response.send_message("late")


async def answer_twice(emulator: DiscordEmulator, clock: ManualClock, asked: Asked) -> None:
    await asked.response.send_message("one")
    await discord.InteractionResponse(asked).send_message("two")


async def follow_up_first(emulator: DiscordEmulator, clock: ManualClock, asked: Asked) -> None:
    await asked.followup.send("too early")


async def follow_up_late(emulator: DiscordEmulator, clock: ManualClock, asked: Asked) -> None:
    await asked.response.defer()
    clock.advance(15 * 60 + 1)
    await asked.followup.send("too late")


async def answer_nothing(emulator: DiscordEmulator, clock: ManualClock, asked: Asked) -> None:
    await asked.response.send_message(" ")


@pytest.mark.parametrize(
    ("attempt", "code"),
    [
        pytest.param(answer_late, 10062, id="after three seconds"),
        pytest.param(answer_twice, 40060, id="a second callback"),
        pytest.param(follow_up_first, 10015, id="follow-up before the callback"),
        pytest.param(follow_up_late, 50027, id="follow-up after fifteen minutes"),
        pytest.param(answer_nothing, 50006, id="empty answer"),
    ],
)
async def test_refused_answer_has_discords_code(attempt: Attempt, code: int) -> None:
    clock = ManualClock()
    async with DiscordEmulator(clock) as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        emulator.world.commands[None] = [{"id": "1", "name": "ask", "type": 1, "options": []}]

        async with listening(emulator) as client:
            emulator.slash(emulator.person("Ada", guild), general, "ask")
            asked = await client.next_interaction()
            with pytest.raises(discord.HTTPException) as refused:
                await attempt(emulator, clock, asked)

    assert refused.value.code == code


class Confirm(discord.ui.View):
    """One button that changes the message it stands on."""

    @discord.ui.button(label="Forget it", custom_id="forget")
    async def forget(self, asked: Asked, button: discord.ui.Button["Confirm"]) -> None:
        await asked.response.edit_message(content="gone", view=None)


async def test_button_changes_a_hidden_message() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        ada = emulator.person("Ada", guild)
        emulator.world.commands[None] = [{"id": "1", "name": "ask", "type": 1, "options": []}]

        async with listening(emulator) as client:
            asked = emulator.slash(ada, general, "ask")
            await (await client.next_interaction()).response.send_message("sure?", view=Confirm(), ephemeral=True)
            clicked = emulator.click(ada, await asked.answer(), "Forget it")
            await clicked.acknowledgement()

    assert asked.texts == ["gone"]
    assert asked.messages[0].components == []


class Form(discord.ui.Modal, title="Change it"):
    """One field."""

    text: discord.ui.TextInput["Form"] = discord.ui.TextInput(label="Text", custom_id="text")

    async def on_submit(self, asked: Asked) -> None:
        await asked.response.send_message(f"changed to {self.text.value}")


async def test_form_is_opened_and_sent() -> None:
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general = emulator.channel(guild)
        emulator.world.commands[None] = [{"id": "1", "name": "ask", "type": 1, "options": []}]

        async with listening(emulator) as client:
            asked = emulator.slash(emulator.person("Ada", guild), general, "ask")
            await (await client.next_interaction()).response.send_modal(Form())
            await asked.acknowledgement()
            answer = await emulator.submit(asked, text="tea").answer()

    assert answer.content == "changed to tea"


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        pytest.param({"name": "Memory", "description": "x"}, "regex", id="capital letter"),
        pytest.param({"name": "m", "description": ""}, "required", id="no description"),
        pytest.param({"name": "m", "description": "x" * 101}, "100 or fewer", id="long description"),
        pytest.param(
            {
                "name": "m",
                "description": "x",
                "options": [
                    {"name": "a", "description": "x", "type": 3},
                    {"name": "b", "description": "x", "type": 3, "required": True},
                ],
            },
            "before non-required",
            id="required after optional",
        ),
    ],
)
async def test_bad_command_definition_is_refused(command: dict[str, object], complaint: str) -> None:
    async with DiscordEmulator() as emulator, listening(emulator) as client:
        assert client.application_id is not None
        with pytest.raises(discord.HTTPException, match=complaint) as refused:
            await client.http.bulk_upsert_global_commands(client.application_id, [command])

    assert refused.value.code == 50035


async def test_unanswered_command_shows_its_failure() -> None:
    clock = ManualClock()
    async with DiscordEmulator(clock) as emulator:
        guild = emulator.guild()
        emulator.world.commands[None] = [{"id": "1", "name": "ask", "type": 1, "options": []}]
        async with listening(emulator) as client:
            asked = emulator.slash(emulator.person("Ada", guild), emulator.channel(guild), "ask")
            await client.next_interaction()
            await asyncio.sleep(0)
            clock.advance(4)

    assert asked.failed
