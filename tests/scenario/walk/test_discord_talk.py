"""What members of a Discord server do with the bot: talking with it, as they would with anybody."""

from dataclasses import dataclass, replace

from bot.platforms.discord.split import LIMIT
from bot.platforms.growing import Pace
from bot.storage.cards.png import plain_picture
from bot.testing.scripted_model import ScriptedModel
from tests.emulators.discord.objects import ChannelKind
from tests.emulators.discord.permissions import Permission
from tests.scenario.discord_stage import IMPATIENT
from tests.scenario.walk.discord_walk import walk
from tests.scenario.walk.storyteller import Storyteller
from tests.unit.nlp.pages import pdf_of

GROWS = replace(IMPATIENT, draft=Pace(first=0.0, every=0.01, least=4))


def last_line(model: ScriptedModel) -> str:
    """Return what the model was asked last."""
    return model.prompts[-1].messages[-1].text


async def test_saying_hi_in_a_direct_chat_is_answered_there_and_remembered_for_the_next_line() -> None:
    model = ScriptedModel("Hello Ada!", "With milk, as you said.")
    async with walk(model) as tea:
        chat = tea.discord.dm(tea.ada)
        hello = await tea.talk(tea.ada, "hi, I take my tea with milk", chat)
        again = await tea.talk(tea.ada, "how do I take it?", chat)

    assert [hello.content, again.content] == ["Hello Ada!", "With milk, as you said."]
    assert "I take my tea with milk" in model.prompts[1].text


async def test_mentioning_the_bot_in_a_channel_gets_a_reply_that_pings_nobody_but_the_asker() -> None:
    async with walk(ScriptedModel("The kettle is on.")) as tea:
        tea.discord.member_says(tea.general, tea.bo, "anybody for tea?")
        answer = await tea.talk(tea.ada, "is there tea?")

    assert answer.reply_to is not None
    assert (answer.reply_to.author, answer.pinged) == (tea.ada, frozenset({f"user:{tea.ada.id}"}))


async def test_replying_to_the_bots_answer_lets_another_member_join_in() -> None:
    model = ScriptedModel("Scones at four.", "One for Bo, too.")
    async with walk(model) as tea:
        offer = await tea.talk(tea.ada, "when are the scones ready?")
        answer = await tea.talk(tea.bo, "one for me, please", reply_to=offer)

    assert (answer.content, answer.reply_to and answer.reply_to.author) == ("One for Bo, too.", tea.bo)
    assert "Bo" in last_line(model)


async def test_correcting_a_question_after_its_answer_and_asking_anew_answers_the_corrected_words_in_the_same_place() -> None:
    model = ScriptedModel("Oolong is a dog.", "Oolong is a tea.")
    async with walk(model) as tea:
        chat = tea.discord.dm(tea.ada)
        asked = tea.discord.member_says(chat, tea.ada, "what is olong the dog?")
        answer = await tea.answered(chat)
        tea.discord.member_edits(asked, "what is oolong?")
        await tea.knows("what is oolong?")
        told = await tea.run(tea.ada, "regenerate", chat)
        await tea.discord.changes.until(lambda: answer.content == "Oolong is a tea.", "the new answer")

    assert (told.content, told.ephemeral) == ("I am answering that anew.", True)
    assert ("what is oolong?" in last_line(model), "dog" in last_line(model)) == (True, False)
    assert tea.discord.said_by_bot(chat) == [answer]


async def test_what_a_member_deletes_is_not_known_any_more() -> None:
    model = ScriptedModel("Noted.", "I cannot see any code.")
    async with walk(model) as tea:
        secret = tea.discord.member_says(tea.general, tea.bo, "the door code is 4711")
        await tea.talk(tea.bo, "good morning")
        tea.discord.member_deletes(secret)
        await tea.talk(tea.ada, "what is the door code?")

    assert ("4711" in model.prompts[0].text, "4711" in model.prompts[1].text) == (True, False)


async def test_a_picture_is_seen() -> None:
    model = ScriptedModel("A grey square.")
    async with walk(model) as tea:
        chat = tea.discord.dm(tea.ada)
        tea.discord.member_says(chat, tea.ada, "", attachments=[tea.discord.file("tile.png", plain_picture(), "image/png")])
        answer = await tea.answered(chat)

    assert (answer.content, len(model.prompts[0].messages[-1].images)) == ("A grey square.", 1)


