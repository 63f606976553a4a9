from bot.domain.entity import EntityKind
from bot.domain.past import EntityFacts, Relation
from bot.memory.graph import KnownNames
from bot.memory.reading.names import told_before, within_budget
from bot.testing.clock import START
from bot.testing.tokens import WordTokens


def facts(name: str, words: int) -> EntityFacts:
    return EntityFacts(name, EntityKind.PLACE, 1, (" ".join(["word"] * words),))


def test_name_that_does_not_fit_is_skipped_and_relations_take_what_is_left() -> None:
    relation = Relation("Alice", "lives_in", "Rome", START, 1, "Alice lives in Rome.")
    known = KnownNames((facts("Paris", 5), facts("Rome", 50), facts("Oslo", 5)), (relation,))

    small, large = within_budget(known, 20, WordTokens()), within_budget(known, 40, WordTokens())

    assert [each.name for each in small.entities] == ["Paris", "Oslo"]
    assert small.relations == ()
    assert [each.name for each in large.entities] == ["Paris", "Oslo"]
    assert large.relations == (relation,)


def test_what_only_the_message_itself_says_of_a_name_is_not_shown_as_known() -> None:
    told = EntityFacts("Paris", EntityKind.PLACE, 2, ("Where is Paris?", "Paris is rainy."))
    new = EntityFacts("Alice", EntityKind.PERSON, 1, ("Does Alice know Paris?",))
    relation = Relation("Alice", "knows", "Paris", START, 2, "Does Alice know Paris?")

    known = told_before(KnownNames((told, new), (relation,)), "Where is  Paris? Does Alice know Paris?")

    assert [(each.name, each.sentences) for each in known.entities] == [("Paris", ("Paris is rainy.",))]
    assert known.relations == ()
