"""What every store's Entities and Relations must do; part of `bot.testing.store_contract`."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.entity import EntityKind, EntityMention
from bot.domain.past import EntityFacts, Relation
from bot.ports.store import Store
from bot.testing.clock import START
from bot.testing.factories import GROUP, a_scope
from bot.testing.store_messages import heard

PARIS = EntityMention("Paris", EntityKind.PLACE, "Alice moved to Paris.")
RAINY = EntityMention("PARIS", EntityKind.PLACE, "PARIS is rainy.")
ANA = EntityMention("Ana", EntityKind.PERSON, "", person_id="7")
OTHER_ANA = replace(ANA, person_id="8")
SAID_ANA = EntityMention("ana", EntityKind.OTHER, "ana is late.")
AUDIENCE = a_scope().audience
ELSEWHERE = a_scope(GROUP).audience


async def told(store: Store, *mentions: EntityMention) -> list[int]:
    """Store each mention with a message of its own, and return their rows."""
    async with store.write() as tx:
        messages = await heard(tx, *(f"told {number}" for number in range(len(mentions))))
        for message, mention in zip(messages, mentions, strict=True):
            await tx.entities.add(AUDIENCE, message.id, [mention])
    return [message.id for message in messages]


async def known(store: Store, *keys: str, sentences: int = 3) -> list[EntityFacts]:
    """Return what is known under some keys."""
    async with store.read() as tx:
        return list(await tx.entities.known(AUDIENCE, keys, sentences=sentences))


class EntitiesContract:
    """One test a sentence of the port's docstrings."""

    async def test_mentions_come_newest_first_whatever_the_case(self, store: Store) -> None:
        one, two = await told(store, PARIS, RAINY)

        async with store.read() as tx:
            assert await tx.entities.mentions(AUDIENCE, "paris's", limit=9) == [(two, RAINY), (one, PARIS)]
            assert await tx.entities.mentions(AUDIENCE, "paris", limit=1) == [(two, RAINY)]
            assert await tx.entities.mentions(AUDIENCE, "Rome", limit=9) == []

    async def test_a_repeat_of_message_and_name_does_nothing(self, store: Store) -> None:
        async with store.write() as tx:
            (message,) = await heard(tx, "1")
            await tx.entities.add(AUDIENCE, message.id, [PARIS, PARIS])
            await tx.entities.add(AUDIENCE, message.id, [PARIS])
            await tx.entities.add(AUDIENCE, message.id, [])

        async with store.read() as tx:
            assert await tx.entities.mentions(AUDIENCE, "Paris", limit=9) == [(message.id, PARIS)]
        assert [facts.mentions for facts in await known(store, "paris")] == [1]

    async def test_names_are_walled_by_audience(self, store: Store) -> None:
        async with store.write() as tx:
            (message,) = await heard(tx, "1")
            await tx.entities.add(ELSEWHERE, message.id, [PARIS, ANA])

        async with store.read() as tx:
            assert await tx.entities.mentions(AUDIENCE, "Paris", limit=9) == []
            assert await tx.entities.page(AUDIENCE, limit=9) == []
        assert await known(store, "paris", "ana") == []

    async def test_only_the_last_mentions_are_kept_and_all_are_counted(self, store: Store) -> None:
        rows = await told(store, *(replace(PARIS, sentence=f"Paris {number}") for number in range(30)))
        async with store.write() as tx:
            await tx.entities.add(AUDIENCE, rows[0], [PARIS])  # read again by somebody

        async with store.read() as tx:
            kept = await tx.entities.mentions(AUDIENCE, "Paris", limit=99)
        assert [row for row, _ in kept] == rows[:9:-1]
        assert await known(store, "paris", sentences=1) == [EntityFacts("Paris", EntityKind.PLACE, 30, ("Paris 29",))]

    async def test_what_is_known_under_some_keys_comes_once_each_the_last_mentioned_first(self, store: Store) -> None:
        await told(store, ANA, replace(ANA, name="Anita"), PARIS, SAID_ANA, RAINY)

        assert await known(store, "ana", "paris", "anita", "rome") == [
            EntityFacts("Paris", EntityKind.PLACE, 2, ("PARIS is rainy.", "Alice moved to Paris.")),
            EntityFacts("Anita", EntityKind.PERSON, 1, ("ana is late.",), ("Ana",), "7"),
        ]
        assert await known(store) == []

    async def test_the_kind_is_what_a_name_was_taken_for_most_often_and_a_guess_beats_none(self, store: Store) -> None:
        kinds = [EntityKind.OTHER, EntityKind.OTHER, EntityKind.OTHER, EntityKind.ORGANISATION, EntityKind.PERSON, EntityKind.PERSON]
        await told(store, *(EntityMention("mochi", kind, "mochi sleeps.") for kind in kinds), EntityMention("Mochi", kinds[0], "Mochi!"))

        assert [(facts.name, facts.kind) for facts in await known(store, "mochi")] == [("Mochi", EntityKind.PERSON)]

    async def test_a_page_shows_what_was_mentioned_last(self, store: Store) -> None:
        await told(store, PARIS, EntityMention("Rome", EntityKind.PLACE, "Rome!"), EntityMention("Oslo", EntityKind.PLACE, "Oslo!"), RAINY)

        async with store.read() as tx:
            page = await tx.entities.page(AUDIENCE, limit=2)
        assert [(facts.name, facts.sentences) for facts in page] == [("Paris", ("PARIS is rainy.",)), ("Oslo", ("Oslo!",))]

    async def test_what_was_said_in_a_message_is_taken_out_with_it(self, store: Store) -> None:
        alice = EntityMention("Alice", EntityKind.PERSON, "Alice!")
        one, two, three, four = await told(store, PARIS, RAINY, alice, ANA)
        async with store.write() as tx:
            await tx.entities.add(AUDIENCE, four, [SAID_ANA])
            await tx.entities.remove(AUDIENCE, [two, three, four])
            await tx.entities.remove(AUDIENCE, [])
            await tx.entities.remove(ELSEWHERE, [one])

        assert await known(store, "paris", "alice", "ana") == [
            EntityFacts("Ana", EntityKind.PERSON, 0, (), person_id="7"),
            EntityFacts("Paris", EntityKind.PLACE, 1, ("Alice moved to Paris.",)),
        ]


