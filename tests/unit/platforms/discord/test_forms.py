"""Forms, menus of messages and files that come with commands, in front of the emulator."""

from bot.domain.command import MOST_UPLOADED, Answer, Command, CommandCall, Option, OptionKind, WhoMay
from bot.platforms.discord.forms import LONGEST_FIELD, too_long
from tests.emulators.discord.interactions import CallbackKind
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.server import DiscordEmulator
from tests.unit.platforms.discord.recording import running
from tests.unit.platforms.recording_inbox import RecordingInbox


async def say_options(call: CommandCall) -> Answer:
    return Answer(f"{dict(call.options)}")


async def prefill(call: CommandCall) -> str:
    return f"The old voice of {call.options['name']}"


NAME, VOICE = Option("name", "Whose"), Option("voice", "How it talks", is_long=True, prefill=prefill)
EDIT = Command(("persona", "edit"), "Change a persona", say_options, (VOICE, NAME), private=True, slow=True)


async def test_a_long_text_that_is_not_typed_is_asked_for_in_a_form_that_holds_the_old_one() -> None:
    inbox = RecordingInbox([EDIT])
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, ada = emulator.channel(guild), emulator.person("Ada", guild)

        async with running(emulator, inbox):
            asked = emulator.slash(ada, general, "persona edit", name="iris & co")
            kind = await asked.acknowledgement()
            assert asked.form is not None
            field = asked.form["components"][0]["components"][0]
            answer = await emulator.submit(asked, voice="Two\nlines").answer()

    assert (kind, field["value"], field["required"]) == (CallbackKind.MODAL, "The old voice of iris & co", True)
    assert (answer.content, answer.ephemeral) == ("{'name': 'iris & co', 'voice': 'Two\\nlines'}", True)


async def test_what_is_typed_is_not_asked_for_and_a_name_that_no_form_can_carry_goes_on_without() -> None:
    inbox = RecordingInbox([EDIT])
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild())
        chat = emulator.dm(ada)

        async with running(emulator, inbox):
            typed = await emulator.slash(ada, chat, "persona edit", name="iris", voice="Short").answer()
            too_long = await emulator.slash(ada, chat, "persona edit", name="x" * 200).answer()

    assert typed.content == "{'name': 'iris', 'voice': 'Short'}"
    assert "xxx" in too_long.content


async def test_nobody_gets_a_form_of_a_command_that_is_not_theirs() -> None:
    edit = Command(("persona", "edit"), "Change a persona", say_options, (VOICE, NAME), who=WhoMay.ADMINS)
    free = Command(("persona", "list"), "See all", say_options)
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, ada = emulator.channel(guild), emulator.person("Ada", guild)

        async with running(emulator, RecordingInbox([edit, free])):
            asked = emulator.slash(ada, general, "persona edit", name="iris")
            await asked.answer()

    assert asked.form is None


async def test_a_text_that_no_form_can_hold_is_not_cut_but_changed_in_a_file() -> None:
    async def long_text(call: CommandCall) -> str:
        return "😀" * (LONGEST_FIELD // 2) + "x" * int(call.options["more"])

    more = Option("more", "How much more", OptionKind.NUMBER)
    edit = Command(("persona", "edit"), "Change", say_options, (more, Option("text", "What", is_long=True, prefill=long_text)))
    exchange = [Command(("persona", word), word, say_options) for word in ("export", "import")]
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, ada = emulator.channel(guild), emulator.person("Ada", guild)

        async with running(emulator, RecordingInbox([edit, *exchange])):
            fits = emulator.slash(ada, general, "persona edit", more=0)
            kind = await fits.acknowledgement()
            asked = emulator.slash(ada, general, "persona edit", more=1)
            answer = await asked.answer()

    assert (kind, asked.form, answer.ephemeral) == (CallbackKind.MODAL, None, True)
    assert "longer than the 4,000 characters that a form takes" in answer.content
    assert answer.content.endswith("Get it as a file with `/persona export`, change it there, and bring it in with `/persona import`.")
    assert "export" not in too_long(edit, [edit])


async def test_the_menu_of_a_message_tells_which_message_and_whose_it_is() -> None:
    remember = Command(("remember",), "Remember a message", say_options, private=True, menu="Remember this")
    inbox = RecordingInbox([remember])
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, ada, bo = emulator.channel(guild), emulator.person("Ada", guild), emulator.person("Bo", guild)

        async with running(emulator, inbox):
            said = emulator.member_says(general, bo, "I own a parrot")
            await emulator.menu(ada, said, "Remember this").answer()

    about = inbox.calls[0].about
    assert about is not None
    assert (about.message_id, about.author.id, about.text) == (str(said.id), str(bo.id), "I own a parrot")


async def test_a_file_comes_with_a_command_and_one_that_is_too_big_does_not() -> None:
    async def weigh(call: CommandCall) -> Answer:
        return Answer(f"{call.file.name}: {call.file.content!r}" if call.file else "none")

    bring = Command(("bring",), "Bring a file", weigh, (Option("file", "A card", OptionKind.FILE),), private=True)
    async with DiscordEmulator() as emulator:
        ada = emulator.person("Ada", emulator.guild(bot_permissions=Permission.ADMINISTRATOR))
        chat = emulator.dm(ada)
        card, big = emulator.file("tom.png", b"PNG"), emulator.file("big.png", b"x" * (MOST_UPLOADED + 1))

        async with running(emulator, RecordingInbox([bring])):
            brought = await emulator.slash(ada, chat, "bring", file=card).answer()
            refused = await emulator.slash(ada, chat, "bring", file=big).answer()

    assert brought.content == "tom.png: b'PNG'"
    assert "16 megabytes" in refused.content


async def test_the_file_of_a_command_that_is_not_the_askers_is_not_fetched() -> None:
    async def weigh(call: CommandCall) -> Answer:
        return Answer("a file" if call.file else "none")

    bring = Command(("persona", "import"), "Bring a file", weigh, (Option("file", "A card", OptionKind.FILE),), who=WhoMay.ADMINS)
    free = Command(("persona", "list"), "See all", say_options)
    async with DiscordEmulator() as emulator:
        guild = emulator.guild()
        general, ada = emulator.channel(guild), emulator.person("Ada", guild)
        admin = emulator.person("Bo", guild, roles=[emulator.role(guild, "manager", Permission.MANAGE_GUILD)])

        async with running(emulator, RecordingInbox([bring, free])):
            refused = await emulator.slash(ada, general, "persona import", file=emulator.file("tom.png", b"PNG")).answer()
            taken = await emulator.slash(admin, general, "persona import", file=emulator.file("tom.png", b"PNG")).answer()

    assert (refused.content, taken.content) == ("none", "a file")
