"""What a dream may cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DreamLimits:
    """The limits of one dream about one scope."""

    calls: int = 20
    """Questions to the model."""
    tokens: int = 20_000
    """Prompts and answers together."""
    seconds: float = 120.0
    """Time that the model may take in all; what is undecided then stays as it is."""
    reply_tokens: int = 1024
    """The longest answer."""
    attempts: int = 2
    """How often a question is asked whose answer cannot be used."""
    faint: int = 40
    """Memories about to be forgotten that are shown at once."""
    fresh: int = 12
    """New or changed memories that are shown at once, and with each of them …"""
    near: int = 3
    """… so many that share words with it."""
    lost_share: float = 0.25
    """A dream that would take away or end more of the active memories than this is refused, unless it is only one memory."""
    batch: int = 10
    """Edits a transaction, so that a chat never waits long."""
    page: int = 50
    """Memories that are read at once."""
    rest_seconds: float = 0.002
    """The pause after each of these, which is the chat's."""
