"""The measure of recall, and what it must not fall below on our own facts across languages."""

import json
from pathlib import Path

import pytest

from benchmarks.recall import Figures, compare, tables
from benchmarks.recall_set import Asked, read

FACTS = Path(__file__).parents[3] / "benchmarks" / "data" / "facts_across_languages.json"
DEFAULT = "use-multilingual"
TALK = {
    "id": "talk",
    "turns": [
        {"id": "a", "session": 1, "speaker": "Ana", "at": "2026-05-01T10:00:00", "text": "I planted walnuts behind the shed"},
        {"id": "b", "session": 1, "speaker": "Baku", "at": "2026-05-01T10:01:00", "text": "How lovely!"},
    ],
    "questions": [
        {"question": "What did Ana plant?", "answer": "walnuts", "category": "single-hop", "evidence": ["a"]},
        {"question": "Where did Ana plant walnuts?", "answer": "behind the shed", "category": "single-hop", "evidence": ["a"]},
        {"question": "Who fixed the roof?", "answer": "", "category": "unanswerable", "evidence": []},
    ],
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"conversations": [TALK]}), encoding="utf-8")
    return path


def test_a_file_is_read_with_the_rows_that_answer(small: Path) -> None:
    (talk,) = read(small, persona="Baku")

    assert [message.author.is_bot for message in talk.messages] == [False, True]
    assert talk.questions[0] == Asked("What did Ana plant?", "single-hop", frozenset({1}))
    assert talk.ended_at == talk.messages[-1].sent_at


async def test_every_way_is_measured_and_printed(small: Path, tmp_path: Path) -> None:
    measured = await compare(small, tmp_path, ["hashing"], "Baku")

    assert list(measured) == ["words only", "hashing, vectors only", "words + hashing"]
    assert measured["words only"].recall[5] == [1.0, 1.0]
    assert measured["words only"].silent == [True]
    assert [table.row_count for table in tables(measured)] == [3, 3]


def test_what_is_found_late_counts_less() -> None:
    figures = Figures()

    figures.note(Asked("?", "any", frozenset({7, 8})), [1, 2, 7])

    assert figures.recall[5] == [0.5]
    assert figures.ranks == [1 / 3]


async def test_facts_are_found_in_another_language_than_they_were_told_in(tmp_path: Path) -> None:
    measured = await compare(FACTS, tmp_path, [DEFAULT], "Baku")

    by_category = measured[f"words + {DEFAULT}"].by_category
    first = {category: sum(rank == 1 for _, rank in found) / len(found) for category, found in by_category.items()}
    assert first["Japanese asks English"] >= 0.75
    assert first["English asks Japanese"] >= 0.75
    assert first["English asks English"] >= 0.95
    assert first["Japanese asks Japanese"] >= 0.9
