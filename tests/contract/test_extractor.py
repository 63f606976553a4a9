import asyncio
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.claim import SPEAKER, Claim
from bot.domain.entity import EntityKind, EntityMention
from bot.nlp.extractor import DEFAULT_MODELS
from bot.nlp.rule_extractor import RuleExtractor
from bot.nlp.spacy_extractor import SpacyExtractor
from bot.ports.extractor import Extractor, Reading

ANY_TEXT = st.text(max_size=300) | st.lists(
    st.sampled_from(["Alice", "called ", "Mr. ", "\n", "“", "'s ", "名前は", "さん", "<@1>", " Rex", "_"])
).map("".join)


async def found(extractor: Extractor, text: str) -> Sequence[EntityMention]:
    (reading,) = await extractor.read([text])
    return reading.mentions


class ExtractorContract:
    """What every Extractor must do: one test a sentence of the port's docstring."""

    async def test_a_name_comes_with_the_sentence_it_stood_in(self, extractor: Extractor) -> None:
        mentions = await found(extractor, "It rains. Yesterday Alice moved to Paris! We miss her.")

        assert [(mention.name, mention.sentence) for mention in mentions] == [
            ("Alice", "Yesterday Alice moved to Paris!"),
            ("Paris", "Yesterday Alice moved to Paris!"),
        ]
        assert mentions[0].kind is EntityKind.PERSON

    async def test_each_name_comes_once_in_the_order_of_the_text(self, extractor: Extractor) -> None:
        mentions = await found(extractor, "Bob met Carol. Then Carol met Alice, and Bob left.")

        assert [mention.name for mention in mentions] == ["Bob", "Carol", "Alice"]

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("My cat is called Mochi.", "Mochi"),
            ("my cat is called mochi", "mochi"),
            ("Please call me Bo.", "Bo"),
            ("Ana likes tea", "Ana"),
            ("**Alice** says hi", "Alice"),
            ("Alice's dog is brown.", "Alice"),
            ("昨日田中さんと会いました。", "田中"),
            ("猫の名前はモチです。", "モチ"),
        ],
    )
    async def test_somebody_who_is_introduced_or_has_a_common_name_is_found(self, extractor: Extractor, text: str, name: str) -> None:
        assert [mention.name for mention in await found(extractor, text)] == [name]

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "   \n ",
            "lol ok",
            "gg wp",
            "HELLO THERE",
            "IDK WHAT TO DO",
            "Haha That Was Great",
            "Thanks!",
            "Hahahaha",
            "Omgggg",
            "Heyyy",
            "Thx",
            "Lmaoo",
            "see you on Monday",
            "😀 🎉 !!! ??",
            "<@123456789> hi",
            "@alice hello",
            "https://example.org/Alice/Paris",
            "`Alice = Bob()`",
            "```\nAlice moved to Paris.\n```",
            "赤ちゃんが泣いた",
            "12 34.5",
        ],
    )
    async def test_noise_gives_nothing(self, extractor: Extractor, text: str) -> None:
        assert await found(extractor, text) == ()

    async def test_what_is_read_has_names_and_claims(self, extractor: Extractor) -> None:
        one, other, noise = await extractor.read(["Alice lives in Paris.", "Ich wohne in Berlin und Anna ist da.", "lol ok"])

        assert one == Reading(
            await found(extractor, "Alice lives in Paris."), (Claim("Alice", "lives_in", "Paris", "Alice lives in Paris."),)
        )
        assert [(claim.subject, claim.object) for claim in other.claims] == [(SPEAKER, "Berlin")]
        assert noise == Reading()

    async def test_a_text_of_any_length_is_taken(self, extractor: Extractor) -> None:
        mentions = await found(extractor, "Alice wrote a very long letter. " * 40_000)

        assert [mention.name for mention in mentions] == ["Alice"]

    async def test_a_long_line_gives_a_name_only_what_stands_near_it(self, extractor: Extractor) -> None:
        (mention,) = await found(extractor, "bla " * 300 + "and then Alice came " + "bla " * 300)

        assert "and then Alice came" in mention.sentence
        assert len(mention.sentence) < 310

    @given(text=ANY_TEXT)
    @settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.differing_executors])
    async def test_any_text_gives_each_name_once_with_a_sentence_of_one_line(self, extractor: Extractor, text: str) -> None:
        mentions = await found(extractor, text)

        names = [mention.name.casefold() for mention in mentions]
        assert len(set(names)) == len(names)
        for mention in mentions:
            assert mention.name in mention.sentence
            assert "\n" not in mention.sentence


class TestRuleExtractor(ExtractorContract):
    @pytest.fixture(scope="class")
    @classmethod
    def extractor(cls) -> RuleExtractor:
        return RuleExtractor()


class TestSpacyExtractor(ExtractorContract):
    @pytest.fixture(scope="class")
    @classmethod
    def extractor(cls) -> Iterator[SpacyExtractor]:
        extractor = SpacyExtractor(DEFAULT_MODELS[-1:])
        yield extractor
        asyncio.run(extractor.close())
