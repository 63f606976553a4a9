"""What goes into an embedder, and what comes out."""

import numpy as np
import numpy.typing as npt

from bot.ports.embedder import Vectors


def readable(text: str, longest: int) -> str:
    """Return the text as every model takes it, cut to `longest` characters; empty when it has neither a letter nor a digit."""
    cut = text.strip()[:longest].replace("\0", " ").encode(errors="replace").decode()
    return cut if any(character.isalnum() for character in cut) else ""


def unit_length(rows: npt.NDArray[np.floating]) -> Vectors:
    """Return the rows at length 1; one of length 0 stays so. Raises ValueError for what is no number."""
    if not np.isfinite(rows).all():
        raise ValueError("vectors that hold no numbers")
    exact = rows.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    vectors: Vectors = np.divide(exact, lengths, out=np.zeros_like(exact), where=lengths > 0).astype(np.float32)
    return vectors