async def test_text_and_pdf_files_are_read() -> None:
    model = ScriptedModel("Red kettle, black tea.")
    async with walk(model) as tea:
        files = [
            tea.discord.file("kettle.txt", b"The kettle is red."),
            tea.discord.file("tea.pdf", pdf_of("Black tea only."), "application/pdf"),
        ]
        tea.discord.member_says(tea.general, tea.ada, f"{tea.discord.bot.mention} read these", attachments=files)
        await tea.answered(tea.general)

    assert "The kettle is red." in last_line(model)
    assert "Black tea only." in last_line(model)


@dataclass(slots=True)
class Listener:
    """Writes down every voice message in the same words."""

    async def write_down(self, data: bytes, name: str) -> str:
        return "put the kettle on"

    async def close(self) -> None:
        """Nothing to close."""


async def test_a_voice_message_is_listened_to_and_where_nobody_can_the_bot_knows_that_it_should_say_so() -> None:
    heard, deaf = ScriptedModel("It is on."), ScriptedModel("I cannot listen here; please write it.")
    for model, transcriber in ((heard, Listener()), (deaf, None)):
        async with walk(model, transcriber=transcriber) as tea:
            tea.discord.member_speaks(tea.discord.dm(tea.ada), tea.ada, 3.0)
            await tea.answered(tea.discord.dm(tea.ada))

    assert "put the kettle on" in last_line(heard)
    assert "not read: nobody has set up how to listen to voice messages" in last_line(deaf)


async def test_stickers_polls_and_forwards_are_understood() -> None:
    model = ScriptedModel("Hello!", "Green, please.", "Nice.")
    async with walk(model) as tea:
        chat = tea.discord.dm(tea.ada)
        tea.discord.member_sends_sticker(chat, tea.ada, "wave")
        await tea.answered(chat, 1)
        tea.discord.member_asks(chat, tea.ada, "Which tea?", ["black", "green"])
        await tea.answered(chat, 2)
        tea.discord.member_forwards(chat, tea.ada, tea.discord.member_says(tea.general, tea.bo, "the scones are out"))
        await tea.answered(chat, 3)

    asked = [prompt.messages[-1].text for prompt in model.prompts]
    assert ["[sticker: wave]" in asked[0], "[poll: Which tea? – black, green]" in asked[1], "the scones are out" in asked[2]] == [True] * 3


async def test_a_thread_made_from_a_message_is_a_talk_of_its_own_that_knows_how_it_began() -> None:
    model = ScriptedModel("About the kettle, then.")
    async with walk(model) as tea:
        tea.discord.member_says(tea.general, tea.bo, "my cat is ill")
        thread = tea.discord.thread_from(tea.discord.member_says(tea.general, tea.ada, "the kettle leaks"), "kettle", tea.ada)
        answer = await tea.talk(tea.ada, "what now?", thread)

    assert (answer.channel, tea.discord.said_by_bot(tea.general)) == (thread, [])
    assert ("the kettle leaks" in model.prompts[0].text, "cat" in model.prompts[0].text) == (True, False)


async def test_a_forum_post_is_answered_with_its_title_and_tags_in_mind() -> None:
    model = ScriptedModel("Descale it.")
    async with walk(model) as tea:
        forum = tea.discord.channel(tea.guild, "questions", ChannelKind.FORUM)
        post = tea.discord.posts(forum, tea.ada, "Kettle is slow", f"{tea.discord.bot.mention} it takes an hour", tags=["kettles"])
        answer = await tea.answered(post)

    assert answer.content == "Descale it."
    assert {word in model.prompts[0].text for word in ("Kettle is slow", "kettles", "it takes an hour")} == {True}


async def test_emoji_of_the_server_show_and_those_that_are_not_there_stay_words() -> None:
    async with walk(ScriptedModel("Here :teapot: and :unicorn:")) as tea:
        tea.discord.gives_emoji(tea.guild, "teapot", 4242)
        answer = await tea.talk(tea.ada, "tea?")

    assert answer.content == "Here <:teapot:4242> and :unicorn:"


