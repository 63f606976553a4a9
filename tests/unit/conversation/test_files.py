"""What the files of a message say."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.domain.message import Attachment, MessageEdit
from bot.errors import FileUnavailable
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import incoming
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel

PNG = b"\x89PNG\r\n\x1a\n and so on"
PICTURE = Attachment("tea.png", "image/png", len(PNG), "https://files.example/tea.png")
PDF = Attachment("list.pdf", "application/pdf", 9, "https://files.example/list.pdf")
VOICE = Attachment("voice.ogg", "audio/ogg", 9, "https://files.example/voice.ogg", duration_seconds=12.0, is_voice=True)


class FilePlatform(RecordingPlatform):
    """A platform that has files; what is not among them is gone."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__()
        self.files = files
        self.fetched: list[str] = []

    async def fetch(self, attachment: Attachment, *, limit: int) -> bytes:
        self.fetched.append(attachment.name)
        if attachment.name not in self.files or limit < attachment.size_bytes:
            raise FileUnavailable("it is gone")
        return self.files[attachment.name]


@dataclass
class Reader:
    """Reads every document and recording as the same words."""

    words: str
    read_so_far: list[bytes] = field(default_factory=list)

    async def read(self, data: bytes) -> str:
        self.read_so_far.append(data)
        return self.words

    async def write_down(self, data: bytes, name: str) -> str:
        return f"{self.words} ({name})"

    async def close(self) -> None:
        """Nothing to close."""


async def say(bot: Bot, *files: Attachment) -> None:
    await bot.receive(replace(incoming("look at this"), attachments=files))


async def stored_texts(bot: Bot) -> Sequence[str]:
    async with bot.store.read() as tx:
        return [message.text for message in await tx.messages.history(incoming("x").conversation, limit=9)]


async def test_a_model_that_sees_is_shown_pictures_by_what_they_are() -> None:
    model = ScriptedModel("Nice tea.")
    page = replace(PICTURE, name="page.png")
    platform = FilePlatform({"tea.png": PNG, "page.png": b"<html>"})

    async with make_bot(model, platform=platform) as bot:
        await say(bot, PICTURE, page)

    assert [(image.media_type, image.data) for image in model.prompts[0].messages[-1].images] == [("image/png", PNG)]


async def test_a_model_that_does_not_see_has_nothing_fetched_for_it() -> None:
    model, platform = ScriptedModel("What is it?", takes_images=False), FilePlatform({"tea.png": PNG})

    async with make_bot(model, platform=platform) as bot:
        await say(bot, PICTURE)

    assert platform.fetched == []
    assert "[attached: tea.png, image/png" in model.prompts[0].text


async def test_a_document_is_read_once_and_stays_in_the_history() -> None:
    model, reader = ScriptedModel("I see.", "Oolong."), Reader("The list: oolong.")

    async with make_bot(model, platform=FilePlatform({"list.pdf": b"%PDF"}), documents=reader) as bot:
        await say(bot, PDF)
        await bot.say("and?")
        texts = await stored_texts(bot)

    assert reader.read_so_far == [b"%PDF"]
    assert texts[0] == "look at this\n[attached: list.pdf, application/pdf, 9 bytes]\nThe list: oolong."
    assert "The list: oolong." in model.prompts[1].text


async def test_a_voice_message_is_the_words_of_whoever_spoke() -> None:
    async with make_bot(ScriptedModel("Hi."), platform=FilePlatform({"voice.ogg": b"ogg"}), transcriber=Reader("I like tea")) as bot:
        await say(bot, VOICE)

        assert (await stored_texts(bot))[0].startswith("look at this\nI like tea (voice.ogg)\n[attached: voice message, voice.ogg")


async def test_what_cannot_be_read_says_why_and_is_answered_all_the_same() -> None:
    model = ScriptedModel("I cannot hear that.")

    async with make_bot(model, platform=FilePlatform({})) as bot:
        await say(bot, VOICE, PDF)

        assert bot.replies == ["I cannot hear that."]
    assert "12 seconds, not read: nobody has set up how to listen to voice messages]" in model.prompts[0].text


async def test_an_edit_made_while_a_file_is_read_stays() -> None:
    class SlowReader(Reader):
        async def read(self, data: bytes) -> str:
            await bot.app.inbox.edit(
                MessageEdit(incoming("x").conversation, "m1", "my secret is gone\n[attached: list.pdf, application/pdf, 9 bytes]")
            )
            return await super().read(data)

    async with make_bot(ScriptedModel("I see."), platform=FilePlatform({"list.pdf": b"%PDF"}), documents=SlowReader("Oolong.")) as bot:
        await say(bot, PDF)

        assert (await stored_texts(bot))[0] == "my secret is gone\n[attached: list.pdf, application/pdf, 9 bytes]\nOolong."
