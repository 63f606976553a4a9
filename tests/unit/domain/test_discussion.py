from dataclasses import replace

import pytest

from bot.domain.discussion import TaggedText, may_name, without_tags
from bot.domain.message import Person
from bot.testing.factories import ADA, GROUP, incoming


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("hi there", TaggedText("hi there"), id="no tag"),
        pytest.param("hi [DiscussionId]trip-2[/DiscussionId] there", TaggedText("hi there", "trip-2"), id="one tag"),
        pytest.param("[discussionid] a_1 [/discussionid]\nhi", TaggedText("hi", "a_1"), id="small letters and blanks"),
        pytest.param("[DiscussionId]a[/DiscussionId]x[DiscussionId]b[/DiscussionId]", TaggedText("x", "a"), id="the first counts"),
        pytest.param("[DiscussionId]../x[/DiscussionId]hi", TaggedText("hi", is_broken=True), id="a path"),
        pytest.param("[DiscussionId]a/b[/DiscussionId]hi", TaggedText("hi", is_broken=True), id="a slash"),
        pytest.param("[DiscussionId]c:1[/DiscussionId]hi", TaggedText("hi", is_broken=True), id="a colon"),
        pytest.param("[DiscussionId][/DiscussionId]hi", TaggedText("hi", is_broken=True), id="empty"),
        pytest.param(f"[DiscussionId]{'a' * 65}[/DiscussionId]hi", TaggedText("hi", is_broken=True), id="too long"),
        pytest.param("[DiscussionId]猫[/DiscussionId]hi", TaggedText("hi", is_broken=True), id="other letters"),
        pytest.param("what is [DiscussionId]?", TaggedText("what is [DiscussionId]?"), id="no tag at all"),
    ],
)
def test_tag_is_taken_out_and_names_a_discussion(text: str, expected: TaggedText) -> None:
    assert without_tags(text) == expected


def test_only_those_alone_with_the_bot_and_the_trusted_may_name_a_discussion() -> None:
    direct, group = incoming("hi"), incoming("hi", conversation=GROUP)
    bot = replace(direct, author=Person("ada", "Ada", is_bot=True))

    allowed = [may_name(direct, frozenset()), may_name(group, frozenset()), may_name(group, frozenset({f"discord:{ADA.id}"}))]

    assert allowed == [True, False, True]
    assert not may_name(bot, frozenset({"discord:ada"}))
