"""The prompt of a turn: sections from least to most changing, within the model's window."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources

from bot.domain.memory import Recall
from bot.domain.message import Role, StoredMessage
from bot.domain.model import ChatMessage, ChatRequest, Image, Usage
from bot.domain.past import PastBudget, PastRecall
from bot.domain.persona import Timestamps
from bot.domain.tool import ToolSpec
from bot.domain.turn import Turn
from bot.ports.tokens import TokenCounter
from bot.prompt.character import NOTHING_FIRED, called_lore, lore_block, persona_block, reminder_block, standing_lore
from bot.prompt.history import shortened, since_silence, trimmed
from bot.prompt.lore import Fired
from bot.prompt.past import come_back, joined, summed_up
from bot.prompt.ratios import TokenRatios
from bot.prompt.render import handle_block, memory_block, section, spoken
from bot.prompt.stamps import stamp

MESSAGE_TOKENS = 8
"""What each message costs beside its text."""
IMAGE_TOKENS = 1000
"""What a picture costs, roughly: endpoints count from 85 to 1,600, by its size and by the model."""
NAME_TOKENS = 8
"""What the speaker of a line costs in groups."""
STAMP_TOKENS = 24
"""What the time of sending before a message costs at most."""
PAST_SHARE = 8
"""What comes back of the past may take one in so many of the window's tokens at most."""
LEAST_WINDOW = 512
"""Tokens below which no model's window is believed to be."""
MOST_WINDOWS = 2000
"""Models and conversations whose windows are kept in mind; the one that was learned first gives way."""

LORE_SHARE = 8
"""Lore may take one in so many of the window's tokens at most."""


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
    past: PastRecall = field(default_factory=PastRecall)
    """What comes back of what was said before the history."""
    images: tuple[Image, ...] = ()
    """Pictures that came with the turn's messages."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request that fits the window, and what had to stay out."""

    request: ChatRequest
    history_start: int
    """The row of the first message of the history, 0 when there is none."""
    counted: int
    """Its tokens as we count them."""


