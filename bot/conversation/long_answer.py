"""Very long answers, which admins may have sent as a file with the beginning above it."""

from bot.domain.command import AnswerFile
from bot.ports.platform import FileDelivery, Platform

MOST_PARTS = 3
"""An answer of more platform messages than these is very long."""
BEGINNING = 600
"""Characters of its beginning that are shown."""
NAME = "answer.md"
_FENCE = "```"


def is_very_long(platform: Platform, text: str) -> bool:
    """Say whether an answer is too long to be read in a chat, on a platform that can send files."""
    return isinstance(platform, FileDelivery) and len(platform.parts(text)) > MOST_PARTS


def file_of(text: str) -> AnswerFile:
    """Return an answer as a Markdown file."""
    return AnswerFile(NAME, f"{text}\n".encode())


def beginning(text: str) -> str:
    """Return how a long text begins, cut where a paragraph, a sentence or at least a word ends, and outside of code."""
    start = text[:BEGINNING]
    if start.count(_FENCE) % 2:
        before = start[: start.rindex(_FENCE)].rstrip()
        return f"{before}\n\n…" if before else f"{start.rpartition(chr(10))[0] or start}\n{_FENCE}\n…"
    for end in ("\n\n", "\n", ". ", "。", " "):
        place = start.rfind(end)
        if place >= BEGINNING // 3:
            return f"{start[:place].rstrip()}{end.strip()}\n\n…"
    return f"{start}…"
