"""B81: who writes as a channel or hides behind the group is nobody in particular, through the real adapter on the emulated Telegram."""

from bot.domain.chat import Audience, AudienceKind, MemoryScope
from bot.testing.scripted_model import ScriptedModel
from tests.conformance.memory_tool import update
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.scenario.telegram_stage import telegram_bot

FACTS = ("I collect stamps", "I play the cello")


async def test_b81_two_anonymous_admins_share_no_memory_and_have_no_right() -> None:
    model = ScriptedModel(*[step for fact in FACTS for step in (update(0, fact), "Noted.")])
    async with TelegramEmulator() as telegram:
        ada, bo = telegram.scene.person("Ada"), telegram.scene.person("Bo")
        group = telegram.scene.group("Tea", ada, bo)
        for each in (ada, bo):
            telegram.scene.promote(group, each)

        async with telegram_bot(telegram, model) as app:
            for fact in FACTS:
                telegram.people.says_anonymously(group, f"@baku_bot {fact}")
                await telegram.next_reply(group)
            answers = []
            for line in ("/memory list", "/memory search stamps", "/memory policy decay_per_day 1", "/memory scope server"):
                telegram.people.says_anonymously(group, line)
                answers.append((await telegram.next_reply(group)).text)
            scope = MemoryScope("iris", Audience(AudienceKind.CONVERSATION, f"telegram:{group.id}:{group.id}:"))
            async with app.store.read() as tx:
                known = await tx.memories.page(scope, limit=9)
                settings = await tx.settings.all("telegram", str(group.id))

    assert not any("stamps" in answer or "cello" in answer for answer in answers)
    assert all("anonymously" in answer or "admin" in answer for answer in answers)
    assert [memory.subject for memory in known if memory.subject is not None] == []
    assert settings == {}


async def test_b81_a_channel_that_writes_in_a_group_is_no_person() -> None:
    model = ScriptedModel(update(0, FACTS[0]), "Noted.")
    async with TelegramEmulator() as telegram:
        ada = telegram.scene.person("Ada")
        group, news = telegram.scene.group("Tea", ada), telegram.scene.channel("News")

        async with telegram_bot(telegram, model) as app:
            telegram.people.says_as_channel(group, news, f"@baku_bot {FACTS[0]}")
            await telegram.next_reply(group)
            telegram.people.says_as_channel(group, news, "/memory list")
            answer = await telegram.next_reply(group)
            scope = MemoryScope("iris", Audience(AudienceKind.CONVERSATION, f"telegram:{group.id}:{group.id}:"))
            async with app.store.read() as tx:
                known = await tx.memories.page(scope, limit=9)

    assert "stamps" not in answer.text
    assert [memory.subject for memory in known if memory.subject is not None] == []
