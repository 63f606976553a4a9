"""B83: who mends a message gets no second answer, and what was learned of the old text is learned anew."""

from bot.domain.message import MessageEdit
from bot.testing.bot import make_bot
from bot.testing.factories import DIRECT, a_scope
from bot.testing.scripted_model import ScriptedModel


async def test_b83_an_edit_revises_what_is_known_and_brings_no_second_answer(store_url: str) -> None:
    async with make_bot(ScriptedModel("Noted."), database=store_url) as bot:
        message_id = await bot.say("Alice lives in Pariss.")
        await bot.settled()

        await bot.app.inbox.edit(MessageEdit(DIRECT, message_id, "Alice lives in Rome."))
        await bot.settled()
        async with bot.store.read() as tx:
            relations = await tx.relations.about(a_scope(DIRECT).audience, ["alice"], limit=9)
            names = {facts.name for facts in await tx.entities.page(a_scope(DIRECT).audience, limit=9)}

    assert [(relation.object, relation.valid_to) for relation in relations] == [("Rome", None)]
    assert {"Alice", "Rome"} <= names
    assert "Pariss" not in names
    assert bot.replies == ["Noted."]
