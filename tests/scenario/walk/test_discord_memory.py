"""What members of a Discord server do about what the bot remembers of them."""

import zipfile
from io import BytesIO

from bot.testing.scripted_model import ScriptedModel
from tests.scenario.walk.discord_walk import labels, read, walk


async def test_a_long_list_of_memories_is_turned_page_by_page_with_buttons() -> None:
    async with walk(ScriptedModel()) as tea:
        chat = tea.discord.dm(tea.ada)
        for number in range(1, 23):
            await tea.run(tea.ada, "memory add", chat, text=f"I own teapot number {number}")
        page = await tea.run(tea.ada, "memory list", chat)
        first, first_buttons = read(page), labels(page)
        second = read(await tea.press(tea.ada, page, "›"))
        back = read(await tea.press(tea.ada, page, "« 1"))

    assert page.ephemeral
    assert ("- #1 ▰▰▰▰▱ I own teapot number 1 (working, new)" in first, "#22" in first, first_buttons) == (True, False, ["›"])
    assert ("- #22 ▰▰▰▰▱ I own teapot number 22" in second, "#1 " in second, back) == (True, False, first)


async def test_forgetting_a_memory_asks_and_says_what_is_gone() -> None:
    async with walk(ScriptedModel()) as tea:
        chat = tea.discord.dm(tea.ada)
        await tea.run(tea.ada, "memory add", chat, text="I collect stamps")
        question = await tea.run(tea.ada, "memory forget", chat, number=1)
        asked, buttons = question.content, labels(question)
        told = await tea.press(tea.ada, question, "Forget it")
        listed = await tea.run(tea.ada, "memory list", chat)

    assert (asked.startswith("Forget `#1` for good?\n\n> I collect stamps"), buttons) == (True, ["Forget it"])
    assert (told.content.startswith("Forgotten: `#1` is deleted."), told.components, told.ephemeral) == (True, [], True)
    assert "remembers nothing about you" in listed.content


async def test_a_memory_is_found_by_its_words_while_its_number_is_typed_and_then_corrected() -> None:
    async with walk(ScriptedModel()) as tea:
        for text in ("I have a cat called Mochi", "I play the cello"):
            await tea.run(tea.ada, "memory add", text=text)
        await tea.run(tea.bo, "memory add", text="I have a cat, too")
        choices = await tea.discord.autocomplete(tea.ada, tea.general, "memory edit", "number", "cat")
        told = await tea.run(tea.ada, "memory edit", number=choices[0]["value"], text="I have a cat called Momo")

    assert choices == [{"name": "#1 I have a cat called Mochi", "value": 1}]
    assert told.content == "Changed. `#1` is now: I have a cat called Momo"


async def test_remember_this_keeps_what_a_member_said_and_links_to_it() -> None:
    async with walk(ScriptedModel()) as tea:
        said = tea.discord.member_says(tea.general, tea.ada, "I am allergic to nuts")
        await tea.knows("I am allergic to nuts")
        told = await tea.choose(tea.ada, said, "Remember this")
        listed = await tea.run(tea.ada, "memory list")

    assert (told.content, told.ephemeral) == ("Remembered as `#1`: I am allergic to nuts", True)
    assert f"[source](https://discord.com/channels/{tea.guild.id}/{tea.general.id}/{said.id})" in listed.content


async def test_forget_this_takes_a_message_and_what_rests_on_it() -> None:
    model = ScriptedModel("I know nothing of nuts.")
    async with walk(model) as tea:
        said = tea.discord.member_says(tea.general, tea.ada, "I am allergic to nuts")
        await tea.knows("I am allergic to nuts")
        await tea.choose(tea.ada, said, "Remember this")
        question = await tea.choose(tea.ada, said, "Forget this")
        asked = question.content
        told = await tea.press(tea.ada, question, "Forget it")
        await tea.talk(tea.ada, "may I have this cake?")

    assert "> I am allergic to nuts" in asked
    assert (told.content.startswith("Forgotten.\n\nGone:\n- 1 message\n- 1 memory\n"), told.ephemeral) == (True, True)
    assert "nuts" not in model.prompts[0].text


async def test_why_did_you_say_that_shows_the_asker_alone_what_was_in_mind_about_them() -> None:
    async with walk(ScriptedModel("With milk, as always?")) as tea:
        await tea.run(tea.ada, "memory add", text="I take my tea with milk")
        answer = await tea.talk(tea.ada, "tea, please")
        told = await tea.choose(tea.ada, answer, "Why did you say that?")
        others = await tea.choose(tea.bo, answer, "Why did you say that?")

    assert ("`#1` I take my tea with milk — " in told.content, told.ephemeral) == (True, True)
    assert "milk" not in others.content


