"""Counting tokens."""

from typing import Protocol


class TokenCounter(Protocol):
    """Counts as the models do, near enough to keep a prompt within its window."""

    def count(self, text: str) -> int:
        """Return how many tokens the text takes."""
        ...
