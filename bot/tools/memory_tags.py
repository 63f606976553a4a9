"""The tags by which a model edits memory in its text: another spelling of the memory tool's calls."""

import json

from bot.domain.tool import ToolCall
from bot.protocol.xml_tags import Tag
from bot.tools.memory_tools import UPDATE_PERSONA_MEMORY

MEMORY_TAGS = frozenset({"mem_new", "mem_update"})
MEMORY_TAGS_WITHOUT_BODY = frozenset({"mem_delete"})


def call_of(tag: Tag) -> ToolCall | None:
    """Return the tool call that a tag stands for, or None when it says nothing to do."""
    number, text = tag.attributes.get("id", ""), tag.body.strip()
    match tag.name:
        case "mem_new" if text:
            return _call("0", text)
        case "mem_update" if text and _is_number(number):
            return _call(number, text)
        case "mem_delete" if _is_number(number):
            return _call(number, "")
        case _:
            return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and int(text) > 0


def _call(number: str, text: str) -> ToolCall:
    arguments = json.dumps({"id": int(number), "newContent": text}, ensure_ascii=False)
    return ToolCall(id="", name=UPDATE_PERSONA_MEMORY, arguments=arguments)
