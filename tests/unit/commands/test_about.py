"""People see what is known of a name, and nothing of what other places know."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.commands.about import SUGGESTIONS, about_commands
from bot.domain.chat import ConversationKey
from bot.domain.claim import SPEAKER, Claim
from bot.domain.command import Answer, CommandCall
from bot.domain.entity import EntityKind, EntityMention
from bot.domain.message import MessageState, Person
from bot.domain.persona import Personas
from bot.domain.text import utf16_length
from bot.memory.graph import learn, relations_of
from bot.storage.store import SqlStore
from bot.testing.clock import START, FrozenClock
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_persona, a_scope, incoming, kind_of

ALICE = EntityMention("Alice", EntityKind.PERSON, "Alice moved to Rome.")


async def told(
    store: SqlStore,
    text: str,
    *claims: Claim,
    mentions: Sequence[EntityMention] = (),
    day: int = 0,
    author: Person = ADA,
    conversation: ConversationKey = DIRECT,
) -> None:
    """Let a message be said and learned."""
    async with store.write() as tx:
        said = incoming(text, message_id=str(day), author=author, conversation=conversation, sent_at=START + timedelta(days=day))
        message = await tx.messages.record(said, MessageState.HEARD)
        assert message is not None
        relations = relations_of((replace(claim, sentence=text) for claim in claims), message)
        await learn(tx, a_scope(conversation, author).audience, message, mentions, relations)


async def asked(store: SqlStore, name: str, *, conversation: ConversationKey = DIRECT, asker: Person = ADA) -> Answer:
    """Return the answer to `/memory about`."""
    (command,) = about_commands(store, Personas({"iris": a_persona()}, "iris"), FrozenClock())
    return await command.run(CommandCall(command.path, {"name": name}, asker, conversation, kind_of(conversation)))


async def suggested(store: SqlStore, typed: str, *, conversation: ConversationKey = DIRECT) -> list[str]:
    (command,) = about_commands(store, Personas({"iris": a_persona()}, "iris"), FrozenClock())
    suggest = command.options[0].suggest
    assert suggest is not None
    call = CommandCall(command.path, {}, ADA, conversation, kind_of(conversation))
    return [choice.value for choice in await suggest(call, typed)]


async def test_present_and_past_are_shown_with_dates_and_who_said_so(store: SqlStore) -> None:
    await told(store, "Alice lives in *Paris*.", Claim("Alice", "lives_in", "Paris", ""), mentions=[replace(ALICE, sentence="Alice!")])
    await told(store, "Alice moved to Rome.", Claim("Alice", "lives_in", "Rome", ""), mentions=[ALICE], day=2)
    await told(store, "I love Alice", Claim(SPEAKER, "loves", "Alice", ""), day=3)

    answer = await asked(store, "alice's")

    link = "https://discord.com/channels/@me/main"
    assert answer.text == (
        "**Alice**: a person, mentioned 2 times\n\n"
        "**Now**\n"
        f"- Ada loves Alice (said on 2026-05-06) — Ada: “I love Alice” [source]({link}/3)\n"
        f"- Alice lives in Rome (since 2026-05-05) — Ada: “Alice moved to Rome.” [source]({link}/2)\n\n"
        "**Before**\n"
        f"- Alice lived in Paris (until 2026-05-05) — Ada: “Alice lives in \\*Paris\\*.” [source]({link}/0)\n\n"
        "**Last mentioned**\n"
        "- “Alice moved to Rome.”\n"
        "- “Alice!”"
    )


async def test_a_member_is_told_from_others(store: SqlStore) -> None:
    await told(store, "I like tea", Claim(SPEAKER, "likes", "tea", ""))

    assert (await asked(store, "ada")).text.startswith(
        "**Ada**: a member of this chat, not mentioned by others yet\n\n**Now**\n- Ada likes tea"
    )


async def test_a_thing_that_is_no_name_shows_who_likes_it(store: SqlStore) -> None:
    await told(store, "I like tea", Claim(SPEAKER, "likes", "tea", ""))

    assert (await asked(store, "Tea")).text.startswith("**Tea**\n\n**Now**\n- Ada likes tea (said on 2026-05-03)")


async def test_an_unknown_name_says_what_to_do_next(store: SqlStore) -> None:
    empty = await asked(store, "Zoe <@1> `x`")
    await told(store, "Alice moved to Rome.", mentions=[ALICE])

    assert empty.text.startswith("Nothing is known here about “")
    assert "<@1>" not in empty.text
    assert "`/memory search`" in empty.text
    assert "Names that came up lately: Alice, Ada." in (await asked(store, "Zoe")).text


async def test_another_place_knows_nothing_of_it(store: SqlStore) -> None:
    await told(store, "Alice moved to Rome.", Claim("Alice", "lives_in", "Rome", ""), mentions=[ALICE])

    for conversation, asker in ((GROUP, ADA), (DIRECT, BO)):
        assert "Rome" not in (await asked(store, "Alice", conversation=conversation, asker=asker)).text
    assert await suggested(store, "", conversation=GROUP) == []


async def test_names_are_suggested_as_they_are_typed(store: SqlStore) -> None:
    paris = EntityMention("Paris", EntityKind.PLACE, "Paris!")
    await told(store, "Alice, Paris", mentions=[ALICE, paris])

    assert await suggested(store, "") == ["Paris", "Alice", "Ada"]
    assert await suggested(store, "A") == ["Alice", "Ada"]
    assert await suggested(store, "x") == []


async def test_no_more_names_are_suggested_than_a_platform_takes(store: SqlStore) -> None:
    await told(store, "many", mentions=[replace(ALICE, name=f"Alice {number}") for number in range(40)])

    assert len(await suggested(store, "alice")) == SUGGESTIONS


@pytest.mark.parametrize("long", ["x" * 5000, "＊" * 3000])
async def test_an_answer_fits_one_message(store: SqlStore, long: str) -> None:
    for day in range(25):
        mention = replace(ALICE, sentence=f"{day} {long}")
        await told(store, f"{day} {long}", Claim("Alice", "likes", f"thing {day}", ""), mentions=[mention], day=day)
        await told(store, f"{day}! {long}", Claim("Alice", "hates", f"thing {day - 3}", ""), day=100 + day)

    answer = await asked(store, "Alice")

    assert utf16_length(answer.text) <= 2000
    assert "**Before**" in answer.text
