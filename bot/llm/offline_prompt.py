"""What the offline model reads in a prompt: who asks, what was said, what is remembered."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum, auto
from itertools import takewhile
from xml.sax.saxutils import unescape

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest
from bot.prompt.builder import template
from bot.tools.memory_tools import UPDATE_PERSONA_MEMORY

_GREETING = re.compile(r"^Greeting: (.+?)(?=\n\n|\n</persona>)", re.MULTILINE | re.DOTALL)
_MEMORY = re.compile(
    r"<memory id='(\d+)' updated_at='([\d-]{10} [\d:]{8})'"
    r"(?: about='([^']*) \(id ([^']*)\)')?(?: said_by='([^']*) \(id [^']*\)')?>(.*?)</memory>",
    re.DOTALL,
)
_YEAR = re.compile(r"<now>\w+, (\d{4})-")
_GROUP_LINE = re.compile(r"[^\n]*? \(id ([^)]*)\): (.*)", re.DOTALL)
_QUOTE = re.compile(r"\A\[in reply to [^\n]*\]\n")
_KANA = re.compile(r"[\u3040-\u30ff]")
_GERMAN = re.compile(
    r"\b(?:ich|du|mein[enmrs]*|dein[enmrs]*|ist|bin|bist|heiß[et]+|hallo|moin|servus|guten?|danke|tschüss|nein|ja|doch|nicht|und|wie|wo|wer"
    r"|wann|warum|dir|mir|mich|das|eine?[nmrs]?|kein[enmrs]*|bitte|auf|erzähl|hilfe|vergiss)\b|[äöüß]",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"\b(?:i|you|your|my|is|are|the|a|am|do|does|what|where|who|how|when|why|which|called|and|it|that|of|to|thanks?|hello|hi|hey|yes|no|ok|help)\b",
    re.IGNORECASE,
)


class Language(StrEnum):
    """The languages it answers in."""

    ENGLISH = auto()
    GERMAN = auto()
    JAPANESE = auto()


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory as it stands in the prompt; whom it is about is empty where the prompt does not say."""

    text: str
    changed_at: str
    """`yyyy-MM-dd HH:mm:ss`, on the clock of the persona's place."""
    number: int = 0
    about_name: str = ""
    about_id: str = ""
    said_by: str = ""
    """Who claims it of somebody else; empty where people said it of themselves."""

    @property
    def day(self) -> date:
        """Return the day on which it was last changed."""
        return date.fromisoformat(self.changed_at[:10])

    @property
    def age(self) -> tuple[str, int]:
        """Return what sorts memories from the oldest to the latest."""
        return self.changed_at, self.number


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
    replies: tuple[str, ...]
    """What was answered in this conversation before."""
    language: Language
    takes_call: bool
    takes_tag: bool
    results: tuple[str, ...]
    """What the tool said, when this turn has called it."""

    @property
    def is_fresh(self) -> bool:
        """Say whether nothing was answered in this conversation before; it may have been opened with the greeting."""
        return all(reply == self.greeting for reply in self.replies)

    @property
    def was_greeted(self) -> bool:
        """Say whether the persona has greeted here before, or has no greeting."""
        return not self.greeting or any(self.greeting in reply for reply in self.replies)


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
        replies=tuple(message.text.strip() for message in messages if message.role is Role.ASSISTANT and not message.tool_calls),
        language=_language(greeting[1] if greeting else "", said, messages),
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


def _language(greeting: str, said: str, messages: Sequence[ChatMessage]) -> Language:
    """Return the language of the persona or of what was said; where that could be any, of what was said before."""
    if _KANA.search(greeting) or _KANA.search(said):
        return Language.JAPANESE
    earlier = [message.text for message in reversed(messages) if message.role is Role.USER]
    for line in (said, *earlier):
        german, english = len(_GERMAN.findall(line)), len(_ENGLISH.findall(line))
        if german != english:
            return Language.GERMAN if german > english else Language.ENGLISH
    return Language.ENGLISH


def _memories(system: str) -> Iterator[Recalled]:
    for number, changed, name, person, speaker, text in _MEMORY.findall(system):
        yield Recalled(_plain(text), changed, int(number), _plain(name), _plain(person), _plain(speaker))


def _plain(text: str) -> str:
    return unescape(text, {"&quot;": '"', "&apos;": "'"})
