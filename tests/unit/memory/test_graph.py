"""What is learned of names, and what belongs to a text; on both databases."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import permutations

import pytest

from bot.domain.claim import SPEAKER, Claim, has_one_value
from bot.domain.entity import EntityKind, EntityMention, name_key
from bot.domain.message import MessageState, Person, StoredMessage
from bot.domain.past import Relation
from bot.memory.entities import entity_line, statement
from bot.memory.graph import FAR, NEAR, known_in, learn, neighbours, relations_of, unlearn
from bot.ports.store import Store
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, a_scope, incoming, stored

AUDIENCE = a_scope().audience


async def said(store: Store, *texts: str, author: Person = ADA, first_day: int = 0) -> list[StoredMessage]:
    """Record messages, a day between them."""
    recorded = []
    async with store.write() as tx:
        for day, text in enumerate(texts, first_day):
            message = incoming(text, message_id=f"{author.id} {day}", author=author, sent_at=START + timedelta(days=day))
            recorded.append(await tx.messages.record(message, MessageState.HEARD))
    return [message for message in recorded if message is not None]


async def taught(store: Store, message: StoredMessage, *claims: Claim, mentions: Sequence[EntityMention] = ()) -> int:
    async with store.write() as tx:
        return await learn(tx, AUDIENCE, message, mentions, relations_of(claims, message))


def lines(relations: Iterable[Relation]) -> list[str]:
    """Return relations in short; what something newer took the place of stands with it."""
    told = list(relations)
    present = [relation for relation in told if relation.valid_to is None]
    past = sorted((relation for relation in told if relation.valid_to is not None), key=lambda relation: relation.valid_from, reverse=True)
    followed = {_subject(relation) for relation in present if has_one_value(relation.predicate)}
    over = [f"{statement(old)} (until {old.valid_to:%Y-%m-%d})" for old in past if _subject(old) not in followed]
    return [*(_present(relation, past) for relation in present), *over]


def _present(relation: Relation, past: Sequence[Relation]) -> str:
    day = f"{relation.valid_from:%Y-%m-%d}"
    if not has_one_value(relation.predicate):
        return f"{statement(relation)} (said {day})"
    before = ", ".join(dict.fromkeys(old.object for old in past if _subject(old) == _subject(relation)))
    return f"{statement(relation)} (since {day}{f'; before: {before}' if before else ''})"


def _subject(relation: Relation) -> tuple[str, str]:
    return relation.subject_person or name_key(relation.subject), relation.predicate


async def timeline(store: Store, *names: str) -> list[str]:
    """Return what is known of names as lines."""
    async with store.read() as tx:
        return lines(await tx.relations.about(AUDIENCE, names or ["alice"], limit=99))


def lives(place: str, *, who: str = "Alice", holds: bool = True) -> Claim:
    return Claim(who, "lives_in", place, f"{who or 'I'} in {place}", holds)


async def test_a_new_value_ends_the_old_one_and_each_keeps_its_source(store: Store) -> None:
    paris, rome = await said(store, "Alice lives in Paris", "Alice moved to Rome")

    await taught(store, paris, lives("Paris"))
    await taught(store, rome, lives("Rome"))

    async with store.read() as tx:
        new, old = await tx.relations.about(AUDIENCE, ["alice"], limit=9)
    assert (new.object, new.source_row, new.valid_to) == ("Rome", rome.id, None)
    assert (old.object, old.source_row, old.valid_to, old.ended_by_row) == ("Paris", paris.id, rome.sent_at, rome.id)
    assert lines([new, old]) == ["Alice lives in Rome (since 2026-05-04; before: Paris)"]


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
async def test_messages_read_in_any_order_give_the_same_present(store: Store, order: tuple[int, ...]) -> None:
    places = ["Paris", "Rome", "Oslo"]
    messages = await said(store, *places)

    for place in order:
        await taught(store, messages[place], lives(places[place]))

    async with store.read() as tx:
        known = await tx.relations.timeline(AUDIENCE, "Alice", "lives_in", limit=9)
    assert [relation.object for relation in known] == places
    assert [relation.object for relation in known if relation.valid_to is None] == ["Oslo"]


async def test_to_learn_a_message_again_changes_nothing(store: Store) -> None:
    paris, rome = await said(store, "Alice lives in Paris", "Alice moved to Rome")
    mention = EntityMention("Alice", EntityKind.PERSON, "Alice!")
    first = [await taught(store, each, lives(place), mentions=[mention]) for each, place in ((paris, "Paris"), (rome, "Rome"))]
    before = await timeline(store)

    again = [await taught(store, each, lives(place), mentions=[mention]) for each, place in ((paris, "Paris"), (rome, "Rome"))]

    assert (first, again) == ([1, 1], [0, 0])
    assert await timeline(store) == before
    async with store.read() as tx:
        assert [facts.mentions for facts in await tx.entities.known(AUDIENCE, ["alice"])] == [2]


async def test_who_moves_back_lives_there_again(store: Store) -> None:
    messages = await said(store, "Paris", "Rome", "Paris again")

    for message, place in zip(messages, ("Paris", "Rome", "Paris"), strict=True):
        await taught(store, message, lives(place))

    assert await timeline(store) == ["Alice lives in Paris (since 2026-05-05; before: Rome, Paris)"]


async def test_what_was_ends_what_held_before_and_nothing_newer(store: Store) -> None:
    one, two, three = await said(store, "Alice lives in Paris", "Alice used to live in Paris", "Alice lives in Oslo")
    await taught(store, one, lives("Paris"))
    await taught(store, three, lives("Oslo"))

    await taught(store, two, lives("Paris", holds=False))
    await taught(store, two, lives("Oslo", holds=False))

    assert await timeline(store) == ["Alice lives in Oslo (since 2026-05-05; before: Paris)"]


async def test_what_was_long_ago_is_past_from_the_beginning(store: Store) -> None:
    used, now = await said(store, "I used to live in Berlin", "I live in Rome")

    await taught(store, now, lives("Rome", who=SPEAKER))
    await taught(store, used, lives("Berlin", who=SPEAKER, holds=False))

    assert await timeline(store, "ada") == ["Ada lives in Rome (since 2026-05-04; before: Berlin)"]


async def test_what_a_message_had_ended_holds_again_without_it(store: Store) -> None:
    messages = await said(store, "Paris", "Rome", "Oslo")
    for message, place in zip(messages, ("Paris", "Rome", "Oslo"), strict=True):
        await taught(store, message, lives(place), mentions=[EntityMention(place, EntityKind.PLACE, message.text)])

    async with store.write() as tx:
        await unlearn(tx, AUDIENCE, [messages[1].id])
    between = await timeline(store)
    async with store.write() as tx:
        await unlearn(tx, AUDIENCE, [messages[2].id])

    assert between == ["Alice lives in Oslo (since 2026-05-05; before: Paris)"]
    assert await timeline(store) == ["Alice lives in Paris (since 2026-05-03)"]
    async with store.read() as tx:
        assert [facts.name for facts in await tx.entities.known(AUDIENCE, ["paris", "rome", "oslo"])] == ["Paris"]


async def test_many_things_can_be_liked_and_none_both_liked_and_hated(store: Store) -> None:
    tea, cake, no_tea = await said(store, "Alice likes tea", "Alice likes cake", "Alice hates tea")

    for message, predicate, thing in ((tea, "likes", "tea"), (cake, "likes", "cake"), (no_tea, "hates", "tea")):
        await taught(store, message, Claim("Alice", predicate, thing, ""))

    assert await timeline(store) == [
        "Alice hates tea (said 2026-05-05)",
        "Alice likes cake (said 2026-05-04)",
        "Alice liked tea (until 2026-05-05)",
    ]


async def test_what_works_both_ways_is_known_once_and_ends_for_both(store: Store) -> None:
    one, two, three = await said(store, "Alice is married to Bob", "Bob is married to Alice", "Bob divorced Alice")

    await taught(store, one, Claim("Alice", "married_to", "Bob", ""))
    again = await taught(store, two, Claim("Bob", "married_to", "Alice", ""))
    await taught(store, three, Claim("Bob", "married_to", "Alice", "", holds=False))

    assert again == 0
    assert await timeline(store) == ["Alice was married to Bob (until 2026-05-05)"]


async def test_the_speaker_is_a_member_by_id_whatever_others_are_called(store: Store) -> None:
    other = Person("2", "Ada")
    (mine,) = await said(store, "I live in Paris")
    (theirs,) = await said(store, "I live in Rome", author=other, first_day=1)

    await taught(store, mine, lives("Paris", who=SPEAKER))
    await taught(store, theirs, lives("Rome", who=SPEAKER))

    async with store.read() as tx:
        known = await tx.relations.about(AUDIENCE, ["ada"], limit=9)
        about_me = await known_in(tx, AUDIENCE, "where do I live?", limit=9, speaker=ADA)
    assert {(relation.subject_person, relation.object, relation.valid_to) for relation in known} == {
        ("ada", "Paris", None),
        ("2", "Rome", None),
    }
    assert [relation.object for relation in about_me.relations] == ["Paris"]


async def test_a_name_that_one_member_bears_is_that_member_and_one_of_two_is_neither(store: Store) -> None:
    (hello,) = await said(store, "hello", author=BO)
    (first,) = await said(store, "Bo lives in Paris")
    await taught(store, hello)
    await taught(store, first, lives("Paris", who="Bo"))
    (other,) = await said(store, "hi", author=Person("b2", "Bo"), first_day=1)
    await taught(store, other)
    (second,) = await said(store, "Bo lives in Rome", first_day=2)
    await taught(store, second, lives("Rome", who="Bo"))

    async with store.read() as tx:
        known = await tx.relations.about(AUDIENCE, ["bo"], limit=9)
    assert {(relation.object, relation.subject_person, relation.valid_to) for relation in known} == {
        ("Paris", "bo", None),
        ("Rome", "", None),
    }


async def test_who_takes_another_name_keeps_what_is_known_of_them(store: Store) -> None:
    renamed = replace(ADA, display_name="Countess")
    (old,) = await said(store, "I live in Paris")
    (new,) = await said(store, "I moved to Rome", author=renamed, first_day=1)
    await taught(store, old, lives("Paris", who=SPEAKER))
    await taught(store, new, lives("Rome", who=SPEAKER))

    async with store.read() as tx:
        known = await known_in(tx, AUDIENCE, "where does Ada live?", limit=9)
    assert lines(known.relations) == ["Countess lives in Rome (since 2026-05-04; before: Paris)"]


def test_bots_claim_nothing_and_nobody_is_related_to_themselves() -> None:
    bot = Person("b", "Bot", is_bot=True)

    assert relations_of([lives("Paris")], stored("Alice lives in Paris", author=bot)) == ()
    assert relations_of([Claim("Ada", "likes", SPEAKER, "")], stored("Ada likes me")) == []


class TestKnownIn:
    """What is known of the names in a text."""

    @pytest.fixture
    async def known_store(self, store: Store) -> Store:
        """Give a store that knows Alice and Bob in Paris and Rome."""
        moved, rainy, cat = await said(store, "Alice moved to Paris.", "Paris is rainy.", "Bob has a cat called Mochi")
        alice, paris = EntityMention("Alice", EntityKind.PERSON, moved.text), EntityMention("Paris", EntityKind.PLACE, moved.text)
        bob, mochi = EntityMention("Bob", EntityKind.PERSON, cat.text), EntityMention("Mochi", EntityKind.PERSON, cat.text)
        await taught(store, moved, lives("Paris"), mentions=[alice, paris])
        await taught(store, rainy, mentions=[replace(paris, sentence=rainy.text)])
        owns, is_cat = Claim("Bob", "owns", "Mochi", ""), Claim("Mochi", "is_a", "cat", "")
        await taught(store, cat, owns, is_cat, Claim("Bob", "friend_of", "Alice", ""), mentions=[bob, mochi])
        return store

    @pytest.mark.parametrize(
        ("text", "entities", "relations"),
        [
            pytest.param("how is paris's weather?", ["- Paris (GPE): Paris is rainy."], [], id="a place"),
            pytest.param("Who lives in PARIS?", ["- Paris (GPE): Paris is rainy."], ["Alice lives in Paris (since 2026-05-03)"], id="who"),
            pytest.param(
                "is Alice ok", ["- Alice (PERSON): Alice moved to Paris."], ["Alice lives in Paris (since 2026-05-03)"], id="a person"
            ),
            pytest.param("lol ok", [], [], id="nothing"),
            pytest.param("", [], [], id="empty"),
        ],
    )
    async def test_only_what_is_named_is_listed(self, known_store: Store, text: str, entities: list[str], relations: list[str]) -> None:
        async with known_store.read() as tx:
            known = await known_in(tx, AUDIENCE, text, limit=9)

        assert [entity_line(facts) for facts in known.entities] == entities
        assert lines(known.relations) == relations

    async def test_no_more_than_the_limit_comes(self, known_store: Store) -> None:
        async with known_store.read() as tx:
            known = await known_in(tx, AUDIENCE, "Alice, Bob, Mochi and Paris", limit=2)

        assert (len(known.entities), len(known.relations)) == (2, 2)

    async def test_another_audience_knows_nothing(self, known_store: Store) -> None:
        elsewhere = a_scope(person=BO).audience
        async with known_store.read() as tx:
            assert (await known_in(tx, elsewhere, "Who is Alice?", limit=9)).entities == ()
            assert (await known_in(tx, elsewhere, "Who is Alice?", limit=9)).relations == ()
            assert await neighbours(tx, elsewhere, "Alice") == {}

    async def test_neighbours_count_less_the_farther_they_are(self, known_store: Store) -> None:
        async with known_store.read() as tx:
            assert await neighbours(tx, AUDIENCE, "how is Alice?") == {"Paris": NEAR, "Bob": NEAR, "Mochi": FAR}
            assert await neighbours(tx, AUDIENCE, "how is Alice?", depth=1) == {"Paris": NEAR, "Bob": NEAR}
            assert await neighbours(tx, AUDIENCE, "hello") == {}


async def test_one_at_a_time_holds_whatever_is_learned_in_whatever_order(store: Store) -> None:
    """A law: at most one place holds, and it is the newest that was told."""
    shuffled = random.Random(7)
    told = [(day, shuffled.choice(["Paris", "Rome", "Oslo"])) for day in range(12)]
    messages = await said(store, *(place for _, place in told))

    for day, place in shuffled.sample(told, len(told)):
        await taught(store, messages[day], lives(place))

    async with store.read() as tx:
        known: Sequence[Relation] = await tx.relations.timeline(AUDIENCE, "Alice", "lives_in", limit=99)
    assert [relation.object for relation in known if relation.valid_to is None] == [told[-1][1]]
    assert all(relation.valid_to is None or relation.valid_to > relation.valid_from for relation in known)
