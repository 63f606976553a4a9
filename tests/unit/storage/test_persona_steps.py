from pathlib import Path

import pytest

from bot.domain.persona import MemoryPolicy, Timestamps
from bot.domain.steps import FAST_READERS, USUAL_WRITERS, Step, StepKind, Steps
from bot.storage.persona_files import check_personas, load_personas


def persona_file(folder: Path, *lines: str) -> None:
    text = "\n".join(["---", "name: Iris", "greeting: Hello", "memory:", *(f"  {line}" for line in lines), "---", "You are Iris."])
    (folder / "iris.md").write_text(text, encoding="utf-8")


def test_steps_are_names_or_names_with_options(tmp_path: Path) -> None:
    persona_file(
        tmp_path,
        "readers:",
        "  - FullChatSummary: {isManualConfig: true}",
        '  - RecentMemorySummarizerTool: {maxSummaryChunksFromFile: -1, customDelimiter: "--X--"}',
        "  - VectorMemorySearch: {keywords: tea;cats, limit: 2, recency: true, dates: true}",
        "  - RecentMemory:",
        "writers:",
        "  - QualityMemory: {vectors: false}",
    )

    steps = load_personas(tmp_path, "iris").get("iris").steps

    assert steps == Steps(
        readers=(
            Step(StepKind.SUMMARY_UPDATED, manual=True),
            Step(StepKind.RECENT, count=-1, delimiter="--X--"),
            Step(StepKind.SEARCH, keywords="tea;cats", limit=2, recency=True, dates=True),
            Step(StepKind.RECENT_UPDATED),
        ),
        writers=(Step(StepKind.STRUCTURED, vectors=False),),
    )


def test_without_a_word_the_usual_steps_are_taken_and_an_empty_list_is_none(tmp_path: Path) -> None:
    persona_file(tmp_path, "writers: []")

    steps = load_personas(tmp_path, "iris").get("iris").steps

    assert steps == Steps(FAST_READERS, ())
    assert Steps().writers == USUAL_WRITERS


def test_policy_of_history_and_past_arrives(tmp_path: Path) -> None:
    persona_file(tmp_path, "history_messages: 10", "history_hours: 24", "timestamps: relative", "past: false", "chunk_tokens: 500")

    policy = load_personas(tmp_path, "iris").get("iris").memory

    assert policy == MemoryPolicy(history_messages=10, history_hours=24, timestamps=Timestamps.RELATIVE, past=False, chunk_tokens=500)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        pytest.param(
            ["readers:", "  - FullChatSumary"],
            "6: `memory.readers[1]` is 'FullChatSumary', which is no step. Did you mean FullChatSummary? There are GetCurrent",
            id="misspelt",
        ),
        pytest.param(
            ["readers: [zzz]"], "5: `memory.readers[1]` is 'zzz', which is no step. There are GetCurrentSummaryFromFile, Full", id="unknown"
        ),
        pytest.param(
            ["readers:", "  - RecentMemory", "  - QualityMemory"],
            "7: `memory.readers[2]` is 'QualityMemory', which does not stand among readers; write it under `memory.writers`.",
            id="a writer",
        ),
        pytest.param(
            ["writers: [RecentMemory]"],
            "5: `memory.writers[1]` is 'RecentMemory', which does not stand among writers; write it under `memory.readers`.",
            id="a reader",
        ),
        pytest.param(["readers: [7]"], "5: `memory.readers[1]` is no step; write a name such as `RecentMemory`", id="number"),
        pytest.param(
            ["readers:", "  - RecentMemory: {cuont: 3}"],
            "6: `memory.readers[1]` has no option 'cuont'. Did you mean count?",
            id="unknown option",
        ),
        pytest.param(
            ["readers:", "  - RecentMemory: {count: many}"],
            "6: `memory.readers[1]` has count: 'many'; write a whole number from -1 to 1000.",
            id="no number",
        ),
        pytest.param(
            ["readers:", "  - RecentMemory: {customDelimiter: 3}"],
            "6: `memory.readers[1]` has customDelimiter: 3; write a text in quotes",
            id="no text",
        ),
        pytest.param(
            ["readers:", "  - FullChatSummary: {manual: maybe}"],
            "6: `memory.readers[1]` has manual: 'maybe'; write true or false.",
            id="no switch",
        ),
        pytest.param(
            ["readers: RecentMemory"],
            "5: `memory.readers` must be a list, such as [one, two], but it is the text 'RecentMemory'.",
            id="no list",
        ),
        pytest.param(
            ["timestamps: sometimes"], "5: `memory.timestamps` is 'sometimes'; write one of 'none', 'absolute' or 'relative'.", id="word"
        ),
    ],
)
def test_mistake_in_a_step_is_said_with_its_line_and_its_remedy(tmp_path: Path, lines: list[str], said: str) -> None:
    persona_file(tmp_path, *lines)

    found = [f"{mistake.line}: {mistake.problem}" for mistake in check_personas(tmp_path)]

    assert [problem[: len(said)] for problem in found] == [said]
