"""Text as it can be kept and shown."""


def storable(text: str) -> str:
    """Return the text without what no database takes: NUL characters and halves of surrogate pairs."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def one_line(text: str, limit: int) -> str:
    """Return the text on one line, cut to `limit` characters with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def utf16_length(text: str) -> int:
    """Return the length in UTF-16 units, which is how chat platforms count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
