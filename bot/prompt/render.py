"""Values as they stand in a prompt. Whatever people wrote is escaped before it goes between tags."""

import re
from collections.abc import Iterable
from datetime import datetime, tzinfo
from xml.sax.saxutils import escape

from bot.domain.memory import HandleGroup, Memory
from bot.domain.message import StoredMessage
from bot.domain.naming import named as speaker
from bot.domain.text import one_line

QUOTE_LIMIT = 300
HANDLE_TEXT = 80
"""Characters of a deep memory that its handle shows."""
UNGROUPED = "general"
_OUR_TAGS = re.compile(
    r"<(?=/?(?:memory|memories|deep_memories|recalled|section|persona|now|summary|recent_summaries|entities|relevant_past|structured_memories"
    r"|lore|reminder|mem_\w+|system|tool_call|start_of_turn|end_of_turn)\b|[|｜])",
    re.IGNORECASE,
)


def local_time(moment: datetime, zone: tzinfo) -> str:
    """Return a moment as `yyyy-MM-dd HH:mm:ss` in a zone."""
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")


def memory_line(memory: Memory, zone: tzinfo, *, named: bool) -> str:
    """Return a memory as one element. `named` tells whom it is about, which matters only where several people talk."""
    about = f" about={_attribute(speaker(memory.subject))}" if named and memory.subject else ""
    about += f" said_by={_attribute(speaker(memory.author))}" if named and _is_others_word(memory) else ""
    return f"<memory id='{memory.number}' updated_at='{local_time(memory.updated_at, zone)}'{about}>{escape(memory.text)}</memory>"


def memory_block(tag: str, memories: Iterable[Memory], zone: tzinfo, *, named: bool) -> str:
    """Return memories as one block, or an empty text when there are none."""
    lines = [memory_line(memory, zone, named=named) for memory in memories]
    return "\n".join([f"<{tag}>", *lines, f"</{tag}>"]) if lines else ""


def handle_block(handles: Iterable[Memory], groups: Iterable[HandleGroup]) -> str:
    """Return what is known of deep memories, a line a handle or a group, or an empty text when there are none."""
    lines = [*map(_handle_line, handles), *map(_group_line, groups)]
    return "\n".join(["<deep_memories>", *lines, "</deep_memories>"]) if lines else ""


def _handle_line(memory: Memory) -> str:
    said_by = f" (said by id {escape(memory.author.id)})" if memory.subject and _is_others_word(memory) else ""
    return f"[{memory.handle}] {escape(memory.group or UNGROUPED)}{said_by}: {escape(one_line(memory.text, HANDLE_TEXT + 1))}"


def _is_others_word(memory: Memory) -> bool:
    """Say whether a memory is not the word of whom it is about."""
    return bool(memory.author.id) and (memory.subject is None or memory.subject.id != memory.author.id)


def _group_line(group: HandleGroup) -> str:
    more = group.count - len(group.handles)
    handles = " ".join(f"[{handle}]" for handle in group.handles)
    return f"{escape(group.name or UNGROUPED)}: {group.count} memories {handles}" + (f" +{more}" if more else "")


def section(name: str, text: str) -> str:
    """Return a plugin's text as a named block, or an empty text when it has nothing to say."""
    return f"<section name={_attribute(name)}>\n{escape(text.strip())}\n</section>" if text.strip() else ""


def tamed(text: str) -> str:
    """Return what a persona's author wrote; it neither opens nor closes a tag of ours."""
    return _OUR_TAGS.sub("&lt;", text)


def spoken(message: StoredMessage, *, named: bool) -> str:
    """Return a person's line as the model reads it, with its quote; in groups with its speaker.

    Further lines of a message are indented in groups: nobody can forge the line of somebody else, or a tag of ours anywhere.
    """
    text = _OUR_TAGS.sub("&lt;", f"{_quoted(message)}{message.text}")
    if not named:
        return text
    return f"{_OUR_TAGS.sub('&lt;', speaker(message.author))}: " + "\n  ".join(text.splitlines())


def _quoted(message: StoredMessage) -> str:
    if message.quote is None:
        return ""
    return f"[in reply to {speaker(message.quote.author)}: {one_line(message.quote.text, QUOTE_LIMIT)}]\n"


def _attribute(text: str) -> str:
    return "'" + escape(text, {"'": "&apos;", '"': "&quot;"}) + "'"
