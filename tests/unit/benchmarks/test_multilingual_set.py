"""Our own set of questions about chats in several languages is whole, and as large as it claims to be."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

SET = Path(__file__).parents[3] / "benchmarks" / "data" / "multilingual.json"
JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Turn:
    id: str
    session: int
    speaker: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    question: str
    answer: str
    category: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def _conversations() -> list[Conversation]:
    return [
        Conversation(
            found["id"],
            tuple(Turn(**{**turn, "at": datetime.fromisoformat(turn["at"]).replace(tzinfo=UTC)}) for turn in found["turns"]),
            tuple(Question(**{**question, "evidence": tuple(question["evidence"])}) for question in found["questions"]),
        )
        for found in json.loads(SET.read_text(encoding="utf-8"))["conversations"]
    ]


CONVERSATIONS = _conversations()
QUESTIONS = [(conversation, question) for conversation in CONVERSATIONS for question in conversation.questions]
each_conversation = pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda conversation: conversation.id)


def test_there_are_six_conversations_with_names_of_their_own() -> None:
    assert len({conversation.id for conversation in CONVERSATIONS}) == len(CONVERSATIONS) == 6


@each_conversation
def test_a_conversation_is_as_long_as_one_of_months(conversation: Conversation) -> None:
    turns = conversation.turns

    assert 80 <= len(turns) <= 120
    assert 4 <= max(turn.session for turn in turns) <= 8
    assert 2 <= len({turn.speaker for turn in turns}) <= 5
    assert timedelta(days=60) <= turns[-1].at - turns[0].at <= timedelta(days=185)


@each_conversation
def test_turns_have_an_id_each_and_stand_in_the_order_of_time(conversation: Conversation) -> None:
    turns = conversation.turns

    assert len({turn.id for turn in turns}) == len(turns)
    assert all(before.at < after.at and before.session <= after.session for before, after in pairwise(turns))
    assert all(turn.text.strip() and turn.speaker.strip() for turn in turns)


@each_conversation
def test_what_answers_a_question_is_there(conversation: Conversation) -> None:
    ids = {turn.id for turn in conversation.turns}

    assert [question for question in conversation.questions if not ids.issuperset(question.evidence)] == []


@each_conversation
def test_no_question_is_asked_twice(conversation: Conversation) -> None:
    asked = [question.question for question in conversation.questions]

    assert len(set(asked)) == len(asked)


def test_only_what_nobody_said_is_without_an_answer() -> None:
    without = [question for _, question in QUESTIONS if not (question.evidence and question.answer)]

    assert {question.category for question in without} == {"unanswerable"}
    assert all(not question.evidence and not question.answer for question in without)


def test_each_kind_of_question_is_asked_often_enough_to_tell() -> None:
    counts = Counter(question.category for _, question in QUESTIONS)

    assert set(counts) == {"single-hop", "temporal", "who-said", "multi-hop", "cross-language", "unanswerable"}
    assert sum(counts.values()) >= 75
    assert counts["cross-language"] >= 20
    assert counts["unanswerable"] >= 8
    assert min(counts.values()) >= 8


def test_japanese_asks_for_english_and_english_for_japanese_often_enough() -> None:
    crossing = Counter(
        (bool(JAPANESE.search(question.question)), bool(JAPANESE.search(turn.text)))
        for conversation, question in QUESTIONS
        if question.category == "cross-language" and conversation.id.startswith("ja")
        for turn in conversation.turns
        if turn.id in question.evidence
    )

    assert crossing[True, False] >= 10
    assert crossing[False, True] >= 10


def test_questions_over_several_turns_name_several() -> None:
    assert [question for _, question in QUESTIONS if question.category == "multi-hop" and len(question.evidence) < 2] == []
