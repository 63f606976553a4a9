"""Conversations with questions whose answers are known, as a neutral JSON file holds them.

The file is an object whose `conversations` each have `id`, `turns` (`id`, `session`, `speaker`, `at`, `text`) in the order of time, and
`questions` (`question`, `category`, and `evidence`: the ids of the turns that answer it).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.domain.chat import ConversationKey, ConversationKind
from bot.domain.message import MessageState, Person, Role, StoredMessage

UNANSWERABLE = frozenset({"adversarial", "unanswerable"})
"""Categories of questions that nothing answers."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the rows of the messages that answer it; none when nothing does."""

    text: str
    category: str
    evidence: frozenset[int]


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation and what is asked about it, when it is over."""

    conversation: ConversationKey
    messages: tuple[StoredMessage, ...]
    questions: tuple[Asked, ...]
    ended_at: datetime


def read(path: Path, *, persona: str) -> Sequence[Talk]:
    """Return the conversations of a file. Who bears the persona's name speaks as a persona."""
    return [_talk(given, persona) for given in json.loads(path.read_text(encoding="utf-8"))["conversations"]]


def _talk(given: Mapping[str, Any], persona: str) -> Talk:
    key = ConversationKey("benchmark", "recall", given["id"])
    messages = tuple(_message(key, row, turn, persona) for row, turn in enumerate(given["turns"], 1))
    rows = {turn["id"]: row for row, turn in enumerate(given["turns"], 1)}
    questions = tuple(
        Asked(each["question"], each["category"], frozenset(rows[id_] for id_ in each["evidence"] if each["category"] not in UNANSWERABLE))
        for each in given["questions"]
    )
    return Talk(key, messages, questions, messages[-1].sent_at)


def _message(key: ConversationKey, row: int, turn: Mapping[str, Any], persona: str) -> StoredMessage:
    is_persona = turn["speaker"] == persona
    return StoredMessage(
        id=row,
        conversation=key,
        kind=ConversationKind.GROUP,
        message_id=turn["id"],
        role=Role.ASSISTANT if is_persona else Role.USER,
        author=Person(turn["speaker"], turn["speaker"], is_bot=is_persona),
        text=turn["text"],
        sent_at=datetime.fromisoformat(turn["at"]).replace(tzinfo=UTC),
        state=MessageState.DONE,
        persona_id="persona" if is_persona else "",
    )
