from bot.memory.elsewhere import SETTING, WHOLE_SPACE
from bot.testing.bot import make_bot
from bot.testing.factories import DIRECT, GROUP
from bot.testing.scripted_model import ScriptedModel


async def test_rooms_remember_for_themselves_until_an_admin_has_confirmed() -> None:
    async with make_bot(ScriptedModel()) as bot:
        before = await bot.command("memory scope", conversation=GROUP, admin=True)
        asked = await bot.command("memory scope server", conversation=GROUP, admin=True)
        still = await bot.command("memory scope show", conversation=GROUP, admin=True)
        done = await bot.command("memory scope server", conversation=GROUP, admin=True, confirmed=True)
        async with bot.store.read() as tx:
            settings = await tx.settings.all(GROUP.platform, GROUP.space_id)

    assert asked.confirmation is not None
    assert asked.confirmation.line == "memory scope server"
    assert before.text == still.text != done.text
    assert settings == {SETTING: WHOLE_SPACE}


async def test_it_can_be_taken_back_at_once() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("memory scope server", conversation=GROUP, admin=True, confirmed=True)
        answer = await bot.command("memory scope channel", conversation=GROUP, admin=True)
        async with bot.store.read() as tx:
            settings = await tx.settings.all(GROUP.platform, GROUP.space_id)

    assert "for itself" in answer.text
    assert settings == {}


async def test_who_is_no_admin_sees_and_sets_nothing() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("memory scope server", conversation=GROUP, confirmed=True)
        async with bot.store.read() as tx:
            settings = await tx.settings.all(GROUP.platform, GROUP.space_id)

    assert settings == {}


async def test_in_a_private_chat_there_is_nothing_to_set() -> None:
    async with make_bot(ScriptedModel()) as bot:
        answer = await bot.command("memory scope server", conversation=DIRECT, confirmed=True)

    assert "stays there" in answer.text


async def test_another_word_is_told_what_there_is() -> None:
    async with make_bot(ScriptedModel()) as bot:
        answer = await bot.command("memory scope everybody", conversation=GROUP, admin=True)

    assert "`channel` or `server`" in answer.text
