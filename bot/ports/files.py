"""Reading what is no text: documents and speech."""

from typing import Protocol


class Documents(Protocol):
    """Reads the text of documents."""

    async def read(self, data: bytes) -> str:
        """Return the text of a PDF, cut where it is very long. Raises FileUnavailable with the reason for one that cannot be read."""
        ...


class Transcriber(Protocol):
    """Writes down what was spoken."""

    async def write_down(self, data: bytes, name: str) -> str:
        """Return the words of a recording, whose name tells its format. Raises FileUnavailable with the reason."""
        ...

    async def close(self) -> None:
        """Free the connections."""
        ...
