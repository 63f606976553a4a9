"""PNG pictures as carriers of text: their chunks, each checked, and nothing decoded."""

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.errors import CardRefused

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_CHUNKS = 20_000
MOST_SIDE = 8_192
"""Pixels."""
_SHOWN = frozenset(
    (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"sBIT", b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT")
)
"""What makes the picture; the rest says things about it, such as where it was taken, and is left out."""
_END = b"IEND"
_PLAIN_SIDE = 512
_PLAIN_COLOUR = b"\x5b\x5f\x97"


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG without any text in it, and the texts it had, by their keywords; of doubled ones the first."""

    content: bytes
    texts: Mapping[str, bytes]


def read_png(data: bytes, *, most_text: int) -> Picture:
    """Return the picture and its texts. Raises CardRefused for one that is broken, or whose packed texts are longer than that together."""
    shown = [SIGNATURE]
    texts: dict[str, bytes] = {}
    for kind, body, whole in _chunks(data):
        if kind in _SHOWN:
            shown.append(whole)
        elif kind in {b"tEXt", b"zTXt", b"iTXt"}:
            keyword, text = _text(kind, body, most_text)
            most_text -= len(text) if kind != b"tEXt" else 0
            texts.setdefault(keyword, text)
    return Picture(b"".join(shown), texts)


def with_texts(picture: bytes, texts: Sequence[tuple[str, bytes]]) -> bytes:
    """Return a PNG from `read_png` with texts in it."""
    place = len(picture) - len(_chunk(_END, b""))
    chunks = [_chunk(b"tEXt", keyword.encode("latin-1") + b"\0" + text) for keyword, text in texts]
    return b"".join((picture[:place], *chunks, picture[place:]))


def plain_picture() -> bytes:
    """Return a picture of one colour, for a card without one."""
    row = b"\0" + _PLAIN_COLOUR * _PLAIN_SIDE
    header = struct.pack(">IIBBBBB", _PLAIN_SIDE, _PLAIN_SIDE, 8, 2, 0, 0, 0)
    return b"".join((SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(row * _PLAIN_SIDE, 9)), _chunk(_END, b"")))


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield kind, body and all bytes of each chunk up to the end of the picture; what follows it is ignored."""
    place, kind = len(SIGNATURE), b""
    for number in range(MOST_CHUNKS):
        length, kind = struct.unpack_from(">I4s", data, place) if place + 12 <= len(data) else (len(data), b"")
        end = place + 12 + length
        if end > len(data):
            raise CardRefused("the PNG is cut off; fetch the file anew, as the original and not as a preview.")
        body = data[place + 8 : end - 4]
        if zlib.crc32(data[place + 4 : end - 4]) != int.from_bytes(data[end - 4 : end], "big"):
            raise CardRefused("the PNG is damaged: a checksum does not fit. Fetch the file anew.")
        if (number == 0) != (kind == b"IHDR"):
            raise CardRefused("the PNG is broken: it must begin with one header. Fetch the file anew.")
        if kind == b"IHDR":
            _check_size(body)
        yield kind, body, data[place:end]
        if kind == _END:
            return
        place = end
    raise CardRefused(f"the PNG has more than {MOST_CHUNKS:,} parts; save the picture anew in an image editor, then export the card anew.")


def _check_size(header: bytes) -> None:
    width, height = struct.unpack_from(">II", header) if len(header) == 13 else (0, 0)
    if not 0 < width <= MOST_SIDE or not 0 < height <= MOST_SIDE:
        raise CardRefused(f"the picture has {width} × {height} pixels; {MOST_SIDE} a side are the most. Make it smaller.")


def _text(kind: bytes, body: bytes, most: int) -> tuple[str, bytes]:
    keyword, _, rest = body.partition(b"\0")
    packed = kind == b"zTXt"
    if kind == b"zTXt":
        rest = rest[1:]
    elif kind == b"iTXt":
        packed = rest[:1] == b"\1"
        rest = rest[2:].partition(b"\0")[2].partition(b"\0")[2]
    return keyword.decode("latin-1").strip(), _unpacked(rest, most) if packed else rest


def _unpacked(data: bytes, most: int) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(data, most + 1)
    except zlib.error:
        raise CardRefused("a text in the PNG is damaged; fetch the file anew.") from None
    if len(text) > most:
        raise CardRefused(f"a text in the PNG unpacks to more than a card needs; {most:,} bytes were left for it. Take it out.")
    return text
