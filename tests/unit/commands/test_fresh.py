"""`/new` begins the history afresh and takes nothing else away."""

from bot.domain.chat import ConversationKey
from bot.domain.message import MessageState
from bot.testing.factories import ADA, DIRECT, GROUP, incoming
from tests.unit.commands.conftest import Typist


async def said(typist: Typist, text: str, *, message_id: str = "m1", conversation: ConversationKey = DIRECT) -> int:
    async with typist.store.write() as tx:
        message = await tx.messages.record(incoming(text, message_id=message_id, conversation=conversation), MessageState.DONE)
    assert message is not None
    return message.id


async def floor(typist: Typist, conversation: ConversationKey = DIRECT) -> int:
    async with typist.store.read() as tx:
        return (await tx.pasts.state(conversation)).history_floor


async def test_the_history_begins_after_the_last_message_and_only_there(typist: Typist) -> None:
    await said(typist, "one")
    last = await said(typist, "two", message_id="m2")
    await said(typist, "elsewhere", message_id="m3", conversation=GROUP)

    answer = await typist.type("/new")

    assert answer.text == (
        "A fresh start: nothing that was said here before stands in front of me any longer. Who I am, what I remember and the summaries "
        "stay as before. What was said before comes back when a message asks for it."
    )
    assert (await floor(typist), await floor(typist, GROUP)) == (last, 0)


async def test_what_is_remembered_and_was_said_stays(typist: Typist) -> None:
    await typist.remember("Ada likes tea")
    await said(typist, "one")

    await typist.type("/new")

    assert [memory.text for memory in await typist.memories()] == ["Ada likes tea"]
    async with typist.store.read() as tx:
        assert len(await tx.messages.history(DIRECT, limit=9)) == 1


async def test_a_second_start_with_nothing_said_between_says_so(typist: Typist) -> None:
    await said(typist, "one")
    await typist.type("/new")

    again = await typist.type("/new")

    assert again.text == "Iris has nothing of this conversation in front of them yet. Just write."
    assert again.private


async def test_what_is_switched_off_is_not_promised_to_stay(typist: Typist) -> None:
    await typist.type("/memory policy past off")
    await typist.type("/memory policy enabled off")
    await said(typist, "one")

    answer = await typist.type("/new")

    assert answer.text.endswith("Who I am stays as before.")


async def test_in_a_group_only_admins_take_the_history_from_everybody(typist: Typist) -> None:
    await said(typist, "one", conversation=GROUP)

    refused = await typist.type("/new", asker=ADA, conversation=GROUP)
    begun = await typist.type("/new", asker=ADA, conversation=GROUP, admin=True)

    assert refused.text.startswith("Only admins may use `/new` here")
    assert begun.text.startswith("A fresh start")
