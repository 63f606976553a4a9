import json

import pytest

from bot.protocol.xml_tags import Tag
from bot.tools.memory_tags import call_of


@pytest.mark.parametrize(
    ("tag", "arguments"),
    [
        pytest.param(Tag("mem_new", {}, " Likes tea "), {"id": 0, "newContent": "Likes tea"}, id="new"),
        pytest.param(Tag("mem_update", {"id": "3"}, "Likes coffee"), {"id": 3, "newContent": "Likes coffee"}, id="update"),
        pytest.param(Tag("mem_delete", {"id": "3"}, ""), {"id": 3, "newContent": ""}, id="delete"),
    ],
)
def test_tag_stands_for_a_call_of_the_memory_tool(tag: Tag, arguments: dict[str, object]) -> None:
    call = call_of(tag)

    assert call is not None
    assert call.name == "UpdatePersonaMemory"
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
