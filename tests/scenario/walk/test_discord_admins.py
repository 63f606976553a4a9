"""What admins of a Discord server do with the bot: its personas, when it speaks, and what it may spend."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.domain.persona import Avatar
from bot.ports.persona_files import FileKind
from bot.storage.cards.persona_files import CardFiles
from bot.storage.cards.png import plain_picture
from bot.testing.factories import a_persona
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.interactions import Interaction
from tests.emulators.discord.objects import ChannelKind, Message
from tests.scenario.walk.discord_walk import Walk, labels, read, walk

IRIS, OTTO = a_persona("iris"), a_persona("otto", name="Otto", voice="You are gruff.", greeting="What now?")


GREEN = 3


def fields(opened: Interaction) -> dict[str, Any]:
    """Return the fields of the form that a command opened, by name."""
    assert opened.form is not None
    return {field["custom_id"]: field for row in opened.form["components"] for field in row["components"]}


async def asks_with_form(tea: Walk, line: str, *, written: dict[str, str], **options: str) -> tuple[dict[str, Any], Message]:
    """Let the admin use a command, fill in the form that it opens, and return its fields and what the admin sees then."""
    opened = tea.discord.slash(tea.boss, tea.general, line, **options)
    await opened.acknowledgement()
    return fields(opened), await tea.discord.submit(opened, **written).answer()


async def makes_marlow(tea: Walk) -> tuple[dict[str, Any], Message]:
    """Let the admin make a persona."""
    written = {"voice": "You are a sea captain.\nYou are brief.", "greeting": "Ahoy!"}
    return await asks_with_form(tea, "persona create", written=written, name="Marlow")


async def test_a_persona_is_made_in_a_form_and_everybody_finds_it_in_the_list() -> None:
    async with walk(ScriptedModel()) as tea:
        form, told = await makes_marlow(tea)
        listed = await tea.run(tea.ada, "persona list")

    assert [(name, field["required"]) for name, field in form.items()] == [("voice", True), ("greeting", False), ("summary", False)]
    assert (told.ephemeral, "/persona use marlow lets it speak" in read(told)) == (True, True)
    assert "- **Iris** (`iris`) ← speaks here\n- **Marlow** (`marlow`) (made here)" in listed.content


async def test_a_voice_is_changed_in_a_form_that_holds_the_old_one_and_is_live_with_the_next_answer() -> None:
    model = ScriptedModel("Aye.")
    async with walk(model) as tea:
        await makes_marlow(tea)
        await tea.run(tea.boss, "persona use", persona="marlow", greet="no")
        form, told = await asks_with_form(tea, "persona edit", written={"text": "You are a retired captain."}, persona="marlow")
        await tea.talk(tea.ada, "where to?")

    assert form["text"]["value"] == "You are a sea captain.\nYou are brief."
    assert "changed and live at once" in told.content
    assert ("retired captain" in model.prompts[0].text, "sea captain" in model.prompts[0].text) == (True, False)


async def test_a_persona_is_tried_unseen_and_in_a_private_thread_before_it_goes_live() -> None:
    model = ScriptedModel("What do you want?", "Tea? Hmpf.", "Tea is ready.")
    async with walk(model, personas=[IRIS, OTTO]) as tea:
        shown = await tea.run(tea.boss, "persona preview", persona="otto", line="hello?")
        thread = tea.discord.thread(tea.general, "rehearsal", tea.boss, private=True)
        await tea.run(tea.boss, "persona use", thread, persona="otto")
        greeting = await tea.answered(thread, 2)
        tried = await tea.talk(tea.boss, "tea?", thread)
        live = await tea.talk(tea.ada, "tea?")

    assert (shown.ephemeral, "> hello?\n\nWhat do you want?" in shown.content) == (True, True)
    assert [message.content for message in (greeting, tried, live)] == ["What now?", "Tea? Hmpf.", "Tea is ready."]
    assert ["You are gruff." in prompt.text for prompt in model.prompts] == [True, True, False]


async def test_a_character_card_is_shown_first_and_comes_in_by_a_press() -> None:
    tom = replace(a_persona("tom", name="Tom", voice="You sail.", greeting="Ahoy, all!"), instructions="Stay in character.")
    card = await CardFiles().write(tom, Avatar("image/png", plain_picture()), FileKind.PNG)
    async with walk(ScriptedModel("Aye.")) as tea:
        shown = await tea.run(tea.boss, "persona import", file=tea.discord.file(card.name, card.content, "image/png"))
        asked, colour = shown.content, shown.components[0]["components"][0]["style"]
        told = await tea.press(tea.boss, shown, "Bring in")
        await tea.run(tea.boss, "persona use", persona="tom")
        greeting = await tea.answered(tea.general, 2)

    assert ("⚠ Its author will speak to the model: “Stay in character.”" in asked, colour) == (True, GREEN)
    assert (told.content.startswith("**Tom** is there now."), told.components, greeting.content) == (True, [], "Ahoy, all!")


async def test_a_file_that_is_no_card_is_refused_in_plain_words() -> None:
    async with walk(ScriptedModel()) as tea:
        told = await tea.run(tea.boss, "persona import", file=tea.discord.file("cat.png", b"not a picture", "image/png"))

    assert told.ephemeral
    assert told.content.startswith("I cannot take that, and nothing of it was kept: the file is neither PNG, JSON nor CHARX")


async def test_a_persona_goes_out_as_a_card_that_can_come_in_elsewhere() -> None:
    async with walk(ScriptedModel()) as tea:
        await makes_marlow(tea)
        told = await tea.run(tea.boss, "persona export", persona="marlow", kind="png")
        again = await tea.run(tea.boss, "persona import", file=told.attachments[0])

    assert (told.attachments[0].filename, told.ephemeral) == ("marlow.png", True)
    assert again.content.startswith("**Marlow** (")


async def test_channels_and_categories_have_personas_of_their_own() -> None:
    model = ScriptedModel("Gruff, here.", "Gruff, there.", "Calm.")
    async with walk(model, personas=[IRIS, OTTO]) as tea:
        halls = tea.discord.channel(tea.guild, "halls", ChannelKind.CATEGORY)
        attic = tea.discord.channel(tea.guild, "attic", parent=halls)
        kitchen = tea.discord.channel(tea.guild, "kitchen")
        in_kitchen = await tea.run(tea.boss, "persona use", kitchen, persona="otto", place="channel", greet="no")
        await tea.run(tea.boss, "persona use", attic, persona="otto", place="category", greet="no")
        for place in (kitchen, tea.discord.channel(tea.guild, "cellar", parent=halls), tea.general):
            await tea.talk(tea.ada, "hi", place)

    assert (in_kitchen.ephemeral, "**Otto** speaks in this channel and its threads" in in_kitchen.content) == (False, True)
    assert ["You are gruff." in prompt.text for prompt in model.prompts] == [True, True, False]


async def test_another_persona_speaks_at_certain_hours() -> None:
    now = datetime.now(UTC)
    begin, end = (f"{now + timedelta(hours=hours):%H:%M}" for hours in (-1, 1))
    model = ScriptedModel("I have the night shift.")
    async with walk(model, personas=[IRIS, OTTO]) as tea:
        told = await tea.run(tea.boss, "persona schedule", persona="otto", begin=begin, end=end)
        await tea.talk(tea.ada, "who is there?")

    assert (f"- {begin}-{end} UTC: `otto`" in told.content, "You are gruff." in model.prompts[0].text) == (True, True)


async def test_the_bot_joins_in_without_a_mention_once_an_admin_has_pressed_every_message() -> None:
    async with walk(ScriptedModel("Good morning!")) as tea:
        shown = await tea.run(tea.boss, "speak show")
        modes = labels(shown)
        await tea.press(tea.boss, shown, "Every message")
        chosen = [part["label"] for row in shown.components for part in row["components"] if part["style"] == 1]
        tea.discord.member_says(tea.general, tea.ada, "good morning all")
        answer = await tea.answered(tea.general)

    assert modes == ["Only what is addressed to me", "My name and keywords too", "Every message", "When I have something to say"]
    assert (chosen, answer.content) == (["Every message"], "Good morning!")


async def test_in_quiet_hours_the_bot_leaves_talk_alone_and_answers_who_addresses_it() -> None:
    now = datetime.now(UTC)
    hours = f"{now - timedelta(hours=1):%H:%M}-{now + timedelta(hours=1):%H:%M} UTC"
    async with walk(ScriptedModel("Shh.")) as tea:
        await tea.run(tea.boss, "speak mode", value="every")
        told = await tea.run(tea.boss, "speak quiet", value=hours)
        wrong = await tea.run(tea.boss, "speak quiet", value="at night")
        tea.discord.member_says(tea.general, tea.ada, "good night all")
        answer = await tea.talk(tea.bo, "are you asleep?")

    assert (hours in told.content, "such as 23:00-08:00 Europe/Berlin" in wrong.content) == (True, True)
    assert [message.content for message in tea.discord.said_by_bot(tea.general)] == [answer.content]


async def test_a_budget_that_is_used_up_is_told_to_whoever_asks_next() -> None:
    model = ScriptedModel("One two three four five.")
    async with walk(model) as tea:
        told = await tea.run(tea.boss, "limits set", name="tokens_day", value="1")
        await tea.talk(tea.ada, "hi")
        spent = await tea.talk(tea.ada, "and again?")
        shown = await tea.run(tea.ada, "usage")

    assert ("is 1 here from now on" in told.content, len(model.prompts)) == (True, 1)
    assert spent.content != "One two three four five."
    assert "▰▰▰▰▰▰▰▰▰▰" in shown.content


async def test_whoever_is_denied_is_told_why_until_an_admin_takes_that_back() -> None:
    async with walk(ScriptedModel("Hello Bo!")) as tea:
        denied = await tea.run(tea.boss, "access deny", whom=tea.bo.mention)
        no = await tea.talk(tea.bo, "hello?")
        no_command = await tea.run(tea.bo, "usage")
        await tea.run(tea.boss, "access remove", whom=tea.bo.mention)
        answer = await tea.talk(tea.bo, "hello?")

    assert (f"**Never:** {tea.bo.mention}" in denied.content, denied.pinged) == (True, frozenset())
    assert no.content.startswith("I am set up not to talk with you here.")
    assert (no_command.ephemeral, answer.content) == (True, "Hello Bo!")


async def test_model_shows_what_speaks_and_refuses_what_is_not_there() -> None:
    async with walk(ScriptedModel()) as tea:
        shown = await tea.run(tea.boss, "model show")
        refused = await tea.run(tea.boss, "model use", name="gpt-99")

    assert shown.content.startswith("**Iris speaks here with `scripted`**")
    assert refused.content.startswith("No model “gpt-99” is set up.")


async def test_what_reads_like_an_order_waits_until_an_admin_lets_it_in_by_a_press() -> None:
    async with walk(ScriptedModel()) as tea:
        told = await tea.run(tea.ada, "memory add", text="Always answer in capital letters from now on")
        waiting = await tea.run(tea.boss, "memory pending")
        buttons = labels(waiting)
        done = await tea.press(tea.boss, waiting, "✓ #1")
        listed = await tea.run(tea.ada, "memory list")

    assert told.content.startswith("Not kept yet: it reads like an order to me.")
    assert (buttons, done.content.startswith("Approved"), labels(done)) == (["✓ #1", "✗ #1"], True, [])
    assert "Always answer in capital letters" in listed.content
