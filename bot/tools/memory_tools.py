"""The tool by which a model edits what its persona remembers, and its tag form for models that take no tools."""

import re
from collections.abc import Mapping

from bot.domain.extension import Tool, ToolContext
from bot.domain.text import one_line
from bot.domain.tool import JsonValue, ToolSpec
from bot.errors import ToolRetry
from bot.tools.texts import MemoryTexts, memory_texts

UPDATE_PERSONA_MEMORY = "UpdatePersonaMemory"
_WHOLE_NUMBER = re.compile(r"[+-]?\d{1,30}")
_LONGEST_ECHO = 40
"""Characters of a wrong value that are shown to the model."""

SPEC = ToolSpec(
    name=UPDATE_PERSONA_MEMORY,
    description="Adds, changes or deletes one remembered fact.",
    parameters={
        "type": "object",
        "properties": {
            "id": {"type": "integer", "description": "The id of the memory to change; 0 adds a new one."},
            "newContent": {"type": "string", "description": "The fact in one sentence, at most 500 characters; empty deletes it."},
        },
        "required": ["id", "newContent"],
    },
)


async def update_persona_memory(context: ToolContext, arguments: Mapping[str, JsonValue]) -> str:
    """Carry out one call and return what to tell the model, in the persona's language."""
    texts = memory_texts(context.turn.persona.language)
    number, text = _number(arguments.get("id", 0)), arguments.get("newContent")
    if not isinstance(text, str):
        raise ToolRetry('newContent must be a text; send {"id": 0, "newContent": "one sentence"}.')
    if not text.strip():
        return texts.deleted if await context.memory.forget(number) else texts.not_deleted
    return await _write(context, number, text, texts)


async def _write(context: ToolContext, number: int, text: str, texts: MemoryTexts) -> str:
    if number > 0 and await context.memory.revise(number, text):
        return texts.updated
    new = await context.memory.remember(text)
    return texts.updated if number == 0 else texts.updated_as.format(number=new)


def _number(value: JsonValue) -> int:
    """Return an id as a number, as models write it: 3, "3", 3.0. Raises ToolRetry for anything else."""
    match value:
        case bool() | None:
            pass
        case int():
            return value
        case float() if value.is_integer():
            return int(value)
        case str() if _WHOLE_NUMBER.fullmatch(value.strip()):
            return int(value)
        case _:
            pass
    raise ToolRetry(f"id must be a whole number, not {one_line(repr(value), _LONGEST_ECHO)}; 0 adds a new memory.")


MEMORY_TOOL = Tool(SPEC, update_persona_memory)
