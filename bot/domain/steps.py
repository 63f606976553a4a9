"""The steps by which a persona reads and writes a conversation's past, under the names they are known by."""

from dataclasses import dataclass, field
from enum import StrEnum

NOTHING_FOUND = "No memories were found."
MOST_KEYWORDS = 60
"""Keywords that one search may have."""


class StepKind(StrEnum):
    """What a step does."""

    RECENT = "RecentMemorySummarizerTool"
    """Reads the last chunk summaries; asks no model."""
    RECENT_UPDATED = "RecentMemory"
    """Writes the chunk summaries that are due, then reads the last ones."""
    SUMMARY = "GetCurrentSummaryFromFile"
    """Reads the rolling summary; asks no model."""
    SUMMARY_UPDATED = "FullChatSummary"
    """Writes what is due of chunks and rolling summary, then reads it."""
    SEARCH = "VectorMemorySearch"
    """Searches what was said and the structured memories; asks no model."""
    STRUCTURED = "QualityMemory"
    """Writes structured memories, and chunk summaries."""
    SUMMARISE = "chatSummarySummarizer"
    """Writes the rolling summary."""


READERS = (
    StepKind.SUMMARY,
    StepKind.SUMMARY_UPDATED,
    StepKind.RECENT,
    StepKind.RECENT_UPDATED,
    StepKind.SEARCH,
)
"""What may bring something before an answer."""
WRITERS = (StepKind.STRUCTURED, StepKind.SUMMARISE)
"""What may write after it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step with its options; those that its kind does not know are ignored."""

    kind: StepKind
    count: int = 3
    """Chunk summaries to read; 0 stands for 3, -1 for all."""
    delimiter: str = "\n\n"
    """What stands between them."""
    manual: bool = False
    """Reads what is there and writes nothing."""
    vectors: bool = True
    """Whether structured memories are written beside the chunk summaries."""
    keywords: str = ""
    """What to search for, separated by semicolons; empty stands for the message itself."""
    limit: int = 5
    """Hits of a search."""
    recency: bool = False
    """Whether newer hits come first among equals."""
    dates: bool = False
    """Whether each hit begins with its day."""


FAST_READERS = (Step(StepKind.SUMMARY), Step(StepKind.RECENT), Step(StepKind.SEARCH))
USUAL_WRITERS = (Step(StepKind.STRUCTURED), Step(StepKind.SUMMARISE))


@dataclass(frozen=True, slots=True)
class Steps:
    """How a persona reads a conversation's past before an answer, and writes about it afterwards."""

    readers: tuple[Step, ...] = field(default=FAST_READERS)
    writers: tuple[Step, ...] = field(default=USUAL_WRITERS)
