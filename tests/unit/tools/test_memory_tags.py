import json

import pytest

from bot.protocol.xml_tags import Tag
from bot.tools.memory_tags import call_of


@pytest.mark.parametrize(
    ("tag", "tool", "arguments"),
    [
        pytest.param(
            Tag("mem_new", {"importance": "0.9"}, " Likes tea "),
            "UpdatePersonaMemory",
            {"id": "0", "newContent": "Likes tea", "importance": "0.9"},
            id="new",
        ),
        pytest.param(
            Tag("mem_update", {"id": "7c8855bf"}, "Likes coffee"),
            "UpdatePersonaMemory",
            {"id": "7c8855bf", "newContent": "Likes coffee", "mustExist": True},
            id="update",
        ),
        pytest.param(Tag("mem_delete", {"id": "3"}, ""), "UpdatePersonaMemory", {"id": "3", "newContent": ""}, id="delete"),
        pytest.param(Tag("mem_tag", {"id": "3"}, ""), "TagMemory", {"id": "3"}, id="tag"),
        pytest.param(Tag("mem_load", {"id": "3"}, ""), "LoadMemory", {"id": "3"}, id="load"),
    ],
)
def test_tag_stands_for_a_call_of_a_memory_tool(tag: Tag, tool: str, arguments: dict[str, object]) -> None:
    call = call_of(tag)

    assert call is not None
    assert call.name == tool
    assert json.loads(call.arguments) == arguments


@pytest.mark.parametrize(
    "tag",
    [
        pytest.param(Tag("mem_new", {}, "  "), id="new without a text"),
        pytest.param(Tag("mem_update", {}, "text"), id="update without an id"),
        pytest.param(Tag("mem_update", {"id": "3"}, ""), id="update without a text"),
        pytest.param(Tag("mem_delete", {"id": "%"}, ""), id="delete with no number"),
        pytest.param(Tag("mem_delete", {"id": "0"}, ""), id="delete of nothing"),
    ],
)
def test_tag_that_says_nothing_to_do_is_no_call(tag: Tag) -> None:
    assert call_of(tag) is None