class MembersContract:
    """Members of the chat are entities by id."""

    async def test_a_name_without_a_sentence_is_known_and_counts_for_nothing(self, store: Store) -> None:
        await told(store, ANA)

        assert await known(store, "ana") == [EntityFacts("Ana", EntityKind.PERSON, 0, (), person_id="7")]

    async def test_a_name_that_one_member_alone_bears_is_that_member(self, store: Store) -> None:
        await told(store, ANA, SAID_ANA)

        assert await known(store, "ana") == [EntityFacts("Ana", EntityKind.PERSON, 1, ("ana is late.",), person_id="7")]

    async def test_a_name_that_two_members_bear_is_neither(self, store: Store) -> None:
        await told(store, ANA, OTHER_ANA, SAID_ANA)

        assert {facts.person_id: facts.mentions for facts in await known(store, "ana")} == {"7": 0, "8": 0, "": 1}

    async def test_a_place_is_no_member(self, store: Store) -> None:
        await told(store, EntityMention("Paris", EntityKind.PERSON, "", person_id="9"), PARIS, replace(ANA, name="Paris"))

        assert {facts.person_id: facts.kind for facts in await known(store, "paris")} == {
            "9": EntityKind.PERSON,
            "": EntityKind.PLACE,
            "7": EntityKind.PERSON,
        }

    async def test_who_was_spoken_of_before_they_spoke_is_one_with_the_member(self, store: Store) -> None:
        await told(store, SAID_ANA, ANA)

        assert await known(store, "ana") == [EntityFacts("Ana", EntityKind.PERSON, 1, ("ana is late.",), person_id="7")]

    async def test_a_member_who_takes_another_name_is_found_under_both(self, store: Store) -> None:
        await told(store, ANA, SAID_ANA, replace(ANA, name="Anita"))
        renamed = EntityFacts("Anita", EntityKind.PERSON, 1, ("ana is late.",), ("Ana",), "7")

        assert await known(store, "ana") == [renamed]
        assert await known(store, "anita") == [renamed]

    async def test_a_member_who_takes_a_name_back_bears_it_once(self, store: Store) -> None:
        await told(store, ANA, replace(ANA, name="Anita"), ANA)

        assert await known(store, "ana") == [EntityFacts("Ana", EntityKind.PERSON, 0, (), ("Anita",), "7")]


LIVES = Relation("Alice", "lives_in", "Paris", START, 0, "Alice lives in Paris.")


async def related(store: Store, *relations: Relation) -> list[Relation]:
    """Store relations, each with a message of its own a day after the one before, and return them as they are stored."""
    async with store.write() as tx:
        messages = await heard(tx, *(f"m{number}" for number in range(len(relations))))
        for day, (message, relation) in enumerate(zip(messages, relations, strict=True)):
            dated = replace(relation, source_row=message.id, valid_from=START + timedelta(days=day))
            assert await tx.relations.add(AUDIENCE, dated)
    names = {name for relation in relations for name in (relation.subject, relation.object)}
    async with store.read() as tx:
        stored = await tx.relations.about(AUDIENCE, {name.lower() for name in names}, limit=99)
    return sorted(stored, key=lambda relation: relation.source_row)


