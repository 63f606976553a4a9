"""Texts that say the same become one memory; everything else stays apart."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.likeness import content_words, likeness_key, repeated, says_the_same
from bot.storage.store import SqlStore
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, a_memory, a_scope

ONE_FACT = [
    ["I like tea", "User loves tea.", "Ada is fond of tea", "enjoys tea", "The user is a tea lover", "She really likes tea!"],
    ["I live in Kyoto", "User is living in Kyoto", "My home is in Kyoto", "Ada resides in Kyoto."],
    ["My cat is called Mochi", "I have a cat named Mochi", "User's cat's name is Mochi", "The name of my cat is Mochi"],
    ["I'm a nurse", "works as a nurse", "Ada is a nurse"],
    ["I am allergic to peanuts", "User has a peanut allergy", "Ada has an allergy to peanuts"],
    ["My birthday is on 3 May", "User's birthday is May 3rd", "Ada was born on the 3rd of May"],
    ["plays the guitar", "I play guitar", "Ada is playing guitar"],
    ["I have two cats", "owns 2 cats", "Ada has got two cats"],
    ["likes tea and coffee", "loves coffee and tea"],
    ["likes to bake", "enjoys baking"],
    ["I drink tea every morning", "In the morning, I drink tea", "Ada drinks tea in the mornings"],
    ["My favourite colour is blue", "Blue is my favorite color"],
    ["does not like tea", "hates tea", "I can't stand tea"],
    ["I don't drink alcohol", "Ada does not drink alcohol"],
    ["猫が好きです", "ユーザーは猫が大好きです。", "私はネコが好きだよ", "Adaさんは猫が好き"],
    ["京都に住んでいます", "私は京都に住んでいる", "京都に住んでます"],
    ["C#が好き", "Ｃ＃が好きです。"],
]
OTHER_FACTS = [
    ("likes tea", "does not like tea"),
    ("likes tea", "no longer likes tea"),
    ("can swim", "can't swim"),
    ("is allergic to peanuts", "is not allergic to peanuts"),
    ("drinks no milk", "drinks milk"),
    ("likes neither tea nor coffee", "likes tea and coffee"),
    ("likes tea but not coffee", "likes coffee but not tea"),
    ("trinkt gern Tee", "trinkt nicht gern Tee"),
    ("aime le thé", "n'aime pas le thé"),
    ("has 2 cats", "has 3 cats"),
    ("has two cats", "has twelve cats"),
    ("meets at 10:30", "meets at 10:45"),
    ("is 1.80 m tall", "is 1.90 m tall"),
    ("born on 3 May 1990", "born on 3 May 1991"),
    ("birthday is 3 May", "birthday is 5 March"),
    ("phone ends in 4471", "phone ends in 4477"),
    ("likes C++ a lot", "likes C# a lot"),
    ("codes in C#", "codes in C"),
    ("uses .NET", "uses net"),
    ("blood type A-", "blood type A+"),
    ("blood type A", "blood type O"),
    ("takes vitamin A", "takes vitamin"),
    ("Fix dinner, 3 < 5", "Fix dinner, 3 > 5"),
    ("likes 🐈", "likes 🐕"),
    ("works in IT", "works in US"),
    ("lives in the US", "lives with us"),
    ("Cy loves Bo", "Bo loves Cy"),
    ("The cat chased the dog", "The dog chased the cat"),
    ("Cy is Bo's mother", "Bo is Cy's mother"),
    ("Ada's sister is Bo", "Ada is Bo's sister"),
    ("has a cat named Mochi", "has a dog named Mochi"),
    ("has a cat named Mochi", "has a cat named Miso"),
    ("moved from Paris to Rome", "moved from Rome to Paris"),
    ("prefers tea over coffee", "prefers coffee over tea"),
    ("drinks tea before coffee", "drinks coffee before tea"),
    ("earns more than Bo", "earns less than Bo"),
    ("lives in Kyoto", "lived in Kyoto"),
    ("is a teacher", "was a teacher"),
    ("lives in Kyoto", "will live in Kyoto"),
    ("has a dog", "had a dog"),
    ("has a nurse", "is a nurse"),
    ("wants a cat", "has a cat"),
    ("likes jazz", "likes jazz from the twenties, above all Django Reinhardt"),
    ("likes red wine", "likes white wine"),
    ("hates green tea and coffee", "hates green coffee and tea"),
    ("always eats lunch", "sometimes eats lunch"),
    ("talks to Bo", "talks about Bo"),
    ("lives with her mother", "lives with her father"),
    ("my sister lives in Oslo", "lives in Oslo"),
    ("Bo sold his car", "Bo sold my car"),
    ("logs in at nine", "logs out at nine"),
    ("the key is on the box", "the key is in the box"),
    ("the meeting is on Monday", "the meeting is every Monday"),
    ("likes painting", "likes paint"),
    ("wears glasses", "wears a glass"),
    ("猫が好き", "犬が好き"),
    ("猫が好き", "猫が嫌い"),
    ("猫が好きです", "猫が好きではありません"),
    ("京都に住んでいる", "京都に住んでいた"),
    ("京都に住んでいる", "東京に住んでいる"),
    ("姉は京都に住んでいる", "妹は京都に住んでいる"),
    ("猫は3匹いる", "猫は2匹いる"),
]


@pytest.mark.parametrize("wordings", ONE_FACT, ids=lambda wordings: wordings[0])
def test_one_fact_in_other_words_is_the_same(wordings: list[str]) -> None:
    apart = [pair for pair in combinations(wordings, 2) if not says_the_same(*pair, name="Ada")]

    assert apart == []


@pytest.mark.parametrize(("one", "other"), OTHER_FACTS)
def test_another_fact_is_not_the_same(one: str, other: str) -> None:
    assert not says_the_same(one, other, name="Ada")
    assert not says_the_same(other, one, name="Ada")


def test_facts_of_different_groups_are_never_the_same() -> None:
    merged = [
        (one, other)
        for group, rest in combinations(ONE_FACT, 2)
        for one in group
        for other in rest
        if says_the_same(one, other, name="Ada")
    ]

    assert merged == []


@pytest.mark.parametrize("text", ["Tea", "ok", "です", "。", "猫"])
def test_a_text_of_one_word_is_the_same_as_itself_only(text: str) -> None:
    assert likeness_key(text) == ()
    assert says_the_same(text, f"{text} ")


@given(st.text(max_size=60))
def test_every_text_says_the_same_as_itself(text: str) -> None:
    assert says_the_same(text, text)
    assert all(likeness_key(text))


@given(st.text(alphabet="abcdefgh 猫犬,.'0123456789", max_size=40), st.text(alphabet="abcdefgh 猫犬,.'0123456789", max_size=40))
def test_saying_the_same_goes_both_ways(one: str, other: str) -> None:
    assert says_the_same(one, other) == says_the_same(other, one)


@given(st.lists(st.sampled_from(["red", "tea", "loves", "Bo", "cat", "not", "3", "猫", "in"]), min_size=1, max_size=6), st.integers(0, 99))
def test_numbers_and_negations_always_tell_texts_apart(words: list[str], number: int) -> None:
    text = " ".join(words)

    assert not says_the_same(f"{text} {number}", f"{text} {number + 1}")
    assert not says_the_same(f"{text} never", text)


def test_content_words_leave_the_person_and_the_small_words_out() -> None:
    assert content_words("Ada's cat is called Mochi", name="Ada Byron") == {"cat", "name", "mochi"}


async def test_a_repeat_is_found_among_the_memories_of_the_same_person_that_hold(store: SqlStore) -> None:
    about_ada = a_memory("Ada is fond of tea", subject=ADA)
    about_bo = a_memory("Bo likes jazz", number=2, subject=BO)
    ended = replace(a_memory("lives in Oslo", number=3, subject=ADA), ended_at=START)
    async with store.write() as tx:
        for memory in (about_ada, about_bo, ended):
            await tx.memories.add(memory)

    async with store.read() as tx:
        assert await repeated(tx, a_scope(), "loves tea", ADA) == about_ada
        assert await repeated(tx, a_scope(), "loves tea", BO) is None
        assert await repeated(tx, a_scope(), "likes jazz", ADA) is None
        assert await repeated(tx, a_scope(), "lives in Oslo", ADA) is None
