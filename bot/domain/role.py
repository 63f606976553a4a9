"""What a process of a bot does, of all that there is to do."""

from enum import StrEnum


class Role(StrEnum):
    """One of the parts that can run apart, in any number, on any machine."""

    GATEWAY = "gateway"
    """Holds the connections to the platforms, takes in what is said, and runs commands."""
    WORKER = "worker"
    """Takes turns, and does what is done in the background and by night."""
    SCHEDULER = "scheduler"
    """Rings for what is due."""
    WEB = "web"
    """Serves the HTTP API."""


ALL_ROLES = frozenset(Role)
