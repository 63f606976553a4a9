"""What a Store must do with personas that spaces make their own, with categories and with drafts: a part of the StoreContract."""

from dataclasses import replace

from bot.domain.chat import BindingTarget, ConversationKey, ConversationKind, audience_of
from bot.domain.erasing import ErasurePlan, OnePerson
from bot.domain.message import Byline, Person, ReplyTarget
from bot.domain.persona import Avatar, MemoryPolicy, ModelChoice, Persona
from bot.ports.store import Store
from bot.testing.clock import START
from bot.testing.factories import DIRECT, a_persona

ADMIN = Person("7", "Ada")
LOUNGE = ConversationKey("discord", "club", "lounge", "talk")
ELSEWHERE = ConversationKey("discord", "other", "lounge")


async def put(store: Store, conversation: ConversationKey, persona: Persona, kind: ConversationKind = ConversationKind.GROUP) -> None:
    """Let a space have a persona of its own."""
    async with store.write() as tx:
        audience = audience_of(conversation, kind, ADMIN.id)
        await tx.personas.put(conversation, audience, persona, by=ADMIN, at=START, reason="made for a test")


class SpacePersonasContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_space_gets_back_the_persona_it_made_its_own_and_no_other_space_does(self, store: Store) -> None:
        mine = replace(
            a_persona("iris"),
            name="Irène: #1",
            voice="Speaks.\n\n--- softly",
            model=ModelChoice("m", 0.5),
            memory=MemoryPolicy(max_working=3),
        )
        await put(store, LOUNGE, mine)

        async with store.read() as tx:
            assert await tx.personas.get("discord", "club", "iris") == mine
            assert await tx.personas.all("discord", "club") == [mine]
            assert await tx.personas.get("discord", "other", "iris") is None
            assert await tx.personas.all("discord", "other") == []

    async def test_the_last_version_counts_and_all_of_them_stay_to_be_seen(self, store: Store) -> None:
        await put(store, LOUNGE, a_persona("iris"))
        await put(store, LOUNGE, replace(a_persona("iris"), name="Iris II"))
        async with store.write() as tx:
            assert await tx.personas.take_back("discord", "club", "iris", by=ADMIN, at=START, reason="enough")
            assert not await tx.personas.take_back("discord", "club", "iris", by=ADMIN, at=START, reason="again")

        async with store.read() as tx:
            assert await tx.personas.get("discord", "club", "iris") is None
            versions = await tx.personas.versions("discord", "club", "iris", limit=9)
            assert [(each.number, each.persona and each.persona.name, each.reason) for each in versions] == [
                (3, None, "enough"),
                (2, "Iris II", "made for a test"),
                (1, a_persona("iris").name, "made for a test"),
            ]

    async def test_work_that_knows_of_no_conversation_finds_it_by_the_audience(self, store: Store) -> None:
        await put(store, DIRECT, a_persona("iris"), ConversationKind.DIRECT)
        audience = audience_of(DIRECT, ConversationKind.DIRECT, ADMIN.id)

        async with store.read() as tx:
            assert await tx.personas.of_audience(audience, "iris") == a_persona("iris")
            assert await tx.personas.of_audience(audience_of(DIRECT, ConversationKind.DIRECT, "8"), "iris") is None

    async def test_a_person_who_goes_is_named_by_no_version_and_what_they_made_stays(self, store: Store) -> None:
        await put(store, LOUNGE, a_persona("iris"))
        await put(store, ELSEWHERE, a_persona("iris"))
        async with store.write() as tx:
            await tx.erasures.begin(OnePerson("discord", ADMIN.id, space_id="club"), ErasurePlan(), START)

        async with store.read() as tx:
            (here,) = await tx.personas.versions("discord", "club", "iris", limit=9)
            (there,) = await tx.personas.versions("discord", "other", "iris", limit=9)
        assert (here.by, here.persona) == (Person("", ""), a_persona("iris"))
        assert there.by == ADMIN

    async def test_a_space_that_goes_takes_its_personas_pictures_and_categories(self, store: Store) -> None:
        for place in (LOUNGE, ELSEWHERE):
            await put(store, place, a_persona("iris"))
            async with store.write() as tx:
                await tx.personas.set_avatar(place.platform, place.space_id, "iris", Avatar("image/png", b"png"))
                await tx.places.note(place, "garden")
        async with store.write() as tx:
            await tx.erasures.take_space("discord", "club")

        async with store.read() as tx:
            kept = [
                (
                    len(await tx.personas.versions("discord", place.space_id, "iris", limit=9)),
                    await tx.personas.avatar("discord", place.space_id, "iris"),
                    await tx.places.category(place),
                )
                for place in (LOUNGE, ELSEWHERE)
            ]
        assert kept == [(0, None, ""), (1, Avatar("image/png", b"png"), "garden")]

    async def test_all_spaces_are_gone_through_in_order(self, store: Store) -> None:
        await put(store, LOUNGE, a_persona("rose"))
        await put(store, LOUNGE, a_persona("iris"))
        await put(store, ELSEWHERE, a_persona("iris"))

        async with store.read() as tx:
            first = await tx.personas.everywhere(limit=2)
            last = (first[-1].platform, first[-1].space_id, first[-1].persona.id)
            rest = await tx.personas.everywhere(after=last, limit=2)
        assert [(each.space_id, each.persona.id) for each in (*first, *rest)] == [("club", "iris"), ("club", "rose"), ("other", "iris")]

    async def test_a_picture_belongs_to_one_persona_of_one_space(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.personas.set_avatar("discord", "club", "iris", Avatar("image/png", b"first"))
            await tx.personas.set_avatar("discord", "club", "iris", Avatar("image/png", b"second"))
            assert await tx.personas.avatar("discord", "club", "iris") == Avatar("image/png", b"second")
            assert await tx.personas.avatar("discord", "other", "iris") is None
            await tx.personas.set_avatar("discord", "club", "iris", None)
            assert await tx.personas.avatar("discord", "club", "iris") is None


class PlacesContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_channel_is_in_the_category_that_was_told_last(self, store: Store) -> None:
        async with store.write() as tx:
            assert await tx.places.category(LOUNGE) == ""
            await tx.places.note(LOUNGE, "old")
            await tx.places.note(LOUNGE, "new")
            assert await tx.places.category(replace(LOUNGE, thread_id="")) == "new"
            assert await tx.places.category(ELSEWHERE) == ""

    async def test_a_persona_is_bound_to_thread_over_channel_over_category_over_space(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.places.note(LOUNGE, "rooms")
            assert await tx.bindings.around(LOUNGE) is None
            for target, persona in [
                (BindingTarget("discord", "club"), "space"),
                (BindingTarget("discord", "club", "rooms"), "category"),
                (BindingTarget("discord", "club", "lounge"), "channel"),
                (BindingTarget("discord", "club", "lounge", "talk"), "thread"),
            ]:
                await tx.bindings.bind(target, persona)
                assert await tx.bindings.around(LOUNGE) == persona
            assert await tx.bindings.around(ELSEWHERE) is None

    async def test_a_place_can_be_freed(self, store: Store) -> None:
        async with store.write() as tx:
            await tx.bindings.bind(BindingTarget("discord", "club", "lounge"), "iris")
            assert await tx.bindings.free(BindingTarget("discord", "club", "lounge"))
            assert not await tx.bindings.free(BindingTarget("discord", "club", "lounge"))
            assert await tx.bindings.around(LOUNGE) is None


class DraftsContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_conversation_has_one_draft_at_most(self, store: Store) -> None:
        async with store.write() as tx:
            assert await tx.outbox.draft(LOUNGE) == ""
            await tx.outbox.set_draft(LOUNGE, "1")
            await tx.outbox.set_draft(LOUNGE, "2")
            assert await tx.outbox.draft(LOUNGE) == "2"
            assert await tx.outbox.draft(ELSEWHERE) == ""
            assert await tx.outbox.drafted_conversations() == [LOUNGE]
            await tx.outbox.set_draft(LOUNGE, "")
            assert await tx.outbox.draft(LOUNGE) == ""

    async def test_a_reply_takes_the_place_of_its_draft(self, store: Store) -> None:
        target = ReplyTarget(LOUNGE, ConversationKind.GROUP, "1")
        async with store.write() as tx:
            await tx.outbox.set_draft(LOUNGE, "2")
            row = await tx.messages.record_reply(target, "iris", "Iris", "Hello", at=START)
            put = await tx.outbox.put(target, "Hello", row.id, draft_id="2", as_file=True)
            assert (put.draft_id, put.as_file) == ("2", True)
            assert await tx.outbox.draft(LOUNGE) == ""
            unsent = await tx.outbox.unsent(LOUNGE)
            assert unsent == [put]
            assert [each.byline for each in unsent] == [Byline("iris", "Iris")]
