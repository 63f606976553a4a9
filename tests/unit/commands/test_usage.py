from bot.commands.usage_texts import bar
from bot.domain.model import Usage
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import BO, GROUP
from bot.testing.scripted_model import ScriptedModel


async def spend(bot: Bot, tokens: int, persona_id: str = "iris") -> None:
    async with bot.store.write() as tx:
        await tx.usage.add(GROUP, persona_id, Usage("m", tokens, 0), bot.clock.now())


async def test_admins_see_the_server_by_persona_against_the_budgets() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await bot.command("limits set tokens_day 2000", conversation=GROUP, admin=True)
        await spend(bot, 1000)
        await spend(bot, 200, "gone")

        answer = await bot.command("usage", conversation=GROUP, admin=True)

    assert answer.private
    assert "Iris                 1,000        1,000\n" in answer.text
    assert "others                 200          200\n" in answer.text
    assert "all                  1,200        1,200\n" in answer.text
    assert "▰▰▰▰▰▰▱▱▱▱ 60 % today, all personas (1,200 / 2,000)" in answer.text


async def test_members_see_their_conversation_and_no_figure_of_the_server() -> None:
    async with make_bot(ScriptedModel()) as bot:
        await spend(bot, 1234)
        free = await bot.command("usage", asker=BO, conversation=GROUP)
        await bot.command("limits set tokens_month 2000", conversation=GROUP, admin=True)
        bound = await bot.command("usage", asker=BO, conversation=GROUP)

    assert free.text == "This conversation has used **1,234** tokens so far.\n\nThere is no budget here that could run out."
    assert bound.text.endswith("```\n▰▰▰▰▰▰▱▱▱▱ 62 % this month, all personas\n```")


def test_a_bar_is_never_longer_than_full() -> None:
    assert [bar(0, 5), bar(5, 5), bar(50, 5), bar(1, 0)] == ["▱" * 10, "▰" * 10, "▰" * 10, "▱" * 10]
