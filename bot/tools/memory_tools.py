"""The tools by which a model edits what its persona remembers. The memory tags are another spelling of the same calls."""

import re
from collections.abc import Mapping

from bot.domain.extension import Tool, ToolContext
from bot.domain.text import one_line
from bot.domain.tool import JsonValue, ToolSpec
from bot.errors import ToolRetry
from bot.tools.texts import MemoryTexts, memory_texts

UPDATE_PERSONA_MEMORY = "UpdatePersonaMemory"
TAG_MEMORY = "TagMemory"
LOAD_MEMORY = "LoadMemory"
NEW = "0"
"""The id that adds a memory."""
MUST_EXIST = "mustExist"
"""An argument by which a tag says that an unknown id is to change nothing; the tool itself adds a memory then."""
_ID: Mapping[str, JsonValue] = {
    "type": ["integer", "string"],
    "description": "The id of the memory, as it stands in its tag or its handle.",
}
_NUMBER = re.compile(r"[+-]?\d{1,18}")
_NUMBERS_END = 10**18
_HANDLE = re.compile(r"\[?[0-9a-f]{8}\]?", re.IGNORECASE)
_LONGEST_ECHO = 40
"""Characters of a wrong value that are shown to the model."""


def _spec(name: str, description: str, **parameters: Mapping[str, JsonValue]) -> ToolSpec:
    required: list[JsonValue] = [parameter for parameter in parameters if parameter in {"id", "newContent"}]
    properties: dict[str, JsonValue] = {parameter: dict(schema) for parameter, schema in parameters.items()}
    return ToolSpec(name, description, {"type": "object", "properties": properties, "required": required})


async def update_persona_memory(context: ToolContext, arguments: Mapping[str, JsonValue]) -> str:
    """Add, change or delete a fact, and return what to tell the model, in the persona's language."""
    texts = memory_texts(context.turn.persona.language)
    name, text = _name(arguments.get("id", 0)), arguments.get("newContent")
    if not isinstance(text, str):
        raise ToolRetry('newContent must be a text; send {"id": 0, "newContent": "one sentence"}.')
    if not text.strip():
        return texts.deleted if await context.memory.forget(name) else texts.not_deleted
    return await _write(context, name, text, arguments, texts)


async def tag_memory(context: ToolContext, arguments: Mapping[str, JsonValue]) -> str:
    """Note that a fact was used."""
    texts = memory_texts(context.turn.persona.language)
    return texts.tagged if await context.memory.tag(_name(arguments.get("id"))) else texts.unknown


async def load_memory(context: ToolContext, arguments: Mapping[str, JsonValue]) -> str:
    """Bring a fact back and return its text."""
    texts = memory_texts(context.turn.persona.language)
    text = await context.memory.load(_name(arguments.get("id")))
    return texts.unknown if text is None else texts.loaded.format(text=text)


async def _write(context: ToolContext, name: str, text: str, arguments: Mapping[str, JsonValue], texts: MemoryTexts) -> str:
    if name != NEW and await context.memory.revise(name, text):
        return texts.updated
    if arguments.get(MUST_EXIST) is True:
        return texts.unknown
    number = await context.memory.remember(text, importance=_importance(arguments.get("importance")), group=_group(arguments.get("group")))
    return texts.updated if name == NEW else texts.updated_as.format(number=number)


def _name(value: JsonValue) -> str:
    """Return an id as models write it: 3, "3", 3.0, "[7c8855bf]". Raises ToolRetry for what cannot be one."""
    match value:
        case bool() | None:
            pass
        case int() if abs(value) < _NUMBERS_END:
            return str(value)
        case float() if value.is_integer() and abs(value) < _NUMBERS_END:
            return str(int(value))
        case str() if _NUMBER.fullmatch(value.strip()):
            return str(int(value))
        case str() if _HANDLE.fullmatch(value.strip()):
            return value.strip("[] \t\n").lower()
        case _:
            pass
    raise ToolRetry(f"id must be the id of a memory, not {one_line(repr(value), _LONGEST_ECHO)}; 0 adds a new one.")


def _importance(value: JsonValue) -> float | None:
    """Return an importance, or None for what is no number: it then gets the usual one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _group(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


MEMORY_TOOLS = (
    Tool(
        _spec(
            UPDATE_PERSONA_MEMORY,
            "Adds, changes or deletes one remembered fact.",
            id={"type": ["integer", "string"], "description": "The id of the memory to change; 0 adds a new one."},
            newContent={"type": "string", "description": "The fact in one sentence, at most 500 characters; empty deletes it."},
            importance={"type": "number", "description": "How much it matters, 0 to 1; leave it out when unsure."},
            group={"type": "string", "description": "One word for what it belongs to, such as family."},
        ),
        update_persona_memory,
    ),
    Tool(_spec(TAG_MEMORY, "Says that a remembered fact was useful for this answer.", id=_ID), tag_memory),
    Tool(_spec(LOAD_MEMORY, "Brings back the full text of a memory of which only the handle is shown.", id=_ID), load_memory),
)
MEMORY_TOOL_NAMES = frozenset(tool.spec.name for tool in MEMORY_TOOLS)
