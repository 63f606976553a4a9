from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.chat import (
    Audience,
    AudienceKind,
    BindingTarget,
    ConversationKey,
    ConversationKind,
    MemoryScope,
    audience_of,
    binding_targets,
    is_within,
    parse_key,
    parse_scope,
    space_audience,
    space_of,
)

ids = st.text(min_size=1, max_size=20)


@given(st.builds(ConversationKey, ids, ids, ids, st.text(max_size=20), st.text(max_size=20)))
def test_key_survives_its_text_form(key: ConversationKey) -> None:
    assert parse_key(str(key)) == key


@given(st.builds(ConversationKey, ids, ids, ids, ids, ids), st.builds(ConversationKey, ids, ids, ids, ids, ids))
def test_different_conversations_have_different_text_forms(one: ConversationKey, other: ConversationKey) -> None:
    assert (str(one) == str(other)) == (one == other)


@pytest.mark.parametrize("text", ["", "discord", "discord:1:2", "discord::2:3", "a:b:c:d:", "a:b:c:d:e:f"])
def test_text_that_names_no_conversation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="platform:space:channel:thread"):
        parse_key(text)


def test_what_is_said_in_a_direct_chat_belongs_to_the_person() -> None:
    key = ConversationKey("discord", "7", "7")

    audience = audience_of(key, ConversationKind.DIRECT, "42")

    assert audience.kind is AudienceKind.PERSON
    assert audience.id == "discord:42"


def test_what_is_said_in_a_thread_belongs_to_the_thread() -> None:
    channel, thread = ConversationKey("discord", "1", "2"), ConversationKey("discord", "1", "2", "3")

    audiences = {audience_of(key, ConversationKind.GROUP, "42") for key in (channel, thread)}

    assert len(audiences) == 2


@given(ids, ids, ids, ids)
def test_no_direct_chat_shares_an_audience_with_a_group(platform: str, space: str, channel: str, person: str) -> None:
    key = ConversationKey(platform, space, channel)

    assert audience_of(key, ConversationKind.DIRECT, person) != audience_of(key, ConversationKind.GROUP, person)


def test_discussion_of_a_group_has_memories_of_its_own_and_the_persona_and_settings_of_its_place() -> None:
    key = ConversationKey("discord", "1", "2")
    discussion = replace(key, discussion="trip-2")

    audiences = [audience_of(each, ConversationKind.GROUP, "42") for each in (key, discussion)]

    assert audiences[0] != audiences[1]
    assert space_of(audiences[0]) == space_of(audiences[1])
    assert binding_targets(key) == binding_targets(discussion)


def test_bindings_are_looked_for_in_the_narrowest_place_first() -> None:
    assert binding_targets(ConversationKey("telegram", "1", "1", "5")) == (
        BindingTarget("telegram", "1", "1", "5"),
        BindingTarget("telegram", "1", "1"),
        BindingTarget("telegram", "1"),
    )


@given(st.builds(ConversationKey, ids, ids, ids, st.text(max_size=20)), ids)
def test_settings_of_a_group_are_its_spaces_and_those_of_a_direct_chat_the_persons(key: ConversationKey, person: str) -> None:
    assert space_of(audience_of(key, ConversationKind.GROUP, person)) == (key.platform, key.space_id)
    assert space_of(audience_of(key, ConversationKind.DIRECT, person)) == (key.platform, f"person:{person}")


def test_a_scope_is_one_line_that_names_persona_and_audience() -> None:
    scope = MemoryScope("iris", audience_of(ConversationKey("discord", "1", "2"), ConversationKind.GROUP, "42"))

    assert str(scope) == "iris conversation/discord:1:2:"


ROOM, DM = ConversationKey("discord", "10", "20", "30"), ConversationKey("discord", "7", "7")


@pytest.mark.parametrize(
    "audience", [audience_of(ROOM, ConversationKind.GROUP, ""), audience_of(DM, ConversationKind.DIRECT, "a b/c:"), space_audience(ROOM)]
)
def test_scope_reads_back_as_it_was_written(audience: Audience) -> None:
    scope = MemoryScope("iris the 2nd", audience)

    assert parse_scope(str(scope)) == scope


@pytest.mark.parametrize("text", ["", "iris", "iris conversation", "iris room/1:2:3:", " person/discord:7"])
def test_other_text_is_no_scope(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no scope|is not a valid"):
        parse_scope(text)


def test_what_is_said_is_within_its_own_audience_alone() -> None:
    group, direct = ConversationKind.GROUP, ConversationKind.DIRECT
    own = audience_of(DM, direct, "7")

    assert is_within(own, DM, direct, "7")
    assert is_within(own, replace(DM, discussion="trip"), direct, "7")
    assert not is_within(own, DM, direct, "8")
    assert not is_within(own, ROOM, group, "7")
    assert is_within(audience_of(ROOM, group, ""), ROOM, group, "7")
    assert not is_within(audience_of(ROOM, group, ""), replace(ROOM, thread_id=""), group, "7")
    assert is_within(space_audience(ROOM), ROOM, group, "7")
    assert not is_within(space_audience(ROOM), replace(ROOM, space_id="11"), group, "7")
    assert not is_within(space_audience(DM), DM, direct, "7")


def test_space_of_a_space_audience_is_that_space() -> None:
    key = ConversationKey("discord", "a:b/c", "20")

    assert space_of(space_audience(key)) == (key.platform, key.space_id)