async def test_what_is_told_in_a_direct_chat_is_known_in_no_channel() -> None:
    model = ScriptedModel("How nice!", "I have no idea.")
    async with walk(model) as tea:
        chat = tea.discord.dm(tea.ada)
        await tea.run(tea.ada, "memory add", chat, text="I am getting married in May")
        await tea.talk(tea.ada, "can you keep a secret?", chat)
        await tea.talk(tea.bo, "what is new with Ada?")
        listed = await tea.run(tea.ada, "memory list")

    assert ["married" in prompt.text for prompt in model.prompts] == [True, False]
    assert "remembers nothing about you here" in listed.content


async def test_forget_me_in_a_direct_chat_erases_all_of_a_member_everywhere() -> None:
    async with walk(ScriptedModel("Hello!", "Hello again!")) as tea:
        chat = tea.discord.dm(tea.ada)
        await tea.run(tea.ada, "memory add", text="I live by the lake")
        await tea.talk(tea.ada, "hi")
        question = await tea.run(tea.ada, "forget me", chat)
        asked = question.content
        told = await tea.press(tea.ada, question, "Erase it all")
        here, there = [await tea.run(tea.ada, "memory list", place) for place in (chat, tea.general)]

    assert "This cannot be undone." in asked
    assert (told.content.startswith("Erased.\n\nGone:\n"), "- 1 memory\n" in told.content, told.ephemeral) == (True, True, True)
    assert {"remembers nothing about you here" in listed.content for listed in (here, there)} == {True}


async def test_privacy_says_what_is_kept_where_it_goes_and_what_one_can_do() -> None:
    async with walk(ScriptedModel()) as tea:
        told = await tea.run(tea.ada, "privacy show")

    assert told.ephemeral
    assert {
        words in told.content for words in ("What I keep.", "For how long.", "Where it goes.", "Who may see it.", "What you can do.")
    } == {True}
    assert "/privacy export gives you all of it as a file" in read(told)
    assert labels(told) == ["Stop remembering me"]


async def test_an_export_is_a_file_that_people_and_programs_can_read() -> None:
    async with walk(ScriptedModel("Lovely.")) as tea:
        chat = tea.discord.dm(tea.ada)
        await tea.run(tea.ada, "memory add", chat, text="I bake scones")
        await tea.talk(tea.ada, "I baked again", chat)
        told = await tea.run(tea.ada, "privacy export", chat)

    assert told.ephemeral
    with zipfile.ZipFile(BytesIO(told.attachments[0].data)) as packed:
        page, data = packed.read("export.md").decode(), packed.read("export.json").decode()
    assert {text in each for each in (page, data) for text in ("I bake scones", "I baked again")} == {True}


async def test_opting_out_is_one_press_and_from_then_on_nothing_is_kept() -> None:
    model = ScriptedModel("Hello!", "I do not know.")
    async with walk(model) as tea:
        told = await tea.press(tea.ada, await tea.run(tea.ada, "privacy show"), "Stop remembering me")
        tea.discord.member_says(tea.general, tea.ada, "my password hint is teapot")
        refused = await tea.run(tea.ada, "memory add", text="I like tea")
        await tea.talk(tea.bo, "what was Ada's hint?")
        back = await tea.run(tea.ada, "privacy optin")

    assert told.content.startswith("From now on I keep nothing of what you say")
    assert "teapot" not in model.prompts[0].text
    assert ("Remembered" in refused.content, back.content.startswith("I may remember what you say again.")) == (False, True)


async def test_usage_shows_the_tokens_of_the_talk_so_far() -> None:
    async with walk(ScriptedModel("Hello!")) as tea:
        await tea.talk(tea.ada, "hi")
        told = await tea.run(tea.ada, "usage")

    assert told.ephemeral
    assert "tokens" in told.content.lower()


async def test_help_shows_a_member_what_members_can_do_and_turns_to_the_rest_by_buttons() -> None:
    async with walk(ScriptedModel()) as tea:
        page = await tea.run(tea.ada, "help")
        overview, themes = read(page), labels(page)
        memory = read(await tea.press(tea.ada, page, "Memory"))
        one = await tea.run(tea.ada, "help", command="memory edit")

    assert ("/stop" in overview, "/speak" in overview, "Memory" in themes) == (True, False, True)
    assert "- /memory edit <number> <text> — Correct something I remember about you" in memory
    assert "- text — The fact in one sentence, at most 500 characters" in read(one)


async def test_a_japanese_member_finds_commands_by_japanese_names_and_is_answered_in_japanese() -> None:
    async with walk(ScriptedModel("お茶をどうぞ。")) as tea:
        tea.ada.locale = "ja"
        chat = tea.discord.dm(tea.ada)
        names = {command["name"]: (command["name_localizations"] or {}).get("ja") for command in tea.discord.world.commands[None]}
        added = await tea.run(tea.ada, "memory add", chat, text="お茶が好きです")
        question = await tea.run(tea.ada, "memory forget", chat, number=1)

    assert (names["memory"], names["Remember this"]) == ("記憶", "これを覚える")
    assert ("お茶が好きです" in added.content, "Remembered" in added.content) == (True, False)
    assert labels(question) == ["忘れる"]
