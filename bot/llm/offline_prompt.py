"""What the offline model reads in a prompt: who asks, what was said, what is remembered."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from xml.sax.saxutils import unescape

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest
from bot.prompt.builder import template
from bot.tools.memory_tools import UPDATE_PERSONA_MEMORY

_GREETING = re.compile(r"^Greeting: (.+?)(?=\n\n|\n</persona>)", re.MULTILINE | re.DOTALL)
_MEMORY = re.compile(r"<memory id='\d+' updated_at='([\d-]{10})[^']*'(?: about='([^']*) \(id ([^']*)\)')?>(.*?)</memory>", re.DOTALL)
_YEAR = re.compile(r"<now>\w+, (\d{4})-")
_GROUP_LINE = re.compile(r"[^\n]*? \(id ([^)]*)\): (.*)", re.DOTALL)
_QUOTE = re.compile(r"\A\[in reply to [^\n]*\]\n")
_KANA = re.compile(r"[\u3040-\u30ff]")


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory as it stands in the prompt; whom it is about is empty where the prompt does not say."""

    text: str
    day: date
    about_name: str = ""
    about_id: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """All that an answer depends on."""

    greeting: str
    said: str
    """What the asker said last, without quotes and names."""
    asker_id: str
    """Empty in direct chats."""
    memories: tuple[Recalled, ...]
    year: str
    is_fresh: bool
    """Nothing was answered in this conversation before."""
    speaks_japanese: bool
    takes_call: bool
    takes_tag: bool
    results: tuple[str, ...]
    """What the tool said, when this turn has called it."""


def read_prompt(request: ChatRequest) -> Reading:
    """Return what a request says."""
    messages = request.messages
    system = "\n".join(message.text for message in messages if message.role is Role.SYSTEM)
    greeting, year = _GREETING.search(system), _YEAR.search(system)
    asker_id, said = _latest(messages, in_group=template("group") in system)
    results = [message.text for message in takewhile(lambda message: message.role is Role.TOOL, reversed(messages))]
    return Reading(
        greeting=greeting[1].strip() if greeting else "",
        said=said,
        asker_id=asker_id,
        memories=tuple(_memories(system)),
        year=year[1] if year else "",
        is_fresh=not any(message.role is Role.ASSISTANT and not message.tool_calls for message in messages),
        speaks_japanese=bool(_KANA.search(greeting[1] if greeting else "") or _KANA.search(said)),
        takes_call=any(spec.name == UPDATE_PERSONA_MEMORY for spec in request.tools),
        takes_tag=template("memory_by_tags") in system,
        results=tuple(results),
    )


def _latest(messages: Sequence[ChatMessage], *, in_group: bool) -> tuple[str, str]:
    """Return the id of who spoke last, empty in direct chats, and what they said since anybody else spoke."""
    spoken = [message for message in messages if message.role is not Role.TOOL and not message.tool_calls]
    asker, lines = "", list[str]()
    for message in takewhile(lambda message: message.role is Role.USER, reversed(spoken)):
        line = _GROUP_LINE.fullmatch(message.text) if in_group else None
        speaker, text = (line[1], line[2].replace("\n  ", "\n")) if line else ("", message.text)
        if lines and speaker != asker:
            break
        asker = speaker
        lines.insert(0, _QUOTE.sub("", text).strip())
    return asker, "\n".join(lines)


def _memories(system: str) -> Iterator[Recalled]:
    for day, name, person, text in _MEMORY.findall(system):
        yield Recalled(_plain(text), date.fromisoformat(day), _plain(name), _plain(person))


def _plain(text: str) -> str:
    return unescape(text, {"&quot;": '"', "&apos;": "'"})
