"""What is left out where somebody opted out."""

from dataclasses import replace

from bot.domain.entity import EntityKind, EntityMention
from bot.domain.memory import HandleGroup, Recall, RecalledMemory
from bot.domain.message import Person, Quote
from bot.domain.past import EntityFacts, Excerpt, PastRecall, Relation
from bot.domain.privacy import Hidden
from bot.memory.hidden import (
    hidden_there,
    hides_relation,
    learnable,
    shown_entities,
    shown_memories,
    shown_past,
    shown_recall,
    spoken_by_others,
)
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, GROUP, a_memory, a_scope, stored

HERE = a_scope(GROUP).audience
ADAS = Hidden(frozenset({"ada"}), frozenset({"ada"}))


async def ada_opts_out(store: SqlStore) -> None:
    """Let Ada be known in the group, and opt out."""
    async with store.write() as tx:
        await tx.entities.add(HERE, 0, [EntityMention("Ada", EntityKind.PERSON, "", "ada")])
        await tx.people.opt_out("discord", "ada", START)


def test_a_memory_is_hidden_by_its_subject_its_author_or_a_name_in_it() -> None:
    other = replace(a_memory("Bo likes tea", number=1, subject=BO), author=BO)
    named = replace(other, text="Ada's cat is called Rex")
    about, by = replace(other, subject=ADA), replace(other, author=ADA)

    assert shown_memories([other, named, about, by], ADAS) == [other]
    assert shown_memories([other, named, about, by], Hidden()) == [other, named, about, by]


async def test_who_takes_the_name_of_somebody_who_opted_out_sees_no_more_than_before(store: SqlStore) -> None:
    await ada_opts_out(store)
    posing = Person("mal", "Ada")
    async with store.read() as tx:
        posed = (await hidden_there(tx, HERE)).but(posing)
    async with store.write() as tx:
        await tx.entities.add(
            HERE, 0, [EntityMention("Mal", EntityKind.PERSON, "", "mal"), EntityMention("Ada", EntityKind.PERSON, "", "mal")]
        )
        await tx.people.opt_out("discord", "mal", START)
    async with store.read() as tx:
        hidden = await hidden_there(tx, HERE)

    assert posed.named_in("Ada has Rex")
    assert hidden.but(posing).named_in("Ada has Rex")
    assert not hidden.but(posing).named_in("Mal has Rex")
    assert not hidden.but(Person("ada", "Mal")).hides(ADA)


async def test_an_id_in_a_text_names_its_person(store: SqlStore) -> None:
    async with store.write() as tx:
        await tx.entities.add(HERE, 0, [EntityMention("Cy", EntityKind.PERSON, "", "1576789947011039237")])
        await tx.people.opt_out("discord", "1576789947011039237", START)
    async with store.read() as tx:
        hidden = await hidden_there(tx, HERE)

    assert hidden.named_in("1576789947011039237 hates tea")
    assert not hidden.named_in("1576789947011039238 hates tea")


def test_a_word_that_only_contains_a_name_names_nobody() -> None:
    assert not ADAS.named_in("Canada is large", "an adagio")
    assert ADAS.named_in("nothing", "so said ADA.")


def test_names_and_relations_of_somebody_are_neither_learned_nor_told() -> None:
    other = EntityMention("Rex", EntityKind.OTHER, "Rex barks")
    of_ada = EntityMention("Rex", EntityKind.OTHER, "Ada has Rex")
    relation = Relation("Bo", "likes", "tea", START, 1, "Bo likes tea")
    facts = EntityFacts("Rex", EntityKind.OTHER, 2, ("Rex barks", "Ada has Rex"))

    assert learnable([other, of_ada, EntityMention("Ada", EntityKind.PERSON, "Hello")], ADAS) == [other]
    assert not hides_relation(relation, ADAS)
    assert hides_relation(replace(relation, object_person="ada"), ADAS)
    assert hides_relation(replace(relation, subject="Ada"), ADAS)
    assert shown_entities([facts, EntityFacts("Ada", EntityKind.PERSON, 1, ())], ADAS) == [replace(facts, sentences=("Rex barks",))]


async def test_lines_of_somebody_are_left_out_and_quotes_of_them_emptied(store: SqlStore) -> None:
    await ada_opts_out(store)
    said = [stored("mine", row=1), stored("look", row=2, author=BO, quote=Quote("m1", ADA, "mine")), stored("hello", row=3, author=BO)]

    async with store.read() as tx:
        left = await spoken_by_others(tx, GROUP, said)

    assert left == [replace(said[1], quote=None), said[2]]


async def test_what_comes_back_has_nothing_of_them(store: SqlStore) -> None:
    of_bo, of_ada = replace(a_memory("likes tea", number=1), author=BO), a_memory("likes tea", number=2)
    recalled = Recall((of_bo, of_ada), (of_ada,), (HandleGroup("family", 2, ("00000002",)),), (RecalledMemory(of_ada, 1.0, "why"),), 0)
    line, mine = stored("hello", row=3, author=BO), stored("mine", row=2)
    past = PastRecall(
        summary="Ada likes tea.",
        entities=(EntityFacts("Ada", EntityKind.PERSON, 1, (), person_id="ada"),),
        excerpts=(Excerpt((line, mine), 3, 1.0, "why"), Excerpt((line, mine), 2, 1.0, "why")),
    )
    async with store.read() as tx:
        assert await shown_recall(tx, HERE, recalled) == recalled
        assert await shown_past(tx, HERE, past) == past
    await ada_opts_out(store)

    async with store.read() as tx:
        assert await shown_recall(tx, HERE, recalled) == Recall((of_bo,), (), (), (), 0)
        assert await shown_past(tx, HERE, past) == PastRecall(excerpts=(Excerpt((line,), 3, 1.0, "why"),))