class RelationsContract:
    """One test a sentence of the port's docstrings."""

    async def test_a_relation_comes_back_as_it_came(self, store: Store) -> None:
        whole = replace(LIVES, subject_person="7", object_person="8", evidence="猫 <b>")

        (stored,) = await related(store, whole)

        assert replace(stored, id=0, source_row=0) == whole
        assert stored.id > 0

    async def test_what_holds_already_is_not_stored_again(self, store: Store) -> None:
        (stored,) = await related(store, LIVES)

        async with store.write() as tx:
            (later,) = await heard(tx, "later")
            assert not await tx.relations.add(AUDIENCE, stored)
            assert not await tx.relations.add(AUDIENCE, replace(LIVES, subject="ALICE's", object="the Paris", source_row=later.id))
            assert await tx.relations.add(AUDIENCE, replace(LIVES, subject_person="7", source_row=later.id))

    async def test_what_was_taken_from_a_message_before_is_not_stored_again(self, store: Store) -> None:
        (stored,) = await related(store, LIVES)

        async with store.write() as tx:
            await tx.relations.end(AUDIENCE, [stored.id], at=START, by_row=stored.source_row)
            assert not await tx.relations.add(AUDIENCE, stored)
            assert not await tx.relations.add(AUDIENCE, replace(stored, valid_to=START))

    async def test_what_has_ended_stays_as_it_is(self, store: Store) -> None:
        stored, later = await related(store, LIVES, replace(LIVES, object="Rome"))
        ended = replace(stored, valid_to=later.valid_from, ended_by_row=later.source_row)

        async with store.write() as tx:
            await tx.relations.end(AUDIENCE, [stored.id], at=later.valid_from, by_row=later.source_row)
            await tx.relations.end(AUDIENCE, [stored.id], at=START, by_row=stored.source_row)
            await tx.relations.end(AUDIENCE, [], at=START, by_row=stored.source_row)
            await tx.relations.end(ELSEWHERE, [later.id], at=START, by_row=stored.source_row)

        async with store.read() as tx:
            assert await tx.relations.about(AUDIENCE, ["alice"], limit=9) == [later, ended]

    async def test_what_rests_on_a_message_or_was_ended_by_it_is_taken_out(self, store: Store) -> None:
        paris, rome, oslo = await related(store, LIVES, replace(LIVES, object="Rome"), replace(LIVES, object="Oslo"))
        async with store.write() as tx:
            await tx.relations.end(AUDIENCE, [paris.id], at=rome.valid_from, by_row=rome.source_row)
            assert await tx.relations.remove(ELSEWHERE, [rome.source_row]) == []
            assert await tx.relations.remove(AUDIENCE, []) == []

            assert await tx.relations.remove(AUDIENCE, [rome.source_row]) == [paris]

            assert await tx.relations.about(AUDIENCE, ["alice"], limit=9) == [oslo]

    async def test_a_timeline_is_of_one_kind_and_one_name_or_member(self, store: Store) -> None:
        mine = replace(LIVES, subject_person="7", object="Oslo")
        one, _, own, two = await related(store, LIVES, replace(LIVES, predicate="likes"), mine, replace(LIVES, object="Rome"))

        async with store.read() as tx:
            assert await tx.relations.timeline(AUDIENCE, "alice", "lives_in", limit=9) == [one, two]
            assert await tx.relations.timeline(AUDIENCE, "alice", "lives_in", limit=1) == [two]
            assert await tx.relations.timeline(AUDIENCE, "alice", "lives_in", thing="PARIS", limit=9) == [one]
            assert await tx.relations.timeline(AUDIENCE, "", "lives_in", thing="Oslo", person_id="7", limit=9) == [own]
            assert await tx.relations.timeline(AUDIENCE, "Whoever", "lives_in", person_id="7", limit=9) == [own]
            assert await tx.relations.timeline(ELSEWHERE, "alice", "lives_in", limit=9) == []

    async def test_nearer_relations_come_first_then_those_that_hold_then_the_newest(self, store: Store) -> None:
        chain = [
            ("Bo", "knows", "Cy"),
            ("Alice", "knows", "Bo"),
            ("Dee", "likes", "Alice"),
            ("Cy", "knows", "Eve"),
            ("Alice", "owns", "Mochi"),
        ]
        far, knows, likes, farther, owns = await related(store, *(replace(LIVES, subject=s, predicate=p, object=o) for s, p, o in chain))
        async with store.write() as tx:
            await tx.relations.end(AUDIENCE, [owns.id], at=owns.valid_from, by_row=owns.source_row)
            owns = replace(owns, valid_to=owns.valid_from, ended_by_row=owns.source_row)

        async with store.read() as tx:
            assert await tx.relations.about(AUDIENCE, ["alice"], limit=9) == [likes, knows, owns]
            assert await tx.relations.about(AUDIENCE, ["alice"], depth=2, limit=9) == [likes, knows, owns, far]
            assert await tx.relations.about(AUDIENCE, ["alice"], depth=3, limit=9) == [likes, knows, owns, far, farther]
            assert await tx.relations.about(AUDIENCE, ["alice"], depth=2, limit=2) == [likes, knows]
            assert await tx.relations.about(AUDIENCE, [], depth=2, limit=9) == []

    @pytest.mark.parametrize("depth", [1, 2])
    async def test_relations_are_walled_by_audience(self, store: Store, depth: int) -> None:
        await related(store, LIVES)

        async with store.read() as tx:
            assert await tx.relations.about(ELSEWHERE, ["alice", "paris"], depth=depth, limit=9) == []
