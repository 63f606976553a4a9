"""`python -m bot.nlp.pdf` reads a PDF from its input and writes its text."""

import io
import resource
import sys

import pypdf
from pypdf.errors import PyPdfError

from bot.nlp.documents import BROKEN, ENCRYPTED

MOST_PAGES = 50
MOST_CHARACTERS = 20_000
MEMORY_BYTES = 1024**3


def text_of(data: bytes) -> str:
    """Return the text of the first pages. Raises PyPdfError for a file that is no PDF."""
    found, left = list[str](), MOST_CHARACTERS
    reader = pypdf.PdfReader(io.BytesIO(data))
    for page in reader.pages[:MOST_PAGES]:
        text = page.extract_text().strip()[:left]
        found.append(text)
        left -= len(text)
        if left <= 0:
            break
    return "\n\n".join(text for text in found if text)


def main() -> int:
    """Read the input and write its text; return how it ended."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        sys.stdout.buffer.write(text_of(sys.stdin.buffer.read()).encode("utf-8", "replace"))
    except pypdf.errors.FileNotDecryptedError:
        return ENCRYPTED
    except (PyPdfError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, OSError, RecursionError, MemoryError):
        return BROKEN
    return 0


if __name__ == "__main__":
    sys.exit(main())
