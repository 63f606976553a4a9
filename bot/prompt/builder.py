"""The prompt of a turn: sections from least to most changing, within the model's window."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from bot.domain.memory import Recall
from bot.domain.message import Role, StoredMessage
from bot.domain.model import ChatMessage, ChatRequest
from bot.domain.persona import Persona
from bot.domain.tool import ToolSpec
from bot.domain.turn import Turn
from bot.ports.tokens import TokenCounter
from bot.prompt.history import shortened, trimmed
from bot.prompt.render import handle_block, memory_block, section, spoken

MESSAGE_TOKENS = 8
"""What each message costs beside its text."""


@dataclass(frozen=True, slots=True)
class Material:
    """All that a turn's prompt is made of."""

    turn: Turn
    recall: Recall
    history: Sequence[StoredMessage]
    """What was said before the turn, oldest first."""
    stable_sections: Sequence[tuple[str, str]] = ()
    """Names and texts from plugins."""
    fresh_sections: Sequence[tuple[str, str]] = ()
    tools: tuple[ToolSpec, ...] = ()
    edits_by_tags: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request that fits the window, and what had to stay out."""

    request: ChatRequest
    history_start: int
    """The row of the first message of the history, 0 when there is none."""
    history_left_out: int


class PromptBuilder:
    """Builds prompts of at most `window_tokens`, the reply included."""

    def __init__(self, tokens: TokenCounter, window_tokens: int) -> None:
        self._tokens = tokens
        self._window = window_tokens

    def build(self, material: Material) -> Prompt:
        """Return the prompt: persona and memories, history, what was recalled now, and the message, which is never left out."""
        turn, model = material.turn, material.turn.persona.model
        system = ChatMessage(Role.SYSTEM, system_text(material))
        now = ChatMessage(Role.SYSTEM, now_text(material))
        left = self._window - model.max_reply_tokens - self._cost([system, now])
        current = self._lines(shortened(turn.messages, left, self._tokens), turn)
        past = trimmed(material.history, left - self._cost(current), self._tokens)
        request = ChatRequest(
            messages=(system, *self._lines(past, turn), now, *current),
            tools=() if material.edits_by_tags else material.tools,
            model=model.name,
            temperature=model.temperature,
            max_reply_tokens=model.max_reply_tokens,
        )
        start = past[0].id if past else 0
        return Prompt(request, history_start=start, history_left_out=len(material.history) - len(past))

    def _cost(self, messages: Sequence[ChatMessage]) -> int:
        return sum(MESSAGE_TOKENS + self._tokens.count(message.text) for message in messages)

    def _lines(self, messages: Sequence[StoredMessage], turn: Turn) -> list[ChatMessage]:
        return [_line(message, named=turn.is_group) for message in messages]


def system_text(material: Material) -> str:
    """Return what stands before the history and seldom changes: the persona's own text first, its memories last."""
    turn = material.turn
    persona = turn.persona
    parts = [_persona_text(persona), template("conduct").format(name=persona.name)]
    if turn.is_group:
        parts.append(template("group"))
    parts += [section(name, text) for name, text in material.stable_sections]
    if persona.memory.enabled:
        parts.append(template("memory_by_tags" if material.edits_by_tags else "memory_by_tool"))
        parts.append(memory_block("memories", material.recall.working, persona.zone, named=turn.is_group))
        parts.append(handle_block(material.recall.handles, material.recall.groups))
    return "\n\n".join(part.strip() for part in parts if part.strip())


def now_text(material: Material) -> str:
    """Return what changes from turn to turn: memories that are new or came back, and the time."""
    turn = material.turn
    zone = turn.persona.zone
    fresh = [hit.memory for hit in material.recall.fresh]
    parts = [memory_block("recalled", fresh, zone, named=turn.is_group)]
    parts += [section(name, text) for name, text in material.fresh_sections]
    parts.append(f"<now>{turn.started_at.astimezone(zone).strftime('%A, %Y-%m-%d %H:%M %Z')}</now>")
    return "\n".join(part for part in parts if part)


@cache
def template(name: str) -> str:
    """Return a text of the templates folder."""
    return resources.files("bot.prompt").joinpath("templates", f"{name}.md").read_text(encoding="utf-8").strip()


def _persona_text(persona: Persona) -> str:
    examples = [f"Somebody: {example.user}\n{persona.name}: {example.reply}" for example in persona.examples]
    lines = [f"Name: {persona.name}", persona.voice.strip(), f"Greeting: {persona.greeting}"]
    if examples:
        lines.append("How you talk:\n" + "\n\n".join(examples))
    return "<persona>\n" + "\n\n".join(lines) + "\n</persona>"


def _line(message: StoredMessage, *, named: bool) -> ChatMessage:
    if message.role is Role.ASSISTANT:
        return ChatMessage(Role.ASSISTANT, message.text)
    return ChatMessage(Role.USER, spoken(message, named=named))