class PromptBuilder:
    """Builds prompts of at most `window_tokens` of the endpoint's own tokens, the reply included."""

    def __init__(self, tokens: TokenCounter, window_tokens: int) -> None:
        self._tokens = tokens
        self._window = window_tokens
        self._narrowed: dict[tuple[str, str], int] = {}
        self._ratios = TokenRatios()

    def build(self, material: Material) -> Prompt:
        """Return the prompt: persona and memories, history, what was recalled now, and the message, which is never left out."""
        turn, model = material.turn, material.turn.persona.model
        system, now = self._around(material)
        current = self._current(material, self._room(turn) - self._cost([system, now]) - self._cost_of_tools(material))
        past = self._history(material, self._room(turn) - self._cost([system, now, *current]) - self._cost_of_tools(material))
        request = ChatRequest(
            messages=(system, *_lines(past, turn), now, *current),
            tools=() if material.edits_by_tags else material.tools,
            model=model.name,
            temperature=model.temperature,
            max_reply_tokens=model.max_reply_tokens,
        )
        counted = self._cost(request.messages) + self._cost_of_tools(material)
        return Prompt(request, past[0].id if past else 0, counted)

    def kept(self, material: Material) -> Sequence[StoredMessage]:
        """Return the history that will stand in the prompt, with room for what comes back of what lies before it."""
        left = self._left(material) - self.past_tokens(material.turn) - material.turn.persona.memory.entity_tokens
        return self._history(material, left - self._cost(self._current(material, left)))

    def budget(self, material: Material, history: Sequence[StoredMessage]) -> PastBudget:
        """Return what of the past may stand in the prompt beside that history. What is summed up may always fill the same."""
        most, left = self.past_tokens(material.turn), self._left(material)
        left -= self._cost([*self._current(material, left), *_lines(history, material.turn)])
        summaries = most // 2
        return PastBudget(summaries, max(min(most, left - summaries - material.turn.persona.memory.entity_tokens), 0))

    def past_tokens(self, turn: Turn) -> int:
        """Return the tokens that what comes back of the past may fill at most."""
        return min(turn.persona.memory.past_tokens, self._window_of(turn) // PAST_SHARE) if turn.persona.memory.past else 0

    def learn(self, turn: Turn, prompt: Prompt, usage: Sequence[Usage]) -> None:
        """Take in how many tokens the endpoint counted of a prompt, which it reports first, so that the next ones fit its window better."""
        model, place = turn.persona.model.name, str(turn.conversation)
        for first in usage[:1]:
            self._ratios.learn(model, place, counted=prompt.counted, reported=first.prompt_tokens)

    def narrow(self, turn: Turn, prompt: Prompt, *, limit: int, asked: int) -> None:
        """Take in that a prompt was too long for its model, so that the next ones fit; an endpoint tells `limit` and `asked`, or 0.

        What it tells of itself holds for the model; what is concluded from a conversation's prompt stays in that conversation.
        """
        model, place = turn.persona.model, str(turn.conversation)
        if asked:
            self._ratios.learn(model.name, place, counted=prompt.counted, reported=asked)
        window = limit or int(self.expected(turn, prompt) / 2) + model.max_reply_tokens
        self._narrowed[model.name, "" if limit else place] = min(max(window, LEAST_WINDOW), self._window_of(turn))
        if len(self._narrowed) > MOST_WINDOWS:
            del self._narrowed[next(iter(self._narrowed))]

    def expected(self, turn: Turn, prompt: Prompt) -> float:
        """Return how many tokens the endpoint is going to count, by all that it has reported."""
        return prompt.counted * self._ratios.of(turn.persona.model.name, str(turn.conversation))

    def _room(self, turn: Turn) -> int:
        """Return the tokens, as we count them, that a prompt may have."""
        ratio = self._ratios.of(turn.persona.model.name, str(turn.conversation))
        window, reply = self._window_of(turn), turn.persona.model.max_reply_tokens
        if window < self._window and reply > window // 2:
            reply = window // 4
        return int((window - reply) / ratio)

    def _window_of(self, turn: Turn) -> int:
        """Return the tokens that the persona's model takes, as far as it has turned out."""
        name = turn.persona.model.name
        told = self._narrowed.get((name, ""), self._window)
        return min(told, self._narrowed.get((name, str(turn.conversation)), told))

    def _left(self, material: Material) -> int:
        """Return the tokens that history, message and past may fill together."""
        return self._room(material.turn) - self._cost(self._around(material)) - self._cost_of_tools(material)

    def _around(self, material: Material) -> tuple[ChatMessage, ChatMessage]:
        """Return what stands before the history and what stands after it."""
        turn, most = material.turn, self._window_of(material.turn) // LORE_SHARE
        stands = standing_lore(turn, self._tokens, most=most)
        comes = called_lore(turn, material.history, self._tokens, most=most)
        return ChatMessage(Role.SYSTEM, system_text(material, stands)), ChatMessage(Role.SYSTEM, now_text(material, comes))

    def _history(self, material: Material, left: int) -> Sequence[StoredMessage]:
        turn, policy = material.turn, material.turn.persona.memory
        said = since_silence(material.history, until=turn.addressed.sent_at, hours=policy.history_hours)
        budget = min(left, policy.history_tokens or left)
        line = MESSAGE_TOKENS + (NAME_TOKENS if turn.is_group else 0) + (STAMP_TOKENS if policy.timestamps is not Timestamps.NONE else 0)
        return trimmed(said, budget, self._tokens, most=policy.history_messages, line_tokens=line, persona_id=turn.persona.id)

    def _current(self, material: Material, left: int) -> list[ChatMessage]:
        lines = _lines(shortened(material.turn.messages, left - IMAGE_TOKENS * len(material.images), self._tokens), material.turn)
        return [*lines[:-1], replace(lines[-1], images=material.images)] if lines else lines

    def _cost(self, messages: Sequence[ChatMessage]) -> int:
        return sum(MESSAGE_TOKENS + IMAGE_TOKENS * len(message.images) + self._tokens.count(message.text) for message in messages)

    def _cost_of_tools(self, material: Material) -> int:
        tools = () if material.edits_by_tags else material.tools
        return sum(self._tokens.count(json.dumps([tool.name, tool.description, tool.parameters])) for tool in tools)


def system_text(material: Material, lore: Fired = NOTHING_FIRED) -> str:
    """Return what stands before the history and seldom changes: the persona's own text first, what is summed up of the past last."""
    turn = material.turn
    persona = turn.persona
    parts = [persona_block(turn, lore), template("conduct").format(name=persona.name)]
    if turn.is_group:
        parts.append(template("group"))
    if turn.byline is not None:
        parts.append(template("shared").format(name=persona.name))
    if persona.memory.past:
        parts.append(template("past"))
    parts += [section(name, text) for name, text in material.stable_sections]
    if persona.memory.enabled:
        parts.append(template("memory_by_tags" if material.edits_by_tags else "memory_by_tool"))
        parts.append(memory_block("memories", material.recall.working, persona.zone, named=turn.is_group))
        parts.append(handle_block(material.recall.handles, material.recall.groups))
    parts += summed_up(material.past, persona.steps.readers)
    return joined(parts, "\n\n")


def now_text(material: Material, lore: Fired = NOTHING_FIRED) -> str:
    """Return what changes from turn to turn: lore, memories that are new or came back, what comes back of the past, and the time."""
    turn = material.turn
    zone = turn.persona.zone
    fresh = [hit.memory for hit in material.recall.fresh]
    parts = [lore_block(lore), memory_block("recalled", fresh, zone, named=turn.is_group), *come_back(material.past, turn)]
    parts += [section(name, text) for name, text in material.fresh_sections]
    parts.append(reminder_block(turn))
    parts.append(f"<now>{turn.started_at.astimezone(zone).strftime('%A, %Y-%m-%d %H:%M %Z')}</now>")
    return joined(parts, "\n")


@cache
def template(name: str) -> str:
    """Return a text of the templates folder."""
    return resources.files("bot.prompt").joinpath("templates", f"{name}.md").read_text(encoding="utf-8").strip()


def _lines(messages: Sequence[StoredMessage], turn: Turn) -> list[ChatMessage]:
    return [_line(message, turn) for message in messages]


def _line(message: StoredMessage, turn: Turn) -> ChatMessage:
    sent = stamp(turn.persona.memory.timestamps, message.sent_at, turn.started_at, turn.persona.zone)
    if message.role is Role.ASSISTANT:
        own = message.persona_id in {turn.persona.id, ""}
        return ChatMessage(Role.ASSISTANT, sent + message.text) if own else ChatMessage(Role.USER, sent + spoken(message, named=True))
    if message.asks_to_speak_up:
        return ChatMessage(Role.USER, template("speak_up"))
    if message.asks_to_go_on:
        return ChatMessage(Role.USER, template("go_on"))
    return ChatMessage(Role.USER, sent + spoken(message, named=turn.is_group))
