"""Text as Telegram measures it: in UTF-16 code units."""


def units(text: str) -> int:
    """Return the length of `text` in UTF-16 code units."""
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, offset: int, length: int) -> str:
    """Return the part of `text` that starts at `offset` and is `length` units long."""
    encoded = text.encode("utf-16-le")
    return encoded[2 * offset : 2 * (offset + length)].decode("utf-16-le", "surrogatepass")


def boundaries(text: str) -> dict[int, int]:
    """Return, for each unit offset where a character begins (and the end), its byte offset in UTF-8."""
    found: dict[int, int] = {}
    at_unit = at_byte = 0
    for character in text:
        found[at_unit] = at_byte
        at_unit += 2 if ord(character) > 0xFFFF else 1
        at_byte += len(character.encode())
    found[at_unit] = at_byte
    return found
