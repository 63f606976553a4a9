"""The bot's name in a server follows the persona that speaks everywhere in it, where an admin wants that."""

from bot.domain.chat import ConversationKey
from bot.errors import DeliveryDelayed, DeliveryRefused
from bot.testing.bot import make_bot
from bot.testing.factories import DIRECT, GROUP, a_persona
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel

CAST = (a_persona(), a_persona("rose", name="Rose"))


class NamedPlatform(RecordingPlatform):
    """Keeps what the bot is called where."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[tuple[str, str]] = []
        self.problems: list[Exception] = []

    async def rename(self, conversation: ConversationKey, name: str) -> None:
        """Keep a name, unless there is a problem."""
        if self.problems:
            raise self.problems.pop(0)
        self.names.append((conversation.space_id, name))


async def test_the_name_follows_what_is_bound_for_the_whole_server_until_it_is_switched_off() -> None:
    platform = NamedPlatform()
    lines = [
        "persona use rose server no",
        "persona nickname on",
        "persona use iris here no",
        "persona use iris server no",
        "persona set iris name Iris Blue",
        "persona free server",
        "persona use rose server no",
        "persona nickname",
        "persona nickname off",
        "persona use iris server no",
    ]

    async with make_bot(ScriptedModel(), personas=CAST, platform=platform) as bot:
        said = [(await bot.command(line, conversation=GROUP, admin=True)).text for line in lines]

    assert platform.names == [("club", name) for name in ("Rose", "Iris", "Iris Blue", "Rose", "")]
    assert said[1].endswith("I am **Rose** here now.")
    assert said[3].endswith("I am **Iris** in this server now.")
    assert "I am" not in said[2] + said[5] + said[9]
    assert said[8] == "I go by my own name in this server again."


async def test_what_goes_wrong_is_told_with_what_to_do() -> None:
    platform = NamedPlatform()
    platform.problems = [DeliveryRefused("no right"), DeliveryDelayed("away", retry_after=1.0)]

    async with make_bot(ScriptedModel(), personas=CAST, platform=platform) as bot:
        said = [(await bot.command("persona nickname on", conversation=GROUP, admin=True)).text for _ in range(2)]
        wrong = (await bot.command("persona nickname maybe", conversation=GROUP, admin=True)).text
        private = (await bot.command("persona nickname on", conversation=DIRECT)).text

    assert "**Change Nickname**" in said[0]
    assert "again in a moment" in said[1]
    assert (wrong, private) == ("Write `on` or `off`.", "Only in a Discord server can I go by another name.")
