"""What others do in one room, and what they do in their own direct chats, leaves a person's memories unseen and as they are."""

from dataclasses import replace
from uuid import uuid4

import pytest

from bot.domain.memory import Level, Memory
from bot.domain.message import Person
from bot.domain.persona import MemoryMode, MemoryPolicy
from bot.testing.bot import Bot, make_bot
from bot.testing.clock import START
from bot.testing.factories import BO, DIRECT, GROUP, a_persona, a_scope
from bot.testing.scripted_model import ScriptedModel

ALICE = Person("alice", "Alice")
HERS, ROOM = a_scope(person=ALICE), a_scope(GROUP)
BOS_CHAT = replace(DIRECT, space_id="bo", channel_id="bo")
IRIS = replace(a_persona(), memory=MemoryPolicy(mode=MemoryMode.TAGS))
LINES = (
    "memory list",
    "memory search tea",
    "memory why",
    "memory pin {}",
    "memory unpin {}",
    "memory history {}",
    "memory edit {} Bo was here",
    "memory forget {}",
    "memory policy decay_per_day 1",
    "dream now",
    "dream report",
    "dream undo",
)


async def alice_is_known(bot: Bot) -> list[Memory]:
    """Let Alice be known in private and in the room, and return what is kept."""
    told = []
    async with bot.store.write() as tx:
        for scope in (HERS, ROOM):
            for text, level in (("Alice drinks tea", Level.WORKING), ("Alice once had a cold", Level.ARCHIVE)):
                number = await tx.memories.reserve_number(scope)
                memory = Memory(uuid4(), scope, number, text, ALICE, ALICE, (), START, START, level=level, importance=0.02, uses=2)
                await tx.memories.add(memory)
                told.append(memory)
    return told


async def all_of(bot: Bot) -> list[Memory]:
    return [*await bot.memories_of(HERS), *await bot.memories_of(ROOM)]


@pytest.mark.parametrize("confirmed", [False, True])
async def test_l30_by_command_bob_reaches_nothing_of_alices(store_url: str, confirmed: bool) -> None:
    async with make_bot(ScriptedModel(), database=store_url, personas=[IRIS]) as bot:
        before = await alice_is_known(bot)
        bot.clock.move(seconds=3 * 86400)

        answers = [
            (await bot.command(line.format(number), asker=BO, conversation=conversation, confirmed=confirmed)).text
            for line in LINES
            for number in (1, 2)
            for conversation in (GROUP, BOS_CHAT)
        ]

        assert [answer for answer in answers if "Alice" in answer or "cold" in answer] == []
        assert await all_of(bot) == before


async def test_l30_by_what_the_persona_writes_to_bob_it_reaches_nothing_of_alices(store_url: str) -> None:
    kinds = ('<mem_tag id="{0}"/>', '<mem_load id="{0}"/>', '<mem_update id="{0}">Bo</mem_update>', '<mem_delete id="{0}"/>')

    def edit_all(_: object) -> str:
        return "".join(kind.format(name) for kind in kinds for name in names) + "Done."

    model = ScriptedModel(edit_all)
    async with make_bot(model, database=store_url, personas=[IRIS]) as bot:
        before = await alice_is_known(bot)
        names = [*(memory.handle for memory in before), "1", "2"]

        await bot.say("tea? a cold?", author=BO, conversation=BOS_CHAT)

        assert "Alice" not in model.prompts[0].text
        assert await all_of(bot) == before
        assert bot.replies == ["Done."]
