"""Whether the parts of a process do what they are there for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """How one part of a process does."""

    part: str
    is_ready: bool
    state: str
    """A word or two, such as `connected`. Never an id, and nothing that anybody said."""
