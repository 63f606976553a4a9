"""Reading PDF files in a process of their own: one that is made to take for ever, or all memory, is simply ended."""

import asyncio
import sys

from bot.errors import FileUnavailable

SECONDS = 20.0
ENCRYPTED, BROKEN = 3, 4
"""What the process ends with when there is nothing to read."""

_REASONS = {ENCRYPTED: "it is locked with a password", BROKEN: "it is damaged"}


class PdfDocuments:
    """Fulfils `bot.ports.files.Documents`."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds

    async def read(self, data: bytes) -> str:
        """Return the text of a PDF."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.nlp.pdf", stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            async with asyncio.timeout(self._seconds):
                text, _ = await process.communicate(data)
        except TimeoutError:
            raise FileUnavailable("it takes too long to read") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise FileUnavailable(_REASONS.get(process.returncode, "it cannot be read"))
        return text.decode("utf-8", "replace").strip()