async def test_an_answer_grows_in_one_message_and_ends_whole() -> None:
    model = Storyteller("Once there was a kettle", " that sang.")
    async with walk(model, tuning=GROWS) as tea:
        tea.discord.member_says(tea.general, tea.ada, f"{tea.discord.bot.mention} tell me a story")
        answer = await tea.discord.bot_says(tea.general)
        begun = answer.content
        model.go_on.set()
        await tea.discord.changes.until(lambda: answer.content != begun, "the rest")
        await tea.quiet()

    assert (begun, answer.content) == ("Once there was a kettle", "Once there was a kettle that sang.")
    assert tea.discord.said_by_bot(tea.general) == [answer]


async def test_a_long_answer_comes_in_parts_that_are_each_whole_and_only_the_first_pings() -> None:
    code = "\n".join(f"pour({number})" for number in range(400))
    text = f"**Like this:**\n```python\n{code}\n```\nThat is all."
    async with walk(ScriptedModel(text)) as tea:
        await tea.talk(tea.ada, "show me")
        parts = tea.discord.said_by_bot(tea.general)

    assert [len(part.content) <= LIMIT and part.content.count("```") == 2 for part in parts] == [True] * len(parts)
    assert [line for part in parts for line in part.content.splitlines() if line.startswith("pour")] == code.splitlines()
    assert [len(part.pinged) for part in parts] == [1] + [0] * (len(parts) - 1)
    assert parts[-1].content.endswith("That is all.")


async def test_an_answer_that_names_everybody_pings_nobody_else() -> None:
    async with walk(ScriptedModel(lambda _: f"@everyone and <@{names[0]}> and <@&{names[1]}>")) as tea:
        tea.guild.members[tea.discord.bot.id].roles[0].permissions |= Permission.MENTION_EVERYONE
        names = [tea.bo.id, tea.discord.role(tea.guild, "cooks", mentionable=True).id]
        answer = await tea.talk(tea.ada, "call them all")

    assert ("@everyone" in answer.content, answer.pinged) == (True, frozenset({f"user:{tea.ada.id}"}))


async def test_new_begins_afresh_and_everybody_sees_that() -> None:
    model = ScriptedModel("A riddle, then.", "What riddle?")
    async with walk(model) as tea:
        await tea.talk(tea.ada, "let us play a riddle")
        told = await tea.run(tea.boss, "new")
        await tea.talk(tea.ada, "go on")

    assert (told.content.startswith("A fresh start:"), told.ephemeral) == (True, False)
    assert "riddle" not in model.prompts[1].text


async def test_a_summary_that_is_not_there_yet_says_when_there_will_be_one() -> None:
    async with walk(ScriptedModel("Hello!")) as tea:
        await tea.talk(tea.ada, "hi")
        told = await tea.run(tea.ada, "summary show")

    assert "Nothing is summarised here yet." in told.content
    assert "25 messages" in told.content


async def test_continue_lets_the_bot_go_on_where_it_ended() -> None:
    model = ScriptedModel("First, warm the pot.", "Then wait five minutes.")
    async with walk(model) as tea:
        await tea.talk(tea.ada, "how do I make tea?")
        told = await tea.run(tea.ada, "continue")
        more = await tea.answered(tea.general, 2)

    assert (told.content, told.ephemeral, more.content) == ("I am going on.", True, "Then wait five minutes.")


async def test_undo_asks_first_and_takes_the_answer_out_of_the_chat() -> None:
    model = ScriptedModel("Your secret is safe.", "What secret?")
    async with walk(model) as tea:
        chat = tea.discord.dm(tea.ada)
        await tea.talk(tea.ada, "I ate all the scones", chat)
        question = await tea.run(tea.ada, "undo", chat)
        told = await tea.press(tea.ada, question, "Take it back")
        left = tea.discord.said_by_bot(chat)
        await tea.talk(tea.ada, "what did I eat?", chat)

    assert (told.content.startswith("Taken back:"), told.components, left) == (True, [], [])
    assert "scones" not in model.prompts[1].text


async def test_stop_ends_an_answer_and_what_was_shown_stays() -> None:
    async with walk(Storyteller("Once there was a kettle", " that sang."), tuning=GROWS) as tea:
        tea.discord.member_says(tea.general, tea.ada, f"{tea.discord.bot.mention} tell me a story")
        await tea.discord.bot_says(tea.general)
        told = await tea.run(tea.ada, "stop")
        await tea.quiet()

    assert (told.ephemeral, [message.content for message in tea.discord.said_by_bot(tea.general)]) == (True, ["Once there was a kettle …"])
    assert "Stopped" in told.content
