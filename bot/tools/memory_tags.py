"""The tags by which a model edits memory in its text: another spelling of the memory tools' calls."""

import json
from collections.abc import Mapping

from bot.domain.tool import ToolCall
from bot.protocol.xml_tags import Tag
from bot.tools.memory_tools import LOAD_MEMORY, MUST_EXIST, NEW, TAG_MEMORY, UPDATE_PERSONA_MEMORY

MEMORY_TAGS = frozenset({"mem_new", "mem_update"})
MEMORY_TAGS_WITHOUT_BODY = frozenset({"mem_tag", "mem_load", "mem_delete"})


def call_of(tag: Tag) -> ToolCall | None:
    """Return the tool call that a tag stands for, or None when it says nothing to do."""
    name, text = tag.attributes.get("id", "").strip(), tag.body.strip()
    match tag.name:
        case "mem_new" if text:
            extra = {key: tag.attributes[key] for key in ("importance", "group") if key in tag.attributes}
            return _call(UPDATE_PERSONA_MEMORY, {"id": NEW, "newContent": text, **extra})
        case "mem_update" if text and _names_one(name):
            return _call(UPDATE_PERSONA_MEMORY, {"id": name, "newContent": text, MUST_EXIST: True})
        case "mem_delete" if _names_one(name):
            return _call(UPDATE_PERSONA_MEMORY, {"id": name, "newContent": ""})
        case "mem_tag" if _names_one(name):
            return _call(TAG_MEMORY, {"id": name})
        case "mem_load" if _names_one(name):
            return _call(LOAD_MEMORY, {"id": name})
        case _:
            return None


def _names_one(name: str) -> bool:
    """Say whether a text can be a number or a handle; an unknown one is no reason to add a memory."""
    return name.isascii() and name.isalnum() and name != NEW


def _call(tool: str, arguments: Mapping[str, str | bool]) -> ToolCall:
    return ToolCall(id="", name=tool, arguments=json.dumps(arguments, ensure_ascii=False))
